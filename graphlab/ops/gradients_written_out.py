"""Gradients in graphs, node by node as TensorFlow writes them out, sizes that are known included.

Eagerly the same gradients take the short way, which is in the modules of their ops.  What is constant here is folded
before the first run.
"""

from __future__ import annotations

from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import constant
from graphlab.core.dispatch import bind


def concat(op: Any, dy: Any) -> list[Any]:
    """Of ``ConcatV2``: a slice for each part, at offsets that are an operation of their own."""
    from graphlab.ops.array import CONCAT_OFFSET
    from graphlab.ops.array_shape import SHAPE_N, rank, shape
    from graphlab.ops.slicing import slice_

    values, axis = op.inputs[:-1], op.inputs[-1]
    place = axis % rank(values[0])
    sizes: Any = []
    for value in values:
        sizes.append(shape(value))
        if sizes[-1].op.type != "Const":
            sizes = bind(SHAPE_N, (list(values),))
            break
    offsets = bind(CONCAT_OFFSET, (place, list(sizes)))
    return [*(slice_(dy, offset, size) for offset, size in zip(offsets, sizes, strict=True)), None]


def pad(op: Any, dy: Any) -> Any:
    """Of ``Pad``: what stands behind the padding in front."""
    from graphlab.ops import array
    from graphlab.ops.array_shape import rank, shape
    from graphlab.ops.slicing import slice_

    x, paddings = op.inputs[:2]
    before = slice_(paddings, [0, 0], array.stack([rank(x), 1]))
    return slice_(dy, array.reshape(before, [-1]), shape(x, out_type=paddings.dtype))


def tile(op: Any, dy: Any) -> Any:
    """Of ``Tile``: the sum over the copies."""
    from graphlab.ops import array, array_shape, creation, reduction

    x, multiples = op.inputs
    pairs = array.transpose(array.stack([multiples, array_shape.shape(x, out_type=multiples.dtype)]))
    split = array.reshape(pairs, [-1])
    axes = creation.range(0, array_shape.size(split), 2)
    result = reduction.reduce_sum(array.reshape(dy, split), axes)
    result.set_shape(x.shape)
    return result


def broadcast_to(op: Any, dy: Any) -> Any:
    """Of ``BroadcastTo``: the sum over the axes along which there were copies."""
    from graphlab.ops import array, reduction
    from graphlab.ops.array_shape import shape
    from graphlab.ops.broadcasting import BROADCAST_GRADIENT_ARGS

    x, target = op.inputs
    sizes = shape(x, out_type=target.dtype)
    known = op.outputs[0]._raw_shape()
    if known is not None and None not in known:
        target = constant(list(known), target.dtype)
    _, axes = bind(BROADCAST_GRADIENT_ARGS, (target, sizes))
    return array.reshape(reduction.reduce_sum(dy, axes), sizes)


def select(op: Any, dy: Any) -> list[Any]:
    """Of ``SelectV2`` and ``Select``: the gradient where a value was chosen."""
    from graphlab.ops import array, creation, reduction, selection
    from graphlab.ops.array_shape import shape
    from graphlab.ops.broadcasting import BROADCAST_GRADIENT_ARGS, broadcast_axes

    condition, *values = op.inputs
    if op.type == "Select":
        zero = creation.zeros_like(values[0])
        return [None, selection.select(condition, dy, zero), selection.select(condition, zero, dy)]
    zero = creation.zeros([], dy.dtype)
    parts = [selection.where(condition, dy, zero), selection.where(condition, zero, dy)]
    y = op.outputs[0]
    result: list[Any] = [None]
    for part, value in zip(parts, values, strict=True):
        sizes = shape(value)
        whole = shape(y)
        axes: Any = broadcast_axes(value._raw_shape(), y._raw_shape())
        axes = bind(BROADCAST_GRADIENT_ARGS, (sizes, whole))[0] if axes is None else axes[0]
        if axes is not None:
            part = array.reshape(reduction.reduce_sum(part, axes), sizes)
        result.append(part)
    return result


def slice_of(op: Any, dy: Any) -> Any:
    """Of ``Slice``: the gradient with zeros around it."""
    from graphlab.ops import array
    from graphlab.ops.array_shape import rank, shape
    from graphlab.ops.padding import pad as padded

    x, begin, _ = op.inputs
    whole = rank(x)
    size = shape(op.outputs[0], out_type=begin.dtype)
    form = array.stack([whole, 1])
    before = array.reshape(begin, form)
    after = array.reshape(shape(x, out_type=begin.dtype) - size - begin, form)
    return padded(dy, array.concat([before, after], 1))


# -------------------------------------------------------------------------------------------------------------- gather


def gather_first(op: Any, dy: Any) -> tuple[Any, Any, Any]:
    """Of ``GatherV2`` along the first axis: values, indices and the dense shape of the slices."""
    from graphlab.ops import array, array_shape

    params, indices, _ = op.inputs
    sizes = array_shape.shape(params)
    count = array.expand_dims(array_shape.size(indices), 0)
    rows = array.reshape(dy, array.concat([count, sizes[1:]], 0))
    return rows, array.reshape(indices, count), sizes


def gather(op: Any, dy: Any) -> Any:
    """Of ``GatherV2`` along another axis: that axis comes first (behind the batch) and goes back afterwards."""
    from graphlab.ops import array, array_shape, creation
    from graphlab.ops.gather_scatter import gather as gathered

    params, indices, axis = op.inputs
    batch = op.attrs["batch_dims"]
    if batch < 0:
        batch += len(indices._raw_shape())
    sizes = array_shape.shape(params)
    array.expand_dims(array_shape.size(indices), 0)
    outer, inner = sizes[:axis], sizes[axis:][1:]
    form = array.concat([outer, [-1], inner], 0)
    count = array_shape.size(form)
    place = array_shape.size(outer)
    firsts = creation.range(batch)
    befores = creation.range(batch, place)
    afters = creation.range(place + 1, count)
    values = array.reshape(dy, form)
    order = array.concat([firsts, [place], befores, afters], 0)
    values = array.transpose(values, order)
    moved = gathered(sizes, order)
    summed = _summed_rows(moved, values, indices, batch, sizes[axis])
    back = array.concat([firsts, befores + 1, [batch], afters], 0)
    return array.reshape(array.transpose(summed, back), array_shape.shape(params))


def _summed_rows(sizes: Any, values: Any, indices: Any, batch: int, rows: Any) -> Any:
    """The rows of equal index summed, in each element of the batch."""
    from graphlab.ops import array, array_shape, creation, reduction
    from graphlab.ops.casting import cast
    from graphlab.ops.padding import tile as tiled
    from graphlab.ops.segment import unsorted_segment_sum

    count = array.expand_dims(array_shape.size(indices), 0)
    if not batch:
        return unsorted_segment_sum(values, array.reshape(indices, count), rows)
    form = array_shape.shape(values)
    lead, rest = form[:batch], form[batch:][1:]
    elements = reduction.reduce_prod(lead, 0)
    flat = array.concat([[-1], rest], 0)
    rows = rows * elements
    if indices.dtype is not sizes.dtype:
        sizes = cast(sizes, indices.dtype)
    step = creation.ones([], indices.dtype)
    for axis in reversed(range(batch)):
        here = sizes[axis]
        step = step * sizes[axis + 1]
        offsets = creation.range(creation.zeros([], here.dtype), here, creation.ones([], here.dtype)) * step
        count_here = here if here.dtype is dtypes.int32 else cast(here, dtypes.int32)
        before = tiled([1], [axis])
        after = tiled([1], [array_shape.rank(indices) - (axis + 1)])
        indices = indices + array.reshape(offsets, array.concat([before, [count_here], after], 0))
    summed = unsorted_segment_sum(array.reshape(values, flat), array.reshape(indices, count), rows)
    return array.reshape(summed, array.concat([lead, flat], 0))


# -------------------------------------------------------------------------------------------------------------- einsum


def einsum(op: Any, dy: Any, terms: list[str], output: str) -> list[Any] | None:
    """Of ``Einsum`` with one or two inputs.

    None for what has nodes of our own: a label twice in a term, a batch that is summed, labels that are summed alone
    beside a batch.
    """
    from graphlab.ops.array_shape import shape

    batch = "..." in output
    for i, term in enumerate([*terms, output]):
        labels = term.replace(".", "")
        found = set("".join(other for j, other in enumerate([*terms, output]) if j != i))
        if len(set(labels)) != len(labels) or (batch and not found.issuperset(labels)) or ("." in term and not batch):
            return None
    sizes = [shape(x) for x in op.inputs]
    if len(terms) == 1:
        return [_unsummed(dy, terms[0], output, sizes[0])]
    x, y = op.inputs
    if batch:  # a term without a batch is one whose batch is broadcast from nothing
        terms = [term if "..." in term else "..." + term for term in terms]
    results = [
        _unsummed(dy, terms[0], output, sizes[0], terms[1], y),
        _unsummed(dy, terms[1], output, sizes[1], terms[0], x),
    ]
    if not batch:
        return results
    return _over_batch(results, [t._raw_shape() for t in op.inputs], sizes, terms)


def _unsummed(dy: Any, term: str, output: str, sizes: Any, other: str = "", factor: Any = None) -> Any:
    """The gradient by one input: ``dy`` times the other, along labels that were summed alone repeated."""
    from graphlab.ops import array, array_shape
    from graphlab.ops.complex import conj
    from graphlab.ops.einsum import EINSUM
    from graphlab.ops.reduction_gradients import stitched

    found = set(output) | set(other)
    kept = "".join(c for c in term if c in found or c == ".")
    if factor is not None:
        tensors = [dy, conj(factor) if factor.dtype.is_complex else factor]
        dy = bind(EINSUM, (tensors,), {"equation": f"{output},{other}->{kept}"})
    elif kept != output:
        dy = bind(EINSUM, ([dy],), {"equation": f"{output}->{kept}"})
    if kept == term:
        return dy
    axes = [i for i, label in enumerate(term) if label not in found]
    array.stack([sizes[axis] for axis in axes])
    where = constant(axes)
    known = sizes.op.attrs["value"].tolist() if sizes.op.type == "Const" else None
    form = stitched(sizes, where) if known is None else [1 if i in axes else n for i, n in enumerate(known)]
    return array_shape.broadcast_to(array.reshape(dy, form), sizes)


def _over_batch(results: list[Any], shapes: list[Any], sizes: list[Any], terms: list[str]) -> list[Any]:
    """Summed over the axes of the batch, ``...``, along which an input was broadcast."""
    from graphlab.ops import array, reduction
    from graphlab.ops.broadcasting import BROADCAST_GRADIENT_ARGS

    starts, batches = [], []
    for shape, size, term in zip(shapes, sizes, terms, strict=True):
        head, _, tail = term.partition("...")
        starts.append(len(head))
        batches.append(size[len(head) : len(shape) - len(tail)])
    axes = bind(BROADCAST_GRADIENT_ARGS, tuple(batches))
    for i, start in enumerate(starts):
        results[i] = array.reshape(reduction.reduce_sum(results[i], start + axes[i]), sizes[i])
    return results
