"""Composites as graphs show them: node by node as TensorFlow writes them out, sizes that are known included.

Eagerly the same functions take the short way.  In a graph what is constant here costs nothing: passes fold it.
"""

from __future__ import annotations

from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.op import Op
from graphlab.core.state import state
from graphlab.ops.array_shape import SHAPE


def rank(x: Any) -> Any:
    """The rank as a node, ``Rank``."""
    from graphlab.ops import array_shape

    return array_shape.rank(x)


def shape(x: Any) -> Any:
    """The shape as a node, ``Shape``."""
    from graphlab.ops import array_shape

    return array_shape.shape(x)


def _sub(a: Any, b: Any) -> Any:
    from graphlab.ops import math

    return math.subtract(a, b, name="Sub")


def _cast(x: Any, dtype: Any) -> Any:
    """A cast that is a node even where nothing changes."""
    from graphlab.ops.casting import CAST

    return bind(CAST, (x,), {"DstT": dtype})


def sizes_of(x: Any) -> Any:
    """The shape as a node of its own, a constant if it is known."""
    known = x._raw_shape()
    if known is None or None in known:
        return bind(SHAPE, (x,))
    with name_scope(None, "Shape"):
        return constant(list(known), dtypes.int32, name="shape_as_tensor")


def ones_like(x: Any, dtype: Any = None) -> Any:
    """Ones of the shape of a tensor: its shape, filled."""
    from graphlab.ops import creation

    with name_scope(None, "ones_like") as scope:
        return creation.fill(sizes_of(x), constant(1, dtype or x.dtype, name="Const"), name=scope)


def ones(sizes: Any, dtype: Any) -> Any:
    """Ones of a shape that is a tensor, or a list with tensors in it."""
    from graphlab.ops import creation

    with name_scope(None, "ones") as scope:
        sizes = convert_to_tensor(sizes, dtypes.int32, name="packed")
        return creation.fill(sizes, constant(1, dtype, name="Const"), name=scope)


def checked(check: Any, value: Any) -> Any:
    """A value that waits for a check."""
    from graphlab.ops.array import identity

    if state.graph is None:
        return value
    with state.graph.control_dependencies([check]):
        return identity(value, name="control_dependency")


# ------------------------------------------------------------------------------------------------- softmax and the like


def on_axis(op: Op, x: Any, axis: int, name: str | None) -> Any:
    """An op of the last axis on another one, which changes places with the last."""
    from graphlab.ops import array, creation

    place: Any = axis
    whole = rank(x)
    if axis < 0:
        place = axis + whole
        whole = rank(x)
        place = place % len(x._raw_shape())
    else:
        whole = rank(x)

    def swapped(tensor: Any, name: str | None = None) -> Any:
        last = _sub(whole, 1)
        parts = [creation.range(0, place), [last], creation.range(place + 1, last), [place]]
        return array.transpose(tensor, array.concat(parts, 0), name=name or "transpose")

    return swapped(bind(op, (swapped(x),)), name)


def moved_last(x: Any, axis: int, whole: Any) -> Any:
    """``x`` with an axis moved to the end."""
    from graphlab.ops import array, creation

    return array.transpose(x, array.concat([creation.range(axis), creation.range(axis + 1, whole), [axis]], 0))


def rows(x: Any) -> Any:
    """All axes but the last as one."""
    from graphlab.ops import array
    from graphlab.ops.slicing import slice_

    whole, sizes = rank(x), shape(x)
    return array.reshape(x, array.concat([[-1], slice_(sizes, [_sub(whole, 1)], [1])], 0))


def cross_entropy(op: Op, labels: Any, logits: Any, axis: int, scope: str | None) -> Any:
    """The loss of each row, in the shape of ``logits`` without the axis of the classes."""
    from graphlab.ops import array
    from graphlab.ops.slicing import slice_

    whole = rank(logits)
    if axis != -1:
        logits, labels = moved_last(logits, axis, whole), moved_last(labels, axis, whole)
    sizes = shape(logits)
    loss, _ = bind(op, (rows(logits), rows(labels)), None, scope)
    return array.reshape(loss, slice_(sizes, [0], [_sub(whole, 1)]))


# ----------------------------------------------------------------------------------------------------- sorting, masking


def sorted_by(values: Any, axis: int, ascending: bool, part: int) -> Any:
    """The largest elements of a row, all of them, or where they were."""
    from graphlab.ops import array
    from graphlab.ops.slicing import getitem
    from graphlab.ops.sorting import top_k

    def reverse(x: Any) -> Any:
        if x.dtype.is_unsigned:
            return x.dtype.max - x
        return -x - 1 if x.dtype.is_integer else -x

    constant(axis, name="axis")
    known = len(values._raw_shape())
    at = axis % known
    if ascending:
        values = reverse(values)
    count = getitem(shape(values), axis)
    rank(values)
    order = None
    if at != known - 1:
        places = [*range(known)]
        places[at], places[-1] = places[-1], places[at]
        order = constant(places, name="transposition")
        values = array.transpose(values, order)
    found = top_k(values, count)[part]
    if order is not None:
        found = array.transpose(found, order)
    return reverse(found) if ascending and part == 0 else found


def masked_rows(tensor: Any, axis: int, covered: int) -> Any:
    """A tensor in which the axes that a mask covers are one."""
    from graphlab.ops import array
    from graphlab.ops.reduction import reduce_prod
    from graphlab.ops.slicing import getitem

    count = reduce_prod(getitem(shape(tensor), slice(axis, axis + covered)), [0])
    before = getitem(shape(tensor), slice(None, axis))
    after = getitem(shape(tensor), slice(axis + covered, None))
    return array.reshape(tensor, array.concat([before, [count], after], 0))


def repeat(data: Any, repeats: Any, axis: int, scalar: bool) -> Any:
    """Each element of an axis followed by its copies."""
    from graphlab.ops import array, array_shape, grids, math, padding, reduction
    from graphlab.ops.slicing import boolean_mask, getitem

    repeats = _cast(repeats, repeats.dtype)
    sizes = array_shape.shape(data, out_type=repeats.dtype)
    known = len(data._raw_shape())

    def tiled(times: Any) -> Any:
        multiples = [times if i == axis + 1 else 1 for i in range(known + 1)]
        return padding.tile(array.expand_dims(data, axis + 1), multiples)

    if scalar:
        repeats = array.reshape(repeats, [])
        copies = tiled(repeats)
        before = getitem(sizes, slice(None, axis))
        length = repeats * getitem(sizes, axis)
        after = getitem(sizes, slice(axis + 1, None))
        return array.reshape(copies, array.concat([before, [length], after], 0))
    repeats = array_shape.broadcast_to(repeats, [getitem(sizes, axis)])
    most = reduction.reduce_max(repeats)
    most = math.maximum(constant(0, repeats.dtype, name="zero"), most)
    mask = grids.sequence_mask(repeats, most)
    return boolean_mask(tiled(most), mask, axis=axis)


# ------------------------------------------------------------------------------------------------------------- linspace


def linspace(start: Any, stop: Any, num: Any, axis: int) -> Any:
    """Evenly spaced values: the first, those between, the last."""
    from graphlab.ops import array, array_shape, comparison, creation, math, selection
    from graphlab.ops.broadcasting import BROADCAST_ARGS
    from graphlab.ops.casting import cast
    from graphlab.ops.slicing import getitem, slice_

    count = _cast(num, dtypes.int32)
    cast(count, start.dtype)
    sizes = bind(BROADCAST_ARGS, (shape(start), shape(stop)))
    start, stop = array_shape.broadcast_to(start, sizes), array_shape.broadcast_to(stop, sizes)
    first, last = array.expand_dims(start, axis), array.expand_dims(stop, axis)
    whole = shape(first)
    known = getitem(shape(whole), 0)
    at = selection.where(axis >= 0, axis, known + axis)
    between = math.maximum(count - 2, 0)
    steps = math.maximum(count - 1, 1)
    step = (last - first) / cast(steps, first.dtype)
    first, last = cast(first, step.dtype), cast(last, step.dtype)
    end = selection.where(comparison.greater_equal(count, 0), steps, -1)
    places = cast(creation.range(1, end, dtype=dtypes.int64), step.dtype)
    form = selection.where(comparison.equal(at, creation.range(known)), between, 1)
    inner = first + step * array.reshape(places, form)
    values = array.concat([first, inner, last], at)
    zeros = creation.zeros_like(whole)
    sizes = [getitem(whole, slice(0, at)), array.reshape(count, [1]), getitem(whole, slice(at + 1, None))]
    return slice_(values, zeros, array.concat(sizes, 0))
