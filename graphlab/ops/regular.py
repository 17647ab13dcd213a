"""Regular expressions of RE2 on byte strings, run by Python's ``re``.

What differs is translated: the dollar means the end of the text, character classes are ASCII, ``[[:alpha:]]`` is
spelled out, and a global replacement never replaces an empty match right behind another match.
"""

from __future__ import annotations

import re
from functools import lru_cache

from graphlab.core.errors import InvalidArgumentError

_POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x00-\x7F", "blank": r"\t ", "cntrl": r"\x00-\x1F\x7F",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~", "space": r"\t\n\v\f\r ",
    "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


@lru_cache(maxsize=256)
def compiled(pattern: bytes) -> re.Pattern[str]:
    """The compiled pattern.  InvalidArgumentError if it is none."""
    source = _text(pattern)
    out: list[str] = []
    inside = False
    at = 0
    while at < len(source):
        char = source[at]
        if char == "\\" and at + 1 < len(source):
            pair = source[at : at + 2]
            out.append({r"\z": r"\Z", r"\C": r"[\s\S]", r"\Q": ""}.get(pair, pair))
            at += 2
            continue
        if inside:
            found = re.match(r"\[:(\^?)(\w+):\]", source[at:])
            if found and found[2] in _POSIX and not found[1]:
                out.append(_POSIX[found[2]])
                at += found.end()
                continue
            if char == "[":
                char = r"\["
            elif char == "]":
                inside = False
        elif char == "[":
            inside = True
            start = re.match(r"\[\^?\]?", source[at:])
            assert start is not None
            out.append(start[0])
            at += start.end()
            continue
        elif char == "$" and "(?m" not in source:
            char = r"\Z"
        out.append(char)
        at += 1
    try:
        return re.compile("".join(out), re.ASCII)
    except re.error as error:
        raise InvalidArgumentError(None, None, f"Invalid pattern: {source}, error: {error}") from None


def full_match(text: bytes, pattern: bytes) -> bool:
    """Whether the whole text fits the pattern."""
    return compiled(pattern).fullmatch(_text(text)) is not None


@lru_cache(maxsize=256)
def _rewrite(rewrite: bytes) -> list[str | int]:
    """The parts of a replacement: text, and the numbers of groups."""
    parts: list[str | int] = []
    text = _text(rewrite)
    at = 0
    while at < len(text):
        if text[at] == "\\":
            after = text[at + 1 : at + 2]
            if after.isdigit():
                parts.append(int(after))
            elif after == "\\":
                parts.append("\\")
            else:  # as in RE2 such a replacement changes nothing
                return [-1]
            at += 2
        else:
            parts.append(text[at])
            at += 1
    return parts


def replace(text: bytes, pattern: bytes, rewrite: bytes, everywhere: bool) -> bytes:
    """The text with the first match, or every match, replaced."""
    found = compiled(pattern)
    parts = _rewrite(rewrite)
    if any(isinstance(part, int) and not 0 <= part <= found.groups for part in parts):
        return text  # a group that the pattern does not have: as in RE2 nothing is replaced
    source = _text(text)
    out: list[str] = []
    end = 0
    replaced = False
    for match in found.finditer(source):
        if replaced and match.start() == match.end() == end:
            continue
        out.append(source[end : match.start()])
        out += [part if isinstance(part, str) else match[part] or "" for part in parts]
        end = match.end()
        replaced = True
        if not everywhere:
            break
    out.append(source[end:])
    return _bytes("".join(out))
