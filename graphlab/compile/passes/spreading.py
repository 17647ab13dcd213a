"""What gradients of reductions repeat: copies of single elements are broadcasts, axes are put back without sizes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graphlab.compile.program import Program
from graphlab.core.op import Op, define
from graphlab.graph.graph import CONST
from graphlab.graph.operation import Operation


def _known(shape: Any) -> bool:
    return shape is not None and None not in shape


def _fits(n: int | None, m: int | None) -> bool:
    return n in (1, m)


def broadcast_instead(program: Program, op: Operation) -> Operation | None:
    """A ``BroadcastTo`` for a ``Tile`` that repeats nothing but axes of size 1: it copies nothing."""
    from graphlab.ops.array_shape import BROADCAST_TO

    source, multiples = (program.root(t) for t in op.inputs)
    have, whole = source._shape, op.outputs[0]._shape
    if have is None or not (source.dtype.is_floating or source.dtype.is_complex):
        return None
    if _known(have) and all(n == 1 for n in have):
        target = multiples
    elif whole is not None and _known(have) and _known(whole) and all(map(_fits, have, whole)):
        sizes = np.array(whole, multiples.dtype.np)
        node = Operation(op.graph, CONST, op.name, [], {"value": sizes, "dtype": multiples.dtype}, op.position)
        target = node.add_output(multiples.dtype, sizes.shape)
        program.kept.append(node)
    else:
        return None
    attrs = {"T": source.dtype, "Tidx": multiples.dtype}
    made: Operation = program.make(op, BROADCAST_TO, [source, target], attrs, [whole])
    return made


def _put_back(input: Any, like: Any, axes: tuple[int, ...]) -> Any:
    return input.reshape([1 if axis in axes else n for axis, n in enumerate(like.shape)])


PUT_BACK: Op = define(
    "PutBack", "input: T, like: U -> output: T", kernel=_put_back, attrs={"axes": ()}, can_fail=True, alias=True,
    fp=False,
)  # fmt: skip
"""``input`` in the shape of ``like``, with size 1 along some axes."""


def put_back(program: Program, op: Operation) -> Operation | None:
    """An operation for a ``Reshape`` to the shape of a tensor in which some sizes are replaced by 1.

    In graphs such a shape is stitched together: the sizes, and ones at the axes.
    """
    target = program.root(op.inputs[1]).op
    if target.type != "DynamicStitch" or len(target.inputs) != 4 or op.inputs[0].dtype.np is None:
        return None
    every, where, sizes, ones = (program.root(t).op for t in target.inputs)
    if any(node.type != "Const" for node in (every, where, ones)) or sizes.type != "Shape":
        return None
    like = program.root(sizes.inputs[0])
    rank = None if like._shape is None else len(like._shape)
    places = every.attrs["value"]
    if rank is None or places.tolist() != [*range(rank)] or (ones.attrs["value"] != 1).any():
        return None
    axes = tuple(sorted({int(axis) for axis in where.attrs["value"].reshape(-1)}))
    if any(not 0 <= axis < rank for axis in axes) or where.attrs["value"].size != math.prod(ones.attrs["value"].shape):
        return None
    source = program.root(op.inputs[0])
    attrs = {"T": source.dtype, "U": like.dtype, "axes": axes}
    made: Operation = program.make(op, PUT_BACK, [source, like], attrs, [op.outputs[0]._shape])
    return made
