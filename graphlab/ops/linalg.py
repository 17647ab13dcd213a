"""Systems of linear equations: solving, inverting, determinants, Cholesky."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import COMPLEX, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.ops import inference
from graphlab.ops.inference import Attrs
from graphlab.ops.linalg_operators import is_operator

FIELD = COMPLEX | {dtypes.float32, dtypes.float64}

# ------------------------------------------------------------------------------------------------------------- kernels


def square(matrix: Any) -> Any:
    """The matrices.  InvalidArgumentError if they are not square."""
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
        raise InvalidArgumentError(None, None, f"Input matrix must be square, got shape {list(matrix.shape)}")
    return matrix


def _adjoint(matrix: Any) -> Any:
    return np.conj(np.swapaxes(matrix, -1, -2))


def guarded(function: Callable[..., Any], message: str, *arrays: Any) -> Any:
    """``function(*arrays)`` with NumPy's failure as InvalidArgumentError."""
    try:
        return function(*arrays)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError(None, None, message) from None


def lost(matrix: Any, message: str) -> Any:
    """Which of the matrices have a NaN, of which elimination makes NaN everywhere; None: none of them.

    Raises:
      InvalidArgumentError: the first element of one is NaN, so that there is no first pivot.
    """
    nan = np.isnan(matrix)
    if not nan.any():
        return None
    if nan[..., 0, 0].any():
        raise InvalidArgumentError(None, None, message)
    return nan.any((-2, -1))


def _determinant(input: Any) -> Any:
    square(input)
    return (
        np.linalg.det(input).astype(input.dtype, copy=False) if input.size else np.ones(input.shape[:-2], input.dtype)
    )


def _log_determinant(input: Any) -> Any:
    sign, log = np.linalg.slogdet(square(input))
    if np.isnan(log).any():
        sign = np.where(np.isnan(log), np.nan, sign)
    return np.asarray(sign, input.dtype), np.asarray(log, input.dtype)


def _inverse(input: Any, adjoint: bool) -> Any:
    message = "Input is not invertible."
    nan = lost(square(input), message)
    result = guarded(np.linalg.inv, message, input)
    if nan is not None:
        result[nan] = np.nan
    return _adjoint(result) if adjoint else result


def _solve(matrix: Any, rhs: Any, adjoint: bool) -> Any:
    square(matrix)
    if rhs.ndim < 2 or rhs.shape[-2] != matrix.shape[-1] or rhs.shape[:-2] != matrix.shape[:-2]:
        raise InvalidArgumentError(
            None, None, f"Input matrix and rhs are incompatible: shapes {list(matrix.shape)} and {list(rhs.shape)}."
        )
    message = "Input matrix is not invertible."
    nan = lost(matrix, message)
    result = guarded(np.linalg.solve, message, _adjoint(matrix) if adjoint else matrix, rhs)
    if nan is not None:
        result[nan] = np.nan
    return result


def _triangular_solve(matrix: Any, rhs: Any, lower: bool, adjoint: bool) -> Any:
    square(matrix)
    if rhs.ndim < 2 or rhs.shape[-2] != matrix.shape[-1]:
        raise InvalidArgumentError(
            None, None, f"Input matrix and rhs are incompatible: shapes {list(matrix.shape)} and {list(rhs.shape)}."
        )
    half = np.tril(matrix) if lower else np.triu(matrix)
    batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    half = np.broadcast_to(_adjoint(half) if adjoint else half, batch + half.shape[-2:])
    rhs = np.broadcast_to(rhs, batch + rhs.shape[-2:])
    if (np.diagonal(half, axis1=-2, axis2=-1) == 0).any():
        return _substituted(half, rhs, lower != adjoint)
    return np.linalg.solve(half, rhs)


def _substituted(half: Any, rhs: Any, lower: bool) -> Any:
    """Substitution row by row: a zero on the diagonal gives infinity or NaN, as dividing by it does."""
    x = np.array(rhs)
    n = half.shape[-1]
    for i in range(n) if lower else range(n - 1, -1, -1):
        done = slice(0, i) if lower else slice(i + 1, n)
        x[..., i, :] -= (half[..., i : i + 1, done] @ x[..., done, :])[..., 0, :]
        x[..., i, :] /= half[..., i, i, None]
    return x


def _cholesky(input: Any) -> Any:
    square(input)
    try:
        return np.linalg.cholesky(input)
    except np.linalg.LinAlgError:
        pass
    # Only the matrices that are not positive definite become NaN.
    out = np.array(input).reshape(-1, *input.shape[-2:])
    for index, matrix in enumerate(out):
        try:
            out[index] = np.linalg.cholesky(matrix)
        except np.linalg.LinAlgError:
            out[index] = np.tril(np.full_like(matrix, np.nan))
    return out.reshape(input.shape)


# ----------------------------------------------------------------------------------------------------------- inference


def square_shape(shape: Shape) -> Shape:
    """The shape of square matrices, sizes filled in where one of the last two is known."""
    if shape is None:
        return None
    inference.at_least_rank(shape, 2, "A matrix")
    side = inference.merge_dim(shape[-1], shape[-2], "The sides of a square matrix")
    return (*shape[:-2], side, side)


def _same_square(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    return square_shape(args[0].shape)


def _batch_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape = square_shape(args[0].shape)
    return None if shape is None else shape[:-2]


def _solve_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    matrix, rhs = square_shape(args[0].shape), inference.at_least_rank(args[1].shape, 2, "The right side")
    if matrix is None or rhs is None:
        return None
    rows = inference.merge_dim(matrix[-1], rhs[-2], "Rows of the matrix and of the right side")
    batch = inference.broadcast(matrix[:-2], rhs[:-2])
    return None if batch is None else (*batch, rows, rhs[-1])


# ----------------------------------------------------------------------------------------------------------- gradients


def product(a: Any, b: Any, *, left: bool = False, right: bool = False) -> Any:
    """The matrix product, with the adjoint of the left or right factor."""
    from graphlab.ops.matmul import matmul

    return matmul(a, b, adjoint_a=left, adjoint_b=right)


def scaled(values: Any, matrices: Any) -> Any:
    """A number for each matrix, times the matrix."""
    from graphlab.ops.array import expand_dims

    return expand_dims(expand_dims(values, -1), -1) * matrices


def _determinant_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.math import multiply

    return scaled(multiply(dy, _conj(op.outputs[0])), inv(op.inputs[0], adjoint=True))


def _conj(x: Any) -> Any:
    from graphlab.ops.complex import conj

    return conj(x)


def _log_determinant_grad(op: Any, _dsign: Any, dlog: Any) -> Any:
    return None if dlog is None else scaled(dlog, inv(op.inputs[0], adjoint=True))


def _inverse_grad(op: Any, dy: Any) -> Any:
    y = op.outputs[0]
    if op.attrs["adjoint"]:
        return -product(y, product(dy, y, left=True))
    return -product(y, product(dy, y, right=True), left=True)


def sum_batch(gradient: Any, tensor: Any) -> Any:
    """Sums over batch axes along which an argument was broadcast."""
    from graphlab.ops.broadcasting import BROADCAST_GRADIENT_ARGS, known, sum_to

    shape, have = tensor._raw_shape(), gradient._raw_shape()
    if known(shape) and known(have):
        return gradient if shape == have else sum_to(gradient, shape)
    if shape is not None and have is not None and len(shape) == len(have) == 2:
        return gradient
    from graphlab.ops.array import reshape
    from graphlab.ops.array_shape import shape as sizes_of
    from graphlab.ops.reduction import reduce_sum

    mine, whole = sizes_of(tensor), sizes_of(gradient)
    axes, _ = bind(BROADCAST_GRADIENT_ARGS, (mine[:-2], whole[:-2]))
    return reshape(reduce_sum(gradient, axes), mine)


def _solve_grad(op: Any, dy: Any) -> list[Any]:
    matrix, x = op.inputs[0], op.outputs[0]
    adjoint = op.attrs["adjoint"]
    dr = solve(matrix, dy, adjoint=not adjoint)
    dm = -product(x, dr, right=True) if adjoint else -product(dr, x, right=True)
    return [dm, dr]


def _triangular_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.diagonal import band_part

    matrix, rhs = op.inputs
    x = op.outputs[0]
    lower, adjoint = op.attrs["lower"], op.attrs["adjoint"]
    dr = triangular_solve(matrix, dy, lower=lower, adjoint=not adjoint)
    dm = -product(x, dr, right=True) if adjoint else -product(dr, x, right=True)
    dm = band_part(dm, -1, 0) if lower else band_part(dm, 0, -1)
    return [sum_batch(dm, matrix), sum_batch(dr, rhs)]


def _cholesky_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.diagonal import adjoint, band_part, diag_part, set_diag

    factor = op.outputs[0]
    middle = product(factor, dy, left=True)
    middle = set_diag(middle, diag_part(middle) * _number(0.5, middle))
    middle = band_part(middle, -1, 0)
    # L^-H middle L^-1, made symmetric.
    left = triangular_solve(factor, middle, adjoint=True)
    whole = adjoint(triangular_solve(factor, adjoint(left), adjoint=True))
    return (whole + adjoint(whole)) * _number(0.5, whole)


def _number(value: float, like: Any) -> Any:
    return convert_to_tensor(np.array(value, like.dtype.np))


# ----------------------------------------------------------------------------------------------------------------- ops

DETERMINANT = define("MatrixDeterminant", "input: T -> output: T", kernel=_determinant, infer=_batch_shape,
                     gradient=_determinant_grad, types={"T": FIELD}, can_fail=True)  # fmt: skip
LOG_DETERMINANT = define("LogMatrixDeterminant", "input: T -> sign: T, log_abs_determinant: T", kernel=_log_determinant,
                         infer=lambda args, attrs: [_batch_shape(args, attrs)] * 2, gradient=_log_determinant_grad,
                         types={"T": FIELD}, can_fail=True)  # fmt: skip
INVERSE = define("MatrixInverse", "input: T -> output: T", kernel=_inverse, infer=_same_square, gradient=_inverse_grad,
                 types={"T": FIELD}, attrs={"adjoint": False}, can_fail=True)  # fmt: skip
SOLVE = define("MatrixSolve", "matrix: T, rhs: T -> output: T", kernel=_solve, infer=_solve_shape, gradient=_solve_grad,
               types={"T": FIELD}, attrs={"adjoint": False}, can_fail=True)  # fmt: skip
TRIANGULAR_SOLVE = define("MatrixTriangularSolve", "matrix: T, rhs: T -> output: T", kernel=_triangular_solve,
                          infer=_solve_shape, gradient=_triangular_grad, types={"T": FIELD},
                          attrs={"lower": True, "adjoint": False}, can_fail=True)  # fmt: skip
CHOLESKY = define("Cholesky", "input: T -> output: T", kernel=_cholesky, infer=_same_square, gradient=_cholesky_grad,
                  types={"T": FIELD}, can_fail=True)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


class LogMatrixDeterminant(NamedTuple):
    """What ``tf.linalg.slogdet`` returns."""

    sign: Any
    log_abs_determinant: Any


@public("linalg.det")
def det(input: Any, name: str | None = None) -> Any:
    """Computes the determinants of square matrices.

    Args:
      input: float32, float64, complex64 or complex128, shape ``[..., n, n]``.
      name: a name for the node.

    Returns:
      A tensor of shape ``[...]``.

    Raises:
      tf.errors.InvalidArgumentError: if the matrices are not square (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.linalg.det([[2.0, 0.0], [0.0, 3.0]]).numpy().round(4)
    np.float32(6.0)
    """
    if is_operator(input):
        return input.determinant()
    return bind(DETERMINANT, (input,), None, name)


@public("linalg.slogdet")
def slogdet(input: Any, name: str | None = None) -> LogMatrixDeterminant:
    """Computes sign and logarithm of the absolute value of determinants.

    Args:
      input: float32, float64, complex64 or complex128, shape ``[..., n, n]``.
      name: a name for the node.

    Returns:
      ``(sign, log_abs_determinant)``, both of shape ``[...]``.

    >>> import graphlab as tf
    >>> tf.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]]).sign.numpy()
    np.float32(-1.0)
    """
    return LogMatrixDeterminant(*bind(LOG_DETERMINANT, (input,), None, name))


@public("linalg.logdet")
def logdet(matrix: Any, name: str | None = None) -> Any:
    """Computes the logarithms of the determinants of Hermitian positive definite matrices, by Cholesky.

    Args:
      matrix: float32, float64, complex64 or complex128, shape ``[..., n, n]``.
      name: a name for the nodes.

    Returns:
      A tensor of shape ``[...]``; NaN for a matrix that is not positive definite.

    >>> import graphlab as tf
    >>> tf.linalg.logdet([[1.0, 0.0], [0.0, 1.0]]).numpy()
    np.float32(0.0)
    """
    if is_operator(matrix):
        return matrix.log_abs_determinant()
    from graphlab.ops.complex import real
    from graphlab.ops.diagonal import diag_part
    from graphlab.ops.reduction import reduce_sum
    from graphlab.ops.unary import log

    with name_scope(name, "logdet"):
        return 2.0 * reduce_sum(log(real(diag_part(cholesky(matrix)))), -1)


@public("linalg.inv")
def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """Inverts square matrices.

    Args:
      input: float32, float64, complex64 or complex128, shape ``[..., n, n]``.
      adjoint: return the inverse of the adjoint.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if a matrix can't be inverted.

    >>> import graphlab as tf
    >>> tf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    if is_operator(input):
        return (input.adjoint() if adjoint else input).inverse()
    return bind(INVERSE, (input,), {"adjoint": adjoint}, name)


@public("linalg.solve")
def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """Solves systems of linear equations ``matrix @ x = rhs``.

    Args:
      matrix: float32, float64, complex64 or complex128, shape ``[..., n, n]``.
      rhs: a tensor of the dtype of ``matrix`` and of shape ``[..., n, k]``.
      adjoint: solve with the adjoint of the matrix.
      name: a name for the node.

    Returns:
      The solutions, shape ``[..., n, k]``.

    Raises:
      tf.errors.InvalidArgumentError: if a matrix can't be inverted or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    if is_operator(matrix):
        return matrix.solve(rhs, adjoint=adjoint)
    return bind(SOLVE, (matrix, rhs), {"adjoint": adjoint}, name)


@public("linalg.triangular_solve")
def triangular_solve(matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None) -> Any:
    """Solves systems of linear equations with triangular matrices; batch axes broadcast.

    Args:
      matrix: float32, float64, complex64 or complex128, shape ``[..., n, n]``; the other half is not looked at.
      rhs: a tensor of the dtype of ``matrix`` and of shape ``[..., n, k]``.
      lower: whether the lower half counts.
      adjoint: solve with the adjoint of the matrix.
      name: a name for the nodes.

    Raises:
      tf.errors.InvalidArgumentError: if the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.linalg.triangular_solve([[2.0, 9.0], [1.0, 1.0]], [[2.0], [2.0]]).numpy()
    array([[1.],
           [1.]], dtype=float32)
    """
    with name_scope(name, "triangular_solve"):
        return bind(TRIANGULAR_SOLVE, (matrix, rhs), {"lower": lower, "adjoint": adjoint})


@public("linalg.cholesky")
def cholesky(input: Any, name: str | None = None) -> Any:
    """Factors Hermitian positive definite matrices: ``input = L @ adjoint(L)`` with L lower triangular.

    Args:
      input: float32, float64, complex64 or complex128, shape ``[..., n, n]``; the upper half is not looked at.
      name: a name for the node.

    Returns:
      The factors; NaN in the lower half for a matrix that is not positive definite.

    >>> import graphlab as tf
    >>> tf.linalg.cholesky([[4.0, 0.0], [2.0, 5.0]]).numpy()
    array([[2., 0.],
           [1., 2.]], dtype=float32)
    """
    if is_operator(input):
        return input.cholesky()
    return bind(CHOLESKY, (input,), None, name)


@public("linalg.cholesky_solve")
def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Any:
    """Solves ``A @ x = rhs`` with the Cholesky factor of A.

    Args:
      chol: what ``tf.linalg.cholesky`` returns, shape ``[..., n, n]``.
      rhs: a tensor of the dtype of ``chol`` and of shape ``[..., n, k]``.
      name: a name for the nodes.

    >>> import graphlab as tf
    >>> tf.linalg.cholesky_solve([[2.0, 0.0], [1.0, 2.0]], [[6.0], [7.0]]).numpy()
    array([[1.],
           [1.]], dtype=float32)
    """
    with name_scope(name, "cholesky_solve"):
        y = bind(TRIANGULAR_SOLVE, (chol, rhs), {"lower": True, "adjoint": False})
        return bind(TRIANGULAR_SOLVE, (chol, y), {"lower": True, "adjoint": True})
