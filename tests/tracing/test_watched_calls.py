"""Calls while somebody watches: all are counted, and those that had settled before are settled after one."""

import pytest

import graphlab as tf
from graphlab.tracing import records


def settled(times=20):
    function = tf.function(lambda x: x + 1)
    for n in range(times):
        assert function(tf.constant(n)) == n + 1
    return function


def long_ways(function, calls, monkeypatch):
    """How many of some calls are looked up in the cache of traces, and go the long way."""
    found = []
    find = function.traces.cache.find
    monkeypatch.setattr(type(function.traces.cache), "find", lambda cache, key: found.append(key) or find(key))
    for n in range(calls):
        assert function(tf.constant(n)) == n + 1
    monkeypatch.undo()
    return len(found)


@pytest.mark.parametrize(("before", "long"), [(20, 1), (3, 8), (1, 10)])
def test_calls_that_had_settled_go_the_long_way_once(monkeypatch, before, long):
    function = settled(before)
    with records.watch() as seen:
        assert long_ways(function, 15, monkeypatch) == long
    assert sum(record.count for called, record in seen if called is function) == 15
    assert long_ways(function, 15, monkeypatch) == 1  # and again when nobody watches


def test_another_shape_is_traced_and_counted_while_watched(monkeypatch):
    function = settled()
    with records.watch() as seen:
        for value in (1, [1, 2], 1, [1, 2], 1.5):
            function(tf.constant(value))
    counts = {}
    for called, record in seen:
        assert called is function
        counts[record.trace] = counts.get(record.trace, 0) + record.count
    assert counts == {1: 2, 2: 2, 3: 1}
    assert len(function.traces.log.traces) == 3
