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
from graphlab.ops.waiting import after


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


def reduced(
    op: Any,
    *gradients: Callable[[], Any],
    shapes_shown: bool = False,
    every: bool = False,
    numbers: bool = False,
) -> list[Any]:
    """The gradients of a broadcasting op's arguments: each computed if needed, and summed to its argument's shape.

    What graphs show is TensorFlow's, node by node; the other arguments choose between its habits.

    Args:
      op: the op view whose inputs broadcast; two inputs, or more when their shapes are known.
      *gradients: one function per input, giving a tensor of the result's shape (or one that broadcasts to it).
      shapes_shown: graphs have nodes for the shapes of both inputs even where they are known to be equal.
      every: graphs have the gradients of both inputs even where one is not needed.
      numbers: graphs have nothing for a second input that is a number and needs no gradient.
    """
    inputs = op.inputs
    if state.graph is not None and len(inputs) == 2:
        return _reduced_in_graph(op, gradients, shapes_shown, every, numbers)
    shapes = [x._raw_shape() for x in inputs]
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


def _reduced_in_graph(
    op: Any, gradients: Sequence[Callable[[], Any]], shapes_shown: bool, every: bool, numbers: bool
) -> list[Any]:
    """As ``reduced`` for two inputs, node by node as TensorFlow writes it out."""
    from graphlab.ops import array, reduction
    from graphlab.ops.array_shape import shape as shape_node

    shapes = [x._raw_shape() for x in op.inputs]
    if numbers and shapes[1] == () and not op.needs(1):
        return [gradients[0](), None]
    equal = known(shapes[0]) and shapes[0] == shapes[1]
    every = every or (equal and not shapes_shown)
    result = [gradient() if every or op.needs(i) else None for i, gradient in enumerate(gradients)]
    if equal and not shapes_shown:
        return result
    nodes = [shape_node(x) for x in op.inputs]
    axes: Any = broadcast_axes(*shapes)
    if axes is None:
        axes = bind(BROADCAST_GRADIENT_ARGS, tuple(nodes))
    for i, g in enumerate(result):
        if g is not None and axes[i] is not None:
            result[i] = array.reshape(reduction.reduce_sum(g, axes[i]), nodes[i])
    return result


def reduced_products(op: Any, dy: Any, *factors: Callable[[], Any] | None) -> list[Any]:
    """The gradients of a broadcasting op's two arguments: ``dy`` times a factor each, which waits for ``dy``.

    In graphs the axes to sum come first and are found at run time, where even one of the two is not needed.

    Args:
      op: the op view.
      dy: the gradient of its result.
      *factors: one function per input, None for an input without gradient.
    """
    from graphlab.ops import array, reduction
    from graphlab.ops.array_shape import shape as shape_node

    if state.graph is None:
        return reduced(op, *((lambda: None) if factor is None else (lambda f=factor: f() * dy) for factor in factors))
    nodes = [shape_node(x) for x in op.inputs]
    axes = bind(BROADCAST_GRADIENT_ARGS, tuple(nodes))
    with after(dy):
        values = [None if factor is None else factor() for factor in factors]
    return [
        None if value is None else array.reshape(reduction.reduce_sum(value * dy, axes[i]), nodes[i])
        for i, value in enumerate(values)
    ]


def broadcast_axes(s0: Shape, s1: Shape) -> tuple[list[int] | None, list[int] | None] | None:
    """The axes along which each of two arguments is broadcast to the other; None where only sizes at run time tell.

    An argument that has the rank of the result and is not broadcast has None for its axes: there is nothing to do.
    """
    if s0 is None or s1 is None:
        return None
    rank = max(len(s0), len(s1))
    axes: tuple[list[int], list[int]] = ([], [])
    for i, (m, n) in enumerate(zip((1,) * (rank - len(s0)) + s0, (1,) * (rank - len(s1)) + s1, strict=True)):
        if m == 1 and n != 1:
            axes[0].append(i)
        elif n == 1 and m != 1:
            axes[1].append(i)
        elif m is None or n is None:
            return None
    first, second = (found if found or len(s) < rank else None for found, s in zip(axes, (s0, s1), strict=True))
    return first, second


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
