"""What small programs of several features give, where TensorFlow gives something else (see docs/differences.md)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphlab as tf


def test_an_inner_loop_with_the_variable_of_the_outer_one() -> None:
    @tf.function
    def f(x: Any) -> Any:
        for i in range(2):
            for i in range(3):
                x = x + i
        return x, i

    total, last = f(tf.constant(0))
    assert (int(total), int(last)) == (6, 2)


def test_a_nonlocal_assigned_by_a_call_in_a_loop() -> None:
    @tf.function
    def fibonacci(n: Any) -> Any:
        a, b = tf.constant(0), tf.constant(1)

        def step() -> None:
            nonlocal a, b
            a, b = b, a + b

        for _ in tf.range(n):
            step()
        return a

    assert [int(fibonacci(tf.constant(n))) for n in (0, 1, 6)] == [0, 1, 8]


@pytest.mark.parametrize(
    ("a", "b", "both", "either"), [(1, 2, 2, 1), (0, 2, 0, 2), (1.5, 0.0, 0.0, 1.5), (0.0, -1.0, 0.0, -1.0)]
)
def test_and_and_or_of_numbers(a: float, b: float, both: float, either: float) -> None:
    conjunction = tf.function(lambda x, y: x and y)
    disjunction = tf.function(lambda x, y: x or y)
    assert conjunction(tf.constant(a), tf.constant(b)).numpy() == both
    assert disjunction(tf.constant(a), tf.constant(b)).numpy() == either


@pytest.mark.parametrize("function", [tf.nn.relu, tf.nn.relu6, lambda x: tf.maximum(x, 0.0)])
@pytest.mark.parametrize("size", [1, 8, 11])
def test_the_sign_of_zero_does_not_depend_on_the_position(function: Any, size: int) -> None:
    x = tf.fill([size], -0.0)
    for result in (function(x), tf.function(function)(x)):
        assert len(set(np.signbit(result.numpy()))) == 1


def test_the_second_derivative_of_a_segment_product_with_zeros() -> None:
    x = tf.constant([2.0, 0.0, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.math.unsorted_segment_prod(x, [0, 0, 1], 2)
        first = inner.gradient(y, x)
    np.testing.assert_array_equal(first, [0.0, 2.0, 1.0])
    np.testing.assert_array_equal(outer.gradient(first, x), [1.0, 1.0, 0.0])


def test_the_gradient_of_gather_nd_by_rows_is_constant() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.gather_nd(x, [[0], [0], [2]])
        first = inner.gradient(y, x)
    np.testing.assert_array_equal(tf.convert_to_tensor(first), [2.0, 0.0, 1.0])
    assert outer.gradient(first, x) is None


def test_a_custom_gradient_in_a_branch_under_two_tapes() -> None:
    @tf.custom_gradient
    def softplus(x: Any) -> Any:
        e = tf.exp(x)
        return tf.math.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    @tf.function
    def slope(x: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = softplus(x) if x > 0 else x * x
            return inner.gradient(y, x)

    assert slope(tf.constant(100.0)).numpy() == 1.0


def test_python_functions_give_the_dtypes_that_were_said() -> None:
    def double() -> Any:
        return np.float64(1)

    for call in (
        lambda: tf.numpy_function(double, [], tf.float32),
        tf.function(lambda: tf.numpy_function(double, [], tf.float32)),
        lambda: tf.numpy_function(lambda: [1, 2], [], tf.int64),
        lambda: tf.py_function(lambda: (1.0, 2.0), [], [tf.float32]),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError):
            call()


def test_python_functions_and_assignments_keep_their_order() -> None:
    v = tf.Variable(0.0)
    seen: list[float] = []

    @tf.function
    def f() -> None:
        v.assign(1.0)
        tf.py_function(lambda: seen.append(float(v)), [], [])
        v.assign(2.0)
        tf.py_function(lambda: seen.append(float(v)), [], [])

    f()
    assert seen == [1.0, 2.0]


def test_a_tensor_array_as_a_result() -> None:
    @tf.function
    def squares(n: Any) -> Any:
        array = tf.TensorArray(tf.int32, n)
        for i in tf.range(n):
            array = array.write(i, i * i)
        return array

    np.testing.assert_array_equal(squares(tf.constant(4)).stack(), [0, 1, 4, 9])
    assert tf.function(lambda: squares(3).size())().numpy() == 3


def test_a_builtin_without_a_signature() -> None:
    assert tf.function(max)(2, 3).numpy() == 3


def test_an_argument_that_changes_what_it_is_equal_to() -> None:
    class Scale:
        def __init__(self, by: int) -> None:
            self.by = by

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Scale) and other.by == self.by

        def __hash__(self) -> int:
            return hash(self.by)

    f = tf.function(lambda x, scale: x * scale.by)
    scale = Scale(5)
    assert f(tf.constant(2), scale).numpy() == 10
    scale.by = 6
    assert f(tf.constant(2), scale).numpy() == 12


def test_rounding_names_the_function_for_it() -> None:
    for call in (round, lambda x: round(x, 1), tf.function(lambda x: round(x))):
        with pytest.raises(AttributeError, match="tf\\.round"):
            call(tf.constant(1.5))


def test_a_limit_changes_nothing_about_what_a_body_may_return() -> None:
    start = [tf.constant(0), tf.constant(1)]
    first, second = tf.while_loop(lambda a, b: a < 9, lambda a, b: (a + 1, b * 2), start, maximum_iterations=3)
    assert (int(first), int(second)) == (3, 8)


@pytest.mark.parametrize("limit", [None, 2])
def test_loop_variables_in_a_dictionary(limit: int | None) -> None:
    def loop(n: Any) -> Any:
        start = {"i": tf.constant(0), "total": tf.constant(10)}
        return tf.while_loop(
            lambda v: v["i"] < n,
            lambda v: {"i": v["i"] + 1, "total": v["total"] + v["i"]},
            start,
            maximum_iterations=limit,
        )

    for run in (loop, tf.function(loop)):
        result = run(tf.constant(4))
        assert {k: int(v) for k, v in result.items()} == (
            {"i": 4, "total": 16} if limit is None else {"i": 2, "total": 11}
        )


def test_a_class_made_from_variable() -> None:
    class Doubled(tf.Variable):  # type: ignore[misc]
        def twice(self) -> Any:
            return self * 2.0

    v = Doubled(1.5)
    with tf.variable_creator_scope(lambda make, **given: make(**given)):
        inside = Doubled(2.5)
    assert isinstance(v, tf.Variable)
    assert isinstance(inside, Doubled)
    assert tf.function(lambda: v.twice() + inside.twice())().numpy() == 8.0
