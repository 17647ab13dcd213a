"""Ops that change the form of sparse tensors: to dense, order, shape, parts, concatenation; and their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, Arg, define
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.sparse_elementwise import places


def _fail(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def _to_dense(
    sparse_indices: Any, output_shape: Any, sparse_values: Any, default_value: Any, validate_indices: bool
) -> Any:
    shape = output_shape.tolist()
    if sparse_indices.ndim < 2:
        sparse_indices = sparse_indices.reshape(-1, 1)
    if any(n < 0 for n in shape):
        raise _fail(f"output_shape must be nonnegative, but is {shape}")
    outside = ((sparse_indices < 0) | (sparse_indices >= output_shape)).any(1)
    if outside.any():
        row = int(np.argmax(outside))
        where = str(sparse_indices[row].tolist()).replace(" ", "")
        limits = str(shape).replace(" ", "")
        raise _fail(f"indices[{row}] = {where} is out of bounds: need 0 <= index < {limits}")
    if validate_indices and len(sparse_indices) > 1:
        steps = np.diff(places(sparse_indices, output_shape))
        if (steps <= 0).any():
            row = int(np.argmax(steps <= 0)) + 1
            where = str(sparse_indices[row].tolist()).replace(" ", "")
            if steps[row - 1] == 0:
                raise _fail(f"indices[{row}] = {where} is repeated")
            raise _fail(
                f"indices[{row}] = {where} is out of order. Many sparse ops require sorted indices.\n"
                "    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n"
            )
    whole = np.full(shape, default_value, sparse_values.dtype)
    whole[tuple(sparse_indices.T)] = sparse_values
    return whole


def _reorder(input_indices: Any, input_values: Any, input_shape: Any) -> tuple[Any, Any]:
    order = np.argsort(places(input_indices, input_shape), kind="stable")
    return input_indices[order], input_values[order]


def _reshape(input_indices: Any, input_shape: Any, new_shape: Any) -> tuple[Any, Any]:
    old, new = input_shape.tolist(), new_shape.tolist()
    count = prod(old)
    missing = [axis for axis, n in enumerate(new) if n == -1]
    if len(missing) > 1:
        raise _fail(f"only one output dimension may be -1, not both {missing[0]} and {missing[1]}")
    if missing:
        rest = prod(n for n in new if n != -1)
        if rest == 0 or count % rest:
            raise _fail(
                f"Input to reshape is a SparseTensor with {count} dense values, but the requested shape requires a "
                f"multiple of {rest}. input_shape={old} output_shape={new}"
            )
        new[missing[0]] = count // rest
    if prod(new) != count:
        raise _fail(
            f"Input to reshape is a tensor with {count} dense values, but the requested shape has {prod(new)}. "
            f"input_shape={old} output_shape={new}"
        )
    numbers = places(input_indices, input_shape)
    indices = np.zeros((len(numbers), len(new)), np.int64)
    for axis in range(len(new) - 1, -1, -1):
        numbers, indices[:, axis] = np.divmod(numbers, max(new[axis], 1))
    return indices, np.array(new, np.int64)


def _slice(indices: Any, values: Any, shape: Any, start: Any, size: Any) -> tuple[Any, Any, Any]:
    if not len(start) == len(size) == len(shape):
        raise _fail(f"Expected start and size to be vectors of length {len(shape)}.")
    size = np.clip(np.minimum(size, shape - start), 0, None)
    kept = ((indices >= start) & (indices < start + size)).all(1)
    return indices[kept] - start, values[kept], size


def _concat(
    indices: Sequence[Any], values: Sequence[Any], shapes: Sequence[Any], concat_dim: int
) -> tuple[Any, Any, Any]:
    rank = len(shapes[0])
    for at, shape in enumerate(shapes):
        if len(shape) != rank:
            raise _fail(f"Ranks of all input tensors must match: expected {rank} but got {len(shape)} at position {at}")
    if not -rank <= concat_dim < rank:
        raise _fail(f"Concat dimension must be in range [{-rank}, {rank}), got {concat_dim}")
    axis = concat_dim % rank
    for at, shape in enumerate(shapes):
        for other in range(rank):
            if other != axis and shape[other] != shapes[0][other]:
                raise _fail(
                    f"Input shapes must match: expected {shapes[0][other]} for dimension {other} but got "
                    f"{shape[other]} at position {at}"
                )
    moved, offset = [], 0
    for part, shape in zip(indices, shapes, strict=True):
        step = np.zeros(rank, np.int64)
        step[axis] = offset
        moved.append(part + step)
        offset += int(shape[axis])
    whole = shapes[0].copy()
    whole[axis] = offset
    return (*_reorder(np.concatenate(moved), np.concatenate(values), whole), whole)


def _split(split_dim: Any, indices: Any, values: Any, shape: Any, num_split: int) -> list[Any]:
    axis = int(split_dim.reshape(()))
    rank = len(shape)
    if not -rank <= axis < rank:
        raise _fail(f"Input split_dim should be between {-rank} and {rank - 1}, got {axis}")
    axis %= rank
    length = int(shape[axis])
    if not 1 <= num_split <= length:
        message = f"Input num_split should be between 1 and the splitting dimension size ({length}), got {num_split}"
        raise _fail(message)
    # The first parts are longer by one where the parts can't be equal.
    short, longer = divmod(length, num_split)
    sizes = [short + (part < longer) for part in range(num_split)]
    out: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
    begin = 0
    for size in sizes:
        start, extent = np.zeros(rank, np.int64), shape.copy()
        start[axis], extent[axis] = begin, size
        for part, found in zip(out, _slice(indices, values, shape, start, extent), strict=True):
            part.append(found)
        begin += size
    return [*out[0], *out[1], *out[2]]


def _fill_empty_rows(indices: Any, values: Any, dense_shape: Any, default_value: Any) -> tuple[Any, Any, Any, Any]:
    if default_value.ndim:
        raise _fail(f"default_value must be a scalar, saw: {list(default_value.shape)}")
    if not len(dense_shape):
        raise _fail("Dense shape cannot be empty.")
    rows = int(dense_shape[0])
    own = indices[:, 0]
    if ((own < 0) | (own >= rows)).any():
        at = int(np.argmax((own < 0) | (own >= rows)))
        raise _fail(f"indices({at}, 0) is invalid: {own[at]} >= {rows}")
    empty = np.bincount(own, minlength=rows) == 0
    added = np.zeros((int(empty.sum()), indices.shape[1]), np.int64)
    added[:, 0] = np.flatnonzero(empty)
    everything = np.concatenate([indices, added])
    order = np.argsort(everything[:, 0], kind="stable")
    back = np.empty(len(order), np.int64)
    back[order] = np.arange(len(order))
    filling = np.full(len(added), default_value, values.dtype)
    return everything[order], np.concatenate([values, filling])[order], empty, back[: len(indices)]


# ----------------------------------------------------------------------------------------------------------- gradients


def _to_dense_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.gather_scatter import gather_nd
    from graphlab.ops.reduction import reduce_sum

    values = gather_nd(dy, op.inputs[0])
    default = reduce_sum(dy) - reduce_sum(values) if op.needs(3) else None
    return [None, None, values, default]


def _reorder_grad(op: Any, _indices: Any, dy: Any) -> list[Any]:
    from graphlab.core.dispatch import bind
    from graphlab.ops.array_shape import size
    from graphlab.ops.creation import range as make_range
    from graphlab.ops.gather_scatter import gather
    from graphlab.ops.sorting import argsort

    indices, values, shape = op.inputs
    order = bind(REORDER, (indices, make_range(size(values)), shape))[1]
    return [None, gather(dy, argsort(order)), None]


def _slice_grad(op: Any, _indices: Any, dy: Any, _shape: Any) -> list[Any]:
    from graphlab.ops.array_shape import shape as shape_of
    from graphlab.ops.reduction import reduce_all
    from graphlab.ops.scatter import scatter_nd
    from graphlab.ops.selection import where

    indices, values, _, start, _ = op.inputs
    kept = where(reduce_all((indices >= start) & (indices < start + op.outputs[2]), 1))
    return [None, scatter_nd(kept, dy, shape_of(values, dtypes.int64)), None, None, None]


def _fill_grad(op: Any, _indices: Any, dy: Any, _empty: Any, _back: Any) -> list[Any]:
    from graphlab.ops.gather_scatter import gather
    from graphlab.ops.reduction import reduce_sum

    values = gather(dy, op.outputs[3])
    return [None, values, None, reduce_sum(dy) - reduce_sum(values) if op.needs(3) else None]


# ------------------------------------------------------------------------------------------------------------- records


def _whole(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    return args[1].partial


def _same(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    return [args[0].shape, args[1].shape]


def _rank(shape: Shape) -> int | None:
    return None if shape is None else shape[0]


def _reshape_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    rows, rank = args[0].shape, _rank(args[2].shape)
    return [(None if rows is None else rows[0], rank), (rank,)]


def _slice_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    rank = _rank(args[2].shape)
    return [(None, rank), (None,), (rank,)]


def _concat_shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    count = attrs["N"]
    rows = [None if arg.shape is None else arg.shape[0] for arg in args[:count]]
    total = None if None in rows else sum(n for n in rows if n is not None)
    rank = _rank(args[2 * count].shape)
    return [(total, rank), (total,), (rank,)]


def _split_shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    rank, count = _rank(args[3].shape), attrs["num_split"]
    return [(None, rank)] * count + [(None,)] * count + [(rank,)] * count


def _fill_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    rank, rows = _rank(args[2].shape), args[2].partial
    own = args[1].shape
    return [(None, rank), (None,), (None if not rows else rows[0],), own]


_INT64 = {"Tindices": frozenset((dtypes.int64,))}

TO_DENSE = define(
    "SparseToDense",
    "sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, default_value: T -> dense: T",
    kernel=_to_dense, infer=_whole, gradient=_to_dense_grad, types={"Tindices": INDEX},
    attrs={"validate_indices": True}, can_fail=True,
)  # fmt: skip
REORDER = define(
    "SparseReorder",
    "input_indices: int64, input_values: T, input_shape: int64 -> output_indices: int64, output_values: T",
    kernel=_reorder, infer=_same, gradient=_reorder_grad,
)  # fmt: skip
RESHAPE = define(
    "SparseReshape",
    "input_indices: int64, input_shape: int64, new_shape: int64 -> output_indices: int64, output_shape: int64",
    kernel=_reshape, infer=_reshape_shape, gradient=NOT_DIFFERENTIABLE, can_fail=True,
)  # fmt: skip
SLICE = define(
    "SparseSlice",
    "indices: int64, values: T, shape: int64, start: int64, size: int64"
    " -> output_indices: int64, output_values: T, output_shape: int64",
    kernel=_slice, infer=_slice_shape, gradient=_slice_grad, can_fail=True,
)  # fmt: skip
CONCAT = define(
    "SparseConcat",
    "indices: N*Tindices, values: N*T, shapes: N*Tindices"
    " -> output_indices: int64, output_values: T, output_shape: int64",
    kernel=_concat, infer=_concat_shape, gradient=NOT_DIFFERENTIABLE, types=_INT64,
    attrs={"concat_dim": 0}, can_fail=True,
)  # fmt: skip
SPLIT = define(
    "SparseSplit",
    "split_dim: int64, indices: Tindices, values: T, shape: Tindices"
    " -> output_indices: num_split*Tindices, output_values: num_split*T, output_shape: num_split*Tindices",
    kernel=_split, infer=_split_shape, types=_INT64, attrs={"num_split": 1}, can_fail=True,
)  # fmt: skip
FILL_EMPTY_ROWS = define(
    "SparseFillEmptyRows",
    "indices: int64, values: T, dense_shape: int64, default_value: T"
    " -> output_indices: int64, output_values: T, empty_row_indicator: bool, reverse_index_map: int64",
    kernel=_fill_empty_rows, infer=_fill_shape, gradient=_fill_grad, can_fail=True,
)  # fmt: skip
