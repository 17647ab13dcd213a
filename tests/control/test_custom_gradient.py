"""Custom gradients of higher order: the gradient function may use anything that was computed on the way."""

from typing import Any

import numpy as np
import pytest

import graphlab as tf
from graphlab.eager.array_gradients import view

scale = tf.Variable(2.0)


@tf.custom_gradient
def softplus(x: Any) -> Any:
    e = tf.exp(x)

    def backward(up: Any) -> Any:
        return up * (1.0 - 1.0 / (1.0 + e))

    return tf.math.log(1.0 + e), backward


@tf.custom_gradient
def scaled(x: Any) -> Any:
    e = tf.exp(x * scale)

    def backward(up: Any, variables: Any = None) -> Any:
        return up * e * scale, [tf.reduce_sum(up * e * x) for _ in variables]

    return e, backward


@tf.custom_gradient
def nested(x: Any) -> Any:
    y = softplus(x)
    return y, lambda up: up * y


def slopes(function: Any, x: Any) -> Any:
    """The gradient, and the gradient's own for x and for the variable."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        first = inner.gradient(y, x)
    return first, *outer.gradient(first, [x, scale])


X = np.float32([0.0, 1.0])
SIGMOID = 1.0 / (1.0 + np.exp(-X))
CASES = [
    (softplus, SIGMOID, SIGMOID * (1.0 - SIGMOID), None),
    (scaled, 2.0 * np.exp(2.0 * X), 4.0 * np.exp(2.0 * X), np.sum(np.exp(2.0 * X) * (1.0 + 2.0 * X))),
    (nested, np.log1p(np.exp(X)), SIGMOID, None),
]


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
@pytest.mark.parametrize(("function", "first", "second", "for_variable"), CASES)
def test_the_second_order_goes_through_what_the_gradient_function_uses(
    function: Any, first: Any, second: Any, for_variable: Any, traced: bool
) -> None:
    run = tf.function(slopes) if traced else slopes
    found = run(function, tf.constant(X))
    assert found[0].numpy() == pytest.approx(first)
    assert found[1].numpy() == pytest.approx(second)
    if for_variable is None:
        assert found[2] is None
    else:
        assert found[2].numpy() == pytest.approx(for_variable)


def test_a_persistent_tape_records_the_gradient_function_too() -> None:
    x = tf.constant(X)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        first = tape.gradient(softplus(x), x)
    assert tape.gradient(first, x).numpy() == pytest.approx(SIGMOID * (1.0 - SIGMOID))


def test_what_is_computed_again_is_not_kept_by_the_tape() -> None:
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.recompute_grad(lambda v: tf.sin(tf.exp(tf.cos(v))))(x)
        kept = {view(entry).type for entry in tape.entries or ()}
    assert not kept & {"Sin", "Exp", "Cos"}
    assert tape.gradient(y, x) is not None
