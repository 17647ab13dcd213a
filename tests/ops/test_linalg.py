"""Linear algebra: what defines each decomposition, gradients against differences, shapes, what fails.

Values are compared with TensorFlow's in tests/oracle.
"""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf

L = tf.linalg
BAD = tf.errors.InvalidArgumentError
RNG = np.random.default_rng(5)


def matrix(*shape, dtype=np.float64):
    value = RNG.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        value = value + 1j * RNG.normal(size=shape)
    return value.astype(dtype)


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def positive(n, dtype=np.float64):
    a = matrix(2, n, n, dtype=dtype)
    return a @ adjoint(a) + 2 * np.eye(n, dtype=dtype)


DTYPES = [np.float32, np.float64, np.complex64, np.complex128]


def close(a, b, dtype):
    single = np.dtype(dtype) in (np.float32, np.complex64)
    np.testing.assert_allclose(a, b, rtol=0, atol=2e-4 if single else 1e-10)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3), (2, 5, 3), (2, 3, 5)])
def test_decompositions_multiply_to_the_matrix(dtype, shape):
    a = matrix(*shape, dtype=dtype)
    q, r = (part.numpy() for part in L.qr(a))
    close(q @ r, a, dtype)
    close(adjoint(q) @ q, np.broadcast_to(np.eye(q.shape[-1]), (*shape[:-2], q.shape[-1], q.shape[-1])), dtype)
    for full in (False, True):
        s, u, v = (part.numpy() for part in L.svd(a, full_matrices=full))
        k = min(shape[-2:])
        close((u[..., :k] * s[..., None, :]) @ adjoint(v[..., :k]), a, dtype)
        assert (np.diff(s) <= 0).all()
    close(L.svd(a, compute_uv=False).numpy(), s, dtype)
    inverse = L.pinv(a).numpy() if np.dtype(dtype).kind == "f" else None
    if inverse is not None:
        close(a @ inverse @ a, a, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_square_matrices(dtype):
    a, p, b = matrix(2, 3, 3, dtype=dtype), positive(3, dtype), matrix(2, 3, 2, dtype=dtype)
    close(L.inv(a).numpy() @ a, np.broadcast_to(np.eye(3), a.shape), dtype)
    close(L.inv(a, adjoint=True).numpy(), adjoint(L.inv(a).numpy()), dtype)
    close(a @ L.solve(a, b).numpy(), b, dtype)
    close(adjoint(a) @ L.solve(a, b, adjoint=True).numpy(), b, dtype)
    close(np.tril(a) @ L.triangular_solve(a, b).numpy(), b, dtype)
    close(np.triu(a) @ L.triangular_solve(a, b, lower=False).numpy(), b, dtype)
    factor = L.cholesky(p).numpy()
    close(factor @ adjoint(factor), p, dtype)
    close(p @ L.cholesky_solve(factor, b).numpy(), b, dtype)
    close(L.logdet(p).numpy(), np.log(np.linalg.det(p).real), dtype)
    sign, log = L.slogdet(a)
    close(sign.numpy() * np.exp(log.numpy()), L.det(a).numpy(), dtype)
    e, v = (part.numpy() for part in L.eigh(p))
    close(p @ v, v * e[..., None, :], dtype)
    e, v = (part.numpy() for part in L.eig(a))
    close(a @ v, v * e[..., None, :], dtype)
    lu, order = (part.numpy() for part in L.lu(a))
    product = (np.tril(lu, -1) + np.eye(3)) @ np.triu(lu)
    close(product, np.take_along_axis(a, order[..., None], -2), dtype)
    root = L.sqrtm(p).numpy()
    close(root @ root, p, dtype)
    if np.dtype(dtype).kind == "c":
        close(L.expm(L.logm(p)).numpy(), p, dtype)
        close(L.expm(L.logm(a)).numpy(), a, dtype)
    close(L.expm(np.zeros_like(a)).numpy(), np.broadcast_to(np.eye(3), a.shape), dtype)
    close(L.expm(a).numpy() @ L.expm(-a).numpy(), np.broadcast_to(np.eye(3), a.shape), dtype)


def loss_of(f):
    def loss(*values):
        y = f(*values)
        weights = np.arange(1.0, 1 + np.prod(y.shape)).reshape(y.shape)
        return tf.reduce_sum(tf.math.real(y) * weights)

    return loss


GRADIENTS = {
    "det": (L.det, lambda: [matrix(2, 3, 3)]),
    "slogdet": (lambda a: L.slogdet(a)[1], lambda: [matrix(2, 3, 3)]),
    "logdet": (lambda a: L.logdet(a @ tf.linalg.adjoint(a)), lambda: [matrix(3, 3)]),
    "inv": (L.inv, lambda: [matrix(2, 3, 3)]),
    "inv of the adjoint": (lambda a: L.inv(a, adjoint=True), lambda: [matrix(3, 3)]),
    "solve": (L.solve, lambda: [matrix(2, 3, 3), matrix(2, 3, 2)]),
    "solve with the adjoint": (lambda a, b: L.solve(a, b, adjoint=True), lambda: [matrix(3, 3), matrix(3, 2)]),
    "triangular_solve": (L.triangular_solve, lambda: [matrix(3, 3) + 3 * np.eye(3), matrix(2, 3, 2)]),
    "triangular_solve, upper": (
        lambda a, b: L.triangular_solve(a, b, lower=False, adjoint=True),
        lambda: [matrix(3, 3) + 3 * np.eye(3), matrix(3, 2)],
    ),
    "cholesky": (lambda a: L.cholesky(a @ tf.linalg.adjoint(a)), lambda: [matrix(2, 3, 3)]),
    "qr": (lambda a: L.qr(a)[1], lambda: [matrix(2, 4, 3)]),
    "qr, q": (lambda a: L.qr(a)[0], lambda: [matrix(4, 3)]),
    "svd": (lambda a: L.svd(a, compute_uv=False), lambda: [matrix(2, 4, 3)]),
    "svd, u": (lambda a: L.svd(a)[1] ** 2, lambda: [matrix(4, 3)]),
    "svd, v": (lambda a: L.svd(a)[2] ** 2, lambda: [matrix(4, 3)]),
    "svd, wide": (lambda a: L.svd(a)[1] ** 2 + L.svd(a)[0], lambda: [matrix(3, 4)]),
    "eigh": (lambda a: L.eigh(a + tf.linalg.adjoint(a))[0], lambda: [matrix(2, 3, 3)]),
    "eigh, v": (lambda a: L.eigh(a + tf.linalg.adjoint(a))[1] ** 2, lambda: [matrix(3, 3)]),
    "eigvalsh": (lambda a: L.eigvalsh(a + tf.linalg.adjoint(a)), lambda: [matrix(3, 3)]),
    "eigvals": (lambda a: tf.reduce_sum(L.eigvals(a) ** 2), lambda: [matrix(3, 3)]),
    "pinv": (L.pinv, lambda: [matrix(4, 3)]),
    "lstsq": (L.lstsq, lambda: [matrix(4, 3), matrix(4, 2)]),
    "expm": (L.expm, lambda: [matrix(3, 3) * 0.5]),
    "sqrtm": (L.sqrtm, lambda: [positive(3)]),
    "cross": (L.cross, lambda: [matrix(2, 3), matrix(2, 3)]),
    "norm": (tf.norm, lambda: [matrix(3, 3)]),
    "norm 1": (lambda a: tf.norm(a, 1, -1), lambda: [matrix(3, 3)]),
    "norm 2 of matrices": (lambda a: tf.norm(a, 2, (-2, -1)), lambda: [matrix(2, 3, 3)]),
    "norm 3": (lambda a: tf.norm(a, 3, 0), lambda: [matrix(3, 3)]),
    "normalize": (lambda a: L.normalize(a, axis=-1)[0], lambda: [matrix(3, 3)]),
}


@pytest.mark.parametrize("name", GRADIENTS)
@pytest.mark.parametrize("how", ["eager", "traced"])
def test_gradients_against_differences(name, how):
    f, make = GRADIENTS[name]
    values = make()
    loss = loss_of(f)

    def gradient(*tensors):
        with tf.GradientTape() as tape:
            tape.watch(tensors)
            y = loss(*tensors)
        return tape.gradient(y, tensors)

    run = tf.function(gradient, autograph=False) if how == "traced" else gradient
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


def test_the_gradient_of_a_complex_determinant():
    a = matrix(2, 2, dtype=np.complex128)
    x = tf.constant(a)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.real(L.det(x))
    # Of a real function of z = x + iy the gradient is d/dx + i d/dy.
    found = tape.gradient(y, x).numpy()
    np.testing.assert_allclose(found, np.conj([[a[1, 1], -a[1, 0]], [-a[0, 1], a[0, 0]]]), rtol=1e-10)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: L.inv([[1.0, 2.0], [2.0, 4.0]]), BAD),
        (lambda: L.solve([[1.0, 2.0], [2.0, 4.0]], [[1.0], [1.0]]), BAD),
        (lambda: L.det([[1.0, 2.0]]), BAD),
        (lambda: L.inv([[1, 2], [3, 4]]), BAD),
        (lambda: L.solve([[1.0, 2.0], [3.0, 4.0]], [1.0, 2.0]), BAD),
        (lambda: L.lu([[1.0, 2.0], [2.0, 4.0]]), BAD),
        (lambda: L.cross([1, 2], [4, 5]), tf.errors.FailedPreconditionError),
        (lambda: tf.norm([[1.0]], "other"), ValueError),
        (lambda: tf.norm([[1.0]], 0), ValueError),
        (lambda: tf.norm([[1.0]], axis=(0, 0)), ValueError),
        (lambda: tf.norm([[1.0]], 3, axis=(0, 1)), ValueError),
        (lambda: L.pinv([[1, 2]]), TypeError),
        (lambda: L.sqrtm([[1.0, 2.0], [2.0, 4.0]]), BAD),
        (lambda: L.logm([[1.0]]), BAD),
    ],
)
def test_errors(call, error):
    with pytest.raises(error):
        call()


def test_what_has_no_answer_is_not_a_number():
    assert np.isnan(L.cholesky([[1.0, 2.0], [2.0, 1.0]]).numpy()[1, 1])
    both = L.cholesky(np.array([[[1.0, 2.0], [2.0, 1.0]], [[4.0, 0.0], [0.0, 9.0]]])).numpy()
    assert both[1].tolist() == [[2.0, 0.0], [0.0, 3.0]]
    assert np.isinf(L.triangular_solve([[0.0, 2.0], [2.0, 4.0]], [[1.0], [1.0]]).numpy()).all()


@pytest.mark.parametrize(
    ("f", "shape", "expected"),
    [
        (L.det, [None, 3, 3], [None]),
        (L.inv, [2, None, 3], [2, 3, 3]),
        (lambda a: L.qr(a)[0], [None, 5, 3], [None, 5, 3]),
        (lambda a: L.svd(a)[2], [4, 5, 3], [4, 3, 3]),
        (lambda a: L.svd(a, compute_uv=False), [None, None, 3], [None, None]),
        (lambda a: L.eigh(a)[0], [2, 3, 3], [2, 3]),
        (L.expm, [None, 3], [3, 3]),
    ],
)
def test_shapes_while_tracing(f, shape, expected):
    traced = tf.function(f, autograph=False).get_concrete_function(tf.TensorSpec(shape))
    assert traced.structured_outputs.shape.as_list() == expected


def test_a_shape_that_is_not_square_is_refused_while_tracing():
    with pytest.raises(ValueError, match="square"):
        tf.function(L.det, autograph=False).get_concrete_function(tf.TensorSpec([2, 3]))


@pytest.mark.parametrize("shape", [(0, 0), (2, 0, 0), (0, 2, 2)])
def test_empty_matrices(shape):
    a = np.zeros(shape, np.float32)
    assert L.det(a).shape == shape[:-2]
    assert L.inv(a).shape == shape
    assert L.cholesky(a).shape == shape
    assert L.expm(a).shape == shape
