"""Kronecker products, and operators changed by a matrix of low rank."""

from __future__ import annotations

from functools import reduce
from typing import Any

from graphlab.core.convert import convert_to_tensor
from graphlab.core.export import public
from graphlab.core.shape import TensorShape
from graphlab.eager.linear_operator import arrays
from graphlab.eager.linear_operator.base import LinearOperator
from graphlab.eager.linear_operator.identity import LinearOperatorIdentity
from graphlab.eager.linear_operator.simple import LinearOperatorDiag
from graphlab.eager.linear_operator.wrappers import (
    all_promise,
    checked_operators,
    joined_batch,
    joined_batch_dims,
)
from graphlab.ops import linalg
from graphlab.ops.array import concat, expand_dims, reshape, stack
from graphlab.ops.array_shape import shape as shape_of
from graphlab.ops.casting import cast
from graphlab.ops.einsum import einsum
from graphlab.ops.matmul import matmul


def always(name: str, given: bool | None, operators: list[LinearOperator], message: str) -> bool | None:
    """A hint that holds if it holds for all operators.  ValueError if the user denies it."""
    if all_promise(operators, name):
        if given is False:
            raise ValueError(message)
        return True
    return given


class OfSquares(LinearOperator):
    """What a Kronecker product and a direct sum have in common: each of their operators is asked by itself."""

    _operators: list[LinearOperator]

    def _of(self, operators: list[LinearOperator], **hints: Any) -> LinearOperator:
        """The same of other operators."""
        raise NotImplementedError

    def _all_square(self) -> bool:
        return all_promise(self._operators, "is_square")

    def _adjoint(self) -> LinearOperator:
        return self._of([operator.adjoint() for operator in self._operators], **self._hints())

    def _inverse(self) -> LinearOperator:
        if not self._all_square():
            return super()._inverse()
        return self._of([operator.inverse() for operator in self._operators], **self._hints())

    def _cholesky(self) -> LinearOperator:
        if not all(operator._can_use_cholesky() for operator in self._operators):
            return super()._cholesky()
        factors = [operator.cholesky() for operator in self._operators]
        return self._of(factors, is_non_singular=True, is_square=True)


@public("linalg.LinearOperatorKronecker")
class LinearOperatorKronecker(OfSquares):
    """The Kronecker product of operators.

    Args:
      operators: LinearOperators of one dtype.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``; True if all operators promise it, as the next two.
      is_self_adjoint: a promise.
      is_positive_definite: a promise.
      is_square: a promise.
      name: a name; by default the names of the operators with ``_x_`` between them.

    Raises:
      ValueError: there are no operators, or a hint can't be.
      TypeError: the dtypes differ.

    >>> import graphlab as tf
    >>> a, b = tf.linalg.LinearOperatorDiag([1., 2.]), tf.linalg.LinearOperatorFullMatrix([[0., 1.], [1., 0.]])
    >>> tf.linalg.LinearOperatorKronecker([a, b]).to_dense().numpy()
    array([[0., 1., 0., 0.],
           [1., 0., 0., 0.],
           [0., 0., 0., 2.],
           [0., 0., 2., 0.]], dtype=float32)
    """

    def __init__(
        self,
        operators: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        found = self._operators = checked_operators(operators)
        if all_promise(found, "is_square") and is_square is not False:
            is_square = True
        message = "The Kronecker product of {0} operators is always {0}. Expected argument `is_{1}` to be True."
        is_non_singular = always(
            "is_non_singular", is_non_singular, found, message.format("non-singular", "non_singular")
        )
        is_self_adjoint = always(
            "is_self_adjoint", is_self_adjoint, found, message.format("self-adjoint", "self_adjoint")
        )
        is_positive_definite = always(
            "is_positive_definite", is_positive_definite, found,
            message.format("positive-definite", "positive_definite"),
        )  # fmt: skip
        super().__init__(
            found[0].dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
            name or "_x_".join(operator.name for operator in found), parameters,
        )  # fmt: skip

    @property
    def operators(self) -> list[LinearOperator]:
        """The operators."""
        return self._operators

    def _shape(self) -> TensorShape:
        sides = []
        for axis in (-2, -1):
            each = [operator._side(axis) for operator in self._operators]
            sides.append(None if None in each else reduce(lambda a, b: a * b, each))  # type: ignore[operator]
        return joined_batch(self._operators).concatenate(sides)

    def _shape_tensor(self) -> Any:
        rows = reduce(lambda a, b: a * b, [operator._rows() for operator in self._operators])
        columns = reduce(lambda a, b: a * b, [operator._columns() for operator in self._operators])
        return concat([joined_batch_dims(self._operators), stack([rows, columns])], 0)

    def _one_by_one(self, x: Any, solving: bool, adjoint: bool) -> Any:
        """Each operator acts on its own axis of the columns, which stand as blocks within blocks."""
        known = TensorShape(x.shape)
        done: Any = 1
        for operator in self._operators:
            inner = operator._rows() if adjoint != solving else operator._columns()
            sizes = shape_of(x)
            k = sizes[-1]
            lead = sizes[:-2]
            # [..., done, inner, rest] → inner first, the others side by side.
            blocks = reshape(x, concat([lead, stack([done, inner, -1])], 0))
            blocks = einsum("...abc->...bac", blocks)
            rest = shape_of(blocks)[-1]
            flat = reshape(blocks, concat([lead, stack([inner, done * rest])], 0))
            flat = operator._solve(flat, adjoint) if solving else operator._matmul(flat, adjoint)
            sizes = shape_of(flat)
            blocks = reshape(flat, concat([sizes[:-1], stack([done, rest])], 0))
            x = reshape(einsum("...bac->...abc", blocks), concat([sizes[:-2], stack([-1, k])], 0))
            done = done * sizes[-2]
        if known.rank is not None:
            tail = [self._side(-1 if adjoint != solving else -2), known.as_list()[-1]]
            x.set_shape(arrays.joined_shape(self.batch_shape, known[:-2]).concatenate(tail))
        return x

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._one_by_one(x, False, adjoint)

    def _to_dense(self) -> Any:
        def pair(a: Any, b: Any) -> Any:
            a, b = arrays.same_batch(a, b)
            both = einsum("...ij,...kl->...ikjl", a, b)
            sizes = shape_of(both)
            tail = stack([sizes[-4] * sizes[-3], sizes[-2] * sizes[-1]])
            return reshape(both, concat([sizes[:-4], tail], 0))

        result = reduce(pair, [operator._to_dense() for operator in self._operators])
        result.set_shape(self.shape)
        return result

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._one_by_one(rhs, True, adjoint) if self._all_square() else super()._solve(rhs, adjoint)

    def _of(self, operators: list[LinearOperator], **hints: Any) -> LinearOperator:
        return LinearOperatorKronecker(operators, **hints)

    def _products(self, vectors: list[Any]) -> Any:
        """All products of elements, one of each vector."""

        def pair(a: Any, b: Any) -> Any:
            both = expand_dims(a, -1) * expand_dims(b, -2)
            return reshape(both, concat([shape_of(both)[:-2], [-1]], 0))

        return reduce(pair, vectors)

    def _diag_part(self) -> Any:
        if not self._all_square():
            return super()._diag_part()
        return self._products([operator._diag_part() for operator in self._operators])

    def _trace(self) -> Any:
        if not self._all_square():
            return super()._trace()
        return reduce(lambda a, b: a * b, [operator._trace() for operator in self._operators])

    def _eigvals(self) -> Any:
        if not all_promise(self._operators, "is_self_adjoint"):
            return super()._eigvals()
        return self._products([operator._eigvals() for operator in self._operators])

    def _times(self, operator: LinearOperator) -> Any:
        """How often an operator's determinant counts."""
        return cast(self._rows() // operator._rows(), self.dtype)

    def _determinant(self) -> Any:
        if not self._all_square():
            return linalg.det(self._to_dense())
        powers = [operator._determinant() ** self._times(operator) for operator in self._operators]
        return reduce(lambda a, b: a * b, powers)

    def _log_abs_determinant(self) -> Any:
        if not self._all_square():
            return linalg.slogdet(self._to_dense()).log_abs_determinant
        parts = [operator._logarithm() * self._times(operator) for operator in self._operators]
        return reduce(lambda a, b: a + b, parts)

    def _assert_non_singular(self) -> Any:
        if not self._all_square():
            return super()._assert_non_singular()
        for operator in self._operators:
            operator._assert_non_singular()
        return None


@public("linalg.LinearOperatorLowRankUpdate")
class LinearOperatorLowRankUpdate(LinearOperator):
    """An operator L changed by a matrix of low rank: ``L + U D V^H``, D being diagonal.

    Args:
      base_operator: L, a LinearOperator of shape ``[..., m, n]``.
      u: U, a tensor of shape ``[..., m, k]``.
      diag_update: the diagonal of D, a tensor of shape ``[..., k]``; ones by default.
      v: V, a tensor of shape ``[..., n, k]``; ``u`` by default.
      is_diag_update_positive: a promise that the diagonal is positive; it is without ``diag_update``.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``.
      is_self_adjoint: a promise; True if L is, ``v`` is left out and the diagonal is real.
      is_positive_definite: a promise; True if L is besides, and the diagonal is positive.
      is_square: a promise.
      name: a name.

    Raises:
      ValueError: a hint can't be, or shapes don't fit.
      TypeError: the dtypes differ.

    >>> import graphlab as tf
    >>> a = tf.linalg.LinearOperatorLowRankUpdate(tf.linalg.LinearOperatorDiag([1., 2.]), [[1.], [1.]])
    >>> a.to_dense().numpy()
    array([[2., 1.],
           [1., 3.]], dtype=float32)
    """

    _tensor_parameters = ("u", "diag_update", "v")

    def __init__(
        self,
        base_operator: LinearOperator,
        u: Any,
        diag_update: Any = None,
        v: Any = None,
        is_diag_update_positive: bool | None = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowRankUpdate",
    ) -> None:
        parameters = dict(locals())
        dtype = base_operator.dtype
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError("Default diagonal is the identity, which is positive.")
            is_diag_update_positive = True
        self._base_operator = base_operator
        self._u = arrays.tensor(u, "u")
        self._v = self._u if v is None else arrays.tensor(v, "v")
        self._diag_update = None if diag_update is None else arrays.tensor(diag_update, "diag_update")
        for part in (self._u, self._v, self._diag_update):
            if part is not None and part.dtype is not dtype:
                raise TypeError(f"The operator has dtype {dtype!r}, and the update {part.dtype!r}.")
        self._is_diag_update_positive = is_diag_update_positive
        self._check_shapes()
        real_update = self._diag_update is None or not dtype.is_complex
        symmetric = bool(base_operator.is_self_adjoint and v is None and real_update)
        if symmetric:
            if is_self_adjoint is False:
                raise ValueError(
                    "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is self-adjoint, this must "
                    "be a self-adjoint operator."
                )
            is_self_adjoint = True
        if symmetric and base_operator.is_positive_definite and is_diag_update_positive:
            if is_positive_definite is False or is_non_singular is False:
                raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
            is_positive_definite = True
        super().__init__(
            dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name, parameters
        )

    def _check_shapes(self) -> None:
        base = self._base_operator
        for part, axis, letter in ((self._u, -2, "u"), (self._v, -1, "v")):
            known = TensorShape(part.shape)
            if known.rank is None:
                continue
            if known.rank < 2:
                raise ValueError(f"Argument {letter} must have at least 2 dimensions.  Found: {known}")
            size, rows = base._side(axis), known.as_list()[-2]
            if None not in (size, rows) and size != rows:
                raise ValueError(
                    f"Dimensions {size} and {rows} are not compatible: {letter} does not fit the operator."
                )
        if not TensorShape(self._u.shape)[-1:].is_compatible_with(TensorShape(self._v.shape)[-1:]):
            raise ValueError(f"Shapes {self._u.shape} and {self._v.shape} of u and v are not compatible.")
        if self._diag_update is not None and not TensorShape(self._u.shape)[-1:].is_compatible_with(
            TensorShape(self._diag_update.shape)[-1:]
        ):
            raise ValueError(f"Shapes {self._u.shape} of u and {self._diag_update.shape} of diag_update do not fit.")

    @property
    def base_operator(self) -> LinearOperator:
        """L."""
        return self._base_operator

    @property
    def u(self) -> Any:
        """U."""
        return self._u

    @property
    def v(self) -> Any:
        """V."""
        return self._v

    @property
    def diag_update(self) -> Any:
        """The diagonal of D, or None for ones."""
        return self._diag_update

    @property
    def is_diag_update_positive(self) -> bool | None:
        """Whether the diagonal of D is positive; None if that is not known."""
        return self._is_diag_update_positive

    @property
    def diag_operator(self) -> LinearOperator:
        """D as an operator."""
        if self._diag_update is None:
            columns = TensorShape(self._u.shape)[-1:].as_list()[0] if self._u.shape.rank is not None else None
            return LinearOperatorIdentity(shape_of(self._u)[-1] if columns is None else columns, dtype=self.dtype)
        return LinearOperatorDiag(self._diag_update, is_positive_definite=self._is_diag_update_positive)

    def _parts_batch(self) -> list[TensorShape]:
        parts = [self._base_operator.batch_shape, TensorShape(self._u.shape)[:-2], TensorShape(self._v.shape)[:-2]]
        return parts if self._diag_update is None else [*parts, TensorShape(self._diag_update.shape)[:-1]]

    def _shape(self) -> TensorShape:
        return arrays.joined_shape(*self._parts_batch()).concatenate(self._base_operator.shape[-2:])

    def _shape_tensor(self) -> Any:
        parts = [self._base_operator._batch_dims(), shape_of(self._u)[:-2], shape_of(self._v)[:-2]]
        if self._diag_update is not None:
            parts.append(shape_of(self._diag_update)[:-1])
        return concat([arrays.joined_dims(*parts), self._base_operator._dims()[-2:]], 0)

    def _sides(self, adjoint: bool) -> tuple[Any, Any]:
        return (self._v, self._u) if adjoint else (self._u, self._v)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        left, right = self._sides(adjoint)
        small = self.diag_operator._matmul(matmul(right, x, adjoint_a=True), adjoint)
        return self._base_operator._matmul(x, adjoint) + matmul(left, small)

    def _capacitance(self, adjoint: bool = False) -> Any:
        """``D^-1 + V^H L^-1 U``."""
        left, right = self._sides(adjoint)
        core = matmul(right, self._base_operator._solve(convert_to_tensor(left), adjoint), adjoint_a=True)
        inverse = self.diag_operator._inverse()
        return inverse._matmul(LinearOperatorIdentity(shape_of(left)[-1], dtype=self.dtype)._to_dense(), adjoint) + core

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        """Sherman, Morrison and Woodbury: ``L^-1 - L^-1 U C^-1 V^H L^-1`` with C the capacitance."""
        left, right = self._sides(adjoint)
        first = self._base_operator._solve(rhs, adjoint)
        inner = matmul(right, first, adjoint_a=True)
        inner = arrays.dense_solve(self._capacitance(adjoint), inner)
        return first - self._base_operator._solve(matmul(left, inner), adjoint)

    def _determinant(self) -> Any:
        d = self.diag_operator._determinant()
        return linalg.det(self._capacitance()) * d * self._base_operator._determinant()

    def _log_abs_determinant(self) -> Any:
        core = linalg.slogdet(self._capacitance()).log_abs_determinant
        d = self.diag_operator._logarithm()
        return core + d + self._base_operator._logarithm()
