"""Tensor lists: the values behind TensorArray in graphs, and what loops keep for their gradients.

A list is a value: an op that changes it gives a new list, and every list a program can still see keeps its elements.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes, errors
from graphlab.core.dispatch import bind
from graphlab.core.dtypes import DType
from graphlab.core.op import NOT_DIFFERENTIABLE, REQUIRED, define
from graphlab.core.shape import raw
from graphlab.core.state import state
from graphlab.graph.backprop import list_rules


class TensorList:
    """A persistent list of arrays: every version keeps its value, and the newest is changed in place.

    The newest version owns the storage.  An older one knows only how it differs from the next (``H. G. Baker, Shallow
    binding makes functional arrays fast, 1991``); when it is read, the storage is handed back to it step by step.

    Attributes:
      element: the DType of the elements.
      shape_of_element: the raw shape they must fit, None if unknown.
    """

    __slots__ = ("_items", "_newer", "_undo", "element", "shape_of_element")

    dtype_of_handle: Final = dtypes.variant
    shape: Final = ()
    ndim: Final = 0

    def __init__(self, items: list[Any], element: DType, shape_of_element: Any) -> None:
        self._items: list[Any] | None = items
        self._newer: TensorList | None = None
        self._undo: tuple[int, Any] = (0, None)
        self.element = element
        self.shape_of_element = shape_of_element

    def _own(self) -> list[Any]:
        """The storage, in the state of this version.  The caller holds the lock."""
        items = self._items
        if items is not None:
            return items
        chain: list[TensorList] = []
        node: TensorList = self
        while node._items is None:
            chain.append(node)
            node = node._newer  # type: ignore[assignment]
        items = node._items
        for older in reversed(chain):
            kind, value = older._undo
            newer = older._newer
            assert newer is not None
            if kind == _PUSHED:
                newer._undo = (_POPPED, items.pop())
            elif kind == _POPPED:
                newer._undo = (_PUSHED, None)
                items.append(value)
            else:
                newer._undo = (kind, items[kind])
                items[kind] = value
            newer._items, newer._newer = None, older
            older._items, older._newer = items, None
        return items

    def _next(self, undo: tuple[int, Any]) -> TensorList:
        """A new version that takes the storage over; ``undo`` leads back to this one."""
        new = TensorList(self._items, self.element, self.shape_of_element)  # type: ignore[arg-type]
        self._items, self._newer, self._undo = None, new, undo
        return new

    @property
    def items(self) -> list[Any]:
        """A copy of the elements; None stands for one that was never set."""
        with _lock:
            return list(self._own())

    @property
    def length(self) -> int:
        """The number of elements."""
        with _lock:
            return len(self._own())

    def push(self, value: Any) -> TensorList:
        """The list with one more element."""
        with _lock:
            items = self._own()
            items.append(value)
            return self._next((_PUSHED, None))

    def pop(self) -> tuple[TensorList, Any]:
        """The list without its last element, and that element."""
        with _lock:
            items = self._own()
            if not items:
                raise errors.InvalidArgumentError(None, None, "Trying to pop from an empty list.")
            value = items[-1]
            result = self.zero(items) if value is None else value
            items.pop()
            return self._next((_POPPED, value)), result

    def get(self, index: int) -> Any:
        """An element; zeros if it was never set."""
        with _lock:
            items = self._own()
            if not 0 <= index < len(items):
                raise errors.InvalidArgumentError(
                    None, None, f"Trying to access element {index} in a list with {len(items)} elements."
                )
            value = items[index]
            return self.zero(items) if value is None else value

    def zero(self, items: list[Any]) -> Any:
        """What an element that was never set reads as."""
        shape = self.shape_of_element
        if shape is None or None in shape:
            known = next((np.shape(v) for v in items if v is not None), None)
            if known is None:
                raise errors.InvalidArgumentError(
                    None,
                    None,
                    "Trying to read an uninitialized tensor of a list whose element shape is not known: "
                    f"{'unknown' if shape is None else list(shape)}.",
                )
            shape = known
        if self.element is dtypes.string:
            return np.full(shape, b"", object)
        if self.element.np is None:
            raise errors.InvalidArgumentError(None, None, "Trying to read an element of a list that was never set.")
        return np.zeros(shape, self.element.np)

    def set(self, index: int, value: Any) -> TensorList:
        """The list with one element replaced."""
        with _lock:
            items = self._own()
            if not 0 <= index < len(items):
                raise errors.InvalidArgumentError(
                    None, None, f"Trying to modify element {index} in a list with {len(items)} elements."
                )
            before = items[index]
            items[index] = value
            return self._next((index, before))

    def resize(self, size: int) -> TensorList:
        """A list cut or filled up to ``size`` elements."""
        items = self.items[:size]
        items += [None] * (size - len(items))
        return TensorList(items, self.element, self.shape_of_element)

    def values(self) -> list[Any]:
        """All elements."""
        items = self.items
        return [self.zero(items) if item is None else item for item in items]

    def __repr__(self) -> str:
        return f"<TensorList of {self.length} {self.element.name}>"


# What leads from a version to the one before it: an index whose value is put back, or one of these.
_PUSHED, _POPPED = -1, -2
_lock = threading.Lock()


def _element_shape(element_shape: Any) -> Any:
    """A raw shape from the int vector (or scalar -1: unknown) that the ops take."""
    if np.ndim(element_shape) == 0:
        return None
    return tuple(int(d) if d >= 0 else None for d in element_shape)


def shape_argument(shape: Any) -> Any:
    """The vector that stands for a raw shape in the ops: -1 for unknown dimensions, scalar -1 for unknown rank.

    In a graph that of scalars is a constant with a name of its own, as TensorFlow's is.
    """
    shape = raw(shape)
    if shape is None:
        return np.array(-1, np.int32)
    array = np.array([-1 if d is None else d for d in shape], np.int32)
    return array if shape or state.graph is None else state.graph.constant(array)


def _scalar(args: Any, attrs: Any) -> Any:
    return ()


def _shapes_known(args: Any, position: int) -> Any:
    value = args[position].value
    return None if value is None else _element_shape(value)


EMPTY = define(
    "EmptyTensorList",
    "element_shape: shape_type, max_num_elements: int32 -> handle: variant",
    kernel=lambda element_shape, limit, element_dtype: TensorList([], element_dtype, _element_shape(element_shape)),
    infer=_scalar,
    gradient=NOT_DIFFERENTIABLE,
    attrs={"element_dtype": REQUIRED},
    random=True,  # a new object each time: never shared between two uses
    fp=False,
)
RESERVE = define(
    "TensorListReserve",
    "element_shape: shape_type, num_elements: int32 -> handle: variant",
    kernel=lambda element_shape, count, element_dtype: TensorList(
        [None] * _count(count), element_dtype, _element_shape(element_shape)
    ),
    infer=_scalar,
    gradient=NOT_DIFFERENTIABLE,
    attrs={"element_dtype": REQUIRED},
    random=True,
    fp=False,
)


def _count(count: Any) -> int:
    if int(count) < 0:
        raise errors.InvalidArgumentError(
            None, None, f"The num_elements to reserve must be a non negative number, but got {int(count)}"
        )
    return int(count)


def _push_grad(op: Any, dlist: Any) -> Any:
    rest, element = pop(dlist, op.inputs[1].dtype, op.inputs[1]._raw_shape())
    return [rest, element]


PUSH = define(
    "TensorListPushBack",
    "input_handle: variant, tensor: element_dtype -> output_handle: variant",
    kernel=lambda handle, tensor: handle.push(tensor),
    infer=_scalar,
    gradient=_push_grad,
    fp=False,
)


def _pop_grad(op: Any, dlist: Any, delement: Any) -> Any:
    if dlist is None:
        dlist = zeros_like(op.outputs[0])
    if delement is None:
        from graphlab.ops.creation import zeros_like as zeros

        delement = zeros(op.outputs[1])
    return [push(dlist, delement), None]


POP = define(
    "TensorListPopBack",
    "input_handle: variant, element_shape: int32 -> output_handle: variant, tensor: element_dtype",
    kernel=lambda handle, element_shape, element_dtype: handle.pop(),
    infer=lambda args, attrs: [(), _shapes_known(args, 1)],
    gradient=_pop_grad,
    attrs={"element_dtype": REQUIRED},
    can_fail=True,
    fp=False,
)


def _zeros(handle: TensorList) -> TensorList:
    out: list[Any] = []
    for item in handle.items:
        if isinstance(item, TensorList):
            out.append(_zeros(item))
        else:
            out.append(None if item is None else np.zeros(np.shape(item), handle.element.np))
    return TensorList(out, handle.element, handle.shape_of_element)


ZEROS = define(
    "TensorListZerosLike",
    "input_handle: variant -> output_handle: variant",
    kernel=_zeros,
    infer=_scalar,
    gradient=NOT_DIFFERENTIABLE,
    fp=False,
)


def _add(a: TensorList, b: TensorList) -> TensorList:
    left, right = a.items, b.items
    if len(left) != len(right):
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Trying to add two lists of tensors with different lengths. One is {len(left)} and the other {len(right)}",
        )
    out: list[Any] = []
    for x, y in zip(left, right, strict=True):
        if x is None or y is None:
            out.append(y if x is None else x)
        else:
            out.append(_add(x, y) if isinstance(x, TensorList) else x + y)
    return TensorList(out, a.element, a.shape_of_element)


ADD = define(
    "TensorListAdd",
    "a: variant, b: variant -> sum: variant",
    kernel=_add,
    infer=_scalar,
    gradient=lambda op, dy: [dy, dy],
)

LENGTH = define(
    "TensorListLength",
    "input_handle: variant -> length: int32",
    kernel=lambda handle: np.array(handle.length, np.int32),
    infer=_scalar,
    gradient=NOT_DIFFERENTIABLE,
    fp=False,
)


def _set_grad(op: Any, dlist: Any) -> Any:
    index, item = op.inputs[1], op.inputs[2]
    element = get_item(dlist, index, item.dtype, item._raw_shape())
    from graphlab.ops.creation import zeros_like as zeros

    rest = set_item(dlist, index, zeros(item))
    if op.attrs["resize_if_index_out_of_bounds"]:
        # The list before may have been shorter: its gradient has an element for each that it had.
        rest = resize(rest, length(op.inputs[0]))
    return [rest, None, element]


SET = define(
    "TensorListSetItem",
    "input_handle: variant, index: int32, item: element_dtype -> output_handle: variant",
    kernel=lambda handle, index, item, resize_if_index_out_of_bounds: _set(
        handle, int(index), item, resize_if_index_out_of_bounds
    ),
    infer=_scalar,
    gradient=_set_grad,
    attrs={"resize_if_index_out_of_bounds": False},
    can_fail=True,
    fp=False,
)


def _set(handle: TensorList, index: int, item: Any, resize: bool) -> TensorList:
    if resize and index >= handle.length:
        handle = handle.resize(index + 1)
    return handle.set(index, item)


def _get_grad(op: Any, dy: Any) -> Any:
    handle, index = op.inputs[0], op.inputs[1]
    size = length(handle)
    empty = reserve(dy.dtype, op.outputs[0]._raw_shape(), size)
    return [set_item(empty, index, dy), None, None]


RESIZE = define(
    "TensorListResize",
    "input_handle: variant, size: int32 -> output_handle: variant",
    kernel=lambda handle, size: handle.resize(_count(size)),
    infer=_scalar,
    gradient=lambda op, dlist: [resize(dlist, length(op.inputs[0])), None],
    can_fail=True,
    fp=False,
)


GET = define(
    "TensorListGetItem",
    "input_handle: variant, index: int32, element_shape: int32 -> item: element_dtype",
    kernel=lambda handle, index, element_shape, element_dtype: _item(handle, int(index), element_shape),
    infer=lambda args, attrs: _shapes_known(args, 2),
    gradient=_get_grad,
    attrs={"element_dtype": REQUIRED},
    can_fail=True,
    fp=False,
)


def _item(handle: TensorList, index: int, element_shape: Any) -> Any:
    shape = _element_shape(element_shape)
    if handle.shape_of_element is None and shape is not None and None not in shape:
        handle.shape_of_element = shape
    return handle.get(index)


def _stack(handle: TensorList, element_shape: Any, element_dtype: DType, num_elements: int) -> Any:
    if num_elements >= 0 and handle.length != num_elements:
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Operation expected a list with {num_elements} elements but got a list with {handle.length} elements.",
        )
    shape = _element_shape(element_shape)
    if shape is not None and None not in shape:
        handle = TensorList(handle.items, handle.element, shape)
    if not handle.length:
        known = shape if shape is not None else handle.shape_of_element
        if known is None or None in known:
            raise errors.InvalidArgumentError(
                None,
                None,
                "Tried to stack elements of an empty list with non-fully-defined element_shape: "
                f"{'<unknown>' if known is None else list(known)}",
            )
        return np.zeros((0, *known), element_dtype.np)
    values = handle.values()
    first = np.shape(values[0])
    for position, item in enumerate(values):
        if np.shape(item) != first:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Tried to stack elements of different shapes: element 0 has shape {list(first)}, element {position} "
                f"{list(np.shape(item))}.",
            )
    if element_dtype is dtypes.string:
        out = np.empty((len(values), *first), object)
        for position, item in enumerate(values):
            out[position] = item if first else item[()]
        return out
    return np.stack(values)


def _stack_grad(op: Any, dy: Any) -> Any:
    shape = dy._raw_shape()
    return [from_tensor(dy, None if shape is None else shape[1:]), None]


def _stacked_shape(args: Any, attrs: Any) -> Any:
    shape = _shapes_known(args, 1)
    if shape is None:
        return None
    return (attrs["num_elements"] if attrs["num_elements"] >= 0 else None, *shape)


STACK = define(
    "TensorListStack",
    "input_handle: variant, element_shape: int32 -> tensor: element_dtype",
    kernel=_stack,
    infer=_stacked_shape,
    gradient=_stack_grad,
    attrs={"element_dtype": REQUIRED, "num_elements": -1},
    can_fail=True,
    fp=False,
)


def _from_tensor(tensor: Any, element_shape: Any) -> TensorList:
    items = [tensor[i] if tensor.dtype != object else _box(tensor[i]) for i in range(len(tensor))]
    return TensorList(items, dtypes.of_numpy(tensor.dtype), tensor.shape[1:])


def _box(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value
    out = np.empty((), object)
    out[()] = value
    return out


FROM_TENSOR = define(
    "TensorListFromTensor",
    "tensor: element_dtype, element_shape: shape_type -> output_handle: variant",
    kernel=_from_tensor,
    infer=_scalar,
    gradient=lambda op, dlist: [_from_tensor_grad(op, dlist), None],
    fp=False,
)


def _from_tensor_grad(op: Any, dlist: Any) -> Any:
    shape = op.inputs[0]._raw_shape()
    return stack(
        dlist,
        op.inputs[0].dtype,
        None if shape is None else shape[1:],
        -1 if shape is None or shape[0] is None else shape[0],
    )


# -- functions
# ----------------------------------------------------------------------------------------------------------


def empty(dtype: DType, shape: Any) -> Any:
    """A list without elements."""
    return bind(EMPTY, (shape_argument(shape), np.array(-1, np.int32)), {"element_dtype": dtype})


def reserve(dtype: DType, shape: Any, size: Any) -> Any:
    """A list of ``size`` elements that were never set."""
    return bind(RESERVE, (shape_argument(shape), size), {"element_dtype": dtype})


def push(handle: Any, value: Any) -> Any:
    """The list with ``value`` at its end."""
    return bind(PUSH, (handle, value))


def pop(handle: Any, dtype: DType, shape: Any) -> Sequence[Any]:
    """The list without its last element, and that element."""
    return bind(POP, (handle, shape_argument(shape)), {"element_dtype": dtype})  # type: ignore[no-any-return]


def zeros_like(handle: Any) -> Any:
    """A list of zeros of the same shapes."""
    return bind(ZEROS, (handle,))


def add_lists(a: Any, b: Any) -> Any:
    """The elementwise sum of two lists."""
    return bind(ADD, (a, b))


def length(handle: Any) -> Any:
    """The number of elements, int32."""
    return bind(LENGTH, (handle,))


def set_item(handle: Any, index: Any, value: Any, resize: bool = False) -> Any:
    """The list with one element replaced."""
    return bind(SET, (handle, index, value), {"resize_if_index_out_of_bounds": resize})


def resize(handle: Any, size: Any) -> Any:
    """The list cut to ``size`` elements, or with elements that were never set behind its own."""
    return bind(RESIZE, (handle, size))


def get_item(handle: Any, index: Any, dtype: DType, shape: Any) -> Any:
    """One element."""
    return bind(GET, (handle, index, shape_argument(shape)), {"element_dtype": dtype})


def stack(handle: Any, dtype: DType, shape: Any, count: int = -1) -> Any:
    """All elements as one tensor."""
    return bind(STACK, (handle, shape_argument(shape)), {"element_dtype": dtype, "num_elements": count})


def from_tensor(tensor: Any, shape: Any) -> Any:
    """A list of the parts of a tensor along its first axis."""
    return bind(FROM_TENSOR, (tensor, shape_argument(shape)))


list_rules.update(sum=add_lists, zeros=zeros_like)
