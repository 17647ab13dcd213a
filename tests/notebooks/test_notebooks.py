"""The saved tutorials are what their sources say, in every language the same program, and hold all their outputs."""

import json
import re
from pathlib import Path

import jsonschema
import nbformat
import pytest

from graphlab import inspect
from graphlab.inspect.panel import MIME
from graphlab.inspect.volatile import without_volatile
from graphlab.messages import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted({path.name for path in ROOT.glob("notebooks/*/*.ipynb")})
SCHEMA = json.loads((Path(inspect.__file__).parent / "panel.schema.json").read_text("utf-8"))
EACH = [(name, lang) for name in NAMES for lang in LANGUAGES]
TRANSLATED = [(name, lang) for name, lang in EACH if lang != "en"]


def read(name, lang):
    return nbformat.read(ROOT / "notebooks" / lang / name, 4)


def code_cells(name, lang):
    return [cell for cell in read(name, lang).cells if cell.cell_type == "code"]


def displayed(name, lang):
    return [output.data for cell in code_cells(name, lang) for output in cell.outputs if "data" in output]


def test_the_first_tutorial_is_there():
    assert "01_graphs_and_functions.ipynb" in NAMES


@pytest.mark.parametrize(("name", "lang"), TRANSLATED)
def test_the_code_is_equal_in_every_language_comments_and_the_panels_language_aside(builder, name, lang):
    def program(language):
        lines = [builder.split_comments(cell.source)[0] for cell in code_cells(name, language)]
        return [line.replace(f"%tf_lang {language}", "%tf_lang …") for line in lines]

    assert program(lang) == program("en")
    assert "\n".join(program(lang)).count("%tf_lang …") == 1


@pytest.mark.parametrize(("name", "lang"), EACH)
def test_saved_notebooks_are_as_their_sources_say(builder, name, lang):
    assert builder.differences(name.removesuffix(".ipynb"), lang) == []


@pytest.mark.parametrize(("name", "lang"), EACH)
def test_every_cell_was_run_in_order_and_is_compared(name, lang):
    cells = code_cells(name, lang)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(output.output_type != "error" for cell in cells for output in cell.outputs)
    assert all(not cell.metadata for cell in cells)  # no tag tells nbval to skip a cell
    assert not any(re.search("NBVAL|PYTEST_VALIDATE", cell.source) for cell in cells)


@pytest.mark.parametrize(("name", "lang"), EACH)
def test_panels_are_valid_speak_the_language_and_hold_nothing_volatile(name, lang):
    bundles = [data for data in displayed(name, lang) if MIME in data]
    assert len(bundles) >= 8
    for data in bundles:
        jsonschema.validate(data[MIME], SCHEMA)
        assert data[MIME]["lang"] == lang
        assert f'lang="{lang}"' in data["text/html"]
        assert without_volatile(dict(data)) == data


@pytest.mark.parametrize(("name", "lang"), EACH)
def test_every_cell_that_traces_shows_a_panel(name, lang):
    for cell in code_cells(name, lang):
        panels = [output for output in cell.outputs if MIME in output.get("data", {})]
        assert len(panels) == cell.source.startswith("%%tf_function")


# ------------------------------------------------------------------------------------------------------------------ text


def code_in(text):
    """What stands between backticks, or in Persian in code elements, as a sorted list."""
    fences = re.findall(r"^```.*?^```$", text, re.MULTILINE | re.DOTALL)
    for fence in fences:
        text = text.replace(fence, "")
    return fences, sorted(re.findall(r"`([^`]+)`", text))


@pytest.mark.parametrize(("name", "lang"), TRANSLATED)
def test_texts_are_translated_and_name_the_same_code(builder, name, lang):
    stem = name.removesuffix(".ipynb")
    english = {part.id: part.text for part in builder.read(stem, "en") if part.kind == "text"}
    here = {part.id: part.text for part in builder.read(stem, lang) if part.kind == "text"}
    assert list(here) == list(english)
    for id_, text in english.items():
        assert here[id_] != text
        assert code_in(here[id_]) == code_in(text), id_
        assert here[id_].count("<details>") == text.count("<details>")
        assert re.findall(r"^#+ |^- |^\d\. ", here[id_], re.MULTILINE) == re.findall(
            r"^#+ |^- |^\d\. ", text, re.MULTILINE
        )


@pytest.mark.parametrize(("name", "lang"), TRANSLATED)
def test_comments_that_say_something_are_translated(builder, name, lang):
    stem = name.removesuffix(".ipynb")
    said = {
        comment
        for part in builder.read(stem, "en")
        if part.kind == "code"
        for comment in builder.split_comments(part.text)[1]
        if " " in comment
    }
    known = builder.comments(stem, lang)
    assert set(known) == said
    assert all(known[comment] not in {"", comment} for comment in said)


@pytest.mark.parametrize("name", NAMES)
def test_persian_prose_goes_from_right_to_left_and_its_code_from_left_to_right(name):
    for cell in read(name, "fa").cells:
        if cell.cell_type == "markdown":
            assert cell.source.startswith('<div dir="rtl" lang="fa">\n\n')
            assert cell.source.endswith("\n\n</div>")
            prose = re.sub(r"^```.*?^```$", "", cell.source, flags=re.MULTILINE | re.DOTALL)
            assert "`" not in prose  # every piece of code is an element that says its direction
            assert prose.count("<div") == prose.count("</div>")


# ---------------------------------------------------------------------------------------------------------- the builder


def test_a_translation_without_a_text_is_refused(builder, tmp_path, monkeypatch):
    monkeypatch.setattr(builder, "SOURCES", tmp_path)
    (tmp_path / "n.en.md").write_text(
        "<!-- text: one -->\n\nOne\n\n<!-- code: one -->\n\n```python\nx = 1  # set it\n```\n\n<!-- text: two -->\n\nTwo\n"
    )
    (tmp_path / "n.it.md").write_text("<!-- text: one -->\n\nUno\n\n<!-- comments -->\n\n- set it = impostalo\n")
    with pytest.raises(builder.SourceError, match="two"):
        builder.make("n", "it")
    (tmp_path / "n.it.md").write_text(
        "<!-- text: one -->\n\nUno\n\n<!-- text: two -->\n\nDue\n\n<!-- comments -->\n\n- set = x\n"
    )
    with pytest.raises(builder.SourceError, match="set"):
        builder.make("n", "it")
    (tmp_path / "n.it.md").write_text(
        "<!-- text: one -->\n\nUno\n\n<!-- text: two -->\n\nDue\n\n<!-- comments -->\n\n- set it = impostalo\n"
    )
    made = builder.make("n", "it")
    assert [(cell.id, cell.source) for cell in made.cells] == [
        ("one-text", "Uno"),
        ("one", "x = 1  # impostalo"),
        ("two-text", "Due"),
    ]


def test_a_change_in_a_saved_notebook_is_told(builder, tmp_path, monkeypatch):
    name = "01_graphs_and_functions"
    saved = read(f"{name}.ipynb", "en")
    saved.cells[1].source += "\nx = 1"
    (tmp_path / "en").mkdir()
    nbformat.write(saved, tmp_path / "en" / f"{name}.ipynb")
    monkeypatch.setattr(builder, "NOTEBOOKS", tmp_path)
    assert builder.differences(name, "en") == [f"en/{name}.ipynb: cell setup is not as in the source"]
    assert builder.differences(name, "it") == [f"it/{name}.ipynb: is missing"]
