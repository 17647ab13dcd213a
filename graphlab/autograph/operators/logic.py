"""``and``, ``or``, ``not`` and ``assert`` at run time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphlab.autograph import staging

Thunk = Callable[[], Any]


def and_(first: Any, *rest: Thunk) -> Any:
    """``a and b and c``: operands after the first are functions, called only if those before were true."""
    value = first
    for index, thunk in enumerate(rest):
        if value.__class__ is not bool and staging.is_staged(value):
            return _choose("and", value, lambda: and_(thunk(), *rest[index + 1 :]), None)  # noqa: B023  # called at once
        if not value:
            return value
        value = thunk()
    return value


def or_(first: Any, *rest: Thunk) -> Any:
    """``a or b or c``: operands after the first are functions, called only if those before were false."""
    value = first
    for index, thunk in enumerate(rest):
        if value.__class__ is not bool and staging.is_staged(value):
            return _choose("or", value, None, lambda: or_(thunk(), *rest[index + 1 :]))  # noqa: B023  # called at once
        if value:
            return value
        value = thunk()
    return value


def _choose(word: str, value: Any, if_true: Thunk | None, if_false: Thunk | None) -> Any:
    value = staging.tensor(value)
    test = value
    if value.dtype.name != "bool" and (value.dtype.is_integer or value.dtype.is_floating):
        test = staging.op("not_equal")(value, staging.zeros(value.dtype, ()))
    test = staging.bool_scalar(test, f"'{word}'")

    def side(thunk: Thunk | None) -> Any:
        result = value if thunk is None else staging.tensor(thunk())
        if result.dtype is not value.dtype:
            raise TypeError(
                f"The operands of '{word}' must have one dtype in a graph, but they are {value.dtype.name} and "
                f"{result.dtype.name}. Write comparisons: x > 0 {word} y > 0."
            )
        return result

    return staging.cond(test, lambda: side(if_true), lambda: side(if_false))


def not_(value: Any) -> Any:
    """``not value``.

    Raises:
      TypeError: it is a tensor of a graph, but not a bool one.
    """
    if value.__class__ is bool or not staging.is_staged(value):
        return not value
    value = staging.tensor(value)
    if value.dtype.name != "bool":
        raise TypeError(f"`not x` needs a bool tensor, but x is {value.dtype.name}. Write x == 0.")
    return staging.op("logical_not")(value)


def assert_stmt(test: Any, message: Thunk | None = None) -> None:
    """``assert test, message``; for tensors of a graph, an assertion that is checked when the graph runs."""
    if test.__class__ is bool or not staging.is_staged(test):
        if not test:
            raise AssertionError(*(() if message is None else (message(),)))
        return
    told = "assertion failed" if message is None else message()
    staging.op("debugging.Assert")(test, [told] if not isinstance(told, (list, tuple)) else list(told))
