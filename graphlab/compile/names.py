"""What a tensor is called in generated code, and the names of one block of it."""

from __future__ import annotations

from typing import Any, NamedTuple


class Value(NamedTuple):
    """What a tensor is in the source.

    Attributes:
      text: a name or literal.
      number: the DType if it is a Python number, None for an array or NumPy scalar.
      boxed: for a Python number, the name of the same value as an array, if there is one.
    """

    text: str
    number: Any = None
    boxed: str | None = None


class Block:
    """Names of one block of code: a function body, a branch, a loop body."""

    __slots__ = ("counted", "exposed", "free", "fresh", "last", "own")

    def __init__(self) -> None:
        self.free: list[str] = []
        self.own: set[str] = set()
        self.last: dict[int, int] = {}
        self.exposed: set[int] = set()
        self.fresh: set[int] = set()
        self.counted: set[int] = set()
