"""Comparisons, logic, bits, selection."""

from tests.oracle.ops.table import (
    ANY,
    BOOL,
    INTS,
    MOVED,
    NUMBERS,
    REAL,
    Case,
    binary,
    each,
    given,
    like,
    op,
    unary,
    variants,
    x,
    y,
)

SAME = {"same": (x(4), x(4)), "mixed": (x(2, 3), x(3))}
UNBROADCASTABLE = {"wrong": (x(2), x(3))}
SHIFTS = {"vectors": (x(5), like([1, 2, 3, 0, 4])), "row": (x(2, 2), like([1, 2])), "empty": (x(0), x(0))}


def bools(*shape: int) -> object:
    return x(*shape, only="bool")


CASES: list[Case] = [
    *each(
        {
            "Equal": lambda tf, a, b: tf.math.equal(a, b),
            "NotEqual": lambda tf, a, b: tf.math.not_equal(a, b),
        },
        binary() | SAME,
        ANY,
    ),
    *variants(
        "Equal",
        {"==": lambda tf, a, b: a == b, "!=": lambda tf, a, b: a != b},
        SAME | UNBROADCASTABLE,
        ("float32", "int32", "bool", "string"),
    ),
    *each(
        {
            "Less": lambda tf, a, b: tf.math.less(a, b),
            "LessEqual": lambda tf, a, b: tf.math.less_equal(a, b),
            "Greater": lambda tf, a, b: tf.math.greater(a, b),
            "GreaterEqual": lambda tf, a, b: tf.math.greater_equal(a, b),
        },
        binary() | SAME,
        REAL,
    ),
    *variants(
        "Less",
        {"<": lambda tf, a, b: a < b, ">=": lambda tf, a, b: a >= b},
        SAME | UNBROADCASTABLE,
        ("float32", "int64", "uint8"),
    ),
    *each(
        {
            "LogicalAnd": lambda tf, a, b: tf.math.logical_and(a, b),
            "LogicalOr": lambda tf, a, b: tf.math.logical_or(a, b),
            "logical_xor": lambda tf, a, b: tf.math.logical_xor(a, b),
        },
        binary(),
        BOOL,
    ),
    op("LogicalNot", lambda tf, a: tf.math.logical_not(a), unary(), BOOL),
    *variants(
        "LogicalAnd",
        {"&": lambda tf, a, b: a & b, "|": lambda tf, a, b: a | b, "^": lambda tf, a, b: a ^ b},
        {"vectors": (x(5), y(5)), "row": (x(2, 3), y(3))},
        ("bool", "int32", "uint8"),
    ),
    *variants("LogicalNot", {"~": lambda tf, a: ~a}, {"vector": (x(5),)}, ("bool", "int32", "uint8")),
    *each(
        {
            "BitwiseAnd": lambda tf, a, b: tf.bitwise.bitwise_and(a, b),
            "BitwiseOr": lambda tf, a, b: tf.bitwise.bitwise_or(a, b),
            "BitwiseXor": lambda tf, a, b: tf.bitwise.bitwise_xor(a, b),
        },
        binary(),
        INTS,
    ),
    *each(
        {
            "LeftShift": lambda tf, a, b: tf.bitwise.left_shift(a, b),
            "RightShift": lambda tf, a, b: tf.bitwise.right_shift(a, b),
        },
        SHIFTS,
        INTS,
    ),
    op("Invert", lambda tf, a: tf.bitwise.invert(a), unary(), INTS),
    op(
        "SelectV2",
        lambda tf, c, a, b: tf.where(c, a, b),
        {
            "vectors": (bools(5), x(5), y(5)),
            "scalar": (bools(), x(3), y(3)),
            "column": (bools(2, 1), x(1, 3), y(2, 3)),
            "broadcast": (bools(3), x(2, 1), y()),
            "empty": (bools(0), x(0), y(0)),
            "wrong": (bools(2), x(3), y(3)),
        },
        MOVED,
        gradient=True,
    ),
    op(
        "Where",
        lambda tf, a: tf.where(a),
        {"vector": (x(5),), "matrix": (x(2, 3),), "scalar": (x(),), "empty": (x(0),), "special": (like([0, 1]),)},
        (*NUMBERS, "bool"),
    ),
    op(
        "boolean_mask",
        lambda tf, a, mask: tf.boolean_mask(a, mask),
        {
            "vector": (x(4), given([True, False, True, True], "bool")),
            "rows": (x(2, 3), given([False, True], "bool")),
            "matrix": (x(2, 3), given([[True, False, True], [False, False, True]], "bool")),
            "none": (x(2), given([False, False], "bool")),
        },
        ("float32", "int64", "string", "bool"),
        gradient=True,
    ),
]
