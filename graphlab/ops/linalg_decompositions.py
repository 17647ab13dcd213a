"""Decompositions of matrices: QR, singular values, eigenvalues, LU; and what is composed of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import REQUIRED, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.ops import inference
from graphlab.ops.inference import Attrs
from graphlab.ops.linalg import FIELD, guarded, lost, product, square, square_shape, triangular_solve

# ------------------------------------------------------------------------------------------------------------- kernels


def _at_least_matrix(input: Any) -> Any:
    if input.ndim < 2:
        raise InvalidArgumentError(None, None, f"A matrix was expected, but the shape is {list(input.shape)}.")
    return input


def _qr(input: Any, full_matrices: bool) -> Any:
    q, r = np.linalg.qr(_at_least_matrix(input), "complete" if full_matrices else "reduced")
    return q, r


def _svd(input: Any, compute_uv: bool, full_matrices: bool) -> Any:
    message = "The singular values did not converge."
    _at_least_matrix(input)
    real = dtypes.of_numpy(input.dtype).real_dtype.np
    endless = ~np.isfinite(input)
    if endless.any():  # these matrices have NaN everywhere
        endless = endless.any((-2, -1))
        s, u, v = _svd(np.where(endless[..., None, None], input.dtype.type(0), input), compute_uv, full_matrices)
        for part in (s, u, v) if compute_uv else (s,):
            part[endless] = np.nan
        return s, u, v
    if not compute_uv:
        s = guarded(lambda a: np.linalg.svd(a, compute_uv=False), message, input)
        empty = np.empty(0, input.dtype)
        return s.astype(input.dtype if real == input.dtype else real, copy=False), empty, empty
    u, s, vh = guarded(lambda a: np.linalg.svd(a, full_matrices), message, input)
    return s, u, np.conj(np.swapaxes(vh, -1, -2))


def _self_adjoint_eig(input: Any, compute_v: bool) -> Any:
    message = "The eigenvalues did not converge: the input may have NaN or infinity in it."
    square(input)
    if np.isnan(input).any() and np.isnan(np.tril(input)).any():
        raise InvalidArgumentError(None, None, message)
    if compute_v:
        e, v = guarded(np.linalg.eigh, message, input)
        return e.astype(input.dtype, copy=False), v
    return guarded(np.linalg.eigvalsh, message, input).astype(input.dtype, copy=False), np.empty(0, input.dtype)


def _eig(input: Any, compute_v: bool, Tout: DType) -> Any:
    message = "The eigenvalues did not converge: the input may have NaN or infinity in it."
    square(input)
    if compute_v:
        e, v = guarded(np.linalg.eig, message, input)
        return e.astype(Tout.np), v.astype(Tout.np)
    return guarded(np.linalg.eigvals, message, input).astype(Tout.np), np.empty(0, Tout.np)


def _lu(input: Any, output_idx_type: DType) -> Any:
    """Gaussian elimination with the largest element of a column as the pivot."""
    lost(square(input), "Input is not invertible.")
    n = input.shape[-1]
    whole = np.array(input).reshape(-1, n, n)
    orders = np.tile(np.arange(n), (len(whole), 1))
    for matrix, order in zip(whole, orders, strict=True):
        for k in range(n):
            pivot = k + int(np.argmax(np.abs(matrix[k:, k])))
            if matrix[pivot, k] == 0:
                raise InvalidArgumentError(None, None, "Input is not invertible.")
            if pivot != k:
                matrix[[k, pivot]] = matrix[[pivot, k]]
                order[[k, pivot]] = order[[pivot, k]]
            matrix[k + 1 :, k] /= matrix[k, k]
            matrix[k + 1 :, k + 1 :] -= np.outer(matrix[k + 1 :, k], matrix[k, k + 1 :])
    return whole.reshape(input.shape), orders.reshape(input.shape[:-1]).astype(output_idx_type.np)


# ----------------------------------------------------------------------------------------------------------- inference


def _sides(shape: Shape) -> tuple[tuple[int | None, ...], int | None, int | None, int | None] | None:
    """Batch, rows, columns, the smaller of them."""
    inference.at_least_rank(shape, 2, "A matrix")
    if shape is None:
        return None
    m, n = shape[-2:]
    return shape[:-2], m, n, 0 if 0 in (m, n) else None if m is None or n is None else min(m, n)


def _qr_shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    sides = _sides(args[0].shape)
    if sides is None:
        return [None, None]
    batch, m, n, k = sides
    return [(*batch, m, m), (*batch, m, n)] if attrs["full_matrices"] else [(*batch, m, k), (*batch, k, n)]


def _svd_shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    sides = _sides(args[0].shape)
    if sides is None:
        return [None, None if attrs["compute_uv"] else (0,), None if attrs["compute_uv"] else (0,)]
    batch, m, n, k = sides
    if not attrs["compute_uv"]:
        return [(*batch, k), (0,), (0,)]
    if attrs["full_matrices"]:
        return [(*batch, k), (*batch, m, m), (*batch, n, n)]
    return [(*batch, k), (*batch, m, k), (*batch, n, k)]


def _eig_shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    shape = square_shape(args[0].shape)
    values = None if shape is None else shape[:-1]
    return [values, shape if attrs["compute_v"] else (0,)]


def _lu_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    shape = square_shape(args[0].shape)
    return [shape, None if shape is None else shape[:-1]]


# ----------------------------------------------------------------------------------------------------------- gradients


def _qr_grad(op: Any, dq: Any, dr: Any) -> Any:
    """S. Walter and L. Lehmann, "Algorithmic differentiation of linear algebra functions" (2010)."""
    from graphlab.ops.creation import zeros_like
    from graphlab.ops.diagonal import adjoint, band_part, diag_part, set_diag

    q, r = op.outputs
    rows, columns = q._raw_shape(), r._raw_shape()
    if rows is None or columns is None or None in (*rows[-2:], *columns[-2:]):
        raise LookupError("The gradient of qr needs the sizes of the matrices while tracing.")
    if columns[-2] != columns[-1] or rows[-1] != columns[-2]:
        raise LookupError("The gradient of qr is there for as many rows as columns or more, with full_matrices=False.")
    dq = zeros_like(q) if dq is None else dq
    dr = zeros_like(r) if dr is None else dr
    m = product(r, dr, right=True) - product(dq, q, left=True)
    lower = band_part(m, -1, 0)
    strict = set_diag(lower, zeros_like(diag_part(lower)))
    whole = lower + adjoint(strict)
    # (dq + q whole) r^-H
    return adjoint(triangular_solve(r, adjoint(dq + product(q, whole)), lower=False))


def _reciprocal_gaps(values: Any) -> Any:
    """``1 / (values[j] - values[i])`` at [i, j], 0 on the diagonal and where they are equal."""
    from graphlab.ops.array import expand_dims
    from graphlab.ops.division import divide_no_nan

    gaps = expand_dims(values, -2) - expand_dims(values, -1)
    from graphlab.ops.creation import ones_like

    return divide_no_nan(ones_like(gaps), gaps)


def _self_adjoint_eig_grad(op: Any, de: Any, dv: Any) -> Any:
    from graphlab.ops.complex import conj
    from graphlab.ops.creation import zeros_like
    from graphlab.ops.diagonal import adjoint, band_part, diag_part, matrix_diag, set_diag

    if op.attrs["compute_v"]:
        e, v = op.outputs
    else:
        e, v = bind(SELF_ADJOINT_EIG, (op.inputs[0],), {"compute_v": True})
        dv = None
    middle = matrix_diag(zeros_like(e) if de is None else de)
    if dv is not None:
        middle = middle + conj(_reciprocal_gaps(e)) * product(v, dv, left=True)
    whole = product(v, product(middle, v, right=True))
    # Only the lower half was read: what belongs to the upper goes there too.
    lower = band_part(whole + adjoint(whole), -1, 0)
    return set_diag(lower, diag_part(lower) * convert_to_tensor(np.array(0.5, lower.dtype.np)))


def _svd_grad(op: Any, ds: Any, du: Any, dv: Any) -> Any:
    """J. Townsend, "Differentiating the singular value decomposition" (2016)."""
    from graphlab.ops.array import expand_dims
    from graphlab.ops.complex import conj
    from graphlab.ops.creation import zeros_like
    from graphlab.ops.diagonal import adjoint, matrix_diag
    from graphlab.ops.division import divide_no_nan

    a = op.inputs[0]
    if op.attrs["compute_uv"]:
        s, u, v = op.outputs
        if op.attrs["full_matrices"] and (du is not None or dv is not None):
            raise LookupError("The gradient of svd is there with full_matrices=False.")
    else:
        s, u, v = bind(SVD, (a,), {"compute_uv": True, "full_matrices": False})
        du = dv = None
    if op.attrs["full_matrices"]:
        s, u, v = bind(SVD, (a,), {"compute_uv": True, "full_matrices": False})
    if a.dtype.is_complex and (du is not None or dv is not None):
        raise LookupError(
            "The gradient of the singular vectors of complex matrices is not defined without their phase."
        )
    from graphlab.ops.casting import cast

    sigma = cast(s, a.dtype)
    middle = matrix_diag(zeros_like(sigma) if ds is None else cast(ds, a.dtype))
    gaps = conj(_reciprocal_gaps(sigma * sigma))
    column, row = expand_dims(sigma, -1), expand_dims(sigma, -2)
    result: Any = None
    inverse = divide_no_nan(zeros_like(sigma) + convert_to_tensor(np.array(1, a.dtype.np)), sigma)
    if du is not None:
        t = gaps * product(u, du, left=True)
        middle = middle + (t + adjoint(t)) * row
        outside = du - product(u, product(u, du, left=True))
        result = product(outside * expand_dims(inverse, -2), v, right=True)
    if dv is not None:
        t = gaps * product(v, dv, left=True)
        middle = middle + column * (t + adjoint(t))
        outside = dv - product(v, product(v, dv, left=True))
        part = product(u * expand_dims(inverse, -2), outside, right=True)
        result = part if result is None else result + part
    main = product(u, product(middle, v, right=True))
    return main if result is None else main + result


def _eig_grad(op: Any, de: Any, dv: Any) -> Any:
    """M. Giles, "An extended collection of matrix derivative results" (2008)."""
    from graphlab.ops.casting import cast
    from graphlab.ops.complex import conj, real
    from graphlab.ops.creation import zeros_like
    from graphlab.ops.diagonal import adjoint, diag_part, matrix_diag
    from graphlab.ops.linalg import solve

    a = op.inputs[0]
    if op.attrs["compute_v"]:
        e, v = op.outputs
    else:
        e, v = bind(EIG, (a,), {"compute_v": True, "Tout": op.attrs["Tout"]})
        dv = None
    middle = matrix_diag(zeros_like(e) if de is None else de)
    if dv is not None:
        inner = product(v, dv, left=True)
        gram = product(v, v, left=True)
        phase = cast(real(diag_part(inner)), inner.dtype)
        middle = middle + conj(_reciprocal_gaps(e)) * (inner - product(gram, matrix_diag(phase)))
    whole = solve(adjoint(v), product(middle, v, right=True))
    return whole if a.dtype.is_complex else cast(real(whole), a.dtype)


# ----------------------------------------------------------------------------------------------------------------- ops

QR = define("Qr", "input: T -> q: T, r: T", kernel=_qr, infer=_qr_shape, gradient=_qr_grad, types={"T": FIELD},
            attrs={"full_matrices": False}, can_fail=True)  # fmt: skip
SVD = define("Svd", "input: T -> s: T, u: T, v: T", kernel=_svd, infer=_svd_shape, gradient=_svd_grad,
             types={"T": FIELD}, attrs={"compute_uv": True, "full_matrices": False}, can_fail=True)  # fmt: skip
SELF_ADJOINT_EIG = define("SelfAdjointEigV2", "input: T -> e: T, v: T", kernel=_self_adjoint_eig, infer=_eig_shape,
                          gradient=_self_adjoint_eig_grad, types={"T": FIELD}, attrs={"compute_v": True},
                          can_fail=True)  # fmt: skip
EIG = define("Eig", "input: T -> e: Tout, v: Tout", kernel=_eig, infer=_eig_shape, gradient=_eig_grad,
             types={"T": FIELD}, attrs={"compute_v": True, "Tout": REQUIRED}, can_fail=True)  # fmt: skip
LU = define("Lu", "input: T -> lu: T, p: output_idx_type", kernel=_lu, infer=_lu_shape, types={"T": FIELD},
            attrs={"output_idx_type": dtypes.int32}, can_fail=True)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


class Qr(NamedTuple):
    """What ``tf.linalg.qr`` returns."""

    q: Any
    r: Any


class Lu(NamedTuple):
    """What ``tf.linalg.lu`` returns."""

    lu: Any
    p: Any


@public("linalg.qr")
def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> Qr:
    """Factors matrices: ``input = q @ r`` with q unitary and r upper triangular.

    Args:
      input: float32, float64, complex64 or complex128, shape ``[..., m, n]``.
      full_matrices: make q square.
      name: a name for the node.

    Returns:
      ``(q, r)``.

    >>> import graphlab as tf
    >>> q, r = tf.linalg.qr([[3.0, 1.0], [4.0, 2.0]])
    >>> tf.matmul(q, r).numpy().round(3)
    array([[3., 1.],
           [4., 2.]], dtype=float32)
    """
    return Qr(*bind(QR, (input,), {"full_matrices": full_matrices}, name))


@public("linalg.svd")
def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """Computes singular values and vectors: ``tensor = u @ diag(s) @ adjoint(v)``.

    Args:
      tensor: float32, float64, complex64 or complex128, shape ``[..., m, n]``.
      full_matrices: make u and v square.
      compute_uv: also return u and v.
      name: a name for the node.

    Returns:
      ``(s, u, v)``, or ``s`` alone; s is real and falls.

    >>> import graphlab as tf
    >>> tf.linalg.svd([[3.0, 0.0], [0.0, 4.0]], compute_uv=False).numpy()
    array([4., 3.], dtype=float32)
    """
    from graphlab.ops.casting import cast

    tensor = convert_to_tensor(tensor)
    s, u, v = bind(SVD, (tensor,), {"compute_uv": compute_uv, "full_matrices": full_matrices}, name)
    s = cast(s, tensor.dtype.real_dtype)
    return (s, u, v) if compute_uv else s


@public("linalg.eigh")
def eigh(tensor: Any, name: str | None = None) -> tuple[Any, Any]:
    """Computes eigenvalues and eigenvectors of Hermitian matrices.

    Args:
      tensor: float32, float64, complex64 or complex128, shape ``[..., n, n]``; only the lower half is looked at.
      name: a name for the node.

    Returns:
      ``(e, v)``: eigenvalues in rising order, shape ``[..., n]``, and eigenvectors as columns.

    >>> import graphlab as tf
    >>> tf.linalg.eigh([[2.0, 0.0], [0.0, 1.0]])[0].numpy()
    array([1., 2.], dtype=float32)
    """
    e, v = bind(SELF_ADJOINT_EIG, (tensor,), {"compute_v": True}, name)
    return e, v


@public("linalg.eigvalsh")
def eigvalsh(tensor: Any, name: str | None = None) -> Any:
    """Computes eigenvalues of Hermitian matrices, in rising order.

    Args:
      tensor: float32, float64, complex64 or complex128, shape ``[..., n, n]``; only the lower half is looked at.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.linalg.eigvalsh([[2.0, 0.0], [0.0, 1.0]]).numpy()
    array([1., 2.], dtype=float32)
    """
    return bind(SELF_ADJOINT_EIG, (tensor,), {"compute_v": False}, name)[0]


def _complex_of(dtype: DType) -> DType:
    return dtypes.complex64 if dtype in (dtypes.float32, dtypes.complex64) else dtypes.complex128


@public("linalg.eig", "eig")
def eig(tensor: Any, name: str | None = None) -> tuple[Any, Any]:
    """Computes eigenvalues and eigenvectors of square matrices.

    Args:
      tensor: float32, float64, complex64 or complex128, shape ``[..., n, n]``.
      name: a name for the node.

    Returns:
      ``(e, v)``, both complex: eigenvalues in no particular order, and eigenvectors as columns.

    >>> import graphlab as tf
    >>> tf.linalg.eig([[2.0, 0.0], [0.0, 1.0]])[0].dtype
    tf.complex64
    """
    tensor = convert_to_tensor(tensor)
    e, v = bind(EIG, (tensor,), {"compute_v": True, "Tout": _complex_of(tensor.dtype)}, name)
    return e, v


@public("linalg.eigvals", "eigvals")
def eigvals(tensor: Any, name: str | None = None) -> Any:
    """Computes eigenvalues of square matrices, in no particular order.

    Args:
      tensor: float32, float64, complex64 or complex128, shape ``[..., n, n]``.
      name: a name for the node.

    Returns:
      A complex tensor of shape ``[..., n]``.

    >>> import graphlab as tf
    >>> tf.linalg.eigvals([[2.0, 0.0], [0.0, 2.0]]).numpy()
    array([2.+0.j, 2.+0.j], dtype=complex64)
    """
    tensor = convert_to_tensor(tensor)
    return bind(EIG, (tensor,), {"compute_v": False, "Tout": _complex_of(tensor.dtype)}, name)[0]


@public("linalg.lu")
def lu(input: Any, output_idx_type: Any = dtypes.int32, name: str | None = None) -> Lu:
    """Factors square matrices: the rows of ``input`` in the order ``p`` are L @ U.

    Args:
      input: float32, float64, complex64 or complex128, shape ``[..., n, n]``.
      output_idx_type: int32 or int64.
      name: a name for the node.

    Returns:
      ``(lu, p)``: U with L (whose diagonal is 1) below it, and the order of the rows.

    Raises:
      tf.errors.InvalidArgumentError: if a matrix can't be inverted.

    >>> import graphlab as tf
    >>> tf.linalg.lu([[1.0, 2.0], [2.0, 2.0]]).p.numpy()
    array([1, 0], dtype=int32)
    """
    return Lu(*bind(LU, (input,), {"output_idx_type": dtypes.as_dtype(output_idx_type)}, name))
