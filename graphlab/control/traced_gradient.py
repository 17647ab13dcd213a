"""Gradients of calls inside graphs, as TensorFlow writes them.

A call that is differentiated runs its function's *forward* function instead: the same, which also returns whatever of
it the gradient uses, arguments and constants included. The gradient is a call of the *backward* function, with the
gradients of all results (zeros where there is none) and those values; it gives the gradients of all arguments. What of
this nobody needs is left out before the graph runs.
"""

from __future__ import annotations

from typing import Any

from graphlab.core.dispatch import bind
from graphlab.core.specs import IndexedSlices
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor
from graphlab.graph.backprop import OpView, differentiable, graph_gradients, zeros
from graphlab.graph.func_graph import FuncGraph


class BranchGradient(FuncGraph):
    """The graph of the gradient of a branch: constants of the branch are written into it, all else is captured.

    Attributes:
      forward: the branch.
      users: by ``id`` of a captured tensor, the operation for which it was captured first, with a slash, and what that
        waits for.
      written: by ``id`` of a constant of the branch, the constant here.
      fillers: positions of the results that are zeros, since this branch does not use an input.
    """

    def __init__(self, name: str, forward: FuncGraph) -> None:
        super().__init__(name, forward)
        self.forward = forward
        self.users: dict[int, tuple[str, list[Any]]] = {}
        self.fillers: set[int] = set()
        self.written: dict[int, Any] = {}

    def own(self, tensor: Any, name: str | None = None) -> Any:
        """As ``FuncGraph.own``."""
        if isinstance(tensor, EagerTensor) or tensor.op.graph is self or id(tensor) in self._captures:
            return super().own(tensor, name)
        around = self._scope if name is None or name.isdigit() else name.rpartition("/")[0] + "/"
        if tensor.op.type == "Const":
            found = self.written.get(id(tensor))
            if found is None:
                found = self.constant(tensor.op.attrs["value"], f"{around.removeprefix(self._scope)}Const")
                self.written[id(tensor)] = found
            return found
        self.users.setdefault(id(tensor), (around, [op for waited, _ in self._control for op in waited]))
        return super().own(tensor, name)

    def gradients(self, ys: list[Any], dys: list[Any], xs: list[Any]) -> list[Any]:
        """The gradients of the branch's results, in the scopes where TensorFlow makes them."""
        shown = self.forward.shown_name
        with self.scope("gradients"):
            given = [_identity(dy, f"grad_ys_{k}") for k, dy in enumerate(dys)]
            return graph_gradients(
                self.forward, ys, given, xs, lambda view: f"gradients/{shown(view.outputs[0].op.name)}_grad/"
            )


class TracedGradient(FuncGraph):
    """The graph of a gradient inside a graph: everything of the forward graph that it uses is captured."""

    def _name_of_capture(self, tensor: Any, name: str | None) -> str:
        """``gradients/mul_grad/Mul/x``: the operation that uses it and the tensor."""
        around = self._scope if name is None or name.isdigit() else name.rpartition("/")[0] + "/"
        return around + str(tensor.op.name)


def gradient_of_call(op: OpView, operation: Any, dys: tuple[Any, ...]) -> list[Any]:
    """The gradients of a call's inputs, by a call of the backward function."""
    from graphlab.control.call import call_graph

    graph: FuncGraph = operation.attrs["f"]
    results = graph.attrs.get("own_results", len(graph.outputs))
    mask = tuple(
        i for i, output in enumerate(op.outputs) if differentiable(output.dtype) and (i < results or dys[i] is not None)
    )
    forward, backward = forward_and_backward(graph, mask)
    if forward is not graph:
        operation.attrs["f"] = forward
        operation.attrs["Tout"] = [t.dtype for t in forward.outputs]
        for output in forward.outputs[len(operation.outputs) :]:
            operation.add_output(output.dtype, output._raw_shape())
        operation.graph.executable = None
    places = {id(output): i for i, output in enumerate(forward.outputs)}
    values = [operation.outputs[places[id(t)]] if id(t) in places else t for t in backward.external_captures]
    if isinstance(state.graph, TracedGradient):
        values = [state.graph.own(t) for t in values]
    outputs = call_graph(backward, [zeros(op.outputs[i]) if dys[i] is None else dys[i] for i in mask], values)
    gradients: list[Any] = [None] * len(op.inputs)
    for position, parts in backward.attrs["results"]:
        if not op.needs(position):
            continue
        picked = [outputs[p] if p is not None else None for p in parts]
        gradients[position] = picked[0] if len(picked) == 1 else IndexedSlices(picked[0], picked[1], picked[2])
    return gradients


def forward_and_backward(graph: FuncGraph, mask: tuple[int, ...]) -> tuple[FuncGraph, FuncGraph]:
    """The forward and the backward function, for gradients of the results in ``mask``.

    The forward function's ``attrs["own_results"]`` is how many results it had before.  The backward one's
    ``attrs["results"]`` lists ``(parameter, positions of its gradient in the outputs)``: one position for a tensor,
    three for IndexedSlices.
    """
    key = ("forward and backward", mask)
    found = graph.derived.get(key)
    if found is not None:
        return found  # type: ignore[no-any-return]
    forward = graph.clone()
    forward.attrs["own_results"] = graph.attrs.get("own_results", len(graph.outputs))
    forward.attrs["forward"] = graph.attrs.get("forward", graph)
    backward = TracedGradient(f"__backward_{graph.name}", forward)
    with backward.build():
        given = [
            backward.argument(forward.outputs[i].dtype, forward.outputs[i]._raw_shape(), "Placeholder") for i in mask
        ]
        with backward.scope("gradients"):
            dys = [_identity(dy, f"grad_ys_{k}") for k, dy in enumerate(given)]
            gradients = graph_gradients(
                forward,
                [forward.outputs[i] for i in mask],
                dys,
                forward.parameters,
                lambda view: f"gradients/{view.outputs[0].op.name}_grad/",
            )
        places = []
        for position, gradient in enumerate(gradients):
            if gradient is None:
                continue
            parts: list[Any] = [gradient]
            if isinstance(gradient, IndexedSlices):
                parts = [gradient.values, gradient.indices, gradient.dense_shape]
            indices: list[int | None] = []
            for part in parts:
                indices.append(None if part is None else len(backward.outputs))
                if part is not None:
                    backward.outputs.append(_identity(part, "Identity"))
            places.append((position, indices))
    backward.attrs["results"] = places
    backward.attrs["backward"] = forward
    known = {id(output) for output in forward.outputs}
    for tensor in backward.external_captures:
        if not isinstance(tensor, EagerTensor) and tensor.op.graph is forward and id(tensor) not in known:
            known.add(id(tensor))
            forward.outputs.append(tensor)
    forward.executable = None
    graph.derived[key] = forward.derived[key] = forward, backward
    return forward, backward


def _identity(tensor: Any, name: str) -> Any:
    from graphlab.ops.array import IDENTITY

    return bind(IDENTITY, (tensor,), None, name)
