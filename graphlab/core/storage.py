"""The memory of a variable, apart from the object that the user holds."""

from __future__ import annotations

import threading
import weakref
from typing import Any, Final

from graphlab.core import dtypes
from graphlab.core.dtypes import DType
from graphlab.core.shape import RawShape
from graphlab.core.tensor import EagerTensor, SymbolicTensor, wrap

_numbers = iter(range(1, 2**62))


class Cell:
    """What a resource handle refers to.

    Attributes:
      value: the array, or None before it is initialised.  It is replaced, and written into only where nobody else has
        it; meanwhile it is None here, and readers wait for the lock.
      element: the DType of the value.
      extent: the raw shape that values must fit.
      name: the variable's name, with ``:0``.
      variable: a weak reference to the Variable, if it lives.
    """

    __slots__ = ("__weakref__", "element", "extent", "lock", "name", "number", "trainable", "value", "variable")

    dtype_of_handle: Final = dtypes.resource
    shape: Final = ()

    def __init__(self, element: DType, extent: RawShape, name: str, trainable: bool = True) -> None:
        self.value: Any = None
        self.element = element
        self.extent = extent
        self.name = name
        self.trainable = trainable
        self.lock = threading.RLock()
        self.number = next(_numbers)
        self.variable: weakref.ref[Any] | None = None

    def current(self) -> Any:
        """The array, or None before the variable is initialised; waits while a new value is written into it."""
        value = self.value
        if value is None:
            with self.lock:
                value = self.value
        return value

    def __repr__(self) -> str:
        return f"<Resource variable {self.name!r}>"


def handle_of(cell: Cell) -> EagerTensor:
    """An eager resource tensor for a cell."""
    return wrap(cell)


def handle_data(tensor: Any) -> tuple[DType, RawShape] | None:
    """Dtype and shape of the variable behind a resource tensor, if known."""
    if isinstance(tensor, EagerTensor):
        cell = tensor._a
        return (cell.element, cell.extent) if isinstance(cell, Cell) else None
    if isinstance(tensor, SymbolicTensor):
        return tensor.__dict__.get("handle_data")
    return None
