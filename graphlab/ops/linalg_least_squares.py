"""What is composed of decompositions: pseudo-inverse, rank, least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope, of_dtype
from graphlab.core.export import public, resolve
from graphlab.ops import inference
from graphlab.ops.linalg import product
from graphlab.ops.linalg_decompositions import svd


@public("linalg.pinv")
def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Any:
    """Computes pseudo-inverses of matrices.

    Args:
      a: float32 or float64, shape ``[..., m, n]``.
      rcond: singular values below this share of the largest count as zero; by default ten times the larger side times
        the distance from 1 to the next number.
      validate_args: has no effect.
      name: a name for the nodes.

    >>> import graphlab as tf
    >>> tf.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).numpy()
    array([[0.5, 0. ],
           [0. , 0. ]], dtype=float32)
    """
    del validate_args
    with name_scope(name, "pinv"):
        a = convert_to_tensor(a, name="a")
        if not a.dtype.is_floating:
            raise TypeError(f"The matrix must have a floating-point dtype, not {a.dtype.name}.")
        inference.at_least_rank(a._raw_shape(), 2, "A matrix")
        return _pseudo_inverse(a, rcond)


def _pseudo_inverse(a: Any, rcond: Any = None) -> Any:
    from graphlab.ops.array import expand_dims
    from graphlab.ops.casting import cast
    from graphlab.ops.comparison import greater
    from graphlab.ops.division import divide
    from graphlab.ops.reduction import reduce_max
    from graphlab.ops.selection import where

    kind = a.dtype.real_dtype
    if rcond is None:
        rcond = _larger_side(a, kind) * (10.0 * float(np.finfo(kind.np).eps))
    rcond = convert_to_tensor(rcond, kind, name="rcond")
    s, u, v = svd(a)
    cutoff = rcond * reduce_max(s, -1)
    s = where(greater(s, expand_dims(cutoff, -1)), s, convert_to_tensor(np.array(np.inf, kind.np)))
    return product(divide(v, cast(expand_dims(s, -2), a.dtype)), u, right=True)


@public("linalg.matrix_rank")
def matrix_rank(a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None) -> Any:
    """Counts the singular values that are not zero.

    Args:
      a: float32 or float64, shape ``[..., m, n]``.
      tol: singular values up to this count as zero; by default the largest one times the larger side times the distance
        from 1 to the next number.
      validate_args: has no effect.
      name: a name for the nodes.

    Returns:
      An int32 tensor of shape ``[...]``.

    >>> import graphlab as tf
    >>> tf.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]).numpy()
    np.int32(1)
    """
    from graphlab.ops.casting import cast
    from graphlab.ops.comparison import greater
    from graphlab.ops.reduction import reduce_max, reduce_sum

    del validate_args
    with name_scope(name, "matrix_rank"):
        a = convert_to_tensor(a, dtype_hint=dtypes.float32, name="a")
        if not a.dtype.is_floating:
            raise TypeError(f"The matrix must have a floating-point dtype, not {a.dtype.name}.")
        inference.at_least_rank(a._raw_shape(), 2, "A matrix")
        s = svd(a, compute_uv=False)
        if tol is None:
            eps = float(np.finfo(a.dtype.np).eps)
            tol = _larger_side(a, a.dtype) * eps * reduce_max(s, -1, keepdims=True)
        return reduce_sum(cast(greater(s, tol), dtypes.int32), -1)


@public("linalg.lstsq")
def lstsq(matrix: Any, rhs: Any, l2_regularizer: float = 0.0, fast: bool = True, name: str | None = None) -> Any:
    """Solves linear least-squares problems.

    Args:
      matrix: float32 or float64, shape ``[..., m, n]``.
      rhs: a tensor of the dtype of ``matrix`` and of shape ``[..., m, k]``.
      l2_regularizer: added to the diagonal of the normal equations.
      fast: solve the normal equations by Cholesky; otherwise by singular values.
      name: a name for the nodes.

    Returns:
      The solutions of least norm, shape ``[..., n, k]``.

    Raises:
      tf.errors.InvalidArgumentError: with ``fast`` if a matrix has not full rank.

    >>> import graphlab as tf
    >>> tf.linalg.lstsq([[1.0], [1.0]], [[1.0], [3.0]]).numpy()
    array([[2.]], dtype=float32)
    """
    from graphlab.ops.array_shape import shape

    with name_scope(name, "matrix_solve_ls"):
        matrix = convert_to_tensor(matrix, name="matrix")
        inference.at_least_rank(matrix._raw_shape(), 2, "matrix")
        rhs = of_dtype(convert_to_tensor(rhs) if isinstance(rhs, (str, bytes)) else rhs, matrix.dtype, "rhs")
        if not fast:
            if l2_regularizer:
                raise ValueError("l2_regularizer must be 0 when fast is False.")
            return product(_pseudo_inverse(matrix), rhs)
        sides = matrix._raw_shape()
        if sides is not None and None not in sides[-2:]:
            return _normal_equations(matrix, rhs, l2_regularizer, sides[-2] >= sides[-1])
        sizes = shape(matrix)
        return resolve("cond")(
            sizes[-2] >= sizes[-1],
            lambda: _normal_equations(matrix, rhs, l2_regularizer, True),
            lambda: _normal_equations(matrix, rhs, l2_regularizer, False),
        )


def _normal_equations(matrix: Any, rhs: Any, l2_regularizer: float, tall: bool) -> Any:
    from graphlab.ops.array_shape import shape
    from graphlab.ops.grids import eye
    from graphlab.ops.linalg import cholesky, cholesky_solve

    gram = product(matrix, matrix, left=True) if tall else product(matrix, matrix, right=True)
    if l2_regularizer:
        weight = convert_to_tensor(np.array(l2_regularizer, matrix.dtype.np))
        gram = gram + weight * eye(shape(gram)[-1], dtype=matrix.dtype)
    factor = cholesky(gram)
    if tall:
        return cholesky_solve(factor, product(matrix, rhs, left=True))
    return product(matrix, cholesky_solve(factor, rhs), left=True)


def _larger_side(matrix: Any, dtype: Any) -> Any:
    """The larger of rows and columns: a number where they are known, else a scalar tensor."""
    from graphlab.ops.array_shape import shape
    from graphlab.ops.casting import cast
    from graphlab.ops.reduction import reduce_max

    raw = matrix._raw_shape()
    if raw is not None and None not in raw[-2:]:
        return float(max(raw[-2:]))
    return cast(reduce_max(shape(matrix)[-2:]), dtype)
