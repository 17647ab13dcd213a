"""Exploring a function: choose shapes, dtypes and values, and see what a call with them would do.

Choosing asks only; `trace` and `run` are what acts. No widget is needed here: `graphlab/jupyter/explore.py` puts
sliders in front of this.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Final

from graphlab.core import dtypes, nest
from graphlab.core.specs import TensorSpec
from graphlab.inspect import gather
from graphlab.inspect.compare import captured, compare, compare_part, undone
from graphlab.inspect.explain import explain_call
from graphlab.inspect.explore_argument import Argument
from graphlab.inspect.parts import Cell as Box
from graphlab.inspect.parts import Code, Marked, Part, Plain, Stack, Table, Tagged
from graphlab.inspect.retraces import duration_text, reject_message
from graphlab.inspect.static_html import call_part, framed
from graphlab.inspect.step import step
from graphlab.inspect.subject import signature_text, without_address
from graphlab.inspect.unseen import TURNING, UNSEEN, pattern
from graphlab.inspect.values import Json
from graphlab.messages import Message, direction, language, message, render, word
from graphlab.messages import data as message_data
from graphlab.messages.languages import localize_digits
from graphlab.messages.message import plain
from graphlab.tracing.reasons import rejects

MAX_ELEMENTS: Final = 1_000_000
"""Elements that the arguments of one run may have together."""
MAX_TRACES: Final = 40
MAX_STEPS: Final = 400
_WORDS: Final = (
    "explore.kind.tensor", "explore.arguments", "explore.call", "explore.traces", "explore.fits", "explore.trace",
    "explore.run", "explore.mode", "explore.mode.both", "explore.step", "compare.eager", "compare.graph",
    "compare.time", "compare.equal", "compare.different", "step.forward", "step.backward", "matrix.call",
)  # fmt: skip


class Exploration:
    """A function and a call of it that is only thought of: prints as text, shows as HTML, plain data under `data`.

    Attributes:
        function: The traced function.
        arguments: The leaves of its arguments, each of which can be chosen.
    """

    def __init__(self, function: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None) -> None:
        self.function = function
        gather.subject(function)  # refuses what is no traced function
        self._args, self._kwargs = _start(function, tuple(args), dict(kwargs or {}))
        self.arguments = [Argument(path, leaf) for path, leaf in self._leaves()]
        self._said: Message | None = None
        self._run: Json | None = None

    # --------------------------------------------------------------------------------------------------------- choosing

    def choose(self, path: str, **choice: Any) -> None:
        """Changes one argument; nothing is traced.

        Args:
            path: Which one: `"x"`, `"d['a'][0]"`.
            **choice: `kind` (`"tensor"`, `"int"`, `"float"`, `"bool"`, `"str"`, `"None"`), `dtype`, `shape`, `value`.

        Raises:
            KeyError: There is no argument at that path.
            ValueError: The choice is not one of those it has.

        >>> import graphlab as tf
        >>> from graphlab.inspect.explore import Exploration
        >>> double = tf.function(lambda x: x * 2)
        >>> _ = double(tf.constant([1.0, 2.0]))
        >>> exploration = Exploration(double)
        >>> exploration.answer.would_trace
        False
        >>> exploration.choose("x", shape=[3])
        >>> exploration.answer.would_trace, len(tf.inspect.traces(double).data["functions"][0]["traces"])
        (True, 1)
        """
        found = next((argument for argument in self.arguments if argument.path == path), None)
        if found is None:
            raise KeyError(path)
        found.choose(**choice)
        self._said = None

    def call(self, *, values: bool = False) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of the call: tensors as specs or, with `values`, as tensors."""
        leaves = [argument.leaf(value=values) for argument in self.arguments]
        args, kwargs = nest.pack_sequence_as((self._args, self._kwargs), leaves)
        return tuple(args), dict(kwargs)

    @property
    def answer(self) -> Any:
        """What the call would do, as `explain_call` says it.

        Raises:
            TypeError: The arguments do not fit the function.
        """
        args, kwargs = self.call()
        return explain_call(self.function, *args, **kwargs)

    def _leaves(self) -> list[tuple[str, Any]]:
        names = _names(self.function)
        pairs: list[tuple[str, Any]] = []
        for index, value in enumerate(self._args):
            pairs += nest.flatten_with_paths(value, names[index] if index < len(names) else f"*args[{index}]")
        for name in sorted(self._kwargs):  # the order that nest.flatten takes keys in
            pairs += nest.flatten_with_paths(self._kwargs[name], name)
        return pairs

    # ----------------------------------------------------------------------------------------------------------- acting

    def trace(self) -> None:
        """Traces the function for the arguments chosen, unless a trace serves them; an error is told in `data`."""
        args, kwargs = self.call()
        try:
            before, _, _ = self.function.explain(args, kwargs)
            if before is not None:
                self._said = message("explore.traced.already", trace=before)
                return
            with captured():
                self.function.get_concrete_function(*args, **kwargs)
            number, _, _ = self.function.explain(args, kwargs)
        except Exception as error:  # noqa: BLE001 - what the user's code raises is told
            self._said = message("explore.stopped", error=_error(error))
            return
        record = next(record for record in self.function.traces.log.traces if record.number == number)
        self._said = message("explore.traced", trace=number, time=duration_text(record.duration))

    def run(self) -> None:
        """Runs the call eagerly and, traced anew, as a graph, and steps through that graph.

        Variables and Python objects are put back afterwards, and the function gets no trace. What is chosen with
        another shape or dtype than the example has small numbers for values. An error is told in `data`.
        """
        total = sum(argument.elements for argument in self.arguments)
        if total > MAX_ELEMENTS:
            self._said = message("explore.too_many", n=total)
            return
        self._said = None
        try:
            args, kwargs = self.call(values=True)
            _, key, _ = self.function.explain(args, kwargs)
            compared = compare(self.function, *args, **kwargs).data
        except Exception as error:  # noqa: BLE001 - what the user's code raises is told
            self._said = message("explore.stopped", error=_error(error))
            return
        nodes: list[Json] = []
        try:
            with undone(self.function, args, kwargs) as fresh:
                nodes = step(fresh, *args, **kwargs).data["nodes"]
        except Exception:  # noqa: BLE001 - the comparison has told it already, in the row of errors
            nodes = []
        self._run = {"call": signature_text(key), "compared": compared, "nodes": nodes[:MAX_STEPS]}

    # ---------------------------------------------------------------------------------------------------------- showing

    @property
    def data(self) -> Json:
        """All that is shown, as plain data: `arguments`, `answer`, `traces`, `said` and `run`."""
        lang = language()
        subject = gather.name_of(self.function)
        try:
            answer = self.answer.data
            refused = None
        except Exception as error:  # noqa: BLE001 - a choice that does not fit is told
            answer, refused = None, message_data(message("explore.refused", error=_error(error)), lang)
        return {
            "lang": lang,
            "dir": direction(lang),
            "name": subject,
            "title": message_data(message("explore.title", f=subject), lang),
            "about": message_data(message("explore.about"), lang),
            "none": None if self.arguments else message_data(message("explore.no_arguments", f=subject), lang),
            "words": {id_: word(id_, lang) for id_ in _WORDS},
            "unseen": {"code": pattern(UNSEEN), "prose": pattern(TURNING)},
            "arguments": [argument.data(lang) for argument in self.arguments],
            "answer": answer,
            "refused": refused,
            "traces": self._traces(answer, lang),
            "untraced": message_data(message("explore.traces.none"), lang),
            "said": message_data(self._said, lang) if self._said else None,
            "run": self._run_data(lang),
        }

    def _traces(self, answer: Json | None, lang: str) -> list[Json]:
        records = list(self.function.traces.log.traces)
        key = None
        if answer is not None:
            args, kwargs = self.call()
            _, key, _ = self.function.explain(args, kwargs)
        rows = []
        for record in records[-MAX_TRACES:]:
            fits = answer is not None and answer["trace"] == record.number
            causes = rejects(key, record.key) if key is not None and not fits else []
            rows.append(
                {
                    "label": f"T{record.number}",
                    "signature": signature_text(record.key),
                    "fits": fits,
                    "because": message_data(reject_message(causes), lang) if causes else None,
                }
            )
        return rows

    def _run_data(self, lang: str) -> Json | None:
        if self._run is None:
            return None
        compared = self._run["compared"]
        times = {}
        for side in ("eager", "graph"):
            first, again = (f"{ms} ms" for ms in compared["volatile"][side])
            times[side] = render(message("explore.times", first=first, again=again), lang)
        rows = [{**row, "call_text": localize_digits(str(row["call"]), lang)} for row in compared["rows"]]
        total = len(self._run["nodes"])
        nodes = []
        for index, node in enumerate(self._run["nodes"], 1):
            line = plain(render(message("explore.line", line=node["line"]), lang)) if node["line"] else ""
            position = plain(render(message("explore.position", n=index, total=total), lang))
            nodes.append({**node, "position": position, "where": line})
        return {
            "title": message_data(message("explore.ran"), lang),
            "call": self._run["call"],
            "compared": {**compared, "rows": rows},
            "volatile": {"times": times},
            "nodes": nodes,
        }

    def __str__(self) -> str:
        return self._part(self.data).text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        data = self.data
        return framed(self._part(data).html(), data["lang"], data["dir"])

    def _part(self, data: Json) -> Part:
        """Everything without script: what stands in a saved notebook in place of the sliders."""
        lang: str = data["lang"]
        parts: list[Part] = [Tagged("p", Tagged("b", Marked(data["title"]["text"])))]
        if data["none"]:
            parts.append(Tagged("p", Marked(data["none"]["text"])))
        rows = [[Box(Code(argument["path"]), head=True), Box(Code(argument["text"]))] for argument in data["arguments"]]
        if rows:
            parts.append(Table([], rows))
        if data["refused"]:
            parts.append(Tagged("p", Marked(data["refused"]["text"]), 'class="gl-lede"'))
        else:
            parts.append(call_part(data["answer"]))
        traces = [
            [
                Box(Plain(trace["label"]), head=True),
                Box(Code(trace["signature"])),
                Box(
                    Plain(f"✓ {data['words']['explore.fits']}")
                    if trace["fits"]
                    else Marked(trace["because"]["text"] if trace["because"] else "")
                ),
            ]
            for trace in data["traces"]
        ]
        if traces:
            parts += [Tagged("p", Plain(data["words"]["explore.traces"])), Table([], traces)]
        if data["said"]:
            parts.append(Tagged("p", Marked(data["said"]["text"])))
        run = data["run"]
        if run:
            title: list[Part] = [Marked(run["title"]["text"]), Code(run["call"])]
            parts += [Tagged("p", Stack(title, gap=" ", joint=" ")), compare_part(run["compared"], lang)]
        still = message("explore.still", code=f"{data['name']}.explore()")
        parts.append(Tagged("p", Marked(render(still, lang)), 'class="gl-note"'))
        return Stack(parts)


# ----------------------------------------------------------------------------------------------- where exploring begins


def _start(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The call to begin with: the one given, else one of the last trace's kind, else one of the simplest kind."""
    if args or kwargs:
        return args, kwargs
    signature = function.input_signature
    if signature is not None:
        return tuple(signature), {}
    for record in reversed(function.traces.log.traces):
        concrete = record.concrete()
        if concrete is not None:
            found, named = concrete.structured_input_signature
            return tuple(found), dict(named)
    given: list[Any] = []
    named = {}
    for parameter in _visible(function):
        value = TensorSpec([], dtypes.float32) if parameter.default is parameter.empty else parameter.default
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            given.append(value)
        elif parameter.kind is parameter.KEYWORD_ONLY:
            named[parameter.name] = value
    return tuple(given), named


def _visible(function: Any) -> list[inspect.Parameter]:
    signature = getattr(function, "__signature__", None)
    return [] if signature is None else list(signature.parameters.values())


def _names(function: Any) -> list[str]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [parameter.name for parameter in _visible(function) if parameter.kind in kinds]


def _error(error: BaseException) -> str:
    lines = without_address(str(error)).strip().splitlines()
    text = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    return text if len(text) <= 300 else text[:299] + "…"


__all__ = ["MAX_ELEMENTS", "Exploration"]
