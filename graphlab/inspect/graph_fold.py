"""What is drawn of a graph's data: one of its parts, with the bodies that are closed as one node each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from graphlab.inspect.graph_model import BOTH, GRADIENT, RUNS, TRACED

Json = dict[str, Any]

OPENED: Final = 60
"""Nodes up to which bodies are open at first."""

PARTS: Final = (TRACED, RUNS, GRADIENT)
EXTRA: Final = frozenset(("control", "effect"))


def parts_of(item: Mapping[str, Any]) -> Sequence[str]:
    """The parts that a node, an edge or a frame is in."""
    found: Sequence[str] = item.get("in", BOTH)
    return found


def frame_of(item: Mapping[str, Any], part: str, key: str = "cluster") -> str | None:
    """The frame around a node (or, with key `parent`, around a frame) in one part."""
    found: str | None = item["runs_in"] if part == RUNS and "runs_in" in item else item[key]
    return found


def opened(nodes: Sequence[Mapping[str, Any]], clusters: Sequence[Mapping[str, Any]], most: int = OPENED) -> set[str]:
    """The frames that are open at first: all in a small picture, else from the outside in as far as there is room."""
    inside: dict[str | None, int] = {}
    for node in nodes:
        if node["kind"] != "const":
            inside[node["cluster"]] = inside.get(node["cluster"], 0) + 1
    children: dict[str | None, list[Mapping[str, Any]]] = {}
    for cluster in clusters:
        children.setdefault(cluster["parent"], []).append(cluster)

    def own(cluster: Mapping[str, Any]) -> int:
        """Nodes that appear when a frame is opened; branches open with their condition."""
        found = inside.get(cluster["id"], 0)
        for child in children.get(cluster["id"], []):
            found += own(child) if child["kind"] == "branch" else 1
        return found

    found: set[str] = set()
    shown = inside.get(None, 0) + len(children.get(None, []))
    level = list(children.get(None, []))
    while level:
        below: list[Mapping[str, Any]] = []
        for cluster in level:
            more = own(cluster) - 1
            if cluster["kind"] != "branch" and shown + more > most:
                continue
            if cluster["kind"] != "branch":
                shown += more
            found.add(cluster["id"])
            below += children.get(cluster["id"], [])
        level = below
    return found


def shown(
    graph: Mapping[str, Any],
    part: str = TRACED,
    *,
    closed: Collection[str] | None = None,
    constants: bool = False,
    control: bool = False,
    removed: bool = False,
) -> Json:
    """The nodes, edges and frames that a drawing holds.

    Args:
        graph: A panel's `graph`.
        part: `traced`, `runs` or `gradient`.
        closed: Ids of the frames drawn as one node; by default those that are closed at first.
        constants: Draw constants as nodes.
        control: Draw the order of effects.
        removed: Draw what the optimiser took out as well.

    Returns:
        `nodes`, `edges` and `clusters` as in the panel's data, every frame around them resolved.
    """
    nodes = [
        {**node, "cluster": frame_of(node, part)}
        for node in graph["nodes"]
        if part in parts_of(node)
        and (constants or node["kind"] != "const")
        and (removed or part != TRACED or not node.get("unneeded"))
    ]
    clusters = [
        {**cluster, "parent": frame_of(cluster, part, "parent")}
        for cluster in graph["clusters"]
        if part in parts_of(cluster)
    ]
    if closed is None:
        closed = {cluster["id"] for cluster in clusters if not cluster["open"]}
    ids = {node["id"] for node in nodes}
    edges = [
        edge
        for edge in graph["edges"]
        if part in parts_of(edge)
        and edge["from"] in ids
        and edge["to"] in ids
        and (control or edge["kind"] not in EXTRA)
    ]
    return fold(nodes, edges, clusters, closed)


def fold(
    nodes: Sequence[Json], edges: Sequence[Json], clusters: Sequence[Json], closed: Collection[str]
) -> dict[str, list[Json]]:
    """A picture with some frames as one node each; what they hold goes with them."""
    frames = {cluster["id"]: cluster for cluster in clusters}
    inside: dict[str, str | None] = {}

    def outermost(id_: str | None) -> str | None:
        """The outermost closed frame around a frame, itself included."""
        if id_ is None or id_ not in frames:
            return None
        if id_ not in inside:
            inside[id_] = outermost(frames[id_]["parent"]) or (id_ if id_ in closed else None)
        return inside[id_]

    names: dict[str, str] = {}  # of the nodes inside closed frames
    kept: list[Json] = []
    drawn: set[str] = set()
    for node in nodes:
        body = outermost(node["cluster"])
        if body is None:
            kept.append(node)
            continue
        names[node["id"]] = body
        if body not in drawn:
            drawn.add(body)
            kept.append(body_node(frames[body]))
    lines: list[Json] = []
    known: set[tuple[str, str, str]] = set()
    for edge in edges:
        source, target = str(edge["from"]), str(edge["to"])
        source, target = names.get(source, source), names.get(target, target)
        if source == target:
            continue
        moved = (source, target) != (edge["from"], edge["to"])
        key = source, target, str(edge["kind"])
        if moved and key in known:
            continue
        known.add(key)
        lines.append({**edge, "from": source, "to": target} if moved else edge)
    around = {node["cluster"] for node in kept}
    while True:  # frames that hold something, themselves or in a frame inside
        more = {frames[id_]["parent"] for id_ in around if id_ in frames} - around
        if not more:
            break
        around |= more
    return {"nodes": kept, "edges": lines, "clusters": [c for c in clusters if c["id"] in around]}


def body_node(cluster: Mapping[str, Any]) -> Json:
    """The node that stands for a closed frame."""
    return {
        "id": cluster["id"],
        "op": None,
        "name": "",
        "title": cluster["label"],
        "label": cluster["size"],
        "kind": "body",
        "line": cluster["line"],
        "cluster": cluster["parent"],
        "spec": None,
        "text": cluster["text"],
        "aria": cluster["aria"],
    }
