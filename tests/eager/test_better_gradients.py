"""Where gradients are right and TensorFlow 2.21's are not: the rows about gradients in docs/differences.md."""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf


def test_rows_gathered_twice_from_a_tensor_array_have_both_gradients():
    @tf.function
    def f(x):
        array = tf.TensorArray(tf.float32, size=3).unstack(x)
        return tf.reduce_sum(array.gather([1, 1]) ** 2)

    x = tf.constant([1.0, -1.0, 2.0])
    for function in (f, f.python_function):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        assert tape.gradient(y, x).numpy().tolist() == [0.0, -4.0, 0.0]


def test_a_tape_records_the_forward_derivative_of_a_traced_call():
    @tf.function
    def cube(x):
        return x**3

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
            y = cube(x)
        slope = accumulator.jvp(y)
    assert slope.numpy() == 12.0
    assert tape.gradient(slope, x).numpy() == 12.0


@pytest.mark.parametrize(
    ("weights", "match"),
    [
        (lambda: tf.constant(3.0), r"shape \(\) for a target of shape \(2,\).*tf.broadcast_to"),
        (lambda: tf.ones([3]), r"shape \(3,\) for a target"),
        (lambda: tf.constant([1, 2]), r"dtype int32 for a target of float32.*tf.cast"),
        (lambda: np.ones([2, 2], np.float32), r"shape \(2, 2\)"),
    ],
)
def test_output_gradients_that_do_not_fit(weights, match):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 2.0
    with pytest.raises(tf.errors.InvalidArgumentError, match=match):
        tape.gradient(y, x, output_gradients=weights())
