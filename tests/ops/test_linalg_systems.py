"""Factored, tridiagonal and banded systems: against dense ones, gradients against differences, shapes, errors.

Values are compared with TensorFlow's in tests/oracle.
"""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf

L = tf.linalg
RNG = np.random.default_rng(11)
BAD = tf.errors.InvalidArgumentError


def numbers(*shape, dtype=np.float64):
    value = RNG.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        value = value + 1j * RNG.normal(size=shape)
    return value.astype(dtype)


def strong(*shape, dtype=np.float64):
    """Three diagonals of matrices that can well be inverted."""
    value = numbers(*shape[:-1], 3, shape[-1], dtype=dtype)
    value[..., 1, :] += 5
    return value


def dense(diagonals):
    n = diagonals.shape[-1]
    out = np.zeros((*diagonals.shape[:-2], n, n), diagonals.dtype)
    at = np.arange(n)
    out[..., at, at] = diagonals[..., 1, :]
    out[..., at[:-1], at[1:]] = diagonals[..., 0, :-1]
    out[..., at[1:], at[:-1]] = diagonals[..., 2, 1:]
    return out


def bands_of(bands, lower):
    k, n = bands.shape[-2:]
    out = np.zeros((*bands.shape[:-2], n, n), bands.dtype)
    for d in range(k):
        for row in range(n):
            column = row - d if lower else row + d
            if 0 <= column < n:
                out[..., row, column] = bands[..., d if lower else k - 1 - d, row]
    return out


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_tridiagonal_matrices_are_the_dense_ones(dtype, n):
    diagonals, rhs = strong(2, n, dtype=dtype), numbers(2, n, 3, dtype=dtype)
    matrix = dense(diagonals)
    np.testing.assert_allclose(L.tridiagonal_matmul(diagonals, rhs).numpy(), matrix @ rhs)
    for options in ({}, {"partial_pivoting": False}, {"perturb_singular": True}):
        found = L.tridiagonal_solve(tf.constant(diagonals), tf.constant(rhs), **options).numpy()
        np.testing.assert_allclose(found, np.linalg.solve(matrix, rhs), err_msg=str(options))


def test_exchanged_rows_in_one_matrix_of_a_batch_only():
    diagonals = strong(3, 6)
    diagonals[1, 1] *= 1e-9  # below the diagonal the numbers are larger
    rhs = numbers(3, 6, 2)
    np.testing.assert_allclose(L.tridiagonal_solve(diagonals, rhs).numpy(), np.linalg.solve(dense(diagonals), rhs))


def test_a_singular_matrix_leaves_the_others_of_its_batch_alone():
    diagonals, rhs = strong(2, 3), numbers(2, 3, 1)
    diagonals[0] = 0
    found = L.tridiagonal_solve(diagonals, rhs).numpy()
    assert np.isnan(found[0]).all()
    np.testing.assert_allclose(found[1], np.linalg.solve(dense(diagonals)[1], rhs[1]))
    perturbed = L.tridiagonal_solve(diagonals, rhs, perturb_singular=True).numpy()
    assert np.isfinite(perturbed).all()


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("adjoint", [True, False])
@pytest.mark.parametrize("k", [1, 2, 4])
def test_banded_matrices_are_the_dense_ones(dtype, lower, adjoint, k):
    bands, rhs = numbers(2, k, 4, dtype=dtype) + 3, numbers(4, 2, dtype=dtype)
    matrix = bands_of(bands, lower)
    matrix = np.conj(np.swapaxes(matrix, -1, -2)) if adjoint else matrix
    found = L.banded_triangular_solve(bands, rhs, lower=lower, adjoint=adjoint).numpy()
    np.testing.assert_allclose(found, np.linalg.solve(matrix, np.broadcast_to(rhs, (2, 4, 2))))


@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3), (2, 2, 4, 4)])
@pytest.mark.parametrize("traced", [False, True])
def test_factors_put_the_matrix_together(shape, traced):
    a, b = numbers(*shape), numbers(*shape[:-1], 2)

    def parts(a, b):
        lu, p = L.lu(a)
        return L.lu_reconstruct(lu, p), L.lu_matrix_inverse(lu, p), L.lu_solve(lu, p, b)

    signature = [tf.TensorSpec(None, tf.float64)] * 2
    matrix, inverse, solution = (tf.function(parts, input_signature=signature) if traced else parts)(a, b)
    np.testing.assert_allclose(matrix.numpy(), a)
    np.testing.assert_allclose(inverse.numpy(), np.linalg.inv(a))
    np.testing.assert_allclose(solution.numpy(), np.linalg.solve(a, b))


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_tridiagonal_eigenvectors(dtype):
    alpha, beta = numbers(5), numbers(4, dtype=dtype)
    values, vectors = (part.numpy() for part in L.eigh_tridiagonal(alpha.astype(dtype), beta, eigvals_only=False))
    matrix = np.diag(alpha.astype(dtype)) + np.diag(beta, 1) + np.diag(np.conj(beta), -1)
    np.testing.assert_allclose(matrix @ vectors, vectors * values, atol=1e-12)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix))


GRADIENTS = {
    "tridiagonal_matmul": (L.tridiagonal_matmul, lambda: [strong(2, 3), numbers(2, 3, 1)]),
    "tridiagonal_solve": (L.tridiagonal_solve, lambda: [strong(2, 3), numbers(2, 3, 1)]),
    "tridiagonal_solve of vectors": (L.tridiagonal_solve, lambda: [strong(2, 4), numbers(2, 4)]),
    "triangular_solve, broadcast": (L.triangular_solve, lambda: [numbers(3, 3) + 3 * np.eye(3), numbers(2, 3, 1)]),
    "triangular_solve, broadcast the other way": (
        L.triangular_solve,
        lambda: [numbers(2, 3, 3) + 3 * np.eye(3), numbers(3, 1)],
    ),
    "lower bands": (L.banded_triangular_solve, lambda: [numbers(2, 4) + 3, numbers(2, 4, 1)]),
    "upper bands": (
        lambda a, b: L.banded_triangular_solve(a, b, lower=False, adjoint=True),
        lambda: [numbers(2, 2, 4) + 3, numbers(4, 2)],
    ),
    "one band": (L.banded_triangular_solve, lambda: [numbers(1, 3) + 3, numbers(3, 1)]),
    "lu_solve": (
        lambda a, b: L.lu_solve(a, [[1, 0, 2], [2, 1, 0]], b),
        lambda: [numbers(2, 3, 3) + 3 * np.eye(3), numbers(3, 1)],
    ),
    "lu_matrix_inverse": (lambda a: L.lu_matrix_inverse(a, [1, 0, 2]), lambda: [numbers(3, 3) + 3 * np.eye(3)]),
    "lu_reconstruct": (lambda a: L.lu_reconstruct(a, [[1, 0, 2], [2, 1, 0]]), lambda: [numbers(2, 3, 3)]),
    "eigh_tridiagonal": (L.eigh_tridiagonal, lambda: [numbers(4), numbers(3)]),
    "eigenvectors": (
        lambda a, b: L.eigh_tridiagonal(a, b, eigvals_only=False)[1] ** 2,
        lambda: [numbers(3), numbers(2)],
    ),
}


@pytest.mark.parametrize("name", GRADIENTS)
@pytest.mark.parametrize("how", ["eager", "traced", "unknown sizes"])
def test_gradients_against_differences(name, how):
    f, make = GRADIENTS[name]
    values = make()

    def loss(*tensors):
        y = f(*tensors)
        weights = tf.reshape(tf.range(1.0, 1.0 + tf.cast(tf.size(y), tf.float64), dtype=tf.float64), tf.shape(y))
        return tf.reduce_sum(y * weights)

    def gradient(*tensors):
        with tf.GradientTape() as tape:
            tape.watch(tensors)
            y = loss(*tensors)
        return tape.gradient(y, tensors)

    specs = [tf.TensorSpec([None] * value.ndim, tf.float64) for value in values]
    run = {
        "eager": gradient,
        "traced": tf.function(gradient, autograph=False),
        "unknown sizes": tf.function(gradient, autograph=False, input_signature=specs),
    }[how]
    found = run(*[tf.constant(value) for value in values])
    step = 1e-6
    for position, value in enumerate(values):
        for index in np.ndindex(value.shape):
            sides = []
            for sign in (1, -1):
                moved = [np.array(v) for v in values]
                moved[position][index] += sign * step
                sides.append(float(loss(*[tf.constant(v) for v in moved])))
            slope = (sides[0] - sides[1]) / (2 * step)
            assert found[position].numpy()[index] == pytest.approx(slope, rel=2e-4, abs=2e-4), (position, index)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: L.tridiagonal_solve(np.ones((3, 2)), np.ones(2), "other"), ValueError, "diagonals_format"),
        (lambda: L.tridiagonal_matmul(np.ones((3, 2)), np.ones((2, 1)), "other"), ValueError, "diagonals_format"),
        (lambda: L.tridiagonal_solve([np.ones(2)] * 2, np.ones(2), "sequence"), ValueError, "length 3"),
        (
            lambda: L.tridiagonal_solve(np.ones((3, 2)), np.ones(2), partial_pivoting=False, perturb_singular=True),
            ValueError,
            "partial_pivoting",
        ),
        (lambda: L.tridiagonal_solve(np.ones((2, 3, 2)), np.ones((3, 2, 1))), ValueError, "Batch"),
        (lambda: L.eigh_tridiagonal([1.0, 2.0], [1.0], select="x"), ValueError, "select"),
        (lambda: L.eigh_tridiagonal([1, 2], [1]), ValueError, "int32"),
        (lambda: L.eigh_tridiagonal([1.0, 2.0], np.ones(1)), ValueError, "same type"),
        (lambda: L.eigh_tridiagonal([1.0, 2.0], [1.0], select="i", select_range=(1, 7)), BAD, "indices"),
        (lambda: L.eigh_tridiagonal([1.0, 2.0], [1.0], select="v", select_range=(2, 1)), BAD, "empty interval"),
        (lambda: L.lu_reconstruct(np.eye(2), [0, 0]), BAD, "duplicated|twice|permutation|more than once"),
    ],
)
def test_errors(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_shapes_that_are_known_only_when_it_runs_are_validated_on_demand():
    @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec(None, tf.int32)])
    def f(a, p):
        return L.lu_reconstruct(a, p, validate_args=True)

    assert f(np.eye(2, dtype=np.float32), [1, 0]).numpy().tolist() == [[0, 1], [1, 0]]
    with pytest.raises(BAD, match="square"):
        f(np.ones((2, 3), np.float32), [1, 0])


def test_top_level_names():
    assert tf.eig is L.eig
    assert tf.eigvals is L.eigvals
    assert tf.matrix_square_root is L.sqrtm
