"""Functions that run in batches: calls of several threads together, filled up to allowed sizes."""

import threading
from typing import Any

import numpy as np
import pytest

import graphlab as tf


def test_calls_of_several_threads_run_together() -> None:
    sizes: list[int] = []

    @tf.nondifferentiable_batch_function(1, 4, 10_000_000)
    def double(x: tf.Tensor) -> Any:
        tf.py_function(lambda n: sizes.append(int(n)), [tf.shape(x)[0]], [])
        return x * 2

    found: dict[int, np.ndarray] = {}
    threads = [
        threading.Thread(target=lambda i=i: found.update({i: double(tf.fill([1], float(i))).numpy()})) for i in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert {key: value.tolist() for key, value in found.items()} == {i: [2.0 * i] for i in range(4)}
    assert sizes == [4], "the batch was full, so it ran at once"


@pytest.mark.parametrize(
    ("allowed", "rows", "got"),
    [
        ([4, 10], 3, [4]),
        ([4, 10], 4, [4]),
        ([4, 10], 5, [10]),
        ([2, 4], 7, [4, 4]),
        (None, 3, [3]),
        ([2, 4], 5, [4, 2]),
    ],
)
def test_batches_are_filled_up_to_allowed_sizes(allowed: list[int] | None, rows: int, got: list[int]) -> None:
    seen: list[int] = []

    @tf.nondifferentiable_batch_function(1, 10, 0, allowed_batch_sizes=allowed)
    def double(x: tf.Tensor) -> Any:
        tf.py_function(lambda n: seen.append(int(n)), [tf.shape(x)[0]], [])
        return x * 2

    assert double(tf.range(rows)).numpy().tolist() == [2 * i for i in range(rows)]
    assert seen == got


@pytest.mark.parametrize("sizes", [[10, 4, 10], [4, 4], [4, 11]])
def test_allowed_sizes_must_be_in_order(sizes: list[int]) -> None:
    function = tf.nondifferentiable_batch_function(1, 10, 0, allowed_batch_sizes=sizes)(lambda x: x)
    with pytest.raises(tf.errors.InvalidArgumentError, match="allowed_batch_sizes"):
        function(tf.ones([2]))


def test_an_error_reaches_every_call_of_the_batch() -> None:
    @tf.nondifferentiable_batch_function(1, 2, 10_000_000)
    def checked(x: tf.Tensor) -> Any:
        tf.debugging.assert_positive(x)
        return x

    caught: list[str] = []

    def call(value: float) -> None:
        try:
            checked(tf.fill([1], value))
        except tf.errors.InvalidArgumentError as error:
            caught.append(type(error).__name__)

    threads = [threading.Thread(target=call, args=(value,)) for value in (1.0, -1.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert caught == ["InvalidArgumentError"] * 2


def test_rows_are_unknown_inside_and_there_is_no_gradient() -> None:
    shapes: list[list[int | None]] = []

    @tf.nondifferentiable_batch_function(1, 10, 0)
    def double(x: tf.Tensor) -> Any:
        shapes.append(x.shape.as_list())
        return x * 2

    x = tf.ones([3, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = double(x)
    double(tf.ones([4, 2]))
    assert shapes == [[None, 2]], "one trace serves any number of rows"
    with pytest.raises(LookupError):
        tape.gradient(y, x)
