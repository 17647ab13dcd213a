"""Writes what the JupyterLab extension shares with Python: its words, from the catalogues, and a table of characters.

    python tools/extension_words.py           write `extension/src/words.json` and `extension/src/unseen.json`
    python tools/extension_words.py --check   say whether they are as Python has it

For each language: its direction, its digits, which plural form a count takes (from 0 to 199; larger ones go by their
last two digits, as the rules of all six languages do), and the templates by message id.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from babel.messages.plurals import get_plural  # noqa: E402

from graphlab.inspect.unseen import TURNING, UNSEEN, pattern  # noqa: E402
from graphlab.messages import catalogues, digits, direction  # noqa: E402
from graphlab.messages.lab_templates import LAB, LAB_SHARED  # noqa: E402
from graphlab.messages.languages import LANGUAGES  # noqa: E402

SOURCES = ROOT / "extension" / "src"
COUNTS = range(200)


def words(lang: str) -> dict[str, Any]:
    """What the extension says in one language."""
    made = catalogues.read(lang)
    wanted = {*LAB, *LAB_SHARED}
    found = {entry.context: entry.string for entry in made if entry.context in wanted}
    missing = wanted - found.keys()
    if missing:
        raise SystemExit(f"{lang}: not in the catalogue: {', '.join(sorted(missing))}")
    return {
        "dir": direction(lang),
        "digits": digits(lang),
        "plural": "".join(str(_form(made, n)) for n in COUNTS),
        "words": {
            id_: text if isinstance(text, str) else list(text) for id_, text in sorted(found.items()) if id_ is not None
        },
    }


def _form(made: Any, n: int) -> int:
    """The index of the plural form for a count, by the rule in a catalogue's head."""
    from gettext import c2py

    return int(c2py(made.plural_expr or get_plural(made.locale).plural_expr)(n))


def files() -> dict[str, str]:
    """The files as they should be, by name."""
    made = {
        "words.json": {lang: words(lang) for lang in LANGUAGES},
        "unseen.json": {"turning": pattern(TURNING), "unseen": pattern(UNSEEN)},
    }
    return {name: json.dumps(data, ensure_ascii=False, indent=1) + "\n" for name, data in made.items()}


def main() -> None:
    """Write the files, or say that one is stale."""
    for name, made in files().items():
        target = SOURCES / name
        if sys.argv[1:] != ["--check"]:
            target.write_text(made, encoding="utf-8")
        elif not target.is_file() or target.read_text(encoding="utf-8") != made:
            raise SystemExit(f"extension/src/{name} is not as Python has it: python tools/extension_words.py")


if __name__ == "__main__":
    main()
