"""``tf.ragged_fill_empty_rows``: a value for each row without one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core.dispatch import bind
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import NUMERIC, Arg, define
from graphlab.ops.inference import Attrs, Shape, with_rank


def _fail(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def _filled(value_rowids: Any, values: Any, nrows: Any, default_value: Any) -> tuple[Any, Any, Any, Any]:
    if value_rowids.ndim != 1:
        raise _fail(f"value_rowids must be a vector, saw: {list(value_rowids.shape)}")
    if values.ndim != 1:
        raise _fail(f"values must be a vector, saw: {list(values.shape)}")
    if default_value.ndim or nrows.ndim:
        raise _fail(f"default_value must be a scalar, saw: {list(default_value.shape)}")
    if len(values) != len(value_rowids):
        raise _fail(
            f"The length of `values` ({len(values)}) must match the first dimension of `value_rowids` "
            f"({len(value_rowids)})."
        )
    rows = int(nrows)
    outside = (value_rowids < 0) | (value_rowids >= rows)
    if outside.any():
        at = int(np.argmax(outside))
        raise _fail(f"indices({at}, 0) is invalid: {value_rowids[at]} >= {rows}")
    empty = np.bincount(value_rowids, minlength=rows) == 0
    added = np.flatnonzero(empty)
    everything = np.concatenate([value_rowids, added]).astype(np.int64)
    order = np.argsort(everything, kind="stable")
    back = np.empty(len(order), np.int64)
    back[order] = np.arange(len(order))
    filling = np.full(len(added), default_value, values.dtype)
    return everything[order], np.concatenate([values, filling])[order], empty, back[: len(values)]


def _filled_shapes(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    for arg, rank, what in zip(args, (1, 1, 0, 0), ("value_rowids", "values", "nrows", "default_value"), strict=True):
        with_rank(arg.shape, rank, what)
    rows = args[2].value
    own = args[0].shape
    return [(None,), (None,), (None if rows is None else int(rows),), (None,) if own is None else own]


def _filled_grad(op: Any, _rowids: Any, dy: Any, _empty: Any, _back: Any) -> list[Any]:
    values, default = bind(FILL_GRAD, (op.outputs[3], dy))
    return [None, values, None, default]


def _grad(reverse_index_map: Any, grad_values: Any) -> tuple[Any, Any]:
    if reverse_index_map.ndim != 1 or grad_values.ndim != 1:
        raise _fail("reverse_index_map and grad_values must be vectors.")
    count = len(grad_values)
    outside = (reverse_index_map < 0) | (reverse_index_map >= count)
    if outside.any():
        raise _fail(
            f"Elements in reverse index must be in [0, {count}) but got {reverse_index_map[int(np.argmax(outside))]}"
        )
    rest = np.ones(count, bool)
    rest[reverse_index_map] = False
    return grad_values[reverse_index_map], grad_values[rest].sum(dtype=grad_values.dtype)


def _grad_shapes(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    return [with_rank(args[0].shape, 1, "reverse_index_map"), ()]


FILL = define(
    "RaggedFillEmptyRows",
    "value_rowids: int64, values: T, nrows: int64, default_value: T -> output_value_rowids: int64, output_values: T, "
    "empty_row_indicator: bool, reverse_index_map: int64",
    kernel=_filled, infer=_filled_shapes, gradient=_filled_grad, can_fail=True,
)  # fmt: skip
FILL_GRAD = define(
    "RaggedFillEmptyRowsGrad", "reverse_index_map: int64, grad_values: T -> d_values: T, d_default_value: T",
    kernel=_grad, infer=_grad_shapes, types={"T": NUMERIC}, can_fail=True,
)  # fmt: skip


@public("ragged_fill_empty_rows")
def ragged_fill_empty_rows(
    value_rowids: Any, values: Any, nrows: Any, default_value: Any, name: str | None = None
) -> Any:
    """Gives each row of a RaggedTensor that has no value a default one.

    Args:
      value_rowids: the row of each value, an int64 vector.
      values: the values, a vector.
      nrows: the number of rows, an int64 scalar.
      default_value: the value for empty rows, a scalar of the dtype of ``values``.
      name: a name for the node.

    Returns:
      The row of each value, the values, for each row whether it was empty, and where each value is now.

    Raises:
      tf.errors.InvalidArgumentError: for a row out of range, or shapes that don't fit.

    >>> import graphlab as tf
    >>> tf.ragged_fill_empty_rows([0, 0, 2], [1, 2, 3], 3, 9)[1].numpy()
    array([1, 2, 9, 3], dtype=int32)
    """
    return bind(FILL, (value_rowids, values, nrows, default_value), None, name)


@public("ragged_fill_empty_rows_grad")
def ragged_fill_empty_rows_grad(reverse_index_map: Any, grad_values: Any, name: str | None = None) -> Any:
    """The gradient of ``tf.ragged_fill_empty_rows``.

    Args:
      reverse_index_map: where each value was put, an int64 vector.
      grad_values: the gradient by the values that the op gave, a vector.
      name: a name for the node.

    Returns:
      The gradients by the values and by the default value.

    Raises:
      tf.errors.InvalidArgumentError: for a place out of range.

    >>> import graphlab as tf
    >>> [g.numpy().tolist() for g in tf.ragged_fill_empty_rows_grad([0, 2], [1.0, 2.0, 3.0])]
    [[1.0, 3.0], 2.0]
    """
    return bind(FILL_GRAD, (reverse_index_map, grad_values), None, name)
