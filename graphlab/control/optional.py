"""``tf.experimental.Optional``: a value that may be missing, which functions, branches and loops take and give."""

from __future__ import annotations

import abc
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes, errors, nest
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, REQUIRED, define
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec, type_spec_from_value


class _Held:
    """What a variant of an Optional holds: arrays, or None if there is no value."""

    __slots__ = ("arrays",)

    dtype_of_handle: Final = dtypes.variant
    shape: Final = ()

    def __init__(self, arrays: list[Any] | None) -> None:
        self.arrays = arrays


def _get(optional: _Held, output_types: Any, output_shapes: Any) -> list[Any]:
    if optional.arrays is None:
        raise errors.InvalidArgumentError(None, None, "The given optional does not have a value.")
    return list(optional.arrays)


def _from_gradient(op: Any, dy: Any) -> list[Any]:
    attrs = {"output_types": [t.dtype for t in op.inputs], "output_shapes": [t.shape._dims for t in op.inputs]}
    found = bind(OPTIONAL_GET_VALUE, (dy,), attrs)
    return list(found) if isinstance(found, list | tuple) else [found]


def _get_gradient(op: Any, *dys: Any) -> Any:
    from graphlab.ops.creation import zeros_like

    values = [zeros_like(t) if dy is None else dy for dy, t in zip(dys, op.outputs, strict=True)]
    return bind(OPTIONAL_FROM_VALUE, (values,))


OPTIONAL_FROM_VALUE = define(
    "OptionalFromValue", "components: *Toutput_types -> optional: variant", kernel=_Held,
    infer=lambda _args, _attrs: (), gradient=_from_gradient, fp=False,
)  # fmt: skip
OPTIONAL_NONE = define(
    "OptionalNone", "-> optional: variant", kernel=lambda: _Held(None), infer=lambda _args, _attrs: (),
    gradient=NOT_DIFFERENTIABLE, fp=False,
)  # fmt: skip
OPTIONAL_HAS_VALUE = define(
    "OptionalHasValue", "optional: variant -> has_value: bool",
    kernel=lambda optional: np.bool_(optional.arrays is not None),
    infer=lambda _args, _attrs: (), gradient=NOT_DIFFERENTIABLE, fp=False,
)  # fmt: skip
OPTIONAL_GET_VALUE = define(
    "OptionalGetValue", "optional: variant -> components: *output_types", kernel=_get,
    infer=lambda _args, attrs: list(attrs["output_shapes"]), gradient=_get_gradient,
    attrs={"output_types": REQUIRED, "output_shapes": REQUIRED}, can_fail=True, fp=False,
)  # fmt: skip


@public("experimental.Optional")
class Optional(CompositeTensor, abc.ABC):
    """A value that may be missing: made by ``from_value`` or ``empty``.

    >>> import graphlab as tf
    >>> some = tf.experimental.Optional.from_value(tf.constant(42))
    >>> none = tf.experimental.Optional.empty(some.element_spec)
    >>> some.has_value().numpy(), some.get_value().numpy(), none.has_value().numpy()
    (np.True_, np.int32(42), np.False_)
    """

    __slots__ = ()

    @abc.abstractmethod
    def has_value(self, name: str | None = None) -> Any:
        """Whether there is a value, a bool scalar."""

    @abc.abstractmethod
    def get_value(self, name: str | None = None) -> Any:
        """The value.

        Raises:
          tf.errors.InvalidArgumentError: if there is none.
        """

    @property
    @abc.abstractmethod
    def element_spec(self) -> Any:
        """The specs of the value."""

    @staticmethod
    def empty(element_spec: Any) -> Optional:
        """An Optional without a value.

        Args:
          element_spec: the structure of specs that a value would have.
        """
        return _Optional(bind(OPTIONAL_NONE, ()), element_spec)

    @staticmethod
    def from_value(value: Any) -> Optional:
        """An Optional with a value, a structure of tensors.

        Raises:
          tf.errors.InvalidArgumentError: for a structure without tensors.
        """
        value = nest.map_structure(_tensor, value)
        spec = nest.map_structure(type_spec_from_value, value)
        parts = nest.flatten(value, expand_composites=True)
        if not parts:
            raise errors.InvalidArgumentError(None, None, "The value of an Optional needs at least one tensor.")
        return _Optional(bind(OPTIONAL_FROM_VALUE, (parts,)), spec)


def _tensor(value: Any) -> Any:
    if value is None:
        raise errors.InvalidArgumentError(None, None, "The value of an Optional may not be None; write empty().")
    return value if isinstance(value, CompositeTensor) else convert_to_tensor(value)


class _Optional(Optional):
    __slots__ = ("__weakref__", "_spec", "_variant")

    def __init__(self, variant: Any, spec: Any) -> None:
        self._variant, self._spec = variant, spec

    def has_value(self, name: str | None = None) -> Any:
        return bind(OPTIONAL_HAS_VALUE, (self._variant,), None, name)

    def get_value(self, name: str | None = None) -> Any:
        specs = nest.flatten(self._spec, expand_composites=True)
        attrs = {"output_types": [spec.dtype for spec in specs], "output_shapes": [spec.shape._dims for spec in specs]}
        found = bind(OPTIONAL_GET_VALUE, (self._variant,), attrs, name)
        return nest.pack_sequence_as(self._spec, found, expand_composites=True)

    @property
    def element_spec(self) -> Any:
        return self._spec

    @property
    def _type_spec(self) -> OptionalSpec:
        return OptionalSpec(self._spec)


@public("OptionalSpec")
class OptionalSpec(TypeSpec):
    """Describes a ``tf.experimental.Optional``.

    Args:
      element_spec: the specs of the value.

    >>> import graphlab as tf
    >>> tf.OptionalSpec(tf.TensorSpec([2], tf.int32))
    OptionalSpec(TensorSpec(shape=(2,), dtype=tf.int32, name=None),)
    """

    __slots__ = ("_element",)

    def __init__(self, element_spec: Any) -> None:
        self._element = element_spec

    @classmethod
    def from_value(cls, value: Any) -> OptionalSpec:
        """The spec of an Optional."""
        return cls(value.element_spec)

    @property
    def value_type(self) -> Any:
        """The class of Optionals."""
        return _Optional

    @property
    def _component_specs(self) -> TensorSpec:
        return TensorSpec([], dtypes.variant)

    def _serialize(self) -> tuple[Any, ...]:
        return (self._element,)

    def _to_components(self, value: Any) -> Any:
        return value._variant

    def _from_components(self, components: Any) -> Any:
        return _Optional(components, self._element)

    def __repr__(self) -> str:
        return f"OptionalSpec({self._element!r},)"
