"""Text of the user's program cannot break out of any view: names, strings and docstrings full of markup."""

import re

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
