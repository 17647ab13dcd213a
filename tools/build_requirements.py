"""Print what pip must install before graphlab can be built without an isolated environment: one requirement a line.

These are the build requirements of pyproject.toml, what hatchling wants for an editable install, and Node.js where the
machine has none.
"""

import tomllib
from pathlib import Path

import extension

if __name__ == "__main__":
    project = tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    print(*project["build-system"]["requires"], "editables>=0.5", *extension.requires(), sep="\n")
