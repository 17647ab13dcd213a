"""What this thread is doing right now: the graph under construction, the tapes that listen, the modes.

``ACTIVE`` is the one process-wide signal that fast paths test: it is empty exactly when no trace, tape, mode or
watcher is
active in any thread, so that an ordinary eager operation pays for a truth test and nothing more.  Only when it is not
empty does anyone look at the thread's own ``state``.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

# One token per active trace, tape, mode or watcher, of any thread.  append and remove are atomic.
ACTIVE: Final[list[object]] = []


class ThreadState(threading.local):
    """The state of one thread.

    Attributes:
      graph: the innermost graph being built; None while running eagerly.
      tapes: the open gradient tapes, innermost last.
      scope: the eager name scope, ``""`` or ending in ``/``.
    """

    def __init__(self) -> None:
        self.graph: Any = None
        self.tapes: list[Any] = []
        self.scope: str = ""
        self.device: str | None = None
        self.autograph: Any = None


state: Final = ThreadState()


class Modes:
    """Process-wide switches (``tf.config.run_functions_eagerly`` and the like)."""

    functions_eagerly: bool = False


@contextmanager
def active(token: object) -> Iterator[None]:
    """Marks something as active for the length of a ``with`` block."""
    ACTIVE.append(token)
    try:
        yield
    finally:
        ACTIVE.remove(token)


@contextmanager
def building(graph: Any) -> Iterator[Any]:
    """Makes ``graph`` (None: eager) the one that operations of this thread are added to."""
    before = state.graph
    token = object()
    ACTIVE.append(token)
    state.graph = graph
    try:
        yield graph
    finally:
        state.graph = before
        ACTIVE.remove(token)
