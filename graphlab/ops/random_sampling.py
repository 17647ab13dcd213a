"""Samplers for distributions with parameters: gamma, Poisson, binomial, categorical.

Each result has 256 blocks of the generator for itself, so results do not depend on each other.  The algorithms are
Marsaglia and Tsang's for gamma (ACM TOMS 26, 2000), Knuth's and Hörmann's PTRS for Poisson (Insurance: Mathematics and
Economics 12, 1993), geometric sums and Hörmann's BTRS for binomial (J. Stat. Comput. Simul. 46, 1993); the order in
which they use random words is TensorFlow's.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, cos, exp, floor, inf, isfinite, isinf, lgamma, log, log1p, nan, pi, sin, sqrt
from typing import Any

import numpy as np

from graphlab.ops.philox import RESERVED, Words, block

_128 = (1 << 128) - 1


class _Doubles:
    """Uniform (and normal) float64 numbers from whole blocks, two from each, the second first."""

    __slots__ = ("_counter", "_key", "_normal", "_uniform")

    def __init__(self, key: int, counter: int) -> None:
        self._key, self._counter = key, counter
        self._uniform: list[float] = []
        self._normal: list[float] = []

    def _block(self) -> tuple[int, int, int, int]:
        words = block(self._key, self._counter & _128)
        self._counter += 1
        return words

    def uniform(self) -> float:
        """A number in [0, 1)."""
        if not self._uniform:
            a, b, c, d = self._block()
            self._uniform = [((a & 0xFFFFF) << 32 | b) * 2.0**-52, ((c & 0xFFFFF) << 32 | d) * 2.0**-52]
        return self._uniform.pop()

    def normal(self) -> float:
        """A number of the standard normal distribution."""
        if not self._normal:
            a, b, c, d = self._block()
            radius = max(((a & 0xFFFFF) << 32 | b) * 2.0**-52, 1.0e-7)
            radius = sqrt(-2.0 * log(radius))
            angle = 2 * pi * (((c & 0xFFFFF) << 32 | d) * 2.0**-52)
            self._normal = [sin(angle) * radius, cos(angle) * radius]
        return self._normal.pop()


def each(
    key: int,
    counter: int,
    samples: int,
    parameters: list[Any],
    draw: Callable[[Any, _Doubles], float],
    reserved: Callable[[Any], int] | None = None,
) -> list[float]:
    """``samples`` results per parameter, those of one parameter together.

    ``reserved`` gives the blocks that lie between two results of a parameter when it is not always RESERVED.
    """
    results = []
    index = 0
    for parameter in parameters:
        blocks = RESERVED if reserved is None else reserved(parameter)
        for _ in range(samples):
            results.append(draw(parameter, _Doubles(key, counter + blocks * index)))
            index += 1
    return results


def arranged(flat: list[float], samples: tuple[int, ...], parameters: tuple[int, ...], dtype: Any) -> Any:
    """Results of ``each`` with the shape ``samples + parameters``."""
    number = 1
    for size in parameters:
        number *= size
    array = np.array(flat, np.float64).reshape(number, -1) if flat else np.empty((number, 0))
    return np.ascontiguousarray(array.T).reshape(samples + parameters).astype(dtype)


def gamma(alpha: float, numbers: _Doubles) -> float:
    """One number of the gamma distribution with shape ``alpha`` and rate 1."""
    if alpha == 1.0:
        return -log1p(-numbers.uniform())
    small = alpha < 1
    d = alpha + (2.0 / 3 if small else -1.0 / 3)
    if not d > 0:
        return nan
    c = 1.0 / 3 / sqrt(d)
    while True:
        x = numbers.normal()
        v = 1 + c * x
        if v <= 0:
            continue
        v = v * v * v
        u = numbers.uniform()
        if u < 1 - 0.0331 * (x * x) * (x * x) or (u > 0 and log(u) < 0.5 * x * x + d * (1 - v + log(v))):
            result = d * v
            return result * numbers.uniform() ** (1 / alpha if alpha else inf) if small else result


def poisson(rate: float, numbers: _Doubles) -> float:
    """One number of the Poisson distribution."""
    if not rate >= 0:
        return nan
    if isinf(rate):
        return inf
    if rate < 10:
        limit, product, count = exp(-rate), 1.0, 0.0
        while True:
            product *= numbers.uniform()
            if product <= limit:
                return count
            count += 1
    log_rate = log(rate)
    b = 0.931 + 2.53 * sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    while True:
        u = numbers.uniform() - 0.5
        v = numbers.uniform()
        near = 0.5 - abs(u)
        k = floor((2 * a / near + b) * u + rate + 0.43) if near else -1
        if near >= 0.07 and v <= 0.9277 - 3.6224 / (b - 2):
            return float(k)
        if k < 0 or (near < 0.013 and v > near):
            continue
        s = log(v * inverse_alpha / (a / (near * near) + b)) if v else -inf
        if s <= -rate + k * log_rate - lgamma(k + 1):
            return float(k)


_TAIL = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
)  # fmt: skip


def _stirling_tail(k: float) -> float:
    if k <= 9:
        return _TAIL[int(k)]
    square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)


def _binomial_inversion(count: float, prob: float, numbers: _Doubles) -> float:
    total, number = 0.0, 0
    while True:
        u = numbers.uniform()
        total += ceil(log(u) / log1p(-prob)) if u else inf
        if total > count:
            return number
        number += 1


def _binomial_rejection(count: float, prob: float, numbers: _Doubles) -> float:
    deviation = sqrt(count * prob * (1 - prob))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    c = count * prob + 0.5
    inside = 0.92 - 4.2 / b
    ratio = prob / (1 - prob)
    alpha = (2.83 + 5.1 / b) * deviation
    m = floor((count + 1) * prob)
    while True:
        u = numbers.uniform() - 0.5
        v = numbers.uniform()
        near = 0.5 - abs(u)
        k = floor((2 * a / near + b) * u + c) if near else -1
        if near >= 0.07 and v <= inside:
            return k
        if k < 0 or k > count:
            continue
        s = log(v * alpha / (a / (near * near) + b)) if v else -inf
        bound = (
            (m + 0.5) * log((m + 1) / (ratio * (count - m + 1)))
            + (count + 1) * log((count - m + 1) / (count - k + 1))
            + (k + 0.5) * log(ratio * (count - k + 1) / (k + 1))
            + _stirling_tail(m)
            + _stirling_tail(count - m)
            - _stirling_tail(k)
            - _stirling_tail(count - k)
        )
        if s <= bound:
            return k


def _by_rejection(count: float, prob: float) -> bool:
    return count * min(prob, 1 - prob) >= 10


def binomial_reserved(parameters: tuple[float, float]) -> int:
    """The blocks between two results: geometric sums need few numbers."""
    return RESERVED if _by_rejection(*parameters) else 42


def binomial(parameters: tuple[float, float], numbers: _Doubles) -> float:
    """One number of the binomial distribution: successes among ``count`` trials of probability ``prob``."""
    count, prob = parameters
    if not (isfinite(count) and isfinite(prob)):
        return nan
    if count <= 0 or prob <= 0:
        return 0
    if prob >= 1:
        return count
    flipped = prob > 0.5
    p = 1 - prob if flipped else prob
    draw = _binomial_rejection if _by_rejection(count, prob) else _binomial_inversion
    found = draw(count, p, numbers)
    return count - found if flipped else found


def categorical(logits: Any, samples: int, key: int, counter: int, dtype: Any) -> Any:
    """``samples`` classes for each row of (unnormalised) log-probabilities."""
    words = Words(key, counter)
    result = np.empty((len(logits), samples), dtype)
    for row, values in enumerate(logits.astype(np.float64)):
        finite = np.isfinite(values)
        largest = values[finite].max() if finite.any() else -inf
        weights = np.where(finite, np.exp(np.where(finite, values, largest) - largest), 0.0)
        cumulative = np.cumsum(weights)
        total = cumulative[-1] if len(cumulative) else 0.0
        drawn = np.array([words.double() for _ in range(samples)], np.float64) * total
        result[row] = np.searchsorted(cumulative, drawn, side="right")
    return result
