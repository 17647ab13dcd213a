"""Python functions that call themselves until Python gives up: what that means while tracing."""

from __future__ import annotations

from collections import Counter
from types import CodeType

from graphlab.core.position import is_library

_LEVELS = 20
"""How often a function stands in a traceback before it is taken for the one that calls itself."""


def explained(error: BaseException) -> RecursionError | None:
    """The error to raise in place of Python's own for too deep a recursion; None for any other error.

    Args:
        error: what stopped a trace, with its traceback.
    """
    if not isinstance(error, RecursionError) or "maximum recursion depth" not in str(error):
        return None
    levels: Counter[CodeType] = Counter()
    place = error.__traceback__
    outside = place.tb_frame.f_back if place is not None else None
    while place is not None:
        code = place.tb_frame.f_code
        if not is_library(code.co_filename):
            levels[code] += 1
        place = place.tb_next
    found = [code for code, count in levels.items() if count >= _LEVELS]
    if not found:
        return None
    code = found[0]
    while outside is not None:  # each level may be a trace of its own: this error stops the innermost one first
        levels[outside.f_code] += 1
        outside = outside.f_back
    return RecursionError(
        f"{code.co_name!r} (line {code.co_firstlineno}) calls itself {levels[code]} levels deep while it is traced. "
        "A condition that is a tensor does not end that: both of its branches are traced. "
        "Use tf.while_loop or a Python `while`, or let a Python number decide."
    )
