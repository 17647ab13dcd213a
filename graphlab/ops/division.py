"""The divisions: true, flooring and truncating ones, remainders, and those that say what a division by zero gives.

Kernels are TensorFlow's arithmetic: ``1. // 0.1`` is ``floor(1 / 0.1)``, an integer division by zero is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor, make
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InternalError, InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import FLOAT, NOT_DIFFERENTIABLE, REAL, define
from graphlab.core.specs import CompositeTensor
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.ops import inference
from graphlab.ops.broadcasting import reduced, reduced_products
from graphlab.ops.math import _BINARY, _INEXACT, _conj, _nonzero, _where_zero, _zero_as_is, negative
from graphlab.ops.over_values import over_values


def _no_zero(x: Any, y: Any) -> None:
    if not np.all(y) and np.size(x):
        raise InvalidArgumentError(None, None, "Integer division by zero.")


def _floor_divide(x: Any, y: Any) -> Any:
    if y.dtype.kind in "iu":
        _no_zero(x, y)
        return np.floor_divide(x, y)
    return np.floor(np.true_divide(x, y))


def _floor_mod(x: Any, y: Any) -> Any:
    if y.dtype.kind in "iu":
        _no_zero(x, y)
        return np.remainder(x, y)
    rest = np.fmod(x, y)
    return np.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)


def _truncate_divide(x: Any, y: Any) -> Any:
    if y.dtype.kind not in "iu":
        return np.trunc(np.true_divide(x, y))
    quotient = np.floor_divide(x, y)
    _truncated_by_zero(x, y)
    if y.dtype.kind == "u":
        return quotient
    inexact = (quotient * y != x) & ((x < 0) != (y < 0))
    return quotient + inexact.astype(y.dtype)


def _truncate_mod(x: Any, y: Any) -> Any:
    rest = np.fmod(x, y)
    if y.dtype.kind in "iu":
        _truncated_by_zero(x, y)
    return rest


def _truncated_by_zero(x: Any, y: Any) -> None:
    if not np.all(y) and np.size(x):  # the class is TensorFlow's
        raise InternalError(None, None, "Integer division by zero.")


def divide_kernel(x: Any, y: Any) -> Any:
    """``x / y`` for floats and complex numbers."""
    if x.dtype.kind != "c":
        return np.true_divide(x, y)
    # The textbook quotient, with y scaled to largest part 1: so that equal numbers give exactly 1 and 0/0 is NaN.
    size = np.maximum(np.abs(np.real(y)), np.abs(np.imag(y)))
    scaled = np.empty(np.shape(y), x.dtype)
    scaled.real, scaled.imag = np.real(y) / size, np.imag(y) / size
    a, b, c, d = np.real(x), np.imag(x), scaled.real, scaled.imag
    square = c * c + d * d
    result = np.empty(np.broadcast_shapes(np.shape(x), np.shape(y)), x.dtype)
    result.real, result.imag = (a * c + b * d) / square / size, (b * c - a * d) / square / size
    return result


def _div_no_nan(x: Any, y: Any) -> Any:
    return _where_zero(y, divide_kernel(x, y))


def _xdivy(x: Any, y: Any) -> Any:
    return _zero_as_is(x, divide_kernel(x, y))


def _real_div_grad(op: Any, dy: Any) -> Any:
    x, y = op.inputs

    def by_y() -> Any:
        u, v = _conj(x), _conj(y)
        return dy * realdiv(realdiv(negative(u), v), v)

    return reduced(op, lambda: realdiv(dy, _conj(y)), by_y, shapes_shown=True, every=True)


def _floor_mod_grad(op: Any, dy: Any) -> Any:
    x, y = op.inputs

    def by_y() -> Any:
        return dy * negative(bind(FLOOR_DIV, (x, y), None, FLOOR_DIV.type))

    return reduced(op, lambda: dy, by_y, shapes_shown=True, every=True)


def _div_no_nan_grad(op: Any, dy: Any) -> Any:
    x, y = op.inputs
    u, v = _conj(x), _conj(y)
    return reduced(
        op,
        lambda: divide_no_nan(dy, v),
        lambda: dy * divide_no_nan(divide_no_nan(negative(u), v), v),
        shapes_shown=True,
        every=True,
    )


def _xdivy_grad(op: Any, dy: Any) -> Any:
    x, y = op.inputs
    u, v = _conj(x), _conj(y)
    name = XDIVY.type
    return reduced_products(
        op,
        dy,
        lambda: bind(XDIVY, (_nonzero(u), v), None, name),
        lambda: bind(XDIVY, (negative(u), v**2), None, name),
    )


REAL_DIV = define("RealDiv", _BINARY,
                  kernel={dtypes.complex64: divide_kernel, dtypes.complex128: divide_kernel, None: np.true_divide},
                  infer=inference.broadcast_all, gradient=_real_div_grad,
                  types={"T": _INEXACT})  # fmt: skip


FLOOR_DIV = define("FloorDiv", _BINARY, kernel=_floor_divide, infer=inference.broadcast_all,
                   gradient=NOT_DIFFERENTIABLE, types={"T": REAL}, can_fail=True, name="floordiv")  # fmt: skip


FLOOR_MOD = define("FloorMod", _BINARY, kernel=_floor_mod, infer=inference.broadcast_all, gradient=_floor_mod_grad,
                   types={"T": REAL}, can_fail=True)  # fmt: skip


TRUNCATE_DIV = define("TruncateDiv", _BINARY, kernel=_truncate_divide, infer=inference.broadcast_all,
                      gradient=NOT_DIFFERENTIABLE, types={"T": REAL}, can_fail=True)  # fmt: skip


TRUNCATE_MOD = define("TruncateMod", _BINARY, kernel=_truncate_mod, infer=inference.broadcast_all,
                      types={"T": FLOAT | {dtypes.int32, dtypes.int64}}, can_fail=True)  # fmt: skip


DIV_NO_NAN = define("DivNoNan", _BINARY, kernel=_div_no_nan, infer=inference.broadcast_all, gradient=_div_no_nan_grad,
                    types={"T": _INEXACT}, name="div_no_nan")  # fmt: skip


XDIVY = define("Xdivy", _BINARY, kernel=_xdivy, infer=inference.broadcast_all, gradient=_xdivy_grad,
               types={"T": _INEXACT})  # fmt: skip


# What x / y is computed in, by the dtype of x (None: as it is).
_TRUE_DIVISION: Mapping[DType, DType | None] = {
    dtypes.uint8: dtypes.float32,
    dtypes.int8: dtypes.float32,
    dtypes.uint16: dtypes.float32,
    dtypes.int16: dtypes.float32,
    dtypes.uint32: dtypes.float64,
    dtypes.int32: dtypes.float64,
    dtypes.uint64: dtypes.float64,
    dtypes.int64: dtypes.float64,
    **dict.fromkeys(_INEXACT),
}


@public("math.truediv", "truediv")
@over_values
def truediv(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x / y as Python 3 means it: integers are divided as floats.

    Args:
      x: a tensor of a numeric dtype. 8- and 16-bit integers are divided as float32, wider ones as float64.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    Raises:
      TypeError: if the dtypes differ, or are not numeric.

    >>> import graphlab as tf
    >>> tf.truediv(7, 2)
    <tf.Tensor: shape=(), dtype=float64, numpy=3.5>
    """
    if state.graph is None and x.__class__ is EagerTensor and x.dtype in _INEXACT:
        y = make(y, None, x.dtype)
        if y.dtype is x.dtype:
            return bind(REAL_DIV, (x, y))
    with name_scope(name, "truediv") as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, dtype_hint=x.dtype, name="y")
        if x.dtype is not y.dtype:
            raise TypeError(f"`x` and `y` must have the same dtype, got {x.dtype!r} != {y.dtype!r}.")
        try:
            dtype = _TRUE_DIVISION[x.dtype]
        except KeyError:
            raise TypeError(f"Invalid dtype {x.dtype!r} in __truediv__: divide numbers.") from None
        if dtype is not None:
            from graphlab.ops.casting import cast

            x, y = cast(x, dtype), cast(y, dtype)
        return bind(REAL_DIV, (x, y), None, scope or name)


@public("math.divide", "divide")
def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x / y as Python's operator does: ``truediv``.

    Args:
      x: a tensor of a numeric dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.divide([16, 12, 11], [4, 6, 2]).numpy()
    array([4. , 2. , 5.5])
    """
    if not isinstance(getattr(x, "dtype", None), DType):
        y_dtype = getattr(y, "dtype", None)
        x = convert_to_tensor(x, dtype=y_dtype if isinstance(y_dtype, DType) else None)
    elif isinstance(x, CompositeTensor):
        return x / y
    return truediv(x, y, name=name)


@public("realdiv")
def realdiv(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x / y element-wise for floating-point or complex tensors.

    Args:
      x: a tensor of a floating-point or complex dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.realdiv(1.0, [2.0, 0.0]).numpy()
    array([0.5, inf], dtype=float32)
    """
    return bind(REAL_DIV, (x, y), None, name)


@public("math.floordiv")
def floordiv(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns ``floor(x / y)`` element-wise: Python's ``//`` for integers.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: for an integer division by zero.

    >>> import graphlab as tf
    >>> tf.math.floordiv([7, -7], 2).numpy()
    array([ 3, -4], dtype=int32)
    >>> tf.math.floordiv(1.0, 0.1).numpy()  # floor of the rounded quotient; Python says 9.0
    np.float32(10.0)
    """
    return bind(FLOOR_DIV, (x, y), None, name)


@public("math.floormod", "math.mod")
def floormod(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns the remainder of the flooring division, which has the sign of ``y``: Python's ``%``.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: for an integer division by zero.

    >>> import graphlab as tf
    >>> tf.math.floormod([7, -7], 3).numpy()
    array([1, 2], dtype=int32)
    """
    return bind(FLOOR_MOD, (x, y), None, name)


@public("truncatediv")
def truncatediv(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x / y rounded towards zero, as C divides integers.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    Raises:
      tf.errors.InternalError: for an integer division by zero.

    >>> import graphlab as tf
    >>> tf.truncatediv([7, -7], 2).numpy()
    array([ 3, -3], dtype=int32)
    """
    return bind(TRUNCATE_DIV, (x, y), None, name)


@public("truncatemod")
def truncatemod(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns the remainder of the truncating division, which has the sign of ``x``, as in C.

    Args:
      x: a tensor of dtype int32, int64 or floating point.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    Raises:
      tf.errors.InternalError: for an integer division by zero.

    >>> import graphlab as tf
    >>> tf.truncatemod([7, -7], 3).numpy()
    array([ 1, -1], dtype=int32)
    """
    return bind(TRUNCATE_MOD, (x, y), None, name)


def _alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Both as tensors of one dtype: a Python value takes that of the other operand."""
    if isinstance(y, Tensor) and not isinstance(x, Tensor):
        x = convert_to_tensor(x, dtype_hint=y.dtype, name="x")
    else:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, dtype_hint=x.dtype, name="y")
    if x.dtype is not y.dtype:
        raise TypeError(f"`x` and `y` must have the same dtype, but have {x.dtype.name} and {y.dtype.name}.")
    return x, y


@public("math.divide_no_nan")
@over_values
def divide_no_nan(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x / y, and 0 where ``y`` is 0.

    Args:
      x: a tensor of a floating-point or complex dtype; integers are divided as by ``truediv``.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.divide_no_nan([1.0, 1.0], [2.0, 0.0]).numpy()
    array([0.5, 0. ], dtype=float32)
    """
    with name_scope(name, "div_no_nan") as scope:
        x, y = _alike(x, y)
        wide = _TRUE_DIVISION.get(x.dtype)
        if wide is not None and y.dtype is x.dtype:
            from graphlab.ops.casting import cast

            x, y = cast(x, wide), cast(y, wide)
        return bind(DIV_NO_NAN, (x, y), None, scope or name)


@public("math.xdivy")
def xdivy(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x / y, and 0 where ``x`` is 0, whatever ``y`` is.

    Args:
      x: a tensor of a floating-point or complex dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.xdivy([0.0, 1.0], [0.0, 2.0]).numpy()
    array([0. , 0.5], dtype=float32)
    """
    with name_scope(name, "xdivy"):
        return bind(XDIVY, (x, y))
