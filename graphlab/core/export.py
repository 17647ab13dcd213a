"""The public namespace: how names are declared, and how they are found when somebody uses them.

``public`` marks a function or class as part of the ``tf.`` namespace.  It records nothing at run time: the marks are
read from the source by ``tools/generate_index.py``, which writes ``graphlab/_index.py``.  Constants are declared with a
module-level dictionary instead, public name → attribute of that module::

    PUBLIC = {"float32": "float32", "dtypes.float32": "float32"}

``namespace`` gives a module the ``__getattr__`` that imports the module of a name when the name is first used, so that
``import graphlab`` need not load a thousand operations.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

T = TypeVar("T")


def public(*names: str) -> Callable[[T], T]:
    """Returns a decorator that declares ``names`` (``"nest.flatten"`` for ``tf.nest.flatten``) and changes nothing."""
    del names
    return _unchanged


def _unchanged(obj: T) -> T:
    return obj


def resolve(name: str) -> Any:
    """The object with a public name, for instance ``"math.add"``.  KeyError if there is none."""
    from graphlab._index import PUBLIC

    module, attribute = PUBLIC[name]
    return getattr(import_module(module), attribute)


def namespace(module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` for ``graphlab`` or one of its public namespaces.

    Args:
      module: the module's own ``__name__``, such as ``"graphlab.autograph"``.

    >>> __getattr__, __dir__ = namespace("graphlab.math")
    >>> __getattr__("add").__name__
    'add'
    """
    from graphlab._index import NAMESPACES, PUBLIC

    prefix = module.removeprefix("graphlab").lstrip(".")
    prefix = f"{prefix}." if prefix else ""

    def find(name: str) -> Any:
        full = prefix + name
        target = PUBLIC.get(full)
        if target is not None:
            value = getattr(import_module(target[0]), target[1])
        elif full in NAMESPACES or _is_package(f"graphlab.{full}"):
            value = import_module(f"graphlab.{full}")
        else:
            raise MissingNameError(full)
        setattr(sys.modules[module], name, value)
        return value

    def names() -> list[str]:
        found = {name for name in vars(sys.modules[module]) if not name.startswith("_") or name.startswith("__")}
        for full in (*PUBLIC, *NAMESPACES):
            if full.startswith(prefix):
                found.add(full[len(prefix) :].partition(".")[0])
        return sorted(found)

    return find, names


def _is_package(module: str) -> bool:
    # Packages of graphlab's own, such as graphlab.inspect, are part of the namespace too.
    name = module.rpartition(".")[2]
    if name.startswith("_") or module.count(".") > 1:
        return False
    from importlib.util import find_spec

    return find_spec(module) is not None


class MissingNameError(AttributeError):
    """There is no such public name.  The nearest one is looked for when the message is shown: ``hasattr`` is quick."""

    def __init__(self, public_name: str) -> None:
        super().__init__(public_name)
        self.public_name = public_name

    def __str__(self) -> str:
        near = nearest(self.public_name)
        hint = f" Perhaps you mean {' or '.join(f'tf.{name}' for name in near)}." if near else ""
        return f"graphlab has no tf.{self.public_name}.{hint}"


def nearest(name: str) -> list[str]:
    """At most two public names that somebody who wrote ``name`` may have meant.

    The same name in another namespace comes first (``log`` → ``math.log``), then the most similar spelling.
    """
    from difflib import get_close_matches

    from graphlab._index import PUBLIC

    last = name.rpartition(".")[2]
    same = sorted((full for full in PUBLIC if full.rpartition(".")[2] == last), key=lambda full: (len(full), full))
    return same[:1] or get_close_matches(name, PUBLIC, n=1, cutoff=0.7) or _similar_last(last)


def _similar_last(last: str) -> list[str]:
    from difflib import get_close_matches

    from graphlab._index import PUBLIC

    by_last = {full.rpartition(".")[2]: full for full in sorted(PUBLIC, key=len, reverse=True)}
    return [by_last[match] for match in get_close_matches(last, by_last, n=1, cutoff=0.7)]


class _Namespace(ModuleType):
    """A public namespace without a module of its own, such as ``graphlab.math``."""


def register_namespaces() -> None:
    """Makes ``import graphlab.math`` and the like work for every namespace that is no real package."""
    from graphlab._index import NAMESPACES

    for name, real in NAMESPACES.items():
        module = f"graphlab.{name}"
        if not real and module not in sys.modules:
            virtual = _Namespace(module, f"The public names of tf.{name}.")
            virtual.__path__ = []  # a package to the import system, for there may be namespaces below
            virtual.__package__ = module
            virtual.__dict__["__getattr__"], virtual.__dict__["__dir__"] = namespace(module)
            sys.modules[module] = virtual
