"""Seeds of stateful random ops, and the streams that their kernels draw from.

Two numbers seed an op: the global seed (``tf.random.set_seed``, read when a graph is begun) and the op's own, which is
given or
counted: by the context in eager mode, by each graph on its own while it is built.  A stream belongs to one op of a
graph, or to all eager calls with the same op and the same two seeds; it goes on from run to run, and ``set_seed``
starts all of them again.
"""

from __future__ import annotations

import operator
import os
import threading
from random import Random
from typing import Any, Final

import numpy as np

from graphlab.core.export import public
from graphlab.core.state import state
from graphlab.ops import philox

DEFAULT_SEED: Final = 87654321
_LARGEST: Final = 2**31 - 1

_lock = threading.Lock()


class _Global:
    seed: int | None = None
    # Every set_seed begins a new era; a stream of an older one starts again.
    era: int = 0
    counter: Random = Random()


_shared: dict[Any, Stream] = {}


class Stream:
    """The generator of one op: a key, the counter of the next run, and what else the op remembers from run to run."""

    __slots__ = ("_counter", "_era", "_key", "_lock", "_seeds", "memory")

    def __init__(self, seed: int, seed2: int) -> None:
        self._seeds = (seed, seed2)
        self._lock = threading.Lock()
        self._era = -1
        self._key = self._counter = 0
        self.memory: Any = None

    def take(self, count: int) -> tuple[int, int]:
        """Key and counter for a run that uses ``count`` blocks."""
        with self._lock:
            if self._era != _Global.era:
                self.memory = None
                self._era = _Global.era
                seeds = self._seeds
                if seeds == (0, 0):  # no seed was given
                    drawn = os.urandom(16)
                    seeds = (int.from_bytes(drawn[:8], "little"), int.from_bytes(drawn[8:], "little"))
                self._key, self._counter = philox.from_seeds(*seeds)
            counter = self._counter
            self._counter = (counter + count) & ((1 << 128) - 1)
            return self._key, counter


class OpSeed(int):
    """An op's seed attribute in a graph, with the stream of that node."""

    stream: Stream

    @staticmethod
    def make(seed: int, seed2: int) -> OpSeed:
        """The attribute ``seed2`` of a new node."""
        result = OpSeed(seed2)
        result.stream = Stream(seed, seed2)
        return result


def stream(kind: Any, seed: int, seed2: int) -> Stream:
    """The stream a kernel draws from: its node's, or (eager) the one of all calls of this kind with these seeds."""
    found = getattr(seed2, "stream", None)
    if found is None:
        key = (kind, seed, seed2)
        found = _shared.get(key)
        if found is None:
            found = Stream(seed, seed2)
            if seed == DEFAULT_SEED or (seed, seed2) == (0, 0) or key in _explicit:
                with _lock:
                    found = _shared.setdefault(key, found)
    return found


# Seeds that a user gave: eager calls with them share a stream.  Counted ones are used once, keeping them would be a
# leak.
_explicit: set[Any] = set()


def _number(seed: Any) -> int:
    try:
        return operator.index(seed)
    except TypeError:
        if isinstance(seed, (str, bytes)):
            raise TypeError(f"A seed must be an int, not {seed!r:.100}.") from None
        try:
            return int(np.array(seed))
        except ValueError as error:  # a ragged list
            raise type(error)(f"A seed must be an int, not {seed!r:.100}.") from None
        except (TypeError, NotImplementedError):
            raise TypeError(f"A seed must be an int, not {seed!r:.100}.") from None


def seeds_for(op_seed: int | None) -> tuple[int | None, int | None]:
    """The two seeds of an op that is about to run or to be added; (None, None) when nothing is seeded."""
    graph = state.graph
    if graph is None:
        seed = _Global.seed
        if seed is not None and op_seed is None:
            with _lock:
                op_seed = _Global.counter.randint(0, _LARGEST)
    else:
        seed = _graph_seed(graph)
        if seed is not None and op_seed is None:
            op_seed = graph.op_seeds
            graph.op_seeds += 1
    if seed is None:
        if op_seed is None:
            return None, None
        seed = DEFAULT_SEED
    assert op_seed is not None
    pair = _number(seed) % _LARGEST, _number(op_seed) % _LARGEST
    return (0, _LARGEST) if pair == (0, 0) else pair


def _graph_seed(graph: Any) -> int | None:
    """The seed of a graph; that of a function traced in eager mode is the global one."""
    if graph.seed is None and graph.building_function:
        outer = graph.outer
        graph.seed = _Global.seed if outer is None else _graph_seed(outer)
    return graph.seed  # type: ignore[no-any-return]


def seed_attrs(op_seed: int | None, kind: Any = None) -> dict[str, int]:
    """The attributes ``seed`` and ``seed2`` of a stateful random op."""
    seed, seed2 = seeds_for(op_seed)
    first, second = seed or 0, seed2 or 0
    if state.graph is not None:
        return {"seed": first, "seed2": OpSeed.make(first, second)}
    if op_seed is not None:
        _explicit.add((kind, first, second))
    return {"seed": first, "seed2": second}


@public("random.set_seed")
def set_seed(seed: Any) -> None:
    """Sets the global seed.

    Random ops that were given no seed of their own then get one by counting, and every sequence of random numbers, in
    eager mode and in traced functions, starts again.  A function keeps the op seeds it was traced with: the global seed
    is read while it is traced.

    Args:
      seed: an integer, or None for sequences that differ from run to run.

    >>> import graphlab as tf
    >>> tf.random.set_seed(5)
    >>> first = tf.random.uniform([2])
    >>> tf.random.set_seed(5)
    >>> bool(tf.reduce_all(first == tf.random.uniform([2])))
    True
    """
    number = None if seed is None else _number(seed)
    with _lock:
        _Global.seed = number
        _Global.counter = Random(number)
        _Global.era += 1
        _shared.clear()
        _explicit.clear()


def global_seed() -> int | None:
    """The global seed, None if there is none."""
    return _Global.seed
