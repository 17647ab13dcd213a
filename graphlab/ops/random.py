"""Stateful random ops: every run of one gives other numbers.

The op of a graph keeps its own place in its stream; see ``random_seed`` for where streams and seeds come from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.export import public
from graphlab.core.op import FLOAT, INDEX, NOT_DIFFERENTIABLE, define
from graphlab.ops import inference, philox
from graphlab.ops.philox import RESERVED
from graphlab.ops.random_seed import seed_attrs, stream
from graphlab.ops.random_stateless import (
    PLAIN,
    check_dtype,
    check_range,
    count,
    dims,
    drawn_shape,
    normal_of,
    permuted,
    quick_normal,
    quick_shape,
    quick_uniform,
    scaled,
    shape_tensor,
)

SEEDS = {"seed": 0, "seed2": 0}

# ------------------------------------------------------------------------------------------------------------- kernels


def _drawn(kind: str, draw: Any) -> Any:
    def kernel(shape: Any, dtype: DType, seed: int, seed2: int) -> Any:
        sizes = dims(shape)
        number = count(sizes)
        if not number:
            return np.empty(sizes, dtype.np)
        key, counter = stream((kind, dtype), seed, seed2).take(number * RESERVED)
        return draw(key, counter, number, dtype).reshape(sizes)

    return kernel


def _uniform_int(shape: Any, minval: Any, maxval: Any, seed: int, seed2: int) -> Any:
    sizes = dims(shape)
    low, high = check_range(minval, maxval, sizes)
    number = count(sizes)
    if not number:
        return np.empty(sizes, minval.dtype)
    dtype = dtypes.of_numpy(minval.dtype)
    key, counter = stream(("RandomUniformInt", dtype), seed, seed2).take(number * RESERVED)
    return philox.uniform_int(key, counter, number, dtype, low, high).reshape(sizes)


def _shuffle(value: Any, seed: int, seed2: int) -> Any:
    if not value.ndim or len(value) < 2:
        return value
    key, counter = stream(("RandomShuffle", value.dtype), seed, seed2).take(-(-(len(value) - 1) // 4))
    return permuted(value, philox.Words(key, counter).word)


# ----------------------------------------------------------------------------------------------------------- inference


# ----------------------------------------------------------------------------------------------------------------- ops

_FLOATS = {"T": INDEX}
_SHAPE = {"T": dtypes.int32}

UNIFORM = define(
    "RandomUniform", "shape: T -> output: dtype", kernel=_drawn("RandomUniform", philox.uniform), infer=drawn_shape,
    gradient=NOT_DIFFERENTIABLE, types=_FLOATS, defaults=_SHAPE, attrs={**SEEDS, "dtype": dtypes.float32},
    random=True, fp=False,
)  # fmt: skip
NORMAL = define(
    "RandomStandardNormal", "shape: T -> output: dtype", kernel=_drawn("RandomStandardNormal", philox.normal),
    infer=drawn_shape, gradient=NOT_DIFFERENTIABLE, types=_FLOATS, defaults=_SHAPE,
    attrs={**SEEDS, "dtype": dtypes.float32}, random=True, fp=False,
)  # fmt: skip
TRUNCATED_NORMAL = define(
    "TruncatedNormal", "shape: T -> output: dtype", kernel=_drawn("TruncatedNormal", philox.truncated_normal),
    infer=drawn_shape, gradient=NOT_DIFFERENTIABLE, types=_FLOATS, defaults=_SHAPE,
    attrs={**SEEDS, "dtype": dtypes.float32}, random=True, fp=False,
)  # fmt: skip
UNIFORM_INT = define(
    "RandomUniformInt", "shape: T, minval: Tout, maxval: Tout -> output: Tout", kernel=_uniform_int, infer=drawn_shape,
    gradient=NOT_DIFFERENTIABLE, types={"T": INDEX, "Tout": INDEX}, defaults=_SHAPE, attrs=SEEDS, random=True,
    fp=False,
)  # fmt: skip
SHUFFLE = define(
    "RandomShuffle", "value: T -> output: T", kernel=_shuffle, infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE,
    attrs=SEEDS, random=True, fp=False,
)  # fmt: skip


# ---------------------------------------------------------------------------------------------------- public functions


def _quick_take(op: Any, dtype: DType, seed: int | None, sizes: tuple[int, ...]) -> tuple[int, int]:
    """Key and counter for an eager run of an op that draws one number per element."""
    seeds = seed_attrs(seed, (op.type, dtype))
    return stream((op.type, dtype), seeds["seed"], seeds["seed2"]).take(count(sizes) * RESERVED)


@public("random.uniform")
def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Draws numbers from a uniform distribution.

    Args:
      shape: the shape of the result: a list of sizes, or a vector of int32 or int64.
      minval: the lower bound, included.
      maxval: the upper bound, excluded; by default 1 for floating-point dtypes, needed for integers.
      dtype: float16, bfloat16, float32, float64, int32 or int64.
      seed: the op's own seed, an int; see ``tf.random.set_seed``.
      name: a name for the nodes.

    Raises:
      ValueError: if the dtype is not possible, or integers are wanted without ``maxval``.
      tf.errors.InvalidArgumentError: if ``minval >= maxval`` for integers.

    >>> import graphlab as tf
    >>> x = tf.random.uniform([100], minval=2, maxval=5, dtype=tf.int32)
    >>> int(tf.reduce_min(x)), int(tf.reduce_max(x))
    (2, 4)
    """
    from graphlab.ops.math import multiply

    kind = check_dtype(dtype, FLOAT | INDEX)
    if maxval is None:
        if kind.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {kind!r}")
        maxval = 1
    if type(minval) in PLAIN and type(maxval) in PLAIN and kind.is_floating:
        sizes = quick_shape(shape)
        if sizes is not None:
            return quick_uniform(sizes, _quick_take(UNIFORM, kind, seed, sizes), kind, minval, maxval)
    with name_scope(name, "random_uniform") as scope:
        shape = shape_tensor(shape)
        from_zero = type(minval) is int and minval == 0 and not kind.is_integer
        if from_zero and type(maxval) is int and maxval == 1:
            return bind(UNIFORM, (shape,), {**seed_attrs(seed, ("RandomUniform", kind)), "dtype": kind})
        low = convert_to_tensor(minval, kind, name="min")
        high = convert_to_tensor(maxval, kind, name="max")
        if kind.is_integer:
            return bind(UNIFORM_INT, (shape, low, high), seed_attrs(seed, ("RandomUniformInt", kind)), scope or None)
        drawn = bind(UNIFORM, (shape,), {**seed_attrs(seed, ("RandomUniform", kind)), "dtype": kind})
        return multiply(drawn, high) if from_zero else scaled(drawn, low, high, scope)


@public("random.normal")
def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Draws numbers from a normal distribution.

    Args:
      shape: the shape of the result: a list of sizes, or a vector of int32 or int64.
      mean: the mean, a tensor that broadcasts to ``shape``.
      stddev: the standard deviation, a tensor that broadcasts to ``shape``.
      dtype: float16, bfloat16, float32 or float64.
      seed: the op's own seed, an int; see ``tf.random.set_seed``.
      name: a name for the nodes.

    >>> import graphlab as tf
    >>> tf.random.set_seed(5)
    >>> tf.random.normal([2, 3]).shape
    TensorShape([2, 3])
    """
    return _normal(NORMAL, "random_normal", shape, mean, stddev, dtype, seed, name)


@public("random.truncated_normal")
def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Draws numbers from a normal distribution without those beyond two standard deviations from the mean.

    Args:
      shape: the shape of the result: a list of sizes, or a vector of int32 or int64.
      mean: the mean before truncation, a tensor that broadcasts to ``shape``.
      stddev: the standard deviation before truncation, a tensor that broadcasts to ``shape``.
      dtype: float16, bfloat16, float32 or float64.
      seed: the op's own seed, an int; see ``tf.random.set_seed``.
      name: a name for the nodes.

    >>> import graphlab as tf
    >>> bool(tf.reduce_all(tf.abs(tf.random.truncated_normal([1000])) < 2))
    True
    """
    return _normal(TRUNCATED_NORMAL, "truncated_normal", shape, mean, stddev, dtype, seed, name)


def _normal(
    op: Any, base: str, shape: Any, mean: Any, stddev: Any, dtype: Any, seed: int | None, name: str | None
) -> Any:
    kind = check_dtype(dtype, FLOAT, TypeError)
    if type(mean) in PLAIN and type(stddev) in PLAIN and mean == 0 and stddev == 1:
        sizes = quick_shape(shape)
        if sizes is not None:
            draw = philox.normal if op is NORMAL else philox.truncated_normal
            return quick_normal(sizes, _quick_take(op, kind, seed, sizes), kind, draw)
    with name_scope(name, base) as scope:
        shape = shape_tensor(shape)
        mean = convert_to_tensor(mean, kind, name="mean")
        stddev = convert_to_tensor(stddev, kind, name="stddev")
        drawn = bind(op, (shape,), {**seed_attrs(seed, (op.type, kind)), "dtype": kind})
        return normal_of(drawn, mean, stddev, scope)


@public("random.shuffle")
def shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Any:
    """Shuffles a tensor along its first axis.

    Args:
      value: a tensor of any dtype.
      seed: the op's own seed, an int; see ``tf.random.set_seed``.
      name: a name for the node.

    Returns:
      A tensor with the rows of ``value`` in another order.

    >>> import graphlab as tf
    >>> sorted(tf.random.shuffle([3, 1, 2]).numpy().tolist())
    [1, 2, 3]
    """
    value = convert_to_tensor(value, name="value")
    kind = None if value.dtype.np is None else value.dtype.np
    return bind(SHUFFLE, (value,), seed_attrs(seed, ("RandomShuffle", kind)), name)
