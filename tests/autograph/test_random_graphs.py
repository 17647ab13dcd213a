"""Random programs: what a traced function gives is what the same Python gives eagerly."""

import pytest

import graphlab as tf
from tests.autograph.random_graphs import GraphWriter
from tests.autograph.random_programs import make


@pytest.mark.parametrize("start", range(0, 72, 12))
def test_traced_as_eager(start):
    for seed in range(start, start + 12):
        source = GraphWriter(seed).write()
        eager = make(source)
        eager.__globals__["tf"] = tf
        traced = tf.function(eager)
        for args in ((0, 0), (1, 3), (5, 2), (-3, 4)):
            tensors = [tf.constant(v) for v in args]
            expected = [int(v) for v in eager(*tensors)]
            assert [int(v) for v in traced(*tensors)] == expected, f"seed {seed}, arguments {args}\n{source}"
