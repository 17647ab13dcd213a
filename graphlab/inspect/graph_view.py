"""The graph view: the picture's nodes, edges and clusters in words of a language, its DOT, and its text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from graphlab.inspect.graph_model import Cluster, Node, Picture, Value
from graphlab.messages import Message, direction, message, render, word
from graphlab.messages import data as message_data
from graphlab.messages.message import plain

Json = dict[str, Any]

MAX_NODES: Final = 400
"""Nodes that a panel holds; a larger picture is left to `%tf_graph`'s text."""

_FONT: Final = "Courier"  # whose metrics every Graphviz has; the page's style sets the font that is seen
_CHARACTER: Final = 7.3  # px of one character at 12 px, in the fonts named above


def isolated(text: str, lang: str) -> str:
    """A drawn label in its own direction: SVG text does not take it from the page."""
    return f"\u2067{text}\u2069" if direction(lang) == "rtl" else text


def cluster_label(cluster: Cluster, lang: str) -> str:
    """`for i in tf.range(steps) · line 6`."""
    if cluster.what == "graph.cluster.case":
        what = plain(render(message(cluster.what, n=int(cluster.text or 0)), lang))
    elif cluster.what == "graph.cluster.call":
        what = plain(render(message(cluster.what, name=cluster.text or ""), lang))
    elif cluster.text:
        what = f"\u2066{cluster.text}\u2069" if direction(lang) == "rtl" else cluster.text
    else:
        what = word(cluster.what, lang)
    if cluster.line is None:
        return isolated(what, lang)
    return isolated(plain(render(message("graph.cluster", what=what, line=cluster.line), lang)), lang)


def node_title(node: Node, lang: str) -> str:
    """The first drawn line of a node."""
    if node.next:
        return isolated(plain(render(message("graph.node.next", name=node.title), lang)), lang)
    if node.kind == "result":
        return plain(render(message("graph.node.return", name=node.title), lang)).strip()
    if node.title in ("graph.cluster.loop", "graph.cluster.if"):
        return isolated(word(node.title, lang), lang)
    return node.title


def node_label(node: Node, lang: str) -> str | None:
    """The second drawn line of a node."""
    if node.count:
        return isolated(plain(render(message("graph.node.collapsed", n=node.count), lang)), lang)
    return node.label


def _pick(node: Node, lang: str) -> Message:
    title = node.title if node.kind != "op" else node.op or node.title
    spec = node.spec or ""
    if node.count:
        return message("graph.pick.collapsed", name=node_title(node, lang), n=node.count)
    if node.next:
        return message("graph.pick.next", name=node.title)
    if node.kind != "op":
        return message(f"graph.pick.{node.kind}", name=node.title or node.name, spec=spec)
    inputs = list(dict.fromkeys(node.inputs))[:6]
    if node.line is None:
        return (
            message("graph.pick.nowhere", op=title, inputs=inputs, spec=spec)
            if inputs
            else message("graph.pick.bare", op=title, spec=spec)
        )
    if not node.spec:
        if inputs:
            return message("graph.pick.no_output", op=title, line=node.line, inputs=inputs)
        return message("graph.pick.effect_only", op=title, line=node.line)
    if not inputs:
        return message("graph.pick.no_inputs", op=title, line=node.line, spec=spec)
    return message("graph.pick", op=title, line=node.line, inputs=inputs, spec=spec)


def _aria(node: Node, lang: str) -> str:
    kind = "next" if node.next else node.kind
    what = plain(render(message(f"graph.aria.{kind}", name=node.title), lang))
    label = node_label(node, lang)
    if node.kind == "op" and label:
        what = f"{node_title(node, lang)}, {label}"
    if node.line is None:
        return what
    return plain(render(message("graph.aria.line", what=what, line=node.line), lang))


def shape_of(picture: Picture) -> Message:
    """What the graph is like, in half a sentence."""
    kinds = {cluster.id: cluster.kind for cluster in picture.clusters}
    loops = sum(kind == "loop" for kind in kinds.values())
    branches = sum(kind == "cond" for kind in kinds.values())
    parents = {cluster.id: cluster.parent for cluster in picture.clusters}

    def within(id_: str, kind: str) -> bool:
        parent = parents[id_]
        while parent is not None:
            if kinds[parent] == kind:
                return True
            parent = parents[parent]
        return False

    if not loops and not branches:
        calls = sum(kind == "call" for kind in kinds.values())
        return message("graph.shape.calls", n=calls) if calls else message("graph.shape.straight")
    if (loops, branches) == (1, 0):
        return message("graph.shape.loop")
    if (loops, branches) == (0, 1):
        return message("graph.shape.branch")
    if (loops, branches) == (1, 1):
        if any(kind == "cond" and within(id_, "loop") for id_, kind in kinds.items()):
            return message("graph.shape.loop_with_branch")
        if any(kind == "loop" and within(id_, "cond") for id_, kind in kinds.items()):
            return message("graph.shape.branch_with_loop")
    if (loops, branches) == (2, 0) and any(kind == "loop" and within(id_, "loop") for id_, kind in kinds.items()):
        return message("graph.shape.nested_loops")
    return message(
        "graph.shape.several", loops=message("count.loops", n=loops), branches=message("count.branches", n=branches)
    )


def _aria_of(name: str, picture: Picture, lang: str) -> str:
    from graphlab.messages.message import enumeration

    counts = [
        ("count.arguments", sum(node.kind == "arg" for node in picture.nodes)),
        ("count.loops", sum(cluster.kind == "loop" for cluster in picture.clusters)),
        ("count.branches", sum(cluster.kind == "cond" for cluster in picture.clusters)),
        ("count.results", sum(node.kind == "result" for node in picture.nodes)),
    ]
    parts = [render(message(id_, n=count), lang) for id_, count in counts if count]
    return plain(render(message("graph.aria", f=name, parts=enumeration(parts, lang)), lang))


def graph_data(name: str, picture: Picture, trace: int | None, lang: str) -> Json:
    """The graph view as the panel holds it.

    Args:
        name: The function's name.
        picture: What `graph_model.picture` made.
        trace: The number of the trace whose graph it is.
        lang: The language of labels and sentences.
    """
    lede = message("graph.lede", shape=shape_of(picture), n=picture.operations)
    nodes = [
        {
            "id": node.id,
            "op": node.op if node.kind == "op" else None,
            "name": node.name,
            "title": node_title(node, lang),
            "label": node_label(node, lang),
            "kind": node.kind,
            "line": node.line,
            "cluster": node.cluster,
            "spec": node.spec,
            "text": message_data(_pick(node, lang), lang),
            "aria": _aria(node, lang),
        }
        for node in picture.nodes[:MAX_NODES]
    ]
    kept = {node["id"] for node in nodes}
    edges = [
        {"from": edge.source, "to": edge.target, "kind": edge.kind, "label": edge.label}
        for edge in picture.edges
        if edge.source in kept and edge.target in kept
    ]
    clusters = [
        {"id": c.id, "parent": c.parent, "kind": c.kind, "label": cluster_label(c, lang), "line": c.line}
        for c in picture.clusters
    ]
    return {
        "lede": message_data(lede, lang),
        "aria": _aria_of(name, picture, lang),
        "trace": trace,
        "ops": picture.operations,
        "nodes": nodes,
        "edges": edges,
        "clusters": clusters,
        "collapsed": picture.collapsed,
        "dot": dot(name, nodes, edges, clusters),
        "dot_control": dot_control(edges),
        "text": graph_text(picture, lang),
    }


# ------------------------------------------------------------------------------------------------------------------ DOT


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def _dot_node(node: Mapping[str, Any], indent: str) -> str:
    lines = [node["title"], *([node["label"]] if node["label"] else [])]
    label = '"' + "\\n".join(_quote(line)[1:-1] for line in lines) + '"'
    # Layout and browser measure text with different fonts, so the width is given.
    width = max(0.75, max(map(len, lines)) * _CHARACTER / 72 + 0.22)
    shape = "box style=rounded" if node["kind"] == "op" else "ellipse"
    if shape == "ellipse":
        width = max(0.75, width * 1.12)
    height = (0.49, 0.34) if node["kind"] == "op" else (0.58, 0.41)
    classes = f"node {node['kind']}" + (f" ln{node['line']}" if node["line"] else "")
    return (
        f'{indent}{node["id"]} [id={node["id"]} class="{classes}" label={label} shape={shape} '
        f"width={width:.2f} height={height[len(lines) == 1]:.2f} fixedsize=true];\n"
    )


def dot(
    name: str,
    nodes: Sequence[Mapping[str, Any]],
    edges: Sequence[Mapping[str, Any]],
    clusters: Sequence[Mapping[str, Any]],
) -> str:
    """The DOT text of a picture, without control edges."""
    by_cluster: dict[str | None, list[Mapping[str, Any]]] = {}
    for node in nodes:
        by_cluster.setdefault(node["cluster"], []).append(node)
    children: dict[str | None, list[Mapping[str, Any]]] = {}
    for cluster in clusters:
        children.setdefault(cluster["parent"], []).append(cluster)

    def body(parent: str | None, indent: str) -> str:
        parts = [_dot_node(node, indent) for node in by_cluster.get(parent, [])]
        for cluster in children.get(parent, []):
            inside = body(cluster["id"], indent + "  ")
            if not inside:
                continue
            classes = f"cluster {cluster['kind']}" + (f" ln{cluster['line']}" if cluster["line"] else "")
            parts += [
                f"{indent}subgraph cluster_{cluster['id']} {{\n",
                f'{indent}  id={cluster["id"]}; class="{classes}"; label={_quote(cluster["label"])}; ',
                "labeljust=l; style=rounded; margin=9;\n",
                inside,
                f"{indent}}}\n",
            ]
        return "".join(parts)

    title = "".join(char if char.isalnum() and char.isascii() else "_" for char in name)
    arguments = [node["id"] for node in nodes if node["kind"] in ("arg", "capture")]
    parts = [
        f"digraph graph_of_{title} {{\n  rankdir=TB; nodesep=0.22; ranksep=0.28; fontname=Helvetica; fontsize=12;\n",
        f"  node [fontname={_FONT} fontsize=12];\n  edge [fontname={_FONT} fontsize=11 arrowsize=0.55];\n",
    ]
    if len(arguments) > 1:
        parts.append(f"  {{rank=same; {'; '.join(arguments)};}}\n")
    parts.append(body(None, "  "))
    parts += [_dot_edge(edge) for edge in edges if edge["kind"] not in ("control", "effect")]
    return "".join([*parts, "}\n"])


_STYLES: Final = {
    "predicate": " style=dotted",
    "back": " style=dashed constraint=false",
    "control": " arrowhead=open",
    "effect": " arrowhead=open",
}


def _dot_edge(edge: Mapping[str, Any]) -> str:
    label = f" label={_quote(' ' + edge['label'])}" if edge["label"] else ""
    return f'  {edge["from"]} -> {edge["to"]} [class="edge {edge["kind"]}"{label}{_STYLES.get(edge["kind"], "")}];\n'


def dot_control(edges: Sequence[Mapping[str, Any]]) -> str:
    """The control edges as lines to insert before the last brace."""
    return "".join(_dot_edge(edge) for edge in edges if edge["kind"] in ("control", "effect"))


# ----------------------------------------------------------------------------------------------------------------- text


def graph_text(picture: Picture, lang: str) -> str:
    """The graph as text: a statement a line, bodies indented, types and lines in columns."""
    return _TextWriter(picture, lang).write()


class _TextWriter:
    def __init__(self, picture: Picture, lang: str) -> None:
        self.picture, self.lang = picture, lang
        self.rows: list[tuple[str, str, str]] = []
        self.by_id = {node.id: node for node in picture.nodes}
        self.uses: dict[str, list[str]] = {}
        self.inputs: dict[str, list[str]] = {}
        for edge in picture.edges:
            if edge.kind in ("data", "predicate"):
                self.uses.setdefault(edge.source, []).append(edge.target)
            if edge.kind == "data":
                self.inputs.setdefault(edge.target, []).append(edge.source)
        self.names: dict[str, str] = {}
        self.taken: set[str] = set()
        for node in picture.nodes:
            if node.kind != "op":
                self.names[node.id] = node.title
                self.taken.add(node.title)

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
        found += [(int(n.id[1:]), n) for n in self.picture.nodes if n.cluster == cluster and n.kind == "op"]
        found += [(self.first(child.id), child) for child in self.picture.clusters if child.parent == cluster]
        return [item for _, item in sorted(found, key=lambda pair: pair[0])]

    def first(self, cluster: str) -> int:
        own = [int(node.id[1:]) for node in self.picture.nodes if node.cluster == cluster]
        inner = [self.first(child.id) for child in self.picture.clusters if child.parent == cluster]
        return min([*own, *inner], default=10**9)

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
            branches = [child for child in self.picture.clusters if child.parent == cluster.id]
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
        if cluster.kind == "call":
            label = plain(render(message("graph.cluster.call", name=cluster.text or ""), self.lang))
        self.rows.append((f"{indent}{label}", "", self.line(cluster.line)))
        self.body(cluster.id, indent + "│  ")
        for node in self.picture.nodes:
            if node.cluster == cluster.id and node.next:
                value = ", ".join(dict.fromkeys(node.inputs))
                sources = self.inputs.get(node.id, [])
                if len(sources) == 1:
                    value = self.reference(sources[0])
                if value and value != node.title and len(sources) <= 1:
                    text = plain(render(message("graph.node.next", name=node.title), self.lang))
                    self.rows.append((f"{indent}│  {text} = {value}", "", ""))

    def inlined(self, node: Node) -> bool:
        """Whether a node is written inside its one user: it has no name, and both stand in the same line and body."""
        users = self.uses.get(node.id, [])
        if len(users) != 1 or self.given_name(node):
            return False
        user = self.by_id[users[0]]
        return user.kind == "op" and user.cluster == node.cluster and user.line == node.line and not user.count

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
            found, count = base, 1
            if not self.given_name(node):
                while found in self.taken:
                    count += 1
                    found = f"{base}_{count}"
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
        if len(value.nodes) == 1:
            return self.reference(value.nodes[0])
        return value.text or ", ".join(self.name(self.by_id[id_]) for id_ in value.nodes)


def _snake(name: str) -> str:
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.removesuffix("V2").removesuffix("V3")).lower()
    text = re.sub(r"\W+", "_", text).strip("_")
    return text or "value"
