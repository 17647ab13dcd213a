"""The panel without script: HTML that folds, in light and dark, right to left where the language is; and plain text.

Both are made of the same parts from the panel's data, so a saved notebook says in every front end what the panel says
beside the cell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from graphlab.inspect import drawing
from graphlab.inspect.advice_part import advice_part
from graphlab.inspect.graph_rules import sign
from graphlab.inspect.parts import (
    Cell,
    Code,
    Delta,
    Details,
    Drawing,
    Marked,
    Part,
    Plain,
    Stack,
    Table,
    Tagged,
    Volatile,
)
from graphlab.inspect.retraces import reused_sentence
from graphlab.messages import message, render, word
from graphlab.messages.languages import localize_digits
from graphlab.messages.message import plain


@cache
def style() -> str:
    """The style sheet on as few characters as it takes."""
    text = (Path(__file__).parent / "static.css").read_text("utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"\s*([{};,])\s*", r"\1", text).replace(": ", ":").replace(";}", "}").replace("}", "}\n").strip()


Json = Mapping[str, Any]
VIEWS: Final = ("retraces", "signatures", "code", "graph", "advice")
SIGNS: Final = {"trace": "◆", "graph": "●", "both": "◆●", "never": "–"}
CLASSES: Final = {"trace": "gl-t", "graph": "gl-g", "both": "gl-t", "never": "gl-e"}


def html(panel: Json, *, views: Sequence[str] = VIEWS, drawn: bool = True) -> str:
    """A panel as HTML without script.

    Args:
        panel: What `panel.panel` made.
        views: The views to show.
        drawn: False leaves the drawing out (the graph is there as text in any case).
    """
    body = _View(panel, views, drawn).whole().html()
    return framed(body, panel["lang"], panel["dir"])


def text(panel: Json, *, views: Sequence[str] = ("retraces", "signatures")) -> str:
    """A panel as plain text: the sentences, the reasons with what to write, the signature for all."""
    return _View(panel, views, drawn=False).whole_text()


class _View:
    def __init__(self, panel: Json, views: Sequence[str], drawn: bool) -> None:
        self.panel, self.views, self.drawn = panel, views, drawn
        self.lang: str = panel["lang"]
        self.rtl = panel["dir"] == "rtl"
        self.whole_fix: str | None = None  # said once above, so not again at each trace

    def say(self, id_: str, **values: Any) -> str:
        return plain(render(message(id_, **values), self.lang))

    def word(self, id_: str) -> str:
        return word(id_, self.lang)

    def number(self, value: int | None) -> str:
        return "" if value is None else localize_digits(str(value), self.lang)

    # -------------------------------------------------------------------------------------------------------- the whole

    def whole(self) -> Part:
        functions = self.panel["functions"]
        parts: list[Part] = []
        if self.panel["lede"]:
            parts.append(self.lede(self.panel["lede"]))
        for function in functions:
            inside = self.function(function)
            parts.append(Details(self.summary(function), inside, open=True) if len(functions) > 1 else inside)
        parts += [Tagged("p", Marked(note["text"]), 'class="gl-note"') for note in self.panel["notes"]]
        return Stack(parts)

    def summary(self, function: Json) -> str:
        traces = self.say("count.traces", n=function["counts"]["traces"])
        return f"{function['name']}: {traces}"

    def lede(self, sentence: Json) -> Part:
        return Tagged("p", Marked(sentence["text"]), 'class="gl-lede"')

    def function(self, function: Json) -> Part:
        parts: list[Part] = [self.lede(function["lede"])]
        self.whole_fix = function["fix"]["code"]["text"] if function["fix"] else None
        if function["note"]:
            parts.append(Tagged("p", Marked(function["note"]["text"]), 'class="gl-note"'))
        error = function["error"]
        if error:
            if error["code"]:
                parts.append(Code(error["code"]["text"], error["code"]["tokens"], block=True))
            parts.append(Tagged("p", Marked(error["after"]["text"]), 'class="gl-note"'))
        if function["fix"]:
            parts.append(self.fix(function["fix"]))
        shown = [view for view in function["views"] if view in self.views]
        builders = {
            "retraces": self.retraces,
            "signatures": self.signatures,
            "code": self.code,
            "graph": self.graph,
            "advice": self.advice,
        }
        alone = len(shown) == 1
        for view in shown:
            if view == "retraces" and not function["traces"]:
                continue
            title, inside = builders[view](function)
            parts.append(Details(title, inside, open=alone or view in ("retraces", "graph", "advice")))
        if function["cut"]:
            parts.append(Tagged("p", Marked(function["cut"]["text"]), 'class="gl-note"'))
        return Stack(parts)

    def fix(self, fix: Json) -> Part:
        code = Code(fix["code"]["text"], fix["code"]["tokens"], block=fix["wide"])
        return Tagged(
            "div", Stack([Tagged("b", Marked(fix["place"]["text"])), code], gap=" ", joint=": "), 'class="gl-fix"'
        )

    # -------------------------------------------------------------------------------------------------------- the views

    def retraces(self, function: Json) -> tuple[str, Part]:
        counts = function["counts"]
        traces, calls = self.say("count.traces", n=len(function["traces"])), self.say("count.calls", n=counts["calls"])
        title = (
            self.say("static.retraces", traces=traces, calls=calls)
            if function["calls"]
            else self.word("tab.retraces") + f": {traces}"
        )
        parts: list[Part] = []
        if function["calls"] and len(function["calls"]) + len(function["traces"]) > 2:
            parts.append(self.matrix(function))
        rows = [row for trace in self.visible(function) for row in self.retrace_rows(trace)]
        # A column that says nothing is left out.
        shown = [index for index in range(6) if any(row[index].text() for row in rows)]
        head = self.retrace_head()
        parts.append(Table([head[index] for index in shown], [[row[index] for index in shown] for row in rows]))
        fold = function["folds"]["traces"]
        if fold:
            parts.append(Tagged("p", Marked(fold[0]["text"]["text"]), 'class="gl-note"'))
        reused = reused_sentence(function, self.lang)
        if reused:
            parts.append(Tagged("p", Marked(reused)))
        if function["volatile"].get("cost"):
            parts.append(Tagged("p", Volatile(plain(function["volatile"]["cost"]["text"]), self.rtl)))
        return title, Stack([part for part in parts if part.html()])

    def visible(self, function: Json) -> list[Any]:
        hidden = {index for fold in function["folds"]["traces"] for index in range(fold["from"], fold["to"] + 1)}
        return [trace for index, trace in enumerate(function["traces"]) if index not in hidden]

    def retrace_head(self) -> list[str]:
        before = self.word("static.before_after").replace("→", "←") if self.rtl else self.word("static.before_after")
        ids = ("signatures.trace", "matrix.call", "static.line", "static.why")
        return [*(self.word(id_) for id_ in ids), before, self.word("static.write")]

    def retrace_rows(self, trace: Json) -> list[list[Cell]]:
        """A row for each cause of a trace; those behind the first bear its name only."""
        name: Part = Plain(f"T{trace['n']}")
        again = Cell(name, head=True)
        if trace["volatile"]["time"]:
            name = Stack([name, Volatile(trace["volatile"]["time"])], gap="<br>", joint="")
        place = [Cell(Plain(self.number(trace[key]))) for key in ("call", "line")]
        rows = [[Cell(name, head=True), *place, *self.cause_cells(trace)]]
        rows += [[again, *(Cell(Plain("")) for _ in place), *self.cause_cells(cause)] for cause in trace["also"]]
        if trace["more"]:
            rest = [Cell(Marked(trace["more"]["text"])), Cell(Plain("")), Cell(Plain(""))]
            rows.append([again, *(Cell(Plain("")) for _ in place), *rest])
        return rows

    def cause_cells(self, cause: Json) -> list[Cell]:
        """Why, before and after, what to write."""
        delta: Part = Plain("")
        if cause["before"] is not None:
            delta = Delta("" if self.is_plain(cause) else cause["path"], cause["before"], cause["after"], self.rtl)
        write: Part = Plain("")
        if cause["fix"] and cause["fix"]["code"]["text"] != self.whole_fix:
            fix = cause["fix"]
            place = Tagged("small", Marked(fix["place"]["text"]))
            write = Stack(
                [place, Code(fix["code"]["text"], fix["code"]["tokens"], block=fix["wide"])], gap="<br>", joint=": "
            )
        elif cause["keep"]:
            write = Tagged("span", Marked(cause["keep"]["text"]), 'class="gl-keep"')
        return [Cell(Marked(cause["reason"]["text"])), Cell(delta), Cell(write)]

    @staticmethod
    def is_plain(cause: Json) -> bool:
        """Whether the sentence beside it names the path already, so that the change need not."""
        return bool(cause["path"]) and cause["path"] == cause["reason"]["values"].get("path")

    def matrix(self, function: Json) -> Part:
        folds = function["folds"]
        hidden_calls = {index for fold in folds["calls"] for index in range(fold["from"], fold["to"] + 1)}
        hidden_traces = {index for fold in folds["traces"] for index in range(fold["from"], fold["to"] + 1)}
        marks = {
            "traced": ("◆", "gl-t", "key.traced"),
            "hit": ("●", "gl-g", "key.hit"),
            "no": ("×", "gl-e", "key.no"),
            "": ("", "", "key.blank_cell"),
        }
        head = [self.word("matrix.call")]
        for index, call in enumerate(function["calls"]):
            if index not in hidden_calls:
                head.append(self.number(call["n"]))
            elif index - 1 not in hidden_calls:
                head.append("…")
        rows = []
        for number, trace in enumerate(function["traces"]):
            if number in hidden_traces:
                continue
            label = Stack(
                [Plain(f"T{trace['n']}"), Code(trace["signature"])]
                if trace["signature"]
                else [Plain(f"T{trace['n']}")],
                gap="&ensp;",
                joint="  ",
            )
            row = [Cell(label, head=True)]
            for index, mark in enumerate(function["matrix"][number]):
                if index in hidden_calls:
                    if index - 1 not in hidden_calls:
                        row.append(Cell(Plain("")))
                    continue
                sign, classes, id_ = marks[mark]
                row.append(
                    Cell(
                        Tagged("span", Plain(sign), f'class="{classes}" title="{escape(self.word(id_), quote=True)}"')
                        if sign
                        else Plain("")
                    )
                )
            rows.append(row)
        key = " · ".join(f"{sign} {self.word(id_)}" for sign, _, id_ in list(marks.values())[:3])
        return Stack([Table(head, rows, "gl-mx"), Tagged("p", Plain(key), 'class="gl-note"')])

    def signatures(self, function: Json) -> tuple[str, Part]:
        data = function["signatures"]
        count = len(data["rows"])
        title = self.say("static.signatures.one_would_do" if data["merged"] else "static.signatures", n=count)
        head = [
            self.word("signatures.trace"),
            *data["paths"],
            self.word("signatures.result"),
            self.word("signatures.calls"),
        ]
        rows = []
        for row in [*data["rows"], *([data["merged"]] if data["merged"] else [])]:
            cells = [Cell(Plain(row["label"]), head=True)]
            for arg in row["args"]:
                code: Part = Code(arg["type"]) if arg["type"] else Plain("")
                cells.append(Cell(Tagged("ins", code) if arg["changed"] else code))
            cells.append(Cell(Code(row["result"]) if row["result"] else Plain("")))
            cells.append(Cell(Plain("" if row["calls"] is None else self.number(row["calls"]))))
            rows.append(cells)
        parts: list[Part] = [Tagged("p", Marked(data["lede"]["text"])), Table(head, rows)]
        if data["reduced"]:
            parts.append(Tagged("p", Marked(data["reduced"]["text"])))
        if data["fix"]:
            parts.append(self.fix(data["fix"]))
        return title, Stack(parts)

    def code(self, function: Json) -> tuple[str, Part]:
        data = function["code"]
        parts: list[Part] = [Tagged("p", Marked(data["lede"]["text"])), self.code_rows(data["rows"])]
        if data["helpers"]:
            parts.append(Tagged("p", Tagged("b", Plain(self.word("code.helpers")))))
            for helper in data["helpers"]:
                parts.append(Tagged("p", Marked(helper["where"]["text"])))
                parts.append(self.code_rows(helper["rows"]))
            if data["more"]:
                parts.append(Tagged("p", Marked(data["more"]["text"]), 'class="gl-note"'))
        if data["generated"]:
            parts.append(Tagged("p", Plain(self.word("static.generated"))))
            lines = [line["tokens"] for line in data["generated"]]
            parts.append(Code("\n".join("".join(part for _, part in line) for line in lines), lines, block=True))
        if data["output_lines"]:
            parts.append(Tagged("p", Tagged("b", Plain(self.word("code.output")))))
            parts.append(
                Table(
                    [],
                    [
                        [
                            Cell(Plain("◆" if line["mark"] == "trace" else "●")),
                            Cell(Code(line["text"])),
                            Cell(Marked(line["where"]["text"])),
                        ]
                        for line in data["output_lines"]
                    ],
                )
            )
        if data["captured"]:
            parts.append(Tagged("p", Tagged("b", Plain(self.word("code.captured")))))
            head = [self.word(id_) for id_ in ("code.name", "code.when_traced", "code.now")]
            found = [
                [
                    Cell(_read_name(item)),
                    *(Cell(Code(item[name])) for name in ("traced", "now")),
                    Cell(Marked(item["text"]["text"])),
                ]
                for item in data["captured"]
            ]
            parts.append(Table([*head, ""], found))
        return self.word("static.code"), Stack(parts)

    def code_rows(self, lines: Sequence[Json]) -> Table:
        """The user's lines, each with what became of it."""
        rows = []
        marked = any(row["mark"] for row in lines)
        for row in lines:
            source = "".join(part for _, part in row["tokens"])
            cells = [Cell(Plain(self.number(row["line"]))), Cell(Code(source, [row["tokens"]], block=True))]
            if marked:
                cells.append(Cell(self.row_mark(row)))
            rows.append(cells)
        head = [self.word("static.line"), self.word("static.your_code"), *([self.word("static.ran")] if marked else [])]
        return Table(head, rows)

    def row_mark(self, row: Json) -> Part:
        """Sign and words for one line."""
        if row["mark"] is None:
            return Plain("")
        id_, count = "trace_only" if row["mark"] == "trace" else row["mark"], row["count"]
        if row["mark"] in ("graph", "never") or count is None:
            text = self.word(f"static.mark.{id_}")
        else:
            text = self.say(f"static.mark.{id_}.times", n=count)
        return Tagged("span", Plain(f"{SIGNS[row['mark']]} {text}"), f'class="{CLASSES[row["mark"]]}"')

    def graph(self, function: Json) -> tuple[str, Part]:
        data = function["graph"]
        title = self.say("static.graph", operations=self.say("count.operations", n=data["ops"]))
        parts: list[Part] = [Tagged("p", Marked(" ".join(graph_sentences(data))))]
        svg = drawing.svg(data) if self.drawn else None
        if svg:
            parts.append(Drawing(svg))
        if data["memory"]:
            parts.append(Tagged("p", Marked(" ".join(sentence["text"] for sentence in data["memory"]))))
        if data["changes"]:
            parts += [Tagged("p", Tagged("b", Plain(self.word("optimizer.title")))), self.changes(data["changes"])]
        # Without a drawing (nothing draws here, or a host that strips it) the text must not be folded away.
        parts.append(Details(self.word("graph.text"), Code(data["text"], block=True), open=svg is None))
        return title, Stack(parts)

    def changes(self, changes: list[Json]) -> Table:
        """What the optimiser did: rule, change, place, operations."""
        head = [self.word(f"optimizer.{name}") for name in ("rule", "change", "place", "ops")]
        rows = [
            [
                Cell(Plain(change["pass"]), head=True),
                Cell(Marked(change["text"]["text"])),
                Cell(Marked(change["where"]["text"]) if change["where"] else Plain("")),
                Cell(Plain(sign(change) + self.number(abs(change["count"])))),
            ]
            for change in changes
        ]
        return Table(head, rows)

    def advice(self, function: Json) -> tuple[str, Part]:
        return self.say("static.advice", n=function["tabs"]["advice"]), advice_part(function["advice"], self.lang)

    # ---------------------------------------------------------------------------------------------------------- as text

    def whole_text(self) -> str:
        parts = []
        if self.panel["lede"]:
            parts.append(Marked(self.panel["lede"]["text"]).text())
        parts += [self.function_text(function) for function in self.panel["functions"]]
        parts += [Marked(note["text"]).text() for note in self.panel["notes"]]
        return "\n\n".join(part for part in parts if part)

    def function_text(self, function: Json) -> str:
        lines = [Marked(function["lede"]["text"]).text()]
        self.whole_fix = function["fix"]["code"]["text"] if function["fix"] else None
        if function["note"]:
            lines.append(Marked(function["note"]["text"]).text())
        if function["error"]:
            if function["error"]["code"]:
                lines.append("  × " + function["error"]["code"]["text"])
            lines.append(Marked(function["error"]["after"]["text"]).text())
        if function["fix"]:
            lines += fix_text(function["fix"], "  ")
        if "retraces" in self.views and "retraces" in function["views"]:
            for trace in self.visible(function):
                lines += self.trace_text(trace)
            if function["folds"]["traces"]:
                lines.append("  " + Marked(function["folds"]["traces"][0]["text"]["text"]).text())
            reused = reused_sentence(function, self.lang)
            if reused:
                lines.append(Marked(reused).text())
        if (
            "signatures" in self.views
            and function["signatures"]
            and (function["signatures"]["fix"] or self.views == ("signatures",))
        ):
            data = function["signatures"]
            if self.views == ("signatures",):
                title, part = self.signatures(function)
                lines += [title, part.text()]
            elif data["fix"]:
                lines += fix_text(data["fix"], "")
        for view, builder in (("code", self.code), ("graph", self.graph), ("advice", self.advice)):
            if view in self.views and view in function["views"]:
                if view == "code":
                    lines.append(self.code_text(function))
                elif view == "advice":
                    title, part = builder(function)
                    lines += [title, part.text()]
                else:
                    data = function["graph"]
                    lines += [builder(function)[0], Marked(" ".join(graph_sentences(data)[1:])).text()]
                    lines += [data["text"], data["changes_text"]]
                    lines += [Marked(sentence["text"]).text() for sentence in data["memory"]]
        return "\n".join(line for line in lines if line)

    def code_text(self, function: Json) -> str:
        data = function["code"]
        lines = [Marked(data["lede"]["text"]).text()]
        every = [*data["rows"], *(row for helper in data["helpers"] for row in helper["rows"])]
        width = max((len(str(row["line"])) for row in every), default=1)
        wide = max((len(SIGNS[row["mark"]]) for row in every if row["mark"]), default=1)
        lines += [self.row_text(row, width, wide) for row in data["rows"]]
        for helper in data["helpers"]:
            lines.append(Marked(helper["where"]["text"]).text())
            lines += [self.row_text(row, width, wide) for row in helper["rows"]]
        if data["more"]:
            lines.append(Marked(data["more"]["text"]).text())
        key = ["◆ " + self.word("key.trace_only"), "● " + self.word("key.graph")]
        marks = {row["mark"] for row in every}
        key += [f"{SIGNS[mark]} {self.word(f'key.{mark}')}" for mark in ("both", "never") if mark in marks]
        lines.append("   ".join(key))
        if data["generated"]:
            lines.append(self.word("static.generated"))
            lines += ["".join(part for _, part in line["tokens"]) for line in data["generated"]]
        return "\n".join(lines)

    def row_text(self, row: Json, width: int, wide: int) -> str:
        """One line of the user's as text: number, sign, how often it ran, source."""
        source = "".join(part for _, part in row["tokens"])
        count = f"   ({row['count_text']})" if row["mark"] in ("trace", "both") and row["count_text"] else ""
        return f"{row['line']:>{width}} {SIGNS.get(row['mark'], ''):{wide}} {source}{count}".rstrip()

    def trace_text(self, trace: Json) -> list[str]:
        signature = f"  {trace['signature']}" if trace["signature"] else ""
        lines = [f"  T{trace['n']}{signature}   ({Marked(trace['where']['text']).text()})"]
        indent = "      "
        for cause in (trace, *trace["also"]):
            lines += [indent + Marked(cause["reason"]["text"]).text(), *cause_text(cause, indent, self.whole_fix)]
        if trace["more"]:
            lines.append(indent + Marked(trace["more"]["text"]).text())
        return lines


def cause_text(cause: Json, indent: str, said: str | None = None) -> list[str]:
    """What changed and what to write for a cause, but for a line of code that is said already."""
    lines = []
    if cause["before"] is not None:
        lines.append(indent + Delta(cause["path"], cause["before"], cause["after"]).text())
    if cause["fix"] and cause["fix"]["code"]["text"] != said:
        lines += fix_text(cause["fix"], indent)
    elif cause["keep"]:
        lines.append(indent + Marked(cause["keep"]["text"]).text())
    return lines


def fix_text(fix: Json, indent: str) -> list[str]:
    """Where to write a line, and the line."""
    place = Marked(fix["place"]["text"]).text()
    if not fix["wide"]:
        return [f"{indent}{place}: {fix['code']['text']}"]
    return [f"{indent}{place}:", *(f"{indent}    {line}" for line in fix["code"]["text"].split("\n"))]


def graph_sentences(data: Json) -> list[str]:
    """What is said above a graph: what it is like, what the optimiser left, and that not all of it is here."""
    return [data[key]["text"] for key in ("lede", "left", "cut") if data[key]]


def call_html(data: Json) -> str:
    """What `explain_call` found, as HTML."""
    from graphlab.messages import direction

    lang: str = data["lang"]
    return framed(call_part(data).html(), lang, direction(lang))


def call_part(data: Json) -> Part:
    """What `explain_call` found, as a part."""
    from graphlab.messages import direction

    lang: str = data["lang"]
    parts: list[Part] = [Tagged("p", Marked(data["lede"]["text"]), 'class="gl-lede"')]
    parts += _cause_parts(data, direction(lang) == "rtl")
    for cause in data["also"]:
        parts += [Tagged("p", Marked(cause["reason"]["text"])), *_cause_parts(cause, direction(lang) == "rtl")]
    if data["more"]:
        parts.append(Tagged("p", Marked(data["more"]["text"])))
    rows = [
        [Cell(Plain(f"T{item['trace']}"), head=True), Cell(Marked(item["text"]["text"]))] for item in data["rejects"]
    ]
    if rows:
        title = plain(render(message("rejects.title", n=len(rows)), lang))
        parts.append(Details(title, Table([], rows)))
    return Stack(parts)


def _cause_parts(cause: Json, rtl: bool) -> list[Part]:
    parts: list[Part] = []
    if cause["before"] is not None:
        parts.append(Tagged("p", Delta(cause["path"], cause["before"], cause["after"], rtl)))
    if cause["fix"]:
        parts.append(_fix_part(cause["fix"]))
    if cause["keep"]:
        parts.append(Tagged("p", Marked(cause["keep"]["text"]), 'class="gl-keep"'))
    return parts


def _fix_part(fix: Json) -> Part:
    code = Code(fix["code"]["text"], fix["code"]["tokens"], block=fix["wide"])
    return Tagged("div", Stack([Tagged("b", Marked(fix["place"]["text"])), code], gap=" "), 'class="gl-fix"')


def gradient_html(data: Json) -> str:
    """What `explain_gradient` found, as HTML."""
    from graphlab.messages import direction

    lang: str = data["lang"]
    parts: list[Part] = [Tagged("p", Marked(data["lede"]["text"]), 'class="gl-lede"')]
    for index, cut in enumerate(data["cuts"]):
        if index or data["cause"] in ("spent", "target_not_tensor"):  # what the first one says stands in the first line
            parts.append(Tagged("p", Marked(cut["text"]["text"])))
        if cut["where"] is not None:
            code = Code(cut["code"]["text"], cut["code"]["tokens"])
            parts.append(Tagged("p", Stack([Marked(cut["where"]["text"]), code], gap=" ")))
    if data["fix"]:
        parts.append(_fix_part({"wide": False, **data["fix"]}))
    return framed(Stack(parts).html(), lang, direction(lang))


def framed(body: str, lang: str, direction: str) -> str:
    """HTML in the static output's frame, with its style sheet."""
    opening = f'<div class="gl-static" lang="{escape(lang)}" dir="{escape(direction)}">'
    return f"<style>{style()}</style>{opening}{body}</div>"


def _read_name(item: Json) -> Part:
    """A name that was read from outside, with the helper that reads it."""
    if item.get("reader") is None:
        return Code(item["name"])
    return Stack([Code(item["name"]), Code(item["reader"])], gap=" · ", joint=" · ")
