"""Functions defined by integrals and series: error functions, gamma functions and their relatives.

NumPy has none of them.  Kernels compute in float64 by the published formula each function names, and round once.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.op import FLOAT, define
from graphlab.ops import inference
from graphlab.ops.broadcasting import reduced_products
from graphlab.ops.waiting import after

_DOUBLE = frozenset((dtypes.float32, dtypes.float64))


def in_double(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that computes in float64 and rounds the result to the dtype of its first argument."""

    def kernel(*arrays: Any) -> Any:
        dtype = arrays[0].dtype
        wide = [np.asarray(a, np.float64) for a in arrays]
        if len(wide) > 1:
            wide = list(np.broadcast_arrays(*wide))
        flat = [a.reshape(-1) for a in wide]
        return function(*flat).reshape(wide[0].shape).astype(dtype, copy=False)

    return kernel


def polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    """Horner's rule, the constant coefficient first."""
    result = np.full_like(x, coefficients[-1])
    for c in coefficients[-2::-1]:
        result = result * x + c
    return result


# ----------------------------------------------------------------------------------------------------- error functions

# Rational approximations of fdlibm (Sun Microsystems, 1993, s_erf.c), each for a range of |x|.
_ERX = 8.45062911510467529297e-01
_PP = (1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02,
       -5.77027029648944159157e-03, -2.37630166566501626084e-05)  # fmt: skip
_QQ = (1.0, 3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03,
       1.32494738004321644526e-04, -3.96022827877536812320e-06)  # fmt: skip
_PA = (-2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01,
       3.18346619901161753674e-01, -1.10894694282396677476e-01, 3.54783043256182359371e-02,
       -2.16637559486879084300e-03)  # fmt: skip
_QA = (1.0, 1.06420880400844228286e-01, 5.40397917702171048937e-01, 7.18286544141962662868e-02,
       1.26171219808761642112e-01, 1.36370839120290507362e-02, 1.19844998467991074170e-02)  # fmt: skip
_RA = (-9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01,
       -6.23753324503260060396e+01, -1.62396669462573470355e+02, -1.84605092906711035994e+02,
       -8.12874355063065934246e+01, -9.81432934416914548592e+00)  # fmt: skip
_SA = (1.0, 1.96512716674392571292e+01, 1.37657754143519042600e+02, 4.34565877475229228821e+02,
       6.45387271733267880336e+02, 4.29008140027567833386e+02, 1.08635005541779435134e+02,
       6.57024977031928170135e+00, -6.04244152148580987438e-02)  # fmt: skip
_RB = (-9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01,
       -1.60636384855821916062e+02, -6.37566443368389627722e+02, -1.02509513161107724954e+03,
       -4.83519191608651397019e+02)  # fmt: skip
_SB = (1.0, 3.03380607434824582924e+01, 3.25792512996573918826e+02, 1.53672958608443695994e+03,
       3.19985821950859553908e+03, 2.55305040643316442583e+03, 4.74528541206955367215e+02,
       -2.24409524465858183362e+01)  # fmt: skip


def _erfc_tail(a: Any) -> Any:
    """erfc(a) for a >= 1.25."""
    a = np.minimum(a, 28.0)  # beyond it the result is 0
    s = 1 / (a * a)
    ratio = np.where(a < 1 / 0.35, polynomial(s, _RA) / polynomial(s, _SA), polynomial(s, _RB) / polynomial(s, _SB))
    # exp(-a²) in two factors: a rounded to its leading bits squares without error.
    z = a.astype(np.float32).astype(np.float64)
    return np.exp(-z * z - 0.5625) * np.exp((z - a) * (z + a) + ratio) / a


def erf_kernel(x: Any) -> Any:
    """The error function, after fdlibm."""
    a = np.abs(x)
    result = np.where(np.isnan(x), np.nan, 1.0)
    small = a < 0.84375
    z = x[small] ** 2
    result[small] = x[small] + x[small] * (polynomial(z, _PP) / polynomial(z, _QQ))
    middle = (a >= 0.84375) & (a < 1.25)
    s = a[middle] - 1
    result[middle] = _ERX + polynomial(s, _PA) / polynomial(s, _QA)
    large = (a >= 1.25) & (a < 6)
    result[large] = 1 - _erfc_tail(a[large])
    return np.where(small, result, np.copysign(result, x))


def erfc_kernel(x: Any) -> Any:
    """The complementary error function, after fdlibm."""
    a = np.abs(x)
    result = np.where(np.isnan(x), np.nan, 0.0)
    small = a < 0.84375
    z = x[small] ** 2
    result[small] = 1 - (x[small] + x[small] * (polynomial(z, _PP) / polynomial(z, _QQ)))
    middle = (a >= 0.84375) & (a < 1.25)
    s = a[middle] - 1
    ratio = polynomial(s, _PA) / polynomial(s, _QA)
    result[middle] = np.where(x[middle] >= 0, 1 - _ERX - ratio, 1 + _ERX + ratio)
    large = a >= 1.25
    tail = _erfc_tail(a[large])
    result[large] = np.where(x[large] >= 0, tail, 2 - tail)
    return result


# Wichura 1988, "Algorithm AS 241: The Percentage Points of the Normal Distribution", routine PPND16.
_A = (3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
      4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3)  # fmt: skip
_B = (1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
      3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3)  # fmt: skip
_C = (1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
      1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2,
      7.74545014278341407640e-4)  # fmt: skip
_D = (1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
      1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9)  # fmt: skip
_E = (6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
      2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5,
      2.01033439929228813265e-7)  # fmt: skip
_F = (1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
      1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15)  # fmt: skip


def _quantile(q: Any, tail: Any) -> Any:
    """The normal quantile of 0.5 + q, where ``tail`` is min(p, 1 - p) computed without loss."""
    r = 0.180625 - q * q
    central = q * polynomial(r, _A) / polynomial(r, _B)
    r = np.sqrt(-np.log(np.where(tail > 0, tail, 1e-300)))
    near, far = r - 1.6, r - 5
    outer = np.where(r <= 5, polynomial(near, _C) / polynomial(near, _D), polynomial(far, _E) / polynomial(far, _F))
    outer = np.where(tail > 0, outer, np.where(tail == 0, np.inf, np.nan))
    return np.where(np.abs(q) <= 0.425, central, np.copysign(outer, q))


def ndtri_kernel(p: Any) -> Any:
    """The quantile of the standard normal distribution, after Wichura 1988 (AS 241)."""
    result = _quantile(p - 0.5, np.minimum(p, 1 - p))
    return np.where((p < 0) | (p > 1) | np.isnan(p), np.nan, result)


def erfinv_kernel(x: Any) -> Any:
    """The inverse error function: ``ndtri((x + 1) / 2) / sqrt(2)``, after Wichura 1988 (AS 241)."""
    a = np.abs(x)
    result = _quantile(x / 2, (1 - a) / 2) / np.sqrt(2)
    return np.where((a > 1) | np.isnan(x), np.nan, result + 0.0)  # -0.0 becomes 0.0


# ----------------------------------------------------------------------------------------------------- gamma functions

# The Lanczos sum of Boost and of CPython's math module, for g = 6.0246...
_LANCZOS_G = 6.024680040776729583740234375
_LANCZOS_NUM = (
    23531376880.41076, 42919803642.6491, 35711959237.35567, 17921034426.03721, 6039542586.352028,
    1439720407.3117216, 248874557.86205417, 31426415.585400194, 2876370.6289353725, 186056.26539522348,
    8071.672002365816, 210.82427775157936, 2.5066282746310002,
)  # fmt: skip
_LANCZOS_DEN = (0.0, 39916800.0, 120543840.0, 150917976.0, 105258076.0, 45995730.0, 13339535.0, 2637558.0, 357423.0,
                32670.0, 1925.0, 66.0, 1.0)  # fmt: skip


def _lanczos_sum(x: Any) -> Any:
    """For x > 0; both polynomials in 1/x where x is large, so that they don't overflow."""
    small = polynomial(x, _LANCZOS_NUM) / polynomial(x, _LANCZOS_DEN)
    inverse = 1 / x
    large = polynomial(inverse, _LANCZOS_NUM[::-1]) / polynomial(inverse, _LANCZOS_DEN[::-1])
    return np.where(x < 5, small, large)


def _log_gamma_positive(a: Any) -> Any:
    return np.log(_lanczos_sum(a)) - _LANCZOS_G + (a - 0.5) * (np.log(a + _LANCZOS_G - 0.5) - 1)


def _zeta_minus_one(s: int) -> float:
    """``zeta(s) - 1`` for an integer s > 1, by the Euler-Maclaurin formula."""
    n = 60
    head = sum(float(k) ** -s for k in range(n - 1, 1, -1))
    tail = n ** (1.0 - s) / (s - 1) + 0.5 * float(n) ** -s + s / 12 * n ** (-s - 1.0)
    return float(head + tail - s * (s + 1) * (s + 2) / 720 * n ** (-s - 3.0))


_ZETA_MINUS_ONE = tuple(_zeta_minus_one(s) for s in range(2, 34))


def _log_gamma_near(e: Any) -> Any:
    """log(gamma(1 + e)) for small e: its Taylor series (Abramowitz and Stegun 6.1.33), exact near the zero at 0."""
    total = np.zeros_like(e)
    for k in range(len(_ZETA_MINUS_ONE) + 1, 1, -1):
        total = total * -e + _ZETA_MINUS_ONE[k - 2] / k
    return -np.log1p(e) + e * (1 - 0.57721566490153286061) + total * e * e


def lgamma_kernel(x: Any) -> Any:
    """log(abs(gamma(x))) by the Lanczos approximation, a series near the zeros 1 and 2, and reflection for x < 0."""
    a = np.abs(x)
    safe = np.where(a == 0, 1.0, a)
    result = _log_gamma_positive(safe)
    one = np.abs(a - 1) < 0.25
    result[one] = _log_gamma_near(a[one] - 1)
    two = np.abs(a - 2) < 0.25
    e = a[two] - 2
    result[two] = _log_gamma_near(e) + np.log1p(e)
    tiny = a < 1e-20
    result[tiny] = -np.log(a[tiny])
    negative = (x < 0) & ~tiny
    n = safe[negative]
    sine = np.abs(np.sin(pi * (n - np.round(n))))
    result[negative] = np.log(pi) - np.log(sine) - np.log(n) - result[negative]
    result[(x <= 0) & (np.floor(x) == x) | np.isinf(x)] = np.inf
    return result


def digamma_kernel(x: Any) -> Any:
    """The derivative of log gamma: recurrence up to 10, then the asymptotic series (Abramowitz and Stegun 6.3.18)."""
    pole = (x <= 0) & (np.floor(x) == x)
    reflected = x < 0
    y = np.where(reflected, 1 - x, x)
    y = np.where(pole | ~np.isfinite(x), 1.0, y)
    total = np.zeros_like(y)
    for _ in range(10):
        low = y < 10
        total = np.where(low, total - 1 / y, total)
        y = np.where(low, y + 1, y)
    s = 1 / (y * y)
    series = polynomial(s, (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12))
    result = total + np.log(y) - 0.5 / y - s * series
    n = np.where(reflected & ~pole & np.isfinite(x), x, 0.25)
    result = np.where(reflected, result - pi / np.tan(pi * (n - np.floor(n))), result)
    result = np.where(x == np.inf, np.inf, result)
    return np.where(pole | np.isnan(x) | (x == -np.inf), np.nan, result)


_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)


def zeta_kernel(x: Any, q: Any) -> Any:
    """The Hurwitz zeta function ``sum((q + n) ** -x)`` for x > 1, by the Euler-Maclaurin formula."""
    terms = 12
    valid = (x > 1) & ((q > 0) | ((np.floor(q) != q) & (np.floor(x) == x)))
    s = np.where(valid, x, 2.0)
    base = np.where(valid, q, 1.0)
    # Terms up to a positive start, one by one.
    total = np.zeros_like(s)
    start = base.copy()
    while True:
        low = start < terms
        if not low.any():
            break
        total = np.where(low, total + np.power(np.where(low, start, 1.0), -s), total)
        start = np.where(low, start + 1, start)
    total = total + np.power(start, 1 - s) / (s - 1) + 0.5 * np.power(start, -s)
    factor = s / start * np.power(start, -s)
    for k, b in enumerate(_BERNOULLI, 1):
        total = total + b / _factorial(2 * k) * factor
        factor = factor * (s + 2 * k - 1) * (s + 2 * k) / (start * start)
    result = np.where(valid, total, np.nan)
    pole = (x > 1) & (q <= 0) & (np.floor(q) == q) & (x % 2 == 0)
    return np.where((x == 1) | pole, np.inf, result)


def _factorial(n: int) -> float:
    result = 1.0
    for i in range(2, n + 1):
        result *= i
    return result


def polygamma_kernel(a: Any, x: Any) -> Any:
    """The derivatives of digamma: ``(-1)**(a + 1) * a! * zeta(a + 1, x)`` (Abramowitz and Stegun 6.4.10)."""
    whole = (np.floor(a) == a) & (a >= 0)
    n = np.where(whole, a, 1.0)
    sign = np.where(n % 2 == 1, 1.0, -1.0)
    result = sign * np.exp(lgamma_kernel(n + 1)) * zeta_kernel(n + 1, x)
    return np.where(whole, np.where(a == 0, digamma_kernel(x), result), np.nan)


# --------------------------------------------------------------------------------------------------------- public part


def _lgamma_grad(op: Any, dy: Any) -> Any:
    with after(dy):
        slope = digamma(op.inputs[0])
    return dy * slope


def _times_exp(dy: Any, scale: float, power: Callable[[], Any]) -> Any:
    """``dy`` times a constant, times e to a power, which waits for ``dy``."""
    from graphlab.ops import unary

    scaled = dy * constant(scale, dy.dtype)
    with after(dy):
        factor = unary.exp(power())
    return scaled * factor


def _gauss_grad(scale: float) -> Callable[[Any, Any], Any]:
    def gradient(op: Any, dy: Any) -> Any:
        from graphlab.ops import math, unary

        return _times_exp(dy, scale, lambda: math.negative(unary.square(op.inputs[0])))

    return gradient


def _erfinv_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops import unary

    return _times_exp(dy, float(np.sqrt(pi) / 2), lambda: unary.square(op.outputs[0]))


def _ndtri_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops import unary

    return _times_exp(dy, float(np.sqrt(2 * pi)), lambda: unary.square(op.outputs[0]) / 2)


def _digamma_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.casting import cast

    x = op.inputs[0]
    with after(dy):
        wide = x if x.dtype in _DOUBLE else cast(x, dtypes.float32)
        slope = polygamma(constant(1, wide.dtype), wide)
        if wide is not x:
            slope = cast(slope, x.dtype)
    return dy * slope


def _polygamma_grad(op: Any, dy: Any) -> list[Any]:
    a, x = op.inputs
    return reduced_products(op, dy, None, lambda: polygamma(a + 1, x))


def _zeta_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import math

    x, q = op.inputs
    return reduced_products(op, dy, None, lambda: math.negative(x) * zeta(x + 1, q))


ERF = define("Erf", "x: T -> y: T", kernel=in_double(erf_kernel), infer=inference.unchanged,
             gradient=_gauss_grad(2 / float(np.sqrt(pi))), types={"T": FLOAT})  # fmt: skip
ERFC = define("Erfc", "x: T -> y: T", kernel=in_double(erfc_kernel), infer=inference.unchanged,
              gradient=_gauss_grad(-2 / float(np.sqrt(pi))), types={"T": FLOAT})  # fmt: skip
ERFINV = define("Erfinv", "x: T -> y: T", kernel=in_double(erfinv_kernel), infer=inference.unchanged,
                gradient=_erfinv_grad, types={"T": FLOAT})  # fmt: skip
NDTRI = define("Ndtri", "x: T -> y: T", kernel=in_double(ndtri_kernel), infer=inference.unchanged,
               gradient=_ndtri_grad, types={"T": FLOAT})  # fmt: skip
LGAMMA = define("Lgamma", "x: T -> y: T", kernel=in_double(lgamma_kernel), infer=inference.unchanged,
                gradient=_lgamma_grad, types={"T": FLOAT})  # fmt: skip
DIGAMMA = define("Digamma", "x: T -> y: T", kernel=in_double(digamma_kernel), infer=inference.unchanged,
                 gradient=_digamma_grad, types={"T": FLOAT})  # fmt: skip
POLYGAMMA = define("Polygamma", "a: T, x: T -> z: T", kernel=in_double(polygamma_kernel),
                   infer=inference.broadcast_all, gradient=_polygamma_grad, types={"T": _DOUBLE})  # fmt: skip
ZETA = define("Zeta", "x: T, q: T -> z: T", kernel=in_double(zeta_kernel), infer=inference.broadcast_all,
              gradient=_zeta_grad, types={"T": _DOUBLE})  # fmt: skip


@public("math.erf")
def erf(x: Any, name: str | None = None) -> Any:
    """Returns the error function, ``2 / sqrt(π)`` times the integral of ``exp(-t**2)`` from 0 to x.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    Computed by the rational approximations of fdlibm (Sun Microsystems 1993).

    >>> import graphlab as tf
    >>> tf.math.erf([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.8427], dtype=float32)
    """
    return bind(ERF, (x,), None, name)


@public("math.erfc")
def erfc(x: Any, name: str | None = None) -> Any:
    """Returns ``1 - erf(x)``, accurate for large x.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    Computed by the rational approximations of fdlibm (Sun Microsystems 1993).

    >>> import graphlab as tf
    >>> tf.math.erfc([0.0, 5.0]).numpy().round(4)
    array([1., 0.], dtype=float32)
    """
    return bind(ERFC, (x,), None, name)


@public("math.erfinv")
def erfinv(x: Any, name: str | None = None) -> Any:
    """Returns the inverse of the error function; infinite at -1 and 1, NaN outside.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the nodes' scope.

    Computed by the algorithm AS 241 (Wichura 1988).

    >>> import graphlab as tf
    >>> tf.math.erfinv([0.0, 0.5, 1.0]).numpy().round(4)
    array([0.    , 0.4769,    inf], dtype=float32)
    """
    with name_scope(name, "erfinv"):
        return bind(ERFINV, (x,))


@public("math.ndtri")
def ndtri(x: Any, name: str | None = None) -> Any:
    """Returns the quantiles of the standard normal distribution.

    Args:
      x: a tensor of a floating-point dtype: probabilities.
      name: a name for the nodes' scope.

    Computed by the algorithm AS 241 (Wichura 1988).

    >>> import graphlab as tf
    >>> tf.math.ndtri([0.5, 0.975]).numpy().round(4)
    array([0.  , 1.96], dtype=float32)
    """
    with name_scope(name, "ndtri"):
        return bind(NDTRI, (x,))


@public("math.erfcinv")
def erfcinv(x: Any, name: str | None = None) -> Any:
    """Returns the inverse of ``erfc``: ``-ndtri(x / 2) / sqrt(2)``.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.math.erfcinv([1.0, 0.5]).numpy().round(4)
    array([-0.    ,  0.4769], dtype=float32)
    """
    from graphlab.ops import math

    with name_scope(name, "erfcinv"):
        x = convert_to_tensor(x, name="start")
        return math.negative(ndtri(0.5 * x)) * float(np.sqrt(0.5))


@public("math.lgamma")
def lgamma(x: Any, name: str | None = None) -> Any:
    """Returns ``log(abs(gamma(x)))``.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    Computed by the Lanczos approximation (with the coefficients of Boost), and by series near 1 and 2.

    >>> import graphlab as tf
    >>> tf.math.lgamma([0.5, 1.0, 5.0]).numpy().round(4)
    array([0.5724, 0.    , 3.1781], dtype=float32)
    """
    return bind(LGAMMA, (x,), None, name)


@public("math.digamma")
def digamma(x: Any, name: str | None = None) -> Any:
    """Returns the derivative of ``lgamma``; NaN at 0 and the negative integers.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    Computed by recurrence and the asymptotic series (Abramowitz and Stegun 6.3).

    >>> import graphlab as tf
    >>> tf.math.digamma([1.0, 10.0]).numpy().round(4)
    array([-0.5772,  2.2518], dtype=float32)
    """
    return bind(DIGAMMA, (x,), None, name)


@public("math.polygamma")
def polygamma(a: Any, x: Any, name: str | None = None) -> Any:
    """Returns the derivative of order ``a`` of ``digamma`` at x; NaN if ``a`` is no integer from 0 on.

    Args:
      a: a tensor of float32 or float64.
      x: a tensor of the dtype of ``a``.
      name: a name for the node.

    Computed from the Hurwitz zeta function (Abramowitz and Stegun 6.4.10).

    >>> import graphlab as tf
    >>> tf.math.polygamma(1.0, [1.0, 2.0]).numpy().round(4)
    array([1.6449, 0.6449], dtype=float32)
    """
    return bind(POLYGAMMA, (a, x), None, name)


@public("math.zeta")
def zeta(x: Any, q: Any, name: str | None = None) -> Any:
    """Returns the Hurwitz zeta function, the sum of ``(q + n) ** -x`` over n from 0 on.

    Args:
      x: a tensor of float32 or float64, above 1.
      q: a tensor of the dtype of ``x``.
      name: a name for the node.

    Computed by the Euler-Maclaurin formula.

    >>> import graphlab as tf
    >>> tf.math.zeta(2.0, [1.0, 2.0]).numpy().round(4)
    array([1.6449, 0.6449], dtype=float32)
    """
    return bind(ZETA, (x, q), None, name)


@public("math.lbeta")
def lbeta(x: Any, name: str | None = None) -> Any:
    """Returns the logarithm of the absolute value of the multivariate beta function along the last axis.

    Args:
      x: a tensor of a floating-point dtype and rank 1 or more.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.math.lbeta([1.0, 1.0]).numpy()
    np.float32(0.0)
    """
    from graphlab.ops import reduction

    with name_scope(name, "lbeta"):
        x = convert_to_tensor(x, name="x")
        return reduction.reduce_sum(lgamma(x), axis=[-1]) - lgamma(reduction.reduce_sum(x, axis=[-1]))
