"""Reductions, cumulative sums, arguments of extremes."""

from tests.oracle.ops.table import (
    BOOL,
    FLOATS,
    NUMBERS,
    REAL,
    STRING,
    Case,
    column,
    distinct,
    given,
    like,
    op,
    special,
    unary,
    variants,
    x,
    y,
)

ALL = unary() | {"cube": (x(2, 2, 3),)}
TIES = {
    "matrix": (distinct(2, 3),),
    "ties": (like([[1, 2, 2], [2, 1, 2]]),),
    "empty": (x(0, 3),),
    "special": (special(),),
}
MATRICES = {"matrix": (x(2, 3),), "cube": (x(2, 2, 3),), "empty": (x(2, 0),), "no_rows": (x(0, 2),), "vector": (x(4),)}
# Sums of half precision depend on the order of their terms.
SUMS = {"float16": 1e-2, "bfloat16": 8e-2}


def reduction(name: str, f: str, dtypes: tuple[str, ...], **rest: object) -> list[Case]:
    """A reduction over everything, over one axis, over several, with and without keeping them."""
    calls = {
        "all": lambda tf, a: getattr(tf.math, f)(a),
        "last": lambda tf, a: getattr(tf.math, f)(a, axis=-1),
        "first_kept": lambda tf, a: getattr(tf.math, f)(a, axis=0, keepdims=True),
        "two": lambda tf, a: getattr(tf.math, f)(a, axis=[0, 1]),
    }
    everything = calls.pop("all")
    return [op(name, everything, ALL, dtypes, "all", **rest), *variants(name, calls, MATRICES, dtypes, **rest)]


CUMULATIVE = {
    "plain": {},
    "last": {"axis": -1},
    "exclusive": {"exclusive": True},
    "reverse": {"axis": 0, "reverse": True},
    "both": {"exclusive": True, "reverse": True},
}


def cumulative(name: str, f: str, dtypes: tuple[str, ...], **rest: object) -> list[Case]:
    calls = {
        variant: lambda tf, a, options=options: getattr(tf.math, f)(a, **options)
        for variant, options in CUMULATIVE.items()
    }
    return variants(name, calls, MATRICES, dtypes, **rest)


CASES = [
    *reduction("Sum", "reduce_sum", NUMBERS, gradient=True, rtol=SUMS),
    *reduction("Mean", "reduce_mean", NUMBERS, gradient=True, rtol=SUMS),
    *reduction("Prod", "reduce_prod", NUMBERS, gradient=True, rtol=SUMS),
    *reduction("Max", "reduce_max", REAL, gradient=True),
    *reduction("Min", "reduce_min", REAL, gradient=True),
    *reduction("All", "reduce_all", BOOL),
    *reduction("Any", "reduce_any", BOOL),
    *reduction("EuclideanNorm", "reduce_euclidean_norm", FLOATS, gradient=True, rtol=SUMS),
    *reduction("reduce_variance", "reduce_variance", FLOATS, gradient=True, rtol=SUMS),
    *reduction("reduce_std", "reduce_std", FLOATS, gradient=True, rtol=SUMS),
    *reduction("reduce_logsumexp", "reduce_logsumexp", FLOATS, gradient=True, rtol=SUMS),
    *variants(
        "Max",
        {"ties": lambda tf, a: tf.reduce_max(a, axis=1), "all_ties": lambda tf, a: tf.reduce_max(a)},
        {"ties": (like([[1, 2, 2], [2, 1, 2]]),)},
        ("float32", "float64"),
        gradient=True,
    ),
    op(
        "Prod",
        lambda tf, a: tf.reduce_prod(a, axis=1),
        {"zeros": (like([[1, 0, 2], [0, 0, 3]]),)},
        FLOATS[2:],
        "of zero",
        gradient=True,
    ),
    op(
        "Sum",
        lambda tf, a, axis: tf.reduce_sum(a, axis),
        {
            "axis": (x(2, 3), given(1)),
            "axes": (x(2, 3), given([0, -1])),
            "no_axes": (x(2, 3), given([])),
            "wrong": (x(2, 3), given(2)),
        },
        ("float32", "int32"),
        "axis tensor",
        gradient=True,
    ),
    *cumulative("Cumsum", "cumsum", NUMBERS, gradient=True, rtol=SUMS),
    *cumulative("Cumprod", "cumprod", NUMBERS, gradient=True, rtol=SUMS),
    *cumulative("CumulativeLogsumexp", "cumulative_logsumexp", FLOATS, gradient=True, rtol=SUMS),
    *variants(
        "ArgMax",
        {
            "first": lambda tf, a: tf.math.argmax(a),
            "last": lambda tf, a: tf.math.argmax(a, axis=-1),
            "int32": lambda tf, a: tf.math.argmax(a, output_type=tf.int32),
        },
        TIES,
        (*REAL, "bool"),
    ),
    *variants(
        "ArgMin",
        {"first": lambda tf, a: tf.math.argmin(a), "last": lambda tf, a: tf.math.argmin(a, axis=-1)},
        TIES,
        (*REAL, "bool"),
    ),
    *variants(
        "count_nonzero",
        {
            "all": lambda tf, a: tf.math.count_nonzero(a),
            "axis": lambda tf, a: tf.math.count_nonzero(a, axis=-1, keepdims=True, dtype=tf.int32),
        },
        MATRICES,
        (*NUMBERS, *BOOL, *STRING),
    ),
    *variants(
        "bincount",
        {
            "plain": lambda tf, a: tf.math.bincount(a),
            "long": lambda tf, a: tf.math.bincount(a, minlength=8),
            "short": lambda tf, a: tf.math.bincount(a, maxlength=3),
            "weights": lambda tf, a: tf.math.bincount(a, weights=tf.cast(a, tf.float32) / 2.0),
        },
        {"vector": (given([3, 1, 1, 0, 5]),), "empty": (given([]),)},
        ("none",),
    ),
    op(
        "add_up",
        lambda tf, a, b: tf.reduce_sum(a * b, axis=-1),
        {"outer": (column(x(3)), y(2)), "dot": (x(3), y(3))},
        NUMBERS,
        gradient=True,
        rtol=SUMS,
    ),
    *variants(
        "moments",
        {
            "first": lambda tf, a: tf.nn.moments(a, axes=[0]),
            "all": lambda tf, a: tf.nn.moments(a, axes=[0, 1], keepdims=True),
        },
        {"matrix": (x(2, 3),), "cube": (x(2, 2, 3),)},
        FLOATS,
        gradient=True,
        rtol=SUMS,
    ),
]
