"""Kernels: a second browser tab, two kernels, one that ends on the way; and a notebook without any, as HTML."""

import importlib
import json
import subprocess
import sys

import pytest
from lab_session import MIME, code_cell
from playwright.sync_api import expect

from graphlab.inspect.static_html import html

from .conftest import PANEL, walk, walk_cell

pytestmark = pytest.mark.browser

SIDE = "[data-graphlab-side]"
START = "%load_ext graphlab\nimport graphlab as tf, os, signal, time"
F = "%%tf_function\ndef f(x):\n    return x + 1\n\nf(tf.zeros(2))"
DYING = F + "\nif os.path.exists('die'):\n    time.sleep(1)\n    os.kill(os.getpid(), signal.SIGKILL)"


def cell(page, index):
    return page.locator(".jp-Notebook .jp-CodeCell").nth(index)


def run_cell(page, index):
    cell(page, index).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def open_notebook(page, name):
    page.evaluate(
        """async path => {
            const { commands, shell } = window.jupyterapp;
            const widget = await commands.execute('docmanager:open', { path, factory: 'Notebook' });
            await widget.revealed;
            shell.activateById(widget.id);
        }""",
        name,
    )
    page.wait_for_function("path => window.jupyterapp.shell.currentWidget?.context?.path === path", arg=name)
    page.wait_for_function("window.jupyterapp.shell.currentWidget.content.widgets.length > 0")


def test_a_kernel_that_dies_while_a_cell_runs(page, lab, notebook):
    name = notebook(code_cell(START), code_cell(F.replace("f(", "g(")), code_cell(DYING), first_panel=False)
    (lab.folder / "die").unlink(missing_ok=True)
    lab.run_all(page)
    expect(cell(page, 2).locator(PANEL)).to_be_visible()
    lab.command(page, "docmanager:save")
    page.evaluate("window.jupyterapp.commands.execute('graphlab:toggle-side-panel')")
    (lab.folder / "die").touch()
    run_cell(page, 2)
    try:
        # whether or not another kernel is started in its place, the panel stays and says what it is
        expect(cell(page, 2).locator(".gl-kernel-note")).to_contain_text("The kernel ended", timeout=30_000)
        dialog = page.locator(".jp-Dialog button")
        if dialog.count():
            dialog.first.click()  # JupyterLab tells of it too
        expect(cell(page, 2).locator(f"{PANEL} .gl-lede").first).to_contain_text("First trace of f")
        expect(cell(page, 2).locator(".gl-badge")).to_contain_text("1 trace")
        expect(cell(page, 1).locator(".gl-kernel-note")).to_be_hidden()  # it ran to its end
        expect(page.locator(f"{SIDE} .gl-side-entry")).to_have_count(2)
        lab.command(page, "docmanager:save")
        page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
        saved = json.loads((lab.folder / name).read_text())["cells"]
        assert [any(MIME in o.get("data", {}) for o in c["outputs"]) for c in saved] == [False, True, False]
    finally:
        (lab.folder / "die").unlink(missing_ok=True)
    lab.wait_for_kernel(page)
    lab.run_all(page)
    expect(cell(page, 2).locator(".gl-kernel-note")).to_be_hidden()
    expect(cell(page, 2).locator(".gl-badge")).to_have_text("1 traceHide panel")
    page.evaluate("window.jupyterapp.shell.collapseRight()")


def test_two_notebooks_with_a_kernel_each(page, lab, notebook):
    first = notebook(code_cell(START), code_cell(F), first_panel=False)
    second = lab.write("second_kernel.ipynb", [code_cell(START), code_cell(F.replace("f(", "h("))])
    lab.run_all(page)
    page.evaluate("window.jupyterapp.commands.execute('graphlab:toggle-side-panel')")
    open_notebook(page, second)
    lab.run_all(page)
    name = page.locator(f"{SIDE} .gl-side-name")
    expect(name).to_have_text(["h"])
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    expect(page.locator(f"{SIDE} .gl-side-kernel")).to_contain_text("The kernel has ended.")
    expect(name).to_have_text(["h"])
    open_notebook(page, first)
    expect(name).to_have_text(["f"])
    expect(page.locator(f"{SIDE} .gl-side-kernel")).to_be_hidden()  # the other one is well
    expect(page.locator(f"{SIDE} .gl-side-note")).to_have_count(0)
    page.evaluate("window.jupyterapp.shell.collapseRight()")


def test_a_second_browser_tab_shows_what_the_first_does(page, lab, notebook, browser):
    name = notebook(code_cell(START), code_cell(F), first_panel=False)
    lab.run_all(page)
    lab.command(page, "docmanager:save")
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    try:
        other = context.new_page()
        other.set_default_timeout(15_000)
        lab.open(other, name)
        expect(other.locator(PANEL)).to_be_visible()
        lab.wait_for_kernel(other)  # the same kernel
        run_cell(other, 1)
        expect(other.locator(".gl-badge")).to_contain_text("1 trace")
        expect(other.locator(PANEL)).to_have_count(1)
        other.evaluate("window.jupyterapp.commands.execute('graphlab:toggle-side-panel')")
        expect(other.locator(f"{SIDE} .gl-side-name")).to_have_text(["f"])
        expect(other.locator(f"{SIDE} .gl-side-note")).to_have_count(0)  # it has heard from the kernel who it is
        expect(page.locator(PANEL)).to_have_count(1)  # and in the first tab what stood there stands
    finally:
        context.close()


def exported(panel):
    """The walk's cell with the HTML that graphlab gives it."""
    made = walk_cell(panel)
    for output in made["outputs"]:
        if MIME in output.get("data", {}):
            output["data"]["text/html"] = html(panel)
    return made


def test_exported_as_html_it_needs_no_script(lab, tmp_path, browser):
    name = lab.write("exported.ipynb", [exported(walk()), exported(walk("fa"))])
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--output-dir", str(tmp_path), str(lab.folder / name)]
    subprocess.run(command, check=True, capture_output=True)
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    try:
        shown = context.new_page()
        shown.goto((tmp_path / "exported.html").as_uri(), wait_until="domcontentloaded")
        english, persian = shown.locator(".gl-static").all()
        expect(english).to_contain_text("walk was traced 4 times for 6 calls.")
        expect(english).to_contain_text("x has another shape: axis 0 went from 2 to 3.")
        expect(english.locator("details[open]").first).to_be_visible()
        expect(persian).to_have_attribute("dir", "rtl")
        closed = english.locator("details:not([open]) > summary").first
        closed.click()  # folding is HTML's own
        assert shown.locator(".gl-static script").count() == 0
        inside = shown.locator(".gl-static [src], .gl-static link, .gl-static iframe")
        assert inside.count() == 0, "a panel asks nobody for anything"
    finally:
        context.close()


def test_a_tutorial_that_is_only_opened_stays_as_it_is(page, lab):
    builder = importlib.import_module("build_notebooks")
    name = builder.names()[0]
    builder.write(builder.make(name, "en"), lab.folder / "opened.ipynb")
    written = (lab.folder / "opened.ipynb").read_text("utf-8")
    lab.open(page, "opened.ipynb")
    page.stale = False
    lab.wait_for_kernel(page)
    model = "window.jupyterapp.shell.currentWidget.context.model"
    page.wait_for_function(f"{model}.getMetadata('language_info').version")
    assert page.evaluate(f"{model}.dirty") is False
    lab.command(page, "docmanager:save")
    assert json.loads((lab.folder / "opened.ipynb").read_text("utf-8")) == json.loads(written)
