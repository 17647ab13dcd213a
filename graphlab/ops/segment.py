"""Sums, means, products and extremes of groups of rows: ``tf.math.segment_*`` and ``unsorted_segment_*``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, NUMERIC, REAL, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.core.state import state
from graphlab.ops import inference, written_out
from graphlab.ops.inference import Attrs
from graphlab.ops.over_values import of_composites

# ------------------------------------------------------------------------------------------------------------- kernels


def _sorted_ids(data: Any, segment_ids: Any) -> int:
    """Checks ids that must not decrease; returns the number of segments."""
    if segment_ids.ndim != 1:
        raise InvalidArgumentError(None, None, f"segment_ids should be a vector, got shape {list(segment_ids.shape)}.")
    if not data.ndim or len(data) != len(segment_ids):
        size = f"{len(data)} rows" if data.ndim else "is a scalar"
        raise InvalidArgumentError(None, None, f"segment_ids has {len(segment_ids)} elements, but data has {size}.")
    if not len(segment_ids):
        return 0
    if segment_ids[0] < 0 or (np.diff(segment_ids) < 0).any():
        raise InvalidArgumentError(None, None, "segment ids are not increasing, or negative.")
    return int(segment_ids[-1]) + 1


def _reduced(ufunc: Any, initial: Any, data: Any, ids: Any, number: int) -> Any:
    """``ufunc`` over the rows of each id; ids out of range are left out."""
    out = np.full((number, *data.shape[1:]), initial, data.dtype)
    width = data[0].size if len(data) else 0
    if width > 1:  # element by element: NumPy is ten times as fast on vectors as on rows
        places = ids.astype(np.intp)[:, None] * width + np.arange(width)
        ufunc.at(out.reshape(-1), places.reshape(-1), data.reshape(-1))
    else:
        ufunc.at(out, ids, data)
    return out


def _initial(ufunc: Any, dtype: Any) -> Any:
    if ufunc is np.add:
        return 0
    if ufunc is np.multiply:
        return 1
    kind = dtypes.of_numpy(dtype)
    return kind.max if ufunc is np.minimum else kind.min


def _segments(ufunc: Any, empty: Any) -> Any:
    def kernel(data: Any, segment_ids: Any) -> Any:
        number = _sorted_ids(data, segment_ids)
        out = _reduced(ufunc, _initial(ufunc, data.dtype), data, segment_ids, number)
        missing = np.bincount(segment_ids, minlength=number) == 0 if number else np.zeros(0, bool)
        out[missing] = empty
        return out

    return kernel


def _mean(data: Any, segment_ids: Any) -> Any:
    number = _sorted_ids(data, segment_ids)
    total = _reduced(np.add, 0, data, segment_ids, number)
    counts = np.maximum(np.bincount(segment_ids, minlength=number), 1) if number else np.zeros(0, np.int64)
    divisor = counts.reshape((-1,) + (1,) * (data.ndim - 1))
    if data.dtype.kind in "iu":
        # As C does: towards zero.
        return (np.sign(total) * (np.abs(total) // divisor)).astype(data.dtype)
    return (total / divisor.astype(data.dtype)).astype(data.dtype, copy=False)


def _unsorted(ufunc: Any) -> Any:
    def kernel(data: Any, segment_ids: Any, num_segments: Any) -> Any:
        rank = segment_ids.ndim
        if data.shape[:rank] != segment_ids.shape:
            message = (
                f"data.shape = {list(data.shape)} does not start with segment_ids.shape = {list(segment_ids.shape)}"
            )
            raise InvalidArgumentError(None, None, message)
        number = int(num_segments)
        if number < 0:
            raise InvalidArgumentError(None, None, f"Input num_segments == {number} must not be negative.")
        ids = segment_ids.reshape(-1)
        rows = data.reshape(ids.size, *data.shape[rank:])
        if (ids >= number).any():
            place = int(np.argmax(ids >= number))
            where = [int(i) for i in np.unravel_index(place, segment_ids.shape)] if rank else []
            raise InvalidArgumentError(
                None, None, f"segment_ids{where or ''} = {int(ids[place])} is out of range [0, {number})"
            )
        if (ids < 0).any():
            rows, ids = rows[ids >= 0], ids[ids >= 0]
        return _reduced(ufunc, _initial(ufunc, data.dtype), rows, ids, number)

    return kernel


# ----------------------------------------------------------------------------------------------------------- inference


def _segments_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    inference.with_rank(args[1].shape, 1, "segment_ids")
    shape = inference.at_least_rank(args[0].shape, 1, "data")
    return None if shape is None else (None, *shape[1:])


def _unsorted_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    data, ids = args[0].shape, args[1].shape
    number = inference.size_of_value(args[2], "num_segments")
    if data is None or ids is None:
        return None
    if len(ids) > len(data):
        raise ValueError(f"segment_ids of shape {inference.show(ids)} has more axes than data, {inference.show(data)}.")
    for i, size in enumerate(ids):
        inference.merge_dim(size, data[i], f"Sizes of axis {i} of data and segment_ids")
    return (None if number is None else int(number), *data[len(ids) :])


# ----------------------------------------------------------------------------------------------------------- gradients


def _sum_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.gather_scatter import gather

    return [gather(dy, op.inputs[1]), None]


def _mean_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import array, array_shape, creation, division
    from graphlab.ops.gather_scatter import gather

    data, ids = op.inputs
    shape = array.concat([array_shape.shape(ids), creation.fill([array_shape.rank(data) - 1], 1)], 0)
    ones = creation.fill(shape, creation.ones([], dy.dtype))
    return [gather(division.divide(dy, segment_sum(ones, ids)), ids), None]


def _extreme_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import casting, comparison, creation, division, selection
    from graphlab.ops.gather_scatter import gather

    data, ids = op.inputs
    selected = comparison.equal(data, gather(op.outputs[0], ids))
    number = segment_sum(casting.cast(selected, dy.dtype), ids)
    shared = gather(division.divide(dy, number), ids)
    return [selection.where(selected, shared, creation.zeros_like(data)), None]


def _drop_negative(values: Any, ids: Any, zero: Any = None) -> tuple[Any, Any, Any]:
    """Rows of ``values`` at ids, those of negative ids replaced by ``zero``; the ids made valid; which were."""
    from graphlab.ops import array, array_shape, comparison, creation, math, selection
    from graphlab.ops.gather_scatter import gather

    safe = math.maximum(ids, creation.zeros_like(ids))
    found = gather(values, safe)
    positive = comparison.greater_equal(ids, creation.zeros_like(ids))
    extra = array_shape.rank(found) - array_shape.rank(positive)
    shape = array.concat([array_shape.shape(positive), creation.fill([extra], 1)], 0)
    positive = comparison.logical_and(array.reshape(positive, shape), creation.ones_like(found, dtype=dtypes.bool))
    fill = creation.zeros_like(found) if zero is None else zero(found)
    return selection.where(positive, found, fill), safe, positive


def _unsorted_sum_grad(op: Any, dy: Any) -> list[Any]:
    return [_drop_negative(dy, op.inputs[1])[0], None, None]


def _unsorted_extreme_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import casting, comparison, creation, division, selection

    data, ids, number = op.inputs
    gathered, _, positive = _drop_negative(op.outputs[0], ids)
    selected = comparison.logical_and(comparison.equal(data, gathered), positive)
    shares = unsorted_segment_sum(casting.cast(selected, dy.dtype), ids, number)
    shared, _, _ = _drop_negative(division.divide(dy, shares), ids)
    return [selection.where(selected, shared, creation.zeros_like(shared)), None, None]


def _prod_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.array_shape import shape

    data, ids = op.inputs
    return [_product_grad(data, ids, shape(op.outputs[0])[0], op.outputs[0], dy), None]


def _unsorted_prod_grad(op: Any, dy: Any) -> list[Any]:
    data, ids, number = op.inputs
    return [_product_grad(data, ids, number, op.outputs[0], dy), None, None]


def _product_grad(data: Any, ids: Any, number: Any, result: Any, dy: Any) -> Any:
    from graphlab.ops import casting, comparison, creation, division, math, selection
    from graphlab.ops.gather_scatter import gather

    zero = comparison.equal(data, creation.zeros_like(data))
    zeros = unsorted_segment_sum(casting.cast(zero, dtypes.int32), ids, number)
    # With two zeros in a segment every factor's gradient is zero; with one, that of the others is.
    dy = selection.where(comparison.greater(zeros, 1), creation.zeros_like(dy), dy)
    others = selection.where(zero, creation.ones_like(data), data)
    product_of_others = unsorted_segment_prod(others, ids, number)
    safe = math.maximum(ids, creation.zeros_like(ids))
    product = gather(result, safe)
    partial = selection.where(zero, gather(product_of_others, safe), division.divide(product, others))
    gathered, _, _ = _drop_negative(dy, ids)
    return math.multiply(gathered, partial)


# ----------------------------------------------------------------------------------------------------------------- ops

_SORTED = "data: T, segment_ids: Tindices -> output: T"
_UNSORTED = "data: T, segment_ids: Tindices, num_segments: Tnumsegments -> output: T"
_IDS_NUMBER = {"Tnumsegments": dtypes.int32}

SEGMENT_SUM = define("SegmentSum", _SORTED, kernel=_segments(np.add, 0), infer=_segments_shape, gradient=_sum_grad,
                     types={"T": NUMERIC, "Tindices": INDEX}, can_fail=True)  # fmt: skip
SEGMENT_MEAN = define("SegmentMean", _SORTED, kernel=_mean, infer=_segments_shape, gradient=_mean_grad,
                      types={"T": NUMERIC, "Tindices": INDEX}, can_fail=True)  # fmt: skip
SEGMENT_PROD = define("SegmentProd", _SORTED, kernel=_segments(np.multiply, 1), infer=_segments_shape,
                      gradient=_prod_grad, types={"T": NUMERIC, "Tindices": INDEX},
                      can_fail=True)  # fmt: skip
SEGMENT_MIN = define("SegmentMin", _SORTED, kernel=_segments(np.minimum, 0), infer=_segments_shape,
                     gradient=_extreme_grad, types={"T": REAL, "Tindices": INDEX},
                     can_fail=True)  # fmt: skip
SEGMENT_MAX = define("SegmentMax", _SORTED, kernel=_segments(np.maximum, 0), infer=_segments_shape,
                     gradient=_extreme_grad, types={"T": REAL, "Tindices": INDEX},
                     can_fail=True)  # fmt: skip
UNSORTED_SUM = define("UnsortedSegmentSum", _UNSORTED, kernel=_unsorted(np.add), infer=_unsorted_shape,
                      gradient=_unsorted_sum_grad, defaults=_IDS_NUMBER, can_fail=True,
                      types={"T": NUMERIC, "Tindices": INDEX, "Tnumsegments": INDEX})  # fmt: skip
UNSORTED_PROD = define("UnsortedSegmentProd", _UNSORTED, kernel=_unsorted(np.multiply), infer=_unsorted_shape,
                       gradient=_unsorted_prod_grad, defaults=_IDS_NUMBER, can_fail=True,
                       types={"T": NUMERIC, "Tindices": INDEX, "Tnumsegments": INDEX})  # fmt: skip
UNSORTED_MIN = define("UnsortedSegmentMin", _UNSORTED, kernel=_unsorted(np.minimum), infer=_unsorted_shape,
                      gradient=_unsorted_extreme_grad, defaults=_IDS_NUMBER, can_fail=True,
                      types={"T": REAL, "Tindices": INDEX, "Tnumsegments": INDEX})  # fmt: skip
UNSORTED_MAX = define("UnsortedSegmentMax", _UNSORTED, kernel=_unsorted(np.maximum), infer=_unsorted_shape,
                      gradient=_unsorted_extreme_grad, defaults=_IDS_NUMBER, can_fail=True,
                      types={"T": REAL, "Tindices": INDEX, "Tnumsegments": INDEX})  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("math.segment_sum")
def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Sums the rows of each segment; an id without rows gives zeros.

    Args:
      data: a tensor of a numeric dtype and of shape ``[n, ...]``.
      segment_ids: the segment of each row: int32 or int64, shape ``[n]``, not decreasing.
      name: a name for the node.

    Returns:
      A tensor of shape ``[max(segment_ids) + 1, ...]``.

    Raises:
      tf.errors.InvalidArgumentError: if the ids decrease or their number is wrong.

    >>> import graphlab as tf
    >>> tf.math.segment_sum([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([3, 0, 7], dtype=int32)
    """
    return bind(SEGMENT_SUM, (data, segment_ids), None, name)


@public("math.segment_mean")
def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Averages the rows of each segment; an id without rows gives zeros.

    Args:
      data: a tensor of a numeric dtype and of shape ``[n, ...]``.
      segment_ids: the segment of each row: int32 or int64, shape ``[n]``, not decreasing.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the ids decrease or their number is wrong.

    >>> import graphlab as tf
    >>> tf.math.segment_mean([1.0, 2.0, 3.0, 4.0], [0, 0, 2, 2]).numpy()
    array([1.5, 0. , 3.5], dtype=float32)
    """
    return bind(SEGMENT_MEAN, (data, segment_ids), None, name)


@public("math.segment_prod")
def segment_prod(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Multiplies the rows of each segment; an id without rows gives ones.

    Args:
      data: a tensor of a numeric dtype and of shape ``[n, ...]``.
      segment_ids: the segment of each row: int32 or int64, shape ``[n]``, not decreasing.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the ids decrease or their number is wrong.

    >>> import graphlab as tf
    >>> tf.math.segment_prod([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([ 2,  1, 12], dtype=int32)
    """
    return bind(SEGMENT_PROD, (data, segment_ids), None, name)


@public("math.segment_min")
def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The smallest elements of the rows of each segment; an id without rows gives zeros.

    Args:
      data: a tensor of a real dtype and of shape ``[n, ...]``.
      segment_ids: the segment of each row: int32 or int64, shape ``[n]``, not decreasing.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the ids decrease or their number is wrong.

    >>> import graphlab as tf
    >>> tf.math.segment_min([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([1, 0, 3], dtype=int32)
    """
    return bind(SEGMENT_MIN, (data, segment_ids), None, name)


@public("math.segment_max")
def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The largest elements of the rows of each segment; an id without rows gives zeros.

    Args:
      data: a tensor of a real dtype and of shape ``[n, ...]``.
      segment_ids: the segment of each row: int32 or int64, shape ``[n]``, not decreasing.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the ids decrease or their number is wrong.

    >>> import graphlab as tf
    >>> tf.math.segment_max([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([2, 0, 4], dtype=int32)
    """
    return bind(SEGMENT_MAX, (data, segment_ids), None, name)


@public("math.unsorted_segment_sum")
def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Sums the elements (or rows) of each segment; ids may come in any order, negative ones are left out.

    Args:
      data: a tensor of a numeric dtype.
      segment_ids: the segments: int32 or int64, of a shape that ``data``'s begins with.
      num_segments: the number of segments, a scalar.
      name: a name for the node.

    Returns:
      A tensor of shape ``[num_segments] + data.shape[rank of segment_ids:]``.

    Raises:
      tf.errors.InvalidArgumentError: if an id is not below ``num_segments`` or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.math.unsorted_segment_sum([1, 2, 3, 4], [1, 0, 1, -1], 3).numpy()
    array([2, 4, 0], dtype=int32)
    """
    return bind(UNSORTED_SUM, (data, segment_ids, num_segments), None, name)


@public("math.unsorted_segment_prod")
def unsorted_segment_prod(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Multiplies the elements (or rows) of each segment; an id without any gives ones.

    Args:
      data: a tensor of a numeric dtype.
      segment_ids: the segments: int32 or int64, of a shape that ``data``'s begins with; negative ones are left out.
      num_segments: the number of segments, a scalar.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if an id is not below ``num_segments`` or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.math.unsorted_segment_prod([1, 2, 3, 4], [1, 0, 1, -1], 3).numpy()
    array([2, 3, 1], dtype=int32)
    """
    return bind(UNSORTED_PROD, (data, segment_ids, num_segments), None, name)


@public("math.unsorted_segment_min")
def unsorted_segment_min(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The smallest elements of each segment; an id without any gives the largest value of the dtype.

    Args:
      data: a tensor of a real dtype.
      segment_ids: the segments: int32 or int64, of a shape that ``data``'s begins with; negative ones are left out.
      num_segments: the number of segments, a scalar.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if an id is not below ``num_segments`` or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.math.unsorted_segment_min([1, 2, 3, 4], [1, 0, 1, 0], 2).numpy()
    array([2, 1], dtype=int32)
    """
    return bind(UNSORTED_MIN, (data, segment_ids, num_segments), None, name)


@public("math.unsorted_segment_max")
def unsorted_segment_max(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The largest elements of each segment; an id without any gives the smallest value of the dtype.

    Args:
      data: a tensor of a real dtype.
      segment_ids: the segments: int32 or int64, of a shape that ``data``'s begins with; negative ones are left out.
      num_segments: the number of segments, a scalar.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if an id is not below ``num_segments`` or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.math.unsorted_segment_max([1, 2, 3, 4], [1, 0, 1, 0], 2).numpy()
    array([4, 3], dtype=int32)
    """
    return bind(UNSORTED_MAX, (data, segment_ids, num_segments), None, name)


def _counts(segment_ids: Any, num_segments: Any, data: Any) -> Any:
    """The number of elements of each segment, at least 1, shaped to divide the segments' results."""
    from graphlab.ops import array, array_shape, creation, math

    if state.graph is not None:
        return _counts_written_out(segment_ids, num_segments, data)
    ids = convert_to_tensor(segment_ids)
    flat_ids = array.reshape(ids, [-1])
    ones = creation.fill(array_shape.shape(flat_ids), creation.ones([], data.dtype))
    counted = unsorted_segment_sum(ones, flat_ids, num_segments)
    tail = array_shape.rank(data) - array_shape.rank(ids)
    num = array.reshape(convert_to_tensor(num_segments), [1])
    shape = array.concat([num, creation.fill([tail], creation.ones([], num.dtype))], 0)
    return math.maximum(array.reshape(counted, shape), creation.ones([], data.dtype))


def _counts_written_out(ids: Any, num_segments: Any, data: Any) -> Any:
    """The counts as TensorFlow's graphs have them."""
    from graphlab.ops import array, creation, math
    from graphlab.ops.slicing import getitem

    num = convert_to_tensor(num_segments)
    sizes = written_out.sizes_of(ids)
    with name_scope(None, "ones") as scope:
        ones = creation.fill(sizes, constant(1, data.dtype, name="Const"), name=scope)
    counted = unsorted_segment_sum(ones, ids, num)
    head = getitem(num, np.newaxis)
    tail = written_out.ones([written_out.rank(data) - written_out.rank(ids)], num.dtype)
    return math.maximum(array.reshape(counted, array.concat([head, tail], 0)), 1)


@public("math.unsorted_segment_mean")
@of_composites
def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Averages the elements (or rows) of each segment; an id without any gives zeros.

    Args:
      data: a tensor of a floating-point or complex dtype.
      segment_ids: the segments: int32 or int64, of a shape that ``data``'s begins with; negative ones are left out.
      num_segments: the number of segments, a scalar.
      name: a name for the nodes.

    Raises:
      tf.errors.InvalidArgumentError: if an id is not below ``num_segments`` or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.math.unsorted_segment_mean([1.0, 2.0, 3.0], [1, 0, 1], 2).numpy()
    array([2., 2.], dtype=float32)
    """
    with name_scope(name, "UnsortedSegmentMean"):
        data, segment_ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        if state.graph is None and isinstance(num_segments, float):
            num_segments = convert_to_tensor(num_segments)  # which is refused as a tensor is
        counts = _counts(segment_ids, num_segments, data)
        return unsorted_segment_sum(data, segment_ids, num_segments) / counts


@public("math.unsorted_segment_sqrt_n")
@of_composites
def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Sums the elements of each segment and divides by the square root of their number.

    Args:
      data: a tensor of a floating-point or complex dtype.
      segment_ids: the segments: int32 or int64, of a shape that ``data``'s begins with; negative ones are left out.
      num_segments: the number of segments, a scalar.
      name: a name for the nodes.

    Raises:
      tf.errors.InvalidArgumentError: if an id is not below ``num_segments`` or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.math.unsorted_segment_sqrt_n([1.0, 2.0, 3.0, 4.0], [0, 0, 0, 0], 1).numpy()
    array([5.], dtype=float32)
    """
    from graphlab.ops.unary import sqrt

    with name_scope(name, "UnsortedSegmentSqrtN"):
        data, segment_ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        if state.graph is None and isinstance(num_segments, float):
            num_segments = convert_to_tensor(num_segments)  # which is refused as a tensor is
        counts = _counts(segment_ids, num_segments, data)
        return unsorted_segment_sum(data, segment_ids, num_segments) / sqrt(counts)
