"""The shape of a tensor as a tensor, and broadcasting to a shape."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public, resolve
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, Arg, define
from graphlab.core.specs import CompositeTensor
from graphlab.core.state import state
from graphlab.ops import gradients_written_out as gradients
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape


def _shape(x: Any, out_type: DType) -> Any:
    return np.array(np.shape(x), out_type.np)


def _shape_n(arrays: Sequence[Any], out_type: DType) -> Any:
    return [np.array(np.shape(x), out_type.np) for x in arrays]


def _size(x: Any, out_type: DType) -> Any:
    return np.array(np.size(x), out_type.np)


def _rank(x: Any) -> Any:
    return np.array(np.ndim(x), np.int32)


def _rank_of(shape: Shape) -> int | None:
    return None if shape is None else len(shape)


def _broadcast_to(x: Any, shape: Any) -> Any:
    target = shape.tolist()
    have = list(x.shape)
    if len(target) < len(have):
        raise InvalidArgumentError(
            None, None, f"Rank of input ({len(have)}) must be no greater than rank of output shape ({len(target)})."
        )
    lead = len(target) - len(have)
    # -1 keeps the size.
    sizes = [have[i - lead] if n == -1 and i >= lead else n for i, n in enumerate(target)]
    try:
        return np.broadcast_to(x, sizes)
    except ValueError:
        raise InvalidArgumentError(
            None, None, f"Incompatible shapes: {have} vs. {target}: can't be broadcast."
        ) from None


def _broadcast_to_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    have, target = args[0].shape, inference.shape_of_value(args[1])
    if target is None or have is None:
        return target
    if len(have) > len(target):
        raise ValueError(
            f"Shape {inference.show(have)} can't be broadcast to fewer dimensions, {inference.show(target)}."
        )
    lead = len(target) - len(have)
    for size, wanted in zip(have, target[lead:], strict=True):
        if size not in (0, 1, None, wanted) and wanted is not None:  # the run says whether an empty dimension fits
            raise ValueError(f"Shape {inference.show(have)} can't be broadcast to {inference.show(target)}.")
    return target


def _broadcast_to_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import array, reduction
    from graphlab.ops.broadcasting import BROADCAST_GRADIENT_ARGS, known, sum_to

    x = op.inputs[0]
    if state.graph is not None:
        return [gradients.broadcast_to(op, dy), None]
    if known(x._raw_shape()) and known(dy._raw_shape()):
        return [sum_to(dy, x._raw_shape()), None]
    mine = shape(x)
    axes, _ = bind(BROADCAST_GRADIENT_ARGS, (mine, shape(dy)))
    return [array.reshape(reduction.reduce_sum(dy, axes), mine), None]


SHAPE = define("Shape", "input: T -> output: out_type", kernel=_shape,
               infer=lambda args, _attrs: (_rank_of(args[0].shape),), gradient=NOT_DIFFERENTIABLE,
               attrs={"out_type": dtypes.int32}, fp=False)  # fmt: skip
SHAPE_N = define("ShapeN", "input: N*T -> output: N*out_type", kernel=_shape_n,
                 infer=lambda args, _attrs: [(_rank_of(arg.shape),) for arg in args], gradient=NOT_DIFFERENTIABLE,
                 attrs={"out_type": dtypes.int32}, fp=False)  # fmt: skip
SIZE = define("Size", "input: T -> output: out_type", kernel=_size, infer=inference.scalar,
              gradient=NOT_DIFFERENTIABLE, attrs={"out_type": dtypes.int32}, fp=False)  # fmt: skip
RANK = define("Rank", "input: T -> output: int32", kernel=_rank, infer=inference.scalar, gradient=NOT_DIFFERENTIABLE,
              fp=False)  # fmt: skip
BROADCAST_TO = define("BroadcastTo", "input: T, shape: Tidx -> output: T", kernel=_broadcast_to,
                      infer=_broadcast_to_shape, gradient=_broadcast_to_grad, types={"Tidx": INDEX},
                      defaults={"Tidx": dtypes.int32}, can_fail=True, alias=True, fp=False)  # fmt: skip


def _out_type(out_type: Any) -> DType:
    return dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)


def shape_of(x: Any) -> Any:
    """The shape of ``x``: a tuple when it is known, else a vector tensor.  What gradients pass to reshape."""
    known = x._raw_shape()
    return shape(x) if known is None or None in known else known


def sparse_whole() -> Any:
    """What functions of whole tensors do with SparseTensors; loaded when there is one."""
    from graphlab.ops import sparse_whole as module

    return module


@public("shape")
def shape(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    """Returns the shape of a tensor as a vector tensor: also while tracing, when sizes are not known yet.

    Args:
      input: a tensor of any dtype.
      out_type: int32 (the default) or int64.
      name: a name for the node.

    Returns:
      A vector; for a RaggedTensor a ``tf.experimental.DynamicRaggedShape``.

    >>> import graphlab as tf
    >>> tf.shape([[1, 2, 3]]).numpy()
    array([1, 3], dtype=int32)
    """
    if isinstance(input, CompositeTensor):
        if hasattr(input, "nested_row_splits"):
            with name_scope(name, "RaggedShape"):
                return resolve("experimental.DynamicRaggedShape").from_tensor(input, _out_type(out_type))
        if hasattr(input, "dense_shape"):
            return sparse_whole().shape(input, out_type, name)
    if state.graph is None:
        return bind(SHAPE, (input,), {"out_type": _out_type(out_type)})
    with name_scope(name, "Shape") as scope:
        dtype = _out_type(out_type)
        x = convert_to_tensor(input)
        if state.graph is not None:
            known = x._raw_shape()
            if known is not None and None not in known:
                return constant(list(known), dtype, name=scope or name or "Shape")
        return bind(SHAPE, (x,), {"out_type": dtype}, scope or name)


@public("shape_n")
def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> Any:
    """Returns the shapes of several tensors.

    Args:
      input: a list of tensors of one dtype.
      out_type: int32 or int64.
      name: a name for the node.

    >>> import graphlab as tf
    >>> [s.numpy().tolist() for s in tf.shape_n([[1, 2], [[3]]])]
    [[2], [1, 1]]
    """
    return bind(SHAPE_N, (input,), {"out_type": dtypes.as_dtype(out_type)}, name)


@public("size")
def size(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    """Returns the number of elements as a scalar tensor.

    Args:
      input: a tensor of any dtype.
      out_type: int32 (the default) or int64.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.size([[1, 2, 3]]).numpy()
    np.int32(3)
    """
    with name_scope(name, "Size") as scope:
        dtype = _out_type(out_type)
        if hasattr(input, "nested_row_splits"):
            return size(input.flat_values, dtype)
        if hasattr(input, "dense_shape"):
            return sparse_whole().size(input, dtype)
        x = convert_to_tensor(input)
        if state.graph is not None:
            known = x._raw_shape()
            if known is not None and None not in known:
                return constant(prod(known), dtype, name=scope or name or "Size")
        return bind(SIZE, (x,), {"out_type": dtype}, scope or name)


@public("rank")
def rank(input: Any, name: str | None = None) -> Any:
    """Returns the number of dimensions as a scalar int32 tensor.

    Args:
      input: a tensor of any dtype.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.rank([[1, 2, 3]]).numpy()
    np.int32(2)
    """
    with name_scope(name, "Rank") as scope:
        if hasattr(input, "nested_row_splits"):
            return rank(input.flat_values) + input.ragged_rank
        if hasattr(input, "dense_shape"):
            return sparse_whole().rank(input)
        x = convert_to_tensor(input)
        if state.graph is not None:
            known = x._raw_shape()
            if known is not None:
                return constant(len(known), dtypes.int32, name=scope or name or "Rank")
        return bind(RANK, (x,), None, scope or name)


@public("broadcast_to")
def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    """Repeats a tensor along axes of size 1, and new leading axes, to give it a shape.

    Args:
      input: a tensor of any dtype.
      shape: a vector of int32 or int64.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if it does not broadcast to that shape (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.broadcast_to([1, 2], [2, 2]).numpy()
    array([[1, 2],
           [1, 2]], dtype=int32)
    """
    return bind(BROADCAST_TO, (input, shape), None, name)
