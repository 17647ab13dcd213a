"""Networks: a deep one, recurrent ones unrolled and looped, an LSTM cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import graphlab as tf
from tests.bench.harness import Memory, Pair, benchmark

_random = np.random.default_rng(0)


def _array(*shape: int, scale: float = 1.0) -> Any:
    return (_random.standard_normal(shape) * scale).astype(np.float32)


def _lstm(traced: bool) -> Pair:
    """One step of an LSTM cell, batch 10, 10 units."""
    units = 10
    wx, wh, b = _array(10, 4 * units, scale=0.1), _array(units, 4 * units, scale=0.1), np.zeros(4 * units, np.float32)
    x, h, c = _array(10, 10), _array(10, units), _array(10, units)
    one = np.array(1, np.float32)
    twx, twh, tb = tf.constant(wx), tf.constant(wh), tf.constant(b)

    def cell(x: Any, h: Any, c: Any) -> Any:
        z = x @ twx + h @ twh + tb
        i, f = tf.sigmoid(z[:, :units]), tf.sigmoid(z[:, units : 2 * units])
        g, o = tf.tanh(z[:, 2 * units : 3 * units]), tf.sigmoid(z[:, 3 * units :])
        c = f * c + i * g
        return o * tf.tanh(c), c

    def sigmoid(v: Any) -> Any:
        return one / (one + np.exp(-v))

    def by_hand() -> Any:
        z = x @ wx + h @ wh + b
        i, f = sigmoid(z[:, :units]), sigmoid(z[:, units : 2 * units])
        g, o = np.tanh(z[:, 2 * units : 3 * units]), sigmoid(z[:, 3 * units :])
        new = f * c + i * g
        return o * np.tanh(new), new

    run = tf.function(cell) if traced else cell
    tensors = [tf.constant(v) for v in (x, h, c)]
    return Pair(subject=lambda: run(*tensors), baseline=by_hand)


benchmark("LSTM cell 10×10, graph", goal=1.2)(lambda: _lstm(True))
benchmark("LSTM cell 10×10, eager", goal=1.8)(lambda: _lstm(False))


def _rnn(looped: bool) -> Pair:
    """100 steps of a simple recurrent network, batch 8, 32 units."""
    w, u, x, h = _array(32, 32, scale=0.1), _array(32, 32, scale=0.1), _array(100, 8, 32), np.zeros((8, 32), np.float32)
    tw, tu, tx, th = (tf.constant(v) for v in (w, u, x, h))

    @tf.function(autograph=False)
    def unrolled(x: Any, h: Any) -> Any:
        for i in range(100):
            h = tf.tanh(x[i] @ tw + h @ tu)
        return h

    @tf.function(autograph=False)
    def loop(x: Any, h: Any) -> Any:
        return tf.while_loop(
            lambda i, h: i < 100, lambda i, h: (i + 1, tf.tanh(x[i] @ tw + h @ tu)), (tf.constant(0), h)
        )[1]

    def by_hand() -> Any:
        state = h
        for i in range(100):
            state = np.tanh(x[i] @ w + state @ u)
        return state

    run = loop if looped else unrolled
    return Pair(subject=lambda: run(tx, th), baseline=by_hand, units=100)


benchmark("RNN, a step of 100, unrolled")(lambda: _rnn(False))
benchmark("RNN, a step of 100, looped")(lambda: _rnn(True))


def _deep_network() -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Forward and gradients of 20 layers of 64 units, batch 32."""
    weights = [_array(64, 64, scale=0.1) for _ in range(20)]
    x = _array(32, 64)
    variables, tx = [tf.Variable(w) for w in weights], tf.constant(x)

    @tf.function(autograph=False)
    def gradients(v: Any) -> Any:
        with tf.GradientTape() as tape:
            for variable in variables:
                v = tf.nn.relu(tf.matmul(v, variable))
            loss = tf.reduce_sum(v)
        return tape.gradient(loss, variables)

    def by_hand() -> Any:
        values = [x]
        for w in weights:
            values.append(np.maximum(values[-1] @ w, 0))
        dy = np.ones_like(values[-1])
        found = []
        for w, before, after in zip(reversed(weights), reversed(values[:-1]), reversed(values[1:]), strict=True):
            dy *= after > 0
            found.append(before.T @ dy)
            dy = dy @ w.T
        return found[::-1]

    return lambda: gradients(tx), by_hand


benchmark("20-layer MLP: gradients, graph")(lambda: Pair(*_deep_network()))
benchmark("peak memory of the 20-layer MLP's gradients")(lambda: Memory(*_deep_network()))


@benchmark("convolutional network 16×12×12: SGD step, graph")
def conv_step() -> Pair:
    """A convolution with 8 filters 3×3, a dense layer to 10 classes, cross entropy; both by hand on matrix products."""
    x, y = _array(16, 12, 12, 1), _random.integers(0, 10, 16).astype(np.int32)
    values = [
        _array(3, 3, 1, 8, scale=0.3),
        np.zeros(8, np.float32),
        _array(800, 10, scale=0.05),
        np.zeros(10, np.float32),
    ]
    variables = [tf.Variable(v) for v in values]
    xs, ys = tf.constant(x), tf.constant(y)

    @tf.function(autograph=False)
    def step(inputs: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.nn.conv2d(inputs, variables[0], 1, "VALID") + variables[1])
            logits = tf.matmul(tf.reshape(hidden, [16, 800]), variables[2]) + variables[3]
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.1 * gradient)
        return loss

    own = [values[0].reshape(9, 8).copy(), *[v.copy() for v in values[1:]]]
    rate, one, share = np.float32(0.1), np.float32(1), np.float32(1 / 16)
    rows = np.arange(16)

    def by_hand() -> Any:
        windows = np.lib.stride_tricks.sliding_window_view(x[..., 0], (3, 3), (1, 2)).reshape(1600, 9)
        z = windows @ own[0]
        z += own[1]
        hidden = np.maximum(z, 0).reshape(16, 800)
        logits = hidden @ own[2]
        logits += own[3]
        logits -= logits.max(1, keepdims=True)
        e = np.exp(logits)
        s = e.sum(1, keepdims=True)
        loss = (np.log(s)[:, 0] - logits[rows, y]).mean()
        e /= s
        e[rows, y] -= one
        e *= share
        dz = (e @ own[2].T).reshape(1600, 8)
        dz *= z > 0
        for value, grad in zip(own, [windows.T @ dz, dz.sum(0), hidden.T @ e, e.sum(0)], strict=True):
            grad *= rate
            value -= grad
        return loss

    return Pair(subject=lambda: step(xs, ys), baseline=by_hand)
