"""Arithmetic on two arguments (and a few on lists): add, multiply, powers, maximum and minimum.

Kernels are TensorFlow's arithmetic: integers wrap around, a negative integer power is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, bind_binary, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import COMPLEX, FLOAT, NOT_DIFFERENTIABLE, NUMERIC, REAL, SIGNED, STRING, define
from graphlab.core.operators import quick_add, quick_multiply, quick_subtract
from graphlab.core.shape import as_shape
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.ops import inference
from graphlab.ops.broadcasting import known, reduced, reduced_products
from graphlab.ops.inference import Shape
from graphlab.ops.over_values import over_values
from graphlab.ops.waiting import after

_INEXACT = FLOAT | COMPLEX

# ------------------------------------------------------------------------------------------------------------- kernels


def _concatenate(x: Any, y: Any) -> Any:
    return np.asarray(np.add(x, y), object)


def _power(x: Any, y: Any) -> Any:
    if y.dtype.kind == "i" and np.any(y < 0):
        raise InvalidArgumentError(None, None, "Integers to negative integer powers are not allowed.")
    return np.power(x, y)


def _squared_difference(x: Any, y: Any) -> Any:
    difference = np.subtract(x, y)
    if difference.dtype.kind == "c":
        return np.multiply(difference, np.conj(difference))
    return np.multiply(difference, difference)


def _larger(x: Any, y: Any) -> Any:
    """For bfloat16, whose ufunc takes the second of equal zeros of different sign."""
    return np.where((x >= y) | np.isnan(x), x, y)


def _smaller(x: Any, y: Any) -> Any:
    return np.where((x <= y) | np.isnan(x), x, y)


def _where_zero(test: Any, result: Any) -> Any:
    return np.where(test == 0, result.dtype.type(0), result)


def _zero_as_is(x: Any, result: Any) -> Any:
    """Where x is 0 that 0, with its sign."""
    return np.where(x == 0, x, result)


def _mul_no_nan(x: Any, y: Any) -> Any:
    return _where_zero(y, np.multiply(x, y))


def _xlogy(x: Any, y: Any) -> Any:
    return _zero_as_is(x, np.multiply(x, np.log(y)))


def _xlog1py(x: Any, y: Any) -> Any:
    return _zero_as_is(x, np.multiply(x, np.log1p(y)))


def _add_n(arrays: Sequence[Any]) -> Any:
    shape = arrays[0].shape
    for i, array in enumerate(arrays):
        if array.shape != shape:
            message = f"The inputs of add_n must have one shape, but input 0 has {list(shape)} and input {i} "
            raise InvalidArgumentError(None, None, message + f"has {list(array.shape)}.")
    total = arrays[0]
    for array in arrays[1:]:
        total = np.add(total, array)
    return total


# ----------------------------------------------------------------------------------------------------------- gradients


def _conj(x: Any) -> Any:
    from graphlab.ops.complex import conj

    return conj(x) if x.dtype.is_complex else x


def _add_grad(op: Any, dy: Any) -> Any:
    return reduced(op, lambda: dy, lambda: dy, numbers=True)


def _sub_grad(op: Any, dy: Any) -> Any:
    return reduced(op, lambda: dy, lambda: negative(dy), numbers=True)


def _mul_grad(op: Any, dy: Any) -> Any:
    x, y = op.inputs
    shape = x._raw_shape()
    if shape == y._raw_shape() and known(shape):
        return reduced(op, lambda: multiply(dy, _conj(y)), lambda: multiply(dy, _conj(x)), numbers=True)
    return reduced(op, lambda: multiply(dy, _conj(y)), lambda: multiply(_conj(x), dy), numbers=True)


def _pow_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops import comparison, creation, selection, unary, written_out

    x, y = op.inputs
    z = op.outputs[0]
    u, v, w = _conj(x), _conj(y), _conj(z)

    def by_y() -> Any:
        # log(x) where it is defined; elsewhere the power's gradient in y counts as 0.
        if x.dtype.is_complex:
            mask = comparison.not_equal(u, 0)
        else:
            mask = comparison.greater(u, 0)
        if state.graph is not None:
            safe = selection.select(mask, u, written_out.ones_like(u))
            log = selection.select(mask, unary.log(safe), creation.zeros_like(u))
        else:
            safe = selection.where(mask, u, creation.ones_like(u))
            log = selection.where(mask, unary.log(safe), creation.zeros_like(u))
        return dy * w * log

    return reduced(op, lambda: dy * v * pow(u, v - 1), by_y, shapes_shown=True, numbers=True)


def _choice_grad(pick: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def gradient(op: Any, dy: Any) -> Any:
        from graphlab.ops.creation import zeros_like
        from graphlab.ops.selection import where

        x, y = op.inputs
        zeros = zeros_like(dy)
        first = pick(x, y)
        by_x, by_y = lambda: where(first, dy, zeros), lambda: where(first, zeros, dy)
        return reduced(op, by_x, by_y, shapes_shown=True, numbers=True)

    return gradient


def _is_greater_equal(x: Any, y: Any) -> Any:
    from graphlab.ops.comparison import greater_equal

    return greater_equal(x, y)


def _is_less_equal(x: Any, y: Any) -> Any:
    from graphlab.ops.comparison import less_equal

    return less_equal(x, y)


def _squared_difference_grad(op: Any, dy: Any) -> Any:
    x, y = op.inputs
    if x.dtype.is_complex:
        raise LookupError("SquaredDifference has no gradient for complex arguments.")
    with after(dy):
        two = 2 if state.graph is None else constant(2, x.dtype, name="scalar")
        part = multiply(two, dy) * (x - y)
    return reduced(op, lambda: part, lambda: negative(part))


def _atan2_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.unary import square

    y, x = op.inputs
    with after(dy):
        scaled = dy / (square(y) + square(x))
        return reduced(op, lambda: x * scaled, lambda: -y * scaled, shapes_shown=True, every=True)


def _mul_no_nan_grad(op: Any, dy: Any) -> Any:
    x, y = op.inputs
    name = MUL_NO_NAN.type
    by_x, by_y = lambda: bind(MUL_NO_NAN, (dy, y), None, name), lambda: bind(MUL_NO_NAN, (x, dy), None, name)
    return reduced(op, by_x, by_y, every=True)


def _nonzero(x: Any) -> Any:
    """1 where x is not 0: the factors in front of log and division, which count as 0 where x is 0."""
    from graphlab.ops import casting, comparison

    zero = 0 if state.graph is None else casting.cast(0.0, x.dtype)
    return casting.cast(comparison.not_equal(x, zero), x.dtype)


def _xlogy_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.division import XDIVY

    x, y = op.inputs
    u, v = _conj(x), _conj(y)
    name = XDIVY.type
    return reduced_products(op, dy, lambda: bind(XLOGY, (_nonzero(u), v)), lambda: bind(XDIVY, (u, v), None, name))


def _xlog1py_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.division import XDIVY

    x, y = op.inputs
    u, v = _conj(x), _conj(y)
    return reduced_products(
        op,
        dy,
        lambda: bind(XLOG1PY, (_nonzero(u), v), None, XLOG1PY.type),
        lambda: bind(XDIVY, (u, v + 1), None, XDIVY.type),
    )


def _abs_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.rounding import sign

    return dy * sign(op.inputs[0])


def _add_n_grad(op: Any, dy: Any) -> Any:
    return [dy] * len(op.inputs)


def _add_n_shape(args: Sequence[Any], attrs: Mapping[str, Any]) -> Shape:
    return inference.same_shape(args, attrs)


def _neg_gradient(_op: Any, dy: Any) -> Any:
    return negative(dy)


# ------------------------------------------------------------------------------------------------------------- records

_BINARY = "x: T, y: T -> z: T"


ADD_V2 = define("AddV2", _BINARY, kernel=np.add, infer=inference.broadcast_all, gradient=_add_grad,
                types={"T": NUMERIC}, name="Add")  # fmt: skip
ADD = define("Add", _BINARY, kernel={dtypes.string: _concatenate, None: np.add}, infer=inference.broadcast_all,
             gradient=_add_grad,
             types={"T": (NUMERIC - {dtypes.uint16, dtypes.uint32, dtypes.uint64}) | STRING})  # fmt: skip
SUB = define("Sub", _BINARY, kernel=np.subtract, infer=inference.broadcast_all, gradient=_sub_grad,
             types={"T": NUMERIC})  # fmt: skip
MUL = define("Mul", _BINARY, kernel=np.multiply, infer=inference.broadcast_all, gradient=_mul_grad,
             types={"T": NUMERIC})  # fmt: skip
POW = define("Pow", _BINARY, kernel=_power, infer=inference.broadcast_all, gradient=_pow_grad,
             types={"T": FLOAT | SIGNED | COMPLEX}, can_fail=True)  # fmt: skip
MAXIMUM = define("Maximum", _BINARY, kernel={dtypes.bfloat16: _larger, None: np.maximum}, infer=inference.broadcast_all,
                 gradient=_choice_grad(_is_greater_equal), types={"T": REAL})  # fmt: skip
MINIMUM = define("Minimum", _BINARY, kernel={dtypes.bfloat16: _smaller, None: np.minimum},
                 infer=inference.broadcast_all,
                 gradient=_choice_grad(_is_less_equal), types={"T": REAL})  # fmt: skip
SQUARED_DIFFERENCE = define(
    "SquaredDifference", _BINARY, kernel=_squared_difference, infer=inference.broadcast_all,
    gradient=_squared_difference_grad, types={"T": _INEXACT | {dtypes.int32, dtypes.int64}},
)  # fmt: skip
ATAN2 = define("Atan2", "y: T, x: T -> z: T", kernel=np.arctan2, infer=inference.broadcast_all, gradient=_atan2_grad,
               types={"T": FLOAT})  # fmt: skip
MUL_NO_NAN = define("MulNoNan", _BINARY, kernel=_mul_no_nan, infer=inference.broadcast_all, gradient=_mul_no_nan_grad,
                    types={"T": _INEXACT}, name="multiply_no_nan")  # fmt: skip
XLOGY = define("Xlogy", _BINARY, kernel=_xlogy, infer=inference.broadcast_all, gradient=_xlogy_grad,
               types={"T": _INEXACT})  # fmt: skip
XLOG1PY = define("Xlog1py", _BINARY, kernel=_xlog1py, infer=inference.broadcast_all, gradient=_xlog1py_grad,
                 types={"T": _INEXACT})  # fmt: skip
NEXT_AFTER = define("NextAfter", "x1: T, x2: T -> output: T", kernel=np.nextafter, infer=inference.broadcast_all,
                    gradient=NOT_DIFFERENTIABLE, types={"T": {dtypes.float32, dtypes.float64}},
                    defaults={"T": dtypes.float32})  # fmt: skip
ADD_N = define("AddN", "inputs: N*T -> sum: T", kernel=_add_n, infer=_add_n_shape, gradient=_add_n_grad,
               types={"T": NUMERIC | {dtypes.variant}}, can_fail=True)  # fmt: skip

NEG = define("Neg", "x: T -> y: T", kernel=np.negative, infer=inference.unchanged,
             gradient=_neg_gradient, types={"T": _INEXACT | SIGNED})  # fmt: skip
ABS = define("Abs", "x: T -> y: T", kernel=np.abs, infer=inference.unchanged, gradient=_abs_grad,
             types={"T": FLOAT | SIGNED})  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("math.add", "add")
@over_values
def add(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x + y element-wise, with broadcasting; strings are joined.

    Args:
      x: a tensor of a numeric dtype or string.
      y: a tensor of the dtype of ``x`` (Python values are converted to it).
      name: a name for the node.

    Returns:
      A tensor of the dtype of ``x``; integers wrap around.

    Raises:
      tf.errors.InvalidArgumentError: if dtypes differ or are not numeric (TypeError while tracing), or
        the shapes don't broadcast.

    >>> import graphlab as tf
    >>> tf.add([1, 2], 3)
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([4, 5], dtype=int32)>
    """
    if x.__class__ is EagerTensor:
        quick = quick_add(x, y)
        if quick is not None:
            return quick
    dtype = getattr(x, "dtype", None)
    if dtype is dtypes.string or (dtype is None and _is_text(x)):
        if state.graph is None:  # what is no text is refused as a tensor
            x, y = convert_to_tensor(x), convert_to_tensor(y, dtype_hint=dtypes.string)
        return bind(ADD, (x, y), None, name)
    return bind_binary(ADD_V2, x, y, name)


def _is_text(x: Any) -> bool:
    while isinstance(x, (list, tuple)) and x:
        x = x[0]
    return isinstance(x, (str, bytes))


@public("math.subtract", "subtract")
def subtract(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x - y element-wise, with broadcasting; integers wrap around.

    Args:
      x: a tensor of a numeric dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.subtract([5.0, 1.0], 2.0).numpy()
    array([ 3., -1.], dtype=float32)
    """
    if x.__class__ is EagerTensor:
        quick = quick_subtract(x, y)
        if quick is not None:
            return quick
    return bind(SUB, (x, y), None, name)


@public("math.multiply", "multiply")
def multiply(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x * y element-wise, with broadcasting; integers wrap around.

    Args:
      x: a tensor of a numeric dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.multiply([[1], [2]], [3, 4]).numpy()
    array([[3, 4],
           [6, 8]], dtype=int32)
    """
    if x.__class__ is EagerTensor:
        quick = quick_multiply(x, y)
        if quick is not None:
            return quick
    return bind(MUL, (x, y), None, name)


def times(x: Any, y: Any, name: str | None = None) -> Any:
    """``x * y``: the product; with a tensor of bools what it makes of whole numbers, as a bool.

    So ``0.5 * tf.constant(True)`` is False, as in TensorFlow; ``tf.multiply`` refuses bools.
    """
    if getattr(x, "dtype", None) is not dtypes.bool and not (isinstance(y, Tensor) and y.dtype is dtypes.bool):
        return multiply(x, y, name=name)
    from graphlab.ops.casting import cast

    with name_scope(name, "mul") as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, dtype_hint=x.dtype, name="y")
        whole = bind(MUL, (cast(x, dtypes.int32), cast(y, dtypes.int32)), None, scope or None)
        return cast(whole, dtypes.bool)


@public("math.negative", "negative")
def negative(x: Any, name: str | None = None) -> Any:
    """Returns -x element-wise; the smallest integer stays as it is.

    Args:
      x: a tensor of a floating-point, complex or signed integer dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.negative([1, -2]).numpy()
    array([-1,  2], dtype=int32)
    """
    return bind(NEG, (x,), None, name)


@public("math.abs", "abs")
@over_values
def abs(x: Any, name: str | None = None) -> Any:
    """Returns the absolute value element-wise; for complex x its modulus, a real tensor.

    Args:
      x: a tensor of a floating-point, complex or signed integer dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.abs([1, -2]).numpy()
    array([1, 2], dtype=int32)
    >>> tf.abs(3 + 4j).numpy()
    np.float64(5.0)
    """
    x = convert_to_tensor(x, name="x")
    if x.dtype.is_complex:
        from graphlab.ops.complex import complex_abs

        return complex_abs(x, name=name or "Abs")
    return bind(ABS, (x,), None, name)


@public("math.scalar_mul", "scalar_mul")
def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """Returns ``scalar * x`` for a scalar.

    Args:
      scalar: a 0-D tensor or number.
      x: a tensor of its dtype (or IndexedSlices).
      name: a name for the node.

    Raises:
      ValueError: if ``scalar`` is known not to be 0-D.

    >>> import graphlab as tf
    >>> tf.scalar_mul(2.0, [1.0, 2.0]).numpy()
    array([2., 4.], dtype=float32)
    """
    x_dtype = getattr(x, "dtype", None)
    if not isinstance(x_dtype, DType):
        x = convert_to_tensor(x)
        x_dtype = x.dtype
    with name_scope(name, "scalar_mul") as scope:
        scalar = convert_to_tensor(scalar, dtype=x_dtype, name="scalar")
        shape = scalar._raw_shape()
        if shape is not None and len(shape) != 0:
            raise ValueError(f"scalar_mul needs a scalar (0-D), but got shape {inference.show(shape)}.")
        values = getattr(x, "values", None)
        if values is not None and hasattr(x, "indices"):
            return type(x)(multiply(scalar, values), x.indices, x.dense_shape)
        return multiply(scalar, x, name=scope or name)


@public("math.pow", "pow")
def pow(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x to the power y element-wise, with broadcasting.

    Args:
      x: a tensor of a floating-point, complex or signed integer dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: for a negative exponent of integers.

    >>> import graphlab as tf
    >>> tf.pow([2, 3], [3, 2]).numpy()
    array([8, 9], dtype=int32)
    """
    return bind(POW, (x, y), None, name)


@public("math.maximum", "maximum")
def maximum(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns the larger of x and y element-wise; NaN where either is NaN.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.maximum([1.0, -2.0], 0.0).numpy()
    array([1., 0.], dtype=float32)
    """
    return bind(MAXIMUM, (x, y), None, name)


@public("math.minimum", "minimum")
def minimum(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns the smaller of x and y element-wise; NaN where either is NaN.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.minimum([1.0, -2.0], 0.0).numpy()
    array([ 0., -2.], dtype=float32)
    """
    return bind(MINIMUM, (x, y), None, name)


@public("math.squared_difference")
def squared_difference(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns ``conj(x - y) * (x - y)`` element-wise, with broadcasting.

    Args:
      x: a tensor of a floating-point or complex dtype, int32 or int64.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.squared_difference([1.0, 5.0], 3.0).numpy()
    array([4., 4.], dtype=float32)
    """
    return bind(SQUARED_DIFFERENCE, (x, y), None, name)


@public("math.atan2", "atan2")
def atan2(y: Any, x: Any, name: str | None = None) -> Any:
    """Returns the angle in radians, in [-π, π], between the positive x axis and the point (x, y).

    Args:
      y: a tensor of a floating-point dtype.
      x: a tensor of the dtype of ``y``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.atan2([1.0, 0.0], [0.0, -1.0]).numpy().round(4)
    array([1.5708, 3.1416], dtype=float32)
    """
    return bind(ATAN2, (y, x), None, name)


@public("math.multiply_no_nan")
@over_values
def multiply_no_nan(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns x * y, and 0 where ``y`` is 0, even if ``x`` is infinite or NaN.

    Args:
      x: a tensor of a floating-point or complex dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.multiply_no_nan([float("inf"), 2.0], [0.0, 3.0]).numpy()
    array([0., 6.], dtype=float32)
    """
    with name_scope(name, "multiply_no_nan") as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, None if hasattr(y, "dtype") else x.dtype, name="y")
        if x.dtype is not y.dtype:
            raise ValueError(f"`x` and `y` must have the same dtype, but have {x.dtype.name} and {y.dtype.name}.")
        return bind(MUL_NO_NAN, (x, y), None, scope or name)


@public("math.xlogy")
def xlogy(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns ``x * log(y)``, and 0 where ``x`` is 0, whatever ``y`` is.

    Args:
      x: a tensor of a floating-point or complex dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.xlogy([0.0, 2.0], [0.0, 1.0]).numpy()
    array([0., 0.], dtype=float32)
    """
    return bind(XLOGY, (x, y), None, name)


@public("math.xlog1py")
def xlog1py(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns ``x * log1p(y)``, and 0 where ``x`` is 0, whatever ``y`` is.

    Args:
      x: a tensor of a floating-point or complex dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.xlog1py([0.0, 2.0], [-1.0, 0.0]).numpy()
    array([0., 0.], dtype=float32)
    """
    with name_scope(name, "xlog1py"):
        return bind(XLOG1PY, (x, y))


@public("math.nextafter")
def nextafter(x1: Any, x2: Any, name: str | None = None) -> Any:
    """Returns the float next to ``x1`` in the direction of ``x2``.

    Args:
      x1: a tensor of float32 or float64.
      x2: a tensor of the dtype of ``x1``, which broadcasts with it.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.nextafter(1.0, 2.0).numpy()
    np.float32(1.0000001)
    """
    return bind(NEXT_AFTER, (x1, x2), None, name)


@public("math.add_n", "add_n")
@over_values
def add_n(inputs: Any, name: str | None = None) -> Any:
    """Adds all tensors of a list; they are not broadcast.

    Args:
      inputs: an iterable of at least one tensor, all of one dtype and shape.
      name: a name for the node.

    Raises:
      ValueError: if ``inputs`` is empty or no iterable of tensors, or (while tracing) if shapes differ.
      tf.errors.InvalidArgumentError: if dtypes or (at run time) shapes differ.

    >>> import graphlab as tf
    >>> tf.add_n([[1, 2], [3, 4], [5, 6]]).numpy()
    array([ 9, 12], dtype=int32)
    """
    message = "tf.add_n takes an iterable of at least one tensor, all of one dtype and shape."
    try:
        items = list(inputs)
    except TypeError:
        raise TypeError(message) from None
    if not items:
        raise ValueError(message)
    items = [convert_to_tensor(item) for item in items]
    if len(items) == 1:
        from graphlab.ops.array import identity

        return identity(items[0], name=name) if name else items[0]
    return bind(ADD_N, (items,), None, name)


@public("math.accumulate_n")
def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None) -> Any:
    """Adds all tensors of a list, which may be checked against a shape and a dtype.

    Args:
      inputs: a list of tensors of one dtype and shape.
      shape: the shape they should have; None: not checked.
      tensor_dtype: the dtype they should have; None: not checked.
      name: a name for the node.

    Raises:
      ValueError: if ``inputs`` is empty or not a list, or dtypes or shapes don't fit.

    >>> import graphlab as tf
    >>> tf.math.accumulate_n([tf.constant([1, 2]), tf.constant([3, 4])]).numpy()
    array([4, 6], dtype=int32)
    """
    message = "accumulate_n takes a list of at least one tensor, all of one dtype and shape."
    if not inputs or not isinstance(inputs, (list, tuple)):
        raise ValueError(message)
    tensors = [convert_to_tensor(item) for item in inputs]
    if any(item.dtype is not tensors[0].dtype for item in tensors):
        raise ValueError(message)
    whole = as_shape(shape)._dims
    for item in tensors:
        whole = inference.merge(whole, item._raw_shape())
    if tensor_dtype is not None and dtypes.as_dtype(tensor_dtype) is not tensors[0].dtype:
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but the inputs have dtype {tensors[0].dtype!r}.")
    return tensors[0] if len(tensors) == 1 and name is None else add_n(tensors, name=name)


@public("math.polyval")
def polyval(coeffs: Any, x: Any, name: str | None = None) -> Any:
    """Evaluates a polynomial element-wise, by Horner's rule.

    Args:
      coeffs: a list of tensors, the coefficient of the highest power first.
      x: a tensor of their dtype.
      name: a name for the nodes' scope.

    Raises:
      ValueError: if ``coeffs`` is no list.

    >>> import graphlab as tf
    >>> tf.math.polyval([2.0, 0.0, 1.0], 3.0).numpy()  # 2 x² + 1
    np.float32(19.0)
    """
    if not isinstance(coeffs, list):
        raise ValueError(f"polyval takes a list of coefficients, not a {type(coeffs).__name__}.")
    with name_scope(name, "polyval"):
        x = convert_to_tensor(x, name="x")
        if not coeffs:
            from graphlab.ops.creation import zeros_like

            return zeros_like(x)
        value, *rest = [convert_to_tensor(c, name=f"coeff_{i}") for i, c in enumerate(coeffs)]
        for coefficient in rest:
            value = coefficient + value * x
        return value
