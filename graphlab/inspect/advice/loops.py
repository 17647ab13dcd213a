"""Loops: what grows, what is unrolled, what has no value, what TensorFlow does not convert."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from graphlab.inspect.advice.finding import Finding, rule
from graphlab.inspect.advice.unit import Unit
from graphlab.messages import message

UNROLLED: Final = 100
"""Operations that a Python loop may leave in a graph before it is told."""


@rule("loop.shape_grows", stops=True)
def growing(unit: Unit) -> Iterator[Finding]:
    """A tensor that gets longer in each iteration of a loop of the graph."""
    for statement in unit.walk(ast.Assign):
        loop = next((node for node in unit.branches(statement) if isinstance(node, ast.For | ast.While)), None)
        target = statement.targets[0]
        if (
            loop is None
            or not isinstance(target, ast.Name)
            or unit.tf(statement.value) not in ("concat", "pad", "tile")
        ):
            continue
        call: Any = statement.value
        if not any(isinstance(node, ast.Name) and node.id == target.id for arg in call.args for node in ast.walk(arg)):
            continue
        if any((unit.tf(node) or "").endswith("set_loop_options") for node in ast.walk(loop)):
            continue
        if _keeps_its_size(unit, loop, statement, target.id):
            continue
        shape = f"{unit.alias}.TensorShape([None])"
        fix = f"{unit.alias}.autograph.experimental.set_loop_options(shape_invariants=[({target.id}, {shape})])"
        yield Finding(
            message("advice.loop.shape_grows", name=target.id, line=statement.lineno), loop.lineno, unit.line(loop), fix
        )


def _keeps_its_size(unit: Unit, loop: ast.For | ast.While, statement: ast.Assign, name: str) -> bool:
    """Whether a part of the tensor replaces it, its shape is asserted afterwards, or its size was never known."""
    for node in ast.walk(statement.value):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == name:
            return True  # a window: what comes is as long as what goes
    for node in ast.walk(loop):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "set_shape":
            others: list[ast.expr] = [node.func.value]
        elif isinstance(node, ast.Assign) and node is not statement and node.lineno >= statement.lineno:
            others = node.targets  # whatever comes out of that, this line does not decide it
        else:
            continue
        if any(isinstance(other, ast.Name) and other.id == name for other in others):
            return True
    shapes = [
        leaf.data["shape"]
        for key in unit.argument_keys(failures_only=True)
        for leaf in key
        if leaf.kind == "tensor" and leaf.path == name
    ]
    return bool(shapes) and all(shape is None or None in shape for shape in shapes)


@rule("loop.variable_after", note=True)
def after_the_loop(unit: Unit) -> Iterator[Finding]:
    """The loop's variable is read after the loop, and nothing gives it a value when there is no iteration."""
    for loop in unit.walk(ast.For):
        if not (unit.is_tensor(loop.iter) and isinstance(loop.target, ast.Name)):
            continue
        name, end = loop.target.id, loop.end_lineno or loop.lineno
        stores = [node for node in unit.walk(ast.Name) if node.id == name and isinstance(node.ctx, ast.Store)]
        if any(node.lineno < loop.lineno for node in stores) or any(arg.arg == name for arg in unit.parameters):
            continue
        later = next((node for node in unit.walk(ast.Name) if node.id == name and node.lineno > end), None)
        if later is not None and isinstance(later.ctx, ast.Load):
            yield Finding(
                message("advice.loop.variable_after", name=name),
                later.lineno,
                unit.line(later),
                f"{name} = {unit.alias}.constant(-1)",
            )


@rule("loop.else", note=True)
def else_of_a_loop(unit: Unit) -> Iterator[Finding]:
    """`else` on a loop of the graph: TensorFlow does not convert it."""
    for loop in unit.walk(ast.For, ast.While):
        decided = unit.is_tensor(loop.iter if isinstance(loop, ast.For) else loop.test)
        if loop.orelse and (decided or any(unit.is_tensor(node.test) for node in _tests(loop))):
            line = loop.orelse[0].lineno - 1
            yield Finding(message("advice.loop.else"), line, unit.lines.get(line, "").strip(), None)


def _tests(loop: ast.For | ast.While) -> Iterator[ast.If]:
    for node in ast.walk(loop):
        if isinstance(node, ast.If) and any(isinstance(inner, ast.Break) for inner in ast.walk(node)):
            yield node


@rule("loop.break", note=True)
def jumps(unit: Unit) -> Iterator[Finding]:
    """`break` and `continue` in a loop of the graph become values of the loop."""
    for node in unit.walk(ast.Break, ast.Continue):
        if any(True for _ in unit.branches(node)):
            word = "break" if isinstance(node, ast.Break) else "continue"
            yield Finding(message("advice.loop.break", code=word), node.lineno, unit.line(node), None)


@rule("loop.generator", stops=True)
def generators(unit: Unit) -> Iterator[Finding]:
    """A loop over a generator stays Python: it is unrolled, or fails on a tensor inside."""
    for loop in unit.walk(ast.For):
        call = loop.iter
        if not isinstance(call, ast.Call):
            continue
        name = unit.dotted(call.func) or ""
        is_tqdm = (unit.full(call.func) or "").split(".")[0] == "tqdm"
        if unit.names.get(name) != "generator" and not is_tqdm:
            continue
        if any(unit.is_tensor(arg) for arg in call.args):
            yield Finding(
                message("advice.loop.generator", code=name),
                loop.lineno,
                unit.line(loop),
                unit.rewritten(call, unit.text(call.args[0])),
            )


@rule("loop.unrolled", cost=True)
def unrolled(unit: Unit) -> Iterator[Finding]:
    """A Python loop wrote its body into the graph once for each iteration."""
    loops = [
        loop
        for loop in unit.walk(ast.For, ast.While)
        if not unit.is_tensor(loop.iter if isinstance(loop, ast.For) else loop.test)
    ]
    if not loops or unit.subject is None or unit.subject.graph is None:
        return
    counts = _by_line(unit)
    times = unit.given.times or 1 if unit.given is not None else 1
    for loop in loops:
        last = loop.end_lineno or loop.lineno
        nodes = sum(counts[line] for line in range(loop.body[0].lineno, last + 1)) // times
        if nodes < UNROLLED or any(isinstance(outer, ast.For | ast.While) for outer in unit.around(loop, ast.For)):
            continue
        after = None
        if isinstance(loop, ast.For) and isinstance(loop.iter, ast.Call) and unit.full(loop.iter.func) == "range":
            after = unit.rewritten(loop.iter.func, f"{unit.alias}.range")
        yield Finding(message("advice.loop.unrolled", n=nodes), loop.lineno, unit.line(loop), after)


def _by_line(unit: Unit) -> Counter[int]:
    from graphlab.inspect.places import Places

    assert unit.subject is not None
    places = Places(unit.subject.filename)
    counts: Counter[int] = Counter()
    for op in unit.subject.graph.ops:
        place = places.of(op.position)
        if place is not None:
            counts[place.line] += 1
    return counts
