"""What the calls pass: values that make a trace each, objects made anew, types that compare as equal."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final

from graphlab.autograph.effects import CHANGES
from graphlab.inspect.advice.finding import Finding, rule
from graphlab.inspect.advice.unit import Unit
from graphlab.inspect.advice_place import decorator_with, fix_for
from graphlab.inspect.subject import Cell
from graphlab.messages import Message, message
from graphlab.tracing.reasons import place_advice
from graphlab.tracing.records import TraceRecord

_CAUSES: Final = {
    "advice.argument.python_number": ("retrace.python_number.value", "retrace.python_number.type"),
    "advice.argument.shapes": ("retrace.tensor.shape",),
    "advice.place.method_each_call": ("retrace.object.method",),
    "advice.place.lambda_each_call": ("retrace.object.lambda",),
}
_MANY: Final = 3
"""Two values of a number or a shape may well be meant; from three on it is a habit."""


@rule(
    "place.function_again", "place.method_each_call", "place.lambda_each_call", "argument.python_number",
    "argument.shapes", cost=True, helpers=False,
)  # fmt: skip
def places(unit: Unit) -> Iterator[Finding]:
    """What the traces show together about how the function is called or made."""
    subject = unit.subject
    if subject is None:
        return
    for reason in place_advice(subject.traces):
        count = reason.values.get("count", 0)
        if count < _MANY and reason.id.startswith(("advice.argument.", "advice.place.function")):
            continue
        if reason.id == "advice.argument.shapes" and (subject.reduce_retracing or subject.fixed_signature):
            continue
        # A cell's file has another name in each run, so it is not kept.
        values = {name: value for name, value in reason.values.items() if name != "filename"}
        record = _example(unit, reason.values.get("path"), reason.id)
        if record is None and reason.id != "advice.argument.shapes":
            continue  # only calls that the function makes of itself: a number decides when it ends
        line, before, after = _lines(unit, record, reason.id)
        yield Finding(Message(reason.id, values), line, before, after)


def _example(unit: Unit, path: str | None, id: str) -> TraceRecord | None:
    assert unit.subject is not None
    if id == "advice.place.function_again":
        return unit.subject.traces[-1]
    own = range(unit.subject.line or 0, (unit.subject.line or 0) + len(unit.lines))
    for record in reversed(unit.subject.traces):
        inside = record.site.filename == unit.subject.filename and record.site.line in own
        inside = inside and not isinstance(unit.tree, ast.Lambda)
        if record.reason.values.get("path") == path and record.reason.id in _CAUSES[id] and not inside:
            return record
    return None


def _lines(unit: Unit, record: TraceRecord | None, id: str) -> tuple[int | None, str | None, str | None]:
    subject = unit.subject
    assert subject is not None
    if id == "advice.argument.shapes":
        code, replaced = decorator_with(subject, "reduce_retracing=True")
        before = unit.lines.get(replaced, "").strip() if replaced else None
        return replaced or subject.line, before, code
    if record is None:
        return None, None, None
    fix = fix_for(subject, Cell(), record)
    if id == "advice.place.function_again":
        return subject.line, (subject.source or "").strip().split("\n")[0], fix.code if fix else None
    before = record.site.expression or None
    return record.site.line or None, before, fix.code if fix else None


@rule("argument.equal_numbers", note=True, helpers=False)
def equal_numbers(unit: Unit) -> Iterator[Finding]:
    """`1`, `1.0` and `True`: equal in Python, and one trace in TensorFlow."""
    seen: dict[str, dict[str, Any]] = {}
    for record in unit.subject.traces if unit.subject is not None else ():
        for leaf in record.key:
            if leaf.kind == "literal" and leaf.data["type"] in ("bool", "int", "float"):
                seen.setdefault(leaf.path, {}).setdefault(leaf.data["type"], []).append(leaf.data["value"])
    for path, types in seen.items():
        values = [(name, text) for name, texts in types.items() for text in texts]
        for index, (name, text) in enumerate(values):
            twin = next((other for other in values[:index] if other[0] != name and _equal(other[1], text)), None)
            if twin is not None:
                yield Finding(
                    message(
                        "advice.argument.equal_numbers",
                        path=path,
                        now=text,
                        now_type=name,
                        was=twin[1],
                        was_type=twin[0],
                    ),
                    unit.subject.line if unit.subject else None,
                )
                break


def _equal(one: str, other: str) -> bool:
    try:
        return bool(ast.literal_eval(one) == ast.literal_eval(other))
    except (ValueError, SyntaxError):
        return False


@rule("argument.bound", note=True, helpers=False)
def bound(unit: Unit) -> Iterator[Finding]:
    """A Python value in a trace that `get_concrete_function` asked for: it is part of that concrete function."""
    for record in unit.subject.traces if unit.subject is not None else ():
        if not any(reason.id == "retrace.requested" for reason in record.reasons) and "get_concrete" not in (
            record.site.expression
        ):
            continue
        for leaf in record.key:
            if leaf.kind == "literal" and not leaf.default:
                yield Finding(
                    message("advice.argument.bound", path=leaf.path, value=leaf.data["value"], trace=record.number),
                    record.site.line or None,
                    record.site.expression or None,
                )


@rule("argument.attribute_lost", helpers=False)
def lost_attributes(unit: Unit) -> Iterator[Finding]:
    """An attribute that the user set on a tensor is read from an argument, which is another tensor."""
    from graphlab.core.tensor import EagerTensor, SymbolicTensor
    from graphlab.eager.variable import Variable

    kinds = (EagerTensor, SymbolicTensor, Variable)
    parameters = {arg.arg for arg in unit.parameters}
    for node in unit.walk(ast.Attribute, ast.Call):
        if isinstance(node, ast.Call):
            if not (isinstance(node.func, ast.Name) and node.func.id in ("hasattr", "getattr") and len(node.args) > 1):
                continue
            owner, name = node.args[0], node.args[1]
            attribute = name.value if isinstance(name, ast.Constant) else None
        else:
            owner, attribute = node.value, node.attr
        if not isinstance(owner, ast.Name) or owner.id not in parameters or owner.id not in unit.tensors:
            continue
        if unit.subject is None or not (unit.subject.traces or unit.subject.failures):
            continue
        if not isinstance(attribute, str) or any(hasattr(kind, attribute) for kind in kinds) or attribute in _KNOWN:
            continue
        yield Finding(
            message("advice.argument.attribute_lost", path=owner.id, name=attribute),
            node.lineno,
            unit.line(node),
            None,
        )


_KNOWN: Final = frozenset(
    (
        "assign", "assign_add", "assign_sub", "value", "read_value", "trainable", "initial_value", "handle", "numpy",
        "initializer", "initialized_value", "scatter_add", "scatter_update", "values", "indices", "dense_shape",
        "row_splits", "flat_values", "to_tensor", "row_lengths", "synchronization", "aggregation",
        "T", "ravel", "tolist",
    )
)  # fmt: skip


def _changed(unit: Unit, name: str) -> bool:
    """Whether a function changes what a parameter holds, or hands it out to others who may."""
    for node in unit.nodes:
        touched: ast.expr | None = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            touched = node.func.value
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            touched = node.value
        elif isinstance(node, ast.AugAssign):
            touched = node.target
        elif isinstance(node, ast.Return):
            touched = node.value
        if isinstance(touched, ast.Name) and touched.id == name:
            return True
    return False


@rule("argument.mutable_default", stops=True)
def mutable_defaults(unit: Unit) -> Iterator[Finding]:
    """A list, dict or set as a default: one object for all calls, changed while tracing only."""
    if isinstance(unit.tree, ast.Module):
        return
    args = unit.tree.args
    positional = [*args.posonlyargs, *args.args]
    given = [*zip(positional[len(positional) - len(args.defaults) :], args.defaults, strict=True)]
    given += [(arg, value) for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value is not None]
    for arg, default in given:
        if isinstance(default, ast.List | ast.Dict | ast.Set) and _changed(unit, arg.arg):
            yield Finding(
                message("advice.argument.mutable_default", code=ast.unparse(default)),
                unit.tree.lineno,
                unit.lines.get(unit.tree.lineno, "").strip(),
                unit.rewritten(default, "None"),
            )
