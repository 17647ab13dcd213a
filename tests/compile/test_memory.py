"""The peak memory that the plan reports is that of a call, as tracemalloc counts it."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import numpy as np
import pytest

import graphlab as tf
from graphlab.compile import Executable, executable, threads

TOLERANCE = 0.1
"""How far report and measurement may be apart, with a few kilobytes for Python's own objects."""

OVERHEAD = 30_000


def graph_of(function: Any, *specs: Any) -> Any:
    return tf.function(function, autograph=False).get_concrete_function(*specs).graph


def measured(function: Any, arrays: list[Any]) -> int:
    """The most bytes that a call has at one time beside what was there before."""
    function.entry(*arrays)
    gc.collect()
    tracemalloc.start()
    try:
        function.entry(*arrays)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def arrays_for(graph: Any, specs: list[Any], sizes: dict[str, int] | None = None) -> list[Any]:
    random = np.random.default_rng(0)
    given = []
    for spec in specs:
        shape = [37 if size is None else size for size in spec.shape]
        array = random.standard_normal(shape) if spec.dtype.is_floating else random.integers(1, 5, shape)
        given.append(np.asarray(array, spec.dtype.as_numpy_dtype))
    return [*given, *[t._a for t in graph.external_captures]]


WEIGHTS = [tf.Variable(np.random.default_rng(i).standard_normal((64, 64)).astype(np.float32) * 0.1) for i in range(20)]


def network(x: Any) -> Any:
    with tf.GradientTape() as tape:
        for w in WEIGHTS:
            x = tf.nn.relu(x @ w)
        loss = tf.reduce_sum(x)
    return tape.gradient(loss, WEIGHTS)


def sigmoid_network(x: Any) -> Any:
    with tf.GradientTape() as tape:
        for w in WEIGHTS[:6]:
            x = tf.sigmoid(tf.tanh(x @ w))
        loss = tf.reduce_mean(x)
    for w, gradient in zip(WEIGHTS[:6], tape.gradient(loss, WEIGHTS[:6]), strict=True):
        w.assign_sub(0.0 * gradient)
    return loss


def chain(x: Any) -> Any:
    for _ in range(5):
        x = tf.maximum((x * 1.01 + 0.5) * 0.9 - 0.25, 0.1)
    return x


def mixed(x: Any) -> Any:
    a = tf.exp(x)
    b = tf.reshape(a, [-1])[: 64 * 32]
    c = tf.concat([a, x], 0)
    return tf.reduce_sum(b) + tf.reduce_mean(c * c)


def loop(x: Any) -> Any:
    return tf.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, tf.sin(y @ y) + x), (0, x))[1]


def branch(x: Any) -> Any:
    y = tf.exp(x)
    return tf.cond(x[0, 0] > 100.0, lambda: y * 2.0, lambda: tf.reduce_sum(tf.tile(y, [2, 1]) + tf.tile(x, [2, 1])) * x)


def scanned(x: Any) -> Any:
    total = tf.zeros([128, 128])
    for i in range(30):
        total = total * 0.5 + tf.sin(x * float(i))
    return total


M = tf.TensorSpec([128, 128])
CASES = {
    "20-layer network": (network, [tf.TensorSpec([256, 64])]),
    "a training step": (sigmoid_network, [tf.TensorSpec([1000, 64])]),
    "a long chain": (chain, [tf.TensorSpec([600, 600])]),
    "a chain on small arrays": (chain, [tf.TensorSpec([100, 100])]),
    "views and copies": (mixed, [tf.TensorSpec([64, 1000])]),
    "a loop": (loop, [M]),
    "a branch": (branch, [M]),
    "an unrolled loop": (scanned, [M]),
    "results": (lambda x: [x + float(i) for i in range(8)], [M]),
    "float64": (lambda x: tf.sin(x) @ tf.cos(x), [tf.TensorSpec([128, 128], tf.float64)]),
    "nothing": (lambda x: x, [M]),
    "whole numbers": (lambda n: tf.reduce_sum(n * n + n), [tf.TensorSpec([200, 200], tf.int32)]),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("lanes", [1, 2])
def test_the_reported_peak_is_the_measured_one(name: str, lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads.Settings, "inter_op", lanes)
    function, specs = CASES[name]
    graph = graph_of(function, *specs)
    run = Executable(graph)
    found = run.memory()
    peak = measured(run, arrays_for(graph, specs))
    assert found.unknown == 0
    assert abs(found.peak_bytes - peak) <= TOLERANCE * peak + OVERHEAD, (found.peak_bytes, peak)
    assert sum(held.bytes for held in found.held) <= found.peak_bytes


UNKNOWN = {
    "a network": (network, [tf.TensorSpec([None, 64])], [(256, 64)]),
    "a chain": (chain, [tf.TensorSpec([None, None])], [(300, 200)]),
    "shapes that are computed": (
        lambda x: tf.reshape(x, [tf.shape(x)[0] // 2, -1]) * tf.ones([tf.size(x) // tf.shape(x)[0] * 2]),
        [tf.TensorSpec([None, None])],
        [(300, 200)],
    ),
    "a loop": (loop, [tf.TensorSpec([None, None])], [(150, 150)]),
    "no rank": (lambda x: tf.exp(x) + 1.0, [tf.TensorSpec(None)], [(150, 150)]),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_sizes_that_tracing_did_not_know_come_with_the_call(name: str) -> None:
    function, specs, shapes = UNKNOWN[name]
    graph = graph_of(function, *specs)
    run = executable(graph)
    assert run.memory().unknown
    captures = [t._a for t in graph.external_captures]
    arrays = [np.random.default_rng(0).standard_normal(shape).astype(np.float32) for shape in shapes]
    found = run.memory([a.shape for a in arrays] + [getattr(c, "shape", ()) for c in captures])
    peak = measured(run, [*arrays, *captures])
    assert found.unknown == 0
    assert abs(found.peak_bytes - peak) <= TOLERANCE * peak + OVERHEAD, (found.peak_bytes, peak)


def test_a_large_array_goes_with_its_last_use() -> None:
    def f(x: Any) -> Any:
        a, b = tf.sin(x), tf.cos(x)
        c = a @ b  # neither is needed any more
        d = c @ c
        return tf.reduce_sum(d @ d)

    large = tf.TensorSpec([512, 512])
    graph = graph_of(f, large)
    run = Executable(graph)
    assert run.source.count(" = None") == 1
    three = 3 * 512 * 512 * 4
    assert three <= run.memory().peak_bytes <= three + OVERHEAD
    assert abs(measured(run, [np.ones((512, 512), np.float32)]) - three) <= OVERHEAD
    assert " = None" not in Executable(graph_of(f, M)).source


def test_it_says_what_is_there_and_where() -> None:
    def f(x: Any) -> Any:
        small = tf.reduce_sum(x)
        large = tf.tile(x, [4, 1])  # this line
        return tf.reduce_sum(large) * small

    found = executable(graph_of(f, M)).memory()
    assert found.held[0].type == "Tile"
    assert found.held[0].bytes == 4 * 128 * 128 * 4
    assert found.held[0].place.text == "large = tf.tile(x, [4, 1])  # this line"
    assert found.at is not None
    assert executable(graph_of(f, M)).peak_bytes == found.peak_bytes


def test_a_function_that_is_called_counts() -> None:
    def body(x: Any) -> Any:
        for _ in range(120):  # too large to be inlined
            x = tf.sin(x) + tf.cos(x)
        return tf.reduce_sum(x)

    inner = tf.function(body, autograph=False)
    found = executable(graph_of(lambda x: inner(x) + 1.0, M)).memory()
    assert found.peak_bytes >= 2 * 128 * 128 * 4
