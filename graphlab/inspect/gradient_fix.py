"""What to write instead of a line that cuts a gradient: the user's own line, with the one call in it exchanged."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from graphlab.inspect.gradient_source import is_call_of

_SMOOTH: Final = frozenset(("argmax", "argmin", "argsort"))
_LEAVING: Final = frozenset(("numpy", "item", "tolist"))
_PYTHON: Final = frozenset(("float", "int", "bool", "complex"))
_CASTS: Final = frozenset(("cast", "saturate_cast"))


def own_line(kind: str, code: str, op: str = "", tape: str = "tape") -> str | None:
    """The line (or expression) ``code`` as it lets a gradient through; None if no rule says how.

    Args:
      kind: why it does not: the last part of a message's id, such as ``stopped``.
      code: a line or an expression of the user's program.
      op: the type of the operation that cuts, or the name of its function.
      tape: the name of the tape.

    >>> own_line("stopped", "b = tf.stop_gradient(a) * 2")
    'b = a * 2'
    >>> own_line("to_integer", "n = tf.cast(x, tf.int32)")
    'n = tf.cast(x, tf.float32)'
    """
    tree = _parsed(code)
    if tree is None:
        return None
    if kind in ("outside", "paused"):
        return f"with tf.GradientTape() as {tape}: {ast.unparse(tree)}"
    if kind == "assigned":
        return _value_of_assignment(tree)
    rule = _RULES.get(kind)
    if rule is None:
        return None
    change = _Change(rule, op)
    changed = change.visit(tree)
    return ast.unparse(changed) if change.done else None


def _parsed(code: str) -> Any:
    for text in (code, f"{code} pass", f"{code}\n    pass"):
        try:
            found = ast.parse(text).body
        except SyntaxError:
            continue
        return found[0] if len(found) == 1 and text == code else None
    return None


def _value_of_assignment(tree: Any) -> str | None:
    """``w.assign(x)`` hands nothing on; what is assigned does."""
    call = tree.value if isinstance(tree, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not call.args:
        return None
    name, value = ast.unparse(call.func.value), ast.unparse(call.args[0])
    sign = {"assign_add": f"{name} + ", "assign_sub": f"{name} - "}.get(call.func.attr, "")
    if sign and isinstance(call.args[0], (ast.BinOp, ast.IfExp, ast.Compare, ast.BoolOp)):
        value = f"({value})"
    return f"{ast.unparse(call.func.value).rpartition('.')[2]}_now = {sign}{value}"


Rule = Callable[[ast.expr, str, str], str | None]


class _Change(ast.NodeTransformer):
    """Exchanges the first expression that a rule knows."""

    def __init__(self, rule: Rule, op: str) -> None:
        self.rule, self.op, self.done = rule, op.rpartition(".")[2].replace("_", "").lower(), False

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if not self.done and isinstance(node, ast.expr):
            text = self.rule(node, _called(node), self.op)
            if text is not None:
                self.done = True
                return ast.parse(text, mode="eval").body
        return super().generic_visit(node)


def _called(node: ast.expr) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _root(node: Any) -> str:
    """The module that a call names: ``tf`` of ``tf.math.argmax(x)``."""
    node = node.func
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else "tf"


def _arguments(node: Any) -> list[str]:
    return [ast.unparse(argument) for argument in node.args]


def _stopped(node: Any, name: str, _op: str) -> str | None:
    return _arguments(node)[0] if name in ("stop_gradient", "prevent_gradient") and node.args else None


def _to_integer(node: Any, name: str, _op: str) -> str | None:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
        if isinstance(node.ops[0], (ast.Lt, ast.LtE)):
            left, right = right, left
        elif not isinstance(node.ops[0], (ast.Gt, ast.GtE)):
            return None
        return f"tf.sigmoid({left} - {right})"
    if name in _SMOOTH and node.args:
        return f"{_root(node)}.nn.softmax({_arguments(node)[0]})"
    if name in _CASTS and len(node.args) > 1:
        dtype = _arguments(node)[1].rpartition(".")[2].strip("'\"")
        if dtype.startswith(("int", "uint", "bool")):
            return f"{_root(node)}.{name}({_arguments(node)[0]}, {_root(node)}.float32)"
    return None


def _flat(node: Any, name: str, op: str) -> str | None:
    if not name or not node.args or name.replace("_", "").lower() not in (op, f"math{op}"):
        return None
    x = _arguments(node)[0]
    return f"{x} + {_root(node)}.stop_gradient({ast.unparse(node)} - {x})" if x.isidentifier() else None


def _copied(node: Any, name: str, _op: str) -> str | None:
    return f"{_root(node)}.identity({_arguments(node)[0]})" if name in ("constant", "Variable") and node.args else None


def _python(node: Any, name: str, _op: str) -> str | None:
    return f"{_root(node)}.py_function({', '.join(_arguments(node))})" if name == "numpy_function" else None


def _left(node: Any, name: str, _op: str) -> str | None:
    if name in _LEAVING and isinstance(node.func, ast.Attribute):
        return ast.unparse(node.func.value)
    if name in _PYTHON and isinstance(node.func, ast.Name) and node.args:
        return _arguments(node)[0]
    return None


def _custom(node: Any, _name: str, _op: str) -> str | None:
    return "dy * ..." if isinstance(node, ast.Constant) and node.value is None else None


def _missing(node: Any, name: str, op: str) -> str | None:
    """The call, with a gradient to be written around it, for the last of its arguments that is a name."""
    x = next((text for text in reversed(_arguments(node)) if text.isidentifier()), None) if name else None
    if x is None or not is_call_of(op, name):
        return None
    return f"{_root(node)}.custom_gradient(lambda {x}: ({ast.unparse(node)}, lambda dy: dy * ...))({x})"


_RULES: Final[dict[str, Rule]] = {
    "stopped": _stopped, "to_integer": _to_integer, "no_gradient": _flat, "copied": _copied, "python": _python,
    "left": _left, "missing": _missing, "custom": _custom,
}  # fmt: skip
