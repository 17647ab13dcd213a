"""Comparisons and logic, and what the operators ``==``, ``&``, ``|``, ``^`` and ``~`` of a tensor mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, REAL, Arg, define
from graphlab.ops import inference
from graphlab.ops.inference import Shape

_BINARY = "x: T, y: T -> z: bool"


def _compare(ufunc: Any, otherwise: bool) -> Any:
    def kernel(x: Any, y: Any, incompatible_shape_error: bool) -> Any:
        try:
            return ufunc(x, y)
        except ValueError:
            if incompatible_shape_error:
                raise
            return np.bool_(otherwise)

    return kernel


def _comparable(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    a, b = args[0].shape, args[1].shape
    try:
        return inference.broadcast(a, b)
    except ValueError:
        if attrs["incompatible_shape_error"]:
            raise
        return ()


EQUAL = define("Equal", _BINARY, kernel=_compare(np.equal, False), infer=_comparable, gradient=NOT_DIFFERENTIABLE,
               attrs={"incompatible_shape_error": True})  # fmt: skip
NOT_EQUAL = define("NotEqual", _BINARY, kernel=_compare(np.not_equal, True), infer=_comparable,
                   gradient=NOT_DIFFERENTIABLE, attrs={"incompatible_shape_error": True})  # fmt: skip
LESS = define("Less", _BINARY, kernel=np.less, infer=inference.broadcast_all, gradient=NOT_DIFFERENTIABLE,
              types={"T": REAL})  # fmt: skip
LESS_EQUAL = define("LessEqual", _BINARY, kernel=np.less_equal, infer=inference.broadcast_all,
                    gradient=NOT_DIFFERENTIABLE, types={"T": REAL})  # fmt: skip
GREATER = define("Greater", _BINARY, kernel=np.greater, infer=inference.broadcast_all, gradient=NOT_DIFFERENTIABLE,
                 types={"T": REAL})  # fmt: skip
GREATER_EQUAL = define("GreaterEqual", _BINARY, kernel=np.greater_equal, infer=inference.broadcast_all,
                       gradient=NOT_DIFFERENTIABLE, types={"T": REAL})  # fmt: skip
LOGICAL_AND = define("LogicalAnd", "x: bool, y: bool -> z: bool", kernel=np.logical_and,
                     infer=inference.broadcast_all, gradient=NOT_DIFFERENTIABLE, fp=False)  # fmt: skip
LOGICAL_OR = define("LogicalOr", "x: bool, y: bool -> z: bool", kernel=np.logical_or, infer=inference.broadcast_all,
                    gradient=NOT_DIFFERENTIABLE, fp=False)  # fmt: skip
LOGICAL_NOT = define("LogicalNot", "x: bool -> y: bool", kernel=np.logical_not, infer=inference.unchanged,
                     gradient=NOT_DIFFERENTIABLE, fp=False)  # fmt: skip


@public("math.equal", "equal")
def equal(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns where x equals y, a bool tensor, with broadcasting.

    Args:
      x: a tensor of any dtype that has values.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.equal([1, 2], 2).numpy()
    array([False,  True])
    """
    return bind(EQUAL, (x, y), None, name)


@public("math.not_equal", "not_equal")
def not_equal(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns where x differs from y, a bool tensor, with broadcasting.

    Args:
      x: a tensor of any dtype that has values.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.not_equal([1, 2], 2).numpy()
    array([ True, False])
    """
    return bind(NOT_EQUAL, (x, y), None, name)


@public("math.less", "less")
def less(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns where x < y, a bool tensor, with broadcasting.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.less([1, 2], 2).numpy()
    array([ True, False])
    """
    return bind(LESS, (x, y), None, name)


@public("math.less_equal", "less_equal")
def less_equal(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns where x <= y, a bool tensor, with broadcasting.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.less_equal([1, 3], 2).numpy()
    array([ True, False])
    """
    return bind(LESS_EQUAL, (x, y), None, name)


@public("math.greater", "greater")
def greater(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns where x > y, a bool tensor, with broadcasting.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.greater([1, 3], 2).numpy()
    array([False,  True])
    """
    return bind(GREATER, (x, y), None, name)


@public("math.greater_equal", "greater_equal")
def greater_equal(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns where x >= y, a bool tensor, with broadcasting.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.greater_equal([1, 2], 2).numpy()
    array([False,  True])
    """
    return bind(GREATER_EQUAL, (x, y), None, name)


@public("math.logical_and", "logical_and")
def logical_and(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns where both x and y are True, with broadcasting.

    Args:
      x: a bool tensor.
      y: a bool tensor.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.logical_and([True, False], True).numpy()
    array([ True, False])
    """
    return bind(LOGICAL_AND, (x, y), None, name)


@public("math.logical_or", "logical_or")
def logical_or(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns where x or y is True, with broadcasting.

    Args:
      x: a bool tensor.
      y: a bool tensor.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.logical_or([True, False], False).numpy()
    array([ True, False])
    """
    return bind(LOGICAL_OR, (x, y), None, name)


@public("math.logical_not", "logical_not")
def logical_not(x: Any, name: str | None = None) -> Any:
    """Returns where x is False.

    Args:
      x: a bool tensor.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.logical_not([True, False]).numpy()
    array([False,  True])
    """
    return bind(LOGICAL_NOT, (x,), None, name)


@public("math.logical_xor")
def logical_xor(x: Any, y: Any, name: str | None = "LogicalXor") -> Any:
    """Returns where exactly one of x and y is True, with broadcasting.

    Args:
      x: a bool tensor.
      y: a bool tensor.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.logical_xor([True, False], True).numpy()
    array([False,  True])
    """
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name=name)


def tensor_equals(x: Any, y: Any) -> Any:
    """``x == y``: element-wise; a scalar False for shapes that don't broadcast."""
    return bind(EQUAL, (x, y), {"incompatible_shape_error": False})


def tensor_not_equals(x: Any, y: Any) -> Any:
    """``x != y``: element-wise; a scalar True for shapes that don't broadcast."""
    return bind(NOT_EQUAL, (x, y), {"incompatible_shape_error": False})


def _logical(x: Any, y: Any) -> bool:
    for value in (x, y):
        dtype = getattr(value, "dtype", None)
        if isinstance(dtype, dtypes.DType):
            return dtype is dtypes.bool
    return True


def and_(x: Any, y: Any, name: str | None = None) -> Any:
    """``x & y``: logical for bools, bit by bit for integers."""
    if _logical(x, y):
        return logical_and(x, y, name=name)
    from graphlab.ops.bits import bitwise_and

    with name_scope(name or "and"):
        return bitwise_and(x, y)


def or_(x: Any, y: Any, name: str | None = None) -> Any:
    """``x | y``: logical for bools, bit by bit for integers."""
    if _logical(x, y):
        return logical_or(x, y, name=name)
    from graphlab.ops.bits import bitwise_or

    with name_scope(name or "or"):
        return bitwise_or(x, y)


def xor_(x: Any, y: Any, name: str | None = None) -> Any:
    """``x ^ y``: logical for bools, bit by bit for integers."""
    with name_scope(name or "xor") as scope:
        if _logical(x, y):
            return logical_xor(x, y, name=scope or None)
        from graphlab.ops.bits import bitwise_xor

        return bitwise_xor(x, y)


def invert_(x: Any, name: str | None = None) -> Any:
    """``~x``: logical for bools, bit by bit for integers."""
    x = convert_to_tensor(x)
    if x.dtype is dtypes.bool:
        return logical_not(x, name=name)
    from graphlab.ops.bits import invert

    with name_scope(name or "invert"):
        return invert(x)
