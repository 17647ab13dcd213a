"""Counting while tracing: which effects ran, and which functions began, how often."""

from __future__ import annotations

from typing import Any

from graphlab.core.state import state


def ran(place: Any) -> None:
    """Notes that an effect ran, or that a function began; nothing but a look when nobody counts."""
    counts = state.ran
    if counts is not None:
        counts[place] = counts.get(place, 0) + 1


def after(value: Any, place: Any) -> Any:
    """The value of a call that acts, which is noted."""
    counts = state.ran
    if counts is not None:
        counts[place] = counts.get(place, 0) + 1
    return value
