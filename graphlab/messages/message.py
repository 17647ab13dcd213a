"""A message (an id with values) and its rendering in a language.

The text has two inline marks that every view parses: `` `code` `` and `**strong**`; a backslash makes the next
character plain.
Values are inserted so that they cannot break the marks: user names and reprs are escaped, numbers get the language's
digits outside code.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Final

from graphlab.messages import languages
from graphlab.messages.catalogue import translation
from graphlab.messages.templates import TEMPLATES, Plural


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence before it has a language.

    Attributes:
        id: A key of `TEMPLATES`.
        values: Plain values by name: numbers, strings, lists of names, or other messages.
    """

    id: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return plain(render(self))


def message(id: str, /, **values: Any) -> Message:  # the word the catalogues use
    """A message by id.

    >>> print(message("retrace.python_number.value", path="steps"))
    steps is a Python number, and every new number makes a new trace.
    """
    return Message(id, values)


_MARKS: Final = re.compile(r"[\\`*]")
_FORMATTER: Final = Formatter()


def _escape(text: str, *, code: bool) -> str:
    # Inside code only the closing mark and the escape itself matter.
    return re.sub(r"[\\`]" if code else r"[\\`*]", lambda found: "\\" + found.group(), text)


def code(text: object) -> str:
    r"""`text` as a code mark, whatever it holds.

    >>> code("a`b")
    '`a\\`b`'
    """
    return f"`{_escape(str(text), code=True)}`"


def _value(value: Any, lang: str, *, in_code: bool) -> str:
    if isinstance(value, Message):
        return render(value, lang)
    if isinstance(value, Mapping) and "id" in value and "values" in value:
        return render(Message(value["id"], value["values"]), lang)
    if isinstance(value, Sequence) and not isinstance(value, str) and not in_code:
        return enumeration([render(item, lang) if isinstance(item, Message) else code(item) for item in value], lang)
    text = str(value)
    if not in_code and isinstance(value, int) and not isinstance(value, bool):
        return languages.localize_digits(text, lang)
    return _escape(text, code=in_code)


def enumeration(items: Sequence[str], lang: str) -> str:
    """Ready texts joined as the language lists things.

    >>> enumeration(["a", "b", "c"], "en"), enumeration(["a", "b"], "fa")
    ('a, b and c', 'a و b')
    """
    if len(items) < 2:
        return "".join(items)
    return word("list.comma", lang).join(items[:-1]) + word("list.and", lang) + items[-1]


def render(message: Message, lang: str | None = None) -> str:
    """The message as text with inline marks.

    Args:
        message: What to say. An id without a template is shown as it is, with its values: a view must not fail over a
            word.
        lang: A member of `LANGUAGES`; the current language when None.

    Returns:
        Text in which `` `code` `` and `**strong**` are marked.

    >>> render(Message("retrace.tensor.shape", {"path": "x", "axis": 0, "a": 2, "b": 3}), "en")
    '`x` has another shape: axis 0 went from 2 to 3.'
    """
    lang = lang or languages.language()
    template = TEMPLATES.get(message.id)
    if template is None:
        values = ", ".join(f"{name}={value}" for name, value in message.values.items())
        return _escape(f"{message.id} {values}".strip(), code=False)
    if isinstance(template, Plural):
        count = message.values.get(template.by)
        text = translation(lang).plural(message.id, template, count if isinstance(count, int) else 0)
    else:
        text = translation(lang).text(message.id, template)
    parts: list[str] = []
    in_code = False
    for literal, name, _, _ in _FORMATTER.parse(text):
        in_code ^= literal.count("`") % 2 == 1
        parts.append(literal)
        if name:
            parts.append(_value(message.values.get(name, ""), lang, in_code=in_code))
    return "".join(parts)


def word(id: str, lang: str | None = None) -> str:
    """A word or label without values, such as a tab's name."""
    template = TEMPLATES[id]
    if isinstance(template, Plural):
        raise TypeError(f"{id} needs a count")
    return translation(lang or languages.language()).text(id, template)


_PIECE: Final = re.compile(r"`((?:\\.|[^`\\])*)`|(\*\*)|\\(.)|([^`*\\]+|.)", re.DOTALL)


def pieces(text: str) -> list[tuple[str, bool, bool]]:
    """Marked text as (text, is code, is strong) pieces, for renderers.

    >>> pieces("**`f` ran** twice")
    [('f', True, True), (' ran', False, True), (' twice', False, False)]
    """
    found: list[tuple[str, bool, bool]] = []
    strong = False
    for match in _PIECE.finditer(text):
        code_text, star, escaped, other = match.groups()
        if star:
            strong = not strong
        elif code_text is not None:
            found.append((re.sub(r"\\(.)", r"\1", code_text, flags=re.DOTALL), True, strong))
        else:
            piece = escaped if escaped is not None else other
            if found and not found[-1][1] and found[-1][2] == strong:
                piece = found.pop()[0] + piece
            found.append((piece, False, strong))
    return found


def plain(text: str) -> str:
    """Marked text without its marks.

    >>> plain("**`f` ran** twice")
    'f ran twice'
    """
    return "".join(piece for piece, _, _ in pieces(text))


def data(message: Message, lang: str | None = None) -> dict[str, Any]:
    """The message as the panel's JSON holds it: id, plain values, rendered text."""
    return {"id": message.id, "values": _plain_values(message.values), "text": render(message, lang)}


def _plain_values(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain_value(value) for name, value in values.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, Message):
        return {"id": value.id, "values": _plain_values(value.values)}
    if isinstance(value, Mapping):
        return _plain_values(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Sequence):
        return [_plain_value(item) for item in value]
    return str(value)
