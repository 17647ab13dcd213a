"""What the user's source says about a place: the name of a value, a loop's header, the lines of a branch."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

Range = tuple[int, int, int, int]
"""Line, column, end line, end column of an expression, columns in bytes as code positions count them."""

MAX_TEXT: Final = 28


def shorten(text: str, limit: int = MAX_TEXT) -> str:
    """`text` on one line, cut with an ellipsis.

    >>> shorten("a +  b", 10), shorten("abcdefgh", 4)
    ('a + b', 'abc…')
    """
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def written(node: ast.AST) -> str:
    """The text of a node; an ellipsis for an expression of so many terms that Python cannot go down to its first.

    >>> written(ast.parse("a+b").body[0]), written(ast.parse("1" + "+1" * 2000).body[0])
    ('a + b', '…')
    """
    try:
        return ast.unparse(node)
    except RecursionError:
        return "…"


class Source:
    """The parsed text of one file (or cell)."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.assigned: dict[Range, str] = {}
        self.augmented: set[Range] = set()
        self.expressions: dict[Range, ast.expr] = {}
        self.branches: dict[int, tuple[int, int | None]] = {}
        self.loops: dict[int, ast.For | ast.While] = {}
        self.functions: dict[int, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        self.spans: list[tuple[int, int]] = []
        self.lambdas: list[tuple[int, int]] = []
        self._around: dict[tuple[int, bool], tuple[int, int] | None] = {}
        self._starts: dict[int, int] = {}
        self._returns: dict[ast.AST, int | None] = {}
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return
        for node in ast.walk(tree):
            self._note(node)

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt):
            # Of a loop or a branch only the head belongs to it, not the body.
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body and isinstance(body, list) else node.end_lineno or node.lineno
            for line in range(node.lineno + 1, end + 1):
                self._starts[line] = max(node.lineno, self._starts.get(line, 0))
        if isinstance(node, ast.Lambda):
            self.lambdas.append((node.lineno, node.end_lineno or node.lineno))
        if isinstance(node, ast.expr):
            self.expressions.setdefault(_range(node), node)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self.assigned[_range(node.value)] = node.targets[0].id
        elif (
            isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Tuple | ast.List)
        ):
            if isinstance(node.value, ast.Tuple | ast.List) and len(node.value.elts) == len(node.targets[0].elts):
                for target, value in zip(node.targets[0].elts, node.value.elts, strict=True):
                    if isinstance(target, ast.Name):
                        self.assigned[_range(value)] = target.id
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self.assigned[_range(node)] = node.target.id
            self.augmented.add(_range(node))
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr):
            if node.value is not None and isinstance(node.target, ast.Name):
                self.assigned[_range(node.value)] = node.target.id
        elif isinstance(node, ast.If):
            self.branches[node.lineno] = (node.body[0].lineno, node.orelse[0].lineno if node.orelse else None)
        elif isinstance(node, ast.IfExp):
            self.branches.setdefault(node.lineno, (node.body.lineno, node.orelse.lineno))
        elif isinstance(node, ast.For | ast.While):
            self.loops[node.lineno] = node
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for line in range(min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.lineno + 1):
                self.functions.setdefault(line, node)
            self.spans.append((node.lineno, node.end_lineno or node.lineno))

    def statement(self, line: int) -> int:
        """The line where the statement that a line belongs to starts."""
        return self._starts.get(line, line)

    def enclosing(self, line: int, function: str) -> tuple[int, int] | None:
        """The first and last line of the smallest function around a line; None outside of any.

        A lambda stands in a line of the function around it, so `function` tells which of the two is meant.
        """
        is_lambda = "lambda" in function
        key = line, is_lambda
        if key not in self._around:
            spans = [
                span
                for spans in ([self.spans, self.lambdas] if is_lambda else [self.spans])
                for span in spans
                if span[0] <= line <= span[1]
            ]
            self._around[key] = min(spans, key=lambda span: span[1] - span[0], default=None)
        return self._around[key]

    def header(self, line: int) -> str | None:
        """The header of the loop at a line, `for i in tf.range(steps)`; None when no loop starts there."""
        node = self.loops.get(line)
        if node is None:
            return None
        if isinstance(node, ast.While):
            return f"while {written(node.test)}"
        return f"for {written(node.target)} in {written(node.iter)}"

    def target(self, line: int) -> str | None:
        """The name a `for` at a line gives to its element; None when it is no plain name."""
        node = self.loops.get(line)
        return node.target.id if isinstance(node, ast.For) and isinstance(node.target, ast.Name) else None

    def leaving(self, line: int) -> str | None:
        """The statements that leave the loop at a line early: `break`, `return` or both; None without any."""
        node = self.loops.get(line)
        if node is None:
            return None
        kinds: set[str] = set()
        stack: list[tuple[ast.AST, bool]] = [(child, True) for child in node.body]
        while stack:
            current, own = stack.pop()
            if isinstance(current, ast.Return) or (isinstance(current, ast.Break) and own):
                kinds.add("return" if isinstance(current, ast.Return) else "break")
            if isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
                continue
            inner = isinstance(current, ast.For | ast.While)
            last = current.orelse if isinstance(current, ast.For | ast.While) else []
            stack += [(child, own and (not inner or child in last)) for child in ast.iter_child_nodes(current)]
        return " / ".join(sorted(kinds)) or None

    def returned(self, line: int) -> list[str] | None:
        """What the last `return` of the function at a line returns: the text of each element; None without one."""
        node = self.functions.get(line)
        if node is None:
            return None
        found: ast.Return | None = None
        stack: list[ast.AST] = list(reversed(node.body))
        while stack:
            current = stack.pop()
            if isinstance(current, ast.Return) and current.value is not None:
                found = current
            if not isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
                stack.extend(reversed(list(ast.iter_child_nodes(current))))
        if found is None or found.value is None:
            return None
        value = found.value
        if isinstance(value, ast.Tuple | ast.List):
            return [written(item) for item in value.elts]
        if isinstance(value, ast.Dict):
            return [written(key) if key else "**" for key in value.keys]
        return [written(value)]

    def return_line(self, line: int) -> int | None:
        """The line of the last `return` of the function at a line."""
        node = self.functions.get(line)
        if node is None:
            return None
        if node not in self._returns:
            lines = [child.lineno for child in _statements(node) if isinstance(child, ast.Return)]
            self._returns[node] = max(lines, default=None)
        return self._returns[node]


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements inside of one, without going through its expressions."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        for child in getattr(node, name, ()):
            if isinstance(child, ast.stmt):
                yield child
            yield from _statements(child)


def _range(node: ast.expr | ast.stmt) -> Range:
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0


def source(filename: str) -> Source:
    """The source of a file or cell, parsed once per text."""
    return _parsed("".join(linecache.getlines(filename)))


@lru_cache(maxsize=32)
def _parsed(text: str) -> Source:
    return Source(text)
