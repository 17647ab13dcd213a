"""graphlab in a notebook: `%load_ext graphlab`, the `%%tf_function` cell, the `%tf_…` magics, and the panel."""

from __future__ import annotations

from typing import Any

from graphlab.core.export import public


@public("load_ipython_extension")
def load_ipython_extension(shell: Any) -> None:
    """Loads the magics; `%load_ext graphlab` calls it.

    Args:
        shell: IPython's interactive shell.
    """
    from graphlab.jupyter.extension import load

    load(shell)


@public("unload_ipython_extension")
def unload_ipython_extension(shell: Any) -> None:
    """Takes the magics away again; `%unload_ext graphlab` calls it.

    Args:
        shell: IPython's interactive shell.
    """
    from graphlab.jupyter.extension import unload

    unload(shell)
