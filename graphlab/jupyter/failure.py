"""What a reader sees when graphlab itself fails around a cell: one quiet line in the panel's place.

The cell's own result stands, the traceback goes to the log of the kernel (or of IPython), never into the notebook.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from traitlets.log import get_logger

from graphlab.inspect.panel import bundle, panel
from graphlab.inspect.subject import Cell
from graphlab.messages import data, message

Publish = Callable[..., Any]


SHOWN: Final = (
    ("graphlab.inspect.explain", "Report"),
    ("graphlab.inspect.explain", "CallReport"),
    ("graphlab.inspect.explain_gradients", "GradientReport"),
    ("graphlab.inspect.lint", "Advice"),
    ("graphlab.inspect.step", "Steps"),
    ("graphlab.inspect.compare", "Comparison"),
)
"""What views give: the module and the name of its class."""


def tell(error: Exception, publish: Publish, source: str | None = None, lang: str | None = None) -> None:
    """Logs a failure of graphlab's own, and shows one line that says so.

    Args:
        error: What was raised.
        publish: Shows a mime bundle, given as `data`.
        source: The cell's source.
        lang: The language of the line; the current one when None.
    """
    publish(data=line(error, source, lang))


def line(error: Exception, source: str | None = None, lang: str | None = None) -> dict[str, Any]:
    """Logs a failure of graphlab's own; gives the line that says so, as a mime bundle."""
    get_logger().error("graphlab: its panel could not be made", exc_info=error)
    what = f"{type(error).__name__}: {error}".split("\n", 1)[0]
    try:
        shown = panel([], Cell(source), lang)
        sentence = message("lede.broken", error=what if len(what) <= 200 else f"{what[:199]}…")
        shown["lede"] = data(sentence, shown["lang"])
        shown["badge"] = {
            "state": "error",
            "mark": "bad",
            "parts": [data(message("badge.broken"), shown["lang"])],
        }
        return dict(bundle(shown))
    except Exception:  # noqa: BLE001 - then even this cannot be said in the reader's language
        get_logger().exception("graphlab: nor could the line that says so")
        return {"text/plain": f"graphlab could not make its panel ({what}). The traceback is in the kernel's log."}
