"""Notebooks are compared whole: a change in any mime type is found, and only volatile values may differ."""

import copy
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from graphlab.inspect.panel import MIME
from graphlab.inspect.volatile import without_volatile

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.xdist_group("comparison")  # a run of a notebook serves all of them

CELL = """%%tf_function
def twice(x):
    print("tracing")
    return x + x

twice(tf.constant(1.5))"""


def nothing(outputs):
    pass


def volatile(outputs):
    data = outputs[-1]["data"]
    data["text/html"], changed = re.subn(r"(data-volatile[^>]*>)", r"\g<1>99 ms", data["text/html"])
    assert changed
    data[MIME]["functions"][0]["traces"][0]["volatile"] = {"ms": 99.0, "time": "99 ms"}
    data[MIME]["volatile"] = {"execution_count": 17}


def stream(outputs):
    outputs[0]["text"] += "more\n"


def result(outputs):
    outputs[1]["data"]["text/plain"] = outputs[1]["data"]["text/plain"].replace("3.0", "4.0")


def panel_text(outputs):
    outputs[-1]["data"]["text/plain"] += "."


def panel_html(outputs):
    outputs[-1]["data"]["text/html"] = outputs[-1]["data"]["text/html"].replace("First call", "A call")


def panel_json(outputs):
    outputs[-1]["data"][MIME]["functions"][0]["traces"][0]["label"] = "T9"


def metadata(outputs):
    outputs[-1]["metadata"] = {"isolated": True}


def a_type_less(outputs):
    del outputs[-1]["data"]["text/html"]


def an_output_more(outputs):
    outputs.append(copy.deepcopy(outputs[0]))
    outputs[-1]["name"] = "stderr"


CHANGES = [
    (nothing, "passed"),
    (volatile, "passed"),
    (stream, "failed"),
    (result, "failed"),
    (panel_text, "failed"),
    (panel_html, "failed"),
    (panel_json, "failed"),
    (metadata, "failed"),
    (a_type_less, "failed"),
    (an_output_more, "failed"),
]


@pytest.fixture(scope="module")
def outcomes(builder, tmp_path_factory):
    """The outcome of each cell of a notebook whose saved outputs were changed, cell by cell, after the run."""
    folder = tmp_path_factory.mktemp("changed")
    setup = nbformat.v4.new_code_cell("%load_ext graphlab\n%tf_lang en\nimport graphlab as tf", id="setup")
    cells = [nbformat.v4.new_code_cell(CELL, id=change.__name__) for change, _ in CHANGES]
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    notebook = builder.run(nbformat.v4.new_notebook(cells=[setup, *cells], metadata=metadata), folder)
    for cell, (change, _) in zip(notebook.cells[1:], CHANGES, strict=True):
        change(cell.outputs)
    builder.write(notebook, folder / "changed.ipynb")
    shutil.copy(ROOT / "notebooks" / "conftest.py", folder)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--nbval",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-rA",
        "--color=no",
    ]
    done = subprocess.run([*command, "changed.ipynb"], cwd=folder, capture_output=True, text=True, check=False)
    found = {
        int(match[2]): match[1].lower()
        for match in re.finditer(r"^(PASSED|FAILED) changed.ipynb::Cell (\d+)", done.stdout, re.MULTILINE)
    }
    assert found.get(0) == "passed", done.stdout + done.stderr
    return {change.__name__: found[number] for number, (change, _) in enumerate(CHANGES, 1)}


@pytest.mark.parametrize(("change", "outcome"), CHANGES, ids=[change.__name__ for change, _ in CHANGES])
def test_only_volatile_values_may_differ(outcomes, change, outcome):
    assert outcomes[change.__name__] == outcome


@pytest.mark.parametrize(
    ("output", "settled"),
    [
        ("text", "text"),
        ("a <b>3 ms</b>", "a <b>3 ms</b>"),
        ('<small class="x" data-volatile>3 <i>ms</i></small> kept', '<small class="x" data-volatile></small> kept'),
        ("<td data-volatile>1</td><td>2</td><td data-volatile>3</td>", "<td data-volatile></td><td>2</td><td data-volatile></td>"),
        ("say data-volatile>1<", "say data-volatile>1<"),
        ({"volatile": {"a": 1}, "b": [{"volatile": {"c": 2}, "d": 3}]}, {"volatile": {"a": None}, "b": [{"volatile": {"c": None}, "d": 3}]}),
        ({"volatile": "no mapping, so no panel's"}, {"volatile": "no mapping, so no panel's"}),
        (7, 7),
        (None, None),
    ],
)  # fmt: skip
def test_the_rule(output, settled):
    assert without_volatile(output) == settled
    assert without_volatile(settled) == settled
