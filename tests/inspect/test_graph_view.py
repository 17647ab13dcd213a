"""The picture of a graph: what stands in it, how it is grouped, and the graph as text."""

import pytest

from graphlab.inspect import graph_dot, graph_fold, graph_model


def drawn(run, body, call, more=""):
    ran = run(f"{more}@tf.function\ndef f({body.split('|')[0]}):\n{body.split('|')[1]}\n{call}")
    return ran.function()["graph"]


def traced(graph, *, constants=False):
    """The nodes of the graph as it was traced, without what nothing needs."""
    kept = [n for n in graph["nodes"] if "traced" in n.get("in", ["traced"]) and not n.get("unneeded")]
    return kept if constants else [n for n in kept if n["kind"] != "const"]


# parameters | body, call
STRAIGHT = ("x, y|    z = tf.matmul(x, y)\n    return z + 1.0", "f(tf.eye(2), tf.eye(2))")
BRANCH = ("x|    if x > 0.0:\n        y = x * 2.0\n    else:\n        y = x\n    return y", "f(tf.constant(1.0))")
WHILE = ("n|    while n > 0:\n        n = n - 1\n    return n", "f(tf.constant(3))")
FOR = ("xs|    total = tf.constant(0.0)\n    for x in xs:\n        total += x\n    return total", "f(tf.ones(3))")


def test_a_straight_graph(run):
    graph = drawn(run, *STRAIGHT)
    assert [(n["kind"], n["title"], n["label"], n["line"]) for n in traced(graph)] == [
        ("arg", "x", None, 1),
        ("arg", "y", None, 1),
        ("op", "MatMul", "z", 3),
        ("op", "AddV2", "z + 1.0", 4),
        ("result", "return z + 1.0", None, 4),
    ]
    assert [(e["from"], e["to"], e["kind"]) for e in graph["edges"]] == [
        ("n1", "n3", "data"), ("n2", "n3", "data"), ("n3", "n4", "data"), ("n4", "n5", "data"), ("k1", "n4", "data"),
    ]  # fmt: skip
    assert graph["lede"]["values"]["shape"]["id"] == "graph.shape.straight"
    assert graph["text"].splitlines()[1].split() == ["z", "=", "MatMul(x,", "y)", "float32[2,", "2]", "line", "3"]


def test_branches_are_clusters_and_one_that_only_hands_on_is_drawn(run):
    graph = drawn(run, *BRANCH)
    assert [(c["kind"], c["parent"], c["label"]) for c in graph["clusters"]] == [
        ("cond", None, "if · line 3"),
        ("branch", "c1", "true · line 4"),
        ("branch", "c1", "else · line 6"),
    ]
    inside = {n["cluster"]: n["title"] for n in traced(graph) if n["cluster"]}
    assert inside == {"c2": "Mul", "c3": "Identity"}
    dotted = [(e["from"], e["to"]) for e in graph["edges"] if e["kind"] == "predicate"]
    test = next(n["id"] for n in graph["nodes"] if n["title"] == "Greater")
    assert {a for a, _ in dotted} == {test}
    assert len(dotted) == 2
    assert graph["text"].splitlines()[1:] == [
        "greater = Greater(x, 0.0)  bool[]     line 3",
        "if greater                            line 3",
        "├─ true:  Mul(x, 2.0)      float32[]  line 4",
        "└─ else:  Identity(x)      float32[]  line 6",
        "result   y: float32[]                 line 7",
    ]


def test_a_while_shows_its_values_its_test_and_its_way_back(run):
    graph = drawn(run, *WHILE)
    (loop,) = graph["clusters"]
    assert (loop["kind"], loop["label"]) == ("loop", "while n > 0 · line 3")
    assert [n["title"] for n in graph["nodes"] if n["kind"] == "loopvar"] == ["n", "n, next iteration"]
    kinds = [e["kind"] for e in graph["edges"]]
    assert kinds.count("back") == 1
    assert kinds.count("predicate") == 1
    assert "Less" not in str([n["op"] for n in graph["nodes"]])


@pytest.mark.parametrize(
    ("leave", "after", "title"),
    [("break", "", "break"), ("return x", "", "return"), ("break", "if x > 9.0: return x", "break / return")],
    ids=["break", "return", "both"],
)
def test_a_flag_of_the_loops_own_is_named_by_the_statement_that_sets_it(run, leave, after, title):
    body = f"""x|    for i in tf.range(9):
        for j in range(2):  # Python's own loop: its break is another one
            if j: break
        if x > 5.0:
            {leave}
        {after}
        x = x + 1.0
    return x"""
    graph = drawn(run, body, "f(tf.constant(3.0))")
    titles = [n["title"] for n in graph["nodes"] if n["kind"] == "loopvar"]
    assert title in titles
    assert f"{title}, next iteration" in titles
    assert not {"False", "False, next iteration"} & set(titles)


def test_a_for_over_a_tensor_shows_the_element_not_the_counting(run):
    graph = drawn(run, *FOR)
    loop_values = [n["title"] for n in graph["nodes"] if n["kind"] == "loopvar"]
    assert sorted(loop_values) == ["total", "total, next iteration", "x"]
    ops = [n["op"] for n in graph["nodes"] if n["kind"] == "op"]
    assert ops == ["AddV2"]
    element = next(n["id"] for n in graph["nodes"] if n["title"] == "x")
    argument = next(n["id"] for n in graph["nodes"] if n["kind"] == "arg")
    assert (argument, element) in [(e["from"], e["to"]) for e in graph["edges"]]


# what stands after `for`, a line of the body, the call → whether what is iterated over is dotted to the next iteration
OFTEN = [
    ("_ in tf.range(n)", "x = x * 2.0", "f(tf.constant(1.0), tf.constant(3))", True),
    ("i in tf.range(n)", "x = x * 2.0", "f(tf.constant(1.0), tf.constant(3))", True),
    ("_ in n", "x = x * 2.0", "f(tf.constant(1.0), tf.constant([3, 4]))", True),
    ("i in tf.range(n)", "x = x * tf.cast(i, tf.float32)", "f(tf.constant(1.0), tf.constant(3))", False),
    ("_ in tf.range(n)", "x = x * 2.0", "f(tf.constant(1.0), 3)", False),
]


@pytest.mark.parametrize(("header", "line", "call", "dotted"), OFTEN)
def test_how_often_a_for_goes_round_comes_from_somewhere(run, header, line, call, dotted):
    graph = drawn(run, f"x, n|    for {header}:\n        {line}\n    return x", call)
    titles = {n["id"]: n["title"] for n in graph["nodes"]}
    tests = [(titles[e["from"]], titles[e["to"]]) for e in graph["edges"] if e["kind"] == "predicate"]
    assert tests == ([("n", "x, next iteration")] if dotted else [])
    if "constant" in call.split(", ", 1)[1]:  # an argument that decides something is not left without an arrow
        assert "n" in {titles[e["from"]] for e in graph["edges"]}


def test_nested_loops_are_nested_clusters(run):
    body = "x|    for i in tf.range(3):\n        for j in tf.range(2):\n            x = x + tf.cast(i * j, tf.float32)\n    return x"
    graph = drawn(run, body, "f(tf.zeros(2))")
    assert [(c["parent"], c["kind"]) for c in graph["clusters"]] == [(None, "loop"), ("c1", "loop")]
    assert graph["lede"]["values"]["shape"]["id"] == "graph.shape.nested_loops"


def test_variables_and_large_tensors_come_from_outside(run):
    more = "v = tf.Variable(2.0, name='weight')\nbig = tf.zeros(1000)\n"
    graph = drawn(run, "x|    return x * v + tf.reduce_sum(big)", "f(tf.constant(1.0))", more)
    captures = {n["title"]: n["spec"] for n in graph["nodes"] if n["kind"] == "capture"}
    assert captures["weight"] == "float32[]"
    assert "float32[1000]" in captures.values()


def test_a_call_of_another_function_is_a_cluster(run):
    more = "@tf.function\ndef inner(y):\n    return y * 3.0\n"
    ran = run(more + "@tf.function\ndef f(x):\n    return inner(x) + 1.0\nf(tf.zeros(2))")
    graph = next(f for f in ran.panel()["functions"] if f["name"] == "f")["graph"]
    assert [(c["kind"], "inner" in c["label"]) for c in graph["clusters"]] == [("call", True)]
    assert [n["op"] for n in graph["nodes"] if n["kind"] == "op"] == ["Mul", "AddV2"]


def test_effects_are_ordered_and_their_edges_are_apart(run):
    more = "v = tf.Variable(0.0)\n"
    graph = drawn(
        run, "x|    v.assign_add(x)\n    v.assign_add(x * 2.0)\n    return v.read_value()", "f(tf.constant(1.0))", more
    )
    kinds = {e["kind"] for e in graph["edges"]}
    assert kinds & {"control", "effect"}
    assert "arrowhead=open" in graph_dot.dot("f", graph_fold.shown(graph, control=True))
    assert "arrowhead=open" not in graph_dot.dot("f", graph_fold.shown(graph))


def test_what_nothing_needs_is_there_as_removed_and_not_drawn_at_first(run):
    graph = drawn(run, "x|    y = tf.exp(x)\n    return x + 1.0", "f(tf.constant(1.0))")
    (unneeded,) = [n for n in graph["nodes"] if n["op"] == "Exp"]
    assert (unneeded["in"], unneeded["change"], unneeded["unneeded"]) == (["traced"], "removed", True)
    assert "Exp" not in [n["op"] for n in graph_fold.shown(graph)["nodes"]]
    assert "Exp" in [n["op"] for n in graph_fold.shown(graph, removed=True)["nodes"]]
    assert "Exp" not in graph["text"]


def test_every_edge_joins_nodes_that_exist_and_every_cluster_has_its_parent(run):
    for body, call in (STRAIGHT, BRANCH, WHILE, FOR):
        graph = drawn(run, body, call)
        ids = {n["id"] for n in graph["nodes"]}
        clusters = {c["id"] for c in graph["clusters"]}
        assert all({e["from"], e["to"]} <= ids for e in graph["edges"])
        assert all(c["parent"] is None or c["parent"] in clusters for c in graph["clusters"])
        assert all(n["cluster"] is None or n["cluster"] in clusters for n in graph["nodes"])


def test_a_large_graph_is_drawn_with_bodies_closed(run):
    lines = "".join(f"        x = tf.sin(x + {k}.5)\n" for k in range(40))
    graph = drawn(run, f"x|    for i in tf.range(3):\n{lines}    return x", "f(tf.zeros(2))")
    (loop,) = graph["clusters"]
    assert loop["open"] is False
    assert sum(1 for n in graph["nodes"] if n["cluster"] == "c1") > graph_fold.OPENED  # they are there, to be opened
    view = graph_fold.shown(graph)
    (body,) = [n for n in view["nodes"] if n["kind"] == "body"]
    assert (body["id"], body["title"], body["line"]) == ("c1", "for i in tf.range(3) · line 3", 3)
    assert body["label"].endswith(" ops")
    assert view["clusters"] == []
    assert len(view["nodes"]) <= graph_fold.OPENED


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.5"), (3, "3"), (2.0, "2.0"), (True, "True"), (b"ab", "'ab'"), ([1, 2], "[1, 2]"), ([[1.0] * 4] * 3, "[3×4 …]"), (1e9, "1e+09"), (float("inf"), "inf"), (float("nan"), "nan")],
)  # fmt: skip
def test_constants_in_labels(value, text):
    assert graph_model.constant_text(value) == text


def test_positions_elsewhere_have_no_line(run):
    import math

    assert math
    graph = drawn(run, "x|    return tf.math.reduce_std(x)", "f(tf.constant([1.0, 2.0]))")
    assert {n["line"] for n in graph["nodes"]} <= {1, 3, None}


def test_persian_labels_are_isolated_and_code_in_them_reads_left_to_right(run):
    ran = run("@tf.function\ndef f(x):\n    for i in tf.range(3):\n        x = x + 1.0\n    return x\nf(tf.zeros(2))")
    graph = ran.function("fa")["graph"]
    assert graph["clusters"][0]["label"] == "\u2067\u2066for i in tf.range(3)\u2069 · سطر ۳\u2069"
    assert any(n["title"] == "\u2067x، دور بعد\u2069" for n in graph["nodes"])


@pytest.mark.parametrize(
    ("expression", "label"),
    [
        ("(x - 1.0) * 0.5", "* 0.5"),
        ("x * x + x - 2.0", "- 2.0"),
        ("(x + x) % 3.0 > 1.0", "> 1.0"),
        ("((x)) * 2.0", "x * 2.0"),
    ],
)
def test_what_is_done_to_a_value_stands_without_the_value(run, expression, label):
    graph = drawn(run, f"x|    return {expression}", "f(tf.constant(4.0))")
    assert [n["label"] for n in traced(graph) if n["kind"] == "op"][-1] == label
