"""What JAX is measured at: name of a benchmark → function that prepares the call to time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax  # type: ignore[import-not-found, unused-ignore]
import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]
import numpy as np

_random = np.random.default_rng(0)


def _rand(*shape: int) -> Any:
    return jnp.asarray(_random.standard_normal(shape), jnp.float32)


def _timed(function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
    """A call that waits for its result: JAX returns before it has one."""
    return lambda: jax.block_until_ready(function(*arguments))


def _add() -> Callable[[], Any]:
    return _timed(lambda x, y: x + y, _rand(2, 2), _rand(2, 2))


def _matmul() -> Callable[[], Any]:
    return _timed(lambda x, y: x @ y, _rand(10, 10), _rand(10, 10))


def _sum() -> Callable[[], Any]:
    return _timed(jnp.sum, _rand(10, 10))


def _slice() -> Callable[[], Any]:
    return _timed(lambda x: x[1:3], _rand(10, 10))


def _call() -> Callable[[], Any]:
    return _timed(jax.jit(lambda v: v + v), _rand(2, 2))


def _chain(size: int) -> Callable[[], Any]:
    def run(x: Any) -> Any:
        v = ((x * 1.01 + 0.5) * 0.9 - 0.25) * 1.1
        v = jnp.maximum(v, 0.3)
        return ((v + 1.01) * 0.9 - 0.5) * 1.1

    return _timed(jax.jit(run), _rand(size))


def _step() -> Callable[[], Any]:
    parameters = [_rand(784, 128) * 0.05, jnp.zeros(128), _rand(128, 10) * 0.05, jnp.zeros(10)]
    x, y = abs(_rand(32, 784)), jnp.asarray(_random.integers(0, 10, 32))

    def loss(p: Any, x: Any, y: Any) -> Any:
        logits = jax.nn.relu(x @ p[0] + p[1]) @ p[2] + p[3]
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1).mean()

    @jax.jit
    def step(p: Any, x: Any, y: Any) -> Any:
        value, gradients = jax.value_and_grad(loss)(p, x, y)
        return value, [a - 0.1 * g for a, g in zip(p, gradients, strict=True)]

    return _timed(step, parameters, x, y)


def _lstm() -> Callable[[], Any]:
    wx, wh, b = _rand(10, 40) * 0.1, _rand(10, 40) * 0.1, jnp.zeros(40)

    def cell(x: Any, h: Any, c: Any) -> Any:
        i, f, g, o = jnp.split(x @ wx + h @ wh + b, 4, 1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return jax.nn.sigmoid(o) * jnp.tanh(c), c

    return _timed(jax.jit(cell), _rand(10, 10), _rand(10, 10), _rand(10, 10))


def _deep() -> Callable[[], Any]:
    def loss(weights: Any, x: Any) -> Any:
        for w in weights:
            x = jax.nn.relu(x @ w)
        return x.sum()

    return _timed(jax.jit(jax.grad(loss)), [_rand(64, 64) * 0.1 for _ in range(20)], _rand(32, 64))


def _products() -> Callable[[], Any]:
    return _timed(jax.jit(lambda a, b, c, d: (a @ b, c @ d)), *[_rand(1000, 1000) for _ in range(4)])


BENCHMARKS: dict[str, Callable[[], Callable[[], Any]]] = {
    "eager add, 2×2": _add,
    "eager matmul, 10×10": _matmul,
    "eager reduce_sum, 10×10": _sum,
    "eager slice, x[1:3]": _slice,
    "call of a traced a + a, 2×2": _call,
    "MLP 784-128-10, batch 32: SGD step, graph": _step,
    "LSTM cell 10×10, graph": _lstm,
    "20-layer MLP: gradients, graph": _deep,
    "two independent matmuls 1000×1000: two threads against one": _products,
    **{
        f"10 elementwise ops, {size:,} floats": (lambda size=size: _chain(size))
        for size in (10**4, 10**5, 10**6, 10**7)
    },
}
