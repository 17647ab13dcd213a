"""The records of ``If``, ``Case`` and ``While``, and how their bodies are closed.

Bodies are FuncGraphs in attributes.  Once *closed* they have no captures: everything they use comes in as an input,
every body of an op has the same inputs in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.compile.executable import executable
from graphlab.control.branch_gradient import branch_gradient
from graphlab.control.loop_gradient import loop_gradient
from graphlab.core.op import REQUIRED, Op, define
from graphlab.core.shape import most_general
from graphlab.graph.func_graph import FuncGraph


def _run_if(cond: Any, arrays: list[Any], then_branch: FuncGraph, else_branch: FuncGraph, Tout: Any) -> list[Any]:
    return executable(then_branch if cond else else_branch).call(arrays)


def _run_case(index: Any, arrays: list[Any], branches: Sequence[FuncGraph], Tout: Any) -> list[Any]:
    number = int(index)
    if not 0 <= number < len(branches):
        number = len(branches) - 1
    return executable(branches[number]).call(arrays)


def _run_while(arrays: list[Any], cond: FuncGraph, body: FuncGraph, output_shapes: Any) -> list[Any]:
    test, step = executable(cond), executable(body)
    values = list(arrays)
    while np.all(test.call(values)[0]):
        values = step.call(values)
    return values


def _branch_shapes(graphs: Sequence[FuncGraph]) -> list[Any]:
    shapes = [[t._raw_shape() for t in graph.outputs] for graph in graphs]
    result = shapes[0]
    for other in shapes[1:]:
        result = [most_general(a, b) for a, b in zip(result, other, strict=True)]
    return result


def _records(type_name: str, stateless: str, make: Any) -> dict[str | None, Op]:
    return {None: make(stateless, None), "read": make(type_name, "read"), "io": make(type_name, "io")}


IF = _records(
    "If",
    "StatelessIf",
    lambda name, effect: define(
        name,
        "cond: Tcond, input: *Tin -> output: *Tout",
        kernel=_run_if,
        infer=lambda args, attrs: _branch_shapes([attrs["then_branch"], attrs["else_branch"]]),
        gradient=branch_gradient,
        attrs={"then_branch": REQUIRED, "else_branch": REQUIRED, "Tout": REQUIRED},
        effect=effect,
        fp=False,
    ),
)
CASE = _records(
    "Case",
    "StatelessCase",
    lambda name, effect: define(
        name,
        "branch_index: int32, input: *Tin -> output: *Tout",
        kernel=_run_case,
        infer=lambda args, attrs: _branch_shapes(attrs["branches"]),
        gradient=branch_gradient,
        attrs={"branches": REQUIRED, "Tout": REQUIRED},
        effect=effect,
        fp=False,
    ),
)
WHILE = _records(
    "While",
    "StatelessWhile",
    lambda name, effect: define(
        name,
        "input: *T -> output: *T",
        kernel=_run_while,
        infer=lambda args, attrs: list(attrs["output_shapes"]),
        gradient=loop_gradient,
        attrs={"cond": REQUIRED, "body": REQUIRED, "output_shapes": REQUIRED},
        effect=effect,
        fp=False,
    ),
)


def effect_of(graphs: Sequence[FuncGraph]) -> str | None:
    """The effect of an op with these bodies: None, ``"read"`` or ``"io"``."""
    if any(graph.has_effects for graph in graphs):
        return "io"
    return "read" if any(graph.reads_or_writes for graph in graphs) else None


def close(graphs: Sequence[FuncGraph]) -> list[Any]:
    """Turns captures into inputs, the same for all graphs; returns the captured tensors in that order."""
    outer: dict[int, Any] = {}
    for graph in graphs:
        for tensor in graph.external_captures:
            outer.setdefault(id(tensor), tensor)
    tensors = list(outer.values())
    for graph in graphs:
        placeholders = [graph.own(tensor) for tensor in tensors]
        graph.inputs += placeholders
        graph._captures = {}
    return tensors


def branch_record(graphs: Sequence[FuncGraph], case: bool) -> Op:
    """The record of a branch op."""
    return (CASE if case else IF)[effect_of(graphs)]
