"""``tf.print`` and ``tf.strings.format``: the text of values, where it goes, and when.

The texts are those of TensorFlow 2.21.
"""

from __future__ import annotations

import logging
import sys
from typing import NamedTuple

import numpy as np
import pytest

import graphlab as tf


class Pair(NamedTuple):
    x: object
    y: object


def printed(capsys, *values, **options):
    tf.print(*values, output_stream=sys.stdout, **options)
    return capsys.readouterr().out


TEXTS = [
    (("x", 1, 2.5, True, None, b"b"), "x 1 2.5 True None b'b'"),
    ((lambda: tf.constant([1.5, 2]),), "[1.5 2]"),
    ((lambda: tf.constant([[1, 2], [3, 4]]),), "[[1 2]\n [3 4]]"),
    ((lambda: tf.constant(True), lambda: tf.constant([True, False])), "1 [1 0]"),
    ((lambda: tf.constant("abc"),), "abc"),
    (("x", lambda: tf.constant("abc")), 'x "abc"'),
    ((lambda: tf.constant(["a", "b c", "d'\n\\\x01"]),), '["a" "b c" "d\\\'\\n\\\\\\001"]'),
    ((lambda: tf.range(10),), "[0 1 2 ... 7 8 9]"),
    ((lambda: tf.range(6),), "[0 1 2 3 4 5]"),
    ((lambda: tf.reshape(tf.range(16), [8, 2]),), "[[0 1]\n [2 3]\n [4 5]\n ...\n [10 11]\n [12 13]\n [14 15]]"),
    ((lambda: tf.reshape(tf.range(8), [2, 2, 2]),), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"),
    ((lambda: tf.zeros([0, 3]), lambda: tf.zeros([3, 0])), "[] [\n ...]"),
    ((lambda: tf.constant(1 / 3), lambda: tf.constant(1 / 3, tf.float64)), "0.333333343 0.33333333333333331"),
    ((lambda: tf.constant(0.1), lambda: tf.constant(1e10), lambda: tf.constant(1e-10)), "0.1 1e+10 1e-10"),
    ((lambda: tf.constant(123456.789), lambda: tf.constant(16777216.0)), "123456.789 16777216"),
    ((lambda: tf.constant([np.nan, np.inf, -np.inf, -0.0]),), "[nan inf ... -0]"),
    ((lambda: tf.constant(1 / 3, tf.float16), lambda: tf.constant(1 / 3, tf.bfloat16)), "0.333251953 0.333984375"),
    ((lambda: tf.constant([200, 100], tf.uint8), lambda: tf.constant(-5, tf.int8)), "[200 100] -5"),
    ((lambda: tf.constant(1 + 2.5j),), "1+2.5j"),
    ((lambda: [tf.constant(1), tf.constant([2, 3]), "a"],), "[1, [2 3], 'a']"),
    ((lambda: {"b": [tf.constant(2), 3], "a": tf.constant(1)},), "{'a': 1, 'b': [2, 3]}"),
    ((lambda: Pair(tf.constant(1), 2), lambda: (tf.constant(1),)), "Pair(x=1, y=2) (1,)"),
    ((lambda: tf.Variable(3.0), lambda: tf.Variable([1, 2])), "3 [1 2]"),
    (("{}", lambda: tf.constant(1)), "{} 1"),
    ((lambda: tf.constant(["{}"]), "{}0 {"), '["{}"] {}0 {'),
    ((), ""),
]  # fmt: skip


@pytest.mark.parametrize(("values", "text"), TEXTS)
def test_texts(capsys, values, text):
    made = [value() if callable(value) else value for value in values]
    if text == "[nan inf ... -0]":
        assert printed(capsys, *made, summarize=1) == "[nan ... -0]\n"
        return
    assert printed(capsys, *made) == text + "\n"

    @tf.function(autograph=False)
    def traced():
        tf.print(*made, output_stream=sys.stdout)

    traced()
    assert capsys.readouterr().out == text + "\n"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"sep": ","}, "1,[0 1 2 3]\n"),
        ({"end": ""}, "1 [0 1 2 3]"),
        ({"summarize": 1}, "1 [0 ... 3]\n"),
        ({"summarize": -1, "sep": "", "end": "!"}, "1[0 1 2 3]!"),
        ({"summarize": 0}, "... [ ...]\n"),
    ],
)
def test_options(capsys, options, text):
    assert printed(capsys, tf.constant(1), tf.range(4), **options) == text


def test_the_stream_is_looked_up_when_it_runs(capsys):
    @tf.function
    def f(x):
        tf.print("in f", x)
        return x

    f(tf.constant(1.0))
    assert capsys.readouterr().err == "in f 1\n"
    f(tf.constant(2.0))
    assert capsys.readouterr().err == "in f 2\n"


def test_program_order_also_through_branches_and_loops(capsys):
    @tf.function
    def f(n):
        for i in tf.range(n):
            tf.print("a", i, output_stream=sys.stdout)
            if i > 0:
                tf.print("b", output_stream=sys.stdout)
        tf.print("end", output_stream=sys.stdout)
        return n

    f(tf.constant(2))
    assert capsys.readouterr().out == "a 0\na 1\nb\nend\n"

    v = tf.Variable(4)

    @tf.function
    def g():
        tf.print("before", output_stream=sys.stdout)
        if v > 3:
            tf.print("inside", v, output_stream=sys.stdout)

    g()
    assert capsys.readouterr().out == "before\ninside 4\n"


def test_it_prints_although_nothing_needs_it(capsys):
    @tf.function
    def f(x):
        tf.print("unused", x * 2, output_stream=sys.stdout)
        return x

    f(tf.constant([1, 2]))
    assert capsys.readouterr().out == "unused [2 4]\n"


def test_files(tmp_path):
    path = tmp_path / "log"
    tf.print("one", tf.constant(1), output_stream=f"file://{path}")
    tf.print("two", output_stream=f"file://{path}")
    assert path.read_text() == "one 1\ntwo\n"
    with pytest.raises(tf.errors.NotFoundError):
        tf.print("x", output_stream=f"file://{tmp_path}/no/such/place")


def test_logging(caplog):
    with caplog.at_level(logging.INFO):
        tf.print("told", tf.constant(1), output_stream=logging.WARNING)
    assert [(r.levelno, r.getMessage()) for r in caplog.records] == [(logging.WARNING, "told 1")]


@pytest.mark.parametrize("options", [{"output_stream": "other"}, {"output_stream": 5}, {"other": 1}])
def test_what_it_does_not_take(options):
    with pytest.raises(ValueError, match="print"):
        tf.print("x", **options)


def test_it_is_two_nodes_in_a_graph():
    @tf.function(autograph=False)
    def f(x):
        tf.print("x is", x, [1, x])

    graph = f.get_concrete_function(tf.TensorSpec([2])).graph
    assert [op.type for op in graph.get_operations()] == ["Placeholder", "StringFormat", "PrintV2"]


@pytest.mark.parametrize(
    ("template", "inputs", "options", "text"),
    [
        ("a {} b {}", lambda: (tf.constant(1), tf.constant([2, 3])), {}, b"a 1 b [2 3]"),
        ("%t x", lambda: tf.constant(1), {"placeholder": "%t"}, b"1 x"),
        ("{}", lambda: tf.constant("abc"), {}, b'"abc"'),
        ("none", lambda: (), {}, b"none"),
        ("{}", lambda: tf.range(9), {"summarize": 2}, b"[0 1 ... 7 8]"),
    ],
)
def test_format(template, inputs, options, text):
    assert tf.strings.format(template, inputs(), **options).numpy() == text


def test_format_counts_placeholders():
    with pytest.raises(ValueError, match="placeholders"):
        tf.strings.format("{} {}", (tf.constant(1),))
