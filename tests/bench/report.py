"""Figures → `docs/performance.md` and `docs/images/performance.svg`.

make bench BENCH_ARGS="--json figures.json"
python -m tests.bench.report figures.json
"""

from __future__ import annotations

import json
import sys
from html import escape
from math import log10
from pathlib import Path
from typing import Any

from tests.bench.table import amount

DOCS = Path(__file__).resolve().parents[2] / "docs"
BEGIN, END = "<!-- table -->", "<!-- end of table -->"
_KNOWN = ("subject", "baseline", "ratio", "unit", "goal")


def table(figures: dict[str, dict[str, Any]]) -> str:
    """The figures as a Markdown table."""
    rivals = [key for key in next(iter(figures.values())) if key not in _KNOWN]
    lines = [
        f"| work | graphlab | NumPy by hand | ratio | goal |{''.join(f' {r} |' for r in rivals)}",
        f"|---|---:|---:|---:|---:|{'---:|' * len(rivals)}",
    ]
    for name, f in figures.items():
        goal = "" if f["goal"] is None else f"{f['goal']:g}" if f["ratio"] is not None else amount(f["goal"], f["unit"])
        ratio = "" if f["ratio"] is None else f"×{f['ratio']:.2f}"
        baseline = "" if f["baseline"] is None else amount(f["baseline"], f["unit"])
        times = "".join(f" {'' if f.get(r) is None else amount(f[r], f['unit'])} |" for r in rivals)
        lines.append(f"| {name} | {amount(f['subject'], f['unit'])} | {baseline} | {ratio} | {goal} |{times}")
    return "\n".join(lines)


def plot(figures: dict[str, dict[str, Any]]) -> str:
    """The ratios as bars on a logarithmic scale, and the goals as marks: an SVG."""
    rows = [(name, f) for name, f in figures.items() if f["ratio"] is not None]
    left, width, step = 380, 420, 22
    low, high = 0.1, 10.0

    def x(ratio: float) -> float:
        part = (log10(min(max(ratio, low), high)) - log10(low)) / (log10(high) - log10(low))
        return left + width * part

    height = step * len(rows) + 40
    size = f'viewBox="0 0 {left + width + 80} {height}" font-family="sans-serif" font-size="12"'
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', "<title>Time in units of NumPy by hand</title>"]
    out.extend(
        f'<line x1="{x(ratio):.1f}" x2="{x(ratio):.1f}" y1="20" y2="{height - 16}" '
        f'stroke="{"#555" if ratio == 1 else "#ddd"}"/>'
        f'<text x="{x(ratio):.1f}" y="14" text-anchor="middle" fill="#555">×{ratio:g}</text>'
        for ratio in (0.1, 0.2, 0.5, 1, 2, 5, 10)
    )
    for index, (name, f) in enumerate(rows):
        y = 26 + step * index
        missed = f["goal"] is not None and f["ratio"] > f["goal"]
        start, end = sorted((x(1), x(f["ratio"])))
        out.append(
            f'<text x="{left - 8}" y="{y + 11}" text-anchor="end">{escape(name)}</text>'
            f'<rect x="{start:.1f}" y="{y}" width="{max(end - start, 1.5):.1f}" height="14" '
            f'fill="{"#c65d21" if missed else "#3a7ca5"}"/>'
            f'<text x="{left + width + 8}" y="{y + 11}">×{f["ratio"]:.2f}</text>'
        )
        if f["goal"] is not None:
            mark = x(f["goal"])
            out.append(f'<line x1="{mark:.1f}" x2="{mark:.1f}" y1="{y - 2}" y2="{y + 16}" stroke="#111"/>')
    return "\n".join([*out, "</svg>"]) + "\n"


def main() -> None:
    """Writes the table into the page and the plot beside it."""
    figures = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    page = DOCS / "performance.md"
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{table(figures)}\n{END}{after}", encoding="utf-8")
    (DOCS / "images" / "performance.svg").write_text(plot(figures), encoding="utf-8")


if __name__ == "__main__":
    main()
