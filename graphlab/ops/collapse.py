"""``tf.nn.collapse_repeated``: sequences in which neighbours differ."""

from __future__ import annotations

from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.export import public
from graphlab.ops.lazily import ops


@public("nn.collapse_repeated")
def collapse_repeated(labels: Any, seq_length: Any, name: str | None = None) -> tuple[Any, Any]:
    """Leaves one of equal neighbours.

    Args:
      labels: ``[batch, time]``, whole numbers.
      seq_length: ``[batch]``: how much of each row counts.
      name: a name for the nodes.

    Returns:
      ``(labels, lengths)``: the rows that are left, filled up with 0 to the length of the longest, and their lengths
      (int32).

    >>> import graphlab as tf
    >>> labels, lengths = tf.nn.collapse_repeated([[1, 1, 2, 2, 1], [0, 3, 3, 0, 0]], [5, 3])
    >>> labels.numpy(), lengths.numpy()
    (array([[1, 2, 1],
           [0, 3, 0]], dtype=int32), array([3, 2], dtype=int32))
    """
    with name_scope(name, "collapse_repeated_labels"):
        labels = convert_to_tensor(labels, name="labels")
        lengths = convert_to_tensor(seq_length, name="seq_length")
        first = ops.ones_like(labels[:, :1], dtype=dtypes.bool)
        differs = ops.concat([first, ops.not_equal(labels[:, 1:], labels[:, :-1])], 1)
        kept = differs & ops.sequence_mask(lengths, ops.shape(labels)[1])
        counts = ops.reduce_sum(ops.cast(kept, dtypes.int32), 1)
        places = ops.sequence_mask(counts, ops.reduce_max(counts))
        sizes = ops.shape(places)
        moved = ops.scatter_nd(ops.where(places), ops.boolean_mask(labels, kept), ops.cast(sizes, dtypes.int64))

        return moved, ops.cast(counts, lengths.dtype)
