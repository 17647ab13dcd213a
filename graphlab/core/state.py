"""What this thread is doing right now: the graph under construction, the tapes that listen, the modes.

``ACTIVE`` is the one process-wide signal that fast paths test: it is empty exactly when no trace, tape, mode or
watcher is active in any thread, so that an ordinary eager operation pays for a truth test and nothing more.  Only when
it is not empty does anyone look at the thread's own ``state``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import get_ident
from typing import Any, Final, TypeVar

# One token per active trace, tape, mode or watcher, of any thread.  append and remove are atomic.
ACTIVE: Final[list[object]] = []


class ThreadState(threading.local):
    """The state of one thread.

    Attributes:
      graph: the innermost graph being built; None while running eagerly.
      tapes: the open gradient tapes, innermost last.
      scope: the eager name scope, ``""`` or ending in ``/``.
      lifted: ``tf.init_scope`` leads out of a function that is being traced.
      ran: what converted code counts its Python effects in; None: nobody asks, as while nothing is traced.
      called: the functions that converted code called meanwhile, by the id of their code; None likewise.
    """

    def __init__(self) -> None:
        self.graph: Any = None
        self.tapes: list[Any] = []
        self.scope: str = ""
        self.device: str | None = None
        self.lifted: bool = False
        self.autograph: Any = None
        self.ran: dict[tuple[str, int, int, str], int] | None = None
        self.called: dict[int, Any] | None = None


state: Final = ThreadState()


_Function = TypeVar("_Function", bound=Callable[..., Any])


def guarded(function: _Function) -> _Function:
    """Lets the ``try`` that a function begins with protect its very first instruction too.

    Python looks for Ctrl-C when a function begins, before any ``try`` in it: an ``__exit__`` interrupted there would
    end nothing.  The table that says which instructions a handler covers is data of the code object, so the first
    range is made to begin at zero.
    """
    code = function.__code__
    entries = list(_ranges(code.co_exceptiontable))
    if not entries or entries[0][3] >> 1:  # something lies on the stack: a Python that lays code out in another way
        return function
    start, length, target, depth = entries[0]
    entries[0] = 0, start + length, target, depth
    table = b"".join(_varint(value, not index) for entry in entries for index, value in enumerate(entry))
    function.__code__ = code.replace(co_exceptiontable=table)
    return function


def _ranges(table: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Start, length, handler (in instructions) and depth of each range: numbers of six bits a byte, highest first."""
    numbers, value = [], 0
    for byte in table:
        value = value << 6 | byte & 63
        if not byte & 64:
            numbers.append(value)
            value = 0
    for index in range(0, len(numbers), 4):
        yield numbers[index], numbers[index + 1], numbers[index + 2], numbers[index + 3]


def _varint(value: int, first: bool) -> bytes:
    digits = [value & 63]
    while value := value >> 6:
        digits.append(value & 63 | 64)
    digits[-1] |= 128 if first else 0
    return bytes(reversed(digits))


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

    @guarded
    def __exit__(self, *exception: object) -> None:
        try:
            tokens = ACTIVE
        finally:
            tokens = ACTIVE
            if self in tokens:
                tokens.remove(self)


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

    @guarded
    def __exit__(self, *exception: object) -> None:
        try:
            before = self.before
        finally:
            before = self.before
            if self in ACTIVE:  # unless this is a generator that is collected long after an interrupt
                state.graph = before
                ACTIVE.remove(self)
                if before is not None and self.graph is not None and exception and exception[0] is not None:
                    before.stopped_inside = self.graph, len(before.ops)


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

    @guarded
    def __exit__(self, *exception: object) -> None:
        try:
            before = self.before
        finally:
            before = self.before
            state.__dict__.update(before)


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
