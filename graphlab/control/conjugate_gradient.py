"""The method of conjugate gradients, for linear operators that are only known by their products."""

from __future__ import annotations

from typing import Any, NamedTuple

from graphlab.control.while_loop import while_loop
from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.export import public


class CGState(NamedTuple):
    """What ``conjugate_gradient`` returns: the steps made, and where it stands after them."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


@public("linalg.experimental.conjugate_gradient")
def conjugate_gradient(
    operator: Any,
    rhs: Any,
    preconditioner: Any = None,
    x: Any = None,
    tol: float = 1e-5,
    max_iter: int = 20,
    name: str = "conjugate_gradient",
) -> CGState:
    """Solves ``operator @ x = rhs`` for a self-adjoint, positive definite operator.

    Args:
      operator: a LinearOperator of shape ``[..., n, n]`` that says that it is self-adjoint and positive definite.
      rhs: a tensor of the operator's dtype and of shape ``[..., n]``.
      preconditioner: a LinearOperator near the inverse of ``operator``, with the same promises, or None.
      x: where to begin, of the shape of ``rhs``; zero by default.
      tol: stop when the norm of the residual is at most this share of that of ``rhs``, in all systems of the batch.
      max_iter: the most steps.
      name: a name for the nodes.

    Returns:
      A named tuple: ``i`` (int32, the steps made), ``x`` (the solution, ``[..., n]``), ``r`` (the residual), ``p`` (the
      last direction) and ``gamma`` (the squared norm of the residual, ``[...]``; with a preconditioner M, ``r^H M r``).

    Raises:
      ValueError: the operator does not promise that it is self-adjoint and positive definite.

    >>> import graphlab as tf
    >>> a = tf.linalg.LinearOperatorDiag([1., 4.], is_self_adjoint=True, is_positive_definite=True)
    >>> tf.linalg.experimental.conjugate_gradient(a, tf.constant([1., 2.])).x.numpy().round(4)
    array([1. , 0.5], dtype=float32)
    """
    from graphlab.ops.array import expand_dims
    from graphlab.ops.array_shape import broadcast_to, shape
    from graphlab.ops.comparison import greater, less, logical_and
    from graphlab.ops.complex import conj, real
    from graphlab.ops.creation import zeros_like
    from graphlab.ops.linalg_functions import norm
    from graphlab.ops.reduction import reduce_any, reduce_sum

    if not (operator.is_self_adjoint and operator.is_positive_definite):
        raise ValueError("Expected a self-adjoint, positive definite operator.")

    def dot(a: Any, b: Any) -> Any:
        return expand_dims(reduce_sum(conj(a) * b, -1), -1)

    def size(a: Any) -> Any:
        return real(norm(a, axis=-1))

    def conditioned(r: Any) -> tuple[Any, Any]:
        z = r if preconditioner is None else preconditioner.matvec(r)
        return z, dot(r, z)

    with name_scope(name, "conjugate_gradient"):
        rhs = convert_to_tensor(rhs, dtype_hint=operator.dtype, name="rhs")
        rhs = _with_batch(operator, rhs)
        limit = tol * size(rhs)
        if x is None:
            x, r = zeros_like(rhs), rhs
        else:
            x = broadcast_to(convert_to_tensor(x, dtype_hint=operator.dtype, name="x"), shape(rhs))
            r = rhs - operator.matvec(x)
        z, gamma = conditioned(r)

        def go_on(i: Any, state: Any) -> Any:
            return logical_and(less(i, max_iter), reduce_any(greater(size(state[1]), limit)))

        def step(i: Any, state: Any) -> Any:
            x, r, p, gamma = state
            q = operator.matvec(p)
            alpha = gamma / dot(p, q)
            x, r = x + alpha * p, r - alpha * q
            z, new = conditioned(r)
            return i + 1, (x, r, z + (new / gamma) * p, new)

        i, (x, r, p, gamma) = while_loop(go_on, step, (convert_to_tensor(0, dtypes.int32), (x, r, z, gamma)))
        return CGState(i, x, r, p, gamma[..., 0])


def _with_batch(operator: Any, rhs: Any) -> Any:
    """One right side for each operator of the batch."""
    from graphlab.ops.array import concat
    from graphlab.ops.array_shape import broadcast_to, shape
    from graphlab.ops.broadcasting import broadcast_dynamic_shape

    if operator.batch_shape.rank == 0:
        return rhs
    sizes = shape(rhs)
    batch = broadcast_dynamic_shape(operator.batch_shape_tensor(), sizes[:-1])
    return broadcast_to(rhs, concat([batch, sizes[-1:]], 0))
