"""Sets, distances, patches of volumes, mel spectra, and other functions that stand by themselves."""

from collections.abc import Callable
from typing import Any

from tests.oracle.ops.table import NONE, STRING, Case, distinct, like, op, variants, x

PLACES = [[0, 0], [0, 2], [1, 1]]


def parts(sparse: Any) -> tuple[Any, Any, Any]:
    return sparse.indices, sparse.values, sparse.dense_shape


def sparse(tf: Any, values: Any, places: Any = PLACES, sizes: Any = (2, 3)) -> Any:
    return tf.SparseTensor(places, values, sizes)


SETS: dict[str, Callable[..., Any]] = {
    "union": lambda tf, a, b: parts(tf.sets.union(a, b)),
    "intersection": lambda tf, a, b: parts(tf.sets.intersection(a, b)),
    "difference": lambda tf, a, b: parts(tf.sets.difference(a, b)),
    "other_way": lambda tf, a, b: parts(tf.sets.difference(a, b, aminusb=False)),
}
BOTH = {"matrices": (like([[3, 1, 2], [4, 4, 5]]), like([[2, 7, 7], [1, 4, 0]])), "empty": (x(2, 0), x(2, 1))}
WRONG = {"sizes": (x(2, 3), x(1, 3)), "vectors": (x(3), x(3)), "ranks": (x(1, 3), x(1, 1, 3))}

CASES: list[Case] = [
    *variants("DenseToDenseSetOperation", SETS, BOTH | WRONG, ("int8", "int32", "int64", "uint16", "string", "float32")),
    *variants(
        "DenseToSparseSetOperation",
        {name: lambda tf, a, b, call=call: call(tf, a, sparse(tf, b)) for name, call in SETS.items()},
        {"matrix": (like([[3, 1, 2], [4, 4, 5]]), like([3, 8, 4]))},
        ("int32", "string"),
    ),
    *variants(
        "SparseToDenseSetOperation",
        {name: lambda tf, a, b, call=call: call(tf, sparse(tf, b), a) for name, call in SETS.items()},
        {"matrix": (like([[3, 1, 2], [4, 4, 5]]), like([3, 8, 4]))},
        ("int32", "string"),
    ),
    *variants(
        "SparseToSparseSetOperation",
        {name: lambda tf, a, b, call=call: call(tf, sparse(tf, a), sparse(tf, b)) for name, call in SETS.items()},
        {"vectors": (like([3, 8, 4]), like([8, 1, 4]))},
        ("int32", "int64", "string"),
    ),
    op("SetSize", lambda tf, a: tf.sets.size(sparse(tf, a)), {"two": (like([3, 3, 1]),)}, ("int32", "string", "float32")),
    op(
        "SetSize",
        lambda tf, a: tf.sets.size(sparse(tf, a, [[0, 2], [0, 0], [1, 1]])),
        {"order": (like([3, 3, 1]),)},
        ("int32",),
        "unsorted",
    ),
    *variants(
        "EditDistance",
        {
            "normal": lambda tf, a, b: tf.edit_distance(sparse(tf, a), sparse(tf, b, [[0, 0], [1, 0], [1, 1]])),
            "count": lambda tf, a, b: tf.edit_distance(sparse(tf, a), sparse(tf, b, [[0, 0], [1, 0], [1, 1]]), normalize=False),
            "missing": lambda tf, a, b: tf.edit_distance(sparse(tf, a), sparse(tf, b, [[1, 0], [1, 1], [1, 2]])),
            "larger": lambda tf, a, b: tf.edit_distance(sparse(tf, a), sparse(tf, b, [[0, 0], [2, 0], [2, 1]], (3, 2))),
        },
        {"three": (like([1, 2, 3]), like([1, 3, 3])), "other": (like([4, 4, 4]), like([1, 4, 3]))},
        ("int32", "float32", "string"),
    ),
    op(
        "Fingerprint",
        lambda tf, a: tf.fingerprint(a),
        {"vector": (x(6),), "matrix": (x(2, 3),), "column": (x(3, 1),), "rank3": (x(2, 2, 2),), "scalar": (x(),)},
        ("float32", "float64", "int8", "int32", "int64", "bool", "string", "bfloat16"),
    ),
    op("fingerprint_method", lambda tf, a: tf.fingerprint(a, "other"), {"vector": (x(3),)}, ("int32",)),
    op(
        "ApproxTopK",
        lambda tf, a: tuple(tf.math.approx_max_k(a, 2)),
        {"vector": (distinct(5),), "matrix": (distinct(2, 3),), "short": (x(1),)},
        ("float16", "bfloat16", "float32"),
        gradient=True,
    ),
    *variants(
        "IsotonicRegression",
        {
            "falling": lambda tf, a: tuple(tf.nn.isotonic_regression(a)),
            "rising": lambda tf, a: tuple(tf.nn.isotonic_regression(a, decreasing=False)),
            "first": lambda tf, a: tuple(tf.nn.isotonic_regression(a, axis=0)),
        },
        {"vector": (distinct(6),), "matrix": (distinct(3, 4),)},
        ("float32", "float64", "int32", "int64"),
        gradient=True,
    ),
    *variants(
        "ExtractVolumePatches",
        {
            "valid": lambda tf, a: tf.extract_volume_patches(a, [1, 2, 2, 1, 1], [1, 1, 1, 1, 1], "VALID"),
            "same": lambda tf, a: tf.extract_volume_patches(a, [1, 2, 1, 3, 1], [1, 2, 1, 2, 1], "SAME"),
            "batch": lambda tf, a: tf.extract_volume_patches(a, [2, 2, 1, 3, 1], [1, 2, 1, 2, 1], "SAME"),
            "list": lambda tf, a: tf.extract_volume_patches(a, [2, 1, 3], [1, 2, 1, 2, 1], "SAME"),
        },
        {"volume": (x(2, 3, 3, 2, 2),), "rank4": (x(3, 3, 2, 2),)},
        ("float32", "float64", "int32"),
        gradient=True,
    ),
    *variants(
        "UnsortedSegmentJoin",
        {
            "vector": lambda tf, a: tf.strings.unsorted_segment_join(a, [1, 0, 1, 0], 3, separator=":"),
            "beyond": lambda tf, a: tf.strings.unsorted_segment_join(a, [1, 0, 4, 0], 3),
            "negative": lambda tf, a: tf.strings.unsorted_segment_join(a, [1, 0, -1, 0], 3),
            "less": lambda tf, a: tf.strings.unsorted_segment_join(a, [1, 0], -1),
        },
        {"vector": (x(4),), "matrix": (x(4, 2),)},
        STRING,
    ),
    op("collapse_repeated", lambda tf, a: tf.nn.collapse_repeated(a, [4, 2]), {"two": (like([[1, 1, 2, 1], [0, 3, 3, 0]]),)}, ("int32", "int64")),
    op("mdct", lambda tf, a: tf.signal.mdct(a, 8), {"vector": (x(16),), "rows": (x(2, 12),)}, ("float32", "float64"), gradient=True),
    op("mdct", lambda tf, a: tf.signal.mdct(a, 8, None, True, "ortho"), {"vector": (x(18),)}, ("float32",), "padded", gradient=True),
    op("mdct", lambda tf, a: tf.signal.mdct(a, 6), {"vector": (x(18),)}, ("float32",), "length"),
    op("inverse_mdct", lambda tf, a: tf.signal.inverse_mdct(a), {"frames": (x(3, 4),)}, ("float32", "float64"), gradient=True),
    op("inverse_mdct", lambda tf, a: tf.signal.inverse_mdct(a, None, "ortho"), {"frames": (x(3, 4),)}, ("float32",), "plain"),
    *variants(
        "mel_weights",
        {
            "plain": lambda tf: tf.signal.linear_to_mel_weight_matrix(4, 9, 8000, 100.0, 3800.0),
            "double": lambda tf: tf.signal.linear_to_mel_weight_matrix(4, 9, 8000, 100.0, 3800.0, tf.float64),
            "none": lambda tf: tf.signal.linear_to_mel_weight_matrix(0),
            "nyquist": lambda tf: tf.signal.linear_to_mel_weight_matrix(upper_edge_hertz=5000.0),
            "edges": lambda tf: tf.signal.linear_to_mel_weight_matrix(lower_edge_hertz=4000.0),
            "whole": lambda tf: tf.signal.linear_to_mel_weight_matrix(dtype=tf.int32),
        },
        {"": ()},
        NONE,
        rtol={"float32": 1e-4},
    ),
    op(
        "mfccs",
        lambda tf, a: tf.signal.mfccs_from_log_mel_spectrograms(a),
        {"matrix": (x(2, 4),), "none": (x(2, 0),)},
        ("float32", "float64"),
        gradient=True,
        rtol={"float32": 1e-4},
    ),
    *variants(
        "RandomIndexShuffle",
        {
            "three": lambda tf, a: tf.random_index_shuffle(a, [5, 9, 3], 9),
            "rounds": lambda tf, a: tf.random_index_shuffle(a, [5, 9, 3], tf.cast(100000, a.dtype), rounds=8),
            "two": lambda tf, a: tf.random.experimental.index_shuffle(a, [5, 9], 99),
            "each": lambda tf, a: tf.random.experimental.index_shuffle(a, [5, 9], [9, 8, 70, 60]),
        },
        {"vector": (like([3, 0, 7, 5]),), "scalar": (like(4),), "beyond": (like([3, 0, 70, 99999]),)},
        ("int32", "int64", "uint32", "uint64"),
    ),
    op(
        "conv",
        lambda tf, a, f: tf.conv(a, f, [1, 2, 1, 1], "SAME", dilations=[1, 1, 1, 1]),
        {"plane": (x(1, 4, 4, 2), x(2, 2, 2, 3)), "rank": (x(1, 4, 2), x(2, 2, 3))},
        ("float32", "float64"),
    ),
    op(
        "conv",
        lambda tf, a, f: tf.conv(a, f, [1] * 4, "EXPLICIT", [0, 0, 1, 1, 0, 2, 0, 0], batch_dims=2),
        {"batches": (x(2, 1, 3, 3, 1), x(2, 2, 1, 2))},
        ("float32",),
        "batches",
    ),
    op(
        "DepthwiseBackpropFilter",
        lambda tf, a, dy: tf.nn.depthwise_conv2d_backprop_filter(a, [2, 2, 2, 1], dy, [1] * 4, "VALID"),
        {"plane": (x(1, 3, 3, 2), x(1, 2, 2, 2))},
        ("float32", "float64"),
    ),
    op(
        "DepthwiseBackpropInput",
        lambda tf, f, dy: tf.nn.depthwise_conv2d_backprop_input([1, 3, 3, 2], f, dy, [1] * 4, "VALID"),
        {"plane": (x(2, 2, 2, 1), x(1, 2, 2, 2))},
        ("float32", "float64"),
    ),
]  # fmt: skip
