"""Random numbers as functions of a seed: ``tf.random.stateless_*``, ``split`` and ``fold_in``.

The seed of two integers is scrambled into a Philox key and counter by one op, the numbers are drawn by a second, and
range or scale are applied by ordinary arithmetic, as in TensorFlow.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, misfit, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import FLOAT, INDEX, NOT_DIFFERENTIABLE, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.core.state import ACTIVE
from graphlab.core.tensor import EagerTensor, wrap
from graphlab.ops import inference, philox
from graphlab.ops.inference import Attrs

WHOLE = frozenset((dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64))
PHILOX, THREEFRY, AUTO_SELECT = 1, 2, 3


@public("random.Algorithm", "random.experimental.Algorithm")
class Algorithm(enum.IntEnum):
    """The algorithm of a random-number generator.

    PHILOX is Philox 4x32-10; AUTO_SELECT is PHILOX here.  THREEFRY is another counter-based one, not offered on a CPU.

    >>> import graphlab as tf
    >>> int(tf.random.Algorithm.PHILOX)
    1
    """

    PHILOX = PHILOX
    THREEFRY = THREEFRY
    AUTO_SELECT = AUTO_SELECT


def algorithm(alg: Any) -> int:
    """The number of an algorithm given by name, by number or as ``Algorithm``."""
    if isinstance(alg, str):
        found = {"philox": PHILOX, "threefry": THREEFRY, "auto_select": AUTO_SELECT}.get(alg)
        if found is None:
            raise ValueError(f"The algorithm {alg!r} is not known: alg is 'philox', 'threefry' or 'auto_select'.")
        return found
    if isinstance(alg, float):
        raise TypeError(f"The algorithm must be a name or an int, not {alg!r}.")
    if isinstance(alg, EagerTensor) and alg.shape.rank:
        kind = TypeError if alg.dtype in (dtypes.bool, dtypes.string) else ValueError
        raise kind(f"The algorithm must be one name or int, not {alg!r:.100}.")
    number = int(alg)
    if number not in (PHILOX, THREEFRY, AUTO_SELECT):
        raise ValueError(f"The algorithm {alg!r} is not known: alg is 'philox', 'threefry' or 'auto_select'.")
    return number


# ------------------------------------------------------------------------------------------------------------- kernels


def dims(shape: Any) -> tuple[int, ...]:
    """The sizes in a shape argument.  InvalidArgumentError if it is no vector of sizes."""
    if shape.ndim != 1:
        raise InvalidArgumentError(
            None, None, f"shape must be a vector of {{int32,int64}}, got shape {list(shape.shape)}"
        )
    sizes = shape.tolist()
    for size in sizes:
        if size < 0:
            raise InvalidArgumentError(None, None, f"Dimension {size} must be >= 0")
    return tuple(sizes)


def count(sizes: tuple[int, ...]) -> int:
    """The number of elements of a shape."""
    number = 1
    for size in sizes:
        number *= size
    return number


def seed_pair(seed: Any) -> tuple[int, int]:
    """Key and counter for a seed argument."""
    if seed.shape != (2,):
        raise InvalidArgumentError(None, None, f"seed must have shape [2], not {list(seed.shape)}")
    first, second = seed.tolist()
    return philox.scramble(first, second)


def _key_counter(seed: Any) -> Any:
    key, counter = seed_pair(seed)
    return np.array([key], np.uint64), np.array([counter & 0xFFFFFFFFFFFFFFFF, counter >> 64], np.uint64)


def generator(key: Any, counter: Any, alg: Any) -> tuple[int, int]:
    """Key and counter as ints, from the arguments of an op."""
    if int(alg) not in (PHILOX, AUTO_SELECT):
        raise InvalidArgumentError(
            None, None, f"The algorithm {int(alg)} is not offered here: alg must be 'philox' (1)."
        )
    if key.shape != (1,) or counter.ndim != 1 or len(counter) < 2:
        raise InvalidArgumentError(
            None,
            None,
            f"key must have shape [1] and counter at least [2], not {list(key.shape)} and {list(counter.shape)}",
        )
    low, high = counter[:2].tolist()
    return key.tolist()[0], low | high << 64


def _drawn(draw: Any) -> Any:
    def kernel(shape: Any, key: Any, counter: Any, alg: Any, dtype: DType) -> Any:
        sizes = dims(shape)
        return draw(*generator(key, counter, alg), count(sizes), dtype).reshape(sizes)

    return kernel


def check_range(low: Any, high: Any, sizes: tuple[int, ...]) -> tuple[int, int]:
    """The bounds of a uniform integer op as ints."""
    for name, bound in (("minval", low), ("maxval", high)):
        if bound.ndim:
            raise InvalidArgumentError(None, None, f"{name} must be 0-D, got shape {list(bound.shape)}")
    if count(sizes) and low >= high:
        raise InvalidArgumentError(None, None, f"Need minval < maxval, got {low} >= {high}")
    return int(low), int(high)


def _drawn_int(shape: Any, key: Any, counter: Any, alg: Any, minval: Any, maxval: Any) -> Any:
    sizes = dims(shape)
    low, high = check_range(minval, maxval, sizes)
    number = count(sizes)
    if not number:
        return np.empty(sizes, minval.dtype)
    found = philox.uniform_int(*generator(key, counter, alg), number, dtypes.of_numpy(minval.dtype), low, high)
    return found.reshape(sizes)


def permuted(value: Any, word: Any) -> Any:
    """``value`` with its first axis shuffled: place i is swapped with one chosen among i and the places after it."""
    if not value.ndim or len(value) < 2:
        return value
    order = list(range(len(value)))
    size = len(order)
    for i in range(size - 1):
        j = i + word() % (size - i)
        order[i], order[j] = order[j], order[i]
    return value[order]


def _shuffle(value: Any, key: Any, counter: Any, alg: Any) -> Any:
    return permuted(value, philox.Words(*generator(key, counter, alg)).word)


def drawn_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """The shape that the first argument spells."""
    inference.with_rank(args[0].shape, 1, "shape")
    return inference.shape_of_value(args[0])


def _between_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    for arg, what in zip(args[4:], ("minval", "maxval"), strict=True):
        inference.with_rank(arg.shape, 0, what)
    return drawn_shape(args, attrs)


def _key_counter_shapes(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    check_seed(args[0])
    return [(1,), (2,)]


def check_seed(seed: Arg) -> None:
    """ValueError if a seed can't have shape [2]."""
    size = inference.with_rank(seed.shape, 1, "seed")[0]
    inference.merge_dim(size, 2, "The size of a seed and 2")


# --------------------------------------------------------------------------------------------------------------- ops

GET_KEY_COUNTER = define(
    "StatelessRandomGetKeyCounter", "seed: Tseed -> key: uint64, counter: uint64",
    kernel=_key_counter, infer=_key_counter_shapes, gradient=NOT_DIFFERENTIABLE,
    types={"Tseed": INDEX}, defaults={"Tseed": dtypes.int64}, can_fail=True, fp=False,
)  # fmt: skip
GET_ALG = define(
    "StatelessRandomGetAlg", "-> alg: int32", kernel=lambda: np.array(PHILOX, np.int32), infer=inference.scalar,
    gradient=NOT_DIFFERENTIABLE, fp=False,
)  # fmt: skip

_DRAW = "shape: Tshape, key: uint64, counter: uint64, alg: int32 -> output: dtype"
STATELESS_UNIFORM = define(
    "StatelessRandomUniformV2", _DRAW, kernel=_drawn(philox.uniform), infer=drawn_shape, gradient=NOT_DIFFERENTIABLE,
    types={"Tshape": INDEX}, defaults={"Tshape": dtypes.int32}, attrs={"dtype": dtypes.float32},
    can_fail=True, fp=False,
)  # fmt: skip
STATELESS_NORMAL = define(
    "StatelessRandomNormalV2", _DRAW, kernel=_drawn(philox.normal), infer=drawn_shape, gradient=NOT_DIFFERENTIABLE,
    types={"Tshape": INDEX}, defaults={"Tshape": dtypes.int32}, attrs={"dtype": dtypes.float32},
    can_fail=True, fp=False,
)  # fmt: skip
STATELESS_TRUNCATED = define(
    "StatelessTruncatedNormalV2", _DRAW, kernel=_drawn(philox.truncated_normal), infer=drawn_shape,
    gradient=NOT_DIFFERENTIABLE,
    types={"Tshape": INDEX}, defaults={"Tshape": dtypes.int32}, attrs={"dtype": dtypes.float32},
    can_fail=True, fp=False,
)  # fmt: skip
STATELESS_FULL_INT = define(
    "StatelessRandomUniformFullIntV2", _DRAW, kernel=_drawn(philox.full_range), infer=drawn_shape,
    gradient=NOT_DIFFERENTIABLE,
    types={"Tshape": INDEX, "dtype": WHOLE}, defaults={"Tshape": dtypes.int32}, attrs={"dtype": dtypes.uint64},
    can_fail=True, fp=False,
)  # fmt: skip
STATELESS_UNIFORM_INT = define(
    "StatelessRandomUniformIntV2",
    "shape: Tshape, key: uint64, counter: uint64, alg: int32, minval: dtype, maxval: dtype -> output: dtype",
    kernel=_drawn_int, infer=_between_shape, gradient=NOT_DIFFERENTIABLE,
    types={"Tshape": INDEX, "dtype": WHOLE}, defaults={"Tshape": dtypes.int32}, can_fail=True, fp=False,
)  # fmt: skip
STATELESS_SHUFFLE = define(
    "StatelessShuffle", "value: T, key: uint64, counter: uint64, alg: int32 -> output: T",
    kernel=_shuffle, infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE, can_fail=True, fp=False,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------------- fast paths


PLAIN = (int, float)


def quick_shape(shape: Any) -> tuple[int, ...] | None:
    """The sizes, if nothing is active (no graph, no tape, no watcher) and they are plain to see; else None."""
    if ACTIVE:
        return None
    kind = type(shape)
    if kind is EagerTensor:
        array = shape._a
        return tuple(array.tolist()) if array.ndim == 1 and array.dtype.kind == "i" and (array >= 0).all() else None
    if kind is list or kind is tuple:
        for size in shape:
            if type(size) is not int or size < 0:
                return None
        return tuple(shape)
    return None


def _quick_seed(seed: Any) -> tuple[int, int] | None:
    kind = type(seed)
    if kind is EagerTensor:
        array = seed._a
        return philox.scramble(*array.tolist()) if array.shape == (2,) and array.dtype.kind == "i" else None
    if (kind is list or kind is tuple) and len(seed) == 2:
        numbers = []
        for part in seed:
            if type(part) is EagerTensor and part._a.ndim == 0 and part._a.dtype.kind == "i":
                numbers.append(int(part._a))
            elif type(part) is int and -(2**31) <= part < 2**31:
                numbers.append(part)
            else:
                return None
        return philox.scramble(*numbers)
    return None


def quick_normal(sizes: tuple[int, ...], generator: tuple[int, int], dtype: DType, draw: Any) -> Any:
    """Standard normal numbers without any op: what eager ops with mean 0 and deviation 1 would give."""
    drawn = draw(*generator, count(sizes), dtype)
    drawn += 0  # as adding the mean does: no negative zeros
    return wrap(drawn.reshape(sizes))


def quick_uniform(sizes: tuple[int, ...], generator: tuple[int, int], dtype: DType, low: Any, high: Any) -> Any:
    """Uniform numbers without any op, for bounds that are Python numbers."""
    kind = dtype.np.type
    drawn = philox.uniform(*generator, count(sizes), dtype)
    low = kind(low)
    drawn *= kind(high) - low
    drawn += low
    return wrap(drawn.reshape(sizes))


# --------------------------------------------------------------------------------------------------- public functions


def key_counter(seed: Any) -> Any:
    """The key and counter tensors of a seed."""
    return bind(GET_KEY_COUNTER, (seed,))


def check_dtype(dtype: Any, allowed: Any, error: type[Exception] = ValueError) -> DType:
    """``dtype`` as a DType.  A ValueError, or the error given, if it is not one of ``allowed``."""
    found = dtypes.as_dtype(dtype)
    if found not in allowed:
        names = ", ".join(f"tf.{d.name}" for d in dtypes.ALL if d in allowed)
        raise error(f"The dtype {found.name} is not possible here. It must be one of {names}.")
    return found


def shape_tensor(shape: Any) -> Any:
    """A shape argument as a tensor of int32, or int64 if it is one; what is no shape is refused where it is used."""
    empty = isinstance(shape, (list, tuple)) and not shape
    return convert_to_tensor(shape, dtypes.int32 if empty else None, name="shape")


@public("random.stateless_uniform")
def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Draws numbers from a uniform distribution; the same seed and shape give the same numbers.

    Args:
      shape: the shape of the result: a list of sizes, or a vector of int32 or int64.
      seed: two integers, a tensor of shape ``[2]``.
      minval: the lower bound, included; None (with ``maxval=None``) for every integer of the dtype.
      maxval: the upper bound, excluded; by default 1 for floating-point dtypes.
      dtype: float16, bfloat16, float32, float64, int32, int64; uint32 and uint64 for full range only.
      name: a name for the nodes.
      alg: ``"philox"`` or ``"auto_select"``, which is the same here.

    Raises:
      ValueError: if the dtype or the combination of bounds is not possible.
      tf.errors.InvalidArgumentError: if the seed has another shape, or ``minval >= maxval`` for integers.

    >>> import graphlab as tf
    >>> tf.random.stateless_uniform([3], seed=(1, 2), minval=0, maxval=10, dtype=tf.int32).numpy()
    array([0, 9, 4], dtype=int32)
    """
    kind = check_dtype(dtype, FLOAT | WHOLE)
    whole = kind.is_integer
    if whole:
        if (minval is None) != (maxval is None):
            raise ValueError(f"For dtype {kind.name}, minval and maxval must both be given or both be None.")
        if minval is not None and kind.is_unsigned:
            raise ValueError(
                f"For dtype {kind.name}, minval and maxval must be None: only the full range can be drawn."
            )
    elif maxval is None:
        maxval = 1
    number = algorithm(alg)
    if type(minval) in PLAIN and type(maxval) in PLAIN and not whole and number != THREEFRY:
        sizes = quick_shape(shape)
        found = _quick_seed(seed) if sizes is not None else None
        if sizes is not None and found is not None:
            return quick_uniform(sizes, found, kind, minval, maxval)
    with name_scope(name, "stateless_random_uniform") as scope:
        shape = shape_tensor(shape)
        if whole and minval is None:
            return bind(STATELESS_FULL_INT, (shape, *key_counter(seed), number), {"dtype": kind}, scope or None)
        low = convert_to_tensor(minval, kind, name="min")
        high = convert_to_tensor(maxval, kind, name="max")
        if whole:
            return bind(STATELESS_UNIFORM_INT, (shape, *key_counter(seed), number, low, high), None, scope or None)
        drawn = bind(STATELESS_UNIFORM, (shape, *key_counter(seed), number), {"dtype": kind})
        return scaled(drawn, low, high, scope)


def scaled(drawn: Any, low: Any, high: Any, scope: str) -> Any:
    """Numbers in [0, 1) moved to [low, high)."""
    from graphlab.ops.math import add, multiply, subtract

    return add(multiply(drawn, subtract(high, low, name="sub"), name="mul"), low, name=scope or None)


def normal_of(drawn: Any, mean: Any, stddev: Any, scope: str) -> Any:
    """Standard normal numbers with another mean and standard deviation."""
    from graphlab.ops.math import add, multiply

    return add(multiply(drawn, stddev, name="mul"), mean, name=scope or None)


@public("random.stateless_normal")
def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Draws numbers from a normal distribution; the same seed and shape give the same numbers.

    Args:
      shape: the shape of the result: a list of sizes, or a vector of int32 or int64.
      seed: two integers, a tensor of shape ``[2]``.
      mean: the mean, a tensor that broadcasts to ``shape``.
      stddev: the standard deviation, a tensor that broadcasts to ``shape``.
      dtype: float16, bfloat16, float32 or float64.
      name: a name for the nodes.
      alg: ``"philox"`` or ``"auto_select"``, which is the same here.

    Raises:
      tf.errors.InvalidArgumentError: if the seed has another shape.

    >>> import graphlab as tf
    >>> tf.random.stateless_normal([2], seed=[1, 2]).numpy().round(4)
    array([0.5441, 0.2074], dtype=float32)
    """
    return _normal(STATELESS_NORMAL, "stateless_random_normal", shape, seed, mean, stddev, dtype, name, alg)


@public("random.stateless_truncated_normal")
def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Draws numbers from a normal distribution without those beyond two standard deviations from the mean.

    Args:
      shape: the shape of the result: a list of sizes, or a vector of int32 or int64.
      seed: two integers, a tensor of shape ``[2]``.
      mean: the mean before truncation, a tensor that broadcasts to ``shape``.
      stddev: the standard deviation before truncation, a tensor that broadcasts to ``shape``.
      dtype: float16, bfloat16, float32 or float64.
      name: a name for the nodes.
      alg: ``"philox"`` or ``"auto_select"``, which is the same here.

    Raises:
      tf.errors.InvalidArgumentError: if the seed has another shape.

    >>> import graphlab as tf
    >>> x = tf.random.stateless_truncated_normal([1000], seed=[1, 2])
    >>> bool(tf.reduce_all(tf.abs(x) < 2))
    True
    """
    return _normal(STATELESS_TRUNCATED, "stateless_truncated_normal", shape, seed, mean, stddev, dtype, name, alg)


def _normal(
    op: Any, base: str, shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any, name: str | None, alg: Any
) -> Any:
    kind = check_dtype(dtype, FLOAT, TypeError)
    number = algorithm(alg)
    if type(mean) in PLAIN and type(stddev) in PLAIN and mean == 0 and stddev == 1 and number != THREEFRY:
        sizes = quick_shape(shape)
        found = _quick_seed(seed) if sizes is not None else None
        if sizes is not None and found is not None:
            draw = philox.normal if op is STATELESS_NORMAL else philox.truncated_normal
            return quick_normal(sizes, found, kind, draw)
    with name_scope(name, base) as scope:
        shape = shape_tensor(shape)
        mean = convert_to_tensor(mean, kind, name="mean")
        stddev = convert_to_tensor(stddev, kind, name="stddev")
        drawn = bind(op, (shape, *key_counter(seed), number), {"dtype": kind})
        return normal_of(drawn, mean, stddev, scope)


@public("random.split", "random.experimental.stateless_split")
def split(seed: Any, num: Any = 2, alg: Any = "auto_select") -> Any:
    """Makes several independent seeds of one.

    Args:
      seed: two integers, a tensor of shape ``[2]``.
      num: how many seeds, an int or scalar tensor.
      alg: ``"philox"`` or ``"auto_select"``, which is the same here.

    Returns:
      The seeds, a tensor of shape ``[num, 2]`` and the dtype of ``seed``.

    >>> import graphlab as tf
    >>> tf.random.split([1, 2], num=3).shape
    TensorShape([3, 2])
    """
    seed = convert_to_tensor(seed)
    if isinstance(num, (list, tuple)) and not num:
        raise misfit("num must be a scalar, not an empty list.")
    return stateless_uniform([num, 2], seed, None, None, seed.dtype, alg=alg)


@public("random.fold_in", "random.experimental.stateless_fold_in")
def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """Makes a new seed of a seed and a number, for instance the number of the step.

    Args:
      seed: two integers, a tensor of shape ``[2]``.
      data: an integer scalar.
      alg: ``"philox"`` or ``"auto_select"``, which is the same here.

    Returns:
      A seed: a tensor of shape ``[2]`` and the dtype of ``data``.

    >>> import graphlab as tf
    >>> tf.random.fold_in([1, 2], 5).shape
    TensorShape([2])
    """
    from graphlab.ops.array import stack

    data = convert_to_tensor(data)
    drawn = stateless_uniform([], seed, None, None, data.dtype, alg=alg)
    return stack([drawn, data])


@public("random.experimental.stateless_shuffle")
def stateless_shuffle(value: Any, seed: Any, alg: Any = "auto_select", name: str | None = None) -> Any:
    """Shuffles a tensor along its first axis; the same seed gives the same order.

    Args:
      value: a tensor of any dtype.
      seed: two integers, a tensor of shape ``[2]``.
      alg: ``"philox"`` or ``"auto_select"``, which is the same here.
      name: a name for the nodes.

    >>> import graphlab as tf
    >>> x = tf.random.experimental.stateless_shuffle([1, 2, 3, 4], seed=[8, 9])
    >>> sorted(x.numpy().tolist())
    [1, 2, 3, 4]
    """
    number = algorithm(alg)
    with name_scope(name, "stateless_shuffle"):
        return bind(STATELESS_SHUFFLE, (value, *key_counter(seed), number))
