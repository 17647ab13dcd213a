"""Single operations and the tape, against NumPy by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

import graphlab as tf
from tests.bench.harness import Pair, benchmark

_random = np.random.default_rng(0)


def _arrays(*shapes: tuple[int, ...]) -> list[Any]:
    return [_random.standard_normal(shape).astype(np.float32) for shape in shapes]


@benchmark("eager add, 2×2", goal=2.5)
def add() -> Pair:
    a, b = _arrays((2, 2), (2, 2))
    x, y = tf.constant(a), tf.constant(b)
    return Pair(subject=lambda: x + y, baseline=lambda: a + b)


@benchmark("eager matmul, 10×10", goal=1.8)
def matmul() -> Pair:
    a, b = _arrays((10, 10), (10, 10))
    x, y = tf.constant(a), tf.constant(b)
    return Pair(subject=lambda: x @ y, baseline=lambda: a @ b)


@benchmark("eager reduce_sum, 10×10", goal=1.8)
def reduce_sum() -> Pair:
    (a,) = _arrays((10, 10))
    x = tf.constant(a)
    return Pair(subject=lambda: tf.reduce_sum(x), baseline=lambda: a.sum())


@benchmark("eager slice, x[1:3]", goal=4)
def slice_() -> Pair:
    (a,) = _arrays((10, 10))
    x = tf.constant(a)
    return Pair(subject=lambda: x[1:3], baseline=lambda: a[1:3])


@benchmark("tape: record and gradient of 100 multiplications", goal=3)
def tape() -> Pair:
    a, b = _random.uniform(0.9, 1.1, (2, 10, 10)).astype(np.float32)  # a hundred factors stay finite
    x, y = tf.constant(a), tf.constant(b)

    def ours() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = x
            for _ in range(100):
                z = z * y
        return tape.gradient(z, x)

    def theirs() -> Any:
        z = a
        kept = []
        for _ in range(100):
            kept.append(z)
            z = z * b
        grad = np.ones_like(z)
        for _ in reversed(kept):
            grad = grad * b
        return grad

    return Pair(subject=ours, baseline=theirs)


@benchmark("eager: 100 matmuls, int32 10×10", goal=1.6)
def power() -> Pair:
    a = _random.integers(-1, 2, (10, 10)).astype(np.int32)
    x = tf.constant(a)

    def ours() -> Any:
        result = tf.eye(10, dtype=tf.int32)
        for _ in range(100):
            result = tf.matmul(x, result)
        return result

    def by_hand() -> Any:
        result = np.eye(10, dtype=np.int32)
        for _ in range(100):
            result = a @ result
        return result

    return Pair(subject=ours, baseline=by_hand)
