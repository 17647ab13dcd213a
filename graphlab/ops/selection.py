"""Choosing elements: ``tf.where`` in both forms, and clipping."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError, NoKernelError
from graphlab.core.export import public
from graphlab.core.op import BOOL, NOT_DIFFERENTIABLE, NUMERIC, Arg, define
from graphlab.core.specs import CompositeTensor
from graphlab.core.state import state
from graphlab.core.tensor import Tensor
from graphlab.ops import gradients_written_out as gradients
from graphlab.ops import inference, written_out
from graphlab.ops.broadcasting import reduced
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.over_values import over_values

# ------------------------------------------------------------------------------------------------------------- kernels


def _select(condition: Any, t: Any, e: Any) -> Any:
    return np.where(condition, t, e)


def _select_whole(condition: Any, t: Any, e: Any) -> Any:
    """The older op: a vector condition chooses rows, nothing is broadcast."""
    if np.shape(t) != np.shape(e):
        raise InvalidArgumentError(None, None, f"Both values must have one shape, not {np.shape(t)} and {np.shape(e)}.")
    if np.ndim(condition) == 1 and np.ndim(t) > 1 and len(condition) == len(t):
        condition = condition.reshape((-1,) + (1,) * (np.ndim(t) - 1))
    elif np.ndim(condition) and np.shape(condition) != np.shape(t):
        raise InvalidArgumentError(
            None, None, f"A condition of shape {np.shape(condition)} can't choose from {np.shape(t)}."
        )
    return np.where(condition, t, e)


def _where(x: Any) -> Any:
    if np.ndim(x) == 0:
        raise InvalidArgumentError(None, None, "WhereOp : The input must have at least one dimension, not shape []")
    return np.argwhere(x).astype(np.int64, copy=False)


def _clip(t: Any, clip_value_min: Any, clip_value_max: Any) -> Any:
    if t.dtype in (np.uint32, np.uint64):  # TensorFlow declares them and has no kernel for them
        raise NoKernelError(None, None, f"Could not find device for node: ClipByValue has no kernel for {t.dtype}.")
    for bound in (clip_value_min, clip_value_max):
        if np.ndim(bound) and np.shape(bound) != np.shape(t):
            raise InvalidArgumentError(
                None, None, f"A bound must be a scalar or have shape {np.shape(t)}, not {np.shape(bound)}."
            )
    return np.minimum(np.maximum(t, clip_value_min), clip_value_max)


def _where_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape = args[0].shape
    return (None, None if shape is None else len(shape))


def _select_whole_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    return inference.merge(args[1].shape, args[2].shape)


# ----------------------------------------------------------------------------------------------------------- gradients


def _select_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.creation import zeros_like

    if state.graph is not None:
        return gradients.select(op, dy)
    condition = op.inputs[0]
    values = _Values(op)
    zeros = zeros_like(dy)
    return [None, *reduced(values, lambda: where(condition, dy, zeros), lambda: where(condition, zeros, dy))]


class _Values:
    """The view of a select that has its two values as the inputs: the condition has no gradient."""

    def __init__(self, op: Any) -> None:
        self.inputs = op.inputs[1:]
        self._op = op

    def needs(self, i: int) -> bool:
        """Whether the gradient of value ``i`` is wanted."""
        return bool(self._op.needs(i + 1))


def _clip_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import array, array_shape, comparison, creation, reduction

    x, low, high = op.inputs
    zeros = creation.zeros_like(dy)
    below, above = comparison.less(x, low), comparison.greater(x, high)
    outside = comparison.logical_or(below, above)

    def bound(mask: Any, value: Any) -> Any:
        g = where(mask, dy, zeros)
        if value._raw_shape() is None:  # a scalar or of the shape of x: which, shows when it runs
            extra = creation.range(array_shape.rank(g) - array_shape.rank(value))
            return array.reshape(reduction.reduce_sum(g, extra), array_shape.shape(value))
        return g if value._raw_shape() != () else reduction.reduce_sum(g)

    return [where(outside, zeros, dy), bound(below, low), bound(above, high)]


SELECT = define("SelectV2", "condition: bool, t: T, e: T -> output: T", kernel=_select,
                infer=inference.broadcast_all, gradient=_select_grad, fp=False)  # fmt: skip
SELECT_WHOLE = define("Select", "condition: bool, t: T, e: T -> output: T", kernel=_select_whole,
                      infer=_select_whole_shape, gradient=_select_grad, can_fail=True, fp=False)  # fmt: skip
WHERE = define("Where", "input: T -> index: int64", kernel=_where, infer=_where_shape, gradient=NOT_DIFFERENTIABLE,
               types={"T": NUMERIC | BOOL}, defaults={"T": dtypes.bool}, fp=False)  # fmt: skip
CLIP_BY_VALUE = define("ClipByValue", "t: T, clip_value_min: T, clip_value_max: T -> output: T", kernel=_clip,
                       infer=inference.unchanged, gradient=_clip_grad, types={"T": NUMERIC}, can_fail=True)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("where")
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Chooses elements of ``x`` where a condition holds and of ``y`` elsewhere; or tells where it holds.

    Args:
      condition: a bool tensor (with ``x`` and ``y``), or one of any numeric dtype.
      x: a tensor.
      y: a tensor of the dtype of ``x``; all three broadcast.
      name: a name for the node.

    Returns:
      The chosen elements; or, without ``x`` and ``y``, an int64 matrix with the coordinates of an element in each row.

    Raises:
      ValueError: if only one of ``x`` and ``y`` is given.

    >>> import graphlab as tf
    >>> tf.where([True, False], [1, 2], 0).numpy()
    array([1, 0], dtype=int32)
    >>> tf.where([[True, False], [False, True]]).numpy()
    array([[0, 0],
           [1, 1]])
    """
    if x is None and y is None:
        if isinstance(condition, CompositeTensor):
            return bind(WHERE, (condition,), None, name)
        with name_scope(name, "Where") as scope:
            return bind(
                WHERE, (convert_to_tensor(condition, dtype_hint=dtypes.bool, name="condition"),), None, scope or name
            )
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return bind(SELECT, (condition, x, y), None, name)


def select(condition: Any, x: Any, y: Any, name: str | None = None) -> Any:
    """The older choice, which composed functions of TensorFlow use: values of one shape, nothing is broadcast."""
    return bind(SELECT_WHOLE, (condition, x, y), None, name)


def bounded(t: Any, low: Any, high: Any, name: str | None = None) -> Any:
    """``t`` between two bounds, which are scalars or have its shape: one op."""
    return bind(CLIP_BY_VALUE, (t, low, high), None, name)


@public("clip_by_value")
@over_values
def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """Limits values to a range.

    Args:
      t: a tensor of a real dtype (or IndexedSlices).
      clip_value_min: the lower bound, which broadcasts to the shape of ``t``.
      clip_value_max: the upper bound.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if a bound would give the result another shape (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.clip_by_value([-2.0, 0.5, 3.0], 0.0, 1.0).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    from graphlab.ops.math import maximum, minimum

    with name_scope(name, "clip_by_value") as scope:
        slices = hasattr(t, "dense_shape")
        values = convert_to_tensor(t.values if slices else t, name="t")
        low = minimum(values, clip_value_max)
        inference.merge(values._raw_shape(), low._raw_shape())
        result = maximum(low, clip_value_min, name=scope or name)
        inference.merge(values._raw_shape(), result._raw_shape())
        return type(t)(result, t.indices, t.dense_shape) if slices else result


@public("clip_by_norm")
def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """Scales a tensor so that its Euclidean norm is at most ``clip_norm``; the gradient flows through the norm.

    Args:
      t: a tensor of a floating-point dtype (or IndexedSlices).
      clip_norm: the largest norm, a scalar.
      axes: the axes over which the norm is taken; None: all.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.clip_by_norm([3.0, 4.0], 1.0).numpy()
    array([0.6, 0.8], dtype=float32)
    """
    from graphlab.ops import array, casting, comparison, creation, math, reduction, unary

    with name_scope(name, "clip_by_norm") as scope:
        slices = hasattr(t, "dense_shape")
        values = convert_to_tensor(t.values if slices else t, name="t")
        squares = reduction.reduce_sum(values * values, axes, keepdims=True)
        positive = comparison.greater(squares, 0)
        # The square root has no slope at 0: take it of 1 there.
        ones = creation.ones_like(squares) if state.graph is None else written_out.ones_like(squares)
        safe = select(positive, squares, ones)
        norm = select(positive, unary.sqrt(safe), squares)
        if isinstance(clip_norm, Tensor):
            if clip_norm.dtype is not values.dtype and (clip_norm.dtype.is_floating or clip_norm.dtype.is_integer):
                clip_norm = casting.cast(clip_norm, values.dtype)
            if clip_norm.dtype in (dtypes.bool, dtypes.string):
                raise TypeError(f"clip_norm must be a number, not of dtype {clip_norm.dtype.name}.")
            clip_norm = math.maximum(clip_norm, creation.zeros_like(clip_norm))
        elif isinstance(clip_norm, (int, float)):
            clip_norm = max(clip_norm, type(clip_norm)(0))
        scaled = values * clip_norm
        inference.merge(values._raw_shape(), scaled._raw_shape())
        result = array.identity(scaled / math.maximum(norm, clip_norm), name=scope or name)
        return type(t)(result, t.indices, t.dense_shape) if slices else result


@public("linalg.global_norm")
def global_norm(t_list: Any, name: str | None = None) -> Any:
    """Returns the Euclidean norm of several tensors taken together.

    Args:
      t_list: a list of tensors of a floating-point dtype; Nones in it are skipped.
      name: a name for the nodes' scope.

    Raises:
      TypeError: if it is no list.

    >>> import graphlab as tf
    >>> tf.linalg.global_norm([tf.constant([3.0]), tf.constant([4.0])]).numpy()
    np.float32(5.0)
    """
    from graphlab.ops import array, reduction, unary
    from graphlab.ops.losses import l2_loss

    items = _tensors(t_list)
    with name_scope(name, "global_norm"):
        halves = [l2_loss(value) for value in (_dense(t, i) for i, t in enumerate(items) if t is not None)]
        if not halves:
            return constant(0.0, name="global_norm")
        total = reduction.reduce_sum(array.stack(halves))
        return unary.sqrt(total * constant(2.0, total.dtype), name="global_norm")


def _tensors(t_list: Any) -> list[Any]:
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    return list(t_list)


def _dense(t: Any, i: int) -> Any:
    return convert_to_tensor(t.values if hasattr(t, "dense_shape") else t, name=f"t_{i}")


@public("clip_by_global_norm")
def clip_by_global_norm(t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None) -> Any:
    """Scales several tensors together so that their global norm is at most ``clip_norm``.

    Args:
      t_list: a list of tensors of a floating-point dtype (or IndexedSlices); Nones in it stay.
      clip_norm: the largest norm, a scalar.
      use_norm: their global norm, if it is known already.
      name: a name for the nodes' scope.

    Returns:
      The list of scaled tensors, and the global norm.  If that is infinite or NaN, so are all results.

    Raises:
      TypeError: if ``t_list`` is no list.

    >>> import graphlab as tf
    >>> clipped, norm = tf.clip_by_global_norm([tf.constant([3.0]), tf.constant([4.0])], 1.0)
    >>> [t.numpy().tolist() for t in clipped], norm.numpy()
    ([[0.6000000238418579], [0.800000011920929]], np.float32(5.0))
    """
    from graphlab.ops import array, math

    items = _tensors(t_list)
    norm = global_norm(items) if use_norm is None else use_norm
    with name_scope(name, "clip_by_global_norm") as scope:
        norm = convert_to_tensor(norm)
        scale = clip_norm * math.minimum(1.0 / norm, constant(1.0, norm.dtype) / clip_norm)
        # Zero for a finite norm; NaN for one that is infinite or NaN, and then everything should be NaN.
        scale += norm - norm
        clipped: list[Any] = []
        for i, t in enumerate(items):
            if t is None:
                clipped.append(None)
                continue
            value = array.identity(_dense(t, i) * scale, name=f"{scope}_{i}")
            clipped.append(type(t)(value, t.indices, t.dense_shape) if hasattr(t, "dense_shape") else value)
        return clipped, norm
