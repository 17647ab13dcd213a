"""Small immutable parts of a view: each knows itself as HTML without script and as plain text.

HTML holds its meaning in tags and words, so that a host that strips `style`, `class` and `svg` still shows all of it:
before and after are `del` and `ins`, folding is `details`, marks are words. Whatever comes from the user's program
passes through `prose` or, where it stands as code, through `shown`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol

from graphlab.inspect.unseen import upright, visible
from graphlab.messages.message import pieces


def shown(text: str) -> str:
    r"""Code as HTML, every character of it seen.

    >>> shown("a < '\u202e'")
    'a &lt; &#x27;•&#x27;'
    """
    return escape(visible(text))


def prose(text: str) -> str:
    """A sentence as HTML; nothing in it turns the rest around."""
    return escape(upright(text))


class Part(Protocol):
    """Something a view shows."""

    def html(self) -> str:
        """As HTML."""

    def text(self) -> str:
        """As plain text."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence with inline marks."""

    marked: str

    def html(self) -> str:
        parts: list[str] = []
        strong = False
        for text, is_code, is_strong in pieces(self.marked):
            if is_strong != strong:
                parts.append("<strong>" if is_strong else "</strong>")
                strong = is_strong
            parts.append(f'<code dir="ltr">{shown(text)}</code>' if is_code else prose(text))
        return "".join([*parts, "</strong>" if strong else ""])

    def text(self) -> str:
        return "".join(text for text, _, _ in pieces(self.marked))


@dataclass(frozen=True, slots=True)
class Plain:
    """Text as it is."""

    plain: str

    def html(self) -> str:
        return prose(self.plain)

    def text(self) -> str:
        return self.plain


@dataclass(frozen=True, slots=True)
class Tagged:
    """A part inside one element, such as `p` or `b`; attributes are ours, never the user's."""

    tag: str
    inside: Part
    attributes: str = ""

    def html(self) -> str:
        return f"<{self.tag}{' ' + self.attributes if self.attributes else ''}>{self.inside.html()}</{self.tag}>"

    def text(self) -> str:
        return self.inside.text()


@dataclass(frozen=True, slots=True)
class Code:
    """Code in a line or, as a block, in lines; with tokens it is coloured where styles are kept."""

    source: str
    tokens: Sequence[Sequence[Sequence[str]]] = ()
    block: bool = False

    def html(self) -> str:
        if self.tokens:
            inside = "\n".join(
                "".join(f'<span class="hl-{kind}">{shown(text)}</span>' if kind else shown(text) for kind, text in line)
                for line in self.tokens
            )
        else:
            inside = shown(self.source)
        return f'<pre dir="ltr"><code>{inside}</code></pre>' if self.block else f'<code dir="ltr">{inside}</code>'

    def text(self) -> str:
        return self.source


@dataclass(frozen=True, slots=True)
class Delta:
    """What stood there before and what stands there now."""

    path: str
    before: str
    after: str
    right_to_left: bool = False

    def html(self) -> str:
        arrow = "←" if self.right_to_left else "→"
        path = f'<code dir="ltr">{shown(self.path)}</code>: ' if self.path else ""
        before = f'<code dir="ltr"><del>{shown(self.before)}</del></code>'
        after = f'<code dir="ltr"><ins>{shown(self.after)}</ins></code>'
        return f"{path}{before} {arrow} {after}"

    def text(self) -> str:
        arrow = "←" if self.right_to_left else "→"
        return (
            f"{self.path}: {self.before} {arrow} {self.after}" if self.path else f"{self.before} {arrow} {self.after}"
        )


@dataclass(frozen=True, slots=True)
class Volatile:
    """A value that differs from run to run, marked so that comparisons can skip it; text leaves it out."""

    value: str
    right_to_left: bool = False

    def html(self) -> str:
        direction = "rtl" if self.right_to_left else "ltr"
        return f'<small data-volatile dir="{direction}">{prose(self.value)}</small>'

    def text(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Stack:
    """Parts one after another; `gap` stands between them as HTML, a line break (or `joint`) as text."""

    parts: Sequence[Part]
    gap: str = ""
    joint: str = "\n"

    def html(self) -> str:
        return self.gap.join(part.html() for part in self.parts)

    def text(self) -> str:
        return self.joint.join(text for part in self.parts if (text := part.text()))


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table; `head` for one that names its row."""

    inside: Part
    head: bool = False
    span: int = 1

    def html(self) -> str:
        span = f' colspan="{self.span}"' if self.span > 1 else ""
        return (
            f'<th scope="row"{span}>{self.inside.html()}</th>' if self.head else f"<td{span}>{self.inside.html()}</td>"
        )

    def text(self) -> str:
        return self.inside.text()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a heading; as text, columns of equal width."""

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    classes: str = ""

    def html(self) -> str:
        head = "".join(f'<th scope="col">{prose(text)}</th>' for text in self.head)
        body = "".join(f"<tr>{''.join(cell.html() for cell in row)}</tr>" for row in self.rows)
        opening = f'<table class="{self.classes}">' if self.classes else "<table>"
        return f"{opening}{f'<thead><tr>{head}</tr></thead>' if self.head else ''}<tbody>{body}</tbody></table>"

    def text(self) -> str:
        rows = [[cell.text().replace("\n", "; ") for cell in row] for row in self.rows]
        if self.head:
            rows.insert(0, list(self.head))
        width = max((len(row) for row in rows), default=0)
        widths = [max((len(row[index]) for row in rows if index < len(row)), default=0) for index in range(width)]
        return "\n".join(
            "  ".join(text.ljust(widths[index]) for index, text in enumerate(row)).rstrip() for row in rows
        )


@dataclass(frozen=True, slots=True)
class Details:
    """A part under a heading that can be folded."""

    summary: str
    inside: Part
    open: bool = False

    def html(self) -> str:
        opening = "<details open>" if self.open else "<details>"
        return f"{opening}<summary>{prose(self.summary)}</summary>{self.inside.html()}</details>"

    def text(self) -> str:
        return f"{self.summary}\n{_indented(self.inside.text())}"


@dataclass(frozen=True, slots=True)
class Drawing:
    """An SVG made by `drawing.svg`, which escapes what it holds; text has no drawing."""

    svg: str

    def html(self) -> str:
        return self.svg

    def text(self) -> str:
        return ""


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else line for line in text.split("\n"))
