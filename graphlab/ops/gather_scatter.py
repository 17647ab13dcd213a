"""Reading elements at indices, and dealing them out: gather, partition, stitch."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope, whole_number
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.core.specs import IndexedSlices
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.ops import gradients_written_out as gradients
from graphlab.ops import inference
from graphlab.ops.inference import Attrs

INDICES = INDEX | {dtypes.int16}

# ------------------------------------------------------------------------------------------------------------- kernels


def place(flat: int, shape: Sequence[int]) -> str:
    """``[1,2]`` for the element with number ``flat``, empty for a scalar."""
    if not shape:
        return ""
    return "[" + ",".join(str(int(i)) for i in np.unravel_index(flat, tuple(shape))) + "]"


def check_indices(indices: Any, size: int) -> None:
    """InvalidArgumentError unless every index is in [0, size)."""
    if indices.ndim == 0:
        bad, first = not 0 <= indices < size, 0
    else:
        wrong = (indices < 0) | (indices >= size)
        bad = bool(wrong.any())
        first = int(np.argmax(wrong)) if bad else 0
    if bad:
        value = int(indices.reshape(-1)[first])
        where = place(first, indices.shape)
        raise InvalidArgumentError(None, None, f"indices{where} = {value} is not in [0, {size})")


def _gather(params: Any, indices: Any, axis: Any, batch_dims: int) -> Any:
    if params.ndim == 0:
        raise InvalidArgumentError(None, None, "params must be at least 1 dimensional")
    rank, at = params.ndim, int(axis)
    if not -rank <= at < rank:
        raise InvalidArgumentError(None, None, f"Axis {at} is out of range: params have rank {rank}.")
    at %= rank
    batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
    if not batch:
        check_indices(indices, params.shape[at])
        return np.take(params, indices, at)
    if not 0 <= batch <= indices.ndim or batch > at:
        raise InvalidArgumentError(
            None, None, f"batch_dims ({batch}) must be at most axis ({at}) and the rank of indices ({indices.ndim})."
        )
    for i in range(batch):
        if params.shape[i] != indices.shape[i]:
            message = f"params.shape[{i}]: {params.shape[i]} should be equal to indices.shape[{i}]: {indices.shape[i]}"
            raise InvalidArgumentError(None, None, message)
    check_indices(indices, params.shape[at])
    shape = params.shape
    number = prod(shape[:batch])
    grouped = params.reshape(number, prod(shape[batch:at]), shape[at], prod(shape[at + 1 :]))
    chosen = indices.reshape(number, prod(indices.shape[batch:]))
    found = grouped[np.arange(number)[:, None], :, chosen]
    return found.transpose(0, 2, 1, 3).reshape(shape[:at] + indices.shape[batch:] + shape[at + 1 :])


def index_tuple(indices: Any, shape: Sequence[int], what: str, policy: str = "") -> tuple[Any, ...]:
    """The last axis of ``indices`` as a NumPy index into ``shape``.  InvalidArgumentError if one is out of range."""
    depth = indices.shape[-1]
    flat = indices.reshape(-1, depth) if depth else indices.reshape(prod(indices.shape[:-1]), 0)
    if depth and flat.size:
        wrong = ((flat < 0) | (flat >= np.array(shape[:depth]))).any(1)
        if wrong.any():
            first = int(np.argmax(wrong))
            where = place(first, indices.shape[:-1])
            extent = "[" + ",".join(map(str, shape)) + "]"
            raise InvalidArgumentError(
                None, None, f"indices{where} = {flat[first].tolist()} does not index into {what} {extent}"
            )
    return tuple(np.moveaxis(indices, -1, 0))


def _gather_nd(params: Any, indices: Any, bad_indices_policy: str) -> Any:
    if params.ndim == 0:
        raise InvalidArgumentError(None, None, "params must be at least a vector")
    if indices.ndim == 0:
        raise InvalidArgumentError(None, None, "indices must be at least a vector")
    if indices.shape[-1] > params.ndim:
        raise InvalidArgumentError(
            None,
            None,
            f"index innermost dimension length must be <= params rank; saw: {indices.shape[-1]} vs. {params.ndim}",
        )
    index = index_tuple(indices, params.shape, "param shape")
    if not index:
        return np.broadcast_to(params, indices.shape[:-1] + params.shape).copy()
    return params[index]


def zeros(shape: Sequence[int], dtype: Any) -> Any:
    """An array of zeros, or of empty strings."""
    return np.full(shape, b"", object) if dtype.kind == "O" else np.zeros(shape, dtype)


def _dynamic_partition(data: Any, partitions: Any, num_partitions: int) -> Any:
    rank = partitions.ndim
    if data.shape[:rank] != partitions.shape:
        raise InvalidArgumentError(
            None,
            None,
            f"data.shape must start with partitions.shape, got data.shape = {list(data.shape)}, partitions.shape = "
            f"{list(partitions.shape)}",
        )
    wrong = (partitions < 0) | (partitions >= num_partitions)
    if np.any(wrong):
        first = int(np.argmax(wrong))
        value = int(partitions.reshape(-1)[first])
        where = place(first, partitions.shape)
        raise InvalidArgumentError(None, None, f"partitions{where} = {value} is not in [0, {num_partitions})")
    return [data[partitions == i] for i in range(num_partitions)]


def _dynamic_stitch(indices: Sequence[Any], data: Sequence[Any]) -> Any:
    tail = None
    top = -1
    for index, values in zip(indices, data, strict=True):
        if values.shape[: index.ndim] != index.shape:
            raise InvalidArgumentError(
                None, None, f"data of shape {list(values.shape)} does not start with indices' {list(index.shape)}."
            )
        rest = values.shape[index.ndim :]
        if tail is not None and rest != tail:
            raise InvalidArgumentError(None, None, f"Rows must have one shape, but have {list(tail)} and {list(rest)}.")
        tail = rest
        if index.size:
            top = max(top, int(index.max()))
            if int(index.min()) < 0:
                first = int(np.argmax(index.reshape(-1) < 0))
                raise InvalidArgumentError(None, None, f"indices{place(first, index.shape)} is out of range")
    out = zeros((top + 1, *(tail or ())), data[0].dtype)
    for index, values in zip(indices, data, strict=True):
        # One after the other: where an index occurs twice in one list NumPy keeps the last, as is wanted.
        out[index.reshape(-1)] = values.reshape(index.size, *(tail or ()))
    return out


# ----------------------------------------------------------------------------------------------------------- inference


def _gather_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    params, indices = args[0].shape, args[1].shape
    inference.at_least_rank(params, 1, "params")
    inference.with_rank(args[2].shape, 0, "axis")
    axis = args[2].value
    batch = attrs["batch_dims"]
    if axis is not None and params is not None:
        at = int(axis)
        rank = len(params)
        if not -rank <= at < rank:
            raise ValueError(f"Shape must be at least rank {at + 1 if at >= 0 else -at} but is rank {rank}.")
        at %= rank
        if indices is None:
            return None
        batch = batch + len(indices) if batch < 0 else batch
        if batch > at or batch > len(indices):
            raise ValueError(
                f"batch_dims ({batch}) must be at most axis ({at}) and the rank of indices ({len(indices)})."
            )
        lead = list(params[:at])
        for i in range(batch):
            lead[i] = inference.merge_dim(params[i], indices[i], f"Sizes of batch axis {i}")
        return (*lead, *indices[batch:], *params[at + 1 :])
    if params is None or indices is None:
        return None
    batch = batch + len(indices) if batch < 0 else batch
    return (None,) * int(len(params) + len(indices) - 1 - batch)


def _gather_nd_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    params, indices = args[0].shape, args[1].shape
    inference.at_least_rank(indices, 1, "indices")
    if params is None or indices is None or indices[-1] is None:
        return None
    if indices[-1] > len(params):
        raise ValueError(
            f"indices.shape[-1] must be <= params.rank, but saw indices shape: {inference.show(indices)} and params "
            f"shape: {inference.show(params)}"
        )
    return (*indices[:-1], *params[indices[-1] :])


def _partition_shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    data, partitions, number = args[0].shape, args[1].shape, attrs["num_partitions"]
    if data is None or partitions is None:
        return [None] * number
    if len(partitions) > len(data):
        raise ValueError(
            f"data.shape {inference.show(data)} must start with partitions.shape {inference.show(partitions)}."
        )
    for i, size in enumerate(partitions):
        inference.merge_dim(size, data[i], f"Sizes of axis {i} of data and partitions")
    return [(None, *data[len(partitions) :])] * number


def _stitch_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    half = len(args) // 2
    tail: Shape = None
    top: int | None = 0
    for index, values in zip(args[:half], args[half:], strict=True):
        known = index.value
        top = None if known is None or top is None else max(top, int(known.max()) + 1 if known.size else 0)
        if index.shape is None or values.shape is None:
            continue
        inference.at_least_rank(values.shape, len(index.shape), "data")
        tail = inference.merge(tail, values.shape[len(index.shape) :])
    return None if tail is None else (top, *tail)


# ----------------------------------------------------------------------------------------------------------- gradients


def _gather_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.core.static import value
    from graphlab.ops import array, array_shape

    params, indices, axis = op.inputs
    shape = params._raw_shape()
    batch = op.attrs["batch_dims"]
    at = value(axis)
    if state.graph is not None and at is not None and shape is not None and indices._raw_shape() is not None:
        if int(at) == 0 and not batch:
            return [IndexedSlices(*gradients.gather_first(op, dy)), None, None]
        return [gradients.gather(op, dy), None, None]
    if at is not None and int(at) == 0 and not batch:
        loose = shape is None or not all(shape[1:])  # -1 does not stand for one size of several if another is 0
        tail = array_shape.shape(params)[1:] if loose else list(shape[1:])
        size = array_shape.shape(array.reshape(indices, [-1]))
        rows = array.reshape(dy, array.concat([size, tail], 0) if not isinstance(tail, list) else [-1, *tail])
        return [IndexedSlices(rows, array.reshape(indices, [-1]), array_shape.shape(params)), None, None]
    return [_gather_axis_grad(dy, params, indices, axis, at, batch), None, None]


def _gather_axis_grad(dy: Any, params: Any, indices: Any, axis: Any, at: Any, batch: int) -> Any:
    """The gradient along any axis and of any rank: the axes are joined to batch, outer, gathered and rest.

    Batch and gathered become one axis along which the rows of equal index are summed.
    """
    from graphlab.ops import array, array_shape, creation
    from graphlab.ops.casting import cast
    from graphlab.ops.segment import unsorted_segment_sum

    shape, index_shape = array_shape.shape(params), array_shape.shape(indices)
    place: Any = axis if at is None else int(at)
    if at is None or place < 0:
        rank = array_shape.rank(params) if params._raw_shape() is None else len(params._raw_shape())
        place = (place + rank) % rank
    first: Any = batch
    if batch < 0:
        first = batch + (array_shape.rank(indices) if indices._raw_shape() is None else len(indices._raw_shape()))
    groups, outer, rest = _product(shape[:first]), _product(shape[first:place]), _product(shape[place + 1 :])
    count, size = _product(index_shape[first:]), shape[place]
    rows = array.transpose(array.reshape(dy, array.stack([groups, outer, count, rest])), [0, 2, 1, 3])
    ids = array.reshape(indices, array.stack([groups, count]))
    offsets = array.expand_dims(creation.range(groups), 1) * size
    ids = ids + (offsets if ids.dtype is offsets.dtype else cast(offsets, ids.dtype))
    summed = unsorted_segment_sum(
        array.reshape(rows, array.stack([groups * count, outer, rest])), array.reshape(ids, [-1]), groups * size
    )
    spread = array.reshape(summed, array.stack([groups, size, outer, rest]))
    return array.reshape(array.transpose(spread, [0, 2, 1, 3]), shape)


def _product(shape: Any) -> Any:
    from graphlab.ops.reduction import reduce_prod

    return reduce_prod(shape)


def _gather_nd_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import array, array_shape
    from graphlab.ops.scatter import scatter_nd

    params, indices = op.inputs
    shape = indices._raw_shape()
    full = array_shape.shape(params, out_type=indices.dtype if indices.dtype in INDEX else dtypes.int32)
    if shape is not None and len(shape) == 2 and shape[-1] == 1:
        return [IndexedSlices(dy, array.squeeze(indices, -1), full), None]
    return [scatter_nd(indices, dy, full), None]


def _partition_grad(op: Any, *dys: Any) -> list[Any]:
    from graphlab.ops import array, array_shape, creation

    data, partitions = op.inputs
    shape = array_shape.shape(partitions)
    numbers = array.reshape(creation.range(_product(shape)), shape)
    split = dynamic_partition(numbers, partitions, op.attrs["num_partitions"])
    parts = [creation.zeros_like(output) if dy is None else dy for dy, output in zip(dys, op.outputs, strict=True)]
    return [array.reshape(dynamic_stitch(split, parts), array_shape.shape(data)), None]


def _stitch_grad(op: Any, dy: Any) -> list[Any]:
    half = len(op.inputs) // 2
    return [*([None] * half), *(gather(dy, index) for index in op.inputs[:half])]


# ----------------------------------------------------------------------------------------------------------------- ops

GATHER = define(
    "GatherV2", "params: Tparams, indices: Tindices, axis: Taxis -> output: Tparams", kernel=_gather,
    infer=_gather_shape, gradient=_gather_grad, types={"Tindices": INDICES, "Taxis": INDEX},
    attrs={"batch_dims": 0}, can_fail=True, fp=False,
)  # fmt: skip
GATHER_ND = define(
    "GatherNd", "params: Tparams, indices: Tindices -> output: Tparams", kernel=_gather_nd, infer=_gather_nd_shape,
    gradient=_gather_nd_grad, types={"Tindices": INDICES}, attrs={"bad_indices_policy": ""}, can_fail=True, fp=False,
)  # fmt: skip
DYNAMIC_PARTITION = define(
    "DynamicPartition", "data: T, partitions: int32 -> outputs: num_partitions*T", kernel=_dynamic_partition,
    infer=_partition_shape, gradient=_partition_grad, attrs={"num_partitions": 1}, can_fail=True, fp=False,
)  # fmt: skip
DYNAMIC_STITCH = define(
    "DynamicStitch", "indices: N*int32, data: N*T -> merged: T", kernel=_dynamic_stitch, infer=_stitch_shape,
    gradient=_stitch_grad, types={"int32": {dtypes.int32}}, can_fail=True, fp=False,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("gather")
def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Any:
    """Collects slices of a tensor (or rows of a variable) at indices.

    Args:
      params: a tensor or variable.
      indices: int16, int32 or int64, any shape; every index is in [0, size of the axis), negative ones too are errors.
      validate_indices: has no effect.
      axis: the axis along which slices are taken; by default ``batch_dims``.
      batch_dims: how many first axes ``params`` and ``indices`` share.
      name: a name for the node.

    Returns:
      A tensor of shape ``params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]``.

    Raises:
      tf.errors.InvalidArgumentError: if an index is out of range.

    >>> import graphlab as tf
    >>> tf.gather(["a", "b", "c"], [2, 0]).numpy().tolist()
    [b'c', b'a']
    >>> tf.gather([[1, 2], [3, 4]], [1], axis=1).numpy().tolist()
    [[2], [4]]
    """
    del validate_indices
    if axis is None:
        axis = batch_dims
    if isinstance(axis, EagerTensor) and axis._a.ndim and state.graph is None:
        raise ValueError(f"The axis must be a scalar, not {axis!r:.100}.")
    if type(axis) is int and axis == 0 and not batch_dims:
        read = getattr(params, "sparse_read", None)
        if read is not None:
            return read(indices, name=name)
    return bind(GATHER, (params, indices, axis), {"batch_dims": int(batch_dims)}, name)


@public("gather_nd")
def gather_nd(
    params: Any, indices: Any, batch_dims: Any = 0, name: str | None = None, bad_indices_policy: str = ""
) -> Any:
    """Collects elements or slices of a tensor, each at an index of several numbers.

    Args:
      params: a tensor or variable.
      indices: int16, int32 or int64; the last axis holds the numbers that index the first axes of ``params``.
      batch_dims: how many first axes ``params`` and ``indices`` share.
      name: a name for the node.
      bad_indices_policy: ``""`` or ``"ERROR"``.

    Returns:
      A tensor of shape ``indices.shape[:-1] + params.shape[indices.shape[-1]:]``.

    Raises:
      tf.errors.InvalidArgumentError: if an index is out of range (also if it is negative).

    >>> import graphlab as tf
    >>> tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy()
    array([2, 3], dtype=int32)
    """
    if isinstance(batch_dims, (str, bytes)):
        raise ValueError(f"Expected an int for the argument 'batch_dims', not {batch_dims!r:.100}.")
    if not isinstance(batch_dims, Tensor) or (state.graph is None and batch_dims.shape.rank):
        batch_dims = whole_number(batch_dims, "batch_dims")
    if batch_dims:
        return _batch_gather_nd(convert_to_tensor(params), convert_to_tensor(indices), int(batch_dims), name)
    return bind(GATHER_ND, (params, indices), {"bad_indices_policy": bad_indices_policy}, name)


def _batch_gather_nd(params: Any, indices: Any, batch_dims: int, name: str | None) -> Any:
    """Each batch axis becomes a further number of every index."""
    from graphlab.ops import array, array_shape, creation

    rank = indices._raw_shape()
    if rank is None or batch_dims < 0 or batch_dims >= len(rank):
        raise ValueError(f"batch_dims = {batch_dims} must be at least 0 and less than the rank of indices.")
    with name_scope(name, "GatherNd"):
        lead = array_shape.shape(indices)[:-1]
        parts = []
        for axis in range(batch_dims):
            size = array_shape.shape(params)[axis]
            counted = creation.range(creation.zeros([], size.dtype), size)
            shape = [1] * (len(rank) - 1)
            shape[axis] = -1
            numbers = array_shape.broadcast_to(array.reshape(counted, shape), lead)
            parts.append(array.expand_dims(numbers, -1))
        from graphlab.ops.casting import cast

        whole = array.concat([*(cast(part, indices.dtype) for part in parts), indices], -1)
        return bind(GATHER_ND, (params, whole))


@public("dynamic_partition")
def dynamic_partition(data: Any, partitions: Any, num_partitions: int, name: str | None = None) -> Any:
    """Deals the elements (or rows) of a tensor out to several tensors.

    Args:
      data: a tensor.
      partitions: which tensor each goes to: int32 in [0, num_partitions), of a shape that ``data``'s begins with.
      num_partitions: the number of tensors, an int.
      name: a name for the node.

    Returns:
      A list of ``num_partitions`` tensors.

    Raises:
      tf.errors.InvalidArgumentError: if a number in ``partitions`` is out of range.

    >>> import graphlab as tf
    >>> [t.numpy().tolist() for t in tf.dynamic_partition([10, 20, 30], [1, 0, 1], 2)]
    [[20], [10, 30]]
    """
    number = whole_number(num_partitions, "num_partitions")
    if number < 1 and state.graph is not None:
        raise ValueError(f"num_partitions must be at least 1, not {number}.")
    return bind(DYNAMIC_PARTITION, (data, partitions), {"num_partitions": number}, name)


@public("dynamic_stitch")
def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Any:
    """Puts elements (or rows) of several tensors together into one, each at its index.

    Args:
      indices: a list of int32 tensors.
      data: a list of tensors; the shape of each begins with that of its indices.
      name: a name for the node.

    Returns:
      A tensor of shape ``[largest index + 1, ...]``; of several elements for one index the last stays.

    Raises:
      tf.errors.InvalidArgumentError: if an index is negative or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.dynamic_stitch([[1], [0, 2]], [[20], [10, 30]]).numpy()
    array([10, 20, 30], dtype=int32)
    """
    if state.graph is None and isinstance(data, Tensor):
        raise TypeError(f"data must be a list of tensors, not one: {data!r:.100}. Write tf.unstack.")
    return bind(DYNAMIC_STITCH, (indices, data), None, name)
