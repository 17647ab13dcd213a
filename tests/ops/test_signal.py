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


X, M = tf.range(1.0, 7.0), tf.reshape(tf.range(12.0), [3, 4])
S = tf.signal
# Recorded from TensorFlow 2.21.
RECORDED = {
    "frame": (lambda: S.frame(X, 3, 2), [[1, 2, 3], [3, 4, 5]]),
    "frame padded": (lambda: S.frame(X, 3, 2, pad_end=True, pad_value=9), [[1, 2, 3], [3, 4, 5], [5, 6, 9]]),
    "frame axis": (lambda: S.frame(M, 2, 1, axis=0)[1], [[4, 5, 6, 7], [8, 9, 10, 11]]),
    "frame too long": (lambda: S.frame(X, 9, 2), np.zeros([0, 9])),
    "hann": (lambda: S.hann_window(5), [0, 0.5, 1, 0.5, 0]),
    "hann even": (lambda: S.hann_window(4), [0, 0.5, 1, 0.5]),
    "hann symmetric": (lambda: S.hann_window(4, periodic=False), [0, 0.75, 0.75, 0]),
    "hann one": (lambda: S.hann_window(1), [1]),
    "hann none": (lambda: S.hann_window(0), []),
    "hamming": (lambda: S.hamming_window(5), [0.08, 0.54, 1, 0.54, 0.08]),
    "vorbis": (lambda: S.vorbis_window(4), [0.228, 0.9737, 0.9737, 0.228]),
    "kaiser": (lambda: S.kaiser_window(5), [0.0001, 0.2157, 1, 0.2157, 0.0001]),
    "kaiser beta": (lambda: S.kaiser_window(5, beta=3.0), [0.2049, 0.7269, 1, 0.7269, 0.2049]),
    "kaiser bessel": (lambda: S.kaiser_bessel_derived_window(4), [0.0073, 1, 1, 0.0073]),
    "overlap": (lambda: S.overlap_and_add(tf.ones([3, 4]), 3), [1, 1, 1, 2, 1, 1, 2, 1, 1, 1]),
    "gaps": (lambda: S.overlap_and_add(tf.ones([1, 2, 2]), 3), [[1, 1, 0, 1, 1]]),
    "stft": (lambda: S.stft(X, 4, 2), [[6, -3 + 1j, 0], [10, -5 + 1j, 0]]),
    "stft padded": (lambda: S.stft(X, 3, 1, pad_end=True)[:2], [[2, -2j, -2], [3, -3j, -3]]),
    "inverse": (lambda: S.inverse_stft(S.stft(X, 4, 2), 4, 2), [0, 0.5, 3, 2, 5, 1.5]),
    "inverse window": (lambda: S.inverse_stft_window_fn(2)(4, tf.float32), [0, 1, 1, 1]),
    "inverse longer": (
        lambda: S.inverse_stft(S.stft(X, 4, 2, 8), 4, 2, fft_length=8, window_fn=None), [0, 1, 3, 4, 5, 3],
    ),
    "dct": (lambda: S.dct(X), [42, -14.4195, 0, -1.4142, 0, -0.2774]),
    "dct 1": (lambda: S.dct(X, 1), [35, -10.4721, 0, -1.5279, 0, -1]),
    "dct 3": (lambda: S.dct(X, 3), [23.8225, -20.3137, 7.7734, -6.1657, 2.3137, -1.4302]),
    "dct 4": (lambda: S.dct(X, 4), [20.7018, -20.1396, 9.607, -8.6767, 6.8114, -6.6225]),
    "dct ortho": (lambda: S.dct(X, 2, norm="ortho"), [8.5732, -4.1626, 0, -0.4082, 0, -0.0801]),
    "dct 3 ortho": (lambda: S.dct(X, 3, norm="ortho"), [6.9965, -5.7445, 2.3636, -1.6603, 0.7875, -0.2933]),
    "dct 4 ortho": (lambda: S.dct(X, 4, norm="ortho"), [5.9761, -5.8138, 2.7733, -2.5047, 1.9663, -1.9117]),
    "dct shorter": (lambda: S.dct(X, n=4), [20, -6.3086, 0, -0.4483]),
    "idct": (lambda: S.idct(S.dct(X)), [12, 24, 36, 48, 60, 72]),
    "idct 1": (lambda: S.idct(X, 1), [35, -10.4721, 0, -1.5279, 0, -1]),
}  # fmt: skip


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
@pytest.mark.parametrize("name", RECORDED)
def test_recorded(name, traced):
    call, expected = RECORDED[name]
    found = (tf.function(call, autograph=False) if traced else call)()
    np.testing.assert_allclose(found, expected, atol=6e-5)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: S.frame(x, 3, 2, pad_end=True),
        lambda x: S.overlap_and_add(x, 2),
        lambda x: tf.abs(S.stft(x, 4, 2)),
        *(lambda x, kind=kind: S.dct(x, kind) for kind in (1, 2, 3, 4)),
        lambda x: S.idct(x, norm="ortho"),
    ],
)
def test_gradients_of_frames_and_cosine_transforms(function):
    x = RANDOM.normal(size=(2, 6))
    y = function(tf.constant(x))
    check(scalar(function, tf.constant(RANDOM.normal(size=y.shape))), [x])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: S.hann_window(4, dtype=tf.int32), ValueError),
        (lambda: S.dct(X, 5), ValueError),
        (lambda: S.dct(X, 1, norm="ortho"), ValueError),
        (lambda: S.dct(X, axis=0), NotImplementedError),
        (lambda: S.frame(X, 3, 0), tf.errors.InvalidArgumentError),
    ],
)
def test_more_mistakes(call, error):
    with pytest.raises(error):
        call()
