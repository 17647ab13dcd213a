"""What the panel says is so: numbers, places and lines to write, in the cells a student writes."""

import re

import pytest

MAKE = """\
%%tf_function
v = None
def make(x):
    global v
    if v is None:
        v = tf.Variable(1.0)
    return v + x
make(tf.constant(1.0))
make(tf.constant(2.0))"""

NET = """\
class Net:
    def __init__(self, k):
        self.k = k
    @tf.function
    def step(self, x):
        return self.k * x
%s"""


def lede(function):
    return function["lede"]["text"].replace("**", "").replace("`", "")


def fixes(panel):
    return [
        trace["fix"] and (trace["fix"]["place"]["text"].replace("`", ""), trace["fix"]["code"]["text"])
        for function in panel["functions"]
        for trace in function["traces"]
    ]


def test_a_trace_that_no_call_kept_is_of_this_cell(shell):
    shell.run(MAKE)
    (function,) = shell.panel["functions"]
    assert lede(function) == "make was traced 2 times for 2 calls."
    assert function["note"] is None
    assert function["matrix"] == [["no", "no"], ["traced", "hit"]]
    assert function["signatures"]["lede"]["id"] == "signatures.lede.only"


def test_a_trace_that_was_asked_for_is_of_this_cell(shell):
    shell.run(
        "%%tf_function\ndef f(x):\n    return x\nf(tf.ones(2))\n"
        "f.get_concrete_function(tf.TensorSpec([None], tf.float32))\nf(tf.ones(5))"
    )
    (function,) = shell.panel["functions"]
    assert lede(function) == "f was traced 2 times for 2 calls. One signature would serve them all."
    assert function["matrix"] == [["traced", "no"], ["", "hit"]]
    assert [trace["where"]["id"] for trace in function["traces"]] == ["trace.where", "trace.where.unwatched"]


def test_a_number_beside_a_default_is_told_as_a_number(shell):
    shell.run(
        "%%tf_function\ndef f(x, n=2, flag=True):\n    return x\nf(tf.ones(2))\nf(tf.ones(2), 3)\nf(tf.ones(2), 3, False)"
    )
    _, number, flag = shell.panel["functions"][0]["traces"]
    assert number["reason"]["text"] == "`n` had its default `2`; now the call gives `3`."
    assert number["fix"]["code"]["text"] == "f(tf.ones(2), tf.constant(3))"
    assert flag["keep"]["id"] == "keep.each_value"


def test_a_line_of_another_cell_is_named_with_its_cell(shell):
    shell.run("@tf.function\ndef f(x, n=1):\n    return x\ndef helper(n):\n    return f(tf.ones(2), n)")
    cell = shell.shell.execution_count - 1
    shell.run("%tf_watch on")
    shell.run("helper(1)\nhelper(2)\nf(tf.ones(3), 1)")
    assert fixes(shell.panel) == [
        None,
        (f"Write in In[{cell}]:5", "f(tf.ones(2), tf.constant(n))"),
        (f"Write in In[{cell}]:1", "@tf.function(reduce_retracing=True)"),
    ]


def test_an_error_in_a_function_of_another_cell_is_named_with_its_cell(shell):
    shell.run("%%tf_function\ndef f(x):\n    return x @ x")
    cell = shell.shell.execution_count - 1
    shell.run("%%tf_function\nf(tf.ones((2, 3)))")
    (function,) = shell.panel["functions"]
    assert lede(function).startswith(f"Tracing of f stopped in In[{cell}]:3: ")
    assert function["error"]["after"]["id"] == "error.kept.none"
    assert [part["id"] for part in shell.panel["badge"]["parts"]] == ["badge.stopped"]


def test_a_function_made_in_a_function_is_moved_out_of_that(shell):
    shell.run("def fit():\n    @tf.function\n    def inner(x):\n        return x\n    return inner(tf.ones(2))")
    shell.run("%tf_watch on")
    shell.run("for i in range(3):\n    fit()")
    (function,) = shell.panel["functions"]
    assert function["fix"]["place"]["id"] == "fix.out_of_function.place"


def test_methods_have_the_name_of_their_class(shell):
    shell.run("%tf_watch on")
    shell.run(NET % "a, b = Net(1.0), Net(2.0)\na.step(tf.ones(2)); b.step(tf.ones(2)); a.step(tf.ones(3))")
    assert [function["name"] for function in shell.panel["functions"]] == ["Net.step (1)", "Net.step (2)"]
    shell.run("c = Net(1.0)\nc.step(tf.ones(2))")
    assert [function["name"] for function in shell.panel["functions"]] == ["Net.step"]


def test_an_object_made_in_the_call_is_to_be_made_once(shell):
    shell.run("%tf_watch on")
    shell.run(
        NET % "@tf.function\ndef g(net, x):\n    return net.k * x\nfor i in range(2):\n    g(Net(2.0), tf.ones(2))\n"
        "g(Net(3.0), tf.ones(2))"
    )
    once = ("Write once, before the calls", "net = Net(2.0)\ng(net, tf.ones(2))")
    assert fixes(shell.panel) == [None, once, None]


@pytest.mark.parametrize("on", [True, False])
def test_a_magic_tells_every_trace(shell, on):
    shell.run(f"%tf_watch {'on' if on else 'off'}")
    shell.run("@tf.function\ndef f(x):\n    return x\nf(tf.ones(2))\nf(tf.ones(3))")
    found = shell.run("%tf_traces f").result
    assert [trace["n"] for trace in found.data["functions"][0]["traces"]] == [1, 2]
    found = shell.run("%tf_signatures f").result
    rows = found.data["functions"][0]["signatures"]["rows"]
    assert [(row["trace"], row["calls"]) for row in rows] == [(1, None), (2, None)]


def test_structures_are_seen_in_a_signature(shell):
    shell.run(
        "%%tf_function --show traces\ndef f(x, *args, **more):\n    return 1\n"
        "f({'a': 1, 'b': [tf.ones(2), (2,)]}, None, k=2)\nf([1, 2], True)\nf((), {})"
    )
    assert [trace["signature"] for trace in shell.panel["functions"][0]["traces"]] == [
        "{'a': int 1, 'b': [float32[2], (int 2,)]}, None, k=int 2",
        "[int 1, int 2], bool True",
        "tuple of 0, dict of 0",
    ]


def test_a_traceback_shows_the_line_of_the_magic(shell):
    shell.run("%%tf_function --eager\n1 / 0")
    out = re.sub(r"\x1b\[[\d;]*m", "", shell.out)
    assert "1 # %%tf_function --eager" in out
    assert "__graphlab" not in out


def test_a_function_without_autograph_says_so(shell):
    shell.run("%%tf_function --no-autograph\ndef f(x):\n    if x > 0:\n        return x\n    return -x\nf(tf.ones([]))")
    assert "AutoGraph is off for f()" in lede(shell.panel["functions"][0])


def test_nothing_that_is_kept_names_the_file_of_a_cell(shell):
    shell.run(
        "%%tf_function\nfor i in range(3):\n    @tf.function\n    def again(x, n):\n        return x + n\n"
        "    again(tf.ones(2), i)"
    )
    assert shell.panel["functions"][0]["advice"]
    assert "ipython-input" not in repr(shell.bundles)
