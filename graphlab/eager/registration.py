"""Names that say something about the runtime, and places where a program adds to it: conversions, gradients."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable
from typing import Any

import numpy as np

from graphlab import _index
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, Op
from graphlab.core.state import state


@public("get_logger")
def get_logger() -> logging.Logger:
    """The logger to which warnings go.

    >>> import graphlab as tf
    >>> tf.get_logger().name
    'graphlab'
    """
    return logging.getLogger("graphlab")


@public("get_current_name_scope")
def get_current_name_scope() -> str:
    """The name scope that operations get now, without a slash at its end; empty outside of all.

    >>> import graphlab as tf
    >>> with tf.name_scope("a"), tf.name_scope("b"):
    ...     tf.get_current_name_scope()
    'a/b'
    """
    graph = state.graph
    scope: str = state.scope if graph is None else graph._scope
    return scope.rstrip("/")


_NUMBERS = (int, float, complex, np.generic, np.ndarray)


@public("register_tensor_conversion_function")
def register_tensor_conversion_function(
    base_type: Any, conversion_func: Callable[..., Any], priority: int = 100
) -> None:
    """Lets objects of a class stand where tensors are expected.

    Args:
      base_type: a class, or a tuple of classes.
      conversion_func: called as ``conversion_func(value, dtype=None, name=None, as_ref=False)``; it returns a tensor,
        or NotImplemented to leave the value to others.
      priority: functions with lower numbers are asked first.

    Raises:
      TypeError: no class, or a class of numbers or NumPy arrays, or no function.

    A method ``__tf_tensor__`` of the class does the same.

    >>> import graphlab as tf
    >>> class Celsius:
    ...     degrees = 20.0
    >>> tf.register_tensor_conversion_function(Celsius, lambda value, **_: tf.constant(value.degrees))
    >>> tf.add(Celsius(), 1.0).numpy()
    np.float32(21.0)
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not types or not all(isinstance(item, type) for item in types):
        raise TypeError(f"Argument `base_type` must be a type or a tuple of types. Obtained: {base_type}.")
    if any(issubclass(item, _NUMBERS) for item in types):
        raise TypeError("Cannot register conversions for Python numeric types and NumPy scalars and arrays.")
    if not callable(conversion_func):
        raise TypeError(f"Argument `conversion_func` must be callable. Received {conversion_func}.")
    for item in types:
        own = item.__dict__.get("__tf_tensor__")
        functions = getattr(own, "functions", None)
        if functions is None:
            functions = []
            item.__tf_tensor__ = _converter(functions, getattr(item, "__tf_tensor__", None))
        functions.append((priority, conversion_func))
        functions.sort(key=lambda pair: pair[0])


def _converter(functions: list[tuple[int, Callable[..., Any]]], otherwise: Any) -> Any:
    """The method that asks the registered functions, then what the class had before."""

    def __tf_tensor__(self: Any, dtype: Any = None, name: str | None = None) -> Any:  # noqa: N807
        for _, function in functions:
            result = function(self, dtype=dtype, name=name, as_ref=False)
            if result is not NotImplemented:
                return result
        if otherwise is not None:
            return otherwise(self, dtype, name)
        raise TypeError(f"No conversion function for an object of type {type(self).__name__} gave a tensor.")

    __tf_tensor__.functions = functions  # type: ignore[attr-defined]
    return __tf_tensor__


def _record(op_type: str) -> Op | None:
    """The record of an op, None if there is no such op."""
    module = _index.OPS.get(op_type)
    if module is None:
        return None
    members = vars(importlib.import_module(module)).values()
    return next((item for item in members if isinstance(item, Op) and item.type == op_type), None)


def _set(op_type: str, gradient: Any) -> None:
    record = _record(op_type)
    if record is None:
        raise KeyError(f"There is no op {op_type!r} whose gradient could be registered.")
    if record.gradient is not None:
        raise KeyError(f"Registering two gradient with name {op_type!r}!")
    record.gradient = gradient


@public("RegisterGradient")
class RegisterGradient:
    """A decorator: the function gives the gradient of an op that has none.

    Args:
      op_type: the type of the op, ``"SparseSplit"``.

    The function takes the op and the gradients of its results, and returns one gradient (or None) for each input.

    Raises:
      TypeError: the type is no string.
      KeyError: the op has a gradient, or does not exist.

    >>> import graphlab as tf
    >>> @tf.RegisterGradient("MatMul")
    ... def gradient(op, dy):
    ...     return [dy, dy]
    Traceback (most recent call last):
      ...
    KeyError: "Registering two gradient with name 'MatMul'!"
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """Registers the function, and returns it."""
        _set(self._op_type, f)
        return f


@public("no_gradient")
def no_gradient(op_type: str) -> None:
    """States that no gradient flows through an op: it is None, not an error.

    Raises:
      TypeError: the type is no string.
      KeyError: the op has a gradient, or does not exist.

    >>> import graphlab as tf
    >>> tf.no_gradient("MatMul")
    Traceback (most recent call last):
      ...
    KeyError: "Registering two gradient with name 'MatMul'!"
    """
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _set(op_type, NOT_DIFFERENTIABLE)
