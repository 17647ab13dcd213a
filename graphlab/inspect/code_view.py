"""The code view: the user's lines with what became of each, the generated code, and what ran only while tracing."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence
from typing import Any, Final

from graphlab.inspect import highlight
from graphlab.inspect.helpers import MAX_HELPERS, MAX_LINES, Helper, others
from graphlab.inspect.marks import Marks, Ran, stopped
from graphlab.inspect.outside import assigned
from graphlab.inspect.subject import Captured, Cell, OutputLine, Subject, place_text
from graphlab.messages import Message, message, render, word
from graphlab.messages import data as message_data
from graphlab.messages.message import plain
from graphlab.tracing.records import TraceRecord

Json = dict[str, Any]

MARKS: Final = {"trace": "key.trace_only", "graph": "key.graph", "both": "key.both", "never": "key.never"}
"""For each mark of a line, the words for it."""


def code_data(subject: Subject, cell: Cell, lang: str) -> Json | None:
    """The code view as the panel holds it; None when there is nothing to say."""
    if not subject.source or subject.line is None:
        if not subject.traces:
            return None
        sentence = message("code.lede.no_source", f=subject.name)
        return {
            "lede": message_data(sentence, lang),
            "rows": [],
            "helpers": [],
            "more": None,
            "generated": [],
            "map": [],
            "output_lines": [],
            "captured": [],
        }
    lines = subject.source.rstrip("\n").split("\n")[:MAX_LINES]
    around = others(subject)
    graph, ran = around.graph, around.ran
    marks = Marks(
        subject.source,
        subject.line,
        graph.of(subject.filename),
        filename=subject.filename,
        ran=ran,
        names=subject.names,
        assumed=lambda line: len(subject.new) + _stopped_after(subject, line),
    )
    generated, pairs = _generated(subject)
    by_line: dict[int, list[Json]] = {}
    for entry in generated:
        if entry["line"] is not None:
            by_line.setdefault(entry["line"], []).append(entry)
    skip = 0 if subject.def_line is None else max(0, subject.def_line - subject.line)
    rows = _rows(lines, subject.line, marks, subject, lang, calls=True)
    for index, row in enumerate(rows):
        entries = row["generated"] = by_line.get(row["line"], [])
        row["same"] = index >= skip and len(entries) == 1 and _alike(_text(entries[0]), _text(row))
    shown = [(helper, around.marks(helper)) for helper in around.helpers]
    shown = [(helper, found) for helper, found in shown if helper.around or found.trace or found.graph]
    return {
        "lede": message_data(_lede(subject, [marks, *(found for _, found in shown)], bool(generated)), lang),
        "rows": rows,
        **_helpers_data(shown, subject, cell, ran, lang),
        "generated": generated,
        "map": pairs,
        "output_lines": [_output(line, cell, subject, lang) for line in subject.output_lines],
        "captured": [
            {
                "name": item.name,
                "traced": item.traced,
                "now": item.now,
                "line": item.line or _assigned(cell, item),
                "text": message_data(message(f"captured.{item.kind}"), lang),
                **({"reader": item.reader} if item.reader is not None else {}),
            }
            for item in subject.read
        ],
    }


def _assigned(cell: Cell, item: Captured) -> int | None:
    """The line of the cell that assigns what a helper of the cell reads."""
    return assigned(cell, item.name) if item.filename is not None and item.filename == cell.filename else None


def _text(entry: Json) -> str:
    return "".join(part for _, part in entry["tokens"])


def _alike(generated: str, source: str) -> bool:
    """Whether a generated line says the same as the source's, quotes and spaces apart."""
    return generated.strip() == source.strip() or _normal(generated) == _normal(source)


def _normal(line: str) -> str:
    text = line.strip()
    try:
        return ast.unparse(ast.parse(f"{text} pass" if text.endswith(":") else text))
    except SyntaxError:
        return text


def _generated(subject: Subject) -> tuple[list[Json], list[list[int]]]:
    """The generated lines, each with the source line it came from, and the pairs of the two."""
    listing = subject.listing
    if listing is None or not listing.generated:
        return [], []
    text = textwrap.dedent(listing.generated).rstrip("\n")
    tokens = highlight.lines(text)
    source_of = {int(made): int(line) for line, made in listing.lines}
    entries = []
    for index, line in enumerate(text.split("\n")[:MAX_LINES], 1):
        entries.append(
            {
                "n": index,
                "line": source_of.get(index),
                "indent": len(line) - len(line.lstrip()),
                "tokens": tokens[index - 1],
            }
        )
    return entries, [[line, made] for made, line in sorted(source_of.items()) if made <= MAX_LINES]


def _rows(
    lines: Sequence[str], first: int, marks: Marks, subject: Subject, lang: str, *, calls: bool = False
) -> list[Json]:
    """Lines of the user's with their marks; `calls` lets those that return be counted as often as it was called."""
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    tokens = highlight.lines("\n".join(line[indent:] for line in lines))
    ran = sum(call.count for call in subject.calls if call.trace is not None)
    rows = []
    for index, line in enumerate(lines):
        number, text = first + index, line[indent:]
        mark = _mark(subject, marks, number)
        count = None
        if subject.watched and subject.calls:
            if mark in ("trace", "both"):
                count = marks.count(number)
            elif mark == "graph" and calls and number in marks.returns:
                count = ran
        rows.append(
            {
                "line": number,
                "indent": len(text) - len(text.lstrip()),
                "tokens": tokens[index],
                "mark": mark,
                "count": count,
                "count_text": plain(render(message("code.count", n=count), lang)) if count is not None else None,
                "mark_text": None if mark is None else word(MARKS[mark], lang),
                "same": False,
                "generated": [],
            }
        )
    return rows


def _mark(subject: Subject, marks: Marks, line: int) -> str | None:
    """What is said of a line: nothing ran in a graph that is not there, and nothing was traced of what ran eagerly."""
    mark = marks.mark(line)
    if mark == "both":
        return "trace" if subject.graph is None else "graph" if subject.eager else mark
    if (mark == "graph" and subject.graph is None) or (mark in ("trace", "never") and subject.eager):
        return None
    return mark


def _helpers_data(shown: Sequence[tuple[Helper, Marks]], subject: Subject, cell: Cell, ran: Ran, lang: str) -> Json:
    """The user's other functions that ran, each with its place and lines; as many as there is room for."""
    found: list[Json] = []
    left = MAX_LINES
    for helper, marks in shown[:MAX_HELPERS]:
        lines = helper.text.split("\n")
        if found and len(lines) > left:
            break
        left -= len(lines)
        here = cell.line(helper.filename, helper.first)
        at = place(here, helper.filename, helper.first)
        began = [times for (name, line), times in ran.began.items() if _begins(helper, name, line)]
        times = began[0] if began and ran.known else None
        id_ = "code.helper.around" if helper.around else "code.helper" if times is None else "code.helper.times"
        values = {} if times is None or helper.around else {"times": message("count.times", n=times)}
        found.append(
            {
                "name": helper.name,
                "line": here,
                "around": helper.around,
                "where": message_data(message(id_, f=helper.name, place=at, **values), lang),
                "rows": _rows(lines[:MAX_LINES], helper.first, marks, subject, lang),
            }
        )
    more = len(shown) - len(found)
    return {"helpers": found, "more": message_data(message("code.helpers.more", n=more), lang) if more else None}


def place(here: int | None, filename: str | None, line: int) -> Message:
    """A line of the cell, else the place elsewhere."""
    if here or filename is None:
        return message("graph.text.line", line=here or line)
    return message("code.place", place=place_text(filename, line))


def _begins(helper: Helper, filename: str, line: int) -> bool:
    """Whether the outermost function of a helper's lines begins at a line: below its decorators."""
    return filename == helper.filename and helper.first <= line <= helper.last


def _stopped_after(subject: Subject, line: int) -> int:
    """How many of the recorded calls ran a line while tracing and were stopped by an error further down."""
    places = [(record.error or ("", "", None))[2] for record in stopped(subject) if _own(subject, record)]
    return sum(1 for place in places if place is not None and place > line)


def _own(subject: Subject, record: TraceRecord) -> bool:
    """Whether the line of an error is one of the function's file, not a helper's in another."""
    return record.error_file in (None, subject.filename)


def _lede(subject: Subject, marks: Sequence[Marks], converted: bool) -> Message:
    if subject.eager and not subject.new:
        return message("lede.eager", f=subject.name, calls=message("count.for_calls", n=subject.call_count))
    if subject.graph is None and subject.failed is not None:
        return message("code.lede.stopped", f=subject.name)
    if subject.traces and any(found.trace for found in marks):
        counts: dict[str, int | None] = {}
        for found in marks:
            for line, name in found.trace.items():
                count = found.count(line)
                counts[name] = (counts.get(name) or 0) + count if count is not None else counts.get(name)
        if subject.watched and subject.calls and subject.new and any(counts.values()):
            ran = {name: count for name, count in counts.items() if count}
            calls = message("count.for_calls", n=subject.call_count)
            names = list(ran)[:3]
            if len(set(ran.values())) == 1:
                times = message("count.times", n=ran[names[0]])
                return message("code.lede.trace_only", names=names, times=times, calls=calls)
            each = [message("code.lede.item", name=name, times=message("count.times", n=ran[name])) for name in names]
            return message("code.lede.trace_only.each", names=each, calls=calls)
        return message("code.lede.trace_only.uncounted", n=min(3, len(counts)), names=list(counts)[:3])
    if not subject.autograph:
        return message("code.lede.off")
    # What AutoGraph writes into a function is calls of its operators; without one the code is the user's own.
    if not converted or "ag." not in subject.listing.generated:
        return message("code.lede.unchanged")
    return message("code.lede.converted")


def _output(line: OutputLine, cell: Cell, subject: Subject, lang: str) -> Json:
    filename = line.filename or subject.filename
    here = cell.line(filename, line.line)
    if here is None and filename == subject.filename:
        here = line.line
    if line.trace is None:
        id_ = "output.where.nowhere" if line.in_graph or line.line is None else "output.where.stopped"
        values = {"place": place(here, filename, line.line or 0)} if id_.endswith("stopped") else {"trace": ""}
        where = message(id_, **values)
    elif line.line is None:
        where = message("output.where.nowhere", trace=line.trace)
    elif here is None:
        at = place_text(filename or "", line.line)
        where = message(f"output.where.{'graph.' * line.in_graph}place", trace=line.trace, place=at)
    else:
        where = message("output.where.graph" if line.in_graph else "output.where", trace=line.trace, line=here)
    return {
        "text": line.text,
        "trace": line.trace,
        "line": here,
        "mark": "graph" if line.in_graph else "trace",
        "where": message_data(where, lang),
    }
