"""Threads: how many parts of a graph may run at once, and the few threads that run them.

The threads start when a graph first has parts for them, and wait for more.  A part is run by whoever comes first: one
of these threads, or the one that needs its result, if they are busy.  So nobody ever waits for a part that has not
begun, whatever calls whatever, and a machine with no time to spare runs the parts one after the other.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter
from typing import Any, Final

import numpy as np

from graphlab.core.floats import fp_ignore


class Settings:
    """What ``tf.config.threading`` was told; 0 leaves the choice to the runtime."""

    inter_op = 0
    intra_op = 0


def cores() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def lanes() -> int:
    """How many parts of a graph may run at once.

    If nobody said, as many as there are processors, unless the linear algebra library uses several by itself: its
    threads and ours would be in each other's way.
    """
    if Settings.inter_op:
        return Settings.inter_op
    return cores() if algebra_threads() == 1 else 1


# -- the linear algebra library ----------------------------------------------------------------------------------------


@cache
def _algebra(verb: str) -> Any:
    """OpenBLAS's function ``get_num_threads`` or ``set_num_threads`` in the copy that NumPy came with, else None."""
    place = Path(np.__file__).parent
    found = [f for folder in (place.parent / "numpy.libs", place / ".dylibs") for f in folder.glob("*openblas*")]
    for file in found:
        try:
            library = ctypes.CDLL(str(file))
        except OSError:
            continue
        for name in ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads"):
            function = getattr(library, name.format(verb), None)
            if function is not None:
                return function
    return None


def algebra_threads() -> int:
    """How many threads a matrix product uses; as many as there are processors if the library cannot be asked."""
    function = _algebra("get")
    return int(function()) if function is not None else cores()


def set_algebra_threads(count: int) -> bool:
    """Tells the linear algebra library how many threads to use; False if it cannot be told."""
    function = _algebra("set")
    if function is not None:
        function(ctypes.c_int(count))
    return function is not None


# -- parts -------------------------------------------------------------------------------------------------------------


class Part:
    """A part of a graph that some thread will run, once."""

    __slots__ = ("arguments", "claim", "done", "error", "function", "group", "result")

    def __init__(self, group: Group, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.group = group
        self.function = function
        self.arguments = arguments
        self.claim = threading.Lock()
        self.done = threading.Lock()
        self.done.acquire()
        self.error: BaseException | None = None
        self.result: Any = None

    def run(self) -> None:
        """Runs it, unless another thread has it already."""
        if self.claim.acquire(False):
            try:
                self.result = self.function(*self.arguments)
            except BaseException as error:  # noqa: BLE001 - told to the thread that asks for the result
                self.error = error
            self.arguments = ()
            self.done.release()

    def get(self) -> Any:
        """Its result, or its error; runs it in this thread if no other has begun."""
        group = self.group
        group.left -= 1
        if self.claim.acquire(False):
            arguments, self.arguments = self.arguments, ()
            result = self.function(*arguments)
        else:
            self.done.acquire()
            if self.error is not None:
                raise self.error
            result, self.result = self.result, None  # whoever still knows the part keeps no arrays
        if not group.left:
            group.place.finished(perf_counter() - group.begun, group.alone)
        return result


class Group:
    """The parts that one run of a place has given away.

    Attributes:
      alone: True if this thread runs them all.
      left: how many results have not been asked for yet.
    """

    __slots__ = ("alone", "begun", "left", "parts", "place")

    def __init__(self, place: Place, alone: bool) -> None:
        self.place = place
        self.alone = alone
        self.left = place.parts
        self.parts: list[Part] = []
        self.begun = perf_counter()

    def start(self, function: Callable[..., Any], *arguments: Any) -> Part:
        """Lets a thread run ``function(*arguments)``."""
        part = Part(self, function, arguments)
        self.parts.append(part)
        if not self.alone:
            _waiting.put(part)
        return part

    def cancel(self) -> None:
        """Takes back the parts that no thread has begun; of the others nobody will ask."""
        for part in self.parts:
            part.claim.acquire(False)


class Place:
    """A place in the code of a graph that gives parts away, and what it has learnt about that.

    Other programs may keep the processors busy; then a thread with a part in hand, or with Python's lock, may not run
    for a long time.  So a place measures: its second run is alone, and from then on it does what took less time, with
    a look at the other way now and then, less often each time that confirms it.

    Args:
      lanes: how many parts may run at once, that of the thread that asks included.
      parts: how many parts a run gives away.
    """

    __slots__ = ("again", "alone", "interval", "lanes", "parts", "times")

    def __init__(self, lanes: int, parts: int) -> None:
        self.lanes = lanes
        self.parts = parts
        self.alone = False
        self.times: dict[bool, float] = {}
        self.interval = self.again = _SHORTEST

    def group(self) -> Group:
        """A new group, and threads for its parts."""
        alone = self.alone
        if len(self.times) < 2:
            alone = bool(self.times)
        else:
            self.again -= 1
            if self.again <= 0:
                alone = not alone
        if not alone and len(_workers) < self.lanes - 1:
            ready(self.lanes)
        return Group(self, alone)

    def finished(self, seconds: float, alone: bool) -> None:
        """Learns how long a run took."""
        before = self.times.get(alone)
        # A fast run shows what is possible; a slow one may be chance, and counts a third.
        self.times[alone] = seconds if before is None or seconds < before else before + (seconds - before) / 3
        if len(self.times) < 2:
            return
        better = self.times[True] < self.times[False]
        if better is not self.alone:
            self.alone, self.interval = better, _SHORTEST
            self.again = self.interval
        elif self.again <= 0:
            self.interval = min(2 * self.interval, _LONGEST)
            self.again = self.interval


_SHORTEST: Final = 4
_LONGEST: Final = 128
"""The number of runs after which a place looks at the other way again."""


_waiting: SimpleQueue[Part] = SimpleQueue()
_workers: Final[list[threading.Thread]] = []
_starting = threading.Lock()


def ready(count: int) -> None:
    """Sees to it that there are threads for ``count`` parts at once, the thread that asks included."""
    if len(_workers) >= count - 1:
        return
    with _starting:
        while len(_workers) < count - 1:
            name = f"graphlab part {len(_workers) + 1}"
            thread = threading.Thread(target=_work, args=(_waiting,), name=name, daemon=True)
            _workers.append(thread)
            thread.start()


def _work(waiting: SimpleQueue[Part]) -> None:
    fp_ignore()  # for this thread, as long as it lives
    while True:
        waiting.get().run()


def _forked() -> None:
    """A forked process has none of its parent's threads; what waited for them is the parent's."""
    global _waiting, _starting
    _waiting, _starting = SimpleQueue(), threading.Lock()
    _workers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
