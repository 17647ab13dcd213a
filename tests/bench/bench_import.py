"""What it costs to start."""

from __future__ import annotations

from tests.bench.harness import Processes, benchmark


@benchmark("import, against import numpy", goal=1.5)
def start() -> Processes:
    return Processes(subject="import graphlab as tf; tf.constant", baseline="import numpy")
