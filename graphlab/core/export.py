"""Declaring public names.

``public`` marks a function or class as part of the ``tf.`` namespace.  It records nothing at run time: the marks are
read from the source by ``tools/generate_index.py``, which writes ``graphlab/_index.py``, and the lazy namespace in
``graphlab/__init__.py`` imports a module only when one of its names is first used.

Constants are declared with a module-level dictionary instead, public name → attribute of that module::

    PUBLIC = {"float32": "float32", "dtypes.float32": "float32"}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def public(*names: str) -> Callable[[T], T]:
    """Returns a decorator that declares ``names`` (``"nest.flatten"`` for ``tf.nest.flatten``) and changes nothing."""
    del names
    return _unchanged


def _unchanged(obj: T) -> T:
    return obj
