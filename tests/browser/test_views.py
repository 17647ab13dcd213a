"""What a reader does inside the panel: tabs, calls, lines, the graph; in both directions of writing and both themes."""

import json
import re

import pytest
from lab_session import ROOT, code_cell
from playwright.sync_api import expect

from .conftest import PANEL, plain_cell, two_functions, walk, walk_cell

pytestmark = pytest.mark.browser

AXE = ROOT / "extension" / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = ["retraces", "signatures", "code", "graph", "advice"]


def tab(page, view):
    return page.locator(f"{PANEL} [role=tab][data-view={view}]").first


def pane(page, view):
    return page.locator(f"{PANEL} [role=tabpanel][data-view={view}]").first


def show(page, view):
    tab(page, view).click()
    if view == "graph":
        page.wait_for_selector(f"{PANEL} [data-drawn]")


def node(page, title):
    """The first node of this title: an operation, an argument, a value of the loop."""
    return page.locator(f"{PANEL} .gl-node:has(text:text-is({json.dumps(title, ensure_ascii=False)}))").first


def node_data(graph, title):
    return next(n for n in graph["nodes"] if n["title"] == title)


def marked_line(page):
    line = page.locator(".cm-line.gl-editor-line")
    return line.inner_text() if line.count() else None


def test_the_sentence_then_the_grid_then_the_reasons(page, notebook):
    notebook(walk_cell())
    view = pane(page, "retraces")
    expect(view.locator(".gl-lede")).to_contain_text("walk was traced 4 times for 6 calls.")
    marks = view.locator(".gl-mx tbody tr").evaluate_all(
        """rows => rows.map(row => [...row.querySelectorAll('td.gl-c')].map(
            cell => cell.querySelector('svg')?.classList[1] ?? '').join(' '))"""
    )
    assert [m.replace("gl-m-", "") for m in marks] == [
        "trace no no no no no",
        " trace no graph no no",
        "  trace no no no",
        "    trace graph",
    ]
    tops = [e.bounding_box()["y"] for e in view.locator(".gl-lede, .gl-mx, .gl-traces").all()]
    assert tops == sorted(tops)
    page.get_by_role("button", name="Show that signature").click()
    expect(tab(page, "signatures")).to_be_focused()
    expect(pane(page, "signatures").locator("tfoot")).to_contain_text("float32[None]")


def test_tabs_by_keyboard(page, notebook):
    notebook(walk_cell())
    tab(page, "retraces").focus()
    for key, view in [
        ("ArrowRight", "signatures"),
        ("End", "advice"),
        ("ArrowRight", "retraces"),
        ("ArrowLeft", "advice"),
    ]:
        page.keyboard.press(key)
        expect(tab(page, view)).to_be_focused()
        expect(pane(page, view)).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("Tab")  # one tab stop for all tabs: next is the view itself
    expect(pane(page, "retraces")).to_be_focused()


def test_the_order_of_the_keyboard(page, notebook):
    notebook(walk_cell(two_functions()))
    page.locator(".gl-badge").focus()
    expected = [".gl-fn [aria-pressed=true]", ".gl-open-wide", "[aria-label='Hide panel']", "[aria-selected=true]"]
    for selector in expected:
        page.keyboard.press("Tab")
        while page.evaluate("document.activeElement.closest('.jp-Cell-outputWrapper, .jp-toolbar-overlap') !== null"):
            page.keyboard.press("Tab")  # the output's own buttons
        expect(page.locator(f"{PANEL} {selector}").first).to_be_focused()


def test_keys_in_the_panel_are_not_jupyterlabs(page, notebook):
    """In command mode 'a' would add a cell, 'x' cut one, the arrows leave it."""
    notebook(plain_cell(), walk_cell(), plain_cell())
    tab(page, "retraces").click()
    for key in ["a", "b", "x", "ArrowDown", "ArrowUp", "Enter"]:
        page.keyboard.press(key)
    expect(page.locator(".jp-Notebook .jp-Cell")).to_have_count(3)
    expect(page.locator(".jp-Notebook .jp-Cell").nth(1)).to_have_class(re.compile("jp-mod-active"))
    expect(page.locator(".jp-Notebook")).to_have_class(re.compile("jp-mod-commandMode"))
    expect(tab(page, "retraces")).to_be_focused()


def test_calls(page, notebook):
    notebook(walk_cell())
    now = page.locator(f"{PANEL} .gl-now")
    expect(now).to_have_text("Call 4, line 17: reused T2.")
    page.locator(f"{PANEL} .gl-mx button").nth(2).click()
    expect(now).to_have_text("Call 3, line 16: no trace fitted, so T3 was made.")
    page.keyboard.press("ArrowLeft")
    expect(now).to_have_text("Call 2, line 15: no trace fitted, so T2 was made.")
    expect(page.locator(f"{PANEL} .gl-mx button").nth(1)).to_be_focused()
    assert page.locator(f"{PANEL} .gl-now").get_attribute("aria-live") == "polite"


def test_the_marks_beside_a_long_signature_are_seen(page, notebook):
    panel = walk()
    for trace in panel["functions"][0]["traces"]:
        trace["signature"] = "float32[2], " + ", ".join(f"{{'key_{n}': [int {n}, str 'a']}}" for n in range(6))
    notebook(walk_cell(panel))
    edge = page.locator(f"{PANEL} .gl-mx").evaluate("e => e.closest('[role=tabpanel]').getBoundingClientRect().right")
    marks = page.locator(f"{PANEL} .gl-mx td")
    assert all(box["x"] + box["width"] <= edge + 1 for mark in marks.all() if (box := mark.bounding_box()))


def test_the_line_to_write_is_copied(page, notebook):
    notebook(walk_cell())
    page.locator(f"{PANEL} .gl-trace[data-trace='2']").get_by_role("button", name="Copy").click()
    expect(page.locator(f"{PANEL} [role=status]").first).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "walk(tf.zeros(2), tf.constant(4))"


def test_lines_are_linked_both_ways(page, notebook):
    notebook(walk_cell())
    show(page, "code")
    rows = page.locator(f"{PANEL} .gl-code .gl-r")
    page.locator(f"{PANEL} .gl-r[data-line='8'] .gl-tx").first.click()
    assert "if tf.reduce_any" in marked_line(page)
    page.keyboard.press("ArrowDown")
    assert marked_line(page).strip() == "x = x * 0.5"
    expect(page.locator(f"{PANEL} .gl-r[data-line='9']")).to_be_focused()
    # the other way: the cursor in the editor
    page.locator(".jp-CodeCell .cm-line", has_text="x = x + d").click()
    expect(page.locator(f"{PANEL} .gl-r.gl-linked")).to_have_attribute("data-line", "11")
    assert marked_line(page).strip() == "x = x + d"
    # views without lines mark none
    show(page, "signatures")
    assert marked_line(page) is None
    show(page, "code")
    expect(page.locator(f"{PANEL} .gl-r.gl-linked")).to_have_attribute("data-line", "11")
    assert rows.count() == 9


def test_a_node_marks_its_line(page, notebook):
    notebook(walk_cell())
    show(page, "graph")
    graph = walk()["functions"][0]["graph"]
    node(page, "Mul").click()
    assert marked_line(page).strip() == "x = x * 0.5"
    expect(pane(page, "graph").locator(".gl-pick p")).to_have_text(
        node_data(graph, "Mul")["text"]["text"].replace("`", "")
    )
    node(page, "Greater").click()
    assert "if tf.reduce_any" in marked_line(page)
    drawn = [n for n in graph["nodes"] if n["kind"] != "const" and "traced" in n.get("in", ["traced"])]
    of_line_8 = [n for n in drawn if n["line"] == 8]
    assert len(of_line_8) > 1
    expect(page.locator(f"{PANEL} .gl-node.gl-linked")).to_have_count(len(of_line_8))
    show(page, "code")
    expect(page.locator(f"{PANEL} .gl-r.gl-linked")).to_have_attribute("data-line", "8")


def test_the_graph_by_keyboard(page, notebook):
    notebook(walk_cell())
    show(page, "graph")
    first = page.locator(f"{PANEL} .gl-node[tabindex='0']")
    expect(first).to_have_count(1)
    first.focus()
    focused = "document.activeElement.getAttribute('aria-label')"
    for _ in range(12):
        if "StatelessRandomNormalV2" in page.evaluate(focused):
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(f"{PANEL} .gl-node[aria-pressed=true]").first).to_be_visible()
    assert "stateless_normal" in marked_line(page)
    page.keyboard.press("Escape")
    assert marked_line(page) is None


def test_bodies_stand_inside_one_another(page, notebook):
    notebook(walk_cell())
    show(page, "graph")
    box = lambda selector: page.locator(f"{PANEL} {selector}").first.bounding_box()  # noqa: E731
    loop, cond, branch = (box(f".gl-cluster.gl-is-{kind} rect") for kind in ("loop", "cond", "branch"))
    mul = node(page, "Mul").bounding_box()
    for outer, inner in [(loop, cond), (cond, branch), (branch, mul)]:
        assert outer["x"] < inner["x"]
        assert inner["x"] + inner["width"] < outer["x"] + outer["width"]
        assert outer["y"] < inner["y"]
        assert inner["y"] + inner["height"] < outer["y"] + outer["height"]
    back = box(".gl-edge.gl-is-back")
    assert back["x"] < loop["x"]
    stage, arg = box(".gl-stage"), box(".gl-node.gl-is-arg")
    assert stage["x"] < back["x"], "the gutter is inside the stage"
    assert arg["y"] < loop["y"]


def test_zoom_pan_and_fit(page, notebook):
    notebook(walk_cell())
    show(page, "graph")
    first = node(page, "x")
    before = first.bounding_box()
    page.get_by_role("button", name="Zoom in").click()
    assert first.bounding_box()["width"] == pytest.approx(before["width"] * 1.25, rel=0.02)
    stage = page.locator(f"{PANEL} .gl-stage").bounding_box()
    at = first.bounding_box()
    page.mouse.move(stage["x"] + 12, stage["y"] + stage["height"] / 2)
    page.mouse.down()
    page.mouse.move(stage["x"] + 62, stage["y"] + stage["height"] / 2 + 30, steps=4)
    page.mouse.up()
    assert first.bounding_box()["x"] == pytest.approx(at["x"] + 50, abs=2)
    assert first.bounding_box()["y"] == pytest.approx(at["y"] + 30, abs=2)
    page.get_by_role("button", name="Fit").click()
    assert first.bounding_box() == pytest.approx(before, abs=1)
    first.focus()
    page.keyboard.press("-")
    assert first.bounding_box()["width"] < before["width"]
    page.keyboard.press("0")
    assert first.bounding_box() == pytest.approx(before, abs=1)


def test_shapes_constants_and_control_edges_on_demand(page, notebook):
    panel = walk()
    graph = panel["functions"][0]["graph"]
    mul, draw, greater = (node_data(graph, title) for title in ("Mul", "StatelessRandomNormalV2", "Greater"))
    assert [n["title"] for n in graph["nodes"] if n["kind"] == "const" and n["cluster"] == mul["cluster"]] == ["0.5"]
    graph["edges"] += [
        {"from": draw["id"], "to": greater["id"], "kind": "control", "label": None},
    ]
    notebook(walk_cell(panel))
    show(page, "graph")
    labels = page.locator(f"{PANEL} .gl-edge-label")
    expect(labels.first).to_be_visible()
    page.get_by_role("checkbox", name="Shapes").uncheck()
    expect(labels).to_have_count(0)
    expect(page.locator(f"{PANEL} .gl-is-const")).to_have_count(0)
    page.get_by_role("checkbox", name="Constants").check()
    expect(node(page, "0.5")).to_be_visible()
    expect(page.locator(f"{PANEL} .gl-stage .gl-is-control")).to_have_count(0)
    page.get_by_role("checkbox", name="Control edges").check()
    expect(page.locator(f"{PANEL} .gl-stage .gl-is-control .gl-open")).to_have_count(1)


def test_two_functions_in_one_cell(page, notebook):
    notebook(walk_cell(two_functions()))
    names = page.locator(f"{PANEL} .gl-fn button")
    expect(names).to_have_text(["walk 4", "d_dt 1"])
    show(page, "code")
    names.first.focus()
    page.keyboard.press("ArrowRight")
    expect(names.nth(1)).to_be_focused()
    expect(page.locator(f"{PANEL} [role=tab]")).to_have_count(3)
    expect(tab(page, "retraces")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowLeft")
    expect(tab(page, "code")).to_have_attribute("aria-selected", "true")


def test_persian_runs_right_to_left_and_code_does_not(page, notebook):
    notebook(walk_cell(walk("fa")))
    expect(page.locator(PANEL)).to_have_attribute("dir", "rtl")
    heads = [e.bounding_box()["x"] for e in page.locator(f"{PANEL} .gl-mx button").all()]
    assert heads == sorted(heads, reverse=True), "the first call stands at the right"
    expect(page.locator(f"{PANEL} .gl-mx button").first).to_contain_text("۱")
    before, after = page.locator(f"{PANEL} .gl-before").first, page.locator(f"{PANEL} .gl-after").first
    assert after.bounding_box()["x"] < before.bounding_box()["x"]
    assert page.locator(f"{PANEL} .gl-mx code").first.evaluate("e => getComputedStyle(e).direction") == "ltr"
    tab(page, "retraces").focus()
    page.keyboard.press("ArrowLeft")  # onwards, from right to left
    expect(tab(page, "signatures")).to_be_focused()
    show(page, "code")
    numbers = page.locator(f"{PANEL} .gl-code .gl-no").first.bounding_box()
    text = page.locator(f"{PANEL} .gl-code .gl-tx").first.bounding_box()
    assert numbers["x"] < text["x"], "line numbers stand left of the code"
    panel, editor = page.locator(PANEL).bounding_box(), page.locator(".jp-CodeCell .jp-Editor").bounding_box()
    assert panel["x"] > editor["x"], "the panel's place does not turn"


def test_edited_since(page, notebook):
    notebook(walk_cell())
    note = page.get_by_text("The cell was edited since")
    expect(note).to_be_hidden()
    page.locator(".jp-CodeCell .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("  # more")
    expect(note).to_be_visible()
    expect(page.locator(".gl-badge")).to_have_text("4 traces·cell edited sinceHide panel")
    for _ in range(8):
        page.keyboard.press("Backspace")
    expect(note).to_be_hidden()
    expect(page.locator(".gl-badge")).to_have_text("4 traces·3 retracesHide panel")


def test_while_tracing_the_last_picture_stays(page, lab, notebook):
    """The cell is run by a plain kernel that shows stored data; the panel follows the outputs as they come."""
    (lab.folder / "shown.json").write_text(json.dumps(walk() | {"cell": {"source": None, "first_line": 1}}))
    show_it = (
        "import json, time\nfrom IPython.display import display\n"
        "time.sleep(1)\n"
        "display({'application/vnd.graphlab.trace+json': json.load(open('shown.json'))}, raw=True)"
    )
    notebook(code_cell(show_it), first_panel=False)
    expect(page.locator(".gl-badge")).to_have_count(0)
    lab.wait_for_kernel(page)
    page.locator(".jp-CodeCell .cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(page.locator(PANEL)).to_be_visible(timeout=30_000)
    show(page, "code")
    page.locator(".jp-CodeCell .cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".gl-badge")).to_contain_text("running…")
    expect(page.locator(PANEL)).to_be_visible()
    expect(page.locator(".gl-badge")).to_contain_text("4 traces")
    expect(tab(page, "code")).to_have_attribute("aria-selected", "true")
    page.locator(".jp-CodeCell .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("1 + 1")
    page.keyboard.press("Control+Enter")
    expect(page.locator(PANEL)).to_have_count(0)  # the new outputs have none


def test_the_kernel_is_told_the_language_when_it_asks(page, lab, notebook):
    ask = "from comm import create_comm\nheard = []\ncomm = create_comm('graphlab')\ncomm.on_msg(heard.append)"
    notebook(code_cell(ask), code_cell("heard[0]['content']['data']"), first_panel=False)
    lab.wait_for_kernel(page)
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".jp-InputPrompt").first).to_contain_text("[1]", timeout=30_000)
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".jp-OutputArea-output").first).to_have_text("{'language': 'en'}")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_nothing_is_in_the_way_of_assistive_technology(page, notebook, settings, theme):
    settings("@jupyterlab/apputils-extension:themes", {"theme": theme})
    notebook(walk_cell(two_functions()))
    dark = theme.endswith("Dark")
    background = page.locator(PANEL).evaluate("e => getComputedStyle(e).backgroundColor")
    assert background == ("rgb(33, 33, 33)" if dark else "rgb(255, 255, 255)")
    page.add_script_tag(path=AXE)
    for view in VIEWS:
        show(page, view)
        found = page.evaluate(
            """panel => axe.run([panel, '.gl-badge-row'], {
                runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'],
            })""",
            PANEL,
        )
        said = [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found["violations"]]
        assert said == [], view
