"""One JupyterLab and one Chromium for all browser tests; a fresh page for each."""

import copy
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))  # the session is shared with the script that makes the README's picture

extension = importlib.import_module("extension")
lab_session = importlib.import_module("lab_session")

FIXTURES = ROOT / "tests" / "inspect" / "fixtures"
PANEL = "[data-graphlab-panel]"
SIZE = {"width": 1560, "height": 950}


@pytest.fixture(scope="session")
def lab(chromium):
    extension.build()  # nothing to do after `make test` has built it
    with lab_session.running_lab() as running:
        yield running


@pytest.fixture(scope="session")
def browser(chromium):
    with lab_session.running_chromium(chromium) as running:
        yield running


@pytest.fixture(scope="session")
def window(browser, lab):
    """The one page of the session. Loading JupyterLab takes seconds; opening another notebook in it does not."""
    context = browser.new_context(viewport=SIZE)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.stale = True  # to be loaded anew before the next notebook is shown
    page.outside, page.errors = [], []
    own = (lab.url, "data:", "blob:")
    page.on("request", lambda r: None if r.url.startswith(own) else page.outside.append(r.url))
    page.on("pageerror", lambda e: page.errors.append(f"{e}\n{e.stack}"))
    yield page
    context.close()


@pytest.fixture
def page(window, lab):
    """A page that may ask nobody but the server, and in which our code throws no errors."""
    window.outside.clear()
    window.errors.clear()
    window.set_viewport_size(SIZE)
    yield window
    lab.end_sessions()
    assert window.outside == []
    assert [e for e in window.errors if "/graphlab/" in e] == []  # JupyterLab and Notebook have some of their own


@pytest.fixture
def settings(lab, window) -> Iterator[Callable[..., None]]:
    """Change a plugin's settings for one test."""
    window.stale = True
    yield lab.settings
    lab.quiet()
    window.stale = True


def walk(lang: str = "en") -> dict[str, Any]:
    return json.loads((FIXTURES / f"walk.{lang}.json").read_text(encoding="utf-8"))


def walk_cell(panel: dict[str, Any] | None = None) -> dict[str, Any]:
    """The walk cell as it stands in a saved notebook."""
    panel = panel or walk()
    return lab_session.code_cell(
        panel["cell"]["source"].rstrip("\n"),
        {"output_type": "stream", "name": "stdout", "text": "tracing walk: (2,) 3\ntracing walk: (2,) 4\n"},
        lab_session.panel_output(panel),
        {
            "output_type": "execute_result",
            "execution_count": 3,
            "metadata": {},
            "data": {"text/plain": "<tf.Tensor: shape=(2,), dtype=float32>"},
        },
        count=3,
    )


def plain_cell(text: str = "1 + 1") -> dict[str, Any]:
    return lab_session.code_cell(text)


def two_functions() -> dict[str, Any]:
    """The walk, with a second function beside it."""
    panel = walk()
    other = copy.deepcopy(panel["functions"][0])
    other["name"] = "d_dt"
    other["counts"]["traces"] = 1
    other["views"] = ["retraces", "code", "graph"]
    panel["functions"].append(other)
    panel["lede"] = {"id": "lede.several", "values": {}, "text": "**2 functions, 5 traces.**"}
    return panel


@pytest.fixture
def notebook(lab, page, request):
    """Write a notebook of these cells and show it; wait until its first panel stands there, if it has one."""

    def show(*cells: dict[str, Any], first_panel: bool = True) -> str:
        name = lab.write(f"{request.node.name.replace('[', '-').rstrip(']')}.ipynb", list(cells))
        if page.stale:
            lab.open(page, name)
            page.stale = False
        else:
            lab.reopen(page, name)
        if first_panel:
            page.wait_for_selector(PANEL)
        return name

    return show
