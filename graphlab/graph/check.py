"""The checker: verifies that a graph is well formed, after tracing and after each pass.

It asks what every later stage relies on: inputs are tensors of the same graph made by earlier operations, dtypes are
those of the signature, names are unique, bodies of structured ops fit their inputs and results.
"""

from __future__ import annotations

from typing import Any

from graphlab.core.op import FIXED, LIST, MIXED, VARIABLE
from graphlab.core.shape import is_compatible
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation


class GraphError(AssertionError):
    """A graph is not well formed: a mistake of graphlab, not of the program."""


def check(graph: Any) -> None:
    """Raises GraphError if the graph, or a body in it, is not well formed."""
    made: set[int] = set()
    names: set[str] = set()
    for op in graph.ops:
        if op.graph is not graph:
            raise GraphError(f"{op!r} is listed in {graph!r} but belongs to {op.graph!r}.")
        if op.name in names:
            raise GraphError(f"Two operations of {graph!r} are named {op.name!r}.")
        names.add(op.name)
        for tensor in op.inputs:
            if tensor.op.graph is not graph:
                raise GraphError(f"{op!r} takes {tensor!r}, which belongs to {tensor.op.graph!r}.")
            if id(tensor) not in made:
                raise GraphError(f"{op!r} takes {tensor!r}, which is made later or not at all.")
        for control in op.control_inputs:
            if control.graph is not graph:
                raise GraphError(f"{op!r} waits for {control!r} of another graph.")
        _signature(op)
        _bodies(op)
        made.update(id(t) for t in op.outputs)
    if isinstance(graph, FuncGraph):
        for tensor in [*graph.parameters, *graph.outputs]:
            if id(tensor) not in made:
                raise GraphError(f"{tensor!r} is an argument or result of {graph!r} but not made in it.")


def _signature(op: Operation) -> None:
    record = op.record
    position = 0
    for param in record.inputs:
        if param.kind == FIXED:
            wanted = [param.type]
        elif param.kind == VARIABLE:
            wanted = [op.attrs[param.type]]
        elif param.kind == LIST:
            wanted = [op.attrs[param.type]] * op.attrs[str(param.count)]
        else:
            wanted = list(op.attrs[param.type])
        actual = [t.dtype for t in op.inputs[position : position + len(wanted)]]
        if actual != wanted:
            raise GraphError(f"{op!r}: argument {param.name!r} has dtypes {actual}, not {wanted}.")
        position += len(wanted)
    if position != len(op.inputs):
        raise GraphError(f"{op!r} has {len(op.inputs)} inputs; its signature takes {position}.")
    if record.outputs and not any(p.kind == MIXED for p in record.outputs):
        dtypes = record.output_dtypes(op.attrs)
        if [t.dtype for t in op.outputs] != dtypes:
            raise GraphError(f"{op!r} has results of dtypes {[t.dtype for t in op.outputs]}, not {dtypes}.")


def _bodies(op: Operation) -> None:
    attrs = op.attrs
    bodies: list[FuncGraph] = []
    skip = 0
    if "f" in attrs and isinstance(attrs["f"], FuncGraph):
        bodies = [attrs["f"]]
    elif "then_branch" in attrs:
        bodies, skip = [attrs["then_branch"], attrs["else_branch"]], 1
    elif "branches" in attrs:
        bodies, skip = list(attrs["branches"]), 1
    elif "body" in attrs:
        bodies = [attrs["body"]]
        if len(attrs["cond"].parameters) != len(op.inputs):
            raise GraphError(
                f"{op!r}: its condition takes {len(attrs['cond'].parameters)} values, not {len(op.inputs)}."
            )
        check(attrs["cond"])
    for body in bodies:
        given = op.inputs[skip:]
        parameters = body.parameters
        if len(parameters) != len(given):
            raise GraphError(f"{op!r}: {body!r} takes {len(parameters)} values, not {len(given)}.")
        for parameter, tensor in zip(parameters, given, strict=True):
            if parameter.dtype is not tensor.dtype:
                raise GraphError(f"{op!r}: {body!r} takes {parameter!r} for {tensor!r}.")
            if not is_compatible(parameter._raw_shape(), tensor._raw_shape()):
                raise GraphError(f"{op!r}: {body!r} takes {parameter!r} for {tensor!r}.")
        if [t.dtype for t in body.outputs[: len(op.outputs)]] != [t.dtype for t in op.outputs]:
            raise GraphError(f"{op!r}: {body!r} gives {body.outputs}, not {op.outputs}.")
        check(body)
