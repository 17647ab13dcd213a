"""The code that AutoGraph made, for reading, and which of its lines came from which of the user's."""

from __future__ import annotations

import ast
import linecache
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any

from graphlab.autograph import conversion
from graphlab.autograph.converters.context import COUNTS
from graphlab.autograph.names import MARK
from graphlab.autograph.parsing import NoSourceError, Source, find_source, locate
from graphlab.core.syntax import parse


@dataclass(frozen=True)
class CodeListing:
    """A function's source beside the code that AutoGraph made of it.

    Attributes:
      source_lines: the user's lines, from the first decorator to the end.
      generated_lines: the generated code, line by line; empty if the function is not converted.
      pairs: ``(line in the file, line of the generated code, from 1)`` of lines that belong together.
      first_line: the file's line number of the first source line.
      filename: the file.
    """

    source_lines: tuple[str, ...]
    generated_lines: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    first_line: int
    filename: str

    @property
    def source(self) -> str:
        """The user's lines as one text."""
        return "".join(line if line.endswith("\n") else line + "\n" for line in self.source_lines)

    @property
    def generated(self) -> str:
        """The generated code as one text."""
        return "".join(f"{line}\n" for line in self.generated_lines)

    @property
    def lines(self) -> tuple[tuple[int, int], ...]:
        """As ``pairs``."""
        return self.pairs


def plain_function(function: Any) -> FunctionType:
    """The Python function behind a callable.

    Raises:
      TypeError: there is none.
    """
    seen = 0
    while not isinstance(function, FunctionType) and seen < 20:
        seen += 1
        if isinstance(function, MethodType):
            function = function.__func__
        elif hasattr(function, "python_function"):
            function = function.python_function
        elif hasattr(function, "func") and callable(function.func):
            function = function.func
        elif isinstance(getattr(type(function), "__call__", None), FunctionType):  # noqa: B004
            function = type(function).__call__
        else:
            break
    if not isinstance(function, FunctionType):
        raise TypeError(f"There is no Python function behind {function!r}: it has no code to show.")
    return function


def code_listing(function: Any) -> CodeListing:
    """The source of a function and what AutoGraph made of it.

    Args:
      function: a function, method, partial, callable object or ``tf.function``.

    Raises:
      TypeError: there is no Python function behind it.

    >>> def f(x):
    ...     return x + 1
    >>> code_listing(f).source_lines[-1].strip()
    'return x + 1'
    """
    python = plain_function(function)
    code = python.__code__
    try:
        ours = conversion.owner(code) is not None
        source = locate(code) if ours or _settled(python) else find_source(code)
    except NoSourceError:
        return CodeListing((), (), (), code.co_firstlineno, code.co_filename)
    if not ours and conversion.conversion_of(python).code is None:
        return CodeListing(source.lines, (), (), source.first_line, source.filename)
    tree, _ = conversion.converted_tree(python, source)
    generated, pairs = render(tree, source)
    return CodeListing(source.lines, tuple(generated), tuple(pairs), source.first_line, source.filename)


def _settled(python: FunctionType) -> bool:
    """Whether a function's source was compared with its code when converted, and cannot change since: a cell's."""
    entry = linecache.cache.get(python.__code__.co_filename)
    unchanging = entry is not None and len(entry) > 1 and entry[1] is None
    return unchanging and conversion.conversion_of(python).code is not None


def render(tree: Any, source: Source) -> tuple[list[str], list[tuple[int, int]]]:
    """The text of a converted tree, and its pairs of lines."""
    tree = _Shown().visit(tree)
    if not isinstance(tree, ast.Lambda):
        tree.decorator_list = []
    text = ast.unparse(ast.fix_missing_locations(tree)).replace(MARK, "")
    lines = [line for line in text.split("\n") if line.strip()]
    text = "\n".join(lines)
    pairs: set[tuple[int, int]] = set()
    # The text, parsed again, has the same nodes in the same order, which joins their lines.
    again: Any = parse(text).body[0]
    if isinstance(tree, ast.Lambda):
        again = again.value
    _join(tree, again, pairs, None)
    last = source.first_line + len(source.lines) - 1
    return lines, sorted(p for p in pairs if source.first_line <= p[0] <= last)


class _Shown(ast.NodeTransformer):
    """Leaves out what only counts."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        first = node.body[0]
        self.generic_visit(node)
        node.body = node.body or [ast.copy_location(ast.Pass(), first)]
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if hasattr(node, COUNTS) else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return node.args[0] if hasattr(node, COUNTS) else node


def _join(made: Any, parsed: Any, pairs: set[tuple[int, int]], before: int | None) -> None:
    is_place = isinstance(made, (ast.AnnAssign, ast.Nonlocal, ast.Global))  # not of the user's lines
    if (isinstance(made, ast.stmt) and not is_place) or (isinstance(made, ast.Lambda) and before is None):
        pairs.add((made.lineno, parsed.lineno))
        before = made.lineno
    for a, b in zip(ast.iter_child_nodes(made), ast.iter_child_nodes(parsed), strict=False):
        if type(a) is type(b):
            _join(a, b, pairs, before)
