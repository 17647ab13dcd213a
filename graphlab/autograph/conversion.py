"""``convert``: any callable → the same with graph-aware control flow, or itself where there is nothing to convert.

What is kept is one ``Conversion`` per code object, as long as that lives; functions are made from it on demand, from
the
original's globals, closure cells and defaults, so nothing of the user's is held and nothing gets stale.
"""

from __future__ import annotations

import ast
import copy
import functools
import threading
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final, TypeVar

from graphlab.autograph import policy, records
from graphlab.autograph.converters.context import MISSING, Surroundings
from graphlab.autograph.converters.functions import convert_function
from graphlab.autograph.names import AG, Fresh, is_internal, used_names
from graphlab.autograph.operators import branch, builtin, counting, logic, loop
from graphlab.autograph.parsing import NoSourceError, Source, compile_function, find_source
from graphlab.core.state import setting, state

F = TypeVar("F", bound=Callable[..., Any])


class Conversion:
    """The converted code of one function.

    Attributes:
      code: the converted code; None if the function runs as plain Python.
      record: what is remembered of it.
      assumed: global names → what they meant when it was converted.
    """

    __slots__ = ("_cells", "assumed", "code", "record")

    def __init__(
        self,
        record: records.ConversionRecord,
        original: CodeType | None = None,
        code: CodeType | None = None,
        assumed: dict[str, Any] | None = None,
    ) -> None:
        self.record, self.code = record, code
        self.assumed = tuple((assumed or {}).items())
        self._cells: tuple[int, ...] = ()
        if code is not None and original is not None:
            free = original.co_freevars
            self._cells = tuple(free.index(name) if name in free else -1 for name in code.co_freevars)

    def holds(self, names: dict[str, Any]) -> bool:
        """True if the globals still mean what they meant."""
        return all(names.get(name, MISSING) is meaning for name, meaning in self.assumed)

    def bind(self, function: FunctionType) -> FunctionType:
        """The converted form of a function that has the original's code."""
        code = self.code
        assert code is not None
        closure = function.__closure__
        if self._cells:
            cells: Any = tuple([_AG_CELL if i < 0 else closure[i] for i in self._cells])  # type: ignore[index]
        else:
            cells = None
        new = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, cells)
        if (keyword_only := function.__kwdefaults__) is not None:
            new.__kwdefaults__ = keyword_only
        return new


# id of a code object → its conversion. An entry goes with its code object.
_conversions: Final[dict[int, Conversion]] = {}
_watched: Final[dict[int, weakref.ref[CodeType]]] = {}
# id of a code object inside a converted one → (the code, the converted function it belongs to, whether it is a
# construct's body).
_inner: Final[dict[int, tuple[weakref.ref[CodeType], weakref.ref[CodeType], bool]]] = {}
_lock: Final = threading.RLock()

_OVERLOADS: Final = builtin.OVERLOADS


def _namespace() -> ModuleType:
    """``ag``: what converted functions reach the operators through."""
    ag = ModuleType("ag", "AutoGraph's run-time operators.")
    for function in (branch.if_stmt, branch.if_exp, loop.for_stmt, loop.while_stmt, logic.and_, logic.or_, logic.not_):
        setattr(ag, function.__name__, function)
    ag.ran, ag.after = counting.ran, counting.after  # type: ignore[attr-defined]
    ag.assert_stmt = logic.assert_stmt  # type: ignore[attr-defined]
    ag.convert = convert_call  # type: ignore[attr-defined]
    for python, ours in _OVERLOADS.items():
        setattr(ag, python.__name__, ours)
    for name in ("locals", "vars", "dir", "eval", "exec"):
        setattr(ag, name, getattr(builtin, f"{name}_"))
    return ag


def convert(function: Any) -> Any:
    """A callable with its control flow made aware of graphs; the callable itself where there is nothing to convert.

    Functions, methods, partials and callable objects are converted; classes, builtins, ``tf.function`` objects,
    generators, coroutines, functions without source and those of frozen modules are given back as they are.
    """
    if state.autograph is not False:
        return convert_call(function)
    # Asked for inside a function that is not to be converted: what is traced from here is converted all the same.
    with _enabled():
        converted = convert_call(function)
    if converted is function:
        return function

    def enabled(*args: Any, **kwargs: Any) -> Any:
        with _enabled():
            return converted(*args, **kwargs)

    return enabled


def _enabled() -> AbstractContextManager[None]:
    return setting(autograph=None)


def convert_call(function: Any) -> Any:
    """``convert`` for what converted code calls: nothing is converted while that is turned off."""
    kind = function.__class__
    if kind is FunctionType:
        code = function.__code__
        conversion = _conversions.get(id(code))
        if conversion is None:
            conversion = conversion_of(function)
        elif conversion.assumed and not conversion.holds(function.__globals__):
            conversion = _make(function)
        if conversion.code is None or state.autograph is False:
            return function
        if (called := state.called) is not None:
            called.setdefault(id(code), function)
        return conversion.bind(function)
    if kind is BuiltinFunctionType:
        try:
            return _OVERLOADS.get(function, function)
        except TypeError:  # a method of something that can't be hashed: [].append
            return function
    if kind is MethodType:
        inner = function.__func__
        return _bound(function, convert_call(inner), inner, function.__self__)
    if kind is type:
        return _OVERLOADS.get(function, function)
    if kind is functools.partial:
        new = convert_call(function.func)
        return function if new is function.func else functools.partial(new, *function.args, **function.keywords)
    if isinstance(function, type) or not callable(function):
        return function
    return _convert_object(function)


def _convert_object(function: Any) -> Any:
    """Callable objects: their ``__call__`` is converted, unless their class belongs to a frozen module."""
    cls = type(function)
    if policy.is_frozen(cls.__module__) or hasattr(cls, "_graphlab_function"):
        return function
    call = getattr(cls, "__call__", None)  # noqa: B004  # the function is wanted, not whether there is one
    if isinstance(call, FunctionType):
        return _bound(function, convert_call(call), call, function)
    if isinstance(call, functools.partialmethod):
        return function
    return function


def _bound(function: Any, new: Any, inner: Any, owner: Any) -> Any:
    """The converted form of a method, or of a callable object: ``function`` itself if its code is not converted."""
    if new is inner:
        return function
    called, key = state.called, id(inner.__code__)
    if called is not None and isinstance(called.get(key), FunctionType):
        called[key] = MethodType(inner, owner)
    return MethodType(new, owner)


def conversion_of(function: FunctionType) -> Conversion:
    """The conversion of a function's code, made if there is none."""
    found = _conversions.get(id(function.__code__))
    if found is not None and found.holds(function.__globals__):
        return found
    return _make(function)


def _make(function: FunctionType) -> Conversion:
    code = function.__code__
    try:
        conversion = _build(function, code)
    except NoSourceError as error:
        conversion = Conversion(records.note(code, reason="no_source", why=f"has no source that can be used ({error})"))
        if isinstance(error.__cause__, RecursionError):  # it may fit where fewer calls are under way
            return conversion
    with _lock:
        _remember(code, conversion)
    return conversion


def _build(function: FunctionType, code: CodeType) -> Conversion:
    inner = _inner.get(id(code))
    if inner is not None and inner[0]() is code:
        return Conversion(_record_inner(code))
    module = function.__globals__.get("__name__")  # __module__ may be copied from a function that this one wraps
    if policy.is_frozen(module) and not code.co_filename.startswith("<doctest"):
        return Conversion(records.note(code, reason="frozen", why=f"belongs to {module}, which is called as it is"))
    against = policy.reason_for_code(code)
    if against is not None:
        return Conversion(records.note(code, reason=against[0], why=against[1]))
    source = find_source(code)
    try:
        tree, assumed = converted_tree(function, source)
        try:
            compiled = compile_function(tree, code, (AG,))
        except TypeError:  # a node of a kind that is rarely made has no place
            compiled = compile_function(ast.fix_missing_locations(tree), code, (AG,))
    except (SyntaxError, ValueError, RecursionError) as error:  # an expression of hundreds of terms is that deep
        raise NoSourceError(f"it could not be converted: {error}") from error
    return Conversion(records.note(code), code, _like_original(compiled, code), assumed)


def converted_tree(function: FunctionType, source: Source) -> tuple[Any, dict[str, Any]]:
    """The converted tree of a function, and what it takes globals to mean."""
    tree = source.node
    if isinstance(tree, ast.Lambda):
        tree = copy.deepcopy(tree)  # the file's lambdas are shared
    around = Surroundings(
        function.__globals__,
        frozenset(function.__code__.co_freevars),
        policy.FROZEN_MODULES,
        Fresh(_names_of_the_users(function.__code__)),
        function.__code__.co_filename,
        function.__code__.co_qualname,
        source.mangled_by,
    )
    convert_function(tree, around)
    return tree, around.assumed


def _names_of_the_users(code: CodeType) -> set[str]:
    used = used_names(code)
    if owner(code) is not None:  # converted with the function around it, so it has names of ours already
        used = {name for name in used if not (is_internal(name) or _is_body_name(name))}
    return used


def leave(code: CodeType) -> None:
    """Declares that functions of this code run as they are."""
    with _lock:
        _remember(code, Conversion(records.note(code, reason="do_not_convert", why="is marked do_not_convert")))


def reason_for(code: CodeType, names: dict[str, Any]) -> records.ConversionRecord | None:
    """Why a function that was never met would not be converted; None if nothing speaks against it."""
    against = policy.reason_for_code(code)
    if against is None and policy.is_frozen(names.get("__name__")):
        against = ("frozen", f"belongs to {names['__name__']}, which is called as it is")
    if against is None:
        return None
    return records.ConversionRecord(code.co_qualname, code.co_filename, code.co_firstlineno, False, *against)


def _remember(code: CodeType, conversion: Conversion) -> None:
    key = id(code)
    if key not in _watched:
        _watched[key] = weakref.ref(code, _Forget(key, _conversions, _watched))
    _conversions[key] = conversion


class _Forget:
    """Drops what is known of an object from tables; holds them itself, since at exit modules are emptied first."""

    __slots__ = ("key", "tables")

    def __init__(self, key: int, *tables: dict[int, Any]) -> None:
        self.key, self.tables = key, tables

    def __call__(self, _: object) -> None:
        for table in self.tables:
            table.pop(self.key, None)


def _record_inner(code: CodeType) -> records.ConversionRecord:
    return records.ConversionRecord(code.co_qualname, code.co_filename, code.co_firstlineno, True, "inner", "")


def _like_original(compiled: CodeType, original: CodeType) -> CodeType:
    """Gives converted code the original's qualified names, and notes the code objects inside it.

    What was made of the body of a construct has the name of the function it stands in: tracebacks show it.
    """
    prefix = compiled.co_qualname
    inside: list[tuple[CodeType, bool]] = []

    def renamed(code: CodeType, name: str) -> CodeType:
        constants: list[Any] = []
        for const in code.co_consts:
            if isinstance(const, CodeType):
                is_part = _is_body_name(const.co_name)
                new = renamed(const, name if is_part else const.co_name)
                inside.append((new, is_part))
                constants.append(new)
            elif isinstance(const, str) and const.startswith(prefix + "."):
                constants.append(original.co_qualname + const[len(prefix) :])
            else:
                constants.append(const)
        return code.replace(
            co_consts=tuple(constants),
            co_name=name,
            co_qualname=original.co_qualname + code.co_qualname[len(prefix) :],
        )

    new = renamed(compiled, compiled.co_name)
    root = weakref.ref(new)
    for code, is_part in (*inside, (new, False)):
        key = id(code)
        _inner[key] = (weakref.ref(code, _Forget(key, _inner)), root, is_part)
    return new


def _is_body_name(name: str) -> bool:
    kind, _, line = name.partition("_")
    return kind in {"true", "else", "loop", "test"} and line.rstrip("_").isdigit()


def is_body(value: object) -> bool:
    """True for a function, or its code, that was made of the body of a construct."""
    code = value if isinstance(value, CodeType) else getattr(value, "__code__", None)
    entry = _inner.get(id(code))
    return entry is not None and entry[2] and entry[0]() is code


def owner(code: CodeType) -> CodeType | None:
    """The converted function that a code object belongs to; None for code that is not converted."""
    entry = _inner.get(id(code))
    return entry[1]() if entry is not None and entry[0]() is code else None


_AG_CELL: Final = CellType(_namespace())
