"""Points of the Sobol sequence: what holds for all of them, and where TensorFlow's are wrong."""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_points_begin_anywhere(dtype: str) -> None:
    whole = tf.math.sobol_sample(40, 300, dtype=dtype).numpy()
    for skip, count in ((0, 1), (1, 2), (6, 3), (7, 200), (255, 45)):
        np.testing.assert_array_equal(tf.math.sobol_sample(40, count, skip, dtype).numpy(), whole[skip : skip + count])


def test_each_coordinate_visits_each_part_once() -> None:
    points = tf.math.sobol_sample(2000, 255, dtype=tf.float64).numpy()
    parts = np.sort((points * 256).astype(int), axis=0)
    np.testing.assert_array_equal(parts, np.broadcast_to(np.arange(1, 256)[:, None], parts.shape))


def test_two_coordinates_fill_the_square() -> None:
    """Each rectangle of a 256th of the square has one of 256 points, whatever its form."""
    points = np.concatenate([np.zeros((1, 2)), tf.math.sobol_sample(2, 255, dtype=tf.float64).numpy()])
    for width in range(9):
        across, up = 2**width, 2 ** (8 - width)
        cells = (points[:, 0] * across).astype(int) * up + (points[:, 1] * up).astype(int)
        assert sorted(cells.tolist()) == list(range(256))


def test_points_beyond_2_to_the_30_are_in_the_cube() -> None:
    points = tf.math.sobol_sample(3, 4, skip=2**30 - 3, dtype=tf.float64).numpy()
    assert points.min() > 0
    assert points.max() < 1
    # Numbers 2 ** 30 and 2 ** 30 - 1 differ in the finest direction alone, which has 31 digits.
    assert np.ldexp(np.abs(points[2, 0] - points[1, 0]), 31) == 1


def test_dtypes_that_are_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="float32 or float64"):
        tf.math.sobol_sample(2, 2, dtype=tf.float16)
    with pytest.raises(TypeError, match="float32 or float64"):
        tf.function(lambda: tf.math.sobol_sample(2, 2, dtype=tf.float16))()
