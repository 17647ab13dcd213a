"""Sums and maxima over axes of sparse tensors, their products with matrices, and sums of chosen rows by segment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import FLOAT, INDEX, NUMERIC, REAL, Arg, define
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.sparse_elementwise import places
from graphlab.ops.sparse_tensor import SparseTensor, sparse_input


def _fail(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


# ------------------------------------------------------------------------------------------------------------- kernels


def _kept(axes: Any, rank: int) -> list[int]:
    """The axes that are not reduced."""
    reduced = set()
    for axis in axes.reshape(-1).tolist():
        if not -rank <= axis < rank:
            raise _fail(f"Invalid reduction dimension {axis}, for input with {rank} dimensions.")
        reduced.add(axis % rank)
    return [axis for axis in range(rank) if axis not in reduced]


def _grouped(ufunc: Any, indices: Any, values: Any, shape: Any, axes: Any) -> tuple[Any, Any, list[int]]:
    """Places along the kept axes, in order, and what is reduced there."""
    kept = _kept(axes, len(shape))
    left = indices[:, kept]
    _, first, inverse = np.unique(places(left, shape[kept]), return_index=True, return_inverse=True)
    reduced = values[first].copy()
    rest = np.ones(len(values), bool)
    rest[first] = False
    ufunc.at(reduced, inverse.reshape(-1)[rest], values[rest])
    return left[first], reduced, kept


def _reduce(ufunc: Any) -> Any:
    def kernel(input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any, keep_dims: bool) -> Any:
        at, reduced, kept = _grouped(ufunc, input_indices, input_values, input_shape, reduction_axes)
        whole = np.zeros(input_shape[kept].tolist(), input_values.dtype)
        if kept:
            whole[tuple(at.T)] = reduced
        elif len(reduced):
            whole[()] = reduced[0]
        if keep_dims:
            whole = whole.reshape([int(n) if axis in kept else 1 for axis, n in enumerate(input_shape)])
        return whole

    return kernel


def _reduce_sparse(ufunc: Any) -> Any:
    def kernel(input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any, keep_dims: bool) -> Any:
        at, reduced, kept = _grouped(ufunc, input_indices, input_values, input_shape, reduction_axes)
        shape = input_shape[kept]
        if keep_dims:
            wide = np.zeros((len(at), len(input_shape)), np.int64)
            wide[:, kept] = at
            at, shape = wide, np.array([n if axis in kept else 1 for axis, n in enumerate(input_shape)], np.int64)
        return at, reduced, shape

    return kernel


def _matmul(a_indices: Any, a_values: Any, a_shape: Any, b: Any, adjoint_a: bool, adjoint_b: bool) -> Any:
    if len(a_shape) != 2:
        raise _fail(f"Tensor 'a_shape' must have 2 elements, but has {len(a_shape)}.")
    if b.ndim != 2:
        raise _fail(f"Tensor 'b' is not a matrix, but has shape {list(b.shape)}.")
    row, column = (1, 0) if adjoint_a else (0, 1)
    right = np.conj(b.T) if adjoint_b else b
    inner, rows = int(a_shape[column]), int(a_shape[row])
    if inner != right.shape[0]:
        raise _fail(
            "Cannot multiply A and B because inner dimension does not match: "
            f"{inner} vs. {right.shape[0]}.  Did you forget a transpose?  "
            f"Dimensions of A: [{rows}, {inner}).  Dimensions of B: {list(right.shape)}"
        )
    for axis, size, name in ((column, inner, "k"), (row, rows, "m")):
        outside = (a_indices[:, axis] < 0) | (a_indices[:, axis] >= size)
        if outside.any():
            at = int(np.argmax(outside))
            raise _fail(f"{name} ({a_indices[at, axis]}) from index[{at},{axis}] out of bounds (>={size})")
    values = np.conj(a_values) if adjoint_a else a_values
    total = np.zeros((rows, right.shape[1]), b.dtype)
    np.add.at(total, a_indices[:, row], values[:, None] * right[a_indices[:, column]])
    return total


def _segments(kind: str) -> Any:
    def kernel(data: Any, indices: Any, segment_ids: Any, num_segments: Any = None) -> Any:
        if np.ndim(indices) != 1 or np.ndim(segment_ids) != 1 or np.ndim(data) < 1:
            raise _fail("indices and segment_ids must be vectors, and data must have rows.")
        if len(indices) != len(segment_ids):
            raise _fail("segment_ids and indices should have same size.")
        outside = (indices < 0) | (indices >= len(data))
        if outside.any():
            at = int(np.argmax(outside))
            raise _fail(f"Bad: indices[{at}] == {indices[at]} out of range [0, {len(data)})")
        if (np.diff(segment_ids) < 0).any() or (len(segment_ids) and segment_ids[0] < 0):
            raise _fail("segment ids are not increasing")
        needed = int(segment_ids[-1]) + 1 if len(segment_ids) else 0
        count = needed if num_segments is None else int(num_segments)
        if count < needed:
            raise _fail("segment ids must be < num_segments")
        total = np.zeros((count, *data.shape[1:]), data.dtype)
        np.add.at(total, segment_ids, data[indices])
        if kind != "sum":
            sizes = np.maximum(np.bincount(segment_ids, minlength=count), 1).astype(data.dtype)
            divisor = sizes if kind == "mean" else np.sqrt(sizes)
            total = total / divisor.reshape((-1,) + (1,) * (data.ndim - 1))
        return total

    return kernel


# ----------------------------------------------------------------------------------------------------------- inference


def _sparse_shape(_args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    # As in TensorFlow nothing is said of the rank, nor by the ops with a dense result.
    return [(None, None), (None,), (None,)]


def _matmul_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    shape, b = args[2].partial, args[3].shape
    rows = None if shape is None or len(shape) != 2 else shape[1 if attrs["adjoint_a"] else 0]
    return (rows, None if b is None else b[0 if attrs["adjoint_b"] else 1])


def _segments_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    data = inference.at_least_rank(args[0].shape, 1, "data")
    indices = inference.with_rank(args[1].shape, 1, "indices")
    ids = inference.with_rank(args[2].shape, 1, "segment_ids")
    inference.merge_dim(indices[0], ids[0], "The sizes of indices and segment_ids")
    if data is None:
        return None
    number = args[3].value if len(args) > 3 else None
    return (None if number is None else int(number), *data[1:])


# ----------------------------------------------------------------------------------------------------------- gradients


def _reduce_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import array, casting, creation, gather_scatter, scatter
    from graphlab.ops.division import floormod

    indices, _, shape, axes = op.inputs
    axes = array.reshape(casting.cast(axes, dtypes.int64), [-1])
    rank = shape.shape.num_elements()
    if rank is None:
        from graphlab.ops.array_shape import size

        rank = size(shape, dtypes.int64)
    at = array.expand_dims(floormod(axes, casting.cast(rank, dtypes.int64)), 1)
    # Where an axis is reduced every element belongs to number 0 of it.
    kept = scatter.tensor_scatter_nd_update(shape, at, creation.ones_like(axes))
    strides = array.reshape(dy, kept)
    zeroed = scatter.tensor_scatter_nd_update(creation.ones_like(shape), at, creation.zeros_like(axes))
    return [None, gather_scatter.gather_nd(strides, indices * zeroed), None, None]


def _matmul_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import complex as complex_ops
    from graphlab.ops.array import transpose
    from graphlab.ops.gather_scatter import gather
    from graphlab.ops.reduction import reduce_sum

    indices, values, shape, b = op.inputs
    adjoint_a, adjoint_b = op.attrs["adjoint_a"], op.attrs["adjoint_b"]
    dvalues = db = None
    if op.needs(3):
        attrs = {"adjoint_a": not adjoint_a, "adjoint_b": False}
        db = bind(MATMUL, (indices, values, shape, dy), attrs)
        if adjoint_b:
            db = transpose(db, conjugate=True)
    if op.needs(1):
        row, column = (1, 0) if adjoint_a else (0, 1)
        right = transpose(b, conjugate=True) if adjoint_b else b
        share = gather(dy, indices[:, row]) * complex_ops.conj(gather(right, indices[:, column]))
        dvalues = reduce_sum(share, 1)
        if adjoint_a:
            dvalues = complex_ops.conj(dvalues)
    return [None, dvalues, None, db]


def _segments_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import array, creation, segment
    from graphlab.ops.array_shape import rank, shape, size
    from graphlab.ops.casting import cast
    from graphlab.ops.gather_scatter import gather
    from graphlab.ops.unary import sqrt

    data, indices, ids, *_ = op.inputs
    rows = gather(dy, ids)
    if "Sum" not in op.type:
        counts = segment.unsorted_segment_sum(creation.ones([size(ids)], data.dtype), ids, shape(dy)[0])
        divisor = sqrt(counts) if "Sqrt" in op.type else counts
        mine = gather(divisor, ids)
        known = dy._raw_shape()
        ones = creation.fill([rank(dy) - 1], 1) if known is None else np.ones(len(known) - 1, np.int32)
        rows = rows / array.reshape(mine, array.concat([shape(mine), ones], 0))
    total = segment.unsorted_segment_sum(rows, indices, cast(shape(data)[0], dtypes.int32))
    return [total] + [None] * (len(op.inputs) - 1)


# ------------------------------------------------------------------------------------------------------------- records

_INPUTS = "input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32"
_SPARSE = f"{_INPUTS} -> output_indices: int64, output_values: T, output_shape: int64"
_KEEP = {"keep_dims": False}

SUM = define("SparseReduceSum", f"{_INPUTS} -> output: T", kernel=_reduce(np.add), infer=inference.unknown,
             gradient=_reduce_grad, types={"T": NUMERIC}, attrs=_KEEP, can_fail=True)  # fmt: skip
MAX = define("SparseReduceMax", f"{_INPUTS} -> output: T", kernel=_reduce(np.maximum), infer=inference.unknown,
             types={"T": REAL}, attrs=_KEEP, can_fail=True)  # fmt: skip
SUM_SPARSE = define("SparseReduceSumSparse", _SPARSE, kernel=_reduce_sparse(np.add), infer=_sparse_shape,
                    types={"T": NUMERIC}, attrs=_KEEP, can_fail=True)  # fmt: skip
MAX_SPARSE = define("SparseReduceMaxSparse", _SPARSE, kernel=_reduce_sparse(np.maximum), infer=_sparse_shape,
                    types={"T": REAL}, attrs=_KEEP, can_fail=True)  # fmt: skip
MATMUL = define(
    "SparseTensorDenseMatMul", "a_indices: Tindices, a_values: T, a_shape: int64, b: T -> product: T", kernel=_matmul,
    infer=_matmul_shape, gradient=_matmul_grad, types={"T": NUMERIC, "Tindices": INDEX},
    attrs={"adjoint_a": False, "adjoint_b": False}, can_fail=True,
)  # fmt: skip

_ROWS = "data: T, indices: Tidx, segment_ids: Tsegmentids -> output: T"
_ROWS_OF = "data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: Tnumsegments -> output: T"
_ROW_TYPES = {"T": FLOAT, "Tidx": INDEX, "Tsegmentids": INDEX, "Tnumsegments": INDEX}
_SUM_TYPES = {**_ROW_TYPES, "T": REAL}
_ROW_DEFAULTS = dict.fromkeys(("Tidx", "Tsegmentids", "Tnumsegments"), dtypes.int32)

SEGMENT_SUM = define("SparseSegmentSum", _ROWS, kernel=_segments("sum"), infer=_segments_shape, gradient=_segments_grad,
                     types=_SUM_TYPES, defaults=_ROW_DEFAULTS, can_fail=True)  # fmt: skip
SEGMENT_SUM_OF = define("SparseSegmentSumWithNumSegments", _ROWS_OF, kernel=_segments("sum"), infer=_segments_shape,
                        gradient=_segments_grad, types=_SUM_TYPES, defaults=_ROW_DEFAULTS, can_fail=True)  # fmt: skip
SEGMENT_MEAN = define("SparseSegmentMean", _ROWS, kernel=_segments("mean"), infer=_segments_shape,
                      gradient=_segments_grad, types=_ROW_TYPES, defaults=_ROW_DEFAULTS, can_fail=True)  # fmt: skip
SEGMENT_MEAN_OF = define("SparseSegmentMeanWithNumSegments", _ROWS_OF, kernel=_segments("mean"), infer=_segments_shape,
                         gradient=_segments_grad, types=_ROW_TYPES, defaults=_ROW_DEFAULTS, can_fail=True)  # fmt: skip
SEGMENT_SQRT_N = define("SparseSegmentSqrtN", _ROWS, kernel=_segments("sqrt_n"), infer=_segments_shape,
                        gradient=_segments_grad, types=_ROW_TYPES, defaults=_ROW_DEFAULTS, can_fail=True)  # fmt: skip
SEGMENT_SQRT_N_OF = define("SparseSegmentSqrtNWithNumSegments", _ROWS_OF, kernel=_segments("sqrt_n"),
                           infer=_segments_shape, gradient=_segments_grad, types=_ROW_TYPES,
                           defaults=_ROW_DEFAULTS, can_fail=True)  # fmt: skip


# ----------------------------------------------------------------------------------------------------- public functions


def _reduction(op: Any, sparse_op: Any, sp_input: Any, axis: Any, keepdims: Any, sparse: bool, name: Any) -> Any:
    from graphlab.ops.creation import range as make_range

    sp_input = sparse_input(sp_input)
    if axis is None:
        rank = sp_input.shape.rank
        if rank is None:
            from graphlab.ops.array_shape import size

            axis = make_range(size(sp_input.dense_shape))
        else:
            axis = list(range(rank))
    axis = convert_to_tensor(axis, dtypes.int32, name="reduction_axes")
    parts = (sp_input.indices, sp_input.values, sp_input.dense_shape, axis)
    found = bind(sparse_op if sparse else op, parts, {"keep_dims": bool(keepdims)}, name)
    return SparseTensor(*found) if sparse else found


@public("sparse.reduce_sum")
def reduce_sum(
    sp_input: Any, axis: Any = None, keepdims: bool | None = None, output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The sums of a sparse tensor over axes.

    Args:
      sp_input: a SparseTensor.
      axis: the axes, all if None.
      keepdims: reduced axes stay, with size 1.
      output_is_sparse: give a SparseTensor (through which no gradient flows).
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: an axis that it does not have.

    >>> import graphlab as tf
    >>> s = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1., 2., 3.], [3, 3])
    >>> tf.sparse.reduce_sum(s, 1).numpy()
    array([3., 3., 0.], dtype=float32)
    """
    return _reduction(SUM, SUM_SPARSE, sp_input, axis, keepdims, output_is_sparse, name)


@public("sparse.reduce_max")
def reduce_max(
    sp_input: Any, axis: Any = None, keepdims: bool | None = None, output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The largest of the elements that are kept, over axes; zero where there are none.

    As in TensorFlow, elements that are not kept don't count: the maximum of a row with a single -1 is -1.

    Args:
      sp_input: a SparseTensor.
      axis: the axes, all if None.
      keepdims: reduced axes stay, with size 1.
      output_is_sparse: give a SparseTensor.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: an axis that it does not have.

    >>> import graphlab as tf
    >>> s = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1, 2, -3], [3, 3])
    >>> tf.sparse.reduce_max(s, 1).numpy()
    array([ 2, -3,  0], dtype=int32)
    """
    return _reduction(MAX, MAX_SPARSE, sp_input, axis, keepdims, output_is_sparse, name)


@public("sparse.sparse_dense_matmul")
def sparse_dense_matmul(
    sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> Any:
    """The product of a sparse matrix and a dense one, or of a dense and a sparse one.

    Args:
      sp_a: a SparseTensor of rank 2 (or, if ``b`` is one, a matrix).
      b: a matrix (or a SparseTensor).
      adjoint_a: transpose ``sp_a`` and conjugate it.
      adjoint_b: transpose ``b`` and conjugate it.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: sizes that don't fit, or places outside of the shape.
      TypeError: both are sparse, or neither is.

    >>> import graphlab as tf
    >>> s = tf.SparseTensor([[0, 1], [1, 0]], [2., 3.], [2, 2])
    >>> tf.sparse.sparse_dense_matmul(s, [[1.], [10.]]).numpy()
    array([[20.],
           [ 3.]], dtype=float32)
    """
    if isinstance(b, SparseTensor):
        if isinstance(sp_a, SparseTensor):
            raise TypeError("One of the two must be dense: write tf.sparse.to_dense(b).")
        from graphlab.ops.array import transpose

        # (a b)* = b* a*
        product = sparse_dense_matmul(b, sp_a, adjoint_a=not adjoint_b, adjoint_b=not adjoint_a)
        return transpose(product, conjugate=True)
    sp_a = sparse_input(sp_a)
    with name_scope(name, "SparseTensorDenseMatMul"):
        dense = convert_to_tensor(b, sp_a.dtype, name="b")
        parts = (sp_a.indices, sp_a.values, sp_a.dense_shape, dense)
        return bind(MATMUL, parts, {"adjoint_a": adjoint_a, "adjoint_b": adjoint_b})


def _by_segment(op: Any, op_of: Any, data: Any, indices: Any, ids: Any, number: Any, name: str | None) -> Any:
    parts = [data, indices, ids]
    return bind(op, parts, None, name) if number is None else bind(op_of, [*parts, number], None, name)


@public("sparse.segment_sum")
def segment_sum(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None,
    sparse_gradient: bool = False,
) -> Any:  # fmt: skip
    """``tf.math.segment_sum`` of the rows ``indices`` of ``data``.

    Args:
      data: a tensor of numbers.
      indices: the rows to sum, an integer vector.
      segment_ids: the segment of each of them, in order.
      num_segments: the number of segments; one more than the last id if None.
      name: a name for the node.
      sparse_gradient: no difference here: the gradient is dense.

    Raises:
      tf.errors.InvalidArgumentError: a row that does not exist, or ids that decrease.

    >>> import graphlab as tf
    >>> tf.sparse.segment_sum(tf.constant([[1.], [2.], [4.]]), [0, 2, 1], [0, 0, 1]).numpy()
    array([[5.],
           [2.]], dtype=float32)
    """
    return _by_segment(SEGMENT_SUM, SEGMENT_SUM_OF, data, indices, segment_ids, num_segments, name)


@public("sparse.segment_mean")
def segment_mean(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None,
    sparse_gradient: bool = False,
) -> Any:  # fmt: skip
    """``tf.math.segment_mean`` of the rows ``indices`` of ``data``.  Arguments as for ``tf.sparse.segment_sum``.

    >>> import graphlab as tf
    >>> tf.sparse.segment_mean(tf.constant([[1.], [2.], [4.]]), [0, 2, 1], [0, 0, 1]).numpy()
    array([[2.5],
           [2. ]], dtype=float32)
    """
    return _by_segment(SEGMENT_MEAN, SEGMENT_MEAN_OF, data, indices, segment_ids, num_segments, name)


@public("sparse.segment_sqrt_n")
def segment_sqrt_n(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None,
    sparse_gradient: bool = False,
) -> Any:  # fmt: skip
    """As ``tf.sparse.segment_sum``, each sum divided by the square root of the number of its rows.

    >>> import graphlab as tf
    >>> tf.sparse.segment_sqrt_n(tf.constant([[1.], [2.], [3.], [6.]]), [0, 1, 2, 3], [0, 0, 0, 0]).numpy()
    array([[6.]], dtype=float32)
    """
    return _by_segment(SEGMENT_SQRT_N, SEGMENT_SQRT_N_OF, data, indices, segment_ids, num_segments, name)
