"""Why a call traced, and the line to write instead: one program per cause."""

import pytest

from graphlab.messages import LANGUAGES
from graphlab.messages.message import plain

# program → of its last trace: id of the reason, sentence, path, before, after, where and what to write (or what to keep)
CAUSES = [
    (
        "@tf.function\ndef f(x, n):\n    return x * n\nf(tf.zeros(2), 3)\nf(tf.zeros(2), 4)",
        "retrace.python_number.value", "n is a Python number, and every new number makes a new trace.",
        ("n", "int 3", "int 4"), "Write in line 5: f(tf.zeros(2), tf.constant(4))",
    ),
    (
        "@tf.function\ndef f(x, n):\n    return x * n\nf(tf.zeros(2), n=3)\nf(n=1 + 4, x=tf.zeros(2))",
        "retrace.python_number.value", "n is a Python number, and every new number makes a new trace.",
        ("n", "int 3", "int 5"), "Write in line 5: f(n=tf.constant(1 + 4), x=tf.zeros(2))",
    ),
    (
        "@tf.function\ndef f(d):\n    return d['n'] * 2\nf({'n': 3})\nf({'n': 4})",
        "retrace.python_number.value", "d['n'] is a Python number, and every new number makes a new trace.",
        ("d['n']", "int 3", "int 4"), "Write in line 5: f({'n': tf.constant(4)})",
    ),
    (
        "@tf.function\ndef f(xs):\n    return xs[1] * 2.0\nf([1.0, 2.0])\nf([1.0, 2.5])",
        "retrace.python_number.value", "xs[1] is a Python number, and every new number makes a new trace.",
        ("xs[1]", "float 2.0", "float 2.5"), "Write in line 5: f([1.0, tf.constant(2.5)])",
    ),
    (
        "@tf.function\ndef f(n):\n    return tf.constant(1) * n\nargs = [3]\nf(*args)\nargs = [4]\nf(*args)",
        "retrace.python_number.value", "n is a Python number, and every new number makes a new trace.",
        ("n", "int 3", "int 4"), None,
    ),
    (
        "@tf.function\ndef f(n):\n    return n + 1\nf(3)\nf(3.5)",
        "retrace.python_number.type", "n is a Python number of another type: int became float.",
        ("n", "int 3", "float 3.5"), "Write in line 5: f(tf.constant(3.5))",
    ),
    (
        "@tf.function\ndef f(x, training):\n    return x\nf(tf.zeros(2), True)\nf(tf.zeros(2), False)",
        "retrace.python_bool.value", "training is a Python bool, and each of the two has its own trace.",
        ("training", "bool True", "bool False"),
        "Nothing to change: there are only two values, so at most two traces.",
    ),
    (
        "@tf.function\ndef f(x, mode):\n    return x\nf(tf.zeros(2), 'a')\nf(tf.zeros(2), 'b')",
        "retrace.python_string.value", "mode is a Python string, and every new string makes a new trace.",
        ("mode", "str 'a'", "str 'b'"), None,
    ),
    (
        "@tf.function\ndef f(x):\n    return x\nf(tf.zeros([2, 3]))\nf(tf.zeros([2, 5]))",
        "retrace.tensor.shape", "x has another shape: axis 1 went from 3 to 5.",
        ("x.shape", "(2, 3)", "(2, 5)"), "Write in line 1: @tf.function(reduce_retracing=True)",
    ),
    (
        "@tf.function(autograph=False)\ndef f(x):\n    return x\nf(tf.zeros(2))\nf(tf.zeros(3))",
        "retrace.tensor.shape", "x has another shape: axis 0 went from 2 to 3.",
        ("x.shape", "(2,)", "(3,)"), "Write in line 1: @tf.function(autograph=False, reduce_retracing=True)",
    ),
    (
        "def f(x):\n    return x\nf = tf.function(f)\nf(tf.zeros(2))\nf(tf.zeros([2, 2]))",
        "retrace.tensor.rank", "x has another number of axes: 1 became 2.",
        ("x.shape", "(2,)", "(2, 2)"), "Write above line 1: @tf.function(reduce_retracing=True)",
    ),
    (
        "@tf.function(reduce_retracing=True)\ndef f(x):\n    return x\nf(tf.zeros(2))\nf(tf.zeros(3))",
        "retrace.generalised",
        "x had different shapes, so reduce_retracing left axis 0 open: one trace for every size.",
        ("x.shape", "(2,), (3,)", "(None,)"),
        "Keep this. It serves every size of the axes shown as None.",
    ),
    (
        "@tf.function\ndef f(x):\n    return x\nf(tf.constant(1))\nf(tf.constant(1.0))",
        "retrace.tensor.dtype", "x has another dtype: int32 became float32.",
        ("x.dtype", "int32", "float32"),
        "Nothing to change if both types are needed: each has its own trace.",
    ),
    (
        "@tf.function\ndef f(n):\n    return n + 1\nf(3)\nf(tf.constant(4))",
        "retrace.kind.number_to_tensor", "n used to be a Python number; now it is a tensor.",
        ("n", "int 3", "int32[] tensor"), "Keep this. It serves every value of n.",
    ),
    (
        "@tf.function\ndef f(n):\n    return n + 1\nf(tf.constant(4, tf.int64))\nf(3)",
        "retrace.kind.tensor_to_number", "n used to be a tensor; now it is a Python number.",
        ("n", "int64[] tensor", "int 3"), "Write in line 5: f(tf.constant(3, tf.int64))",
    ),
    (
        "@tf.function\ndef f(x, y=None):\n    return x\nf(tf.zeros(2))\nf(tf.zeros(2), tf.zeros(2))",
        "retrace.none_to_value", "y used to be None; now it is given.",
        ("y", "None", "float32[2] tensor"), None,
    ),
    (
        "@tf.function\ndef f(d):\n    return d['a']\nf({'a': tf.zeros(2)})\nf({'a': tf.zeros(2), 'b': tf.zeros(2)})",
        "retrace.structure.key_added", "d has another structure: key 'b' was added.",
        ("d", "{'a'}", "{'a', 'b'}"), None,
    ),
    (
        "@tf.function\ndef f(xs):\n    return xs[0]\nf([tf.zeros(2)])\nf([tf.zeros(2)] * 2)",
        "retrace.structure.length", "xs has another structure: its length went from 1 to 2.",
        ("xs", "list of 1", "list of 2"), None,
    ),
    (
        "@tf.function\ndef f(xs):\n    return xs[0]\nf([tf.zeros(2)])\nf((tf.zeros(2),))",
        "retrace.structure.type", "xs has another structure: a list became a tuple.",
        ("xs", "list", "tuple"), None,
    ),
    (
        (
            "class A:\n    def m(self, x): return x\na = A()\n@tf.function\ndef f(x, g):\n    return g(x)\n"
            "f(tf.zeros(2), a.m)\nf(tf.zeros(2), a.m)"
        ),
        "retrace.object.method", "g is a new method object: .m makes one each time it is written.",
        None, "Write once, before the calls: m = a.m\nf(tf.zeros(2), m)",
    ),
    (
        "@tf.function\ndef f(x, g):\n    return g(x)\nfor _ in range(2):\n    f(tf.zeros(2), lambda x: x)",
        "retrace.object.lambda", "g is a new function object: a lambda makes one each time it runs.", None,
        "Write once, before the calls: g = lambda x: x\nf(tf.zeros(2), g)",
    ),
    (
        "for k in range(2):\n    @tf.function\n    def f(x):\n        return x * k\n    f(tf.zeros(2))",
        "retrace.first", "First call: there was no trace yet.",
        None, "Move out of the loop, above line 1: @tf.function\ndef f(x):",
    ),
    (
        "@tf.function\ndef f(x):\n    return x\nf(tf.zeros(2))",
        "retrace.first", "First call: there was no trace yet.", None, None,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("program", "id_", "sentence", "change", "advice"), CAUSES)
def test_the_reason_of_a_trace_and_the_line_to_write(run, program, id_, sentence, change, advice):
    trace = run(program).function()["traces"][-1]
    assert trace["reason"]["id"] == id_
    if sentence is not None:
        assert plain(trace["reason"]["text"]) == sentence
    if change is None:
        assert trace["before"] is None or id_.startswith("retrace.object")
    else:
        assert (trace["path"], trace["before"], trace["after"]) == change
    fix, keep = trace["fix"], trace["keep"]
    written = f"{plain(fix['place']['text'])}: {fix['code']['text']}" if fix else plain(keep["text"]) if keep else None
    assert written == advice
    assert fix is None or keep is None


def test_the_alias_of_the_users_import_is_used(run):
    import graphlab

    program = "@gl.function\ndef f(n):\n    return n + 1\nf(3)\nf(4)"
    trace = run(program.replace("gl.", "g2."), g2=graphlab, tf=None).function()["traces"][-1]
    assert trace["fix"]["code"]["text"] == "f(g2.constant(4))"


def test_reasons_say_why_each_earlier_trace_did_not_fit(run):
    program = "@tf.function\ndef f(x, n):\n    return x * n\nf(tf.zeros(2), 3.)\nf(tf.zeros(2), 4.)\nf(tf.zeros(3), 4.)"
    trace = run(program).function()["traces"][-1]
    assert plain(trace["rejects_title"]["text"]) == "Why the 2 earlier did not fit"
    assert [(item["trace"], plain(item["text"]["text"])) for item in trace["rejects"]] == [
        (1, "x.shape is (3,); this trace takes only (2,); n is 4.0; this trace takes only 3.0"),
        (2, "x.shape is (3,); this trace takes only (2,)"),
    ]


def test_of_many_reasons_the_first_three_are_told(run):
    program = "@tf.function\ndef f(a, b, c, d):\n    return a\nf(1, 2, 3, 4)\nf(1, 2, 3, 5)\nf(5, 6, 7, 8)"
    trace = run(program).function()["traces"][-1]
    assert [plain(item["text"]["text"]).count("takes only") for item in trace["rejects"]] == [3, 3]


def test_what_did_not_fit_is_told_in_every_language(run):
    program = "@tf.function\ndef f(a, b):\n    return a\nf(1, 2)\nf(1, 3)\nf(5, 6)"
    ran = run(program)
    texts = {lang: ran.function(lang)["traces"][-1]["rejects"][0]["text"]["text"] for lang in LANGUAGES}
    assert len(set(texts.values())) == len(LANGUAGES)
    assert all(text.count("`a`") == text.count("`b`") == 1 for text in texts.values())


# ------------------------------------------------------------------------------------------------------------- signatures


SIGNATURES = [
    (
        "@tf.function\ndef f(x, n):\n    return x\nf(tf.zeros(2), 3)\nf(tf.zeros(3), tf.constant(4))",
        ["float32[None]", "int32[]"], "float32[None]",
        "@tf.function(input_signature=[\n    tf.TensorSpec([None], tf.float32),  # x\n    tf.TensorSpec([], tf.int32),        # n\n])",
    ),
    ("@tf.function\ndef f(x, n):\n    return x\nf(tf.zeros(2), 3)\nf(tf.zeros(2), 4)", None, None, None),
    ("@tf.function\ndef f(x):\n    return x\nf(tf.constant(1))\nf(tf.constant(1.))", None, None, None),
    (
        "@tf.function\ndef f(x):\n    return x\nf(tf.zeros(2))\nf(tf.zeros([2, 2]))",
        ["float32[...]"], "float32[...]", "@tf.function(input_signature=[\n    tf.TensorSpec(None, tf.float32),  # x\n])",
    ),
    (
        "@tf.function\ndef f(d):\n    return d['a'][0]\nf({'a': [tf.zeros(2)]})\nf({'a': [tf.zeros(3)]})",
        ["float32[None]"], "float32[None]",
        "@tf.function(input_signature=[\n    {'a': [tf.TensorSpec([None], tf.float32)]},  # d\n])",
    ),
    ("@tf.function\ndef f(*, x):\n    return x\nf(x=tf.zeros(2))\nf(x=tf.zeros(3))", ["float32[None]"], "float32[None]", None),
]  # fmt: skip


@pytest.mark.parametrize(("program", "types", "result", "code"), SIGNATURES)
def test_the_signature_that_would_serve_all(run, program, types, result, code):
    data = run(program).function()["signatures"]
    merged = data["merged"]
    if types is None:
        assert merged is None
        assert data["lede"]["id"] == "signatures.lede.differ"
        return
    assert [arg["type"] for arg in merged["args"]] == types
    assert merged["result"] == result
    assert (data["fix"]["code"]["text"] if data["fix"] else None) == code


@pytest.mark.parametrize(("program", "types", "result", "code"), [case for case in SIGNATURES if case[3]])
def test_the_signature_that_is_advised_makes_one_trace(run, program, types, result, code):
    _, _, rest = program.partition("\n")
    fixed = run(f"{code}\n{rest}").function()
    assert fixed["counts"]["traces"] == 1
    assert fixed["signatures"]["lede"]["id"] == "signatures.lede.fixed"


MADE = (
    "from collections import namedtuple\nfrom dataclasses import dataclass\nP = namedtuple('P', 'a b')\n"
    "@dataclass\nclass D:\n    a: int\n    b: int = 0\n"
    "@dataclass\nclass Swapped:\n    a: int\n    b: int\n    def __init__(self, b, a):\n        self.a, self.b = a, b\n"
    "def pair(a, b):\n    return P(a, b)\n"
    "@tf.function\ndef f(p):\n    return 0\n"
)


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ("f(P(1, 2))", "f(P(3, 2))", "f(P(tf.constant(3), 2))"),
        ("f(P(1, 2))", "f(P(b=4, a=1))", "f(P(b=tf.constant(4), a=1))"),
        ("f(P(1, b=2))", "f(p=P(1, b=3 + 1))", "f(p=P(1, b=tf.constant(3 + 1)))"),
        ("f(D(1, 2))", "f(D(1, 5))", "f(D(1, tf.constant(5)))"),
        ("f(D(1))", "f(D(a=5))", "f(D(a=tf.constant(5)))"),
        ("f([P(1, 2)])", "f([P(1, 6)])", "f([P(1, tf.constant(6))])"),
        ("f({'k': D(1, P(2, 3))})", "f({'k': D(1, P(2, 7))})", "f({'k': D(1, P(2, tf.constant(7)))})"),
        ("f(P([1, 2], 3))", "f(P([1, 8], 3))", "f(P([1, tf.constant(8)], 3))"),
        # Where the text does not say which argument it is there is no line.
        ("f(P(*[1, 2]))", "f(P(*[1, 3]))", None),
        ("f(P._make([1, 2]))", "f(P._make([1, 3]))", None),
        ("f(pair(1, 2))", "f(pair(1, 3))", None),
        ("f(D(1))", "f(D(1, **{'b': 3}))", None),
        ("f(Swapped(1, 2))", "f(Swapped(1, 3))", None),
    ],
)
def test_a_field_of_what_the_call_makes_is_rewritten(run, first, second, code):
    program = f"{MADE}{first}\n{second}"
    trace = run(program).function()["traces"][-1]
    assert trace["reason"]["id"].startswith("retrace.python_number")
    assert (trace["fix"]["code"]["text"] if trace["fix"] else None) == code
    if code is not None:  # the line is right: with another number in it the trace is used again
        ran = run(f"{program}\n{code}\n{code.replace('tf.constant(', 'tf.constant(1 + ')}")
        assert len(ran.names["f"].traces.log.traces) == 3
