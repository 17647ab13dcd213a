"""Several threads: one trace per key, no deadlock, nothing lost when a trace is broken off."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time

import pytest

import graphlab as tf
from graphlab.tracing.locks import Claim

LIMIT = 30.0


def together(*works):
    """Runs functions in threads that start at one moment; what they returned, or raised, in order."""
    barrier = threading.Barrier(len(works))
    results = [None] * len(works)

    def run(index, work):
        barrier.wait()
        try:
            results[index] = work()
        except Exception as error:  # noqa: BLE001 - handed to the test
            results[index] = error

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
        assert not thread.is_alive(), "a thread waits for ever"
    return results


def test_threads_share_one_trace():
    traced = []

    @tf.function
    def f(x):
        traced.append(threading.get_ident())
        time.sleep(0.05)
        return x + 1

    results = together(*[lambda n=n: int(f(tf.constant(n))) for n in range(8)])
    assert results == list(range(1, 9))
    assert len(traced) == 1
    assert [record.number for record in f.log.traces] == [1]


def test_threads_trace_different_keys_at_the_same_time():
    inside, most = [], []
    meet = threading.Barrier(3)

    @tf.function
    def f(x, n):
        if n:
            inside.append(n)
            meet.wait(LIMIT)  # passes only when three traces are under way
            most.append(len(inside))
        return x + n

    f(tf.constant(1), 0)
    assert together(*[lambda n=n: int(f(tf.constant(1), n)) for n in (1, 2, 3)]) == [2, 3, 4]
    assert most == [3, 3, 3]
    assert f.experimental_get_tracing_count() == 4
    assert sorted(record.number for record in f.log.traces) == [1, 2, 3, 4]


def test_functions_that_call_each_other_do_not_block():
    started = threading.Barrier(2)
    here = threading.local()

    def meet():
        """Waits, in the first trace of each thread, until both threads are tracing."""
        if not hasattr(here, "met"):
            here.met = True
            started.wait(LIMIT)

    @tf.function
    def f(x, depth):
        meet()
        return x + 1 if depth == 0 else g(x, depth - 1)

    @tf.function
    def g(x, depth):
        meet()
        return x + 2 if depth == 0 else f(x, depth - 1)

    one = tf.constant(1)
    results = together(lambda: int(f(one, 1)), lambda: int(g(one, 1)))
    assert results == [3, 2]
    here.met = True
    assert (int(f(one, 1)), int(g(one, 1))) == (3, 2)


def test_a_wait_that_would_never_end_is_refused():
    a, b = [], []

    def hold(own, other, ready, go):
        own.append(Claim())
        ready.wait(LIMIT)
        go.wait(LIMIT)
        ended = other[0].wait()
        own[0].release()
        return ended

    ready, go = threading.Barrier(2), threading.Barrier(2)
    results = together(lambda: hold(a, b, ready, go), lambda: hold(b, a, ready, go))
    assert sorted(results) == [False, True]


def test_a_thread_does_not_wait_for_itself():
    assert Claim().wait() is False


def test_a_failed_trace_lets_the_next_thread_trace():
    attempts = []

    @tf.function
    def f(x):
        attempts.append(1)
        time.sleep(0.05)
        if len(attempts) == 1:
            raise ValueError("the first attempt fails")
        return x + 1

    results = together(*[lambda: int(f(tf.constant(1)))] * 4)
    assert sum(isinstance(result, ValueError) for result in results) == 1
    assert [result for result in results if not isinstance(result, ValueError)] == [2, 2, 2]
    assert len(attempts) == 2


def test_variables_made_on_the_first_call_are_made_once():
    made = []

    @tf.function
    def f(x):
        if not made:
            time.sleep(0.02)
            made.append(tf.Variable(1.0))
        return made[0] + x

    assert together(*[lambda: float(f(tf.constant(1.0)))] * 6) == [2.0] * 6
    assert len(made) == 1
    assert f.experimental_get_tracing_count() == 2


def test_a_trace_in_one_thread_does_not_show_in_another():
    tracing, done = threading.Event(), threading.Event()

    @tf.function
    def slow(x):
        tracing.set()
        done.wait(LIMIT)
        return x

    def other():
        tracing.wait(LIMIT)
        try:
            return tf.executing_eagerly(), int(tf.constant(1) + 1), int(quick(tf.constant(1)))
        finally:
            done.set()

    quick = tf.function(lambda x: x + 5)
    for _ in range(30):
        quick(tf.constant(1))
    assert together(lambda: int(slow(tf.constant(3))), other) == [3, (True, 2, 6)]


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals to a thread")
def test_an_interrupt_while_tracing_leaves_everything_usable():
    @tf.function
    def f(x, interrupted):
        if interrupted:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(LIMIT)
        return x + 1

    # A process that was started in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            f(tf.constant(1), True)
    finally:
        signal.signal(signal.SIGINT, before)
    assert tf.executing_eagerly()
    assert int(f(tf.constant(1), False)) == 2
    assert together(lambda: int(f(tf.constant(1), False))) == [2]


def test_instances_that_come_and_go_in_threads():
    class Net:
        def __init__(self, k):
            self.k = k

        @tf.function
        def f(self, x):
            return x * self.k

    def work(start):
        total = 0
        for k in range(start, start + 20):
            net = Net(k)
            total += int(net.f(tf.constant(1)))
        return total

    assert together(*[lambda s=s: work(s) for s in (0, 100, 200)]) == [sum(range(s, s + 20)) for s in (0, 100, 200)]
    gc.collect()
    assert Net.f._bound == {}
