"""``tf.linalg.LinearOperator``: what every operator can do, by its dense matrix if by nothing better."""

from __future__ import annotations

import abc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.export import public
from graphlab.core.shape import Dimension, TensorShape
from graphlab.core.specs import CompositeTensor
from graphlab.eager.linear_operator import arrays
from graphlab.eager.linear_operator.spec import LinearOperatorSpec, spec_of
from graphlab.eager.module import Module
from graphlab.ops import linalg
from graphlab.ops.array import expand_dims, squeeze
from graphlab.ops.casting import cast
from graphlab.ops.complex import real
from graphlab.ops.debugging import assert_equal, assert_less
from graphlab.ops.diagonal import diag_part
from graphlab.ops.grids import eye
from graphlab.ops.linalg_decompositions import eigvalsh, svd
from graphlab.ops.reduction import reduce_max, reduce_min, reduce_sum
from graphlab.ops.unary import exp, log


@public("linalg.LinearOperator")
class LinearOperator(Module, CompositeTensor, metaclass=abc.ABCMeta):
    """A matrix, or a batch of matrices, that may be known only by its products.

    A subclass defines ``_shape`` (the static shape ``[..., m, n]``), ``_shape_tensor`` and ``_matmul(x, adjoint)``, and
    whatever it can compute better than with its dense matrix. The hints are promises of the user: True, False, or None
    for not known.

    Args:
      dtype: the type of the elements.
      graph_parents: has no effect.
      is_non_singular: the matrix can be inverted.
      is_self_adjoint: the matrix is its own adjoint.
      is_positive_definite: ``x^H A x`` has a positive real part for all ``x`` but zero.
      is_square: the matrix is square.
      name: a valid Python identifier; by default the name of the class.
      parameters: the arguments from which the operator was made.

    Raises:
      ValueError: the hints contradict each other.

    >>> import graphlab as tf
    >>> a = tf.linalg.LinearOperatorDiag([1., 2.]) @ tf.linalg.LinearOperatorFullMatrix([[0., 1.], [1., 0.]])
    >>> a.to_dense().numpy()
    array([[0., 1.],
           [2., 0.]], dtype=float32)
    """

    _tensor_parameters: tuple[str, ...] = ()

    def __init__(
        self,
        dtype: Any,
        graph_parents: Any = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
        parameters: dict[str, Any] | None = None,
    ) -> None:
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        if is_non_singular:
            if is_square is False:
                raise ValueError("A non-singular matrix is always square.")
            is_square = True
        if is_self_adjoint:
            if is_square is False:
                raise ValueError("A self-adjoint matrix is always square.")
            is_square = True
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype)
        self._is_non_singular, self._is_self_adjoint = is_non_singular, is_self_adjoint
        self._is_positive_definite, self._is_square_hint = is_positive_definite, is_square
        self._parameters = {k: v for k, v in (parameters or {}).items() if k not in ("self", "__class__")}
        self._graph_parents = list(graph_parents or ())
        super().__init__(name=name or type(self).__name__)

    # ------------------------------------------------------------------------------------------------- what it is

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments from which it was made, by name."""
        return dict(self._parameters)

    @property
    def graph_parents(self) -> list[Any]:
        """An empty list, unless a subclass gave the constructor another."""
        return self._graph_parents

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        return self._dtype

    @property
    def is_non_singular(self) -> bool | None:
        """Whether the matrix can be inverted; None if that is not known."""
        return self._is_non_singular

    @property
    def is_self_adjoint(self) -> bool | None:
        """Whether the matrix is its own adjoint; None if that is not known."""
        return self._is_self_adjoint

    @property
    def is_positive_definite(self) -> bool | None:
        """Whether the matrix is positive definite; None if that is not known."""
        return self._is_positive_definite

    @property
    def is_square(self) -> bool | None:
        """Whether the matrix is square, by its shape or the hint; None if that is not known."""
        rows, columns = self._side(-2), self._side(-1)
        square = None if rows is None or columns is None else rows == columns
        if square and self._is_square_hint is False:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return square if self._is_square_hint is None else self._is_square_hint

    @abc.abstractmethod
    def _shape(self) -> TensorShape:
        """What is known of the shape ``[..., m, n]``."""

    @abc.abstractmethod
    def _matmul(self, x: Any, adjoint: bool) -> Any:
        """The product with a tensor of shape ``[..., n, k]``."""

    def _shape_tensor(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} must define _shape_tensor: its shape is not known.")

    @property
    def shape(self) -> TensorShape:
        """What is known of the shape ``[..., m, n]``."""
        return self._shape()

    @property
    def batch_shape(self) -> TensorShape:
        """What is known of the shape without its last two sizes."""
        return self.shape[:-2]

    @property
    def tensor_rank(self) -> int | None:
        """The number of axes, None if that is not known."""
        return self.shape.rank

    @property
    def domain_dimension(self) -> Dimension:
        """The number of columns, which may be unknown."""
        return Dimension(self._side(-1))

    @property
    def range_dimension(self) -> Dimension:
        """The number of rows, which may be unknown."""
        return Dimension(self._side(-2))

    def _side(self, axis: int) -> int | None:
        shape = self.shape
        return None if shape.rank is None else shape.as_list()[axis]

    @contextmanager
    def _scope(self, name: str | None) -> Iterator[None]:
        with name_scope(None, self.name), name_scope(None, name or "operator"):
            yield

    def _dims(self) -> Any:
        shape = self.shape
        return arrays.dims(shape) if shape.is_fully_defined() else self._shape_tensor()

    def shape_tensor(self, name: str = "shape_tensor") -> Any:
        """The shape as an int32 vector."""
        with self._scope(name):
            return self._dims()

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """The shape without its last two sizes as an int32 vector."""
        with self._scope(name):
            return self._batch_dims()

    def _batch_dims(self) -> Any:
        batch = self.batch_shape
        return arrays.dims(batch) if batch.is_fully_defined() else self._dims()[:-2]

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Any:
        """The number of axes as an int32 scalar."""
        from graphlab.ops.array_shape import size

        with self._scope(name):
            rank = self.tensor_rank
            return size(self._dims()) if rank is None else convert_to_tensor(rank, dtypes.int32)

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Any:
        """The number of columns as an int32 scalar."""
        with self._scope(name):
            return self._columns()

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Any:
        """The number of rows as an int32 scalar."""
        with self._scope(name):
            return self._rows()

    def _columns(self) -> Any:
        known = self._side(-1)
        return self._dims()[-1] if known is None else convert_to_tensor(known, dtypes.int32)

    def _rows(self) -> Any:
        known = self._side(-2)
        return self._dims()[-2] if known is None else convert_to_tensor(known, dtypes.int32)

    # --------------------------------------------------------------------------------------------------- products

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        """Multiplies by matrices, or by another operator.

        Args:
          x: a tensor of this dtype and of shape ``[..., n, k]``; or an operator.
          adjoint: multiply with the adjoint of this operator.
          adjoint_arg: multiply with the adjoint of ``x``.
          name: a name for the nodes.

        Returns:
          A tensor of shape ``[..., m, k]``; or an operator, of a class that keeps the structure if there is one.

        Raises:
          TypeError: ``x`` has another dtype.
          ValueError: the sizes don't fit.
        """
        if isinstance(x, LinearOperator):
            from graphlab.eager.linear_operator import rules

            left, right = (self.adjoint() if adjoint else self), (x.adjoint() if adjoint_arg else x)
            _check_operators(left._side(-1), right._side(-2), "x")
            with self._scope(name):
                return rules.product(left, right)
        with self._scope(name):
            return self._matmul(self._argument(x, adjoint, adjoint_arg), adjoint)

    def _argument(self, x: Any, adjoint: bool, adjoint_arg: bool, solving: bool = False) -> Any:
        """A right side as a tensor that fits."""
        x = convert_to_tensor(x, name="x")
        self._check_dtype(x)
        known = TensorShape(x.shape)
        if known.rank is not None and known.rank < 2:
            raise ValueError(f"Expected a tensor with at least 2 axes, not one of shape {known}.")
        if adjoint_arg:
            x = arrays.adjoint(x)
            known = TensorShape(x.shape)
        mine = self._side(-2 if adjoint != solving else -1)
        _check_sizes(mine, None if known.rank is None else known.as_list()[-2])
        return x

    def _check_dtype(self, x: Any) -> None:
        if x.dtype is not self.dtype:
            raise TypeError(f"Expected argument to have dtype {self.dtype!r}.  Found: {x.dtype!r} in tensor {x}")

    def __matmul__(self, other: Any) -> Any:
        """As ``matmul``."""
        return self.matmul(other)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """Multiplies by vectors.

        Args:
          x: a tensor of this dtype and of shape ``[..., n]``.
          adjoint: multiply with the adjoint of this operator.
          name: a name for the nodes.

        Returns:
          A tensor of shape ``[..., m]``.
        """
        with self._scope(name):
            return self._vectors(x, lambda columns: self._matmul(self._argument(columns, adjoint, False), adjoint))

    def _vectors(self, x: Any, function: Any) -> Any:
        return squeeze(function(expand_dims(convert_to_tensor(x, name="x"), -1)), -1)

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Any:
        """Solves systems of linear equations ``A @ x = rhs``.

        Args:
          rhs: a tensor of this dtype and of shape ``[..., m, k]``; or an operator.
          adjoint: solve with the adjoint of this operator.
          adjoint_arg: take the adjoint of ``rhs``.
          name: a name for the nodes.

        Returns:
          A tensor of shape ``[..., n, k]``; or an operator.

        Raises:
          NotImplementedError: the operator is known to be singular or not square.
          TypeError: ``rhs`` has another dtype.
          ValueError: the sizes don't fit.
        """
        self._check_solvable()
        if isinstance(rhs, LinearOperator):
            from graphlab.eager.linear_operator import rules

            left, right = (self.adjoint() if adjoint else self), (rhs.adjoint() if adjoint_arg else rhs)
            _check_operators(left._side(-2), right._side(-2), "rhs")
            with self._scope(name):
                return rules.quotient(left, right)
        with self._scope(name):
            return self._solve(self._argument(rhs, adjoint, adjoint_arg, solving=True), adjoint)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """Solves one system of linear equations for each matrix.

        Args:
          rhs: a tensor of this dtype and of shape ``[..., m]``.
          adjoint: solve with the adjoint of this operator.
          name: a name for the nodes.

        Returns:
          A tensor of shape ``[..., n]``.

        Raises:
          NotImplementedError: the operator is known to be singular or not square.
        """
        self._check_solvable()
        with self._scope(name):
            return self._vectors(rhs, lambda b: self._solve(self._argument(b, adjoint, False, solving=True), adjoint))

    def _check_solvable(self) -> None:
        if self.is_non_singular is False:
            raise NotImplementedError("Exact solve not implemented for an operator that is expected to be singular.")
        if self.is_square is False:
            raise NotImplementedError("Exact solve not implemented for an operator that is expected to not be square.")

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        if self._can_use_cholesky():
            return arrays.cholesky_solve(linalg.cholesky(self._to_dense()), rhs)
        return arrays.dense_solve(self._to_dense(), rhs, adjoint)

    def _can_use_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    # ------------------------------------------------------------------------------------------ operators from it

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """The adjoint (transposed and conjugated) operator."""
        with self._scope(name):
            return self if self.is_self_adjoint else self._adjoint()

    H = property(adjoint, None)

    def _adjoint(self) -> LinearOperator:
        from graphlab.eager.linear_operator.wrappers import LinearOperatorAdjoint

        return LinearOperatorAdjoint(self, **self._hints())

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """The inverse operator.

        Raises:
          ValueError: the operator is known to be singular or not square.
        """
        if self.is_square is False:
            raise ValueError("Cannot take the Inverse: This operator represents a non square matrix.")
        if self.is_non_singular is False:
            raise ValueError("Cannot take the Inverse: This operator represents a singular matrix.")
        with self._scope(name):
            return self._inverse()

    def _inverse(self) -> LinearOperator:
        from graphlab.eager.linear_operator.wrappers import LinearOperatorInversion

        return LinearOperatorInversion(self, **self._hints())

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """The lower triangular Cholesky factor, as an operator.

        Raises:
          ValueError: the operator does not promise that it is self-adjoint and positive definite.
        """
        if not self._can_use_cholesky():
            raise ValueError("Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.")
        with self._scope(name):
            return self._cholesky()

    def _cholesky(self) -> LinearOperator:
        from graphlab.eager.linear_operator.simple import LinearOperatorLowerTriangular

        return LinearOperatorLowerTriangular(
            linalg.cholesky(self._to_dense()), is_non_singular=True, is_self_adjoint=False, is_square=True
        )

    def _hints(self) -> dict[str, Any]:
        return {
            "is_non_singular": self.is_non_singular,
            "is_self_adjoint": self.is_self_adjoint,
            "is_positive_definite": self.is_positive_definite,
            "is_square": self.is_square,
        }

    # ---------------------------------------------------------------------------------------------- numbers of it

    def to_dense(self, name: str = "to_dense") -> Any:
        """The matrices as a tensor of shape ``[..., m, n]``."""
        with self._scope(name):
            return self._to_dense()

    def _to_dense(self) -> Any:
        one = eye(self._columns(), batch_shape=self._batch_dims(), dtype=self.dtype)
        result = self._matmul(one, False)
        result.set_shape(self.shape)
        return result

    def diag_part(self, name: str = "diag_part") -> Any:
        """The diagonals, shape ``[..., min(m, n)]``."""
        with self._scope(name):
            return self._diag_part()

    def _diag_part(self) -> Any:
        return diag_part(self._to_dense())

    def trace(self, name: str = "trace") -> Any:
        """The sums of the diagonals, shape ``[...]``."""
        with self._scope(name):
            return self._trace()

    def _trace(self) -> Any:
        return reduce_sum(self._diag_part(), -1)

    def determinant(self, name: str = "det") -> Any:
        """The determinants, shape ``[...]``.

        Raises:
          NotImplementedError: the operator is known not to be square.
        """
        self._check_determinant()
        with self._scope(name):
            return self._determinant()

    def _check_determinant(self) -> None:
        if self.is_square is False:
            raise NotImplementedError("Determinant not implemented for an operator that is expected to not be square.")

    def _determinant(self) -> Any:
        if self._can_use_cholesky():
            return exp(self._log_abs_determinant())
        return linalg.det(self._to_dense())

    def log_abs_determinant(self, name: str = "log_abs_det") -> Any:
        """The logarithms of the absolute values of the determinants, shape ``[...]``.

        Raises:
          NotImplementedError: the operator is known not to be square.
        """
        self._check_determinant()
        with self._scope(name):
            return self._log_abs_determinant()

    def _log_abs_determinant(self) -> Any:
        if self._can_use_cholesky():
            return 2 * reduce_sum(log(diag_part(linalg.cholesky(self._to_dense()))), -1)
        return linalg.slogdet(self._to_dense()).log_abs_determinant

    def _logarithm(self) -> Any:
        """The same in this dtype, which that of a complex triangular matrix has not."""
        return cast(self._log_abs_determinant(), self.dtype)

    def eigvals(self, name: str = "eigvals") -> Any:
        """The eigenvalues of a self-adjoint operator, shape ``[..., n]``.

        Raises:
          NotImplementedError: the operator does not promise that it is self-adjoint.
        """
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        with self._scope(name):
            return self._eigvals()

    def _eigvals(self) -> Any:
        return eigvalsh(self._to_dense())

    def cond(self, name: str = "cond") -> Any:
        """The quotients of the largest and the smallest singular value, shape ``[...]``."""
        with self._scope(name):
            return self._cond()

    def _cond(self) -> Any:
        values = svd(self._to_dense(), compute_uv=False)
        return cast(reduce_max(values, -1) / reduce_min(values, -1), self.dtype.real_dtype)

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Any:
        """The sums of the matrices and a tensor.

        Args:
          x: a tensor of this dtype and of a shape that broadcasts with ``[..., m, n]``.
          name: a name for the nodes.
        """
        with self._scope(name):
            x = convert_to_tensor(x, name="x")
            self._check_dtype(x)
            return self._add_to_tensor(x)

    def _add_to_tensor(self, x: Any) -> Any:
        return self._to_dense() + x

    # -------------------------------------------------------------------------------------------------- assertions

    def assert_non_singular(self, name: str = "assert_non_singular") -> Any:
        """Asserts that the matrices can be inverted in this precision.

        Raises:
          tf.errors.InvalidArgumentError: one of them can't.
        """
        with self._scope(name):
            return self._assert_non_singular()

    def _assert_non_singular(self) -> Any:
        kind = self.dtype.real_dtype
        limit = arrays.number(1.0 / float(np.finfo(kind.np).eps), kind)
        return assert_less(self._cond(), limit, message="Singular matrix up to precision epsilon.")

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Any:
        """Asserts that the matrices are positive definite.

        Raises:
          tf.errors.InvalidArgumentError: one of them is not.
        """
        with self._scope(name):
            return self._assert_positive_definite()

    def _assert_positive_definite(self) -> Any:
        from graphlab.ops.debugging_signs import assert_positive

        dense = self._to_dense()
        half = (dense + arrays.adjoint(dense)) * arrays.number(0.5, self.dtype)
        return assert_positive(
            real(eigvalsh(half)),
            message="The matrix is not positive definite: its symmetric part has such eigenvalues.",
        )

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> Any:
        """Asserts that the matrices are their own adjoints.

        Raises:
          tf.errors.InvalidArgumentError: one of them is not.
        """
        with self._scope(name):
            return self._assert_self_adjoint()

    def _assert_self_adjoint(self) -> Any:
        dense = self._to_dense()
        return assert_equal(dense, arrays.adjoint(dense), message="Matrix was not equal to its adjoint.")

    # ------------------------------------------------------------------------------------------ as one of a function

    @property
    def _type_spec(self) -> LinearOperatorSpec:
        return spec_of(self)

    def _shape_invariant_to_type_spec(self, shape: Any) -> Any:
        raise NotImplementedError("Linear operators have no shape invariants.")


def _check_operators(mine: int | None, other: int | None, name: str) -> None:
    if mine is not None and other is not None and mine != other:
        raise ValueError(f"Operators are incompatible. Expected `{name}` to have dimension {mine} but got {other}.")


def _check_sizes(mine: int | None, other: int | None) -> None:
    if mine is not None and other is not None and mine != other:
        raise ValueError(f"Dimensions {mine} and {other} are not compatible")
