"""The build hook: compiles the message catalogues, and puts the JupyterLab extension and the tutorials into the wheel.

An editable install gets the catalogues only; `python tools/extension.py link` shows it the extension.
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))

import catalogues

import extension


class CustomBuildHook(BuildHookInterface[Any]):
    """Prepares what a wheel or a source distribution holds beyond its sources."""

    def dependencies(self) -> list[str]:
        return extension.requires()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        catalogues.compile_all()
        if version == "editable":
            return
        built = extension.build()
        if self.target_name == "wheel":
            build_data["shared_data"][str(built)] = "share/jupyter/labextensions/graphlab"
            for notebook in Path(self.root, "notebooks").glob("*/*.ipynb"):  # for `graphlab tutorial`
                build_data["force_include"][str(notebook)] = (
                    f"graphlab/notebooks/{notebook.parent.name}/{notebook.name}"
                )
