"""Losses over many classes of which some are sampled: ``tf.nn.nce_loss`` and ``tf.nn.sampled_softmax_loss``."""

from __future__ import annotations

from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.export import public
from graphlab.ops.candidates import compute_accidental_hits, log_uniform_candidate_sampler
from graphlab.ops.lazily import ops
from graphlab.ops.sparse_tensor import SparseTensor


def _logits(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int, num_true: int,
    sampled_values: Any, remove_accidental_hits: bool, seed: int | None,
) -> tuple[Any, Any]:  # fmt: skip
    """Logits and labels of the true classes, then of the sampled ones: both ``[batch, num_true + num_sampled]``."""
    weights = weights if isinstance(weights, list | tuple) else [weights]
    labels = convert_to_tensor(labels)
    if labels.dtype is not dtypes.int64:
        labels = ops.cast(labels, dtypes.int64)
    flat = ops.reshape(labels, [-1])
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(labels, num_true, num_sampled, True, num_classes, seed=seed)
    sampled, true_expected, sampled_expected = (ops.stop_gradient(part) for part in sampled_values)
    sampled = ops.cast(sampled, dtypes.int64)
    ids = ops.concat([flat, sampled], 0)
    rows = ops.nn.embedding_lookup(list(weights), ids)
    inputs = convert_to_tensor(inputs)
    count = ops.shape(flat)[0]
    true_rows, sampled_rows = rows[:count], rows[count:]
    sampled_logits = ops.matmul(inputs, ops.cast(sampled_rows, inputs.dtype), transpose_b=True)
    all_biases = ops.nn.embedding_lookup(biases, ids)
    width = ops.shape(true_rows)[1]
    products = ops.expand_dims(inputs, 1) * ops.reshape(true_rows, ops.stack([-1, num_true, width]))
    true_logits = ops.reduce_sum(products, 2) + ops.reshape(all_biases[:count], [-1, num_true])
    sampled_logits = sampled_logits + all_biases[count:]
    if remove_accidental_hits:
        rows_hit, places, lowest = compute_accidental_hits(labels, sampled, num_true=num_true)
        at = ops.concat([ops.cast(ops.reshape(rows_hit, [-1, 1]), dtypes.int64), ops.reshape(places, [-1, 1])], 1)
        sizes = ops.cast(ops.stack([ops.shape(labels)[0], num_sampled]), dtypes.int64)
        hit = SparseTensor(at, ops.cast(lowest, sampled_logits.dtype), sizes)
        sampled_logits = sampled_logits + ops.sparse.to_dense(hit, 0.0, validate_indices=False)
    true_logits = true_logits - ops.math.log(true_expected)
    sampled_logits = sampled_logits - ops.math.log(sampled_expected)
    found = ops.concat([true_logits, sampled_logits], 1)
    wanted = ops.concat([ops.ones_like(true_logits) / num_true, ops.zeros_like(sampled_logits)], 1)
    return found, wanted


@public("nn.nce_loss")
def nce_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int, num_true: int = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = False, name: str = "nce_loss",
) -> Any:  # fmt: skip
    """The loss of noise-contrastive estimation: to tell true classes from sampled ones.

    Args:
      weights: ``[num_classes, dim]``, or a list of such, one below the other.
      biases: ``[num_classes]``.
      labels: ``[batch, num_true]``, the true classes.
      inputs: ``[batch, dim]``.
      num_sampled: how many classes are sampled for the batch.
      num_classes: the number of classes.
      num_true: the number of true classes of an example.
      sampled_values: what a sampler gives; None: ``tf.random.log_uniform_candidate_sampler``.
      remove_accidental_hits: leave sampled classes out that are true ones.
      name: a name for the nodes.

    Returns:
      ``[batch]``.

    >>> import graphlab as tf
    >>> sampled = tf.constant([2], tf.int64), tf.constant([[1.0]]), tf.constant([1.0])
    >>> loss = tf.nn.nce_loss(tf.zeros([3, 2]), tf.zeros([3]), [[0]], tf.ones([1, 2]), 1, 3, sampled_values=sampled)
    >>> round(float(loss[0]), 4)  # twice log 2
    1.3863
    """
    with name_scope(name, "nce_loss"):
        logits, wanted = _logits(
            weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values,
            remove_accidental_hits, None,
        )  # fmt: skip
        return ops.reduce_sum(ops.nn.sigmoid_cross_entropy_with_logits(labels=wanted, logits=logits), 1)


@public("nn.sampled_softmax_loss")
def sampled_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int, num_true: int = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = True, seed: int | None = None,
    name: str = "sampled_softmax_loss",
) -> Any:  # fmt: skip
    """The cross entropy of true classes among themselves and sampled ones, in place of all.

    Args:
      weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values: as for ``tf.nn.nce_loss``.
      remove_accidental_hits: leave sampled classes out that are true ones.
      seed: the seed of the sampler.
      name: a name for the nodes.

    Returns:
      ``[batch]``.

    >>> import graphlab as tf
    >>> sampled = tf.constant([2], tf.int64), tf.constant([[1.0]]), tf.constant([1.0])
    >>> loss = tf.nn.sampled_softmax_loss(
    ...     tf.zeros([3, 2]), tf.zeros([3]), [[0]], tf.ones([1, 2]), 1, 3, sampled_values=sampled)
    >>> round(float(loss[0]), 4)  # log 2
    0.6931
    """
    with name_scope(name, "sampled_softmax_loss"):
        logits, wanted = _logits(
            weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values,
            remove_accidental_hits, seed,
        )  # fmt: skip
        return ops.nn.softmax_cross_entropy_with_logits(labels=ops.stop_gradient(wanted), logits=logits)
