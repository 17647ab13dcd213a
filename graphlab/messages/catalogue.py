"""Translations at run time: gettext's compiled catalogues, or the `.po` text in a checkout without them."""

import ast
import gettext
import re
from functools import cache
from pathlib import Path
from typing import Final

from graphlab.messages.templates import Plural

DOMAIN: Final = "graphlab"
LOCALE: Final = Path(__file__).parent / "locale"
_CONTEXT: Final = "\x04"  # how gettext joins a context and a msgid


class Translation:
    """One language's catalogue; what it lacks is said in English."""

    def __init__(self, catalogue: gettext.NullTranslations) -> None:
        self._catalogue = catalogue

    def text(self, id: str, source: str) -> str:
        return self._catalogue.pgettext(id, source)

    def plural(self, id: str, source: Plural, count: int) -> str:
        return self._catalogue.npgettext(id, source.one, source.other, count)


@cache
def translation(lang: str) -> Translation:
    """The catalogue of a language, read once."""
    folder = LOCALE / lang / "LC_MESSAGES"
    compiled, source = folder / f"{DOMAIN}.mo", folder / f"{DOMAIN}.po"
    newer = compiled.exists() and (not source.exists() or compiled.stat().st_mtime >= source.stat().st_mtime)
    if newer:
        with compiled.open("rb") as file:
            return Translation(gettext.GNUTranslations(file))
    if source.exists():
        return Translation(_PoTranslations(source.read_text("utf-8")))
    return Translation(gettext.NullTranslations())


class _PoTranslations(gettext.GNUTranslations):
    """A catalogue read from `.po` text: what an editable install has. Fuzzy entries are skipped."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._catalog: dict[str | tuple[str, int], str] = {}
        self.plural = lambda n: int(n != 1)
        for entry in parse_po(text):
            if "fuzzy" in entry.flags:
                continue
            if not entry.msgid:
                self._read_header(entry.strings[0])
                continue
            key = f"{entry.context}{_CONTEXT}{entry.msgid}" if entry.context is not None else entry.msgid
            if entry.plural is None:
                if entry.strings[0]:
                    self._catalog[key] = entry.strings[0]
            elif all(entry.strings.values()):
                for index, string in entry.strings.items():
                    self._catalog[key, index] = string

    def _read_header(self, header: str) -> None:
        found = re.search(r"plural=([^;\n]+)", header)
        if found:
            self.plural = gettext.c2py(found.group(1))  # what GNUTranslations itself uses


class PoEntry:
    """One entry of a `.po` file."""

    __slots__ = ("context", "flags", "msgid", "plural", "strings")

    def __init__(self) -> None:
        self.context: str | None = None
        self.msgid = ""
        self.plural: str | None = None
        self.strings: dict[int, str] = {}
        self.flags: set[str] = set()


_LINE: Final = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d+)\])?)?\s*(".*")\s*$')


def parse_po(text: str) -> list[PoEntry]:
    """The entries of a `.po` file, header first; obsolete ones (`#~`) are left out."""
    entries: list[PoEntry] = []
    entry = PoEntry()
    where: tuple[str, int] = ("", 0)
    started = False

    def close() -> None:
        nonlocal entry, started
        if started and entry.strings:
            entries.append(entry)
        entry, started = PoEntry(), False

    for line in text.splitlines():
        if line.startswith("#,"):
            entry.flags |= {flag.strip() for flag in line[2:].split(",")}
        elif not line.strip():
            close()
        elif found := _LINE.match(line):
            keyword, index, quoted = found.groups()
            part: str = ast.literal_eval(quoted)
            if keyword:
                started = True
                where = ("msgstr", int(index or 0)) if keyword.startswith("msgstr") else (keyword, 0)
                if keyword == "msgctxt":
                    entry.context = ""
                elif keyword == "msgid_plural":
                    entry.plural = ""
            match where[0]:
                case "msgctxt":
                    entry.context = (entry.context or "") + part
                case "msgid":
                    entry.msgid += part
                case "msgid_plural":
                    entry.plural = (entry.plural or "") + part
                case _:
                    entry.strings[where[1]] = entry.strings.get(where[1], "") + part
    close()
    return entries
