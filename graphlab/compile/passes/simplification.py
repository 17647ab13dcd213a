"""Algebraic simplification: rules under which every bit of the result stays, signs of zeros included.

``x + 0.0`` is not ``x`` (−0.0 becomes 0.0), ``x * 0`` not 0 (NaN); ``x * 1``, ``x - 0.0`` and ``x + -0.0`` are ``x``.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from graphlab.compile.program import Program
from graphlab.core import dtypes
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

_KINDS: Final = frozenset((
    dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8,
    dtypes.uint16, dtypes.uint32, dtypes.uint64,
))  # fmt: skip


def _number(program: Program, tensor: Any) -> Any:
    """The value of a constant of shape () as a Python number, else None."""
    known = program.root(tensor).op
    if known.type != "Const" or tensor._shape != ():
        return None
    return known.attrs["value"].item()


def _negative_zero(value: Any) -> bool:
    return value == 0 and isinstance(value, float) and math.copysign(1.0, value) < 0


def _neutral(program: Program, op: Operation) -> tuple[Any, str] | None:
    """An operand that changes nothing."""
    kind = op.type
    x, y = op.inputs
    if x.dtype not in _KINDS:
        return None
    whole = x.dtype.is_integer
    right = _number(program, y)
    if right is not None:
        if right == 1 and (kind in ("Mul", "RealDiv") or (kind == "FloorDiv" and whole)):
            return x, "times or divided by 1"
        if right == 0 and kind == "AddV2" and (whole or _negative_zero(right)):
            return x, "plus nothing"
        if right == 0 and kind == "Sub" and (whole or not _negative_zero(right)):
            return x, "minus nothing"
    left = _number(program, x)
    if left is not None:
        if left == 1 and kind == "Mul":
            return y, "times 1"
        if left == 0 and kind == "AddV2" and (whole or _negative_zero(left)):
            return y, "plus nothing"
    return None


_NEUTRAL: Final = frozenset(("AddV2", "Sub", "Mul", "RealDiv", "FloorDiv"))
_UNDOES_ITSELF: Final = frozenset(("Neg", "LogicalNot", "Invert"))
_ONCE: Final = frozenset(("Abs", "Relu", "Floor", "Ceil", "Rint", "Sign"))
_SAME: Final = frozenset(("LogicalAnd", "LogicalOr", "BitwiseAnd", "BitwiseOr"))
_SPREADING: Final = frozenset(("AddV2", "Sub", "Mul", "RealDiv"))


def run(program: Program, graph: FuncGraph) -> None:
    """Applies the rules to one graph."""
    ops = program.ops(graph)
    changed: dict[int, Operation | None] = {}
    for op in ops:
        kind = op.type
        found: tuple[Any, str] | None = None
        if kind in _NEUTRAL:
            found = _neutral(program, op)
            if found is None and kind in _SPREADING:
                spread = _unspread(program, op)
                if spread is not None:
                    changed[id(op)] = spread
                    program.note("simplification", "broadcasts by itself", graph, [op], [spread])
                    continue
        elif kind in _UNDOES_ITSELF:
            before = program.root(op.inputs[0]).op
            if before.type == kind:
                found = before.inputs[0], "undone"
        elif kind in _ONCE:
            before = program.root(op.inputs[0]).op
            if before.type == kind:
                found = before.outputs[0], "once is enough"
        elif kind in _SAME and program.root(op.inputs[0]) is program.root(op.inputs[1]):
            found = op.inputs[0], "both are the same"
        if found is not None:
            tensor = program.root(found[0])
            changed[id(op)] = None
            program.replace(op.outputs[0], tensor)
            program.note("simplification", found[1], graph, [op], [tensor.op])
    if changed:
        result = []
        for op in ops:
            new = changed.get(id(op), op)
            if new is not None:
                result.append(new)
        program.set_ops(graph, result)


def _unspread(program: Program, op: Operation) -> Operation | None:
    """The op without a BroadcastTo in front of one operand, if the other has the shape of the result."""
    for position in (0, 1):
        tensor = program.root(op.inputs[position])
        shape = op.outputs[0]._shape
        if tensor.op.type != "BroadcastTo" or tensor.dtype.np == np.dtype(object):
            continue
        if shape is None or None in shape:
            continue
        source = program.root(tensor.op.inputs[0])
        if program.root(op.inputs[1 - position])._shape == shape and source._shape is not None:
            if None in source._shape or tensor._shape != shape:
                continue
            inputs = list(op.inputs)
            inputs[position] = source
            node: Operation = program.make(op, op.record, inputs, op.attrs, [shape])
            return node
    return None
