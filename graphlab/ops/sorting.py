"""Order: sorting, the largest elements, searching in sorted rows, and distinct elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor, to_array
from graphlab.core.dispatch import bind, misfit, name_scope, whole_number
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, REAL, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.core.state import state
from graphlab.core.tensor import Tensor
from graphlab.ops import inference, written_out
from graphlab.ops.inference import Attrs

# ------------------------------------------------------------------------------------------------------------- kernels


def _descending(values: Any) -> Any:
    """The order of the last axis from the largest on; of equal ones the first comes first, NaN comes last."""
    kind = values.dtype.kind
    if kind == "u":
        keys = np.iinfo(values.dtype).max - values
    elif kind in "ib":
        keys = -1 - values.astype(np.int64)
    else:
        keys = -values
    return np.argsort(keys, axis=-1, kind="stable")


def _top_k(values: Any, k: Any, sorted: bool, index_type: Any) -> Any:
    number = inference.number(k, "k")
    if number < 0:
        raise InvalidArgumentError(None, None, f"Need k >= 0, got {number}")
    if not values.ndim:
        raise InvalidArgumentError(None, None, "input must be >= 1-D, got shape []")
    if values.shape[-1] < number:
        raise InvalidArgumentError(
            None, None, f"input must have at least k columns. Had {values.shape[-1]}, needed {number}"
        )
    order = _descending(values)[..., :number]
    return np.take_along_axis(values, order, -1), order.astype(index_type.np)


def _bound(side: str) -> Any:
    def kernel(sorted_inputs: Any, values: Any, out_type: Any) -> Any:
        if len(sorted_inputs) != len(values):
            raise InvalidArgumentError(None, None, "Leading dim_size of both tensors must match.")
        rows = [np.searchsorted(row, wanted, side) for row, wanted in zip(sorted_inputs, values, strict=True)]  # type: ignore[call-overload]
        result = np.array(rows, out_type.np).reshape(values.shape)
        if values.dtype.kind == "f":  # nothing is less than NaN, and nothing greater
            result[np.isnan(values)] = 0 if side == "left" else sorted_inputs.shape[-1]
        return result

    return kernel


def distinct(x: Any) -> tuple[Any, Any, Any]:
    """Distinct elements by first occurrence, for each element its number, and how often each occurs."""
    if x.ndim != 1:
        raise InvalidArgumentError(None, None, "unique expects a 1D vector.")
    if x.dtype.kind == "O":
        numbers: dict[bytes, int] = {}
        index = np.array([numbers.setdefault(item, len(numbers)) for item in x], np.int64).reshape(-1)
        found = np.empty(len(numbers), object)
        found[:] = list(numbers)
        return found, index, np.bincount(index, minlength=len(numbers))
    _, first, inverse = np.unique(x, return_index=True, return_inverse=True, equal_nan=False)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    index = rank[inverse.reshape(-1)]
    return x[first[order]], index, np.bincount(index, minlength=len(order))


def _unique(x: Any, out_idx: Any) -> Any:
    found, index, _ = distinct(x)
    return found, index.astype(out_idx.np)


def _unique_with_counts(x: Any, out_idx: Any) -> Any:
    found, index, counts = distinct(x)
    return found, index.astype(out_idx.np), counts.astype(out_idx.np)


def _list_diff(x: Any, y: Any, out_idx: Any) -> Any:
    if x.ndim != 1 or y.ndim != 1:
        raise InvalidArgumentError(None, None, "x and y should be 1D vectors.")
    gone = set(y.tolist())
    kept = np.array([i for i, item in enumerate(x.tolist()) if item not in gone], np.int64)
    return x[kept], kept.astype(out_idx.np)


# ----------------------------------------------------------------------------------------------------------- inference


def _top_k_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    shape = inference.at_least_rank(args[0].shape, 1, "input")
    number = None if args[1].value is None else inference.size_of_value(args[1], "k")
    if shape is None:
        return [None, None]
    if number is not None and shape[-1] is not None and shape[-1] < number:
        raise ValueError(f"input must have last dimension >= k = {number} but is {shape[-1]}.")
    return [(*shape[:-1], number)] * 2


def _bound_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    inference.with_rank(args[0].shape, 2, "sorted_inputs")
    return inference.with_rank(args[1].shape, 2, "values")


def _unique_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    size = inference.with_rank(args[0].shape, 1, "The input of unique")[0]
    return [(None,), (size,)]


def _unique_counts_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    shape = args[0].shape  # of another rank it fails when it runs
    return [(None,), (shape[0],) if shape is not None and len(shape) == 1 else (None,), (None,)]


# ----------------------------------------------------------------------------------------------------------- gradients


def _top_k_grad(op: Any, dy: Any, _: Any) -> list[Any]:
    from graphlab.ops import array, array_shape, creation
    from graphlab.ops.reduction import reduce_prod
    from graphlab.ops.scatter import scatter_nd

    if dy is None:
        return [None, None]
    values, index = op.inputs[0], op.outputs[1]
    if index.dtype is not dtypes.int32:
        from graphlab.ops.casting import cast

        index = cast(index, dtypes.int32)
    shape = array_shape.shape(values)
    width, total = shape[-1], reduce_prod(shape)
    rows = array.reshape(index, _as_rows(index))
    starts = creation.range(array_shape.shape(rows)[0]) * width
    flat = rows + array.expand_dims(starts, 1)
    summed = scatter_nd(array.reshape(flat, [-1, 1]), array.reshape(dy, [-1]), array.reshape(total, [1]))
    return [array.reshape(summed, shape), None]


TOP_K = define(
    "TopKV2", "input: T, k: Tk -> values: T, indices: index_type", kernel=_top_k, infer=_top_k_shape,
    gradient=_top_k_grad, types={"T": REAL, "Tk": INDEX | {dtypes.int16}}, defaults={"Tk": dtypes.int32},
    attrs={"sorted": True, "index_type": dtypes.int32}, can_fail=True,
)  # fmt: skip
LOWER_BOUND = define(
    "LowerBound", "sorted_inputs: T, values: T -> output: out_type", kernel=_bound("left"), infer=_bound_shape,
    gradient=NOT_DIFFERENTIABLE, attrs={"out_type": dtypes.int32}, can_fail=True, fp=False,
)  # fmt: skip
UPPER_BOUND = define(
    "UpperBound", "sorted_inputs: T, values: T -> output: out_type", kernel=_bound("right"), infer=_bound_shape,
    gradient=NOT_DIFFERENTIABLE, attrs={"out_type": dtypes.int32}, can_fail=True, fp=False,
)  # fmt: skip
UNIQUE = define(
    "Unique", "x: T -> y: T, idx: out_idx", kernel=_unique, infer=_unique_shape, gradient=NOT_DIFFERENTIABLE,
    attrs={"out_idx": dtypes.int32}, can_fail=True, fp=False,
)  # fmt: skip
UNIQUE_WITH_COUNTS = define(
    "UniqueWithCounts", "x: T -> y: T, idx: out_idx, count: out_idx", kernel=_unique_with_counts,
    infer=_unique_counts_shape, gradient=NOT_DIFFERENTIABLE, attrs={"out_idx": dtypes.int32}, can_fail=True, fp=False,
)  # fmt: skip
LIST_DIFF = define(
    "ListDiff", "x: T, y: T -> out: T, idx: out_idx", kernel=_list_diff,
    infer=lambda _args, _attrs: [(None,), (None,)], gradient=NOT_DIFFERENTIABLE, attrs={"out_idx": dtypes.int32},
    can_fail=True, fp=False,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


class TopKV2(NamedTuple):
    """What ``tf.math.top_k`` returns."""

    values: Any
    indices: Any


class Unique(NamedTuple):
    """What ``tf.unique`` returns."""

    y: Any
    idx: Any


class UniqueWithCounts(NamedTuple):
    """What ``tf.unique_with_counts`` returns."""

    y: Any
    idx: Any
    count: Any


class ListDiff(NamedTuple):
    """What ``tf.compat.v1.setdiff1d`` returns."""

    out: Any
    idx: Any


@public("math.top_k", "nn.top_k")
def top_k(
    input: Any, k: Any = 1, sorted: bool = True, index_type: Any = dtypes.int32, name: str | None = None
) -> TopKV2:
    """Finds the largest elements of the last axis, and where they are.

    Args:
      input: a tensor of a real dtype, at least a vector.
      k: how many, an int or scalar tensor.
      sorted: whether the largest must come first (here it always does).
      index_type: int32, int64 or int16.
      name: a name for the node.

    Returns:
      ``(values, indices)``, both of shape ``input.shape[:-1] + [k]``; of equal elements the first come first.

    Raises:
      tf.errors.InvalidArgumentError: if the axis has fewer than ``k`` elements (ValueError while tracing).

    >>> import graphlab as tf
    >>> values, indices = tf.math.top_k([1, 5, 3], k=2)
    >>> values.numpy(), indices.numpy()
    (array([5, 3], dtype=int32), array([1, 2], dtype=int32))
    """
    attrs = {"sorted": sorted, "index_type": dtypes.as_dtype(index_type)}
    return TopKV2(*bind(TOP_K, (input, k), attrs, name))


def _axis(axis: Any) -> int:
    try:
        return whole_number(axis, "axis")
    except (TypeError, ValueError):
        if state.graph is not None and not isinstance(axis, Tensor):
            to_array(axis)  # what makes no tensor either is a TypeError there
        raise ValueError(f"axis must be an int, not {axis!r:.100}.") from None


def _last(axis: Any, rank: int | None, what: str) -> int:
    """The axis counted from the front, or -1 when it is the last."""
    number = _axis(axis)
    if rank is None:
        if number == -1:
            return -1
        raise ValueError(f"{what} along another axis than the last needs a tensor whose rank is known while tracing.")
    if not -rank <= number < rank:
        raise misfit(f"Axis {number} is out of range for a tensor of rank {rank}.")
    number %= rank
    return -1 if number == rank - 1 else number


def _swapped(values: Any, axis: int) -> Any:
    from graphlab.ops.array import transpose

    if axis == -1:
        return values
    rank = len(values._raw_shape())
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    return transpose(values, order)


def _reversed_order(values: Any) -> Any:
    """Values whose largest is the smallest of these; applied twice it gives them back."""
    if values.dtype.is_unsigned:
        return convert_to_tensor(np.array(values.dtype.max, values.dtype.np)) - values
    return -1 - values if values.dtype.is_integer else -values


def _direction(direction: Any) -> bool:
    if isinstance(direction, (list, dict, Tensor)):
        raise TypeError(f"direction must be a string, not {direction!r:.100}.")
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(f"direction must be 'ASCENDING' or 'DESCENDING', not {direction!r}.")
    return bool(direction == "ASCENDING")


def _sorted_by(values: Any, axis: Any, ascending: bool, part: int) -> Any:
    from graphlab.ops.array_shape import shape

    values = convert_to_tensor(values)
    raw = values._raw_shape()
    if state.graph is not None and values.dtype in (dtypes.bool, dtypes.string):
        raise TypeError(f"Only numbers are sorted, not {values.dtype.name}.")
    if raw == ():
        raise misfit("A scalar can't be sorted: it has no axis.")
    at = _last(axis, None if raw is None else len(raw), "Sorting")
    if state.graph is not None and raw is not None:
        return written_out.sorted_by(values, _axis(axis), ascending, part)
    moved = _swapped(values, at)
    found = top_k(_reversed_order(moved) if ascending else moved, shape(moved)[-1])[part]
    if ascending and part == 0:
        found = _reversed_order(found)
    return _swapped(found, at)


@public("sort")
def sort(values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None) -> Any:
    """Sorts a tensor along an axis.

    Args:
      values: a tensor of a real dtype, at least a vector.
      axis: the axis, an int.
      direction: ``"ASCENDING"`` or ``"DESCENDING"``.
      name: a name for the nodes.

    Raises:
      ValueError: if the axis or the direction is not possible.

    >>> import graphlab as tf
    >>> tf.sort([3.0, 1.0, 2.0], direction="DESCENDING").numpy()
    array([3., 2., 1.], dtype=float32)
    """
    with name_scope(name, "sort"):
        return _sorted_by(values, axis, _direction(direction), 0)


@public("argsort")
def argsort(
    values: Any, axis: Any = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Any:
    """Returns the indices that sort a tensor along an axis.

    Args:
      values: a tensor of a real dtype, at least a vector.
      axis: the axis, an int.
      direction: ``"ASCENDING"`` or ``"DESCENDING"``.
      stable: whether equal elements must keep their order (here they always do).
      name: a name for the nodes.

    Returns:
      An int32 tensor of the shape of ``values``.

    Raises:
      ValueError: if the axis or the direction is not possible.

    >>> import graphlab as tf
    >>> tf.argsort([3.0, 1.0, 2.0]).numpy()
    array([1, 2, 0], dtype=int32)
    """
    del stable
    with name_scope(name, "argsort"):
        return _sorted_by(values, axis, _direction(direction), 1)


def _as_rows(x: Any) -> Any:
    """The shape of ``x`` as a matrix of its last axes."""
    from graphlab.ops.array_shape import shape
    from graphlab.ops.reduction import reduce_prod

    known = x._raw_shape()
    if known is not None and None not in known and known:
        return [prod(known[:-1]), known[-1]]
    sizes = shape(x)
    return [reduce_prod(sizes[:-1]), sizes[-1]]  # -1 could not be found for empty rows


@public("searchsorted")
def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = dtypes.int32, name: str | None = None
) -> Any:
    """Finds where values would be put into sorted rows so that these stay sorted.

    Args:
      sorted_sequence: a tensor sorted along its last axis.
      values: a tensor of the dtype of ``sorted_sequence``; all axes but the last are equal.
      side: ``"left"``: before equal elements, or ``"right"``: behind them.
      out_type: int32 or int64.
      name: a name for the node.

    Returns:
      A tensor of indices of the shape of ``values``.

    Raises:
      ValueError: if ``side`` is neither.

    >>> import graphlab as tf
    >>> tf.searchsorted([1, 3, 5], [0, 3, 9]).numpy()
    array([0, 1, 3], dtype=int32)
    """
    from graphlab.ops.array import reshape
    from graphlab.ops.array_shape import shape

    if side not in ("left", "right"):
        raise ValueError(f"side must be 'right' or 'left', not {side!r}.")
    kind = dtypes.as_dtype(out_type)
    values = convert_to_tensor(values, name="values")
    sorted_sequence = convert_to_tensor(sorted_sequence, name="sorted_sequence")
    from graphlab.ops.slicing import getitem

    op = UPPER_BOUND if side == "right" else LOWER_BOUND
    empty = any(0 in (t._raw_shape() or ())[-1:] for t in (sorted_sequence, values))
    if state.graph is not None and not empty:
        last, last_wanted = (getitem(written_out.sizes_of(t), -1) for t in (sorted_sequence, values))
        rows, wanted = reshape(sorted_sequence, [-1, last]), reshape(values, [-1, last_wanted])
        return reshape(bind(op, (rows, wanted), {"out_type": kind}, name), written_out.sizes_of(values))
    rows = reshape(sorted_sequence, _as_rows(sorted_sequence))
    wanted = reshape(values, _as_rows(values))
    return reshape(bind(op, (rows, wanted), {"out_type": kind}, name), shape(values))


@public("unique")
def unique(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Unique:
    """Finds the distinct elements of a vector, in the order in which they first occur.

    Args:
      x: a vector of any dtype that has values.
      out_idx: int32 or int64.
      name: a name for the node.

    Returns:
      ``(y, idx)``: the distinct elements, and for each element of ``x`` its place in ``y``.

    Raises:
      tf.errors.InvalidArgumentError: if ``x`` is no vector (ValueError while tracing).

    >>> import graphlab as tf
    >>> y, idx = tf.unique([3, 1, 3])
    >>> y.numpy(), idx.numpy()
    (array([3, 1], dtype=int32), array([0, 1, 0], dtype=int32))
    """
    return Unique(*bind(UNIQUE, (x,), {"out_idx": dtypes.as_dtype(out_idx)}, name))


@public("unique_with_counts")
def unique_with_counts(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> UniqueWithCounts:
    """Finds the distinct elements of a vector and counts them.

    Args:
      x: a vector of any dtype that has values.
      out_idx: int32 or int64.
      name: a name for the node.

    Returns:
      ``(y, idx, count)``: the distinct elements in the order in which they first occur, for each element of ``x`` its
      place in ``y``, and how often each occurs.

    Raises:
      tf.errors.InvalidArgumentError: if ``x`` is no vector (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.unique_with_counts([3, 1, 3]).count.numpy()
    array([2, 1], dtype=int32)
    """
    return UniqueWithCounts(*bind(UNIQUE_WITH_COUNTS, (x,), {"out_idx": dtypes.as_dtype(out_idx)}, name))


@public("compat.v1.setdiff1d")
def setdiff1d(x: Any, y: Any, index_dtype: Any = dtypes.int32, name: str | None = None) -> ListDiff:
    """Returns the elements of ``x`` that are not in ``y``, and where they are.

    Args:
      x: a vector.
      y: a vector of the same dtype.
      index_dtype: int32 or int64.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.compat.v1.setdiff1d([1, 2, 3, 2], [2]).out.numpy()
    array([1, 3], dtype=int32)
    """
    return ListDiff(*bind(LIST_DIFF, (x, y), {"out_idx": dtypes.as_dtype(index_dtype)}, name))
