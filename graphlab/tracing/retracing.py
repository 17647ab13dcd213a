"""The warning about a function that is traced again and again."""

from __future__ import annotations

import logging
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from graphlab.tracing.reasons import Reason

if TYPE_CHECKING:
    from graphlab.tracing.records import TraceRecord

_LOGGER: Final = logging.getLogger("graphlab")
_WINDOW: Final = 10
_MANY: Final = 5


class Frequency:
    """How many of the last calls of a Function made a trace; warns from five of the last ten on.

    Hits that the fast path takes are not told: it takes over only after ten hits in a row, and then a trace sees none
    but hits before it, as it should.
    """

    __slots__ = ("_calls", "_lock", "_warned")

    def __init__(self) -> None:
        self._calls: deque[bool] = deque(maxlen=_WINDOW)
        self._lock = threading.Lock()
        self._warned = 0

    def hit(self) -> None:
        """A call was served by an earlier trace."""
        self._calls.append(False)

    def traced(self, function: Any, record: TraceRecord) -> None:
        """A call made a trace."""
        if function.ordinal == _MANY and record.number == 1:
            _LOGGER.warning(
                "This is the %dth tf.function made from %r at %s:%d, and each is traced anew. Make it once, outside of "
                "the loop or function that makes it now.",
                function.ordinal,
                record.function,
                record.made_at.filename,
                record.made_at.line,
            )
        with self._lock:
            self._calls.append(True)
            count, calls = sum(self._calls), len(self._calls)
            if count < _MANY or self._warned >= 2:
                return
            self._warned += 1
        _LOGGER.warning(
            "%d of the last %d calls of the tf.function %r (%s:%d) made a new trace. Tracing is slow. "
            "The last one: %s. %s",
            count,
            calls,
            record.function,
            record.made_at.filename,
            record.made_at.line,
            cause(record.reason),
            _ADVICE.get(record.reason.id.split(".")[1], _ADVICE["other"]),
        )


_ADVICE: Final = {
    "python_number": "Pass a tensor, tf.constant(...), in place of the Python number.",
    "tensor": "Give an input_signature with None for what changes, or reduce_retracing=True.",
    "object": "Keep the object and pass it again, or pass tensors.",
    "other": "Pass arguments of the same types on each call.",
}


def cause(reason: Reason) -> str:
    """A reason in a few plain words, for the log."""
    values = reason.values
    if "was" in values:
        return f"argument {values['path']!r} was {values['was']} and is {values['now']} ({reason.id})"
    if "path" in values:
        return f"argument {values['path']!r} ({reason.id})"
    return reason.id
