"""Signatures: every way of writing a call has one form."""

from __future__ import annotations

import functools

import pytest

import graphlab as tf
from graphlab.core.errors import SignatureMismatchError
from graphlab.tracing.signature import Signature


def plain(a, b=3):
    return a


def full(a, /, b, *rest, c, d=4, **more):
    return a


def keywords(*, a, b=2):
    return a


def bound(function, *args, **kwargs):
    found = Signature(function, False, None, function.__name__).bind(args, kwargs)
    return dict(zip(found.layout.names, found.values, strict=True)), set(found.defaulted)


BINDINGS = [
    (plain, (1,), {}, {"a": 1, "b": 3}, {"b"}),
    (plain, (1, 3), {}, {"a": 1, "b": 3}, set()),
    (plain, (), {"b": 2, "a": 1}, {"a": 1, "b": 2}, set()),
    (plain, (1,), {"b": 5}, {"a": 1, "b": 5}, set()),
    (full, (1, 2), {"c": 3}, {"a": 1, "b": 2, "c": 3, "d": 4}, {"d"}),
    (
        full,
        (1, 2, 7, 8),
        {"c": 3, "z": 9, "y": 0},
        {"a": 1, "b": 2, "rest_0": 7, "rest_1": 8, "c": 3, "d": 4, "y": 0, "z": 9},
        {"d"},
    ),
    (full, (1,), {"b": 2, "c": 3, "a": 5}, {"a": 1, "b": 2, "c": 3, "d": 4, "a_": 5}, {"d"}),
    (keywords, (), {"a": 1}, {"a": 1, "b": 2}, {"b"}),
]


@pytest.mark.parametrize(("function", "args", "kwargs", "expected", "defaulted"), BINDINGS)
def test_calls_are_bound_in_one_order(function, args, kwargs, expected, defaulted):
    if "a_" in expected:  # a keyword of the same name as a positional-only parameter goes to **more
        found = Signature(function, False, None, "f").bind(args, kwargs)
        assert found.layout.keywords == ("a",)
        assert found.values == [1, 2, 3, 4, 5]
        return
    values, left = bound(function, *args, **kwargs)
    assert list(values.items()) == list(expected.items())
    assert left == defaulted


WRONG = [
    (plain, (), {}, "missing a required argument: 'a'"),
    (plain, (1, 2, 3), {}, "too many positional arguments: 3 were given, 2 are taken"),
    (plain, (1,), {"z": 1}, "unexpected keyword argument 'z'"),
    (plain, (1,), {"a": 1}, "multiple values for argument 'a'"),
    (full, (1,), {}, "missing the arguments 'b', 'c'"),
    (keywords, (1,), {}, "too many positional arguments"),
]


@pytest.mark.parametrize(("function", "args", "kwargs", "message"), WRONG)
def test_calls_that_python_would_refuse(function, args, kwargs, message):
    with pytest.raises(TypeError):
        function(*args, **kwargs)
    with pytest.raises(TypeError, match=message):
        tf.function(function)(*args, **kwargs)


class Net:
    @tf.function
    def f(self, x, scale=2):
        return x * scale

    @classmethod
    @tf.function
    def made(cls, x):
        return x

    @staticmethod
    @tf.function
    def free(x, y=1):
        return x + y


net = Net()
STYLES = [
    (tf.function(plain), [((1,), {}), ((1, 3), {}), ((), {"b": 3, "a": 1}), ((), {"a": 1})]),
    (tf.function(full), [((1, 2), {"c": 3}), ((1,), {"c": 3, "d": 4, "b": 2})]),
    (tf.function(full), [((1, 2), {"c": 3, "y": 1, "z": 2}), ((1, 2), {"z": 2, "y": 1, "c": 3})]),
    (net.f, [((1,), {}), ((), {"x": 1}), ((1, 2), {}), ((1,), {"scale": 2})]),
    (Net.made, [((1,), {}), ((), {"x": 1})]),
    (net.free, [((1,), {}), ((1, 1), {}), ((), {"y": 1, "x": 1})]),
    (tf.function(functools.partial(plain, b=4)), [((1,), {}), ((1,), {"b": 4})]),
]


@pytest.mark.parametrize(("function", "calls"), STYLES)
def test_the_style_of_a_call_makes_no_trace(function, calls):
    results = [int(function(*args, **kwargs)) for args, kwargs in calls]
    assert len(set(results)) == 1
    assert function.experimental_get_tracing_count() == 1


vector = tf.TensorSpec([None], tf.float32)
REFUSED = [
    (plain, [vector, vector, vector], "has 3 entries, but plain takes 2"),
    (plain, [], "lacks the argument 'a' of plain"),
    (plain, 5, "must be a list or tuple of specs"),
    (plain, [3], "contains 3 of type int"),
    (keywords, [], "keyword-only argument 'a' must have a default"),
]


@pytest.mark.parametrize(("function", "input_signature", "message"), REFUSED)
def test_an_input_signature_must_go_with_the_function(function, input_signature, message):
    with pytest.raises(TypeError, match=message):
        tf.function(function, input_signature=input_signature)


def test_an_input_signature_makes_one_trace_for_all_that_fits():
    f = tf.function(plain, input_signature=[vector])
    for value in (tf.ones([2]), tf.ones([3]), [1, 2, 3], tf.Variable([1.0])):
        assert f(value).dtype is tf.float32
    assert f.experimental_get_tracing_count() == 1
    assert f.input_signature == (vector,)


def test_an_input_signature_for_the_arguments_of_star_args():
    f = tf.function(lambda *parts: parts[0] + parts[1], input_signature=[vector, vector])
    assert f([1.0], [2.0]).numpy().tolist() == [3.0]
    with pytest.raises(TypeError, match="takes 2 arguments, but got 1"):
        f([1.0])


class Scaled:
    def __init__(self, k):
        self.k = k

    @tf.function(input_signature=[vector])
    def call(self, x):
        return tf.reduce_sum(x) * self.k


def test_the_input_signature_of_a_method_leaves_out_self():
    two, three = Scaled(2.0), Scaled(3.0)
    assert [float(m.call([1.0, 2.0])) for m in (two, three, two)] == [6.0, 9.0, 6.0]
    assert (two.call.input_signature, Scaled.call.input_signature) == ((vector,), (vector,))
    with pytest.raises(TypeError, match="'x': expected rank 1"):
        two.call(1.0)
    with pytest.raises(TypeError, match="has 2 entries, but call takes 1"):
        tf.function(Scaled.call.python_function, input_signature=[vector, vector])


def test_a_method_with_an_input_signature_may_be_called_on_the_class():
    two = Scaled(2.0)
    assert float(Scaled.call(two, [1.0])) == 2.0
    assert two.call.experimental_get_tracing_count() == 1


MISFITS = [
    ((tf.ones([2, 2]),), {}, "'a': expected rank 1"),
    ((tf.ones([2], tf.int32),), {}, "'a': expected dtype float32, but got int32"),
    ((tf.ones([2]), 5), {}, "'b' is not in input_signature, so it is frozen at its default"),
    ((tf.ones([2]),), {"b": 5}, "bound to 3 here and takes no other value, but got 5"),
    ((["x"],), {}, "'a': expected something that converts to a tensor float32"),
]


@pytest.mark.parametrize(("args", "kwargs", "message"), MISFITS)
def test_a_call_that_does_not_fit_is_a_type_error_and_a_value_error(args, kwargs, message):
    f = tf.function(plain, input_signature=[vector])
    with pytest.raises(TypeError, match=message) as caught:
        f(*args, **kwargs)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, SignatureMismatchError)


def test_the_default_itself_may_be_given():
    f = tf.function(plain, input_signature=[vector])
    assert f(tf.ones([2]), 3).shape == f(tf.ones([2]), b=3).shape == (2,)


def test_the_signature_of_a_function_is_that_of_python():
    import inspect

    assert str(inspect.signature(tf.function(full))) == str(inspect.signature(full))
    assert list(inspect.signature(net.f).parameters) == ["x", "scale"]
