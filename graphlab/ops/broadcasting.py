"""Broadcasting as ops: the shape two shapes broadcast to, and its reverse, which gradients of broadcasting ops need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from graphlab.core.dispatch import bind
from graphlab.core.dtypes import int32
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, Arg, define
from graphlab.core.shape import TensorShape, as_shape, from_raw
from graphlab.core.state import state
from graphlab.ops import inference
from graphlab.ops.inference import Shape


def _broadcast_args(s0: Any, s1: Any) -> Any:
    try:
        shape = np.broadcast_shapes(tuple(s0.tolist()), tuple(s1.tolist()))
    except ValueError:
        raise InvalidArgumentError(None, None, f"Shapes {s0.tolist()} and {s1.tolist()} do not broadcast.") from None
    return np.array(shape, s0.dtype)


def _broadcast_args_shape(args: Sequence[Arg], _attrs: Mapping[str, Any]) -> Shape:
    ranks = [inference.with_rank(arg.shape, 1, "A shape")[0] for arg in args]
    return (None,) if None in ranks else (max(n for n in ranks if n is not None),)


def reduction_axes(s0: Sequence[int], s1: Sequence[int]) -> tuple[list[int], list[int]]:
    """The axes along which the gradients of a broadcasting op's two arguments must be summed.

    As in TensorFlow an axis of size 1 in both arguments is in both lists.  ValueError if the shapes don't broadcast.
    """
    rank = max(len(s0), len(s1))
    a = (1,) * (rank - len(s0)) + tuple(s0)
    b = (1,) * (rank - len(s1)) + tuple(s1)
    if any(m != n and 1 not in (m, n) for m, n in zip(a, b, strict=True)):
        raise ValueError(f"Shapes {list(s0)} and {list(s1)} do not broadcast.")
    if a == b and len(s0) == len(s1):
        return [], []
    return [i for i in range(rank) if a[i] == 1], [i for i in range(rank) if b[i] == 1]


def _broadcast_gradient_args(s0: Any, s1: Any) -> Any:
    r0, r1 = reduction_axes(s0.tolist(), s1.tolist())
    return np.array(r0, s0.dtype), np.array(r1, s0.dtype)


BROADCAST_ARGS = define(
    "BroadcastArgs", "s0: T, s1: T -> r0: T",
    kernel=_broadcast_args, infer=_broadcast_args_shape, gradient=NOT_DIFFERENTIABLE,
    types={"T": INDEX}, defaults={"T": int32}, can_fail=True, fp=False,
)  # fmt: skip
BROADCAST_GRADIENT_ARGS = define(
    "BroadcastGradientArgs", "s0: T, s1: T -> r0: T, r1: T",
    kernel=_broadcast_gradient_args, infer=lambda _args, _attrs: [(None,), (None,)], gradient=NOT_DIFFERENTIABLE,
    types={"T": INDEX}, defaults={"T": int32}, can_fail=True, fp=False,
)  # fmt: skip


@public("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Any:
    """Computes the shape that two shapes broadcast to, at run time.

    Args:
      shape_x: a vector of int32 or int64, the shape of one argument.
      shape_y: a vector of the same dtype.

    Returns:
      A vector of that dtype.

    Raises:
      tf.errors.InvalidArgumentError: if the shapes don't broadcast.

    >>> import graphlab as tf
    >>> tf.broadcast_dynamic_shape((1, 2, 3), (5, 1, 3))
    <tf.Tensor: shape=(3,), dtype=int32, numpy=array([5, 2, 3], dtype=int32)>
    """
    return bind(BROADCAST_ARGS, (shape_x, shape_y))


@public("broadcast_static_shape")
def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """Computes the ``TensorShape`` that two shapes broadcast to, without running anything.

    Args:
      shape_x: a ``TensorShape``; sizes may be unknown.
      shape_y: a ``TensorShape``.

    Raises:
      ValueError: if the shapes can't broadcast.

    >>> import graphlab as tf
    >>> tf.broadcast_static_shape(tf.TensorShape((1, 2, 3)), tf.TensorShape((5, 1, None)))
    TensorShape([5, 2, 3])
    """
    return from_raw(inference.broadcast(as_shape(shape_x)._dims, as_shape(shape_y)._dims))


def known(shape: Shape) -> bool:
    """True if every size is known."""
    return shape is not None and None not in shape


def reduced(op: Any, *gradients: Callable[[], Any], shapes_shown: bool = False) -> list[Any]:
    """The gradients of a broadcasting op's arguments: each computed if needed, and summed to its argument's shape.

    Args:
      op: the op view whose inputs broadcast; two inputs, or more when their shapes are known.
      *gradients: one function per input, giving a tensor of the result's shape (or one that broadcasts to it).
      shapes_shown: graphs have nodes for the shapes of both inputs even where they are equal.
    """
    inputs = op.inputs
    shapes = [x._raw_shape() for x in inputs]
    if state.graph is not None and len(inputs) == 2 and all(map(known, shapes)):
        return _reduced_in_graph(op, gradients, shapes_shown)
    pairs: Any = None
    result: list[Any] = []
    for i, gradient in enumerate(gradients):
        if not op.needs(i):
            result.append(None)
            continue
        g = gradient()
        shape = shapes[i]
        if g is not None and not (known(shape) and shape == g._raw_shape()):
            if known(shape) and known(g._raw_shape()):
                g = sum_to(g, shape)
            else:
                from graphlab.ops import array, array_shape, reduction

                if pairs is None:
                    pairs = [array_shape.shape(inputs[0]), array_shape.shape(inputs[1])]
                    pairs += bind(BROADCAST_GRADIENT_ARGS, tuple(pairs))
                g = array.reshape(reduction.reduce_sum(g, pairs[2 + i]), pairs[i])
        result.append(g)
    return result


def _reduced_in_graph(op: Any, gradients: Sequence[Callable[[], Any]], shapes_shown: bool) -> list[Any]:
    """As ``reduced`` for two known shapes, node by node as TensorFlow writes it out."""
    from graphlab.ops.array_shape import shape as shape_node

    result = [gradient() if op.needs(i) else None for i, gradient in enumerate(gradients)]
    shapes = [x._raw_shape() for x in op.inputs]
    both = all(g is not None for g in result)
    fits = all(g is None or g._raw_shape() == shape for g, shape in zip(result, shapes, strict=True))
    if fits and shapes[0] == shapes[1] and not (shapes_shown and both):
        return result
    nodes: list[Any] = []
    for i, (g, shape) in enumerate(zip(result, shapes, strict=True)):
        if g is None or (g._raw_shape() == shape and not both):
            continue
        nodes = nodes or [shape_node(x) for x in op.inputs]
        if g._raw_shape() != shape:
            result[i] = sum_to(g, shape, nodes[i]) if known(g._raw_shape()) else _summed_at_run_time(g, nodes, i)
    return result


def _summed_at_run_time(g: Any, nodes: list[Any], index: int) -> Any:
    from graphlab.ops import array, reduction

    return array.reshape(reduction.reduce_sum(g, bind(BROADCAST_GRADIENT_ARGS, tuple(nodes))[index]), nodes[index])


def sum_to(g: Any, shape: Shape, node: Any = None) -> Any:
    """``g`` summed over the axes along which an argument of (known) ``shape`` was broadcast.

    ``node`` is that shape as a tensor, if the result is given it in any case.
    """
    from graphlab.ops import array, reduction

    assert shape is not None
    have = g._raw_shape()
    lead = len(have) - len(shape)
    axes = list(range(lead)) + [i + lead for i, n in enumerate(shape) if n == 1 and have[i + lead] != 1]
    if axes:
        g = reduction.reduce_sum(g, axes)
    if node is not None:
        return array.reshape(g, node)
    return array.reshape(g, shape) if g._raw_shape() != shape else g
