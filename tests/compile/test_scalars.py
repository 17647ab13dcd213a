"""Whole numbers in loops: Python's own where the source shows it, TensorFlow's arithmetic in every case."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphlab as tf
from graphlab.compile import Executable, executable


def collatz(n: Any) -> Any:
    count = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        count += 1
    return count


def test_a_loop_over_whole_numbers_is_a_loop_of_python() -> None:
    f = tf.function(collatz)
    text = executable(f.get_concrete_function(tf.constant(27)).graph).source
    assert "np_" not in text
    assert "while v" in text
    assert int(f(tf.constant(27))) == 111
    assert f(tf.constant(27)).dtype is tf.int32


OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "maximum": lambda a, b: tf.maximum(a, b),
    "minimum": lambda a, b: tf.minimum(a, b),
    "abs": lambda a, b: tf.abs(a) - b,
    "neg": lambda a, b: -a + b,
    "and": lambda a, b: tf.bitwise.bitwise_and(a, b),
    "xor": lambda a, b: tf.bitwise.bitwise_xor(a, b),
    "where": lambda a, b: tf.where(a < b, a, b),
    "cast": lambda a, b: tf.cast(tf.cast(a, tf.int64) * tf.cast(b, tf.int64), a.dtype),
    "bool": lambda a, b: tf.cast(tf.logical_or(a > b, tf.logical_not(tf.cast(b, tf.bool))), a.dtype),
}


def repeated(operation: Any, rounds: int = 3) -> Any:
    """``a = operation(a, b)`` again and again, in a traced loop."""

    @tf.function(autograph=False)
    def run(a: Any, b: Any) -> Any:
        _, a, b = tf.while_loop(
            lambda i, a, b: i < rounds, lambda i, a, b: (i + 1, operation(a, b), b), (tf.constant(0), a, b)
        )
        return a

    return run


def numbers(dtype: Any) -> Any:
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    return st.one_of(st.integers(-3, 3), st.integers(low, high), st.sampled_from([low, low + 1, high]))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("name", OPERATIONS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_whole_numbers_wrap_around_and_fail_as_the_kernels_do(name: str, dtype: Any, data: Any) -> None:
    a, b = (np.array(data.draw(numbers(dtype)), dtype) for _ in range(2))
    graph = repeated(OPERATIONS[name]).get_concrete_function(tf.constant(a), tf.constant(b)).graph
    results: list[Any] = []
    for function in (Executable(graph), Executable(graph, plain=True)):
        try:
            results.append(function.call([a, b])[0])
        except tf.errors.InvalidArgumentError as error:
            results.append(str(error).split(" [Op")[0])
    assert type(results[0]) is type(results[1]) or np.asarray(results[0]).dtype == np.asarray(results[1]).dtype
    assert str(results[0]) == str(results[1])


def test_a_division_by_zero_in_a_loop_names_the_line() -> None:
    @tf.function
    def f(n: Any) -> Any:
        while n > 0:
            n = n // (n - n)  # here
        return n

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.constant(3))
    assert "n = n // (n - n)  # here" in str(caught.value)
    assert "Integer division by zero" in str(caught.value)


def test_numbers_are_tensors_again_wherever_something_else_uses_them() -> None:
    @tf.function
    def f(x: Any, n: Any) -> Any:
        history = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        total = 0.0
        flag = tf.constant(False)
        for i in tf.range(n):
            history = history.write(i, i * i)
            total += x[i] * tf.cast(i, tf.float32)
            flag = tf.logical_or(flag, x[i] > 2.0)
            if flag:
                total += tf.reduce_sum(tf.range(i)) if False else 1.0
        return history.stack(), total, flag, i

    history, total, flag, last = f(tf.constant([1.0, 2.0, 3.0]), tf.constant(3))
    assert history.numpy().tolist() == [0, 1, 4]
    assert (float(total), bool(flag), int(last)) == (9.0, True, 2)
    assert (history.dtype, flag.dtype, last.dtype) == (tf.int32, tf.bool, tf.int32)


def test_nested_loops_and_conditions_of_and_or() -> None:
    @tf.function
    def f(n: Any) -> Any:
        found = 0
        for a in tf.range(1, n):
            for b in tf.range(a, n):
                if a * a + b * b == n * n or (a == b and a > 100):
                    found = found * 100 + a * 10 + b
                if found > 1000 and a != 0:
                    break
        return found

    assert int(f(tf.constant(5))) == 34


def test_a_value_read_from_a_tensor_in_a_loop_is_a_number_too() -> None:
    @tf.function
    def odd(values: Any) -> Any:
        total = 0
        for value in values:
            if value % 2 == 1:
                total += value
        return total

    text = executable(odd.get_concrete_function(tf.constant([1, 2, 3])).graph).source
    assert " % 2" in text
    assert int(odd(tf.constant([1, 2, 3]))) == 4
