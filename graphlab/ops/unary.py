"""Powers, exponentials and logarithms, and the functions made of them: one argument, element by element.

Functions defined by series or integrals (erf, lgamma, ...) are in ``special.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.op import COMPLEX, FLOAT, INTEGER, SIGNED, define, no_kernel
from graphlab.core.state import state
from graphlab.ops import inference
from graphlab.ops.division import divide_kernel, realdiv
from graphlab.ops.math import _conj, abs, add, multiply, negative, subtract
from graphlab.ops.over_values import over_values
from graphlab.ops.waiting import after

_INEXACT = FLOAT | COMPLEX

# ------------------------------------------------------------------------------------------------------------- kernels


def widened(x: Any) -> Any:
    """A half-precision array as float32, in which kernels of several steps work; others as they are."""
    return x.astype(np.float32) if x.dtype.itemsize == 2 else x


def sigmoid_kernel(x: Any) -> Any:
    """``1 / (1 + exp(-x))``."""
    one = x.dtype.type(1)
    if x.dtype.itemsize == 2:
        wide = x.astype(np.float32)
        return np.asarray(np.float32(1) / (np.float32(1) + np.exp(-wide)), x.dtype)
    if x.dtype.kind == "c":
        return one / (one + np.exp(-x))
    if not x.ndim:
        e = np.exp(-np.abs(x))
        return np.where(x >= 0, one, e) / (one + e)
    one, most = _NUMBERS[x.dtype.char]
    if not x.flags.c_contiguous:
        x = x.copy()  # a part of a matrix is slow to go through
    e = np.minimum(x, most)  # where exp does not overflow; from there on the result is 1
    np.exp(e, e)
    # e / (1 + e): small results keep their digits, and an error of e counts half at most.
    return np.true_divide(e, np.add(e, one), e)


# As arrays: NumPy takes a tenth of a microsecond longer for its scalars.
_NUMBERS = {c: (np.array(1, c), np.array(most, c)) for c, most in (("f", 88), ("d", 709))}


def softplus_kernel(x: Any) -> Any:
    """``log(1 + exp(x))`` without overflow."""
    wide = widened(x)
    return np.asarray(np.maximum(wide, 0) + np.log1p(np.exp(-np.abs(wide))), x.dtype)


def _rsqrt(x: Any) -> Any:
    if x.dtype.kind == "c":
        root, size = np.sqrt(x), np.abs(x)
        return np.where((size > 0) & np.isfinite(size), np.conj(root) / size, 1 / root)
    return np.asarray(1 / np.sqrt(widened(x)), x.dtype)


def _reciprocal(x: Any) -> Any:
    return divide_kernel(x.dtype.type(1), x)


def _expm1(x: Any) -> Any:
    result = np.asarray(np.expm1(x))
    # One part NaN makes a complex number NaN.
    return np.where(np.isnan(result), result.dtype.type(complex(np.nan, np.nan)), result)


def _log1p(x: Any) -> Any:
    result = np.array(np.log1p(x))
    result[x == 0] = x[x == 0]
    result.imag[x == -1] = np.nan  # TensorFlow's: a quotient by 0 on its way to -inf
    return result


def _sigmoid_grad(y: Any, dy: Any) -> Any:
    y = np.conj(y) if y.dtype.kind == "c" else y
    return dy * y * (y.dtype.type(1) - y)


def _sqrt_grad(y: Any, dy: Any) -> Any:
    y = np.conj(y) if y.dtype.kind == "c" else y
    # No gradient comes back where none comes in, also where the root is zero: TensorFlow's kernel is safe there.
    return np.where(dy == 0, y.dtype.type(0), dy * y.dtype.type(0.5) / y)


def _rsqrt_grad(y: Any, dy: Any) -> Any:
    y = np.conj(y) if y.dtype.kind == "c" else y
    return dy * y.dtype.type(-0.5) * (y * y * y)


def _reciprocal_grad(y: Any, dy: Any) -> Any:
    y = np.conj(y) if y.dtype.kind == "c" else y
    return -dy * (y * y)


def _softplus_grad(gradients: Any, features: Any) -> Any:
    return gradients * sigmoid_kernel(features)


def _softsign(x: Any) -> Any:
    return x / (x.dtype.type(1) + np.abs(x))


def _softsign_grad(gradients: Any, features: Any) -> Any:
    root = features.dtype.type(1) + np.abs(features)
    return gradients / (root * root)


# ----------------------------------------------------------------------------------------------------------- gradients


def _x(op: Any) -> Any:
    return _conj(op.inputs[0])


def _y(op: Any) -> Any:
    return _conj(op.outputs[0])


def _sigmoid_grad_grad(op: Any, g: Any) -> list[Any]:
    y, dy = _conj(op.inputs[0]), _conj(op.inputs[1])
    by_dy = multiply(g, dy)
    return [subtract(by_dy, multiply(multiply(by_dy, 2), y)), bind(SIGMOID_GRAD, (op.inputs[0], g))]


def _sqrt_grad_grad(op: Any, g: Any) -> list[Any]:
    y = op.inputs[0]
    over = realdiv(g, _conj(y))
    return [multiply(negative(over), _conj(op.outputs[0])), multiply(over, 0.5)]


def _rsqrt_grad_grad(op: Any, g: Any) -> list[Any]:
    y, dy = _conj(op.inputs[0]), _conj(op.inputs[1])
    return [multiply(multiply(multiply(g, -1.5), dy), square(y)), bind(RSQRT_GRAD, (op.inputs[0], g))]


def _reciprocal_grad_grad(op: Any, g: Any) -> list[Any]:
    y, dy = _conj(op.inputs[0]), _conj(op.inputs[1])
    return [multiply(multiply(multiply(g, -2), dy), y), bind(RECIPROCAL_GRAD, (op.inputs[0], g))]


def _softplus_grad_grad(op: Any, g: Any) -> list[Any]:
    gradients, features = op.inputs
    s = sigmoid(features)
    slope = multiply(s, 1 - s)
    return [bind(SOFTPLUS_GRAD, (g, features)), multiply(multiply(g, gradients), slope)]


def _softsign_grad_grad(op: Any, g: Any) -> list[Any]:
    from graphlab.ops.math import pow
    from graphlab.ops.rounding import sign

    gradients, features = op.inputs
    cube = pow(add(abs(features), 1), 3)
    by_features = multiply(multiply(g, gradients), realdiv(multiply(sign(features), -2), cube))
    return [bind(SOFTSIGN_GRAD, (g, features)), by_features]


def _square_gradient(op: Any, dy: Any) -> Any:
    x = op.inputs[0]
    with after(dy):
        factor = multiply(_conj(x), 2 if state.graph is None else constant(2, x.dtype))
    return multiply(dy, factor)


def _log_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        factor = reciprocal(_x(op))
    return dy * factor


def _log1p_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        factor = reciprocal(1 + _x(op))
    return dy * factor


def _exp_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        factor = _y(op)
    return dy * factor


def _expm1_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        factor = exp(_x(op))
    return dy * factor


def _sqrt_gradient(op: Any, dy: Any) -> Any:
    return bind(SQRT_GRAD, (op.outputs[0], dy))


def _rsqrt_gradient(op: Any, dy: Any) -> Any:
    return bind(RSQRT_GRAD, (op.outputs[0], dy))


def _reciprocal_gradient(op: Any, dy: Any) -> Any:
    return bind(RECIPROCAL_GRAD, (op.outputs[0], dy))


def _sigmoid_gradient(op: Any, dy: Any) -> Any:
    return bind(SIGMOID_GRAD, (op.outputs[0], dy))


def _softplus_gradient(op: Any, dy: Any) -> Any:
    return dy * sigmoid(op.inputs[0])


def _softsign_gradient(op: Any, dy: Any) -> Any:
    return bind(SOFTSIGN_GRAD, (dy, op.inputs[0]))


# ------------------------------------------------------------------------------------------------------------- records

SQUARE = define("Square", "x: T -> y: T", kernel=np.square, infer=inference.unchanged,
                gradient=_square_gradient, types={"T": _INEXACT | INTEGER})  # fmt: skip
EXP = define("Exp", "x: T -> y: T", kernel=np.exp, infer=inference.unchanged,
    gradient=_exp_gradient, types={"T": _INEXACT})  # fmt: skip
EXPM1 = define("Expm1", "x: T -> y: T", kernel={dtypes.complex64: _expm1, dtypes.complex128: _expm1, None: np.expm1},
    infer=inference.unchanged,
    gradient=_expm1_gradient, types={"T": _INEXACT})  # fmt: skip
LOG = define("Log", "x: T -> y: T", kernel=np.log, infer=inference.unchanged,
    gradient=_log_gradient, types={"T": _INEXACT})  # fmt: skip
LOG1P = define("Log1p", "x: T -> y: T", kernel={dtypes.complex64: _log1p, dtypes.complex128: _log1p, None: np.log1p},
    infer=inference.unchanged,
    gradient=_log1p_gradient, types={"T": _INEXACT})  # fmt: skip
SQRT = define("Sqrt", "x: T -> y: T", kernel=np.sqrt, infer=inference.unchanged,
    gradient=_sqrt_gradient, types={"T": _INEXACT})  # fmt: skip
RSQRT = define("Rsqrt", "x: T -> y: T", kernel=_rsqrt, infer=inference.unchanged,
    gradient=_rsqrt_gradient, types={"T": _INEXACT})  # fmt: skip
RECIPROCAL = define("Reciprocal", "x: T -> y: T",
    kernel={**dict.fromkeys(SIGNED, no_kernel("Reciprocal")), None: _reciprocal}, infer=inference.unchanged,
    gradient=_reciprocal_gradient, types={"T": _INEXACT | SIGNED})  # fmt: skip
SIGMOID = define("Sigmoid", "x: T -> y: T", kernel=sigmoid_kernel, infer=inference.unchanged,
    gradient=_sigmoid_gradient, types={"T": _INEXACT})  # fmt: skip
SQRT_GRAD = define("SqrtGrad", "y: T, dy: T -> z: T", kernel=_sqrt_grad, infer=inference.same_shape,
    gradient=_sqrt_grad_grad, types={"T": _INEXACT})  # fmt: skip
RSQRT_GRAD = define("RsqrtGrad", "y: T, dy: T -> z: T", kernel=_rsqrt_grad, infer=inference.same_shape,
    gradient=_rsqrt_grad_grad, types={"T": _INEXACT})  # fmt: skip
RECIPROCAL_GRAD = define("ReciprocalGrad", "y: T, dy: T -> z: T", kernel=_reciprocal_grad, infer=inference.same_shape,
    gradient=_reciprocal_grad_grad, types={"T": _INEXACT})  # fmt: skip
SIGMOID_GRAD = define("SigmoidGrad", "y: T, dy: T -> z: T", kernel=_sigmoid_grad, infer=inference.same_shape,
    gradient=_sigmoid_grad_grad, types={"T": _INEXACT})  # fmt: skip
SOFTPLUS = define("Softplus", "features: T -> activations: T", kernel=softplus_kernel, infer=inference.unchanged,
    gradient=_softplus_gradient, types={"T": FLOAT})  # fmt: skip
SOFTPLUS_GRAD = define("SoftplusGrad", "gradients: T, features: T -> backprops: T", kernel=_softplus_grad,
    infer=inference.same_shape, gradient=_softplus_grad_grad, types={"T": FLOAT})  # fmt: skip
SOFTSIGN = define("Softsign", "features: T -> activations: T", kernel=_softsign, infer=inference.unchanged,
    gradient=_softsign_gradient, types={"T": FLOAT})  # fmt: skip
SOFTSIGN_GRAD = define("SoftsignGrad", "gradients: T, features: T -> backprops: T", kernel=_softsign_grad,
    infer=inference.same_shape, gradient=_softsign_grad_grad, types={"T": FLOAT})  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("math.square", "square")
def square(x: Any, name: str | None = None) -> Any:
    """Returns ``x * x`` element-wise; integers wrap around.

    Args:
      x: a tensor of a numeric dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.square([-2, 3]).numpy()
    array([4, 9], dtype=int32)
    """
    return bind(SQUARE, (x,), None, name)


@public("math.exp", "exp")
def exp(x: Any, name: str | None = None) -> Any:
    """Returns e to the power x element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.exp([0.0, 1.0]).numpy().round(4)
    array([1.    , 2.7183], dtype=float32)
    """
    return bind(EXP, (x,), None, name)


@public("math.expm1")
def expm1(x: Any, name: str | None = None) -> Any:
    """Returns ``exp(x) - 1`` element-wise, accurate for small x.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.expm1([0.0, 1e-10]).numpy().round(4)
    array([0., 0.], dtype=float32)
    """
    return bind(EXPM1, (x,), None, name)


@public("math.log")
def log(x: Any, name: str | None = None) -> Any:
    """Returns the natural logarithm of x element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.log([1.0, 0.0]).numpy()
    array([  0., -inf], dtype=float32)
    """
    return bind(LOG, (x,), None, name)


@public("math.log1p")
def log1p(x: Any, name: str | None = None) -> Any:
    """Returns ``log(1 + x)`` element-wise, accurate for small x.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.log1p([0.0, 1e-10]).numpy().round(4)
    array([0., 0.], dtype=float32)
    """
    return bind(LOG1P, (x,), None, name)


@public("math.sqrt", "sqrt")
def sqrt(x: Any, name: str | None = None) -> Any:
    """Returns the square root of x element-wise; NaN for negative real x.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.sqrt([4.0, 9.0]).numpy()
    array([2., 3.], dtype=float32)
    """
    return bind(SQRT, (x,), None, name)


@public("math.rsqrt")
def rsqrt(x: Any, name: str | None = None) -> Any:
    """Returns ``1 / sqrt(x)`` element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.rsqrt([4.0, 0.0]).numpy()
    array([0.5, inf], dtype=float32)
    """
    return bind(RSQRT, (x,), None, name)


@public("math.reciprocal")
def reciprocal(x: Any, name: str | None = None) -> Any:
    """Returns ``1 / x`` element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.reciprocal([2.0, 0.0]).numpy()
    array([0.5, inf], dtype=float32)
    """
    return bind(RECIPROCAL, (x,), None, name)


@public("math.sigmoid", "nn.sigmoid", "sigmoid")
def sigmoid(x: Any, name: str | None = None) -> Any:
    """Returns ``1 / (1 + exp(-x))`` element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.sigmoid([0.0, 100.0]).numpy()
    array([0.5, 1. ], dtype=float32)
    """
    return bind(SIGMOID, (x,), None, name)


@public("math.softplus", "nn.softplus")
def softplus(features: Any, name: str | None = None) -> Any:
    """Returns ``log(1 + exp(features))`` element-wise, a smooth relu.

    Args:
      features: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.softplus([0.0, 100.0]).numpy().round(4)
    array([  0.6931, 100.    ], dtype=float32)
    """
    return bind(SOFTPLUS, (features,), None, name)


@public("math.softsign", "nn.softsign")
def softsign(features: Any, name: str | None = None) -> Any:
    """Returns ``features / (1 + abs(features))`` element-wise.

    Args:
      features: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.softsign([1.0, -3.0]).numpy()
    array([ 0.5 , -0.75], dtype=float32)
    """
    return bind(SOFTSIGN, (features,), None, name)


@public("math.log_sigmoid")
@over_values
def log_sigmoid(x: Any, name: str | None = None) -> Any:
    """Returns ``log(sigmoid(x))`` element-wise, computed as ``-softplus(-x)`` so that nothing overflows.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.log_sigmoid([0.0, -100.0]).numpy().round(4)
    array([  -0.6931, -100.    ], dtype=float32)
    """
    with name_scope(name, "LogSigmoid") as scope:
        x = convert_to_tensor(x, name="x")
        return negative(softplus(negative(x)), name=scope)


@public("math.reciprocal_no_nan")
@over_values
def reciprocal_no_nan(x: Any, name: str | None = None) -> Any:
    """Returns ``1 / x`` element-wise, and 0 where x is 0.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    Raises:
      TypeError: for another dtype.

    >>> import graphlab as tf
    >>> tf.math.reciprocal_no_nan([2.0, 0.0]).numpy()
    array([0.5, 0. ], dtype=float32)
    """
    from graphlab.core.convert import constant
    from graphlab.ops.division import DIV_NO_NAN

    with name_scope(name, "reciprocal_no_nan") as scope:
        x = convert_to_tensor(x, name="x")
        return bind(DIV_NO_NAN, (constant(1, x.dtype, name="one"), x), None, scope or name)
