"""What the fields of a ``tf.experimental.ExtensionType`` may be, and how values become them."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from graphlab.core.convert import convert_to_tensor
from graphlab.core.dtypes import DType, as_dtype
from graphlab.core.shape import TensorShape, as_shape
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec
from graphlab.core.tensor import Tensor

_PLAIN: Final = (int, float, str, bytes, bool, type(None))


class ImmutableDict(Mapping[str, Any]):
    """A mapping that does not change."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, Any]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: str) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"ImmutableDict({self._items!r})"


def _named(kind: Any) -> str:
    return getattr(kind, "__name__", str(kind))


def check_type(kind: Any, field: str) -> None:
    """TypeError unless fields may have that type."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        for part in inner:
            check_type(part, field)
    elif origin is tuple:
        for part in inner:
            if part is not Ellipsis:
                check_type(part, field)
    elif origin is not None and isinstance(origin, type) and issubclass(origin, Mapping) and origin is not dict:
        if inner and inner[0] is not str:
            raise TypeError(f"In field {field!r}: the keys of a mapping are str, not {_named(inner[0])}.")
        check_type(inner[1], field)
    elif (
        origin is not None
        or not isinstance(kind, type)
        or not issubclass(kind, (*_PLAIN, Tensor, CompositeTensor, TypeSpec, TensorShape, DType))
    ):
        raise TypeError(
            f"In field {field!r}: unsupported type annotation {_named(kind)}. A field is a tf.Tensor, a composite or "
            "extension type, a tf.TensorShape or tf.DType, an int, float, bool, str, bytes or None, a tuple, mapping "
            "or union of these."
        )


def converted(value: Any, kind: Any, field: str, spec: bool = False) -> Any:
    """A value as a field of that type has it; of a spec, tensors are specs.

    Raises:
      TypeError: if it can't be one.
    """
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _of_union(value, inner, field, spec)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise TypeError(f"{field}: expected tuple, got {type(value).__name__!r}")
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(converted(part, inner[0], f"{field}[{i}]", spec) for i, part in enumerate(value))
        if len(value) != len(inner):
            raise TypeError(f"{field}: expected tuple with length {len(inner)}, got {len(value)} values")
        pairs = enumerate(zip(value, inner, strict=True))
        return tuple(converted(part, of, f"{field}[{i}]", spec) for i, (part, of) in pairs)
    if origin is not None:
        if not isinstance(value, Mapping):
            raise TypeError(f"{field}: expected mapping, got {type(value).__name__!r}")
        found = {}
        for key, part in value.items():
            if not isinstance(key, str):
                raise TypeError(f"{field}.<key>: expected 'str', got {type(key).__name__!r}")
            found[key] = converted(part, inner[1], f"{field}[{key!r}]", spec)
        return ImmutableDict(found)
    if issubclass(kind, Tensor):
        return _tensor(value, field, spec)
    if (
        spec
        and issubclass(kind, CompositeTensor)
        and isinstance(value, TypeSpec)
        and issubclass(value.value_type, kind)
    ):
        return value
    if kind is TensorShape and isinstance(value, list | tuple | TensorShape | type(None)):
        return as_shape(value)
    if kind is DType:
        try:
            return as_dtype(value)
        except TypeError as error:
            raise TypeError(f"{field}: expected 'DType', got {type(value).__name__!r}") from error
    if not isinstance(value, kind) or (spec and issubclass(kind, CompositeTensor)):
        raise TypeError(f"{field}: expected {_named(kind)!r}, got {type(value).__name__!r}")
    return value


def _tensor(value: Any, field: str, spec: bool) -> Any:
    if spec:
        if isinstance(value, TensorSpec):
            return value
        raise TypeError(f"{field}: expected a TensorSpec, got {type(value).__name__!r}")
    if isinstance(value, Tensor):
        return value
    if isinstance(value, CompositeTensor):
        raise TypeError(f"{field}: expected a Tensor, got {type(value).__name__!r}")
    try:
        return convert_to_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{field}: expected a Tensor, got {type(value).__name__!r}") from error


def _of_union(value: Any, kinds: Any, field: str, spec: bool) -> Any:
    # What a value is goes before what it may become.
    for kind in kinds:
        if isinstance(kind, type) and not issubclass(kind, Tensor) and isinstance(value, kind):
            return value
    for kind in kinds:
        try:
            return converted(value, kind, field, spec)
        except TypeError:
            continue
    names = ", ".join(_named(kind) for kind in kinds)
    raise TypeError(f"{field}: expected one of {names}, got {type(value).__name__!r}")


def leaves(value: Any, kind: type | tuple[type, ...]) -> list[Any]:
    """The parts of a field that are of a kind, in order."""
    if isinstance(value, kind):
        return [value]
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in leaves(part, kind)]
    if isinstance(value, Mapping):
        return [leaf for key in sorted(value) for leaf in leaves(value[key], kind)]
    return []


def replaced(value: Any, kind: type | tuple[type, ...], by: Callable[[Any], Any]) -> Any:
    """The field with those parts replaced."""
    if isinstance(value, kind):
        return by(value)
    if isinstance(value, tuple):
        return tuple(replaced(part, kind, by) for part in value)
    if isinstance(value, Mapping):
        found = {key: replaced(value[key], kind, by) for key in sorted(value)}
        return ImmutableDict({key: found[key] for key in value})
    return value
