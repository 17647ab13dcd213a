"""What a user's other module has: helpers that traced functions of the tests call."""

from __future__ import annotations

from typing import Any


def noted(x: Any, kept: Any) -> Any:
    """Doubles a value, and leaves a note while doing so."""
    kept.append(1)
    return x * 2.0
