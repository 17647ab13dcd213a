"""The gradient of ``If`` and ``Case``: the same op over the gradients of the bodies."""

from __future__ import annotations

from typing import Any

from graphlab.control.call import BackwardGraph, extend, own_copy, private
from graphlab.control.connected import fill
from graphlab.core import dtypes
from graphlab.core.op import NOT_DIFFERENTIABLE, REQUIRED, define
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor
from graphlab.graph.backprop import OpView, dense, differentiable, graph_gradients, zeros
from graphlab.graph.func_graph import FuncGraph


def _nothing(dtype: Any, shape: Any) -> Any:
    import numpy as np

    extent = tuple(0 if d is None else d for d in shape) if shape is not None else ()
    if dtype is dtypes.variant:
        from graphlab.control.tensor_list import TensorList

        return TensorList([], dtypes.float32, None)
    if dtype is dtypes.string:
        return np.full(extent, b"", object)
    return np.zeros(extent, dtype.np)


# Stands in a branch for a value that only another branch computes; nobody reads it.
FAKE = define(
    "FakeParam",
    "-> output: dtype",
    kernel=_nothing,
    infer=lambda args, attrs: attrs["shape"],
    gradient=NOT_DIFFERENTIABLE,
    attrs={"dtype": REQUIRED, "shape": REQUIRED},
    fp=False,
)


def _bodies(operation: Any) -> list[FuncGraph]:
    if "branches" in operation.attrs:
        operation.attrs["branches"] = [own_copy(operation, graph) for graph in operation.attrs["branches"]]
        return list(operation.attrs["branches"])
    return [private(operation, "then_branch"), private(operation, "else_branch")]


def branch_gradient(op: OpView, *dys: Any) -> list[Any]:
    """The gradient of a branch op: for each body its gradient, chosen by the same predicate."""
    from graphlab.control.structured import branch_record

    operation = op.outputs[0].op
    graphs = _bodies(operation)
    needed = [i for i in range(1, len(op.inputs)) if op.needs(i) and differentiable(op.inputs[i].dtype)]
    mask = [i for i, dy in enumerate(dys) if dy is not None]
    outer = state.graph
    backward: list[BackwardGraph] = []
    found: list[list[Any]] = []
    for graph in graphs:
        # Its outer graph is the body while it is built, and the current graph once its captures are inputs.
        body = BackwardGraph(f"{graph.name}_grad", graph)
        with body.build():
            inputs = [body.argument(graph.outputs[i].dtype, graph.outputs[i]._raw_shape(), f"grad_{i}") for i in mask]
            gradients = graph_gradients(
                graph, [graph.outputs[i] for i in mask], inputs, [graph.inputs[i - 1] for i in needed]
            )
            found.append([None if g is None else body.own(dense(g)) for g in gradients])
        backward.append(body)
    connected = [k for k in range(len(needed)) if any(results[k] is not None for results in found)]
    for graph, body, results in zip(graphs, backward, found, strict=True):
        with body.build():
            for k in connected:
                result = results[k]
                body.outputs.append(body.own(zeros(graph.inputs[needed[k] - 1])) if result is None else result)
    # What the bodies captured becomes an input: an input of the op, a result of it, or a new result.
    feeds: dict[int, Any] = {}
    wanted: list[dict[int, Any]] = []
    for graph, body in zip(graphs, backward, strict=True):
        mine: dict[int, Any] = {}
        parameters = {id(p): i for i, p in enumerate(graph.inputs)}
        for tensor, placeholder in body.captures:
            if isinstance(tensor, EagerTensor) or tensor.op.graph is not graph:
                feed = tensor
            elif id(tensor) in parameters:
                feed = op.inputs[parameters[id(tensor)] + 1]
            else:
                feed = _result(operation, graphs, graph, tensor)
            if id(feed) in mine:
                _replace(body, placeholder, mine[id(feed)])
                continue
            feeds.setdefault(id(feed), feed)
            mine[id(feed)] = placeholder
        wanted.append(mine)
    tensors = list(feeds.values())
    for body, mine in zip(backward, wanted, strict=True):
        body._captures = {}
        for feed in tensors:
            taken = mine.get(id(feed))
            body.inputs.append(body.placeholder(feed.dtype, feed._raw_shape(), "unused") if taken is None else taken)
        body.outer = outer
    gradients_out: list[Any] = [None] * len(op.inputs)
    if not connected:
        return fill(op, graphs, 1, gradients_out)
    from graphlab.core.dispatch import bind

    arguments = [dense(dys[i]) for i in mask] + tensors
    case = "branches" in operation.attrs
    types = [t.dtype for t in backward[0].outputs]
    bodies: dict[str, Any] = (
        {"branches": backward} if case else {"then_branch": backward[0], "else_branch": backward[1]}
    )
    results = bind(
        branch_record(backward, case),
        (op.inputs[0], arguments),
        {**bodies, "Tout": types},
        f"gradients/{operation.name}_grad",
    )
    for k, result in zip(connected, results, strict=True):
        gradients_out[needed[k]] = result
    return fill(op, graphs, 1, gradients_out)


def _replace(graph: FuncGraph, old: Any, new: Any) -> None:
    """Uses ``new`` wherever ``old`` was an input."""
    for node in graph.ops:
        node.inputs = [new if t is old else t for t in node.inputs]
    graph.outputs = [new if t is old else t for t in graph.outputs]


def _result(operation: Any, graphs: list[FuncGraph], graph: FuncGraph, tensor: Any) -> Any:
    """Makes a value computed in one body a result of the op."""
    for index, output in enumerate(graph.outputs):
        if output is tensor:
            return operation.outputs[index]
    for other in graphs:
        if other is graph:
            continue
        with other.build():
            filler = other.bind(FAKE, (), {"dtype": tensor.dtype, "shape": tensor._raw_shape()})
        other.outputs.append(filler)
        other.executable = None
    return extend(operation, graph, tensor)
