"""``tf.extract_volume_patches``: blocks of volumes, as ``tf.image.extract_patches`` cuts images."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from graphlab.core.dispatch import bind
from graphlab.core.errors import InvalidArgumentError, UnimplementedError
from graphlab.core.export import public
from graphlab.core.op import REAL, REQUIRED, Arg, define
from graphlab.ops import inference
from graphlab.ops.conv_geometry import geometry
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.lazily import ops
from graphlab.ops.windows import output_shape


def _patches(x: Any, ksizes: list[int], strides: list[int], padding: str) -> Any:
    if x.ndim != 5:
        raise InvalidArgumentError(None, None, f"input must be 5-dimensional{list(x.shape)}")
    for values, what in ((ksizes, "ksizes"), (strides, "strides")):
        if len(values) != 5:
            raise InvalidArgumentError(None, None, f"Length for attr '{what}' of {len(values)} must be 5")
        if values[0] != 1 or values[4] != 1:
            raise UnimplementedError(None, None, f"Only support {what} across space.")
        if min(values) < 1:
            raise InvalidArgumentError(None, None, f"{what} must be positive, but are {values}")
    attrs = {"strides": strides, "padding": padding, "data_format": "NDHWC"}
    over = geometry(x.shape[1:4], ksizes[1:4], attrs)
    channels = x.shape[-1]
    result = np.zeros((len(x), *over.counts, prod(over.window) * channels), x.dtype)
    for number, place in enumerate(product(*map(range, over.window))):
        pairs = [over.seen(axis, p) for axis, p in enumerate(place)]
        windows, elements = (slice(None), *(w for w, _ in pairs)), (slice(None), *(e for _, e in pairs))
        result[(*windows, slice(number * channels, (number + 1) * channels))] = x[elements]
    return result


def _shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    shape = inference.with_rank(args[0].shape, 5, "The volumes")
    for what in ("ksizes", "strides"):
        if len(attrs[what]) != 5:
            raise ValueError(f"{what} must have 5 numbers, not {len(attrs[what])}.")
    window = attrs["ksizes"][1:4]
    channels = None if shape[4] is None else shape[4] * prod(window)
    return output_shape(shape, window, {**attrs, "data_format": "NDHWC"}, channels)


def _gradient(op: Any, dy: Any) -> Any:
    """Each element gets the sum of what its copies got; which element a copy is of, patches of their numbers say."""
    x = op.inputs[0]
    attrs = {name: op.attrs[name] for name in _ATTRS}
    batch, *sizes, channels = ops.unstack(ops.shape(x), 5)
    whole = sizes[0] * sizes[1] * sizes[2]
    # numbers from 1: the padding is 0, and dropped as the segment -1
    numbers = ops.reshape(ops.range(1, whole + 1), ops.stack([1, *sizes, 1]))
    owners = ops.reshape(bind(PATCHES, (numbers,), attrs), [-1]) - 1
    count = ops.size(owners)
    copies = ops.transpose(ops.reshape(dy, ops.stack([batch, count, channels])), [1, 0, 2])
    total = ops.math.unsorted_segment_sum(ops.reshape(copies, ops.stack([count, batch * channels])), owners, whole)
    total = ops.transpose(ops.reshape(total, ops.stack([whole, batch, channels])), [1, 0, 2])
    return ops.ensure_shape(ops.reshape(total, ops.shape(x)), x.shape)


_ATTRS: dict[str, Any] = {"ksizes": REQUIRED, "strides": REQUIRED, "padding": REQUIRED}

PATCHES = define(
    "ExtractVolumePatches", "input: T -> patches: T", kernel=_patches, infer=_shape, gradient=_gradient,
    types={"T": REAL}, attrs=_ATTRS, can_fail=True, fp=False,
)  # fmt: skip


@public("extract_volume_patches")
def extract_volume_patches(input: Any, ksizes: Any, strides: Any, padding: str, name: str | None = None) -> Any:
    """Cuts blocks out of volumes, which may overlap, and puts the elements of each into the channels.

    Args:
      input: a tensor of rank 5, batch × depth × height × width × channels.
      ksizes: the size of a block, ``[1, planes, rows, columns, 1]``.
      strides: the distance of blocks, ``[1, planes, rows, columns, 1]``.
      padding: ``"VALID"`` (blocks within the volume) or ``"SAME"`` (zeros around).
      name: a name for the node.

    Returns:
      A tensor: batch × planes × rows × columns of blocks × elements of a block, with their channels.

    Raises:
      tf.errors.InvalidArgumentError: for lists that are not five long.

    >>> import graphlab as tf
    >>> x = tf.reshape(tf.range(8), [1, 2, 2, 2, 1])
    >>> tf.extract_volume_patches(x, [1, 1, 2, 2, 1], [1, 1, 1, 1, 1], "VALID").numpy()[0, 1, 0, 0]
    array([4, 5, 6, 7], dtype=int32)
    """
    attrs = {"ksizes": [int(n) for n in ksizes], "strides": [int(n) for n in strides], "padding": padding}
    return bind(PATCHES, (input,), attrs, name)
