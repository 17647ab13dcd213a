"""Ops that make tensors from a few numbers."""

from tests.oracle.ops.table import ANY, FLOATS, NONE, NUMBERS, REAL, Case, given, like, op, variants, x

RANGED = ("float32", "float64", "float16", "bfloat16", "int32", "int64", "int8", "uint8")

CASES: list[Case] = [
    op(
        "Fill",
        lambda tf, shape, value: tf.fill(shape, value),
        {
            "matrix": (given([2, 2]), x()),
            "scalar": (given([]), x()),
            "empty": (given([0, 2]), x()),
            "wide": (given([1], "int64"), x()),
            "negative": (given([-1]), x()),
            "not_scalar": (given([2]), x(1)),
        },
        ANY,
        gradient=True,
    ),
    *variants(
        "zeros",
        {
            "zeros": lambda tf, a: tf.zeros([2, 1], a.dtype),
            "ones": lambda tf, a: tf.ones((2,), dtype=a.dtype),
            "no_shape": lambda tf, a: tf.zeros([], a.dtype),
            "ones_like": lambda tf, a: tf.ones_like(a, dtype=tf.int16),
        },
        {"dtype": (x(1),)},
        ANY,
    ),
    op(
        "Range",
        lambda tf, start, limit, delta: tf.range(start, limit, delta),
        {
            "up": (like(0), like(5), like(2)),
            "one": (like(3), like(4), like(1)),
            "empty": (like(4), like(4), like(1)),
            "backwards": (like(5), like(2), like(1)),
            "zero": (like(0), like(2), like(0)),
        },
        RANGED,
    ),
    op(
        "Range",
        lambda tf, start, limit, delta: tf.range(start, limit, delta),
        {"down": (like(5), like(0), like(-2))},
        ("float32", "int32", "int64", "int8"),
        "down",
    ),
    op("Range", lambda tf, n: tf.range(n), {"some": (like(3),), "none": (like(0),)}, RANGED, "one argument"),
    op("Range", lambda tf, a: tf.range(0.0, 1.0, 0.1, dtype=a.dtype), {"tenths": (x(),)}, FLOATS, "tenths"),
    *variants(
        "LinSpace",
        {
            "five": lambda tf, a, b: tf.linspace(a, b, 5),
            "one": lambda tf, a, b: tf.linspace(a, b, 1),
            "axis": lambda tf, a, b: tf.linspace(a, b, num=3, axis=-1),
        },
        {"scalars": (like(1), like(2)), "vectors": (like([0, 1]), like([10, 5]))},
        ("float32", "float64", "bfloat16", "int32"),
    ),
    *variants(
        "eye",
        {
            "square": lambda tf, a: tf.eye(3, dtype=a.dtype),
            "flat": lambda tf, a: tf.eye(2, 4, dtype=a.dtype),
            "batch": lambda tf, a: tf.eye(2, batch_shape=[2], dtype=a.dtype),
        },
        {"dtype": (x(1),)},
        (*NUMBERS, "bool"),
    ),
    op(
        "OneHot",
        lambda tf, i: tf.one_hot(i, 3),
        {
            "vector": (given([0, 2, 1]),),
            "outside": (given([-1, 3, 1]),),
            "scalar": (given(1),),
            "matrix": (given([[0], [2]], "int64"),),
            "bytes": (given([1, 2], "uint8"),),
            "empty": (given([]),),
        },
        NONE,
    ),
    op(
        "OneHot",
        lambda tf, on, off: tf.one_hot([0, 2], 3, on_value=on, off_value=off, axis=0),
        {"values": (like(1), like(0))},
        (*REAL, "bool", "complex64"),
        "values",
    ),
    op(
        "OneHot",
        lambda tf, a: tf.one_hot([[1], [0]], 2, axis=1, dtype=a.dtype),
        {"dtype": (x(1),)},
        (*NUMBERS, "bool"),
        "dtype",
    ),
    op("constant", lambda tf, a: tf.constant(3, a.dtype, shape=[2, 2]), {"dtype": (x(1),)}, (*NUMBERS,)),
    op("convert_to_tensor", lambda tf, a: tf.convert_to_tensor([a, a]), {"scalars": (x(),), "vectors": (x(2),)}, ANY),
    op(
        "tril",
        lambda tf, n: tf.linalg.band_part(tf.ones([n, n]), -1, 0),
        {"three": (given(3),), "none": (given(0),)},
        NONE,
    ),
]
