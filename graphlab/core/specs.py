"""Specifications: what a value must look like, without the value.

A ``TypeSpec`` describes tensors (``TensorSpec``), variables (``VariableSpec``) and composite tensors: objects made of
several tensors that travel through functions, branches and structures as one.  A spec takes its values apart into
component tensors and puts them together again; everything else about a composite follows from that.

The classes of the values are above this module, which knows them by their public names only.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from typing import Any, Self

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dtypes import DType
from graphlab.core.export import public, resolve
from graphlab.core.shape import (
    RawShape,
    TensorShape,
    as_shape,
    from_raw,
    is_compatible,
    is_subtype,
    most_general,
)

_public_class = cache(resolve)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, _public_class("Tensor"))


@public("TypeSpec")
class TypeSpec(abc.ABC):
    """The type of a value that holds tensors.

    A subclass defines ``value_type``, ``_serialize`` (a nested tuple of plain values from which ``cls(*parts)`` makes
    an equal spec), ``_component_specs``, ``_to_components`` and ``_from_components``; comparison and generalisation
    follow.
    """

    __slots__ = ("__weakref__",)

    @property
    @abc.abstractmethod
    def value_type(self) -> Any:
        """The class of the values."""

    @property
    @abc.abstractmethod
    def _component_specs(self) -> Any:
        """A nested structure of specs, one for each component."""

    @abc.abstractmethod
    def _serialize(self) -> tuple[Any, ...]:
        """Everything that distinguishes this spec from others of its class."""

    @abc.abstractmethod
    def _to_components(self, value: Any) -> Any:
        """The component tensors of ``value``, in the structure of ``_component_specs``."""

    @abc.abstractmethod
    def _from_components(self, components: Any) -> Any:
        """The value made of ``components``."""

    @classmethod
    def _deserialize(cls, serialization: Sequence[Any]) -> Self:
        return cls(*serialization)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """True if some value fits both this and ``spec_or_value`` (a spec, or a value of which the spec is taken)."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else type_spec_from_value(spec_or_value)
        return type(other) is type(self) and _compatible(self._serialize(), other._serialize())

    def is_subtype_of(self, other: Any) -> bool:
        """True if every value that fits this spec fits ``other``."""
        return type(other) is type(self) and _subtype(self._serialize(), other._serialize())

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Self | None:
        """The most specific spec that this and ``others`` all fit; None if there is none."""
        try:
            parts = reduce(_generalise, [self._same_class(other)._serialize() for other in others], self._serialize())
        except _NoSupertypeError:
            return None
        return self._deserialize(parts)

    def _same_class(self, other: Any) -> TypeSpec:
        if type(other) is not type(self):
            raise _NoSupertypeError
        return other

    def most_specific_compatible_type(self, other: TypeSpec) -> Self:
        """The most specific spec that both fit.  ValueError if there is none."""
        result = self.most_specific_common_supertype([other])
        if result is None:
            raise ValueError(f"No spec describes both {self} and {other}.")
        return result

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(other) is type(self) and _plain(self._serialize()) == _plain(other._serialize())

    def __hash__(self) -> int:
        return hash((type(self), _hashable(self._serialize())))

    def __reduce__(self) -> tuple[Callable[..., TypeSpec], tuple[Any, ...]]:
        return _restore, (type(self), self._serialize())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{_text(self._serialize())}"


def _restore(cls: type[TypeSpec], serialization: Sequence[Any]) -> TypeSpec:
    return cls._deserialize(serialization)


def _text(parts: Sequence[Any]) -> str:
    return f"({', '.join(map(repr, parts))})"


class _NoSupertypeError(Exception):
    pass


def _plain(part: Any) -> Any:
    # Lists and tuples are interchangeable in a serialization, as are a shape and its dimensions in a comparison.
    if isinstance(part, (list, tuple)):
        return tuple(map(_plain, part))
    return part


def _hashable(part: Any) -> Any:
    if isinstance(part, (list, tuple)):
        return tuple(map(_hashable, part))
    if isinstance(part, Mapping):
        return tuple((key, _hashable(part[key])) for key in sorted(part, key=str))
    return part


def _paired(a: Any, b: Any) -> list[tuple[Any, Any]] | None:
    """The members of two structures side by side; None if they are leaves; ValueError if the structures differ."""
    if isinstance(a, (list, tuple)):
        if not isinstance(b, (list, tuple)):
            raise ValueError
        return list(zip(a, b, strict=True))
    if isinstance(a, Mapping):
        if not isinstance(b, Mapping) or a.keys() != b.keys():
            raise ValueError
        return [(a[key], b[key]) for key in a]
    return None


def _walk(leaf: Callable[[Any, Any], bool], a: Any, b: Any) -> bool:
    try:
        pairs = _paired(a, b)
    except ValueError:
        return False
    return leaf(a, b) if pairs is None else all(_walk(leaf, x, y) for x, y in pairs)


def _compatible(a: Any, b: Any) -> bool:
    return _walk(_compatible_leaf, a, b)


def _compatible_leaf(a: Any, b: Any) -> bool:
    if isinstance(a, (TypeSpec, TensorShape)) and type(a) is type(b):
        return a.is_compatible_with(b)
    return type(a) is type(b) and bool(a == b)


def _subtype(a: Any, b: Any) -> bool:
    return _walk(_subtype_leaf, a, b)


def _subtype_leaf(a: Any, b: Any) -> bool:
    if isinstance(a, (TypeSpec, TensorShape)):
        return a.is_subtype_of(b)
    return type(a) is type(b) and bool(a == b)


def _generalise(a: Any, b: Any) -> Any:
    try:
        pairs = _paired(a, b)
    except ValueError:
        raise _NoSupertypeError from None
    if pairs is not None:
        parts = [_generalise(x, y) for x, y in pairs]
        if isinstance(a, Mapping):
            return dict(zip(a, parts, strict=True))
        return type(a)(*parts) if hasattr(a, "_fields") else type(a)(parts)
    if isinstance(a, (TypeSpec, TensorShape)):
        common = a.most_specific_common_supertype([b])
        if common is None:
            raise _NoSupertypeError
        return common
    if type(a) is not type(b) or a != b:
        raise _NoSupertypeError
    return a


class _DenseSpec(TypeSpec):
    """What the specs of tensors and of variables share: a shape, a dtype, and being its own only component."""

    __slots__ = ("_dtype", "_name", "_shape")

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self._shape = as_shape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._name = name

    @property
    def shape(self) -> TensorShape:
        """The shape, of which dimensions or the rank may be unknown."""
        return self._shape

    @property
    def raw_shape(self) -> RawShape:
        """The shape as a plain tuple, or None for an unknown rank."""
        return self._shape._dims

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._dtype

    @property
    def name(self) -> str | None:
        """The name, or None."""
        return self._name

    def __hash__(self) -> int:
        return hash((self._shape._dims, self._dtype))


@public("TensorSpec")
class TensorSpec(_DenseSpec):
    """Describes a tensor: what a function's ``input_signature`` is made of.

    Args:
      shape: anything ``tf.TensorShape`` takes; None in place of a dimension means any size.
      dtype: anything ``tf.as_dtype`` takes.
      name: a name for the argument in the graph, or None.

    >>> import graphlab as tf
    >>> spec = tf.TensorSpec([None, 2], tf.int32)
    >>> spec
    TensorSpec(shape=(None, 2), dtype=tf.int32, name=None)
    >>> spec.is_compatible_with(tf.TensorSpec([3, 2], tf.int32))
    True
    """

    __slots__ = ()

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """The same for anything with a shape and a dtype, under another name if one is given."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor.  ValueError if it is none.

        A symbolic tensor also gives its name, unless ``name`` is given.

        >>> import graphlab as tf
        >>> tf.TensorSpec.from_tensor(tf.constant([1, 2]))
        TensorSpec(shape=(2,), dtype=tf.int32, name=None)
        """
        if not _is_tensor(tensor):
            raise ValueError(
                f"from_tensor takes a tf.Tensor, not {type(tensor).__name__}. Convert it first: tf.constant()."
            )
        return cls(tensor.shape, tensor.dtype, name or getattr(getattr(tensor, "op", None), "name", None))

    @property
    def value_type(self) -> Any:
        """``tf.Tensor``."""
        return _public_class("Tensor")

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """True if the dtypes are equal and some shape fits both.  False for what is neither a tensor nor its spec."""
        if not (isinstance(spec_or_tensor, TensorSpec) or _is_tensor(spec_or_tensor)):
            return False
        return spec_or_tensor.dtype is self._dtype and is_compatible(
            self._shape._dims, as_shape(spec_or_tensor.shape)._dims
        )

    def is_subtype_of(self, other: Any) -> bool:
        """True if every tensor that fits this spec fits ``other``.  A spec without a name is the more general one."""
        return (
            type(other) is type(self)
            and (other._name is None or self._name == other._name)
            and self._dtype is other._dtype
            and is_subtype(self._shape._dims, other._shape._dims)
        )

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Self | None:
        """This spec with every dimension unknown that differs in ``others``; None if dtypes or names differ."""
        dims = self._shape._dims
        for other in others:
            if type(other) is not type(self) or other._dtype is not self._dtype or other._name != self._name:
                return None
            dims = most_general(dims, other._shape._dims)
        return type(self)(from_raw(dims), self._dtype, self._name)

    @property
    def _component_specs(self) -> TensorSpec:
        return self

    def _to_components(self, value: Any) -> Any:
        if not self.is_compatible_with(value):
            raise ValueError(f"{value!r} does not fit {self}.")
        return value

    def _from_components(self, components: Any) -> Any:
        return components

    def _serialize(self) -> tuple[TensorShape, DType, str | None]:
        return self._shape, self._dtype, self._name

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is type(self)
            and self._shape._dims == other._shape._dims
            and self._dtype is other._dtype
            and self._name == other._name
        )

    __hash__ = _DenseSpec.__hash__

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


class VariableSpec(_DenseSpec):
    """Describes a variable.

    Args:
      shape: anything ``tf.TensorShape`` takes.
      dtype: anything ``tf.as_dtype`` takes.
      trainable: whether tapes watch it.
      alias_id: a number that two arguments share exactly when they are one variable, or None.
    """

    __slots__ = ("_alias_id", "_trainable")

    def __init__(
        self, shape: Any, dtype: Any = dtypes.float32, trainable: bool = True, alias_id: int | None = None
    ) -> None:
        super().__init__(shape, dtype)
        self._trainable, self._alias_id = trainable, alias_id

    @classmethod
    def from_value(cls, value: Any) -> VariableSpec:
        """The spec of a variable."""
        return cls(value.shape, value.dtype, value.trainable)

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it."""
        return self._trainable

    @property
    def alias_id(self) -> int | None:
        """The number that arguments which are one variable share, or None."""
        return self._alias_id

    @property
    def value_type(self) -> Any:
        """``tf.Variable``."""
        return _public_class("Variable")

    @property
    def _component_specs(self) -> list[TensorSpec]:
        return [TensorSpec((), dtypes.resource)]

    def _to_components(self, value: Any) -> Any:
        return [value.handle]

    def _from_components(self, components: Any) -> Any:
        raise NotImplementedError("A variable is not made of its handle: pass the variable itself.")

    def _serialize(self) -> tuple[TensorShape, DType, bool, int | None]:
        return self._shape, self._dtype, self._trainable, self._alias_id

    def __eq__(self, other: object) -> bool:
        return TypeSpec.__eq__(self, other)

    __hash__ = _DenseSpec.__hash__

    def __repr__(self) -> str:
        return (
            f"VariableSpec(shape={self._shape}, dtype={self._dtype!r}, trainable={self._trainable!r}, "
            f"alias_id={self._alias_id!r})"
        )


@public("NoneTensorSpec")
class NoneTensorSpec(TypeSpec):
    """Describes None."""

    __slots__ = ()

    @property
    def value_type(self) -> Any:
        """The class of None."""
        return type(None)

    @property
    def _component_specs(self) -> list[TypeSpec]:
        return []

    def _to_components(self, value: Any) -> Any:
        return []

    def _from_components(self, components: Any) -> Any:
        return None

    def _serialize(self) -> tuple[()]:
        return ()


@public("__internal__.CompositeTensor")
class CompositeTensor:
    """An object made of tensors, which structures, functions and branches take apart by means of its ``_type_spec``."""

    __slots__ = ()

    @property
    def _type_spec(self) -> TypeSpec:
        raise NotImplementedError(f"{type(self).__name__} must define _type_spec.")

    def _shape_invariant_to_type_spec(self, shape: Any) -> TypeSpec:
        raise NotImplementedError(f"{type(self).__name__} has no shape invariants.")


@public("IndexedSlices")
class IndexedSlices(CompositeTensor):
    """Rows of a larger tensor: ``values[i]`` belongs at row ``indices[i]``.  The gradient of ``tf.gather`` is one.

    Rows whose index occurs several times are added.  Elsewhere the larger tensor is zero.

    Args:
      values: a tensor of shape ``[n, d1, ..., dk]``.
      indices: an integer tensor of shape ``[n]``.
      dense_shape: the shape ``[d0, d1, ..., dk]`` of the larger tensor as an integer tensor, or None.

    >>> import graphlab as tf
    >>> rows = tf.IndexedSlices(tf.constant([[1., 2.]]), tf.constant([2]), tf.constant([3, 2]))
    >>> rows.shape
    TensorShape([3, 2])
    """

    __slots__ = ("__weakref__", "_dense_shape", "_indices", "_values")

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self._values, self._indices, self._dense_shape = values, indices, dense_shape

    @property
    def values(self) -> Any:
        """The rows."""
        return self._values

    @property
    def indices(self) -> Any:
        """Where the rows belong."""
        return self._indices

    @property
    def dense_shape(self) -> Any:
        """The shape of the larger tensor as a tensor, or None."""
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        """What ``dense_shape`` says of the shape of the larger tensor; unknown without one."""
        if self._dense_shape is None:
            return from_raw(None)
        from graphlab.core import static

        return from_raw(static.partial_value(self._dense_shape))

    def _row_shape(self) -> RawShape:
        """The shape of the larger tensor as far as the rows show it."""
        dims: RawShape = as_shape(self._values.shape)._dims
        return None if dims is None else (None, *dims[1:])

    def consumers(self) -> list[Any]:
        """The operations that use ``values``; none eagerly."""
        return self._values.consumers() if hasattr(self._values, "op") else []

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._values.dtype  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """The name of ``values``, which only a symbolic tensor has."""
        return self._values.name  # type: ignore[no-any-return]

    @property
    def op(self) -> Any:
        """The operation that makes ``values``."""
        return self._values.op

    @property
    def graph(self) -> Any:
        """The graph of ``values``."""
        return self._values.graph

    @property
    def device(self) -> str:
        """The device of ``values``."""
        return self._values.device  # type: ignore[no-any-return]

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        """The larger tensor.  ValueError if its shape or another dtype than asked for stands against it."""
        if dtype is not None and dtypes.as_dtype(dtype) is not self.dtype:
            raise ValueError(
                f"A tensor of dtype {dtypes.as_dtype(dtype).name} was asked for, but {self!r} has {self.dtype.name}."
            )
        if self._dense_shape is None:
            raise ValueError(f"{self!r} can't become a tensor: without dense_shape nobody knows its number of rows.")
        from graphlab.core.export import resolve

        rows = self._dense_shape[0]
        return resolve("math.unsorted_segment_sum")(self._values, self._indices, rows, name=name)

    @property
    def _type_spec(self) -> IndexedSlicesSpec:
        dense = self._dense_shape
        shape = self.shape
        return IndexedSlicesSpec(
            shape if shape.is_fully_defined() else from_raw(self._row_shape()),
            self.dtype,
            self._indices.dtype,
            None if dense is None else dense.dtype,
            self._indices.shape,
        )

    def _shape_invariant_to_type_spec(self, shape: Any) -> IndexedSlicesSpec:
        # As in tf.while_loop: the invariant is that of the rows, the first dimension being their number.
        dims = as_shape(shape)._dims
        dense = self._dense_shape
        return IndexedSlicesSpec(
            None if dims is None else (None, *dims[1:]),
            self.dtype,
            self._indices.dtype,
            None if dense is None else dense.dtype,
            None if dims is None else dims[:1],
        )

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __repr__(self) -> str:
        dense = "" if self._dense_shape is None else f", dense_shape={self._dense_shape!s}"
        return f"IndexedSlices(indices={self._indices!s}, values={self._values!s}{dense})"


@public("IndexedSlicesSpec")
class IndexedSlicesSpec(TypeSpec):
    """Describes ``tf.IndexedSlices``.

    Args:
      shape: shape of the larger tensor.
      dtype: type of the values.
      indices_dtype: int32 or int64.
      dense_shape_dtype: type of ``dense_shape``, or None if there is none.
      indices_shape: shape of the indices.
    """

    __slots__ = ("_dense_shape_dtype", "_indices_dtype", "_indices_shape", "_shape", "_values_dtype")

    _component_names = ("values", "indices", "dense_shape")

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        indices_dtype: Any = dtypes.int64,
        dense_shape_dtype: Any = None,
        indices_shape: Any = None,
    ) -> None:
        self._shape = as_shape(shape)
        self._values_dtype = dtypes.as_dtype(dtype)
        self._indices_dtype = dtypes.as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else dtypes.as_dtype(dense_shape_dtype)
        self._indices_shape = as_shape(indices_shape).with_rank(1)

    @property
    def value_type(self) -> Any:
        """``tf.IndexedSlices``."""
        return IndexedSlices

    def _serialize(self) -> tuple[Any, ...]:
        return (
            self._shape, self._values_dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape
        )  # fmt: skip

    @property
    def _component_specs(self) -> tuple[TensorSpec, ...]:
        specs = [
            TensorSpec(self._indices_shape.concatenate(self._shape[1:]), self._values_dtype),
            TensorSpec(self._indices_shape, self._indices_dtype),
        ]
        if self._dense_shape_dtype is not None:
            specs.append(TensorSpec((self._shape.rank,), self._dense_shape_dtype))
        return tuple(specs)

    def _to_components(self, value: Any) -> Any:
        parts = (value.values, value.indices)
        return parts if value.dense_shape is None else (*parts, value.dense_shape)

    def _from_components(self, components: Any) -> IndexedSlices:
        return IndexedSlices(*components)


@public("type_spec_from_value")
def type_spec_from_value(value: Any) -> TypeSpec:
    """The spec of a value: of a tensor, variable or composite, or of what converts to a tensor.

    Raises:
      TypeError: if the value does not convert to a tensor.

    >>> import graphlab as tf
    >>> tf.type_spec_from_value([1, 2])
    TensorSpec(shape=(2,), dtype=tf.int32, name=None)
    """
    if isinstance(value, CompositeTensor):
        return value._type_spec
    if _is_tensor(value):
        return TensorSpec(value.shape, value.dtype)
    if isinstance(value, _public_class("Variable")):
        return VariableSpec(value.shape, value.dtype, value.trainable)
    if isinstance(value, (np.ndarray, np.generic)):
        return TensorSpec(value.shape, dtypes.of_numpy(value.dtype))
    if value is None:
        return NoneTensorSpec()
    if isinstance(value, (bool, int, float, complex, str, bytes, list, tuple)):
        try:
            array = np.array(value)
            dtype = _PYTHON_DTYPES.get(array.dtype.kind) or dtypes.of_numpy(array.dtype)
        except (TypeError, ValueError):
            pass
        else:
            if dtype is not dtypes.string or array.dtype.kind in "SU":
                return TensorSpec(array.shape, dtype)
    raise TypeError(
        f"A value of type {type(value).__name__} has no spec, for it is no tensor and does not convert to one."
    )


_PYTHON_DTYPES = {"i": dtypes.int32, "f": dtypes.float32}
