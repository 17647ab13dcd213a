"""Function inlining: a call of a small traced function becomes its operations.

Then what its caller does not need of it is not computed, and what both compute is computed once.  A body that is
called again is copied, so that each call has operations of its own.  Larger bodies stay functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from graphlab.compile.program import Program, bodies
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

LARGEST: Final = 200
"""Bodies of more operations stay calls."""

_CALLS: Final = frozenset(("PartitionedCall", "StatefulPartitionedCall"))


def run(program: Program, graph: FuncGraph) -> None:
    """Inlines the calls of one graph, those inside inlined bodies too."""
    ops = program.ops(graph)
    if any(op.type in _CALLS for op in ops):
        program.set_ops(graph, _inlined(program, graph, ops, 0))


def _inlined(program: Program, graph: FuncGraph, ops: list[Operation], depth: int) -> list[Operation]:
    result: list[Operation] = []
    for op in ops:
        body = op.attrs.get("f") if op.type in _CALLS else None
        if body is None or len(body.ops) > LARGEST or depth > 20:
            result.append(op)
            continue
        program.note("inlining", f"a call of {body.name}", graph, [op])
        result += _inlined(program, graph, inline(program, op, body, op.inputs), depth + 1)
    return result


def inline(program: Program, op: Operation, body: FuncGraph, arguments: list[Any]) -> list[Operation]:
    """The operations of a body with tensors of the caller for its parameters and results."""
    if not program.used:
        _register(program, program.graph)
    if id(body) in program.used or any(id(inner) in program.used for inner in _nested(body)):
        body = _copied(body)
    program.kept.append(body)
    program.used.add(id(body))
    _register(program, body)
    for parameter, argument in zip(body.parameters, arguments, strict=True):
        program.replace(parameter, argument)
    for output, result in zip(op.outputs, body.outputs, strict=False):
        program.replace(output, result)
    return [inner for inner in body.ops if inner.type != "Placeholder"]


def _nested(graph: FuncGraph) -> Iterator[FuncGraph]:
    for op in graph.ops:
        for body in bodies(op):
            yield body
            yield from _nested(body)


def _register(program: Program, graph: FuncGraph) -> None:
    program.used.add(id(graph))
    program.used.update(id(body) for body in _nested(graph))


def _copied(graph: FuncGraph) -> FuncGraph:
    """A copy whose branches and loops have bodies of their own too."""
    copy = graph.clone()
    for op in copy.ops:
        if "branches" in op.attrs:
            op.attrs["branches"] = [_copied(body) for body in op.attrs["branches"]]
        else:
            for key in ("then_branch", "else_branch", "cond", "body"):
                if key in op.attrs:
                    op.attrs[key] = _copied(op.attrs[key])
    return copy
