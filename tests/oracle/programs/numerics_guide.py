"""Numbers as a first course treats them: dtypes, broadcasting, matrices, what rounds and what overflows."""

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def dtypes_do_not_mix():
    """Python numbers take the tensor's dtype; tensors of two dtypes are an error, in all operators."""
    i, f, d = tf.constant([1, 2]), tf.constant([1.5, 2.5]), tf.constant([1.0, 2.0], tf.float64)

    @tf.function
    def add(a, b):
        return a + b

    good = add(f, 1), add(1, d), add(i, np.int32(3)), add(d, np.array([1.0, 1.0])), add(2.0, f)
    wrong = [
        raised(add, a, b) for a, b in [(i, f), (f, d), (i, 1.5), (f, "a"), (f, None), (i, tf.constant(1, tf.int64))]
    ]
    wrong += [raised(lambda: i * f), raised(lambda: f @ d), raised(lambda: i < f), raised(lambda: i // 1.5)]
    return good, wrong, raised(add, i, np.int64(3)), tf.cast(f, i.dtype) + i


@program
def division_and_remainder():
    """True division of integers gives floats; floor division and modulo follow Python's signs."""
    a, b = tf.constant([7, -7, 7, -7]), tf.constant([2, 2, -2, -2])

    @tf.function
    def f(a, b):
        return a / b, a // b, a % b, tf.truncatediv(a, b), tf.truncatemod(a, b), -a, abs(a), a**2

    ints = f(a, b)
    floats = f(tf.cast(a, tf.float32), tf.cast(b, tf.float32))
    small = tf.function(lambda x: (x / x, x // 2, x + 100))(tf.constant([100, 50], tf.int8))
    return ints, floats, small, raised(lambda: a // 0), tf.math.divide_no_nan(1.0, 0.0)


@program(eager=False)
def broadcasting_in_three_dimensions():
    """Shapes stretch from the right; those that do not fit are told."""

    @tf.function
    def f(a, b):
        return a + b, tf.maximum(a, b), tf.where(a > b, a, b), tf.broadcast_dynamic_shape(tf.shape(a), tf.shape(b))

    x = tf.reshape(tf.range(6), [2, 1, 3])
    results = f(x, tf.constant([[1], [2]])), f(x, 4), f(tf.zeros([0, 1], tf.int32), tf.ones([3], tf.int32))
    static = tf.broadcast_static_shape(tf.TensorShape([2, 1, 3]), tf.TensorShape([4, 1])).as_list()
    return results, static, raised(f, x, tf.ones([2], tf.int32)), tf.broadcast_to([1, 2], [2, 2])


@program
def reductions_of_everything_and_nothing():
    """Sums, means, maxima of axes, of all, of empty tensors."""

    @tf.function
    def f(x):
        return (
            tf.reduce_sum(x),
            tf.reduce_mean(x, axis=0),
            tf.reduce_max(x, axis=[0, 1]),
            tf.reduce_prod(x, 1, keepdims=True),
            tf.reduce_logsumexp(x, axis=-1),
            tf.math.reduce_std(x, 0),
            tf.argmin(x, axis=1, output_type=tf.int32),
        )

    full = f(tf.constant([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]))
    empty = tf.function(lambda x: (tf.reduce_sum(x), tf.reduce_mean(x), tf.reduce_max(x), tf.reduce_min(x)))
    vector = empty(tf.zeros([0]))
    return full, vector, empty(tf.zeros([0, 2], tf.int32)), tf.reduce_any([])


@program(eager=False, rtol={"float32": 1e-4})
def matrices_and_their_parts():
    """Products, transposes, solutions, decompositions put together again."""
    a = tf.constant([[4.0, 1.0], [2.0, 3.0]])

    @tf.function
    def f(a):
        s, u, v = tf.linalg.svd(a)
        q, r = tf.linalg.qr(a)
        return (
            tf.matmul(a, a, transpose_b=True),
            tf.linalg.inv(a) @ a,
            s,
            u @ tf.linalg.diag(s) @ tf.transpose(v),
            q @ r,
            tf.linalg.det(a),
            tf.linalg.matvec(a, [1.0, 2.0]),
            tf.tensordot(a, a, [[0], [1]]),
            tf.einsum("ij,kj->ik", a, a),
            tf.norm(a, ord=1),
        )

    wrong = raised(f, tf.ones([2, 3])), raised(tf.linalg.inv, tf.zeros([2, 2])), raised(tf.matmul, a, tf.ones([3, 2]))
    return f(a), wrong


@program
def casts_and_their_limits():
    """Casting truncates, saturates or wraps; NaN and infinity."""

    @tf.function
    def f(x):
        return (
            tf.cast(x, tf.int32),
            tf.saturate_cast(x, tf.uint8),
            tf.round(x),
            tf.cast(x, tf.bool),
            tf.cast(x, tf.float16),
        )

    values = f(tf.constant([1.9, -1.9, 300.0, 0.5, 2.5, 1e-9]))
    wraps = tf.cast(tf.constant([300, -1]), tf.uint8)
    special = tf.constant([float("nan"), float("inf"), -float("inf")])
    checks = tf.math.is_nan(special), tf.math.is_finite(special), raised(tf.debugging.check_numerics, special, "bad")
    return values, wraps, checks, tf.bitcast(1.0, tf.int32), tf.cast(1 + 2j, tf.complex64) * tf.complex(0.0, 1.0)
