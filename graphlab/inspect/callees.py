"""The user's functions that a function may call, as far as its names and attributes lead: nothing runs for it."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Iterable, Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final

from graphlab.core.position import is_library
from graphlab.tracing.outside import attributes, values

_MAX: Final = 50


def callees(python: Any, known: Iterable[Any] = ()) -> Iterator[Any]:
    """A function, then those that it may call and those that these may call, each once; methods with their objects.

    Args:
        python: A function or method.
        known: Further functions that are known to be called.

    >>> def add(x):
    ...     return x + 1
    >>> class Net:
    ...     def run(self, x):
    ...         return self.twice(add(x))
    ...     def twice(self, x):
    ...         return 2 * x
    >>> Net.run.__globals__.update(add=add)
    >>> [function.__name__ for function in callees(Net().run)]
    ['run', 'add', 'twice']
    """
    queue = deque([python, *known])
    seen: set[tuple[int, int]] = set()
    while queue and len(seen) < _MAX:
        function = queue.popleft()
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        key = id(code), id(getattr(function, "__self__", None))
        if code is None or key in seen or (function is not python and is_library(code.co_filename)):
            continue
        seen.add(key)
        yield function
        queue += _called(function)


def _called(function: Any) -> Iterator[Any]:
    named = dict(values(function))
    for value in named.values():
        if (found := _function(value)) is not None:
            yield found
    code = getattr(function, "__func__", function).__code__
    owner = getattr(function, "__self__", None)
    if owner is not None and code.co_argcount:
        named[code.co_varnames[0]] = owner
    for root, attribute in attributes(code, methods=True):
        if root not in named:
            continue
        held = named[root]
        value = inspect.getattr_static(held, attribute, None)
        if isinstance(value, FunctionType) and not isinstance(held, ModuleType | type):
            yield MethodType(value, held)
        elif isinstance(value, staticmethod | classmethod):
            inner = inspect.unwrap(value.__func__)
            yield MethodType(inner, held) if isinstance(value, classmethod) else inner
        elif (found := _function(value)) is not None:
            yield found


def _function(value: Any) -> Any:
    """The Python function that runs when a value is called; None when it is none of the user's."""
    if isinstance(value, FunctionType | MethodType):
        return value
    if value is None or isinstance(value, type | ModuleType):
        return None
    call = inspect.getattr_static(type(value), "__call__", None)
    return MethodType(call, value) if isinstance(call, FunctionType) else None
