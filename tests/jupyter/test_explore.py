"""Exploring: what is chosen only asks, what is pressed acts; the widget's traits; what is left without a kernel."""

import json
import re

import numpy as np
import pytest

import graphlab as tf
from graphlab.inspect.explore import MAX_ELEMENTS, Exploration
from graphlab.jupyter.explore import VIEW, Still, asset, explore
from graphlab.messages import LANGUAGES, set_language


@pytest.fixture(autouse=True)
def english():
    set_language("en")
    yield
    set_language(None)


@pytest.fixture
def scaled():
    @tf.function
    def scaled(x, n=2):
        return x * tf.cast(n, x.dtype)

    return scaled


def count(function):
    return len(function.log.traces)


def argument(data, path):
    return next(item for item in data["arguments"] if item["path"] == path)


# ---------------------------------------------------------------------------------------------- where exploring begins


def of_signature():
    return tf.function(
        lambda x, y: x, input_signature=[tf.TensorSpec([None, 3], tf.float64), tf.TensorSpec([], tf.bool)]
    )


def traced():
    function = tf.function(lambda d, k: d["a"])
    function({"a": tf.constant([1, 2]), "b": 3}, k=tf.constant(1.5))
    return function


@pytest.mark.parametrize(
    ("make", "call", "texts"),
    [
        (lambda: tf.function(lambda x, n=2, *, flag=True: x), (), {"x": "float32[]", "n": "2", "flag": "True"}),
        (of_signature, (), {"x": "float64[2, 3]", "y": "bool[]"}),
        (traced, (), {"d['a']": "int32[2]", "d['b']": "3", "k": "float32[]"}),
        (lambda: tf.function(lambda *xs: xs), (tf.constant("a"), None), {"*args[0]": "string[]", "*args[1]": "None"}),
        (lambda: tf.function(lambda x: x), (np.zeros((2, 2), np.int64),), {"x": "int64[2, 2]"}),
        (lambda: tf.function(lambda x: x), ([tf.constant(1), (2.5,)],), {"x[0]": "int32[]", "x[1][0]": "2.5"}),
        (lambda: tf.function(lambda: 1), (), {}),
    ],
    ids=["defaults", "input_signature", "last trace", "variadic", "numpy", "nested", "no arguments"],
)
def test_it_begins_with_the_call_given_or_the_last_trace_or_the_signature(make, call, texts):
    exploration = Exploration(make(), call)
    assert {item.path: item.text for item in exploration.arguments} == texts
    assert exploration.data["answer"] is not None


def test_only_traced_functions_are_explored():
    with pytest.raises(TypeError, match="not a traced function"):
        explore(len)


# ------------------------------------------------------------------------------------------------- choosing only asks


@pytest.mark.parametrize(
    ("path", "choice", "traces", "said"),
    [
        ("x", {"shape": [3]}, True, "axis 0 went from 2 to 3"),
        ("x", {"shape": []}, True, "another number of axes"),
        ("x", {"dtype": "float64"}, True, "float32 became float64"),
        ("n", {"value": 7}, True, "now the call gives 7"),
        ("n", {"kind": "tensor", "dtype": "int32"}, True, "n "),
        ("n", {"kind": "str", "value": "a"}, True, "n "),
        ("n", {"value": 2}, False, "would reuse T1"),
    ],
)
def test_a_choice_says_whether_the_call_would_trace_and_why(scaled, path, choice, traces, said):
    scaled(tf.constant([1.0, 2.0]))
    exploration = Exploration(scaled)
    exploration.choose(path, **choice)
    data = exploration.data
    assert data["answer"]["would_trace"] is traces
    assert said in str(exploration.answer)
    assert [trace["fits"] for trace in data["traces"]] == [not traces]
    assert bool(data["traces"][0]["because"]) is traces
    assert count(scaled) == 1


@pytest.mark.parametrize(
    ("path", "choice", "error"),
    [
        ("y", {}, KeyError),
        ("x", {"kind": "list"}, ValueError),
        ("x", {"dtype": "resource"}, ValueError),
        ("x", {"shape": [10**9]}, ValueError),
        ("x", {"shape": [-1]}, ValueError),
        ("x", {"shape": [1] * 9}, ValueError),
        ("v", {"kind": "int"}, ValueError),
    ],
)
def test_what_cannot_be_chosen_changes_nothing(path, choice, error):
    exploration = Exploration(tf.function(lambda x, v: x), (tf.constant(1), tf.Variable(1)))
    before = [item.text for item in exploration.arguments]
    with pytest.raises(error):
        exploration.choose(path, **choice)
    assert [item.text for item in exploration.arguments] == before


def test_a_call_that_does_not_fit_is_told():
    exploration = Exploration(tf.function(lambda x: x), (1,), {"z": 2})
    assert "z" in exploration.data["refused"]["text"]
    assert exploration.data["answer"] is None


# ------------------------------------------------------------------------------------------------------ buttons act


def test_tracing_makes_the_trace_the_call_needs(scaled, capsys):
    exploration = Exploration(scaled, (tf.constant([1.0]),))
    exploration.trace()
    assert count(scaled) == 1
    assert exploration.data["said"]["id"] == "explore.traced"
    assert exploration.answer.trace == 1
    exploration.trace()
    assert count(scaled) == 1
    assert exploration.data["said"]["id"] == "explore.traced.already"


def test_an_error_while_tracing_is_told(scaled):
    exploration = Exploration(scaled, (tf.constant("a"),))
    exploration.trace()
    assert exploration.data["said"]["id"] == "explore.stopped"
    assert count(scaled) == 0


def test_a_run_shows_both_ways_and_the_steps_and_leaves_nothing_behind(capsys):
    seen, total = [], tf.Variable(0.0)

    @tf.function
    def f(x, n):
        seen.append(1)
        print("python")
        total.assign_add(1.0)
        for _ in tf.range(n):
            x = x + 1.0
        return x

    exploration = Exploration(f, (tf.constant([1.0, 2.0]), tf.constant(2)))
    exploration.run()
    run = exploration.data["run"]
    rows = {(row["what"], row["call"]): row for row in run["compared"]["rows"]}
    assert rows["result", 1]["eager"] == rows["result", 1]["graph"] == "float32[2] [3, 4]"
    assert not rows["output", 2]["equal"]
    assert [node["op"] for node in run["nodes"]].count("AddV2") == 4
    assert run["call"] == "float32[2], int32[]"
    assert (seen, total.numpy(), count(f), capsys.readouterr().out) == ([], 0.0, 0, "")


def test_chosen_tensors_run_with_small_numbers_the_same_every_time(scaled):
    exploration = Exploration(scaled, (tf.constant([5.0]),))
    for dtype, value in {"float32": "[10]", "int64": "[2, 4]", "complex64": "[(1+0j), (2+0j)]"}.items():
        if dtype != "float32":
            exploration.choose("x", dtype=dtype, shape=[2])
        exploration.run()
        assert exploration.data["run"]["compared"]["rows"][0]["graph"].endswith(value)


def test_a_run_that_stops_shows_the_error(scaled):
    exploration = Exploration(scaled, (tf.constant("a"),))
    exploration.run()
    run = exploration.data["run"]
    assert run["compared"]["rows"][0]["what"] == "error"
    assert run["nodes"] == []


def test_more_elements_than_a_notebook_should_hold_are_not_run(scaled):
    exploration = Exploration(scaled, (tf.zeros([MAX_ELEMENTS + 1]),))
    exploration.run()
    assert exploration.data["said"]["id"] == "explore.too_many"
    assert exploration.data["run"] is None


# ---------------------------------------------------------------------------------------------------- what is shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_is_said_in_every_language(scaled, lang):
    set_language(lang)
    exploration = Exploration(scaled, (tf.constant([1.0]),))
    exploration.run()
    exploration.trace()
    data = exploration.data
    assert data["lang"] == lang
    assert data["dir"] == ("rtl" if lang == "fa" else "ltr")
    html = exploration._repr_html_()
    assert f'lang="{lang}" dir="{data["dir"]}"' in html
    if lang != "en":
        set_language("en")
        english = exploration.data
        for name in ("about", "said"):
            assert data[name]["text"] != english[name]["text"]


EVIL = "</script><img src=x onerror=alert(1)>"


def test_text_of_the_program_stays_text_and_large_values_stay_out():
    @tf.function
    def f(x, big, label=EVIL):
        print(EVIL * 1000)
        return tf.strings.join([x, EVIL]), big

    explorer = explore(f, tf.constant(EVIL), tf.zeros([1000, 1000]) + 0.123456, label=EVIL)
    explorer.exploration.trace()
    explorer.exploration.choose("big", shape=[2])
    explorer.exploration.run()
    data = json.dumps(explorer.exploration.data)
    html = explorer.exploration._repr_html_()
    assert "onerror" in html
    assert not re.search(r"<(script|img)", html)
    assert len(data) < 60_000
    assert len(html) < 60_000
    assert data.count("0.123456") < 100


def test_the_page_puts_everything_in_as_text():
    source = asset("explore.js")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", source)
    assert not re.search(
        r"https?:|import\s|import\(|fetch\(|XMLHttp|WebSocket|@import|url\(", source + asset("explore.css")
    )


# ------------------------------------------------------------------------------------------------------- the widget


def test_choices_and_buttons_arrive_as_traits(scaled):
    scaled(tf.constant([1.0, 2.0]))
    widget = scaled.explore()
    widget.choice = {"path": "x", "shape": [3], "n": 1}
    assert argument(widget.data, "x")["shape"] == [3]
    assert widget.data["answer"]["would_trace"]
    widget.choice = {"path": "x", "shape": [10**9], "n": 2}
    assert argument(widget.data, "x")["shape"] == [3]
    assert count(scaled) == 1
    widget.pressed = {"button": "trace", "n": 1}
    assert count(scaled) == 2
    assert not widget.data["answer"]["would_trace"]
    widget.pressed = {"button": "run", "n": 2}
    assert widget.data["run"]["nodes"][-1]["op"] == "Mul"
    assert count(scaled) == 2
    json.dumps(widget.data)


def test_a_cell_shows_static_html_and_the_sliders_in_outputs_of_their_own(scaled, monkeypatch):
    shown = []

    class Handle:
        def update(self, bundle, raw):
            shown.append(("again", bundle))

    def display(bundle, **options):
        shown.append(("new", bundle))
        return Handle() if options.get("display_id") else None

    monkeypatch.setattr("IPython.display.display", display)
    widget = scaled.explore(tf.constant([1.0]))
    widget._ipython_display_()
    (_, still), (_, live) = shown
    assert set(still) == {"text/html", "text/plain"}
    assert "<script" not in still["text/html"]
    assert still["text/plain"] == str(widget.exploration)
    assert live[VIEW]["model_id"] == widget.model_id
    widget.pressed = {"button": "trace", "n": 1}
    kind, bundle = shown[2]
    assert kind == "again"
    assert "T1" in bundle["text/plain"]


def test_without_anywidget_the_same_stands_there_without_sliders(scaled, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "graphlab.jupyter.explore_widget", None)
    found = scaled.explore(tf.constant([1.0]))
    assert isinstance(found, Still)
    assert found._repr_html_() == found.exploration._repr_html_()
    assert "would make a trace" in repr(found)


def test_nbconvert_shows_it_without_a_kernel(scaled):
    nbformat = pytest.importorskip("nbformat")
    from nbconvert import HTMLExporter

    from graphlab.jupyter.explore import still

    outputs = [
        nbformat.v4.new_output("display_data", still(Exploration(scaled), "a")),
        nbformat.v4.new_output(
            "display_data", {VIEW: {"model_id": "x", "version_major": 2, "version_minor": 0}, "text/plain": ""}
        ),
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("scaled.explore()", outputs=outputs)])
    html, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    assert "This call would make a trace." in html
    assert "widget-view" not in html
