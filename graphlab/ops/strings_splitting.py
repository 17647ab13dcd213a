"""Splitting strings into words and bytes, and joining neighbours: ``tf.strings.split``, ``bytes_split``, ``ngrams``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope, whole_number
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, REQUIRED, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor
from graphlab.ops import inference
from graphlab.ops.inference import Attrs
from graphlab.ops.ragged import RaggedTensor


def string_vector(items: Sequence[bytes]) -> Any:
    """An array of strings."""
    result = np.empty(len(items), object)
    result[:] = items
    return result


def _words(item: bytes, limit: int) -> list[bytes]:
    """The words; behind ``limit`` of them the rest as it is, even if nothing is left."""
    if limit <= 0:
        return item.split() if limit < 0 else [item]
    words = item.split(None, limit)
    return [*words, b""] if len(words) == limit else words


def _split_v2(input: Any, sep: Any, maxsplit: int) -> Any:
    separator: bytes = sep if isinstance(sep, bytes) else sep[()]
    rows = [item.split(separator, maxsplit) if separator else _words(item, maxsplit) for item in input]
    places = [(i, j) for i, row in enumerate(rows) for j in range(len(row))]
    widest = max((len(row) for row in rows), default=0)
    values = string_vector([part for row in rows for part in row])
    return np.array(places, np.int64).reshape(-1, 2), values, np.array([len(rows), widest], np.int64)


def _byte_split(input: Any, delimiter: Any, skip_empty: bool) -> Any:
    rows = [[item[i : i + 1] for i in range(len(item))] for item in input]
    places = [(i, j) for i, row in enumerate(rows) for j in range(len(row))]
    widest = max((len(row) for row in rows), default=0)
    values = string_vector([part for row in rows for part in row])
    return np.array(places, np.int64).reshape(-1, 2), values, np.array([len(rows), widest], np.int64)


def _split_shapes(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    inference.with_rank(args[0].shape, 1, "input")
    inference.with_rank(args[1].shape, 0, "sep")
    return [(None, 2), (None,), (2,)]


SPLIT = define(
    "StringSplitV2", "input: string, sep: string -> indices: int64, values: string, shape: int64", kernel=_split_v2,
    infer=_split_shapes, gradient=NOT_DIFFERENTIABLE, attrs={"maxsplit": -1}, can_fail=True, fp=False,
)  # fmt: skip


BYTE_SPLIT = define(
    "StringSplit", "input: string, delimiter: string -> indices: int64, values: string, shape: int64",
    kernel=_byte_split, infer=_split_shapes, gradient=NOT_DIFFERENTIABLE, attrs={"skip_empty": True}, can_fail=True,
    fp=False,
)  # fmt: skip


def by_rows(input: Any, function: Any) -> Any:
    """``function`` (vector of strings → a RaggedTensor, or a tuple of them) for a string tensor of any rank.

    A scalar gives the only row; each further axis another level of rows.
    """
    from graphlab.ops.array import reshape
    from graphlab.ops.array_shape import shape

    if isinstance(input, RaggedTensor):
        inner = by_rows(input.values, function)
        return tuple(map(input.with_values, inner)) if isinstance(inner, tuple) else input.with_values(inner)
    raw = input._raw_shape()
    if raw is None:
        raise ValueError("The rank of the input must be known while tracing.")
    if len(raw) == 1:
        return function(input)
    if not raw:
        rows = function(reshape(input, [1]))
        return tuple(row.values for row in rows) if isinstance(rows, tuple) else rows.values
    inner = by_rows(reshape(input, [-1]), function)
    sizes = shape(input, out_type=dtypes.int64)

    def wrapped(rows: Any) -> Any:
        from graphlab.ops.creation import range as make_range
        from graphlab.ops.reduction import reduce_prod

        for axis in range(len(raw) - 2, -1, -1):
            count = reduce_prod(sizes[: axis + 1])
            rows = RaggedTensor(rows, make_range(count + 1) * sizes[axis + 1])
        return rows

    return tuple(map(wrapped, inner)) if isinstance(inner, tuple) else wrapped(inner)


def _from_places(places: Any, values: Any, shape: Any) -> RaggedTensor:
    return RaggedTensor.from_value_rowids(values, places[:, 0], shape[0], validate=False)


def strings_of(input: Any) -> Any:
    """A string tensor, or the RaggedTensor that was given."""
    return input if isinstance(input, RaggedTensor) else convert_to_tensor(input, dtypes.string, name="input")


def raw_strings(input: Any, error: Callable[[str], Exception] | None = None) -> Any:
    """As ``strings_of``, but what is no string is refused as an op refuses it, or eagerly with another error."""
    if isinstance(input, RaggedTensor):
        return input
    input = convert_to_tensor(input, name="input")
    if input.dtype is not dtypes.string:
        text = f"Strings are needed, not a tensor of dtype {input.dtype.name}. Write tf.strings.as_string."
        if state.graph is not None:
            raise TypeError(text)
        raise error(text) if error is not None else InvalidArgumentError(None, None, text)
    return input


@public("strings.split")
def split(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """Splits strings at a separator.

    Args:
      input: a string tensor (or RaggedTensor).
      sep: the separator; by default white space, of which any amount counts as one.
      maxsplit: split at most so often; -1 for no limit.
      name: a name for the nodes.

    Returns:
      A RaggedTensor with one more axis than ``input``; for a scalar a vector.

    >>> import graphlab as tf
    >>> tf.strings.split("hello world").numpy().tolist()
    [b'hello', b'world']
    >>> tf.strings.split(["a b", "c"])
    <tf.RaggedTensor [[b'a', b'b'], [b'c']]>
    """
    with name_scope(name, "StringSplit"):
        separator = convert_to_tensor("" if sep is None else sep, dtypes.string)
        return by_rows(
            strings_of(input), lambda rows: _from_places(*bind(SPLIT, (rows, separator), {"maxsplit": maxsplit}))
        )


@public("strings.bytes_split")
def bytes_split(input: Any, name: str | None = None) -> Any:
    """Splits strings into their bytes.

    Args:
      input: a string tensor (or RaggedTensor).
      name: a name for the nodes.

    Returns:
      A RaggedTensor with one more axis than ``input``; for a scalar a vector.

    >>> import graphlab as tf
    >>> tf.strings.bytes_split(["ab", "c"])
    <tf.RaggedTensor [[b'a', b'b'], [b'c']]>
    """
    with name_scope(name, "StringsByteSplit"):
        return by_rows(
            raw_strings(input, ValueError),
            lambda rows: _from_places(*bind(BYTE_SPLIT, (rows, ""), {"skip_empty": False})),
        )


def _ngrams(
    data: Any,
    data_splits: Any,
    separator: str,
    ngram_widths: Sequence[int],
    left_pad: str,
    right_pad: str,
    pad_width: int,
    preserve_short_sequences: bool,
) -> Any:
    ends = data_splits.tolist()
    found: list[bytes] = []
    splits = [0]
    between = separator.encode()
    for a, b in pairwise(ends):
        row = list(data[a:b])
        before = len(found)
        for width in ngram_widths:
            pad = width - 1 if pad_width < 0 else min(pad_width, width - 1)
            padded = [left_pad.encode()] * pad + row + [right_pad.encode()] * pad
            found += [between.join(padded[i : i + width]) for i in range(len(padded) - width + 1)]
        if preserve_short_sequences and row and len(found) == before:
            # Too short for any width: the whole row, padded as for the narrowest.
            pad = ngram_widths[0] - 1 if pad_width < 0 else min(pad_width, ngram_widths[0] - 1)
            found.append(between.join([left_pad.encode()] * pad + row + [right_pad.encode()] * pad))
        splits.append(len(found))
    return string_vector(found), np.array(splits, data_splits.dtype)


NGRAMS = define(
    "StringNGrams", "data: string, data_splits: Tsplits -> ngrams: string, ngrams_splits: Tsplits", kernel=_ngrams,
    infer=lambda args, _attrs: [(None,), args[1].shape], gradient=NOT_DIFFERENTIABLE, types={"Tsplits": INDEX},
    attrs={"separator": REQUIRED, "ngram_widths": REQUIRED, "left_pad": REQUIRED, "right_pad": REQUIRED,
           "pad_width": REQUIRED, "preserve_short_sequences": REQUIRED}, kinds={"separator": str},
    can_fail=True, fp=False,
)  # fmt: skip


@public("strings.ngrams")
def ngrams(
    data: Any,
    ngram_width: Any,
    separator: str = " ",
    pad_values: Any = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Any:
    """Joins every run of neighbouring strings of a row.

    Args:
      data: a string tensor or RaggedTensor; the last axis holds the rows.
      ngram_width: how many strings are joined, an int or several.
      separator: what stands between them.
      pad_values: strings to put before and behind every row, one or two; None for none.
      padding_width: how many of them at most; by default one less than the width.
      preserve_short_sequences: keep a row that is too short as one string.
      name: a name for the nodes.

    Returns:
      A RaggedTensor if ``data`` is one, else a tensor.

    >>> import graphlab as tf
    >>> tf.strings.ngrams(["a", "b", "c"], 2).numpy().tolist()
    [b'a b', b'b c']
    """
    from graphlab.ops.array import reshape
    from graphlab.ops.array_shape import shape
    from graphlab.ops.creation import range as make_range

    several = isinstance(ngram_width, (list, tuple)) or (isinstance(ngram_width, np.ndarray) and ngram_width.ndim)
    if isinstance(ngram_width, EagerTensor) and ngram_width.dtype not in INDEX:
        ngram_width < 1  # noqa: B015, which says what is wrong with dtypes that have no order
    if isinstance(ngram_width, EagerTensor) and ngram_width.shape.rank:
        error = ValueError if ngram_width.shape.num_elements() else TypeError
        raise error(f"ngram_width must be an int or a list of ints, not {ngram_width!r:.100}.")
    widths = [whole_number(width, "ngram_width") for width in (ngram_width if several else [ngram_width])]
    pads = ("", "") if pad_values is None else (pad_values, pad_values) if isinstance(pad_values, str) else pad_values
    if not isinstance(pads, (list, tuple)) or len(pads) != 2 or not all(isinstance(pad, str) for pad in pads):
        raise TypeError(f"pad_values must be a string or two, not {pad_values!r}.")
    if any(width < 1 for width in widths):
        raise ValueError(f"All ngram_widths must be greater than 0, not {widths}.")
    if padding_width is not None and (padding_width < 1 or pad_values is None):
        raise ValueError("padding_width must be at least 1, and needs pad_values.")
    attrs = {
        "separator": separator,
        "ngram_widths": widths,
        "left_pad": pads[0],
        "right_pad": pads[1],
        "pad_width": 0 if pad_values is None else -1 if padding_width is None else padding_width,
        "preserve_short_sequences": preserve_short_sequences,
    }
    with name_scope(name, "StringNGrams"):
        rows = strings_of(data)
        if isinstance(rows, RaggedTensor):
            if isinstance(rows.values, RaggedTensor):
                inner = ngrams(rows.values, widths, separator, pad_values, padding_width, preserve_short_sequences)
                return rows.with_values(inner)
            return RaggedTensor(*bind(NGRAMS, (rows.values, rows.row_splits), attrs))
        raw = rows._raw_shape()
        if raw is None or len(raw) not in (1, 2):
            raise ValueError("data must be a vector, a matrix or a RaggedTensor.")
        sizes = shape(rows, out_type=dtypes.int64)
        count = sizes[0] if len(raw) == 2 else 1
        splits = make_range(convert_to_tensor(count, dtypes.int64) + 1) * sizes[-1]
        found = RaggedTensor(*bind(NGRAMS, (reshape(rows, [-1]), splits), attrs))
        return found.to_tensor() if len(raw) == 2 else found.values
