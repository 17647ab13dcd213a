"""The fast way of a call: one generated function per concrete function that checks the arguments and runs the graph.

It is used while nothing is active anywhere (no trace, tape, watcher): then a call is a test of the arguments' classes,
dtypes, shapes and values, the generated function of the graph, and the wrapping of its results.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from graphlab.compile import executable
from graphlab.core import dtypes, nest
from graphlab.core.tensor import EagerTensor, wrap
from graphlab.graph.func_graph import FuncGraph
from graphlab.tracing.signature import Key
from graphlab.tracing.trace_types import TensorType
from graphlab.tracing.value_types import LiteralType

Guard = Callable[[tuple[Any, ...]], Any]


def never(args: tuple[Any, ...]) -> Any:
    """The guard of a Function that has none yet."""
    return MISS


class _Miss:
    __slots__ = ()

    def __repr__(self) -> str:
        return "MISS"


MISS: Final = _Miss()
"""What a guard returns for a call that it does not take."""


# Between the tests and the run of a guard that counts its calls; the frame is that of whoever called the Function.
_COUNT: Final = """\
    frame = frame_at(2)
    at, code, record, points = counter.last
    if frame.f_lasti == at and frame.f_code is code and log._points is points:
        record.count += 1
    else:
        counter.note(frame)
"""


def make_guard(graph: FuncGraph, key: Key, given: int, counter: Any = None) -> Guard | None:
    """A function of the tuple of positional arguments that runs the graph, or returns MISS.

    Args:
      graph: the traced graph.
      key: the key it was traced for.
      given: how many arguments a call gives by position; the others have their defaults.
      counter: a ``records.Counter`` that counts the calls it takes; None while nobody watches.

    Returns:
      None if calls of this kind must go the long way: structures, objects, variables or arrays among the arguments,
      captures of another graph's tensors.
    """
    captured = graph.external_captures
    if any(not isinstance(tensor, EagerTensor) for tensor in captured):
        return None
    env: dict[str, Any] = {"T": EagerTensor, "MISS": MISS, "wrap": wrap}
    tests: list[str] = []
    arrays: list[str] = []
    for index, type_ in enumerate(key.types):
        if index < given:
            test = _test(f"x{index}", index, type_, env)
            if test is None:
                return None
            tests.append(test)
            if type(type_) is TensorType:
                arrays.append(f"a{index}")
        elif type(type_) is not LiteralType:
            return None
    for index, tensor in enumerate(captured):
        env[f"c{index}"] = tensor._a
        arrays.append(f"c{index}")
    run = executable(graph)
    env["run"] = run.entry
    call = f"run({', '.join(arrays)})"
    # A call with another number of arguments fails to unpack; the handle of a resource has no dtype.
    unpack = (
        f"        {''.join(f'x{i}, ' for i in range(given))}= args\n" if given else "        if args: return MISS\n"
    )
    check = f"        if not ({' and '.join(tests)}): return MISS\n" if tests else ""
    source = (
        f"def guard(args):\n"
        f"    try:\n{unpack}{check}"
        f"    except (AttributeError, ValueError):\n"
        f"        return MISS\n"
        f"{'' if counter is None else _COUNT}"
        f"{_results(graph, call, env)}"
    )
    if counter is not None:
        env |= {"counter": counter, "log": counter._log, "frame_at": sys._getframe}
    exec(compile(source, f"<graphlab call of {graph.name}>", "exec"), env)  # noqa: S102 - the text is ours
    return env["guard"]  # type: ignore[no-any-return]


def _test(name: str, index: int, type_: Any, env: dict[str, Any]) -> str | None:
    if type(type_) is LiteralType:
        value = type_.value
        kind = type(value)
        if value is None or kind is bool:
            return f"{name} is {value!r}"
        if kind in (int, str) or (kind is float and value and not math.isnan(value)):  # zeros have signs
            env[f"v{index}"] = value
            return f"{name}.__class__ is {kind.__name__} and {name} == v{index}"
        return None
    if type(type_) is not TensorType or type_.dtype.np is None:
        return None
    env[f"d{index}"] = type_.dtype.np
    array = f"a{index}"
    test = f"{name}.__class__ is T and ({array} := {name}._a).dtype is d{index}"
    shape = type_.shape
    if shape is None:
        return test
    if None not in shape:
        env[f"s{index}"] = shape
        return f"{test} and {array}.shape == s{index}"
    known = [f"{array}.shape[{axis}] == {size}" for axis, size in enumerate(shape) if size is not None]
    return " and ".join([test, f"len({array}.shape) == {len(shape)}", *known])


def _results(graph: FuncGraph, call: str, env: dict[str, Any]) -> str:
    outputs = graph.outputs
    structured = graph.structured_outputs
    if not outputs and structured is None:
        return f"    {call}\n    return None\n"
    if len(outputs) == 1 and structured is outputs[0]:
        if outputs[0].dtype is dtypes.string or outputs[0].dtype.np is None:
            return f"    return wrap({call})\n"
        return f"    t = T()\n    t._a = {call}\n    return t\n"
    env["pack"] = packer(structured)
    if len(outputs) == 1:
        return f"    return pack([wrap({call})])\n"
    if not outputs:
        return f"    {call}\n    return pack([])\n"
    return f"    return pack([wrap(a) for a in {call}])\n"


def packer(structured: Any) -> Callable[[Sequence[Any]], Any]:
    """A function that puts flat results (without the Nones) into the structure that a function returned."""
    flat = nest.flatten(structured, expand_composites=True)
    if len(flat) == 1 and flat[0] is structured:
        return _nothing if structured is None else _only
    present = [leaf is not None for leaf in flat]
    if all(present):
        if type(structured) is tuple and len(flat) == len(structured) and all(map(operator.is_, flat, structured)):
            return tuple  # every member is a tensor
        return lambda results: nest.pack_sequence_as(structured, list(results), expand_composites=True)

    def pack(results: Sequence[Any]) -> Any:
        supply = iter(results)
        leaves = [next(supply) if there else None for there in present]
        return nest.pack_sequence_as(structured, leaves, expand_composites=True)

    return pack


def _only(results: Sequence[Any]) -> Any:
    return results[0]


def _nothing(results: Sequence[Any]) -> None:
    return None
