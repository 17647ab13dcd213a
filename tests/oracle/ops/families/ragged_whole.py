"""Functions of whole tensors given RaggedTensors, and RaggedTensors made in further ways."""

from typing import Any

from tests.oracle.ops.families.further import parts, sparse
from tests.oracle.ops.families.ragged import MADE, deep, inner, known, rows, whole
from tests.oracle.ops.table import NONE, Case, variants, x


def words(tf: Any) -> Any:
    return tf.ragged.constant([["a", "bc"], [], ["d"]])


def marks(tf: Any) -> Any:
    return tf.ragged.constant([[True, False], [], [True]])


def numbers(tf: Any, make: Any = whole) -> Any:
    return tf.cast(make(tf), tf.float32)


def all_known(results: Any) -> Any:
    return [known(result) for result in results]


def mapped(tf: Any, fn: Any, elems: Any, *spec: Any, **rest: Any) -> Any:
    """`tf.map_fn` that gives a RaggedTensor."""
    return known(tf.map_fn(fn, elems, fn_output_signature=tf.RaggedTensorSpec(*spec, **rest)))


AXES = {"all": None, "0": 0, "1": 1, "last": -1, "0_1": [0, 1], "beyond": 3}
made = {  # RaggedTensors in further ways
    "starts": lambda of: of.from_row_starts([1, 2, 3], [0, 2, 2]),
    "starts_none": lambda of: of.from_row_starts([], []),
    "starts_late": lambda of: of.from_row_starts([1, 2, 3], [1, 2]),
    "limits": lambda of: of.from_row_limits([1, 2, 3], [2, 2, 3]),
    "limits_early": lambda of: of.from_row_limits([1, 2, 3], [2]),
    "limits_back": lambda of: of.from_row_limits([1, 2, 3], [2, 1, 3]),
    "uniform": lambda of: of.from_uniform_row_length([1, 2, 3, 4], 2),
    "uniform_empty": lambda of: of.from_uniform_row_length([0.5][:0], 0, nrows=3),
    "splits": lambda of: of.from_nested_row_splits([1, 2, 3], [[0, 2, 2], [0, 1, 3]]),
    "lengths": lambda of: of.from_nested_row_lengths([1, 2, 3], [[2, 0], [1, 2]]),
    "rowids": lambda of: of.from_nested_value_rowids([1, 2, 3], [[0, 0], [0, 1, 1]], [2, 2]),
    "rowids_no_counts": lambda of: of.from_nested_value_rowids([1, 2, 3], [[0, 0], [0, 1, 1]]),
    "rowids_one_count": lambda of: of.from_nested_value_rowids([1, 2, 3], [[0, 0], [0, 1, 1]], [2]),
    "tensor": lambda of: of.from_tensor([[[1, 2], [3, 4]]], ragged_rank=2),
    "tensor_lengths": lambda of: of.from_tensor([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], lengths=([1, 2], [1, 2, 2])),
    "tensor_padding": lambda of: of.from_tensor([[[1, 0], [0, 0]]], padding=0, ragged_rank=2),
    "tensor_rank": lambda of: of.from_tensor([[1, 2]], ragged_rank=2),
    "merged_outer": lambda of: of.from_nested_row_lengths([1, 2, 3], [[2, 0], [1, 2]]).merge_dims(0, 1),
    "merged_inner": lambda of: of.from_nested_row_lengths([1, 2, 3], [[2, 0], [1, 2]]).merge_dims(-2, -1),
    "merged_all": lambda of: of.from_nested_row_lengths([1, 2, 3], [[2, 0], [1, 2]]).merge_dims(0, 2),
    "merged_wrong": lambda of: of.from_nested_row_lengths([1, 2, 3], [[2, 0], [1, 2]]).merge_dims(2, 1),
    "merged_tensors": lambda of: of.from_row_lengths([[1, 2], [3, 4], [5, 6]], [2, 0, 1]).merge_dims(1, 2),
}

CASES: list[Case] = [
    *variants(
        "ragged_made", {name: lambda tf, make=make: known(make(tf.RaggedTensor)) for name, make in made.items()},
        {"": ()}, NONE,
    ),
    *variants(
        "ragged_whole",
        {
            **{
                f"{name}_{axis}": lambda tf, name=name, at=at: known(getattr(tf.math, name)(numbers(tf), at))
                for name in ("reduce_logsumexp", "reduce_std", "reduce_variance")
                for axis, at in AXES.items()
                if (name, axis) not in (("reduce_logsumexp", "0"), ("reduce_logsumexp", "0_1"))
            },
            **{
                f"{name}_keep": lambda tf, name=name: known(getattr(tf.math, name)(numbers(tf), 1, keepdims=True))
                for name in ("reduce_logsumexp", "reduce_std", "reduce_variance")
            },
            **{
                f"reverse_{of}_{axis}": lambda tf, make=make, axis=axis: known(tf.reverse(make(tf), [axis]))
                for of, make in MADE.items()
                for axis in (0, 1, -1)
            },
            "reverse_both": lambda tf: known(tf.reverse(deep(tf), [0, 2])),
            "join": lambda tf: known(tf.strings.reduce_join(words(tf), 1, separator="-")),
            "join_places": lambda tf: known(tf.strings.reduce_join(words(tf), 0)),
            "join_all": lambda tf: known(tf.strings.reduce_join(words(tf))),
            "join_keep": lambda tf: known(tf.strings.reduce_join(words(tf), -1, keepdims=True)),
            "where": lambda tf: tf.where(marks(tf)),
            "where_chosen": lambda tf: known(tf.where(marks(tf), whole(tf), whole(tf) * 10)),
            "gather_nd": lambda tf: tf.gather_nd(whole(tf), [[0, 1], [2, 0]]),
            "gather_nd_rows": lambda tf: known(tf.gather_nd(whole(tf), [[2], [0]])),
            "gather_nd_deep": lambda tf: known(tf.gather_nd(deep(tf), [[2, 0], [0, 1]])),
            "gather_nd_inner": lambda tf: known(tf.gather_nd(inner(tf), [[2, 0, 1]])),
            "squeeze": lambda tf: known(tf.squeeze(tf.expand_dims(whole(tf), 0), [0])),
            "squeeze_column": lambda tf: known(tf.squeeze(tf.expand_dims(whole(tf), -1), [-1])),
            "squeeze_other": lambda tf: known(tf.squeeze(whole(tf), [0])),
            "one_hot": lambda tf: known(tf.one_hot(whole(tf), 3)),
            "one_hot_int": lambda tf: known(tf.one_hot(whole(tf), 4, 7, -1)),
            "add_n": lambda tf: known(tf.add_n([whole(tf), whole(tf), whole(tf)])),
            "clip": lambda tf: known(tf.clip_by_value(whole(tf), 2, 2)),
            "softmax": lambda tf: known(tf.nn.softmax(numbers(tf))),
            "softmax_deep": lambda tf: known(tf.nn.softmax(numbers(tf, deep))),
            "softmax_inner": lambda tf: known(tf.nn.softmax(numbers(tf, inner))),
            "cumsum": lambda tf: known(tf.cumsum(whole(tf), 1)),
            "cumsum_before": lambda tf: known(tf.cumsum(whole(tf), 1, exclusive=True)),
            "cumsum_back": lambda tf: known(tf.cumsum(deep(tf), 2, reverse=True)),
            "matmul": lambda tf: known(tf.matmul(numbers(tf, inner), tf.ones([3, 2, 1]))),
            "matmul_ragged": lambda tf: known(tf.matmul(numbers(tf, deep), numbers(tf, deep))),
            "segment_sum": lambda tf: known(tf.math.unsorted_segment_sum(whole(tf), [0, 1, 0], 2)),
            "segment_max_both": lambda tf: known(
                tf.math.unsorted_segment_max(whole(tf), tf.ragged.constant([[0, 1], [], [1]]), 2)
            ),
            "segment_mean_both": lambda tf: known(
                tf.math.unsorted_segment_mean(numbers(tf), tf.ragged.constant([[0, 1], [], [1]]), 2)
            ),
            "split_rows": lambda tf: all_known(tf.split(whole(tf), 2, axis=1)),
            "split_inner": lambda tf: all_known(tf.split(inner(tf), 2, axis=2)),
            "flat": lambda tf: tf.reshape(whole(tf), [-1]),
            "bincount": lambda tf: tf.math.bincount(whole(tf)),
            "bincount_rows": lambda tf: tf.math.bincount(whole(tf), axis=-1),
            "bincount_bounds": lambda tf: tf.math.bincount(whole(tf), axis=-1, minlength=6),
            "bincount_cut": lambda tf: tf.math.bincount(whole(tf), axis=-1, maxlength=3),
            "bincount_weights": lambda tf: tf.math.bincount(whole(tf), weights=numbers(tf) * 2, axis=-1),
            "bincount_binary": lambda tf: tf.math.bincount(tf.minimum(whole(tf), 1), axis=-1, binary_output=True),
            "dropout_none": lambda tf: known(tf.nn.dropout(numbers(tf), 0.0)),
            "complex": lambda tf: known(tf.complex(numbers(tf), numbers(tf))),
            "real": lambda tf: known(tf.math.real(numbers(tf))),
            "no_nan": lambda tf: [
                known(f(numbers(tf), 0.0)) for f in (tf.math.divide_no_nan, tf.math.multiply_no_nan)
            ],
            "saturate": lambda tf: known(tf.saturate_cast(numbers(tf) * 100, tf.int8)),
            "bitcast": lambda tf: known(tf.bitcast(numbers(tf), tf.int32)),
            "transcode": lambda tf: known(tf.strings.unicode_transcode(words(tf), "UTF-8", "UTF-16-BE")),
            "script": lambda tf: known(tf.strings.unicode_script(whole(tf) + 96)),
            "assert_equal": lambda tf: tf.debugging.assert_equal(whole(tf), whole(tf)) or 1,
            "assert_less": lambda tf: tf.debugging.assert_less(whole(tf), 4) or 1,
            "lengths": lambda tf: (deep(tf).nested_row_lengths(), deep(tf).nested_value_rowids()),
            "int32_splits": lambda tf: known(deep(tf).with_row_splits_dtype(tf.int32)),
        },
        {"": ()},
        NONE,
    ),
    *variants(
        "ragged_map_fn",
        {
            "rows": lambda tf: known(tf.map_fn(lambda row: row * 2, whole(tf))),
            "deep": lambda tf: known(tf.map_fn(lambda row: row * 2, deep(tf))),
            "sums": lambda tf: tf.map_fn(tf.reduce_sum, whole(tf), fn_output_signature=tf.int32),
            "ranges": lambda tf: mapped(tf, tf.range, tf.constant([1, 3, 0]), [None], tf.int32),
            "none": lambda tf: mapped(tf, tf.range, tf.zeros([0], tf.int32), [None], tf.int32),
            "int32_splits": lambda tf: mapped(tf, tf.range, [1, 2], [None], tf.int32, row_splits_dtype=tf.int32),
            "matrices": lambda tf: mapped(tf, lambda n: tf.ones([n, 2]), [1, 0, 2], [None, 2], ragged_rank=0),
            "ragged": lambda tf: mapped(tf, lambda n: whole(tf) * n, [1, 2], [3, None], tf.int32),
            "both": lambda tf: mapped(tf, lambda e: e[0] + e[1], (whole(tf), [10, 20, 30]), [None], tf.int32),
            "other_dtype": lambda tf: mapped(tf, tf.range, [1, 2], [None], tf.float32),
            "no_rows": lambda tf: mapped(tf, lambda n: tf.ones([n, 2]), [1, 0, 2], [None, 2]),
            "sparse": lambda tf: parts(tf.map_fn(lambda row: row, sparse(tf, [1, 2, 3]))),
        },
        {"": ()},
        NONE,
    ),
    *variants(
        "sparse_whole",
        {
            "shape": lambda tf: [tf.shape(sparse(tf, [1, 2, 3])), tf.shape(sparse(tf, [1, 2, 3]), tf.int64)],
            "size": lambda tf: [tf.size(sparse(tf, [1, 2, 3])), tf.size(sparse(tf, [1, 2, 3]), tf.int64)],
            "rank": lambda tf: tf.rank(sparse(tf, [1, 2, 3])),
            "assert_other_type": lambda tf: tf.debugging.assert_type(sparse(tf, [1, 2, 3]), tf.int64) or 1,
        },
        {"": ()},
        NONE,
    ),
    *variants(
        "ragged_slopes",
        {
            "logsumexp": lambda tf, a: tf.reduce_sum(tf.math.reduce_logsumexp(rows(tf, a), 1)[::2]),
            "softmax": lambda tf, a: tf.reduce_sum(tf.nn.softmax(rows(tf, a)) * rows(tf, a)),
            "cumsum": lambda tf, a: tf.reduce_sum(tf.square(tf.cumsum(rows(tf, a), 1))),
            "variance": lambda tf, a: tf.math.reduce_variance(rows(tf, a)),
            "segments": lambda tf, a: tf.reduce_sum(tf.square(tf.math.unsorted_segment_mean(rows(tf, a), [0, 1, 0], 2))),
            "map_fn": lambda tf, a: tf.reduce_sum(
                tf.map_fn(tf.square, rows(tf, a), fn_output_signature=tf.RaggedTensorSpec([None], a.dtype))
            ),
        },
        {"three": (x(3),)},
        ("float32", "float64"),
        gradient=True,
    ),
]  # fmt: skip
