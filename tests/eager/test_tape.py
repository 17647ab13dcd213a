"""Gradient tapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphlab as tf
from graphlab.core.state import ACTIVE


def test_nothing_is_active_after_tapes_and_errors() -> None:
    before = len(ACTIVE)
    with pytest.raises(ZeroDivisionError), tf.GradientTape(persistent=True), tf.GradientTape():
        1 / 0  # noqa: B018
    assert len(ACTIVE) == before


def test_structures_of_sources_and_targets() -> None:
    a, b = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = {"sum": a + b, "product": [a * b]}
    gradient = tape.gradient(y, {"x": [a], "y": b})
    assert {"x": [float(gradient["x"][0])], "y": float(gradient["y"])} == {"x": [4.0], "y": 3.0}


UNWATCHED: list[tuple[str, Any]] = [
    ("a constant", lambda tape, x: (tf.constant(1.0) * 2.0, x)),
    ("behind stop_gradient", lambda tape, x: (tf.stop_gradient(x * 2.0), x)),
    ("through an integer", lambda tape, x: (tf.cast(tf.cast(x, tf.int32), tf.float32), x)),
]


@pytest.mark.parametrize("function", [u[1] for u in UNWATCHED], ids=[u[0] for u in UNWATCHED])
def test_unconnected_sources_are_none_or_zero(function: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, source = function(tape, x)
    assert tape.gradient(y, source) is None
    zero = tape.gradient(y, source, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    assert zero.numpy().tolist() == [0.0, 0.0]


def test_output_gradients_weigh_the_targets() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, x, output_gradients=tf.constant([10.0, 1.0])).numpy().tolist() == [20.0, 4.0]


def test_variables_are_watched_when_read_unless_told() -> None:
    v, frozen = tf.Variable(2.0), tf.Variable(2.0, trainable=False)
    with tf.GradientTape() as tape:
        y = v * frozen
    assert [t.name for t in tape.watched_variables()] == [v.name]
    assert tape.gradient(y, [v, frozen])[1] is None
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(frozen)
        y = v * frozen
    assert [None if g is None else float(g) for g in tape.gradient(y, [v, frozen])] == [None, 2.0]


def test_reset_and_stop_recording() -> None:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.reset()
        y = x * 2.0
        with tape.stop_recording():
            hidden = x * 100.0
        y = y + hidden
    assert float(tape.gradient(y, x)) == 2.0


def test_a_tape_inside_a_traced_function_sees_only_what_is_inside() -> None:
    w = tf.Variable(3.0)

    @tf.function
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * w
        return tape.gradient(y, [x, w])

    gradients = f(tf.constant(2.0))
    assert [float(g) for g in gradients] == [12.0, 4.0]


def test_gather_on_a_variable_gives_indexed_slices_also_through_a_call() -> None:
    table = tf.Variable(np.arange(6, dtype=np.float32).reshape(3, 2))

    def f(i: Any) -> Any:
        return tf.reduce_sum(tf.gather(table, i) ** 2.0)

    for function in (f, tf.function(f)):
        with tf.GradientTape() as tape:
            y = function(tf.constant([2, 0, 2]))
        gradient = tape.gradient(y, table)
        assert isinstance(gradient, tf.IndexedSlices)
        assert tf.convert_to_tensor(gradient).numpy().tolist() == [[0.0, 2.0], [0.0, 0.0], [16.0, 20.0]]


def test_jacobians() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.stack([x[0] * x[1], x[0] + 1.0, x[1] * x[1]])
    assert tape.jacobian(y, x).numpy().tolist() == [[2.0, 1.0], [1.0, 0.0], [0.0, 4.0]]
    rows = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(rows)
        z = rows * rows
    assert tape.batch_jacobian(z, rows).numpy().tolist() == [[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]]


def test_a_variable_is_a_target_too() -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = v * 2.0
    assert tape.gradient(v, v).numpy().tolist() == [1.0, 1.0]
    assert tape.gradient([y, v], v).numpy().tolist() == [3.0, 3.0]
    assert tape.jacobian(v, v).numpy().tolist() == [[1.0, 0.0], [0.0, 1.0]]


MISUSE: list[tuple[str, Any, type[Exception], str]] = [
    ("asked twice", lambda t, x, y: (t.gradient(y, x), t.gradient(y, x)), RuntimeError, "persistent=True"),
    ("no tensor", lambda t, x, y: t.watch(3.0), ValueError, "tf.constant"),
    ("mode", lambda t, x, y: t.gradient(y, x, unconnected_gradients="maybe"), ValueError, "zero"),
    ("None", lambda t, x, y: t.gradient(None, x), TypeError, "None"),
    ("sources None", lambda t, x, y: t.gradient(y, None), TypeError, "sources"),
    ("reset outside", lambda t, x, y: t.reset(), ValueError, "not recording"),
    (
        "batch of numbers",
        lambda t, x, y: t.batch_jacobian(tf.ones([2]), tf.ones([2, 3])),
        ValueError,
        "rank at least 2",
    ),
    ("not recording", lambda t, x, y: t.stop_recording().__enter__(), ValueError, "not recording"),
]


@pytest.mark.parametrize(("misuse", "kind", "words"), [m[1:] for m in MISUSE], ids=[m[0] for m in MISUSE])
def test_misuse_has_a_clear_error(misuse: Any, kind: type[Exception], words: str) -> None:
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    with pytest.raises(kind, match=words):
        misuse(tape, x, y)


def test_entering_an_active_tape_is_an_error() -> None:
    with tf.GradientTape() as tape, pytest.raises(ValueError, match="still recording"):
        tape.__enter__()


def test_recompute_grad_in_a_function_under_a_tape():
    x, v = tf.constant([1.0, 2.0]), tf.Variable(3.0)

    @tf.function
    def f(x):
        return tf.recompute_grad(lambda y: tf.sin(y) * v)(x)

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    dx, dv = tape.gradient(y, [x, v])
    np.testing.assert_allclose(dx.numpy(), 3 * np.cos([1.0, 2.0]), rtol=1e-6)
    np.testing.assert_allclose(dv.numpy(), np.sin([1.0, 2.0]).sum(), rtol=1e-6)
