"""The public names: ``tf.autograph``."""

from __future__ import annotations

import builtins
import enum
import functools
import os
import sys
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import CodeType, FunctionType
from typing import Any, Final, TypeVar

from graphlab.autograph import conversion, records
from graphlab.autograph.listing import code_listing, plain_function
from graphlab.autograph.tracebacks import filtered
from graphlab.core import tensor as tensors
from graphlab.core.export import public
from graphlab.core.state import setting

F = TypeVar("F", bound=Callable[..., Any])


@public("autograph.to_code")
def to_code(entity: Any, recursive: bool = True, experimental_optional_features: Any = None) -> str:
    """The code that AutoGraph makes of a function, for reading.

    Args:
      entity: a function, method or ``tf.function``.
      recursive: accepted and without effect: calls are converted when they happen.
      experimental_optional_features: accepted and without effect: all features are there.

    Returns:
      Python source. ``ag`` stands for AutoGraph's operators.

    Raises:
      TypeError: there is no Python function behind ``entity``.
      ValueError: its source cannot be used.

    >>> import graphlab as tf
    >>> def sign(x):
    ...     if x > 0:
    ...         return 1
    ...     return 0
    >>> print(tf.autograph.to_code(sign), end="")
    def sign(x):
        def true_3():
            return 1
        def else_4():
            return 0
        return ag.if_stmt(x > 0, true_3, else_4)
    """
    del recursive, experimental_optional_features
    listing = code_listing(entity)
    if not listing.source_lines:
        function = plain_function(entity)
        raise ValueError(f"{function.__qualname__}() has no source that can be used: {why_not(function)}")
    return listing.generated or listing.source


@public("autograph.to_graph")
def to_graph(entity: F, recursive: bool = True, experimental_optional_features: Any = None) -> F:
    """Converts a function, so that tensors may decide its control flow while a graph is being built.

    Args:
      entity: a function, method or callable object.
      recursive: accepted and without effect: what it calls is converted too.
      experimental_optional_features: accepted and without effect: all features are there.

    Raises:
      ValueError: it cannot be converted.

    >>> import graphlab as tf
    >>> def double_if_positive(x):
    ...     if x > 0:
    ...         x = x * 2
    ...     return x
    >>> converted = tf.autograph.to_graph(double_if_positive)
    >>> converted(tf.constant(3))
    <tf.Tensor: shape=(), dtype=int32, numpy=6>
    """
    del recursive, experimental_optional_features
    converted = conversion.convert(entity)
    if converted is entity:
        raise ValueError(
            f"{getattr(entity, '__qualname__', entity)} cannot be converted: {why_not(entity) or 'it is no function.'}"
        )
    if isinstance(converted, FunctionType):
        for name in ("__module__", "__qualname__", "__doc__", "__annotations__"):
            setattr(converted, name, getattr(entity, name))
        converted.__dict__.update(vars(entity))
    return converted  # type: ignore[no-any-return]


@public("autograph.experimental.do_not_convert")
def do_not_convert(func: F | None = None) -> Any:
    """Marks a function to run as plain Python, with everything that it calls.

    Args:
      func: the function; without it, a decorator is returned.

    >>> import graphlab as tf
    >>> @tf.autograph.experimental.do_not_convert
    ... def plain(x):
    ...     return x + 1
    >>> plain(1)
    2
    """
    if func is None:
        return do_not_convert
    inner: Any = func

    if isinstance(inner, FunctionType):
        record = records.ConversionRecord(
            inner.__qualname__,
            inner.__code__.co_filename,
            inner.__code__.co_firstlineno,
            False,
            "do_not_convert",
            "is marked do_not_convert",
        )
        _marked[(record.filename, record.line)] = record

    def unconverted(*args: Any, **kwargs: Any) -> Any:
        with status(False):
            return inner(*args, **kwargs)

    conversion.leave(unconverted.__code__)
    return functools.wraps(inner)(unconverted)


_marked: Final[dict[tuple[str, int], records.ConversionRecord]] = {}


_off: Final[weakref.WeakSet[CodeType]] = weakref.WeakSet()


def note_off(code: CodeType | None) -> None:
    """Notes that a function is traced with AutoGraph off, so that errors in it can say so."""
    if code is not None:
        _off.add(code)


def status(enabled: bool) -> AbstractContextManager[None]:
    """Says whether functions that are called inside are converted."""
    return setting(autograph=enabled)


@public("autograph.experimental.Feature")
class Feature(enum.Enum):
    """Optional parts of TensorFlow's AutoGraph; here all of them are always there.

    >>> import graphlab as tf
    >>> tf.autograph.experimental.Feature.ALL.name
    'ALL'
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """All features."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Any) -> tuple[Feature, ...]:
        """All features but these."""
        left_out = exclude if isinstance(exclude, (list, tuple, set)) else [exclude]
        return tuple(f for f in cls if f not in left_out and f is not cls.ALL)


@public("autograph.experimental.set_loop_options")
def set_loop_options(
    parallel_iterations: Any = None,
    swap_memory: Any = None,
    maximum_iterations: Any = None,
    shape_invariants: Any = None,
) -> None:
    """Options of the loop in whose body this is the first statement; elsewhere it does nothing.

    Args:
      parallel_iterations: accepted and without effect.
      swap_memory: accepted and without effect.
      maximum_iterations: the loop stops after so many iterations.
      shape_invariants: pairs of a variable and the most general shape it may have in the loop.

    >>> import graphlab as tf
    >>> @tf.function
    ... def count(n):
    ...     v = tf.constant([0])
    ...     for i in tf.range(n):
    ...         tf.autograph.experimental.set_loop_options(shape_invariants=[(v, tf.TensorShape([None]))])
    ...         v = tf.concat([v, [i]], 0)
    ...     return v
    >>> count(tf.constant(3)).numpy().tolist()
    [0, 0, 1, 2]
    """
    del parallel_iterations, swap_memory, maximum_iterations, shape_invariants


class _Verbosity:
    level: int | None = None
    to_stdout = False


@public("autograph.set_verbosity")
def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Sets how much AutoGraph tells on standard error: 0 nothing, 1 what it could not convert, 3 and more all.

    Args:
      level: the level; the environment variable AUTOGRAPH_VERBOSITY is used until it is set.
      alsologtostdout: tell it on standard output too.

    >>> import graphlab as tf
    >>> tf.autograph.set_verbosity(0)
    """
    _Verbosity.level, _Verbosity.to_stdout = level, alsologtostdout


def _tell(record: records.ConversionRecord) -> None:
    level = _Verbosity.level
    if level is None:
        try:
            level = int(os.environ.get("AUTOGRAPH_VERBOSITY", "0"))
        except ValueError:
            level = 0
    if level >= 3 or (level >= 1 and record.reason == "no_source"):
        text = f"AutoGraph: {record} ({record.filename}:{record.line})"
        sys.stderr.write(text + "\n")
        if _Verbosity.to_stdout:
            sys.stdout.write(text + "\n")


records.listeners.append(_tell)


@public("autograph.trace")
def trace(*args: Any) -> None:
    """Prints its arguments when the graph is made, as ``print`` does in a traced function.

    >>> import graphlab as tf
    >>> tf.autograph.trace("making the graph")
    making the graph
    """
    builtins.print(*args)  # noqa: T201  # what it is for


def why_not(function: Any) -> str:
    """Why a callable is run as plain Python: a sentence; empty if it is converted, or is nothing AutoGraph knows of."""
    try:
        python = plain_function(function)
    except TypeError:
        return ""
    code = python.__code__
    marked = _marked.get((code.co_filename, code.co_firstlineno))
    if marked is not None and marked.function == code.co_qualname:
        return str(marked)
    if conversion.owner(code) is not None:
        return ""
    wrapped = getattr(python, "__wrapped__", None)
    record = conversion.conversion_of(python).record
    if record.reason == "do_not_convert" and wrapped is not None:
        return why_not(wrapped)
    return "" if record.converted else str(record)


def _explain(use: str) -> str:
    """Why the code that uses a symbolic tensor as a Python value was not converted: asked by the error."""
    frame = sys._getframe(1)
    at: Any = frame
    while at is not None:
        code = at.f_code
        if not tensors_internal(code.co_filename):
            break
        at = at.f_back
    if at is None:
        return ""
    name = at.f_code.co_name
    if conversion.owner(at.f_code) is not None:
        return _converted_advice(name, use)
    marked = _marked.get((at.f_code.co_filename, at.f_code.co_firstlineno))
    if marked is not None:
        return str(marked)
    record = records.latest(records.conversions(), at.f_code)
    if record is None:
        record = conversion.reason_for(at.f_code, at.f_globals)
    if record is not None and not record.converted:
        return str(record)
    if name.startswith("<") and name != "<lambda>":
        return "Comprehensions and module code run as plain Python. Write a for loop in a function."
    if at.f_code in _off:
        return f"AutoGraph is off for {name}(), so it runs as plain Python. Leave out autograph=False to convert it."
    return f"{name}() was not converted by AutoGraph: call it from a function that tf.function converts."


def _converted_advice(name: str, use: str) -> str:
    if use == "as an iterable":
        return (
            "A for statement makes a loop of the graph of it; comprehensions, generators and functions that iterate "
            "are plain Python. Write a for statement, tf.map_fn, or tf.unstack where the size is known."
        )
    if name.startswith("<") and name != "<lambda>":
        return "A comprehension runs as plain Python. Write a for loop, or tf.map_fn."
    return "While a graph is being built it has no value. Use tf.cond, tf.where or another op of TensorFlow here."


def tensors_internal(filename: str) -> bool:
    """True for files of graphlab."""
    from graphlab.core.position import is_internal

    return is_internal(filename)


tensors.explain_unconverted.append(_explain)

__all__ = ["code_listing", "filtered", "status", "why_not"]
