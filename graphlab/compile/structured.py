"""Operations with bodies: nested functions as calls, branches as native ``if``, loops as native ``while``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from graphlab.compile import scalars
from graphlab.compile.names import Block, Value
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

if TYPE_CHECKING:
    from graphlab.compile.emit import Emitter


def call(emitter: Emitter, op: Operation, depth: int, block: Block, index: int) -> None:
    """A nested function: a call of its own generated function."""
    target = emitter._call(op.attrs["f"])
    function = f"f_{len(emitter.env)}"
    emitter.env[function] = target.raw
    emitter.uses_fp |= target.uses_fp
    text = f"{function}({', '.join(emitter.array(t) for t in op.inputs)})"
    if not op.outputs:
        emitter.line(depth, text, op)
        return
    targets = [emitter.fresh("v") for _ in op.outputs]
    for output, name in zip(op.outputs, targets, strict=True):
        emitter.values[id(output)] = Value(name)
    emitter.line(depth, f"{', '.join(targets)} = {text}", op)


def inner(emitter: Emitter, graph: FuncGraph, arguments: list[Value], outputs: list[Any], depth: int) -> None:
    """Emits a body in place with its parameters standing for values of the code around it."""
    for placeholder, value in zip(graph.parameters, arguments, strict=True):
        emitter.values[id(placeholder)] = value
    emitter.block(graph, outputs, depth)


def _head(emitter: Emitter, start: int, test: Any) -> str:
    """The text of a condition; its own statement is taken back if it is the last one since ``start``."""
    text = emitter.value(test).text
    root = emitter.root(test)
    owner = emitter.owners[-1] if len(emitter.lines) > start else None
    if owner is not None and root.op is owner and owner.type in scalars.TESTS:
        left, _, right = emitter.lines[-1].strip().partition(" = ")
        if left == text and emitter.values[id(root)].number is not None:
            emitter.lines.pop()
            emitter.owners.pop()
            return right
    return text


def branch(emitter: Emitter, op: Operation, depth: int, block: Block, index: int) -> None:
    """``If``: both bodies in place."""
    test = emitter.root(op.inputs[0])
    once = sum(1 for t in op.inputs if emitter.root(t) is test) == 1
    head = _head(emitter, 0, test) if once and block.last[id(test)] == index else emitter.value(test).text
    _arms(emitter, op, [op.attrs["then_branch"], op.attrs["else_branch"]], [f"if {head}:", "else:"], depth, block)


def case(emitter: Emitter, op: Operation, depth: int, block: Block, index: int) -> None:
    """``Case``: the body whose number the first input gives; out of range, the last."""
    branches = op.attrs["branches"]
    chosen = emitter.value(op.inputs[0]).text
    heads = [f"{'el' if i else ''}if {chosen} == {i}:" for i in range(len(branches))]
    heads[-1] = "else:" if len(branches) > 1 else "if True:"
    _arms(emitter, op, branches, heads, depth, block)


def _arms(emitter: Emitter, op: Operation, graphs: list[FuncGraph], heads: list[str], depth: int, block: Block) -> None:
    """Alternatives: each under its head, results in common names."""
    used = [i for i, output in enumerate(op.outputs) if id(output) in block.last]
    targets = [emitter.fresh("v") for _ in used]
    arguments = [emitter.value(t) for t in op.inputs[1:]]
    written: list[tuple[list[str], list[Operation | None], list[Value], list[Any]]] = []
    around = emitter.lines, emitter.owners
    for graph in graphs:
        emitter.lines, emitter.owners = [], []
        outputs = [graph.outputs[i] for i in used]
        inner(emitter, graph, arguments, outputs, depth + 1)
        written.append((emitter.lines, emitter.owners, [emitter.value(t) for t in outputs], outputs))
    emitter.lines, emitter.owners = around
    # A result is a Python number as soon as it is one in some arm.
    kinds: list[Any] = [None] * len(used)
    for position, index in enumerate(used):
        output = op.outputs[index]
        if emitter.loops and emitter.may_be_number(output) and any(w[2][position].number is not None for w in written):
            kinds[position] = output.dtype
    for head, (lines, owners, values, outputs) in zip(heads, written, strict=True):
        emitter.line(depth, head, op)
        emitter.lines += lines
        emitter.owners += owners
        texts = []
        for kind, value, tensor in zip(kinds, values, outputs, strict=True):
            emitter.values[id(emitter.root(tensor))] = value
            texts.append(emitter.array(tensor) if kind is None else emitter.number(tensor))
        if targets:
            emitter.line(depth + 1, f"{', '.join(targets)} = {', '.join(texts)}", op)
        elif not lines:
            emitter.line(depth + 1, "pass", op)
    for position, name, kind in zip(used, targets, kinds, strict=True):
        emitter.values[id(op.outputs[position])] = Value(name, kind)


def loop(emitter: Emitter, op: Operation, depth: int, block: Block, index: int) -> None:
    """``While``: a native loop over the state that the results and the condition need."""
    cond, body = op.attrs["cond"], op.attrs["body"]
    parameters = body.parameters
    results = [emitter.root(t) for t in body.outputs]
    invariant = [results[i] is emitter.root(parameters[i]) for i in range(len(results))]
    live = live_state(emitter, cond, body, [id(o) in block.last for o in op.outputs])
    values: list[Value] = []
    for position, tensor in enumerate(op.inputs):
        outer = emitter.value(tensor)
        whole = live[position] and emitter.may_be_number(parameters[position])
        if invariant[position] or not live[position]:
            if whole and outer.number is None:
                name = emitter.fresh("v")
                emitter.line(depth, f"{name} = {emitter.number(tensor)}", op)
                outer = Value(name, parameters[position].dtype, outer.text)
            values.append(outer)
            continue
        name = emitter.fresh("v")
        emitter.line(depth, f"{name} = {emitter.number(tensor) if whole else emitter.array(tensor)}", op)
        values.append(Value(name, parameters[position].dtype if whole else None))
    emitter.loops += 1
    emitter.line(depth, "while True:", op)
    start = len(emitter.lines)
    inner(emitter, cond, values, [cond.outputs[0]], depth + 1)
    head = _head(emitter, start, cond.outputs[0])
    if len(emitter.lines) == start:
        emitter.lines[-1] = "    " * depth + f"while {head}:"
    else:
        emitter.line(depth + 1, f"if not ({head}): break" if " " in head else f"if not {head}: break", op)
    changed = [i for i in range(len(values)) if live[i] and not invariant[i]]
    inner(emitter, body, values, [body.outputs[i] for i in changed], depth + 1)
    new = [
        emitter.array(body.outputs[i]) if values[i].number is None else emitter.number(body.outputs[i]) for i in changed
    ]
    if changed:
        emitter.line(depth + 1, f"{', '.join(values[i].text for i in changed)} = {', '.join(new)}", op)
    elif len(emitter.lines) == start:
        emitter.line(depth + 1, "pass", op)
    emitter.loops -= 1
    for output, value in zip(op.outputs, values, strict=True):
        if value.number is not None and not emitter.loops and id(output) in block.last:
            emitter.values[id(output)] = value
            boxed = emitter.array(output)
            if boxed != value.boxed:
                emitter.line(depth, f"{value.text} = {boxed}", op)
            value = Value(value.text if boxed != value.boxed else boxed)
        emitter.values[id(output)] = value
    _share(emitter, op, block)


def _share(emitter: Emitter, op: Operation, block: Block) -> None:
    """What goes through a loop unchanged has one name before and after it, which is free when nobody needs either."""
    groups: dict[str, set[int]] = {}
    for tensor, output in zip(op.inputs, op.outputs, strict=True):
        text = emitter.value(tensor).text
        if emitter.values[id(output)].text == text:
            groups.setdefault(text, set()).update((id(emitter.root(tensor)), id(output)))
    for group in groups.values():
        known = [tensor for tensor in group if tensor in block.last]
        end = max((block.last[tensor] for tensor in known), default=0)
        for tensor in known:
            block.last[tensor] = end


def live_state(emitter: Emitter, cond: FuncGraph, body: FuncGraph, used: list[bool]) -> list[bool]:
    """Which loop variables matter: to what follows, to the condition, to effects, or to another that matters."""
    program, root = emitter.program, emitter.root
    live = list(used)

    def mark(graph: FuncGraph, outputs: list[Any]) -> None:
        parameters = {id(t): i for i, t in enumerate(graph.parameters)}
        for tensor in outputs:
            if id(root(tensor)) in parameters:
                live[parameters[id(root(tensor))]] = True
        for node in program.needed(program.ops(graph), outputs):
            for tensor in program.uses(node):
                if id(root(tensor)) in parameters:
                    live[parameters[id(root(tensor))]] = True

    mark(cond, [cond.outputs[0]])
    while True:
        before = list(live)
        mark(body, [t for i, t in enumerate(body.outputs) if live[i]])
        if live == before:
            return live


STRUCTURED: Final[dict[str, Callable[[Emitter, Operation, int, Block, int], None]]] = {
    "PartitionedCall": call,
    "StatefulPartitionedCall": call,
    "If": branch,
    "StatelessIf": branch,
    "Case": case,
    "StatelessCase": case,
    "While": loop,
    "StatelessWhile": loop,
}
