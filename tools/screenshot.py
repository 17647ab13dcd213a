"""Make the README's picture, docs/images/walk.png: the walk cell, run in JupyterLab in Chromium, and its panel.

    python tools/screenshot.py [FILE]

Needs the built extension (`make extension`) and Chromium.
"""

import sys
from pathlib import Path

from lab_session import ROOT, code_cell, markdown_cell, running_chromium, running_lab

import extension

PICTURE = ROOT / "docs" / "images" / "walk.png"

TEXT = """\
## A walk between two walls

At every iteration the point takes a random step. If the step would pass a wall, it goes half-way back to the middle.
We call the function six times and ask how often it is traced."""

WALK = """\
%%tf_function
wall = 1.5

def walk(x, steps):
    print("tracing walk:", x.shape, steps)
    for i in tf.range(steps):
        d = tf.random.stateless_normal(tf.shape(x), [7, i])
        if tf.reduce_any(tf.abs(x + d) > wall):
            x = x * 0.5
        else:
            x = x + d
    return x

walk(tf.zeros(2), 3)
walk(tf.zeros(2), 4)
walk(tf.zeros(3), 4)
walk(tf.ones(2), 4)
walk(tf.zeros(2), tf.constant(4))
walk(tf.zeros(2), tf.constant(9))"""

CELLS = [markdown_cell(TEXT), code_cell("%load_ext graphlab\nimport graphlab as tf"), code_cell(WALK)]

#: The words of JupyterLab around the notebook say nothing about graphlab.
BARE = "#jp-top-panel, #jp-bottom-panel, .jp-NotebookPanel-toolbar, .jp-Toolbar, .jp-cell-menu { visibility: hidden }"


def make(path: Path) -> None:
    """Run the cell and write the picture."""
    with running_lab() as lab, running_chromium() as browser:
        page = browser.new_page(viewport={"width": 1640, "height": 1240}, device_scale_factor=1.5)
        lab.open(page, lab.write("random_walk.ipynb", CELLS))
        lab.wait_for_kernel(page)
        lab.command(page, "notebook:run-all-cells")
        page.wait_for_selector("[data-graphlab-panel] .gl-mx", timeout=60_000)
        page.wait_for_function(
            "window.jupyterapp.shell.currentWidget.content.widgets.every(c => c.model.executionState !== 'running')"
        )
        page.add_style_tag(content=BARE)
        page.locator(".gl-trace[data-trace='3'] summary").click()
        page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0")
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement?.blur()")
        first, last = (page.locator(".jp-Notebook .jp-Cell").nth(i).bounding_box() for i in (0, 2))
        assert first is not None
        assert last is not None
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(
            path=path,
            clip={
                "x": first["x"],
                "y": first["y"],
                "width": first["width"],
                "height": last["y"] + last["height"] - first["y"] + 8,
            },
        )


if __name__ == "__main__":
    extension.build()
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
