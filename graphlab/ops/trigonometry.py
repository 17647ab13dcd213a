"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core.convert import constant
from graphlab.core.dispatch import bind
from graphlab.core.export import public
from graphlab.core.op import define
from graphlab.ops import inference
from graphlab.ops.math import _conj, add, multiply, subtract
from graphlab.ops.unary import _INEXACT, _x, _y, reciprocal, sqrt, square
from graphlab.ops.waiting import after


def _tanh_grad(y: Any, dy: Any) -> Any:
    return dy * (y.dtype.type(1) - y * y) if y.dtype.kind != "c" else dy * (1 - np.conj(y) * np.conj(y))


def _tanh_grad_grad(op: Any, g: Any) -> list[Any]:
    y, dy = _conj(op.inputs[0]), _conj(op.inputs[1])
    return [multiply(multiply(multiply(g, -2), dy), y), bind(TANH_GRAD, (op.inputs[0], g))]


def _cos_gradient(op: Any, dy: Any) -> Any:
    back = -dy
    with after(dy):
        factor = sin(_x(op))
    return back * factor


def _tan_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        factor = square(reciprocal(cos(_x(op))))
    return factor * dy


def _asin_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        squared = square(_x(op))
        factor = reciprocal(sqrt(subtract(_one(squared), squared)))
    return dy * factor


def _one(x: Any) -> Any:
    """1 as a node of its own, in the dtype of ``x``."""
    return constant(1, x.dtype)


def _atan_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        squared = square(_x(op))
        factor = reciprocal(add(_one(squared), squared))
    return dy * factor


def _atanh_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        squared = square(_x(op))
        factor = reciprocal(subtract(_one(squared), squared))
    return dy * factor


def _sin_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        factor = cos(_x(op))
    return dy * factor


def _acos_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        squared = square(_x(op))
        factor = reciprocal(sqrt(subtract(_one(squared), squared)))
    return -dy * factor


def _sinh_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        factor = cosh(_x(op))
    return dy * factor


def _cosh_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        factor = sinh(_x(op))
    return dy * factor


def _tanh_gradient(op: Any, dy: Any) -> Any:
    return bind(TANH_GRAD, (op.outputs[0], dy))


def _asinh_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        slope = cosh(_y(op))
    return dy / slope


def _acosh_gradient(op: Any, dy: Any) -> Any:
    with after(dy):
        slope = sinh(_y(op))
    return dy / slope


SIN = define("Sin", "x: T -> y: T", kernel=np.sin, infer=inference.unchanged,
    gradient=_sin_gradient, types={"T": _INEXACT})  # fmt: skip


COS = define("Cos", "x: T -> y: T", kernel=np.cos, infer=inference.unchanged,
    gradient=_cos_gradient, types={"T": _INEXACT})  # fmt: skip


TAN = define("Tan", "x: T -> y: T", kernel=np.tan, infer=inference.unchanged,
    gradient=_tan_gradient, types={"T": _INEXACT})  # fmt: skip


ASIN = define("Asin", "x: T -> y: T", kernel=np.arcsin, infer=inference.unchanged,
    gradient=_asin_gradient, types={"T": _INEXACT})  # fmt: skip


ACOS = define("Acos", "x: T -> y: T", kernel=np.arccos, infer=inference.unchanged,
    gradient=_acos_gradient, types={"T": _INEXACT})  # fmt: skip


ATAN = define("Atan", "x: T -> y: T", kernel=np.arctan, infer=inference.unchanged,
    gradient=_atan_gradient, types={"T": _INEXACT})  # fmt: skip


SINH = define("Sinh", "x: T -> y: T", kernel=np.sinh, infer=inference.unchanged,
    gradient=_sinh_gradient, types={"T": _INEXACT})  # fmt: skip


COSH = define("Cosh", "x: T -> y: T", kernel=np.cosh, infer=inference.unchanged,
    gradient=_cosh_gradient, types={"T": _INEXACT})  # fmt: skip


TANH = define("Tanh", "x: T -> y: T", kernel=np.tanh, infer=inference.unchanged,
    gradient=_tanh_gradient, types={"T": _INEXACT})  # fmt: skip


ASINH = define("Asinh", "x: T -> y: T", kernel=np.arcsinh, infer=inference.unchanged,
    gradient=_asinh_gradient, types={"T": _INEXACT})  # fmt: skip


ACOSH = define("Acosh", "x: T -> y: T", kernel=np.arccosh, infer=inference.unchanged,
    gradient=_acosh_gradient, types={"T": _INEXACT})  # fmt: skip


ATANH = define("Atanh", "x: T -> y: T", kernel=np.arctanh, infer=inference.unchanged,
    gradient=_atanh_gradient, types={"T": _INEXACT})  # fmt: skip


TANH_GRAD = define("TanhGrad", "y: T, dy: T -> z: T", kernel=_tanh_grad, infer=inference.same_shape,
    gradient=_tanh_grad_grad, types={"T": _INEXACT})  # fmt: skip


@public("math.sin", "sin")
def sin(x: Any, name: str | None = None) -> Any:
    """Returns the sine of x (radians) element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.sin([0.0, 0.5]).numpy().round(4)
    array([0.    , 0.4794], dtype=float32)
    """
    return bind(SIN, (x,), None, name)


@public("math.cos", "cos")
def cos(x: Any, name: str | None = None) -> Any:
    """Returns the cosine of x (radians) element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.cos([0.0, 0.5]).numpy().round(4)
    array([1.    , 0.8776], dtype=float32)
    """
    return bind(COS, (x,), None, name)


@public("math.tan", "tan")
def tan(x: Any, name: str | None = None) -> Any:
    """Returns the tangent of x (radians) element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.tan([0.0, 0.5]).numpy().round(4)
    array([0.    , 0.5463], dtype=float32)
    """
    return bind(TAN, (x,), None, name)


@public("math.asin", "asin")
def asin(x: Any, name: str | None = None) -> Any:
    """Returns the inverse sine in [-π/2, π/2]; NaN outside [-1, 1].

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.asin([0.0, 1.0]).numpy().round(4)
    array([0.    , 1.5708], dtype=float32)
    """
    return bind(ASIN, (x,), None, name)


@public("math.acos", "acos")
def acos(x: Any, name: str | None = None) -> Any:
    """Returns the inverse cosine in [0, π]; NaN outside [-1, 1].

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.acos([1.0, 0.0]).numpy().round(4)
    array([0.    , 1.5708], dtype=float32)
    """
    return bind(ACOS, (x,), None, name)


@public("math.atan", "atan")
def atan(x: Any, name: str | None = None) -> Any:
    """Returns the inverse tangent in [-π/2, π/2].

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.atan([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.7854], dtype=float32)
    """
    return bind(ATAN, (x,), None, name)


@public("math.sinh", "sinh")
def sinh(x: Any, name: str | None = None) -> Any:
    """Returns the hyperbolic sine of x element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.sinh([0.0, 1.0]).numpy().round(4)
    array([0.    , 1.1752], dtype=float32)
    """
    return bind(SINH, (x,), None, name)


@public("math.cosh", "cosh")
def cosh(x: Any, name: str | None = None) -> Any:
    """Returns the hyperbolic cosine of x element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.cosh([0.0, 1.0]).numpy().round(4)
    array([1.    , 1.5431], dtype=float32)
    """
    return bind(COSH, (x,), None, name)


@public("math.tanh", "nn.tanh", "tanh")
def tanh(x: Any, name: str | None = None) -> Any:
    """Returns the hyperbolic tangent of x element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.tanh([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.7616], dtype=float32)
    """
    return bind(TANH, (x,), None, name)


@public("math.asinh", "asinh")
def asinh(x: Any, name: str | None = None) -> Any:
    """Returns the inverse hyperbolic sine of x element-wise.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.asinh([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.8814], dtype=float32)
    """
    return bind(ASINH, (x,), None, name)


@public("math.acosh", "acosh")
def acosh(x: Any, name: str | None = None) -> Any:
    """Returns the inverse hyperbolic cosine of x element-wise; NaN below 1.

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.acosh([1.0, 2.0]).numpy().round(4)
    array([0.   , 1.317], dtype=float32)
    """
    return bind(ACOSH, (x,), None, name)


@public("math.atanh", "atanh")
def atanh(x: Any, name: str | None = None) -> Any:
    """Returns the inverse hyperbolic tangent of x element-wise; NaN outside [-1, 1].

    Args:
      x: a tensor of a floating-point or complex dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.atanh([0.0, 0.5]).numpy().round(4)
    array([0.    , 0.5493], dtype=float32)
    """
    return bind(ATANH, (x,), None, name)
