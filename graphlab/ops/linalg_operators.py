"""Linear operators as arguments of the functions for matrices: their own methods do it."""

from __future__ import annotations

from typing import Any

from graphlab.core.specs import CompositeTensor


def is_operator(x: Any) -> bool:
    """True for ``tf.linalg.LinearOperator``, whose class is above this package."""
    return isinstance(x, CompositeTensor) and hasattr(x, "log_abs_determinant")
