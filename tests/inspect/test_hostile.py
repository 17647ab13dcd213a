"""Text of the user's program cannot break out of any view: names, strings and docstrings full of markup."""

import json
import re
import types

import pytest

import graphlab as tf
from graphlab import inspect
from graphlab.inspect import static_html

EVIL = "</script><img src=x onerror=alert(1)>"
PROGRAM = f'''
kept = []

@tf.function
def f(x, label="{EVIL}"):
    """{EVIL}"""
    print("{EVIL}", x)
    kept.append(x)
    for i in tf.range(2):
        x = tf.strings.join([x, "{EVIL}"])
    return x

f(tf.constant("{EVIL}"))
f(tf.constant("{EVIL}"), "<b>{EVIL}")
'''


@pytest.mark.parametrize("view", ["panel", "lint", "lint text", "step", "compare"])
def test_markup_in_a_program_stays_text(view, run, capsys):
    ran = run(PROGRAM)
    function = ran.names["f"]
    html = {
        "panel": lambda: static_html.html(ran.panel()),
        "lint": lambda: inspect.lint(function)._repr_html_(),
        "lint text": lambda: inspect.lint("import graphlab as tf\n" + PROGRAM)._repr_html_(),
        "step": lambda: inspect.step(function, tf.constant(EVIL))._repr_html_(),
        "compare": lambda: inspect.compare(function, tf.constant(EVIL))._repr_html_(),
    }[view]()
    capsys.readouterr()
    assert "onerror" in html  # it is there, as text
    assert not re.search(r"<(script|img|b>&)", html)
    assert "</script" not in html


class Raising:
    """An object that can be asked for nothing."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("repr")

    def __bool__(self):
        raise RuntimeError("bool")

    def __len__(self):
        raise RuntimeError("len")


def test_objects_that_raise_at_every_question_are_named_by_their_class(run):
    ran = run(
        "@tf.function\ndef f(x, o=None):\n    kept = outside\n    return x + 1\n"
        "f(tf.constant(1), outside)\nf(tf.constant(1), another)\n",
        outside=Raising(),
        another=Raising(),
    )
    first, second = ran.function()["traces"]
    assert "Raising object" in first["signature"]
    assert second["reason"]["id"] == "retrace.object.another"


class Unbound:
    """A proxy that stands for nothing now, as those of web frameworks do outside of a request."""

    @property
    def __class__(self):
        raise RuntimeError("nothing is bound")


@pytest.mark.parametrize("text", ["kept = outside", "kept = holder.inner"])
def test_a_proxy_that_stands_for_nothing_hides_no_view(run, text):
    holder = types.SimpleNamespace(inner=Unbound())
    ran = run(
        f"@tf.function(autograph=False)\ndef f(x):\n    {text}\n    return x * scale\nf(tf.constant(1.0))",
        outside=Unbound(),
        holder=holder,
        scale=2.0,
    )
    data = ran.function()
    assert [row["name"] for row in data["code"]["captured"]] == ["scale"]
    assert "float32[]" in str(inspect.explain(ran.names["f"]))
    assert "outside" not in str(inspect.lint(ran.names["f"]))


LARGE = {
    "a list of numbers": "f([1] * 3000)\nf([1] * 2999 + [2])",
    "a dict of tensors": "f({f'k{i}': tf.constant(i) for i in range(1000)})\nf({f'k{i}': tf.constant(i) for i in range(999)})",
    "keywords": "f(1, **{f'k{i}': i for i in range(1000)})",
    "a long string": "f('a' * 100_000)\nf('b' * 100_000)",
    "a long number": "f(10 ** 4000)\nf(10 ** 4001)",
}  # fmt: skip


@pytest.mark.parametrize("calls", LARGE.values(), ids=LARGE)
def test_what_a_panel_says_of_arguments_is_short_however_many_there_are(run, calls):
    ran = run("@tf.function\ndef f(x, **more):\n    return tf.constant(1)\n" + calls)
    data = ran.function()
    for part in ("traces", "signatures"):
        assert len(json.dumps(data[part])) < 20_000
    assert len(str(inspect.explain(ran.names["f"]))) < 4_000


def test_of_many_arguments_those_that_differ_are_shown(run):
    ran = run("@tf.function\ndef f(x):\n    return tf.constant(1)\nf([1] * 300)\nf([1] * 299 + [2])")
    table = ran.function()["signatures"]
    assert table["paths"][-2:] == ["x[299]", "… +270"]
    assert [row["args"][-2]["type"] for row in table["rows"]] == ["int 1", "int 2"]
    assert all(len(row["args"]) == len(table["paths"]) for row in table["rows"])


def test_a_chain_of_operations_from_one_line_is_written_in_several_statements(run):
    ran = run(
        "@tf.function\ndef f(x):\n    for _ in range(1500): x = tf.sin(x) + 1.0\n    return x\nf(tf.constant(1.0))"
    )
    assert max(map(len, ran.function()["graph"]["text"].split("\n"))) < 300


def test_an_expression_of_hundreds_of_terms_is_run_as_plain_python_and_shown(run):
    ran = run("@tf.function\ndef f(x):\n    return x" + " + 1.0" * 800 + "\ny = f(tf.constant(1.0))")
    assert float(ran.names["y"]) == 801.0
    assert ran.function()["graph"]["ops"] >= 800


class NoText:
    """An object without a text."""

    def __repr__(self):
        raise RuntimeError("repr")


CONTAINERS: dict[str, list] = {"objects without a text": [NoText(), {NoText(): NoText()}], "itself": []}
CONTAINERS["itself"].append(CONTAINERS["itself"])


@pytest.mark.parametrize("held", CONTAINERS.values(), ids=CONTAINERS)
def test_what_a_container_holds_hides_no_comparison(run, held):
    ran = run("@tf.function\ndef f(x):\n    kept.append(1)\n    return x + 1\nf(tf.constant(1))", kept=held)
    report = str(inspect.compare(ran.names["f"], tf.constant(1)))
    assert "kept" in report
    assert "different" in report
    for view in (inspect.explain, inspect.code, inspect.lint):
        assert str(view(ran.names["f"]))


def test_a_text_that_is_no_python_is_not_called_faultless():
    with pytest.raises(SyntaxError):
        inspect.lint("def f(:")
    assert "Nothing to change" in str(inspect.lint("%matplotlib inline\n!ls\nx = 1"))
    with pytest.raises(TypeError, match="whole number"):
        inspect.predict(traces="two")
