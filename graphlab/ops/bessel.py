"""Bessel functions, and the functions of Dawson, Fresnel and Spence and the exponential integral.

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


def _dawsn(x: Any) -> Any:
    """Rybicki 1989, "Dawson's Integral and the Sampling Theorem": exponentially accurate in the step."""
    step = 0.2
    a = np.abs(np.where(np.isfinite(x), x, 0.0))
    centre = 2 * np.round(a / (2 * step))
    rest = a - centre * step
    total = np.zeros_like(a)
    for n in range(-35, 36, 2):
        total += np.exp(-((rest - n * step) ** 2)) / (n + centre)
    result = total / np.sqrt(pi)
    small = a < 0.2
    s = a[small] ** 2
    series, term = np.zeros_like(s), a[small].copy()
    for k in range(12):
        series += term
        term = term * -2 * s / (2 * k + 3)
    result[small] = series
    result = np.copysign(result, x)
    return np.where(np.isinf(x), np.copysign(0.0, x), np.where(np.isnan(x), np.nan, result))


def _expint(x: Any) -> Any:
    """Ei: its series up to 40, the asymptotic one beyond; NaN below 0."""
    result = np.full_like(x, np.nan)
    near = (x > 0) & (x <= 40)
    y = x[near]
    total, term = np.zeros_like(y), np.ones_like(y)
    for k in range(1, 160):
        term = term * y / k
        total += term / k
    result[near] = _EULER + np.log(y) + total
    far = x > 40
    y = x[far]
    total, term = np.ones_like(y), np.ones_like(y)
    for k in range(1, 40):
        term = term * k / y
        total += term
    result[far] = np.exp(y) / y * total
    result[x == 0] = -np.inf
    result[np.isposinf(x)] = np.inf
    return result


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(80)


def _fresnel(x: Any, wave: Callable[[Any], Any], cosine: bool) -> Any:
    a = np.abs(x)
    result = np.full_like(a, np.nan)
    near = a <= 6
    half = a[near] / 2
    t = half[:, None] * (_NODES + 1)
    result[near] = half * (wave(pi / 2 * t * t) @ _WEIGHTS)
    far = (a > 6) & np.isfinite(a)
    y = a[far]
    z = 1 / (pi * y * y)
    # The auxiliary functions f and g (Abramowitz and Stegun 7.3.27, 7.3.28).
    f, g, one, other = np.zeros_like(y), np.zeros_like(y), np.ones_like(y), np.ones_like(y)
    for k in range(8):
        f += one
        g += other
        one = one * -(4 * k + 1) * (4 * k + 3) * z * z
        other = other * -(4 * k + 3) * (4 * k + 5) * z * z
    f, g = f / (pi * y), g * z / (pi * y)
    # y² modulo 4 keeps the phase exact for large y.
    phase = pi / 2 * np.fmod(y * y, 4)
    result[far] = 0.5 + (f * np.sin(phase) - g * np.cos(phase) if cosine else -f * np.cos(phase) - g * np.sin(phase))
    result[np.isinf(a)] = 0.5
    return np.copysign(result, x)


def _fresnel_cos(x: Any) -> Any:
    return _fresnel(x, np.cos, True)


def _fresnel_sin(x: Any) -> Any:
    return _fresnel(x, np.sin, False)


def _dilogarithm(z: Any) -> Any:
    """Li2(z) for 0 <= z <= 1: its series up to 1/2, reflection above (Abramowitz and Stegun 27.7)."""
    high = z > 0.5
    y = np.where(high, 1 - z, z)
    total, power = np.zeros_like(y), np.ones_like(y)
    for k in range(1, 60):
        power = power * y
        total += power / (k * k)
    safe = np.where((z > 0) & (z < 1), z, 0.5)
    reflected = pi * pi / 6 - np.where((z > 0) & (z < 1), np.log(safe) * np.log1p(-safe), 0.0) - total
    return np.where(high, reflected, total)


def _spence(x: Any) -> Any:
    """Li2(1 - x), for x > 1 by Landen's identity."""
    low = np.clip(1 - x, 0, 1)
    above = x > 1
    y = np.where(above & np.isfinite(x), x, 2.0)
    landen = -_dilogarithm((y - 1) / y) - 0.5 * np.log(y) ** 2
    result = np.where(above, landen, _dilogarithm(low))
    return np.where((x < 0) | np.isnan(x), np.nan, np.where(np.isposinf(x), -np.inf, result))


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


def _exp(x: Any) -> Any:
    from graphlab.ops.unary import exp

    return exp(x)


def _wave(x: Any, name: str) -> Any:
    from graphlab.ops import trigonometry

    return getattr(trigonometry, name)(x * x * (pi / 2))


def _spence_slope(x: Any, _y: Any) -> Any:
    from graphlab.ops import comparison, creation, selection, unary

    one = comparison.equal(x, 1)
    safe = selection.where(one, creation.ones_like(x) * 2, x)
    return selection.where(one, -creation.ones_like(x), unary.log(safe) / (1 - safe))


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


def _dawsn_slope(x: Any, y: Any) -> Any:
    return 1 - 2 * x * y


def _expint_slope(x: Any, _y: Any) -> Any:
    return _exp(x) / x


def _fresnel_cos_slope(x: Any, _y: Any) -> Any:
    return _wave(x, "cos")


def _fresnel_sin_slope(x: Any, _y: Any) -> Any:
    return _wave(x, "sin")


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
DAWSN = define("Dawsn", _X, kernel=in_double(_dawsn), infer=inference.unchanged, types=_T,
               gradient=_slope(_dawsn_slope))  # fmt: skip
EXPINT = define("Expint", _X, kernel=in_double(_expint), infer=inference.unchanged, types=_T,
                gradient=_slope(_expint_slope))  # fmt: skip
FRESNEL_COS = define("FresnelCos", _X, kernel=in_double(_fresnel_cos), infer=inference.unchanged, types=_T,
                     gradient=_slope(_fresnel_cos_slope))  # fmt: skip
FRESNEL_SIN = define("FresnelSin", _X, kernel=in_double(_fresnel_sin), infer=inference.unchanged, types=_T,
                     gradient=_slope(_fresnel_sin_slope))  # fmt: skip
SPENCE = define("Spence", _X, kernel=in_double(_spence), infer=inference.unchanged, types=_T,
                gradient=_slope(_spence_slope))  # fmt: skip

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


@public("math.special.dawsn")
def dawsn(x: Any, name: str | None = None) -> Any:
    """Returns Dawson's integral, ``exp(-x**2)`` times the integral of ``exp(t**2)`` from 0 to x, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.dawsn([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.5381], dtype=float32)
    """
    return _call(DAWSN, x, name)


@public("math.special.expint")
def expint(x: Any, name: str | None = None) -> Any:
    """Returns the exponential integral Ei, for positive x, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.expint([1.0, 2.0]).numpy().round(4)
    array([1.8951, 4.9542], dtype=float32)
    """
    return _call(EXPINT, x, name)


@public("math.special.fresnel_cos")
def fresnel_cos(x: Any, name: str | None = None) -> Any:
    """Returns Fresnel's integral of ``cos(π t**2 / 2)`` from 0 to x, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.fresnel_cos([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.7799], dtype=float32)
    """
    return _call(FRESNEL_COS, x, name)


@public("math.special.fresnel_sin")
def fresnel_sin(x: Any, name: str | None = None) -> Any:
    """Returns Fresnel's integral of ``sin(π t**2 / 2)`` from 0 to x, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.fresnel_sin([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.4383], dtype=float32)
    """
    return _call(FRESNEL_SIN, x, name)


@public("math.special.spence")
def spence(x: Any, name: str | None = None) -> Any:
    """Returns Spence's integral of ``-log(t) / (t - 1)`` from 1 to x, element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.special.spence([0.5, 1.0]).numpy().round(4)
    array([0.5822, 0.    ], dtype=float32)
    """
    return _call(SPENCE, x, name)
