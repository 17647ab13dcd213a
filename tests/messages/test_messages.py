"""What graphlab says: rendering, languages, catalogues."""

import gettext
import io

import pytest

from graphlab import messages
from graphlab.messages import LANGUAGES, TEMPLATES, Message, Plural, catalogue, catalogues, message, render
from graphlab.messages.languages import match
from graphlab.messages.message import enumeration, pieces, plain
from graphlab.tracing.reasons import REASONS


@pytest.fixture(autouse=True)
def _no_language(monkeypatch):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    yield
    messages.set_language(None)
    messages.set_frontend_language(None)


def traced(times, calls):
    return message(
        "lede.retraced", f="walk", times=message("count.times", n=times), calls=message("count.for_calls", n=calls)
    )


@pytest.mark.parametrize(
    ("said", "lang", "text"),
    [
        (message("retrace.first"), "en", "First call: there was no trace yet."),
        (message("retrace.tensor.shape", path="x", axis=0, a=2, b=3), "en", "`x` has another shape: axis 0 went from 2 to 3."),
        (message("retrace.tensor.shape", path="x", axis=0, a=2, b=None), "en", "`x` has another shape: axis 0 went from 2 to None."),
        (traced(1, 1), "en", "**`walk` was traced once for 1 call.**"),
        (traced(4, 6), "en", "**`walk` was traced 4 times for 6 calls.**"),
        (message("lede.hit", f="f", n=2, traces=["T2", "T4"]), "en", "**No new trace for 2 calls.** `f` reused `T2` and `T4`."),
        (message("fix.in_line", line=15), "fa", "در سطر ۱۵ بنویسید"),
        (message("reject.value", path="n", now="40", was="3"), "fa", "`n` برابر `40` است؛ این ردیابی فقط `3` می‌پذیرد"),
        (message("count.calls", n=1), "ru", "1 вызов"),
        (message("count.calls", n=2), "ru", "2 вызова"),
        (message("count.calls", n=5), "ru", "5 вызовов"),
        (message("count.calls", n=11), "ru", "11 вызовов"),
        (message("count.calls", n=21), "ru", "21 вызов"),
        (message("count.traces", n=2), "es", "2 trazas"),
        (message("count.traces", n=1), "it", "1 traccia"),
        (message("count.traces", n=3), "zh", "3 次跟踪"),
    ],
)  # fmt: skip
def test_a_message_is_rendered_in_a_language(said, lang, text):
    assert render(said, lang) == text


@pytest.mark.parametrize("name", ["a`b", "**x**", "back\\slash", "`", "\\`", "<b>", "{n}", "*"])
def test_what_the_user_names_cannot_break_the_marks(name):
    text = render(message("lede.uncalled", f=name), "en")
    found = pieces(text)
    assert found[0] == (name, True, True)
    assert plain(text) == f"{name} is defined, not called yet. It is traced at its first call, not now."


def test_values_outside_code_cannot_break_the_marks():
    text = render(message("lede.error", f="f", l=3, error="a `b` **c** \\d"), "en")
    assert plain(text) == "Tracing of f stopped at line 3: a `b` **c** \\d"


def test_an_unknown_id_is_shown_with_its_values_rather_than_failing():
    assert plain(render(Message("nowhere.known", {"a": 1}), "fa")) == "nowhere.known a=1"


@pytest.mark.parametrize(
    ("items", "lang", "text"),
    [
        (["a"], "en", "a"),
        (["a", "b"], "es", "a y b"),
        (["a", "b", "c"], "ru", "a, b и c"),
        (["a", "b", "c"], "zh", "a、b 和 c"),
    ],
)
def test_lists_are_joined_as_the_language_joins_them(items, lang, text):
    assert enumeration(items, lang) == text


# ------------------------------------------------------------------------------------------------------------- languages


@pytest.mark.parametrize(
    ("name", "code"),
    [("fa_IR.UTF-8", "fa"), ("zh-CN", "zh"), ("zh_TW", "zh"), ("en", "en"), ("C.UTF-8", None), ("de", None), ("default", None), (None, None)],
)  # fmt: skip
def test_language_names_in_any_spelling(name, code):
    assert match(name) == code


def test_the_users_choice_goes_before_the_front_end_before_the_environment(monkeypatch):
    assert messages.language() == "en"
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    assert messages.language() == "ru"
    monkeypatch.setenv("LANGUAGE", "de:es")
    assert messages.language() == "es"
    messages.set_frontend_language("zh-CN")
    assert messages.language() == "zh"
    messages.set_language("fa")
    assert messages.language() == "fa"
    messages.set_language(None)
    messages.set_frontend_language("default")
    assert messages.language() == "es"


def test_a_language_without_a_catalogue_is_refused_by_name():
    with pytest.raises(ValueError, match="no catalogue for language 'de'"):
        messages.set_language("de")


def test_directions_and_digits():
    assert [messages.direction(lang) for lang in LANGUAGES] == ["ltr", "ltr", "rtl", "ltr", "ltr", "ltr"]
    assert messages.digits("fa")[7] == "۷"


# ------------------------------------------------------------------------------------------------------------ catalogues


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_catalogue_is_complete_and_in_line_with_the_templates(lang):
    assert catalogues.problems(lang) == []


def test_what_is_wrong_with_a_catalogue_is_found(monkeypatch):
    changed = dict(TEMPLATES)
    changed["retrace.first"] = "Another sentence."
    changed["key.new"] = "a new word"
    del changed["tab.graph"]
    monkeypatch.setattr(catalogues, "TEMPLATES", changed)
    assert set(catalogues.problems("it")) == {
        "retrace.first: not translated",
        "key.new: not translated",
        "retrace.first: no longer used",
        "tab.graph: no longer used",
    }


def test_a_wrong_placeholder_and_an_english_translation_are_found(monkeypatch):
    made = catalogues.read("it")
    made.get("Copy", context="copy").string = "Copy"
    made.get("Write in line {line}", context="fix.in_line").string = "Scrivi alla riga {riga}"
    made.get(TEMPLATES["retrace.requested"], context="retrace.requested").string = "`get_concrete_function ha chiesto."
    monkeypatch.setattr(catalogues, "read", lambda lang: made)
    assert set(catalogues.problems("it")) == {
        "copy: is still English",
        "fix.in_line: values ['riga'], not ['line']",
        "retrace.requested: marks do not close",
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_text_of_a_catalogue_says_the_same_as_the_compiled_one(lang):
    from babel.messages.mofile import write_mo

    compiled = io.BytesIO()
    write_mo(compiled, catalogues.read(lang))
    compiled.seek(0)
    reference = gettext.GNUTranslations(compiled)
    text = catalogue._PoTranslations(catalogues.path(lang).read_text("utf-8"))
    for id_, template in TEMPLATES.items():
        if isinstance(template, Plural):
            for count in (0, 1, 2, 3, 5, 11, 21, 22, 100):
                arguments = (id_, template.one, template.other, count)
                assert text.npgettext(*arguments) == reference.npgettext(*arguments)
        else:
            assert text.pgettext(id_, template) == reference.pgettext(id_, template)


def test_every_sentence_renders_in_every_language_with_its_values():
    for id_, template in TEMPLATES.items():
        sources = [template.one, template.other] if isinstance(template, Plural) else [template]
        names = set().union(*(catalogues.placeholders(source) for source in sources))
        for lang in LANGUAGES:
            for count in (1, 2, 5):
                values = {name: f"<{name}>" for name in names}
                if isinstance(template, Plural):
                    values[template.by] = count
                text = plain(render(Message(id_, values), lang))
                for name in names:
                    if not (isinstance(template, Plural) and name == template.by):
                        assert f"<{name}>" in text, (id_, lang)


def test_every_cause_that_tracing_names_has_a_sentence_made_of_its_values():
    for id_, values in REASONS.items():
        template = TEMPLATES[id_]
        sources = [template.one, template.other] if isinstance(template, Plural) else [template]
        for source in sources:
            assert catalogues.placeholders(source) <= set(values), id_


def test_the_command_line_says_what_is_missing(monkeypatch, capsys):
    assert catalogues.main(["check"]) == 0
    monkeypatch.setattr(catalogues, "TEMPLATES", {**TEMPLATES, "key.new": "a new word"})
    assert catalogues.main(["check"]) == 1
    assert "ru: key.new: not translated" in capsys.readouterr().out
    assert catalogues.main(["chekc"]) == 2
