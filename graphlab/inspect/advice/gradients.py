"""Gradients: where they end, where they are NaN, and how tapes live. These hold for any code, traced or not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final

from graphlab.inspect.advice.finding import Finding, rule
from graphlab.inspect.advice.unit import Unit
from graphlab.messages import message

_INTEGERS: Final = frozenset(("int8", "int16", "int32", "int64", "uint8", "bool"))
_SINGULAR: Final = frozenset(
    ("math.log", "math.reciprocal", "math.rsqrt", "pow", "math.pow", "math.acos", "math.asin", "divide")
)


def _tapes(unit: Unit) -> dict[str, list[Any]]:
    """The `with tf.GradientTape() as tape` statements by the name of the tape."""
    found: dict[str, list[Any]] = {}
    for node in unit.walk(ast.With, nested=True):
        for item in node.items:
            if unit.tf(item.context_expr) == "GradientTape" and isinstance(item.optional_vars, ast.Name):
                found.setdefault(item.optional_vars.id, []).append((node, item.context_expr))
    return found


def _gradients(unit: Unit, tape: str) -> list[ast.Call]:
    names = ("gradient", "jacobian", "batch_jacobian")
    return [
        call
        for call in unit.walk(ast.Call, nested=True)
        if isinstance(call.func, ast.Attribute) and call.func.attr in names and unit.dotted(call.func.value) == tape
    ]


def _using(calls: list[ast.Call], opened: list[Any], index: int) -> list[ast.Call]:
    start = opened[index][0].lineno
    stop = opened[index + 1][0].lineno if index + 1 < len(opened) else 10**9
    return [call for call in calls if start <= call.lineno < stop]


def _persistent(call: ast.Call) -> bool:
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "persistent")]
    return any(not (isinstance(value, ast.Constant) and value.value is False) for value in given)


@rule("gradient.tape_spent", anywhere=True)
def spent(unit: Unit) -> Iterator[Finding]:
    """A tape that is not persistent is asked twice."""
    for name, opened in _tapes(unit).items():
        for index, (_, made) in enumerate(opened):
            calls = _using(_gradients(unit, name), opened, index)
            calls = [call for call in calls if unit.scope(call) is unit.scope(opened[index][0])]
            if len(calls) > 1 and not _persistent(made) and not _apart(unit, calls):
                yield Finding(
                    message("advice.gradient.tape_spent", name=name, first=calls[0].lineno),
                    calls[1].lineno,
                    unit.line(calls[1]),
                    f"with {unit.alias}.GradientTape(persistent=True) as {name}:",
                )


def _apart(unit: Unit, calls: list[ast.Call]) -> bool:
    """Whether the first two calls stand in two branches of one condition."""
    one = set(unit.around(calls[0], ast.If, ast.IfExp))
    two = set(unit.around(calls[1], ast.If, ast.IfExp))
    return bool(one & two) or bool(one) != bool(two)


@rule("gradient.tape_reentered", anywhere=True)
def reentered(unit: Unit) -> Iterator[Finding]:
    """`with tape:` while the tape is recording."""
    tapes = _tapes(unit)
    for node in unit.walk(ast.With, nested=True):
        for item in node.items:
            if isinstance(item.context_expr, ast.Name) and item.context_expr.id in tapes:
                name = item.context_expr.id
                if any(outer is entry[0] for outer in unit.around(node, ast.With) for entry in tapes[name]):
                    yield Finding(
                        message("advice.gradient.tape_reentered", name=name), node.lineno, unit.line(node), None
                    )


@rule("gradient.integer", anywhere=True)
def integers(unit: Unit) -> Iterator[Finding]:
    """The gradient by something of an integer dtype is None."""
    made = _integers(unit)
    for name in _tapes(unit):
        for call in _gradients(unit, name):
            for source in call.args[1:2]:
                wrong = next((n.id for n in ast.walk(source) if isinstance(n, ast.Name) and n.id in made), None)
                if wrong is None:
                    continue
                dtype, literal = made[wrong]
                line = literal.lineno if literal is not None else call.lineno
                yield Finding(
                    message("advice.gradient.integer", name=wrong, dtype=dtype),
                    line,
                    unit.lines.get(line, "").strip(),
                    unit.rewritten(literal, f"{unit.text(literal)}.0") if literal is not None else None,
                )


def _integers(unit: Unit) -> dict[str, tuple[str, ast.Constant | None]]:
    """The names of variables and constants of an integer dtype, each with the literal that makes it one."""
    found: dict[str, tuple[str, ast.Constant | None]] = {}
    for name, kind in unit.names.items():
        if kind.startswith("variable") and kind.partition(":")[2] in _INTEGERS:
            found[name] = (kind.partition(":")[2], None)
    for statement in unit.walk(ast.Assign, nested=True):
        value: ast.expr = statement.value
        if isinstance(value, ast.List | ast.Tuple) and value.elts:
            value = value.elts[0]
        if unit.tf(value) not in ("Variable", "constant"):
            continue
        for target in statement.targets:
            if isinstance(target, ast.Name):
                found.pop(target.id, None)
                dtype = unit.dtype(value)
                if dtype in _INTEGERS:
                    literals = (n for n in ast.walk(value) if isinstance(n, ast.Constant) and type(n.value) is int)
                    found[target.id] = dtype, next(literals, None)
    return found


@rule("gradient.cast", anywhere=True)
def casts(unit: Unit) -> Iterator[Finding]:
    """A value passes through an integer on its way to a gradient: the chain is cut there."""
    for node in unit.walk(ast.Call, nested=True):
        if unit.tf(node) == "cast" and node.args and unit.tf(node.args[0]) == "cast":
            inner: Any = node.args[0]
            if unit.dtype(inner) in _INTEGERS and unit.dtype(node) not in _INTEGERS and _taped(unit, node):
                yield Finding(
                    message("advice.gradient.cast", dtype=unit.dtype(inner), line=inner.lineno),
                    inner.lineno,
                    unit.line(inner),
                    None,
                )


def _taped(unit: Unit, node: ast.AST) -> bool:
    return any(
        unit.tf(item.context_expr) == "GradientTape" for outer in unit.around(node, ast.With) for item in outer.items
    )


@rule("gradient.where_nan", anywhere=True)
def where_nan(unit: Unit) -> Iterator[Finding]:
    """`tf.where(x > 0, log(x), 0)`: the branch that is not taken is differentiated too, and 0 · inf is NaN."""
    for call in unit.walk(ast.Call, nested=True):
        if unit.tf(call) not in ("where", "where_v2") or len(call.args) < 3:
            continue
        tested = {unit.text(n) for n in ast.walk(call.args[0]) if isinstance(n, ast.Name)}
        for side in call.args[1:3]:
            for node in ast.walk(side):
                value = _singular(unit, node)
                if value is None or unit.text(value) not in tested:
                    continue
                text = unit.text(value)
                safe = f"{unit.alias}.where({unit.text(call.args[0])}, {text}, 1.0)"
                yield Finding(
                    message("advice.gradient.where_nan", code=unit.text(node)),
                    call.lineno,
                    unit.line(call),
                    unit.rewritten(value, safe),
                )


def _singular(unit: Unit, node: ast.AST) -> ast.expr | None:
    """The value at which an operation's derivative is infinite; None when it has none such."""
    if isinstance(node, ast.Call) and node.args and unit.tf(node) in _SINGULAR:
        return node.args[1] if unit.tf(node) == "divide" else node.args[0]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and isinstance(node.right, ast.Name):
        return node.right
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.left, ast.Name):
        power = node.right
        if isinstance(power, ast.Constant) and isinstance(power.value, float) and power.value < 1:
            return node.left
    return None


@rule("gradient.unwatched", anywhere=True)
def unwatched(unit: Unit) -> Iterator[Finding]:
    """The gradient by a constant that the tape does not watch is None."""
    constants = {
        target.id: statement
        for statement in unit.walk(ast.Assign, nested=True)
        if unit.tf(statement.value) in ("constant", "ones", "zeros") and unit.dtype(statement.value) != "int32"
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    for name, opened in _tapes(unit).items():
        watched = {
            node.id
            for call in unit.walk(ast.Call, nested=True)
            if unit.dotted(call.func) == f"{name}.watch"
            for arg in call.args
            for node in ast.walk(arg)
            if isinstance(node, ast.Name)
        }
        if any(k.arg == "watch_accessed_variables" for _, made in opened for k in made.keywords):
            continue
        for call in _gradients(unit, name):
            for source in call.args[1:2]:
                names = [n for n in ast.walk(source) if isinstance(n, ast.Name)]
                wrong = next((n.id for n in names if n.id in constants and n.id not in watched), None)
                if wrong is not None and unit.scope(constants[wrong]) is unit.scope(call):
                    yield Finding(
                        message("advice.gradient.unwatched", name=wrong, tape=name),
                        call.lineno,
                        unit.line(call),
                        f"{name}.watch({wrong})",
                    )


@rule("gradient.stopped", "gradient.unrecorded", anywhere=True, note=True)
def stopped(unit: Unit) -> Iterator[Finding]:
    """`tf.stop_gradient` is a node that passes zero on; `stop_recording` leaves a hole in the tape."""
    for call in unit.walk(ast.Call, nested=True):
        if unit.tf(call) == "stop_gradient":
            yield Finding(message("advice.gradient.stopped"), call.lineno, unit.line(call), None)
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "stop_recording":
            yield Finding(message("advice.gradient.unrecorded"), call.lineno, unit.line(call), None)


@rule("gradient.custom_variables", anywhere=True)
def custom_variables(unit: Unit) -> Iterator[Finding]:
    """A `tf.custom_gradient` that uses a variable and whose gradient takes no `variables`."""
    kinds = unit.names
    for function in unit.walk(ast.FunctionDef, nested=True):
        if not any(unit.full(decorator) == "graphlab.custom_gradient" for decorator in function.decorator_list):
            continue
        used = sorted(
            {
                node.id
                for node in ast.walk(function)
                if isinstance(node, ast.Name) and kinds.get(node.id, "").startswith("variable")
            }
        )
        gradients = [n for n in ast.walk(function) if isinstance(n, ast.Lambda | ast.FunctionDef) and n is not function]
        for gradient in gradients:
            args = gradient.args
            names = [arg.arg for arg in [*args.posonlyargs, *args.args, *args.kwonlyargs]]
            if used and "variables" not in names and args.kwarg is None:
                first = ", ".join(names) or "dy"
                yield Finding(
                    message("advice.gradient.custom_variables", names=used),
                    gradient.lineno,
                    unit.line(gradient),
                    f"def grad({first}, variables=None):  # variables: [{', '.join(used)}]",
                )


@rule("gradient.branch", note=True)
def branches(unit: Unit) -> Iterator[Finding]:
    """The gradient of a condition repeats the condition: only the branch that ran is differentiated."""
    subject = unit.subject
    if subject is None or subject.graph is None or not getattr(subject.graph, "derived", None):
        return
    for node in unit.walk(ast.If):
        if unit.is_tensor(node.test):
            yield Finding(message("advice.gradient.branch", code=unit.text(node.test)), node.lineno, unit.line(node))
