"""The tabs of runs in a notebook: the slider over iterations, what differs, and accessibility."""

import json

import pytest
from playwright.sync_api import expect

from .conftest import FIXTURES, PANEL, ROOT, lab_session

pytestmark = pytest.mark.browser

AXE = ROOT / "extension" / "node_modules" / "axe-core" / "axe.min.js"


def shown(notebook, name):
    panel = json.loads((FIXTURES / f"{name}.en.json").read_text(encoding="utf-8"))
    notebook(lab_session.code_cell(f"%tf_{name} walk(x, 3)", lab_session.panel_output(panel), count=4))
    return panel["functions"][0][name]


def violations(page):
    page.add_script_tag(path=AXE)
    found = page.evaluate(
        """panel => axe.run(panel, {
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'],
        })""",
        PANEL,
    )
    return [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found["violations"]]


def timed(panel):
    """A comparison with the times of one run."""
    bars = [("Eager", 0.2), ("Graph, running", 0.1), ("Graph, tracing once", 2.5)]
    panel["functions"][0]["compare"]["volatile"] = {
        "bars": [{"label": label, "ms": ms, "text": f"{ms} ms"} for label, ms in bars],
        "said": {"id": "compare.ahead", "values": {}, "text": "The graph is ahead from call 26 on."},
    }
    return panel


def stopped(panel):
    """A run that was asked to stop, and did."""
    step = panel["functions"][0]["step"]
    held = [node["n"] for node in step["nodes"] if node["line"] == 5]
    text = f"**Stopped at step {held[0] + 1} of {len(step['nodes'])}:** `line 5`"
    step["stop"] = {"asked": "line 5", "text": {"id": "step.stopped", "values": {}, "text": text}, "fits": held}
    return panel


LOOKS = [
    pytest.param({}, "JupyterLab Light", id="light"),
    pytest.param({}, "JupyterLab Dark", id="dark"),
    pytest.param({"forced_colors": "active", "reduced_motion": "reduce"}, "JupyterLab Light", id="high contrast"),
]


@pytest.mark.parametrize(("media", "theme"), LOOKS)
def test_every_tab_of_a_run_is_in_nobodys_way(page, notebook, settings, media, theme):
    settings("@jupyterlab/apputils-extension:themes", {"theme": theme})
    page.emulate_media(**media)
    try:
        for change in (stopped, timed):
            name = {stopped: "step", timed: "compare"}[change]
            panel = change(json.loads((FIXTURES / f"{name}.en.json").read_text(encoding="utf-8")))
            notebook(lab_session.code_cell(f"%tf_{name} walk(x, 3)", lab_session.panel_output(panel), count=4))
            tabs = page.locator(f"{PANEL} [role=tab][data-view]")
            expect(tabs).to_have_count(3)
            for tab in tabs.all():
                tab.click()
                assert violations(page) == [], (name, tab.get_attribute("data-view"))
    finally:
        page.emulate_media(forced_colors="none", reduced_motion="no-preference")


def test_a_run_that_was_told_where_to_stop_begins_there(page, notebook):
    panel = stopped(json.loads((FIXTURES / "step.en.json").read_text(encoding="utf-8")))
    notebook(lab_session.code_cell('%tf_step walk(x, 3) --stop "line 5"', lab_session.panel_output(panel), count=4))
    fits = panel["functions"][0]["step"]["stop"]["fits"]
    here = page.locator(f"{PANEL} [role=tabpanel][data-view=step] tr[aria-current=step]")
    expect(here).to_have_attribute("data-node", str(fits[0]))
    page.locator(f"{PANEL} .gl-walk").get_by_role("button", name="On to a stop").press("Enter")
    expect(here).to_have_attribute("data-node", str(fits[1]))


def test_the_slider_goes_through_the_iterations_by_keyboard(page, notebook):
    step = shown(notebook, "step")
    loop = step["loops"][0]
    pane = page.locator(f"{PANEL} [role=tabpanel][data-view=step]")
    slider = pane.locator("[data-loop]").get_by_role("slider")
    for index, key in [(0, None), (1, "ArrowRight"), (2, "End"), (0, "Home")]:
        if key:
            slider.press(key)
        expect(slider).to_have_attribute("aria-valuetext", f"iteration {index + 1} of {len(loop['iterations'])}")
        expect(pane.locator(".gl-loop-values")).to_contain_text(loop["iterations"][index]["values"][1]["text"])
        first = str(loop["iterations"][index]["first"])
        expect(pane.locator("tr[aria-current=step]")).to_have_attribute("data-node", first)
    assert violations(page) == []


def test_stepping_and_stopping_by_keyboard(page, notebook):
    step = shown(notebook, "step")
    pane = page.locator(f"{PANEL} [role=tabpanel][data-view=step]")
    walk = pane.locator(".gl-walk")
    here = pane.locator("tr[aria-current=step]")
    walk.get_by_role("slider").press("Home")
    expect(here).to_have_attribute("data-node", "0")
    walk.get_by_role("slider").press("ArrowRight")
    expect(here).to_have_attribute("data-node", "1")
    expect(walk.locator(".gl-at")).to_contain_text(step["nodes"][1]["op"])
    walk.get_by_label("Stop at: line").select_option("line 8")
    on = walk.get_by_role("button", name="On to a stop")
    on.press("Enter")
    expect(here).to_have_attribute("data-line", "8")
    expect(on).to_be_focused()
    on.press("Enter")
    expect(walk.get_by_role("status")).to_have_text("There is no further one.")
    page.locator(f"{PANEL} .gl-open-wide").click()
    expect(here).to_have_attribute("data-line", "8")
    assert violations(page) == []


def test_a_comparison_fits_beside_the_cell(page, notebook):
    compare = shown(notebook, "compare")
    pane = page.locator(f"{PANEL} [role=tabpanel][data-view=compare]")
    expect(pane.locator("tbody tr")).to_have_count(len(compare["rows"]))
    expect(pane.locator("[data-equal=false]").first).to_contain_text("≠ different")
    expect(pane.locator("[data-rule]")).to_have_attribute("data-rule", compare["because"][0]["id"])
    assert pane.locator(".gl-grid").evaluate("e => e.scrollWidth <= e.clientWidth")
    assert violations(page) == []
