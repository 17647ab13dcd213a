"""Stepping through a call: every operation with its values, iterations and branches, breakpoints, where NaN begins."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import graphlab as tf
from graphlab import inspect
from graphlab.inspect import interpreter, static_html
from graphlab.inspect.panel import MIME
from graphlab.inspect.values import value_data
from graphlab.messages import LANGUAGES, set_language
from graphlab.messages.message import plain


@tf.function
def walk(x, steps):
    for _ in tf.range(steps):
        if tf.reduce_any(x > 1.5):
            x = x * 0.5
        else:
            x = x + 1.0
    return x


@tf.function
def twice(x):
    return walk(x, tf.constant(1)) * 2.0


@tf.function
def collect(n):
    array = tf.TensorArray(tf.float32, n)
    for i in tf.range(n):
        array = array.write(i, tf.cast(i, tf.float32) * 2.0)
    return array.stack(), {"n": n}


@tf.function
def nested(n):
    total = tf.constant(0)
    for i in tf.range(n):
        for j in tf.range(i):
            total += i * j
    return total


@tf.function
def choose(k, x):
    return tf.switch_case(k, [lambda: x + 1.0, lambda: x * 3.0])


@tf.function
def grad(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * x
    return tape.gradient(y, x)


@tf.function
def words(x):
    return tf.strings.join([x, "!"])


CALLS = [
    (walk, (tf.constant([1.0, 2.0]), tf.constant(4))),
    (walk, (tf.constant([1.0, 2.0]), tf.constant(0))),
    (twice, (tf.constant([3.0]),)),
    (collect, (tf.constant(3),)),
    (nested, (tf.constant(4),)),
    (choose, (tf.constant(1), tf.constant(2.0))),
    (choose, (tf.constant(7), tf.constant(2.0))),
    (grad, (tf.constant(2.0),)),
    (words, (tf.constant(["a", "b"]),)),
]


@pytest.mark.parametrize(("function", "args"), CALLS)
def test_a_run_step_by_step_gives_what_the_call_gives(function, args):
    expected, found = tf.nest.flatten(function(*args)), tf.nest.flatten(inspect.step(function, *args).result)
    assert [leaf.dtype for leaf in found] == [leaf.dtype for leaf in expected]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.numpy(), other.numpy())


def test_iterations_know_their_values_and_branches():
    (loop,) = inspect.step(walk, tf.constant([1.0, 2.0]), tf.constant(3)).data["loops"]
    assert loop["names"] == ["x"]
    assert [item["values"][0]["text"] for item in loop["iterations"]] == ["[0.5, 1]", "[1.5, 2]", "[0.75, 1]"]
    assert [[name.split("_")[0] for name in item["branches"]] for item in loop["iterations"]] == [
        ["true"], ["else"], ["true"],
    ]  # fmt: skip


def test_forwards_back_iterations_and_breakpoints():
    steps = inspect.step(walk, tf.constant([1.0, 2.0]), tf.constant(3))
    line = next(event.line for event in steps.run.events if event.op == "Mul")
    assert steps.position == 0
    assert steps.next(2).position == 2
    assert steps.back().position == 1
    assert steps.back(9).position == 0
    first = steps.run_to(line=line).position
    assert steps.event.op == "Mul"
    assert steps.values[0].tolist() == [0.5, 1.0]
    second = steps.run_to(line=line).position
    assert second > first
    assert steps.event.around[0].iteration == 3
    with pytest.raises(ValueError, match="Nothing after step"):
        steps.run_to(line=line)
    steps.goto(0).run_to(when=lambda event: event.outputs[0][0] == 1.5)
    assert steps.event.op == "AddV2"
    assert steps.goto(0).next_iteration().event.around[0].iteration in (1, 2)
    assert steps.goto(10**6).position == len(steps.run.events) - 1
    assert steps.previous_iteration().position < len(steps.run.events) - 1
    with pytest.raises(ValueError, match="a line, a condition"):
        steps.run_to()


@tf.function
def heron(x, rounds):
    y = x
    for i in tf.range(rounds):  # noqa: B007 - a condition asks for it
        y = (y + x / y) / 2.0
    z = tf.sqrt(y - 3.0)
    return z  # noqa: RET504 - likewise


STOPS = {
    # what is asked → the operation it stands at, its iteration, whether the next such one is further on
    "op == 'Sqrt'": ("Sqrt", None, False),
    "nan": ("Sqrt", None, False),
    "NaN": ("Sqrt", None, False),
    "y < 3": ("RealDiv", 1, True),
    "i == 2": ("RealDiv", 3, False),
    "iteration == 2 and op == 'AddV2'": ("AddV2", 2, True),
    "value > limit": ("AddV2", 1, False),
    "z != z": ("Sqrt", None, False),
    "np.isnan(value)": ("Sqrt", None, False),
    "x > 3": ("Less", 1, False),  # the argument has its value from the beginning
}


@pytest.mark.parametrize("stop", STOPS)
def test_a_place_to_stop_is_a_kind_of_value_or_a_condition_on_variables(stop):
    names = {"limit": 4.5, "np": np}
    op, iteration, further = STOPS[stop]
    steps = inspect.step(heron, tf.constant(4.0), tf.constant(3)).stop_at(stop, names)
    where = [place.iteration for place in steps.event.around]
    assert (steps.event.op, where[-1] if where else None) == (op, iteration)
    found = steps.data["stop"]
    assert found["asked"] == stop
    assert found["fits"][0] == steps.position
    assert plain(found["text"]["text"]).startswith(f"Stopped at step {steps.position + 1} of {steps.run.count}:")
    assert (len(found["fits"]) > 1) is further
    if further:
        assert steps.run_to(stop, names=names).position == found["fits"][1]
    else:
        with pytest.raises(ValueError, match="Nothing after step"):
            steps.run_to(stop, names=names)


def test_a_line_to_stop_at():
    steps = inspect.step(heron, tf.constant(4.0), tf.constant(3))
    line = next(event.line for event in steps.run.events if event.op == "AddV2")
    first = steps.stop_at(f" line {line} ")
    assert (first.event.line, first.event.around[0].iteration) == (line, 1)
    assert [steps.run.events[n].line for n in steps.data["stop"]["fits"]] == [line] * 9


def test_what_holds_nowhere_is_said_and_moves_nothing():
    steps = inspect.step(heron, tf.constant(4.0), tf.constant(3)).stop_at("y > 100")
    assert (steps.position, steps.data["stop"]["fits"]) == (0, [])
    assert "Not stopped: y > 100 held nowhere." in str(steps)


@pytest.mark.parametrize(
    ("stop", "said"),
    [("y >", "`y >` is no place|y > is no place to stop at"), ("q > 1", "There is no q .* i, rounds, x, y, z, value")],
)
def test_what_cannot_be_a_place_to_stop(stop, said):
    steps = inspect.step(heron, tf.constant(4.0), tf.constant(3))
    for go in (steps.stop_at, steps.run_to):
        with pytest.raises(ValueError, match=said):
            go(stop)


def test_a_place_far_on_is_held_by_the_panel():
    steps = inspect.step(heron, tf.constant(4.0), tf.constant(150)).stop_at("iteration == 140")
    nodes = steps.data["nodes"]
    assert steps.position >= 400
    assert nodes[steps.position]["n"] == steps.position
    assert len(nodes) == steps.position + 40
    assert len(steps.run.events) > len(nodes)


def test_the_view_of_a_stop_is_valid_in_every_language():
    schema = json.loads(Path(inspect.__file__).with_name("panel.schema.json").read_text(encoding="utf-8"))
    for lang in LANGUAGES:
        set_language(lang)
        steps = inspect.step(heron, tf.constant(4.0), tf.constant(3)).stop_at("y < 3")
        shown = steps._repr_mimebundle_()
        jsonschema.validate(shown[MIME], schema)
        assert shown["text/html"].count("⇥") == 1
        assert "y &lt; 3" in shown["text/html"]
    set_language(None)


def test_where_nan_and_infinity_begin():
    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.where(x > 0.0, tf.math.log(x), 0.0)
        return tape.gradient(y, x)

    troubles = inspect.step(f, tf.constant(0.0)).data["troubles"]
    assert {trouble["kind"] for trouble in troubles} >= {"nan"}

    @tf.function
    def g(x):
        y = tf.math.log(x)
        return y - y

    steps = inspect.step(g, tf.constant(0.0))
    assert [(t.kind, t.event.op) for t in steps.run.troubles] == [("inf", "Log"), ("nan", "Sub")]
    assert steps.run.troubles[1].event.line == steps.run.troubles[0].event.line + 1


def test_an_error_ends_the_run_and_is_placed():
    @tf.function
    def share(total, people):
        total = total + 1
        return total // people

    steps = inspect.step(share, tf.constant(3), tf.constant(0))
    assert steps.result is None
    (trouble,) = steps.data["troubles"]
    assert (trouble["kind"], trouble["text"]["values"]["op"]) == ("error", "FloorDiv")
    assert "FloorDiv failed in line" in str(steps)


def test_variables_are_changed_once():
    v = tf.Variable(1.0)

    @tf.function
    def f():
        v.assign_add(1.0)
        return v * 2.0

    steps = inspect.step(f)
    assert (float(v), float(steps.result)) == (2.0, 4.0)


def test_a_long_run_is_kept_in_part_and_counted(monkeypatch):
    monkeypatch.setattr(interpreter, "MAX_EVENTS", 50)
    steps = inspect.step(walk, tf.constant([1.0, 2.0]), tf.constant(100))
    assert len(steps.run.events) == 50
    assert steps.run.count > 400
    assert steps.data["cut"]["values"]["n"] == steps.run.count - 50


def test_every_language_says_it_and_nothing_breaks_out():
    @tf.function
    def f(x):
        return tf.strings.join([x, "<script>alert(1)</script>"])

    for lang in LANGUAGES:
        set_language(lang)
        try:
            steps = inspect.step(f, tf.constant("<b>"))
            html = steps._repr_html_()
            assert "<script" not in html
            assert "<b>&" not in html
            assert plain(steps.data["lede"]["text"]) in str(steps)
        finally:
            set_language(None)
    assert static_html.framed("", "fa", "rtl").count('dir="rtl"') == 1


SCHEMA = json.loads((Path(inspect.__file__).parent / "panel.schema.json").read_text("utf-8"))
FIXTURES = Path(__file__).parent / "fixtures"
WALK = """
@tf.function
def walk(x, steps):
    for i in tf.range(steps):
        if tf.reduce_any(x > 1.5):
            x = x * 0.5
        else:
            x = x + 1.0
    print("tracing", steps)
    return x / tf.constant([0.0, 1.0])
"""


def run_panels(run):
    """The panels of a step and of a comparison, without what varies; the extension's views are tested with them too."""
    walk = run(WALK).names["walk"]
    args = tf.constant([0.0, 2.0]), tf.constant(3)
    made = {}
    for name, report in (("step", inspect.step(walk, *args)), ("compare", inspect.compare(walk, *args))):
        data = report._repr_mimebundle_()[MIME]
        jsonschema.validate(data, SCHEMA)
        assert json.loads(json.dumps(data)) == data
        if name == "compare":
            data["functions"][0]["compare"]["volatile"] = {}
        data["functions"][0]["volatile"] = {"identity": "a1b2c3d4.1"}
        for trace in data["functions"][0]["traces"]:
            trace["volatile"] = {}
        made[name] = data
    return made


def test_panels_of_runs_are_valid_and_those_the_extension_is_tested_with(run):
    for name, data in run_panels(run).items():
        saved = json.loads((FIXTURES / f"{name}.en.json").read_text("utf-8"))
        assert data == saved
        assert data["functions"][0]["views"] == [name, "code", "graph"]


# a value → its type, its text
VALUES = [
    (np.float32(1.5), "float32[]", "1.5"),
    (np.arange(9), "int64[9]", "[0, 1, 2, …, 8]"),
    (np.zeros((2, 2), np.float32), "float32[2, 2]", "[[0, 0], [0, 0]]"),
    (np.zeros((1000, 1000)), "float64[1000, 1000]", ""),
    (np.array(b"ab", object), "string[]", "'ab'"),
    (np.array([True, False]), "bool[2]", "[True, False]"),
]


@pytest.mark.parametrize(("value", "spec", "text"), VALUES)
def test_a_value_in_few_words(value, spec, text):
    data = value_data(value)
    assert (data["spec"], data["text"]) == (spec, text)
    assert len(str(data)) < 2000


def test_statistics_count_what_is_not_finite():
    stats = value_data(np.array([1.0, np.nan, np.inf, 3.0]))["stats"]
    assert stats == {"min": "1", "max": "3", "mean": "2", "nan": 1, "inf": 1}


def test_the_code_beside_a_step_counts_how_often_each_line_ran(run):
    walk = run(WALK).names["walk"]
    report = inspect.step(walk, tf.constant([0.0, 2.0]), tf.constant(3))
    (function,) = report._repr_mimebundle_()[MIME]["functions"]
    counts = {row["line"]: row["count"] for row in function["code"]["rows"] if row["mark"] == "graph"}
    assert (counts[6], counts[8]) == (2, 1)  # twice halved, once one more


@pytest.mark.parametrize(
    ("loop", "names"),
    [
        ("for i in tf.range(3): x = x + 1.0", ["i", "x"]),
        ("for _ in tf.range(3):\n        x = x + 1.0\n        z = x * 2.0", ["x", "z"]),
        ("while x < 3.0: x, z = x + 1.0, x", ["x", "z"]),
        ("while x < 3.0:\n        while z < 2.0: z = z + 1.0\n        x = x + 1.0", ["x", "z"]),
    ],
)
def test_the_values_of_a_loop_have_the_users_names(run, loop, names):
    f = run(f"@tf.function\ndef f(x):\n    z = x * 2.0\n    {loop}\n    return x, z").names["f"]
    loops = inspect.step(f, tf.constant(0.0)).data["loops"]
    assert sorted({name for loop in loops for name in loop["names"] if name}) == names


@pytest.mark.parametrize("leave", ["break", "return x"])
def test_the_flag_of_a_loop_that_ends_early_is_named_by_what_sets_it(run, leave):
    source = f"@tf.function\ndef f(x):\n    for i in tf.range(9):\n        if x > 5.0:\n            {leave}\n        x = x + 1.0\n    return x\n"
    (loop,) = inspect.step(run(source).names["f"], tf.constant(3.0)).data["loops"]
    assert leave.split()[0] in loop["names"]
    assert "Const" not in loop["names"]
