"""The `%%tf_function` cell: an ordinary cell whose functions are traced, and one panel at its end."""

import ast
import json
from pathlib import Path

import jsonschema
import pytest

import graphlab
from graphlab.inspect.panel import MIME
from graphlab.jupyter import cell as cells
from graphlab.messages import LANGUAGES
from graphlab.messages.message import plain
from graphlab.tracing.function import Function

FIXTURES = Path(__file__).parents[1] / "inspect" / "fixtures"
SCHEMA = json.loads((Path(graphlab.__file__).parent / "inspect" / "panel.schema.json").read_text("utf-8"))
WALK = json.loads((FIXTURES / "walk.en.json").read_text("utf-8"))["cell"]["source"]


def save_fixtures(shell):
    """Write the panels of the walk anew, after a change of what they say; the view in `extension/` is tested with them too."""
    for lang in ("en", "fa"):
        shell.run(WALK.replace("%%tf_function", f"%%tf_function --lang {lang}", 1))
        shell.panel["cell"]["source"] = WALK
        shell.panel["volatile"]["execution_count"] = 3
        shell.panel["functions"][0]["volatile"] = {"identity": "a1b2c3d4.1"}
        for trace, ms in zip(shell.panel["functions"][0]["traces"], (1.9, 2.1, 2.0, 2.4), strict=True):
            trace["volatile"] = {"ms": ms, "time": f"{ms} ms"}
        text = json.dumps(shell.panel, ensure_ascii=False, indent=1)
        (FIXTURES / f"walk.{lang}.json").write_text(text + "\n", "utf-8")


def without_volatile(value):
    if isinstance(value, dict):
        return {key: without_volatile(item) for key, item in value.items() if key != "volatile"}
    return [without_volatile(item) for item in value] if isinstance(value, list) else value


# ------------------------------------------------------------------------------------------------------ the cell of the walk


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_panel_of_the_walk_is_valid_and_the_same_in_every_run(shell, lang):
    source = WALK if lang == "en" else WALK.replace("%%tf_function", f"%%tf_function --lang {lang}", 1)
    result = shell.run(source)
    assert [round(float(value), 6) for value in result.result] == [0.442422, -0.058836]
    panel = shell.panel
    jsonschema.validate(panel, SCHEMA)
    (function,) = panel["functions"]
    assert function["counts"] == {"traces": 4, "retraces": 3, "calls": 6, "new": 4}
    assert function["matrix"] == [
        ["traced", "no", "no", "no", "no", "no"],
        ["", "traced", "no", "hit", "no", "no"],
        ["", "", "traced", "no", "no", "no"],
        ["", "", "", "", "traced", "hit"],
    ]
    assert [call["line"] for call in function["calls"]] == [14, 15, 16, 17, 18, 19]
    assert function["tabs"] == {"retraces": 4, "signatures": 4, "code": None, "graph": None, "advice": 1}
    if lang in ("en", "fa"):
        panel["cell"]["source"] = WALK
        saved = json.loads((FIXTURES / f"walk.{lang}.json").read_text("utf-8"))
        assert without_volatile(panel) == without_volatile(saved)


def test_every_line_of_the_output_is_marked_by_when_it_was_printed(shell):
    shell.run(
        """%%tf_function
def f(x):
    print("tracing")
    for i in tf.range(2):
        tf.print("running", x, i)
    return x

f(tf.constant(1))
f(tf.constant(2))
tf.print("outside")
"""
    )
    lines = shell.panel["functions"][0]["code"]["output_lines"]
    assert [(line["text"], line["mark"], line["line"]) for line in lines] == [
        ("tracing", "trace", 3),
        ("running 1 0", "graph", 5),
        ("running 1 1", "graph", 5),
        ("running 2 0", "graph", 5),
        ("running 2 1", "graph", 5),
    ]


def test_the_walk_prints_once_per_trace_and_the_panel_knows_which(shell):
    shell.run(WALK)
    assert shell.out.splitlines()[:4] == [
        "tracing walk: (2,) 3",
        "tracing walk: (2,) 4",
        "tracing walk: (3,) 4",
        'tracing walk: (2,) Tensor("steps:0", shape=(), dtype=int32)',
    ]
    lines = shell.panel["functions"][0]["code"]["output_lines"]
    assert [(line["text"], line["trace"], line["line"]) for line in lines][:2] == [
        ("tracing walk: (2,) 3", 1, 5),
        ("tracing walk: (2,) 4", 2, 5),
    ]
    (wall,) = shell.panel["functions"][0]["code"]["captured"]
    assert (wall["name"], wall["traced"], wall["now"], wall["line"]) == ("wall", "1.5", "1.5", 2)


def test_a_panel_has_all_three_types_and_is_shown_once(shell):
    shell.run(WALK)
    (bundle,) = shell.bundles
    assert set(bundle) == {MIME, "text/html", "text/plain"}
    assert bundle["text/plain"].startswith("walk was traced 4 times for 6 calls.")


def test_a_later_cell_that_only_reuses_says_so(shell):
    shell.run(WALK)
    shell.run("%%tf_function\nwalk(tf.ones(2), 4)\nwalk(tf.zeros(2), tf.constant(7))")
    (function,) = shell.panel["functions"]
    assert function["state"] == "hit"
    assert plain(function["lede"]["text"]) == "No new trace for 2 calls. walk reused T2 and T4."
    assert [trace["n"] for trace in function["traces"]] == [2, 4]
    assert function["matrix"] == [["hit", "no"], ["no", "hit"]]
    assert function["line"] is None  # its definition stands in another cell


# -------------------------------------------------------------------------------------------------------------- an ordinary cell


def test_functions_of_the_top_level_are_traced_and_others_are_not(shell):
    shell.run(
        "%%tf_function\n"
        "def f(x):\n    return x\n"
        "@tf.function\ndef g(x):\n    return x\n"
        "class A:\n    def m(self): pass\n"
        "def outer(x):\n    def inner(y): return y\n    return inner(x)\n"
        "h = lambda x: x\n"
    )
    assert isinstance(shell["f"], Function)
    assert isinstance(shell["g"], Function)
    assert not isinstance(shell["g"].python_function, Function)
    assert isinstance(shell["outer"], Function)
    assert not isinstance(shell["A"].m, Function)
    assert not isinstance(shell["h"], Function)
    assert [function["name"] for function in shell.panel["functions"]] == ["f", "g", "outer"]
    assert {function["state"] for function in shell.panel["functions"]} == {"uncalled"}


def test_coroutines_and_generators_stay_as_they_are_with_a_note(shell):
    shell.run("%%tf_function\nasync def wait(): return 1\ndef count():\n    yield 1\n")
    assert not isinstance(shell["wait"], Function)
    assert list(shell["count"]()) == [1]
    assert [note["id"] for note in shell.panel["notes"]] == ["note.coroutine", "note.generator"]
    assert "wait is a coroutine" in shell.bundles[0]["text/plain"]


def test_other_decorators_are_kept_below_and_source_and_lines_are_the_users(shell):
    shell.run(
        "%%tf_function\nnote = lambda f: (setattr(f, 'noted', True), f)[1]\n\n\n\n@tf.autograph.experimental.do_not_convert\n@note\ndef f(x):\n    return x\nf(1)"
    )
    python = shell["f"].python_function
    assert python.noted
    code = shell.panel["functions"][0]["code"]
    assert [row["line"] for row in code["rows"]] == [6, 7, 8, 9]
    assert shell.panel["functions"][0]["line"] == 8


def test_an_error_stops_the_cell_at_the_users_line(shell):
    result = shell.run("%%tf_function\nx = 1\ndef f(n):\n    return n\n1 / 0\ny = 2\n")
    assert isinstance(result.error_in_exec, ZeroDivisionError)
    assert result.error_in_exec.__traceback__.tb_next.tb_lineno == 5
    assert "y" not in shell.shell.user_ns
    assert shell.panel["functions"][0]["name"] == "f"


def test_await_and_the_last_value_work_as_in_any_cell(shell):
    result = shell.run("%%tf_function\nimport asyncio\nawait asyncio.sleep(0)\n41 + 1\n")
    assert result.success
    assert result.result == 42


def test_a_syntax_error_is_reported_at_its_own_line(shell):
    result = shell.run("%%tf_function\nx = 1\ndef f(:\n    pass\n")
    assert isinstance(result.error_before_exec, SyntaxError)
    assert result.error_before_exec.lineno == 3
    assert shell.run("z = 3").success


def test_an_error_while_tracing_says_where_and_what_to_write(shell):
    result = shell.run(
        "%%tf_function\ndef f(x):\n    for i in tf.range(3):\n        x = tf.concat([x, x], 0)\n    return x\nf(tf.zeros(2))\n"
    )
    assert isinstance(result.error_in_exec, ValueError)
    (function,) = shell.panel["functions"]
    assert function["state"] == "error"
    assert plain(function["lede"]["text"]).startswith("Tracing of f stopped at line 3: ")
    assert function["fix"]["place"]["id"] == "fix.first_line_of_loop"
    assert function["fix"]["code"]["text"].startswith("tf.autograph.experimental.set_loop_options(")
    assert shell.panel["badge"]["mark"] == "bad"
    # The advised line is right: with it the function is traced.
    fixed = f"    for i in tf.range(3):\n        {function['fix']['code']['text']}\n        x = tf.concat([x, x], 0)\n"
    assert shell.run(f"%%tf_function\ndef f(x):\n{fixed}    return x\nf(tf.zeros(2)).shape").result == [16]


def test_functions_made_in_a_loop_are_told_of_as_one(shell):
    shell.run(
        "%%tf_function\nfor k in range(9):\n    @tf.function\n    def f(x):\n        return x * k\n    f(tf.zeros(2))\n"
    )
    (function,) = shell.panel["functions"]
    assert function["counts"]["traces"] == 9
    assert plain(function["lede"]["text"]).startswith("The same code made f 9 times:")
    assert plain(function["fix"]["place"]["text"]) == "Move out of the loop, above line 2"
    assert function["fix"]["code"]["text"] == "@tf.function\ndef f(x):"


def test_many_traces_are_grouped(shell):
    shell.run("%%tf_function\ndef f(n):\n    return tf.constant(1) * n\nfor n in range(40):\n    f(n)\n")
    (function,) = shell.panel["functions"]
    assert function["state"] == "many"
    assert function["fix"]["code"]["text"] == "f(tf.constant(n))"
    assert function["folds"]["calls"][0] | {"text": 0} == {"from": 5, "to": 38, "count": 34, "text": 0}
    assert plain(function["folds"]["traces"][0]["text"]["text"]) == "36 more, all for n"
    assert plain(function["folds"]["all"]["text"]) == "Show all 40"
    text = shell.bundles[0]["text/plain"]
    assert text.count("f(tf.constant(n))") == 1
    assert len(text.splitlines()) < 25


def test_an_enormous_cell_makes_a_panel_of_bounded_size(shell):
    shell.run("%%tf_function\ndef f(n):\n    return tf.constant(1) * n\nfor n in range(300):\n    f(n)\n")
    panel = shell.panel
    jsonschema.validate(panel, SCHEMA)
    (function,) = panel["functions"]
    assert len(json.dumps(panel)) < 400_000
    assert len(function["calls"]) == len(function["matrix"][0]) <= 120
    assert len(function["traces"]) == len(function["matrix"]) <= 60
    assert function["counts"]["traces"] == 300
    assert plain(function["cut"]["text"]) == "180 further calls are not shown."


# ------------------------------------------------------------------------------------------------------------------- options


def test_signature_fixes_an_input_signature(shell):
    result = shell.run(
        '%%tf_function --signature "f: float32[None], int32[]"\ndef f(x, n):\n    return x * 2.\nf([1., 2.], 3)\nf([1.], 4)'
    )
    assert result.success
    (function,) = shell.panel["functions"]
    assert function["traces"][0]["signature"] == "float32[None], int32[]"
    assert function["counts"]["traces"] == 1


def test_eager_runs_plain_python_in_this_cell_only(shell):
    shell.run("%%tf_function --eager\nseen = []\ndef f(x):\n    seen.append(x)\n    return x\nf(1)\nf(1)")
    assert shell["seen"] == [1, 1]
    assert "ran eagerly for 2 calls" in shell.bundles[0]["text/plain"]
    assert not graphlab.config.functions_run_eagerly()


def test_no_autograph_and_reduce_retracing_reach_the_functions(shell):
    shell.run(
        "%%tf_function --no-autograph --reduce-retracing\ndef f(x):\n    return x\nf(tf.zeros(2))\nf(tf.zeros(3))"
    )
    assert shell["f"].options["autograph"] is False
    assert shell.panel["functions"][0]["traces"][1]["reason"]["id"] == "retrace.generalised"


def test_show_chooses_views(shell):
    shell.run("%%tf_function --show graph,traces\ndef f(x):\n    return x + 1\nf(1.)")
    assert shell.panel["functions"][0]["views"] == ["retraces", "graph"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--eagre", "--eagre is not an option of %%tf_function. There are: --signature, --eager, --no-autograph"),
        ("--lang", "--lang needs a value, for example --lang fa."),
        ("--lang de", "There is no catalogue for de. There is one for: en, es, fa, it, ru and zh."),
        ("--show all", "all is no view. There are: traces, signatures, code, graph and advice."),
        ('--signature "f float32[]"', "f float32[] is no signature. Write for example walk: float32[None], int32[]."),
        ('--signature "f: float33[]"', "f: float33[] is no signature."),
        ('--signature "f: float32[2] int32[]"', "is no signature."),
        ('--signature "g: float32[]"', "--signature names g, but this cell defines no function of that name"),
        ('--lang "fa', 'A quotation mark is not closed in --lang "fa.'),
    ],
)
def test_an_option_that_cannot_be_read_is_a_usage_error(shell, line, message):
    result = shell.run(f"%%tf_function {line}\nran = True\ndef f(x):\n    return x\n")
    assert message in str(result.error_in_exec)
    assert type(result.error_in_exec).__name__ == "UsageError"
    assert "ran" not in shell.shell.user_ns


def test_usage_errors_speak_the_readers_language(shell):
    shell.run("%tf_lang it")
    result = shell.run("%%tf_function --eagre\n1")
    assert "non è un'opzione" in str(result.error_in_exec)


# ------------------------------------------------------------------------------------------------------------- the transformers


@pytest.mark.parametrize(
    ("lines", "first"),
    [
        (["%%tf_function\n", "x = 1\n"], "__graphlab_cell__('')\n"),
        (["%%tf_function --lang fa\n", "x\n"], "__graphlab_cell__('--lang fa')\n"),
        (["%%tf_function?\n"], "%%tf_function?\n"),
        (["%%tf_functions\n"], "%%tf_functions\n"),
        (["x = 1\n", "%%tf_function\n"], "x = 1\n"),
    ],
)
def test_the_first_line_becomes_one_line(lines, first):
    assert cells.transform(lines) == [first, *lines[1:]]


def test_an_unmarked_module_is_left_alone():
    tree = ast.parse("def f(): pass")
    assert ast.dump(cells.Decorate().visit(tree)) == ast.dump(ast.parse("def f(): pass"))


def test_unloading_takes_everything_away(shell):
    from graphlab.jupyter.extension import load, unload

    unload(shell.shell)
    assert cells.transform not in shell.shell.input_transformers_cleanup
    assert "tf_watch" not in shell.shell.magics_manager.magics["line"]
    assert shell.run("1 + 1").result == 2
    load(shell.shell)
    shell.run("%%tf_function\ndef f(x):\n    return x\nf(1)")
    assert len(shell.panels) == 1


def test_tf_print_is_on_the_cells_output_in_order(shell):
    assert shell.run("""%%tf_function
def f(x):
    print("Python")
    tf.print("graph", x)
    return x

f(tf.constant(3))""").success
    assert (shell.out.splitlines()[:2], shell.err) == (["Python", "graph 3"], "")


def test_an_eager_call_that_fails_was_a_call_all_the_same(shell):
    result = shell.run("""%%tf_function --eager
def f(x, y):
    return x // y

f(tf.constant(3), tf.constant(0))""")
    assert type(result.error_in_exec).__name__ == "InvalidArgumentError"
    assert shell.panel["functions"][0]["lede"]["id"] == "lede.eager"


if __name__ == "__main__":
    from tests.jupyter.conftest import Shell

    save_fixtures(Shell())


def test_the_warning_about_many_traces_names_the_cell_and_speaks_the_readers_language(shell, caplog):
    shell.run("%tf_lang it")
    shell.run("""%%tf_function
def f(n):
    return tf.constant(n)

for n in range(5):
    f(n)""")
    (record,) = caplog.records
    text = record.getMessage()
    assert text.startswith("f (In[")
    assert "5 delle sue ultime 5 chiamate" in text
    assert "numero Python" in text


def test_the_first_warning_beside_which_nothing_is_shown_says_how_to_see_more(shell, caplog):
    traced = "def f(n):\n    return tf.constant(n)\n\nfor n in range(5):\n    f(n)"
    shell.run(f"%%tf_function\n{traced}")
    shell.run("%tf_watch off")
    shell.run(f"@tf.function\n{traced}")
    shell.run(f"@tf.function\n{traced}")
    hints = ["%tf_watch on" in record.getMessage() for record in caplog.records]
    assert hints == [False, True, False]


def test_what_is_left_out_of_three_hundred_traces_is_said(shell):
    shell.run("%%tf_function\ndef f(n):\n    return tf.constant(n)\n\nfor n in range(300):\n    f(n)")
    function = shell.panel["functions"][0]
    assert plain(function["folds"]["all"]["text"]) == "Show 60 of 300"
    assert plain(function["traces"][-1]["rejects_title"]["text"]) == "Why the last 20 of 299 earlier did not fit"
    assert plain(function["traces"][10]["rejects_title"]["text"]) == "Why the 10 earlier did not fit"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("%%tf_function\n1 + 1", True),
        ("%%tf_function\nx = 3\nclass A: pass", True),
        ("%%tf_function\n1 / 0", False),  # the error says what there is to say
        ("%%tf_function --lng fa\n1", False),
        ("1 + 1", False),
    ],
)
def test_a_marked_cell_without_functions_says_so(shell, source, said):
    shell.run(source)
    assert [panel["lede"]["id"] for panel in shell.panels] == ["lede.nothing"] * said
    for panel in shell.panels:
        jsonschema.validate(panel, SCHEMA)
        assert [part["id"] for part in panel["badge"]["parts"]] == ["badge.functions"]
