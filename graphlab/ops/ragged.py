"""``tf.RaggedTensor``: rows of different lengths, kept as one tensor of values and the places where rows begin.

It is a value to hold, index, convert and pass through functions; other functions work on its ``flat_values``, and
``with_flat_values`` puts the rows around them again.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from graphlab.core import dtypes, static
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, misfit, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public, resolve
from graphlab.core.shape import TensorShape, as_shape
from graphlab.core.specs import TensorSpec, TypeSpec
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.ops.ragged_making import RaggedMaking, partition, values_of

# ------------------------------------------------------------------------------------------------------------- kernels


def _row_count(nrows: Any, ids: Any) -> Any:
    """The number of rows as a scalar of the dtype of their numbers.

    Raises:
      TypeError: it is a float or text.
      ValueError: it is no scalar, negative, or not above the last number, as far as these are known.
    """
    if isinstance(nrows, float | str):
        raise TypeError(f"nrows must be an int, not {nrows!r:.100}.")
    count = convert_to_tensor(nrows, ids.dtype, name="nrows")
    if count.shape.rank:
        raise ValueError(f"nrows must be a scalar, not of shape {count.shape}.")
    known, numbers = static.value(count), static.value(ids)
    if known is not None and known < 0:
        raise ValueError(f"nrows must not be negative, but is {int(known)}.")
    if known is not None and numbers is not None and numbers.size and known <= numbers[-1]:
        raise ValueError(f"nrows must be above the last of value_rowids, {int(numbers[-1])}, but is {int(known)}.")
    return count


# --------------------------------------------------------------------------------------------------------------- class


@public("RaggedTensor")
class RaggedTensor(RaggedMaking):
    """A tensor whose rows have different lengths.

    Make one with ``tf.ragged.constant`` or ``from_row_splits``, ``from_row_lengths``, ``from_value_rowids``,
    ``from_tensor``.

    >>> import graphlab as tf
    >>> rows = tf.ragged.constant([[1, 2], [], [3]])
    >>> rows.to_list(), rows.values.numpy(), rows.row_splits.numpy()
    ([[1, 2], [], [3]], array([1, 2, 3], dtype=int32), array([0, 2, 2, 3]))
    """

    __slots__ = ("__weakref__", "_row_splits", "_uniform", "_values")

    def __init__(self, values: Any, row_splits: Any, uniform: Any = None) -> None:
        """Use the class methods."""
        self._values, self._row_splits, self._uniform = values, row_splits, uniform

    # -- making --------------------------------------------------------------------------------------------------------

    @classmethod
    def from_row_splits(
        cls, values: Any, row_splits: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows ``values[row_splits[i]:row_splits[i + 1]]``.

        Raises:
          tf.errors.InvalidArgumentError: if the splits do not begin with 0, decrease, or do not end with the number of
          values.
        """
        with name_scope(name, "RaggedFromRowSplits"):
            values = values_of(values, misfit)
            splits = partition(row_splits, "row_splits")
            if validate and isinstance(splits, EagerTensor):
                _check_splits(splits._a, _rows(values))
            elif validate:
                from graphlab.ops.ragged_making import check_splits

                check_splits(values, splits)
            return cls(values, splits)

    @classmethod
    def from_row_lengths(
        cls, values: Any, row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of the given lengths, one behind the other."""
        from graphlab.ops.array import concat
        from graphlab.ops.scan import cumsum

        with name_scope(name, "RaggedFromRowLengths"):
            values = values_of(values, misfit)
            lengths = partition(row_lengths, "row_lengths")
            zero = convert_to_tensor([0], lengths.dtype)
            return cls.from_row_splits(values, concat([zero, cumsum(lengths)], 0), validate=validate)

    @classmethod
    def from_value_rowids(
        cls, values: Any, value_rowids: Any, nrows: Any = None, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Each value with the number of its row; the numbers do not decrease."""
        from graphlab.ops.casting import cast
        from graphlab.ops.creation import ones_like
        from graphlab.ops.segment import unsorted_segment_sum

        with name_scope(name, "RaggedFromValueRowIds"):
            values = values_of(values, ValueError)
            ids = partition(value_rowids, "value_rowids")
            if not values.shape[:1].is_compatible_with(ids.shape):
                raise ValueError(f"There are {values.shape[0]} values, but rows for {ids.shape[0]}.")
            if nrows is None:
                from graphlab.ops.array import concat
                from graphlab.ops.reduction import reduce_max

                nrows = reduce_max(concat([convert_to_tensor([-1], ids.dtype), ids], 0)) + 1
            else:
                nrows = _row_count(nrows, ids)
            lengths = unsorted_segment_sum(ones_like(ids), ids, cast(nrows, ids.dtype))
            return cls.from_row_lengths(values, lengths, validate=validate)

    @classmethod
    def from_tensor(
        cls, tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1, name: str | None = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> RaggedTensor:  # fmt: skip
        """The rows of a tensor, cut to ``lengths`` or where only ``padding`` follows."""
        from graphlab.ops import array, casting, comparison, creation, reduction, selection
        from graphlab.ops.array_shape import shape

        if not isinstance(ragged_rank, int):
            raise TypeError(f"ragged_rank must be an int, not {ragged_rank!r:.100}.")
        if ragged_rank <= 0:
            raise ValueError(f"ragged_rank must be at least 1, not {ragged_rank}.")
        nested = isinstance(lengths, list | tuple) and bool(lengths) and isinstance(lengths[0], list | tuple | Tensor)
        if nested or ragged_rank != 1:
            from graphlab.ops.ragged_nested import from_nested_tensor

            found: RaggedTensor = from_nested_tensor(tensor, lengths, padding, ragged_rank, name, row_splits_dtype)
            return found
        kind = dtypes.as_dtype(row_splits_dtype)
        if lengths is not None and padding is not None:
            raise ValueError("Only one of `lengths` and `padding` can be given.")
        with name_scope(name, "RaggedFromTensor"):
            tensor = convert_to_tensor(tensor, name="tensor")
            if tensor.shape.rank is not None and tensor.shape.rank < 2:
                raise ValueError(f"A tensor of shape {tensor.shape} has no rows: its rank must be at least 2.")
            size = casting.cast(shape(tensor), kind)
            if lengths is None and padding is not None:
                kept = comparison.not_equal(tensor, convert_to_tensor(padding, tensor.dtype))
                rank = len(tensor._raw_shape())
                if rank > 2:
                    kept = reduction.reduce_any(kept, list(range(2, rank)))
                places = casting.cast(kept, kind) * creation.range(1, size[1] + 1)
                lengths = reduction.reduce_max(places, 1)
            if lengths is None:
                lengths = creation.fill(array.reshape(size[0], [1]), size[1])
            if isinstance(lengths, Tensor) and not lengths.dtype.is_integer:
                raise TypeError(f"lengths must hold whole numbers, but has dtype {lengths.dtype.name}.")
            lengths = convert_to_tensor(lengths, kind)
            if lengths.shape.rank == 0 or not lengths.shape[:1].is_compatible_with(tensor.shape[:1]):
                raise ValueError(f"lengths must have one number for each row, but has shape {lengths.shape}.")
            mask = creation.range(size[1]) < array.expand_dims(lengths, 1)
            flat = array.reshape(tensor, array.concat([[-1], shape(tensor)[2:]], 0))
            places = array.squeeze(selection.where(array.reshape(mask, [-1])), 1)
            from graphlab.ops.gather_scatter import gather

            return cls.from_row_lengths(gather(flat, places), lengths, validate=False)

    # -- parts ---------------------------------------------------------------------------------------------------------

    @property
    def values(self) -> Any:
        """The rows one behind the other: a tensor, or a RaggedTensor with one ragged axis less."""
        return self._values

    @property
    def flat_values(self) -> Any:
        """The values of the innermost rows, a tensor."""
        return self._values.flat_values if isinstance(self._values, RaggedTensor) else self._values

    @property
    def row_splits(self) -> Any:
        """Where rows begin in ``values``, and behind them where the last one ends: an integer vector."""
        return self._row_splits

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The row splits of every ragged axis, outermost first."""
        inner = self._values.nested_row_splits if isinstance(self._values, RaggedTensor) else ()
        return (self._row_splits, *inner)

    @property
    def ragged_rank(self) -> int:
        """The number of ragged axes."""
        return len(self.nested_row_splits)

    @property
    def dtype(self) -> DType:
        """The type of the values."""
        return self._values.dtype  # type: ignore[no-any-return]

    @property
    def shape(self) -> TensorShape:
        """The static shape; ragged axes are None."""
        rows = self._row_splits._raw_shape()
        inner = self._values.shape
        first = None if rows is None or rows[0] is None else rows[0] - 1
        if inner.rank is None:
            return as_shape(None)
        length = None if self._uniform is None else resolve("get_static_value")(self._uniform)
        return as_shape((first, None if length is None else int(length), *inner.as_list()[1:]))

    @property
    def uniform_row_length(self) -> Any:
        """The length of all rows, a scalar, if they were made to have the same; else None."""
        return self._uniform

    def get_shape(self) -> TensorShape:
        """As ``shape``."""
        return self.shape

    def nrows(self, out_type: Any = None, name: str | None = None) -> Any:
        """The number of rows, a scalar."""
        from graphlab.ops.array_shape import shape

        return shape(self._row_splits, out_type=out_type or self._row_splits.dtype)[0] - 1

    def row_starts(self, name: str | None = None) -> Any:
        """Where each row begins in ``values``."""
        return self._row_splits[:-1]

    def row_limits(self, name: str | None = None) -> Any:
        """Where each row ends in ``values``."""
        return self._row_splits[1:]

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """The lengths of the rows; for axis 2 a RaggedTensor with the lengths of the rows inside.

        Raises:
          TypeError: the axis is no int; ValueError: it has no ragged rows.
        """
        number: Any = axis
        if isinstance(number, EagerTensor) and (number.dtype.is_floating or number.dtype.is_integer):
            if number.shape.num_elements() not in (0, 1):
                raise ValueError(f"The axis must be one int, not {axis!r:.100}.")
        elif isinstance(number, EagerTensor) and number.dtype.is_complex:
            raise ValueError(f"The axis must be one int, not {axis!r:.100}.")
        whole = isinstance(number, EagerTensor) and number.dtype.is_integer
        if not whole and not isinstance(number, int | np.integer):
            raise TypeError(f"The axis must be an int, not {axis!r:.100}.")
        axis, rank = int(number), self.shape.rank
        if rank is not None and -rank <= axis < 0:
            axis += rank
        if axis == 1:
            return self._row_splits[1:] - self._row_splits[:-1]
        if axis > 1 and isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.row_lengths(axis - 1))
        raise ValueError(f"The axis {axis} has no ragged rows.")

    def value_rowids(self, name: str | None = None) -> Any:
        """The row of each value."""
        from graphlab.ops.creation import range as make_range
        from graphlab.ops.sorting import searchsorted

        count = self._row_splits[-1]
        numbers = make_range(count)
        return searchsorted(self._row_splits[1:], numbers, side="right", out_type=self._row_splits.dtype)

    def bounding_shape(self, axis: Any = None, name: str | None = None, out_type: Any = None) -> Any:
        """The smallest shape that every row fits into.

        Args:
          axis: the number, or numbers, of axes to give the sizes of; all by default.
          name: a name for the nodes.
          out_type: int32 or int64; by default the dtype of the row splits.
        """
        from graphlab.ops import array, casting, reduction
        from graphlab.ops.array_shape import shape
        from graphlab.ops.gather_scatter import gather

        kind = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        with name_scope(name, "RaggedBoundingBox"):
            sizes = [self.nrows()]
            for splits in self.nested_row_splits:
                lengths = array.concat([convert_to_tensor([0], splits.dtype), splits[1:] - splits[:-1]], 0)
                sizes.append(reduction.reduce_max(lengths))
            inner = shape(self.flat_values, out_type=kind)[1:]
            whole = array.concat([casting.cast(array.stack(sizes), kind), inner], 0)
            if axis is None:
                return whole
            return gather(whole, int(axis) if isinstance(axis, bool) else axis)

    # -- changing ------------------------------------------------------------------------------------------------------

    def with_values(self, values: Any) -> RaggedTensor:
        """The same rows of other values."""
        values = values_of(values, ValueError)
        if not values.shape[:1].is_compatible_with(self._values.shape[:1]):
            raise ValueError(f"There are {self._values.shape[0]} values, which {values.shape[0]} cannot replace.")
        return RaggedTensor(values, self._row_splits, self._uniform)

    def with_flat_values(self, values: Any) -> RaggedTensor:
        """The same rows, at every level, of other innermost values."""
        if not isinstance(self._values, RaggedTensor):
            return self.with_values(values)
        inner = self._values.with_flat_values(values)
        return RaggedTensor(inner, self._row_splits, self._uniform)

    def to_tensor(self, default_value: Any = None, name: str | None = None, shape: Any = None) -> Any:
        """A tensor: shorter rows are filled up.

        Args:
          default_value: what they are filled up with; by default zero or the empty string.
          name: a name for the nodes.
          shape: the shape wanted; None for sizes as needed; what does not fit is cut off.
        """
        from graphlab.ops.creation import zeros
        from graphlab.ops.ragged_conversion import TO_TENSOR

        with name_scope(name, "RaggedToTensor"):
            if default_value is None:
                default_value = zeros([], self.dtype)
            default_value = convert_to_tensor(default_value, self.dtype)
            splits = list(self.nested_row_splits)
            if shape is None:
                shape = -1
            elif not hasattr(shape, "dtype"):
                shape = [-1 if size is None else size for size in as_shape(shape).as_list()]
            if isinstance(shape, Tensor) and shape.dtype not in (dtypes.int32, dtypes.int64):
                raise misfit(f"The shape must hold whole numbers, but has dtype {shape.dtype.name}.")
            shape = convert_to_tensor(shape, None if isinstance(shape, Tensor) else dtypes.int64)
            attrs = {"row_partition_types": ("ROW_SPLITS",) * len(splits)}
            return bind(TO_TENSOR, (shape, self.flat_values, default_value, splits), attrs)

    def _apply(self, op: Any, inputs: Any, attrs: Any, name: str | None) -> Any:
        from graphlab.ops.composite_dispatch import over_ragged

        return over_ragged(op, inputs, attrs, name)

    def to_sparse(self, name: str | None = None) -> Any:
        """The SparseTensor with the same elements at the same places."""
        from graphlab.ops.ragged_sparse import to_sparse

        with name_scope(name, "RaggedToSparse"):
            return to_sparse(self)

    @classmethod
    def from_sparse(cls, st_input: Any, name: str | None = None, row_splits_dtype: Any = dtypes.int64) -> RaggedTensor:
        """The rows of a sparse matrix, whose elements stand without holes at the front of each row.

        Raises:
          ValueError: another rank than 2.
          tf.errors.InvalidArgumentError: a hole.
        """
        from graphlab.ops.ragged_sparse import from_sparse

        with name_scope(name, "RaggedFromSparse"):
            found: RaggedTensor = from_sparse(cls, st_input, dtypes.as_dtype(row_splits_dtype))
            return found

    def to_list(self) -> list[Any]:
        """Nested Python lists.  Only in eager mode."""
        splits = self._row_splits.numpy().tolist()
        values = self._values.to_list() if isinstance(self._values, RaggedTensor) else self._values.numpy().tolist()
        return [values[a:b] for a, b in pairwise(splits)]

    def numpy(self) -> Any:
        """An array of objects, one for each row (a plain array if all rows are equally long)."""
        splits = self._row_splits.numpy().tolist()
        values = self._values.numpy()
        rows = [values[a:b] for a, b in pairwise(splits)]
        if len({len(row) for row in rows}) == 1 and not isinstance(self._values, RaggedTensor):
            return np.stack(rows)
        result = np.empty(len(rows), object)
        for index, row in enumerate(rows):
            result[index] = row
        return result

    def __getitem__(self, key: Any) -> Any:
        """Rows and parts of them: ``rows[i]``, ``rows[i, j]``, ``rows[i:j]``, ``rows[:, :2]``, ``rows[..., None]``."""
        from graphlab.ops.ragged_slicing import getitem

        return getitem(self, key)

    def __iter__(self) -> Iterator[Any]:
        """The rows.  Only in eager mode."""
        for index in range(int(self.nrows())):
            yield self[index]

    def _operated(self, name: str, other: Any, swapped: bool = False) -> RaggedTensor:
        function = resolve(name if name.startswith("math.") else f"math.{name}")
        if not hasattr(other, "dtype"):
            other = convert_to_tensor(other, dtype_hint=self.dtype)
        pair = (other, self) if swapped else (self, other)
        found: RaggedTensor
        if name == "divide":  # converts its arguments itself
            from graphlab.ops.composite_dispatch import function_over

            found = function_over(self, function, pair, {})
        else:
            found = function(*pair)
        return found

    def __add__(self, other: Any) -> RaggedTensor:
        return self._operated("add", other)

    def __radd__(self, other: Any) -> RaggedTensor:
        return self._operated("add", other, swapped=True)

    def __sub__(self, other: Any) -> RaggedTensor:
        return self._operated("subtract", other)

    def __rsub__(self, other: Any) -> RaggedTensor:
        return self._operated("subtract", other, swapped=True)

    def __mul__(self, other: Any) -> RaggedTensor:
        return self._operated("multiply", other)

    def __rmul__(self, other: Any) -> RaggedTensor:
        return self._operated("multiply", other, swapped=True)

    def __truediv__(self, other: Any) -> RaggedTensor:
        return self._operated("divide", other)

    def __rtruediv__(self, other: Any) -> RaggedTensor:
        return self._operated("divide", other, swapped=True)

    def __pow__(self, other: Any) -> RaggedTensor:
        return self._operated("pow", other)

    def __rpow__(self, other: Any) -> RaggedTensor:
        return self._operated("pow", other, swapped=True)

    def __floordiv__(self, other: Any) -> RaggedTensor:
        return self._operated("floordiv", other)

    def __rfloordiv__(self, other: Any) -> RaggedTensor:
        return self._operated("floordiv", other, swapped=True)

    def __mod__(self, other: Any) -> RaggedTensor:
        return self._operated("floormod", other)

    def __rmod__(self, other: Any) -> RaggedTensor:
        return self._operated("floormod", other, swapped=True)

    def _equals(self, name: str, other: Any) -> Any:
        """Element by element; whatever can't be compared that way is not equal."""
        if other is None:
            return name != "equal"
        try:
            return self._operated(name, other)
        except (TypeError, ValueError, InvalidArgumentError):
            return name != "equal"

    def __eq__(self, other: object) -> Any:
        return self._equals("equal", other)

    def __ne__(self, other: object) -> Any:
        return self._equals("not_equal", other)

    def __hash__(self) -> int:
        raise TypeError("RaggedTensor is unhashable.")

    def __bool__(self) -> bool:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    def __lt__(self, other: Any) -> RaggedTensor:
        return self._operated("less", other)

    def __le__(self, other: Any) -> RaggedTensor:
        return self._operated("less_equal", other)

    def __gt__(self, other: Any) -> RaggedTensor:
        return self._operated("greater", other)

    def __ge__(self, other: Any) -> RaggedTensor:
        return self._operated("greater_equal", other)

    def __and__(self, other: Any) -> RaggedTensor:
        return self._operated("logical_and", other)

    def __or__(self, other: Any) -> RaggedTensor:
        return self._operated("logical_or", other)

    def __xor__(self, other: Any) -> RaggedTensor:
        return self._operated("logical_xor", other)

    def __invert__(self) -> RaggedTensor:
        return self.with_flat_values(resolve("math.logical_not")(self.flat_values))

    def __neg__(self) -> RaggedTensor:
        return self.with_flat_values(resolve("math.negative")(self.flat_values))

    def __abs__(self) -> RaggedTensor:
        return self.with_flat_values(resolve("math.abs")(self.flat_values))

    def __repr__(self) -> str:
        if all(isinstance(part, EagerTensor) for part in (self.flat_values, *self.nested_row_splits)):
            return f"<tf.RaggedTensor {self.to_list()}>"
        return f"tf.RaggedTensor(values={self._values}, row_splits={self._row_splits})"

    @property
    def _type_spec(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank, self._row_splits.dtype)


def _rows(values: Any) -> int:
    return len(values.row_splits._a) - 1 if isinstance(values, RaggedTensor) else len(values._a)


def _check_splits(splits: Any, count: int) -> None:
    if splits.ndim != 1 or not len(splits):
        raise InvalidArgumentError(
            None, None, f"Row splits are a vector of at least one, not of shape {list(splits.shape)}."
        )
    if splits[0] != 0 or (np.diff(splits) < 0).any() or splits[-1] != count:
        raise InvalidArgumentError(
            None,
            None,
            f"Row splits begin with 0, don't decrease and end with the number of values ({count}): {splits.tolist()}",
        )


@public("RaggedTensorSpec")
class RaggedTensorSpec(TypeSpec):
    """Describes ``tf.RaggedTensor``.

    Args:
      shape: its shape, None for ragged axes.
      dtype: the type of the values.
      ragged_rank: the number of ragged axes; by default one less than the rank.
      row_splits_dtype: int32 or int64.
    """

    __slots__ = ("_dtype", "_ragged_rank", "_row_splits_dtype", "_shape")

    def __init__(
        self, shape: Any = None, dtype: Any = dtypes.float32, ragged_rank: int | None = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> None:  # fmt: skip
        self._shape = as_shape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
        rank = self._shape.rank
        if ragged_rank is None:
            if rank is None:
                raise ValueError("The ragged rank must be given when the rank of the shape is not known.")
            ragged_rank = rank - 1
        if rank is not None and not 0 <= ragged_rank < rank:
            raise ValueError(f"A ragged rank of {ragged_rank} is not possible for rank {rank}.")
        self._ragged_rank = ragged_rank

    @property
    def value_type(self) -> Any:
        """``tf.RaggedTensor``."""
        return RaggedTensor

    @property
    def dtype(self) -> DType:
        """The type of the values."""
        return self._dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        return self._shape

    @property
    def ragged_rank(self) -> int:
        """The number of ragged axes."""
        return self._ragged_rank

    @property
    def row_splits_dtype(self) -> DType:
        """The type of the row splits."""
        return self._row_splits_dtype

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    @property
    def _component_specs(self) -> tuple[TensorSpec, ...]:
        dims = None if self._shape.rank is None else self._shape.as_list()
        inner = None if dims is None else [None, *dims[self._ragged_rank + 1 :]]
        rows = None if dims is None or dims[0] is None else dims[0] + 1
        splits = [
            TensorSpec([rows if level == 0 else None], self._row_splits_dtype) for level in range(self._ragged_rank)
        ]
        return (TensorSpec(inner, self._dtype), *splits)

    def _to_components(self, value: Any) -> Any:
        return (value.flat_values, *value.nested_row_splits)

    def _from_components(self, components: Any) -> RaggedTensor:
        values, *splits = components
        dims = [None] * (len(splits) + 1) if self._shape.rank is None else self._shape.as_list()
        for part, length in zip(reversed(splits), reversed(dims[1 : len(splits) + 1]), strict=True):
            uniform = None if length is None else convert_to_tensor(length, self._row_splits_dtype)
            values = RaggedTensor(values, part, uniform)
        return values  # type: ignore[no-any-return]
