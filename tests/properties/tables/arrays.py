"""Reductions, shapes, slices, picking and scattering."""

import numpy as np

import graphlab as tf
from tests.properties.drawing import distinct, given, positive, real, whole
from tests.properties.entry import (
    ANY,
    COMPLEX,
    FLOATS,
    NONE,
    NUMBERS,
    REAL,
    SIGNED,
    WIDE,
    entry,
    raw,
    slope,
    variants,
)


def reduction(op, name, numpy, *makers, dtypes=FLOATS):
    function = getattr(tf, name, None) or getattr(tf.math, name)
    numpy_of = (lambda **how: lambda x: numpy(x, **how)) if numpy else (lambda **how: None)
    return [
        *variants(op, {"of all": (function, numpy_of())}, "...", *makers, dtypes=dtypes),
        *variants(
            op,
            {
                "axis": (lambda x: function(x, 1), numpy_of(axis=1)),
                "axes": (lambda x: function(x, [0, -1]), numpy_of(axis=(0, -1))),
                "kept": (lambda x: function(x, -1, keepdims=True), numpy_of(axis=-1, keepdims=True)),
            },
            "aBC", *makers, dtypes=dtypes,
        ),
    ]  # fmt: skip


def ids(random, shape):
    return np.sort(random.integers(0, 4, shape)).astype(np.int32)


def indices_of_matrix(random, shape):
    """Rows of places in a 4×3 matrix."""
    return np.stack([random.integers(0, 4, shape[:1]), random.integers(0, 3, shape[:1])], -1).astype(np.int32)


def different_rows(random, shape):
    return random.permutation(4)[: shape[0], np.newaxis].astype(np.int32)


REDUCTIONS = [
    *reduction("Sum", "reduce_sum", np.sum, dtypes=(*FLOATS, *SIGNED, *COMPLEX)),
    *reduction("Mean", "reduce_mean", None),
    *reduction("Prod", "reduce_prod", np.prod, positive),
    entry("Prod", lambda x: tf.reduce_prod(x, 1), "aBC", numpy=lambda x: np.prod(x, 1), dtypes=("int32", "complex128"), variant="whole and complex"),
    *reduction("Max", "reduce_max", None, distinct, dtypes=(*FLOATS, "int32")),
    *reduction("Min", "reduce_min", None, distinct, dtypes=(*FLOATS, "int32")),
    *reduction("EuclideanNorm", "reduce_euclidean_norm", None, positive),
    *reduction("Any", "reduce_any", np.any, dtypes=("bool",)),
    *reduction("All", "reduce_all", np.all, dtypes=("bool",)),
    *variants("ArgMax", {"first": lambda x: tf.argmax(x), "last": lambda x: tf.argmax(x, -1, tf.int32)}, "Ab", distinct, dtypes=REAL),
    *variants("ArgMin", {"first": lambda x: tf.argmin(x), "last": lambda x: tf.argmin(x, -1)}, "aB", distinct, dtypes=REAL),
    *variants(
        "Cumsum",
        {
            "0": (tf.cumsum, lambda x: np.cumsum(x, 0)),
            "exclusive": lambda x: tf.cumsum(x, -1, exclusive=True),
            "reverse": (lambda x: tf.cumsum(x, 1, reverse=True), lambda x: np.cumsum(x[:, ::-1], 1)[:, ::-1]),
        },
        "abc", dtypes=(*FLOATS, "int32"),
    ),
    *variants(
        "Cumprod",
        {
            "0": (tf.math.cumprod, lambda x: np.cumprod(x, 0)),
            "exclusive": lambda x: tf.math.cumprod(x, 1, exclusive=True),
            "reverse": (lambda x: tf.math.cumprod(x, -1, reverse=True), lambda x: np.cumprod(x[..., ::-1], -1)[..., ::-1]),
        },
        "abc", positive,
    ),
    *variants(
        "CumulativeLogsumexp",
        {
            "0": (tf.math.cumulative_logsumexp, lambda x: np.log(np.cumsum(np.exp(x), 0))),
            "reverse": lambda x: tf.math.cumulative_logsumexp(x, 1, reverse=True, exclusive=False),
        },
        "ab",
    ),
]  # fmt: skip

MOVED = ("float32", "float64", "int32", "bool", "string", "complex64", "bfloat16")

SHAPES = [
    entry("Reshape", lambda x: tf.reshape(x, [-1]), dtypes=MOVED, numpy=np.ravel),
    entry("Reshape", lambda x: tf.reshape(x, tf.shape(tf.transpose(x))), "abc", dtypes=MOVED, variant="shape"),
    *variants(
        "ExpandDims",
        {"0": (lambda x: tf.expand_dims(x, 0), lambda x: x[None]), "-1": (lambda x: tf.expand_dims(x, -1), lambda x: x[..., None])},
        "...", dtypes=MOVED,
    ),
    entry("Squeeze", lambda x: tf.squeeze(x, [1, -1]), "a1b1", dtypes=MOVED, numpy=lambda x: x[:, 0, ..., 0]),
    entry("Squeeze", tf.squeeze, "A1", dtypes=MOVED, numpy=np.squeeze, variant="all"),
    entry("Transpose", tf.transpose, dtypes=MOVED, numpy=np.transpose),
    entry("Transpose", lambda x: tf.transpose(x, [2, 0, 1]), "abc", dtypes=MOVED, numpy=lambda x: np.transpose(x, (2, 0, 1)), variant="given"),
    entry("ConjugateTranspose", lambda x: tf.transpose(x, [1, 0], conjugate=True), "ab", dtypes=COMPLEX, numpy=lambda x: np.conj(x.T)),
    entry("ConcatV2", lambda x, y: tf.concat([x, y, x], 1), "abc, adc", dtypes=MOVED, numpy=lambda x, y: np.concatenate([x, y, x], 1)),
    entry("ConcatV2", lambda x, y: tf.concat([x, y], -1), "ab, ac", dtypes=MOVED, variant="last"),
    entry("ConcatOffset", raw("ConcatOffset", lambda a, b: (0, [a, b])), "2, 2", given(lambda r, s: np.array([2, 3], np.int32)), dtypes=NONE),
    entry("Pack", lambda x, y: tf.stack([x, y]), "*, *", dtypes=MOVED, numpy=lambda x, y: np.stack([x, y])),
    entry("Pack", lambda x, y: tf.stack([x, y], -1), "*, *", dtypes=MOVED, numpy=lambda x, y: np.stack([x, y], -1), variant="last"),
    entry("Unpack", lambda x: tf.unstack(x, 3), "3ab", dtypes=MOVED, numpy=lambda x: list(x)),
    entry("Unpack", lambda x: tf.unstack(x, axis=-1)[1], "a2", dtypes=MOVED, known="sizes", variant="last"),
    entry("Split", lambda x: tf.split(x, 3, 1), "a3b", dtypes=MOVED, numpy=lambda x: np.split(x, 3, 1)),
    entry("SplitV", lambda x: tf.split(x, [1, 2], 1), "a3b", dtypes=MOVED, numpy=lambda x: np.split(x, [1], 1)),
    entry("BroadcastTo", lambda x: tf.broadcast_to(x, [2, 3, 4]), "14", dtypes=MOVED, numpy=lambda x: np.broadcast_to(x, (2, 3, 4))),
    entry("BroadcastTo", lambda x, y: tf.broadcast_to(x, tf.shape(x + y)), "..., ...", dtypes=WIDE, variant="shape"),
    entry("BroadcastArgs", tf.broadcast_dynamic_shape, "1, 3", whole(2, 3), dtypes=NONE),
    entry("BroadcastGradientArgs", raw("BroadcastGradientArgs"), "1, 3", whole(1, 2), dtypes=NONE, by_value=True),
    entry("Tile", lambda x: tf.tile(x, [2, 0, 3]), "abc", dtypes=MOVED, numpy=lambda x: np.tile(x, [2, 0, 3])),
    entry("Tile", lambda x: tf.tile(x, [2, 3]), "ab", dtypes=MOVED, numpy=lambda x: np.tile(x, [2, 3]), variant="all"),
    entry("Pad", lambda x: tf.pad(x, [[1, 0], [0, 2]]), "ab", dtypes=NUMBERS, numpy=lambda x: np.pad(x, [[1, 0], [0, 2]])),
    entry("PadV2", lambda x: tf.pad(x, [[1, 0], [0, 2]], constant_values=tf.cast(2, x.dtype)), "ab", dtypes=NUMBERS, numpy=lambda x: np.pad(x, [[1, 0], [0, 2]], constant_values=2)),
    entry("MirrorPad", lambda x: tf.pad(x, [[1, 0], [1, 1]], "SYMMETRIC"), "AB", dtypes=("float32", "float64", "int32"), numpy=lambda x: np.pad(x, [[1, 0], [1, 1]], "symmetric")),
    entry("MirrorPad", lambda x: tf.pad(x, [[1, 0], [1, 1]], "REFLECT"), "23", numpy=lambda x: np.pad(x, [[1, 0], [1, 1]], "reflect"), variant="reflect"),
    entry("MirrorPadGrad", slope(lambda x: tf.pad(x, [[1, 0], [1, 1]], "SYMMETRIC")), "AB", dtypes=WIDE),
    entry("ReverseV2", lambda x: tf.reverse(x, [0, -1]), "abc", dtypes=MOVED, numpy=lambda x: x[::-1, :, ::-1]),
    entry("ReverseSequence", lambda x, n: tf.reverse_sequence(x, n, 1, 0), "a3b, a", real, whole(0, 4), dtypes=MOVED),
    entry("Roll", lambda x: tf.roll(x, [1, -2], [0, 1]), "ab", dtypes=MOVED, numpy=lambda x: np.roll(x, [1, -2], [0, 1])),
    entry("Shape", tf.shape, dtypes=MOVED, numpy=np.shape),
    entry("ShapeN", lambda x, y: tf.shape_n([x, y]), "..., ...", dtypes=MOVED),
    entry("Size", tf.size, dtypes=MOVED, numpy=np.size),
    entry("Rank", tf.rank, dtypes=MOVED, numpy=np.ndim),
    entry("EnsureShape", lambda x: tf.ensure_shape(x, [None, None]), "ab", dtypes=MOVED, numpy=lambda x: x),
    entry("Fill", lambda x, y: tf.fill(tf.shape(x), y), "...,", dtypes=MOVED, numpy=lambda x, y: np.full(x.shape, y)),
    entry("SpaceToBatchND", lambda x: tf.space_to_batch(x, [2, 2], [[1, 0], [0, 1]]), "a33b", dtypes=MOVED),
    entry("BatchToSpaceND", lambda x: tf.batch_to_space(x, [2, 2], [[1, 0], [0, 1]]), "8ABc", dtypes=MOVED),
    entry("SpaceToDepth", lambda x: tf.nn.space_to_depth(x, 2), "a42b", dtypes=("float32", "float64", "int32")),
    entry("DepthToSpace", lambda x: tf.nn.depth_to_space(x, 2), "aBC8", dtypes=("float32", "float64", "int32")),
    *variants(
        "Slice",
        {"size": (lambda x: tf.slice(x, [0, 1], [1, 2]), lambda x: x[0:1, 1:3]), "rest": (lambda x: tf.slice(x, [1, 0], [-1, -1]), lambda x: x[1:])},
        "23", dtypes=MOVED,
    ),
    *variants(
        "StridedSlice",
        {
            "x[1:, ::-1]": (lambda x: x[1:, ::-1], lambda x: x[1:, ::-1]),
            "x[-1]": (lambda x: x[-1], lambda x: x[-1]),
            "x[..., None, :2]": (lambda x: x[..., tf.newaxis, :2], lambda x: x[..., None, :2]),
            "x[::2, -2:]": (lambda x: x[::2, -2:], lambda x: x[::2, -2:]),
        },
        "Abc", dtypes=MOVED,
    ),
    entry("StridedSliceGrad", slope(lambda x: x[1:, ::-2]), "ab", dtypes=WIDE),
]  # fmt: skip

PICKING = [
    entry("GatherV2", tf.gather, "4a, bc", real, whole(0, 4), dtypes=MOVED, numpy=lambda x, i: x[i]),
    entry("GatherV2", lambda x, i: tf.gather(x, i, axis=-1), "a4, b", real, whole(0, 4), dtypes=MOVED, numpy=lambda x, i: x[..., i], variant="axis"),
    entry("GatherV2", lambda x, i: tf.gather(x, i, batch_dims=1), "a4b, ac", real, whole(0, 4), dtypes=MOVED, variant="batch"),
    entry("GatherNd", tf.gather_nd, "43a, b2", real, given(indices_of_matrix), dtypes=MOVED, numpy=lambda x, i: x[i[:, 0], i[:, 1]]),
    entry("GatherNd", lambda x, i: tf.gather_nd(x, i, batch_dims=1), "a3b, a1", real, whole(0, 3), dtypes=MOVED, known="ranks", variant="batch"),
    entry("ScatterNd", lambda i, x: tf.scatter_nd(i, x, [4, 3, 2]), "a2, a2", given(indices_of_matrix), real, dtypes=NUMBERS),
    entry("TensorScatterAdd", tf.tensor_scatter_nd_add, "43a, b2, ba", real, given(indices_of_matrix), real, dtypes=NUMBERS),
    entry("TensorScatterSub", tf.tensor_scatter_nd_sub, "43a, b2, ba", real, given(indices_of_matrix), real, dtypes=(*FLOATS, "int32")),
    entry("TensorScatterUpdate", tf.tensor_scatter_nd_update, "4a, 3b, 3a", real, given(different_rows), real, dtypes=MOVED),
    entry("TensorScatterMax", tf.tensor_scatter_nd_max, "4a, 31, 3a", distinct, given(different_rows), real, dtypes=WIDE, order=1, reason="TensorFlow compares floats in the gradient, whose gradient is the same again"),
    entry("TensorScatterMin", tf.tensor_scatter_nd_min, "4a, 31, 3a", distinct, given(different_rows), real, dtypes=WIDE, order=1, reason="likewise"),
    entry("OneHot", lambda i: tf.one_hot(i, 3), "...", whole(-1, 4), dtypes=NONE, numpy=lambda i: np.equal(i[..., None], np.arange(3))),
    entry("OneHot", lambda i, a, b: tf.one_hot(i, 3, a, b, axis=0), "ab,,", whole(-1, 4), real, dtypes=ANY, variant="values"),
    entry("Where", tf.where, "...", given(lambda r, s: r.random(s) < 0.5), dtypes=NONE, by_value=True),
    entry("Where", tf.where, "ab", dtypes=REAL, numpy=lambda x: np.argwhere(x), by_value=True, variant="numbers"),
    entry("DynamicPartition", lambda x, p: tf.dynamic_partition(x, p, 3), "ab, a", real, whole(0, 3), dtypes=MOVED, by_value=True),
    entry("DynamicStitch", lambda x, y: tf.dynamic_stitch([[0, 2], [1]], [x, y]), "2a, 1a", dtypes=MOVED),
    entry("Unique", tf.unique, "a", dtypes=(*REAL, "string"), by_value=True),
    entry("UniqueWithCounts", tf.unique_with_counts, "a", dtypes=(*REAL, "string"), by_value=True),
    entry("ListDiff", lambda x, y: tf.compat.v1.setdiff1d(x, y), "a, b", dtypes=(*REAL, "string"), by_value=True),
    entry("TopKV2", lambda x: tf.math.top_k(x, 2), "*3", distinct, dtypes=REAL),
    entry("InTopKV2", lambda x, i: tf.math.in_top_k(i, x, 2), "a3, a", distinct, whole(0, 3), dtypes=("float32",)),
    entry("LowerBound", lambda x, v: tf.searchsorted(x, v), "*a, *b", given(lambda r, s: np.sort(r.normal(size=s))), real, dtypes=("float64",)),
    entry("UpperBound", lambda x, v: tf.searchsorted(x, v, "right"), "*a, *b", given(lambda r, s: np.sort(r.normal(size=s))), real, dtypes=("float64",)),
    entry("UnravelIndex", lambda i: tf.unravel_index(i, [2, 3]), "a", whole(0, 6), dtypes=NONE, numpy=lambda i: np.stack(np.unravel_index(i, (2, 3)))),
    entry("Range", lambda x: tf.range(0, tf.size(x), 2), "...", dtypes=WIDE, by_value=True),
    entry("LinSpace", raw("LinSpace", lambda a, b: (a, b, 4)), ",", dtypes=WIDE, numpy=lambda a, b: np.linspace(a, b, 4)),
]  # fmt: skip

SEGMENT = "ab, a"
SEGMENTS = [
    entry("SegmentSum", tf.math.segment_sum, SEGMENT, real, given(ids), dtypes=NUMBERS, by_value=True),
    entry("SegmentMean", tf.math.segment_mean, SEGMENT, real, given(ids), dtypes=WIDE, by_value=True),
    entry("SegmentMax", tf.math.segment_max, SEGMENT, distinct, given(ids), dtypes=WIDE, by_value=True),
    entry("SegmentMin", tf.math.segment_min, SEGMENT, distinct, given(ids), dtypes=WIDE, by_value=True),
    entry("SegmentProd", tf.math.segment_prod, SEGMENT, positive, given(ids), dtypes=WIDE, by_value=True),
    entry("UnsortedSegmentSum", lambda x, i: tf.math.unsorted_segment_sum(x, i, 4), SEGMENT, real, whole(-1, 4), dtypes=NUMBERS),
    entry("UnsortedSegmentMax", lambda x, i: tf.clip_by_value(tf.math.unsorted_segment_max(x, i, 4), -9.0, 9.0), SEGMENT, distinct, whole(-1, 4), dtypes=WIDE),
    entry("UnsortedSegmentMin", lambda x, i: tf.clip_by_value(tf.math.unsorted_segment_min(x, i, 4), -9.0, 9.0), SEGMENT, distinct, whole(-1, 4), dtypes=WIDE),
    entry("UnsortedSegmentProd", lambda x, i: tf.math.unsorted_segment_prod(x, i, 4), SEGMENT, positive, whole(-1, 4), dtypes=WIDE),
    *[
        entry(f"SparseSegment{kind}{more}", call, "4a, b, b", real, whole(0, 4), given(ids), dtypes=WIDE, by_value=not more)
        for kind, function in (("Sum", tf.sparse.segment_sum), ("Mean", tf.sparse.segment_mean), ("SqrtN", tf.sparse.segment_sqrt_n))
        for more, call in (("", function), ("WithNumSegments", lambda x, i, s, function=function: function(x, i, s, num_segments=5)))
    ],
]  # fmt: skip

ENTRIES = [*REDUCTIONS, *SHAPES, *PICKING, *SEGMENTS]
