"""What the threads of the soak do, each piece checked against an answer that NumPy gives."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphlab as tf

SHAPES = ((), (3,), (2, 4), (0, 3))
DTYPES = (np.float32, np.float64)


class Shared:
    """Functions and variables that all threads use at the same time."""

    def __init__(self) -> None:
        self.total = tf.Variable(np.int64(0))
        self.scale = tf.Variable(2.0)

        @tf.function
        def polynomial(x: Any, n: Any) -> Any:
            result = x * 0
            for k in range(n):  # a Python number: a trace for each
                result += x**k
            return result

        @tf.function
        def collatz(n: Any) -> Any:
            steps = 0
            while n != 1:
                n = n // 2 if n % 2 == 0 else 3 * n + 1
                steps += 1
            return steps

        @tf.function
        def gradient(x: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(tf.sin(x) * x)
            return tape.gradient(y, x)

        @tf.function
        def checked(x: Any) -> Any:
            self.total.assign_add(1)
            tf.debugging.assert_less(x, 5.0, message="too much")
            return tf.sqrt(x)

        @tf.function(reduce_retracing=True)
        def general(x: Any) -> Any:
            return tf.reduce_sum(x) + self.scale

        self.polynomial, self.collatz, self.gradient, self.checked, self.general = (
            polynomial, collatz, gradient, checked, general
        )  # fmt: skip


class Worker:
    """One thread's share: random pieces of work, none of which may give a wrong value.

    Args:
      shared: what it shares with others.
      seed: of its random numbers, printed when something fails.
    """

    def __init__(self, shared: Shared, seed: str) -> None:
        self.shared, self.seed = shared, seed
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(abs(hash(seed)) % 2**32)
        self.added = 0
        self.wanted: tuple[Any, Any] | None = None  # shape and dtype of the next array, where it matters
        self.own = tf.Variable([1.0, 2.0])
        self.value = np.array([1.0, 2.0], np.float32)
        self.pieces: list[Callable[[], None]] = [
            self.eager, self.traced, self.loops, self.eager_gradient, self.traced_gradient, self.second_order,
            self.new_function, self.mutual, self.assigns, self.fails_eagerly, self.fails_while_tracing,
            self.fails_while_running, self.leaks_a_tensor, self.python_inside, self.rows, self.retraces,
        ]  # fmt: skip

    def run(self, times: int, stop: Callable[[], bool]) -> int:
        """Does some pieces; how many."""
        for done in range(times):
            if stop():
                return done
            piece = self.random.choice(self.pieces)
            try:
                piece()
            except BaseException as error:
                error.add_note(f"in {piece.__name__!r}, seed {self.seed!r}, piece {done}")
                raise
        return times

    def warm(self) -> None:
        """Does everything once for everything that gets a trace of its own, so that nothing is new afterwards."""
        for piece in self.pieces:
            piece()
        for shape in SHAPES:
            for dtype in DTYPES:
                for piece in (self.traced_gradient, self.second_order, self.new_function):
                    self.wanted = shape, dtype
                    piece()
                for n in range(1, 5):
                    x = np.ones(shape, dtype)
                    close(self.shared.polynomial(tf.constant(x), n), x * n)

    def array(self) -> Any:
        shape, dtype = self.wanted or (self.random.choice(SHAPES), self.random.choice(DTYPES))
        self.wanted = None
        return self.numbers.uniform(0.5, 2.0, shape).astype(dtype)

    def eager(self) -> None:
        x, y = self.array(), self.random.uniform(1, 2)
        close(tf.exp(tf.constant(x)) * x.dtype.type(y) - x, np.exp(x) * x.dtype.type(y) - x)

    def traced(self) -> None:
        x, n = self.array(), self.random.randint(1, 4)
        close(self.shared.polynomial(tf.constant(x), n), sum(x**k for k in range(n)))

    def loops(self) -> None:
        n = self.random.randint(1, 30)
        steps, m = 0, n
        while m != 1:
            m = m // 2 if m % 2 == 0 else 3 * m + 1
            steps += 1
        assert int(self.shared.collatz(tf.constant(n))) == steps

    def eager_gradient(self) -> None:
        x = tf.constant(self.array())
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        close(tape.gradient(y, x), 3 * x.numpy() ** 2)

    def traced_gradient(self) -> None:
        x = self.array()
        close(self.shared.gradient(tf.constant(x)), np.cos(x) * x + np.sin(x))

    def second_order(self) -> None:
        x = tf.constant(self.array())
        with tf.GradientTape() as outer:
            outer.watch(x)
            g = self.shared.gradient(x)
        close(outer.gradient(g, x), 2 * np.cos(x.numpy()) - x.numpy() * np.sin(x.numpy()))

    def new_function(self) -> None:
        k = self.random.randint(2, 9)
        v = tf.Variable(float(k))
        f = tf.function(lambda x: x * v + k)
        x = self.array().astype(np.float32)
        close(f(tf.constant(x)), x * np.float32(k) + k)
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(f(tf.constant(x)))
        close(tape.gradient(y, v), x.sum())

    def mutual(self) -> None:
        """Two functions that call each other, traced from both ends."""

        @tf.function
        def f(x: Any, depth: Any) -> Any:
            return x + 1 if depth == 0 else g(x, depth - 1) * 2

        @tf.function
        def g(x: Any, depth: Any) -> Any:
            return x + 2 if depth == 0 else f(x, depth - 1) * 3

        assert int(f(tf.constant(1), 2)) == (1 + 1) * 3 * 2
        assert int(g(tf.constant(1), 1)) == (1 + 1) * 3

    def assigns(self) -> None:
        delta = self.numbers.integers(0, 3, 2).astype(np.float32)
        if self.random.random() < 0.5:
            self.own.assign_add(delta)
        else:
            tf.function(lambda d: self.own.assign_add(d))(tf.constant(delta))
        self.value = self.value + delta
        if self.value.max() > 1e4:
            self.value = np.zeros(2, np.float32)
            self.own.assign(self.value)
        close(self.own, self.value)

    def fails_eagerly(self) -> None:
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])

    def fails_while_tracing(self) -> None:
        @tf.function
        def f(x: Any, bad: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x * x
                if bad:
                    raise ZeroDivisionError("as the program wants it")
            return tape.gradient(y, x)

        x = tf.constant(3.0)
        with pytest.raises(ZeroDivisionError):
            f(x, True)
        close(f(x, False), 6.0)

    def fails_while_running(self) -> None:
        """The assignment before the failing operation stays, and the next call works."""
        x = self.random.uniform(0, 4.9) if self.random.random() < 0.5 else 6.0
        self.added += 1
        if x < 5:
            close(self.shared.checked(tf.constant(x)), np.sqrt(np.float32(x)))
        else:
            with pytest.raises(tf.errors.InvalidArgumentError, match="too much"):
                self.shared.checked(tf.constant(x))

    def leaks_a_tensor(self) -> None:
        kept = []
        tf.function(lambda x: kept.append(x * 2))(tf.constant(1.0))
        with pytest.raises(TypeError):
            kept[0] + 1.0
        assert tf.executing_eagerly()

    def python_inside(self) -> None:
        f = tf.function(lambda x: tf.numpy_function(lambda a: a * 2, [x], tf.float32))
        close(f(tf.constant([1.0, 2.0])), [2.0, 4.0])

    def rows(self) -> None:
        x = self.numbers.uniform(0, 1, (3, 2)).astype(np.float32)
        close(tf.map_fn(lambda row: tf.reduce_sum(row) * row, tf.constant(x)), x.sum(1, keepdims=True) * x)

    def retraces(self) -> None:
        x = np.ones(self.random.randint(0, 50), np.float32)
        close(self.shared.general(tf.constant(x)), x.sum() + 2)


def close(got: Any, wanted: Any) -> None:
    """Not NumPy's, which leaves its floating-point state changed when an interrupt comes at a bad moment."""
    a, b = np.asarray(got, np.float64), np.asarray(wanted, np.float64)
    assert a.shape == b.shape
    assert (abs(a - b) <= 1e-6 + 2e-5 * abs(b)).all(), f"{got} is not {wanted}"
