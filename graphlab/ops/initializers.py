"""Initializers: objects that make the first value of a variable when they are told its shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dtypes import DType
from graphlab.core.export import public

_PARTITION = ("partition_shape", "partition_offset")


class Initializer:
    """Makes a tensor of a shape and dtype: ``initializer(shape, dtype)``."""

    _settings: ClassVar[tuple[str, ...]] = ()

    def get_config(self) -> dict[str, Any]:
        """The arguments it was made with."""
        return {name: getattr(self, name) for name in self._settings}

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Self:
        """The initializer with these arguments."""
        return cls(**{key: value for key, value in config.items() if key != "dtype"})

    @staticmethod
    def _shape(shape: Any, kwargs: Mapping[str, Any]) -> Any:
        """The shape to make: that of a part, if one is asked for.  TypeError for other keywords."""
        for name in kwargs:
            if name not in _PARTITION:
                raise TypeError(f"Keyword argument should be one of {list(_PARTITION)}. Received: {name}")
        part = kwargs.get("partition_shape")
        return shape if part is None else part


def _numeric(dtype: Any) -> DType:
    found = dtypes.as_dtype(dtype)
    if not (found.is_numeric or found is dtypes.bool) or found is dtypes.string:
        raise ValueError(f"Argument `dtype` expected to be numeric or boolean. Received {found}.")
    return found


def _floating(dtype: Any) -> DType:
    found = dtypes.as_dtype(dtype)
    if not found.is_floating:
        raise ValueError(f"Argument `dtype` is expected to be floating point. Received: {found}.")
    return found


@public("zeros_initializer")
class ZerosInitializer(Initializer):
    """Makes zeros.

    >>> import graphlab as tf
    >>> tf.zeros_initializer()([2], tf.int32).numpy()
    array([0, 0], dtype=int32)
    """

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        """Zeros of a shape.  ValueError if the dtype is neither numeric nor bool."""
        from graphlab.ops.creation import zeros

        return zeros(self._shape(shape, kwargs), _numeric(dtype))


@public("ones_initializer")
class OnesInitializer(Initializer):
    """Makes ones.

    >>> import graphlab as tf
    >>> tf.ones_initializer()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        """Ones of a shape.  ValueError if the dtype is neither numeric nor bool."""
        from graphlab.ops.creation import ones

        return ones(self._shape(shape, kwargs), _numeric(dtype))


@public("constant_initializer")
class ConstantInitializer(Initializer):
    """Makes tensors of given values.

    Args:
      value: a number, or a list or array of as many values as the shape will take.
      support_partition: allow parts of the value to be asked for.

    Raises:
      TypeError: the value is nothing of that.

    >>> import graphlab as tf
    >>> tf.constant_initializer([1, 2, 3, 4])([2, 2]).numpy()
    array([[1, 2],
           [3, 4]], dtype=int32)
    """

    _settings = ("value",)

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value).__name__}. Expected Python scalar, list or tuple of "
                "values, or numpy.ndarray."
            )
        self.value, self.support_partition = value, support_partition

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """The values in a shape.  TypeError if their number is another (one value fills every shape)."""
        from graphlab.core.convert import constant

        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        self._shape(shape, kwargs)
        part, offset = (kwargs.get(name) for name in _PARTITION)
        if self.support_partition and part is not None and offset is not None and not np.isscalar(self.value):
            cut = tuple(slice(o, o + n) for o, n in zip(offset, part, strict=True))
            return constant(np.reshape(self.value, shape)[cut], wanted)
        return constant(self.value, wanted, shape if part is None else part)


class _Random(Initializer):
    """Random values; with a seed every call gives the same ones, whatever the global seed is."""

    seed: int | None

    def _drawn(self, function: Any, stateless: Any, shape: Any, *bounds: Any) -> Any:
        if self.seed is None:
            return function(shape, *bounds)
        return stateless(shape, (self.seed, 0), *bounds)


@public("random_normal_initializer")
class RandomNormalInitializer(_Random):
    """Makes normally distributed random values.

    Args:
      mean, stddev: of the distribution.
      seed: with one, every call gives the same values for a shape; None: the next ones of ``tf.random.normal``.

    >>> import graphlab as tf
    >>> tf.random_normal_initializer(stddev=1.0)([2, 3]).shape
    TensorShape([2, 3])
    """

    _settings = ("mean", "stddev", "seed")

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Sequence[int], dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        """Random values of a shape.  ValueError if the dtype is not floating."""
        from graphlab.ops.random import normal
        from graphlab.ops.random_stateless import stateless_normal

        bounds = self.mean, self.stddev, _floating(dtype)
        return self._drawn(normal, stateless_normal, self._shape(shape, kwargs), *bounds)


@public("random_uniform_initializer")
class RandomUniformInitializer(_Random):
    """Makes uniformly distributed random values from ``minval`` up to, but without, ``maxval``.

    Args:
      minval, maxval: the range.
      seed: with one, every call gives the same values for a shape; None: the next ones of ``tf.random.uniform``.

    >>> import graphlab as tf
    >>> values = tf.random_uniform_initializer(0.0, 1.0)([100])
    >>> bool(tf.reduce_all((values >= 0) & (values < 1)))
    True
    """

    _settings = ("minval", "maxval", "seed")

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None) -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Sequence[int], dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        """Random values of a shape.  ValueError if the dtype is neither floating nor an integer."""
        from graphlab.ops.random import uniform
        from graphlab.ops.random_stateless import stateless_uniform

        found = dtypes.as_dtype(dtype)
        if not (found.is_floating or found.is_integer):
            raise ValueError(f"Argument `dtype` expected to be numeric or boolean. Received {found}.")
        bounds = self.minval, self.maxval, found
        return self._drawn(uniform, stateless_uniform, self._shape(shape, kwargs), *bounds)
