"""Bessel functions.

Kernels compute in float64.  For moderate arguments Bessel functions are their integrals, for which the trapezoidal
rule converges exponentially (Trefethen and Weideman 2014, "The Exponentially Convergent Trapezoidal Rule"); for large
ones the asymptotic series (Abramowitz and Stegun 9.2, 9.7).
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np

from graphlab.core.dispatch import bind
from graphlab.core.export import public
from graphlab.core.op import FLOAT, Op, define
from graphlab.ops import inference
from graphlab.ops.special import in_double

_EULER = 0.57721566490153286061
_LARGE = 30.0

# ------------------------------------------------------------------------------------------------------------- kernels


def _circle(x: Any, integrand: Callable[[Any, Any], Any], points: int) -> Any:
    """The mean of ``integrand(x, θ)`` over half a circle."""
    angles = np.linspace(0, pi, points + 1)
    weights = np.ones(points + 1)
    weights[[0, -1]] = 0.5
    return integrand(x[:, None], angles) @ weights / points


def _asymptotic(x: Any, order: int, sign: float) -> Any:
    """``1 + sign (4n²-1)/(8x) + (4n²-1)(4n²-9)/(2! (8x)²) + ...``: the series behind I (sign -1) and K (sign 1)."""
    mu = 4.0 * order * order
    term = np.ones_like(x)
    total = term.copy()
    for k in range(1, 30):
        term = term * sign * (mu - (2 * k - 1) ** 2) / (k * 8 * x)
        total += term
    return total


def _split(x: Any, near: Callable[[Any], Any], far: Callable[[Any], Any]) -> Any:
    """``near`` up to 30, ``far`` beyond."""
    result = np.full_like(x, np.nan)
    small, large = np.abs(x) <= _LARGE, np.abs(x) > _LARGE
    result[small] = near(x[small])
    result[large] = far(x[large])
    return result


def _i0e(x: Any) -> Any:
    a = np.abs(x)
    return _split(
        a,
        lambda y: _circle(y, lambda z, t: np.exp(z * (np.cos(t) - 1)), 64),
        lambda y: _asymptotic(y, 0, -1) / np.sqrt(2 * pi * y),
    )


def _i1e(x: Any) -> Any:
    a = np.abs(x)
    value = _split(
        a,
        lambda y: _circle(y, lambda z, t: np.exp(z * (np.cos(t) - 1)) * np.cos(t), 64),
        lambda y: _asymptotic(y, 1, -1) / np.sqrt(2 * pi * y),
    )
    # The integral loses digits where the result is small: there it is x/2 + x³/16 + ...
    small = a < 0.5
    s = (a[small] / 2) ** 2
    series, term = np.zeros_like(s), np.ones_like(s)
    for k in range(1, 16):
        series += term
        term = term * s / (k * (k + 1))
    value[small] = a[small] / 2 * series * np.exp(-a[small])
    return np.copysign(value, x)


def _i0(x: Any) -> Any:
    return _i0e(x) * np.exp(np.abs(x))


def _i1(x: Any) -> Any:
    return _i1e(x) * np.exp(np.abs(x))


def _scaled_k(x: Any, order: int) -> Any:
    """``exp(x) K(x)``: the integral of ``exp(-x (cosh t - 1)) cosh(order t)`` over t from 0 on."""

    def near(y: Any) -> Any:
        step = 0.125
        end = float(np.arccosh(1 + 750 / y.min())) if y.size else 0.0
        t = np.arange(0, end + step, step)
        values = np.exp(-y[:, None] * (np.cosh(t) - 1)) * np.cosh(order * t)
        return step * (values.sum(1) - 0.5 * values[:, 0])

    result = np.full_like(x, np.nan)
    valid = x > 0
    result[valid] = _split(x[valid], near, lambda y: _asymptotic(y, order, 1) * np.sqrt(pi / (2 * y)))
    result[x <= 0] = np.inf
    result[np.isposinf(x)] = 0
    return result


def _k0e(x: Any) -> Any:
    return _scaled_k(x, 0)


def _k1e(x: Any) -> Any:
    return _scaled_k(x, 1)


def _k0(x: Any) -> Any:
    return _k0e(x) * np.exp(-x)


def _k1(x: Any) -> Any:
    return _k1e(x) * np.exp(-x)


def _j(x: Any, order: int) -> Any:
    """For moderate x; the integral of ``cos(order θ - x sin θ)``."""
    return _circle(x, lambda z, t: np.cos(order * t - z * np.sin(t)), 128)


def _hankel(x: Any, order: int) -> tuple[Any, Any, Any]:
    """Amplitudes P and Q and the phase of the asymptotic J and Y (Abramowitz and Stegun 9.2.5)."""
    mu = 4.0 * order * order
    p, q = np.ones_like(x), np.zeros_like(x)
    term = np.ones_like(x)
    for k in range(1, 30):
        term = term * (mu - (2 * k - 1) ** 2) / (k * 8 * x)
        if k % 2:
            q += term if k % 4 == 1 else -term
        else:
            p += term if k % 4 == 0 else -term
    return p, q, x - (order / 2 + 0.25) * pi


def _j_far(x: Any, order: int) -> Any:
    p, q, phase = _hankel(x, order)
    return np.sqrt(2 / (pi * x)) * (p * np.cos(phase) - q * np.sin(phase))


def _y_far(x: Any, order: int) -> Any:
    p, q, phase = _hankel(x, order)
    return np.sqrt(2 / (pi * x)) * (p * np.sin(phase) + q * np.cos(phase))


def _j0(x: Any) -> Any:
    return _split(np.abs(x), lambda y: _j(y, 0), lambda y: _j_far(y, 0))


def _j1(x: Any) -> Any:
    a = np.abs(x)
    value = _split(a, lambda y: _j(y, 1), lambda y: _j_far(y, 1))
    small = a < 0.5
    s = -((a[small] / 2) ** 2)
    series, term = np.zeros_like(s), np.ones_like(s)
    for k in range(1, 16):
        series += term
        term = term * s / (k * (k + 1))
    value[small] = a[small] / 2 * series
    return np.where(x < 0, -value, value)


def _y_near(x: Any, order: int) -> Any:
    """Neumann's series over J (Abramowitz and Stegun 9.1.88, 9.1.89)."""
    log = np.log(x / 2) + _EULER
    if order == 0:
        total = 2 / pi * log * _j(x, 0)
        for k in range(1, 45):
            total -= 4 / pi * (-1) ** k * _j(x, 2 * k) / k
        return total
    total = -2 / (pi * x) * _j(x, 0) + 2 / pi * (log - 1) * _j(x, 1)
    for k in range(1, 45):
        total -= 2 / pi * (-1) ** k * (2 * k + 1) / (k * (k + 1)) * _j(x, 2 * k + 1)
    return total


def _y(x: Any, order: int) -> Any:
    result = np.full_like(x, np.nan)
    valid = x > 0
    result[valid] = _split(x[valid], lambda y: _y_near(y, order), lambda y: _y_far(y, order))
    result[x <= 0] = -np.inf
    return result


def _y0(x: Any) -> Any:
    return _y(x, 0)


def _y1(x: Any) -> Any:
    return _y(x, 1)


# ----------------------------------------------------------------------------------------------------------- gradients


def _ratio(y: Any, x: Any) -> Any:
    """``y / x``, and 1/2 where x is 0: what the functions of order 1 tend to."""
    from graphlab.ops import comparison, creation, selection

    zero = comparison.equal(x, 0)
    ones = creation.ones_like(x)
    return selection.where(zero, ones * 0.5, y / selection.where(zero, ones, x))


def _sign(x: Any) -> Any:
    from graphlab.ops.rounding import sign

    return sign(x)


def _slope(factor: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The gradient of a function whose derivative is ``factor(x, y)``."""
    return lambda op, dy: dy * factor(op.inputs[0], op.outputs[0])


def _i0_slope(x: Any, _y: Any) -> Any:
    return bessel_i1(x)


def _i0e_slope(x: Any, y: Any) -> Any:
    return bessel_i1e(x) - _sign(x) * y


def _i1_slope(x: Any, y: Any) -> Any:
    return bessel_i0(x) - _ratio(y, x)


def _i1e_slope(x: Any, y: Any) -> Any:
    return bessel_i0e(x) - _sign(x) * y - _ratio(y, x)


def _j0_slope(x: Any, _y: Any) -> Any:
    return -bessel_j1(x)


def _j1_slope(x: Any, y: Any) -> Any:
    return bessel_j0(x) - _ratio(y, x)


def _k0_slope(x: Any, _y: Any) -> Any:
    return -bessel_k1(x)


def _k0e_slope(x: Any, y: Any) -> Any:
    return y - bessel_k1e(x)


def _k1_slope(x: Any, y: Any) -> Any:
    return -bessel_k0(x) - y / x


def _k1e_slope(x: Any, y: Any) -> Any:
    return y * (1 - 1 / x) - bessel_k0e(x)


def _y0_slope(x: Any, _y: Any) -> Any:
    return -bessel_y1(x)


def _y1_slope(x: Any, y: Any) -> Any:
    return bessel_y0(x) - y / x


_X = "x: T -> y: T"
_T = {"T": FLOAT}
I0 = define("BesselI0", _X, kernel=in_double(_i0), infer=inference.unchanged, types=_T,
            gradient=_slope(_i0_slope))  # fmt: skip
I0E = define("BesselI0e", _X, kernel=in_double(_i0e), infer=inference.unchanged, types=_T,
             gradient=_slope(_i0e_slope))  # fmt: skip
I1 = define("BesselI1", _X, kernel=in_double(_i1), infer=inference.unchanged, types=_T,
            gradient=_slope(_i1_slope))  # fmt: skip
I1E = define("BesselI1e", _X, kernel=in_double(_i1e), infer=inference.unchanged, types=_T,
             gradient=_slope(_i1e_slope))  # fmt: skip
J0 = define("BesselJ0", _X, kernel=in_double(_j0), infer=inference.unchanged, types=_T,
            gradient=_slope(_j0_slope))  # fmt: skip
J1 = define("BesselJ1", _X, kernel=in_double(_j1), infer=inference.unchanged, types=_T,
            gradient=_slope(_j1_slope))  # fmt: skip
K0 = define("BesselK0", _X, kernel=in_double(_k0), infer=inference.unchanged, types=_T,
            gradient=_slope(_k0_slope))  # fmt: skip
K0E = define("BesselK0e", _X, kernel=in_double(_k0e), infer=inference.unchanged, types=_T,
             gradient=_slope(_k0e_slope))  # fmt: skip
K1 = define("BesselK1", _X, kernel=in_double(_k1), infer=inference.unchanged, types=_T,
            gradient=_slope(_k1_slope))  # fmt: skip
K1E = define("BesselK1e", _X, kernel=in_double(_k1e), infer=inference.unchanged, types=_T,
             gradient=_slope(_k1e_slope))  # fmt: skip
Y0 = define("BesselY0", _X, kernel=in_double(_y0), infer=inference.unchanged, types=_T,
            gradient=_slope(_y0_slope))  # fmt: skip
Y1 = define("BesselY1", _X, kernel=in_double(_y1), infer=inference.unchanged, types=_T,
            gradient=_slope(_y1_slope))  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


def _call(op: Op, x: Any, name: str | None) -> Any:
    return bind(op, (x,), None, name)


@public("math.bessel_i0", "math.special.bessel_i0")
def bessel_i0(x: Any, name: str | None = None) -> Any:
    """Returns the modified Bessel function of the first kind of order 0, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_i0([0.0, 1.0]).numpy().round(4)
    array([1.    , 1.2661], dtype=float32)
    """
    return _call(I0, x, name)


@public("math.bessel_i0e", "math.special.bessel_i0e")
def bessel_i0e(x: Any, name: str | None = None) -> Any:
    """Returns ``exp(-abs(x)) * bessel_i0(x)``, which does not overflow, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_i0e([0.0, 1.0]).numpy().round(4)
    array([1.    , 0.4658], dtype=float32)
    """
    return _call(I0E, x, name)


@public("math.bessel_i1", "math.special.bessel_i1")
def bessel_i1(x: Any, name: str | None = None) -> Any:
    """Returns the modified Bessel function of the first kind of order 1, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_i1([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.5652], dtype=float32)
    """
    return _call(I1, x, name)


@public("math.bessel_i1e", "math.special.bessel_i1e")
def bessel_i1e(x: Any, name: str | None = None) -> Any:
    """Returns ``exp(-abs(x)) * bessel_i1(x)``, which does not overflow, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_i1e([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.2079], dtype=float32)
    """
    return _call(I1E, x, name)


@public("math.special.bessel_j0")
def bessel_j0(x: Any, name: str | None = None) -> Any:
    """Returns the Bessel function of the first kind of order 0, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_j0([0.0, 1.0]).numpy().round(4)
    array([1.    , 0.7652], dtype=float32)
    """
    return _call(J0, x, name)


@public("math.special.bessel_j1")
def bessel_j1(x: Any, name: str | None = None) -> Any:
    """Returns the Bessel function of the first kind of order 1, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_j1([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.4401], dtype=float32)
    """
    return _call(J1, x, name)


@public("math.special.bessel_k0")
def bessel_k0(x: Any, name: str | None = None) -> Any:
    """Returns the modified Bessel function of the second kind of order 0, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_k0([1.0, 2.0]).numpy().round(4)
    array([0.421 , 0.1139], dtype=float32)
    """
    return _call(K0, x, name)


@public("math.special.bessel_k0e")
def bessel_k0e(x: Any, name: str | None = None) -> Any:
    """Returns ``exp(x) * bessel_k0(x)``, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_k0e([1.0, 2.0]).numpy().round(4)
    array([1.1445, 0.8416], dtype=float32)
    """
    return _call(K0E, x, name)


@public("math.special.bessel_k1")
def bessel_k1(x: Any, name: str | None = None) -> Any:
    """Returns the modified Bessel function of the second kind of order 1, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_k1([1.0, 2.0]).numpy().round(4)
    array([0.6019, 0.1399], dtype=float32)
    """
    return _call(K1, x, name)


@public("math.special.bessel_k1e")
def bessel_k1e(x: Any, name: str | None = None) -> Any:
    """Returns ``exp(x) * bessel_k1(x)``, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_k1e([1.0, 2.0]).numpy().round(4)
    array([1.6362, 1.0335], dtype=float32)
    """
    return _call(K1E, x, name)


@public("math.special.bessel_y0")
def bessel_y0(x: Any, name: str | None = None) -> Any:
    """Returns the Bessel function of the second kind of order 0, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_y0([1.0, 2.0]).numpy().round(4)
    array([0.0883, 0.5104], dtype=float32)
    """
    return _call(Y0, x, name)


@public("math.special.bessel_y1")
def bessel_y1(x: Any, name: str | None = None) -> Any:
    """Returns the Bessel function of the second kind of order 1, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.bessel_y1([1.0, 2.0]).numpy().round(4)
    array([-0.7812, -0.107 ], dtype=float32)
    """
    return _call(Y1, x, name)
