"""Bits and bytes: bitwise arithmetic on integers, raw and base64 strings."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, dtype_attribute
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import FLOAT, INTEGER, NOT_DIFFERENTIABLE, REQUIRED, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.core.state import state
from graphlab.ops import inference
from graphlab.ops.inference import Attrs

# ------------------------------------------------------------------------------------------------------------- kernels


def _amount(x: Any, y: Any) -> Any:
    """A shift by fewer bits than there are (and not by a negative number)."""
    return np.clip(y, 0, x.dtype.itemsize * 8 - 1).astype(y.dtype, copy=False)


def _left_shift(x: Any, y: Any) -> Any:
    return np.left_shift(x, _amount(x, y))


def _right_shift(x: Any, y: Any) -> Any:
    return np.right_shift(x, _amount(x, y))


def _decode_raw(bytes: Any, out_type: DType, little_endian: bool) -> Any:
    items = bytes.reshape(-1)
    size = out_type.np.itemsize
    lengths = {len(item) for item in items}
    if len(lengths) > 1:
        raise InvalidArgumentError(None, None, "DecodeRaw requires input strings to all be the same size.")
    length = lengths.pop() if lengths else 0
    if length % size:
        raise InvalidArgumentError(
            None,
            None,
            f"Input to DecodeRaw has length {length} that is not a multiple of {size}, the size of {out_type.name}",
        )
    order = out_type.np if little_endian or size == 1 else out_type.np.newbyteorder(">")
    array = np.frombuffer(b"".join(items), order).astype(out_type.np)
    return array.reshape(*bytes.shape, length // size)


def each_string(function: Any, array: Any) -> Any:
    """``function`` (bytes → bytes) of every element of a string array."""
    result = np.empty(array.shape, object)
    flat, source = result.reshape(-1), array.reshape(-1)
    for index in range(flat.size):
        flat[index] = function(source[index])
    return flat.reshape(array.shape)


def _encode_base64(input: Any, pad: bool) -> Any:
    def one(item: bytes) -> bytes:
        text = base64.urlsafe_b64encode(item)
        return text if pad else text.rstrip(b"=")

    return each_string(one, input)


def _decode_base64(input: Any) -> Any:
    def one(item: bytes) -> bytes:
        text = item.rstrip(b"=")
        try:
            if any(c in b"+/" for c in text) or len(text) % 4 == 1:
                raise binascii.Error
            return base64.b64decode(text + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except binascii.Error:
            raise InvalidArgumentError(None, None, "Invalid character found in base64.") from None

    return each_string(one, input)


# ----------------------------------------------------------------------------------------------------------- inference


def _raw_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape = args[0].shape
    return None if shape is None else (*shape, None)


# ----------------------------------------------------------------------------------------------------------------- ops

_BINARY = "x: T, y: T -> z: T"
BITWISE_AND = define("BitwiseAnd", _BINARY, kernel=np.bitwise_and, infer=inference.broadcast_all,
                     gradient=NOT_DIFFERENTIABLE, types={"T": INTEGER}, fp=False)  # fmt: skip
BITWISE_OR = define("BitwiseOr", _BINARY, kernel=np.bitwise_or, infer=inference.broadcast_all,
                    gradient=NOT_DIFFERENTIABLE, types={"T": INTEGER}, fp=False)  # fmt: skip
BITWISE_XOR = define("BitwiseXor", _BINARY, kernel=np.bitwise_xor, infer=inference.broadcast_all,
                     gradient=NOT_DIFFERENTIABLE, types={"T": INTEGER}, fp=False)  # fmt: skip
INVERT = define("Invert", "x: T -> y: T", kernel=np.invert, infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE,
                types={"T": INTEGER}, fp=False)  # fmt: skip
LEFT_SHIFT = define("LeftShift", _BINARY, kernel=_left_shift, infer=inference.broadcast_all,
                    gradient=NOT_DIFFERENTIABLE, types={"T": INTEGER}, fp=False)  # fmt: skip
RIGHT_SHIFT = define("RightShift", _BINARY, kernel=_right_shift, infer=inference.broadcast_all,
                     gradient=NOT_DIFFERENTIABLE, types={"T": INTEGER}, fp=False)  # fmt: skip
_RAW = FLOAT | {dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16}
DECODE_RAW = define("DecodeRaw", "bytes: string -> output: out_type", kernel=_decode_raw, infer=_raw_shape,
                    gradient=NOT_DIFFERENTIABLE, attrs={"out_type": REQUIRED, "little_endian": True}, can_fail=True,
                    types={"out_type": _RAW | {dtypes.complex64, dtypes.complex128, dtypes.bool}},
                    fp=False)  # fmt: skip
ENCODE_BASE64 = define("EncodeBase64", "input: string -> output: string", kernel=_encode_base64,
                       infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE, attrs={"pad": False},
                       fp=False)  # fmt: skip
DECODE_BASE64 = define("DecodeBase64", "input: string -> output: string", kernel=_decode_base64,
                       infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE, can_fail=True, fp=False)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("bitwise.bitwise_and")
def bitwise_and(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns the bits that both integers have, with broadcasting.

    Args:
      x: a tensor of an integer dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.bitwise.bitwise_and([0b1100], [0b1010]).numpy()
    array([8], dtype=int32)
    """
    return bind(BITWISE_AND, (x, y), None, name)


@public("bitwise.bitwise_or")
def bitwise_or(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns the bits that at least one of two integers has, with broadcasting.

    Args:
      x: a tensor of an integer dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.bitwise.bitwise_or([0b1100], [0b1010]).numpy()
    array([14], dtype=int32)
    """
    return bind(BITWISE_OR, (x, y), None, name)


@public("bitwise.bitwise_xor")
def bitwise_xor(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns the bits that exactly one of two integers has, with broadcasting.

    Args:
      x: a tensor of an integer dtype.
      y: a tensor of the dtype of ``x``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.bitwise.bitwise_xor([0b1100], [0b1010]).numpy()
    array([6], dtype=int32)
    """
    return bind(BITWISE_XOR, (x, y), None, name)


@public("bitwise.invert")
def invert(x: Any, name: str | None = None) -> Any:
    """Returns every bit of integers turned over.

    Args:
      x: a tensor of an integer dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.bitwise.invert([0, 1]).numpy()
    array([-1, -2], dtype=int32)
    """
    return bind(INVERT, (x,), None, name)


@public("bitwise.left_shift")
def left_shift(x: Any, y: Any, name: str | None = None) -> Any:
    """Shifts the bits of integers to the left, with broadcasting.

    Args:
      x: a tensor of an integer dtype.
      y: by how many bits, of the dtype of ``x``; kept below the number of bits there are.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.bitwise.left_shift([1, 3], [2, 1]).numpy()
    array([4, 6], dtype=int32)
    """
    return bind(LEFT_SHIFT, (x, y), None, name)


@public("bitwise.right_shift")
def right_shift(x: Any, y: Any, name: str | None = None) -> Any:
    """Shifts the bits of integers to the right, with broadcasting; signed ones keep their sign.

    Args:
      x: a tensor of an integer dtype.
      y: by how many bits, of the dtype of ``x``; kept below the number of bits there are.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.bitwise.right_shift([8, -8], [2, 1]).numpy()
    array([ 2, -4], dtype=int32)
    """
    return bind(RIGHT_SHIFT, (x, y), None, name)


@public("io.decode_raw")
def decode_raw(
    input_bytes: Any,
    out_type: Any,
    little_endian: bool = True,
    fixed_length: int | None = None,
    name: str | None = None,
) -> Any:
    """Reads the bytes of strings as numbers.

    Args:
      input_bytes: a string tensor; all elements are equally long.
      out_type: the dtype of the numbers.
      little_endian: the order of the bytes of a number.
      fixed_length: cut or fill up every string with zero bytes to this length first; None: not.
      name: a name for the node.

    Returns:
      A tensor with one more axis than ``input_bytes``.

    Raises:
      tf.errors.InvalidArgumentError: if a length is no multiple of the size of a number, or lengths differ.

    >>> import graphlab as tf
    >>> tf.io.decode_raw("ab", tf.uint8).numpy()
    array([97, 98], dtype=uint8)
    """
    kind = dtype_attribute(DECODE_RAW if fixed_length is None else DECODE_PADDED_RAW, "out_type", out_type)
    if state.graph is None:
        input_bytes = convert_to_tensor(input_bytes, dtypes.string)
    if fixed_length is not None:
        return bind(
            DECODE_PADDED_RAW,
            (input_bytes, fixed_length),
            {"out_type": kind, "little_endian": little_endian},
            name,
        )
    return bind(DECODE_RAW, (input_bytes,), {"out_type": kind, "little_endian": little_endian}, name)


def _decode_padded_raw(input_bytes: Any, fixed_length: Any, out_type: DType, little_endian: bool) -> Any:
    length = int(fixed_length)
    if length <= 0:
        raise InvalidArgumentError(None, None, f"fixed_length must be greater than zero, not {length}.")
    padded = each_string(lambda item: item[:length].ljust(length, b"\0"), input_bytes)
    return _decode_raw(padded, out_type, little_endian)


DECODE_PADDED_RAW = define(
    "DecodePaddedRaw", "input_bytes: string, fixed_length: int32 -> output: out_type", kernel=_decode_padded_raw,
    infer=_raw_shape, gradient=NOT_DIFFERENTIABLE, attrs={"out_type": REQUIRED, "little_endian": True}, can_fail=True,
    fp=False,
)  # fmt: skip


@public("io.encode_base64")
def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> Any:
    """Encodes strings in the base64 alphabet for addresses (``-`` and ``_``).

    Args:
      input: a string tensor.
      pad: whether to fill up with ``=``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.io.encode_base64("a?").numpy()
    b'YT8'
    """
    return bind(ENCODE_BASE64, (input,), {"pad": pad}, name)


@public("io.decode_base64")
def decode_base64(input: Any, name: str | None = None) -> Any:
    """Decodes strings in the base64 alphabet for addresses, with or without padding.

    Args:
      input: a string tensor.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if a string is not base64.

    >>> import graphlab as tf
    >>> tf.io.decode_base64("YT8").numpy()
    b'a?'
    """
    return bind(DECODE_BASE64, (input,), None, name)
