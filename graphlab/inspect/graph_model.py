"""A traced graph as a picture's data: nodes, edges and clusters, with what only the machine needs left out.

Constants are folded into the labels of the nodes that take them (and are there as nodes of their own for who wants to
see them); identities, and arithmetic that changes nothing (`* 1.0`, `+ 0.0`), are passed through; a loop shows its
values and its body, not the counting; operations that nothing needs are marked, since they do not run.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from graphlab.inspect.user_source import shorten
from graphlab.tracing.reasons import tensor_text

PASSED: Final = frozenset(("Identity", "IdentityN", "StopGradient", "PreventGradient", "Snapshot"))
_UNCOUNTED: Final = frozenset(("Placeholder", "NoOp", *PASSED))
RANDOM_STATE: Final = frozenset(
    ("StatelessRandomGetKeyCounter", "StatelessRandomGetAlg", "StatelessRandomGetKeyCounterAlg")
)
LOOPS: Final = frozenset(("While", "StatelessWhile"))
BRANCHES: Final = frozenset(("If", "StatelessIf", "Case", "StatelessCase"))
CALLS: Final = frozenset(("PartitionedCall", "StatefulPartitionedCall"))


TRACED: Final = "traced"
RUNS: Final = "runs"
GRADIENT: Final = "gradient"
BOTH: Final = (TRACED, RUNS)
"""The parts of a picture: the graph as it was traced, as it runs, and its gradient. Most things are in two of them."""


@dataclass(slots=True)
class Value:
    """What a tensor is in the picture: the nodes it comes from, or a constant's text."""

    nodes: tuple[str, ...]
    text: str
    spec: str | None = None
    constant: bool = False


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
    operands: list[Value] = field(default_factory=list)  # in order, constants included
    constants: list[str] = field(default_factory=list)  # those of the inputs that are constants worth showing
    next: bool = False  # a loop value on its way into the next iteration
    count: int = 0  # operations inside, for a body drawn as one node
    lines: tuple[int, ...] = ()  # the user's lines that led here, innermost first
    key: Hashable = None  # what it is in every picture of the same graph
    dead: bool = False  # nothing needs it, so it never runs
    backward: bool = False  # computes a gradient
    parts: tuple[str, ...] = BOTH
    change: str | None = None  # removed, added, changed, moved, kept, fused
    rules: list[int] = field(default_factory=list)  # indices into the picture's rewrites
    moved: bool = False
    runs_in: str | None = None  # where it stands as it runs, when it moved
    runs_operands: list[Value] | None = None  # what it takes as it runs


@dataclass(slots=True)
class Edge:
    """A line between two nodes."""

    source: str
    target: str
    kind: str  # data, predicate, control, effect, back
    label: str | None = None
    parts: tuple[str, ...] = BOTH


@dataclass(slots=True)
class Cluster:
    """A body: of a loop, of a condition with its branches, of a called function."""

    id: str
    parent: str | None
    kind: str  # loop, cond, branch, call
    what: str  # a word's id, or the user's text
    line: int | None
    text: str | None = None  # the user's text, when `what` is not a word
    test: Value | None = None  # what decides, of a condition
    count: int = 0  # operations inside
    key: Hashable = None
    parts: tuple[str, ...] = BOTH
    rules: list[int] = field(default_factory=list)
    moved: bool = False
    runs_in: str | None = None


@dataclass(slots=True)
class Change:
    """One kind of thing that the optimiser did: which rule, where, to how many operations."""

    name: str  # of the pass
    rule: str
    lines: list[int] = field(default_factory=list)
    count: int = 0  # operations fewer by it (negative: more), or those that it runs together
    nodes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Picture:
    """Everything drawn of one graph."""

    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    clusters: list[Cluster] = field(default_factory=list)
    constants: list[Node] = field(default_factory=list)
    constant_edges: list[Edge] = field(default_factory=list)
    operations: int = 0
    running: int | None = None  # operations that the optimiser left; None when it changed nothing that is drawn
    changes: list[Change] = field(default_factory=list)

    def of(self, part: str) -> Picture:
        """One part of it alone, without what nothing needs."""

        def chosen(item: Any) -> Any:
            if part == RUNS and isinstance(item, Node) and item.runs_operands is not None:
                item = replace(item, operands=item.runs_operands)
            if part != RUNS or not item.moved:
                return item
            key = "cluster" if isinstance(item, Node) else "parent"
            return replace(item, **{key: item.runs_in})

        nodes = [chosen(node) for node in self.nodes if part in node.parts and not node.dead]
        ids = {node.id for node in nodes}
        return Picture(
            nodes,
            [edge for edge in self.edges if part in edge.parts and edge.source in ids and edge.target in ids],
            [chosen(cluster) for cluster in self.clusters if part in cluster.parts],
            operations=self.operations,
        )


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


def is_operation(op: Any) -> bool:
    """Whether something in a graph counts as an operation: arguments, and what only hands a value on, do not."""
    return op.type not in _UNCOUNTED


def operations(graph: Any) -> Iterator[Any]:
    """What counts as the operations of a graph, those of its bodies after what holds them.

    A body that is called twice is in it twice, as it is drawn twice.
    """
    for op in graph.ops:
        if is_operation(op):
            yield op
        for _, body in bodies(op):
            yield from operations(body)


def count_operations(graph: Any) -> int:
    """How many operations a graph has, those of its bodies included."""
    return sum(1 for _ in operations(graph))


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
    ('0.5', '[3×4 …]')
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
    return "[" + "×".join(map(str, array.shape)) + " …]"
