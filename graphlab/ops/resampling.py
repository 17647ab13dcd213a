"""Resampling along one axis as a matrix: which share of each old element every new element takes.

Resizing an image is then a product with one matrix for its rows and one for its columns, and the gradient the product
with their transposes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import pi
from typing import Any

import numpy as np

# A cubic is read from a table of so many steps between two elements.
_STEPS = 1024


def scale_of(old: int, new: int, align_corners: bool) -> Any:
    """How many old elements a new one stands for, as float32."""
    if align_corners and new > 1:
        return np.float32(old - 1) / np.float32(new - 1)
    return np.float32(old) / np.float32(new)


def positions(old: int, new: int, align_corners: bool, half_pixel_centers: bool) -> Any:
    """Where in the old axis the new elements stand."""
    scale = scale_of(old, new, align_corners)
    at = np.arange(new, dtype=np.float32)
    return (at + np.float32(0.5)) * scale - np.float32(0.5) if half_pixel_centers else at * scale


def nearest(old: int, new: int, align_corners: bool, half_pixel_centers: bool) -> Any:
    """Which old element each new one is."""
    scale = scale_of(old, new, align_corners)
    at = np.arange(new, dtype=np.float32)
    if half_pixel_centers:
        at = at + np.float32(0.5)
    at = at * scale
    if align_corners:
        at = np.floor(at + np.float32(0.5))  # halves away from zero
    return np.clip(np.floor(at).astype(np.int64), 0, old - 1)


def between(old: int, new: int, align_corners: bool, half_pixel_centers: bool) -> tuple[Any, Any, Any]:
    """The old elements before and after each new one, and how far it is from the first."""
    at = positions(old, new, align_corners, half_pixel_centers)
    floor = np.floor(at)
    low = np.maximum(floor.astype(np.int64), 0)
    high = np.minimum(np.ceil(at).astype(np.int64), old - 1)
    return low, high, (at - floor).astype(np.float32)


def frozen(matrix: Any) -> Any:
    """The matrix as float32, not to be written to: it is shared by all calls."""
    matrix = matrix.astype(np.float32)
    matrix.setflags(write=False)
    return matrix


@lru_cache(maxsize=64)
def linear(old: int, new: int, align_corners: bool, half_pixel_centers: bool) -> Any:
    """Straight lines between elements."""
    low, high, share = between(old, new, align_corners, half_pixel_centers)
    matrix = np.zeros((new, old), np.float32)
    rows = np.arange(new)
    np.add.at(matrix, (rows, low), 1 - share)
    np.add.at(matrix, (rows, high), share)
    return frozen(matrix)


@lru_cache(maxsize=64)
def choice(old: int, new: int, align_corners: bool, half_pixel_centers: bool) -> Any:
    """The nearest element."""
    matrix = np.zeros((new, old), np.float32)
    matrix[np.arange(new), nearest(old, new, align_corners, half_pixel_centers)] = 1
    return frozen(matrix)


def _near_cubic(x: Any, a: float) -> Any:
    return ((a + 2) * x - (a + 3)) * x * x + 1


def _far_cubic(x: Any, a: float) -> Any:
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a


@lru_cache(maxsize=64)
def cubic(old: int, new: int, align_corners: bool, half_pixel_centers: bool) -> Any:
    """Keys' cubics through four elements.

    With the centers of elements at halves, those beyond the edges don't count; else the edge stands for them.
    """
    a = -0.5 if half_pixel_centers else -0.75
    at = positions(old, new, align_corners, half_pixel_centers)
    floor = np.floor(at).astype(np.int64)
    x = np.rint((at - floor) * np.float32(_STEPS)) / _STEPS
    shares = np.stack([_far_cubic(1 + x, a), _near_cubic(x, a), _near_cubic(1 - x, a), _far_cubic(2 - x, a)], 1)
    where = floor[:, None] + np.arange(-1, 3)
    inside = np.clip(where, 0, old - 1)
    if half_pixel_centers:
        shares = np.where(inside == where, shares, 0.0)
        shares = shares / shares.sum(1, keepdims=True)
    matrix = np.zeros((new, old))
    np.add.at(matrix, (np.arange(new)[:, None], inside), shares)
    return frozen(matrix)


@lru_cache(maxsize=64)
def area(old: int, new: int, align_corners: bool) -> Any:
    """The mean over the stretch of the old axis that a new element covers."""
    scale = float(scale_of(old, new, align_corners))
    start = np.arange(new)[:, None] * scale
    cells = np.arange(int(np.ceil(old + scale)) + 1)[None, :]
    overlap = np.clip(np.minimum(cells + 1, start + scale) - np.maximum(cells, start), 0, None) / scale
    matrix = np.zeros((new, old))
    np.add.at(matrix, (np.arange(new)[:, None], np.minimum(cells, old - 1)), overlap)
    return frozen(matrix)


# ------------------------------------------------------------------------------------------------------ other kernels


def _lanczos(radius: float) -> Callable[[Any], Any]:
    def kernel(x: Any) -> Any:
        x = np.abs(x)
        safe = np.where(x <= 1e-3, 1.0, x)
        value = radius * np.sin(pi * safe) * np.sin(pi * safe / radius) / (pi * pi * safe * safe)
        return np.where(x > radius, 0.0, np.where(x <= 1e-3, 1.0, value))

    return kernel


def _gaussian(x: Any) -> Any:
    x, radius = np.abs(x), 1.5
    sigma = radius / 3.0
    return np.where(x >= radius, 0.0, np.exp(-x * x / (2.0 * sigma * sigma)))


def _triangle(x: Any) -> Any:
    return np.maximum(1.0 - np.abs(x), 0.0)


def _box(x: Any) -> Any:
    x = np.abs(x)
    return np.where(x < 0.5, 1.0, np.where(x == 0.5, 0.5, 0.0))


def _keys(x: Any) -> Any:
    x = np.abs(x)
    return np.where(x >= 2, 0.0, np.where(x >= 1, _far_cubic(x, -0.5), _near_cubic(x, -0.5)))


def _mitchell(x: Any) -> Any:
    x = np.abs(x)
    near = ((7.0 / 6.0 * x - 2.0) * x) * x + 8.0 / 9.0
    far = ((-7.0 / 18.0 * x + 2.0) * x - 10.0 / 3.0) * x + 16.0 / 9.0
    return np.where(x >= 2, 0.0, np.where(x >= 1, far, near))


KERNELS: dict[str, tuple[Callable[[Any], Any], float]] = {
    "lanczos1": (_lanczos(1.0), 1.0),
    "lanczos3": (_lanczos(3.0), 3.0),
    "lanczos5": (_lanczos(5.0), 5.0),
    "gaussian": (_gaussian, 1.5),
    "box": (_box, 0.5),
    "triangle": (_triangle, 1.0),
    "keyscubic": (_keys, 2.0),
    "mitchellcubic": (_mitchell, 2.0),
}
"""Name → the weight at a distance, and the distance from which it is 0."""


@lru_cache(maxsize=64)
def weighted(old: int, new: int, scale: float, translation: float, kernel_type: str, antialias: bool) -> Any:
    """A weighted mean of the elements nearby; with ``antialias``, of more of them where the axis shrinks."""
    kernel, radius = KERNELS[kernel_type]
    inverse = 1.0 / scale
    wide = max(inverse, 1.0) if antialias else 1.0
    at = (np.arange(new) + 0.5) * inverse - translation * inverse
    cells = np.arange(old)
    reach = radius * wide
    # the elements whose centres are within reach
    first = np.maximum(np.ceil(at - reach - 0.5), 0)[:, None]
    last = np.minimum(np.floor(at + reach - 0.5), old - 1)[:, None]
    shares = kernel((cells[None, :] + 0.5 - at[:, None]) / wide)
    shares = np.where((cells >= first) & (cells <= last), shares, 0.0)
    shares[(at < 0) | (at > old)] = 0.0
    total = shares.sum(1, keepdims=True)
    shares = np.divide(
        shares, total, out=np.zeros_like(shares), where=np.abs(total) >= 1000 * np.finfo(np.float32).tiny
    )
    return frozen(shares)


def resampled(x: Any, rows: Any, columns: Any) -> Any:
    """Images (batch × height × width × channels, float32) resampled by a matrix for rows and one for columns."""
    batch, height, width, channels = x.shape
    tall = np.matmul(rows, x.reshape(batch, height, width * channels))
    return np.matmul(columns, tall.reshape(batch, len(rows), width, channels))
