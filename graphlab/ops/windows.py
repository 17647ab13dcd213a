"""Arithmetic of sliding windows, which convolution and pooling share: sizes, paddings, views of an array's windows.

Everything here works with channels last and any number of spatial axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from graphlab.core.errors import InvalidArgumentError
from graphlab.ops.inference import Shape


class Window(NamedTuple):
    """One spatial axis of a sliding window."""

    size: int
    stride: int
    dilation: int
    before: int
    after: int
    positions: int

    @property
    def span(self) -> int:
        """How far the window reaches."""
        return (self.size - 1) * self.dilation + 1


def layout(data_format: str) -> tuple[int, int]:
    """The channel axis and the number of spatial axes of ``"NHWC"`` and the like."""
    return data_format.index("C"), len(data_format) - 2


def spatial(values: Sequence[int], data_format: str) -> list[int]:
    """The entries for the spatial axes of a list that has one for each axis."""
    return [n for n, letter in zip(values, data_format, strict=True) if letter not in "NC"]


def windows(
    sizes: Sequence[int], window: Sequence[int], attrs: dict[str, Any], dilations: Sequence[int] | None = None
) -> list[Window]:
    """The windows over axes of the given sizes, by the attributes strides, padding, explicit_paddings, data_format."""
    data_format = attrs["data_format"]
    strides = spatial(attrs["strides"], data_format)
    dilated = [1] * len(sizes) if dilations is None else spatial(dilations, data_format)
    explicit = attrs.get("explicit_paddings") or [0] * (2 * len(data_format))
    result = []
    places = [i for i, letter in enumerate(data_format) if letter not in "NC"]
    for size, k, stride, dilation, place in zip(sizes, window, strides, dilated, places, strict=True):
        span = (k - 1) * dilation + 1
        if attrs["padding"] == "SAME":
            count = -(-size // stride)
            total = max((count - 1) * stride + span - size, 0)
            before, after = total // 2, total - total // 2
        else:
            before, after = explicit[2 * place : 2 * place + 2] if attrs["padding"] == "EXPLICIT" else (0, 0)
            count = (size + before + after - span) // stride + 1
        if count < 0 or (count == 0 and size + before + after < span - 1):
            count = 0
        result.append(Window(k, stride, dilation, before, after, count))
    return result


def output_size(
    size: int | None, k: int | None, stride: int, dilation: int, padding: str, pads: Sequence[int]
) -> int | None:
    """The number of windows along an axis.  ValueError if not even one fits."""
    if size is None:
        return None
    if padding == "SAME":
        return -(-size // stride)
    if k is None:
        return None
    count = (size + sum(pads) - (k - 1) * dilation - 1) // stride + 1
    if count < 0:
        raise ValueError(f"A window of {k} does not fit an axis of {size}.")
    return count


def output_shape(
    shape: Shape, window: Sequence[int | None], attrs: dict[str, Any], channels: int | None
) -> tuple[int | None, ...]:
    """The shape of a convolution or pool."""
    data_format = attrs["data_format"]
    have = (None,) * len(data_format) if shape is None else shape
    if len(have) != len(data_format):
        raise ValueError(f"The input must have rank {len(data_format)}, but has shape {list(have)}.")
    dilations = attrs.get("dilations") or [1] * len(data_format)
    explicit = attrs.get("explicit_paddings") or [0] * (2 * len(data_format))
    sizes = iter(window)
    result: list[int | None] = []
    for i, letter in enumerate(data_format):
        if letter == "N":
            result.append(have[i])
        elif letter == "C":
            result.append(channels)
        else:
            pads = explicit[2 * i : 2 * i + 2]
            result.append(output_size(have[i], next(sizes), attrs["strides"][i], dilations[i], attrs["padding"], pads))
    return tuple(result)


def channels_last(x: Any, data_format: str) -> Any:
    """A view with the channels last."""
    return np.moveaxis(x, data_format.index("C"), -1)


def channels_back(x: Any, data_format: str) -> Any:
    """The inverse of ``channels_last``."""
    return np.moveaxis(x, -1, data_format.index("C"))


def padded(x: Any, over: Sequence[Window], value: Any = 0) -> Any:
    """``x`` (channels last) with its windows' paddings."""
    if not any(w.before or w.after for w in over):
        return x
    pairs = [(0, 0), *((w.before, w.after) for w in over), (0, 0)]
    return np.pad(x, pairs, constant_values=np.asarray(value, x.dtype))


def view(x: Any, over: Sequence[Window]) -> Any:
    """All windows of a padded array, as a view: batch, window positions, places in the window, channels."""
    steps = x.strides[1:-1]
    shape = (len(x), *(w.positions for w in over), *(w.size for w in over), x.shape[-1])
    strides = (
        x.strides[0],
        *(s * w.stride for s, w in zip(steps, over, strict=True)),
        *(s * w.dilation for s, w in zip(steps, over, strict=True)),
        x.strides[-1],
    )
    if any(w.positions < 1 for w in over):
        return np.zeros(shape, x.dtype)
    return as_strided(x, shape, strides, writeable=False)


def at_place(over: Sequence[Window], place: Sequence[int]) -> tuple[slice, ...]:
    """Where, in the padded array, the elements at one place of all windows stand."""
    return tuple(
        slice(p * w.dilation, p * w.dilation + (w.positions - 1) * w.stride + 1, w.stride)
        for p, w in zip(place, over, strict=True)
    )


def unpadded(x: Any, over: Sequence[Window]) -> Any:
    """The inverse of ``padded``."""
    key = (slice(None), *(slice(w.before, n - w.after) for w, n in zip(over, x.shape[1:-1], strict=True)))
    return x[key]


def check_rank(x: Any, rank: int, what: str) -> None:
    """InvalidArgumentError unless ``x`` has that rank."""
    if x.ndim != rank:
        raise InvalidArgumentError(None, None, f"{what} must be {rank}-dimensional: {list(x.shape)}")
