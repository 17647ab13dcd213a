"""The command `graphlab`: `graphlab tutorial` copies the tutorial notebooks here and opens them in JupyterLab."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from graphlab.messages import LANGUAGES, language, message, set_language
from graphlab.messages.languages import match
from graphlab.version import __version__

_PACKAGE: Final = Path(__file__).resolve().parent


class Failure(Exception):
    """What the command says before it ends without success."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command.

    Args:
        arguments: What follows `graphlab` on the command line; `sys.argv` when None.

    Returns:
        The exit status: 0 when all went well, 1 when it could not be done, 2 when the arguments make no sense.
    """
    options = _parser().parse_args(arguments)
    try:
        if options.lang is not None:
            set_language(options.lang)
        files = copy(options.lang or language(), Path(), force=options.force)
        return 0 if options.no_open else open_lab(files)
    except Failure as failure:
        print(f"graphlab: {failure}", file=sys.stderr)
        return 1
    finally:
        if options.lang is not None:
            set_language(None)


def _parser() -> argparse.ArgumentParser:
    def say(id_: str, **values: object) -> str:
        return str(message(id_, **values)).replace("%", "%%")

    def add_help(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("-h", "--help", action="help", help=say("cli.help.help"))

    parser = argparse.ArgumentParser("graphlab", description=say("cli.about"), add_help=False)
    add_help(parser)
    parser.add_argument("--version", action="version", version=f"graphlab {__version__}", help=say("cli.help.version"))
    commands = parser.add_subparsers(dest="command", required=True, metavar="tutorial")
    tutorial = commands.add_parser(
        "tutorial", help=say("cli.help.tutorial"), description=say("cli.help.tutorial"), add_help=False
    )
    add_help(tutorial)
    tutorial.add_argument(
        "--lang", type=_language, metavar="LANG", help=say("cli.help.lang", languages=list(LANGUAGES))
    )
    tutorial.add_argument("--force", action="store_true", help=say("cli.help.force"))
    tutorial.add_argument("--no-open", action="store_true", help=say("cli.help.no_open"))
    return parser


def _language(value: str) -> str:
    found = match(value)
    if found is None:
        raise argparse.ArgumentTypeError(str(message("cli.language", value=value, languages=list(LANGUAGES))))
    return found


# ------------------------------------------------------------------------------------------------------------ notebooks


def notebooks() -> Path:
    """The folder with a folder of notebooks per language: in the wheel inside the package, in a checkout beside it.

    Raises:
        Failure: There is neither.
    """
    for folder in (_PACKAGE / "notebooks", _PACKAGE.parent / "notebooks"):
        if any(folder.glob("en/*.ipynb")):
            return folder
    raise Failure(message("cli.no_notebooks"))


def copy(lang: str, target: Path, *, force: bool = False) -> list[Path]:
    """Copies a language's notebooks, and says what it did with each.

    A file that is there already is replaced only when it is a notebook of ours that nobody changed (of another
    language, perhaps).

    Args:
        lang: A member of `LANGUAGES`.
        target: The folder to copy to.
        force: True replaces changed files too.

    Returns:
        Where the notebooks are now, in the order in which they are read.

    Raises:
        Failure: There are no notebooks, or one cannot be written.
    """
    folder = notebooks()
    files = []
    for source in sorted((folder / lang).glob("*.ipynb")):
        file = target / source.name
        files.append(file)
        try:
            said = _copy_one(source, file, [folder / other / source.name for other in LANGUAGES], force=force)
        except OSError as error:
            raise Failure(message("cli.not_written", file=source.name, error=error.strerror or error)) from None
        print(message(said, file=source.name))
    return files


def _copy_one(source: Path, file: Path, ours: Sequence[Path], *, force: bool) -> str:
    """Copies one notebook; returns the id of what is to be said."""
    if not os.path.lexists(file):
        shutil.copyfile(source, file)
        return "cli.copied"
    content = file.read_bytes()
    if content == source.read_bytes():
        return "cli.same"
    if not force and all(content != other.read_bytes() for other in ours if other.exists()):
        return "cli.kept"
    shutil.copyfile(source, file)
    return "cli.replaced"


# ----------------------------------------------------------------------------------------------------------- JupyterLab


def open_lab(files: Sequence[Path]) -> int:
    """Opens the first of the notebooks in JupyterLab and waits for its end.

    Returns:
        JupyterLab's exit status.

    Raises:
        Failure: JupyterLab is not installed.
    """
    if find_spec("jupyterlab") is None:
        raise Failure(message("cli.no_lab", extra="graphlab[lab]"))
    print(message("cli.opening"), flush=True)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    command = [sys.executable, "-m", "jupyterlab", *(["--allow-root"] if root else []), *map(str, files[:1])]
    try:
        return subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:
        return 0  # Ctrl-C is how one ends JupyterLab; it has asked already whether to


if __name__ == "__main__":
    sys.exit(main())
