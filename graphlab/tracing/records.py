"""What is remembered of traces and calls: plain values only, so views can read them at any time and pickle them.

A Function keeps a ``TraceRecord`` for each of its traces.  Calls leave ``CallRecord``s only while somebody watches:
then Functions lose their guards, and the slow path notes the calls; a guard that is installed while watching counts
those that come from a place it knows.  Nothing here holds a tensor, a frame or an object of the user's, except for the
graph of the last trace that was stopped while somebody watched, until the calls are cleared.
"""

from __future__ import annotations

import itertools
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any, Final

from graphlab.autograph.effects import BLOCK
from graphlab.core.position import Place, is_internal, place
from graphlab.core.state import state
from graphlab.tracing.readers import Helper
from graphlab.tracing.reasons import Key, Reason, rejects

MAX_TRACES: Final = 1000
"""Traces of which a Function keeps the record; older ones than the last so many are dropped, the first one excepted."""
MAX_PLACES: Final = 500
"""Effects and functions of which a trace keeps how often they ran."""
MAX_CALLS: Final = 200
"""Calls that a Function keeps one by one while it is watched; later ones are only counted."""

NOWHERE: Final = Place("<unknown>", 0, 0, None, None, "")


@dataclass(slots=True, weakref_slot=True)
class TraceRecord:
    """One trace of one Function.

    Attributes:
      function: the Function's name.
      number: 1 for the Function's first trace (shown as T1).
      key: the arguments' trace types, as plain data.
      closest: the number of the earlier trace it is compared with; None for a first trace.
      reasons: the causes, the one to tell first; never empty.
      site: where the user's code made the call.
      made_at: where the Function's Python code is defined.
      ordinal: how many Functions that same code had made by then, this one included.
      started: ``time.time()`` at its start, and ``duration`` in seconds (both vary from run to run).
      jit_compile: True if XLA was asked for; without it the graph runs on NumPy like any other.
      reduced: True if ``reduce_retracing`` made it more general than the call.
      error: ``(exception class name, message, line)`` if tracing stopped, else None.
      error_file: the file of that line, which may be a helper's.
      stopped: file and line of each of the user's calls that the error left, the outermost first.
      ran: how often each Python effect ran, and each function began: ``(file, line, column, name, times)``, where the
        name is that of the function, empty for an effect.
      blocks: how often each statement ran that leads others: ``(file, line, column, times)``.
      outside: what it read from outside: names, kinds and values in a few characters (``graphlab.tracing.outside``).
      helpers: the user's other functions that ran, and what each of them read from outside.
      readers: weak references to these functions, in the same order.
      concrete: a weak reference to the ConcreteFunction, which has the graph; gives None once that is gone.
      python: a weak reference to the Python function that was traced.
    """

    function: str
    number: int
    key: Key
    closest: int | None
    reasons: tuple[Reason, ...]
    site: Place
    made_at: Place
    ordinal: int = 1
    started: float = 0.0
    duration: float = 0.0
    reduced: bool = False
    jit_compile: bool = False
    error: tuple[str, str, int | None] | None = None
    error_file: str | None = None
    stopped: tuple[tuple[str, int], ...] = ()
    ran: tuple[tuple[str, int, int, str, int], ...] = ()
    blocks: tuple[tuple[str, int, int, int], ...] = ()
    outside: tuple[tuple[str, str, str], ...] = ()
    helpers: tuple[Helper, ...] = ()
    readers: tuple[Callable[[], Any], ...] = field(default=(), repr=False, compare=False)
    concrete: Callable[[], Any] = field(default=lambda: None, repr=False, compare=False)
    python: Callable[[], Any] = field(default=lambda: None, repr=False, compare=False)

    @property
    def reason(self) -> Reason:
        """The cause to tell first."""
        return self.reasons[0]

    @property
    def graph(self) -> Any:
        """The FuncGraph, or None once the concrete function is gone."""
        concrete = self.concrete()
        return None if concrete is None else concrete.graph

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the weak references: what is left is plain data.
        names = [name for name in self.__slots__ if name not in ("readers", "concrete", "python", "__weakref__")]
        return _restore_trace, (tuple((name, getattr(self, name)) for name in names),)


def note_counts(record: TraceRecord, ran: Mapping[tuple[str, int, int, str], int]) -> None:
    """Keeps in a record what was counted while tracing, in the order of what ran first."""
    found = [(*place, times) for place, times in ran.items()]
    record.ran = tuple(itertools.islice((item for item in found if item[3] != BLOCK), MAX_PLACES))
    blocks = ((filename, line, column, times) for filename, line, column, name, times in found if name == BLOCK)
    record.blocks = tuple(itertools.islice(blocks, MAX_PLACES))


def _restore_trace(values: tuple[tuple[str, Any], ...]) -> TraceRecord:
    return TraceRecord(**dict(values))


@dataclass(slots=True)
class CallRecord:
    """One call of a Function, made while it was watched.

    Attributes:
      function: the Function's name.
      order: the place of the call among all calls of all Functions since the process began to watch.
      trace: the number of the trace that ran; None if tracing failed or the body ran eagerly.
      traced: True if this call made that trace.
      key: the arguments' trace types, as plain data.
      site: where the user's code made the call.
      count: how many calls from this place with this trace it stands for (after the first ``MAX_CALLS``, they are
        only counted).
      fastest: seconds that the graph took to run in the fastest of them that was timed; None: none was. The call that
        traced is not timed, for its run includes the graph's compilation; nor are those that go the fast way.
    """

    function: str
    order: int
    trace: int | None
    traced: bool
    key: Key
    site: Place
    count: int = 1
    fastest: float | None = None

    def run(self, concrete: Any, tensors: Any) -> Any:
        """Runs a concrete function for this call, and times it."""
        start = time.perf_counter()
        result = concrete.run(tensors)
        took = time.perf_counter() - start
        if not self.traced and state.graph is None and (self.fastest is None or took < self.fastest):
            self.fastest = took
        return result

    def rejects(self, traces: list[TraceRecord]) -> dict[int, Reason]:
        """For each of ``traces`` that does not take this call, by number, the first cause."""
        found = {}
        for record in traces:
            if record.number != self.trace and (reasons := rejects(self.key, record.key)):
                found[record.number] = reasons[0]
        return found


class Log:
    """The records of one Function.

    Attributes:
      traces: of the traces that were kept.
      failures: of the last traces that an error stopped.
      partial: the graph of the last of ``failures`` as far as it was built, if somebody watched; else None.
      calls: of the calls made while somebody watched, since ``clear_calls``.
    """

    __slots__ = ("__weakref__", "_lock", "_points", "calls", "failures", "partial", "traces")

    def __init__(self) -> None:
        self.traces: list[TraceRecord] = []
        self.failures: deque[TraceRecord] = deque(maxlen=20)
        self.partial: Any = None
        self.calls: list[CallRecord] = []
        # (trace, code, instruction) → the last record of calls from there
        self._points: dict[tuple[int | None, CodeType | None, int], CallRecord] = {}
        self._lock = threading.Lock()

    def add_trace(self, record: TraceRecord) -> None:
        """Appends a trace, forgetting the oldest (but the first) beyond ``MAX_TRACES``."""
        with self._lock:
            self.traces.append(record)
            if len(self.traces) > MAX_TRACES:
                del self.traces[1]

    def add_failure(self, record: TraceRecord, graph: Any) -> None:
        """Appends a trace that an error stopped; its graph, held by nothing else, is kept while somebody watches."""
        with self._lock:
            self.failures.append(record)
            self.partial = graph if _watchers else None

    def add_call(
        self, name: str, trace: int | None, traced: bool, key: Key, found: tuple[CodeType | None, int]
    ) -> CallRecord:
        """Notes a call made at ``found``; returns its record, or the one that counts it."""
        point = (trace, *found)
        with self._lock:
            if len(self.calls) >= MAX_CALLS and not traced:
                known = self._points.get(point)
                if known is None and len(self.calls) >= 2 * MAX_CALLS:
                    known = self.calls[-1]  # every call comes from another place: keep their number only
                if known is not None:
                    known.count += 1
                    return known
            record = CallRecord(name, next(_ORDER), trace, traced, key, resolve(found))
            self.calls.append(record)
            self._points[point] = record
            return record

    def counter(self, function: Any, trace: int, key: Key) -> Counter:
        """What a guard counts the calls with that it takes, for one trace."""
        return Counter(self, function, trace, key)

    def clear_calls(self) -> None:
        """Forgets the calls (a new cell begins) and the graph of a stopped trace; the traces stay."""
        with self._lock:
            self.partial = None
            self.calls = []
            self._points = {}


class Counter:
    """Counts calls that go the fast way; a call from a place that is new leaves a record.

    In a loop the place of a call is that of the last, and looking it up would take longer than a small call: guards
    compare with ``last`` themselves. It is one tuple, so that threads do not mix the parts of two.

    Attributes:
      last: the last call's instruction, code and record, and the log's points, which change when it is cleared.
    """

    __slots__ = ("_function", "_key", "_log", "_trace", "last")

    def __init__(self, log: Log, function: Any, trace: int, key: Key) -> None:
        self._log, self._function, self._trace, self._key = log, weakref.ref(function), trace, key
        self.last: tuple[int, CodeType | None, CallRecord | None, Any] = (-1, None, None, None)

    def note(self, frame: FrameType) -> None:
        """Counts a call from a place that is not the last one's."""
        log, function = self._log, self._function()
        record = log._points.get((self._trace, frame.f_code, frame.f_lasti))
        if record is not None:
            record.count += 1
            self.last = frame.f_lasti, frame.f_code, record, log._points
        elif _watchers and function is not None:
            publish(function, log.add_call(function.name, self._trace, False, self._key, caller()))


_ORDER: Final = itertools.count(1)


def caller() -> tuple[CodeType | None, int]:
    """The code and instruction of the innermost frame of the user's that led here; ``(None, 0)`` if there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not is_internal(code.co_filename):
            return code, frame.f_lasti
        frame = frame.f_back
    return None, 0


def resolve(found: tuple[CodeType | None, int]) -> Place:
    """The place in the source of what ``caller`` found."""
    code, instruction = found
    return NOWHERE if code is None else _place(code, instruction, code.co_filename)


@lru_cache(maxsize=512)
def _place(code: CodeType, instruction: int, filename: str) -> Place:
    # Code objects of two files (two cells with the same text) are equal, so the name must be part of the key.
    del filename
    return place(code, instruction)


_made: Final[dict[int, tuple[weakref.ref[CodeType], int]]] = {}


def count_made(code: CodeType | None) -> int:
    """Notes that a Function was made from a code object; returns how many have been, this one included."""
    if code is None:
        return 1
    number = id(code)
    known = _made.get(number)
    count = known[1] + 1 if known is not None and known[0]() is code else 1
    reference = known[0] if known is not None and count > 1 else weakref.ref(code, lambda _: _made.pop(number, None))
    _made[number] = (reference, count)
    return count


# ------------------------------------------------------------------------------------------------------------ watching

Watcher = Callable[[Any, CallRecord], None]
"""Called after each call of a Function: ``watcher(function, call_record)``."""

_watchers: Final[list[Watcher]] = []
_functions: Final[weakref.WeakSet[Any]] = weakref.WeakSet()
_functions_lock: Final = threading.Lock()


def register(function: Any) -> None:
    """Adds a Function to those that ``living`` lists."""
    with _functions_lock:
        _functions.add(function)


def living() -> list[Any]:
    """All Functions that are alive, in no particular order."""
    with _functions_lock:
        return list(_functions)


def watching() -> bool:
    """True while at least one watcher is registered: calls leave records."""
    return bool(_watchers)


@contextmanager
def watch(watcher: Watcher | None = None) -> Iterator[list[tuple[Any, CallRecord]]]:
    """Makes every call of every Function leave a ``CallRecord`` for the length of a ``with`` block.

    Args:
      watcher: called as ``watcher(function, record)`` after each call, in the thread that made it.  What it raises is
        raised by the call.

    Yields:
      The ``(function, record)`` pairs so far; at most ``MAX_CALLS`` per Function are kept singly, the rest counted.

    >>> import graphlab as tf
    >>> from graphlab.tracing import records
    >>> double = tf.function(lambda x: x * 2)
    >>> with records.watch() as calls:
    ...     a, b = double(tf.constant(1)), double(tf.constant(2))
    >>> [(function.name, call.trace, call.traced) for function, call in calls]
    [('<lambda>', 1, True), ('<lambda>', 1, False)]
    """
    seen: list[tuple[Any, CallRecord]] = []
    known: set[int] = set()

    def note(function: Any, record: CallRecord) -> None:
        if id(record) not in known:
            known.add(id(record))
            seen.append((function, record))
        if watcher is not None:
            watcher(function, record)

    _watchers.append(note)
    _change_guards()
    try:
        yield seen
    finally:
        _watchers.remove(note)
        _change_guards()


def _change_guards() -> None:
    for function in living():
        function.change_guard()


def publish(function: Any, record: CallRecord) -> None:
    """Tells the watchers of a call."""
    for watcher in tuple(_watchers):
        watcher(function, record)
