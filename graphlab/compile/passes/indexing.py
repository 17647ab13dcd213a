"""Indexing by numbers: ``x[i]`` with a computed ``i`` is a ``StridedSlice`` of vectors packed from numbers.

Here it becomes an operation that takes the numbers themselves, and the packing goes; in a loop they stay Python's.
"""

from __future__ import annotations

from typing import Any, Final

from graphlab.compile.program import Program
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.op import INDEX, define
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation


def part(x: Any, key: tuple[Any, ...]) -> Any:
    """``x[key]``; InvalidArgumentError if a number in ``key`` is out of bounds."""
    try:
        return x[key]
    except IndexError:
        axis = 0
        for item in key:
            if item is None:
                continue
            if not isinstance(item, slice) and not -x.shape[axis] <= item < x.shape[axis]:
                message = f"slice index {item} of dimension {axis} out of bounds."
                raise InvalidArgumentError(None, None, message) from None
            axis += 1
        raise


def _kernel(input: Any, indices: list[Any], pattern: tuple[str, ...]) -> Any:
    numbers = iter(indices)
    return part(input, tuple(int(next(numbers)) if p == "#" else None if p == "+" else slice(None) for p in pattern))


INDEX_AT = define(
    "IndexAt",
    "input: T, indices: N*Index -> output: T",
    kernel=_kernel,
    types={"Index": INDEX},
    attrs={"pattern": ()},
    can_fail=True,
    alias=True,
    fp=False,
)
"""``pattern`` has for each item of the key ``#`` (a number of ``indices``), ``:`` or ``+`` (a new axis)."""


def run(program: Program, graph: FuncGraph) -> None:
    """Rewrites the slices of one graph."""
    ops = program.ops(graph)
    changed: dict[int, Operation] = {}
    for op in ops:
        if op.type == "StridedSlice":
            node = _rewritten(program, op)
            if node is not None:
                changed[id(op)] = node
                program.note("indexing", "by numbers, not by vectors of them", graph, [op], [node])
    if changed:
        program.set_ops(graph, [changed.get(id(op), op) for op in ops])


_MASKS: Final = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def _rewritten(program: Program, op: Operation) -> Operation | None:
    x = program.root(op.inputs[0])
    begin, _, strides = (program.root(t).op for t in op.inputs[1:4])
    if begin.type != "Pack" or strides.type != "Const" or x._shape is None or x.dtype.np is None:
        return None
    steps = strides.attrs["value"].tolist()
    begins, ends, dots, new, shrink = (op.attrs[name] for name in _MASKS)
    if dots or any(step != 1 for step in steps) or len(begin.inputs) != len(steps) or x.dtype.np.hasobject:
        return None
    pattern, numbers, axes = [], [], 0
    for i, number in enumerate(begin.inputs):
        bit = 1 << i
        if new & bit:
            pattern.append("+")
            continue
        axes += 1
        if shrink & bit and not begins & bit and number._shape == ():
            pattern.append("#")
            numbers.append(program.root(number))
        elif not shrink & bit and begins & bit and ends & bit:
            pattern.append(":")
        else:
            return None
    if axes > len(x._shape) or not numbers:
        return None
    attrs = {"T": x.dtype, "N": len(numbers), "Index": op.attrs["Index"], "pattern": tuple(pattern)}
    node: Operation = program.make(op, INDEX_AT, [x, *numbers], attrs, [op.outputs[0]._shape])
    return node
