"""Operations that hold bodies: loops, branches and calls become clusters, or one node each in a large picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graphlab.inspect.graph_model import Cluster, Edge, Node, Value, bodies, constant_text, count_operations, spec_of
from graphlab.inspect.user_source import shorten

if TYPE_CHECKING:
    from graphlab.inspect.graph_builder import Builder


def loop(builder: Builder, op: Any, cluster: str | None) -> None:
    """A loop: its values, what its body does with them, and the way back of those that change."""
    body, cond = op.attrs["body"], op.attrs["cond"]
    found = builder.at(op)
    line = found.line if found else None
    header = builder.source.header(line) if builder.source and line else None
    origin = id(builder.origin(op))
    made = builder.cluster(
        cluster,
        "loop",
        "graph.cluster.loop",
        line,
        shorten(header, 40) if header else None,
        key=("loop", origin),
        count=sum(count_operations(inner) for _, inner in bodies(op)),
    )
    outer = [builder.value(tensor) for tensor in op.inputs]
    parameters, outputs = list(body.parameters), list(body.outputs)
    counted = counters_of(builder, op, body) if header is not None and header.startswith("for ") else frozenset()
    starts: dict[int, Node] = {}
    for index, parameter in enumerate(parameters):
        value = outer[index] if index < len(outer) else Value((), parameter.op.name)
        if index in counted or index >= len(outputs) or _unchanged(outputs[index], parameter, value):
            builder.values[id(parameter)] = value  # the same in every iteration, or drawn as the element
            continue
        name = (
            builder.variable(outputs[index])
            or builder.variable(op.inputs[index])
            or _flag(builder, parameter, value, line)
            or value.text
            or parameter.op.name.strip("/")
        )
        node = builder.add(
            Node("", "loopvar", name, line=line, cluster=made.id, spec=spec_of(parameter), name=parameter.op.name),
            ("value", origin, index),
            op,
        )
        node.inputs = [value.text]
        if value.constant:
            node.label = value.text
        builder.values[id(parameter)] = Value((node.id,), name, node.spec)
        starts[index] = node
        builder.connect(value, node, always=True)
    skip, drawn = _elements(builder, op, body, counted, outer, header, made)
    # no element is used, but what is iterated over says how often the loop goes round
    length = _iterated(builder, outer, header) if counted and not drawn else None
    if header is None or not header.startswith("for "):
        _condition(builder, cond, parameters, made.id)
    wanted = [tensor for index, tensor in enumerate(outputs) if index not in counted]
    builder.body(body, made.id, wanted, skip)
    for index, tensor in enumerate(op.outputs):
        start = starts.get(index)
        if start is None:
            builder.values[id(tensor)] = builder.values.get(id(parameters[index]), Value((), ""))
            continue
        value = builder.value(outputs[index])
        node = builder.add(
            Node(
                "",
                "loopvar",
                start.title,
                line=line,
                cluster=made.id,
                spec=start.spec,
                name=tensor.op.name,
                next=True,
            ),
            ("next", origin, index),
            op,
        )
        node.inputs = [value.text]
        if value.constant:
            node.label = value.text
        builder.connect(value, node)
        for test in builder.tests.pop(made.id, Value((), "")).nodes:
            builder.picture.edges.append(Edge(test, node.id, "predicate"))
        for source in length.nodes if length is not None else ():
            builder.picture.edges.append(Edge(source, node.id, "predicate"))
        builder.picture.edges.append(Edge(node.id, start.id, "back"))
        builder.values[id(tensor)] = Value((node.id,), start.title, spec_of(tensor))


def _flag(builder: Builder, parameter: Any, start: Value, line: int | None) -> str | None:
    """What a flag that begins as False stands for: the statement of the user's that leaves the loop when it is set."""
    if not start.constant or start.text != "False" or parameter.dtype.name != "bool" or builder.source is None:
        return None
    return builder.source.leaving(line) if line is not None else None


def _unchanged(output: Any, parameter: Any, start: Value) -> bool:
    """Whether a value of a loop is the same in every iteration: handed on, or the constant that it starts with."""
    if output is parameter:
        return True
    known = output.op
    return known.type == "Const" and start.constant and constant_text(known.attrs["value"]) == start.text


def counters_of(builder: Builder, op: Any, body: Any) -> frozenset[int]:
    """The loop values that only count iterations: integers to which the loop's own line adds, not the user's."""
    found = []
    here = builder.at(op)
    outputs = list(body.outputs)
    for index, parameter in enumerate(body.parameters[: len(outputs)]):
        output = outputs[index]
        if output is parameter or parameter._raw_shape() != () or not parameter.dtype.is_integer:
            continue
        step = output.op
        if step.type not in ("AddV2", "Add") or not any(tensor is parameter for tensor in step.inputs):
            continue
        at = builder.at(step)
        if at is None or here is None or at.line == here.line:
            found.append(index)
    return frozenset(found)


def _elements(
    builder: Builder,
    op: Any,
    body: Any,
    counters: frozenset[int],
    outer: Sequence[Value],
    header: str | None,
    made: Cluster,
) -> tuple[frozenset[int], bool]:
    """Draws the element of a `for`, from what is iterated over.

    Returns:
        The operations that only fetch it, and whether there is anything that uses it.
    """
    here = builder.at(op)
    counted = {id(body.parameters[index]): body.parameters[index] for index in counters}
    advance = {id(body.outputs[index].op) for index in counters}
    # What the loop's own line computes from the count fetches the element: a range's value, a row of a tensor.
    fetching: dict[int, Any] = {}
    derived = dict(counted)
    for inner in body.ops:
        at = builder.at(inner)
        if (
            id(inner) in advance
            or at is None
            or here is None
            or at.line != here.line
            or inner.type in ("Placeholder", "Const")
        ):
            continue
        if any(id(tensor) in derived for tensor in inner.inputs):
            fetching[id(inner)] = inner
            derived.update({id(tensor): tensor for tensor in inner.outputs})
    used = {
        id(tensor): tensor
        for inner in body.ops
        if id(inner) not in fetching and id(inner) not in advance
        for tensor in inner.inputs
        if id(tensor) in derived
    }
    used.update({id(tensor): tensor for tensor in body.outputs if id(tensor) in derived})
    target = builder.source.target(here.line) if builder.source and here else None
    before = len(builder.picture.nodes)
    for tensor in used.values():
        name = target or tensor.op.name
        node = builder.add(
            Node("", "loopvar", name, line=here.line if here else None, cluster=made.id, spec=spec_of(tensor)),
            ("element", id(builder.origin(op)), len(builder.picture.nodes) - before),
            op,
        )
        node.name = tensor.op.name
        origin = _iterated(builder, outer, header)
        if origin is not None:
            node.inputs = [origin.text]
            builder.connect(origin, node, always=True)
        builder.values[id(tensor)] = Value((node.id,), name, node.spec)
    return frozenset(fetching), bool(used)


def _iterated(builder: Builder, outer: Sequence[Value], header: str | None) -> Value | None:
    """What a `for` iterates over: the loop's input that its header names."""
    words = set(re.findall(r"\w+", (header or "").split(" in ", 1)[-1]))
    return next((value for value in [*outer, *builder.values.values()] if value.nodes and value.text in words), None)


def _condition(builder: Builder, cond: Any, parameters: Sequence[Any], cluster: str) -> None:
    """The test of a `while`: it stands in the loop, reads the loop's values, decides about the next iteration."""
    for outer, inner in zip(parameters, cond.parameters, strict=False):
        builder.values[id(inner)] = builder.value(outer)
    builder.body(cond, cluster)
    builder.tests[cluster] = builder.value(cond.outputs[0])


def branch(builder: Builder, op: Any, cluster: str | None) -> None:
    """A condition, each of its branches a cluster; what they give comes from either."""
    found = builder.at(op)
    line = found.line if found else None
    predicate = builder.value(op.inputs[0])
    # `a and b`, `x if c else y`: the value is what the user wrote; a statement's is the variable it assigns.
    key = (
        (found.line, found.column, found.end_line, found.end_column or 0)
        if found and found.column is not None
        else None
    )
    written = key is not None and builder.source is not None and key in builder.source.expressions
    expression = shorten(found.expression, 24) if found and written else ""
    graphs = [body for key, body in bodies(op)]
    origin = id(builder.origin(op))
    counts = [count_operations(body) for body in graphs]
    made = builder.cluster(cluster, "cond", "graph.cluster.if", line, key=("cond", origin), count=sum(counts))
    made.test = predicate
    lines: list[int | None] = [None] * len(graphs)
    if builder.source and line in builder.source.branches:
        lines[:2] = list(builder.source.branches[line])[: len(graphs)]
    results: list[list[Value]] = []
    words = ["graph.cluster.true", "graph.cluster.else"] if op.type in ("If", "StatelessIf") else []
    for index, body in enumerate(graphs):
        first = lines[index] or builder.first_line(body)
        what, text = (words[index], None) if words else ("graph.cluster.case", str(index))
        inside = builder.cluster(
            made.id, "branch", what, first, text, key=("branch", origin, index), count=counts[index]
        )
        for outer, inner in zip(op.inputs[1:], body.parameters, strict=False):
            builder.values[id(inner)] = builder.value(outer)
        before = len(builder.picture.nodes)
        builder.body(body, inside.id)
        values: list[Value] = []
        for tensor in body.outputs:
            value = builder.value(tensor)
            own = any(builder.inside(node, inside.id) for node in value.nodes)
            if not own and _used(builder, op, len(values)):
                # The branch hands on what it got: that is one of its two ways, so it is drawn.
                node = builder.add(
                    Node(
                        "",
                        "op",
                        "Identity",
                        value.text,
                        "Identity",
                        tensor.op.name,
                        first,
                        inside.id,
                        spec_of(tensor),
                        [value.text],
                    ),
                    ("handed on", origin, index, len(values)),
                    op,
                )
                node.operands = [value]
                builder.connect(value, node)
                value = Value((node.id,), value.text, spec_of(tensor))
            values.append(value)
        results.append(values)
        entry = builder.picture.nodes[before : before + 1]
        if entry:
            label = predicate.spec if index == 0 else None
            for node_id in predicate.nodes:
                builder.picture.edges.append(Edge(node_id, entry[0].id, "predicate", label))
    builder.of_op[id(op)] = next((n.id for n in reversed(builder.picture.nodes) if n.cluster and n.kind == "op"), "")
    for index, tensor in enumerate(op.outputs):
        found_values = [values[index] for values in results if index < len(values)]
        nodes = tuple(dict.fromkeys(node for value in found_values for node in value.nodes))
        text = builder.variable(tensor) or expression or next((v.text for v in found_values if v.text), "")
        builder.values[id(tensor)] = Value(nodes, text, spec_of(tensor))


def _used(builder: Builder, op: Any, index: int) -> bool:
    if index >= len(op.outputs):
        return False
    target = op.outputs[index]
    graph = op.graph
    return any(output is target for output in graph.outputs) or any(
        tensor is target for other in graph.ops for tensor in other.inputs
    )


def call(builder: Builder, op: Any, cluster: str | None) -> None:
    """A call of another traced function, its body in place."""
    body = op.attrs["f"]
    found = builder.at(op)
    line = found.line if found else None
    made = builder.cluster(
        cluster,
        "call",
        "graph.cluster.call",
        line,
        body.name,
        key=("call", id(builder.origin(op))),
        count=count_operations(body),
    )
    here = builder.lines(op)
    builder.calls += reversed(here)
    for outer, inner in zip(op.inputs, body.parameters, strict=False):
        builder.values[id(inner)] = builder.value(outer)
    before = len(builder.picture.nodes)
    builder.body(body, made.id)
    del builder.calls[len(builder.calls) - len(here) :]
    if len(builder.picture.nodes) == before:
        builder.picture.clusters.remove(made)
    else:
        builder.of_op[id(op)] = builder.picture.nodes[-1].id
    for tensor, inner in zip(op.outputs, body.outputs, strict=False):
        builder.values[id(tensor)] = builder.value(inner)
