"""Eager against graph: what is the same, what differs, and the rule that explains it."""

import random

import pytest

import graphlab as tf
from graphlab import inspect
from graphlab.messages import LANGUAGES, set_language

# program → what differs first, the rule that explains it (None, None: nothing differs)
COMPARED = [
    ("def f(x):\n    return x * 2\n", None, None),
    ("def f(x):\n    for i in tf.range(3):\n        x = x * 2 if x < 9 else x - 1\n    return x\n", None, None),
    ("def f(x):\n    tf.print('x', x)\n    return x\n", None, None),
    ("v = tf.Variable(0)\ndef f(x):\n    return v.assign_add(x)\n", None, None),
    ("def f(x):\n    print('x', type(x).__name__ != '')\n    return x\n", "output", "effect.print"),
    ("seen = []\ndef f(x):\n    seen.append(1)\n    return x\n", "python", "effect.mutation"),
    ("class C:\n    n = 0\nc = C()\ndef f(x):\n    c.n += 1\n    return x\n", "python", "effect.attribute"),
    (
        (
            "def f(x):\n    ta = tf.TensorArray(tf.int32, 2)\n    for i in tf.range(2):\n        ta.write(i, x)\n"
            "    return ta.stack()\n"
        ),
        "result", "value.unused_write",
    ),
    ("def f(x):\n    if x < 0:\n        raise ValueError('negative')\n    return x\n", "error", "control.raise"),
    ("import random\ndef f(x):\n    return x + random.randrange(10**6)\n", "result", "frozen.random"),
    ("def f(x):\n    return float(x) + 1.0\n", None, None),
]  # fmt: skip


# program with what happens in a helper → what differs first, its name, the rule, the line it names
HELPERS = [
    (
        "seen = []\ndef keep(x):\n    seen.append(1)\n    return x\ndef f(x):\n    return keep(x)\n",
        "python", "seen", "effect.mutation", "seen.append(1)",
    ),
    (
        ("class Net:\n    def __init__(self):\n        self.calls = 0\n    def step(self, x):\n        self.calls += 1\n        return x\n"
         "net, other = Net(), []\ndef f(x):\n    return net.step(x)\n"),
        "python", "Net.calls", "effect.attribute", "self.calls += 1",
    ),
    (
        ("class Net:\n    n = 0\n    def __call__(self, x):\n        self.n += 1\n        return x\nnet = Net()\nlog = []\n"
         "def f(x):\n    return net(x)\n"),
        "python", "Net.n", "effect.attribute", "self.n += 1",
    ),
    (
        ("log, table = [], {}\ndef note(x):\n    table['k'] = table.get('k', 0) + 1\ndef deeper(x):\n    note(x)\n    return x\n"
         "def f(x):\n    return deeper(x)\n"),
        "python", "table", "effect.mutation", "table['k'] = table.get('k', 0) + 1",
    ),
    (
        "import random\ndef noise():\n    return random.randrange(10**6)\ndef f(x):\n    return x + noise()\n",
        "result", None, "frozen.random", "return random.randrange(10**6)",
    ),
    (
        "def show(x):\n    print('x', type(x).__name__ != '')\ndef f(x):\n    show(x)\n    return x\n",
        "output", None, "effect.print", "print('x', type(x).__name__ != '')",
    ),
    ("v = tf.Variable(0)\ndef more(x):\n    return v.assign_add(x)\ndef f(x):\n    return more(x)\n", None, None, None, None),
]  # fmt: skip


@pytest.mark.parametrize(("program", "what", "name", "rule", "line"), HELPERS)
def test_what_a_helper_does_is_compared_and_named(program, what, name, rule, line, run):
    ran = run(program)
    comparison = inspect.compare(tf.function(ran.names["f"]), tf.constant(3))
    different = [(row["what"], row["name"]) for row in comparison.data["rows"] if not row["equal"]]
    assert different[:1] == ([(what, name)] if what else [])
    assert [(item["id"], item["before"]["text"]) for item in comparison.data["because"]] == (
        [(rule, line)] if rule else []
    )
    assert all("where" in item for item in comparison.data["because"])


def test_what_helpers_change_is_as_it_was_afterwards(run):
    program = "log, v = [], tf.Variable(1)\nclass Net:\n    n = 0\n    def step(self, x):\n        self.n += 1\n        log.append(1)\n"
    ran = run(program + "        return v.assign_add(x)\nnet = Net()\ndef f(x):\n    return net.step(x)\n")
    inspect.compare(tf.function(ran.names["f"]), tf.constant(3), calls=3)
    assert (ran.names["log"], ran.names["net"].n, int(ran.names["v"])) == ([], 0, 1)


@pytest.mark.parametrize(("program", "what", "rule"), COMPARED)
def test_what_differs_first_and_why(program, what, rule, run):
    ran = run(program)
    comparison = inspect.compare(tf.function(ran.names["f"]), tf.constant(3))
    different = [row["what"] for row in comparison.data["rows"] if not row["equal"]]
    assert different[:1] == ([what] if what else [])
    assert comparison.same == (what is None)
    assert [item["id"] for item in comparison.data["because"]] == ([rule] if rule else [])


def test_everything_is_as_it_was_afterwards():
    v, seen = tf.Variable(1.0), ["before"]

    @tf.function
    def f(x):
        seen.append("call")
        v.assign_add(x)
        return v + tf.random.uniform([])

    tf.random.set_seed(7)
    random.seed(7)
    expected = random.Random(7).random()
    inspect.compare(f, tf.constant(2.0), calls=3)
    assert float(v) == 1.0
    assert seen == ["before"]
    assert random.random() == expected
    assert f.experimental_get_tracing_count() == 0


def test_the_number_of_calls_and_what_is_refused():
    f = tf.function(lambda x: x)
    assert {row["call"] for row in inspect.compare(f, tf.constant(1), calls=3).data["rows"]} == {1, 2, 3}
    with pytest.raises(ValueError, match="at least one"):
        inspect.compare(f, tf.constant(1), calls=0)
    with pytest.raises(TypeError, match="not a traced function"):
        inspect.compare(len, [])


def test_it_is_said_in_every_language():
    f = tf.function(lambda x: x + 1)
    said = set()
    for lang in LANGUAGES:
        set_language(lang)
        try:
            comparison = inspect.compare(f, tf.constant(1))
            said.add(str(comparison).split("\n")[0])
            assert "gl-static" in comparison._repr_html_()
        finally:
            set_language(None)
    assert len(said) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("guess", "right", "text"),
    [
        ({"traces": 2}, True, "Right. There were 2 traces; the guess was 2."),
        ({"traces": 3}, False, "Not quite. There were 2 traces; the guess was 3."),
        ({"lines": 2}, True, "Right. While tracing, Python printed 2 lines; the guess was 2."),
        (
            {"traces": 1, "lines": 2}, False,
            "Not quite. There were 2 traces; the guess was 1. While tracing, Python printed 2 lines; the guess was 2.",
        ),
    ],
)  # fmt: skip
def test_a_prediction_is_held_against_the_run(guess, right, text, capsys):
    @tf.function
    def f(x):
        print("tracing", x.dtype.name)
        return x * 2

    with inspect.predict(**guess) as prediction:
        f(tf.constant(1))
        f(tf.constant(2))
        f(tf.constant(1.0))
        print("outside")
    assert (prediction.right, str(prediction)) == (right, text)
    assert capsys.readouterr().out == "tracing int32\ntracing float32\noutside\n"


@pytest.mark.parametrize("guess", [{}, {"traces": -1}])
def test_a_guess_that_is_none(guess):
    with pytest.raises(ValueError, match=r"Give a number|negative"):
        inspect.predict(**guess)
