"""How signatures are printed: the parameters of a concrete function, with types, its result and its captures."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from graphlab.core import dtypes
from graphlab.core.export import public
from graphlab.core.specs import TensorSpec
from graphlab.tracing.from_value import from_value
from graphlab.tracing.signature import Key


@public("types.experimental.FunctionType")
class FunctionType:
    """The type of a concrete function: the name, kind and trace type of each parameter, the result, the captures.

    Attributes:
      parameters: name → ``inspect.Parameter`` whose annotation is the trace type.
      output: the trace type of the result.
      captures: id → TensorSpec of each tensor or variable handle that comes from outside.
    """

    def __init__(self, key: Key, output: Any, captures: Sequence[Any]) -> None:
        self.parameters: Mapping[str, inspect.Parameter] = {
            name: inspect.Parameter(name, kind, annotation=type_)
            for name, kind, type_ in zip(key.layout.names, key.layout.kinds, key.types, strict=True)
        }
        self.output = from_value(output)
        self.captures = {id(tensor): _capture_spec(tensor) for tensor in captures}

    def described(self) -> str:
        """Parameters, result and captures, a line each."""
        lines = ["Input Parameters:"]
        lines += [f"  {p.name} ({p.kind.name}): {p.annotation!r}" for p in self.parameters.values()]
        lines += ["Output Type:", f"  {self.output!r}", "Captures:"]
        lines += [f"  {number}: {spec!r}" for number, spec in self.captures.items()] or ["  None"]
        return "\n".join(lines)

    def __str__(self) -> str:
        parts = []
        kinds = [p.kind for p in self.parameters.values()]
        for index, p in enumerate(self.parameters.values()):
            before = kinds[index - 1] if index else None
            if before is inspect.Parameter.POSITIONAL_ONLY and p.kind is not before:
                parts.append("/")
            if p.kind is inspect.Parameter.KEYWORD_ONLY and before is not p.kind:
                parts.append("*")
            parts.append(f"{p.name}: {p.annotation!r}")
        if kinds and kinds[-1] is inspect.Parameter.POSITIONAL_ONLY:
            parts.append("/")
        return f"({', '.join(parts)}) -> {self.output!r}"

    __repr__ = __str__


def _capture_spec(tensor: Any) -> TensorSpec:
    return TensorSpec(() if tensor.dtype is dtypes.resource else tensor.shape, tensor.dtype)
