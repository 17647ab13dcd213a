"""Traced functions, against the same NumPy by hand."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

import graphlab as tf
from tests.bench.harness import Pair, benchmark

_random = np.random.default_rng(0)


def _array(*shape: int) -> Any:
    return _random.standard_normal(shape).astype(np.float32)


@benchmark("call of a traced a + a, 2×2", goal=3.5)
def call() -> Pair:
    a = _array(2, 2)
    x = tf.constant(a)
    double = tf.function(lambda v: v + v)
    return Pair(subject=lambda: double(x), baseline=lambda: a + a)


@benchmark("call of a traced method, a + a, 2×2", goal=3.5)
def method() -> Pair:
    class Doubler:
        @tf.function
        def double(self, v: Any) -> Any:
            return v + v

    a = _array(2, 2)
    x = tf.constant(a)
    doubler = Doubler()
    return Pair(subject=lambda: doubler.double(x), baseline=lambda: a + a)


@benchmark("100 small ops in a graph, 10×10", goal=1.2)
def small_ops() -> Pair:
    a = _array(10, 10)
    x = tf.constant(a)
    factor, term = np.array(1.01, np.float32), np.array(0.5, np.float32)

    @tf.function
    def chain(v: Any) -> Any:
        for _ in range(50):
            v = v * 1.01
            v = v + 0.5
        return v

    def by_hand() -> Any:
        v = a
        for _ in range(50):
            v = v * factor
            v = v + term
        return v

    return Pair(subject=lambda: chain(x), baseline=by_hand, units=100)


@benchmark("100 matmuls in a graph, int32 10×10", goal=1.05)
def power() -> Pair:
    a = _random.integers(-1, 2, (10, 10)).astype(np.int32)
    x = tf.constant(a)

    @tf.function
    def raised(v: Any) -> Any:
        result = tf.eye(10, dtype=tf.int32)
        for _ in range(100):
            result = tf.matmul(v, result)
        return result

    def by_hand() -> Any:
        result = np.eye(10, dtype=np.int32)
        for _ in range(100):
            result = a @ result
        return result

    return Pair(subject=lambda: raised(x), baseline=by_hand)


@benchmark("a Collatz iteration, against Python ints", goal=3)
def collatz() -> Pair:
    @tf.function
    def steps(n: Any) -> Any:
        count = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            count += 1
        return count

    def by_hand(n: int = 27) -> int:
        count = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count

    start = tf.constant(27)
    return Pair(subject=lambda: steps(start), baseline=by_hand, units=111)


def _step(traced: bool) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """One SGD step of a small network, ours and by hand."""
    w1, b1 = _array(784, 128) * 0.05, np.zeros(128, np.float32)
    w2, b2 = _array(128, 10) * 0.05, np.zeros(10, np.float32)
    x, y = np.abs(_array(32, 784)), _random.integers(0, 10, 32).astype(np.int32)
    variables = [tf.Variable(v) for v in (w1, b1, w2, b2)]
    xs, ys = tf.constant(x), tf.constant(y)

    def step(inputs: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.matmul(inputs, variables[0]) + variables[1])
            logits = tf.matmul(hidden, variables[2]) + variables[3]
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.1 * gradient)
        return loss

    own = [w1.copy(), b1.copy(), w2.copy(), b2.copy()]
    rate, one, share = np.float32(0.1), np.float32(1), np.float32(1 / 32)
    rows = np.arange(32)

    def by_hand() -> Any:
        z = x @ own[0]
        z += own[1]
        hidden = np.maximum(z, 0)
        logits = hidden @ own[2]
        logits += own[3]
        logits -= logits.max(1, keepdims=True)
        e = np.exp(logits)
        s = e.sum(1, keepdims=True)
        loss = (np.log(s)[:, 0] - logits[rows, y]).mean()
        e /= s
        e[rows, y] -= one
        e *= share
        grads = [None, None, hidden.T @ e, e.sum(0)]
        dh = e @ own[2].T
        dh *= z > 0
        grads[0], grads[1] = x.T @ dh, dh.sum(0)
        for value, grad in zip(own, grads, strict=True):
            grad *= rate
            value -= grad
        return loss

    run = tf.function(step) if traced else step
    return (lambda: run(xs, ys)), by_hand


@benchmark("MLP 784-128-10, batch 32: SGD step, graph", goal=1.15)
def mlp_graph() -> Pair:
    ours, by_hand = _step(True)
    return Pair(subject=ours, baseline=by_hand)


@benchmark("MLP 784-128-10, batch 32: SGD step, eager", goal=2)
def mlp_eager() -> Pair:
    ours, by_hand = _step(False)
    return Pair(subject=ours, baseline=by_hand)


@benchmark("two independent matmuls 1000×1000: two threads against one", goal=0.65)
def parallel() -> Pair:
    arrays = [tf.constant(_array(1000, 1000)) for _ in range(4)]

    def products(a: Any, b: Any, c: Any, d: Any) -> Any:
        return tf.matmul(a, b), tf.matmul(c, d)

    made = []
    before = tf.config.threading.get_inter_op_parallelism_threads()
    for threads in (2, 1, before):
        with contextlib.suppress(RuntimeError):  # TensorFlow does not let it change any more
            tf.config.threading.set_inter_op_parallelism_threads(threads)
        if len(made) < 2:
            made.append(tf.function(products))
            made[-1](*arrays)  # code is made for the number of threads there are now
    two, one = made
    return Pair(subject=lambda: two(*arrays), baseline=lambda: one(*arrays))
