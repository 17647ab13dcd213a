"""Making tensors: constants of one value, and ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, misfit, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public, resolve
from graphlab.core.op import BOOL, INDEX, NOT_DIFFERENTIABLE, NUMERIC, REAL, Arg, define
from graphlab.core.shape import TensorShape
from graphlab.core.specs import CompositeTensor
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor, Tensor, wrap
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape

# ------------------------------------------------------------------------------------------------------------- kernels


def _fill(dims: Any, value: Any) -> Any:
    if dims.ndim == 0:  # eagerly a size alone is a shape
        dims = dims.reshape(1)
    sizes = dims.tolist()
    if dims.ndim != 1:
        raise InvalidArgumentError(None, None, f"dims must be a vector, but has shape {list(dims.shape)}.")
    if value.size != 1 or value.ndim > 1:
        raise InvalidArgumentError(None, None, f"value must be a scalar, but has shape {list(value.shape)}.")
    if any(n < 0 for n in sizes):
        raise InvalidArgumentError(None, None, f"Sizes can't be negative: {sizes}.")
    return np.full(sizes, value.reshape(())[()], value.dtype)


def _zeros_like(x: Any) -> Any:
    if x.dtype == object:
        return np.full(np.shape(x), b"", object)
    return np.zeros(np.shape(x), x.dtype)


def _ones_like(x: Any) -> Any:
    return np.ones(np.shape(x), x.dtype)


def _range(start: Any, limit: Any, delta: Any) -> Any:
    if start.ndim or limit.ndim or delta.ndim:
        raise InvalidArgumentError(None, None, "start, limit and delta must be scalars.")
    dtype = start.dtype
    first: Any
    last: Any
    step: Any
    if dtype.kind in "iu":
        first, last, step = int(start), int(limit), int(delta)
    else:
        first, last, step = float(start), float(limit), float(delta)
    if step == 0:
        raise InvalidArgumentError(None, None, "Requires delta != 0: 0")
    if (step > 0 and first > last) or (step < 0 and first < last):
        relation = "<=" if step > 0 else ">="
        raise InvalidArgumentError(
            None, None, f"Requires start {relation} limit when delta {relation[0]}= 0: {first}, {last}"
        )
    if dtype.kind in "iu":
        return np.arange(first, last, step, dtype=dtype)
    # In the dtype itself, whose rounding decides whether the last step falls on the limit.
    count = int(np.ceil(np.abs((limit - start) / delta)))
    return (np.arange(count) * step + first).astype(dtype)


# ----------------------------------------------------------------------------------------------------------- inference


def _fill_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    inference.with_rank(args[1].shape, 0, "The value that fills")
    sizes = args[0].value
    if sizes is not None and (sizes < 0).any():
        raise ValueError(f"The dimensions of a tensor are at least 0, not {sizes.tolist()}.")
    return inference.shape_of_value(args[0])


def _range_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    for arg in args:
        inference.with_rank(arg.shape, 0, "A bound of a range")
    values = [arg.value for arg in args]
    if any(value is None for value in values):
        return (None,)
    try:
        return (len(_range(*values)),)
    except InvalidArgumentError as error:
        raise ValueError(str(error)) from None


# ----------------------------------------------------------------------------------------------------------- gradients


def _fill_grad(_op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.reduction import reduce_sum

    return [None, reduce_sum(dy)]


FILL = define("Fill", "dims: index_type, value: T -> output: T", kernel=_fill, infer=_fill_shape, gradient=_fill_grad,
              types={"index_type": INDEX}, defaults={"index_type": dtypes.int32}, can_fail=True, fp=False)  # fmt: skip
ZEROS_LIKE = define("ZerosLike", "x: T -> y: T", kernel=_zeros_like, infer=inference.unchanged,
                    gradient=NOT_DIFFERENTIABLE, fp=False, name="zeros_like")  # fmt: skip
ONES_LIKE = define("OnesLike", "x: T -> y: T", kernel=_ones_like, infer=inference.unchanged,
                   gradient=NOT_DIFFERENTIABLE, types={"T": NUMERIC | BOOL}, fp=False, name="ones_like")  # fmt: skip
RANGE = define("Range", "start: Tidx, limit: Tidx, delta: Tidx -> output: Tidx", kernel=_range, infer=_range_shape,
               gradient=NOT_DIFFERENTIABLE, types={"Tidx": REAL - {dtypes.uint8}}, defaults={"Tidx": dtypes.int32},
               can_fail=True)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions

_SMALL = 1000


@public("fill")
def fill(dims: Any, value: Any, name: str | None = None, layout: Any = None) -> Any:
    """Makes a tensor in which every element is ``value``.

    Args:
      dims: the shape, a vector of int32 or int64.
      value: a scalar of any dtype.
      name: a name for the node.
      layout: must be None: there is one device.

    Raises:
      tf.errors.InvalidArgumentError: for negative sizes, or a value that is no scalar (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.fill([2, 3], 9).numpy()
    array([[9, 9, 9],
           [9, 9, 9]], dtype=int32)
    """
    _no_layout(layout)
    return bind(FILL, (dims, value), None, name)


def _no_layout(layout: Any) -> None:
    if layout is not None:
        raise ValueError("Layouts need several devices; this runtime has one. Leave layout=None.")


def _filled(shape: Any, one: bool, dtype: Any, name: str | None, default: str) -> Any:
    dtype = dtypes.as_dtype(dtype)
    if one and dtype is dtypes.string:
        raise TypeError("There is no 1 among strings.")
    value: Any = "" if dtype is dtypes.string else one if dtype is dtypes.bool else int(one)
    with name_scope(name, default) as scope:
        known = _static_shape(shape)
        if known is not None:
            size = 1
            for n in known:
                size *= n
            if state.graph is None or size < _SMALL:
                if dtype is dtypes.string:
                    array = np.full(known, b"", object)
                else:
                    array = (np.ones if one else np.zeros)(known, dtype.np)
                return wrap(array) if state.graph is None else constant(array, name=scope or name or default)
            shape = constant(list(known), dtypes.int32, name="shape_as_tensor")
        elif isinstance(shape, CompositeTensor):  # a DynamicRaggedShape
            return fill(shape, constant(value, dtype, name="Const"), name=scope or name)
        elif not isinstance(shape, Tensor):
            shape = convert_to_tensor(shape, dtype_hint=dtypes.int32, name="packed")
            if shape.dtype not in (dtypes.int32, dtypes.int64):
                raise TypeError(f"A shape must hold whole numbers, but has dtype {shape.dtype.name}.")
        if shape.dtype not in (dtypes.int32, dtypes.int64):
            raise _no_shape(shape.dtype)
        if shape._raw_shape() == ():
            shape = resolve("reshape")(shape, [1])
        return fill(shape, constant(value, dtype, name="Const"), name=scope or name)


def _no_shape(dtype: DType) -> Exception:
    text = f"A shape must be int32 or int64, not {dtype.name}."
    return InvalidArgumentError(None, None, text) if state.graph is None else TypeError(text)


def _static_shape(shape: Any) -> tuple[int, ...] | None:
    """Python sizes as a tuple; None when they are tensors or not all known."""
    if isinstance(shape, EagerTensor) and state.graph is None:
        array = shape._a
        if shape.dtype not in (dtypes.int32, dtypes.int64):
            raise _no_shape(shape.dtype)
        return _sizes(np.atleast_1d(array).tolist())
    if isinstance(shape, TensorShape):
        if not shape.is_fully_defined():
            raise ValueError(f"Cannot make a tensor of the partially known shape {shape}.")
        return tuple(shape.as_list())  # type: ignore[arg-type]
    if isinstance(shape, (int, np.integer)):
        return _sizes([int(shape)])
    if isinstance(shape, np.ndarray):
        if shape.dtype.kind not in "iu":
            if shape.size:
                raise TypeError(f"A shape must hold integers, not {shape.dtype}.")
            return ()
        return _sizes(np.atleast_1d(shape).tolist())
    if isinstance(shape, (AbstractSet, Mapping)):  # what can be gone through is a shape
        shape = list(shape)
    if isinstance(shape, (list, tuple)):
        if state.graph is None and any(isinstance(n, EagerTensor) for n in shape):
            shape = [int(n._a) if isinstance(n, EagerTensor) else n for n in shape]
        if all(isinstance(n, (int, np.integer)) for n in shape):
            return _sizes([int(n) for n in shape])
    return None


def _sizes(sizes: list[int]) -> tuple[int, ...]:
    if any(n < 0 for n in sizes):
        raise misfit(f"Sizes can't be negative: {sizes}.")
    return tuple(sizes)


@public("zeros")
def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None) -> Any:
    """Makes a tensor of zeros (empty strings, or False).

    Args:
      shape: a list of integers, a TensorShape, or a vector of int32 or int64.
      dtype: the dtype of the result.
      name: a name for the node.
      layout: must be None: there is one device.

    >>> import graphlab as tf
    >>> tf.zeros([2, 3], tf.int32).numpy()
    array([[0, 0, 0],
           [0, 0, 0]], dtype=int32)
    """
    _no_layout(layout)
    return _filled(shape, False, dtype, name, "zeros")


@public("ones")
def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None) -> Any:
    """Makes a tensor of ones (or True).

    Args:
      shape: a list of integers, a TensorShape, or a vector of int32 or int64.
      dtype: the dtype of the result.
      name: a name for the node.
      layout: must be None: there is one device.

    >>> import graphlab as tf
    >>> tf.ones([3]).numpy()
    array([1., 1., 1.], dtype=float32)
    """
    _no_layout(layout)
    return _filled(shape, True, dtype, name, "ones")


def _like(input: Any, dtype: Any, one: bool, name: str | None, default: str) -> Any:
    from graphlab.ops import array_shape

    with name_scope(name, default) as scope:
        if hasattr(input, "nested_row_splits"):
            return input.with_flat_values(_like(input.flat_values, dtype, one, None, default))
        x = convert_to_tensor(input, name="tensor")
        target: DType = x.dtype if dtype is None else dtypes.as_dtype(dtype)
        shape = x._raw_shape()
        if target is dtypes.variant or (one and target is dtypes.string):  # OnesLike says that there is no 1
            return bind(ONES_LIKE if one else ZEROS_LIKE, (x,), None, scope or name)
        if shape is not None and None not in shape:
            if state.graph is None or inference.elements(shape) < _SMALL:  # type: ignore[operator]
                if target is dtypes.string:
                    array = np.full(shape, b"", object)
                else:
                    array = (np.ones if one else np.zeros)(shape, target.np)
                return wrap(array) if state.graph is None else constant(array, name=scope or name or default)
            return _filled(shape, one, target, scope or name, default)
        if target is x.dtype:
            return bind(ONES_LIKE if one else ZEROS_LIKE, (x,), None, scope or name)
        return _filled(array_shape.shape(x), one, target, scope or name, default)


@public("zeros_like")
def zeros_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Any:
    """Makes a tensor of zeros with the shape (and dtype) of another.

    Args:
      input: a tensor.
      dtype: the dtype of the result; that of ``input`` by default.
      name: a name for the node.
      layout: must be None: there is one device.

    >>> import graphlab as tf
    >>> tf.zeros_like([1.5, 2.5]).numpy()
    array([0., 0.], dtype=float32)
    """
    _no_layout(layout)
    return _like(input, dtype, False, name, "zeros_like")


@public("ones_like")
def ones_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Any:
    """Makes a tensor of ones with the shape (and dtype) of another.

    Args:
      input: a tensor.
      dtype: the dtype of the result; that of ``input`` by default.
      name: a name for the node.
      layout: must be None: there is one device.

    >>> import graphlab as tf
    >>> tf.ones_like([1, 2]).numpy()
    array([1, 1], dtype=int32)
    """
    _no_layout(layout)
    return _like(input, dtype, True, name, "ones_like")


_PROMOTION = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


@public("range")
def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str | None = "range") -> Any:
    """Makes the vector ``start, start + delta, ...``, up to but without ``limit``.

    Args:
      start: a scalar of a real dtype, the first element; or the limit, if that is not given (and the start is 0).
      limit: a scalar, the bound.
      delta: a scalar, the step, not 0.
      dtype: the dtype of the result; by default the widest of the arguments'.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: for a step of 0, or one that leads away from the limit (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.range(3, 18, 3).numpy()
    array([ 3,  6,  9, 12, 15], dtype=int32)
    >>> tf.range(3).numpy()
    array([0, 1, 2], dtype=int32)
    """
    if limit is None:
        start, limit = 0, start
    plain = start.__class__ is limit.__class__ is delta.__class__ is int
    if plain and dtype is None and state.graph is None and 0 < delta < 2**31 and -(2**31) <= start <= limit < 2**31:
        return wrap(np.arange(start, limit, delta, dtype=np.int32))
    with name_scope(name, "range") as scope:
        given = {"start": start, "limit": limit, "delta": delta}
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        if wanted is None:
            kinds = [_kind(value) for value in given.values()]
            if any(kind in (dtypes.int8, dtypes.uint8) for kind in kinds):
                raise AssertionError("tf.range infers no dtype from 8-bit integers. Pass dtype=.")  # TensorFlow's class
            if all(kind in _PROMOTION for kind in kinds):
                wanted = max(kinds, key=_PROMOTION.index)
            else:
                wanted = next((kind for kind in kinds if kind not in _PROMOTION), None)
        # Constants first, and then what must be cast: the order of the nodes in a graph.
        known = {key: value if _typed(value) else _bound(value, wanted, key) for key, value in given.items()}
        tensors = [_bound(value, wanted, key) for key, value in known.items()]
        return bind(RANGE, tensors, None, scope or name)


def _kind(value: Any) -> Any:
    dtype = getattr(value, "dtype", None)
    if isinstance(dtype, DType):
        return dtype
    return convert_to_tensor(value).dtype if state.graph is None else _python_kind(value)


def _python_kind(value: Any) -> Any:
    from graphlab.core.convert import to_array

    return dtypes.of_numpy(to_array(value).dtype)


def _typed(value: Any) -> bool:
    return isinstance(getattr(value, "dtype", None), DType)


def _bound(value: Any, dtype: Any, name: str) -> Any:
    if _typed(value):
        from graphlab.ops.casting import cast

        return value if dtype is None or value.dtype is dtype else cast(value, dtype)
    return convert_to_tensor(value, dtype=dtype, name=name)
