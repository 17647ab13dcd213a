"""How long JupyterLab takes to show a panel: `python -m tests.bench.paint`. It needs Chromium, and the extension built."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import Any

from graphlab.inspect import bundle
from tests.bench.bench_jupyter import panel_of, traced
from tests.bench.table import duration

ROOT = Path(__file__).resolve().parents[2]
SIZES = (10, 100, 1000)
TIMES = 7

# From the moment an output arrives at a cell until the frame with its panel in it has been painted.
PAINTED = """async data => {
    const cell = window.jupyterapp.shell.currentWidget.content.widgets[0];
    const { outputs } = cell.model;
    outputs.clear();
    const frame = () => new Promise(requestAnimationFrame);
    while (document.querySelector('[data-graphlab-panel]')) {
        await frame();
    }
    const start = performance.now();
    outputs.add({ output_type: 'display_data', data, metadata: {} });
    while (!document.querySelector('[data-graphlab-panel] [role=tabpanel]')) {
        await frame();
    }
    await frame();
    await new Promise(resolve => setTimeout(resolve));
    return (performance.now() - start) / 1000;
}"""


def main() -> None:
    """Prints the median of a few times for panels of each size."""
    sys.path.insert(0, str(ROOT / "tools"))
    import lab_session

    with lab_session.running_lab() as lab, lab_session.running_chromium() as browser:
        page = browser.new_page(viewport={"width": 1560, "height": 950})
        lab.open(page, lab.write("paint.ipynb", [lab_session.code_cell("1 + 1")]))
        for operations in SIZES:
            data: dict[str, Any] = bundle(panel_of(*traced(operations)))
            times = [page.evaluate(PAINTED, data) for _ in range(TIMES)]
            print(f"first paint, {operations:,} operations: {duration(statistics.median(times[1:]))}", flush=True)


if __name__ == "__main__":
    main()
