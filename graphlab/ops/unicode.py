"""Strings as sequences of Unicode code points."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope, of_dtype
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, REQUIRED, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.ops import inference
from graphlab.ops.bits import each_string
from graphlab.ops.inference import Attrs
from graphlab.ops.over_values import over_values
from graphlab.ops.ragged import RaggedTensor
from graphlab.ops.strings_splitting import by_rows, raw_strings, string_vector
from graphlab.ops.unicode_scripts import script_of

_OUTPUT = ("UTF-8", "UTF-16-BE", "UTF-32-BE")
_ERRORS = ("strict", "replace", "ignore")

# ------------------------------------------------------------------------------------------------------------- kernels


def _codec(name: str) -> codecs.CodecInfo:
    try:
        return codecs.lookup(name)
    except LookupError:
        raise InvalidArgumentError(None, None, f"Could not create converter for input encoding: {name}") from None


def _points(data: bytes, codec: codecs.CodecInfo) -> Iterator[tuple[int | None, int]]:
    """Code points (None: not valid) and where each begins."""
    at = 0
    while at < len(data):
        try:
            text, _ = codec.decode(data[at:], "strict")
            bad = None
        except UnicodeDecodeError as error:
            text, _ = codec.decode(data[at : at + error.start], "strict")
            bad = error
        place = at
        for char in text:
            yield ord(char), place
            place += len(codec.encode(char)[0])
        if bad is None:
            return
        yield None, at + bad.start
        at += max(bad.end, bad.start + 1)


def _decoded(
    item: bytes, codec: codecs.CodecInfo, errors: str, replacement: int, controls: bool
) -> list[tuple[int, int]]:
    """Code points and their places, errors treated as asked."""
    if errors not in _ERRORS:
        raise InvalidArgumentError(None, None, f"errors must be 'strict', 'replace' or 'ignore', not {errors!r}.")
    found = []
    for point, place in _points(item, codec):
        if point is None:
            if errors == "strict":
                raise InvalidArgumentError(None, None, "Invalid formatting on input string")
            if errors == "ignore":
                continue
            point = replacement
        elif controls and point <= 0x1F:
            point = replacement
        found.append((point, place))
    return found


def _decode_rows(
    input: Any, input_encoding: str, errors: str, replacement_char: int, replace_control_characters: bool
) -> tuple[Any, Any, Any]:
    codec = _codec(input_encoding)
    rows = [_decoded(item, codec, errors, replacement_char, replace_control_characters) for item in input]
    splits = np.cumsum([0, *map(len, rows)])
    flat = [pair for row in rows for pair in row]
    points = np.array([point for point, _ in flat], np.int32)
    return splits, points, np.array([place for _, place in flat], np.int64)


def _decode(input: Any, Tsplits: Any, **options: Any) -> Any:
    splits, points, _ = _decode_rows(input, **options)
    return splits.astype(Tsplits.np), points


def _decode_offsets(input: Any, Tsplits: Any, **options: Any) -> Any:
    splits, points, places = _decode_rows(input, **options)
    return splits.astype(Tsplits.np), points, places


def _valid(point: int) -> bool:
    return 0 <= point < 0xD800 or 0xE000 <= point <= 0x10FFFF


def _encoded(points: Sequence[int], encoding: str, errors: str, replacement: int) -> bytes:
    chars = []
    for point in points:
        if not _valid(point):
            if errors == "strict":
                raise InvalidArgumentError(None, None, "Code point is out of range for Unicode, or is a surrogate.")
            if errors == "ignore":
                continue
            point = replacement
        chars.append(chr(point))
    return "".join(chars).encode(encoding)


def _encode(input_values: Any, input_splits: Any, output_encoding: str, errors: str, replacement_char: int) -> Any:
    _check_output(output_encoding)
    ends, values = input_splits.tolist(), input_values.tolist()
    rows = [_encoded(values[a:b], output_encoding, errors, replacement_char) for a, b in pairwise(ends)]
    return string_vector(rows)


def _check_output(encoding: str) -> None:
    if encoding not in _OUTPUT:
        raise InvalidArgumentError(
            None, None, f"Value for attr 'output_encoding' of {encoding!r} is not one of {', '.join(_OUTPUT)}"
        )


def _transcode(
    input: Any,
    input_encoding: str,
    output_encoding: str,
    errors: str,
    replacement_char: int,
    replace_control_characters: bool,
) -> Any:
    _check_output(output_encoding)
    codec = _codec(input_encoding)

    def one(item: bytes) -> bytes:
        points = _decoded(item, codec, errors, replacement_char, replace_control_characters)
        return _encoded([point for point, _ in points], output_encoding, errors, replacement_char)

    if isinstance(input, np.ndarray):
        return each_string(one, input)
    return string_vector([one(input)]).reshape(())


# ----------------------------------------------------------------------------------------------------------------- ops


def _decode_shapes(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    rows = inference.with_rank(args[0].shape, 1, "input")[0]
    return [(None if rows is None else rows + 1,), (None,)]


def _encode_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    count = inference.with_rank(args[1].shape, 1, "input_splits")[0]
    return (None if count is None else count - 1,)


_DECODING = {
    "input_encoding": REQUIRED, "errors": "replace", "replacement_char": 65533, "replace_control_characters": False,
    "Tsplits": dtypes.int64,
}  # fmt: skip
DECODE = define(
    "UnicodeDecode", "input: string -> row_splits: Tsplits, char_values: int32", kernel=_decode, infer=_decode_shapes,
    gradient=NOT_DIFFERENTIABLE, attrs=_DECODING, kinds={"input_encoding": str}, choices={"errors": _ERRORS},
    can_fail=True, fp=False,
)  # fmt: skip
DECODE_OFFSETS = define(
    "UnicodeDecodeWithOffsets",
    "input: string -> row_splits: Tsplits, char_values: int32, char_to_byte_starts: int64", kernel=_decode_offsets,
    infer=lambda args, attrs: [*_decode_shapes(args, attrs), (None,)], gradient=NOT_DIFFERENTIABLE, attrs=_DECODING,
    kinds={"input_encoding": str}, choices={"errors": _ERRORS}, can_fail=True, fp=False,
)  # fmt: skip
ENCODE = define(
    "UnicodeEncode", "input_values: int32, input_splits: Tsplits -> output: string", kernel=_encode,
    infer=_encode_shape, gradient=NOT_DIFFERENTIABLE, types={"Tsplits": INDEX},
    attrs={"output_encoding": REQUIRED, "errors": "replace", "replacement_char": 65533},
    kinds={"output_encoding": str}, choices={"output_encoding": _OUTPUT, "errors": _ERRORS}, can_fail=True, fp=False,
)  # fmt: skip
SCRIPT = define(
    "UnicodeScript", "input: int32 -> output: int32", kernel=script_of, infer=inference.unchanged,
    gradient=NOT_DIFFERENTIABLE, fp=False,
)  # fmt: skip
TRANSCODE = define(
    "UnicodeTranscode", "input: string -> output: string", kernel=_transcode, infer=inference.unchanged,
    gradient=NOT_DIFFERENTIABLE, can_fail=True, fp=False,
    attrs={"input_encoding": REQUIRED, "output_encoding": REQUIRED, "errors": "replace", "replacement_char": 65533,
           "replace_control_characters": False},
    kinds={"input_encoding": str, "output_encoding": str},
    choices={"output_encoding": _OUTPUT, "errors": _ERRORS},
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


def _decoding(input_encoding: str, errors: str, replacement_char: int, controls: bool) -> dict[str, Any]:
    return {
        "input_encoding": input_encoding,
        "errors": errors,
        "replacement_char": replacement_char,
        "replace_control_characters": controls,
    }


@public("strings.unicode_decode")
def unicode_decode(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """Decodes strings into Unicode code points.

    Args:
      input: a string tensor (or RaggedTensor).
      input_encoding: the encoding, such as ``"UTF-8"``.
      errors: what to do with bytes that are not valid: ``"replace"``, ``"ignore"`` or ``"strict"``.
      replacement_char: the code point that replaces them.
      replace_control_characters: replace code points below 32 too.
      name: a name for the nodes.

    Returns:
      A RaggedTensor of int32 with one more axis than ``input``; for a scalar a vector.

    Raises:
      tf.errors.InvalidArgumentError: if the encoding is not known, or bytes are not valid and errors are strict.

    >>> import graphlab as tf
    >>> tf.strings.unicode_decode("hé", "UTF-8").numpy()
    array([104, 233], dtype=int32)
    """
    attrs = _decoding(input_encoding, errors, replacement_char, replace_control_characters)
    with name_scope(name, "UnicodeDecode"):

        def rows(vector: Any) -> RaggedTensor:
            splits, values = bind(DECODE, (vector,), attrs)
            return RaggedTensor(values, splits)

        return by_rows(raw_strings(input), rows)


@public("strings.unicode_decode_with_offsets")
def unicode_decode_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """Decodes strings into Unicode code points, and says at which byte each begins.

    Args:
      input: a string tensor (or RaggedTensor).
      input_encoding: the encoding, such as ``"UTF-8"``.
      errors: what to do with bytes that are not valid: ``"replace"``, ``"ignore"`` or ``"strict"``.
      replacement_char: the code point that replaces them.
      replace_control_characters: replace code points below 32 too.
      name: a name for the nodes.

    Returns:
      Two RaggedTensors (for a scalar: vectors): the code points (int32), and the bytes where they begin (int64).

    >>> import graphlab as tf
    >>> points, starts = tf.strings.unicode_decode_with_offsets("hé€", "UTF-8")
    >>> starts.numpy()
    array([0, 1, 3])
    """
    attrs = _decoding(input_encoding, errors, replacement_char, replace_control_characters)
    with name_scope(name, "UnicodeDecodeWithOffsets"):

        def rows(vector: Any) -> tuple[RaggedTensor, RaggedTensor]:
            splits, values, starts = bind(DECODE_OFFSETS, (vector,), attrs)
            return RaggedTensor(values, splits), RaggedTensor(starts, splits)

        return by_rows(raw_strings(input), rows)


def _characters(points: Any, encoding: str) -> Any:
    """Each code point as a string."""
    from graphlab.ops.array_shape import shape
    from graphlab.ops.creation import range as make_range

    if isinstance(points, RaggedTensor):
        return points.with_values(_characters(points.values, encoding))
    splits = make_range(shape(points, out_type=dtypes.int64)[0] + 1)
    return bind(ENCODE, (points, splits), {"output_encoding": encoding})


@public("strings.unicode_split")
def unicode_split(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 65533, name: str | None = None
) -> Any:
    """Splits strings into their characters, each a string in the same encoding.

    Args:
      input: a string tensor (or RaggedTensor).
      input_encoding: the encoding, such as ``"UTF-8"``.
      errors: what to do with bytes that are not valid: ``"replace"``, ``"ignore"`` or ``"strict"``.
      replacement_char: the code point that replaces them.
      name: a name for the nodes.

    Returns:
      A RaggedTensor of strings with one more axis than ``input``; for a scalar a vector.

    >>> import graphlab as tf
    >>> [c.decode() for c in tf.strings.unicode_split("hé", "UTF-8").numpy()]
    ['h', 'é']
    """
    with name_scope(name, "UnicodeSplit"):
        return _characters(unicode_decode(input, input_encoding, errors, replacement_char), input_encoding)


@public("strings.unicode_split_with_offsets")
def unicode_split_with_offsets(
    input: Any, input_encoding: str, errors: str = "replace", replacement_char: int = 65533, name: str | None = None
) -> Any:
    """Splits strings into their characters, and says at which byte each begins.

    Args:
      input: a string tensor (or RaggedTensor).
      input_encoding: the encoding, such as ``"UTF-8"``.
      errors: what to do with bytes that are not valid: ``"replace"``, ``"ignore"`` or ``"strict"``.
      replacement_char: the code point that replaces them.
      name: a name for the nodes.

    Returns:
      Two RaggedTensors (for a scalar: vectors): the characters, and the bytes where they begin (int64).

    >>> import graphlab as tf
    >>> tf.strings.unicode_split_with_offsets("hé€", "UTF-8")[1].numpy()
    array([0, 1, 3])
    """
    with name_scope(name, "UnicodeSplitWithOffsets"):
        points, starts = unicode_decode_with_offsets(input, input_encoding, errors, replacement_char)
        return _characters(points, input_encoding), starts


@public("strings.unicode_script")
@over_values
def unicode_script(input: Any, name: str | None = None) -> Any:
    """Tells the script of code points as ICU's number (25 is Latin, 14 Greek, 0 common to several).

    Args:
      input: an int32 tensor of code points.
      name: a name for the node.

    Returns:
      An int32 tensor of the shape of ``input``; -1 for what is no code point.

    >>> import graphlab as tf
    >>> tf.strings.unicode_script([65, 0x3B1]).numpy()
    array([25, 14], dtype=int32)
    """
    return bind(SCRIPT, (input,), None, name)


@public("strings.unicode_encode")
def unicode_encode(
    input: Any, output_encoding: str, errors: str = "replace", replacement_char: int = 65533, name: str | None = None
) -> Any:
    """Encodes rows of Unicode code points as strings.

    Args:
      input: an int32 tensor or RaggedTensor, at least a vector.
      output_encoding: ``"UTF-8"``, ``"UTF-16-BE"`` or ``"UTF-32-BE"``.
      errors: what to do with numbers that are no code point: ``"replace"``, ``"ignore"`` or ``"strict"``.
      replacement_char: the code point that replaces them.
      name: a name for the nodes.

    Returns:
      A string tensor (or RaggedTensor) with one axis less.

    Raises:
      tf.errors.InvalidArgumentError: if a number is no code point and errors are strict.

    >>> import graphlab as tf
    >>> tf.strings.unicode_encode([104, 233], "UTF-8").numpy().decode()
    'hé'
    """
    from graphlab.ops.array import reshape
    from graphlab.ops.array_shape import shape
    from graphlab.ops.creation import range as make_range
    from graphlab.ops.reduction import reduce_prod

    attrs = {"output_encoding": output_encoding, "errors": errors, "replacement_char": replacement_char}
    with name_scope(name, "UnicodeEncode"):
        if isinstance(input, RaggedTensor):
            if isinstance(input.values, RaggedTensor):
                return input.with_values(unicode_encode(input.values, output_encoding, errors, replacement_char))
            return bind(ENCODE, (input.values, input.row_splits), attrs)
        points = convert_to_tensor(input, name="input")
        raw = points._raw_shape()
        if not raw:
            raise ValueError("The input must have a known rank of at least 1.")
        points = of_dtype(points, dtypes.int32, "input")
        sizes = shape(points, out_type=dtypes.int64)
        flat = reshape(points, [-1])
        splits = make_range(reduce_prod(sizes[:-1]) + 1) * sizes[-1]
        return reshape(bind(ENCODE, (flat, splits), attrs), sizes[:-1])


@public("strings.unicode_transcode")
@over_values
def unicode_transcode(
    input: Any,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """Changes the encoding of strings.

    Args:
      input: a string tensor.
      input_encoding: the encoding they have, such as ``"UTF-8"``.
      output_encoding: ``"UTF-8"``, ``"UTF-16-BE"`` or ``"UTF-32-BE"``.
      errors: what to do with bytes that are not valid: ``"replace"``, ``"ignore"`` or ``"strict"``.
      replacement_char: the code point that replaces them.
      replace_control_characters: replace code points below 32 too.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if an encoding is not known, or bytes are not valid and errors are strict.

    >>> import graphlab as tf
    >>> tf.strings.unicode_transcode("hé", "UTF-8", "UTF-16-BE").numpy().hex()
    '006800e9'
    """
    attrs = _decoding(input_encoding, errors, replacement_char, replace_control_characters)
    return bind(TRANSCODE, (input,), {**attrs, "output_encoding": output_encoding}, name)
