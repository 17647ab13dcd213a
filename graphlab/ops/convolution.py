"""Convolutions over one, two and three axes, depthwise and transposed ones, and their gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.op import FLOAT, INDEX, REQUIRED, Arg, define
from graphlab.ops import conv_arrays, inference
from graphlab.ops.inference import Shape
from graphlab.ops.windows import output_shape

# ----------------------------------------------------------------------------------------------------------- inference


def _convolved_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    rank = len(attrs["data_format"])
    f = inference.with_rank(args[1].shape, rank, "A filter")
    shape = args[0].shape
    if shape is not None:
        channels = inference.with_rank(shape, rank, "The input")[attrs["data_format"].index("C")]
        if channels is not None and f[-2] is not None and (f[-2] == 0 or channels % f[-2]):
            raise ValueError(f"Depth of input ({channels}) is not a multiple of input depth of filter ({f[-2]}).")
        if channels is not None and f[-2] and f[-1] is not None and f[-1] % (channels // f[-2]):
            raise ValueError(
                f"Depth of output ({f[-1]}) is not a multiple of the number of groups ({channels // f[-2]})."
            )
    return output_shape(shape, f[:-2], dict(attrs), f[-1])


def _depthwise_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    f = inference.with_rank(args[1].shape, 4, "A filter")
    if args[0].shape is not None:
        have = inference.with_rank(args[0].shape, 4, "The input")[attrs["data_format"].index("C")]
        inference.merge_dim(have, f[2], "The channels of the input and of the filter")
    channels = None if f[2] is None or f[3] is None else f[2] * f[3]
    return output_shape(args[0].shape, f[:2], dict(attrs), channels)


def _by_input_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    said = inference.shape_of_value(args[0])
    rank = len(attrs["data_format"])
    if said is None or len(said) != rank:
        said = (None,) * rank
    gradient = args[2].shape
    return said if gradient is None else (inference.merge_dim(said[0], gradient[0], "The batch sizes"), *said[1:])


def _by_filter_shape(args: Sequence[Arg], _attrs: Mapping[str, Any]) -> Shape:
    return inference.shape_of_value(args[1])


# ----------------------------------------------------------------------------------------------------------- gradients


def _sizes(x: Any) -> Any:
    from graphlab.ops.array_shape import shape

    known = x._raw_shape()
    return shape(x) if known is None or None in known else np.array(known, np.int32)


def _attributes(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in op.record.attrs}


class _Family:
    """A convolution with its two gradients, each of which is made of the other ones."""

    def __init__(self, forward: str, by_input: str, by_filter: str) -> None:
        self.names = (forward, by_input, by_filter)

    def _bind(self, which: int, inputs: tuple[Any, ...], op: Any) -> Any:
        return bind(_RECORDS[self.names[which]], inputs, _attributes(op))

    def forward_gradient(self, op: Any, dy: Any) -> list[Any]:
        x, f = op.inputs
        return [
            self._bind(1, (_sizes(x), f, dy), op) if op.needs(0) else None,
            self._bind(2, (x, _sizes(f), dy), op) if op.needs(1) else None,
        ]

    def by_input_gradient(self, op: Any, g: Any) -> list[Any]:
        _, f, dy = op.inputs
        return [None, self._bind(2, (g, _sizes(f), dy), op), self._bind(0, (g, f), op)]

    def by_filter_gradient(self, op: Any, g: Any) -> list[Any]:
        x, _, dy = op.inputs
        return [self._bind(1, (_sizes(x), g, dy), op), None, self._bind(0, (x, g), op)]


_PLANE = _Family("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter")
_SPACE = _Family("Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2")
_DEPTH = _Family("DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter")

_ATTRS_3D: dict[str, Any] = {"strides": REQUIRED, "padding": REQUIRED, "data_format": "NDHWC", "dilations": [1] * 5}
_ATTRS_DEPTH: dict[str, Any] = {
    "strides": REQUIRED, "padding": REQUIRED, "explicit_paddings": [], "data_format": "NHWC", "dilations": [1] * 4,
}  # fmt: skip
_ATTRS_2D: dict[str, Any] = {**_ATTRS_DEPTH, "use_cudnn_on_gpu": True}
_2D = {"T": FLOAT | {dtypes.int32}}
_3D = {"T": FLOAT, "Tshape": INDEX}

CONV2D = define("Conv2D", "input: T, filter: T -> output: T", kernel=conv_arrays.convolve, infer=_convolved_shape,
                gradient=_PLANE.forward_gradient, types=_2D, attrs=_ATTRS_2D, can_fail=True)  # fmt: skip
CONV2D_BY_INPUT = define(
    "Conv2DBackpropInput", "input_sizes: int32, filter: T, out_backprop: T -> output: T", kernel=conv_arrays.by_input,
    infer=_by_input_shape, gradient=_PLANE.by_input_gradient, types=_2D, attrs=_ATTRS_2D, can_fail=True,
)  # fmt: skip
CONV2D_BY_FILTER = define(
    "Conv2DBackpropFilter", "input: T, filter_sizes: int32, out_backprop: T -> output: T", kernel=conv_arrays.by_filter,
    infer=_by_filter_shape, gradient=_PLANE.by_filter_gradient, types=_2D, attrs=_ATTRS_2D, can_fail=True,
)  # fmt: skip
CONV3D = define("Conv3D", "input: T, filter: T -> output: T", kernel=conv_arrays.convolve, infer=_convolved_shape,
                gradient=_SPACE.forward_gradient, types=_3D, attrs=_ATTRS_3D, can_fail=True)  # fmt: skip
CONV3D_BY_INPUT = define(
    "Conv3DBackpropInputV2", "input_sizes: Tshape, filter: T, out_backprop: T -> output: T",
    kernel=conv_arrays.by_input,
    infer=_by_input_shape, gradient=_SPACE.by_input_gradient, types=_3D, attrs=_ATTRS_3D, can_fail=True,
)  # fmt: skip
CONV3D_BY_FILTER = define(
    "Conv3DBackpropFilterV2", "input: T, filter_sizes: int32, out_backprop: T -> output: T",
    kernel=conv_arrays.by_filter,
    infer=_by_filter_shape, gradient=_SPACE.by_filter_gradient, types=_3D, attrs=_ATTRS_3D, can_fail=True,
)  # fmt: skip
DEPTHWISE = define(
    "DepthwiseConv2dNative", "input: T, filter: T -> output: T", kernel=conv_arrays.depthwise, infer=_depthwise_shape,
    gradient=_DEPTH.forward_gradient, types={"T": FLOAT}, attrs=_ATTRS_DEPTH, can_fail=True, name="depthwise",
)  # fmt: skip
DEPTHWISE_BY_INPUT = define(
    "DepthwiseConv2dNativeBackpropInput", "input_sizes: int32, filter: T, out_backprop: T -> output: T",
    kernel=conv_arrays.depthwise_by_input, infer=_by_input_shape, gradient=_DEPTH.by_input_gradient, types={"T": FLOAT},
    attrs=_ATTRS_DEPTH, can_fail=True,
)  # fmt: skip
DEPTHWISE_BY_FILTER = define(
    "DepthwiseConv2dNativeBackpropFilter", "input: T, filter_sizes: int32, out_backprop: T -> output: T",
    kernel=conv_arrays.depthwise_by_filter, infer=_by_filter_shape, gradient=_DEPTH.by_filter_gradient,
    types={"T": FLOAT},
    attrs=_ATTRS_DEPTH, can_fail=True,
)  # fmt: skip
_RECORDS = {
    op.type: op
    for op in (
        CONV2D, CONV2D_BY_INPUT, CONV2D_BY_FILTER, CONV3D, CONV3D_BY_INPUT, CONV3D_BY_FILTER, DEPTHWISE,
        DEPTHWISE_BY_INPUT, DEPTHWISE_BY_FILTER,
    )
}  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


def each_axis(value: Any, data_format: str, what: str) -> list[int]:
    """One number, one for each spatial axis, or one for each axis → one for each axis (1 for batch and channels)."""
    count = len(data_format) - 2
    if value is None:
        value = 1
    values = [int(n) for n in value] if isinstance(value, (list, tuple, np.ndarray)) else [int(value)]
    if len(values) == 1:
        values *= count
    if len(values) == count + 2:
        return values
    if len(values) != count:
        raise ValueError(f"{what} must have length 1, {count} or {count + 2}, not {len(values)}.")
    rest = iter(values)
    return [1 if letter in "NC" else next(rest) for letter in data_format]


def padding_attributes(padding: Any) -> dict[str, Any]:
    """A name or a list of four pairs, as attributes; which names there are, the op knows."""
    if isinstance(padding, str):
        return {"padding": padding, "explicit_paddings": []}
    if len(padding) != 4:
        raise ValueError(f"A list of paddings must have a pair for each of 4 axes, not {len(padding)}.")
    return {"padding": "EXPLICIT", "explicit_paddings": [int(n) for pair in padding for n in pair]}


def named_padding(padding: Any) -> str:
    """A padding that must be a name.  TypeError for a list."""
    if not isinstance(padding, str):
        raise TypeError(f"The padding must be 'SAME' or 'VALID', not {padding!r}.")
    return padding


def listed(values: Any, what: str) -> Any:
    """TypeError for a number where a list with an entry for each axis is due."""
    if not isinstance(values, (list, tuple, np.ndarray)):
        raise TypeError(f"Expected a list for '{what}' with an entry for each axis, not {values!r}.")
    return values


def _flat_batch(input: Any, inner: int, function: Any) -> Any:
    """``function`` of an input whose leading axes, if there are several, are made one batch."""
    from graphlab.ops import array, array_shape

    input = convert_to_tensor(input, name="input")
    shape = input._raw_shape()
    if shape is None or len(shape) <= inner + 1:
        return function(input)
    known = None not in shape
    sizes: Any = list(shape) if known else array_shape.shape(input)
    tail = sizes[-inner:]
    flat = array.reshape(input, [-1, *tail] if known else array.concat([[-1], tail], 0))
    result = function(flat)
    after = result._raw_shape()
    if known and None not in after:
        return array.reshape(result, [*sizes[:-inner], *after[-inner:]])
    return array.reshape(result, array.concat([sizes[:-inner], array_shape.shape(result)[-inner:]], 0))


@public("nn.conv2d")
def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Slides filters over images: a weighted sum of the elements below each filter.

    Args:
      input: a tensor of rank 4, batch × height × width × channels by ``data_format``; further leading axes are batches.
      filters: a tensor of the same dtype: height × width × channels × output channels.
      strides: how far the filters move: a number, one for each of height and width, or one for each axis.
      padding: ``"VALID"`` (only where the filter fits), ``"SAME"`` (as many results as inputs, with zeros around), or a
        list of pairs, how many zeros before and after each axis.
      data_format: ``"NHWC"`` or ``"NCHW"``.
      dilations: the distance between the elements below a filter, as ``strides``.
      name: a name for the node.

    Raises:
      ValueError: for numbers that are not one for each axis, or (while tracing) shapes that don't fit.
      tf.errors.InvalidArgumentError: for shapes that don't fit.

    >>> import graphlab as tf
    >>> image = tf.reshape([1.0, 2.0, 3.0, 4.0], [1, 2, 2, 1])
    >>> tf.nn.conv2d(image, tf.ones([2, 2, 1, 1]), strides=1, padding="VALID").numpy().item()
    10.0
    """
    attrs = {
        "strides": each_axis(strides, data_format, "strides"),
        "dilations": each_axis(dilations, data_format, "dilations"),
        "data_format": data_format,
        **padding_attributes(padding),
    }
    return _flat_batch(input, 3, lambda images: bind(CONV2D, (images, filters), attrs, name))


@public("nn.conv3d")
def conv3d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Slides filters over volumes, as ``tf.nn.conv2d`` over images.

    Args:
      input: a tensor of rank 5.
      filters: a tensor of the same dtype: three sizes × channels × output channels.
      strides: how far the filters move, one number for each axis.
      padding: ``"VALID"`` or ``"SAME"``.
      data_format: ``"NDHWC"`` or ``"NCDHW"``.
      dilations: the distance between the elements below a filter, one number for each axis.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.conv3d(tf.ones([1, 2, 2, 2, 1]), tf.ones([2, 2, 2, 1, 1]), [1] * 5, "VALID").numpy().item()
    8.0
    """
    attrs = {
        "strides": each_axis(listed(strides, "strides"), data_format, "strides"),
        "dilations": each_axis(dilations, data_format, "dilations"),
        "data_format": data_format,
        "padding": named_padding(padding),
    }
    return bind(CONV3D, (input, filters), attrs, name)


@public("nn.conv1d")
def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Slides filters over sequences, as ``tf.nn.conv2d`` over images.

    Args:
      input: a tensor of rank 3 or more, batch × width × channels.
      filters: a tensor of the same dtype: width × channels × output channels.
      stride: how far the filters move.
      padding: ``"VALID"`` or ``"SAME"``.
      data_format: ``"NWC"`` or ``"NCW"``.
      dilations: the distance between the elements below a filter.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.nn.conv1d(tf.reshape([1.0, 2.0, 3.0], [1, 3, 1]), tf.ones([2, 1, 1]), 1, "VALID").numpy().ravel()
    array([3., 5.], dtype=float32)
    """
    from graphlab.ops.array import expand_dims, squeeze

    if data_format not in ("NWC", "NCW"):
        raise ValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
    named_padding(padding)
    with name_scope(name, "conv1d") as scope:
        flat, axis = ("NHWC", -3) if data_format == "NWC" else ("NCHW", -2)
        wide = [1, *each_axis(stride, data_format, "stride")]
        spread = [1, *each_axis(dilations, data_format, "dilations")]
        if data_format == "NCW":
            wide, spread = [1, wide[2], 1, wide[3]], [1, spread[2], 1, spread[3]]
        filters = expand_dims(filters, 0)

        def function(sequences: Any) -> Any:
            image = expand_dims(sequences, axis)
            result = conv2d(image, filters, wide, padding, flat, spread, name=scope or None)
            return squeeze(result, [axis])

        return _flat_batch(input, 2, function)


@public("nn.convolution")
def convolution(
    input: Any,
    filters: Any,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Slides filters over one, two or three axes, whichever rank the input has.

    Args:
      input: a tensor of rank 3, 4 or 5.
      filters: a tensor of the same rank and dtype.
      strides: how far the filters move.
      padding: ``"VALID"`` or ``"SAME"``.
      data_format: where the channels are: last by default, ``"NCW"``, ``"NCHW"`` or ``"NCDHW"`` for second.
      dilations: the distance between the elements below a filter.
      name: a name for the node.

    Raises:
      ValueError: for another rank.

    >>> import graphlab as tf
    >>> tf.nn.convolution(tf.ones([1, 3, 1]), tf.ones([2, 1, 1])).shape
    TensorShape([1, 2, 1])
    """
    filters = convert_to_tensor(filters)
    shape = filters._raw_shape()
    rank = None if shape is None else len(shape)
    functions = {3: (conv1d, "NWC"), 4: (conv2d, "NHWC"), 5: (conv3d, "NDHWC")}
    if rank not in functions:
        raise ValueError(f"convolution takes tensors of rank 3, 4 or 5, not {rank}.")
    function, default = functions[rank]
    named_padding(padding)
    largest = [max(np.ravel(np.array(1 if values is None else values))) for values in (strides, dilations)]
    if min(largest) > 1:
        raise ValueError(f"Strides above 1 don't go with dilations: strides={strides}, dilations={dilations}.")
    with name_scope(name, "convolution") as scope:
        input = convert_to_tensor(input, name="input")
        layout = data_format or default
        have = input._raw_shape()
        if have is not None and len(have) == rank:
            channels, deep = have[layout.index("C")], shape[-2]
            if channels is not None and deep is not None and (deep == 0 or channels % deep):
                raise ValueError(f"The {channels} channels of the input are no multiple of the {deep} of the filters.")
        step = 1 if strides is None else strides
        return function(input, filters, step, padding, data_format or default, dilations, name=scope or None)


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
        "strides": each_axis(strides, data_format, "strides"),
        "dilations": each_axis(dilations, data_format, "dilations"),
        "data_format": data_format,
        **padding_attributes(padding),
    }
    with name_scope(name, "conv2d_transpose") as scope:
        return bind(CONV2D_BY_INPUT, (output_shape, filters, input), attrs, scope or name)


@public("nn.depthwise_conv2d")
def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Slides filters over images, each over one channel.

    Args:
      input: a tensor of rank 4.
      filter: a tensor of the same dtype: height × width × channels × filters for each channel.
      strides: how far the filters move, one number for each axis.
      padding: ``"VALID"``, ``"SAME"`` or a list of pairs.
      data_format: ``"NHWC"`` or ``"NCHW"``.
      dilations: the distance between the elements below a filter.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.depthwise_conv2d(tf.ones([1, 2, 2, 2]), tf.ones([2, 2, 2, 1]), [1] * 4, "VALID").numpy().ravel()
    array([4., 4.], dtype=float32)
    """
    from graphlab.ops.dilation import dilated, rates_of

    data_format = data_format or "NHWC"
    rate = rates_of(dilations, 2)
    attrs = {
        "strides": each_axis(listed(strides, "strides"), data_format, "strides"),
        "data_format": data_format,
        **padding_attributes(padding),
    }
    if rate == [1, 1]:
        return bind(DEPTHWISE, (input, filter), attrs, name)
    # As in TensorFlow the blocks come first, so that strides are steps within a block.
    with name_scope(name, "depthwise") as scope:
        input, filter = convert_to_tensor(input, name="tensor_in"), convert_to_tensor(filter, name="filter_in")
        plain = {**attrs, "padding": "VALID", "explicit_paddings": []}
        sizes = filter._raw_shape()
        if sizes is None or None in sizes[:2]:
            raise ValueError("A dilated depthwise convolution needs a filter whose sizes are known.")
        first = 2 if data_format == "NCHW" else 1
        return dilated(
            input, rate, padding, lambda x: bind(DEPTHWISE, (x, filter), plain, scope or None), sizes[:2], first
        )


@public("nn.separable_conv2d")
def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """A depthwise convolution, followed by one that mixes the channels.

    Args:
      input: a tensor of rank 4.
      depthwise_filter: the filter of ``tf.nn.depthwise_conv2d``.
      pointwise_filter: a filter of ``tf.nn.conv2d`` of height and width 1.
      strides: how far the depthwise filters move.
      padding: ``"VALID"``, ``"SAME"`` or a list of pairs.
      data_format: ``"NHWC"`` or ``"NCHW"``.
      dilations: the distance between the elements below a depthwise filter.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> x = tf.ones([1, 2, 2, 2])
    >>> tf.nn.separable_conv2d(x, tf.ones([2, 2, 2, 1]), tf.ones([1, 1, 2, 1]), [1] * 4, "VALID").numpy().item()
    8.0
    """
    with name_scope(name, "separable_conv2d") as scope:
        pointwise_filter = convert_to_tensor(pointwise_filter, name="pointwise_filter")
        point = pointwise_filter._raw_shape()
        if point is not None and (len(point) != 4 or any(n not in (1, None) for n in point[:2])):
            raise ValueError(f"A pointwise filter has height and width 1, but the shape is {inference.show(point)}.")
        deep = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations, name="depthwise")
        return conv2d(deep, pointwise_filter, 1, "VALID", data_format or "NHWC", name=scope or None)
