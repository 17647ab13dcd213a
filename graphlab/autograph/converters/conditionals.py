"""``if``: its branches become functions that assign the variables around them.

if x > 0:                    def true_2():
    y = x                        nonlocal y
else:                            y = x
    y = -x                   def else_4():
                                 nonlocal y
                                 y = -x
                             ag.if_stmt(x > 0, true_2, else_4, ('y',))
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from graphlab.autograph.converters.context import call
from graphlab.autograph.names import constant, load

if TYPE_CHECKING:
    from graphlab.autograph.converters.functions import Scope


def convert_if(node: Any, scope: Scope) -> list[ast.stmt]:
    """The statements for an ``if``."""
    function, fresh = scope.function, scope.function.around.fresh
    test = scope.expression(node.test)
    gives_value = getattr(node, "gives_value", False)
    keep = node.live_out
    out: list[ast.stmt] = []
    branches: list[ast.expr] = []
    writes: set[str] = set()
    composites: dict[str, frozenset[str]] = {}
    for kind, block, live in (("true", node.body, node.live_body), ("else", node.orelse, node.live_else)):
        if not block or (kind == "else" and all(isinstance(s, ast.Pass) for s in block)):
            branches.append(constant(None, node))
            continue
        name = fresh.function(kind, block[0].lineno)
        found = scope.effects(block)
        writes |= found.writes
        composites |= {text: bases for text, bases in found.composites.items() if bases <= live}
        local = found.writes - keep - live - function.captured - function.nonlocals
        out.append(scope.body(name, block, local, at=node))
        branches.append(load(name, node))
    if branches[1:] and isinstance(branches[-1], ast.Constant):
        branches.pop()
    state = sorted((writes & (function.nonlocals if gives_value else keep | function.nonlocals)) | composites.keys())
    arguments = [test, *branches]
    if state:
        if len(branches) == 1:
            arguments.append(constant(None, node))
        arguments.append(scope.names(state, node))
    statement: ast.stmt
    if gives_value:
        statement = ast.Return(call("if_stmt", arguments, node))
    else:
        statement = ast.Expr(call("if_stmt", arguments, node))
    out.append(ast.copy_location(statement, node))
    return scope.headed(out, node, node.test)
