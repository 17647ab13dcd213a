"""The graph view in JupyterLab: its parts, bodies that open and close, search, large graphs, files, links."""

import json
import linecache

import pytest
from lab_session import code_cell, panel_output
from playwright.sync_api import expect

import graphlab
from graphlab.inspect import Cell, gather, panel

from .conftest import PANEL
from .test_views import AXE, marked_line, node, pane, show

pytestmark = pytest.mark.browser

RICH = """
v = tf.Variable(2.0)
def helper(a):
    return tf.square(a) + 1.0
@tf.function
def f(x, steps):
    unused = tf.exp(x)
    c = tf.constant(2.0) * 3.0
    for i in tf.range(steps):
        if tf.reduce_any(x > 1.5):
            x = x * 0.5 * 1.0
        else:
            x = x + c
    return x + helper(x) * v
with tf.GradientTape() as tape:
    x = tf.ones((2, 2))
    tape.watch(x)
    y = f(x, tf.constant(2))
tape.gradient(y, x)
"""
LONG = (
    "@tf.function\ndef f(x):\n"
    + "".join(f"    x = tf.sin(x) * {k}.5\n" for k in range(1200))
    + "    return x\nf(tf.constant(1.0))\n"
)
FOLDED = (
    "@tf.function\ndef f(x):\n    for i in tf.range(3):\n"
    + "".join(f"        x = tf.sin(x) * {k}.5\n" for k in range(50))
    + "        x = tf.nn.relu(x)\n    return x\nf(tf.constant(1.0))\n"
)
made = {}


def cell(source, lang="en"):
    """A cell as a notebook holds it after it ran: made by this process, without a kernel."""
    if (source, lang) not in made:
        name = f"<graphlab_user_browser_{len(made)}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        space = {"tf": graphlab}
        exec(compile(source, name, "exec"), space)
        data = panel([gather.subject(space["f"])], Cell(source, name), lang)
        made[source, lang] = json.loads(json.dumps(data))
    return code_cell(source.rstrip("\n"), panel_output(made[source, lang]), count=1)


def choose(page, mode):
    page.locator(f"{PANEL} [data-mode={mode}]").click()
    page.wait_for_selector(f"{PANEL} [data-drawn={mode}]:not([aria-busy])")


def settled(page):
    page.wait_for_selector(f"{PANEL} .gl-stage:not([aria-busy])")


def titles(page, selector=""):
    nodes = page.locator(f"{PANEL} .gl-node{selector}")
    return nodes.evaluate_all("nodes => nodes.map(n => n.querySelector('text').textContent)")


def test_what_the_optimiser_did(page, notebook):
    notebook(cell(RICH))
    show(page, "graph")
    assert titles(page, "[class*=gl-change]") == []
    choose(page, "difference")
    assert sorted(titles(page, ".gl-change-removed")) == ["− Exp", "− Mul", "− Mul"]
    expect(pane(page, "graph").locator(".gl-key")).to_contain_text("removed")
    expect(pane(page, "graph").locator(".gl-lede")).to_contain_text("The optimiser left")
    node(page, "− Exp").click()
    pick = pane(page, "graph").locator(".gl-pick")
    expect(pick).to_contain_text("removed Nothing needs the result.")
    rows = pane(page, "graph").locator(".gl-changes tbody tr")
    expect(rows.filter(has_text="constant folding")).to_contain_text("line 8")
    choose(page, "runs")
    assert not any(title.startswith("−") for title in titles(page))
    rows.filter(has_text="simplification").get_by_role("button").click()  # leads to the node, in the difference
    page.wait_for_selector(f"{PANEL} [data-drawn=difference] .gl-picked.gl-change-removed")
    assert marked_line(page).strip() == "x = x * 0.5 * 1.0"


def test_the_gradient_with_the_forward_nodes_that_it_uses(page, notebook):
    notebook(cell(RICH))
    show(page, "graph")
    choose(page, "gradient")
    assert {"∂ x", "∂ x + helper(x) * v"} <= set(titles(page, ".gl-backward"))
    expect(page.locator(f"{PANEL} .gl-is-saved").first).to_be_attached()
    assert "Any" in titles(page, ":not(.gl-backward)")  # which branch was taken
    expect(pane(page, "graph").locator(".gl-key")).to_contain_text("value kept for the gradient")


def test_bodies_open_and_close_by_pointer_and_keyboard(page, notebook):
    notebook(cell(FOLDED))
    show(page, "graph")
    body = page.locator(f"{PANEL} .gl-node.gl-is-body")
    expect(body).to_have_attribute("aria-expanded", "false")
    body.click()
    settled(page)
    expect(body).to_have_count(0)
    assert titles(page).count("Sin") == 50
    expect(page.locator(f"{PANEL} .gl-node[tabindex='0']")).to_be_focused()
    head = page.locator(f"{PANEL} .gl-head-of-cluster")
    head.focus()
    page.keyboard.press("Enter")
    settled(page)
    expect(body).to_be_focused()
    page.get_by_role("button", name="Open all bodies").click()
    settled(page)
    expect(head).to_have_count(1)
    page.get_by_role("button", name="Close all bodies").click()
    settled(page)
    expect(head).to_have_count(0)


def test_search_opens_what_is_closed(page, notebook):
    notebook(cell(FOLDED))
    show(page, "graph")
    node(page, "x").focus()
    page.keyboard.press("/")
    find = page.get_by_role("searchbox", name="Find in the graph")
    expect(find).to_be_focused()
    find.fill("relu")
    count = page.locator(f"{PANEL} .gl-find-n")
    expect(count).to_have_text("1")
    page.keyboard.press("Enter")
    expect(count).to_have_text("1 / 1")
    page.wait_for_selector(f"{PANEL} .gl-picked.gl-found")
    assert marked_line(page).strip() == "x = tf.nn.relu(x)"
    find.fill("line 5")
    expect(count).to_have_text("2")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(count).to_have_text("2 / 2")
    page.keyboard.press("Enter")
    expect(count).to_have_text("1 / 2")
    find.fill("nowhere")
    expect(count).to_have_text("No match")
    page.keyboard.press("Escape")
    expect(find).to_have_value("")
    expect(page.locator(f"{PANEL} .gl-found")).to_have_count(0)


def test_a_graph_of_two_thousand_nodes(page, notebook):
    notebook(cell(LONG))
    show(page, "graph")
    nodes = page.locator(f"{PANEL} .gl-node")
    expect(nodes).to_have_count(200)
    assert any("graphlab" in worker.url for worker in page.workers), "it is laid out beside the page"
    expect(pane(page, "graph")).to_contain_text("The first 2000 of 2402 nodes are here.")
    page.get_by_role("button", name="Show all nodes").click()
    settled(page)
    expect(nodes).to_have_count(2000)
    painted = page.locator(f"{PANEL} .gl-stage").evaluate(
        "s => [...s.querySelectorAll('.gl-node')].filter(n => n.getClientRects().length).length"
    )
    assert 0 < painted < 1000, "what is out of sight is not painted"
    scale = "Number(/scale\\(([\\d.]+)/.exec(document.querySelector('.gl-svg > g').getAttribute('transform'))[1])"
    before = page.evaluate(scale)
    box = page.locator(f"{PANEL} .gl-stage").bounding_box()
    page.mouse.move(box["x"] + 150, max(box["y"], 0) + 300)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -120)
    page.keyboard.up("Control")
    page.wait_for_function(f"least => {scale} > least", arg=before * 1.2)  # painted anew when the hand rests
    assert page.locator(f"{PANEL} .gl-svg").evaluate("e => e.style.transform") == ""


def test_files(page, notebook):
    notebook(cell(RICH))
    show(page, "graph")
    choose(page, "difference")
    starts = {"svg": b"<svg", "png": b"\x89PNG", "dot": b'digraph "f"', "json": b"{"}
    for kind, start in starts.items():
        with page.expect_download() as download:
            page.locator(f"{PANEL} [data-format={kind}]").click()
        assert download.value.suggested_filename == f"f-graph.{kind}"
        content = download.value.path().read_bytes()
        assert content.startswith(start)
        if kind in ("svg", "dot"):
            assert "− Exp" in content.decode()
        if kind == "svg":
            assert b"class=" not in content, "its style goes with it"


def test_source_line_generated_line_and_node(page, notebook):
    notebook(cell(RICH))
    show(page, "code")
    page.locator(f"{PANEL} .gl-code .gl-r[data-line='11']").click()
    chips = page.locator(f"{PANEL} .gl-chips button")
    expect(chips).to_have_text(["Mul", "Mul"])
    chips.first.click()
    page.wait_for_selector(f"{PANEL} .gl-node.gl-picked")
    assert marked_line(page).strip() == "x = x * 0.5 * 1.0"
    expect(page.locator(f"{PANEL} .gl-node.gl-linked")).to_have_count(2)
    # the node of a helper's line leads to that line, and to the line that calls it
    node(page, "Square").click()
    assert marked_line(page).strip() == "return tf.square(a) + 1.0"
    source = pane(page, "graph").locator(".gl-linkline[data-link='graph.link.source']")
    expect(source).to_contain_text("return x + helper(x) * v")
    generated = pane(page, "graph").locator(".gl-linkline[data-link='graph.link.generated']")
    expect(generated).to_contain_text("ag.convert(helper)")
    generated.click()
    linked = page.locator(f"{PANEL} .gl-code-generated .gl-linked")
    expect(linked).to_contain_text("ag.convert(helper)")


def test_hovering_marks_the_others_and_leaves_the_selection(page, notebook):
    notebook(cell(RICH))
    show(page, "graph")
    node(page, "Any").click()
    selected = marked_line(page)
    node(page, "Square").hover()
    assert marked_line(page).strip() == "return tf.square(a) + 1.0"
    page.locator(f"{PANEL} .gl-lede").last.hover()
    expect(page.locator(f"{PANEL} .gl-hovered")).to_have_count(0)
    assert marked_line(page) == selected


def test_what_a_count_beside_a_line_means(page, notebook):
    data = json.loads(json.dumps(cell(RICH)))
    row = data["outputs"][0]["data"]["application/vnd.graphlab.trace+json"]["functions"][0]["code"]["rows"][-1]
    row["count"], row["count_text"] = 2, "2×"
    notebook(data)
    show(page, "code")
    expect(pane(page, "code").locator(".gl-key")).to_contain_text("2× times it ran for this cell's calls")
    mark = page.locator(f"{PANEL} .gl-code .gl-r[data-line='14'] .gl-mk > span").first
    expect(mark).to_have_attribute("title", "runs in the graph · 2× times it ran for this cell's calls")


def test_persian_labels_beside_expressions(page, notebook):
    notebook(cell(RICH, "fa"))
    show(page, "graph")
    choose(page, "difference")
    labels = page.locator(f"{PANEL} .gl-change-removed text:nth-of-type(2)").all_text_contents()
    assert any("\u2066" in label for label in labels), "the expression keeps its direction"
    expect(page.locator(f"{PANEL} .gl-stage")).to_have_css("direction", "ltr")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_nothing_is_in_the_way_of_assistive_technology(page, notebook, settings, theme):
    settings("@jupyterlab/apputils-extension:themes", {"theme": theme})
    notebook(cell(RICH))
    show(page, "graph")
    page.add_script_tag(path=AXE)
    for mode in ("difference", "runs", "gradient"):
        choose(page, mode)
        page.locator(f"{PANEL} .gl-node").first.click()
        found = page.evaluate(
            """panel => axe.run(panel, {
                runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'],
            })""",
            PANEL,
        )
        assert [(v["id"], [n["html"][:160] for n in v["nodes"]]) for v in found["violations"]] == [], mode
