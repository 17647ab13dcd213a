"""The wheel holds the built JupyterLab extension and the compiled catalogues, and has no dependency too many."""

from __future__ import annotations

import gettext
import io
import json
import re
import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from graphlab.version import __version__

ROOT = Path(__file__).resolve().parent.parent
EXTENSION = f"graphlab-{__version__}.data/data/share/jupyter/labextensions/graphlab"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    if not (ROOT / "extension" / "labextension").is_dir():
        pytest.skip("the JupyterLab extension is not built (make extension)")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_it_needs_numpy_and_ml_dtypes_only(wheel: zipfile.ZipFile) -> None:
    metadata = message_from_bytes(wheel.read(f"graphlab-{__version__}.dist-info/METADATA"))
    core = [line for line in metadata.get_all("Requires-Dist") if "extra ==" not in line]
    assert sorted(re.match(r"[\w-]+", line)[0] for line in core) == ["ml-dtypes", "numpy"]


def test_jupyterlab_finds_the_extension(wheel: zipfile.ZipFile) -> None:
    package = json.loads(wheel.read(f"{EXTENSION}/package.json"))
    assert package["name"] == "graphlab"
    assert package["version"] == __version__
    entry = package["jupyterlab"]["_build"]["load"]
    assert f"{EXTENSION}/{entry}" in wheel.namelist()
    assert json.loads(wheel.read(f"{EXTENSION}/install.json"))["packageName"] == "graphlab"


def test_every_catalogue_is_compiled_from_its_present_source(wheel: zipfile.ZipFile) -> None:
    for source in ROOT.glob("graphlab/messages/locale/*/LC_MESSAGES/*.po"):
        compiled = source.relative_to(ROOT).with_suffix(".mo").as_posix()
        assert compiled in wheel.namelist()
        catalogue = gettext.GNUTranslations(io.BytesIO(wheel.read(compiled)))
        assert catalogue.info()["language"] == source.parts[-3]


def test_the_types_and_the_data_are_in_it(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    sources = subprocess.run(["git", "ls-files", "graphlab"], cwd=ROOT, capture_output=True, text=True, check=False)
    tracked = [name for name in sources.stdout.splitlines() if (ROOT / name).exists()]
    assert "graphlab/py.typed" in names
    assert [name for name in tracked if name not in names] == []


def test_the_tutorials_are_in_it(wheel: zipfile.ZipFile) -> None:
    saved = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in ROOT.glob("notebooks/*/*.ipynb")}
    assert len(saved) >= 6
    assert {name: wheel.read(f"graphlab/{name}") for name in saved} == saved


def test_the_command_is_installed(wheel: zipfile.ZipFile) -> None:
    entry_points = wheel.read(f"graphlab-{__version__}.dist-info/entry_points.txt").decode()
    assert "graphlab = graphlab.cli:main" in entry_points
