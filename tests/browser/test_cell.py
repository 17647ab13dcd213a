"""The whole way: a cell is run by a kernel with graphlab, and its panel stands beside it."""

import pytest
from lab_session import code_cell
from playwright.sync_api import expect

from .conftest import PANEL, walk

pytestmark = pytest.mark.browser

START = "%load_ext graphlab\nimport graphlab as tf"
WALK = walk()["cell"]["source"].rstrip()

REASONS = [
    "First call: there was no trace yet.",
    "steps is a Python number, and every new number makes a new trace.",
    "x has another shape: axis 0 went from 2 to 3.",
    "steps used to be a Python number; now it is a tensor.",
]


def cell(page, index):
    return page.locator(".jp-Notebook .jp-CodeCell").nth(index)


def test_the_walk(page, lab, notebook):
    notebook(code_cell(START), code_cell(WALK), code_cell("walk.experimental_get_tracing_count()"), first_panel=False)
    lab.run_all(page)
    expect(cell(page, 1).locator(".jp-OutputArea-executeResult")).to_contain_text("[ 0.44242233, -0.05883628]")
    expect(cell(page, 2).locator(".jp-OutputArea-executeResult")).to_contain_text("4")
    expect(page.locator(PANEL)).to_have_count(1)
    expect(page.locator(".gl-badge")).to_have_text("4 traces·3 retracesHide panel")

    marks = page.locator(f"{PANEL} .gl-mx tbody tr").evaluate_all(
        """rows => rows.map(row => [...row.querySelectorAll('td.gl-c')].map(
            cell => cell.querySelector('svg')?.getAttribute('aria-label') ?? ''))"""
    )
    traced, hit, no = "traced, then ran", "reused this trace", "did not fit"
    assert marks == [
        [traced, no, no, no, no, no],
        ["", traced, no, hit, no, no],
        ["", "", traced, no, no, no],
        ["", "", "", "", traced, hit],
    ]
    expect(page.locator(f"{PANEL} .gl-why")).to_have_text(REASONS)
    expect(page.locator(f"{PANEL} .gl-fix pre:visible")).to_have_text(
        ["walk(tf.zeros(2), tf.constant(4))", "@tf.function(reduce_retracing=True)"]
    )

    page.click(f"{PANEL} [role=tab][data-view=signatures]")
    expect(page.locator(f"{PANEL} tfoot")).to_contain_text("float32[None]")

    page.click(f"{PANEL} [role=tab][data-view=code]")
    expect(page.locator(f"{PANEL} .gl-r[data-line='5'] .gl-mk")).to_contain_text("4×")
    expect(page.locator(f"{PANEL} .gl-r[data-line='8'] .gl-gg")).to_contain_text("ag.if_stmt")

    page.click(f"{PANEL} [role=tab][data-view=graph]")
    clusters = page.locator(f"{PANEL} .gl-cluster-label")
    labels = ["for i in tf.range(steps) · line 6", "if · line 8", "true · line 9", "else · line 11"]
    expect(clusters).to_have_text(labels)
    page.locator(f"{PANEL} .gl-node", has_text="StatelessRandomNormalV2").click()
    expect(page.locator(".cm-line.gl-editor-line")).to_contain_text("d = tf.random.stateless_normal")


def test_what_a_cell_can_have_to_say(page, lab, notebook):
    """Not called, the first trace, hits, many, two functions, an error, Persian: from the runtime to the panel."""
    notebook(
        code_cell(START),
        code_cell("%%tf_function\ndef calm(x, n):\n    return x + n"),
        code_cell("calm(tf.zeros(2), tf.constant(3.0))"),
        code_cell("%%tf_function\ndef once(x):\n    return x + 1.0\n\nonce(tf.zeros(2))"),
        code_cell("%%tf_function\ndef many(n):\n    return tf.range(10) * n\n\nfor n in range(40):\n    many(n)"),
        code_cell("%%tf_function\ndef f(x):\n    return g(x) + 1\n\ndef g(x):\n    return x * 2\n\nf(tf.zeros(2))"),
        code_cell("%%tf_function --lang fa\ndef h(x):\n    return x + 1\n\nh(1)\nh(2)"),
        code_cell("%%tf_function\ndef bad(x):\n    return tf.matmul(x, x)\n\nbad(tf.zeros([2, 3]))"),
        first_panel=False,
    )
    lab.run_all(page)
    badges = {i: cell(page, i).locator(".gl-badge") for i in (1, 3, 4, 5, 6, 7)}
    expect(badges[1]).to_contain_text("calm·not called yet")
    expect(badges[3]).to_contain_text("1 trace")
    expect(badges[4]).to_contain_text("40 traces·39 retraces")
    expect(badges[6]).to_contain_text("۲")
    expect(badges[7]).to_contain_text("Tracing stopped")

    uncalled, first, many, two, persian, bad = (cell(page, i).locator(PANEL) for i in badges)
    expect(uncalled.locator("[role=tab]")).to_have_text(["Code"])
    expect(uncalled.locator(".gl-lede")).to_contain_text("not called yet")
    expect(first.locator(".gl-traces")).to_have_count(0)
    expect(many.locator(".gl-mx tbody tr")).to_have_count(5)
    many.locator(".gl-show-all").click()
    expect(many.locator(".gl-mx tbody tr")).to_have_count(40)
    expect(two.locator(".gl-fn button")).to_have_text(["f 1", "g 1"])
    expect(persian).to_have_attribute("dir", "rtl")
    expect(bad.locator("[role=alert]")).to_contain_text("line 3")
    expect(bad.locator(".gl-stopped")).to_have_text("return tf.matmul(x, x)")


def test_a_restarted_kernel_begins_anew_and_the_panel_stays_until_then(page, lab, notebook):
    notebook(code_cell(START), code_cell(WALK), first_panel=False)
    lab.run_all(page)
    expect(page.locator(PANEL)).to_be_visible()
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    lab.wait_for_kernel(page)
    expect(page.locator(f"{PANEL} .gl-why")).to_have_text(REASONS)
    lab.run_all(page)
    expect(page.locator(".gl-badge")).to_have_text("4 traces·3 retracesHide panel")
    expect(page.locator(PANEL)).to_have_count(1)
