"""What the user's other functions that ran in a trace read from outside: taken, as text, at the end of the trace."""

from __future__ import annotations

import functools
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final, NamedTuple

import numpy as np

from graphlab.core.position import is_library
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.tracing.outside import Origin, Outside, described, kind_of, reads, text

MAX_HELPERS: Final = 24
"""Functions of which a trace keeps what they read."""
_MAX_OBJECTS: Final = 500
_MAX_PARTS: Final = 100
_NO_PARTS: Final = (str, bytes, int, float, complex, ModuleType, Tensor, np.ndarray, type)


class Helper(NamedTuple):
    """A function that ran while another was traced.

    Attributes:
        filename: The file it stands in, with the line where its code begins (its first decorator's).
        name: Its qualified name.
        outside: What it read from outside, as the traced function's own is kept; what that one reads too is left out.
        kinds: What its outer names are: `("np", "module:numpy")`.
        kept: Whether its object lives outside of the trace; True for a function that is no method.
    """

    filename: str
    line: int
    name: str
    outside: tuple[Outside, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    kept: bool = True


Reader = Callable[[], Any]
"""A weak reference to a function or method."""


def helpers(python: Any, called: Iterable[Any]) -> tuple[tuple[Helper, ...], tuple[Reader, ...]]:
    """What functions read that were called in a trace, those of libraries left out, with references to them.

    Args:
        python: The traced function.
        called: The functions and methods that were called, in order.

    >>> rate = 0.5
    >>> def scaled(x):
    ...     return x * rate
    >>> scaled.__globals__.update(rate=rate)
    >>> (found,), _ = helpers(None, [scaled])
    >>> found.name, found.outside, found.kept
    ('scaled', (('rate', 'number', '0.5'),), True)
    """
    own = _code(python)
    functions = [function for function in called if _is_users(function, own)][:MAX_HELPERS]
    if not functions:
        return (), ()
    read = [list(reads(function)) for function in functions]
    mine = list(reads(python))
    kept = _kept(python, functions, [mine, *read])
    seen = {origin for _, _, origin in mine}
    found = [_helper(*each, seen) for each in zip(functions, kept, read, strict=True)]
    return tuple(found), tuple(map(_reference, functions))


def _code(function: Any) -> Any:
    return getattr(getattr(function, "__func__", function), "__code__", None)


def _is_users(function: Any, own: Any) -> bool:
    code = _code(function)
    return code is not own and not is_library(code.co_filename)


def _helper(function: Any, kept: bool, read: list[tuple[str, Any, Origin]], seen: set[Origin]) -> Helper:
    code = _code(function)
    # What an object holds that was made in the trace came from no outside.
    inside = f"{code.co_varnames[0]}." if not kept and code.co_varnames else None
    outside: list[Outside] = []
    kinds: list[tuple[str, str]] = []
    for name, value, origin in read:
        kind = kind_of(value)
        if kind == "tensor" and not issubclass(type(value), EagerTensor):
            kinds.append((name, f"symbolic:{value.dtype.name}"))
            continue
        kinds.append((name, described(value)))
        if kind is None or origin in seen or (inside is not None and name.startswith(inside)):
            continue
        seen.add(origin)
        outside.append((name, kind, text(value)))
    return Helper(code.co_filename, code.co_firstlineno, code.co_qualname, tuple(outside), tuple(kinds), kept)


def _reference(function: Any) -> Reader:
    try:
        return weakref.WeakMethod(function) if isinstance(function, MethodType) else weakref.ref(function)
    except TypeError:  # the object of a class with slots
        return _gone


def _gone() -> None:
    return None


# ------------------------------------------------------------------------------------------------- objects from outside


def _kept(python: Any, functions: list[Any], read: list[list[tuple[str, Any, Origin]]]) -> list[bool]:
    """Whether the object of each method is there outside of the trace: it can be reached from the names of all."""
    owner = getattr(python, "__self__", None)
    wanted = {
        id(function.__self__)
        for function in functions
        if isinstance(function, MethodType) and function.__self__ is not owner and not isinstance(owner, type)
    }
    found = _reached(wanted, [owner, *(value for names in read for name, value, _ in names if "." not in name)])
    return [
        not isinstance(function, MethodType)
        or isinstance(function.__self__, type)
        or function.__self__ is owner
        or id(function.__self__) in found
        for function in functions
    ]


def _reached(wanted: set[int], roots: list[Any]) -> set[int]:
    """Which of some objects others lead to, by attributes and containers; no code of the user's runs."""
    if not wanted:
        return wanted
    found: set[int] = set()
    seen: set[int] = set()
    queue = deque(roots)
    while queue and len(seen) < _MAX_OBJECTS and len(found) < len(wanted):
        value = queue.popleft()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if id(value) in wanted:
            found.add(id(value))
        queue += [part for part in islice(_parts(value), _MAX_PARTS) if not issubclass(type(part), _NO_PARTS)]
    return found


def _parts(value: Any) -> Iterator[Any]:
    """What an object holds; no code of the user's runs."""
    kind = type(value)
    if kind in (list, tuple, set, deque):
        yield from value
    elif kind is dict:
        yield from value.values()
    elif kind is MethodType:
        yield value.__self__
    elif kind is functools.partial:
        yield from (value.func, *value.args)
    elif kind is FunctionType:
        for cell in value.__closure__ or ():
            try:
                yield cell.cell_contents
            except ValueError:
                continue
    elif not issubclass(kind, _NO_PARTS):
        try:
            held = object.__getattribute__(value, "__dict__")
        except AttributeError:
            return
        if type(held) is dict:
            yield from held.values()
            yield from (part for part in vars(kind).values() if not isinstance(part, FunctionType))
            if issubclass(kind, list):  # tracked containers, and classes derived from them
                yield from list.__iter__(value)
            elif issubclass(kind, tuple):
                yield from tuple.__iter__(value)
            elif issubclass(kind, dict):
                yield from dict.values(value)
