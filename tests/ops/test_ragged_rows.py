"""RaggedTensors in functions of whole tensors, beyond what the oracle's records say."""

from __future__ import annotations

import operator
from typing import Any

import pytest

import graphlab as tf

ROWS = tf.ragged.constant([[1, 2], [], [3]])


@pytest.mark.parametrize(
    "other", [None, "a", tf.ragged.constant([[1], [2], []]), tf.ragged.constant([[[1]], [], [[2]]])]
)
def test_what_cannot_be_compared_is_not_equal(other: Any) -> None:
    assert [operator.eq(ROWS, other), operator.ne(ROWS, other)] == [False, True]


@pytest.mark.parametrize("use", [hash, bool])
def test_uses_that_are_refused(use: Any) -> None:
    with pytest.raises(TypeError, match="RaggedTensor"):
        use(ROWS)


@pytest.mark.parametrize("how", [lambda f: f, tf.function], ids=["eager", "traced"])
def test_one_index_for_rows_of_different_lengths_is_refused(how: Any) -> None:
    def first(rows: Any) -> Any:
        return tf.gather(rows, [0], axis=1)

    with pytest.raises(ValueError, match="batch_dims"):
        how(first)(ROWS)


def test_the_number_of_multiples_is_that_of_the_axes() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="1 multiples for 2 axes"):
        tf.tile(ROWS, [2])


def test_a_function_of_ragged_rows_of_any_number() -> None:
    """The number of rows is not known while tracing."""

    @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
    def f(rows: Any) -> Any:
        both = tf.concat([rows, tf.tile(rows, [1, 2])], 1)
        return (
            tf.reduce_sum(both, 1),
            tf.stack([rows, rows], 1),
            tf.reduce_max(tf.expand_dims(rows, 1), 2),
            tf.size(rows),
        )

    sums, pairs, largest, count = f(ROWS)
    assert sums.numpy().tolist() == [9, 0, 9]
    assert pairs.to_list() == [[[1, 2], [1, 2]], [[], []], [[3], [3]]]
    assert largest.to_list() == [[2], [-(2**31)], [3]]
    assert int(count) == 3


def test_all_axes_are_kept_once() -> None:
    pairs = tf.RaggedTensor.from_row_lengths([[0, 1], [2, 3], [4, 5]], [2, 0, 1])
    assert tf.reduce_sum(pairs, keepdims=True).numpy().tolist() == [[[15]]]
