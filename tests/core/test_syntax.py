"""Texts are parsed by many threads at once."""

import gc
import sys
import threading

from graphlab.core.syntax import parse

TEXT = "x = " + "".join("(1 + " for _ in range(60)) + "y" + ")" * 60 + "\n"


class Slow:
    """Its collection lets another thread come in, at whatever moment."""

    def __init__(self):
        self.itself = self

    def __del__(self):
        sum(range(2000))


def test_threads_parse_at_the_same_time():
    failures = []

    def work():
        try:
            for _ in range(40):
                for _ in range(3):
                    Slow()
                parse(TEXT)
        except BaseException as error:  # noqa: BLE001 - shown by the assertion
            failures.append(error)

    interval, limits = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(20)
    try:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*limits)
    assert failures == []
