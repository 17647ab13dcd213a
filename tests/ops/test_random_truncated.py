"""Normal numbers between bounds: how they are distributed, and how they move with their parameters."""

from __future__ import annotations

from math import erf, exp, inf, pi, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import graphlab as tf

SEED = [3, 4]
RECORDED = [-0.04215359687805176, -0.6709654331207275, -0.39973902702331543]
draw = tf.random.stateless_parameterized_truncated_normal
PARAMETERS = {
    "room": (0.5, 2.0, -4.0, 3.5),
    "narrow": (0.0, 1.0, -1.0, 1.0),
    "tail": (0.0, 1.0, 2.0, 6.0),
    "left tail": (1.0, 0.5, -1.5, 0.0),
    "one bound": (0.0, 1.5, -inf, 1.0),
    "other bound": (2.0, 1.0, 1.0, inf),
}
parameters = pytest.mark.parametrize("given", PARAMETERS.values(), ids=PARAMETERS)


def below(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


def density(x: float) -> float:
    return exp(-x * x / 2) / sqrt(2 * pi)


def float64(values: Any) -> list[Any]:
    return [tf.constant(value, tf.float64) for value in values]


@parameters
def test_mean_and_bounds(given: tuple[float, ...]) -> None:
    mean, deviation, least, most = given
    x = draw([40_000], SEED, *float64(given)).numpy()
    assert x.min() >= least
    assert x.max() <= most
    low, high = (least - mean) / deviation, (most - mean) / deviation
    expected = mean + deviation * (density(low) - density(high)) / (below(high) - below(low))
    assert abs(x.mean() - expected) < 5 * x.std() / sqrt(len(x))


def quantile(share: float, values: Any) -> float:
    """The number below which that share of the truncated distribution is."""
    mean, deviation, least, most = values
    low, high = below((least - mean) / deviation), below((most - mean) / deviation)
    return mean + deviation * NormalDist().inv_cdf(low + share * (high - low))


@parameters
@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_gradients_follow_the_quantiles(given: tuple[float, ...], traced: bool) -> None:
    values = float64(given)

    def slopes(*values: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(values)
            x = draw([], SEED, *values)
        return x, tape.gradient(x, values)

    x, found = (tf.function(slopes) if traced else slopes)(*values)
    mean, deviation, least, most = given
    low, high = below((least - mean) / deviation), below((most - mean) / deviation)
    share = (below((float(x) - mean) / deviation) - low) / (high - low)
    step = 1e-5
    for place, slope in enumerate(found):
        if abs(given[place]) == inf:
            assert float(slope) == 0
            continue
        moved = [[v + sign * step * (i == place) for i, v in enumerate(given)] for sign in (1, -1)]
        expected = (quantile(share, moved[0]) - quantile(share, moved[1])) / (2 * step)
        np.testing.assert_allclose(float(slope), expected, rtol=1e-4, atol=1e-6)


def test_second_gradients_follow_the_quantiles() -> None:
    given = PARAMETERS["narrow"]
    mean, *rest = float64(given)
    with tf.GradientTape() as outer:
        outer.watch(mean)
        with tf.GradientTape() as inner:
            inner.watch(mean)
            x = draw([], SEED, mean, *rest)
        first = inner.gradient(x, mean)
    share = (below(float(x)) - below(-1)) / (below(1) - below(-1))
    step = 1e-4
    at = [quantile(share, (by * step, *given[1:])) for by in (-1, 0, 1)]
    np.testing.assert_allclose(float(outer.gradient(first, mean)), (at[0] - 2 * at[1] + at[2]) / step**2, rtol=1e-4)


@pytest.mark.parametrize("known", [True, False])
def test_gradients_have_the_shapes_of_the_parameters(known: bool) -> None:
    def slopes(mean: Any, deviation: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([mean, deviation])
            total = tf.reduce_sum(draw([4, 2, 3], SEED, mean, deviation))
        return tape.gradient(total, [mean, deviation])

    given = (tf.zeros([2, 1]), tf.ones([3]))
    unknown = [tf.TensorSpec([None, None]), tf.TensorSpec([None])]
    found = tf.function(slopes, input_signature=None if known else unknown)(*given)
    assert [slope.shape for slope in found] == [[2, 1], [3]]
    for slope, expected in zip(found, slopes(*given), strict=True):
        np.testing.assert_allclose(slope, expected, rtol=1e-6)


def test_far_tails_have_gradients() -> None:
    with tf.GradientTape() as tape:
        least = tf.Variable(100.0)
        x = draw([5], SEED, minvals=least, maxvals=1000.0)
    np.testing.assert_allclose(float(tape.gradient(x, least)), 5, rtol=1e-2)


def test_large_results_are_those_of_one_thread() -> None:
    """A long result begins with a short one, wherever TensorFlow would begin with another thread's part."""
    long = draw([20_000], SEED, minvals=-1.0, maxvals=1.0).numpy()
    np.testing.assert_array_equal(long[:19_000], draw([19_000], SEED, minvals=-1.0, maxvals=1.0).numpy())
    # Recorded from TensorFlow with one thread.
    np.testing.assert_array_equal(long[-3:], np.float32(RECORDED))


def test_bounds_beyond_what_a_dtype_can_tell() -> None:
    with pytest.raises(tf.errors.InternalError, match="standard deviations from the mean"):
        draw([2], SEED, minvals=1e20, maxvals=2e20)
