"""Characters that are not seen, or turn the text around them, are dots in every view without script."""

import re

import pytest

from graphlab.inspect import parts
from graphlab.inspect.unseen import TURNING, UNSEEN, pattern, upright, visible

TURN, JOIN, MARK = "\u202e", "\u200c", "\u200f"
CODE = f"x = 'a{TURN}b{MARK}{JOIN}c'"
SEEN = f"x = 'a•b•{JOIN}c'"
SENTENCE = f"\u2067سلام{JOIN}\u2069 {TURN}no"
UPRIGHT = f"\u2067سلام{JOIN}\u2069 •no"


def plain(html):
    return re.sub("<[^>]+>", "", html).replace("&#x27;", "'")


@pytest.mark.parametrize(
    ("part", "shown"),
    [
        (parts.Code(CODE), SEEN),
        (parts.Code(CODE, [[["k", "x = "], ["s", CODE[4:]]]], block=True), SEEN),
        (parts.Marked(f"`{CODE}`"), SEEN),
        (parts.Marked(f"**{SENTENCE}**"), UPRIGHT),
        (parts.Delta("", f"'{TURN}'", f"'{MARK}'"), "'•' → '•'"),
        (parts.Delta(f"d{TURN}", "1", "2"), "d•: 1 → 2"),
        (parts.Plain(SENTENCE), UPRIGHT),
        (parts.Details(SENTENCE, parts.Plain("")), UPRIGHT),
        (parts.Table([SENTENCE], []), UPRIGHT),
    ],
)
def test_every_part_shows_them(part, shown):
    assert plain(part.html()) == shown


@pytest.mark.parametrize(("function", "ranges"), [(visible, UNSEEN), (upright, TURNING)])
def test_the_pattern_is_what_the_function_replaces(function, ranges):
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x11000)]))
    assert function(everything) == re.sub(pattern(ranges), "•", everything)


def test_a_drawing_has_no_text_that_turns_round():
    from graphlab.inspect import drawing

    assert drawing._label(0, 0, f"a{TURN}<b>") == '<text x="0.0" y="0.0" font-size="12">a•&lt;b&gt;</text>'
