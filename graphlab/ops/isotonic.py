"""``tf.nn.isotonic_regression``: the nearest sequence that only falls (or only rises)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind
from graphlab.core.export import public
from graphlab.core.op import FLOAT, REAL, Arg, define
from graphlab.ops.inference import Attrs, Shape


def _row(values: list[Any]) -> tuple[list[Any], list[int]]:
    """Neighbours that rise are pooled: each pool takes its mean, and pools that rise are pooled again."""
    pools: list[tuple[Any, int]] = []  # sum, number
    for value in values:
        total, number = value, 1
        while pools and pools[-1][0] / pools[-1][1] < total / number:
            before, many = pools.pop()
            total, number = before + total, many + number
        pools.append((total, number))
    result: list[Any] = []
    segments: list[int] = []
    for index, (total, number) in enumerate(pools):
        result += [total / number] * number
        segments += [index] * number
    return result, segments


def _isotonic(x: Any, output_dtype: Any) -> Any:
    if not x.ndim:
        return x.astype(output_dtype.np), np.zeros((), np.int32)
    size = x.shape[-1]
    rows = x.reshape(-1, size) if x.size else x.reshape(0, size)
    wide = np.float32 if output_dtype.size == 2 else output_dtype.np
    result = np.empty(rows.shape, output_dtype.np)
    segments = np.empty(rows.shape, np.int32)
    for index, row in enumerate(rows):
        found, numbers = _row(list(row.astype(wide)))
        result[index], segments[index] = found, numbers
    return result.reshape(x.shape), segments.reshape(x.shape)


def _shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    return [args[0].shape, args[0].shape]


def _gradient(op: Any, dy: Any, _: Any) -> Any:
    """Within a pool every element has the same part in the mean."""
    from graphlab.ops import array, array_shape, segment
    from graphlab.ops.creation import range as make_range
    from graphlab.ops.gather_scatter import gather

    if dy is None:
        return None
    segments = op.outputs[1]
    size = array_shape.shape(segments)[-1]
    numbers = array.reshape(segments, [-1, size])
    apart = array.reshape(numbers + array.expand_dims(make_range(array_shape.shape(numbers)[0]) * size, 1), [-1])
    mean = segment.unsorted_segment_mean(array.reshape(dy, [-1]), apart, array_shape.size(segments))
    return array.reshape(gather(mean, apart), array_shape.shape(dy))


ISOTONIC = define(
    "IsotonicRegression", "input: T -> output: output_dtype, segments: int32", kernel=_isotonic, infer=_shape,
    gradient=_gradient, types={"T": REAL}, attrs={"output_dtype": dtypes.float32},
)  # fmt: skip


class IsotonicRegression(NamedTuple):
    """What the op gives."""

    output: Any
    segments: Any


@public("nn.isotonic_regression")
def isotonic_regression(inputs: Any, decreasing: bool = True, axis: int = -1) -> Any:
    """The sequence that never rises (or falls) with the least squared distance to each row.

    Args:
      inputs: a tensor of a real dtype.
      decreasing: never rises; False: never falls.
      axis: the axis of the sequences.

    Returns:
      ``(output, segments)``: the sequences (a floating dtype; whole numbers become float64), and for each element the
      number of the run of equal values that it belongs to (int32).

    >>> import graphlab as tf
    >>> output, segments = tf.nn.isotonic_regression([3.0, 1.0, 2.0, 4.0, 0.0])
    >>> segments.numpy()
    array([0, 1, 1, 1, 2], dtype=int32)
    """
    from graphlab.ops import array

    inputs = convert_to_tensor(inputs)
    kind = inputs.dtype if inputs.dtype in FLOAT else dtypes.float64
    rank = inputs.shape.rank
    if axis < 0 and rank is not None:
        axis += rank
    moved = rank is not None and rank > 0 and axis != rank - 1
    order = list(range(rank or 0))
    if moved:
        order[axis], order[-1] = order[-1], order[axis]
        inputs = array.transpose(inputs, order)
    if decreasing:
        output, segments = bind(ISOTONIC, (inputs,), {"output_dtype": kind})
    else:
        output, segments = bind(ISOTONIC, (-inputs,), {"output_dtype": kind})
        output = -output
    if moved:
        return array.transpose(output, order), array.transpose(segments, order)
    return IsotonicRegression(output, segments) if decreasing else (output, segments)
