"""Convolutions by their raw forms: ``tf.conv`` and the gradients of convolutions as functions of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.state import state
from graphlab.ops.convolution import (
    CONV2D,
    CONV2D_BY_FILTER,
    CONV2D_BY_INPUT,
    CONV3D,
    DEPTHWISE_BY_FILTER,
    DEPTHWISE_BY_INPUT,
    padding_attributes,
    sizes_of,
)
from graphlab.ops.lazily import ops


def _refused(message: str) -> Exception:
    return InvalidArgumentError(None, None, message) if state.graph is None else ValueError(message)


@public("conv")
def conv(
    input: Any, filter: Any, strides: Sequence[int], padding: str, explicit_paddings: Sequence[int] = (),
    data_format: str = "CHANNELS_LAST", dilations: Sequence[int] = (), batch_dims: int = 1, groups: int = 1,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Slides filters over two or three axes.

    Args:
      input: a tensor: ``batch_dims`` axes, then two or three, and one of channels.
      filter: a tensor of the same dtype: two or three sizes × channels / groups × output channels.
      strides: how far the filters move, one number for each axis (of batches there is one).
      padding: ``"VALID"``, ``"SAME"`` or ``"EXPLICIT"``.
      explicit_paddings: for ``"EXPLICIT"``, two numbers for each axis.
      data_format: ``"CHANNELS_LAST"`` or ``"CHANNELS_FIRST"``.
      dilations: the distance between the elements below a filter, one number for each axis; empty: 1.
      batch_dims: the number of batch axes.
      groups: the number of groups of channels, each convolved by itself.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: for numbers or shapes that don't fit (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.conv(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), [1, 1, 1, 1], "VALID").shape
    TensorShape([1, 2, 2, 1])
    """
    with name_scope(name, "Conv"):
        x = convert_to_tensor(input, name="input")
        f = convert_to_tensor(filter, x.dtype, name="filter")
        shape, window = x._raw_shape(), f._raw_shape()
        if shape is None or window is None:
            raise ValueError("tf.conv needs to know the ranks of its arguments.")
        axes = len(shape) - batch_dims - 1
        if axes not in (2, 3):
            raise _refused(f"The input must have 2 or 3 spatial dimensions but got {axes}")
        if len(strides) != axes + 2:
            raise _refused(f"Sliding window strides field must specify {axes + 2} dimensions")
        if len(window) != axes + 2:
            raise _refused(f"The filter must have rank {axes + 2}, but has {len(window)}.")
        if data_format not in ("CHANNELS_LAST", "CHANNELS_FIRST"):
            raise _refused(f"Value for attr 'data_format' of \"{data_format}\" is not in the list of allowed values")
        last = data_format == "CHANNELS_LAST"
        channels = shape[-1 if last else batch_dims]
        if channels is not None and window[-2] is not None and channels != window[-2] * groups:
            raise _refused(f"The filter takes {window[-2]} × {groups} channels, but the input has {channels}.")
        attrs: dict[str, Any] = {
            "strides": [int(n) for n in strides],
            "padding": padding,
            "dilations": [int(n) for n in dilations] or [1] * (axes + 2),
            "data_format": {2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}[axes][not last],
        }
        if axes == 2:
            attrs["explicit_paddings"] = [int(n) for n in explicit_paddings]
        elif padding == "EXPLICIT":
            pairs = [list(explicit_paddings[at : at + 2]) for at in range(0, len(explicit_paddings), 2)]
            before = [[0, 0]] * (batch_dims - 1) + pairs
            x, attrs["padding"] = ops.pad(x, before), "VALID"
        record = CONV2D if axes == 2 else CONV3D
        if batch_dims == 1:
            return bind(record, (x, f), attrs)
        sizes = ops.shape(x)
        whole = bind(record, (ops.reshape(x, ops.concat([[-1], sizes[batch_dims:]], 0)), f), attrs)
        return ops.reshape(whole, ops.concat([sizes[:batch_dims], ops.shape(whole)[1:]], 0))


def _plane(
    strides: Any, padding: str, use_cudnn_on_gpu: bool, explicit_paddings: Any, data_format: str, dilations: Any
) -> dict[str, Any]:
    return {
        "strides": [int(n) for n in strides],
        "padding": padding,
        "use_cudnn_on_gpu": use_cudnn_on_gpu,
        "explicit_paddings": [int(n) for n in explicit_paddings],
        "data_format": data_format,
        "dilations": [int(n) for n in dilations],
    }


@public("conv2d_backprop_filter_v2")
def conv2d_backprop_filter_v2(
    input: Any, filter: Any, out_backprop: Any, strides: Any, padding: str, use_cudnn_on_gpu: bool = True,
    explicit_paddings: Any = (), data_format: str = "NHWC", dilations: Any = (1, 1, 1, 1), name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of ``tf.nn.conv2d`` with respect to its filters.

    Args:
      input: the images of the convolution.
      filter: a tensor of the filters' shape; its values are not used.
      out_backprop: the gradient with respect to the result.
      strides, padding, explicit_paddings, data_format, dilations: those of the convolution, as attributes of the node.
      use_cudnn_on_gpu: has no effect here.
      name: a name for the node.

    Returns:
      A tensor of the filters' shape.

    Raises:
      tf.errors.InvalidArgumentError: for shapes that don't fit.

    >>> import graphlab as tf
    >>> x, f, dy = tf.ones([1, 3, 3, 1]), tf.zeros([2, 2, 1, 1]), tf.ones([1, 2, 2, 1])
    >>> tf.conv2d_backprop_filter_v2(x, f, dy, [1, 1, 1, 1], "VALID").numpy().ravel()
    array([4., 4., 4., 4.], dtype=float32)
    """
    attrs = _plane(strides, padding, use_cudnn_on_gpu, explicit_paddings, data_format, dilations)
    return bind(CONV2D_BY_FILTER, (input, sizes_of(convert_to_tensor(filter)), out_backprop), attrs, name)


@public("conv2d_backprop_input_v2")
def conv2d_backprop_input_v2(
    input: Any, filter: Any, out_backprop: Any, strides: Any, padding: str, use_cudnn_on_gpu: bool = True,
    explicit_paddings: Any = (), data_format: str = "NHWC", dilations: Any = (1, 1, 1, 1), name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of ``tf.nn.conv2d`` with respect to its input, of which only the shape is used.

    Arguments as for ``tf.conv2d_backprop_filter_v2``.

    >>> import graphlab as tf
    >>> x, f, dy = tf.zeros([1, 2, 2, 1]), tf.ones([2, 2, 1, 1]), tf.ones([1, 1, 1, 1])
    >>> tf.conv2d_backprop_input_v2(x, f, dy, [1, 1, 1, 1], "VALID").numpy().ravel()
    array([1., 1., 1., 1.], dtype=float32)
    """
    attrs = _plane(strides, padding, use_cudnn_on_gpu, explicit_paddings, data_format, dilations)
    return bind(CONV2D_BY_INPUT, (sizes_of(convert_to_tensor(input)), filter, out_backprop), attrs, name)


def _deep(strides: Any, padding: Any, data_format: str, dilations: Any) -> dict[str, Any]:
    return {
        "strides": [int(n) for n in strides],
        "data_format": data_format,
        "dilations": [int(n) for n in dilations],
        **padding_attributes(padding),
    }


@public("nn.depthwise_conv2d_backprop_filter")
def depthwise_conv2d_backprop_filter(
    input: Any, filter_sizes: Any, out_backprop: Any, strides: Any, padding: Any, data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1), name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of ``tf.nn.depthwise_conv2d`` with respect to its filters.

    Args:
      input: the images of the convolution.
      filter_sizes: the filters' shape: height, width, channels, filters for each channel.
      out_backprop: the gradient with respect to the result.
      strides, padding, data_format, dilations: those of the convolution.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: for shapes that don't fit.

    >>> import graphlab as tf
    >>> x, dy = tf.ones([1, 3, 3, 1]), tf.ones([1, 2, 2, 1])
    >>> tf.nn.depthwise_conv2d_backprop_filter(x, [2, 2, 1, 1], dy, [1, 1, 1, 1], "VALID").numpy().ravel()
    array([4., 4., 4., 4.], dtype=float32)
    """
    attrs = _deep(strides, padding, data_format, dilations)
    return bind(DEPTHWISE_BY_FILTER, (input, filter_sizes, out_backprop), attrs, name)


@public("nn.depthwise_conv2d_backprop_input")
def depthwise_conv2d_backprop_input(
    input_sizes: Any, filter: Any, out_backprop: Any, strides: Any, padding: Any, data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1), name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of ``tf.nn.depthwise_conv2d`` with respect to its input.

    Args:
      input_sizes: the input's shape.
      filter: the filters.
      out_backprop, strides, padding, data_format, dilations, name: as for
        ``tf.nn.depthwise_conv2d_backprop_filter``.

    >>> import graphlab as tf
    >>> f, dy = tf.ones([2, 2, 1, 1]), tf.ones([1, 1, 1, 1])
    >>> tf.nn.depthwise_conv2d_backprop_input([1, 2, 2, 1], f, dy, [1, 1, 1, 1], "VALID").numpy().ravel()
    array([1., 1., 1., 1.], dtype=float32)
    """
    attrs = _deep(strides, padding, data_format, dilations)
    return bind(DEPTHWISE_BY_INPUT, (input_sizes, filter, out_backprop), attrs, name)
