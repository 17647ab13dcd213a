"""Embeddings of sets of ids: ``tf.nn.embedding_lookup_sparse`` and ``safe_embedding_lookup_sparse``."""

from __future__ import annotations

from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.export import public
from graphlab.ops.lazily import ops
from graphlab.ops.ragged import RaggedTensor
from graphlab.ops.sparse_tensor import SparseTensor

_COMBINERS = ("mean", "sqrtn", "sum")


def _combiner(combiner: str | None) -> str:
    found = combiner or "mean"
    if found not in _COMBINERS:
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {found}")
    return found


def _given(sp_ids: Any, sp_weights: Any) -> None:
    if isinstance(sp_ids, RaggedTensor):
        if sp_weights is not None and not isinstance(sp_weights, RaggedTensor):
            raise TypeError(f"sp_weights must be either None or RaggedTensor, got {type(sp_weights)}")
        return
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError(f"sp_ids must be SparseTensor, got {type(sp_ids)}")
    if sp_weights is not None and not isinstance(sp_weights, SparseTensor):
        raise TypeError(f"sp_weights must be either None or SparseTensor,got {type(sp_weights)}")


def _column(x: Any, like: Any) -> Any:
    """A vector with as many axes of 1 behind it as ``like`` has."""
    rank = like.shape.rank
    if rank is not None:
        return ops.reshape(x, [-1, *[1] * (rank - 1)])
    ones = ops.fill([ops.rank(like) - 1], 1)
    return ops.reshape(x, ops.concat([ops.shape(x), ones], 0))


@public("nn.embedding_lookup_sparse")
def embedding_lookup_sparse(
    params: Any, sp_ids: Any, sp_weights: Any, combiner: str | None = None, max_norm: float | None = None,
    name: str | None = None, allow_fast_lookup: bool = False,
) -> Any:  # fmt: skip
    """Looks up the rows of several ids and makes one of them: for each row of ids a weighted sum or mean.

    Args:
      params: a matrix (a tensor or variable), or a list of them that stand one below the other.
      sp_ids: a SparseTensor of rank 2, or a RaggedTensor, of int32 or int64: the ids of each row; no row is empty but
        the last ones.
      sp_weights: of the same kind and places: floats; None: all 1.
      combiner: ``"sum"``; ``"mean"`` (divided by the sum of the weights; what None means); ``"sqrtn"`` (by the root of
        the sum of their squares).
      max_norm: rows of a larger Euclidean norm are scaled to it before.
      name: a name for the nodes.
      allow_fast_lookup: no difference here.

    Returns:
      ``[rows, ...]``: a row for each row of ids.

    Raises:
      TypeError: ids or weights of another kind.
      ValueError: another combiner.

    >>> import graphlab as tf
    >>> params = tf.constant([[1.0, 1.0], [3.0, 3.0], [5.0, 5.0]])
    >>> ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([0, 1, 2]), [2, 2])
    >>> tf.nn.embedding_lookup_sparse(params, ids, None).numpy()
    array([[2., 2.],
           [5., 5.]], dtype=float32)
    """
    how = _combiner(combiner)
    _given(sp_ids, sp_weights)
    if params is None or (isinstance(params, list | tuple) and not params):
        raise ValueError("Need at least one param")
    with name_scope(name, "embedding_lookup_sparse"):
        rows = sp_ids.value_rowids() if isinstance(sp_ids, RaggedTensor) else sp_ids.indices[:, 0]
        segments = ops.cast(rows, dtypes.int32)
        ids, places = ops.unique(sp_ids.values)
        found = ops.nn.embedding_lookup(params, ids, max_norm=max_norm)
        if sp_weights is None:
            join = {"sum": "segment_sum", "mean": "segment_mean", "sqrtn": "segment_sqrt_n"}[how]
            return getattr(ops.sparse, join)(found, places, segments)
        rows_found = ops.gather(found, places)
        weights = ops.cast(sp_weights.values, rows_found.dtype)
        total = ops.math.segment_sum(rows_found * _column(weights, rows_found), segments)
        if how == "sum":
            return total
        if how == "mean":
            divisor = ops.math.segment_sum(weights, segments)
        else:
            divisor = ops.sqrt(ops.math.segment_sum(weights * weights, segments))
        return ops.math.divide_no_nan(total, _column(divisor, total))


def _pruned(ids: Any, weights: Any, combiner: str) -> tuple[Any, Any]:
    """Without ids below zero and, unless they are only summed, weights that are not above it."""
    valid = ids.values >= 0
    if weights is not None and combiner != "sum":
        valid = valid & (weights.values > 0)
    return ops.sparse.retain(ids, valid), None if weights is None else ops.sparse.retain(weights, valid)


@public("nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: str = "mean",
    default_id: Any = None, max_norm: float | None = None, name: str | None = None, allow_fast_lookup: bool = False,
) -> Any:  # fmt: skip
    """``tf.nn.embedding_lookup_sparse`` that leaves invalid ids out and has a row for every row of ids.

    Args:
      embedding_weights: a matrix, or a list of them.
      sparse_ids: a SparseTensor of rank 2 or more, or a RaggedTensor; ids below zero are left out.
      sparse_weights: of the same kind and places; weights that are not above zero are left out with their ids, unless
        the combiner is ``"sum"``.
      combiner: ``"mean"``, ``"sqrtn"`` or ``"sum"``.
      default_id: the id of rows without ids; None: they are zero.
      max_norm: as there.
      name: a name for the nodes.
      allow_fast_lookup: no difference here.

    Returns:
      The shape of the ids without its last size, then that of a row.

    Raises:
      ValueError: no weights to look up.

    >>> import graphlab as tf
    >>> ids = tf.SparseTensor([[0, 0], [0, 1]], tf.constant([1, -1]), [2, 2])
    >>> tf.nn.safe_embedding_lookup_sparse(tf.constant([[1.0], [3.0]]), ids).numpy()
    array([[3.],
           [0.]], dtype=float32)
    """
    if embedding_weights is None or (isinstance(embedding_weights, list | tuple) and not embedding_weights):
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    how = _combiner(combiner)
    _given(sparse_ids, sparse_weights)
    with name_scope(name, "embedding_lookup"):
        if isinstance(sparse_ids, RaggedTensor):
            sparse_ids = sparse_ids.to_sparse()
            sparse_weights = None if sparse_weights is None else sparse_weights.to_sparse()
        original = sparse_ids.dense_shape
        rank = sparse_ids.shape.rank
        if rank != 2:
            flat = ops.stack([-1, original[-1]])
            sparse_ids = ops.sparse.reshape(sparse_ids, flat)
            if sparse_weights is not None:
                sparse_weights = ops.sparse.reshape(sparse_weights, flat)
        ids, weights = _pruned(sparse_ids, sparse_weights, how)
        ids, empty = ops.sparse.fill_empty_rows(ids, 0 if default_id is None else default_id)
        if weights is not None:
            weights, _ = ops.sparse.fill_empty_rows(weights, 1.0)
        result = embedding_lookup_sparse(embedding_weights, ids, weights, how, max_norm)
        if result.shape.rank is not None and ids.shape.rank is not None:
            result.set_shape([ids.shape[0], *[None] * (result.shape.rank - 1)])
        if default_id is None:
            result = ops.where(_column(empty, result), ops.zeros_like(result), result)
        if rank != 2:
            lead = ops.cast(original[:-1], dtypes.int32)
            result = ops.reshape(result, ops.concat([lead, ops.shape(result)[1:]], 0))
        return convert_to_tensor(result)
