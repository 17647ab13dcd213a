"""Operators as composite tensors: the spec of each class, made of its parameters."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from graphlab.core import nest
from graphlab.core.convert import convert_to_tensor
from graphlab.core.shape import TensorShape
from graphlab.core.specs import TensorSpec, TypeSpec
from graphlab.core.tensor import Tensor
from graphlab.eager.variable import Variable


class LinearOperatorSpec(TypeSpec):
    """Describes an operator of one class: the specs of its tensors and operators, and its other parameters."""

    __slots__ = ("_options", "_parts")
    _operator_class: Any = None

    def __init__(self, parts: dict[str, Any], options: dict[str, Any]) -> None:
        self._parts, self._options = parts, options

    @property
    def value_type(self) -> Any:
        """The class of the operators."""
        return self._operator_class

    @property
    def _component_specs(self) -> Any:
        return self._parts

    def _serialize(self) -> tuple[Any, ...]:
        return self._parts, self._options

    def _to_components(self, value: Any) -> Any:
        return components(value)[0]

    def _from_components(self, components: Any) -> Any:
        leaves = nest.flatten(components, expand_composites=True)
        if not all(isinstance(leaf, (Tensor, Variable, np.ndarray)) for leaf in leaves):
            # tf.nest maps the tensors to something else: the structure is all that counts.
            bare = object.__new__(self._operator_class)
            bare.__dict__.update(_name=self._operator_class.__name__, _parameters={**components, **self._options})
            return bare
        return self._operator_class(**components, **self._options)


@cache
def spec_class(operator_class: type) -> type[LinearOperatorSpec]:
    """The class of specs that belongs to a class of operators."""
    name = f"{operator_class.__name__}Spec"
    return type(name, (LinearOperatorSpec,), {"__slots__": (), "_operator_class": operator_class})


def _is_tensor(value: Any) -> bool:
    return isinstance(value, (Tensor, Variable, np.ndarray))


def _is_part(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and all(map(_is_part, value))
    return _is_tensor(value) or hasattr(value, "_type_spec")


def components(operator: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What an operator is made of: tensors and operators, and the other parameters.

    A parameter that a class makes a tensor of (``operator._tensor_parameters``) counts as the tensor, a variable as its
    value.
    """
    parts: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for name, given in operator._parameters.items():
        value = getattr(operator, f"_{name}") if name in operator._tensor_parameters and given is not None else given
        if name == "name":
            continue
        if _is_part(value):
            parts[name] = nest.map_structure(
                lambda v: convert_to_tensor(v) if _is_tensor(v) else v,
                list(value) if isinstance(value, tuple) else value,
            )
        elif name == "batch_shape" and value is not None:
            options[name] = TensorShape(value)
        else:
            options[name] = value
    return parts, options


def spec_of(operator: Any) -> LinearOperatorSpec:
    """The spec of an operator."""
    parts, options = components(operator)

    def spec(value: Any) -> Any:
        return TensorSpec(value.shape, value.dtype) if isinstance(value, Tensor) else value._type_spec

    key: Any = type(operator)
    made: Any = spec_class(key)
    found: LinearOperatorSpec = made({name: nest.map_structure(spec, part) for name, part in parts.items()}, options)
    return found
