"""Operators whose matrix is at hand: full, triangular, diagonal."""

from __future__ import annotations

from typing import Any

from graphlab.core.export import public
from graphlab.core.shape import TensorShape
from graphlab.eager.linear_operator import arrays
from graphlab.eager.linear_operator.base import LinearOperator
from graphlab.ops import linalg
from graphlab.ops.array import expand_dims
from graphlab.ops.array_shape import shape as shape_of
from graphlab.ops.casting import cast
from graphlab.ops.complex import conj, real
from graphlab.ops.debugging import assert_equal, assert_less
from graphlab.ops.debugging_signs import assert_positive
from graphlab.ops.diagonal import band_part, diag_part, matrix_diag, set_diag
from graphlab.ops.math import abs as absolute
from graphlab.ops.matmul import matmul
from graphlab.ops.reduction import reduce_max, reduce_min, reduce_prod, reduce_sum
from graphlab.ops.unary import log, sqrt


def _at_least(x: Any, rank: int, name: str) -> Any:
    if x.shape.rank is not None and x.shape.rank < rank:
        raise ValueError(f"Argument {name} must have at least {rank} dimension{'s' * (rank > 1)}.  Found: {x}")
    return x


@public("linalg.LinearOperatorFullMatrix")
class LinearOperatorFullMatrix(LinearOperator):
    """An operator that is a matrix.

    Args:
      matrix: a tensor of shape ``[..., m, n]`` and of a floating-point or complex dtype.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``.
      is_self_adjoint: a promise.
      is_positive_definite: a promise.
      is_square: a promise.
      name: a name.

    Raises:
      ValueError: ``matrix`` has fewer than two axes.

    >>> import graphlab as tf
    >>> tf.linalg.LinearOperatorFullMatrix([[1., 2.], [3., 4.]]).matvec([1., 1.]).numpy()
    array([3., 7.], dtype=float32)
    """

    _tensor_parameters = ("matrix",)

    def __init__(
        self,
        matrix: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorFullMatrix",
    ) -> None:
        parameters = dict(locals())
        self._matrix = _at_least(arrays.tensor(matrix, "matrix"), 2, "matrix")
        super().__init__(
            self._matrix.dtype,
            None,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            is_square,
            name,
            parameters,
        )

    @property
    def matrix(self) -> Any:
        """The matrix."""
        return self._matrix

    def _shape(self) -> TensorShape:
        return TensorShape(self._matrix.shape)

    def _shape_tensor(self) -> Any:
        return shape_of(self._matrix)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return matmul(self._matrix, x, adjoint_a=adjoint)

    def _to_dense(self) -> Any:
        from graphlab.core.convert import convert_to_tensor

        return convert_to_tensor(self._matrix)


@public("linalg.LinearOperatorLowerTriangular")
class LinearOperatorLowerTriangular(LinearOperator):
    """An operator that is a lower triangular matrix.

    Args:
      tril: a tensor of shape ``[..., n, n]`` and of a floating-point or complex dtype; its upper half is not
        looked at.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``.
      is_self_adjoint: a promise.
      is_positive_definite: a promise.
      is_square: a promise; it can't be False.
      name: a name.

    Raises:
      ValueError: ``is_square`` is False, or ``tril`` has fewer than two axes.

    >>> import graphlab as tf
    >>> tf.linalg.LinearOperatorLowerTriangular([[1., 9.], [3., 4.]]).solvevec([1., 7.]).numpy()
    array([1., 1.], dtype=float32)
    """

    _tensor_parameters = ("tril",)

    def __init__(
        self,
        tril: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:
        parameters = dict(locals())
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        self._tril = _at_least(arrays.tensor(tril, "tril"), 2, "tril")
        super().__init__(
            self._tril.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, parameters
        )

    @property
    def tril(self) -> Any:
        """The matrix, of which the lower half counts."""
        return self._tril

    def _shape(self) -> TensorShape:
        return TensorShape(self._tril.shape)

    def _shape_tensor(self) -> Any:
        return shape_of(self._tril)

    def _to_dense(self) -> Any:
        return band_part(self._tril, -1, 0)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return matmul(self._to_dense(), x, adjoint_a=adjoint)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return linalg.triangular_solve(self._tril, rhs, adjoint=adjoint)

    def _diag_part(self) -> Any:
        return diag_part(self._tril)

    def _determinant(self) -> Any:
        return reduce_prod(self._diag_part(), -1)

    def _log_abs_determinant(self) -> Any:
        return reduce_sum(log(absolute(self._diag_part())), -1)

    def _eigvals(self) -> Any:
        return self._diag_part()

    def _assert_non_singular(self) -> Any:
        return _assert_no_zero(self._diag_part(), "Singular operator:  Diagonal contained zero values.")


def _assert_no_zero(x: Any, message: str) -> Any:
    return assert_less(arrays.number(0, x.dtype.real_dtype), absolute(x), message=message)


@public("linalg.LinearOperatorDiag")
class LinearOperatorDiag(LinearOperator):
    """An operator that is a diagonal matrix.

    Args:
      diag: a tensor of shape ``[..., n]`` and of a floating-point or complex dtype.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``.
      is_self_adjoint: a promise; a real diagonal always is.
      is_positive_definite: a promise.
      is_square: a promise; it can't be False.
      name: a name.

    Raises:
      ValueError: a hint can't be, or ``diag`` is a scalar.

    >>> import graphlab as tf
    >>> tf.linalg.LinearOperatorDiag([1., 2.]).solvevec([1., 1.]).numpy()
    array([1. , 0.5], dtype=float32)
    """

    _tensor_parameters = ("diag",)

    def __init__(
        self,
        diag: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorDiag",
    ) -> None:
        parameters = dict(locals())
        self._diag = _at_least(arrays.tensor(diag, "diag"), 1, "diag")
        if not self._diag.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("Only square diagonal operators currently supported.")
        super().__init__(
            self._diag.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, parameters
        )

    @property
    def diag(self) -> Any:
        """The diagonal."""
        return self._diag

    def _shape(self) -> TensorShape:
        return arrays.square(self._diag)

    def _shape_tensor(self) -> Any:
        return arrays.square_sizes(self._diag)

    def _along(self, adjoint: bool) -> Any:
        return expand_dims(conj(self._diag) if adjoint else self._diag, -1)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._along(adjoint) * x

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return rhs / self._along(adjoint)

    def _adjoint(self) -> LinearOperator:
        return LinearOperatorDiag(conj(self._diag), **self._hints())

    def _inverse(self) -> LinearOperator:
        return LinearOperatorDiag(1.0 / self._diag, **self._hints())

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorDiag(
            sqrt(self._diag), is_non_singular=True, is_self_adjoint=True, is_positive_definite=True, is_square=True
        )

    def _to_dense(self) -> Any:
        return matrix_diag(self._diag)

    def _diag_part(self) -> Any:
        from graphlab.core.convert import convert_to_tensor

        return convert_to_tensor(self._diag)

    def _determinant(self) -> Any:
        return reduce_prod(self._diag, -1)

    def _log_abs_determinant(self) -> Any:
        return cast(reduce_sum(log(absolute(self._diag)), -1), self.dtype)

    def _eigvals(self) -> Any:
        return self._diag_part()

    def _cond(self) -> Any:
        sizes = absolute(self._diag)
        return reduce_max(sizes, -1) / reduce_min(sizes, -1)

    def _add_to_tensor(self, x: Any) -> Any:
        known = TensorShape(x.shape)
        if known.rank is None or known != self.shape:
            return self._to_dense() + x
        return set_diag(x, diag_part(x) + self._diag)

    def _assert_non_singular(self) -> Any:
        return _assert_no_zero(self._diag_part(), "Singular operator:  Diagonal contained zero values.")

    def _assert_positive_definite(self) -> Any:
        message = "The real part of the diagonal is not positive: the operator is not positive definite."
        return assert_positive(real(self._diag_part()), message=message)

    def _assert_self_adjoint(self) -> Any:
        diag = self._diag_part()
        return assert_equal(diag, conj(diag), message="The diagonal is not real: the operator is not self-adjoint.")
