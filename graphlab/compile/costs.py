"""What an operation takes, about: seconds of one processor, for operations that let other threads run meanwhile.

Only sizes that are known count, and only kinds of operation whose kernels spend their time in NumPy's or the linear
algebra library's compiled loops; everything else counts as nothing.  The figures need to be right to a factor of two:
they decide whether a part of a graph is worth another thread.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from graphlab.core import dtypes
from graphlab.graph.operation import Operation

_FLOATS: Final = {
    dtypes.float32: 1 / 2.5e10,
    dtypes.float64: 1 / 1.2e10,
    dtypes.complex64: 4 / 2.5e10,
    dtypes.complex128: 4 / 1.2e10,
}
"""Seconds for a multiplication and an addition of a product on the linear algebra library; other dtypes have none."""

_ELEMENT: Final[dict[str, float]] = {
    **dict.fromkeys((
        "AddV2", "Sub", "Mul", "RealDiv", "Neg", "Abs", "Square", "Maximum", "Minimum", "Relu", "BiasAdd", "Sum",
        "Mean", "Max", "Min", "ReluGrad", "Cast", "Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual",
    ), 0.12e-9),
    **dict.fromkeys((
        "Exp", "Log", "Tanh", "Sqrt", "Sin", "Cos", "Tan", "Atan", "Log1p", "Expm1", "SelectV2", "SquaredDifference",
        "Prod", "ConcatV2", "Pack", "GatherV2", "Rsqrt", "Tile", "ClipByValue", "L2Loss", "BiasAddGrad", "TanhGrad",
    ), 0.4e-9),
    **dict.fromkeys((
        "Sigmoid", "SigmoidGrad", "Softmax", "LogSoftmax", "Softplus", "Elu", "Selu", "Pow", "EuclideanNorm", "Asin",
        "Acos", "Atan2", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh",
    ), 1e-9),
    **dict.fromkeys(("Cumsum", "Cumprod", "Erf", "Erfc"), 3e-9),
    **dict.fromkeys(("FloorDiv", "FloorMod"), 10e-9),
}  # fmt: skip
"""Seconds for an element of the larger of operand and result."""

_CUBIC: Final = {
    "Cholesky": 0.4, "MatrixInverse": 2.5, "MatrixSolve": 1.5, "MatrixTriangularSolve": 1.5, "MatrixDeterminant": 1.0,
    "LogMatrixDeterminant": 1.0, "Lu": 1.0, "Qr": 4.0, "SelfAdjointEigV2": 12.0, "Svd": 25.0, "Eig": 60.0,
}  # fmt: skip
"""Decompositions: multiplications for each of n³."""

_CALLS: Final = frozenset(("PartitionedCall", "StatelessIf", "StatelessCase", "StatelessWhile"))


def _size(tensor: Any) -> int:
    """The number of elements; 0 if it is not known."""
    shape = tensor._shape
    return 0 if shape is None or None in shape else math.prod(shape)


def _product(op: Operation) -> float:
    shape = op.inputs[0]._shape
    attrs = op.attrs
    if not shape or len(shape) < 2:
        return 0.0
    inner = shape[-2] if attrs.get("transpose_a") or attrs.get("adj_x") else shape[-1]
    each = _FLOATS.get(op.outputs[0].dtype, 6e-10)
    return float(_size(op.outputs[0]) * (inner or 0) * each)


def _convolution(op: Operation) -> float:
    second, third = op.inputs[1], op.inputs[2] if len(op.inputs) > 2 else None
    kind = op.type
    if "BackpropInput" in kind:
        positions, filters = third, second
    elif "BackpropFilter" in kind:
        positions, filters = third, op.outputs[0]
    else:
        positions, filters = op.outputs[0], second
    shape = filters._shape
    if not _size(filters) or positions is None:
        return 0.0
    last = shape[-1] * shape[-2] if kind.startswith("Depthwise") else shape[-1]
    # What is not the product itself, the copying of windows, takes as long again.
    each = 1e-9 if kind.startswith("Depthwise") else 1 / 2.5e10
    return float(2 * _size(positions) * (_size(filters) / last) * each)


def _sorting(op: Operation) -> float:
    size: int = _size(op.inputs[0])
    return size * math.log2(size) * 3e-9 if size > 1 else 0.0


def _decomposition(op: Operation) -> float:
    shape = op.inputs[0]._shape
    if not shape or None in shape or len(shape) < 2:
        return 0.0
    each = _FLOATS.get(op.inputs[0].dtype, 1 / 1.2e10)
    return float(3 * math.prod(shape[:-2]) * max(shape[-2:]) * min(shape[-2:]) ** 2 * _CUBIC[op.type] * each)


def _transform(op: Operation) -> float:
    size = max(_size(op.inputs[0]), _size(op.outputs[0]))
    return size * math.log2(size) * 5e-9 if size > 1 else 0.0


_OTHERS: Final[dict[str, Callable[[Operation], float]]] = {
    **dict.fromkeys(("MatMul", "BatchMatMulV2", "BatchMatMulV3"), _product),
    **dict.fromkeys((
        "Conv2D", "Conv3D", "Conv2DBackpropInput", "Conv2DBackpropFilter", "Conv3DBackpropInputV2",
        "Conv3DBackpropFilterV2", "DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput",
        "DepthwiseConv2dNativeBackpropFilter",
    ), _convolution),
    **dict.fromkeys(("TopKV2", "Unique", "UniqueWithCounts", "UniqueV2", "UniqueWithCountsV2"), _sorting),
    **dict.fromkeys(_CUBIC, _decomposition),
    **dict.fromkeys((
        "FFT", "FFT2D", "FFT3D", "IFFT", "IFFT2D", "IFFT3D", "RFFT", "RFFT2D", "RFFT3D", "IRFFT", "IRFFT2D", "IRFFT3D",
    ), _transform),
}  # fmt: skip


def seconds(op: Operation, known: dict[int, float]) -> float:
    """What one operation takes; ``known`` keeps the figures of the graphs that operations hold, by id."""
    kind = op.type
    each = _ELEMENT.get(kind)
    if each is not None:
        size = 0
        for shape in (op.outputs[0]._shape, op.inputs[0]._shape):
            if shape and None not in shape:
                size = max(size, math.prod(shape))
        return each * size if size > 4096 else 0.0
    found = _OTHERS.get(kind)
    if found is not None:
        return found(op)
    if kind not in _CALLS:
        return 0.0
    return _inside(op, known)


def _inside(op: Operation, known: dict[int, float]) -> float:
    """A call, the dearer branch, or one round of a loop: how many there are nobody knows."""
    attrs = op.attrs
    if "f" in attrs:
        return _graph(attrs["f"], known)
    if "body" in attrs:
        return _graph(attrs["cond"], known) + _graph(attrs["body"], known)
    branches = attrs["branches"] if "branches" in attrs else (attrs["then_branch"], attrs["else_branch"])
    return max(_graph(branch, known) for branch in branches)


def _graph(graph: Any, known: dict[int, float]) -> float:
    found = known.get(id(graph))
    if found is None:
        known[id(graph)] = 0.0  # a graph that calls itself
        found = known[id(graph)] = sum(seconds(op, known) for op in graph.ops)
    return found
