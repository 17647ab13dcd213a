"""Transposed convolutions over one or three axes, or of whichever rank, and convolutions by filters with holes."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import static
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, misfit, name_scope
from graphlab.core.export import public
from graphlab.core.shape import TensorShape
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.ops.conv import convolution
from graphlab.ops.convolution import (
    CONV2D_BY_INPUT,
    CONV3D_BY_INPUT,
    each_axis,
    padding_attributes,
    padding_name,
    small_on_each_axis,
)


@public("nn.conv1d_transpose")
def conv1d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: str = "SAME",
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose (the gradient by the input) of ``tf.nn.conv1d``: it spreads each element over a sequence.

    Args:
      input: a tensor of rank 3.
      filters: a tensor of the same dtype: width × output channels × input channels.
      output_shape: the shape of the result, a vector of int32.
      strides: the stride of the convolution: a number, or one for each axis.
      padding: its padding, ``"VALID"`` or ``"SAME"``.
      data_format: ``"NWC"`` or ``"NCW"``.
      dilations: its dilation.
      name: a name for the nodes' scope.

    Raises:
      ValueError: for another data format.
      tf.errors.InvalidArgumentError: if the shapes don't belong together.

    >>> import graphlab as tf
    >>> tf.nn.conv1d_transpose(tf.ones([1, 2, 1]), tf.ones([2, 1, 1]), [1, 3, 1], 1, "VALID").numpy().ravel()
    array([1., 2., 1.], dtype=float32)
    """
    from graphlab.ops.array import concat, expand_dims, squeeze

    if data_format not in ("NWC", "NCW"):
        raise ValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
    flat, axis = ("NHWC", 1) if data_format == "NWC" else ("NCHW", 2)
    with name_scope(name, "conv1d_transpose") as scope:
        step, spread = (each_axis(n, data_format, what) for n, what in ((strides, "strides"), (dilations, "dilations")))
        attrs = {
            "strides": [*step[:axis], 1, *step[axis:]],
            "dilations": [*spread[:axis], 1, *spread[axis:]],
            "data_format": flat,
            "padding": padding_name(padding),
        }
        image, wide = expand_dims(input, axis), expand_dims(filters, 0)
        sizes = output_shape
        if not isinstance(sizes, (list, tuple)):
            if not hasattr(sizes, "dtype") and not isinstance(sizes, TensorShape):
                text = f"output_shape must be a list or a tensor, not {sizes!r:.100}."
                raise misfit(text) if isinstance(sizes, dict) and state.graph is None else TypeError(text)
            sizes = convert_to_tensor(sizes)
        whole = concat([sizes[:axis], [1], sizes[axis:]], 0)
        result = bind(CONV2D_BY_INPUT, (whole, wide, image), attrs, scope or name)
        return squeeze(result, [axis])


@public("nn.conv2d_transpose")
def conv2d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose (the gradient by the input) of ``tf.nn.conv2d``: it spreads each element over an image.

    Args:
      input: a tensor of rank 4.
      filters: a tensor of the same dtype: height × width × output channels × input channels.
      output_shape: the shape of the result, a vector of int32.
      strides: the strides of the convolution.
      padding: its padding.
      data_format: ``"NHWC"`` or ``"NCHW"``.
      dilations: its dilations.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.conv2d_transpose(tf.ones([1, 1, 1, 1]), tf.ones([2, 2, 1, 1]), [1, 2, 2, 1], 2).numpy().ravel()
    array([1., 1., 1., 1.], dtype=float32)
    """
    attrs = {
        "strides": small_on_each_axis(strides, data_format, "strides"),
        "dilations": each_axis(dilations, data_format, "dilations"),
        "data_format": data_format,
        **padding_attributes(padding),
    }
    with name_scope(name, "conv2d_transpose") as scope:
        return bind(CONV2D_BY_INPUT, (output_shape, filters, input), attrs, scope or name)


@public("nn.conv3d_transpose")
def conv3d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: str = "SAME",
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose (the gradient by the input) of ``tf.nn.conv3d``: it spreads each element over a volume.

    Args:
      input: a tensor of rank 5.
      filters: a tensor of the same dtype: three sizes × output channels × input channels.
      output_shape: the shape of the result, a vector of int32 or int64.
      strides: the strides of the convolution: a number, one for each spatial axis, or one for each axis.
      padding: its padding, ``"VALID"`` or ``"SAME"``.
      data_format: ``"NDHWC"`` or ``"NCDHW"``.
      dilations: its dilations.
      name: a name for the node.

    >>> import graphlab as tf
    >>> x = tf.ones([1, 1, 1, 1, 1])
    >>> tf.nn.conv3d_transpose(x, tf.ones([2, 2, 2, 1, 1]), [1, 2, 2, 2, 1], 2).numpy().sum()
    np.float32(8.0)
    """
    attrs = {
        "strides": each_axis(strides, data_format, "strides"),
        "dilations": each_axis(dilations, data_format, "dilations"),
        "data_format": data_format,
        "padding": padding_name(padding),
    }
    with name_scope(name, "conv3d_transpose") as scope:
        return bind(CONV3D_BY_INPUT, (output_shape, filters, input), attrs, scope or name)


@public("nn.conv_transpose")
def conv_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose of a convolution over one, two or three axes, as many as ``output_shape`` has.

    Args:
      input: a tensor of rank 3, 4 or 5.
      filters: a tensor of the same rank and dtype: sizes × output channels × input channels.
      output_shape: the shape of the result, a vector of int32 of known length.
      strides: the strides of the convolution: a number, one for each spatial axis, or one for each axis.
      padding: its padding.
      data_format: where the channels are: last by default, ``"NCW"``, ``"NCHW"`` or ``"NCDHW"`` for second.
      dilations: its dilations.
      name: a name for the node.

    Raises:
      ValueError: for another rank.

    >>> import graphlab as tf
    >>> tf.nn.conv_transpose(tf.ones([1, 2, 1]), tf.ones([2, 1, 1]), [1, 3, 1], 1, "VALID").shape
    TensorShape([1, 3, 1])
    """
    functions = {
        3: (conv1d_transpose, "NWC"),
        4: (conv2d_transpose, "NHWC"),
        5: (conv3d_transpose, "NDHWC"),
    }
    with name_scope(name, "conv_transpose") as scope:
        if isinstance(output_shape, (list, tuple)):
            rank: int | None = len(output_shape)
        else:
            output_shape = convert_to_tensor(output_shape, name="output_shape")
            rank = output_shape.shape[0] if output_shape.shape.rank == 1 else None
        if rank not in functions:
            raise ValueError(f"`output_shape` must be a vector of 3, 4 or 5 sizes. Received: {output_shape}")
        function, default = functions[rank]
        step = 1 if strides is None else strides
        return function(input, filters, output_shape, step, padding, data_format or default, dilations, scope or name)


@public("nn.atrous_conv2d")
def atrous_conv2d(value: Any, filters: Any, rate: Any, padding: str, name: str | None = None) -> Any:
    """Slides filters with holes over images: as ``tf.nn.convolution`` with ``dilations=rate``.

    Args:
      value: a tensor of rank 4, channels last.
      filters: a tensor of the same dtype: height × width × channels × output channels.
      rate: the distance between the elements below a filter.
      padding: ``"VALID"`` or ``"SAME"``.
      name: a name for the node.

    Raises:
      ValueError: for a rate below 1.

    >>> import graphlab as tf
    >>> x = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> tf.nn.atrous_conv2d(x, tf.ones([2, 2, 1, 1]), 2, "VALID").numpy().item()
    16.0
    """
    if rate is None or isinstance(rate, dict):
        raise TypeError(f"`rate` must be an int, not {rate!r:.100}")
    if not isinstance(rate, (int, float, Tensor, np.number)) or (
        isinstance(rate, EagerTensor) and not (rate.dtype.is_integer or rate.dtype.is_floating)
    ):
        raise ValueError(f"`rate` must be an int, not {rate!r:.100}")
    if rate < 1:
        raise ValueError(f"all values of `dilation_rate` must be positive. Received: dilation_rate={[rate, rate]}")
    return convolution(value, filters, padding=padding, dilations=[rate, rate], name=name)


@public("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: int, padding: str, name: str | None = None
) -> Any:
    """The transpose (the gradient by the input) of ``tf.nn.atrous_conv2d``.

    Args:
      value: a tensor of rank 4, channels last.
      filters: a tensor of the same dtype: height × width × output channels × input channels.
      output_shape: the shape of the result, a vector of int32.
      rate: the distance between the elements below a filter.
      padding: ``"VALID"`` or ``"SAME"``.
      name: a name for the nodes' scope.

    Raises:
      ValueError: for a rate below 1, or channels that don't fit.

    >>> import graphlab as tf
    >>> x = tf.ones([1, 1, 1, 1])
    >>> tf.nn.atrous_conv2d_transpose(x, tf.ones([2, 2, 1, 1]), [1, 3, 3, 1], 2, "VALID").numpy().ravel()
    array([1., 0., 1., 0., 0., 0., 1., 0., 1.], dtype=float32)
    """
    with name_scope(name, "atrous_conv2d_transpose"):
        value, filters = convert_to_tensor(value, name="value"), convert_to_tensor(filters, name="filters")
        known, sizes = value._raw_shape(), filters._raw_shape()
        if known is not None and sizes is not None and None not in (known[3], sizes[3]) and known[3] != sizes[3]:
            raise ValueError(
                "`value` channel count must be compatible with `filters` input channel count. "
                f"Received: value.shape={known} with channel count {known[3]} and filters.shape={sizes} with input "
                f"channel count {sizes[3]}."
            )
        if rate < 1:
            raise ValueError(f"`rate` cannot be less than one. Received: rate={rate}")
        if padding not in ("VALID", "SAME"):
            raise ValueError(f"`padding` must be either 'VALID' or 'SAME'. Received: padding={padding}")
        wanted = output_shape
        if not isinstance(wanted, (list, tuple, np.ndarray)):
            wanted = static.value(convert_to_tensor(output_shape, name="output_shape"))
        if wanted is not None and sizes is not None and len(wanted) == 4 and sizes[2] != wanted[3]:
            raise ValueError(
                "`output_shape` channel count must be compatible with `filters` output channel count. "
                f"Received: output_shape={list(wanted)} with channel count {wanted[3]} and filters.shape={sizes} with "
                f"output channel count {sizes[2]}."
            )
        return conv2d_transpose(value, filters, output_shape, 1, padding, "NHWC", int(rate), name="Conv2DBackpropInput")
