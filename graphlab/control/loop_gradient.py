"""The gradient of ``While``: a loop that runs as many iterations, backwards.

The forward loop is given a counter and, for each value of its body that the backward needs, a list to which every
iteration pushes it.  The backward loop pops them.  What does not change in the loop is used from outside, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphlab.control import tensor_list
from graphlab.control.call import BackwardGraph, private
from graphlab.control.connected import fill
from graphlab.core.dispatch import bind
from graphlab.core.op import Op
from graphlab.core.state import building, state
from graphlab.core.tensor import EagerTensor
from graphlab.graph.backprop import OpView, dense, differentiable, gradient_type, graph_gradients, zeros
from graphlab.graph.func_graph import FuncGraph


@contextmanager
def _before(operation: Any) -> Iterator[None]:
    """Operations made inside stand before ``operation`` in its graph."""
    graph = operation.graph
    index = next(i for i, op in enumerate(graph.ops) if op is operation)
    rest = graph.ops[index:]
    del graph.ops[index:]
    try:
        with building(graph):
            yield
    finally:
        graph.ops += rest
        graph.executable = None


def _add_variable(operation: Any, cond: FuncGraph, body: FuncGraph, initial: Any, name: str) -> Any:
    """Gives the loop one more variable; returns its placeholder in the body (its output is appended by the caller)."""
    operation.inputs.append(initial)
    operation.attrs["T"] = [*operation.attrs["T"], initial.dtype]
    operation.attrs["output_shapes"] = [*operation.attrs["output_shapes"], initial._raw_shape()]
    cond.argument(initial.dtype, initial._raw_shape(), name)
    placeholder = body.argument(initial.dtype, initial._raw_shape(), name)
    operation.add_output(initial.dtype, initial._raw_shape())
    cond.executable = body.executable = operation.graph.executable = None
    return placeholder


def _counter(operation: Any, cond: FuncGraph, body: FuncGraph) -> Any:
    """The loop's result that counts its iterations, added on first use."""
    index = body.attrs.get("counter")
    if index is None:
        from graphlab.ops.math import add

        with _before(operation):
            start = operation.graph.constant(np.array(0, np.int32), "gradient_counter")
        placeholder = _add_variable(operation, cond, body, start, "gradient_counter")
        with building(body):
            body.outputs.append(add(placeholder, np.array(1, np.int32)))
        index = body.attrs["counter"] = len(body.outputs) - 1
    return operation.outputs[index]


def _accumulator(operation: Any, cond: FuncGraph, body: FuncGraph, tensor: Any) -> Any:
    """The loop's result that lists the values of ``tensor``, one per iteration."""
    lists: dict[int, int] = body.attrs.setdefault("accumulators", {})
    index = lists.get(id(tensor))
    if index is None:
        with _before(operation):
            start = tensor_list.empty(tensor.dtype, tensor._raw_shape())
        placeholder = _add_variable(operation, cond, body, start, "accumulator")
        with building(body):
            body.outputs.append(tensor_list.push(placeholder, tensor))
        index = lists[id(tensor)] = len(body.outputs) - 1
    return operation.outputs[index]


def _body_gradient(
    body: FuncGraph, op: OpView, seeds: list[int], count: int
) -> tuple[BackwardGraph, dict[int, Any], dict[int, Any]]:
    """The gradient of one iteration: results' gradients for ``seeds`` in, gradients of all inputs out.

    Grows ``seeds`` until every input that gets a gradient is among them.
    """
    candidates = [i for i in range(count) if differentiable(body.inputs[i].dtype)]
    while True:
        step = BackwardGraph(f"{body.name}_grad", body)
        with step.build():
            dys = {i: step.argument(*gradient_type(body.outputs[i]), f"grad_{i}") for i in seeds}
            gradients = graph_gradients(
                body, [body.outputs[i] for i in seeds], [dys[i] for i in seeds], [body.inputs[i] for i in candidates]
            )
            found = {i: step.own(dense(g)) for i, g in zip(candidates, gradients, strict=True) if g is not None}
        missing = [i for i in found if i not in seeds]
        if not missing:
            return step, dys, found
        seeds += missing
        seeds.sort()


def loop_gradient(op: OpView, *dys: Any) -> list[Any]:
    """The gradient of a loop."""
    from graphlab.control.structured import WHILE, effect_of

    operation = op.outputs[0].op
    cond, body = private(operation, "cond"), private(operation, "body")
    # All variables the loop has by now; an earlier gradient may have added some, which ``op`` does not show as inputs.
    count = len(operation.inputs)
    asked = len(op.inputs)
    seeds = [i for i, dy in enumerate(dys) if dy is not None]
    if not seeds:
        return [None] * asked
    step, arguments, found = _body_gradient(body, op, seeds, count)
    total = _counter(operation, cond, body)
    # Loop variables of the backward loop: iterations left, gradients, then lists and unchanging values.
    outer = state.graph
    start: list[Any] = [total]
    for i in seeds:
        dy = dys[i] if i < len(dys) else None
        start.append(zeros(operation.outputs[i]) if dy is None else dense(dy))
    popped: list[tuple[Any, Any, Any]] = []
    fixed: list[tuple[Any, Any]] = []
    parameters = {id(p): i for i, p in enumerate(body.inputs)}
    for tensor, placeholder in step.captures:
        if isinstance(tensor, EagerTensor) or tensor.op.graph is not body:
            fixed.append((tensor, placeholder))
            continue
        position = parameters.get(id(tensor))
        if position is not None and _unchanged(body, position):
            fixed.append((operation.inputs[position], placeholder))
        else:
            popped.append((_accumulator(operation, cond, body, tensor), placeholder, tensor))
    step._captures = {}
    step._origins = {}
    left = step.placeholder(total.dtype, (), "iterations_left")
    rest = step.ops
    step.ops = []
    lists: list[Any] = []
    new_lists: list[Any] = []
    with building(step):
        for accumulated, placeholder, tensor in popped:
            held = step.placeholder(accumulated.dtype, (), "accumulator")
            shorter, value = tensor_list.pop(held, tensor.dtype, tensor._raw_shape())
            lists.append(held)
            new_lists.append(shorter)
            _become(placeholder, value)
        from graphlab.ops.math import subtract

        remaining = subtract(left, np.array(1, np.int32))
    head = step.ops
    step.ops = [o for o in rest if o.type == "Placeholder"] + head + [o for o in rest if o.type != "Placeholder"]
    step.inputs = [left, *[arguments[i] for i in seeds], *lists, *[p for _, p in fixed]]
    with building(step):
        results = [found[i] if i in found else zeros(arguments[i]) for i in seeds]
    step.outputs = [remaining, *results, *new_lists, *[p for _, p in fixed]]
    step.outer = outer
    test = FuncGraph(f"{cond.name}_grad", outer)
    test.outer = outer
    feeds = [*start, *[a for a, _, _ in popped], *[t for t, _ in fixed]]
    shapes = [(), *[_loop_shape(start[1 + k], results[k]) for k in range(len(seeds))]]
    for k, i in enumerate(seeds):
        arguments[i]._shape = shapes[1 + k]
    shapes += [t._raw_shape() for t in feeds[len(shapes) :]]
    with test.build():
        from graphlab.ops.comparison import greater

        for tensor, shape in zip(feeds, shapes, strict=True):
            test.argument(tensor.dtype, shape, "loop_var")
        test.outputs.append(greater(test.inputs[0], np.array(0, np.int32)))
    record: Op = WHILE[effect_of([test, step])]
    outputs = bind(
        record,
        (feeds,),
        {"cond": test, "body": step, "output_shapes": shapes},
        f"gradients/{operation.name}_grad",
    )
    gradients: list[Any] = [None] * asked
    for k, i in enumerate(seeds):
        if i < asked and i in found and op.needs(i):
            gradients[i] = outputs[1 + k]
    return fill(op, [body], 0, gradients)


def _loop_shape(start: Any, after: Any) -> Any:
    from graphlab.core.shape import most_general

    return most_general(start._raw_shape(), after._raw_shape())


def _unchanged(body: FuncGraph, position: int) -> bool:
    """True if the loop hands this variable on as it is."""
    output = body.outputs[position]
    while output.op.type == "Identity":
        output = output.op.inputs[0]
    return output is body.inputs[position]


def _become(placeholder: Any, value: Any) -> None:
    """Turns a placeholder into a name for ``value``; operations that use it stay as they are."""
    from graphlab.ops.array import IDENTITY

    node = placeholder.op
    node.record, node.type, node.inputs, node.attrs = IDENTITY, "Identity", [value], {"T": value.dtype}
