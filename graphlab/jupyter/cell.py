"""The `%%tf_function` cell: an ordinary cell whose top-level functions become traced functions.

The first line is replaced by one call, and a decorator is put on each function of the cell's top level; nothing else
changes, so source, line numbers,
`await`, the last value, errors and Run All are those of an ordinary cell. A plain magic could not do that.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import re
from typing import Any, Final

from IPython.core.error import InputRejected

MARK: Final = "__graphlab_cell__"
DECORATOR: Final = "__graphlab_trace__"
SHOW: Final = "__graphlab_show__"
MAGIC: Final = "%%tf_function"

_LINE: Final = re.compile(r"%%tf_function(?![\w?])(.*)")
_GUESS: Final = re.compile(r"%%(?=tf_predict(?![\w?]))")


def magic_line(cell: str) -> str | None:
    """What follows `%%tf_function` on a cell's first line; None for another cell.

    >>> magic_line("%%tf_function --eager"), magic_line("%%tf_function?"), magic_line("x = 1")
    (' --eager', None, None)
    """
    found = _LINE.match(cell.lstrip("\n"))
    return None if found is None else found.group(1)


def transform(lines: list[str]) -> list[str]:
    r"""The input transformer: the magic's line becomes a line of Python. Called for completion too, it does no more.

    >>> transform(["%%tf_predict traces=2\n", "f(1)\n"])
    ['%tf_predict traces=2\n', 'f(1)\n']
    """
    if not lines:
        return lines
    found = _LINE.match(lines[0])
    if found is None:
        return [_GUESS.sub("%", lines[0], count=1), *lines[1:]]  # a guess is about its cell, which runs as any other
    return [f"{MARK}({found.group(1).strip()!r})\n", *lines[1:]]


def written(filename: str, line: str) -> None:
    """Lets tracebacks show the magic's line in place of the call that stands for it; as a comment, to stay Python."""
    entry = linecache.cache.get(filename)
    if entry is None or len(entry) == 1 or not entry[2] or not entry[2][0].startswith(f"{MARK}("):
        return
    size, time, lines, name = entry
    linecache.cache[filename] = size, time, [f"# {MAGIC}{' ' * bool(line)}{line}\n", *lines[1:]], name


class Decorate(ast.NodeTransformer):
    """The AST transformer: decorates the functions of a marked cell, and lets every `%tf_…` in any cell be seen."""

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Looks at the cell's own statements for functions, at all of them for magics."""
        try:
            if _marked(node):
                for statement in node.body[1:]:
                    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                        # A function's first line is where its outermost decorator stands.
                        at: ast.AST = statement.decorator_list[0] if statement.decorator_list else statement
                        name = ast.copy_location(ast.Name(DECORATOR, ast.Load()), at)
                        name.end_lineno, name.end_col_offset = name.lineno, name.col_offset
                        statement.decorator_list.insert(0, name)
            _show_magics(node)
        except Exception as error:
            # Any other exception would unregister the transformer for the rest of the session.
            raise InputRejected(str(error)) from error
        return node


def _show_magics(module: ast.Module) -> None:
    """Shows what a `%tf_…` on a line of its own gives; IPython itself shows only what a cell's last line gives."""
    last = module.body[-1] if module.body else None
    for node in ast.walk(module):
        if isinstance(node, ast.Expr) and node is not last and _is_magic(node.value):
            name = ast.copy_location(ast.Name(SHOW, ast.Load()), node.value)
            node.value = ast.copy_location(ast.Call(name, [node.value], []), node.value)


def _is_magic(value: ast.expr) -> bool:
    """Whether this is what IPython makes of a line `%tf_…`: `get_ipython().run_line_magic('tf_…', '…')`."""
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr == "run_line_magic"
        and bool(value.args)
        and isinstance(value.args[0], ast.Constant)
        and str(value.args[0].value).startswith("tf_")
    )


def _marked(node: ast.Module) -> bool:
    first = node.body[0] if node.body else None
    return (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Call)
        and isinstance(first.value.func, ast.Name)
        and first.value.func.id == MARK
    )


def kind_left_alone(function: Any) -> str | None:
    """`"coroutine"` or `"generator"` for a function that a graph cannot hold; None for one that can be traced."""
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return "coroutine"
    return "generator" if inspect.isgeneratorfunction(function) else None
