"""Source text as tokens with a class each; pygments where it is installed, else plain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

Tokens = list[list[str]]
"""`[class, text]` pairs of one line.

Classes: k keyword, n number, s string, c comment, o operator, b builtin, m decorator or magic, d definition.
"""


def lines(text: str) -> list[Tokens]:
    """The tokens of each line of `text`; their texts joined are the line.

    >>> "".join(part for _, part in lines("x = 1")[0])
    'x = 1'
    """
    return [[list(token) for token in line] for line in _lines(text)]


@lru_cache(maxsize=256)
def _lines(text: str) -> Sequence[Sequence[tuple[str, str]]]:
    try:
        found = _pygments(text)
    except ImportError:
        return [[("", line)] if line else [] for line in text.split("\n")]
    result: list[list[tuple[str, str]]] = [[]]
    for kind, value in found:
        for index, part in enumerate(value.split("\n")):
            if index:
                result.append([])
            if not part:
                continue
            last = result[-1]
            if last and last[-1][0] == kind:
                part = last.pop()[1] + part
            last.append((kind, part))
    return result


def _pygments(text: str) -> list[tuple[str, str]]:
    from pygments.token import Comment, Keyword, Name, Number, Operator, String

    # In order: the first that a token belongs to.
    classes: list[tuple[Any, str]] = [
        (Name.Decorator, "m"),
        (Keyword, "k"),
        (Operator.Word, "k"),
        (Number, "n"),
        (String, "s"),
        (Comment, "c"),
        (Name.Builtin, "b"),
        (Name.Function, "d"),
        (Operator, "o"),
    ]

    def kind(token: Any, value: str) -> str:
        if value == ".":
            return ""
        return next((name for parent, name in classes if token in parent), "")

    pieces: list[tuple[str, str]] = []
    head, newline, rest = text.partition("\n")
    if head.startswith("%%"):
        pieces.append(("m", head + newline))
        text = rest
    pieces += [(kind(token, value), value) for token, value in _lexer().get_tokens(text)]
    return pieces


@lru_cache(maxsize=1)
def _lexer() -> Any:
    from pygments.lexers.python import PythonLexer

    return PythonLexer(stripnl=False, ensurenl=False)
