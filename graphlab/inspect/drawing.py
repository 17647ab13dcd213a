"""A graph's DOT drawn as SVG for output without script: by `graphviz-pure` or a system `dot`, else not at all."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import Any, Final
from xml.etree import ElementTree

from graphlab.inspect.graph_dot import dot
from graphlab.inspect.graph_fold import shown
from graphlab.inspect.parts import prose

_TIMEOUT: Final = 20
MAX_DRAWN: Final = 150
"""Nodes up to which a static drawing is made; a larger one takes a second or more and cannot be read."""


def program() -> str | None:
    """The program that lays graphs out: graphviz-pure's, the same on every platform, else the system's `dot`."""
    import sysconfig
    from pathlib import Path

    scripts = sysconfig.get_path("scripts")
    local = Path(scripts) / "graphviz-pure" if scripts else None
    if local is not None and local.exists():
        return str(local)
    return shutil.which("graphviz-pure") or shutil.which("dot")


def svg(graph: dict[str, Any], part: str | None = None, *, most: int = MAX_DRAWN, changes: bool = False) -> str | None:
    """The drawing of a panel's `graph`, or None where nothing can draw it.

    Colours come by class from the page's style; without one the shapes keep Graphviz's black on white.

    Args:
        graph: The data.
        part: The part to draw; by default the one that is shown first.
        most: Nodes up to which it is drawn.
        changes: Draw what the optimiser took out too, and mark all that it touched.
    """
    view = shown(graph, part or graph["part"], removed=changes)
    if len(view["nodes"]) > most:
        return None
    drawn = _layout(dot("", view, changes=changes))
    return None if drawn is None else _restyle(drawn, graph | view)


_STYLE: Final = """
text{font-family:ui-monospace,Menlo,Consolas,monospace;fill:#212121}
.cluster>:is(path,polygon){fill:#212121;fill-opacity:.03;stroke:#767676}
.node :is(path,polygon,ellipse){fill:#fff;stroke:#767676}
.node:is(.arg,.result,.capture) ellipse{fill:#e8f1fb;stroke:#0b57a4}
.node.loopvar ellipse{fill:#f5f5f5}
.edge path{stroke:#595959}.edge polygon{fill:#595959}.edge text{fill:#595959}
.edge:is(.predicate,.saved) path{stroke-dasharray:2 3}
.node.removed :is(path,polygon,ellipse){stroke:#b3261e;fill:#fdeceb;stroke-dasharray:5 3}
.node.removed text{fill:#b3261e}
.node:is(.added,.kept,.moved) :is(path,polygon,ellipse){stroke:#1b6632;fill:#e9f4ec;stroke-width:2}
.node:is(.changed,.fused) :is(path,polygon,ellipse){stroke:#7b1fa2;stroke-width:2}
"""
"""The style of a drawing that stands alone, in the panel's light colours."""


def picture(graph: dict[str, Any], view: dict[str, Any], *, changes: bool = False) -> str | None:
    """A drawing with its own style, for a file; None where nothing can draw it.

    Args:
        graph: A panel's `graph`.
        view: What `graph_fold.shown` chose of it.
        changes: Mark what the optimiser did.
    """
    drawn = _layout(dot("", view, changes=changes))
    made = None if drawn is None else _restyle(drawn, graph | view)
    if made is None:
        return None
    head, _, rest = made.partition(">")
    return f"{head}><style>{_STYLE.strip()}</style>{rest}"


@lru_cache(maxsize=64)
def _layout(text: str) -> str | None:
    name = program()
    if name is None:
        return None
    try:
        done = subprocess.run(
            [name, "-Kdot", "-Tsvg"], input=text.encode(), capture_output=True, timeout=_TIMEOUT, check=False
        )  # a program of this environment
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode() if done.returncode == 0 and done.stdout else None


_NS: Final = "{http://www.w3.org/2000/svg}"


def _restyle(text: str, graph: Mapping[str, Any]) -> str | None:
    """Graphviz's SVG for a page: no ids (several panels share it), no colours, labels last, ways back in a gutter."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return None
    top = root.find(f"{_NS}g")
    if top is None:
        return None
    clusters = {c["id"]: c for c in graph["clusters"]}
    back = {(e["from"], e["to"]) for e in graph["edges"] if e["kind"] == "back"}
    places: dict[str, tuple[float, float, float, float]] = {}
    boxes: dict[str, tuple[float, float, float, float]] = {}
    body: list[str] = []
    labels: list[str] = []
    gutters: list[tuple[str, str]] = []
    for group in top.findall(f"{_NS}g"):
        classes = group.get("class", "")
        if classes.startswith("graph"):
            continue
        id_ = group.get("id", "")
        title = (group.findtext(f"{_NS}title") or "").strip()
        if classes.startswith("cluster"):
            boxes[id_] = _bounds(group)
            body.append(_group(classes, _shapes(group)))
            cluster = clusters.get(id_)
            if cluster is not None:
                left, top_y, _, _ = boxes[id_]
                labels.append(
                    _group(
                        classes,
                        _label(left + 9, top_y + 15, cluster["label"]),
                    )
                )
        elif classes.startswith("node"):
            places[id_] = _bounds(group)
            body.append(_group(classes, _shapes(group) + _texts(group)))
        elif classes.startswith("edge"):
            start, _, end = title.partition("->")
            if (start, end) in back:
                gutters.append((start, end))
                continue
            body.append(_group(classes, _shapes(group)))
            texts = _texts(group, 11)
            if texts:
                labels.append(_group(classes, texts))
    left = min([box[0] for box in [*boxes.values(), *places.values()]], default=0.0)
    parents = {n["id"]: n["cluster"] for n in graph["nodes"]}
    for index, (start, end) in enumerate(gutters):
        if start not in places or end not in places:
            continue
        box = boxes.get(parents.get(start) or "")
        edge = (box[0] if box else left) - 10 - 5 * (index % 3)
        left = min(left, edge - 2)
        body.append(_group("edge back", _way_back(places[start], places[end], edge)))
    view = [float(part) for part in (root.get("viewBox") or "0 0 100 100").split()]
    shift = max(0.0, -(left + 4) + 2)
    width, height = view[2] + shift, view[3]
    transform = escape(top.get("transform", ""), quote=True)
    inside = "".join([*body, *labels])
    return (
        f'<svg class="gl-svg" viewBox="{-shift:.0f} 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" '
        f'aria-label="{escape(graph["aria"], quote=True)}" xmlns="http://www.w3.org/2000/svg">'
        f'<g transform="{transform}">{inside}</g></svg>'
    )


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="12">{prose(text)}</text>'


def _group(classes: str, inside: str) -> str:
    return f'<g class="{escape(classes, quote=True)}">{inside}</g>'


def _way_back(start: tuple[float, float, float, float], end: tuple[float, float, float, float], gutter: float) -> str:
    y1, y2 = (start[1] + start[3]) / 2, (end[1] + end[3]) / 2
    x1, x2 = start[0], end[0]
    r = 4.0
    up = -r if y2 < y1 else r
    path = (
        f"M{x1:.1f},{y1:.1f}H{gutter + r:.1f}Q{gutter:.1f},{y1:.1f} {gutter:.1f},{y1 + up:.1f}"
        f"V{y2 - up:.1f}Q{gutter:.1f},{y2:.1f} {gutter + r:.1f},{y2:.1f}H{x2 - 5:.1f}"
    )
    arrow = f"{x2 - 5.5:.1f},{y2 - 2.1:.1f} {x2:.1f},{y2:.1f} {x2 - 5.5:.1f},{y2 + 2.1:.1f}"
    return f'<path fill="none" stroke="black" stroke-dasharray="6,3" d="{path}"/><polygon points="{arrow}"/>'


def _shapes(group: Any) -> str:
    parts = []
    for element in group.iter():
        name = element.tag.removeprefix(_NS)
        if name == "path":
            dash = f' stroke-dasharray="{element.get("stroke-dasharray")}"' if element.get("stroke-dasharray") else ""
            parts.append(f'<path fill="none" stroke="black"{dash} d="{escape(element.get("d", ""), quote=True)}"/>')
        elif name == "ellipse":
            values = " ".join(f'{key}="{escape(element.get(key, ""), quote=True)}"' for key in ("cx", "cy", "rx", "ry"))
            parts.append(f'<ellipse fill="none" stroke="black" {values}/>')
        elif name == "polygon":
            parts.append(f'<polygon points="{escape(element.get("points", ""), quote=True)}"/>')
    return "".join(parts)


def _texts(group: Any, size: int = 12) -> str:
    parts = []
    for element in group.iter(f"{_NS}text"):
        anchor = escape(element.get("text-anchor", "middle"), quote=True)
        x, y = escape(element.get("x", "0"), quote=True), escape(element.get("y", "0"), quote=True)
        parts.append(
            f'<text text-anchor="{anchor}" x="{x}" y="{y}" font-size="{size}">{prose(element.text or "")}</text>'
        )
    return "".join(parts)


_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")


def _bounds(group: Any) -> tuple[float, float, float, float]:
    xs: list[float] = []
    ys: list[float] = []
    for element in group.iter():
        name = element.tag.removeprefix(_NS)
        if name == "ellipse":
            cx, cy, rx, ry = (float(element.get(key, "0")) for key in ("cx", "cy", "rx", "ry"))
            xs += [cx - rx, cx + rx]
            ys += [cy - ry, cy + ry]
        elif name in ("path", "polygon"):
            numbers = [float(part) for part in _NUMBER.findall(element.get("d") or element.get("points") or "")]
            xs += numbers[0::2]
            ys += numbers[1::2]
    return min(xs, default=0.0), min(ys, default=0.0), max(xs, default=0.0), max(ys, default=0.0)
