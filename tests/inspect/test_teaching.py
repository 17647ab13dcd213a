"""What people trip over in public is explained: each behaviour has a sentence that says what to know, in six languages."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from graphlab.inspect.lint import lint_code
from graphlab.messages import LANGUAGES
from graphlab.tracing import records

PAGES = Path(__file__).parents[2] / "docs" / "advice"


def example(id_):
    """The first example of a rule's page."""
    return re.search(r"^```python\n(.*?)^```$", (PAGES / f"{id_}.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)[1]


def advised(*ids):
    return example(ids[0]), [f"advice.{id_}" for id_ in ids]


REDUCED = """
class Scale:
    @tf.function(reduce_retracing=True)
    def weigh(self, x):
        return tf.reduce_sum(x)

scale = Scale()
for n in (3, 5, 7):
    scale.weigh(tf.ones([n]))
"""
STYLES = """
@tf.function
def sub(d):
    return d["left"] - d["right"]

a, b = tf.constant(5), tf.constant(2)
sub({"left": a, "right": b})
sub({"right": b, "left": a})
sub({"right": b, "left": a, "more": a})
"""
POINTS = """
import collections
Point = collections.namedtuple("Point", "place weight")

@tf.function
def moment(p):
    return p.place * p.weight

moment(Point(tf.constant(3.0), 2))
moment(Point(tf.constant(4.0), 2))
moment(Point(tf.constant(4.0), 5))
"""
SAME_VARIABLE = """
u, w = tf.Variable(1.0), tf.Variable(2.0)

@tf.function
def add(a, b):
    return a + b

add(u, w)
add(w, u)
add(u, u)
"""
PLACED = """
@tf.function
def f(x):
    wide = x + 1.0
    return tf.matmul(wide, wide)

try:
    f(tf.ones([2, 3]))
except ValueError:
    pass
"""
AND = """
@tf.function
def between(x):
    if x > 1 and x < 9:
        return x
    return -x

between(tf.constant(5))
"""

# what happens → a program, and the ids of the sentences that explain it
TAUGHT = {
    "every new Python number is a trace": advised("argument.python_number"),
    "True, 1 and 1.0 are equal and share a trace in TensorFlow": advised("argument.equal_numbers"),
    "reduce_retracing leaves an axis open": (REDUCED, ["retrace.generalised", "keep.generalised"]),
    "a Function made in a loop starts anew": advised("place.function_again"),
    "a bound method is a new object each time": advised("place.method_each_call"),
    "an attribute is frozen": advised("frozen.attribute"),
    "what input_signature leaves out is frozen": advised("frozen.default"),
    "the canonical signature, and a key that was added": (STYLES, ["retrace.structure.key_added"]),
    "attributes of a tensor are lost": advised("argument.attribute_lost"),
    "a named tuple has leaves of its own": (POINTS, ["retrace.python_number.value"]),
    "two arguments that are one variable": (SAME_VARIABLE, ["retrace.variable.same"]),
    "a Python value is bound in a concrete function": advised("argument.bound"),
    "a variable made at every call": advised("variable.created"),
    "a Python counter counts traces": advised("effect.attribute"),
    "effects keep their order around an if": advised("control.effects_ordered"),
    "a symbolic tensor leaks": advised("effect.leak"),
    "a global is frozen": advised("frozen.global"),
    "a captured tensor is frozen": advised("frozen.tensor"),
    "a random operation keeps its seeds": advised("frozen.seed"),
    "what stands before tf.cond always runs": advised("control.always_runs"),
    "a name set in one branch only": advised("control.undefined_in_branch"),
    "branches of two dtypes": advised("control.branch_dtype"),
    "results of two dtypes": advised("control.return_dtype"),
    "a conditional expression of two structures": advised("control.branch_structure"),
    "a loop value that changes its shape": advised("loop.shape_grows"),
    "the loop's variable after the loop": advised("loop.variable_after"),
    "break becomes a value of the loop": advised("loop.break"),
    "else of a loop": advised("loop.else"),
    "a generator is not converted": advised("loop.generator"),
    "not of a number": advised("control.not_number"),
    "and becomes a condition of the graph": (AND, ["code.lede.converted"]),
    "two lambdas on one line": advised("value.two_lambdas"),
    "raise under a tensor condition": advised("control.raise"),
    "a helper marked do_not_convert": advised("value.not_converted"),
    "an axis that is not known": advised("control.shape_unknown"),
    "an error names the user's line": (PLACED, ["lede.error"]),
    "a write that is not assigned": advised("value.unused_write"),
    "recursion under a tensor condition": advised("control.recursion"),
    "the gradient by an integer": advised("gradient.integer"),
    "a cast to an integer cuts the chain": advised("gradient.cast"),
    "a tape used twice": advised("gradient.tape_spent"),
    "a tape entered again": advised("gradient.tape_reentered"),
    "NaN from the branch not taken": advised("gradient.where_nan"),
    "the gradient of an if": advised("gradient.branch"),
    "custom_gradient and a variable": advised("gradient.custom_variables"),
    "stop_gradient": advised("gradient.stopped"),
    "stop_recording": advised("gradient.unrecorded"),
}


def sentences(value):
    """All messages in a panel's data: id → text."""
    if isinstance(value, dict):
        own = {value["id"]: value["text"]} if isinstance(value.get("text"), str) and "values" in value else {}
        inner = [sentences(item) for item in value.values()]
        # A sentence inside a sentence has no text of its own; its id still says what is told.
        told = {value["id"]: ""} if "values" in value and isinstance(value.get("id"), str) else {}
        return {key: text for part in [told, *inner, own] for key, text in part.items()}
    if isinstance(value, list):
        return {key: text for item in value for key, text in sentences(item).items()}
    return {}


@pytest.mark.parametrize("what", TAUGHT)
def test_what_there_is_to_know_is_said_in_every_language(what, run, monkeypatch):
    program, ids = TAUGHT[what]
    made, register = [], records.register
    monkeypatch.setattr(records, "register", lambda function: (made.append(function), register(function)))
    with contextlib.redirect_stdout(io.StringIO()):
        ran = run(program)
    texts = {}
    for lang in LANGUAGES:
        said = sentences([ran.panel(lang), lint_code(program, made, lang).data])
        assert set(ids) <= set(said)
        texts[lang] = [said[id_] for id_ in ids]
    for lang in LANGUAGES:
        assert all(texts[lang])
        assert lang == "en" or all(own != english for own, english in zip(texts[lang], texts["en"], strict=True))
