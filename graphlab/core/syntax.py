"""Python text as a tree, whatever other threads do."""

from __future__ import annotations

import ast
import time
from threading import RLock
from typing import Any, Final

_lock: Final = RLock()
_ATTEMPTS: Final = 50


def parse(text: str, filename: str = "<unknown>", mode: str = "exec") -> Any:
    """As ``ast.parse``, which two threads cannot use at one moment.

    The depth of what Python 3.11 is building is counted for the whole process, and another thread may come in between:
    it then gives up with a SystemError, though nothing is wrong with the text.  Among our own threads a lock prevents
    that; where the other one is not ours, it is tried again.
    """
    with _lock:
        for _ in range(_ATTEMPTS):
            try:
                return ast.parse(text, filename, mode)
            except SystemError:
                time.sleep(0)
        return ast.parse(text, filename, mode)
