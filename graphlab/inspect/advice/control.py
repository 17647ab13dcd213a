"""Control flow that means something else, or cannot be built, when tensors decide."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from graphlab.inspect.advice.finding import Finding, rule
from graphlab.inspect.advice.unit import Unit
from graphlab.messages import message


@rule("control.raise", stops=True)
def raises(unit: Unit) -> Iterator[Finding]:
    """`raise` under a tensor condition: tracing visits every branch, so it always raises."""
    for node in unit.walk(ast.Raise):
        outer = next((node for node in unit.branches(node) if not isinstance(node, ast.IfExp)), None)
        if outer is None or any(True for _ in unit.around(node, ast.ExceptHandler)):
            continue
        test = outer.test if isinstance(outer, ast.If | ast.While) else None
        wanted = _opposite(unit, test, _in_else(unit, node, outer))
        text = next((arg for arg in getattr(node.exc, "args", []) if isinstance(arg, ast.Constant)), None)
        says = unit.text(text) if text is not None else '""'
        after = f"{unit.alias}.debugging.Assert({wanted}, [{says}])" if wanted else None
        yield Finding(message("advice.control.raise"), node.lineno, unit.line(node), after)


def _in_else(unit: Unit, node: ast.AST, outer: Any) -> bool:
    while unit.parents[node] is not outer:
        node = unit.parents[node]
    return node in getattr(outer, "orelse", [])


_OPPOSITE = {ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<", ast.Eq: "==", ast.NotEq: "!="}


def _opposite(unit: Unit, test: ast.expr | None, already: bool) -> str | None:
    if test is None:
        return None
    if already:
        return unit.text(test)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITE:
        swap = {"==": "!=", "!=": "=="}
        sign = _OPPOSITE[type(test.ops[0])]
        return f"{unit.text(test.left)} {swap.get(sign, sign)} {unit.text(test.comparators[0])}"
    return f"{unit.alias}.logical_not({unit.text(test)})"


@rule("control.try")
def tries(unit: Unit) -> Iterator[Finding]:
    """`try` around operations of the graph: it catches what fails while tracing, not while running."""
    for node in unit.walk(ast.Try):
        kinds = [handler.type for handler in node.handlers if handler.type is not None]
        for kind in kinds:
            full = unit.full(kind) or ""
            if full.startswith("graphlab.errors.") and not full.endswith(("OperatorNotAllowedInGraphError",)):
                yield Finding(message("advice.control.try", error=unit.text(kind)), node.lineno, unit.line(node), None)
                break


@rule("control.is")
def identities(unit: Unit) -> Iterator[Finding]:
    """`is` compares objects, and the tensors of a trace are new objects each time."""
    for node in unit.walk(ast.Compare):
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            if not isinstance(op, ast.Is | ast.IsNot):
                continue
            if any(isinstance(side, ast.Constant) and side.value is None for side in (left, right)):
                continue
            if (unit.is_tensor(left) or unit.is_tensor(right)) and not _variables(unit, left, right):
                sign = "==" if isinstance(op, ast.Is) else "!="
                whole = f"{unit.text(left)} {sign} {unit.text(right)}"
                after = unit.rewritten(node, whole) if len(node.ops) == 1 else None
                yield Finding(message("advice.control.is"), node.lineno, unit.line(node), after)


def _variables(unit: Unit, *sides: ast.expr) -> bool:
    names = [unit.dotted(side) or "" for side in sides]
    return all(unit.names.get(name, "").startswith("variable") or name in unit.variables for name in names)


@rule("control.recursion", stops=True)
def recursion(unit: Unit) -> Iterator[Finding]:
    """The function calls itself where a tensor decides: both branches are traced, so tracing cannot end."""
    if unit.name is None:
        return
    for call in unit.walk(ast.Call):
        if isinstance(call.func, ast.Name) and call.func.id == unit.name and any(True for _ in unit.branches(call)):
            yield Finding(message("advice.control.recursion", f=unit.name), call.lineno, unit.line(call), None)


@rule("control.not_number", stops=True)
def negations(unit: Unit) -> Iterator[Finding]:
    """`not` of a tensor that is no bool."""
    for node in unit.walk(ast.UnaryOp):
        if isinstance(node.op, ast.Not) and unit.is_tensor(node.operand):
            dtype = unit.dtype(node.operand)
            if dtype is not None and dtype != "bool" and not isinstance(node.operand, ast.Compare):
                text = unit.text(node.operand)
                yield Finding(
                    message("advice.control.not_number", code=text, dtype=dtype),
                    node.lineno,
                    unit.line(node),
                    unit.rewritten(node, f"{text} == 0"),
                )


@rule("control.undefined_in_branch", stops=True)
def undefined(unit: Unit) -> Iterator[Finding]:
    """A name that only one branch of a tensor condition sets, read afterwards."""
    for node in unit.walk(ast.If):
        if not unit.is_tensor(node.test):
            continue
        then, other = _stored(unit, node.body), _stored(unit, node.orelse)
        if _leaves(node.body) or _leaves(node.orelse):
            continue
        for name in sorted((then | other) - (then & other)):
            if not _set_before(unit, name, node) and _read_after(unit, name, node):
                where = next(n for n in _targets(unit, [*node.body, *node.orelse]) if n.id == name)
                yield Finding(
                    message("advice.control.undefined_in_branch", name=name, line=where.lineno),
                    node.lineno,
                    unit.line(node),
                    f"{name} = …",
                )


def _targets(unit: Unit, statements: list[ast.stmt]) -> Iterator[ast.Name]:
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and unit.scope(node) is unit.tree:
                yield node


def _stored(unit: Unit, statements: list[ast.stmt]) -> set[str]:
    return {node.id for node in _targets(unit, statements)}


def _leaves(statements: list[ast.stmt]) -> bool:
    return bool(statements) and isinstance(statements[-1], ast.Return | ast.Raise | ast.Break | ast.Continue)


def _set_before(unit: Unit, name: str, node: ast.stmt) -> bool:
    if any(arg.arg == name for arg in unit.parameters):
        return True
    loops = list(unit.around(node, ast.For, ast.While))
    for target in unit.walk(ast.Name):
        if target.id == name and isinstance(target.ctx, ast.Store) and target.lineno < node.lineno:
            return True
    return any(name in _stored(unit, [loop.target]) for loop in loops if isinstance(loop, ast.For))  # type: ignore[list-item]


def _read_after(unit: Unit, name: str, node: ast.stmt) -> bool:
    end = node.end_lineno or node.lineno
    for found in unit.walk(ast.Name, nested=True):
        if found.id == name and found.lineno > end:
            return isinstance(found.ctx, ast.Load)
    return False


@rule("control.branch_dtype", "control.return_dtype", stops=True)
def branch_dtypes(unit: Unit) -> Iterator[Finding]:
    """Two branches of a tensor condition give a value two dtypes."""
    for node in unit.walk(ast.If):
        if not unit.is_tensor(node.test):
            continue
        for name, one, other in _pairs(unit, node):
            first, second = unit.dtype(one), unit.dtype(other)
            if first is not None and second is not None and first != second:
                id_ = "advice.control.branch_dtype" if name else "advice.control.return_dtype"
                values = {"name": name} if name else {}
                yield Finding(
                    message(id_, **values, was=first, now=second, line=one.lineno, other=other.lineno),
                    other.lineno,
                    unit.line(other),
                    _as_float(unit, one, other),
                )


def _as_float(unit: Unit, one: ast.expr, other: ast.expr) -> str | None:
    for node, twin in ((other, one), (one, other)):
        if isinstance(node, ast.Constant) and type(node.value) is int and unit.dtype(twin) == "float32":
            return unit.rewritten(node, f"{node.value}.0")
    dtype = unit.dtype(one)
    return unit.rewritten(other, f"{unit.alias}.cast({unit.text(other)}, {unit.alias}.{dtype})")


def _pairs(unit: Unit, node: ast.If) -> Iterator[tuple[str | None, ast.expr, ast.expr]]:
    def assigned(statements: list[ast.stmt]) -> dict[str, ast.expr]:
        return {
            target.id: statement.value
            for statement in statements
            if isinstance(statement, ast.Assign)
            for target in statement.targets
            if isinstance(target, ast.Name)
        }

    then, other = assigned(node.body), assigned(node.orelse)
    for name in then:
        if name in other:
            yield name, then[name], other[name]
        elif not node.orelse:
            before = [
                s for s in unit.walk(ast.Assign)
                if s.lineno < node.lineno and any(isinstance(t, ast.Name) and t.id == name for t in s.targets)
            ]  # fmt: skip
            if before and _read_after(unit, name, node):
                yield name, before[-1].value, then[name]
    one = node.body[-1]
    rest = node.orelse or _following(unit, node)
    two = rest[0] if rest else None
    if isinstance(one, ast.Return) and isinstance(two, ast.Return) and one.value is not None and two.value is not None:
        yield None, one.value, two.value


def _following(unit: Unit, node: ast.stmt) -> list[ast.stmt]:
    parent = unit.parents[node]
    for name in ("body", "orelse"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and node in block:
            return block[block.index(node) + 1 :]
    return []


@rule("control.branch_structure", stops=True)
def structures(unit: Unit) -> Iterator[Finding]:
    """`a if x > 0 else b` with lists of different lengths."""
    for node in unit.walk(ast.IfExp):
        kinds = (ast.List, ast.Tuple)
        if not (unit.is_tensor(node.test) and isinstance(node.body, kinds) and isinstance(node.orelse, kinds)):
            continue
        one, other = len(node.body.elts), len(node.orelse.elts)
        if one != other:
            kind = "list" if isinstance(node.body, ast.List) else "tuple"
            text = message("advice.control.branch_structure", kind=kind, a=one, b=other)
            yield Finding(text, node.lineno, unit.line(node), None)


@rule("control.shape_unknown")
def unknown_shapes(unit: Unit) -> Iterator[Finding]:
    """`x.shape[0]` where a trace does not know that axis."""
    open_axes = _open_axes(unit)
    for node in unit.walk(ast.Subscript):
        owner = node.value
        if not (isinstance(owner, ast.Attribute) and owner.attr == "shape" and isinstance(owner.value, ast.Name)):
            continue
        axes = open_axes.get(owner.value.id)
        if any(asked == unit.text(node) for asked in _asked(unit, node)):
            continue  # `if x.shape[0] is None` around it: the author knows
        if axes is None or not isinstance(node.slice, ast.Constant | ast.UnaryOp):
            continue
        index = ast.literal_eval(node.slice)
        if not isinstance(index, int) or not -len(axes) <= index < len(axes) or not axes[index]:
            continue
        if not _decides(unit, node):
            continue
        name = owner.value.id
        yield Finding(
            message("advice.control.shape_unknown", code=unit.text(node), name=name, axis=index),
            node.lineno,
            unit.line(node),
            unit.rewritten(node, f"{unit.alias}.shape({name})[{index}]"),
        )


def _asked(unit: Unit, node: ast.AST) -> Iterator[str]:
    """What the conditions around a node compare with None."""
    for outer in unit.around(node, ast.If, ast.IfExp, ast.BoolOp):
        whole = outer if isinstance(outer, ast.BoolOp) else outer.test
        for part in ast.walk(whole):
            if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Is | ast.IsNot):
                yield unit.text(part.left)


def _open_axes(unit: Unit) -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = {}
    for key in unit.argument_keys():
        for leaf in key:
            if leaf.kind == "tensor" and leaf.data["shape"] is not None:
                axes = [size is None for size in leaf.data["shape"]]
                before = found.get(leaf.path)
                found[leaf.path] = (
                    axes
                    if before is None or len(before) != len(axes)
                    else [a or b for a, b in zip(before, axes, strict=True)]
                )
    for node in unit.walk(ast.Name):
        if isinstance(node.ctx, ast.Store):
            found.pop(node.id, None)  # it may be another tensor by then
    return found


def _decides(unit: Unit, node: ast.AST) -> bool:
    """Whether the size is used as a number: compared, counted with, or in arithmetic."""
    parent = unit.parents.get(node)
    if isinstance(parent, ast.Compare):
        return not any(
            isinstance(side, ast.Constant) and side.value is None for side in [parent.left, *parent.comparators]
        )
    if isinstance(parent, ast.BinOp):
        return True
    return (
        isinstance(parent, ast.Call)
        and isinstance(parent.func, ast.Name)
        and parent.func.id in ("range", "int", "float")
    )


@rule("control.always_runs", note=True)
def always_runs(unit: Unit) -> Iterator[Finding]:
    """An assignment made before `tf.cond`, though only one of its branches uses the result."""
    made = {
        target.id: statement
        for statement in unit.walk(ast.Assign)
        if isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Attribute)
        and statement.value.func.attr in ("assign", "assign_add", "assign_sub")
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    for call in unit.walk(ast.Call):
        if unit.tf(call) != "cond":
            continue
        for branch in [*call.args[1:], *(k.value for k in call.keywords)]:
            if not isinstance(branch, ast.Lambda):
                continue
            for node in ast.walk(branch.body):
                if isinstance(node, ast.Name) and node.id in made:
                    statement = made[node.id]
                    yield Finding(
                        message("advice.control.always_runs", code=unit.text(statement.value)),
                        statement.lineno,
                        unit.line(statement),
                        unit.rewritten(node, unit.text(statement.value)),
                    )


@rule("control.effects_ordered", note=True)
def ordered(unit: Unit) -> Iterator[Finding]:
    """Effects before and inside a condition: graphlab keeps the order of the source."""
    for node in unit.walk(ast.If):
        if not unit.is_tensor(node.test):
            continue
        inside = [
            call for call in unit.walk(ast.Call) if unit.tf(call) == "print" and node in unit.around(call, ast.If)
        ]
        before = [
            call
            for call in unit.walk(ast.Call)
            if unit.tf(call) == "print" and call.lineno < node.lineno and node not in unit.around(call, ast.If)
        ]
        if inside and before:
            lines = [before[-1].lineno, inside[0].lineno]
            yield Finding(
                message("advice.control.effects_ordered", a=lines[0], b=lines[1]), node.lineno, unit.line(node), None
            )
            return
