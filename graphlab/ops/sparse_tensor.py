"""``tf.SparseTensor``: the elements of a mostly empty tensor with the places where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes, static
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.export import public
from graphlab.core.shape import TensorShape, as_shape, from_raw
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec
from graphlab.core.tensor import Tensor


@public("SparseTensor", "sparse.SparseTensor")
class SparseTensor(CompositeTensor):
    """A tensor of which only some elements are kept; the others are zero.

    Args:
      indices: int64 tensor of shape ``[n, rank]``: where each element stands.  Most functions need them in the order in
        which a tensor's elements are read (``tf.sparse.reorder``).
      values: tensor of shape ``[n]``: the elements.
      dense_shape: int64 tensor of shape ``[rank]``: the shape of the whole.

    Raises:
      ValueError: the shapes of the three don't fit together.
      TypeError: indices or shape are no integers.

    >>> import graphlab as tf
    >>> s = tf.SparseTensor(indices=[[0, 1], [2, 0]], values=[5., 6.], dense_shape=[3, 2])
    >>> tf.sparse.to_dense(s).numpy()
    array([[0., 5.],
           [0., 0.],
           [6., 0.]], dtype=float32)
    """

    __slots__ = ("__weakref__", "_dense_shape", "_indices", "_shape", "_values")

    __array_priority__ = 200  # tensors leave `dense * sparse` to it

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        with name_scope(None, "SparseTensor"):
            self._indices = convert_to_tensor(indices, dtypes.int64, name="indices")
            self._values = convert_to_tensor(values, name="values")
            self._dense_shape = convert_to_tensor(dense_shape, dtypes.int64, name="dense_shape")
        rows = self._indices.shape.with_rank(2)
        size = self._dense_shape.shape.with_rank(1)
        rows[:1].assert_is_compatible_with(self._values.shape.with_rank(1))
        rows[1:].assert_is_compatible_with(size)
        known = static.partial_value(self._dense_shape)
        rank = rows.as_list()[1]
        if known is None and rank is not None:
            known = (None,) * rank
        self._shape = from_raw(known)

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """The same for anything with ``indices``, ``values`` and ``dense_shape``.  TypeError without them."""
        if isinstance(sparse_tensor_value, SparseTensor):
            return sparse_tensor_value
        try:
            parts = [getattr(sparse_tensor_value, name) for name in ("indices", "values", "dense_shape")]
        except AttributeError:
            raise TypeError(f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value!r}.") from None
        return cls(*parts)

    @property
    def indices(self) -> Any:
        """Where the elements stand: int64, ``[n, rank]``."""
        return self._indices

    @property
    def values(self) -> Any:
        """The elements: ``[n]``."""
        return self._values

    @property
    def dense_shape(self) -> Any:
        """The shape of the whole as an int64 vector."""
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        """What is known of the shape of the whole."""
        return self._shape

    def get_shape(self) -> TensorShape:
        """As ``shape``."""
        return self._shape

    def set_shape(self, shape: Any) -> None:
        """States what is known of the shape besides.  ValueError if it is known to be another."""
        self._shape = self._shape.merge_with(shape)

    def _raw_shape(self) -> Any:
        return self._shape._dims

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._values.dtype  # type: ignore[no-any-return]

    @property
    def op(self) -> Any:
        """The operation that makes ``values``."""
        return self._values.op

    @property
    def graph(self) -> Any:
        """The graph of the parts."""
        return self._indices.graph

    def _apply(self, op: Any, inputs: Any, attrs: Any, name: str | None) -> Any:
        from graphlab.ops.composite_dispatch import over_sparse

        return over_sparse(op, inputs, attrs, name)

    def with_values(self, new_values: Any) -> SparseTensor:
        """Other elements (of any dtype) at the same places.  ValueError if their number differs."""
        return SparseTensor(self._indices, new_values, self._dense_shape)

    def __mul__(self, other: Any) -> SparseTensor:
        """With a tensor that broadcasts to this one's shape; elements that are not kept stay out."""
        return _elementwise(self, other, "DENSE_MUL", "mul")

    def __rmul__(self, other: Any) -> Any:
        return self * other if isinstance(other, Tensor) else NotImplemented

    def __truediv__(self, other: Any) -> SparseTensor:
        """By a tensor that broadcasts to this one's shape; elements that are not kept stay out."""
        if self.dtype.is_integer:
            from graphlab.ops.casting import cast

            wide = dtypes.float32 if self.dtype.size < 4 else dtypes.float64
            quotient: SparseTensor = self.with_values(cast(self._values, wide)) / cast(
                convert_to_tensor(other, self.dtype), wide
            )
            return quotient
        return _elementwise(self, other, "DENSE_DIV", "truediv")

    def __repr__(self) -> str:
        return f"SparseTensor(indices={self._indices!s}, values={self._values!s}, dense_shape={self._dense_shape!s})"

    @property
    def _type_spec(self) -> SparseTensorSpec:
        return SparseTensorSpec(self._shape, self.dtype)

    def _shape_invariant_to_type_spec(self, shape: Any) -> SparseTensorSpec:
        # As in tf.while_loop: the invariant is the shape of the whole.
        return SparseTensorSpec(shape, self.dtype)


def _elementwise(sparse: SparseTensor, other: Any, op: str, name: str) -> SparseTensor:
    from graphlab.ops import sparse_elementwise

    with name_scope(None, name):
        dense = convert_to_tensor(other, sparse.dtype, name="y")
        parts = (sparse.indices, sparse.values, sparse.dense_shape, dense)
        return SparseTensor(sparse.indices, bind(getattr(sparse_elementwise, op), parts), sparse.dense_shape)


def sparse_input(value: Any) -> SparseTensor:
    """A SparseTensor given to one of the functions.  TypeError for anything else."""
    if isinstance(value, SparseTensor):
        return value
    if all(hasattr(value, name) for name in ("indices", "values", "dense_shape")) and not hasattr(value, "_type_spec"):
        return SparseTensor.from_value(value)
    raise TypeError("Input must be a SparseTensor.")


@public("SparseTensorSpec")
class SparseTensorSpec(TypeSpec):
    """Describes ``tf.SparseTensor``.

    Args:
      shape: the shape of the whole.
      dtype: the type of the elements.

    >>> import graphlab as tf
    >>> tf.SparseTensorSpec([None, 3], tf.int32)
    SparseTensorSpec(TensorShape([None, 3]), tf.int32)
    """

    __slots__ = ("_dtype", "_shape")
    _component_names = ("indices", "values", "dense_shape")

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32) -> None:
        self._shape = as_shape(shape)
        self._dtype = dtypes.as_dtype(dtype)

    @property
    def value_type(self) -> Any:
        """``tf.SparseTensor``."""
        return SparseTensor

    @property
    def shape(self) -> TensorShape:
        """The shape of the whole, as far as it is known."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._dtype

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """The spec of a SparseTensor.  TypeError for anything else."""
        if isinstance(value, SparseTensor):
            return cls(value.shape, value.dtype)
        raise TypeError("Expected SparseTensor or SparseTensorValue.")

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype

    @property
    def _component_specs(self) -> list[TensorSpec]:
        rank = self._shape.rank
        return [
            TensorSpec([None, rank], dtypes.int64),
            TensorSpec([None], self._dtype),
            TensorSpec([rank], dtypes.int64),
        ]

    def _to_components(self, value: Any) -> Any:
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, components: Sequence[Any]) -> Any:
        if not all(isinstance(part, (Tensor, np.ndarray)) for part in components):
            return _Parts(*components)
        result = SparseTensor(*components)
        result._shape = result._shape.merge_with(self._shape)
        return result


class _Parts(SparseTensor):
    """A SparseTensor whose components are no tensors: what ``tf.nest`` makes while it maps them to something else."""

    __slots__ = ()

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        self._indices, self._values, self._dense_shape = indices, values, dense_shape
        self._shape = as_shape(None)
