"""Works while a thread sends Ctrl-C to the process at random moments; ends with an error if anything is wrong then.

Run by `test_soak.py` with a seed and a number of seconds.
"""

from __future__ import annotations

import faulthandler
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from graphlab.core.state import ACTIVE, state
from tests.soak.work import Shared, Worker


def main(seed: str, seconds: float) -> None:
    faulthandler.dump_traceback_later(seconds + 90, exit=True)  # a deadlock shows where it is
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background may ignore it
    numbers = random.Random(seed)
    worker = Worker(Shared(), seed)
    pieces = [p for p in worker.pieces if p.__name__ not in ("assigns", "fails_while_running")]  # they count
    for piece in pieces:
        piece()
    armed, over = threading.Event(), threading.Event()

    def send() -> None:
        while not over.is_set():
            armed.wait()
            time.sleep(numbers.uniform(0, 0.004))
            if armed.is_set():
                os.kill(os.getpid(), signal.SIGINT)
                armed.clear()

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    end = time.monotonic() + seconds
    hits, errors = 0, np.geterr()
    while time.monotonic() < end:
        piece = worker.random.choice(pieces)
        try:
            armed.set()
            while armed.is_set():  # an interrupt inside of a weak reference's callback is not raised, Python says so
                piece()
            time.sleep(0.001)
        except KeyboardInterrupt:
            hits += 1
            while armed.is_set():
                time.sleep(0.0005)
        now = (state.graph, state.tapes, state.scope, state.autograph, ACTIVE)
        assert np.geterr() == errors, f"after {piece.__name__}: {np.geterr()}"
        assert now == (None, [], "", None, []), f"after {piece.__name__}: {now}"
        piece()
    over.set()
    print(f"{hits} interrupts")
    assert hits


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
