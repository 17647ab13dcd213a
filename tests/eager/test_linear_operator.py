"""Linear operators: each against its dense matrix in NumPy, and what products, inverses and adjoints they make."""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf

L = tf.linalg
RNG = np.random.default_rng(3)
BAD = tf.errors.InvalidArgumentError


def numbers(*shape, dtype=np.float64):
    value = RNG.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        value = value + 1j * RNG.normal(size=shape)
    return value.astype(dtype)


def strong(n, dtype=np.float64, batch=()):
    return numbers(*batch, n, n, dtype=dtype) + 4 * np.eye(n, dtype=dtype)


def definite(n, dtype=np.float64, batch=()):
    a = numbers(*batch, n, n, dtype=dtype)
    return a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(n, dtype=dtype)


def full(*args, **hints):
    return L.LinearOperatorFullMatrix(strong(*args), **hints)


def spd(*args):
    return L.LinearOperatorFullMatrix(definite(*args), is_self_adjoint=True, is_positive_definite=True)


def tridiagonal(n, dtype):
    diagonals = numbers(3, n, dtype=dtype)
    diagonals[1] += 4
    return diagonals


def kron(*matrices):
    out = matrices[0]
    for matrix in matrices[1:]:
        out = np.kron(out, matrix)
    return out


# Each makes an operator in a dtype; its dense matrix is found by applying it to unit vectors, see `columns`.
MAKERS = {
    "full": lambda d: full(3, d),
    "full, batch": lambda d: full(3, d, (2,)),
    "definite": lambda d: spd(3, d),
    "definite, batch": lambda d: spd(2, d, (2, 1)),
    "triangular": lambda d: L.LinearOperatorLowerTriangular(strong(3, d, (2,))),
    "diagonal": lambda d: L.LinearOperatorDiag(numbers(2, 3, dtype=d) + 3),
    "identity": lambda d: L.LinearOperatorIdentity(3, dtype=d),
    "identity, batch": lambda d: L.LinearOperatorIdentity(3, batch_shape=[2], dtype=d),
    "scaled": lambda d: L.LinearOperatorScaledIdentity(3, numbers(dtype=d) + 3),
    "scaled, batch": lambda d: L.LinearOperatorScaledIdentity(3, numbers(2, dtype=d) + 3),
    "tridiagonal": lambda d: L.LinearOperatorTridiag(tridiagonal(4, d)),
    "tridiagonal, sequence": lambda d: L.LinearOperatorTridiag(list(tridiagonal(4, d)), "sequence"),
    "tridiagonal, matrix": lambda d: L.LinearOperatorTridiag(
        np.triu(np.tril(strong(4, d), 1), -1), diagonals_format="matrix"
    ),
    "toeplitz": lambda d: L.LinearOperatorToeplitz(np.array([5, 1, 2], d), np.array([5, 3, 1], d)),
    "toeplitz, batch": lambda d: L.LinearOperatorToeplitz(
        np.array([[5, 1, 2], [4, 0, 1]], d), np.array([[5, 3, 1], [4, 1, 1]], d)
    ),
    "householder": lambda d: L.LinearOperatorHouseholder(numbers(2, 3, dtype=d)),
    "permutation": lambda d: L.LinearOperatorPermutation([2, 0, 1], dtype=d),
    "permutation, batch": lambda d: L.LinearOperatorPermutation([[2, 0, 1], [0, 2, 1]], dtype=d),
    "circulant": lambda d: L.LinearOperatorCirculant(np.fft.fft([5.0, 1.0, 2.0]), input_output_dtype=d),
    "circulant, batch": lambda d: L.LinearOperatorCirculant(
        np.fft.fft([[5.0, 1.0, 2.0], [4.0, 0.0, 1.0]]), input_output_dtype=d
    ),
    "circulant of blocks": lambda d: L.LinearOperatorCirculant2D(
        np.fft.fft2([[6.0, 1.0, 0.5], [0.5, 1.0, 0.0]]), input_output_dtype=d
    ),
    "circulant of blocks of blocks": lambda d: L.LinearOperatorCirculant3D(
        np.fft.fftn(np.arange(8.0).reshape(2, 2, 2) + 40 * np.eye(8)[0].reshape(2, 2, 2)), input_output_dtype=d
    ),
    "kronecker": lambda d: L.LinearOperatorKronecker([full(2, d), L.LinearOperatorDiag(numbers(2, dtype=d) + 3)]),
    "kronecker, batch": lambda d: L.LinearOperatorKronecker([full(2, d, (2,)), full(1, d), full(3, d)]),
    "kronecker, definite": lambda d: L.LinearOperatorKronecker([spd(2, d), spd(3, d)]),
    "kronecker, triangular": lambda d: L.LinearOperatorKronecker(
        [L.LinearOperatorLowerTriangular(strong(2, d)), L.LinearOperatorScaledIdentity(2, numbers(dtype=d) + 3)]
    ),
    "blocks": lambda d: L.LinearOperatorBlockDiag([full(2, d), L.LinearOperatorDiag(numbers(2, dtype=d) + 3)]),
    "blocks, batch": lambda d: L.LinearOperatorBlockDiag([full(2, d, (2,)), full(1, d)]),
    "blocks, definite": lambda d: L.LinearOperatorBlockDiag([spd(2, d), spd(1, d)]),
    "lower blocks": lambda d: L.LinearOperatorBlockLowerTriangular(
        [
            [full(2, d)],
            [L.LinearOperatorFullMatrix(numbers(1, 2, dtype=d)), full(1, d)],
            [
                L.LinearOperatorFullMatrix(numbers(2, 2, dtype=d)),
                L.LinearOperatorFullMatrix(numbers(2, 1, dtype=d)),
                full(2, d),
            ],
        ]
    ),
    "lower blocks, batch": lambda d: L.LinearOperatorBlockLowerTriangular(
        [[full(2, d)], [L.LinearOperatorFullMatrix(numbers(2, 1, 2, dtype=d)), full(1, d)]]
    ),
    "composition": lambda d: L.LinearOperatorComposition([full(3, d), full(3, d, (2,)), full(3, d)]),
    "composition through another size": lambda d: L.LinearOperatorComposition(
        [L.LinearOperatorFullMatrix(numbers(2, 4, dtype=d)), L.LinearOperatorFullMatrix(numbers(4, 2, dtype=d))]
    ),
    "adjoint": lambda d: L.LinearOperatorAdjoint(full(3, d, (2,))),
    "adjoint of a triangular one": lambda d: L.LinearOperatorLowerTriangular(strong(3, d)).adjoint(),
    "inverse": lambda d: L.LinearOperatorInversion(full(3, d)),
    "inverse of a triangular one": lambda d: L.LinearOperatorLowerTriangular(strong(3, d)).inverse(),
    "low rank": lambda d: L.LinearOperatorLowRankUpdate(
        full(3, d), numbers(3, 2, dtype=d), numbers(2, dtype=d) + 3, numbers(3, 2, dtype=d)
    ),
    "low rank, symmetric": lambda d: L.LinearOperatorLowRankUpdate(spd(3, d), numbers(3, 1, dtype=d)),
    "low rank, batch": lambda d: L.LinearOperatorLowRankUpdate(full(3, d), numbers(2, 3, 2, dtype=d)),
}
OBLONG = {
    "full": lambda d: L.LinearOperatorFullMatrix(numbers(2, 3, dtype=d)),
    "full, batch": lambda d: L.LinearOperatorFullMatrix(numbers(2, 4, 3, dtype=d)),
    "zeros": lambda d: L.LinearOperatorZeros(2, 3, dtype=d, is_square=False, is_self_adjoint=False),
    "zeros, batch": lambda d: L.LinearOperatorZeros(3, batch_shape=[2], dtype=d),
    "kronecker": lambda d: L.LinearOperatorKronecker([L.LinearOperatorFullMatrix(numbers(2, 3, dtype=d)), full(2, d)]),
    "blocks": lambda d: L.LinearOperatorBlockDiag([L.LinearOperatorFullMatrix(numbers(2, 3, dtype=d)), full(2, d)]),
    "composition": lambda d: L.LinearOperatorComposition(
        [full(2, d), L.LinearOperatorFullMatrix(numbers(2, 3, dtype=d))]
    ),
    "adjoint": lambda d: L.LinearOperatorFullMatrix(numbers(2, 3, dtype=d)).adjoint(),
}
DTYPES = [np.float64, np.complex128]
DEFINITE = [
    name for name in MAKERS if "definite" in name or name == "low rank, symmetric" or name.startswith("identity")
]


def columns(operator):
    """The dense matrix, found by applying the operator to unit vectors one at a time."""
    n = operator.shape[-1]
    unit = np.eye(n, dtype=operator.dtype.as_numpy_dtype)
    return np.stack([operator.matvec(unit[i]).numpy() for i in range(n)], -1)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", MAKERS)
def test_everything_a_square_operator_computes(name, dtype):
    operator = MAKERS[name](dtype)
    a = columns(operator)
    n = a.shape[-1]
    x = numbers(n, 2, dtype=dtype)
    h = np.conj(np.swapaxes(a, -1, -2))
    assert operator.shape.as_list() == list(a.shape)
    assert operator.shape_tensor().numpy().tolist() == list(a.shape)
    assert operator.batch_shape_tensor().numpy().tolist() == list(a.shape[:-2])
    assert (operator.domain_dimension_tensor(), operator.range_dimension_tensor()) == (n, n)
    assert operator.tensor_rank_tensor() == operator.tensor_rank == a.ndim
    assert operator.is_square
    close(operator.to_dense().numpy(), a)
    close(operator.matmul(x).numpy(), a @ x)
    close((operator @ x).numpy(), a @ x)
    close(operator.matmul(x, adjoint=True).numpy(), h @ x)
    close(operator.matmul(np.conj(x.T), adjoint_arg=True).numpy(), a @ x)
    close(operator.matvec(x[:, 0], adjoint=True).numpy(), (h @ x)[..., 0])
    close(operator.solve(x).numpy(), np.linalg.inv(a) @ x)
    close(operator.solve(x, adjoint=True).numpy(), np.linalg.inv(h) @ x)
    close(operator.solve(np.conj(x.T), adjoint_arg=True).numpy(), np.linalg.inv(a) @ x)
    close(operator.solvevec(x[:, 1]).numpy(), (np.linalg.inv(a) @ x)[..., 1])
    close(operator.adjoint().to_dense().numpy(), h)
    close(operator.H.to_dense().numpy(), h)
    close(operator.inverse().to_dense().numpy(), np.linalg.inv(a))
    close(operator.diag_part().numpy(), np.diagonal(a, axis1=-2, axis2=-1))
    close(operator.trace().numpy(), np.trace(a, axis1=-2, axis2=-1))
    close(operator.determinant().numpy(), np.linalg.det(a))
    close(operator.log_abs_determinant().numpy(), np.log(np.abs(np.linalg.det(a))))
    close(operator.cond().numpy(), np.linalg.cond(a))
    close(operator.add_to_tensor(np.ones((n, n), dtype)).numpy(), a + 1)
    operator.assert_non_singular()
    wide = numbers(3, *([1] * (a.ndim - 2)), n, 2, dtype=dtype)  # a batch of right sides
    close(operator.matmul(wide).numpy(), a @ wide)
    close(operator.solve(wide).numpy(), np.linalg.inv(a) @ wide)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OBLONG)
def test_everything_an_oblong_operator_computes(name, dtype):
    operator = OBLONG[name](dtype)
    a = columns(operator)
    x, y = numbers(a.shape[-1], 2, dtype=dtype), numbers(a.shape[-2], 2, dtype=dtype)
    h = np.conj(np.swapaxes(a, -1, -2))
    assert operator.shape.as_list() == list(a.shape)
    assert operator.shape_tensor().numpy().tolist() == list(a.shape)
    close(operator.to_dense().numpy(), a)
    close(operator.matmul(x).numpy(), a @ x)
    close(operator.matmul(y, adjoint=True).numpy(), h @ y)
    close(operator.adjoint().to_dense().numpy(), h)
    close(operator.diag_part().numpy(), np.diagonal(a, axis1=-2, axis2=-1))
    close(operator.trace().numpy(), np.trace(a, axis1=-2, axis2=-1))
    if a.any():
        close(operator.cond().numpy(), np.linalg.cond(a))
    if a.shape[-1] != a.shape[-2]:
        for call in (lambda: operator.solve(y), lambda: operator.solvevec(y[:, 0]), operator.determinant):
            with pytest.raises(NotImplementedError, match=r"not be square|singular"):
                call()
        with pytest.raises(ValueError, match="non square"):
            operator.inverse()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", DEFINITE)
def test_definite_operators(name, dtype):
    operator = MAKERS[name](dtype)
    a = columns(operator)
    factor = operator.cholesky().to_dense().numpy()
    close(factor @ np.conj(np.swapaxes(factor, -1, -2)), a)
    close(np.sort(np.real(operator.eigvals().numpy()), -1), np.linalg.eigvalsh(a))
    operator.assert_positive_definite()
    operator.adjoint().assert_positive_definite()


@pytest.mark.parametrize("name", MAKERS)
def test_as_an_argument_of_a_function(name):
    operator = MAKERS[name](np.float64)
    traces = []

    @tf.function(autograph=False)
    def f(operator, x):
        traces.append(type(operator))
        return operator.matmul(x), operator.solve(x, adjoint=True), operator.to_dense(), operator.shape_tensor()

    x = numbers(operator.shape[-1], 2)
    a = columns(operator)
    for _ in range(2):
        product, solution, dense, sizes = f(operator, x)
        close(product.numpy(), a @ x)
        close(solution.numpy(), np.linalg.inv(np.swapaxes(a, -1, -2)) @ x)
        close(dense.numpy(), a)
        assert sizes.numpy().tolist() == list(a.shape)
    assert traces == [type(operator)]
    assert operator._type_spec == operator._type_spec
    assert hash(operator._type_spec) == hash(operator._type_spec)


def test_as_a_result_of_a_function_and_of_nest():
    @tf.function
    def f(diag):
        return L.LinearOperatorDiag(diag) @ L.LinearOperatorLowerTriangular(tf.ones([2, 2]))

    made = f(tf.constant([1.0, 2.0]))
    assert type(made) is L.LinearOperatorLowerTriangular
    assert made.to_dense().numpy().tolist() == [[1, 0], [2, 2]]
    operator = L.LinearOperatorBlockDiag([L.LinearOperatorDiag([1.0, 2.0]), L.LinearOperatorIdentity(1)])
    doubled = tf.nest.map_structure(lambda t: 2 * t, operator, expand_composites=True)
    assert doubled.to_dense().numpy().tolist() == [[2, 0, 0], [0, 4, 0], [0, 0, 1]]
    assert len(tf.nest.flatten(operator, expand_composites=True)) == 1


@pytest.mark.parametrize(
    ("make", "specs", "values"),
    [
        (L.LinearOperatorFullMatrix, [[None, None]], lambda: [strong(3)]),
        (L.LinearOperatorFullMatrix, [None], lambda: [strong(3, np.float64, (2,))]),
        (L.LinearOperatorLowerTriangular, [[None, None, None]], lambda: [strong(3, np.float64, (2,))]),
        (L.LinearOperatorDiag, [[None]], lambda: [numbers(3)]),
        (L.LinearOperatorTridiag, [[3, None]], lambda: [tridiagonal(4, np.float64)]),
        (L.LinearOperatorToeplitz, [[None], [None]], lambda: [np.array([4.0, 1, 2]), np.array([4.0, 2, 1])]),
        (L.LinearOperatorHouseholder, [[None, None]], lambda: [numbers(2, 3)]),
        (
            lambda s: L.LinearOperatorCirculant(s, input_output_dtype=tf.float64),
            [[None, None]],
            lambda: [np.array([[2.0, 3.0, 3.0], [1.0, 2.0, 2.0]])],
        ),
        (
            lambda a, b: L.LinearOperatorKronecker([L.LinearOperatorFullMatrix(a), L.LinearOperatorFullMatrix(b)]),
            [[None, None], [None, None, None]],
            lambda: [strong(2), strong(2, np.float64, (3,))],
        ),
        (
            lambda a, b: L.LinearOperatorBlockDiag([L.LinearOperatorFullMatrix(a), L.LinearOperatorFullMatrix(b)]),
            [[None, None], [None, None, None]],
            lambda: [strong(2), strong(2, np.float64, (3,))],
        ),
        (
            lambda a, b: L.LinearOperatorBlockLowerTriangular(
                [[L.LinearOperatorDiag(a)], [L.LinearOperatorFullMatrix(b), L.LinearOperatorDiag(a)]]
            ),
            [[None], [None, None]],
            lambda: [numbers(2) + 3, strong(2)],
        ),
        (
            lambda a, u: L.LinearOperatorLowRankUpdate(L.LinearOperatorDiag(a), u),
            [[None], [None, None]],
            lambda: [numbers(3) ** 2 + 1, numbers(3, 2)],
        ),
        (lambda m: L.LinearOperatorScaledIdentity(3, m), [[None]], lambda: [numbers(2) + 3]),
        (
            lambda a: L.LinearOperatorIdentity(tf.shape(a)[0], batch_shape=tf.shape(a)[1:], dtype=tf.float64),
            [[None, None]],
            lambda: [numbers(3, 2)],
        ),
    ],
)
def test_sizes_that_are_known_only_when_it_runs(make, specs, values):
    @tf.function(autograph=False, input_signature=[tf.TensorSpec(spec, tf.float64) for spec in specs])
    def f(*tensors):
        operator = make(*tensors)
        x = tf.ones(tf.stack([operator.domain_dimension_tensor(), 2]), tf.float64)
        return (
            operator.to_dense(), operator.matmul(x), operator.solve(x), operator.diag_part(), operator.trace(),
            operator.determinant(), operator.shape_tensor(), operator.inverse().matmul(x),
        )  # fmt: skip

    given = values()
    a = columns(make(*[tf.constant(value) for value in given]))
    dense, product, solution, diagonal, trace, determinant, sizes, inverted = (y.numpy() for y in f(*given))
    x = np.ones((a.shape[-1], 2))
    close(dense, a)
    close(product, a @ x)
    close(solution, np.linalg.inv(a) @ x)
    close(inverted, np.linalg.inv(a) @ x)
    close(diagonal, np.diagonal(a, axis1=-2, axis2=-1))
    close(trace, np.trace(a, axis1=-2, axis2=-1))
    close(determinant, np.linalg.det(a))
    assert sizes.tolist() == list(a.shape)


def test_variables_are_read_when_they_are_used_and_have_gradients():
    v = tf.Variable([1.0, 2.0])
    operator = L.LinearOperatorDiag(v)
    assert operator.variables == operator.trainable_variables == (v,)
    assert operator.diag is operator.parameters["diag"] is v
    v.assign([5.0, 6.0])
    assert operator.matvec([1.0, 1.0]).numpy().tolist() == [5, 6]

    @tf.function(autograph=False)
    def f(operator, x):
        return operator.matvec(x)

    for call in (lambda x: operator.matvec(x), lambda x: f(operator, x)):
        with tf.GradientTape() as tape:
            y = call(tf.constant([3.0, 4.0]))
        assert tape.gradient(y, v).numpy().tolist() == [3, 4]
    whole = L.LinearOperatorComposition([operator, L.LinearOperatorFullMatrix(tf.Variable([[1.0, 2.0], [3.0, 4.0]]))])
    assert [w.shape.as_list() for w in whole.variables] == [[2], [2, 2]]
    assert operator in whole.submodules


@pytest.mark.parametrize("name", ["full", "triangular", "tridiagonal", "kronecker", "lower blocks", "low rank"])
def test_gradients_pass_through_operators(name):
    operator = MAKERS[name](np.float64)
    x = tf.constant(numbers(operator.shape[-1], 1))
    parts = tf.nest.flatten(operator, expand_composites=True)

    def loss(*parts):
        made = tf.nest.pack_sequence_as(operator, list(parts), expand_composites=True)
        return tf.reduce_sum(made.solve(x) ** 2) + tf.reduce_sum(made.log_abs_determinant())

    with tf.GradientTape() as tape:
        tape.watch(parts)
        y = loss(*parts)
    found = tape.gradient(y, parts)
    for position, part in enumerate(parts):
        index = tuple(0 for _ in part.shape)
        if name == "tridiagonal":
            index = (1, 0)
        sides = []
        for sign in (1, -1):
            moved = [p.numpy().copy() for p in parts]
            moved[position][index] += sign * 1e-6
            sides.append(float(loss(*[tf.constant(m) for m in moved])))
        assert found[position].numpy()[index] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-4, abs=1e-5)


M3 = [[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]]
OPERATORS = {
    "Full": lambda: L.LinearOperatorFullMatrix(M3),
    "Id": lambda: L.LinearOperatorIdentity(3),
    "Scaled": lambda: L.LinearOperatorScaledIdentity(3, 2.0),
    "Zeros": lambda: L.LinearOperatorZeros(3),
    "Diag": lambda: L.LinearOperatorDiag([1.0, 2.0, 3.0]),
    "Tril": lambda: L.LinearOperatorLowerTriangular(M3),
    "Circ": lambda: L.LinearOperatorCirculant(tf.constant([6.0, 4.0, 4.0], tf.complex64), tf.float32),
    "Blocks": lambda: L.LinearOperatorBlockDiag([L.LinearOperatorDiag([2.0]), L.LinearOperatorDiag([1.0, 3.0])]),
    "Inverse": lambda: L.LinearOperatorInversion(L.LinearOperatorFullMatrix(M3)),
    "Adjoint": lambda: L.LinearOperatorFullMatrix(M3).adjoint(),
}


@pytest.mark.parametrize("first", OPERATORS)
@pytest.mark.parametrize("second", OPERATORS)
def test_products_and_quotients_of_operators_are_those_of_their_matrices(first, second):
    a, b = OPERATORS[first](), OPERATORS[second]()
    x, y = a.to_dense().numpy(), b.to_dense().numpy()
    np.testing.assert_allclose((a @ b).to_dense().numpy(), x @ y, atol=1e-4)
    np.testing.assert_allclose(a.matmul(b, adjoint=True, adjoint_arg=True).to_dense().numpy(), x.T @ y.T, atol=1e-4)
    if first != "Zeros":
        np.testing.assert_allclose(a.solve(b).to_dense().numpy(), np.linalg.solve(x, y), atol=1e-4)


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("Id", "Full", "FullMatrix"),
        ("Full", "Id", "FullMatrix"),
        ("Full", "Zeros", "Zeros"),
        ("Zeros", "Diag", "Zeros"),
        ("Scaled", "Scaled", "ScaledIdentity"),
        ("Scaled", "Diag", "Diag"),
        ("Diag", "Scaled", "Diag"),
        ("Diag", "Diag", "Diag"),
        ("Diag", "Tril", "LowerTriangular"),
        ("Tril", "Diag", "LowerTriangular"),
        ("Circ", "Circ", "Circulant"),
        ("Blocks", "Blocks", "BlockDiag"),
        ("Full", "Diag", "Composition"),
        ("Tril", "Tril", "Composition"),
    ],
)
def test_products_keep_structure(left, right, kind):
    assert type(OPERATORS[left]() @ OPERATORS[right]()).__name__ == f"LinearOperator{kind}"


@pytest.mark.parametrize(
    ("make", "kinds"),
    [
        (lambda: L.LinearOperatorFullMatrix(M3), ("Adjoint", "Inversion", None)),
        (lambda: spd(3), ("FullMatrix", "Inversion", "LowerTriangular")),
        (lambda: L.LinearOperatorIdentity(3), ("Identity", "Identity", "Identity")),
        (lambda: L.LinearOperatorDiag([1.0, 2.0], is_positive_definite=True), ("Diag", "Diag", "Diag")),
        (lambda: L.LinearOperatorScaledIdentity(2, 2.0, is_positive_definite=True), ("ScaledIdentity",) * 3),
        (lambda: L.LinearOperatorCirculant([1.0, 2.0]), ("Circulant", "Circulant", None)),
        (lambda: L.LinearOperatorHouseholder([1.0, 2.0]), ("Householder", "Householder", None)),
        (lambda: L.LinearOperatorPermutation([1, 0]), ("Adjoint", "Inversion", None)),
        (lambda: L.LinearOperatorKronecker([spd(2), spd(1)]), ("Kronecker",) * 3),
        (lambda: L.LinearOperatorBlockDiag([spd(2), spd(1)]), ("BlockDiag",) * 3),
        (lambda: L.LinearOperatorBlockLowerTriangular([[full(2)]]), ("Adjoint", "BlockLowerTriangular", None)),
        (lambda: L.LinearOperatorAdjoint(L.LinearOperatorFullMatrix(M3)), ("FullMatrix", "Inversion", None)),
        (lambda: L.LinearOperatorInversion(L.LinearOperatorFullMatrix(M3)), ("Adjoint", "FullMatrix", None)),
    ],
)
def test_the_classes_of_adjoints_inverses_and_factors(make, kinds):
    operator = make()
    calls = (operator.adjoint, operator.inverse, operator.cholesky)
    for call, kind in zip(calls, kinds, strict=True):
        if kind is None:
            with pytest.raises(ValueError, match="Cholesky"):
                call()
        else:
            assert type(call()).__name__ == f"LinearOperator{kind}"


def with_adjoint(operator):
    return operator @ operator.adjoint()


def hints(operator):
    return "".join(
        {None: "?", True: "+", False: "-"}[hint]
        for hint in (
            operator.is_non_singular,
            operator.is_self_adjoint,
            operator.is_positive_definite,
            operator.is_square,
        )
    )


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: L.LinearOperatorFullMatrix(M3), "???+"),
        (lambda: L.LinearOperatorFullMatrix(M3, is_positive_definite=True), "+?++"),
        (lambda: L.LinearOperatorFullMatrix(M3[:2]), "???-"),
        (lambda: L.LinearOperatorDiag([1.0]), "?+?+"),
        (lambda: L.LinearOperatorDiag(tf.constant([1.0], tf.complex64)), "???+"),
        (lambda: L.LinearOperatorZeros(2), "-+-+"),
        (lambda: L.LinearOperatorHouseholder([1.0, 0.0]), "?+-+"),
        (lambda: L.LinearOperatorKronecker([spd(2), spd(1)]), "++++"),
        (lambda: L.LinearOperatorBlockDiag([spd(2), full(1)]), "???+"),
        (lambda: spd(2) @ spd(2), "+??+"),
        (lambda: L.LinearOperatorZeros(2) @ spd(2), "-+-+"),
        (lambda: with_adjoint(full(2)), "?+?+"),
        (lambda: with_adjoint(full(2, np.float64, (), is_non_singular=True)), "++++"),
        (lambda: with_adjoint(full(2, np.float64, (), is_self_adjoint=True)), "?+?+"),
        (lambda: L.LinearOperatorLowRankUpdate(spd(3), numbers(3, 1)), "++++"),
        (lambda: spd(2).cholesky(), "+-?+"),
    ],
)
def test_what_is_promised(make, expected):
    assert hints(make()) == expected


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: L.LinearOperatorFullMatrix(M3, is_square=False).is_square, ValueError, "is_square"),
        (lambda: full(2, np.float64, (), is_non_singular=False, is_positive_definite=True), ValueError, "non-singular"),
        (lambda: full(2, np.float64, (), is_non_singular=True, is_square=False), ValueError, "always square"),
        (lambda: L.LinearOperatorDiag([1.0], is_self_adjoint=False), ValueError, "self adjoint"),
        (lambda: L.LinearOperatorDiag(1.0), ValueError, "at least 1 dim"),
        (lambda: L.LinearOperatorFullMatrix([1.0]), ValueError, "at least 2 dim"),
        (lambda: L.LinearOperatorIdentity(-1), ValueError, "non-negative"),
        (lambda: L.LinearOperatorIdentity(2.0), TypeError, "integer"),
        (lambda: L.LinearOperatorIdentity([2]), ValueError, "0-D"),
        (lambda: L.LinearOperatorIdentity(2, batch_shape=2), ValueError, "1-D"),
        (lambda: L.LinearOperatorPermutation([0, 0]), ValueError, "unique"),
        (lambda: L.LinearOperatorPermutation([0.0, 1.0]), TypeError, "integer"),
        (lambda: L.LinearOperatorToeplitz([1.0], [1.0, 2.0]), ValueError, "mismatched"),
        (lambda: L.LinearOperatorTridiag(M3, "other"), ValueError, "diagonals_format"),
        (lambda: L.LinearOperatorCirculant2D([1.0]), ValueError, "at least 2"),
        (lambda: L.LinearOperatorComposition([]), ValueError, "non-empty"),
        (lambda: L.LinearOperatorComposition([full(2), L.LinearOperatorDiag([1.0, 2.0])]), TypeError, "same dtype"),
        (lambda: L.LinearOperatorComposition([full(2), full(3)]), ValueError, "do not fit"),
        (lambda: full(2) @ full(3), ValueError, "incompatible"),
        (lambda: full(2).solve(full(3)), ValueError, "incompatible"),
        (lambda: full(2).matmul(np.ones((3, 1))), ValueError, "not compatible"),
        (lambda: full(2).matmul(np.ones((2, 1), np.float32)), TypeError, "dtype"),
        (lambda: full(2).matmul(np.ones(2)), ValueError, "at least 2"),
        (lambda: L.LinearOperatorInversion(L.LinearOperatorZeros(2)), ValueError, "is_non_singular"),
        (lambda: L.LinearOperatorZeros(2).inverse(), ValueError, "singular matrix"),
        (lambda: L.LinearOperatorZeros(2).solve(tf.ones([2, 1])), NotImplementedError, "singular"),
        (lambda: L.LinearOperatorAdjoint(spd(2), is_self_adjoint=False), ValueError, "self-adjoint"),
        (lambda: L.LinearOperatorLowRankUpdate(spd(3), numbers(2, 1)), ValueError, "compatible"),
        (lambda: L.LinearOperatorLowRankUpdate(spd(3), numbers(3, 1), is_self_adjoint=False), ValueError, "UDU"),
        (lambda: L.LinearOperatorBlockLowerTriangular([[full(1)], [full(1)]]), ValueError, "2 operators"),
        (lambda: full(2).eigvals(), NotImplementedError, "self-adjoint"),
        (lambda: L.LinearOperator(tf.float32), TypeError, "abstract"),
        (lambda: L.LinearOperatorZeros(2).assert_non_singular(), BAD, "non-invertible"),
        (lambda: L.LinearOperatorDiag([0.0, 1.0]).assert_non_singular(), BAD, "zero"),
        (lambda: L.LinearOperatorDiag([-1.0, 1.0]).assert_positive_definite(), BAD, "positive"),
        (lambda: L.LinearOperatorFullMatrix([[1.0, 1.0], [1.0, 1.0]]).assert_non_singular(), BAD, "Singular"),
        (lambda: L.LinearOperatorFullMatrix([[1.0, 2.0], [0.0, 1.0]]).assert_self_adjoint(), BAD, "adjoint"),
        (lambda: L.LinearOperatorFullMatrix([[1.0, 2.0], [2.0, 1.0]]).assert_positive_definite(), BAD, "positive"),
        (lambda: L.LinearOperatorToeplitz([1.0, 2.0], [1.0, 3.0]).assert_self_adjoint(), BAD, "not the same"),
        (lambda: L.LinearOperatorHouseholder([1.0]).assert_positive_definite(), BAD, "non-positive"),
        (lambda: L.LinearOperatorCirculant([0.0, 1.0]).assert_non_singular(), BAD, "Spectrum"),
    ],
)
def test_errors(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_blocks_take_and_give_lists():
    a, b = strong(2), strong(1)
    operator = L.LinearOperatorBlockDiag([L.LinearOperatorFullMatrix(a), L.LinearOperatorFullMatrix(b)])
    x = [numbers(2, 3), numbers(1, 3)]
    found = operator.matmul([tf.constant(part) for part in x])
    close(found[0].numpy(), a @ x[0])
    close(found[1].numpy(), b @ x[1])
    for part, expected in zip(operator.solve(found), x, strict=True):
        close(part.numpy(), expected)
    c = numbers(1, 2)
    operator = L.LinearOperatorBlockLowerTriangular(
        [[L.LinearOperatorFullMatrix(a)], [L.LinearOperatorFullMatrix(c), L.LinearOperatorFullMatrix(b)]]
    )
    found = operator.matvec([tf.constant(x[0][:, 0]), tf.constant(x[1][:, 0])])
    close(found[1].numpy(), (c @ x[0] + b @ x[1])[:, 0])
    close(operator.solvevec(found)[0].numpy(), x[0][:, 0])


def test_names():
    a, b = L.LinearOperatorFullMatrix(M3), L.LinearOperatorDiag([1.0, 2.0, 3.0], name="d")
    assert (a @ b).name == "LinearOperatorFullMatrix_o_d"
    assert a.adjoint().name == "LinearOperatorFullMatrix_adjoint"
    assert a.inverse().name == "LinearOperatorFullMatrix_inv"
    assert L.LinearOperatorKronecker([a, b]).name == "LinearOperatorFullMatrix_x_d"
    assert L.LinearOperatorBlockDiag([a, b]).name == "LinearOperatorFullMatrix_ds_d"
    assert list(b.parameters) == [
        "diag", "is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square", "name",
    ]  # fmt: skip


def test_the_kernel_and_the_hermitian_spectrum_of_circulant_operators():
    kernel = np.array([4.0, 1.0, 2.0])
    operator = L.LinearOperatorCirculant(np.fft.fft(kernel), input_output_dtype=tf.float64)
    close(operator.convolution_kernel().numpy(), kernel)
    operator.assert_hermitian_spectrum()
    with pytest.raises(BAD, match="Hermitian"):
        L.LinearOperatorCirculant(np.array([1.0, 2.0 + 3j, 4.0]), tf.complex128).assert_hermitian_spectrum()
    two = L.LinearOperatorCirculant2D(tf.ones([5, 2, 3]))
    assert (two.block_depth, two.block_shape.as_list(), two.block_shape_tensor().numpy().tolist()) == (
        2,
        [2, 3],
        [2, 3],
    )
    assert two.shape.as_list() == [5, 6, 6]


def test_conjugate_gradient():
    a, b = definite(4), numbers(2, 4)
    operator = L.LinearOperatorFullMatrix(a, is_self_adjoint=True, is_positive_definite=True)
    solve = L.experimental.conjugate_gradient
    expected = np.linalg.solve(a, b[..., None])[..., 0]
    found = solve(operator, b, tol=1e-12)
    close(found.x.numpy(), expected)
    assert found._fields == ("i", "x", "r", "p", "gamma")
    assert 0 < found.i.numpy() <= 6
    traced = tf.function(lambda b: solve(operator, b, tol=1e-12, x=tf.ones([4], tf.float64)).x, autograph=False)
    close(traced(b).numpy(), expected)
    near = L.LinearOperatorDiag(1 / np.diag(a), is_self_adjoint=True, is_positive_definite=True)
    close(solve(operator, b, preconditioner=near, tol=1e-12).x.numpy(), expected)
    assert solve(operator, b, max_iter=0).i.numpy() == 0
    with pytest.raises(ValueError, match="positive definite"):
        solve(full(2), np.ones(2))


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_functions_for_matrices_take_operators(dtype):
    operator, definite_one = full(3, dtype), spd(3, dtype)
    a, d = operator.to_dense().numpy(), definite_one.to_dense().numpy()
    x = numbers(3, 3, dtype=dtype)
    h = np.conj(a.T)
    for found, expected in [
        (L.matmul(operator, x), a @ x),
        (L.matmul(operator, x, adjoint_a=True, adjoint_b=True), h @ np.conj(x.T)),
        (L.matmul(x, operator), x @ a),
        (L.matmul(x, operator, adjoint_a=True, adjoint_b=True), np.conj(x.T) @ h),
        (tf.constant(x) @ operator, x @ a),
        (L.matvec(operator, x[:, 0], adjoint_a=True), h @ x[:, 0]),
        (L.solve(operator, x, adjoint=True), np.linalg.solve(h, x)),
        (L.inv(operator).to_dense(), np.linalg.inv(a)),
        (L.inv(operator, adjoint=True).to_dense(), np.linalg.inv(h)),
        (L.det(operator), np.linalg.det(a)),
        (L.logdet(definite_one), np.log(np.abs(np.linalg.det(d)))),
        (L.cholesky(definite_one).to_dense(), np.linalg.cholesky(d)),
        (L.diag_part(operator), np.diag(a)),
        (L.trace(operator), np.trace(a)),
        (L.adjoint(operator).to_dense(), h),
        (L.matmul(operator, definite_one).to_dense(), a @ d),
    ]:
        close(found.numpy(), expected)
    with pytest.raises(ValueError, match="transposed"):
        L.matmul(operator, x, transpose_a=True)
    with pytest.raises(ValueError, match="transposed"):
        L.matvec(operator, x[0], transpose_a=True)
    with pytest.raises((TypeError, ValueError)):
        tf.convert_to_tensor(operator)
