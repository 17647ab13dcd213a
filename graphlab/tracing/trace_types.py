"""Trace types: what tracing remembers of an argument, as a lattice.  Here are the leaves, and the public protocol.

The trace types of a call's arguments are the key of the cache.  A type says which values it takes (``is_subtype_of``),
what stands for such a value while tracing (``placeholder_value``), how a value is taken apart into the tensors that the
graph is called with (``to_tensors``) and put together again (``from_tensors``).
"""

from __future__ import annotations

import abc
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from graphlab.core import dtypes
from graphlab.core.convert import make
from graphlab.core.dtypes import DType
from graphlab.core.errors import SignatureMismatchError
from graphlab.core.export import public
from graphlab.core.nest import flatten, pack_sequence_as
from graphlab.core.shape import RawShape, from_raw, is_subtype, most_general
from graphlab.core.specs import TensorSpec, TypeSpec, VariableSpec
from graphlab.core.tensor import Tensor
from graphlab.tracing.reasons import Leaf, tensor_text


class PlaceholderContext:
    """Where placeholders are made: a graph, and the name of the argument they belong to.

    ``variables`` has what stands for the variables of the call so far, by alias: what is one variable outside is one
    object inside.
    """

    __slots__ = ("graph", "name", "variables")

    def __init__(self, graph: Any = None, name: str = "args", variables: dict[int, Any] | None = None) -> None:
        self.graph, self.name = graph, name
        self.variables: dict[int, Any] = {} if variables is None else variables


class CastContext:
    """What a value is cast for; says in messages where it stands in the arguments."""

    __slots__ = ("path",)

    def __init__(self, path: str = "") -> None:
        self.path = path

    def at(self, step: str) -> CastContext:
        """The context of a member."""
        return CastContext(self.path + step)


@public("types.experimental.TraceType")
class TraceType(abc.ABC):
    """What tracing remembers of a value: the part of the cache's key that the value contributes.

    An object takes part by returning one from ``__tf_tracing_type__``.  A subclass defines ``is_subtype_of``,
    ``most_specific_common_supertype``, ``placeholder_value``, ``__eq__`` and ``__hash__``.  If its values hold tensors
    that change from call to call, it also defines ``flatten``, ``to_tensors`` and ``from_tensors``.

    >>> import graphlab as tf
    >>> class Mode(tf.types.experimental.TraceType):
    ...     def __init__(self, name): self.name = name
    ...     def is_subtype_of(self, other): return self == other
    ...     def most_specific_common_supertype(self, others): return self if all(o == self for o in others) else None
    ...     def placeholder_value(self, placeholder_context=None): return self.name
    ...     def __eq__(self, other): return isinstance(other, Mode) and self.name == other.name
    ...     def __hash__(self): return hash(self.name)
    >>> Mode("fast").is_subtype_of(Mode("slow"))
    False
    """

    @abc.abstractmethod
    def is_subtype_of(self, other: Any) -> bool:
        """True if a trace made for ``other`` takes every value of this type."""

    @abc.abstractmethod
    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """The most specific type that this and all of ``others`` are subtypes of; None if there is none."""

    @abc.abstractmethod
    def placeholder_value(self, placeholder_context: Any = None) -> Any:
        """What stands for a value of this type while tracing."""

    def to_tensors(self, value: Any) -> list[Any]:
        """The tensors in a value, in the order of ``flatten``.  By default none."""
        return []

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """A value made of the next tensors of an iterator.  By default ``placeholder_value()``, which takes none."""
        return self.placeholder_value(PlaceholderContext())

    def flatten(self) -> list[Any]:
        """The specs of the tensors in a value.  By default none."""
        return []

    def cast(self, value: Any, cast_context: Any = None) -> Any:
        """The value, converted to this type; by default one of a subtype.  TypeError if that is not possible."""
        tracing_type = getattr(value, "__tf_tracing_type__", None)
        if tracing_type is not None and tracing_type(TracingContext()).is_subtype_of(self):
            return value
        raise mismatch(cast_context, f"{value!r} does not fit {self!r}")

    @abc.abstractmethod
    def __hash__(self) -> int: ...

    @abc.abstractmethod
    def __eq__(self, other: object) -> bool: ...


TraceType.register(TypeSpec)  # type: ignore[type-abstract]


@public("types.experimental.TracingContext")
class TracingContext:
    """Given to ``__tf_tracing_type__``: remembers which variables a call's arguments have in common."""

    __slots__ = ("_aliases",)

    def __init__(self) -> None:
        self._aliases: dict[int, int] = {}

    def alias_id(self, variable: Any) -> int:
        """A number that is the same for the same variable, and counts the different ones in order."""
        return self._aliases.setdefault(id(variable), len(self._aliases))


@public("types.experimental.SupportsTracingProtocol")
@runtime_checkable
class SupportsTracingProtocol(Protocol):
    """An object that says itself what tracing remembers of it."""

    def __tf_tracing_type__(self, context: Any) -> TraceType:
        """The TraceType of this object."""
        ...


class Built(TraceType):
    """A trace type of graphlab's own.  Instances are immutable and know their hash."""

    __slots__ = ("_hash",)
    _hash: int

    def __hash__(self) -> int:
        return self._hash

    def describe(self, path: str, leaves: list[Leaf], aliases: dict[int, str]) -> None:
        """Appends this type, and its members', as plain data."""
        raise NotImplementedError

    def shown(self, name: str) -> Any:
        """What ``structured_input_signature`` shows for an argument of this type called ``name``."""
        raise NotImplementedError


def describe(type_: Any, path: str, leaves: list[Leaf], aliases: dict[int, str]) -> None:
    """Appends any trace type as plain data: see ``Leaf``."""
    if isinstance(type_, Built):
        type_.describe(path, leaves, aliases)
    else:
        leaves.append(
            Leaf(path, "custom", {"type": type(type_).__name__, "value": bounded(type_), "token": hash(type_)})
        )


def shown(type_: Any, name: str) -> Any:
    """What ``structured_input_signature`` shows for an argument of any trace type."""
    return type_.shown(name) if isinstance(type_, Built) else type_


def bounded(value: Any, limit: int = 80) -> str:
    """The repr of a value, cut in the middle where it is long; an object whose repr fails gives its class."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a user's __repr__ may raise anything
        text = f"<{type(value).__name__} object>"
    return text if len(text) <= limit else f"{text[: limit * 2 // 3]}…{text[-limit // 4 :]}"


def mismatch(context: Any, what: str) -> SignatureMismatchError:
    """The error for a value that does not fit, naming the argument that ``context`` stands at."""
    path = getattr(context, "path", "")
    return SignatureMismatchError(f"{f'Argument {path!r}: ' if path else ''}{what}.")


# ------------------------------------------------------------------------------------------------------------- tensors


class TensorType(Built):
    """A tensor by dtype and shape (and, if it was asked for with a named TensorSpec, its name)."""

    __slots__ = ("dtype", "name", "shape")

    def __init__(self, dtype: DType, shape: RawShape, name: str | None = None) -> None:
        self.dtype, self.shape, self.name = dtype, shape, name
        self._hash = hash((dtype, shape))

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is TensorType
            and self.dtype is other.dtype
            and self.shape == other.shape
            and self.name == other.name
        )

    __hash__ = Built.__hash__

    def is_subtype_of(self, other: Any) -> bool:
        return type(other) is TensorType and self.dtype is other.dtype and is_subtype(self.shape, other.shape)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> TensorType | None:
        shape = self.shape
        for other in others:
            if type(other) is not TensorType or other.dtype is not self.dtype:
                return None
            shape = most_general(shape, other.shape)
        return self if shape == self.shape else TensorType(self.dtype, shape, self.name)

    @property
    def spec(self) -> TensorSpec:
        """As a TensorSpec."""
        return TensorSpec(from_raw(self.shape), self.dtype, self.name)

    def placeholder_value(self, placeholder_context: Any = None) -> Any:
        return placeholder_context.graph.placeholder(
            self.dtype, self.shape, node_name(self.name or placeholder_context.name)
        )

    def to_tensors(self, value: Any) -> list[Any]:
        return [value if isinstance(value, Tensor) else make(value, self.dtype)]

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        return next(tensors)

    def flatten(self) -> list[Any]:
        return [self.spec]

    def cast(self, value: Any, cast_context: Any = None) -> Any:
        tensor: Any
        if isinstance(value, (Tensor, TensorSpec, VariableSpec)):
            tensor = value
        elif value is None:
            raise mismatch(cast_context, f"expected a tensor {self.text}, but None was given")
        else:
            try:
                tensor = make(value) if hasattr(type(value), "__tf_tensor__") else make(value, self.dtype)
            except (TypeError, ValueError) as error:
                raise mismatch(
                    cast_context,
                    f"expected something that converts to a tensor {self.text}, but got {bounded(value)} "
                    f"of type {type(value).__name__} ({error})",
                ) from None
        self.check(tensor, cast_context)
        return tensor

    def check(self, tensor: Any, context: Any) -> None:
        """Raises SignatureMismatchError, naming the dtype, rank or axis, unless a tensor or spec fits."""
        if tensor.dtype is not self.dtype:
            raise mismatch(
                context,
                f"expected dtype {self.dtype.name}, but got {tensor.dtype.name}. The signature says {self.spec!r}; "
                f"write tf.cast(..., tf.{self.dtype.name})",
            )
        found = tensor.raw_shape if isinstance(tensor, (TensorSpec, VariableSpec)) else tensor._raw_shape()
        wanted = self.shape
        if is_subtype(found, wanted) or wanted is None:
            return
        if found is None:
            raise mismatch(
                context, f"expected shape {wanted}, but the rank is not known. The signature says {self.spec!r}"
            )
        if len(found) != len(wanted):
            raise mismatch(
                context,
                f"expected rank {len(wanted)} (shape {wanted}), but got rank {len(found)} (shape {found}). "
                f"The signature says {self.spec!r}",
            )
        axis = next(i for i, (a, b) in enumerate(zip(found, wanted, strict=True)) if b is not None and a != b)
        raise mismatch(
            context,
            f"expected size {wanted[axis]} at axis {axis}, but got {found[axis]} (shape {found}). "
            f"The signature says {self.spec!r}",
        )

    @property
    def text(self) -> str:
        """``float32[2, None]``."""
        return tensor_text(self.dtype.name, self.shape)

    def describe(self, path: str, leaves: list[Leaf], aliases: dict[int, str]) -> None:
        leaves.append(Leaf(path, "tensor", {"dtype": self.dtype.name, "shape": self.shape}))

    def shown(self, name: str) -> Any:
        return TensorSpec(from_raw(self.shape), self.dtype, self.name or name)

    def __repr__(self) -> str:
        return repr(self.spec)


_NODE_NAME: Final = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*", re.ASCII)


def node_name(name: str) -> str:
    """A name that a node may have: the given one, or ``Placeholder`` for what cannot be one (``_x``)."""
    return name if _NODE_NAME.fullmatch(name) else "Placeholder"


def argument_name(name: str) -> str:
    """The name of an argument in ``structured_input_signature``: in lower case, beginning with a letter."""
    name = re.sub(r"[^a-z0-9_]", "_", name.lower())
    return name if name[:1].isalpha() else f"tensor_{name}"


_TENSORS: Final[dict[tuple[DType, RawShape], TensorType]] = {}


def tensor_type(dtype: DType, shape: RawShape) -> TensorType:
    """The type of a tensor; the same object again for the usual ones."""
    found = _TENSORS.get((dtype, shape))
    if found is None:
        if len(_TENSORS) > 10000:
            _TENSORS.clear()
        found = _TENSORS[dtype, shape] = TensorType(dtype, shape)
    return found


class VariableType(Built):
    """A variable by dtype, shape and which other arguments are the same variable."""

    __slots__ = ("alias", "dtype", "shape", "trainable")

    def __init__(self, dtype: DType, shape: RawShape, trainable: bool, alias: int | None) -> None:
        self.dtype, self.shape, self.trainable, self.alias = dtype, shape, trainable, alias
        self._hash = hash((dtype, shape, trainable, alias))

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is VariableType
            and self.dtype is other.dtype
            and self.shape == other.shape
            and self.trainable == other.trainable
            and self.alias == other.alias
        )

    __hash__ = Built.__hash__

    def is_subtype_of(self, other: Any) -> bool:
        return (
            type(other) is VariableType
            and self.dtype is other.dtype
            and self.trainable == other.trainable
            and self.alias == other.alias
            and is_subtype(self.shape, other.shape)
        )

    def most_specific_common_supertype(self, others: Sequence[Any]) -> VariableType | None:
        shape = self.shape
        for other in others:
            if type(other) is not VariableType or (other.dtype, other.trainable, other.alias) != (
                self.dtype, self.trainable, self.alias
            ):  # fmt: skip
                return None
            shape = most_general(shape, other.shape)
        return VariableType(self.dtype, shape, self.trainable, self.alias)

    @property
    def spec(self) -> VariableSpec:
        """As a VariableSpec."""
        return VariableSpec(from_raw(self.shape), self.dtype, self.trainable, self.alias)

    def placeholder_value(self, placeholder_context: Any = None) -> Any:
        from graphlab.eager.variable import Variable

        if self.alias in placeholder_context.variables:
            return placeholder_context.variables[self.alias]
        name = node_name(placeholder_context.name)
        handle = placeholder_context.graph.placeholder(dtypes.resource, (), name)
        handle.__dict__["handle_data"] = (self.dtype, self.shape)
        variable: Any = object.__new__(Variable)
        variable._make(self.dtype, self.shape, f"{name}:0", self.trainable)
        variable._handle = handle  # the cell made with it says what the variable is, and is never read
        if self.alias is not None:
            placeholder_context.variables[self.alias] = variable
        return variable

    def to_tensors(self, value: Any) -> list[Any]:
        return [value.handle]

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        return next(tensors)

    def flatten(self) -> list[Any]:
        return [TensorSpec((), dtypes.resource)]

    def cast(self, value: Any, cast_context: Any = None) -> Any:
        variable = isinstance(value, VariableSpec) or hasattr(value, "handle")
        if variable and value.dtype is self.dtype and is_subtype(value.shape._dims, self.shape):
            return value
        raise mismatch(
            cast_context, f"expected a variable of {tensor_text(self.dtype.name, self.shape)}, but got {bounded(value)}"
        )

    def describe(self, path: str, leaves: list[Leaf], aliases: dict[int, str]) -> None:
        first = path if self.alias is None else aliases.setdefault(self.alias, path)
        data = {"dtype": self.dtype.name, "shape": self.shape, "trainable": self.trainable, "alias": first}
        leaves.append(Leaf(path, "variable", data))

    def shown(self, name: str) -> Any:
        return self.spec

    def __repr__(self) -> str:
        return repr(self.spec)


class SpecType(Built):
    """A composite tensor by its TypeSpec."""

    __slots__ = ("spec",)

    def __init__(self, spec: TypeSpec) -> None:
        self.spec = spec
        self._hash = hash(spec)

    def __eq__(self, other: object) -> bool:
        return type(other) is SpecType and self.spec == other.spec

    __hash__ = Built.__hash__

    def is_subtype_of(self, other: Any) -> bool:
        return type(other) is SpecType and self.spec.is_subtype_of(other.spec)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> SpecType | None:
        if any(type(other) is not SpecType for other in others):
            return None
        found = self.spec.most_specific_common_supertype([other.spec for other in others])
        return None if found is None else SpecType(found)

    def placeholder_value(self, placeholder_context: Any = None) -> Any:
        graph, name = placeholder_context.graph, placeholder_context.name
        parts = [graph.placeholder(spec.dtype, spec.raw_shape, node_name(name)) for spec in self.flatten()]
        return pack_sequence_as(self.spec, parts, expand_composites=True)

    def to_tensors(self, value: Any) -> list[Any]:
        return flatten(value, expand_composites=True)

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        return pack_sequence_as(self.spec, list(itertools.islice(tensors, len(self.flatten()))), expand_composites=True)

    def flatten(self) -> list[Any]:
        return flatten(self.spec, expand_composites=True)

    def cast(self, value: Any, cast_context: Any = None) -> Any:
        found = getattr(value, "_type_spec", value)
        if isinstance(found, TypeSpec) and found.is_subtype_of(self.spec):
            return value
        raise mismatch(cast_context, f"expected {self.spec!r}, but got {bounded(value)}")

    def describe(self, path: str, leaves: list[Leaf], aliases: dict[int, str]) -> None:
        text = repr(self.spec)
        leaves.append(
            Leaf(path, "spec", {"type": type(self.spec).__name__, "value": bounded(self.spec, 200), "token": text})
        )

    def shown(self, name: str) -> Any:
        return self.spec

    def __repr__(self) -> str:
        return repr(self.spec)
