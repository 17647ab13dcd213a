"""``tf.make_tensor_proto`` and ``tf.make_ndarray``: constants as protocol messages."""

from __future__ import annotations

import dataclasses
from math import prod
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dtypes import DType
from graphlab.core.export import public
from graphlab.core.state import building
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.graph.graphdef import enum_name, quoted

# The field that holds values of a dtype one by one.
_FIELDS = {
    "float32": "float_val", "float64": "double_val", "complex64": "scomplex_val", "complex128": "dcomplex_val",
    "int64": "int64_val", "uint32": "uint32_val", "uint64": "uint64_val", "bool": "bool_val", "string": "string_val",
    "float16": "half_val", "bfloat16": "half_val",
}  # fmt: skip
_LISTS = (*dict.fromkeys(_FIELDS.values()), "int_val")
# What is written value by value although there are several.
_ONE_BY_ONE = ("string", "bool")
_SIZES = (dtypes.int32, dtypes.int64)


@dataclasses.dataclass
class Dim:
    """One size."""

    size: int
    name: str = ""


@dataclasses.dataclass
class TensorShapeProto:
    """Sizes."""

    dim: list[Dim] = dataclasses.field(default_factory=list)
    unknown_rank: bool = False


class TensorProto:
    """A constant: its dtype, its shape, and its bytes or its values one by one (of which the last repeats).

    Args:
      dtype: the dtype's number.
      tensor_shape: the shape.

    Values one by one are in the field of their dtype: ``float_val``, ``double_val``, ``int_val``, ``int64_val``,
    ``string_val``, ``bool_val``, ``half_val``, ``scomplex_val``, ``dcomplex_val``, ``uint32_val`` or ``uint64_val``.
    """

    __slots__ = ("dtype", "tensor_content", "tensor_shape", *_LISTS)

    def __init__(self, dtype: int, tensor_shape: TensorShapeProto) -> None:
        self.dtype, self.tensor_shape, self.tensor_content = dtype, tensor_shape, b""
        for name in _LISTS:
            setattr(self, name, [])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorProto):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        lines = [f"dtype: {enum_name(DType(self.dtype))}", "tensor_shape {"]
        for dim in self.tensor_shape.dim:
            lines += ["  dim {", f"    size: {dim.size}" if dim.size else "", "  }"]
        lines.append("}")
        if self.tensor_content:
            lines.append(f"tensor_content: {quoted(self.tensor_content)}")
        for name in _LISTS:
            lines += [f"{name}: {_shown(value)}" for value in getattr(self, name)]
        return "\n".join(line for line in lines if line) + "\n"

    __repr__ = __str__


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return quoted(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _field(dtype: DType) -> str:
    return _FIELDS.get(dtype.name, "int_val")


def _written(array: Any, dtype: DType) -> list[Any]:
    """The values as the field of a dtype has them."""
    if dtype.is_complex:
        return [part for value in array.tolist() for part in (value.real, value.imag)]
    if dtype.size == 2 and dtype.is_floating:
        return array.view(np.uint16).tolist()  # type: ignore[no-any-return]
    return array.tolist()  # type: ignore[no-any-return]


@public("make_tensor_proto")
def make_tensor_proto(
    values: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False, allow_broadcast: bool = False
) -> TensorProto:
    r"""Makes the protocol message of a constant.

    Args:
      values: a number, text, list, array or eager tensor.
      dtype: its dtype, by default as ``tf.constant`` has it.
      shape: its shape; values that are fewer are followed by the last of them.
      verify_shape: whether the values must have exactly that shape.
      allow_broadcast: whether several values may be fewer; if True only one may.

    Raises:
      TypeError: if the values are None, have another shape where that is verified, or can't have the dtype.
      ValueError: if there are too many values.

    >>> import graphlab as tf
    >>> tf.make_tensor_proto([1.0, 2.0]).tensor_content
    b'\x00\x00\x80?\x00\x00\x00@'
    """
    if isinstance(values, Tensor) and not isinstance(values, EagerTensor):
        raise TypeError("A message is made of values, which a tensor of a graph does not have.")
    with building(None):
        array = np.asarray(convert_to_tensor(values, None if dtype is None else dtypes.as_dtype(dtype)).numpy())
    kind = dtypes.of_numpy(array.dtype)
    sizes = array.shape if shape is None else tuple(int(size) for size in shape)
    if sizes != array.shape and (verify_shape or (allow_broadcast and array.size != 1)):
        raise TypeError(f"Expected Tensor's shape: {sizes}, but got {array.shape}.")
    if array.size > prod(sizes):
        raise ValueError(f"Too many elements provided. Takes at most {prod(sizes)}, but got {array.size}.")
    proto = TensorProto(kind.as_datatype_enum, TensorShapeProto([Dim(size) for size in sizes]))
    flat = np.ascontiguousarray(array).reshape(-1)
    if kind is dtypes.string:
        texts = [item if isinstance(item, bytes) else str(item).encode() for item in flat]
        setattr(proto, "string_val", texts)  # noqa: B010 - the fields are made by name
    elif flat.size > 1 and flat.size == prod(sizes) and kind.name not in _ONE_BY_ONE:
        proto.tensor_content = flat.tobytes()
    else:
        setattr(proto, _field(kind), _written(flat, kind))
    return proto


@public("make_ndarray")
def make_ndarray(tensor: Any) -> Any:
    """The array of a protocol message, of this library or of TensorFlow.

    Args:
      tensor: a TensorProto.

    Raises:
      TypeError: for a dtype that arrays can't have.

    >>> import graphlab as tf
    >>> tf.make_ndarray(tf.make_tensor_proto(5, shape=[2, 2]))
    array([[5, 5],
           [5, 5]], dtype=int32)
    """
    sizes = tuple(int(dim.size) for dim in tensor.tensor_shape.dim)
    kind = DType(tensor.dtype)
    count = prod(sizes)
    if kind.np is None:
        raise TypeError(f"Unsupported tensor type: {tensor.dtype}.")
    if tensor.tensor_content:
        return np.frombuffer(tensor.tensor_content, kind.np).copy().reshape(sizes)
    values = list(getattr(tensor, _field(kind)))
    if kind.is_complex:
        pairs = zip(values[::2], values[1::2], strict=True)
        values = [complex(real, imaginary) for real, imaginary in pairs]
    if kind is dtypes.string:
        flat = np.array(values or [b""], object)
    elif kind.size == 2 and kind.is_floating:
        flat = np.array(values or [0], np.uint16).view(kind.np)
    else:
        flat = np.array(values or [0], kind.np)
    rest = max(count - len(flat), 0)
    return np.concatenate([flat, np.repeat(flat[-1:], rest)])[:count].reshape(sizes)
