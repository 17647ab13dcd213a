"""The warning about a function that is traced again and again."""

from __future__ import annotations

import logging
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Final

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
            warn("warn.function_again", record, n=function.ordinal)
        with self._lock:
            self._calls.append(True)
            count, calls = sum(self._calls), len(self._calls)
            if count < _MANY or self._warned >= 2:
                return
            self._warned += 1
        reason = {"id": record.reason.id, "values": record.reason.values}
        warn("warn.retraced", record, n=count, calls=calls, reason=reason)


def warn(id_: str, record: TraceRecord, **values: Any) -> None:
    """Logs a warning about a Function: a message, put into words when it is read."""
    from graphlab.messages import Message  # seldom needed, so not at each import of graphlab

    place = record.made_at
    _LOGGER.warning("%s", Message(id_, {"f": record.function, "place": place.filename, "l": place.line, **values}))
