"""Names: those a function uses, and fresh ones for what AutoGraph adds.

Names that AutoGraph adds to a function's variables end in a middle dot, which no one types: they can't meet a name of
the
user's, and everything that shows names to people can leave the dot, or the whole name, out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from types import CodeType
from typing import Final

MARK: Final = "·"
AG: Final = "ag" + MARK
"""The free variable through which a converted function reaches the run-time operators."""


def is_internal(name: str) -> bool:
    """True for a variable that AutoGraph added."""
    return name.endswith(MARK)


def used_names(code: CodeType) -> set[str]:
    """Every identifier of a function: its variables, globals and attributes, and those of functions nested in it."""
    found = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    for const in code.co_consts:
        if isinstance(const, CodeType):
            found |= used_names(const)
    return found


class Fresh:
    """Gives names that look as if they were written by hand, and are used nowhere in the function."""

    def __init__(self, used: Iterable[str]) -> None:
        self._used = set(used)

    def variable(self, base: str) -> str:
        """A name for a variable that AutoGraph adds: ``break_6``, with the mark."""
        return self._take(base) + MARK

    def function(self, kind: str, line: int) -> str:
        """A name for the body of a construct: ``loop_6``.  Bodies on one line may share one: each is used at once."""
        name = f"{kind}_{line}"
        while name in self._used:
            name += "_"
        return name

    def _take(self, base: str) -> str:
        while base in self._used:
            base += "_"
        self._used.add(base)
        return base


def load(name: str, at: ast.AST) -> ast.Name:
    """The variable, read, at another node's place."""
    return ast.copy_location(ast.Name(name, ast.Load()), at)


def store(name: str, at: ast.AST) -> ast.Name:
    """The variable as an assignment's target, at another node's place."""
    return ast.copy_location(ast.Name(name, ast.Store()), at)


def assign(name: str, value: ast.expr, at: ast.AST) -> ast.Assign:
    """``name = value`` at another node's place."""
    return ast.copy_location(ast.Assign(targets=[store(name, at)], value=value, lineno=0), at)


def constant(value: object, at: ast.AST) -> ast.Constant:
    """A literal at another node's place."""
    return ast.copy_location(ast.Constant(value), at)  # type: ignore[arg-type]
