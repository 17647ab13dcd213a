"""Random numbers of distributions with parameters: categorical, gamma, Poisson, binomial; stateful and stateless."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import FLOAT, INDEX, NOT_DIFFERENTIABLE, REAL, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.core.state import state
from graphlab.ops import inference, random_sampling
from graphlab.ops.inference import Attrs
from graphlab.ops.philox import RESERVED
from graphlab.ops.random import SEEDS
from graphlab.ops.random_seed import seed_attrs, stream
from graphlab.ops.random_stateless import (
    check_seed,
    count,
    dims,
    drawn_shape,
    generator,
    key_counter,
    seed_pair,
    shape_tensor,
)


def _check_logits(logits: Any, num_samples: Any) -> int:
    if logits.ndim != 2:
        raise InvalidArgumentError(None, None, f"logits should be a matrix, got shape {list(logits.shape)}")
    if num_samples.ndim:
        raise InvalidArgumentError(None, None, f"num_samples should be a scalar, got shape {list(num_samples.shape)}")
    number = int(num_samples)
    if number < 0:
        raise InvalidArgumentError(None, None, f"num_samples should be nonnegative, got {number}")
    if number and len(logits) and not logits.shape[1]:
        raise InvalidArgumentError(None, None, "num_classes should be positive, got 0")
    return number


def _multinomial(logits: Any, num_samples: Any, output_dtype: DType, seed: int, seed2: int) -> Any:
    number = _check_logits(logits, num_samples)
    used = len(logits) * (-(-number // 4) * 4) * 2
    key, counter = stream(("Multinomial", logits.dtype, output_dtype), seed, seed2).take(used * RESERVED)
    return random_sampling.categorical(logits, number, key, counter, output_dtype.np)


def _stateless_multinomial(logits: Any, num_samples: Any, seed: Any, output_dtype: DType) -> Any:
    number = _check_logits(logits, num_samples)
    return random_sampling.categorical(logits, number, *seed_pair(seed), output_dtype.np)


def _gamma(shape: Any, alpha: Any, seed: int, seed2: int) -> Any:
    sizes = dims(shape)
    key, counter = stream(("RandomGamma", alpha.dtype), seed, seed2).take(count(sizes) * alpha.size * RESERVED)
    return _gamma_from(key, counter, sizes, alpha)


def _gamma_from(key: int, counter: int, sizes: tuple[int, ...], alpha: Any) -> Any:
    parameters = alpha.reshape(-1).astype(np.float64).tolist()
    flat = random_sampling.each(key, counter, count(sizes), parameters, random_sampling.gamma)
    return random_sampling.arranged(flat, sizes, alpha.shape, alpha.dtype)


def leading(sizes: tuple[int, ...], batch: tuple[int, ...]) -> tuple[int, ...]:
    """The part of a stateless op's shape that counts samples: the rest is the shape of its parameters."""
    rank = len(sizes) - len(batch)
    if rank < 0 or sizes[rank:] != batch:
        message = f"Shape passed in must end with broadcasted shape: {list(sizes)} does not end with {list(batch)}."
        raise InvalidArgumentError(None, None, message)
    return sizes[:rank]


def _stateless_gamma(shape: Any, key: Any, counter: Any, alg: Any, alpha: Any) -> Any:
    sizes = dims(shape)
    if not count(sizes):  # the parameters are not looked at
        return np.empty(sizes, alpha.dtype)
    return _gamma_from(*generator(key, counter, alg), leading(sizes, alpha.shape), alpha)


def _poisson(shape: Any, rate: Any, dtype: DType, seed: int, seed2: int) -> Any:
    sizes = dims(shape)
    used = count(sizes) * rate.size * RESERVED
    key, counter = stream(("RandomPoissonV2", dtypes.of_numpy(rate.dtype), dtype), seed, seed2).take(used)
    return _poisson_from(key, counter, sizes, rate, dtype)


def _poisson_from(key: int, counter: int, sizes: tuple[int, ...], rate: Any, dtype: DType) -> Any:
    parameters = rate.reshape(-1).astype(np.float64).tolist()
    flat = random_sampling.each(key, counter, count(sizes), parameters, random_sampling.poisson)
    return random_sampling.arranged(flat, sizes, rate.shape, dtype.np)


def _stateless_poisson(shape: Any, seed: Any, lam: Any, dtype: DType) -> Any:
    sizes, pair = dims(shape), seed_pair(seed)
    if not count(sizes):
        return np.empty(sizes, dtype.np)
    return _poisson_from(*pair, leading(sizes, lam.shape), lam, dtype)


def _stateless_binomial(shape: Any, seed: Any, counts: Any, probs: Any, dtype: DType) -> Any:
    key, counter = seed_pair(seed)
    return binomial_from(key, counter, dims(shape), counts, probs, dtype)


def binomial_from(key: int, counter: int, sizes: tuple[int, ...], counts: Any, probs: Any, dtype: DType) -> Any:
    """Binomial numbers; the result's shape ends with the one that counts and probabilities broadcast to."""
    pairs = np.broadcast_arrays(counts.astype(np.float64), probs.astype(np.float64))
    samples = leading(sizes, pairs[0].shape)
    parameters = list(zip(*(part.reshape(-1).tolist() for part in pairs), strict=True))
    draw, reserved = random_sampling.binomial, random_sampling.binomial_reserved
    flat = random_sampling.each(key, counter, count(samples), parameters, draw, reserved)
    return random_sampling.arranged(flat, samples, pairs[0].shape, dtype.np)


def _drawn_then(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """The shape that the first argument spells, then that of the last."""
    first, last = drawn_shape(args, _attrs), args[-1].shape
    return None if first is None or last is None else (*first, *last)


def _samples_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    rows = inference.with_rank(args[0].shape, 2, "logits")[0]
    if len(args) == 3:
        check_seed(args[2])
    return rows, inference.size_of_value(args[1], "num_samples")


def _seeded_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    check_seed(args[1])
    return drawn_shape(args, attrs)


_PARAMETER = INDEX | FLOAT - {dtypes.bfloat16}

MULTINOMIAL = define(
    "Multinomial", "logits: T, num_samples: int32 -> output: output_dtype", kernel=_multinomial, infer=_samples_shape,
    gradient=NOT_DIFFERENTIABLE, types={"T": REAL}, attrs={**SEEDS, "output_dtype": dtypes.int64}, random=True,
)  # fmt: skip


GAMMA = define(
    "RandomGamma", "shape: S, alpha: T -> output: T", kernel=_gamma, infer=_drawn_then, gradient=None,
    types={"S": INDEX, "T": FLOAT - {dtypes.bfloat16}}, attrs=SEEDS, random=True,
)  # fmt: skip


POISSON = define(
    "RandomPoissonV2", "shape: S, rate: R -> output: dtype", kernel=_poisson, infer=_drawn_then, gradient=None,
    types={"S": INDEX, "R": _PARAMETER}, defaults={"S": dtypes.int32, "R": dtypes.float64},
    attrs={**SEEDS, "dtype": dtypes.int64}, random=True,
)  # fmt: skip


STATELESS_MULTINOMIAL = define(
    "StatelessMultinomial", "logits: T, num_samples: int32, seed: Tseed -> output: output_dtype",
    kernel=_stateless_multinomial, infer=_samples_shape, gradient=NOT_DIFFERENTIABLE,
    types={"T": REAL, "Tseed": INDEX}, defaults={"Tseed": dtypes.int64}, attrs={"output_dtype": dtypes.int64},
    can_fail=True,
)  # fmt: skip


STATELESS_GAMMA = define(
    "StatelessRandomGammaV3",
    "shape: shape_dtype, key: uint64, counter: uint64, alg: int32, alpha: dtype -> output: dtype",
    kernel=_stateless_gamma, infer=drawn_shape, gradient=None,
    types={"shape_dtype": INDEX, "dtype": FLOAT - {dtypes.bfloat16}}, defaults={"shape_dtype": dtypes.int32},
    can_fail=True,
)  # fmt: skip


STATELESS_POISSON = define(
    "StatelessRandomPoisson", "shape: T, seed: Tseed, lam: Rtype -> output: dtype", kernel=_stateless_poisson,
    infer=_seeded_shape, gradient=None, types={"T": INDEX, "Tseed": INDEX, "Rtype": _PARAMETER},
    defaults={"T": dtypes.int32, "Tseed": dtypes.int64}, attrs={"dtype": dtypes.int32}, can_fail=True,
)  # fmt: skip


STATELESS_BINOMIAL = define(
    "StatelessRandomBinomial", "shape: S, seed: Tseed, counts: T, probs: T -> output: dtype",
    kernel=_stateless_binomial, infer=_seeded_shape, gradient=None,
    types={"S": INDEX, "Tseed": INDEX, "T": _PARAMETER},
    defaults={"S": dtypes.int32, "Tseed": dtypes.int64, "T": dtypes.float64}, attrs={"dtype": dtypes.int64},
    can_fail=True,
)  # fmt: skip


@public("random.categorical")
def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None, name: str | None = None
) -> Any:
    """Draws classes from categorical distributions.

    Args:
      logits: unnormalised log-probabilities, a tensor of shape ``[rows, classes]`` and a real dtype.
      num_samples: how many classes to draw for each row, an int or scalar tensor.
      dtype: int32 or int64 (the default).
      seed: the op's own seed, an int; see ``tf.random.set_seed``.
      name: a name for the nodes.

    Returns:
      A tensor of shape ``[rows, num_samples]``.

    Raises:
      tf.errors.InvalidArgumentError: if ``logits`` is no matrix (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.random.categorical(tf.math.log([[0.5, 0.5]]), 5).shape
    TensorShape([1, 5])
    """
    kind = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
    with name_scope(name, "categorical"):
        logits = convert_to_tensor(logits, name="logits")
        seeds = seed_attrs(seed, ("Multinomial", logits.dtype.np, kind))
        return bind(MULTINOMIAL, (logits, num_samples), {**seeds, "output_dtype": kind})


@public("random.gamma")
def gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Draws numbers from gamma distributions.

    Args:
      shape: how many numbers for each pair of parameters: a list of sizes, or a vector of int32 or int64.
      alpha: shape parameters, a tensor of ``dtype``.
      beta: rate parameters, a tensor that broadcasts with ``alpha``; by default 1.
      dtype: float16, float32 or float64.
      seed: the op's own seed, an int; see ``tf.random.set_seed``.
      name: a name for the nodes.

    Returns:
      A tensor of shape ``shape + broadcast(alpha.shape, beta.shape)``.

    >>> import graphlab as tf
    >>> tf.random.gamma([10], [0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    kind = dtypes.as_dtype(dtype)
    with name_scope(name, "random_gamma"):
        shape = sizes_of(shape)
        alpha, beta = _gamma_parameters(alpha, beta, kind)
        drawn = bind(GAMMA, (shape, alpha), seed_attrs(seed, ("RandomGamma", kind.np)))
        return _by_rate(drawn, beta, kind)


def sizes_of(shape: Any) -> Any:
    """The shape of a sample as a vector of int32."""
    return convert_to_tensor(shape, dtypes.int32, name="shape")


def _gamma_parameters(alpha: Any, beta: Any, kind: DType) -> tuple[Any, Any]:
    from graphlab.ops.array_shape import broadcast_to
    from graphlab.ops.array_shape import shape as shape_of
    from graphlab.ops.broadcasting import broadcast_dynamic_shape

    alpha = convert_to_tensor(alpha, kind, name="alpha")
    beta = convert_to_tensor(1 if beta is None else beta, kind, name="beta")
    if state.graph is not None:
        inference.broadcast(alpha._raw_shape(), beta._raw_shape())
    return broadcast_to(alpha, broadcast_dynamic_shape(shape_of(alpha), shape_of(beta))), beta


def _by_rate(drawn: Any, beta: Any, kind: DType) -> Any:
    from graphlab.ops.math import maximum

    return maximum(np.finfo(kind.np).tiny.astype(kind.np), drawn / beta)


@public("random.poisson")
def poisson(shape: Any, lam: Any, dtype: Any = dtypes.float32, seed: int | None = None, name: str | None = None) -> Any:
    """Draws numbers from Poisson distributions.

    Args:
      shape: how many numbers for each rate: a list of sizes, or a vector of int32 or int64.
      lam: rates, a tensor of a real dtype.
      dtype: float16, float32, float64, int32 or int64.
      seed: the op's own seed, an int; see ``tf.random.set_seed``.
      name: a name for the nodes.

    Returns:
      A tensor of shape ``shape + lam.shape`` and of dtype ``dtype``.

    >>> import graphlab as tf
    >>> tf.random.poisson([10], [0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    kind = dtypes.as_dtype(dtype)
    with name_scope(name, "random_poisson"):
        shape = sizes_of(shape)
        if state.graph is None:
            lam = convert_to_tensor(lam, dtype_hint=dtypes.float64)
        drawn_from = getattr(lam, "dtype", None)
        return bind(POISSON, (shape, lam), {**seed_attrs(seed, ("RandomPoissonV2", drawn_from, kind)), "dtype": kind})


@public("random.stateless_categorical")
def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = dtypes.int64, name: str | None = None
) -> Any:
    """Draws classes from categorical distributions; the same seed gives the same classes.

    Args:
      logits: unnormalised log-probabilities, a tensor of shape ``[rows, classes]`` and a real dtype.
      num_samples: how many classes to draw for each row, an int or scalar tensor.
      seed: two integers, a tensor of shape ``[2]``.
      dtype: int32 or int64.
      name: a name for the nodes.

    Returns:
      A tensor of shape ``[rows, num_samples]``.

    >>> import graphlab as tf
    >>> tf.random.stateless_categorical(tf.math.log([[0.5, 0.5]]), 5, seed=[7, 17]).shape
    TensorShape([1, 5])
    """
    with name_scope(name, "stateless_categorical"):
        logits = convert_to_tensor(logits, name="logits")
        kind = dtypes.as_dtype(dtype)
        return bind(STATELESS_MULTINOMIAL, (logits, num_samples, seed), {"output_dtype": kind})


@public("random.stateless_gamma")
def stateless_gamma(
    shape: Any, seed: Any, alpha: Any, beta: Any = None, dtype: Any = dtypes.float32, name: str | None = None
) -> Any:
    """Draws numbers from gamma distributions; the same seed gives the same numbers.

    Args:
      shape: the shape of the result; it ends with the shape that ``alpha`` and ``beta`` broadcast to.
      seed: two integers, a tensor of shape ``[2]``.
      alpha: shape parameters, a tensor of ``dtype``.
      beta: rate parameters, a tensor that broadcasts with ``alpha``; by default 1.
      dtype: float16, float32 or float64.
      name: a name for the nodes.

    >>> import graphlab as tf
    >>> tf.random.stateless_gamma([10, 2], seed=[12, 34], alpha=[0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    from graphlab.ops.random_stateless import AUTO_SELECT

    kind = dtypes.as_dtype(dtype)
    with name_scope(name, "stateless_random_gamma"):
        shape = shape_tensor(shape)
        alpha, beta = _gamma_parameters(alpha, beta, kind)
        drawn = bind(STATELESS_GAMMA, (shape, *key_counter(seed), AUTO_SELECT, alpha))
        return _by_rate(drawn, beta, kind)


@public("random.stateless_poisson")
def stateless_poisson(shape: Any, seed: Any, lam: Any, dtype: Any = dtypes.int32, name: str | None = None) -> Any:
    """Draws numbers from Poisson distributions; the same seed gives the same numbers.

    Args:
      shape: the shape of the result; ``lam`` broadcasts to it.
      seed: two integers, a tensor of shape ``[2]``.
      lam: rates, a tensor of a real dtype.
      dtype: float16, float32, float64, int32 or int64.
      name: a name for the nodes.

    >>> import graphlab as tf
    >>> tf.random.stateless_poisson([10, 2], seed=[12, 34], lam=[5, 15]).shape
    TensorShape([10, 2])
    """
    with name_scope(name, "stateless_random_poisson"):
        shape = shape_tensor(shape)
        return bind(STATELESS_POISSON, (shape, seed, lam), {"dtype": dtypes.as_dtype(dtype)})


@public("random.stateless_binomial")
def stateless_binomial(
    shape: Any, seed: Any, counts: Any, probs: Any, output_dtype: Any = dtypes.int32, name: str | None = None
) -> Any:
    """Draws numbers of successes from binomial distributions; the same seed gives the same numbers.

    Args:
      shape: the shape of the result; it ends with the shape that ``counts`` and ``probs`` broadcast to.
      seed: two integers, a tensor of shape ``[2]``.
      counts: numbers of trials, a tensor of a real dtype.
      probs: probabilities of success, a tensor of the dtype of ``counts``.
      output_dtype: the dtype of the result.
      name: a name for the nodes.

    >>> import graphlab as tf
    >>> tf.random.stateless_binomial([3, 2], seed=[1, 2], counts=[10.0, 20.0], probs=0.5).shape
    TensorShape([3, 2])
    """
    with name_scope(name, "stateless_random_binomial"):
        shape = shape_tensor(shape)
        probs = convert_to_tensor(probs, dtype_hint=dtypes.float32, name="probs")
        counts = convert_to_tensor(counts, dtype_hint=probs.dtype, name="counts")
        return bind(STATELESS_BINOMIAL, (shape, seed, counts, probs), {"dtype": dtypes.as_dtype(output_dtype)})
