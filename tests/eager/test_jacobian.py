"""Jacobians in graphs that do not know the sizes: the same as eagerly, where every size is known."""

from typing import Any

import numpy as np
import pytest

import graphlab as tf

weights = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
bias = tf.Variable([[1.0, 0.0, 2.0]])
square = tf.function(lambda x: x * x * bias[0, 2])


def layer(x: Any) -> Any:
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.tanh(x @ weights) * bias
    return tape.jacobian(y, [x, bias]), tape.batch_jacobian(y, x)


def elementwise(x: Any) -> Any:
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.sin(x) * x
    return tape.batch_jacobian(y, x), tape.jacobian(y, bias, unconnected_gradients="zero")


def hessian(x: Any) -> Any:
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(x**3) + tf.reduce_prod(x)
        first = inner.gradient(y, x)
    return outer.jacobian(first, x)


def third_order(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(hessian(x) ** 2)
    return tape.gradient(y, x)


def loop_and_branch(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in tf.range(2):
            y = y * x + bias[0, 0]
        if tf.reduce_sum(y) > 0.0:
            y = y * 2.0
    return tape.jacobian(y, [x, bias])


def call(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = square(x)
    return tape.jacobian(y, [x, bias])


MATRIX = np.float32([[0.1, 0.2], [0.3, 0.4]])
CASES = [
    *((f, MATRIX, shape) for f in (layer, elementwise) for shape in ([None, 2], [2, None], [None, None], [2, 2])),
    (elementwise, MATRIX, None),
    *((f, MATRIX[0], shape) for f in (hessian, third_order, loop_and_branch, call) for shape in ([None], None)),
    (elementwise, MATRIX[:, :0], [None, None]),
    (elementwise, MATRIX[:0], [None, None]),
]


@pytest.mark.parametrize(("function", "x", "shape"), CASES)
def test_sizes_that_are_not_known(function: Any, x: Any, shape: Any) -> None:
    traced = tf.function(function, input_signature=[tf.TensorSpec(shape)])
    expected = tf.nest.flatten(function(tf.constant(x)))
    for found, wanted in zip(tf.nest.flatten(traced(x)), expected, strict=True):
        assert found.shape == wanted.shape
        assert found.numpy() == pytest.approx(wanted.numpy(), rel=1e-5)


def test_what_is_known_of_the_shape() -> None:
    shapes = []

    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def f(x: Any) -> Any:
        (by_x, by_bias), batch = layer(x)
        shapes.extend(str(t.shape) for t in (by_x, by_bias, batch))
        return batch

    f(MATRIX)
    assert shapes == ["(None, 3, None, 2)", "(None, 3, 1, 3)", "(None, 3, 2)"]


def test_none_where_nothing_connects() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, weights])
            y = x * x
        by_x, by_weights = tape.jacobian(y, [x, weights])
        assert by_weights is None
        return by_x

    assert f(tf.constant([1.0, 2.0])).numpy().tolist() == [[2.0, 0.0], [0.0, 4.0]]


def test_batches_of_other_sizes_are_told_when_it_runs() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x[1:]
        return tape.batch_jacobian(y, x)

    with pytest.raises(tf.errors.InvalidArgumentError):
        f(MATRIX)
