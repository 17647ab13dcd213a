"""``tf.ragged``: ranges, masks, stacks and partitions whose rows have different lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, Arg, define
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.lazily import ops
from graphlab.ops.ragged import RaggedTensor

# -------------------------------------------------------------------------------------------------------------- ranges


def _range(starts: Any, limits: Any, deltas: Any, Tsplits: Any) -> Any:
    if max(starts.ndim, limits.ndim, deltas.ndim) > 1:
        raise InvalidArgumentError(None, None, "starts, limits and deltas must be scalars or vectors")
    sizes = {len(x) for x in (starts, limits, deltas) if x.ndim}
    if len(sizes) > 1:
        raise InvalidArgumentError(None, None, "starts, limits, and deltas must have the same shape")
    count = sizes.pop() if sizes else 1
    starts, limits, deltas = (np.broadcast_to(x, (count,)) for x in (starts, limits, deltas))
    if (deltas == 0).any():
        raise InvalidArgumentError(None, None, "Requires delta != 0")
    if starts.dtype.kind in "iu":
        spans = [int(b) - int(a) for a, b in zip(starts.tolist(), limits.tolist(), strict=True)]
        lengths = [max(-(-span // int(d)), 0) for span, d in zip(spans, deltas.tolist(), strict=True)]
    else:
        lengths = np.maximum(np.ceil(np.abs((limits - starts) / deltas)), 0).astype(np.int64).tolist()
        backwards = (((limits - starts) > 0) & (deltas < 0)) | (((limits - starts) < 0) & (deltas > 0))
        lengths = [0 if off else n for n, off in zip(lengths, backwards.tolist(), strict=True)]
    values = np.empty(sum(lengths), starts.dtype)
    splits = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(Tsplits.np)
    for row, length in enumerate(lengths):
        value, begin = starts[row], int(splits[row])
        for at in range(length):
            # Each number is the one before it and the delta, with that sum's rounding.
            values[begin + at] = value
            value = value + deltas[row]
    return splits, values


def _range_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    for arg in args:
        if arg.shape is not None and len(arg.shape) > 1:
            raise ValueError("starts, limits and deltas must be scalars or vectors")
    sizes = [arg.shape[0] for arg in args if arg.shape]
    if len({size for size in sizes if size is not None}) > 1:
        raise ValueError("starts, limits, and deltas must have the same shape")
    known = all(arg.shape is not None for arg in args)
    count = next((n for n in sizes if n is not None), None)
    rows = None if not known or (sizes and count is None) else (count if sizes else 1)
    return [(None if rows is None else rows + 1,), (None,)]


RANGE = define(
    "RaggedRange", "starts: T, limits: T, deltas: T -> rt_nested_splits: Tsplits, rt_dense_values: T", kernel=_range,
    infer=_range_shape, gradient=NOT_DIFFERENTIABLE,
    types={"T": frozenset((dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64))},
    attrs={"Tsplits": dtypes.int64}, can_fail=True,
)  # fmt: skip


@public("ragged.range")
def ragged_range(
    starts: Any, limits: Any = None, deltas: Any = 1, dtype: Any = None, name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> RaggedTensor:  # fmt: skip
    """Rows of numbers, each from a start to a limit.

    Args:
      starts: a vector or scalar; the limits, from 0 on, if ``limits`` is None.
      limits: the numbers that rows stop before.
      deltas: the steps, not zero.
      dtype: the type of the numbers.
      name: a name for the node.
      row_splits_dtype: int32 or int64.

    Raises:
      tf.errors.InvalidArgumentError: a step of zero, or vectors of different sizes.

    >>> import graphlab as tf
    >>> tf.ragged.range([0, 5, 8], [3, 3, 12], [1, -1, 2])
    <tf.RaggedTensor [[0, 1, 2], [5, 4], [8, 10]]>
    """
    if limits is None:
        starts, limits = 0, starts
    with name_scope(name, "RaggedRange"):
        kind = None if dtype is None else dtypes.as_dtype(dtype)
        parts = [convert_to_tensor(x, kind) for x in (starts, limits, deltas)]
        wrong = next((p.dtype.name for p in parts if not (p.dtype.is_floating or p.dtype.is_integer)), None)
        if wrong is not None:
            raise TypeError(f"starts, limits and deltas must be numbers, but one has dtype {wrong}.")
        if kind is None:
            order = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)
            widest = max((p.dtype for p in parts), key=lambda d: order.index(d) if d in order else -1)
            parts = [ops.cast(p, widest) for p in parts]
        splits, values = bind(RANGE, parts, {"Tsplits": dtypes.as_dtype(row_splits_dtype)})
        return RaggedTensor(values, splits)


# -------------------------------------------------------------------------------------------------------- segment ids


@public("ragged.row_splits_to_segment_ids")
def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Any:
    """The row of each value, from where rows begin and end.

    Args:
      splits: int32 or int64, ``[rows + 1]``.
      name: a name for the nodes.
      out_type: the dtype of the result; that of ``splits`` (int64 for Python values) if None.

    Raises:
      ValueError: another dtype.

    >>> import graphlab as tf
    >>> tf.ragged.row_splits_to_segment_ids([0, 3, 3, 5]).numpy()
    array([0, 0, 0, 2, 2])
    """
    with name_scope(name, "RaggedSplitsToSegmentIds"):
        splits = convert_to_tensor(splits, dtype_hint=dtypes.int64, name="splits")
        if splits.dtype not in INDEX:
            raise ValueError("splits must have dtype int32 or int64")
        splits.shape.assert_has_rank(1)
        lengths = splits[1:] - splits[:-1]
        rows = ops.range(ops.size(lengths, out_type=splits.dtype))
        ids = ops.repeat(rows, lengths)
        return ids if out_type is None else ops.cast(ids, out_type)


@public("ragged.segment_ids_to_row_splits")
def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: str | None = None
) -> Any:
    """Where rows begin and end, from the row of each value.

    Args:
      segment_ids: int32 or int64, not decreasing.
      num_segments: the number of rows; one more than the last id if None.
      out_type: the dtype of the result; that of ``segment_ids`` (int64 for Python values) if None.
      name: a name for the nodes.

    Raises:
      ValueError: another dtype.

    >>> import graphlab as tf
    >>> tf.ragged.segment_ids_to_row_splits([0, 0, 2, 2]).numpy()
    array([0, 2, 2, 4])
    """
    with name_scope(name, "SegmentIdsToRaggedSplits"):
        ids = convert_to_tensor(segment_ids, dtype_hint=dtypes.int64, name="segment_ids")
        if ids.dtype not in INDEX:
            raise ValueError("segment_ids must have dtype int32 or int64")
        ids.shape.assert_has_rank(1)
        if num_segments is None:
            num_segments = ops.reduce_max(ops.concat([ops.cast([-1], ids.dtype), ids], 0)) + 1
        ones = ops.ones_like(ids)
        lengths = ops.math.unsorted_segment_sum(ones, ids, ops.cast(num_segments, ids.dtype))
        splits = ops.concat([ops.cast([0], ids.dtype), ops.cumsum(lengths)], 0)
        return splits if out_type is None else ops.cast(splits, out_type)


# ---------------------------------------------------------------------------------------------------- values and masks


@public("ragged.map_flat_values")
def map_flat_values(op: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls a function with the values of RaggedTensors, and puts the rows around its result.

    Args:
      op: a function of tensors; its result has as many values as its arguments.
      *args, **kwargs: what it is called with; RaggedTensors have equally long rows.

    Returns:
      A RaggedTensor, or the plain result if no argument is one.

    Raises:
      ValueError: rows of different lengths, or another number of values.

    >>> import graphlab as tf
    >>> tf.ragged.map_flat_values(tf.add, tf.ragged.constant([[1, 2], [], [3]]), 10)
    <tf.RaggedTensor [[11, 12], [], [13]]>
    """
    given: list[RaggedTensor] = []

    def flat(value: Any) -> Any:
        if isinstance(value, RaggedTensor):
            given.append(value)
            return value.flat_values
        if isinstance(value, list | tuple) and any(isinstance(part, RaggedTensor) for part in value):
            return [flat(part) for part in value]
        return value

    plain = [flat(value) for value in args]
    named = {key: flat(value) for key, value in kwargs.items()}
    if not given:
        return op(*plain, **named)
    first = given[0]
    for other in given[1:]:
        if other.ragged_rank != first.ragged_rank:
            raise ValueError("All ragged inputs must have the same ragged_rank.")
        for a, b in zip(first.nested_row_splits, other.nested_row_splits, strict=True):
            if a is not b and hasattr(a, "numpy") and not np.array_equal(a.numpy(), b.numpy()):
                raise InvalidArgumentError(None, None, "Inputs must have identical ragged splits")
    result = convert_to_tensor(op(*plain, **named))
    have, want = result.shape, first.flat_values.shape
    if have.rank == 0 or (have.rank and want.rank and None not in (have[0], want[0]) and have[0] != want[0]):
        raise ValueError(f"tf.ragged.map_flat_values requires that the output of `op` have the same outer-dimension "
                         f"size as flat_values of any ragged inputs. (output shape: {have}; expected outer dimension "
                         f"size: {want[0]})")  # fmt: skip
    return first.with_flat_values(result)


@public("ragged.boolean_mask")
def boolean_mask(data: Any, mask: Any, name: str | None = None) -> RaggedTensor:
    """The elements where a mask is true; rows keep their places.

    Args:
      data: a tensor, or a RaggedTensor of ragged rank 1.
      mask: a bool tensor or RaggedTensor: one for each row, or one for each element.
      name: a name for the nodes.

    Returns:
      A RaggedTensor (a tensor if the mask is a vector and ``data`` is one).

    Raises:
      ValueError: the mask has no known rank, or more axes than ``data``.

    >>> import graphlab as tf
    >>> rows = tf.ragged.constant([[1, 2], [], [3]])
    >>> tf.ragged.boolean_mask(rows, [True, True, False])
    <tf.RaggedTensor [[1, 2], []]>
    >>> tf.ragged.boolean_mask(rows, tf.ragged.constant([[True, False], [], [True]]))
    <tf.RaggedTensor [[1], [], [3]]>
    """
    with name_scope(name, "RaggedMask"):
        if not isinstance(mask, RaggedTensor):
            mask = convert_to_tensor(mask, dtypes.bool, name="mask")
        if not isinstance(data, RaggedTensor):
            data = convert_to_tensor(data, name="data")
        rank = mask.shape.rank
        if rank is None:
            raise ValueError("mask.shape.ndims must be known statically.")
        if rank == 0:
            raise ValueError("mask cannot be scalar.")
        if rank == 1:
            if not isinstance(data, RaggedTensor):
                return ops.boolean_mask(data, mask)  # type: ignore[no-any-return]
            kept = ops.boolean_mask(data.row_lengths(), mask)
            values = boolean_mask(data.values, ops.repeat(mask, data.row_lengths()))
            return RaggedTensor.from_row_lengths(values, kept, validate=False)
        if not isinstance(mask, RaggedTensor):
            mask = RaggedTensor.from_tensor(mask)
        if not isinstance(data, RaggedTensor):
            data = RaggedTensor.from_tensor(data)
        ops.debugging.assert_equal(
            data.row_splits, mask.row_splits, message="data and mask must have rows of the same lengths."
        )
        values = boolean_mask(data.values, mask.values)
        if isinstance(mask.values, RaggedTensor):
            return data.with_values(values)  # type: ignore[no-any-return]
        counts = ops.math.segment_sum(ops.cast(mask.values, data.row_splits.dtype), mask.value_rowids())
        rows = data.nrows()
        missing = ops.fill([ops.cast(rows, dtypes.int32) - ops.size(counts)], ops.cast(0, counts.dtype))
        result = RaggedTensor.from_row_lengths(values, ops.concat([counts, missing], 0), validate=False)
        result.row_splits.set_shape(data.row_splits.shape)
        return result


@public("ragged.stack_dynamic_partitions")
def stack_dynamic_partitions(data: Any, partitions: Any, num_partitions: int, name: str | None = None) -> RaggedTensor:
    """The elements of each partition as a row.

    Args:
      data: a tensor.
      partitions: whole numbers, the partition of each row of ``data``: a vector.
      num_partitions: how many there are.
      name: a name for the nodes.

    Returns:
      A RaggedTensor with a row for each partition, its elements in the order of ``data``.

    Raises:
      tf.errors.InvalidArgumentError: a partition out of range.

    >>> import graphlab as tf
    >>> tf.ragged.stack_dynamic_partitions(["a", "b", "c"], [1, 0, 1], 3)
    <tf.RaggedTensor [[b'b'], [b'a', b'c'], []]>
    """
    with name_scope(name, "SegmentStack"):
        data = convert_to_tensor(data, name="data")
        partitions = convert_to_tensor(partitions, name="partitions")
        partitions.shape.assert_has_rank(1)
        found = ops.dynamic_partition(data, partitions, num_partitions)
        lengths = ops.stack([ops.shape(part, out_type=partitions.dtype)[0] for part in found])
        joined = ops.concat(found, 0)
        if joined.shape.rank is not None:
            joined.set_shape([data.shape[0], *[None] * (joined.shape.rank - 1)])
        return RaggedTensor.from_row_lengths(joined, lengths, validate=False)
