"""What is known of a graph's results when its arguments are more specific than those it was traced with."""

from __future__ import annotations

from collections.abc import Sequence

from graphlab.compile.program import Program, bodies
from graphlab.compile.sizes import Sizes
from graphlab.core.shape import RawShape, merge
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation


def refined_shapes(graph: FuncGraph, shapes: Sequence[RawShape]) -> list[RawShape]:
    """The shapes of a graph's outputs for arguments and captures of the given shapes."""
    own: list[RawShape] = [t._raw_shape() for t in graph.outputs]
    if all(s is not None and None not in s for s in own):
        return own
    if all(p._raw_shape() == s for p, s in zip(graph.parameters, shapes, strict=True)):
        return own
    found = _Refined(Program(graph), shapes)
    try:
        return [merge(s, found.shape(found.program.root(t))) for s, t in zip(own, graph.outputs, strict=True)]
    except ValueError:  # shapes that cannot be: the call itself will say so
        return own


class _Refined(Sizes):
    """Shapes that hold in every iteration and for every branch: only calls are looked into."""

    def _operation(self, op: Operation) -> None:
        graph = op.attrs.get("f")
        if isinstance(graph, FuncGraph):
            shapes = refined_shapes(graph, [self.shape(self.program.root(t)) for t in op.inputs])
            self.known.update((id(t), s) for t, s in zip(op.outputs, shapes, strict=False))
        elif not list(bodies(op)):
            super()._operation(op)
