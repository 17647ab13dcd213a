"""What a tape refuses: targets and sources that are no tensors, and what comes before it was entered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphlab as tf

NO_TENSORS: list[tuple[str, Any, type[Exception]]] = [
    ("a text as target", lambda tape, y, v: tape.gradient("t", v), TypeError),
    ("a text as source", lambda tape, y, v: tape.gradient(y, "s"), TypeError),
    ("a text among sources", lambda tape, y, v: tape.gradient(y, [v, "s"]), TypeError),
    ("None among sources", lambda tape, y, v: tape.gradient(y, [v, None]), TypeError),
    ("None as target", lambda tape, y, v: tape.gradient(None, v), TypeError),
    ("a number as target", lambda tape, y, v: tape.gradient(3.0, v), AttributeError),
    ("an array as target", lambda tape, y, v: tape.gradient(np.ones(2), v), AttributeError),
    ("a number among targets", lambda tape, y, v: tape.gradient([3.0, y], v), AttributeError),
    ("a number as source", lambda tape, y, v: tape.gradient(y, 3.0), AttributeError),
    ("an array as source", lambda tape, y, v: tape.gradient(y, np.ones(2)), AttributeError),
    ("None among the sources of a Jacobian", lambda tape, y, v: tape.jacobian(y, [v, None]), TypeError),
    ("a text as source of a Jacobian", lambda tape, y, v: tape.jacobian(y, "s"), TypeError),
    ("too many output_gradients", lambda tape, y, v: tape.gradient(y, v, [y, y]), ValueError),
    ("too few output_gradients", lambda tape, y, v: tape.gradient([y, y], v, [y]), ValueError),
]


@pytest.mark.parametrize(("ask", "kind"), [case[1:] for case in NO_TENSORS], ids=[case[0] for case in NO_TENSORS])
def test_targets_and_sources_are_tensors(ask: Any, kind: type[Exception]) -> None:
    v = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = v * v
    with pytest.raises(kind):
        ask(tape, y, v)


@pytest.mark.parametrize(
    ("use", "kind"),
    [
        (lambda tape: tape.stop_recording().__enter__(), RuntimeError),
        (lambda tape: tape.gradient(tf.constant(1.0), tf.constant(1.0)), RuntimeError),
        (lambda tape: tape.watch(tf.constant(1.0)), AttributeError),
        (lambda tape: tape.reset(), ValueError),
    ],
    ids=["stop_recording", "gradient", "watch", "reset"],
)
def test_a_tape_that_was_never_entered(use: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        use(tf.GradientTape())


@pytest.mark.parametrize("tangent", [[1.0, 2.0], [[1.0]]], ids=repr)
def test_a_tangent_has_the_shape_of_its_primal(tangent: Any) -> None:
    x = tf.constant(1.0)
    with pytest.raises(tf.errors.InvalidArgumentError), tf.autodiff.ForwardAccumulator(x, tf.constant(tangent)) as acc:
        acc.jvp(x * x)


def test_an_integer_result_of_a_call_has_no_gradient() -> None:
    @tf.function
    def steps(x: Any) -> Any:
        n = tf.constant(0)
        while x < 20.0:
            x, n = x * x, n + 1
        return x, n

    def gradient() -> Any:
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            _, n = steps(x)
        return tape.gradient(n, x) is None

    assert gradient()
    assert bool(tf.function(gradient)())
