"""Which operations a run needs: what the results depend on, and every effect.

Execution is non-strict: an op whose result nobody needs does not run, and its run-time error does not happen.  Effects
always happen, in program order; reads of variables count as pure here, since an unneeded read changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graphlab.graph.operation import Operation


def is_root(op: Operation) -> bool:
    """True if the op must run although nothing uses its results."""
    return op.record.effect not in (None, "read")


def needed(ops: list[Operation], outputs: Iterable[Any]) -> list[Operation]:
    """The operations to run, in program order."""
    wanted = {id(t.op) for t in outputs}
    kept = []
    for op in reversed(ops):
        if id(op) in wanted or is_root(op):
            kept.append(op)
            for tensor in op.inputs:
                wanted.add(id(tensor.op))
    kept.reverse()
    return kept
