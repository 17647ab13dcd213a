"""Every line of the user's code says when it ran and how often: helpers, methods, wrappers and branches too.

The programs say themselves what their lines are to show: `#: trace 2` is a mark and the count beside it, a line
without it has neither. `{calls}` are the calls made at the end.
"""

import html
import json
import re
from pathlib import Path

import jsonschema
import pytest

import graphlab as tf
from graphlab import inspect
from graphlab.inspect import static_html
from graphlab.inspect.helped import shown_name
from graphlab.inspect.helpers import Helper
from graphlab.messages import LANGUAGES, word
from tests.helper_module import noted

SCHEMA = json.loads((Path(inspect.__file__).parent / "panel.schema.json").read_text("utf-8"))

HELPERS = """
log, table = [], {}
def helper(x, deep=False):
    log.append(1)  #: trace 2
    if deep:  #: trace None
        log.append(2)  #: trace 1
    elif len(log) > 100:  #: trace None
        log.clear()  #: never None
    for i in range(3):  #: trace None
        log.append(i)  #: trace 6
    table["x"] = x  #: trace 2
    try:  #: trace None
        log.index(77)  #: trace 0
    except ValueError:
        log.pop()  #: trace 2
    [log.append(i) for i in range(2)]  #: trace 4
    return log.append(9) or x * 2.0  #: both 2
@tf.function
def f(x):
    x = helper(x)  #: graph None
    x = helper(x, deep=True)  #: graph None
    return x  #: graph 3
for _ in range(3):
    f(tf.constant(1.0))
"""
BRANCHES = """
log = []
def note(what):
    log.append(what)  #: trace 4
@tf.function
def f(x):
    if x > 0.0:  #: graph None
        note("then")  #: trace 1
        y = x + 1.0  #: graph None
    else:
        note("else")  #: trace 1
        y = x - 1.0  #: graph None
    for i in tf.range(3):  #: graph None
        note("body")  #: trace 1
        y = y * 2.0  #: graph None
    note("end")  #: trace 1
    return y  #: graph 2
f(tf.constant(1.0))
f(tf.constant(2.0))
"""
METHODS = """
class Net(tf.Module):
    def __init__(self):
        self.v = tf.Variable(1.0)
        self.calls, self.seen = 0, []
    def remember(self, x):
        self.calls += 1  #: trace 2
        self.last = x * 3.0  #: trace 2
        self.seen.append(x.shape)  #: trace 2
        return x * self.v  #: graph None
    @tf.function
    def step(self, x):
        x = self.remember(x)  #: graph None
        self.middle = x + 1.0  #: both 1
        return self.remember(self.middle)  #: graph 2
net = Net()
net.step(tf.constant(1.0))
net.step(tf.constant(1.0))
"""
NESTED = """
log = []
def outer(x):
    def inner(y):  #: trace None
        log.append(y)  #: trace 3
        return y + 1.0  #: graph None
    return inner(inner(inner(x)))  #: graph None
@tf.function
def f(x):
    def own(y):  #: trace None
        log.append("own")  #: trace 2
        return y  #: graph None
    keep = lambda y: log.append(y) or y * 2.0  #: both 1
    return own(own(keep(outer(x))))  #: graph 1
f(tf.constant(1.0))
"""
GLOBALS = """
total, kept = 0, {}
@tf.function
def f(x):
    global total
    total += 1  #: trace 2
    own = {}  #: trace None
    own["x"] = x + 1.0  #: graph None
    kept["x"] = own["x"] * 2.0  #: trace 2
    del kept["x"]  #: trace 2
    stack = [x]  #: trace None
    last = stack.pop()  #: trace None
    return own["x"] + last + kept.setdefault("y", 1.0)  #: both 2
f(tf.constant(1.0))
f(tf.constant([1.0]))
f(tf.constant(2.0))
"""
PLAIN = """
@tf.function
def f(x, n=3):
    "What it does."
    a, b = 1, 2  #: trace None
    if n > 5:  #: trace None
        b = 2  #: never None
    elif n == 3:  #: trace None
        pass
    else:
        b = 9  #: never None
    for i in range(n):  #: trace None
        x = x + b  #: graph None
        if i == 1:  #: trace None
            continue  #: trace None
        unused = x * 2.0  #: trace None
    for i in ():  #: trace None
        x = x * 2.0  #: never None
    else:
        a = 3  #: trace None
    with tf.name_scope("q"):  #: trace None
        x = x - 1.0  #: graph None
    def never_called(y):  #: trace None
        return y + 1.0  #: never None
    if x > 3.0:  #: graph None
        return x  #: graph None
    while a < 5:  #: trace None
        a += 1  #: trace None
        if a == 4:  #: trace None
            break  #: trace None
    return x + a  #: graph None
f(tf.constant(1.0))
f(tf.constant(2.0))
"""
NOT_CONVERTED = """
log = []
@tf.autograph.experimental.do_not_convert
def plain(x):
    log.append(1)  #: trace None
    return x * 2.0  #: graph None
@tf.function(autograph=False)
def f(x):
    log.append(0)  #: trace 1
    if x is not None:
        log.append(2)  #: trace None
    return plain(x)  #: graph 2
f(tf.constant(1.0))
f(tf.constant(1.0))
"""
STOPPED = """
log = []
def checked(x, n):
    log.append(n)  #: trace 3
    if n > 1:  #: trace None
        raise ValueError("no")  #: trace None
    log.append("fine")  #: trace 2
    return x * 2.0  #: graph None
@tf.function
def f(x, n):
    log.append("begins")  #: trace 3
    y = checked(x, n)  #: graph None
    log.append("ends")  #: trace 2
    return y  #: graph 2
for n in (0, 1, 2):
    try:
        f(tf.constant(1.0), n)
    except ValueError:
        pass
"""
WRAPPERS = """
import functools
log = []
def timed(function):
    @functools.wraps(function)
    def around(*args):
        log.append("each call")
        return function(*args)
    return around
def doubled(function):
    @functools.wraps(function)
    def wrapper(x):
        log.append("traced")  #: trace 1
        return function(x) * 2.0  #: graph None
    return wrapper
@timed
@tf.function
@doubled
def f(x):
    log.append("own")  #: trace 1
    return x + 1.0  #: graph 2
f(tf.constant(1.0))
f(tf.constant(1.0))
"""
PROGRAMS = {
    "helpers": HELPERS,
    "branches": BRANCHES,
    "methods": METHODS,
    "nested": NESTED,
    "globals": GLOBALS,
    "plain lines": PLAIN,
    "not converted": NOT_CONVERTED,
    "stopped": STOPPED,
    "wrappers": WRAPPERS,
}


def expected(program):
    """What the lines say that they show."""
    found = {}
    for number, line in enumerate(program.split("\n"), 1):
        said = re.search(r"#: (\w+) (\w+)$", line)
        if said:
            found[number] = said[1], None if said[2] == "None" else int(said[2])
    return found


def all_rows(code):
    return [*code["rows"], *(row for helper in code["helpers"] for row in helper["rows"])]


def code_of(run, program, **names):
    (found,) = run(program, **names).panel()["functions"]
    return found["code"]


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_lines_say_when_they_ran_and_how_often(program, run):
    code = code_of(run, program)
    assert {row["line"]: (row["mark"], row["count"]) for row in all_rows(code) if row["mark"]} == expected(program)
    for row in all_rows(code):
        assert (row["count_text"] is None) == (row["count"] is None)
        assert (row["mark_text"] is None) == (row["mark"] is None)


def test_the_numbers_are_those_of_what_happened(run):
    ran = run(HELPERS)
    counts = {row["line"]: row["count"] for row in all_rows(ran.function()["code"]) if row["mark"] in ("trace", "both")}
    lines = HELPERS.split("\n")
    grown = sum(count for line, count in counts.items() if "log.append" in lines[line - 1])
    taken = sum(count for line, count in counts.items() if "log.pop" in lines[line - 1])
    assert len(ran.names["log"]) == grown - taken


def test_helpers_have_their_place_and_how_often_they_ran(run):
    code = code_of(run, WRAPPERS)
    said = [(helper["name"], helper["line"], helper["around"], helper["where"]["text"]) for helper in code["helpers"]]
    assert said == [
        ("timed.around", 5, True, "`timed.around` · line 5 · around the function, in Python at each call"),
        ("doubled.wrapper", 11, False, "`doubled.wrapper` · line 11 · ran once while tracing"),
    ]


def test_a_helper_of_another_file_has_its_place_and_no_line_of_the_cell(run):
    program = "log = []\n@tf.function\ndef f(x):\n    return noted(x, log)\nf(tf.constant(1.0))\n"
    (helper,) = code_of(run, program, noted=noted)["helpers"]
    assert (helper["name"], helper["line"]) == ("noted", None)
    assert helper["where"]["text"] == "`noted` · `helper_module.py:8` · ran once while tracing"
    assert [(row["mark"], row["count"]) for row in helper["rows"] if row["mark"]] == [("trace", 1), ("graph", None)]


def test_what_libraries_do_is_left_out(run):
    program = (
        "import json, functools\n@tf.function\ndef f(x):\n    json.dumps([1])\n"
        "    return functools.reduce(lambda a, b: a + b, [x, x])\nf(tf.constant(1.0))\n"
    )
    assert code_of(run, program)["helpers"] == []


def test_callers_are_no_helpers(run):
    program = "@tf.function\ndef f(x):\n    return x\ndef caller():\n    return f(tf.constant(1.0))\ncaller()\n"
    assert code_of(run, program)["helpers"] == []


def test_a_traced_function_that_is_called_has_its_own_part(run):
    program = (
        "log = []\n@tf.function\ndef g(x):\n    log.append(1)\n    return x + 1.0\n"
        "@tf.function\ndef f(x):\n    return g(x)\nf(tf.constant(1.0))\nf(tf.constant(1.0))\n"
    )
    parts = {part["name"]: part["code"] for part in run(program).panel()["functions"]}
    assert parts["f"]["helpers"] == parts["g"]["helpers"] == []
    assert [row["count"] for row in parts["g"]["rows"] if row["mark"] == "trace"] == [1]


MANY = "\n".join(
    [f"def h{i}(x):\n    return x + 1.0\n" for i in range(15)]
    + ["@tf.function\ndef f(x):"]
    + [f"    x = h{i}(x)" for i in range(15)]
    + ["    return x\nf(tf.constant(1.0))\n"]
)


def test_many_helpers_are_cut_and_the_rest_is_counted(run):
    code = code_of(run, MANY)
    assert [helper["name"] for helper in code["helpers"]] == [f"h{i}" for i in range(12)]
    assert code["more"]["text"] == "3 more functions ran while tracing; their lines are left out."


@pytest.mark.parametrize(
    ("program", "lede"),
    [
        (HELPERS, "Ran only while tracing, for 3 calls: log.append 15 times, table['x'] 2 times and log.pop 2 times."),
        (BRANCHES, "note and log.append ran only while tracing: 4 times for 2 calls."),
        (NESTED, "log.append ran only while tracing: 6 times for 1 call."),
        ("@tf.function\ndef f(x):\n    return x\nf(tf.constant(1.0))\n", "AutoGraph had nothing to change here."),
        (
            "log = []\n@tf.function\ndef f(x):\n    if len(log) > 3:\n        log.clear()\n    return x\nf(tf.constant(1.0))\n",
            "log.clear runs only while tracing.",
        ),
    ],
)
def test_the_sentence_above_counts_what_ran(program, lede, run):
    text = code_of(run, program)["lede"]["text"]
    assert re.sub(r"[*`]", "", text).startswith(lede)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_says_it_in_text_html_and_data(lang, run):
    for program in PROGRAMS.values():
        data = run(program).panel(lang)
        jsonschema.validate(data, SCHEMA)
        text, page = static_html.text(data, views=("code",)), html.unescape(static_html.html(data, views=("code",)))
        for function in data["functions"]:
            for helper in function["code"]["helpers"]:
                plain = re.sub(r"[*`\\]", "", helper["where"]["text"])
                assert plain in text
                assert plain in re.sub(r"<[^>]*>", "", page)
                for row in helper["rows"]:
                    source = "".join(part for _, part in row["tokens"])
                    assert source.rstrip() in text
            if any(row["mark"] == "both" for row in all_rows(function["code"])):
                assert data["words"]["key.both"] in text
                assert word("static.mark.both", lang)[:4] in page


def test_advice_counts_what_a_condition_let_run(run):
    program = (
        "log = []\n@tf.function\ndef f(x):\n    for i in range(2):\n        log.append(i)\n    return x\n"
        "f(tf.constant(1.0))\nf(tf.constant(1.0))\n"
    )
    (part,) = run(program).panel()["functions"]
    (found,) = [item for item in part["advice"] if item["id"] == "effect.mutation"]
    assert re.sub(r"[*`]", "", found["evidence"]["text"]) == "It ran 2 times for 2 calls."


def test_an_error_in_a_helper_is_shown_where_it_was_raised(run):
    program = "@tf.function\ndef f(x):\n    return noted(x, None)\nf(tf.constant(1.0))\n"
    (part,) = run(program, fails=AttributeError, noted=noted).panel()["functions"]
    assert part["error"]["line"] is None
    assert part["error"]["code"]["text"] == "kept.append(1)"
    assert "helper_module.py:10" in part["lede"]["text"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [("f", "f"), ("main.<locals>.Net.step", "Net.step"), ("logged.<locals>.wrapper", "logged.wrapper")],
)
def test_names_of_helpers_are_short(name, shown):
    assert Helper(shown_name(name), "", 1, 1, "").name == shown


def test_outside_of_a_notebook_lines_are_marked_without_counts():
    log = []

    def helper(x):
        log.append(1)
        return x + 1.0

    @tf.function
    def f(x):
        return helper(x)

    f(tf.constant(1.0))
    (part,) = inspect.code(f).data["functions"]
    (found,) = part["code"]["helpers"]
    assert [(row["mark"], row["count"]) for row in found["rows"] if row["mark"]] == [("trace", None), ("graph", None)]
    assert "◆     log.append(1)" in str(inspect.code(f))
