"""What functions of whole tensors do with RaggedTensors: reductions, joining, repeating, picking and counting rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.tensor import Tensor
from graphlab.ops.lazily import ops
from graphlab.ops.ragged import RaggedTensor


def rank_of(x: Any) -> int:
    """The rank.  ValueError if it is not known."""
    rank: int | None = x.shape.rank
    if rank is None:
        raise ValueError("The rank of a RaggedTensor must be known here.")
    return rank


def axis_of(axis: Any, rank: int, name: str = "axis") -> int:
    """An axis from the front."""
    if isinstance(axis, Tensor | np.generic | np.ndarray):
        axis = int(np.asarray(axis))
    if not isinstance(axis, int):
        raise TypeError(f"{name} must be an int, not {axis!r}.")
    if not -rank <= axis < rank:
        raise ValueError(f"{name}={axis} out of bounds: expected {-rank}<={name}<{rank}")
    return axis % rank


# ---------------------------------------------------------------------------------------------------------- reductions


def _extremum(segments: str) -> Callable[[Any, Any, Any], Any]:
    def reduce(values: Any, ids: Any, count: Any) -> Any:
        return getattr(ops.math, segments)(values, ids, count)

    return reduce


def _logical(segments: str) -> Callable[[Any, Any, Any], Any]:
    """For all: the smallest of 0 and 1; for any: the largest.  A row without elements has what changes nothing."""

    def reduce(values: Any, ids: Any, count: Any) -> Any:
        found = getattr(ops.math, segments)(ops.cast(values, dtypes.int32), ids, count)
        return found > 0

    return reduce


def _log_sum_exp(values: Any, ids: Any, count: Any) -> Any:
    top = ops.stop_gradient(ops.math.unsorted_segment_max(values, ids, count))
    top = ops.where(ops.math.is_finite(top), top, ops.zeros_like(top))
    powers = ops.exp(values - ops.gather(top, ids))
    return ops.math.log(ops.math.unsorted_segment_sum(powers, ids, count)) + top


_SEGMENTS: Final[dict[str, Callable[[Any, Any, Any], Any]]] = {
    "Sum": _extremum("unsorted_segment_sum"),
    "Prod": _extremum("unsorted_segment_prod"),
    "Max": _extremum("unsorted_segment_max"),
    "Min": _extremum("unsorted_segment_min"),
    "All": _logical("unsorted_segment_min"),
    "Any": _logical("unsorted_segment_max"),
    "LogSumExp": _log_sum_exp,
}
_DENSE: Final = {"Sum": "reduce_sum", "Prod": "reduce_prod", "Max": "reduce_max", "Min": "reduce_min",
                 "All": "reduce_all", "Any": "reduce_any", "LogSumExp": "reduce_logsumexp"}  # fmt: skip


# How elements with the same id become one, and how a tensor is reduced along an axis.
Reduction: TypeAlias = tuple[Callable[[Any, Any, Any], Any], Callable[..., Any]]


def _along(how: Reduction, x: Any, axis: int) -> Any:
    """The reduction over one axis."""
    reduce, dense = how
    if not isinstance(x, RaggedTensor):
        return dense(x, axis)
    if axis == 0:
        # All elements that stand at the same place of their rows.
        lengths = x.row_lengths()
        longest = ops.maximum(ops.reduce_max(lengths), 0)
        places = ops.range(x.row_splits[-1]) - ops.gather(x.row_splits, x.value_rowids())
        return by_rows(reduce, x.values, places, longest)
    if axis == 1:
        return by_rows(reduce, x.values, x.value_rowids(), x.nrows())
    return x.with_values(_along(how, x.values, axis - 1))


def by_rows(reduce: Any, values: Any, ids: Any, count: Any) -> Any:
    """The rows of ``values`` with the same id as one."""
    if not isinstance(values, RaggedTensor):
        return reduce(values, ids, count)
    # The place of each value is that of its row in the result, and then its own in that row.
    lengths = values.row_lengths()
    sizes = ops.math.unsorted_segment_max(lengths, ids, count)
    sizes = ops.maximum(sizes, 0)
    splits = ops.concat([ops.cast([0], sizes.dtype), ops.cumsum(sizes)], 0)
    rows = values.value_rowids()
    places = ops.range(values.row_splits[-1]) - ops.gather(values.row_splits, rows)
    flat = ops.gather(splits, ops.gather(ids, rows)) + places
    return RaggedTensor(by_rows(reduce, values.values, flat, splits[-1]), splits)


def _several(axis: Any, rank: int) -> list[int]:
    """The axes from the front, each once, the last first."""
    if isinstance(axis, list | tuple):
        found = [axis_of(a, rank, f"axis[{i}]" if len(axis) > 1 else "axis") for i, a in enumerate(axis)]
        return sorted(set(found), reverse=True)
    return [axis_of(axis, rank)]


def reduced(kind: str, x: Any, axis: Any, keepdims: bool, name: str | None, how: Reduction | None = None) -> Any:
    """A reduction of a RaggedTensor.

    Args:
      kind: the type of the op on tensors, ``"Sum"`` for instance.
      x: a RaggedTensor.
      axis: an axis, several, or None for all.
      keepdims: whether the result keeps them with a size of 1.
      name: a name for the nodes.
      how: what the reduction does, if it is none of those that have a type here.

    Returns:
      A tensor, or a RaggedTensor where rows of different lengths are left.

    Raises:
      ValueError: an axis out of range.
    """
    with name_scope(name, f"RaggedReduce{kind}"):
        if kind == "Mean":
            return _mean(x, axis, keepdims)
        if how is None:
            how = _SEGMENTS[kind], getattr(ops, _DENSE[kind])
        if kind in ("All", "Any") and x.dtype.name not in ("bool", "string"):  # rows of numbers, unlike tensors, count
            x = ops.not_equal(ops.cast(x, dtypes.int32), 0)
        if axis is None:
            found = how[1](x.flat_values)
            return ops.reshape(found, [1] * rank_of(x)) if keepdims else found
        if isinstance(axis, Tensor | np.ndarray):
            axis = np.asarray(axis).tolist()
        for at in _several(axis, rank_of(x)):
            x = _along(how, x, at)
            if keepdims:
                x = ops.expand_dims(x, at)
        return x


def _mean(x: Any, axis: Any, keepdims: bool) -> Any:
    if x.dtype.is_integer:
        x = ops.cast(x, dtypes.float64)
    total = reduced("Sum", x, axis, keepdims, None)
    count = reduced("Sum", x.with_flat_values(ops.ones_like(x.flat_values)), axis, keepdims, None)
    return total / count


# ------------------------------------------------------------------------------------------------------- join, stack


def _as_ragged(x: Any, ragged_rank: int, kind: Any = dtypes.int64) -> Any:
    """A tensor with as many ragged axes as asked for."""
    if isinstance(x, RaggedTensor):
        missing = ragged_rank - x.ragged_rank
        return x if missing <= 0 else x.with_flat_values(_as_ragged(x.flat_values, missing, kind))
    if ragged_rank == 0:
        return x
    sizes = ops.shape(x, out_type=kind)
    splits = ops.range(sizes[0] + 1) * sizes[1]
    inner = ops.reshape(x, ops.concat([[sizes[0] * sizes[1]], sizes[2:]], 0))
    return RaggedTensor(_as_ragged(inner, ragged_rank - 1, kind), splits)


def _alike(values: Sequence[Any]) -> list[Any]:
    """RaggedTensors of one ragged rank and dtype; what is no tensor takes the dtype of the others."""
    kind = next((v.dtype for v in values if isinstance(v, RaggedTensor)), None)
    found = [
        v if isinstance(v, RaggedTensor) else convert_to_tensor(v, None if hasattr(v, "dtype") else kind)
        for v in values
    ]
    ranks = {rank_of(v) for v in found}
    if len(ranks) > 1:
        raise ValueError(f"The tensors to join have the ranks {', '.join(map(str, sorted(ranks)))}.")
    rows = {v.row_splits.dtype for v in found if isinstance(v, RaggedTensor)}
    if len(rows) > 1:
        raise ValueError("The RaggedTensors to join have row splits of int32 and of int64.")
    depth = max(v.ragged_rank if isinstance(v, RaggedTensor) else 0 for v in found)
    result = [_as_ragged(v, depth) for v in found]
    kept = rows.pop() if rows else dtypes.int64
    return [_with_splits_of(v, kept) for v in result]


def _with_splits_of(x: Any, kind: Any) -> Any:
    if not isinstance(x, RaggedTensor):
        return x
    splits = x.row_splits if x.row_splits.dtype == kind else ops.cast(x.row_splits, kind)
    return RaggedTensor(_with_splits_of(x.values, kind), splits)


def joined(values: Sequence[Any], axis: Any, name: str | None) -> Any:
    """RaggedTensors and tensors one behind the other along an axis."""
    with name_scope(name, "RaggedConcat"):
        if len(values) == 1:
            return values[0]
        parts = _alike(values)
        return _join(parts, axis_of(axis, rank_of(parts[0])))


def _join(parts: list[Any], axis: int) -> Any:
    if not isinstance(parts[0], RaggedTensor):
        return ops.concat(parts, axis)
    if axis == 0:
        lengths = ops.concat([p.row_lengths() for p in parts], 0)
        splits = ops.concat([ops.cast([0], lengths.dtype), ops.cumsum(lengths)], 0)
        return RaggedTensor(_join([p.values for p in parts], 0), splits)
    counts = [p.nrows() for p in parts]
    for other in counts[1:]:
        ops.debugging.assert_equal(counts[0], other, message="The tensors to join have different numbers of rows.")
    if axis > 1:
        for p in parts[1:]:
            ops.debugging.assert_equal(
                parts[0].row_splits, p.row_splits, message="The tensors to join have rows of different lengths."
            )
        return parts[0].with_values(_join([p.values for p in parts], axis - 1))
    # All rows of the first, then all of the second …: row r of the result is row r of each in turn.
    whole = _join(parts, 0)
    rows = counts[0]
    order = ops.reshape(ops.transpose(ops.reshape(ops.range(rows * len(parts)), [len(parts), -1])), [-1])
    picked = picked_rows(whole, order)
    return RaggedTensor(picked.values, picked.row_splits[:: len(parts)])


def stacked(values: Sequence[Any], axis: Any, name: str | None) -> Any:
    """RaggedTensors and tensors of one rank along a new axis."""
    with name_scope(name, "RaggedStack"):
        parts = _alike(values)
        rank = rank_of(parts[0])
        at = axis_of(axis, rank + 1)
        if rank == 0:
            return ops.stack(parts)
        kind = parts[0].row_splits.dtype if isinstance(parts[0], RaggedTensor) else dtypes.int32
        parts = _alike([_as_ragged(expanded(p, at), 1, kind) for p in parts])
        return parts[0] if len(parts) == 1 else _join(parts, at)


@public("ragged.stack")
def stack(values: Any, axis: int = 0, name: str | None = None) -> Any:
    """Joins tensors and RaggedTensors of one rank along a new axis, whatever the lengths of their rows.

    Args:
      values: a list of tensors or RaggedTensors of one rank and dtype.
      axis: where the new axis stands, in [-rank - 1, rank].
      name: a name for the nodes.

    Returns:
      A RaggedTensor; a tensor if all values are scalars.

    Raises:
      ValueError: ranks differ, or ``axis`` is out of range.

    >>> import graphlab as tf
    >>> tf.ragged.stack([tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[4], [5, 6]])], axis=1)
    <tf.RaggedTensor [[[1, 2], [4]], [[3], [5, 6]]]>
    >>> tf.ragged.stack([[1, 2], [3]])
    <tf.RaggedTensor [[1, 2], [3]]>
    """
    if not isinstance(values, list | tuple):
        values = [values]
    if not values:
        raise ValueError("rt_inputs may not be empty.")
    return stacked(values, axis, name)


# ------------------------------------------------------------------------------------------------ pick, repeat, axes


def picked_rows(x: Any, indices: Any) -> Any:
    """The rows at the indices, a vector."""
    if not isinstance(x, RaggedTensor):
        return ops.gather(x, indices)
    starts, lengths = ops.gather(x.row_splits[:-1], indices), ops.gather(x.row_lengths(), indices)
    splits = ops.concat([ops.cast([0], lengths.dtype), ops.cumsum(lengths)], 0)
    places = ops.range(splits[-1]) + ops.repeat(starts - splits[:-1], lengths)
    return RaggedTensor(picked_rows(x.values, places), splits)


def gathered(params: Any, indices: Any, axis: Any, batch_dims: Any, name: str | None) -> Any:
    """``tf.gather`` of RaggedTensors.

    Raises:
      ValueError: axes or batch axes that ragged rows have no rule for.
      tf.errors.InvalidArgumentError: an index out of range.
    """
    with name_scope(name, "RaggedGather"):
        if not isinstance(params, RaggedTensor):
            params = convert_to_tensor(params, name="params")
        if not isinstance(indices, RaggedTensor):
            indices = convert_to_tensor(indices, name="indices")
        batch = int(batch_dims)
        if batch < 0:
            batch += rank_of(indices)
        at = batch if axis is None else axis_of(axis, rank_of(params))
        if batch == 1 and at == 1:
            params, indices = _as_ragged(params, 1), _as_ragged(indices, 1)
            rows = indices.value_rowids()
            places = ops.cast(indices.values, params.row_splits.dtype)
            if isinstance(indices.values, RaggedTensor) or rank_of(indices.values) != 1:
                raise ValueError("Indices with a batch axis must be a matrix here.")
            lengths = ops.gather(params.row_lengths(), rows)
            ops.debugging.assert_non_negative(places, message="An index is below 0.")
            ops.debugging.assert_less(places, lengths, message="An index is beyond the end of its row.")
            starts = ops.gather(params.row_splits, rows)
            return indices.with_values(picked_rows(params.values, starts + places))
        if batch:
            raise ValueError(f"batch_dims={batch} with axis={at} is not possible for ragged rows; write batch_dims=1.")
        if isinstance(indices, RaggedTensor):
            if at:
                raise ValueError(f"Ragged indices are taken along axis 0, not {at}.")
            return indices.with_values(gathered(params, indices.values, 0, 0, None))
        if at:
            return _gathered_along(params, indices, at)
        depth = rank_of(indices)
        if depth == 0:
            return params[indices]
        if depth == 1:
            return picked_rows(params, indices)
        sized = _as_ragged(indices, depth - 1)
        return sized.with_flat_values(picked_rows(params, sized.flat_values))


def _gathered_along(params: Any, indices: Any, axis: int) -> Any:
    if not isinstance(params, RaggedTensor):
        return ops.gather(params, indices, axis=axis)
    if axis > 1:
        return params.with_values(_gathered_along(params.values, indices, axis - 1))
    raise ValueError(
        "One index for the rows of different lengths is not possible; write batch_dims=1, or rows[:, i:j]."
    )


def tiled(x: Any, multiples: Any, name: str | None) -> Any:
    """A RaggedTensor repeated along its axes."""
    with name_scope(name, "RaggedTile"):
        multiples = convert_to_tensor(multiples, dtype_hint=dtypes.int64, name="multiples")
        size = multiples.shape.rank and multiples.shape[0]
        if size is not None and size != rank_of(x):
            raise InvalidArgumentError(None, None, f"There are {size} multiples for {rank_of(x)} axes.")
        return _tile(x, ops.cast(multiples, x.row_splits.dtype))


def _tile(x: Any, multiples: Any) -> Any:
    if not isinstance(x, RaggedTensor):
        return ops.tile(x, multiples)
    # The inner axes first; then each row as often as asked for, and all rows as often.
    ones = ops.ones_like(multiples[1:])
    inner = _tile(x.values, ops.concat([ones[:1], multiples[2:]], 0))
    x = x.with_values(inner)
    rows, times = x.nrows(), multiples[1]
    each = picked_rows(x, ops.repeat(ops.range(rows), times))
    x = RaggedTensor(each.values, ops.gather(each.row_splits, ops.range(rows + 1) * times))
    return picked_rows(x, ops.tile(ops.range(rows), multiples[:1]))


def expanded(x: Any, axis: Any, name: str | None = None) -> Any:
    """A RaggedTensor with a new axis of size 1."""
    with name_scope(name, "RaggedExpandDims"):
        rank = rank_of(x)
        at = axis_of(axis, rank + 1)
        if not isinstance(x, RaggedTensor):
            return ops.expand_dims(x, at)
        if at == 0:
            return RaggedTensor(x, ops.stack([ops.zeros_like(x.nrows()), x.nrows()]), x.nrows())
        if at == 1:
            return RaggedTensor(x, ops.range(x.nrows() + 1), ops.ones_like(x.nrows()))
        return x.with_values(expanded(x.values, at - 1))
