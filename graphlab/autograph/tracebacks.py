"""Tracebacks that show the user's code: frames of graphlab between and after the user's are left out."""

from __future__ import annotations

from types import TracebackType
from typing import Final, TypeVar

from graphlab.core.errors import OpError
from graphlab.core.export import public
from graphlab.core.position import is_internal

E = TypeVar("E", bound=BaseException)


class _Filtering:
    enabled = True


_FILTERING: Final = _Filtering()


@public("debugging.enable_traceback_filtering")
def enable_traceback_filtering() -> None:
    """Leaves graphlab's own frames out of tracebacks of traced functions, which is the default."""
    _FILTERING.enabled = True


@public("debugging.disable_traceback_filtering")
def disable_traceback_filtering() -> None:
    """Shows graphlab's own frames in tracebacks of traced functions."""
    _FILTERING.enabled = False


@public("debugging.is_traceback_filtering_enabled")
def is_traceback_filtering_enabled() -> bool:
    """True while graphlab's own frames are left out of tracebacks."""
    return _FILTERING.enabled


def filtered(error: E) -> E:
    """The exception with a traceback of the user's frames only, where there are some or a graph stopped.

    >>> try:
    ...     {}["a"]
    ... except KeyError as error:
    ...     filtered(error) is error
    True
    """
    if not _FILTERING.enabled:
        return error
    frames: list[TracebackType] = []
    at = error.__traceback__
    while at is not None:
        frames.append(at)
        at = at.tb_next
    kept = [f for f in frames if not is_internal(f.tb_frame.f_code.co_filename)]
    stopped = isinstance(error, OpError | KeyboardInterrupt)
    if not kept and stopped:
        # An op's message says where in the user's code it stands; where a graph was interrupted says nothing.
        return error.with_traceback(None)
    if not kept or len(kept) == len(frames):
        return error
    chain: TracebackType | None = None
    for frame in reversed(kept):
        chain = TracebackType(chain, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return error.with_traceback(chain)
