"""The passes, in the order in which they run, and the options that switch them.

Every pass is a function ``run(program, graph)`` over the operations of one graph or body; none of them changes a bit of
a result (the rules are listed in ``docs/performance.md``).  All are linear in the number of operations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from graphlab.compile.options import OPTIONS
from graphlab.compile.passes import (
    branch_folding,
    common_subexpressions,
    constant_folding,
    debug_stripping,
    gates,
    indexing,
    inlining,
    loop_invariants,
    pruning,
    redundancy,
    simplification,
)
from graphlab.compile.program import Program, bodies
from graphlab.graph.func_graph import FuncGraph

Run = Callable[[Program, FuncGraph], None]


class Pass(NamedTuple):
    """A pass, and the option of ``tf.config.optimizer`` that switches it."""

    name: str
    option: str
    run: Run
    default: bool = True


PASSES: Final = (
    Pass("debug stripping", "debug_stripper", debug_stripping.run, default=False),
    Pass("inlining", "function_optimization", inlining.run),
    Pass("constant folding", "constant_folding", constant_folding.run),
    Pass("branch folding", "constant_folding", branch_folding.run),
    Pass("redundancy", "dependency_optimization", redundancy.run),
    Pass("simplification", "arithmetic_optimization", simplification.run),
    Pass("indexing", "arithmetic_optimization", indexing.run),
    Pass("common subexpressions", "arithmetic_optimization", common_subexpressions.run),
    Pass("gates", "remapping", gates.run),
    Pass("loop invariants", "loop_optimization", loop_invariants.run),
    Pass("pruning", "disable_model_pruning", pruning.run),
)


def enabled(one: Pass) -> bool:
    """True if the options have the pass run."""
    if OPTIONS.get("disable_meta_optimizer"):
        return False
    own = OPTIONS.get(one.name.replace(" ", "_"))
    if own is not None:
        return bool(own)
    if one.option.startswith("disable_"):
        return not OPTIONS.get(one.option, False)
    return bool(OPTIONS.get(one.option, one.default))


def optimize(graph: FuncGraph, after: Callable[[Pass, Program], None] | None = None) -> Program:
    """Runs the passes that the options enable.

    Args:
      graph: a finished graph; it stays as it is.
      after: called after each pass (tests check the graph there).
    """
    program = Program(graph)
    if len(graph.ops) < OPTIONS.get("min_graph_nodes", 0):
        return program
    for one in PASSES:
        if enabled(one):
            _everywhere(one.run, program, graph)
            if after is not None:
                after(one, program)
    return program


def _everywhere(run: Run, program: Program, graph: FuncGraph) -> None:
    """Runs a pass on a graph and then on the bodies of its branches and loops."""
    run(program, graph)
    for op in program.structured(graph):
        for body in bodies(op):
            _everywhere(run, program, body)
