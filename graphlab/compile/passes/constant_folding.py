"""Constant folding: what depends on constants alone is computed once, by the very kernel that would run.

An operation that fails is left as it is: its error belongs to the run, where it may never happen.  Large results are
not folded, so that a graph does not hold arrays that its program never made.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from graphlab.compile.program import FORWARD, Program, bodies, shared_bodies
from graphlab.core.floats import quiet
from graphlab.core.static import value as static_value
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.graph import CONST
from graphlab.graph.operation import Operation

LARGEST: Final = 4096
"""Results of more elements are not folded."""

_SHAPES: Final = frozenset(("Shape", "Size", "Rank"))
_NEVER: Final = frozenset(("CheckNumerics", "CheckNumericsV2", "EnsureShape"))


def run(program: Program, graph: FuncGraph) -> None:
    """Folds the operations of one graph."""
    ops = program.ops(graph)
    root = program.root
    changed: list[Operation] | None = None
    for index, op in enumerate(ops):
        inputs = op.inputs
        kind = op.type
        if not inputs or kind in FORWARD:
            if changed is not None:
                changed.append(op)
            continue
        if kind == "ShapeN" and all(_known(t._shape) for t in map(root, inputs)):
            changed = ops[:index] if changed is None else changed
            nodes = _shapes(program, op)
            changed += nodes
            program.note("constant folding", "depends on constants alone", graph, [op], nodes)
            continue
        found: Any = None
        if kind in _SHAPES:
            found = static_value(op.outputs[0])
        else:
            for tensor in inputs:
                if root(tensor).op.type != "Const":
                    break
            else:
                found = _fold(program, op)
        if found is not None:
            if changed is None:
                changed = ops[:index]
            node = program.constant(op, found)
            changed.append(node)
            program.note("constant folding", "depends on constants alone", graph, [op], [node])
        elif changed is not None:
            changed.append(op)
    if changed is not None:
        program.set_ops(graph, changed)
    for op in program.structured(graph):
        _enter(program, op)


def _known(shape: Any) -> bool:
    return shape is not None and None not in shape


def _shapes(program: Program, op: Operation) -> list[Operation]:
    """Constants in the place of the results of an operation that gives the shapes of several tensors."""
    nodes = []
    for tensor, output in zip(op.inputs, op.outputs, strict=True):
        value = np.array(program.root(tensor)._shape, output.dtype.np)
        node = Operation(op.graph, CONST, op.name, [], {"value": value, "dtype": output.dtype}, op.position)
        program.replace(output, node.add_output(output.dtype, value.shape))
        program.kept.append(node)
        nodes.append(node)
    return nodes


def _enter(program: Program, op: Operation) -> None:
    """Lets constants into the bodies of a branch, and into those of a loop in which they do not change."""
    inside = list(bodies(op))
    given = op.inputs if "body" in op.attrs else op.inputs[1:]
    known = [i for i, tensor in enumerate(given) if program.root(tensor).op.type == "Const"]
    if not known or any(id(body) in shared_bodies(program) for body in inside):
        return
    for index in known:
        if "body" in op.attrs:
            body = op.attrs["body"]
            if program.root(body.outputs[index]) is not body.parameters[index]:
                continue
        for body in inside:
            program.replace(body.parameters[index], program.root(given[index]))


def _fold(program: Program, op: Operation) -> Any:
    record = op.record
    if not record.single or not record.pure or op.type in _NEVER:
        return None
    output = op.outputs[0]
    shape = output._shape
    if output.dtype.np is None or shape is None or None in shape or math.prod(shape) > LARGEST:  # type: ignore[arg-type]
        return None
    arrays = [program.root(tensor).op.attrs["value"] for tensor in op.inputs]
    if sum(array.size for array in arrays) > 4 * LARGEST:
        return None
    try:
        with quiet():
            result = np.asarray(record.choose(op.attrs)(*record.grouped(arrays, op.attrs)))
    except Exception:  # noqa: BLE001 - the error belongs to the run
        return None
    return result if result.dtype == output.dtype.np and result.shape == tuple(shape) else None
