"""Compile the gettext catalogues graphlab/messages/locale/<language>/LC_MESSAGES/graphlab.po to .mo files beside them.

    python tools/catalogues.py

The wheel's build hook calls `compile_all` too. At run time graphlab reads the .mo files with the standard library.
"""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent


def compile_all() -> list[Path]:
    """Compile each catalogue that is newer than its compiled form; return all compiled files."""
    compiled = []
    for source in sorted(ROOT.glob("graphlab/messages/locale/*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime_ns < source.stat().st_mtime_ns:
            print(f"graphlab: compiling {source.relative_to(ROOT)}", flush=True)
            with source.open("rb") as file:
                catalogue = read_po(file, abort_invalid=True)
            with target.open("wb") as file:
                write_mo(file, catalogue)
        compiled.append(target)
    return compiled


if __name__ == "__main__":
    compile_all()
