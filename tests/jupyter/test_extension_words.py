"""The words that the JupyterLab extension carries are those of the catalogues."""

import importlib.util
import json
from pathlib import Path

import pytest

from graphlab.messages import LANGUAGES, message, render, word
from graphlab.messages.lab_templates import LAB
from graphlab.messages.message import plain

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "extension" / "src" / "words.json"
SCHEMA = json.loads((ROOT / "extension" / "schema" / "panel.json").read_text("utf-8"))


def tool():
    spec = importlib.util.spec_from_file_location("extension_words", ROOT / "tools" / "extension_words.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["words.json", "unseen.json"])
def test_the_file_is_as_python_has_it(name):
    saved = (ROOT / "extension" / "src" / name).read_text("utf-8")
    assert saved == tool().files()[name], "python tools/extension_words.py writes it anew"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_count_takes_the_form_that_messages_take(lang):
    known = json.loads(WORDS.read_text("utf-8"))[lang]
    for n in (0, 1, 2, 3, 5, 11, 12, 21, 22, 100, 101, 111, 199):
        said = known["words"]["count.traces"][int(known["plural"][n])].replace("{n}", "N")
        assert plain(render(message("count.traces", n=n), lang)).replace(number(n, known["digits"]), "N") == said


def number(n, digits):
    return "".join(digits[int(digit)] for digit in str(n))


def test_the_schema_says_in_english_what_the_catalogue_says():
    """JupyterLab shows these until the extension has put the reader's language in their place."""
    assert SCHEMA["description"] == word("lab.settings.about", "en")
    for name, setting in SCHEMA["properties"].items():
        assert setting["title"] == word(f"lab.settings.{name}", "en")
        assert setting["description"] == word(f"lab.settings.{name}.about", "en")
    for choice in SCHEMA["properties"]["place"]["oneOf"]:
        assert choice["title"] == word(f"lab.settings.place.{choice['const']}", "en")
    assert {c["const"] for c in SCHEMA["properties"]["language"]["oneOf"]} == {"auto", *LANGUAGES}


def test_every_word_is_used():
    source = "".join(path.read_text("utf-8") for path in sorted((ROOT / "extension" / "src").rglob("*.ts")))
    built = ("lab.settings.", "lab.command.", "lab.kernel.")  # put together from a name
    commands = (ROOT / "extension" / "src" / "commands.ts").read_text("utf-8")
    for id_ in LAB:
        if id_.startswith("lab.command."):
            name = id_.removeprefix("lab.command.")
            assert f"'{name}'" in commands or id_ in commands, id_
        elif not id_.startswith(built):
            assert f"'{id_}'" in source, id_
