"""In a sentence numbers have the digits of its language; in code and with a unit they are Latin."""

import re

import pytest

from graphlab.messages.message import pieces
from tests.jupyter.test_cell import WALK


def sentences(value):
    if isinstance(value, dict):
        if {"id", "values", "text"} <= value.keys():
            yield value
        for name, inside in value.items():
            if name not in ("values", "volatile", "words"):
                yield from sentences(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from sentences(inside)


@pytest.mark.parametrize("magic", [None, "%tf_step walk(tf.zeros(2), 3)", "%tf_compare walk(tf.zeros(2), 3)"])
def test_no_sentence_of_a_persian_panel_has_latin_digits(shell, magic):
    shell.run("%tf_lang fa")
    shell.run(WALK)
    panel = shell.panel
    if magic:
        panel = next(iter(shell.run(magic).result._repr_mimebundle_().values()))
    found = list(sentences(panel))
    prose = {item["id"]: "".join(text for text, code, _ in pieces(item["text"]) if not code) for item in found}
    assert any(re.search("[۰-۹]", text) for text in prose.values())
    assert {id_: text for id_, text in prose.items() if re.search("[0-9]", text)} == {}
