"""Structures: lists, tuples, dictionaries and the like, nested, whose leaves are what functions compute with.

This stands on the path of every call, so a class is looked at once: the table ``_KINDS`` says from then on how its
instances are taken apart and put together.  Dictionaries are walked in the order of their sorted keys, as in
TensorFlow, so that the order in which somebody wrote the entries never matters.

With ``expand_composites``, composite tensors (``tf.IndexedSlices`` and the like) are structures of their components;
without, they are leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MappingView, Sequence
from operator import attrgetter
from typing import Any, Final

from graphlab.core.export import public
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec, VariableSpec


class _Kind:
    """How instances of a class are taken apart and put together.

    Attributes:
      children: instance → its members, in order.
      rebuild: (instance, members) → a new instance like it.
      steps: instance → what a user writes after its name for each member (``[0]``, ``['a']``, ``.x``).
      leaf: it has no members.
      composite: it has members only with ``expand_composites``.
      mapping: it is a Mapping.
      fields: the field names of a namedtuple.
    """

    __slots__ = ("children", "composite", "fields", "leaf", "mapping", "rebuild", "steps")

    def __init__(
        self,
        children: Callable[[Any], Iterable[Any]],
        rebuild: Callable[[Any, list[Any]], Any],
        steps: Callable[[Any], list[str]],
        mapping: bool = False,
        composite: bool = False,
        fields: tuple[str, ...] | None = None,
    ) -> None:
        self.children, self.rebuild, self.steps = children, rebuild, steps
        self.mapping, self.composite, self.fields = mapping, composite, fields
        self.leaf = False


def _same(x: Any) -> Any:
    return x


def _indices(x: Sequence[Any]) -> list[str]:
    return [f"[{i}]" for i in range(len(x))]


def _sorted_keys(x: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(x)
    except TypeError:
        kinds = sorted({type(key).__name__ for key in x})
        raise TypeError(
            f"The keys of a dictionary in a structure are sorted, but those of types {', '.join(kinds)} have no order. "
            "Use keys of one type."
        ) from None


def _dict_children(x: Mapping[Any, Any]) -> list[Any]:
    return [x[key] for key in (_sorted_keys(x) if len(x) > 1 else x)]


def _dict_rebuild(x: Mapping[Any, Any], members: list[Any]) -> Any:
    new = dict(zip(_sorted_keys(x), members, strict=True))
    ordered = {key: new[key] for key in x}
    kind = type(x)
    if hasattr(x, "default_factory"):
        return kind(x.default_factory, ordered)  # type: ignore[call-arg]
    return kind(ordered)  # type: ignore[call-arg]


def _dict_steps(x: Mapping[Any, Any]) -> list[str]:
    return [f"[{key!r}]" for key in _sorted_keys(x)]


def _composite_children(x: Any) -> list[Any]:
    if isinstance(x, TypeSpec):
        return [x._component_specs]
    return [x._type_spec._to_components(x)]


def _composite_rebuild(x: Any, members: list[Any]) -> Any:
    spec = x if isinstance(x, TypeSpec) else x._type_spec
    return spec._from_components(members[0])


_LEAF: Final = _Kind(lambda _: (), lambda x, _: x, lambda _: [])
_LEAF.leaf = True
_LIST: Final = _Kind(_same, lambda _, members: members, _indices)
_TUPLE: Final = _Kind(_same, lambda _, members: tuple(members), _indices)
_SEQUENCE: Final = _Kind(_same, lambda x, members: type(x)(members), _indices)
_RANGE: Final = _Kind(_same, lambda _, members: members, _indices)
_VIEW: Final = _Kind(list, lambda _, members: members, _indices)
_DICT: Final = _Kind(_dict_children, _dict_rebuild, _dict_steps, mapping=True)
_CUSTOM: Final = _Kind(
    lambda x: x.__tf_flatten__()[1],
    lambda x, members: type(x).__tf_unflatten__(x.__tf_flatten__()[0], tuple(members)),
    lambda x: _indices(x.__tf_flatten__()[1]),
)
_COMPOSITE: Final = _Kind(_composite_children, _composite_rebuild, lambda _: [""], composite=True)

_BUILT_IN: Final[dict[type, _Kind]] = {
    list: _LIST,
    tuple: _TUPLE,
    dict: _DICT,
    **dict.fromkeys((int, float, bool, complex, str, bytes, type(None)), _LEAF),
}
_KINDS: Final[dict[type, _Kind]] = dict(_BUILT_IN)


def _kind(cls: type) -> _Kind:
    """The entry of a class in the table, made if there is none."""
    kind = _KINDS.get(cls)
    if kind is None:
        if len(_KINDS) > 1000:  # a notebook defines classes again and again: do not hold them all for ever
            _KINDS.clear()
            _KINDS.update(_BUILT_IN)
        kind = _KINDS[cls] = _classify(cls)
    return kind


def _classify(cls: type) -> _Kind:
    if issubclass(cls, (TensorSpec, VariableSpec)):
        return _LEAF
    if issubclass(cls, (CompositeTensor, TypeSpec)):
        return _LEAF if getattr(cls, "_nest_leaf", False) else _COMPOSITE
    if hasattr(cls, "__tf_flatten__") and hasattr(cls, "__tf_unflatten__"):
        return _CUSTOM
    if hasattr(cls, "__attrs_attrs__"):
        return _by_attribute([field.name for field in cls.__attrs_attrs__], None)
    if issubclass(cls, tuple) and _is_fields(getattr(cls, "_fields", None)):
        return _by_attribute(cls._fields, cls._fields)  # type: ignore[attr-defined]
    if issubclass(cls, Mapping):
        return _DICT
    if issubclass(cls, MappingView):
        return _VIEW
    if issubclass(cls, range):
        return _RANGE
    if issubclass(cls, Sequence) and not issubclass(cls, (str, bytes)):
        return _SEQUENCE
    return _LEAF


def _is_fields(fields: Any) -> bool:
    return isinstance(fields, tuple) and all(isinstance(field, str) for field in fields)


def _by_attribute(names: Sequence[str], fields: tuple[str, ...] | None) -> _Kind:
    if fields is not None:
        children: Callable[[Any], Iterable[Any]] = _same
    elif len(names) == 1:
        single = attrgetter(names[0])
        children = lambda x: (single(x),)  # noqa: E731
    else:
        children = attrgetter(*names) if names else lambda _: ()
    steps = [f".{name}" for name in names]
    return _Kind(children, lambda x, members: type(x)(*members), lambda _: steps, fields=fields)


@public("nest.is_nested")
def is_nested(structure: Any) -> bool:
    """True if ``structure`` is not a leaf: a list, tuple, namedtuple, mapping, attrs object and the like.

    Strings, sets, tensors and arrays are leaves.

    >>> import graphlab as tf
    >>> tf.nest.is_nested([1]), tf.nest.is_nested("ab"), tf.nest.is_nested({"a": 1})
    (True, False, True)
    """
    kind = _kind(type(structure))
    return not (kind.leaf or kind.composite)


@public("nest.flatten")
def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves of a structure, as a list.

    Args:
      structure: any nesting of lists, tuples, namedtuples, mappings (in the order of their sorted keys), attrs objects,
        objects with ``__tf_flatten__`` and ``__tf_unflatten__``, other sequences and dict views.  A leaf alone gives a
        list of one.
      expand_composites: composite tensors count as structures of their component tensors.

    Raises:
      TypeError: if the keys of a dictionary cannot be sorted.

    >>> import graphlab as tf
    >>> tf.nest.flatten([1, {"b": 3, "a": (2,)}])
    [1, 2, 3]
    """
    leaves: list[Any] = []
    _flatten(structure, leaves, expand_composites)
    return leaves


def _flatten(x: Any, leaves: list[Any], expand: bool) -> None:
    cls = type(x)
    kind = _KINDS.get(cls) or _kind(cls)
    if kind.leaf or (kind.composite and not expand):
        leaves.append(x)
        return
    for child in kind.children(x):
        if _KINDS.get(type(child)) is _LEAF:
            leaves.append(child)
        else:
            _flatten(child, leaves, expand)


def flatten_with_paths(structure: Any, root: str = "", expand_composites: bool = False) -> list[tuple[str, Any]]:
    """The leaves with their paths as a user would write them: ``x``, ``d['a']``, ``pair[0]``, ``point.x``.

    Args:
      structure: as for ``flatten``.
      root: how the structure itself is called.
      expand_composites: as for ``flatten``; the path of a component is its attribute (``g.values``) where the spec has
        names for them.
    """
    pairs: list[tuple[str, Any]] = []
    _flatten_with_paths(structure, root, pairs, expand_composites)
    return pairs


def _flatten_with_paths(x: Any, path: str, pairs: list[tuple[str, Any]], expand: bool) -> None:
    kind = _kind(type(x))
    if kind.leaf or (kind.composite and not expand):
        pairs.append((path, x))
        return
    if kind.composite:
        names = getattr(x if isinstance(x, TypeSpec) else x._type_spec, "_component_names", None)
        (components,) = kind.children(x)
        if names is not None:
            for name, component in zip(names, components, strict=False):
                _flatten_with_paths(component, f"{path}.{name}", pairs, expand)
            return
        _flatten_with_paths(components, path, pairs, expand)
        return
    for step, child in zip(kind.steps(x), kind.children(x), strict=True):
        _flatten_with_paths(child, path + step, pairs, expand)


@public("nest.pack_sequence_as")
def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """Puts leaves into a structure: the inverse of ``flatten``.

    Args:
      structure: gives the shape of the result; its own leaves are not used.
      flat_sequence: as many leaves as ``structure`` has, in the order of ``flatten``.
      expand_composites: as for ``flatten``.

    Raises:
      TypeError: if ``flat_sequence`` is not a sequence.
      ValueError: if the number of leaves is another.

    >>> import graphlab as tf
    >>> tf.nest.pack_sequence_as([0, {"a": 0}], [1, 2])
    [1, {'a': 2}]
    """
    if not is_nested(flat_sequence):
        raise TypeError(f"flat_sequence must be a list or tuple of leaves, not {type(flat_sequence).__name__}.")
    leaves = list(flat_sequence)
    supply = iter(leaves)
    try:
        result = _map(lambda _: next(supply), structure, expand_composites)
    except StopIteration:
        enough = False
    else:
        enough = next(supply, supply) is supply
    if not enough:
        count = len(flatten(structure, expand_composites))
        raise ValueError(f"Number of leaves: {count} in the structure {structure}, but {len(leaves)} in flat_sequence.")
    return result


@public("nest.map_structure")
def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Applies ``func`` to the leaves of one structure, or to corresponding leaves of several.

    Args:
      func: called with one leaf of each structure.
      *structure: one or more structures of the same form.
      **kwargs: ``check_types`` (True: types of the containers must agree too) and ``expand_composites`` (False).

    Returns:
      A structure of the form of the first, with what ``func`` returned as leaves.

    Raises:
      TypeError: if ``func`` is not callable, or types of containers differ.
      ValueError: if there is no structure, or their forms differ, or a keyword is unknown.

    >>> import graphlab as tf
    >>> tf.nest.map_structure(lambda x, y: x + y, {"a": 1}, {"a": 10})
    {'a': 11}
    """
    if not callable(func):
        raise TypeError(f"The first argument must be a function, not {func!r}.")
    if not structure:
        raise ValueError("map_structure needs a structure after the function.")
    check_types = kwargs.pop("check_types", True)
    expand = kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError(f"map_structure has no keyword {', '.join(kwargs)}; it has check_types and expand_composites.")
    first = structure[0]
    if len(structure) == 1:
        return _map(func, first, expand)
    for other in structure[1:]:
        assert_same_structure(first, other, check_types, expand)
    columns = [flatten(s, expand) for s in structure]
    return pack_sequence_as(first, [func(*leaves) for leaves in zip(*columns, strict=True)], expand)


def _map(func: Callable[[Any], Any], x: Any, expand: bool) -> Any:
    cls = type(x)
    kind = _KINDS.get(cls) or _kind(cls)
    if kind.leaf or (kind.composite and not expand):
        return func(x)
    if cls is dict:
        new = dict.fromkeys(x)  # keeps the order of the entries, while func sees them in the order of the keys
        for key in _sorted_keys(x) if len(x) > 1 else x:
            child = x[key]
            new[key] = func(child) if _KINDS.get(type(child)) is _LEAF else _map(func, child, expand)
        return new
    return kind.rebuild(
        x,
        [func(c) if _KINDS.get(type(c)) is _LEAF else _map(func, c, expand) for c in kind.children(x)],
    )


@public("nest.assert_same_structure")
def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """Raises unless two structures have the same form.

    Args:
      nest1: a structure.
      nest2: a structure.
      check_types: containers at the same place must also be of one type.  All mappings count as one type, and so do all
        lists; namedtuples are one type if their names and fields agree.
      expand_composites: composite tensors at the same place must have specs that some spec generalises.

    Raises:
      ValueError: if somewhere the number of members or the keys differ, or one has a leaf where the other has none.
      TypeError: if somewhere the types of the containers differ.

    >>> import graphlab as tf
    >>> tf.nest.assert_same_structure([1, {"a": 2}], [3, {"a": 4}])
    >>> tf.nest.assert_same_structure([1, {"a": 2}], [3, {"b": 4}])
    Traceback (most recent call last):
      ...
    ValueError: The two structures differ at [1]: one has the keys 'a', the other 'b'.
    """
    difference = _difference(nest1, nest2, check_types, expand_composites)
    if difference is not None:
        error, path, what = difference
        raise error(f"The two structures differ{f' at {path}' if path else ''}: {what}.")


_Difference = tuple[type[Exception], str, str]


def _difference(a: Any, b: Any, check_types: bool, expand: bool) -> _Difference | None:
    """The first place where two structures differ: class of the error, path, and what is different there."""
    kind, other = _kind(type(a)), _kind(type(b))
    leaf = kind.leaf or (kind.composite and not expand)
    if leaf and (other.leaf or (other.composite and not expand)):
        return None
    if leaf or other.leaf or (other.composite and not expand):
        return ValueError, "", f"one is of type {_name(a)}, the other of type {_name(b)}"
    if kind.composite or other.composite:
        return _composite_difference(a, b)
    if check_types and (error := _type_difference(a, b, kind, other)) is not None:
        return error
    xs, ys = list(kind.children(a)), list(other.children(b))
    if len(xs) != len(ys):
        return ValueError, "", f"one {_name(a)} has length {len(xs)}, the other {_name(b)} has length {len(ys)}"
    for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
        below = _difference(x, y, check_types, expand)
        if below is not None:
            return below[0], kind.steps(a)[i] + below[1], below[2]
    return None


def _type_difference(a: Any, b: Any, kind: _Kind, other: _Kind) -> _Difference | None:
    if kind.mapping and other.mapping:
        if len(a) == len(b) and all(key in b for key in a):
            return None
        mine, theirs = ", ".join(map(repr, _sorted_keys(a))), ", ".join(map(repr, _sorted_keys(b)))
        return ValueError, "", f"one has the keys {mine or '(none)'}, the other {theirs or '(none)'}"
    if kind.fields is not None and other.fields is not None:
        same = kind.fields == other.fields and type(a).__name__ == type(b).__name__
    else:
        same = type(a) is type(b) or (isinstance(a, list) and isinstance(b, list))
    return None if same else (TypeError, "", f"one is of type {_name(a)}, the other of type {_name(b)}")


def _composite_difference(a: Any, b: Any) -> _Difference | None:
    if not (_kind(type(a)).composite and _kind(type(b)).composite):
        return ValueError, "", f"one is of type {_name(a)}, the other of type {_name(b)}"
    one, two = (x if isinstance(x, TypeSpec) else x._type_spec for x in (a, b))
    if one.most_specific_common_supertype([two]) is not None:
        return None
    return ValueError, "", f"no spec describes both {one} and {two}"


def _name(x: Any) -> str:
    return type(x).__name__
