"""Dilation and erosion of images: the greatest sum, or the least difference, of image and filter below the filter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import UnimplementedError
from graphlab.core.export import public
from graphlab.core.op import REAL, REQUIRED, Arg, define
from graphlab.ops import inference
from graphlab.ops.conv_arrays import invalid
from graphlab.ops.conv_geometry import Geometry, geometry
from graphlab.ops.convolution import attribute_list
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.pool_kernels import lowest
from graphlab.ops.windows import output_shape

Slices = tuple[slice, ...]


def _placed(x: Any, f: Any, strides: list[int], rates: list[int], padding: str) -> Geometry:
    if x.ndim != 4:
        raise invalid(f"input must be 4-dimensional{list(x.shape)}")
    if f.ndim != 3:
        raise invalid(f"filter must be 3-dimensional: {list(f.shape)}")
    if f.shape[2] != x.shape[3]:
        raise invalid(f"input and filter must have the same depth: {x.shape[3]} vs {f.shape[2]}")
    for values, what in ((strides, "Stride"), (rates, "Rate")):
        if len(values) != 4:
            raise invalid(f"{what} must have 4 elements, not {len(values)}")
        if values[0] != 1 or values[3] != 1:
            raise UnimplementedError(None, None, f"{what} is only supported across spatial dimensions.")
        if min(values) < 1:
            raise invalid(f"{what} must be > 0, but got {min(values)}")
    attrs = {"strides": strides, "dilations": rates, "padding": padding, "data_format": "NHWC"}
    return geometry(x.shape[1:3], f.shape[:2], attrs)


def _places(over: Geometry) -> Iterator[tuple[tuple[int, ...], Slices, Slices]]:
    for place in product(*map(range, over.window)):
        pairs = [over.seen(axis, p) for axis, p in enumerate(place)]
        yield place, (slice(None), *(w for w, _ in pairs)), (slice(None), *(e for _, e in pairs))


def _dilation(x: Any, f: Any, strides: list[int], rates: list[int], padding: str) -> Any:
    over = _placed(x, f, strides, rates, padding)
    result = np.full((len(x), *over.counts, x.shape[-1]), lowest(x.dtype), x.dtype)
    for place, windows, elements in _places(over):
        part = result[windows]
        np.maximum(part, x[elements] + f[place], out=part)
    return result


def _greatest(x: Any, f: Any, over: Geometry) -> Iterator[tuple[tuple[int, ...], Slices, Slices, Any]]:
    """For each place of the filter, where it is the first one that gives the greatest sum."""
    top = np.full((len(x), *over.counts, x.shape[-1]), lowest(x.dtype), x.dtype)
    best = np.zeros(top.shape, np.int32)
    for i, (place, windows, elements) in enumerate(_places(over)):
        total = x[elements] + f[place]
        more = total > top[windows]
        top[windows][more] = total[more]
        best[windows][more] = i
    for i, (place, windows, elements) in enumerate(_places(over)):
        yield place, windows, elements, best[windows] == i


def _check_gradient(dy: Any, x: Any, over: Geometry) -> None:
    expected = (len(x), *over.counts, x.shape[-1])
    if dy.shape != expected:
        raise invalid(f"out_backprop must have shape {list(expected)}, not {list(dy.shape)}")


def _by_input(x: Any, f: Any, dy: Any, strides: list[int], rates: list[int], padding: str) -> Any:
    over = _placed(x, f, strides, rates, padding)
    _check_gradient(dy, x, over)
    result = np.zeros_like(x)
    for _, windows, elements, here in _greatest(x, f, over):
        result[elements] += np.where(here, dy[windows], dy.dtype.type(0))
    return result


def _by_filter(x: Any, f: Any, dy: Any, strides: list[int], rates: list[int], padding: str) -> Any:
    over = _placed(x, f, strides, rates, padding)
    _check_gradient(dy, x, over)
    result = np.zeros_like(f)
    for place, windows, _, here in _greatest(x, f, over):
        chosen = np.where(here, dy[windows], dy.dtype.type(0))
        result[place] = np.add.reduce(chosen, (0, 1, 2), chosen.dtype)
    return result


def _shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    x = inference.with_rank(args[0].shape, 4, "The input")
    f = inference.with_rank(args[1].shape, 3, "The filter")
    for what in ("strides", "rates"):
        if len(attrs[what]) != 4:
            raise ValueError(f"{what} must have 4 elements, not {len(attrs[what])}.")
    channels = inference.merge_dim(x[3], f[2], "The channels of input and filter")
    full = {**attrs, "dilations": attrs["rates"], "data_format": "NHWC"}
    return output_shape(x, f[:2], full, channels)


def _gradient(op: Any, dy: Any) -> list[Any]:
    attrs = {name: op.attrs[name] for name in _ATTRS}
    x, f = op.inputs
    return [
        bind(BY_INPUT, (x, f, dy), attrs) if op.needs(0) else None,
        bind(BY_FILTER, (x, f, dy), attrs) if op.needs(1) else None,
    ]


_ATTRS: dict[str, Any] = {"strides": REQUIRED, "rates": REQUIRED, "padding": REQUIRED}

DILATION = define("Dilation2D", "input: T, filter: T -> output: T", kernel=_dilation, infer=_shape,
                  gradient=_gradient, types={"T": REAL}, attrs=_ATTRS, kinds={"padding": str},
                  choices={"padding": ("SAME", "VALID")}, can_fail=True)  # fmt: skip
BY_INPUT = define("Dilation2DBackpropInput", "input: T, filter: T, out_backprop: T -> in_backprop: T",
                  kernel=_by_input, infer=inference.unchanged, types={"T": REAL}, attrs=_ATTRS,
                  can_fail=True)  # fmt: skip
BY_FILTER = define("Dilation2DBackpropFilter", "input: T, filter: T, out_backprop: T -> filter_backprop: T",
                   kernel=_by_filter, infer=lambda args, _attrs: args[1].shape, types={"T": REAL}, attrs=_ATTRS,
                   can_fail=True)  # fmt: skip


def _attributes(strides: Any, padding: str, data_format: str, dilations: Any) -> dict[str, Any]:
    if data_format != "NHWC":
        raise ValueError(
            f"`data_format` values other  than 'NHWC' are not supported. Received: data_format={data_format}"
        )
    steps = attribute_list(strides, "dilation2d", "strides")
    rates = attribute_list(dilations, "dilation2d", "rates")
    return {"strides": steps, "rates": rates, "padding": padding}


@public("nn.dilation2d")
def dilation2d(
    input: Any,
    filters: Any,
    strides: Sequence[int],
    padding: str,
    data_format: str,
    dilations: Sequence[int],
    name: str | None = None,
) -> Any:
    """Returns the greatest sum of image and filter below a filter that slides over images, channel by channel.

    Args:
      input: a tensor of rank 4, of a real dtype.
      filters: a tensor of the same dtype: height × width × channels.
      strides: how far the filter moves, one number for each axis.
      padding: ``"VALID"`` or ``"SAME"``; what is outside of the image counts for nothing.
      data_format: ``"NHWC"``.
      dilations: the distance between the elements below the filter, one number for each axis.
      name: a name for the node.

    Its gradients have none of their own.

    Raises:
      ValueError: for another data format.
      tf.errors.InvalidArgumentError: if shapes don't fit (ValueError while tracing).

    >>> import graphlab as tf
    >>> x = tf.reshape([1.0, 3.0, 2.0, 4.0], [1, 2, 2, 1])
    >>> tf.nn.dilation2d(x, tf.ones([2, 2, 1]), [1] * 4, "VALID", "NHWC", [1] * 4).numpy().item()
    5.0
    """
    return bind(DILATION, (input, filters), _attributes(strides, padding, data_format, dilations), name)


@public("nn.erosion2d")
def erosion2d(
    value: Any,
    filters: Any,
    strides: Sequence[int],
    padding: str,
    data_format: str,
    dilations: Sequence[int],
    name: str | None = None,
) -> Any:
    """Returns the least difference of image and filter below a filter that slides over images, channel by channel.

    Args:
      value: a tensor of rank 4, of a real dtype.
      filters: a tensor of the same dtype: height × width × channels.
      strides: how far the filter moves, one number for each axis.
      padding: ``"VALID"`` or ``"SAME"``; what is outside of the image counts for nothing.
      data_format: ``"NHWC"``.
      dilations: the distance between the elements below the filter, one number for each axis.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> x = tf.reshape([2.0, 3.0, 5.0, 4.0], [1, 2, 2, 1])
    >>> tf.nn.erosion2d(x, tf.ones([2, 2, 1]), [1] * 4, "VALID", "NHWC", [1] * 4).numpy().item()
    1.0
    """
    from graphlab.ops.math import negative
    from graphlab.ops.padding import reverse

    attrs = _attributes(strides, padding, data_format, dilations)
    with name_scope(name, "erosion2d") as scope:
        return negative(bind(DILATION, (negative(value), reverse(filters, [0, 1])), attrs, scope or name))
