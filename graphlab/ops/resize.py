"""Resizing images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes, static
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.op import FLOAT, REAL, Arg, define
from graphlab.ops import inference, resampling
from graphlab.ops.conv_arrays import invalid
from graphlab.ops.inference import Attrs, Shape

# ------------------------------------------------------------------------------------------------------------- kernels


def _new_size(x: Any, size: Any) -> tuple[int, int]:
    if x.ndim != 4:
        raise invalid(f"input must be 4-dimensional{list(x.shape)}")
    if size.shape != (2,):
        raise invalid(f"shape_t must be 1-dimensional with two elements: {list(size.shape)}")
    height, width = (int(n) for n in size.tolist())
    if height < 1 or width < 1:
        raise invalid("output dimensions must be positive")
    if x.size == 0 and x.shape[0]:
        raise invalid(f"input image must be of non-zero size: {list(x.shape)}")
    return height, width


def _bilinear(images: Any, size: Any, align_corners: bool, half_pixel_centers: bool) -> Any:
    height, width = _new_size(images, size)
    x = images.astype(np.float32)
    top, bottom, down = resampling.between(x.shape[1], height, align_corners, half_pixel_centers)
    left, right, along = resampling.between(x.shape[2], width, align_corners, half_pixel_centers)
    along, down = along[:, None], down[:, None, None]
    # columns first, on the rows there are: an image that grows is cheapest so
    near = x[:, :, left]
    rows = (x[:, :, right] - near) * along + near
    near = rows[:, top]
    return (rows[:, bottom] - near) * down + near


def _nearest(images: Any, size: Any, align_corners: bool, half_pixel_centers: bool) -> Any:
    height, width = _new_size(images, size)
    rows = resampling.nearest(images.shape[1], height, align_corners, half_pixel_centers)
    columns = resampling.nearest(images.shape[2], width, align_corners, half_pixel_centers)
    return images[:, rows[:, None], columns]


def _by_matrices(matrix: Callable[..., Any]) -> Callable[..., Any]:
    def kernel(images: Any, size: Any, **attrs: Any) -> Any:
        height, width = _new_size(images, size)
        x = images.astype(np.float32)
        return resampling.resampled(
            x, matrix(x.shape[1], height, *attrs.values()), matrix(x.shape[2], width, *attrs.values())
        )

    return kernel


def _back(grads: Any, height: int, width: int, matrix: Callable[..., Any], attrs: dict[str, Any]) -> Any:
    rows = matrix(height, grads.shape[1], *attrs.values())
    columns = matrix(width, grads.shape[2], *attrs.values())
    return resampling.resampled(grads.astype(np.float32), rows.T, columns.T)


def _grad_by_matrices(matrix: Callable[..., Any]) -> Callable[..., Any]:
    def kernel(grads: Any, original_image: Any, **attrs: Any) -> Any:
        if grads.ndim != 4 or original_image.ndim != 4:
            raise invalid(f"input_grad must be 4-dimensional: {list(grads.shape)}")
        result = _back(grads, original_image.shape[1], original_image.shape[2], matrix, attrs)
        return result.astype(original_image.dtype, copy=False)

    return kernel


def _nearest_grad(grads: Any, size: Any, **attrs: Any) -> Any:
    height, width = _new_size(grads, size)
    if grads.dtype == np.float64:  # nothing may be lost on the way
        rows = resampling.choice(height, grads.shape[1], *attrs.values()).astype(np.float64)
        columns = resampling.choice(width, grads.shape[2], *attrs.values()).astype(np.float64)
        return resampling.resampled(grads, rows.T, columns.T)
    return _back(grads, height, width, resampling.choice, attrs).astype(grads.dtype, copy=False)


def _matrices(
    sizes: tuple[int, int], news: tuple[int, int], scale: Any, translation: Any, kernel_type: str, antialias: bool
) -> list[Any]:
    if kernel_type not in resampling.KERNELS:
        raise invalid(f"Unrecognized kernel type: {kernel_type}")
    if scale.shape != (2,) or translation.shape != (2,):
        raise invalid("scale and translation must have two elements")
    if not (scale > 0).all():
        raise invalid(f"scale must be greater than zero: {scale.tolist()}")
    return [
        resampling.weighted(old, new, float(s), float(t), kernel_type, antialias)
        for old, new, s, t in zip(sizes, news, scale, translation, strict=True)
    ]


def _scale_and_translate(
    images: Any, size: Any, scale: Any, translation: Any, kernel_type: str, antialias: bool
) -> Any:
    new = _new_size(images, size)
    rows, columns = _matrices(images.shape[1:3], new, scale, translation, kernel_type, antialias)
    return resampling.resampled(images.astype(np.float32), rows, columns)


def _scale_and_translate_grad(
    grads: Any, original_image: Any, scale: Any, translation: Any, kernel_type: str, antialias: bool
) -> Any:
    sizes = original_image.shape[1:3]
    rows, columns = _matrices(sizes, grads.shape[1:3], scale, translation, kernel_type, antialias)
    return resampling.resampled(grads.astype(np.float32), rows.T, columns.T).astype(original_image.dtype, copy=False)


# --------------------------------------------------------------------------------------------- inference and gradients


def _resized(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape = inference.with_rank(args[0].shape, 4, "images")
    inference.merge_dim(inference.with_rank(args[1].shape, 1, "size")[0], 2, "The number of sizes")
    size = inference.shape_of_value(args[1]) or (None, None)
    return (shape[0], *size, shape[3])


def _second_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    return args[1].shape


def _attributes(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in op.record.attrs}


def _float_image(op: Any) -> bool:
    return op.inputs[0].dtype in FLOAT


def _bilinear_gradient(op: Any, dy: Any) -> list[Any]:
    return [bind(BILINEAR_GRAD, (dy, op.inputs[0]), _attributes(op)) if _float_image(op) else None, None]


def _bilinear_grad_gradient(op: Any, g: Any) -> list[Any]:
    from graphlab.ops.array_shape import shape

    return [bind(BILINEAR, (g, shape(op.inputs[0])[1:3]), _attributes(op)), None]


def _bicubic_gradient(op: Any, dy: Any) -> list[Any]:
    return [bind(BICUBIC_GRAD, (dy, op.inputs[0]), _attributes(op)) if _float_image(op) else None, None]


def _nearest_gradient(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.array_shape import shape

    known = op.inputs[0]._raw_shape()
    size: Any = None if known is None else known[1:3]
    size = shape(op.inputs[0])[1:3] if size is None or None in size else np.array(size, np.int32)
    return [bind(NEAREST_GRAD, (dy, size), _attributes(op)), None]


def _scale_gradient(op: Any, dy: Any) -> list[Any]:
    images, _, scale, translation = op.inputs
    if not _float_image(op):
        return [None, None, None, None]
    return [bind(SCALE_GRAD, (dy, images, scale, translation), _attributes(op)), None, None, None]


_HALF: dict[str, Any] = {"align_corners": False, "half_pixel_centers": False}
_KERNEL: dict[str, Any] = {"kernel_type": "lanczos3", "antialias": True}
_IMAGES = {"T": REAL - {dtypes.uint32, dtypes.uint64}}
_FLOATS = {"T": FLOAT}
_TO_FLOAT = "images: T, size: int32 -> resized_images: float32"

BILINEAR = define("ResizeBilinear", _TO_FLOAT, kernel=_bilinear, infer=_resized, gradient=_bilinear_gradient,
                  types=_IMAGES, attrs=_HALF, can_fail=True)  # fmt: skip
BILINEAR_GRAD = define("ResizeBilinearGrad", "grads: float32, original_image: T -> output: T",
                       kernel=_grad_by_matrices(resampling.linear), infer=_second_shape,
                       gradient=_bilinear_grad_gradient, types=_FLOATS, attrs=_HALF, can_fail=True)  # fmt: skip
NEAREST = define("ResizeNearestNeighbor", "images: T, size: int32 -> resized_images: T", kernel=_nearest,
                 infer=_resized, gradient=_nearest_gradient, types=_IMAGES, attrs=_HALF, can_fail=True,
                 fp=False)  # fmt: skip
NEAREST_GRAD = define("ResizeNearestNeighborGrad", "grads: T, size: int32 -> output: T", kernel=_nearest_grad,
                      infer=_resized, types=_IMAGES, attrs=_HALF, can_fail=True)  # fmt: skip
BICUBIC = define("ResizeBicubic", _TO_FLOAT, kernel=_by_matrices(resampling.cubic), infer=_resized,
                 gradient=_bicubic_gradient, types=_IMAGES, attrs=_HALF, can_fail=True)  # fmt: skip
BICUBIC_GRAD = define("ResizeBicubicGrad", "grads: float32, original_image: T -> output: T",
                      kernel=_grad_by_matrices(resampling.cubic), infer=_second_shape, types=_FLOATS, attrs=_HALF,
                      can_fail=True)  # fmt: skip
AREA = define("ResizeArea", _TO_FLOAT, kernel=_by_matrices(resampling.area), infer=_resized, types=_IMAGES,
              attrs={"align_corners": False}, can_fail=True)  # fmt: skip
SCALE = define("ScaleAndTranslate", "images: T, size: int32, scale: float32, translation: float32 -> "
               "resized_images: float32", kernel=_scale_and_translate, infer=_resized, gradient=_scale_gradient,
               types=_IMAGES, attrs=_KERNEL, can_fail=True)  # fmt: skip
SCALE_GRAD = define("ScaleAndTranslateGrad", "grads: T, original_image: T, scale: float32, translation: float32 -> "
                    "output: T", kernel=_scale_and_translate_grad, infer=_second_shape,
                    types={"T": frozenset((dtypes.float32,))}, attrs=_KERNEL, can_fail=True)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("image.ResizeMethod")
class ResizeMethod:
    """The names of the methods of ``tf.image.resize``.

    >>> import graphlab as tf
    >>> tf.image.ResizeMethod.BICUBIC
    'bicubic'
    """

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


@public("image.resize")
def resize(
    images: Any,
    size: Any,
    method: str = "bilinear",
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Any:
    """Resizes images.

    Args:
      images: a tensor of rank 4 (batch × height × width × channels), or of rank 3 (one image), of a real dtype.
      size: two numbers of int32, the new height and width.
      method: ``"bilinear"``, ``"nearest"``, ``"bicubic"``, ``"area"``, ``"lanczos3"``, ``"lanczos5"``,
        ``"gaussian"`` or ``"mitchellcubic"``.
      preserve_aspect_ratio: the image may become smaller than ``size`` on one side, so that its shape is kept.
      antialias: take account of all pixels when an image shrinks.
      name: a name for the nodes' scope.

    Returns:
      A tensor of dtype float32; for ``"nearest"`` of that of ``images``.

    Raises:
      ValueError: for another method or rank, or a size that is not two numbers of int32.
      tf.errors.InvalidArgumentError: for a size below 1.

    >>> import graphlab as tf
    >>> tf.image.resize(tf.reshape([1.0, 3.0], [1, 2, 1]), [1, 4]).numpy().ravel()
    array([1. , 1.5, 2.5, 3. ], dtype=float32)
    """
    from graphlab.ops.array import expand_dims, squeeze
    from graphlab.ops.casting import cast

    with name_scope(name, "resize"):
        images = convert_to_tensor(images, name="images")
        shape = images._raw_shape()
        if shape is None:
            raise ValueError("'images' contains no shape.")
        if len(shape) not in (3, 4):
            raise ValueError("'images' must have either 3 or 4 dimensions.")
        if len(shape) == 3:
            images = expand_dims(images, 0)
        size = _size_of(size)
        if preserve_aspect_ratio:
            size = _kept_ratio(images, size)
        known, sizes = static.value(size), images._raw_shape()
        if known is not None and sizes[1:3] == tuple(known.tolist()):
            result = images if method == "nearest" else cast(images, dtypes.float32)
        else:
            result = _methods(images, size, method, antialias)
        return squeeze(result, [0]) if len(shape) == 3 else result


def _size_of(size: Any) -> Any:
    try:
        size = convert_to_tensor(size, dtypes.int32, name="size")
    except (TypeError, ValueError):
        raise ValueError("'size' must be a 1-D int32 Tensor") from None
    shape = size._raw_shape()
    if shape is not None and (len(shape) != 1 or shape[0] not in (2, None)):
        raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    return size


def _kept_ratio(images: Any, size: Any) -> Any:
    """The largest size of the image's shape within ``size``."""
    from graphlab.ops import array, math, rounding
    from graphlab.ops.array_shape import shape
    from graphlab.ops.casting import cast

    known = static.value(size)
    sizes = images._raw_shape()
    if known is not None and None not in sizes[1:3]:
        old = np.array(sizes[1:3], np.float32)
        scale = (known.astype(np.float32) / old).min()
        return convert_to_tensor(np.rint(scale * old).astype(np.int32), name="size")
    present = cast(shape(images)[1:3], dtypes.float32)
    ratio = cast(size, dtypes.float32) / present
    scale = math.minimum(ratio[0], ratio[1])
    rounded = rounding.round(scale * present)
    return cast(array.stack([rounded[0], rounded[1]]), dtypes.int32)


def _methods(images: Any, size: Any, method: str, antialias: bool) -> Any:
    from graphlab.ops.array_shape import shape
    from graphlab.ops.casting import cast

    half = {"half_pixel_centers": True}
    filters = {"bilinear": "triangle", "bicubic": "keyscubic"}
    if method == "nearest":
        return bind(NEAREST, (images, size), half)
    if method == "area":
        return bind(AREA, (images, size))
    if method in filters and not antialias:
        return bind(BILINEAR if method == "bilinear" else BICUBIC, (images, size), half)
    if method in filters or method in ("lanczos3", "lanczos5", "gaussian", "mitchellcubic"):
        images = cast(images, dtypes.float32)
        scale = cast(size, dtypes.float32) / cast(shape(images)[1:3], dtypes.float32)
        attrs = {"kernel_type": filters.get(method, method), "antialias": antialias}
        return bind(SCALE, (images, size, scale, np.zeros(2, np.float32)), attrs)
    raise ValueError(f"Resize method is not implemented: {method}")
