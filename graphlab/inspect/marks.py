"""Which lines of a function ran while tracing, which run in its graph, and how often its Python effects ran."""

from __future__ import annotations

import ast
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from graphlab.autograph.effects import BUILTINS, CHANGES, is_effect, leads, statement_effect
from graphlab.inspect.subject import Subject
from graphlab.tracing.records import TraceRecord

_FUNCTIONS: Final = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_INNER: Final = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_COMPOUND: Final = ast.If | ast.For | ast.AsyncFor | ast.While | ast.With | ast.AsyncWith | ast.Try | ast.Match
_SURELY: Final = frozenset(
    ("append", "extend", "insert", "popleft", "appendleft", "discard", "setdefault", "sort", "reverse", "writelines")
)
"""Methods of containers that nothing made of tensors has."""
_ACTING: Final = re.compile(rf"\b(?:{'|'.join(sorted(CHANGES | BUILTINS))})\b")
_CONTAINERS: Final = ("list", "dict", "set", "object:collections.", "object:queue.", "object:_io.")


class Ran:
    """How often effects ran, and functions began, while the traces were made that a panel is about.

    Attributes:
        known: Whether it was watched: without, nobody knows for how many calls.
        records: The records of those traces, stopped ones included.
        made: The same; where nothing was traced, those of all traces, and where there are none, of the stopped ones.
        times: How often each effect ran, by file, line and column.
        began: How often each function began, by file and line, in the order in which they first did.
        blocks: How often each statement ran that leads others; where nothing was traced, when the traces were made.
        first: How often the first statements of each function ran, likewise.
        stops: The lines that errors left.
    """

    def __init__(self, subject: Subject) -> None:
        self.known = subject.watched and bool(subject.calls)
        self.records = [record for record in subject.traces if record.number in subject.new or not self.known]
        self.records += stopped(subject) if self.known else ()
        self.times: Counter[tuple[str, int, int]] = Counter()
        for filename, line, column, name, times in (place for record in self.records for place in record.ran):
            if not name:
                self.times[filename, line, column] += times
        self.made = self.records or subject.traces or list(subject.failures)
        self.blocks: Counter[tuple[str, int, int]] = Counter()
        self.first: Counter[tuple[str, int]] = Counter()
        for record in self.made:
            for filename, line, column, times in record.blocks:
                self.blocks[filename, line, column] += times
            for filename, line, _, name, times in record.ran:
                if name:
                    self.first[filename, line] += times
        self.began: Mapping[tuple[str, int], int] = self.first if self.records else {}
        self.stops = Counter(place for record in self.made for place in record.stopped)

    def counts(self, filename: str | None, first: int, last: int) -> bool:
        """Whether the effects of a function of these lines were counted: it ran, and was converted."""
        return any(name == filename and first <= line <= last for name, line in self.began)

    def on_line(self, filename: str | None, line: int, column: int | None = None) -> int | None:
        """How often the effect at a place ran, else the one of its line that ran most; None when none did."""
        if filename is None:
            return None
        if column is not None and (filename, line, column) in self.times:
            return self.times[filename, line, column]
        found = (times for (name, at, _), times in self.times.items() if name == filename and at == line)
        return max(found, default=None)


def stopped(subject: Subject) -> list[TraceRecord]:
    """The records of the traces that errors stopped in the calls that were watched."""
    count = sum(call.count for call in subject.calls if call.trace is None) if subject.failed is not None else 0
    return list(subject.failures)[max(0, len(subject.failures) - count) :] if count else []


@dataclass(frozen=True, slots=True)
class _Site:
    """An effect in the source. `always` is False where a condition or loop decides, `counted` where nothing counts."""

    line: int
    column: int
    name: str
    always: bool
    counted: bool


class Marks:
    """What became of each line of a piece of source.

    Attributes:
        trace: For each line that acts while tracing, what it acts on.
        graph: The lines that run in the graph.
        returns: Those that return, whatever happens before.
    """

    def __init__(
        self,
        source: str,
        first_line: int,
        in_graph: set[int],
        *,
        filename: str | None = None,
        ran: Ran | None = None,
        names: Mapping[str, str] | None = None,
        assumed: Callable[[int], int | None] | None = None,
    ) -> None:
        """Reads the source.

        Args:
            source: Of one function, lambda or method, decorators included.
            first_line: The number of its first line.
            in_graph: The lines of its file that have operations in the graph.
            filename: The file it stands in.
            ran: What was counted.
            names: What its outer names are, as far as it is known: `list`, `object:collections.deque`…
            assumed: How often a line ran that nothing decides about, where nothing was counted.
        """
        self.trace: dict[int, str] = {}
        self.graph: set[int] = set()
        self.returns: set[int] = set()
        self._inside, self._may_have_left = 0, False  # constructs around a statement; whether a return came before it
        self._sites: dict[int, list[_Site]] = {}
        self._in_graph, self._names, self._assumed = in_graph, names or {}, assumed
        self._filename, self._ran = filename, ran
        self._acts = _ACTING.search(source) is not None
        last = first_line + source.rstrip("\n").count("\n")
        self._counts = ran is not None and ran.counts(filename, first_line, last)
        self._times: dict[int, int] = {}
        self._led = ran is not None and any(name == filename and first_line <= at <= last for name, at in ran.first)
        text = textwrap.dedent(source)
        self._indent = len(source) - len(source.lstrip()) - (len(text) - len(text.lstrip()))
        try:
            tree = ast.parse(text)
        except SyntaxError:
            self.graph = set(in_graph)
            return
        function = next((node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)), None)
        if function is None:
            return
        self._offset = first_line - 1
        self._outside: set[str] = set()
        self._own: set[str] = set()
        if isinstance(function, ast.Lambda):
            self._own = _own_names(function, _own_nodes(function))
            self.graph = {line for line in in_graph if first_line <= line <= last}
            self._calls([function.body], counted=True)
            return
        self._function(function, always=True, counted=True)

    def mark(self, line: int) -> str | None:
        """`trace`, `graph`, `both`, or `never` for a line that did not run; None for one that has nothing to say."""
        times = self._times.get(line)
        if times == 0:
            return "never"
        in_graph = line in self.graph
        if line in self.trace:
            return "both" if in_graph else "trace"
        return "graph" if in_graph else "trace" if times else None

    def times(self, line: int) -> int | None:
        """How often the statement that begins at a line ran while tracing; None where that was not counted."""
        return self._times.get(line)

    def count(self, line: int) -> int | None:
        """How often what acts in a line ran while tracing; None where it is not known."""
        if self._ran is not None and not self._ran.known:
            return None
        found: list[int] = []
        for site in self._sites.get(line, ()):
            if self._counts and site.counted and self._ran is not None:
                found.append(self._ran.times.get((str(self._filename), site.line, site.column), 0))
            elif site.always and self._assumed is not None and (times := self._assumed(line)) is not None:
                found.append(times)
            elif self._ran is not None and (counted := self._ran.on_line(self._filename, line, site.column)):
                found.append(counted)
        return max(found, default=None)

    # ------------------------------------------------------------------------------------------------------ the source

    def _function(self, function: ast.FunctionDef | ast.AsyncFunctionDef, *, always: bool, counted: bool) -> None:
        before = self._outside, self._own
        left = self._may_have_left
        nodes = list(_own_nodes(function))
        declared = {name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
        self._outside = declared
        self._own = (before[1] | _own_names(function, nodes)) - declared
        pauses = any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Await) for node in nodes)
        counted = counted and isinstance(function, ast.FunctionDef) and not pauses
        times = None
        if counted and self._led and self._ran is not None:
            times = self._ran.first[str(self._filename), function.lineno + self._offset]
        self._block(function.body, always=always, counted=counted, times=times, inner=False)
        self._outside, self._own = before
        self._may_have_left = left  # whether an inner function returns is nothing to the one around it

    def _block(
        self,
        statements: Sequence[ast.stmt],
        *,
        always: bool,
        counted: bool,
        times: int | None = None,
        inner: bool = True,
    ) -> None:
        """Reads a block.

        Args:
            statements: The block's.
            always: Nothing decides about whether it runs.
            counted: Its effects were counted, if the function was converted.
            times: How often its first statement ran, for the body of a function; None: not known.
            inner: It stands inside a construct.
        """
        for statement, lead in leads(statements, inner=inner):
            if lead:
                times = self._ran_here(statement) if counted and self._led else None
            if times is not None:
                times = self._note(statement, times)
            if isinstance(statement, _COMPOUND):
                self._compound(statement, always=always, counted=counted)
            elif isinstance(statement, ast.ClassDef):
                self._block(statement.body, always=False, counted=False)
            elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                self._function(statement, always=False, counted=counted)
            else:
                self._simple(statement, always=always, counted=counted)

    def _ran_here(self, statement: ast.stmt) -> int:
        """How often a statement ran that leads others."""
        assert self._ran is not None
        place = str(self._filename), statement.lineno + self._offset, statement.col_offset + self._indent
        return self._ran.blocks[place]

    def _note(self, statement: ast.stmt, times: int) -> int:
        """Notes how often a statement ran; gives how often the next one of its block does, after what errors left."""
        assert self._ran is not None
        line = statement.lineno + self._offset
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not text and not isinstance(statement, ast.Pass | ast.Global | ast.Nonlocal):
            self._times[line] = max(times, self._times.get(line, 0))
        lines = range(line, (statement.end_lineno or statement.lineno) + self._offset + 1)
        return max(0, times - sum(self._ran.stops[str(self._filename), number] for number in lines))

    def _compound(self, statement: Any, *, always: bool, counted: bool) -> None:
        line = statement.lineno + self._offset
        body = getattr(statement, "body", None) or [case.body[0] for case in getattr(statement, "cases", ())]
        header = body[0].lineno + self._offset if body else line
        own = any(number in self._in_graph for number in range(line, max(header, line + 1)))
        if own:
            self.graph.add(line)
        parts = [getattr(statement, name, None) for name in ("test", "iter", "subject")]
        parts += [item.context_expr for item in getattr(statement, "items", ())]
        self._calls([part for part in parts if part is not None], counted=counted)
        plain = isinstance(statement, ast.With | ast.AsyncWith)
        inner = always and (own or plain)
        self._inside += not plain
        for name in ("body", "orelse", "finalbody"):
            block = getattr(statement, name, [])
            # A block that does nothing is not counted.
            nothing = all(isinstance(part, ast.Pass) for part in block)
            self._block(block, always=inner, counted=counted and not nothing)
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            self._block(part.body, always=False, counted=counted)
        self._inside -= not plain

    def _simple(self, statement: ast.stmt, *, always: bool, counted: bool) -> None:
        line = statement.lineno + self._offset
        last = (statement.end_lineno or statement.lineno) + self._offset
        lines = [number for number in range(line, last + 1) if number in self._in_graph]
        effect = self._effect(statement)
        if isinstance(statement, ast.Return):
            self.graph.add(line)
            if always and not self._inside and not self._may_have_left:
                self.returns.add(line)
            self._may_have_left = True
            self._calls([statement], counted=counted)
        elif effect is not None and self._tells(statement, effect, bool(lines)):
            self._add(_Site(line, statement.col_offset + self._indent, effect, always, counted))
            if lines and effect != "print":
                self.graph.add(line)
        else:
            self._calls([statement], counted=counted)
            if lines:
                self.graph.add(line)

    def _effect(self, statement: ast.stmt) -> str | None:
        if self._acts or not isinstance(statement, ast.Assign):
            return statement_effect(statement, self._outside)
        named = all(isinstance(target, ast.Name) and target.id not in self._outside for target in statement.targets)
        return None if named else statement_effect(statement, self._outside)

    def _tells(self, statement: ast.stmt, effect: str, in_graph: bool) -> bool:
        """Whether the effect of a statement is worth a mark.

        What is in the graph has one only if something outside of the function certainly changes; an item or attribute
        of the function's own values is not seen outside.
        """
        if effect == "print":
            return True
        if isinstance(statement, ast.Expr):
            return not in_graph or (isinstance(statement.value, ast.Call) and self._is_outer_change(statement.value))
        for call in _calls(statement):
            if ast.unparse(call.func) == effect:
                return self._is_outer_change(call)
        return not in_graph or effect in self._outside or self._is_outer(ast.parse(effect, mode="eval").body)

    def _is_outer_change(self, call: ast.Call) -> bool:
        """Whether a call certainly changes something that is not the function's own."""
        if isinstance(call.func, ast.Name):
            return call.func.id == "print" and "print" not in self._own
        if not (isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES):
            return False
        owner = call.func.value
        kind = self._names.get(ast.unparse(owner), "")
        if kind:
            return kind.startswith(_CONTAINERS)
        return self._is_outer(owner) and (call.func.attr in _SURELY or not self._has_operations(call))

    def _has_operations(self, call: ast.Call) -> bool:
        """Whether the line of a call has operations: then its owner may well be a TensorArray or a module."""
        first = call.lineno + self._offset
        return any(n in self._in_graph for n in range(first, (call.end_lineno or call.lineno) + self._offset + 1))

    def _is_outer(self, node: ast.AST) -> bool:
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
            node = node.value
        return isinstance(node, ast.Name) and node.id not in self._own

    def _calls(self, nodes: Iterable[ast.AST], *, counted: bool) -> None:
        """The calls inside of expressions that act: each has a mark on its own line."""
        for node in nodes if self._acts else ():
            for call in _calls(node):
                if self._is_outer_change(call):
                    line = call.lineno + self._offset
                    column = call.col_offset + self._indent
                    self._add(_Site(line, column, ast.unparse(call.func), False, counted))

    def _add(self, site: _Site) -> None:
        self.trace.setdefault(site.line, site.name)
        self._sites.setdefault(site.line, []).append(site)


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that act, those in lambdas and comprehensions included, those of inner functions not."""
    if isinstance(node, _INNER):
        return
    if isinstance(node, ast.Call) and is_effect(node):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _calls(child)


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function without those of the functions in it."""
    stack = list(ast.iter_child_nodes(function))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _INNER | ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))


def _own_names(function: Any, nodes: Iterable[ast.AST]) -> set[str]:
    """The names that are a function's own: parameters, but not the object of a method, and what it binds."""
    args = function.args
    given = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    own = {arg.arg for arg in given if arg is not None}
    first = (args.posonlyargs or args.args)[:1]
    own -= {arg.arg for arg in first if arg.arg in ("self", "cls")}
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            own.add(node.id)
    return own
