"""The shapes that sliding windows give: the shape rule of convolutions and pools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphlab.ops.inference import Shape

FORMATS = ("NHWC", "NCHW", "NDHWC", "NCDHW")


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
    check_attributes(attrs)
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


def check_attributes(attrs: dict[str, Any]) -> None:
    """ValueError for a format, padding, stride or dilation that no windows have."""
    if attrs["data_format"] not in FORMATS:
        raise ValueError(f"The data format must be one of {', '.join(FORMATS)}, not {attrs['data_format']!r}.")
    if attrs["padding"] not in ("SAME", "VALID", "EXPLICIT"):
        raise ValueError(f"The padding must be SAME, VALID or a list of pairs, not {attrs['padding']!r}.")
    for what in ("strides", "dilations"):
        if min(attrs.get(what) or [1]) < 1:
            raise ValueError(f"{what} must be at least 1, not {attrs[what]}.")
