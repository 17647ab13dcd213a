"""What a function reads from outside while it is traced: a number is frozen, a variable is read at each call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from graphlab.core.tensor import Tensor
from graphlab.inspect.subject import Captured, Cell, without_address
from graphlab.tracing.reasons import tensor_text


@dataclass(frozen=True, slots=True)
class Outside:
    """A name and what it held when the function was traced."""

    name: str
    kind: str
    value: str
    function: Any

    @staticmethod
    def read(function: Any) -> list[Outside]:
        """The names that a traced function reads from outside and that hold a number, text, tensor or variable."""
        python = getattr(function.python_function, "__func__", function.python_function)
        found = []
        for name, value in _names(python):
            kind = _kind(value)
            if kind is not None:
                found.append(Outside(name, kind, text(value), python))
        return found

    def captured(self, cell: Cell) -> Captured:
        """With what the name holds now, and the line of the cell that assigns it."""
        now = dict(_names(self.function)).get(self.name)
        return Captured(self.name, self.kind, self.value, text(now), _assigned(cell, self.name))


def _names(python: Any) -> Iterator[tuple[str, Any]]:
    code = getattr(python, "__code__", None)
    if code is None:
        return
    for name, held in zip(code.co_freevars, getattr(python, "__closure__", None) or (), strict=False):
        try:
            yield name, held.cell_contents
        except ValueError:
            continue
    outer = getattr(python, "__globals__", {})
    for name in dict.fromkeys(_global_names(code)):
        if name in outer:
            yield name, outer[name]


def _global_names(code: CodeType) -> Iterator[str]:
    import dis

    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_names(constant)


def _kind(value: Any) -> str | None:
    if isinstance(value, bool | int | float | complex | np.number):
        return "number"
    if isinstance(value, str | bytes | np.ndarray):
        return "value"
    if hasattr(value, "assign") and hasattr(value, "trainable"):
        return "variable"
    return "tensor" if isinstance(value, Tensor) else None


def text(value: Any) -> str:
    """A value in a few characters.

    >>> text(1.5), text(np.zeros((2, 3)))
    ('1.5', 'float64[2, 3]')
    """
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is not None and shape is not None and not isinstance(value, np.number):
        shape = tuple(shape)
        if shape == () and hasattr(value, "numpy"):
            try:
                return without_address(str(value.numpy()))[:40]
            except (AttributeError, TypeError, ValueError, NotImplementedError):
                pass
        return tensor_text(str(getattr(dtype, "name", dtype)), shape)
    shown = without_address(repr(value))
    return shown if len(shown) <= 40 else shown[:39] + "…"


def _assigned(cell: Cell, name: str) -> int | None:
    if not cell.source:
        return None
    lines = ["" if line.lstrip().startswith(("%", "!")) else line for line in cell.source.split("\n")]
    try:
        tree = ast.parse("\n".join(lines))
    except SyntaxError:
        return None
    found = None
    for node in tree.body:
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign | ast.AugAssign)
            else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            found = node.lineno
    return found
