"""What is known of the user's other functions that ran while a function was traced: their names, what they read."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import CellType, CodeType, FunctionType
from typing import Any

from graphlab.core.position import is_library
from graphlab.inspect import outside
from graphlab.inspect.subject import Helped
from graphlab.tracing.outside import kinds, snapshot
from graphlab.tracing.readers import MAX_HELPERS, Helper, Reader
from graphlab.tracing.records import TraceRecord


def gathered(
    python: Any, traces: Sequence[TraceRecord], failures: Sequence[TraceRecord], new: Collection[int], graph: Any
) -> list[Helped]:
    """The functions that ran in traces, each once.

    Args:
        python: The traced function.
        traces: The records of its traces.
        failures: Those of the traces that errors stopped: of them only the names are taken.
        new: The numbers of the traces that it is about; empty: all of them.
        graph: A graph of its own, whose operations tell of functions that no record has.
    """
    wanted = [record for record in traces if record.number in new] or traces
    read: dict[tuple[str, int], list[tuple[Helper, Reader]]] = {}
    for record in (*wanted, *failures):
        for helper, reader in zip(record.helpers, record.readers, strict=False):
            read.setdefault((helper.filename, helper.line), []).append((helper, reader))
    good = {id(helper) for record in wanted for helper in record.helpers}
    found = [_helped(items, good) for items in read.values()]
    return [*found, *_unseen(python, graph, set(read))]


def _helped(items: Sequence[tuple[Helper, Reader]], good: Collection[int]) -> Helped:
    last = items[-1][0]
    functions = [function for _, reader in items if (function := reader()) is not None]
    now = snapshot(functions[-1]) if functions else ()
    captured = outside.then_and_now(
        [helper.outside for helper, _ in items if id(helper) in good], now, shown_name(last.name), last.filename
    )
    kept = all(helper.kept for helper, _ in items)
    return Helped(last.filename, last.line, last.name, dict(last.kinds), captured, kept)


def shown_name(name: str) -> str:
    """A qualified name as it is shown: `Net.step`, `logged.wrapper`.

    >>> shown_name("main.<locals>.Net.step"), shown_name("logged.<locals>.wrapper")
    ('Net.step', 'logged.wrapper')
    """
    parts = name.split(".")
    shown = [part for part in parts if part != "<locals>"]
    return ".".join(shown[-2:])


# ------------------------------------------------------------------------- functions that AutoGraph left as they are


def _unseen(python: Any, graph: Any, known: Collection[tuple[str, int]]) -> Iterator[Helped]:
    """Functions that made operations without being converted: their modules say what their names are."""
    own = getattr(getattr(python, "__func__", python), "__code__", None)
    codes: dict[int, CodeType] = {}
    for op in graph.ops if graph is not None else ():
        for code in op.position[::2]:
            codes.setdefault(id(code), code)
    spaces: dict[str, Mapping[str, Any] | None] = {}
    count = 0
    for code in codes.values():
        name = code.co_filename, code.co_firstlineno
        if code is own or name in known or is_library(code.co_filename) or "<module>" in code.co_name:
            continue
        if own is not None and name == (own.co_filename, own.co_firstlineno):
            continue
        if code.co_filename not in spaces:
            spaces[code.co_filename] = _namespace(python, code)
        space = spaces[code.co_filename]
        if space is None or count >= MAX_HELPERS:
            continue
        count += 1
        # A function of this code, with nothing in its closure: what it can read is what the module holds.
        function = FunctionType(code, dict(space), closure=tuple(CellType() for _ in code.co_freevars))
        yield Helped(code.co_filename, code.co_firstlineno, code.co_qualname, kinds(function), (), kept=False)


def _namespace(python: Any, code: CodeType) -> Mapping[str, Any] | None:
    """The module that a function's code was written in; None if it cannot be told."""
    own = getattr(getattr(python, "__func__", python), "__globals__", None)
    first = code.co_qualname.partition(".")[0]
    for space in (own, *_modules(code.co_filename)):
        if space is not None and first in space and _is_from(space[first], code.co_filename):
            return space
    return None


def _modules(filename: str) -> Iterable[Mapping[str, Any]]:
    return (vars(module) for module in list(sys.modules.values()) if getattr(module, "__file__", None) == filename)


def _is_from(value: Any, filename: str) -> bool:
    """Whether a function, or the first method of a class, stands in a file."""
    parts = [value, *(vars(value).values() if isinstance(value, type) else ())]
    codes = (getattr(getattr(part, "__wrapped__", part), "__code__", None) for part in parts)
    return any(code is not None and code.co_filename == filename for code in codes)
