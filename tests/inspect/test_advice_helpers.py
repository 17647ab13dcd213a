"""Advice about the functions that a traced one calls: where it is, how often it ran, in every view and language."""

import importlib.util
import json
import sys
from pathlib import Path

import jsonschema
import pytest

import graphlab
import graphlab as tf
from graphlab.inspect import gather, lint, static_html
from graphlab.inspect.lint import function_advice
from graphlab.inspect.panel import panel
from graphlab.inspect.subject import Cell
from graphlab.messages import LANGUAGES

SCHEMA = json.loads((Path(graphlab.__file__).parent / "inspect" / "panel.schema.json").read_text("utf-8"))
PROGRAM = """import graphlab as tf
import random

class Noise:
    def __init__(self):
        self.calls = 0

    def add(self, x):
        self.calls += 1
        return x + random.random()

noise = Noise()
rate = 0.5

def shown(y):
    print(y)
    return y * rate

@tf.function
def step(x):
    return noise.add(shown(x)) + noise.add(x)

for n in (1.0, 2.0, 3.0):
    step(tf.constant(n))
rate = 0.25
"""


def subject_of(ran, name="step"):
    function = ran.names[name]
    return gather.subject(function, calls=ran.calls[id(function)], watched=True)


def panel_of(ran, lang="en"):
    return panel([subject_of(ran)], Cell(ran.source, ran.filename), lang)


def test_each_finding_has_its_helper_line_fix_and_count(run):
    (part,) = panel_of(run(PROGRAM))["functions"]
    found = [
        (item["id"], item["where"]["text"], item["line"], item["after"]["text"], (item["evidence"] or {}).get("text"))
        for item in part["advice"]
    ]
    once, twice = "It ran once for 3 calls.", "It ran 2 times for 3 calls."
    assert found == [
        ("effect.print", "`shown` · line 16", 16, "tf.print(y)", once),
        ("frozen.global", "`shown` · line 17", 17, "rate = tf.Variable(0.5)  # rate.assign(0.25)", None),
        ("effect.attribute", "`Noise.add` · line 9", 9, "self.calls.assign_add(1)  # self.calls = tf.Variable(…)", twice),
        ("frozen.random", "`Noise.add` · line 10", 10, "return x + tf.random.uniform([])", twice),
    ]  # fmt: skip
    assert part["tabs"]["advice"] == 4


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_says_where_it_is_in_text_html_and_data(lang, run):
    ran = run(PROGRAM)
    data = panel_of(ran, lang)
    jsonschema.validate(data, SCHEMA)
    (part,) = data["functions"]
    html = static_html.html(data)
    text = str(lint(ran.names["step"], lang=lang))
    for item in part["advice"]:
        name = item["where"]["values"]["f"]
        assert f">{name}</code>" in html
        assert item["before"]["text"] in text
        assert name in text


def test_a_helper_in_another_cell_has_no_line_here(run):
    ran = run(PROGRAM)
    found = function_advice(subject_of(ran), Cell("", "another cell"), "en")["advice"]
    assert {item["line"] for item in found} == {9, 10, 16, 17}  # lines of the function's own file
    assert [item["where"]["text"].rpartition(":")[2] for item in found] == ["16`", "17`", "9`", "10`"]


@pytest.fixture
def imported(tmp_path, monkeypatch):
    """Import a text as a module."""

    def load(name, text):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    return load


ELSEWHERE = """import numpy as rnd
import graphlab as gl

k = 1.0

def noisy(x):
    return gl.identity(x) + rnd.random.rand() * k
"""


@pytest.mark.parametrize("options", [{}, {"autograph": False}], ids=["converted", "as it is"])
def test_names_of_a_helper_in_another_module_are_those_of_that_module(options, imported):
    module = imported("elsewhere", ELSEWHERE)
    rnd = None  # noqa: F841 - the traced function's own name means nothing to the helper

    @tf.function(**options)
    def step(x):
        return module.noisy(x)

    step(tf.constant(1.0))
    (item,) = lint(step).data["functions"][0]["advice"]
    assert (item["id"], item["line"]) == ("frozen.random", None)
    assert item["where"]["text"] == "`noisy` · `elsewhere.py:7`"
    assert item["after"]["text"] == "return gl.identity(x) + gl.random.uniform([]) * k"


def test_a_number_of_another_module_that_changed_is_told(imported):
    module = imported("elsewhere", ELSEWHERE)

    @tf.function
    def step(x):
        return module.noisy(x)

    step(tf.constant(1.0))
    module.k = 2.0
    items = {item["id"]: item for item in lint(step).data["functions"][0]["advice"]}
    assert items["frozen.global"]["text"]["values"] == {"name": "k", "was": "1.0", "now": "2.0"}


def test_libraries_are_left_out(tmp_path, monkeypatch):
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "somebodys.py").write_text(ELSEWHERE)
    monkeypatch.syspath_prepend(folder)
    import somebodys

    monkeypatch.delitem(sys.modules, "somebodys")

    @tf.function
    def step(x):
        return somebodys.noisy(x)

    step(tf.constant(1.0))
    assert lint(step).data["functions"][0]["advice"] == []


def test_as_many_helpers_are_read_as_the_code_view_shows(run):
    helpers = "".join(f"def h{n}(x):\n    print(x)\n    return x + 1.0\n" for n in range(20))
    calls = "".join(f"    x = h{n}(x)\n" for n in range(20))
    ran = run(f"{helpers}@tf.function\ndef step(x):\n{calls}    return x\nstep(tf.constant(1.0))\n")
    (part,) = panel_of(ran)["functions"]
    shown = [helper["name"] for helper in part["code"]["helpers"]]
    assert [item["where"]["values"]["f"] for item in part["advice"]] == shown
    assert len(shown) == 12


def test_a_trace_that_was_stopped_in_a_helper_is_explained_there(run):
    ran = run(
        "def checked(v):\n    if v > 0.0:\n        raise ValueError('positive')\n    return v\n"
        "@tf.function\ndef step(x):\n    return checked(x)\nstep(tf.constant(1.0))\n",
        fails=ValueError,
    )
    (item,) = lint(ran.names["step"]).data["functions"][0]["advice"]
    assert (item["id"], item["after"]["text"]) == (
        "control.raise", "tf.debugging.Assert(v <= 0.0, ['positive'])",
    )  # fmt: skip
    assert item["where"]["values"]["f"] == "checked"


# program, what the table "Read from outside" has: name, then, now, the helper that reads it
READ = [
    (
        "rate = 2\ndef scaled(x):\n    return x * rate\n@tf.function\ndef step(x):\n    return scaled(x)\nstep(tf.constant(1))\nrate = 3\n",
        [("rate", "2", "3", "scaled")],
    ),
    (
        ("rate = 2\ndef scaled(x):\n    return x * rate\n@tf.function\ndef step(x):\n    return scaled(x) + rate\n"
         "step(tf.constant(1))\n"),
        [("rate", "2", "2", None)],
    ),
    (
        ("class Net:\n    k = 2\n    def inner(self, x):\n        return x * self.k\n    @tf.function\n    def step(self, x):\n"
         "        return self.inner(x) + self.k\nnet = Net()\nnet.step(tf.constant(1))\nstep = net.step\n"),
        [("self.k", "2", "2", None)],
    ),
    (
        ("class Layer:\n    k = 2\n    def call(self, x):\n        return x * self.k\nlayer = Layer()\n@tf.function\ndef step(x):\n"
         "    return layer.call(x)\nstep(tf.constant(1))\nlayer.k = 5\n"),
        [("self.k", "2", "5", "Layer.call")],
    ),
    (
        ("class Sum:\n    def __init__(self):\n        self.total = 0\n    def add(self, x):\n        return x + self.total\n@tf.function\n"
         "def step(x):\n    own = Sum()\n    return own.add(x)\nstep(tf.constant(1))\n"),
        [],
    ),
    (
        ("def made(k):\n    def inner(x):\n        return x * k\n    return inner\ntwice = made(2)\n@tf.function\ndef step(x):\n"
         "    return twice(x)\nstep(tf.constant(1))\n"),
        [("k", "2", "2", "made.inner")],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("program", "read"), READ)
def test_what_helpers_read_from_outside_is_in_the_table(program, read, run):
    data = panel_of(run(program))
    jsonschema.validate(data, SCHEMA)
    (part,) = data["functions"]
    found = [(item["name"], item["traced"], item["now"], item.get("reader")) for item in part["code"]["captured"]]
    assert found == read
    html = static_html.html(data)
    assert all(f">{reader}</code>" in html for *_, reader in read if reader is not None)


def test_records_with_helpers_are_plain_data(run):
    import pickle

    (record,) = run(PROGRAM).names["step"].traces.log.traces
    again = pickle.loads(pickle.dumps(record))
    assert again.helpers == record.helpers
    assert [helper.name for helper in again.helpers] == ["Noise.add", "shown"]  # as they are looked up
    assert again.readers == ()
