"""Dead code: what no result and no effect needs does not run, and its run-time error does not happen."""

from __future__ import annotations

from typing import Final

from graphlab.compile.program import FORWARD, Program
from graphlab.graph.func_graph import FuncGraph

_SILENT: Final = FORWARD | frozenset(("Const", "Placeholder"))


def run(program: Program, graph: FuncGraph) -> None:
    """Drops the operations that nothing needs."""
    ops = program.ops(graph)
    kept = program.needed(ops, graph.outputs)
    if graph is program.graph:
        program.pruned = True
    if len(kept) == len(ops):
        return
    program.set_ops(graph, kept)
    present = {id(op) for op in kept}
    for op in ops:
        if id(op) not in present and op.type not in _SILENT:
            program.note("pruning", "nothing needs it", graph, [op])
