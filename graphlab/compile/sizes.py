"""Sizes of all values of a graph: those known while tracing, or what they are for arguments of given shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from graphlab.compile.program import FORWARD, Program, bodies
from graphlab.core.op import Arg
from graphlab.core.shape import RawShape
from graphlab.core.static import value as static_value
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

_LARGEST: Final = 64
"""Values of more elements are not worked out: shapes are short."""


class Sizes:
    """The shapes of the values of a program.

    Args:
      program: a graph as the passes left it.
      shapes: those of the graph's arguments and captures; None for what tracing knew.
    """

    def __init__(self, program: Program, shapes: Sequence[RawShape] | None = None) -> None:
        self.program = program
        self.known: dict[int, RawShape] = {}
        self.values: dict[int, Any] = {}
        if shapes is not None:
            self._graph(program.graph, shapes)

    def shape(self, tensor: Any) -> RawShape:
        """The shape of a value, as far as it is known."""
        found: RawShape = self.known.get(id(tensor), tensor._shape)
        return found

    def bytes(self, tensor: Any) -> int | None:
        """The bytes of a value; None if its size is not known."""
        shape = self.shape(tensor)
        if shape is None or None in shape:
            return None
        dtype = tensor.dtype.np
        return math.prod(shape) * (8 if dtype is None else dtype.itemsize)  # type: ignore[arg-type]

    def _graph(self, graph: FuncGraph, shapes: Sequence[RawShape]) -> None:
        for placeholder, shape in zip(graph.parameters, shapes, strict=True):
            self.known[id(placeholder)] = shape
        for op in self.program.ops(graph):
            if op.type not in ("Placeholder", "Const"):
                self._operation(op)

    def _operation(self, op: Operation) -> None:
        inputs = [self.program.root(t) for t in op.inputs]
        if op.type in FORWARD:
            return
        inside = list(bodies(op))
        if inside:
            given = inputs if "body" in op.attrs else inputs[1:]
            for body in inside:
                self._graph(body, [self.shape(t) for t in given])
            last = inside[-1]
            for output, inner in zip(op.outputs, last.outputs, strict=False):
                self.known[id(output)] = self.shape(self.program.root(inner))
            return
        self._value(op, inputs)
        infer = op.record.infer
        if infer is None or all(t._shape is not None and None not in t._shape for t in op.outputs):
            return
        try:
            found = infer([_Arg(self, t) for t in inputs], op.attrs)
        except Exception:  # noqa: BLE001 - shapes that cannot be: the call itself will say so
            return
        for output, shape in zip(op.outputs, found if isinstance(found, list) else [found], strict=False):
            self.known[id(output)] = shape

    def _value(self, op: Operation, inputs: list[Any]) -> None:
        """Works out small values that depend on shapes and constants alone."""
        shape = self.shape(inputs[0]) if inputs else None
        known = shape is not None and None not in shape
        found: Any = None
        if op.type in ("Shape", "Size", "Rank"):
            if known:
                dtype = op.outputs[0].dtype.np
                answers = {"Shape": shape, "Size": math.prod(shape), "Rank": len(shape)}  # type: ignore[arg-type]
                found = np.array(answers[op.type], dtype)
        elif op.record.single and op.record.pure and inputs and op.outputs[0].dtype.np is not None:
            arrays = [self.value(t) for t in inputs]
            if all(a is not None for a in arrays) and sum(a.size for a in arrays) <= _LARGEST:
                try:
                    found = np.asarray(op.record.choose(op.attrs)(*op.record.grouped(arrays, op.attrs)))
                except Exception:  # noqa: BLE001 - the error belongs to the run
                    found = None
        if found is not None and found.size <= _LARGEST:
            self.values[id(op.outputs[0])] = found

    def value(self, tensor: Any) -> Any:
        """The value of a tensor where shapes and constants decide it, else None."""
        found = self.values.get(id(tensor))
        if found is None:
            found = tensor.op.attrs["value"] if tensor.op.type == "Const" else static_value(tensor)
        return found


class _Arg(Arg):
    """An input with the shape it has for these arguments."""

    __slots__ = ("sizes",)

    def __init__(self, sizes: Sizes, tensor: Any) -> None:
        super().__init__(tensor)
        self.sizes = sizes
        self.shape = sizes.shape(tensor)

    @property
    def value(self) -> Any:
        return self.sizes.value(self.tensor)

    @property
    def partial(self) -> RawShape:
        known = self.sizes.value(self.tensor)
        if known is not None and known.ndim == 1 and known.dtype.kind == "i":
            return tuple(known.tolist())
        op = self.tensor.op
        if op.type == "Pack":
            return tuple(
                None if v is None else int(v) for v in (self.sizes.value(self.sizes.program.root(t)) for t in op.inputs)
            )
        return super().partial
