"""The state of a thread is what it was after an interrupt at any point, and whatever other threads do."""

import _thread
import signal
import sys
import threading

import numpy as np
import pytest

import graphlab as tf
from graphlab.core.state import ACTIVE, state

STEP = 67  # every how many of the possible points one is tried


def program(v):
    @tf.function
    def inner(x):
        x = x * 0.5 if x > 2.0 else x + v
        for _ in tf.range(2):
            x = x * v
        return x

    @tf.function
    def outer(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x)
        return tape.gradient(y, x)

    x = tf.constant(1.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = outer(x)
    return float(y), tape.gradient(y, v), float(outer(x))


def interrupted(function, *args, at):
    """Runs a function with Ctrl-C at the point ``at``; the number of points.

    Python looks for signals when a Python function begins and after a call of one in C, which is where a profile
    function is called.  The beginning of ``__exit__`` has a test of its own: an error of a profile function there passes
    by the handlers of Python 3.11, which a signal's does not.
    """
    count = 0

    def profile(frame, event, _):
        nonlocal count
        if event == "c_return" or (event == "call" and frame.f_code.co_name != "__exit__"):
            count += 1
            if count == at:
                raise KeyboardInterrupt

    sys.setprofile(profile)
    try:
        function(*args)
    except KeyboardInterrupt as error:
        return count, error
    finally:
        sys.setprofile(None)
    return count, None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a generator was being collected
def test_an_interrupt_at_any_point_leaves_everything_usable():
    v = tf.Variable(1.0)
    wanted, errors = program(v), np.geterr()
    points, _ = interrupted(program, v, at=-1)
    hit = 0
    for at in range(1, points, points // STEP):
        _, error = interrupted(program, v, at=at)
        hit += error is not None
        assert (state.graph, state.tapes, state.scope, state.autograph, ACTIVE) == (None, [], "", None, []), at
        assert np.geterr() == errors, at  # NumPy warns of overflow as before
        assert program(v) == wanted, at
        del error  # what an interrupted block would do when it is collected must not matter
        assert state.graph is None
    assert hit > STEP // 2


BLOCKS = {
    "tf.GradientTape": tf.GradientTape,
    "tf.init_scope": tf.init_scope,
    "tf.name_scope": lambda: tf.name_scope("a"),
    "tf.device": lambda: tf.device("cpu:0"),
    "tf.Graph": lambda: tf.Graph().as_default(),
}


class Signal(int):
    """``Signal(2).now`` makes a signal pending without a call after which Python would look for it at once."""

    now = property(_thread.interrupt_main)


@pytest.mark.parametrize("where", BLOCKS)
def test_an_interrupt_when_a_block_begins_to_end(where):
    interrupt = Signal(signal.SIGINT)
    before, handler = dict(state.__dict__), signal.signal(signal.SIGINT, signal.default_int_handler)
    reached = False
    try:
        with pytest.raises(KeyboardInterrupt) as caught, BLOCKS[where]():  # noqa: PT012 - the block is what is tested
            reached = True
            interrupt.now  # noqa: B018 - the signal is seen by the first instruction of __exit__
    finally:
        signal.signal(signal.SIGINT, handler)
    assert reached
    assert caught.traceback[-1].name == "__exit__"
    assert (dict(state.__dict__), ACTIVE) == (before, [])


def test_an_interrupt_when_a_pause_of_a_tape_begins_to_end():
    interrupt = Signal(signal.SIGINT)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    x = tf.constant(3.0)
    try:
        with tf.GradientTape() as tape:
            tape.watch(x)
            try:
                with tape.stop_recording():
                    interrupt.now  # noqa: B018 - as above
            except KeyboardInterrupt:
                y = x * x
    finally:
        signal.signal(signal.SIGINT, handler)
    assert float(tape.gradient(y, x)) == 6.0
    assert (state.tapes, ACTIVE) == ([], [])


@pytest.mark.parametrize("where", BLOCKS)
def test_an_interrupt_while_a_block_is_entered(where):
    def enter():
        with BLOCKS[where]():
            pass

    enter()
    before = dict(state.__dict__)
    points, _ = interrupted(enter, at=-1)
    for at in range(1, points + 1):
        interrupted(enter, at=at)
        assert (dict(state.__dict__), ACTIVE) == (before, []), at


def test_tapes_of_many_threads():
    failures = []

    def work():
        try:
            for _ in range(2000):
                with tf.GradientTape(), tf.GradientTape():
                    pass
        except BaseException as error:  # noqa: BLE001 - shown by the assertion
            failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert (failures, ACTIVE) == ([], [])
