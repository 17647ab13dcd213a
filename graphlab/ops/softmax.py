"""Softmax, and the cross entropies that are computed together with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor, to_array
from graphlab.core.dispatch import bind, misfit, name_scope, whole_number
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import FLOAT, INDEX, Arg, Op, define
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.ops import inference, written_out
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.over_values import of_composites
from graphlab.ops.unary import widened

# ------------------------------------------------------------------------------------------------------------- kernels


_add: Any = np.add.reduce  # (array, axis, dtype, out, keepdims, initial)
_maximum: Any = np.maximum.reduce


def _shifted(x: Any) -> Any:
    """Minus the row's maximum, so that nothing overflows."""
    return x - _maximum(x, -1, None, None, True, -np.inf) if x.size else x


def _softmax(logits: Any) -> Any:
    if logits.ndim < 1:
        raise InvalidArgumentError(None, None, "logits must have >= 1 dimension, got a scalar")
    e = np.exp(_shifted(widened(logits)))
    return (e / _add(e, -1, None, None, True)).astype(logits.dtype, copy=False)


def _log_softmax(logits: Any) -> Any:
    if logits.ndim < 1:
        raise InvalidArgumentError(None, None, "logits must have >= 1 dimension, got a scalar")
    x = _shifted(widened(logits))
    return (x - np.log(_add(np.exp(x), -1, None, None, True))).astype(logits.dtype, copy=False)


def _cross_entropy(features: Any, labels: Any) -> Any:
    if features.ndim != 2 or labels.ndim != 2:
        raise InvalidArgumentError(
            None, None, "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional"
        )
    features, labels = np.broadcast_arrays(features, labels)
    log = _log_softmax(widened(features))
    wide = widened(labels)
    # A label of 0 contributes nothing, not even if its log probability is -inf.
    # Subtracted from 0, so that no loss is 0.0, not -0.0.
    loss = 0 - _add(np.where(wide == 0, wide.dtype.type(0), wide * log), -1, wide.dtype)
    return loss.astype(features.dtype, copy=False), (np.exp(log) - wide).astype(features.dtype, copy=False)


def _sparse_cross_entropy(features: Any, labels: Any) -> Any:
    if features.ndim != 2 or labels.ndim != 1 or len(features) != len(labels):
        message = f"logits and labels must have the same first dimension, got logits shape {list(features.shape)} and "
        raise InvalidArgumentError(None, None, message + f"labels shape {list(labels.shape)}")
    classes = features.shape[1]
    # Read without a sign, a negative number is a large one.
    if labels.size and _maximum(labels.view(f"u{labels.itemsize}")) >= classes:
        bad = int(labels[(labels < 0) | (labels >= classes)][0])
        message = f"Received a label value of {bad} which is outside the valid range of [0, {classes}).  Label values: "
        raise InvalidArgumentError(None, None, message + " ".join(map(str, labels.tolist())))
    x = _shifted(widened(features))
    backprop = np.exp(x)
    total = _add(backprop, -1, None, None, True)
    place = (np.arange(len(labels)), labels)
    loss = np.log(total[:, 0]) - x[place]
    np.true_divide(backprop, total, backprop)
    backprop[place] -= 1
    return loss.astype(features.dtype, copy=False), backprop.astype(features.dtype, copy=False)


def _cross_entropy_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    shape = inference.broadcast(
        inference.with_rank(args[0].shape, 2, "logits"), inference.with_rank(args[1].shape, 2, "labels")
    )
    assert shape is not None
    return [shape[:1], shape]


def _sparse_cross_entropy_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    rows, classes = inference.with_rank(args[0].shape, 2, "logits")
    rows = inference.merge_dim(rows, inference.with_rank(args[1].shape, 1, "labels")[0], "The numbers of rows")
    return [(rows,), (rows, classes)]


# ----------------------------------------------------------------------------------------------------------- gradients


def _softmax_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.reduction import reduce_sum

    y = op.outputs[0]
    return (dy - reduce_sum(dy * y, -1, keepdims=True)) * y


def _log_softmax_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.reduction import reduce_sum
    from graphlab.ops.unary import exp

    parts = exp(op.outputs[0])
    return dy - reduce_sum(dy, -1, keepdims=True) * parts


def _row_times(column: Any, matrix: Any) -> Any:
    from graphlab.ops.array import expand_dims

    return expand_dims(column, -1) * matrix


def _by_logits(op: Any, dloss: Any, dbackprop: Any) -> Any:
    """The gradient by the logits: of the loss and, for second order, of the first gradient, the other result."""
    from graphlab.ops.math import add, multiply, subtract
    from graphlab.ops.reduction import reduce_sum

    total = None if dloss is None else _row_times(dloss, op.outputs[1])
    if dbackprop is not None:
        p = softmax(op.inputs[0])
        second = multiply(subtract(dbackprop, reduce_sum(multiply(dbackprop, p), -1, keepdims=True)), p)
        total = second if total is None else add(total, second)
    return total


def _cross_entropy_grad(op: Any, dloss: Any, dbackprop: Any) -> list[Any]:
    from graphlab.ops.broadcasting import reduced
    from graphlab.ops.math import negative

    features, labels = op.inputs

    def by_labels() -> Any:
        return None if dloss is None else _row_times(dloss, negative(log_softmax(features)))

    if state.graph is not None and _same_rank(features, labels):
        return [_by_logits(op, dloss, dbackprop), by_labels()]
    return reduced(op, lambda: _by_logits(op, dloss, dbackprop), by_labels)


def _same_rank(x: Any, y: Any) -> bool:
    """True unless it is known that one of two matrices is broadcast to the other."""
    shapes = x._raw_shape(), y._raw_shape()
    if None in shapes:
        return False
    return all(m == n or (None in (m, n) and 1 not in (m, n)) for m, n in zip(*shapes, strict=True))


def _sparse_cross_entropy_grad(op: Any, dloss: Any, dbackprop: Any) -> list[Any]:
    return [_by_logits(op, dloss, dbackprop), None]


SOFTMAX = define("Softmax", "logits: T -> softmax: T", kernel=_softmax, infer=inference.unchanged,
                 gradient=_softmax_grad, types={"T": FLOAT}, can_fail=True)  # fmt: skip
LOG_SOFTMAX = define("LogSoftmax", "logits: T -> logsoftmax: T", kernel=_log_softmax, infer=inference.unchanged,
                     gradient=_log_softmax_grad, types={"T": FLOAT}, can_fail=True)  # fmt: skip
CROSS_ENTROPY = define(
    "SoftmaxCrossEntropyWithLogits", "features: T, labels: T -> loss: T, backprop: T", kernel=_cross_entropy,
    infer=_cross_entropy_shape, gradient=_cross_entropy_grad, types={"T": FLOAT}, can_fail=True,
)  # fmt: skip
SPARSE_CROSS_ENTROPY = define(
    "SparseSoftmaxCrossEntropyWithLogits", "features: T, labels: Tlabels -> loss: T, backprop: T",
    kernel=_sparse_cross_entropy, infer=_sparse_cross_entropy_shape, gradient=_sparse_cross_entropy_grad,
    types={"T": FLOAT, "Tlabels": INDEX}, defaults={"Tlabels": dtypes.int64}, can_fail=True,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


def _on_axis(op: Op, logits: Any, axis: Any, name: str | None) -> Any:
    """Applies an op of the last axis to another one, by exchanging the two."""
    x = convert_to_tensor(logits)
    shape = x._raw_shape()
    if isinstance(axis, EagerTensor):
        _checked_axis(axis)
        if not axis.dtype.is_integer:
            raise InvalidArgumentError(None, None, f"axis must be an int, but its dtype is {axis.dtype.name}.")
    at = -1 if axis is None else axis if isinstance(axis, int) else whole_number(axis, "axis")
    if shape is not None and not -max(len(shape), 1) <= at < max(len(shape), 1):
        raise InvalidArgumentError(None, None, f"axis {at} is out of range for {len(shape)} dimensions. [Op:{op.type}]")
    if at == -1 or (shape is not None and at == len(shape) - 1):
        return bind(op, (x,), None, name)
    if state.graph is not None and shape is not None:
        return written_out.on_axis(op, x, at, name)
    return _exchanged(x, at, lambda t: bind(op, (t,)), name)


def _exchanged(x: Any, axis: int, function: Callable[[Any], Any], name: str | None) -> Any:
    from graphlab.ops import array, array_shape, comparison, creation, division, selection

    shape = x._raw_shape()
    order: Any
    if shape is None:
        rank = array_shape.rank(x)
        at, last, axes = division.floormod(axis, rank), rank - 1, creation.range(rank)
        moved = selection.where(comparison.equal(axes, last), at, axes)
        order = selection.where(comparison.equal(axes, at), last, moved)
    else:
        order = list(range(len(shape)))
        order[axis], order[-1] = order[-1], order[axis]
    result = array.transpose(function(array.transpose(x, order)), order)
    return array.identity(result, name=name) if name else result


def _moved_last(x: Any, axis: int) -> Any:
    """``x`` with an axis moved to the end."""
    from graphlab.ops import array, array_shape, creation, division

    shape = x._raw_shape()
    if shape is not None:
        at = inference.axis_in(axis, len(shape))
        return array.transpose(x, [*[i for i in range(len(shape)) if i != at], at])
    rank = array_shape.rank(x)
    place = division.floormod(axis, rank)
    rest = [creation.range(place), creation.range(place + 1, rank), [place]]
    return array.transpose(x, array.concat(rest, 0))


@public("nn.softmax", "math.softmax")
@of_composites
def softmax(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    """Returns ``exp(logits) / sum(exp(logits))`` along an axis.

    Args:
      logits: a tensor of a floating-point dtype and rank 1 or more.
      axis: the axis; the last one by default.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if ``logits`` is a scalar or ``axis`` out of range.

    >>> import graphlab as tf
    >>> tf.nn.softmax([[0.0, 0.0], [1000.0, 0.0]]).numpy()
    array([[0.5, 0.5],
           [1. , 0. ]], dtype=float32)
    """
    return _on_axis(SOFTMAX, logits, axis, name)


@public("nn.log_softmax", "math.log_softmax")
def log_softmax(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    """Returns ``logits - log(sum(exp(logits)))`` along an axis.

    Args:
      logits: a tensor of a floating-point dtype and rank 1 or more.
      axis: the axis; the last one by default.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if ``logits`` is a scalar or ``axis`` out of range.

    >>> import graphlab as tf
    >>> tf.nn.log_softmax([[0.0, 0.0]]).numpy().round(4)
    array([[-0.6931, -0.6931]], dtype=float32)
    """
    return _on_axis(LOG_SOFTMAX, logits, axis, name)


def _precise(logits: Any) -> Any:
    from graphlab.ops.casting import cast

    return cast(logits, dtypes.float32) if logits.dtype in (dtypes.float16, dtypes.bfloat16) else logits


@public("nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: Any = -1, name: str | None = None) -> Any:
    """Returns the cross entropy between distributions over classes and softmax(logits); gradients reach both.

    Args:
      labels: a tensor of distributions: along ``axis`` they should sum to 1.
      logits: a tensor of scores, of the same shape and a floating-point dtype.
      axis: the axis of the classes.
      name: a name for the nodes' scope.

    Returns:
      A tensor without that axis.

    Raises:
      tf.errors.InvalidArgumentError: if shapes don't fit (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.nn.softmax_cross_entropy_with_logits([[1.0, 0.0]], [[0.0, 0.0]]).numpy().round(4)
    array([0.6931], dtype=float32)
    """
    from graphlab.ops import array, array_shape
    from graphlab.ops.casting import cast
    from graphlab.ops.slicing import getitem

    with name_scope(name, "softmax_cross_entropy_with_logits") as scope:
        logits = convert_to_tensor(logits, name="logits")
        precise = _precise(logits)
        labels = cast(convert_to_tensor(labels, name="labels"), precise.dtype)
        rank = logits._raw_shape()
        axis = -1 if axis is None else axis
        if rank is not None:
            _check_class_axis(axis, rank, labels._raw_shape())
        if state.graph is not None and rank is not None and len(rank) and labels._raw_shape() is not None:
            at = -1 if inference.axis_in(axis, len(rank)) == len(rank) - 1 else axis % len(rank)
            loss = written_out.cross_entropy(CROSS_ENTROPY, labels, precise, at, scope or None)
            rest = tuple(size for i, size in enumerate(rank) if i != at % len(rank))
            return cast(_with_shape(loss, rest), logits.dtype)
        if axis != -1 and (rank is None or inference.axis_in(axis, len(rank)) != len(rank) - 1):
            precise, labels = _moved_last(precise, axis), _moved_last(labels, axis)
        shape = precise._raw_shape()
        classes: Any = None if shape is None else shape[-1]
        if classes is None:
            classes = getitem(array_shape.shape(precise), -1)
        labels_shape = labels._raw_shape()
        last = classes if labels_shape is None or labels_shape[-1] is None else labels_shape[-1]
        flat = array.reshape(precise, [-1, classes])
        loss, _ = bind(CROSS_ENTROPY, (flat, array.reshape(labels, [-1, last])), None, scope or None)
        if shape is not None and None not in shape[:-1]:
            loss = array.reshape(loss, list(shape[:-1]))
        else:
            loss = array.reshape(loss, getitem(array_shape.shape(precise), slice(None, -1)))
            if shape is not None:
                loss = _with_shape(loss, shape[:-1])
        return cast(loss, logits.dtype)


def _checked_axis(axis: Tensor) -> None:
    """Refuses a tensor that is no axis."""
    text = f"axis must be an int, not {axis!r:.100}."
    if axis.dtype in (dtypes.bool, dtypes.string):
        raise TypeError(text)
    if axis._raw_shape():
        raise ValueError(text) if isinstance(axis, EagerTensor) else TypeError(text)


def _check_class_axis(axis: Any, logits: tuple[int | None, ...], labels: Shape) -> None:
    """Refuses an axis that one of the two does not have; -1 is asked of the logits alone."""
    if isinstance(axis, Tensor):
        _checked_axis(axis)
    elif not isinstance(axis, (str, bytes)):
        to_array(axis)  # what makes no tensor
        if isinstance(axis, (list, tuple)):
            raise misfit(f"axis must be an int, not {axis!r:.100}.")
    at = whole_number(axis, "axis")
    for shape in (logits, labels if at != -1 else None):
        if shape is not None and not -len(shape) <= at < len(shape):
            raise misfit(f"Axis {at} is out of range for the shape {list(shape)}.")
    if not labels and labels is not None:
        raise misfit("labels must have at least rank 1, but are a scalar.")


def _with_shape(tensor: Any, shape: Shape) -> Any:
    tensor.set_shape(shape)
    return tensor


@public("nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str | None = None) -> Any:
    """Returns the cross entropy between classes, given by number, and softmax(logits).

    Args:
      labels: a tensor of int32 or int64: the classes.
      logits: a tensor of scores, with one more (last) axis, of a floating-point dtype.
      name: a name for the nodes' scope.

    Returns:
      A tensor of the shape of ``labels``.

    Raises:
      ValueError: if shapes don't fit.
      tf.errors.InvalidArgumentError: for a class out of range.

    >>> import graphlab as tf
    >>> tf.nn.sparse_softmax_cross_entropy_with_logits([1], [[0.0, 0.0]]).numpy().round(4)
    array([0.6931], dtype=float32)
    """
    if state.graph is None and labels.__class__ is EagerTensor and logits.__class__ is EagerTensor:
        scores = logits._a
        if scores.ndim == 2 and scores.dtype.itemsize >= 4 and np.shape(labels._a) == scores.shape[:1]:
            loss: Any = bind(SPARSE_CROSS_ENTROPY, (logits, labels))[0]
            return loss
    from graphlab.ops import array, array_shape
    from graphlab.ops.casting import cast
    from graphlab.ops.slicing import getitem

    with name_scope(name, "SparseSoftmaxCrossEntropyWithLogits"):
        labels = convert_to_tensor(labels)
        logits = convert_to_tensor(logits)
        result_shape = array_shape.shape(labels) if state.graph is not None else labels._raw_shape()
        precise = _precise(logits)
        have, shape = labels._raw_shape(), logits._raw_shape()
        if shape is not None:
            if not shape:
                raise ValueError(f"`logits` cannot be a scalar. Received logits={logits}")
            if have is not None:
                if len(have) != len(shape) - 1:
                    raise ValueError(
                        "`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape="
                        f"{inference.show(have)} of rank {len(have)} and logits.shape={inference.show(shape)} of rank "
                        f"{len(shape)}"
                    )
                if any(m is not None and n is not None and m != n for m, n in zip(have, shape[:-1], strict=True)):
                    raise ValueError(
                        "`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
                        "labels.shape="
                        f"{inference.show(have)} and logits.shape={inference.show(shape)}"
                    )
        if shape is not None and len(shape) == 2:
            loss, _ = bind(SPARSE_CROSS_ENTROPY, (precise, labels))
            return cast(loss, logits.dtype)
        classes: Any = None if shape is None else shape[-1]
        if classes is None:
            classes = getitem(array_shape.shape(logits), -1)
        if state.graph is not None and (have is None or shape is None or None in (*have, *shape[:-1])):
            from graphlab.ops.debugging import assert_equal

            wanted = getitem(array_shape.shape(logits), slice(None, -1))
            text = "`labels` must have the shape of `logits` without its last dimension."
            assert_equal(array_shape.shape(labels), wanted, message=text)
        flat_labels = array.reshape(labels, [-1])
        loss, _ = bind(SPARSE_CROSS_ENTROPY, (array.reshape(precise, [-1, classes]), flat_labels))
        return cast(array.reshape(loss, result_shape), logits.dtype)
