"""The advice as an answer: `lint(f)`, as text, HTML and plain data; and as the panel holds it."""

from __future__ import annotations

import ast
import inspect as python_inspect
import linecache
from collections.abc import Mapping, Sequence
from typing import Any

from graphlab.inspect import advice, gather
from graphlab.inspect.advice import Finding
from graphlab.inspect.advice.unit import parsed, without_magics
from graphlab.inspect.advice_part import advice_part
from graphlab.inspect.code_view import place
from graphlab.inspect.parts import Marked, Part, Stack, Tagged
from graphlab.inspect.retrace_causes import code_data
from graphlab.inspect.subject import Cell, Subject
from graphlab.messages import Message, direction, language, message, word
from graphlab.messages import data as message_data
from graphlab.tracing.outside import described
from graphlab.tracing.records import watching

Json = dict[str, Any]


def advice_data(findings: Sequence[Finding], cell: Cell, filename: str | None, lang: str) -> list[Json]:
    """Findings as the panel holds them."""
    items = []
    for finding in findings:
        found = advice.rule_of(finding.rule)
        item = {
            "id": finding.rule,
            "text": message_data(finding.text, lang),
            "evidence": message_data(finding.evidence, lang) if finding.evidence else None,
            "line": _line(finding, cell, filename),
            "cost": found.cost,
            "note": found.note,
            "before": code_data(finding.before) if finding.before else None,
            "after": code_data(finding.after) if finding.after else None,
        }
        if finding.helper is not None:
            item["where"] = message_data(_where(finding, cell), lang)
        items.append(item)
    return items


def _line(finding: Finding, cell: Cell, filename: str | None) -> int | None:
    """The line of the cell, else that of the function's own file; None for a place in another."""
    if finding.filename in (None, filename):
        return finding.line
    return cell.line(finding.filename, finding.line)


def _where(finding: Finding, cell: Cell) -> Message:
    """The helper that a finding is about, with its place."""
    here = cell.line(finding.filename, finding.line)
    return message("code.helper", f=finding.helper, place=place(here, finding.filename, finding.line or 0))


class Advice:
    """Advice about functions or a source text: prints as text, shows as HTML, plain data under `data`.

    Attributes:
        data: `functions` (each with `name`, `lede` and `advice`) and `source` (the advice about the rest of the code).
    """

    __slots__ = ("data",)

    def __init__(self, data: Json) -> None:
        self.data = data

    @property
    def ids(self) -> list[str]:
        """The ids of the rules that found something, notes left out."""
        return [item["id"] for item in self._items() if not item["note"]]

    @property
    def notes(self) -> list[str]:
        """The ids of the rules that say what happens where nothing is wrong."""
        return [item["id"] for item in self._items() if item["note"]]

    def _items(self) -> list[Json]:
        found: list[Json] = [item for function in self.data["functions"] for item in function["advice"]]
        return [*found, *self.data["source"]]

    def __str__(self) -> str:
        return self._whole().text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from graphlab.inspect.static_html import framed

        return framed(self._whole().html(), self.data["lang"], self.data["dir"])

    def _whole(self) -> Part:
        lang = self.data["lang"]
        parts: list[Part] = []
        for function in self.data["functions"]:
            parts.append(Tagged("p", Marked(function["lede"]["text"]), 'class="gl-lede"'))
            parts.append(advice_part(function["advice"], lang))
        if self.data["source"]:
            if self.data["functions"]:
                parts.append(Tagged("p", Marked(word("advice.lede.cell", lang)), 'class="gl-lede"'))
            parts.append(advice_part(self.data["source"], lang))
        elif not self.data["functions"]:
            parts.append(Tagged("p", Marked(message_data(message("advice.lede.nothing"), lang)["text"])))
        return Stack([part for part in parts if part.text()])


def function_advice(subject: Subject, cell: Cell, lang: str) -> Json:
    """The advice about one function, with the sentence above it."""
    findings = advice.about(subject)
    wrong = sum(1 for finding in findings if not advice.rule_of(finding.rule).note)
    lede = message("advice.lede", f=subject.name, n=wrong) if wrong else message("advice.lede.none", f=subject.name)
    return {
        "name": subject.name,
        "lede": message_data(lede, lang),
        "advice": advice_data(findings, cell, subject.filename, lang),
    }


def lint(*what: Any, lang: str | None = None) -> Advice:
    r"""What the rules find in functions or source texts.

    Args:
        *what: Traced functions, plain Python functions (read as if they were traced) and source texts, in any order.
        lang: The language; the current one when None.

    Raises:
        TypeError: Something is neither a function nor text.
        SyntaxError: A text is no Python; lines that begin with `%` or `!` are left out.

    >>> import graphlab as tf
    >>> from graphlab import inspect
    >>> print(inspect.lint("import graphlab as tf\n@tf.function\ndef f(x):\n    print(x)\n    return x\n"))
      print runs while tracing only. tf.print prints at every call.
          - print(x)
          + tf.print(x)
          line 4 · effect.print
    """
    lang = lang or language()
    functions, source = [], []
    for item in what:
        if isinstance(item, str):
            text = without_magics(item)
            if parsed(text) is None:
                ast.parse(text)  # says where it is no Python
            source += advice_data(advice.about_source(item), Cell(), None, lang)
            continue
        subject = _subject(item)
        functions.append(function_advice(subject, Cell(None, subject.filename), lang))
    return Advice({"lang": lang, "dir": direction(lang), "functions": functions, "source": source})


def lint_code(
    text: str, functions: Sequence[Any], lang: str | None = None, *, space: Mapping[str, Any] | None = None
) -> Advice:
    """What the rules find in a cell's text and in the traced functions that it made.

    Args:
        text: The cell's source.
        functions: Traced functions, looked at with their records.
        lang: The language; the current one when None.
        space: What the names hold that the text does not define itself.
    """
    lang = lang or language()
    subjects = [_subject(function) for function in functions]
    names = {name: described(value) for name, value in (space or {}).items() if not name.startswith("_")}
    known = [subject for subject in subjects if _stands_in(subject, text)]
    return Advice(
        {
            "lang": lang,
            "dir": direction(lang),
            "functions": [function_advice(subject, Cell(None, subject.filename), lang) for subject in subjects],
            "source": advice_data(advice.about_source(text, known, names), Cell(), None, lang),
        }
    )


def _stands_in(subject: Subject, text: str) -> bool:
    return subject.filename is not None and "".join(linecache.getlines(subject.filename)).strip() == text.strip()


def _subject(item: Any) -> Subject:
    if hasattr(item, "traces") and hasattr(item, "made_at"):
        watched = watching()
        return gather.subject(item, calls=item.log.calls if watched else (), watched=watched)
    if not python_inspect.isroutine(item):
        raise TypeError(f"{item!r} is neither a function nor a source text.")
    from graphlab.tracing.function import function

    return gather.subject(function(item))
