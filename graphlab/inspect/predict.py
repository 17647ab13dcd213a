"""Prediction: say how many traces there will be and what prints, then run, and see how near it was."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from graphlab.core.state import state
from graphlab.inspect.parts import Marked
from graphlab.inspect.values import Json
from graphlab.messages import Message, direction, language, message
from graphlab.messages import data as message_data
from graphlab.tracing import records


class Prediction:
    """A guess, and after the `with` block how it compares: prints as text, shows as HTML, plain data under `data`.

    Attributes:
        traces: How many traces were guessed; None: not asked.
        lines: How many lines Python was guessed to print while tracing; None: not asked.
        made: How many traces there were, once the block is over, and `printed` how many lines.
    """

    def __init__(self, traces: int | None = None, lines: int | None = None) -> None:
        self.traces, self.lines = traces, lines
        self.made = self.printed = 0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self.made = self.printed = 0
        seen = self._stack.enter_context(records.watch())
        out = sys.stdout
        counter = _Counter(out, self)
        sys.stdout = counter  # it forwards all that a text stream has

        def finish() -> None:
            if sys.stdout is counter:
                sys.stdout = out
            self.made = sum(record.traced for _, record in seen)

        self._stack.callback(finish)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def right(self) -> bool:
        """Whether everything that was guessed came out so."""
        return self.traces in (None, self.made) and self.lines in (None, self.printed)

    @property
    def data(self) -> Json:
        """The answer as plain data."""
        lang = language()
        return {"lang": lang, "right": self.right, "text": message_data(self._said(), lang)}

    def _said(self) -> Message:
        facts: list[Message] = []
        if self.traces is not None:
            facts.append(message("predict.traces", n=self.made, guess=self.traces))
        if self.lines is not None:
            facts.append(message("predict.lines", n=self.printed, guess=self.lines))
        both = facts[0] if len(facts) == 1 else message("predict.both", first=facts[0], second=facts[1])
        return message("predict.right" if self.right else "predict.wrong", facts=both)

    def __str__(self) -> str:
        return Marked(self.data["text"]["text"]).text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from graphlab.inspect.static_html import framed

        data = self.data
        return framed(
            f'<p class="gl-lede">{Marked(data["text"]["text"]).html()}</p>', data["lang"], direction(data["lang"])
        )


def predict(traces: int | None = None, lines: int | None = None) -> Prediction:
    """A guess about the calls in a `with` block.

    Args:
        traces: How many traces they will make.
        lines: How many lines Python's `print` will write while they trace.

    Raises:
        ValueError: Nothing is guessed, or a number is negative.
        TypeError: A guess is no whole number.

    >>> import graphlab as tf
    >>> from graphlab import inspect
    >>> double = tf.function(lambda x: x * 2)
    >>> with inspect.predict(traces=1) as guess:
    ...     _ = double(tf.constant(1)), double(tf.constant(1.0))
    >>> print(guess)
    Not quite. There were 2 traces; the guess was 1.
    """
    if traces is None and lines is None:
        raise ValueError("Give a number of traces, of lines, or both.")
    for value in (traces, lines):
        if value is not None and not isinstance(value, int):
            raise TypeError(f"A guess is a whole number, not {value!r}.")
    if any(value is not None and value < 0 for value in (traces, lines)):
        raise ValueError("A guess cannot be negative.")
    return Prediction(traces, lines)


class _Counter:
    """Passes everything on to the real stream and counts the lines written while a function is traced."""

    def __init__(self, stream: Any, prediction: Prediction) -> None:
        self._stream, self._prediction = stream, prediction

    def write(self, text: str) -> Any:
        if state.graph is not None and isinstance(text, str):
            self._prediction.printed += text.count("\n")
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
