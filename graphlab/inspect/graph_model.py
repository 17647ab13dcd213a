"""A traced graph as a picture's data: nodes, edges and clusters, with what only the machine needs left out.

Constants are folded into the labels of the nodes that take them; identities, and arithmetic that changes nothing (`*
1.0`, `+ 0.0`), are passed
through; a loop shows its values and its body, not the counting; operations that nothing needs are not drawn, since
they do not run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from graphlab.core.position import Place
from graphlab.inspect.places import Places
from graphlab.inspect.user_source import Source, shorten, source
from graphlab.tracing.reasons import tensor_text

COLLAPSE: Final = 60
"""From more nodes than this on, bodies of loops and branches are drawn as one node each."""

_PASSED: Final = frozenset(("Identity", "IdentityN", "StopGradient", "PreventGradient", "Snapshot"))
_RANDOM_STATE: Final = frozenset(
    ("StatelessRandomGetKeyCounter", "StatelessRandomGetAlg", "StatelessRandomGetKeyCounterAlg")
)
_SHAPE_FIRST: Final = frozenset(
    ("StatelessRandomNormalV2", "StatelessRandomUniformV2", "StatelessTruncatedNormalV2", "Range", "Reshape")
)
_ARGUMENT_NAMES: Final = {"reduction_indices": "axis", "begin": "from", "y": "", "x": ""}
LOOPS: Final = frozenset(("While", "StatelessWhile"))
BRANCHES: Final = frozenset(("If", "StatelessIf", "Case", "StatelessCase"))
CALLS: Final = frozenset(("PartitionedCall", "StatefulPartitionedCall"))


@dataclass(slots=True)
class Node:
    """One thing drawn."""

    id: str
    kind: str  # arg, op, result, loopvar, capture
    title: str
    label: str | None = None
    op: str | None = None
    name: str = ""
    line: int | None = None
    cluster: str | None = None
    spec: str | None = None
    inputs: list[str] = field(default_factory=list)  # as the user would write them
    constants: list[str] = field(default_factory=list)  # those of the inputs that are constants worth showing
    next: bool = False  # a loop value on its way into the next iteration
    count: int = 0  # operations inside, for a body drawn as one node


@dataclass(slots=True)
class Edge:
    """A line between two nodes."""

    source: str
    target: str
    kind: str  # data, predicate, control, effect, back
    label: str | None = None


@dataclass(slots=True)
class Cluster:
    """A body: of a loop, of a condition with its branches, of a called function."""

    id: str
    parent: str | None
    kind: str  # loop, cond, branch, call
    what: str  # a word's id, or the user's text
    line: int | None
    text: str | None = None  # the user's text, when `what` is not a word


@dataclass(slots=True)
class Value:
    """What a tensor is in the picture: the nodes it comes from, or a constant's text."""

    nodes: tuple[str, ...]
    text: str
    spec: str | None = None
    constant: bool = False


@dataclass(slots=True)
class Picture:
    """Everything drawn of one graph."""

    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    clusters: list[Cluster] = field(default_factory=list)
    operations: int = 0
    collapsed: bool = False

    def node(self, id: str) -> Node:
        """A node by id."""
        return self._by_id()[id]

    def _by_id(self) -> dict[str, Node]:
        return {node.id: node for node in self.nodes}


def picture(graph: Any, filename: str | None, line: int | None = None) -> Picture:
    """The picture of a FuncGraph.

    Args:
        graph: The FuncGraph.
        filename: The file whose lines nodes carry; positions elsewhere give no line.
        line: The line the function's definition starts at.
    """
    found = _Builder(filename, collapse=False).build(graph, line)
    if len(found.nodes) > COLLAPSE and found.clusters:
        found = _Builder(filename, collapse=True).build(graph, line)
    return found


def bodies(op: Any) -> list[tuple[str, Any]]:
    """The FuncGraphs in an operation's attributes, by attribute name."""
    found = []
    for key in ("f", "then_branch", "else_branch", "cond", "body", "branches"):
        value = op.attrs.get(key)
        if value is None:
            continue
        items = value if isinstance(value, list | tuple) else [value]
        found += [(key, item) for item in items if hasattr(item, "ops")]
    return found


def count_operations(graph: Any) -> int:
    """How many operations a graph has, those of its bodies included."""
    return sum(1 + sum(count_operations(body) for _, body in bodies(op)) for op in graph.ops)


def needed(graph: Any, outputs: Iterable[Any] | None = None) -> set[int]:
    """The ids of the operations that run: what the results need, and everything with an effect."""
    stack = [tensor.op for tensor in (graph.outputs if outputs is None else outputs) if hasattr(tensor, "op")]
    stack += [op for op in graph.ops if has_effect(op)]
    seen: set[int] = set()
    while stack:
        op = stack.pop()
        if id(op) in seen or op.graph is not graph:
            continue
        seen.add(id(op))
        stack += [tensor.op for tensor in op.inputs]
        stack += op.control_inputs
    return seen


def has_effect(op: Any) -> bool:
    """Whether an operation changes something outside its results, itself or in a body."""
    if getattr(op.record, "effect", None) not in (None, "read"):
        return not op.type.startswith(("Stateless",)) and (
            not bodies(op) or any(has_effect(o) for _, b in bodies(op) for o in b.ops)
        )
    return any(has_effect(inner) for _, body in bodies(op) for inner in body.ops)


def spec_of(tensor: Any) -> str:
    """`float32[2]`."""
    return tensor_text(tensor.dtype.name, tensor._raw_shape())


def constant_text(value: Any) -> str:
    """A constant as it stands in a label.

    >>> constant_text(np.float32(0.5)), constant_text(np.zeros((3, 4)))
    ('0.5', '3×4 constant')
    """
    array = np.asarray(value)
    if array.ndim == 0:
        item = array.item()
        if isinstance(item, bytes):
            item = item.decode(errors="replace")
        if isinstance(item, float):
            if not np.isfinite(item):
                return str(item)
            return f"{item:.6g}" if item != int(item) or abs(item) >= 1e6 else f"{item:.1f}"
        return shorten(repr(item) if isinstance(item, str) else str(item), 20)
    if array.ndim == 1 and array.size <= 4:
        return "[" + ", ".join(constant_text(part) for part in array) + "]"
    return "×".join(map(str, array.shape)) + " constant"


class _Builder:
    def __init__(self, filename: str | None, *, collapse: bool) -> None:
        self.filename = filename
        self.source: Source | None = source(filename) if filename else None
        self.collapse = collapse
        self.picture = Picture(collapsed=collapse)
        self.values: dict[int, Value] = {}
        self.of_op: dict[int, str] = {}
        self.places = Places(filename)
        self._labelled: set[tuple[str, ...]] = set()
        self.tests: dict[str, Value] = {}

    # -------------------------------------------------------------------------------------------------------- the whole

    def build(self, graph: Any, line: int | None) -> Picture:
        self.picture.operations = count_operations(graph)
        for tensor in graph.inputs:
            name = _argument_name(tensor)
            node = self.add(
                Node("", "arg", name, op="Placeholder", name=tensor.op.name, line=line, spec=spec_of(tensor))
            )
            self.values[id(tensor)] = Value((node.id,), name, node.spec)
        self.captures(graph)
        self.body(graph, None)
        self.results(graph, line)
        self.effects(graph)
        used = {edge.source for edge in self.picture.edges}
        # A capture that nothing drawn reads (a handle of a variable only read in a body that was pruned) says nothing.
        self.picture.nodes = [node for node in self.picture.nodes if node.kind != "capture" or node.id in used]
        return self.picture

    def add(self, node: Node) -> Node:
        node.id = f"n{len(self.picture.nodes) + 1}"
        self.picture.nodes.append(node)
        return node

    def cluster(self, parent: str | None, kind: str, what: str, line: int | None, text: str | None = None) -> Cluster:
        made = Cluster(f"c{len(self.picture.clusters) + 1}", parent, kind, what, line, text)
        self.picture.clusters.append(made)
        return made

    def captures(self, graph: Any) -> None:
        for outer, inner in graph.captures:
            value = inner.op.attrs.get("value")
            if value is not None:
                self.values[id(inner)] = Value((), constant_text(value), spec_of(inner), constant=True)
                continue
            if id(outer) in self.values:
                self.values[id(inner)] = self.values[id(outer)]
                continue
            name, spec = _capture_name(outer, inner)
            node = self.add(Node("", "capture", name, op="Placeholder", name=inner.op.name, spec=spec))
            self.values[id(inner)] = Value((node.id,), name, spec)

    def results(self, graph: Any, line: int | None) -> None:
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
                Node("", "result", name, name=tensor.op.name, line=at, spec=spec_of(tensor), inputs=[value.text])
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

    # ----------------------------------------------------------------------------------------------------------- a body

    def body(
        self, graph: Any, cluster: str | None, outputs: Sequence[Any] | None = None, skip: frozenset[int] = frozenset()
    ) -> None:
        wanted = needed(graph, outputs)
        for op in graph.ops:
            if id(op) in wanted and id(op) not in skip:
                self.operation(op, cluster)

    def operation(self, op: Any, cluster: str | None) -> None:
        if op.type in ("Placeholder", "NoOp"):
            for tensor in op.outputs:
                self.values.setdefault(id(tensor), Value((), op.name, spec_of(tensor)))
        elif op.type == "Const":
            self.values[id(op.outputs[0])] = Value(
                (), constant_text(op.attrs["value"]), spec_of(op.outputs[0]), constant=True
            )
        elif op.type in LOOPS:
            self.loop(op, cluster)
        elif op.type in BRANCHES:
            self.branch(op, cluster)
        elif op.type in CALLS and bodies(op):
            self.call(op, cluster)
        elif (passed := self.passed(op)) is not None:
            for tensor, value in zip(op.outputs, passed, strict=False):
                self.values[id(tensor)] = value
        else:
            self.plain(op, cluster)

    def passed(self, op: Any) -> list[Value] | None:
        """The values an operation hands on unchanged, or None if it does something worth a node."""
        if op.type in _PASSED or (op.type == "TensorListFromTensor" and self.of_loop(op)):
            return [self.value(tensor) for tensor in op.inputs]
        if op.type in _RANDOM_STATE:
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

    def plain(self, op: Any, cluster: str | None) -> None:
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
            )
        )  # fmt: skip
        binary = len(inputs) == 2 and op.record.inputs[-1].name == "y"
        node.constants = constants or [value.text for value in inputs if value.constant and binary]
        self.of_op[id(op)] = node.id
        text = assigned or (shorten(found.expression, 24) if found and found.column is not None else "") or op.type
        for index, tensor in enumerate(op.outputs):
            self.values[id(tensor)] = Value(
                (node.id,), text if len(op.outputs) == 1 else f"{text}[{index}]", specs[index]
            )
        for value in inputs:
            self.connect(value, node)

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
            text = ast.unparse(node)
            left = node.left
            right = node.comparators[0] if isinstance(node, ast.Compare) else node.right
            if inputs[1].constant and not inputs[0].constant and not isinstance(left, ast.Name | ast.Constant):
                sign = ast.unparse(node)[len(ast.unparse(left)) :].strip()
                sign = sign[: len(sign) - len(ast.unparse(right))].strip() or op.type
                return f"{sign} {inputs[1].text}"
            return shorten(text)
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

    # ----------------------------------------------------------------------------------------------------------- bodies

    def loop(self, op: Any, cluster: str | None) -> None:
        body, cond = op.attrs["body"], op.attrs["cond"]
        found = self.at(op)
        line = found.line if found else None
        header = self.source.header(line) if self.source and line else None
        if self.collapse:
            self.whole(op, cluster, "graph.cluster.loop", line, shorten(header, 40) if header else None)
            return
        made = self.cluster(cluster, "loop", "graph.cluster.loop", line, shorten(header, 40) if header else None)
        outer = [self.value(tensor) for tensor in op.inputs]
        parameters, outputs = list(body.parameters), list(body.outputs)
        counters = self.counters(op, body) if header is not None and header.startswith("for ") else frozenset()
        starts: dict[int, Node] = {}
        for index, parameter in enumerate(parameters):
            value = outer[index] if index < len(outer) else Value((), parameter.op.name)
            if index in counters or index >= len(outputs) or outputs[index] is parameter:
                self.values[id(parameter)] = value  # the same in every iteration, or drawn as the element
                continue
            name = self.variable(outputs[index]) or self.variable(op.inputs[index]) or value.text or parameter.op.name
            node = self.add(
                Node("", "loopvar", name, line=line, cluster=made.id, spec=spec_of(parameter), name=parameter.op.name)
            )
            node.inputs = [value.text]
            if value.constant:
                node.label = value.text
            self.values[id(parameter)] = Value((node.id,), name, node.spec)
            starts[index] = node
            self.connect(value, node, always=True)
        skip = self.elements(op, body, counters, outer, header, made)
        if header is None or not header.startswith("for "):
            self.condition(cond, parameters, made.id)
        wanted = [tensor for index, tensor in enumerate(outputs) if index not in counters]
        self.body(body, made.id, wanted, skip)
        for index, tensor in enumerate(op.outputs):
            start = starts.get(index)
            if start is None:
                self.values[id(tensor)] = self.values.get(id(parameters[index]), Value((), ""))
                continue
            value = self.value(outputs[index])
            node = self.add(
                Node(
                    "",
                    "loopvar",
                    start.title,
                    line=line,
                    cluster=made.id,
                    spec=start.spec,
                    name=tensor.op.name,
                    next=True,
                )
            )
            node.inputs = [value.text]
            if value.constant:
                node.label = value.text
            self.connect(value, node)
            for origin in self.tests.pop(made.id, Value((), "")).nodes:
                self.picture.edges.append(Edge(origin, node.id, "predicate"))
            self.picture.edges.append(Edge(node.id, start.id, "back"))
            self.values[id(tensor)] = Value((node.id,), start.title, spec_of(tensor))

    def counters(self, op: Any, body: Any) -> frozenset[int]:
        """The loop values that only count iterations: integers to which the loop's own line adds, not the user's."""
        found = []
        here = self.at(op)
        outputs = list(body.outputs)
        for index, parameter in enumerate(body.parameters[: len(outputs)]):
            output = outputs[index]
            if output is parameter or parameter._raw_shape() != () or not parameter.dtype.is_integer:
                continue
            step = output.op
            if step.type not in ("AddV2", "Add") or not any(tensor is parameter for tensor in step.inputs):
                continue
            at = self.at(step)
            if at is None or here is None or at.line == here.line:
                found.append(index)
        return frozenset(found)

    def elements(
        self, op: Any, body: Any, counters: frozenset[int], outer: Sequence[Value], header: str | None, made: Cluster
    ) -> frozenset[int]:
        """Draws the element of a `for`, from what is iterated over; returns the operations that only fetch it."""
        here = self.at(op)
        counted = {id(body.parameters[index]): body.parameters[index] for index in counters}
        advance = {id(body.outputs[index].op) for index in counters}
        # What the loop's own line computes from the count fetches the element: a range's value, a row of a tensor.
        fetching: dict[int, Any] = {}
        derived = dict(counted)
        for inner in body.ops:
            at = self.at(inner)
            if (
                id(inner) in advance
                or at is None
                or here is None
                or at.line != here.line
                or inner.type in ("Placeholder", "Const")
            ):
                continue
            if any(id(tensor) in derived for tensor in inner.inputs):
                fetching[id(inner)] = inner
                derived.update({id(tensor): tensor for tensor in inner.outputs})
        used = {
            id(tensor): tensor
            for inner in body.ops
            if id(inner) not in fetching and id(inner) not in advance
            for tensor in inner.inputs
            if id(tensor) in derived
        }
        used.update({id(tensor): tensor for tensor in body.outputs if id(tensor) in derived})
        target = self.source.target(here.line) if self.source and here else None
        for tensor in used.values():
            name = target or tensor.op.name
            node = self.add(
                Node("", "loopvar", name, line=here.line if here else None, cluster=made.id, spec=spec_of(tensor))
            )
            node.name = tensor.op.name
            origin = self.iterated(outer, header)
            if origin is not None:
                node.inputs = [origin.text]
                self.connect(origin, node, always=True)
            self.values[id(tensor)] = Value((node.id,), name, node.spec)
        return frozenset(fetching)

    def variable(self, tensor: Any, depth: int = 0) -> str | None:
        """The user's variable that a value was assigned to, through branches and identities; None if unknown."""
        op = tensor.op
        if depth > 8 or op.type == "Placeholder" or self.source is None:
            return None
        if op.type in _PASSED and op.inputs:
            return self.variable(op.inputs[0], depth + 1)
        if op.type in BRANCHES or op.type in LOOPS:
            graphs = [body for key, body in bodies(op) if key != "cond"]
            names = [
                self.variable(body.outputs[tensor.index], depth + 1)
                for body in graphs
                if tensor.index < len(body.outputs)
            ]
            return next((name for name in names if name), None)
        found = self.at(op)
        if found is None or found.column is None:
            return None
        return self.source.assigned.get((found.line, found.column, found.end_line, found.end_column or 0))

    def iterated(self, outer: Sequence[Value], header: str | None) -> Value | None:
        """What a `for` iterates over: the loop's input that its header names."""
        words = set(re.findall(r"\w+", (header or "").split(" in ", 1)[-1]))
        return next((value for value in [*outer, *self.values.values()] if value.nodes and value.text in words), None)

    def condition(self, cond: Any, parameters: Sequence[Any], cluster: str) -> None:
        """The test of a `while`: it stands in the loop, reads the loop's values, decides about the next iteration."""
        for outer, inner in zip(parameters, cond.parameters, strict=False):
            self.values[id(inner)] = self.value(outer)
        self.body(cond, cluster)
        self.tests[cluster] = self.value(cond.outputs[0])

    def branch(self, op: Any, cluster: str | None) -> None:
        found = self.at(op)
        line = found.line if found else None
        if self.collapse:
            self.whole(op, cluster, "graph.cluster.if", line, None)
            return
        predicate = self.value(op.inputs[0])
        made = self.cluster(cluster, "cond", "graph.cluster.if", line)
        graphs = [body for key, body in bodies(op)]
        lines: list[int | None] = [None] * len(graphs)
        if self.source and line in self.source.branches:
            lines[:2] = list(self.source.branches[line])[: len(graphs)]
        results: list[list[Value]] = []
        words = ["graph.cluster.true", "graph.cluster.else"] if op.type in ("If", "StatelessIf") else []
        for index, body in enumerate(graphs):
            first = lines[index] or self.first_line(body)
            what, text = (words[index], None) if words else ("graph.cluster.case", str(index))
            inside = self.cluster(made.id, "branch", what, first, text)
            for outer, inner in zip(op.inputs[1:], body.parameters, strict=False):
                self.values[id(inner)] = self.value(outer)
            before = len(self.picture.nodes)
            self.body(body, inside.id)
            values: list[Value] = []
            for tensor in body.outputs:
                value = self.value(tensor)
                own = any(self._inside(node, inside.id) for node in value.nodes)
                if not own and self._used(op, len(values)):
                    # The branch hands on what it got: that is one of its two ways, so it is drawn.
                    node = self.add(
                        Node(
                            "",
                            "op",
                            "Identity",
                            value.text,
                            "Identity",
                            tensor.op.name,
                            first,
                            inside.id,
                            spec_of(tensor),
                            [value.text],
                        )
                    )
                    self.connect(value, node)
                    value = Value((node.id,), value.text, spec_of(tensor))
                values.append(value)
            results.append(values)
            entry = self.picture.nodes[before : before + 1]
            if entry:
                label = predicate.spec if index == 0 else None
                for node_id in predicate.nodes:
                    self.picture.edges.append(Edge(node_id, entry[0].id, "predicate", label))
        self.of_op[id(op)] = next((n.id for n in reversed(self.picture.nodes) if n.cluster and n.kind == "op"), "")
        for index, tensor in enumerate(op.outputs):
            found_values = [values[index] for values in results if index < len(values)]
            nodes = tuple(dict.fromkeys(node for value in found_values for node in value.nodes))
            text = next((value.text for value in found_values if value.text), "")
            self.values[id(tensor)] = Value(nodes, text, spec_of(tensor))

    def _used(self, op: Any, index: int) -> bool:
        if index >= len(op.outputs):
            return False
        target = op.outputs[index]
        graph = op.graph
        return any(output is target for output in graph.outputs) or any(
            tensor is target for other in graph.ops for tensor in other.inputs
        )

    def _inside(self, node_id: str, cluster: str) -> bool:
        parents = {made.id: made.parent for made in self.picture.clusters}
        current = self.picture.nodes[int(node_id[1:]) - 1].cluster
        while current is not None:
            if current == cluster:
                return True
            current = parents[current]
        return False

    def first_line(self, body: Any) -> int | None:
        """The first line of the user's that a body holds."""
        lines = [found.line for op in body.ops if op.type != "Placeholder" and (found := self.at(op))]
        return min(lines, default=None)

    def call(self, op: Any, cluster: str | None) -> None:
        body = op.attrs["f"]
        found = self.at(op)
        line = found.line if found else None
        if self.collapse:
            self.whole(op, cluster, "graph.cluster.call", line, body.name)
            return
        made = self.cluster(cluster, "call", "graph.cluster.call", line, body.name)
        for outer, inner in zip(op.inputs, body.parameters, strict=False):
            self.values[id(inner)] = self.value(outer)
        before = len(self.picture.nodes)
        self.body(body, made.id)
        if len(self.picture.nodes) == before:
            self.picture.clusters.remove(made)
        else:
            self.of_op[id(op)] = self.picture.nodes[-1].id
        for tensor, inner in zip(op.outputs, body.outputs, strict=False):
            self.values[id(tensor)] = self.value(inner)

    def whole(self, op: Any, cluster: str | None, what: str, line: int | None, text: str | None) -> None:
        """A body drawn as one node."""
        inputs = [self.value(tensor) for tensor in op.inputs]
        node = self.add(
            Node(
                "", "op", text or what, None, op.type, op.name, line, cluster,
                ", ".join(dict.fromkeys(spec_of(tensor) for tensor in op.outputs)) or None,
                [value.text for value in inputs if value.text],
                count=sum(count_operations(body) for _, body in bodies(op)),
            )
        )  # fmt: skip
        self.of_op[id(op)] = node.id
        for value in inputs:
            self.connect(value, node)
        for tensor in op.outputs:
            self.values[id(tensor)] = Value((node.id,), text or op.name, spec_of(tensor))

    # --------------------------------------------------------------------------------------------------- values, places

    def value(self, tensor: Any) -> Value:
        found = self.values.get(id(tensor))
        if found is None:
            # Made in an outer graph, or by an operation that nothing needs.
            found = self.values[id(tensor)] = Value((), getattr(getattr(tensor, "op", None), "name", ""), None)
        return found

    def connect(self, value: Value, node: Node, *, always: bool = False) -> None:
        for origin in value.nodes:
            if any(
                edge.source == origin and edge.target == node.id and edge.kind == "data"
                for edge in self.picture.edges[-8:]
            ):
                continue
            label = None
            start = self.picture.nodes[int(origin[1:]) - 1]
            # A type is written once where it is new: at an argument, or where an operation changed it.
            if (
                value.spec
                and (always or self.new_type(start, value.spec))
                and (origin, value.spec) not in self._labelled
            ):
                self._labelled.add((origin, value.spec))
                label = value.spec
            self.picture.edges.append(Edge(origin, node.id, "data", label))

    def new_type(self, node: Node, spec: str) -> bool:
        if node.kind != "op":
            return node.kind in ("arg", "capture")
        incoming = {
            self.picture.nodes[int(e.source[1:]) - 1].spec
            for e in self.picture.edges
            if e.target == node.id and e.kind == "data"
        }
        return spec not in incoming

    def at(self, op: Any) -> Place | None:
        """The innermost of the user's places that made an operation and lies in the file shown."""
        return self.places.of(op.position)

    def assigned(self, found: Place | None) -> str | None:
        """The name that the value of the call at a place is assigned to, if it is assigned as it is."""
        if found is None or self.source is None or found.column is None:
            return None
        key = (found.line, found.column, found.end_line, found.end_column or 0)
        name = self.source.assigned.get(key)
        if name is None:
            return None
        node = self.source.expressions.get(key)
        return name if isinstance(node, ast.Call) else None


def _argument_name(tensor: Any) -> str:
    attributes = getattr(tensor.op, "attrs", {})
    return str(attributes.get("_user_specified_name") or tensor.op.name)


def _capture_name(outer: Any, inner: Any) -> tuple[str, str]:
    cell = getattr(outer, "_a", None)
    held = getattr(cell, "variable", None)
    variable = held() if callable(held) else None
    if variable is not None:
        return str(variable.name).split(":")[0], tensor_text(variable.dtype.name, tuple(variable.shape))
    return inner.op.name, spec_of(inner)
