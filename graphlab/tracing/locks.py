"""One trace per key, however many threads call, and no deadlock between functions that call each other.

A thread that traces a key holds its ``Claim``; others wait until it is released.  Before a thread waits it follows the
chain of who waits for whom: if the chain comes back to it (f→g in one thread, g→f in another), waiting would never end,
and the thread traces a copy of its own instead.  No user code runs while ``_lock`` is held.
"""

from __future__ import annotations

import threading
from typing import Final

_lock: Final = threading.Lock()
_waits: Final[dict[int, Claim]] = {}


class Claim:
    """The right to trace one key, held by the thread that made it."""

    __slots__ = ("_released", "thread")

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self._released = threading.Event()

    @property
    def mine(self) -> bool:
        """True in the thread that holds it."""
        return self.thread == threading.get_ident()

    def release(self) -> None:
        """Lets the threads that wait go on."""
        self._released.set()

    def wait(self) -> bool:
        """Waits until the claim is released; False, at once, if its holder waits for this thread."""
        me = threading.get_ident()
        with _lock:
            claim: Claim | None = self
            while claim is not None and not claim._released.is_set():
                if claim.thread == me:
                    return False
                claim = _waits.get(claim.thread)
            _waits[me] = self
        try:
            self._released.wait()
        finally:
            with _lock:
                del _waits[me]
        return True
