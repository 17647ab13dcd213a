"""What a loop of the graph goes over: ranges, the first axis of tensors, ``enumerate``, ``zip`` and ``map`` of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from graphlab.autograph import staging
from graphlab.autograph.operators.variables import UNSET
from graphlab.core import errors, static


class Elements:
    """Elements that a graph goes over one by one; ``counter`` is the tensor that the loop counts with.

    Args:
      start: makes the counter's first value.
      more: counter → bool tensor, whether there is an element.
      next_: counter → its next value.
      at: counter → the element.
      length: makes their number.
      placeholder: a value to stand for an element before the first; UNSET if there is none.
    """

    def __init__(
        self,
        start: Callable[[], Any],
        more: Callable[[Any], Any],
        next_: Callable[[Any], Any],
        at: Callable[[Any], Any],
        length: Callable[[], Any],
        placeholder: Callable[[], Any],
    ) -> None:
        self.start, self.more, self.next, self.at = start, more, next_, at
        self.length, self.placeholder = length, placeholder

    def __iter__(self) -> Iterator[Any]:
        raise errors.OperatorNotAllowedInGraphError(
            "enumerate, zip and map of a symbolic tensor can be gone over only by a for loop that AutoGraph converts."
        )


def elements_of(value: Any) -> Elements:
    """The elements of a tensor or variable.

    Raises:
      ValueError: it has shape ().
    """
    if isinstance(value, Elements):
        return value
    if staging.is_ragged(value):
        return _counted(staging.op("cast")(value.nrows(), "int32"), value.__getitem__, lambda: UNSET)
    tensor = staging.tensor(value)
    op = getattr(tensor, "op", None) if hasattr(type(tensor), "op") and hasattr(type(tensor), "index") else None
    if op is not None and op.type == "Range":
        return _range(tensor, *op.inputs)
    return _axis(tensor)


def _range(tensor: Any, start: Any, limit: Any, delta: Any) -> Elements:
    """A range that need not be made: the loop counts."""
    sign = static.value(delta)

    def more(counter: Any) -> Any:
        if sign is not None:
            return counter < limit if sign >= 0 else counter > limit
        up = staging.op("logical_and")(delta > 0, counter < limit)
        return staging.op("logical_or")(up, staging.op("logical_and")(delta < 0, counter > limit))

    return Elements(
        lambda: start,
        more,
        lambda counter: counter + delta,
        lambda counter: counter,
        lambda: staging.op("shape")(tensor)[0],
        lambda: staging.zeros(start.dtype, ()),
    )


def _axis(tensor: Any) -> Elements:
    shape = tensor._raw_shape()
    if shape == ():
        raise ValueError(f"A for loop goes over the first axis of a tensor, but this one has shape (): {tensor}.")
    if shape is not None and shape[0] is not None:
        count = staging.tensor(shape[0])
    else:
        count = staging.op("shape")(tensor)[0]
    element = None if shape is None else shape[1:]
    rows = staging.op("TensorArray")(tensor.dtype, size=count)
    rows = rows.unstack(tensor)
    known = element is not None and None not in element
    return _counted(count, rows.read, lambda: staging.zeros(tensor.dtype, element) if known else UNSET)


def _counted(count: Any, at: Callable[[Any], Any], placeholder: Callable[[], Any] = lambda: UNSET) -> Elements:
    return Elements(
        lambda: staging.tensor(0),
        lambda counter: counter < count,
        lambda counter: counter + 1,
        at,
        lambda: count,
        placeholder,
    )


def _indexable(value: Any) -> Elements:
    """Elements that are found by their number."""
    if isinstance(value, Elements):
        return value
    return _axis(staging.tensor(list(value) if isinstance(value, range) else value))


def enumerated(value: Any, start: Any = 0) -> Elements:
    """``enumerate`` of a tensor."""
    inner = _indexable(value)
    return _counted(inner.length(), lambda index: (index + start, inner.at(index)))


def zipped(values: tuple[Any, ...]) -> Elements:
    """``zip`` of tensors; Python sequences among them become tensors."""
    parts = [_indexable(value) for value in values]
    count = parts[0].length()
    for part in parts[1:]:
        count = staging.op("minimum")(count, part.length())
    return _counted(count, lambda index: tuple(part.at(index) for part in parts))


def mapped(function: Callable[..., Any], values: tuple[Any, ...]) -> Elements:
    """``map`` of a function over tensors."""
    inner = zipped(values)
    return _counted(inner.length(), lambda index: function(*inner.at(index)))
