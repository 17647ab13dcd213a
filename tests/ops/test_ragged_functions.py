"""Elementwise functions given RaggedTensors: each does with the values what it does with a tensor, and rows stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphlab as tf

ONE = {  # functions of one tensor, and dtypes that TensorFlow takes as rows
    "math.angle": ("float32", "complex64"),
    "math.conj": ("float32", "int32", "complex64"),
    "math.imag": ("float32", "int32", "complex64"),
    "math.real": ("float32", "complex64"),
    "math.log_sigmoid": ("float32",),
    "math.reciprocal_no_nan": ("float32", "complex64"),
    "math.bessel_i0": ("float32",),
    "math.bessel_i1": ("float32",),
    **{
        f"math.special.bessel_{kind}": ("float32",)
        for kind in ["j0", "j1", "k0", "k0e", "k1", "k1e", "y0", "y1", "i0e", "i1e"]
    },
    **{f"math.special.{name}": ("float32",) for name in ["dawsn", "expint", "fresnel_cos", "fresnel_sin", "spence"]},
    "nn.gelu": ("float32",),
    "nn.leaky_relu": ("float32", "int32"),
    "nn.relu": ("float32", "int32"),
    "nn.relu6": ("float32", "int32"),
    "nn.silu": ("float32",),
    "nn.swish": ("float32",),
    "nn.elu": ("float32",),
    "nn.softsign": ("float32",),
}
TWO = (
    "math.divide",
    "math.truediv",
    "truediv",
    "math.xlog1py",
    "math.xlogy",
    "math.divide_no_nan",
    "math.atan2",
    "math.multiply_no_nan",
)


def rows(dtype: str = "float32") -> Any:
    return tf.cast(tf.ragged.constant([[1, 2], [], [7]]), dtype)


def function(path: str) -> Any:
    found: Any = tf
    for name in path.split("."):
        found = getattr(found, name)
    return found


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize(("path", "dtype"), [(path, dtype) for path, dtypes in ONE.items() for dtype in dtypes])
def test_functions_of_one_ragged_tensor(path: str, dtype: str, traced: bool) -> None:
    call = function(path)
    found = (tf.function(call) if traced else call)(rows(dtype))
    assert found.row_splits.numpy().tolist() == [0, 2, 2, 3]
    np.testing.assert_array_equal(found.flat_values, call(rows(dtype).flat_values))


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("path", TWO)
def test_functions_of_two_ragged_tensors(path: str, traced: bool) -> None:
    call = tf.function(function(path)) if traced else function(path)
    flat, column = rows().flat_values, tf.constant([[1.0], [2.0], [4.0]])
    cases = {
        "rows": (rows(), rows() + 1.0, flat, flat + 1.0),
        "a number": (rows(), 2.0, flat, 2.0),
        "a number first": (2.0, rows(), 2.0, flat),
        "one for each row": (rows(), column, flat, tf.constant([1.0, 1.0, 4.0])),
    }
    for name, (x, y, flat_x, flat_y) in cases.items():
        found = call(x, y, name="named")
        np.testing.assert_array_equal(found.flat_values, function(path)(flat_x, flat_y), err_msg=name)
        assert found.row_lengths().numpy().tolist() == [2, 0, 1]
    assert call(rows(), 2.0, "named").to_list() == call(rows(), 2.0).to_list()


def test_rows_of_other_lengths_do_not_divide() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="rows"):
        tf.divide(rows(), tf.ragged.constant([[1.0], [1.0], [1.0]]))


def test_attributes_stay() -> None:
    assert tf.nn.leaky_relu(-rows(), 0.5).to_list() == [[-0.5, -1.0], [], [-3.5]]
    assert tf.nn.leaky_relu(-rows(), alpha=0.5, name="a").to_list() == [[-0.5, -1.0], [], [-3.5]]
    assert tf.image.convert_image_dtype(rows("int32"), tf.float32).dtype is tf.float32
    assert tf.math.nextafter(rows(), 0.0).to_list() == [
        np.nextafter(np.float32(row), np.float32(0)).tolist() for row in ([1, 2], [], [7])
    ]


# What TensorFlow 2.21 gives: numbers count as true where int32 is not 0.
REDUCED = [
    ("reduce_all", [[1.0, 2.0], [], [0.5]], None, False),
    ("reduce_all", [[1.0, 2.0], [], [0.5]], 1, [True, True, False]),
    ("reduce_any", [[1, 0], [], [0]], 1, [True, False, False]),
    ("reduce_any", [[1, 0], [], [0]], None, True),
    ("reduce_variance", [[1, 2], [], [0]], None, 2 / 3),
    ("reduce_std", [[1, 3], [5]], 1, [1.0, 0.0]),
]


@pytest.mark.parametrize(("name", "values", "axis", "result"), REDUCED)
def test_numbers_are_reduced(name: str, values: Any, axis: int | None, result: Any) -> None:
    found = getattr(tf.math, name)(tf.ragged.constant(values), axis)
    np.testing.assert_allclose(found, result)
    assert found.dtype is (tf.float64 if name in ("reduce_std", "reduce_variance") else tf.bool)


@pytest.mark.parametrize("traced", [False, True])
def test_embeddings_of_ragged_ids(traced: bool) -> None:
    table = tf.Variable([[0.0, 1.0], [3.0, 4.0], [6.0, 8.0]])
    call = tf.function(tf.nn.embedding_lookup) if traced else tf.nn.embedding_lookup
    ids = tf.ragged.constant([[1, 2], [], [0]])
    assert call(table, ids).to_list() == [[[3.0, 4.0], [6.0, 8.0]], [], [[0.0, 1.0]]]
    np.testing.assert_allclose(call(table, ids, max_norm=5.0).flat_values, [[3.0, 4.0], [3.0, 4.0], [0.0, 1.0]])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(call(table, ids).flat_values ** 2)
    gradient = tf.convert_to_tensor(tape.gradient(loss, table))
    assert gradient.numpy().tolist() == [[0.0, 2.0], [6.0, 8.0], [12.0, 16.0]]
    with pytest.raises(ValueError, match="int32 or int64"):
        call(table, rows())
    with pytest.raises(tf.errors.InvalidArgumentError):
        call(table, tf.ragged.constant([[5]]))


def test_the_value_of_a_ragged_tensor_is_not_static() -> None:
    assert tf.get_static_value(rows()) is None
