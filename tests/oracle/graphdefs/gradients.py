"""Gradients of one op each, by a tape inside of the function."""

from collections.abc import Callable
from typing import Any

from tests.oracle.graphdefs.table import Graph, spec
from tests.oracle.under_test import tf

EQUAL = {
    "add": (lambda x, y: x + y, [spec(2), spec(2)]),
    "add_broadcast": (lambda x, y: x + y, [spec(2, 3), spec(3)]),
    "sub": (lambda x, y: x - y, [spec(2, 3), spec(3)]),
    "mul": (lambda x, y: x * y, [spec(2, 3), spec(3)]),
    "mul_number": (lambda x: x * 2.0, [spec(2)]),
    "div": (lambda x, y: x / y, [spec(2), spec(2)]),
    "div_broadcast": (lambda x, y: x / y, [spec(2, 3), spec(3)]),
    "pow": (lambda x, y: x**y, [spec(2), spec(2)]),
    "pow_number": (lambda x: x**3.0, [spec(2)]),
    "neg": (lambda x: -x, [spec(2)]),
    "abs": (lambda x: tf.abs(x), [spec(2)]),
    "square": (lambda x: tf.square(x), [spec(2)]),
    "sqrt": (lambda x: tf.sqrt(x), [spec(2)]),
    "rsqrt": (lambda x: tf.math.rsqrt(x), [spec(2)]),
    "exp": (lambda x: tf.exp(x), [spec(2)]),
    "log": (lambda x: tf.math.log(x), [spec(2)]),
    "log1p": (lambda x: tf.math.log1p(x), [spec(2)]),
    "sin": (lambda x: tf.sin(x), [spec(2)]),
    "cos": (lambda x: tf.cos(x), [spec(2)]),
    "tan": (lambda x: tf.tan(x), [spec(2)]),
    "tanh": (lambda x: tf.tanh(x), [spec(2)]),
    "sigmoid": (lambda x: tf.sigmoid(x), [spec(2)]),
    "relu": (lambda x: tf.nn.relu(x), [spec(2)]),
    "elu": (lambda x: tf.nn.elu(x), [spec(2)]),
    "softplus": (lambda x: tf.nn.softplus(x), [spec(2)]),
    "leaky_relu": (lambda x: tf.nn.leaky_relu(x), [spec(2)]),
    "maximum": (lambda x, y: tf.maximum(x, y), [spec(2), spec(2)]),
    "minimum": (lambda x, y: tf.minimum(x, y), [spec(2, 3), spec(3)]),
    "squared_difference": (lambda x, y: tf.math.squared_difference(x, y), [spec(2), spec(2)]),
    "matmul": (lambda a, b: a @ b, [spec(2, 3), spec(3, 2)]),
    "matmul_transposed": (lambda a, b: tf.matmul(a, b, transpose_b=True), [spec(2, 3), spec(2, 3)]),
    "batch_matmul": (lambda a, b: a @ b, [spec(5, 2, 3), spec(5, 3, 2)]),
    "bias_add": (lambda a, b: tf.nn.bias_add(a, b), [spec(2, 3), spec(3)]),
    "reduce_max": (lambda x: tf.reduce_max(x), [spec(2, 3)]),
    "reduce_max_axis": (lambda x: tf.reduce_max(x, axis=0), [spec(2, 3)]),
    "reshape": (lambda x: tf.reshape(x, [3, 2]), [spec(2, 3)]),
    "transpose": (lambda x: tf.transpose(x), [spec(2, 3)]),
    "expand_dims": (lambda x: tf.expand_dims(x, 0), [spec(2)]),
    "squeeze": (lambda x: tf.squeeze(x), [spec(1, 2)]),
    "stack": (lambda x, y: tf.stack([x, y]), [spec(2), spec(2)]),
    "unstack": (lambda x: tf.unstack(x)[0], [spec(2)]),
    "split": (lambda x: tf.split(x, 2)[0], [spec(4)]),
    "slice": (lambda x: x[1:], [spec(3)]),
    "slice_item": (lambda x: x[0], [spec(3, 2)]),
    "where": (lambda x, y: tf.where(x > 0.0, x, y), [spec(2), spec(2)]),
    "cast": (lambda x: tf.cast(x, tf.float64), [spec(2)]),
    "identity": (lambda x: tf.identity(x), [spec(2)]),
    "softmax": (lambda x: tf.nn.softmax(x), [spec(2, 3)]),
    "log_softmax": (lambda x: tf.nn.log_softmax(x), [spec(2, 3)]),
    "sparse_cross_entropy": (
        lambda y, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x),
        [spec(2, dtype=tf.int32), spec(2, 3)],
    ),
    "cumsum": (lambda x: tf.cumsum(x), [spec(3)]),
    "clip": (lambda x: tf.clip_by_value(x, 0.0, 1.0), [spec(2)]),
    "add_n": (lambda x, y: tf.add_n([x, y, x]), [spec(2), spec(2)]),
    "stop": (lambda x: tf.stop_gradient(x) * x, [spec(2)]),
    "conv2d": (lambda x, k: tf.nn.conv2d(x, k, 1, "SAME"), [spec(1, 4, 4, 1), spec(2, 2, 1, 1)]),
    "max_pool": (lambda x: tf.nn.max_pool2d(x, 2, 2, "SAME"), [spec(1, 4, 4, 1)]),
    "add_unknown": (lambda x, y: x + y, [spec(None), spec(None)]),
    "reduce_sum": (lambda x: tf.reduce_sum(x), [spec(2, 3)]),
    "reduce_sum_axis": (lambda x: tf.reduce_sum(x, axis=1), [spec(2, 3)]),
    "reduce_sum_unknown": (lambda x: tf.reduce_sum(x), [spec(None)]),
    "reduce_mean": (lambda x: tf.reduce_mean(x), [spec(2, 3)]),
    "reduce_mean_axis": (lambda x: tf.reduce_mean(x, axis=1), [spec(2, 3)]),
    "reduce_mean_unknown": (lambda x: tf.reduce_mean(x), [spec(None)]),
    "reduce_prod": (lambda x: tf.reduce_prod(x), [spec(3)]),
    "concat": (lambda x, y: tf.concat([x, y], 0), [spec(2), spec(3)]),
    "gather": (lambda x, i: tf.gather(x, i), [spec(3, 2), spec(2, dtype=tf.int32)]),
    "cross_entropy": (
        lambda y, x: tf.nn.softmax_cross_entropy_with_logits(labels=tf.stop_gradient(y), logits=x),
        [spec(2, 3), spec(2, 3)],
    ),
    "pad": (lambda x: tf.pad(x, [[1, 1]]), [spec(2)]),
    "tile": (lambda x: tf.tile(x, [2]), [spec(2)]),
    "norm": (lambda x: tf.norm(x), [spec(2)]),
    "einsum": (lambda a, b: tf.einsum("ij,jk->ik", a, b), [spec(2, 3), spec(3, 2)]),
    "broadcast_to": (lambda x: tf.broadcast_to(x, [2, 3]), [spec(3)]),
    "dense_layer": (
        lambda x, w, b: tf.reduce_mean(tf.square(tf.nn.relu(x @ w + b))),
        [spec(4, 3), spec(3, 2), spec(2)],
    ),
    "mean_squared_error": (lambda x, w, y: tf.reduce_mean((x * w - y) ** 2), [spec(None), spec(), spec(None)]),
    "many_ops": (lambda x: tf.exp(x) + tf.sin(x) * tf.tanh(x) - tf.sigmoid(x) / tf.sqrt(x), [spec()]),
}

# Another way to the same values, for which docs/differences.md has a row.
OWN = {
    "top_k": (lambda x: tf.math.top_k(x, 2)[0], [spec(3)]),
    "sort": (lambda x: tf.sort(x), [spec(3)]),
    "cumulative_logsumexp": (lambda x: tf.math.cumulative_logsumexp(x), [spec(3)]),
    "segment_mean": (lambda x: tf.math.segment_mean(x, [0, 0, 1]), [spec(3, 2)]),
    "unsorted_segment_sum": (lambda x: tf.math.unsorted_segment_sum(x, [1, 0], 2), [spec(2, 2)]),
    "einsum_trace": (lambda x: tf.einsum("ii->", x), [spec(2, 2)]),
}


def differentiated(name: str, function: Callable[..., Any], arguments: list[Any], kind: str) -> Graph:
    def build() -> tuple[Any, list[Any]]:
        @tf.function
        def gradient(*args: Any) -> Any:
            with tf.GradientTape() as tape:
                floats = [t for t in args if t.dtype.is_floating]
                tape.watch(floats)
                y = function(*args)
            return tape.gradient(y, floats)

        return gradient, arguments

    build.__name__ = f"gradient_of_{name}"
    return Graph(build, kind)


GRAPHS = [differentiated(name, *case, "gradient_nodes") for name, case in EQUAL.items()]
GRAPHS += [differentiated(name, *case, "own_gradients") for name, case in OWN.items()]
