"""One picture of a graph as it was traced and as it runs, with what the optimiser did to it and by which rule.

What is the same in both is there once. A node or frame that vanished is in the part `traced` alone, one that the
optimiser made in the part `runs` alone; whatever changed names the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any, Final

from graphlab.compile import chains
from graphlab.compile.passes import optimize
from graphlab.compile.program import Program, materialized
from graphlab.compile.program import bodies as written_bodies
from graphlab.inspect.graph_builder import Builder
from graphlab.inspect.graph_model import (
    RUNS,
    TRACED,
    Change,
    Cluster,
    Node,
    Picture,
    bodies,
    is_operation,
    operations,
)

UNNEEDED: Final = ("pruning", "nothing needs it")
CHAIN: Final = ("chains", "one loop over blocks")


def both(graph: Any, filename: str | None, line: int | None) -> tuple[Picture, Builder]:
    """The picture of a graph before and after the optimiser.

    Args:
        graph: A finished FuncGraph; it is not run, and compiled only as far as the optimiser goes.
        filename: The file whose lines nodes carry.
        line: The line the function's definition starts at.

    Returns:
        The picture, and what drew the traced part of it.
    """
    builder = Builder(filename, dead=True)
    picture = builder.build(graph, line)
    program: Program = graph.executable.program if graph.executable is not None else optimize(graph)
    found = list(_chains(program, graph))
    if program.rewrites or found:
        _Comparison(picture, builder, program, found).run(graph, filename, line)
    return picture, builder


def _chains(program: Program, graph: Any) -> Iterator[list[Any]]:
    """The operations that run together, a block at a time, in a graph and in its bodies."""
    kept = program.needed(program.ops(graph), graph.outputs)
    yield from chains.find(kept, graph.outputs, program.root).values()
    for op in kept:
        for body in written_bodies(op):
            yield from _chains(program, body)


def _operations(graph: Any) -> Iterator[Any]:
    """All operations of a graph and of its bodies."""
    for op in graph.ops:
        yield op
        for _, body in bodies(op):
            yield from _operations(body)


class _Comparison:
    """Puts what runs into the picture of what was traced."""

    def __init__(self, picture: Picture, builder: Builder, program: Program, found: list[list[Any]]) -> None:
        self.picture, self.builder, self.program, self.chains = picture, builder, program, found
        self.changes: dict[tuple[str, str], int] = {}
        self.takers: dict[int, int] = {}  # traced operation → the rule that took it away or changed it
        self.makers: dict[int, int] = {}  # operation of the program → the rule that made it
        self.known: set[int] = set()
        self.nodes: dict[Hashable, Node] = {node.key: node for node in picture.nodes}
        self.clusters: dict[Hashable, Cluster] = {cluster.key: cluster for cluster in picture.clusters}
        self.of_op: dict[int, list[Node]] = {}
        self.by_name = {(node.name, node.op): node for node in picture.nodes}
        for node in picture.nodes:
            kind, origin = node.key[0][:2]  # type: ignore[index]
            if kind == "op":
                self.of_op.setdefault(origin, []).append(node)

    def run(self, graph: Any, filename: str | None, line: int | None) -> None:
        """Compares and marks."""
        self.known = {id(op) for op in _operations(graph)}
        origins: dict[int, Any] = {}
        running = materialized(self.program, origins=origins)

        def origin(op: Any) -> Any:
            return self.traced(origins.get(id(op), op))

        captured = [outer for outer, _ in graph.captures]
        parameters = running.inputs[len(running.inputs) - len(captured) :] if captured else []
        after = Builder(filename, origin=origin, prefix="o")
        self.merge(after.build(running, line, list(zip(captured, parameters, strict=True))))
        self.rules()
        self.unexplained()
        self.picture.running = self.balance(graph, running, origins)

    def traced(self, op: Any) -> Any:
        """The operation of the traced graph that one of the program stands for."""
        while id(op) not in self.known:
            made = self.program.origins.get(id(op))
            if made is None:
                clone = getattr(op.graph, "cloned_from", None)
                made = clone[0]._by_name.get(op.name) if clone else None
            if made is None or made is op:
                break
            op = made
        return op

    # ------------------------------------------------------------------------------------------------------ the same?

    def merge(self, runs: Picture) -> None:
        """Adds what is new in the second picture, and marks what is not in it any more."""
        frames: dict[str | None, str | None] = {None: None}
        seen: set[str] = set()
        for cluster in runs.clusters:
            parent = frames[cluster.parent]
            same = self.clusters.get(cluster.key)
            if same is None:
                frames[cluster.id], cluster.parent, cluster.parts = cluster.id, parent, (RUNS,)
                self.picture.clusters.append(cluster)
            else:
                frames[cluster.id] = same.id
                seen.add(same.id)
                if same.parent != parent:
                    same.moved, same.runs_in = True, parent
        names: dict[str, str] = {}
        for node in [*runs.nodes, *runs.constants]:
            frame = frames[node.cluster]
            same_node = self.nodes.get(node.key) if node.kind != "const" else None
            if same_node is None or same_node.title != node.title:
                names[node.id], node.cluster, node.parts = node.id, frame, (RUNS,)
                if node.kind == "const":
                    continue
                node.change = "added"
                self.lines(node)
                self.picture.nodes.append(node)
                continue
            names[node.id] = same_node.id
            seen.add(same_node.id)
            if same_node.cluster != frame:
                same_node.moved, same_node.runs_in = True, frame
        by_id = {node.id: node for node in self.picture.nodes}
        for node in runs.nodes:
            takes = [replace(v, nodes=tuple(names.get(id_, id_) for id_ in v.nodes)) for v in node.operands]
            if names[node.id] in by_id:
                by_id[names[node.id]].runs_operands = takes
        for node in self.picture.nodes:
            if node.id not in seen and RUNS in node.parts and TRACED in node.parts:
                node.parts = (TRACED,)
                if node.kind != "capture":
                    node.change = "removed"
        for cluster in self.picture.clusters:
            if cluster.id not in seen and cluster.parts != (RUNS,):
                cluster.parts = (TRACED,)
        self.edges(runs, names)
        self.constants(runs, names)

    def lines(self, node: Node) -> None:
        """A new node leads to the lines of what it stands for: those of the calls around it were left behind."""
        kind, origin = node.key[0][:2]  # type: ignore[index]
        like = self.of_op.get(origin, ()) if kind == "op" else ()
        before = next(iter(like), None) or self.by_name.get((node.name, node.op))
        if before is not None:
            node.lines = tuple(dict.fromkeys((*node.lines, *before.lines)))

    def edges(self, runs: Picture, names: dict[str, str]) -> None:
        """Lines that are in one part alone."""
        known = {(edge.source, edge.target, edge.kind): edge for edge in self.picture.edges}
        kept = set()
        for edge in runs.edges:
            source, target = names.get(edge.source), names.get(edge.target)
            if source is None or target is None:
                continue  # a handle that nothing drawn reads
            key = source, target, edge.kind
            kept.add(key)
            if key not in known:
                edge.source, edge.target, edge.parts = source, target, (RUNS,)
                self.picture.edges.append(edge)
        for key, edge in known.items():
            if key not in kept:
                edge.parts = (TRACED,)

    def constants(self, runs: Picture, names: dict[str, str]) -> None:
        """Constants stand beside the node that takes them; one that was computed meanwhile is new."""
        takers = {edge.source: edge.target for edge in self.picture.constant_edges}
        before: dict[tuple[str, str], list[Node]] = {}
        for node in self.picture.constants:
            before.setdefault((takers[node.id], node.title), []).append(node)
        edges = {edge.source: edge for edge in self.picture.constant_edges}
        lines = {node.id: node.lines for node in self.picture.nodes}
        added = []
        kept: set[str] = set()
        for node, edge in zip(runs.constants, runs.constant_edges, strict=True):
            target = names.get(edge.target, edge.target)
            same = before.get((target, node.title))
            if same:
                kept.add(same.pop(0).id)
                continue
            edge.target, edge.parts = target, (RUNS,)
            node.lines = lines.get(target, node.lines)
            added.append((node, edge))
        for node in self.picture.constants:
            if node.id not in kept:
                node.parts = edges[node.id].parts = (TRACED,)
        for node, edge in added:
            self.picture.constants.append(node)
            self.picture.constant_edges.append(edge)

    # ---------------------------------------------------------------------------------------------------------- rules

    def change(self, name: str, rule: str) -> int:
        """The number of a rule in the list of changes."""
        key = name, rule
        if key not in self.changes:
            self.changes[key] = len(self.picture.changes)
            self.picture.changes.append(Change(name, rule))
        return self.changes[key]

    def rules(self) -> None:
        """Gives each rewriting to the nodes it concerns."""
        for rewrite in self.program.rewrites:
            number = self.change(rewrite.name, rewrite.rule)
            change = self.picture.changes[number]
            for op in rewrite.made:
                self.makers.setdefault(id(op), number)
            for op in rewrite.gone:
                self.place(change, op)
                origin = self.traced(op)
                self.takers.setdefault(id(origin), number)
                for node in self.of_op.get(id(origin), ()):
                    if node.change == "removed" or (RUNS in node.parts and self.stands(rewrite, origin)):
                        self.mark(node, number)
                for cluster in self.picture.clusters:
                    if cluster.key[0][1] == id(origin) and cluster.parts == (TRACED,):  # type: ignore[index]
                        cluster.rules.append(number)
            if rewrite.name == "common subexpressions":
                for op in rewrite.made:
                    for node in self.of_op.get(id(self.traced(op)), ()):
                        if node.change is None:
                            node.change = "kept"
                            self.mark(node, number)
        for chain in self.chains:
            number = self.change(*CHAIN)
            change = self.picture.changes[number]
            change.count += len(chain)
            for op in chain:
                self.place(change, op)
                for node in self.of_op.get(id(self.traced(op)), ()):
                    if RUNS in node.parts:
                        node.change = node.change or "fused"
                        self.mark(node, number)

    def stands(self, rewrite: Any, origin: Any) -> bool:
        """Whether an operation was replaced by another one in its place; notes how on its node."""
        here = any(id(op) in self.program.origins and self.traced(op) is origin for op in rewrite.made)
        if here:
            for node in self.of_op.get(id(origin), ()):
                node.change = "moved" if node.moved else "changed"
        return here

    def place(self, change: Change, op: Any) -> None:
        found = self.builder.at(op)
        if found is not None and found.line not in change.lines:
            change.lines.append(found.line)

    def mark(self, node: Node, number: int) -> None:
        if number not in node.rules:
            node.rules.append(number)
            self.picture.changes[number].nodes.append(node.id)

    def unexplained(self) -> None:
        """Nodes that vanished with the frame around them, or because what needed them vanished."""
        frames = {cluster.id: cluster for cluster in self.picture.clusters}
        for node in self.picture.nodes:
            if node.change != "removed" or node.rules:
                continue
            frame = frames.get(node.cluster or "")
            while frame is not None and not frame.rules:
                frame = frames.get(frame.parent or "")
            numbers = frame.rules if frame is not None else [self.change(*UNNEEDED)]
            for number in numbers:
                self.mark(node, number)
                change = self.picture.changes[number]
                if node.line is not None and node.line not in change.lines:
                    change.lines.append(node.line)

    # --------------------------------------------------------------------------------------------------------- counts

    def balance(self, graph: Any, running: Any, origins: dict[int, Any]) -> int:
        """Says of each rule how many operations fewer there are by it, so that the list sums to the difference.

        Returns:
            How many operations run.
        """
        before, after = Counter[int](), Counter[int]()
        traced = list(operations(graph))
        for op in traced:
            before[id(op)] += 1
        made: dict[int, Any] = {}
        for op in operations(running):
            written = origins.get(id(op), op)
            key = id(self.traced(written))
            if op.type != "Const" or after[key] < max(before[key], 1):  # each body that reads a constant holds it
                after[key] += 1
                made.setdefault(key, written)
        for key, fewer in self.gone(graph, traced, before - after):
            self.picture.changes[key].count += fewer
        for key, more in (after - before).items():
            number = self.makers.get(id(made[key]), self.takers.get(key))
            self.picture.changes[self.change(*UNNEEDED) if number is None else number].count -= more
        return after.total()

    def gone(self, graph: Any, traced: list[Any], missing: Counter[int]) -> Iterator[tuple[int, int]]:
        """For each operation that is not there any more the rule by which, and how often.

        One that no rule names went with what holds it, or with the last that needed it: the constant of a product
        that a rule takes away goes with the product.
        """
        holders: dict[int, Any] = {}
        takers: dict[int, Any] = {}
        stack = [graph]
        while stack:
            inner = stack.pop()
            for op in inner.ops:
                takers.update((id(tensor.op), op) for tensor in op.inputs)
                for _, body in bodies(op):
                    holders[id(body)] = op
                    stack.append(body)
        found: dict[int, int | None] = {}
        for op in reversed(traced):
            number = self.takers.get(id(op))
            holder, taker = holders.get(id(op.graph)), takers.get(id(op))
            while taker is not None and not is_operation(taker):
                taker = takers.get(id(taker))
            while number is None and holder is not None:
                number, holder = self.takers.get(id(holder)), holders.get(id(holder.graph))
            if number is None and taker is not None:
                number = found.get(id(taker))
            found[id(op)] = number
        for op in {id(op): op for op in traced}.values():
            if missing[id(op)]:
                number = found[id(op)]
                yield self.change(*UNNEEDED) if number is None else number, missing[id(op)]
