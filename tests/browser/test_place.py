"""Where the panel stands, and that it stays: one test for each thing a reader does to a cell."""

import json

import pytest
from lab_session import MIME, markdown_cell, panel_output
from playwright.sync_api import expect

from .conftest import PANEL, plain_cell, two_functions, walk, walk_cell

pytestmark = pytest.mark.browser

LONG = [markdown_cell("\n\n".join(["A paragraph of text."] * 8)) for _ in range(24)]
SCROLLER = ".jp-WindowedPanel-outer"
SELECTED = f"{PANEL} [role=tab][aria-selected=true]"


def box(page, selector):
    found = page.locator(selector).first.bounding_box()
    assert found, f"{selector} is not seen"
    return found


def scroll(page, where, until):
    """Scrolls to the top (0) or the bottom (1): again while cells that come into being make the notebook longer."""
    for _ in range(50):
        page.evaluate(
            "([s, where]) => { const e = document.querySelector(s); e.scrollTop = where * e.scrollHeight }",
            [SCROLLER, where],
        )
        page.wait_for_timeout(100)
        seen = page.locator(until)
        if seen.count() and seen.evaluate(
            """e => {
                e.scrollIntoView();  // some modes let one scroll past the end
                const [r, cell] = [e.getBoundingClientRect(), e.closest('.jp-Cell').getBoundingClientRect()];
                return r.bottom > 0 && r.top < innerHeight && r.height > 0 && cell.height > 0;
            }"""
        ):
            return
    raise AssertionError(f"{until} did not come into view")


def select_cell(page, index):
    page.locator(".jp-Notebook .jp-Cell").nth(index).locator(".jp-InputPrompt").first.click()


def test_stands_right_of_the_cell(page, notebook):
    notebook(walk_cell(), plain_cell())
    panel, editor, cell = box(page, PANEL), box(page, ".jp-CodeCell .jp-Editor"), box(page, ".jp-CodeCell")
    assert panel["x"] >= editor["x"] + editor["width"]
    assert abs(panel["y"] - editor["y"]) < 12
    assert panel["width"] == pytest.approx(max(380, 0.34 * cell["width"]), rel=0.06)
    assert panel["height"] <= 780
    # inputs and outputs keep their places, however tall the panel is
    badge, output = box(page, ".gl-badge"), box(page, ".jp-OutputArea")
    assert abs(badge["y"] - (editor["y"] + editor["height"])) < 4
    assert output["y"] - badge["y"] < 60


def test_the_output_itself_is_folded_away(page, notebook):
    notebook(walk_cell())
    expect(page.locator(".jp-OutputArea .gl-output")).to_have_count(1)
    expect(page.locator(".jp-OutputArea .gl-output")).to_be_hidden()
    expect(page.get_by_text("without the extension")).to_have_count(0)
    expect(page.get_by_text("tracing walk: (2,) 3").first).to_be_visible()


def test_goes_below_in_a_narrow_notebook(page, notebook):
    notebook(walk_cell())
    page.set_viewport_size({"width": 900, "height": 950})
    page.wait_for_timeout(200)
    panel, output, editor = box(page, PANEL), box(page, ".jp-OutputArea"), box(page, ".jp-CodeCell .jp-Editor")
    assert panel["y"] >= output["y"] + output["height"]
    assert abs(panel["x"] - editor["x"]) < 8
    assert panel["x"] + panel["width"] <= editor["x"] + editor["width"] + 8


def test_head_and_tabs_stay_while_the_panel_scrolls_inside(page, notebook):
    notebook(walk_cell())
    page.set_viewport_size({"width": 1400, "height": 640})
    top = box(page, f"{PANEL} [role=tablist]")["y"]
    page.evaluate(f"document.querySelector('{PANEL}').scrollTop = 1000")
    assert page.evaluate(f"document.querySelector('{PANEL}').scrollTop") > 50
    assert box(page, f"{PANEL} [role=tablist]")["y"] == pytest.approx(top, abs=1)


@pytest.mark.parametrize("mode", ["defer", "contentVisibility", "full", "none"])
def test_scroll_out_and_back(page, lab, notebook, settings, mode):
    settings("@jupyterlab/notebook-extension:tracker", {"windowingMode": mode})
    notebook(walk_cell(), *LONG, walk_cell(walk("fa")))
    page.click(f"{PANEL} [role=tab][data-view=code]")
    scroll(page, 1, until=f"{PANEL}[lang=fa]")
    expect(page.locator(f"{PANEL}[lang=en]")).not_to_be_in_viewport()
    scroll(page, 0, until=f"{PANEL}[lang=en]")
    expect(page.locator(f"{PANEL}[lang=en] [aria-selected=true]")).to_have_text("Code")
    expect(page.locator(f"{PANEL}[lang=en] .gl-code .gl-r")).to_have_count(9)
    # and what was scrolled out moves, and comes back, like any other
    cells = page.locator(".jp-Notebook .jp-Cell")
    select_cell(page, 0)
    lab.command(page, "notebook:move-cell-down")
    expect(cells.nth(1).locator(PANEL)).to_be_visible()
    lab.command(page, "notebook:delete-cell")
    expect(page.locator(f"{PANEL}[lang=en]")).to_have_count(0)
    lab.command(page, "notebook:undo-cell-action")  # of both, when they follow one another so fast
    expect(page.locator(f"{PANEL}[lang=en]")).to_be_visible()


def test_move(page, lab, notebook):
    notebook(walk_cell(), plain_cell(), plain_cell("2 + 2"))
    page.click(f"{PANEL} [role=tab][data-view=signatures]")
    select_cell(page, 0)
    lab.command(page, "notebook:move-cell-down")
    moved = page.locator(".jp-Notebook .jp-Cell").nth(1)
    expect(moved.locator(PANEL)).to_be_visible()
    expect(moved.locator("[role=tab][aria-selected=true]")).to_have_text("Signatures4")
    expect(page.locator(PANEL)).to_have_count(1)


def test_copy(page, lab, notebook):
    notebook(walk_cell(), plain_cell())
    select_cell(page, 0)
    lab.command(page, "notebook:copy-cell")
    lab.command(page, "notebook:paste-cell-below")
    expect(page.locator(PANEL)).to_have_count(2)
    copied = page.locator(".jp-Notebook .jp-Cell").nth(1).locator(PANEL)
    copied.locator("[role=tab][data-view=code]").click()
    expect(copied.locator("[role=tab][aria-selected=true]")).to_have_text("Code")
    expect(page.locator(SELECTED).first).to_have_text("Traces4")  # the first is not moved by its copy


def test_undo(page, lab, notebook):
    notebook(walk_cell(), plain_cell())
    select_cell(page, 0)
    lab.command(page, "notebook:delete-cell")
    expect(page.locator(PANEL)).to_have_count(0)
    lab.command(page, "notebook:undo-cell-action")
    expect(page.locator(PANEL)).to_be_visible()
    expect(page.locator(f"{PANEL} .gl-lede").first).to_contain_text("walk was traced 4 times for 6 calls.")


def test_restart(page, notebook):
    notebook(walk_cell(), plain_cell())
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.ready")
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    expect(page.locator(PANEL)).to_be_visible()
    page.click(f"{PANEL} [role=tab][data-view=graph]")
    expect(page.locator(f"{PANEL} .gl-node").first).to_be_visible()


def test_save_and_reopen(page, lab, notebook):
    name = notebook(walk_cell(), plain_cell())
    page.locator(".jp-Notebook .jp-Cell").nth(1).locator(".cm-content").click()
    page.keyboard.type(" + 1")
    lab.command(page, "docmanager:save")
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    saved = json.loads((lab.folder / name).read_text())
    assert "1 + 1 + 1" in "".join(saved["cells"][1]["source"])
    outputs = [o for o in saved["cells"][0]["outputs"] if MIME in o.get("data", {})]
    assert [o["data"][MIME] for o in outputs] == [walk()]  # nothing of the view went into the file
    lab.open(page, name)
    expect(page.locator(PANEL)).to_be_visible()
    expect(page.locator(f"{PANEL} .gl-mx tbody tr")).to_have_count(4)


def test_kernel_gone(page, notebook):
    notebook(walk_cell())
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.ready")
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel")
    expect(page.locator(PANEL)).to_be_visible()
    for view in ("signatures", "code", "graph", "retraces"):
        page.click(f"{PANEL} [role=tab][data-view={view}]")
        expect(page.locator(f"{PANEL} [role=tabpanel][data-view={view}]")).to_be_visible()


def test_badge_hides_and_shows(page, notebook):
    notebook(walk_cell())
    badge = page.locator(".gl-badge")
    expect(badge).to_have_text("4 traces·3 retracesHide panel")
    badge.click()
    expect(page.locator(PANEL)).to_be_hidden()
    expect(badge).to_have_attribute("aria-expanded", "false")
    expect(page.get_by_text("without the extension")).to_have_count(0)
    badge.press("Enter")
    expect(page.locator(PANEL)).to_be_visible()
    page.get_by_role("button", name="Hide panel").last.press("Enter")  # the one in the panel
    expect(page.locator(PANEL)).to_be_hidden()
    expect(badge).to_be_focused()


def test_collapsed_input_and_output(page, lab, notebook):
    notebook(walk_cell())
    select_cell(page, 0)
    lab.command(page, "notebook:hide-cell-code")
    expect(page.locator(".gl-badge")).to_be_visible()
    expect(page.locator(PANEL)).to_be_visible()
    lab.command(page, "notebook:hide-cell-outputs")
    expect(page.locator(".gl-badge")).to_be_visible()
    expect(page.locator(PANEL)).to_be_visible()
    lab.command(page, "notebook:show-cell-code")
    lab.command(page, "notebook:show-cell-outputs")
    badge, panel = box(page, ".gl-badge"), box(page, PANEL)
    assert badge["x"] + badge["width"] <= panel["x"]


def test_outputs_beside_inputs(page, lab, notebook):
    """JupyterLab's own side-by-side mode: the panel makes room."""
    notebook(walk_cell())
    lab.command(page, "notebook:toggle-render-side-by-side-current")
    panel, editor, output = box(page, PANEL), box(page, ".jp-CodeCell .jp-Editor"), box(page, ".jp-OutputArea")
    assert output["x"] >= editor["x"] + editor["width"]
    assert panel["y"] >= editor["y"] + editor["height"]


def test_open_wide_sets_the_code_side_by_side(page, notebook):
    notebook(walk_cell())
    page.click(f"{PANEL} [role=tab][data-view=code]")
    page.get_by_role("button", name="Open wide").click()
    panel, output = box(page, PANEL), box(page, ".jp-OutputArea")
    assert panel["width"] >= 880
    assert panel["y"] >= output["y"] + output["height"] - 1
    row = f"{PANEL} .gl-r[data-line='6']"
    own, made = box(page, f"{row} .gl-ss"), box(page, f"{row} .gl-gg")
    assert made["x"] >= own["x"] + own["width"] - 1
    expect(page.get_by_role("button", name="Back to the side")).to_be_focused()
    page.get_by_role("button", name="Back to the side").click()
    assert box(page, PANEL)["x"] > box(page, ".jp-CodeCell .jp-Editor")["x"]


def test_several_panels_in_one_notebook(page, notebook):
    notebook(walk_cell(), plain_cell(), walk_cell(walk("fa")), walk_cell(two_functions()))
    expect(page.locator(PANEL)).to_have_count(3)
    ids = page.evaluate("[...document.querySelectorAll('[data-graphlab-panel] [id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    for i, lang in enumerate(["en", "fa", "en"]):
        expect(page.locator(PANEL).nth(i)).to_have_attribute("lang", lang)


def test_several_outputs_of_one_cell_share_a_panel(page, notebook):
    other = walk()
    other["functions"][0]["name"] = "stroll"
    cell = walk_cell()
    cell["outputs"].append(panel_output(other))
    notebook(cell)
    expect(page.locator(PANEL)).to_have_count(1)
    expect(page.locator(f"{PANEL} .gl-fn button")).to_have_text(["walk 4", "stroll 4"])


def test_a_view_of_the_output_shows_the_panel_by_itself(page, lab, notebook):
    notebook(walk_cell())
    select_cell(page, 0)
    lab.command(page, "notebook:create-output-view")
    alone = page.locator(f".jp-LinkedOutputView {PANEL}")
    expect(alone).to_be_visible()
    alone.locator("[role=tab][data-view=code]").click()
    expect(alone.locator(".gl-code .gl-r")).to_have_count(9)
    expect(alone.get_by_role("button", name="Open wide")).to_have_count(0)  # there is no cell to stand beside


def test_notebook_7(page, lab):
    page.stale = True
    name = lab.write("notebook_7.ipynb", [walk_cell(), plain_cell()])
    page.goto(f"{lab.url}/notebooks/{name}")
    expect(page.locator(PANEL)).to_be_visible()
    page.click(f"{PANEL} [role=tab][data-view=graph]")
    expect(page.locator(f"{PANEL} .gl-node").first).to_be_visible()


def test_in_a_narrow_window_nothing_is_indented(page, notebook):
    """Below 760 pixels JupyterLab sets prompts above what they belong to."""
    notebook(walk_cell())
    page.set_viewport_size({"width": 740, "height": 950})
    page.wait_for_timeout(200)
    panel, output, editor = box(page, PANEL), box(page, ".jp-OutputArea"), box(page, ".jp-CodeCell .jp-Editor")
    assert panel["y"] >= output["y"] + output["height"] - 1
    assert abs(panel["x"] - editor["x"]) < 12
    assert panel["x"] + panel["width"] <= box(page, ".jp-CodeCell")["x"] + box(page, ".jp-CodeCell")["width"] + 1
