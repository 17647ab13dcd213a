"""Python effects: what runs while tracing only, though it looks as if it ran at each call."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from graphlab.autograph.effects import CHANGES
from graphlab.inspect.advice.finding import Finding, rule
from graphlab.inspect.advice.unit import Unit
from graphlab.messages import message

_KEPT: Final = frozenset(("append", "add", "insert", "appendleft", "setdefault", "put"))
_TRACES: Final = re.compile(r"(?i)(?<![a-z])(re)?trac(e|es|ed|ing)(?![a-z])|(?<![a-z])compil(e|es|ed|ing)(?![a-z])")
"""Words by which a program says that it looks at tracing itself: `traced.append(1)`, `print("Tracing with", x)`."""
_FACTS: Final = frozenset(
    ("shape", "dtype", "ndim", "name", "graph", "op", "rank", "_fields", "__name__", "__class__", "__qualname__")
)
"""Attributes that a tensor, a spec, a type or a structure has while tracing."""
_QUESTIONS: Final = frozenset(("type", "isinstance", "len", "repr", "hasattr", "callable", "issubclass"))
"""Builtins that answer by what is known while tracing."""
_CONTAINERS: Final = ("list", "dict", "set", "object:collections.", "object:queue.", "object:_io.")


def watches_tracing(unit: Unit, *args: ast.expr) -> bool:
    """Whether what is shown is a fixed text or facts of the trace, the same in each call that the trace serves."""
    parts = [part for arg in args for part in (arg.values if isinstance(arg, ast.JoinedStr) else [arg])]
    return all(isinstance(part, ast.Constant) or _is_fact(unit, part) for part in parts)


def _tells_traces(unit: Unit, owner: ast.AST) -> bool:
    """Whether a list, counter, attribute or item is called after traces: it is there to tell of them."""
    if isinstance(owner, ast.Subscript):
        key = owner.slice.value if isinstance(owner.slice, ast.Constant) else None
        return _tells_traces(unit, owner.value) or (isinstance(key, str) and _names_traces(key))
    return _names_traces((unit.dotted(owner) or "").rpartition(".")[2])


def _names_traces(name: str) -> bool:
    return _TRACES.search(name.replace("_", " ")) is not None


def _is_fact(unit: Unit, node: ast.expr) -> bool:
    """Whether an expression asks what is known while tracing: shapes, dtypes, names, types. Then tracing is meant."""
    parts = [node]
    while parts:
        part = parts.pop()
        if isinstance(part, ast.Attribute) and part.attr in _FACTS:
            return True
        if isinstance(part, ast.Call):
            if isinstance(part.func, ast.Name) and part.func.id in _QUESTIONS:
                return True
            if unit.tf(part) in ("is_tensor", "executing_eagerly", "inside_function", "get_static_value", "rank"):
                return True
        parts += [child for child in ast.iter_child_nodes(part) if isinstance(child, ast.expr)]
    return False


def _keeps_variables(unit: Unit, *args: ast.expr) -> bool:
    """`made.append(tf.Variable(...))` keeps a variable alive, which is made once."""
    return any(unit.tf(arg) in ("Variable", "Module") for arg in args)


def once(unit: Unit, node: ast.AST, target: ast.AST) -> bool:
    """Whether a condition asks for the target before it is changed: `if key not in table:`, `if not o.built:`."""
    text = ast.unparse(target)
    for outer in unit.around(node, ast.If):
        if not unit.is_tensor(outer.test) and any(
            ast.unparse(part) == text
            for part in ast.walk(outer.test)
            if isinstance(part, ast.Name | ast.Attribute | ast.Subscript)
        ):
            return True
    return any(True for _ in unit.around(node, ast.ExceptHandler))


@rule("effect.print")
def prints(unit: Unit) -> Iterator[Finding]:
    """`print` with something to show; one that says only a fixed text is how people watch tracing."""
    for call in unit.walk(ast.Call):
        if not (isinstance(call.func, ast.Name) and call.func.id == "print" and "print" not in unit.names):
            continue
        if not unit.differed and watches_tracing(unit, *call.args):
            continue
        yield Finding(
            message("advice.effect.print"),
            call.lineno,
            unit.line(call),
            unit.rewritten(call.func, f"{unit.alias}.print"),
            unit.ran(call),
        )


def _container(unit: Unit, node: ast.AST) -> bool:
    dotted = unit.dotted(node)
    kind = unit.names.get(dotted or "", "")
    if kind:
        return kind.startswith(_CONTAINERS)
    return (
        dotted is not None and "." in dotted and not unit.names.get(dotted.partition(".")[0], "").startswith("module")
    )


@rule("effect.mutation", "effect.leak")
def mutations(unit: Unit) -> Iterator[Finding]:
    """A list, dict or set from outside is changed; with a tensor, which is then of no use outside."""
    for statement in unit.walk(ast.Expr):
        call = statement.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES):
            continue
        owner = call.func.value
        if unit.outer(owner) is None or unit.is_tensor(owner) or not _container(unit, owner):
            continue
        if _keeps_variables(unit, *call.args) or once(unit, call, owner):
            continue
        kept = next((arg for arg in call.args if unit.is_tensor(arg)), None)
        if kept is not None and call.func.attr in _KEPT:
            yield Finding(
                message("advice.effect.leak", code=unit.text(kept), where=unit.text(owner)),
                call.lineno,
                unit.line(call),
                f"return {unit.text(kept)}",
                unit.ran(statement),
            )
            continue
        if _tells_traces(unit, owner) or (call.args and all(_is_fact(unit, arg) for arg in call.args)):
            continue
        yield Finding(
            message("advice.effect.mutation", code=unit.text(call.func), where=unit.text(owner)),
            call.lineno,
            unit.line(call),
            None,
            unit.ran(statement),
        )
    for statement in unit.walk(ast.Assign, ast.AugAssign, ast.Delete):
        value = None if isinstance(statement, ast.Delete) else statement.value
        for target in [statement.target] if isinstance(statement, ast.AugAssign) else statement.targets:
            if not (isinstance(target, ast.Subscript) and unit.outer(target) and _container(unit, target.value)):
                continue
            if _keeps_variables(unit, *filter(None, [value])) or once(unit, statement, target.value):
                continue
            leaks = value is not None and unit.is_tensor(value)
            if not leaks and (_tells_traces(unit, target) or (value is not None and _is_fact(unit, value))):
                continue
            code, where = unit.text(target), unit.text(target.value)
            id_, after = "advice.effect.mutation", _counts_up(unit, statement, code)
            if leaks and isinstance(statement, ast.Assign):
                code = unit.text(statement.value)
                id_, after = "advice.effect.leak", f"return {code}"
            yield Finding(
                message(id_, code=code, where=where),
                statement.lineno,
                unit.line(statement),
                after,
                unit.ran(statement),
            )


def _counts_up(unit: Unit, statement: ast.stmt, name: str) -> str | None:
    """`n += 1` as what a variable does."""
    if not (isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add | ast.Sub)):
        return None
    method = "assign_add" if isinstance(statement.op, ast.Add) else "assign_sub"
    return f"{name}.{method}({unit.text(statement.value)})  # {name} = {unit.alias}.Variable(…)"


@rule("effect.global", "effect.attribute")
def assignments(unit: Unit) -> Iterator[Finding]:
    """A global name or an attribute is assigned: once per trace."""
    outer = {name for node in unit.walk(ast.Global, ast.Nonlocal) for name in node.names} - unit.enclosing
    for statement in unit.walk(ast.AugAssign, ast.Assign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            if isinstance(target, ast.Name) and target.id in outer:
                if _makes_variable(unit, statement) or once(unit, statement, target):
                    continue
                if _tells_traces(unit, target) and not unit.is_tensor(statement.value):
                    continue
                id_ = "advice.effect.leak" if unit.is_tensor(statement.value) else "advice.effect.global"
            elif isinstance(target, ast.Attribute) and unit.outer(target) is not None:
                if _makes_variable(unit, statement) or unit.is_tensor(target.value) or once(unit, statement, target):
                    continue
                if _tells_traces(unit, target) and not unit.is_tensor(statement.value):
                    continue
                id_ = "advice.effect.leak" if unit.is_tensor(statement.value) else "advice.effect.attribute"
            else:
                continue
            name = unit.text(target)
            after = _counts_up(unit, statement, name)
            if isinstance(statement, ast.Assign):
                after = f"{name}.assign({unit.text(statement.value)})  # {name} = {unit.alias}.Variable(…)"
            values = {"code": name, "where": name}
            if id_ == "advice.effect.leak":
                values = {"code": unit.text(statement.value), "where": name}
            yield Finding(message(id_, **values), statement.lineno, unit.line(statement), after, unit.ran(statement))


def _makes_variable(unit: Unit, statement: ast.AST) -> bool:
    """`self.v = tf.Variable(...)` under `if self.v is None` is how a function makes its variables."""
    value = getattr(statement, "value", None)
    return isinstance(value, ast.Call) and (unit.full(value.func) or "").endswith(("Variable", "Module"))


@rule("effect.list_in_loop")
def lists_in_loops(unit: Unit) -> Iterator[Finding]:
    """A Python list grows inside a loop of the graph: the body is traced once, so it gets one element."""
    for call in unit.walk(ast.Call):
        func = call.func
        if not (isinstance(func, ast.Attribute) and func.attr == "append" and isinstance(func.value, ast.Name)):
            continue
        if func.value.id not in unit.locals() or not _made_as_list(unit, func.value.id):
            continue
        loop = next((node for node in unit.branches(call) if isinstance(node, ast.For | ast.While)), None)
        if loop is None:
            continue
        name = func.value.id
        index = loop.target.id if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) else "i"
        value = ", ".join(unit.text(arg) for arg in call.args)
        yield Finding(
            message("advice.effect.list_in_loop", name=name),
            call.lineno,
            unit.line(call),
            f"{name} = {name}.write({index}, {value})  # {name} = {unit.alias}.TensorArray(…)",
        )


def _made_as_list(unit: Unit, name: str) -> bool:
    return any(
        isinstance(node.value, ast.List | ast.ListComp)
        and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
        for node in unit.walk(ast.Assign)
    )


@rule("effect.time")
def clocks(unit: Unit) -> Iterator[Finding]:
    """A clock is read while tracing; its value is a constant of the graph."""
    names = (
        "time.time",
        "time.perf_counter",
        "time.monotonic",
        "datetime.datetime.now",
        "datetime.now",
        "time.time_ns",
    )
    for call in unit.walk(ast.Call):
        full = unit.full(call.func) or ""
        if full in names:
            yield Finding(
                message("advice.effect.time", code=unit.text(call.func)),
                call.lineno,
                unit.line(call),
                unit.rewritten(call, f"{unit.alias}.timestamp()"),
                unit.ran(call),
            )


@rule("effect.sleep", "effect.input")
def waiting(unit: Unit) -> Iterator[Finding]:
    """`time.sleep` and `input` act while tracing only."""
    for call in unit.walk(ast.Call):
        full = unit.full(call.func) or ""
        if full == "time.sleep":
            yield Finding(message("advice.effect.sleep"), call.lineno, unit.line(call), None, unit.ran(call))
        elif full in ("input", "open"):
            after = unit.rewritten(call, f"{unit.alias}.py_function(…)")
            text = message("advice.effect.input", code=full)
            yield Finding(text, call.lineno, unit.line(call), after, unit.ran(call))
