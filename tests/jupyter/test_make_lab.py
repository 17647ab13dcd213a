"""What `make lab` does so that nothing stands before the first panel."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEFAULTS = ROOT / "tools" / "lab"


def test_defaults_are_settings_that_jupyterlab_has_and_reads(monkeypatch):
    pytest.importorskip("jupyterlab")
    from jupyter_server.services.config.manager import ConfigManager

    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(DEFAULTS))
    found = ConfigManager(config_dir_name="labconfig").get("default_setting_overrides")
    schemas = Path(sys.prefix) / "share" / "jupyter" / "lab" / "schemas"
    assert found
    for plugin, values in found.items():
        package, _, name = plugin.partition(":")
        known = json.loads((schemas / package / f"{name}.json").read_text("utf-8"))["properties"]
        for key, value in values.items():
            choices = [item["const"] for item in known[key].get("oneOf", [])] or [True, False]
            assert value in choices, (plugin, key)


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
def test_the_tutorials_are_trusted_and_the_defaults_used():
    said = subprocess.run(
        ["make", "--dry-run", "--always-make", "lab"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    (trust,) = [line.split() for line in said.splitlines() if "jupyter trust" in line]
    tutorials = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("notebooks/*/*.ipynb")}
    assert tutorials
    assert {word for word in trust if word.endswith(".ipynb")} == tutorials
    assert f'JUPYTER_CONFIG_PATH="{DEFAULTS}$' in said
