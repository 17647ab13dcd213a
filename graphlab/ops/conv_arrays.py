"""The kernels of the convolution ops: they check what they are given and bring it to the form of ``conv_kernels``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core.errors import InvalidArgumentError, NoKernelError, UnimplementedError
from graphlab.ops import conv_kernels
from graphlab.ops.conv_geometry import Geometry, geometry, spatial
from graphlab.ops.windows import FORMATS

# ------------------------------------------------------------------------------------------------------------- the form


def channels_last(x: Any, data_format: str) -> Any:
    """A view with the channels last."""
    return x if data_format[-1] == "C" else np.moveaxis(x, 1, -1)


def channels_back(x: Any, data_format: str) -> Any:
    """The inverse of ``channels_last``.

    It stays a view: a chain of convolutions with the channels second then copies nothing between them.
    """
    return x if data_format[-1] == "C" else np.moveaxis(x, -1, 1)


def wide(x: Any) -> Any:
    """Halves as float32, which holds their sums; other numbers as they are."""
    return x.astype(np.float32) if x.dtype.itemsize == 2 and x.dtype.kind in "fV" else x


def invalid(message: str) -> InvalidArgumentError:
    """The error for bad values."""
    return InvalidArgumentError(None, None, message)


def check_kernel(x: Any, op: str, *missing: str) -> None:
    """NoKernelError for dtypes that TensorFlow declares and has no kernel for."""
    if x.dtype.name in missing:
        raise NoKernelError(None, None, f"Could not find device for node: {op} has no kernel for {x.dtype.name}.")


def check_rank(x: Any, rank: int, what: str) -> None:
    """InvalidArgumentError unless ``x`` has that rank."""
    if x.ndim != rank:
        raise invalid(f"{what} must be {rank}-dimensional: {list(x.shape)}")


def _check_attributes(attrs: dict[str, Any], forward: bool = True) -> None:
    data_format, strides, dilations = attrs["data_format"], attrs["strides"], attrs["dilations"]
    if data_format not in FORMATS:
        raise invalid(f"Invalid data format {data_format!r}: it must be one of {', '.join(FORMATS)}")
    for values, what in ((strides, "strides"), (dilations, "dilations")):
        if len(values) != len(data_format):
            raise invalid(f"Sliding window {what} field must specify {len(data_format)} dimensions")
        if values[0] != 1 or values[data_format.index("C")] != 1:
            message = f"Current implementation does not yet support {what} in the batch and depth dimensions."
            raise UnimplementedError(None, None, message) if forward else invalid(message)
    if min(strides) < 1:
        raise invalid(f"Stride must be > 0, but got {min(strides)}")
    if min(dilations) < 1:
        raise invalid("Dilated rates should be larger than 0.")
    if min(attrs.get("explicit_paddings") or (0,)) < 0:
        raise invalid(f"Paddings must not be negative: {attrs['explicit_paddings']}")


def _placed(sizes: Sequence[int], window: Sequence[int], attrs: dict[str, Any], forward: bool = True) -> Geometry:
    _check_attributes(attrs, forward)
    return geometry(sizes, window, attrs)


def _groups(channels: int, filter_shape: Sequence[int]) -> int:
    """How many groups the channels fall into, each with filters of its own."""
    deep, out = filter_shape[-2:]
    if deep == channels:
        return 1
    if len(filter_shape) == 5:
        raise invalid(f"input and filter must have the same depth: {channels} vs {deep}")
    if deep == 0 or channels % deep:
        raise invalid(f"input depth must be evenly divisible by filter depth: {channels} vs {deep}")
    if out % (channels // deep):
        raise invalid(f"output depth must be evenly divisible by number of groups: {out} vs {channels // deep}")
    return channels // deep


def _sizes(values: Any, rank: int, what: str) -> list[int]:
    if values.ndim != 1 or len(values) != rank:
        raise invalid(f"{what} must be 1-dimensional with {rank} elements: {values.tolist()}")
    return [int(n) for n in values.tolist()]


def _input_sizes(values: Any, f: Any, dy: Any, data_format: str) -> tuple[list[int], int]:
    """The spatial sizes and the number of channels of an input; two sizes alone are height and width."""
    if len(data_format) == 4 and values.shape == (2,):
        return [int(n) for n in values.tolist()], f.shape[-2]
    sizes = _sizes(values, len(data_format), "input_sizes")
    if sizes[0] != len(dy):
        raise invalid(f"input_sizes and out_backprop must have the same batch size: {sizes[0]} vs {len(dy)}")
    return list(spatial(sizes, data_format)), sizes[data_format.index("C")]


def _nothing(values: Any, f: Any, dy: Any, data_format: str) -> Any:
    """The zeros that no filter gives, or no elements; as in TensorFlow nothing else is looked at."""
    sizes = values.reshape(-1).tolist()
    if len(data_format) == 4 and len(sizes) == 2:
        check_rank(f, 4, "filter")
        sizes = [len(dy), *sizes, f.shape[-2]] if data_format == "NHWC" else [len(dy), f.shape[-2], *sizes]
    return np.zeros(sizes, dy.dtype)


def _check_backprop(dy: Any, over: Geometry, channels: int) -> None:
    expected = (*over.counts, channels)
    if dy.shape[1:] != expected:
        raise invalid(
            f"out_backprop has sizes and channels {list(dy.shape[1:])}, but the convolution gives {list(expected)}"
        )


# ---------------------------------------------------------------------------------------------------------- the kernels


def convolve(x: Any, f: Any, **attrs: Any) -> Any:
    """Conv2D and Conv3D."""
    data_format = attrs["data_format"]
    check_rank(x, len(data_format), "input")
    check_rank(f, len(data_format), "filter")
    last = wide(channels_last(x, data_format))
    groups = _groups(last.shape[-1], f.shape)
    over = _placed(last.shape[1:-1], f.shape[:-2], attrs)
    if groups == 1:
        result = conv_kernels.convolve(last, wide(f), over)
    else:
        result = conv_kernels.grouped(groups, lambda a, b: conv_kernels.convolve(a, b, over), last, wide(f))
    return channels_back(result.astype(x.dtype, copy=False), data_format)


def by_input(input_sizes: Any, f: Any, dy: Any, **attrs: Any) -> Any:
    """Conv2DBackpropInput and Conv3DBackpropInputV2."""
    data_format = attrs["data_format"]
    if 0 in f.shape or 0 in input_sizes:
        return _nothing(input_sizes, f, dy, data_format)
    check_rank(f, len(data_format), "filter")
    check_rank(dy, len(data_format), "out_backprop")
    sizes, channels = _input_sizes(input_sizes, f, dy, data_format)
    groups = _groups(channels, f.shape)
    over = _placed(sizes, f.shape[:-2], attrs, forward=False)
    last = wide(channels_last(dy, data_format))
    _check_backprop(last, over, f.shape[-1])
    if groups == 1:
        result = conv_kernels.by_input(wide(f), last, over)
    else:
        result = conv_kernels.grouped(groups, lambda a, b: conv_kernels.by_input(a, b, over), wide(f), last)
    return channels_back(result.astype(dy.dtype, copy=False), data_format)


def by_filter(x: Any, filter_sizes: Any, dy: Any, **attrs: Any) -> Any:
    """Conv2DBackpropFilter and Conv3DBackpropFilterV2."""
    data_format = attrs["data_format"]
    check_rank(x, len(data_format), "input")
    check_rank(dy, len(data_format), "out_backprop")
    shape = _sizes(filter_sizes, len(data_format), "filter_sizes")
    last, gradient = wide(channels_last(x, data_format)), wide(channels_last(dy, data_format))
    if len(last) != len(gradient):
        raise invalid(f"input and out_backprop must have the same batch size: {len(last)} vs {len(gradient)}")
    groups = _groups(last.shape[-1], shape)
    over = _placed(last.shape[1:-1], shape[:-2], attrs)
    _check_backprop(gradient, over, shape[-1])
    if groups == 1:
        result = conv_kernels.by_filter(last, gradient, over)
    else:
        result = conv_kernels.grouped(groups, lambda a, b: conv_kernels.by_filter(a, b, over), last, gradient)
    return result.astype(x.dtype, copy=False)


def depthwise(x: Any, f: Any, **attrs: Any) -> Any:
    """DepthwiseConv2dNative."""
    data_format = attrs["data_format"]
    check_rank(x, 4, "input")
    check_rank(f, 4, "filter")
    last = wide(channels_last(x, data_format))
    if f.shape[2] != last.shape[-1]:
        raise invalid(f"input and filter must have the same depth: {last.shape[-1]} vs {f.shape[2]}")
    over = _placed(last.shape[1:-1], f.shape[:2], attrs)
    result = conv_kernels.depthwise(last, wide(f), over)
    return channels_back(result.astype(x.dtype, copy=False), data_format)


def depthwise_by_input(input_sizes: Any, f: Any, dy: Any, **attrs: Any) -> Any:
    """DepthwiseConv2dNativeBackpropInput."""
    data_format = attrs["data_format"]
    check_rank(f, 4, "filter")
    check_rank(dy, 4, "out_backprop")
    sizes = _sizes(input_sizes, 4, "input_sizes")
    over = _placed(spatial(sizes, data_format), f.shape[:2], attrs)
    last = wide(channels_last(dy, data_format))
    _check_backprop(last, over, f.shape[2] * f.shape[3])
    result = conv_kernels.depthwise_by_input(wide(f), last, over)
    return channels_back(result.astype(dy.dtype, copy=False), data_format)


def depthwise_by_filter(x: Any, filter_sizes: Any, dy: Any, **attrs: Any) -> Any:
    """DepthwiseConv2dNativeBackpropFilter."""
    data_format = attrs["data_format"]
    check_rank(x, 4, "input")
    check_rank(dy, 4, "out_backprop")
    *window, channels, multiplier = _sizes(filter_sizes, 4, "filter_sizes")
    last, gradient = wide(channels_last(x, data_format)), wide(channels_last(dy, data_format))
    over = _placed(last.shape[1:-1], window, attrs)
    _check_backprop(gradient, over, channels * multiplier)
    result = conv_kernels.depthwise_by_filter(last, gradient, multiplier, over)
    return result.astype(x.dtype, copy=False)
