"""The `%tf_…` magics."""

import pytest

from graphlab import messages

DEFINE = "@tf.function\ndef double(x):\n    return x * 2\ndouble(tf.zeros(2))\ndouble(tf.zeros(3))\nplain = len\n"


@pytest.fixture
def ready(shell):
    shell.run("%tf_watch off")
    shell.run(DEFINE)
    assert shell.panels == []
    return shell


@pytest.mark.parametrize(
    ("magic", "contains"),
    [
        ("%tf_traces double", "axis 0 went from 2 to 3"),
        ("%tf_signatures double", "float32[None]"),
        ("%tf_code double", "return x * 2"),
        ("%tf_graph double", "Mul(x, 2.0)"),
        ("%tf_graph double 1", "float32[2]"),
        ("%tf_graph double T2", "float32[3]"),
    ],
)
def test_views_of_a_function(ready, magic, contains):
    report = ready.run(magic).result
    assert contains in str(report)
    assert 'class="gl-static"' in report._repr_html_()
    assert report.data["functions"][0]["name"] == "double"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%tf_traces", "Which function? For example: %tf_traces double"),
        ("%tf_traces triple", "There is no triple. Give the name of a traced function."),
        ("%tf_traces plain", "plain is not a traced function."),
        ("%tf_code double.nothing", "There is no double.nothing."),
        ("%tf_signatures double extra", "%tf_signatures has no use for extra."),
        ("%tf_graph double 7", "double has no trace 7. It has 2 traces."),
        ("%tf_graph double last", "double has no trace last."),
        ("%tf_watch maybe", "Write %tf_watch on or %tf_watch off, not maybe."),
        ("%tf_eager 1", "Write %tf_eager on or %tf_eager off, not 1."),
        ("%tf_lang xx", "There is no catalogue for xx."),
        ('%tf_traces "double', "A quotation mark is not closed"),
    ],
)
def test_what_a_magic_cannot_do_is_a_usage_error(ready, line, message):
    result = ready.run(line)
    assert message in str(result.error_in_exec)
    assert type(result.error_in_exec).__name__ == "UsageError"


def test_graph_of_a_function_that_was_not_traced(ready):
    ready.run("@tf.function\ndef f(x):\n    return x")
    assert "f has not been traced yet" in str(ready.run("%tf_graph f").error_in_exec)


def test_watching_shows_the_panel_after_cells_that_traced_only(ready):
    ready.run("%tf_watch on")
    assert ready.out == "Watching: every cell that traces shows its panel.\n"
    ready.run("double(tf.zeros(4))")
    (function,) = ready.panel["functions"]
    assert [trace["n"] for trace in function["traces"]] == [3]
    assert function["note"]["id"] == "note.earlier_traces"
    ready.run("double(tf.zeros(4))")
    assert ready.panels == []
    ready.run("%tf_watch off")
    ready.run("double(tf.zeros(5))")
    assert ready.panels == []


def test_a_cell_that_traces_shows_it_unasked(shell):
    shell.run("%tf_watch")
    assert shell.out == "Watching is on.\n"
    shell.run(DEFINE)
    assert [function["name"] for function in shell.panel["functions"]] == ["double"]
    shell.run("double(tf.zeros(2))")
    assert shell.panels == []  # it traced nothing


def test_eager_on_and_off(ready):
    ready.run("%tf_eager on")
    assert ready.run("tf.config.functions_run_eagerly()").result is True
    ready.run("%tf_eager")
    assert ready.out == "Eager running is on.\n"
    ready.run("%tf_eager off")
    assert ready.run("tf.config.functions_run_eagerly()").result is False


def test_the_language_is_chosen_and_given_back(ready, monkeypatch):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    ready.run("%tf_lang ru")
    assert ready.out == "Язык: ru\n"
    assert "Первый вызов" in str(ready.run("%tf_traces double").result)
    ready.run("%tf_lang auto")
    assert messages.language() == "en"


@pytest.mark.parametrize(
    "magic", ["tf_watch", "tf_eager", "tf_lang", "tf_traces", "tf_signatures", "tf_code", "tf_graph"]
)
def test_each_magic_has_help(shell, magic):
    text = shell.shell.magics_manager.magics["line"][magic].__doc__
    assert text.splitlines()[0].endswith(".")
    assert f"%{magic}" in text


def test_the_cell_magic_has_help_that_names_every_option(shell):
    from graphlab.jupyter.options import FLAGS

    text = shell.shell.magics_manager.magics["cell"]["tf_function"].__doc__
    assert all(option in text for option in FLAGS)


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("%tf_traces dou", "double"),
        ("%tf_watch o", "off"),
        ("%tf_lang f", "fa"),
        ("%%tf_function --no", "--no-autograph"),
        ("%%tf_function --lang ", "zh"),
        ("%%tf_func", "%%tf_function"),
        ("%tf_sig", "%tf_signatures"),
        ("%tf_step dou", "double"),
        ("%tf_step double(1) --", "--stop"),
        ("%tf_step double(1) --stop n", "nan"),
    ],
)
def test_completion(ready, text, offered):
    _, found = ready.shell.complete(None, text, len(text))
    assert offered in found


@pytest.mark.parametrize(
    ("magic", "contains"),
    [
        ("%tf_lint double", "Nothing to change in double."),
        ("%tf_lint", "Nothing to change in double."),
        ("%tf_step double(tf.constant(3.0))", "double ran 1 operation."),
        ("%tf_compare double(tf.constant(3.0))", "double does the same eagerly and as a graph"),
    ],
)
def test_runs_of_a_call_and_advice(ready, magic, contains):
    report = ready.run(magic).result
    assert contains in str(report)
    assert 'class="gl-static"' in report._repr_html_()


@pytest.mark.parametrize("magic", ["%tf_step", "%tf_compare"])
def test_braces_and_dollars_in_a_call_are_python(ready, magic):
    ready.run("given = 5\n@tf.function\ndef f(d, text):\n    return d['a'] + len(text)")
    report = ready.run(f"{magic} f({{'a': tf.constant(1)}}, '{{given}}$given')").result
    assert "int32[] 14" in str(report)


@pytest.mark.parametrize(
    ("stop", "at"),
    [
        ('--stop "line 3"', "Stopped at step 1 of 2: line 3"),
        ("--stop line 4", "Stopped at step 2 of 2: line 4"),
        ("--stop=nan", "Not stopped: nan held nowhere."),
        ('--stop "y > limit"', "Stopped at step 1 of 2: y > limit"),
        ("""--stop 'op == "AddV2"'""", 'Stopped at step 2 of 2: op == "AddV2"'),
    ],
)
def test_a_step_stops_where_it_is_told(ready, stop, at):
    ready.run("@tf.function\ndef f(x, text):\n    y = x * 2.0\n    return y + 1.0\nlimit = 5.0")
    result = ready.run(f"%tf_step f(tf.constant(3.0), '--stop') {stop}")
    assert at in str(result.result)


@pytest.mark.parametrize(
    ("stop", "said"),
    [
        ("--stop", "`--stop` needs a value"),
        ('--stop "x >"', "is no place to stop at"),
        ("--stop nobody > 1", "There is no `nobody` to stop at"),
    ],
)
def test_where_a_step_cannot_stop_is_a_usage_error(ready, stop, said):
    error = ready.run(f"%tf_step double(tf.constant(3.0)) {stop}").error_in_exec
    assert type(error).__name__ == "UsageError"
    assert said.replace("`", "") in str(error).replace("`", "")


@pytest.mark.parametrize("line", ["%tf_step double", "%tf_step", "%tf_compare double(", "%tf_compare double + 1"])
def test_what_is_no_call_is_a_usage_error(ready, line):
    result = ready.run(line)
    assert "Write a call of a traced function, for example %" in str(result.error_in_exec)
    assert type(result.error_in_exec).__name__ == "UsageError"


def test_lint_tells_of_the_rest_of_the_last_cell_too(ready):
    ready.run("x = tf.Variable(2)\nwith tf.GradientTape() as tape:\n    y = x * x\ntape.gradient(y, x)")
    assert "gradient.integer" in ready.run("%tf_lint").result.ids


@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        (["%tf_predict traces=1\ndouble(tf.constant(1))"], "Right. There was 1 trace; the guess was 1."),
        (["%%tf_predict traces=1 lines=0\nprint('before')\ndouble(tf.constant(1))"], "Right. There was 1 trace; the guess was 1. While tracing, Python printed 0 lines; the guess was 0."),
        (["%tf_predict traces=1", "double(tf.constant(1))\ndouble(tf.constant([1]))"], "Not quite. There were 2 traces; the guess was 1."),
        (["%%tf_function\n%tf_predict traces=1 lines=1\ndef f(x):\n    print('tracing')\n    return x\nf(1)\n"], "Right. There was 1 trace; the guess was 1. While tracing, Python printed 1 line; the guess was 1."),
    ],
)  # fmt: skip
def test_a_prediction_is_answered_at_the_end_of_its_cell(ready, cells, answer):
    for cell in cells:
        assert ready.run(cell).success
    assert answer in [bundle.get("text/plain") for bundle in ready.bundles]


def test_a_prediction_asks_and_refuses_what_it_cannot_read(ready):
    ready.run("%tf_predict")
    assert "How many traces will it make" in ready.out
    assert "Write for example" in str(ready.run("%tf_predict two").error_in_exec)
