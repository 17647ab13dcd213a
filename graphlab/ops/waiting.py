"""Parts of gradients that wait for the gradient that comes in, as TensorFlow's do."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from graphlab.core.state import state
from graphlab.core.tensor import SymbolicTensor

_NOTHING = nullcontext()


def after(gradient: Any) -> AbstractContextManager[None]:
    """What is made inside waits for ``gradient`` in a graph: control inputs, on which no value depends."""
    graph = state.graph
    if graph is None or not isinstance(gradient, SymbolicTensor) or gradient.op.graph is not graph:
        return _NOTHING
    waiting: AbstractContextManager[None] = graph.control_dependencies([gradient])
    return waiting
