"""A piece of code as the rules read it: its tree, what its names are, which expressions are tensors, its records."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from graphlab.core.position import is_internal
from graphlab.inspect.advice.expressions import Expressions, Given
from graphlab.inspect.advice.source import Function
from graphlab.inspect.helpers import Others, others
from graphlab.inspect.marks import Marks
from graphlab.inspect.subject import Subject
from graphlab.messages import Message, message


class Unit(Expressions):
    """What a rule looks at.

    Attributes:
        lines: The source's lines by number.
        alias: The name that graphlab has in it.
        differed: Whether its output was seen to differ: then a print of facts of the trace is a finding too.
        helper: The function's name, when it ran inside of a traced one, with that one's records.
        marks: What became of its lines, when it is such a one.
        written: What it and the functions that ran with it assign: dotted names.
    """

    differed = False
    helper: str | None = None
    written: frozenset[str | None] = frozenset()

    def __init__(
        self,
        tree: Function | ast.Module,
        lines: Mapping[int, str],
        names: Mapping[str, str],
        *,
        traced: bool,
        subject: Subject | None = None,
        given: Given | None = None,
    ) -> None:
        super().__init__(tree, names, traced=traced, subject=subject, given=given)
        self.lines = lines
        self.alias = subject.alias if subject is not None else alias_in(names) or "tf"
        self.others: Others | None = None
        self.marks: Marks | None = None

    @property
    def sound(self) -> bool:
        """True when it was traced, and no trace of it was stopped by an error."""
        subject = self.subject
        return subject is not None and bool(subject.traces) and not subject.failures

    # ------------------------------------------------------------------------------------------------------------- text

    def line(self, node: Any) -> str:
        """The first source line of a node, stripped."""
        return self.lines.get(node.lineno, "").strip()

    def text(self, node: ast.AST) -> str:
        """The source of an expression on one line."""
        return ast.unparse(node)

    def rewritten(self, node: Any, new: str) -> str:
        """The line of a node with the node's text replaced; a node of several lines becomes one."""
        first, last = node.lineno, node.end_lineno or node.lineno
        head = self.lines.get(first, "").encode()[: node.col_offset].decode(errors="replace")
        tail = self.lines.get(last, "").encode()[node.end_col_offset :].decode(errors="replace")
        return (head + new + tail).strip()

    # --------------------------------------------------------------------------------------------------------- evidence

    @property
    def seen(self) -> Others:
        """What was counted while tracing, and which lines have operations."""
        assert self.subject is not None
        return self.others if self.others is not None else others(self.subject)

    def ran(self, node: ast.AST) -> Message | None:
        """How often a statement that runs while tracing ran, when the records tell it."""
        subject = self.subject
        if subject is None or not subject.traces:
            return None
        counted = self.seen.ran
        times = counted.on_line(subject.filename, node.lineno, node.col_offset)  # type: ignore[attr-defined]
        if times is None and self.marks is not None:
            if (times := self.marks.times(self.statement_line(node))) is None:
                return None
        elif times is None:
            if any(True for _ in self.around(node, ast.If, ast.For, ast.While, ast.Try, ast.IfExp)):
                return None
            times = len(subject.new) if counted.known else len(subject.traces)
        if counted.known:
            return message(
                "advice.evidence.times",
                times=message("count.times", n=times),
                calls=message("count.for_calls", n=subject.call_count),
            )
        return message("advice.evidence.traces", times=message("count.times", n=times))

    def outer(self, node: ast.AST) -> str | None:
        """The outer name that an expression starts at; None when the function, or one around it, made it itself."""
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        return node.id if isinstance(node, ast.Name) and node.id not in self._own() else None

    def _own(self) -> set[str]:
        """The names of what the function, or one around it, made itself."""
        own = self.locals() | self.enclosing
        given = self.given
        if given is not None:
            own -= set(given.outer)
        if given is None or not given.inside:
            own -= {arg.arg for arg in self.parameters[:1] if arg.arg in ("self", "cls")}
        return own

    def statement_line(self, node: ast.AST) -> int:
        """The line where the statement begins that a node stands in."""
        while not isinstance(node, ast.stmt) and node in self.parents:
            node = self.parents[node]
        return getattr(node, "lineno", 0)


def alias_in(names: Mapping[str, str]) -> str | None:
    """The name that graphlab has among others; None when it has none."""
    found = [name for name, kind in names.items() if kind == "module:graphlab"]
    return "tf" if "tf" in found else found[0] if found else None


def unit_of(subject: Subject) -> Unit | None:
    """The unit of a traced function; None when its source is not at hand, does not stand alone, or is graphlab's."""
    if subject.filename is not None and is_internal(subject.filename):
        return None
    if not subject.source or subject.line is None:
        return None
    tree = placed(subject.source, subject.line)
    if tree is None:
        return None
    lines = dict(enumerate(subject.source.split("\n"), subject.line))
    found: Function | None = None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == subject.own_name:
            found = node
            break
        if isinstance(node, ast.Lambda) and _fits(node, subject):
            found = node
            break
    return None if found is None else Unit(found, lines, subject.names, traced=True, subject=subject)


def placed(source: str, line: int) -> ast.Module | None:
    """The tree of a source as it stands in its file: with the file's lines and columns."""
    text = textwrap.dedent(source)
    indent = len(source) - len(source.lstrip()) - (len(text) - len(text.lstrip()))
    tree = parsed(text)
    if tree is None:
        return None
    ast.increment_lineno(tree, line - 1)
    for node in ast.walk(tree) if indent else ():
        if hasattr(node, "col_offset"):
            node.col_offset += indent
            node.end_col_offset += indent  # type: ignore[attr-defined]
    return tree


def _fits(node: ast.Lambda, subject: Subject) -> bool:
    if "lambda" not in subject.name:
        return False
    names = [arg.arg for arg in [*node.args.posonlyargs, *node.args.args]]
    return names == list(subject.parameters)


def parsed(text: str) -> ast.Module | None:
    """Source that may begin in the middle of an expression, as that of a lambda does."""
    for attempt in (text, f"({text.strip()})", text.strip().rstrip(",").rstrip(")"), f"{text.rstrip()}\n    pass"):
        try:
            return ast.parse(attempt)
        except (SyntaxError, ValueError):
            continue
    return None


def without_magics(text: str) -> str:
    """A cell's text as Python: lines that begin with `%` or `!` are empty."""
    return "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in text.split("\n"))


def module_units(text: str, subjects: Sequence[Subject] = (), outer: Mapping[str, str] | None = None) -> list[Unit]:
    """The units of a source text: each function that it traces, and the whole, for the rules that hold anywhere."""
    text = without_magics(text)
    tree = parsed(text)
    if tree is None:
        return []
    lines = dict(enumerate(text.split("\n"), 1))
    names = {**(outer or {}), **module_names(tree, outer or {})}
    known = {subject.def_line or subject.line for subject in subjects}
    units = [Unit(tree, lines, names, traced=False)]
    whole = units[0]
    wrapped: set[str] = set()
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and whole.tf(call) == "function":
            for arg in call.args[:1]:
                if isinstance(arg, ast.Name):
                    wrapped.add(arg.id)
                elif isinstance(arg, ast.Lambda) and arg.lineno not in known:
                    units.append(Unit(arg, lines, names, traced=True))
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef) or node.lineno in known:
            continue
        if node.name in wrapped or any(_is_function(whole, decorator) for decorator in node.decorator_list):
            units.append(Unit(node, lines, names, traced=True))
    return units


def _is_function(unit: Unit, decorator: ast.expr) -> bool:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return unit.full(target) == "graphlab.function"


def module_names(tree: ast.Module, outer: Mapping[str, str]) -> dict[str, str]:
    """What the names of a module are, as far as its text tells."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                found[item.asname or item.name.partition(".")[0]] = f"module:{item.name}"
        elif isinstance(node, ast.ImportFrom) and node.module:
            for item in node.names:
                found[item.asname or item.name] = f"function:{node.module}.{item.name}"
    unit = _Kinds(found, outer)
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    unit.note(target.id, statement.value)
                elif isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                    for part, value in zip(target.elts, statement.value.elts, strict=False):
                        if isinstance(part, ast.Name):
                            unit.note(part.id, value)
        elif isinstance(statement, ast.FunctionDef):
            generator = any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(statement))
            found[statement.name] = "generator" if generator else f"function:__main__.{statement.name}"
    return found


class _Kinds:
    def __init__(self, names: dict[str, str], outer: Mapping[str, str]) -> None:
        self.names, self.outer = names, outer

    def note(self, name: str, value: ast.expr) -> None:
        kinds = {ast.List: "list", ast.Dict: "dict", ast.Set: "set", ast.ListComp: "list"}
        kind = kinds.get(type(value))
        if isinstance(value, ast.Constant) and isinstance(value.value, int | float):
            kind = "number"
        elif isinstance(value, ast.Call):
            unit = Unit(ast.Module([], []), {}, {**self.outer, **self.names}, traced=False)
            called = unit.tf(value)
            if called in ("Variable", "constant"):
                kind = f"{'variable' if called == 'Variable' else 'tensor'}:{unit.dtype(value) or ''}"
            elif isinstance(value.func, ast.Name) and value.func.id in ("list", "dict", "set"):
                kind = value.func.id
        if kind is not None:
            self.names[name] = kind
