"""Products of matrices and the basics of tf.linalg."""

from tests.oracle.ops.table import COMPLEX, FLOATS, NUMBERS, Case, given, like, op, variants, x, y

# Products are sums of products, their order is the library's own.
PRODUCTS = {"float16": 1e-2, "bfloat16": 8e-2, "float32": 1e-4}
MATMUL = {
    "square": (x(2, 2), y(2, 2)),
    "tall": (x(3, 1), y(1, 2)),
    "flat": (x(1, 4), y(4, 1)),
    "empty": (x(0, 2), y(2, 3)),
    "empty_inner": (x(2, 0), y(0, 3)),
    "wrong": (x(2, 3), y(2, 3)),
    "vector": (x(2), y(2, 2)),
}
BATCHES = {
    "batch": (x(2, 2, 3), y(2, 3, 1)),
    "broadcast": (x(2, 1, 1, 2), y(3, 2, 2)),
    "one_side": (x(2, 2), y(3, 2, 1)),
    "empty": (x(0, 2, 2), y(0, 2, 2)),
}
INVERTIBLE = like([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]])
PAIR = like([[[2.0, 1.0], [1.0, 3.0]], [[5.0, 0.5], [0.5, 1.0]]])
MATRICES = {
    "matrix": (INVERTIBLE,),
    "batch": (PAIR,),
    "one": (like([[4.0]]),),
    "empty": (x(0, 0),),
    "not_square": (x(2, 3),),
}
SOLVABLE = {
    "matrix": (INVERTIBLE, y(3, 2)),
    "batch": (PAIR, y(2, 2, 1)),
    "empty": (x(0, 0), x(0, 2)),
    "wrong": (INVERTIBLE, y(2, 2)),
}
WIDE = ("float32", "float64", *COMPLEX)
REAL_WIDE = ("float32", "float64")
SOLVING = {"float32": 5e-4, "float64": 1e-9, "complex64": 5e-4, "complex128": 1e-9}
ANY_MATRIX = {
    "matrix": (x(2, 3),),
    "square": (x(3, 3),),
    "batch": (x(2, 2, 2),),
    "empty": (x(0, 2),),
    "one": (x(1, 1),),
}
MOVED = ("float32", "float64", "int32", "int64", "complex64", "bool")


def recomposed(tf: object, values: object, vectors: object) -> object:
    """The matrix again, since the signs of eigenvectors are free."""
    return vectors @ tf.linalg.diag(values) @ tf.linalg.adjoint(vectors)


CASES: list[Case] = [
    *variants(
        "MatMul",
        {
            "plain": lambda tf, a, b: tf.linalg.matmul(a, b),
            "@": lambda tf, a, b: a @ b,
            "left": lambda tf, a, b: tf.linalg.matmul(tf.transpose(a), b, transpose_a=True),
            "right": lambda tf, a, b: tf.linalg.matmul(a, tf.transpose(b), transpose_b=True),
        },
        MATMUL,
        NUMBERS,
        gradient=True,
        rtol=PRODUCTS,
    ),
    *variants(
        "BatchMatMulV2",
        {
            "plain": lambda tf, a, b: tf.linalg.matmul(a, b),
            "adjoint": lambda tf, a, b: tf.linalg.matmul(a, tf.linalg.adjoint(b), adjoint_b=True),
        },
        BATCHES,
        NUMBERS,
        gradient=True,
        rtol=PRODUCTS,
    ),
    op(
        "matvec",
        lambda tf, a, b: tf.linalg.matvec(a, b),
        {"one": (x(2, 3), y(3)), "batch": (x(2, 2, 2), y(2, 2))},
        FLOATS,
        gradient=True,
        rtol=PRODUCTS,
    ),
    *[
        op(
            "Einsum",
            lambda tf, *t, e=equation: tf.einsum(e, *t),
            {"terms": inputs},
            ("float32", "float64", "int32", "complex64", "bfloat16"),
            equation,
            gradient=True,
            rtol=PRODUCTS,
        )
        for equation, inputs in {
            "ij,jk->ik": (x(2, 3), y(3, 2)),
            "ij->ji": (x(2, 3),),
            "ii->i": (x(3, 3),),
            "ii": (x(3, 3),),
            "ij->": (x(2, 3),),
            "i,j->ij": (x(2), y(3)),
            "bij,bjk->bik": (x(2, 2, 3), y(2, 3, 1)),
            "...ij,jk->...ik": (x(2, 1, 2, 2), y(2, 2)),
            "ij,ij->j": (x(2, 3), y(2, 3)),
            "ij,jk,k->i": (x(2, 2), y(2, 3), x(3)),
            "abc,cd->abd": (x(2, 1, 3), y(3, 2)),
            "bhqd,bhkd->bhqk": (x(1, 2, 2, 3), y(1, 2, 2, 3)),
        }.items()
    ],
    *variants(
        "tensordot",
        {
            "one": lambda tf, a, b: tf.tensordot(a, b, axes=1),
            "outer": lambda tf, a, b: tf.tensordot(a, b, axes=0),
            "lists": lambda tf, a, b: tf.tensordot(a, b, axes=[[1], [0]]),
        },
        {"matrices": (x(2, 3), y(3, 2)), "cube": (x(2, 3), y(3, 1, 2))},
        ("float32", "float64", "int32"),
        gradient=True,
        rtol=PRODUCTS,
    ),
    op("MatrixDeterminant", lambda tf, a: tf.linalg.det(a), MATRICES, WIDE, rtol=SOLVING),
    op(
        "MatrixDeterminant",
        lambda tf, a: tf.linalg.det(a),
        {"matrix": (INVERTIBLE,), "batch": (PAIR,)},
        REAL_WIDE,
        "gradient",
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "slogdet",
        lambda tf, a: tuple(tf.linalg.slogdet(a)),
        {"matrix": (INVERTIBLE,), "batch": (PAIR,)},
        REAL_WIDE,
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "logdet",
        lambda tf, a: tf.linalg.logdet(a),
        {"matrix": (INVERTIBLE,), "batch": (PAIR,)},
        REAL_WIDE,
        gradient=True,
        rtol=SOLVING,
    ),
    op("MatrixInverse", lambda tf, a: tf.linalg.inv(a), MATRICES, WIDE, gradient=True, rtol=SOLVING),
    op("MatrixInverse", lambda tf, a: tf.linalg.inv(a), {"zero": (like([[0.0, 0.0], [0.0, 0.0]]),)}, WIDE, "singular"),
    *variants(
        "MatrixSolve",
        {
            "plain": lambda tf, a, b: tf.linalg.solve(a, b),
            "adjoint": lambda tf, a, b: tf.linalg.solve(a, b, adjoint=True),
        },
        SOLVABLE,
        WIDE,
        gradient=True,
        rtol=SOLVING,
    ),
    *variants(
        "MatrixTriangularSolve",
        {
            "lower": lambda tf, a, b: tf.linalg.triangular_solve(a, b),
            "upper": lambda tf, a, b: tf.linalg.triangular_solve(a, b, lower=False),
        },
        SOLVABLE,
        WIDE,
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "lstsq",
        lambda tf, a, b: tf.linalg.lstsq(a, b),
        {"tall": (like([[1.0, 2.0], [3.0, -1.0], [0.5, 1.0]]), y(3, 1))},
        REAL_WIDE,
        rtol=SOLVING,
    ),
    op("Cholesky", lambda tf, a: tf.linalg.cholesky(a), MATRICES, WIDE, gradient=True, rtol=SOLVING),
    op(
        "cholesky_solve",
        lambda tf, a, b: tf.linalg.cholesky_solve(tf.linalg.cholesky(a), b),
        {"matrix": (INVERTIBLE, y(3, 1))},
        REAL_WIDE,
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "Qr",
        lambda tf, a: (tf.linalg.qr(a)[0] @ tf.linalg.qr(a)[1], tf.abs(tf.linalg.qr(a)[1])),
        {"matrix": (INVERTIBLE,), "tall": (like([[1.0, 2.0], [3.0, -1.0], [0.5, 1.0]]),)},
        REAL_WIDE,
        rtol=SOLVING,
    ),
    op(
        "Svd",
        lambda tf, a: tf.linalg.svd(a, compute_uv=False),
        {"matrix": (INVERTIBLE,), "flat": (x(2, 3),), "batch": (PAIR,)},
        WIDE,
        rtol=SOLVING,
    ),
    op(
        "Svd",
        lambda tf, a: tf.linalg.svd(a, compute_uv=False),
        {"matrix": (INVERTIBLE,)},
        REAL_WIDE,
        "gradient",
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "SelfAdjointEigV2",
        lambda tf, a: tf.linalg.eigvalsh(a),
        {"matrix": (INVERTIBLE,), "batch": (PAIR,)},
        WIDE,
        rtol=SOLVING,
    ),
    op(
        "SelfAdjointEigV2",
        lambda tf, a: recomposed(tf, *tf.linalg.eigh(a)),
        {"matrix": (INVERTIBLE,), "batch": (PAIR,)},
        WIDE,
        "vectors",
        rtol=SOLVING,
    ),
    op("pinv", lambda tf, a: tf.linalg.pinv(a), {"matrix": (INVERTIBLE,), "flat": (x(2, 3),)}, REAL_WIDE, rtol=SOLVING),
    op(
        "expm", lambda tf, a: tf.linalg.expm(a), {"matrix": (like([[0.0, 1.0], [-1.0, 0.5]]),)}, REAL_WIDE, rtol=SOLVING
    ),
    op(
        "cross",
        lambda tf, a, b: tf.linalg.cross(a, b),
        {"one": (x(3), y(3)), "rows": (x(2, 3), y(2, 3)), "wrong": (x(2), y(2))},
        ("float32", "float64", "int32"),
        gradient=True,
    ),
    op(
        "trace",
        lambda tf, a: tf.linalg.trace(a),
        ANY_MATRIX,
        ("float32", "float64", "int32", "complex64"),
        gradient=True,
    ),
    op("matrix_transpose", lambda tf, a: tf.linalg.matrix_transpose(a), ANY_MATRIX, MOVED, gradient=True),
    op("adjoint", lambda tf, a: tf.linalg.adjoint(a), ANY_MATRIX, MOVED, gradient=True),
    *variants(
        "norm",
        {
            "euclidean": lambda tf, a: tf.norm(a),
            "1": lambda tf, a: tf.norm(a, ord=1),
            "inf": lambda tf, a: tf.norm(a, ord=float("inf"), axis=-1),
            "axis": lambda tf, a: tf.norm(a, axis=0, keepdims=True),
            "frobenius": lambda tf, a: tf.linalg.norm(a, ord="fro", axis=(-2, -1)),
            "3": lambda tf, a: tf.norm(a, ord=3, axis=-1),
        },
        {"vector": (y(3),), "matrix": (y(2, 3),), "empty": (x(0, 2),)},
        ("float32", "float64", "complex64"),
        gradient=True,
    ),
    *variants(
        "MatrixDiagV3",
        {
            "main": lambda tf, a: tf.linalg.diag(a),
            "above": lambda tf, a: tf.linalg.diag(a, k=1),
            "sized": lambda tf, a: tf.linalg.diag(a, num_rows=4, num_cols=5),
        },
        {"vector": (x(3),), "batch": (x(2, 2),), "empty": (x(0),)},
        MOVED,
        gradient=True,
    ),
    *variants(
        "MatrixDiagPartV3",
        {
            "main": lambda tf, a: tf.linalg.diag_part(a),
            "above": lambda tf, a: tf.linalg.diag_part(a, k=1),
            "band": lambda tf, a: tf.linalg.diag_part(a, k=(-1, 0)),
        },
        {"matrix": (x(2, 3),), "square": (x(3, 3),), "batch": (x(2, 2, 2),)},
        MOVED,
        gradient=True,
    ),
    op(
        "MatrixSetDiagV3",
        lambda tf, a, d: tf.linalg.set_diag(a, d),
        {"square": (x(3, 3), y(3)), "flat": (x(2, 3), y(2)), "batch": (x(2, 2, 2), y(2, 2))},
        MOVED,
        gradient=True,
    ),
    op(
        "tensor_diag",
        lambda tf, a: tf.linalg.tensor_diag(a),
        {"vector": (x(3),), "matrix": (x(2, 2),)},
        ("float32", "float64", "int32"),
        gradient=True,
    ),
    op(
        "tensor_diag_part",
        lambda tf, a: tf.linalg.tensor_diag_part(a),
        {"square": (x(3, 3),)},
        ("float32", "float64", "int32"),
        gradient=True,
    ),
    *variants(
        "MatrixBandPart",
        {
            "upper": lambda tf, a: tf.linalg.band_part(a, 0, -1),
            "lower": lambda tf, a: tf.linalg.band_part(a, -1, 0),
            "band": lambda tf, a: tf.linalg.band_part(a, 1, 1),
        },
        {"square": (x(3, 3),), "flat": (x(2, 4),), "batch": (x(2, 2, 2),), "empty": (x(0, 2),)},
        MOVED,
        gradient=True,
    ),
    op(
        "global_norm",
        lambda tf, a, b: tf.linalg.global_norm([a, b]),
        {"two": (x(2, 2), y(3))},
        REAL_WIDE,
        gradient=True,
    ),
    op(
        "l2_normalize",
        lambda tf, a: tf.math.l2_normalize(a, axis=-1),
        {"matrix": (y(2, 3),), "vector": (y(4),)},
        REAL_WIDE,
        gradient=True,
    ),
    op("normalize", lambda tf, a: tf.linalg.normalize(a, axis=1), {"matrix": (y(2, 3),)}, REAL_WIDE, gradient=True),
    op(
        "matmul_output_type",
        lambda tf, a, b: tf.linalg.matmul(a, b, output_type=tf.int32),
        {"bytes": (given([[100, 100]], "int8"), given([[100], [100]], "int8"))},
        ("none",),
    ),
]
