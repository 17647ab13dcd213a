"""tf.Module: a named container of variables and other modules."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from graphlab.core import nest
from graphlab.core.export import public
from graphlab.eager.scopes import name_scope
from graphlab.eager.variable import Variable

_NAME = re.compile(r"^[a-zA-Z_]([a-zA-Z0-9_])*$")


def _snake(name: str) -> str:
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


@public("Module")
class Module:
    """Base class of objects that hold variables.

    Attributes and (nested) lists and dictionaries of them are searched for variables and submodules, in the order of
    the attributes' names.

    Args:
      name: a valid Python identifier; by default the class's name in snake case.

    Raises:
      ValueError: the name is no identifier.

    >>> import graphlab as tf
    >>> class Dense(tf.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.w = tf.Variable([[1.0]], name="w")
    >>> [v.name for v in Dense().trainable_variables]
    ['w:0']
    """

    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset()

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = _snake(type(self).__name__)
        elif not _NAME.match(name):
            raise ValueError(f"{name!r} is not a valid module name. Module names must be valid Python identifiers.")
        self._name = name
        with name_scope(name) as full:
            self._scope_name = full

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def name_scope(self) -> Any:
        """A name scope for the module's variables, to be used in a ``with`` statement."""
        return name_scope(self._scope_name)

    @property
    def variables(self) -> tuple[Any, ...]:
        """All variables, of submodules too."""
        return tuple(self._flatten(predicate=lambda o: isinstance(o, Variable), expand=True))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """The trainable ones among ``variables``."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Any, ...]:
        """The others among ``variables``."""
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple[Any, ...]:
        """All modules below this one."""
        return tuple(self._flatten(predicate=lambda o: isinstance(o, Module), expand=False))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Any = None,
        with_path: bool = False,
        expand_composites: bool = False,
        expand: bool = True,
    ) -> Iterator[Any]:
        seen: set[int] = {id(self)}
        queue: list[tuple[Any, Any]] = [((), self)]
        wanted = predicate or (lambda o: True)
        while queue:
            path, module = queue.pop(0)
            attributes: Iterable[Any] = (
                (k, v) for k, v in vars(module).items() if k not in module._TF_MODULE_IGNORED_PROPERTIES
            )
            for key, value in sorted(attributes, key=attribute_traversal_key or (lambda kv: kv[0])):
                try:
                    leaves = list(_leaves(value, expand_composites))
                except TypeError as error:
                    raise ValueError(f"Error processing property {key!r} of {module!r}: {error}") from error
                for inner, leaf in leaves:
                    if id(leaf) in seen:
                        continue
                    if wanted(leaf):
                        seen.add(id(leaf))
                        yield ((*path, key, *inner), leaf) if with_path else leaf
                    if recursive and isinstance(leaf, Module) and all(m is not leaf for _, m in queue):
                        seen.add(id(leaf))
                        queue.append(((*path, key, *inner), leaf))

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: the method runs in the module's name scope.

        >>> import graphlab as tf
        >>> class M(tf.Module):
        ...     @tf.Module.with_name_scope
        ...     def build(self):
        ...         return tf.Variable(1.0, name="w")
        >>> M().build().name
        'm/w:0'
        """

        @functools.wraps(method)
        def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped


def _leaves(value: Any, expand_composites: bool) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The leaves of an attribute, each with the keys, indices and names of fields that lead to it."""
    if isinstance(value, Mapping):
        for key in nest._sorted_keys(value):
            for path, leaf in _leaves(value[key], expand_composites):
                yield (key, *path), leaf
    elif isinstance(value, (list, tuple)):
        names = getattr(value, "_fields", range(len(value)))
        for name, item in zip(names, value, strict=True):
            for path, leaf in _leaves(item, expand_composites):
                yield (name, *path), leaf
    else:
        for leaf in nest.flatten(value, expand_composites=expand_composites):
            yield (), leaf
