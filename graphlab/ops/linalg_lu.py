"""What is done with the results of ``tf.linalg.lu``: putting matrices together again, solving, inverting."""

from __future__ import annotations

from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.export import public
from graphlab.ops.linalg import triangular_solve
from graphlab.ops.matmul import matmul


def _factors(lower_upper: Any, perm: Any) -> tuple[Any, Any]:
    return (
        convert_to_tensor(lower_upper, dtype_hint=dtypes.float32, name="lower_upper"),
        convert_to_tensor(perm, dtype_hint=dtypes.int32, name="perm"),
    )


def _checked(lower_upper: Any, perm: Any, validate_args: bool) -> None:
    """ValueError for shapes known not to fit; what is not known is looked at when it runs, if that is asked for."""
    from graphlab.ops import debugging_shapes
    from graphlab.ops.array_shape import shape

    raw, order = lower_upper._raw_shape(), perm._raw_shape()
    if raw is not None:
        if len(raw) < 2:
            raise ValueError("Input `lower_upper` must have at least 2 dimensions.")
        if None not in raw[-2:] and raw[-1] != raw[-2]:
            raise ValueError("`lower_upper` must be square.")
        if order is not None and len(raw) != len(order) + 1:
            raise ValueError("`rank(lower_upper)` must equal `rank(perm) + 1`")
    if validate_args:
        if raw is None:
            debugging_shapes.assert_rank_at_least(
                lower_upper, 2, message="Input `lower_upper` must have at least 2 dimensions."
            )
        if raw is None or None in raw[-2:]:
            sides = shape(lower_upper)[-2:]
            _assert_equal(sides[0], sides[1], "`lower_upper` must be square.")


def _assert_equal(x: Any, y: Any, message: str) -> None:
    """An assertion that two tensors are equal."""
    from graphlab.ops.debugging import assert_equal

    assert_equal(x, y, message=message)


def _lower(lower_upper: Any) -> Any:
    """L, whose diagonal is 1."""
    from graphlab.ops.array_shape import shape
    from graphlab.ops.creation import ones
    from graphlab.ops.diagonal import band_part, set_diag

    return set_diag(band_part(lower_upper, -1, 0), ones(shape(lower_upper)[:-1], dtype=lower_upper.dtype))


def _inverse_order(perm: Any) -> Any:
    """The inverse of each permutation.  InvalidArgumentError for what is none."""
    from graphlab.ops.array import invert_permutation, reshape
    from graphlab.ops.array_shape import shape
    from graphlab.ops.casting import cast
    from graphlab.ops.creation import range as numbers

    if perm.shape.rank == 1:
        return invert_permutation(perm)
    # Each permutation of a batch is moved behind the one before: together they are one permutation.
    sizes = shape(perm, out_type=perm.dtype)
    n = sizes[-1]
    rows = reshape(perm, [-1, cast(n, dtypes.int32)])
    first = cast(numbers(shape(rows)[0]), perm.dtype)[:, None] * n
    inverted = invert_permutation(reshape(rows + first, [-1]))
    return reshape(reshape(inverted, shape(rows)) - first, shape(perm))


def _rows(matrices: Any, order: Any) -> Any:
    """The rows of each matrix in the order that belongs to it."""
    from graphlab.ops.gather_scatter import gather

    rank = order.shape.rank
    if rank == 1:
        return gather(matrices, order, axis=-2)
    if rank is not None:
        return gather(matrices, order, axis=rank - 1, batch_dims=rank - 1)
    from graphlab.ops.array import reshape
    from graphlab.ops.array_shape import shape

    sizes, lead = shape(matrices), shape(order)
    flat = gather(reshape(matrices, [-1, sizes[-2], sizes[-1]]), reshape(order, [-1, lead[-1]]), axis=1, batch_dims=1)
    return reshape(flat, sizes)


@public("linalg.lu_reconstruct")
def lu_reconstruct(lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None) -> Any:
    """Puts matrices together again that ``tf.linalg.lu`` has factored.

    Args:
      lower_upper: U with L below it, shape ``[..., n, n]``, float32, float64, complex64 or complex128.
      perm: the order of the rows, int32 or int64, shape ``[..., n]``.
      validate_args: look at shapes when the function runs, where they are not known before.
      name: a name for the nodes.

    Returns:
      The matrices, shape ``[..., n, n]``.

    Raises:
      ValueError: the shapes don't fit.
      tf.errors.InvalidArgumentError: ``perm`` is no permutation.

    >>> import graphlab as tf
    >>> tf.linalg.lu_reconstruct(*tf.linalg.lu([[1., 2.], [2., 2.]])).numpy()
    array([[1., 2.],
           [2., 2.]], dtype=float32)
    """
    from graphlab.ops.diagonal import band_part

    with name_scope(name, "lu_reconstruct"):
        lower_upper, perm = _factors(lower_upper, perm)
        _checked(lower_upper, perm, validate_args)
        result = _rows(matmul(_lower(lower_upper), band_part(lower_upper, 0, -1)), _inverse_order(perm))
        result.set_shape(lower_upper.shape)
        return result


@public("linalg.lu_solve")
def lu_solve(lower_upper: Any, perm: Any, rhs: Any, validate_args: bool = False, name: str | None = None) -> Any:
    """Solves systems of linear equations with matrices that ``tf.linalg.lu`` has factored; batch axes broadcast.

    Args:
      lower_upper: U with L below it, shape ``[..., n, n]``, float32, float64, complex64 or complex128.
      perm: the order of the rows, int32 or int64, shape ``[..., n]``.
      rhs: a tensor of the dtype of ``lower_upper`` and of shape ``[..., n, k]``.
      validate_args: look at shapes when the function runs, where they are not known before.
      name: a name for the nodes.

    Returns:
      The solutions, shape ``[..., n, k]``.

    Raises:
      ValueError: the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.linalg.lu_solve(*tf.linalg.lu([[1., 2.], [2., 2.]]), [[3.], [4.]]).numpy()
    array([[1.],
           [1.]], dtype=float32)
    """
    with name_scope(name, "lu_solve"):
        lower_upper, perm = _factors(lower_upper, perm)
        rhs = convert_to_tensor(rhs, dtype_hint=lower_upper.dtype, name="rhs")
        _checked(lower_upper, perm, validate_args)
        raw, right = lower_upper._raw_shape(), rhs._raw_shape()
        if right is not None:
            if len(right) < 2:
                raise ValueError("Input `rhs` must have at least 2 dimensions.")
            if raw is not None and None not in (raw[-1], right[-2]) and raw[-1] != right[-2]:
                raise ValueError("`lower_upper.shape[-1]` must equal `rhs.shape[-1]`.")
        if validate_args and (right is None or raw is None or None in (raw[-1], right[-2])):
            from graphlab.ops.array_shape import shape

            message = "`lower_upper.shape[-1]` must equal `rhs.shape[-1]`."
            _assert_equal(shape(lower_upper)[-1], shape(rhs)[-2], message)
        if raw is not None and len(raw) == 2:  # one order for all
            ordered = _rows(rhs, perm)
        else:
            ordered = _rows(*_spread(rhs, perm))
        return triangular_solve(lower_upper, triangular_solve(_lower(lower_upper), ordered), lower=False)


def _spread(rhs: Any, perm: Any) -> tuple[Any, Any]:
    """Right sides and orders, one for each matrix of the batch that both make together."""
    from graphlab.ops.array import concat
    from graphlab.ops.array_shape import broadcast_to, shape
    from graphlab.ops.broadcasting import broadcast_dynamic_shape

    if rhs.shape.rank is not None and perm.shape.rank == rhs.shape.rank - 1 and perm.shape[:-1] == rhs.shape[:-2]:
        return rhs, perm
    sizes, order = shape(rhs), shape(perm)
    batch = broadcast_dynamic_shape(sizes[:-2], order[:-1])
    return broadcast_to(rhs, concat([batch, sizes[-2:]], 0)), broadcast_to(perm, concat([batch, order[-1:]], 0))


@public("linalg.lu_matrix_inverse")
def lu_matrix_inverse(lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None) -> Any:
    """Inverts matrices that ``tf.linalg.lu`` has factored.

    Args:
      lower_upper: U with L below it, shape ``[..., n, n]``, float32, float64, complex64 or complex128.
      perm: the order of the rows, int32 or int64, shape ``[..., n]``.
      validate_args: look at shapes when the function runs, where they are not known before.
      name: a name for the nodes.

    Returns:
      The inverses, shape ``[..., n, n]``.

    Raises:
      ValueError: the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.linalg.lu_matrix_inverse(*tf.linalg.lu([[0., 2.], [4., 0.]])).numpy()
    array([[0.  , 0.25],
           [0.5 , 0.  ]], dtype=float32)
    """
    from graphlab.ops.array_shape import shape
    from graphlab.ops.grids import eye

    with name_scope(name, "lu_matrix_inverse"):
        lower_upper, perm = _factors(lower_upper, perm)
        _checked(lower_upper, perm, validate_args)
        sizes = shape(lower_upper)
        one = eye(sizes[-1], batch_shape=sizes[:-2], dtype=lower_upper.dtype)
        one.set_shape(lower_upper.shape)
        return lu_solve(lower_upper, perm, one)
