"""The code view: the user's lines with what became of each, the generated code, and what ran only while tracing."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, Final

from graphlab.inspect import highlight
from graphlab.inspect.graph_model import bodies, needed
from graphlab.inspect.places import Places, own_lines
from graphlab.inspect.subject import Cell, Subject
from graphlab.inspect.user_source import source
from graphlab.messages import Message, message, render, word
from graphlab.messages import data as message_data
from graphlab.messages.message import plain

Json = dict[str, Any]

MAX_LINES: Final = 300
"""Lines of source, and of generated code, that a panel holds."""

_TREES: Final = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def graph_lines(graph: Any, filename: str | None) -> set[int]:
    """The lines of a file that have operations in the graph which run."""
    found: set[int] = set()
    places = Places(filename)
    text = source(filename) if filename else None

    def visit(current: Any) -> None:
        wanted = needed(current)
        for op in current.ops:
            if id(op) in wanted and op.type not in ("Placeholder", "NoOp"):
                if op.type != "Const":
                    found.update(own_lines(places, text, op.position))
                for _, body in bodies(op):
                    visit(body)

    visit(graph)
    return found


class Marks:
    """Which lines of a function ran while tracing only, and which run in its graph."""

    def __init__(self, source: str, first_line: int, in_graph: set[int]) -> None:
        self.trace: dict[int, str] = {}
        self.graph: set[int] = set()
        self.counted: set[int] = set()
        self.returns: set[int] = set()
        try:
            tree = ast.parse(textwrap.dedent(source))
        except SyntaxError:
            self.graph = in_graph
            return
        function = next((node for node in ast.walk(tree) if isinstance(node, _TREES)), None)
        if function is None:
            return
        self._offset = first_line - 1
        self._in_graph = in_graph
        self._outside = {
            name for node in ast.walk(function) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names
        }
        if isinstance(function, ast.Lambda):
            self.graph = set(in_graph)
            return
        self._block(function.body, counted=True)

    def _block(self, statements: Iterable[ast.stmt], *, counted: bool) -> None:
        for statement in statements:
            line = statement.lineno + self._offset
            last = (statement.end_lineno or statement.lineno) + self._offset
            if isinstance(statement, ast.If | ast.For | ast.While | ast.With | ast.Try):
                header = statement.body[0].lineno + self._offset if getattr(statement, "body", None) else last
                own = any(number in self._in_graph for number in range(line, max(header, line + 1)))
                if own:
                    self.graph.add(line)
                inner = counted and (own or isinstance(statement, ast.With))
                for name in ("body", "orelse", "finalbody"):
                    self._block(getattr(statement, name, []), counted=inner)
                for handler in getattr(statement, "handlers", []):
                    self._block(handler.body, counted=False)
                continue
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self._block(statement.body, counted=False)
                continue
            lines = [number for number in range(line, last + 1) if number in self._in_graph]
            effect = self._effect(statement)
            if isinstance(statement, ast.Return):
                self.graph.add(line)
                if counted:
                    self.returns.add(line)
            elif effect is not None and (not lines or effect == "print"):
                self.trace[line] = effect
                if counted:
                    self.counted.add(line)
            elif lines:
                self.graph.add(line)

    def _effect(self, statement: ast.stmt) -> str | None:
        """The name of the Python effect that a statement has, or None."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            return ast.unparse(statement.value.func)
        targets: Sequence[ast.expr] = ()
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AugAssign):
            targets = [statement.target]
        for target in targets:
            if isinstance(target, ast.Name) and target.id in self._outside:
                return target.id
            if isinstance(target, ast.Attribute | ast.Subscript) and isinstance(statement, ast.Assign | ast.AugAssign):
                return ast.unparse(target)
        return None


def code_data(subject: Subject, cell: Cell, lang: str) -> Json | None:
    """The code view as the panel holds it; None when there is nothing to say."""
    if not subject.source or subject.line is None:
        if not subject.traces:
            return None
        sentence = message("code.lede.no_source", f=subject.name)
        return {
            "lede": message_data(sentence, lang),
            "rows": [],
            "generated": [],
            "map": [],
            "output_lines": [],
            "captured": [],
        }
    lines = subject.source.rstrip("\n").split("\n")[:MAX_LINES]
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    in_graph = graph_lines(subject.graph, subject.filename) if subject.graph is not None else set()
    marks = Marks(subject.source, subject.line, in_graph)
    tokens = highlight.lines("\n".join(line[indent:] for line in lines))
    generated, pairs = _generated(subject)
    by_line: dict[int, list[Json]] = {}
    for entry in generated:
        if entry["line"] is not None:
            by_line.setdefault(entry["line"], []).append(entry)
    skip = 0 if subject.def_line is None else max(0, subject.def_line - subject.line)
    rows = []
    for index, line in enumerate(lines):
        number = subject.line + index
        text = line[indent:]
        runs = number in marks.graph and subject.graph is not None
        mark = "trace" if number in marks.trace and not subject.eager else "graph" if runs else None
        count = _count(subject, marks, number, mark)
        entries = by_line.get(number, [])
        rows.append(
            {
                "line": number,
                "indent": len(text) - len(text.lstrip()),
                "tokens": tokens[index],
                "mark": mark,
                "count": count,
                "count_text": plain(render(message("code.count", n=count), lang)) if count is not None else None,
                "mark_text": None if mark is None else word("key.trace_only" if mark == "trace" else "key.graph", lang),
                "same": index >= skip and len(entries) == 1 and _alike(_text(entries[0]), text),
                "generated": entries,
            }
        )
    return {
        "lede": message_data(_lede(subject, marks, bool(generated)), lang),
        "rows": rows,
        "generated": generated,
        "map": pairs,
        "output_lines": [_output(line, cell, subject, lang) for line in subject.output_lines],
        "captured": [
            {
                "name": item.name,
                "traced": item.traced,
                "now": item.now,
                "line": item.line,
                "text": message_data(message(f"captured.{item.kind}"), lang),
            }
            for item in subject.captured
        ],
    }


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


def _count(subject: Subject, marks: Marks, line: int, mark: str | None) -> int | None:
    if not subject.watched or not subject.calls:
        return None
    if mark == "trace" and line in marks.counted:
        return len(subject.new) + _stopped_after(subject, line)
    if mark == "graph" and line in marks.returns:
        return sum(call.count for call in subject.calls if call.trace is not None)
    return None


def _stopped_after(subject: Subject, line: int) -> int:
    """How many of the recorded calls ran a line while tracing and were stopped by an error further down."""
    stopped = sum(call.count for call in subject.calls if call.trace is None)
    places = [(record.error or ("", "", None))[2] for record in subject.failures]
    return sum(1 for place in places[len(places) - min(stopped, len(places)) :] if place is not None and place > line)


def _lede(subject: Subject, marks: Marks, converted: bool) -> Message:
    if subject.eager and not subject.new:
        return message("lede.eager", f=subject.name, calls=message("count.for_calls", n=subject.call_count))
    if subject.graph is None and subject.failed is not None:
        return message("code.lede.stopped", f=subject.name)
    if marks.trace and subject.traces:
        names = list(dict.fromkeys(marks.trace.values()))[:3]
        if subject.watched and subject.calls and marks.counted and subject.new:
            return message(
                "code.lede.trace_only",
                names=names,
                times=message("count.times", n=max(_count(subject, marks, n, "trace") or 0 for n in marks.counted)),
                calls=message("count.for_calls", n=subject.call_count),
            )
        return message("code.lede.trace_only.uncounted", names=names)
    if not subject.autograph:
        return message("code.lede.off")
    # What AutoGraph writes into a function is calls of its operators; without one the code is the user's own.
    if not converted or "ag." not in subject.listing.generated:
        return message("code.lede.unchanged")
    return message("code.lede.converted")


def _output(line: Any, cell: Cell, subject: Subject, lang: str) -> Json:
    number = cell.line(subject.filename, line.line) or line.line
    if line.trace is not None and number is not None:
        id_ = "output.where.graph" if line.in_graph else "output.where"
        where = message(id_, trace=line.trace, line=number)
    else:
        where = message("output.where.nowhere", trace=line.trace or "")
    return {
        "text": line.text,
        "trace": line.trace,
        "line": number,
        "mark": "graph" if line.in_graph else "trace",
        "where": message_data(where, lang),
    }
