"""Loop-invariant motion: what a loop computes anew from values that do not change is computed once, before it.

Only pure operations move, and of these only such as cannot fail with the shapes they have: a loop that never runs must
not raise.  Whole numbers of shape () stay: in a loop they are Python's own and cost less than a look at an array.
"""

from __future__ import annotations

from typing import Any, Final

from graphlab.compile.program import Program, bodies, shared_bodies
from graphlab.core import dtypes
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

_LOOPS: Final = frozenset(("While", "StatelessWhile"))
_SAFE: Final = frozenset(("MatMul", "Reshape", "Transpose", "ExpandDims", "Squeeze", "BroadcastTo", "BiasAdd"))
_WHOLE: Final = frozenset((dtypes.int32, dtypes.int64, dtypes.bool))


def run(program: Program, graph: FuncGraph) -> None:
    """Moves operations out of the loops of the whole program, inner loops first."""
    if graph is program.graph and program.structured(graph):
        _visit(program, graph, shared_bodies(program))


def _visit(program: Program, graph: FuncGraph, shared: set[int]) -> None:
    ops = program.ops(graph)
    if not program.structured(graph):
        return
    moved = False
    result: list[Operation] = []
    for op in ops:
        for body in bodies(op):
            _visit(program, body, shared)
        if op.type in _LOOPS and id(op.attrs["body"]) not in shared:
            found = _moved(program, graph, op)
            moved = moved or bool(found)
            result += found
        result.append(op)
    if moved:
        program.set_ops(graph, result)


def _moved(program: Program, graph: FuncGraph, loop: Operation) -> list[Operation]:
    body: FuncGraph = loop.attrs["body"]
    unchanged: dict[int, Any] = {}
    for parameter, output, outer in zip(body.parameters, body.outputs, loop.inputs, strict=True):
        if program.root(output) is parameter:
            unchanged[id(parameter)] = outer
    found: list[Operation] = []
    stay: list[Operation] = []
    for op in program.ops(body):
        inputs = _outside(program, op, unchanged)
        if inputs is None:
            stay.append(op)
            continue
        node: Operation = program.make(op, op.record, inputs, op.attrs, [t._shape for t in op.outputs])
        node.graph = loop.graph
        for output in node.outputs:
            unchanged[id(output)] = output
        found.append(node)
        program.note("loop invariants", f"the same in every round of {loop.name}", graph, [op], [node])
    if found:
        program.set_ops(body, stay)
        program.extra.setdefault(id(loop), []).extend(node.outputs[0] for node in found)
    return found


def _outside(program: Program, op: Operation, unchanged: dict[int, Any]) -> list[Any] | None:
    """The inputs of an operation as tensors of the code around the loop; None if it must stay."""
    record = op.record
    if not op.inputs or not record.pure or not record.single or (record.can_fail and op.type not in _SAFE):
        return None
    output = op.outputs[0]
    if output.dtype.np is None or (output._shape == () and output.dtype in _WHOLE):
        return None
    inputs = []
    some = False
    for tensor in op.inputs:
        standing = program.root(tensor)
        shape = standing._shape
        if standing.dtype.np is None or shape is None or None in shape:
            return None
        if standing.op.type == "Const":
            inputs.append(standing)
            continue
        outer = unchanged.get(id(standing))
        if outer is None:
            return None
        some = True
        inputs.append(outer)
    return inputs if some and output._shape is not None and None not in output._shape else None
