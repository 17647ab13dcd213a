"""Square roots and logarithms of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core.dispatch import bind
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import COMPLEX, define
from graphlab.ops.linalg import FIELD, square, square_shape

# ------------------------------------------------------------------------------------------------------------- kernels


def _root(a: Any) -> Any:
    """The principal square root of one matrix, by the product form of Denman and Beavers' iteration with scaling.

    N. Higham, "Functions of Matrices" (2008), section 6.3.
    """
    n = len(a)
    one = np.eye(n, dtype=a.dtype)
    x, m = a, a
    for step in range(100):
        inverse = np.linalg.inv(m)
        scale = 1.0
        if step < 8:
            size = abs(np.linalg.det(m)) ** (-1 / (2 * n))
            scale = size if np.isfinite(size) and size > 0 else 1.0
        x = 0.5 * scale * x @ (one + inverse / scale**2)
        m = 0.5 * (one + (scale**2 * m + inverse / scale**2) / 2)
        if np.abs(m - one).max() <= 1e-14 * n:
            break
    return x


def _each(function: Any, input: Any) -> Any:
    square(input)
    wide = input.astype(np.complex128 if input.dtype.kind == "c" else np.float64)
    out = np.empty(wide.shape, wide.dtype).reshape(-1, *wide.shape[-2:])
    for index, matrix in enumerate(wide.reshape(out.shape)):
        try:
            out[index] = function(matrix) if matrix.size else matrix
        except np.linalg.LinAlgError:
            raise InvalidArgumentError(
                None, None, "The matrix has no root of this kind: it can't be inverted."
            ) from None
    return out.reshape(wide.shape).astype(input.dtype)


def _square_root(input: Any) -> Any:
    return _each(_root, input)


def _log(a: Any) -> Any:
    """Roots until the matrix is near one, then the series of ``2 artanh((r - 1)(r + 1)^-1)``."""
    one = np.eye(len(a), dtype=a.dtype)
    roots = 0
    while np.abs(a - one).sum(0).max() > 0.25 and roots < 60:
        a = _root(a)
        roots += 1
    z = np.linalg.solve((a + one).T, (a - one).T).T
    term, total = z, np.zeros_like(z)
    for k in range(1, 40, 2):
        total = total + term / k
        term = term @ z @ z
    return 2.0 ** (roots + 1) * total


def _logarithm(input: Any) -> Any:
    return _each(_log, input)


# ----------------------------------------------------------------------------------------------------------- gradients


def _square_root_grad(op: Any, dy: Any) -> Any:
    """``g`` with ``y^H g + g y^H = dy``: a system of linear equations for its elements."""
    from graphlab.ops import array, array_shape
    from graphlab.ops.complex import conj
    from graphlab.ops.diagonal import adjoint
    from graphlab.ops.einsum import einsum
    from graphlab.ops.grids import eye
    from graphlab.ops.linalg import solve

    y = op.outputs[0]
    shape = array_shape.shape(y)
    n = shape[-1]
    one = eye(n, dtype=y.dtype)
    system = einsum("...ij,kl->...ikjl", adjoint(y), one) + einsum("ij,...kl->...ikjl", one, conj(y))
    size = array.reshape(n * n, [1])
    lead = shape[:-2]
    system = array.reshape(system, array.concat([lead, size, size], 0))
    right = array.reshape(dy, array.concat([lead, size, [1]], 0))
    return array.reshape(solve(system, right), shape)


SQUARE_ROOT = define("MatrixSquareRoot", "input: T -> output: T", kernel=_square_root,
                     infer=lambda args, _attrs: square_shape(args[0].shape), gradient=_square_root_grad,
                     types={"T": FIELD}, can_fail=True)  # fmt: skip
LOGARITHM = define("MatrixLogarithm", "input: T -> output: T", kernel=_logarithm,
                   infer=lambda args, _attrs: square_shape(args[0].shape), types={"T": COMPLEX},
                   can_fail=True)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("linalg.sqrtm", "matrix_square_root")
def sqrtm(input: Any, name: str | None = None) -> Any:
    """Computes the principal square roots of square matrices: times themselves they are the matrices.

    Args:
      input: float32, float64, complex64 or complex128, shape ``[..., n, n]``; no eigenvalue is zero or negative.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if a matrix can't be inverted.

    >>> import graphlab as tf
    >>> tf.linalg.sqrtm([[4.0, 0.0], [0.0, 9.0]]).numpy().round(4)
    array([[2., 0.],
           [0., 3.]], dtype=float32)
    """
    return bind(SQUARE_ROOT, (input,), None, name)


@public("linalg.logm")
def logm(input: Any, name: str | None = None) -> Any:
    """Computes the principal logarithms of square matrices: their exponentials are the matrices.

    Args:
      input: complex64 or complex128, shape ``[..., n, n]``; no eigenvalue is zero or a negative real number.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if a matrix can't be inverted, or the dtype is real.

    >>> import graphlab as tf
    >>> import numpy as np
    >>> tf.linalg.logm(np.array([[1.0, 0.0], [0.0, 1.0]], np.complex64)).numpy()
    array([[0.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """
    return bind(LOGARITHM, (input,), None, name)
