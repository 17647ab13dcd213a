"""Gradients of reductions.

Eagerly they take the short way.  In graphs they are TensorFlow's node by node: sizes are computed where TensorFlow
computes them, and what is known is folded before the first run.
"""

from __future__ import annotations

from math import prod
from typing import Any

from graphlab.core import dtypes, static
from graphlab.core.convert import constant
from graphlab.core.dispatch import bind
from graphlab.core.state import state
from graphlab.ops import inference


def _known(shape: Any) -> bool:
    return shape is not None and None not in shape


def _known_axes(op: Any) -> list[int] | None:
    """The reduced axes, ascending, when they and the rank are known."""
    shape = op.inputs[0]._raw_shape()
    axes = static.value(op.inputs[1])
    if shape is None or axes is None:
        return None
    return sorted(axis % len(shape) for axis in axes.reshape(-1).tolist())


def _kept(op: Any, t: Any) -> Any:
    """``t``, of the shape of the result, with the reduced axes put back as size 1."""
    from graphlab.ops import array, array_shape

    if op.attrs["keep_dims"]:
        return t
    axes = _known_axes(op)
    shape = op.inputs[0]._raw_shape()
    if axes is not None and _known(shape):
        return array.reshape(t, [1 if i in axes else n for i, n in enumerate(shape)])
    return array.reshape(t, kept_shape(op, array_shape.shape(op.inputs[0])))


def kept_shape(op: Any, shape: Any) -> Any:
    """The shape of the input, a tensor, with 1 in place of the reduced sizes: a list if it is known."""
    from graphlab.ops.casting import cast

    axes = _known_axes(op)
    if axes is not None and _known(op.inputs[0]._raw_shape()):
        return [1 if i in axes else n for i, n in enumerate(op.inputs[0]._raw_shape())]
    return stitched(shape, cast(op.inputs[1], dtypes.int32))


def stitched(shape: Any, axes: Any) -> Any:
    """A shape with 1 in the place of some sizes, at run time."""
    from graphlab.ops import array_shape, creation, written_out
    from graphlab.ops.gather_scatter import dynamic_stitch

    rank = array_shape.size(shape)
    where = (axes + rank) % rank
    sizes = array_shape.shape(where)
    return dynamic_stitch([creation.range(rank), where], [shape, written_out.ones(sizes, dtypes.int32)])


def _spread(op: Any, t: Any) -> Any:
    """``t``, of the shape of the result, broadcast to the shape of the input."""
    from graphlab.ops import array, array_shape

    x = op.inputs[0]
    shape = x._raw_shape()
    if state.graph is None:
        kept = _kept(op, t)
        return kept if kept._raw_shape() == shape else array_shape.broadcast_to(kept, shape)
    axes = static.value(op.inputs[1])
    if shape is not None and axes is not None:
        if axes.reshape(-1).tolist() == [*range(len(shape))]:
            t = array.reshape(t, [1] * len(shape))
            return _tiled(t, constant(list(shape), dtypes.int32) if _known(shape) else array_shape.shape(x))
        if _known(shape):
            return _tiled(*_reshaped_and_multiples(op, t, shape, axes.reshape(-1)))
    sizes = array_shape.shape(x)
    if not op.attrs["keep_dims"]:
        t = array.reshape(t, kept_shape(op, sizes))
    return array_shape.broadcast_to(t, sizes)


def _tiled(t: Any, multiples: Any) -> Any:
    from graphlab.ops.padding import tile

    return tile(t, multiples)


def _reshaped_and_multiples(op: Any, t: Any, shape: tuple[int, ...], axes: Any) -> tuple[Any, list[int]]:
    """``t`` with the axes put back, and how often they are repeated: once in each graph that is computed by nodes."""
    from graphlab.ops import array, division, math

    kept = [1 if i in {axis % len(shape) for axis in axes.tolist()} else n for i, n in enumerate(shape)]
    known: set[Any] = state.graph.__dict__.setdefault("_reduced_shapes", set())
    key = (shape, tuple(axes.tolist()))
    if key not in known:
        known.add(key)
        division.floordiv(list(shape), math.maximum(kept, 1))
    return array.reshape(t, kept), [n // max(k, 1) for n, k in zip(shape, kept, strict=True)]


def sum_grad(op: Any, dy: Any) -> list[Any]:
    """Of ``Sum``: the gradient, repeated."""
    return [_spread(op, dy), None]


def mean_grad(op: Any, dy: Any) -> list[Any]:
    """Of ``Mean``: that of the sum, divided by how many elements there were."""
    from graphlab.ops import division

    spread = _spread(op, dy)
    sizes = [inference.elements(t._raw_shape()) for t in (op.inputs[0], op.outputs[0])]
    if None in sizes:
        return [division.truediv(spread, _count(op, spread.dtype)), None]
    factor: Any = sizes[0] // max(sizes[1], 1)  # type: ignore[operator,type-var]
    if state.graph is not None:
        factor = constant(factor, spread.dtype)
    return [division.truediv(spread, factor), None]


def _count(op: Any, dtype: Any) -> Any:
    """How many elements were reduced to one, at run time."""
    from graphlab.ops import array_shape, reduction
    from graphlab.ops.casting import cast
    from graphlab.ops.gather_scatter import gather

    sizes = array_shape.shape(op.inputs[0])
    rank = array_shape.size(sizes)
    where = (cast(op.inputs[1], dtypes.int32) + rank) % rank
    return cast(reduction.reduce_prod(gather(sizes, where)), dtype)


def extremum_grad(op: Any, dy: Any) -> list[Any]:
    """Of ``Max`` and ``Min``: equal extrema share the gradient."""
    from graphlab.ops import array, array_shape, comparison, reduction
    from graphlab.ops.casting import cast

    x, axes = op.inputs
    y = op.outputs[0]
    if state.graph is None:
        chosen = cast(comparison.equal(_kept(op, y), x), dy.dtype)
        return [chosen / reduction.reduce_sum(chosen, axes, keepdims=True) * _kept(op, dy), None]
    sizes = array_shape.shape(x)
    if op.attrs["keep_dims"]:
        sizes = array_shape.shape(y)
    else:
        sizes = kept_shape(op, sizes)
        y, dy = array.reshape(y, sizes), array.reshape(dy, sizes)
    chosen = cast(comparison.equal(y, x), dy.dtype)
    count = array.reshape(reduction.reduce_sum(chosen, axes), sizes)
    return [chosen / count * dy, None]


def prod_grad(op: Any, dy: Any) -> list[Any]:
    """Of ``Prod``: the product of all other factors, found from both sides, so that zeros do no harm."""
    from graphlab.ops import array, math
    from graphlab.ops.complex import conj
    from graphlab.ops.scan import cumprod

    if state.graph is not None:
        return [_prod_grad_in_graph(op, dy), None]
    x = op.inputs[0]
    axes = _known_axes(op)
    assert axes is not None
    if not axes:
        return [dy, None]
    others = [i for i in range(len(x._raw_shape())) if i not in axes]
    order = axes + others
    moved = array.transpose(x, order)
    whole = moved._raw_shape()
    flat = array.reshape(moved, [prod(whole[: len(axes)]), prod(whole[len(axes) :])])
    before = cumprod(flat, axis=0, exclusive=True)
    after = cumprod(flat, axis=0, exclusive=True, reverse=True)
    product = array.reshape(math.multiply(conj(before), conj(after)), whole)
    back = array.transpose(product, [order.index(i) for i in range(len(whole))])
    return [math.multiply(_spread(op, dy), back), None]


def _prod_grad_in_graph(op: Any, dy: Any) -> Any:
    from graphlab.ops import array, array_shape, creation, reduction
    from graphlab.ops.casting import cast
    from graphlab.ops.complex import conj
    from graphlab.ops.gather_scatter import gather
    from graphlab.ops.scan import cumprod
    from graphlab.ops.sorting import LIST_DIFF

    x = op.inputs[0]
    sizes = array_shape.shape(x)
    axes = array.reshape(op.inputs[1], [-1])
    if not op.attrs["keep_dims"]:
        dy = array.reshape(dy, kept_shape(op, sizes))
    dy = array_shape.broadcast_to(dy, sizes)
    rank = array_shape.rank(x)
    axes = cast((axes + rank) % rank, dtypes.int32)
    others = bind(LIST_DIFF, (creation.range(rank), axes))[0]
    order = array.concat([axes, others], 0)
    rows = reduction.reduce_prod(gather(sizes, axes))
    columns = reduction.reduce_prod(gather(sizes, others))
    moved = array.transpose(x, order)
    whole = array_shape.shape(moved)
    flat = array.reshape(moved, (rows, columns))
    before = cumprod(flat, axis=0, exclusive=True)
    after = cumprod(flat, axis=0, exclusive=True, reverse=True)
    product = array.reshape(conj(before) * conj(after), whole)
    return array.reshape(dy * array.transpose(product, array.invert_permutation(order)), sizes)


def euclidean_norm_grad(op: Any, dy: Any) -> list[Any]:
    """Of ``EuclideanNorm``: the direction of the input."""
    from graphlab.ops import array, array_shape, division

    x, y = op.inputs[0], op.outputs[0]
    if state.graph is not None and not op.attrs["keep_dims"]:
        sizes = kept_shape(op, array_shape.shape(x))
        y, dy = array.reshape(y, sizes), array.reshape(dy, sizes)
        return [division.truediv(x, y / dy), None]
    return [division.truediv(x, division.truediv(_kept(op, y), _kept(op, dy))), None]
