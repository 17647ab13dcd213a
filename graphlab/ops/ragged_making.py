"""Further ways of making RaggedTensors, and of looking at all levels of their rows: ``RaggedTensor`` inherits them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import misfit, name_scope
from graphlab.core.specs import CompositeTensor
from graphlab.core.tensor import EagerTensor
from graphlab.ops.lazily import ops


class RaggedMaking(CompositeTensor):
    """What can be said of a RaggedTensor by means of its rows alone."""

    __slots__ = ()

    @classmethod
    def _made(cls) -> Any:
        return cls

    @classmethod
    def from_row_starts(cls, values: Any, row_starts: Any, name: str | None = None, validate: bool = True) -> Self:
        """Rows that begin at ``row_starts`` and end where the next begins.

        Raises:
          tf.errors.InvalidArgumentError: if the first does not begin at 0, or one begins before the one before it.
        """
        with name_scope(name, "RaggedFromRowStarts"):
            values = values_of(values, misfit)
            starts = partition(row_starts, "row_starts")
            count = _count(values, starts.dtype)
            return cls._made().from_row_splits(values, ops.concat([starts, [count]], 0), validate=validate)  # type: ignore[no-any-return]

    @classmethod
    def from_row_limits(cls, values: Any, row_limits: Any, name: str | None = None, validate: bool = True) -> Self:
        """Rows that end at ``row_limits``, each beginning where the one before it ends.

        Raises:
          tf.errors.InvalidArgumentError: if one ends before it begins, or the last not with the values.
        """
        with name_scope(name, "RaggedFromRowLimits"):
            values = values_of(values, misfit)
            limits = partition(row_limits, "row_limits")
            splits = ops.concat([ops.cast([0], limits.dtype), limits], 0)
            return cls._made().from_row_splits(values, splits, validate=validate)  # type: ignore[no-any-return]

    @classmethod
    def from_uniform_row_length(
        cls, values: Any, uniform_row_length: Any, nrows: Any = None, validate: bool = True, name: str | None = None
    ) -> Self:
        """Rows that all have one length.

        Args:
          values: the values, a tensor or RaggedTensor.
          uniform_row_length: that length, an int or scalar tensor.
          nrows: how many rows, needed if the length is 0.
          validate: whether lengths are compared with the values.
          name: a name for the nodes.

        Raises:
          ValueError: for a negative length, or one that the values can't have.

        >>> import graphlab as tf
        >>> tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2).shape
        TensorShape([2, 2])
        """
        with name_scope(name, "RaggedFromUniformRowLength"):
            values = values if isinstance(values, RaggedMaking) else convert_to_tensor(values, name="values")
            if isinstance(uniform_row_length, float | str):
                raise ValueError(f"uniform_row_length must be an int, not {uniform_row_length!r:.100}.")
            if isinstance(nrows, list | tuple):
                raise TypeError(f"nrows must be an int, not {nrows!r:.100}.")
            length = convert_to_tensor(uniform_row_length, dtypes.int64, name="uniform_row_length")
            count = _count(values, length.dtype)
            known = ops.get_static_value(length)
            if known is not None and known < 0:
                raise ValueError(f"uniform_row_length must be >= 0, but is {int(known)}.")
            if nrows is None:
                nrows = count // ops.maximum(length, 1)
            nrows = convert_to_tensor(nrows, dtypes.int64, name="nrows")
            if validate:
                _check_uniform(length, nrows, count)
            made = cls._made().from_row_splits(values, ops.range(nrows + 1) * length, validate=False)
            made._uniform = length
            return made  # type: ignore[no-any-return]

    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Sequence[Any], name: str | None = None, validate: bool = True
    ) -> Self:
        """Rows in rows: a vector of ``row_splits`` for each level, the outermost first."""
        return cls._nested(flat_values, nested_row_splits, "from_row_splits", name, validate)

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Sequence[Any], name: str | None = None, validate: bool = True
    ) -> Self:
        """Rows in rows: a vector of lengths for each level, the outermost first."""
        return cls._nested(flat_values, nested_row_lengths, "from_row_lengths", name, validate)

    @classmethod
    def _nested(cls, values: Any, levels: Sequence[Any], how: str, name: str | None, validate: bool) -> Self:
        if hasattr(levels, "dtype"):
            raise TypeError(f"The levels must be a list of tensors, not {levels!r}.")
        with name_scope(name, "RaggedFromNestedRows"):
            for level in reversed(levels):
                values = getattr(cls._made(), how)(values, level, validate=validate)
            return values  # type: ignore[no-any-return]

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: Any,
        nested_value_rowids: Sequence[Any],
        nested_nrows: Sequence[Any] | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Rows in rows: for each level, the outermost first, the row of each value, and how many rows there are.

        Raises:
          ValueError: as many numbers of rows as levels are needed.
        """
        counts = [None] * len(nested_value_rowids) if nested_nrows is None else list(nested_nrows)
        if len(counts) != len(nested_value_rowids):
            raise ValueError("nested_nrows must have the same length as nested_value_rowids.")
        with name_scope(name, "RaggedFromNestedValueRowIds"):
            values = flat_values
            for rowids, count in zip(reversed(nested_value_rowids), reversed(counts), strict=True):
                values = cls._made().from_value_rowids(values, rowids, count, validate=validate)
            return values  # type: ignore[no-any-return]

    # -- all levels ----------------------------------------------------------------------------------------------------

    def _levels(self) -> list[Any]:
        found: list[Any] = []
        level: Any = self
        while isinstance(level, RaggedMaking):
            found.append(level)
            level = level.values  # type: ignore[attr-defined]
        return found

    def nested_row_lengths(self, name: str | None = None) -> tuple[Any, ...]:
        """The lengths of the rows of each level, the outermost first."""
        with name_scope(name, "RaggedNestedRowLengths"):
            return tuple(level.row_lengths() for level in self._levels())

    def nested_value_rowids(self, name: str | None = None) -> tuple[Any, ...]:
        """The row of each value of each level, the outermost first."""
        with name_scope(name, "RaggedNestedValueRowIds"):
            return tuple(level.value_rowids() for level in self._levels())

    def with_row_splits_dtype(self, dtype: Any) -> Any:
        """The same rows with row splits of int32 or int64.

        Raises:
          ValueError: for another dtype.
        """
        kind = dtypes.as_dtype(dtype)
        if kind not in (dtypes.int32, dtypes.int64):
            raise ValueError(f"Argument `row_splits` dtype must be int32 or int64. Received {kind}.")
        this: Any = self
        values = this.values.with_row_splits_dtype(kind) if isinstance(this.values, RaggedMaking) else this.values
        return type(this)(values, ops.cast(this.row_splits, kind), this._uniform)

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Any:
        """Several axes joined to one: rows in rows become longer rows.

        Args:
          outer_axis: the first axis of these.
          inner_axis: the last.

        Returns:
          A RaggedTensor, or a tensor if no ragged axis is left.

        Raises:
          ValueError: axes out of range, or in the other order.

        >>> import graphlab as tf
        >>> tf.ragged.constant([[[1, 2], [3]], [], [[4]]]).merge_dims(1, 2)
        <tf.RaggedTensor [[1, 2, 3], [], [4]]>
        """
        from graphlab.ops.ragged_rows import axis_of, rank_of

        for axis in (outer_axis, inner_axis):
            if not isinstance(axis, int):
                raise TypeError(f"An axis must be an int, not {axis!r:.100}.")
        rank = rank_of(self)
        outer, inner = axis_of(outer_axis, rank, "outer_axis"), axis_of(inner_axis, rank, "inner_axis")
        if outer > inner:
            raise ValueError(
                f"Expected outer_axis ({outer_axis}) to be less than or equal to inner_axis ({inner_axis})."
            )
        return _merged(self, outer, inner)

    def consumers(self) -> list[Any]:
        """The operations of this graph that read a part; eagerly none."""
        this: Any = self
        parts = (this.flat_values, *this.nested_row_splits)
        return [op for part in parts if not isinstance(part, EagerTensor) for op in part.consumers()]


def _count(values: Any, kind: Any) -> Any:
    return values.nrows(out_type=kind) if hasattr(values, "nrows") else ops.shape(values, out_type=kind)[0]


def check_splits(values: Any, splits: Any) -> None:
    """Adds the checks of a graph: that splits begin with 0, don't decrease, and end with the values."""
    message = "Row splits begin with 0, don't decrease and end with the number of values."
    ops.debugging.assert_equal(splits[:1], ops.zeros_like(splits[:1]), message=message)
    ops.debugging.assert_non_negative(splits[1:] - splits[:-1], message=message)
    ops.debugging.assert_equal(splits[-1], _count(values, splits.dtype), message=message)


def _check_uniform(length: Any, nrows: Any, count: Any) -> None:
    known = [ops.get_static_value(x) for x in (length, nrows, count)]
    if any(x is None for x in known):
        ops.debugging.assert_equal(length * nrows, count, message="The rows and the values differ in number.")
    elif known[0] * known[1] != known[2]:
        raise ValueError(f"uniform_row_length={known[0]} times nrows={known[1]} must equal nvals={known[2]}")


def _merged(x: Any, outer: int, inner: int) -> Any:
    if outer == inner:
        return x
    if not isinstance(x, RaggedMaking):
        sizes = ops.shape(x)
        return ops.reshape(x, ops.concat([sizes[:outer], [-1], sizes[inner + 1 :]], 0))
    this: Any = x
    if outer > 1:
        return this.with_values(_merged(this.values, outer - 1, inner - 1))
    if outer == 0:
        return _merged(this.values, 0, inner - 1)
    if isinstance(this.values, RaggedMaking):
        values: Any = this.values
        joined = type(this)(values.values, ops.gather(values.row_splits, this.row_splits))
        return _merged(joined, 1, inner - 1)
    # The inner axes all have one size: a row is longer by that factor.
    sizes = ops.cast(ops.shape(this.values), this.row_splits.dtype)
    factor = ops.reduce_prod(sizes[1:inner])
    flat = ops.reshape(this.values, ops.concat([[-1], ops.shape(this.values)[inner:]], 0))
    return type(this)(flat, this.row_splits * factor)


def values_of(values: Any, error: Callable[[str], Exception]) -> Any:
    """What rows are made of: a tensor with a first axis, or a RaggedTensor."""
    if isinstance(values, RaggedMaking):
        return values
    values = convert_to_tensor(values, name="values")
    if values.shape.rank == 0:
        raise error("The values of a RaggedTensor must have a first axis, but are a scalar.")
    return values


def partition(numbers: Any, name: str) -> Any:
    """A vector that says which values belong to which row.

    Raises:
      ValueError: it is no vector of int32 or int64.
    """
    found = convert_to_tensor(numbers, dtype_hint=dtypes.int64, name=name)
    if found.dtype not in (dtypes.int32, dtypes.int64) or found.shape.rank not in (None, 1):
        raise ValueError(f"{name} must be a vector of int32 or int64, not {found.dtype.name} of shape {found.shape}.")
    return found
