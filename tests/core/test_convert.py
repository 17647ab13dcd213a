"""Lists of Python values: their dtype and their errors are TensorFlow's, eagerly and in a graph."""

import numpy as np
import pytest

import graphlab as tf

# value, dtype of tf.constant eagerly, in a graph (as TensorFlow 2.21 gives it)
DTYPES = [
    ([1, True], "int32", "int32"),
    ([True, 1], ValueError, "int32"),
    ([True, 1.5], ValueError, "float32"),
    ([1.5, True], "float32", "float32"),
    ([1, 2.5], "float32", "float32"),
    ([[1], [2.5]], "float32", "float32"),
    ([1, 1j], ValueError, "complex128"),
    ([1j, 1], "complex128", "complex128"),
    ([1.5, 1j], ValueError, "complex128"),
    ([1, "a"], ValueError, TypeError),
    (["a", 1], ValueError, TypeError),
    ([1, None], ValueError, TypeError),
    ([object()], ValueError, TypeError),
    ([[1], [1, 2]], ValueError, ValueError),
    ([np.float64(1)], "float64", "float32"),
    ([2, np.float64(1)], "float32", "float32"),
    ([np.float64(1), True], "float64", "float32"),
    ([np.float32(1), np.float64(2)], "float32", "float32"),
    ([np.float16(1), 2], "float16", "float32"),
    ([1, np.float16(2)], "float32", "float32"),
    ([np.int64(1), 2], "int32", "int32"),
    ([np.int8(1), np.int16(2)], "int32", "int16"),
    ([np.complex64(1), 1], "complex128", "complex128"),
    ([1, 2**40], "int64", "int64"),
    ([1.5, 1e39], ValueError, "float32"),
    (1e39, ValueError, "float32"),
    ([[2], np.array([1.5])], "float32", "float32"),
    ([np.array(1), 2], "int32", "int32"),
    ([np.array([1, 2]), np.array([3.0, 4.0])], "float32", None),
    ([np.array([1, 2]), [3, 4]], "int32", None),
    (["a", np.bytes_(b"b")], "string", "string"),
    (bytearray(b"ab"), "int32", None),
    (object(), ValueError, TypeError),
    ({1}, ValueError, TypeError),
    (tf.float32, ValueError, TypeError),
    (None, ValueError, ValueError),
]


@pytest.mark.parametrize(("value", "eager", "graph"), DTYPES, ids=range(len(DTYPES)))
def test_dtype_or_error(value, eager, graph):
    for call, wanted in ((lambda: tf.constant(value), eager), (tf.function(lambda: tf.constant(value)), graph)):
        if isinstance(wanted, type):
            with pytest.raises((ValueError, TypeError)) as info:
                call()
            assert info.type is wanted
        elif wanted is not None:
            assert call().dtype.name == wanted


@pytest.mark.parametrize("value", [[np.float64(1.0)], [1, np.float16(2)], [np.array([1.5]), [2]], [np.complex64(1)]])
def test_numpy_floats_are_no_integers(value):
    with pytest.raises(TypeError, match="int32"):
        tf.constant(value, tf.int32)


def test_arrays_beside_lists():
    np.testing.assert_array_equal(tf.constant([np.array([1, 2]), [3, 4.5]]).numpy(), np.float32([[1, 2], [3, 4.5]]))
    assert type(tf.constant(["a", np.bytes_(b"b")]).numpy()[1]) is bytes


def test_tensors_of_two_dtypes_in_a_list():
    a, b = tf.constant(1.0), tf.constant(2)
    for call in (lambda: tf.stack([a, b]), lambda: tf.convert_to_tensor([a, b])):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"input #1.* float tensor .* int32 tensor"):
            call()
        with pytest.raises(TypeError, match=r"\[float32, int32\] that don't all match"):
            tf.function(call)()
