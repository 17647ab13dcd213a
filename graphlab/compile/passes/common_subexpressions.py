"""Common subexpressions: what is computed twice from the same values is computed once.

Only pure operations are merged, and reads of a variable with no write in between; never random ones, handles or
lists.  Constants that are equal bit for bit count as one.
"""

from __future__ import annotations

from typing import Any, Final

from graphlab.compile.program import FORWARD, Program
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

_SKIPPED: Final = FORWARD | frozenset(("Placeholder",))


def run(program: Program, graph: FuncGraph) -> None:
    """Merges the operations of one graph."""
    ops = program.ops(graph)
    root = program.root
    seen: dict[Any, Operation] = {}
    gone: set[int] = set()
    writes = 0
    for op in ops:
        kind = op.type
        if kind in _SKIPPED:
            continue
        record = op.record
        if kind == "Const":
            array = op.attrs["value"]
            if array.size > 16 or array.dtype.hasobject:
                continue
            first = seen.setdefault((array.dtype.char, array.shape, array.tobytes()), op)
            if first is not op:
                gone.add(id(op))
                program.replace(op.outputs[0], first.outputs[0])
            continue
        if record.effect is None and not record.random:
            inputs = op.inputs
            if len(inputs) == 2:
                key: Any = (kind, id(root(inputs[0])), id(root(inputs[1])))
            else:
                key = (kind, *[id(root(t)) for t in inputs])
            if record.attrs or not record.simple:
                key = (*key, _attributes(op))
        elif kind == "ReadVariableOp":
            key = (kind, id(root(op.inputs[0])), writes)
        else:
            if record.effect not in (None, "read"):
                writes += 1
            continue
        try:
            first = seen.setdefault(key, op)
        except TypeError:  # an attribute that cannot be compared
            continue
        if first is op or any(t.dtype.np is None for t in op.outputs):
            continue
        if [t._shape for t in first.outputs] != [t._shape for t in op.outputs]:
            continue
        gone.add(id(op))
        for mine, theirs in zip(op.outputs, first.outputs, strict=True):
            program.replace(mine, theirs)
        program.note("common subexpressions", "computed before", graph, [op], [first])
    if gone:
        program.set_ops(graph, [op for op in ops if id(op) not in gone])


def _attributes(op: Operation) -> Any:
    items = []
    for name, value in op.attrs.items():
        if isinstance(value, list):
            value = tuple(value)
        items.append((name, type(value), repr(value) if isinstance(value, float) else value))
    return tuple(items)
