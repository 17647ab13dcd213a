"""Python callables as ``tf.function`` meets them: functions, methods, partials, objects; and those it refuses."""

from __future__ import annotations

import functools
import inspect
import types
import weakref
from collections.abc import Callable
from typing import Any


def name_of(python_function: Any) -> str:
    """The name of a callable; of an object without one, its class's."""
    while isinstance(python_function, functools.partial):
        python_function = python_function.func
    if isinstance(python_function, classmethod):
        python_function = python_function.__func__
    return getattr(python_function, "__name__", None) or type(python_function).__name__


def code_of(python_function: Any) -> types.CodeType | None:
    """The code a callable runs, or None if that is not Python."""
    while True:
        if isinstance(python_function, functools.partial):
            python_function = python_function.func
        elif isinstance(python_function, (classmethod, types.MethodType)):
            python_function = python_function.__func__
        else:
            break
    code = getattr(python_function, "__code__", None)
    if code is None:
        code = getattr(_call_method(python_function), "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def _call_method(value: Any) -> Any:
    """``__call__`` of an object that is no function, as its class defines it."""
    return None if isinstance(value, type) else inspect.getattr_static(type(value), "__call__", None)


def weak(value: Any) -> Callable[[], Any]:
    """A weak reference; for what can't have one, a function that returns None."""
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: None


def plain(python_function: Any) -> Any:
    """The function inside a classmethod; anything else itself."""
    return python_function.__func__ if isinstance(python_function, classmethod) else python_function


def refuse(python_function: Any, name: str) -> None:
    """TypeError for a function that cannot be traced: a coroutine function or a generator function."""
    kind = python_function if inspect.isroutine(python_function) else _call_method(python_function)
    if inspect.iscoroutinefunction(kind) or inspect.isasyncgenfunction(kind):
        raise TypeError(
            f"{name!r} is a coroutine function: a graph cannot wait. Make the part that computes a plain "
            "function, decorate that, and call it from the coroutine."
        )
    if inspect.isgeneratorfunction(kind):
        raise TypeError(
            f"{name!r} is a generator function: a graph cannot pause. Return a list or a tf.TensorArray; a "
            "helper that a traced function calls may be a generator."
        )
