"""Activation functions of neural networks."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.op import FLOAT, REAL, define
from graphlab.core.state import state
from graphlab.core.tensor import Tensor
from graphlab.ops import inference
from graphlab.ops.over_values import over_values
from graphlab.ops.unary import widened

# Chosen so that outputs keep mean 0 and variance 1 (Klambauer et al. 2017, "Self-Normalizing Neural Networks").
_SELU_ALPHA = 1.6732632423543772848170429916717
_SELU_SCALE = 1.0507009873554804934193349852946

# ------------------------------------------------------------------------------------------------------------- kernels


def _relu(x: Any) -> Any:
    return np.maximum(x, x.dtype.type(0))


def _relu_bfloat16(x: Any) -> Any:
    return np.where(x < 0, x.dtype.type(0), x)


def _relu_grad(gradients: Any, features: Any) -> Any:
    # A product, as in TensorFlow: an infinite or NaN gradient is NaN also where the slope is 0.
    return gradients * (features > 0).astype(gradients.dtype)


def _relu6(x: Any) -> Any:
    return np.minimum(np.maximum(x, x.dtype.type(0)), x.dtype.type(6))


def _relu6_bfloat16(x: Any) -> Any:
    return np.where(x > 6, x.dtype.type(6), _relu_bfloat16(x))


def _relu6_grad(gradients: Any, features: Any) -> Any:
    return gradients * ((features > 0) & (features < 6)).astype(gradients.dtype)


def _elu(x: Any) -> Any:
    wide = widened(x)
    return np.asarray(np.where(wide < 0, np.expm1(np.minimum(wide, 0)), wide), x.dtype)


def _elu_grad(gradients: Any, outputs: Any) -> Any:
    return np.where(outputs < 0, gradients * (outputs + outputs.dtype.type(1)), gradients)


def _selu(x: Any) -> Any:
    wide = widened(x)
    scale, alpha = wide.dtype.type(_SELU_SCALE), wide.dtype.type(_SELU_SCALE * _SELU_ALPHA)
    return np.asarray(np.where(wide < 0, alpha * np.expm1(np.minimum(wide, 0)), scale * wide), x.dtype)


def _selu_grad(gradients: Any, outputs: Any) -> Any:
    kind = outputs.dtype.type
    scale, alpha = kind(_SELU_SCALE), kind(_SELU_SCALE * _SELU_ALPHA)
    return np.where(outputs < 0, gradients * (outputs + alpha), gradients * scale)


def _leaky_relu(x: Any, alpha: float) -> Any:
    return np.where(x > 0, x, x * x.dtype.type(np.float32(alpha)))


def _leaky_relu_grad(gradients: Any, features: Any, alpha: float) -> Any:
    return np.where(features > 0, gradients, gradients * gradients.dtype.type(np.float32(alpha)))


# ----------------------------------------------------------------------------------------------------------- gradients


def _zeros(x: Any) -> Any:
    from graphlab.ops.creation import zeros_like

    return zeros_like(x)


def _elu_grad_grad(op: Any, g: Any) -> list[Any]:
    from graphlab.ops import comparison, math, selection

    gradients, outputs = op.inputs
    curved = selection.where(comparison.less(outputs, 0), math.multiply(g, gradients), _zeros(outputs))
    return [bind(ELU_GRAD, (g, outputs)), curved]


def _selu_grad_grad(op: Any, g: Any) -> list[Any]:
    from graphlab.ops import comparison, math, selection

    gradients, outputs = op.inputs
    curved = selection.where(comparison.less(outputs, 0), math.multiply(g, gradients), _zeros(outputs))
    return [bind(SELU_GRAD, (g, outputs)), curved]


_UNARY = "features: T -> activations: T"
_GRADIENT = "gradients: T, features: T -> backprops: T"


def _relu_gradient(op: Any, dy: Any) -> Any:
    return bind(RELU_GRAD, (dy, op.outputs[0]))


def _relu_grad_gradient(op: Any, g: Any) -> Any:
    return [bind(RELU_GRAD, (g, op.inputs[1])), _zeros(op.inputs[1])]


def _relu6_gradient(op: Any, dy: Any) -> Any:
    return bind(RELU6_GRAD, (dy, op.outputs[0]))


def _relu6_grad_gradient(op: Any, g: Any) -> Any:
    return [bind(RELU6_GRAD, (g, op.inputs[1])), _zeros(op.inputs[1])]


def _elu_gradient(op: Any, dy: Any) -> Any:
    return bind(ELU_GRAD, (dy, op.outputs[0]))


def _selu_gradient(op: Any, dy: Any) -> Any:
    return bind(SELU_GRAD, (dy, op.outputs[0]))


def _leaky_relu_gradient(op: Any, dy: Any) -> Any:
    return bind(LEAKY_RELU_GRAD, (dy, op.inputs[0]), {"alpha": op.attrs["alpha"]})


def _leaky_relu_grad_gradient(op: Any, g: Any) -> Any:
    return [bind(LEAKY_RELU_GRAD, (g, op.inputs[1]), {"alpha": op.attrs["alpha"]}), _zeros(op.inputs[1])]


RELU = define("Relu", _UNARY, kernel={dtypes.bfloat16: _relu_bfloat16, None: _relu},
              infer=inference.unchanged, types={"T": REAL},
              gradient=_relu_gradient)  # fmt: skip
RELU_GRAD = define("ReluGrad", _GRADIENT, kernel=_relu_grad, infer=inference.same_shape, types={"T": REAL},
                   gradient=_relu_grad_gradient)  # fmt: skip
RELU6 = define("Relu6", _UNARY, kernel={dtypes.bfloat16: _relu6_bfloat16, None: _relu6},
               infer=inference.unchanged, types={"T": REAL},
               gradient=_relu6_gradient)  # fmt: skip
RELU6_GRAD = define("Relu6Grad", _GRADIENT, kernel=_relu6_grad, infer=inference.same_shape, types={"T": REAL},
                    gradient=_relu6_grad_gradient)  # fmt: skip
ELU = define("Elu", _UNARY, kernel=_elu, infer=inference.unchanged, types={"T": FLOAT},
             gradient=_elu_gradient)  # fmt: skip
ELU_GRAD = define("EluGrad", "gradients: T, outputs: T -> backprops: T", kernel=_elu_grad, infer=inference.same_shape,
                  types={"T": FLOAT}, gradient=_elu_grad_grad)  # fmt: skip
SELU = define("Selu", _UNARY, kernel=_selu, infer=inference.unchanged, types={"T": FLOAT},
              gradient=_selu_gradient)  # fmt: skip
SELU_GRAD = define("SeluGrad", "gradients: T, outputs: T -> backprops: T", kernel=_selu_grad,
                   infer=inference.same_shape, types={"T": FLOAT}, gradient=_selu_grad_grad)  # fmt: skip
LEAKY_RELU = define(
    "LeakyRelu", _UNARY, kernel=_leaky_relu, infer=inference.unchanged, types={"T": FLOAT},
    defaults={"T": dtypes.float32}, attrs={"alpha": 0.2},
    gradient=_leaky_relu_gradient,
)  # fmt: skip
LEAKY_RELU_GRAD = define(
    "LeakyReluGrad", _GRADIENT, kernel=_leaky_relu_grad, infer=inference.same_shape, types={"T": FLOAT},
    attrs={"alpha": 0.2},
    gradient=_leaky_relu_grad_gradient,
)  # fmt: skip


@public("nn.relu")
def relu(features: Any, name: str | None = None) -> Any:
    """Returns ``max(features, 0)`` element-wise.

    Args:
      features: a tensor of a real dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.relu([-2.0, 3.0]).numpy()
    array([0., 3.], dtype=float32)
    """
    return bind(RELU, (features,), None, name)


@public("nn.relu6")
@over_values
def relu6(features: Any, name: str | None = None) -> Any:
    """Returns ``min(max(features, 0), 6)`` element-wise.

    Args:
      features: a tensor of a real dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.relu6([-2.0, 3.0, 9.0]).numpy()
    array([0., 3., 6.], dtype=float32)
    """
    with name_scope(name, "Relu6") as scope:
        return bind(RELU6, (convert_to_tensor(features, name="features"),), None, scope or name)


@public("nn.elu")
def elu(features: Any, name: str | None = None) -> Any:
    """Returns ``exp(features) - 1`` where it is negative, else ``features``.

    Args:
      features: a tensor of a floating-point dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.elu([-1.0, 3.0]).numpy().round(4)
    array([-0.6321,  3.    ], dtype=float32)
    """
    return bind(ELU, (features,), None, name)


@public("nn.selu")
def selu(features: Any, name: str | None = None) -> Any:
    """Returns the scaled exponential linear unit.

    It is ``scale * alpha * (exp(features) - 1)`` below 0, else ``scale * features``.

    Args:
      features: a tensor of a floating-point dtype.
      name: a name for the node.

    The constants are those of Klambauer et al. 2017, "Self-Normalizing Neural Networks".

    >>> import graphlab as tf
    >>> tf.nn.selu([-1.0, 1.0]).numpy().round(4)
    array([-1.1113,  1.0507], dtype=float32)
    """
    return bind(SELU, (features,), None, name)


@public("nn.leaky_relu")
@over_values
def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Any:
    """Returns ``features`` where positive, else ``alpha * features``.

    Args:
      features: a tensor of a floating-point dtype; integers are taken as float32.
      alpha: the slope below 0.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.leaky_relu([-1.0, 3.0]).numpy()
    array([-0.2,  3. ], dtype=float32)
    """
    with name_scope(name, "LeakyRelu") as scope:
        features = convert_to_tensor(features, name="features")
        if features.dtype.is_integer:
            from graphlab.ops.casting import cast

            features = cast(features, dtypes.float32)
        if isinstance(alpha, Tensor):
            raise TypeError(f"alpha must be a Python number, not a tensor: {alpha!r:.100}.")
        return bind(LEAKY_RELU, (features,), {"alpha": alpha}, scope or name)


@public("nn.crelu")
def crelu(features: Any, axis: Any = -1, name: str | None = None) -> Any:
    """Joins ``relu(features)`` and ``relu(-features)`` along an axis.

    Args:
      features: a tensor of a floating-point dtype or a signed integer.
      axis: the axis, which gets twice as long.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.nn.crelu([-2.0, 3.0]).numpy()
    array([0., 3., 2., 0.], dtype=float32)
    """
    from graphlab.ops.array import concat
    from graphlab.ops.math import negative

    with name_scope(name, "CRelu") as scope:
        features = convert_to_tensor(features, name="features")
        return relu(concat([features, negative(features)], axis, name=scope))


@public("nn.gelu")
@over_values
def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Any:
    """Returns ``features * P(X <= features)`` for a standard normal X.

    Args:
      features: a tensor of a floating-point dtype.
      approximate: use the formula with tanh instead of the error function.
      name: a name for the nodes' scope.

    Raises:
      ValueError: for integers.

    Both formulas are from Hendrycks and Gimpel 2016, "Gaussian Error Linear Units".

    >>> import graphlab as tf
    >>> tf.nn.gelu([-1.0, 0.0, 1.0]).numpy().round(4)
    array([-0.1587,  0.    ,  0.8413], dtype=float32)
    """
    from graphlab.ops import math, special, trigonometry

    with name_scope(name, "Gelu"):
        x = convert_to_tensor(features, name="features")
        if not x.dtype.is_floating:
            raise ValueError(f"`features.dtype` must be a floating point tensor. Received: features.dtype={x.dtype!r}")
        if approximate:
            coefficient = _single(0.044715, x)
            # 0.797... is sqrt(2 / π)
            return 0.5 * x * (1.0 + trigonometry.tanh(0.7978845608028654 * (x + coefficient * math.pow(x, 3))))
        return 0.5 * x * special.erfc(-x * _single(0.7071067811865476, x))


def _single(value: float, x: Any) -> Any:
    """A coefficient in the dtype of x, rounded to float32 first as TensorFlow's is."""
    from graphlab.ops.casting import cast

    return cast(value, x.dtype)


@public("nn.silu", "nn.swish")
@over_values
def silu(features: Any, beta: Any = 1.0) -> Any:
    """Returns ``features * sigmoid(beta * features)``.

    Args:
      features: a tensor of a floating-point dtype.
      beta: a scalar.

    The function is from Hendrycks and Gimpel 2016 (SiLU) and Ramachandran et al. 2017 (swish).

    >>> import graphlab as tf
    >>> tf.nn.silu([-1.0, 1.0]).numpy().round(4)
    array([-0.2689,  0.7311], dtype=float32)
    """
    from graphlab.ops import array, unary
    from graphlab.ops.casting import cast

    features = convert_to_tensor(features, name="features")
    beta = cast(convert_to_tensor(beta, name="beta"), features.dtype)
    result = features * unary.sigmoid(beta * features)
    if state.graph is None:
        return result
    array.identity(result)  # TensorFlow's has a gradient of its own, and so these two nodes
    return array.identity_n([result, features, beta])[0]
