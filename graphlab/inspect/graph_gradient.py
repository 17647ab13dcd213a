"""The gradient in a graph's picture: what computes it, and the values of the forward computation that it uses.

A gradient asked for inside a traced function is part of its graph. One asked for by a tape around the call has a graph
of its own, which takes intermediate values of the forward graph; both are drawn as the part `gradient`, with the
forward nodes that they use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from graphlab.control.call import backward_graph
from graphlab.core.position import Place
from graphlab.core.tensor import SymbolicTensor
from graphlab.graph.backprop import differentiable
from graphlab.inspect.graph_builder import Builder
from graphlab.inspect.graph_model import BRANCHES, GRADIENT, Edge, Node, Picture, Value, bodies, count_operations

PREFIX: Final = "gradient_tape/"


def backward_of(graph: Any, *, build: bool = False) -> tuple[Any, Any] | None:
    """The forward graph that was run under a tape, and its backward graph; None when no gradient was asked for.

    Args:
        graph: A traced graph.
        build: Build the gradient of all results with respect to all arguments when there is none yet.
    """
    for key, forward in graph.derived.items():
        if key[0] == "forward":
            found = [value for inner, value in forward.derived.items() if inner[0] == "backward"]
            if found:
                return forward, found[-1]
    own = [value for key, value in graph.derived.items() if key[0] == "backward"]
    if own:
        return graph, own[-1]
    if not build:
        return None
    forward = graph.clone()
    results = tuple(i for i, tensor in enumerate(forward.outputs) if differentiable(tensor.dtype))
    wanted = tuple(i for i, tensor in enumerate(forward.parameters) if differentiable(tensor.dtype))
    if not results or not wanted:
        return None
    return forward, backward_graph(forward, results, wanted)


def add(picture: Picture, builder: Builder, graph: Any, *, build: bool = False) -> None:
    """Adds the part `gradient` to a picture, when there is a gradient.

    Args:
        picture: The picture of the graph.
        builder: What drew it.
        graph: The graph.
        build: Draw the gradient even if nobody asked for it yet.
    """
    _inside(picture)
    found = backward_of(graph, build=build)
    if found is not None:
        _Backward(picture, builder, graph, *found).draw()


def _inside(picture: Picture) -> None:
    """Marks the gradient that is part of the graph itself, and what it takes."""
    for node in picture.nodes:
        if node.name.startswith(PREFIX) or f"/{PREFIX}" in node.name:
            node.backward = True
    _used(picture, {node.id for node in picture.nodes if node.backward})


def _used(picture: Picture, backward: set[str]) -> None:
    """Puts a gradient's nodes, those it uses and gives its results to, and the lines between them into its part."""
    if not backward:
        return
    near = set(backward)
    for edge in picture.edges:
        if edge.target in backward or edge.source in backward:
            near |= {edge.source, edge.target}
    for node in picture.nodes:
        if node.id in near and GRADIENT not in node.parts:
            node.parts = (*node.parts, GRADIENT)
    for edge in picture.edges:
        if edge.source in near and edge.target in near and GRADIENT not in edge.parts:
            edge.parts = (*edge.parts, GRADIENT)
    frames = {cluster.id: cluster for cluster in picture.clusters}
    for node in picture.nodes:
        frame = frames.get(node.cluster or "") if GRADIENT in node.parts else None
        while frame is not None:
            if GRADIENT not in frame.parts:
                frame.parts = (*frame.parts, GRADIENT)
            frame = frames.get(frame.parent or "")


def _forward(op: Any) -> Any:
    """The operation that an operation of a backward graph is the gradient of, as the user wrote it."""
    forward = op.graph.gradient_of.get(op.name)
    while forward is not None and forward.type == "TensorListPushBack":
        forward = forward.inputs[1].op  # a loop's body keeps a value: it is the gradient's, not the list's
    return forward


class GradientBuilder(Builder):
    """Draws a backward graph: its operations stand at the lines of those whose gradient they are."""

    def at(self, op: Any) -> Place | None:
        """The place of the forward operation."""
        forward = _forward(op)
        return None if forward is None else super().at(forward)

    def lines(self, op: Any) -> tuple[int, ...]:
        """The lines that led to the forward operation."""
        forward = _forward(op)
        return () if forward is None else super().lines(forward)

    def assigned(self, found: Place | None) -> str | None:
        """None: the user's names are those of the forward values."""
        return None

    def variable(self, tensor: Any, depth: int = 0) -> str | None:
        """None, likewise."""
        return None

    def called(self, op: Any, found: Place | None, assigned: str | None) -> str:
        """The gradient of what the user wrote."""
        return f"∂ {super().called(op, found, assigned)}"

    def label(
        self, op: Any, found: Place | None, assigned: str | None, inputs: Sequence[Value], constants: Sequence[str]
    ) -> str | None:
        """The expression whose gradient it is."""
        text = super().label(op, found, assigned, inputs, ())
        return f"∂ {text}" if text and found is not None else text


class _Backward:
    """Draws the graph of a gradient beside the graph it belongs to."""

    def __init__(self, picture: Picture, builder: Builder, graph: Any, forward: Any, backward: Any) -> None:
        self.picture, self.builder = picture, builder
        self.graph, self.forward, self.backward = graph, forward, backward
        self.saved: list[tuple[str, Any]] = []

    def draw(self) -> None:
        drawer = GradientBuilder(self.builder.filename, prefix="g")
        drawn = drawer.picture
        drawn.operations = count_operations(self.backward)
        results = [node for node in self.picture.nodes if node.kind == "result"]
        for index, tensor in enumerate(self.backward.inputs):
            number = str(tensor.op.name).rpartition("_")[2]
            result = results[int(number)] if number.isdigit() and int(number) < len(results) else None
            name = result.title if result is not None and result.title else tensor.op.name
            drawer.argument(tensor, f"∂ {name}", result.line if result is not None else None, ("arg", index))
        for outer, inner in self.backward.captures:
            nodes = self.origin(outer)
            constant = inner.op.attrs.get("value")
            # What a loop keeps for its gradient, such as how often it ran, is called by the loop.
            given = outer.op.name if isinstance(outer, SymbolicTensor) else inner.op.name
            text = (nodes[1] if nodes[0] else given).strip("/")
            drawer.values[id(inner)] = Value((), text, None) if constant is None else Value((), text, constant=True)
            self.saved += [(node, inner) for node in nodes[0]]
        drawer.body(self.backward, None)
        self.results(drawer)
        drawer.effects(self.backward)
        for node in drawn.nodes:
            node.parts, node.backward = (GRADIENT,), True
        for edge in drawn.edges:
            edge.parts = (GRADIENT,)
        for cluster in drawn.clusters:
            cluster.parts = (GRADIENT,)
        self.picture.nodes += drawn.nodes
        self.picture.edges += drawn.edges
        self.picture.clusters += drawn.clusters
        self.link(drawer)

    def results(self, drawer: Builder) -> None:
        """The gradient of each argument and variable."""
        parameters = list(self.graph.parameters)
        for position, parts in self.backward.attrs["results"]:
            nodes = self.origin(self.forward.parameters[position])[0]
            named = next((node for node in self.picture.nodes if node.id in nodes), None)
            name = named.title if named is not None else parameters[position].op.name
            for part in parts:
                if part is None:
                    continue
                tensor = self.backward.outputs[part]
                value = drawer.value(tensor)
                spec = drawer.values[id(tensor)].spec
                made = Node("", "result", f"∂ {name}", name=tensor.op.name, spec=spec, inputs=[value.text])
                made.line = named.line if named is not None else None
                drawer.connect(value, drawer.add(made, ("result", position, part)), always=True)

    def link(self, drawer: Builder) -> None:
        """Lines from the forward nodes to the nodes that take their values, in bodies too."""
        takers: dict[int, list[str]] = {}

        def visit(graph: Any, given: dict[int, int]) -> None:
            for op in graph.ops:
                node = drawer.of_op.get(id(op))
                inner = bodies(op)
                for tensor in op.inputs:
                    source = given.get(id(tensor), id(tensor))
                    # What decides about a branch goes to the branch, its other inputs to what takes them inside.
                    if node and (not inner or (op.type in BRANCHES and tensor is op.inputs[0])):
                        takers.setdefault(source, []).append(node)
                    elif not inner and op.type != "Placeholder":
                        for output in op.outputs:  # handed on without a node of its own
                            given[id(output)] = source
                for key, body in inner:
                    inputs = op.inputs if key in ("f", "cond", "body") else op.inputs[1:]
                    visit(
                        body,
                        {
                            id(inside): given.get(id(outside), id(outside))
                            for outside, inside in zip(inputs, body.parameters, strict=False)
                        },
                    )

        visit(self.backward, {})
        nodes = {node.id: node for node in self.picture.nodes}
        joined = set()
        for source, inner in self.saved:
            for target in takers.get(id(inner), ()):
                if target in nodes and (source, target) not in joined:
                    joined.add((source, target))
                    self.picture.edges.append(Edge(source, target, "saved", parts=(GRADIENT,)))
            if source in nodes and GRADIENT not in nodes[source].parts:
                nodes[source].parts = (*nodes[source].parts, GRADIENT)
        _used(self.picture, {node.id for node in self.picture.nodes if node.parts == (GRADIENT,)})

    def origin(self, tensor: Any) -> tuple[tuple[str, ...], str]:
        """The nodes of the traced picture that a tensor of the forward graph comes from, and its text."""
        if not hasattr(tensor, "op"):
            return (), ""  # a value from outside
        found = self.twin(tensor, self.forward, self.graph)
        value = self.builder.values.get(id(found)) if found is not None else None
        if value is not None:
            return value.nodes, value.text
        node = self.builder.of_op.get(id(self.graph._by_name.get(tensor.op.name)))
        return ((node,) if node else ()), tensor.op.name

    def twin(self, tensor: Any, copy: Any, graph: Any, depth: int = 0) -> Any:
        """The tensor of the traced graph that one of its copy stands for, inside bodies too."""
        if copy is graph:
            return tensor
        op = graph._by_name.get(tensor.op.name)
        if op is None or depth > 8:
            return None
        if tensor.index < len(op.outputs):
            return op.outputs[tensor.index]
        # A result that was added for the gradient: a value inside a branch or a loop's body, there in a list.
        for (_, inner), (_, twin) in zip(bodies(tensor.op), bodies(op), strict=False):
            if tensor.index < len(inner.outputs):
                value = inner.outputs[tensor.index]
                if value.op.type == "TensorListPushBack":
                    value = value.op.inputs[1]
                found = self.twin(value, inner, twin, depth + 1)
                if found is not None:
                    return found
        return None
