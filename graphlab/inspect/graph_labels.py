"""What a graph's nodes, frames and the graph as a whole are called, in words of a language."""

from __future__ import annotations

from graphlab.inspect.graph_model import GRADIENT, Cluster, Node, Picture
from graphlab.messages import Message, direction, message, render, word
from graphlab.messages.message import enumeration, plain


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


def cluster_size(cluster: Cluster, lang: str) -> str:
    """How much a frame holds: `12 ops`."""
    return isolated(plain(render(message("graph.node.collapsed", n=cluster.count), lang)), lang)


def cluster_aria(cluster: Cluster, lang: str) -> str:
    """A frame's name for who does not see it."""
    label = cluster_label(cluster, lang)
    return plain(render(message("graph.aria.body", name=label, n=cluster.count), lang))


def node_title(node: Node, lang: str) -> str:
    """The first drawn line of a node."""
    if node.next:
        return isolated(plain(render(message("graph.node.next", name=node.title), lang)), lang)
    if node.kind == "result" and not node.backward:
        return plain(render(message("graph.node.return", name=node.title), lang)).strip()
    return node.title


def pick(node: Node) -> Message:
    """What a node is, in a sentence."""
    title = node.title if node.kind != "op" else node.op or node.title
    spec = node.spec or ""
    if node.next:
        return message("graph.pick.next", name=node.title)
    if node.backward and node.kind in ("arg", "result"):
        return message(f"graph.pick.{node.kind}.gradient", name=node.title.removeprefix("∂ "), spec=spec)
    if node.kind != "op":
        return message(f"graph.pick.{node.kind}", name=node.title or node.name, spec=spec)
    if node.backward and node.label and node.label.startswith("∂ ") and node.line is not None:
        return message("graph.pick.gradient", op=title, name=node.label[2:], line=node.line, spec=spec)
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


def node_aria(node: Node, lang: str) -> str:
    """A node's name for who does not see it."""
    kind = "next" if node.next else node.kind
    what = plain(render(message(f"graph.aria.{kind}", name=node.title), lang))
    label = node.label
    if node.kind == "op" and label:
        what = f"{node_title(node, lang)}, {label}"
    if node.line is None:
        return what
    return plain(render(message("graph.aria.line", what=what, line=node.line), lang))


def shape_of(picture: Picture) -> Message:
    """What the graph is like, in half a sentence."""
    kinds = {cluster.id: cluster.kind for cluster in picture.clusters if cluster.parts != (GRADIENT,)}
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
    if not loops or not branches:
        return message(
            "graph.shape.only",
            what=message("count.loops", n=loops) if loops else message("count.branches", n=branches),
        )
    return message(
        "graph.shape.several", loops=message("count.loops", n=loops), branches=message("count.branches", n=branches)
    )


def graph_aria(name: str, picture: Picture, lang: str) -> str:
    """The graph's name for who does not see it: what it is made of."""
    counts = [
        ("count.arguments", sum(node.kind == "arg" for node in picture.nodes)),
        ("count.loops", sum(cluster.kind == "loop" for cluster in picture.clusters)),
        ("count.branches", sum(cluster.kind == "cond" for cluster in picture.clusters)),
        ("count.results", sum(node.kind == "result" for node in picture.nodes)),
    ]
    parts = [render(message(id_, n=count), lang) for id_, count in counts if count]
    return plain(render(message("graph.aria", f=name, parts=enumeration(parts, lang)), lang))
