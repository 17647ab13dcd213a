"""The quick way of operators gives what the general way gives, and steps aside where it must."""

from __future__ import annotations

import operator
import threading
import warnings
from typing import Any

import numpy as np
import pytest

import graphlab as tf
from graphlab.core.tensor import Tensor

OPERATORS = ("add", "sub", "mul", "truediv", "lt", "le", "gt", "ge")
SPECIAL = [0.0, -0.0, 1.5, np.inf, -np.inf, np.nan, 3.4e38, 1e-45]
VALUES = {
    "float32": np.array(SPECIAL, np.float32),
    "float64": np.array(SPECIAL, np.float64),
    "int32": np.array([0, 1, -1, 7, 2**31 - 1, -(2**31), 3, 2], np.int32),
    "int64": np.array([0, 1, -1, 7, 2**63 - 1, -(2**63), 3, 2], np.int64),
}


def general(name: str, x: Any, y: Any) -> Any:
    return Tensor.__dict__[f"__{name}__"](x, y)


@pytest.mark.parametrize("dtype", VALUES)
@pytest.mark.parametrize("name", OPERATORS)
def test_quick_and_general_agree_bit_for_bit_without_warnings(name: str, dtype: str) -> None:
    x, y = tf.constant(VALUES[dtype]), tf.constant(VALUES[dtype][:, None])
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        quick, slow = getattr(operator, name)(x, y), general(name, x, y)
    assert quick.dtype is slow.dtype
    assert quick.numpy().tobytes() == slow.numpy().tobytes()


@pytest.mark.parametrize("number", [2.5, -3, 0, 1e300, 2**31, -1.5])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("name", [*OPERATORS, "radd", "rsub", "rmul"])
def test_python_numbers_convert_as_they_always_do(name: str, dtype: str, number: Any) -> None:
    x = tf.constant(VALUES[dtype][:4])

    def outcome(function: Any) -> Any:
        try:
            result = function()
        except Exception as error:  # noqa: BLE001 - the class is what is compared
            return type(error)
        return result.dtype, result.numpy().tobytes()

    assert outcome(lambda: getattr(x, f"__{name}__")(number)) == outcome(lambda: general(name, x, number))


def test_matrices() -> None:
    a, b = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1.0], [1.0]])
    assert (a @ b).numpy().tolist() == [[3.0], [7.0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Matrix size-incompatible"):
        b @ a
    with pytest.raises(tf.errors.InvalidArgumentError):
        a[0] @ a


KEYS: dict[str, Any] = {
    "a number": 1,
    "from the end": -1,
    "a slice": slice(1, 3),
    "open": slice(None),
    "past the end": slice(2, 99),
    "backwards": slice(None, None, -1),
    "empty": slice(3, 1),
    "two": (slice(1, 3), 0),
    "new axis": (None, 1),
    "dots": (..., slice(0, 2)),
}


@pytest.mark.parametrize("name", KEYS)
def test_parts_are_numpys(name: str) -> None:
    array = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    part = tf.constant(array)[KEYS[name]]
    assert part.numpy().tolist() == array[KEYS[name]].tolist()
    with tf.GradientTape() as tape:
        x = tf.constant(array)
        tape.watch(x)
        y = tf.reduce_sum(x[KEYS[name]])
    expected = np.zeros_like(array)
    expected[KEYS[name]] = 1.0
    assert tape.gradient(y, x).numpy().tolist() == expected.tolist()


def test_a_part_that_is_not_there() -> None:
    x = tf.constant([1, 2, 3])
    for key in (3, -4, (0, 0), slice(None, None, 0)):
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
            x[key]
    assert tf.constant(["a", "b"])[1].numpy() == b"b"


def test_threads_at_once() -> None:
    x = tf.constant(np.full(200_000, 3e38, np.float32))
    wrong: list[Any] = []

    def work() -> None:
        try:
            wrong.extend("value" for _ in range(60) if not np.isinf((x + x).numpy()).all())
        except Exception as error:  # noqa: BLE001
            wrong.append(error)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


# TensorFlow's: both sides are cast to int32, and their product to bool.
BOOLS: dict[str, tuple[Any, list[bool]]] = {
    "bools": (lambda b: b * tf.constant([True, True]), [True, False]),
    "a tensor of floats": (lambda b: tf.constant([0.5, 2.0]) * b, [False, False]),
    "floats on the right": (lambda b: b * tf.constant([-2.0, 2.0]), [True, False]),
    "integers": (lambda b: b * tf.constant([1, 1], tf.int64), [True, False]),
    "complex numbers": (lambda b: b * tf.constant([1j, 1j]), [False, False]),
    "a number on the right": (lambda b: b * 2.5, [True, False]),
    "a bool on the left": (lambda b: True * b, [True, False]),
    "an array": (lambda b: np.array([1.0, 1.0]) * b, [True, False]),
}


@pytest.mark.parametrize("how", [lambda f: f, tf.function], ids=["eager", "traced"])
@pytest.mark.parametrize(("product", "expected"), BOOLS.values(), ids=BOOLS)
def test_a_product_with_a_tensor_of_bools_is_one_of_bools(product: Any, expected: list[bool], how: Any) -> None:
    result = how(product)(tf.constant([True, False]))
    assert (result.dtype, result.numpy().tolist()) == (tf.bool, expected)


@pytest.mark.parametrize("how", [lambda f: f, tf.function], ids=["eager", "traced"])
@pytest.mark.parametrize("number", [2, 2.5, "a"])
def test_a_number_before_a_tensor_of_bools_must_be_a_bool(number: Any, how: Any) -> None:
    with pytest.raises(TypeError):
        how(lambda b: number * b)(tf.constant([True, False]))


def test_the_nodes_of_a_product_of_bools() -> None:
    product = tf.function(lambda a, b: a * b).get_concrete_function(tf.constant(1.0), tf.constant(True))
    names = [op.name for op in product.graph.get_operations()]
    assert names == ["a", "b", "mul/Cast", "mul/Cast_1", "mul", "mul/Cast_2", "Identity"]


def test_a_number_times_python_bools_stays_a_number() -> None:
    assert (tf.constant([0.5]) * [True]).numpy().tolist() == [0.5]
