"""The widget of `f.explore()`: an exploration on this side, one ESM module (`explore.js`) on the other."""

from __future__ import annotations

import contextlib
import secrets
from typing import Any

import anywidget
import traitlets

from graphlab.inspect.explore import Exploration
from graphlab.jupyter.explore import VIEW, asset, still


class Explorer(anywidget.AnyWidget):
    """Sliders in front of an exploration.

    Attributes:
        data: What is shown, from here to the page.
        choice: What the reader chose last, from the page to here: `path`, and what `Exploration.choose` takes.
        name: What the page finds the output without sliders by, to hide it.
        pressed: The button pressed last: `{"button": "trace" | "run", "n": how many were pressed before}`.
    """

    _esm = asset("explore.js")
    _css = asset("explore.css")
    data = traitlets.Dict().tag(sync=True)
    choice = traitlets.Dict().tag(sync=True)
    name = traitlets.Unicode().tag(sync=True)
    pressed = traitlets.Dict().tag(sync=True)

    def __init__(self, exploration: Exploration) -> None:
        self.exploration = exploration
        self._shown: list[Any] = []
        super().__init__(data=exploration.data, name=secrets.token_hex(8))
        self.observe(self._chosen, "choice")
        self.observe(self._press, "pressed")

    def _chosen(self, change: dict[str, Any]) -> None:
        choice = {name: value for name, value in change["new"].items() if name in ("kind", "dtype", "shape", "value")}
        # A choice that another view has overtaken is left out: what stands is sent again.
        with contextlib.suppress(KeyError, TypeError, ValueError, OverflowError):
            self.exploration.choose(str(change["new"].get("path")), **choice)
        self.refresh()

    def _press(self, change: dict[str, Any]) -> None:
        act = {"trace": self.exploration.trace, "run": self.exploration.run}.get(change["new"].get("button"))
        if act is not None:
            act()
            self.refresh()
            for handle in self._shown:  # what a notebook saves tells what was traced and run
                handle.update(still(self.exploration, self.name), raw=True)

    def refresh(self) -> None:
        """Shows how the exploration stands, after `exploration` was moved from code."""
        self.data = self.exploration.data

    def __repr__(self) -> str:
        return str(self.exploration)

    def _ipython_display_(self, **_: Any) -> None:
        from IPython.display import display

        data, metadata = self._repr_mimebundle_() or ({}, {})
        view = data.get(VIEW)
        if view is None:
            display(still(self.exploration, self.name), raw=True)  # type: ignore[no-untyped-call]
            return
        handle = display(still(self.exploration, self.name), raw=True, display_id=True)  # type: ignore[no-untyped-call]
        if handle is not None:  # None without a shell
            self._shown.append(handle)
        # Without text JupyterLab and nbconvert would complain where they have no widget; what is to be said is above.
        display({VIEW: view, "text/plain": ""}, raw=True, metadata=metadata)  # type: ignore[no-untyped-call]
