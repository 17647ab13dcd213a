"""Locks that graphs take and release: what the handle of a ``tf.CriticalSection`` refers to."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, Final, Self

from graphlab.core import dtypes
from graphlab.core.errors import FailedPreconditionError


class Mutex:
    """A lock that one thread at a time can take.

    Args:
      name: what messages call it.
    """

    __slots__ = ("__weakref__", "_lock", "_owner", "name")

    dtype_of_handle: Final = dtypes.resource
    shape: Final = ()

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._owner: int | None = None

    def take(self) -> Held:
        """Waits for the lock and takes it.

        Raises:
          FailedPreconditionError: if this thread has it, and would wait forever.
        """
        if self._owner == threading.get_ident():
            raise FailedPreconditionError(
                None, None, f"This thread is in the CriticalSection {self.name} already, and would wait for itself."
            )
        self._lock.acquire()
        self._owner = threading.get_ident()
        return Held(self)

    def give(self) -> None:
        """Lets others take it."""
        self._owner = None
        self._lock.release()


class Held:
    """A lock that was taken: ``release`` gives it back, once."""

    __slots__ = ("_mutex",)

    dtype_of_handle: Final = dtypes.variant
    shape: Final = ()

    def __init__(self, mutex: Mutex) -> None:
        self._mutex: Mutex | None = mutex

    def release(self) -> None:
        """Gives the lock back; nothing if it was."""
        mutex, self._mutex = self._mutex, None
        if mutex is not None:
            mutex.give()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.release()


def release_all(values: Iterable[Any]) -> None:
    """Gives back the locks among the values of a graph that has failed."""
    for value in values:
        if isinstance(value, Held):
            value.release()
