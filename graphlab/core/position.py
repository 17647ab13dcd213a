"""Where in the user's code something was made: taken cheaply, resolved only when somebody asks.

A position is a flat tuple ``(code, instruction, code, instruction, ...)``, innermost frame first, of the frames that
do not belong to graphlab.  Resolving it reads the line table of the code object and the source through ``linecache``.
"""

from __future__ import annotations

import linecache
import os
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any, Final

Position = tuple[Any, ...]

_PACKAGE: Final = str(Path(__file__).resolve().parent.parent) + os.sep
_GENERATED: Final = "<graphlab"
_LIBRARIES: Final = tuple(
    {f"{path}{os.sep}" for name in ("stdlib", "platstdlib") if (path := sysconfig.get_path(name))}
)
_internal: dict[str, bool] = {}
_library: dict[str, bool] = {}
_boundaries: set[CodeType] = set()
_DEPTH: Final = 24
"""Frames of the user that are kept: enough to reach the traced function from helpers that call one another."""


def is_internal(filename: str) -> bool:
    """True for files of graphlab itself and for code it generates."""
    found = _internal.get(filename)
    if found is None:
        found = _internal[filename] = filename.startswith((_PACKAGE, _GENERATED)) and not filename.startswith(
            "<graphlab_user"
        )
    return found


def is_library(filename: str) -> bool:
    """True for files that are not the user's own: graphlab's, Python's, those of installed packages."""
    found = _library.get(filename)
    if found is None:
        parts = filename.replace("\\", "/").split("/")
        found = _library[filename] = (
            is_internal(filename)
            or filename.startswith(("<frozen", *_LIBRARIES))
            or "site-packages" in parts
            or "dist-packages" in parts
        )
    return found


def boundary(code: CodeType) -> None:
    """Declares a function of graphlab beyond which frames are those of the caller of a traced function."""
    _boundaries.add(code)


def here(skip: int = 1) -> Position:
    """The position of the user's frames that led here, innermost first; empty when there are none."""
    frame = sys._getframe(skip)
    found: list[Any] = []
    internal = _internal
    while frame is not None:
        code = frame.f_code
        filename = code.co_filename
        inside = internal.get(filename)
        if inside is None:
            inside = is_internal(filename)
        if not inside:
            found += (code, frame.f_lasti)
            if len(found) >= 2 * _DEPTH:
                break
        elif code in _boundaries and found:
            break
        frame = frame.f_back  # type: ignore[assignment]
    return tuple(found)


@dataclass(frozen=True)
class Place:
    """A resolved position: a range of the user's source."""

    filename: str
    line: int
    end_line: int
    column: int | None
    end_column: int | None
    function: str

    @property
    def text(self) -> str:
        """The source line, stripped; empty if the file cannot be read."""
        return linecache.getline(self.filename, self.line).strip()

    @property
    def expression(self) -> str:
        """The source text of the expression itself, falling back to its line."""
        if self.column is None or self.end_column is None:
            return self.text
        lines = [linecache.getline(self.filename, n) for n in range(self.line, self.end_line + 1)]
        if not lines or not lines[0]:
            return ""
        raw = [line.encode() for line in lines]
        if len(raw) == 1:
            return raw[0][self.column : self.end_column].decode(errors="replace").strip()
        raw[0], raw[-1] = raw[0][self.column :], raw[-1][: self.end_column]
        return " ".join(part.decode(errors="replace").strip() for part in raw)


def place(code: CodeType, instruction: int) -> Place:
    """Resolves one frame's position."""
    line = end = None
    column = end_column = None
    for index, entry in enumerate(code.co_positions()):
        if index == instruction // 2:
            line, end, column, end_column = entry
            break
    if line is None:
        line = code.co_firstlineno
    return Place(code.co_filename, line, end or line, column, end_column, code.co_name)


def resolve(position: Position) -> list[Place]:
    """All frames of a position, innermost first."""
    return [place(position[i], position[i + 1]) for i in range(0, len(position), 2)]


def describe(position: Position) -> str:
    """``File "x.py", line 3, in f`` with the source line, innermost last, as in a traceback."""
    parts = []
    for found in reversed(resolve(position)):
        parts.append(f'  File "{found.filename}", line {found.line}, in {found.function}')
        if found.text:
            parts.append(f"    {found.text}")
    return "\n".join(parts)
