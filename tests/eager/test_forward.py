"""``tf.autodiff.ForwardAccumulator``: for every op it agrees with the gradient; nesting; functions; control flow."""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf
from tests.ops.test_gradients import CASES, FIRST_ORDER_ONLY

Accumulator = tf.autodiff.ForwardAccumulator
X = np.array([1.0, 2.0, 3.0])


def ones():
    return tf.ones(3, tf.float64)


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
@pytest.mark.parametrize("name", [name for name in CASES if name not in FIRST_ORDER_ONLY])
def test_the_product_of_the_jacobian_agrees_with_the_gradient(name, traced):
    function, arrays = CASES[name]
    random = np.random.default_rng(3)
    x = [tf.constant(a) for a in arrays]
    direction = [tf.constant(random.normal(size=a.shape)) for a in arrays]
    weights = tf.constant(random.normal(size=function(*x).shape))

    def forwards(x, direction):
        with Accumulator(x, direction) as accumulator:
            y = tf.reshape(function(*x), weights.shape)
        return accumulator.jvp(y, unconnected_gradients=tf.UnconnectedGradients.ZERO)

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.reshape(function(*x), weights.shape) * weights)
    gradients = tape.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    expected = sum(float(tf.reduce_sum(g * d)) for g, d in zip(gradients, direction, strict=True))
    product = (tf.function(forwards, autograph=False) if traced else forwards)(x, direction)
    assert product.shape == weights.shape
    assert float(tf.reduce_sum(product * weights)) == pytest.approx(expected, rel=1e-9, abs=1e-10)


def cube(x):
    return tf.reduce_sum(x**3)


def test_nested_accumulators_give_second_derivatives():
    x = tf.constant(X)
    with Accumulator(x, ones()) as outer, Accumulator(x, ones()) as inner:
        y = x**3
        first = inner.jvp(y)
    np.testing.assert_allclose(first, 3 * X**2)
    np.testing.assert_allclose(outer.jvp(y), 3 * X**2)
    np.testing.assert_allclose(outer.jvp(first), 6 * X)
    np.testing.assert_allclose(outer.jvp(inner.jvp(y)), 6 * X)


def test_a_tape_inside_gives_the_product_of_the_hessian():
    x = tf.constant(X)
    with Accumulator(x, ones()) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = cube(x)
        gradient = tape.gradient(y, x)
    np.testing.assert_allclose(accumulator.jvp(gradient), 6 * X)
    assert float(accumulator.jvp(y)) == pytest.approx(42)


@pytest.mark.parametrize("after", [False, True])
def test_a_tape_outside_differentiates_the_product(after):
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with Accumulator(x, ones()) as accumulator:
            y = cube(x)
            product = accumulator.jvp(y)
        if after:
            product = accumulator.jvp(y)
    np.testing.assert_allclose(tape.gradient(product, x), 6 * X)


@tf.function
def loop(x):
    y = x
    for _ in tf.range(3):
        y = y * x
    if tf.reduce_sum(y) > 0:
        y = y * 2.0
    return y


def test_calls_loops_and_branches():
    x = tf.constant(X)
    with Accumulator(x, ones()) as accumulator:
        y = loop(x)
    np.testing.assert_allclose(accumulator.jvp(y), 8 * X**3)

    @tf.function
    def inside(x):
        with Accumulator(x, ones()) as accumulator:
            y = x
            for _ in tf.range(3):
                y = y * x
            if tf.reduce_sum(y) > 0:
                y = y * 2.0
        return y, accumulator.jvp(y), accumulator.jvp(x)

    value, product, own = inside(x)
    np.testing.assert_allclose(value, 2 * X**4)
    np.testing.assert_allclose(product, 8 * X**3)
    np.testing.assert_allclose(own, np.ones(3))


def test_variables_are_primals():
    v = tf.Variable([1.0, 2.0])
    with Accumulator(v, tf.constant([1.0, 10.0])) as accumulator:
        y = tf.reduce_sum(v**2)
        v.assign_add(v * 2.0)
        z = v * v
    assert float(accumulator.jvp(y)) == 42
    assert accumulator.jvp(v).numpy().tolist() == [1, 10]
    assert accumulator.jvp(z).numpy().tolist() == [6, 120]


def test_rows_of_a_variable():
    table = tf.Variable(tf.ones([3, 2]))
    with Accumulator(table, tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])) as accumulator:
        rows = tf.gather(table, [2, 0])
    assert accumulator.jvp(rows).numpy().tolist() == [[5, 6], [1, 2]]


def test_what_does_not_depend_on_the_primals():
    x = tf.constant(X)
    with Accumulator(x, ones()) as accumulator:
        y, z = x * 2.0, tf.constant(3.0)
        unrelated = [tf.stop_gradient(x), tf.cast(x, tf.int32), tf.argmax(x), tf.math.round(x)]
        parts = tf.split(x, 3)
    assert accumulator.jvp(z) is None
    assert accumulator.jvp(z, unconnected_gradients=tf.UnconnectedGradients.ZERO).numpy() == 0
    found = accumulator.jvp([y, {"z": z}])
    assert found[0].numpy().tolist() == [2, 2, 2]
    assert found[1] == {"z": None}
    assert accumulator.jvp(unrelated) == [None] * 4
    assert [p.numpy().tolist() for p in accumulator.jvp(parts)] == [[1], [1], [1]]
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients"):
        accumulator.jvp(z, unconnected_gradients="some")


def test_an_accumulator_may_be_entered_again_but_not_twice():
    x = tf.constant(X)
    accumulator = Accumulator(x, ones())
    assert accumulator.jvp(x).numpy().tolist() == [1, 1, 1]
    with accumulator:
        y = tf.sin(x)
        with pytest.raises(ValueError, match="already recording"), accumulator:
            pass
    with accumulator:
        z = y * 2.0
    outside = z * 2.0
    np.testing.assert_allclose(accumulator.jvp(z), 2 * np.cos(X))
    assert accumulator.jvp(outside) is None


def test_mistakes():
    x = tf.constant(X)
    with pytest.raises(ValueError, match="structures differ"):
        Accumulator([x], x)
    with pytest.raises(ValueError, match="dtype"):
        Accumulator(x, tf.constant([1, 0, 0]))
    with pytest.raises(ValueError, match="multiple times"):
        Accumulator([x, x], [x, x])


def test_a_custom_gradient_is_the_gradient():
    """TensorFlow looks at the operations inside instead, eagerly."""

    @tf.custom_gradient
    def f(x):
        return x * x, lambda dy: dy * 100.0

    x = tf.constant(X)
    with Accumulator(x, ones()) as accumulator:
        y = f(x)
    assert accumulator.jvp(y).numpy().tolist() == [100, 100, 100]


def test_the_alias():
    assert tf.autodiff.GradientTape is tf.GradientTape
