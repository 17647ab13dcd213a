"""What annotations and ``isinstance`` ask for: functions that are called with tensors, and what becomes one."""

from __future__ import annotations

import abc
from typing import Any, Protocol, Union

import numpy as np

from graphlab.core.export import public
from graphlab.core.tensor import Tensor


@public("types.experimental.Callable")
class Callable(abc.ABC):
    """What is called with tensors: the Functions of ``tf.function``, and their concrete functions.

    >>> import graphlab as tf
    >>> isinstance(tf.function(lambda x: x), tf.types.experimental.Callable)
    True
    """

    @property
    @abc.abstractmethod
    def function_type(self) -> Any:
        """The types of arguments and results."""

    @abc.abstractmethod
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it."""


@public("types.experimental.AtomicFunction")
class AtomicFunction(Callable):
    """A graph that is called with tensors alone, those that it captured among them.

    Here concrete functions call their graphs themselves, so there is no object of this class.

    >>> import graphlab as tf
    >>> one = tf.function(lambda x: x).get_concrete_function(1.0)
    >>> isinstance(one, tf.types.experimental.AtomicFunction)
    False
    """

    @abc.abstractmethod
    def call_with_captures(self, args: Any, kwargs: Any, captures: Any) -> Any:
        """Runs it, with the captured tensors given."""


class TensorProtocol(Protocol):
    """What says itself how it becomes a tensor."""

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
        """The tensor."""


TensorLike = Union[  # noqa: UP007 - as TensorFlow has it, for `typing.get_args`
    Tensor, TensorProtocol, int, float, bool, str, bytes, complex, tuple[Any, ...], list[Any], np.ndarray, np.generic
]

PUBLIC = {"types.experimental.TensorLike": "TensorLike"}
