"""The sliders of `f.explore()` in JupyterLab and Notebook 7, with a kernel and after it."""

import json

import pytest
from lab_session import code_cell
from playwright.sync_api import expect

from .conftest import ROOT, plain_cell

pytestmark = pytest.mark.browser

AXE = ROOT / "extension" / "node_modules" / "axe-core" / "axe.min.js"
ROOT_OF = ".gl-explore"
STILL = ".gl-explore-still"
SOURCE = """import graphlab as tf
from graphlab.messages import set_language
set_language({lang!r})

@tf.function
def walk(x, n=2, label="<img src=x>"):
    for i in tf.range(n):
        x = x * 2.0
    return x

_ = walk(tf.constant([1.0, 2.0]))
walk.explore()"""


@pytest.fixture
def explorer(page, lab, notebook, settings):
    """Runs a cell that explores a function, and gives what it shows."""

    def show(application="lab", theme="light", lang="en"):
        settings("@jupyterlab/apputils-extension:themes", {"theme": f"JupyterLab {theme.title()}"})
        cells = [code_cell(SOURCE.format(lang=lang)), plain_cell()]
        if application == "lab":
            notebook(*cells, first_panel=False)
        else:
            page.goto(f"{lab.url}/notebooks/{lab.write('explore_in_notebook_7.ipynb', cells)}")
            page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.content?.widgets?.length > 0")
        lab.wait_for_kernel(page)
        lab.command(page, "notebook:run-all-cells")
        shown = page.locator(ROOT_OF)
        shown.wait_for(timeout=60_000)
        return shown

    return show


def traces(explorer):
    return explorer.locator("table").first.locator("tbody tr").count()


def field(explorer, path, name):
    return explorer.locator(f"fieldset[data-path='{path}'] [data-field={name}]")


def violations(page, selector):
    page.add_script_tag(path=AXE)
    found = page.evaluate(
        """selector => axe.run(selector, {
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'],
        })""",
        selector,
    )
    return [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found["violations"]]


@pytest.mark.parametrize(
    ("application", "theme", "lang"),
    [("lab", "light", "en"), ("lab", "dark", "fa"), ("notebook", "dark", "en")],
)
def test_sliders_ask_and_buttons_act_by_keyboard_alone(page, explorer, application, theme, lang):
    shown = explorer(application, theme, lang)
    answer = shown.locator(".gl-explore-answer")
    expect(shown).to_have_attribute("dir", "rtl" if lang == "fa" else "ltr")
    expect(answer).to_have_attribute("data-traces", "false")
    size = field(shown, "x", "size0")
    size.press("End")
    expect(answer).to_have_attribute("data-traces", "true")
    expect(answer).to_contain_text("x.shape")
    expect(size).to_be_focused()
    rank = field(shown, "x", "rank")
    rank.press("Home")
    expect(field(shown, "x", "size0")).to_have_count(0)
    expect(answer).to_contain_text("walk(float32[], int 2")
    assert traces(shown) == 1
    shown.locator("[data-button=trace]").press("Enter")
    expect(shown.locator("table").first.locator("tbody tr")).to_have_count(2)
    expect(answer).to_have_attribute("data-traces", "false")
    shown.locator("[data-button=run]").press("Enter")
    step = shown.get_by_role("slider").last
    step.press("End")
    expect(shown.locator(".gl-explore-node")).to_contain_text("Less")
    expect(shown.locator("[data-side=eager]").first).to_be_visible()
    shown.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowUp")  # the last of the three: the graph alone
    expect(shown.locator("[data-side=eager]").first).to_be_hidden()
    expect(shown.locator("[data-side=graph]").first).to_be_visible()
    expect(page.locator(STILL)).to_be_hidden()
    assert shown.locator("img").count() == 0
    assert violations(page, ROOT_OF) == []


def test_a_python_number_becomes_a_tensor_and_a_string_is_typed(page, explorer):
    shown = explorer()
    answer = shown.locator(".gl-explore-answer")
    field(shown, "n", "kind").select_option("tensor")
    field(shown, "n", "dtype").select_option("int32")
    expect(answer).to_contain_text("walk(float32[2], int32[]")
    text = field(shown, "label", "value")
    text.fill("b")
    expect(answer).to_contain_text("str 'b'")
    expect(text).to_be_focused()


def test_a_reopened_notebook_shows_how_it_stood(page, lab, explorer):
    shown = explorer()
    field(shown, "x", "size0").press("End")
    shown.locator("[data-button=trace]").click()
    expect(shown.locator("table").first.locator("tbody tr")).to_have_count(2)
    lab.command(page, "docmanager:save")
    path = page.evaluate("window.jupyterapp.shell.currentWidget.context.path")
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    saved = json.loads((lab.folder / path).read_text(encoding="utf-8"))
    html = "".join(saved["cells"][0]["outputs"][0]["data"]["text/html"])
    assert "<script" not in html
    lab.end_sessions()
    lab.reopen(page, path)
    lab.wait_for_kernel(page)  # another one, which knows nothing of the sliders
    still = page.locator(STILL)
    expect(still).to_be_visible()
    expect(still).to_contain_text("float32[8]")
    expect(still).to_contain_text("T2")
    expect(page.locator(".jp-OutputArea").first).not_to_contain_text("Error displaying widget")
    assert violations(page, STILL) == []
