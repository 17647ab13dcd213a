"""``tf.print`` and ``tf.strings.format``: values as text, made and written while the program runs.

The text of a tensor is TensorFlow's: rows in brackets on lines of their own, at most ``summarize`` elements at both
ends of each axis, floats with as few digits as bring the number back.
"""

from __future__ import annotations

import builtins
import logging
import math
import pprint
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphlab.core import dtypes, nest
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind
from graphlab.core.errors import NotFoundError
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, define
from graphlab.core.specs import CompositeTensor
from graphlab.core.tensor import Tensor
from graphlab.ops import inference

# ------------------------------------------------------------------------------------------------------------ elements


def _shortest(few: int, many: int, kind: Any) -> Callable[[Any], str]:
    def text(value: Any) -> str:
        number = float(value)
        if math.isnan(number):
            return "nan"
        short = f"{number:.{few}g}"
        return short if kind(short) == kind(number) or number in (np.inf, -np.inf) else f"{number:.{many}g}"

    return text


_float32 = _shortest(6, 9, np.float32)
_float64 = _shortest(15, 17, np.float64)

_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}


def quoted(value: bytes) -> bytes:
    """A string element in quotes, control characters escaped, other bytes as they are."""
    out = bytearray(b'"')
    for byte in value:
        char = chr(byte)
        if char in _ESCAPES:
            out += _ESCAPES[char].encode()
        elif byte < 0x20 or byte == 0x7F:
            out += b"\\%03o" % byte
        else:
            out.append(byte)
    return bytes(out) + b'"'


def _complex(part: Callable[[Any], str]) -> Callable[[Any], bytes]:
    def text(value: Any) -> bytes:
        imaginary = part(value.imag)
        sign = "" if imaginary.startswith(("-", "nan")) and imaginary != "nan" else "+"
        return f"{part(value.real)}{sign}{imaginary}j".encode()

    return text


def _element(array: Any) -> Callable[[Any], bytes]:
    kind = array.dtype.kind
    if kind == "b":
        return lambda v: b"1" if v else b"0"
    if kind in "iu":
        return lambda v: str(int(v)).encode()
    if kind == "O":
        return quoted
    if kind == "c":
        return _complex(_float32 if array.dtype == np.complex64 else _float64)
    if array.dtype == np.float64:
        return lambda v: _float64(v).encode()
    if dtypes.of_numpy(array.dtype).is_integer:
        return lambda v: str(int(v)).encode()
    return lambda v: _float32(v).encode()


def summary(array: Any, ends: int) -> bytes:
    """The text of an array with at most ``ends`` elements at both ends of each axis (negative: all)."""
    if not isinstance(array, (np.ndarray, np.generic)):
        return repr(array).encode()
    array = np.asarray(array)
    ends = array.size if ends < 0 else min(ends, array.size)
    element = _element(array)
    if not array.size and array.dtype.kind == "b":
        return b""
    if array.ndim == 0:
        return element(array[()]) if ends else b"..."
    rank = array.ndim

    def axis(part: Any, level: int) -> bytes:
        if level == rank:
            return element(part)
        size = len(part)
        space = b" " if level == rank - 1 else b"\n" * (rank - level - 1) + b" " * (level + 1)
        items = [axis(part[i], level + 1) for i in range(min(ends, size))]
        text = space.join(items)
        if size > 2 * ends:
            text += space + b"..."
        for i in range(max(ends, size - ends), size):
            text += space + axis(part[i], level + 1)
        return b"[" + text + b"]"

    return axis(array, 0)


# ------------------------------------------------------------------------------------------------------------- kernels


def _format(inputs: Sequence[Any], template: str, placeholder: str, summarize: int) -> Any:
    parts = template.encode().split(placeholder.encode())
    text = parts[0]
    for array, part in zip(inputs, parts[1:], strict=True):
        text += summary(array, summarize) + part
    result = np.empty((), object)
    result[()] = text
    return result


def _ragged_format(values: Any, splits: Sequence[Any], summarize: int) -> Any:
    """The text of a ragged tensor on one line, its rows in brackets and its words in single quotes."""
    kind = values.dtype.kind

    def element(item: Any) -> bytes:
        if kind == "O":
            return b"'" + bytes(item).replace(b"'", b"\\'") + b"'"
        if kind == "b":
            return b"true" if item else b"false"
        return str(int(item)).encode() if kind in "iu" else f"{item:f}".encode()

    def row(size: int, text: Callable[[int], bytes]) -> bytes:
        ends = size if summarize < 0 else summarize
        if size <= 2 * ends:
            return b"[" + b", ".join(map(text, range(size))) + b"]"
        return b"[" + b", ".join([*map(text, range(ends)), b"...", *map(text, range(size - ends, size))]) + b"]"

    def inner(part: Any) -> bytes:
        return element(part) if np.ndim(part) == 0 else row(len(part), lambda i: inner(part[i]))

    def outer(level: int, start: int, stop: int) -> bytes:
        if level == len(splits):
            return row(stop - start, lambda i: inner(values[start + i]))
        ends = splits[level]
        return row(stop - start, lambda i: outer(level + 1, int(ends[start + i]), int(ends[start + i + 1])))

    result = np.empty((), object)
    result[()] = outer(0, 0, len(splits[0]) - 1)
    return result


_LEVELS = {"log(info)": logging.INFO, "log(warning)": logging.WARNING, "log(error)": logging.ERROR}


def _in_ipython() -> bool:
    """True in IPython, thus in a notebook: there TensorFlow prints both streams on the cell's output."""
    return hasattr(builtins, "get_ipython")  # IPython puts it there while a cell runs


def _print(text: Any, output_stream: str, end: str) -> None:
    value: Any = text[()] if isinstance(text, np.ndarray) else text
    if output_stream.startswith("file://"):
        try:
            with Path(output_stream[len("file://") :]).open("ab") as file:
                file.write(value + end.encode())
        except OSError as error:
            raise NotFoundError(None, None, f"tf.print can't write to {output_stream}: {error.strerror}") from None
        return
    message = value.decode("utf-8", "replace")
    level = _LEVELS.get(output_stream)
    if level is not None:
        logging.getLogger("graphlab").log(level, "%s", message)
        return
    # Looked up now: whoever captures output (a notebook, a test) replaces these.
    stream = sys.stdout if output_stream == "stdout" or _in_ipython() else sys.stderr
    if stream is not None:
        stream.write(message + end)
        stream.flush()


STRING_FORMAT = define(
    "StringFormat", "inputs: *T -> output: string", kernel=_format, infer=inference.scalar, gradient=NOT_DIFFERENTIABLE,
    attrs={"template": "%s", "placeholder": "%s", "summarize": 3}, fp=False,
)  # fmt: skip
RAGGED_FORMAT = define(
    "RaggedFormat", "values: T, splits: N*Tsplits -> output: string", kernel=_ragged_format, infer=inference.scalar,
    gradient=NOT_DIFFERENTIABLE, attrs={"summarize": 3}, fp=False,
)  # fmt: skip
PRINT = define(
    "PrintV2", "input: string ->", kernel=_print, gradient=NOT_DIFFERENTIABLE,
    attrs={"output_stream": "stderr", "end": "\n"}, effect="io", fp=False,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


class _Slot:
    """Stands in a structure for a tensor, and prints as the placeholder."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) or hasattr(type(value), "__tf_tensor__")


class _Template:
    """The text to print, in parts: tensors stand in it as ``slot``, ragged tensors as ``gap``."""

    def __init__(self, inputs: Sequence[Any], separator: str) -> None:
        self.tensors: list[Any] = []
        self.ragged: list[Any] = []
        self.slot = self.gap = ""
        fixed = self._join(inputs, separator)
        self.slot = _absent(fixed, "{}")
        self.gap = _absent(fixed, "[..]")
        self.tensors, self.ragged = [], []
        self.text = self._join(inputs, separator)

    def _join(self, inputs: Sequence[Any], separator: str) -> str:
        return separator.join(self._piece(value) for value in inputs)

    def _piece(self, value: Any) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, range):
            value = list(value)
        return pprint.pformat(nest.map_structure(self._leaf, value))

    def _leaf(self, item: Any) -> Any:
        composite = isinstance(item, CompositeTensor)
        if _is_tensor(item):
            self.tensors.append(item)
            return _Slot(self.slot)
        if composite and hasattr(item, "nested_row_splits"):
            self.ragged.append(item)
            return _Slot(self.gap)
        if composite and hasattr(item, "dense_shape"):
            self.tensors += [item.indices, item.values, item.dense_shape]
            return _Slot(f"'SparseTensor(indices={self.slot}, values={self.slot}, shape={self.slot})'")
        return item

    def tensor(self, summarize: int, name: str | None) -> Any:
        """The whole text as a tensor."""
        from graphlab.ops.strings import join

        tensors = [convert_to_tensor(tensor) for tensor in self.tensors]
        parts: list[Any] = []
        for part in self.text.split(self.gap):
            if parts:
                ragged = self.ragged[len(parts) // 2]
                splits = [convert_to_tensor(row_splits) for row_splits in ragged.nested_row_splits]
                parts.append(bind(RAGGED_FORMAT, (ragged.flat_values, splits), {"summarize": summarize}))
            count = part.count(self.slot)
            attrs = {"template": part, "placeholder": self.slot, "summarize": summarize}
            parts.append(bind(STRING_FORMAT, (tensors[:count],), attrs, name if not parts else None))
            tensors = tensors[count:]
        return parts[0] if len(parts) == 1 else join(parts)


def _absent(fixed: str, wanted: str) -> str:
    """``wanted``, or with a number when the text to print has that in it."""
    candidate, number = wanted, 0
    while candidate in fixed:
        candidate = f"{wanted}{number}"
        number += 1
    return candidate


def _stream_name(stream: Any) -> str:
    if stream is sys.stdout or stream is sys.__stdout__:
        return "stdout"
    if stream is sys.stderr or stream is sys.__stderr__:
        return "stderr"
    if isinstance(stream, str) and stream.startswith("file://"):
        return stream
    if isinstance(stream, int) and not isinstance(stream, bool):
        for name, level in _LEVELS.items():
            if level == stream:
                return name
    raise ValueError(
        f"tf.print can't write to {stream!r}: output_stream is sys.stdout, sys.stderr, logging.INFO, logging.WARNING, "
        "logging.ERROR or 'file://<path>'."
    )


@public("print")
def print_v2(*inputs: Any, **kwargs: Any) -> Any:
    """Prints values when the program runs: in a traced function at every run, in program order.

    Args:
      *inputs: what to print, with ``sep`` between: tensors, strings, any Python values, structures of those.
      output_stream: ``sys.stderr`` (the default; in IPython it means the cell's output, ``sys.stdout``),
        ``sys.stdout``, ``logging.INFO``, ``logging.WARNING``, ``logging.ERROR``, or ``"file://<path>"`` to append to
        a file.
      summarize: how many elements are shown at both ends of each axis; -1 for all; by default 3.
      sep: what stands between the inputs; by default a space.
      end: what is written after the last; by default a newline.
      name: a name for the node.

    Returns:
      None; while tracing the operation.

    Raises:
      ValueError: if there are other keyword arguments, or the stream is none of these.

    >>> import sys
    >>> import graphlab as tf
    >>> tf.print("x =", tf.constant([[1.0, 2.5], [3.0, 4.0]]), output_stream=sys.stdout)
    x = [[1 2.5]
     [3 4]]
    """
    stream = _stream_name(kwargs.pop("output_stream", sys.stderr))
    name = kwargs.pop("name", None)
    summarize = kwargs.pop("summarize", 3)
    separator = kwargs.pop("sep", " ")
    end = kwargs.pop("end", "\n")
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    if not isinstance(end, str):
        raise TypeError(f"Expected string for argument 'end' not {end!r}.")
    if len(inputs) == 1 and _is_tensor(inputs[0]):
        only = convert_to_tensor(inputs[0])
        if only.dtype is dtypes.string and only._raw_shape() == ():
            return bind(PRINT, (only,), {"output_stream": stream, "end": end}, name)
    template = _Template(inputs, separator or "")
    text = template.tensor(3 if summarize is None else summarize, f"{name}_format" if name else None)
    return bind(PRINT, (text,), {"output_stream": stream, "end": end}, name)


@public("strings.format")
def string_format(
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> Any:
    """Puts the text of tensors into a template.

    Args:
      template: the text, with a placeholder for each tensor.
      inputs: a tensor, or a list or tuple of them.
      placeholder: the text that is replaced.
      summarize: how many elements are shown at both ends of each axis; -1 for all.
      name: a name for the node.

    Returns:
      A scalar string tensor.

    Raises:
      ValueError: if the number of tensors and of placeholders differ.

    >>> import graphlab as tf
    >>> tf.strings.format("x: {}, y: {}", (tf.constant([1, 2]), tf.constant(0.5))).numpy()
    b'x: [1 2], y: 0.5'
    """
    if inputs is None or isinstance(inputs, (bool, int, float)):
        raise TypeError(f"inputs must be a tensor or a list of values, not {inputs!r}. Write [{inputs!r}].")
    values = list(inputs) if isinstance(inputs, (list, tuple, str, dict)) else [inputs]
    wanted = template.count(placeholder)
    if wanted != len(values):
        raise ValueError(
            f"The template has {wanted} placeholders ({placeholder!r}), but there are {len(values)} tensors."
        )
    tensors = [convert_to_tensor(value) for value in values]
    return bind(
        STRING_FORMAT, (tensors,), {"template": template, "placeholder": placeholder, "summarize": summarize}, name
    )
