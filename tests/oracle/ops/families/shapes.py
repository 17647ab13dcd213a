"""Ops that move values about or tell their shape."""

from tests.oracle.ops.table import ANY, FLOATS, MOVED, NUMBERS, Case, each, given, op, unary, variants, x, y

ORDINARY = {name: inputs for name, inputs in unary().items() if name != "special"}
CUBES = {"vector": (x(4),), "matrix": (x(2, 3),), "cube": (x(2, 1, 3),), "empty": (x(0, 2),)}
PAIRS = {"vectors": (x(3), y(2)), "empty": (x(0), y(2)), "scalars": (x(), y())}
MATRICES = {"matrices": (x(2, 3), y(2, 3)), "empty": (x(0, 3), y(0, 3))}

CASES: list[Case] = [
    *variants(
        "Reshape",
        {
            "flat": lambda tf, a: tf.reshape(a, [-1]),
            "column": lambda tf, a: tf.reshape(a, (-1, 1)),
            "cube": lambda tf, a: tf.reshape(a, [1, -1, 2]),
            "wrong": lambda tf, a: tf.reshape(a, [5, 7]),
            "shape": lambda tf, a: tf.reshape(a, tf.shape(a)[::-1]),
        },
        CUBES,
        MOVED,
        gradient=True,
    ),
    *variants(
        "ExpandDims",
        {
            "first": lambda tf, a: tf.expand_dims(a, 0),
            "last": lambda tf, a: tf.expand_dims(a, -1),
            "second": lambda tf, a: tf.expand_dims(a, axis=1),
            "far": lambda tf, a: tf.expand_dims(a, 3),
        },
        CUBES | {"scalar": (x(),)},
        MOVED,
        gradient=True,
    ),
    *variants(
        "Squeeze",
        {
            "all": lambda tf, a: tf.squeeze(a),
            "first": lambda tf, a: tf.squeeze(a, axis=0),
            "two": lambda tf, a: tf.squeeze(a, axis=[0, -1]),
        },
        {"thin": (x(1, 3, 1),), "matrix": (x(2, 3),), "row": (x(1, 3),), "one": (x(1, 1),), "scalar": (x(),)},
        MOVED,
        gradient=True,
    ),
    *variants(
        "Transpose",
        {
            "plain": lambda tf, a: tf.transpose(a),
            "cube": lambda tf, a: tf.transpose(a, [2, 0, 1]),
            "swap": lambda tf, a: tf.transpose(a, perm=[1, 0]),
            "wrong": lambda tf, a: tf.transpose(a, [0, 0]),
            "conjugate": lambda tf, a: tf.transpose(a, conjugate=True),
        },
        CUBES | {"scalar": (x(),)},
        MOVED,
        gradient=True,
    ),
    *variants(
        "ConcatV2",
        {
            "first": lambda tf, a, b: tf.concat([a, b], 0),
            "last": lambda tf, a, b: tf.concat([a, b, a], axis=-1),
            "far": lambda tf, a, b: tf.concat([a, b], 2),
        },
        PAIRS | MATRICES | {"mixed": (x(2, 2), y(2, 3)), "ranks": (x(2), y(2, 3))},
        MOVED,
        gradient=True,
    ),
    op(
        "ConcatV2",
        lambda tf, a: tf.concat([a], 0),
        {"vector": (x(3),), "matrix": (x(2, 2),)},
        MOVED,
        "one",
        gradient=True,
    ),
    *variants(
        "Pack",
        {
            "first": lambda tf, a, b: tf.stack([a, b]),
            "last": lambda tf, a, b: tf.stack([a, b, a], axis=-1),
            "second": lambda tf, a, b: tf.stack([a, b], axis=1),
        },
        {"scalars": (x(), y()), "vectors": (x(3), y(3)), "wrong": (x(2), y(3))} | MATRICES,
        MOVED,
        gradient=True,
    ),
    *variants(
        "Unpack",
        {
            "first": lambda tf, a: tf.unstack(a),
            "last": lambda tf, a: tf.unstack(a, axis=-1),
            "wrong": lambda tf, a: tf.unstack(a, num=7),
        },
        {"vector": (x(3),), "matrix": (x(2, 3),), "scalar": (x(),)},
        MOVED,
        gradient=True,
    ),
    *variants(
        "Split",
        {
            "halves": lambda tf, a: tf.split(a, 2),
            "columns": lambda tf, a: tf.split(a, 3, axis=-1),
        },
        {"vector": (x(6),), "matrix": (x(2, 3),), "scalar": (x(),), "empty": (x(0, 3),)},
        MOVED,
        gradient=True,
    ),
    *variants(
        "SplitV",
        {
            "sizes": lambda tf, a: tf.split(a, [1, 2, 0], axis=-1),
            "rest": lambda tf, a: tf.split(a, [1, -1], axis=-1),
            "wrong": lambda tf, a: tf.split(a, [1, 1], axis=-1),
        },
        {"vector": (x(3),), "matrix": (x(2, 3),)},
        MOVED,
        gradient=True,
    ),
    op(
        "Tile",
        lambda tf, a, n: tf.tile(a, n),
        {
            "vector": (x(3), given([2])),
            "matrix": (x(2, 2), given([1, 3])),
            "zero": (x(2), given([0])),
            "scalar": (x(), given([])),
            "wrong": (x(2), given([1, 2])),
            "negative": (x(2), given([-1])),
        },
        tuple(dtype for dtype in MOVED if dtype != "uint16"),
        gradient=True,
    ),
    *variants(
        "PadV2",
        {
            "zeros": lambda tf, a, p: tf.pad(a, p),
            "value": lambda tf, a, p: tf.pad(a, p, constant_values=tf.ones([], a.dtype)),
        },
        {
            "vector": (x(3), given([[1, 2]])),
            "matrix": (x(2, 2), given([[0, 1], [2, 0]])),
            "empty": (x(0), given([[1, 1]])),
            "scalar": (x(), given([], "int32")),
            "negative": (x(3), given([[-1, 0]])),
            "wrong": (x(3), given([[1, 1], [0, 0]])),
        },
        tuple(dtype for dtype in MOVED if dtype != "string"),
        gradient=True,
    ),
    *variants(
        "MirrorPad",
        {
            "reflect": lambda tf, a, p: tf.pad(a, p, mode="REFLECT"),
            "symmetric": lambda tf, a, p: tf.pad(a, p, "SYMMETRIC"),
        },
        {
            "vector": (x(3), given([[1, 2]])),
            "matrix": (x(2, 3), given([[1, 0], [1, 1]])),
            "wrong": (x(2), given([[3, 0]])),
        },
        ("float32", "float64", "int32", "int64"),
        gradient=True,
    ),
    *variants(
        "ReverseV2",
        {
            "first": lambda tf, a: tf.reverse(a, [0]),
            "last": lambda tf, a: tf.reverse(a, axis=[-1]),
            "none": lambda tf, a: tf.reverse(a, []),
        },
        CUBES,
        MOVED,
        gradient=True,
    ),
    *variants(
        "Roll",
        {
            "one": lambda tf, a: tf.roll(a, 1, 0),
            "back": lambda tf, a: tf.roll(a, shift=-2, axis=-1),
            "both": lambda tf, a: tf.roll(a, [1, 1], [0, -1]),
        },
        {"matrix": (x(2, 3),), "vector": (x(4),), "empty": (x(0),)},
        MOVED,
        gradient=True,
    ),
    op(
        "BroadcastTo",
        lambda tf, a, shape: tf.broadcast_to(a, shape),
        {
            "scalar": (x(), given([2, 2])),
            "row": (x(3), given([2, 3])),
            "column": (x(2, 1), given([2, 3])),
            "same": (x(2), given([2])),
            "empty": (x(1), given([0, 1])),
            "wrong": (x(2), given([3])),
            "lower": (x(2, 2), given([2])),
        },
        ANY,
        gradient=True,
    ),
    *each(
        {
            "Shape": lambda tf, a: tf.shape(a),
            "Size": lambda tf, a: tf.size(a),
            "Rank": lambda tf, a: tf.rank(a),
        },
        CUBES | {"scalar": (x(),)},
        ("float32", "string", "bool", "int8"),
    ),
    *variants(
        "Shape",
        {"int64": lambda tf, a: tf.shape(a, out_type=tf.int64), "size int64": lambda tf, a: tf.size(a, tf.int64)},
        CUBES,
        ("float32",),
    ),
    op("shape_n", lambda tf, a, b: tf.shape_n([a, b]), MATRICES | PAIRS, ("float32", "int32")),
    op("Identity", lambda tf, a: tf.identity(a), unary(), ANY, gradient=True),
    op("IdentityN", lambda tf, a, b: tf.identity_n([a, b]), PAIRS, MOVED, gradient=True),
    op("StopGradient", lambda tf, a: tf.stop_gradient(a) * a, unary(), FLOATS, gradient=True),
    op("stop_gradient_alone", lambda tf, a: tf.stop_gradient(a), unary(), FLOATS, gradient=True),
    *each(
        {"ZerosLike": lambda tf, a: tf.zeros_like(a), "OnesLike": lambda tf, a: tf.ones_like(a)},
        ORDINARY,
        (*NUMBERS, "bool", "string"),
    ),
    op(
        "EnsureShape",
        lambda tf, a: tf.ensure_shape(a, [None, 3]),
        {"good": (x(2, 3),), "bad": (x(2, 2),), "rank": (x(3),)},
        MOVED,
        gradient=True,
    ),
    *variants(
        "repeat",
        {
            "all": lambda tf, a: tf.repeat(a, 2),
            "axis": lambda tf, a: tf.repeat(a, [2, 0], axis=0),
            "columns": lambda tf, a: tf.repeat(a, 2, axis=-1),
        },
        {"matrix": (x(2, 2),), "vector": (x(2),)},
        ("float32", "int32", "string"),
        gradient=True,
    ),
    *variants(
        "meshgrid",
        {"xy": lambda tf, a, b: tf.meshgrid(a, b), "ij": lambda tf, a, b: tf.meshgrid(a, b, indexing="ij")},
        {"vectors": (x(3), y(2)), "ones": (x(1), y(1))},  # TensorFlow itself crashes where one of them is empty
        ("float32", "int32"),
        gradient=True,
    ),
    op(
        "ReverseSequence",
        lambda tf, a: tf.reverse_sequence(a, [1, 3], seq_axis=1, batch_axis=0),
        {"matrix": (x(2, 3),), "wrong": (x(3, 3),)},
        ("float32", "int32", "string"),
        gradient=True,
    ),
    *variants(
        "sequence_mask",
        {
            "plain": lambda tf, a: tf.sequence_mask(a),
            "limited": lambda tf, a: tf.sequence_mask(a, maxlen=2, dtype=tf.float32),
        },
        {"vector": (given([1, 3, 0]),), "matrix": (given([[2], [1]]),)},
        ("none",),
    ),
    op(
        "InvertPermutation",
        lambda tf, a: tf.math.invert_permutation(a),
        {"good": (given([2, 0, 1]),), "bad": (given([0, 0]),), "wide": (given([1, 0], "int64"),)},
        ("none",),
    ),
    op(
        "space_to_batch",
        lambda tf, a: tf.space_to_batch(a, [2, 2], [[0, 0], [0, 0]]),
        {"image": (x(1, 2, 2, 1),)},
        ("float32", "int32"),
        gradient=True,
    ),
    op(
        "batch_to_space",
        lambda tf, a: tf.batch_to_space(a, [2, 2], [[0, 0], [0, 0]]),
        {"image": (x(4, 1, 1, 1),)},
        ("float32", "int32"),
        gradient=True,
    ),
    op(
        "broadcast_dynamic_shape",
        lambda tf, a, b: tf.broadcast_dynamic_shape(a, b),
        {"good": (given([2, 1]), given([3])), "bad": (given([2]), given([3]))},
        ("none",),
    ),
]
