"""Trace types of Python values: literals by type and value, objects by identity."""

from __future__ import annotations

import itertools
import math
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np

from graphlab.core.tensor import Tensor
from graphlab.tracing.reasons import Leaf
from graphlab.tracing.trace_types import Built, bounded, mismatch


class LiteralType(Built):
    """A Python value by type and value.  NaN equals NaN, -0.0 is not 0.0, and True, 1 and 1.0 are three."""

    __slots__ = ("token", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        kind = type(value)
        # repr tells NaNs, signed zeros and all else of floats apart
        self.token = (kind, repr(value)) if kind is float or kind is complex else (kind, value)
        self._hash = hash(self.token)

    def __eq__(self, other: object) -> bool:
        return type(other) is LiteralType and self.token == other.token

    __hash__ = Built.__hash__

    def is_subtype_of(self, other: Any) -> bool:
        return type(other) is LiteralType and self.token == other.token

    def most_specific_common_supertype(self, others: Sequence[Any]) -> LiteralType | None:
        return self if all(self == other for other in others) else None

    def placeholder_value(self, placeholder_context: Any = None) -> Any:
        return self.shown("")

    def takes(self, value: Any) -> bool:
        """True if a bound argument accepts ``value``: an equal one does (3.0 for 3), as in TensorFlow."""
        if isinstance(value, (Tensor, np.ndarray)):
            return False
        if isinstance(value, float) and isinstance(self.value, float):
            return value == self.value or (math.isnan(value) and math.isnan(self.value))
        try:
            return bool(value == self.value)
        except Exception:  # noqa: BLE001 - a user's __eq__ may raise anything; then it is not equal
            return False

    def cast(self, value: Any, cast_context: Any = None) -> Any:
        if self.takes(value):
            return self.value
        raise mismatch(
            cast_context,
            f"it is bound to {bounded(self.value)} here and takes no other value, but got {bounded(value)}",
        )

    def describe(self, path: str, leaves: list[Leaf], aliases: dict[int, str]) -> None:
        kind = type(self.value)
        text = bounded(self.value)
        token = text if "…" not in text else f"{text}#{self._hash}"
        leaves.append(Leaf(path, "literal", {"type": kind.__name__, "value": text, "token": token}))

    def shown(self, name: str) -> Any:
        return list(self.value) if type(self.value) is range else self.value  # as TensorFlow hands a range on

    def __repr__(self) -> str:
        return f"Literal[{self.value!r}]"


_serials: Final[weakref.WeakKeyDictionary[Any, int]] = weakref.WeakKeyDictionary()
_numbers: Final = itertools.count(1)


def serial(value: Any) -> int:
    """A number for an object: the same again while it lives (and for equal objects), never one of a dead object.

    TypeError if the object cannot be hashed or weakly referenced.
    """
    found = _serials.get(value)
    return _serials.setdefault(value, next(_numbers)) if found is None else found


class ObjectType(Built):
    """An object by identity, held weakly: a trace made for an object that is gone fits no other.

    Objects of classes that define equality share traces while they are equal and alive, as in TensorFlow.
    """

    __slots__ = ("reference", "serial")

    def __init__(self, value: Any) -> None:
        self.serial = serial(value)
        self.reference = weakref.ref(value)
        self._hash = hash(self.serial)

    def __eq__(self, other: object) -> bool:
        return type(other) is ObjectType and self.serial == other.serial

    __hash__ = Built.__hash__

    def is_subtype_of(self, other: Any) -> bool:
        return type(other) is ObjectType and self.serial == other.serial

    def most_specific_common_supertype(self, others: Sequence[Any]) -> ObjectType | None:
        return self if all(self == other for other in others) else None

    def placeholder_value(self, placeholder_context: Any = None) -> Any:
        value = self.reference()
        if value is None:
            raise ReferenceError("The object that this function was traced with does not exist any more.")
        return value

    def cast(self, value: Any, cast_context: Any = None) -> Any:
        known = self.reference()
        if value is known or (known is not None and type(value) is type(known) and value == known):
            return value
        raise mismatch(
            cast_context, f"it is bound to {self._text()} here and takes no other object, but got {bounded(value)}"
        )

    def _text(self) -> str:
        value = self.reference()
        return "an object that is gone" if value is None else bounded(value)

    def describe(self, path: str, leaves: list[Leaf], aliases: dict[int, str]) -> None:
        leaves.append(Leaf(path, "object", {**_form(self.reference()), "serial": self.serial}))

    def shown(self, name: str) -> Any:
        return self.reference  # the graph keeps what is shown, and must not keep the object

    def __repr__(self) -> str:
        value = self.reference()
        return "Weakref[dead]" if value is None else f"Weakref[{bounded(value)}]"


def _form(value: Any) -> dict[str, Any]:
    """What kind of object it is, for the sentence that says why another one made a trace."""
    data: dict[str, Any] = {
        "type": type(value).__name__,
        "value": bounded(value),
        "form": "instance",
        "owner": None,
        "name": None,
    }
    with suppress(Exception):  # an object may raise anything when it is asked for an attribute
        data.update(_form_of_callable(value))
    return data


def _form_of_callable(value: Any) -> dict[str, Any]:
    """What a class, a method or a function is called; nothing for another object."""
    data: dict[str, Any] = {}
    if isinstance(value, type):
        data.update(form="class", name=value.__qualname__, value=f"class {value.__qualname__}")
    elif (self_ := getattr(value, "__self__", None)) is not None and hasattr(value, "__func__"):
        name = f"{type(self_).__name__}.{value.__func__.__name__}"
        data.update(form="method", owner=id(self_), name=name, value=f"bound method {name}")
    elif hasattr(value, "__code__"):
        code = value.__code__
        lambda_ = code.co_name == "<lambda>"
        name = f"{value.__qualname__} at {code.co_filename}:{code.co_firstlineno}" if lambda_ else value.__qualname__
        text = f"lambda of line {code.co_firstlineno}" if lambda_ else f"function {value.__qualname__}"
        data.update(form="lambda" if lambda_ else "function", name=name, value=text)
    return data
