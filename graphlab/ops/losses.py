"""Losses that are composed of other ops, and the L2 loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.op import FLOAT, define
from graphlab.core.state import state
from graphlab.ops import inference, written_out
from graphlab.ops.over_values import over_values
from graphlab.ops.unary import widened


def _l2_loss(t: Any) -> Any:
    wide = widened(t)
    return np.asarray(np.add.reduce(np.square(wide), None) / wide.dtype.type(2), t.dtype)


def _l2_loss_grad(op: Any, dy: Any) -> Any:
    return op.inputs[0] * dy


L2_LOSS = define("L2Loss", "t: T -> output: T", kernel=_l2_loss, infer=inference.scalar, gradient=_l2_loss_grad,
                 types={"T": FLOAT})  # fmt: skip


@public("nn.l2_loss")
def l2_loss(t: Any, name: str | None = None) -> Any:
    """Returns half the sum of squares, a scalar.

    Args:
      t: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.l2_loss([3.0, 4.0]).numpy()
    np.float32(12.5)
    """
    return bind(L2_LOSS, (t,), None, name)


def _same_shape(a: Any, b: Any, names: str) -> None:
    try:
        inference.merge(a._raw_shape(), b._raw_shape())
    except ValueError:
        shapes = f"{inference.show(a._raw_shape())} vs {inference.show(b._raw_shape())}"
        raise ValueError(f"{names} must have the same shape, received ({shapes}).") from None


@public("nn.sigmoid_cross_entropy_with_logits")
@over_values
def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Any:
    """Returns the cross entropy between probabilities and sigmoid(logits), element-wise.

    It is computed as ``max(x, 0) - x * z + log(1 + exp(-abs(x)))``, which does not overflow.

    Args:
      labels: a tensor of probabilities z, of the shape and dtype of ``logits``.
      logits: a tensor x of a floating-point dtype.
      name: a name for the nodes' scope.

    Raises:
      ValueError: if the shapes differ, or one argument is missing.

    >>> import graphlab as tf
    >>> tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0], logits=[0.0, -100.0]).numpy().round(4)
    array([0.6931, 0.    ], dtype=float32)
    """
    from graphlab.ops import comparison, creation, math, selection, unary

    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")
    with name_scope(name, "logistic_loss") as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        _same_shape(logits, labels, "`logits` and `labels`")
        zeros = creation.zeros_like(logits)
        positive = comparison.greater_equal(logits, zeros)
        relu = selection.select(positive, logits, zeros)
        neg_abs = selection.select(positive, math.negative(logits), logits)
        return math.add(relu - logits * labels, unary.log1p(unary.exp(neg_abs)), name=scope or None)


@public("nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(labels: Any, logits: Any, pos_weight: Any, name: str | None = None) -> Any:
    """Returns the cross entropy with sigmoid(logits) in which positive labels count ``pos_weight`` times.

    Args:
      labels: a tensor of probabilities, of the shape and dtype of ``logits``.
      logits: a tensor of a floating-point dtype.
      pos_weight: a weight, or a tensor that broadcasts.
      name: a name for the nodes' scope.

    Raises:
      ValueError: if the shapes differ.

    >>> import graphlab as tf
    >>> tf.nn.weighted_cross_entropy_with_logits([1.0, 0.0], [0.0, 0.0], 2.0).numpy().round(4)
    array([1.3863, 0.6931], dtype=float32)
    """
    from graphlab.ops import activation, math, unary

    with name_scope(name, "logistic_loss") as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        _same_shape(logits, labels, "`logits` and `labels`")
        # log(1 + exp(-x)) is log(1 + exp(-|x|)) + max(-x, 0), in which nothing overflows.
        weight = 1 + (pos_weight - 1) * labels
        plain = (1 - labels) * logits
        tail = unary.log1p(unary.exp(math.negative(math.abs(logits)))) + activation.relu(math.negative(logits))
        return math.add(plain, weight * tail, name=scope or None)


@public("nn.log_poisson_loss")
def log_poisson_loss(targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None) -> Any:
    """Returns the negative log likelihood of counts under Poisson distributions, of which the log of the rate is given.

    Args:
      targets: a tensor of counts, of the shape and dtype of ``log_input``.
      log_input: a tensor of a floating-point dtype.
      compute_full_loss: add Stirling's approximation of the log factorial of the targets, for those above 1.
      name: a name for the nodes' scope.

    Raises:
      ValueError: if the shapes differ.

    >>> import graphlab as tf
    >>> tf.nn.log_poisson_loss([1.0], [0.0]).numpy()
    array([1.], dtype=float32)
    """
    from graphlab.ops import comparison, creation, selection, unary

    with name_scope(name, "log_poisson_loss"):
        log_input = convert_to_tensor(log_input, name="log_input")
        targets = convert_to_tensor(targets, name="targets")
        _same_shape(log_input, targets, "`log_input` and `targets`")
        result = unary.exp(log_input) - log_input * targets
        if compute_full_loss:
            half, circle = constant(0.5, targets.dtype), constant(2 * np.pi, targets.dtype)
            stirling = (targets * unary.log(targets)) - targets + half * unary.log(circle * targets)
            zeros = creation.zeros_like(targets)
            ones = creation.ones_like(targets) if state.graph is None else written_out.ones_like(targets)
            small = comparison.logical_and(
                comparison.greater_equal(targets, zeros), comparison.less_equal(targets, ones)
            )
            result += selection.select(small, zeros, stirling)
        return result


@public("nn.compute_average_loss")
def compute_average_loss(per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None) -> Any:
    """Returns the sum of losses divided by the size of the batch.

    Args:
      per_example_loss: a tensor of losses of rank 1 or more.
      sample_weight: weights, one for each loss. With them the losses are taken as float32, as in TensorFlow.
      global_batch_size: the size of the whole batch; by default that of ``per_example_loss``.

    Raises:
      ValueError: for a scalar loss.
      tf.errors.InvalidArgumentError: for a negative size of the batch.

    >>> import graphlab as tf
    >>> tf.nn.compute_average_loss([1.0, 3.0]).numpy()
    np.float32(2.0)
    """
    from graphlab.ops import array_shape, debugging_shapes, debugging_signs, division, reduction
    from graphlab.ops.casting import cast

    losses = convert_to_tensor(per_example_loss)
    shape = losses._raw_shape()
    if shape == ():
        raise ValueError(
            f"Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1. Received {losses}."
        )
    dtype = losses.dtype
    if sample_weight is not None:
        losses = cast(_weighted(cast(losses, dtypes.float32), cast(sample_weight, dtypes.float32)), dtype)
    if global_batch_size is None:
        sizes = array_shape.shape(losses) if state.graph is None else written_out.sizes_of(losses)
        global_batch_size = sizes[0] * 1  # the number of replicas
    debugging_shapes.assert_scalar(global_batch_size, message="global_batch_size must be a scalar.")
    debugging_shapes.assert_integer(global_batch_size, message="global_batch_size must be an int.")
    debugging_signs.assert_non_negative(global_batch_size, message="global_batch_size must be non-negative.")
    return division.divide_no_nan(reduction.reduce_sum(losses), cast(global_batch_size, dtype))


def _weighted(losses: Any, weights: Any) -> Any:
    from graphlab.ops import array, math

    have, given = losses._raw_shape(), weights._raw_shape()
    if have is not None and given is not None:
        if len(given) == len(have) + 1:
            weights = array.squeeze(weights, [-1])
        elif len(given) + 1 == len(have) and given:
            weights = array.expand_dims(weights, -1)
    return math.multiply(losses, weights)


@public("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss: Any) -> Any:
    """Returns the sum of a regularization loss divided by the number of replicas, of which there is one.

    Args:
      regularization_loss: a tensor.

    >>> import graphlab as tf
    >>> tf.nn.scale_regularization_loss([1.0, 2.0]).numpy()
    np.float32(3.0)
    """
    from graphlab.ops import division, reduction

    return division.truediv(reduction.reduce_sum(regularization_loss), 1)
