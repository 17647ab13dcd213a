"""What the page tells the kernel: JupyterLab's language, with each cell it sends and on a channel of its own.

Cells that wait for each other ("Run All" with a new kernel) are all sent before the first has run: what a channel
brings comes after them. So each says the language itself, in its request's metadata,
`{"graphlab": {"language": "fa_IR"}}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from graphlab.inspect.gather import PROCESS
from graphlab.messages import set_frontend_language

NAME: Final = "graphlab"
"""The comm's target, and the key of the metadata."""


class Page:
    """The page in which a shell's cells are written; silent where there is none."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._comm: Any = None

    def open(self) -> None:
        """Hears what the present cell says, and opens the channel for what comes later; others do not answer on it."""
        self.listen()
        if not hasattr(self._shell, "kernel"):
            return
        with suppress(ImportError, RuntimeError):
            from comm import create_comm

            self._comm = create_comm(target_name=NAME)
            self._comm.on_msg(self._heard)

    def listen(self) -> None:
        """Takes the language that the request for the present cell names; one that names none changes nothing."""
        request = getattr(self._shell, "parent_header", None)  # the whole message, in spite of the name
        metadata = request.get("metadata") if isinstance(request, Mapping) else None
        said = metadata.get(NAME) if isinstance(metadata, Mapping) else None
        if isinstance(said, Mapping) and "language" in said:
            _choose(said["language"])

    def _heard(self, found: Any) -> None:
        """The language was said or chosen anew; the answer tells by which process the functions in panels are named."""
        _choose(found["content"]["data"].get("language"))
        if self._comm is not None:
            self._comm.send({"process": PROCESS})


def _choose(language: object) -> None:
    set_frontend_language(language if isinstance(language, str) else None)
