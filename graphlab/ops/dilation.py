"""Windows spread apart, by moving blocks of an image into the batch and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graphlab.core.convert import convert_to_tensor
from graphlab.core.export import public
from graphlab.ops import blocks


def dilated(
    input: Any, rate: Sequence[int], padding: Any, op: Callable[[Any], Any], filter_shape: Any, first: int
) -> Any:
    """``op`` (which pads nothing) with windows spread apart: each of the images that blocks fall into, by itself.

    Args:
      input: a tensor, batch first.
      rate: how far apart, for each spatial axis.
      padding: ``"VALID"``, ``"SAME"`` or a list of pairs, one for each axis.
      op: what is done to the images.
      filter_shape: the sizes of its windows, needed for ``"SAME"``.
      first: the first spatial axis: 1, or 2 when channels are second.
    """
    from graphlab.ops.array_shape import shape

    block = [1] * (first - 1) + list(rate)
    base = np.zeros((len(block), 2), np.int32)
    if padding == "SAME":
        total = (np.array(filter_shape, np.int32) - 1) * np.array(rate, np.int32)
        base[first - 1 :] = np.stack([total // 2, total - total // 2], 1)
    elif not isinstance(padding, str):
        base[:] = padding[1 : 1 + len(block)]
    known = input._raw_shape()
    if known is not None and None not in known[1 : 1 + len(block)]:
        sizes = np.array(known[1 : 1 + len(block)]) + base.sum(1)
        extra = (-sizes % np.array(block)).astype(np.int32)
        paddings: Any = np.stack([base[:, 0], base[:, 1] + extra], 1)
        crops: Any = np.stack([np.zeros_like(extra), extra], 1)
    else:
        sizes = shape(input)[1 : 1 + len(block)]
        paddings, crops = blocks.required_space_to_batch_paddings(sizes, np.array(block, np.int32), base)
    moved = blocks.space_to_batch(input, np.array(block, np.int32), paddings, name="SpaceToBatchND")
    return blocks.batch_to_space(op(moved), np.array(block, np.int32), crops, name="BatchToSpaceND")


def rates_of(dilations: Any, count: int) -> list[int]:
    """One dilation for each of so many axes."""
    values = [1] * count if dilations is None else [int(n) for n in np.ravel(np.array(dilations))]
    values = values * count if len(values) == 1 else values
    if len(values) != count:
        raise ValueError(f"`dilation_rate` must have {count} elements, not {len(values)}.")
    if min(values) < 1:
        raise ValueError(f"all values of `dilation_rate` must be positive. Received: dilation_rate={values}")
    return values


@public("nn.with_space_to_batch")
def with_space_to_batch(
    input: Any,
    dilation_rate: Any,
    padding: str,
    op: Callable[..., Any],
    filter_shape: Any = None,
    spatial_dims: Any = None,
    data_format: str | None = None,
) -> Any:
    """Does an operation on sliding windows with the windows spread apart, by moving blocks into the batch and back.

    Args:
      input: a tensor, batch first.
      dilation_rate: how far apart the elements of a window are, for each spatial axis.
      padding: ``"VALID"`` or ``"SAME"``.
      op: a function of a tensor, of the number of spatial axes and of a padding, ``"VALID"`` where anything is moved.
      filter_shape: the sizes of the windows first; needed for ``"SAME"``.
      spatial_dims: the spatial axes, one after the other; those after the batch by default.
      data_format: a format that begins with ``"NC"`` says that they come after the channels.

    Raises:
      ValueError: for a rate below 1, or ``"SAME"`` without sizes.

    >>> import graphlab as tf
    >>> pairs = lambda x, axes, padding: x[:, 1:] - x[:, :-1]
    >>> tf.nn.with_space_to_batch(tf.reshape([1, 2, 4, 8], [1, 4, 1]), [2], "VALID", pairs).numpy().ravel()
    array([3, 6], dtype=int32)
    """
    input = convert_to_tensor(input, name="input")
    rate = [int(n) for n in np.ravel(np.array(dilation_rate))]
    rate = rates_of(rate, len(rate))
    second = data_format is not None and data_format.startswith("NC")
    dims = (
        list(range(2 if second else 1, len(rate) + (2 if second else 1)))
        if spatial_dims is None
        else list(spatial_dims)
    )
    if dims != list(range(dims[0], dims[0] + len(rate))) or dims[0] < 1:
        raise ValueError(f"`spatial_dims` must be one after the other, one for each rate. Received: {dims}")
    if all(n == 1 for n in rate):
        return op(input, len(rate), padding)
    if padding == "SAME":
        if filter_shape is None:
            raise ValueError("`filter_shape` must be specified for `padding='SAME'`. Received: filter_shape=None")
        filter_shape = [int(n) for n in np.ravel(np.array(filter_shape))][: len(rate)]
    elif padding != "VALID":
        raise ValueError(f"Invalid padding method {padding!r}")
    return dilated(input, rate, padding, lambda x: op(x, len(rate), "VALID"), filter_shape, dims[0])
