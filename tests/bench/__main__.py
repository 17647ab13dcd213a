"""Measure and print a table: `make bench`, or `python -m tests.bench [word ...]`; `--help` names the options."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import sys
from pathlib import Path

import numpy as np

from tests.bench import rivals, table
from tests.bench.harness import BENCHMARKS, Benchmark, Result


def discover() -> list[Benchmark]:
    """Import each bench_*.py beside this file; return all benchmarks."""
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        importlib.import_module(f"tests.bench.{path.stem}")
    return BENCHMARKS


def main() -> None:
    """Measure the benchmarks whose names contain all given words."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Speed against NumPy, in one table.")
    parser.add_argument("words", nargs="*", help="measure only the benchmarks whose names contain all of these")
    parser.add_argument("--budget", type=float, default=1.5, metavar="SECONDS", help="time for each (default: 1.5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures too, in seconds")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal was missed")
    options = parser.parse_args()

    chosen = [b for b in discover() if all(word in b.name for word in options.words)]
    threads = os.environ.get("OPENBLAS_NUM_THREADS", "as many as the library likes")
    print(
        f"Python {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores; BLAS threads: {threads}"
    )
    others = rivals.asked()
    times = {
        label: rivals.measured(label, python, [b.name for b in chosen], options.budget)
        for label, python in others.items()
    }
    print(table.heading(list(others)))
    results: dict[str, Result] = {}
    for benchmark in chosen:
        name = benchmark.name
        results[name] = benchmark.measure(options.budget)
        print(table.line(benchmark, results[name], [times[label].get(name) for label in others]), flush=True)

    if options.json:
        figures = {
            name: {
                "subject": r.subject,
                "baseline": r.baseline,
                "ratio": r.ratio,
                "unit": r.unit,
                "goal": next(b.goal for b in chosen if b.name == name),
                **{label: times[label].get(name) for label in others},
            }
            for name, r in results.items()
        }
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.check and not all(table.is_met(b, results[b.name]) for b in chosen):
        sys.exit(1)


if __name__ == "__main__":
    main()
