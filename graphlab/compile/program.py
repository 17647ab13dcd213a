"""What the passes work on: a graph's operations in program order, and which tensor stands for which.

The graph itself, which gradients, GraphDef and views read, is never changed.  A pass takes operations out of the list
or puts new ones in, and says of a tensor that another one stands for it; everything later asks ``root``.  So a graph in
which there is nothing to do costs a look at each operation and no copy.  Each rewriting leaves a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from graphlab.core.op import Op
from graphlab.core.position import Position, resolve
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.graph import CONST
from graphlab.graph.operation import Operation

# Ops that only hand their input on.
FORWARD: Final = frozenset(("Identity", "StopGradient", "PreventGradient", "Snapshot"))


class Rewrite(NamedTuple):
    """One thing a pass did.

    Attributes:
      name: the pass, ``"constant folding"``.
      rule: what it did, in a few words.
      before: ``(name, type)`` of each operation that vanished or changed.
      after: ``(name, type)`` of what stands in their place; empty if nothing does.
      graph: the name of the graph they are in.
      position: where the user's code made the first of them.
      gone, made: the operations themselves, for views that mark them.
    """

    name: str
    rule: str
    before: tuple[tuple[str, str], ...]
    after: tuple[tuple[str, str], ...]
    graph: str
    position: Position
    gone: tuple[Operation, ...] = ()
    made: tuple[Operation, ...] = ()

    @property
    def place(self) -> Any:
        """The user's line (``graphlab.core.position.Place``), or None."""
        found = resolve(self.position[:2])
        return found[0] if found else None

    def __str__(self) -> str:
        before = ", ".join(f"{name} ({kind})" for name, kind in self.before)
        after = ", ".join(f"{name} ({kind})" for name, kind in self.after)
        return f"{self.name}: {self.rule}: {before}{' → ' + after if after else ' removed'}"


class Program:
    """A graph on its way to code.

    Attributes:
      graph: the graph.
      replaced: id of a tensor → the tensor that stands for it.
      rewrites: what the passes did, in order.
      extra: id of a loop → tensors of the code around it that its body uses besides its inputs.
      pruned: True if the operations of the graph itself are just those that its results and effects need.
      used: ids of the bodies whose operations have their place already.
      origins: id of an operation that a pass made → the operation in whose place it stands.
    """

    __slots__ = ("_ops", "_structured", "extra", "graph", "kept", "origins", "pruned", "replaced", "rewrites", "used")

    def __init__(self, graph: FuncGraph) -> None:
        self.graph = graph
        self.replaced: dict[int, Any] = {}
        self.rewrites: list[Rewrite] = []
        self.kept: list[Any] = []
        self.extra: dict[int, list[Any]] = {}
        self.used: set[int] = set()
        self.origins: dict[int, Operation] = {}
        self.pruned = False
        self._ops: dict[int, list[Operation]] = {}
        self._structured: dict[int, tuple[list[Operation], list[Operation]]] = {}

    def ops(self, graph: FuncGraph) -> list[Operation]:
        """The operations of the graph, or of a body in it, as they are by now."""
        found = self._ops.get(id(graph))
        return graph.ops if found is None else found

    def structured(self, graph: FuncGraph) -> list[Operation]:
        """The operations with bodies among those of the graph or body."""
        ops = self.ops(graph)
        known = self._structured.get(id(graph))
        if known is None or known[0] is not ops:  # a pass that changes something makes another list
            known = self._structured[id(graph)] = ops, [op for op in ops if op.type in STRUCTURED]
        return known[1]

    def set_ops(self, graph: FuncGraph, ops: list[Operation]) -> None:
        """Gives a graph or body another list of operations."""
        self._ops[id(graph)] = ops
        self.kept.append(graph)

    def root(self, tensor: Any) -> Any:
        """The tensor that stands for ``tensor``, behind operations that only hand it on."""
        replaced = self.replaced
        while True:
            found = replaced.get(id(tensor))
            if found is None:
                if tensor.op.type not in FORWARD:
                    return tensor
                found = tensor.op.inputs[0]
            tensor = found

    def uses(self, op: Operation) -> list[Any]:
        """The tensors that an operation uses, those that a loop's body takes from outside included."""
        extra = self.extra.get(id(op))
        return op.inputs if extra is None else [*op.inputs, *extra]

    def replace(self, tensor: Any, by: Any) -> None:
        """From now on ``by`` stands for ``tensor``."""
        self.replaced[id(tensor)] = by

    def make(self, like: Operation, record: Op, inputs: list[Any], attrs: dict[str, Any], shapes: list[Any]) -> Any:
        """A new operation in the place of ``like``, of its name; its results stand for those of ``like``."""
        node = Operation(like.graph, record, like.name, inputs, attrs, like.position)
        for dtype, shape in zip(record.output_dtypes(attrs), shapes, strict=True):
            node.add_output(dtype, shape)
        for old, new in zip(like.outputs, node.outputs, strict=True):
            self.replaced[id(old)] = new
        self.kept.append(node)
        self.origins[id(node)] = like
        return node

    def constant(self, like: Operation, array: Any) -> Operation:
        """A constant in the place of ``like``."""
        attrs = {"value": array, "dtype": like.outputs[0].dtype}
        node: Operation = self.make(like, CONST, [], attrs, [array.shape])
        return node

    def note(
        self, name: str, rule: str, graph: FuncGraph, before: Iterable[Operation], after: Iterable[Operation] = ()
    ) -> None:
        """Leaves a record."""
        gone, made = tuple(before), tuple(after)
        names = [tuple((op.name, op.type) for op in ops) for ops in (gone, made)]
        self.rewrites.append(Rewrite(name, rule, names[0], names[1], graph.name, gone[0].position, gone, made))

    def needed(self, ops: list[Operation], outputs: Iterable[Any]) -> list[Operation]:
        """The operations to run, in program order: what the results depend on, and every effect."""
        root = self.root
        wanted = {id(root(t).op) for t in outputs}
        kept = []
        for op in reversed(ops):
            if id(op) in wanted or op.record.effect not in _PASSIVE:
                kept.append(op)
                for tensor in op.inputs if id(op) not in self.extra else self.uses(op):
                    wanted.add(id(root(tensor).op))
        kept.reverse()
        return kept


# An unneeded read of a variable changes nothing.
_PASSIVE: Final = frozenset((None, "read"))


STRUCTURED: Final = frozenset(("If", "StatelessIf", "Case", "StatelessCase", "While", "StatelessWhile"))
"""Ops with bodies that are written in place."""


def bodies(op: Operation) -> Iterator[FuncGraph]:
    """The bodies of an operation that are written in place: branches and loops."""
    attrs = op.attrs
    if "then_branch" in attrs:
        yield attrs["then_branch"]
        yield attrs["else_branch"]
    elif "branches" in attrs:
        yield from attrs["branches"]
    elif "body" in attrs:
        yield attrs["cond"]
        yield attrs["body"]


def shared_bodies(program: Program) -> set[int]:
    """The ids of bodies that more than one operation has: what holds in one place may not in the other."""
    seen: set[int] = set()
    shared: set[int] = set()

    def visit(graph: FuncGraph) -> None:
        for op in program.ops(graph):
            if op.type not in STRUCTURED:
                continue
            for body in bodies(op):
                if id(body) in seen:
                    shared.add(id(body))
                else:
                    seen.add(id(body))
                    visit(body)

    visit(program.graph)
    return shared


def materialized(
    program: Program,
    graph: FuncGraph | None = None,
    outside: list[Any] | None = None,
    results: bool = False,
    origins: dict[int, Operation] | None = None,
) -> FuncGraph:
    """The graph as the passes left it, as a FuncGraph of its own: for the checker and for views.

    ``outside`` are tensors of the code around a body that it takes as further arguments and, if ``results``, hands on.
    ``origins`` is filled with the operations of the program, by the id of the one that stands for each.
    """
    source = program.graph if graph is None else graph
    copy = FuncGraph(source.name, source.outer)
    copy.outer = source.outer
    mapping: dict[int, Any] = {}
    names: set[str] = set()

    def take(op: Operation) -> None:
        for tensor in op.inputs:
            standing = program.root(tensor)
            if id(standing) not in mapping:
                take(standing.op)
        attrs = dict(op.attrs)
        inputs = [mapping[id(program.root(t))] for t in op.inputs]
        extra = list({id(t): t for t in map(program.root, program.extra.get(id(op), ()))}.values())
        for tensor in extra:
            if id(tensor) not in mapping:
                take(tensor.op)
        for key, value in attrs.items():
            if isinstance(value, FuncGraph) and key != "f":
                attrs[key] = materialized(program, value, extra, key == "body", origins)
            elif key == "branches":
                attrs[key] = [materialized(program, body, origins=origins) for body in value]
        if extra:
            inputs += [mapping[id(t)] for t in extra]
            attrs["T"] = [*attrs["T"], *[t.dtype for t in extra]]
            attrs["output_shapes"] = [*attrs["output_shapes"], *[t._shape for t in extra]]
        name, count = op.name, 0
        while name in names:
            count += 1
            name = f"{op.name}_{count}"
        names.add(name)
        node = Operation(copy, op.record, name, inputs, attrs, op.position)
        if origins is not None:
            origins[id(node)] = op
        for output in [*op.outputs, *extra]:
            new = node.add_output(output.dtype, output._shape)
            if output.op is op:
                new.__dict__.update(output.__dict__)
                mapping[id(output)] = new
        copy.ops.append(node)
        copy._by_name[name] = node

    listed = program.ops(source)
    wanted = {id(op) for op in program.needed(listed, source.outputs)}
    for op in source.ops:
        if op.type == "Placeholder":
            take(op)
    further = []
    for tensor in outside or ():
        mapping[id(tensor)] = copy.placeholder(tensor.dtype, tensor._shape, "invariant")
        names.add(mapping[id(tensor)].op.name)
        further.append(mapping[id(tensor)])
    for op in listed:
        if id(op) in wanted and op.type != "Placeholder":
            take(op)
    for tensor in source.outputs:
        standing = program.root(tensor)
        if id(standing) not in mapping:
            take(standing.op)
    copy.inputs = [mapping[id(t)] for t in source.parameters] + further
    copy.outputs = [mapping[id(program.root(t))] for t in source.outputs]
    copy.outputs += further if results else []
    copy.structured_input_signature = source.structured_input_signature
    copy.structured_outputs = source.structured_outputs
    return copy
