"""A failure of graphlab's own around a cell: the cell's result stands, one line says it, the log has the traceback."""

import jsonschema
import pytest
from traitlets.log import get_logger

from graphlab.inspect import outside
from graphlab.inspect.panel import MIME
from graphlab.inspect.predict import Prediction
from graphlab.jupyter import extension, failure, watch
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
