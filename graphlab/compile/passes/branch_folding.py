"""Branch folding: an ``If`` or ``Case`` whose condition is known becomes the body that runs."""

from __future__ import annotations

from typing import Any

from graphlab.compile.passes.inlining import inline
from graphlab.compile.program import Program
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation


def run(program: Program, graph: FuncGraph) -> None:
    """Folds the branches of one graph, those inside a chosen body too."""
    ops = program.ops(graph)
    if not any(_known(program, op) is not None for op in ops):
        return
    program.set_ops(graph, _folded(program, graph, ops))


def _folded(program: Program, graph: FuncGraph, ops: list[Operation]) -> list[Operation]:
    result: list[Operation] = []
    for op in ops:
        chosen = _known(program, op)
        if chosen is None:
            result.append(op)
            continue
        program.note("branch folding", "its condition is known", graph, [op])
        result += _folded(program, graph, inline(program, op, chosen, op.inputs[1:]))
    return result


def _known(program: Program, op: Operation) -> Any:
    """The body that an ``If`` or ``Case`` is known to run; None if it is not known, or ``op`` is neither."""
    attrs = op.attrs
    if "then_branch" not in attrs and "branches" not in attrs:
        return None
    condition = program.root(op.inputs[0]).op
    if condition.type != "Const":
        return None
    value = condition.attrs["value"]
    if value.size != 1:
        return None
    if "then_branch" in attrs:
        return attrs["then_branch"] if value.item() else attrs["else_branch"]
    number, branches = int(value.item()), attrs["branches"]
    return branches[number if 0 <= number < len(branches) else -1]
