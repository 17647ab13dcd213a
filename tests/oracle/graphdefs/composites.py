"""One call each: the names inside a function that is made of several ops are public too."""

from collections.abc import Callable
from typing import Any

from tests.oracle.graphdefs.table import Graph, spec
from tests.oracle.under_test import tf

ONE_CALL = {
    "abs_of_int": (lambda x: abs(x), [spec(2, dtype=tf.int32)]),
    "sort_of_first_axis": (lambda x: tf.sort(x, axis=0), [spec(2, 3)]),
    "sort_of_unknown_length": (lambda x: tf.sort(x), [spec(None)]),
    "argsort_of_ints": (lambda x: tf.argsort(x, direction="DESCENDING"), [spec(2, 3, dtype=tf.int32)]),
    "sort_of_ints": (lambda x: tf.sort(x), [spec(3, dtype=tf.int32)]),
    "sort_of_unsigned": (lambda x: tf.sort(x), [spec(3, dtype=tf.uint8)]),
    "logsumexp_of_axis": (lambda x: tf.reduce_logsumexp(x, axis=1), [spec(None, 3)]),
    "logsumexp_keeping": (lambda x: tf.reduce_logsumexp(x, axis=[0, 1], keepdims=True), [spec(2, 3)]),
    "softmax_middle_axis": (lambda x: tf.nn.softmax(x, axis=1), [spec(None, 3, 2)]),
    "softmax_named": (lambda x: tf.nn.softmax(x, axis=-2, name="soft"), [spec(3, 2)]),
    "log_softmax_first_axis": (lambda x: tf.nn.log_softmax(x, axis=0), [spec(3, 2)]),
    "softmax_cross_entropy_of_batch": (
        lambda a, b: tf.nn.softmax_cross_entropy_with_logits(labels=a, logits=b),
        [spec(None, 3), spec(None, 3)],
    ),
    "softmax_cross_entropy_of_axis": (
        lambda a, b: tf.nn.softmax_cross_entropy_with_logits(labels=a, logits=b, axis=0),
        [spec(3, 2), spec(3, 2)],
    ),
    "softmax_cross_entropy_of_halves": (
        lambda a, b: tf.nn.softmax_cross_entropy_with_logits(labels=a, logits=b),
        [spec(2, 3, dtype=tf.float16), spec(2, 3, dtype=tf.float16)],
    ),
    "swish_with_beta": (lambda x: tf.nn.silu(x, 1.5), [spec(2)]),
    "clip_by_norm_of_axes": (lambda x: tf.clip_by_norm(x, 2.0, axes=[1]), [spec(None, 3)]),
    "clip_by_norm_of_64": (lambda x: tf.clip_by_norm(x, 2.0), [spec(2, dtype=tf.float64)]),
    "repeat_by_counts": (lambda x: tf.repeat(x, [1, 2]), [spec(2)]),
    "repeat_of_axis": (lambda x: tf.repeat(x, 3, axis=1), [spec(None, 2)]),
    "repeat_counts_of_axis": (lambda x: tf.repeat(x, [1, 0, 2], axis=0), [spec(3, 2)]),
    "repeat_by_tensor": (lambda x, n: tf.repeat(x, n, axis=-1), [spec(2, 3), spec(dtype=tf.int32)]),
    "boolean_mask_of_axis": (lambda x, m: tf.boolean_mask(x, m, axis=1), [spec(2, 3), spec(3, dtype=tf.bool)]),
    "boolean_mask_of_matrix": (lambda x, m: tf.boolean_mask(x, m), [spec(None, 3), spec(None, 3, dtype=tf.bool)]),
    "boolean_mask_constant": (lambda x: tf.boolean_mask(x, [True, False, True]), [spec(3)]),
    "linspace_of_vectors": (lambda a, b: tf.linspace(a, b, 4, axis=1), [spec(2), spec(2)]),
    "linspace_of_ints": (lambda n: tf.linspace(0, 10, n), [spec(dtype=tf.int32)]),
    "linspace_broadcast": (lambda a, b: tf.linspace(a, b, 2), [spec(3), spec()]),
    "linspace_unknown_size": (lambda a, b: tf.linspace(a, b, 2, axis=-1), [spec(None), spec(None)]),
    "sequence_mask": (lambda n: tf.sequence_mask(n, 4), [spec(2, dtype=tf.int32)]),
    "batch_norm": (
        lambda x, m, v: tf.nn.batch_normalization(x, m, v, None, None, 0.001),
        [spec(2, 3), spec(3), spec(3)],
    ),
    "count_nonzero": (lambda x: tf.math.count_nonzero(x), [spec(2, 3)]),
    "unstack_and_stack": (lambda x: tf.stack(tf.unstack(x, axis=1), axis=0), [spec(2, 3)]),
    "tensordot_of_axes": (lambda a, b: tf.tensordot(a, b, [[1], [0]]), [spec(2, 3, 4), spec(3, 5)]),
    "matvec": (lambda a, b: tf.linalg.matvec(a, b), [spec(2, 3), spec(3)]),
    "global_norm": (lambda a, b: tf.linalg.global_norm([a, b]), [spec(2), spec(3)]),
    "clip_by_global_norm": (lambda a, b: tf.clip_by_global_norm([a, b], 1.0), [spec(2), spec(3)]),
    "cumulative_product": (lambda x: tf.math.cumprod(x, exclusive=True), [spec(3)]),
    "floor_and_true_division": (lambda x, y: (tf.math.divide_no_nan(x, y), tf.math.floordiv(x, y)), [spec(2), spec(2)]),
    "tensor_array": (lambda x: tf.TensorArray(tf.float32, 2).unstack(x).write(0, x[1]).stack(), [spec(2, 3)]),
    "argsort": (lambda x: tf.argsort(x), [spec(3)]),
    "sort": (lambda x: tf.sort(x, direction="DESCENDING"), [spec(3)]),
    "top_k": (lambda x: tuple(tf.math.top_k(x, 2)), [spec(3)]),
    "unique": (lambda x: tuple(tf.unique(x)), [spec(3)]),
    "cumsum": (lambda x: tf.cumsum(x, axis=0, reverse=True), [spec(3)]),
    "reduce_logsumexp": (lambda x: tf.reduce_logsumexp(x), [spec(3)]),
    "reduce_std": (lambda x: tf.math.reduce_std(x), [spec(3)]),
    "reduce_variance": (lambda x: tf.math.reduce_variance(x, axis=0), [spec(2, 2)]),
    "reduce_any_and_all": (lambda x: (tf.reduce_any(x), tf.reduce_all(x, axis=0)), [spec(2, dtype=tf.bool)]),
    "moments": (lambda x: tf.nn.moments(x, axes=[0]), [spec(3, 2)]),
    "softmax_first_axis": (lambda x: tf.nn.softmax(x, axis=0), [spec(3, 2)]),
    "log_softmax": (lambda x: tf.nn.log_softmax(x), [spec(3)]),
    "sigmoid_cross_entropy": (
        lambda a, b: tf.nn.sigmoid_cross_entropy_with_logits(labels=a, logits=b),
        [spec(2), spec(2)],
    ),
    "softmax_cross_entropy": (
        lambda a, b: tf.nn.softmax_cross_entropy_with_logits(labels=a, logits=b),
        [spec(2, 3), spec(2, 3)],
    ),
    "gelu": (lambda x: tf.nn.gelu(x), [spec(2)]),
    "swish": (lambda x: tf.nn.silu(x), [spec(2)]),
    "leaky_relu": (lambda x: tf.nn.leaky_relu(x), [spec(2)]),
    "l2_normalize": (lambda x: tf.math.l2_normalize(x, axis=0), [spec(2)]),
    "clip_by_norm": (lambda x: tf.clip_by_norm(x, 1.0), [spec(2)]),
    "squared_difference": (lambda x, y: tf.math.squared_difference(x, y), [spec(2), spec(2)]),
    "add_n": (lambda x, y: tf.add_n([x, y, x]), [spec(2), spec(2)]),
    "logical_xor": (lambda x, y: tf.math.logical_xor(x, y), [spec(dtype=tf.bool), spec(dtype=tf.bool)]),
    "pad": (lambda x: tf.pad(x, [[1, 1]]), [spec(2)]),
    "pad_with_value": (lambda x: tf.pad(x, [[1, 1]], constant_values=5.0), [spec(2)]),
    "tile_and_repeat": (lambda x: (tf.tile(x, [2]), tf.repeat(x, 2)), [spec(2)]),
    "reverse_and_roll": (lambda x: (tf.reverse(x, [0]), tf.roll(x, 1, 0)), [spec(3)]),
    "broadcast_to": (lambda x: tf.broadcast_to(x, [2, 3]), [spec(3)]),
    "split_by_sizes": (lambda x: tf.split(x, [1, 2]), [spec(3)]),
    "slice": (lambda x: tf.slice(x, [1], [2]), [spec(4)]),
    "boolean_mask": (lambda x, m: tf.boolean_mask(x, m), [spec(3), spec(3, dtype=tf.bool)]),
    "gather_nd": (lambda x, i: tf.gather_nd(x, i), [spec(3), spec(2, 1, dtype=tf.int32)]),
    "scatter_nd": (lambda i, u: tf.scatter_nd(i, u, [4]), [spec(2, 1, dtype=tf.int32), spec(2)]),
    "tensor_scatter": (
        lambda x, i, u: tf.tensor_scatter_nd_update(x, i, u),
        [spec(3), spec(2, 1, dtype=tf.int32), spec(2)],
    ),
    "segment_sum": (lambda x, s: tf.math.segment_sum(x, s), [spec(3), spec(3, dtype=tf.int32)]),
    "linspace": (lambda a, b: tf.linspace(a, b, 3), [spec(), spec()]),
    "range_of_floats": (lambda n: tf.range(0.0, n, 0.5), [spec()]),
    "eye_of_unknown_size": (lambda n: tf.eye(n), [spec(dtype=tf.int32)]),
    "matrix_functions": (
        lambda x: (tf.linalg.inv(x), tf.linalg.det(x), tf.linalg.trace(x), tf.linalg.diag_part(x)),
        [spec(2, 2)],
    ),
    "diag_and_band_part": (lambda x: (tf.linalg.diag(x), tf.linalg.band_part(tf.linalg.diag(x), 0, -1)), [spec(2)]),
    "norm_of_axis": (lambda x: tf.norm(x, axis=1), [spec(2, 2)]),
    "round_floor_ceil": (lambda x: (tf.round(x), tf.floor(x), tf.math.ceil(x), tf.math.rint(x)), [spec(2)]),
    "string_functions": (
        lambda s: (tf.strings.upper(s), tf.strings.substr(s, 0, 2), tf.strings.regex_replace(s, "a", "b")),
        [spec(2, dtype=tf.string)],
    ),
    "stateless_integers": (
        lambda seed: tf.random.stateless_uniform([2], seed, 0, 10, tf.int32),
        [spec(2, dtype=tf.int32)],
    ),
    "stateless_normal": (lambda seed: tf.random.stateless_normal([2], seed, 1.0, 2.0), [spec(2, dtype=tf.int32)]),
    "truth_of_numbers": (lambda x: (x > 1) & ~(x < 3), [spec(dtype=tf.int32)]),
    "mixed_constants": (lambda x: x * [1.0, 2.0] + tf.constant(3.0) - 1, [spec(2)]),
    "integer_division": (lambda x: (x / 2, x // 2, x % 2, 7 // x), [spec(dtype=tf.int32)]),
    "identity_n_and_group": (lambda x: tf.identity_n([x, x * 2.0]), [spec()]),
    "bitcast_and_cast": (lambda x: (tf.bitcast(x, tf.int32), tf.cast(x, tf.bool)), [spec(2)]),
}


def one_call(name: str, function: Callable[..., Any], arguments: list[Any], kind: str = "one_call") -> Graph:
    def build() -> tuple[Any, list[Any]]:
        return tf.function(function), arguments

    build.__name__ = name
    return Graph(build, kind)


GRAPHS = [one_call(name, function, arguments) for name, (function, arguments) in ONE_CALL.items()]
