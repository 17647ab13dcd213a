"""Functions of whole tensors given RaggedTensors: what parts there are, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphlab as tf


def rows() -> Any:
    return tf.ragged.constant([[1, 2], [], [3]])


def listed(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [listed(part) for part in value]
    return value.to_list() if isinstance(value, tf.RaggedTensor) else value.numpy().tolist()


PARTS: dict[str, tuple[Callable[[], Any], Any]] = {
    "split": (lambda: tf.split(rows(), [1, 2]), [[[1, 2]], [[], [3]]]),
    "split evenly": (lambda: tf.split(rows(), 3), [[[1, 2]], [[]], [[3]]]),
    "partitions of rows": (lambda: tf.dynamic_partition(rows(), [0, 1, 0], 2), [[[1, 2], [3]], [[]]]),
    "partitions of elements": (
        lambda: tf.dynamic_partition(rows(), tf.ragged.constant([[0, 1], [], [1]]), 2),
        [[1], [2, 3]],
    ),
    "moments of places": (lambda: tf.nn.moments(tf.cast(rows(), tf.float32), [0]), [[2.0, 2.0], [1.0, 0.0]]),
    "sums of sparse rows": (
        lambda: tf.map_fn(
            tf.sparse.reduce_sum,
            tf.SparseTensor([[0, 0], [1, 1], [1, 2]], [1, 2, 3], [2, 3]),
            fn_output_signature=tf.int32,
        ),
        [1, 5],
    ),
    "row picked with a tensor": (lambda: tf.ragged.constant([[[1], []], [], [[2]]])[tf.constant(1)], []),
}


@pytest.mark.parametrize(("call", "expected"), PARTS.values(), ids=PARTS)
@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_parts(call: Callable[[], Any], expected: Any, traced: bool) -> None:
    assert listed((tf.function(call) if traced else call)()) == expected


def test_logsumexp_of_places() -> None:
    found = tf.reduce_logsumexp(tf.ragged.constant([[1.0, 2.0], [], [3.0]]), 0)
    np.testing.assert_allclose(found, [np.log(np.exp(1) + np.exp(3)), 2], rtol=1e-6)


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "element beyond a row": (
        lambda: tf.gather_nd(rows(), [[1, 0]]),
        tf.errors.InvalidArgumentError,
        "beyond the end of its row",
    ),
    "element before a row": (lambda: tf.gather_nd(rows(), [[2, -1]]), tf.errors.InvalidArgumentError, "below 0"),
    "other values": (
        lambda: tf.debugging.assert_equal(rows(), rows() + 1),
        tf.errors.InvalidArgumentError,
        "x == y did not hold",
    ),
    "other rows": (
        lambda: tf.debugging.assert_equal(rows(), tf.ragged.constant([[1], [2], [3]])),
        tf.errors.InvalidArgumentError,
        "rows of different lengths",
    ),
    "softmax over rows": (lambda: tf.nn.softmax(tf.cast(rows(), tf.float32), 0), ValueError, "last axis"),
    "split of rows": (lambda: tf.split(rows(), 2, axis=1), ValueError, "different lengths"),
    "map_fn to another dtype": (
        lambda: tf.map_fn(tf.range, tf.constant([1, 2]), fn_output_signature=tf.RaggedTensorSpec([None], tf.float32)),
        ValueError,
        "Expected `fn` to return",
    ),
}


@pytest.mark.parametrize(("call", "error", "text"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_what_is_refused(call: Callable[[], Any], error: type[Exception], text: str, traced: bool) -> None:
    with pytest.raises(error, match=text):
        (tf.function(call) if traced else call)()
