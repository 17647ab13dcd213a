"""The tool that writes the notebooks, as a module."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "build_notebooks.py"


@pytest.fixture(scope="session")
def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_notebooks", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["build_notebooks"] = module
    spec.loader.exec_module(module)
    return module
