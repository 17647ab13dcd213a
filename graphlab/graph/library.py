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

from graphlab.core import dtypes
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


def _free(name: str, taken: set[str], first: int = 1) -> str:
    """The name, or with a number (``first`` or more) the first one that is not taken; taken from now on."""
    found, count = name, first
    while found in taken:
        found = f"{name}_{count}"
        count += 1
    taken.add(found)
    return found


def _stem(graph: FuncGraph, number: int) -> str:
    """What the name of a function that is called begins with."""
    if "backward" in graph.attrs:
        return f"__inference_{graph.name}_{number}"
    return f"__forward_{graph.name}" if "forward" in graph.attrs else f"__inference_{graph.name}"


def _own_results(graph: FuncGraph) -> int:
    """How many results a branch had before gradients added to them; a loop has all as its own."""
    return (
        int(graph.attrs.get("own_results", len(graph.outputs))) if graph.loop_variables is None else len(graph.outputs)
    )


def _rewritten(graph: FuncGraph) -> bool:
    return _own_results(graph) < len(graph.outputs)


def _original(graph: FuncGraph) -> FuncGraph:
    """Of a copy of a branch or loop, made for a gradient that changed nothing, what it is a copy of."""
    if graph.cloned_from is None:
        return graph
    source = graph.cloned_from[0]
    if len(source.ops) != len(graph.ops) or len(source.outputs) != len(graph.outputs):
        return graph
    for op, before in zip(graph.ops, source.ops, strict=True):
        inner = zip(_bodies(op), _bodies(before), strict=True)
        if any(_original(one) is not _original(other) for (_, one), (_, other) in inner):
            return graph
    return _original(source)


def _before(graph: FuncGraph, label: str) -> list[FuncGraph]:
    """What a function was before gradients added to its results: it stays in the library."""
    if not label:
        return [graph.attrs["forward"]] if "forward" in graph.attrs else []
    return [_original(graph.cloned_from[0])] if graph.cloned_from is not None and _rewritten(graph) else []


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
        self._copies: dict[int, FuncGraph] = {}  # of a body that is as it was: the body
        self._arguments: dict[int, dict[int, str]] = {}
        taken: set[str] = set()
        pending: list[_Body | None] = [None]
        while pending:
            outer = pending.pop()
            for op in (self._graph if outer is None else outer.graph).ops:
                for label, given in _bodies(op):
                    body = _original(given) if label else given
                    if body is not given:
                        self._copies[id(given)] = body
                    if id(body) in self._bodies:
                        continue
                    around = outer.prefix if outer is not None else ""
                    prefix = f"{around}{op.name}/" if label else ""
                    if hasattr(body, "forward"):  # the gradient of a branch has a scope of its own
                        prefix = f"{around}{op.name}".rpartition("/")[0] + "/"
                    for one in (*_before(body, label), body):
                        if id(one) in self._bodies:
                            continue
                        stem = f"{prefix.replace('/', '_')}{label}" if label else _stem(one, len(self._bodies))
                        count = len(self._bodies)
                        while (name := f"{stem}_{count}") in taken:
                            count += 1
                        taken.add(name)
                        found = self._bodies[id(one)] = _Body(one, label, op, outer, prefix, name)
                        pending.append(found)
        for found in self._bodies.values():
            found.name = self._name(found)
        self._function_names = {key: body.name for key, body in self._bodies.items()}
        self._function_names |= {key: self._bodies[id(body)].name for key, body in self._copies.items()}

    def _name(self, body: _Body) -> str:
        """The name of a function; those made for the gradient of a branch follow that of the branch."""
        forward = self._forward(body)
        if forward is not None:
            stem = self._name(forward).removesuffix("_rewritten")
            return f"{stem}_grad_{body.name.rpartition('_')[2]}"
        if body.label and body.graph.cloned_from is not None and _rewritten(body.graph):
            before = self._bodies.get(id(_original(body.graph.cloned_from[0])))
            return body.name if before is None else f"{before.name}_rewritten"
        return body.name

    def _forward(self, body: _Body) -> _Body | None:
        """Of the gradient of a branch: the branch."""
        graph = getattr(body.graph, "forward", None)
        return self._bodies.get(id(self._copies.get(id(graph), graph)))

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
            results = set(self._results(body))
            return {id(p.op): _free(argument_name(p.op.name), results, 0) for p in parameters}
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
        forward = self._forward(body)
        if forward is not None:
            captured: Any = body.graph._origins.get(id(parameter))
            if captured is None:
                return f"gradients/grad_ys_{index}/{self._source(body.fed(index), body.outer)[0]}"
            around: str = body.graph.users[id(captured)][0]  # type: ignore[attr-defined]
            inside: FuncGraph = body.graph.forward  # type: ignore[attr-defined]
            if captured.op.graph is not inside:
                return around + self._source(body.fed(index), body.outer)[0]
            place = next((i for i, p in enumerate(inside.parameters) if p is captured), None)
            if place is None:
                return f"{around}{forward.prefix}{captured.op.name}"
            return around + self._names(forward)[id(forward.graph.parameters[place].op)]
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

    def _results(self, body: _Body) -> list[str]:
        """The names of the results of a function that is called."""
        taken: set[str] = set()
        return [_free(argument_name(t.op.name), taken, 0) for t in body.graph.outputs]

    # -- functions -----------------------------------------------------------------------------------------------------

    def _wrapped(self, body: _Body) -> list[str | None]:
        """For each result of a branch or loop the ``Identity`` that gives it; None where there is none."""
        if not body.label:
            return [None] * len(body.graph.outputs)
        names = _names_of(body.graph, body.graph.parameters)
        loop = body.label == "body"
        fillers = getattr(body.graph, "fillers", ())
        return [
            None if (loop and body.is_capture(index)) or index in fillers else names.unique("Identity")
            for index in range(len(body.graph.outputs))
        ]

    def _function(self, body: _Body) -> FunctionDef:
        graph, prefix = body.graph, body.prefix
        arguments = self._names(body)

        # Results, arguments and nodes of a function that is called have names of their own.
        results = [] if body.label else self._results(body)
        taken = {*results, *arguments.values()} if results else set()
        own = {id(op): prefix + (_free(op.name, taken, 0) if results else op.name) for op in graph.ops}

        def reference(tensor: Any) -> str:
            op = tensor.op
            return arguments.get(id(op)) or f"{own[id(op)]}:{_output(tensor)}"

        opened = self._opened(body, arguments)
        edges, run = control_edges(graph)
        wait = [f"^{prefix}NoOp"] if run else []
        returned = set() if body.label else {id(t.op) for t in graph.outputs}
        signature = OpDef(body.name, [ArgDef(arguments[id(p.op)], p.dtype.as_datatype_enum) for p in graph.parameters])
        definition = FunctionDef(signature)
        fillers = {id(graph.outputs[index].op) for index in getattr(graph, "fillers", ())}
        behind: list[NodeDef] = []
        for op in graph.ops:
            if id(op) in arguments or op.type == "FakeParam":
                continue
            for tensor in op.inputs:
                if id(tensor.op) in opened:
                    value, user, waits = opened.pop(id(tensor.op))
                    name = f"{prefix}{user}OptionalGetValue"
                    definition.node_def.append(
                        NodeDef(name, "OptionalGetValue", [value, *(f"^{own[id(w)]}" for w in waits)])
                    )
                    arguments = {**arguments, id(tensor.op): f"{name}:components:0"}
            node = node_def(op, self._function_names)
            node.name = own[id(op)]
            node.input = [reference(t) for t in op.inputs] + [f"^{own[id(c)]}" for c in edges[id(op)]]
            if id(op) in returned and op.type == "Identity":
                node.input += wait
            (behind if id(op) in fillers else definition.node_def).append(node)
        own_results = _own_results(graph) if body.label else len(graph.outputs)
        for index, (tensor, identity) in enumerate(zip(graph.outputs, self._wrapped(body), strict=True)):
            if index >= own_results:
                break
            value = reference(tensor)
            if identity is not None:
                node = NodeDef(f"{prefix}{identity}", "Identity", [value, *wait])
                node.attr["T"] = AttrValue(type=tensor.dtype.as_datatype_enum)
                definition.node_def.append(node)
                name, value = argument_name(node.name), f"{node.name}:output:0"
            elif body.label == "body":
                name = arguments[id(graph.parameters[index].op)].removesuffix("_0")
            else:
                name = argument_name(own[id(tensor.op)]) if body.label else results[index]
            if body.label:
                name = _free(name, taken)
            signature.output_arg.append(ArgDef(name, tensor.dtype.as_datatype_enum))
            definition.ret[name] = value
        if wait and graph.outputs:
            definition.node_def.append(NodeDef(f"{prefix}NoOp", "NoOp", [f"^{own[id(op)]}" for op in run]))
        definition.node_def += behind
        # What the gradient of a branch takes from it: the other branches do not have it.
        names = _names_of(graph)
        for tensor in graph.outputs[own_results:]:
            kind = "OptionalNone" if tensor.op.type == "FakeParam" else "OptionalFromValue"
            given = [] if kind == "OptionalNone" else [reference(tensor)]
            node = NodeDef(prefix + names.unique(kind), kind, given)
            definition.node_def.append(node)
            signature.output_arg.append(ArgDef(argument_name(node.name), dtypes.variant.as_datatype_enum))
            definition.ret[argument_name(node.name)] = f"{node.name}:optional:0"
        return definition

    def _opened(self, body: _Body, arguments: dict[int, str]) -> dict[int, tuple[str, str, list[Operation]]]:
        """Of the gradient of a branch, the values from inside of the branch, by ``id`` of the argument's operation.

        Each has its argument, the operation for which it is taken out of it, and what that waits for.
        """
        inside = getattr(body.graph, "forward", None)
        if inside is None:
            return {}
        given = {id(p) for p in inside.parameters}
        found = {}
        for parameter in body.graph.parameters:
            captured = body.graph._origins.get(id(parameter))
            if captured is not None and captured.op.graph is inside and id(captured) not in given:
                user, waits = body.graph.users[id(captured)]  # type: ignore[attr-defined]
                found[id(parameter.op)] = arguments[id(parameter.op)], user, waits
        return found
