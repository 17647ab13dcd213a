"""A call that differs in several places at once: each is told, with its own line to write, and nothing twice."""

import re

import pytest

import graphlab as tf
from graphlab import inspect

TWO_NUMBERS = """
@tf.function
def f(x, n, rate=0.1):
    return x * tf.cast(n, tf.float32) * rate

f(tf.ones(2), 1)
f(tf.ones(2), 2, rate=0.5)
"""

SHAPES_AND_A_NUMBER = """
@tf.function
def f(x, y, n):
    return tf.reduce_sum(x) * tf.reduce_sum(y)

f(tf.ones(2), tf.ones(3), 1)
f(tf.ones(4), tf.ones(5), 2)
"""

A_DTYPE_AND_A_BOOL = """
@tf.function
def f(x, training):
    return x

f(tf.constant(1), True)
f(tf.constant(1.0), False)
"""

GENERAL = """
@tf.function(reduce_retracing=True)
def f(x, y):
    return x

f(tf.ones(2), tf.ones(4))
f(tf.ones(3), tf.ones(5))
"""

ONE = """
@tf.function
def f(x, n):
    return x

f(tf.ones(2), 1)
f(tf.ones(3), 1)
"""

CASES = [
    # program, the reasons with the line to write for each or "keep" where nothing is to be changed
    (
        TWO_NUMBERS,
        [
            ("retrace.python_number.value", "f(tf.ones(2), tf.constant(2), rate=tf.constant(0.5))"),
            ("retrace.default.given", None),
        ],
    ),
    (
        SHAPES_AND_A_NUMBER,
        [
            ("retrace.tensor.shape", "@tf.function(reduce_retracing=True)"),
            ("retrace.tensor.shape", None),
            ("retrace.python_number.value", "f(tf.ones(4), tf.ones(5), tf.constant(2))"),
        ],
    ),
    (A_DTYPE_AND_A_BOOL, [("retrace.tensor.dtype", "keep"), ("retrace.python_bool.value", "keep")]),
    (GENERAL, [("retrace.generalised", "keep"), ("retrace.generalised", "keep")]),
    (ONE, [("retrace.tensor.shape", "@tf.function(reduce_retracing=True)")]),
]


def told(cause):
    return cause["reason"]["id"], cause["fix"]["code"]["text"] if cause["fix"] else "keep" if cause["keep"] else None


@pytest.mark.parametrize(("program", "expected"), CASES)
def test_each_cause_is_told_and_what_helps_is_told_once(run, program, expected):
    trace = run(program).function()["traces"][-1]
    assert [told(cause) for cause in (trace, *trace["also"])] == expected
    assert trace["more"] is None


def test_writing_what_is_told_leaves_one_trace(run):
    """The lines for two shapes and a number: none of them alone would do."""
    function = run(SHAPES_AND_A_NUMBER).function()
    trace = function["traces"][-1]
    decorator, call = (cause["fix"]["code"]["text"] for cause in (trace, *trace["also"]) if cause["fix"])
    first, second = "f(tf.ones(2), tf.ones(3), 1)", "f(tf.ones(4), tf.ones(5), 2)"
    written = SHAPES_AND_A_NUMBER.replace(second, call).replace(first, first.replace("1)", "tf.constant(1))"))
    assert run(written).names["f"].experimental_get_tracing_count() == 2
    again = "\nf(tf.ones(6), tf.ones(7), tf.constant(3))\nf(tf.ones(8), tf.ones(9), tf.constant(4))\n"
    assert run(written + again).names["f"].experimental_get_tracing_count() == 4
    general = (written + again).replace("@tf.function", decorator)
    assert run(general).names["f"].experimental_get_tracing_count() == 2  # the first, and the general one


def test_very_many_are_told_as_a_number(run):
    names = ", ".join(f"a{i}" for i in range(9))
    calls = "\n".join(f"f({', '.join(str(i + step) for i in range(9))})" for step in (0, 100))
    trace = run(f"@tf.function\ndef f({names}):\n    return tf.constant(0)\n{calls}\n").function()["traces"][-1]
    assert len(trace["also"]) == 4
    assert trace["more"]["values"] == {"n": 4}
    assert trace["fix"]["code"]["text"].count("tf.constant(") == 9  # the line to write mends all of them


def test_text_and_html_tell_them_in_order(run):
    function = run(SHAPES_AND_A_NUMBER).names["f"]
    report = inspect.traces(function)
    for shown in (str(report), report._repr_html_()):
        assert shown.index("(2,)") < shown.index("(3,)") < shown.index("new number makes a new trace")


def test_a_call_that_was_not_made_yet(run):
    function = run(TWO_NUMBERS).names["f"]
    asked = inspect.explain_call(function, tf.ones(3), 7, 0.25)
    assert "x has another shape" in str(asked)
    assert "n = tf.constant(7)\n      rate = tf.constant(0.25)" in str(asked)
    assert str(asked).count("tf.constant(7)") == 1
    assert [cause["path"] for cause in asked.data["also"]] == ["n", "rate"]
    page = re.sub("<[^>]*>", "", asked._repr_html_())
    assert page.index("x has another shape") < page.index("new number makes") < page.index("rate = tf.constant(0.25)")
