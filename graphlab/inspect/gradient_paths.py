"""Where gradients flow: from a target back to a source, over what a tape recorded and through the graphs it called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from graphlab.core.op import NOT_DIFFERENTIABLE
from graphlab.core.position import Position
from graphlab.eager.array_gradients import view
from graphlab.graph.backprop import OpView, differentiable, key_of
from graphlab.graph.func_graph import FuncGraph

_BODIES: Final = ("f", "then_branch", "else_branch", "branches", "body")
_PYTHON: Final = frozenset(("PyFunc", "EagerPyFunc", "PyFuncStateless"))
_STOPPING: Final = frozenset(("StopGradient", "PreventGradient"))


@dataclass
class Block:
    """An operation that lies between source and target and lets no gradient through.

    Attributes:
      kind: the last part of the message's id.
      op: its type.
      position: where it was made; empty for an operation that ran eagerly.
      function: the name of the traced function in which it is; empty if in none.
      dtype: what it gives, of ``to_integer``.
    """

    kind: str
    op: str
    position: Position = ()
    function: str = ""
    dtype: str = ""


@dataclass
class Way:
    """What was found on the way back from a target.

    Attributes:
      ops: the types of the operations on the way, from the source to the target; None if there is no open way.
      blocks: what closes the ways that there are, nearest to the target first.
    """

    ops: list[str] | None = None
    blocks: list[Block] = field(default_factory=list)


@dataclass
class _Node:
    """An operation, whether a tape noted it or a graph holds it."""

    type: str
    record: Any
    attrs: Any
    inputs: Sequence[Any]
    outputs: Sequence[Any]
    position: Position


def recorded(tape: Any) -> list[_Node]:
    """The entries of a tape."""
    return [_node(view(entry)) for entry in tape.entries or ()]


def _node(entry: OpView) -> _Node:
    op = getattr(entry.outputs[0], "op", None) if entry.outputs else None
    position = op.position if op is not None else ()
    return _Node(entry.type, entry.record, entry.attrs, entry.inputs, entry.outputs, position)


def of_graph(graph: Any) -> list[_Node]:
    """The operations of a graph."""
    return [_Node(op.type, op.record, op.attrs, op.inputs, op.outputs, op.position) for op in graph.ops]


def way(nodes: Sequence[_Node], target: Any, source: Any, function: str = "") -> Way:
    """The way from ``target`` back to ``source`` over operations that pass gradients on."""
    made: dict[int, tuple[_Node, int]] = {}
    for node in nodes:
        for index, output in enumerate(node.outputs):
            made[key_of(output)] = node, index
    wanted = key_of(source)
    reach = _reach(nodes, wanted)
    result = Way()
    seen: set[int] = set()
    pending: list[tuple[Any, list[str]]] = [(target, [])]
    while pending:
        tensor, ops = pending.pop()
        key = key_of(tensor)
        if key == wanted:
            result.ops = ops[::-1]
            return result
        if key in seen or key not in made:
            continue
        seen.add(key)
        node, index = made[key]
        if not any(key_of(t) in reach for t in node.inputs):
            continue
        block = _block(node, tensor, function)
        if block is not None:
            result.blocks.append(block)
            continue
        inner = _inside(node, index, reach, function)
        for position, given in enumerate(node.inputs):
            if key_of(given) not in reach or (inner is not None and position < inner.first):
                continue  # what decides between branches takes no part in their gradients
            if not differentiable(given.dtype):
                result.blocks.append(_integer(given, made, function))
            elif inner is None or position in inner.open:
                pending.append((given, [*ops, node.type]))
        if inner is not None:
            result.blocks += inner.blocks
    return result


def _reach(nodes: Sequence[_Node], source: int) -> set[int]:
    """The keys of everything that depends on the source, whether gradients flow or not."""
    found = {source}
    for node in nodes:
        if any(key_of(t) in found for t in node.inputs):
            found.update(key_of(t) for t in node.outputs)
    return found


def _block(node: _Node, tensor: Any, function: str) -> Block | None:
    """Why no gradient passes an operation; None if it may."""
    if not differentiable(tensor.dtype):
        return Block("to_integer", node.type, node.position, function, tensor.dtype.name)
    if node.type in _STOPPING:
        return Block("stopped", node.type, node.position, function)
    gradient = node.record.gradient
    if node.type in _PYTHON and (gradient is NOT_DIFFERENTIABLE or gradient is None):
        return Block("python", node.type, node.position, function)
    if gradient is NOT_DIFFERENTIABLE:
        return Block("no_gradient", node.type, node.position, function)
    if gradient is None:
        return Block("missing", node.type, node.position, function)
    return None


def _integer(tensor: Any, made: dict[int, tuple[_Node, int]], function: str) -> Block:
    """The operation that made integers on the way."""
    node = made.get(key_of(tensor))
    if node is None:
        return Block("to_integer", tensor.dtype.name, (), function, tensor.dtype.name)
    return Block("to_integer", node[0].type, node[0].position, function, tensor.dtype.name)


@dataclass
class _Inside:
    """What the graphs that an operation runs say of its inputs.

    Attributes:
      first: the first input that they take.
      open: the inputs on which the result depends.
      blocks: what closes the ways, if all are closed.
    """

    first: int
    open: set[int]
    blocks: list[Block]


def _graphs(attrs: Any) -> Iterator[tuple[str, FuncGraph]]:
    for key in _BODIES:
        value = attrs.get(key)
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(item, FuncGraph):
                yield key, item


def _inside(node: _Node, index: int, reach: set[int], function: str) -> _Inside | None:
    """Which inputs of a call or branch its result depends on; a loop may carry any to any."""
    graphs = list(_graphs(node.attrs))
    if not graphs or "body" in dict(graphs):
        return None
    open_: set[int] = set()
    blocks: list[Block] = []
    first = len(node.inputs) - len(graphs[0][1].parameters)
    for key, graph in graphs:
        if index >= len(graph.outputs):
            return None
        parameters = graph.parameters
        nodes = of_graph(graph)
        for position, parameter in enumerate(parameters):
            if key_of(node.inputs[first + position]) not in reach:
                continue
            found = way(nodes, graph.outputs[index], parameter, graph.name if key == "f" else function)
            if found.ops is not None:
                open_.add(first + position)
            blocks += found.blocks
    return _Inside(first, open_, [] if open_ else blocks)
