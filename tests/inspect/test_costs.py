"""What tracing costs against running, what `reduce_retracing` would merge, and from when a graph is ahead."""

import re

import pytest

import graphlab as tf
from graphlab import inspect
from graphlab.inspect import gather, static_html

CALLS = "\n".join(f"f(tf.ones({size}), 3)\nf(tf.ones({size}), 3)" for size in (1, 2, 3, 4)) + "\nf(tf.ones(3), 5)"
SIZES = """
@tf.function{0}
def f(x, n):
    return tf.sin(x) * n

""" + CALLS  # fmt: skip


def test_tracing_is_told_in_calls_of_the_graph(run):
    function = run(SIZES.format("")).function()
    said = function["volatile"]["cost"]
    assert said["id"] == "cost.tracing"
    assert said["values"]["n"] >= 1
    assert re.fullmatch(r"[\d.]+ (µs|ms|s)", said["values"]["tracing"])


def test_without_a_call_that_only_ran_there_is_nothing_to_compare_with(run):
    function = run("@tf.function\ndef f(x):\n    return x * 2\nf(tf.ones(2))").function()
    assert function["volatile"]["cost"] is None


def test_calls_that_build_a_graph_are_no_runs(run):
    inner = run("""
@tf.function
def inner(x):
    return x * 2

@tf.function
def outer(x):
    return inner(inner(inner(x)))

outer(tf.ones(2))
""")
    by_name = {function["name"]: function for function in inner.panel()["functions"]}
    assert by_name["inner"]["volatile"]["cost"] is None


def test_the_html_marks_it_as_what_varies(run):
    ran = run(SIZES.format(""))
    page = static_html.html(ran.panel(), views=("retraces",))
    assert re.search(r"<small data-volatile[^>]*>Tracing took", page)
    assert "Tracing took" not in static_html.text(ran.panel(), views=("retraces",))


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (SIZES.format(""), (3, 5, [["T2", "T3", "T4"]])),  # the first has its own; with 5 for n it is another
        (SIZES.format("(reduce_retracing=True)"), None),
        ("@tf.function\ndef f(x):\n    return x\nf(tf.ones(2))\nf(tf.ones(3))", None),  # the first and the general one
        ("@tf.function\ndef f(n):\n    return n\nf(1)\nf(2)\nf(3)", None),
        (
            "@tf.function\ndef f(x, y):\n    return x\n"
            + "\n".join(f"f(tf.ones(({a}, 2)), tf.ones({b}))" for a, b in ((1, 2), (2, 2), (3, 2), (3, 4), (3, 5))),
            (3, 5, [["T2", "T3"], ["T4", "T5"]]),
        ),
    ],
)
def test_what_reduce_retracing_would_merge(run, program, expected):
    reduced = run(program).function()["signatures"]["reduced"]
    if expected is None:
        assert reduced is None
    else:
        values = reduced["values"]
        groups = [group["values"]["traces"] for group in values["groups"]]
        assert (values["traces"]["values"]["n"], values["n"], groups) == expected


def test_the_foreseen_traces_are_those_that_are_made(run):
    """The same calls with `reduce_retracing` make as many traces as was said, of the signatures that were said."""
    subject = gather.subject(run(SIZES.format("")).names["f"])
    reduced = run(SIZES.format("(reduce_retracing=True)")).names["f"]
    assert [key for _, key in subject.general] == [record.key for record in reduced.traces.log.traces]


def test_a_comparison_says_from_which_call_on_the_graph_is_ahead():
    @tf.function
    def f(x):
        for _ in range(50):
            x = tf.sin(x)
        return x

    times = inspect.compare(f, tf.ones(3)).data["volatile"]
    eager, running, tracing = (bar["ms"] for bar in times["bars"])
    assert times["said"]["id"] == ("compare.ahead" if eager > running else "compare.behind")
    if eager > running:
        ahead = times["said"]["values"]["n"]
        assert tracing + (ahead - 1) * running <= (ahead - 1) * eager * 1.01 + eager
        assert tracing + (ahead + 1) * running < (ahead + 1) * eager


def test_a_comparison_of_one_call_or_of_a_failing_one_says_nothing_of_times():
    @tf.function
    def f(x):
        return tf.debugging.check_numerics(x, "here")

    for report in (inspect.compare(f, tf.ones(3), calls=1), inspect.compare(f, tf.constant(float("nan")))):
        assert report.data["volatile"]["said"] is None


@pytest.mark.parametrize(
    ("body", "more"),
    [("seen.append(1)", False), ("print('here')", False), ("pass", True)],
)
def test_more_calls_are_timed_only_where_they_leave_nothing_behind(body, more, run):
    ran = run(f"""
import itertools
seen, ticks = [], itertools.count()

def tick():
    return next(ticks)

@tf.function
def f(x):
    tick()
    {body}
    return x
""")
    inspect.compare(ran.names["f"], tf.ones(2))
    made = next(ran.names["ticks"])
    assert made > 3 if more else made == 3  # two calls eagerly, and one while tracing
    assert ran.names["seen"] == []
