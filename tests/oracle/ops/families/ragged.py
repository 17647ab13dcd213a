"""RaggedTensors and elementwise functions of sparse tensors."""

from typing import Any

from tests.oracle.ops.families.further import parts, sparse
from tests.oracle.ops.table import NONE, Case, variants, x


def rows(tf: Any, values: Any) -> Any:
    return tf.RaggedTensor.from_row_lengths(values, [2, 0, 1])


def flat(ragged: Any) -> tuple[Any, ...]:
    return (ragged.flat_values, *ragged.nested_row_splits)


def deep(tf: Any) -> Any:
    return tf.ragged.constant([[[1, 2], []], [], [[3, 4, 5]]])


def inner(tf: Any) -> Any:
    return tf.RaggedTensor.from_row_lengths(tf.reshape(tf.range(6), [3, 2]), [2, 0, 1])


def whole(tf: Any) -> Any:
    return tf.ragged.constant([[1, 2], [], [3]])


def known(result: Any) -> Any:
    """The parts of a RaggedTensor, or the tensor that is none."""
    return flat(result) if hasattr(result, "nested_row_splits") else result


def reduced(tf: Any, make: Any, name: str, axis: Any, **rest: Any) -> Any:
    return known(getattr(tf, f"reduce_{name}")(make(tf), axis, **rest))


def same(tf: Any, values: Any, name: str) -> Any:
    return flat(getattr(tf, name)(rows(tf, values)))


def of_sparse(tf: Any, values: Any, name: str) -> Any:
    return parts(getattr(tf, name)(sparse(tf, values)))


THREE = {"three": (x(3),)}
ALIKE = ("abs", "negative", "square", "exp", "sign", "round", "sigmoid", "sqrt")
MADE = {"rows": whole, "deep": deep, "inner": inner}
AXES = {"all": None, "0": 0, "1": 1, "last": -1, "0_1": [0, 1], "1_2": [1, 2], "0_2": (0, 2), "none": [], "3": 3}
REDUCTIONS = ("sum", "mean", "max", "min", "prod")
ZERO_STAYS = ("abs", "negative", "square", "sign", "sqrt", "sin", "tanh", "identity")

CASES: list[Case] = [
    *variants(
        "ragged_elementwise",
        {
            **{name: lambda tf, a, name=name: same(tf, a, name) for name in ALIKE},
            "cast": lambda tf, a: flat(tf.cast(rows(tf, a), tf.int32)),
            "is_nan": lambda tf, a: flat(tf.math.is_nan(rows(tf, a))),
            "relu": lambda tf, a: flat(tf.nn.relu(rows(tf, a))),
            "add": lambda tf, a: flat(tf.add(rows(tf, a), 2)),
            "maximum": lambda tf, a: flat(tf.maximum(rows(tf, a), 1)),
            "operators": lambda tf, a: flat(2 - rows(tf, a) * rows(tf, a) / 4 + abs(-rows(tf, a)) ** 2),
            "compared": lambda tf, a: flat(~((rows(tf, a) < 1) & (rows(tf, a) >= -1))),
            "whole": lambda tf, a: flat(rows(tf, a) // 2 + rows(tf, a) % 2),
            "column": lambda tf, a: flat(rows(tf, a) * tf.constant([[1], [2], [3]], a.dtype)),
            "where": lambda tf, a: flat(tf.where(rows(tf, a) > 0, rows(tf, a), rows(tf, a) * 3)),
            "other_rows": lambda tf, a: flat(rows(tf, a) + tf.RaggedTensor.from_row_lengths(a, [1, 1, 1])),
            "map": lambda tf, a: flat(tf.ragged.map_flat_values(lambda x, y: x * y, rows(tf, a), rows(tf, a))),
        },
        THREE,
        ("float32", "float64"),
    ),
    *variants(
        "ragged_functions",
        {
            "range": lambda tf: flat(tf.ragged.range([3, 5, 2])),
            "range_steps": lambda tf: flat(tf.ragged.range([0, 5, 8], [3, 3, 12], [1, -1, 2])),
            "range_scalar": lambda tf: flat(tf.ragged.range(3)),
            "range_float": lambda tf: flat(tf.ragged.range([0.0, 1.0], [1.0, 2.0], 0.25)),
            "range_zero": lambda tf: flat(tf.ragged.range([0], [1], 0)),
            "range_short": lambda tf: flat(tf.ragged.range([2], row_splits_dtype=tf.int32)),
            "segment_ids": lambda tf: tf.ragged.row_splits_to_segment_ids([0, 3, 3, 5]),
            "row_splits": lambda tf: tf.ragged.segment_ids_to_row_splits([0, 0, 2, 2]),
            "row_splits_more": lambda tf: tf.ragged.segment_ids_to_row_splits([0, 0, 2, 2], num_segments=5),
            "partitions": lambda tf: flat(tf.ragged.stack_dynamic_partitions(["a", "b", "c"], [1, 0, 1], 3)),
            "no_partition": lambda tf: flat(tf.ragged.stack_dynamic_partitions(["a", "b"], [1, 3], 3)),
            "mask_rows": lambda tf: flat(
                tf.ragged.boolean_mask(tf.ragged.constant([[1, 2], [], [3, 4, 5]]), [True, False, True])
            ),
            "mask_values": lambda tf: flat(
                tf.ragged.boolean_mask(
                    tf.ragged.constant([[1, 2], [], [3, 4, 5]]),
                    tf.ragged.constant([[True, False], [], [False, True, True]]),
                )
            ),
            "mask_tensor": lambda tf: flat(
                tf.ragged.boolean_mask(tf.constant([[1, 2], [3, 4]]), [[True, False], [True, True]])
            ),
            "to_sparse": lambda tf: parts(tf.ragged.constant([[[1], [2, 3]], [], [[4, 5, 6]]]).to_sparse()),
            "from_sparse": lambda tf: flat(
                tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 2, 3], [3, 4]))
            ),
            "from_sparse_hole": lambda tf: flat(
                tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 1], [2, 0]], [1, 2], [3, 4]))
            ),
            "strings": lambda tf: flat(tf.strings.upper(tf.ragged.constant([["a"], ["b", "c"], []]))),
        },
        {"": ()},
        NONE,
    ),
    *variants(
        "ragged_reduction",
        {
            **{
                f"{name}_{of}_{at}": lambda tf, make=make, name=name, axis=axis: reduced(tf, make, name, axis)
                for name in REDUCTIONS
                for of, make in MADE.items()
                for at, axis in AXES.items()
            },
            **{
                f"{name}_{at}": lambda tf, name=name, axis=axis: reduced(tf, lambda tf: whole(tf) > 1, name, axis)
                for name in ("any", "all")
                for at, axis in (("whole", None), ("0", 0), ("1", 1))
            },
            **{
                f"keepdims_{of}_{at}": lambda tf, make=make, axis=AXES[at]: reduced(tf, make, "sum", axis, keepdims=True)
                for of, make in MADE.items()
                for at in ("all", "0", "1", "last", "0_1", "1_2")
                if (of, at) != ("inner", "all")
            },
        },
        {"": ()},
        NONE,
    ),
    *variants(
        "ragged_slope",
        {
            "sum": lambda tf, a: tf.reduce_sum(rows(tf, a), 1),
            "mean": lambda tf, a: tf.reduce_mean(rows(tf, a), 0),
            "max": lambda tf, a: tf.reduce_max(rows(tf, a), 0),
            "concat": lambda tf, a: flat(tf.concat([rows(tf, a), rows(tf, a * 2)], 1)),
            "stack": lambda tf, a: flat(tf.stack([rows(tf, a), rows(tf, a * 2)], 1)),
            "gather": lambda tf, a: flat(tf.gather(rows(tf, a), [2, 0, 0])),
            "tile": lambda tf, a: flat(tf.tile(rows(tf, a), [2, 3])),
        },
        THREE,
        ("float32", "float64"),
        gradient=True,
    ),
    *variants(
        "ragged_rows",
        {
            **{
                f"{name}_{of}_{axis}".replace("-", "m"): lambda tf, make=make, name=name, axis=axis: known(
                    getattr(tf, name)([make(tf), make(tf) * 10], axis)
                )
                for name in ("concat", "stack")
                for of, make in MADE.items()
                for axis in (0, 1, -1, -2, 2, 4)
            },
            **{
                f"expand_dims_{of}_{axis}".replace("-", "m"): lambda tf, make=make, axis=axis: known(
                    tf.expand_dims(make(tf), axis)
                )
                for of, make in MADE.items()
                for axis in (0, 1, 2, -1, -2, -3, 5)
            },
            "concat_dense": lambda tf: known(tf.concat([whole(tf), [[7], [8], [9]]], 1)),
            "concat_dense_rows": lambda tf: known(tf.concat([whole(tf), [[7], [8], [9]]], 0)),
            "concat_one": lambda tf: known(tf.concat([whole(tf)], 0)),
            "concat_other_rows": lambda tf: known(tf.concat([whole(tf), whole(tf)[:2]], 1)),
            "ragged_stack": lambda tf: known(tf.ragged.stack([whole(tf), deep(tf)[0]])),
            "ragged_stack_columns": lambda tf: known(tf.ragged.stack([whole(tf), whole(tf) * 2], axis=1)),
            "ragged_stack_lists": lambda tf: known(tf.ragged.stack([[1, 2], [3]])),
            "ragged_stack_one": lambda tf: known(tf.ragged.stack([whole(tf)])),
            "ragged_stack_scalars": lambda tf: known(tf.ragged.stack([1, 2])),
            "tile": lambda tf: known(tf.tile(whole(tf), [2, 3])),
            "tile_deep": lambda tf: known(tf.tile(deep(tf), [1, 2, 2])),
            "tile_inner": lambda tf: known(tf.tile(inner(tf), [2, 1, 2])),
            "tile_nothing": lambda tf: known(tf.tile(whole(tf), [1, 0])),
            "gather": lambda tf: known(tf.gather(whole(tf), [2, 0, 0])),
            "gather_scalar": lambda tf: known(tf.gather(whole(tf), 0)),
            "gather_matrix": lambda tf: known(tf.gather(whole(tf), [[0, 2]])),
            "gather_deep": lambda tf: known(tf.gather(deep(tf), [2, 0])),
            "gather_ragged": lambda tf: known(tf.gather(whole(tf), tf.ragged.constant([[2], [0, 1]]))),
            "gather_of_dense": lambda tf: known(tf.gather([[10, 1], [20, 2], [30, 3]], whole(tf) - 1)),
            "gather_batch": lambda tf: known(tf.gather(whole(tf), tf.ragged.constant([[1, 0], [], [0]]), batch_dims=1)),
            "gather_beyond": lambda tf: known(tf.gather(whole(tf), [5])),
            "gather_negative": lambda tf: known(tf.gather(whole(tf), [-1])),
            "sizes": lambda tf: (tf.size(whole(tf)), tf.size(inner(tf), out_type=tf.int64)),
            "ranks": lambda tf: (tf.rank(whole(tf)), tf.rank(deep(tf)), tf.rank(inner(tf))),
            "ones_like": lambda tf: (known(tf.ones_like(whole(tf))), known(tf.ones_like(inner(tf), tf.float32))),
            "zeros_like": lambda tf: (known(tf.zeros_like(whole(tf))), known(tf.zeros_like(deep(tf), tf.bool))),
            "equal": lambda tf: [known(r) for r in (whole(tf) == whole(tf), whole(tf) == 1, whole(tf) == [[1], [2], [3]])],
            "not_equal": lambda tf: [known(r) for r in (whole(tf) != 2, whole(tf) != [[1], [2], [3]])],
        },
        {"": ()},
        NONE,
    ),
    *variants(
        "sparse_elementwise",
        {
            **{name: lambda tf, a, name=name: of_sparse(tf, a, name) for name in ZERO_STAYS},
            "cast": lambda tf, a: parts(tf.cast(sparse(tf, a), tf.int32)),
            "exp": lambda tf, a: of_sparse(tf, a, "exp"),
            "round": lambda tf, a: of_sparse(tf, a, "round"),
        },
        THREE,
        ("float32", "float64"),
    ),
]  # fmt: skip
