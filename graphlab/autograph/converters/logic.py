"""``and``, ``or``, ``not``, chained comparison, conditional expressions and ``assert``."""

from __future__ import annotations

import ast
from typing import Final

from graphlab.autograph.converters.context import Function, call, has_walrus, thunk
from graphlab.autograph.names import constant

_IDENTITY: Final = (ast.Is, ast.IsNot)
_PYTHON_TESTS: Final = frozenset({"isinstance", "issubclass", "callable", "hasattr"})


def is_python_bool(node: ast.expr, function: Function) -> bool:
    """True if an expression is a Python bool whatever happens: ``x is None``, ``isinstance(x, int)``."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Compare):
        return all(isinstance(op, _IDENTITY) for op in node.ops)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return is_python_bool(node.operand, function)
    if isinstance(node, ast.BoolOp):
        return all(is_python_bool(value, function) for value in node.values)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _PYTHON_TESTS:
        return isinstance(function.around.builtin(node.func.id, function), type(isinstance))
    return False


def convert_bool_op(node: ast.BoolOp, values: list[ast.expr], plain: list[bool]) -> ast.expr:
    """``a and b`` → ``ag.and_(a, lambda: b)``; as it is when every operand that is tested is a Python bool.

    Args:
      node: the original.
      values: the converted operands.
      plain: for each operand, whether it is certainly a Python bool.
    """
    if all(plain[:-1]) or any(has_walrus(v) for v in values[1:]):
        node.values = values
        return node
    name = "and_" if isinstance(node.op, ast.And) else "or_"
    return call(name, [values[0], *(thunk(v) for v in values[1:])], node)


def convert_not(node: ast.UnaryOp) -> ast.expr:
    """``not a`` → ``ag.not_(a)``."""
    return call("not_", [node.operand], node)


def convert_compare(node: ast.Compare, function: Function) -> ast.expr:
    """``a < b < c`` → ``ag.and_(a < b, lambda: b < c)``, with ``b`` evaluated once."""
    operands = [node.left, *node.comparators]
    if len(operands) == 2 or all(isinstance(op, _IDENTITY) for op in node.ops) or any(map(has_walrus, operands)):
        return node
    parts: list[ast.expr] = []
    left = operands[0]
    for index, (op, right) in enumerate(zip(node.ops, operands[1:], strict=True)):
        last = index == len(node.ops) - 1
        again = right
        if not last and not isinstance(right, (ast.Name, ast.Constant)):
            # The middle operand is kept in a variable of the lambda that holds the rest.
            return _with_middle(node, parts, left, index, function)
        parts.append(ast.copy_location(ast.Compare(left, [op], [right]), node))
        left = again
    return call("and_", [parts[0], *(thunk(p) for p in parts[1:])], node)


def _with_middle(node: ast.Compare, parts: list[ast.expr], left: ast.expr, index: int, function: Function) -> ast.expr:
    middle = node.comparators[index]
    name = function.around.fresh.variable("middle")
    argument = ast.copy_location(ast.arg(name), middle)
    first = ast.copy_location(ast.Compare(left, [node.ops[index]], [ast.copy_location(ast.Name(name), middle)]), node)
    rest = ast.copy_location(
        ast.Compare(ast.copy_location(ast.Name(name), middle), node.ops[index + 1 :], node.comparators[index + 1 :]),
        node,
    )
    tail = call("and_", [first, thunk(convert_compare(rest, function))], node)
    args = ast.arguments(posonlyargs=[], args=[argument], kwonlyargs=[], kw_defaults=[], defaults=[])
    # (lambda middle: ag.and_(left < middle, lambda: middle < right))(middle): `left` must come first, so it is a
    # variable too
    # unless evaluating it later makes no difference.
    if not isinstance(left, (ast.Name, ast.Constant)):
        first_name = function.around.fresh.variable("left")
        args.args.insert(0, ast.copy_location(ast.arg(first_name), left))
        first.left = ast.copy_location(ast.Name(first_name), left)
        given = [left, middle]
    else:
        given = [middle]
    for n in ast.walk(tail):
        if isinstance(n, ast.Name) and not hasattr(n, "ctx"):
            n.ctx = ast.Load()
    whole: ast.expr = ast.copy_location(ast.Call(ast.copy_location(ast.Lambda(args, tail), node), given, []), node)
    if parts:
        whole = call("and_", [parts[0], *(thunk(p) for p in [*parts[1:], whole])], node)
    return whole


def convert_if_exp(node: ast.IfExp, name: str) -> ast.expr:
    """``a if c else b`` → ``ag.if_exp(c, lambda: a, lambda: b, name)``; ``name`` is what messages call the value."""
    if has_walrus(node.body) or has_walrus(node.orelse):
        return node
    return call("if_exp", [node.test, thunk(node.body), thunk(node.orelse), constant(name, node)], node)


def convert_assert(node: ast.Assert) -> ast.stmt:
    """``assert test, message`` → ``ag.assert_stmt(test, lambda: message)``."""
    message = [] if node.msg is None else [thunk(node.msg)]
    return ast.copy_location(ast.Expr(call("assert_stmt", [node.test, *message], node)), node)
