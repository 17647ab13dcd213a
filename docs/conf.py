"""How Sphinx builds the documentation: `make docs`."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

project = "graphlab"
author = "The graphlab developers"
copyright = f"2026, {author}"
release = re.search(r'__version__ = "(.+)"', (ROOT / "graphlab" / "version.py").read_text("utf-8"))[1]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["changelog.d"]
html_theme = "furo"
html_title = "graphlab"
myst_enable_extensions = ["colon_fence", "substitution"]
myst_heading_anchors = 3
myst_substitutions = {
    # what the next version brings, from the fragments in changelog.d/
    "unreleased": subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--draft", "--version", release],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
}
