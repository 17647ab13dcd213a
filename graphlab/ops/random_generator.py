"""``tf.random.Generator``: a random-number generator whose state is a variable that its user holds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, dtype_attribute, misfit, name_scope
from graphlab.core.errors import UnimplementedError
from graphlab.core.export import public, resolve
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.core.storage import Cell
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.ops.inference import Attrs
from graphlab.ops.random_distributions import binomial_from
from graphlab.ops.random_stateless import (
    PHILOX,
    STATELESS_FULL_INT,
    STATELESS_NORMAL,
    STATELESS_TRUNCATED,
    STATELESS_UNIFORM,
    STATELESS_UNIFORM_INT,
    algorithm,
    dims,
    normal_of,
    scaled,
    shape_tensor,
)
from graphlab.ops.resource import read

_64 = (1 << 64) - 1
_STATE_SIZE = 3
_COUNTS = frozenset((dtypes.float16, dtypes.float32, dtypes.float64))

# ------------------------------------------------------------------------------------------------------------- kernels


def _advance(cell: Cell, blocks: int) -> Any:
    """The state before ``blocks`` blocks of the generator are used."""
    with cell.lock:
        before = read(cell)
        low, high, key = before.tolist()
        counter = (low & _64) | (high & _64) << 64
        counter = (counter + blocks) & ((1 << 128) - 1)
        after = np.array([counter & _64, counter >> 64, key & _64], np.uint64)
        cell.value = after.view(np.int64)
        return before


def _read_and_skip(cell: Cell, alg: Any, delta: Any) -> Any:
    return _advance(cell, int(delta) * 256)


def _binomial(cell: Cell, algorithm: Any, shape: Any, counts: Any, probs: Any, dtype: Any) -> Any:
    sizes = dims(shape)
    batches = int(np.prod(np.broadcast_shapes(counts.shape, probs.shape), dtype=np.int64))
    samples = int(np.prod(sizes, dtype=np.int64)) // max(batches, 1)
    low, high, key = _advance(cell, batches * 200 * (samples + 3) // 4 * 256).tolist()
    return binomial_from(key & _64, (low & _64) | (high & _64) << 64, sizes, counts, probs, dtype)


def _binomial_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    from graphlab.ops import inference

    return inference.shape_of_value(args[2])


READ_AND_SKIP = define(
    "RngReadAndSkip", "resource: resource, alg: int32, delta: uint64 -> value: int64", kernel=_read_and_skip,
    infer=lambda _args, _attrs: (_STATE_SIZE,), gradient=NOT_DIFFERENTIABLE, effect="write", fp=False,
)  # fmt: skip
STATEFUL_BINOMIAL = define(
    "StatefulRandomBinomial",
    "resource: resource, algorithm: int64, shape: S, counts: T, probs: T -> output: dtype", kernel=_binomial,
    infer=_binomial_shape, gradient=NOT_DIFFERENTIABLE,
    types={"S": INDEX, "T": _COUNTS, "dtype": _COUNTS | {dtypes.int32, dtypes.int64}},
    defaults={"S": dtypes.int32, "T": dtypes.float64}, attrs={"dtype": dtypes.int64}, effect="write",
)  # fmt: skip

# --------------------------------------------------------------------------------------------------------------- state


def _checked(alg: Any) -> int:
    number = algorithm("philox" if alg is None else alg)
    if number == 2:
        raise UnimplementedError(None, None, "The algorithm 'threefry' is not offered on a CPU: alg must be 'philox'.")
    return PHILOX


def _state_of_seed(seed: Any) -> Any:
    """Three numbers from an int, its words with zeros behind, or from a list of at most three, with zeros before."""
    if isinstance(seed, (int, np.integer)):
        number = int(seed) & ((1 << 192) - 1)
        parts = [(number >> (64 * i)) & _64 for i in range(_STATE_SIZE)]
        return np.array(parts, np.uint64).view(np.int64)
    from graphlab.ops.array import concat, reshape
    from graphlab.ops.casting import cast
    from graphlab.ops.creation import zeros

    numbers = reshape(cast(convert_to_tensor(seed), dtypes.int64), [-1])[:_STATE_SIZE]
    size = numbers.shape.num_elements()
    if size is None:
        raise ValueError("A seed must have a known shape.")
    return concat([zeros([_STATE_SIZE - size], dtypes.int64), numbers], 0)


@public("random.create_rng_state", "random.experimental.create_rng_state")
def create_rng_state(seed: Any, alg: Any) -> Any:
    """Makes the state of a generator from a seed.

    Args:
      seed: an int, or a vector of at most three.
      alg: ``"philox"``.

    Returns:
      An int64 tensor of shape ``[3]``: the counter in two parts, and the key.

    >>> import graphlab as tf
    >>> tf.random.create_rng_state(5, "philox").numpy()
    array([5, 0, 0])
    """
    _checked(alg)
    return convert_to_tensor(_state_of_seed(seed), dtypes.int64)


@public("random.Generator", "random.experimental.Generator")
class Generator:
    """A random-number generator with a state of its own.

    Make one with ``from_seed``, ``from_state``, ``from_key_counter``, ``from_non_deterministic_state`` or ``split``.
    Its state is a variable: it goes on in eager mode and inside traced functions alike.

    >>> import graphlab as tf
    >>> g = tf.random.Generator.from_seed(1)
    >>> g.normal([2]).shape
    TensorShape([2])
    >>> g.state.numpy()
    array([513,   0,   0])
    """

    def __init__(self, copy_from: Generator | None = None, state: Any = None, alg: Any = None) -> None:
        """Makes a generator like another, or one with a state (a vector of three int64) and an algorithm.

        A variable that is given as state is the generator's own from then on: both see what either does to it.
        """
        variable = resolve("Variable")
        if copy_from is not None:
            if state is not None or alg is not None:
                raise ValueError("Give either copy_from, or state and alg.")
            state, alg = copy_from.state, copy_from.algorithm
        if state is None or alg is None:
            raise ValueError("A generator needs a state and an algorithm. Write tf.random.Generator.from_seed(...).")
        if isinstance(alg, Tensor) and not (isinstance(alg, EagerTensor) and alg.shape.rank == 0):
            kind = TypeError if isinstance(alg, EagerTensor) else ValueError
            raise kind(f"The algorithm of a generator is one name or int, known when it is made, not {alg!r:.100}.")
        self._alg = _checked(alg)
        if copy_from is None and isinstance(state, variable) and state.dtype is dtypes.int64:
            _check_state(state)
            self._state_var = state
            return
        value = _as_state(state)
        self._state_var = variable(value, dtype=dtypes.int64, name="StateVar", trainable=False)

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """A generator with a state: a vector of three int64 (two of the counter, the key), or a variable to share."""
        if isinstance(state, Generator):
            return cls(copy_from=state)
        return cls(state=state, alg=alg)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator whose state is made from an int or a vector of at most three."""
        return cls(state=create_rng_state(seed, "philox" if alg is None else alg), alg=_checked(alg))

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator that gives other numbers in every run of the program."""
        return cls(state=np.frombuffer(os.urandom(8 * _STATE_SIZE), np.int64), alg=_checked(alg))

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """A generator with a key (an int64) and a counter (two int64)."""
        if alg is None:
            raise TypeError("A generator needs an algorithm: alg must be 'philox'.")
        return cls(state=_joined(key, counter), alg=_checked(alg))

    @property
    def state(self) -> Any:
        """The state: a variable of three int64, the counter in two parts and the key."""
        return self._state_var

    @property
    def algorithm(self) -> int:
        """The number of the algorithm: 1, Philox."""
        return self._alg

    @property
    def key(self) -> Any:
        """The key, an int64 scalar."""
        return self._state_var[2]

    def reset(self, state: Any) -> None:
        """Sets the state to a vector of three int64."""
        self._state_var.assign(_as_state(state))

    def reset_from_seed(self, seed: Any) -> None:
        """Sets the state to that of a new generator with a seed."""
        self.reset(create_rng_state(seed, self._alg))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Sets the key (an int64) and the counter (two int64)."""
        self.reset(_joined(key, counter))

    def skip(self, delta: Any) -> Any:
        """Moves on as if ``delta`` numbers had been drawn; returns the state before."""
        from graphlab.ops.casting import cast

        delta = convert_to_tensor(delta)
        if delta.shape.rank:
            raise misfit(f"delta must be a scalar, not of shape {delta.shape}.")
        return bind(READ_AND_SKIP, (self._state_var.handle, self._alg, cast(delta, dtypes.uint64)))

    def _key_counter(self, shape: Any) -> tuple[Any, Any]:
        """Key and counter for numbers of a shape; the state moves on."""
        from graphlab.ops.casting import bitcast
        from graphlab.ops.reduction import reduce_prod

        state = self.skip(reduce_prod(shape))
        return bitcast(state[2:], dtypes.uint64), bitcast(state[:2], dtypes.uint64)

    def _drawn(self, op: Any, shape: Any, kind: Any) -> Any:
        return bind(op, (shape, *self._key_counter(shape), self._alg), {"dtype": kind})

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Any:
        """Numbers of a normal distribution; see ``tf.random.normal``."""
        return self._normal(STATELESS_NORMAL, "stateful_normal", shape, mean, stddev, dtype, name)

    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Any:
        """Numbers of a normal distribution within two standard deviations; see ``tf.random.truncated_normal``."""
        return self._normal(STATELESS_TRUNCATED, "truncated_normal", shape, mean, stddev, dtype, name)

    def _normal(self, op: Any, base: str, shape: Any, mean: Any, stddev: Any, dtype: Any, name: str | None) -> Any:
        kind = dtypes.float32 if dtype is None else dtypes.as_dtype(dtype)
        with name_scope(name, base) as scope:
            shape = shape_tensor(shape)
            mean = convert_to_tensor(mean, kind, name="mean")
            stddev = convert_to_tensor(stddev, kind, name="stddev")
            return normal_of(self._drawn(op, shape, kind), mean, stddev, scope)

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Any:
        """Numbers in [minval, maxval); for integers ``None, None`` gives every value of the dtype.

        Raises:
          ValueError: if only one bound is None for an integer dtype.
        """
        kind = dtypes.as_dtype(dtype)
        if kind.is_integer:
            if (minval is None) != (maxval is None):
                raise ValueError(
                    f"For integer dtype {kind!r}, minval and maxval must be both `None` or both non-`None`; got "
                    f"minval={minval} and maxval={maxval}"
                )
        elif maxval is None:
            maxval = 1
        with name_scope(name, "stateful_uniform") as scope:
            shape = shape_tensor(shape)
            if kind.is_integer and minval is None:
                return self.uniform_full_int(shape, kind, name=scope or None)
            low = convert_to_tensor(minval, kind, name="min")
            high = convert_to_tensor(maxval, kind, name="max")
            if kind.is_integer:
                parts = (shape, *self._key_counter(shape), self._alg, low, high)
                return bind(STATELESS_UNIFORM_INT, parts, None, scope or None)
            return scaled(self._drawn(STATELESS_UNIFORM, shape, kind), low, high, scope)

    def uniform_full_int(self, shape: Any, dtype: Any = dtypes.uint64, name: str | None = None) -> Any:
        """Integers of 32 or 64 bits, every value equally likely."""
        kind = dtype_attribute(STATELESS_FULL_INT, "dtype", dtypes.as_dtype(dtype))
        with name_scope(name, "stateful_uniform_full_int") as scope:
            shape = shape_tensor(shape)
            parts = (shape, *self._key_counter(shape), self._alg)
            return bind(STATELESS_FULL_INT, parts, {"dtype": kind}, scope or None)

    def binomial(self, shape: Any, counts: Any, probs: Any, dtype: Any = dtypes.int32, name: str | None = None) -> Any:
        """Numbers of successes among ``counts`` trials; see ``tf.random.stateless_binomial``."""
        kind = dtype_attribute(STATEFUL_BINOMIAL, "dtype", dtypes.as_dtype(dtype))
        with name_scope(name, "binomial") as scope:
            counts = convert_to_tensor(counts, name="counts")
            probs = convert_to_tensor(probs, name="probs")
            parts = (self._state_var.handle, self._alg, shape_tensor(shape), counts, probs)
            return bind(STATEFUL_BINOMIAL, parts, {"dtype": kind}, scope or None)

    def make_seeds(self, count: int = 1) -> Any:
        """Seeds for stateless ops: an int64 tensor of shape ``[2, count]``, a seed a column."""
        from graphlab.ops.array import stack
        from graphlab.ops.creation import zeros_like

        keys = self.uniform_full_int([count], dtypes.int64)
        return stack([keys, zeros_like(keys)])

    def split(self, count: int = 1) -> list[Generator]:
        """Makes independent generators, a list of ``count``."""
        from graphlab.ops.array import unstack

        keys = self.uniform_full_int([count], dtypes.int64)
        return [Generator.from_key_counter(key, [0, 0], self._alg) for key in unstack(keys, count)]


def _joined(key: Any, counter: Any) -> Any:
    from graphlab.ops.array import concat, reshape
    from graphlab.ops.casting import cast

    key, counter = cast(convert_to_tensor(key), dtypes.int64), cast(convert_to_tensor(counter), dtypes.int64)
    if key.shape.rank:
        raise ValueError(f"The key of a generator is one int64, not of shape {key.shape}.")
    key = reshape(key, [1])
    if counter.shape.rank is not None and counter.shape.as_list() != [_STATE_SIZE - 1]:
        raise ValueError(f"The counter of a generator is a vector of 2 int64, not of shape {counter.shape}.")
    return concat([counter, key], 0)


def _as_state(state: Any) -> Any:
    """A state as an int64 tensor; numbers of other dtypes are cast, as in TensorFlow."""
    from graphlab.ops.casting import cast

    value = cast(convert_to_tensor(state), dtypes.int64)
    _check_state(value)
    return value


def _check_state(value: Any) -> None:
    if value.shape.as_list() != [_STATE_SIZE]:
        raise ValueError(f"The state of a generator is a vector of {_STATE_SIZE} int64, not of shape {value.shape}.")


_global: list[Generator] = []


@public("random.get_global_generator", "random.experimental.get_global_generator")
def get_global_generator() -> Generator:
    """Returns the generator that the whole program shares; made from a non-deterministic state when first asked for.

    >>> import graphlab as tf
    >>> tf.random.get_global_generator() is tf.random.get_global_generator()
    True
    """
    if not _global:
        with resolve("init_scope")():
            _global.append(Generator.from_non_deterministic_state())
    return _global[-1]


@public("random.set_global_generator", "random.experimental.set_global_generator")
def set_global_generator(generator: Generator) -> None:
    """Replaces the generator that the whole program shares.

    A function that was traced before keeps using the one it was traced with.

    Args:
      generator: a ``tf.random.Generator``.

    >>> import graphlab as tf
    >>> tf.random.set_global_generator(tf.random.Generator.from_seed(5))
    >>> tf.random.get_global_generator().state.numpy()
    array([5, 0, 0])
    """
    _global[:] = [generator]
