"""Chains of elementwise operations on large arrays: block by block, the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphlab as tf
from graphlab.compile import Executable, executable

SIZE = (1 << 18) + 12_345

STEPS = [
    lambda v, x, s: v * 1.01,
    lambda v, x, s: v + x,
    lambda v, x, s: x - v,
    lambda v, x, s: v / (s + 2.0),
    lambda v, x, s: tf.tanh(v),
    lambda v, x, s: tf.exp(-tf.abs(v)),
    lambda v, x, s: tf.maximum(v, 0.25),
    lambda v, x, s: tf.nn.relu(v),
    lambda v, x, s: tf.sqrt(tf.square(v) + 1.0),
    lambda v, x, s: tf.sin(v) * s,
    lambda v, x, s: tf.math.log(tf.abs(v) + 1.0),
]


def graph_of(program: list[int], keep: bool, dtype: Any) -> Any:
    def run(x: Any, s: Any) -> Any:
        value, middle = x, x
        for position, number in enumerate(program):
            value = STEPS[number](value, x, s)
            if keep and position == 1:
                middle = value
        return value, middle

    specs = [tf.TensorSpec([SIZE], dtype), tf.TensorSpec([], dtype)]
    return tf.function(run, autograph=False).get_concrete_function(*specs).graph


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, len(STEPS) - 1), min_size=2, max_size=6), st.booleans(), st.booleans(), st.booleans())
def test_blocks_give_the_same_bits(program: list[int], keep: bool, double: bool, strided: bool) -> None:
    dtype = np.float64 if double else np.float32
    graph = graph_of(program, keep, tf.as_dtype(dtype))
    random = np.random.default_rng(sum(program))
    x = random.standard_normal(2 * SIZE if strided else SIZE).astype(dtype)
    x = x[::2] if strided else x
    before = x.copy()
    arrays = [x, np.array(0.5, dtype)]
    found = [[r.tobytes() for r in f.call(arrays)] for f in (Executable(graph), Executable(graph, plain=True))]
    assert found[0] == found[1]
    assert before.tobytes() == x.tobytes()


def test_a_chain_is_one_call_and_what_is_needed_in_between_is_none() -> None:
    chained = executable(graph_of([0, 1, 6, 2], False, tf.float32)).source
    assert "chain_" in chained
    assert "+" not in chained
    assert "chain_" not in executable(graph_of([0, 1, 6], True, tf.float32)).source


@pytest.mark.parametrize("shape", [[], [1000], [None]])
def test_small_and_unknown_arrays_are_left_alone(shape: Any) -> None:
    f = tf.function(lambda x: tf.tanh(x * 2.0 + 1.0) * 3.0)
    assert "chain_" not in executable(f.get_concrete_function(tf.TensorSpec(shape)).graph).source
