"""Operators made of others: the adjoint, the inverse, the product."""

from __future__ import annotations

from functools import reduce
from typing import Any

from graphlab.core.export import public
from graphlab.core.shape import TensorShape
from graphlab.eager.linear_operator import arrays
from graphlab.eager.linear_operator.base import LinearOperator
from graphlab.ops import linalg
from graphlab.ops.array import concat, stack
from graphlab.ops.complex import conj

_HINTS = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")


def _taken_over(operator: LinearOperator, given: dict[str, bool | None], message: str) -> dict[str, bool | None]:
    """The hints of an operator that has just those of another.  ValueError where the user says another thing."""
    found = {}
    for name in _HINTS:
        known = getattr(operator, name)
        if known is not None and given[name] is not None and bool(known) != bool(given[name]):
            raise ValueError(message.format(name.removeprefix("is_").replace("_", "-")))
        found[name] = known if given[name] is None else given[name]
    return found


@public("linalg.LinearOperatorAdjoint")
class LinearOperatorAdjoint(LinearOperator):
    """The adjoint (transposed and conjugated) of an operator.

    Args:
      operator: a LinearOperator.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``; by default that of ``operator``, as the others.
      is_self_adjoint: a promise.
      is_positive_definite: a promise.
      is_square: a promise.
      name: a name; by default that of ``operator`` with ``_adjoint``.

    Raises:
      ValueError: a hint is not that of ``operator``.

    >>> import graphlab as tf
    >>> a = tf.linalg.LinearOperatorFullMatrix([[1., 2.], [3., 4.]])
    >>> tf.linalg.LinearOperatorAdjoint(a).to_dense().numpy()
    array([[1., 3.],
           [2., 4.]], dtype=float32)
    """

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        given = {name: parameters[name] for name in _HINTS}
        hints = _taken_over(operator, given, "An operator is {0} if and only if its adjoint is {0}.")
        self._operator = operator
        super().__init__(operator.dtype, None, **hints, name=name or f"{operator.name}_adjoint", parameters=parameters)

    @property
    def operator(self) -> LinearOperator:
        """The operator of which it is the adjoint."""
        return self._operator

    def _shape(self) -> TensorShape:
        known = self._operator.shape
        return known if known.rank is None else known[:-2].concatenate([known.as_list()[-1], known.as_list()[-2]])

    def _shape_tensor(self) -> Any:
        sizes = self._operator._dims()
        return concat([sizes[:-2], sizes[-1:], sizes[-2:-1]], 0)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._operator._matmul(x, not adjoint)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._operator._solve(rhs, not adjoint)

    def _adjoint(self) -> LinearOperator:
        return self._operator

    def _to_dense(self) -> Any:
        return arrays.adjoint(self._operator._to_dense())

    def _diag_part(self) -> Any:
        return conj(self._operator._diag_part())

    def _trace(self) -> Any:
        return conj(self._operator._trace())

    def _determinant(self) -> Any:
        return conj(self._operator._determinant())

    def _log_abs_determinant(self) -> Any:
        return self._operator._log_abs_determinant()

    def _eigvals(self) -> Any:
        return conj(self._operator._eigvals())

    def _cond(self) -> Any:
        return self._operator._cond()

    def _assert_non_singular(self) -> Any:
        return self._operator._assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        return self._operator._assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        return self._operator._assert_self_adjoint()


@public("linalg.LinearOperatorInversion")
class LinearOperatorInversion(LinearOperator):
    """The inverse of an operator: its products are solutions of systems of linear equations.

    Args:
      operator: a LinearOperator that is not known to be singular or not square.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``; by default that of ``operator``, as the others.
      is_self_adjoint: a promise.
      is_positive_definite: a promise.
      is_square: a promise.
      name: a name; by default that of ``operator`` with ``_inv``.

    Raises:
      ValueError: a hint is not that of ``operator``, or says that there is no inverse.

    >>> import graphlab as tf
    >>> a = tf.linalg.LinearOperatorFullMatrix([[2., 0.], [0., 4.]])
    >>> tf.linalg.LinearOperatorInversion(a).to_dense().numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        given = {name: parameters[name] for name in _HINTS}
        for hint in ("is_non_singular", "is_square"):
            if given[hint] is False or getattr(operator, hint) is False:
                raise ValueError(
                    f"Argument `{hint}` or argument `operator` must have supplied hint `{hint}` equal to `True` or "
                    f"`None`. Found `{hint}`: False"
                )
        hints = _taken_over(operator, given, "An operator is {0} if and only if its inverse is {0}.")
        self._operator = operator
        super().__init__(operator.dtype, None, **hints, name=name or f"{operator.name}_inv", parameters=parameters)

    @property
    def operator(self) -> LinearOperator:
        """The operator of which it is the inverse."""
        return self._operator

    def _shape(self) -> TensorShape:
        return self._operator.shape

    def _shape_tensor(self) -> Any:
        return self._operator._dims()

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._operator._solve(x, adjoint)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._operator._matmul(rhs, adjoint)

    def _inverse(self) -> LinearOperator:
        return self._operator

    def _determinant(self) -> Any:
        return 1.0 / self._operator._determinant()

    def _log_abs_determinant(self) -> Any:
        return -self._operator._log_abs_determinant()

    def _eigvals(self) -> Any:
        return 1.0 / self._operator._eigvals()

    def _cond(self) -> Any:
        return self._operator._cond()

    def _assert_non_singular(self) -> Any:
        return self._operator._assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        return self._operator._assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        return self._operator._assert_self_adjoint()


def checked_operators(operators: Any) -> list[LinearOperator]:
    """A list of operators that is not empty and of one dtype."""
    found = list(operators or ())
    if not found:
        raise ValueError(f"Expected a non-empty list of operators. Found: {operators}")
    if len({operator.dtype for operator in found}) > 1:
        each = "  ".join(f"{(operator.name, operator.dtype)}" for operator in found)
        raise TypeError(f"Expected all operators to have the same dtype.  Found {each}")
    return found


def all_promise(operators: list[LinearOperator], hint: str) -> bool:
    """True if all of them say yes."""
    return all(getattr(operator, hint) for operator in operators)


def joined_batch(operators: list[LinearOperator]) -> TensorShape:
    """What the batches of operators broadcast to, as far as it is known."""
    return arrays.joined_shape(*(operator.batch_shape for operator in operators))


def joined_batch_dims(operators: list[LinearOperator]) -> Any:
    """What the batches of operators broadcast to, as a tensor."""
    return arrays.joined_dims(*(operator._batch_dims() for operator in operators))


@public("linalg.LinearOperatorComposition")
class LinearOperatorComposition(LinearOperator):
    """The product of operators; the last one acts first.

    Args:
      operators: LinearOperators of one dtype whose sizes fit.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``; True if all operators promise it.
      is_self_adjoint: a promise; True for an operator and its adjoint.
      is_positive_definite: a promise; True for an operator and its adjoint that promise to be non-singular.
      is_square: a promise.
      name: a name; by default the names of the operators with ``_o_`` between them.

    Raises:
      ValueError: there are no operators, or a hint can't be.
      TypeError: the dtypes differ.

    >>> import graphlab as tf
    >>> a, b = tf.linalg.LinearOperatorDiag([1., 2.]), tf.linalg.LinearOperatorFullMatrix([[0., 1.], [1., 0.]])
    >>> tf.linalg.LinearOperatorComposition([a, b]).matvec([3., 4.]).numpy()
    array([4., 6.], dtype=float32)
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
        self._operators = checked_operators(operators)
        for left, right in zip(self._operators, self._operators[1:], strict=False):
            if None not in (left._side(-1), right._side(-2)) and left._side(-1) != right._side(-2):
                raise ValueError(f"Operators {left.name} and {right.name} do not fit: {left.shape} and {right.shape}.")
        if all_promise(self._operators, "is_non_singular"):
            if is_non_singular is False:
                raise ValueError("The composition of non-singular operators is always non-singular.")
            is_non_singular = True
        if self._is_with_adjoint():
            if is_self_adjoint is False:
                raise ValueError("The composition of an operator and its adjoint is always self-adjoint.")
            is_self_adjoint = True
            if is_non_singular:
                if is_positive_definite is False:
                    raise ValueError("The composition of a non-singular operator and its adjoint is positive definite.")
                is_positive_definite = True
        super().__init__(
            self._operators[0].dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
            name or "_o_".join(operator.name for operator in self._operators), parameters,
        )  # fmt: skip

    def _is_with_adjoint(self) -> bool:
        if len(self._operators) != 2:
            return False
        a, b = self._operators
        if a is b:
            return bool(a.is_self_adjoint)
        return (isinstance(a, LinearOperatorAdjoint) and a.operator is b) or (
            isinstance(b, LinearOperatorAdjoint) and b.operator is a
        )

    @property
    def operators(self) -> list[LinearOperator]:
        """The operators, the one that acts last first."""
        return self._operators

    def _shape(self) -> TensorShape:
        sides = [self._operators[0]._side(-2), self._operators[-1]._side(-1)]
        return joined_batch(self._operators).concatenate(sides)

    def _shape_tensor(self) -> Any:
        sides = stack([self._operators[0]._rows(), self._operators[-1]._columns()])
        return concat([joined_batch_dims(self._operators), sides], 0)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        for operator in self._operators if adjoint else reversed(self._operators):
            x = operator._matmul(x, adjoint)
        return x

    def _all_square(self) -> bool:
        return all(operator.is_square is not False for operator in self._operators)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        if not self._all_square():
            return super()._solve(rhs, adjoint)
        for operator in reversed(self._operators) if adjoint else self._operators:
            rhs = operator._solve(rhs, adjoint)
        return rhs

    def _determinant(self) -> Any:
        if not self._all_square():
            return linalg.det(self._to_dense())
        return reduce(lambda a, b: a * b, [operator._determinant() for operator in self._operators])

    def _log_abs_determinant(self) -> Any:
        if not self._all_square():
            return linalg.slogdet(self._to_dense()).log_abs_determinant
        return reduce(lambda a, b: a + b, [operator._logarithm() for operator in self._operators])

    def _assert_non_singular(self) -> Any:
        if not self._all_square():
            return super()._assert_non_singular()
        for operator in self._operators:
            operator._assert_non_singular()
        return None
