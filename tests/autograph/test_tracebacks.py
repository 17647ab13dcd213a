"""Errors show the user's lines, and only those."""

import inspect
import linecache
import traceback

import pytest

import graphlab as tf
from graphlab.autograph import convert, filtered


def _lines(error):
    return [(frame.name, frame.line) for frame in traceback.extract_tb(error.__traceback__)]


def test_tracing_shows_the_users_lines_only():
    def helper(a):
        return tf.matmul(a, a)

    @tf.function
    def f(x):
        a = x + 1.0
        if tf.reduce_sum(x) > 0:
            for _ in tf.range(3):
                a = helper(a)
        return a

    with pytest.raises(ValueError, match="matrix product") as caught:
        f(tf.ones([2, 3]))
    lines = _lines(caught.value)
    assert [line for _, line in lines][-4:] == [
        "if tf.reduce_sum(x) > 0:",
        "for _ in tf.range(3):",
        "a = helper(a)",
        "return tf.matmul(a, a)",
    ]
    assert [name for name, _ in lines][-4:] == ["f", "f", "f", "helper"]


def test_filtering_can_be_turned_off():
    @tf.function
    def f(x):
        if x > 0:
            raise KeyError("a")
        return x

    tf.debugging.disable_traceback_filtering()
    try:
        assert not tf.debugging.is_traceback_filtering_enabled()
        with pytest.raises(KeyError) as caught:
            f(tf.constant(1))
        assert any("graphlab" in frame.filename for frame in traceback.extract_tb(caught.value.__traceback__))
        assert "if_stmt" in {name for name, _ in _lines(caught.value)}
    finally:
        tf.debugging.enable_traceback_filtering()
    with pytest.raises(KeyError) as caught:
        f(tf.constant(1))
    assert "if_stmt" not in {name for name, _ in _lines(caught.value)}


def test_columns_are_the_users():
    def f(x):
        if x:
            for _ in range(2):
                y = (x + 1) * (x / 0)
        return y

    with pytest.raises(ZeroDivisionError) as caught:
        convert(f)(1)
    frames = traceback.extract_tb(filtered(caught.value).__traceback__)
    assert frames[-1].line == "y = (x + 1) * (x / 0)"
    assert frames[-1].line[frames[-1].colno - 16 : frames[-1].end_colno - 16] == "x / 0"
    header = next(f for f in frames if f.line == "if x:")
    assert header.end_lineno == header.lineno


def test_the_users_frames_stay():
    def inner(x):
        raise LookupError(x)

    def f(x):
        return inner(x)

    with pytest.raises(LookupError) as caught:
        tf.function(f)(tf.constant(1))
    assert [name for name, _ in _lines(caught.value)][-2:] == ["f", "inner"]


def test_lines_counted_from_a_frames_first_are_the_users():
    """IPython shows the code of a cell so, in a kernel."""

    def branch(x):
        y = x + 1
        if x > 0:
            y = y / 0
        return y

    def loops(x):
        while x > 0:
            for _ in range(2):
                x = x / 0
        return x

    def nested(x):
        def inner(y):
            if y > 0:
                y = y / 0
            return y

        for _ in range(2):
            x = inner(x)
        return x

    for function in (branch, loops, nested):
        with pytest.raises(ZeroDivisionError) as caught:
            convert(function)(1)
        at = filtered(caught.value).__traceback__.tb_next
        while at is not None:
            lines, _ = inspect.getsourcelines(at.tb_frame)
            shown = lines[at.tb_lineno - at.tb_frame.f_code.co_firstlineno]
            assert shown == linecache.getline(at.tb_frame.f_code.co_filename, at.tb_lineno)
            at = at.tb_next


@pytest.mark.parametrize("where", ["tracing", "running"])
def test_an_interrupt_shows_the_users_frames(where):
    def stop(x):
        raise KeyboardInterrupt

    @tf.function
    def f(x):
        return stop(x) if where == "tracing" else tf.py_function(stop, [x], tf.float32)

    with pytest.raises(KeyboardInterrupt) as caught:
        f(tf.constant(1.0))
    assert not [
        at for at in traceback.extract_tb(caught.value.__traceback__)[2:] if "/graphlab/graphlab/" in at.filename
    ]


def test_an_error_of_a_call_that_a_guard_took_shows_no_frame_of_ours():
    @tf.function
    def f(x):
        return tf.constant(1) // x

    for i in range(1, 30):
        f(tf.constant(i))
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.constant(0))
    frames = traceback.extract_tb(caught.value.__traceback__)[1:]  # after the test's own
    assert [at.name for at in frames] == ["__call__"]  # which IPython and pytest leave out
