"""What inference says of shapes while tracing is what the run gives, whatever is known of the inputs.

Each call is traced three times: with all sizes known, with known ranks only, and with nothing known.  The static shape of
each result must fit the shape that the run gives, and with known sizes it must be that shape.
"""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf
from tests.ops.test_gradients import CASES as DIFFERENTIABLE

INTEGERS = np.array([[3, 1, 2], [0, 2, 1]], np.int32)
FLAGS = np.array([[True, False, True], [False, False, True]])

# Further calls, of ops without gradients.
OTHERS = {
    "equal": (tf.equal, [INTEGERS, INTEGERS[0]]),
    "not_equal": (tf.not_equal, [INTEGERS, INTEGERS[:, :1]]),
    "less": (tf.less, [INTEGERS, INTEGERS]),
    "logical_and": (tf.logical_and, [FLAGS, FLAGS[0]]),
    "logical_not": (tf.logical_not, [FLAGS]),
    "logical_xor": (tf.math.logical_xor, [FLAGS, FLAGS]),
    "floordiv": (tf.math.floordiv, [INTEGERS, INTEGERS + 1]),
    "truncatediv": (tf.truncatediv, [INTEGERS, INTEGERS + 1]),
    "reduce_any": (lambda x: tf.reduce_any(x, 1), [FLAGS]),
    "reduce_all of all": (tf.reduce_all, [FLAGS]),
    "reduce_sum kept": (lambda x: tf.reduce_sum(x, [0, 1], keepdims=True), [INTEGERS]),
    "argmax": (lambda x: tf.argmax(x, 1), [INTEGERS]),
    "argmin": (lambda x: tf.argmin(x, output_type=tf.int32), [INTEGERS]),
    "count_nonzero": (lambda x: tf.math.count_nonzero(x, 0), [INTEGERS]),
    "bincount": (tf.math.bincount, [INTEGERS[0]]),
    "shape": (tf.shape, [INTEGERS]),
    "size": (tf.size, [INTEGERS]),
    "rank": (tf.rank, [INTEGERS]),
    "shape_n": (lambda x, y: tf.shape_n([x, y]), [INTEGERS, INTEGERS[0]]),
    "zeros_like": (tf.zeros_like, [INTEGERS]),
    "ones_like float": (lambda x: tf.ones_like(x, tf.float32), [INTEGERS]),
    "zeros of a shape": (lambda x: tf.zeros(tf.shape(x)), [INTEGERS]),
    "fill of sizes": (lambda x: tf.fill([tf.shape(x)[0], 2], 1.0), [INTEGERS]),
    "range": (tf.range, [INTEGERS[0, 0]]),
    "one_hot": (lambda x: tf.one_hot(x, 4, axis=0), [INTEGERS]),
    "sequence_mask": (tf.sequence_mask, [INTEGERS]),
    "eye": (tf.eye, [INTEGERS[0, 0]]),
    "where": (tf.where, [FLAGS]),
    "cast": (lambda x: tf.cast(x, tf.float16), [INTEGERS]),
    "bitcast": (lambda x: tf.bitcast(x, tf.int8), [INTEGERS]),
    "broadcast_dynamic_shape": (tf.broadcast_dynamic_shape, [INTEGERS[0], INTEGERS[0]]),
    "reshape to sizes": (lambda x: tf.reshape(x, [tf.shape(x)[1], -1]), [INTEGERS]),
    "reshape to a shape": (lambda x, y: tf.reshape(x, tf.shape(y)), [INTEGERS, INTEGERS.T]),
    "squeeze": (tf.squeeze, [INTEGERS[:1]]),
    "unstack": (lambda x: tf.unstack(x, num=2), [INTEGERS]),
    "split": (lambda x: tf.split(x, 3, 1), [INTEGERS]),
    "concat": (lambda x, y: tf.concat([x, y], 0), [INTEGERS, INTEGERS]),
    "x[i]": (lambda x, i: x[i], [INTEGERS, np.int32(1)]),
    "x[:i, 1:]": (lambda x, i: x[:i, 1:], [INTEGERS, np.int32(1)]),
    "x[..., i]": (lambda x, i: x[..., i], [INTEGERS, np.int32(-1)]),
    "x[:, None, ::2]": (lambda x: x[:, tf.newaxis, ::2], [INTEGERS]),
    "boolean_mask": (lambda x: tf.boolean_mask(x, [True, False]), [INTEGERS]),
    "tile": (lambda x, n: tf.tile(x, [n, 2]), [INTEGERS, np.int32(2)]),
    "repeat": (lambda x: tf.repeat(x, [2, 0], axis=0), [INTEGERS]),
    "pad": (lambda x: tf.pad(x, [[1, 0], [0, 2]]), [INTEGERS]),
    "roll": (lambda x: tf.roll(x, 1, 0), [INTEGERS]),
    "invert_permutation": (tf.math.invert_permutation, [np.array([2, 0, 1], np.int32)]),
    "in_top_k": (lambda x: tf.math.in_top_k([0, 1], x, 1), [INTEGERS.astype(np.float32)]),
    "matmul": (tf.matmul, [INTEGERS, INTEGERS.T]),
    "einsum": (lambda x, y: tf.einsum("...ij,jk->...ik", x, y), [INTEGERS, INTEGERS.T]),
    "unravel_index": (lambda x: tf.unravel_index(x, [2, 2]), [INTEGERS]),
}
CASES = DIFFERENTIABLE | OTHERS

# How many tensors these calls make must be known while tracing, as in TensorFlow.
NEEDS_RANK = {"split sizes", "unstack"}
NEEDS_SIZES = {"split sizes", "unstack"}


def specs(arrays, what):
    known = {"sizes": lambda a: a.shape, "ranks": lambda a: [None] * a.ndim, "nothing": lambda a: None}[what]
    return [tf.TensorSpec(known(np.asarray(a)), np.asarray(a).dtype) for a in arrays]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("what", ["sizes", "ranks", "nothing"])
def test_static_shape_is_the_shape_of_the_run(name, what):
    function, arrays = CASES[name]
    if (what == "nothing" and name in NEEDS_RANK) or (what == "ranks" and name in NEEDS_SIZES & set(DIFFERENTIABLE)):
        pytest.skip("needs to know more while tracing")
    values = [tf.constant(a) for a in arrays]
    traced = tf.function(function, input_signature=specs(arrays, what), autograph=False)
    static = tf.nest.flatten(traced.get_concrete_function().structured_outputs)
    result = tf.nest.flatten(traced(*values))
    eager = tf.nest.flatten(function(*values))
    for said, got, expected in zip(static, result, eager, strict=True):
        assert said.dtype == got.dtype == expected.dtype
        assert said.shape.is_compatible_with(got.shape), f"inference says {said.shape}, the run gives {got.shape}"
        assert got.shape == expected.shape
        if what == "sizes" and name not in DATA_DEPENDENT:
            assert said.shape == got.shape
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-12)


# Results whose shape the values decide.
DATA_DEPENDENT = {
    "where", "boolean_mask", "range", "bincount", "sequence_mask", "eye", "tile", "repeat", "x[:i, 1:]",
}  # fmt: skip

# A call, and what it must say while tracing: these shapes can't fit, whatever the values are.
IMPOSSIBLE = {
    "add": lambda x: x + tf.ones([4]),
    "matmul": lambda x: tf.matmul(x, tf.ones([4, 4])),
    "reshape": lambda x: tf.reshape(x, [4]),
    "concat": lambda x: tf.concat([x, tf.ones([2, 4])], 0),
    "stack": lambda x: tf.stack([x, tf.ones([3])]),
    "reduce_sum": lambda x: tf.reduce_sum(x, 2),
    "expand_dims": lambda x: tf.expand_dims(x, 4),
    "squeeze": lambda x: tf.squeeze(x, 0),
    "split": lambda x: tf.split(x, 2, 1),
    "x[5]": lambda x: x[5],
    "x[0, 0, 0]": lambda x: x[0, 0, 0],
    "pad": lambda x: tf.pad(x, [[1, 1]]),
    "tile": lambda x: tf.tile(x, [2]),
    "broadcast_to": lambda x: tf.broadcast_to(x, [3]),
    "bias_add": lambda x: tf.nn.bias_add(x, [1.0]),
    "where": lambda x: tf.where(x > 0, x, tf.ones([4])),
    "einsum": lambda x: tf.einsum("ij,jk->ik", x, x),
    "ensure_shape": lambda x: tf.ensure_shape(x, [3, 3]),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_shapes_are_errors_while_tracing(name):
    with pytest.raises(ValueError):  # noqa: PT011 - the class is TensorFlow's
        tf.function(IMPOSSIBLE[name], autograph=False).get_concrete_function(tf.TensorSpec([2, 3]))


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_shapes_are_invalid_arguments_eagerly(name):
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        IMPOSSIBLE[name](tf.ones([2, 3]))
