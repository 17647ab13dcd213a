"""The same work in other frameworks, in processes of the Pythons that have them.

``BENCH_TF``, ``BENCH_TORCH`` and ``BENCH_JAX`` name a Python with TensorFlow, PyTorch or JAX.  TensorFlow runs the very
programs of the benchmarks, since graphlab's names are TensorFlow's; the other two have their own in `rivals_torch.py`
and `rivals_jax.py`.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

RIVALS = {"TF": "tensorflow", "TORCH": "torch", "JAX": "jax"}


def asked() -> dict[str, str]:
    """The rivals that the environment names: label → path of a Python."""
    return {label: os.environ[f"BENCH_{label}"] for label in RIVALS if os.environ.get(f"BENCH_{label}")}


def measured(label: str, python: str, names: list[str], budget: float) -> dict[str, float]:
    """Seconds (or bytes) by benchmark, from a process of ``python``; benchmarks that the rival has not are missing."""
    root = Path(__file__).resolve().parents[2]
    result = subprocess.run(
        [python, "-m", "tests.bench.rivals", RIVALS[label], str(budget), *names],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(root)},
    )
    if result.returncode:
        print(f"{label}: {result.stderr.strip().splitlines()[-1] if result.stderr else 'failed'}", file=sys.stderr)
        return {}
    return {name: float(seconds) for name, seconds in json.loads(result.stdout.splitlines()[-1]).items()}


def _tensorflow() -> dict[str, Callable[[], Any]]:
    sys.modules["graphlab"] = importlib.import_module("tensorflow")
    from tests.bench import harness

    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        importlib.import_module(f"tests.bench.{path.stem}")
    return {b.name: b.prepare for b in harness.BENCHMARKS}


def _others(module: str) -> dict[str, Callable[[], Any]]:
    found: dict[str, Callable[[], Any]] = importlib.import_module(f"tests.bench.rivals_{module}").BENCHMARKS
    return found


def main() -> None:
    """Measures the benchmarks named on the command line and prints them as JSON."""
    from tests.bench import harness

    rival, budget, names = sys.argv[1], float(sys.argv[2]), set(sys.argv[3:])
    prepared = _tensorflow() if rival == "tensorflow" else _others(rival)
    times: dict[str, float] = {}
    for name, prepare in prepared.items():
        if name not in names:
            continue
        work = prepare()
        if isinstance(work, (harness.Processes, harness.Memory)):
            continue
        if callable(work):
            work = harness.Pair(work, lambda: None)
        if isinstance(work, harness.Pair):
            work = harness.Pair(work.subject, lambda: None, work.units)
        clock = work.clock if isinstance(work, harness.Once) else time.perf_counter
        if isinstance(work, harness.Pair):
            work.try_once()  # traces
        start = clock()
        work.try_once()
        once = clock() - start
        # What takes seconds is timed this one time.
        times[name] = once / work.units if once > 1.0 else work.measure(budget).subject
    print(json.dumps(times))


if __name__ == "__main__":
    main()
