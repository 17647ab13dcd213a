"""What a function reads from outside while it is traced: a number is frozen, a variable is read at each call."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from graphlab.inspect.subject import Captured, Cell
from graphlab.tracing.outside import Outside as Read
from graphlab.tracing.outside import snapshot


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
        python = function.python_function
        return [Outside(name, kind, value, python) for name, kind, value in snapshot(python)]

    def captured(self, cell: Cell) -> Captured:
        """With what the name holds now, and the line of the cell that assigns it."""
        now = {name: value for name, _, value in snapshot(self.function)}.get(self.name, "")
        return Captured(self.name, self.kind, self.value, now, assigned(cell, self.name))


def then_and_now(
    traces: Iterable[tuple[Read, ...]], now: Iterable[Read], reader: str | None = None, filename: str | None = None
) -> list[Captured]:
    """What the first trace that read each name found, with what the name holds now.

    Args:
        traces: What each trace read.
        now: The same names now.
        reader: The helper that reads them, and its file; None for the traced function itself.
        filename: Likewise.
    """
    found: dict[str, tuple[str, str]] = {}
    for names in traces:
        for name, kind, value in names:
            found.setdefault(name, (kind, value))
    values = {name: value for name, _, value in now}
    return [
        Captured(name, kind, value, values.get(name, ""), None, reader, filename)
        for name, (kind, value) in found.items()
    ]


def assigned(cell: Cell, name: str) -> int | None:
    """The last line of a cell's own level that assigns a name."""
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
        if any(ast.unparse(target) == name for target in targets):
            found = node.lineno
    return found
