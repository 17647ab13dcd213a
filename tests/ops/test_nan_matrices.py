"""Matrices with NaN and infinity in them: which are refused, and what the others give, as in TensorFlow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphlab as tf

BOTH = pytest.mark.parametrize("how", [lambda f: f, tf.function], ids=["eager", "traced"])
SIDE = 4
PLACES = [(0, 0), (1, 0), (3, 0), (0, 1), (2, 2), (3, 3), (0, 3)]


def with_nan(place: tuple[int, int], value: float = np.nan) -> Any:
    """Two matrices, of which the second has a NaN."""
    matrices = np.random.default_rng(1).normal(size=(2, SIDE, SIDE))
    matrices[1][place] = value
    return tf.constant(matrices)


@BOTH
@pytest.mark.parametrize("place", PLACES, ids=str)
@pytest.mark.parametrize("name", ["inv", "solve"])
def test_elimination_spreads_a_nan_unless_it_is_the_first_pivot(name: str, place: tuple[int, int], how: Any) -> None:
    function = {"inv": tf.linalg.inv, "solve": lambda x: tf.linalg.solve(x, tf.ones([2, SIDE, 1], tf.float64))}[name]
    x = with_nan(place)
    if place == (0, 0):
        with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
            how(function)(x)
        return
    result = how(function)(x).numpy()
    assert np.isfinite(result[0]).all()
    assert np.isnan(result[1]).all()


@BOTH
def test_the_factors_of_a_matrix_without_a_first_pivot(how: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        how(lambda x: tf.linalg.lu(x).lu)(with_nan((0, 0)))
    assert np.isfinite(how(lambda x: tf.linalg.lu(x).lu)(with_nan((0, 1)))[0]).all()


@BOTH
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_eigenvalues_look_at_the_lower_triangle(place: tuple[int, int], how: Any) -> None:
    x = with_nan(place)
    if place[0] >= place[1]:
        with pytest.raises(tf.errors.InvalidArgumentError):
            how(tf.linalg.eigvalsh)(x)
    else:
        assert np.isfinite(how(tf.linalg.eigvalsh)(x)).all()


@BOTH
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", PLACES[:4], ids=str)
def test_singular_values_of_what_is_not_finite_are_nan(place: tuple[int, int], value: float, how: Any) -> None:
    x = with_nan(place, value)
    for part in how(lambda x: tf.linalg.svd(x))(x):
        assert np.isfinite(part[0]).all()
        assert np.isnan(part[1]).all()
    assert np.isnan(how(lambda x: tf.linalg.svd(x, compute_uv=False))(x)[1]).all()
    assert how(tf.linalg.matrix_rank)(x).numpy().tolist() == [SIDE, 0]
    assert np.isnan(how(tf.linalg.pinv)(x)[1]).all()


@BOTH
@pytest.mark.parametrize("value", [np.nan, complex(0, np.nan), np.inf], ids=str)
def test_complex_matrices_that_are_not_finite_have_no_singular_values(value: complex, how: Any) -> None:
    x = tf.constant([[[1, 2], [3, value]], [[1, 2], [3, 4]]], tf.complex128)
    for part in how(lambda x: tf.linalg.svd(x))(x):
        assert np.isnan(part[0]).all()
        assert np.isfinite(part[1]).all()


@BOTH
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_determinant_of_nan_has_no_sign(place: tuple[int, int], how: Any) -> None:
    sign, log = how(lambda x: tuple(tf.linalg.slogdet(x)))(with_nan(place))
    assert abs(sign.numpy()[0]) == 1
    assert np.isnan([sign[1], log[1]]).all()


@pytest.mark.parametrize("shape", [[0], [0, 3], [0, 2, 3]], ids=str)
def test_a_determinant_is_of_square_matrices_also_of_none(shape: list[int]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.linalg.det(tf.zeros(shape))
