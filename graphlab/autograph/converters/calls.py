"""Calls: ``f(x)`` → ``ag.convert(f)(x)``, so that what is called is converted too, and the frames stay the user's.

Calls that can't need it stay: of modules whose functions are never converted (``tf.add(x, y)``), and of most builtins.
"""

from __future__ import annotations

import ast
from typing import Final

from graphlab.autograph.converters.context import MISSING, Function, call, operator
from graphlab.autograph.names import load

OVERRIDDEN: Final = frozenset(
    {
        *("abs", "all", "any", "bool", "enumerate", "filter", "float", "int", "len"),
        *("map", "max", "min", "next", "range", "sorted", "sum", "zip"),
    }
)
"""Builtins that mean something for symbolic tensors."""

SCOPED: Final = frozenset({"locals", "vars", "dir", "eval", "exec"})
"""Builtins that look at the variables of their caller."""

CALLBACKS: Final = frozenset({"map_fn"})
"""Functions of graphlab that convert the function they are given."""


def convert_call(node: ast.Call, function: Function) -> ast.expr:
    """Converts a call whose parts are converted already."""
    around = function.around
    target = node.func
    if isinstance(target, ast.Name):
        meaning = around.builtin(target.id, function)
        if meaning is not MISSING:
            if target.id in OVERRIDDEN:
                node.func = operator(target.id, target)
            elif target.id == "super" and not node.args and not node.keywords and function.first is not None:
                # In a body that became a function, super() would not find its arguments.
                node.args = [load("__class__", node), load(function.first, node)]
            elif target.id in SCOPED:
                _convert_scoped(node, target)
            return node
    elif isinstance(target, ast.Attribute) and around.frozen(target, function):
        if target.attr in CALLBACKS:
            _convert_callbacks(node)
        return node
    elif isinstance(target, (ast.Lambda, ast.Constant, ast.JoinedStr)) or (
        isinstance(target, ast.Attribute) and isinstance(target.value, (ast.Constant, ast.JoinedStr))
    ):
        return node  # a lambda written in place is converted with the code around it
    node.func = call("convert", [target], target)
    return node


def _convert_scoped(node: ast.Call, target: ast.Name) -> None:
    """``locals()`` → ``ag.locals()``, which looks at the variables of the whole function, not of a body made of it."""
    name = target.id
    wants = {"locals": 0, "vars": 0, "dir": 0, "eval": 1, "exec": 1}[name]
    if len(node.args) == wants and not node.keywords:
        node.func = operator(name, target)


def _convert_callbacks(node: ast.Call) -> None:
    if node.args and isinstance(node.args[0], (ast.Name, ast.Attribute)):
        node.args[0] = call("convert", [node.args[0]], node.args[0])
    for keyword in node.keywords:
        if keyword.arg == "fn" and isinstance(keyword.value, (ast.Name, ast.Attribute)):
            keyword.value = call("convert", [keyword.value], keyword.value)
