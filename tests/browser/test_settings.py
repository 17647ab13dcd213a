"""Settings, applied to what stands there, and the commands with their shortcuts."""

import contextlib
import json
import urllib.request

import pytest
from lab_session import ROOT, code_cell, markdown_cell
from playwright.sync_api import expect

from .conftest import PANEL, plain_cell, walk, walk_cell

pytestmark = pytest.mark.browser

TABS = f"{PANEL} [role=tab]"
SCHEMA = json.loads((ROOT / "extension" / "schema" / "panel.json").read_text("utf-8"))


@contextlib.contextmanager
def editor(page, lab):
    """JupyterLab's own settings editor, over the notebook; left when it has saved what was changed."""
    before = saved(lab)
    lab.command(page, "settingeditor:open", query="graphlab")
    form = page.locator(".jp-SettingsForm")
    form.locator("[id$=panel_width]").wait_for()
    yield form
    for _ in range(100):
        if saved(lab) != before:
            break
        page.wait_for_timeout(100)
    lab.command(page, "application:close")


def saved(lab):
    with urllib.request.urlopen(f"{lab.url}/lab/api/settings/graphlab:panel", timeout=10) as reply:
        return json.load(reply)["settings"]


def field(form, name):
    return form.locator(f"[id='jp-SettingsEditor-graphlab:panel_{name}']")


def chord(page, key):
    page.keyboard.press("Alt+g")
    page.keyboard.press(key)


def select_cell(page, index):
    page.locator(".jp-Notebook .jp-Cell").nth(index).locator(".jp-InputPrompt").first.click()


def box(page, selector):
    found = page.locator(selector).first.bounding_box()
    assert found, f"{selector} is not seen"
    return found


def cursor_line(page):
    return page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCell.editor.getCursorPosition().line + 1")


# ------------------------------------------------------------------------------------------------------------ settings


def test_place_width_and_badge_change_what_stands_there(page, lab, notebook, settings):
    settings("graphlab:panel", {})
    notebook(walk_cell(), plain_cell())
    width = box(page, PANEL)["width"]
    with editor(page, lab) as form:
        field(form, "width").fill("45")
    page.wait_for_function("document.body.style.getPropertyValue('--gl-panel-width') === '45%'")
    expect(page.locator(PANEL)).to_be_visible()
    assert box(page, PANEL)["width"] == pytest.approx(width * 45 / 34, rel=0.05)
    with editor(page, lab) as form:
        field(form, "place").select_option(label="below the cell")
    expect(page.locator(".jp-CodeCell").first).to_contain_class("gl-below")
    panel, output = box(page, PANEL), box(page, ".jp-OutputArea")
    assert panel["y"] >= output["y"] + output["height"] - 1
    assert abs(panel["x"] - box(page, ".jp-CodeCell .jp-Editor")["x"]) < 8
    expect(page.get_by_role("button", name="Open wide")).to_be_hidden()
    with editor(page, lab) as form:
        field(form, "place").select_option(label="closed")
    expect(page.locator(PANEL)).to_be_hidden()
    page.locator(".gl-badge").click()
    expect(page.locator(PANEL)).to_be_visible()
    with editor(page, lab) as form:
        field(form, "badge").uncheck()
    expect(page.locator(PANEL)).to_be_visible()
    expect(page.locator(".gl-badge")).to_have_count(0)


def test_tabs_in_the_wanted_order(page, lab, notebook, settings):
    settings("graphlab:panel", {"views": ["graph", "code", "retraces"]})
    notebook(walk_cell(), plain_cell())
    expect(page.locator(TABS)).to_have_text(["Graph", "Code", "Traces4"])
    expect(page.locator(f"{PANEL} [aria-selected=true]")).to_have_text("Traces4")  # what a panel opens with stays
    with editor(page, lab) as form:
        field(form, "views_0").select_option(label="Signatures")
    expect(page.locator(TABS)).to_have_text(["Signatures4", "Code", "Traces4"])


def test_the_language_is_applied_at_once_and_told_to_the_kernel(page, lab, notebook, settings):
    settings("graphlab:panel", {})
    notebook(
        code_cell("%load_ext graphlab\nimport graphlab as tf"),
        code_cell("%%tf_function\ndef f(x):\n    return x + 1\n\nf(tf.zeros(2))"),
        first_panel=False,
    )
    lab.wait_for_kernel(page)
    lab.command(page, "notebook:run-all-cells")
    expect(page.locator(".gl-badge")).to_contain_text("1 trace")
    label = "window.jupyterapp.commands.label('graphlab:next-trace')"
    assert page.evaluate(label) == "Next trace"
    with editor(page, lab) as form:
        field(form, "language").select_option(label="Italiano")
    page.wait_for_function(f"{label} === 'Traccia successiva'")
    select_cell(page, 1)
    lab.command(page, "notebook:run-cell")
    expect(page.locator(PANEL)).to_have_attribute("lang", "it")
    expect(page.locator(".gl-badge")).to_contain_text("1 traccia")
    with editor(page, lab) as form:
        expect(form.get_by_text("Larghezza del pannello")).to_be_visible()  # the settings themselves, too
        field(form, "language").select_option(label="lingua di JupyterLab")
    page.wait_for_function(f"{label} === 'Next trace'")
    lab.command(page, "notebook:run-cell")
    expect(page.locator(PANEL)).to_have_attribute("lang", "en")


@pytest.mark.parametrize(
    ("plugin", "values"),
    [
        ("@jupyterlab/translation-extension:plugin", {"locale": "fa_IR"}),
        ("graphlab:panel", {"language": "fa"}),
    ],
    ids=["JupyterLab's", "ours"],
)
def test_run_all_with_a_new_kernel_speaks_the_language_from_the_first_cell_on(
    page, lab, notebook, settings, plugin, values
):
    settings(plugin, values)
    both = "%load_ext graphlab\nimport graphlab as tf\n%tf_lang\n"
    try:
        notebook(
            code_cell(f"{both}tf.function(lambda x: x)(1)\n%tf_watch on"),
            code_cell("%%tf_function\ndef f(x):\n    return x + 1\n\nf(tf.zeros(2))"),
            code_cell("f(tf.zeros(3))"),
            first_panel=False,
        )
        lab.run_all(page)  # all are sent at once
    finally:
        settings("@jupyterlab/translation-extension:plugin", {})
    expect(page.locator(PANEL)).to_have_count(2)
    for panel in page.locator(PANEL).all():
        expect(panel).to_have_attribute("lang", "fa")
        expect(panel).to_have_attribute("dir", "rtl")
    expect(page.locator(".jp-CodeCell").first.locator(".jp-OutputArea")).to_contain_text("زبان: fa")


# ------------------------------------------------------------------------------------------------------------ commands


def test_every_command_is_in_the_palette_and_no_shortcut_is_another_s(page, lab, notebook):
    notebook(walk_cell())
    lab.wait_for_kernel(page)  # until then the notebook takes the focus for itself
    found = page.evaluate(
        """() => {
            const { commands } = window.jupyterapp;
            const text = b => b.keys.map(key => `${key}, `).join('');
            const ours = commands.keyBindings.filter(b => b.command.startsWith('graphlab:'));
            const others = commands.keyBindings.filter(b => !b.command.startsWith('graphlab:') && text(b) !== ', ');
            const clash = ours.filter(b => others.some(o => text(b).startsWith(text(o)) || text(o).startsWith(text(b))));
            return {
                clash: clash.map(text),
                twice: ours.map(text).filter((t, i, all) => all.indexOf(t) !== i),
                bound: ours.length,
                commands: commands.listCommands().filter(c => c.startsWith('graphlab:')).sort(),
                labels: commands.listCommands().filter(c => c.startsWith('graphlab:')).map(c => commands.label(c)),
            };
        }"""
    )
    assert found["clash"] == []
    assert found["twice"] == []
    assert found["bound"] == len(SCHEMA["jupyter.lab.shortcuts"])
    assert all(found["labels"])
    bound = {item["command"] for item in SCHEMA["jupyter.lab.shortcuts"]}
    assert set(found["commands"]) - bound == {"graphlab:settings"}
    select_cell(page, 0)
    page.keyboard.press("Control+Shift+C")
    page.locator(".lm-CommandPalette-input").fill("panel of this cell")
    entry = page.locator(".lm-CommandPalette-item", has_text="Show or hide the panel of this cell")
    expect(entry.locator(".lm-CommandPalette-itemShortcut")).to_have_text("Alt+G, P")
    page.keyboard.press("Escape")


def test_shortcuts(page, lab, notebook):
    notebook(walk_cell(), markdown_cell("Text"), walk_cell(), plain_cell())
    select_cell(page, 0)
    first, second = page.locator(PANEL).first, page.locator(PANEL).nth(1)
    chord(page, "p")
    expect(first).to_be_hidden()
    chord(page, "g")  # a view opens the panel
    expect(first.locator("[aria-selected=true]")).to_have_text("Graph")
    chord(page, "ArrowRight")
    expect(first.locator("[aria-selected=true]")).to_have_text("Advice1")
    chord(page, "ArrowLeft")
    expect(first.locator("[aria-selected=true]")).to_have_text("Graph")
    chord(page, "ArrowDown")
    expect(first.locator("li.gl-current")).to_contain_text("T1")
    for _ in range(3):
        chord(page, "ArrowDown")
    expect(first.locator("li.gl-current")).to_contain_text("T4")
    chord(page, "ArrowDown")  # on to the next cell that traced
    expect(second.locator("li.gl-current")).to_contain_text("T1")
    chord(page, "ArrowUp")
    expect(first.locator("li.gl-current")).to_contain_text("T4")
    chord(page, "ArrowUp")
    chord(page, "r")
    expect(first.locator("[role=status]").first).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == (
        "walk T3: x has another shape: axis 0 went from 2 to 3. (call 3 · line 16 · serves 1 call)"
    )
    chord(page, "f")
    page.wait_for_function("navigator.clipboard.readText().then(t => t === '@tf.function(reduce_retracing=True)')")
    chord(page, "x")
    assert first.locator("details:visible").evaluate_all("all => all.length > 0 && all.every(d => d.open)")
    chord(page, "l")
    expect(page.locator(".jp-Cell.jp-mod-active .cm-content")).to_be_focused()
    assert cursor_line(page) == 16
    page.keyboard.press("Escape")
    chord(page, "Enter")
    expect(first.locator("[role=tab][aria-selected=true]")).to_be_focused()
    chord(page, "c")  # from inside the panel, where single keys are the panel's own
    expect(first.locator("[aria-selected=true]")).to_have_text("Code")
    page.keyboard.press("a")
    expect(page.locator(".jp-Notebook .jp-Cell")).to_have_count(4)
    chord(page, "w")
    expect(page.locator(".jp-CodeCell").first).to_contain_class("gl-wide")
    chord(page, "PageDown")
    expect(page.locator(".jp-Notebook .jp-Cell").nth(2)).to_contain_class("jp-mod-active")
    chord(page, "PageUp")
    expect(page.locator(".jp-Notebook .jp-Cell").first).to_contain_class("jp-mod-active")
    chord(page, "Shift+P")
    expect(page.locator(f"{PANEL}:visible")).to_have_count(0)
    chord(page, "Shift+P")
    expect(page.locator(f"{PANEL}:visible")).to_have_count(2)


def test_inside_a_view_shortcuts_work_and_escape_goes_back_to_the_cell(page, notebook):
    notebook(walk_cell(), plain_cell())
    select_cell(page, 0)
    cells, cell_ = page.locator(".jp-Notebook .jp-Cell"), page.locator(".jp-Notebook .jp-Cell").first
    tab = page.locator(f"{PANEL} [role=tab][aria-selected=true]")
    chord(page, "Enter")
    for key, name in (("a", "Advice"), ("c", "Code"), ("g", "Graph"), ("t", "Traces")):
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")  # both were pressed in the view: its own keys are not JupyterLab's
        expect(page.locator(f"{PANEL} [role=tabpanel]:visible :focus")).to_have_count(1)
        chord(page, key)  # alone, "a" would be a new cell
        expect(tab).to_contain_text(name)
        expect(tab).to_be_focused()  # where it was is hidden now
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    chord(page, "ArrowDown")  # the panel is built anew
    expect(tab).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Alt+g")
    page.wait_for_timeout(1100)  # too late for the second key; it stays the panel's
    page.keyboard.press("a")
    expect(cells).to_have_count(2)
    page.keyboard.press("Escape")
    expect(cell_).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(cells.nth(1)).to_contain_class("jp-mod-active")


def test_escape_leaves_a_view_when_nothing_in_it_needs_it(page, notebook):
    notebook(walk_cell(), plain_cell())
    select_cell(page, 0)
    first = page.locator(".jp-Notebook .jp-Cell").first
    chord(page, "g")
    find = page.locator(f"{PANEL} .gl-find")
    find.fill("Mul")
    page.keyboard.press("Escape")  # empties the search
    expect(find).to_be_focused()
    page.keyboard.press("Escape")
    expect(first).to_be_focused()
    page.locator(f"{PANEL} .gl-node[role=button]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"{PANEL} .gl-node[aria-pressed=true]").first).to_be_visible()
    page.keyboard.press("Escape")  # picks none
    expect(page.locator(f"{PANEL} .gl-node[aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(first).to_be_focused()
    page.locator(".gl-badge").focus()
    page.keyboard.press("Escape")
    expect(first).to_be_focused()


def test_where_there_is_no_panel_commands_rest(page, notebook):
    notebook(plain_cell(), walk_cell())
    select_cell(page, 0)
    enabled = "c => window.jupyterapp.commands.isEnabled(c)"
    for command in ("toggle-panel", "copy-reason", "go-to-line", "expand-all"):
        assert not page.evaluate(enabled, f"graphlab:{command}")
    select_cell(page, 1)
    assert page.evaluate(enabled, "graphlab:toggle-panel")


def test_while_a_line_is_written_the_shortcut_works_and_writes_nothing(page, notebook):
    notebook(walk_cell())
    page.locator(".jp-CodeCell .cm-content").click()
    chord(page, "p")
    expect(page.locator(PANEL)).to_be_hidden()
    assert page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.getSource()") == (
        walk()["cell"]["source"].rstrip("\n")
    )


def test_all_shortcuts_stand_in_the_documentation():
    text = (ROOT / "docs" / "jupyter.md").read_text("utf-8")
    keys = [item["keys"][1] for item in SCHEMA["jupyter.lab.shortcuts"]]
    words = {"ArrowDown": "↓", "ArrowUp": "↑", "ArrowRight": "→", "ArrowLeft": "←"}
    missing = [key for key in keys if f"Alt+G {words.get(key, key).replace('Shift ', 'Shift+')}`" not in text]
    assert missing == []


def test_views_of_several_outputs_stand_together(page, lab, notebook):
    notebook(
        code_cell("%load_ext graphlab\nimport graphlab as tf\n%tf_watch off"),
        code_cell("@tf.function\ndef f(x):\n    return x + 1\n\nf(tf.zeros(2));"),
        code_cell("%tf_traces f\n%tf_code f"),
        first_panel=False,
    )
    lab.wait_for_kernel(page)
    lab.command(page, "notebook:run-all-cells")
    expect(page.locator(TABS)).to_have_text(["Traces", "Signatures", "Code"])
    page.locator(TABS).last.click()
    expect(page.locator(f"{PANEL} .gl-code .gl-r").first).to_be_visible()
