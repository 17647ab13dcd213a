"""What is remembered of conversions: plain values, one record per function that was converted or run as it is."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import CodeType
from typing import Final

MAX_RECORDS: Final = 1000
"""How many records are kept; older ones are dropped."""


@dataclass(frozen=True, slots=True)
class ConversionRecord:
    """One function that AutoGraph met.

    Attributes:
      function: its qualified name.
      filename: the file it is in.
      line: its first line, decorators included.
      converted: it was converted; otherwise it runs as plain Python.
      reason: why it was not converted, as an id (``generator``, ``no_source``, ``frozen``, ``do_not_convert``, ...);
        empty if
        it was.
      why: the same as a clause that follows its name: ``contains yield``.
    """

    function: str
    filename: str
    line: int
    converted: bool
    reason: str = ""
    why: str = ""

    def __str__(self) -> str:
        name = f"{self.function.rpartition('.')[2]}()"
        if self.converted:
            return f"{name} is converted."
        return f"{name} {self.why}, so AutoGraph runs it as plain Python."


_records: Final[deque[ConversionRecord]] = deque(maxlen=MAX_RECORDS)
_lock: Final = threading.Lock()
listeners: Final[list[Callable[[ConversionRecord], None]]] = []
"""Called with each new record."""


def note(code: CodeType, *, reason: str = "", why: str = "") -> ConversionRecord:
    """Leaves a record for a function's code."""
    record = ConversionRecord(code.co_qualname, code.co_filename, code.co_firstlineno, not reason, reason, why)
    with _lock:
        _records.append(record)
    for listener in listeners:
        listener(record)
    return record


def conversions() -> tuple[ConversionRecord, ...]:
    """The records of the last conversions of this process, oldest first."""
    with _lock:
        return tuple(_records)


def latest(records: Iterable[ConversionRecord], code: CodeType) -> ConversionRecord | None:
    """The last record of a function's code."""
    found = None
    for record in records:
        if (
            record.filename == code.co_filename
            and record.line == code.co_firstlineno
            and record.function == code.co_qualname
        ):
            found = record
    return found
