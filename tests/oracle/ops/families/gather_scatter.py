"""Looking values up by index, and putting them there."""

from tests.oracle.ops.table import FLOATS, MOVED, NUMBERS, REAL, Case, each, given, op, variants, x, y

NUMERIC = ("float16", "float32", "float64", "int32", "int64", "complex64")
SEGMENTS = {
    "vector": (x(4), given([0, 0, 1, 3])),
    "rows": (x(3, 2), given([0, 1, 1])),
    "wide": (x(3), given([0, 1, 1], "int64")),
    "empty": (x(0), given([])),
    "unsorted": (x(3), given([1, 0, 1])),
    "wrong": (x(2), given([0, 1, 1])),
}
UNSORTED = {
    "vector": (x(4), given([2, 0, 2, 0])),
    "rows": (x(3, 2), given([1, 0, 1])),
    "negative": (x(3), given([0, -1, 0])),
    "empty": (x(0), given([])),
    "far": (x(2), given([0, 9])),
    "matrix": (x(2, 2), given([[0, 1], [1, 2]])),
}
UPDATES = {
    "vector": (x(4), given([[1], [3]]), y(2)),
    "twice": (x(4), given([[1], [1]]), y(2)),
    "rows": (x(3, 2), given([[2], [0]]), y(2, 2)),
    "cells": (x(2, 2), given([[0, 1], [1, 0]]), y(2)),
    "empty": (x(3), given([[0]], "int32"), y(1)),
    "far": (x(2), given([[2]]), y(1)),
    "wrong": (x(3), given([[0], [1]]), y(3)),
}

CASES: list[Case] = [
    op(
        "GatherV2",
        lambda tf, a, i: tf.gather(a, i),
        {
            "vector": (x(4), given([3, 0, 0])),
            "scalar": (x(4), given(2)),
            "rows": (x(3, 2), given([2, 1])),
            "matrix": (x(3), given([[0, 1], [2, 2]])),
            "wide": (x(3), given([1], "int64")),
            "empty": (x(3), given([])),
            "empty2": (x(0, 2), given([])),
            "far": (x(3), given([3])),
            "negative": (x(3), given([-1])),
        },
        MOVED,
        gradient=True,
    ),
    *variants(
        "GatherV2",
        {
            "axis": lambda tf, a, i: tf.gather(a, i, axis=1),
            "last": lambda tf, a, i: tf.gather(a, i, axis=-1),
            "batch": lambda tf, a, i: tf.gather(a, i, batch_dims=1),
            "batch axis": lambda tf, a, i: tf.gather(a, i, axis=-1, batch_dims=1),
        },
        {"matrix": (x(2, 3), given([[0, 2], [1, 1]])), "cube": (x(2, 2, 3), given([[1], [0]]))},
        MOVED,
        gradient=True,
    ),
    op(
        "GatherNd",
        lambda tf, a, i: tf.gather_nd(a, i),
        {
            "cells": (x(2, 3), given([[0, 2], [1, 0]])),
            "rows": (x(2, 3), given([[1], [1]])),
            "scalar": (x(2, 3), given([1, 1])),
            "deep": (x(2, 2, 2), given([[[0, 1]], [[1, 0]]])),
            "whole": (x(3), given([[]], "int32")),
            "far": (x(2), given([[5]])),
        },
        MOVED,
        gradient=True,
    ),
    op(
        "GatherNd",
        lambda tf, a, i: tf.gather_nd(a, i, batch_dims=1),
        {"matrix": (x(2, 3), given([[2], [0]]))},
        MOVED,
        "batch",
        gradient=True,
    ),
    op(
        "ScatterNd",
        lambda tf, i, a: tf.scatter_nd(i, a, [4, 2][: 1 if a.shape.rank == 1 else 2]),
        {
            "vector": (given([[1], [3]]), x(2)),
            "twice": (given([[1], [1], [0]]), x(3)),
            "rows": (given([[2], [0]]), x(2, 2)),
            "empty": (given([[0]]), x(1)),
            "far": (given([[4]]), x(1)),
            "wrong": (given([[0], [1]]), x(3)),
        },
        (*NUMERIC, "bool", "string", "int8"),
        gradient=True,
    ),
    *each(
        {
            "TensorScatterUpdate": lambda tf, a, i, u: tf.tensor_scatter_nd_update(a, i, u),
            "TensorScatterAdd": lambda tf, a, i, u: tf.tensor_scatter_nd_add(a, i, u),
            "TensorScatterSub": lambda tf, a, i, u: tf.tensor_scatter_nd_sub(a, i, u),
        },
        UPDATES,
        (*NUMERIC, "bool", "string"),
        gradient=True,
    ),
    *each(
        {
            "TensorScatterMax": lambda tf, a, i, u: tf.tensor_scatter_nd_max(a, i, u),
            "TensorScatterMin": lambda tf, a, i, u: tf.tensor_scatter_nd_min(a, i, u),
        },
        UPDATES,
        NUMERIC,
        gradient=True,
    ),
    *each(
        {
            "SegmentSum": lambda tf, a, s: tf.math.segment_sum(a, s),
            "SegmentMean": lambda tf, a, s: tf.math.segment_mean(a, s),
            "SegmentProd": lambda tf, a, s: tf.math.segment_prod(a, s),
        },
        SEGMENTS,
        (*NUMERIC, "bfloat16", "uint8"),
        gradient=True,
    ),
    *each(
        {
            "SegmentMax": lambda tf, a, s: tf.math.segment_max(a, s),
            "SegmentMin": lambda tf, a, s: tf.math.segment_min(a, s),
        },
        SEGMENTS,
        REAL,
        gradient=True,
    ),
    *each(
        {
            "UnsortedSegmentSum": lambda tf, a, s: tf.math.unsorted_segment_sum(a, s, 4),
            "UnsortedSegmentProd": lambda tf, a, s: tf.math.unsorted_segment_prod(a, s, num_segments=3),
        },
        UNSORTED,
        NUMERIC,
        gradient=True,
    ),
    *each(
        {
            "UnsortedSegmentMax": lambda tf, a, s: tf.math.unsorted_segment_max(a, s, 3),
            "UnsortedSegmentMin": lambda tf, a, s: tf.math.unsorted_segment_min(a, s, 4),
        },
        UNSORTED,
        REAL,
        gradient=True,
    ),
    *each(
        {
            "unsorted_segment_mean": lambda tf, a, s: tf.math.unsorted_segment_mean(a, s, 4),
            "unsorted_segment_sqrt_n": lambda tf, a, s: tf.math.unsorted_segment_sqrt_n(a, s, 3),
        },
        UNSORTED,
        FLOATS[2:],
        gradient=True,
    ),
    op(
        "DynamicPartition",
        lambda tf, a, p: tf.dynamic_partition(a, p, 3),
        {
            "vector": (x(4), given([0, 2, 0, 2])),
            "rows": (x(2, 2), given([1, 0])),
            "empty": (x(0), given([])),
            "far": (x(2), given([0, 3])),
        },
        MOVED,
        gradient=True,
    ),
    op(
        "DynamicStitch",
        lambda tf, i, j, a, b: tf.dynamic_stitch([i, j], [a, b]),
        {
            "vector": (given([0, 2]), given([1, 3]), x(2), y(2)),
            "overlap": (given([0, 1]), given([1]), x(2), y(1)),
            "rows": (given([1]), given([0]), x(1, 2), y(1, 2)),
        },
        MOVED,
        gradient=True,
    ),
    op(
        "embedding_lookup",
        lambda tf, a, i: tf.nn.embedding_lookup(a, i),
        {"rows": (x(3, 2), given([2, 0, 2]))},
        ("float32", "float64"),
        gradient=True,
    ),
    op(
        "ResourceGather",
        lambda tf, a, i: tf.gather(tf.Variable(a), i),
        {"rows": (x(3, 2), given([2, 0])), "far": (x(2), given([2]))},
        ("float32", "int32", "string"),
        traced=False,
    ),
    *each(
        {
            "ResourceScatterUpdate": lambda tf, a, i, u: tf.Variable(a).scatter_update(tf.IndexedSlices(u, i)),
            "ResourceScatterAdd": lambda tf, a, i, u: tf.Variable(a).scatter_add(tf.IndexedSlices(u, i)),
            "ResourceScatterSub": lambda tf, a, i, u: tf.Variable(a).scatter_sub(tf.IndexedSlices(u, i)),
            "ResourceScatterMul": lambda tf, a, i, u: tf.Variable(a).scatter_mul(tf.IndexedSlices(u, i)),
            "ResourceScatterMax": lambda tf, a, i, u: tf.Variable(a).scatter_max(tf.IndexedSlices(u, i)),
        },
        {
            "vector": (x(3), given([2, 0]), y(2)),
            "twice": (x(3), given([1, 1]), y(2)),
            "rows": (x(3, 2), given([1]), y(1, 2)),
        },
        ("float32", "float64", "int32", "int64"),
        traced=False,
    ),
    *each(
        {
            "AssignVariableOp": lambda tf, a, b: tf.Variable(a).assign(b),
            "AssignAddVariableOp": lambda tf, a, b: tf.Variable(a).assign_add(b),
            "AssignSubVariableOp": lambda tf, a, b: tf.Variable(a).assign_sub(b),
        },
        {"vector": (x(3), y(3)), "scalar": (x(), y()), "empty": (x(0), y(0)), "wrong": (x(2), y(3))},
        NUMBERS,
        traced=False,
    ),
]
