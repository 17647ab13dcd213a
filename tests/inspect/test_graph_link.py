"""Source line, generated line, nodes: each leads to the others, inside branches, loops and called functions too."""

import contextlib
import io

import pytest

from graphlab.inspect import Cell, gather, panel
from graphlab.inspect.graph_model import bodies
from graphlab.inspect.places import Places
from graphlab.tracing import records
from tests.inspect.test_advice_quiet import everything

# The wrapper of a decorator below tf.function is traced too, but stands outside of the source that is shown.
OUTSIDE = {"decorator_with_arguments"}


def lines_of(node):
    return node.get("lines", [] if node["line"] is None else [node["line"]])


def traced_by(program, monkeypatch):
    """The functions that a program traces, as they stand when it has ended."""
    made, register = [], records.register
    monkeypatch.setattr(records, "register", lambda function: (made.append(function), register(function)))
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        contextlib.suppress(Exception),  # whether a program runs is tested elsewhere
    ):
        program.function()
    return [found for found in map(gather.subject, made) if found.graph is not None]


def user_operations(subject):
    """All operations of a graph, and of its bodies, that a line of the file made, by name."""
    places, found = Places(subject.filename), {}

    def visit(graph):
        for op in graph.ops:
            if op.type not in ("Placeholder", "Const", "NoOp"):
                place = places.of(op.position)
                if place is not None:
                    found[op.name] = place.line
                for _, body in bodies(op):
                    visit(body)

    visit(subject.graph)
    return found


@pytest.mark.parametrize("program", list(everything()))
def test_every_node_with_a_line_of_the_users_leads_to_it(program, monkeypatch):
    for subject in traced_by(program, monkeypatch):
        made = panel([subject], Cell(None, subject.filename), "en", views=("code", "graph"))
        (function,) = made["functions"]
        graph, code = function["graph"], function["code"]
        known = user_operations(subject)
        rows = {row["line"]: row for row in code["rows"]}
        generated = {entry["line"] for entry in code["generated"]}
        for node in graph["nodes"]:
            if node["kind"] == "op" and node["name"] in known and node.get("in") != ["gradient"]:
                assert lines_of(node), f"{subject.name}: {node['name']} comes from line {known[node['name']]}"
            if not rows or not lines_of(node):
                continue
            here = [line for line in lines_of(node) if line in rows]
            assert here or program.function.__name__ in OUTSIDE, (
                f"{subject.name}: {node['title']}, lines {lines_of(node)}, leads to no line of the function"
            )
            if here and generated and node["kind"] == "op" and not node.get("backward"):
                assert set(here) & generated, f"{subject.name}: {node['title']}, lines {here}, has no generated line"


NESTED = """
def power(a):
    return tf.square(a)

def helper(a):
    return power(a) + 1.0

@tf.function
def inner(a):
    return helper(a) * 2.0

@tf.function
def f(x, n):
    for i in tf.range(n):
        if tf.reduce_sum(x) > 5.0:
            x = helper(x)
        else:
            x = tf.vectorized_map(lambda row: row - 1.0, x)
    return inner(x)

with tf.GradientTape() as tape:
    x = tf.ones((2, 2))
    tape.watch(x)
    y = f(x, tf.constant(2))
tape.gradient(y, x)
"""


def nested(run):
    ran = run(NESTED)
    return next(f for f in ran.panel()["functions"] if f["name"] == "f")


def test_lines_of_helpers_and_of_their_callers(run):
    graph = nested(run)["graph"]
    found = {(n["title"], tuple(lines_of(n))) for n in graph["nodes"] if n["kind"] == "op" and not n.get("backward")}
    expected = {
        ("Square", (3, 6, 16)),  # power, in helper, in the loop's branch: not the line of the loop
        ("AddV2", (6, 16)),
        ("Sub", (18,)),  # a lambda in the same line
        ("Square", (3, 6, 10, 19)),  # the same helper, in a traced function that f calls in line 19
        ("Mul", (10, 19)),
    }
    assert expected - found == set()


def test_the_gradient_leads_to_the_lines_whose_gradient_it_is(run):
    graph = nested(run)["graph"]
    backward = [n for n in graph["nodes"] if n.get("backward") and n["kind"] == "op"]
    assert {line for node in backward for line in lines_of(node)} >= {3, 10, 16, 18}


def test_every_line_in_the_graph_leads_to_nodes(run):
    """The other way: a line that is marked as running in the graph has nodes, or returns what has."""
    function = nested(run)
    marked = {row["line"] for row in function["code"]["rows"] if row["mark"] == "graph"}
    assert marked == {14, 15, 16, 18, 19}
    assert marked <= {line for node in function["graph"]["nodes"] for line in lines_of(node)}
