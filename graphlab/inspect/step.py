"""Stepping: a call run node by node or iteration by iteration, forwards and back, with the values at each node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from graphlab.core.tensor import wrap
from graphlab.inspect import gather, stops
from graphlab.inspect.graph_bodies import counters_of
from graphlab.inspect.graph_builder import Builder
from graphlab.inspect.interpreter import Event, Interpreter, Iteration, Run, Where
from graphlab.inspect.parts import Cell as Box
from graphlab.inspect.parts import Code, Details, Marked, Part, Plain, Stack, Table, Tagged
from graphlab.inspect.subject import Subject
from graphlab.inspect.values import Json, value_data
from graphlab.messages import Message, direction, language, message, render, word
from graphlab.messages import data as message_data
from graphlab.messages.languages import localize_digits
from graphlab.messages.message import plain

MAX_NODES: Final = 400
MAX_ITERATIONS: Final = 200
"""Nodes and iterations that a panel holds; what is beyond is told as a number."""
MAX_TO_STOP: Final = 2000
"""Nodes that it holds when the run is to stop at a later one."""


class Steps:
    """A call that was run step by step: the place in it moves, the run itself is over.

    `next`, `back`, `next_iteration`, `previous_iteration`, `goto` and `run_to` move; printing shows where it stands.

    Attributes:
        run: Everything that ran.
        position: The number of the event it stands at.
        result: The call's result, as the function returns it; None after an error.
    """

    def __init__(self, subject: Subject, run: Run, result: Any, lang: str) -> None:
        self.subject, self.run, self.result, self.lang = subject, run, result, lang
        self.position = 0
        self._stop: tuple[str, list[int]] | None = None

    # ----------------------------------------------------------------------------------------------------------- moving

    @property
    def event(self) -> Event | None:
        """The operation it stands at; None when none ran."""
        events = self.run.events
        return events[self.position] if events else None

    @property
    def values(self) -> tuple[Any, ...]:
        """What that operation gave, as arrays."""
        return self.event.outputs if self.event is not None else ()

    def goto(self, number: int) -> Steps:
        """Goes to an event by number; beyond the ends, to the first or last."""
        self.position = max(0, min(number, len(self.run.events) - 1))
        return self

    def next(self, count: int = 1) -> Steps:
        """Goes on by so many operations."""
        return self.goto(self.position + count)

    def back(self, count: int = 1) -> Steps:
        """Goes back by so many operations."""
        return self.goto(self.position - count)

    def next_iteration(self) -> Steps:
        """Goes to the first operation of the next iteration of any loop; stays at the end when there is none."""
        later = [item.first for item in self.run.iterations if item.first > self.position]
        return self.goto(min(later)) if later else self.goto(len(self.run.events) - 1)

    def previous_iteration(self) -> Steps:
        """Goes to the first operation of this iteration or, standing there, of the one before."""
        earlier = [item.first for item in self.run.iterations if item.first < self.position]
        return self.goto(max(earlier)) if earlier else self.goto(0)

    def run_to(
        self,
        stop: str | None = None,
        *,
        line: int | None = None,
        when: Callable[[Event], bool] | None = None,
        names: Mapping[str, Any] | None = None,
    ) -> Steps:
        """Goes on to a breakpoint: the next operation for which all that is given holds.

        Args:
            stop: `"line 12"`, `"nan"`, `"inf"`, `"error"`, or a condition on the function's variables, `"x > 3"`.
            line: A line of the function's file.
            when: Called with each event, `lambda event: event.outputs[0] > 3`; what it raises counts as no.
            names: What further names of a condition in `stop` mean.

        Raises:
            ValueError: Nothing is given, `stop` cannot be read or reads unknown names, or nothing further on fits.

        >>> import graphlab as tf
        >>> from graphlab import inspect
        >>> @tf.function
        ... def f(x):
        ...     y = x * 2.0
        ...     return tf.math.log(y - 4.0)
        >>> steps = inspect.step(f, tf.constant(1.0))
        >>> steps.run_to("nan").event.op, steps.goto(0).run_to("op == 'Sub'").position
        ('Log', 1)
        """
        if line is None and when is None and stop is None:
            raise ValueError("Give a line, a condition, or both.")
        events = self.run.events if stop is None else stops.fits(stops.parse(stop), self.run, names)
        for event in events:
            if event.number <= self.position:
                continue
            if (line is None or event.line == line) and (when is None or _holds(when, event)):
                return self.goto(event.number)
        raise ValueError(f"Nothing after step {self.position} fits.")

    def stop_at(self, stop: str, names: Mapping[str, Any] | None = None) -> Steps:
        """Goes to the first operation of the run at which a breakpoint holds; the view begins there and says so.

        Args:
            stop: As `run_to` takes it. When it holds nowhere, the view says that, and the place does not move.
            names: What further names of a condition mean.

        Raises:
            ValueError: It cannot be read, or reads a name that is neither in the run nor in `names`.
        """
        found = [event.number for event in stops.fits(stops.parse(stop), self.run, names)]
        self._stop = stop.strip(), found
        return self.goto(found[0]) if found else self

    # ---------------------------------------------------------------------------------------------------------- showing

    @property
    def data(self) -> Json:
        """The run as plain data: `lede`, `troubles`, `nodes`, `loops` and `lines`."""
        return step_data(self.subject, self.run, self.lang, self._stop)

    def __str__(self) -> str:
        lines = [_part(self.data, self.lang, table=False).text()]
        event = self.event
        if event is not None:
            total = len(self.run.events)
            where = message("step.where", n=event.number + 1, total=total)
            lines += [plain(render(where, self.lang)), *_event_text(event, self.lang)]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Json:  # IPython's names
        from graphlab.inspect.panel import MIME, run_panel

        shown = run_panel(self.subject, "step", self.data, self.lang)
        return {MIME: shown, "text/html": self._repr_html_(), "text/plain": str(self)}

    def _repr_html_(self) -> str:
        from graphlab.inspect.static_html import framed

        return framed(_part(self.data, self.lang, table=True).html(), self.lang, direction(self.lang))


def _holds(when: Callable[[Event], Any], event: Event) -> bool:
    try:
        return bool(np.all(when(event)))
    except Exception:  # noqa: BLE001 - a condition that does not apply to this operation, as `event.outputs[0]` of one without results
        return False


def _event_text(event: Event, lang: str) -> list[str]:
    around = " · ".join(plain(render(where_text(item), lang)) for item in event.around)
    line = plain(render(message("graph.text.line", line=event.line), lang)) if event.line else ""
    lines = ["  " + " · ".join(part for part in (event.op, line, around) if part)]
    for sign, arrays in (("→", event.inputs), ("=", event.outputs)):
        for array in arrays:
            value = value_data(array)
            lines.append(f"    {sign} {value['spec']} {value['text']}".rstrip())
    if event.error:
        lines.append(f"    × {event.error}")
    return lines


def where_text(where: Where) -> Message:
    """`loop_6, iteration 2`, or a branch's name."""
    if where.iteration is None:
        return message("step.branch", name=where.name)
    return message("step.iteration", name=where.name, n=where.iteration)


def step(function: Any, /, *args: Any, **kwargs: Any) -> Steps:
    """Runs a call operation by operation and keeps what each gave.

    Effects happen as in any call. A call that needs a trace makes it.

    Args:
        function: A traced function.
        *args: The call's arguments.
        **kwargs: Likewise.

    Returns:
        The run, standing at its first operation. An error of an operation ends the run and is among its troubles.

    Raises:
        TypeError: It is no traced function, or the arguments do not fit it.

    >>> import graphlab as tf
    >>> from graphlab import inspect
    >>> @tf.function
    ... def f(x):
    ...     return x * 2.0 + 1.0
    >>> steps = inspect.step(f, tf.constant(3.0))
    >>> [(event.op, float(event.outputs[0])) for event in steps.run.events]
    [('Mul', 6.0), ('AddV2', 7.0)]
    """
    concrete = function.get_concrete_function(*args, **kwargs)
    subject = gather.subject(function)
    interpreter = Interpreter(
        subject.filename,
        lambda op, line: loop_names(op, line, subject.filename),
        Builder(subject.filename).variable,
    )
    run = interpreter.start(concrete.graph, arrays_of(concrete, args, kwargs))
    result = None if run.results is None else concrete._pack([wrap(array) for array in run.results])
    return Steps(subject, run, result, language())


def arrays_of(concrete: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
    """The arrays for the parameters of a concrete function's graph: those of a call, then the captured ones."""
    tensors = concrete.key.to_tensors(concrete._bind(list(args), dict(kwargs)))
    return [tensor._a for tensor in (*tensors, *concrete.captured_inputs)]


def loop_names(op: Any, line: int | None, filename: str | None) -> tuple[tuple[str, bool], ...]:
    """The names of a loop's values as the user writes them, and whether one is what an iteration begins with."""
    body = op.attrs["body"]
    builder = Builder(filename)
    source = builder.source
    target = source.target(line) if source is not None and line else None
    counted = counters_of(builder, op, body) if target else frozenset()
    names = []
    for index, (parameter, output) in enumerate(zip(body.parameters, body.outputs, strict=True)):
        start = op.inputs[index] if index < len(op.inputs) else parameter
        if output is parameter or parameter.dtype.name in ("resource", "variant"):
            name = ""  # the same in every iteration, or nothing to look at
        elif index in counted:
            name = "" if target == "_" else target or ""
        else:
            flag = source.leaving(line) if parameter.dtype.name == "bool" and source is not None and line else None
            given = next((_last(op) for op in (start.op, parameter.op) if _is_given(op)), None)
            name = builder.variable(output) or builder.variable(start) or given or flag or _last(parameter.op)
        names.append((name, index in counted))
    return tuple(names)


def _is_given(op: Any) -> bool:
    """Whether a value is named by the user: an argument of the function."""
    return op.type == "Placeholder" and _last(op).partition("_")[0] not in ("Placeholder", "Const")


def _last(op: Any) -> str:
    name: str = op.name
    return name.rpartition("/")[2]


def step_data(subject: Subject, run: Run, lang: str, stop: tuple[str, list[int]] | None = None) -> Json:
    """A run as the panel holds it, with the text of a breakpoint and the operations that it fits."""
    most = MAX_NODES
    if stop is not None and stop[1]:
        most = max(most, min(stop[1][0] + 40, MAX_TO_STOP))
    hidden = run.count - min(len(run.events), most)
    made: Json = {
        "lede": message_data(_lede(subject, run), lang),
        "troubles": [_trouble(trouble.kind, trouble.event, lang) for trouble in run.troubles],
        "nodes": [_node(event, lang) for event in run.events[:most]],
        "loops": _loops(run, lang),
        "lines": [[line, count] for line, count in sorted(run.lines.items())],
        "cut": message_data(message("step.cut", n=hidden), lang) if hidden > 0 else None,
    }
    if stop is not None:
        made["stop"] = _stopped(*stop, run, most, lang)
    return made


def _stopped(text: str, found: list[int], run: Run, most: int, lang: str) -> Json:
    """What a breakpoint found: a sentence, and the held operations that fit."""
    if found:
        sentence = message("step.stopped", n=found[0] + 1, total=run.count, stop=text)
    else:
        sentence = message("step.stopped.never", stop=text)
    return {"asked": text, "text": message_data(sentence, lang), "fits": [number for number in found if number < most]}


def _lede(subject: Subject, run: Run) -> Message:
    loops = len({item.loop for item in run.iterations})
    if loops:
        return message(
            "step.lede.loop",
            f=subject.name,
            n=run.count,
            iterations=message("count.iterations", n=len(run.iterations)),
        )
    return message("step.lede", f=subject.name, n=run.count)


def _trouble(kind: str, event: Event, lang: str) -> Json:
    values: dict[str, Any] = {"op": event.op}
    if kind == "error":
        values["error"] = event.error
    id_ = f"step.{kind}"
    if event.line is None:
        id_ += ".nowhere"
    else:
        values["line"] = event.line
    takes = [value_data(array) for array in event.inputs]
    return {
        "kind": kind,
        "text": message_data(message(id_, **values), lang),
        "line": event.line,
        "node": event.number,
        "around": [message_data(where_text(item), lang) for item in event.around],
        "takes": takes,
    }


def _node(event: Event, lang: str) -> Json:
    return {
        "n": event.number,
        "op": event.op,
        "name": event.name,
        "line": event.line,
        "around": [message_data(where_text(item), lang) for item in event.around],
        "values": [value_data(array) for array in event.outputs],
        "error": event.error,
    }


def _loops(run: Run, lang: str) -> list[Json]:
    found: dict[str, list[Iteration]] = {}
    for item in run.iterations:
        found.setdefault(item.loop, []).append(item)
    return [
        {
            "name": name,
            "line": items[0].line,
            "label": message_data(message("step.loop", name=name, n=len(items)), lang),
            "names": list(items[0].names),
            "iterations": [
                {
                    "n": item.number,
                    "label": message_data(message("step.of", n=index, total=len(items)), lang),
                    "values": [value_data(value) for value in item.values],
                    "branches": [where.name for where in item.branches],
                    "first": item.first,
                }
                for index, item in enumerate(items[:MAX_ITERATIONS], 1)
            ],
        }
        for name, items in found.items()
    ]


# --------------------------------------------------------------------------------------------------------------- parts


def _part(data: Json, lang: str, *, table: bool) -> Part:
    parts: list[Part] = [Tagged("p", Marked(data["lede"]["text"]), 'class="gl-lede"')]
    if "stop" in data:
        parts.append(Tagged("p", Marked(data["stop"]["text"]["text"])))
    for trouble in data["troubles"]:
        around = " · ".join(plain(item["text"]) for item in trouble["around"])
        sentence: list[Part] = [Marked(trouble["text"]["text"])]
        if around:
            sentence.append(Plain(f"({around})"))
        parts.append(Tagged("p", Stack(sentence, gap=" ", joint=" ")))
    for loop in data["loops"]:
        head = [word("step.head.iteration", lang), *loop["names"], word("step.head.branches", lang)]
        rows = [
            [
                Box(Plain(localize_digits(str(item["n"]), lang)), head=True),
                *(Box(Code(value["text"] or value["spec"])) for value in item["values"]),
                Box(Code(", ".join(item["branches"])) if item["branches"] else Plain("")),
            ]
            for item in loop["iterations"]
        ]
        parts.append(Tagged("p", Marked(loop["label"]["text"])))
        parts.append(Table(head, rows))
    if table and data["nodes"]:
        head = [word("step.head.node", lang), word("static.line", lang), word("step.head.value", lang), ""]
        at = next(iter(data["stop"]["fits"]), None) if "stop" in data else None
        rows = [_node_row(node, lang, here=node["n"] == at) for node in data["nodes"]]
        parts.append(Details(word("step.nodes", lang), Table(head, rows), open=len(rows) <= 20))
    if data["cut"]:
        parts.append(Tagged("p", Marked(data["cut"]["text"]), 'class="gl-note"'))
    return Stack(parts)


def _node_row(node: Json, lang: str, *, here: bool = False) -> list[Box]:
    shown: list[Part] = []
    for value in node["values"]:
        shown.append(Code(f"{value['spec']} {value['text']}".strip()))
        if value["stats"] and value["stats"]["min"] is not None and "…" in value["text"]:
            stats = value["stats"]
            shown.append(Plain(f"{stats['min']} … {stats['max']}"))
    if node["error"]:
        shown.append(Plain(f"× {node['error']}"))
    around = " · ".join(plain(item["text"]) for item in node["around"])
    line = localize_digits(str(node["line"]), lang) if node["line"] else ""
    return [
        Box(Stack([Plain("⇥"), Code(node["op"])], gap=" ", joint=" ") if here else Code(node["op"]), head=True),
        Box(Plain(line)),
        Box(Stack(shown, gap="<br>", joint=" ")),
        Box(Plain(around)),
    ]
