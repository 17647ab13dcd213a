"""Rounding to integers, signs, and tests for NaN and infinity."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind
from graphlab.core.export import public
from graphlab.core.op import COMPLEX, FLOAT, NOT_DIFFERENTIABLE, SIGNED, define, no_kernel
from graphlab.ops import inference
from graphlab.ops.math import abs
from graphlab.ops.over_values import over_values
from graphlab.ops.unary import widened


def _sign(x: Any) -> Any:
    return np.asarray(np.sign(widened(x)), x.dtype) + x.dtype.type(0)  # -0.0 becomes 0.0


def _sign_grad(op: Any, _dy: Any) -> Any:
    from graphlab.ops.creation import zeros_like

    return zeros_like(op.inputs[0])


SIGN = define("Sign", "x: T -> y: T", kernel=_sign, infer=inference.unchanged,
    gradient=_sign_grad, types={"T": FLOAT | SIGNED | COMPLEX})  # fmt: skip


FLOOR = define("Floor", "x: T -> y: T", kernel=np.floor, infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE,
    types={"T": FLOAT})  # fmt: skip


CEIL = define("Ceil", "x: T -> y: T", kernel=np.ceil, infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE,
    types={"T": FLOAT})  # fmt: skip


RINT = define("Rint", "x: T -> y: T", kernel=np.rint, infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE,
    types={"T": FLOAT})  # fmt: skip


ROUND = define("Round", "x: T -> y: T", kernel={**dict.fromkeys(COMPLEX, no_kernel("Round")), None: np.rint},
    infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE, types={"T": FLOAT | COMPLEX})  # fmt: skip


IS_NAN = define("IsNan", "x: T -> y: bool", kernel=np.isnan, infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE,
    types={"T": FLOAT})  # fmt: skip


IS_INF = define("IsInf", "x: T -> y: bool", kernel=np.isinf, infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE,
    types={"T": FLOAT})  # fmt: skip


IS_FINITE = define("IsFinite", "x: T -> y: bool", kernel=np.isfinite, infer=inference.unchanged,
    gradient=NOT_DIFFERENTIABLE, types={"T": FLOAT})  # fmt: skip


@public("math.floor", "floor")
def floor(x: Any, name: str | None = None) -> Any:
    """Returns the largest integer not above x element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.floor([1.7, -1.2]).numpy()
    array([ 1., -2.], dtype=float32)
    """
    return bind(FLOOR, (x,), None, name)


@public("math.ceil")
def ceil(x: Any, name: str | None = None) -> Any:
    """Returns the smallest integer not below x element-wise.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.ceil([1.2, -1.7]).numpy()
    array([ 2., -1.], dtype=float32)
    """
    return bind(CEIL, (x,), None, name)


@public("math.rint")
def rint(x: Any, name: str | None = None) -> Any:
    """Returns the integer nearest to x element-wise; halves go to the even one.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.rint([0.5, 1.5, -1.7]).numpy()
    array([ 0.,  2., -2.], dtype=float32)
    """
    return bind(RINT, (x,), None, name)


@public("math.is_nan")
def is_nan(x: Any, name: str | None = None) -> Any:
    """Returns a bool tensor: where x is NaN.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.is_nan([1.0, float('nan')]).numpy()
    array([False,  True])
    """
    return bind(IS_NAN, (x,), None, name)


@public("math.is_inf")
def is_inf(x: Any, name: str | None = None) -> Any:
    """Returns a bool tensor: where x is plus or minus infinity.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.is_inf([1.0, -float('inf')]).numpy()
    array([False,  True])
    """
    return bind(IS_INF, (x,), None, name)


@public("math.is_finite")
def is_finite(x: Any, name: str | None = None) -> Any:
    """Returns a bool tensor: where x is neither infinite nor NaN.

    Args:
      x: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.is_finite([1.0, float('nan')]).numpy()
    array([ True, False])
    """
    return bind(IS_FINITE, (x,), None, name)


@public("math.sign", "sign")
@over_values
def sign(x: Any, name: str | None = None) -> Any:
    """Returns -1, 0 or 1 by the sign of x; NaN for NaN; ``x / abs(x)`` for complex x, and 0 where x is 0.

    Args:
      x: a tensor of a floating-point, complex or signed integer dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.sign([-2.0, 0.0, 3.0]).numpy()
    array([-1.,  0.,  1.], dtype=float32)
    """
    x = convert_to_tensor(x)
    if x.dtype.is_complex:
        from graphlab.ops.casting import cast
        from graphlab.ops.division import divide_no_nan

        return divide_no_nan(x, cast(abs(x), x.dtype), name=name)
    return bind(SIGN, (x,), None, name)


@public("math.round", "round")
@over_values
def round(x: Any, name: str | None = None) -> Any:
    """Rounds to the nearest integer; halves go to the even one.

    Args:
      x: a tensor of a floating-point or integer dtype (integers are returned as they are).
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.round([0.5, 1.5, 2.6]).numpy()
    array([0., 2., 3.], dtype=float32)
    """
    x = convert_to_tensor(x, name="x")
    return x if x.dtype.is_integer else bind(ROUND, (x,), None, name)
