"""RaggedTensors as sparse tensors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dispatch import bind
from graphlab.core.op import INDEX, Arg, define
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.lazily import ops
from graphlab.ops.sparse_tensor import SparseTensor


def _to_sparse(rt_nested_splits: Sequence[Any], rt_dense_values: Any) -> Any:
    splits = [level.astype(np.int64) for level in rt_nested_splits]
    sizes = [len(splits[0]) - 1]
    places = np.arange(sizes[0], dtype=np.int64)[:, None]
    for level in splits:
        lengths = np.diff(level)
        sizes.append(int(lengths.max()) if len(lengths) else 0)
        inner = np.concatenate([np.arange(b - a) for a, b in pairwise(level.tolist())] or [np.zeros(0, np.int64)])
        places = np.concatenate([np.repeat(places, lengths, 0), inner[:, None].astype(np.int64)], 1)
    inner_shape = rt_dense_values.shape[1:]
    if inner_shape:
        count = int(np.prod(inner_shape))
        inside = np.stack(np.unravel_index(np.arange(count), inner_shape), 1).astype(np.int64)
        places = np.concatenate([np.repeat(places, count, 0), np.tile(inside, (len(places), 1))], 1)
    return places, rt_dense_values.reshape(-1), np.array([*sizes, *inner_shape], np.int64)


def _shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    values = args[-1].shape
    rank = None if values is None else len(args) - 1 + len(values)
    count = values[0] if values is not None and len(values) == 1 else None
    return [(count, rank), (count,), (rank,)]


def _gradient(op: Any, _indices: Any, dy: Any, _size: Any) -> list[Any]:
    *splits, values = op.inputs
    return [*[None] * len(splits), ops.reshape(dy, ops.shape(values))]


TO_SPARSE = define(
    "RaggedTensorToSparse",
    "rt_nested_splits: RAGGED_RANK*Tsplits, rt_dense_values: T -> sparse_indices: int64, sparse_values: T, "
    "sparse_dense_shape: int64",
    kernel=_to_sparse, infer=_shape, gradient=_gradient, types={"Tsplits": INDEX}, defaults={"Tsplits": dtypes.int64},
    can_fail=True, fp=False,
)  # fmt: skip


def to_sparse(ragged: Any) -> SparseTensor:
    """The SparseTensor with the same elements at the same places."""
    return SparseTensor(*bind(TO_SPARSE, (list(ragged.nested_row_splits), ragged.flat_values)))


def from_sparse(cls: Any, st_input: Any, row_splits_dtype: Any) -> Any:
    """A RaggedTensor of a matrix whose rows have no holes."""
    if not isinstance(st_input, SparseTensor):
        raise TypeError(f"Expected SparseTensor, got {type(st_input).__name__}")
    rank = st_input.shape.rank
    if rank is not None and rank != 2:
        raise ValueError("rank(st_input) must be 2.")
    rows = ops.cast(st_input.indices[:, 0], row_splits_dtype)
    columns = ops.cast(st_input.indices[:, 1], row_splits_dtype)
    result = cls.from_value_rowids(st_input.values, rows, ops.cast(st_input.dense_shape[0], row_splits_dtype))
    numbers = ops.range(ops.size(rows, out_type=row_splits_dtype)) - ops.gather(result.row_starts(), rows)
    ops.debugging.assert_equal(columns, numbers, message="SparseTensor is not right-ragged.")
    return result
