"""Concrete functions: one trace, callable on its own, and what it says of itself."""

from __future__ import annotations

import copy
import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest

import graphlab as tf


class Pair(NamedTuple):
    a: Any
    b: Any


def scale(x, n=2, *, on=True):
    return x * n if on else x


vector = tf.TensorSpec([None], tf.float32)
f = tf.function(scale)
bound = f.get_concrete_function(vector, 3)
free = f.get_concrete_function(vector, tf.TensorSpec([], tf.float32))
ones = tf.ones([2])

CALLS = [
    (bound, (ones,), {}),
    (bound, (), {"x": ones}),
    (bound, (ones, 3), {}),
    (bound, (ones, 3.0), {}),
    (bound, (ones,), {"n": 3, "on": True}),
    (bound, (np.ones(2),), {}),
    (bound, ([1, 1],), {}),
    (bound, (tf.Variable(ones),), {}),
    (free, (ones, tf.constant(3.0)), {}),
    (free, (), {"n": tf.constant(3.0), "x": ones}),
    (free, (ones, 3), {}),
]


@pytest.mark.parametrize(("concrete", "args", "kwargs"), CALLS)
def test_calls_that_fit(concrete, args, kwargs):
    assert concrete(*args, **kwargs).numpy().tolist() == [3.0, 3.0]


MISFITS = [
    (bound, (), {}, TypeError, "missing a required argument: 'x'"),
    (bound, (ones, 4), {}, TypeError, "'n': it is bound to 3 here and takes no other value, but got 4"),
    (bound, (ones,), {"on": False}, TypeError, "'on': it is bound to True"),
    (bound, (ones, 3, True), {}, TypeError, "it takes 2 positional arguments, but 3 were given"),
    (bound, (ones,), {"z": 1}, TypeError, "unexpected keyword argument 'z'"),
    (bound, (ones,), {"x": ones}, TypeError, "multiple values for argument 'x'"),
    (free, (ones,), {}, TypeError, "missing a required argument: 'n'"),
    (bound, ("a",), {}, TypeError, "'x'"),
    (bound, (tf.constant([1, 2]),), {}, tf.errors.InvalidArgumentError, "'x' must be a float32 tensor, but is a int32"),
    (
        bound,
        (tf.ones([2, 2]),),
        {},
        tf.errors.InvalidArgumentError,
        r"'x' must have the shape \(None,\), but has \(2, 2\)",
    ),
    (
        free,
        (ones, tf.ones([1])),
        {},
        tf.errors.InvalidArgumentError,
        r"'n' must have the shape \(\), but has \(1,\)",
    ),
]


@pytest.mark.parametrize(("concrete", "args", "kwargs", "error", "message"), MISFITS)
def test_calls_that_do_not_fit(concrete, args, kwargs, error, message):
    with pytest.raises(error, match=message):
        concrete(*args, **kwargs)


def test_a_structured_argument_may_also_be_given_as_its_tensors():
    concrete = tf.function(lambda d, p: d["a"] - p.b).get_concrete_function(
        {"a": tf.TensorSpec([])}, Pair(1, tf.TensorSpec([]))
    )
    two, five = tf.constant(2.0), tf.constant(5.0)
    assert concrete({"a": five}, Pair(1, two)).numpy() == 3.0
    assert concrete(five, two).numpy() == 3.0
    assert concrete(d=five, p=two).numpy() == 3.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="'p'"):
        concrete(five, tf.constant(1))


def test_the_leading_argument_may_be_bound():
    concrete = tf.function(lambda mode, x: x).get_concrete_function("train", vector)
    assert concrete(ones).numpy().tolist() == [1.0, 1.0]
    assert concrete("train", ones).numpy().tolist() == [1.0, 1.0]
    with pytest.raises(TypeError, match="'train'"):
        concrete("test", ones)


def test_it_prints_its_signature():
    assert str(bound) == PRINTED
    line = (
        "(x: TensorSpec(shape=(None,), dtype=tf.float32, name=None), n: Literal[3], *, on: Literal[True]) -> "
        "TensorSpec(shape=(None,), dtype=tf.float32, name=None)"
    )
    assert bound.pretty_printed_signature(verbose=False) == line
    assert repr(bound).startswith(f"<ConcreteFunction {line} at 0x")


PRINTED = """\
ConcreteFunction Input Parameters:
  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(None,), dtype=tf.float32, name=None)
  n (POSITIONAL_OR_KEYWORD): Literal[3]
  on (KEYWORD_ONLY): Literal[True]
Output Type:
  TensorSpec(shape=(None,), dtype=tf.float32, name=None)
Captures:
  None"""
TYPES = [
    ([1, (2.5, None)], "List[Literal[1], Tuple[Literal[2.5], Literal[None]]]"),
    ({"b": True, "a": "s"}, "Dict[['b', Literal[True]], ['a', Literal['s']]]"),
    (Pair(1, ()), "Pair[['a', Literal[1]], ['b', Tuple[]]]"),
    (tf.TensorSpec(None, name="label"), "TensorSpec(shape=<unknown>, dtype=tf.float32, name='label')"),
    (tf.Variable(1.0), "VariableSpec(shape=(), dtype=tf.float32, trainable=True, alias_id=0)"),
]


@pytest.mark.parametrize(("value", "text"), TYPES)
def test_types_print_as_tensorflow_prints_them(value, text):
    concrete = tf.function(lambda x: None).get_concrete_function(value)
    assert concrete.pretty_printed_signature(verbose=False) == f"(x: {text}) -> Literal[None]"


def test_positional_arguments_before_star_args_print_as_such():
    def many(a, *rest, **more):
        return None

    concrete = tf.function(many).get_concrete_function(1, 2, z=3)
    assert concrete.pretty_printed_signature(verbose=False) == (
        "(a: Literal[1], rest_0: Literal[2], /, *, z: Literal[3]) -> Literal[None]"
    )


def test_captures_are_listed():
    v, big = tf.Variable([1.0, 2.0]), tf.ones([3])
    plain = tf.Variable(1.0, trainable=False)
    concrete = tf.function(lambda x: (x + v + plain, big)).get_concrete_function(tf.TensorSpec([]))
    assert [t.dtype for t in concrete.captured_inputs] == [tf.resource, tf.resource, tf.float32]
    assert concrete.captured_inputs[0] is v.handle
    assert concrete.captured_inputs[2] is big
    assert [w is u for w, u in zip(concrete.variables, (v, plain), strict=True)] == [True, True]
    assert len(concrete.trainable_variables) == 1
    text = str(concrete)
    assert f"  {id(v.handle)}: TensorSpec(shape=(), dtype=tf.resource, name=None)" in text
    assert f"  {id(big)}: TensorSpec(shape=(3,), dtype=tf.float32, name=None)" in text


def test_structured_signature_and_results():
    g = tf.function(lambda d, p, k=1: {"sum": d["a"] + p.b, "none": None})
    concrete = g.get_concrete_function({"b": 2, "a": tf.TensorSpec([])}, Pair("s", tf.TensorSpec([])))
    (d, p, k), keywords = concrete.structured_input_signature
    assert d == {"b": 2, "a": tf.TensorSpec([], name="d_a")}
    assert p == Pair("s", tf.TensorSpec([], name="p_b"))
    assert (k, keywords) == (1, {})
    assert [t.name for t in concrete.inputs] == ["d:0", "p:0"]
    assert concrete.structured_outputs["none"] is None
    assert concrete.structured_outputs["sum"] is concrete.outputs[0]
    assert concrete.output_dtypes == {"sum": tf.float32, "none": None}
    assert concrete.output_shapes == {"sum": tf.TensorShape([]), "none": None}


def test_placeholders_are_made_in_the_order_of_a_dictionary_and_listed_by_key():
    concrete = tf.function(lambda d: d["a"]).get_concrete_function({"b": ones, "a": tf.constant(1)})
    assert [(t.name, t.dtype) for t in concrete.inputs] == [("d_1:0", tf.int32), ("d:0", tf.float32)]


def test_names_and_graphs():
    assert bound.name.startswith(b"__inference_scale_")
    assert bound.graph.name == "scale"
    assert bound.name != free.name
    assert [op.name for op in bound.graph.get_operations()] == ["x", "mul/y", "mul", "Identity"]


def test_it_is_the_same_object_for_the_same_types():
    assert f.get_concrete_function(vector, 3) is bound
    assert f.get_concrete_function(x=vector, n=3, on=True) is bound
    assert f.get_concrete_function(ones, 3) is bound


def test_a_call_inside_a_trace_and_under_a_tape():
    outer = tf.function(lambda x: bound(x) + free(x, 1.0))
    assert outer(ones).numpy().tolist() == [4.0, 4.0]
    with tf.GradientTape() as tape:
        tape.watch(ones)
        y = bound(ones)
    assert tape.gradient(y, ones).numpy().tolist() == [3.0, 3.0]


def test_another_variable_may_be_passed():
    u, w = tf.Variable(1.0), tf.Variable(5.0)
    add = tf.function(lambda v: v.assign_add(1.0)).get_concrete_function(u)
    assert add(w).numpy() == 6.0
    assert (u.numpy(), w.numpy()) == (1.0, 6.0)


@pytest.mark.parametrize("action", [pickle.dumps, copy.copy, copy.deepcopy])
def test_it_is_neither_pickled_nor_copied(action):
    with pytest.raises(TypeError, match=r"ConcreteFunction \(scale\)"):
        action(bound)


def test_a_signature_needs_no_arguments():
    g = tf.function(scale, input_signature=[vector])
    concrete = g.get_concrete_function()
    assert concrete is g.get_concrete_function(tf.TensorSpec([2]))
    assert concrete.inputs[0].shape == tf.TensorShape([None])
    with pytest.raises(TypeError, match="expected dtype float32"):
        g.get_concrete_function(tf.TensorSpec([2], tf.int32))
