"""Removes assertions, numeric checks and prints, if ``debug_stripper`` asks for it: the one pass that drops effects."""

from __future__ import annotations

from typing import Final

from graphlab.compile.program import Program
from graphlab.graph.func_graph import FuncGraph

_DROPPED: Final = frozenset(("Assert", "PrintV2"))
_FORWARDED: Final = frozenset(("CheckNumerics", "CheckNumericsV2", "Print"))


def run(program: Program, graph: FuncGraph) -> None:
    """Strips one graph."""
    ops = program.ops(graph)
    kept = []
    for op in ops:
        if op.type in _DROPPED:
            program.note("debug stripping", "assertions and prints are not asked for", graph, [op])
        elif op.type in _FORWARDED:
            program.replace(op.outputs[0], op.inputs[0])
            program.note("debug stripping", "checks are not asked for", graph, [op])
        else:
            kept.append(op)
    if len(kept) != len(ops):
        program.set_ops(graph, kept)
