"""Linear operators: what each class computes, the classes and promises that they make of each other."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.oracle.ops.table import Case, Input, given, like, op, x, y

DTYPES = ("float32", "float64", "complex64")
SOLVING = {"float32": 1e-3, "float64": 1e-9, "complex64": 1e-3}

SQUARE = like([[4.0, 1.0, 0.5], [1.5, 3.0, -1.0], [0.5, -1.0, 2.0]])
SMALL = like([[3.0, 1.0], [-0.5, 2.0]])
DEFINITE = like([[4.0, 1.0], [1.0, 3.0]])
PAIR = like([[[2.0, 1.0], [0.5, 3.0]], [[5.0, 0.5], [0.25, 1.0]]])
THREE = like([[1.0, 2.0, 9.0], [4.0, -5.0, 6.0], [9.0, 1.0, 2.0]])
Maker = Callable[..., Any]


def blocks(tf: Any, a: Any, b: Any, c: Any) -> Any:
    """Two rows of blocks."""
    full = tf.linalg.LinearOperatorFullMatrix
    return tf.linalg.LinearOperatorBlockLowerTriangular([[full(a)], [full(b), tf.linalg.LinearOperatorDiag(c)]])


def definite(tf: Any, a: Any) -> Any:
    """A matrix that keeps its promises."""
    return tf.linalg.LinearOperatorFullMatrix(a, is_self_adjoint=True, is_positive_definite=True)


# Class or what it is made of: a function of the module and the tensors that makes it, and the tensors.
SQUARES: Mapping[str, tuple[Maker, Mapping[str, tuple[Input, ...]]]] = {
    "FullMatrix": (
        lambda tf, a: tf.linalg.LinearOperatorFullMatrix(a),
        {"matrix": (SQUARE, y(3, 2)), "batch": (PAIR, y(2, 2, 1))},
    ),
    "Definite": (definite, {"matrix": (DEFINITE, y(2, 2))}),
    "LowerTriangular": (
        lambda tf, a: tf.linalg.LinearOperatorLowerTriangular(a),
        {"matrix": (SQUARE, y(3, 2)), "batch": (PAIR, y(2, 2, 1))},
    ),
    "Diag": (
        lambda tf, a: tf.linalg.LinearOperatorDiag(a),
        {"vector": (y(3), y(3, 2)), "batch": (y(2, 2), y(2, 2, 1))},
    ),
    "ScaledIdentity": (
        lambda tf, a: tf.linalg.LinearOperatorScaledIdentity(3, a),
        {"scalar": (y(), y(3, 2)), "batch": (y(2), y(2, 3, 1))},
    ),
    "Tridiag": (lambda tf, a: tf.linalg.LinearOperatorTridiag(a), {"compact": (THREE, y(3, 2))}),
    "Toeplitz": (
        lambda tf, a, b: tf.linalg.LinearOperatorToeplitz(a, b),
        {"vectors": (like([4.0, 1.0, 2.0]), like([4.0, 3.0, 1.0]), y(3, 2))},
    ),
    "Householder": (lambda tf, a: tf.linalg.LinearOperatorHouseholder(a), {"vector": (y(3), y(3, 2))}),
    "Kronecker": (
        lambda tf, a, b: tf.linalg.LinearOperatorKronecker(
            [tf.linalg.LinearOperatorFullMatrix(a), tf.linalg.LinearOperatorDiag(b)]
        ),
        {"two": (SMALL, y(2), y(4, 2))},
    ),
    "BlockDiag": (
        lambda tf, a, b: tf.linalg.LinearOperatorBlockDiag(
            [tf.linalg.LinearOperatorFullMatrix(a), tf.linalg.LinearOperatorDiag(b)]
        ),
        {"two": (SMALL, y(2), y(4, 2))},
    ),
    "BlockLowerTriangular": (blocks, {"two": (SMALL, x(1, 2), y(1), y(3, 2))}),
    "Composition": (
        lambda tf, a, b: tf.linalg.LinearOperatorComposition(
            [tf.linalg.LinearOperatorFullMatrix(a), tf.linalg.LinearOperatorDiag(b)]
        ),
        {"two": (SQUARE, y(3), y(3, 2))},
    ),
    "Adjoint": (
        lambda tf, a: tf.linalg.LinearOperatorAdjoint(tf.linalg.LinearOperatorFullMatrix(a)),
        {"matrix": (SQUARE, y(3, 2))},
    ),
    "Inversion": (
        lambda tf, a: tf.linalg.LinearOperatorInversion(tf.linalg.LinearOperatorFullMatrix(a)),
        {"matrix": (SQUARE, y(3, 2))},
    ),
    "LowRankUpdate": (
        lambda tf, a, u, d, v: tf.linalg.LinearOperatorLowRankUpdate(tf.linalg.LinearOperatorFullMatrix(a), u, d, v),
        {"all": (SQUARE, y(3, 2), like([2.0, 3.0]), x(3, 2), y(3, 1))},
    ),
}


def computed(make: Maker) -> Maker:
    """What can be asked of every square operator."""

    def call(tf: Any, *tensors: Any) -> Any:
        operator, right = make(tf, *tensors[:-1]), tensors[-1]
        return (
            operator.to_dense(),
            operator.matmul(right),
            operator.matmul(right, adjoint=True),
            operator.matvec(right[..., 0]),
            operator.solve(right),
            operator.solve(right, adjoint=True),
            operator.diag_part(),
            operator.trace(),
            operator.determinant(),
            operator.log_abs_determinant(),
            operator.add_to_tensor(operator.to_dense()),
        )

    return call


def sizes(make: Maker) -> Maker:
    """Shapes as tensors, and the condition number."""

    def call(tf: Any, *tensors: Any) -> Any:
        operator = make(tf, *tensors[:-1])
        return (
            operator.shape_tensor(),
            operator.batch_shape_tensor(),
            operator.domain_dimension_tensor(),
            operator.range_dimension_tensor(),
            operator.tensor_rank_tensor(),
            operator.cond(),
        )

    return call


def described(operator: Any) -> str:
    """The class, the four promises and the parts of an operator."""
    promises = (operator.is_non_singular, operator.is_self_adjoint, operator.is_positive_definite, operator.is_square)
    parts = getattr(operator, "operators", None) or [getattr(operator, "operator", None)]
    texts = [described(part) for part in parts if hasattr(part, "is_square")]
    marks = "".join({None: "?", True: "+", False: "-"}[p] for p in promises)
    return f"{type(operator).__name__.removeprefix('LinearOperator')}{marks}({','.join(texts)})"


def of_each_other(tf: Any, a: Any, b: Any) -> Any:
    """Texts: what products, quotients, inverses and adjoints of all pairs of classes are."""
    linalg = tf.linalg
    operators = [
        linalg.LinearOperatorFullMatrix(a),
        linalg.LinearOperatorFullMatrix(a, is_self_adjoint=True, is_positive_definite=True),
        linalg.LinearOperatorIdentity(3),
        linalg.LinearOperatorScaledIdentity(3, 2.0),
        linalg.LinearOperatorDiag(b),
        linalg.LinearOperatorDiag(b, is_positive_definite=True),
        linalg.LinearOperatorLowerTriangular(a),
        linalg.LinearOperatorTridiag(a, "matrix"),
        linalg.LinearOperatorToeplitz(b, b),
        linalg.LinearOperatorCirculant(tf.cast(b, tf.complex64), tf.float32),
        linalg.LinearOperatorHouseholder(b),
        linalg.LinearOperatorPermutation([1, 0, 2]),
        linalg.LinearOperatorFullMatrix(a).adjoint(),
        linalg.LinearOperatorFullMatrix(a).inverse(),
        linalg.LinearOperatorZeros(3),
    ]
    texts = []
    for first in operators:
        texts.append(described(first.adjoint()))
        if first.is_non_singular is not False:
            texts.append(described(first.inverse()))
            texts += [described(first.solve(second)) for second in operators]
        texts += [described(first @ second) for second in operators]
        if first.is_self_adjoint and first.is_positive_definite:
            texts.append(described(first.cholesky()))
    return tf.constant(texts)


def gradients(tf: Any, a: Any, b: Any, maximum: int) -> Any:
    """Steps of conjugate gradients."""
    state = tf.linalg.experimental.conjugate_gradient(definite(tf, a), b, max_iter=maximum)
    return state.i, state.x, state.r, state.p, state.gamma


CASES: list[Case] = [
    *[
        op("LinearOperator", computed(make), inputs, DTYPES, name, gradient=True, rtol=SOLVING)
        for name, (make, inputs) in SQUARES.items()
    ],
    *[
        op("LinearOperator", sizes(make), inputs, DTYPES, f"{name}.sizes", rtol=SOLVING)
        for name, (make, inputs) in SQUARES.items()
    ],
    op(
        "LinearOperator",
        computed(lambda tf, a: tf.linalg.LinearOperatorPermutation(a, dtype=tf.float32)),
        {"vector": (given([2, 0, 1]), like([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))},
        ("float32",),
        "Permutation",
    ),
    *[
        op(
            "LinearOperator",
            computed(
                lambda tf, a, kind=kind: getattr(tf.linalg, f"LinearOperator{kind}")(
                    tf.cast(a, tf.complex64), tf.float32
                )
            ),
            inputs,
            ("float32",),
            kind,
            rtol=SOLVING,
        )
        for kind, inputs in {
            "Circulant": {
                "vector": (like([6.0, 4.0, 4.0]), y(3, 2)),
                "batch": (like([[6.0, 4.0], [3.0, 1.0]]), y(2, 2, 1)),
            },
            "Circulant2D": {"matrix": (like([[6.0, 4.0], [3.0, 2.0]]), y(4, 2))},
            "Circulant3D": {"cube": (like([[[6.0, 4.0], [3.0, 2.0]]]), y(4, 2))},
        }.items()
    ],
    op(
        "LinearOperator",
        lambda tf, a: (tf.linalg.LinearOperatorIdentity(2, [3]).matmul(a), tf.linalg.LinearOperatorZeros(2).matmul(a)),
        {"matrix": (like([[1.0, 2.0], [3.0, 4.0]]),)},
        ("float32",),
        "Identity",
    ),
    op(
        "LinearOperator",
        lambda tf, a: (definite(tf, a).eigvals(), definite(tf, a).cholesky().to_dense()),
        {"matrix": (DEFINITE,)},
        DTYPES,
        "eigvals",
        rtol=SOLVING,
    ),
    op(
        "LinearOperator",
        of_each_other,
        {"matrices": (like([[4.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 2.0]]), like([1.0, 2.0, 3.0]))},
        ("float32",),
        "classes",
        traced=False,
    ),
    *[
        op(
            "conjugate_gradient",
            lambda tf, a, b, maximum=maximum: gradients(tf, a, b, maximum),
            {"vector": (DEFINITE, y(2)), "rows": (DEFINITE, y(3, 2))},
            ("float32", "float64"),
            f"{maximum} steps",
            rtol=SOLVING,
        )
        for maximum in (0, 1)
    ],
]
