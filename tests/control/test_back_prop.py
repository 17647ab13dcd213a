"""`back_prop=False`: in a graph the results of a loop have no gradient; eagerly it has no effect (as in TensorFlow)."""

from collections.abc import Callable
from typing import Any

import pytest

import graphlab as tf

LOOPS: list[tuple[str, Callable[[Any, bool], Any]]] = [
    (
        "while_loop",
        lambda x, back: tf.while_loop(
            lambda i, y: i < 2, lambda i, y: (i + 1, y * x), (tf.constant(0), x), back_prop=back
        )[1],
    ),
    ("map_fn", lambda x, back: tf.map_fn(lambda a: a * a, x, back_prop=back)),
    ("scan", lambda x, back: tf.scan(lambda a, b: a * b, x, back_prop=back)),
    ("foldl", lambda x, back: tf.foldl(lambda a, b: a * b, x, back_prop=back)),
    ("foldr", lambda x, back: tf.foldr(lambda a, b: a * b, x, back_prop=back)),
]


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
@pytest.mark.parametrize("back_prop", [False, True])
@pytest.mark.parametrize("loop", [case[1] for case in LOOPS], ids=[case[0] for case in LOOPS])
def test_back_prop(loop: Callable[[Any, bool], Any], back_prop: bool, traced: bool) -> None:
    def run(x: Any) -> Any:
        return loop(x, back_prop)

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(run)(x) if traced else run(x)
    gradient = tape.gradient(y, x)
    assert (gradient is None) == (traced and not back_prop)


@pytest.mark.parametrize("loop", [case[1] for case in LOOPS], ids=[case[0] for case in LOOPS])
def test_the_results_are_the_same(loop: Callable[[Any, bool], Any]) -> None:
    x = tf.constant([1.0, 2.0])
    kept, stopped = (tf.function(lambda x, back=back: loop(x, back))(x) for back in (True, False))
    assert kept.numpy().tolist() == stopped.numpy().tolist()
