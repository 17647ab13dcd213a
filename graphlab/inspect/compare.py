"""Eager against graph: the same calls as plain Python and as a graph, from the same state, with the same seeds."""

from __future__ import annotations

import contextlib
import copy
import io
import random
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from graphlab.core import nest
from graphlab.core.state import Modes
from graphlab.core.tensor import Tensor
from graphlab.inspect import advice, gather
from graphlab.inspect.advice_part import advice_part
from graphlab.inspect.callees import callees
from graphlab.inspect.helped import shown_name
from graphlab.inspect.lint import advice_data
from graphlab.inspect.parts import Cell as Box
from graphlab.inspect.parts import Code, Marked, Part, Plain, Stack, Table, Tagged, Volatile
from graphlab.inspect.retraces import duration_text
from graphlab.inspect.subject import Cell, Subject
from graphlab.inspect.values import Json, value_data
from graphlab.messages import Message, direction, language, message, word
from graphlab.messages import data as message_data
from graphlab.messages.languages import localize_digits
from graphlab.messages.message import plain
from graphlab.ops.random_seed import _Global, set_seed
from graphlab.tracing.function import Function
from graphlab.tracing.outside import values as outside_values

SEED: Final = 1
MAX_OUTPUT: Final = 2_000
"""Characters of a call's output that are shown."""
_PYTHON: Final = list | dict | set


@dataclass(slots=True)
class Called:
    """What one call did."""

    result: Any = None
    error: BaseException | None = None
    printed: str = ""
    seconds: float = 0.0
    variables: dict[str, Any] = field(default_factory=dict)
    objects: dict[str, str] = field(default_factory=dict)


class _State:
    """What the function may change: variables, and Python objects it reads by name."""

    def __init__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.variables: dict[str, Any] = {}
        self.objects: dict[str, Any] = {}
        self.attributes: dict[str, tuple[Any, str]] = {}
        python = function.python_function
        self._known: set[tuple[int, str]] = set()
        ran = [reader() for record in function.traces.log.traces for reader in record.readers]
        for each in callees(python, [helper for helper in ran if helper is not None]):
            self._reads(each, helper=each is not python)
        for index, value in enumerate(nest.flatten((args, kwargs))):
            if _is_variable(value):
                self.variables.setdefault(f"#{index}", value)
        owner = getattr(python, "__self__", None)
        for value in getattr(owner, "variables", ()):
            self.variables.setdefault(value.name.partition(":")[0], value)
        self._variables = {name: value.numpy() for name, value in self.variables.items()}
        self._objects = {name: copy.copy(value) for name, value in self.objects.items()}
        self._attributes = {name: getattr(owner, key) for name, (owner, key) in self.attributes.items()}

    def _reads(self, python: Any, *, helper: bool) -> None:
        """Adds what a function reads by name, unless another that reads it came before."""
        named = dict(outside_values(python))
        for name, value in named.items():
            root, _, attribute = name.rpartition(".")
            owner = named.get(root, getattr(python, "__self__", None) if root == "self" else None)
            plain = "." in name and isinstance(value, int | float | str | bool) and owner is not None
            key = (id(owner), attribute) if plain else (id(value), "")
            if key in self._known:
                continue
            label = f"{type(owner).__name__}.{attribute}" if helper and root == "self" else name
            taken = self.variables if _is_variable(value) else self.attributes if plain else self.objects
            if label in taken:
                label = f"{shown_name(python.__qualname__)}: {label}"
            if _is_variable(value):
                self.variables[label] = value
            elif isinstance(value, _PYTHON):
                self.objects[label] = value
            elif plain:
                self.attributes[label] = (owner, attribute)
            else:
                continue
            self._known.add(key)

    def restore(self) -> None:
        """Puts everything back as it was."""
        for name, value in self.variables.items():
            value.assign(self._variables[name])
        for name, value in self.objects.items():
            before = self._objects[name]
            if isinstance(value, list):
                value[:] = before
            else:
                value.clear()
                value.update(before)
        for name, (owner, key) in self.attributes.items():
            setattr(owner, key, self._attributes[name])

    def note(self, called: Called) -> None:
        """Writes down what everything holds after a call."""
        called.variables = {name: value.numpy() for name, value in self.variables.items()}
        called.objects = {name: _held(value) for name, value in self.objects.items()}
        called.objects |= {name: repr(getattr(owner, key)) for name, (owner, key) in self.attributes.items()}


def _is_variable(value: Any) -> bool:
    return hasattr(type(value), "assign") and hasattr(type(value), "trainable")


def _held(value: Any, around: tuple[int, ...] = ()) -> str:
    """A Python object in a few characters; tensors in it by their types, since those of a trace have no value.

    Args:
        value: The object.
        around: The containers it is in, by their ids: one may hold itself.
    """
    if id(value) in around:
        return "…"
    inside = (*around, id(value))
    if isinstance(value, dict):
        items = list(value.items())[:20]
        return "{" + ", ".join(f"{_written(key)}: {_held(item, inside)}" for key, item in items) + "}"
    if isinstance(value, list | tuple | set):
        return f"{len(value)}: [{', '.join(_held(item, inside) for item in list(value)[:20])}]"
    if isinstance(value, Tensor):
        return type(value).__name__ if not hasattr(value, "numpy") else value_data(value.numpy())["text"]
    return _written(value)


def _written(value: Any) -> str:
    """What an object says of itself, cut; its class when it cannot say it."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - the user's own class: a comparison is no reason for an error
        text = type(value).__name__
    return text if len(text) <= 40 else text[:39] + "…"


@contextlib.contextmanager
def _seeded() -> Iterator[None]:
    """The same seeds for whatever runs inside; afterwards all generators are as they were."""
    python, numpy, seed = random.getstate(), np.random.get_state(), _Global.seed  # noqa: NPY002 - the user's generator
    counter = copy.copy(_Global.counter)
    random.seed(SEED)
    np.random.seed(SEED)  # noqa: NPY002
    set_seed(SEED)
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002
        set_seed(seed)
        _Global.counter = counter


class Comparison:
    """Calls run both ways: prints as text, shows as HTML, plain data under `data`.

    Attributes:
        same: Nothing differs.
        data: `lede`, `rows` (each with the two sides and whether they are equal), `because` and times.
    """

    __slots__ = ("_subject", "data", "same")

    def __init__(self, data: Json, subject: Subject) -> None:
        self.data = data
        self._subject = subject
        self.same: bool = data["same"]

    def __str__(self) -> str:
        lang = self.data["lang"]
        times = [time_text(self.data, lang)] if self.data["volatile"]["said"] else []
        return "\n".join([self._text(), *times])

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Json:  # IPython's names
        from graphlab.inspect.panel import MIME, run_panel

        shown = run_panel(self._subject, "compare", self.data, self.data["lang"])
        return {MIME: shown, "text/html": self._repr_html_(), "text/plain": self._text()}

    def _text(self) -> str:
        """Without times: a notebook keeps it, and it is the same in every run."""
        return compare_part(self.data, self.data["lang"]).text()

    def _repr_html_(self) -> str:
        from graphlab.inspect.static_html import framed

        lang = self.data["lang"]
        return framed(compare_part(self.data, lang).html(), lang, direction(lang))


def compare(function: Any, /, *args: Any, calls: int = 2, **kwargs: Any) -> Comparison:
    """Runs calls eagerly and as a graph, from the same state and with the same seeds, and says what differs.

    The graph side is traced anew, so that what happens while tracing is seen. Variables, and lists, dicts, sets and
    attributes that the function reads by name, are put back between the two and afterwards.

    Args:
        function: A traced function.
        *args: The arguments of each call.
        calls: How many calls are made each way.
        **kwargs: Likewise.

    Raises:
        TypeError: It is no traced function.
        ValueError: `calls` is less than 1.

    >>> import graphlab as tf
    >>> from graphlab import inspect
    >>> seen = []
    >>> @tf.function
    ... def f(x):
    ...     seen.append("called")
    ...     return x * 2
    >>> comparison = inspect.compare(f, tf.constant(3))
    >>> comparison.same, [row["what"] for row in comparison.data["rows"] if not row["equal"]]
    (False, ['python'])
    """
    if calls < 1:
        raise ValueError(f"calls is {calls}; at least one call is needed.")
    gather.subject(function)  # refuses what is no traced function
    state = _State(function, args, kwargs)
    fresh = _fresh(function)
    fastest: list[float] | None = None
    try:
        eager = _ran(lambda: _eagerly(function, args, kwargs), calls, state)
        state.restore()
        graph = _ran(lambda: fresh(*args, **kwargs), calls, state)
        found = gather.subject(fresh)  # before what it read from outside is put back
        if calls > 1 and _acts_on_variables_only(found, eager, graph):
            fastest = [
                min(called.seconds, _fastest(call, called.seconds))
                for called, call in (
                    (eager[-1], lambda: _eagerly(function, args, kwargs)),
                    (graph[-1], lambda: fresh(*args, **kwargs)),
                )
            ]
    finally:
        state.restore()
    return Comparison(_data(found, eager, graph, fastest, language()), found)


@contextlib.contextmanager
def undone(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
    """The same function without traces; what is done with it inside leaves no effect and prints nothing."""
    state = _State(function, args, kwargs)
    try:
        with _seeded(), captured():
            yield _fresh(function)
    finally:
        state.restore()


def _fresh(function: Any) -> Any:
    """The same function without traces."""
    options = {
        name: value
        for name, value in function.options.items()
        if name in ("input_signature", "autograph", "reduce_retracing", "jit_compile")
    }
    made = Function(function.python_function, **options)
    _copies.add(made)
    return made


_copies: Final[weakref.WeakSet[Any]] = weakref.WeakSet()


def is_copy(function: Any) -> bool:
    """Whether a traced function was made for a comparison: nobody called it, so no panel is about it."""
    return function in _copies


def _eagerly(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    before, Modes.functions_eagerly = Modes.functions_eagerly, True
    try:
        return function(*args, **kwargs)
    finally:
        Modes.functions_eagerly = before


def _ran(call: Callable[[], Any], calls: int, state: _State) -> list[Called]:
    found = []
    with _seeded():
        for _ in range(calls):
            called = Called()
            with captured() as printed:
                start = time.perf_counter()
                try:
                    called.result = nest.map_structure(_held_result, call())
                except Exception as error:  # noqa: BLE001, since errors are among what is compared
                    called.error = error
                called.seconds = time.perf_counter() - start
            called.printed = printed.getvalue()
            state.note(called)
            found.append(called)
    return found


_TIMED_CALLS: Final = 20
_TIMED_SECONDS: Final = 0.02


def _acts_on_variables_only(subject: Subject, eager: list[Called], graph: list[Called]) -> bool:
    """Whether more calls leave nothing behind that is not put back: then a few more tell better how long one takes."""
    if any(called.printed or called.error is not None for called in (*eager, *graph)):
        return False
    if any(called.objects != eager[0].objects for called in (*eager, *graph)):
        return False
    return not any(finding.rule.startswith("effect.") for finding in advice.about(subject, differed=True))


def _fastest(call: Callable[[], Any], seconds: float) -> float:
    """How long the fastest of some more calls takes; none is made where one takes long."""
    fastest = seconds
    with _seeded(), captured():
        for _ in range(min(_TIMED_CALLS, int(_TIMED_SECONDS / max(seconds, 1e-6)))):
            start = time.perf_counter()
            call()
            fastest = min(fastest, time.perf_counter() - start)
    return fastest


def _held_result(leaf: Any) -> Any:
    """A result as it is at this moment: a variable's value, since a later call may change it."""
    return leaf.read_value() if _is_variable(leaf) else leaf


@contextlib.contextmanager
def captured() -> Iterator[io.StringIO]:
    """What is printed to either stream goes into one text."""
    printed = io.StringIO()
    out, err = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = printed
    try:
        yield printed
    finally:
        sys.stdout, sys.stderr = out, err


# ---------------------------------------------------------------------------------------------------------------- data

# What explains a difference: families of rules, the likeliest first.
_CAUSES: Final = {
    "output": ("effect.print", "effect.", "control."),
    "python": ("effect.",),
    "result": ("value.unused_write", "frozen.", "effect.", "control.", "loop.", "value."),
    "error": ("control.", "value.", "variable.", "loop.", "effect.", "frozen."),
    "variable": ("effect.", "frozen.", "variable.", "control."),
}


def _data(subject: Subject, eager: list[Called], graph: list[Called], fastest: list[float] | None, lang: str) -> Json:
    rows: list[Json] = []
    for number, (one, other) in enumerate(zip(eager, graph, strict=True), 1):
        rows += _rows(number, one, other)
    different = [row for row in rows if not row["equal"]]
    same = not different
    because = _because(subject, different)
    if same:
        lede = message("compare.same", f=subject.name, calls=message("count.for_calls", n=len(eager)))
    else:
        lede = message("compare.differs", f=subject.name, what=_what(different[0]))
    return {
        "lang": lang,
        "same": same,
        "lede": message_data(lede, lang),
        "rows": [{**row, "label": _label(row, lang)} for row in rows],
        "because": advice_data(because, Cell(None, subject.filename), subject.filename, lang),
        "volatile": {
            "eager": [round(called.seconds * 1e3, 3) for called in eager],
            "graph": [round(called.seconds * 1e3, 3) for called in graph],
            **_times(eager, graph, fastest, lang),
        },
    }


def _times(eager: list[Called], graph: list[Called], fastest: list[float] | None, lang: str) -> Json:
    """A call each way, tracing, and from which call on the graph is ahead: `bars` and what is `said` of them.

    What the calls of the graph take beyond the fastest is tracing, and what follows from it once. With fewer than two
    calls, or where one failed, there is nothing to compare.
    """
    if len(graph) < 2 or any(called.error is not None for called in (*eager, *graph)):
        return {"bars": [], "said": None}
    one, other = fastest or [min(called.seconds for called in side) for side in (eager, graph)]
    once = max(0.0, sum(called.seconds - other for called in graph))
    bars = [
        {"label": word(f"compare.{name}", lang), "ms": round(seconds * 1e3, 4), "text": duration_text(seconds)}
        for name, seconds in (("eager", one), ("running", other), ("tracing", once))
    ]
    values = {"eager": bars[0]["text"], "graph": bars[1]["text"], "tracing": bars[2]["text"]}
    if one > other:
        said = message("compare.ahead", **values, n=int(once / (one - other)) + 1)
    else:
        said = message("compare.behind", **values)
    return {"bars": bars, "said": message_data(said, lang)}


def _rows(number: int, eager: Called, graph: Called) -> list[Json]:
    found = []
    if eager.error is not None or graph.error is not None:
        one, other = (_error(called.error) for called in (eager, graph))
        found.append(_row("error", number, None, one, other, type(eager.error) is type(graph.error)))
    else:
        one, other = _structure(eager.result), _structure(graph.result)
        found.append(_row("result", number, None, one, other, _equal(eager.result, graph.result)))
    if eager.printed or graph.printed:
        one, other = (called.printed.rstrip("\n") for called in (eager, graph))
        found.append(_row("output", number, None, _cut(one), _cut(other), one == other))
    for name in eager.variables:
        first, second = eager.variables[name], graph.variables[name]
        one, other = (value_data(value)["text"] or value_data(value)["spec"] for value in (first, second))
        found.append(_row("variable", number, name, one, other, _arrays_equal(first, second)))
    for name in eager.objects:
        one, other = eager.objects[name], graph.objects[name]
        found.append(_row("python", number, name, one, other, one == other))
    return found


def _cut(text: str) -> str:
    """What is printed, and no more of it than a reader looks at."""
    return text if len(text) <= MAX_OUTPUT else text[: MAX_OUTPUT - 1] + "…"


def _row(what: str, call: int, name: str | None, eager: str, graph: str, equal: bool) -> Json:
    return {"what": what, "call": call, "name": name, "eager": eager, "graph": graph, "equal": equal}


def _error(error: BaseException | None) -> str:
    return "" if error is None else f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200]


def _structure(result: Any) -> str:
    leaves = []
    for leaf in nest.flatten(result):
        if hasattr(leaf, "numpy"):
            value = value_data(leaf.numpy())
            leaves.append(f"{value['spec']} {value['text']}".strip())
        else:
            leaves.append(repr(leaf)[:60])
    return "\n".join(leaves)


def _equal(one: Any, other: Any) -> bool:
    first, second = nest.flatten(one), nest.flatten(other)
    if len(first) != len(second):
        return False
    return all(_leaves_equal(a, b) for a, b in zip(first, second, strict=True))


def _leaves_equal(one: Any, other: Any) -> bool:
    if not hasattr(one, "numpy") and not hasattr(other, "numpy"):
        return bool(one == other) or one is other
    # A Python number that eager execution hands through is a tensor once a graph returns it.
    arrays = [np.asarray(leaf.numpy() if hasattr(leaf, "numpy") else leaf) for leaf in (one, other)]
    if hasattr(one, "numpy") and hasattr(other, "numpy") and arrays[0].dtype != arrays[1].dtype:
        return False
    return _arrays_equal(*arrays)


def _arrays_equal(one: Any, other: Any) -> bool:
    one, other = np.asarray(one), np.asarray(other)
    if one.shape != other.shape:
        return False
    if object in (one.dtype, other.dtype) or one.dtype.kind not in "fc":
        return bool(np.all(one == other))
    # Sums may be taken in another order, so equal means within a few units of the last place.
    return bool(np.allclose(one, other, rtol=16 * np.finfo(one.dtype).eps, atol=0, equal_nan=True))


def _what(row: Json) -> Message:
    if row["name"] is not None:
        return message(f"compare.what.{row['what']}", name=row["name"])
    return message(f"compare.what.{row['what']}", n=row["call"])


def _label(row: Json, lang: str) -> str:
    kind = word("compare." + row["what"], lang)
    return f"{kind} {row['name']}" if row["name"] else kind


def _because(subject: Subject, different: list[Json]) -> list[advice.Finding]:
    """The findings that explain the first difference: one of the likeliest family of rules that has any."""
    if not different:
        return []
    findings = [finding for finding in advice.about(subject, differed=True) if not advice.rule_of(finding.rule).cost]
    for family in _CAUSES[different[0]["what"]]:
        found = [finding for finding in findings if finding.rule.startswith(family)]
        if found:
            return sorted(found, key=lambda finding: not _changes(finding, different[0]))[:1]
    return []


def _changes(finding: advice.Finding, row: Json) -> bool:
    """Whether a finding is about the very object that a row is about: `log`, `self.calls`."""
    where = finding.text.values.get("where")
    if row["name"] is None or not isinstance(where, str):
        return False
    return where.rpartition(".")[2] == str(row["name"]).rpartition(".")[2]


def compare_part(data: Json, lang: str) -> Part:
    """The comparison as HTML and text."""
    head = [word("matrix.call", lang), "", word("compare.eager", lang), word("compare.graph", lang), ""]
    rows = []
    for row in data["rows"]:
        sign = "=" if row["equal"] else "≠"
        said = word("compare.equal" if row["equal"] else "compare.different", lang)
        rows.append(
            [
                Box(Plain(localize_digits(str(row["call"]), lang)), head=True),
                Box(Plain(row["label"])),
                Box(Code(row["eager"])),
                Box(Code(row["graph"])),
                # as code: some faces put ≠ together from two signs, badly
                Box(Stack([Code(sign), Plain(said)], gap=" ", joint=" ")),
            ]
        )
    parts: list[Part] = [Tagged("p", Marked(data["lede"]["text"]), 'class="gl-lede"')]
    if data["because"]:
        parts.append(advice_part(data["because"], lang))
    parts.append(Table(head, rows))
    if data["volatile"]["said"]:
        parts.append(Tagged("p", Volatile(time_text(data, lang), direction(lang) == "rtl")))
    return Stack(parts)


def time_text(data: Json, lang: str) -> str:
    """The times of a comparison in a line."""
    said = plain(data["volatile"]["said"]["text"])
    return f"{word('compare.time', lang)}: {said}"
