"""The functions that a GraphDef's nodes name, with the names that TensorFlow gives to their arguments and nodes.

The body of a branch or loop is traced under the name of its operation: everything in it begins with ``cond/``, its
arguments are called after the operation that uses them and the tensor they stand for (``cond/mul/x`` is
``cond_mul_x``), and what it returns goes through an ``Identity``.  The graphs themselves have the short names, which
pictures show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from graphlab.core.op import FIXED
from graphlab.core.tensor import EagerTensor
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.graph import Graph
from graphlab.graph.graphdef import ArgDef, AttrValue, FunctionDef, GraphDef, NodeDef, OpDef, control_edges, node_def
from graphlab.graph.operation import Operation

_LABELS: Final = {"then_branch": "true", "else_branch": "false", "cond": "cond", "body": "body"}


@dataclass
class _Body:
    """A function of the library.

    Attributes:
      graph: its graph.
      label: ``true``, ``false``, ``branch0``, ``cond`` or ``body``; empty for a function that is called.
      op: the first operation that was found to run it.
      outer: the function in which that operation is; None if it is in the graph itself.
      prefix: what the names of its nodes begin with.
      name: its own name.
    """

    graph: FuncGraph
    label: str
    op: Operation
    outer: _Body | None
    prefix: str
    name: str

    def is_capture(self, index: int) -> bool:
        """True if an argument is a captured tensor; False for the variables of a loop and the arguments of a call."""
        return bool(self.label) and index >= (self.graph.loop_variables or 0)

    def fed(self, index: int) -> Any:
        """The tensor that the operation passes for an argument."""
        return self.op.inputs[index + len(self.op.inputs) - len(self.graph.parameters)]


def _bodies(op: Operation) -> Iterator[tuple[str, FuncGraph]]:
    for key, value in op.attrs.items():
        if isinstance(value, FuncGraph):
            yield _LABELS.get(key, ""), value
        elif isinstance(value, (list, tuple)):
            for index, item in enumerate(value):
                if isinstance(item, FuncGraph):
                    yield f"branch{index}", item


def argument_name(name: str) -> str:
    """As TensorFlow writes names of nodes for arguments and results of functions: ``add_y`` for ``add/y``."""
    return "".join(c if c.isalnum() else "_" for c in name).lower()


def _free(name: str, taken: set[str]) -> str:
    """The name, or with a number the first one that is not taken; taken from now on."""
    found, count = name, 0
    while found in taken:
        count += 1
        found = f"{name}_{count}"
    taken.add(found)
    return found


def _names_of(graph: Any, parameters: Sequence[Any] = ()) -> Graph:
    """A graph that gives out names which the other does not have yet; those of its parameters do not count."""
    names = Graph()
    names._names = dict(graph._names)
    for parameter in parameters:
        names._names.pop(parameter.op.name.lower(), None)
    return names


def _uses(graph: FuncGraph, index: int) -> bool:
    parameter = graph.parameters[index]
    return any(t is parameter for op in graph.ops for t in op.inputs) or any(t is parameter for t in graph.outputs)


def _output(tensor: Any) -> str:
    """``z:0``: the name of an op's result, and which of a list."""
    op = tensor.op
    offset = tensor.index
    for param in op.record.outputs:
        width = 1
        if param.kind > FIXED + 1:
            width = op.attrs[param.count] if param.count else len(op.attrs[param.type])
        if offset < width:
            return f"{param.name}:{offset}"
        offset -= width
    return f"output:{tensor.index}"


class Library:
    """The functions of a graph, found from the operations that run them."""

    def __init__(self, graph: Any) -> None:
        self._graph = graph
        self._bodies: dict[int, _Body] = {}
        self._arguments: dict[int, dict[int, str]] = {}
        taken: set[str] = set()
        pending: list[_Body | None] = [None]
        while pending:
            outer = pending.pop()
            for op in (graph if outer is None else outer.graph).ops:
                for label, body in _bodies(op):
                    if id(body) in self._bodies:
                        continue
                    prefix = f"{outer.prefix if outer is not None else ''}{op.name}/" if label else ""
                    stem = f"{prefix.replace('/', '_')}{label}" if label else f"__inference_{body.name}"
                    count = len(self._bodies)
                    while (name := f"{stem}_{count}") in taken:
                        count += 1
                    taken.add(name)
                    found = self._bodies[id(body)] = _Body(body, label, op, outer, prefix, name)
                    pending.append(found)
        self._function_names = {key: body.name for key, body in self._bodies.items()}

    def definition(self) -> GraphDef:
        """The graph and all functions."""
        result = GraphDef(self._nodes())
        result.library.function = [self._function(body) for body in self._bodies.values()]
        return result

    def _nodes(self) -> list[NodeDef]:
        graph = self._graph
        results = getattr(graph, "outputs", ())
        edges, run = control_edges(graph)
        returned = {id(t.op) for t in results} if run else set()
        nodes = []
        wait = _names_of(graph).unique("NoOp")
        for op in graph.ops:
            node = node_def(op, self._function_names, edges[id(op)])
            if id(op) in returned and op.type == "Identity":
                node.input.append(f"^{wait}")
            nodes.append(node)
        if run and results:
            nodes.append(NodeDef(wait, "NoOp", [f"^{op.name}" for op in run]))
        return nodes

    # -- arguments -----------------------------------------------------------------------------------------------------

    def _source(self, tensor: Any, body: _Body | None) -> tuple[str, bool]:
        """The name of the tensor for which one of a body stands, seen through captures; and whether it was eager."""
        graph = self._graph if body is None else body.graph
        op = tensor.op
        for outer, inner in getattr(graph, "captures", ()):
            if inner is tensor:
                return (op.name, True) if isinstance(outer, EagerTensor) else (outer.op.name, False)
        if body is None or not body.label:
            return op.name, False
        index = next((i for i, p in enumerate(body.graph.parameters) if p is tensor), None)
        if index is None:
            return body.prefix + op.name, False
        if not body.is_capture(index):
            return self._names(body)[id(op)], False
        return self._source(body.fed(index), body.outer)

    def _names(self, body: _Body) -> dict[int, str]:
        """The arguments' names, by ``id`` of their placeholder's operation."""
        found = self._arguments.get(id(body))
        if found is None:
            found = self._arguments[id(body)] = self._named(body)
        return found

    def _named(self, body: _Body) -> dict[int, str]:
        parameters = body.graph.parameters
        if not body.label:
            return {id(p.op): argument_name(p.op.name) for p in parameters}
        wrapped = dict(zip(map(id, reversed(body.graph.outputs)), reversed(self._wrapped(body)), strict=True))
        names: dict[int, str] = {}
        taken: set[str] = set()
        unused = 0
        for index, parameter in enumerate(parameters):
            if not body.is_capture(index):
                full = "Placeholder" if not index else f"Placeholder_{index}"
            elif body.label != "body" and not _uses(body.graph, index):
                full = "Placeholder" if not unused else f"Placeholder_{unused}"
                if body.label == "cond":
                    full = f"{body.name}___redundant_placeholder{unused}"
                unused += 1
            else:
                full = self._capture(body, index, parameter, wrapped.get(id(parameter)))
            name = _free(argument_name(body.prefix + full), taken)
            # What only passes through a loop's body keeps its name as a result.
            names[id(parameter.op)] = f"{name}_0" if body.label == "body" and body.is_capture(index) else name
        return names

    def _capture(self, body: _Body, index: int, parameter: Any, result: str | None) -> str:
        """``mul/x``: the operation that uses it, and what it is outside."""
        own: str = parameter.op.name
        user, slash, last = own.rpartition("/")
        source, eager = self._source(body.fed(index), body.outer)
        if body.label == "body" and _uses(body.op.attrs["cond"], index):
            # The condition was traced first; what it captured the body had from the beginning.
            return str(id(parameter)) if eager else source
        if eager and slash:
            return own
        if not slash:
            return f"{result}/{source}" if result is not None else source
        base = source.rpartition("/")[2]
        number = last[len(base) :] if last.startswith(base) and "/" not in source else ""
        return f"{user}/{source}{number}" if user else source

    # -- functions -----------------------------------------------------------------------------------------------------

    def _wrapped(self, body: _Body) -> list[str | None]:
        """For each result of a branch or loop the ``Identity`` that gives it; None where there is none."""
        if not body.label:
            return [None] * len(body.graph.outputs)
        names = _names_of(body.graph, body.graph.parameters)
        loop = body.label == "body"
        return [
            None if loop and body.is_capture(index) else names.unique("Identity")
            for index in range(len(body.graph.outputs))
        ]

    def _function(self, body: _Body) -> FunctionDef:
        graph, prefix = body.graph, body.prefix
        arguments = self._names(body)

        def reference(tensor: Any) -> str:
            op = tensor.op
            return arguments.get(id(op)) or f"{prefix}{op.name}:{_output(tensor)}"

        edges, run = control_edges(graph)
        wait = [f"^{prefix}NoOp"] if run else []
        returned = set() if body.label else {id(t.op) for t in graph.outputs}
        signature = OpDef(body.name, [ArgDef(arguments[id(p.op)], p.dtype.as_datatype_enum) for p in graph.parameters])
        definition = FunctionDef(signature)
        for op in graph.ops:
            if id(op) in arguments:
                continue
            node = node_def(op, self._function_names)
            node.name = prefix + op.name
            node.input = [reference(t) for t in op.inputs] + [f"^{prefix}{c.name}" for c in edges[id(op)]]
            if id(op) in returned and op.type == "Identity":
                node.input += wait
            definition.node_def.append(node)
        taken: set[str] = set()
        for index, (tensor, identity) in enumerate(zip(graph.outputs, self._wrapped(body), strict=True)):
            value = reference(tensor)
            if identity is not None:
                node = NodeDef(f"{prefix}{identity}", "Identity", [value, *wait])
                node.attr["T"] = AttrValue(type=tensor.dtype.as_datatype_enum)
                definition.node_def.append(node)
                name, value = argument_name(node.name), f"{node.name}:output:0"
            elif body.label:
                name = arguments[id(graph.parameters[index].op)].removesuffix("_0")
            else:
                name = argument_name(tensor.op.name)
            name = _free(name, taken)
            signature.output_arg.append(ArgDef(name, tensor.dtype.as_datatype_enum))
            definition.ret[name] = value
        if wait and graph.outputs:
            definition.node_def.append(NodeDef(f"{prefix}NoOp", "NoOp", [f"^{prefix}{op.name}" for op in run]))
        return definition
