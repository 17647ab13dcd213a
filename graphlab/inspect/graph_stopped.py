"""Bodies that an error left half-built: the loop, branch or call in which a trace stopped, as far as it came."""

from __future__ import annotations

import re
from typing import Any

from graphlab.inspect.graph_builder import Builder
from graphlab.inspect.graph_model import Node, Value, bodies, count_operations, spec_of
from graphlab.inspect.user_source import shorten


def ends(builder: Builder, graph: Any) -> list[Any]:
    """What to draw the way to in a graph without outputs: all but what a `for` makes to go over its elements."""
    # A `for`'s range says nothing without the loop, and is drawn with one.
    return [tensor for op in graph.ops if bodies(op) or not builder.of_loop(op) for tensor in op.outputs]


def half_built(builder: Builder, graph: Any, cluster: str | None) -> None:
    """Draws the body in which an error stopped a graph, and what was half-built in that; nothing when there is none.

    Args:
        builder: It has drawn what was finished in the graph.
        graph: The FuncGraph that was stopped.
        cluster: The frame that it is drawn in.
    """
    body, count = graph.stopped_inside or (None, 0)
    if body is None or count != len(graph.ops):
        return  # what was added since says that the program went on after that error
    construct = _construct(builder, body)
    if construct is None:
        return  # something was only tried
    kind, what, line, text = construct
    made = builder.cluster(cluster, kind, what, line, text, key=("stopped", id(body)), count=count_operations(body))
    builder.picture.operations += count_operations(body)
    for outer, inner in body.captures:
        builder.values[id(inner)] = builder.value(outer)
    for outer, inner in zip(body.called_with or (), body.inputs, strict=False):
        builder.values[id(inner)] = builder.value(outer)
    before = len(builder.picture.nodes)
    skip = _starts(builder, body, made.id, line)
    builder.body(body, made.id, ends(builder, body), skip)
    half_built(builder, body, made.id)
    if len(builder.picture.nodes) == before:
        builder.picture.clusters.remove(made)


def _construct(builder: Builder, body: Any) -> tuple[str, str, int | None, str | None] | None:
    """Kind and label of the frame around a body, with the line that it begins at; None for no construct's."""
    lines = [line for op in body.ops if op.type != "Placeholder" for line in builder.lines(op)]
    first = builder.first_line(body)
    source = builder.source
    inside = body.stopped_inside[0] if body.stopped_inside else None
    if not lines and inside is not None:
        return _construct(builder, inside)
    if body.started_from is not None:
        line = next((line for line in _outwards(builder, body) if source and source.header(line)), None)
        header = source.header(line) if source and line else None
        return "loop", "graph.cluster.loop", line or first, shorten(header, 40) if header else None
    if body.called_with is not None:
        return "call", "graph.cluster.call", first, body.name
    if body.name.endswith(("_true_fn", "_false_fn")):
        return "branch", f"graph.cluster.{'else' if body.name.endswith('_false_fn') else 'true'}", first, None
    case = re.search(r"_branch(\d+)$", body.name)
    return None if case is None else ("branch", "graph.cluster.case", first, case[1])


def _outwards(builder: Builder, body: Any) -> list[int]:
    """The lines of all places that led to the operations of a body."""
    return [place.line for op in body.ops for place in builder.places.all(op.position)]


def _starts(builder: Builder, body: Any, cluster: str, line: int | None) -> frozenset[int]:
    """Draws the values that a loop's body begins with and uses; returns the operations that only fetch them."""
    if body.started_from is None:
        return frozenset()
    begins = {id(inner): outer for inner, outer in zip(body.inputs, body.started_from, strict=False)}
    fetching = {id(op) for op in body.ops if op.type != "Placeholder" and not bodies(op) and builder.of_loop(op)}
    used = {id(t): t for op in body.ops if id(op) not in fetching for t in op.inputs}
    inner = body.stopped_inside[0] if body.stopped_inside else None
    if inner is not None:
        used |= {id(outer): outer for outer, _ in inner.captures}
    target = builder.source.target(line) if builder.source and line else None
    for index, tensor in enumerate(used.values()):
        start = Value((), "")
        outer = begins.get(id(tensor))
        if target and outer is not None and builder.of_loop(outer.op):
            name = target  # a range counts in a value of the loop
        elif outer is not None:
            start = builder.value(outer)
            name = builder.variable(outer) or start.text or tensor.op.name
        elif id(tensor.op) in fetching and tensor.op.type != "Const":
            name = target or tensor.op.name
        else:
            continue
        node = builder.add(
            Node("", "loopvar", name, line=line, cluster=cluster, spec=spec_of(tensor), name=tensor.op.name),
            ("begins", id(body), index),
        )
        node.inputs = [start.text] if start.text else []
        builder.values[id(tensor)] = Value((node.id,), name, node.spec)
        builder.connect(start, node, always=True)
    return frozenset(fetching)
