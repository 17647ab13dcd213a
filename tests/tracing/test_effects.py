"""How often Python effects ran while tracing: the records say it, for helpers, branches, loops and errors too."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import graphlab as tf
from tests.helper_module import noted

log: list[Any] = []
ONE = tf.constant(1.0)


def effects(function: Any, failures: bool = False) -> list[dict[str, int]]:
    """For each trace: the text at each place that was counted → how often it ran; functions by their name."""
    import linecache

    records = function.traces.log.failures if failures else function.traces.log.traces
    found = []
    for record in records:
        counts = {}
        for filename, line, column, name, times in record.ran:
            text = linecache.getline(filename, line).rstrip("\n").encode()[column:].decode()
            counts[name.rpartition(".")[2] or text] = times
        found.append(counts)
    return found


def helper(x: Any, deep: bool = False) -> Any:
    log.append("helper")
    if deep:
        log.append("deep")
    return x * 2.0


class Net(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.v = tf.Variable(1.0)

    def note(self, x: Any) -> Any:
        self.calls += 1
        return x * self.v

    @tf.function
    def step(self, x: Any) -> Any:
        return self.note(self.note(x))


def python_condition(x, flag=True):
    if flag:
        log.append("yes")
    else:
        log.append("no")
    return x


def python_loop(x):
    for i in range(2):
        log.append(i)
        x = x + 1.0
    return x


def graph_loop(x):
    for _ in tf.range(3):
        log.append("body")
        x = x + 1.0
    return x


def both_branches(x):
    if x > 0.0:
        log.append("then")
    else:
        log.append("else")
    return x


def caught(x):
    try:
        log.append("before")
        {}["missing"]
        log.append("after")
    except KeyError:
        log.append("handler")
    finally:
        log.append("finally")
    return x


def nested(x):
    def inner(y):
        log.append("inner")
        return y

    return inner(inner(x))


def by_lambda(x):
    keep = lambda y: log.append(y) or y  # noqa: E731
    return keep(keep(x))


def comprehension(x):
    [log.append(i) for i in range(4)]
    return x


def helpers(x):
    x = helper(x)
    return helper(x, deep=True)


def other_module(x):
    return noted(x, log)


def with_values(x):
    last = log.pop()
    log[:], x = [last], x + 0.0
    return x


def jumps(x):
    for i in range(5):
        if i == 2:
            break
        log.append(i)
    return x


CASES = [
    (python_condition, {'log.append("yes")': 1}),
    (python_loop, {"log.append(i)": 2}),
    (graph_loop, {'log.append("body")': 1}),
    (both_branches, {'log.append("then")': 1, 'log.append("else")': 1}),
    (caught, {'log.append("before")': 1, 'log.append("handler")': 1, 'log.append("finally")': 1}),
    (nested, {"inner": 2, 'log.append("inner")': 2}),
    (by_lambda, {"log.append(y) or y  # noqa: E731": 2}),
    (comprehension, {"log.append(i) for i in range(4)]": 4}),
    (helpers, {"helper": 2, 'log.append("helper")': 2, 'log.append("deep")': 1}),
    (other_module, {"noted": 1, "kept.append(1)": 1}),
    (with_values, {"last = log.pop()": 1, "log[:], x = [last], x + 0.0": 1}),
    (jumps, {"log.append(i)": 2}),
]


@pytest.mark.parametrize(("python", "expected"), CASES, ids=[case[0].__name__ for case in CASES])
def test_effects_are_counted_while_tracing_and_not_after(python, expected):
    log[:] = ["last"]
    function = tf.function(python)
    for _ in range(3):
        function(ONE)
    assert effects(function) == [{python.__name__: 1, **expected}]
    code = tf.autograph.to_code(python)
    assert "ag.ran(" not in code
    assert "ag.after(" not in code


def test_methods_count_what_their_objects_do():
    net = Net()
    net.step(ONE)
    net.step(ONE)
    assert effects(net.step) == [{"step": 1, "note": 2, "self.calls += 1": 2}]
    assert net.calls == 2


def test_each_trace_counts_its_own():
    function = tf.function(python_condition)
    function(ONE, True)
    function(ONE, False)
    assert effects(function) == [
        {"python_condition": 1, 'log.append("yes")': 1},
        {"python_condition": 1, 'log.append("no")': 1},
    ]


def test_a_traced_function_that_is_called_counts_for_itself():
    inner = tf.function(python_loop)
    outer = tf.function(lambda x: inner(x))
    outer(ONE)
    assert effects(outer) == [{}]
    assert effects(inner) == [{"python_loop": 1, "log.append(i)": 2}]


def test_a_stopped_trace_has_what_ran_before_the_error():
    def stops(x):
        log.append("ran")
        raise ValueError("here")
        log.append("never")

    function = tf.function(stops)
    with pytest.raises(ValueError, match="here"):
        function(ONE)
    (counted,) = effects(function, failures=True)
    assert counted == {"stops": 1, 'log.append("ran")': 1}


def test_an_error_in_a_helper_is_known_by_its_file():
    function = tf.function(lambda x: noted(x, None))
    with pytest.raises(AttributeError):
        function(ONE)
    (record,) = function.traces.log.failures
    assert record.error_file.endswith("helper_module.py")


def test_records_stay_plain():
    function = tf.function(helpers)
    function(ONE)
    (record,) = function.traces.log.traces
    assert pickle.loads(pickle.dumps(record)).ran == record.ran


def test_nothing_is_counted_outside_of_a_trace():
    from graphlab.core.state import state

    assert state.ran is None
    tf.autograph.to_graph(helpers)(ONE)
    assert state.ran is None
