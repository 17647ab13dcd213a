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
from graphlab.core.op import MIXED
from graphlab.core.static import value as static_value
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.graph import CONST
from graphlab.graph.operation import Operation

LARGEST: Final = 4096
"""Results of more elements are not folded."""

_FEW: Final = 256
"""Operations whose results have an unknown shape are folded if they take no more elements than this."""

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
                if type(found) is list:
                    changed = ops[:index] if changed is None else changed
                    nodes = _constants(program, op, found)
                    changed += nodes
                    program.note("constant folding", "depends on constants alone", graph, [op], nodes)
                    continue
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
    values = [
        np.array(program.root(tensor)._shape, output.dtype.np)
        for tensor, output in zip(op.inputs, op.outputs, strict=True)
    ]
    return _constants(program, op, values)


def _constants(program: Program, op: Operation, values: list[Any]) -> list[Operation]:
    """Constants in the place of several results."""
    nodes = []
    for value, output in zip(values, op.outputs, strict=True):
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
    """The result of an operation on constants, a list of several; None if it stays."""
    record = op.record
    if not record.pure or op.type in _NEVER or any(output.dtype.np is None for output in op.outputs):
        return None
    if any(param.kind == MIXED for param in record.outputs):
        return None  # a call, a branch, a loop: nobody knows how long it takes, nor whether it is ever run
    arrays = [program.root(tensor).op.attrs["value"] for tensor in op.inputs]
    given = sum(array.size for array in arrays)
    if given > 4 * LARGEST:
        return None
    for output in op.outputs:
        shape = output._shape
        # What has a shape that depends on values is folded where these are few: sizes, axes and the like.
        if (given > _FEW) if not _known(shape) else math.prod(shape) > LARGEST:  # type: ignore[arg-type]
            return None
    try:
        with quiet():
            result = record.choose(op.attrs)(*record.grouped(arrays, op.attrs))
            results = [np.asarray(part) for part in ([result] if record.single else result)]
    except Exception:  # noqa: BLE001 - the error belongs to the run
        return None
    if len(results) != len(op.outputs):
        return None
    for part, output in zip(results, op.outputs, strict=True):
        if part.dtype != output.dtype.np or part.size > LARGEST or not _fits(part.shape, output._shape):
            return None
    return results[0] if record.single else results


def _fits(shape: tuple[int, ...], known: Any) -> bool:
    return known is None or (
        len(shape) == len(known) and all(k in (None, n) for n, k in zip(shape, known, strict=True))
    )
