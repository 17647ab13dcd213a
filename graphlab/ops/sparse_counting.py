"""``tf.sparse.bincount``: how often numbers occur, as a SparseTensor of those that do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, Arg, define
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.lazily import ops
from graphlab.ops.ragged import RaggedTensor
from graphlab.ops.sparse_tensor import SparseTensor


def _fail(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def _counted(
    rows: Any, count: int, values: Any, weights: Any, minlength: int, maxlength: int, binary_output: bool, vector: bool
) -> tuple[Any, Any, Any]:
    """The counts of each row (of one, if the result is a vector)."""
    if (values < 0).any():
        raise _fail("Input values must all be non-negative")
    size = maxlength if maxlength >= 0 else max(int(values.max(initial=0)) + 1, minlength)
    kept = values < size if maxlength >= 0 else np.ones(len(values), bool)
    given = weights.size > 0
    places, inverse = np.unique(np.stack([rows[kept], values[kept]], 1).reshape(-1, 2), axis=0, return_inverse=True)
    found = np.zeros(len(places), weights.dtype)
    if binary_output:
        found[:] = 1
    else:
        np.add.at(found, inverse.reshape(-1), weights[kept] if given else weights.dtype.type(1))
    places = places.astype(np.int64)
    if vector:
        return places[:, 1:], found, np.array([size], np.int64)
    return places, found, np.array([count, size], np.int64)


def _dense(values: Any, weights: Any, **attrs: Any) -> tuple[Any, Any, Any]:
    if values.ndim not in (1, 2):
        raise _fail(f"Input must be a 1 or 2-dimensional tensor. Got: {list(values.shape)}")
    if weights.size and weights.shape != values.shape:
        raise _fail(
            "Weights and data must have the same shape. "
            f"Weight shape: {list(weights.shape)}; data shape: {list(values.shape)}"
        )
    matrix = values if values.ndim == 2 else values.reshape(1, -1)
    rows = np.repeat(np.arange(len(matrix)), matrix.shape[1])
    return _counted(rows, len(matrix), values.reshape(-1), weights.reshape(-1), **attrs, vector=values.ndim == 1)


def _sparse(indices: Any, values: Any, dense_shape: Any, weights: Any, **attrs: Any) -> tuple[Any, Any, Any]:
    if indices.ndim != 2 or len(indices) != len(values) or indices.shape[1] != len(dense_shape):
        raise _fail("Indices, values and the shape of the input do not fit.")
    if weights.size and weights.shape != values.shape:
        raise _fail("Weights and values must have the same shape.")
    vector = len(dense_shape) == 1
    rows = np.zeros(len(values), np.int64) if vector else indices[:, 0]
    count = 1 if vector else int(dense_shape[0])
    if len(rows) and not (rows.min() >= 0 and rows.max() < count):
        raise _fail(f"An index is in a row that is not there: there are {count}.")
    return _counted(rows, count, values, weights, **attrs, vector=vector)


def _ragged(splits: Any, values: Any, weights: Any, **attrs: Any) -> tuple[Any, Any, Any]:
    if not len(splits) or splits[0] != 0 or splits[-1] != len(values) or (np.diff(splits) < 0).any():
        raise _fail("Splits must begin with 0, not decrease, and end with the number of values.")
    if weights.size and weights.shape != values.shape:
        raise _fail("Weights and values must have the same shape.")
    rows = np.repeat(np.arange(len(splits) - 1), np.diff(splits))
    return _counted(rows, len(splits) - 1, values, weights, **attrs, vector=False)


def _shapes(rank: int | None) -> list[Shape]:
    return [(None, rank), (None,), (rank,)]


def _dense_shapes(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    return _shapes(None if args[0].shape is None else len(args[0].shape))


def _sparse_shapes(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    size = None if args[2].shape is None else args[2].shape[0]
    return _shapes(None if size is None else min(size, 2))


_COUNTS = frozenset((dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64))
_RESULT = " -> output_indices: int64, output_values: output_type, output_dense_shape: int64"
_REST: dict[str, Any] = {
    "types": {"T": INDEX, "output_type": _COUNTS},
    "attrs": {"minlength": -1, "maxlength": -1, "binary_output": False},
    "can_fail": True,
}
DENSE_COUNT = define(
    "DenseCountSparseOutput", f"values: T, weights: output_type{_RESULT}", kernel=_dense, infer=_dense_shapes, **_REST
)
SPARSE_COUNT = define(
    "SparseCountSparseOutput", f"indices: int64, values: T, dense_shape: int64, weights: output_type{_RESULT}",
    kernel=_sparse, infer=_sparse_shapes, **_REST,
)  # fmt: skip
RAGGED_COUNT = define(
    "RaggedCountSparseOutput", f"splits: int64, values: T, weights: output_type{_RESULT}", kernel=_ragged,
    infer=lambda _args, _attrs: _shapes(2), **_REST,
)  # fmt: skip


def _weights_of(values: Any, weights: Any, kind: type[Any]) -> Any:
    """The weights as they stand beside the values."""
    if weights is None:
        return constant([], values.dtype)
    if not isinstance(weights, kind):
        raise ValueError(
            f"Argument `weights` must be a {kind.__name__} if `values` is a {kind.__name__}, not {weights!r:.100}."
        )
    if isinstance(weights, SparseTensor):
        ops.debugging.assert_equal(
            weights.indices, values.indices, message="'weights' and 'values' must have the same indices."
        )
        return weights.values
    rows: Any = weights
    ops.debugging.assert_equal(
        rows.row_splits, values.row_splits, message="'weights' and 'values' must have the same row splits."
    )
    return rows.flat_values


@public("sparse.bincount")
def bincount(
    values: Any,
    weights: Any = None,
    axis: int | None = 0,
    minlength: int | None = None,
    maxlength: int | None = None,
    binary_output: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """Counts how often each number occurs, or adds up its weights.

    Args:
      values: numbers of int32 or int64, none negative: a tensor, RaggedTensor or SparseTensor.
      weights: one for each number, in the same form; None: each counts 1.
      axis: 0 or None: over all numbers; -1: for each row.
      minlength: the least size of the result's last axis.
      maxlength: its size: this number and larger ones are not counted.
      binary_output: give 1 for each number that occurs, however often.
      name: a name for the nodes' scope.

    Returns:
      A SparseTensor, with a row for each row of ``values`` if ``axis`` is -1, of the dtype of the weights or numbers.

    Raises:
      ValueError: for another axis, both weights and ``binary_output``, or weights in another form.
      tf.errors.InvalidArgumentError: for a negative number, or another dtype.

    >>> import graphlab as tf
    >>> tf.sparse.to_dense(tf.sparse.bincount([[1, 1], [2, 0]], axis=-1)).numpy()
    array([[0, 2, 0],
           [1, 0, 1]], dtype=int32)
    """
    if axis not in (None, 0, -1):
        raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    if weights is not None and binary_output:
        raise ValueError("Arguments `binary_output` and `weights` are mutually exclusive. Please specify only one.")
    with name_scope(name, "count"):
        low, high = (-1 if bound is None or int(bound) < 0 else int(bound) for bound in (minlength, maxlength))
        attrs = {"minlength": low, "maxlength": high, "binary_output": bool(binary_output)}
        inputs: tuple[Any, ...]
        if isinstance(values, RaggedTensor | SparseTensor):
            own = _weights_of(values, weights, type(values))
            if axis != -1:
                flat = values.flat_values if isinstance(values, RaggedTensor) else values.values
                return SparseTensor(*bind(DENSE_COUNT, (flat, own), attrs))
            if isinstance(values, SparseTensor):
                inputs = (values.indices, values.values, values.dense_shape, own)
                return SparseTensor(*bind(SPARSE_COUNT, inputs, attrs))
            inputs = (ops.cast(values.row_splits, dtypes.int64), values.values, own)
            return SparseTensor(*bind(RAGGED_COUNT, inputs, attrs))
        values = convert_to_tensor(values)
        own = constant([], values.dtype) if weights is None else convert_to_tensor(weights)
        if axis != -1:
            values = ops.reshape(values, [-1])
            own = ops.reshape(own, [-1])
        return SparseTensor(*bind(DENSE_COUNT, (values, own), attrs))
