"""Pooling: the maximum or the mean of the elements below a sliding window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.op import FLOAT, REAL, REQUIRED, Arg, define
from graphlab.ops import inference, pool_kernels
from graphlab.ops.conv_arrays import invalid
from graphlab.ops.conv_geometry import spatial
from graphlab.ops.convolution import attributes, each_axis, padding_attributes, padding_name, sizes_of
from graphlab.ops.inference import Shape
from graphlab.ops.windows import output_shape

# --------------------------------------------------------------------------------------------- inference and gradients


def _pooled_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    shape = args[0].shape
    data_format = attrs["data_format"]
    channels = None if shape is None else inference.with_rank(shape, len(data_format))[data_format.index("C")]
    return output_shape(shape, spatial(attrs["ksize"], data_format), dict(attrs), channels)


def _max_pool_gradient(op: Any, dy: Any) -> Any:
    return bind(_MAX[op.type][1], (op.inputs[0], op.outputs[0], dy), attributes(op))


def _zeros(x: Any) -> Any:
    from graphlab.ops.creation import zeros_like

    return zeros_like(x)


def _max_pool_grad_gradient(op: Any, g: Any) -> list[Any]:
    x, y, _ = op.inputs
    forward = op.type.removesuffix("Grad")
    return [_zeros(x), _zeros(y), bind(_MAX[forward][2], (x, y, g), attributes(op))]


def _max_pool_grad_grad_gradient(op: Any, g: Any) -> list[Any]:
    x, y, _ = op.inputs
    forward = op.type.removesuffix("GradGrad")
    return [_zeros(x), _zeros(y), bind(_MAX[forward][1], (x, y, g), attributes(op))]


def _avg_pool_gradient(op: Any, dy: Any) -> Any:
    return bind(_AVERAGE[op.type], (sizes_of(op.inputs[0]), dy), attributes(op))


def _avg_pool_grad_gradient(op: Any, g: Any) -> list[Any]:
    forward = AVG_POOL if op.type == "AvgPoolGrad" else AVG_POOL_3D
    return [None, bind(forward, (g,), attributes(op))]


_MAX_ATTRS: dict[str, Any] = {
    "ksize": REQUIRED, "strides": REQUIRED, "padding": REQUIRED, "explicit_paddings": [], "data_format": "NHWC",
}  # fmt: skip
_ATTRS: dict[str, Any] = {"ksize": REQUIRED, "strides": REQUIRED, "padding": REQUIRED, "data_format": "NHWC"}
_ATTRS_3D: dict[str, Any] = {**_ATTRS, "data_format": "NDHWC"}
_GRAD = "orig_input: T, orig_output: T, grad: T -> output: T"

# Of unsigned integers, TensorFlow pools the short ones; of floats over three axes, all but double.
_POOLED = REAL - {dtypes.uint32, dtypes.uint64}
_POOLED_3D = FLOAT - {dtypes.float64}

MAX_POOL = define("MaxPool", "input: T -> output: T", kernel=pool_kernels.max_pool, infer=_pooled_shape,
                  gradient=_max_pool_gradient, types={"T": _POOLED}, defaults={"T": dtypes.float32},
                  attrs=_MAX_ATTRS, can_fail=True)  # fmt: skip
MAX_POOL_GRAD = define("MaxPoolGrad", _GRAD, kernel=pool_kernels.max_pool_grad, infer=inference.unchanged,
                       gradient=_max_pool_grad_gradient, types={"T": REAL}, attrs=_MAX_ATTRS,
                       can_fail=True)  # fmt: skip
MAX_POOL_GRAD_GRAD = define("MaxPoolGradGrad", _GRAD, kernel=pool_kernels.max_pool_grad_grad,
                            infer=lambda args, _attrs: args[1].shape, gradient=_max_pool_grad_grad_gradient,
                            types={"T": REAL}, attrs=_MAX_ATTRS, can_fail=True)  # fmt: skip
AVG_POOL = define("AvgPool", "value: T -> output: T", kernel=pool_kernels.avg_pool, infer=_pooled_shape,
                  gradient=_avg_pool_gradient, types={"T": FLOAT}, attrs=_ATTRS, can_fail=True)  # fmt: skip
AVG_POOL_GRAD = define("AvgPoolGrad", "orig_input_shape: int32, grad: T -> output: T",
                       kernel=pool_kernels.avg_pool_grad, infer=lambda args, _attrs: inference.shape_of_value(args[0]),
                       gradient=_avg_pool_grad_gradient, types={"T": FLOAT}, attrs=_ATTRS, can_fail=True)  # fmt: skip
MAX_POOL_3D = define("MaxPool3D", "input: T -> output: T", kernel=pool_kernels.max_pool, infer=_pooled_shape,
                     gradient=_max_pool_gradient, types={"T": _POOLED_3D}, attrs=_ATTRS_3D, can_fail=True)  # fmt: skip
MAX_POOL_3D_GRAD = define("MaxPool3DGrad", _GRAD, kernel=pool_kernels.max_pool_grad, infer=inference.unchanged,
                          gradient=_max_pool_grad_gradient, types={"T": _POOLED_3D}, attrs=_ATTRS_3D,
                          can_fail=True)  # fmt: skip
MAX_POOL_3D_GRAD_GRAD = define("MaxPool3DGradGrad", _GRAD, kernel=pool_kernels.max_pool_grad_grad,
                               infer=lambda args, _attrs: args[1].shape, gradient=_max_pool_grad_grad_gradient,
                               types={"T": _POOLED_3D}, attrs=_ATTRS_3D, can_fail=True)  # fmt: skip
AVG_POOL_3D = define("AvgPool3D", "input: T -> output: T", kernel=pool_kernels.avg_pool, infer=_pooled_shape,
                     gradient=_avg_pool_gradient, types={"T": FLOAT}, attrs=_ATTRS_3D, can_fail=True)  # fmt: skip
AVG_POOL_3D_GRAD = define(
    "AvgPool3DGrad", "orig_input_shape: int32, grad: T -> output: T", kernel=pool_kernels.avg_pool_grad,
    infer=lambda args, _attrs: inference.shape_of_value(args[0]), gradient=_avg_pool_grad_gradient,
    types={"T": FLOAT}, attrs=_ATTRS_3D, can_fail=True,
)  # fmt: skip
_MAX = {
    "MaxPool": (MAX_POOL, MAX_POOL_GRAD, MAX_POOL_GRAD_GRAD),
    "MaxPool3D": (MAX_POOL_3D, MAX_POOL_3D_GRAD, MAX_POOL_3D_GRAD_GRAD),
}
_AVERAGE = {"AvgPool": AVG_POOL_GRAD, "AvgPool3D": AVG_POOL_3D_GRAD}

# ---------------------------------------------------------------------------------------------------- public functions

_FORMATS = {3: "NWC", 4: "NHWC", 5: "NDHWC"}
_MAX_NAMES = {3: "MaxPool1d", 4: "MaxPool2d", 5: "MaxPool3D"}
_AVG_NAMES = {3: "AvgPool1D", 4: "AvgPool", 5: "AvgPool3D"}


def _pool(
    kind: str, input: Any, ksize: Any, strides: Any, padding: Any, data_format: str, name: str | None, default: str
) -> Any:
    if len(data_format) not in _FORMATS or not {"N", "C"} <= set(data_format):
        raise invalid(f"Value for attr 'data_format' of \"{data_format}\" is not in the list of allowed values")
    rank = len(data_format)
    with name_scope(name, default) as scope:
        node = scope or name or default
        if rank == 3:
            return _pool_1d(kind, input, ksize, strides, padding, data_format, node)
        attrs: dict[str, Any] = {
            "ksize": each_axis(ksize, data_format, "ksize"),
            "strides": each_axis(strides, data_format, "strides"),
            "data_format": data_format,
        }
        if kind == "max" and rank == 4:
            return bind(MAX_POOL, (input,), {**attrs, **padding_attributes(padding)}, node)
        op = AVG_POOL if kind == "avg" and rank == 4 else AVG_POOL_3D if kind == "avg" else MAX_POOL_3D
        return bind(op, (input,), {**attrs, "padding": padding_name(padding)}, node)


def _pool_1d(kind: str, input: Any, ksize: Any, strides: Any, padding: Any, data_format: str, node: str) -> Any:
    from graphlab.ops.array import expand_dims, squeeze

    axis, flat = (1, "NHWC") if data_format == "NWC" else (2, "NCHW")
    sizes, steps = each_axis(ksize, data_format, "ksize"), each_axis(strides, data_format, "strides")
    if not isinstance(padding, str):
        if kind == "avg":
            padding_name(padding)
        padding_attributes(padding, 3)
        padding = [*padding[:axis], [0, 0], *padding[axis:]]
    image = expand_dims(input, axis)
    wide = [[*values[:axis], 1, *values[axis:]] for values in (sizes, steps)]
    return squeeze(_pool(kind, image, wide[0], wide[1], padding, flat, node, node), [axis])


def _format_of(input: Any, data_format: str | None) -> str:
    """The format that an input's rank says; a given one only says where the channels are."""
    shape = getattr(input, "_raw_shape", lambda: np.shape(input))()
    if shape is None:
        if data_format is None:
            raise ValueError("The rank of `input` must be known.")
        return data_format
    if len(shape) not in _FORMATS:
        raise ValueError(
            f"`input.shape.rank` must be 3, 4 or 5. Received: input.shape={tuple(shape)} of rank {len(shape)}."
        )
    return data_format or _FORMATS[len(shape)]


@public("nn.max_pool")
def max_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None, name: str | None = None
) -> Any:
    """Returns the maximum of the elements below a window that slides over one, two or three axes.

    Args:
      input: a tensor of rank 3, 4 or 5.
      ksize: the size of the window: a number, one for each spatial axis, or one for each axis.
      strides: how far it moves, likewise.
      padding: ``"VALID"``, ``"SAME"`` or (for rank 4) a list of pairs.
      data_format: where the channels are; last by default.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.max_pool(tf.reshape([1.0, 3.0, 2.0, 4.0], [1, 4, 1]), 2, 2, "VALID").numpy().ravel()
    array([3., 4.], dtype=float32)
    """
    own = _format_of(input, data_format)
    return _pool("max", input, ksize, strides, padding, own, name, _MAX_NAMES[len(own)])


@public("nn.avg_pool")
def avg_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None, name: str | None = None
) -> Any:
    """Returns the mean of the elements (not of the padding) below a window that slides over one, two or three axes.

    Args:
      input: a tensor of rank 3, 4 or 5, of a floating-point dtype.
      ksize: the size of the window: a number, one for each spatial axis, or one for each axis.
      strides: how far it moves, likewise.
      padding: ``"VALID"`` or ``"SAME"``.
      data_format: where the channels are; last by default.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.avg_pool(tf.reshape([1.0, 3.0, 2.0, 4.0], [1, 4, 1]), 2, 2, "VALID").numpy().ravel()
    array([2., 3.], dtype=float32)
    """
    own = _format_of(input, data_format)
    return _pool("avg", input, ksize, strides, padding, own, name, _AVG_NAMES[len(own)])


@public("nn.max_pool1d")
def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NWC", name: str | None = None
) -> Any:
    """``tf.nn.max_pool`` over one axis.

    Args:
      input: a tensor of rank 3.
      ksize: the size of the window.
      strides: how far it moves.
      padding: ``"VALID"`` or ``"SAME"``.
      data_format: ``"NWC"`` or ``"NCW"``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.max_pool1d(tf.ones([1, 4, 1]), 2, 2, "VALID").shape
    TensorShape([1, 2, 1])
    """
    return _pool("max", input, ksize, strides, padding, data_format, name, "MaxPool1d")


@public("nn.max_pool2d")
def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC", name: str | None = None
) -> Any:
    """``tf.nn.max_pool`` over two axes.

    Args:
      input: a tensor of rank 4.
      ksize: the size of the window.
      strides: how far it moves.
      padding: ``"VALID"``, ``"SAME"`` or a list of pairs.
      data_format: ``"NHWC"`` or ``"NCHW"``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.max_pool2d(tf.ones([1, 4, 4, 1]), 2, 2, "VALID").shape
    TensorShape([1, 2, 2, 1])
    """
    return _pool("max", input, ksize, strides, padding, data_format, name, "MaxPool2d")


@public("nn.max_pool3d")
def max_pool3d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC", name: str | None = None
) -> Any:
    """``tf.nn.max_pool`` over three axes.

    Args:
      input: a tensor of rank 5.
      ksize: the size of the window.
      strides: how far it moves.
      padding: ``"VALID"`` or ``"SAME"``.
      data_format: ``"NDHWC"`` or ``"NCDHW"``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.max_pool3d(tf.ones([1, 2, 2, 2, 1]), 2, 2, "VALID").shape
    TensorShape([1, 1, 1, 1, 1])
    """
    return _pool("max", input, ksize, strides, padding, data_format, name, "MaxPool3D")


@public("nn.avg_pool1d")
def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NWC", name: str | None = None
) -> Any:
    """``tf.nn.avg_pool`` over one axis.

    Args:
      input: a tensor of rank 3.
      ksize: the size of the window.
      strides: how far it moves.
      padding: ``"VALID"`` or ``"SAME"``.
      data_format: ``"NWC"`` or ``"NCW"``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.avg_pool1d(tf.ones([1, 4, 1]), 2, 2, "VALID").shape
    TensorShape([1, 2, 1])
    """
    return _pool("avg", input, ksize, strides, padding, data_format, name, "AvgPool1D")


@public("nn.avg_pool2d")
def avg_pool2d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC", name: str | None = None
) -> Any:
    """``tf.nn.avg_pool`` over two axes.

    Args:
      input: a tensor of rank 4.
      ksize: the size of the window.
      strides: how far it moves.
      padding: ``"VALID"`` or ``"SAME"``.
      data_format: ``"NHWC"`` or ``"NCHW"``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.avg_pool2d(tf.ones([1, 4, 4, 1]), 2, 2, "VALID").shape
    TensorShape([1, 2, 2, 1])
    """
    return _pool("avg", input, ksize, strides, padding, data_format, name, "AvgPool2D")


@public("nn.avg_pool3d")
def avg_pool3d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC", name: str | None = None
) -> Any:
    """``tf.nn.avg_pool`` over three axes.

    Args:
      input: a tensor of rank 5.
      ksize: the size of the window.
      strides: how far it moves.
      padding: ``"VALID"`` or ``"SAME"``.
      data_format: ``"NDHWC"`` or ``"NCDHW"``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.avg_pool3d(tf.ones([1, 2, 2, 2, 1]), 2, 2, "VALID").shape
    TensorShape([1, 1, 1, 1, 1])
    """
    return _pool("avg", input, ksize, strides, padding, data_format, name, "AvgPool3D")
