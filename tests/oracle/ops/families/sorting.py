"""Sorting, searching, uniqueness, sets of values."""

from tests.oracle.ops.table import MOVED, NONE, REAL, STRING, Case, distinct, given, like, op, special, variants, x

TIES = like([[3, 1, 2, 3, 1], [0, 0, 2, 1, 2]])
SORTED = like([[1, 3, 3, 5], [0, 2, 4, 6]])

CASES: list[Case] = [
    *variants(
        "sort",
        {
            "up": lambda tf, a: tf.sort(a),
            "down": lambda tf, a: tf.sort(a, direction="DESCENDING"),
            "first": lambda tf, a: tf.sort(a, axis=0),
        },
        {"vector": (distinct(6),), "matrix": (distinct(2, 3),), "ties": (TIES,), "empty": (x(0),)},
        REAL,
        gradient=True,
    ),
    *variants(
        "argsort",
        {
            "up": lambda tf, a: tf.argsort(a),
            "down": lambda tf, a: tf.argsort(a, direction="DESCENDING", stable=True),
            "first": lambda tf, a: tf.argsort(a, axis=0),
        },
        {"vector": (distinct(6),), "matrix": (distinct(2, 3),), "empty": (x(0),)},
        REAL,
    ),
    *variants(
        "TopKV2",
        {
            "two": lambda tf, a: tuple(tf.math.top_k(a, 2)),
            "one": lambda tf, a: tuple(tf.math.top_k(a)),
            "none": lambda tf, a: tuple(tf.math.top_k(a, k=0)),
            "too_many": lambda tf, a: tuple(tf.math.top_k(a, 7)),
        },
        {"vector": (distinct(5),), "matrix": (distinct(2, 3),), "ties": (TIES,), "scalar": (x(),)},
        REAL,
        gradient=True,
    ),
    *variants(
        "Unique",
        {
            "plain": lambda tf, a: tuple(tf.unique(a)),
            "int64": lambda tf, a: tuple(tf.unique(a, out_idx=tf.int64)),
            "counts": lambda tf, a: tuple(tf.unique_with_counts(a)),
        },
        {"vector": (x(8),), "ties": (like([2, 1, 2, 2, 0]),), "empty": (x(0),), "matrix": (x(2, 2),)},
        (*REAL, "bool", *STRING),
    ),
    op("Unique", lambda tf, a: tuple(tf.unique(a)), {"special": (special(),)}, ("float32", "int32"), "special"),
    *variants(
        "searchsorted",
        {
            "left": lambda tf, a, v: tf.searchsorted(a, v),
            "right": lambda tf, a, v: tf.searchsorted(a, v, side="right"),
            "int64": lambda tf, a, v: tf.searchsorted(a, v, out_type=tf.int64),
        },
        {
            "rows": (SORTED, like([[3, 0], [7, 2]])),
            "vector": (like([1, 2, 3]), like([0, 2, 5])),
            "empty": (x(0), like([1])),
        },
        ("float32", "float64", "int32", "int64"),
    ),
    op(
        "InTopKV2",
        lambda tf, scores, targets: tf.math.in_top_k(targets, scores, 2),
        {
            "rows": (given([[0.1, 0.9, 0.5], [1.0, 0.0, 2.0]], "float32"), given([2, 1])),
            "outside": (given([[0.5, 0.1]], "float32"), given([5])),
        },
        NONE,
    ),
    op(
        "nth_element",
        lambda tf, a: tf.nn.top_k(tf.negative(a), 3).values[..., -1],
        {"vector": (distinct(5),)},
        ("float32", "int32"),
    ),
    op(
        "histogram_fixed_width",
        lambda tf, a: tf.histogram_fixed_width(a, [tf.cast(0, a.dtype), tf.cast(4, a.dtype)], nbins=4),
        {"vector": (like([0, 1, 1, 3, 9]),), "empty": (x(0),)},
        ("float32", "float64", "int32"),
    ),
    op(
        "reverse_sorted",
        lambda tf, a: tf.gather(a, tf.argsort(a)[::-1]),
        {"vector": (distinct(4),)},
        ("float32", "int64"),
    ),
    op("identity_moves", lambda tf, a: tf.gather(a, tf.range(tf.size(a))[::-1]), {"vector": (x(4),)}, MOVED),
]
