"""Ops of one shape on sparse tensors: sums, extremes, with dense tensors, softmax; and their gradients.

Results have their elements in the order of ``tf.sparse.reorder``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core.errors import InvalidArgumentError
from graphlab.core.op import COMPLEX, FLOAT, NUMERIC, REAL, Arg, define
from graphlab.ops.inference import Attrs, Shape


def places(indices: Any, shape: Any) -> Any:
    """The number of each element in the order in which the whole is read."""
    strides = np.concatenate([np.cumprod(shape[:0:-1])[::-1], [1]]) if len(shape) else np.zeros(0)
    return indices @ strides.astype(np.int64)


def ranked(shapes: Sequence[Any]) -> None:
    """InvalidArgumentError unless two shapes are equal."""
    a, b = shapes
    if len(a) != len(b):
        message = f"Input indices must have the same dimension, got {len(a)} and {len(b)}"
        raise InvalidArgumentError(None, None, message)
    for axis, (m, n) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        if m != n:
            raise InvalidArgumentError(
                None, None, f"Operands' shapes do not match: got {m} and {n} for dimension {axis}"
            )


def _joined(a: Sequence[Any], b: Sequence[Any]) -> tuple[Any, Any, Any]:
    """All places of both, and where the elements of each belong among them."""
    ranked((a[2], b[2]))
    both = np.concatenate([a[0], b[0]])
    _, first, inverse = np.unique(places(both, a[2]), return_index=True, return_inverse=True)
    inverse = inverse.reshape(-1)
    return both[first], inverse[: len(a[0])], inverse[len(a[0]) :]


def _add(
    a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any, thresh: Any
) -> tuple[Any, Any, Any]:
    indices, at_a, at_b = _joined((a_indices, a_values, a_shape), (b_indices, b_values, b_shape))
    total = np.zeros(len(indices), a_values.dtype)
    np.add.at(total, at_a, a_values)
    np.add.at(total, at_b, b_values)
    # Only what was added can fall under the threshold: an element that one of them alone has stays.
    both = np.intersect1d(at_a, at_b)
    kept = np.ones(len(total), bool)
    kept[both] = np.abs(total[both]) >= thresh
    return indices[kept], total[kept], a_shape


def _extreme(ufunc: Any) -> Any:
    def kernel(
        a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any
    ) -> tuple[Any, Any]:
        indices, at_a, at_b = _joined((a_indices, a_values, a_shape), (b_indices, b_values, b_shape))
        left, right = np.zeros((2, len(indices)), a_values.dtype)
        left[at_a], right[at_b] = a_values, b_values
        return indices, ufunc(left, right)

    return kernel


def _dense_add(a_indices: Any, a_values: Any, a_shape: Any, b: Any) -> Any:
    if tuple(a_shape.tolist()) != b.shape:
        message = f"Operands' shapes do not match: got {a_shape.tolist()} and {list(b.shape)}"
        raise InvalidArgumentError(None, None, message)
    total = b.copy()
    np.add.at(total, tuple(a_indices.T), a_values)
    return total


def _dense(ufunc: Any) -> Any:
    def kernel(sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any) -> Any:
        try:
            whole = np.broadcast_to(dense, tuple(sp_shape.tolist()))
        except ValueError:
            message = (
                "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: "
                f"{sp_shape.tolist()} vs. {list(dense.shape)}"
            )
            raise InvalidArgumentError(None, None, message) from None
        return ufunc(sp_values, whole[tuple(sp_indices.T)]).astype(sp_values.dtype, copy=False)

    return kernel


def _softmax(sp_indices: Any, sp_values: Any, sp_shape: Any) -> Any:
    _, rows = np.unique(places(sp_indices[:, :-1], sp_shape[:-1]), return_inverse=True)
    rows = rows.reshape(-1)
    count = int(rows.max()) + 1 if rows.size else 0
    top = np.full(count, -np.inf, sp_values.dtype)
    np.maximum.at(top, rows, sp_values)
    powers = np.exp(sp_values - top[rows])
    total = np.zeros(count, powers.dtype)
    np.add.at(total, rows, powers)
    return powers / total[rows]


# ----------------------------------------------------------------------------------------------------------- gradients


def linear(indices: Any, shape: Any) -> Any:
    """``places`` with public ops."""
    from graphlab.ops.reduction import reduce_sum
    from graphlab.ops.scan import cumprod

    return reduce_sum(indices * cumprod(shape, exclusive=True, reverse=True), 1)


def _picked(indices: Any, shape: Any, among: Any, values: Any) -> Any:
    """For each place the value at the same place ``among`` the sorted ones, zero where it is not there."""
    from graphlab.ops import array, creation, gather_scatter, selection, sorting

    end = creation.fill([1], np.iinfo(np.int64).max)
    numbers = array.concat([linear(among, shape), end], 0)
    padded = array.concat([values, creation.zeros([1], values.dtype)], 0)
    wanted = linear(indices, shape)
    at = sorting.searchsorted(numbers, wanted)
    found = gather_scatter.gather(padded, at)
    from graphlab.ops.comparison import equal

    return selection.where(equal(gather_scatter.gather(numbers, at), wanted), found, creation.zeros_like(found))


def _add_grad(op: Any, _indices: Any, dy: Any, _shape: Any) -> list[Any]:
    a_indices, _, shape, b_indices, *_ = op.inputs
    da = _picked(a_indices, shape, op.outputs[0], dy) if op.needs(1) else None
    db = _picked(b_indices, shape, op.outputs[0], dy) if op.needs(4) else None
    return [None, da, None, None, db, None, None]


def _dense_add_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.gather_scatter import gather_nd

    return [None, gather_nd(dy, op.inputs[0]) if op.needs(1) else None, None, dy]


def _dense_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import creation, gather_scatter, scatter
    from graphlab.ops.array_shape import shape as shape_of
    from graphlab.ops.casting import cast

    indices, values, shape, dense = op.inputs
    rank, own = indices._raw_shape()[1], dense._raw_shape()
    if rank is None or own is None:
        raise ValueError("The gradient of a product with a sparse tensor needs to know the ranks of both.")
    size = cast(shape_of(dense), shape.dtype)
    # Axes of size 1 are broadcast: every element of the sparse tensor meets number 0 there.
    at = indices[:, rank - len(own) :] // (shape[rank - len(own) :] // size)
    other = gather_scatter.gather_nd(dense, at) if own else dense * creation.ones_like(values)
    product = op.type == "SparseDenseCwiseMul"
    dvalues = dy * other if product else dy / other
    ddense = None
    if op.needs(3):
        share = dy * values if product else -dy * values / (other * other)
        if own:
            ddense = scatter.scatter_nd(at, share, size)
        else:
            from graphlab.ops.reduction import reduce_sum

            ddense = reduce_sum(share)
    return [None, dvalues, None, ddense]


def _softmax_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import segment, sorting
    from graphlab.ops.array_shape import size
    from graphlab.ops.gather_scatter import gather

    indices, _, shape = op.inputs
    y = op.outputs[0]
    rows = sorting.unique(linear(indices[:, :-1], shape[:-1])).idx
    total = segment.unsorted_segment_sum(y * dy, rows, size(y))
    return [None, (dy - gather(total, rows)) * y, None]


# ------------------------------------------------------------------------------------------------------------- records


def _add_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    shape = args[0].shape
    return [(None, None if shape is None else shape[1]), (None,), args[2].shape]


def _values_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    return args[1].shape


def _dense_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    return args[3].shape


_TWO = (
    "a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64"
    " -> output_indices: int64, output_values: T"
)
_DENSE = "sp_indices: int64, sp_values: T, sp_shape: int64, dense: T -> output: T"

ADD = define(
    "SparseAdd",
    "a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64, thresh: Treal"
    " -> sum_indices: int64, sum_values: T, sum_shape: int64",
    kernel=_add, infer=_add_shape, gradient=_add_grad, types={"T": NUMERIC, "Treal": REAL}, can_fail=True,
)  # fmt: skip
MAXIMUM = define("SparseSparseMaximum", _TWO, kernel=_extreme(np.maximum), types={"T": REAL}, can_fail=True,
                 infer=lambda args, attrs: _add_shape(args, attrs)[:2])  # fmt: skip
MINIMUM = define("SparseSparseMinimum", _TWO, kernel=_extreme(np.minimum), types={"T": REAL}, can_fail=True,
                 infer=lambda args, attrs: _add_shape(args, attrs)[:2])  # fmt: skip
DENSE_ADD = define(
    "SparseTensorDenseAdd", "a_indices: Tindices, a_values: T, a_shape: Tindices, b: T -> output: T",
    kernel=_dense_add, infer=_dense_shape, gradient=_dense_add_grad, types={"T": NUMERIC}, can_fail=True,
)  # fmt: skip
DENSE_MUL = define("SparseDenseCwiseMul", _DENSE, kernel=_dense(np.multiply), infer=_values_shape, gradient=_dense_grad,
                   types={"T": NUMERIC}, can_fail=True)  # fmt: skip
DENSE_DIV = define("SparseDenseCwiseDiv", _DENSE, kernel=_dense(np.true_divide), infer=_values_shape,
                   gradient=_dense_grad, types={"T": FLOAT | COMPLEX}, can_fail=True)  # fmt: skip
SOFTMAX = define("SparseSoftmax", "sp_indices: int64, sp_values: T, sp_shape: int64 -> output: T", kernel=_softmax,
                 infer=_values_shape, gradient=_softmax_grad, types={"T": FLOAT})  # fmt: skip
