"""The user's other functions that ran while a function was traced: helpers, methods, wrappers of decorators."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from graphlab.core.position import is_library
from graphlab.inspect.graph_model import bodies, needed
from graphlab.inspect.marks import Ran
from graphlab.inspect.places import Places
from graphlab.inspect.subject import Subject
from graphlab.inspect.user_source import Source, source

MAX_HELPERS: Final = 12
"""Functions beside the traced one whose lines a panel holds."""


@dataclass(frozen=True, slots=True)
class Helper:
    """A function of the user's that ran while another was traced.

    Attributes:
        name: Its name, a method's with its class.
        filename: The file it stands in, with its first and last line.
        text: Its source.
        around: Whether it is what a decorator put around the traced function, so that it runs at each call.
    """

    name: str
    filename: str
    first: int
    last: int
    text: str
    around: bool = False


class InGraph:
    """The lines of all files that have operations in a graph which run, and the functions that made them.

    Attributes:
        lines: For each file, its lines.
        functions: File, first line and name of each function, in the order of the operations.
    """

    def __init__(self, graph: Any, subject: Subject) -> None:
        self._filename, self._own = subject.filename, _own(subject)
        self.lines: dict[str, set[int]] = {}
        self.functions: dict[tuple[str, int, str], None] = {}
        self._places = Places(None)
        self._sources: dict[str, Source] = {}
        self._seen: set[Any] = set()
        if graph is not None:
            self._graph(graph, own=True)

    def of(self, filename: str | None) -> set[int]:
        """The lines of one file."""
        return self.lines.get(filename, set()) if filename is not None else set()

    def _graph(self, graph: Any, *, own: bool) -> None:
        wanted = needed(graph)
        for op in graph.ops:
            if id(op) not in wanted or op.type in ("Placeholder", "NoOp"):
                continue
            if op.type != "Const":
                self._position(op.position, own)
            for key, body in bodies(op):
                # What a traced function calls inside has a part of the panel of its own.
                self._graph(body, own=own and key != "f")

    def _position(self, position: Any, own: bool) -> None:
        key = (own, tuple(map(id, position[::2])), position[1::2])
        if key in self._seen:
            return
        self._seen.add(key)
        found: dict[object, None] = {}
        places = list(self._places.all(position))
        # What is made around the function, its results for example, has the places of who called it.
        own = own and any(place.filename == self._filename and place.line in self._own for place in places)
        for index, place in enumerate(places):
            if is_library(place.filename):
                continue
            text = self._source(place.filename)
            around = place.filename, text.enclosing(place.line, place.function)
            if around not in found:
                found[around] = None
                lines = self.lines.setdefault(place.filename, set())
                lines.update((place.line, text.statement(place.line)))
            if own:
                code = position[2 * index]
                self.functions.setdefault((code.co_filename, code.co_firstlineno, code.co_qualname))

    def _source(self, filename: str) -> Source:
        found = self._sources.get(filename)
        if found is None:
            found = self._sources[filename] = source(filename)
        return found


def _own(subject: Subject) -> range:
    """The lines of the traced function itself."""
    if not subject.source or subject.line is None:
        return range(0)
    return range(subject.line, subject.line + subject.source.rstrip("\n").count("\n") + 1)


def helpers(subject: Subject, ran: Ran, graph: InGraph) -> list[Helper]:
    """The functions that ran while a function was traced, in the order in which they did; wrappers around it first.

    A function inside another of them is shown with that one.
    """
    found: dict[tuple[str, int], Helper] = {}
    for helper in _candidates(subject, ran, graph):
        found.setdefault((helper.filename, helper.first), helper)
    items = list(found.values())
    return [item for item in items if not any(_inside(item, other) for other in items if other is not item)]


def _candidates(subject: Subject, ran: Ran, graph: InGraph) -> Iterator[Helper]:
    own = _own(subject)
    sources: dict[str, Source] = {}

    def text(filename: str) -> Source:
        if filename not in sources:
            sources[filename] = source(filename)
        return sources[filename]

    decorators = _decorators(subject.source or "")
    calls = {(call.site.filename, call.site.line): None for call in subject.calls if decorators}
    for filename, line in calls:
        helper = None if is_library(filename) else _around(decorators, text(filename), filename, line)
        if helper is not None:
            yield helper
    records = ran.records or subject.traces
    began = [(filename, line, name) for record in records for filename, line, _, name, _ in record.ran if name]
    for filename, line, name in dict.fromkeys([*began, *graph.functions]):
        if is_library(filename) or (filename == subject.filename and line in own):
            continue
        if (helper := _helper(text(filename), filename, line, name)) is not None:
            yield helper


def _helper(text: Source, filename: str, line: int, name: str, around: bool = False) -> Helper | None:
    """The function that begins at a line; None when the file says something else by now."""
    last = name.rpartition(".")[2]
    if last == "<lambda>":
        spans = [span for span in text.lambdas if span[0] == line]
        if not spans:
            return None
        first, end = text.statement(line), max(span[1] for span in spans)
        return Helper("lambda", filename, first, end, "\n".join(text.lines[first - 1 : end]), around)
    node = text.functions.get(line)
    if node is None or node.name != last:
        return None
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    end = node.end_lineno or node.lineno
    return Helper(_shown(name), filename, first, end, "\n".join(text.lines[first - 1 : end]), around)


def _shown(name: str) -> str:
    """A qualified name as it is shown: `Net.step`, `logged.wrapper`.

    >>> _shown("main.<locals>.Net.step"), _shown("logged.<locals>.wrapper")
    ('Net.step', 'logged.wrapper')
    """
    parts = name.split(".")
    shown = [part for part in parts if part != "<locals>"]
    return ".".join(shown[-2:])


def _inside(one: Helper, other: Helper) -> bool:
    return one.filename == other.filename and other.first <= one.first and one.last <= other.last


def _around(decorators: set[str], text: Source, filename: str, line: int) -> Helper | None:
    """What a decorator of the function put around it, when a call was made there."""
    span = text.enclosing(line, "")
    node = text.functions.get(span[0]) if span else None
    if span is None or node is None:
        return None
    outside = (text.functions[start].name for start, end in text.spans if start < span[0] and span[1] <= end)
    outer = next((name for name in outside if name in decorators), None)
    return None if outer is None else _helper(text, filename, node.lineno, f"{outer}.{node.name}", True)


def _decorators(text: str) -> set[str]:
    """The last parts of the names of a function's decorators."""
    try:
        tree = ast.parse(textwrap.dedent(text))
    except SyntaxError:
        return set()
    node = tree.body[0] if tree.body else None
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return set()
    found = set()
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        found.add(ast.unparse(target).rpartition(".")[2])
    return found
