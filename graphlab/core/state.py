"""What this thread is doing right now: the graph under construction, the tapes that listen, the modes.

``ACTIVE`` is the one process-wide signal that fast paths test: it is empty exactly when no trace, tape, mode or
watcher is active in any thread, so that an ordinary eager operation pays for a truth test and nothing more.  Only when
it is not empty does anyone look at the thread's own ``state``.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from threading import get_ident
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


class active:  # noqa: N801 - used like the function it stands for
    """Marks this thread as active for the length of a ``with`` block; ``value`` is what entering gives.

    A class, as everything here that changes the state of the thread: a generator that an interrupt left half-way
    would put an old state back when it is collected, long after.
    """

    __slots__ = ("thread", "value")

    def __init__(self, value: Any = None) -> None:
        self.value = value

    def __enter__(self) -> Any:
        self.thread = get_ident()
        try:
            ACTIVE.append(self)
        except BaseException:
            discard(ACTIVE, self)
            raise
        return self.value

    def __exit__(self, *exception: object) -> None:
        if self in ACTIVE:
            ACTIVE.remove(self)


class building:  # noqa: N801 - used like the function it stands for
    """Makes ``graph`` (None: eager) the one that operations of this thread are added to."""

    __slots__ = ("before", "graph", "thread")

    def __init__(self, graph: Any) -> None:
        self.graph = graph

    def __enter__(self) -> Any:
        self.thread = get_ident()
        try:
            ACTIVE.append(self)
        except BaseException:
            discard(ACTIVE, self)
            raise
        self.before = state.graph
        state.graph = self.graph
        return self.graph

    def __exit__(self, *exception: object) -> None:
        if self in ACTIVE:  # unless this is a generator that is collected long after an interrupt
            state.graph = self.before
            ACTIVE.remove(self)


class setting:  # noqa: N801 - used like the function it stands for
    """Gives attributes of this thread's state other values for the length of a ``with`` block."""

    __slots__ = ("before", "values")

    def __init__(self, **values: Any) -> None:
        self.values = values

    def __enter__(self) -> Any:
        now = state.__dict__
        self.before = {name: now[name] for name in self.values}
        try:
            now.update(self.values)
        except BaseException:
            state.__dict__.update(self.before)
            raise
        return None

    def __exit__(self, *exception: object) -> None:
        state.__dict__.update(self.before)


def discard(tokens: list[Any], token: object) -> None:
    """Removes the last entry that is ``token``, if there is one; other threads may change the list meanwhile."""
    with suppress(ValueError):
        tokens.remove(token)


def snapshot() -> tuple[Any, ...]:
    """What this thread is doing, for ``restore``."""
    return dict(state.__dict__), state.tapes, len(state.tapes), tuple(ACTIVE)


def restore(saved: tuple[Any, ...]) -> None:
    """Brings this thread back to what it was doing.

    An interrupt (Ctrl-C, a time limit) may come between the body of a ``with`` block and its end, which then never
    runs.  Nothing changes where every block has ended.
    """
    values, tapes, depth, tokens = saved
    state.__dict__.update(values)
    for tape in tapes[depth:]:
        tape.recording = False
    del tapes[depth:]
    me = get_ident()
    if ACTIVE:
        known = {id(token) for token in tokens}
        for token in tuple(ACTIVE):
            if id(token) not in known and getattr(token, "thread", None) == me:
                discard(ACTIVE, token)
