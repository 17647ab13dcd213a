"""What a traced function reads from outside, as plain text: taken at the end of each trace, and again when asked.

Names and attributes are read without running the user's code: no property and no `__getattr__` is called.
"""

from __future__ import annotations

import dis
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import CodeType, ModuleType
from typing import Any, Final

import numpy as np

from graphlab.core.state import setting
from graphlab.core.tensor import EagerTensor, Tensor

_LIMIT: Final = 40
_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")

Outside = tuple[str, str, str]
"""A name (`k`, `self.scale`), its kind (number, value, tensor, variable) and its value in a few characters."""

Origin = tuple[int, str]
"""Where a name is kept: what holds it, and under which name. Only good while all that is compared is alive."""


def snapshot(python: Any) -> tuple[Outside, ...]:
    """What a Python function reads from outside at this moment.

    >>> scale = 2.0
    >>> def f(x):
    ...     return x * scale
    >>> f.__globals__.update(scale=scale)
    >>> snapshot(f)
    (('scale', 'number', '2.0'),)
    """
    return tuple((name, kind, text(value)) for name, value in values(python) if (kind := kind_of(value)) is not None)


def values(python: Any) -> Iterator[tuple[str, Any]]:
    """The names and attributes that a function reads from outside, with what they hold now; absent ones left out."""
    return ((name, value) for name, value, _ in reads(python))


def reads(python: Any) -> Iterator[tuple[str, Any, Origin]]:
    """Like `values`, each with where it is kept: two functions that read the same have the same origin of it."""
    owner = getattr(python, "__self__", None)
    function = getattr(python, "__func__", python)
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return
    roots: dict[str, Any] = {}
    for name, value, origin in _names(function, code):
        if _known(value):
            roots[name] = value
            yield name, value, origin
    if owner is not None and code.co_argcount:
        roots[code.co_varnames[0]] = owner
    for root, attribute in attributes(code):
        if root not in roots or isinstance(roots[root], ModuleType | type(None) | Tensor | np.ndarray):
            continue
        value = inspect.getattr_static(roots[root], attribute, None)
        if value is None or not _known(value):
            continue
        if not isinstance(value, property | staticmethod | classmethod) and not callable(value):
            yield f"{root}.{attribute}", value, (id(roots[root]), attribute)


def _known(value: Any) -> bool:
    """Whether a value says what it is: a proxy that stands for nothing now raises whatever it is asked."""
    try:
        isinstance(value, int)
    except Exception:  # noqa: BLE001 - see above
        return False
    return True


def _names(function: Any, code: CodeType) -> Iterator[tuple[str, Any, Origin]]:
    for name, held in zip(code.co_freevars, getattr(function, "__closure__", None) or (), strict=False):
        try:
            yield name, held.cell_contents, (id(held), "")
        except ValueError:
            continue
    outer = getattr(function, "__globals__", {})
    for name in _globals(code):
        if name in outer:
            yield name, outer[name], (id(outer), name)


@lru_cache(maxsize=256)
def _globals(code: CodeType) -> tuple[str, ...]:
    found = [
        instruction.argval
        for instruction in dis.get_instructions(code)
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    ]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found += _globals(constant)
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=256)
def attributes(code: CodeType, methods: bool = False) -> tuple[tuple[str, str], ...]:
    """The (name, attribute) pairs that are read with the name standing alone before the dot; called ones on request."""
    wanted = ("LOAD_ATTR", "LOAD_METHOD") if methods else ("LOAD_ATTR",)
    found: list[tuple[str, str]] = []
    before = None
    for instruction in dis.get_instructions(code):
        if instruction.opname in wanted and before is not None:
            found.append((before, instruction.argval))
        if instruction.opname == "COPY":  # `o.n += 1` reads and writes by one look at `o`
            continue
        loads = instruction.opname in ("LOAD_FAST", "LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF")
        before = instruction.argval if loads else None
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found += attributes(constant, methods)
    return tuple(dict.fromkeys(found))


def kind_of(value: Any) -> str | None:
    """What a value is for a trace: `number`, `value` and `tensor` are frozen, a `variable` is read at each call."""
    if isinstance(value, bool | int | float | complex | np.number):
        return "number"
    if isinstance(value, str | bytes | np.ndarray):
        return "value"
    if hasattr(type(value), "assign") and hasattr(type(value), "trainable"):
        return "variable"
    return "tensor" if isinstance(value, Tensor) else None


def text(value: Any) -> str:
    """A value in a few characters.

    >>> text(1.5), text(np.zeros((2, 3)))
    ('1.5', 'float64[2, 3]')
    """
    try:
        described = _tensor_text(value)
    except Exception:  # noqa: BLE001 - an object may raise anything when it is asked for an attribute
        described = None
    if described is not None:
        return described
    if isinstance(value, str | bytes):
        value = value[: _LIMIT + 1]
    try:
        shown = _ADDRESS.sub("", repr(value))
    except Exception:  # noqa: BLE001 - the user's own class: a record is no reason for an error
        shown = type(value).__name__
    return shown if len(shown) <= _LIMIT else shown[: _LIMIT - 1] + "…"


def _tensor_text(value: Any) -> str | None:
    """The dtype and shape of what has both, or the value of a scalar; None for other values."""
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is not None and shape is not None and not isinstance(value, np.number):
        raw = tuple(shape) if getattr(shape, "rank", 0) is not None else None
        if raw == () and (isinstance(value, EagerTensor) or hasattr(type(value), "assign")):
            return _ADDRESS.sub("", _now(value))[:_LIMIT]
        name = str(getattr(dtype, "name", dtype))
        return name + ("[...]" if raw is None else f"[{', '.join(map(str, raw))}]")
    return None


def _now(value: Any) -> str:
    """The value of a scalar tensor or variable at this moment, which may be in the middle of another trace."""
    try:
        with setting(graph=None, tapes=[]):
            return str(value.numpy())
    except Exception:  # noqa: BLE001 - a variable whose initial value is not there yet
        return str(value.dtype.name)


def kinds(python: Any) -> Mapping[str, str]:
    """What the names are that a function reads from outside: `module:numpy`, `list`, `variable:int32`, and so on."""
    return {name: described(value) for name, value in values(python)}


def described(value: Any) -> str:
    """What a value is, for those who read names only: see ``kinds``."""
    try:
        return _described(value)
    except Exception:  # noqa: BLE001 - an object may raise anything when it is asked for an attribute
        return f"object:{type(value).__module__}.{type(value).__name__}"


def _described(value: Any) -> str:
    kind = kind_of(value)
    if kind in ("variable", "tensor"):
        return f"{kind}:{value.dtype.name}"
    if kind is not None:
        return kind
    if isinstance(value, ModuleType):
        return f"module:{value.__name__}"
    if getattr(getattr(value, "__code__", None), "co_qualname", "").startswith("do_not_convert."):
        return "as_is"
    function = inspect.unwrap(value) if callable(value) and not isinstance(value, type) else value
    if inspect.isgeneratorfunction(function):
        return "generator"
    if hasattr(value, "python_function"):
        return "traced"
    if isinstance(value, type):
        return f"class:{value.__name__}"
    if callable(value):
        module = getattr(value, "__module__", None) or ""
        return f"function:{module}.{getattr(value, '__name__', '')}"
    if isinstance(value, list | dict | set):
        return type(value).__name__
    return f"object:{type(value).__module__}.{type(value).__name__}"
