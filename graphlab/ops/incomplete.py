"""The incomplete gamma and beta functions.

Kernels compute in float64 by series and continued fractions (Press et al., "Numerical Recipes", 6.2 and 6.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dispatch import bind
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import FLOAT, Arg, define
from graphlab.ops import inference
from graphlab.ops.broadcasting import reduced_products
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.special import digamma_kernel, in_double, lgamma_kernel

_EPSILON = 1e-17
_STEPS = 20000
_DOUBLE = frozenset((dtypes.float32, dtypes.float64))

# ------------------------------------------------------------------------------------------------------------- kernels


def _prefactor(a: Any, x: Any) -> Any:
    return np.exp(a * np.log(x) - x - lgamma_kernel(a))


def _series(a: Any, x: Any) -> tuple[Any, Any]:
    """``sum(x**n / (a (a+1) ... (a+n)))`` and its derivative by a."""
    term = 1 / a
    slope = -term / a
    total, derivative = term.copy(), slope.copy()
    n = a.copy()
    for _ in range(_STEPS):
        n += 1
        slope = slope * x / n - term * x / (n * n)
        term = term * x / n
        total += term
        derivative += slope
        if (np.abs(term) <= np.abs(total) * _EPSILON).all() and (
            np.abs(slope) <= np.abs(derivative) * _EPSILON + 1e-300
        ).all():
            break
    return total, derivative


def _fraction(a: Any, x: Any) -> Any:
    """The continued fraction of the upper function, by Lentz's method."""
    tiny = 1e-300
    b = x + 1 - a
    c = np.full_like(x, 1 / tiny)
    d = 1 / np.where(b == 0, tiny, b)
    h = d.copy()
    for i in range(1, _STEPS):
        n = -i * (i - a)
        b = b + 2
        d = n * d + b
        d = 1 / np.where(np.abs(d) < tiny, tiny, d)
        c = b + n / c
        c = np.where(np.abs(c) < tiny, tiny, c)
        step = d * c
        h = h * step
        if (np.abs(step - 1) < 1e-16).all():
            break
    return h


def _valid(a: Any, x: Any) -> Any:
    return (a > 0) & (x >= 0)


def _lower(a: Any, x: Any) -> tuple[Any, Any]:
    """The lower and the upper regularized function."""
    valid = _valid(a, x) & np.isfinite(a) & np.isfinite(x) & (x > 0)
    low, high = np.full_like(a, np.nan), np.full_like(a, np.nan)
    small = valid & (x < a + 1)
    low[small] = _prefactor(a[small], x[small]) * _series(a[small], x[small])[0]
    high[small] = 1 - low[small]
    large = valid & ~small
    high[large] = _prefactor(a[large], x[large]) * _fraction(a[large], x[large])
    low[large] = 1 - high[large]
    high[_valid(a, x) & (x == 0)] = 1
    low[x == 0] = 0
    end = _valid(a, x) & np.isinf(x) & np.isfinite(a)
    low[end], high[end] = 1, 0
    return low, high


def igamma_kernel(a: Any, x: Any) -> Any:
    """The lower regularized incomplete gamma function."""
    return _lower(a, x)[0]


def igammac_kernel(a: Any, x: Any) -> Any:
    """The upper regularized incomplete gamma function."""
    return _lower(a, x)[1]


def _igamma_grad_a(a: Any, x: Any) -> Any:
    """The derivative of the lower function by a, from its series."""
    result = np.full_like(a, np.nan)
    valid = _valid(a, x) & np.isfinite(a) & np.isfinite(x) & (x > 0)
    beyond = valid & (x > 700 + 2 * a)  # the function is 1 in every digit
    result[beyond] = 0
    valid &= ~beyond
    n, y = a[valid], x[valid]
    total, derivative = _series(n, y)
    result[valid] = _prefactor(n, y) * (total * (np.log(y) - digamma_kernel(n)) + derivative)
    result[(x == 0) | (_valid(a, x) & np.isinf(x))] = 0
    return result


def _beta_fraction(a: Any, b: Any, x: Any) -> Any:
    tiny = 1e-300

    def safe(v: Any) -> Any:
        return np.where(np.abs(v) < tiny, tiny, v)

    c = np.ones_like(x)
    d = 1 / safe(1 - (a + b) * x / (a + 1))
    h = d.copy()
    for m in range(1, _STEPS):
        n = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / safe(1 + n * d), safe(1 + n / c)
        h = h * d * c
        n = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / safe(1 + n * d), safe(1 + n / c)
        step = d * c
        h = h * step
        if (np.abs(step - 1) < 1e-16).all():
            break
    return h


def betainc_kernel(a: Any, b: Any, x: Any) -> Any:
    """The regularized incomplete beta function."""
    result = np.full_like(x, np.nan)
    inside = (a > 0) & (b > 0) & (x > 0) & (x < 1) & np.isfinite(a) & np.isfinite(b)
    p, q, y = a[inside], b[inside], x[inside]
    front = np.exp(lgamma_kernel(p + q) - lgamma_kernel(p) - lgamma_kernel(q) + p * np.log(y) + q * np.log1p(-y))
    direct = y < (p + 1) / (p + q + 2)
    one, other = np.where(direct, p, q), np.where(direct, q, p)
    value = front * _beta_fraction(one, other, np.where(direct, y, 1 - y)) / one
    result[inside] = np.where(direct, value, 1 - value)
    proper = (a > 0) & (b > 0)
    result[proper & (x == 0)], result[proper & (x == 1)] = 0, 1
    return result


def _betainc(a: Any, b: Any, x: Any) -> Any:
    if len({value.shape for value in (a, b, x) if value.ndim}) > 1:
        message = (
            f"a, b and x must have one shape, or be scalars, not {list(a.shape)}, {list(b.shape)}, {list(x.shape)}."
        )
        raise InvalidArgumentError(None, None, message)
    return _betainc_in_double(a, b, x)


_betainc_in_double = in_double(betainc_kernel)


def _betainc_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    found: Shape = ()
    for arg in args:
        if arg.shape is None:
            found = None if found == () else found
        elif arg.shape != ():
            found = arg.shape if found == () else inference.merge(found, arg.shape)
    return found


# ----------------------------------------------------------------------------------------------------------- gradients


def _density(a: Any, x: Any) -> Any:
    """The derivative of the lower function by x."""
    from graphlab.ops import special, unary

    return unary.exp(-x + (a - 1) * unary.log(x) - special.lgamma(a))


def _igamma_grad(op: Any, dy: Any) -> list[Any]:
    a, x = op.inputs
    return reduced_products(op, dy, lambda: bind(IGAMMA_GRAD_A, (a, x)), lambda: _density(a, x))


def _igammac_grad(op: Any, dy: Any) -> list[Any]:
    return [None if g is None else -g for g in _igamma_grad(op, dy)]


def _betainc_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import math, special, unary

    a, b, x = op.inputs
    log_beta = special.lgamma(a) + special.lgamma(b) - special.lgamma(a + b)
    density = unary.exp(math.xlog1py(b - 1, -x) + math.xlogy(a - 1, x) - log_beta)
    # As in TensorFlow there is no gradient by a and b.
    return [None, None, dy * density]


IGAMMA = define("Igamma", "a: T, x: T -> z: T", kernel=in_double(igamma_kernel), infer=inference.broadcast_all,
                gradient=_igamma_grad, types={"T": FLOAT})  # fmt: skip
IGAMMAC = define("Igammac", "a: T, x: T -> z: T", kernel=in_double(igammac_kernel), infer=inference.broadcast_all,
                 gradient=_igammac_grad, types={"T": FLOAT})  # fmt: skip
IGAMMA_GRAD_A = define("IgammaGradA", "a: T, x: T -> z: T", kernel=in_double(_igamma_grad_a),
                       infer=inference.broadcast_all, types={"T": _DOUBLE})  # fmt: skip
BETAINC = define("Betainc", "a: T, b: T, x: T -> z: T", kernel=_betainc,
                 infer=_betainc_shape, gradient=_betainc_grad, types={"T": _DOUBLE}, can_fail=True)  # fmt: skip


@public("math.igamma")
def igamma(a: Any, x: Any, name: str | None = None) -> Any:
    """Returns the lower regularized incomplete gamma function.

    It is the integral of ``t**(a-1) exp(-t)`` from 0 to x, divided by gamma(a).

    Args:
      a: a tensor of a floating-point dtype, above 0.
      x: a tensor of the dtype of ``a``, from 0 on, which broadcasts with it.
      name: a name for the node.

    Computed by series and continued fraction (Press et al., "Numerical Recipes", 6.2).

    >>> import graphlab as tf
    >>> tf.math.igamma(1.0, [1.0, 2.0]).numpy().round(4)
    array([0.6321, 0.8647], dtype=float32)
    """
    return bind(IGAMMA, (a, x), None, name)


@public("math.igammac")
def igammac(a: Any, x: Any, name: str | None = None) -> Any:
    """Returns the upper regularized incomplete gamma function, ``1 - igamma(a, x)``, accurate for large x.

    Args:
      a: a tensor of a floating-point dtype, above 0.
      x: a tensor of the dtype of ``a``, from 0 on, which broadcasts with it.
      name: a name for the node.

    Computed by series and continued fraction (Press et al., "Numerical Recipes", 6.2).

    >>> import graphlab as tf
    >>> tf.math.igammac(1.0, [1.0, 2.0]).numpy().round(4)
    array([0.3679, 0.1353], dtype=float32)
    """
    return bind(IGAMMAC, (a, x), None, name)


@public("math.betainc")
def betainc(a: Any, b: Any, x: Any, name: str | None = None) -> Any:
    """Returns the regularized incomplete beta function.

    It is the integral of ``t**(a-1) (1-t)**(b-1)`` from 0 to x, divided by beta(a, b).

    Args:
      a: a tensor of float32 or float64, above 0.
      b: a tensor of the dtype of ``a``, above 0.
      x: a tensor of the dtype of ``a``, in [0, 1].
      name: a name for the nodes' scope.

    Computed by a continued fraction (Press et al., "Numerical Recipes", 6.4).

    >>> import graphlab as tf
    >>> tf.math.betainc(2.0, 2.0, [0.0, 0.5, 1.0]).numpy().round(4)
    array([0. , 0.5, 1. ], dtype=float32)
    """
    return bind(BETAINC, (a, b, x), None, name)
