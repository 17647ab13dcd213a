"""A cell's helpers in its panel: their marked lines, and what they print. `extension/` is tested with the same panel."""

import json

import jsonschema
import pytest

from tests.jupyter.test_cell import FIXTURES, SCHEMA, without_volatile

EFFECTS = """%%tf_function
log, net = [], {"calls": 0}

class Memory:
    seen = []
    def keep(self, x):
        self.seen.append(x.shape)
        print("kept", x.shape)
        return x + 1.0

memory = Memory()

@tf.function
def step(x, loud=False):
    net["calls"] += 1
    if loud:
        print("loud")
    for i in tf.range(2):
        log.append("body")
        x = memory.keep(x)
    net["last"] = x * 2.0
    tf.print("ran", tf.shape(x))
    return net["last"] + 1.0

for _ in range(3):
    step(tf.constant([1.0, 2.0]))
step(tf.constant(3.0), loud=True)
"""


def panel_of(shell, lang):
    """The panel of the cell, without what varies."""
    shell.run(EFFECTS.replace("%%tf_function", f"%%tf_function --lang {lang}", 1))
    panel = shell.panel
    panel["cell"]["source"] = EFFECTS
    panel["volatile"]["execution_count"] = 3
    (panel["functions"][0], *_) = panel["functions"] = [f for f in panel["functions"] if f["name"] == "step"]
    panel["functions"][0]["volatile"] = {"identity": "a1b2c3d4.1"}
    for trace in panel["functions"][0]["traces"]:
        trace["volatile"] = {"ms": 2.0, "time": "2.0 ms"}
    return panel


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_the_panel_with_helpers_is_valid_and_the_one_the_extension_is_tested_with(lang, shell):
    panel = panel_of(shell, lang)
    jsonschema.validate(panel, SCHEMA)
    saved = json.loads((FIXTURES / f"effects.{lang}.json").read_text("utf-8"))
    assert without_volatile(panel) == without_volatile(saved)


def lines_of(part):
    return [(line["text"], line["mark"], line["line"], line["where"]["text"]) for line in part["code"]["output_lines"]]


def test_what_helpers_print_is_marked_with_their_line(shell):
    (part,) = panel_of(shell, "en")["functions"]
    assert lines_of(part) == [
        ("kept (2,)", "trace", 8, "`T1`, line 8"),
        ("ran [2]", "graph", 22, "in the graph of `T1`, line 22"),
        ("ran [2]", "graph", 22, "in the graph of `T1`, line 22"),
        ("ran [2]", "graph", 22, "in the graph of `T1`, line 22"),
        ("loud", "trace", 17, "`T2`, line 17"),
        ("kept ()", "trace", 8, "`T2`, line 8"),
        ("ran []", "graph", 22, "in the graph of `T2`, line 22"),
    ]


def test_helpers_of_another_cell_are_named_by_it(shell):
    shell.run("def note(x):\n    print('note')\n    tf.print('ran')\n    return x\n")
    shell.run("%%tf_function\n@tf.function\ndef f(x):\n    return note(x)\nf(tf.constant(1))\n")
    (part,) = shell.panel["functions"]
    (helper,) = part["code"]["helpers"]
    count = shell.shell.execution_count - 2
    assert helper["where"]["text"] == f"`note` · `In[{count}]:1` · ran once while tracing"
    assert helper["line"] is None
    assert lines_of(part) == [
        ("note", "trace", None, f"`T1`, `In[{count}]:2`"),
        ("ran", "graph", None, f"in the graph of `T1`, `In[{count}]:3`"),
    ]


def test_what_a_stopped_trace_printed_says_so(shell):
    shell.run(
        "%%tf_function\n@tf.function\ndef f(x):\n    print('begins')\n    raise ValueError('no')\n"
        "try:\n    f(tf.constant(1))\nexcept ValueError:\n    pass\n"
    )
    (part,) = shell.panel["functions"]
    assert lines_of(part) == [("begins", "trace", 4, "tracing that stopped, line 4")]


def test_lines_printed_through_a_library_have_the_users_line(shell):
    shell.run(
        "%%tf_function\nimport pprint\n@tf.function\ndef f(x):\n    pprint.pprint([1])\n    return x\nf(tf.constant(1))\n"
    )
    (part,) = shell.panel["functions"]
    assert lines_of(part) == [("[1]", "trace", 5, "`T1`, line 5")]
