"""Each view in both themes and both directions, in JupyterLab and Notebook 7, as it looked when it was looked at."""

import json

import pytest
from lab_session import code_cell, panel_output
from PIL import Image
from playwright.sync_api import expect

from . import pictures
from .conftest import FIXTURES, PANEL, plain_cell, walk, walk_cell
from .test_explore import ROOT_OF as EXPLORER
from .test_explore import SOURCE as EXPLORE
from .test_runs import stopped, timed

pytestmark = pytest.mark.browser

SIDE = "[data-graphlab-side]"
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
VIEWS = ("retraces", "signatures", "code", "graph", "advice")
RUNS = ("step", "compare")

# application, theme, language, the views there are pictures of
PAGES = [
    ("lab", "light", "en", VIEWS + RUNS),
    ("lab", "dark", "en", VIEWS + RUNS),
    ("lab", "light", "fa", VIEWS),
    ("lab", "dark", "fa", VIEWS),
    ("notebook", "light", "en", VIEWS + RUNS),
    ("notebook", "dark", "fa", VIEWS),
]

EXPLORED = [
    ("lab", "light", "en"),
    ("lab", "dark", "en"),
    ("lab", "light", "fa"),
    ("notebook", "light", "en"),
]


def cells(lang, runs):
    yield walk_cell(walk(lang))
    for name in runs:
        panel = json.loads((FIXTURES / f"{name}.en.json").read_text(encoding="utf-8"))
        panel = {"step": stopped, "compare": timed}[name](panel)
        yield code_cell(f"%tf_{name} walk(x, 3)", panel_output(panel), count=4)


@pytest.fixture
def shown(page, lab, notebook, settings):
    """Opens a notebook of these cells, 1280 pixels wide; gives its panels."""

    def show(application, theme, *content):
        settings("@jupyterlab/apputils-extension:themes", {"theme": THEMES[theme]})
        page.set_viewport_size({"width": 1280, "height": 1000})
        if application == "lab":
            notebook(*content)
            page.wait_for_function(f"document.body.dataset.jpThemeLight === '{json.dumps(theme == 'light')}'")
        else:
            name = lab.write("pictures_in_notebook_7.ipynb", list(content))
            page.goto(f"{lab.url}/notebooks/{name}")
            page.wait_for_function(f"document.body.dataset.jpThemeLight === '{json.dumps(theme == 'light')}'")
            page.wait_for_selector(PANEL)
        page.mouse.move(2, 2)
        return page.locator(PANEL)

    return show


@pytest.mark.parametrize(
    ("application", "theme", "lang", "views"), PAGES, ids=lambda v: v if isinstance(v, str) else ""
)
def test_views(page, shown, application, theme, lang, views):
    runs = [view for view in views if view in RUNS]
    panels = shown(application, theme, *cells(lang, runs))
    for view in views:
        panel = panels.nth(1 + RUNS.index(view) if view in RUNS else 0)
        panel.scroll_into_view_if_needed()
        tab = panel.locator(f"[role=tab][data-view={view}]")
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        if view == "graph":
            panel.locator("[data-drawn]").wait_for()
        page.evaluate("document.activeElement.blur()")
        page.mouse.move(2, 2)
        if view == "compare":  # its times are always the same here
            page.evaluate(
                "document.querySelector('.gl-root [data-volatile]:has(.gl-times)').removeAttribute('data-volatile')"
            )
        pictures.check(page, panel, f"{application}-{theme}-{lang}/{view}")


@pytest.mark.parametrize(
    ("theme", "lang", "place"),
    [("light", "en", "beside"), ("light", "fa", "beside"), ("dark", "en", "below"), ("light", "en", "wide")],
)
def test_the_cell_with_its_panel_and_badge(page, lab, shown, settings, theme, lang, place):
    settings("graphlab:panel", {"place": "below" if place == "below" else "beside"})
    shown("lab", theme, walk_cell(walk(lang)), plain_cell())
    if place == "wide":
        page.locator(".gl-open-wide").click()
        page.locator(f"{PANEL} [data-view=code][role=tab]").click()
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(2, 2)
    pictures.check(page, page.locator(".jp-CodeCell").first, f"cell/{place}-{theme}-{lang}")


@pytest.mark.parametrize(("theme", "lang"), [("light", "en"), ("dark", "en"), ("light", "fa")])
def test_the_side_panel(page, lab, shown, settings, theme, lang):
    settings("graphlab:panel", {"language": lang})
    calm = walk(lang)
    calm["functions"][0] |= {"name": "calm", "volatile": {"identity": "a1b2c3d4.2"}}
    calm["functions"][0]["counts"] |= {"traces": 1, "retraces": 0}
    calm["functions"][0]["traces"] = calm["functions"][0]["traces"][:1]
    shown("lab", theme, walk_cell(walk(lang)), walk_cell(calm))
    lab.command(page, "graphlab:toggle-side-panel")
    page.locator(f"{SIDE} summary").first.click()
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(2, 2)
    try:
        pictures.check(page, page.locator(SIDE), f"side/{theme}-{lang}")
    finally:
        page.evaluate("window.jupyterapp.shell.collapseRight()")


@pytest.mark.parametrize(("application", "theme", "lang"), EXPLORED)
def test_the_sliders(page, lab, notebook, settings, application, theme, lang):
    settings("@jupyterlab/apputils-extension:themes", {"theme": THEMES[theme]})
    page.set_viewport_size({"width": 1280, "height": 1400})
    content = [code_cell(EXPLORE.format(lang=lang)), plain_cell()]
    if application == "lab":
        notebook(*content, first_panel=False)
    else:
        page.goto(f"{lab.url}/notebooks/{lab.write('sliders_in_notebook_7.ipynb', content)}")
        page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.content?.widgets?.length > 0")
    page.wait_for_function(f"document.body.dataset.jpThemeLight === '{json.dumps(theme == 'light')}'")
    lab.wait_for_kernel(page)
    lab.command(page, "notebook:run-all-cells")
    shown = page.locator(EXPLORER)
    shown.locator("fieldset[data-path=x] [data-field=size0]").press("ArrowRight")
    expect(shown.locator(".gl-explore-answer")).to_have_attribute("data-traces", "true")
    shown.locator("[data-button=run]").press("Enter")
    shown.locator(".gl-explore-node").wait_for()
    shown.get_by_role("slider").last.press("ArrowRight")
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(2, 2)
    pictures.check(page, shown, f"explore/{application}-{theme}-{lang}")


@pytest.mark.parametrize(("theme", "lang"), [("light", "en"), ("dark", "fa")])
def test_the_functions_that_ran_with_it(page, shown, theme, lang):
    panel = json.loads((FIXTURES / f"effects.{lang}.json").read_text(encoding="utf-8"))
    found = shown("lab", theme, code_cell(panel["cell"]["source"].rstrip("\n"), panel_output(panel), count=3)).first
    found.locator("[role=tab][data-view=code]").click()
    helper = found.locator(".gl-helper")
    expect(helper.locator(".gl-r")).to_have_count(4)
    helper.locator(".gl-r[data-line='9']").click()
    expect(page.locator(".gl-editor-line")).to_have_text("        return x + 1.0")
    helper.locator(".gl-r[data-line='9']").click()
    expect(page.locator(".gl-editor-line")).to_have_count(0)
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(2, 2)
    pictures.check(page, found, f"effects/{theme}-{lang}")


def test_every_picture_is_of_something():
    expected = {f"{a}-{t}-{lang}/{view}" for a, t, lang, views in PAGES for view in views}
    expected |= {f"cell/{name}" for name in ("beside-light-en", "beside-light-fa", "below-dark-en", "wide-light-en")}
    expected |= {f"side/{name}" for name in ("light-en", "dark-en", "light-fa")}
    expected |= {f"explore/{'-'.join(one)}" for one in EXPLORED}
    expected |= {"effects/light-en", "effects/dark-fa"}
    assert pictures.names() == expected


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        (lambda picture: picture, False),
        (lambda picture: picture.point(lambda v: min(255, v + 6)), False),  # another hand at the same letters
        (lambda picture: picture.transform(picture.size, Image.Transform.AFFINE, (1, 0, 0, 0, 1, 20)), True),
        (lambda picture: Image.eval(picture, lambda v: 255 - v), True),
        (lambda picture: picture.crop((0, 0, picture.width, picture.height // 2)), True),
    ],
    ids=["same", "a-shade", "moved", "other-theme", "cut"],
)
def test_what_counts_as_a_change(change, seen):
    picture = Image.open(pictures.BASELINE / "lab-light-en" / "retraces.png").convert("RGB")
    assert (pictures.changed(picture, change(picture))[0] is not None) is seen
