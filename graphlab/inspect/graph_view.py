"""The graph view as plain data: nodes, edges and frames in words of a language, and what the optimiser did."""

from __future__ import annotations

from typing import Any, Final

from graphlab.inspect import graph_diff, graph_gradient, graph_stopped
from graphlab.inspect.graph_builder import Builder
from graphlab.inspect.graph_fold import fold, opened
from graphlab.inspect.graph_labels import (
    cluster_aria,
    cluster_label,
    cluster_size,
    graph_aria,
    node_aria,
    node_title,
    pick,
    shape_of,
)
from graphlab.inspect.graph_model import BOTH, GRADIENT, RUNS, TRACED, Cluster, Edge, Node, Picture
from graphlab.inspect.graph_rules import MAX_CHANGES, changes_data, changes_text, left
from graphlab.inspect.graph_text import graph_text
from graphlab.messages import data as message_data
from graphlab.messages import message

Json = dict[str, Any]

MAX_NODES: Final = 2000
"""Nodes that a panel holds."""


def whole(graph: Any, filename: str | None, line: int | None, *, gradient: bool = False) -> Picture:
    """A graph's picture with all its parts: as traced, as it runs, and its gradient if one was asked for.

    Args:
        graph: A finished FuncGraph.
        filename: The file whose lines nodes carry.
        line: The line the function's definition starts at.
        gradient: Draw the gradient even if nobody asked for it yet.
    """
    picture, builder = graph_diff.both(graph, filename, line)
    graph_gradient.add(picture, builder, graph, build=gradient)
    return picture


def unfinished(graph: Any, filename: str | None, line: int | None) -> Picture:
    """The picture of a graph whose trace an error stopped: all that was there by then.

    Args:
        graph: A FuncGraph that has no outputs yet.
        filename: The file whose lines nodes carry.
        line: The line the function's definition starts at.
    """
    builder = Builder(filename)
    made = builder.build(graph, line, ends=graph_stopped.ends(builder, graph))
    graph_stopped.half_built(builder, graph, None)
    return made


def graph_data(
    name: str, picture: Picture, trace: int | None, lang: str, *, part: str = TRACED, most: int = MAX_NODES
) -> Json:
    """The graph view as the panel holds it.

    Args:
        name: The function's name.
        picture: What `whole` made, or `graph_builder.picture`.
        trace: The number of the trace whose graph it is.
        lang: The language of labels and sentences.
        part: The part that is shown first, and as text.
        most: Nodes that it holds; of a larger graph some bodies are always closed, or its end is left out.
    """
    nodes = [_node(node, lang) for node in [*picture.nodes, *picture.constants]]
    edges = [_edge(edge) for edge in [*picture.edges, *picture.constant_edges]]
    clusters = [_cluster(cluster, lang) for cluster in picture.clusters]
    there = [key for key in (TRACED, RUNS, GRADIENT) if _has(picture, key)]
    for key in reversed(there):
        for id_ in opened(
            [node for node in nodes if key in node.get("in", BOTH)],
            [cluster for cluster in clusters if key in cluster.get("in", BOTH)],
        ):
            next(c for c in clusters if c["id"] == id_)["open"] = True
    total = len(picture.nodes)
    nodes, edges, clusters = _cut(nodes, edges, clusters, most)
    held = sum(1 for node in nodes if node["kind"] != "const")
    cut = message("graph.cut", shown=held, n=total, f=name) if held < total else None
    changes = changes_data(picture, lang)
    of = picture if part == TRACED and len(there) == 1 else picture.of(part)
    text = graph_text(of, lang)
    return {
        "lede": message_data(message("graph.lede", shape=shape_of(picture), n=picture.operations), lang),
        "left": left(picture, lang),
        "aria": graph_aria(name, picture.of(TRACED), lang),
        "trace": trace,
        "ops": picture.operations,
        "runs": picture.running if picture.running is not None else picture.operations,
        "part": part if part in there else TRACED,
        "parts": there,
        "nodes": nodes,
        "edges": edges,
        "clusters": clusters,
        "changes": changes,
        "cut": message_data(cut, lang) if cut is not None else None,
        "memory": [],
        "text": text,
        "changes_text": changes_text(changes, lang),
    }


def _has(picture: Picture, part: str) -> bool:
    if part == RUNS:
        return bool(picture.changes)
    return part == TRACED or any(GRADIENT in node.parts for node in picture.nodes)


def _parts(item: Node | Edge | Cluster) -> Json:
    found: Json = {} if item.parts == BOTH else {"in": list(item.parts)}
    if isinstance(item, Node | Cluster) and item.moved:
        found["runs_in"] = item.runs_in
    return found


def _node(node: Node, lang: str) -> Json:
    made: Json = {
        "id": node.id,
        "op": node.op if node.kind == "op" else None,
        "name": node.name,
        "title": node_title(node, lang),
        "label": node.label,
        "kind": node.kind,
        "line": node.line,
        "cluster": node.cluster,
        "spec": node.spec,
        "text": message_data(pick(node), lang),
        "aria": node_aria(node, lang),
        **_parts(node),
    }
    if node.lines not in ((), (node.line,)):
        made["lines"] = list(node.lines)
    if node.change:
        made["change"] = node.change
    rules = [number for number in node.rules if number < MAX_CHANGES]
    if rules:
        made["rules"] = rules
    if node.dead:
        made["unneeded"] = True
    if node.backward:
        made["backward"] = True
    return made


def _edge(edge: Edge) -> Json:
    return {"from": edge.source, "to": edge.target, "kind": edge.kind, "label": edge.label, **_parts(edge)}


def _cluster(cluster: Cluster, lang: str) -> Json:
    made: Json = {
        "id": cluster.id,
        "parent": cluster.parent,
        "kind": cluster.kind,
        "label": cluster_label(cluster, lang),
        "line": cluster.line,
        "size": cluster_size(cluster, lang),
        "text": message_data(message("graph.pick.collapsed", name=cluster_label(cluster, lang), n=cluster.count), lang),
        "aria": cluster_aria(cluster, lang),
        "open": False,
        **_parts(cluster),
    }
    rules = [number for number in cluster.rules if number < MAX_CHANGES]
    if rules:
        made["rules"] = rules
    return made


def _cut(nodes: list[Json], edges: list[Json], clusters: list[Json], most: int) -> tuple[list[Json], ...]:
    """No more nodes than a panel holds: bodies that are closed at first stay closed, then the end is left out."""
    if len(nodes) <= most:
        return nodes, edges, clusters
    nodes = [node for node in nodes if node["kind"] != "const"]
    sizes = {cluster["id"]: 0 for cluster in clusters}
    parents = {cluster["id"]: cluster["parent"] for cluster in clusters}
    for node in nodes:
        around = node["cluster"]
        while around is not None:
            sizes[around] += 1
            around = parents[around]
    # As few bodies as it takes, the largest first.
    order = [cluster for cluster in clusters if not cluster["open"] and cluster["kind"] != "branch"]
    order.sort(key=lambda cluster: -sizes[cluster["id"]])
    closed: list[str] = []
    over = len(nodes) - most
    for cluster in order:
        if over <= 0:
            break
        closed.append(cluster["id"])
        over -= sizes[cluster["id"]] - 1
    view = fold(nodes, edges, clusters, closed)
    nodes, edges, clusters = view["nodes"][:most], view["edges"], view["clusters"]
    kept = {node["id"] for node in nodes}
    return nodes, [edge for edge in edges if edge["from"] in kept and edge["to"] in kept], clusters
