"""Images: patches, contrast."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import UnimplementedError
from graphlab.core.export import public
from graphlab.core.op import COMPLEX, REAL, REQUIRED, Arg, define
from graphlab.ops import inference
from graphlab.ops.conv_arrays import check_kernel, check_rank, invalid
from graphlab.ops.conv_geometry import Geometry, geometry
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.over_values import over_values
from graphlab.ops.windows import output_shape

# ------------------------------------------------------------------------------------------------------------- patches


def _placed(x: Any, ksizes: list[int], strides: list[int], rates: list[int], padding: str) -> Geometry:
    check_kernel(x, "ExtractImagePatches", "bool")
    if x.ndim != 4:
        raise invalid(f"input must be 4-dimensional{list(x.shape)}")
    for values, what in ((ksizes, "ksizes"), (strides, "strides"), (rates, "rates")):
        if len(values) != 4:
            raise invalid(f"Length for attr '{what}' of {len(values)} must be 4")
        if values[0] != 1 or values[3] != 1:
            raise UnimplementedError(None, None, f"Only support {what} across space.")
        if min(values) < 1:
            raise invalid(f"{what} must be positive, but are {values}")
    attrs = {"strides": strides, "dilations": rates, "padding": padding, "data_format": "NHWC"}
    return geometry(x.shape[1:3], ksizes[1:3], attrs)


def _places(over: Geometry) -> Iterator[tuple[int, tuple[slice, ...], tuple[slice, ...]]]:
    for i, place in enumerate(product(*map(range, over.window))):
        pairs = [over.seen(axis, p) for axis, p in enumerate(place)]
        yield i, (slice(None), *(w for w, _ in pairs)), (slice(None), *(e for _, e in pairs))


def _patches(x: Any, ksizes: list[int], strides: list[int], rates: list[int], padding: str) -> Any:
    over = _placed(x, ksizes, strides, rates, padding)
    channels = x.shape[-1]
    result = np.zeros((len(x), *over.counts, over.window[0] * over.window[1] * channels), x.dtype)
    for i, windows, elements in _places(over):
        result[(*windows, slice(i * channels, (i + 1) * channels))] = x[elements]
    return result


def _patches_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    shape = inference.with_rank(args[0].shape, 4, "The images")
    height, width = attrs["ksizes"][1:3]
    channels = None if shape[3] is None else shape[3] * height * width
    return output_shape(shape, (height, width), {**attrs, "dilations": attrs["rates"], "data_format": "NHWC"}, channels)


def _patches_gradient(op: Any, dy: Any) -> Any:
    """Each pixel gets the sum of what its copies got; which pixel a copy is of, patches of their numbers say."""
    from graphlab.ops import array, array_shape, creation, segment

    images = op.inputs[0]
    attrs = {name: op.attrs[name] for name in _PATCHES_ATTRS}
    batch, height, width, channels = array.unstack(array_shape.shape(images), 4)
    _, rows, columns, _ = array.unstack(array_shape.shape(dy), 4)
    count = int(np.prod(attrs["ksizes"]))
    # numbers from 1: the padding is 0, and dropped as the segment -1
    numbers = array.reshape(creation.range(1, height * width + 1), array.stack([1, height, width, 1]))
    owners = array.reshape(bind(PATCHES, (numbers,), attrs), [-1]) - 1
    copies = array.reshape(dy, array.stack([batch, rows, columns, count, channels]))
    copies = array.reshape(
        array.transpose(copies, [1, 2, 3, 0, 4]), array.stack([rows * columns * count, batch * channels])
    )
    total = segment.unsorted_segment_sum(copies, owners, height * width)
    result = array.transpose(array.reshape(total, array.stack([height, width, batch, channels])), [2, 0, 1, 3])
    return array.ensure_shape(result, images.shape)


_PATCHES_ATTRS: dict[str, Any] = {"ksizes": REQUIRED, "strides": REQUIRED, "rates": REQUIRED, "padding": REQUIRED}

PATCHES = define(
    "ExtractImagePatches", "images: T -> patches: T", kernel=_patches, infer=_patches_shape,
    gradient=_patches_gradient, types={"T": REAL | COMPLEX | {dtypes.bool}}, attrs=_PATCHES_ATTRS, can_fail=True,
    fp=False,
)  # fmt: skip


@public("image.extract_patches")
def extract_patches(images: Any, sizes: Any, strides: Any, rates: Any, padding: str, name: str | None = None) -> Any:
    """Cuts patches out of images, which may overlap, and puts the pixels of each into the channels.

    Args:
      images: a tensor of rank 4, batch × height × width × channels.
      sizes: the size of a patch, ``[1, height, width, 1]``.
      strides: the distance of patches, ``[1, rows, columns, 1]``.
      rates: the distance of pixels within a patch, ``[1, rows, columns, 1]``.
      padding: ``"VALID"`` (patches within the image) or ``"SAME"`` (zeros around).
      name: a name for the node.

    Returns:
      A tensor: batch × rows × columns of patches × pixels of a patch, with their channels.

    >>> import graphlab as tf
    >>> x = tf.reshape(tf.range(9), [1, 3, 3, 1])
    >>> tf.image.extract_patches(x, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID").numpy()[0, 0, 1]
    array([1, 2, 4, 5], dtype=int32)
    """
    attrs = {
        "ksizes": [int(n) for n in sizes],
        "strides": [int(n) for n in strides],
        "rates": [int(n) for n in rates],
        "padding": padding,
    }
    return bind(PATCHES, (images,), attrs, name)


# ------------------------------------------------------------------------------------------------------------ contrast


def _contrast(images: Any, contrast_factor: Any) -> Any:
    check_kernel(images, "AdjustContrastv2", "float16")
    if images.ndim < 3:
        raise invalid(f"input must be at least 3-D, got shape{list(images.shape)}")
    check_rank(contrast_factor, 0, "contrast_factor")
    high = images.astype(np.float32)
    mean = high.mean((-3, -2), keepdims=True, dtype=np.float32)
    return ((high - mean) * contrast_factor + mean).astype(images.dtype, copy=False)


CONTRAST = define(
    "AdjustContrastv2", "images: T, contrast_factor: float32 -> output: T", kernel=_contrast,
    infer=lambda args, _attrs: inference.at_least_rank(args[0].shape, 3, "The images"),
    types={"T": frozenset((dtypes.float32, dtypes.float16))}, can_fail=True, name="adjust_contrast",
)  # fmt: skip


@public("image.adjust_contrast")
def adjust_contrast(images: Any, contrast_factor: Any) -> Any:
    """Moves pixels away from the mean of their channel: ``(x - mean) * contrast_factor + mean``.

    Args:
      images: a tensor of rank 3 or more: height, width and channels last.  Integers stand for the range from 0 to 1.
      contrast_factor: a scalar.

    >>> import graphlab as tf
    >>> tf.image.adjust_contrast(tf.reshape([1.0, 3.0], [1, 2, 1]), 2.0).numpy().ravel()
    array([0., 4.], dtype=float32)
    """
    from graphlab.ops.array import identity

    with name_scope(None, "adjust_contrast") as scope:
        images = convert_to_tensor(images, name="images")
        given = images.dtype
        working = images if given in (dtypes.float16, dtypes.float32) else convert_image_dtype(images, dtypes.float32)
        result = bind(CONTRAST, (working, contrast_factor), None, scope or None)
        return identity(result) if working is images else convert_image_dtype(result, given, saturate=True)


@public("image.convert_image_dtype")
@over_values
def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False, name: str | None = None) -> Any:
    """Converts images; integers use the whole range of their dtype, floats the range from 0 to 1.

    Args:
      image: a tensor of a real dtype.
      dtype: the new dtype.
      saturate: what is out of range becomes the nearest number in it; else it wraps around.
      name: a name for the nodes' scope.

    Raises:
      TypeError: for a dtype that is no number.

    >>> import graphlab as tf
    >>> tf.image.convert_image_dtype([0.0, 0.5, 1.0], tf.uint8).numpy()
    array([  0, 127, 255], dtype=uint8)
    """
    from graphlab.ops import math
    from graphlab.ops.array import identity
    from graphlab.ops.casting import cast, saturate_cast

    image = convert_to_tensor(image, name="image")
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating and not dtype.is_integer:
        raise TypeError("dtype must be either floating point or integer")
    if not image.dtype.is_floating and not image.dtype.is_integer:
        raise TypeError("image dtype must be either floating point or integer")
    if dtype is image.dtype:
        return identity(image, name=name)
    with name_scope(name, "convert_image"):
        if image.dtype.is_floating and dtype.is_floating:
            return cast(image, dtype)
        if image.dtype.is_integer and dtype.is_integer:
            old, new = image.dtype.max, dtype.max
            if old > new:
                smaller = image // convert_to_tensor((old + 1) // (new + 1), image.dtype)
                return saturate_cast(smaller, dtype) if saturate else cast(smaller, dtype)
            wide = saturate_cast(image, dtype) if saturate else cast(image, dtype)
            return math.multiply(wide, convert_to_tensor((new + 1) // (old + 1), dtype))
        if image.dtype.is_integer:
            return math.multiply(cast(image, dtype), convert_to_tensor(1.0 / image.dtype.max, dtype))
        scaled = math.multiply(image, convert_to_tensor(dtype.max + 0.5, image.dtype))
        return saturate_cast(scaled, dtype) if saturate else cast(scaled, dtype)
