"""Casts, reshapes, transposes and the like that do nothing, or undo each other."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from graphlab.compile.passes.spreading import broadcast_instead, put_back
from graphlab.compile.program import FORWARD, Program
from graphlab.core import dtypes
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

# A rule gets the program and the op, and returns what stands for its result (or a new op in its place), the name of
# the rule, and the op that goes with it (or None); or None.
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
        target = op.outputs[0].dtype
        if (first.dtype, source.dtype) not in _WIDENING:
            return None
        if first.dtype is target:
            return first, "a cast there and back", before
        if not (first.dtype.is_floating and target.is_integer):  # where what does not fit depends on the way
            attrs = {**op.attrs, "SrcT": first.dtype}
            return program.make(op, op.record, [first], attrs, [op.outputs[0]._shape]), "a cast on the way", before
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


def _broadcast(program: Program, op: Operation) -> Found:
    source, shape = program.root(op.inputs[0]), op.outputs[0]._shape
    if _known(shape) and source._shape == shape:
        return source, "the shape it has", None
    return None


_RESHAPES: Final = frozenset(("Reshape", "ExpandDims", "Squeeze"))


def _reshape(program: Program, op: Operation) -> Found:
    source, shape = program.root(op.inputs[0]), op.outputs[0]._shape
    if not _known(shape):
        made = put_back(program, op) if op.type == "Reshape" else None
        return None if made is None else (made, "spread without sizes", None)
    if source._shape == shape:
        return source, "the shape it has", None
    before = source.op
    if before.type not in _RESHAPES or not _known(source._shape):
        return None
    first = program.root(before.inputs[0])
    if first._shape == shape:
        return first, "reshaped there and back", before
    if op.type == "Reshape" and _known(first._shape) and program.root(op.inputs[1]).op.type == "Const":
        node = program.make(op, op.record, [first, *op.inputs[1:]], op.attrs, [shape])
        return node, "a reshape on the way", before
    return None


def _whole(program: Program, op: Operation) -> Found:
    """A slice of everything, nothing added around, each element once."""
    source, shape = program.root(op.inputs[0]), op.outputs[0]._shape
    if not _known(shape) or source._shape != shape or source.dtype.np is None:
        return None
    if op.type == "StridedSlice":
        strides = program.root(op.inputs[3]).op
        if op.attrs["new_axis_mask"] or op.attrs["shrink_axis_mask"] or strides.type != "Const":
            return None
        # With strides of 1 as many elements as there are can only be all of them, from the first on.
        if (strides.attrs["value"] != 1).any():
            return None
    elif not math.prod(shape) > 0 or program.root(op.inputs[1]).op.type != "Const":  # type: ignore[arg-type]
        return None
    return source, "all of it", None


def _tile(program: Program, op: Operation) -> Found:
    found = _whole(program, op)
    if found is None:
        made = broadcast_instead(program, op)
        found = None if made is None else (made, "spread without sizes", None)
    return found


def _transpose(program: Program, op: Operation) -> Found:
    source, order = program.root(op.inputs[0]), _order(program, op)
    if order is None:
        return None
    if order == [*range(len(order))]:
        return (source, "axes stay where they are", None) if len(order) else None
    before = source.op
    if before.type == "Transpose":
        first, earlier = program.root(before.inputs[0]), _order(program, before)
        if earlier is None:
            return None
        both = [earlier[axis] for axis in order]
        if both == [*range(len(order))]:
            return first, "transposed there and back", before
        known = program.root(op.inputs[1]).op
        order_ = Operation(op.graph, known.record, known.name, [], {**known.attrs}, op.position)
        order_.attrs["value"] = np.array(both, known.attrs["value"].dtype)
        order_.add_output(known.outputs[0].dtype, known.outputs[0]._shape)
        program.kept.append(order_)
        node = program.make(op, op.record, [first, order_.outputs[0]], op.attrs, [op.outputs[0]._shape])
        return node, "a transpose on the way", before
    return None


def _order(program: Program, op: Operation) -> list[int] | None:
    known = program.root(op.inputs[1]).op
    if known.type != "Const":
        return None
    order: list[int] = known.attrs["value"].tolist()
    return order if sorted(order) == [*range(len(order))] else None


def _only(program: Program, op: Operation) -> Found:
    """The sum of one tensor."""
    tensors = [t for t in op.inputs if t.dtype is op.outputs[0].dtype]
    if op.type == "AddN" and len(tensors) == 1:
        return program.root(tensors[0]), "the sum of one tensor", None
    return None


def _unreduced(program: Program, op: Operation) -> Found:
    """A sum over no axes."""
    source, axes = program.root(op.inputs[0]), program.root(op.inputs[1]).op
    if axes.type == "Const" and not axes.attrs["value"].size:
        return source, "the sum of one tensor", None
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
    "BroadcastTo": _broadcast,
    "ExpandDims": _reshape,
    "Squeeze": _reshape,
    "StridedSlice": _whole,
    "Tile": _tile,
    "Pad": _whole,
    "PadV2": _whole,
    "MirrorPad": _whole,
    "Transpose": _transpose,
    "AddN": _only,
    "Sum": _unreduced,
    "EnsureShape": _ensured,
}


def run(program: Program, graph: FuncGraph) -> None:
    """Applies the rules to one graph."""
    changed: dict[int, Operation | None] = {}
    ops = program.ops(graph)
    for op in ops:
        kind = op.type
        if kind in FORWARD:
            changed[id(op)] = None
            continue
        rule = _RULES.get(kind)
        if rule is None or op.outputs[0].dtype.np in (None, _OBJECTS):
            continue
        found = rule(program, op)
        if found is None:
            continue
        stands, name, other = found
        gone = [op] if other is None else [op, other]
        if isinstance(stands, Operation):
            changed[id(op)] = stands
            program.note("redundancy", name, graph, gone, [stands])
        else:
            changed[id(op)] = None
            program.replace(op.outputs[0], stands)
            program.note("redundancy", name, graph, gone, [stands.op])
    if changed:
        kept = (changed.get(id(op), op) for op in ops)
        program.set_ops(graph, [op for op in kept if op is not None])


_OBJECTS: Final = np.dtype(object)
