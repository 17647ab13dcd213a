"""Parts of neural networks: bias, normalization, dropout, embeddings."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import NUMERIC, Arg, define
from graphlab.core.shape import TensorShape
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.over_values import of_composites, over_values

# -------------------------------------------------------------------------------------------------------------- the op


def _bias_add(value: Any, bias: Any, data_format: str) -> Any:
    if value.ndim < 2:
        raise InvalidArgumentError(None, None, f"Input tensor must be at least 2D: {list(value.shape)}")
    if bias.ndim != 1:
        raise InvalidArgumentError(None, None, f"Biases must be 1D: {list(bias.shape)}")
    axis = 1 if data_format == "NCHW" else value.ndim - 1
    if value.shape[axis] != bias.shape[0]:
        message = f"Must provide as many biases as the last dimension of the input tensor: {list(bias.shape)} vs. "
        raise InvalidArgumentError(None, None, message + f"{list(value.shape)}")
    return np.add(value, bias.reshape((-1,) + (1,) * (value.ndim - axis - 1)))


def _bias_add_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    shape = inference.at_least_rank(args[0].shape, 2, "The input of bias_add")
    bias = inference.with_rank(args[1].shape, 1, "A bias")[0]
    if shape is None:
        return None
    axis = 1 if attrs["data_format"] == "NCHW" else len(shape) - 1
    size = inference.merge_dim(shape[axis], bias, "The number of channels and of biases")
    return (*shape[:axis], size, *shape[axis + 1 :])


def _bias_axes(rank: int, data_format: str) -> tuple[int, ...]:
    channel = 1 if data_format == "NCHW" else rank - 1
    return tuple(i for i in range(rank) if i != channel)


def _bias_add_grad(out_backprop: Any, data_format: str) -> Any:
    wide = out_backprop.astype(np.float32) if out_backprop.dtype.itemsize == 2 else out_backprop
    total = np.add.reduce(wide, _bias_axes(out_backprop.ndim, data_format), wide.dtype)
    return total.astype(out_backprop.dtype, copy=False)


def _bias_add_grad_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    shape = args[0].shape
    return (None,) if shape is None else (shape[1 if attrs["data_format"] == "NCHW" else -1],)


def _bias_gradient(op: Any, dy: Any) -> list[Any]:
    return [dy, bind(BIAS_ADD_GRAD, (dy,), {"data_format": op.attrs["data_format"]}) if op.needs(1) else None]


def _bias_gradient_gradient(op: Any, g: Any) -> Any:
    from graphlab.ops import array, array_shape

    x = op.inputs[0]
    shape = x._raw_shape()
    if op.attrs["data_format"] == "NCHW":
        rank = len(shape)
        g = array.reshape(g, [1, -1] + [1] * (rank - 2))
    return array_shape.broadcast_to(g, array_shape.shape_of(x))


BIAS_ADD = define("BiasAdd", "value: T, bias: T -> output: T", kernel=_bias_add, infer=_bias_add_shape,
                  gradient=_bias_gradient, types={"T": NUMERIC}, attrs={"data_format": "NHWC"},
                  can_fail=True)  # fmt: skip
BIAS_ADD_GRAD = define("BiasAddGrad", "out_backprop: T -> output: T", kernel=_bias_add_grad,
                       infer=_bias_add_grad_shape, gradient=_bias_gradient_gradient, types={"T": NUMERIC},
                       attrs={"data_format": "NHWC"})  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("nn.bias_add")
def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Any:
    """Adds a bias to each channel.

    Args:
      value: a tensor of a numeric dtype and rank 2 or more.
      bias: a vector of that dtype, an element for each channel.
      data_format: where the channels are: last (``"N...C"``, the default) or second (``"NC..."``).
      name: a name for the node.

    Raises:
      ValueError: for another data format.
      tf.errors.InvalidArgumentError: if the sizes don't fit (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.nn.bias_add([[1.0, 2.0]], [10.0, 20.0]).numpy()
    array([[11., 22.]], dtype=float32)
    """
    if data_format is not None:
        if data_format.startswith("NC"):
            data_format = "NCHW"
        elif data_format.startswith("N") and data_format.endswith("C"):
            data_format = "NHWC"
        else:
            raise ValueError(
                f"`data_format` must be of the form `N...C` or `NC...`. Received: data_format={data_format}"
            )
    with name_scope(name, "BiasAdd") as scope:
        if state.graph is not None:
            value = convert_to_tensor(value, name="input")
            bias = convert_to_tensor(bias, dtype=value.dtype, name="bias")
        return bind(BIAS_ADD, (value, bias), {"data_format": data_format or "NHWC"}, scope or name)


@public("math.l2_normalize", "nn.l2_normalize", "linalg.l2_normalize")
def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None) -> Any:
    """Scales a tensor to Euclidean norm 1 over axes: ``x / sqrt(max(sum(x**2), epsilon))``.

    Args:
      x: a tensor of a floating-point or complex dtype.
      axis: an axis or a list of axes; None: all.
      epsilon: the smallest sum of squares that is divided by.
      name: a name for the nodes' scope.
      dim: an older name of ``axis``.

    >>> import graphlab as tf
    >>> tf.math.l2_normalize([3.0, 4.0]).numpy()
    array([0.6, 0.8], dtype=float32)
    """
    from graphlab.ops import math, reduction, unary

    axis = dim if axis is None else axis
    with name_scope(name, "l2_normalize") as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            from graphlab.ops.complex import complex, imag, real

            squares = math.add(unary.square(real(x)), unary.square(imag(x)))
            inverse = unary.rsqrt(math.maximum(reduction.reduce_sum(squares, axis, keepdims=True), epsilon))
            return complex(math.multiply(real(x), inverse), math.multiply(imag(x), inverse), name=scope or None)
        total = reduction.reduce_sum(unary.square(x), axis, keepdims=True)
        return math.multiply(x, unary.rsqrt(math.maximum(total, epsilon)), name=scope or None)


@public("nn.moments")
@of_composites
def moments(x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """Returns the mean and the variance over axes.

    Args:
      x: a tensor of a floating-point dtype; two-byte floats are computed with as float32.
      axes: a list of axes.
      shift: not used.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> mean, variance = tf.nn.moments([1.0, 3.0], [0])
    >>> mean.numpy(), variance.numpy()
    (np.float32(2.0), np.float32(1.0))
    """
    from graphlab.ops import array, math, reduction
    from graphlab.ops.casting import cast

    del shift
    with name_scope(name, "moments"):
        x = convert_to_tensor(x)
        half = x.dtype in (dtypes.float16, dtypes.bfloat16)
        y = cast(x, dtypes.float32) if half else x
        mean = reduction.reduce_mean(y, axes, keepdims=True, name="mean")
        variance = reduction.reduce_mean(
            math.squared_difference(y, array.stop_gradient(mean)), axes, keepdims=True, name="variance"
        )
        if not keepdims:
            mean, variance = array.squeeze(mean, axes), array.squeeze(variance, axes)
        return (cast(mean, x.dtype), cast(variance, x.dtype)) if half else (mean, variance)


@public("nn.sufficient_statistics")
def sufficient_statistics(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Any, Any, Any, Any]:
    """Returns what the mean and variance over axes can be computed of: count, sum, sum of squares, and the shift.

    Args:
      x: a tensor of a floating-point dtype.
      axes: a list of axes.
      shift: a value near the mean, subtracted first for accuracy; None: nothing.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> count, total, squares, shift = tf.nn.sufficient_statistics([1.0, 3.0], [0])
    >>> count.numpy(), total.numpy(), squares.numpy(), shift
    (np.float32(2.0), np.float32(4.0), np.float32(10.0), None)
    """
    from graphlab.ops import array_shape, math, reduction, unary
    from graphlab.ops.casting import cast

    if isinstance(axes, EagerTensor) and np.shape(axes._a)[:1] == (0,):
        axes = []
    if not isinstance(axes, (list, tuple)):
        raise TypeError(f"axes must be a list of ints, not {axes!r:.100}.")
    axes = sorted(set(axes))
    with name_scope(name, "sufficient_statistics"):
        x = convert_to_tensor(x, name="x")
        shape = x._raw_shape()
        if shape is not None:
            for d in axes:
                inference.axis_in(d, len(shape))
        if shape is not None and all(shape[d] is not None for d in axes):
            number = prod([shape[d] for d in axes])
            count = constant(number if x.dtype.is_integer else float(number), x.dtype)
        else:
            sizes = array_shape.shape(x)
            count = cast(reduction.reduce_prod(_picked(sizes, axes)), x.dtype)
        if shift is not None:
            shift = convert_to_tensor(shift, name="shift")
            mean_ss, squares = math.subtract(x, shift), math.squared_difference(x, shift)
        else:
            mean_ss, squares = x, unary.square(x)
        mean_ss = reduction.reduce_sum(mean_ss, axes, keepdims=keepdims, name="mean_ss")
        return count, mean_ss, reduction.reduce_sum(squares, axes, keepdims=keepdims, name="var_ss"), shift


def _picked(sizes: Any, axes: Sequence[int]) -> Any:
    from graphlab.ops import array

    return array.stack([sizes[d] for d in axes])


@public("nn.normalize_moments")
def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[Any, Any]:
    """Returns the mean and variance from sufficient statistics.

    Args:
      counts: the number of values, a scalar of a floating-point dtype.
      mean_ss: the (shifted) sum.
      variance_ss: the (shifted) sum of squares.
      shift: the shift; None: 0.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> [t.numpy() for t in tf.nn.normalize_moments(2.0, 4.0, 10.0, None)]
    [np.float32(2.0), np.float32(1.0)]
    """
    from graphlab.ops import math, unary

    with name_scope(name, "normalize"):
        divisor = unary.reciprocal(counts, name="divisor")
        if shift is not None:
            shifted = math.multiply(mean_ss, divisor, name="shifted_mean")
            mean = math.add(shifted, shift, name="mean")
        else:
            shifted = mean = math.multiply(mean_ss, divisor, name="mean")
        variance = math.subtract(math.multiply(variance_ss, divisor), unary.square(shifted), name="variance")
        return mean, variance


@public("nn.weighted_moments")
def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: str | None = None
) -> tuple[Any, Any]:
    """Returns the mean and the variance over axes of values that count as often as weights say.

    Args:
      x: a tensor of a floating-point dtype.
      axes: a list of axes.
      frequency_weights: weights, which broadcast with ``x``.
      keepdims: keep the reduced axes, with size 1.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> mean, variance = tf.nn.weighted_moments([1.0, 3.0], [0], [3.0, 1.0])
    >>> mean.numpy(), variance.numpy()
    (np.float32(1.5), np.float32(0.75))
    """
    from graphlab.ops import array, creation, division, math, reduction
    from graphlab.ops.casting import cast

    with name_scope(name, "weighted_moments"):
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        needs_cast = x.dtype is dtypes.float16
        if needs_cast:
            x = cast(x, dtypes.float32)
        weights = cast(weights, x.dtype)
        weighted = reduction.reduce_sum(weights * x, axes, name="weighted_input_sum", keepdims=True)
        whole = weights + creation.zeros_like(x)
        total = reduction.reduce_sum(whole, axes, name="sum_of_weights", keepdims=True)
        mean = division.divide_no_nan(weighted, total)
        squares = weights * math.squared_difference(x, mean)
        spread = reduction.reduce_sum(squares, axes, name="weighted_distsq", keepdims=True)
        variance = division.divide_no_nan(spread, total)
        if not keepdims:
            mean, variance = array.squeeze(mean, axis=axes), array.squeeze(variance, axis=axes)
        if needs_cast:
            mean, variance = cast(mean, dtypes.float16), cast(variance, dtypes.float16)
        return mean, variance


@public("nn.batch_normalization")
def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: Any, name: str | None = None
) -> Any:
    """Returns ``(x - mean) / sqrt(variance + variance_epsilon) * scale + offset``.

    Args:
      x: a tensor of a floating-point dtype.
      mean: a tensor that broadcasts with ``x``.
      variance: a tensor that broadcasts with ``x``.
      offset: a tensor that broadcasts with ``x``; None: 0.
      scale: a tensor that broadcasts with ``x``; None: 1.
      variance_epsilon: a small number, so that nothing is divided by 0.
      name: a name for the nodes' scope.

    The formula is from Ioffe and Szegedy 2015, "Batch Normalization".

    >>> import graphlab as tf
    >>> tf.nn.batch_normalization([1.0, 3.0], 2.0, 1.0, 10.0, 2.0, 0.0).numpy()
    array([ 8., 12.], dtype=float32)
    """
    from graphlab.ops import unary
    from graphlab.ops.casting import cast

    with name_scope(name, "batchnorm"):
        x = convert_to_tensor(x)
        if x.dtype is dtypes.string:
            raise TypeError("Texts are not normalized: x must be of a floating-point dtype.")
        if isinstance(variance, (list, tuple, dict, str)) or variance is None:
            raise TypeError(
                f"variance must be a tensor or a number, not {variance!r:.100}. Write tf.constant(variance)."
            )
        inverse = unary.rsqrt(_tensor(variance, x) + variance_epsilon)
        if scale is not None:
            inverse *= scale
        scaled = x * cast(inverse, x.dtype)
        shift = -_tensor(mean, x) * inverse if offset is None else offset - mean * inverse
        return scaled + cast(shift, x.dtype)


def _tensor(value: Any, like: Any) -> Any:
    return value if hasattr(value, "dtype") else convert_to_tensor(value, dtype_hint=like.dtype)


@public("nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(
    input: Any,
    mean: Any,
    variance: Any,
    beta: Any,
    gamma: Any,
    variance_epsilon: Any,
    scale_after_normalization: bool,
    name: str | None = None,
) -> Any:
    """Batch normalization under the names of an older op; ``gamma`` is used if ``scale_after_normalization``.

    Args:
      input: a tensor of a floating-point dtype.
      mean: a tensor that broadcasts with it.
      variance: a tensor that broadcasts with it.
      beta: the offset.
      gamma: the scale.
      variance_epsilon: a small number, so that nothing is divided by 0.
      scale_after_normalization: whether to multiply by ``gamma``.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.nn.batch_norm_with_global_normalization([1.0, 3.0], 2.0, 1.0, 10.0, 2.0, 0.0, False).numpy()
    array([ 9., 11.], dtype=float32)
    """
    scale = gamma if scale_after_normalization else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon, name)


def _as_tensor(part: Any) -> Any:
    return part if hasattr(part, "dtype") else convert_to_tensor(part)


def _rate_checked(rate: Any) -> None:
    if rate is None or isinstance(rate, (str, list, tuple, dict)):
        raise ValueError(f"`rate` must be a scalar or scalar tensor. Received: rate={rate!r:.100}")
    if isinstance(rate, numbers.Real) and not 0 <= float(rate) < 1:
        raise ValueError(f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}")


def _noise_shape(x: Any, noise_shape: Any) -> Any:
    from graphlab.ops.array_shape import shape_of

    if noise_shape is None:
        shape = shape_of(x)
        return constant(list(shape), dtypes.int32, name="Shape") if isinstance(shape, tuple) else shape
    known = x._raw_shape()
    try:
        sizes = TensorShape(noise_shape)._dims
    except (TypeError, ValueError):
        return noise_shape
    if known is not None and sizes is not None and len(known) == len(sizes):
        sizes = tuple(m if n is None else n for m, n in zip(known, sizes, strict=True))
        if None not in sizes:
            return list(sizes)
    return noise_shape


def _dropout(x: Any, rate: Any, noise_shape: Any, uniform: Any, name: str | None, default: str) -> Any:
    from graphlab.ops import comparison, division, math, selection

    with name_scope(name, default):
        _rate_checked(rate)
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError(
                f"`x.dtype` must be a floating point tensor as `x` will be scaled. Received: x.dtype={x.dtype!r}"
            )
        if isinstance(rate, numbers.Real) and rate == 0:
            return x
        if isinstance(rate, numbers.Real):
            scaled = math.multiply(x, constant(1 / (1 - float(rate)), x.dtype))
        else:
            rate = convert_to_tensor(rate, dtype_hint=x.dtype, name="rate")
            if rate._raw_shape() not in ((), None):
                raise ValueError("`rate` must be a scalar.")
            if rate.dtype is not x.dtype:
                raise ValueError(
                    f"`x.dtype` and `rate.dtype` must match, but are {x.dtype.name} and {rate.dtype.name}."
                )
            scaled = division.realdiv(x, math.subtract(constant(1, x.dtype), rate, name="Sub"))
        kept = comparison.greater_equal(uniform(_noise_shape(x, noise_shape), x.dtype), rate)
        shape = x._raw_shape()
        result = selection.where(kept, scaled, constant(0, x.dtype))
        if shape is not None and hasattr(result, "_shape"):
            result.set_shape(shape)
        return result


@public("nn.dropout")
@over_values
def dropout(x: Any, rate: Any, noise_shape: Any = None, seed: Any = None, name: str | None = None) -> Any:
    """Sets elements to 0 at random and scales the others by ``1 / (1 - rate)``, so that the mean stays.

    Args:
      x: a tensor of a floating-point dtype.
      rate: the probability that an element is dropped, in [0, 1).
      noise_shape: the shape of the random choices, which broadcasts; that of ``x`` by default.
      seed: a seed of the op.
      name: a name for the nodes' scope.

    Raises:
      ValueError: for a rate out of range, or a dtype that is not floating-point.

    >>> import graphlab as tf
    >>> tf.nn.dropout([1.0, 2.0], rate=0.0).numpy()
    array([1., 2.], dtype=float32)
    """

    def uniform(shape: Any, dtype: Any) -> Any:
        import graphlab

        return graphlab.random.uniform(shape, seed=seed, dtype=dtype)

    return _dropout(x, rate, noise_shape, uniform, name, "dropout")


@public("nn.experimental.stateless_dropout")
def stateless_dropout(
    x: Any, rate: Any, seed: Any, rng_alg: Any = None, noise_shape: Any = None, name: str | None = None
) -> Any:
    """As ``dropout``, with choices that depend on the seed alone.

    Args:
      x: a tensor of a floating-point dtype.
      rate: the probability that an element is dropped, in [0, 1).
      seed: a vector of two integers.
      rng_alg: the algorithm; chosen by default.
      noise_shape: the shape of the random choices, which broadcasts; that of ``x`` by default.
      name: a name for the nodes' scope.

    Raises:
      ValueError: for a rate out of range, or a dtype that is not floating-point.

    >>> import graphlab as tf
    >>> tf.nn.experimental.stateless_dropout([1.0, 2.0], rate=0.0, seed=[1, 2]).numpy()
    array([1., 2.], dtype=float32)
    """

    def uniform(shape: Any, dtype: Any) -> Any:
        import graphlab

        return graphlab.random.stateless_uniform(shape, seed=seed, dtype=dtype, alg=rng_alg or "auto_select")

    return _dropout(x, rate, noise_shape, uniform, name, "stateless_dropout")


@public("nn.experimental.general_dropout")
def general_dropout(x: Any, rate: Any, uniform_sampler: Any, noise_shape: Any = None, name: str | None = None) -> Any:
    """As ``dropout``, with choices from a function of one's own.

    Args:
      x: a tensor of a floating-point dtype.
      rate: the probability that an element is dropped, in [0, 1).
      uniform_sampler: a function of (shape, dtype) that returns uniform numbers in [0, 1).
      noise_shape: the shape of the random choices, which broadcasts; that of ``x`` by default.
      name: a name for the nodes' scope.

    Raises:
      ValueError: for a rate out of range, or a dtype that is not floating-point.

    >>> import graphlab as tf
    >>> tf.nn.experimental.general_dropout([1.0, 2.0], 0.5, lambda shape, dtype: tf.constant([0.2, 0.7])).numpy()
    array([0., 4.], dtype=float32)
    """

    def uniform(shape: Any, dtype: Any) -> Any:
        return uniform_sampler(shape=shape, dtype=dtype)

    return _dropout(x, rate, noise_shape, uniform, name, "general_dropout")


@public("nn.embedding_lookup")
def embedding_lookup(params: Any, ids: Any, max_norm: Any = None, name: str | None = None) -> Any:
    """Returns rows of a matrix (or of several that stand one below the other), by number.

    Args:
      params: a tensor or variable, or a list of them (also of Python lists: each is a tensor).
      ids: a tensor or RaggedTensor of int32 or int64.
      max_norm: rows of a larger Euclidean norm are scaled to it; None: not.
      name: a name for the nodes' scope.

    Returns:
      A tensor (or RaggedTensor, as ``ids``) of the shape of ``ids``, followed by that of a row.

    Raises:
      ValueError: if ``params`` is empty, or ragged ids are no integers.

    >>> import graphlab as tf
    >>> tf.nn.embedding_lookup(tf.constant([[1.0, 2.0], [3.0, 4.0]]), [1, 0]).numpy()
    array([[3., 4.],
           [1., 2.]], dtype=float32)
    """
    from graphlab.ops import array, selection
    from graphlab.ops.gather_scatter import gather

    if params is None or (isinstance(params, (list, tuple)) and not params):
        raise ValueError("Need at least one param")
    if hasattr(ids, "nested_row_splits"):
        if not ids.dtype.is_integer:
            raise ValueError(f"The ids of a RaggedTensor must be int32 or int64, not {ids.dtype.name}.")
        return ids.with_flat_values(embedding_lookup(params, ids.flat_values, max_norm, name))
    with name_scope(name, "embedding_lookup") as scope:
        if isinstance(params, (list, tuple)):
            params = array.concat([_as_tensor(part) for part in params], 0) if len(params) > 1 else params[0]
        ids = convert_to_tensor(ids, name="ids")
        rows = gather(params, ids, name=scope or None)
        if max_norm is not None:
            rank, shape = convert_to_tensor(ids)._raw_shape(), rows._raw_shape()
            if rank is None or shape is None:
                raise ValueError("max_norm needs ids and params of known rank.")
            rows = selection.clip_by_norm(rows, max_norm, axes=list(range(len(rank), len(shape))))
        return array.identity(rows)
