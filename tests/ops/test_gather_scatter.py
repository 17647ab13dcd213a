"""Gather and scatter beyond the recorded answers: gradients against differences, variables, unknown shapes, errors."""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf

BAD = tf.errors.InvalidArgumentError
RNG = np.random.default_rng(3)


def x(*shape):
    return RNG.normal(size=shape)


GRADIENTS = {
    "gather rows": (lambda p: tf.gather(p, [2, 0, 2]), x(3, 2)),
    "gather a matrix of rows": (lambda p: tf.gather(p, [[2, 0], [1, 1]]), x(3, 2)),
    "gather columns": (lambda p: tf.gather(p, [1, 1, 0], axis=1), x(3, 2, 2)),
    "gather the last axis": (lambda p: tf.gather(p, [[1], [0]], axis=-1), x(2, 3)),
    "gather in batches": (lambda p: tf.gather(p, [[0, 1], [1, 1], [2, 0]], batch_dims=1), x(3, 4)),
    "gather in batches along a later axis": (lambda p: tf.gather(p, [[0], [1]], axis=2, batch_dims=1), x(2, 3, 2, 2)),
    "gather_nd": (lambda p: tf.gather_nd(p, [[0, 1], [2, 0], [0, 1]]), x(3, 2)),
    "gather_nd rows": (lambda p: tf.gather_nd(p, [[0], [0]]), x(3, 2)),
    "gather_nd in batches": (lambda p: tf.gather_nd(p, [[[0]], [[1]]], batch_dims=1), x(2, 3)),
    "scatter_nd": (lambda u: tf.scatter_nd([[1], [3], [1]], u, [5]), x(3)),
    "update": (lambda t: tf.tensor_scatter_nd_update(t, [[1]], t[:1] * 3), x(3)),
    "add": (lambda t: tf.tensor_scatter_nd_add(t, [[1], [1]], t[:2] * 3), x(3)),
    "sub": (lambda t: tf.tensor_scatter_nd_sub(t, [[0]], t[2:] * 3), x(3)),
    "max": (lambda t: tf.tensor_scatter_nd_max(t, [[0], [2]], t[:2] * 2 + 0.1), x(3)),
    "min": (lambda t: tf.tensor_scatter_nd_min(t, [[0], [2]], t[:2] * 2 + 0.1), x(3)),
    "partition": (lambda d: tf.concat(tf.dynamic_partition(d, [1, 0, 1], 2), 0), x(3, 2)),
    "stitch": (lambda d: tf.dynamic_stitch([[1, 0], [2, 3]], [d[:2], d[1:]]), x(3, 2)),
    "segment_sum": (lambda d: tf.math.segment_sum(d, [0, 0, 2]), x(3, 2)),
    "segment_mean": (lambda d: tf.math.segment_mean(d, [0, 0, 2]), x(3, 2)),
    "segment_prod": (lambda d: tf.math.segment_prod(d, [0, 0, 2]), x(3, 2)),
    "segment_max": (lambda d: tf.math.segment_max(d, [0, 0, 2]), x(3, 2)),
    "unsorted_segment_sum": (lambda d: tf.math.unsorted_segment_sum(d, [1, -1, 1], 3), x(3, 2)),
    "unsorted_segment_mean": (lambda d: tf.math.unsorted_segment_mean(d, [1, 0, 1], 3), x(3, 2)),
    "unsorted_segment_prod": (lambda d: tf.math.unsorted_segment_prod(d, [1, 0, 1], 2), x(3, 2)),
    "unsorted_segment_min": (lambda d: tf.math.unsorted_segment_min(d, [1, 0, 1], 2), x(3, 2)),
    "top_k": (lambda v: tf.math.top_k(v, 2).values, x(3, 4)),
    "sort": (lambda v: tf.sort(v, axis=0), x(3, 2)),
    "embedding with a norm": (lambda p: tf.nn.embedding_lookup(p, [1, 1, 0], max_norm=0.5), x(3, 2)),
}


@pytest.mark.parametrize("name", GRADIENTS)
@pytest.mark.parametrize("how", ["eager", "traced"])
def test_gradients_against_differences(name, how):
    f, value = GRADIENTS[name]
    size = f(tf.constant(value)).shape
    weights = np.arange(1.0, 1 + np.prod(size)).reshape(size)

    def loss(v):
        return tf.reduce_sum(f(v) * weights)

    def gradient(v):
        with tf.GradientTape() as tape:
            tape.watch(v)
            y = loss(v)
        return tf.convert_to_tensor(tape.gradient(y, v))

    found = (tf.function(gradient, autograph=False) if how == "traced" else gradient)(tf.constant(value)).numpy()
    step = 1e-6
    for index in np.ndindex(value.shape):
        up, down = value.copy(), value.copy()
        up[index] += step
        down[index] -= step
        slope = (loss(tf.constant(up)) - loss(tf.constant(down))).numpy() / (2 * step)
        assert found[index] == pytest.approx(slope, rel=1e-5, abs=1e-6), (index, found)


def test_rows_of_a_variable_have_a_sparse_gradient():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    for read in (lambda: tf.gather(v, [0, 0]), lambda: tf.nn.embedding_lookup(v, [0, 0])):
        with tf.GradientTape() as tape:
            y = read()
        g = tape.gradient(y, v)
        assert isinstance(g, tf.IndexedSlices)
        assert g.indices.numpy().tolist() == [0, 0]
        assert tf.convert_to_tensor(g).numpy().tolist() == [[2.0, 2.0], [0.0, 0.0]]


def test_indexed_slices_need_their_dense_shape():
    with pytest.raises(ValueError, match="dense_shape"):
        tf.convert_to_tensor(tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0])))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: tf.gather([1, 2, 3], [-1]), r"indices\[0\] = -1 is not in \[0, 3\)"),
        (lambda: tf.gather([1, 2, 3], [[0, 3]]), r"indices\[0,1\] = 3 is not in \[0, 3\)"),
        (lambda: tf.gather([1, 2, 3], 5), r"indices = 5 is not in \[0, 3\)"),
        (lambda: tf.gather_nd([[1, 2]], [[0, 2]]), r"indices\[0\] = \[0, 2\] does not index into param shape \[1,2\]"),
        (lambda: tf.scatter_nd([[4]], [9], [3]), r"indices\[0\] = \[4\] does not index into shape \[3\]"),
        (lambda: tf.dynamic_partition([1, 2], [0, 3], 3), r"partitions\[1\] = 3 is not in \[0, 3\)"),
        (lambda: tf.math.segment_sum([1, 2], [1, 0]), "not increasing"),
        (lambda: tf.math.unsorted_segment_sum([1, 2], [0, 2], 2), "out of range"),
        (lambda: tf.unique([[1]]), "1D vector"),
    ],
)
def test_errors_say_which_index(call, text):
    with pytest.raises(BAD, match=text):
        call()


UNKNOWN = [
    (lambda a, i: tf.gather(a, i), [None, 3], [None], [None, 3]),
    (lambda a, i: tf.gather(a, i, axis=1), [2, 3], [4], [2, 4]),
    (lambda a, i: tf.gather(a, i, axis=1, batch_dims=1), [2, None, 5], [2, 4], [2, 4, 5]),
    (lambda a, i: tf.gather(a, i), None, [2], None),
    (lambda a, i: tf.gather_nd(a, i), [3, None, 4], [5, 2], [5, 4]),
    (lambda a, i: tf.gather_nd(a, i), [3, 4], [None, None], None),
    (lambda a, i: tf.scatter_nd(i, a, [7, 3]), [None, 3], [None, 1], [7, 3]),
    (lambda a, i: tf.math.unsorted_segment_sum(a, i, 5), [None, 3], [None], [5, 3]),
    (lambda a, i: tf.math.segment_sum(a, i), [4, 3], [4], [None, 3]),
    (lambda a, i: tf.math.top_k(a, 2)[0], [4, None], [1], [4, 2]),
    (lambda a, i: tf.unique(i)[1], [1], [4], [4]),
    (lambda a, i: tf.dynamic_partition(a, i, 2)[1], [4, 3], [4], [None, 3]),
]


@pytest.mark.parametrize(("f", "params", "indices", "expected"), UNKNOWN)
def test_shapes_while_tracing(f, params, indices, expected):
    traced = tf.function(f, autograph=False)
    spec = [tf.TensorSpec(params), tf.TensorSpec(indices, tf.int32)]
    shape = traced.get_concrete_function(*spec).structured_outputs.shape
    assert shape.rank is None if expected is None else shape.as_list() == expected


@pytest.mark.parametrize(
    ("values", "unique", "index", "count"),
    [
        ([3, 1, 3, 2], [3, 1, 2], [0, 1, 0, 2], [2, 1, 1]),
        ([b"b", b"a", b"b"], [b"b", b"a"], [0, 1, 0], [2, 1]),
        ([0.0, -0.0, 1.0], [0.0, 1.0], [0, 0, 1], [2, 1]),
        ([], [], [], []),
    ],
)
def test_unique(values, unique, index, count):
    found = tf.unique_with_counts(tf.constant(values))
    assert [part.numpy().tolist() for part in found] == [unique, index, count]
    assert [part.numpy().tolist() for part in tf.unique(tf.constant(values))] == [unique, index]


def test_every_nan_is_unique():
    assert tf.unique([np.nan, np.nan]).idx.numpy().tolist() == [0, 1]


@pytest.mark.parametrize("dtype", [tf.int32, tf.uint8, tf.int64, tf.float32, tf.float64])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_sorting(dtype, axis):
    values = np.array([[3, 1, 2], [2, 2, 0]])
    t = tf.cast(values, dtype)
    assert tf.sort(t, axis).numpy().tolist() == np.sort(values, axis).tolist()
    down = tf.sort(t, axis, direction="DESCENDING").numpy()
    assert down.tolist() == np.flip(np.sort(values, axis), axis).tolist()
    assert tf.argsort(t, axis, stable=True).numpy().tolist() == np.argsort(values, axis, kind="stable").tolist()


def test_extremes_sort_too():
    low, high = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    assert tf.sort(tf.constant([0, high, low], tf.int64)).numpy().tolist() == [low, 0, high]
    assert tf.math.top_k(tf.constant([0, 255, 3], tf.uint8), 3).values.numpy().tolist() == [255, 3, 0]


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"direction": "UP"}, ValueError, "direction"),
        ({"axis": 2}, tf.errors.InvalidArgumentError, "Axis 2"),
        ({"axis": None}, ValueError, "axis must be an int"),
    ],
)
def test_what_sort_does_not_take(options, error, text):
    with pytest.raises(error, match=text):
        tf.sort([[1, 2]], **options)
