"""Where a run is to stop: at a line, at the first NaN, or where a condition on the user's variables holds."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any, Final

import numpy as np

from graphlab.inspect.interpreter import Event, Run, holds_any
from graphlab.messages import message, render
from graphlab.messages.message import plain

KINDS: Final = {"nan": np.isnan, "inf": np.isinf}
OF_EVENT: Final = ("value", "op", "line", "iteration")
"""What a condition may ask of any operation, besides the user's variables."""
EXAMPLES: Final = ("line 12", "nan", "x > 3")

_LINE: Final = re.compile(r"line\s+(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stop:
    """A place to stop at.

    Attributes:
        text: As it was written.
        line: A line of the function's file.
        kind: What begins: `nan`, `inf` or `error`.
        condition: An expression, compiled.
        names: The names that it reads.
    """

    text: str
    line: int | None = None
    kind: str | None = None
    condition: CodeType | None = None
    names: frozenset[str] = frozenset()


def parse(text: str) -> Stop:
    """Reads a place to stop at.

    Args:
        text: `line 12`; `nan`, `inf` or `error`; or a condition in Python, on the function's variables as arrays and on
            `value` (what the operation gave), `op`, `line` and `iteration`. Of an array any element may fit.

    Raises:
        ValueError: It is none of them.

    >>> parse("line 12").line, parse("NaN").kind, sorted(parse("x > limit").names)
    (12, 'nan', ['limit', 'x'])
    """
    text = text.strip()
    found = _LINE.fullmatch(text)
    if found is not None:
        return Stop(text, line=int(found[1]))
    if text.lower() in (*KINDS, "error"):
        return Stop(text, kind=text.lower())
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        raise ValueError(_said("usage.stop", value=text, examples=list(EXAMPLES))) from None
    names = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    return Stop(text, condition=compile(tree, "<graphlab condition>", "eval"), names=names)


def fits(stop: Stop, run: Run, space: Mapping[str, Any] | None = None) -> Iterator[Event]:
    """The operations of a run at which to stop, in their order.

    A condition is asked where a variable that it reads gets a value, and everywhere when it reads none.

    Args:
        stop: Where to stop.
        run: The run.
        space: What further names mean.

    Raises:
        ValueError: The condition reads a name that is neither a variable of the run nor in `space`.
    """
    space = space or {}
    variables = {name for _, name, _ in run.bound}
    for name in sorted(stop.names - variables - {*OF_EVENT, *space, *dir(builtins)}):
        there = [*sorted(variables), *OF_EVENT]
        raise ValueError(_said("usage.stop_name", name=name, stop=stop.text, names=there))
    here = dict(space)
    watched = stop.names & variables
    bound = iter(run.bound)
    following = next(bound, None)
    for event in run.events:
        changed = not watched
        while following is not None and following[0] <= event.number:
            here[following[1]] = following[2]
            changed |= following[1] in watched
            following = next(bound, None)
        if _fits(stop, event, here, changed, variables):
            yield event


def _fits(stop: Stop, event: Event, here: dict[str, Any], changed: bool, variables: set[str]) -> bool:
    if stop.line is not None:
        return event.line == stop.line
    if stop.kind == "error":
        return event.error is not None
    if stop.kind is not None:
        return any(holds_any(KINDS[stop.kind], array) for array in event.outputs)
    if not changed or stop.condition is None:
        return False
    rounds = [where.iteration for where in event.around if where.iteration is not None]
    about = {
        "value": event.outputs[0] if event.outputs else None,
        "op": event.op,
        "line": event.line,
        "iteration": rounds[-1] if rounds else None,
    }
    space = {**here, **{name: value for name, value in about.items() if name not in variables}}
    try:
        return bool(np.any(eval(stop.condition, space)))  # noqa: S307 - what the user wrote in a cell
    except Exception:  # noqa: BLE001 - a condition that does not apply here: a string, nothing, a variable without a value yet
        return False


def _said(id_: str, **values: Any) -> str:
    return plain(render(message(id_, **values)))
