"""Operators of few numbers: tridiagonal, Toeplitz, Householder, permutations."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.export import public
from graphlab.core.shape import TensorShape
from graphlab.eager.linear_operator import arrays
from graphlab.eager.linear_operator.base import LinearOperator
from graphlab.eager.linear_operator.identity import _always
from graphlab.eager.linear_operator.simple import _at_least
from graphlab.ops import linalg, linalg_banded
from graphlab.ops.array import concat, expand_dims, stack
from graphlab.ops.array_shape import shape as shape_of
from graphlab.ops.casting import cast
from graphlab.ops.comparison import equal
from graphlab.ops.complex import conj
from graphlab.ops.creation import ones, zeros
from graphlab.ops.creation import range as numbers
from graphlab.ops.debugging import assert_equal
from graphlab.ops.diagonal import diag_part, matrix_diag
from graphlab.ops.gather_scatter import gather
from graphlab.ops.grids import one_hot
from graphlab.ops.matmul import matmul
from graphlab.ops.padding import reverse
from graphlab.ops.reduction import reduce_sum
from graphlab.ops.sorting import argsort

_FORMATS = ("compact", "matrix", "sequence")


@public("linalg.LinearOperatorTridiag")
class LinearOperatorTridiag(LinearOperator):
    """A tridiagonal matrix.

    Args:
      diagonals: the diagonals above, on and below the main one, in one of the forms of ``tf.linalg.tridiagonal_solve``.
      diagonals_format: ``"compact"``, ``"matrix"`` or ``"sequence"``.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``.
      is_self_adjoint: a promise.
      is_positive_definite: a promise.
      is_square: a promise.
      name: a name.

    Raises:
      ValueError: the format is another one.

    >>> import graphlab as tf
    >>> a = tf.linalg.LinearOperatorTridiag([[1., 1., 0.], [2., 2., 2.], [0., 3., 3.]])
    >>> a.to_dense().numpy()
    array([[2., 1., 0.],
           [3., 2., 1.],
           [0., 3., 2.]], dtype=float32)
    """

    _tensor_parameters = ("diagonals",)

    def __init__(
        self,
        diagonals: Any,
        diagonals_format: str = "compact",
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorTridiag",
    ) -> None:
        parameters = dict(locals())
        if diagonals_format not in _FORMATS:
            raise ValueError(
                "Argument `diagonals_format` must be one of compact, matrix, or sequence. "
                f"Received : {diagonals_format}."
            )
        self._diagonals_format = diagonals_format
        self._diagonals: Any
        if diagonals_format == "sequence":
            self._diagonals = [arrays.tensor(part, "diagonal") for part in diagonals]
            first = self._diagonals[0]
        else:
            self._diagonals = first = arrays.tensor(diagonals, "diagonals")
        super().__init__(
            first.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name, parameters
        )

    @property
    def diagonals(self) -> Any:
        """The diagonals, in the form in which they were given."""
        return self._diagonals

    @property
    def diagonals_format(self) -> str:
        """The form of the diagonals."""
        return self._diagonals_format

    def _compact(self) -> Any:
        """Shape ``[..., 3, n]``."""
        if self._diagonals_format == "sequence":
            upper, main, lower = self._diagonals
            size = shape_of(main)
            parts = [part + zeros(size, dtype=self.dtype) if part.shape != main.shape else part
                     for part in (upper, main, lower)]  # fmt: skip
            return stack(parts, axis=-2)
        if self._diagonals_format == "matrix":
            return diag_part(self._diagonals, k=(-1, 1), align="LEFT_RIGHT")
        from graphlab.core.convert import convert_to_tensor

        return convert_to_tensor(self._diagonals)

    def _shape(self) -> TensorShape:
        if self._diagonals_format == "matrix":
            return TensorShape(self._diagonals.shape)
        if self._diagonals_format == "sequence":
            known = arrays.joined_shape(*(TensorShape(part.shape)[:-1] for part in self._diagonals))
            last = TensorShape(self._diagonals[1].shape)[-1:]
            return known.concatenate(last).concatenate(last)
        known = TensorShape(self._diagonals.shape)
        return known[:-2].concatenate(known[-1:]).concatenate(known[-1:])

    def _shape_tensor(self) -> Any:
        sizes = shape_of(self._compact())
        return concat([sizes[:-2], sizes[-1:], sizes[-1:]], 0)

    def _directed(self, adjoint: bool) -> Any:
        diagonals = self._compact()
        if not adjoint:
            return diagonals
        parts = linalg_banded.adjoint_diagonals(*(diagonals[..., k : k + 1, :] for k in range(3)))
        return concat(list(parts), -2)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        diagonals, x = arrays.same_batch(self._directed(adjoint), x)
        return linalg_banded.tridiagonal_matmul(diagonals, x)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        diagonals, rhs = arrays.same_batch(self._directed(adjoint), rhs)
        return linalg_banded.tridiagonal_solve(diagonals, rhs)

    def _diag_part(self) -> Any:
        return self._compact()[..., 1, :]

    def _to_dense(self) -> Any:
        return matrix_diag(self._compact(), k=(-1, 1), align="LEFT_RIGHT")


@public("linalg.LinearOperatorToeplitz")
class LinearOperatorToeplitz(LinearOperator):
    """A matrix whose diagonals are constant.

    Args:
      col: the first column, shape ``[..., n]``, of a floating-point or complex dtype.
      row: the first row, likewise; its first element is that of the column.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``.
      is_self_adjoint: a promise.
      is_positive_definite: a promise.
      is_square: a promise; it can't be False.
      name: a name.

    Raises:
      ValueError: ``is_square`` is False, or the lengths differ.

    >>> import graphlab as tf
    >>> tf.linalg.LinearOperatorToeplitz([1., 2.], [1., 3.]).to_dense().numpy()
    array([[1., 3.],
           [2., 1.]], dtype=float32)
    """

    _tensor_parameters = ("col", "row")

    def __init__(
        self,
        col: Any,
        row: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorToeplitz",
    ) -> None:
        parameters = dict(locals())
        self._row, self._col = _at_least(arrays.tensor(row, "row"), 1, "row"), _at_least(arrays.tensor(col), 1, "col")
        if is_square is False:
            raise ValueError("Only square Toeplitz operators currently supported.")
        if not TensorShape(self._row.shape)[-1:].is_compatible_with(TensorShape(self._col.shape)[-1:]):
            raise ValueError("Expected square matrix, got row and col with mismatched dimensions.")
        super().__init__(
            self._row.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, parameters
        )

    @property
    def col(self) -> Any:
        """The first column."""
        return self._col

    @property
    def row(self) -> Any:
        """The first row."""
        return self._row

    def _shape(self) -> TensorShape:
        row, col = TensorShape(self._row.shape), TensorShape(self._col.shape)
        batch = arrays.joined_shape(row[:-1], col[:-1])
        last = row[-1:] if row[-1:].is_fully_defined() else col[-1:]
        return batch.concatenate(last).concatenate(last)

    def _shape_tensor(self) -> Any:
        row, col = shape_of(self._row), shape_of(self._col)
        return concat([arrays.joined_dims(row[:-1], col[:-1]), row[-1:], row[-1:]], 0)

    def _to_dense(self) -> Any:
        row, col = (arrays.with_batch(part, self.batch_shape, self._batch_dims(), 1) for part in (self._row, self._col))
        around = concat([reverse(col, [-1]), row[..., 1:]], -1)  # from the lower left corner to the upper right one
        at = numbers(self._rows())
        return gather(around, self._rows() - 1 + expand_dims(at, 0) - expand_dims(at, 1), axis=-1)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return matmul(self._to_dense(), x, adjoint_a=adjoint)

    def _diag_part(self) -> Any:
        first = arrays.with_batch(self._col[..., :1], self.batch_shape, self._batch_dims(), 1)
        return first * ones(expand_dims(self._rows(), 0), dtype=self.dtype)

    def _trace(self) -> Any:
        return reduce_sum(self._diag_part(), -1)

    def _assert_self_adjoint(self) -> Any:
        message = "row and col are not the same, and so this operator is not self-adjoint."
        return assert_equal(conj(self._row), self._col, message=message)


@public("linalg.LinearOperatorHouseholder")
class LinearOperatorHouseholder(LinearOperator):
    """The reflection at the plane through 0 that is normal to an axis.

    Args:
      reflection_axis: a tensor of shape ``[..., n]``, not zero, of a floating-point or complex dtype.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``.
      is_self_adjoint: True.
      is_positive_definite: False.
      is_square: True.
      name: a name.

    Raises:
      ValueError: a hint can't be, or the axis is a scalar.

    >>> import graphlab as tf
    >>> tf.linalg.LinearOperatorHouseholder([1., 0.]).matvec([2., 3.]).numpy()
    array([-2.,  3.], dtype=float32)
    """

    _tensor_parameters = ("reflection_axis",)

    def __init__(
        self,
        reflection_axis: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorHouseholder",
    ) -> None:
        parameters = dict(locals())
        self._reflection_axis = _at_least(arrays.tensor(reflection_axis, "reflection_axis"), 1, "reflection_axis")
        if is_self_adjoint is False:
            raise ValueError("A Householder operator is always self adjoint.")
        if is_positive_definite:
            raise ValueError("A Householder operator is always non-positive definite.")
        if is_square is False:
            raise ValueError("A Householder operator is always square.")
        super().__init__(self._reflection_axis.dtype, None, is_non_singular, True, False, True, name, parameters)

    @property
    def reflection_axis(self) -> Any:
        """The axis."""
        return self._reflection_axis

    def _shape(self) -> TensorShape:
        return arrays.square(self._reflection_axis)

    def _shape_tensor(self) -> Any:
        return arrays.square_sizes(self._reflection_axis)

    def _unit(self) -> Any:
        from graphlab.core.convert import convert_to_tensor
        from graphlab.ops.linalg_functions import norm

        axis = convert_to_tensor(self._reflection_axis)
        return axis / norm(axis, axis=-1, keepdims=True)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        unit = expand_dims(self._unit(), -1)
        return x - 2 * unit * matmul(unit, x, adjoint_a=True)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._matmul(rhs, adjoint)

    def _inverse(self) -> LinearOperator:
        return self

    def _diag_part(self) -> Any:
        unit = self._unit()
        return 1 - 2 * unit * conj(unit)

    def _trace(self) -> Any:
        return self._each(1) * cast(self._rows() - 2, self.dtype)

    def _each(self, value: float) -> Any:
        return ones(self._batch_dims(), dtype=self.dtype) * arrays.number(value, self.dtype)

    def _determinant(self) -> Any:
        return self._each(-1)

    def _log_abs_determinant(self) -> Any:
        return self._each(0)

    def _eigvals(self) -> Any:
        rest = concat([self._batch_dims(), expand_dims(self._rows() - 1, 0)], 0)
        return concat([expand_dims(self._each(-1), -1), ones(rest, dtype=self.dtype)], -1)

    def _cond(self) -> Any:
        return ones(self._batch_dims(), dtype=self.dtype)

    def _assert_non_singular(self) -> Any:
        return None

    def _assert_positive_definite(self) -> Any:
        raise _always("Householder operators are always non-positive definite.")

    def _assert_self_adjoint(self) -> Any:
        return None


@public("linalg.LinearOperatorPermutation")
class LinearOperatorPermutation(LinearOperator):
    """A permutation of the elements: ``(A x)[i] = x[perm[i]]``.

    Args:
      perm: int32 or int64, shape ``[..., n]``, each row a permutation of 0 to n - 1.
      dtype: the type of the elements.
      is_non_singular: True.
      is_self_adjoint: a promise, see ``tf.linalg.LinearOperator``.
      is_positive_definite: a promise.
      is_square: True.
      name: a name.

    Raises:
      TypeError: ``perm`` has another dtype.
      ValueError: ``perm`` is known to be no permutation, or a hint can't be.

    >>> import graphlab as tf
    >>> tf.linalg.LinearOperatorPermutation([2, 0, 1]).matvec([1., 2., 3.]).numpy()
    array([3., 1., 2.], dtype=float32)
    """

    _tensor_parameters = ("perm",)

    def __init__(
        self,
        perm: Any,
        dtype: Any = dtypes.float32,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorPermutation",
    ) -> None:
        dtype = dtypes.as_dtype(dtype)
        parameters = dict(locals())
        if is_non_singular is False or is_square is False:
            what = "non-singular" if is_non_singular is False else "square"
            raise ValueError(f"A Permutation operator is always {what}. Expected the hint to be True.")
        self._perm = arrays.tensor(perm, "perm")
        if not self._perm.dtype.is_integer:
            raise TypeError(f"Argument `perm` must be integer dtype. Received: {perm}.")
        _at_least(self._perm, 1, "perm")
        known = arrays.known_value(self._perm)
        if known is not None and (np.sort(known, -1) != np.arange(known.shape[-1])).any():
            raise ValueError(f"Argument `perm` must be a vector of unique integers from 0 to {known.shape[-1] - 1}.")
        super().__init__(dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, parameters)

    @property
    def perm(self) -> Any:
        """The permutation."""
        return self._perm

    def _shape(self) -> TensorShape:
        return arrays.square(self._perm)

    def _shape_tensor(self) -> Any:
        return arrays.square_sizes(self._perm)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        perm = argsort(self._perm, axis=-1) if adjoint else self._perm
        if perm.shape.rank == 1:
            return gather(x, perm, axis=-2)
        perm = expand_dims(perm, -1)
        perm, x = arrays.same_batch(perm, x)
        rank = x.shape.rank
        if rank is None:
            return matmul(self._dense_of(perm[..., 0]), x)
        return gather(x, perm[..., 0], axis=rank - 2, batch_dims=rank - 2)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._matmul(rhs, not adjoint)

    def _dense_of(self, perm: Any) -> Any:
        return one_hot(perm, self._columns(), dtype=self.dtype)

    def _to_dense(self) -> Any:
        return self._dense_of(self._perm)

    def _diag_part(self) -> Any:
        return cast(equal(self._perm, numbers(shape_of(self._perm, out_type=self._perm.dtype)[-1])), self.dtype)

    def _determinant(self) -> Any:
        return linalg.slogdet(self._to_dense()).sign

    def _log_abs_determinant(self) -> Any:
        return zeros(self._batch_dims(), dtype=self.dtype)

    def _cond(self) -> Any:
        return ones(self._batch_dims(), dtype=self.dtype)

    def _assert_non_singular(self) -> Any:
        return None
