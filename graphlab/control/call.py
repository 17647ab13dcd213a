"""Calling a finished FuncGraph: eagerly, inside another graph, and under gradient tapes.

A call under a tape is one entry.  It runs the graph's *forward variant*, which also returns what the backward needs,
and its
gradient calls the *backward graph*, built once per set of results and inputs that matter.  A backward graph captures
tensors of the forward graph; each is an argument of the call, a result of it, or becomes one more result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphlab.compile.executable import executable
from graphlab.compile.refine import refined_shapes
from graphlab.control.connected import fill
from graphlab.core.dispatch import bind
from graphlab.core.op import REQUIRED, define
from graphlab.core.specs import IndexedSlices
from graphlab.core.state import state
from graphlab.core.static import value as static_value
from graphlab.core.tensor import EagerTensor, SymbolicTensor, out_of_scope, wrap
from graphlab.eager.tape import interested
from graphlab.graph.backprop import OpView, differentiable, gradient_type, graph_gradients, zeros
from graphlab.graph.func_graph import FuncGraph


def _run(arrays: list[Any], f: FuncGraph, Tout: Any) -> list[Any]:
    return executable(f).call(arrays)


def _infer(args: Any, attrs: Any) -> Any:
    return refined_shapes(attrs["f"], [a.shape for a in args])


def call_gradient(op: OpView, *dys: Any) -> list[Any]:
    """The gradient of a call: a call of its backward graph."""
    graph: FuncGraph = op.attrs["f"]
    operation = op.outputs[0].op if isinstance(op.outputs[0], SymbolicTensor) else None
    if operation is not None:
        graph = private(operation, "f")
    needed = tuple(i for i, t in enumerate(op.inputs) if op.needs(i) and differentiable(t.dtype))
    mask = tuple(i for i, dy in enumerate(dys) if dy is not None and i < len(op.outputs))
    backward = backward_graph(graph, mask, needed)
    values = _feeds(backward, graph, op, operation)
    if values is None:
        # The variant was prepared for gradients of all its results: give the missing ones zeros.
        mask = graph.attrs["prepared"]
        backward = backward_graph(graph, mask, needed)
        values = _feeds(backward, graph, op, operation)
        if values is None:
            raise AssertionError(f"The forward variant of {graph.name} lacks a value that its gradient needs.")
        dys = tuple(zeros(op.outputs[i]) if dys[i] is None else dys[i] for i in range(len(op.outputs)))
    results = call_graph(backward, [dys[i] for i in mask], values)
    if backward.attrs.get("constants"):
        # In TensorFlow a constant of the forward graph that the backward uses is a result of the call, and so makes
        # second derivatives zero where there would be none.
        sources = [op.inputs[i] for i in needed]
        if state.tapes and interested(sources):
            results = bind(
                LINK, [[*results, *sources]], {"count": len(results), "Tout": [t.dtype for t in results]}, "IdentityN"
            )
    gradients: list[Any] = [None] * len(op.inputs)
    for position, parts in backward.attrs["results"]:
        if len(parts) == 1:
            gradients[position] = results[parts[0]]
        else:
            picked = [results[p] if p is not None else None for p in parts]
            gradients[position] = IndexedSlices(picked[0], picked[1], picked[2])
    return fill(op, [graph], 0, gradients)


def _link_gradient(op: OpView, *dys: Any) -> list[Any]:
    return [*dys, *[zeros(t) for t in op.inputs[op.attrs["count"] :]]]


# Hands the first tensors on and counts as depending on the rest, with gradient zero.
LINK = define(
    type="IdentityN",
    signature="input: *T -> output: *Tout",
    kernel=lambda values, count, Tout: values[:count],
    infer=lambda args, attrs: [a.shape for a in args[: attrs["count"]]],
    gradient=_link_gradient,
    attrs={"count": REQUIRED, "Tout": REQUIRED},
    alias=True,
    fp=False,
)
CALL = define(
    "PartitionedCall",
    "args: *Tin -> output: *Tout",
    kernel=_run,
    infer=_infer,
    gradient=call_gradient,
    attrs={"f": REQUIRED, "Tout": REQUIRED},
    fp=False,
)
STATEFUL_CALL = define(
    "StatefulPartitionedCall",
    "args: *Tin -> output: *Tout",
    kernel=_run,
    infer=_infer,
    gradient=call_gradient,
    attrs={"f": REQUIRED, "Tout": REQUIRED},
    effect="io",
    fp=False,
)
READING_CALL = define(
    "StatefulPartitionedCall",
    "args: *Tin -> output: *Tout",
    kernel=_run,
    infer=_infer,
    gradient=call_gradient,
    attrs={"f": REQUIRED, "Tout": REQUIRED},
    effect="read",
    fp=False,
)


def record_for(graph: FuncGraph) -> Any:
    """Which call op stands for a graph: a pure one, one that reads variables, or one with effects."""
    if graph.has_effects:
        return STATEFUL_CALL
    return READING_CALL if graph.reads_or_writes else CALL


def call_graph(
    graph: FuncGraph, inputs: Sequence[Any], captures: Sequence[Any] | None = None, name: str | None = None
) -> list[Any]:
    """Calls a finished graph.

    Args:
      graph: the graph.
      inputs: tensors for ``graph.inputs``.
      captures: tensors for its captures; by default the tensors that were captured.

    Returns:
      One tensor per entry of ``graph.outputs``.
    """
    if captures is None:
        captures = graph.external_captures
    tensors = [*inputs, *captures]
    if state.tapes:
        level = state.graph
        for tape in state.tapes:
            if tape.level is level and tape.recording and tape._watch_accessed:
                _access(tape, captures)
    target = state.graph
    if target is not None:
        result = target.bind(record_for(graph), [tensors], {"f": graph, "Tout": [t.dtype for t in graph.outputs]}, name)
        return result if isinstance(result, list) else []
    tapes = interested(tensors) if state.tapes else ()
    if not tapes:
        try:
            arrays = [t._a for t in tensors]
        except AttributeError:
            raise out_of_scope(next(t for t in tensors if not isinstance(t, EagerTensor)), None) from None
        return [wrap(a) for a in executable(graph).call(arrays)]
    needed = tuple(
        i for i, t in enumerate(tensors) if differentiable(t.dtype) and any(tape.listens([t]) for tape in tapes)
    )
    higher = len(tapes) > 1 or any(tape._persistent for tape in tapes)
    forward = forward_variant(graph, needed, higher)
    outputs = [wrap(a) for a in executable(forward).call([t._a for t in tensors])]
    attrs = {"f": forward, "Tout": [t.dtype for t in forward.outputs]}
    for tape in tapes:
        tape.record(CALL, attrs, tensors, outputs)
    return outputs[: len(graph.outputs)]


def _access(tape: Any, captures: Sequence[Any]) -> None:
    for outer in captures:
        cell = getattr(outer, "_a", None)
        reference = getattr(cell, "variable", None)
        if reference is not None and cell.trainable:  # type: ignore[union-attr]
            variable = reference()
            if variable is not None:
                tape.variable_accessed(variable)


def forward_variant(graph: FuncGraph, needed: tuple[int, ...], higher: bool) -> FuncGraph:
    """The graph with further results: what backward graphs need (for derivatives of any order if ``higher``)."""
    key = ("forward", needed, higher, len(graph.outputs))
    found = graph.derived.get(key)
    if found is not None:
        return found  # type: ignore[no-any-return]
    forward = graph.clone()
    forward.attrs["private"] = True
    while True:
        mask = tuple(i for i, o in enumerate(forward.outputs) if differentiable(o.dtype))
        if not higher:
            mask = tuple(i for i in mask if i < len(graph.outputs))
        backward = backward_graph(forward, mask, needed)
        before = len(forward.outputs)
        parameters = {id(p) for p in forward.parameters}
        for outer in backward.external_captures:
            if isinstance(outer, SymbolicTensor) and outer.op.graph is forward and id(outer) not in parameters:
                forward.add_output(outer)
        if not higher or len(forward.outputs) == before:
            break
    forward.attrs["prepared"] = mask
    graph.derived[key] = forward
    return forward


class BackwardGraph(FuncGraph):
    """The graph of a gradient: constants and known values of the forward graph are written into it, not captured."""

    def own(self, tensor: Any, name: str | None = None) -> SymbolicTensor:
        """As ``FuncGraph.own``."""
        foreign = (
            isinstance(tensor, SymbolicTensor) and tensor.op.graph is not self and id(tensor) not in self._captures
        )
        if foreign and tensor.op.type != "Placeholder":
            known = static_value(tensor)
            if known is not None:
                if tensor.op.graph is self.outer and differentiable(tensor.dtype):
                    self.attrs["constants"] = True
                return self.constant(known, tensor.op.name.rpartition("/")[2])
        return super().own(tensor, name)


def backward_graph(graph: FuncGraph, mask: tuple[int, ...], needed: tuple[int, ...]) -> FuncGraph:
    """The graph that turns gradients of the results in ``mask`` into those of the parameters in ``needed``.

    ``attrs["results"]`` of the result lists ``(parameter, positions of its gradient in the outputs)``: one position
    for a tensor, three for IndexedSlices.
    """
    key = ("backward", mask, needed)
    found = graph.derived.get(key)
    if found is not None:
        return found  # type: ignore[no-any-return]
    backward = BackwardGraph(f"__backward_{graph.name}", graph)
    parameters = graph.parameters
    with backward.build():
        dys = [backward.argument(*gradient_type(graph.outputs[i]), f"grad_ys_{i}") for i in mask]
        found_gradients = graph_gradients(graph, [graph.outputs[i] for i in mask], dys, [parameters[i] for i in needed])
        results: list[tuple[int, list[Any]]] = []
        for position, gradient in zip(needed, found_gradients, strict=True):
            if gradient is None:
                continue
            parts: list[Any] = []
            if isinstance(gradient, IndexedSlices):
                components = [gradient.values, gradient.indices, gradient.dense_shape]
            else:
                components = [gradient]
            for component in components:
                if component is None:
                    parts.append(None)
                    continue
                from graphlab.core.convert import make

                backward.outputs.append(backward.own(make(component)))
                parts.append(len(backward.outputs) - 1)
            results.append((position, parts))
    backward.attrs["results"] = results
    graph.derived[key] = backward
    return backward


def private(operation: Any, attribute: str) -> FuncGraph:
    """The body of a structured op, as a copy that belongs to this operation alone and may be given further results."""
    graph = own_copy(operation, operation.attrs[attribute])
    operation.attrs[attribute] = graph
    return graph


def own_copy(operation: Any, graph: FuncGraph) -> FuncGraph:
    """``graph`` if it belongs to this operation alone, else a copy that does."""
    if graph.attrs.get("private") is not operation:
        graph = graph.clone()
        graph.attrs["private"] = operation
        graph.outer = operation.graph
        operation.graph.executable = None
    return graph


def _feeds(backward: FuncGraph, graph: FuncGraph, op: OpView, operation: Any) -> list[Any] | None:
    """The tensors, of the level of the call, for the captures of a backward graph; None if one is not to be had."""
    parameters = {id(p): i for i, p in enumerate(graph.parameters)}
    outputs = {id(o): i for i, o in enumerate(graph.outputs)}
    values: list[Any] = []
    for outer in backward.external_captures:
        if isinstance(outer, EagerTensor) or outer.op.graph is not graph:
            values.append(outer)
        elif id(outer) in parameters:
            values.append(op.inputs[parameters[id(outer)]])
        elif id(outer) in outputs and outputs[id(outer)] < len(op.outputs):
            values.append(op.outputs[outputs[id(outer)]])
        elif operation is None:
            return None
        else:
            values.append(extend(operation, graph, outer))
    return values


def extend(operation: Any, graph: FuncGraph, tensor: Any) -> Any:
    """Makes a tensor of the body a further result of the operation."""
    graph.outputs.append(tensor)
    graph.executable = None
    operation.graph.executable = None
    if "Tout" in operation.attrs:
        operation.attrs["Tout"] = [*operation.attrs["Tout"], tensor.dtype]
    return operation.add_output(tensor.dtype, tensor._raw_shape())
