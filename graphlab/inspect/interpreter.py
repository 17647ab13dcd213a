"""A graph run one operation at a time: what each gave, in which iteration and branch, and where NaN or Inf began.

The compiled function of a graph is fast and tells nothing; this runs the same kernels in the same order and leaves an
event for each operation. Effects (assignments, printing) happen as in a call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from graphlab.core.floats import fp_now, fp_quiet, fp_restore
from graphlab.inspect.graph_model import BRANCHES, CALLS, LOOPS, PASSED, needed
from graphlab.inspect.places import Places

MAX_EVENTS: Final = 5000
"""Operations that are kept one by one; later ones run and are counted."""
MAX_BYTES: Final = 64 << 20
"""Bytes of results that are kept; beyond that, events keep their statistics only."""

_SILENT: Final = frozenset(("Const", "Placeholder", "NoOp", *PASSED))


@dataclass(frozen=True, slots=True)
class Where:
    """A loop's iteration or a branch around an operation: `loop_6` iteration 2, `true_8`."""

    name: str
    line: int | None
    iteration: int | None = None


@dataclass(slots=True)
class Event:
    """One operation that ran.

    Attributes:
        number: Its place in the run, from 0.
        op: The op type, and `name` the node's name.
        line: The user's line.
        around: The loops and branches it ran in, outermost first.
        inputs: What it took, and `outputs` what it gave, as arrays; empty once they were too large to keep.
        error: The message of the error it raised.
    """

    number: int
    op: str
    name: str
    line: int | None
    around: tuple[Where, ...]
    inputs: tuple[Any, ...] = ()
    outputs: tuple[Any, ...] = ()
    error: str | None = None


@dataclass(slots=True)
class Iteration:
    """One iteration of a loop: the values at its end, and the branches that ran in it."""

    loop: str
    line: int | None
    number: int
    around: tuple[Where, ...]
    names: tuple[str, ...]
    values: tuple[Any, ...]
    first: int
    branches: list[Where] = field(default_factory=list)


@dataclass(slots=True)
class Trouble:
    """Where a value that is not finite began: the operation gave it though it took none."""

    kind: str  # nan, inf, error
    event: Event


@dataclass(slots=True)
class Run:
    """Everything a run left.

    Attributes:
        events: The operations, in the order they ran, at most `MAX_EVENTS`.
        count: How many ran.
        iterations: Of all loops, in the order they ended, at most `MAX_EVENTS`.
        troubles: Where NaN and Inf began, and the error that ended the run.
        results: The results as arrays; None after an error.
        lines: How often an operation of each line ran.
        bound: The values of the user's variables: from which event on, the name, the array; in the order of the run.
    """

    events: list[Event] = field(default_factory=list)
    count: int = 0
    iterations: list[Iteration] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    results: list[Any] | None = None
    lines: dict[int, int] = field(default_factory=dict)
    bound: list[tuple[int, str, Any]] = field(default_factory=list)
    error: BaseException | None = None


class _Stopped(Exception):
    """An operation failed; its event is in the run."""


Namer = Callable[[Any, int | None], tuple[tuple[str, bool], ...]]
"""For each value of a loop its name (empty: not shown), and whether its value at the start of an iteration counts."""


class Interpreter:
    """Runs graphs.

    Args:
        filename: The file whose lines are told.
        names: The names of a loop's values, from its operation and line.
        variable: The user's variable that a tensor was assigned to.
    """

    def __init__(
        self,
        filename: str | None,
        names: Namer | None = None,
        variable: Callable[[Any], str | None] | None = None,
    ) -> None:
        self.run = Run()
        self._variable = variable
        self._variables: dict[int, str | None] = {}
        self._places = Places(filename)
        self._names = names
        self._bytes = 0
        self._needed: dict[int, list[Any]] = {}
        self._lines: dict[int, int | None] = {}

    def start(self, graph: Any, arrays: Sequence[Any]) -> Run:
        """Runs a graph on arrays for its parameters."""
        before = fp_now()
        for placeholder, array in zip(graph.inputs, arrays, strict=False):
            self._bind(placeholder.op.name, array)
        try:
            fp_quiet()
            self.run.results = self._graph(graph, arrays, ())
        except _Stopped:
            pass
        finally:
            fp_restore(before)
        return self.run

    def _graph(self, graph: Any, arrays: Sequence[Any], around: tuple[Where, ...]) -> list[Any]:
        values: dict[int, Any] = {}
        for placeholder, array in zip(graph.parameters, arrays, strict=True):
            values[id(placeholder)] = array
        ops = self._needed.get(id(graph))
        if ops is None:
            wanted = needed(graph)
            ops = self._needed[id(graph)] = [op for op in graph.ops if id(op) in wanted]
        for op in ops:
            if op.type == "Placeholder":
                continue
            if op.type == "Const":
                values[id(op.outputs[0])] = np.asarray(op.attrs["value"])
                continue
            found = self._operation(op, [values[id(tensor)] for tensor in op.inputs], around)
            for tensor, array in zip(op.outputs, found, strict=True):
                values[id(tensor)] = array
        return [self._value(values, tensor) for tensor in graph.outputs]

    @staticmethod
    def _value(values: dict[int, Any], tensor: Any) -> Any:
        found = values.get(id(tensor))
        return np.asarray(tensor.op.attrs["value"]) if found is None and tensor.op.type == "Const" else found

    def _operation(self, op: Any, arrays: list[Any], around: tuple[Where, ...]) -> Sequence[Any]:
        if op.type in LOOPS:
            return self._loop(op, arrays, around)
        if op.type in BRANCHES:
            return self._branch(op, arrays, around)
        if op.type in CALLS:
            graph = op.attrs["f"]
            return self._graph(graph, arrays, (*around, Where(graph.name, self._line(op))))
        if op.type in _SILENT and len(op.outputs) == len(arrays):
            return arrays
        try:
            made = op.record.choose(op.attrs)(*_grouped(op, arrays))
        except Exception as error:
            event = self._event(op, arrays, (), around, str(error) or type(error).__name__)
            self.run.troubles.append(Trouble("error", event))
            self.run.error = error
            raise _Stopped from error
        outputs = () if not op.outputs else (made,) if op.record.single else tuple(made)
        event = self._event(op, arrays, outputs, around)
        self._check(event, arrays, outputs)
        for tensor, array in zip(op.outputs, event.outputs, strict=False):
            self._bind(self._name(tensor), array, event.number)
        return outputs

    def _name(self, tensor: Any) -> str | None:
        key = id(tensor)
        if key not in self._variables:
            self._variables[key] = self._variable(tensor) if self._variable is not None else None
        return self._variables[key]

    def _bind(self, name: str | None, array: Any, number: int | None = None) -> None:
        """From an event on (the next one when None), a variable of the user's has a value."""
        if name and name.isidentifier() and len(self.run.events) < MAX_EVENTS:
            self.run.bound.append((self.run.count if number is None else number, name, array))

    def _loop(self, op: Any, arrays: list[Any], around: tuple[Where, ...]) -> list[Any]:
        cond, body = op.attrs["cond"], op.attrs["body"]
        line = self._line(op)
        name = f"loop_{line}" if line else op.name
        names = self._names(op, line) if self._names else tuple((p.op.name, False) for p in body.parameters)
        values = list(arrays)
        number = 0
        while True:
            number += 1
            inside = (*around, Where(name, line, number))
            if not np.all(self._graph(cond, values, inside)[0]):
                return values
            first = self.run.count
            for (label, _), value in zip(names, values, strict=False):
                if self._bytes <= MAX_BYTES:
                    self._bytes += getattr(value, "nbytes", 0)
                    self._bind(label, _kept(value))
            before, values = values, self._graph(body, values, inside)
            if len(self.run.iterations) < MAX_EVENTS:
                taken = [e.around[len(inside)] for e in self.run.events[first:] if len(e.around) > len(inside)]
                branches = list(dict.fromkeys(w for w in taken if w.iteration is None))
                shown = [
                    (label, _kept(old if at_start else new))
                    for (label, at_start), old, new in zip(names, before, values, strict=False)
                    if label
                ]
                labels, kept = tuple(label for label, _ in shown), tuple(value for _, value in shown)
                self.run.iterations.append(Iteration(name, line, number, around, labels, kept, first, branches))

    def _branch(self, op: Any, arrays: list[Any], around: tuple[Where, ...]) -> list[Any]:
        line = self._line(op)
        if "branches" in op.attrs:
            branches = op.attrs["branches"]
            index = int(arrays[0])
            index = index if 0 <= index < len(branches) else len(branches) - 1
            body, name = branches[index], f"case {index}"
        else:
            taken = bool(np.all(arrays[0]))
            body = op.attrs["then_branch" if taken else "else_branch"]
            name = "true" if taken else "else"
        return self._graph(body, arrays[1:], (*around, Where(f"{name}_{line}" if line else name, line)))

    def _line(self, op: Any) -> int | None:
        key = id(op)
        if key not in self._lines:
            place = self._places.of(op.position)
            self._lines[key] = place.line if place is not None else None
        return self._lines[key]

    def _event(
        self,
        op: Any,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        around: tuple[Where, ...],
        error: str | None = None,
    ) -> Event:
        run = self.run
        line = self._line(op)
        event = Event(run.count, op.type, op.name, line, around, error=error)
        run.count += 1
        if line is not None:
            run.lines[line] = run.lines.get(line, 0) + 1
        if len(run.events) < MAX_EVENTS:
            run.events.append(event)
        size = sum(getattr(array, "nbytes", 0) for array in outputs)
        if self._bytes + size <= MAX_BYTES:
            self._bytes += size
            event.inputs, event.outputs = tuple(map(_kept, inputs)), tuple(map(_kept, outputs))
        return event

    def _check(self, event: Event, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Notes the first operation that gives NaN, or Inf, though it takes none."""
        for kind, test in (("nan", np.isnan), ("inf", np.isinf)):
            if any(trouble.kind == kind for trouble in self.run.troubles):
                continue
            if any(holds_any(test, array) for array in outputs) and not any(holds_any(test, array) for array in inputs):
                self.run.troubles.append(Trouble(kind, event))


def _kept(value: Any) -> Any:
    """A result as it is kept: a copy, since a later operation may write into it (a variable's buffer, a list)."""
    return value.copy() if isinstance(value, np.ndarray) and value.dtype != object else value


def holds_any(test: Any, array: Any) -> bool:
    """Whether a test holds for any element of an array of floating-point or complex numbers."""
    dtype = getattr(array, "dtype", None)
    if dtype is None or (getattr(dtype, "kind", "") not in "fc" and getattr(dtype, "name", "") != "bfloat16"):
        return False
    return bool(np.any(test(array)))


def _grouped(op: Any, arrays: list[Any]) -> list[Any]:
    """The arrays as the kernel takes them: those of a list parameter as one list."""
    record = op.record
    if record.simple:
        return arrays
    grouped: list[Any] = []
    position = 0
    for param in record.inputs:
        count = op.attrs[param.count] if param.count else None
        if count is None and isinstance(op.attrs.get(param.type), list | tuple):
            count = len(op.attrs[param.type])
        if count is None:
            grouped.append(arrays[position])
            position += 1
        else:
            grouped.append(arrays[position : position + count])
            position += count
    return grouped
