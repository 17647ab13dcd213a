"""The harness measures ratios that hold on a machine whose speed changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.bench import harness, table
from tests.bench.harness import Benchmark, Once, Pair, Processes, Result


class Machine:
    """A clock, and functions that take as long as they say on a machine with stretches of bad time."""

    def __init__(self, disturbed: Callable[[float], float] = lambda _: 1.0) -> None:
        self.now = 0.0
        self.disturbed = disturbed

    def clock(self) -> float:
        return self.now

    def work(self, seconds: float) -> Callable[[], None]:
        def run() -> None:
            self.now += seconds * self.disturbed(self.now)

        return run


def test_a_ratio_is_that_of_the_two_functions() -> None:
    machine = Machine()
    result = Pair(machine.work(3e-6), machine.work(1e-6)).measure(budget=0.2, clock=machine.clock)
    assert result.ratio == pytest.approx(3.0)
    assert result.subject == pytest.approx(3e-6)


def test_a_ratio_holds_while_most_of_the_time_others_have_the_machine() -> None:
    machine = Machine(disturbed=lambda now: 1.0 if now % 0.05 < 0.012 else 4.0)
    result = Pair(machine.work(2e-4), machine.work(1e-4)).measure(budget=2.0, clock=machine.clock)
    assert result.ratio == pytest.approx(2.0, rel=0.05)


def test_units_divide_the_times_and_leave_the_ratio() -> None:
    machine = Machine()
    result = Pair(machine.work(2e-3), machine.work(1e-3), units=100).measure(budget=0.1, clock=machine.clock)
    assert result.subject == pytest.approx(2e-5)
    assert result.ratio == pytest.approx(2.0)


def test_something_slow_is_still_measured_several_times() -> None:
    machine = Machine()
    called: list[int] = []
    slow = machine.work(10.0)
    Pair(lambda: (called.append(1), slow()), machine.work(1.0)).measure(budget=0.1, clock=machine.clock)
    assert len(called) > harness.FEWEST_CHUNKS


@pytest.mark.parametrize("seconds", [1e-8, 1e-5, 1e-3, 0.5])
def test_a_chunk_lasts_about_a_millisecond_or_one_call(seconds: float) -> None:
    machine = Machine()
    number = harness.calls_for(machine.work(seconds), machine.clock)
    assert number == 1 or 1e-3 <= number * seconds <= 2.1e-3


def test_what_happens_once_is_done_to_a_fresh_subject_each_time() -> None:
    subjects: list[list[str]] = []

    def prepare() -> Callable[[], None]:
        subjects.append([])
        return lambda mine=subjects[-1]: mine.append("called")

    result = Once(prepare).measure(budget=0.0)
    assert subjects == [["called"]] * len(subjects)
    assert result.ratio is None


def test_programs_are_run_in_processes_of_their_own() -> None:
    result = Processes("import time; time.sleep(0.2)", "pass").measure(budget=0.0)
    assert result.ratio > 1.0


@pytest.mark.parametrize(
    ("goal", "result", "shown"),
    [
        (3.0, Result(5.5e-7, 2.5e-7), ["550 ns", "250 ns", "×2.20", "≤ 3"]),
        (2.0, Result(5.5e-7, 2.5e-7), ["550 ns", "250 ns", "×2.20", "≤ 2", "missed"]),
        (None, Result(1.0, 0.5), ["1.00 s", "500 ms", "×2.00"]),
        (4e-5, Result(3e-5), ["30.0 µs", "≤ 40.0 µs"]),
        (2e-5, Result(3e-5), ["30.0 µs", "≤ 20.0 µs", "missed"]),
    ],
)
def test_a_line_of_the_table(goal: float | None, result: Result, shown: list[str]) -> None:
    line = table.line(Benchmark("a name", lambda: Pair(int, int), goal=goal), result)
    assert line.split() == ["a", "name", *" ".join(shown).split()]
