"""Eight threads that trace, call, differentiate, assign and fail at random: nothing wrong, nothing lost, nothing stuck.

`GRAPHLAB_SOAK_SECONDS` says for how long (15 by default, all tests of this folder together), `GRAPHLAB_SOAK_SEED` with
which seed; the seed is printed, and new in every run.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import random
import subprocess
import sys
import threading
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphlab as tf
from graphlab.core.state import ACTIVE, state
from tests.soak.work import Shared, Worker

SECONDS = float(os.environ.get("GRAPHLAB_SOAK_SECONDS", "15"))
SEED = os.environ.get("GRAPHLAB_SOAK_SEED") or str(random.SystemRandom().randrange(10**6))
THREADS = 8
STUCK = 120.0  # seconds without an end, after which a thread counts as stuck
GROWTH = 256 * 1024  # bytes that may come with thousands of pieces of work: caches of Python and NumPy

pytestmark = pytest.mark.xdist_group("soak")


@pytest.fixture(autouse=True)
def seed() -> None:
    print(f"GRAPHLAB_SOAK_SEED={SEED} GRAPHLAB_SOAK_SECONDS={SECONDS:g}")


def together(workers: list[Worker], times: int, seconds: float) -> int:
    """Lets all workers go on for some pieces or seconds; how many pieces it were."""
    end = time.monotonic() + seconds
    failures: list[BaseException] = []
    counts = [0] * len(workers)

    def stop() -> bool:
        return bool(failures) or time.monotonic() > end

    def work(index: int) -> None:
        try:
            counts[index] = workers[index].run(times, stop)
            assert (state.graph, state.tapes, state.scope) == (None, [], "")
        except BaseException as error:  # noqa: BLE001 - raised below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(index,), daemon=True) for index in range(len(workers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()) + STUCK)
        if thread.is_alive():
            faulthandler.dump_traceback(sys.stderr)
            pytest.fail(f"a thread is stuck; seed {SEED}")
    if failures:
        raise failures[0]
    return sum(counts)


def memory() -> int:
    for _ in range(3):
        gc.collect()
    return tracemalloc.get_traced_memory()[0]


def test_threads() -> None:
    shared = Shared()
    workers = [Worker(shared, f"{SEED}/{index}") for index in range(THREADS)]
    long = 10**9
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    tracemalloc.start()
    try:
        workers[0].warm()  # every shape and number has its trace after this: from here on nothing may stay
        together(workers, long, SECONDS * 0.2)
        before = memory()
        first = tracemalloc.take_snapshot()
        done = together(workers, long, SECONDS * 0.45)
        grown = memory() - before
        second = tracemalloc.take_snapshot()
    finally:
        tracemalloc.stop()
        sys.setswitchinterval(interval)
    print(f"{done} pieces of work; {grown} bytes grown")
    most = "\n".join(map(str, second.compare_to(first, "lineno")[:10]))
    assert done > THREADS
    assert grown < GROWTH, f"{grown} bytes are kept after {done} pieces of work, seed {SEED}:\n{most}"
    assert ACTIVE == []
    assert int(shared.total) == sum(worker.added for worker in workers)


def test_tracing_from_both_ends() -> None:
    """Two threads trace f, which calls g, and g, which calls f, at one moment."""
    end = time.monotonic() + SECONDS * 0.05
    rounds = 0
    while time.monotonic() < end or not rounds:
        rounds += 1
        barrier = threading.Barrier(2)

        @tf.function
        def f(x: Any, depth: Any) -> Any:
            return x + 1 if depth == 0 else g(x, depth - 1) * 2

        @tf.function
        def g(x: Any, depth: Any) -> Any:
            return x + 2 if depth == 0 else f(x, depth - 1) * 3

        results: dict[str, int] = {}

        def call(name: str, function: Any, barrier: Any = barrier, results: Any = results) -> None:
            barrier.wait(STUCK)
            results[name] = int(function(tf.constant(1), 3))

        threads = [
            threading.Thread(target=call, args=pair, daemon=True) for pair in (("f", f), ("g", g))
        ]  # fmt: skip
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(STUCK)
            assert not thread.is_alive(), "a thread waits for ever"
        assert results == {"f": (1 + 2) * 2 * 3 * 2, "g": (1 + 1) * 3 * 2 * 3}


def interrupted(work: Any, at: int) -> int:
    """Runs ``work`` with Ctrl-C at one of the points at which Python looks for signals; how many it has passed."""
    count = 0

    def profile(frame: Any, event: str, _: Any) -> None:
        nonlocal count
        if event == "c_return" or (
            event == "call" and frame.f_code.co_name != "__exit__"
        ):  # see tests/core/test_state.py
            count += 1
            if count == at:
                raise KeyboardInterrupt

    sys.setprofile(profile)
    try:
        work()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a generator was being collected
def test_interrupts_at_random_points() -> None:
    numbers = random.Random(SEED)
    shared = Shared()
    worker = Worker(shared, SEED)
    pieces = [p for p in worker.pieces if p.__name__ not in ("assigns", "fails_while_running")]  # they count
    end = time.monotonic() + SECONDS * 0.15
    hits, errors = 0, np.geterr()
    while time.monotonic() < end or not hits:
        piece = numbers.choice(pieces)
        points = interrupted(piece, -1)
        at = numbers.randint(1, points)
        interrupted(piece, at)
        hits += 1
        now = (state.graph, state.tapes, state.scope, state.autograph, ACTIVE)
        assert np.geterr() == errors, f"{piece.__name__} interrupted at {at} of {points}, seed {SEED}"
        assert now == (None, [], "", None, []), f"{piece.__name__} interrupted at {at} of {points}, seed {SEED}"
        piece()


def test_ctrl_c() -> None:
    """A real signal, at random moments, in a process of its own."""
    child = Path(__file__).with_name("interrupted.py")
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(child), SEED, str(SECONDS * 0.15)],
        capture_output=True, text=True, timeout=STUCK + SECONDS, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.returncode == 0, f"seed {SEED}\n{done.stdout[-3000:]}\n{done.stderr[-6000:]}"
    print(done.stdout)
