"""``tf.TensorArray``: an array of tensors that loops fill and read.

In a graph it is a value, the *flow*: ``write`` gives a new TensorArray and leaves the old one as it was.  Eagerly it
is a Python list that ``write`` changes in place, as in TensorFlow.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from graphlab.control import tensor_list, tensor_list_concat
from graphlab.core import dtypes, errors, static
from graphlab.core.convert import make
from graphlab.core.dispatch import bind, misfit, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.export import public
from graphlab.core.shape import TensorShape, is_compatible, merge, raw
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec
from graphlab.core.state import state
from graphlab.core.tensor import SymbolicTensor, Tensor


@public("TensorArraySpec")
class TensorArraySpec(TypeSpec):
    """The type of a TensorArray.

    Args:
      element_shape: the shape its elements fit.
      dtype: their dtype.
      dynamic_size: True if it grows on a write behind its end.
      infer_shape: True if all elements must have one shape.

    >>> import graphlab as tf
    >>> tf.TensorArraySpec([2], tf.int32)
    TensorArraySpec(TensorShape([2]), tf.int32, False, True)
    """

    __slots__ = ("_dtype", "_dynamic_size", "_element_shape", "_infer_shape", "_known", "_size")

    def __init__(
        self,
        element_shape: Any = None,
        dtype: Any = dtypes.float32,
        dynamic_size: bool = False,
        infer_shape: bool = True,
    ) -> None:
        self._element_shape = TensorShape(element_shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._dynamic_size = bool(dynamic_size)
        self._infer_shape = bool(infer_shape)
        self._known: list[Any] | None = None
        self._size = -1

    @classmethod
    def from_value(cls, value: TensorArray) -> TensorArraySpec:
        """The spec of a TensorArray."""
        spec = cls(value.element_shape, value.dtype, value.dynamic_size, value._infer_shape)
        if value._items is None:
            # The array a loop's body gets, the one it makes and the one behind the loop have elements of one shape:
            # what one of them learns, all know.
            spec._known = value._shape
            spec._size = value._size
        return spec

    @property
    def value_type(self) -> Any:
        """TensorArray."""
        return TensorArray

    @property
    def _component_specs(self) -> Any:
        return [TensorSpec([], dtypes.variant)]

    def _serialize(self) -> tuple[Any, ...]:
        return (self._element_shape, self._dtype, self._dynamic_size, self._infer_shape)

    def _to_components(self, value: Any) -> Any:
        return [value.flow]

    def _from_components(self, components: Any) -> Any:
        flow = components[0]
        if flow is None or not isinstance(flow, Tensor):
            return self
        result = TensorArray(
            dtype=self._dtype,
            flow=flow,
            dynamic_size=self._dynamic_size,
            infer_shape=self._infer_shape,
            element_shape=self._element_shape,
        )
        if self._known is not None:
            result._shape = self._known
            result._size = self._size
        return result


def _position(index: Any) -> int:
    """An eager index as an int.

    Raises:
      TypeError: it is no whole number.
      ValueError: it is no scalar.
    """
    if isinstance(index, Tensor) or hasattr(type(index), "__tf_tensor__"):
        tensor = make(index)
        if tensor.shape.rank and tensor.dtype is not dtypes.string:
            raise ValueError(f"An index of a TensorArray must be a scalar, not of shape {tensor.shape}.")
        if not tensor.dtype.is_integer:
            raise TypeError(f"An index of a TensorArray must be a whole number, not {index!r:.100}.")
        return int(tensor)
    try:
        return operator.index(index)
    except TypeError:
        raise TypeError(f"An index of a TensorArray must be a whole number, not {index!r:.100}.") from None


def _count(size: Any) -> int:
    """A size as an int.  TypeError: it is no whole number."""
    if isinstance(size, Tensor) or hasattr(type(size), "__tf_tensor__"):
        tensor = make(size)
        if tensor.dtype.is_integer or tensor.dtype is dtypes.bool:
            return int(tensor)
    elif isinstance(size, (int, np.integer, np.ndarray)):
        return int(size)
    raise TypeError(f"The size of a TensorArray must be a whole number, not {size!r:.100}.")


def _positions(indices: Any, several: type[Exception] = ValueError) -> Any:
    """Eager indices as a vector of numbers.

    Raises:
      TypeError: they are no whole numbers.
      ValueError: they are more than a vector (`several` is what is raised then).
    """
    try:
        array = np.asarray(make(indices, None, dtypes.int32))
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(str(error)) from None
    if not array.size:
        return array.reshape(-1)
    if array.ndim > 1:
        raise several(f"Indices of a TensorArray must be a vector, not of shape {array.shape}.")
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(f"Indices of a TensorArray must be a vector of whole numbers, not {indices!r:.100}.")
    return array


@public("TensorArray")
class TensorArray(CompositeTensor):
    """An array of tensors of one dtype, written and read at indices.

    Use the result of ``write``: in a graph it is a new array, and the old one does not change.

    Args:
      dtype: dtype of the elements.
      size: number of elements (an int or int32 tensor of shape ()).
      dynamic_size: let writes behind the end enlarge it.
      clear_after_read: forget an element once it is read (eagerly: reading it twice is an error).
      tensor_array_name: kept for compatibility.
      handle, flow: parts of an existing array.
      infer_shape: require one shape of all elements.
      element_shape: that shape, if it is known.
      colocate_with_first_write_call: kept for compatibility.
      name: name of the ops.

    Raises:
      ValueError: no size, or an element of another shape.

    >>> import graphlab as tf
    >>> ta = tf.TensorArray(tf.float32, size=2)
    >>> ta = ta.write(0, 1.0).write(1, 2.0)
    >>> ta.stack().numpy()
    array([1., 2.], dtype=float32)
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if handle is not None and flow is None:
            raise ValueError("A TensorArray cannot be made from a handle alone. Give its flow.")
        if flow is not None and size is not None:
            raise ValueError("A TensorArray takes a size or the flow of an existing one, not both.")
        self._dtype: DType = dtypes.as_dtype(dtype)
        self._dynamic = bool(dynamic_size)
        if state.graph is not None and not isinstance(dynamic_size, (bool, np.bool_, Tensor, type(None))):
            raise TypeError(f"dynamic_size must be True or False, not {dynamic_size!r:.100}.")
        self._clear: Any = True if clear_after_read is None else clear_after_read  # asked for by an eager read
        self._infer_shape = infer_shape
        self._shape: list[Any] = [raw(TensorShape(element_shape))]
        self._items: list[Any] | None = None
        self._cleared: set[int] = set()
        self._flow: Any = flow
        # The number of elements, if it cannot change and is known while tracing; else -1.
        self._size = -1
        if flow is None:
            if size is None:
                raise ValueError("Size must be declared for TensorArrays: write tf.TensorArray(dtype, size=n).")
            if state.graph is None:
                self._items = [None] * _count(size)
            else:
                if isinstance(size, (list, tuple)):
                    size = make(size, None, dtypes.int32)
                fixed = static.value(size) if isinstance(size, Tensor) else size
                if (size.dtype.is_integer and size.shape.rank) if isinstance(size, Tensor) else np.ndim(size):
                    text = f"The size of a TensorArray must be a scalar, not {size!r:.100}."
                    raise errors.InvalidArgumentError(None, None, text)
                if not self._dynamic and isinstance(fixed, (int, np.ndarray, np.integer)):
                    self._size = int(fixed)
                with name_scope(name or "TensorArrayV2") as scope:
                    self._flow = bind(
                        tensor_list.RESERVE,
                        (tensor_list.shape_argument(self._shape[0]), size),
                        {"element_dtype": self._dtype},
                        scope or "TensorArrayV2",
                    )

    # -- facts ---------------------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """Dtype of the elements."""
        return self._dtype

    @property
    def dynamic_size(self) -> bool:
        """True if writes behind the end enlarge it."""
        return self._dynamic

    @property
    def element_shape(self) -> TensorShape:
        """The shape of the elements, as far as it is known."""
        return TensorShape(self._shape[0])

    @property
    def handle(self) -> None:
        """None: the array is its flow."""
        return None

    @property
    def flow(self) -> Any:
        """The array as a tensor of dtype variant."""
        if self._items is not None:
            flow = tensor_list.reserve(self._dtype, self._shape[0], np.array(len(self._items), np.int32))
            for index, item in enumerate(self._items):
                if item is not None:
                    flow = tensor_list.set_item(flow, np.array(index, np.int32), item)
            return flow
        return self._flow

    @property
    def _type_spec(self) -> TensorArraySpec:
        return TensorArraySpec.from_value(self)

    def _shape_invariant_to_type_spec(self, shape: Any) -> TensorArraySpec:
        return TensorArraySpec(shape, self._dtype, self._dynamic, self._infer_shape)

    def __repr__(self) -> str:
        return f"<tf.TensorArray dtype={self._dtype.name} element_shape={self.element_shape}>"

    def __bool__(self) -> bool:
        return True

    def _like(self, flow: Any) -> TensorArray:
        result = TensorArray(
            dtype=self._dtype, flow=flow, dynamic_size=self._dynamic, infer_shape=self._infer_shape, element_shape=None
        )
        result._clear, result._shape, result._size = self._clear, self._shape, self._size
        return result

    def _here(self) -> list[Any] | None:
        """The Python list, if the array is eager and so is this code; an eager array used in a graph becomes a flow."""
        if self._items is not None and (state.graph is not None or self._symbolic()):
            self._flow, self._items = self.flow, None
        return self._items

    def _symbolic(self) -> bool:
        return any(isinstance(item, SymbolicTensor) for item in self._items or ())

    def _check(self, shape: Any) -> None:
        if not self._infer_shape:
            return
        if not is_compatible(self._shape[0], shape):
            raise ValueError(
                f"Inconsistent shapes: saw {TensorShape(shape)} but expected {TensorShape(self._shape[0])}. All "
                f"elements of "
                "a TensorArray have one shape; infer_shape=False lifts that."
            )
        if state.graph is not None or self._items is not None:
            self._shape[0] = merge(self._shape[0], shape)

    def _value(self, value: Any) -> Any:
        tensor = make(value, None, self._dtype)
        if tensor.dtype is not self._dtype:
            text = f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype {tensor.dtype.name}"
            raise errors.InvalidArgumentError(None, None, text)
        return tensor

    # -- one element ---------------------------------------------------------------------------------------------------

    def read(self, index: Any, name: str | None = None) -> Any:
        """The element at ``index``; zeros if it was never written and the shape is known."""
        return self._read(index, self._clear, name)

    def _read(self, index: Any, clear: bool, name: str | None = None) -> Any:
        items = self._here()
        if items is None:
            with name_scope(name, "TensorArrayV2Read"):
                return tensor_list.get_item(self._flow, index, self._dtype, self._shape[0])
        position = _position(index)
        if not 0 <= position < len(items):
            raise errors.OutOfRangeError(
                None, None, f"Tried to read from index {position} but array size is: {len(items)}"
            )
        item = items[position]
        if item is None:
            if position in self._cleared:
                raise errors.InvalidArgumentError(
                    None,
                    None,
                    f"Could not read index {position} twice because it was cleared after a previous read "
                    "(perhaps try setting clear_after_read = false?)",
                )
            item = self._zero(position)
        if clear:
            items[position] = None
            self._cleared.add(position)
        return item

    def _zero(self, position: int) -> Any:
        from graphlab.ops.creation import zeros

        shape = self._shape[0]
        if shape is None or None in shape:
            raise ValueError(
                f"Element {position} of the TensorArray was never written, and its shape is not known. "
                "Write every element, or give element_shape."
            )
        return zeros(list(shape), self._dtype)

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with ``value`` at ``index``.  In a graph, use the result: this array does not change.

        Raises:
          ValueError: the value has another shape than the other elements.
          InvalidArgumentError: it has another dtype.
          OutOfRangeError: the index is behind the end (InvalidArgumentError in a graph).
        """
        items = self._here()
        if items is None:
            with name_scope(name, "TensorArrayV2Write"):
                tensor = make(value, None, self._dtype, "value")
                self._check(tensor._raw_shape())
                self._value(tensor)
                flow = tensor_list.set_item(self._flow, index, tensor, self._dynamic)
            return self._like(flow)
        tensor = self._value(value)
        position = _position(index)
        if position >= len(items) and not self._dynamic:
            raise errors.OutOfRangeError(
                None, None, f"Tried to write to index {position} but array is not resizeable and size is: {len(items)}"
            )
        if position < 0:
            raise errors.OutOfRangeError(None, None, f"Writing to negative indices (index {position}) is not allowed.")
        if self._infer_shape and not is_compatible(self._shape[0], tensor._raw_shape()):
            raise ValueError(
                f"Incompatible shape for value ({TensorShape(tensor._raw_shape())}), expected ({self.element_shape})"
            )
        self._check(tensor._raw_shape())
        if position >= len(items):
            items += [None] * (position + 1 - len(items))
        items[position] = tensor
        self._cleared.discard(position)
        return self

    # -- all elements --------------------------------------------------------------------------------------------------

    def stack(self, name: str | None = None) -> Any:
        """All elements as one tensor of shape ``[size, *element_shape]``."""
        items = self._here()
        if items is None:
            with name_scope(name, "TensorArrayV2Stack"):
                return tensor_list.stack(self._flow, self._dtype, self._shape[0], self._size)
        if not items:
            from graphlab.ops.creation import zeros

            shape = self._shape[0]
            return zeros([0, *(shape if shape and None not in shape else ())], self._dtype)
        for position, item in enumerate(items):
            if item is None:
                items[position] = self._zero(position)
        from graphlab.ops.array import stack

        return stack(items, name=name or "stack")

    def gather(self, indices: Any, name: str | None = None) -> Any:
        """The elements at ``indices`` as one tensor."""
        if self._here() is None:
            from graphlab.ops.gather_scatter import gather

            return gather(self.stack(), self._picks(indices), name=name)
        from graphlab.ops.array import stack

        picks = _positions(indices, TypeError)
        if not len(picks):
            from graphlab.ops.creation import zeros

            return zeros([0], self._dtype)
        count = 0 if self._items is None else len(self._items)
        wrong = next((int(i) for i in picks if not -count <= i < count), None)
        if wrong is not None:
            raise IndexError(f"Tried to gather index {wrong} of a TensorArray of {count} elements.")
        return stack([self._read(int(i) % count, False) for i in picks])

    def concat(self, name: str | None = None) -> Any:
        """All elements joined along their first axis."""
        items = self._here()
        if items is None:
            return tensor_list_concat.concat(self._flow, self._dtype, self._shape[0], name=name)
        from graphlab.ops.array import concat

        filled = [self._zero(i) if item is None else item for i, item in enumerate(items)]
        if not filled:
            from graphlab.ops.creation import zeros

            return zeros([0, *((self._shape[0] or (0,))[1:])], self._dtype)
        return concat(filled, 0, name=name or "concat")

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """An array of the parts of ``value`` along its first axis."""
        tensor = make(value, None, self._dtype)
        traced, shape = state.graph is not None, tensor._raw_shape()
        if traced and tensor.dtype is not self._dtype:
            raise ValueError(f"The TensorArray has dtype {self._dtype.name}, what is unstacked {tensor.dtype.name}.")
        if shape == ():
            text = f"What is unstacked must have a first axis, but is a scalar: {value!r:.100}."
            raise errors.InvalidArgumentError(None, None, text) if traced else ValueError(text)
        if tensor.dtype is not self._dtype:
            self._value(tensor)
        inner = None if shape is None else shape[1:]
        if self._here() is None:
            self._check(inner)
            with name_scope(name, "TensorArrayUnstack"):
                return self._like(tensor_list.from_tensor(tensor, inner))
        items = self._items
        assert items is not None
        parts = list(tensor)
        if len(parts) > len(items) and not self._dynamic:
            raise ValueError(f"Cannot unstack {len(parts)} tensors into a TensorArray of static size {len(items)}")
        if parts:
            self._check(inner)
        self._items = parts
        self._cleared.clear()
        return self

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the parts of ``value`` along its first axis at ``indices``."""
        tensor = make(value, None, self._dtype)
        if self._here() is None:
            with name_scope(name, "TensorArrayScatter"):
                return self._scattered(indices, tensor)
        if tensor.shape.rank == 0:
            raise ValueError(f"The values to scatter must have a first axis, but are a scalar: {tensor!r:.100}.")
        picks = _positions(indices)
        for index, part in zip(picks, tensor, strict=False):
            self.write(int(index), part)
        if 0 < len(tensor) < picks.size:
            raise errors.InvalidArgumentError(None, None, f"There are {picks.size} indices for {len(tensor)} values.")
        return self

    def _picks(self, indices: Any) -> Any:
        """Indices in a graph.  TypeError: they are not int32."""
        picks = make(indices, None, dtypes.int32)
        if picks.dtype is not dtypes.int32:
            raise TypeError(f"Indices of a TensorArray in a graph must have dtype int32, not {picks.dtype.name}.")
        return picks

    def _scattered(self, indices: Any, tensor: Any) -> TensorArray:
        """The flow with the parts of a tensor at ``indices``."""
        from graphlab.control.while_loop import while_loop
        from graphlab.ops.array_shape import shape

        if tensor.dtype is not self._dtype:
            raise ValueError(f"The TensorArray has dtype {self._dtype.name}, what is scattered {tensor.dtype.name}.")
        picks = self._picks(indices)
        flow = self._flow
        count = shape(picks)[0]
        inner = tensor._raw_shape()
        self._check(None if inner is None else inner[1:])
        known = picks._raw_shape()
        if known and inner and None not in (known[0], inner[0]) and known[0] != inner[0]:
            text = f"There are {known[0]} indices for {inner[0]} values."
            raise errors.InvalidArgumentError(None, None, text)
        if known is not None and known[0] is not None and known[0] <= 16:
            for i in range(known[0]):
                flow = tensor_list.set_item(flow, picks[i], tensor[i], self._dynamic)
        else:
            _, flow = while_loop(
                lambda i, f: i < count,
                lambda i, f: (i + 1, tensor_list.set_item(f, picks[i], tensor[i], self._dynamic)),
                (make(np.array(0, np.int32)), flow),
            )
        return self._like(flow)

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """An array of consecutive pieces of ``value`` along its first axis, of the given lengths."""
        tensor = make(value, None, self._dtype)
        if tensor.shape.rank == 0:
            raise misfit("What is split must have a first axis, but is a scalar.")
        sizes = make(lengths, None, dtypes.int64)
        if self._here() is None:
            shape = tensor._raw_shape()
            piece = None if shape is None else (None, *shape[1:])
            from graphlab.ops.casting import cast

            with name_scope(name, "TensorArraySplit"):
                self._check(piece)
                return self._like(tensor_list_concat.split(tensor, piece, cast(sizes, dtypes.int64)))
        start = 0
        pieces = np.asarray(sizes).reshape(-1)
        if int(pieces.sum()) != tensor.shape[0]:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {int(pieces.sum())} "
                f"and value's shape is: {list(tensor.shape)}",
            )
        self._items = []
        for size in pieces:
            self._items.append(tensor[start : start + int(size)])
            start += int(size)
        self._cleared.clear()
        return self

    def size(self, name: str | None = None) -> Any:
        """The number of elements, int32."""
        items = self._here()
        if items is None:
            with name_scope(name, "TensorArrayV2Size"):
                return tensor_list.length(self._flow)
        return make(np.array(len(items), np.int32))

    def identity(self) -> TensorArray:
        """The same array."""
        if self._here() is None:
            from graphlab.ops.array import identity

            return self._like(identity(self._flow))
        return self

    def grad(self, source: Any, flow: Any = None, name: str | None = None) -> Any:
        """Gradients of arrays are taken by the tape."""
        raise NotImplementedError(
            "TensorArray.grad is of TensorFlow 1. Use tf.GradientTape, which goes through arrays."
        )

    def close(self, name: str | None = None) -> None:
        """Forgets the elements."""
        if self._items is not None:
            self._items = []
