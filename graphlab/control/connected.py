"""Which inputs of calls, branches and loops their results depend on, so that a gradient is zero and not None.

As TensorFlow has it: the gradient of one result for an input that only other results of the same call depend on is
zero, since the call as a whole is differentiated, with zeros for the gradients of the other results.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphlab.core.op import NOT_DIFFERENTIABLE
from graphlab.graph.backprop import OpView, differentiable, zeros
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation


def fill(op: OpView, graphs: Sequence[FuncGraph], first: int, gradients: list[Any]) -> list[Any]:
    """Puts zeros where a gradient is None although the input is connected to some result.

    Args:
      op: the call, branch or loop.
      graphs: its bodies.
      first: the number of its inputs that stand before those of the bodies.
      gradients: one per input, or None; it is changed.
    """
    missing = [
        i
        for i, g in enumerate(gradients)
        if g is None and i >= first and op.needs(i) and differentiable(op.inputs[i].dtype)
    ]
    if missing:
        found = frozenset[int]().union(*map(reached, graphs))
        for i in missing:
            if i - first in found:
                gradients[i] = zeros(op.inputs[i])
    return gradients


def reached(graph: FuncGraph) -> frozenset[int]:
    """The positions of the parameters from which a differentiable way leads to a result."""
    key = ("reached", len(graph.outputs))
    found: frozenset[int] | None = graph.derived.get(key)
    if found is None:
        live = {id(t) for t in graph.outputs if differentiable(t.dtype)}
        for op in reversed(graph.ops):
            if op.record.gradient not in (None, NOT_DIFFERENTIABLE) and any(id(t) in live for t in op.outputs):
                live.update(id(t) for t in _sources(op) if differentiable(t.dtype))
        found = graph.derived[key] = frozenset(i for i, p in enumerate(graph.parameters) if id(p) in live)
    return found


def _sources(op: Operation) -> list[Any]:
    """The inputs of an operation that its results depend on."""
    attrs = op.attrs
    if isinstance(attrs.get("f"), FuncGraph):
        bodies, first = [attrs["f"]], 0
    elif "then_branch" in attrs:
        bodies, first = [attrs["then_branch"], attrs["else_branch"]], 1
    elif "branches" in attrs:
        bodies, first = attrs["branches"], 1
    elif "body" in attrs:
        bodies, first = [attrs["body"]], 0
    else:
        return op.inputs
    found = frozenset[int]().union(*map(reached, bodies))
    return [t for i, t in enumerate(op.inputs) if i - first in found]
