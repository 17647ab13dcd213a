"""A traced graph read into a picture: one node for each operation that says something to the user."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Sequence
from typing import Any, Final

import numpy as np

from graphlab.core.position import Place
from graphlab.inspect import graph_bodies
from graphlab.inspect.graph_canvas import Canvas
from graphlab.inspect.graph_model import (
    BRANCHES,
    CALLS,
    LOOPS,
    PASSED,
    RANDOM_STATE,
    Edge,
    Node,
    Picture,
    Value,
    bodies,
    constant_text,
    count_operations,
    needed,
    spec_of,
)
from graphlab.inspect.user_source import shorten, written
from graphlab.tracing.reasons import tensor_text

_SHAPE_FIRST: Final = frozenset(
    ("StatelessRandomNormalV2", "StatelessRandomUniformV2", "StatelessTruncatedNormalV2", "Range", "Reshape")
)
_ARGUMENT_NAMES: Final = {"reduction_indices": "axis", "begin": "from", "y": "", "x": ""}


def picture(graph: Any, filename: str | None, line: int | None = None) -> Picture:
    """The picture of a FuncGraph as it was traced, without what nothing needs.

    Args:
        graph: The FuncGraph.
        filename: The file whose lines nodes carry; positions elsewhere give no line.
        line: The line the function's definition starts at.
    """
    return Builder(filename).build(graph, line)


class Builder(Canvas):
    """Draws a graph, operation by operation, in program order."""

    def build(
        self,
        graph: Any,
        line: int | None,
        captures: Sequence[tuple[Any, Any]] | None = None,
        *,
        ends: Sequence[Any] | None = None,
    ) -> Picture:
        """Draws a whole graph.

        Args:
            graph: The FuncGraph.
            line: The line the function's definition starts at.
            captures: The outer tensor of each of the last parameters, when the graph itself does not say.
            ends: What to draw the way to; the graph's outputs when None.
        """
        self.picture.operations = count_operations(graph)
        inputs = list(graph.inputs)
        if captures is None:
            captures = list(graph.captures)
        else:
            inputs = inputs[: len(inputs) - len(captures)]
        for index, tensor in enumerate(inputs):
            self.argument(tensor, _argument_name(tensor), line, ("arg", index))
        self.captures(captures)
        self.reads_of_results(graph, line)
        self.body(graph, None, ends)
        self.results(graph, line)
        self.effects(graph)
        used = {edge.source for edge in self.picture.edges}
        # A capture that nothing drawn reads (a handle of a variable only read in a body that was pruned) says nothing.
        self.picture.nodes = [node for node in self.picture.nodes if node.kind != "capture" or node.id in used]
        return self.picture

    def reads_of_results(self, graph: Any, line: int | None) -> None:
        """A variable that is returned is read when the function has ended: that belongs to its `return`."""
        at = self.source.return_line(line) if self.source and line else None
        node = self.source.functions.get(line) if self.source and line else None
        if at is None or node is None:
            return
        span = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for tensor in graph.outputs:
            op = getattr(tensor, "op", None)
            while op is not None and op.type in PASSED:
                op = op.inputs[0].op
            if op is None or op.type != "ReadVariableOp":
                continue
            if not any(place.line in span for place in self.places.all(op.position)):
                self.returned[id(op)] = at

    def argument(self, tensor: Any, name: str, line: int | None, key: Hashable) -> None:
        """An argument of the graph."""
        made = Node("", "arg", name, op="Placeholder", name=tensor.op.name, line=line, spec=spec_of(tensor))
        node = self.add(made, key)
        self.values[id(tensor)] = Value((node.id,), name, node.spec)

    def captures(self, captures: Sequence[tuple[Any, Any]]) -> None:
        """What comes from outside: constants as such, everything else as a node."""
        for outer, inner in captures:
            value = inner.op.attrs.get("value")
            if value is not None:
                self.values[id(inner)] = Value((), constant_text(value), spec_of(inner), constant=True)
                continue
            if id(outer) in self.values:
                self.values[id(inner)] = self.values[id(outer)]
                continue
            name, spec = _capture_name(outer, inner)
            node = self.add(
                Node("", "capture", name, op="Placeholder", name=inner.op.name, spec=spec), ("capture", id(outer))
            )
            self.values[id(inner)] = Value((node.id,), name, spec)

    def results(self, graph: Any, line: int | None) -> None:
        """What the function returns, under the names that its last `return` gives."""
        texts = (self.source.returned(line) if self.source and line else None) or []
        at = self.source.return_line(line) if self.source and line else None
        outputs = [tensor for tensor in graph.outputs if tensor is not None]
        for index, tensor in enumerate(outputs):
            if len(texts) == len(outputs):
                name = texts[index]
            elif len(texts) == 1 and len(outputs) > 1:
                name = f"{texts[0]}[{index}]"
            else:
                name = f"[{index}]" if len(outputs) > 1 else ""
            value = self.value(tensor)
            name = shorten(name, 20)
            node = self.add(
                Node("", "result", name, name=tensor.op.name, line=at, spec=spec_of(tensor), inputs=[value.text]),
                ("result", index),
            )
            if value.constant:
                node.label = value.text
            self.connect(value, node, always=True)

    def effects(self, graph: Any) -> None:
        """Control edges, and the order of effects, between nodes that are drawn."""
        seen: set[tuple[str, str]] = {(edge.source, edge.target) for edge in self.picture.edges}

        def visit(current: Any) -> None:
            last: str | None = None
            for op in current.ops:
                target = self.of_op.get(id(op))
                if target is not None:
                    for before in op.control_inputs:
                        origin = self.of_op.get(id(before))
                        if origin is not None and origin != target and (origin, target) not in seen:
                            seen.add((origin, target))
                            self.picture.edges.append(Edge(origin, target, "control"))
                    if getattr(op.record, "effect", None) is not None:
                        if last is not None and last != target and (last, target) not in seen:
                            seen.add((last, target))
                            self.picture.edges.append(Edge(last, target, "effect"))
                        last = target
                for _, body in bodies(op):
                    visit(body)

        visit(graph)

    def body(
        self, graph: Any, cluster: str | None, outputs: Sequence[Any] | None = None, skip: frozenset[int] = frozenset()
    ) -> None:
        wanted = needed(graph, outputs)
        for op in graph.ops:
            if id(op) in skip:
                continue
            if id(op) in wanted:
                self.operation(op, cluster)
            elif self.dead and self.unneeded(op):
                self.plain(op, cluster).dead = True

    def unneeded(self, op: Any) -> bool:
        """Whether an operation that nothing needs is the user's own, rather than what a loop is made of."""
        if op.type in ("Placeholder", "NoOp", "Const") or op.type in PASSED or op.type in RANDOM_STATE or bodies(op):
            return False
        return self.at(op) is not None and not self.of_loop(op)

    def operation(self, op: Any, cluster: str | None) -> None:
        if op.type in ("Placeholder", "NoOp"):
            for tensor in op.outputs:
                self.values.setdefault(id(tensor), Value((), op.name, spec_of(tensor)))
        elif op.type == "Const":
            self.values[id(op.outputs[0])] = Value(
                (), constant_text(op.attrs["value"]), spec_of(op.outputs[0]), constant=True
            )
        elif op.type in LOOPS:
            graph_bodies.loop(self, op, cluster)
        elif op.type in BRANCHES:
            graph_bodies.branch(self, op, cluster)
        elif op.type in CALLS and bodies(op):
            graph_bodies.call(self, op, cluster)
        elif (passed := self.passed(op)) is not None:
            for tensor, value in zip(op.outputs, passed, strict=False):
                self.values[id(tensor)] = value
        else:
            self.plain(op, cluster)

    def passed(self, op: Any) -> list[Value] | None:
        """The values an operation hands on unchanged, or None if it does something worth a node."""
        if op.type in PASSED or (op.type == "TensorListFromTensor" and self.of_loop(op)):
            return [self.value(tensor) for tensor in op.inputs]
        if op.type in RANDOM_STATE:
            inputs = [self.value(tensor) for tensor in op.inputs]
            nodes = tuple(dict.fromkeys(node for value in inputs for node in value.nodes))
            text = inputs[0].text if inputs else ""
            return [
                Value(nodes, f"seed {text}" if index == 0 else "", None, constant=not nodes)
                for index in range(len(op.outputs))
            ]
        if op.type in ("Mul", "AddV2", "Add") and len(op.inputs) == 2:
            neutral = 1.0 if op.type == "Mul" else 0.0
            value, other = (self.value(tensor) for tensor in op.inputs)
            constant = op.inputs[1].op
            if (
                constant.type == "Const"
                and np.ndim(constant.attrs["value"]) == 0
                and op.outputs[0].dtype.is_floating
                and constant.attrs["value"] == neutral
                and not self.written(op)
            ):
                return [Value(value.nodes, value.text, spec_of(op.outputs[0]), value.constant and other.constant)]
        if op.type in ("Pack", "ConcatV2") and not self.written(op, displays=False):
            inputs = [self.value(tensor) for tensor in op.inputs]
            if (
                op.type == "Pack"
                and all(v.constant or len(v.text) <= 12 for v in inputs)
                and not op.inputs[0]._raw_shape()
            ):
                nodes = tuple(dict.fromkeys(node for value in inputs for node in value.nodes))
                text = "[" + ", ".join(value.text for value in inputs) + "]"
                return [Value(nodes, text, spec_of(op.outputs[0]), constant=not nodes)]
        return None

    def of_loop(self, op: Any) -> bool:
        """Whether a `for` made an operation to go over its elements."""
        found = self.at(op)
        return found is not None and self.source is not None and found.line in self.source.loops

    def written(self, op: Any, *, displays: bool = True) -> bool:
        """Whether the user wrote this operation, rather than a function that is composed of it."""
        found = self.at(op)
        if found is None or self.source is None or found.column is None:
            return displays
        node = self.source.expressions.get((found.line, found.column, found.end_line, found.end_column or 0))
        if node is None:
            return displays
        if op.type in ("Mul", "AddV2", "Add"):
            return isinstance(node, ast.BinOp)
        if op.type == "Pack" and isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            return name in ("stack", "pack", "convert_to_tensor")
        return False

    def plain(self, op: Any, cluster: str | None) -> Node:
        """An operation as a node of its own."""
        inputs = [self.value(tensor) for tensor in op.inputs]
        found = self.at(op)
        assigned = self.assigned(found)
        constants = self.constants(op, inputs)
        label = self.label(op, found, assigned, inputs, constants)
        specs = [spec_of(tensor) for tensor in op.outputs]
        node = self.add(
            Node(
                "", "op", op.type, label, op.type, op.name, found.line if found else None, cluster,
                ", ".join(specs) or None, [value.text for value in inputs if value.text and not value.constant],
            ),
            ("op", id(self.origin(op))),
            op,
        )  # fmt: skip
        binary = len(inputs) == 2 and op.record.inputs[-1].name == "y"
        node.constants = constants or [value.text for value in inputs if value.constant and binary]
        node.operands = [value for value in inputs if value.nodes or (value.constant and binary)]
        self.of_op[id(op)] = node.id
        text = self.called(op, found, assigned)
        for index, tensor in enumerate(op.outputs):
            self.values[id(tensor)] = Value(
                (node.id,), text if len(op.outputs) == 1 else f"{text}[{index}]", specs[index]
            )
        if id(op) in self.returned:
            node.line = self.returned[id(op)]
            node.lines = (node.line,)
        for value in inputs:
            self.connect(value, node)
        return node

    def called(self, op: Any, found: Place | None, assigned: str | None) -> str:
        """What an operation's result is called where it is used: the user's name, else the expression."""
        return assigned or (shorten(found.expression, 24) if found and found.column is not None else "") or op.type

    def label(
        self, op: Any, found: Place | None, assigned: str | None, inputs: Sequence[Value], constants: Sequence[str]
    ) -> str | None:
        """The second line of a node: the user's name or expression, and the constants it takes."""
        if assigned:
            return " · ".join([assigned, *constants])
        node = None
        if found is not None and self.source is not None and found.column is not None:
            node = self.source.expressions.get((found.line, found.column, found.end_line, found.end_column or 0))
        if isinstance(node, ast.Call):
            return " · ".join(constants) or None
        if isinstance(node, ast.Compare | ast.BinOp) and len(inputs) == 2:
            if inputs[1].constant and not inputs[0].constant and not isinstance(node.left, ast.Name | ast.Constant):
                return f"{_sign(node)} {inputs[1].text}"
            return shorten(written(node))
        if found is not None and found.column is not None and found.expression:
            return shorten(found.expression)
        return " · ".join(constants) or None

    def constants(self, op: Any, inputs: Sequence[Value]) -> list[str]:
        """The constants an operation takes that the user wrote, each with its argument's name."""
        names = [param.name for param in getattr(op.record, "inputs", ())]
        texts = []
        for index, value in enumerate(inputs):
            if value.text.startswith("seed "):
                texts.append(value.text)
            elif value.constant and value.text and index and op.type not in _SHAPE_FIRST:
                name = names[index] if index < len(names) else ""
                if name == "reduction_indices" and self.every_axis(op, index):
                    continue
                name = _ARGUMENT_NAMES.get(name, name)
                texts.append(f"{name} {value.text}".strip())
        return [shorten(text, 22) for text in texts[:2]]

    @staticmethod
    def every_axis(op: Any, index: int) -> bool:
        """Whether a reduction's axes are all there are: then the user named none."""
        shape = op.inputs[0]._raw_shape()
        made = op.inputs[index].op
        axes = made.attrs.get("value")
        return shape is not None and axes is not None and sorted(np.ravel(axes)) == list(range(len(shape)))


def _argument_name(tensor: Any) -> str:
    attributes = getattr(tensor.op, "attrs", {})
    return str(attributes.get("_user_specified_name") or tensor.op.name)


def _capture_name(outer: Any, inner: Any) -> tuple[str, str]:
    cell = getattr(outer, "_a", None)
    held = getattr(cell, "variable", None)
    variable = held() if callable(held) else None
    if variable is not None:
        shape = None if variable.shape.rank is None else tuple(variable.shape)
        return str(variable.name).split(":")[0], tensor_text(variable.dtype.name, shape)
    return inner.op.name, spec_of(inner)


def _sign(node: ast.Compare | ast.BinOp) -> str:
    """The operator of an expression as it is written."""
    blank = ast.Name("_")
    if isinstance(node, ast.BinOp):
        return ast.unparse(ast.BinOp(blank, node.op, blank))[2:-2]
    return ast.unparse(ast.Compare(blank, node.ops[:1], [blank]))[2:-2]
