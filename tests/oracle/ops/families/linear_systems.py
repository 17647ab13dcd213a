"""Systems of factored, tridiagonal and banded matrices."""

import itertools

from tests.oracle.ops.table import COMPLEX, Case, Input, given, like, op, positive, variants, x, y

WIDE = ("float32", "float64", *COMPLEX)
REAL_WIDE = ("float32", "float64")
SOLVING = {"float32": 5e-4, "float64": 1e-9, "complex64": 5e-4, "complex128": 1e-9}

FACTORS = like([[4.0, 1.0, 0.5], [0.25, 2.75, -1.125], [0.125, -0.5, 1.5]])
PAIR = like([[[2.0, 1.0], [0.5, 3.0]], [[5.0, 0.5], [0.25, 1.0]]])
ORDER, ORDERS = given([1, 2, 0]), given([[1, 0], [0, 1]])
LU = {
    "matrix": (FACTORS, ORDER),
    "long": (FACTORS, given([2, 0, 1], "int64")),
    "batch": (PAIR, ORDERS),
    "empty": (x(0, 0), given([])),
    "rank": (PAIR, given([1, 0])),
    "not_square": (x(2, 3), given([1, 0])),
    "vector": (x(2), given([1, 0])),
    "short": (FACTORS, given([1, 0])),
}

# Rows of the compact form: above, on and below the diagonal. The corners that stick out are not used.
DIAGONALS = like([[1.0, 2.0, 9.0], [4.0, -5.0, 6.0], [9.0, 1.0, 2.0]])
PIVOTS = like([[1.0, 1.0, 0.0, 7.0], [0.0, 1.0, 0.5, 2.0], [7.0, 3.0, 2.0, -1.0]])
TWO = like([[[1.0, 9.0], [4.0, 5.0], [9.0, 1.0]], [[2.0, 9.0], [3.0, -2.0], [9.0, 0.5]]])
TRIDIAGONAL = {
    "matrix": (DIAGONALS, y(3, 2)),
    "batch": (TWO, y(2, 2, 2)),
    "one": (like([[0.0], [2.0], [0.0]]), y(1, 2)),
    "empty": (x(3, 0), x(0, 2)),
    "wrong": (DIAGONALS, y(2, 2)),
    "special_ranks": (TWO, y(2, 2)),
}
SQUARES = {
    "matrix": (like([[4.0, 1.0, 7.0], [1.0, 5.0, 2.0], [7.0, 2.0, 6.0]]), y(3, 2)),
    "batch": (like([[[4.0, 1.0], [1.0, 5.0]], [[2.0, -1.0], [3.0, 1.0]]]), y(2, 2, 2)),
    "not_square": (x(2, 3), y(3, 2)),
}
LOWER = like([[2.0, 3.0, 4.0], [9.0, 1.0, 2.0]])
BANDS = {
    "two": (LOWER, y(3, 2)),
    "special_one": (like([[2.0, -3.0, 4.0]]), y(3, 1)),
    "three": (positive(3, 3), y(3, 2)),
    "batch": (positive(2, 2, 3), y(2, 3, 1)),
    "broadcast": (positive(2, 2, 3), y(3, 1)),
    "broadcast_right": (LOWER, y(2, 3, 1)),
    "singular_zero": (like([[0.0, 0.0], [0.0, 0.0]]), y(2, 1)),
    "empty": (x(2, 0), x(0, 2)),
    "wrong": (LOWER, y(2, 2)),
    "vector": (LOWER, y(3)),
}
ALPHA, BETA = like([1.0, 2.0, 3.0, 4.0]), like([0.5, 1.0, -1.0])


def sequence(*shapes: int) -> tuple[Input, ...]:
    """Three diagonals and a right side of four rows."""
    upper, lower = shapes
    return (y(upper), like([6.0, -7.0, 8.0, 9.0]), x(lower), y(4, 2))


def recomposed(tf: object, values: object, vectors: object) -> object:
    """The matrix again, since the signs of eigenvectors are free."""
    return vectors @ tf.linalg.diag(tf.cast(values, vectors.dtype)) @ tf.linalg.adjoint(vectors)


CASES: list[Case] = [
    op(
        "lu_reconstruct",
        lambda tf, a, p: tf.linalg.lu_reconstruct(a, p),
        {**LU, "twice_zero": (FACTORS, given([0, 0, 1])), "beyond_zero": (FACTORS, given([0, 5, 1]))},
        WIDE,
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "lu_reconstruct",
        lambda tf, a, p: tf.linalg.lu_reconstruct(a, p, validate_args=True),
        {"matrix": (FACTORS, ORDER), "not_square": (x(2, 3), given([1, 0]))},
        REAL_WIDE,
        "validated",
        rtol=SOLVING,
    ),
    op("lu_matrix_inverse", lambda tf, a, p: tf.linalg.lu_matrix_inverse(a, p), LU, WIDE, gradient=True, rtol=SOLVING),
    op(
        "lu_solve",
        lambda tf, a, p, b: tf.linalg.lu_solve(a, p, b),
        {
            "matrix": (FACTORS, ORDER, y(3, 2)),
            "batch": (PAIR, ORDERS, y(2, 2, 1)),
            "broadcast": (PAIR, ORDERS, y(2, 1)),
            "broadcast_right": (FACTORS, ORDER, y(2, 3, 1)),
            "rank": (FACTORS, ORDERS, y(3, 1)),
            "wrong": (FACTORS, ORDER, y(2, 2)),
            "vector": (FACTORS, ORDER, y(3)),
            "empty": (x(0, 0), given([]), x(0, 2)),
        },
        WIDE,
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "TridiagonalMatMul",
        lambda tf, d, b: tf.linalg.tridiagonal_matmul(d, b),
        TRIDIAGONAL,
        (*WIDE, "float16", "int32"),
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "TridiagonalMatMul",
        lambda tf, d, b: tf.linalg.tridiagonal_matmul(d, b, diagonals_format="matrix"),
        SQUARES,
        WIDE,
        "matrix",
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "TridiagonalMatMul",
        lambda tf, a, b, c, r: tf.linalg.tridiagonal_matmul((a, b, c), r, diagonals_format="sequence"),
        {"long": sequence(4, 4), "short": sequence(3, 3)},
        WIDE,
        "sequence",
        gradient=True,
        rtol=SOLVING,
    ),
    *variants(
        "TridiagonalSolve",
        {
            "plain": lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b),
            "no_pivots": lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b, partial_pivoting=False),
            "perturbed": lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b, perturb_singular=True),
            "conjugate": lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b, conjugate_rhs=True),
            "transposed": lambda tf, d, b: tf.linalg.tridiagonal_solve(
                d, tf.linalg.matrix_transpose(b), transpose_rhs=True
            ),
            "adjoint": lambda tf, d, b: tf.linalg.tridiagonal_solve(
                d, tf.linalg.adjoint(b), transpose_rhs=True, conjugate_rhs=True
            ),
        },
        TRIDIAGONAL,
        WIDE,
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "TridiagonalSolve",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b),
        {
            "exchanged": (PIVOTS, y(4, 2)),
            "vector": (DIAGONALS, y(3)),
            "special_vectors": (TWO, y(2, 2)),
            "zero": (like([[0.0] * 3] * 3), y(3, 2)),
            "zero_end": (like([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), y(2, 1)),
            "rank_zero": (x(3), y(3)),
            "two_zero": (x(2, 3), y(3, 1)),
        },
        (*WIDE, "float16", "int32"),
        "special",
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "TridiagonalSolve",
        lambda tf, d, b: tf.linalg.tridiagonal_solve(d, b, "matrix"),
        SQUARES,
        WIDE,
        "matrix",
        gradient=True,
        rtol=SOLVING,
    ),
    op(
        "TridiagonalSolve",
        lambda tf, a, b, c, r: tf.linalg.tridiagonal_solve((a, b, c), r, "sequence"),
        {f"{a}_and_{b}": sequence(a, b) for a, b in itertools.product((3, 4), repeat=2)} | {"wrong": sequence(2, 3)},
        WIDE,
        "sequence",
        gradient=True,
        rtol=SOLVING,
    ),
    *variants(
        "BandedTriangularSolve",
        {
            f"{'lower' if lower else 'upper'}{'_adjoint' if adjoint else ''}": (
                lambda tf, a, b, lower=lower, adjoint=adjoint: tf.linalg.banded_triangular_solve(
                    a if lower else tf.reverse(a, [-2]), b, lower=lower, adjoint=adjoint
                )
            )
            for lower, adjoint in itertools.product((True, False), repeat=2)
        },
        BANDS,
        WIDE,
        gradient=True,
        rtol=SOLVING,
    ),
    *variants(
        "eigh_tridiagonal",
        {
            "all": lambda tf, a, b: tf.linalg.eigh_tridiagonal(a, b),
            "indices": lambda tf, a, b: tf.linalg.eigh_tridiagonal(a, b, select="i", select_range=(1, 2)),
            "no_indices": lambda tf, a, b: tf.linalg.eigh_tridiagonal(a, b, select="i", select_range=(2, 1)),
            "values": lambda tf, a, b: tf.linalg.eigh_tridiagonal(a, b, select="v", select_range=(1.0, 3.5)),
            "vectors": lambda tf, a, b: recomposed(tf, *tf.linalg.eigh_tridiagonal(a, b, eigvals_only=False)),
            "some_vectors": lambda tf, a, b: recomposed(
                tf, *tf.linalg.eigh_tridiagonal(a, b, eigvals_only=False, select="i", select_range=(1, 2))
            ),
        },
        {"four": (ALPHA, BETA)},
        WIDE,
        rtol=SOLVING | {"complex64": 2e-3},
    ),
    op(
        "eigh_tridiagonal",
        lambda tf, a, b: tf.linalg.eigh_tridiagonal(a, b, eigvals_only=False),
        {"one": (like([3.0]), x(0)), "empty": (x(0), x(0))},
        REAL_WIDE,
        "one",
    ),
    op("eig", lambda tf, a: tf.eig(a)[0], {"one": (like([[3.0]]),)}, WIDE),
    op("eigvals", lambda tf, a: tf.eigvals(a), {"one": (like([[3.0]]),)}, WIDE),
    op(
        "MatrixSquareRoot",
        lambda tf, a: tf.matrix_square_root(a),
        {"two": (like([[4.0, 1.0], [1.0, 3.0]]),)},
        WIDE,
        rtol=SOLVING,
    ),
]
