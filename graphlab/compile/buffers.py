"""Writing a result into the array of a value that nobody needs any more.

A large result costs as much to allocate as to compute.  An op may write into the array of an input if that array was
made in the same block by an op that always makes a new one, is used here for the last time, has the shape and dtype of
the result, and nobody else can see it: no other op that may keep it or return a view of it ever took it.  So arrays
of arguments, variables, captures, constants, lists and results are never written into.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes
from graphlab.graph.operation import Operation

SMALLEST: Final = 512
"""Results of fewer elements are not worth it."""

_DTYPES: Final = frozenset((dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64))

_UNARY: Final = {
    "Neg": np.negative, "Exp": np.exp, "Log": np.log, "Tanh": np.tanh, "Sqrt": np.sqrt, "Square": np.square,
    "Sin": np.sin, "Cos": np.cos, "Floor": np.floor, "Ceil": np.ceil, "Abs": np.abs,
}  # fmt: skip
_BINARY: Final = {
    "AddV2": (np.add, "+"), "Sub": (np.subtract, "-"), "Mul": (np.multiply, "*"), "RealDiv": (np.true_divide, None),
    "Maximum": (np.maximum, None), "Minimum": (np.minimum, None), "BiasAdd": (np.add, "+"),
}  # fmt: skip
INTO: Final = frozenset((*_UNARY, *_BINARY, "Relu", "ReluGrad"))
"""Ops that can write into the array of an input."""

FRESH: Final = INTO | frozenset((
    "MatMul", "BatchMatMulV2", "Sum", "Mean", "Max", "Min", "Sigmoid", "SigmoidGrad", "TanhGrad", "Rsqrt", "Log1p",
    "Expm1", "Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual", "LogicalAnd", "LogicalOr",
    "LogicalNot", "SquaredDifference", "SelectV2", "FloorDiv", "FloorMod", "Pow",
))  # fmt: skip
"""Ops that make a new array each time and keep no input."""

_KEEPS_NOTHING: Final = FRESH | frozenset((
    "AssignAddVariableOp", "AssignSubVariableOp", "Shape", "Size", "Rank", "ZerosLike", "OnesLike", "ConcatV2", "Pack",
    "StridedSliceGrad", "SparseSoftmaxCrossEntropyWithLogits", "Softmax", "LogSoftmax",
))  # fmt: skip


LARGE: Final = 1 << 18
"""Elements from which a dead array is let go of at once, and not when its name is used again."""


def large(tensor: Any) -> bool:
    """True for a value so large that it should not outlive its last use by a statement."""
    shape = tensor._shape
    return bool(shape) and None not in shape and math.prod(shape) >= LARGE


def expose(ops: list[Operation], exposed: set[int], root: Callable[[Any], Any]) -> None:
    """Notes the tensors that some op may keep or return a view of."""
    for op in ops:
        if op.type not in _KEEPS_NOTHING:
            for tensor in op.inputs:
                exposed.add(id(root(tensor)))


def _dead(tensor: Any, block: Any, index: int) -> bool:
    key = id(tensor)
    return key in block.fresh and block.last.get(key) == index and key not in block.exposed


def target(op: Operation, block: Any, index: int, root: Callable[[Any], Any]) -> int | None:
    """The input whose array the result may be written into; None if there is none."""
    if op.type not in INTO:
        return None
    output = op.outputs[0]
    shape: Any = output._shape
    dtype = output.dtype
    if not shape or dtype not in _DTYPES or None in shape or math.prod(shape) < SMALLEST:
        return None
    inputs = op.inputs[:1] if op.type in ("ReluGrad", "BiasAdd") else op.inputs
    for position, tensor in enumerate(inputs):
        tensor = root(tensor)
        if tensor.dtype is dtype and tensor._shape == shape and _dead(tensor, block, index):
            return position
    return None


def text(op: Operation, inputs: list[str], into: str, env: dict[str, Any]) -> str:
    """The statement that writes an op's result into the array named ``into``."""
    kind = op.type
    if kind == "Relu":
        zero = f"_zero_{op.outputs[0].dtype.name}"
        env[zero] = np.array(0, op.outputs[0].dtype.np)
        env["np_maximum"] = np.maximum
        return f"np_maximum({inputs[0]}, {zero}, out={into})"
    if kind == "ReluGrad":
        return f"{into} *= {inputs[1]} > 0"
    unary = _UNARY.get(kind)
    if unary is not None:
        name = f"np_{unary.__name__}"
        env[name] = unary
        return f"{name}({inputs[0]}, {into})"
    function, symbol = _BINARY[kind]
    if symbol is not None and into == inputs[0]:
        return f"{into} {symbol}= {inputs[1]}"
    name = f"np_{function.__name__}"
    env[name] = function
    return f"{name}({inputs[0]}, {inputs[1]}, out={into})"


def _updating(ufunc: Any, kernel: Any) -> Any:
    def update(cell: Any, value: Any) -> None:
        with cell.lock:
            before = cell.value
            if before is None or before.shape != value.shape:
                kernel(cell, value)  # raises
            else:
                cell.value = ufunc(before, value, value)

    return update


_UPDATES: Final[dict[str, Any]] = {"AssignAddVariableOp": np.add, "AssignSubVariableOp": np.subtract}
_made: dict[str, Any] = {}


def update(op: Operation, block: Any, index: int, root: Callable[[Any], Any]) -> tuple[str, Any] | None:
    """Name and kernel of a variable's update that makes the array of the update the variable's new one."""
    ufunc = _UPDATES.get(op.type)
    if ufunc is None:
        return None
    value = root(op.inputs[1])
    shape = value._shape
    if not shape or value.dtype not in _DTYPES or None in shape or math.prod(shape) < SMALLEST:
        return None
    if not _dead(value, block, index):
        return None
    found = _made.get(op.type)
    if found is None:
        found = _made[op.type] = _updating(ufunc, op.record.kernel)
    return f"_{op.type}", found
