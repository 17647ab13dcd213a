"""What a picture is drawn on: nodes and edges so far, what each tensor is in it, and the user's lines."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

from graphlab.core.position import Place
from graphlab.inspect.graph_model import BRANCHES, LOOPS, PASSED, Cluster, Edge, Node, Picture, Value, bodies
from graphlab.inspect.places import Places, own_lines
from graphlab.inspect.user_source import Source, source


class Canvas:
    """A picture in the making.

    Args:
        filename: The file whose lines nodes carry.
        origin: From an operation to the one that it stands for, as it was traced; by default they are the same.
        dead: Draw what nothing needs too, as such.
        prefix: What the names of nodes and clusters start with.
    """

    def __init__(
        self,
        filename: str | None,
        *,
        origin: Callable[[Any], Any] | None = None,
        dead: bool = False,
        prefix: str = "",
    ) -> None:
        self.filename = filename
        self.source: Source | None = source(filename) if filename else None
        self.origin = origin or (lambda op: op)
        self.dead = dead
        self.prefix = prefix
        self.picture = Picture()
        self.values: dict[int, Value] = {}
        self.of_op: dict[int, str] = {}
        self.places = Places(filename)
        self.tests: dict[str, Value] = {}
        self.returned: dict[int, int] = {}  # by id of an operation, the line of the `return` it belongs to
        self.calls: list[int] = []  # lines of the calls whose bodies are being drawn
        self.nodes: dict[str, Node] = {}
        self._labelled: set[tuple[str, ...]] = set()
        self._joined: set[tuple[str, str]] = set()
        self._incoming: dict[str, set[str | None]] = {}
        self._parents: dict[str, str | None] = {}
        self._seen: Counter[Hashable] = Counter()

    def add(self, node: Node, key: Hashable, op: Any = None) -> Node:
        """Puts a node into the picture; `key` tells it from all others, `op` is the operation whose lines it has."""
        node.id = f"{self.prefix}n{len(self.picture.nodes) + 1}"
        node.key = self._unique(key)
        lines = self.lines(op) if op is not None else ()
        if node.line is not None and node.line not in lines:
            lines = (node.line, *lines)
        node.lines = tuple(dict.fromkeys((*lines, *reversed(self.calls))))
        self.picture.nodes.append(node)
        self.nodes[node.id] = node
        return node

    def cluster(
        self,
        parent: str | None,
        kind: str,
        what: str,
        line: int | None,
        text: str | None = None,
        *,
        key: Hashable,
        count: int,
    ) -> Cluster:
        """Puts a body's frame into the picture."""
        made = Cluster(f"{self.prefix}c{len(self.picture.clusters) + 1}", parent, kind, what, line, text, count=count)
        made.key = self._unique(key)
        self.picture.clusters.append(made)
        self._parents[made.id] = parent
        return made

    def _unique(self, key: Hashable) -> Hashable:
        # A function that is called twice has its operations drawn twice.
        self._seen[key] += 1
        return key, self._seen[key]

    def value(self, tensor: Any) -> Value:
        found = self.values.get(id(tensor))
        if found is None:
            # Made in an outer graph, or by an operation that nothing needs.
            found = self.values[id(tensor)] = Value((), getattr(getattr(tensor, "op", None), "name", ""), None)
        return found

    def connect(self, value: Value, node: Node, *, always: bool = False) -> None:
        """Draws a line from what a value comes from; a constant becomes a node for this one use of it."""
        if value.constant and not value.nodes and value.text:
            made = Node(f"{self.prefix}k{len(self.picture.constants) + 1}", "const", value.text, spec=value.spec)
            made.line, made.lines, made.cluster = node.line, node.lines, node.cluster
            made.key = ("const", node.key, len(self._incoming.get(node.id, ())), value.text)
            made.dead = node.dead
            self.picture.constants.append(made)
            self.picture.constant_edges.append(Edge(made.id, node.id, "data"))
        for origin in value.nodes:
            if (origin, node.id) in self._joined:
                continue
            self._joined.add((origin, node.id))
            label = None
            start = self.nodes[origin]
            # A type is written once where it is new: at an argument, or where an operation changed it.
            if (
                value.spec
                and (always or self.new_type(start, value.spec))
                and (origin, value.spec) not in self._labelled
            ):
                self._labelled.add((origin, value.spec))
                label = value.spec
            self.picture.edges.append(Edge(origin, node.id, "data", label))
            self._incoming.setdefault(node.id, set()).add(start.spec)

    def new_type(self, node: Node, spec: str) -> bool:
        """Whether a node gives another type than it takes."""
        if node.kind != "op":
            return node.kind in ("arg", "capture")
        return spec not in self._incoming.get(node.id, ())

    def lines(self, op: Any) -> tuple[int, ...]:
        """The lines of the file that led to an operation, innermost first.

        One for each function of the user's, and the first line of its statement where that is another one; of a
        gradient also those of the operation whose gradient it is.
        """
        found: list[int] = []
        seen: set[int] = set()
        current = op
        while current is not None and id(current) not in seen:
            seen.add(id(current))
            found += own_lines(self.places, self.source, current.position)
            current = current.graph.gradient_of.get(current.name)
        return tuple(dict.fromkeys(found))

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
        current = self.nodes[node_id].cluster
        while current is not None:
            if current == cluster:
                return True
            current = self._parents[current]
        return False
