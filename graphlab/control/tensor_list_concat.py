"""Tensor lists whose elements lie one behind the other in a tensor: ``TensorArray.concat`` and ``split`` in graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.control.tensor_list import TensorList, shape_argument
from graphlab.core import dtypes, errors
from graphlab.core.convert import make
from graphlab.core.dispatch import bind
from graphlab.core.dtypes import DType
from graphlab.core.op import REQUIRED, define


def _raw(element_shape: Any) -> Any:
    """The shape that an argument says: a vector with -1 for what is unknown, or the scalar -1."""
    sizes = np.asarray(element_shape)
    return None if sizes.ndim == 0 else tuple(None if n < 0 else int(n) for n in sizes)


def _concat(handle: TensorList, element_shape: Any, leading_dims: Any, element_dtype: DType) -> Any:
    shape = _raw(element_shape)
    if shape is not None and None not in shape:
        handle = TensorList(handle.items, handle.element, shape)
    if not handle.length:
        known = shape if shape is not None else handle.shape_of_element
        if known is None or None in known[1:]:
            raise errors.InvalidArgumentError(
                None,
                None,
                "All except the first dimension must be fully defined when concating an empty tensor list. "
                f"element_shape: {'<unknown>' if known is None else list(known)}",
            )
        return np.zeros((0, *known[1:]), element_dtype.np), np.zeros(0, np.int64)
    if len(leading_dims) and any(item is None for item in handle.items):
        # What was never set is zeros, of the length that it is said to have.
        like = shape or next((np.shape(item) for item in handle.items if item is not None), handle.shape_of_element)
        rest = () if like is None else like[1:]
        values = [
            np.zeros((n, *rest), element_dtype.np) if item is None else item
            for n, item in zip(leading_dims, handle.items, strict=True)
        ]
    else:
        values = handle.values()
    first = np.shape(values[0])
    for position, item in enumerate(values):
        if np.shape(item)[1:] != first[1:] or not np.ndim(item):
            raise errors.InvalidArgumentError(
                None,
                None,
                "Elements of a list that is joined may differ in their first dimension only: element 0 has shape "
                f"{list(first)}, element {position} {list(np.shape(item))}.",
            )
    return np.concatenate(values), np.array([len(item) for item in values], np.int64)


def _concat_shape(args: Any, attrs: Any) -> Any:
    sizes = args[1].value
    shape = None if sizes is None else _raw(sizes)
    if shape == ():
        raise ValueError("The elements of a list that is joined need an axis, but they have shape ().")
    return [None if shape is None else (None, *shape[1:]), (None,)]


def _concat_grad(op: Any, dy: Any, dlengths: Any) -> Any:
    shape = op.outputs[0]._raw_shape()
    return [split(dy, None if shape is None else (None, *shape[1:]), op.outputs[1]), None, None]


CONCAT = define(
    "TensorListConcatV2",
    "input_handle: variant, element_shape: shape_type, leading_dims: int64 -> tensor: element_dtype, lengths: int64",
    kernel=_concat,
    infer=_concat_shape,
    gradient=_concat_grad,
    attrs={"element_dtype": REQUIRED},
    can_fail=True,
    fp=False,
)


def _split(tensor: Any, element_shape: Any, lengths: Any) -> TensorList:
    if int(np.sum(lengths)) != len(tensor):
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {int(np.sum(lengths))} "
            f"and value's shape is: {list(tensor.shape)}",
        )
    ends = np.cumsum(lengths)
    items = [tensor[end - n : end] for end, n in zip(ends, lengths, strict=True)]
    return TensorList(items, dtypes.of_numpy(tensor.dtype), _raw(element_shape))


SPLIT = define(
    "TensorListSplit",
    "tensor: element_dtype, element_shape: shape_type, lengths: int64 -> output_handle: variant",
    kernel=_split,
    infer=lambda args, attrs: (),
    gradient=lambda op, dlist: [_split_grad(op, dlist), None, None],
    can_fail=True,
    fp=False,
)


def _split_grad(op: Any, dlist: Any) -> Any:
    tensor = op.inputs[0]
    shape = tensor._raw_shape()
    return concat(dlist, tensor.dtype, None if shape is None else (None, *shape[1:]), op.inputs[2])


def concat(handle: Any, dtype: DType, shape: Any, lengths: Any = None, name: str | None = None) -> Any:
    """All elements joined along their first axis."""
    leading = make(np.zeros(0, np.int64)) if lengths is None else lengths
    return bind(CONCAT, (handle, shape_argument(shape), leading), {"element_dtype": dtype}, name)[0]


def split(tensor: Any, shape: Any, lengths: Any) -> Any:
    """A list of consecutive pieces of a tensor along its first axis."""
    return bind(SPLIT, (tensor, shape_argument(shape), lengths))
