"""A graph as a file: SVG, PNG, DOT and JSON."""

import json
import subprocess
from xml.etree import ElementTree

import jsonschema
import pytest

from graphlab import inspect
from graphlab.inspect import drawing
from tests.jupyter.test_cell import SCHEMA

SOURCE = """
@tf.function
def f(x):
    unused = tf.exp(x)
    for i in tf.range(3):
        x = x * 2.0 + tf.constant(1.0) * 3.0
    return x
f(tf.ones(2))
"""
needs_graphviz = pytest.mark.skipif(drawing.program() is None, reason="no program draws graphs here")


@pytest.fixture
def f(run):
    return run(SOURCE).names["f"]


def test_what_is_written_is_what_is_returned(f, tmp_path):
    path = tmp_path / "graph.dot"
    assert inspect.export_graph(f, path) == path.read_bytes()
    assert inspect.export_graph(f, str(tmp_path / "other.txt"), format="dot") == path.read_bytes()


def test_dot_is_read_by_graphviz_and_has_all_bodies_open(f):
    text = inspect.export_graph(f, format="dot").decode()
    assert "subgraph cluster_c1" in text
    assert "Exp" not in text
    assert "Exp" in inspect.export_graph(f, format="dot", changes=True).decode()
    if (program := drawing.program()) is not None:
        subprocess.run([program, "-Kdot", "-Tdot"], input=text.encode(), capture_output=True, check=True, timeout=60)


def test_json_is_the_panels_data(f):
    data = json.loads(inspect.export_graph(f, format="json"))
    graph = SCHEMA["$defs"]["function"]["properties"]["graph"]
    jsonschema.validate(data, {"$defs": SCHEMA["$defs"], **graph})
    assert data["ops"] > data["runs"]


@needs_graphviz
def test_svg_stands_alone(f, tmp_path):
    inspect.export_graph(f, tmp_path / "graph.svg", changes=True)
    root = ElementTree.parse(tmp_path / "graph.svg").getroot()
    texts = " ".join("".join(element.itertext()) for element in root.iter() if element.tag.endswith("text"))
    assert "− Exp" in texts
    assert "for i in tf.range(3)" in texts
    assert root[0].tag.endswith("style")


@needs_graphviz
def test_png(f):
    assert inspect.export_graph(f, format="png").startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize("part", ["traced", "runs", "gradient"])
def test_parts_are_different_files(f, part):
    texts = {name: inspect.export_graph(f, format="dot", part=name) for name in ("traced", "runs", "gradient")}
    assert len(set(texts.values())) == 3
    assert ("∂" in texts[part].decode()) is (part == "gradient")


def test_constants_and_the_order_of_effects_on_demand(run):
    f = run("v = tf.Variable(0.0)\n@tf.function\ndef f(x):\n    v.assign(x)\n    v.assign_add(2.0)\nf(1.0)").names["f"]
    plain = inspect.export_graph(f, format="dot").decode()
    assert "arrowhead=open" not in plain
    assert 'class="node const' not in plain
    assert "arrowhead=open" in inspect.export_graph(f, format="dot", control=True).decode()
    assert 'class="node const' in inspect.export_graph(f, format="dot", constants=True).decode()


def test_without_graphviz_the_error_names_what_to_install(f, monkeypatch):
    monkeypatch.setattr(drawing, "program", lambda: None)
    drawing._layout.cache_clear()
    for kind in ("png", "svg"):
        with pytest.raises(RuntimeError, match="pip install graphviz-pure"):
            inspect.export_graph(f, format=kind)
    drawing._layout.cache_clear()
    assert inspect.export_graph(f, format="dot")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"format": "gif"}, "not as 'gif'"),
        ({}, "not as ''"),
        ({"format": "dot", "part": "all"}, "no part 'all'"),
        ({"format": "dot", "trace": 7}, "no trace 7"),
    ],
)
def test_what_there_is_not(f, arguments, error):
    with pytest.raises(ValueError, match=error):
        inspect.export_graph(f, **arguments)


def test_a_function_that_was_not_traced(run):
    f = run("f = tf.function(lambda x: x)").names["f"]
    with pytest.raises(ValueError, match="not traced yet"):
        inspect.export_graph(f, format="dot")
