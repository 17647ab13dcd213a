"""From a value to its trace type.  A class is looked at once; ``_MAKERS`` then says how its instances are typed."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from graphlab.core.dtypes import of_numpy
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec, VariableSpec
from graphlab.core.tensor import EagerTensor, SymbolicTensor, Tensor
from graphlab.tracing.structure_types import (
    AttrsType,
    CustomNestType,
    DataclassType,
    DictType,
    ListType,
    NamedTupleType,
    TupleType,
    mapping_class,
)
from graphlab.tracing.trace_types import (
    SpecType,
    TensorType,
    TraceType,
    TracingContext,
    VariableType,
    tensor_type,
)
from graphlab.tracing.value_types import LiteralType, ObjectType

Maker = Callable[[Any, TracingContext], Any]


def from_value(value: Any, context: TracingContext | None = None) -> Any:
    """The trace type of a value.

    Args:
      value: any argument of a traced function.  A TypeSpec stands for a value that it describes.
      context: remembers which variables the arguments of one call have in common.

    Raises:
      TypeError: if the value can neither be hashed nor says itself what its type is (a set, a bytearray).
    """
    if context is None:
        context = TracingContext()
    cls = type(value)
    maker = _MAKERS.get(cls)
    if maker is None:
        if len(_MAKERS) > 1000:  # a notebook defines classes again and again: do not hold them all for ever
            _MAKERS.clear()
            _MAKERS.update(_BUILT_IN)
        maker = _MAKERS[cls] = _maker(cls)
    return maker(value, context)


def _eager(value: Any, context: TracingContext) -> Any:
    return tensor_type(value.dtype, value._raw_shape())


def _symbolic(value: Any, context: TracingContext) -> Any:
    return tensor_type(value.dtype, value._shape)


def _array(value: Any, context: TracingContext) -> Any:
    return tensor_type(of_numpy(value.dtype), value.shape)


def _literal(value: Any, context: TracingContext) -> Any:
    return LiteralType(value)


def _list(value: Any, context: TracingContext) -> Any:
    return ListType(None, [from_value(item, context) for item in value])


def _tuple(value: Any, context: TracingContext) -> Any:
    return TupleType(None, [from_value(item, context) for item in value])


def _named_tuple(value: Any, context: TracingContext) -> Any:
    return NamedTupleType(type(value), value._fields, [from_value(item, context) for item in value])


def _mapping(value: Any, context: TracingContext) -> Any:
    order = list(value)
    try:
        keys = sorted(order)
    except TypeError:
        kinds = ", ".join(sorted({type(key).__name__ for key in order}))
        raise TypeError(
            "The keys of a dictionary that is passed to a traced function must be comparable with each other, but here "
            f"they are of the types {kinds}. Use keys of one type."
        ) from None
    return DictType(keys, [from_value(value[key], context) for key in keys], order, mapping_class(value))


def _attrs(value: Any, context: TracingContext) -> Any:
    fields = [field.name for field in type(value).__attrs_attrs__]
    return AttrsType(type(value), fields, [from_value(getattr(value, field), context) for field in fields])


def _custom_nest(value: Any, context: TracingContext) -> Any:
    metadata, components = value.__tf_flatten__()
    return CustomNestType(type(value), metadata, [from_value(item, context) for item in components])


def _dataclass(value: Any, context: TracingContext) -> Any:
    """By identity or equality if it can be hashed; else (TensorFlow has no type for it) by its fields."""
    try:
        return ObjectType(value)
    except TypeError:
        fields = [field.name for field in dataclasses.fields(value)]
        return DataclassType(type(value), fields, [from_value(getattr(value, field), context) for field in fields])


def _composite(value: Any, context: TracingContext) -> Any:
    return SpecType(value._type_spec)


def _spec(value: Any, context: TracingContext) -> Any:
    return SpecType(value)


def _tensor_spec(value: Any, context: TracingContext) -> Any:
    return (
        TensorType(value.dtype, value.raw_shape, value.name)
        if value.name
        else tensor_type(value.dtype, value.raw_shape)
    )


def _variable_spec(value: Any, context: TracingContext) -> Any:
    alias = context.alias_id(value) if value.alias_id is None else value.alias_id
    return VariableType(value.dtype, value.raw_shape, value.trainable, alias)


def _variable(value: Any, context: TracingContext) -> Any:
    return VariableType(value.dtype, value.shape._dims, value.trainable, context.alias_id(value))


def _trace_type(value: Any, context: TracingContext) -> Any:
    return value


def _protocol(value: Any, context: TracingContext) -> Any:
    found = value.__tf_tracing_type__(context)
    if isinstance(found, TypeSpec):
        return from_value(found, context)
    if not isinstance(found, TraceType):
        raise TypeError(
            f"{type(value).__name__}.__tf_tracing_type__ must return a tf.types.experimental.TraceType, not {found!r}."
        )
    return found


def _object(value: Any, context: TracingContext) -> Any:
    try:
        weakref.ref(value)
    except TypeError:
        pass
    else:
        try:
            return ObjectType(value)
        except TypeError as error:
            raise _no_type(value) from error
    try:
        hash(value)
    except TypeError as error:
        raise _no_type(value) from error
    return LiteralType(value)


def _no_type(value: Any) -> TypeError:
    hint = {
        set: "Pass a sorted tuple of its elements",
        bytearray: "Pass bytes",
        slice: "Pass its start, stop and step",
    }.get(type(value), "Make it hashable, or define __tf_tracing_type__ on its class")
    return TypeError(
        f"A traced function cannot tell calls with {value!r:.100} (of type {type(value).__name__}) apart: it cannot "
        f"be hashed. {hint}."
    )


_BUILT_IN: Final[dict[type, Maker]] = {
    EagerTensor: _eager,
    SymbolicTensor: _symbolic,
    np.ndarray: _array,
    list: _list,
    tuple: _tuple,
    dict: _mapping,
    TensorSpec: _tensor_spec,
    VariableSpec: _variable_spec,
    **dict.fromkeys(
        (int, float, bool, complex, str, bytes, type(None), range, type(...), type(NotImplemented)), _literal
    ),
}
_MAKERS: Final[dict[type, Maker]] = dict(_BUILT_IN)


def _maker(cls: type) -> Maker:
    from graphlab.eager.variable import Variable

    if hasattr(cls, "__tf_tracing_type__"):
        return _protocol
    if issubclass(cls, Tensor):
        return _eager
    if issubclass(cls, Variable):
        return _variable
    if issubclass(cls, CompositeTensor):
        return _composite
    if issubclass(cls, TraceType) and not issubclass(cls, TypeSpec):
        return _trace_type
    if issubclass(cls, TypeSpec):
        return _spec
    if issubclass(cls, (np.str_, np.bytes_)):
        return _literal
    if issubclass(cls, (np.ndarray, np.generic)):
        return _array
    if hasattr(cls, "__tf_flatten__") and hasattr(cls, "__tf_unflatten__"):
        return _custom_nest
    if hasattr(cls, "__attrs_attrs__"):
        return _attrs
    if issubclass(cls, tuple):
        return _named_tuple if isinstance(getattr(cls, "_fields", None), tuple) else _tuple
    if issubclass(cls, list):
        return _list
    if issubclass(cls, Mapping):
        return _mapping
    if dataclasses.is_dataclass(cls):
        return _dataclass
    return _object
