"""Convolution on BLAS: the windows of a strip of the input as rows of a matrix, multiplied by the filters as a matrix.

All windows at once would be a copy ``window``-times as large as the input; a strip stays in the cache.  Two layouts of
the strip serve: a window in a row, which copies runs of ``width × channels``; and, where channels are few and such runs
short, a place of the window in a row, which copies runs of positions.

Everything works with channels last and any number of spatial axes, on float32, float64 or integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from graphlab.ops.conv_geometry import Geometry

# A strip's bytes: enough rows for BLAS to be quick, few enough to stay in a second-level cache of common size.
STRIP = 1 << 21
# The same for arithmetic that passes over a strip once for each place of a window.
LIGHT_STRIP = 1 << 18
# Runs shorter than this many elements cost more to copy than to gather place by place.
SHORT_RUN = 24

Block = tuple[slice, slice]


def _blocks(geometry: Geometry, batch: int, row_bytes: int, strip: int = STRIP) -> Iterator[Block]:
    """Strips of about so many bytes: several whole images, or some rows (of windows) of one image."""
    rows = geometry.counts[0]
    image_bytes = max(rows * row_bytes, 1)
    if image_bytes <= strip:
        several = min(max(strip // image_bytes, 1), max(batch, 1))
        for start in range(0, batch, several):
            yield slice(start, min(start + several, batch)), slice(0, rows)
    else:
        some = max(strip // max(row_bytes, 1), 1)
        for image in range(batch):
            for start in range(0, rows, some):
                yield slice(image, image + 1), slice(start, min(start + some, rows))


def padded(x: Any, geometry: Geometry) -> Any:
    """A contiguous array: ``x`` with its zeros around."""
    if not geometry.pads:
        return np.ascontiguousarray(x)
    result = np.zeros((len(x), *geometry.padded, x.shape[-1]), x.dtype)
    result[(slice(None), *geometry.inside)] = x
    return result


def _planes(x: Any, geometry: Geometry) -> Any:
    """As ``padded``, with the channels first."""
    first = np.moveaxis(x, -1, 0)
    if not geometry.pads:
        return np.ascontiguousarray(first)
    result = np.zeros((x.shape[-1], len(x), *geometry.padded), x.dtype)
    result[(slice(None), slice(None), *geometry.inside)] = first
    return result


def _steps(x: Any) -> list[int]:
    """The strides of a contiguous array; those it states are arbitrary along axes of size 1."""
    result = [x.itemsize]
    for size in x.shape[:0:-1]:
        result.append(result[-1] * size)
    return result[::-1]


def _strided(x: Any, shape: Sequence[int], strides: Sequence[int]) -> Any:
    """A view of a contiguous array (what as_strided does, at a tenth of its price)."""
    return np.ndarray(shape, x.dtype, x, 0, strides)


def _window_rows(x: Any, geometry: Geometry) -> Any:
    """All windows of a padded array as a view: batch, counts, then the window with its contiguous end as one axis."""
    batch_step, *steps, step = _steps(x)
    channels = x.shape[-1]
    apart = [s * d for s, d in zip(steps, geometry.dilations, strict=True)]
    inner, inner_steps = [*geometry.window, channels], [*apart, step]
    if geometry.dilations[-1] == 1:
        inner, inner_steps = [*inner[:-2], inner[-2] * channels], [*inner_steps[:-2], step]
    shape = (len(x), *geometry.counts, *inner)
    move = [s * n for s, n in zip(steps, geometry.strides, strict=True)]
    return _strided(x, shape, (batch_step, *move, *inner_steps))


def _place_rows(x: Any, geometry: Geometry) -> Any:
    """All windows of padded planes as a view: the window, channels, batch, counts."""
    channel_step, batch_step, *steps = _steps(x)
    apart = [s * d for s, d in zip(steps, geometry.dilations, strict=True)]
    move = [s * n for s, n in zip(steps, geometry.strides, strict=True)]
    shape = (*geometry.window, len(x), x.shape[1], *geometry.counts)
    return _strided(x, shape, (*apart, channel_step, batch_step, *move))


def _by_places(geometry: Geometry, channels: int) -> bool:
    """Whether to copy runs of positions, not of a window's elements."""
    run = channels * (geometry.window[-1] if geometry.dilations[-1] == 1 else 1)
    return run < SHORT_RUN and geometry.counts[-1] > run


def _strips(x: Any, geometry: Geometry) -> Iterator[tuple[Block, Any]]:
    """Strips with their windows as a matrix, positions × elements of the window; the matrix is good until the next."""
    channels = x.shape[-1]
    depth = prod(geometry.window) * channels
    per_row = prod(geometry.counts[1:])
    blocks = list(_blocks(geometry, len(x), per_row * depth * x.itemsize))
    if not blocks:
        return
    images, rows = blocks[0]
    height, many = rows.stop - rows.start, images.stop - images.start
    memory = np.empty(many * height * per_row * depth, x.dtype)
    if _by_places(geometry, channels):
        view = _place_rows(_planes(x, geometry), geometry)
        whole = (slice(None),) * (len(geometry.window) + 1)
        for images, rows in blocks:
            seen = view[(*whole, images, rows)]
            matrix = memory[: seen.size].reshape(seen.shape)
            matrix[...] = seen
            yield (images, rows), matrix.reshape(depth, -1).T
    else:
        view = _window_rows(padded(x, geometry), geometry)
        for images, rows in blocks:
            seen = view[images, rows]
            matrix = memory[: seen.size].reshape(seen.shape)
            matrix[...] = seen
            yield (images, rows), matrix.reshape(-1, depth)


def _is_pointwise(geometry: Geometry) -> bool:
    """Every window is one element, and all elements have one."""
    return not geometry.pads and all(k == s == 1 for k, s in zip(geometry.window, geometry.strides, strict=True))


def convolve(x: Any, f: Any, geometry: Geometry) -> Any:
    """The convolution of ``x`` (batch × sizes × channels) by ``f`` (window × channels × output channels)."""
    channels = f.shape[-1]
    result = np.empty((len(x), *geometry.counts, channels), x.dtype)
    if not result.size:
        return result
    matrix = f.reshape(-1, channels)
    if _is_pointwise(geometry):
        np.matmul(x.reshape(-1, x.shape[-1]), matrix, out=result.reshape(-1, channels))
        return result
    for block, strip in _strips(x, geometry):
        np.matmul(strip, matrix, out=result[block].reshape(-1, channels))
    return result


def by_filter(x: Any, dy: Any, geometry: Geometry) -> Any:
    """The gradient of ``convolve`` by its filter."""
    channels = dy.shape[-1]
    depth = prod(geometry.window) * x.shape[-1]
    shape = (*geometry.window, x.shape[-1], channels)
    if not dy.size or not x.size:
        return np.zeros(shape, x.dtype)
    if _is_pointwise(geometry):
        return np.matmul(x.reshape(-1, depth).T, dy.reshape(-1, channels)).reshape(shape)
    dy = np.ascontiguousarray(dy)
    result: Any = None
    for block, strip in _strips(x, geometry):
        part = np.matmul(strip.T, dy[block].reshape(-1, channels))
        result = part if result is None else np.add(result, part, out=result)
    return result.reshape(shape)


def by_input(f: Any, dy: Any, geometry: Geometry) -> Any:
    """The gradient of ``convolve`` by its input."""
    *_, deep, channels = f.shape
    if not dy.size:
        return np.zeros((len(dy), *geometry.sizes, deep), dy.dtype)
    if _is_pointwise(geometry):
        return np.matmul(dy.reshape(-1, channels), f.reshape(deep, channels).T).reshape(*dy.shape[:-1], deep)
    back = geometry.transposed() if channels <= 4 * deep else None
    if back is not None:
        flipped = f[(slice(None, None, -1),) * len(geometry.window)].swapaxes(-1, -2)
        return convolve(dy, np.ascontiguousarray(flipped), back)
    return _spread(f, dy, geometry)


def _spread(f: Any, dy: Any, geometry: Geometry) -> Any:
    """``by_input`` for strides: what each window gives to each of its places, added up where windows overlap."""
    *_, deep, channels = f.shape
    matrix = f.reshape(-1, channels)
    depth = len(matrix)
    dy = np.ascontiguousarray(dy)
    row_bytes = prod(geometry.counts[1:]) * depth * dy.itemsize
    places = _by_places(geometry, deep)
    whole = np.zeros((len(dy), *geometry.padded, deep), dy.dtype)
    target = whole
    if places:
        whole = np.zeros((deep, len(dy), *geometry.padded), dy.dtype)
        target = np.moveaxis(whole, 0, -1)
    for images, rows in _blocks(geometry, len(dy), row_bytes):
        block = dy[images, rows]
        flat = block.reshape(-1, channels)
        if places:
            given = np.matmul(matrix, flat.T).reshape(*geometry.window, deep, *block.shape[:-1])
        else:
            given = np.matmul(flat, matrix.T).reshape(*block.shape[:-1], *geometry.window, deep)
        for place in product(*map(range, geometry.window)):
            at = geometry.at(place, rows)
            if places:
                whole[(slice(None), images, *at)] += given[place]
            else:
                whole[(images, *at)] += given[(..., *place, slice(None))]
    return target[(slice(None), *geometry.inside)]


# -------------------------------------------------------------------------------------------- groups, one filter each


def grouped(groups: int, part: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """``part`` of each group of the channels (the last axis) of ``a`` and ``b``, side by side."""
    if groups == 1:
        return part(a, b)
    pairs = zip(np.split(a, groups, -1), np.split(b, groups, -1), strict=True)
    return np.concatenate([part(one, other) for one, other in pairs], -1)


def _each_output(x: Any, multiplier: int) -> Any:
    """The channels, each as often as it has filters: arithmetic then runs along whole channels."""
    return x if multiplier == 1 else np.repeat(x, multiplier, -1)


def depthwise(x: Any, f: Any, geometry: Geometry) -> Any:
    """The convolution of each channel by filters of its own, ``f``: window × channels × multiplier."""
    *_, channels, multiplier = f.shape
    f = f.reshape(*geometry.window, channels * multiplier)
    x = _each_output(padded(x, geometry), multiplier)
    result = np.empty((len(x), *geometry.counts, channels * multiplier), x.dtype)
    places = list(product(*map(range, geometry.window)))
    row_bytes = prod(result.shape[2:]) * x.itemsize
    for images, rows in _blocks(geometry, len(x), row_bytes, LIGHT_STRIP):
        total = result[images, rows]
        term = np.empty_like(total)
        for i, place in enumerate(places):
            np.multiply(x[(images, *geometry.at(place, rows))], f[place], out=term if i else total)
            if i:
                total += term
    return result


def depthwise_by_input(f: Any, dy: Any, geometry: Geometry) -> Any:
    """The gradient of ``depthwise`` by its input."""
    *_, channels, multiplier = f.shape
    f = f.reshape(*geometry.window, channels * multiplier)
    dy = np.ascontiguousarray(dy)
    whole: Any = np.zeros((len(dy), *geometry.padded, channels * multiplier), dy.dtype)
    row_bytes = prod(dy.shape[2:]) * dy.itemsize
    for images, rows in _blocks(geometry, len(dy), row_bytes, LIGHT_STRIP):
        block = dy[images, rows]
        term = np.empty_like(block)
        for place in product(*map(range, geometry.window)):
            np.multiply(block, f[place], out=term)
            part = whole[(images, *geometry.at(place, rows))]
            np.add(part, term, out=part)
    result = whole[(slice(None), *geometry.inside)]
    if multiplier == 1:
        return result
    return np.add.reduce(result.reshape(*result.shape[:-1], channels, multiplier), -1)


def depthwise_by_filter(x: Any, dy: Any, multiplier: int, geometry: Geometry) -> Any:
    """The gradient of ``depthwise`` by its filter."""
    channels = x.shape[-1]
    x, dy = _each_output(padded(x, geometry), multiplier), np.ascontiguousarray(dy)
    result: Any = np.empty((*geometry.window, channels * multiplier), x.dtype)
    for place in product(*map(range, geometry.window)):
        np.einsum("nhwc,nhwc->c", x[(slice(None), *geometry.at(place))], dy, out=result[place])
    return result.reshape(*geometry.window, channels, multiplier)
