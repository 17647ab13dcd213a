"""``tf.sparse.sampled_addmm``: a product of matrices where a sparse one has elements."""

from __future__ import annotations

from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.export import public
from graphlab.ops.lazily import ops


@public("sparse.sampled_addmm")
def sampled_addmm(
    indices: Any,
    values: Any,
    dense_shape: Any,
    mat1: Any,
    mat2: Any,
    beta: Any = 1.0,
    alpha: Any = 1.0,
    output_type: Any = dtypes.float32,
) -> tuple[Any, Any, Any]:
    """The elements of ``alpha * mat1 @ mat2`` at some places, and ``beta`` times what is there already.

    Args:
      indices: rows and columns, whole numbers of shape ``[..., n, 2]``.
      values: what is there, a tensor of shape ``[..., n]``.
      dense_shape: the sizes of one product, two numbers of int32.
      mat1: a tensor of shape ``[..., rows, k]``.
      mat2: a tensor of shape ``[..., k, columns]``.
      beta: a number or scalar.
      alpha: a number or scalar.
      output_type: the dtype: float16, bfloat16, float32 or float64, which values and matrices have too.

    Returns:
      Indices, values and shape of the result: the parts of a SparseTensor.

    Raises:
      ValueError: if dtypes or ranks don't fit, or ``dense_shape`` is not the shape of the product.

    >>> import graphlab as tf
    >>> parts = tf.sparse.sampled_addmm([[0, 0], [1, 1]], [1.0, 2.0], [2, 2], tf.ones([2, 3]), tf.ones([3, 2]))
    >>> parts[1].numpy()
    array([4., 5.], dtype=float32)
    """
    kind = dtypes.as_dtype(output_type)
    indices = convert_to_tensor(indices, name="indices")
    values = convert_to_tensor(values, kind, name="values")
    sizes = convert_to_tensor(dense_shape, dtypes.int32, name="dense_shape")
    first, second = convert_to_tensor(mat1, kind, name="mat1"), convert_to_tensor(mat2, kind, name="mat2")
    ranks = [t.shape.rank for t in (indices, first, second)]
    if None in ranks or min(r for r in ranks if r is not None) < 2 or len(set(ranks)) > 1:
        raise ValueError(f"indices, mat1 and mat2 must have the same rank of 2 or more, but have {ranks}.")
    expected = ops.concat([ops.shape(first)[-2:-1], ops.shape(second)[-1:]], 0)
    known = ops.get_static_value(expected), ops.get_static_value(sizes[-2:])
    if known[0] is not None and known[1] is not None and known[0].tolist() != known[1].tolist():
        raise ValueError(
            f"Dense shape: {known[1].tolist()} does not match output shape: {known[0].tolist()} of the product."
        )
    batch = ranks[0] - 2
    rows = ops.gather(first, indices[..., 0], axis=batch, batch_dims=batch)
    columns = ops.gather(ops.linalg.matrix_transpose(second), indices[..., 1], axis=batch, batch_dims=batch)
    found = ops.reduce_sum(rows * columns, -1)
    alpha, beta = ops.cast(alpha, kind), ops.cast(beta, kind)
    return indices, alpha * found + beta * values, sizes
