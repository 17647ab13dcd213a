"""Casts, reshapes, transposes and the like that do nothing, or undo each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from graphlab.compile.program import FORWARD, Program
from graphlab.core import dtypes
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

# A rule gets the program and the op, and returns what stands for its result, the name of the rule, and the op that
# goes with it (or None); or None.
Found = tuple[Any, str, Operation | None] | None
Rule = Callable[[Program, Operation], Found]


def _known(shape: Any) -> bool:
    return shape is not None and None not in shape


def _cast(program: Program, op: Operation) -> Found:
    source = program.root(op.inputs[0])
    if source.dtype is op.outputs[0].dtype:
        return source, "a cast to the dtype it has", None
    before = source.op
    if before.type == "Cast":
        first = program.root(before.inputs[0])
        if first.dtype is op.outputs[0].dtype and (first.dtype, source.dtype) in _WIDENING:
            return first, "a cast there and back", before
    return None


_WIDENING: Final = frozenset(
    (a, b)
    for a, wider in (
        (dtypes.bool, (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)),
        (dtypes.int8, (dtypes.int16, dtypes.int32, dtypes.int64)),
        (dtypes.int16, (dtypes.int32, dtypes.int64)),
        (dtypes.int32, (dtypes.int64, dtypes.float64)),
        (dtypes.float32, (dtypes.float64,)),
    )
    for b in wider
)
"""Casts that lose nothing."""


def _reshape(program: Program, op: Operation) -> Found:
    source, shape = program.root(op.inputs[0]), op.outputs[0]._shape
    if _known(shape) and source._shape == shape:
        return source, "the shape it has", None
    return None


def _transpose(program: Program, op: Operation) -> Found:
    source, order = program.root(op.inputs[0]), _order(program, op)
    if order is None:
        return None
    if order == [*range(len(order))]:
        return (source, "axes stay where they are", None) if len(order) else None
    before = source.op
    if before.type == "Transpose":
        first, earlier = program.root(before.inputs[0]), _order(program, before)
        if earlier is not None and [earlier[axis] for axis in order] == [*range(len(order))]:
            return first, "transposed there and back", before
    return None


def _order(program: Program, op: Operation) -> list[int] | None:
    known = program.root(op.inputs[1]).op
    if known.type != "Const":
        return None
    order: list[int] = known.attrs["value"].tolist()
    return order if sorted(order) == [*range(len(order))] else None


def _only(program: Program, op: Operation) -> Found:
    """The sum or concatenation of one tensor."""
    tensors = [t for t in op.inputs if t.dtype is op.outputs[0].dtype]
    if op.type == "AddN" and len(tensors) == 1:
        return program.root(tensors[0]), "the sum of one tensor", None
    return None


def _ensured(program: Program, op: Operation) -> Found:
    source, shape = program.root(op.inputs[0]), op.attrs.get("shape")
    raw = getattr(shape, "_dims", shape)
    if _known(source._shape) and isinstance(raw, tuple) and raw == source._shape and source.op.type == "Const":
        return source, "the shape it has", None
    return None


_RULES: Final[dict[str, Rule]] = {
    "Cast": _cast,
    "Reshape": _reshape,
    "BroadcastTo": _reshape,
    "Squeeze": _reshape,
    "Transpose": _transpose,
    "AddN": _only,
    "EnsureShape": _ensured,
}


def run(program: Program, graph: FuncGraph) -> None:
    """Applies the rules to one graph."""
    gone: set[int] = set()
    ops = program.ops(graph)
    for op in ops:
        kind = op.type
        if kind in FORWARD:
            gone.add(id(op))
            continue
        rule = _RULES.get(kind)
        if rule is None:
            continue
        found = rule(program, op)
        if found is None:
            continue
        tensor, name, other = found
        if tensor.dtype.np is None or tensor.dtype.np == np.dtype(object):
            continue
        gone.add(id(op))
        program.replace(op.outputs[0], tensor)
        program.note("redundancy", name, graph, [op] if other is None else [op, other], [tensor.op])
    if gone:
        program.set_ops(graph, [op for op in ops if id(op) not in gone])
