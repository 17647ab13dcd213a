"""Advice as a part of a view: the sentence, the line as it is and as it should be, the rule's id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphlab.inspect.parts import Code, Marked, Part, Plain, Stack, Tagged
from graphlab.messages import data as message_data
from graphlab.messages import message, word

Json = Mapping[str, Any]


def advice_part(items: Sequence[Json], lang: str) -> Part:
    """The items one below the other, each with its lines and its id."""
    return Stack([_item(item, lang) for item in items])


def _item(item: Json, lang: str) -> Part:
    sentences: list[Part] = [Marked(item["text"]["text"])]
    if item["evidence"]:
        sentences.append(Marked(item["evidence"]["text"]))
    parts: list[Part] = [Tagged("p", Stack(sentences, gap=" ", joint=" "))]
    if item["before"]:
        parts.append(_line("-", "del", item["before"]))
    if item["after"]:
        parts.append(_line("+", "ins", item["after"]))
    where = [_where(item, lang)] if item.get("where") or item["line"] else []
    about = " · ".join([*where, *([word("advice.note", lang)] if item["note"] else [])])
    tail: list[Part] = [Marked(about)] if about else []
    tail.append(Code(item["id"]))
    parts.append(Tagged("p", Stack(tail, gap=" · ", joint=" · "), 'class="gl-note"'))
    return Tagged("div", _Indented(parts), 'class="gl-adv"')


def _where(item: Json, lang: str) -> str:
    """The helper that it is in, with the place, else the line."""
    said = item.get("where") or message_data(message("graph.text.line", line=item["line"]), lang)
    return str(said["text"])


class _Indented:
    """Parts of one item: the first line stands out."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts

    def html(self) -> str:
        return "".join(part.html() for part in self.parts)

    def text(self) -> str:
        first, *rest = [part.text() for part in self.parts]
        return "\n".join([f"  {first}", *(f"      {line}" for text in rest for line in text.split("\n"))])


def _line(sign: str, tag: str, code: Json) -> Part:
    signed = Stack([Plain(f"{sign} "), Tagged(tag, Code(code["text"], code["tokens"]))], joint="")
    return Tagged("div", signed, 'dir="ltr"')
