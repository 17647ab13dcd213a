"""The convolution ops and their gradients: over two and three axes, and depthwise; other modules are made of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dispatch import bind, whole_number
from graphlab.core.op import FLOAT, INDEX, REQUIRED, Arg, define
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor, wrap
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
        groups = 1 if channels is None or f[-2] is None else channels // f[-2]
        if f[-1] is not None and groups and f[-1] % groups:
            raise ValueError(f"Depth of output ({f[-1]}) is not a multiple of the number of groups ({groups}).")
    return output_shape(shape, f[:-2], dict(attrs), f[-1])


def _depthwise_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    f = inference.with_rank(args[1].shape, 4, "A filter")
    if args[0].shape is not None:
        shape = inference.with_rank(args[0].shape, 4, "The input")
        inference.merge_dim(shape[attrs["data_format"].index("C")], f[2], "The channels of input and filter")
    channels = None if f[2] is None or f[3] is None else f[2] * f[3]
    return output_shape(args[0].shape, f[:2], dict(attrs), channels)


def _spelled(arg: Arg, rank: int) -> tuple[int | None, ...]:
    """The shape that an argument spells, as far as it is known."""
    shape = inference.shape_of_value(arg)
    node = getattr(arg.tensor, "op", None)
    if node is not None and node.type == "ShapeN":
        shape = node.inputs[arg.tensor.index]._raw_shape()
    return (None,) * rank if shape is None else shape


def _by_input_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    rank = len(attrs["data_format"])
    f = inference.with_rank(args[1].shape, rank, "A filter")
    dy = inference.with_rank(args[2].shape, rank, "A gradient")
    shape = _spelled(args[0], rank)
    if len(shape) == 2 and rank == 4:  # height and width alone
        return (dy[0], *shape, f[2]) if attrs["data_format"] == "NHWC" else (dy[0], f[2], *shape)
    batch = inference.merge_dim(inference.with_rank(shape, rank, "input_sizes")[0], dy[0], "The batches")
    return (batch, *shape[1:])


def _plane_by_input_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    shape = _by_input_shape(args, attrs)
    f, dy = args[1].shape, args[2].shape
    if f is not None and dy is not None:
        inference.merge_dim(
            dy[attrs["data_format"].index("C")], f[-1], "The channels of the gradient and of the filter"
        )
    return shape


def _by_filter_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    return _spelled(args[1], len(attrs["data_format"]))


# ----------------------------------------------------------------------------------------------------------- gradients


def sizes_of(x: Any) -> Any:
    """The shape of ``x`` as a tensor."""
    from graphlab.ops.array_shape import shape

    return wrap(np.array(np.shape(x._a), np.int32)) if x.__class__ is EagerTensor else shape(x)


def _both_sizes(x: Any, f: Any) -> Any:
    """The shapes of both; in a graph, by one node."""
    from graphlab.ops.array_shape import shape_n

    if x.__class__ is EagerTensor and f.__class__ is EagerTensor:
        return sizes_of(x), sizes_of(f)
    return shape_n([x, f])


def attributes(op: Any) -> dict[str, Any]:
    """The attributes that an op's record declares, for another op that has the same."""
    return {name: op.attrs[name] for name in op.record.attrs}


class _Family:
    """A convolution with its two gradients, each of which is made of the other ones."""

    def __init__(self, forward: str, by_input: str, by_filter: str, together: bool) -> None:
        self.names = (forward, by_input, by_filter)
        self.together = together  # whether one node gives the shapes of input and filter

    def _bind(self, which: int, inputs: tuple[Any, ...], op: Any) -> Any:
        return bind(_RECORDS[self.names[which]], inputs, attributes(op))

    def forward_gradient(self, op: Any, dy: Any) -> list[Any]:
        x, f = op.inputs
        x_sizes, f_sizes = _both_sizes(x, f) if self.together else (None, None)
        by_x = by_f = None
        if op.needs(0):
            by_x = self._bind(1, (sizes_of(x) if x_sizes is None else x_sizes, f, dy), op)
        if op.needs(1):
            by_f = self._bind(2, (x, sizes_of(f) if f_sizes is None else f_sizes, dy), op)
        return [by_x, by_f]

    def by_input_gradient(self, op: Any, g: Any) -> list[Any]:
        _, f, dy = op.inputs
        return [None, self._bind(2, (g, sizes_of(f), dy), op), self._bind(0, (g, f), op)]

    def by_filter_gradient(self, op: Any, g: Any) -> list[Any]:
        x, _, dy = op.inputs
        return [self._bind(1, (sizes_of(x), g, dy), op), None, self._bind(0, (x, g), op)]


_PLANE = _Family("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter", True)
_SPACE = _Family("Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2", True)
_DEPTH = _Family(
    "DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter", False
)

_PLACES = {"padding": ("SAME", "VALID", "EXPLICIT")}
_PLACES_3D = {"padding": ("SAME", "VALID")}
_ATTRS_3D: dict[str, Any] = {"strides": REQUIRED, "padding": REQUIRED, "data_format": "NDHWC", "dilations": [1] * 5}
_ATTRS_DEPTH: dict[str, Any] = {
    "strides": REQUIRED, "padding": REQUIRED, "explicit_paddings": [], "data_format": "NHWC", "dilations": [1] * 4,
}  # fmt: skip
_ATTRS_2D: dict[str, Any] = {**_ATTRS_DEPTH, "use_cudnn_on_gpu": True}
_2D = {"T": FLOAT | {dtypes.int32}}
_3D = {"T": FLOAT, "Tshape": INDEX}

CONV2D = define(
    "Conv2D", "input: T, filter: T -> output: T",
    kernel=conv_arrays.convolve, infer=_convolved_shape, gradient=_PLANE.forward_gradient,
    types=_2D, attrs=_ATTRS_2D, choices=_PLACES, can_fail=True,
)  # fmt: skip
CONV2D_BY_INPUT = define(
    "Conv2DBackpropInput", "input_sizes: int32, filter: T, out_backprop: T -> output: T",
    kernel=conv_arrays.by_input, infer=_plane_by_input_shape, gradient=_PLANE.by_input_gradient,
    types=_2D, attrs=_ATTRS_2D, choices=_PLACES, can_fail=True,
)  # fmt: skip
CONV2D_BY_FILTER = define(
    "Conv2DBackpropFilter", "input: T, filter_sizes: int32, out_backprop: T -> output: T",
    kernel=conv_arrays.by_filter, infer=_by_filter_shape, gradient=_PLANE.by_filter_gradient,
    types={"T": FLOAT}, attrs=_ATTRS_2D, choices=_PLACES, can_fail=True,
)  # fmt: skip
CONV3D = define(
    "Conv3D", "input: T, filter: T -> output: T",
    kernel=conv_arrays.convolve, infer=_convolved_shape, gradient=_SPACE.forward_gradient,
    types=_3D, attrs=_ATTRS_3D, choices=_PLACES_3D, can_fail=True,
)  # fmt: skip
CONV3D_BY_INPUT = define(
    "Conv3DBackpropInputV2", "input_sizes: Tshape, filter: T, out_backprop: T -> output: T",
    kernel=conv_arrays.by_input, infer=_by_input_shape, gradient=_SPACE.by_input_gradient,
    types=_3D, attrs=_ATTRS_3D, choices=_PLACES_3D, can_fail=True,
)  # fmt: skip
CONV3D_BY_FILTER = define(
    "Conv3DBackpropFilterV2", "input: T, filter_sizes: int32, out_backprop: T -> output: T",
    kernel=conv_arrays.by_filter, infer=_by_filter_shape, gradient=_SPACE.by_filter_gradient,
    types=_3D, attrs=_ATTRS_3D, choices=_PLACES_3D, can_fail=True,
)  # fmt: skip
DEPTHWISE = define(
    "DepthwiseConv2dNative", "input: T, filter: T -> output: T",
    kernel=conv_arrays.depthwise, infer=_depthwise_shape, gradient=_DEPTH.forward_gradient,
    types={"T": FLOAT}, attrs=_ATTRS_DEPTH, choices=_PLACES, can_fail=True, name="depthwise",
)  # fmt: skip
DEPTHWISE_BY_INPUT = define(
    "DepthwiseConv2dNativeBackpropInput", "input_sizes: int32, filter: T, out_backprop: T -> output: T",
    kernel=conv_arrays.depthwise_by_input, infer=_by_input_shape, gradient=_DEPTH.by_input_gradient,
    types={"T": FLOAT}, attrs=_ATTRS_DEPTH, choices=_PLACES, can_fail=True,
)  # fmt: skip
DEPTHWISE_BY_FILTER = define(
    "DepthwiseConv2dNativeBackpropFilter", "input: T, filter_sizes: int32, out_backprop: T -> output: T",
    kernel=conv_arrays.depthwise_by_filter, infer=_by_filter_shape, gradient=_DEPTH.by_filter_gradient,
    types={"T": FLOAT}, attrs=_ATTRS_DEPTH, choices=_PLACES, can_fail=True,
)  # fmt: skip
_RECORDS = {
    op.type: op
    for op in (
        CONV2D, CONV2D_BY_INPUT, CONV2D_BY_FILTER, CONV3D, CONV3D_BY_INPUT, CONV3D_BY_FILTER, DEPTHWISE,
        DEPTHWISE_BY_INPUT, DEPTHWISE_BY_FILTER,
    )
}  # fmt: skip

# ---------------------------------------------------------------------------------------------------------- arguments


def each_axis(value: Any, data_format: str, what: str) -> list[int]:
    """One number, one for each spatial axis, or one for each axis → one for each axis (1 for batch and channels)."""
    count = len(data_format) - 2
    if value is None:
        value = 1
    if isinstance(value, EagerTensor):
        if not len(value.shape):
            raise TypeError(f"Expected an int or a list of ints for the argument {what!r}, not {value!r}.")
        value = value.numpy()
    single = not isinstance(value, Sized) or (isinstance(value, np.ndarray) and not value.ndim)
    parts: Any = [value] if single else value
    length = len(parts)
    if length not in (1, count, count + 2):
        raise ValueError(
            f"{what} should be of length 1, {count} or {count + 2}. Received: {what}={value} of length {length}"
        )
    values = [whole_number(n, what) for n in parts]
    if length == count + 2:
        return values
    values = values * count if length == 1 else values
    return [1, *values, 1] if data_format[-1] == "C" else [1, 1, *values]


def small_on_each_axis(value: Any, data_format: str, what: str) -> list[int]:
    """As ``each_axis``, where eagerly a number beyond 64 bits is one that the kernel refuses."""
    if state.graph is None and isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise conv_arrays.invalid(f"{what} must be a positive int32, but is {value}.")
    return each_axis(value, data_format, what)


def attribute_list(value: Any, op: str, what: str) -> list[int]:
    """A list of ints for an attribute.  Eagerly, what is nothing is an empty one, which the kernel refuses.

    Raises:
      TypeError: it is no list of ints.
    """
    if state.graph is None and (value is None or (isinstance(value, EagerTensor) and np.shape(value._a)[:1] == (0,))):
        return []
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"Expected list for {what!r} argument to {op!r} Op, not {value!r:.100}.")
    return [whole_number(n, what) for n in value]


def padding_name(padding: Any) -> str:
    """``padding`` itself, which must be the name of one."""
    if not isinstance(padding, str):
        raise TypeError(f"Expected string for argument 'padding' not {padding!r}.")
    return padding


def padding_attributes(padding: Any, rank: int = 4) -> dict[str, Any]:
    """The name of a padding, or a list of pairs, as attributes."""
    if isinstance(padding, str):
        return {"padding": padding, "explicit_paddings": []}
    if isinstance(padding, EagerTensor) and padding.dtype is dtypes.string and padding._a.size > 1:
        raise ValueError(f"padding must be one string, not {padding!r:.100}.")
    if not isinstance(padding, (list, tuple)):
        raise TypeError(f"Expected a string or a list of pairs for the argument 'padding', not {padding!r:.100}.")
    if len(padding) != rank:
        raise ValueError(
            f"When padding is a list, it must be of size {rank}. Received: padding={padding} of size {len(padding)}"
        )
    return {"padding": "EXPLICIT", "explicit_paddings": [int(n) for pair in padding for n in pair]}
