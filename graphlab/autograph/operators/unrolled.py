"""Python loops that run while a graph is built.

Each iteration adds operations: a long loop is told of, one without an end comes to one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from graphlab.autograph import staging
from graphlab.autograph.operators.lines import construct_line
from graphlab.core.state import state

_LOGGER: Final = logging.getLogger("graphlab")
FIRST_CHECK: Final = 5_000
"""Iterations after which a loop is looked at for the first time; then after ten times as many, and so on."""
MOST_OPERATIONS: Final = 1_000_000
"""Operations of a graph that a Python loop may add."""
MOST_ITERATIONS: Final = 100_000_000
"""Iterations of a Python loop while a graph is built, as in TensorFlow."""


class Watch:
    """Counts the iterations of a Python loop.

    Args:
      body: the loop's body, which knows its place.
    """

    __slots__ = ("_at", "_before", "_body", "_count", "_warned")

    def __init__(self, body: Callable[..., Any]) -> None:
        self._body = body
        self._before = len(state.graph.ops)
        self._count, self._at = 0, FIRST_CHECK
        self._warned = 0

    def step(self) -> None:
        """One more iteration is done.

        Raises:
          ValueError: there were too many.
        """
        self._count += 1
        if self._count == self._at:
            self._at += FIRST_CHECK
            self._check()

    def _check(self) -> None:
        made = len(state.graph.ops) - self._before
        code = self._body.__code__
        place = {"place": code.co_filename, "l": construct_line(code)}
        if made > MOST_OPERATIONS or self._count >= MOST_ITERATIONS:
            raise ValueError(
                f"The Python loop at {place['place']}:{place['l']} does not come to an end while the graph is built: "
                f"{self._count} iterations made {made} operations. Go over a tensor, for i in tf.range(n), or make "
                f"what the condition tests a tensor, so that it is a loop of the graph."
            )
        if made >= self._count and self._count >= 10 * self._warned:
            from graphlab.messages import Message  # seldom needed

            self._warned = self._count
            _LOGGER.warning("%s", Message("warn.unrolled", {**place, "n": self._count, "ops": made}))


def watched(iterable: Iterable[Any], body: Callable[..., Any]) -> Iterable[Any]:
    """What a Python loop goes over; counted while a graph is built."""
    return _counted(iterable, Watch(body)) if staging.building() else iterable


def _counted(iterable: Iterable[Any], watch: Watch) -> Iterator[Any]:
    for item in iterable:
        yield item
        watch.step()
