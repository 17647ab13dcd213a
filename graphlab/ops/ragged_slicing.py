"""Parts of RaggedTensors: rows, slices of rows and of what is in them, new axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphlab.core.convert import convert_to_tensor
from graphlab.core.tensor import EagerTensor, Tensor

if TYPE_CHECKING:
    from graphlab.ops.ragged import RaggedTensor


def getitem(rows: RaggedTensor, key: Any) -> Any:
    """``rows[key]``: integers, slices, ``...`` and ``tf.newaxis``, alone or in a tuple.

    Raises:
      ValueError: an integer for an axis whose sizes differ; two ``...``; ``...`` where the rank is not known.
    """
    keys = _written_out(rows, list(key) if isinstance(key, tuple) else [key])
    if not keys:
        return rows
    first, *rest = keys
    if first is None:
        return _new_axis(getitem(rows, tuple(rest)) if rest else rows, 0)
    if isinstance(first, slice):
        return _inside(_rows(rows, first), rest)
    row = rows.values[rows.row_starts()[first] : rows.row_limits()[first]]
    return row[tuple(rest)] if rest else row


def _written_out(rows: RaggedTensor, keys: list[Any]) -> list[Any]:
    """The keys with ``...`` replaced by as many ``:`` as it stands for."""
    places = [position for position, key in enumerate(keys) if key is Ellipsis]
    if not places:
        return keys
    if len(places) > 1:
        raise ValueError("Only one ellipsis (`...`) may be among the indices.")
    rank = rows.shape.rank
    if rank is None:
        raise ValueError("`...` needs a RaggedTensor of known rank.")
    taken = sum(1 for key in keys if key is not None and key is not Ellipsis)
    return [*keys[: places[0]], *[slice(None)] * (rank - taken), *keys[places[0] + 1 :]]


def _rows(rows: RaggedTensor, key: slice) -> RaggedTensor:
    """Some of the rows."""
    from graphlab.ops.array import concat

    if key == slice(None):
        return rows
    starts, limits = rows.row_starts()[key], rows.row_limits()[key]
    if key.step not in (None, 1):
        return _ranges(rows, starts, limits - starts, 1)
    shape = starts._raw_shape()
    if shape is not None and shape[0] == 0:
        splits = rows.row_splits[:1]
    elif shape is not None and shape[0] is not None:
        splits = concat([starts[:1], limits], 0)
    else:
        # There may be none, and where the first of none begins nothing says: any place will do.
        first = concat([starts[:1], rows.row_splits[:1]], 0)[:1]
        splits = concat([first, limits], 0)
    return type(rows)(rows.values[splits[0] : splits[-1]], splits - splits[0])


def _inside(rows: Any, keys: list[Any]) -> Any:
    """The keys after the first, for each of the rows."""
    if not keys:
        return rows
    if isinstance(rows, Tensor):
        return rows[(slice(None), *keys)]
    first, *rest = keys
    if first is None:
        return _new_axis(_inside(rows, rest), 1)
    if not isinstance(first, slice):
        raise ValueError(
            "Cannot index into an inner ragged dimension: not every row has that element. Index a row first, or slice."
        )
    part = rows if first == slice(None) else _columns(rows, first)
    return part.with_values(_inside(part.values, rest))


def _new_axis(value: Any, axis: int) -> Any:
    """A new axis of size 1 in front of all rows, or in front of each."""
    from graphlab.ops.array import expand_dims, stack
    from graphlab.ops.creation import range as range_

    if isinstance(value, Tensor):
        return expand_dims(value, axis)
    kind = value.row_splits.dtype
    if axis == 0:
        count = value.nrows(out_type=kind)
        return type(value)(value, stack([convert_to_tensor(0, kind), count]))
    return type(value)(value, range_(convert_to_tensor(0, kind), value.nrows(out_type=kind) + 1))


def _columns(rows: RaggedTensor, key: slice) -> RaggedTensor:
    """A slice of each row, with Python's rules for what lies outside of it."""
    from graphlab.ops.math import maximum

    step = 1 if key.step is None else _step(key.step)
    lengths = rows.row_limits() - rows.row_starts()
    low, high = (0, lengths) if step > 0 else (-1, lengths - 1)
    start = (lengths * 0 if step > 0 else high) if key.start is None else _within(key.start, lengths, low, high)
    stop = (high if step > 0 else lengths * 0 - 1) if key.stop is None else _within(key.stop, lengths, low, high)
    counts = maximum((stop - start + (step - (1 if step > 0 else -1))) // step, lengths * 0)
    return _ranges(rows, rows.row_starts() + start, counts, step)


def _step(step: Any) -> int:
    if isinstance(step, Tensor) and not isinstance(step, EagerTensor):
        raise TypeError("The step of a slice of ragged rows must be a number, not a tensor of the graph.")
    number = int(step)
    if number == 0:
        raise ValueError("slice step cannot be zero")
    return number


def _within(bound: Any, lengths: Any, low: Any, high: Any) -> Any:
    """Where a bound of a slice lies in rows of these lengths."""
    from graphlab.ops.casting import cast
    from graphlab.ops.math import maximum, minimum
    from graphlab.ops.selection import where

    bound = cast(convert_to_tensor(bound), lengths.dtype) + lengths * 0
    counted = where(bound < 0, bound + lengths, bound)
    return minimum(maximum(counted, cast(convert_to_tensor(low), lengths.dtype)), high)


def _ranges(rows: RaggedTensor, starts: Any, counts: Any, step: int) -> RaggedTensor:
    """Rows made of ``counts`` values each, from ``starts`` on in steps."""
    from graphlab.ops.array import concat
    from graphlab.ops.creation import range as range_
    from graphlab.ops.padding import repeat
    from graphlab.ops.scan import cumsum

    kind = rows.row_splits.dtype
    splits = concat([convert_to_tensor([0], kind), cumsum(counts)], 0)
    within = range_(convert_to_tensor(0, kind), splits[-1]) - repeat(splits[:-1], counts)
    return type(rows)(_picked(rows.values, repeat(starts, counts) + within * step), splits)


def _picked(values: Any, indices: Any) -> Any:
    """Values, or rows of them, by their numbers."""
    from graphlab.ops.gather_scatter import gather

    if isinstance(values, Tensor):
        return gather(values, indices)
    starts, limits = gather(values.row_starts(), indices), gather(values.row_limits(), indices)
    return _ranges(values, starts, limits - starts, 1)
