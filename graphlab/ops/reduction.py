"""Reductions over axes: sums, products, extrema, means, logical ones, and what is composed of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import CompositeGiven, constant, convert_to_tensor, has_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, NUMERIC, REAL, Arg, Op, define
from graphlab.core.operators import quietly
from graphlab.core.state import ACTIVE, state
from graphlab.core.tensor import EagerTensor, Tensor, wrap
from graphlab.ops import inference
from graphlab.ops import reduction_gradients as gradients
from graphlab.ops.inference import Shape
from graphlab.ops.over_values import of_composites

# ------------------------------------------------------------------------------------------------------------- kernels


# NumPy's reduce takes all of this by position, faster than by keyword: (array, axis, dtype, out, keepdims, initial).
_add: Any = np.add.reduce
_multiply: Any = np.multiply.reduce
_maximum: Any = np.maximum.reduce
_minimum: Any = np.minimum.reduce
_logical_and: Any = np.logical_and.reduce
_logical_or: Any = np.logical_or.reduce


def _axes(x: Any, axes: Any) -> tuple[int, ...]:
    where = tuple(axes.reshape(-1).tolist())
    if where and not x.ndim:  # NumPy takes 0 and -1 for axes of a scalar
        message = f"Invalid reduction dimension ({where[0]} for input with 0 dimension(s)"
        raise InvalidArgumentError(None, None, message)
    return where


def _unchanged(x: Any, where: tuple[int, ...], keep_dims: bool) -> Any:
    """The elements as they are, -0.0 included, if no two of them are added up; else None."""
    shape = x.shape
    if any(not -len(shape) <= axis < len(shape) or shape[axis] != 1 for axis in where):
        return None
    gone = {axis % len(shape) for axis in where}
    if len(gone) != len(where):
        return None
    return x.copy() if keep_dims else x.reshape([n for i, n in enumerate(shape) if i not in gone]).copy()


def _wide(x: Any) -> Any:
    """What sums are accumulated in: float32 for the two-byte floats."""
    return np.float32 if x.dtype.itemsize == 2 and x.dtype.kind in "fV" else x.dtype


def _sum(x: Any, axes: Any, keep_dims: bool) -> Any:
    where = _axes(x, axes)
    same = _unchanged(x, where, keep_dims)
    if same is not None:
        return same
    wide = _wide(x)
    return _add(x.astype(wide, copy=False), where, wide, None, keep_dims).astype(x.dtype, copy=False)


def _prod(x: Any, axes: Any, keep_dims: bool) -> Any:
    wide = _wide(x)
    return _multiply(x.astype(wide, copy=False), _axes(x, axes), wide, None, keep_dims).astype(x.dtype, copy=False)


def lowest(dtype: Any) -> Any:
    """The value below all others: -inf for floats, the smallest integer."""
    if dtype.kind in "iu":
        return dtype.type(np.iinfo(dtype).min)
    return dtype.type(-np.inf)


def highest(dtype: Any) -> Any:
    """The value above all others: inf for floats, the largest integer."""
    if dtype.kind in "iu":
        return dtype.type(np.iinfo(dtype).max)
    return dtype.type(np.inf)


def _max(x: Any, axes: Any, keep_dims: bool) -> Any:
    return _maximum(x, _axes(x, axes), None, None, keep_dims, lowest(x.dtype))


def _min(x: Any, axes: Any, keep_dims: bool) -> Any:
    return _minimum(x, _axes(x, axes), None, None, keep_dims, highest(x.dtype))


def _mean(x: Any, axes: Any, keep_dims: bool) -> Any:
    where = _axes(x, axes)
    if x.dtype.kind in "iu":
        total = _add(x, where, np.uint64 if x.dtype == np.uint64 else np.int64, None, keep_dims)
        count = _count(x, total)
        # Towards zero, as integers are divided in C; the mean of nothing is 0.
        quotient = np.abs(total) // max(count, 1)
        return (
            np.where(total < 0, -quotient, quotient).astype(x.dtype)
            if x.dtype.kind == "i"
            else quotient.astype(x.dtype)
        )
    same = _unchanged(x, where, keep_dims)
    if same is not None:
        return same
    wide = _wide(x)
    total = _add(x.astype(wide, copy=False), where, wide, None, keep_dims)
    count = _count(x, total)
    if x.dtype.kind == "c" and not count:  # as TensorFlow has it, unlike the mean of no floats
        return total
    return np.true_divide(total, total.dtype.type(count)).astype(x.dtype, copy=False)


def _count(x: Any, total: Any) -> int:
    if total.size:
        return int(x.size // total.size)
    return 0


def _euclidean_norm(x: Any, axes: Any, keep_dims: bool) -> Any:
    where = _axes(x, axes)
    if x.dtype.kind in "iu":
        total = _add(np.multiply(x, x), where, x.dtype, None, keep_dims)
        return np.sqrt(total.astype(np.float64)).astype(x.dtype)
    if x.dtype.kind == "c":
        return np.sqrt(_add(np.multiply(x, np.conj(x)), where, x.dtype, None, keep_dims))
    wide = x.astype(_wide(x), copy=False)
    return np.sqrt(_add(np.square(wide), where, None, None, keep_dims)).astype(x.dtype, copy=False)


def _all(x: Any, axes: Any, keep_dims: bool) -> Any:
    return _logical_and(x, _axes(x, axes), None, None, keep_dims)


def _any(x: Any, axes: Any, keep_dims: bool) -> Any:
    return _logical_or(x, _axes(x, axes), None, None, keep_dims)


# ----------------------------------------------------------------------------------------------------------- inference


def reduced_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    """The shape of a reduction: known as soon as the axes are."""
    shape, keep = args[0].shape, attrs["keep_dims"]
    if shape is None:
        return None
    axes = args[1].value
    if axes is None:
        return (None,) * len(shape) if keep else None
    gone = set()
    for axis in axes.reshape(-1).tolist():
        axis = inference.axis_in(axis, len(shape))
        gone.add(axis)  # an axis that is given twice is told when it runs, as in TensorFlow
    if keep:
        return tuple(1 if i in gone else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in gone)


# ------------------------------------------------------------------------------------------------------------- records

_REDUCTION = "input: T, reduction_indices: Tidx -> output: T"
_LOGICAL = "input: bool, reduction_indices: Tidx -> output: bool"


SUM = define("Sum", _REDUCTION, kernel=_sum, infer=reduced_shape, gradient=gradients.sum_grad,
             attrs={"keep_dims": False}, types={"T": NUMERIC, "Tidx": INDEX},
             defaults={"Tidx": dtypes.int32})  # fmt: skip
PROD = define("Prod", _REDUCTION, kernel=_prod, infer=reduced_shape, gradient=gradients.prod_grad,
              attrs={"keep_dims": False}, types={"T": NUMERIC, "Tidx": INDEX},
              defaults={"Tidx": dtypes.int32})  # fmt: skip
MAX = define("Max", _REDUCTION, kernel=_max, infer=reduced_shape, gradient=gradients.extremum_grad,
             attrs={"keep_dims": False}, types={"T": REAL, "Tidx": INDEX},
             defaults={"Tidx": dtypes.int32})  # fmt: skip
MIN = define("Min", _REDUCTION, kernel=_min, infer=reduced_shape, gradient=gradients.extremum_grad,
             attrs={"keep_dims": False}, types={"T": REAL, "Tidx": INDEX},
             defaults={"Tidx": dtypes.int32})  # fmt: skip
MEAN = define("Mean", _REDUCTION, kernel=_mean, infer=reduced_shape, gradient=gradients.mean_grad,
              attrs={"keep_dims": False}, types={"T": NUMERIC, "Tidx": INDEX},
              defaults={"Tidx": dtypes.int32})  # fmt: skip
EUCLIDEAN_NORM = define(
    "EuclideanNorm", _REDUCTION, kernel=_euclidean_norm, infer=reduced_shape, gradient=gradients.euclidean_norm_grad,
    attrs={"keep_dims": False}, types={"T": NUMERIC, "Tidx": INDEX}, defaults={"Tidx": dtypes.int32},
)  # fmt: skip
ALL = define("All", _LOGICAL, kernel=_all, infer=reduced_shape, gradient=NOT_DIFFERENTIABLE,
             attrs={"keep_dims": False}, types={"Tidx": INDEX}, defaults={"Tidx": dtypes.int32}, fp=False)  # fmt: skip
ANY = define("Any", _LOGICAL, kernel=_any, infer=reduced_shape, gradient=NOT_DIFFERENTIABLE,
             attrs={"keep_dims": False}, types={"Tidx": INDEX}, defaults={"Tidx": dtypes.int32}, fp=False)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions

_WHOLE: tuple[Any, ...] = tuple(np.arange(n, dtype=np.int32) for n in range(12))


def all_axes(x: Any) -> Any:
    """The axes of a tensor, for reductions over all of them: a constant, or computed when the rank is not known."""
    shape = x._raw_shape()
    if shape is None or (not shape and state.graph is not None):
        from graphlab.ops import array_shape, creation

        return creation.range(0, array_shape.rank(x))
    axes = _WHOLE[len(shape)] if len(shape) < 12 else np.arange(len(shape), dtype=np.int32)
    return axes if state.graph is None else constant(axes)


# Eagerly, outside of tapes, these go straight to NumPy for the dtypes in which it has TensorFlow's arithmetic.
_FAST: dict[str, Any] = {
    "Sum": _add,
    "Prod": _multiply,
    "Max": _maximum,
    "Min": _minimum,
    "All": _logical_and,
    "Any": _logical_or,
}
_FAST_TYPES = frozenset(np.dtype(t) for t in (np.float32, np.float64, np.int32, np.int64, np.bool_))


def _flag(keepdims: Any) -> bool:
    """Whether anything says yes, as Python sees it; an array without elements says no."""
    if keepdims.__class__ is bool:
        return keepdims
    return False if isinstance(keepdims, EagerTensor) and not keepdims._a.size else bool(keepdims)


def _reduce(op: Op, x: Any, axis: Any, keepdims: bool | None, name: str | None, dtype: Any = None) -> Any:
    if not ACTIVE and x.__class__ is EagerTensor and (axis is None or axis.__class__ is int):
        a, fast = x._a, _FAST.get(op.type)
        # NumPy takes 0 for an axis of a scalar, and makes 0.0 of a single -0.0.
        plain = a.ndim and (fast is not _add or 1 not in a.shape or (axis is None and a.size > 1))
        if fast and plain and a.dtype in _FAST_TYPES and a.size and (a.dtype.kind == "b") is (dtype is not None):
            try:
                return wrap(quietly(fast, a, axis, a.dtype, None, keepdims if keepdims is False else _flag(keepdims)))
            except (np.exceptions.AxisError, OverflowError, RuntimeError):
                pass  # the general way says what is wrong; another thread may be in that context
    keepdims = _flag(keepdims)
    if not isinstance(x, Tensor):
        if (
            state.graph is not None and x.__class__ in (list, tuple) and has_tensor(x)
        ):  # TensorFlow joins a list of tensors for each use of it
            if axis is None:
                from graphlab.ops.creation import range as every

                with name_scope(None, "Rank") as scope:
                    known = convert_to_tensor(x, dtype=dtype, name="packed")._raw_shape()
                whole = constant(len(known), dtypes.int32, name=scope)
                return bind(op, (x, every(0, whole)), {"keep_dims": keepdims}, name)
            return bind(op, (x, axis), {"keep_dims": keepdims}, name)
        try:
            x = convert_to_tensor(x, dtype=dtype)
        except CompositeGiven as given:
            if given.value is not x or not hasattr(x, "nested_row_splits") or op.type == "EuclideanNorm":
                raise
            from graphlab.ops.ragged_rows import reduced

            return reduced(op.type, x, axis, keepdims, name)
    to_scalar = axis is None and not keepdims
    if axis is None:
        axis = all_axes(x)
    if state.graph is None and axis.__class__ is np.ndarray:
        axis = wrap(np.asarray(axis, np.int32))
    result = bind(op, (x, axis), {"keep_dims": keepdims}, name)
    if to_scalar and state.graph is not None and not x._raw_shape():
        result.set_shape(())
    return result


@public("math.reduce_sum", "reduce_sum")
def reduce_sum(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Sums elements over axes.

    Args:
      input_tensor: a tensor of a numeric dtype.
      axis: an axis or a list of axes, negative ones count from the end; None: all.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the node.

    Returns:
      A tensor of the same dtype; integers wrap around.

    Raises:
      tf.errors.InvalidArgumentError: for an axis that is out of range or given twice (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.reduce_sum([[1, 1, 1], [1, 1, 1]], axis=1).numpy()
    array([3, 3], dtype=int32)
    """
    return _reduce(SUM, input_tensor, axis, keepdims, name)


@public("math.reduce_prod", "reduce_prod")
def reduce_prod(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Multiplies elements over axes.

    Args:
      input_tensor: a tensor of a numeric dtype.
      axis: an axis or a list of axes; None: all.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.reduce_prod([[1, 2], [3, 4]], axis=0).numpy()
    array([3, 8], dtype=int32)
    """
    return _reduce(PROD, input_tensor, axis, keepdims, name)


@public("math.reduce_max", "reduce_max")
def reduce_max(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Returns the largest elements over axes; NaN if one is among them.

    Of no elements it is the lowest value of the dtype.

    Args:
      input_tensor: a tensor of a real dtype.
      axis: an axis or a list of axes; None: all.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.reduce_max([[1.0, 4.0], [3.0, 2.0]], axis=1).numpy()
    array([4., 3.], dtype=float32)
    """
    return _reduce(MAX, input_tensor, axis, keepdims, name)


@public("math.reduce_min", "reduce_min")
def reduce_min(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Returns the smallest elements over axes; NaN if one is among them.

    Of no elements it is the highest value of the dtype.

    Args:
      input_tensor: a tensor of a real dtype.
      axis: an axis or a list of axes; None: all.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.reduce_min([[1.0, 4.0], [3.0, 2.0]], axis=1).numpy()
    array([1., 2.], dtype=float32)
    """
    return _reduce(MIN, input_tensor, axis, keepdims, name)


@public("math.reduce_mean", "reduce_mean")
def reduce_mean(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Averages elements over axes.

    Args:
      input_tensor: a tensor of a numeric dtype.  The mean of integers is an integer, rounded towards zero.
      axis: an axis or a list of axes; None: all.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.reduce_mean([[1.0, 2.0], [3.0, 6.0]], axis=0).numpy()
    array([2., 4.], dtype=float32)
    >>> tf.reduce_mean([1, 0, 1, 0]).numpy()
    np.int32(0)
    """
    return _reduce(MEAN, input_tensor, axis, keepdims, name)


@public("math.reduce_euclidean_norm")
def reduce_euclidean_norm(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Returns the square root of the sum of squares over axes.

    Args:
      input_tensor: a tensor of a numeric dtype.
      axis: an axis or a list of axes; None: all.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.math.reduce_euclidean_norm([3.0, 4.0]).numpy()
    np.float32(5.0)
    """
    return _reduce(EUCLIDEAN_NORM, input_tensor, axis, keepdims, name)


@public("math.reduce_all", "reduce_all")
def reduce_all(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Returns whether all elements over axes are True.

    Args:
      input_tensor: a bool tensor.
      axis: an axis or a list of axes; None: all.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.reduce_all([[True, True], [False, True]], axis=1).numpy()
    array([ True, False])
    """
    return _reduce(ALL, input_tensor, axis, keepdims, name, dtypes.bool)


@public("math.reduce_any", "reduce_any")
def reduce_any(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Returns whether any element over axes is True.

    Args:
      input_tensor: a bool tensor.
      axis: an axis or a list of axes; None: all.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.reduce_any([[False, False], [False, True]], axis=1).numpy()
    array([False,  True])
    """
    return _reduce(ANY, input_tensor, axis, keepdims, name, dtypes.bool)


@public("math.reduce_logsumexp", "reduce_logsumexp")
@of_composites
def reduce_logsumexp(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Returns ``log(sum(exp(x)))`` over axes, without overflow: the maximum is taken out first.

    Args:
      input_tensor: a tensor of a floating-point dtype.
      axis: an axis or a list of axes; None: all.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.reduce_logsumexp([0.0, 0.0]).numpy().round(4)
    np.float32(0.6931)
    """
    from graphlab.ops import array, array_shape, math, rounding, selection, unary

    with name_scope(name, "ReduceLogSumExp") as scope:
        x = convert_to_tensor(input_tensor)
        top = reduce_max(x, axis, keepdims=True)
        top = array.stop_gradient(selection.where(rounding.is_finite(top), top, 0))
        result = unary.log(reduce_sum(unary.exp(math.subtract(x, top)), axis, keepdims=keepdims))
        if not keepdims:
            sizes = array_shape.shape(result) if state.graph is None else bind(array_shape.SHAPE, (result,))
            top = array.reshape(top, sizes)
        return math.add(result, top, name=scope or name)


@public("math.reduce_variance")
@of_composites
def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Returns the mean squared deviation from the mean over axes.

    Args:
      input_tensor: a tensor of a floating-point or complex dtype.
      axis: an axis or a list of axes; None: all.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the nodes' scope.

    Returns:
      A real tensor.

    Raises:
      TypeError: for integers.

    >>> import graphlab as tf
    >>> tf.math.reduce_variance([1.0, 3.0]).numpy()
    np.float32(1.0)
    """
    from graphlab.ops import math, unary

    with name_scope(name, "reduce_variance"):
        x = convert_to_tensor(input_tensor)
        mean = reduce_mean(x, axis, keepdims=True)
        if x.dtype.is_integer:
            raise TypeError(
                f"The input must be real or complex, but has dtype {x.dtype!r}. Write tf.cast(x, tf.float32)."
            )
        difference = x - mean
        if x.dtype.is_complex:
            from graphlab.ops.complex import conj, real

            squared = real(math.multiply(conj(difference), difference))
        else:
            squared = unary.square(difference)
        return reduce_mean(squared, axis, keepdims=keepdims)


@public("math.reduce_std")
@of_composites
def reduce_std(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Returns the standard deviation over axes, the square root of ``reduce_variance``.

    Args:
      input_tensor: a tensor of a floating-point or complex dtype.
      axis: an axis or a list of axes; None: all.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the nodes' scope.

    Raises:
      TypeError: for integers.

    >>> import graphlab as tf
    >>> tf.math.reduce_std([1.0, 3.0]).numpy()
    np.float32(1.0)
    """
    from graphlab.ops import unary

    with name_scope(name, "reduce_std"):
        return unary.sqrt(reduce_variance(convert_to_tensor(input_tensor), axis, keepdims))


@public("math.count_nonzero")
def count_nonzero(
    input: Any, axis: Any = None, keepdims: bool | None = None, dtype: Any = dtypes.int64, name: str | None = None
) -> Any:
    """Counts the elements over axes that are not zero (for strings: not empty).

    Args:
      input: a tensor of a numeric dtype, bool or string.
      axis: an axis or a list of axes; None: all.
      keepdims: keep the reduced axes, with size 1.
      dtype: the dtype of the result.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.math.count_nonzero([[0, 1, 0], [1, 1, 0]], axis=1).numpy()
    array([1, 2])
    """
    from graphlab.ops.casting import cast
    from graphlab.ops.comparison import not_equal

    with name_scope(name, "count_nonzero"):
        x = convert_to_tensor(input, name="input")
        if x.dtype is dtypes.string:
            zero = constant("", dtypes.string, name="zeros")
        else:
            zero = constant(False if x.dtype is dtypes.bool else 0, x.dtype, name="zeros")
        counted = reduce_sum(cast(not_equal(x, zero), dtypes.int64), axis, bool(keepdims))
        return cast(counted, dtype)
