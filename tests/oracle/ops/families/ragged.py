"""RaggedTensors and elementwise functions of sparse tensors."""

from typing import Any

from tests.oracle.ops.families.further import parts, sparse
from tests.oracle.ops.table import NONE, Case, variants, x


def rows(tf: Any, values: Any) -> Any:
    return tf.RaggedTensor.from_row_lengths(values, [2, 0, 1])


def flat(ragged: Any) -> tuple[Any, ...]:
    return (ragged.flat_values, *ragged.nested_row_splits)


def same(tf: Any, values: Any, name: str) -> Any:
    return flat(getattr(tf, name)(rows(tf, values)))


def of_sparse(tf: Any, values: Any, name: str) -> Any:
    return parts(getattr(tf, name)(sparse(tf, values)))


THREE = {"three": (x(3),)}
ALIKE = ("abs", "negative", "square", "exp", "sign", "round", "sigmoid", "sqrt")
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
