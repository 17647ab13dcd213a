"""``for`` and ``while``: their bodies become functions that assign the variables around them.

for i in tf.range(n):        def loop_2(i):
    s += i                       nonlocal s
                                 s += i
                             ag.for_stmt(tf.range(n), loop_2, ('s',))
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from graphlab.autograph.converters.context import call, has_walrus, thunk
from graphlab.autograph.names import constant, load

if TYPE_CHECKING:
    from graphlab.autograph.converters.functions import Scope

_OPTIONS: Final = "set_loop_options"


def convert_for(node: Any, scope: Scope) -> list[ast.stmt]:
    """The statements for a ``for`` loop."""
    fresh = scope.function.around.fresh
    iterable = scope.expression(node.iter)
    block, options = _take_options(node.body, scope)
    found = scope.effects([*block, node.target])
    local = _local(node, found.writes, scope)
    name = fresh.function("loop", node.lineno)
    target = node.target
    keywords: dict[str, ast.expr | None] = {}
    if isinstance(target, ast.Name) and target.id in local:
        item = target.id
    else:
        item = fresh.variable("item")
        block = [ast.copy_location(ast.Assign([target], load(item, target), lineno=0), target), *block]
        if isinstance(target, ast.Name):
            keywords["target"] = constant(target.id, target)
    body = scope.body(name, block, local | {item}, at=node, parameter=item)
    state = _state(node, found, scope)
    arguments = [iterable, load(name, node), scope.names(state, node)]
    if node.until is not None:
        keywords["until"] = constant(node.until, node)
    statement = ast.Expr(call("for_stmt", arguments, node, **keywords, options=options))
    return scope.headed([body, ast.copy_location(statement, node)], node, node.iter)


def convert_while(node: Any, scope: Scope) -> list[ast.stmt]:
    """The statements for a ``while`` loop."""
    fresh = scope.function.around.fresh
    block, options = _take_options(node.body, scope)
    found = scope.effects([*block, node.test])
    local = _local(node, found.writes, scope)
    name = fresh.function("loop", node.lineno)
    out: list[ast.stmt] = []
    test: ast.expr
    if has_walrus(node.test):
        test_name = fresh.function("test", node.lineno)
        leave = ast.copy_location(ast.Return(node.test), node.test)
        out.append(scope.body(test_name, [leave], set(), at=node))
        test = load(test_name, node)
    else:
        test = thunk(scope.expression(node.test))
    out.append(scope.body(name, block, local, at=node))
    until = None if node.until is None else constant(node.until, node)
    arguments = [test, load(name, node), scope.names(_state(node, found, scope), node)]
    statement = ast.Expr(call("while_stmt", arguments, node, until=until, options=options))
    return scope.headed([*out, ast.copy_location(statement, node)], node, node.test)


def _local(node: Any, writes: set[str], scope: Scope) -> set[str]:
    function = scope.function
    dead: set[str] = writes - node.live_out - node.live_head - function.captured - function.nonlocals
    return dead


def _state(node: Any, found: Any, scope: Scope) -> list[str]:
    """The state: what is wanted after the loop, then what only iterations want, each sorted as TensorFlow does."""
    function = scope.function
    names = found.writes & (node.live_out | node.live_head | function.nonlocals)
    composites = {text for text, bases in found.composites.items() if bases <= node.live_head}
    after = node.live_out | function.nonlocals
    return sorted(names | composites, key=lambda n: (n in names and n not in after, n))


def _take_options(block: list[ast.stmt], scope: Scope) -> tuple[list[ast.stmt], ast.expr | None]:
    """Takes ``tf.autograph.experimental.set_loop_options(...)`` out of a loop's body.

    In ``shape_invariants=[(x, shape)]`` a variable is replaced by its name: what counts is the variable, not its value.
    """
    for index, statement in enumerate(block):
        value = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(value, ast.Call) or value.args or getattr(value.func, "attr", "") != _OPTIONS:
            if isinstance(value, ast.Call) and not value.args and getattr(value.func, "id", "") == _OPTIONS:
                pass
            else:
                continue
        for keyword in value.keywords:
            if keyword.arg == "shape_invariants" and isinstance(keyword.value, (ast.List, ast.Tuple)):
                for pair in keyword.value.elts:
                    if isinstance(pair, ast.Tuple) and len(pair.elts) == 2:
                        pair.elts[0] = constant(ast.unparse(pair.elts[0]), pair.elts[0])
        made = ast.copy_location(
            ast.Call(ast.copy_location(ast.Name("dict", ast.Load()), value), [], value.keywords), value
        )
        rest = block[:index] + block[index + 1 :]
        return rest or [ast.copy_location(ast.Pass(), statement)], thunk(scope.expression(made))
    return block, None
