"""``tf.experimental.ExtensionType``: classes of one's own that hold tensors and travel through traced functions."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Mapping, Sequence
from typing import Any

from graphlab.core import nest
from graphlab.core.export import public
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec
from graphlab.core.tensor import Tensor
from graphlab.eager.extension_fields import check_type, converted, leaves, replaced
from graphlab.ops.lazily import ops

_TENSORS = (Tensor, CompositeTensor)
_RESERVED = ("self", "Spec", "_kinds", "_open", "_parameters", "_shape_invariant_to_type_spec", "_type_spec")


class _Made(type):
    """Checks and converts the fields after a constructor, which may be the user's, and closes the object."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made: Any = object.__new__(cls)  # type: ignore[arg-type]
        values = made.__dict__
        values["_open"] = True
        made.__init__(*args, **kwargs)
        for name, kind in cls._kinds.items():  # type: ignore[attr-defined]
            if name not in values:
                parameter = cls._parameters[name]  # type: ignore[attr-defined]
                if parameter.default is inspect.Parameter.empty:
                    raise AttributeError(f"The constructor of {cls.__name__} has not set the field {name!r}.")
                values[name] = parameter.default
            values[name] = converted(values[name], kind, name)
        extra = [name for name in values if name not in cls._kinds and name != "_open"]  # type: ignore[attr-defined]
        if extra:
            raise AttributeError(f"The constructor of {cls.__name__} sets {extra[0]!r}, which is no field.")
        del values["_open"]
        made.__validate__()
        return made


def _kinds_of(cls: Any, names: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with their types, those of base classes first; ``names`` are those that annotations may mention."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__[1:]):
        found |= getattr(base, "_kinds", {})
    own = inspect.get_annotations(cls)
    if own:
        try:
            hints = typing.get_type_hints(cls, localns={**names, cls.__name__: cls})
        except NameError as error:
            raise TypeError(f"The annotations of {cls.__name__} can't be read: {error}.") from None
        found |= {name: hints[name] for name in own}
    return found


@public("experimental.ExtensionType")
class ExtensionType(CompositeTensor, metaclass=_Made):
    """The base of classes of one's own that hold tensors.

    Fields are annotated in the class's body, and may have defaults. Objects don't change; they are arguments and
    results of traced functions, values of branches and loops, and ``tf.nest`` takes them apart with
    ``expand_composites``.
    Override ``__validate__`` to check the fields, or ``__init__`` to set them.

    Raises:
      TypeError: for a field of another type than its annotation, and for an annotation that can't be a field.
      AttributeError: when a field is changed.

    >>> import graphlab as tf
    >>> class Masked(tf.experimental.ExtensionType):
    ...     values: tf.Tensor
    ...     mask: tf.Tensor
    ...     def total(self):
    ...         return tf.reduce_sum(tf.where(self.mask, self.values, 0))
    >>> tf.function(Masked.total)(Masked([1, 2, 3], [True, False, True])).numpy()
    np.int32(4)
    """

    _kinds: dict[str, Any] = {}  # noqa: RUF012 - each class has its own
    _parameters: dict[str, inspect.Parameter] = {}  # noqa: RUF012
    Spec: type[ExtensionTypeSpec]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        frame = sys._getframe(1)  # where the class is defined, perhaps in a function
        cls._kinds = _kinds_of(cls, {**frame.f_globals, **frame.f_locals})
        parameters = []
        for name, kind in cls._kinds.items():
            if name in _RESERVED or name.startswith("__"):
                raise ValueError(f"The field annotations for {cls.__name__} are invalid: {name!r} is a reserved name.")
            check_type(kind, name)
            default = getattr(cls, name, inspect.Parameter.empty)
            if default is not inspect.Parameter.empty:
                default = converted(default, kind, f"default value for {name}")
            parameters.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
        cls._parameters = {parameter.name: parameter for parameter in parameters}
        if cls.__init__ is ExtensionType.__init__:
            cls.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        cls.Spec = type("Spec", (ExtensionTypeSpec,), {"__slots__": (), "_of": cls, "__module__": cls.__module__})
        cls.Spec.__qualname__ = f"{cls.__qualname__}.Spec"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        signature = inspect.Signature(list(self._parameters.values()))
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        self.__dict__.update(bound.arguments)

    def __validate__(self) -> None:
        """Raises an error if the fields don't fit together."""

    def __setattr__(self, name: str, value: Any) -> None:
        if "_open" not in self.__dict__:
            raise AttributeError(
                f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionType. Make a new object."
            )
        self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        raise AttributeError(
            f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionType. Make a new object."
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._kinds)})"

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, ExtensionType) or self._type_spec != other._type_spec:
            return False
        mine, others = ([leaf for name in x._kinds for leaf in _tensors(getattr(x, name))] for x in (self, other))
        same = [ops.reduce_all(ops.equal(a, b)) for a, b in zip(mine, others, strict=True)]
        return ops.reduce_all(ops.stack(same)) if same else True

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return not same if isinstance(same, bool) else ops.logical_not(same)

    __hash__ = None  # type: ignore[assignment]

    @property
    def _type_spec(self) -> ExtensionTypeSpec:
        spec: ExtensionTypeSpec = self.Spec._made(
            {name: replaced(getattr(self, name), _TENSORS, _spec_of) for name in self._kinds}
        )
        return spec


def _spec_of(value: Any) -> TypeSpec:
    return TensorSpec(value.shape, value.dtype) if isinstance(value, Tensor) else value._type_spec


def _tensors(field: Any) -> list[Any]:
    return nest.flatten(leaves(field, _TENSORS), expand_composites=True)


@public("experimental.ExtensionTypeSpec")
class ExtensionTypeSpec(TypeSpec):
    """The spec of an extension type: its fields, with specs for tensors. Each type has its own class, ``Spec``.

    >>> import graphlab as tf
    >>> class Point(tf.experimental.ExtensionType):
    ...     x: tf.Tensor
    ...     label: str = ""
    >>> Point.Spec(tf.TensorSpec([2]), "a")
    Point.Spec(x=TensorSpec(shape=(2,), dtype=tf.float32, name=None), label='a')
    """

    __slots__ = ("__dict__",)
    _of: Any = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        parameters = [p.replace(default=inspect.Parameter.empty) for p in self._of._parameters.values()]
        bound = inspect.Signature(parameters).bind(*args, **kwargs)
        kinds = self._of._kinds
        self.__dict__.update({n: converted(v, kinds[n], n, spec=True) for n, v in bound.arguments.items()})

    @classmethod
    def _made(cls, fields: dict[str, Any]) -> Any:
        spec = cls.__new__(cls)
        spec.__dict__.update(fields)
        return spec

    @property
    def value_type(self) -> Any:
        """The extension type."""
        return self._of

    def _serialize(self) -> tuple[Any, ...]:
        return tuple(self.__dict__[name] for name in self._of._kinds)

    @classmethod
    def _deserialize(cls, serialization: Sequence[Any]) -> Any:
        fields = zip(cls._of._kinds, serialization, strict=True)
        return cls._made({name: replaced(part, TypeSpec, lambda spec: spec) for name, part in fields})

    @property
    def _component_specs(self) -> tuple[TypeSpec, ...]:
        return tuple(leaf for part in self._serialize() for leaf in leaves(part, TypeSpec))

    def _to_components(self, value: Any) -> tuple[Any, ...]:
        return tuple(leaf for name in self._of._kinds for leaf in leaves(getattr(value, name), _TENSORS))

    def _from_components(self, components: Any) -> Any:
        rest = iter(components)
        made = self._of.__new__(self._of)
        for name in self._of._kinds:
            made.__dict__[name] = replaced(self.__dict__[name], TypeSpec, lambda _spec: next(rest))
        return made

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self._of._kinds)
        return f"{self._of.__name__}.Spec({fields})"


@public("experimental.extension_type.as_dict")
def as_dict(value: ExtensionType) -> dict[str, Any]:
    """The fields of an extension type's object, by name.

    >>> import graphlab as tf
    >>> class Point(tf.experimental.ExtensionType):
    ...     x: int
    ...     y: int
    >>> tf.experimental.extension_type.as_dict(Point(1, 2))
    {'x': 1, 'y': 2}
    """
    return {name: getattr(value, name) for name in value._kinds}
