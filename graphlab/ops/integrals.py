"""The functions of Dawson, Fresnel and Spence, and the exponential integral.

Kernels compute in float64, by the series and formulas that each names.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np

from graphlab.core.export import public
from graphlab.core.op import define
from graphlab.ops import inference
from graphlab.ops.bessel import _EULER, _T, _X, _call, _slope
from graphlab.ops.special import in_double


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


# Nodes and weights of the Gauss-Legendre rule, enough for the nine waves up to x = 6.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(80)


def _fresnel(x: Any, wave: Callable[[Any], Any], cosine: bool) -> Any:
    """By the Gauss-Legendre rule up to 6, by the auxiliary functions beyond (Abramowitz and Stegun 7.3.27)."""
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


def _dawsn_slope(x: Any, y: Any) -> Any:
    return 1 - 2 * x * y


def _expint_slope(x: Any, _y: Any) -> Any:
    return _exp(x) / x


def _fresnel_cos_slope(x: Any, _y: Any) -> Any:
    return _wave(x, "cos")


def _fresnel_sin_slope(x: Any, _y: Any) -> Any:
    return _wave(x, "sin")


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
