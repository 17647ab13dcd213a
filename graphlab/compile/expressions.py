"""Python text for ops that need no kernel call: operators, and calls of NumPy with attributes worked in.

Each entry gets the operation and returns the text with ``{0}``, ``{1}`` for its inputs and the names it binds, or None
when the general call of the kernel is right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes
from graphlab.core.static import value
from graphlab.graph.operation import Operation

Expression = tuple[str, dict[str, Any]] | None

_PLAIN: Final = frozenset((
    dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.int8, dtypes.int16, dtypes.uint8, dtypes.uint16,
    dtypes.uint32, dtypes.uint64, dtypes.complex64, dtypes.complex128, dtypes.float16,
))  # fmt: skip


def _operator(text: str) -> Callable[[Operation], Expression]:
    def expression(op: Operation) -> Expression:
        return (text, {}) if op.attrs["T"] in _PLAIN else None

    return expression


def _matmul(op: Operation) -> Expression:
    attrs = op.attrs
    if attrs["T"] not in _PLAIN or attrs["T"] is dtypes.float16 or attrs["T"].is_unsigned:
        return None
    for tensor in op.inputs:
        shape = tensor._raw_shape()
        if shape is None or len(shape) != 2:
            return None
    left = "{0}.T" if attrs.get("transpose_a") else "{0}"
    right = "{1}.T" if attrs.get("transpose_b") else "{1}"
    a, b = op.inputs[0]._shape, op.inputs[1]._shape
    inner = a[0 if attrs.get("transpose_a") else 1], b[1 if attrs.get("transpose_b") else 0]
    if inner[0] is None or inner[0] != inner[1]:
        return None
    return f"{left} @ {right}", {}


def _reduction(ufunc: Any) -> Callable[[Operation], Expression]:
    def expression(op: Operation) -> Expression:
        dtype = op.attrs["T"]
        axes = value(op.inputs[1])
        shape = op.inputs[0]._raw_shape()
        if dtype not in (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64) or axes is None or shape is None:
            return None
        if not len(shape) or (ufunc is not np.add and 0 in shape):
            return None
        picked = tuple(sorted({int(a) % len(shape) for a in np.reshape(axes, -1)}))
        if any(not -len(shape) <= int(a) < len(shape) for a in np.reshape(axes, -1)):
            return None
        keep = bool(op.attrs.get("keep_dims"))
        axis = "None" if len(picked) == len(shape) else (str(picked[0]) if len(picked) == 1 else str(picked))
        tail = ", keepdims=True" if keep else ""
        return f"_reduce_{ufunc.__name__}({{0}}, {axis}, _{dtype.name}{tail})", {
            f"_reduce_{ufunc.__name__}": ufunc.reduce,
            f"_{dtype.name}": dtype.np,
        }

    return expression


TABLE: Final[dict[str, Callable[[Operation], Expression]]] = {
    "AddV2": _operator("{0} + {1}"),
    "Sub": _operator("{0} - {1}"),
    "Mul": _operator("{0} * {1}"),
    "MatMul": _matmul,
    "BatchMatMulV2": _matmul,
    "Sum": _reduction(np.add),
}
