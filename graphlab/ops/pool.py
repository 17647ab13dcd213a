"""Pools that say where their maxima stand, and pools of any number of axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, misfit, name_scope, whole_number
from graphlab.core.export import public
from graphlab.core.op import INDEX, REAL, REQUIRED, Arg, define
from graphlab.core.tensor import EagerTensor
from graphlab.ops import inference, pool_kernels
from graphlab.ops.conv_arrays import check_rank, invalid
from graphlab.ops.conv_geometry import geometry
from graphlab.ops.convolution import small_on_each_axis
from graphlab.ops.dilation import dilated, rates_of
from graphlab.ops.inference import Shape
from graphlab.ops.pooling import avg_pool, max_pool
from graphlab.ops.windows import output_shape

# ------------------------------------------------------------------------------------------------- where maxima stand


def _with_argmax(x: Any, include_batch_in_index: bool, Targmax: Any, **attrs: Any) -> tuple[Any, Any]:
    check_rank(x, 4, "tensor_in")
    over = geometry(x.shape[1:-1], attrs["ksize"][1:-1], {**attrs, "data_format": "NHWC"})
    top, where = pool_kernels.max_places(x, over, include_batch_in_index)
    return top, where.astype(Targmax.np)


def _flat_places(argmax: Any, x_shape: Sequence[int], include_batch_in_index: bool) -> Any:
    """Where the maxima stand in the whole flattened input."""
    size = int(np.prod(x_shape[1:]))
    places = argmax.astype(np.int64)
    if not include_batch_in_index:
        places = places + (np.arange(len(argmax)) * size).reshape(-1, 1, 1, 1)
    if places.size and not (int(places.min()) >= 0 and int(places.max()) < size * x_shape[0]):
        raise invalid(f"argmax points outside of an input of shape {list(x_shape)}")
    return places


def _by_argmax(x: Any, grad: Any, argmax: Any, include_batch_in_index: bool, **_attrs: Any) -> Any:
    if grad.shape != argmax.shape:
        raise invalid(f"Expected grad shape to be {list(argmax.shape)}, but got {list(grad.shape)}")
    result = np.zeros(x.size, grad.dtype)
    np.add.at(result, _flat_places(argmax, x.shape, include_batch_in_index).ravel(), grad.ravel())
    return result.reshape(x.shape)


def _at_argmax(x: Any, grad: Any, argmax: Any, include_batch_in_index: bool, **_attrs: Any) -> Any:
    if grad.shape != x.shape:
        raise invalid(f"Expected grad shape to be {list(x.shape)}, but got {list(grad.shape)}")
    return grad.ravel()[_flat_places(argmax, x.shape, include_batch_in_index)]


def _argmax_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> list[Shape]:
    channels = inference.with_rank(args[0].shape, 4, "The input")[3]
    shape = output_shape(args[0].shape, attrs["ksize"][1:-1], {**attrs, "data_format": "NHWC"}, channels)
    return [shape, shape]


def _argmax_gradient(op: Any, dy: Any, _dargmax: Any = None) -> Any:
    attrs = {name: op.attrs[name] for name in ("ksize", "strides", "padding", "include_batch_in_index")}
    return bind(BY_ARGMAX, (op.inputs[0], dy, op.outputs[1]), attrs)


def _by_argmax_gradient(op: Any, g: Any) -> list[Any]:
    x, _, argmax = op.inputs
    attrs = {name: op.attrs[name] for name in ("ksize", "strides", "padding", "include_batch_in_index")}
    return [None, bind(AT_ARGMAX, (x, g, argmax), attrs), None]


def _at_argmax_gradient(op: Any, g: Any) -> list[Any]:
    x, _, argmax = op.inputs
    attrs = {name: op.attrs[name] for name in ("ksize", "strides", "padding", "include_batch_in_index")}
    return [None, bind(BY_ARGMAX, (x, g, argmax), attrs), None]


_ATTRS: dict[str, Any] = {
    "ksize": REQUIRED, "strides": REQUIRED, "padding": REQUIRED, "include_batch_in_index": False,
}  # fmt: skip
_TYPES = {"T": REAL, "Targmax": INDEX}

WITH_ARGMAX = define(
    "MaxPoolWithArgmax", "input: T -> output: T, argmax: Targmax", kernel=_with_argmax, infer=_argmax_shape,
    gradient=_argmax_gradient, types={"T": REAL}, attrs={**_ATTRS, "Targmax": dtypes.int64}, can_fail=True, fp=False,
)  # fmt: skip
BY_ARGMAX = define(
    "MaxPoolGradWithArgmax", "input: T, grad: T, argmax: Targmax -> output: T", kernel=_by_argmax,
    infer=inference.unchanged, gradient=_by_argmax_gradient, types=_TYPES, attrs=_ATTRS, can_fail=True, fp=False,
)  # fmt: skip
AT_ARGMAX = define(
    "MaxPoolGradGradWithArgmax", "input: T, grad: T, argmax: Targmax -> output: T", kernel=_at_argmax,
    infer=lambda args, _attrs: args[2].shape, gradient=_at_argmax_gradient, types=_TYPES, attrs=_ATTRS,
    can_fail=True, fp=False,
)  # fmt: skip


class MaxPoolWithArgmax(NamedTuple):
    """What ``tf.nn.max_pool_with_argmax`` returns."""

    output: Any
    argmax: Any


@public("nn.max_pool_with_argmax")
def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    output_dtype: Any = dtypes.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> MaxPoolWithArgmax:
    """As ``tf.nn.max_pool2d``, and where the maxima stand in the flattened image (the first of equal ones).

    Args:
      input: a tensor of rank 4, channels last.
      ksize: the size of the window: a number, one for each of height and width, or one for each axis.
      strides: how far it moves, likewise.
      padding: ``"VALID"`` or ``"SAME"``.
      data_format: ``"NHWC"``.
      output_dtype: the dtype of the places, int64 or int32.
      include_batch_in_index: count from the start of the batch, not of each image.
      name: a name for the node.

    Returns:
      A named tuple of ``output`` and ``argmax``.

    Raises:
      ValueError: for another data format.

    >>> import graphlab as tf
    >>> y, where = tf.nn.max_pool_with_argmax(tf.reshape([1.0, 3.0, 2.0, 4.0], [1, 2, 2, 1]), 2, 2, "VALID")
    >>> y.numpy().item(), where.numpy().item()
    (4.0, 3)
    """
    if data_format != "NHWC":
        raise ValueError(
            f"`data_format` values other  than 'NHWC' are not supported. Received: data_format={data_format}"
        )
    if not isinstance(padding, str):
        raise TypeError(f"Expected string for argument 'padding' not {padding!r}.")
    sizes = {what: small_on_each_axis(n, "NHWC", what) for n, what in ((ksize, "ksize"), (strides, "strides"))}
    for what, values in sizes.items():
        if min(values) < 1:
            raise misfit(f"{what} must be positive, but has {min(values)}.")
    attrs = {
        **sizes,
        "padding": padding,
        "include_batch_in_index": include_batch_in_index,
        "Targmax": dtypes.as_dtype(output_dtype),
    }
    return MaxPoolWithArgmax(*bind(WITH_ARGMAX, (input,), attrs, name))


# ---------------------------------------------------------------------------------------------------- pools of any rank

_FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def _parts(values: Any, what: str) -> list[Any]:
    """What is in a list of ints; a word and a dict count as lists of something else.  TypeError for what is no list."""
    if isinstance(values, (str, dict)):
        return list(values)
    if not isinstance(values, (list, tuple, np.ndarray, EagerTensor)) or (
        isinstance(values, EagerTensor) and not values._raw_shape()
    ):
        raise TypeError(f"{what} must be a list of ints, not {values!r:.100}.")
    if isinstance(values, EagerTensor) and len(values.shape) == 1:
        values = values.numpy().tolist()
    return list(values)


def _steps(strides: Any, count: int) -> list[int]:
    """One stride for each of so many axes.  ValueError for a list of something else."""
    if strides is None:
        return [1] * count
    parts = _parts(strides, "strides")
    if len(parts) != count:
        raise ValueError(f"`strides` must have {count} elements. Received: strides={parts}")
    try:
        return [whole_number(n, "strides") for n in parts]
    except TypeError as error:
        raise ValueError(f"strides must be a list of ints: {error}") from None


@public("nn.pool")
def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: str = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Returns the maximum or the mean of the elements below a window that slides over one, two or three axes.

    Args:
      input: a tensor of rank 3, 4 or 5.
      window_shape: a list: the size of the window on each spatial axis.
      pooling_type: ``"MAX"`` or ``"AVG"``.
      strides: a list: how far the window moves on each spatial axis; 1 by default.
      padding: ``"VALID"`` or ``"SAME"``.
      data_format: channels last (by default), or second for a format that begins with ``"NC"``.
      dilations: a list: how far apart the elements of a window are on each spatial axis.
      name: a name for the node.

    Raises:
      ValueError: for strides with dilations, ``"SAME"`` with dilations, another kind or number of axes.

    >>> import graphlab as tf
    >>> tf.nn.pool(tf.reshape([1.0, 3.0, 2.0, 4.0], [1, 4, 1]), [2], "AVG").numpy().ravel()
    array([2. , 2.5, 3. ], dtype=float32)
    """
    window = _parts(window_shape, "window_shape")
    count = len(window)
    functions = {"MAX": max_pool, "AVG": avg_pool}
    with name_scope(name, f"{pooling_type.lower()}_pool") as scope:
        input = convert_to_tensor(input, name="input")
        inference.with_rank(input._raw_shape(), count + 2, "The input")
        steps = _steps(strides, count)
        rate = rates_of(dilations, count)
        if min(steps, default=1) < 1:
            raise ValueError(f"`strides` must be at least 1. Received: strides={steps}")
        if max(steps) > 1 and max(rate) > 1:
            raise ValueError(
                f"`strides > 1` not supported in conjunction with `dilation_rate > 1`. "
                f"Received: strides={steps} and dilation_rate={rate}"
            )
        if padding == "SAME" and max(rate) > 1:
            raise ValueError(
                f"pooling with 'SAME' padding is not implemented for `dilation_rate` > 1. "
                f"Received: padding={padding} and dilation_rate={rate}"
            )
        if pooling_type not in functions or count not in _FORMATS:
            raise ValueError(f"{count}-D {pooling_type} pooling is not supported.")
        second = data_format is not None and data_format.startswith("NC")
        own = _FORMATS[count][second]
        node = scope or name
        sizes = [whole_number(n, "window_shape") for n in window]

        def plain(x: Any) -> Any:
            return functions[pooling_type](x, sizes, steps, padding, own, node)

        if max(rate) == 1:
            return plain(input)
        return dilated(input, rate, padding, plain, None, 2 if second else 1)
