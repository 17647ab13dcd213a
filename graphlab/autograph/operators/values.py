"""The values of variables as flat lists of tensors, and the messages when branches or iterations disagree about them.

Tensors, variables, NumPy arrays and Python numbers, bools and strings become tensors; composite tensors stay;
anything else is
opaque: it may pass through a construct only if it stays the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from graphlab.autograph import staging
from graphlab.autograph.names import is_internal
from graphlab.autograph.operators.lines import at_line, shown
from graphlab.autograph.operators.variables import UNSET
from graphlab.core import nest
from graphlab.core.shape import TensorShape, is_subtype

_NUMBERS: Final = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


class Opaque:
    """A leaf that is not made of tensors."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Value:
    """A variable's value: its structure, and its leaves as tensors.

    Attributes:
      structure: the value itself.
      leaves: tensors, composite tensors, or ``Opaque``; empty if the variable has no value.
    """

    __slots__ = ("leaves", "structure")

    def __init__(self, structure: Any) -> None:
        self.structure = structure
        if structure is UNSET:
            self.leaves: list[Any] = []
        elif staging.is_tensor(structure):
            self.leaves = [staging.tensor(structure)]
        else:
            self.leaves = [_leaf(leaf) for leaf in nest.flatten(structure)]

    @property
    def tensors(self) -> list[Any]:
        """The leaves that travel through a structured operation."""
        return [leaf for leaf in self.leaves if leaf.__class__ is not Opaque]

    def rebuilt(self, tensors: list[Any]) -> Any:
        """The value with other tensors for its leaves, which are taken from the front of the list."""
        if self.structure is UNSET:
            return UNSET
        leaves = [leaf.value if leaf.__class__ is Opaque else tensors.pop(0) for leaf in self.leaves]
        if len(leaves) == 1 and not nest.is_nested(self.structure):
            return leaves[0]
        return nest.pack_sequence_as(self.structure, leaves)


def _leaf(leaf: Any) -> Any:
    if staging.is_tensor(leaf):
        return staging.tensor(leaf)
    if isinstance(leaf, _NUMBERS):
        return staging.tensor(leaf)
    if staging.is_composite(leaf):
        return leaf
    return Opaque(leaf)


def same_opaque(a: Any, b: Any) -> bool:
    """True if two opaque leaves are the same thing."""
    return a.__class__ is Opaque and b.__class__ is Opaque and a.value is b.value


def described(value: Value) -> str:
    """``a list of 2``, ``float32 tensor of shape (2,)``, ``None``: for messages."""
    structure = value.structure
    if structure is None:
        return "None"
    if nest.is_nested(structure):
        count = len(structure)
        kind = type(structure).__name__
        if isinstance(structure, Mapping):
            return f"a {kind} with the keys {', '.join(map(repr, structure))}" if count else f"an empty {kind}"
        article = "an" if kind[0].lower() in "aeiou" else "a"
        if not value.leaves or all(staging.is_tensor(leaf) for leaf in value.leaves):
            return f"{article} {kind} of {count} tensor{'' if count == 1 else 's'}"
        return f"{article} {kind} of {count} value{'' if count == 1 else 's'}"
    if value.leaves and staging.is_tensor(value.leaves[0]):
        leaf = value.leaves[0]
        return f"{leaf.dtype.name} of shape {leaf.shape}"
    return f"of type {type(structure).__name__}"


class Side:
    """One of the two things that have to agree: ``the main branch``, ``before the loop``.

    Attributes:
      phrase: as it stands in a message: ``in the main branch``.
      line: for a name (None: the value returned), the user's line that gave it its value, or None.
    """

    def __init__(self, phrase: str, line: Callable[[str | None], int | None]) -> None:
        self.phrase, self.line = phrase, line

    def told(self, name: str | None) -> str:
        """``in the main branch (line 4)``."""
        return self.phrase + at_line(self.line(name))


def subject(name: str | None) -> str:
    """How a message calls a variable; None and AutoGraph's own variable for it are the value returned."""
    return "the value returned" if name is None or is_internal(name) else shown(name)


def check_agree(name: str | None, a: Value, b: Value, first: Side, second: Side) -> None:
    """Checks structure and dtypes.

    Raises:
      TypeError: they differ.
      ValueError: one is None.
    """
    what = subject(name)
    if (a.structure is None) != (b.structure is None):
        side, other, there = (first, second, b) if a.structure is None else (second, first, a)
        raise ValueError(
            f"{what} is None {side.told(name)}, but {described(there)} {other.told(name)}. "
            "Give it a value of the same kind in both places."
        )
    try:
        nest.assert_same_structure(a.structure, b.structure)
    except (TypeError, ValueError):
        raise TypeError(
            f"{what} is {described(a)} {first.told(name)}, but {described(b)} {second.told(name)}. "
            "A graph needs the same structure in both."
        ) from None
    for index, (x, y) in enumerate(zip(a.leaves, b.leaves, strict=True)):
        part = what if len(a.leaves) == 1 else f"part {index} of {what}"
        if x.__class__ is Opaque or y.__class__ is Opaque:
            if not same_opaque(x, y):
                raise _not_tensors(part, x, y, first.told(name), second.told(name))
        elif staging.is_tensor(x) and staging.is_tensor(y) and x.dtype is not y.dtype:
            raise TypeError(
                f"{part} has dtype {x.dtype.name} {first.told(name)}, but dtype {y.dtype.name} {second.told(name)}. "
                f"Write tf.cast(..., tf.{x.dtype.name}), or a literal of the same kind."
            )


def _not_tensors(part: str, x: Any, y: Any, first: str, second: str) -> Exception:
    """The error for two leaves that differ, at least one of which is no tensor."""
    for leaf, where in ((x, first), (y, second)):
        if leaf.__class__ is Opaque and leaf.value is None:
            return ValueError(f"{part} is None {where}.")
    opaque, where = (x, first) if x.__class__ is Opaque else (y, second)
    return TypeError(
        f"{part} is of type {type(opaque.value).__name__} {where}: a graph can choose between tensors only."
    )


def check_shapes(name: str, before: Value, after: Value, invariants: Sequence[Any], given: bool, side: Side) -> None:
    """Checks that a loop variable keeps within its shapes.

    Args:
      name: the variable.
      before: its value before the loop.
      after: its value after one iteration.
      invariants: the shape each of its tensors may have, None for those of composites.
      given: they come from ``set_loop_options``.
      side: ``after one iteration``.

    Raises:
      ValueError: a shape is outside.
    """
    shapes = iter(invariants)
    for x, y in zip(before.leaves, after.leaves, strict=True):
        if x.__class__ is Opaque:
            continue
        allowed = next(shapes)
        if allowed is _ANY or not staging.is_tensor(y) or is_subtype(y._raw_shape(), allowed):
            continue
        if given:
            raise ValueError(
                f"{subject(name)} has shape {y.shape} {side.told(name)}, which its shape invariant "
                f"{TensorShape(allowed)} does not allow."
            )
        dims = y._raw_shape()
        general: Any = None
        if dims is not None and allowed is not None and len(dims) == len(allowed):
            general = [None if m != n else n for m, n in zip(allowed, dims, strict=True)]
        fix = ""
        if not is_internal(name):
            fix = (
                " If it may, write as the first line of the loop: tf.autograph.experimental.set_loop_options("
                f"shape_invariants=[({name}, tf.TensorShape({general}))])"
            )
        raise ValueError(
            f"{subject(name)} has shape {TensorShape(allowed)} before the loop, "
            f"but shape {y.shape} {side.told(name)}.{fix}"
        )


class _Any:
    pass


_ANY: Final = _Any()
ANY_SHAPE: Final = _ANY
"""In a list of invariants: a composite, whose shapes are its own affair."""
