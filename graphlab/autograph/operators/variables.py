"""The user's variables, as the operators see them: cells that bodies share, globals, attributes and items.

The bodies of a construct are functions that assign the variables around them; those variables are cells of their
closures,
found by name.  An empty cell is a variable without a value: nothing stands for "undefined".
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache
from types import CellType, FunctionType
from typing import Any, Final

from graphlab.core.syntax import parse


class _Unset:
    def __repr__(self) -> str:
        return "<unset>"

    def __bool__(self) -> bool:
        return False


UNSET: Final = _Unset()
"""The value of a variable that has none."""


class _Cell:
    __slots__ = ("cell",)

    def __init__(self, cell: CellType) -> None:
        self.cell = cell

    def get(self) -> Any:
        try:
            return self.cell.cell_contents
        except ValueError:
            return UNSET

    def set(self, value: Any) -> None:
        if value is not UNSET:
            self.cell.cell_contents = value
        elif self.get() is not UNSET:
            del self.cell.cell_contents


class _Global:
    __slots__ = ("name", "names")

    def __init__(self, names: dict[str, Any], name: str) -> None:
        self.names, self.name = names, name

    def get(self) -> Any:
        return self.names.get(self.name, UNSET)

    def set(self, value: Any) -> None:
        if value is not UNSET:
            self.names[self.name] = value
        else:
            self.names.pop(self.name, None)


class _Path:
    """``self.x``, ``d['a']``, ``x[i]``: the last step from an object that is looked up each time."""

    __slots__ = ("owner", "step")

    def __init__(self, owner: Callable[[], Any], step: tuple[bool, Callable[[], Any]]) -> None:
        self.owner, self.step = owner, step

    def get(self) -> Any:
        is_item, key = self.step
        try:
            owner = self.owner()
            if owner is UNSET:
                return UNSET
            return owner[key()] if is_item else getattr(owner, key())
        except (AttributeError, LookupError):
            return UNSET

    def set(self, value: Any) -> None:
        is_item, key = self.step
        if value is UNSET:
            if self.get() is not UNSET:
                owner = self.owner()
                if is_item:
                    del owner[key()]
                else:
                    delattr(owner, key())
            return
        owner = self.owner()
        if owner is UNSET:
            return
        if is_item:
            owner[key()] = value
        else:
            setattr(owner, key(), value)


Slot = _Cell | _Global | _Path


def slot(name: str, functions: Sequence[FunctionType]) -> Slot:
    """The variable, attribute or item of this name, as the functions see it."""
    if not name.isidentifier():
        return _path(_parsed(name), functions)
    for function in functions:
        free = function.__code__.co_freevars
        if name in free:
            assert function.__closure__ is not None
            return _Cell(function.__closure__[free.index(name)])
    return _Global(functions[0].__globals__, name)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> ast.expr:
    return parse(text, mode="eval").body  # type: ignore[no-any-return]


def _path(node: ast.expr, functions: Sequence[FunctionType]) -> _Path:
    step: tuple[bool, Callable[[], Any]]
    if isinstance(node, ast.Attribute):
        attribute = node.attr
        step = (False, lambda: attribute)
    else:
        assert isinstance(node, ast.Subscript)
        key: Any
        if isinstance(node.slice, ast.Name):
            key = slot(node.slice.id, functions)
            step = (True, key.get)
        else:
            key = ast.literal_eval(node.slice)
            step = (True, lambda: key)
    owner: Slot
    if isinstance(node.value, ast.Name):
        owner = slot(node.value.id, functions)
    else:
        owner = _path(node.value, functions)
    return _Path(owner.get, step)


class Variables:
    """The state of a construct: the variables it gives a value to, and all others that its bodies may assign.

    Args:
      names: the state.
      functions: the bodies.
    """

    def __init__(self, names: Sequence[str], functions: Sequence[FunctionType]) -> None:
        self.names = tuple(names)
        self.slots = [slot(name, functions) for name in names]
        # Every cell of the bodies, so that one body's assignments are undone before the next is traced.
        cells: dict[int, Slot] = {}
        for function in functions:
            for cell in function.__closure__ or ():
                cells[id(cell)] = _Cell(cell)
        self._all: list[Slot] = [*cells.values(), *(s for s in self.slots if not isinstance(s, _Cell))]

    def keep(self, names: Sequence[str]) -> None:
        """Leaves only these in the state."""
        pairs = [(n, s) for n, s in zip(self.names, self.slots, strict=True) if n in names]
        self.names, self.slots = tuple(n for n, _ in pairs), [s for _, s in pairs]

    def read(self) -> list[Any]:
        """The values of the state; UNSET for those without one."""
        return [s.get() for s in self.slots]

    def write(self, values: Sequence[Any]) -> None:
        """Gives the state new values."""
        for s, value in zip(self.slots, values, strict=True):
            s.set(value)

    def snapshot(self) -> list[Any]:
        """All values that the bodies can change."""
        return [s.get() for s in self._all]

    def restore(self, snapshot: list[Any]) -> None:
        """Undoes what happened since the snapshot."""
        for s, value in zip(self._all, snapshot, strict=True):
            s.set(value)
