"""What happens around a cell: calls are recorded while it runs, and its panel is shown once, at its end."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final

from graphlab.compile.executable import Executable
from graphlab.core.position import is_internal, is_library, resolve
from graphlab.core.state import state
from graphlab.inspect import gather
from graphlab.inspect.compare import is_copy
from graphlab.inspect.outside import Outside
from graphlab.inspect.panel import bundle, panel
from graphlab.inspect.subject import Captured, Cell, OutputLine, Subject, place_names
from graphlab.jupyter.options import Options
from graphlab.messages import Message
from graphlab.ops import printing
from graphlab.tracing import records, tracer
from graphlab.tracing.records import CallRecord

MAX_OUTPUT_LINES: Final = 100


class CellRun:
    """One run of one cell, from its first statement to the panel."""

    def __init__(self, source: str, filename: str, *, marked: bool) -> None:
        self.source, self.filename, self.marked = source, filename, marked
        self.options = Options()
        self.defined: list[Any] = []
        self.notes: list[Message] = []
        self.printed: dict[int, list[OutputLine]] = {}
        self.outside: dict[int, list[Outside]] = {}
        self._last_traces: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._waiting: list[tuple[str, _Origin]] = []
        self._stack = ExitStack()
        self.seen: list[tuple[Any, CallRecord]] = []
        self.failure: Exception | None = None

    # --------------------------------------------------------------------------------------------------------- watching

    def begin(self) -> None:
        """Starts to record."""
        for function in records.living():
            function.traces.log.clear_calls()
            traces = function.traces.log.traces
            self._last_traces[function] = traces[-1].number if traces else 0
        self.seen = self._stack.enter_context(records.watch(self._called))
        self._stack.enter_context(_Listening(self._heard, self.failed))

    def end(self) -> None:
        """Stops recording."""
        self._stack.close()

    def _heard(self, text: str, origin: _Origin) -> None:
        """Python code printed while a function was traced, or an operation did when a graph ran."""
        if len(self._waiting) < MAX_OUTPUT_LINES:
            self._waiting.append((text, origin))

    def _called(self, function: Any, record: CallRecord) -> None:
        try:
            if record.traced:
                self.outside.setdefault(id(function), []).extend(Outside.read(function))
            self._take(function, record.trace)
        except Exception as error:  # noqa: BLE001 - told when the cell has ended
            self.failed(error)

    def failed(self, error: Exception) -> None:
        """Keeps an error of our own until the cell has ended: raised here, it would be one of the user's program."""
        self.failure = self.failure or error

    def _take(self, function: Any, trace: int | None) -> None:
        """Gives a function the lines that its code printed, and the helpers that it called."""
        if not self._waiting:
            return
        lines = self.printed.setdefault(id(function), [])
        length = _length(function)
        waiting = []
        for text, origin in self._waiting:
            if not origin.belongs(function, length):
                waiting.append((text, origin))
            elif len(lines) < MAX_OUTPUT_LINES:
                filename, line = origin.places[0]
                lines.append(OutputLine(text, origin.trace_of(function, trace), line, origin.in_graph, filename))
        self._waiting = waiting

    # -------------------------------------------------------------------------------------------------------- the panel

    def subjects(self) -> list[Subject]:
        """The functions the panel is about: those the cell defined, then those it called, in order."""
        functions: dict[int, Any] = {id(function): function for function in self.defined}
        calls: dict[int, list[CallRecord]] = {}
        for function, record in self.seen:
            if is_copy(function):
                continue
            functions.setdefault(id(function), function)
            calls.setdefault(id(function), []).append(record)
        cell = self.cell
        found = []
        for key, function in functions.items():
            captured = self._captured(key, cell)
            # Calls that only a guard counted told nobody: their lines belong to the trace that was used last.
            self._take(function, calls[key][-1].trace if calls.get(key) else None)
            lines = self.printed.get(key, [])
            found.append(
                gather.subject(
                    function,
                    calls=calls.get(key, ()),
                    watched=True,
                    output={0: lines},
                    captured=captured,
                    after=self._last_traces.get(function, 0),
                )
            )
        return gather.together(found)

    def _captured(self, key: int, cell: Cell) -> list[Captured]:
        latest: dict[str, Outside] = {}
        for item in self.outside.get(key, []):
            latest.setdefault(item.name, item)
        return [item.captured(cell) for item in latest.values()]

    @property
    def cell(self) -> Cell:
        """The cell as the views know it."""
        return Cell(self.source, self.filename)

    def show(self, publish: Callable[..., Any], count: int | None, *, ended: bool = True) -> None:
        """Publishes the panel, unless there is nothing to say; `ended` is False when an error ended the cell.

        Raises:
            Exception: What failed of our own while the cell ran.
        """
        if self.failure is not None:
            raise self.failure
        subjects = self.subjects()
        if not self.marked and not any(subject.new or subject.failed for subject in subjects):
            return
        if not subjects and not self.notes and not (self.marked and ended):
            return
        data = panel(
            subjects, self.cell, self.options.lang, notes=self.notes, views=self.options.views, execution_count=count
        )
        publish(data=bundle(data))


def _length(function: Any) -> int:
    import inspect

    try:
        return len(inspect.getsourcelines(inspect.unwrap(function.python_function))[0])
    except (OSError, TypeError, ReferenceError):
        return 1


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a line was printed: the user's places that led there, innermost first."""

    places: list[tuple[str, int]]
    in_graph: bool
    tracing: Any = None  # the traces of the function that was being traced
    run: Any = None  # what ran: the executable of a graph

    def belongs(self, function: Any, length: int) -> bool:
        """Whether it was printed for a function: while that was traced, else by an operation that it made."""
        if self.tracing is not None:
            return function.traces is self.tracing
        made_at = function.made_at
        return any(
            filename == made_at.filename and made_at.line <= line < made_at.line + length
            for filename, line in self.places
        )

    def trace_of(self, function: Any, trace: int | None) -> int | None:
        """The number of the trace that printed it: the one whose graph ran, else the one that is known."""
        if self.run is None:
            return trace
        for record in function.traces.log.traces:
            graph = record.graph
            if graph is not None and graph.executable is self.run:
                return int(record.number)
        return trace


class _Listening:
    """Hears what traced functions print, while traced and when run; everything goes to the real stream unchanged."""

    def __init__(self, heard: Callable[[str, _Origin], None], failed: Callable[[Exception], None]) -> None:
        self._heard, self._failed = heard, failed

    def __enter__(self) -> None:
        self._before = sys.stdout
        self._proxy = _Stream(sys.stdout, self._heard, self._failed)
        sys.stdout = self._proxy  # it forwards all that a text stream has

    def __exit__(self, *_: object) -> None:
        self._proxy.close_line()
        if sys.stdout is self._proxy:
            sys.stdout = self._before


class _Stream:
    def __init__(self, stream: Any, heard: Callable[[str, _Origin], None], failed: Callable[[Exception], None]) -> None:
        self._stream, self._report, self._failed = stream, heard, failed
        self._line = ""
        self._place: _Origin | None = None

    def write(self, text: str) -> Any:
        if isinstance(text, str):
            try:
                if state.graph is not None:
                    self._note(text, _python_place)
                elif sys._getframe(1).f_code.co_filename == printing.__file__:
                    self._note(text, _graph_place)
            except Exception as error:  # noqa: BLE001 - what is printed goes its way
                self._failed(error)
        return self._stream.write(text)

    def _note(self, text: str, find: Callable[[FrameType | None], _Origin | None]) -> None:
        if self._place is None:
            self._place = find(sys._getframe(2))
            if self._place is None:
                return
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._report(line, self._place)
        if not self._line:
            self._place = None

    def close_line(self) -> None:
        if self._line and self._place is not None:
            self._report(self._line, self._place)
        self._line, self._place = "", None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _python_place(frame: FrameType | None) -> _Origin | None:
    """The line of the user's code that runs while tracing."""
    while frame is not None and frame.f_back is not None and is_library(frame.f_code.co_filename):
        frame = frame.f_back
    frames = tracer.frames()
    if frame is None:
        return None
    return _Origin([(frame.f_code.co_filename, frame.f_lineno)], False, frames[-1].owner if frames else None)


def _graph_place(frame: FrameType | None) -> _Origin | None:
    """The line of the operation that a generated function runs at this moment; None for an eager one."""
    while frame is not None and is_internal(frame.f_code.co_filename):
        made = getattr(frame.f_globals.get("fail"), "__self__", None)
        if isinstance(made, Executable) and 0 < frame.f_lineno <= len(made.lines):
            operation = made.lines[frame.f_lineno - 1]
            places = resolve(operation.position) if operation is not None else []
            found = [(place.filename, place.line) for place in places if not is_library(place.filename)]
            return _Origin(found, True, run=made) if found else None
        frame = frame.f_back
    return None


def name_cell(filename: str, count: int) -> None:
    """Lets places in a cell be shown as `In[3]:5`."""
    place_names[filename] = f"In[{count}]"
