"""The first view: the sentence, the grid of calls and traces, and for each trace its reason with the line to write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from graphlab.inspect.advice_place import Fix, error_fix, fix_for, fixes_for, made_again_fix, split_error
from graphlab.inspect.retrace_causes import causes_data, reason_message, told
from graphlab.inspect.signatures import MAX_ARGUMENTS, changed_paths, one_for_all
from graphlab.inspect.subject import (
    Cell,
    Subject,
    leaf_text,
    place_text,
    shown_leaves,
    signature_text,
    without_address,
)
from graphlab.messages import Message, message, render
from graphlab.messages import data as message_data
from graphlab.tracing.reasons import Reason, rejects
from graphlab.tracing.records import CallRecord, TraceRecord

Json = dict[str, Any]

MAX_CALLS: Final = 120
MAX_TRACES: Final = 60
"""Columns and rows that a panel holds; what is beyond is told as a number."""
MAX_REJECT_TRACES: Final = 20
_FOLD_CALLS: Final = 14
_FOLD_TRACES: Final = 12
_MANY: Final = 8
MAX_REASONS: Final = 3


def reject_message(reasons: Sequence[Reason]) -> Message:
    """Why a trace does not take a call: each thing that differs, the first few of many."""
    first, *rest = reasons[:MAX_REASONS]
    said = reason_message(first)
    return message("reject.both", first=said, second=reject_message(rest)) if rest else said


class Shown:
    """The traces and calls of a subject that a panel shows: all, or the first and the last when there are very many."""

    def __init__(self, subject: Subject, cell: Cell, lang: str) -> None:
        self.subject, self.cell, self.lang = subject, cell, lang
        used = {call.trace for call in subject.calls}
        # Traces from before that no call here used are told as a number; without calls every trace is shown.
        traces = (
            [t for t in subject.traces if t.number in subject.new or t.number in used]
            if subject.watched
            else list(subject.traces)
        )
        self.earlier = len(subject.traces) - len(traces)
        self.traces = traces if len(traces) <= MAX_TRACES else [*traces[: MAX_TRACES - 1], traces[-1]]
        # A call that ran as plain Python has no place in the grid.
        calls = [(number, call) for number, call in self._numbered() if call.trace is not None or not subject.eager]
        self.calls = calls if len(calls) <= MAX_CALLS else [*calls[: MAX_CALLS - 1], calls[-1]]
        self.hidden_calls = sum(call.count for _, call in calls) - len(self.calls)
        self.hidden_traces = len(traces) - len(self.traces)
        self.made_by = {call.trace: number for number, call in calls if call.traced}

    def _numbered(self) -> list[tuple[int, CallRecord]]:
        numbered, number = [], 1
        for call in self.subject.calls:
            numbered.append((number, call))
            number += call.count
        return numbered

    def line(self, record: TraceRecord | CallRecord) -> int | None:
        """The line of the cell where the call stands."""
        return self.cell.line(record.site.filename, record.site.line)

    def say(self, id_: str, **values: Any) -> Json:
        """A message as data."""
        return message_data(message(id_, **values), self.lang)


def calls_data(shown: Shown) -> list[Json]:
    """The columns of the grid."""
    from graphlab.messages.languages import localize_digits

    result = []
    first = shown.subject.traces[0].number if shown.subject.traces else None
    for number, call in shown.calls:
        line = shown.line(call)
        kind = "trace" if call.traced and call.trace is not None else "error" if call.trace is None else "hit"
        place = place_text(call.site.filename, call.site.line)
        id_ = "now.first" if kind == "trace" and call.trace == first else f"now.{kind}"
        values: dict[str, Any] = {"call": number} if call.trace is None else {"call": number, "trace": call.trace}
        text = shown.say(id_, line=line, **values) if line else shown.say(f"{id_}.elsewhere", place=place, **values)
        result.append(
            {
                "n": number,
                "line": line,
                "place": localize_digits(str(line), shown.lang) if line else place,
                "source": call.site.expression or None,
                "trace": call.trace,
                "kind": kind,
                "text": text,
            }
        )
    return result


def matrix_data(shown: Shown) -> list[list[str]]:
    """A row per trace, a column per call: traced, hit, no (did not fit) or empty (no such trace yet)."""
    order = {call.trace: index for index, (_, call) in enumerate(shown.calls) if call.traced}
    rows = []
    for record in shown.traces:
        made = order.get(record.number)
        if made is None:
            made = _made_between(shown, record.number)
        row = []
        for index, (_, call) in enumerate(shown.calls):
            if call.trace == record.number:
                row.append("traced" if call.traced else "hit")
            else:
                row.append("no" if index > made else "")
        rows.append(row)
    return rows


def _made_between(shown: Shown, number: int) -> int:
    """The index of the call before which a trace existed that none of the shown calls made."""
    if number not in shown.subject.new:
        return -1
    later = (
        index
        for index, (_, call) in enumerate(shown.calls)
        if call.trace == number or (call.traced and call.trace is not None and call.trace > number)
    )
    return next(later, len(shown.calls)) - 1


def trace_data(shown: Shown, record: TraceRecord) -> Json:
    """One entry of the list: signature, causes with what to write, why earlier traces did not fit."""
    subject, lang = shown.subject, shown.lang
    changed = changed_paths(subject, record)
    fixes = fixes_for(subject, shown.cell, record, told(record.reasons))
    (first, *also), more = causes_data(record, subject.trace(record.closest), fixes, lang)
    earlier = [other for other in subject.traces if other.number < record.number]
    rejected = []
    if len(earlier) > 1:
        for other in earlier[-MAX_REJECT_TRACES:]:
            reasons = rejects(record.key, other.key)
            if reasons:
                rejected.append({"trace": other.number, "text": message_data(reject_message(reasons), lang)})
    number = shown.made_by.get(record.number)
    line = shown.line(record)
    served = subject.served(record.number)
    return {
        "n": record.number,
        "signature": signature_text(record.key),
        "args": [
            {"path": leaf.path, "type": leaf_text(leaf), "changed": leaf.path in changed}
            for leaf in shown_leaves(record.key)[:MAX_ARGUMENTS]
        ],
        "result": subject.results.get(record.number),
        "ops": subject.operations.get(record.number),
        "served": served,
        "new": record.number in subject.new,
        "call": number,
        "line": line,
        "where": _where(shown, record, number, line, served),
        **first,
        "first": record.number == 1 and (subject.made == 1 or record.ordinal <= 1),
        "also": also,
        "more": more,
        "rejects_title": _rejects_title(shown, len(rejected), len(earlier)) if rejected else None,
        "rejects": rejected,
        "volatile": {"ms": round(record.duration * 1000, 2), "time": duration_text(record.duration)},
    }


def duration_text(seconds: float) -> str:
    """A duration as shown.

    >>> duration_text(0.0000042), duration_text(0.0019), duration_text(1.25)
    ('4 µs', '1.9 ms', '1.2 s')
    """
    if seconds < 0.0001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def _where(shown: Shown, record: TraceRecord, number: int | None, line: int | None, served: int) -> Json:
    place = place_text(record.site.filename, record.site.line)
    if number is not None:
        if line:
            return shown.say("trace.where", call=number, line=line, n=served)
        return shown.say("trace.where.elsewhere", call=number, place=place, n=served)
    if shown.subject.calls and record.number not in shown.subject.new:
        return shown.say("trace.where.earlier", n=served)
    return (
        shown.say("trace.where.unwatched", line=line)
        if line
        else shown.say("trace.where.unwatched.elsewhere", place=place)
    )


# ------------------------------------------------------------------------------------------------------------ the state


def state(subject: Subject) -> str:
    """What there is to say: uncalled, first, hit, retraced, many, error."""
    if subject.failed is not None:
        return "error"
    if not subject.traces:
        return "uncalled"
    if subject.watched and subject.calls and not subject.new:
        return "hit"
    if _dominant(subject) is not None:
        return "many"
    return "first" if len(subject.traces) == 1 else "retraced"


def merged_state(states: list[str]) -> str:
    """The state of a cell with several functions: what most needs to be seen."""
    for name in ("error", "many", "retraced", "first", "hit"):
        if name in states:
            return name
    return "uncalled"


def _dominant(subject: Subject) -> tuple[str, str | None] | None:
    """The one cause of nearly all of many traces: (message id, path)."""
    retraces = [record for record in subject.traces if record.number in subject.new or not subject.watched]
    if subject.made > 1 and len(retraces) >= _MANY:
        return "retrace.first", None
    causes = Counter((r.reason.id, r.reason.values.get("path")) for r in retraces if r.reason.id != "retrace.first")
    if not causes:
        return None
    (cause, count) = causes.most_common(1)[0]
    return cause if count >= _MANY - 1 and count >= 0.75 * (len(retraces) - 1) else None


def lede(shown: Shown, state: str) -> Message:
    """The sentence that opens the panel."""
    subject = shown.subject
    name = subject.name
    calls = message("count.for_calls", n=subject.call_count)
    new = [record for record in subject.traces if record.number in subject.new] if subject.watched else subject.traces
    times = message("count.times", n=len(new))
    if subject.eager and not new:
        return message("lede.eager", f=name, calls=calls)
    if state == "uncalled":
        return message("lede.uncalled", f=name)
    if state == "error":
        return _error_lede(shown)
    if subject.made > 1:
        return Message("advice.place.function_again", {"name": name, "count": subject.made})
    if not subject.watched or not subject.calls:
        return message("explain.summary", f=name, traces=message("count.traces", n=len(subject.traces)))
    if state == "hit":
        used = sorted({call.trace for call in subject.calls if call.trace is not None})
        return message("lede.hit", f=name, n=subject.call_count, traces=[f"T{number}" for number in used])
    if state == "first":
        signature = signature_text(subject.traces[0].key)
        if subject.call_count > 1:
            return message("lede.first.reused", f=name, calls=calls, n=subject.call_count - 1)
        return (
            message("lede.first", f=name, signature=signature)
            if signature
            else message("lede.first.no_arguments", f=name)
        )
    if state == "many":
        cause = _dominant(subject)
        record = next(r for r in new if cause is None or r.reason.id == cause[0])
        if len(new) == subject.call_count:
            return message("lede.many", f=name, n=subject.call_count, reason=reason_message(record.reason))
        return message("lede.many.mostly", f=name, times=times, calls=calls, reason=reason_message(record.reason))
    if len(new) < len(subject.traces):
        return message("lede.retraced.earlier", f=name, times=times, calls=calls)
    one = one_for_all(subject) is not None
    return message("lede.retraced.one_signature" if one else "lede.retraced", f=name, times=times, calls=calls)


def _error_lede(shown: Shown) -> Message:
    subject = shown.subject
    assert subject.failed is not None
    kind, text, _ = subject.failed.error or ("", "", None)
    filename, line = subject.stopped_at
    error = without_address(split_error(text.strip())[0].split("\n")[0]) or kind
    cell_line = shown.cell.line(filename, line)
    if line is None:
        return message("lede.error.nowhere", f=subject.name, error=error)
    if cell_line is None and filename is not None:
        return message("lede.error.elsewhere", f=subject.name, place=place_text(filename, line), error=error)
    return message("lede.error", f=subject.name, l=line, error=error)


def function_fix(shown: Shown, state: str) -> Fix | None:
    """One line for the whole function: if every trace has the same cause, or the same code makes it again."""
    subject = shown.subject
    if state == "error":
        return error_fix(subject)
    if subject.made > 1:
        return made_again_fix(subject, shown.cell)
    if state != "many":
        return None
    cause = _dominant(subject)
    for record in reversed(subject.traces):
        if cause is not None and (record.reason.id, record.reason.values.get("path")) == cause:
            return fix_for(subject, shown.cell, record)
    return None


def _rejects_title(shown: Shown, told: int, earlier: int) -> Json:
    if earlier > MAX_REJECT_TRACES:
        return shown.say("rejects.title.some", n=told, of=earlier)
    return shown.say("rejects.title", n=told)


def folds(shown: Shown, state: str) -> Json:
    """The runs of columns and rows that stay folded until they are asked for."""
    calls: list[Json] = []
    traces: list[Json] = []
    if len(shown.calls) > _FOLD_CALLS:
        start, end = 5, len(shown.calls) - 2
        count = end - start + 1 + shown.hidden_calls
        calls.append({"from": start, "to": end, "count": count, "text": shown.say("fold.calls", n=count)})
    if len(shown.traces) > _FOLD_TRACES or (state == "many" and len(shown.traces) > 6):
        start, end = 3, len(shown.traces) - 2
        count = end - start + 1 + shown.hidden_traces
        causes = {(r.reason.id, r.reason.values.get("path")) for r in shown.traces[start : end + 1]}
        path = next(iter(causes))[1] if len(causes) == 1 else None
        if path is not None:
            text = shown.say("fold.traces", n=count, path=path)
        elif len(causes) == 1:
            text = shown.say("fold.traces.other", n=count)
        else:
            text = shown.say("fold.calls", n=count)
        traces.append({"from": start, "to": end, "count": count, "text": text})
    everything = len(shown.traces) if traces else len(shown.calls)
    hidden = shown.hidden_traces if traces else shown.hidden_calls
    all_of_it = shown.say("fold.all.some", n=everything, of=everything + hidden) if hidden else None
    folded = bool(calls or traces)
    same = bool(traces) and traces[0]["text"]["id"] != "fold.calls"
    return {
        "calls": calls,
        "traces": traces,
        "all": (all_of_it or shown.say("fold.all", n=everything)) if folded else None,
        "why": shown.say("fold.why") if same else None,
    }


def reused_sentence(function: Mapping[str, Any], lang: str) -> str:
    """The sentence about the calls that made no trace, for static output; empty when every call traced."""
    hits = [call for call in function["calls"] if call["kind"] == "hit"]
    if not hits:
        return ""
    from graphlab.messages.languages import localize_digits
    from graphlab.messages.message import enumeration

    numbers = [localize_digits(str(call["n"]), lang) for call in hits]
    shown = numbers if len(numbers) <= 12 else [*numbers[:11], "…"]
    traces = [f"T{number}" for number in dict.fromkeys(call["trace"] for call in hits)]
    return render(message("reused", n=len(hits), calls=enumeration(shown, lang), traces=traces), lang)
