"""Operators of a size alone: the identity, its multiples, zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.export import public
from graphlab.core.shape import TensorShape, from_raw
from graphlab.eager.linear_operator import arrays
from graphlab.eager.linear_operator.base import LinearOperator
from graphlab.eager.linear_operator.simple import _assert_no_zero
from graphlab.ops.array import concat, expand_dims, stack
from graphlab.ops.array_shape import shape as shape_of
from graphlab.ops.casting import cast
from graphlab.ops.complex import conj, real
from graphlab.ops.creation import ones, zeros
from graphlab.ops.debugging import assert_equal
from graphlab.ops.debugging_signs import assert_non_negative, assert_positive
from graphlab.ops.diagonal import diag_part, set_diag
from graphlab.ops.grids import eye
from graphlab.ops.math import abs as absolute
from graphlab.ops.unary import log, sqrt


def _size(value: Any, name: str, check: bool) -> tuple[Any, int | None]:
    """A number of rows or columns as a tensor, and as an int if it is known."""
    size = arrays.int_tensor(value, name)
    if size.shape.rank not in (None, 0):
        raise ValueError(f"Argument {name} must be a 0-D Tensor.  Found: {value}")
    known = arrays.known_value(size)
    if known is not None and known < 0:
        raise ValueError(f"Argument {name} must be non-negative.  Found: {value}")
    if known is None and check:
        assert_non_negative(size, message=f"Argument {name} must be non-negative.")
    return cast(size, dtypes.int32), None if known is None else int(known)


def _batch(value: Any, check: bool) -> tuple[Any, TensorShape]:
    """A batch shape as a tensor, and what is known of it."""
    if value is None:
        return convert_to_tensor(np.array([], np.int32)), TensorShape([])
    if isinstance(value, TensorShape):
        value = arrays.dims(value)
    batch = convert_to_tensor(np.array(value, np.int32) if isinstance(value, (list, tuple)) and not value else value)
    if not batch.dtype.is_integer:
        raise TypeError(f"Argument batch_shape must be integer type.  Found: {value}")
    if batch.shape.rank not in (None, 1):
        raise ValueError(f"Argument batch_shape must be a 1-D Tensor.  Found: {value}")
    known = arrays.known_value(batch)
    if known is not None and (known < 0).any():
        raise ValueError(f"Argument batch_shape must be non-negative.  Found:{value}")
    if known is None and check:
        assert_non_negative(batch, message="Argument batch_shape must be non-negative.")
    from graphlab.core import static

    return cast(batch, dtypes.int32), from_raw(static.partial_value(batch))


class _Sized(LinearOperator):
    """An operator of ``num_rows`` rows for a batch."""

    _num_rows: Any
    _known_rows: int | None

    def _shape(self) -> TensorShape:
        return self._known_batch().concatenate([self._known_rows, self._known_columns()])

    def _known_batch(self) -> TensorShape:
        raise NotImplementedError

    def _batch_tensor(self) -> Any:
        raise NotImplementedError

    def _known_columns(self) -> int | None:
        return self._known_rows

    def _columns_tensor(self) -> Any:
        return self._num_rows

    def _shape_tensor(self) -> Any:
        return concat([self._batch_tensor(), stack([self._num_rows, self._columns_tensor()])], 0)

    def _repeated(self, x: Any) -> Any:
        return arrays.with_batch(x, self._known_batch(), self._batch_tensor())

    def _vector(self) -> Any:
        return concat([self._batch_tensor(), expand_dims(self._num_rows, 0)], 0)


@public("linalg.LinearOperatorIdentity")
class LinearOperatorIdentity(_Sized):
    """The identity.

    Args:
      num_rows: the number of rows, an integer or an integer scalar tensor.
      batch_shape: the shape of a batch of identities, by default ``[]``.
      dtype: the type of the elements, by default float32.
      is_non_singular: True.
      is_self_adjoint: True.
      is_positive_definite: True.
      is_square: True.
      assert_proper_shapes: look at sizes when they are used, where they are not known before.
      name: a name.

    Raises:
      ValueError: a hint is False, or a size is no scalar or negative.
      TypeError: a size is no integer.

    >>> import graphlab as tf
    >>> tf.linalg.LinearOperatorIdentity(2).to_dense().numpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """

    def __init__(
        self,
        num_rows: Any,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool | None = True,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = True,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorIdentity",
    ) -> None:
        dtype = dtypes.float32 if dtype is None else dtypes.as_dtype(dtype)
        parameters = dict(locals())
        for hint, what in (
            (is_self_adjoint, "self adjoint"),
            (is_non_singular, "non-singular"),
            (is_positive_definite, "positive-definite"),
            (is_square, "square"),
        ):
            if not hint:
                raise ValueError(f"An identity operator is always {what}.")
        self._num_rows, self._known_rows = _size(num_rows, "num_rows", assert_proper_shapes)
        self._batch, self._static_batch = _batch(batch_shape, assert_proper_shapes)
        super().__init__(dtype, None, True, True, True, True, name, parameters)

    def _known_batch(self) -> TensorShape:
        return self._static_batch

    def _batch_tensor(self) -> Any:
        return self._batch

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._repeated(x)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._repeated(rhs)

    def _inverse(self) -> LinearOperator:
        return self

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorIdentity(self._num_rows, batch_shape=self._batch, dtype=self.dtype)

    def _to_dense(self) -> Any:
        return eye(self._num_rows, batch_shape=self._batch, dtype=self.dtype)

    def _diag_part(self) -> Any:
        return ones(self._vector(), dtype=self.dtype)

    def _eigvals(self) -> Any:
        return self._diag_part()

    def _trace(self) -> Any:
        return cast(self._num_rows, self.dtype) * ones(self._batch, dtype=self.dtype)

    def _determinant(self) -> Any:
        return ones(self._batch, dtype=self.dtype)

    def _log_abs_determinant(self) -> Any:
        return zeros(self._batch, dtype=self.dtype)

    def _cond(self) -> Any:
        return ones(self._batch, dtype=self.dtype)

    def _add_to_tensor(self, x: Any) -> Any:
        x = self._repeated(x)
        return set_diag(x, diag_part(x) + arrays.number(1, self.dtype))

    def _assert_non_singular(self) -> Any:
        return None

    def _assert_positive_definite(self) -> Any:
        return None

    def _assert_self_adjoint(self) -> Any:
        return None


@public("linalg.LinearOperatorScaledIdentity")
class LinearOperatorScaledIdentity(_Sized):
    """A multiple of the identity.

    Args:
      num_rows: the number of rows, an integer or an integer scalar tensor.
      multiplier: a tensor of shape ``[...]``, of which each element makes an operator.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``.
      is_self_adjoint: a promise; a real multiple always is.
      is_positive_definite: a promise.
      is_square: True.
      assert_proper_shapes: look at sizes when they are used, where they are not known before.
      name: a name.

    Raises:
      ValueError: a hint can't be, or the size is no scalar or negative.
      TypeError: the size is no integer.

    >>> import graphlab as tf
    >>> tf.linalg.LinearOperatorScaledIdentity(2, 3.).determinant().numpy()
    np.float32(9.0)
    """

    _tensor_parameters = ("multiplier",)

    def __init__(
        self,
        num_rows: Any,
        multiplier: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorScaledIdentity",
    ) -> None:
        parameters = dict(locals())
        if not is_square:
            raise ValueError("A ScaledIdentity operator is always square.")
        self._multiplier = arrays.tensor(multiplier, "multiplier")
        if not self._multiplier.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        self._num_rows, self._known_rows = _size(num_rows, "num_rows", assert_proper_shapes)
        super().__init__(
            self._multiplier.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, parameters
        )

    @property
    def multiplier(self) -> Any:
        """The factors, shape ``[...]``."""
        return self._multiplier

    def _known_batch(self) -> TensorShape:
        return TensorShape(self._multiplier.shape)

    def _batch_tensor(self) -> Any:
        return shape_of(self._multiplier)

    def _factor(self, adjoint: bool = False) -> Any:
        factor = conj(self._multiplier) if adjoint else self._multiplier
        return expand_dims(expand_dims(factor, -1), -1)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return x * self._factor(adjoint)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return rhs / self._factor(adjoint)

    def _again(self, multiplier: Any, **hints: Any) -> LinearOperator:
        return LinearOperatorScaledIdentity(self._num_rows, multiplier, **(hints or self._hints()))

    def _adjoint(self) -> LinearOperator:
        return self._again(conj(self._multiplier))

    def _inverse(self) -> LinearOperator:
        return self._again(1.0 / self._multiplier)

    def _cholesky(self) -> LinearOperator:
        return self._again(
            sqrt(self._multiplier), is_non_singular=True, is_self_adjoint=True, is_positive_definite=True
        )

    def _to_dense(self) -> Any:
        return eye(self._num_rows, batch_shape=self._batch_dims(), dtype=self.dtype) * self._factor()

    def _diag_part(self) -> Any:
        return expand_dims(self._multiplier, -1) * ones(expand_dims(self._num_rows, 0), dtype=self.dtype)

    def _eigvals(self) -> Any:
        return self._diag_part()

    def _trace(self) -> Any:
        return self._multiplier * cast(self._num_rows, self.dtype)

    def _determinant(self) -> Any:
        return self._multiplier ** cast(self._num_rows, self.dtype)

    def _log_abs_determinant(self) -> Any:
        size = cast(self._num_rows, self.dtype.real_dtype)
        return size * log(absolute(self._multiplier))

    def _cond(self) -> Any:
        return ones(self._batch_tensor(), dtype=self.dtype)

    def _add_to_tensor(self, x: Any) -> Any:
        x = self._repeated(x)
        return set_diag(x, diag_part(x) + expand_dims(self._multiplier, -1))

    def _assert_non_singular(self) -> Any:
        return _assert_no_zero(convert_to_tensor(self._multiplier), "LinearOperator was singular")

    def _assert_positive_definite(self) -> Any:
        message = "LinearOperator was not positive definite."
        return assert_positive(real(convert_to_tensor(self._multiplier)), message=message)

    def _assert_self_adjoint(self) -> Any:
        factor = convert_to_tensor(self._multiplier)
        return assert_equal(factor, conj(factor), message="LinearOperator was not self-adjoint.")


@public("linalg.LinearOperatorZeros")
class LinearOperatorZeros(_Sized):
    """The operator that makes everything zero.

    Args:
      num_rows: the number of rows, an integer or an integer scalar tensor.
      num_columns: the number of columns, by default ``num_rows``.
      batch_shape: the shape of a batch of operators, by default ``[]``.
      dtype: the type of the elements, by default float32.
      is_non_singular: False.
      is_self_adjoint: True, unless the operator is not square.
      is_positive_definite: False.
      is_square: whether both sizes are equal.
      assert_proper_shapes: look at sizes when they are used, where they are not known before.
      name: a name.

    Raises:
      ValueError: a hint can't be, or a size is no scalar or negative.
      TypeError: a size is no integer.

    >>> import graphlab as tf
    >>> tf.linalg.LinearOperatorZeros(2).matvec([1., 2.]).numpy()
    array([0., 0.], dtype=float32)
    """

    def __init__(
        self,
        num_rows: Any,
        num_columns: Any = None,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool | None = False,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = False,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorZeros",
    ) -> None:
        dtype = dtypes.float32 if dtype is None else dtypes.as_dtype(dtype)
        num_columns = num_rows if num_columns is None else num_columns
        parameters = dict(locals())
        if not is_self_adjoint and is_square:
            raise ValueError("A zero operator is always self adjoint.")
        if is_non_singular:
            raise ValueError("A zero operator is always singular.")
        if is_positive_definite:
            raise ValueError("A zero operator is always not positive-definite.")
        self._num_rows, self._known_rows = _size(num_rows, "num_rows", assert_proper_shapes)
        self._num_columns, self._static_columns = _size(num_columns, "num_columns", assert_proper_shapes)
        if (
            is_square
            and None not in (self._known_rows, self._static_columns)
            and self._known_rows != self._static_columns
        ):
            raise ValueError(
                f"LinearOperatorZeros initialized as is_square=True, but got num_rows({self._known_rows}) != "
                f"num_columns({self._static_columns})"
            )
        self._batch, self._static_batch = _batch(batch_shape, assert_proper_shapes)
        super().__init__(
            dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name, parameters
        )

    def _known_batch(self) -> TensorShape:
        return self._static_batch

    def _batch_tensor(self) -> Any:
        return self._batch

    def _known_columns(self) -> int | None:
        return self._static_columns

    def _columns_tensor(self) -> Any:
        return self._num_columns

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        sizes = shape_of(x)
        batch = arrays.joined_dims(self._batch, sizes[:-2])
        rows = self._num_columns if adjoint else self._num_rows
        result = zeros(concat([batch, stack([rows, sizes[-1]])], 0), dtype=self.dtype)
        known = TensorShape(x.shape)
        if known.rank is not None:
            tail = [self._static_columns if adjoint else self._known_rows, known.as_list()[-1]]
            result.set_shape(arrays.joined_shape(self._static_batch, known[:-2]).concatenate(tail))
        return result

    def _adjoint(self) -> LinearOperator:
        return LinearOperatorZeros(
            self._num_columns, self._num_rows, self._batch, self.dtype,
            is_self_adjoint=self.is_self_adjoint, is_square=self.is_square,
        )  # fmt: skip

    def _to_dense(self) -> Any:
        return zeros(self._shape_tensor(), dtype=self.dtype)

    def _diag_part(self) -> Any:
        from graphlab.ops.math import minimum

        size = minimum(self._num_rows, self._num_columns)
        return zeros(concat([self._batch, expand_dims(size, 0)], 0), dtype=self.dtype)

    def _eigvals(self) -> Any:
        return self._diag_part()

    def _trace(self) -> Any:
        return zeros(self._batch, dtype=self.dtype)

    def _determinant(self) -> Any:
        return zeros(self._batch, dtype=self.dtype)

    def _log_abs_determinant(self) -> Any:
        return log(zeros(self._batch, dtype=self.dtype))

    def _cond(self) -> Any:
        kind = self.dtype.real_dtype
        return ones(self._batch, dtype=kind) * arrays.number(np.nan, kind)

    def _add_to_tensor(self, x: Any) -> Any:
        return self._repeated(x)

    def _assert_non_singular(self) -> Any:
        raise _always("Zero operators are always non-invertible.")

    def _assert_positive_definite(self) -> Any:
        raise _always("Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self) -> Any:
        return None


def _always(message: str) -> Exception:
    from graphlab.core.errors import InvalidArgumentError

    return InvalidArgumentError(None, None, message)
