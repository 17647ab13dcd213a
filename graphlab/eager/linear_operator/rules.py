"""Products and quotients of operators, by the classes of both: which of them keep their structure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphlab.eager.linear_operator.base import LinearOperator
from graphlab.eager.linear_operator.blocks import LinearOperatorBlockDiag
from graphlab.eager.linear_operator.circulant import _Circulant
from graphlab.eager.linear_operator.identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
    LinearOperatorZeros,
)
from graphlab.eager.linear_operator.simple import LinearOperatorDiag, LinearOperatorLowerTriangular
from graphlab.eager.linear_operator.wrappers import LinearOperatorComposition, LinearOperatorInversion

Rule = Callable[[Any, Any], LinearOperator]


def product(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    """``left @ right``."""
    if isinstance(left, LinearOperatorIdentity):
        return right
    if isinstance(right, LinearOperatorIdentity):
        return left
    if isinstance(left, LinearOperatorZeros) or isinstance(right, LinearOperatorZeros):
        return _zeros(left, right)
    rule = _rule(left, right, _PRODUCTS)
    return _composition(left, right) if rule is None else rule(left, right)


def quotient(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    """``left^-1 @ right``."""
    if isinstance(left, LinearOperatorIdentity):
        return right
    if isinstance(left, LinearOperatorInversion):
        return product(left.operator, right)
    if isinstance(right, LinearOperatorIdentity):
        return left.inverse()
    rule = _rule(left, right, _QUOTIENTS)
    return _composition(LinearOperatorInversion(left), right) if rule is None else rule(left, right)


def _rule(left: LinearOperator, right: LinearOperator, rules: dict[tuple[Any, Any], Rule]) -> Rule | None:
    for (first, second), rule in rules.items():
        if isinstance(left, first) and isinstance(right, second):
            if first is _Circulant and type(left) is not type(right):
                continue
            if first is LinearOperatorBlockDiag and not _same_blocks(left, right):
                continue
            return rule
    return None


def _same_blocks(left: Any, right: Any) -> bool:
    pairs = zip(left.operators, right.operators, strict=False)
    return len(left.operators) == len(right.operators) and all(
        a._side(-1) == b._side(-2) and a._side(-1) is not None for a, b in pairs
    )


def _square(left: LinearOperator, right: LinearOperator) -> bool | None:
    rows, columns = left._side(-2), right._side(-1)
    if rows is not None and columns is not None:
        return rows == columns
    return True if left.is_square and right.is_square else None


def _non_singular(left: LinearOperator, right: LinearOperator) -> bool | None:
    if left.is_non_singular is False or right.is_non_singular is False:
        return False
    return True if left.is_non_singular and right.is_non_singular else None


def _commuting(left: LinearOperator, right: LinearOperator) -> dict[str, Any]:
    """The hints of a product of operators that commute."""
    definite = left.is_positive_definite and right.is_positive_definite
    adjoint = left.is_self_adjoint and right.is_self_adjoint
    return {
        "is_non_singular": _non_singular(left, right),
        "is_self_adjoint": True if adjoint else None,
        "is_positive_definite": True if definite and adjoint else None,
        "is_square": True,
    }


def _composition(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    square = _square(left, right)
    if square is False:
        return LinearOperatorComposition(
            [left, right], is_non_singular=False, is_self_adjoint=False, is_positive_definite=False, is_square=False
        )
    return LinearOperatorComposition([left, right], is_non_singular=_non_singular(left, right), is_square=square)


def _zeros(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    from graphlab.eager.linear_operator import arrays

    batch: Any = arrays.joined_shape(left.batch_shape, right.batch_shape)
    if not batch.is_fully_defined():
        batch = arrays.joined_dims(left._batch_dims(), right._batch_dims())
    rows: Any = left._side(-2)
    columns: Any = right._side(-1)
    square = bool(_square(left, right))
    return LinearOperatorZeros(
        left._rows() if rows is None else rows, right._columns() if columns is None else columns, batch, left.dtype,
        is_self_adjoint=square, is_square=square,
    )  # fmt: skip


def _diagonal(operator: Any) -> Any:
    """The diagonal of a diagonal operator, or of a multiple of the identity beside it."""
    from graphlab.ops.array import expand_dims

    return operator.diag if isinstance(operator, LinearOperatorDiag) else expand_dims(operator.multiplier, -1)


def _diag(function: Callable[[Any, Any], Any]) -> Rule:
    def rule(left: Any, right: Any) -> LinearOperator:
        diagonal = function(_diagonal(left), _diagonal(right))
        return LinearOperatorDiag(diagonal, **_commuting(left, right))

    return rule


def _scaled(function: Callable[[Any, Any], Any]) -> Rule:
    def rule(left: Any, right: Any) -> LinearOperator:
        size = left._side(-2)
        rows = left._rows() if size is None else size
        return LinearOperatorScaledIdentity(
            rows, function(left.multiplier, right.multiplier), **_commuting(left, right)
        )

    return rule


def _circulant(function: Callable[[Any, Any], Any]) -> Rule:
    def rule(left: Any, right: Any) -> LinearOperator:
        a, b = left.spectrum, right.spectrum
        if a.dtype is not b.dtype:
            a, b = left._complex(a), right._complex(b)
        hints = _commuting(left, right)
        if not a.dtype.is_complex:
            hints["is_self_adjoint"] = True
        return type(left)(function(a, b), left.dtype, **hints)  # type: ignore[no-any-return]

    return rule


def _triangular_rows(left: Any, right: Any) -> LinearOperator:
    return _triangular(left, right, left._matmul(right._to_dense(), False))


def _triangular_columns(left: Any, right: Any) -> LinearOperator:
    from graphlab.ops.array import expand_dims

    return _triangular(left, right, left._to_dense() * expand_dims(right.diag, -2))


def _triangular_divided(left: Any, right: Any) -> LinearOperator:
    return _triangular(left, right, left._solve(right._to_dense(), False))


def _triangular(left: LinearOperator, right: LinearOperator, tril: Any) -> LinearOperator:
    return LinearOperatorLowerTriangular(tril, is_non_singular=_non_singular(left, right), is_square=True)


def _blocks(function: Rule) -> Rule:
    def rule(left: Any, right: Any) -> LinearOperator:
        blocks = [function(a, b) for a, b in zip(left.operators, right.operators, strict=True)]
        square = all(block.is_square for block in blocks)
        return LinearOperatorBlockDiag(
            blocks, is_non_singular=_non_singular(left, right), is_square=True if square else None
        )

    return rule


def _times(a: Any, b: Any) -> Any:
    return a * b


def _divided(a: Any, b: Any) -> Any:
    return b / a


def _table(of: Callable[[Any, Any], Any], rows: Rule, blocks: Rule) -> dict[tuple[Any, Any], Rule]:
    return {
        (LinearOperatorScaledIdentity, LinearOperatorScaledIdentity): _scaled(of),
        (LinearOperatorScaledIdentity, LinearOperatorDiag): _diag(of),
        (LinearOperatorDiag, LinearOperatorScaledIdentity): _diag(of),
        (LinearOperatorDiag, LinearOperatorDiag): _diag(of),
        (LinearOperatorDiag, LinearOperatorLowerTriangular): rows,
        (_Circulant, _Circulant): _circulant(of),
        (LinearOperatorBlockDiag, LinearOperatorBlockDiag): _blocks(blocks),
    }


_PRODUCTS = _table(_times, _triangular_rows, product) | {
    (LinearOperatorLowerTriangular, LinearOperatorDiag): _triangular_columns
}
_QUOTIENTS = _table(_divided, _triangular_divided, quotient)
