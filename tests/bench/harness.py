"""How speed is measured: subject and baseline in turns, a millisecond each, low decile against low decile.

On a machine that others use too, times differ by a factor from one second to the next. Chunks that alternate see
the same machine, and the low decile of many chunks is what the code takes when nobody disturbs it; so the ratio
holds where single times do not.

A benchmark is a function in a file `bench_<subject>.py` beside this one. It makes its data and returns what is timed:

    from tests.bench.harness import Pair, benchmark

    @benchmark("eager add, 2×2", goal=2.5)
    def add() -> Pair:
        a, b = np.ones((2, 2), np.float32), np.ones((2, 2), np.float32)
        x, y = tf.constant(a), tf.constant(b)
        return Pair(subject=lambda: x + y, baseline=lambda: a + b)

The goal is the highest ratio that is good enough. The calls of the two functions (some 40 ns) are timed with what
they do; where that matters, do many small operations in one function and give their number as `units`. What happens
only once, such as a first call, is a `Once`; what needs a process of its own, such as an import, is a `Processes`;
bytes are a `Size`.
"""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

Call = Callable[[], Any]
Clock = Callable[[], float]

CHUNK = 0.001  # seconds that a chunk lasts, at least
FEWEST_CHUNKS = 5  # of each kind, however long they last


@dataclass(frozen=True)
class Result:
    """What one benchmark gave: seconds for one unit of the subject and, where there is one, of the baseline; or bytes."""

    subject: float
    baseline: float | None = None
    unit: str = "s"

    @property
    def ratio(self) -> float | None:
        """The subject's time in units of the baseline's."""
        return None if self.baseline is None else self.subject / self.baseline


@dataclass(frozen=True)
class Pair:
    """Two functions that do the same work, called again and again.

    Args:
        subject: Called without arguments; what it returns is dropped.
        baseline: Likewise.
        units: How many units of work one call does; times are given for one.
    """

    subject: Call
    baseline: Call
    units: int = 1

    def measure(self, budget: float, clock: Clock = time.perf_counter) -> Result:
        """Call both in turns for about `budget` seconds."""
        with _collector_at_rest():
            calls = [calls_for(function, clock) for function in (self.subject, self.baseline)]
            times: tuple[list[float], list[float]] = ([], [])
            end = clock() + budget
            while clock() < end or len(times[1]) < FEWEST_CHUNKS:
                for function, number, found in zip((self.subject, self.baseline), calls, times, strict=True):
                    found.append(_chunk(function, number, clock) / (number * self.units))
        return Result(low_decile(times[0]), low_decile(times[1]))

    def try_once(self) -> None:
        """Call each once: that a benchmark still works is tested without timing it."""
        self.subject()
        self.baseline()


@dataclass(frozen=True)
class Once:
    """Something that can be done only once to each subject, such as the first call of a function.

    Args:
        prepare: Makes a fresh subject; not timed.
        units: How many units of work one call of a subject does.
        clock: CPU time by default, since one-off work cannot be repeated until the machine is quiet.
    """

    prepare: Callable[[], Call]
    units: int = 1
    clock: Clock = time.process_time

    def measure(self, budget: float) -> Result:
        """Prepare and time fresh subjects for about `budget` seconds; the low decile counts."""
        self.prepare()()  # imports and caches of the machinery, which are not the subject's
        times: list[float] = []
        end = time.perf_counter() + budget
        with _collector_at_rest():
            while time.perf_counter() < end or len(times) < FEWEST_CHUNKS:
                subject = self.prepare()
                times.append(_chunk(subject, 1, self.clock) / self.units)
        return Result(low_decile(times))

    def try_once(self) -> None:
        """Do it to one subject."""
        self.prepare()()


@dataclass(frozen=True)
class Processes:
    """Two programs, each run in fresh processes of this Python: `python -c subject` against `python -c baseline`."""

    subject: str
    baseline: str

    def measure(self, budget: float, clock: Clock = time.perf_counter) -> Result:
        """Run both in turns for about `budget` seconds, and at least five times each."""
        times: tuple[list[float], list[float]] = ([], [])
        end = clock() + budget
        while clock() < end or len(times[1]) < FEWEST_CHUNKS:
            for program, found in zip((self.subject, self.baseline), times, strict=True):
                found.append(_chunk(lambda program=program: _run(program), 1, clock))
        return Result(low_decile(times[0]), low_decile(times[1]))

    def try_once(self) -> None:
        """Run each once."""
        _run(self.subject)
        _run(self.baseline)


@dataclass(frozen=True)
class Memory:
    """Two functions of which the peak memory is compared: bytes that a call has at most, as tracemalloc counts them."""

    subject: Call
    baseline: Call

    def measure(self, budget: float) -> Result:
        """Call each a few times; the lowest peak counts."""
        return Result(_peak(self.subject), _peak(self.baseline), unit="B")

    def try_once(self) -> None:
        """Call each once."""
        self.subject()
        self.baseline()


def _peak(function: Call) -> float:
    function()
    peaks = []
    for _ in range(3):
        tracemalloc.start()
        try:
            function()
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    return float(min(peaks))


@dataclass(frozen=True)
class Size:
    """How many bytes something takes, which is the same every time."""

    subject: Callable[[], int]

    def measure(self, budget: float) -> Result:
        """Ask once."""
        del budget
        return Result(float(self.subject()), unit="B")

    def try_once(self) -> None:
        """Ask once."""
        self.subject()


Work = Pair | Once | Processes | Memory | Size


@dataclass(frozen=True)
class Benchmark:
    """A named benchmark; `goal` is a ratio for work that has a baseline, else seconds for one unit."""

    name: str
    prepare: Callable[[], Work]
    goal: float | None = field(default=None, kw_only=True)

    def measure(self, budget: float) -> Result:
        """Make the data and measure."""
        return self.prepare().measure(budget)


BENCHMARKS: list[Benchmark] = []


def benchmark(name: str, *, goal: float | None = None) -> Callable[[Callable[[], Work]], Callable[[], Work]]:
    """Add the decorated function to the benchmarks, under a name that says what is done, to what, of which size."""

    def add(prepare: Callable[[], Work]) -> Callable[[], Work]:
        BENCHMARKS.append(Benchmark(name, prepare, goal=goal))
        return prepare

    return add


def low_decile(times: Sequence[float]) -> float:
    """Return the time that a tenth of all fall below."""
    return sorted(times)[len(times) // 10]


def calls_for(function: Call, clock: Clock, chunk: float = CHUNK) -> int:
    """Return how many calls of a function last about one chunk."""
    function()
    number = 1
    while True:
        taken = min(_chunk(function, number, clock) for _ in range(3))
        if taken >= chunk:
            return number
        number = max(2 * number, int(number * chunk / max(taken, 1e-9)))


def _chunk(function: Call, number: int, clock: Clock) -> float:
    start = clock()
    for _ in repeat(None, number):
        function()
    return clock() - start


def _run(program: str) -> None:
    # Compiled once, as what was installed is: a variable that forbids it would time the compiler.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-c", program], check=True, stdin=subprocess.DEVNULL, env=environment)


@contextlib.contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Keep the garbage collector from running inside a chunk."""
    was_enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
