"""Strings: joining, cutting, case, numbers, regular expressions, hash buckets.  Elements are ``bytes``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from math import prod
from typing import Any, TypeVar

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, dtype_attribute, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError, OutOfRangeError
from graphlab.core.export import public
from graphlab.core.op import BOOL, INDEX, NOT_DIFFERENTIABLE, NUMERIC, STRING, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.core.specs import CompositeTensor
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor
from graphlab.ops import inference
from graphlab.ops.bits import each_string
from graphlab.ops.inference import Attrs
from graphlab.ops.over_values import of_composites

# ------------------------------------------------------------------------------------------------------------- kernels


def objects(array: Any) -> Any:
    """A string array, also for a single element."""
    if isinstance(array, np.ndarray):
        return array
    result = np.empty((), object)
    result[()] = array
    return result


def each(function: Callable[[bytes], Any], dtype: Any, array: Any) -> Any:
    """An array of ``function`` of every element."""
    array = objects(array)
    return np.array([function(item) for item in array.reshape(-1)], dtype).reshape(array.shape)


def _mapped(function: Callable[[bytes], bytes]) -> Any:
    return lambda array: each_string(function, objects(array))


def _join(inputs: Sequence[Any], separator: str) -> Any:
    between = separator.encode()
    shapes = {np.shape(item) for item in inputs if np.shape(item)}
    if len(shapes) > 1:
        raise InvalidArgumentError(None, None, f"Input shapes do not match: {sorted(shapes)}")
    arrays = np.broadcast_arrays(*(objects(item) for item in inputs)) if inputs else [objects(b"")]
    result = np.empty(arrays[0].shape, object)
    flat = result.reshape(-1)
    for index, items in enumerate(zip(*(array.reshape(-1) for array in arrays), strict=True)):
        flat[index] = between.join(items)
    return flat.reshape(result.shape)


def characters(item: bytes) -> list[bytes]:
    """The UTF-8 characters of a string: a continuation byte belongs to the byte before."""
    parts: list[bytes] = []
    start = 0
    for index in range(1, len(item) + 1):
        if index == len(item) or item[index] & 0xC0 != 0x80:
            parts.append(item[start:index])
            start = index
    return parts


_UNITS = ("BYTE", "UTF8_CHAR")


def _check_unit(unit: str) -> None:
    if unit not in _UNITS:
        raise InvalidArgumentError(None, None, f"unit must be 'BYTE' or 'UTF8_CHAR', not {unit!r}.")


def _length(input: Any, unit: str) -> Any:
    _check_unit(unit)
    if unit == "BYTE":
        return each(len, np.int32, input)
    return each(lambda item: sum(byte & 0xC0 != 0x80 for byte in item), np.int32, input)


def _substr(input: Any, pos: Any, len: Any, unit: str) -> Any:
    _check_unit(unit)
    if pos.shape != len.shape:
        raise InvalidArgumentError(
            None, None, f"pos and len must have one shape, but have {pos.shape} and {len.shape}."
        )
    strings = objects(input)
    try:
        strings, starts, lengths = np.broadcast_arrays(strings, pos, len)
    except ValueError:
        raise InvalidArgumentError(None, None, f"Shapes {strings.shape} and {pos.shape} do not broadcast.") from None
    result = np.empty(strings.shape, object)
    flat = result.reshape(-1)
    for index, (item, start, count) in enumerate(
        zip(strings.reshape(-1), starts.reshape(-1).tolist(), lengths.reshape(-1).tolist(), strict=True)
    ):
        parts: Any = item if unit == "BYTE" else characters(item)
        size = builtin_len(parts)
        if not -size <= start <= size:
            raise InvalidArgumentError(
                None, None, f"pos {start} out of range for string {_text(item)!r} at index {index}"
            )
        first = start + size if start < 0 else start
        piece = parts[first : first + count if count >= 0 else None]
        flat[index] = piece if unit == "BYTE" else b"".join(piece)
    return flat.reshape(strings.shape)


builtin_len = len


def _substr_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    place = inference.same_shape(args[1:], _attrs)
    return inference.broadcast(args[0].shape, place)


def _text(item: bytes) -> str:
    return item.decode("utf-8", "replace")


def _cased(ascii: Callable[[bytes], bytes], unicode: Callable[[str], str]) -> Any:
    def whole(item: bytes) -> bytes:
        return unicode(item.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def kernel(input: Any, encoding: str) -> Any:
        if encoding not in ("", "utf-8"):
            raise InvalidArgumentError(None, None, f"encoding must be '' or 'utf-8', but is {encoding!r}.")
        return each_string(whole if encoding else ascii, objects(input))

    return kernel


def _float(text: bytes) -> float:
    return float.fromhex(text.decode()) if b"0x" in text.lower() else float(text)


def _to_number(string_tensor: Any, out_type: DType) -> Any:
    whole = out_type.is_integer

    def one(item: bytes) -> Any:
        text = item.strip(b" \t\n\r\v\f")
        try:
            if b"_" in text:
                raise ValueError
            number: Any = int(text) if whole else _float(text)
        except ValueError:
            raise InvalidArgumentError(
                None, None, f"StringToNumberOp could not correctly convert string: {_text(item)}"
            ) from None
        if whole and not out_type.min <= number <= out_type.max:
            raise InvalidArgumentError(
                None, None, f"StringToNumberOp could not correctly convert string: {_text(item)}"
            )
        return number

    return each(one, out_type.np, string_tensor)


def _as_string(input: Any, precision: int, scientific: bool, shortest: bool, width: int, fill: str) -> Any:
    kind = input.dtype.kind
    if scientific and shortest:
        raise InvalidArgumentError(None, None, "Cannot select both scientific and shortest notation")
    if fill not in ("", " ", "0", "+", "-"):
        raise InvalidArgumentError(
            None, None, f"Fill argument {fill!r} is not supported: it is '', ' ', '0', '+' or '-'."
        )
    if kind not in "fcVO" and (scientific or shortest or precision > -1):
        raise InvalidArgumentError(None, None, "scientific, shortest and precision have a meaning for floats only.")
    flag = fill
    size = str(width) if width > -1 else ""
    digits = f".{int(precision)}" if precision > -1 else ""
    letter = "e" if scientific else "g" if shortest else "f"

    def one(item: Any) -> bytes:
        if kind == "O":
            return f"%{flag}{size}s".encode() % item if size else item  # type: ignore[no-any-return]
        if kind == "b":
            return b"true" if item else b"false"
        if kind in "iu":
            return (f"%{flag}{size}d" % int(item)).encode()
        if kind == "c":
            form = f"(%{flag}{size}{digits}{letter},%{flag}{size}{digits}{letter})"
            return (form % (item.real, item.imag)).encode()
        return (f"%{flag}{size}{digits}{letter}" % float(item)).encode()

    array = np.asarray(input)
    result = np.empty(array.shape, object)
    flat = result.reshape(-1)
    for index, item in enumerate(array.reshape(-1)):
        flat[index] = one(item)
    return flat.reshape(array.shape)


def _reduce_join(inputs: Any, reduction_indices: Any, keep_dims: bool, separator: str) -> Any:
    array = objects(inputs)
    rank = array.ndim
    axes = [int(axis) for axis in np.reshape(reduction_indices, -1)]
    for axis in axes:
        if not -rank <= axis < rank:
            raise OutOfRangeError(None, None, f"Invalid reduction dimension {axis} for input with {rank} dimension(s)")
    axes = [axis % rank for axis in axes] if rank else []
    if builtin_len(set(axes)) != builtin_len(axes):
        raise InvalidArgumentError(None, None, f"Duplicate reduction dimension in {axes}")
    if not axes:
        return array
    # The axis that is given first varies fastest.
    rest = [axis for axis in range(rank) if axis not in axes]
    count = prod(array.shape[axis] for axis in axes)
    moved = np.transpose(array, rest + axes[::-1]).reshape([*(array.shape[axis] for axis in rest), count])
    shape = [1 if axis in axes else array.shape[axis] for axis in range(rank)] if keep_dims else moved.shape[:-1]
    result = np.empty(moved.shape[:-1], object)
    flat = result.reshape(-1)
    for index, row in enumerate(moved.reshape(flat.size, count)):
        flat[index] = separator.encode().join(row)
    return result.reshape(shape)


# ----------------------------------------------------------------------------------------------------------- inference


def _join_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    rest = [arg for arg in args if arg.shape != ()]
    if any(arg.shape is None for arg in rest):
        return None
    return inference.same_shape(rest, attrs) if rest else ()


def _reduced_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    shape, axes = args[0].shape, args[1].value
    if shape is None:
        return None
    if axes is None:
        return (None,) * len(shape) if attrs["keep_dims"] else None
    gone = {inference.axis_in(int(axis), len(shape)) for axis in np.reshape(axes, -1)}
    if attrs["keep_dims"]:
        return tuple(1 if i in gone else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in gone)


# ----------------------------------------------------------------------------------------------------------------- ops

_PLAIN = "input: string -> output: string"
JOIN = define("StringJoin", "inputs: N*string -> output: string", kernel=_join, infer=_join_shape,
              gradient=NOT_DIFFERENTIABLE, types={"string": STRING}, defaults={"string": dtypes.string},
              attrs={"separator": ""}, can_fail=True, fp=False)  # fmt: skip
LENGTH = define("StringLength", "input: string -> output: int32", kernel=_length, infer=inference.unchanged,
                gradient=NOT_DIFFERENTIABLE, attrs={"unit": "BYTE"}, choices={"unit": _UNITS}, fp=False)  # fmt: skip
SUBSTR = define("Substr", "input: string, pos: T, len: T -> output: string", kernel=_substr,
                infer=_substr_shape, gradient=NOT_DIFFERENTIABLE, types={"T": INDEX},
                attrs={"unit": "BYTE"}, choices={"unit": _UNITS}, can_fail=True, fp=False)  # fmt: skip
UPPER = define("StringUpper", _PLAIN, kernel=_cased(bytes.upper, str.upper), infer=inference.unchanged,
               gradient=NOT_DIFFERENTIABLE, attrs={"encoding": ""}, fp=False)  # fmt: skip
LOWER = define("StringLower", _PLAIN, kernel=_cased(bytes.lower, str.lower), infer=inference.unchanged,
               gradient=NOT_DIFFERENTIABLE, attrs={"encoding": ""}, fp=False)  # fmt: skip
STRIP = define("StringStrip", _PLAIN, kernel=_mapped(bytes.strip), infer=inference.unchanged,
               gradient=NOT_DIFFERENTIABLE, fp=False)  # fmt: skip
TO_NUMBER = define("StringToNumber", "string_tensor: string -> output: out_type", kernel=_to_number,
                   infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE, attrs={"out_type": dtypes.float32},
                   types={"out_type": {dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.uint32,
                                       dtypes.uint64}},
                   can_fail=True, fp=False)  # fmt: skip
_FORMAT = {"precision": -1, "scientific": False, "shortest": False, "width": -1, "fill": ""}
AS_STRING = define("AsString", "input: T -> output: string", kernel=_as_string, infer=inference.unchanged,
                   gradient=NOT_DIFFERENTIABLE, types={"T": NUMERIC | BOOL | STRING}, attrs=_FORMAT, can_fail=True,
                   fp=False)  # fmt: skip
REDUCE_JOIN = define("ReduceJoin", "inputs: string, reduction_indices: int32 -> output: string", kernel=_reduce_join,
                     infer=_reduced_shape, gradient=NOT_DIFFERENTIABLE, attrs={"keep_dims": False, "separator": ""},
                     can_fail=True, fp=False)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


F = TypeVar("F", bound=Callable[..., Any])


def elementwise(function: F) -> F:
    """Lets a function of one string tensor take a RaggedTensor too: it works on the innermost values."""

    @wraps(function)
    def mapped(input: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(input, CompositeTensor) and hasattr(input, "with_flat_values"):
            rows: Any = input
            return rows.with_flat_values(function(rows.flat_values, *args, **kwargs))
        return function(input, *args, **kwargs)

    return mapped  # type: ignore[return-value]


@public("strings.join")
def join(inputs: Any, separator: str = "", name: str | None = None) -> Any:
    """Joins string tensors element by element.

    Args:
      inputs: a list of string tensors of one shape; scalars join with every element.
      separator: what stands between.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if shapes differ (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.strings.join([["a", "b"], "z"], separator="-").numpy().tolist()
    [b'a-z', b'b-z']
    """
    if isinstance(inputs, (list, tuple)) and not inputs:
        return constant("", name=name or "StringJoin")
    if isinstance(inputs, EagerTensor) and state.graph is None and inputs.shape.rank and not len(inputs):
        return constant("")
    return bind(JOIN, (inputs,), {"separator": separator}, name)


@public("strings.length")
@elementwise
def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """Counts the bytes or characters of strings.

    Args:
      input: a string tensor.
      unit: ``"BYTE"`` or ``"UTF8_CHAR"``.
      name: a name for the node.

    Returns:
      An int32 tensor of the shape of ``input``.

    >>> import graphlab as tf
    >>> tf.strings.length(["é", "abc"]).numpy(), tf.strings.length("é", unit="UTF8_CHAR").numpy()
    (array([2, 3], dtype=int32), np.int32(1))
    """
    return bind(LENGTH, (input,), {"unit": unit}, name)


@public("strings.substr")
@elementwise
def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """Cuts a piece out of strings; all arguments broadcast.

    Args:
      input: a string tensor.
      pos: where the piece starts: int32 or int64; negative from the end.
      len: how long it is at most, of the dtype of ``pos``.
      unit: ``"BYTE"`` or ``"UTF8_CHAR"``.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if ``pos`` is out of range.

    >>> import graphlab as tf
    >>> tf.strings.substr(["Hello", "World"], 1, 3).numpy().tolist()
    [b'ell', b'orl']
    """
    return bind(SUBSTR, (input, pos, len), {"unit": unit}, name)


@public("strings.upper")
@elementwise
def upper(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Makes letters capital.

    Args:
      input: a string tensor.
      encoding: ``""`` for ASCII letters only, or ``"utf-8"``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.strings.upper("straße", encoding="utf-8").numpy().decode()
    'STRASSE'
    """
    return bind(UPPER, (input,), {"encoding": encoding}, name)


@public("strings.lower")
@elementwise
def lower(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Makes letters small.

    Args:
      input: a string tensor.
      encoding: ``""`` for ASCII letters only, or ``"utf-8"``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.strings.lower("ABC").numpy()
    b'abc'
    """
    return bind(LOWER, (input,), {"encoding": encoding}, name)


@public("strings.strip")
@elementwise
def strip(input: Any, name: str | None = None) -> Any:
    """Removes white space at both ends.

    Args:
      input: a string tensor.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.strings.strip("  a b ").numpy()
    b'a b'
    """
    return bind(STRIP, (input,), None, name)


@public("strings.to_number")
@elementwise
def to_number(input: Any, out_type: Any = dtypes.float32, name: str | None = None) -> Any:
    """Reads strings as numbers.

    Args:
      input: a string tensor.
      out_type: float32, float64, int32 or int64.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if a string is no number or does not fit the dtype.

    >>> import graphlab as tf
    >>> tf.strings.to_number(["1.5", " 2 "]).numpy()
    array([1.5, 2. ], dtype=float32)
    """
    kind = dtypes.float32 if out_type is None else dtype_attribute(TO_NUMBER, "out_type", out_type)
    if state.graph is None:
        input = convert_to_tensor(input, dtypes.string)
    return bind(TO_NUMBER, (input,), {"out_type": kind}, name)


@public("strings.as_string", "as_string")
@elementwise
def as_string(
    input: Any,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Any:
    """Writes numbers (or bools) as strings.

    Args:
      input: a tensor of a numeric dtype, bool or string.
      precision: digits behind the point; -1 for six.
      scientific: write with an exponent.
      shortest: write with or without an exponent, whichever is shorter.
      width: fill up to this many characters.
      fill: what comes before: ``""``, ``" "``, ``"0"``, ``"+"`` or ``"-"`` (behind).
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the options don't go together or don't fit the dtype.

    >>> import graphlab as tf
    >>> tf.strings.as_string([1, 20]).numpy().tolist(), tf.strings.as_string(0.5, precision=2).numpy()
    ([b'1', b'20'], b'0.50')
    """
    attrs = {"precision": precision, "scientific": scientific, "shortest": shortest, "width": width, "fill": fill}
    return bind(AS_STRING, (input,), attrs, name)


@public("strings.reduce_join")
@of_composites
def reduce_join(
    inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "", name: str | None = None
) -> Any:
    """Joins all strings along some axes.

    Args:
      inputs: a string tensor.
      axis: the axes, in the order in which elements are joined; by default all.
      keepdims: keep the axes with size 1.
      separator: what stands between.
      name: a name for the nodes.

    >>> import graphlab as tf
    >>> tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=1, separator=" ").numpy().tolist()
    [b'a b', b'c d']
    """
    from graphlab.ops.array_shape import rank
    from graphlab.ops.creation import range as make_range

    with name_scope(name, "ReduceJoin"):
        inputs = convert_to_tensor(inputs)
        if axis is None:
            shape = inputs._raw_shape()
            axis = list(range(len(shape)))[::-1] if shape is not None else make_range(rank(inputs) - 1, -1, -1)
            axis = convert_to_tensor(axis, dtypes.int32)
        return bind(REDUCE_JOIN, (inputs, axis), {"keep_dims": keepdims, "separator": separator})
