"""Gradients on arrays are, bit for bit, those of the gradient functions of the op records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphlab as tf
from graphlab.eager.array_gradients import RULES

X = np.array([[0.5, -1.5, 2.0], [0.25, 3.0, -0.0]], np.float32)
W = np.array([[1.0, 2.0], [-1.0, 0.5], [0.25, 4.0]], np.float32)
LABELS = np.array([2, 0], np.int32)

CASES: dict[str, Any] = {
    "AddV2": lambda x, w: x + w[:, 0],
    "Sub": lambda x, w: 1.0 - x - w[:, :1][0] * x,
    "Mul": lambda x, w: x * x * 3.0 * w[0, 0],
    "RealDiv": lambda x, w: x / (w[:, 1] + 10.0) / 3.0,
    "MatMul": lambda x, w: x @ w + tf.matmul(w, x, transpose_a=True, transpose_b=True),
    "BiasAdd": lambda x, w: tf.nn.bias_add(x, w[:, 0]) * x,
    "Neg": lambda x, w: -x * w[:, 0],
    "Exp": lambda x, w: tf.exp(x) + tf.exp(-x),
    "Log": lambda x, w: tf.math.log(tf.abs(x) + 1.0),
    "Square": lambda x, w: tf.square(x) * 2.0,
    "Tanh": lambda x, w: tf.tanh(x) * x,
    "Sigmoid": lambda x, w: tf.sigmoid(x * 3.0),
    "Relu": lambda x, w: tf.nn.relu(x) * tf.nn.relu(-x + 1.0),
    "Sum": lambda x, w: tf.reduce_sum(x, 0) * tf.reduce_sum(x * x) + tf.reduce_sum(x, 1, keepdims=True),
    "Mean": lambda x, w: tf.reduce_mean(x, 1, keepdims=True) * x + tf.reduce_mean(x),
    "Reshape": lambda x, w: tf.reshape(x, [3, 2]) * w,
    "ExpandDims": lambda x, w: tf.expand_dims(x, 1) * w[:, 0],
    "SparseSoftmaxCrossEntropyWithLogits": lambda x, w: tf.nn.sparse_softmax_cross_entropy_with_logits(LABELS, x) * 2.0,
    "Identity": lambda x, w: tf.identity(x) * x,
    "other ops in between": lambda x, w: tf.cumsum(tf.concat([x, tf.transpose(w)], 0) * 2.0) / 3.0,
}


def gradients(function: Any, x: Any, w: Any, general: bool) -> list[bytes | None]:
    def run() -> Any:
        a, b = tf.Variable(x), tf.constant(w)
        with tf.GradientTape() as tape:
            tape.watch(b)
            y = function(a.read_value(), b)
        return tape.gradient(y, [a, b])

    if general:
        with tf.GradientTape():  # while another tape listens, gradients go the general way
            found = run()
    else:
        found = run()
    return [None if g is None else np.ascontiguousarray(g.numpy()).tobytes() for g in found]


@pytest.mark.parametrize("name", CASES)
def test_the_quick_gradient_is_the_general_one(name: str) -> None:
    assert gradients(CASES[name], X, W, False) == gradients(CASES[name], X, W, True)


def test_every_rule_has_a_case() -> None:
    assert set(RULES) - {"ReadVariableOp"} <= set(CASES)  # all cases read a variable


STEPS = [
    lambda a, b: a * b,
    lambda a, b: a + b,
    lambda a, b: a - 2.0 * b,
    lambda a, b: a / (b * b + 1.0),
    lambda a, b: tf.matmul(a, b, transpose_b=True) @ b,
    lambda a, b: tf.tanh(a) * tf.reduce_mean(b, 0),
    lambda a, b: tf.nn.relu(a) + tf.reduce_sum(b),
    lambda a, b: tf.maximum(a, b),
    lambda a, b: a[::-1] * b[0],
]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(STEPS) - 1), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8)
)
def test_random_programs(program: Any) -> None:
    def run(x: Any, w: Any) -> Any:
        values = [x, tf.tanh(w[:2, :1]) * x]
        for step, i, j in program:
            values.append(STEPS[step](values[i % len(values)], values[j % len(values)]))
        return values[-1]

    assert gradients(run, X, W, False) == gradients(run, X, W, True)


def test_intermediate_tensors_are_sources_too() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 3.0
        z = y * y + y
    by_y, by_x, by_z = tape.gradient(z, [y, x, z])
    assert by_y.numpy().tolist() == [7.0, 13.0]
    assert by_x.numpy().tolist() == [21.0, 39.0]
    assert by_z.numpy().tolist() == [1.0, 1.0]


def test_only_what_depends_on_watched_values_is_recorded() -> None:
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        for _ in range(10):
            y = y * y
        z = x * y
    assert len(tape.entries or ()) == 1
    assert float(tape.gradient(z, x)) == float(y)
