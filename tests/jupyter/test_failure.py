"""A failure of graphlab's own around a cell: the cell's result stands, one line says it, the log has the traceback."""

import re

import jsonschema
import pytest
from traitlets.log import get_logger

from graphlab.inspect import Advice, Comparison, Report, Steps, outside
from graphlab.inspect.panel import MIME
from graphlab.inspect.predict import Prediction
from graphlab.jupyter import extension, failure, magics, watch
from tests.jupyter.test_cell import SCHEMA

CELL = "%%tf_function{options}\ndef f(x):\n    print('Python')\n    return x + 1\n\nf(tf.zeros(2)); 42"


def fail(*_, **__):
    raise ZeroDivisionError("a `part` of the panel\nand more")


@pytest.fixture
def log():
    """What is written to the log of IPython, or of the kernel."""
    import logging

    records = []
    handler = logging.Handler()
    handler.emit = records.append
    logger = get_logger()
    logger.addHandler(handler)
    before, logger.propagate = logger.propagate, False
    yield records
    logger.removeHandler(handler)
    logger.propagate = before


PLACES = [
    pytest.param(watch.CellRun, "begin", id="beginning to watch"),
    pytest.param(outside.Outside, "read", id="after a call"),
    pytest.param(watch, "_python_place", id="hearing a print"),
    pytest.param(watch.gather, "subject", id="gathering"),
    pytest.param(watch, "panel", id="building"),
    pytest.param(watch, "bundle", id="writing HTML"),
]


@pytest.mark.parametrize(("place", "name"), PLACES)
def test_one_line_in_the_panels_place(shell, log, monkeypatch, place, name):
    monkeypatch.setattr(place, name, fail)
    result = shell.run(CELL.format(options=""))
    assert result.success
    assert result.result == 42
    assert (shell.out.splitlines()[0], shell.err) == ("Python", "")
    assert "Error in callback" not in shell.out
    (panel,) = [panel for panel in shell.panels if panel["lede"]["id"] == "lede.broken"]
    jsonschema.validate(panel, SCHEMA)
    assert panel["lede"]["text"].startswith(
        r"graphlab could not make this panel (`ZeroDivisionError: a \`part\` of the panel`)."
    )
    assert [part["text"] for part in panel["badge"]["parts"]] == ["panel failed"]
    text = next(bundle for bundle in shell.bundles if MIME in bundle)["text/plain"]
    assert "graphlab could not make this panel (ZeroDivisionError: a `part` of the panel)." in text
    assert [record.exc_info[0] for record in log] == [ZeroDivisionError]
    monkeypatch.undo()
    shell.run(CELL.format(options=""))  # the next cell is as good as ever
    assert shell.panel["functions"][0]["lede"]["id"] == "lede.first"


def test_it_speaks_the_language_of_the_cell(shell, log, monkeypatch):
    monkeypatch.setattr(watch, "panel", fail)
    shell.run(CELL.format(options=" --lang fa"))
    assert (shell.panel["lang"], shell.panel["dir"]) == ("fa", "rtl")
    assert len(log) == 1


def test_when_even_that_fails_there_is_plain_text(shell, log, monkeypatch):
    monkeypatch.setattr(watch, "panel", fail)
    monkeypatch.setattr(failure, "panel", fail)
    assert shell.run(CELL.format(options="")).result == 42
    (bundle,) = shell.bundles
    assert list(bundle) == ["text/plain"]
    assert bundle["text/plain"].startswith("graphlab could not make its panel (ZeroDivisionError")
    assert len(log) == 2


def test_a_prediction_that_cannot_be_told_leaves_the_panel_as_it_is(shell, log, monkeypatch):
    monkeypatch.setattr(Prediction, "_repr_html_", fail)
    shell.run("%tf_predict traces=1")
    assert shell.run(CELL.format(options="")).success
    assert [panel["lede"] and panel["lede"]["id"] for panel in shell.panels] == ["lede.broken", None]
    assert len(log) == 1


def test_eager_running_ends_with_its_cell_all_the_same(shell, log, monkeypatch):
    end = extension.CellRun.end
    monkeypatch.setattr(extension.CellRun, "end", lambda run: fail(end(run)))
    shell.run(CELL.format(options=" --eager"))
    shell.run("%tf_watch off")
    assert shell.run("tf.config.functions_run_eagerly()").result is False
    assert len(log) == 2


VIEWS = [
    ("%tf_traces f", "explain"),
    ("%tf_signatures f", "signatures"),
    ("%tf_code f", "code"),
    ("%tf_graph f", "graph"),
    ("%tf_lint f", "lint"),
    ("%tf_lint", "lint_code"),
    ("%tf_step f(tf.zeros(2))", "step"),
    ("%tf_compare f(tf.zeros(2))", "compare"),
]


@pytest.fixture
def traced(shell):
    shell.run("%tf_watch off")
    shell.run("@tf.function\ndef f(x):\n    return x + 1\nf(tf.zeros(2))")
    return shell


@pytest.mark.parametrize(("magic", "made_by"), VIEWS)
@pytest.mark.parametrize("later", ["", "\n6 * 7"], ids=["last", "before the last"])
def test_a_magic_that_cannot_make_its_view_shows_one_line(traced, log, monkeypatch, magic, made_by, later):
    monkeypatch.setattr(magics.views, made_by, fail)
    result = traced.run(magic + later)
    assert result.success
    assert result.result == (42 if later else None)
    assert "".join(re.split(r"Out\[\d+\]: ", traced.out)).split() == (["42"] if later else [])
    assert traced.err == ""
    assert traced.panel["lede"]["id"] == "lede.broken"
    assert [record.exc_info[0] for record in log] == [ZeroDivisionError]


@pytest.mark.parametrize(
    ("magic", "shown_by"),
    [
        ("%tf_traces f", (Report, "_repr_html_")),
        ("%tf_lint f", (Advice, "_repr_html_")),
        ("%tf_step f(tf.zeros(2))", (Steps, "_repr_mimebundle_")),
        ("%tf_compare f(tf.zeros(2))", (Comparison, "_repr_html_")),
    ],
)
def test_a_view_that_cannot_be_shown_is_one_line_too(traced, log, monkeypatch, magic, shown_by):
    monkeypatch.setattr(*shown_by, fail)
    assert traced.run(magic + "\n6 * 7").result == 42
    assert (traced.panel["lede"]["id"], traced.err) == ("lede.broken", "")
    assert "Traceback" not in traced.out
    assert [record.exc_info[0] for record in log] == [ZeroDivisionError]


def test_what_the_users_own_program_raises_stays_an_error(traced, log):
    traced.run("@tf.function\ndef g(x):\n    raise KeyError('mine')")
    assert isinstance(traced.run("%tf_step g(1)").error_in_exec, KeyError)
    assert isinstance(traced.run("%tf_step f(1, 2, 3)").error_in_exec, TypeError)
    assert log == []
