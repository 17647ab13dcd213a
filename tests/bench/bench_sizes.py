"""How cost grows: first calls with the number of ops, chains with the number of elements, loops with the iterations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import graphlab as tf
from tests.bench.harness import Memory, Once, Pair, benchmark

_random = np.random.default_rng(0)


def _own(function: Any) -> Any:
    """The function with a code of its own: each first call is that of another function, as in a program."""
    function.__code__ = function.__code__.replace()
    return function


def _deep(count: int) -> Once:
    """A first call: trace, passes and compilation of a chain of ``count`` ops."""
    x = tf.constant(_random.standard_normal((10, 10)).astype(np.float32))

    def prepare() -> Callable[[], Any]:
        def chain(v: Any) -> Any:
            for _ in range(count // 2):
                v = v * 1.01
                v = v + 0.5
            return v

        function = tf.function(_own(chain), autograph=False)
        return lambda: function(x)

    return Once(prepare, units=count)


def _wide(count: int) -> Once:
    """The same for ops that do not depend on each other."""
    x = tf.constant(_random.standard_normal((10, 10)).astype(np.float32))

    def prepare() -> Callable[[], Any]:
        wide = _own(lambda v: tf.add_n([v * float(i) for i in range(count)]))
        function = tf.function(wide, autograph=False)
        return lambda: function(x)

    return Once(prepare, units=count)


for _count in (10, 100, 1_000, 10_000):
    _goal = 40e-6 if _count in (100, 1_000) else None
    benchmark(f"first call, deep, per op of {_count:,} (CPU)", goal=_goal)(lambda count=_count: _deep(count))
for _count in (10, 100, 1_000, 10_000):
    benchmark(f"first call, wide, per op of {_count:,} (CPU)")(lambda count=_count: _wide(count))


def _chain_functions(size: int) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Ten elementwise operations, ours and as one writes them in NumPy."""
    a = _random.standard_normal(size).astype(np.float32)
    x = tf.constant(a)
    c = [np.array(v, np.float32) for v in (1.01, 0.5, 0.9, 0.25, 0.3, 1.1)]

    def chain(v: Any) -> Any:
        v = ((v * 1.01 + 0.5) * 0.9 - 0.25) * 1.1
        v = tf.maximum(v, 0.3)
        return ((v + 1.01) * 0.9 - 0.5) * 1.1

    def by_hand() -> Any:
        v = ((a * c[0] + c[1]) * c[2] - c[3]) * c[5]
        v = np.maximum(v, c[4])
        return ((v + c[0]) * c[2] - c[1]) * c[5]

    run = tf.function(_own(chain))
    return lambda: run(x), by_hand


for _size in (10**4, 10**5, 10**6, 10**7):
    benchmark(f"10 elementwise ops, {_size:,} floats", goal=0.6 if _size == 10**6 else None)(
        lambda size=_size: Pair(*_chain_functions(size))
    )


@benchmark("peak memory of 10 elementwise ops, 1,000,000 floats", goal=1.0)
def chain_memory() -> Memory:
    return Memory(*_chain_functions(10**6))


def _loop(count: int) -> Pair:
    """A loop over whole numbers, against the same in Python."""

    @tf.function
    def total(n: Any) -> Any:
        result = 0
        for i in tf.range(n):
            if i % 3 == 0:
                result += i
        return result

    def by_hand() -> int:
        result = 0
        for i in range(count):
            if i % 3 == 0:
                result += i
        return result

    n = tf.constant(count)
    return Pair(subject=lambda: total(n), baseline=by_hand, units=count)


for _count in (10**2, 10**4, 10**6):
    benchmark(f"an iteration of {_count:,}, against Python ints")(lambda count=_count: _loop(count))


def _float_loop(count: int) -> Pair:
    """A loop over a vector, against the same in NumPy."""
    a = _random.standard_normal(16).astype(np.float32)
    x = tf.constant(a)
    factor = np.array(0.99, np.float32)

    @tf.function
    def decay(v: Any, n: Any) -> Any:
        for _ in tf.range(n):
            v = v * 0.99 + x
        return v

    def by_hand() -> Any:
        v = a
        for _ in range(count):
            v = v * factor + a
        return v

    n = tf.constant(count)
    return Pair(subject=lambda: decay(x, n), baseline=by_hand, units=count)


for _count in (10**2, 10**4):
    benchmark(f"an iteration of {_count:,} on 16 floats")(lambda count=_count: _float_loop(count))
