"""The user's other functions that ran while a function was traced: helpers, methods, wrappers of decorators."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from graphlab.core.position import is_library
from graphlab.inspect.graph_model import bodies, needed
from graphlab.inspect.helped import shown_name
from graphlab.inspect.marks import Marks, Ran
from graphlab.inspect.places import Places
from graphlab.inspect.subject import Helped, Subject
from graphlab.inspect.user_source import Source, source

MAX_HELPERS: Final = 12
"""Functions beside the traced one whose lines a panel holds."""
MAX_LINES: Final = 300
"""Lines of them that it holds."""


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
        unused: For each file, the first lines of statements that have operations, none of which runs.
    """

    def __init__(self, graph: Any, subject: Subject) -> None:
        self._filename, self._own = subject.filename, _own(subject)
        self.lines: dict[str, set[int]] = {}
        self.functions: dict[tuple[str, int, str], None] = {}
        self.unused: dict[str, set[int]] = {}
        self._places = Places(None)
        self._sources: dict[str, Source] = {}
        self._seen: set[Any] = set()
        if graph is not None:
            self._graph(graph, own=True)
        for filename, lines in self.unused.items():
            lines -= self.of(filename)

    def of(self, filename: str | None) -> set[int]:
        """The lines of one file."""
        return self.lines.get(filename, set()) if filename is not None else set()

    def _graph(self, graph: Any, *, own: bool) -> None:
        wanted = needed(graph)
        for op in graph.ops:
            if op.type in ("Placeholder", "NoOp"):
                continue
            if id(op) not in wanted:
                if op.type != "Const":
                    self._left_out(op.position)
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

    def _left_out(self, position: Any) -> None:
        for place in self._places.all(position):
            if not is_library(place.filename):
                line = self._source(place.filename).statement(place.line)
                self.unused.setdefault(place.filename, set()).add(line)

    def _source(self, filename: str) -> Source:
        found = self._sources.get(filename)
        if found is None:
            found = self._sources[filename] = source(filename)
        return found


class Others:
    """The functions that ran with a traced one, and what became of their lines: worked out once for all views.

    Attributes:
        graph: The lines that have operations in the graph.
        ran: What was counted while tracing.
        helpers: The functions.
    """

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self.graph, self.ran = InGraph(subject.graph, subject), Ran(subject)
        self.helpers = helpers(subject, self.ran, self.graph)
        self._marks: dict[Helper, Marks] = {}

    def marks(self, helper: Helper) -> Marks:
        """What became of the lines of a helper."""
        found = self._marks.get(helper)
        if found is None:
            found = self._marks[helper] = self._read(helper)
        return found

    def _read(self, helper: Helper) -> Marks:
        if helper.around:
            return Marks(
                "", helper.first, set()
            )  # what runs around a traced function is neither traced nor in its graph
        subject, known = self._subject, self.known(helper)
        names = known.names if known is not None else subject.names if helper.filename == subject.filename else None
        lines = self.graph.of(helper.filename)
        return Marks(helper.text, helper.first, lines, filename=helper.filename, ran=self.ran, names=names)

    def known(self, helper: Helper) -> Helped | None:
        """What is known of a helper beside its text."""
        for known in self._subject.helped:
            here = known.filename == helper.filename and helper.first <= known.line <= helper.last
            if here and (shown_name(known.name) == helper.name or helper.name == "lambda"):
                return known
        return None

    def looked_at(self) -> list[Helper]:
        """The helpers that ran inside of the trace, as many as a panel holds."""
        found: list[Helper] = []
        left = MAX_LINES
        for helper in [helper for helper in self.helpers if not helper.around][:MAX_HELPERS]:
            left -= helper.last - helper.first + 1
            if found and left < 0:
                break
            found.append(helper)
        return found


def others(subject: Subject) -> Others:
    """The functions that ran while a function was traced."""
    found = subject.memo.get("others")
    if found is None:
        found = subject.memo["others"] = Others(subject)
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
    records = ran.made
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
    return Helper(shown_name(name), filename, first, end, "\n".join(text.lines[first - 1 : end]), around)


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
