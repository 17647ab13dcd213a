"""Gradients: where they end, where they are NaN, and how tapes live. These hold for any code, traced or not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Final

from graphlab.inspect.advice.finding import Finding, rule
from graphlab.inspect.advice.unit import Unit
from graphlab.messages import Message, message

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


def _asked(unit: Unit, tape: str, call: ast.Call, source: str | None = None) -> Message | None:
    """The question that tells more about a gradient: `tf.inspect.explain_gradient(tape, y, x)`, asked before it.

    Args:
        unit: The code.
        tape: The tape's name.
        call: What computes the gradient.
        source: The one of several sources that it is about.
    """
    target, given = (call.args[:1], call.args[1:2])
    by = [*given, *(k.value for k in call.keywords if k.arg == "sources")]
    if source is None and by and not isinstance(by[0], ast.List | ast.Tuple | ast.Dict):
        source = unit.text(by[0])
    if not target or isinstance(target[0], ast.List | ast.Tuple | ast.Dict) or source is None:
        return None
    code = f"{unit.alias}.inspect.explain_gradient({tape}, {unit.text(target[0])}, {source})"
    return message("advice.evidence.gradient", call=unit.text(call), code=code)


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
                found = ((n.id, made(n)) for n in ast.walk(source) if isinstance(n, ast.Name))
                wrong, entry = next(((id_, entry) for id_, entry in found if entry is not None), ("", None))
                if entry is None:
                    continue
                dtype, literal = entry
                line = literal.lineno if literal is not None else call.lineno
                yield Finding(
                    message("advice.gradient.integer", name=wrong, dtype=dtype),
                    line,
                    unit.lines.get(line, "").strip(),
                    unit.rewritten(literal, f"{unit.text(literal)}.0") if literal is not None else None,
                    _asked(unit, name, call, wrong),
                )


def _integers(unit: Unit) -> Callable[[ast.Name], tuple[str, ast.Constant | None] | None]:
    """Which names are variables and constants of an integer dtype, each with the literal that makes it one."""
    found: dict[tuple[ast.AST | None, str], tuple[str, ast.Constant | None] | None] = {}
    for name, kind in unit.names.items():
        if kind.startswith("variable") and kind.partition(":")[2] in _INTEGERS:
            found[None, name] = (kind.partition(":")[2], None)
    for node in unit.walk(ast.Name, nested=True):
        if isinstance(node.ctx, ast.Store):
            found[unit.scope(node), node.id] = None  # something of which nothing is known
    for node in unit.walk(ast.arg, nested=True):
        found[unit.scope(node), node.arg] = None
    for statement in unit.walk(ast.Assign, nested=True):
        value: ast.expr = statement.value
        if isinstance(value, ast.List | ast.Tuple) and value.elts:
            value = value.elts[0]
        if unit.tf(value) not in ("Variable", "constant"):
            continue
        for target in statement.targets:
            if isinstance(target, ast.Name) and _assigned_once(unit, target):
                dtype = unit.dtype(value)
                if dtype in _INTEGERS:
                    literals = (n for n in ast.walk(value) if isinstance(n, ast.Constant) and type(n.value) is int)
                    found[unit.scope(target), target.id] = dtype, next(literals, None)

    def made(name: ast.Name) -> tuple[str, ast.Constant | None] | None:
        scope: ast.AST = unit.scope(name)
        while (scope, name.id) not in found:
            if scope is unit.tree:
                return found.get((None, name.id))
            scope = unit.scope(scope)
        return found[scope, name.id]

    return made


def _assigned_once(unit: Unit, target: ast.Name) -> bool:
    """Whether a name is assigned at one place of its scope only: then it is what that place says."""
    scope = unit.scope(target)
    stores = [
        node
        for node in unit.walk(ast.Name, nested=True)
        if node.id == target.id and isinstance(node.ctx, ast.Store) and unit.scope(node) is scope
    ]
    return len(stores) == 1


@rule("gradient.cast", anywhere=True)
def casts(unit: Unit) -> Iterator[Finding]:
    """A value passes through an integer on its way to a gradient: the chain is cut there."""
    for node in unit.walk(ast.Call, nested=True):
        if unit.tf(node) == "cast" and node.args and unit.tf(node.args[0]) == "cast":
            inner: Any = node.args[0]
            tape = _taped(unit, node)
            if unit.dtype(inner) in _INTEGERS and unit.dtype(node) not in _INTEGERS and tape is not None:
                yield Finding(
                    message("advice.gradient.cast", dtype=unit.dtype(inner), line=inner.lineno),
                    inner.lineno,
                    unit.line(inner),
                    None,
                    _only_asked(unit, tape, node),
                )


def _taped(unit: Unit, node: ast.AST) -> str | None:
    """The name of the tape that a place is recorded by; empty for one without a name, None for no tape."""
    for outer in unit.around(node, ast.With):
        for item in outer.items:
            if unit.tf(item.context_expr) == "GradientTape":
                return item.optional_vars.id if isinstance(item.optional_vars, ast.Name) else ""
    return None


def _only_asked(unit: Unit, tape: str, node: ast.AST) -> Message | None:
    """The question about the gradient that a tape gives after a place; None if it gives several, any may be meant."""
    line = getattr(node, "lineno", 0)
    after = [c for c in _gradients(unit, tape) if c.lineno >= line and unit.scope(c) is unit.scope(node)]
    return _asked(unit, tape, after[0]) if len(after) == 1 else None


@rule("gradient.where_nan", anywhere=True)
def where_nan(unit: Unit) -> Iterator[Finding]:
    """`tf.where(x > 0, log(x), 0)`: the branch that is not taken is differentiated too, and 0 · inf is NaN."""
    if not _differentiates(unit):
        return
    for call in unit.walk(ast.Call, nested=True):
        if unit.tf(call) not in ("where", "where_v2") or len(call.args) < 3:
            continue
        tested = {unit.text(n) for n in ast.walk(call.args[0]) if isinstance(n, ast.Name)}
        for chosen, side in zip((True, False), call.args[1:3], strict=True):
            for node in ast.walk(side):
                value = _singular(unit, node)
                if value is None or unit.text(value) not in tested:
                    continue
                if _excludes_zero(call.args[0], unit.text(value), chosen):
                    continue
                text = unit.text(value)
                safe = f"{unit.alias}.where({unit.text(call.args[0])}, {text}, 1.0)"
                yield Finding(
                    message("advice.gradient.where_nan", code=unit.text(node)),
                    call.lineno,
                    unit.line(call),
                    unit.rewritten(value, safe),
                )


def _differentiates(unit: Unit) -> bool:
    """Whether anything is differentiated: a tape in the code, or a gradient that was made of the function's graph."""
    graph = unit.subject.graph if unit.subject is not None else None
    if graph is not None and getattr(graph, "derived", None):
        return True
    return any(
        unit.tf(node) in ("GradientTape", "gradients", "autodiff.ForwardAccumulator")
        for node in unit.walk(ast.Call, nested=True)
    )


def _excludes_zero(test: ast.expr, name: str, chosen: bool) -> bool:
    """Whether the elements that are not taken are none at 0: of `tf.where(x < 5, log(x), 0)` those from 5 on."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and ast.unparse(test.left) == name):
        return False
    try:
        limit = ast.literal_eval(test.comparators[0])
    except ValueError:
        return False
    compare = _COMPARISONS.get(type(test.ops[0]))
    if compare is None or not isinstance(limit, int | float):
        return False
    return bool(compare(0.0, limit)) is chosen  # at 0 this side is taken, so the condition does not shield from it


_COMPARISONS: Final = {ast.Lt: lt, ast.LtE: le, ast.Gt: gt, ast.GtE: ge, ast.Eq: eq, ast.NotEq: ne}


def _singular(unit: Unit, node: ast.AST) -> ast.expr | None:
    """The value at which an operation's derivative is infinite; None when it has none such."""
    if isinstance(node, ast.Call) and unit.tf(node) in ("pow", "math.pow") and not _is_root(node.args[1:2]):
        return None
    if isinstance(node, ast.Call) and node.args and unit.tf(node) in _SINGULAR:
        return node.args[1] if unit.tf(node) == "divide" else node.args[0]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and isinstance(node.right, ast.Name):
        return node.right
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.left, ast.Name):
        return node.left if _is_root([node.right]) else None
    return None


def _is_root(power: list[ast.expr]) -> bool:
    """Whether an exponent is a number below 1, whose power has no derivative at 0."""
    try:
        value = ast.literal_eval(power[0]) if power else None
    except ValueError:
        return False
    return isinstance(value, int | float) and value < 1 and value != 0


@rule("gradient.unwatched", anywhere=True)
def unwatched(unit: Unit) -> Iterator[Finding]:
    """The gradient by a constant that the tape does not watch is None."""
    constants = {
        target.id: statement
        for statement in unit.walk(ast.Assign, nested=True)
        if unit.tf(statement.value) in ("constant", "ones", "zeros") and unit.dtype(statement.value) != "int32"
        for target in statement.targets
        if isinstance(target, ast.Name) and _assigned_once(unit, target)
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
        if watched - set(constants):
            continue  # a loop's variable or a list: what it holds does not show
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
                        _asked(unit, name, call, wrong),
                    )


@rule("gradient.stopped", "gradient.unrecorded", anywhere=True, note=True)
def stopped(unit: Unit) -> Iterator[Finding]:
    """`tf.stop_gradient` is a node that passes zero on; `stop_recording` leaves a hole in the tape."""
    for call in unit.walk(ast.Call, nested=True):
        if unit.tf(call) == "stop_gradient":
            yield Finding(message("advice.gradient.stopped"), call.lineno, unit.line(call), None)
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "stop_recording":
            evidence = _only_asked(unit, unit.dotted(call.func.value) or "", call)
            yield Finding(message("advice.gradient.unrecorded"), call.lineno, unit.line(call), None, evidence)


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
            - {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
            - {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        )
        gradients = _returned(function)
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


def _returned(function: ast.FunctionDef) -> list[ast.Lambda | ast.FunctionDef]:
    """The gradient functions of a custom gradient: what it returns beside the result, a lambda or by its name."""
    inner = {node.name: node for node in ast.walk(function) if isinstance(node, ast.FunctionDef)}
    found: list[ast.Lambda | ast.FunctionDef] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and node.value.elts:
            last = node.value.elts[-1]
            if isinstance(last, ast.Lambda):
                found.append(last)
            elif isinstance(last, ast.Name) and last.id in inner:
                found.append(inner[last.id])
    return found


@rule("gradient.branch", note=True)
def branches(unit: Unit) -> Iterator[Finding]:
    """The gradient of a condition repeats the condition: only the branch that ran is differentiated."""
    subject = unit.subject
    if subject is None or subject.graph is None or not getattr(subject.graph, "derived", None):
        return
    for node in unit.walk(ast.If):
        if unit.is_tensor(node.test):
            yield Finding(message("advice.gradient.branch", code=unit.text(node.test)), node.lineno, unit.line(node))
