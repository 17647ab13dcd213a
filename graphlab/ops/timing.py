"""The clock as an operation: it is read when the graph runs, not while it is traced."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from graphlab.core.dispatch import bind
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, define

TIMESTAMP = define(
    "Timestamp",
    "-> ts: float64",
    kernel=lambda: np.float64(time.time()),
    infer=lambda args, attrs: (),
    gradient=NOT_DIFFERENTIABLE,
    effect="read",
)


@public("timestamp")
def timestamp(name: str | None = None) -> Any:
    """Seconds since the epoch at the moment the operation runs, a scalar float64.

    Args:
      name: a name for the operation.

    >>> import graphlab as tf
    >>> bool(tf.timestamp() > 1.7e9)
    True
    """
    return bind(TIMESTAMP, (), name=name)
