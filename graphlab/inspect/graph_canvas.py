"""What a picture is drawn on: nodes and edges so far, what each tensor is in it, and the user's lines."""

from __future__ import annotations

import ast
from typing import Any

from graphlab.core.position import Place
from graphlab.inspect.graph_model import BRANCHES, LOOPS, PASSED, Cluster, Edge, Node, Picture, Value, bodies
from graphlab.inspect.places import Places
from graphlab.inspect.user_source import Source, source


class Canvas:
    """A picture in the making.

    Args:
        filename: The file whose lines nodes carry.
        collapse: Draw bodies of loops and branches as one node each.
    """

    def __init__(self, filename: str | None, *, collapse: bool) -> None:
        self.filename = filename
        self.source: Source | None = source(filename) if filename else None
        self.collapse = collapse
        self.picture = Picture(collapsed=collapse)
        self.values: dict[int, Value] = {}
        self.of_op: dict[int, str] = {}
        self.places = Places(filename)
        self._labelled: set[tuple[str, ...]] = set()
        self.tests: dict[str, Value] = {}

    def add(self, node: Node) -> Node:
        node.id = f"n{len(self.picture.nodes) + 1}"
        self.picture.nodes.append(node)
        return node

    def cluster(self, parent: str | None, kind: str, what: str, line: int | None, text: str | None = None) -> Cluster:
        made = Cluster(f"c{len(self.picture.clusters) + 1}", parent, kind, what, line, text)
        self.picture.clusters.append(made)
        return made

    def value(self, tensor: Any) -> Value:
        found = self.values.get(id(tensor))
        if found is None:
            # Made in an outer graph, or by an operation that nothing needs.
            found = self.values[id(tensor)] = Value((), getattr(getattr(tensor, "op", None), "name", ""), None)
        return found

    def connect(self, value: Value, node: Node, *, always: bool = False) -> None:
        for origin in value.nodes:
            if any(
                edge.source == origin and edge.target == node.id and edge.kind == "data"
                for edge in self.picture.edges[-8:]
            ):
                continue
            label = None
            start = self.picture.nodes[int(origin[1:]) - 1]
            # A type is written once where it is new: at an argument, or where an operation changed it.
            if (
                value.spec
                and (always or self.new_type(start, value.spec))
                and (origin, value.spec) not in self._labelled
            ):
                self._labelled.add((origin, value.spec))
                label = value.spec
            self.picture.edges.append(Edge(origin, node.id, "data", label))

    def new_type(self, node: Node, spec: str) -> bool:
        if node.kind != "op":
            return node.kind in ("arg", "capture")
        incoming = {
            self.picture.nodes[int(e.source[1:]) - 1].spec
            for e in self.picture.edges
            if e.target == node.id and e.kind == "data"
        }
        return spec not in incoming

    def at(self, op: Any) -> Place | None:
        """The innermost of the user's places that made an operation and lies in the file shown."""
        return self.places.of(op.position)

    def assigned(self, found: Place | None) -> str | None:
        """The name that the value of the call at a place is assigned to, if it is assigned as it is."""
        if found is None or self.source is None or found.column is None:
            return None
        key = (found.line, found.column, found.end_line, found.end_column or 0)
        name = self.source.assigned.get(key)
        if name is None:
            return None
        node = self.source.expressions.get(key)
        return name if isinstance(node, ast.Call) else None

    def variable(self, tensor: Any, depth: int = 0) -> str | None:
        """The user's variable that a value was assigned to, through branches and identities; None if unknown."""
        op = tensor.op
        if depth > 8 or op.type == "Placeholder" or self.source is None:
            return None
        if op.type in PASSED and op.inputs:
            return self.variable(op.inputs[0], depth + 1)
        if op.type in BRANCHES or op.type in LOOPS:
            graphs = [body for key, body in bodies(op) if key != "cond"]
            names = [
                self.variable(body.outputs[tensor.index], depth + 1)
                for body in graphs
                if tensor.index < len(body.outputs)
            ]
            return next((name for name in names if name), None)
        found = self.at(op)
        if found is None or found.column is None:
            return None
        return self.source.assigned.get((found.line, found.column, found.end_line, found.end_column or 0))

    def first_line(self, body: Any) -> int | None:
        """The first line of the user's that a body holds."""
        lines = [found.line for op in body.ops if op.type != "Placeholder" and (found := self.at(op))]
        return min(lines, default=None)

    def inside(self, node_id: str, cluster: str) -> bool:
        parents = {made.id: made.parent for made in self.picture.clusters}
        current = self.picture.nodes[int(node_id[1:]) - 1].cluster
        while current is not None:
            if current == cluster:
                return True
            current = parents[current]
        return False
