"""Counting: how often values occur, histograms, confusion matrices, whether a sequence increases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, misfit, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public, resolve
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, Arg, define
from graphlab.core.state import state
from graphlab.ops import inference
from graphlab.ops.inference import Shape
from graphlab.ops.over_values import of_composites

_VALUES = frozenset((dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64))

# ------------------------------------------------------------------------------------------------------------- kernels


def _dense_bincount(x: Any, size: Any, weights: Any, binary_output: bool) -> Any:
    count = int(size.reshape(()))
    if count < 0:
        raise InvalidArgumentError(None, None, f"size ({count}) must be non-negative")
    if x.ndim > 2:
        raise InvalidArgumentError(None, None, f"Shape must be at most rank 2 but is rank {x.ndim}")
    if (x < 0).any():
        raise InvalidArgumentError(None, None, "Input arr must be non-negative!")
    if weights.size and weights.shape != x.shape:
        message = f"`weights` must be the same shape as `arr` or a length-0 `Tensor`, but are {list(weights.shape)}"
        raise InvalidArgumentError(None, None, f"{message} and {list(x.shape)}")
    rows = x.reshape(1, -1) if x.ndim < 2 else x
    result = np.zeros((len(rows), count), weights.dtype)
    inside = rows < count
    at = np.nonzero(inside)
    places = (at[0], rows[inside])
    if binary_output:
        result[places] = 1
    else:
        np.add.at(result, places, weights.reshape(rows.shape)[inside] if weights.size else weights.dtype.type(1))
    return result if x.ndim == 2 else result[0]


def _dense_bincount_shape(args: Sequence[Arg], _attrs: Mapping[str, Any]) -> Shape:
    shape, size = args[0].shape, args[1].value
    count = None if size is None else int(size)
    if shape is None:
        return None
    return (shape[0], count) if len(shape) == 2 else (count,)


def _bins(values: Any, low: Any, high: Any, nbins: int) -> Any:
    step = (np.float64(high) - np.float64(low)) / nbins
    scaled = np.floor((values.astype(np.float64) - np.float64(low)) / step)
    return np.clip(np.nan_to_num(scaled, nan=0.0), 0, nbins - 1).astype(np.int64)


def _histogram(values: Any, value_range: Any, nbins: Any, dtype: DType) -> Any:
    count = int(nbins)
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise InvalidArgumentError(None, None, "The values must not have NaN among them.")
    if value_range.shape != (2,):
        raise InvalidArgumentError(
            None, None, f"value_range should be a 2-vector, but has shape {list(value_range.shape)}"
        )
    low, high = value_range
    if low >= high:
        raise InvalidArgumentError(
            None, None, f"value_range should satisfy value_range[0] < value_range[1]: {low}, {high}"
        )
    if count <= 0:
        raise InvalidArgumentError(None, None, f"nbins should be a positive number, but got {count}")
    return np.bincount(_bins(values.reshape(-1), low, high, count), minlength=count).astype(dtype.np)


def _histogram_shape(args: Sequence[Arg], _attrs: Mapping[str, Any]) -> Shape:
    inference.merge_dim(inference.with_rank(args[1].shape, 1, "value_range")[0], 2, "The sizes of value_range")
    return (inference.size_of_value(args[2], "nbins", least=1),)


DENSE_BINCOUNT = define(
    "DenseBincount", "input: Tidx, size: Tidx, weights: T -> output: T", kernel=_dense_bincount,
    infer=_dense_bincount_shape, gradient=NOT_DIFFERENTIABLE, types={"Tidx": INDEX, "T": _VALUES},
    attrs={"binary_output": False}, can_fail=True,
)  # fmt: skip
HISTOGRAM = define(
    "HistogramFixedWidth", "values: T, value_range: T, nbins: int32 -> out: dtype", kernel=_histogram,
    infer=_histogram_shape, gradient=NOT_DIFFERENTIABLE, types={"T": _VALUES}, attrs={"dtype": dtypes.int32},
    can_fail=True, name="histogram_fixed_width",
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


def _length(length: Any, dtype: DType, name: str) -> Any:
    """A bound for the length of the result, a scalar of ``dtype``."""
    length = convert_to_tensor(length, dtype, name=name)
    if length._raw_shape():
        raise misfit(f"{name} must be a scalar, not of shape {length.shape}.")
    return length


@public("math.bincount")
@of_composites
def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    axis: int | None = None,
    binary_output: bool = False,
) -> Any:
    """Counts how often each integer occurs, or adds up its weights.

    Args:
      arr: a tensor of integers, none negative.
      weights: a tensor of the shape of ``arr``; None: each counts 1.
      minlength: the least length of the result.
      maxlength: the greatest length: larger integers are not counted.
      dtype: the dtype of the result when there are no weights.
      name: a name for the nodes' scope.
      axis: 0 or None: over all elements; -1: for each row of a matrix.
      binary_output: give 1 for each integer that occurs, however often.

    Raises:
      ValueError: if both ``weights`` and ``binary_output`` are given, or ``axis`` is another.
      tf.errors.InvalidArgumentError: for a negative integer.

    >>> import graphlab as tf
    >>> tf.math.bincount([1, 1, 2, 3]).numpy()
    array([0, 2, 1, 1], dtype=int32)
    """
    from graphlab.ops import array, array_shape, math, reduction
    from graphlab.ops.casting import cast
    from graphlab.ops.comparison import greater

    if weights is not None and binary_output:
        raise ValueError("Arguments `binary_output` and `weights` are mutually exclusive. Please specify only one.")
    if axis not in (None, 0, -1):
        raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    with name_scope(name, "bincount"):
        x = convert_to_tensor(arr)
        if x.dtype not in INDEX:
            x = cast(x, dtypes.int32)
        nonempty = cast(greater(array_shape.size(x), 0), x.dtype)
        size = nonempty * (reduction.reduce_max(x) + 1)
        if minlength is not None:
            size = math.maximum(_length(minlength, x.dtype, "minlength"), size)
        if maxlength is not None:
            size = math.minimum(_length(maxlength, x.dtype, "maxlength"), size)
        if axis != -1:
            x = array.reshape(x, [-1])
        if weights is None:
            weights = constant([], dtypes.as_dtype(dtype))
        else:
            weights = convert_to_tensor(weights)
            if axis != -1 and weights._raw_shape() != (0,):
                weights = array.reshape(weights, [-1])
        return bind(DENSE_BINCOUNT, (x, size, weights), {"binary_output": binary_output})


@public("math.confusion_matrix")
def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    weights: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Any:
    """Counts, for each label (row) and prediction (column), how often they occur together.

    Args:
      labels: a vector of class numbers.
      predictions: a vector of as many class numbers.
      num_classes: the number of classes; one more than the largest number by default.
      weights: a vector: what each pair counts; 1 by default.
      dtype: the dtype of the result.
      name: a name for the nodes' scope.

    Raises:
      tf.errors.InvalidArgumentError: for negative numbers, or ones that are not below ``num_classes``.

    >>> import graphlab as tf
    >>> tf.math.confusion_matrix([1, 2, 2], [1, 2, 1]).numpy()
    array([[0, 0, 0],
           [0, 1, 0],
           [0, 1, 1]], dtype=int32)
    """
    from graphlab.ops import array, creation, debugging, debugging_signs, math, reduction, written_out
    from graphlab.ops.casting import cast
    from graphlab.ops.scatter import scatter_nd

    checked = written_out.checked
    with name_scope(name, "confusion_matrix"):
        columns, rows = _flat(predictions), _flat(labels)
        columns, rows = cast(columns, dtypes.int64), cast(rows, dtypes.int64)
        message = "`labels` contains negative values.  "
        rows = checked(debugging_signs.assert_non_negative(rows, message=message), rows)
        message = "`predictions` contains negative values.  "
        columns = checked(debugging_signs.assert_non_negative(columns, message=message), columns)
        if num_classes is None:
            size = math.maximum(reduction.reduce_max(columns), reduction.reduce_max(rows)) + 1
            sizes = array.stack([size, size])
        else:
            size = cast(num_classes, dtypes.int64)
            rows = checked(debugging.assert_less(rows, size, message="`labels` out of bound"), rows)
            columns = checked(debugging.assert_less(columns, size, message="`predictions` out of bound"), columns)
            sizes = array.stack([num_classes, num_classes])
        places = array.stack([rows, columns], axis=1)
        if weights is not None:
            values = cast(weights, dtype)
            inference.merge(columns._raw_shape(), values._raw_shape())
        elif state.graph is None:
            values = creation.ones_like(columns, dtype)
        else:
            values = written_out.ones_like(columns, dtypes.as_dtype(dtype))
        return scatter_nd(places, values, cast(sizes, dtypes.int64))


def _flat(x: Any) -> Any:
    from graphlab.ops.array import squeeze

    x = convert_to_tensor(x)
    shape = x._raw_shape()
    return squeeze(x, [-1]) if shape is not None and len(shape) == 2 and shape[-1] == 1 else x


@public("histogram_fixed_width")
def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Any:
    """Counts values in bins of equal width; those outside count in the first or last bin.

    Args:
      values: a tensor of int32, int64, float32 or float64.
      value_range: a vector of two: the bounds.
      nbins: the number of bins.
      dtype: the dtype of the result: int32 or int64.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the bounds or the number of bins make no sense.

    >>> import graphlab as tf
    >>> tf.histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5).numpy()
    array([2, 1, 1, 0, 2], dtype=int32)
    """
    if state.graph is None:
        nbins = convert_to_tensor(nbins, dtypes.int32)
    with name_scope(name, "histogram_fixed_width") as scope:
        return bind(HISTOGRAM, (values, value_range, nbins), {"dtype": dtypes.as_dtype(dtype)}, scope or name)


@public("histogram_fixed_width_bins")
def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Any:
    """Returns the bin of each value, see ``tf.histogram_fixed_width``.

    Args:
      values: a tensor of a real dtype.
      value_range: a vector of two: the bounds.
      nbins: the number of bins.
      dtype: the dtype of the result: int32 or int64.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.histogram_fixed_width_bins([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5).numpy()
    array([0, 0, 1, 2, 4, 4], dtype=int32)
    """
    from graphlab.ops import division, math, rounding, selection
    from graphlab.ops.casting import cast

    with name_scope(name, "histogram_fixed_width_bins"):
        values = convert_to_tensor(values, name="values")
        value_range = convert_to_tensor(value_range, name="value_range")
        if state.graph is not None:
            inference.at_least_rank(value_range._raw_shape(), 1, "value_range")
        if value_range.dtype is not values.dtype:
            text = (
                f"values and value_range must have one dtype, but have {values.dtype.name}, {value_range.dtype.name}."
            )
            raise InvalidArgumentError(None, None, text) if state.graph is None else TypeError(text)
        value_range = cast(value_range, dtypes.float64)
        count = convert_to_tensor(nbins, dtype=dtypes.int32, name="nbins")
        _check_count(count)
        wide = cast(values, dtypes.float64)
        scaled = division.truediv(math.subtract(wide, value_range[0]), math.subtract(value_range[1], value_range[0]))
        places = rounding.floor(math.multiply(cast(count, dtypes.float64), scaled))
        last = cast(math.subtract(count, 1), dtypes.float64)
        return cast(selection.clip_by_value(places, constant(0.0, dtypes.float64), last), dtype)


def _check_count(count: Any) -> None:
    from graphlab.ops.comparison import greater
    from graphlab.ops.debugging import Assert

    positive = greater(count, 0)
    if state.graph is not None:
        Assert(positive, ["nbins must be positive"])
    elif count.shape.num_elements() and not positive:
        raise InvalidArgumentError(None, None, f"nbins must be positive, not {int(count)}.")


@public("math.zero_fraction", "nn.zero_fraction")
def zero_fraction(value: Any, name: str | None = None) -> Any:
    """Returns which fraction of the elements is 0, a float32 scalar.

    Args:
      value: a tensor of a numeric dtype.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.math.zero_fraction([0.0, 1.0, 0.0, 2.0]).numpy()
    np.float32(0.5)
    """
    from graphlab.ops import array, array_shape, comparison, division
    from graphlab.ops.casting import cast
    from graphlab.ops.reduction import count_nonzero

    with name_scope(name, "zero_fraction"):
        value = convert_to_tensor(value, name="value")
        size = array_shape.size(value, out_type=dtypes.int64)
        if state.graph is None:
            count = count_nonzero(value)
        else:  # counted in int32 where that is enough
            count = resolve("cond")(
                comparison.less_equal(size, dtypes.int32.max),
                true_fn=lambda: cast(_nonzero(value, dtypes.int32), dtypes.int64),
                false_fn=lambda: _nonzero(value, dtypes.int64),
            )
        with name_scope(None, "counts_to_fraction"):
            fraction = division.truediv(cast(size - count, dtypes.float32), cast(size, dtypes.float32))
        return array.identity(fraction, name="fraction")


def _nonzero(value: Any, dtype: DType) -> Any:
    from graphlab.ops import comparison, creation, reduction
    from graphlab.ops.casting import cast

    with name_scope(None, "count_nonzero"):
        zero = creation.zeros([], value.dtype)
        return reduction.reduce_sum(cast(comparison.not_equal(value, zero), dtype), name="nonzero_count")


def _neighbours(x: Any) -> tuple[Any, Any]:
    from graphlab.ops.array import reshape

    x = convert_to_tensor(x)
    if x.dtype in (dtypes.bool, dtypes.string):
        raise TypeError(f"x must be numbers, not {x.dtype.name}.")
    flat = reshape(x, [-1])
    return flat[:-1], flat[1:]


@public("math.is_non_decreasing")
def is_non_decreasing(x: Any, name: str | None = None) -> Any:
    """Returns whether no element is smaller than the one before it, in row-major order.

    Args:
      x: a tensor of a real dtype.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.math.is_non_decreasing([1, 1, 2]).numpy()
    np.True_
    """
    from graphlab.ops import comparison, reduction

    with name_scope(name, "is_non_decreasing"):
        before, after = _neighbours(x)
        return reduction.reduce_all(comparison.less_equal(before, after))


@public("math.is_strictly_increasing")
def is_strictly_increasing(x: Any, name: str | None = None) -> Any:
    """Returns whether each element is larger than the one before it, in row-major order.

    Args:
      x: a tensor of a real dtype.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.math.is_strictly_increasing([1, 1, 2]).numpy()
    np.False_
    """
    from graphlab.ops import comparison, reduction

    with name_scope(name, "is_strictly_increasing"):
        before, after = _neighbours(x)
        return reduction.reduce_all(comparison.less(before, after))
