"""Features crossed, numbers counted sparsely, empty rows filled, products sampled."""

from typing import Any

from tests.oracle.ops.families.further import parts
from tests.oracle.ops.families.ragged import known
from tests.oracle.ops.table import NONE, Case, given, op, variants, x


def words(tf: Any) -> Any:
    return tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [b"a", b"b", b"c"], [2, 2])


def letters(tf: Any) -> Any:
    return tf.SparseTensor([[0, 0], [1, 0]], [b"d", b"e"], [2, 1])


def numbers(tf: Any) -> Any:
    return tf.SparseTensor([[0, 0], [1, 2], [1, 0]], [1, 2, 2], [2, 3])


def rows(tf: Any) -> Any:
    return tf.ragged.constant([[b"a"], [b"b", b"c"]])


COLUMN = [[1], [2]]


def column(tf: Any) -> Any:
    return tf.constant(COLUMN)


def texts(tf: Any) -> Any:
    return tf.constant([[b"x"], [b"y"]])


crossed = {  # what is crossed
    "two": lambda tf: [words(tf), letters(tf)],
    "three": lambda tf: [words(tf), letters(tf), column(tf)],
    "tensor_first": lambda tf: [column(tf), words(tf)],
    "tensors": lambda tf: [column(tf), texts(tf)],
    "one": lambda tf: [words(tf)],
    "int32": lambda tf: [words(tf), numbers(tf)],
    "floats": lambda tf: [words(tf), tf.constant([[1.5], [-2.5]])],
    "lists": lambda tf: [words(tf), COLUMN],
    "none": lambda tf: [],
    "other_rows": lambda tf: [words(tf), tf.constant([[b"x"]])],
    "vector": lambda tf: [tf.constant([1, 2])],
    "text": lambda tf: "x",
}
ragged_crossed = {
    "two": lambda tf: [rows(tf), tf.ragged.constant([[b"d", b"f"], []])],
    "numbers": lambda tf: [rows(tf), tf.ragged.constant([[1], [2]])],
    "mixed": lambda tf: [COLUMN, words(tf), rows(tf), letters(tf)],
    "tensors": lambda tf: [texts(tf), COLUMN],
    "sparse": lambda tf: [words(tf), letters(tf)],
    "int32_splits": lambda tf: [tf.ragged.constant([[1], [2, 3]], row_splits_dtype=tf.int32), texts(tf)],
    "other_rows": lambda tf: [rows(tf), tf.ragged.constant([[b"q"]])],
    "deep": lambda tf: [tf.ragged.constant([[[1]]])],
    "floats": lambda tf: [rows(tf), [[1.0], [2.0]]],
}
counted = {
    "vector": lambda tf: tf.sparse.bincount([1, 2, 2, 5]),
    "matrix": lambda tf: tf.sparse.bincount([[1, 2], [2, 0]]),
    "rows": lambda tf: tf.sparse.bincount([[1, 2], [2, 0]], axis=-1),
    "weights": lambda tf: tf.sparse.bincount([[1, 2], [2, 2]], weights=[[1.0, 2.0], [3.0, 4.0]], axis=-1),
    "whole_weights": lambda tf: tf.sparse.bincount([1, 1], weights=tf.constant([1, 2], tf.int64)),
    "sparse": lambda tf: tf.sparse.bincount(numbers(tf), axis=-1),
    "sparse_all": lambda tf: tf.sparse.bincount(numbers(tf)),
    "sparse_weights": lambda tf: tf.sparse.bincount(numbers(tf), weights=tf.cast(numbers(tf), tf.float32), axis=-1),
    "sparse_other_weights": lambda tf: tf.sparse.bincount(numbers(tf), weights=[1.0, 2.0, 3.0], axis=-1),
    "ragged": lambda tf: tf.sparse.bincount(tf.ragged.constant([[1, 1], [], [2]]), axis=-1),
    "ragged_all": lambda tf: tf.sparse.bincount(tf.ragged.constant([[1, 1], [], [2]])),
    "ragged_weights": lambda tf: tf.sparse.bincount(
        tf.ragged.constant([[1, 1], [], [2]]), weights=tf.ragged.constant([[1.0, 2.0], [], [3.0]]), axis=-1
    ),
    "bounds": lambda tf: tf.sparse.bincount([1, 2, 2, 5], minlength=3, maxlength=4),
    "longer": lambda tf: tf.sparse.bincount([1, 2], minlength=8),
    "longer_limit": lambda tf: tf.sparse.bincount([1, 2], maxlength=8),
    "nothing_counted": lambda tf: tf.sparse.bincount([1, 2], maxlength=0),
    "negative_bounds": lambda tf: tf.sparse.bincount([1, 2], minlength=-1, maxlength=-1),
    "binary": lambda tf: tf.sparse.bincount([[1, 1], [2, 2]], axis=-1, binary_output=True),
    "negative": lambda tf: tf.sparse.bincount([1, -1]),
    "empty": lambda tf: tf.sparse.bincount(tf.zeros([0], tf.int32)),
    "empty_rows": lambda tf: tf.sparse.bincount(tf.zeros([2, 0], tf.int32), axis=-1),
    "scalar": lambda tf: tf.sparse.bincount(3),
    "axis": lambda tf: tf.sparse.bincount([1], axis=1),
    "both": lambda tf: tf.sparse.bincount([1], weights=[1.0], binary_output=True),
    "floats": lambda tf: tf.sparse.bincount([1.0]),
    "rank_3": lambda tf: tf.sparse.bincount([[[1]]], axis=-1),
}

CASES: list[Case] = [
    *variants(
        "SparseCrossV2", {name: lambda tf, of=of: parts(tf.sparse.cross(of(tf))) for name, of in crossed.items()},
        {"": ()}, NONE,
    ),
    *variants(
        "SparseCross",
        {
            **{name: lambda tf, of=of: parts(tf.sparse.cross_hashed(of(tf))) for name, of in crossed.items()},
            "buckets": lambda tf: parts(tf.sparse.cross_hashed([words(tf), column(tf)], num_buckets=100)),
            "key": lambda tf: parts(tf.sparse.cross_hashed([words(tf), column(tf)], num_buckets=1000, hash_key=17)),
        },
        {"": ()},
        NONE,
    ),
    *variants(
        "RaggedCross",
        {
            **{name: lambda tf, of=of: known(tf.ragged.cross(of(tf))) for name, of in ragged_crossed.items()},
            **{
                f"{name}_hashed": lambda tf, of=of: known(tf.ragged.cross_hashed(of(tf), num_buckets=10_000))
                for name, of in ragged_crossed.items()
            },
            "key": lambda tf: known(tf.ragged.cross_hashed([rows(tf), COLUMN], hash_key=5)),
        },
        {"": ()},
        NONE,
    ),
    op(
        "separator", lambda tf: parts(tf.sparse.cross([words(tf), letters(tf)], separator="|")), {"": ()}, NONE
    ),
    *variants(
        "sparse_bincount", {name: lambda tf, of=of: parts(of(tf)) for name, of in counted.items()}, {"": ()}, NONE
    ),
    op(
        "RaggedFillEmptyRows",
        lambda tf, rowids, values, count, default: tf.ragged_fill_empty_rows(
            tf.cast(rowids, tf.int64), values, tf.cast(count, tf.int64), default
        ),
        {
            "some": (given([0, 0, 2]), x(3), given(4), x()),
            "none": (given([0]), x(1), given(1), x()),
            "back": (given([2, 0]), x(2), given(3), x()),
            "empty_rows": (given([], "int64"), x(0), given(3), x()),
            "beyond": (given([5]), x(1), given(3), x()),
            "vector": (given([0]), x(1), given(1), x(1)),
        },
        ("float32", "float64", "int32", "string"),
        gradient=True,
    ),
    op(
        "RaggedFillEmptyRowsGrad",
        lambda tf, back, g: tf.ragged_fill_empty_rows_grad(tf.cast(back, tf.int64), g),
        {"some": (given([0, 1, 3]), x(4)), "beyond": (given([9]), x(2)), "empty": (given([], "int64"), x(2))},
        ("float32", "float64"),
    ),
    op(
        "sampled_addmm",
        lambda tf, places, values, sizes, a, b: tf.sparse.sampled_addmm(
            places, values, sizes, a, b, 0.25, 0.75, output_type=a.dtype
        ),
        {
            "matrices": (given([[0, 0], [1, 2]]), x(2), given([2, 3]), x(2, 4), x(4, 3)),
            "batch": (given([[[0, 1]], [[1, 0]]]), x(2, 1), given([2, 2]), x(2, 2, 3), x(2, 3, 2)),
        },
        ("float32", "float64"),
        gradient=True,
    ),
]  # fmt: skip
