"""Why calls are traced: programs, and the causes that their last trace records."""

from __future__ import annotations

import dataclasses
import gc
import pickle
import weakref
from typing import Any, NamedTuple

import numpy as np
import pytest

import graphlab as tf
from graphlab.tracing import records
from graphlab.tracing.reasons import place_advice


def last(function):
    return [(reason.id, dict(reason.values)) for reason in function.log.traces[-1].reasons]


def called(body, *calls, **options):
    """A Function of ``body`` after calls with each tuple (or dict) of arguments."""
    function = tf.function(body, **options)
    for call in calls:
        if isinstance(call, dict):
            function(**call)
        else:
            function(*call)
    return function


class Net:
    def step(self, x):
        return x


class Pair(NamedTuple):
    a: Any
    b: Any


class Couple(NamedTuple):
    a: Any
    b: Any


net, other = Net(), Net()
one = tf.constant(1)
u, w = tf.Variable(1.0), tf.Variable(2.0)
slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
slices64 = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0], tf.int64))


def nothing(x, k=2):
    return None


def many(*args, **kwargs):
    return None


PROGRAMS = [
    (nothing, [(1,)], [("retrace.first", {})]),
    (nothing, [(1,), (2,)], [("retrace.python_number.value", {"path": "x", "was": "1", "now": "2"})]),
    (
        nothing,
        [(1,), (True,)],
        [
            (
                "retrace.python_value.type",
                {"path": "x", "was": "1", "now": "True", "was_type": "int", "now_type": "bool"},
            )
        ],
    ),
    (nothing, [(0.0,), (-0.0,)], [("retrace.python_number.value", {"path": "x", "was": "0.0", "now": "-0.0"})]),
    (nothing, [(1,), (1, 3)], [("retrace.default.given", {"path": "k", "was": "2", "now": "3"})]),
    (nothing, [(1, 3), (1,)], [("retrace.default.omitted", {"path": "k", "was": "3", "now": "2"})]),
    (nothing, [("a",), ("b",)], [("retrace.python_string.value", {"path": "x", "was": "'a'", "now": "'b'"})]),
    (nothing, [(3,), (one,)], [("retrace.kind.number_to_tensor", {"path": "x", "was": "3", "now": "int32[]"})]),
    (nothing, [(one,), (3,)], [("retrace.kind.tensor_to_number", {"path": "x", "was": "int32[]", "now": "3"})]),
    (nothing, [(one,), (None,)], [("retrace.value_to_none", {"path": "x", "was": "int32[]", "now": "None"})]),
    (
        nothing,
        [(one,), (np.float32(1),)],
        [("retrace.tensor.dtype", {"path": "x", "was": "int32", "now": "float32"})],
    ),
    (
        nothing,
        [(tf.ones([2]),), (tf.ones([3]),)],
        [("retrace.tensor.shape", {"path": "x", "was": (2,), "now": (3,), "axis": 0, "a": 2, "b": 3})],
    ),
    (
        nothing,
        [(tf.ones([2]), 3), (tf.ones([3]), 3), (tf.ones([2]), 4)],
        [("retrace.python_number.value", {"path": "k", "was": "3", "now": "4"})],
    ),
    (
        nothing,
        [(tf.ones([2]),), (tf.ones([2, 1]),)],
        [("retrace.tensor.rank", {"path": "x", "was": (2,), "now": (2, 1), "a": 1, "b": 2})],
    ),
    (
        nothing,
        [(tf.constant(1.0),), (u,)],
        [("retrace.kind.tensor_to_variable", {"path": "x", "was": "float32[]", "now": "Variable float32[]"})],
    ),
    (nothing, [(u, w), (u, u)], [("retrace.variable.same", {"path": "k", "other": "x"})]),
    (nothing, [(u, u), (u, w)], [("retrace.variable.apart", {"path": "k", "other": "x"})]),
    (
        nothing,
        [(u,), (tf.Variable([1.0]),)],
        [("retrace.variable.shape", {"path": "x", "was": (), "now": (1,)})],
    ),
    (nothing, [(lambda: 1,) for _ in range(2)], [("retrace.object.lambda", {"path": "x"})]),
    (
        nothing,
        [(nothing,), (many,)],
        [("retrace.object.another", {"path": "x", "was": "function nothing", "now": "function many"})],
    ),
    (nothing, [([1],), ([1, 2],)], [("retrace.structure.length", {"path": "x", "was": 1, "now": 2})]),
    (nothing, [([one],), ((one,),)], [("retrace.structure.type", {"path": "x", "was": "list", "now": "tuple"})]),
    (
        nothing,
        [({"a": one},), ({"b": one, "a": one},)],
        [("retrace.structure.key_added", {"path": "x", "key": "'b'"})],
    ),
    (
        nothing,
        [({"a": [one, 1]},), ({"a": [one, 2]},)],
        [("retrace.python_number.value", {"path": "x['a'][1]", "was": "1", "now": "2"})],
    ),
    (
        nothing,
        [(Pair(one, 2),), (Pair(one, 3),)],
        [("retrace.python_number.value", {"path": "x.b", "was": "2", "now": "3"})],
    ),
    (
        nothing,
        [(Pair(one, 2),), (Couple(one, 2),)],
        [("retrace.structure.class", {"path": "x", "was": "Pair", "now": "Couple"})],
    ),
    (many, [(1,), (1, 2)], [("retrace.arguments.count", {"path": "*args", "was": 1, "now": 2})]),
    (many, [(1, 2), (1, 3)], [("retrace.python_number.value", {"path": "args[1]", "was": "2", "now": "3"})]),
    (many, [{"a": 1}, {"a": 1, "b": 2}], [("retrace.arguments.keyword_added", {"key": "b"})]),
    (many, [{"a": 1, "b": 2}, {"a": 1}], [("retrace.arguments.keyword_removed", {"key": "b"})]),
]


@pytest.mark.parametrize(("body", "calls", "expected"), PROGRAMS)
def test_the_last_trace_says_why(body, calls, expected):
    assert last(called(body, *calls)) == expected


def test_a_method_object_made_anew():
    function = tf.function(nothing)
    function(net.step)
    function(net.step)
    assert last(function) == [("retrace.object.method", {"path": "x", "name": "step"})]


def test_another_object_and_a_composite_of_another_type():
    ((name, values),) = last(called(nothing, (net,), (other,)))
    assert (name, values["path"]) == ("retrace.object.another", "x")
    assert values["was"] != values["now"]
    ((name, values),) = last(called(nothing, (slices,), (slices64,)))
    assert name == "retrace.spec"
    assert "int64" in values["now"]


def test_a_trace_is_compared_with_the_closest_earlier_one():
    function = called(nothing, (tf.ones([2]), 3), (tf.ones([3]), 4), (tf.ones([2]), 5))
    assert [record.closest for record in function.log.traces] == [None, 1, 1]
    assert [record.number for record in function.log.traces] == [1, 2, 3]


def test_a_trace_for_a_general_shape_does_not_count_as_a_difference():
    function = tf.function(nothing)
    function.get_concrete_function(tf.TensorSpec([None], tf.float32), 3)
    function(tf.ones([2]), 4)
    assert last(function) == [("retrace.python_number.value", {"path": "k", "was": "3", "now": "4"})]


def test_a_requested_trace_says_so():
    function = called(nothing, (one,))
    function.get_concrete_function(tf.TensorSpec([2], tf.int32))
    assert [name for name, _ in last(function)] == ["retrace.requested", "retrace.tensor.rank"]


def test_reduce_retracing_tells_what_became_general():
    function = called(nothing, (tf.ones([1, 2]),), (tf.ones([2, 2]),), reduce_retracing=True)
    (name, values), *rest = last(function)
    assert (name, values) == (
        "retrace.generalised",
        {"path": "x", "axis": 0, "shapes": ((1, 2), (2, 2)), "now": (None, 2)},
    )
    assert [name for name, _ in rest] == ["retrace.tensor.shape"]
    assert [record.reduced for record in function.log.traces] == [False, True]


def test_the_second_trace_of_a_function_that_makes_variables_says_so():
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(1.0))
        return made[0] + x

    f(tf.constant(1.0))
    first, second = f.log.traces
    assert first.reason.id == "retrace.first"
    assert (second.reason.id, second.reason.values) == ("retrace.variables_created", {"count": 1})


def test_a_failed_trace_is_recorded_apart():
    @tf.function(autograph=False)
    def f(x):
        raise KeyError("no such thing")

    with pytest.raises(KeyError):
        f(1)
    assert f.log.traces == []
    (failure,) = f.log.failures
    kind, text, line = failure.error
    assert (kind, text) == ("KeyError", "'no such thing'")
    assert line == f.python_function.__code__.co_firstlineno + 2
    f2 = called(nothing, (1,))
    assert f2.log.traces[0].error is None


def test_numbers_have_no_gap_after_a_failure():
    @tf.function
    def f(x):
        if isinstance(x, str):
            raise ValueError(x)
        return x

    f(1)
    with pytest.raises(ValueError, match="no"):
        f("no")
    f(2)
    assert [record.number for record in f.log.traces] == [1, 2]


def test_the_site_is_the_users_call_with_its_expression():
    f = tf.function(nothing)
    calls = [f(tf.ones([2]), 7), f(tf.ones([2]), 8)]
    assert calls == [None, None]
    first, second = f.log.traces
    assert first.site.line == second.site.line
    assert (first.site.expression, second.site.expression) == ("f(tf.ones([2]), 7)", "f(tf.ones([2]), 8)")
    assert first.site.filename == __file__
    assert first.made_at.line == nothing.__code__.co_firstlineno


def test_records_are_plain_data():
    f = called(nothing, (net, [one, {"a": 2.5}]))
    (record,) = f.log.traces
    copy = pickle.loads(pickle.dumps(record))
    assert copy == dataclasses.replace(record, concrete=copy.concrete, python=copy.python)
    assert copy.graph is None
    assert record.graph is f.concrete_functions()[0].graph


def test_the_same_code_made_a_function_again():
    functions = []
    for _ in range(3):
        f = tf.function(lambda x: x)
        f(one)
        functions.append(f)
    (advice,) = place_advice([record for f in functions for record in f.log.traces])
    assert (advice.id, advice.values["count"]) == ("advice.place.function_again", 3)
    assert advice.values["line"] == functions[0].python_function.__code__.co_firstlineno


def test_instances_of_a_method_are_no_function_made_again():
    class Layer:
        @tf.function
        def run(self, x):
            return x

    layers = [Layer(), Layer(), Layer()]
    for layer in layers:
        layer.run(one)
    assert place_advice([record for layer in layers for record in layer.run.log.traces]) == []


# ---------------------------------------------------------------------------------------------------------------- calls


def test_calls_leave_records_only_while_watched():
    f = tf.function(nothing)
    f(one)
    assert f.log.calls == []
    with records.watch() as seen:
        f(one)
        f(2)
        f(2)
    f(one)
    assert [(call.trace, call.traced, call.count) for call in f.log.calls] == [
        (1, False, 1),
        (2, True, 1),
        (2, False, 1),
    ]
    assert [call for _, call in seen] == f.log.calls
    assert all(function is f for function, _ in seen)
    assert [call.order for call in f.log.calls] == sorted(call.order for call in f.log.calls)


def test_a_watched_call_says_which_traces_rejected_it():
    f = called(nothing, (1,), (2,), (one,))
    with records.watch() as seen:
        f(2)
    (call,) = [call for _, call in seen]
    found = call.rejects(f.log.traces)
    assert {number: reason.id for number, reason in found.items()} == {1: "reject.value", 3: "reject.kind"}
    assert found[1].values == {"path": "x", "was": "1", "now": "2"}


def test_many_calls_from_one_place_are_counted():
    f = called(nothing, (one,))
    with records.watch() as seen:
        for _ in range(1000):
            f(one)
        f(one)
        f(one, 5)
    f(one)
    assert sum(call.count for call in f.log.calls) == 1002
    assert len(f.log.calls) < 40
    assert [(call.trace, call.count) for call in f.log.calls[-2:]] == [(1, 1), (2, 1)]
    assert [call for _, call in seen] == f.log.calls
    assert f.log.calls[0].site.line == f.log.calls[-3].site.line == f.log.calls[-2].site.line - 1


def test_calls_in_turns_from_two_places_and_after_the_calls_are_forgotten_are_counted():
    f = called(nothing, (one,))
    with records.watch() as seen:
        for _ in range(50):
            f(one)  # by now a guard counts
        for _ in range(100):
            f(one)
            f(one)
        first, second = f.log.calls[-2:]
        assert (first.count, second.count, second.site.line - first.site.line) == (100, 100, 1)
        f.log.clear_calls()
        f(one)
        f(one)
        assert [call.count for call in f.log.calls] == [1, 1]
    assert [call for _, call in seen[-2:]] == f.log.calls


def test_what_counts_calls_does_not_keep_a_function_alive():
    f = called(nothing, (one,))
    with records.watch():
        for _ in range(50):
            f(one)
    concrete, gone = f.log.traces[0].concrete(), weakref.ref(f)
    f.log.clear_calls()
    del f
    gc.collect()
    assert gone() is None
    assert concrete(one) is None  # it lives on, and runs


def test_calls_from_many_places_are_kept_within_bounds():
    f = called(nothing, (one,), ({"a": 1},))
    source = "".join(f"f({{'a': 1}}) # {n}\n" for n in range(3 * records.MAX_CALLS))
    with records.watch():
        exec(compile(source, "<many lines>", "exec"), {"f": f})
    assert len(f.log.calls) == 2 * records.MAX_CALLS
    assert sum(call.count for call in f.log.calls) == 3 * records.MAX_CALLS
    f.log.clear_calls()
    assert (f.log.calls, len(f.log.traces)) == ([], 2)


def test_watchers_hear_of_calls_that_fail_and_of_eager_ones():
    @tf.function
    def f(x):
        raise RuntimeError("stop")

    heard = []
    with records.watch(lambda function, call: heard.append((function.name, call.trace, call.traced))):
        with pytest.raises(RuntimeError):
            f(1)
        g = tf.function(nothing)
        tf.config.run_functions_eagerly(True)
        try:
            g(1)
        finally:
            tf.config.run_functions_eagerly(False)
    assert heard == [("f", None, False), ("nothing", None, False)]
    assert not records.watching()


def test_living_functions_go_when_they_are_dropped():
    f = tf.function(nothing)
    assert f in records.living()
    count = len(records.living())
    del f
    assert len(records.living()) == count - 1


def test_explain_says_what_a_call_would_do_without_doing_it():
    f = called(nothing, (1,))
    assert f.explain((1,), {})[0] == 1
    number, key, reasons = f.explain((2,), {})
    assert number is None
    assert reasons[0].id == "retrace.python_number.value"
    assert [leaf.path for leaf in key] == ["", "x", "k"]
    assert f.experimental_get_tracing_count() == 1
    assert tf.function(nothing).explain((1,), {})[2][0].id == "retrace.first"
