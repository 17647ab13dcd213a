"""Writing elements at indices: ``tf.scatter_nd`` and ``tf.tensor_scatter_nd_*``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dispatch import bind
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError, NoKernelError
from graphlab.core.export import public
from graphlab.core.op import NUMERIC, REAL, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.ops import inference
from graphlab.ops.gather_scatter import INDICES, gather_nd, index_tuple, zeros
from graphlab.ops.inference import Attrs


def _add_at(out: Any, index: Any, updates: Any) -> None:
    np.add.at(out, index, updates)


def _scatter_nd(indices: Any, updates: Any, shape: Any, bad_indices_policy: str) -> Any:
    if indices.ndim < 1 or updates.ndim < 1:
        raise InvalidArgumentError(
            None, None, f"Indices and updates must have rank at least one, not {indices.ndim} and {updates.ndim}."
        )
    sizes = tuple(shape.tolist())
    if any(size < 0 for size in sizes):
        raise InvalidArgumentError(None, None, f"The shape {list(sizes)} has a negative size.")
    _check_updates(indices, updates, sizes)
    out = zeros(sizes, updates.dtype)
    index = index_tuple(indices, sizes, "shape")
    if updates.size:
        _add_at(out, index or (), updates if index else updates.sum(tuple(range(indices.ndim - 1))))
    return out


def _check_updates(indices: Any, updates: Any, sizes: Sequence[int]) -> None:
    if 0 in sizes and (indices.size or updates.size):
        message = f"There are indices or updates for shape {list(sizes)}, which has no elements."
        raise InvalidArgumentError(None, None, message)
    depth = indices.shape[-1]
    lead = indices.shape[:-1]
    if depth > len(sizes) or updates.shape != lead + tuple(sizes[depth:]):
        raise InvalidArgumentError(
            None,
            None,
            f"Outer dimensions of indices and update must match, and the rest of updates the shape. Indices shape: "
            f"{list(indices.shape)}, updates shape: {list(updates.shape)}, shape: {list(sizes)}",
        )


def _scattered(apply: Any) -> Any:
    def kernel(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str) -> Any:
        if indices.ndim < 1 or tensor.ndim < 1:
            raise InvalidArgumentError(None, None, "Tensor and indices must have rank at least one.")
        _check_updates(indices, updates, tensor.shape)
        out = np.array(tensor)
        index = index_tuple(indices, tensor.shape, "shape")
        apply(out, index, updates)
        return out

    return kernel


def _arithmetic(apply: Any, allowed: Collection[DType]) -> dict[Any, Any]:
    """Kernels for dtypes that can be calculated with; for others an error when the op runs, as in TensorFlow."""

    def refuse(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str) -> Any:
        raise NoKernelError(None, None, f"There is no kernel for dtype {dtypes.of_numpy(tensor.dtype).name}.")

    return {**dict.fromkeys(allowed, _scattered(apply)), None: refuse}


def _set_at(out: Any, index: Any, updates: Any) -> None:
    out[index] = updates


def maximum_at(out: Any, index: Any, updates: Any) -> None:
    """Keeps the larger of each element and its updates, in place; NaN among these changes nothing."""
    np.maximum.at(out, index, _without_nan(updates, -np.inf))


def minimum_at(out: Any, index: Any, updates: Any) -> None:
    """Keeps the smaller of each element and its updates, in place; NaN among these changes nothing."""
    np.minimum.at(out, index, _without_nan(updates, np.inf))


def _without_nan(updates: Any, neutral: float) -> Any:
    """NaN among updates changes nothing."""
    if updates.dtype.kind not in "fV":
        return updates
    return np.where(np.isnan(updates), updates.dtype.type(neutral), updates)


def _scatter_nd_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape, value = inference.shape_of_value(args[2]), args[2].value
    if value is not None and min(value, default=0) < -1:
        raise ValueError(f"A dimension cannot be negative: {value.tolist()} is no shape.")
    if shape:
        check_update_shapes(args[0].shape, args[1].shape, shape)
    return shape


def _has_elements(*shapes: Shape) -> bool:
    """Whether one of the shapes surely has elements."""
    return any(shape is not None and all(shape) for shape in shapes)


def check_update_shapes(indices: Shape, updates: Shape, shape: Shape) -> None:
    """ValueError if updates, as far as they are known, are not of the shape that indices into ``shape`` need."""
    if indices == ():
        raise ValueError("indices must have at least rank 1.")
    if shape is not None and 0 in shape and _has_elements(indices, updates):
        raise ValueError(f"There are indices or updates for shape {inference.show(shape)}, which has no elements.")
    if indices is None or updates is None or shape is None or not indices or indices[-1] is None:
        return
    depth = indices[-1]
    if depth > len(shape):
        raise ValueError(f"Indices of length {depth} are too long for shape {inference.show(shape)}.")
    inference.merge(updates, (*indices[:-1], *shape[depth:]))


def _scattered_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    nothing, *given = (inference.elements(arg.shape) for arg in args)
    if nothing == 0 and all(given):
        raise ValueError("Indices and updates are given for an empty tensor.")
    if args[2].shape != ():  # the run says that a scalar does not fit
        check_update_shapes(args[1].shape, args[2].shape, args[0].shape)
    return args[0].shape


def _scatter_nd_grad(op: Any, dy: Any) -> list[Any]:
    return [None, gather_nd(dy, op.inputs[0]), None]


def _update_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.creation import zeros_like

    _, indices, updates = op.inputs
    return [tensor_scatter_nd_update(dy, indices, zeros_like(updates)), None, gather_nd(dy, indices)]


def _update_add_grad(op: Any, dy: Any) -> list[Any]:
    return [dy, None, gather_nd(dy, op.inputs[1])]


def _update_sub_grad(op: Any, dy: Any) -> list[Any]:
    return [dy, None, -gather_nd(dy, op.inputs[1])]


def _update_extreme_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.array_shape import shape
    from graphlab.ops.casting import cast
    from graphlab.ops.comparison import equal

    tensor, indices, updates = op.inputs
    result = op.outputs[0]
    from_tensor = cast(equal(tensor, result), dy.dtype)
    from_updates = cast(equal(updates, gather_nd(result, indices)), dy.dtype)
    number = from_tensor + scatter_nd(indices, from_updates, shape(tensor, out_type=indices.dtype))
    share = dy / number
    return [share * from_tensor, None, gather_nd(share, indices) * from_updates]


SCATTER_ND = define(
    "ScatterNd", "indices: Tindices, updates: T, shape: Tindices -> output: T", kernel=_scatter_nd,
    infer=_scatter_nd_shape, gradient=_scatter_nd_grad, types={"Tindices": INDICES},
    attrs={"bad_indices_policy": ""}, can_fail=True,
)  # fmt: skip


_UPDATE = "tensor: T, indices: Tindices, updates: T -> output: T"


UPDATE = define(
    "TensorScatterUpdate", _UPDATE, kernel=_scattered(_set_at), infer=_scattered_shape, gradient=_update_grad,
    types={"Tindices": INDICES}, attrs={"bad_indices_policy": ""},
    can_fail=True, fp=False,
)  # fmt: skip


UPDATE_ADD = define(
    "TensorScatterAdd", _UPDATE, kernel=_arithmetic(np.add.at, NUMERIC), infer=_scattered_shape,
    gradient=_update_add_grad,
    types={"Tindices": INDICES},
    attrs={"bad_indices_policy": ""}, can_fail=True,
)  # fmt: skip


UPDATE_SUB = define(
    "TensorScatterSub", _UPDATE, kernel=_arithmetic(np.subtract.at, NUMERIC), infer=_scattered_shape,
    gradient=_update_sub_grad,
    types={"Tindices": INDICES},
    attrs={"bad_indices_policy": ""}, can_fail=True,
)  # fmt: skip


UPDATE_MAX = define(
    "TensorScatterMax", _UPDATE, kernel=_arithmetic(maximum_at, REAL), infer=_scattered_shape,
    gradient=_update_extreme_grad, types={"Tindices": INDICES},
    attrs={"bad_indices_policy": ""}, can_fail=True,
)  # fmt: skip


UPDATE_MIN = define(
    "TensorScatterMin", _UPDATE, kernel=_arithmetic(minimum_at, REAL), infer=_scattered_shape,
    gradient=_update_extreme_grad, types={"Tindices": INDICES},
    attrs={"bad_indices_policy": ""}, can_fail=True,
)  # fmt: skip


@public("scatter_nd")
def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None, bad_indices_policy: str = "") -> Any:
    """Puts values into a tensor of zeros; values for one place are added.

    Args:
      indices: int16, int32 or int64; the last axis holds the numbers of a place.
      updates: the values, a tensor of shape ``indices.shape[:-1] + shape[indices.shape[-1]:]``.
      shape: the shape of the result, a vector of the dtype of ``indices``.
      name: a name for the node.
      bad_indices_policy: ``""`` or ``"ERROR"``.

    Raises:
      tf.errors.InvalidArgumentError: if an index is out of range or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.scatter_nd([[1], [3], [1]], [9, 10, 1], [5]).numpy()
    array([ 0, 10,  0, 10,  0], dtype=int32)
    """
    return bind(SCATTER_ND, (indices, updates, shape), {"bad_indices_policy": bad_indices_policy}, name)


@public("tensor_scatter_nd_update")
def tensor_scatter_nd_update(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """Returns a tensor with other values at some places.

    Args:
      tensor: a tensor.
      indices: int16, int32 or int64; the last axis holds the numbers of a place.
      updates: the values, of shape ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``; of several for one place
        the last stays.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if an index is out of range or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.tensor_scatter_nd_update([1, 2, 3], [[1]], [9]).numpy()
    array([1, 9, 3], dtype=int32)
    """
    return bind(UPDATE, (tensor, indices, updates), None, name)


@public("tensor_scatter_nd_add")
def tensor_scatter_nd_add(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """Returns a tensor with values added at some places.

    Args:
      tensor: a tensor of a numeric dtype.
      indices: int16, int32 or int64; the last axis holds the numbers of a place.
      updates: the values, of shape ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if an index is out of range or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.tensor_scatter_nd_add([1, 2, 3], [[1], [1]], [9, 1]).numpy()
    array([ 1, 12,  3], dtype=int32)
    """
    return bind(UPDATE_ADD, (tensor, indices, updates), None, name)


@public("tensor_scatter_nd_sub")
def tensor_scatter_nd_sub(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """Returns a tensor with values subtracted at some places.

    Args:
      tensor: a tensor of a numeric dtype.
      indices: int16, int32 or int64; the last axis holds the numbers of a place.
      updates: the values, of shape ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if an index is out of range or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.tensor_scatter_nd_sub([1, 2, 3], [[1]], [9]).numpy()
    array([ 1, -7,  3], dtype=int32)
    """
    return bind(UPDATE_SUB, (tensor, indices, updates), None, name)


@public("tensor_scatter_nd_max")
def tensor_scatter_nd_max(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """Returns a tensor with the larger of its element and a value at some places.

    Args:
      tensor: a tensor of a real dtype.
      indices: int16, int32 or int64; the last axis holds the numbers of a place.
      updates: the values, of shape ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if an index is out of range or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.tensor_scatter_nd_max([1, 2, 3], [[1], [2]], [9, 0]).numpy()
    array([1, 9, 3], dtype=int32)
    """
    return bind(UPDATE_MAX, (tensor, indices, updates), None, name)


@public("tensor_scatter_nd_min")
def tensor_scatter_nd_min(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """Returns a tensor with the smaller of its element and a value at some places.

    Args:
      tensor: a tensor of a real dtype.
      indices: int16, int32 or int64; the last axis holds the numbers of a place.
      updates: the values, of shape ``indices.shape[:-1] + tensor.shape[indices.shape[-1]:]``.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if an index is out of range or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.tensor_scatter_nd_min([1, 2, 3], [[1], [2]], [9, 0]).numpy()
    array([1, 2, 0], dtype=int32)
    """
    return bind(UPDATE_MIN, (tensor, indices, updates), None, name)
