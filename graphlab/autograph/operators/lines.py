"""The user's lines for messages: where a body assigns a variable, where it returns.  Looked up only for an error."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Final

from graphlab.autograph.names import MARK

_STORES: Final = frozenset({"STORE_DEREF", "STORE_FAST", "STORE_GLOBAL", "STORE_NAME", "STORE_ATTR"})


def _instructions(code: CodeType) -> Iterator[tuple[str, object, int]]:
    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        line = (instruction.positions.lineno if instruction.positions else None) or line
        yield instruction.opname, instruction.argval, line
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _instructions(const)


def assigned_at(function: FunctionType | None, name: str) -> int | None:
    """The last line where a body assigns a variable (or attribute ``a.b``); None if it does not."""
    if function is None:
        return None
    last = name.rpartition(".")[2]
    lines = [line for op, value, line in _instructions(function.__code__) if op in _STORES and value == last]
    return max(lines) if lines else None


def returned_at(function: FunctionType | None) -> int | None:
    """The last line where a body returns a value."""
    if function is None:
        return None
    lines = []
    line = function.__code__.co_firstlineno
    for instruction in dis.get_instructions(function.__code__):
        line = (instruction.positions.lineno if instruction.positions else None) or line
        if instruction.opname in ("RETURN_VALUE", "RETURN_CONST"):
            lines.append(line)
    return max(lines) if lines else None


def construct_line(code: CodeType) -> int:
    """The line of the construct that a body was made of; it is in the body's name, ``loop_6``."""
    number = code.co_name.rstrip("_").rpartition("_")[2]
    return int(number) if number.isdecimal() else code.co_firstlineno


def at_line(line: int | None) -> str:
    """``" (line 4)"``, or nothing."""
    return "" if line is None else f" (line {line})"


def shown(name: str) -> str:
    """A variable's name as messages write it."""
    return repr(name.removesuffix(MARK))
