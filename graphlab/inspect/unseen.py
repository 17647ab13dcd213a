"""Characters that are not seen, or turn the text around them: views show a dot in their place, as JupyterLab's editor.

One table for all views: `tools/extension_words.py` writes it for the extension, and the sliders get it with their data.
Line ends and tabs are not among them, nor are the joiners that Persian and Hindi are written with.
"""

from __future__ import annotations

from typing import Final

DOT: Final = "•"

TURNING: Final = ((0x202A, 0x202E),)
"""What changes the order of everything after it; not even a sentence of ours holds one of these."""

UNSEEN: Final = (
    (0x0000, 0x0008),
    (0x000B, 0x001F),
    (0x007F, 0x009F),
    (0x00AD, 0x00AD),
    (0x061C, 0x061C),
    (0x200B, 0x200B),
    (0x200E, 0x200F),
    (0x2028, 0x2029),
    *TURNING,
    (0x2066, 0x2069),
    (0xFEFF, 0xFEFF),
)
"""What is not seen in code, first and last of each range."""


def visible(text: str) -> str:
    r"""A user's text, with a dot for each character that could not be seen.

    >>> visible("a\u202eb\u200bc"), visible("tab\tand line\n"), visible("نیم‌فاصله")
    ('a•b•c', 'tab\tand line\n', 'نیم‌فاصله')
    """
    return text if text.isprintable() else text.translate(_UNSEEN)


def upright(text: str) -> str:
    r"""A sentence, with a dot for each character that would turn the rest of it.

    >>> upright("a\u202eb\u2069")
    'a•b\u2069'
    """
    return text if text.isascii() else text.translate(_TURNING)


def pattern(ranges: tuple[tuple[int, int], ...]) -> str:
    r"""The ranges as a class of a regular expression, in Python's and JavaScript's writing.

    >>> pattern(TURNING)
    '[\\u202a-\\u202e]'
    """
    return "[" + "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in ranges) + "]"


_UNSEEN: Final = {code: DOT for first, last in UNSEEN for code in range(first, last + 1)}
_TURNING: Final = {code: DOT for first, last in TURNING for code in range(first, last + 1)}
