"""Convolutions and pools.

The baseline is TensorFlow with one thread where the environment variable BENCH_TF names a Python that has it; it runs
in a process of its own, which is told over a pipe when to work.  Elsewhere it is the matrix product at the heart of the
same convolution, with nothing around it: what a convolution costs at least on this BLAS.
"""

from __future__ import annotations

import atexit
import os
import subprocess
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import graphlab as tf
from tests.bench.harness import Pair, benchmark

_random = np.random.default_rng(0)

# What the other process runs: it makes one function for each line "name arguments" and runs it on each line "run".
_SERVER = """
import os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
import tensorflow as tf
tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
raw = tf.raw_ops

def make(kind, n, size, channels, window, out, stride, padding):
    x = tf.random.normal((n, size, size, channels))
    f = tf.random.normal((window, window, channels, out or 1))
    a = dict(strides=[1, stride, stride, 1], padding=padding)
    if kind in ("max_pool", "max_pool_grad"):
        k = dict(ksize=[1, window, window, 1], **a)
        y = raw.MaxPool(input=x, **k)
        if kind == "max_pool":
            return lambda: raw.MaxPool(input=x, **k)
        return lambda: raw.MaxPoolGrad(orig_input=x, orig_output=y, grad=y, **k)
    if kind == "depthwise":
        return lambda: raw.DepthwiseConv2dNative(input=x, filter=f, **a)
    y = raw.Conv2D(input=x, filter=f, **a)
    sizes = {"by_input": tf.shape(x), "by_filter": tf.shape(f)}.get(kind)
    if kind == "by_input":
        return lambda: raw.Conv2DBackpropInput(input_sizes=sizes, filter=f, out_backprop=y, **a)
    if kind == "by_filter":
        return lambda: raw.Conv2DBackpropFilter(input=x, filter_sizes=sizes, out_backprop=y, **a)
    return lambda: raw.Conv2D(input=x, filter=f, **a)

function = None
for line in sys.stdin:
    if line.startswith("make"):
        function = make(*eval(line[4:]))
    result = function()
    print("done", flush=True)
"""


@cache
def _server(python: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [python, "-c", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    atexit.register(process.kill)
    return process


def _tensorflow(python: str, arguments: tuple[Any, ...]) -> Callable[[], Any]:
    process = _server(python)
    assert process.stdin is not None
    assert process.stdout is not None
    send, receive = process.stdin, process.stdout

    def tell(line: str) -> None:
        send.write(line + "\n")
        send.flush()
        if receive.readline() != "done\n":
            raise RuntimeError("TensorFlow's process ended")

    made = False

    def run() -> None:
        nonlocal made
        tell("run" if made else f"make{arguments!r}")
        made = True

    return run


def _pair(
    subject: Callable[[], Any], products: list[tuple[Any, Any]], arguments: tuple[Any, ...], others: Any = None
) -> Pair:
    python = os.environ.get("BENCH_TF")
    if python:
        return Pair(subject=subject, baseline=_tensorflow(python, arguments))
    return Pair(subject=subject, baseline=others or (lambda: [a @ b for a, b in products]))


def _normal(*shape: int) -> Any:
    return _random.standard_normal(shape).astype(np.float32)


def _conv(kind: str, n: int, size: int, channels: int, window: int, out: int, stride: int, padding: str) -> Pair:
    x, f = tf.constant(_normal(n, size, size, channels)), tf.constant(_normal(window, window, channels, out))
    y = tf.nn.conv2d(x, f, stride, padding)
    rows, depth = int(np.prod(y.shape[:3])), window * window * channels
    a, b, c = _normal(rows, depth), _normal(depth, out), _normal(rows, out)
    arguments = (kind, n, size, channels, window, out, stride, padding)
    if kind == "forward":
        return _pair(lambda: tf.nn.conv2d(x, f, stride, padding), [(a, b)], arguments)
    with tf.GradientTape(persistent=True) as tape:
        source = x if kind == "by_input" else f
        tape.watch(source)
        y = tf.nn.conv2d(x, f, stride, padding)
    products = [(c, b.T)] if kind == "by_input" else [(a.T, c)]
    return _pair(lambda: tape.gradient(y, source, output_gradients=y), products, arguments)


@benchmark("conv2d 1×200×200×100, 100 filters 3×3", goal=1.6)
def large() -> Pair:
    return _conv("forward", 1, 200, 100, 3, 100, 1, "VALID")


@benchmark("conv2d 1×200×200×100, gradient by the input", goal=1.6)
def large_by_input() -> Pair:
    return _conv("by_input", 1, 200, 100, 3, 100, 1, "VALID")


@benchmark("conv2d 1×200×200×100, gradient by the filters", goal=1.6)
def large_by_filter() -> Pair:
    return _conv("by_filter", 1, 200, 100, 3, 100, 1, "VALID")


@benchmark("conv2d 32×28×28×1, 32 filters 3×3", goal=3)
def first_layer() -> Pair:
    return _conv("forward", 32, 28, 1, 3, 32, 1, "SAME")


@benchmark("conv2d 32×13×13×32, 64 filters 3×3", goal=2)
def second_layer() -> Pair:
    return _conv("forward", 32, 13, 32, 3, 64, 1, "VALID")


@benchmark("conv2d 32×13×13×32, gradient by the filters", goal=2)
def second_layer_by_filter() -> Pair:
    return _conv("by_filter", 32, 13, 32, 3, 64, 1, "VALID")


@benchmark("conv2d 32×13×13×32, gradient by the input", goal=2)
def second_layer_by_input() -> Pair:
    return _conv("by_input", 32, 13, 32, 3, 64, 1, "VALID")


@benchmark("conv2d 8×64×64×3, 16 filters 7×7, strides 2", goal=3)
def strided() -> Pair:
    return _conv("forward", 8, 64, 3, 7, 16, 2, "SAME")


@benchmark("depthwise_conv2d 8×56×56×64, 3×3", goal=8)
def depthwise() -> Pair:
    x, f = tf.constant(_normal(8, 56, 56, 64)), tf.constant(_normal(3, 3, 64, 1))
    a, b = _normal(8, 56, 56, 64), _normal(64)
    return _pair(
        lambda: tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME"), [], ("depthwise", 8, 56, 64, 3, 0, 1, "SAME"),
        lambda: [a * b for _ in range(9)],
    )  # fmt: skip


@benchmark("max_pool2d 32×26×26×32, 2×2", goal=4)
def max_pool() -> Pair:
    a = _normal(32, 26, 26, 32)
    x = tf.constant(a)
    return _pair(
        lambda: tf.nn.max_pool2d(x, 2, 2, "VALID"), [], ("max_pool", 32, 26, 32, 2, 0, 2, "VALID"),
        lambda: np.maximum(np.maximum(a[:, ::2, ::2], a[:, ::2, 1::2]), np.maximum(a[:, 1::2, ::2], a[:, 1::2, 1::2])),
    )  # fmt: skip


@benchmark("max_pool2d 32×26×26×32, gradient", goal=8)
def max_pool_gradient() -> Pair:
    a = _normal(32, 26, 26, 32)
    x = tf.constant(a)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.nn.max_pool2d(x, 2, 2, "VALID")
    return _pair(
        lambda: tape.gradient(y, x, output_gradients=y), [], ("max_pool_grad", 32, 26, 32, 2, 0, 2, "VALID"),
        lambda: np.where(a > 0, a, np.float32(0)),
    )  # fmt: skip
