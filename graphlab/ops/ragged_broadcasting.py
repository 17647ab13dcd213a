"""Broadcasting to the shape of a RaggedTensor, and of two such shapes to one.

Both go from the outermost axis inwards and keep, for each row of the result, which row of the source it comes from.
A source axis of one size 1 is repeated; any other must have rows as long as those of the result.
"""

from __future__ import annotations

from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.ops.lazily import ops
from graphlab.ops.row_partition import RowPartition, static_number

_MESSAGE = "Cannot broadcast"


class _Rows:
    """An axis of a shape: rows of one length, or of different ones.

    Attributes:
      length: the one length, a scalar; None if they differ.
      splits: where rows begin if they have different lengths.
    """

    def __init__(self, length: Any = None, splits: Any = None) -> None:
        self.length, self.splits = length, splits

    def lengths(self, rows: Any) -> Any:
        """The lengths of some rows."""
        if self.splits is None:
            return ops.zeros_like(rows) + self.length
        return ops.gather(self.splits[1:] - self.splits[:-1], rows)

    def starts(self, rows: Any) -> Any:
        """Where some rows begin."""
        return rows * self.length if self.splits is None else ops.gather(self.splits, rows)

    def is_one(self) -> Any:
        """Whether each row has one element for all: True, False, or a tensor that says it when the graph runs."""
        if self.length is None:
            return False
        known = static_number(self.length)
        return ops.equal(self.length, 1) if known is None else known == 1


def _axes(shape: Any, count: int, before: int) -> list[_Rows]:
    """The outermost axes of a shape, with ``before`` axes of size 1 in front."""
    one = convert_to_tensor(1, shape.dtype)
    axes = [_Rows(one) for _ in range(before)]
    for axis in range(min(count - before, shape.rank)):
        if shape.is_uniform(axis):
            axes.append(_Rows(shape._size(axis)))
        else:
            axes.append(_Rows(splits=shape.row_partitions[axis - 1].row_splits()))
    return axes[:count]


def _same(one: Any, a: Any, b: Any) -> None:
    """InvalidArgumentError unless lengths are equal, or those of a source are one."""
    if one is True:
        return
    if one is not False:
        a = ops.where(one, b, a)
    ops.debugging.assert_equal(a, b, message=_MESSAGE)


def _moved(one: Any, offsets: Any) -> Any:
    """The places in the rows of a source for those in the rows of the result."""
    if one is False:
        return offsets
    return ops.zeros_like(offsets) if one is True else ops.where(one, ops.zeros_like(offsets), offsets)


def broadcast_to(value: Any, shape: Any) -> Any:
    """A tensor or RaggedTensor, repeated to have a DynamicRaggedShape.

    Raises:
      ValueError: for a higher rank, and row splits of another dtype.
      tf.errors.InvalidArgumentError: if it does not broadcast, in a graph when it runs.
    """
    ragged = hasattr(value, "nested_row_splits")
    if ragged and value.row_splits.dtype is not shape.dtype:
        raise ValueError(f"The shape has dtype {shape.dtype.name}, but row_splits have {value.row_splits.dtype.name}.")
    value = value if ragged else convert_to_tensor(value)
    source = type(shape).from_tensor(value, shape.dtype)
    missing = shape.rank - source.rank
    if missing < 0:
        raise ValueError("Cannot broadcast to a shape with smaller rank")
    if not all(
        source.is_uniform(axis - missing) for axis in range(max(shape.num_row_partitions + 1, missing), shape.rank)
    ):
        raise ValueError("Cannot get an inner shape over a ragged dimension")
    depth = max(shape.num_row_partitions, source.num_row_partitions and source.num_row_partitions + missing)
    if not depth:
        return ops.broadcast_to(value, shape.inner_shape)
    target = shape.partitioned(depth)
    kind = target.dtype
    first = target.row_partitions[0].nrows()
    mine = _axes(source, depth + 1, missing)
    one = mine[0].is_one()
    _same(one, mine[0].lengths(ops.zeros([1], kind)), ops.reshape(first, [1]))
    rows = _moved(one, ops.range(first))
    for axis, partition in zip(mine[1:], target.row_partitions, strict=True):
        one = axis.is_one()
        _same(one, axis.lengths(rows), partition.row_lengths())
        rows = ops.gather(axis.starts(rows), partition.value_rowids()) + _moved(one, partition.offsets_in_rows())
    flat = value.flat_values if ragged else value
    inside = source.rank - (depth + 1 - missing)  # the axes of the source within the rows
    if missing > depth:
        flat = ops.reshape(flat, ops.concat([[1] * (missing - depth), ops.shape(flat)], 0))
    elif source.num_row_partitions < depth - missing:
        sizes = ops.shape(flat)
        flat = ops.reshape(flat, ops.concat([[-1], sizes[len(flat.shape) - inside :]], 0))
    return target.around(ops.broadcast_to(ops.gather(flat, rows), target.inner_shape))


def broadcast_shapes(a: Any, b: Any) -> Any:
    """The DynamicRaggedShape that two broadcast to.

    Raises:
      ValueError: if both have row partitions, of different dtypes.
      tf.errors.InvalidArgumentError: if they don't broadcast, in a graph when it runs.
    """
    make = type(a)
    if a.num_row_partitions and b.num_row_partitions and a.dtype is not b.dtype:
        raise ValueError("Dtypes don't match")
    kind = next((s.dtype for s in (a, b) if s.num_row_partitions), None)
    if kind is None:
        kind = dtypes.int64 if dtypes.int64 in (a.dtype, b.dtype) else dtypes.int32
    a, b = a.with_dtype(kind), b.with_dtype(kind)
    rank = max(a.rank, b.rank)
    missing = [rank - shape.rank for shape in (a, b)]
    pairs = zip((a, b), missing, strict=True)
    depth = max(s.num_row_partitions and s.num_row_partitions + m for s, m in pairs)
    if not depth:
        return make([], ops.broadcast_dynamic_shape(a.inner_shape, b.inner_shape))
    rows = [ops.zeros([1], kind)] * 2
    partitions: list[RowPartition] = []
    count: Any = None
    axes = [_axes(shape, depth + 1, m) for shape, m in zip((a, b), missing, strict=True)]
    for level, pair in enumerate(zip(*axes, strict=True)):
        ones = [axis.is_one() for axis in pair]
        lengths = [axis.lengths(r) for axis, r in zip(pair, rows, strict=True)]
        found = _chosen(ones[0], lengths[1], lengths[0])
        _same(ones[1] if ones[0] is not True else True, lengths[1], found)
        if level == 0:
            count = found[0]
            partition = RowPartition.from_row_lengths(found, validate=False)
        elif all(axis.length is not None for axis in pair):
            one_length = _chosen(ones[0], pair[1].length, pair[0].length)
            partition = RowPartition.from_uniform_row_length(one_length, nrows=count)
            count = partition.nvals()
        else:
            partition = RowPartition.from_row_lengths(found, validate=False)
            count = partition.nvals()
        if level:
            partitions.append(partition)
        ids, offsets = partition.value_rowids(), partition.offsets_in_rows()
        rows = [
            ops.gather(axis.starts(r), ids) + _moved(one, offsets)
            for axis, r, one in zip(pair, rows, ones, strict=True)
        ]
    inner = [_inner(shape, m, depth) for shape, m in zip((a, b), missing, strict=True)]
    sizes = ops.broadcast_dynamic_shape(*inner)
    return make(partitions, ops.concat([ops.reshape(count, [1]), sizes], 0))


def _chosen(one: Any, other: Any, mine: Any) -> Any:
    """``other`` where mine are one."""
    if one is True or one is False:
        return other if one else mine
    return ops.where(one, other, mine)


def _inner(shape: Any, missing: int, depth: int) -> Any:
    """The sizes of a shape behind the first ``depth + 1`` axes, of which it lacks ``missing``."""
    skipped = max(depth + 1 - missing, 0) - shape.num_row_partitions
    return shape.inner_shape[max(skipped, 0) :]
