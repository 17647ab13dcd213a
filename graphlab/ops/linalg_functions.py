"""Norms, the cross product, and the exponential of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import FailedPreconditionError, InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import REAL, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor
from graphlab.ops import inference
from graphlab.ops.inference import Attrs
from graphlab.ops.linalg import FIELD, square, square_shape

# ------------------------------------------------------------------------------------------------------------- kernels


def _cross(a: Any, b: Any) -> Any:
    message = f"Cross products are of vectors of 3 and of one shape, not {list(a.shape)} and {list(b.shape)}."
    if a.shape != b.shape:
        raise InvalidArgumentError(None, None, message)
    if not a.ndim or a.shape[-1] != 3:
        raise FailedPreconditionError(None, None, message)
    return np.cross(a, b).astype(a.dtype, copy=False)


def _cross_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    shape = inference.same_shape(args, attrs)
    if shape is not None and (not shape or shape[-1] not in (3, None)):
        raise ValueError(f"Cross products are of vectors of 3, not of shape {inference.show(shape)}.")
    return shape


def _cross_grad(op: Any, dy: Any) -> list[Any]:
    a, b = op.inputs
    return [cross(b, dy), cross(dy, a)]


# Coefficients of the Padé approximation of degree 13: N. Higham, "The scaling and squaring method" (2005).
_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip


def _exponential(input: Any) -> Any:
    square(input)
    wide = input.astype(np.complex128 if input.dtype.kind == "c" else np.float64)
    n = wide.shape[-1]
    if not wide.size:
        return input
    norm = float(np.abs(wide).sum(-2).max())
    squarings = max(0, int(np.ceil(np.log2(norm / 5.371920351148152)))) if np.isfinite(norm) and norm > 5.37 else 0
    a = wide / 2.0**squarings
    one = np.eye(n, dtype=a.dtype)
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    c = _PADE
    u = a @ (a6 @ (c[13] * a6 + c[11] * a4 + c[9] * a2) + c[7] * a6 + c[5] * a4 + c[3] * a2 + c[1] * one)
    v = a6 @ (c[12] * a6 + c[10] * a4 + c[8] * a2) + c[6] * a6 + c[4] * a4 + c[2] * a2 + c[0] * one
    result = np.linalg.solve(v - u, v + u)
    for _ in range(squarings):
        result = result @ result
    return result.astype(input.dtype)


def _exponential_grad(op: Any, dy: Any) -> Any:
    """The upper right block of ``exp([[A^H, dy], [0, A^H]])``."""
    from graphlab.ops.array import concat
    from graphlab.ops.array_shape import shape
    from graphlab.ops.creation import zeros_like
    from graphlab.ops.diagonal import adjoint

    a = adjoint(op.inputs[0])
    known = a._raw_shape()
    n = known[-1] if known is not None and known[-1] is not None else shape(a)[-1]
    block = concat([concat([a, dy], -1), concat([zeros_like(a), a], -1)], -2)
    return bind(EXPONENTIAL, (block,))[..., :n, n:]


CROSS = define("Cross", "a: T, b: T -> product: T", kernel=_cross, infer=_cross_shape, gradient=_cross_grad,
               types={"T": REAL}, can_fail=True)  # fmt: skip
EXPONENTIAL = define("MatrixExponential", "input: T -> output: T", kernel=_exponential,
                     infer=lambda args, _attrs: square_shape(args[0].shape), gradient=_exponential_grad,
                     types={"T": FIELD}, can_fail=True)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("linalg.cross")
def cross(a: Any, b: Any, name: str | None = None) -> Any:
    """Computes the cross products of vectors of three.

    Args:
      a: a tensor of a real dtype and of shape ``[..., 3]``.
      b: a tensor of the dtype and shape of ``a``.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the shapes differ (ValueError while tracing).
      tf.errors.FailedPreconditionError: if the last size is not 3 (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.linalg.cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1], dtype=int32)
    """
    return bind(CROSS, (a, b), None, name)


@public("linalg.expm")
def expm(input: Any, name: str | None = None) -> Any:
    """Computes the exponential of square matrices.

    Args:
      input: float32, float64, complex64 or complex128, shape ``[..., n, n]``.
      name: a name for the node.

    Raises:
      ValueError: if the matrices are of integers; while tracing also if they are not square.
      tf.errors.InvalidArgumentError: if they are not square, or of another dtype (TypeError while tracing).

    >>> import graphlab as tf
    >>> tf.linalg.expm([[0.0, 0.0], [0.0, 1.0]]).numpy().round(4)
    array([[1.    , 0.    ],
           [0.    , 2.7183]], dtype=float32)
    """
    input = convert_to_tensor(input, name="input")
    if input.dtype not in FIELD:
        shape = input._raw_shape()
        if state.graph is not None and (input.dtype.is_integer or shape != ()):
            inference.at_least_rank(shape, 2, "A matrix")
        if input.dtype.is_integer and shape != ():
            raise ValueError(f"tf.linalg.expm takes no matrices of {input.dtype.name}. Write tf.cast(x, tf.float32).")
    return bind(EXPONENTIAL, (input,), None, name or "matrix_exponential")


@public("norm", "linalg.norm")
def norm(tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Computes norms of vectors or matrices.

    Args:
      tensor: a tensor of a floating-point or complex dtype.
      ord: ``"euclidean"``, ``"fro"``, 1, 2, ``np.inf`` or any positive number (2 of matrices is the largest singular
        value; only 1, 2 and infinity are norms of matrices).
      axis: an int for norms of vectors, two for norms of matrices; by default all elements are one vector.
      keepdims: keep the axes with size 1.
      name: a name for the nodes.

    Raises:
      ValueError: if ``ord`` or ``axis`` is not possible.

    >>> import graphlab as tf
    >>> tf.norm([3.0, 4.0]).numpy(), tf.norm([3.0, -4.0], ord=1).numpy()
    (np.float32(5.0), np.float32(7.0))
    """
    from graphlab.ops.array import squeeze
    from graphlab.ops.complex import conj
    from graphlab.ops.math import abs as absolute
    from graphlab.ops.math import pow as power
    from graphlab.ops.reduction import reduce_max, reduce_sum
    from graphlab.ops.unary import sqrt

    matrices = isinstance(axis, (list, tuple, np.ndarray)) and len(axis) == 2
    if isinstance(axis, (list, tuple, np.ndarray)):
        if not all(isinstance(a, (int, np.integer)) for a in axis):
            raise ValueError(f"`axis` must be None, an integer, or a tuple of 2 unique integers, not {axis!r:.100}.")
        axis = tuple(int(a) for a in axis)
        if len(axis) != 2 or axis[0] == axis[1]:
            raise ValueError(f"`axis` must be None, an integer, or a tuple of 2 unique integers, not {axis}.")
    elif axis is not None and not isinstance(axis, (int, np.integer)):
        raise ValueError(f"`axis` must be None, an integer, or a tuple of 2 unique integers, not {axis!r:.100}.")
    if isinstance(ord, EagerTensor) and len(ord.shape):
        raise ValueError(f"'ord' must be a number or a name, not a tensor of shape {ord.shape}.")
    allowed = ("euclidean", "fro", 1, 2, np.inf)
    if (matrices and ord not in allowed) or (not matrices and ord == "fro"):
        raise ValueError(f"'ord' must be a supported {'matrix' if matrices else 'vector'} norm, got {ord!r}.")
    if not matrices and isinstance(ord, str) and ord != "euclidean":
        raise ValueError(f"'ord' must be a supported vector norm, got {ord!r}.")
    if not matrices and not isinstance(ord, str) and np.isreal(ord) and ord <= 0:
        raise ValueError(f"'ord' must be positive, got {ord!r}.")
    with name_scope(name, "norm"):
        tensor = convert_to_tensor(tensor)
        if ord in ("fro", "euclidean") or (ord == 2 and not matrices):
            squares = tensor * conj(tensor)
            result = sqrt(reduce_sum(squares, axis, keepdims=True))
        elif ord == 2:
            result = _largest_singular(tensor, axis)
        else:
            sizes = absolute(tensor)
            if ord == 1:
                result = reduce_sum(sizes, axis[0] if matrices else axis, keepdims=True)
                result = reduce_max(result, axis[1], keepdims=True) if matrices else result
            elif ord == np.inf:
                result = reduce_sum(sizes, axis[1], keepdims=True) if matrices else sizes
                result = reduce_max(result, axis[0] if matrices else axis, keepdims=True)
            else:
                result = power(reduce_sum(power(sizes, ord), axis, keepdims=True), 1.0 / ord)
        if keepdims:
            return result
        gone = None if axis is None else (list(axis) if matrices else [axis])
        return squeeze(result, gone)


def _largest_singular(tensor: Any, axis: tuple[int, ...]) -> Any:
    from graphlab.ops.array import expand_dims, transpose
    from graphlab.ops.linalg_decompositions import svd
    from graphlab.ops.reduction import reduce_max

    raw = tensor._raw_shape()
    if raw is None:
        raise ValueError("The rank of the tensor must be known while tracing.")
    rank = len(raw)
    for a in axis:
        if not -rank <= a < rank:
            raise InvalidArgumentError(None, None, f"Axis {a} is out of range for rank {rank}.")
    rows, columns = (a % rank for a in axis)
    order = [i for i in range(rank) if i not in (rows, columns)] + [rows, columns]
    largest = reduce_max(svd(transpose(tensor, order), compute_uv=False), -1)
    for at in sorted((rows, columns)):
        largest = expand_dims(largest, at)
    return largest


@public("linalg.normalize")
def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """Divides vectors or matrices by their norms.

    Args:
      tensor: a tensor of a floating-point or complex dtype.
      ord: the norm, see ``tf.norm``.
      axis: the axis or two axes, see ``tf.norm``.
      name: a name for the nodes.

    Returns:
      ``(normalized, norm)``; the norms keep the axes with size 1.

    >>> import graphlab as tf
    >>> tf.linalg.normalize([3.0, 4.0])[0].numpy()
    array([0.6, 0.8], dtype=float32)
    """
    from graphlab.ops.casting import cast

    with name_scope(name, "normalize"):
        tensor = convert_to_tensor(tensor)
        size = cast(norm(tensor, ord, axis, keepdims=True), tensor.dtype)
        return tensor / size, size
