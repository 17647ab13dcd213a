"""The panel beside a cell as plain data, and its mime bundle: JSON for the extension, static HTML, text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from graphlab.inspect import advice, graph_view, memory
from graphlab.inspect.advice_place import Fix
from graphlab.inspect.code_view import code_data
from graphlab.inspect.helpers import MAX_LINES
from graphlab.inspect.lint import advice_data
from graphlab.inspect.retrace_causes import code_data as code_piece
from graphlab.inspect.retrace_causes import fix_data
from graphlab.inspect.retraces import (
    Shown,
    calls_data,
    duration_text,
    folds,
    function_fix,
    lede,
    matrix_data,
    merged_state,
    state,
    trace_data,
)
from graphlab.inspect.signatures import changed_paths, columns, merged_result, one_for_all, signature_fix
from graphlab.inspect.subject import Cell, Subject, leaf_text, place_text, shown_leaves, signature_text
from graphlab.messages import Message, digits, direction, language, message, render, word
from graphlab.messages import data as message_data
from graphlab.messages.message import plain
from graphlab.messages.run_templates import RUN_PANEL_WORDS
from graphlab.messages.templates import WORDS
from graphlab.tracing.reasons import tensor_text

Json = dict[str, Any]

SCHEMA: Final = 1
WORTH_TELLING: Final = 100_000
"""Bytes of memory from which on a graph's are told."""

MIME: Final = "application/vnd.graphlab.trace+json"
VIEWS: Final = ("retraces", "signatures", "code", "graph", "advice")

__all__ = ["MIME", "SCHEMA", "VIEWS", "bundle", "duration_text", "panel"]


def panel(
    functions: Sequence[Subject],
    cell: Cell | None = None,
    lang: str | None = None,
    *,
    notes: Sequence[Message] = (),
    views: Sequence[str] = VIEWS,
    execution_count: int | None = None,
    part: str = "traced",
) -> Json:
    """What the panel says, as `panel.schema.json` describes it.

    Args:
        functions: The traced functions it is about.
        cell: The cell beside which it stands.
        lang: The language; the current one when None.
        notes: Things that were left as they are.
        views: The views wanted.
        execution_count: The number of the cell's run, kept among the volatile values.
        part: The part of a graph that is shown first: `traced`, `runs` or `gradient`.

    Returns:
        Plain data, equal in every run of the same program but for what stands under `volatile`.
    """
    lang = lang or language()
    cell = cell or Cell()
    parts = [function_data(subject, cell, lang, views, part) for subject in functions]
    return {
        "schema": SCHEMA,
        "lang": lang,
        "dir": direction(lang),
        "digits": digits(lang),
        "cell": {"source": cell.source, "first_line": 1},
        "lede": message_data(_cell_lede(functions), lang) if len(functions) != 1 else None,
        "badge": _badge(functions, cell, lang),
        "notes": [message_data(note, lang) for note in notes],
        "words": {id_: word(id_, lang) for id_ in WORDS},
        "functions": parts,
        "volatile": {} if execution_count is None else {"execution_count": execution_count},
    }


def function_data(subject: Subject, cell: Cell, lang: str, views: Sequence[str] = VIEWS, part: str = "traced") -> Json:
    """One function's part of a panel."""
    shown = Shown(subject, cell, lang)
    current = state(subject)
    code = code_data(subject, cell, lang) if "code" in views else None
    graph = _graph(shown, lang, part) if "graph" in views else None
    signatures = _signatures(shown) if "signatures" in views and subject.traces else None
    found = advice_data(advice.about(subject), cell, subject.filename, lang) if "advice" in views else []
    available = {
        "retraces": "retraces" in views and bool(subject.traces or subject.calls or subject.failed),
        "signatures": signatures is not None,
        "code": code is not None,
        "graph": graph is not None,
        "advice": any(not item["note"] for item in found),
    }
    traces = len(subject.traces)
    count = traces if traces > 1 else None
    counts = {"retraces": count, "signatures": count, "advice": sum(1 for item in found if not item["note"])}
    calls = calls_data(shown)
    selected = next((call["n"] for call in calls if call["kind"] == "hit"), calls[-1]["n"] if calls else None)
    note = None
    if shown.earlier and current != "hit":
        note = message("note.earlier_traces", n=shown.earlier)
    elif not subject.watched and traces:
        note = message("lede.unwatched")
    return {
        "name": subject.name,
        "line": cell.line(subject.filename, subject.def_line or subject.line),
        "state": current,
        "lede": message_data(lede(shown, current), lang),
        "note": message_data(note, lang) if note else None,
        "counts": {
            "traces": traces,
            "retraces": max(0, traces - subject.made),
            "calls": subject.call_count,
            "new": len(subject.new),
        },
        "views": [name for name in VIEWS if available[name]],
        "tabs": {name: counts.get(name) for name in VIEWS if available[name]},
        "fix": fix_data(_fix(shown, current), lang),
        "error": _error(shown, lang),
        "selected": selected,
        "calls": calls,
        "traces": [trace_data(shown, record) for record in shown.traces] if available["retraces"] else [],
        "matrix": matrix_data(shown) if available["retraces"] else [],
        "folds": folds(shown, current),
        "signatures": signatures,
        "code": code,
        "graph": graph,
        "advice": found,
        "cut": _cut(shown, lang),
        "volatile": {"identity": subject.identity, "cost": _cost(shown, lang)},
    }


def _cost(shown: Shown, lang: str) -> Json | None:
    """What tracing took here against what a call of the graph takes; None when no such call was timed."""
    subject = shown.subject
    tracing = sum(record.duration for record in subject.traces if record.number in subject.new)
    running = [call.fastest for call in subject.calls if call.fastest is not None]
    if not tracing or not running:
        return None
    run = min(running)
    said = message("cost.tracing", tracing=duration_text(tracing), run=duration_text(run), n=round(tracing / run))
    return message_data(said, lang)


def run_panel(subject: Subject, view: str, data: Json, lang: str) -> Json:
    """A panel about one run of a call: its own tab first, then code and graph to link to.

    Args:
        subject: The function.
        view: `step` or `compare`.
        data: What that tab shows.
        lang: The language.
    """
    made = panel([subject], Cell(None, subject.filename), lang, views=("code", "graph"))
    (function,) = made["functions"]
    function[view] = data
    made["words"] |= {id_: word(id_, lang) for id_ in RUN_PANEL_WORDS}
    made["badge"] = _run_badge(view, data, lang)
    if view == "step" and function["code"] is not None:
        counts = dict(data["lines"])
        for row in function["code"]["rows"]:
            count = counts.get(row["line"])
            if count is not None and row["mark"] == "graph":  # counted by the run itself
                row["count"], row["count_text"] = count, plain(render(message("code.count", n=count), lang))
    function["views"] = [view, *function["views"]]
    function["tabs"] = {view: None, **function["tabs"]}
    return made


def _run_badge(view: str, data: Json, lang: str) -> Json:
    """What the cell did to the function: it was run once more, and how that went. Its traces are of other cells."""
    said = [message(f"tab.{view}")]
    surprise = bool(data["troubles"]) if view == "step" else not data["same"]
    if view == "compare":
        said.append(message("compare.different" if surprise else "compare.equal"))
    return {
        "state": "error" if surprise else "hit",
        "mark": "bad" if surprise else "graph",
        "parts": [message_data(part, lang) for part in said],
    }


def _cut(shown: Shown, lang: str) -> Json | None:
    if shown.hidden_calls:
        return message_data(message("note.cut.calls", n=shown.hidden_calls), lang)
    hidden = len((shown.subject.source or "").split("\n")) - MAX_LINES
    return message_data(message("note.cut", n=hidden), lang) if hidden > 0 else None


def _fix(shown: Shown, current: str) -> Fix | None:
    if current == "uncalled" and not shown.subject.eager:
        return _first_call(shown.subject)
    return function_fix(shown, current)


def _first_call(subject: Subject) -> Fix | None:
    """A call to write for a function that was not called yet; its arguments stand as their names."""
    if not subject.source:
        return None
    arguments = ", ".join(name for name in subject.parameters)
    return Fix(message("fix.write"), f"{subject.name}({arguments})")


def _error(shown: Shown, lang: str) -> Json | None:
    import linecache

    subject = shown.subject
    if subject.failed is None:
        return None
    filename, line = subject.stopped_at
    text = linecache.getline(filename, line).strip() if line and filename else ""
    here = shown.cell.line(filename, line)
    return {
        "line": here or (line if filename == subject.filename else None),
        "code": code_piece(text) if text else None,
        "after": message_data(message("error.kept" if subject.traces else "error.kept.none"), lang),
    }


def _graph(shown: Shown, lang: str, part: str) -> Json | None:
    subject = shown.subject
    if subject.partial is not None:
        return _stopped_graph(shown, lang)
    if subject.graph is None:
        return None
    picture = graph_view.whole(subject.graph, subject.filename, subject.line, gradient=part == "gradient")
    data = graph_view.graph_data(subject.name, picture, subject.graph_trace, lang, part=part)
    run = subject.graph.executable
    if run is not None:  # it ran as it is, not under a tape: what it took is known
        given = run.memory(None)
        if given.peak_bytes >= WORTH_TELLING:
            data["memory"] = [message_data(sentence, lang) for sentence in memory.sentences(given)]
    return data


def _stopped_graph(shown: Shown, lang: str) -> Json | None:
    """The graph up to the error that stopped its trace, with the error; None when nothing was there yet."""
    subject = shown.subject
    picture = graph_view.unfinished(subject.partial, subject.filename, subject.line)
    if not picture.nodes:
        return None
    data = graph_view.graph_data(subject.name, picture, None, lang)
    data["lede"] = message_data(lede(shown, "error"), lang)
    data["left"] = message_data(message("graph.until", n=picture.operations), lang)
    error = _error(shown, lang)
    if error is not None and error["code"]:
        filename, line = subject.stopped_at
        if error["line"] is None and filename is not None and line is not None:
            at = place_text(filename, line)
        else:
            at = plain(render(message("graph.text.line", line=line), lang))
        data["text"] = "\n".join([*data["text"].splitlines(), f"× {error['code']['text']}    {at}"])
    return data


def _signatures(shown: Shown) -> Json:
    subject, lang = shown.subject, shown.lang
    keys = {record.number: shown_leaves(record.key) for record in shown.traces}
    paths = columns(subject, shown.traces)
    more = len({leaf.path for leaves in keys.values() for leaf in leaves}) - len(paths)
    others = [{"path": f"… +{more}", "type": "…", "changed": False}] if more else []
    rows = []
    for record in shown.traces:
        changed = changed_paths(subject, record)
        by_path = {leaf.path: leaf for leaf in keys[record.number]}
        rows.append(
            {
                "trace": record.number,
                "label": f"T{record.number}",
                "args": [
                    {
                        "path": path,
                        "type": leaf_text(by_path[path]) if path in by_path else "",
                        "changed": path in changed,
                    }
                    for path in paths
                ]
                + others,
                "result": subject.results.get(record.number),
                "calls": subject.served(record.number) if subject.watched else None,
                "ops": subject.operations.get(record.number),
            }
        )
    merged = one_for_all(subject) if subject.made == 1 else None
    row = None
    if merged is not None:
        row = {
            "trace": None,
            "label": word("signatures.all", lang),
            "args": [{"path": path, "type": tensor_text(*merged[path]), "changed": False} for path in paths] + others,
            "result": merged_result([subject.results.get(record.number) for record in subject.traces]),
            "calls": subject.call_count if subject.watched else None,
            "ops": None,
        }
    if subject.fixed_signature:
        sentence = message("signatures.lede.fixed")
    elif all(record.key == subject.traces[0].key for record in subject.traces):
        sentence = message("signatures.lede.only")
    else:
        sentence = message(
            "signatures.lede.one" if merged is not None else "signatures.lede.differ", n=len(subject.traces)
        )
    return {
        "lede": message_data(sentence, lang),
        "paths": paths + [str(other["path"]) for other in others],
        "rows": rows,
        "merged": row,
        "reduced": _reduced(subject, lang),
        "fix": fix_data(signature_fix(subject, shown.cell, merged), lang) if merged is not None else None,
    }


def _reduced(subject: Subject, lang: str) -> Json | None:
    """What `reduce_retracing` would merge; None when that is nothing."""
    if subject.made > 1 or not 0 < len(subject.general) < len(subject.traces):
        return None
    groups = [
        message("signatures.reduced.group", traces=[f"T{n}" for n in numbers], signature=signature_text(key))
        for numbers, key in subject.general
        if len(numbers) > 1
    ]
    count = message("count.traces", n=len(subject.general))
    return message_data(message("signatures.reduced", traces=count, n=len(subject.traces), groups=groups[:4]), lang)


# --------------------------------------------------------------------------------------------- several functions; badge


def _cell_lede(functions: Sequence[Subject]) -> Message:
    if not functions:
        return message("lede.nothing")
    traces = sum(len(subject.new) if subject.watched else len(subject.traces) for subject in functions)
    items = []
    for subject in functions:
        count = len(subject.new) if subject.watched else len(subject.traces)
        items.append(
            message("lede.functions.item", f=subject.name, n=count)
            if count
            else message("lede.functions.untraced", f=subject.name)
        )
    return message(
        "lede.functions",
        functions=message("lede.functions.count", n=len(functions)),
        traces=message("count.traces", n=traces),
        list=items[:8],
    )


def _badge(functions: Sequence[Subject], cell: Cell, lang: str) -> Json:
    current = merged_state([state(subject) for subject in functions])
    new = sum(len(subject.new) if subject.watched else len(subject.traces) for subject in functions)
    retraces = sum(
        sum(
            1
            for record in subject.traces
            if (record.number in subject.new or not subject.watched) and record.number > 1
        )
        for subject in functions
    )
    calls = sum(subject.call_count for subject in functions)
    parts: list[Message]
    mark = "trace"
    if current == "error":
        failed = next(subject for subject in functions if subject.failed is not None)
        line = cell.line(*failed.stopped_at)
        parts = [message("badge.stopped"), *([message("badge.line", line=line)] if line else [])]
        mark = "bad"
    elif current == "uncalled":
        name = (
            message("badge.name", f=functions[0].name)
            if len(functions) == 1
            else message("badge.functions", n=len(functions))
        )
        parts, mark = [name, *([message("badge.uncalled")] if functions else [])], "none"
    elif current == "hit":
        parts, mark = [message("badge.calls", n=calls), message("badge.no_new")], "graph"
    else:
        parts = [message("badge.traces", n=new)]
        if retraces:
            parts.append(message("badge.retraces", n=retraces))
    return {"state": current, "mark": mark, "parts": [message_data(part, lang) for part in parts]}


# ----------------------------------------------------------------------------------------------------------- the bundle


def bundle(data: Mapping[str, Any]) -> dict[str, Any]:
    """The mime bundle of a panel: what a notebook saves. Each type says the same; a front end takes the richest."""
    from graphlab.inspect.static_html import html, text

    return {MIME: dict(data), "text/html": html(data), "text/plain": text(data)}
