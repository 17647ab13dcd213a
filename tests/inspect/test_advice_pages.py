"""Every rule has a page, the page's first example is told of, and the one to write instead is not."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from graphlab.inspect import advice
from graphlab.inspect.lint import lint_code
from graphlab.tracing import records

PAGES = Path(__file__).parents[2] / "docs" / "advice"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def found(run, source, monkeypatch):
    """The ids told of after running a program, notes included; its Functions are kept alive for that."""
    made = []
    register = records.register
    monkeypatch.setattr(records, "register", lambda function: (made.append(function), register(function)))
    with contextlib.redirect_stdout(io.StringIO()):
        run(source)
    report = lint_code(source, made)
    return {*report.ids, *report.notes}


def test_every_rule_has_a_page_and_every_page_a_rule():
    assert sorted(page.stem for page in PAGES.glob("*.md") if page.stem != "index") == sorted(advice.IDS)


@pytest.mark.parametrize("id_", advice.IDS)
def test_the_example_is_told_of_and_the_better_one_is_not(id_, run, monkeypatch):
    text = (PAGES / f"{id_}.md").read_text("utf-8")
    assert text.startswith("# ")
    assert f"`{id_}`" in text
    examples = BLOCK.findall(text)
    assert id_ in found(run, examples[0], monkeypatch)
    note = advice.rule_of(id_).note
    assert note or len(examples) == 2
    for better in examples[1:]:
        told = found(run, better, monkeypatch)
        assert not {other for other in told if not advice.rule_of(other).note}
        assert id_ not in told
