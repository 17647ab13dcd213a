"""Python effects: the statements and calls of a function that act when its Python code runs, which is while tracing.

What is found here by the text alone is counted while tracing: converted code notes each effect that it comes by
(``operators.counting``), so that views can say how often an ``append`` really ran.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

CHANGES: Final = frozenset(
    (
        "append", "extend", "insert", "add", "update", "pop", "popleft", "appendleft", "remove", "discard", "clear",
        "setdefault", "put", "write", "writelines", "sort", "reverse", "send",
    )
)  # fmt: skip
"""Methods that change a Python container."""

BUILTINS: Final = frozenset(("print", "input", "open", "setattr", "delattr"))
"""Builtins that act."""

_STATEMENTS: Final = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)
_INNER: Final = (
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
)

Place = tuple[str, int, int, str]
"""File, line and column of an effect, with an empty text; of a function that began, with its name; of the first
statement of others that run together, with ``BLOCK``."""

BLOCK: Final = "<block>"

_COMPOUND: Final = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)


def statement_effect(node: ast.stmt, outside: Collection[str]) -> str | None:
    """What a simple statement acts on, as text; None if it has no effect, or is not simple.

    A call that stands alone is one, whatever it calls; so are assignments to attributes, items and outer names.

    Args:
      node: the statement.
      outside: the names that its function declares ``global`` or ``nonlocal``.

    >>> statement_effect(ast.parse("log.append(x)").body[0], ())
    'log.append'
    >>> statement_effect(ast.parse("y = x + 1").body[0], ())
    """
    if not isinstance(node, _STATEMENTS):
        return None
    if isinstance(node, ast.Expr):
        return ast.unparse(node.value.func) if isinstance(node.value, ast.Call) else None
    for target in _targets(node):
        if isinstance(target, (ast.Attribute, ast.Subscript)) or (
            isinstance(target, ast.Name) and target.id in outside
        ):
            return ast.unparse(target)
    value = getattr(node, "value", None)
    found = None if value is None else next(calls_in(value), None)
    return None if found is None else ast.unparse(found.func)


def leads(block: Sequence[ast.stmt], *, inner: bool = True) -> Iterator[tuple[ast.stmt, bool]]:
    r"""The statements of a block, each with whether it may run another number of times than the one before it.

    Such a one is the first of a block inside a construct, and one that follows a construct, which may have left it.

    Args:
      block: the statements.
      inner: False for the body of a function, whose first statement runs whenever the function begins.

    >>> block = ast.parse("a = 1\nif a:\n    b = 2\nc = 3").body
    >>> [lead for _, lead in leads(block, inner=False)], [lead for _, lead in leads(block[1].body)]
    ([False, False, True], [True])
    """
    lead = inner
    for statement in block:
        yield statement, lead
        lead = isinstance(statement, _COMPOUND)


def blocks_of(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a construct; none of a simple statement, of a function or of a class."""
    if isinstance(node, _COMPOUND):
        parts = [node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())]
        fields = ("body", "orelse", "finalbody")
        yield from (block for part in parts for field in fields if (block := getattr(part, field, None)))


def count_blocks(block: list[ast.stmt], make: Callable[[ast.stmt], ast.stmt], *, inner: bool = False) -> None:
    """Puts what counts it, as ``make`` makes it, before each statement that leads others; in place."""
    if inner and all(isinstance(statement, ast.Pass) for statement in block):
        return
    out = []
    for statement, lead in leads(block, inner=inner):
        out += [make(statement), statement] if lead else [statement]
        for part in blocks_of(statement):
            count_blocks(part, make, inner=True)
    block[:] = out


def _targets(node: ast.stmt) -> Iterator[ast.expr]:
    given = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [getattr(node, "target", None)]
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return  # it runs nothing
    stack = [target for target in given if target is not None]
    while stack:
        target = stack.pop(0)
        if isinstance(target, (ast.Tuple, ast.List)):
            stack = [*target.elts, *stack]
        elif isinstance(target, ast.Starred):
            stack.insert(0, target.value)
        else:
            yield target


def is_effect(call: ast.Call) -> bool:
    """True for calls that act wherever they stand: of a method that changes a container, of ``print`` and its kin."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in CHANGES
    return isinstance(call.func, ast.Name) and call.func.id in BUILTINS


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    """The calls of an expression that act, in order; what stands in functions and comprehensions is left out."""
    if isinstance(node, _INNER):
        return
    for child in ast.iter_child_nodes(node):
        yield from calls_in(child)
    if isinstance(node, ast.Call) and is_effect(node):
        yield node
