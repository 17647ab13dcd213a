"""Positions resolved many at a time: a graph has hundreds in the same few code objects."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType

from graphlab.core.position import Place, Position
from graphlab.inspect.user_source import Source


class Places:
    """Resolves positions in one file (or in any), each code object's line table being read once."""

    def __init__(self, filename: str | None) -> None:
        self.filename = filename
        self._tables: dict[int, list[tuple[int | None, int | None, int | None, int | None]]] = {}
        self._found: dict[tuple[int, int], Place] = {}

    def of(self, position: Position) -> Place | None:
        """The innermost place of a position that lies in the file; None when there is none."""
        return next(self.all(position), None)

    def all(self, position: Position) -> Iterator[Place]:
        """The places of a position that lie in the file, innermost first."""
        for index in range(0, len(position), 2):
            code, instruction = position[index], position[index + 1]
            if self.filename is not None and code.co_filename != self.filename:
                continue
            key = id(code), instruction
            found = self._found.get(key)
            if found is None:
                found = self._found[key] = self._resolve(code, instruction)
            yield found

    def _resolve(self, code: CodeType, instruction: int) -> Place:
        table = self._tables.get(id(code))
        if table is None:
            table = self._tables[id(code)] = list(code.co_positions())
        index = instruction // 2
        line, end, column, end_column = table[index] if 0 <= index < len(table) else (None, None, None, None)
        line = code.co_firstlineno if line is None else line
        return Place(code.co_filename, line, end or line, column, end_column, code.co_name)


def own_lines(places: Places, source: Source | None, position: Position) -> list[int]:
    """The lines of the file that led to a position, innermost first: one for each function of the user's.

    A loop's body is a function of its own only in the generated code: the loop around it is no caller. Where the line
    is not the first of its statement, that one follows.
    """
    found: dict[object, list[int]] = {}
    for place in places.all(position):
        if source is None:
            return [place.line]
        found.setdefault(source.enclosing(place.line, place.function), [place.line, source.statement(place.line)])
    return [line for lines in found.values() for line in lines]
