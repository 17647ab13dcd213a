"""The catalogues' upkeep, with Babel: `python -m graphlab.messages.catalogues update|check`.

`update` brings every `.po` in line with `templates.py` (new ids untranslated, changed ones fuzzy, dropped ones gone);
`check` lists what is missing. `tools/catalogues.py` compiles them. Nothing here is needed at run time.
"""

from __future__ import annotations

import string
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from graphlab.messages.catalogue import DOMAIN, LOCALE
from graphlab.messages.languages import LANGUAGES
from graphlab.messages.templates import TEMPLATES, Plural

SAME_AS_ENGLISH: Final[dict[str, tuple[str, ...]]] = {
    # Words that are the same in a language, and templates that hold nothing but values.
    "*": (
        "badge.name",
        "reject.both",
        "code.count",
        "graph.aria.op",
        "graph.shape.only",
        "optimizer.other",
        "lede.functions",
        "graph.node.return",
        "output.where.nowhere",
        "output.where.place",
        "code.helper",
        "code.place",
        "code.lede.item",
        "trace.where.unwatched.elsewhere",
        "list.comma",
        "step.branch",
        "predict.both",
        "lab.side.count",
        "lab.side.lede",
    ),
    "es": ("compare.variable", "compare.error", "explore.kind.tensor"),
    "it": ("compare.output",),
}
"""By language ("*": all), the ids whose translation may equal the English source."""


PLURALS: Final = {
    # One and many are enough for the counts told here; the form for millions that Spanish and Italian have is left out.
    "es": "nplurals=2; plural=(n != 1)",
    "it": "nplurals=2; plural=(n != 1)",
}


def extract() -> Iterable[tuple[str, str | tuple[str, str]]]:
    """The ids with their msgid, or (msgid, msgid_plural)."""
    for id_, template in TEMPLATES.items():
        yield id_, (template.one, template.other) if isinstance(template, Plural) else template


def placeholders(text: str) -> set[str]:
    """The value names in a template.

    >>> sorted(placeholders("{a} of {b}"))
    ['a', 'b']
    """
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def template_catalogue() -> Any:
    """The sources as a Babel catalogue."""
    from babel.messages.catalog import Catalog

    made = Catalog(project="graphlab", copyright_holder="The graphlab developers", charset="utf-8", fuzzy=False)
    for id_, source in extract():
        made.add(source, context=id_)
    return made


def path(lang: str) -> Path:
    """Where a language's catalogue is kept."""
    return LOCALE / lang / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(lang: str) -> Any:
    """A language's catalogue as Babel reads it; an empty one when there is none yet."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    file = path(lang)
    if not file.exists():
        made = Catalog(locale=lang, project="graphlab", charset="utf-8", fuzzy=False)
        if lang in PLURALS:
            made.mime_headers = [("Plural-Forms", PLURALS[lang] + ";")]
        return made
    with file.open("rb") as stream:
        return read_po(stream, locale=lang)


def write(lang: str, made: Any) -> None:
    """Writes a language's catalogue, without what changes from run to run."""
    from babel.messages.pofile import write_po

    file = path(lang)
    file.parent.mkdir(parents=True, exist_ok=True)
    made.fuzzy = False
    with file.open("wb") as stream:
        write_po(stream, made, width=0, omit_header=True, ignore_obsolete=True)
    text = file.read_text("utf-8")
    header = (
        'msgid ""\nmsgstr ""\n"Project-Id-Version: graphlab\\n"\n'
        f'"Language: {lang}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {made.plural_forms.rstrip(";")};\\n"\n\n'
    )
    file.write_text(header + text.lstrip("\n"), "utf-8")


def update() -> None:
    """Brings the catalogues in line with the templates; English is filled with its own source."""
    source = template_catalogue()
    for lang in LANGUAGES:
        made = read(lang)
        made.update(source, no_fuzzy_matching=True)
        if lang == "en":
            for entry in made:
                if entry.id:
                    entry.string = entry.id
        write(lang, made)


def problems(lang: str) -> list[str]:
    """What is wrong with a language's catalogue, a sentence each."""
    made = read(lang)
    found = []
    sources = dict(extract())
    allowed = {*SAME_AS_ENGLISH["*"], *SAME_AS_ENGLISH.get(lang, ())}
    for id_, source in sources.items():
        entry = made.get(source, context=id_)
        strings = [] if entry is None else [entry.string] if isinstance(entry.string, str) else list(entry.string)
        forms = made.num_plurals if isinstance(source, tuple) else 1
        if len(strings) != forms or not all(strings):
            found.append(f"{id_}: not translated")
            continue
        if entry.fuzzy:
            found.append(f"{id_}: fuzzy")
        wanted = placeholders(source if isinstance(source, str) else source[1])
        for text in strings:
            got = placeholders(text)
            # A form for one may say the number in words.
            if got != wanted and not (forms > 1 and got < wanted and len(wanted - got) == 1 and text is strings[0]):
                found.append(f"{id_}: values {sorted(got)}, not {sorted(wanted)}")
            if text.count("`") % 2 or text.count("**") % 2:
                found.append(f"{id_}: marks do not close")
        english = {source} if isinstance(source, str) else set(source)
        if lang != "en" and english & set(strings) and id_ not in allowed:
            found.append(f"{id_}: is still English")
    ids = {(id_, source if isinstance(source, str) else source[0]) for id_, source in sources.items()}
    known = [(entry.context, entry.id if isinstance(entry.id, str) else entry.id[0]) for entry in made if entry.id]
    return found + [f"{context}: no longer used" for context, msgid in known if (context, msgid) not in ids]


def main(arguments: list[str]) -> int:
    """The command line."""
    if arguments == ["check"]:
        lines = [f"{lang}: {problem}" for lang in LANGUAGES for problem in problems(lang)]
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        return int(bool(lines))
    if arguments != ["update"]:
        sys.stderr.write("Write: python -m graphlab.messages.catalogues update|check\n")
        return 2
    update()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
