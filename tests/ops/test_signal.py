"""``tf.signal``: transforms against NumPy's, their gradients against differences, errors and edges as TensorFlow's."""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf
from tests.ops.test_gradients import check, scalar

RANDOM = np.random.default_rng(11)
REAL = RANDOM.normal(size=(2, 3, 4, 5))
COMPLEX = REAL + 1j * RANDOM.normal(size=REAL.shape)

TRANSFORMS = {
    "fft": (tf.signal.fft, np.fft.fft, 1),
    "ifft": (tf.signal.ifft, np.fft.ifft, 1),
    "fft2d": (tf.signal.fft2d, np.fft.fft2, 2),
    "ifft2d": (tf.signal.ifft2d, np.fft.ifft2, 2),
    "fft3d": (tf.signal.fft3d, lambda x: np.fft.fftn(x, axes=(-3, -2, -1)), 3),
    "ifft3d": (tf.signal.ifft3d, lambda x: np.fft.ifftn(x, axes=(-3, -2, -1)), 3),
}
REAL_TRANSFORMS = {
    "rfft": (tf.signal.rfft, tf.signal.irfft, 1),
    "rfft2d": (tf.signal.rfft2d, tf.signal.irfft2d, 2),
    "rfft3d": (tf.signal.rfft3d, tf.signal.irfft3d, 3),
}


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", TRANSFORMS)
def test_complex_transforms(name, dtype, traced):
    function, expected, _ = TRANSFORMS[name]
    found = (tf.function(function) if traced else function)(tf.constant(COMPLEX, dtype))
    assert found.dtype.name == dtype
    np.testing.assert_allclose(found, expected(COMPLEX), rtol=1e-4 if dtype == "complex64" else 1e-12, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("lengths", [None, [2, 3, 4], [4, 6, 7], [3, 3, 9]])
@pytest.mark.parametrize("name", REAL_TRANSFORMS)
def test_real_transforms(name, lengths, dtype):
    forward, backward, rank = REAL_TRANSFORMS[name]
    axes = (-3, -2, -1)[-rank:]
    size = None if lengths is None else lengths[-rank:]
    near = {"rtol": 1e-3 if dtype == "float32" else 1e-12, "atol": 1e-5}
    found = forward(tf.constant(REAL, dtype), size)
    np.testing.assert_allclose(found, np.fft.rfftn(REAL, size, axes), **near)
    back = backward(tf.constant(COMPLEX, found.dtype), size)
    np.testing.assert_allclose(back, np.fft.irfftn(COMPLEX, size, axes), **near)
    assert back.dtype.name == dtype
    again = backward(found, size or REAL.shape[-rank:])
    if size is None:
        np.testing.assert_allclose(again, REAL, **near)


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
@pytest.mark.parametrize("name", TRANSFORMS)
def test_gradients_of_complex_transforms(name, traced):
    function, _, _ = TRANSFORMS[name]

    def parts(a, b):
        y = function(tf.complex(a, b))
        return tf.stack([tf.math.real(y), tf.math.imag(y)])

    f = scalar(parts, tf.constant(RANDOM.normal(size=(2, *REAL.shape))))
    check(tf.function(f) if traced else f, [COMPLEX.real, COMPLEX.imag])


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
@pytest.mark.parametrize("lengths", [None, [2, 3, 4], [4, 6, 7]])
@pytest.mark.parametrize("name", REAL_TRANSFORMS)
def test_gradients_of_real_transforms(name, lengths, traced):
    forward, backward, rank = REAL_TRANSFORMS[name]
    size = None if lengths is None else lengths[-rank:]

    def there(x):
        y = forward(x, size)
        return tf.stack([tf.math.real(y), tf.math.imag(y)])

    def back(a, b):
        return backward(tf.complex(a, b), size)

    for function, x in ((there, [REAL]), (back, [COMPLEX.real, COMPLEX.imag])):
        y = function(*[tf.constant(a) for a in x])
        f = scalar(function, tf.constant(RANDOM.normal(size=y.shape)))
        check(tf.function(f) if traced else f, x)


def test_shifts():
    x = tf.reshape(tf.range(12), [3, 4])
    for axes in (None, [1], 0, [0, 1]):
        np.testing.assert_array_equal(tf.signal.fftshift(x, axes), np.fft.fftshift(x.numpy(), axes))
        np.testing.assert_array_equal(tf.signal.ifftshift(x, axes), np.fft.ifftshift(x.numpy(), axes))


def test_what_is_inferred_while_tracing():
    shapes = []

    @tf.function(input_signature=[tf.TensorSpec([None, 6])])
    def f(x):
        shapes.append(tf.signal.rfft(x).shape.as_list())
        shapes.append(tf.signal.rfft(x, [4]).shape.as_list())
        shapes.append(tf.signal.irfft(tf.signal.rfft(x)).shape.as_list())
        shapes.append(tf.signal.fft(tf.cast(x, tf.complex64)).shape.as_list())
        return x

    f(tf.zeros([1, 6]))
    assert shapes == [[None, 4], [None, 3], [None, 6], [None, 6]]


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: tf.signal.fft(tf.constant([1.0])), tf.errors.InvalidArgumentError, "Tcomplex"),
        (lambda: tf.signal.fft3d(tf.constant([[1j]])), tf.errors.InvalidArgumentError, "at least 3"),
        (lambda: tf.signal.rfft(tf.range(3)), ValueError, "RFFT requires"),
        (lambda: tf.signal.irfft(tf.constant([1.0])), ValueError, "IRFFT requires"),
        (lambda: tf.signal.rfft([1.0], [1, 2]), tf.errors.InvalidArgumentError, "fft_length"),
    ],
)
def test_mistakes(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_nothing_to_transform():
    assert tf.signal.rfft(tf.zeros([0, 4])).shape == [0, 3]
    assert tf.signal.fft(tf.zeros([0, 4], tf.complex64)).shape == [0, 4]
