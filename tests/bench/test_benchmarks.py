"""Every benchmark still does its work; how fast is for `make bench` to say."""

import pytest

from tests.bench.__main__ import discover
from tests.bench.harness import Benchmark


@pytest.mark.parametrize("benchmark", discover(), ids=lambda b: b.name)
def test_a_benchmark_runs(benchmark: Benchmark) -> None:
    benchmark.prepare().try_once()
