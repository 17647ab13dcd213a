"""Pools whose windows differ in size, so that an image shrinks by a ratio that is no whole number.

Where the windows begin is drawn at random (Graham 2014, "Fractional Max-Pooling"): either steps of the two sizes next
to the ratio in random order, or the whole numbers above multiples of the ratio, moved by a random start.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dispatch import bind
from graphlab.core.export import public
from graphlab.core.op import REQUIRED, Arg, define
from graphlab.ops import inference, philox
from graphlab.ops.conv_arrays import check_rank, invalid
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.random_seed import seeds_for, stream

# -------------------------------------------------------------------------------------------------- where windows are


def _shuffled_steps(size: int, count: int, words: philox.Words) -> list[int]:
    steps = [size // count] * count
    for i in range(size % count):
        steps[i] += 1
    for i in range(count):
        other = i + words.word() % (count - i)
        steps[i], steps[other] = steps[other], steps[i]
    return steps


def _moved_steps(size: int, count: int, words: philox.Words) -> list[int]:
    ratio, whole = size / count, size // count
    most = min((whole + 2) / ratio - 1, (size + 1 - whole) / ratio - (count - 1))
    start = words.double() * most
    bounds = [1, *(ceil(ratio * (i + start)) for i in range(1, count)), size + 1]
    return [b - a for a, b in pairwise(bounds)]


def _bounds(size: int, count: int, pseudo_random: bool, key: int, counter: int) -> tuple[Any, int]:
    """The first element of each window and the end of the last, and the counter for what is drawn next."""
    if size % count == 0:
        steps, drawn = [size // count] * count, 0
    else:
        words = philox.Words(key, counter)
        steps = (_moved_steps if pseudo_random else _shuffled_steps)(size, count, words)
        drawn = 1 if pseudo_random else -(-count // 4)
    return np.cumsum([0, *steps], dtype=np.int64), counter + drawn


def _draw(
    op: str, x: Any, pooling_ratio: Sequence[float], pseudo_random: bool, deterministic: bool, seed: int, seed2: int
) -> tuple[Any, Any]:
    check_rank(x, 4, "value")
    if len(pooling_ratio) != 4:
        raise invalid(f"pooling_ratio must have 4 elements: {list(pooling_ratio)}")
    counts = [int(n / r) for n, r in zip(x.shape, pooling_ratio, strict=True)]
    if min(pooling_ratio) < 1:
        raise invalid(f"pooling_ratio cannot be smaller than 1: {list(pooling_ratio)}")
    if pooling_ratio[0] != 1 or pooling_ratio[3] != 1:
        raise invalid("Fractional pooling is not yet supported on the batch or channel dimension.")
    if min(counts[1:3]) < 1:
        raise invalid(f"sizes {list(x.shape[1:3])} are smaller than the pooling ratio {list(pooling_ratio)}")
    if deterministic:
        key, counter = philox.from_seeds(seed, seed2)
    else:
        key, counter = stream(op, seed, seed2).take(sum(-(-n // 4) for n in counts[1:3]))
    rows, counter = _bounds(x.shape[1], counts[1], pseudo_random, key, counter)
    columns, _ = _bounds(x.shape[2], counts[2], pseudo_random, key, counter)
    return rows, columns


def _ends(bounds: Any, size: int, overlapping: bool) -> Any:
    """The end of each window; windows that overlap share the element at the bound."""
    return np.minimum(bounds[1:] + 1, size) if overlapping else bounds[1:]


# ------------------------------------------------------------------------------------------------------------- kernels


def _over_axis(ufunc: Any, x: Any, bounds: Any, axis: int, overlapping: bool) -> Any:
    result = ufunc.reduceat(x, bounds[:-1], axis, x.dtype)
    if overlapping:
        shared = bounds[1:-1]
        inner = [slice(None)] * x.ndim
        inner[axis] = slice(0, len(shared))
        part = result[tuple(inner)]
        ufunc(part, np.take(x, shared, axis), out=part)
    return result


def _max_pool(
    value: Any, pooling_ratio: Any, pseudo_random: bool, overlapping: bool, deterministic: bool, seed: int, seed2: int
) -> tuple[Any, Any, Any]:
    rows, columns = _draw("FractionalMaxPool", value, pooling_ratio, pseudo_random, deterministic, seed, seed2)
    tall = _over_axis(np.maximum, value, columns, 2, overlapping)
    return _over_axis(np.maximum, tall, rows, 1, overlapping), rows, columns


def _sizes(bounds: Any, size: int, overlapping: bool) -> Any:
    return _ends(bounds, size, overlapping) - bounds[:-1]


def _areas(rows: Any, columns: Any, shape: Sequence[int], overlapping: bool) -> Any:
    high, wide = _sizes(rows, shape[1], overlapping), _sizes(columns, shape[2], overlapping)
    return (high[:, None] * wide)[:, :, None]


def _divided(total: Any, areas: Any) -> Any:
    if total.dtype.kind == "i":  # towards zero
        return (np.sign(total) * (np.abs(total) // areas)).astype(total.dtype)
    return total / areas.astype(total.dtype)


def _avg_pool(
    value: Any, pooling_ratio: Any, pseudo_random: bool, overlapping: bool, deterministic: bool, seed: int, seed2: int
) -> tuple[Any, Any, Any]:
    rows, columns = _draw("FractionalAvgPool", value, pooling_ratio, pseudo_random, deterministic, seed, seed2)
    tall = _over_axis(np.add, value, columns, 2, overlapping)
    total = _over_axis(np.add, tall, rows, 1, overlapping)
    return _divided(total, _areas(rows, columns, value.shape, overlapping)), rows, columns


def _check_bounds(bounds: Any, size: int, count: int) -> None:
    if bounds.shape != (count + 1,) or bounds[0] != 0 or bounds[-1] != size or (np.diff(bounds) < 1).any():
        raise invalid(f"a pooling sequence of {count} windows must rise from 0 to {size}, but is {bounds.tolist()}")


def _max_pool_grad(
    orig_input: Any, orig_output: Any, out_backprop: Any, rows: Any, columns: Any, overlapping: bool
) -> Any:
    check_rank(orig_input, 4, "orig_input")
    if out_backprop.shape != orig_output.shape:
        raise invalid(f"out_backprop must have shape {list(orig_output.shape)}, not {list(out_backprop.shape)}")
    _check_bounds(rows, orig_input.shape[1], orig_output.shape[1])
    _check_bounds(columns, orig_input.shape[2], orig_output.shape[2])
    high = _sizes(rows, orig_input.shape[1], overlapping)
    wide = _sizes(columns, orig_input.shape[2], overlapping)
    result = np.zeros_like(orig_input)
    left = np.ones(orig_output.shape, bool)
    for down, along in product(range(int(high.max())), range(int(wide.max()))):
        # the windows that reach so far: no two of them have the same element at this place
        r, c = np.nonzero(high > down)[0][:, None], np.nonzero(wide > along)[0]
        at = (slice(None), rows[r] + down, columns[c] + along)
        windows = (slice(None), r, c)
        here = (orig_input[at] == orig_output[windows]) & left[windows]
        left[windows] &= ~here
        result[at] += np.where(here, out_backprop[windows], out_backprop.dtype.type(0))
    return result


def _avg_pool_grad(orig_input_tensor_shape: Any, out_backprop: Any, rows: Any, columns: Any, overlapping: bool) -> Any:
    shape = [int(n) for n in orig_input_tensor_shape.tolist()]
    if len(shape) != 4:
        raise invalid(f"original input tensor shape must be 1-dimensional and 4 elements: {shape}")
    check_rank(out_backprop, 4, "out_backprop")
    _check_bounds(rows, shape[1], out_backprop.shape[1])
    _check_bounds(columns, shape[2], out_backprop.shape[2])
    share = _divided(out_backprop, _areas(rows, columns, shape, overlapping))
    for axis, bounds in ((1, rows), (2, columns)):
        sizes = _sizes(bounds, shape[axis], overlapping)
        whole = np.zeros((*share.shape[:axis], shape[axis], *share.shape[axis + 1 :]), share.dtype)
        lead = (slice(None),) * axis
        for away in range(int(sizes.max())):
            reach = np.nonzero(sizes > away)[0]
            whole[(*lead, bounds[reach] + away)] += share[(*lead, reach)]
        share = whole
    return share


# --------------------------------------------------------------------------------------------- inference and gradients


def _shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    shape = inference.with_rank(args[0].shape, 4, "value")
    if len(attrs["pooling_ratio"]) != 4 or min(attrs["pooling_ratio"]) < 1:
        raise ValueError(f"pooling_ratio must have 4 elements of at least 1: {attrs['pooling_ratio']}.")
    small = tuple(None if n is None else int(n / r) for n, r in zip(shape, attrs["pooling_ratio"], strict=True))
    bounds = [(None,) if n is None else (n + 1,) for n in small[1:3]]
    return [small, *bounds]


def _max_gradient(op: Any, dy: Any, *_: Any) -> Any:
    y, rows, columns = op.outputs
    return bind(MAX_GRAD, (op.inputs[0], y, dy, rows, columns), {"overlapping": op.attrs["overlapping"]})


def _avg_gradient(op: Any, dy: Any, *_: Any) -> Any:
    from graphlab.ops.array_shape import shape

    _, rows, columns = op.outputs
    sizes = shape(op.inputs[0], out_type=dtypes.int64)
    return bind(AVG_GRAD, (sizes, dy, rows, columns), {"overlapping": op.attrs["overlapping"]})


_ATTRS: dict[str, Any] = {
    "pooling_ratio": REQUIRED, "pseudo_random": False, "overlapping": False, "deterministic": False, "seed": 0,
    "seed2": 0,
}  # fmt: skip
_TYPES = {"T": frozenset((dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64))}
_RESULTS = "output: T, row_pooling_sequence: int64, col_pooling_sequence: int64"
_PLACES = "out_backprop: T, row_pooling_sequence: int64, col_pooling_sequence: int64 -> output: T"

MAX = define("FractionalMaxPool", "value: T -> " + _RESULTS, kernel=_max_pool, infer=_shape, gradient=_max_gradient,
             types=_TYPES, attrs=_ATTRS, random=True, can_fail=True)  # fmt: skip
AVG = define("FractionalAvgPool", "value: T -> " + _RESULTS, kernel=_avg_pool, infer=_shape, gradient=_avg_gradient,
             types=_TYPES, attrs=_ATTRS, random=True, can_fail=True)  # fmt: skip
MAX_GRAD = define("FractionalMaxPoolGrad", "orig_input: T, orig_output: T, " + _PLACES, kernel=_max_pool_grad,
                  infer=inference.unchanged, types=_TYPES, attrs={"overlapping": False}, can_fail=True)  # fmt: skip
AVG_GRAD = define("FractionalAvgPoolGrad", "orig_input_tensor_shape: int64, " + _PLACES, kernel=_avg_pool_grad,
                  infer=lambda args, _attrs: inference.shape_of_value(args[0]), types=_TYPES,
                  attrs={"overlapping": False}, can_fail=True)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


class FractionalPool(NamedTuple):
    """What ``tf.nn.fractional_max_pool`` and ``tf.nn.fractional_avg_pool`` return."""

    output: Any
    row_pooling_sequence: Any
    col_pooling_sequence: Any


def _pool(
    op: Any, value: Any, ratios: list[float], pseudo_random: bool, overlapping: bool, seed: int, name: Any
) -> FractionalPool:
    attrs: dict[str, Any] = {"pooling_ratio": ratios, "pseudo_random": pseudo_random, "overlapping": overlapping}
    if seed:
        first, second = seeds_for(seed)
        attrs |= {"deterministic": True, "seed": first, "seed2": second}
    return FractionalPool(*bind(op, (value,), attrs, name))


def _ratios(pooling_ratio: Any) -> list[float]:
    """One ratio for height and width, or one for each axis → one for each axis."""
    values = [float(r) for r in pooling_ratio] if isinstance(pooling_ratio, (list, tuple)) else [float(pooling_ratio)]
    if min(values) < 1:
        raise ValueError(f"`pooling_ratio` should be >= 1.0. Received: pooling_ratio={pooling_ratio}")
    if len(values) == 1:
        return [1.0, *values * 2, 1.0]
    if len(values) != 4 or not values[0] == values[3] == 1:
        raise ValueError(
            f"`pooling_ratio` should have first and last elements with value 1.0. "
            f"Received: pooling_ratio={pooling_ratio}"
        )
    return values


@public("nn.fractional_max_pool")
def fractional_max_pool(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> FractionalPool:
    """Returns the maximum of windows of differing sizes, whose bounds are drawn at random.

    Args:
      value: a tensor of rank 4, channels last, of dtype float32, float64, int32 or int64.
      pooling_ratio: by how much height and width shrink: a number of at least 1, or one for each axis.
      pseudo_random: move regular bounds by a random start; else steps come in random order.
      overlapping: windows share the elements at their bounds.
      seed: if it is not 0, the same bounds are drawn each time.
      name: a name for the node.

    Returns:
      A named tuple of ``output``, ``row_pooling_sequence`` and ``col_pooling_sequence`` (the bounds).

    Raises:
      ValueError: for a ratio below 1, or one for batch or channels that is not 1.

    >>> import graphlab as tf
    >>> x = tf.reshape(tf.range(25.0), [1, 5, 5, 1])
    >>> tf.nn.fractional_max_pool(x, 1.5, seed=3).output.shape
    TensorShape([1, 3, 3, 1])
    """
    return _pool(MAX, value, _ratios(pooling_ratio), pseudo_random, overlapping, seed, name)


@public("nn.fractional_avg_pool")
def fractional_avg_pool(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> FractionalPool:
    """Returns the mean of windows of differing sizes, whose bounds are drawn at random.

    Args:
      value: a tensor of rank 4, channels last, of dtype float32, float64, int32 or int64.
      pooling_ratio: by how much each axis shrinks, a list of numbers of at least 1; 1 for batch and channels.
      pseudo_random: move regular bounds by a random start; else steps come in random order.
      overlapping: windows share the elements at their bounds.
      seed: if it is not 0, the same bounds are drawn each time.
      name: a name for the node.

    Returns:
      A named tuple of ``output``, ``row_pooling_sequence`` and ``col_pooling_sequence`` (the bounds).

    Raises:
      TypeError: if the ratio is no list.
      tf.errors.InvalidArgumentError: for a ratio below 1, or one for batch or channels that is not 1.

    >>> import graphlab as tf
    >>> x = tf.reshape(tf.range(25.0), [1, 5, 5, 1])
    >>> tf.nn.fractional_avg_pool(x, [1.0, 1.5, 1.5, 1.0], seed=3).row_pooling_sequence.shape
    TensorShape([4])
    """
    if not isinstance(pooling_ratio, (list, tuple)):
        raise TypeError(
            f"Expected list for 'pooling_ratio' argument to 'fractional_avg_pool' Op, not {pooling_ratio!r}."
        )
    return _pool(AVG, value, [float(r) for r in pooling_ratio], pseudo_random, overlapping, seed, name)
