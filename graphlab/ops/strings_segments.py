"""``tf.strings.unsorted_segment_join``: the strings of each segment, joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dispatch import bind
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, Arg, define
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape


def _join(inputs: Any, segment_ids: Any, num_segments: Any, separator: str) -> Any:
    number = int(num_segments)
    if number < 0:
        raise InvalidArgumentError(None, None, f"Number of segments must be non-negative but got {number}")
    rank = segment_ids.ndim
    if rank > inputs.ndim:
        raise InvalidArgumentError(None, None, "Size of segment_ids cannot be greater than the rank of inputs.")
    for axis, (size, wanted) in enumerate(zip(segment_ids.shape, inputs.shape, strict=False)):
        if size != wanted:
            raise InvalidArgumentError(
                None, None, f"Segment dimension is {size} while input dimension is {wanted} in rank {axis}"
            )
    ids = segment_ids.reshape(-1)
    if ids.size and (int(ids.max()) >= number or int(ids.min()) < 0):
        raise InvalidArgumentError(
            None, None, "segment_ids are not allowed to exceed num_segments or to have negative values."
        )
    inner = inputs.shape[rank:]
    width = int(np.prod(inner, dtype=np.int64))
    rows = inputs.reshape(ids.size, width)
    between = separator.encode()
    result = np.empty((number, width), object)
    result.fill(b"")
    for segment, row in zip(ids.tolist(), rows, strict=True):
        for column, item in enumerate(row):
            before = result[segment, column]
            # No separator behind what is empty so far.
            result[segment, column] = before + between + item if before else item
    return result.reshape(number, *inner)


def _shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    data, ids = args[0].shape, args[1].shape
    number = inference.size_of_value(args[2], "num_segments")
    if data is None or ids is None:
        return None
    if len(ids) > len(data):
        raise ValueError(f"segment_ids of shape {inference.show(ids)} has more axes than {inference.show(data)}.")
    for axis, size in enumerate(ids):
        inference.merge_dim(size, data[axis], f"Sizes of axis {axis} of inputs and segment_ids")
    return (number, *data[len(ids) :])


UNSORTED_JOIN = define(
    "UnsortedSegmentJoin", "inputs: string, segment_ids: Tindices, num_segments: Tnumsegments -> output: string",
    kernel=_join, infer=_shape, gradient=NOT_DIFFERENTIABLE, types={"Tindices": INDEX, "Tnumsegments": INDEX},
    defaults={"Tindices": dtypes.int32, "Tnumsegments": dtypes.int32}, attrs={"separator": ""}, can_fail=True,
    fp=False,
)  # fmt: skip


@public("strings.unsorted_segment_join")
def unsorted_segment_join(
    inputs: Any, segment_ids: Any, num_segments: Any, separator: str = "", name: str | None = None
) -> Any:
    """Joins the strings of each segment, in the order of the input.

    Args:
      inputs: a tensor of strings.
      segment_ids: the segment of each row: int32 or int64, the first sizes of ``inputs``.
      num_segments: the number of segments, a scalar.
      separator: what stands between the strings.
      name: a name for the node.

    Returns:
      A tensor of shape ``[num_segments, ...]``; a segment without strings is empty.

    Raises:
      tf.errors.InvalidArgumentError: for segments that do not exist, or shapes that don't fit.

    >>> import graphlab as tf
    >>> tf.strings.unsorted_segment_join(["a", "b", "c"], [1, 0, 1], 2, separator=":").numpy()
    array([b'b', b'a:c'], dtype=object)
    """
    return bind(UNSORTED_JOIN, (inputs, segment_ids, num_segments), {"separator": separator}, name)
