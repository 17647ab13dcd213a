"""Reverse-mode differentiation over a list of ops, the same for a tape's entries and a graph's operations.

Each op's record says how gradients pass it; this module visits the ops backwards, sums what meets at a tensor, and
looks tensors up by a key, so that a capture and the tensor it stands for count as one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from graphlab.core.op import NOT_DIFFERENTIABLE, Op
from graphlab.core.specs import IndexedSlices
from graphlab.core.state import state
from graphlab.core.storage import handle_data
from graphlab.core.tensor import SymbolicTensor
from graphlab.graph.func_graph import origin

# Ops whose gradient function takes None for results that nothing depends on.
TAKES_NONE = frozenset((
    "PartitionedCall", "StatefulPartitionedCall", "If", "StatelessIf", "Case", "StatelessCase", "While",
    "StatelessWhile",
    "CustomGradient", "TopKV2", "IdentityN", "SoftmaxCrossEntropyWithLogits",
    "SparseSoftmaxCrossEntropyWithLogits",
))  # fmt: skip


class OpView:
    """What a gradient function sees of an op.

    Attributes:
      type: the op type.
      inputs, outputs: the tensors, lists spread out.
      attrs: all attributes.
      operation: the graph's Operation, or None on a tape.
    """

    __slots__ = ("attrs", "inputs", "needed", "operation", "outputs", "record", "type")

    def __init__(
        self, record: Op, attrs: Mapping[str, Any], inputs: list[Any], outputs: list[Any], operation: Any = None
    ) -> None:
        self.record = record
        self.type = record.type
        self.attrs = attrs
        self.inputs = inputs
        self.outputs = outputs
        self.operation = operation
        self.needed: list[bool] | None = None

    def needs(self, index: int) -> bool:
        """True if the gradient for this input is asked for."""
        return self.needed is None or self.needed[index]

    def get_attr(self, name: str) -> Any:
        """An attribute's value."""
        return self.attrs[name]


# How tensor lists are summed and zeroed; graphlab.control.tensor_list fills it in.
list_rules: dict[str, Callable[..., Any]] = {}


def key_of(tensor: Any) -> int:
    """The identity by which gradients of a tensor are collected."""
    return id(origin(tensor))


def differentiable(dtype: Any) -> bool:
    """True if gradients flow through tensors of this dtype (handles and lists carry them on)."""
    return bool(dtype.is_floating or dtype.is_complex) or dtype.name in ("resource", "variant")


def gradient_type(tensor: Any) -> tuple[Any, Any]:
    """Dtype and raw shape of a tensor's gradient: that of the variable, for a handle."""
    data = handle_data(tensor) if tensor.dtype.name == "resource" else None
    return data if data is not None else (tensor.dtype, tensor._raw_shape())


def total(parts: Sequence[Any]) -> Any:
    """The sum of the gradients that meet at a tensor."""
    if len(parts) == 1:
        return parts[0]
    if any(isinstance(p, IndexedSlices) for p in parts):
        if all(isinstance(p, IndexedSlices) for p in parts):
            from graphlab.ops.array import concat

            return IndexedSlices(
                concat([p.values for p in parts], 0), concat([p.indices for p in parts], 0), parts[0].dense_shape
            )
        parts = [dense(p) for p in parts]
    if parts[0].dtype.name == "variant":
        result = parts[0]
        for part in parts[1:]:
            result = list_rules["sum"](result, part)
        return result
    from graphlab.ops.math import add_n

    return add_n(list(parts))


def dense(gradient: Any) -> Any:
    """An IndexedSlices as a tensor; anything else as it is."""
    if isinstance(gradient, IndexedSlices):
        from graphlab.core.convert import make

        return make(gradient)
    return gradient


def backprop(
    entries: Iterable[OpView],
    seeds: Iterable[tuple[Any, Any]],
    live: Callable[[Any], bool],
    wanted: set[int],
    scope: Callable[[OpView], str | None] | None = None,
) -> dict[int, Any]:
    """Runs backwards.

    Args:
      entries: the ops, last first.
      seeds: ``(target, its gradient)`` pairs.
      live: tells of an input whether gradients for it lead anywhere.
      wanted: keys of the sources, whose gradients are kept.
      scope: in a graph, the name scope for the gradient of an op.

    Returns:
      key → gradient for the sources that are connected.

    Raises:
      LookupError: an op on the way has no gradient.
    """
    parts: dict[int, list[Any]] = {}
    alive: list[Any] = []
    for target, gradient in seeds:
        parts.setdefault(key_of(target), []).append(gradient)
        alive.append(target)
    done: dict[int, Any] = {}
    for entry in entries:
        dys: list[Any] = []
        some = False
        for output in entry.outputs:
            key = key_of(output)
            found = parts.get(key)
            if not found:
                dys.append(None)
                continue
            some = True
            value = total(found)
            if key in wanted:
                done[key] = value
            del parts[key]
            dys.append(value)
        if not some:
            continue
        needed = [differentiable(t.dtype) and live(t) for t in entry.inputs]
        gradients = pulled(entry, dys, needed, scope)
        if gradients is None:
            continue
        for tensor, gradient, need in zip(entry.inputs, gradients, needed, strict=True):
            if gradient is not None and need:
                parts.setdefault(key_of(tensor), []).append(gradient)
    for key, found in parts.items():
        if key in wanted and found:
            done[key] = total([*found, done[key]]) if key in done else total(found)
    return done


# Ops that show in which order gradients are computed: their gradient functions may print, rows are joined in turn.
VISIBLE = frozenset((
    "CustomGradient", "EagerPyFunc", "PartitionedCall", "StatefulPartitionedCall", "If", "Case", "While", "Gather",
    "GatherV2", "ResourceGather", "IdentityN",
))  # fmt: skip


def in_turn(views: Sequence[Any], targets: Iterable[Any], shown: bool = False) -> Sequence[Any]:
    """The ops that lead to the targets, in the order in which their gradients are computed.

    Like TensorFlow's it goes in breadth: from the targets, an op is next when all that used its results are done.
    Where nobody can see the order, it is simply backwards.

    Args:
      views: what a tape or a graph recorded, first op first; tuples (of operators) are never visible.
      targets: the tensors whose gradients are computed.
      shown: the order shows in any case, in the names and places of a graph's nodes.
    """
    if not shown and not any(entry.__class__ is not tuple and entry.type in VISIBLE for entry in views):
        return views[::-1]
    makers: dict[int, int] = {}
    inputs: list[list[int]] = []
    for index, entry in enumerate(views):
        x, y = (entry[2:4], entry[4:]) if entry.__class__ is tuple else (entry.inputs, entry.outputs)
        inputs.append([makers[key] for key in map(key_of, x) if key in makers])
        for tensor in y:
            makers.setdefault(key_of(tensor), index)
    users = dict.fromkeys((makers[key] for key in map(key_of, targets) if key in makers), 0)
    starts = list(users)
    found = list(starts)
    while found:
        for maker in inputs[found.pop()]:
            if maker not in users:
                users[maker] = 0
                found.append(maker)
            users[maker] += 1
    turn = deque(index for index in starts if not users[index])
    order: list[Any] = []
    while turn:
        index = turn.popleft()
        order.append(views[index])
        for maker in inputs[index]:
            users[maker] -= 1
            if not users[maker]:
                turn.append(maker)
    return order


def pulled(
    entry: OpView, dys: list[Any], needed: list[bool], scope: Callable[[OpView], str | None] | None = None
) -> Sequence[Any] | None:
    """The gradients of an op's inputs, given those of its results; None if no gradient flows through it."""
    if not any(needed):
        return None
    gradient_function = entry.record.gradient
    if gradient_function is NOT_DIFFERENTIABLE:
        return None
    if gradient_function is None:
        if not any(n and differentiable(t.dtype) for n, t in zip(needed, entry.inputs, strict=True)):
            return None
        raise LookupError(f"No gradient defined for operation {entry.type!r}.")
    if len(dys) > 1 and entry.type not in TAKES_NONE:
        dys = [
            zeros(output) if dy is None and differentiable(output.dtype) else dy
            for dy, output in zip(dys, entry.outputs, strict=True)
        ]
    entry.needed = needed
    graph = state.graph
    start = 0 if graph is None else len(graph.ops)
    around = None if scope is None or graph is None else scope(entry)
    opened: Any = nullcontext() if around is None else graph.scope(around)
    with opened:
        if entry.type not in _SPARSE_OK:
            dys = [dense(dy) for dy in dys]
        result = gradient_function(entry, *dys)
    if graph is not None and isinstance(entry.outputs[0], SymbolicTensor):
        forward = entry.outputs[0].op
        for made in graph.ops[start:]:
            graph.gradient_of.setdefault(made.name, forward)
    gradients = result if isinstance(result, (list, tuple)) else [result]
    if len(gradients) != len(entry.inputs):
        raise ValueError(f"The gradient of {entry.type!r} gave {len(gradients)} values for {len(entry.inputs)} inputs.")
    return gradients


_SPARSE_OK = frozenset(("ReadVariableOp", "Identity", "ResourceGather"))


def zeros(tensor: Any) -> Any:
    """Zeros like a tensor (for results without a gradient)."""
    if tensor.dtype.name == "variant":
        return list_rules["zeros"](tensor)
    if tensor.dtype.name == "resource":
        return _zeros_of_variable(tensor)
    from graphlab.ops import creation

    shape = tensor._raw_shape()
    if state.graph is not None and shape is not None and None not in shape and tensor.dtype.name != "string":
        return creation.zeros(list(shape), tensor.dtype)
    return creation.zeros_like(tensor)


def _zeros_of_variable(handle: Any) -> Any:
    from graphlab.core.dispatch import bind
    from graphlab.ops import creation
    from graphlab.ops.resource import READ

    data = handle_data(handle)
    if data is None:
        raise AssertionError(f"Nothing is known of the variable behind {handle!r}.")
    dtype, shape = data
    if shape is not None and None not in shape:
        return creation.zeros(list(shape), dtype)
    return creation.zeros_like(bind(READ, (handle,), {"dtype": dtype}))


def graph_gradients(
    graph: Any,
    ys: Sequence[Any],
    dys: Sequence[Any],
    xs: Sequence[Any],
    scope: Callable[[OpView], str | None] | None = None,
) -> list[Any]:
    """The gradients of ``ys`` (tensors of ``graph``) for ``xs``, built in the graph (or eagerly) that is current now.

    An entry of ``dys`` may be None: that ``y`` takes no part.  Results are None where unconnected.
    """
    reached = {key_of(x) for x in xs}
    views: list[OpView] = []
    for op in list(graph.ops):
        if any(differentiable(t.dtype) and key_of(t) in reached for t in op.inputs):
            for output in op.outputs:
                reached.add(key_of(output))
            # The gradient of a loop or branch may add inputs and outputs to the operation: inputs as they were now.
            views.append(OpView(op.record, op.attrs, list(op.inputs), op.outputs, op))
    seeds = [(y, dy) for y, dy in zip(ys, dys, strict=True) if dy is not None]
    wanted = {key_of(x) for x in xs}
    found = backprop(in_turn(views, [y for y, _ in seeds], True), seeds, lambda t: key_of(t) in reached, wanted, scope)
    return [found.get(key_of(x)) for x in xs]
