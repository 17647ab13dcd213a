"""Casts between all pairs of dtypes, saturating casts, and bit casts."""

import numpy as np

from tests.oracle.ops.table import (
    BOOL,
    COMPLEX,
    FLOATS,
    INTS,
    NUMBERS,
    SIGNED,
    STRING,
    UNSIGNED,
    Case,
    Input,
    like,
    op,
    x,
)

WIDTHS = {"int8": 8, "uint8": 8, "float16": 16, "bfloat16": 16, "int16": 16, "uint16": 16} | {
    "float32": 32,
    "int32": 32,
    "uint32": 32,
    "float64": 64,
    "int64": 64,
    "uint64": 64,
    "complex64": 64,
    "complex128": 128,
}


def within(target: str) -> Input:
    """Values whose cast to the target has one meaning on every machine: it fits, after cutting its fraction."""

    def make(dtype: str) -> object:
        if dtype in COMPLEX + BOOL:
            return x(6)(dtype)
        values = (
            [0.0, 1.0, 2.75, 100.0, 0.5] if dtype in UNSIGNED or target in UNSIGNED else [0.0, -1.0, 2.75, -100.5, 0.5]
        )
        return like(values)(dtype)

    return make


def wrapping(dtype: str) -> np.ndarray:
    """Integers that do not fit into narrower ones."""
    limits = np.iinfo(dtype)
    return np.array([limits.min, limits.max, limits.max // 3, limits.max - 1], dtype)


def cast(target: str) -> object:
    return lambda tf, a: tf.cast(a, target)


def saturate(target: str) -> object:
    return lambda tf, a: tf.saturate_cast(a, tf.as_dtype(target))


CASES: list[Case] = []
for to in (*NUMBERS, *BOOL):
    inputs = {"vector": (within(to),), "scalar": (x(),), "empty": (x(0),)}
    sources = tuple(d for d in (*NUMBERS, *BOOL) if not (d in FLOATS + COMPLEX and to in UNSIGNED))
    CASES.append(op("Cast", cast(to), inputs, sources, to, gradient=to in FLOATS))
    if to in UNSIGNED:
        CASES.append(op("Cast", cast(to), {"vector": (within(to),), "empty": (x(0),)}, FLOATS, f"{to} from float"))
    if to in INTS:
        CASES.append(op("Cast", cast(to), {"overflow": (wrapping,)}, INTS, f"{to} wrapping"))
    CASES.append(
        op("saturate_cast", saturate(to), {"vector": (like([0.0, 1.5, 100.0, 60000.0]),)}, ("float32", "float64"), to)
    )
    if to in INTS:
        # TensorFlow itself wraps the largest int64 around when it saturates it to a 64 bit integer.
        sources = tuple(dtype for dtype in INTS if not (dtype == "int64" and to in ("int64", "uint64")))
        CASES.append(op("saturate_cast", saturate(to), {"overflow": (wrapping,)}, sources, f"{to} wrapping"))
CASES += [
    op(
        "saturate_cast",
        saturate("int8"),
        {"vector": (like([-1e9, -129.0, 127.5, 1e9]),)},
        ("float32", "float64", "int32"),
        "int8 far",
    ),
    op(
        "saturate_cast",
        saturate("uint8"),
        {"vector": (like([-1.0, -0.5, 256.0, 1e9]),)},
        ("float32", "float64", "int32"),
        "uint8 far",
    ),
    op("Cast", cast("int32"), {"vector": (x(3),)}, STRING, "string to int32"),
    op("Cast", cast("string"), {"vector": (x(3),)}, ("int32", "float32"), "string"),
    op(
        "Cast",
        cast("float32"),
        {"special": (like([float("nan"), float("inf"), -0.0, 1e300]),)},
        ("float64",),
        "overflow",
    ),
    op(
        "Cast",
        cast("float16"),
        {"special": (like([float("nan"), float("inf"), 70000.0, 1e-9, 2049.0]),)},
        ("float32", "float64"),
        "half",
    ),
    op(
        "Cast",
        cast("bfloat16"),
        {"special": (like([float("nan"), 1.00390625, 1.01171875, 3.3e38]),)},
        ("float32", "float64"),
        "brain",
    ),
    op("Cast", cast("bool"), {"special": (like([float("nan"), 0.0, -0.0, 0.1]),)}, FLOATS, "truth"),
    op("to_number", lambda tf, a: tf.cast(a, tf.float32) / 3, {"vector": (x(4),)}, (*INTS, *FLOATS, *BOOL)),
]
for to in WIDTHS:
    sources = tuple(dtype for dtype in WIDTHS if WIDTHS[dtype] == WIDTHS[to])
    CASES.append(
        op(
            "Bitcast",
            lambda tf, a, to=to: tf.bitcast(a, to),
            {"vector": (x(4),), "scalar": (x(),), "empty": (x(0),)},
            sources,
            to,
        )
    )
CASES += [
    op(
        "Bitcast",
        lambda tf, a: tf.bitcast(a, tf.uint8),
        {"vector": (x(2),), "scalar": (x(),)},
        (*SIGNED, "float32", "float64"),
        "to bytes",
    ),
    op(
        "Bitcast",
        lambda tf, a: tf.bitcast(a, tf.int32),
        {"pairs": (x(2, 2),), "fours": (x(1, 4),), "wrong": (x(3),)},
        ("int16", "uint8", "float16"),
        "from narrow",
    ),
]
