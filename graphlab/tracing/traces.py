"""The traces of one Function: which there are, and how another is made, by one thread for all."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from graphlab.core import nest
from graphlab.core.errors import Positioned
from graphlab.core.position import Place, is_internal, is_library
from graphlab.core.tensor import Tensor
from graphlab.graph.func_graph import FuncGraph
from graphlab.tracing import outside, readers, records, recursion, tracer
from graphlab.tracing.cache import Cache
from graphlab.tracing.concrete import ConcreteFunction
from graphlab.tracing.locks import Claim
from graphlab.tracing.reasons import Key as PlainKey
from graphlab.tracing.reasons import Reason, closest, differences, generalisations
from graphlab.tracing.records import Log, TraceRecord
from graphlab.tracing.retracing import Frequency
from graphlab.tracing.signature import Bound, Key

_FIRST: Final = object()

_MAX_DEPTH: Final = 64
"""Traces of one Function inside each other, for the same key, that end recursion with an error."""


class Traces:
    """The concrete functions of one Function, their records, and the making of new ones.

    Args:
      name: the Function's name.
      python: a weak reference to the method that gives what is called while tracing.
      options: the arguments that ``tf.function`` was given.
      made_at: where the Python function is defined.
      ordinal: how many Functions its code had made by then.
      reference: a weak reference to the Python function.
    """

    def __init__(
        self,
        name: str,
        python: weakref.WeakMethod[Callable[[], Callable[..., Any]]],
        options: Mapping[str, Any],
        made_at: Place,
        ordinal: int,
        reference: Callable[[], Any],
    ) -> None:
        self.name, self._python = name, python
        self._reduce_retracing = bool(options["reduce_retracing"])
        self._jit_compile = bool(options["jit_compile"])
        self._attributes = dict(options["experimental_attributes"] or {})
        self.made_at, self.ordinal, self._reference = made_at, ordinal, reference
        self.cache = Cache()
        self.log = Log()
        self.frequency = Frequency()
        # While the first call, which may make variables, is under way, all others wait: its claim is that of _FIRST.
        self._claims: dict[Any, Claim] = {}
        self._lock = threading.Lock()
        self._initialised = False
        self._creation: ConcreteFunction | None = None
        self._number = 1
        self._pending: dict[int, PlainKey] = {}

    def _traced(self) -> Callable[..., Any]:
        python = self._python()
        assert python is not None, "its Function is what called"
        return python()

    def _function(self) -> Any:
        """The user's Python function, with its `self`."""
        owner: Any = getattr(self._python(), "__self__", None)
        return None if owner is None else owner.python_function

    def __len__(self) -> int:
        return len(self.cache) + (self._creation is not None)

    def obtain(self, key: Key, bound: Bound, requested: bool) -> ConcreteFunction:
        """The concrete function for a key that was not in the cache: traced here, or by another thread meanwhile."""
        general = key
        used: list[Key] = []
        if self._reduce_retracing and len(self.cache):
            general, used = self.cache.generalise(key)
            if general == key:
                used = []
        while True:
            slot = general if self._initialised else _FIRST
            with self._lock:
                found = self.cache.find(key)
                if found is not None:
                    return found  # type: ignore[no-any-return]
                claim = self._claims.get(slot)
                mine = claim is None
                if claim is None:
                    claim = self._claims[slot] = Claim()
            if mine:
                try:
                    if slot is _FIRST:
                        return self._first_trace(key, bound, requested)
                    return self._trace(general, bound, requested, used, key)
                finally:
                    with self._lock:
                        del self._claims[slot]
                    claim.release()
            if claim.mine:  # the function calls itself
                self._check_recursion(general)
                keep = not any(frame.owner is self and frame.key == general for frame in tracer.frames())
                return self._trace(general, bound, requested, used, key, keep=keep)
            if not claim.wait():  # waiting would never end: of several copies, the first to be finished is kept
                return self._trace(general, bound, requested, used, key)

    def _first_trace(self, key: Key, bound: Bound, requested: bool) -> ConcreteFunction:
        """The first trace may make variables; if it does, a second one, which may not, is made at once and kept."""
        if self._creation is None:
            concrete = self._trace(key, bound, requested, [], key, may_create=True)
            if not concrete.graph.variables_created:
                self._initialised = True
                return concrete
            self._creation = concrete
        why = [Reason("retrace.variables_created", {"count": len(self._creation.graph.variables_created)})]
        concrete = self._trace(key, bound, requested, [], key, why=why)
        self._initialised = True
        return concrete

    def _check_recursion(self, key: Key) -> None:
        """Called when this thread is tracing this very key already: the function calls itself.

        RecursionError under a tensor condition, where tracing could not end, and when it is too deep.
        """
        depth = 0
        for frame in tracer.frames():
            if frame.owner is self and frame.key == key:
                depth += 1
                if tracer.under_condition(frame):
                    raise RecursionError(
                        f"{self.name!r} calls itself, with arguments of the same types, under a condition that is a "
                        f"tensor: both branches are traced, so tracing would never end. Use tf.while_loop or a Python "
                        f"`while`, or let a Python number decide."
                    )
        if depth >= _MAX_DEPTH:
            raise RecursionError(
                f"{self.name!r} calls itself with arguments of the same types, {depth} times: tracing would not end."
            )

    def _trace(
        self,
        key: Key,
        bound: Bound,
        requested: bool,
        used: Sequence[Key],
        called: Key,
        may_create: bool = False,
        why: Sequence[Reason] = (),
        keep: bool = True,
    ) -> ConcreteFunction:
        """Traces for ``key``, keeps the result and its record.

        Args:
          key: what to trace for.
          bound: the call.
          requested: it was asked for by ``get_concrete_function``.
          used: keys from which ``reduce_retracing`` made ``key`` out of ``called``.
          called: the key of the call.
          may_create: variables may be made; the result is not kept in the cache if they are.
          why: reasons that come before the differences of keys.
          keep: False for a copy inside the trace of the same key, which is kept in its place when it is finished.
        """
        plain = key.describe(bound.defaulted)
        with self._lock:
            number, self._number = self._number, self._number + 1
            earlier = {r.number: r.key for r in self.log.traces} | self._pending
            self._pending[number] = plain
        record = None
        ran: dict[tuple[str, int, int, str], int] = {}
        others: dict[int, Any] = {}
        graph = FuncGraph(self.name)
        start = time.perf_counter()
        try:
            record = self._record(number, plain, earlier, requested, used, called, bound, why)
            start = time.perf_counter()
            created = tracer.trace(self, graph, self._traced(), key, bound, may_create, ran, others)
        except BaseException as error:
            with self._lock:
                del self._pending[number]
                if self._number == number + 1:
                    self._number = number
            if graph.outer is not None:
                graph.called_with = [value for value in nest.flatten(bound.values) if isinstance(value, Tensor)]
            better = recursion.explained(error)
            if record is not None:
                record.duration = time.perf_counter() - start
                records.note_counts(record, ran)
                record.helpers, record.readers = readers.helpers(self._function(), others.values())
                kind, text, line, record.error_file = _described(error)
                record.stopped = _left(error)
                record.error = kind, text if better is None else str(better), line
                self.log.add_failure(record, graph)
            if better is not None:
                raise better from None
            raise
        graph.attrs.update(self._attributes)
        concrete = ConcreteFunction(graph, key, self.name)
        concrete.number = number
        record.duration = time.perf_counter() - start
        record.concrete = weakref.ref(concrete)
        record.outside = outside.snapshot(self._function())
        record.helpers, record.readers = readers.helpers(self._function(), others.values())
        records.note_counts(record, ran)
        with self._lock:
            del self._pending[number]
            kept = self.cache.add(key, concrete) if keep and not (may_create and created) else concrete
            if (kept is not concrete or not keep) and self._number == number + 1:
                self._number = number
        if kept is not concrete or not keep:
            return kept
        self.log.add_trace(record)
        if not why:
            self.frequency.traced(self, record)
        return concrete

    def _record(
        self,
        number: int,
        plain: PlainKey,
        earlier: dict[int, PlainKey],
        requested: bool,
        used: Sequence[Key],
        called: Key,
        bound: Bound,
        why: Sequence[Reason],
    ) -> TraceRecord:
        """The record of a trace that begins now: what it is compared with, and why it is made."""
        numbers, keys = list(earlier), list(earlier.values())
        call = called.describe(bound.defaulted)
        index = closest(call, keys)
        reasons = list(why)
        if used:
            reasons += generalisations(plain, [*[k.describe() for k in used], call])
        if index is None:
            reasons = reasons or [Reason("retrace.first")]
        else:
            if requested:
                reasons.append(Reason("retrace.requested"))
            reasons += differences(call, keys[index])
        return TraceRecord(
            function=self.name,
            number=number,
            key=plain,
            closest=None if index is None else numbers[index],
            reasons=tuple(reasons or [Reason("retrace.same")]),
            site=records.resolve(records.caller()),
            made_at=self.made_at,
            ordinal=self.ordinal,
            started=time.time(),
            reduced=bool(used),
            jit_compile=self._jit_compile,
            python=self._reference,
        )

    def explain(self, key: Key, bound: Bound) -> tuple[int | None, PlainKey, tuple[Reason, ...]]:
        """What a call would do: see ``Function.explain``."""
        plain = key.describe(bound.defaulted)
        found = self.cache.find(key)
        if found is not None:
            return found.number, plain, ()
        keys = [record.key for record in self.log.traces]
        index = closest(plain, keys)
        if index is None:
            return None, plain, (Reason("retrace.first"),)
        reasons: list[Reason] = []
        if self._reduce_retracing:
            general, used = self.cache.generalise(key)
            if general != key:
                reasons += generalisations(general.describe(), [*[k.describe() for k in used], plain])
        return None, plain, tuple([*reasons, *differences(plain, keys[index])] or [Reason("retrace.same")])


def _described(error: BaseException) -> tuple[str, str, int | None, str | None]:
    """Class, message and the user's innermost line and its file of an error that stopped a trace."""
    line = filename = None
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        # A library's line is told only where no line of the user's is known.
        if not is_internal(file) and (filename is None or not is_library(file)):
            line, filename = trace.tb_lineno, file
        trace = trace.tb_next
    text = str(error.args[0]) if isinstance(error, Positioned) and error.args else str(error)
    return type(error).__name__, bounded_text(text), line, filename


def _left(error: BaseException) -> tuple[tuple[str, int], ...]:
    """File and line of each of the user's calls that an error left, the outermost first."""
    found: list[tuple[str, int]] = []
    trace = error.__traceback__
    while trace is not None and len(found) < records.MAX_PLACES:
        file = trace.tb_frame.f_code.co_filename
        if not is_internal(file):
            found.append((file, trace.tb_lineno))
        trace = trace.tb_next
    return tuple(found)


def bounded_text(text: str, limit: int = 500) -> str:
    """A message, cut where it is long."""
    return text if len(text) <= limit else text[:limit] + "…"
