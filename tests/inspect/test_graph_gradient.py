"""The gradient in the graph view: what computes it, with the forward nodes that it uses."""

import pytest

from graphlab import inspect
from graphlab.inspect import graph_fold

TAPE = (
    "with tf.GradientTape() as tape:\n    x = tf.constant({x})\n    tape.watch(x)\n    y = f(x)\ntape.gradient(y, x)\n"
)


def graph_of(run, body, x="[1.0, 2.0]", tail=TAPE):
    ran = run(f"@tf.function\ndef f(x):\n{body}\n{tail.format(x=x)}")
    return ran.function()["graph"], ran


def saved(graph):
    """Forward node → node of the gradient, by title."""
    titles = {n["id"]: n["title"] for n in graph["nodes"]}
    return sorted((titles[e["from"]], titles[e["to"]]) for e in graph["edges"] if e["kind"] == "saved")


# body → (forward node, node of the gradient) pairs of kept values
CASES = {
    "arguments": ("    return x * x", [("x", "Mul"), ("x", "Mul")]),
    "a result in between": ("    y = tf.exp(x)\n    return tf.reduce_sum(y)", [("Exp", "Mul")]),
    "inside a branch": (
        "    if tf.reduce_sum(x) > 0.0:\n        x = tf.sin(x) * 2.0\n    return x", [("Greater", "Mul"), ("x", "Cos")],
    ),
    "inside a loop": (
        "    for _ in tf.range(3):\n        x = tf.tanh(x)\n    return x", [("Tanh", "TensorListPopBack")],
    ),
    "nothing": ("    return x + 1.0", []),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_forward_nodes_that_a_gradient_uses(run, case):
    body, expected = CASES[case]
    graph, _ = graph_of(run, body)
    assert graph["parts"][-1] == "gradient"
    assert {pair[0] for pair in saved(graph)} == {pair[0] for pair in expected}
    used = [n["title"] for n in graph_fold.shown(graph, "gradient")["nodes"] if not n.get("backward")]
    assert set(used) >= {pair[0] for pair in expected}


def test_arguments_and_results_are_named_after_what_they_are_the_gradient_of(run):
    graph, _ = graph_of(run, "    y = tf.exp(x)\n    return y * 2.0")
    backward = {n["kind"]: n for n in graph["nodes"] if n.get("backward") and n["kind"] in ("arg", "result")}
    assert backward["arg"]["title"] == "∂ y * 2.0"
    assert backward["result"]["title"] == "∂ x"
    assert backward["result"]["text"]["id"] == "graph.pick.result.gradient"


def test_a_gradient_asked_for_inside_the_function_is_part_of_its_graph(run):
    body = (
        "    with tf.GradientTape() as tape:\n        tape.watch(x)\n        y = tf.reduce_sum(tf.sin(x))\n"
        "    return tape.gradient(y, x)"
    )
    graph, _ = graph_of(run, body, tail="f(tf.constant([1.0]))\n")
    assert graph["parts"][-1] == "gradient"
    (cos,) = [n for n in graph["nodes"] if n["title"] == "Cos"]
    assert cos["backward"]
    assert cos["in"][-1] == "gradient"
    assert cos["lines"] == [6, 5]  # where it is asked for, and what it is the gradient of


def test_nothing_is_drawn_that_nobody_asked_for(run):
    graph, ran = graph_of(run, "    return x * x", tail="f(tf.constant([1.0]))\n")
    assert "gradient" not in graph["parts"]
    shown = inspect.graph(ran.names["f"], part="gradient").data["functions"][0]["graph"]
    assert shown["part"] == "gradient"
    assert saved(shown) == [("x", "Mul"), ("x", "Mul")] or saved(shown) == [("x", "Mul")]
    assert "∂" in shown["text"]


def test_a_function_without_a_gradient_says_so(run):
    _, ran = graph_of(run, "    return x + 1", tail="f(tf.constant([1]))\n")
    with pytest.raises(ValueError, match="f has no gradient"):
        inspect.graph(ran.names["f"], part="gradient")


def test_what_a_loop_keeps_for_its_gradient_has_no_internal_name(run):
    body = "    while tf.reduce_sum(x) < 10.0:\n        x = x * x\n    return x"
    graph, _ = graph_of(run, body, "2.0")
    titles = [node["title"] for node in graph["nodes"]]
    assert "TensorListPopBack" in titles
    assert [title for title in titles if "gradients/" in title] == []
