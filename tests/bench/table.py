"""Results as text: one line for each benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bench.harness import Benchmark, Result

WIDTH = 56


def heading(rivals: Sequence[str] = ()) -> str:
    """The first line; ``rivals`` are the names of further columns."""
    further = "".join(f" {name:>10}" for name in rivals)
    return f"{'':{WIDTH}} {'graphlab':>10} {'baseline':>10} {'ratio':>8} {'goal':>8}{further}"


def line(benchmark: Benchmark, result: Result, rivals: Sequence[float | None] = ()) -> str:
    """Return one line: name, times, ratio, goal, the times of others, and `missed` where the goal was."""
    if result.baseline is None or result.ratio is None:
        baseline, ratio, goal = "", "", "" if benchmark.goal is None else f"≤ {duration(benchmark.goal).strip()}"
    else:
        baseline, ratio = amount(result.baseline, result.unit), f"×{result.ratio:.2f}"
        goal = "" if benchmark.goal is None else f"≤ {benchmark.goal:g}"
    verdict = "" if is_met(benchmark, result) else "  missed"
    further = "".join(f" {'' if time is None else amount(time, result.unit):>10}" for time in rivals)
    subject = amount(result.subject, result.unit)
    return f"{benchmark.name:{WIDTH}} {subject:>10} {baseline:>10} {ratio:>8} {goal:>8}{further}{verdict}"


def amount(value: float, unit: str) -> str:
    """A time or a number of bytes."""
    if unit == "s":
        return duration(value)
    return f"{value / 1e6:.2f} MB" if value >= 1e5 else f"{value / 1e3:.1f} kB"


def is_met(benchmark: Benchmark, result: Result) -> bool:
    """Whether a result reaches its goal; without a goal, any does."""
    reached = result.subject if result.ratio is None else result.ratio
    return benchmark.goal is None or reached <= benchmark.goal


def duration(seconds: float) -> str:
    """Write a time with three digits and the unit that suits it.

    >>> duration(5.5e-7), duration(0.0123), duration(2.0)
    ('550 ns', '12.3 ms', '2.00 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if seconds >= size or unit == "ns":
            value = seconds / size
            digits = 2 if value < 10 else 1 if value < 100 else 0
            return f"{value:.{digits}f} {unit}"
    raise AssertionError("the last unit suits every time")
