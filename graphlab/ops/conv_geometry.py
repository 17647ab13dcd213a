"""Where the windows of a convolution or a pool stand: sizes, paddings and slices, worked out once for each shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from graphlab.core.errors import InvalidArgumentError


class Geometry:
    """Windows over the spatial axes of an array, each attribute with an entry an axis.

    Attributes:
      sizes: of the input.
      window: of the window.
      strides: from one window to the next.
      dilations: from one element of a window to the next.
      before: zeros before the input.
      counts: how many windows there are.
      padded: the size of the input with its zeros, as far as windows reach or the input does.
      inside: where the input stands in the padded array.
      pads: whether there are any zeros.
    """

    __slots__ = ("before", "counts", "dilations", "inside", "padded", "pads", "sizes", "strides", "window")

    def __init__(
        self,
        sizes: Sequence[int],
        window: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        before: Sequence[int],
        counts: Sequence[int],
    ) -> None:
        self.sizes, self.window = tuple(sizes), tuple(window)
        self.strides, self.dilations = tuple(strides), tuple(dilations)
        self.before, self.counts = tuple(before), tuple(counts)
        reach = [(n - 1) * s + (k - 1) * d + 1 for n, s, k, d in zip(counts, strides, window, dilations, strict=True)]
        self.padded = tuple(max(r, b + n) for r, b, n in zip(reach, before, sizes, strict=True))
        self.inside = tuple(slice(b, b + n) for b, n in zip(before, sizes, strict=True))
        self.pads = self.padded != self.sizes

    def at(self, place: Sequence[int], rows: slice | None = None) -> tuple[slice, ...]:
        """Where the elements at one place of all windows (or of some rows of windows) stand in the padded array."""
        result = []
        for axis, (p, d, s, n) in enumerate(zip(place, self.dilations, self.strides, self.counts, strict=True)):
            first, stop = (0, n) if rows is None or axis else (rows.start, rows.stop)
            start = p * d + first * s
            result.append(slice(start, start + (stop - first - 1) * s + 1 if stop > first else start, s))
        return tuple(result)

    def seen(self, axis: int, place: int) -> tuple[slice, slice]:
        """Along an axis: the windows whose element at ``place`` is no padding, and where those stand in the input."""
        offset = place * self.dilations[axis] - self.before[axis]
        stride = self.strides[axis]
        first = max(-(offset // stride), 0)
        stop = min((self.sizes[axis] - 1 - offset) // stride + 1, self.counts[axis])
        if stop <= first:
            return slice(0, 0), slice(0, 0)
        start = first * stride + offset
        return slice(first, stop), slice(start, start + (stop - first - 1) * stride + 1, stride)

    def transposed(self) -> Geometry | None:
        """For strides of 1, the windows over the outputs that see what an input gave to; None where there are none."""
        spans = [(k - 1) * d for k, d in zip(self.window, self.dilations, strict=True)]
        before = [span - b for span, b in zip(spans, self.before, strict=True)]
        if any(s != 1 for s in self.strides) or min(before) < 0:
            return None
        # windows that would begin beyond the last output see nothing
        if any(b + n < size for b, n, size in zip(before, self.counts, self.sizes, strict=True)):
            return None
        return Geometry(self.counts, self.window, self.strides, self.dilations, before, self.sizes)


def spatial(values: Sequence[int], data_format: str) -> tuple[int, ...]:
    """The entries for the spatial axes of a list that has one for each axis."""
    return tuple(values[1:-1]) if data_format[-1] == "C" else tuple(values[2:])


def geometry(sizes: Sequence[int], window: Sequence[int], attrs: dict[str, Any]) -> Geometry:
    """The windows over axes of these sizes, by the attributes of a convolution or a pool.

    Raises:
      InvalidArgumentError: for attributes that mean nothing, or if not even one window fits.
    """
    data_format = attrs["data_format"]
    dilations = attrs.get("dilations")
    explicit = attrs["explicit_paddings"] if attrs["padding"] == "EXPLICIT" else ()
    return _geometry(
        tuple(sizes),
        tuple(window),
        spatial(attrs["strides"], data_format),
        spatial(dilations, data_format) if dilations else (1,) * len(window),
        attrs["padding"],
        tuple(explicit[2:-2] if data_format[-1] == "C" else explicit[4:]),
    )


@lru_cache(maxsize=512)
def _geometry(
    sizes: tuple[int, ...],
    window: tuple[int, ...],
    strides: tuple[int, ...],
    dilations: tuple[int, ...],
    padding: str,
    explicit: tuple[int, ...],
) -> Geometry:
    before, counts = [], []
    for axis, (size, k, stride, dilation) in enumerate(zip(sizes, window, strides, dilations, strict=True)):
        start, count = place_windows(size, k, stride, dilation, padding, explicit[2 * axis : 2 * axis + 2])
        if count < 0:
            message = (
                f"Computed output size would be negative: {count} "
                f"[input_size: {size}, effective_filter_size: {(k - 1) * dilation + 1}, stride: {stride}]"
            )
            raise InvalidArgumentError(None, None, message)
        before.append(start)
        counts.append(count)
    return Geometry(sizes, window, strides, dilations, before, counts)


def place_windows(
    size: int, window: int, stride: int, dilation: int, padding: str, pads: Sequence[int]
) -> tuple[int, int]:
    """Along an axis: the zeros before the input and the number of windows (negative if not one fits)."""
    span = (window - 1) * dilation + 1
    if padding not in ("SAME", "VALID", "EXPLICIT"):
        raise InvalidArgumentError(
            None, None, f"Value for attr 'padding' of \"{padding}\" is not in the list of allowed values"
        )
    if padding == "SAME":
        count = -(-size // stride)
        return max((count - 1) * stride + span - size, 0) // 2, count
    before, after = pads if padding == "EXPLICIT" else (0, 0)
    return before, (size + before + after - span) // stride + 1
