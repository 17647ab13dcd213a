"""Convolutions: the public functions over one, two and three axes, depthwise and separable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.state import state
from graphlab.core.tensor import SymbolicTensor
from graphlab.ops.array_shape import SHAPE
from graphlab.ops.convolution import (
    CONV2D,
    CONV3D,
    DEPTHWISE,
    attribute_list,
    each_axis,
    padding_attributes,
    padding_name,
)
from graphlab.ops.dilation import dilated, rates_of


def _has_batches(x: Any, rank: int) -> bool:
    shape = x._raw_shape()
    return shape is not None and len(shape) > rank


def _over_batches(x: Any, rank: int, op: Callable[[Any], Any]) -> Any:
    """``op``, which takes a tensor of that rank, on one with more batch axes."""
    from graphlab.ops import array, array_shape

    shape = x._raw_shape()
    batch: Any = list(shape[: 1 - rank])
    if None in batch:
        batch = array_shape.shape(x)[: 1 - rank]
    inner: Any = list(shape[1 - rank :])
    if None in inner:
        inner = array_shape.shape(x)[1 - rank :]
        y = op(array.reshape(x, array.concat([[-1], inner], 0)))
    else:
        y = op(array.reshape(x, [-1, *inner]))
    sizes: Any = list(y._raw_shape()[1:])
    if None in sizes:
        sizes = array_shape.shape(y)[1:]
    return array.reshape(y, array.concat([batch, sizes], 0))


@public("nn.conv2d")
def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: Any = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Slides filters over images: a weighted sum of the elements below each filter.

    Args:
      input: a tensor of rank 4, batch × height × width × channels by ``data_format``.
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
    if isinstance(data_format, SymbolicTensor):
        raise TypeError(f"data_format must be a string, not {data_format!r}.")
    data_format = data_format or "NHWC"
    if data_format not in ("NHWC", "NCHW"):
        raise _no_format(data_format, "NHWC", "NCHW")
    attrs = {
        "strides": each_axis(strides, data_format, "strides"),
        "dilations": each_axis(dilations, data_format, "dilations"),
        "data_format": data_format,
        **padding_attributes(padding),
    }
    input = _tensor(input, filters)
    if not _has_batches(input, 4):
        return bind(CONV2D, (input, filters), attrs, name)
    with name_scope(name, "squeeze_batch_dims"):
        return _over_batches(input, 4, lambda x: bind(CONV2D, (x, filters), attrs))


def _tensor(input: Any, filters: Any) -> Any:
    """``input`` as a tensor; numbers take the dtype of the filters."""
    if hasattr(input, "_raw_shape"):
        return input
    return convert_to_tensor(input, dtype_hint=getattr(filters, "dtype", None), name="input")


def _no_format(data_format: str, *known: str) -> Exception:
    allowed = ", ".join(f'"{one}"' for one in known)
    message = f"Value for attr 'data_format' of \"{data_format}\" is not in the list of allowed values: {allowed}"
    return InvalidArgumentError(None, None, message) if state.graph is None else ValueError(message)


@public("nn.conv3d")
def conv3d(
    input: Any,
    filters: Any,
    strides: Sequence[int],
    padding: str,
    data_format: str = "NDHWC",
    dilations: Sequence[int] | None = None,
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
    data_format = data_format or "NDHWC"
    if data_format not in ("NDHWC", "NCDHW"):
        raise _no_format(data_format, "NDHWC", "NCDHW")
    spread = [1] * 5 if dilations is None else dilations
    attrs = {
        "strides": attribute_list(strides, "conv3d", "strides"),
        "dilations": attribute_list(spread, "conv3d", "dilations"),
        "data_format": data_format,
        "padding": padding_name(padding),
    }
    input = _tensor(input, filters)
    if not _has_batches(input, 5):
        return bind(CONV3D, (input, filters), attrs, name)
    with name_scope(name, "squeeze_batch_dims"):
        return _over_batches(input, 5, lambda x: bind(CONV3D, (x, filters), attrs))


@public("nn.conv1d")
def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: str,
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Slides filters over sequences, as ``tf.nn.conv2d`` over images.

    Args:
      input: a tensor of rank 3 or more, batch × width × channels.
      filters: a tensor of the same dtype: width × channels × output channels.
      stride: how far the filters move.
      padding: ``"VALID"``, ``"SAME"`` or a list of pairs.
      data_format: ``"NWC"`` or ``"NCW"``.
      dilations: the distance between the elements below a filter.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.nn.conv1d(tf.reshape([1.0, 2.0, 3.0], [1, 3, 1]), tf.ones([2, 1, 1]), 1, "VALID").numpy().ravel()
    array([3., 5.], dtype=float32)
    """
    from graphlab.ops.array import expand_dims, squeeze

    with name_scope(name, "conv1d") as scope:
        data_format = data_format or "NWC"
        if data_format not in ("NWC", "NCW"):
            raise ValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
        flat, axis, place = ("NHWC", -3, 1) if data_format == "NWC" else ("NCHW", -2, 2)
        step, spread = each_axis(stride, data_format, "stride"), each_axis(dilations, data_format, "dilations")
        attrs = {
            "strides": [*step[:place], 1, *step[place:]],
            "dilations": [*spread[:place], 1, *spread[place:]],
            "data_format": flat,
            "padding": padding_name(padding),
        }
        image, wide = expand_dims(input, axis), expand_dims(filters, 0)
        if _has_batches(image, 4):
            return squeeze(_over_batches(image, 4, lambda x: bind(CONV2D, (x, wide), attrs)), [axis])
        return squeeze(bind(CONV2D, (image, wide), attrs, scope or name), [axis])


@public("nn.convolution")
def convolution(
    input: Any,
    filters: Any,
    strides: Any = None,
    padding: str = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Slides filters over one, two or three axes, whichever rank the input has.

    Args:
      input: a tensor of rank 3, 4 or 5.
      filters: a tensor of the same rank and dtype.
      strides: how far the filters move.
      padding: ``"VALID"``, ``"SAME"`` or a list of pairs.
      data_format: where the channels are: last by default, ``"NCW"``, ``"NCHW"`` or ``"NCDHW"`` for second.
      dilations: the distance between the elements below a filter.
      name: a name for the node.

    Raises:
      ValueError: for another rank.

    >>> import graphlab as tf
    >>> tf.nn.convolution(tf.ones([1, 3, 1]), tf.ones([2, 1, 1])).shape
    TensorShape([1, 2, 1])
    """
    with name_scope(name, "convolution") as scope:
        node = scope or name
        input, filters = convert_to_tensor(input, name="input"), convert_to_tensor(filters, name="filter")
        known, shape = input._raw_shape(), filters._raw_shape()
        rank = len(shape) if shape else None  # the input tells what a filter does not
        if rank is None and known is not None:
            rank = len(known)
        if rank not in (3, 4, 5):
            raise ValueError(
                "`num_spatial_dims` must be 1, 2, or 3. "
                f"Received: num_spatial_dims={None if rank is None else rank - 2}."
            )
        padding_name(padding)
        second = data_format is not None and data_format.startswith("NC")
        default = {3: ("NWC", "NCW"), 4: ("NHWC", "NCHW"), 5: ("NDHWC", "NCDHW")}[rank][second]
        own = data_format or default
        rate = rates_of(dilations, rank - 2)
        step: Any = each_axis(strides, default, "strides")

        def plain(x: Any, padding: str) -> Any:
            if rank == 3:
                return conv1d(x, filters, step, padding, own, name=node)
            return (conv2d if rank == 4 else conv3d)(x, filters, step, padding, own, name=node)

        if max(rate) == 1:
            return plain(input, padding)
        if max(step) > 1:
            steps = [n for n, letter in zip(step, default, strict=True) if letter not in "NC"]
            raise ValueError(
                f"`strides > 1` not supported in conjunction with `dilation_rate > 1`. "
                f"Received: strides={steps} and dilation_rate={rate}"
            )
        if known is not None and shape is not None:
            channels = known[1 if second else -1]
            if channels is not None and shape[-2] and channels % shape[-2]:
                raise ValueError(
                    "The number of input channels is not divisible by the corresponding number of output filters. "
                    f"Received: input.shape={known} with {channels} channels and filters.shape={shape} with "
                    f"{shape[-1]} output filters."
                )
        first = 2 if second else 1
        if _has_batches(input, rank):
            return _over_batches(
                input, rank, lambda x: dilated(x, rate, padding, lambda y: plain(y, "VALID"), shape, first)
            )
        window = None if shape is None else shape[: rank - 2]
        return dilated(input, rate, padding, lambda x: plain(x, "VALID"), window, first)


@public("nn.depthwise_conv2d")
def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Sequence[int],
    padding: Any,
    data_format: str | None = None,
    dilations: Sequence[int] | None = None,
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
    with name_scope(name, "depthwise") as scope:
        return _depthwise(input, filter, strides, padding, data_format or "NHWC", dilations, scope or name)


def _depthwise(
    input: Any, filter: Any, strides: Any, padding: Any, data_format: str, dilations: Any, node: str | None
) -> Any:
    input = convert_to_tensor(input, name="tensor_in")
    filter = convert_to_tensor(filter, name="filter_in")
    if len(input._raw_shape() or [0] * 4) != 4 or input._raw_shape() == ():
        raise ValueError(f"The input must have rank 4, but has shape {input.shape}.")
    steps = attribute_list(strides, "depthwise_conv2d_native", "strides")
    if data_format not in ("NHWC", "NCHW"):
        raise _no_format(data_format, "NHWC", "NCHW")
    rate = rates_of(None if dilations is None else list(dilations), 2)
    explicit = padding_attributes(padding)
    if state.graph is not None:  # TensorFlow makes them whether they are needed or not
        shape_of_filter = filter._raw_shape()
        if shape_of_filter is not None and None not in shape_of_filter:
            constant(list(shape_of_filter), dtypes.int32, name="Shape")
        else:
            bind(SHAPE, (filter,), None, "Shape")
        constant(rate, dtypes.int32, name="dilation_rate")

    def plain(x: Any, padding: dict[str, Any]) -> Any:
        return bind(DEPTHWISE, (x, filter), {"strides": steps, "data_format": data_format, **padding}, node)

    def one_batch(x: Any) -> Any:
        if max(rate) == 1:
            return plain(x, explicit)
        inside = {"padding": "VALID", "explicit_paddings": []}
        window = filter._raw_shape()
        first = 1 if data_format == "NHWC" else 2
        return dilated(x, rate, padding, lambda y: plain(y, inside), window and window[:2], first)

    return _over_batches(input, 4, one_batch) if _has_batches(input, 4) else one_batch(input)


@public("nn.separable_conv2d")
def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Sequence[int],
    padding: Any,
    data_format: str | None = None,
    dilations: Sequence[int] | None = None,
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
        pointwise = convert_to_tensor(pointwise_filter, name="pointwise_filter")
        shape = pointwise._raw_shape()
        if shape == ():
            raise ValueError("pointwise_filter must have rank 4, but is a scalar.")
        for size in (shape or ())[:2]:
            if size not in (1, None):
                raise ValueError(f"Dimensions {size} and 1 are not compatible")
        data_format = data_format or "NHWC"
        deep = _depthwise(input, depthwise_filter, strides, padding, data_format, dilations, "depthwise")
        return conv2d(deep, pointwise, [1, 1, 1, 1], "VALID", data_format, name=scope or name)
