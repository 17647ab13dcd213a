"""NumPy's floating-point flags: silenced while an op runs, as TensorFlow never warns, and as they were afterwards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from graphlab.core.state import guarded

# NumPy keeps its floating-point error state in a context variable; setting it directly costs a fifth of np.errstate.
# It is brought back by value: a token, as the variable gives one, would be lost if Ctrl-C came before it is kept.
try:
    from numpy._core.umath import _extobj_contextvar, _make_extobj

    IGNORE: Any = _make_extobj(all="ignore")
    fp_enter: Callable[[Any], Any] = _extobj_contextvar.set
    fp_now: Callable[[], Any] = _extobj_contextvar.get
    fp_restore: Callable[[Any], Any] = _extobj_contextvar.set
except ImportError:  # pragma: no cover - a NumPy without this internal
    IGNORE = {"all": "ignore"}

    def fp_enter(state: Any) -> Any:
        """Sets the state of floating-point flags."""
        return np.seterr(**state)

    def fp_now() -> Any:
        """The state of floating-point flags, for ``fp_restore``."""
        return np.geterr()

    def fp_restore(before: Any) -> Any:
        """Undoes ``fp_ignore``."""
        np.seterr(**before)


def fp_ignore() -> Any:
    """Silences floating-point flags in this context; the state before, for ``fp_restore``.

    Where an interrupt may come, take ``fp_now()`` first and call this inside of the ``try`` that restores it.
    """
    before = fp_now()
    fp_enter(IGNORE)
    return before


fp_quiet: Final = partial(fp_enter, IGNORE)
"""``fp_ignore`` without a result."""


class quiet:  # noqa: N801 - used like the function it stands for
    """``np.errstate(all="ignore")``, from which an interrupt at any point comes back."""

    __slots__ = ("before",)

    def __enter__(self) -> None:
        self.before = fp_now()
        try:
            fp_quiet()
        except BaseException:
            fp_restore(self.before)
            raise

    @guarded
    def __exit__(self, *exception: object) -> None:
        try:
            before = self.before
        finally:
            before = self.before
            fp_restore(before)
