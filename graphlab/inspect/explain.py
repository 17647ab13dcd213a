"""The questions one asks about a traced function, without a notebook: why it traced, what a call would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphlab.compile import executable
from graphlab.core.state import Modes
from graphlab.inspect import gather, static_html
from graphlab.inspect.advice_place import TO_TENSOR, Fix, as_constant, each_once, fix_for
from graphlab.inspect.graph_fold import PARTS
from graphlab.inspect.memory import sentences
from graphlab.inspect.panel import MIME, panel
from graphlab.inspect.parts import Marked
from graphlab.inspect.retrace_causes import causes_data, reason_message, told
from graphlab.inspect.retraces import reject_message
from graphlab.inspect.subject import Cell, Subject, signature_text
from graphlab.messages import data as message_data
from graphlab.messages import language, message
from graphlab.tracing.reasons import Reason, rejects
from graphlab.tracing.records import NOWHERE, TraceRecord, watching


class Report:
    """An answer: text with `print`, HTML in a notebook, plain data under `data`.

    Attributes:
        data: The panel's data, as `panel.schema.json` describes it.
    """

    __slots__ = ("_views", "data")

    def __init__(self, data: dict[str, Any], views: Sequence[str]) -> None:
        self.data = data
        self._views = tuple(views)

    def __str__(self) -> str:
        return static_html.text(self.data, views=self._views)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return static_html.html(self.data, views=self._views)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:  # IPython's names
        return {MIME: self.data, "text/html": self._repr_html_(), "text/plain": str(self)}


def _report(
    function: Any, views: Sequence[str], lang: str | None, trace: int | None = None, part: str = "traced"
) -> Report:
    found = gather.subject(function)
    calls = list(function.log.calls) if watching() else []
    if calls and {call.trace for call in calls} >= {record.number for record in found.traces}:
        # Every trace is one of the calls that were recorded: the calls can be told too.
        found = gather.subject(function, calls=calls, watched=True)
    if trace is not None:
        record = found.trace(trace)
        if record is None:
            raise ValueError(f"{found.name} has no trace {trace}; it has {len(found.traces)}.")
        concrete = record.concrete()
        found.graph, found.graph_trace = (None if concrete is None else concrete.graph), trace
    # Lines are those of the file the function stands in.
    data = panel([found], Cell(None, found.filename), lang, views=views, part=part)
    return Report(data, views)


def traces(function: Any, lang: str | None = None) -> Report:
    """The traces of a function: signature, reason, and the line to write instead.

    Args:
        function: What `tf.function` returned.
        lang: The language; the current one when None.

    Raises:
        TypeError: It is no traced function.

    >>> import graphlab as tf
    >>> from graphlab import inspect
    >>> double = tf.function(lambda x: x * 2)
    >>> _ = double(tf.constant(1)), double(tf.constant([1]))
    >>> [trace["signature"] for trace in inspect.traces(double).data["functions"][0]["traces"]]
    ['int32[]', 'int32[1]']
    """
    return _report(function, ("retraces",), lang)


def explain(function: Any, lang: str | None = None) -> Report:
    """Why a function was traced as often as it was, the one signature that would serve, and the memory a call takes.

    Raises:
        TypeError: It is no traced function.
    """
    report = _report(function, ("retraces", "signatures"), lang)
    graph = gather.subject(function).graph
    if graph is not None:
        said = sentences(executable(graph).memory())
        report.data["notes"] += [message_data(note, report.data["lang"]) for note in said]
    return report


def signatures(function: Any, lang: str | None = None) -> Report:
    """The signatures a function was traced for.

    Raises:
        TypeError: It is no traced function.
    """
    return _report(function, ("signatures",), lang)


def code(function: Any, lang: str | None = None) -> Report:
    """The function's source beside the code AutoGraph made of it, and which lines run while tracing only.

    Raises:
        TypeError: It is no traced function.
    """
    return _report(function, ("code",), lang)


def graph(function: Any, trace: int | None = None, lang: str | None = None, *, part: str = "traced") -> Report:
    """The graph of a function's last trace, or of the trace with a number, and what the optimiser did to it.

    Args:
        function: What `tf.function` returned.
        trace: The number of the trace.
        lang: The language; the current one when None.
        part: The graph that is shown first and as text: `traced` as it was traced, `runs` as the optimiser left it,
            `gradient` the gradient of its results, built if nobody has asked for it yet.

    Raises:
        TypeError: It is no traced function.
        ValueError: There is no trace of that number, no such part, or no gradient.

    >>> import graphlab as tf
    >>> from graphlab import inspect
    >>> @tf.function
    ... def f(x):
    ...     return x * 1.0 + tf.constant(2.0) * 3.0
    >>> _ = f(tf.constant(1.0))
    >>> graph = inspect.graph(f).data["functions"][0]["graph"]
    >>> graph["ops"], graph["runs"], [change["pass"] for change in graph["changes"]]
    (6, 2, ['constant folding', 'simplification'])
    """
    if part not in PARTS:
        raise ValueError(f"There is no part {part!r} of a graph; there are {', '.join(PARTS)}.")
    made = _report(function, ("graph",), lang, trace, part)
    shown = made.data["functions"][0]["graph"]
    if shown is not None and part == "gradient" and part not in shown["parts"]:
        raise ValueError(f"{made.data['functions'][0]['name']} has no gradient: no result is a differentiable number.")
    return made


class CallReport:
    """What a call would do: text with `print`, HTML in a notebook, plain data under `data`.

    Attributes:
        would_trace: True if the call would make a trace.
        trace: The number of the trace it would reuse, else None.
        data: The same as plain data.
    """

    __slots__ = ("data", "trace", "would_trace")

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.would_trace: bool = data["would_trace"]
        self.trace: int | None = data["trace"]

    def __str__(self) -> str:
        lines = [Marked(self.data["lede"]["text"]).text(), *static_html.cause_text(self.data, "  ")]
        for cause in self.data["also"]:
            lines += [f"  {Marked(cause['reason']['text']).text()}", *static_html.cause_text(cause, "  ")]
        if self.data["more"]:
            lines.append(f"  {Marked(self.data['more']['text']).text()}")
        lines += [f"  T{item['trace']}: {Marked(item['text']['text']).text()}" for item in self.data["rejects"]]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return static_html.call_html(self.data)


def explain_call(function: Any, /, *args: Any, **kwargs: Any) -> CallReport:
    """Whether a call with these arguments would make a trace, and why, without making the call.

    Args:
        function: What `tf.function` returned.
        *args: The call's arguments, values or specs.
        **kwargs: Likewise.

    Raises:
        TypeError: It is no traced function, or the arguments do not fit its signature.

    >>> import graphlab as tf
    >>> from graphlab import inspect
    >>> double = tf.function(lambda x: x * 2)
    >>> _ = double(tf.constant(1))
    >>> inspect.explain_call(double, tf.constant(5)).would_trace
    False
    >>> print(inspect.explain_call(double, tf.constant(5.0)))
    This call would make a trace. x has another dtype: int32 became float32.
      x.dtype: int32 → float32
      Nothing to change if both types are needed: each has its own trace.
    """
    lang = language()
    found = gather.subject(function)
    number, key, reasons = function.explain(args, kwargs)
    data: dict[str, Any] = {
        "name": found.name, "lang": lang, "would_trace": number is None, "trace": number,
        "signature": signature_text(key), "reasons": [message_data(reason_message(reason), lang) for reason in reasons],
        "path": None, "before": None, "after": None,
        "fix": None, "keep": None, "also": [], "more": None, "rejects": [],
    }  # fmt: skip
    if Modes.functions_eagerly:
        data |= {"would_trace": False, "trace": None, "reasons": []}
        data["lede"] = message_data(message("explain.eager"), lang)
        return CallReport(data)
    if number is not None:
        data["lede"] = message_data(message("explain.hit", trace=number), lang)
        return CallReport(data)
    data["lede"] = message_data(message("explain.trace", reason=reason_message(reasons[0])), lang)
    earlier = _closest(found, key)
    record = TraceRecord(
        found.name, len(found.traces) + 1, key, earlier.number if earlier else None, reasons, NOWHERE, function.made_at
    )
    fixes = each_once(_fix(found, record, reason) for reason in told(reasons))
    (first, *data["also"]), data["more"] = causes_data(record, earlier, fixes, lang)
    data |= {name: first[name] for name in ("path", "before", "after", "fix", "keep")}
    if len(found.traces) > 1:
        for other in found.traces:
            causes = rejects(key, other.key)
            if causes:
                data["rejects"].append({"trace": other.number, "text": message_data(reject_message(causes), lang)})
    return CallReport(data)


def _closest(found: Subject, key: Any) -> TraceRecord | None:
    from graphlab.tracing.reasons import closest

    index = closest(key, [record.key for record in found.traces])
    return None if index is None else found.traces[index]


def _fix(found: Subject, record: TraceRecord, reason: Reason) -> Fix | None:
    """The decorator to write, or the arguments: the call's own source is not known before the call."""
    if reason.id not in TO_TENSOR:
        return fix_for(found, Cell(None, found.filename), record, reason)
    earlier = found.trace(record.closest)
    now = {leaf.path: leaf for leaf in record.key if leaf.kind == "literal"}
    before = {leaf.path: leaf for leaf in earlier.key} if earlier else {}
    paths = dict.fromkeys(r.values["path"] for r in record.reasons if r.id in TO_TENSOR and r.values["path"] in now)
    lines = [
        f"{path} = {as_constant(found.alias, now[path], before.get(path))(str(now[path].data['value']))}"
        for path in paths
    ]
    return Fix(message("fix.write"), "\n".join(lines)) if lines else None
