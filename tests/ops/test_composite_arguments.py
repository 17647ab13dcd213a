"""Functions given SparseTensors, IndexedSlices, arrays and plain values where tensors are usual."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphlab as tf


def sparse(dtype: Any = tf.float32) -> Any:
    return tf.SparseTensor([[0, 1], [2, 0]], tf.constant([1, 2], dtype), [3, 2])


# What TensorFlow 2.21 counts in the values of a SparseTensor.
COUNTS: list[tuple[dict[str, Any], Any]] = [
    ({}, [0, 1, 1]),
    ({"axis": 0}, [0, 1, 1]),
    ({"maxlength": 2}, [0, 1]),
    ({"minlength": 5}, [0, 1, 1, 0, 0]),
    ({"binary_output": True}, [0, 1, 1]),
    ({"axis": -1}, [[0, 1, 0], [0, 0, 0], [0, 0, 1]]),
    ({"axis": -1, "binary_output": True}, [[0, 1, 0], [0, 0, 0], [0, 0, 1]]),
]


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("dtype", [tf.int32, tf.int64, tf.float32])
@pytest.mark.parametrize(("options", "counts"), COUNTS)
def test_numbers_of_a_sparse_tensor_are_counted(options: Any, counts: Any, dtype: Any, traced: bool) -> None:
    count = tf.function(tf.math.bincount) if traced else tf.math.bincount
    found = count(sparse(dtype), **options)
    assert found.numpy().tolist() == counts
    assert found.dtype is tf.int32


def test_weights_of_a_sparse_tensor_are_added() -> None:
    assert tf.math.bincount(sparse(tf.int32), sparse() * 1.5).numpy().tolist() == [0.0, 1.5, 3.0]


@pytest.mark.parametrize("traced", [False, True])
def test_gradients_stop_in_composites(traced: bool) -> None:
    stop = tf.function(tf.stop_gradient) if traced else tf.stop_gradient
    values = tf.constant([1.0, 2.0])
    slices = tf.IndexedSlices(values, tf.constant([1, 0]), tf.constant([3]))
    for whole, part in (
        (tf.SparseTensor([[0], [2]], values, [3]), lambda x: x.values),
        (slices, lambda x: x.values),
        (tf.RaggedTensor.from_row_lengths(values, [2, 0]), lambda x: x.flat_values),
    ):
        with tf.GradientTape() as tape:
            tape.watch(part(whole))
            stopped = stop(whole)
            loss = tf.reduce_sum(part(stopped) * part(whole))
        assert type(stopped) is type(whole)
        assert tape.gradient(loss, part(whole)).numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("path", ["fft", "ifft", "fft2d", "ifft3d"])
@pytest.mark.parametrize(
    "value",
    [
        np.arange(8.0).reshape(1, 2, 2, 2),
        np.arange(8).reshape(1, 2, 2, 2),
        np.arange(8, dtype=np.float16).reshape(1, 2, 2, 2),
        [[[[1, 2], [3, 4]]]],
        [[[[1.5, 2.5], [3.0, 4.0]]]],
        [[tf.ones([1, 2])]],
    ],
    ids=["float64", "int64", "float16", "ints", "floats", "tensors"],
)
def test_fourier_transforms_of_real_arrays_are_complex64(path: str, value: Any) -> None:
    call = getattr(tf.signal, path)
    for found in (call(value), tf.function(lambda: call(value))()):
        assert found.dtype is tf.complex64
        np.testing.assert_array_equal(found, call(tf.cast(tf.convert_to_tensor(value), tf.complex64)))


def test_fourier_transforms_of_real_tensors_are_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.signal.fft(tf.ones([2]))
    assert tf.signal.fft([1j, 2.0]).dtype is tf.complex128


def test_cosine_transforms_keep_the_dtype_of_an_array() -> None:
    assert tf.signal.dct(np.arange(4.0)).dtype is tf.float64
    assert tf.signal.dct([1.0, 2.0]).dtype is tf.float32


def test_what_else_takes_composites() -> None:
    assert tf.divide(sparse(), 2.0).values.numpy().tolist() == [0.5, 1.0]
    np.testing.assert_array_equal(tf.math.bessel_i0e(sparse()).values, tf.math.bessel_i0e([1.0, 2.0]))


@pytest.mark.parametrize("value", [True, 1j, "abc", [1, 2], {"a": 1}, None, np.array([1.0])])
def test_a_plain_value_is_its_own_static_value(value: Any) -> None:
    assert tf.get_static_value(value) is value


def test_variables_have_no_static_value() -> None:
    assert tf.get_static_value(tf.Variable(1.0)) is None


def test_an_isotonic_regression_has_names() -> None:
    found = tf.nn.isotonic_regression([[1.0, 3.0, 2.0]])
    assert found._fields == ("output", "segments")
    assert found.segments.numpy().tolist() == [[0, 0, 1]]
