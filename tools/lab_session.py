"""JupyterLab in Chromium, for the browser tests and the README's picture: a server of its own, and pages of notebooks.

The server has folders of its own for settings, workspaces and data, needs no token, and ends with the `with` block.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = "/usr/bin/chromium"
EXTENSION = ROOT / "extension" / "labextension"
MIME = "application/vnd.graphlab.trace+json"

#: Chromium without a sandbox (it runs as root in containers) and without any request of its own.
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

#: No news, no questions, no animation of notices: nothing that stands in a test's way.
QUIET = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "contentVisibility"},
    "graphlab:panel": {},
}


class Lab:
    """A running JupyterLab: where it listens, and the folder whose notebooks it shows."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder

    def settings(self, plugin: str, values: Mapping[str, object]) -> None:
        """Stores a plugin's settings; pages opened from now on use them."""
        request = urllib.request.Request(
            f"{self.url}/lab/api/settings/{plugin}",
            data=json.dumps({"raw": json.dumps(dict(values))}).encode(),
            headers={"Content-Type": "application/json"},
            method="PUT",
        )
        with urllib.request.urlopen(request, timeout=10) as reply:
            reply.read()

    def quiet(self) -> None:
        """Puts every setting back to what the tests start from."""
        for plugin, values in QUIET.items():
            self.settings(plugin, values)
        self.settings("@jupyterlab/apputils-extension:themes", {"theme": "JupyterLab Light"})

    def write(self, name: str, cells: list[dict[str, Any]]) -> str:
        """Writes a notebook and returns its name."""
        notebook = {
            "cells": cells,
            "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        (self.folder / name).write_text(json.dumps(notebook), encoding="utf-8")
        return name

    def open(self, page: Page, name: str) -> None:
        """Shows a notebook alone in the window and waits until its cells stand there."""
        page.goto(f"{self.url}/doc/tree/{name}?reset", wait_until="domcontentloaded")
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)

    @staticmethod
    def reopen(page: Page, name: str) -> None:
        """Shows another notebook in a page that JupyterLab has already loaded, in place of those shown before."""
        page.evaluate(
            """async path => {
                const { shell, commands } = window.jupyterapp;
                for (const widget of [...shell.widgets('main')]) {
                    widget.dispose();
                }
                const widget = await commands.execute('docmanager:open', { path, factory: 'Notebook' });
                await widget.revealed;
            }""",
            name,
        )
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)

    @staticmethod
    def wait_for_kernel(page: Page) -> None:
        """Waits until the notebook's kernel would run a cell."""
        page.wait_for_function(
            "window.jupyterapp.shell.currentWidget.sessionContext?.session?.kernel?.status === 'idle'", timeout=60_000
        )

    def run_all(self, page: Page) -> None:
        """Run all cells of the notebook in front, and wait until every one has run."""
        self.wait_for_kernel(page)
        self.command(page, "notebook:run-all-cells")
        page.wait_for_function(
            """window.jupyterapp.shell.currentWidget.content.widgets.every(
                c => c.model.executionState !== 'running' && c.model.executionCount !== null)""",
            timeout=60_000,
        )

    def end_sessions(self) -> None:
        """Ends the kernels of all notebooks: they take memory and would answer each other's tests."""
        for session in self._sessions():
            request = urllib.request.Request(f"{self.url}/api/sessions/{session['id']}", method="DELETE")
            with contextlib.suppress(urllib.error.URLError), urllib.request.urlopen(request, timeout=10):
                pass

    def _sessions(self) -> list[dict[str, Any]]:
        """The sessions there are; the server has none to tell of at the moment in which one of their kernels ends."""
        for _ in range(20):
            with contextlib.suppress(urllib.error.HTTPError):
                with urllib.request.urlopen(f"{self.url}/api/sessions", timeout=10) as reply:
                    sessions: list[dict[str, Any]] = json.load(reply)
                return sessions
            time.sleep(0.1)
        raise RuntimeError("JupyterLab does not list its sessions")

    @staticmethod
    def command(page: Page, name: str, **arguments: object) -> None:
        """Runs one of JupyterLab's commands, as its menus do."""
        page.evaluate("([name, args]) => window.jupyterapp.commands.execute(name, args)", [name, arguments])


def code_cell(
    source: str, *outputs: dict[str, Any], ident: str | None = None, count: int | None = None
) -> dict[str, Any]:
    """A code cell as a notebook file holds it."""
    cell: dict[str, Any] = {
        "cell_type": "code",
        "source": source,
        "metadata": {},
        "execution_count": count,
        "outputs": list(outputs),
    }
    return cell | ({"id": ident} if ident else {})


def markdown_cell(source: str) -> dict[str, Any]:
    """A Markdown cell as a notebook file holds it."""
    return {"cell_type": "markdown", "source": source, "metadata": {}}


def panel_output(panel: Mapping[str, Any]) -> dict[str, Any]:
    """The output that a traced cell leaves."""
    data = {MIME: panel, "text/plain": "graphlab panel", "text/html": "<p>graphlab panel, without the extension</p>"}
    return {"output_type": "display_data", "metadata": {}, "data": data}


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextlib.contextmanager
def running_lab() -> Iterator[Lab]:
    """Starts JupyterLab with the extension that is built in this checkout, and ends it."""
    with tempfile.TemporaryDirectory(prefix="graphlab-lab-") as temporary:
        base = Path(temporary)
        folder, extensions = base / "notebooks", base / "labextensions"
        folder.mkdir()
        extensions.mkdir()
        (extensions / "graphlab").symlink_to(EXTENSION)
        port = free_port()
        own = {
            "JUPYTER_CONFIG_DIR": base / "config",
            "JUPYTER_DATA_DIR": base / "data",
            "JUPYTER_RUNTIME_DIR": base / "runtime",
            "JUPYTERLAB_SETTINGS_DIR": base / "settings",
            "JUPYTERLAB_WORKSPACES_DIR": base / "workspaces",
            "IPYTHONDIR": base / "ipython",
            "PYTHONPATH": ROOT,  # kernels import this checkout
        }
        command = [
            sys.executable,
            "-m",
            "jupyterlab",
            "--no-browser",
            "--allow-root",
            "--ip=127.0.0.1",
            f"--port={port}",
            f"--ServerApp.root_dir={folder}",
            "--IdentityProvider.token=",
            "--ServerApp.password=",
            "--ServerApp.disable_check_xsrf=True",
            "--ServerApp.log_level=ERROR",
            "--LabApp.expose_app_in_browser=True",  # commands can be run by name
            "--JupyterNotebookApp.expose_app_in_browser=True",
            f"--LabApp.extra_labextensions_path={extensions}",
            f"--JupyterNotebookApp.extra_labextensions_path={extensions}",
        ]
        log = base / "log"
        with log.open("w") as sink:
            server = subprocess.Popen(
                command,
                env={**os.environ, **{k: str(v) for k, v in own.items()}},
                stdout=sink,
                stderr=subprocess.STDOUT,
            )
        try:
            lab = Lab(f"http://127.0.0.1:{port}", folder)
            deadline = time.monotonic() + 60
            while True:
                try:
                    with urllib.request.urlopen(f"{lab.url}/api", timeout=2):
                        break
                except (urllib.error.URLError, OSError):
                    if server.poll() is not None or time.monotonic() > deadline:
                        raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}") from None
                    time.sleep(0.2)
            lab.quiet()
            yield lab
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


@contextlib.contextmanager
def running_chromium(executable: str | Path = CHROMIUM) -> Iterator[Browser]:
    """Starts Chromium without a window, and ends it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(executable), args=CHROMIUM_FLAGS)
        try:
            yield browser
        finally:
            browser.close()
