"""Why a gradient is None: each cause, the line it is in, what to write, in text, HTML and data."""

import contextlib
import io
import json
import linecache
from pathlib import Path

import numpy as np
import pytest

import graphlab as tf
from graphlab import inspect
from graphlab.messages import LANGUAGES


def stop_gradient():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        a = x * 2
        b = tf.stop_gradient(a)
        y = b * 3
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def unwatched_tensor():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * 2
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def unwatched_by_wish():
    v = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = v * 2
    return tape, y, v, inspect.explain_gradient(tape, y, v)


def untrainable_variable():
    v = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        y = v * 2
    return tape, y, v, inspect.explain_gradient(tape, y, v)


def integer_source():
    n = tf.constant(3)
    with tf.GradientTape() as tape:
        tape.watch(n)
        y = n * 2
    return tape, y, n, inspect.explain_gradient(tape, y, n)


def integer_target():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.argmax(x)
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def argmax_between():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        i = tf.argmax(x)
        y = tf.cast(i, tf.float32) * 2
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def cast_to_int():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.cast(tf.cast(x, tf.int32), tf.float32) * 2
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def comparison():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.cast(x > 1.0, tf.float32) * 2
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def rounding():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.round(x) * 2
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def through_numpy():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        z = x * 2
        y = tf.constant(z.numpy()) * 2
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def through_a_numpy_function():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        z = np.sin(x)
        y = tf.convert_to_tensor(z) * 2
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def through_float():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.Variable(1.0) * float(x)
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def a_copy():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        w = tf.Variable(x * 2.0)
        y = w * w
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def after_the_tape():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        z = x * 2
    y = z * z
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def before_the_tape():
    x = tf.Variable(2.0)
    z = x * 2
    with tf.GradientTape() as tape:
        y = z * 1.0
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def stop_recording():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        z = x * 2
        with tape.stop_recording():
            y = z * z
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def another_variable():
    x, w = tf.Variable(2.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        _ = x * 1.0
        y = w * 2
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def assigned():
    x, w = tf.Variable(2.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        w.assign(x * 3.0)
        y = w * 2
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def new_name():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    x = x + 1.0
    with tf.GradientTape() as tape:
        y = x * x
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def in_a_function():
    x = tf.Variable(2.0)

    @tf.function
    def f(z):
        a = z * 2.0
        return tf.stop_gradient(a) + 1.0

    with tf.GradientTape() as tape:
        y = f(x * 1.0)
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def in_a_branch_of_a_function():
    x = tf.Variable(2.0)

    @tf.function
    def f(z):
        if z > 0.0:
            z = tf.round(z)
        else:
            z = tf.floor(z)
        return z

    with tf.GradientTape() as tape:
        y = f(x * 1.0)
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def _halved(z):
    return tf.stop_gradient(z) / 2.0


def _as_number(z):
    return z.numpy() / 2.0


def in_another_function():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = _halved(x) * 3.0
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def left_in_another_function():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.Variable(1.0) * _as_number(x)
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def own_gradient_of_two():
    x = tf.Variable(2.0)

    @tf.custom_gradient
    def product(a, b):
        def gradient(dy):
            return dy * b, None

        return a * b, gradient

    with tf.GradientTape() as tape:
        y = product(3.0, x)
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def own_gradient():
    x = tf.Variable(2.0)

    @tf.custom_gradient
    def f(z):
        return z * 2.0, lambda dy: None

    with tf.GradientTape() as tape:
        y = f(x)
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def numpy_function():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.numpy_function(lambda a: a * 2, [x], tf.float32) * 1.0
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def connected():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.sin(x) * 2.0
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def connected_through_everything():
    x = tf.constant(2.0)

    @tf.function
    def f(z):
        if z > 0.0:
            z = z * 2.0
        while z < 10.0:
            z = z * z
        return z

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stop_gradient(x) + f(x)
    return tape, y, x, inspect.explain_gradient(tape, y, x)


def target_is_source():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
    return tape, x, x, inspect.explain_gradient(tape, x, x)


# The cause, the text of the line that is named (None: no line), and what to write.
CASES = {
    stop_gradient: ("stopped", "b = tf.stop_gradient(a)", "b = a"),
    unwatched_tensor: ("unwatched", None, "tape.watch(x)"),
    unwatched_by_wish: ("unwatched", None, "tape.watch(v)"),
    untrainable_variable: ("untrainable", None, "tape.watch(v)"),
    integer_source: ("source_integer", None, "tf.cast(n, tf.float32)"),
    integer_target: ("target_integer", None, "tf.cast(..., tf.float32)"),
    argmax_between: ("to_integer", "tf.argmax(x)", "tf.nn.softmax(x)"),
    cast_to_int: ("to_integer", "tf.cast(x, tf.int32)", "tf.cast(x, tf.float32)"),
    comparison: ("to_integer", "x > 1.0", "tf.sigmoid(x - 1.0)"),
    rounding: ("no_gradient", "y = tf.round(x) * 2", "y = (x + tf.stop_gradient(tf.round(x) - x)) * 2"),
    through_numpy: ("left", "z.numpy()", "z"),
    through_a_numpy_function: ("left", "np.sin(x)", "tf.sin(x)"),
    through_float: ("left", "float(x)", "x"),
    a_copy: ("copied", "tf.Variable(x * 2.0)", "tf.identity(x * 2.0)"),
    after_the_tape: ("outside", "y = z * z", "with tf.GradientTape() as tape: y = z * z"),
    before_the_tape: ("unread", "z = x * 2", "tape.watch(x)"),
    stop_recording: ("paused", "y = z * z", "with tf.GradientTape() as tape: y = z * z"),
    another_variable: ("unused", "y = w * 2", None),
    assigned: ("assigned", "w.assign(x * 3.0)", "w_now = x * 3.0"),
    new_name: ("rebound", "x = x + 1.0", "tape.watch(x)"),
    in_a_function: ("stopped", "return tf.stop_gradient(a) + 1.0", "return a + 1.0"),
    in_a_branch_of_a_function: ("no_gradient", "z = tf.round(z)", "z = z + tf.stop_gradient(tf.round(z) - z)"),
    in_another_function: ("stopped", "return tf.stop_gradient(z) / 2.0", "return z / 2.0"),
    left_in_another_function: ("left", "z.numpy()", "z"),
    own_gradient: ("custom", "return z * 2.0, lambda dy: None", "return (z * 2.0, lambda dy: dy * ...)"),
    own_gradient_of_two: ("custom", "return dy * b, None", "return (dy * b, dy * ...)"),
    numpy_function: (
        "python",
        "tf.numpy_function(lambda a: a * 2, [x], tf.float32)",
        "tf.py_function(lambda a: a * 2, [x], tf.float32)",
    ),
    connected: (None, None, None),
    connected_through_everything: (None, None, None),
    target_is_source: (None, None, None),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_the_cause_and_its_line(case):
    cause, line, write = CASES[case]
    tape, target, source, report = case()
    found = report.data
    assert (found["cause"], found["fix"] and found["fix"]["code"]["text"]) == (cause, write)
    named = [cut["code"]["text"] for cut in found["cuts"] if cut["line"]]
    assert named[:1] == ([] if line is None else [line])
    # Nothing was used up, and the answer is that of the tape.
    assert report.connected is (tape.gradient(target, source) is not None)


def drawn():
    rate = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.random.poisson([], rate) * 2.0
    return tape, y, rate, inspect.explain_gradient(tape, y, rate)


def test_an_operation_without_a_gradient_gets_one_written_around_it():
    tape, y, rate, report = drawn()
    assert report.data["cause"] == "missing"
    assert [cut["code"]["text"] for cut in report.data["cuts"]] == ["y = tf.random.poisson([], rate) * 2.0"]
    line = "y = tf.custom_gradient(lambda rate: (tf.random.poisson([], rate), lambda dy: dy * ...))(rate) * 2.0"
    assert report.data["fix"]["code"]["text"] == line
    with pytest.raises(LookupError):
        tape.gradient(y, rate)
    changed = line.replace("dy * ...", "dy * 3.0").removeprefix("y = ")
    with tf.GradientTape() as tape:
        y = eval(changed, {"tf": tf, "rate": rate})
    assert tape.gradient(y, rate).numpy().tolist() == [6.0, 6.0]


def test_the_line_is_that_of_the_file():
    report = stop_gradient()[-1]
    first = stop_gradient.__code__.co_firstlineno
    assert report.data["cuts"][0]["line"] == first + 4


def test_a_function_is_named():
    assert in_a_function()[-1].data["cuts"][0]["function"] == "f"
    assert in_another_function()[-1].data["cuts"][0]["function"] == "_halved"
    assert left_in_another_function()[-1].data["cuts"][0]["function"] == "_as_number"


def test_the_way_is_told():
    assert connected()[-1].data["path"] == ["ReadVariableOp", "Sin", "Mul"]
    assert connected_through_everything()[-1].data["path"] == ["PartitionedCall", "AddV2"]


def test_of_a_tape_that_was_used():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(x) * 2.0
    assert tape.gradient(y, x) is None
    report = inspect.explain_gradient(tape, y, x)
    assert report.data["cause"] == "spent"
    assert [cut["cause"] for cut in report.data["cuts"]] == ["stopped"]
    assert report.data["fix"]["code"]["text"] == "x"  # a persistent tape would give None as well
    assert "used already" in str(report)

    with tf.GradientTape() as tape:
        y = x * 2.0
    assert float(tape.gradient(y, x)) == 2.0
    again = inspect.explain_gradient(tape, y, x)
    assert again.data["cause"] == "spent"
    assert again.data["fix"]["code"]["text"] == "with tf.GradientTape(persistent=True) as tape:"


def test_of_values_that_are_no_tensors():
    with tf.GradientTape() as tape:
        y = tf.constant(1.0) * 2.0
    assert inspect.explain_gradient(tape, y, 2.0).data["cause"] == "source_not_tensor"
    assert inspect.explain_gradient(tape, 2.0, y).data["cause"] == "target_not_tensor"
    with pytest.raises(TypeError, match=r"takes a tf\.GradientTape, not int"):
        inspect.explain_gradient(1, y, y)


PYTHON = {
    "loss = [y * 2.0, y]": ("gradient.target_list", "tf.add_n(loss)", None),
    "loss = {'a': y}": ("gradient.target_dict", "tf.add_n(list(loss.values()))", None),
    "loss = None": ("gradient.target_none", "return loss", None),
    "loss = lambda: y": ("gradient.target_function", "loss = loss(...)", None),
    "loss = float(y)": ("gradient.target_not_tensor", "y", "float(y)"),
    "loss = (y * 1.0).numpy()": ("gradient.target_not_tensor", "y * 1.0", "(y * 1.0).numpy()"),
    "loss = 2.0": ("gradient.target_not_tensor", "loss = tf.reduce_sum(...)", None),
}


@pytest.mark.parametrize("statement", PYTHON)
def test_of_a_target_that_is_no_tensor_its_kind_is_told_and_what_made_it_one(statement):
    id_, write, line = PYTHON[statement]
    text = (
        "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * 2.0\n"
        f"    {statement}\nreport = inspect.explain_gradient(tape, loss, x)\n"
    )
    filename = f"<graphlab_user_gradient_{list(PYTHON).index(statement)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space = {"tf": tf, "inspect": inspect}
    exec(compile(text, filename, "exec"), space)
    found = space["report"].data
    assert (found["cause"], found["lede"]["values"]["cause"]["id"]) == ("target_not_tensor", id_)
    assert found["fix"]["code"]["text"] == write
    assert [cut["code"]["text"] for cut in found["cuts"]] == ([] if line is None else [line])
    assert [cut["line"] for cut in found["cuts"]] == ([] if line is None else [4])


def test_how_the_call_is_written():
    """The names are those of the call, positional or not, or of the values."""
    x = tf.Variable(2.0)
    with tf.GradientTape() as record:
        y = tf.constant(x.numpy()) * 2.0
    why = inspect.explain_gradient
    for report in (
        inspect.explain_gradient(record, y, x),
        inspect.explain_gradient(record, source=x, target=y),
        why(record, y, x),
    ):
        assert report.data["lede"]["values"]["target"] == "y"
        assert report.data["lede"]["values"]["source"] == "x"
        assert [cut["code"]["text"] for cut in report.data["cuts"]] == ["x.numpy()"]


def test_a_variable_of_an_object():
    class Net:
        def __init__(self):
            self.w = tf.Variable(2.0)

        def why(self):
            with tf.GradientTape() as tape:
                y = float(self.w) * tf.constant(1.0)
            return inspect.explain_gradient(tape, y, self.w)

    report = Net().why()
    assert (report.data["cause"], report.data["cuts"][0]["code"]["text"]) == ("left", "float(self.w)")
    assert "self.w" in str(report)


def test_the_page_shows_what_is_printed():
    page = (Path(inspect.__file__).parents[2] / "docs" / "gradients.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    shown = page.partition("```\n\n")[2].partition("\n\n")[0]
    linecache.cache["<page>"] = (len(code), None, code.splitlines(keepends=True), "<page>")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "<page>", "exec"), {"__name__": "page"})
    assert out.getvalue().split("\n")[:-1] == [line.removeprefix("    ") for line in shown.split("\n")]


def test_inside_a_traced_function():
    """The operations of the graph have lines of their own, recorded or not."""
    reports = []

    @tf.function
    def f(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            i = tf.cast(x, tf.int32)
            y = tf.cast(i, tf.float32) * 2.0
        reports.append(inspect.explain_gradient(tape, y, x))
        reports.append(inspect.explain_gradient(tape, y, n))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        reports.append(inspect.explain_gradient(tape, y, x))
        return tape.gradient(y, x)

    operations = f.get_concrete_function(tf.constant(2.0), tf.constant(1.0)).graph.get_operations()
    cut, unwatched, open_ = reports
    assert (cut.data["cause"], cut.data["cuts"][0]["code"]["text"]) == ("to_integer", "i = tf.cast(x, tf.int32)")
    assert unwatched.data["cause"] == "unwatched"
    assert open_.data["path"] == ["Mul"]
    assert [op.type for op in operations].count("Mul") == 4  # the two of the program, and the two of the gradient


def test_the_data_is_plain():
    for case in CASES:
        json.dumps(case()[-1].data)


def test_languages_and_html():
    for lang in LANGUAGES:
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(x) * 2.0
        report = inspect.explain_gradient(tape, y, x, lang=lang)
        assert report.data["lang"] == lang
        assert "StopGradient" in str(report)
        assert f'lang="{lang}"' in report._repr_html_()
        assert "tf.stop_gradient(x)" in str(report)
    texts = {str(inspect.explain_gradient(tape, y, x, lang=lang)) for lang in LANGUAGES}
    assert len(texts) == len(LANGUAGES)


def test_names_cannot_break_the_html():
    x = tf.Variable(2.0, name="x<b>")
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(x) * 2.0
    values = {"<i>": x}
    html = inspect.explain_gradient(tape, y, values["<i>"])._repr_html_()
    assert "<i>" not in html
    assert "&lt;i&gt;" in html


def test_rules_have_pages():
    from graphlab.inspect.explain_gradients import RULES

    pages = Path(inspect.__file__).parents[2] / "docs" / "advice"
    for rule in RULES.values():
        assert (pages / f"{rule}.md").exists()
