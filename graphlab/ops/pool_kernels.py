"""The kernels of the pooling ops: the maximum or the mean of the elements below a sliding window.

A window's places are visited one after the other, each for all windows at once; what a place is for a window in the
padding is left out, so nothing is padded.  A maximum or a sum over a window is taken axis by axis: a 3×3 window costs
three and three operations, not nine.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np

from graphlab.ops.conv_arrays import channels_back, channels_last, check_rank, invalid, wide
from graphlab.ops.conv_geometry import Geometry, geometry, spatial


def _placed(sizes: Any, attrs: dict[str, Any]) -> Geometry:
    data_format, window, strides = attrs["data_format"], attrs["ksize"], attrs["strides"]
    for values, what in ((window, "ksize"), (strides, "strides")):
        if len(values) != len(data_format):
            raise invalid(f"Sliding window {what} field must specify {len(data_format)} dimensions")
        if min(values) < 1:
            raise invalid(f"Sliding window {what} must be positive: {list(values)}")
    explicit = attrs.get("explicit_paddings") or ()
    for i, n in enumerate(explicit):
        if n < 0 or (n and n >= window[i // 2]):
            raise invalid(f"A padding of {n} needs to be smaller than the window size {window[i // 2]}")
    return geometry(sizes, spatial(window, data_format), attrs)


def _deep(attrs: dict[str, Any]) -> tuple[int, int]:
    """The window and the stride along the channels."""
    channel = attrs["data_format"].index("C")
    return attrs["ksize"][channel], attrs["strides"][channel]


def lowest(dtype: Any) -> Any:
    """The least finite number of a dtype: what a window holds that has nothing greater."""
    if dtype.kind in "iu":
        return np.iinfo(dtype).min
    return ml_dtypes.finfo(dtype).min  # type: ignore[no-untyped-call]


def _over_axis(ufunc: Any, x: Any, over: Geometry, axis: int, start: Any) -> Any:
    """The result of ``ufunc`` over the windows along one spatial axis."""
    count, at = over.counts[axis], axis + 1
    shape = (*x.shape[:at], count, *x.shape[at + 1 :])
    before, after = (slice(None),) * at, (slice(None),) * (x.ndim - at - 1)
    result: Any = None
    for place in range(over.window[axis]):
        windows, elements = over.seen(axis, place)
        whole = windows == slice(0, count)
        seen = x[(*before, elements, *after)]
        if result is None and whole:
            result = seen.copy()
            continue
        if result is None:
            result = np.full(shape, start, x.dtype)
        part = result if whole else result[(*before, windows, *after)]
        ufunc(part, seen, out=part)
    return result


def _over_window(ufunc: Any, x: Any, over: Geometry, start: Any) -> Any:
    """The result of ``ufunc`` over the windows; the first axis last, where what is read lies together."""
    for axis in reversed(range(len(over.window))):
        if over.window[axis] > 1 or over.strides[axis] > 1:
            x = _over_axis(ufunc, x, over, axis, start)
    return x


def max_pool(x: Any, **attrs: Any) -> Any:
    """MaxPool and MaxPool3D."""
    data_format = attrs["data_format"]
    check_rank(x, len(data_format), "tensor_in")
    last = channels_last(x, data_format)
    deep, step = _deep(attrs)
    over = _placed(last.shape[1:-1], attrs)
    if deep > 1 or step > 1:
        return channels_back(_deep_maximum(last, over, deep, step), data_format)
    if x.dtype.kind not in "fV":
        result = _over_window(np.maximum, last, over, lowest(x.dtype))
        return channels_back(result.copy() if result is last else result, data_format)
    least = lowest(x.dtype)
    result = _over_window(np.fmax, last, over, least)
    return channels_back(np.fmax(result, least, out=None if result is last else result), data_format)


def _deep_maximum(x: Any, over: Geometry, deep: int, step: int) -> Any:
    """The maximum over windows of channels, which may not overlap, and cover nothing else."""
    if deep != step or x.shape[-1] % deep or any(n > 1 for n in over.window):
        raise invalid("Depthwise max pooling requires the depth window to equal the stride and to divide the depth.")
    return np.maximum.reduce(x.reshape(*x.shape[:-1], -1, deep), -1)


def _places(over: Geometry) -> Iterator[tuple[tuple[slice, ...], tuple[slice, ...]]]:
    """For each place of the window: the windows that see an element there, and these elements."""
    for place in product(*map(range, over.window)):
        pairs = [over.seen(axis, p) for axis, p in enumerate(place)]
        yield (slice(None), *(w for w, _ in pairs)), (slice(None), *(e for _, e in pairs))


def _greatest(x: Any, over: Geometry) -> Any:
    """The maximum of each window."""
    return _over_window(np.fmax if x.dtype.kind in "fV" else np.maximum, x, over, lowest(x.dtype))


def _has_nan(x: Any) -> bool:
    return x.dtype.kind in "fV" and x.size > 0 and bool(np.isnan(np.min(x)))


def _by_comparison(x: Any, over: Geometry) -> tuple[Any, Any]:
    """The greatest element and its place, found by comparing one after the other: only a NaN that comes first stays."""
    top = np.zeros((len(x), *over.counts, x.shape[-1]), x.dtype)
    best = np.full(top.shape, -1, np.int64)
    for i, (windows, elements) in enumerate(_places(over)):
        seen, so_far = x[elements], best[windows]
        more = (seen > top[windows]) | (so_far < 0)
        np.copyto(top[windows], seen, where=more)
        np.copyto(so_far, i, where=more)
    return top, best


def _first_maxima(x: Any, over: Geometry) -> Iterator[tuple[tuple[slice, ...], tuple[slice, ...], Any]]:
    """As ``_places``, with where the place is the first one that holds its window's maximum."""
    if _has_nan(x):
        _, best = _by_comparison(x, over)
        for i, (windows, elements) in enumerate(_places(over)):
            yield windows, elements, best[windows] == i
        return
    top = _greatest(x, over)
    left = np.ones(top.shape, bool)
    for windows, elements in _places(over):
        free = left[windows]
        here = np.equal(x[elements], top[windows])
        here &= free
        free ^= here
        yield windows, elements, here


_BITS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


def _where(here: Any, values: Any) -> Any:
    """``values`` where ``here``, else zero: by their bits, since a choice costs five times more."""
    bits = _BITS[values.dtype.itemsize]
    mask = np.negative(here.view(np.int8)).astype(bits, copy=False)
    return np.bitwise_and(mask, values.view(bits), out=mask).view(values.dtype)


def max_pool_grad(orig_input: Any, orig_output: Any, grad: Any, **attrs: Any) -> Any:
    """MaxPoolGrad and MaxPool3DGrad: a window's gradient goes to the first of its greatest elements."""
    data_format = attrs["data_format"]
    check_rank(orig_input, len(data_format), "tensor_in")
    last, gradient = channels_last(orig_input, data_format), channels_last(grad, data_format)
    deep, step = _deep(attrs)
    if deep > 1 or step > 1:
        raise invalid("MaxPoolGrad is not defined for windows of channels.")
    over = _placed(last.shape[1:-1], attrs)
    _check_windows(gradient, over)
    result = np.zeros(last.shape, grad.dtype)
    apart = all(s >= k for s, k in zip(over.strides, over.window, strict=True))
    for windows, elements, here in _first_maxima(last, over):
        if apart:
            result[elements] = _where(here, gradient[windows])
        else:
            result[elements] += _where(here, gradient[windows])
    return channels_back(result, data_format)


def max_pool_grad_grad(orig_input: Any, orig_output: Any, grad: Any, **attrs: Any) -> Any:
    """MaxPoolGradGrad and MaxPool3DGradGrad: for each window, the element of ``grad`` where its maximum stood."""
    data_format = attrs["data_format"]
    last, gradient = channels_last(orig_input, data_format), channels_last(grad, data_format)
    over = _placed(last.shape[1:-1], attrs)
    result = np.zeros((len(last), *over.counts, last.shape[-1]), grad.dtype)
    for windows, elements, here in _first_maxima(last, over):
        result[windows] += _where(here, gradient[elements])
    return channels_back(result, data_format)


def _check_windows(dy: Any, over: Geometry) -> None:
    if dy.shape[1:-1] != over.counts:
        raise invalid(f"Expected a gradient of sizes {list(over.counts)}, but got {list(dy.shape[1:-1])}")


def max_places(x: Any, over: Geometry, include_batch: bool) -> tuple[Any, Any]:
    """For each window of ``x`` (channels last) its maximum, and where that stands in the flattened input."""
    sizes = x.shape[1:]
    where = np.arange(int(np.prod(sizes))).reshape(1, *sizes)
    if include_batch:
        where = where + (np.arange(len(x)) * int(np.prod(sizes))).reshape(-1, *(1,) * len(sizes))
    where = np.broadcast_to(where, x.shape)
    found = np.zeros((len(x), *over.counts, x.shape[-1]), np.int64)
    top = _by_comparison(x, over)[0] if _has_nan(x) else _greatest(x, over)
    for windows, elements, here in _first_maxima(x, over):
        found[windows] += _where(here, where[elements])
    return (top.copy() if top is x else top), found


# --------------------------------------------------------------------------------------------------------------- means


def _counts(over: Geometry, dtype: Any) -> Any:
    """How many elements each window holds that are no padding."""
    ones = np.ones((1, *over.sizes, 1), dtype)
    return _over_window(np.add, ones, over, 0)


def avg_pool(x: Any, **attrs: Any) -> Any:
    """AvgPool and AvgPool3D."""
    data_format = attrs["data_format"]
    check_rank(x, len(data_format), "tensor_in")
    _no_deep(attrs)
    last = wide(channels_last(x, data_format))
    over = _placed(last.shape[1:-1], attrs)
    result = _over_window(np.add, last, over, 0) / _counts(over, last.dtype)
    return channels_back(result.astype(x.dtype, copy=False), data_format)


def avg_pool_grad(orig_input_shape: Any, grad: Any, **attrs: Any) -> Any:
    """AvgPoolGrad and AvgPool3DGrad."""
    data_format = attrs["data_format"]
    check_rank(grad, len(data_format), "out_backprop")
    _no_deep(attrs)
    over = _placed(spatial([int(n) for n in orig_input_shape.tolist()], data_format), attrs)
    gradient = wide(channels_last(grad, data_format))
    _check_windows(gradient, over)
    result = gradient / _counts(over, gradient.dtype)
    for axis, (k, s) in enumerate(zip(over.window, over.strides, strict=True)):
        if k > 1 or s > 1:
            result = _spread(result, over, axis)
    return channels_back(result.astype(grad.dtype, copy=False), data_format)


def _spread(x: Any, over: Geometry, axis: int) -> Any:
    """Along one axis: each window's value given to all its elements, added up where windows overlap."""
    at = axis + 1
    before, after = (slice(None),) * at, (slice(None),) * (x.ndim - at - 1)
    result = np.zeros((*x.shape[:at], over.sizes[axis], *x.shape[at + 1 :]), x.dtype)
    for place in range(over.window[axis]):
        windows, elements = over.seen(axis, place)
        result[(*before, elements, *after)] += x[(*before, windows, *after)]
    return result


def _no_deep(attrs: dict[str, Any]) -> None:
    if max(_deep(attrs)) > 1:
        raise invalid("Average pooling over channels is not defined.")
