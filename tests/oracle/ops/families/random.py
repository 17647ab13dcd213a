"""Random numbers that a seed decides."""

from tests.oracle.ops.table import FLOATS, NONE, Case, given, op, variants, x

SEEDS = {"small": (given([1, 2]),), "zero": (given([0, 0]),), "wide": (given([-1, 2**40], "int64"),)}
NORMALS = {"float32": 1e-4, "float64": 1e-9, "float16": 1e-2, "bfloat16": 8e-2}
REALS = ("float16", "bfloat16", "float32", "float64")
WHOLE = ("int32", "int64", "uint32", "uint64")

CASES: list[Case] = []
for dtype in REALS:
    CASES += [
        op(
            "StatelessRandomUniformV2",
            lambda tf, s, d=dtype: tf.random.stateless_uniform([5], s, dtype=d),
            SEEDS,
            NONE,
            dtype,
        ),
        op(
            "StatelessRandomNormalV2",
            lambda tf, s, d=dtype: tf.random.stateless_normal([5], s, dtype=d),
            SEEDS,
            NONE,
            dtype,
            rtol=NORMALS,
        ),
        op(
            "StatelessTruncatedNormalV2",
            lambda tf, s, d=dtype: tf.random.stateless_truncated_normal([7], s, dtype=d),
            SEEDS,
            NONE,
            dtype,
            rtol=NORMALS,
        ),
    ]
for dtype in WHOLE:
    CASES += [
        op(
            "StatelessRandomUniformIntV2",
            lambda tf, s, d=dtype: tf.random.stateless_uniform([6], s, minval=3, maxval=17, dtype=d),
            SEEDS,
            NONE,
            dtype,
        ),
        op(
            "StatelessRandomUniformFullIntV2",
            lambda tf, s, d=dtype: tf.random.stateless_uniform([5], s, minval=None, maxval=None, dtype=d),
            SEEDS,
            NONE,
            dtype,
        ),
    ]


def seeded(name: str, call: object, variant: str = "", **rest: object) -> Case:
    """A stateful op after tf.random.set_seed; traced calls have seeds of their own, so that these are eager."""

    def run(tf: object, seed: int) -> object:
        tf.random.set_seed(int(seed))
        return [call(tf), call(tf)]

    return op(name, run, {"small": (given(5),), "large": (given(2**31 - 1),)}, NONE, variant, traced=False, **rest)


CASES += [
    *variants(
        "StatelessRandomUniformV2",
        {
            "shape": lambda tf, s: tf.random.stateless_uniform([2, 3], s),
            "scalar": lambda tf, s: tf.random.stateless_uniform([], s),
            "empty": lambda tf, s: tf.random.stateless_uniform([0], s),
            "bounds": lambda tf, s: tf.random.stateless_uniform([4], s, -3.0, 5.0),
            "long": lambda tf, s: tf.random.stateless_uniform([37], s),
            "rows": lambda tf, s: tf.random.stateless_uniform([2, 2], s, minval=[0.0, 10.0], maxval=[1.0, 20.0]),
        },
        SEEDS,
        NONE,
    ),
    *variants(
        "StatelessRandomNormalV2",
        {
            "shape": lambda tf, s: tf.random.stateless_normal([2, 3], s),
            "scalar": lambda tf, s: tf.random.stateless_normal([], s),
            "moments": lambda tf, s: tf.random.stateless_normal([3], s, mean=10.0, stddev=0.5),
            "long": lambda tf, s: tf.random.stateless_normal([37], s),
        },
        SEEDS,
        NONE,
        rtol=NORMALS,
    ),
    *variants(
        "StatelessShuffle",
        {
            "vector": lambda tf, s: tf.random.experimental.stateless_shuffle(tf.range(8), s),
            "rows": lambda tf, s: tf.random.experimental.stateless_shuffle([[1, 2], [3, 4], [5, 6]], s),
        },
        {"small": (given([1, 2]),), "zero": (given([0, 0]),)},
        NONE,
    ),
    *variants(
        "seeds",
        {
            "split": lambda tf, s: tf.random.split(s, 3),
            "fold_in": lambda tf, s: tf.random.fold_in(s, 7),
        },
        {"small": (given([1, 2]),), "zero": (given([0, 0]),)},
        NONE,
    ),
    op(
        "StatelessRandomUniformV2",
        lambda tf, s: tf.random.stateless_uniform([2], s),
        {"short": (given([1]),), "long": (given([1, 2, 3]),), "good": (given([1, 2]),)},
        NONE,
        "wrong seed",
    ),
    op(
        "StatelessMultinomial",
        lambda tf, s: tf.random.stateless_categorical([[0.0, 1.0, 2.0]], 6, s),
        {"small": (given([1, 2]),)},
        NONE,
    ),
    op(
        "StatelessRandomBinomial",
        lambda tf, s: tf.random.stateless_binomial([4], s, counts=10.0, probs=0.5),
        {"small": (given([1, 2]),)},
        NONE,
    ),
    seeded("RandomUniform", lambda tf: tf.random.uniform([4])),
    seeded("RandomUniform", lambda tf: tf.random.uniform([2], seed=3), "op seed"),
    seeded("RandomUniform", lambda tf: tf.random.uniform([3], dtype=tf.float64), "float64"),
    seeded("RandomUniform", lambda tf: tf.random.uniform([3], dtype=tf.float16), "float16"),
    seeded("RandomUniformInt", lambda tf: tf.random.uniform([5], 0, 10, dtype=tf.int32)),
    seeded("RandomUniformInt", lambda tf: tf.random.uniform([5], -7, 2**40, tf.int64), "int64"),
    seeded("RandomStandardNormal", lambda tf: tf.random.normal([5]), rtol=NORMALS),
    seeded(
        "RandomStandardNormal",
        lambda tf: tf.random.normal([2, 2], 1.0, 3.0, tf.float64, seed=1),
        "float64",
        rtol=NORMALS,
    ),
    seeded("TruncatedNormal", lambda tf: tf.random.truncated_normal([6]), rtol=NORMALS),
    seeded("RandomShuffle", lambda tf: tf.random.shuffle(tf.range(7))),
    seeded("RandomShuffle", lambda tf: tf.random.shuffle([[1, 2], [3, 4], [5, 6]], seed=4), "rows"),
    seeded("Multinomial", lambda tf: tf.random.categorical([[0.0, 1.0, 2.0]], 5)),
    seeded("dropout", lambda tf: tf.nn.dropout(tf.ones([6]), rate=0.5)),
    seeded("dropout", lambda tf: tf.nn.dropout(tf.ones([6]), rate=0.25, seed=2), "op seed"),
    op(
        "dropout_dtype",
        lambda tf, a: tf.nn.experimental.stateless_dropout(a, 0.5, seed=[3, 4]),
        {"vector": (x(6),)},
        FLOATS,
    ),
]
for generator in ("philox", "threefry"):
    CASES.append(
        seeded("Generator", lambda tf, g=generator: tf.random.Generator.from_seed(11, alg=g).uniform([3]), generator),
    )
CASES += [
    seeded("Generator", lambda tf: tf.random.Generator.from_seed(5).normal([3]), "normal", rtol=NORMALS),
    seeded("Generator", lambda tf: tf.random.Generator.from_seed(5).truncated_normal([3]), "truncated", rtol=NORMALS),
    seeded("Generator", lambda tf: tf.random.Generator.from_seed(5).uniform([3], 0, 9, tf.int32), "integers"),
    seeded("Generator", lambda tf: [g.state for g in tf.random.Generator.from_seed(5).split(2)], "split"),
    seeded("Generator", lambda tf: tf.random.Generator.from_seed(5).make_seeds(2), "seeds"),
    seeded("Generator", lambda tf: tf.random.Generator.from_non_deterministic_state().uniform([0]), "empty"),
]

SOBOL = {
    "few": (given(3), given(5), given(0)),
    "skip": (given(7), given(6), given(1234)),
    "wide": (given(2500), given(3), given(99_999)),
    "last": (given(21200), given(1), given(77)),
    "one": (given(1), given(9), given(0)),
    "no_dim": (given(0), given(1), given(0)),
    "too_wide": (given(21201), given(1), given(0)),
    "no_results": (given(2), given(0), given(0)),
    "negative": (given(2), given(1), given(-1)),
    "too_far": (given(2), given(2), given(2**31 - 3)),
    "vector": (given([2]), given(1), given(0)),
}
CASES += variants(
    "SobolSample",
    {
        dtype: lambda tf, dim, count, skip, d=dtype: tf.math.sobol_sample(dim, count, skip, dtype=d)
        for dtype in ("float32", "float64", "float16")
    },
    SOBOL,
    NONE,
)

INFINITE = float("inf")


def bound(value: float) -> object:
    return given(value, "float32")


BOUNDS = {
    "room": (bound(-2), bound(2)),
    "one_side": (bound(-1.75), bound(0)),
    "narrow": (bound(-1.25), bound(1.25)),
    "near": (bound(0.5), bound(0.75)),
    "tail": (bound(1.5), bound(4)),
    "left_tail": (bound(-7.5), bound(-2.5)),
    "far": (bound(12), bound(INFINITE)),
    "from_below": (bound(-INFINITE), bound(0.5)),
    "to_infinity": (bound(-0.25), bound(INFINITE)),
    "turned": (bound(1), bound(-1)),
    "equal": (bound(1), bound(1)),
    "both_infinite": (bound(-INFINITE), bound(INFINITE)),
    "nan": (bound(float("nan")), bound(1)),
    "beyond_the_dtype": (bound(INFINITE), bound(INFINITE)),
}
for dtype in ("float16", "float32", "float64", "bfloat16", "int32"):
    CASES += variants(
        "StatelessParameterizedTruncatedNormal",
        {
            f"{dtype}_{name}": lambda tf, low, high, shape=shape, parts=parts, d=dtype: (
                tf.random.stateless_parameterized_truncated_normal(
                    shape, [3, 4], *(tf.constant(part, d) for part in parts), tf.cast(low, d), tf.cast(high, d)
                )
            )
            for name, shape, parts in (
                ("many", [150], (0.0, 1.0)),
                ("scaled", [5], (0.5, 2.0)),
                ("rows", [3, 2, 3], ([[-1.0], [1.0]], [1.0, 2.0, 0.5])),
                ("one", [], (0.0, 1.0)),
                ("empty", [0, 2], ([1.0, 2.0], -1.0)),
                ("no_end", [3], ([0.0, 1.0], 1.0)),
                ("negative", [3], (0.0, -1.0)),
                ("wide", [2], (0.0, INFINITE)),
            )
            if dtype != "int32" or INFINITE not in parts
        },
        BOUNDS if dtype != "int32" else {"room": BOUNDS["room"]},
        NONE,
        rtol=NORMALS,
    )
