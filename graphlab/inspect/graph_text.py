"""A graph as text: a statement a line, bodies indented, types and lines in columns."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from graphlab.inspect.graph_labels import node_title
from graphlab.inspect.graph_model import Cluster, Node, Picture, Value
from graphlab.messages import message, render, word
from graphlab.messages.message import plain

MAX_DEPTH: Final = 12
"""Operations one inside another in a statement; a longer chain from one line is several statements."""


def graph_text(picture: Picture, lang: str) -> str:
    """The graph as text: a statement a line, bodies indented, types and lines in columns."""
    return _TextWriter(picture, lang).write()


class _TextWriter:
    def __init__(self, picture: Picture, lang: str) -> None:
        self.picture, self.lang = picture, lang
        self.rows: list[tuple[str, str, str]] = []
        self.by_id = {node.id: node for node in picture.nodes}
        self.order = {node.id: index for index, node in enumerate(picture.nodes)}
        self.uses: dict[str, list[str]] = {}
        self.inputs: dict[str, list[str]] = {}
        for edge in picture.edges:
            if edge.kind in ("data", "predicate"):
                self.uses.setdefault(edge.source, []).append(edge.target)
            if edge.kind == "data":
                self.inputs.setdefault(edge.target, []).append(edge.source)
        self.names: dict[str, str] = {}
        self.taken: set[str] = set()
        self.numbers: Counter[str] = Counter()
        for node in picture.nodes:
            if node.kind != "op":
                self.names[node.id] = node.title
                self.taken.add(node.title)
        self.children: dict[str | None, list[Cluster]] = {}
        for child in picture.clusters:
            self.children.setdefault(child.parent, []).append(child)
        self.members: dict[str | None, list[Node]] = {}
        for node in picture.nodes:
            self.members.setdefault(node.cluster, []).append(node)
        self.firsts: dict[str, int] = {}
        self.within = self._within()

    def _within(self) -> set[str]:
        """The nodes that are written inside their one user: they have no name, and both stand in one line and body."""
        found: set[str] = set()
        depth: dict[str, int] = {}
        for node in self.picture.nodes:
            inner = [depth.get(id_, 0) for id_ in self.inputs.get(node.id, []) if id_ in found]
            depth[node.id] = 1 + max(inner, default=0)
            users = self.uses.get(node.id, [])
            if len(users) != 1 or self.given_name(node) or depth[node.id] >= MAX_DEPTH:
                continue
            user = self.by_id[users[0]]
            if user.kind == "op" and user.cluster == node.cluster and user.line == node.line and not user.count:
                found.add(node.id)
        return found

    def line(self, number: int | None) -> str:
        return "" if number is None else plain(render(message("graph.text.line", line=number), self.lang))

    def write(self) -> str:
        rows = self.rows
        for kind, id_ in (("arg", "graph.text.arguments"), ("capture", "graph.text.captures")):
            found = [f"{node.title}: {node.spec}" for node in self.picture.nodes if node.kind == kind]
            if found:
                rows.append((f"{word(id_, self.lang)}   {'   '.join(found)}", "", ""))
        self.body(None, "")
        for node in self.picture.nodes:
            if node.kind == "result":
                sources = list(dict.fromkeys(self.inputs.get(node.id, [])))
                value = node.title or (self.reference(sources[0]) if len(sources) == 1 else ", ".join(node.inputs))
                rows.append(
                    (f"{word('graph.text.result', self.lang)}   {value}: {node.spec}", "", self.line(node.line))
                )
        first = max((len(text) for text, spec, line in rows if spec or line), default=0)
        second = max((len(spec) for _, spec, _ in rows), default=0)
        return "\n".join(f"{text:<{first}}  {spec:<{second}}  {line}".rstrip() for text, spec, line in rows)

    def items(self, cluster: str | None) -> list[Node | Cluster]:
        """Nodes and child clusters in the order in which they were made."""
        found: list[tuple[int, Node | Cluster]] = []
        found += [(self.order[n.id], n) for n in self.members.get(cluster, []) if n.kind == "op"]
        found += [(self.first(child.id), child) for child in self.children.get(cluster, [])]
        return [item for _, item in sorted(found, key=lambda pair: pair[0])]

    def first(self, cluster: str) -> int:
        found = self.firsts.get(cluster)
        if found is None:
            own = [self.order[node.id] for node in self.members.get(cluster, [])]
            inner = [self.first(child.id) for child in self.children.get(cluster, [])]
            found = self.firsts[cluster] = min([*own, *inner], default=10**9)
        return found

    def body(self, cluster: str | None, indent: str) -> None:
        for item in self.items(cluster):
            if isinstance(item, Cluster):
                self.cluster(item, indent)
            elif not self.inlined(item):
                name = self.name(item)
                text = self.expression(item)
                used = self.named(item)
                self.rows.append(
                    (f"{indent}{name} = {text}" if used else f"{indent}{text}", item.spec or "", self.line(item.line))
                )

    def cluster(self, cluster: Cluster, indent: str) -> None:
        if cluster.kind == "cond":
            test = self.operand(cluster.test) if cluster.test is not None else "…"
            self.rows.append((f"{indent}{word('graph.cluster.if', self.lang)} {test}", "", self.line(cluster.line)))
            branches = self.children.get(cluster.id, [])
            for index, child in enumerate(branches):
                last = index == len(branches) - 1
                label = (
                    word("graph.text.true", self.lang)
                    if child.what == "graph.cluster.true"
                    else word("graph.text.else", self.lang)
                    if child.what == "graph.cluster.else"
                    else plain(render(message("graph.cluster.case", n=int(child.text or 0)), self.lang)) + ":"
                )
                lead = "└─ " if last else "├─ "
                start = len(self.rows)
                self.body(child.id, "")
                inner, self.rows[start:] = self.rows[start:], []
                for position, (text, spec, line) in enumerate(inner):
                    head = (
                        f"{indent}{lead}{label}  "
                        if position == 0
                        else indent + ("   " if last else "│  ") + " " * (len(label) + 2)
                    )
                    self.rows.append((head + text, spec, line))
                if not inner:
                    self.rows.append((f"{indent}{lead}{label}  …", "", self.line(child.line)))
            return
        label = cluster.text or word(cluster.what, self.lang)
        if cluster.what == "graph.cluster.case":
            label = plain(render(message(cluster.what, n=int(cluster.text or 0)), self.lang))
        if cluster.kind == "call":
            label = plain(render(message("graph.cluster.call", name=cluster.text or ""), self.lang))
        self.rows.append((f"{indent}{label}", "", self.line(cluster.line)))
        self.body(cluster.id, indent + "│  ")
        for node in self.members.get(cluster.id, []):
            if node.next:
                value = ", ".join(dict.fromkeys(node.inputs))
                sources = self.inputs.get(node.id, [])
                if len(sources) == 1:
                    value = self.reference(sources[0])
                if value and value != node.title and len(sources) <= 1:
                    text = plain(render(message("graph.node.next", name=node.title), self.lang))
                    self.rows.append((f"{indent}│  {text} = {value}", "", ""))

    def inlined(self, node: Node) -> bool:
        """Whether a node is written inside its one user."""
        return node.id in self.within

    def named(self, node: Node) -> bool:
        """Whether something refers to a node by name: an operation, a test, or the one value of the next iteration."""
        for id_ in self.uses.get(node.id, []):
            user = self.by_id[id_]
            if user.kind == "op" or (user.next and len(self.inputs.get(id_, [])) == 1):
                return True
        return self.given_name(node) is not None

    def given_name(self, node: Node) -> str | None:
        label = (node.label or "").split(" · ")[0]
        return label if label.isidentifier() and not node.count and node.op != "Identity" else None

    def name(self, node: Node) -> str:
        found = self.names.get(node.id)
        if found is None:
            base = self.given_name(node) or _snake(node.op or node.title)
            found = base
            if not self.given_name(node):
                while found in self.taken:
                    self.numbers[base] += 1  # kept: thousands of nodes of one kind are not counted anew each time
                    found = f"{base}_{self.numbers[base] + 1}"
            self.taken.add(found)
            self.names[node.id] = found
        return found

    def reference(self, id_: str) -> str:
        node = self.by_id[id_]
        return self.expression(node) if node.kind == "op" and self.inlined(node) else self.name(node)

    def expression(self, node: Node) -> str:
        """An operation applied to what it takes, in order; a seed or an axis is told by name."""
        named = [text for text in node.constants if " " in text]
        seeds = [text for text in named if text.startswith("seed ")]
        arguments = []
        for value in node.operands:
            text = self.operand(value)
            if not any(re.search(rf"\b{re.escape(text)}\b", seed) for seed in seeds):
                arguments.append(text)
        return f"{node_title(node, self.lang)}({', '.join([*arguments, *named])})"

    def operand(self, value: Value) -> str:
        """A value: a reference to its node, or the user's name of what a branch decides, or a constant."""
        here = [id_ for id_ in value.nodes if id_ in self.by_id]
        if len(value.nodes) == 1 and here:
            return self.reference(here[0])
        return value.text or ", ".join(self.name(self.by_id[id_]) for id_ in here) or "…"


def _snake(name: str) -> str:
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.removesuffix("V2").removesuffix("V3")).lower()
    text = re.sub(r"\W+", "_", text).strip("_")
    return text or "value"
