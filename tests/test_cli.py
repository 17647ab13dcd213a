"""The command `graphlab`."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphlab import cli
from graphlab.messages import LANGUAGES
from graphlab.version import __version__

ROOT = Path(__file__).resolve().parent.parent
NAME = "01_graphs_and_functions.ipynb"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


@pytest.fixture
def started(monkeypatch):
    """The commands that would have been started."""
    commands = []

    def run(command, **options):
        commands.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    return commands


def original(lang):
    return (ROOT / "notebooks" / lang / NAME).read_bytes()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_copies_the_notebooks_of_a_language(folder, lang, started):
    assert cli.main(["tutorial", "--lang", lang, "--no-open"]) == 0
    assert (folder / NAME).read_bytes() == original(lang)
    assert started == []


@pytest.mark.parametrize(
    ("variables", "lang"),
    [({}, "en"), ({"LANG": "ru_RU.UTF-8"}, "ru"), ({"LANGUAGE": "zh", "LANG": "it_IT"}, "zh"), ({"LANG": "C"}, "en")],
)
def test_the_environment_chooses_the_language(folder, monkeypatch, variables, lang):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cli.main(["tutorial", "--no-open"]) == 0
    assert (folder / NAME).read_bytes() == original(lang)


def test_a_changed_notebook_is_kept_unless_forced(folder, capsys):
    (folder / NAME).write_text("mine")
    assert cli.main(["tutorial", "--no-open"]) == 0
    assert (folder / NAME).read_text() == "mine"
    assert "was changed, so it was kept. --force replaces it." in capsys.readouterr().out
    assert cli.main(["tutorial", "--no-open", "--force"]) == 0
    assert (folder / NAME).read_bytes() == original("en")
    assert "was replaced" in capsys.readouterr().out


def test_an_unchanged_notebook_makes_room_for_another_language(folder, capsys):
    cli.main(["tutorial", "--lang", "es", "--no-open"])
    cli.main(["tutorial", "--lang", "es", "--no-open"])
    assert capsys.readouterr().out.splitlines() == [f"Se copió {NAME}.", f"{NAME} ya está aquí."]
    cli.main(["tutorial", "--lang", "it", "--no-open"])
    assert (folder / NAME).read_bytes() == original("it")


def test_an_unknown_language_gets_the_list(folder, capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["tutorial", "--lang", "de"])
    assert stopped.value.code == 2
    assert "There is no tutorial in de. There is one in: en, es, fa, it, ru and zh." in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(folder, capsys, started):
    (folder / NAME).mkdir()
    assert cli.main(["tutorial", "--lang", "fa"]) == 1
    assert NAME in capsys.readouterr().err
    assert started == []


@pytest.mark.parametrize(("user", "more"), [(0, ["--allow-root"]), (1000, [])])
def test_it_opens_jupyterlab_on_the_first_notebook(monkeypatch, started, user, more):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert cli.main(["tutorial"]) == 0
    assert started == [[sys.executable, "-m", "jupyterlab", *more, NAME]]


def test_without_jupyterlab_it_names_the_extra(folder, monkeypatch, capsys, started):
    monkeypatch.setattr(cli, "find_spec", lambda name: None if name == "jupyterlab" else importlib.util.find_spec(name))
    assert cli.main(["tutorial"]) == 1
    assert "graphlab[lab]" in capsys.readouterr().err
    assert (folder / NAME).exists()
    assert started == []


def test_an_installation_without_notebooks_says_so(folder, monkeypatch, capsys):
    monkeypatch.setattr(cli, "_PACKAGE", folder / "graphlab")
    assert cli.main(["tutorial"]) == 1
    assert "no notebooks" in capsys.readouterr().err


def test_ctrl_c_ends_jupyterlab_without_a_traceback(monkeypatch):
    def interrupted(command, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "run", interrupted)
    assert cli.main(["tutorial"]) == 0


def test_the_installed_command_says_its_version_and_its_help_in_the_readers_language():
    command = [sys.executable, "-m", "graphlab.cli"]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"graphlab {__version__}\n"
    environment = {**os.environ, "LANGUAGE": "zh"}
    shown = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True, env=environment)
    assert "显示本帮助" in shown.stdout
    assert subprocess.run(command, capture_output=True, text=True, check=False).returncode == 2
