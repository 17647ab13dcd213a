"""``tf.experimental.RowPartition``: how values are divided into rows, without the values."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec
from graphlab.core.tensor import EagerTensor
from graphlab.ops.lazily import ops

_KINDS = (dtypes.int32, dtypes.int64)


def _vector(given: Any, name: str, dtype: Any, hint: Any) -> Any:
    """A vector of int32 or int64: of ``dtype`` if that is given, else of its own, else of ``hint``, else of int64."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    found = convert_to_tensor(given, wanted, dtypes.int64 if hint is None else dtypes.as_dtype(hint), name=name)
    if found.dtype not in _KINDS:
        raise ValueError(f"{name} must have dtype int32 or int64, not {found.dtype.name}.")
    if found.shape.rank not in (None, 1):
        raise ValueError(f"Shape {found.shape} of {name} must have rank 1.")
    return found


def _scalar(given: Any, name: str, kind: DType) -> Any:
    found = convert_to_tensor(given, dtype_hint=kind, name=name)
    if found.dtype not in _KINDS:
        raise ValueError(f"{name} must have dtype int32 or int64, not {found.dtype.name}.")
    return found if found.dtype is kind else ops.cast(found, kind)


def static_number(value: Any) -> int | None:
    """A scalar tensor as an int; None if it is not known while tracing."""
    found = None if value is None else ops.get_static_value(value)
    return None if found is None else int(found)


def _splits_of(lengths: Any) -> Any:
    return ops.concat([ops.zeros([1], lengths.dtype), ops.cumsum(lengths)], 0)


def _checked(splits: Any, how: str) -> Any:
    """The splits; InvalidArgumentError if they do not begin with 0 or decrease, in a graph when it runs."""
    message = f"Arguments to {how} do not form a valid RowPartition: splits begin with 0 and don't decrease."
    if isinstance(splits, EagerTensor):
        if splits._a[0] != 0 or (np.diff(splits._a) < 0).any():
            raise InvalidArgumentError(None, None, f"{message} Found {splits._a.tolist()}.")
    else:
        ops.debugging.assert_equal(splits[:1], ops.zeros_like(splits[:1]), message=message)
        ops.debugging.assert_non_negative(splits[1:] - splits[:-1], message=message)
    return splits


@public("experimental.RowPartition")
class RowPartition(CompositeTensor):
    """How a sequence of values is divided into rows: what a RaggedTensor has besides its values.

    Made with ``from_row_splits``, ``from_row_lengths``, ``from_row_limits``, ``from_row_starts``,
    ``from_value_rowids`` or ``from_uniform_row_length``. It can be an argument and a result of traced functions.

    >>> import graphlab as tf
    >>> rows = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
    >>> rows
    tf.RowPartition(row_splits=[0 2 2 3])
    >>> rows.value_rowids().numpy(), rows.offsets_in_rows().numpy()
    (array([0, 0, 2]), array([0, 1, 0]))
    """

    __slots__ = ("__weakref__", "_splits", "_uniform")
    _splits: Any
    _uniform: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Use the class methods.  ValueError."""
        raise ValueError(
            "RowPartition constructor is private; please use one of the factory methods instead (e.g., "
            "RowPartition.from_row_lengths())"
        )

    @classmethod
    def _made(cls, splits: Any, uniform: Any = None) -> Self:
        made = cls.__new__(cls)
        made._splits, made._uniform = splits, uniform
        return made

    # -- making --------------------------------------------------------------------------------------------------------

    @classmethod
    def from_row_splits(
        cls, row_splits: Any, validate: bool = True, dtype: Any = None, dtype_hint: Any = None
    ) -> RowPartition:
        """Rows that begin at all splits but the last, and end at all but the first.

        Args:
          row_splits: a vector of int32 or int64 that begins with 0 and does not decrease.
          validate: whether that is checked.
          dtype: the dtype, if it is not to be that of the argument.
          dtype_hint: the dtype for what is no tensor; int64 by default.

        Raises:
          ValueError: for another rank or dtype, and for no splits.
          tf.errors.InvalidArgumentError: for splits that do not begin with 0 or decrease.
        """
        splits = _vector(row_splits, "row_splits", dtype, dtype_hint)
        if splits.shape.rank == 1 and splits.shape[0] == 0:
            raise ValueError("row_splits tensor may not be empty.")
        return cls._made(_checked(splits, "from_row_splits") if validate else splits)

    @classmethod
    def from_row_lengths(
        cls, row_lengths: Any, validate: bool = True, dtype: Any = None, dtype_hint: Any = None
    ) -> RowPartition:
        """Rows of the given lengths, a vector without negative numbers."""
        splits = _splits_of(_vector(row_lengths, "row_lengths", dtype, dtype_hint))
        return cls._made(_checked(splits, "from_row_lengths") if validate else splits)

    @classmethod
    def from_row_limits(
        cls, row_limits: Any, validate: bool = True, dtype: Any = None, dtype_hint: Any = None
    ) -> RowPartition:
        """Rows that end at the given places, each beginning where the one before it ends."""
        limits = _vector(row_limits, "row_limits", dtype, dtype_hint)
        splits = ops.concat([ops.zeros([1], limits.dtype), limits], 0)
        return cls._made(_checked(splits, "from_row_limits") if validate else splits)

    @classmethod
    def from_row_starts(
        cls, row_starts: Any, nvals: Any, validate: bool = True, dtype: Any = None, dtype_hint: Any = None
    ) -> RowPartition:
        """Rows that begin at the given places, each ending where the next begins; the last ends at ``nvals``."""
        starts = _vector(row_starts, "row_starts", dtype, dtype_hint)
        splits = ops.concat([starts, [_scalar(nvals, "nvals", starts.dtype)]], 0)
        return cls._made(_checked(splits, "from_row_starts") if validate else splits)

    @classmethod
    def from_value_rowids(
        cls, value_rowids: Any, nrows: Any = None, validate: bool = True, dtype: Any = None, dtype_hint: Any = None
    ) -> RowPartition:
        """Rows of the values with the same number.

        Args:
          value_rowids: the row of each value, a vector that does not decrease.
          nrows: how many rows there are; by default as many as the last number says.
          validate: whether that is checked.
          dtype: the dtype, if it is not to be that of the argument.
          dtype_hint: the dtype for what is no tensor; int64 by default.

        Raises:
          ValueError: for fewer rows than the numbers need.
          tf.errors.InvalidArgumentError: for numbers that decrease.
        """
        ids = _vector(value_rowids, "value_rowids", dtype, dtype_hint)
        last = ops.reduce_max(ops.concat([ops.zeros([1], ids.dtype) - 1, ids], 0))
        if nrows is None:
            count = last + 1
        else:
            count = _scalar(nrows, "nrows", ids.dtype)
            known, most = static_number(count), static_number(last)
            if known is not None and known < 0:
                raise ValueError(f"Expected nrows >= 0; got {known}")
            if known is not None and most is not None and most >= known:
                raise ValueError(f"Expected nrows >= value_rowids[-1] + 1; got nrows={known}, value_rowids[-1]={most}")
        if validate:
            message = "Arguments to from_value_rowids do not form a valid RowPartition: numbers of rows decrease."
            ops.debugging.assert_non_negative(ids[:1], message=message)
            ops.debugging.assert_non_negative(ids[1:] - ids[:-1], message=message)
            ops.debugging.assert_less(last, count, message=message)
        return cls._made(_splits_of(ops.math.unsorted_segment_sum(ops.ones_like(ids), ids, count)))

    @classmethod
    def from_uniform_row_length(
        cls, uniform_row_length: Any, nvals: Any = None, nrows: Any = None, validate: bool = True, dtype: Any = None,
        dtype_hint: Any = None,
    ) -> RowPartition:  # fmt: skip
        """Rows that all have one length.

        Args:
          uniform_row_length: that length, a scalar.
          nvals: how many values there are.
          nrows: how many rows there are; needed if ``nvals`` is not given or the length is 0.
          validate: whether these fit.
          dtype: the dtype, if it is not to be that of the argument.
          dtype_hint: the dtype for what is no tensor; int64 by default.

        Raises:
          ValueError: for a negative length, numbers that don't fit, or too few of them.
        """
        if nvals is None and nrows is None:
            raise ValueError("Either (or both) of nvals and nrows must be specified")
        hint = dtypes.int64 if dtype_hint is None else dtypes.as_dtype(dtype_hint)
        length = convert_to_tensor(uniform_row_length, None if dtype is None else dtypes.as_dtype(dtype), hint)
        length = _scalar(length, "uniform_row_length", length.dtype)
        known = static_number(length)
        if known is not None and known < 0:
            raise ValueError(f"uniform_row_length must be >= 0, but is {known}.")
        values = None if nvals is None else _scalar(nvals, "nvals", length.dtype)
        rows = values // ops.maximum(length, 1) if nrows is None else _scalar(nrows, "nrows", length.dtype)
        if validate and values is not None:
            numbers = [static_number(x) for x in (length, rows, values)]
            if None in numbers:
                message = "uniform_row_length times nrows must equal nvals."
                ops.debugging.assert_equal(length * rows, values, message=message)
            elif numbers[0] * numbers[1] != numbers[2]:  # type: ignore[operator]
                raise ValueError(
                    f"uniform_row_length={numbers[0]} times nrows={numbers[1]} must equal nvals={numbers[2]}"
                )
        return cls._made(ops.range(rows + 1) * length, length)

    # -- looking -------------------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """int32 or int64."""
        return self._splits.dtype  # type: ignore[no-any-return]

    def row_splits(self) -> Any:
        """Where rows begin, and behind them where the last one ends: a vector."""
        return self._splits

    def row_lengths(self) -> Any:
        """The length of each row."""
        return self._splits[1:] - self._splits[:-1]

    def row_starts(self) -> Any:
        """Where each row begins."""
        return self._splits[:-1]

    def row_limits(self) -> Any:
        """Where each row ends."""
        return self._splits[1:]

    def value_rowids(self) -> Any:
        """The row of each value."""
        return ops.repeat(ops.range(self.nrows()), self.row_lengths())

    def offsets_in_rows(self) -> Any:
        """The place of each value in its row."""
        return ops.range(self.nvals()) - ops.gather(self._splits, self.value_rowids())

    def nrows(self) -> Any:
        """The number of rows, a scalar."""
        return ops.shape(self._splits, out_type=self.dtype)[0] - 1

    def nvals(self) -> Any:
        """The number of values, a scalar."""
        return self._splits[-1]

    def is_uniform(self) -> bool:
        """Whether it was made of rows of one length."""
        return self._uniform is not None

    def uniform_row_length(self) -> Any:
        """The length of all rows, a scalar, if it was made of rows of one length; else None."""
        return self._uniform

    @property
    def static_nrows(self) -> int | None:
        """The number of rows; None where it is not known while tracing."""
        rows = self._splits._raw_shape()
        return None if rows is None or rows[0] is None else rows[0] - 1

    @property
    def static_nvals(self) -> int | None:
        """The number of values, if rows have one length and both numbers are known; else None."""
        rows, length = self.static_nrows, self.static_uniform_row_length
        return None if rows is None or length is None else rows * length

    @property
    def static_uniform_row_length(self) -> int | None:
        """The length of all rows, if they have one and it is known while tracing; else None."""
        return static_number(self._uniform)

    def with_dtype(self, dtype: Any) -> RowPartition:
        """The same rows, in int32 or int64.

        Raises:
          ValueError: for another dtype.
        """
        kind = dtypes.as_dtype(dtype)
        if kind not in _KINDS:
            raise ValueError("dtype must be int32 or int64")
        if kind is self.dtype:
            return self
        return self._made(
            ops.cast(self._splits, kind), None if self._uniform is None else ops.cast(self._uniform, kind)
        )

    def __repr__(self) -> str:
        if self._uniform is not None:
            rows, length = self.static_nrows, self.static_uniform_row_length
            return f"tf.RowPartition(nrows={rows}, uniform_row_length={self._uniform if length is None else length})"
        shown = self._splits._a if isinstance(self._splits, EagerTensor) else self._splits
        return f"tf.RowPartition(row_splits={shown})"

    @property
    def _type_spec(self) -> RowPartitionSpec:
        return RowPartitionSpec(self.static_nrows, self.static_nvals, self.static_uniform_row_length, self.dtype)


class RowPartitionSpec(TypeSpec):
    """Describes a ``tf.experimental.RowPartition``.

    Args:
      nrows: how many rows there are, None if that is not known.
      nvals: how many values.
      uniform_row_length: the length of all rows, None if they have different ones.
      dtype: int32 or int64.
    """

    __slots__ = ("_dtype", "_length", "_nrows", "_nvals")

    def __init__(
        self, nrows: int | None = None, nvals: int | None = None, uniform_row_length: int | None = None,
        dtype: Any = dtypes.int64,
    ) -> None:  # fmt: skip
        self._nrows, self._nvals, self._length = nrows, nvals, uniform_row_length
        self._dtype = dtypes.as_dtype(dtype)

    @property
    def value_type(self) -> Any:
        """``tf.experimental.RowPartition``."""
        return RowPartition

    @property
    def dtype(self) -> DType:
        """int32 or int64."""
        return self._dtype

    def _serialize(self) -> tuple[Any, ...]:
        # As shapes, which generalise: what is unknown or different is None.
        return (
            ops.TensorShape([self._nrows]),
            ops.TensorShape([self._nvals]),
            ops.TensorShape([self._length]),
            self._dtype,
        )

    @classmethod
    def _deserialize(cls, serialization: Any) -> RowPartitionSpec:
        *sizes, dtype = serialization
        nrows, nvals, length = (size[0] for size in sizes)
        return cls(nrows, nvals, length, dtype)

    @property
    def _component_specs(self) -> TensorSpec:
        return TensorSpec([None if self._nrows is None else self._nrows + 1], self._dtype)

    def _to_components(self, value: Any) -> Any:
        return value._splits

    def _from_components(self, components: Any) -> RowPartition:
        return RowPartition._made(components)

    def __repr__(self) -> str:
        return (
            f"RowPartitionSpec(nrows={self._nrows}, nvals={self._nvals}, uniform_row_length={self._length}, "
            f"dtype={self._dtype!r})"
        )
