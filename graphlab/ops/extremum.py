"""Where the extrema are: argmax, argmin, and whether a class is among the top ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import BOOL, INDEX, NOT_DIFFERENTIABLE, REAL, Arg, define
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape


def _arg(x: Any, dimension: Any, output_type: DType, sign: float) -> Any:
    axis, rank = inference.number(dimension, "axis"), x.ndim
    if not -rank <= axis < rank:
        raise InvalidArgumentError(None, None, f"Expected dimension in the range [{-rank}, {rank}), but got {axis}")
    if x.shape[axis] == 0 and x.size == 0 and 0 not in x.shape[:axis] + (x.shape[axis + 1 :] if axis != -1 else ()):
        raise InvalidArgumentError(None, None, f"Reduction axis {axis} is empty in shape {list(x.shape)}")
    if x.dtype.kind in "fV":  # NaN is never the extremum, unless there is nothing else
        x = np.where(np.isnan(x), x.dtype.type(-sign * np.inf), x)
    return (np.argmax if sign > 0 else np.argmin)(x, axis).astype(output_type.np)


def _arg_max(x: Any, dimension: Any, output_type: DType) -> Any:
    return _arg(x, dimension, output_type, 1)


def _arg_min(x: Any, dimension: Any, output_type: DType) -> Any:
    return _arg(x, dimension, output_type, -1)


def _arg_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    inference.with_rank(args[1].shape, 0, "axis")
    shape, dimension = args[0].shape, args[1].value
    if shape is None:
        return None
    if dimension is None or len(shape) < 2:  # of these, an axis out of range is told when it runs, as in TensorFlow
        return (None,) * max(len(shape) - 1, 0)
    axis = inference.axis_in(int(dimension), len(shape))
    return (*shape[:axis], *shape[axis + 1 :])


def _in_top_k(predictions: Any, targets: Any, k: Any) -> Any:
    if predictions.ndim != 2 or targets.ndim != 1 or len(predictions) != len(targets):
        message = (
            f"predictions must be a matrix and targets a vector of as many rows, not {list(predictions.shape)} and "
        )
        raise InvalidArgumentError(None, None, message + f"{list(targets.shape)}")
    classes = predictions.shape[1]
    valid = (targets >= 0) & (targets < classes)
    chosen = predictions[np.arange(len(targets)), np.where(valid, targets, 0)]
    better = (predictions > chosen[:, None]).sum(1)
    # A target that is itself not finite, or a row with such values, is never among the top.
    return valid & np.isfinite(chosen) & np.isfinite(predictions).all(1) & (better < inference.number(k, "k"))


def _in_top_k_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    rows = inference.with_rank(args[0].shape, 2, "predictions")[0]
    return (inference.merge_dim(rows, inference.with_rank(args[1].shape, 1, "targets")[0], "The numbers of rows"),)


ARG_MAX = define("ArgMax", "input: T, dimension: Tidx -> output: output_type", kernel=_arg_max, infer=_arg_shape,
                 gradient=NOT_DIFFERENTIABLE, types={"T": REAL | BOOL, "Tidx": INDEX | {dtypes.int16}},
                 attrs={"output_type": dtypes.int64}, defaults={"Tidx": dtypes.int32}, can_fail=True)  # fmt: skip
ARG_MIN = define("ArgMin", "input: T, dimension: Tidx -> output: output_type", kernel=_arg_min, infer=_arg_shape,
                 gradient=NOT_DIFFERENTIABLE, types={"T": REAL | BOOL, "Tidx": INDEX},
                 attrs={"output_type": dtypes.int64}, defaults={"Tidx": dtypes.int32}, can_fail=True)  # fmt: skip
IN_TOP_K = define("InTopKV2", "predictions: float32, targets: T, k: T -> precision: bool", kernel=_in_top_k,
                  infer=_in_top_k_shape, gradient=NOT_DIFFERENTIABLE, types={"T": INDEX},
                  defaults={"T": dtypes.int32}, can_fail=True)  # fmt: skip


def _axis(axis: Any) -> Any:
    """The axis of argmax, which is no int; argmin takes what its op takes."""
    if axis is None:
        return 0
    dtype = getattr(axis, "dtype", None)
    if dtype is None:
        if isinstance(axis, int):
            return int(axis)
        raise TypeError(f"axis must be an int or a tensor of integers, not {axis!r:.100}.")
    if isinstance(axis, np.ndarray | np.generic) and axis.dtype.kind in "iu":
        return axis
    if dtype in (dtypes.int8, dtypes.uint8):
        from graphlab.ops.casting import cast

        return cast(axis, dtypes.int32)
    if dtype not in INDEX | {dtypes.int16}:
        raise TypeError(f"axis must be an int or a tensor of integers, but its dtype is {dtype}.")
    return axis


@public("math.argmax", "argmax")
def argmax(input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None) -> Any:
    """Returns the index of the largest element along an axis; the first of equal ones. NaNs are passed over.

    Args:
      input: a tensor of a real dtype or bool.
      axis: the axis; 0 by default.
      output_type: the dtype of the result: int64, int32, int16 or uint16.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if ``axis`` is out of range or empty (ValueError while tracing).
      TypeError: if ``axis`` is neither an integer nor a tensor of integers.

    >>> import graphlab as tf
    >>> tf.argmax([[1, 5, 2], [8, 3, 4]], axis=1).numpy()
    array([1, 0])
    """
    if axis.__class__ is not int:
        axis = _axis(axis)
    return bind(ARG_MAX, (input, axis), {"output_type": dtypes.as_dtype(output_type)}, name)


@public("math.argmin", "argmin")
def argmin(input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None) -> Any:
    """Returns the index of the smallest element along an axis; the first of equal ones. NaNs are passed over.

    Args:
      input: a tensor of a real dtype or bool.
      axis: the axis; 0 by default.
      output_type: the dtype of the result: int64 or int32.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if ``axis`` is out of range or empty (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.argmin([[1, 5, 2], [8, 3, 4]], axis=1).numpy()
    array([0, 1])
    """
    return bind(ARG_MIN, (input, 0 if axis is None else axis), {"output_type": dtypes.as_dtype(output_type)}, name)


@public("math.in_top_k", "nn.in_top_k")
def in_top_k(targets: Any, predictions: Any, k: Any, name: str | None = None) -> Any:
    """Returns whether each target is among the k best predictions of its row; ties at the edge count.

    Args:
      targets: a vector of class numbers, int32 or int64.
      predictions: a float32 matrix, a row of scores for each target.
      k: how many count, an integer scalar.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.math.in_top_k([0, 1], [[0.1, 0.9], [0.2, 0.8]], 1).numpy()
    array([False,  True])
    """
    with name_scope(name, "in_top_k"):
        return bind(IN_TOP_K, (predictions, targets, k))
