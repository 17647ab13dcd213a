"""Trace types of structures: lists, tuples, namedtuples, dictionaries, attrs objects, dataclasses; member by member."""

from __future__ import annotations

import copy
from collections import ChainMap, Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graphlab.tracing.reasons import Leaf
from graphlab.tracing.trace_types import Built, CastContext, PlaceholderContext, bounded, describe, mismatch, shown


class StructureType(Built):
    """A container: what it is, its keys, and the types of its members in a fixed order.

    Attributes:
      members: the types of the members.
      identity: what two types must share beside the types of their members.
    """

    __slots__ = ("identity", "members")
    kind = ""

    def __init__(self, identity: Any, members: Sequence[Any]) -> None:
        self.identity, self.members = identity, tuple(members)
        self._hash = hash((self.kind, identity, self.members))

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is type(self) and self.identity == other.identity and self.members == other.members
        )

    __hash__ = Built.__hash__

    def _fits(self, other: Any) -> bool:
        return type(other) is type(self) and self.identity == other.identity and len(self.members) == len(other.members)

    def is_subtype_of(self, other: Any) -> bool:
        return self._fits(other) and all(a.is_subtype_of(b) for a, b in zip(self.members, other.members, strict=True))

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        if not all(self._fits(other) for other in others):
            return None
        members = []
        for index, member in enumerate(self.members):
            common = member.most_specific_common_supertype([other.members[index] for other in others])
            if common is None:
                return None
            members.append(common)
        return self._with(members)

    def _with(self, members: Sequence[Any]) -> Any:
        return type(self)(self.identity, members)

    # -- what each kind of container defines ---------------------------------------------------------------------------

    def _children(self, value: Any) -> Sequence[Any]:
        """The members of a value, in the order of ``members``."""
        raise NotImplementedError

    def _build(self, members: list[Any]) -> Any:
        """A value with these members."""
        raise NotImplementedError

    def _steps(self) -> list[str]:
        """What a user writes after the value's name for each member."""
        return [f"[{i}]" for i in range(len(self.members))]

    def _names(self) -> list[str]:
        """What is appended to the argument's name for each member in ``structured_input_signature``."""
        return [str(i) for i in range(len(self.members))]

    def _check(self, value: Any, context: Any) -> None:
        """Raises unless ``value`` is such a container."""
        raise NotImplementedError

    def _data(self) -> dict[str, Any]:
        """The plain data of ``Leaf``."""
        return {"length": len(self.members)}

    # ------------------------------------------------------------------------------------------------------------------

    def placeholder_value(self, placeholder_context: Any = None) -> Any:
        members: list[Any] = [None] * len(self.members)
        for index in self._order():
            members[index] = self.members[index].placeholder_value(placeholder_context)
        return self._build(members)

    def _order(self) -> Sequence[int]:
        """The order in which placeholders are made (it shows in their names)."""
        return range(len(self.members))

    def to_tensors(self, value: Any) -> list[Any]:
        tensors: list[Any] = []
        for member, child in zip(self.members, self._children(value), strict=True):
            tensors += member.to_tensors(child)
        return tensors

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        return self._build([member.from_tensors(tensors) for member in self.members])

    def flatten(self) -> list[Any]:
        return [spec for member in self.members for spec in member.flatten()]

    def cast(self, value: Any, cast_context: Any = None) -> Any:
        self._check(value, cast_context)
        context = cast_context or CastContext()
        members = zip(self.members, self._children(value), self._steps(), strict=True)
        cast = [member.cast(child, context.at(step)) for member, child, step in members]
        if all(a is b for a, b in zip(cast, self._children(value), strict=True)):
            return value
        return self._build(cast)

    def describe(self, path: str, leaves: list[Leaf], aliases: dict[int, str]) -> None:
        leaves.append(Leaf(path, self.kind, self._data()))
        for member, step in zip(self.members, self._steps(), strict=True):
            describe(member, path + step, leaves, aliases)

    def shown(self, name: str) -> Any:
        names = self._names()
        return self._build([shown(member, f"{name}_{part}") for member, part in zip(self.members, names, strict=True)])

    def _pairs(self, names: Sequence[Any]) -> str:
        return ", ".join(f"[{name!r}, {member!r}]" for name, member in zip(names, self.members, strict=True))


class ListType(StructureType):
    """A list by its members."""

    __slots__ = ()
    kind = "list"
    container: type[Any] = list

    def _children(self, value: Any) -> Sequence[Any]:
        return value  # type: ignore[no-any-return]

    def _build(self, members: list[Any]) -> Any:
        return self.container(members)

    def _check(self, value: Any, context: Any) -> None:
        if not isinstance(value, self.container):
            raise mismatch(context, f"expected a {self.kind}, but got {bounded(value)} of type {type(value).__name__}")
        if len(value) != len(self.members):
            raise mismatch(context, f"expected {len(self.members)} members, but got {len(value)}")

    def __repr__(self) -> str:
        return f"{self.kind.title()}[{', '.join(map(repr, self.members))}]"


class TupleType(ListType):
    """A tuple by its members."""

    __slots__ = ()
    kind = "tuple"
    container = tuple


class FieldsType(StructureType):
    """An object with named fields: namedtuple, attrs or dataclass.  ``identity`` is (name of the class, fields).

    Classes count by name and fields, so that a notebook cell that defines the class again does not trace again.
    """

    __slots__ = ("cls", "prototype")

    def __init__(self, cls: type, fields: Sequence[str], members: Sequence[Any], prototype: Any = None) -> None:
        self.cls = cls
        self.prototype = prototype
        super().__init__((cls.__name__, tuple(fields)), members)

    def _with(self, members: Sequence[Any]) -> Any:
        return type(self)(self.cls, self.identity[1], members, self.prototype)

    def _children(self, value: Any) -> Sequence[Any]:
        return [getattr(value, field) for field in self.identity[1]]

    def _build(self, members: list[Any]) -> Any:
        return self.cls(*members)

    def _steps(self) -> list[str]:
        return [f".{field}" for field in self.identity[1]]

    def _names(self) -> list[str]:
        return list(self.identity[1])

    def _check(self, value: Any, context: Any) -> None:
        if type(value).__name__ != self.identity[0] or not all(hasattr(value, field) for field in self.identity[1]):
            raise mismatch(context, f"expected a {self.identity[0]}, but got {bounded(value)}")

    def _data(self) -> dict[str, Any]:
        return {"type": self.identity[0], "keys": self.identity[1]}

    def __repr__(self) -> str:
        return f"{self.identity[0]}[{self._pairs(self.identity[1])}]"


class NamedTupleType(FieldsType):
    """A namedtuple by name, fields and members."""

    __slots__ = ()
    kind = "namedtuple"


class AttrsType(FieldsType):
    """An attrs object by class, fields and members."""

    __slots__ = ()
    kind = "attrs"


class DataclassType(FieldsType):
    """A dataclass by class, fields and members."""

    __slots__ = ()
    kind = "dataclass"

    def _build(self, members: list[Any]) -> Any:
        # Neither __init__ nor __post_init__ runs: they may check or change what is a placeholder here.
        new = copy.copy(self.prototype) if self.prototype is not None else object.__new__(self.cls)
        for field, member in zip(self.identity[1], members, strict=True):
            object.__setattr__(new, field, member)
        return new


class DictType(StructureType):
    """A dictionary by its keys, in whatever order they stand, and their values.  ``identity`` is the sorted keys."""

    __slots__ = ("cls", "order")
    kind = "dict"

    def __init__(self, keys: Sequence[Any], members: Sequence[Any], order: Sequence[Any], cls: type = dict) -> None:
        self.order, self.cls = tuple(order), cls
        super().__init__(tuple(keys), members)

    def _with(self, members: Sequence[Any]) -> Any:
        return DictType(self.identity, members, self.order, self.cls)

    def _order(self) -> Sequence[int]:
        return [self.identity.index(key) for key in self.order]

    def _children(self, value: Any) -> Sequence[Any]:
        return [value[key] for key in self.identity]

    def _build(self, members: list[Any]) -> Any:
        by_key = dict(zip(self.identity, members, strict=True))
        pairs = {key: by_key[key] for key in self.order}
        if self.cls is dict:
            return pairs
        try:
            new = self.cls(pairs)
        except TypeError:
            return pairs
        return new if set(new) == set(pairs) else pairs  # a class may be made of something else than its items

    def _steps(self) -> list[str]:
        return [f"[{key!r}]" for key in self.identity]

    def _names(self) -> list[str]:
        return [str(key) for key in self.identity]

    def _check(self, value: Any, context: Any) -> None:
        if not isinstance(value, Mapping):
            raise mismatch(context, f"expected a dictionary, but got {bounded(value)} of type {type(value).__name__}")
        missing = [key for key in self.identity if key not in value]
        extra = [key for key in value if key not in self.identity]
        if missing or extra:
            what = [f"key {key!r} is missing" for key in missing] + [f"key {key!r} is not expected" for key in extra]
            raise mismatch(context, f"expected the keys {list(self.identity)}: {', '.join(what)}")

    def _data(self) -> dict[str, Any]:
        return {"keys": tuple(repr(key) for key in self.identity)}

    def __repr__(self) -> str:
        by_key = dict(zip(self.identity, self.members, strict=True))
        return f"Dict[{', '.join(f'[{key!r}, {by_key[key]!r}]' for key in self.order)}]"


def mapping_class(value: Mapping[Any, Any]) -> type:
    """The class in which a mapping is given to the traced function: its own, or dict where that makes no copy."""
    return dict if isinstance(value, (defaultdict, Counter, ChainMap)) else type(value)


class CustomNestType(StructureType):
    """A dataclass with ``__tf_flatten__`` and ``__tf_unflatten__``: its metadata and its components."""

    __slots__ = ("cls", "metadata")
    kind = "dataclass"

    def __init__(self, cls: type, metadata: Any, members: Sequence[Any]) -> None:
        self.cls, self.metadata = cls, metadata
        super().__init__((cls, _frozen(metadata)), members)

    def _with(self, members: Sequence[Any]) -> Any:
        return CustomNestType(self.cls, self.metadata, members)

    def _children(self, value: Any) -> Sequence[Any]:
        return value.__tf_flatten__()[1]  # type: ignore[no-any-return]

    @staticmethod
    def _metadata(value: Any) -> Any:
        return value.__tf_flatten__()[0]

    def _build(self, members: list[Any]) -> Any:
        return self.cls.__tf_unflatten__(self.metadata, tuple(members))  # type: ignore[attr-defined]

    def _check(self, value: Any, context: Any) -> None:
        same = type(value) is self.cls and _frozen(self._metadata(value)) == self.identity[1]
        if not same:
            raise mismatch(context, f"expected a {self.cls.__name__} with {self.metadata!r}, but got {bounded(value)}")

    def _data(self) -> dict[str, Any]:
        return {"type": f"{self.cls.__name__}{bounded(self.metadata)}", "keys": tuple(self._steps())}

    def __repr__(self) -> str:
        return f"CustomNestTraceType [metadata={self.metadata!r}, components={self.members!r}]"


def _frozen(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(v) for v in value)
    if isinstance(value, Mapping):
        return tuple(sorted((str(k), _frozen(v)) for k, v in value.items()))
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return (type(value), value)


__all__ = [
    "AttrsType", "CustomNestType", "DataclassType", "DictType", "ListType", "NamedTupleType", "PlaceholderContext",
    "StructureType", "TupleType", "mapping_class",
]  # fmt: skip
