"""Complex numbers: parts, modulus, angle, conjugates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.export import public
from graphlab.core.op import COMPLEX, define
from graphlab.ops import inference
from graphlab.ops.over_values import over_values
from graphlab.ops.waiting import after

_REAL = {"T": COMPLEX}
_FLOATS = frozenset((dtypes.float32, dtypes.float64))

# ------------------------------------------------------------------------------------------------------------- kernels


def _real(x: Any, Tout: DType) -> Any:
    return np.real(x).astype(Tout.np)


def _imag(x: Any, Tout: DType) -> Any:
    return np.imag(x).astype(Tout.np)


def _angle(x: Any, Tout: DType) -> Any:
    return np.angle(x).astype(Tout.np)


def _modulus(x: Any, Tout: DType) -> Any:
    return np.abs(x).astype(Tout.np)


def _complex(re: Any, im: Any, Tout: DType) -> Any:
    result = np.empty(np.broadcast_shapes(re.shape, im.shape), Tout.np)
    result.real, result.imag = re, im
    return result


# ----------------------------------------------------------------------------------------------------------- gradients


def _zeros(x: Any) -> Any:
    from graphlab.ops.creation import zeros_like

    return zeros_like(x)


def _real_grad(_op: Any, dy: Any) -> Any:
    return complex(dy, constant(0, dy.dtype))


def _imag_grad(_op: Any, dy: Any) -> Any:
    return complex(constant(0, dy.dtype), dy)


def _angle_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.unary import reciprocal

    x = op.inputs[0]
    with after(dy):
        re, im = real(x), imag(x)
        slope = reciprocal(complex(im, re))
        return -complex(dy, constant(0, dy.dtype)) * slope


def _modulus_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.division import divide_no_nan

    x, y = op.inputs[0], op.outputs[0]
    return divide_no_nan(complex(dy, _zeros(dy)) * x, complex(y, _zeros(y)))


def _complex_grad(op: Any, dy: Any) -> Any:
    from graphlab.ops.broadcasting import reduced

    return reduced(op, lambda: real(dy), lambda: imag(dy), shapes_shown=True, every=True)


def _conj_gradient(_op: Any, dy: Any) -> Any:
    return conj(dy)


REAL = define("Real", "input: T -> output: Tout", kernel=_real, infer=inference.unchanged, gradient=_real_grad,
              types=_REAL, attrs={"Tout": dtypes.float32})  # fmt: skip
IMAG = define("Imag", "input: T -> output: Tout", kernel=_imag, infer=inference.unchanged, gradient=_imag_grad,
              types=_REAL, attrs={"Tout": dtypes.float32})  # fmt: skip
ANGLE = define("Angle", "input: T -> output: Tout", kernel=_angle, infer=inference.unchanged, gradient=_angle_grad,
               types=_REAL, attrs={"Tout": dtypes.float32})  # fmt: skip
COMPLEX_ABS = define("ComplexAbs", "x: T -> y: Tout", kernel=_modulus, infer=inference.unchanged,
                     gradient=_modulus_grad, types=_REAL, attrs={"Tout": dtypes.float32})  # fmt: skip
CONJ = define("Conj", "input: T -> output: T", kernel=np.conj, infer=inference.unchanged,
              gradient=_conj_gradient, types=_REAL)  # fmt: skip
MAKE_COMPLEX = define("Complex", "real: T, imag: T -> out: Tout", kernel=_complex, infer=inference.broadcast_all,
                      gradient=_complex_grad, types={"T": _FLOATS}, attrs={"Tout": dtypes.complex64})  # fmt: skip

_RESULT: Mapping[DType, DType] = {dtypes.float32: dtypes.complex64, dtypes.float64: dtypes.complex128}


@public("complex", "dtypes.complex")
@over_values
def complex(real: Any, imag: Any, name: str | None = None) -> Any:
    """Makes complex numbers of their real and imaginary parts.

    Args:
      real: a tensor of float32 or float64.
      imag: a tensor of the same dtype, which broadcasts with it.
      name: a name for the node.

    Returns:
      A tensor of complex64 or complex128.

    Raises:
      TypeError: for another dtype.

    >>> import graphlab as tf
    >>> tf.complex([1.0, 2.0], [3.0, 4.0]).numpy()
    array([1.+3.j, 2.+4.j], dtype=complex64)
    """
    with name_scope(name, "Complex") as scope:
        re = convert_to_tensor(real, name="real")
        im = convert_to_tensor(imag, name="imag")
        if re.dtype is not im.dtype or re.dtype not in _RESULT:
            raise TypeError(
                f"The `real` and `imag` components have incorrect types: {re.dtype.name} {im.dtype.name}. They must be "
                "consistent, and one of [tf.float32, tf.float64]"
            )
        return bind(MAKE_COMPLEX, (re, im), {"Tout": _RESULT[re.dtype]}, scope or name)


@public("math.real")
@over_values
def real(input: Any, name: str | None = None) -> Any:
    """Returns the real part; a real tensor is returned as it is.

    Args:
      input: a tensor of a numeric dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.real([1 + 2j]).numpy()
    array([1.])
    """
    with name_scope(name, "Real") as scope:
        x = convert_to_tensor(input, name="input")
        if not x.dtype.is_complex:
            if not x.dtype.is_numeric:
                raise TypeError(f"The input must be numeric, but has dtype {x.dtype.name}.")
            return x
        return bind(REAL, (x,), {"Tout": x.dtype.real_dtype}, scope or name)


@public("math.imag")
@over_values
def imag(input: Any, name: str | None = None) -> Any:
    """Returns the imaginary part; zeros for a real tensor.

    Args:
      input: a tensor of a numeric dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.imag([1 + 2j]).numpy()
    array([2.])
    """
    with name_scope(name, "Imag") as scope:
        x = convert_to_tensor(input, name="input")
        if not x.dtype.is_complex:
            return _zeros(x)
        return bind(IMAG, (x,), {"Tout": x.dtype.real_dtype}, scope or name)


@public("math.angle")
@over_values
def angle(input: Any, name: str | None = None) -> Any:
    """Returns the argument of complex numbers, in radians in (-π, π]; 0 or π for real ones.

    Args:
      input: a tensor of a numeric dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.angle([1j, -1 + 0j]).numpy()
    array([1.57079633, 3.14159265])
    """
    from graphlab.ops import comparison, creation, math, selection

    with name_scope(name, "Angle") as scope:
        x = convert_to_tensor(input, name="input")
        if x.dtype.is_complex:
            return bind(ANGLE, (x,), {"Tout": x.dtype.real_dtype}, scope or name)
        if not x.dtype.is_floating:
            raise TypeError(f"The input must be real or complex, but has dtype {x.dtype.name}. Write tf.cast.")
        pi = math.multiply(creation.ones_like(x), np.pi)
        return selection.where(comparison.less(x, 0), pi, creation.zeros_like(x))


@public("math.conj")
@over_values
def conj(x: Any, name: str | None = None) -> Any:
    """Returns the complex conjugate; a real tensor is returned as it is.

    Args:
      x: a tensor of a numeric dtype.
      name: a name for the node.

    Raises:
      TypeError: if ``x`` is not numeric.

    >>> import graphlab as tf
    >>> tf.math.conj([1 + 2j]).numpy()
    array([1.-2.j])
    """
    with name_scope(name, "Conj") as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            return bind(CONJ, (x,), None, scope or name)
        if x.dtype.is_floating or x.dtype.is_integer:
            return x
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}")


def complex_abs(x: Any, name: str | None = None) -> Any:
    """The modulus of a complex tensor."""
    return bind(COMPLEX_ABS, (x,), {"Tout": x.dtype.real_dtype}, name)
