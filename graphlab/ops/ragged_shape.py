"""``tf.experimental.DynamicRaggedShape``: the shape of a RaggedTensor, and tensors made of and broadcast to such."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.export import public
from graphlab.core.op import Op
from graphlab.core.shape import TensorShape, as_shape
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec
from graphlab.core.static import partial_value
from graphlab.ops import ragged_broadcasting
from graphlab.ops.lazily import ops
from graphlab.ops.ragged import RaggedTensor
from graphlab.ops.row_partition import RowPartition, RowPartitionSpec


def _kind(dtype: Any) -> DType:
    kind = dtypes.as_dtype(dtype)
    if kind not in (dtypes.int32, dtypes.int64):
        raise ValueError(f"Illegal dtype: {kind!r}. A shape is int32 or int64.")
    return kind


def _known(sizes: Any) -> TensorShape:
    """What is known of sizes, a vector, while tracing."""
    values = ops.get_static_value(sizes)
    if values is not None:
        return as_shape([None if size < 0 else size for size in values.tolist()])
    found = partial_value(sizes)
    if found is None:
        shape = sizes._raw_shape()
        found = None if shape is None or shape[0] is None else (None,) * shape[0]
    return as_shape(found)


@public("experimental.DynamicRaggedShape")
class DynamicRaggedShape(CompositeTensor):
    """The shape of a tensor or RaggedTensor: row partitions of the outer axes, and the sizes of the inner ones.

    ``tf.shape`` of a RaggedTensor gives one; ``tf.zeros``, ``tf.ones``, ``tf.fill``, ``tf.reshape`` and
    ``tf.broadcast_to`` take one.

    Args:
      row_partitions: the row partitions of axes 1, 2, …, the outermost first.
      inner_shape: the sizes of what the last partition divides: a vector of int32 or int64.
      dtype: int32 or int64; by default that of the partitions or of the sizes.
      validate: whether it is checked that partitions and sizes fit.
      static_inner_shape: what is known of the sizes.

    Raises:
      TypeError: for row partitions that are none.
      ValueError: for sizes that are no vector, or another dtype.

    >>> import graphlab as tf
    >>> shape = tf.shape(tf.ragged.constant([[1, 2], [], [3]]))
    >>> shape
    <DynamicRaggedShape lengths=[3, (2, 0, 1)] num_row_partitions=1>
    >>> tf.fill(shape, 7)
    <tf.RaggedTensor [[7, 7], [], [7]]>
    """

    __slots__ = ("__weakref__", "_inner", "_partitions", "_static")
    Spec: type[DynamicRaggedShapeSpec]

    def __init__(
        self, row_partitions: Sequence[RowPartition], inner_shape: Any, dtype: Any = None, validate: bool = False,
        static_inner_shape: Any = None,
    ) -> None:  # fmt: skip
        if not isinstance(row_partitions, list | tuple):
            raise TypeError(f"row_partitions should be a list of row partitions. Instead, got {row_partitions!r}")
        for partition in row_partitions:
            if not isinstance(partition, RowPartition):
                raise TypeError(f"row_partitions contains {partition!r} which is not a RowPartition")
        kinds = {partition.dtype for partition in row_partitions}
        if dtype is not None:
            kind = _kind(dtype)
        elif kinds:
            if len(kinds) > 1:
                raise ValueError("The row partitions have dtypes int32 and int64: give the dtype.")
            (kind,) = kinds
        else:
            kind = inner_shape.dtype if hasattr(inner_shape, "dtype") else dtypes.int64
            kind = kind if kind in (dtypes.int32, dtypes.int64) else dtypes.int64
        inner = convert_to_tensor(inner_shape, dtype_hint=kind, name="inner_shape")
        inner = inner if inner.dtype is kind else ops.cast(inner, kind)
        if inner.shape.rank not in (None, 1):
            raise ValueError(f"Shape {inner.shape} must have rank 1: inner_shape is a vector.")
        known = _known(inner)
        if static_inner_shape is not None:
            given = as_shape(static_inner_shape)
            if not given.is_compatible_with(known):
                raise ValueError(f"Shapes {known} and {given} are not compatible")
            known = known.merge_with(given)
        if known.rank is None:
            raise ValueError("The rank of a DynamicRaggedShape must be known.")
        self._inner, self._static = inner, known
        self._partitions = tuple(partition.with_dtype(kind) for partition in row_partitions)
        if validate:
            self._validate()

    @classmethod
    def _made(cls, partitions: Sequence[RowPartition], inner: Any, static: TensorShape) -> DynamicRaggedShape:
        made = cls.__new__(cls)
        made._partitions, made._inner, made._static = tuple(partitions), inner, static
        return made

    def _validate(self) -> None:
        rows = [*(partition.nrows() for partition in self._partitions[1:]), self._inner[0]]
        for partition, count in zip(self._partitions, rows, strict=True) if self._partitions else ():
            message = "Last row partition does not match inner_shape." if count is rows[-1] else "Partitions don't fit."
            ops.debugging.assert_equal(partition.nvals(), count, message=message)

    # -- making --------------------------------------------------------------------------------------------------------

    @classmethod
    def from_lengths(
        cls, lengths: Sequence[Any], num_row_partitions: int | None = None, dtype: Any = dtypes.int64
    ) -> DynamicRaggedShape:
        """The shape with these sizes: an int where all rows of an axis have one length, else a tuple of lengths.

        Args:
          lengths: a list of ints and tuples of ints.
          num_row_partitions: how many axes have row partitions; by default as many as needed.
          dtype: int32 or int64.

        Raises:
          ValueError: for lengths that don't fit together, or too many row partitions.

        >>> import graphlab as tf
        >>> tf.zeros(tf.experimental.DynamicRaggedShape.from_lengths([2, (2, 1), 1]))
        <tf.RaggedTensor [[[0.0], [0.0]], [[0.0]]]>
        """
        if not isinstance(lengths, list):
            raise ValueError("lengths should be a list")
        kind = _kind(dtype)
        for item in lengths:
            if not isinstance(item, int) and not (
                isinstance(item, tuple) and all(isinstance(length, int) for length in item)
            ):
                raise ValueError(f"element of lengths should be int or tuple of ints: instead {item!r}")
        if num_row_partitions is not None and not isinstance(num_row_partitions, int):
            raise ValueError("num_row_partitions should be an int or None")
        ragged = [axis for axis, item in enumerate(lengths) if isinstance(item, tuple)]
        depth = ragged[-1] if ragged else 0
        if ragged and ragged[0] == 0:
            raise ValueError("The first of lengths is the number of rows, an int.")
        if num_row_partitions is not None:
            if not lengths and num_row_partitions > 0:
                raise ValueError("num_row_partitions==0 for a scalar shape")
            if lengths and num_row_partitions >= len(lengths):
                raise ValueError("num_row_partitions should be less than `len(lengths)` if shape is not scalar.")
            if max(num_row_partitions, 0) < depth:
                raise ValueError(f"The axis {depth} has rows of different lengths and needs a row partition.")
            depth = max(num_row_partitions, 0)
        partitions = []
        rows = lengths[0] if lengths else 0
        for item in lengths[1 : depth + 1]:
            if isinstance(item, tuple):
                if len(item) != rows:
                    raise ValueError("Shape not consistent.")
                partitions.append(RowPartition.from_row_lengths(list(item), dtype=kind))
                rows = sum(item)
            else:
                partitions.append(RowPartition.from_uniform_row_length(item, nrows=rows, dtype=kind))
                rows *= item
        inner = [rows, *lengths[depth + 1 :]] if lengths else []
        return cls(partitions, convert_to_tensor(inner, kind), dtype=kind)

    @classmethod
    def from_row_partitions(cls, row_partitions: Sequence[RowPartition], dtype: Any = None) -> DynamicRaggedShape:
        """The shape of values without inner axes in these rows.

        Raises:
          ValueError: for no row partitions.
        """
        if not row_partitions:
            raise ValueError("row_partitions cannot be empty")
        return cls(row_partitions, ops.reshape(row_partitions[-1].nvals(), [1]), dtype=dtype)

    @classmethod
    def from_tensor(cls, t: Any, dtype: Any = None) -> DynamicRaggedShape:
        """The shape of a tensor, RaggedTensor or SparseTensor."""
        if isinstance(t, RaggedTensor):
            kind = t.row_splits.dtype if dtype is None else _kind(dtype)
            flat = t.flat_values
            partitions = [RowPartition._made(level.row_splits, level._uniform) for level in t._levels()]
            return cls(partitions, ops.shape(flat, out_type=kind), dtype=kind, static_inner_shape=flat.shape)
        kind = dtypes.int32 if dtype is None else _kind(dtype)
        if hasattr(t, "dense_shape"):
            return cls([], ops.cast(t.dense_shape, kind), dtype=kind)
        t = convert_to_tensor(t)
        return cls([], ops.shape(t, out_type=kind), dtype=kind, static_inner_shape=t.shape)

    # -- looking -------------------------------------------------------------------------------------------------------

    @property
    def row_partitions(self) -> tuple[RowPartition, ...]:
        """The row partitions, the outermost first."""
        return self._partitions

    @property
    def num_row_partitions(self) -> int:
        """How many row partitions there are."""
        return len(self._partitions)

    @property
    def inner_shape(self) -> Any:
        """The sizes of what the last row partition divides, a vector."""
        return self._inner

    @property
    def inner_rank(self) -> int:
        """The number of sizes in ``inner_shape``."""
        return self._static.rank  # type: ignore[return-value]

    @property
    def rank(self) -> int:
        """The number of axes."""
        return self.num_row_partitions + self.inner_rank

    @property
    def dtype(self) -> DType:
        """int32 or int64."""
        return self._inner.dtype  # type: ignore[no-any-return]

    def is_uniform(self, axis: int) -> bool:
        """Whether all rows of an axis, counted from the front, have one length.

        Raises:
          IndexError: for an axis out of range.
        """
        if axis < 0:
            raise IndexError("Negative axis values are not supported")
        if axis >= self.rank:
            raise IndexError(f"Expected axis={axis} < rank={self.rank}")
        return not 0 < axis <= self.num_row_partitions or self._partitions[axis - 1].is_uniform()

    def static_lengths(self, ragged_lengths: bool = True) -> list[Any]:
        """What is known of the lengths: an int, a tuple for rows of different lengths, or None, for each axis.

        Args:
          ragged_lengths: whether there are tuples; else None.
        """
        if not self._partitions:
            return self._static.as_list()
        found: list[Any] = [self._partitions[0].static_nrows]
        for partition in self._partitions:
            if partition.is_uniform():
                found.append(partition.static_uniform_row_length)
                continue
            lengths = ops.get_static_value(partition.row_lengths()) if ragged_lengths else None
            found.append(None if lengths is None else tuple(lengths.tolist()))
        return found + self._static.as_list()[1:]

    def with_dtype(self, dtype: Any) -> DynamicRaggedShape:
        """The same shape in int32 or int64."""
        return DynamicRaggedShape(self._partitions, self._inner, dtype, static_inner_shape=self._static)

    def __getitem__(self, index: Any) -> Any:
        """A size, a scalar tensor; or for a slice the shape of these axes.

        Raises:
          IndexError: out of range, or a slice with steps.
          TypeError: for what is neither an int nor a slice.
          ValueError: for axes whose rows have different lengths, where that is no shape.
        """
        if isinstance(index, slice):
            return self._sliced(index)
        if not isinstance(index, int):
            raise TypeError("Argument is not an int or a slice")
        at = index + self.rank if index < 0 else index
        if at < 0:
            raise IndexError(f"Index must be non-negative: {at}")
        if at >= self.rank:
            raise IndexError(f"Index is too big: {at}>={self.rank}")
        if not self.is_uniform(at):
            raise ValueError(f"Index {at} is not uniform")
        return self._size(at)

    def _size(self, axis: int) -> Any:
        """The size of an axis whose rows have one length."""
        depth = self.num_row_partitions
        if axis == 0 and depth:
            return self._partitions[0].nrows()
        return self._partitions[axis - 1].uniform_row_length() if axis <= depth and depth else self._inner[axis - depth]

    def _sliced(self, key: slice) -> DynamicRaggedShape:
        if key.step not in (None, 1):
            raise IndexError("Cannot stride through a shape")
        start, stop, _ = key.indices(self.rank)
        if start >= stop:
            return DynamicRaggedShape([], convert_to_tensor([], self.dtype))
        depth = min(self.num_row_partitions, stop - 1)
        if start == 0 and depth:
            partitions = self._partitions[:depth]
            inner = ops.concat([[partitions[-1].nvals()], self._inner[1 : max(stop - self.num_row_partitions, 1)]], 0)
            return DynamicRaggedShape(partitions, inner)
        if not all(self.is_uniform(axis) for axis in range(stop)):
            raise ValueError("All relevant dimensions must be uniform")
        return DynamicRaggedShape([], ops.stack([self._size(axis) for axis in range(start, stop)]))

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, DynamicRaggedShape) or self._type_spec != other._type_spec:
            return False
        pairs = [(self._inner, other._inner)]
        rows = zip(self._partitions, other._partitions, strict=True)
        pairs += [(a.row_splits(), b.row_splits()) for a, b in rows]
        return ops.reduce_all(ops.stack([ops.reduce_all(ops.equal(a, b)) for a, b in pairs]))

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return not same if isinstance(same, bool) else ops.logical_not(same)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lengths = ", ".join(map(str, self.static_lengths()))
        return f"<DynamicRaggedShape lengths=[{lengths}] num_row_partitions={self.num_row_partitions}>"

    # -- using ---------------------------------------------------------------------------------------------------------

    def partitioned(self, count: int) -> DynamicRaggedShape:
        """The same shape with row partitions for at least that many axes."""
        partitions, inner, static = list(self._partitions), self._inner, self._static.as_list()
        if len(partitions) >= count:
            return self
        while len(partitions) < count:
            length, rows = static[1], static[0]
            uniform = inner[1] if length is None else convert_to_tensor(length, self.dtype)
            nrows = inner[0] if rows is None else convert_to_tensor(rows, self.dtype)
            partitions.append(RowPartition.from_uniform_row_length(uniform, nrows=nrows))
            inner = ops.concat([ops.reshape(nrows * uniform, [1]), inner[2:]], 0)
            static = [None if rows is None or length is None else rows * length, *static[2:]]
        return DynamicRaggedShape(partitions, inner, static_inner_shape=static)

    def around(self, flat: Any) -> Any:
        """Values of the inner shape in the rows."""
        for partition in reversed(self._partitions):
            flat = RaggedTensor(flat, partition.row_splits(), partition.uniform_row_length())
        return flat

    def _apply(self, op: Op, inputs: Sequence[Any], _attrs: Mapping[str, Any] | None, name: str | None) -> Any:
        """What an op does that was given this shape for one of tensors; NotImplemented for most."""
        if op.type == "Fill":
            dims, value = inputs
            return dims.around(bind(op, (dims._inner, value), None, name))
        if op.type == "Reshape":
            tensor, shape = inputs
            return shape.around(bind(op, (getattr(tensor, "flat_values", tensor), shape._inner), None, name))
        if op.type == "BroadcastTo":
            with name_scope(name, "RaggedBroadcastTo"):
                return ragged_broadcasting.broadcast_to(*inputs)
        if op.type == "BroadcastArgs":
            with name_scope(name, "RaggedBroadcastShape"):
                shapes = [given if isinstance(given, DynamicRaggedShape) else _dense(given) for given in inputs]
                return ragged_broadcasting.broadcast_shapes(*shapes)
        return NotImplemented

    @property
    def _type_spec(self) -> DynamicRaggedShapeSpec:
        counts = [
            *(partition.static_nrows for partition in self._partitions[1:]),
            *self._static.as_list()[:1],
        ]  # fmt: skip
        specs = [
            RowPartitionSpec(p.static_nrows, count, p.static_uniform_row_length, p.dtype)
            for p, count in zip(self._partitions, counts, strict=False)
        ]
        return DynamicRaggedShapeSpec(tuple(specs), self._static, self.dtype)


def _dense(shape: Any) -> DynamicRaggedShape:
    if isinstance(shape, TensorShape):
        shape = shape.as_list()
    return DynamicRaggedShape([], shape)


class DynamicRaggedShapeSpec(TypeSpec):
    """Describes a ``tf.experimental.DynamicRaggedShape``, whose ``Spec`` it is.

    Args:
      row_partitions: the specs of the row partitions.
      static_inner_shape: what is known of the sizes of the inner axes; their number must be.
      dtype: int32 or int64.
    """

    __slots__ = ("_dtype", "_partitions", "_static")

    def __init__(self, row_partitions: Any, static_inner_shape: Any, dtype: Any) -> None:
        self._partitions, self._static = tuple(row_partitions), as_shape(static_inner_shape)
        self._dtype = _kind(dtype)

    @classmethod
    def from_value(cls, value: Any) -> DynamicRaggedShapeSpec:
        """The spec of a shape."""
        if not isinstance(value, DynamicRaggedShape):
            raise TypeError(f"A DynamicRaggedShape is needed, not {type(value).__name__}.")
        return value._type_spec

    @property
    def value_type(self) -> Any:
        """``tf.experimental.DynamicRaggedShape``."""
        return DynamicRaggedShape

    @property
    def dtype(self) -> DType:
        """int32 or int64."""
        return self._dtype

    @property
    def num_row_partitions(self) -> int:
        """How many row partitions there are."""
        return len(self._partitions)

    @property
    def inner_rank(self) -> int | None:
        """The number of inner axes."""
        return self._static.rank

    @property
    def rank(self) -> int | None:
        """The number of axes."""
        return None if self._static.rank is None else self._static.rank + len(self._partitions)

    def with_dtype(self, dtype: Any) -> DynamicRaggedShapeSpec:
        """The same in int32 or int64."""
        kind = _kind(dtype)
        specs = [RowPartitionSpec(p._nrows, p._nvals, p._length, kind) for p in self._partitions]
        return DynamicRaggedShapeSpec(specs, self._static, kind)

    def _serialize(self) -> tuple[Any, ...]:
        return self._partitions, self._static, self._dtype

    @property
    def _component_specs(self) -> Any:
        return TensorSpec([self._static.rank], self._dtype), *(spec._component_specs for spec in self._partitions)

    def _to_components(self, value: Any) -> Any:
        return value._inner, *(partition._splits for partition in value._partitions)

    def _from_components(self, components: Any) -> DynamicRaggedShape:
        inner, *splits = components
        pairs = zip(self._partitions, splits, strict=True)
        return DynamicRaggedShape._made([spec._from_components(part) for spec, part in pairs], inner, self._static)

    def __repr__(self) -> str:
        return (
            f"DynamicRaggedShape.Spec(row_partitions={self._partitions!r}, static_inner_shape={self._static!r}, "
            f"dtype={self._dtype!r})"
        )


DynamicRaggedShape.Spec = DynamicRaggedShapeSpec
