"""Operators of blocks: on the diagonal, and on and below it."""

from __future__ import annotations

from functools import reduce
from typing import Any

from graphlab.core.convert import convert_to_tensor
from graphlab.core.export import public
from graphlab.core.shape import TensorShape
from graphlab.eager.linear_operator import arrays
from graphlab.eager.linear_operator.base import LinearOperator
from graphlab.eager.linear_operator.kronecker import OfSquares, always
from graphlab.eager.linear_operator.wrappers import (
    all_promise,
    checked_operators,
    joined_batch,
    joined_batch_dims,
)
from graphlab.ops import linalg
from graphlab.ops.array import concat, split, stack
from graphlab.ops.array_shape import shape as shape_of
from graphlab.ops.creation import zeros


def _total(sizes: list[int | None]) -> int | None:
    return None if None in sizes else sum(sizes)  # type: ignore[arg-type]


class _Blocks(LinearOperator):
    """An operator that also takes and gives its arguments block by block, as lists."""

    def _diagonal_blocks(self) -> list[LinearOperator]:
        raise NotImplementedError

    def _everything(self) -> list[LinearOperator]:
        return self._diagonal_blocks()

    def _shape(self) -> TensorShape:
        blocks = self._diagonal_blocks()
        sides = [_total([block._side(axis) for block in blocks]) for axis in (-2, -1)]
        return joined_batch(self._everything()).concatenate(sides)

    def _shape_tensor(self) -> Any:
        blocks = self._diagonal_blocks()
        rows = reduce(lambda a, b: a + b, [block._rows() for block in blocks])
        columns = reduce(lambda a, b: a + b, [block._columns() for block in blocks])
        return concat([joined_batch_dims(self._everything()), stack([rows, columns])], 0)

    def _is_blockwise(self, x: Any, axes: int) -> bool:
        """Whether an argument is a list with a tensor for each block."""
        if not isinstance(x, (list, tuple)) or len(x) != len(self._diagonal_blocks()):
            return False
        ranks = [getattr(getattr(part, "shape", None), "__len__", None) for part in x]
        return all(rank is not None and rank() >= axes for rank in ranks)

    def _given(self, x: list[Any], adjoint: bool, adjoint_arg: bool, solving: bool) -> list[Any]:
        return [
            block._argument(part, adjoint, adjoint_arg, solving)
            for block, part in zip(self._diagonal_blocks(), x, strict=True)
        ]

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        """Multiplies by matrices, or by another operator.

        Args:
          x: as for ``LinearOperator.matmul``; or a list of tensors, one for the rows of each block.
          adjoint: multiply with the adjoint of this operator.
          adjoint_arg: multiply with the adjoint of ``x``.
          name: a name for the nodes.

        Returns:
          A tensor or an operator; for a list, a list.
        """
        if self._is_blockwise(x, 2):
            with self._scope(name):
                return self._matmul_blocks(self._given(x, adjoint, adjoint_arg, False), adjoint)
        return super().matmul(x, adjoint, adjoint_arg, name)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """Multiplies by vectors: a tensor ``[..., n]``, or a list of tensors, one for each block."""
        if self._is_blockwise(x, 1):
            return self._by_columns(x, lambda parts: self.matmul(parts, adjoint, name=name))
        return super().matvec(x, adjoint, name)

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Any:
        """Solves systems of linear equations; as ``matmul``, also for lists of tensors, one for each block."""
        if self._is_blockwise(rhs, 2):
            self._check_solvable()
            with self._scope(name):
                return self._solve_blocks(self._given(rhs, adjoint, adjoint_arg, True), adjoint)
        return super().solve(rhs, adjoint, adjoint_arg, name)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """Solves one system for each matrix: a tensor ``[..., m]``, or a list of tensors, one for each block."""
        if self._is_blockwise(rhs, 1):
            return self._by_columns(rhs, lambda parts: self.solve(parts, adjoint, name=name))
        return super().solvevec(rhs, adjoint, name)

    def _by_columns(self, parts: list[Any], function: Any) -> list[Any]:
        from graphlab.ops.array import expand_dims, squeeze

        return [squeeze(y, -1) for y in function([expand_dims(convert_to_tensor(part), -1) for part in parts])]

    def _split(self, x: Any, by_rows: bool) -> list[Any]:
        axis = -2 if by_rows else -1
        sizes: list[Any] = [block._side(axis) for block in self._diagonal_blocks()]
        if None in sizes:
            sizes = stack([block._rows() if by_rows else block._columns() for block in self._diagonal_blocks()])
        parts: list[Any] = split(x, sizes, axis=-2, num=len(self._diagonal_blocks()))
        return parts

    def _joined(self, parts: list[Any]) -> Any:
        """The blocks' rows below each other, each repeated for the batch that all have."""
        batch = arrays.joined_shape(*(TensorShape(part.shape)[:-2] for part in parts))
        if batch.rank != 0:
            dims = arrays.joined_dims(*(shape_of(part)[:-2] for part in parts))
            parts = [arrays.with_batch(part, batch, dims) for part in parts]
        return concat(parts, -2)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._joined(self._matmul_blocks(self._split(x, adjoint), adjoint))

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._joined(self._solve_blocks(self._split(rhs, not adjoint), adjoint))

    def _matmul_blocks(self, x: list[Any], adjoint: bool) -> list[Any]:
        raise NotImplementedError

    def _solve_blocks(self, rhs: list[Any], adjoint: bool) -> list[Any]:
        raise NotImplementedError

    def _dense_of(self, rows: Any) -> Any:
        """The matrix whose rows of blocks are given up to the diagonal; None is zero, as is what is above."""
        blocks = self._diagonal_blocks()
        batch, dims = self.batch_shape, self._batch_dims()
        lines = []
        for i, row in enumerate(rows):
            line = []
            for j, column in enumerate(blocks):
                block = row[j] if j <= i else None
                if block is None:
                    sizes = concat([dims, stack([blocks[i]._rows(), column._columns()])], 0)
                    line.append(zeros(sizes, dtype=self.dtype))
                else:
                    line.append(arrays.with_batch(block._to_dense(), batch, dims))
            lines.append(concat(line, -1))
        result = concat(lines, -2)
        result.set_shape(self.shape)
        return result

    def _end_to_end(self, vectors: list[Any]) -> Any:
        batch, dims = self.batch_shape, self._batch_dims()
        return concat([arrays.with_batch(vector, batch, dims, 1) for vector in vectors], -1)

    def _determinant(self) -> Any:
        return reduce(lambda a, b: a * b, [block._determinant() for block in self._diagonal_blocks()])

    def _log_abs_determinant(self) -> Any:
        return reduce(lambda a, b: a + b, [block._logarithm() for block in self._diagonal_blocks()])

    def _diag_part(self) -> Any:
        if not all_promise(self._diagonal_blocks(), "is_square"):
            return super()._diag_part()
        return self._end_to_end([block._diag_part() for block in self._diagonal_blocks()])

    def _trace(self) -> Any:
        if not all_promise(self._diagonal_blocks(), "is_square"):
            return super()._trace()
        return reduce(lambda a, b: a + b, [block._trace() for block in self._diagonal_blocks()])

    def _assert_non_singular(self) -> Any:
        for block in self._diagonal_blocks():
            block._assert_non_singular()
        return None


@public("linalg.LinearOperatorBlockDiag")
class LinearOperatorBlockDiag(OfSquares, _Blocks):
    """An operator with operators on its diagonal, and zero elsewhere.

    Args:
      operators: LinearOperators of one dtype.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``; True if all operators promise it, as the next two.
      is_self_adjoint: a promise.
      is_positive_definite: a promise.
      is_square: a promise; by default whether all operators are square.
      name: a name; by default the names of the operators with ``_ds_`` between them.

    Raises:
      ValueError: there are no operators, or a hint can't be.
      TypeError: the dtypes differ.

    >>> import graphlab as tf
    >>> a, b = tf.linalg.LinearOperatorIdentity(1), tf.linalg.LinearOperatorFullMatrix([[1., 2.], [3., 4.]])
    >>> tf.linalg.LinearOperatorBlockDiag([a, b]).to_dense().numpy()
    array([[1., 0., 0.],
           [0., 1., 2.],
           [0., 3., 4.]], dtype=float32)
    """

    def __init__(
        self,
        operators: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        found = self._operators = checked_operators(operators)
        message = "The direct sum of {0} operators is always {0}."
        is_non_singular = always("is_non_singular", is_non_singular, found, message.format("non-singular"))
        is_self_adjoint = always("is_self_adjoint", is_self_adjoint, found, message.format("self-adjoint"))
        is_positive_definite = always(
            "is_positive_definite", is_positive_definite, found, message.format("positive definite")
        )
        if is_square and any(operator.is_square is False for operator in found):
            is_square = None  # the sizes of the whole say whether it is
        super().__init__(
            found[0].dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
            name or "_ds_".join(operator.name for operator in found), parameters,
        )  # fmt: skip

    @property
    def operators(self) -> list[LinearOperator]:
        """The operators on the diagonal."""
        return self._operators

    def _diagonal_blocks(self) -> list[LinearOperator]:
        return self._operators

    def _matmul_blocks(self, x: list[Any], adjoint: bool) -> list[Any]:
        return [block._matmul(part, adjoint) for block, part in zip(self._operators, x, strict=True)]

    def _to_dense(self) -> Any:
        return self._dense_of([[None] * i + [block] for i, block in enumerate(self._operators)])

    def _solve_blocks(self, rhs: list[Any], adjoint: bool) -> list[Any]:
        return [block._solve(part, adjoint) for block, part in zip(self._operators, rhs, strict=True)]

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return super()._solve(rhs, adjoint) if self._all_square() else LinearOperator._solve(self, rhs, adjoint)

    def _determinant(self) -> Any:
        return super()._determinant() if self._all_square() else linalg.det(self._to_dense())

    def _log_abs_determinant(self) -> Any:
        if not self._all_square():
            return linalg.slogdet(self._to_dense()).log_abs_determinant
        return super()._log_abs_determinant()

    def _eigvals(self) -> Any:
        if not all_promise(self._operators, "is_self_adjoint"):
            return LinearOperator._eigvals(self)
        return self._end_to_end([block._eigvals() for block in self._operators])

    def _of(self, operators: list[LinearOperator], **hints: Any) -> LinearOperator:
        return LinearOperatorBlockDiag(operators, **hints)

    def _assert_non_singular(self) -> Any:
        return super()._assert_non_singular() if self._all_square() else LinearOperator._assert_non_singular(self)


@public("linalg.LinearOperatorBlockLowerTriangular")
class LinearOperatorBlockLowerTriangular(_Blocks):
    """An operator with operators on and below its diagonal, and zero above.

    Args:
      operators: lists of LinearOperators of one dtype, one for each row of blocks: the first has one operator, the next
        two, and so on. Those on the diagonal are square.
      is_non_singular: a promise, see ``tf.linalg.LinearOperator``; by default whether all on the diagonal promise it.
      is_self_adjoint: a promise.
      is_positive_definite: a promise.
      is_square: True.
      name: a name.

    Raises:
      ValueError: the rows have other lengths, sizes don't fit, or a hint can't be.
      TypeError: the dtypes differ.

    >>> import graphlab as tf
    >>> one, two = tf.linalg.LinearOperatorIdentity(1), tf.linalg.LinearOperatorFullMatrix([[2.]])
    >>> tf.linalg.LinearOperatorBlockLowerTriangular([[one], [two, one]]).solvevec([1., 5.]).numpy()
    array([1., 3.], dtype=float32)
    """

    def __init__(
        self,
        operators: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorBlockLowerTriangular",
    ) -> None:
        parameters = dict(locals())
        rows = self._operators = [list(row) for row in operators or ()]
        everything = checked_operators([operator for row in rows for operator in row])
        for i, row in enumerate(rows):
            if len(row) != i + 1:
                raise ValueError(f"Row {i} of the blocks must have {i + 1} operators, not {len(row)}.")
        self._check_sizes_of_blocks()
        if is_square is False:
            raise ValueError(
                "`LinearOperatorBlockLowerTriangular` must be square. Expected argument `is_square` to be True."
            )
        diagonal = [row[-1] for row in rows]
        promised = all_promise(diagonal, "is_non_singular")
        if any(block.is_non_singular is False for block in diagonal):
            if is_non_singular:
                raise ValueError("A block lower triangular operator with a singular block on its diagonal is singular.")
            is_non_singular = False
        elif promised:
            if is_non_singular is False:
                raise ValueError("A block lower triangular operator with non-singular diagonal blocks is non-singular.")
            is_non_singular = True
        super().__init__(
            everything[0].dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, parameters
        )

    def _check_sizes_of_blocks(self) -> None:
        rows = self._operators
        for i, row in enumerate(rows):
            if row[-1].is_square is False:
                raise ValueError(f"The block on the diagonal of row {i} must be square, not of shape {row[-1].shape}.")
            for j, block in enumerate(row):
                fits = [(block._side(-2), row[-1]._side(-2)), (block._side(-1), rows[j][-1]._side(-1))]
                if any(None not in pair and pair[0] != pair[1] for pair in fits):
                    raise ValueError(f"The block in row {i} and column {j} does not fit: shape {block.shape}.")

    @property
    def operators(self) -> list[list[LinearOperator]]:
        """The rows of blocks."""
        return self._operators

    def _diagonal_blocks(self) -> list[LinearOperator]:
        return [row[-1] for row in self._operators]

    def _everything(self) -> list[LinearOperator]:
        return [operator for row in self._operators for operator in row]

    def _matmul_blocks(self, x: list[Any], adjoint: bool) -> list[Any]:
        rows = self._operators
        results = []
        for i in range(len(rows)):
            if adjoint:
                parts = [rows[k][i]._matmul(x[k], True) for k in range(i, len(rows))]
            else:
                parts = [block._matmul(x[j], False) for j, block in enumerate(rows[i])]
            results.append(reduce(lambda a, b: a + b, parts))
        return results

    def _solve_blocks(self, rhs: list[Any], adjoint: bool) -> list[Any]:
        """Substitution: forward, and backward for the adjoint."""
        rows = self._operators
        n = len(rows)
        found: dict[int, Any] = {}
        for i in range(n - 1, -1, -1) if adjoint else range(n):
            right = rhs[i]
            for j in range(i + 1, n) if adjoint else range(i):
                right = right - (rows[j][i] if adjoint else rows[i][j])._matmul(found[j], adjoint)
            found[i] = rows[i][i]._solve(right, adjoint)
        return [found[i] for i in range(n)]

    def _to_dense(self) -> Any:
        return self._dense_of(self._operators)

    def _inverse(self) -> LinearOperator:
        """The inverse is of this class too: its blocks by substitution."""
        from graphlab.eager.linear_operator import rules
        from graphlab.eager.linear_operator.identity import LinearOperatorScaledIdentity
        from graphlab.eager.linear_operator.simple import LinearOperatorFullMatrix

        rows = self._operators
        if len(rows) == 1:
            return LinearOperatorBlockLowerTriangular([[rows[0][0].inverse()]], **self._hints())
        found: list[list[LinearOperator]] = []
        for i, row in enumerate(rows):
            mine = row[i].inverse()
            size: Any = row[i]._side(-2)
            minus = LinearOperatorScaledIdentity(
                row[i]._rows() if size is None else size, arrays.number(-1, self.dtype)
            )
            line = []
            for j in range(i):
                parts = [row[k]._matmul(found[k][j]._to_dense(), False) for k in range(j, i)]
                total = reduce(lambda a, b: a + b, parts)
                line.append(rules.product(minus, rules.product(mine, LinearOperatorFullMatrix(total))))
            found.append([*line, mine])
        return LinearOperatorBlockLowerTriangular(found, **self._hints())

    def _eigvals(self) -> Any:
        return LinearOperator._eigvals(self)
