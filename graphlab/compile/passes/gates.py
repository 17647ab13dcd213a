"""One function of several parts of a tensor: ``sigmoid(z[:, :n])``, ``sigmoid(z[:, n:2 * n])`` … as in recurrent cells.

On small arrays a kernel of several steps costs the same for all of ``z`` as for a part of it.  So it runs once, on the
whole, and the parts are taken of the result.  Each element goes through the same steps; those of parts that nobody
asked for are few, and cannot fail.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

from graphlab.compile.program import Program
from graphlab.core import dtypes
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

_KINDS: Final = frozenset(("Sigmoid",))
"""Functions of several steps, whose kernels give an element the same bits wherever it stands."""

_SPARED: Final = 800
"""Elements that take as long as the call of a kernel that is spared."""

_FLOATS: Final = frozenset((dtypes.float32, dtypes.float64))
_SPLITS: Final = {"Split": 1, "SplitV": 0}
"""Which input is split."""


class _Piece(NamedTuple):
    op: Operation
    of: Operation
    whole: Any


def run(program: Program, graph: FuncGraph) -> None:
    """Rewrites one graph."""
    ops = program.ops(graph)
    groups: dict[Any, list[_Piece]] = {}
    for op in ops:
        if op.type in _KINDS:
            piece = _piece(program, op)
            if piece is not None:
                groups.setdefault((op.type, id(piece.whole)), []).append(piece)
    before: dict[int, list[Operation]] = {}
    instead: dict[int, Operation | None] = {}
    for pieces in groups.values():
        shapes: list[Any] = [piece.op.outputs[0]._shape for piece in pieces]
        wasted = math.prod(pieces[0].whole._shape) - sum(map(math.prod, shapes))
        if len(pieces) > 1 and wasted <= _SPARED * (len(pieces) - 1):
            _join(program, graph, pieces, before, instead)
    if before:
        result: list[Operation] = []
        for op in ops:
            result += before.get(id(op), ())
            new = instead.get(id(op), op)
            if new is not None:
                result.append(new)
        program.set_ops(graph, result)


def _piece(program: Program, op: Operation) -> _Piece | None:
    """An operation on a part, known in all its sizes, of a tensor."""
    part = program.root(op.inputs[0])
    of = part.op
    if part.dtype not in _FLOATS:
        return None
    if of.type in _SPLITS:
        whole = program.root(of.inputs[_SPLITS[of.type]])
    elif of.type == "StridedSlice" and all(program.root(t).op.type == "Const" for t in of.inputs[1:]):
        whole = program.root(of.inputs[0])
    else:
        return None
    if not all(map(_known, (whole._shape, part._shape))):
        return None
    return _Piece(op, of, whole)


def _known(shape: Any) -> bool:
    return shape is not None and None not in shape


def _join(
    program: Program,
    graph: FuncGraph,
    pieces: list[_Piece],
    before: dict[int, list[Operation]],
    instead: dict[int, Operation | None],
) -> None:
    first, _, whole = pieces[0]
    joined = Operation(first.graph, first.record, first.name, [whole], first.attrs, first.position)
    result = joined.add_output(whole.dtype, whole._shape)
    program.kept.append(joined)
    new = before[id(first)] = [joined]
    splits: dict[int, Operation] = {}
    for op, of, _ in pieces:
        inputs = [result if program.root(t) is whole else t for t in of.inputs]
        if of.type == "StridedSlice":
            shapes = [op.outputs[0]._shape]
            instead[id(op)] = program.make(op, of.record, inputs, of.attrs, shapes)
            continue
        split = splits.get(id(of))
        if split is None:
            split = splits[id(of)] = Operation(of.graph, of.record, of.name, inputs, of.attrs, op.position)
            for output in of.outputs:
                split.add_output(output.dtype, output._shape)
            program.kept.append(split)
            new.append(split)
        instead[id(op)] = None
        program.replace(op.outputs[0], split.outputs[program.root(op.inputs[0]).index])
    program.note("gates", "once for all parts", graph, [piece.op for piece in pieces], new)
