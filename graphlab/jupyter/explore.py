"""`f.explore()`: sliders for a function's arguments, which say what a call would do. No extension is needed."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any, Final

from graphlab.core.export import public
from graphlab.inspect.explore import Exploration

_HERE: Final = Path(__file__).parent
VIEW: Final = "application/vnd.jupyter.widget-view+json"

_SLIDERS: Final = ".jp-OutputArea-child:has(.gl-explore-still)+.jp-OutputArea-child"
_STYLE: Final = (
    # Where the sliders are not alive, JupyterLab and Notebook say so in an output of its own: it is left out.
    f"{_SLIDERS}:not(:has(.gl-explore)){{display:none}}"
    ".jp-OutputArea-child:has(.gl-explore-still):has(+.jp-OutputArea-child .gl-explore){display:none}"
)


@public("explore")
def explore(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Sliders for shapes, dtypes and values of a function's arguments, which say live whether a call would trace.

    Choosing traces nothing; the buttons do: *Trace* makes the trace the call needs, *Run* runs the call eagerly and as
    a graph, side by side and without lasting effects, and steps through the graph's operations.
    `function.explore(...)` is the same.

    Args:
        function: A traced function.
        *args: A call to begin with, values or specs; by default one of the last trace's kind.
        **kwargs: Likewise.

    Returns:
        A widget for notebooks or, where anywidget is not installed, the same without sliders. Both have `exploration`,
        which `choose`, `trace` and `run` move from code.

    Raises:
        TypeError: It is no traced function.

    >>> import graphlab as tf
    >>> @tf.function
    ... def double(x):
    ...     return x * 2
    >>> explorer = double.explore(tf.constant([1, 2]))
    >>> explorer.exploration.answer.would_trace
    True
    >>> explorer.exploration.trace()
    >>> print(explorer.exploration.answer)
    This call would reuse T1. No trace is made.
    """
    exploration = Exploration(function, args, kwargs)
    try:
        from graphlab.jupyter.explore_widget import Explorer
    except ImportError:
        return Still(exploration)
    return Explorer(exploration)


class Still:
    """An exploration without sliders."""

    def __init__(self, exploration: Exploration) -> None:
        self.exploration = exploration

    def __repr__(self) -> str:
        return str(self.exploration)

    def _repr_html_(self) -> str:
        return self.exploration._repr_html_()


def still(exploration: Exploration, name: str) -> dict[str, Any]:
    """The mime bundle of an exploration without script, which stands above the sliders.

    It is hidden while they live, and what a notebook shows once the kernel is gone. Sliders find theirs by `name`.
    """
    opening = f'<div class="gl-explore-still" data-gl-still="{escape(name)}">'
    html = f"<style>{_STYLE}</style>{opening}{exploration._repr_html_()}</div>"
    return {"text/html": html, "text/plain": str(exploration)}


def asset(name: str) -> str:
    """The text of a file beside this one."""
    return (_HERE / name).read_text("utf-8")
