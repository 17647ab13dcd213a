"""A graph's data as DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

_FONT: Final = "Courier"  # whose metrics every Graphviz has; the page's style sets the font that is seen
_CHARACTER: Final = 7.3  # px of one character at 12 px, in the fonts named above

SIGNS: Final = {"removed": "−", "added": "+", "changed": "≠", "moved": "→", "kept": "=", "fused": "≡"}
"""What stands before the title of a node that the optimiser touched: colour is never the only sign."""

_STYLES: Final = {
    "predicate": " style=dotted",
    "saved": " style=dotted",
    "back": " style=dashed constraint=false",
    "control": " arrowhead=open",
    "effect": " arrowhead=open",
}
_LINES: Final = {"removed": " style=dashed", "kept": " penwidth=2", "fused": " penwidth=2"}


def dot(name: str, view: Mapping[str, Sequence[Mapping[str, Any]]], *, changes: bool = False) -> str:
    """The DOT text of a drawing.

    Args:
        name: The function's name.
        view: What `graph_fold.shown` chose: `nodes`, `edges`, `clusters`.
        changes: Mark what the optimiser did.
    """
    by_cluster: dict[str | None, list[Mapping[str, Any]]] = {}
    for node in view["nodes"]:
        by_cluster.setdefault(node["cluster"], []).append(node)
    children: dict[str | None, list[Mapping[str, Any]]] = {}
    for cluster in view["clusters"]:
        children.setdefault(cluster["parent"], []).append(cluster)

    def body(parent: str | None, indent: str) -> str:
        parts = [_node(node, indent, changes) for node in by_cluster.get(parent, [])]
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
    arguments = [node["id"] for node in view["nodes"] if node["kind"] in ("arg", "capture") and not node["cluster"]]
    parts = [
        f"digraph graph_of_{title} {{\n  rankdir=TB; nodesep=0.22; ranksep=0.28; fontname=Helvetica; fontsize=12;\n",
        f"  node [fontname={_FONT} fontsize=12];\n  edge [fontname={_FONT} fontsize=11 arrowsize=0.55];\n",
    ]
    if len(arguments) > 1:
        parts.append(f"  {{rank=same; {'; '.join(arguments)};}}\n")
    parts.append(body(None, "  "))
    parts += [_edge(edge) for edge in view["edges"]]
    return "".join([*parts, "}\n"])


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def _node(node: Mapping[str, Any], indent: str, changes: bool) -> str:
    change = node.get("change") if changes else None
    title = f"{SIGNS[change]} {node['title']}" if change else node["title"]
    lines = [title, *([node["label"]] if node["label"] else [])]
    label = '"' + "\\n".join(_quote(line)[1:-1] for line in lines) + '"'
    # Layout and browser measure text with different fonts, so the width is given.
    width = max(0.75, max(map(len, lines)) * _CHARACTER / 72 + 0.22)
    boxed = node["kind"] in ("op", "const", "body")
    shape = "box style=rounded" if boxed else "ellipse"
    if node["kind"] == "body":
        shape += " peripheries=2"
    if change in _LINES:
        style = _LINES[change]
        shape = (
            shape.replace("style=rounded", 'style="rounded,dashed"') if "dashed" in style and boxed else shape + style
        )
    if not boxed:
        width = max(0.75, width * 1.12)
    height = (0.49, 0.34) if boxed else (0.58, 0.41)
    classes = f"node {node['kind']}" + (f" ln{node['line']}" if node["line"] else "") + (f" {change}" if change else "")
    return (
        f'{indent}{node["id"]} [id={node["id"]} class="{classes}" label={label} shape={shape} '
        f"width={width:.2f} height={height[len(lines) == 1]:.2f} fixedsize=true];\n"
    )


def _edge(edge: Mapping[str, Any]) -> str:
    label = f" label={_quote(' ' + edge['label'])}" if edge["label"] else ""
    return f'  {edge["from"]} -> {edge["to"]} [class="edge {edge["kind"]}"{label}{_STYLES.get(edge["kind"], "")}];\n'
