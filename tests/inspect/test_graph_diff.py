"""What the optimiser did to a graph: what vanished, what stands in its place, by which rule, in which line."""

import ast
from pathlib import Path

import pytest

import graphlab as tf
from graphlab import inspect
from graphlab.inspect import graph_fold, graph_rules


def graph_of(run, source, name="f", lang="en"):
    ran = run(source)
    return next(f for f in ran.panel(lang)["functions"] if f["name"] == name)["graph"]


def function(body, call, more="", parameters="x"):
    return f"{more}@tf.function\ndef f({parameters}):\n{body}\n{call}\n"


def marks(graph):
    """What is marked: operation, what happened to it, the rules, its line."""
    return [
        (n["title"], n["change"], [graph["changes"][i]["pass"] for i in n.get("rules", [])], n["line"])
        for n in graph["nodes"]
        if "change" in n
    ]


ONES = "f(tf.ones((2, 3)))"
TWICE = "@tf.function\ndef g(a):\n    return tf.sin(a)\n"
# what it is → the body, the call, what stands before the function; what is marked
CASES = {
    "nothing to do": ("    return tf.sin(x) + 1.0", ONES, "", []),
    "a value of constants": (
        "    return x + tf.constant(2.0) * 3.0", ONES, "", [("Mul", "removed", ["constant folding"], 3)],
    ),
    "times one": ("    return tf.sin(x) * 1.0", ONES, "", [("Mul", "removed", ["simplification"], 3)]),
    "there and back": (
        "    return tf.transpose(tf.transpose(x))", ONES, "",
        [("Transpose", "removed", ["redundancy", "pruning"], 3), ("Transpose", "removed", ["redundancy"], 3)],
    ),
    "the same twice": (
        "    y = tf.exp(x)\n    return y + tf.exp(x)", ONES, "",
        [("Exp", "kept", ["common subexpressions"], 3), ("Exp", "removed", ["common subexpressions"], 4)],
    ),
    "nobody needs it": (
        "    unused = tf.exp(x)\n    return x + 1.0", ONES, "", [("Exp", "removed", ["pruning"], 3)],
    ),
    "the same in every iteration": (
        "    for i in tf.range(3):\n        x = x + tf.sqrt(v)\n    return x", "f(tf.ones(2), tf.constant(4.0))", "",
        [("Sqrt", "moved", ["loop invariants"], 4)],
    ),
    "a branch that is never taken": (
        "    if tf.constant(1.0) > 2.0:\n        y = tf.sin(x)\n    else:\n        y = tf.cos(x)\n    return y", ONES, "",
        [("Greater", "removed", ["constant folding"], 3), ("Sin", "removed", ["branch folding"], 4)],
    ),
    "a call": ("    return g(x) + 1.0", ONES, TWICE, []),
    "a chain of long arrays": (
        "    return tf.tanh(x * 2.0 + 1.0)", "f(tf.ones(1 << 19))", "",
        [("Mul", "fused", ["chains"], 3), ("AddV2", "fused", ["chains"], 3), ("Tanh", "fused", ["chains"], 3)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_vanished_and_why(run, case):
    body, call, more, expected = CASES[case]
    parameters = "x, v" if "v)" in body else "x"
    graph = graph_of(run, function(body, call, more, parameters))
    assert marks(graph) == expected
    assert ("runs" in graph["parts"]) is bool(graph["changes"])
    for change in graph["changes"]:
        assert change["text"]["id"] in {*graph_rules.RULES.values(), *graph_rules.STARTS.values()}
    assert sum(change["count"] for change in graph["changes"] if not change["kept"]) == graph["ops"] - graph["runs"]


COUNTS = {
    # the constant of a product goes with the product; two constants and their product become one constant
    "times one": (3, [("simplification", 2)]),
    "a value of constants": (4, [("constant folding", 2)]),
    "the same twice": (3, [("common subexpressions", 1)]),
    "nobody needs it": (3, [("pruning", 1)]),
    # it only moves, what carries it inside is none; two constants are one
    "the same in every iteration": (None, [("constant folding", 1), ("loop invariants", 0)]),
    "a call": (4, [("inlining", 1)]),
    "a chain of long arrays": (5, [("chains", 3)]),
}


@pytest.mark.parametrize("case", COUNTS)
def test_how_many_operations_fewer_by_each_rule(run, case):
    body, call, more, _ = CASES[case]
    graph = graph_of(run, function(body, call, more, "x, v" if "v)" in body else "x"))
    operations, fewer = COUNTS[case]
    assert [(change["pass"], change["count"]) for change in graph["changes"]] == fewer
    assert graph["ops"] == operations or operations is None
    assert graph["lede"]["values"]["n"] == graph["ops"]


def test_what_is_in_which_graph(run):
    graph = graph_of(run, function(*CASES["a value of constants"][:2]))

    def titles(part):
        return [n["title"] for n in graph_fold.shown(graph, part)["nodes"]]

    assert titles("traced") == ["x", "Mul", "AddV2", "return x + tf.constant(2.0…"]
    assert titles("runs") == ["x", "AddV2", "return x + tf.constant(2.0…"]
    with_constants = graph_fold.shown(graph, "runs", constants=True)["nodes"]
    assert [n["title"] for n in with_constants if n["kind"] == "const"] == ["6.0"]
    assert graph["ops"] > graph["runs"]
    assert graph["left"]["id"] == "optimizer.left"


def test_what_moved_out_of_a_loop_stands_before_it(run):
    body, call, more, _ = CASES["the same in every iteration"]
    graph = graph_of(run, function(body, call, more, "x, v"))
    (node,) = [n for n in graph["nodes"] if n["title"] == "Sqrt"]
    assert node["cluster"] == "c1"
    assert node["runs_in"] is None


def test_operations_of_a_called_function_stand_in_its_place(run):
    graph = graph_of(run, function("    return g(x) + 1.0", ONES, TWICE))
    (call,) = graph["clusters"]
    assert (call["kind"], call["in"]) == ("call", ["traced"])
    assert graph["changes"][call["rules"][0]]["text"]["id"] == "optimizer.inlined"
    (sin,) = [n for n in graph["nodes"] if n["title"] == "Sin"]
    assert (sin["cluster"], sin["runs_in"]) == (call["id"], None)
    assert "change" not in sin  # it is the same operation, wherever it stands


def test_the_optimiser_switched_off_changes_nothing(run):
    before = tf.config.optimizer.get_experimental_options()
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    try:
        graph = graph_of(run, function(*CASES["times one"][:2]))
    finally:
        tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": False, **before})
    assert graph["changes"] == []
    assert graph["parts"] == ["traced"]
    assert graph["left"]["id"] == "optimizer.nothing"


@pytest.mark.parametrize("lang", ["en", "es", "fa", "it", "ru", "zh"])
def test_the_list_as_text_html_and_data(run, lang):
    ran = run(function("    unused = tf.exp(x)\n    return tf.sin(x) * 1.0 + tf.constant(2.0) * 3.0", ONES))
    report = inspect.graph(ran.names["f"], lang=lang)
    changes = report.data["functions"][0]["graph"]["changes"]
    assert len(changes) == 3
    for change in changes:
        text = change["text"]["text"]
        assert change["pass"] in str(report)
        assert text in str(report)
        assert text in report._repr_html_()
        assert change["lines"] in ([3], [4])


def test_the_text_of_each_part(run):
    f = run(function(*CASES["times one"][:2])).names["f"]
    assert "Mul(" in str(inspect.graph(f))
    assert "Mul(" not in str(inspect.graph(f, part="runs"))
    with pytest.raises(ValueError, match="no part 'before'"):
        inspect.graph(f, part="before")


def passes():
    return sorted((Path(tf.__file__).parent / "compile" / "passes").glob("*.py"))


def test_every_rule_of_the_passes_has_its_sentence():
    """Rules are the second argument of `note`, or texts that a rule's function returns with what stands for a result."""
    found = set()
    for path in passes():
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            rule = None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "note":
                rule = node.args[1]
            elif isinstance(node, ast.Tuple) and path.stem in ("redundancy", "simplification") and len(node.elts) > 1:
                rule = node.elts[1]
            if isinstance(rule, ast.JoinedStr):
                found.add(rule.values[0].value)
            elif isinstance(rule, ast.Constant) and isinstance(rule.value, str) and " " in rule.value:
                found.add(rule.value)
    assert len(found) > 15
    assert found - {*graph_rules.RULES, *graph_rules.STARTS} == set()


def test_every_pass_has_its_name():
    from graphlab.compile.passes import PASSES

    assert {one.name for one in PASSES} - set(graph_rules.PASSES) == set()


def test_memory_is_told_when_it_is_worth_telling(run):
    ran = run(function("    return tf.reduce_sum(tf.tile(x, [3]))", "f(tf.ones(100_000))"))
    report = inspect.graph(ran.names["f"])
    (peak, *_) = report.data["functions"][0]["graph"]["memory"]
    assert peak["text"] == "A call takes at most **1.2 MB** beside its arguments."
    assert "A call takes at most 1.2 MB beside its arguments." in str(report)
    assert "A call takes at most <strong>1.2 MB</strong> beside its arguments." in report._repr_html_()
    assert graph_of(run, function(*CASES["times one"][:2]))["memory"] == []
