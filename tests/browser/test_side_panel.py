"""The side panel: all Functions of a notebook, from what its cells hold, with and without a kernel."""

import copy
import re

import pytest
from lab_session import code_cell, markdown_cell, panel_output
from playwright.sync_api import expect

from .conftest import PANEL, ROOT, plain_cell, walk, walk_cell

pytestmark = pytest.mark.browser

SIDE = "[data-graphlab-side]"
ENTRY = f"{SIDE} .gl-side-entry"
AXE = ROOT / "extension" / "node_modules" / "axe-core" / "axe.min.js"
START = "%load_ext graphlab\nimport graphlab as tf"
LONG = [markdown_cell("\n\n".join(["A paragraph of text."] * 8)) for _ in range(12)]


def function(name, identity, count, *, traces=4, new=None, lang="en"):
    """A cell about a function: the walk's data under another name."""
    panel = walk(lang)
    (fn,) = panel["functions"]
    fn["name"], fn["volatile"] = name, {"identity": identity}
    fn["traces"] = [trace | {"new": new is None or trace["n"] in new} for trace in fn["traces"][:traces]]
    fn["counts"] |= {"traces": traces, "retraces": max(0, traces - 1)}
    panel["cell"]["source"] = f"# {name}"
    panel["volatile"] = {"execution_count": count}
    return code_cell(f"# {name}", panel_output(panel), count=count)


def open_side(page, lab):
    if not page.locator(SIDE).is_visible():
        lab.command(page, "graphlab:toggle-side-panel")
    expect(page.locator(SIDE)).to_be_visible()


def names(page):
    return page.locator(f"{ENTRY}:visible .gl-side-name")


@pytest.fixture(autouse=True)
def side_away(page):
    """The window is shared: each test finds the side panel closed, unfiltered."""
    yield
    page.evaluate(
        """() => {
            const all = document.querySelector('[data-graphlab-side]');
            for (const box of all?.querySelectorAll('input') ?? []) {
                box.value = '';
                box.checked = false;
                box.dispatchEvent(new Event('input'));
            }
            window.jupyterapp?.shell.collapseRight?.();
        }"""
    )


def test_it_tells_of_all_functions_without_a_kernel(page, lab, notebook):
    notebook(function("walk", "aa.1", 2), plain_cell(), *LONG, function("calm", "aa.2", 5, traces=1))
    open_side(page, lab)
    expect(page.locator(f"{SIDE} .gl-lede")).to_have_text("2 functions, 5 traces. walk was traced more than once.")
    expect(names(page)).to_have_text(["walk", "calm"])
    first, second = page.locator(ENTRY).all()
    expect(first.locator(".gl-side-count")).to_have_text("4 traces for 6 calls")
    expect(first.locator(".gl-side-why")).to_have_text("T4 steps used to be a Python number; now it is a tensor.")
    assert first.locator(".gl-strip .gl-made").count() == 4
    assert first.locator(".gl-strip .gl-reused").count() == 2
    expect(second).to_contain_text("nothing to change")
    first.locator("summary").click()
    expect(first.locator(".gl-side-trace b")).to_have_text(["T1", "T2", "T3", "T4"])


def test_a_click_leads_to_the_cell_and_to_the_trace(page, lab, notebook):
    notebook(function("walk", "aa.1", 2), *LONG, function("calm", "aa.2", 5))
    open_side(page, lab)
    page.locator(ENTRY).nth(1).get_by_role("button", name="Go to cell 5").click()
    expect(page.locator(".jp-Cell.jp-mod-active .cm-content")).to_have_text("# calm")
    expect(page.locator(".jp-Cell.jp-mod-active")).to_be_in_viewport()
    expect(page.locator(ENTRY).nth(1)).to_have_attribute("aria-current", "true")
    expect(page.locator(ENTRY).first).not_to_have_attribute("aria-current", "true")
    if page.locator(ENTRY).first.locator("details[open]").count() == 0:  # the panel remembers what was unfolded
        page.locator(ENTRY).first.locator("summary").click()
    page.locator(ENTRY).first.locator("[data-trace='3']").click()
    active = page.locator(".jp-Cell.jp-mod-active")
    expect(active.locator(".cm-content")).to_have_text("# walk")
    expect(active.locator("li.gl-current")).to_contain_text("axis 0 went from 2 to 3")
    expect(active.locator(".gl-now")).to_contain_text("Call 3")


def test_one_function_in_several_cells_is_told_once(page, lab, notebook):
    again = function("walk", "aa.1", 7, traces=5, new={5})
    fifth = copy.deepcopy(walk()["functions"][0]["traces"][2])
    fifth |= {"n": 5, "new": True, "signature": "float32[7], int 4"}
    data = again["outputs"][0]["data"]
    data[next(iter(data))]["functions"][0]["traces"].append(fifth)
    notebook(again, function("walk", "aa.1", 2), function("walk", "aa.9", 9, traces=1))
    open_side(page, lab)
    expect(names(page)).to_have_text(["walk", "walk"])
    first, second = page.locator(ENTRY).all()
    expect(first.locator(".gl-side-cell")).to_have_text(["[7]", "[2]"])
    expect(first.locator(".gl-side-count")).to_contain_text("5 traces")
    expect(first).to_contain_text("another function of this name was made since")
    expect(second).not_to_contain_text("another function")
    first.locator("summary").click()
    expect(first.locator(".gl-side-trace b")).to_have_text(["T1", "T2", "T3", "T4", "T5"])


def test_moved_deleted_and_brought_back(page, lab, notebook):
    notebook(function("walk", "aa.1", 2), function("calm", "aa.2", 5), plain_cell())
    open_side(page, lab)
    page.locator(".jp-Notebook .jp-Cell").first.locator(".jp-InputPrompt").click()
    lab.command(page, "notebook:move-cell-down")
    expect(names(page)).to_have_text(["calm", "walk"])
    lab.command(page, "notebook:delete-cell")
    expect(names(page)).to_have_text(["calm"])
    lab.command(page, "notebook:undo-cell-action")
    lab.command(page, "notebook:undo-cell-action")
    expect(names(page)).to_have_count(2)


def test_filter_and_keyboard(page, lab, notebook):
    notebook(function("walk", "aa.1", 2), function("calm", "aa.2", 5, traces=1), function("stroll", "aa.3", 6))
    open_side(page, lab)
    box = page.get_by_role("searchbox", name="Filter by name")
    expect(box).to_be_focused()  # the shortcut leads here
    page.keyboard.type("al")
    expect(names(page)).to_have_text(["walk", "calm"])
    page.get_by_role("checkbox", name="only with retraces").check()
    expect(names(page)).to_have_text(["walk"])
    box.fill("zzz")
    expect(page.locator(f"{SIDE} .gl-side-none")).to_have_text("No function is like that.")
    box.fill("")
    page.get_by_role("checkbox", name="only with retraces").focus()
    page.keyboard.press("Tab")  # one stop for the whole list, then up and down
    expect(names(page).first).to_be_focused()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(page.locator(f"{ENTRY} summary").first).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    expect(page.locator(f"{SIDE} [data-trace='1']").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".jp-Cell.jp-mod-active li.gl-current")).to_contain_text("First call")
    expect(page.locator(".jp-Notebook .jp-Cell")).to_have_count(3)


def test_two_notebooks_each_with_its_own(page, lab, notebook):
    first = notebook(function("walk", "aa.1", 2))
    second = lab.write("second_of_two.ipynb", [function("calm", "bb.1", 1)])
    open_side(page, lab)
    expect(names(page)).to_have_text(["walk"])
    for name, expected in ((second, "calm"), (first, "walk")):
        page.evaluate(
            "path => window.jupyterapp.commands.execute('docmanager:open', { path, factory: 'Notebook' })", name
        )
        expect(names(page)).to_have_text([expected])
    page.evaluate("for (const w of [...window.jupyterapp.shell.widgets('main')]) w.dispose()")
    expect(page.locator(f"{SIDE} .gl-side-none")).to_have_text("Open a notebook to see its traces.")


def test_in_persian_it_runs_from_right_to_left(page, lab, notebook, settings):
    settings("graphlab:panel", {"language": "fa"})
    notebook(function("walk", "aa.1", 2, lang="fa"))
    open_side(page, lab)
    side = page.locator(SIDE)
    expect(side).to_have_attribute("dir", "rtl")
    expect(side.locator(".gl-side-count")).to_have_text(re.compile("۴ ردیابی"))
    name, link = names(page).first.bounding_box(), side.locator(".gl-side-cell").bounding_box()
    assert name["x"] > link["x"]


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_accessible(page, lab, notebook, settings, theme):
    settings("@jupyterlab/apputils-extension:themes", {"theme": theme})
    notebook(function("walk", "aa.1", 2), function("calm", "aa.2", 5, traces=1))
    open_side(page, lab)
    page.locator(f"{ENTRY} summary").first.click()
    page.add_script_tag(path=AXE)
    found = page.evaluate(
        """side => axe.run(side, {
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'],
        })""",
        SIDE,
    )
    assert [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found["violations"]] == []


def test_live_while_cells_run_and_right_when_they_run_out_of_order(page, lab, notebook):
    slow = "%%tf_function\nimport time\ntime.sleep(1.5)\nf(tf.zeros(3))"
    notebook(
        code_cell(START),
        code_cell("%%tf_function\ndef f(x):\n    return x + 1\n\nf(tf.zeros(2))"),
        code_cell(slow),
        first_panel=False,
    )
    open_side(page, lab)
    expect(page.locator(f"{SIDE} .gl-side-none")).to_contain_text("Nothing is traced in this notebook yet.")
    lab.run_all(page)
    entry = page.locator(ENTRY)
    expect(entry.locator(".gl-side-count")).to_have_text("2 traces for 2 calls")
    expect(entry.locator(".gl-side-cell")).to_have_text(["[2]", "[3]"])
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    cells.nth(2).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")  # again: no new trace, and meanwhile what it said before
    expect(entry.locator(".gl-side-count")).to_contain_text("· running…")
    expect(entry.locator(".gl-side-count")).to_have_text("2 traces for 2 calls")
    expect(entry.locator(".gl-side-cell")).to_have_text(["[2]", "[4]"])
    cells.nth(1).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")  # the definition again: another f; the call below was of the first one
    expect(names(page)).to_have_text(["f", "f"])
    expect(page.locator(ENTRY).filter(has_text="another function of this name")).to_have_count(1)
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    lab.wait_for_kernel(page)
    expect(page.locator(f"{SIDE} .gl-side-note").first).to_have_text("from before the kernel started again")


def test_no_panel_no_parts(page, notebook):
    """A cell that traces nothing holds nothing of ours."""
    notebook(plain_cell(), walk_cell())
    expect(page.locator(PANEL)).to_have_count(1)
    expect(page.locator(".gl-aside")).to_have_count(1)
    expect(page.locator(".gl-badge-row")).to_have_count(1)


def test_notebook_7(page, lab):
    page.stale = True
    name = lab.write("side_in_notebook_7.ipynb", [function("walk", "aa.1", 2), plain_cell()])
    page.goto(f"{lab.url}/notebooks/{name}")
    expect(page.locator(PANEL)).to_be_visible()
    page.locator(".jp-Notebook").click(position={"x": 5, "y": 5})
    page.keyboard.press("Alt+g")
    page.keyboard.press("s")
    expect(names(page)).to_have_text(["walk"])
    page.locator(f"{SIDE} summary").click()
    page.locator(f"{SIDE} [data-trace='2']").click()
    expect(page.locator(f"{PANEL} li.gl-current")).to_contain_text("every new number makes a new trace")
