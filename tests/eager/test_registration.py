"""Initializers, names about the runtime, and what a program may register."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import graphlab as tf

# Recorded from TensorFlow 2.21; "seed" cases after tf.random.set_seed(1).
INITIALIZED = {
    "zeros": (lambda: tf.zeros_initializer()([2, 2]), [[0.0, 0.0], [0.0, 0.0]], "float32"),
    "zeros of ints": (lambda: tf.zeros_initializer()([2], tf.int32), [0, 0], "int32"),
    "ones": (lambda: tf.ones_initializer()([2], tf.int64), [1, 1], "int64"),
    "number": (lambda: tf.constant_initializer(3)([2]), [3, 3], "int32"),
    "list": (lambda: tf.constant_initializer([1, 2, 3, 4])([2, 2]), [[1, 2], [3, 4]], "int32"),
    "one in a list": (lambda: tf.constant_initializer([1])([2, 2]), [[1, 1], [1, 1]], "int32"),
    "with a dtype": (lambda: tf.constant_initializer(3)([2], tf.float64), [3.0, 3.0], "float64"),
    "string": (lambda: tf.constant_initializer("a")([2], tf.string), [b"a", b"a"], "string"),
    "part": (lambda: tf.zeros_initializer()([4], partition_shape=[2], partition_offset=[0]), [0.0, 0.0], "float32"),
}


@pytest.mark.parametrize("name", INITIALIZED)
def test_initial_values(name):
    call, values, dtype = INITIALIZED[name]
    found = call()
    assert found.numpy().tolist() == values
    assert found.dtype.name == dtype


def test_random_initial_values_are_those_of_the_seed():
    """With a seed of its own an initializer is stateless; without one it takes the next numbers of the global seed."""
    normal, uniform = tf.random_normal_initializer(1.0, 2.0, seed=5), tf.random_uniform_initializer(0, 10, seed=5)
    for global_seed in (1, 2):
        tf.random.set_seed(global_seed)
        np.testing.assert_array_equal(normal([3]), tf.random.stateless_normal([3], (5, 0), 1.0, 2.0))
        np.testing.assert_array_equal(uniform([3], tf.int32), tf.random.stateless_uniform([3], (5, 0), 0, 10, tf.int32))
    tf.random.set_seed(1)
    first = tf.random_normal_initializer(1.0, 2.0)([3])
    tf.random.set_seed(1)
    np.testing.assert_array_equal(first, tf.random.normal([3], 1.0, 2.0))


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: tf.zeros_initializer()([2], tf.string), ValueError, "numeric or boolean"),
        (lambda: tf.ones_initializer()([2], tf.string), ValueError, "numeric or boolean"),
        (lambda: tf.constant_initializer([1, 2, 3])([2, 2]), TypeError, "3 elements"),
        (lambda: tf.constant_initializer(object()), TypeError, "Invalid type for initial value: object"),
        (lambda: tf.random_normal_initializer()([3], tf.int32), ValueError, "floating point"),
        (lambda: tf.random_uniform_initializer()([3], tf.int32), TypeError, "int32"),
        (lambda: tf.zeros_initializer()([2], other=1), TypeError, "Keyword argument should be one of"),
    ],
)
def test_mistakes(call, error, match):
    with pytest.raises(error, match=match):
        call()


@pytest.mark.parametrize(
    ("made", "config"),
    [
        (lambda: tf.zeros_initializer(), {}),
        (lambda: tf.constant_initializer(3), {"value": 3}),
        (lambda: tf.random_normal_initializer(1.0, 2.0, 3), {"mean": 1.0, "stddev": 2.0, "seed": 3}),
        (lambda: tf.random_uniform_initializer(), {"minval": -0.05, "maxval": 0.05, "seed": None}),
    ],
)
def test_an_initializer_is_its_config(made, config):
    initializer = made()
    assert initializer.get_config() == config
    assert type(initializer).from_config(config).get_config() == config


def test_initializers_make_variables():
    v = tf.Variable(lambda: tf.ones_initializer()([2]))
    assert v.numpy().tolist() == [1, 1]


def test_the_current_name_scope():
    scopes = []

    @tf.function
    def f():
        scopes.append(tf.get_current_name_scope())
        with tf.name_scope("q"):
            scopes.append(tf.get_current_name_scope())

    with tf.name_scope("a"), tf.name_scope("b"):
        assert tf.get_current_name_scope() == "a/b"
        f()
    assert tf.get_current_name_scope() == ""
    assert scopes == ["", "q"]


def test_the_logger_gets_the_warnings():
    assert tf.get_logger() is logging.getLogger("graphlab")


def test_operations_are_instances_of_the_public_class():
    @tf.function
    def f(x):
        assert isinstance(x.op, tf.Operation)
        return x

    f(tf.constant(1))


def test_conversion_functions_are_asked_in_order():
    class Length:
        metres = 2.0

    class Special(Length):
        pass

    tf.register_tensor_conversion_function(Length, lambda value, **_: tf.constant(value.metres))
    assert tf.add(Length(), 1.0).numpy() == 3
    assert tf.convert_to_tensor(Special()).numpy() == 2
    tf.register_tensor_conversion_function(Special, lambda value, **_: NotImplemented, priority=1)
    assert tf.convert_to_tensor(Special()).numpy() == 2
    tf.register_tensor_conversion_function(Length, lambda value, **_: tf.constant(5.0), priority=50)
    assert tf.convert_to_tensor(Length()).numpy() == 5
    assert tf.function(lambda: tf.square(Length()))().numpy() == 25
    with pytest.raises(TypeError, match="numeric types"):
        tf.register_tensor_conversion_function(float, lambda value, **_: value)
    with pytest.raises(TypeError, match="must be a type"):
        tf.register_tensor_conversion_function("x", lambda value, **_: value)


def test_a_gradient_may_be_registered_where_there_is_none(monkeypatch):
    from graphlab.ops.sparse_reduction import MAX

    monkeypatch.setattr(MAX, "gradient", None)
    s = tf.sparse.from_dense([[1.0, 3.0]])
    values = s.values

    def slope():
        with tf.GradientTape() as tape:
            tape.watch(values)
            y = tf.sparse.reduce_max(s.with_values(values))
        return tape.gradient(y, values)

    with pytest.raises(LookupError):
        slope()

    @tf.RegisterGradient("SparseReduceMax")
    def gradient(op, dy):
        chosen = tf.cast(op.inputs[1] == op.outputs[0], dy.dtype)
        return [None, dy * chosen, None, None]

    assert slope().numpy().tolist() == [0, 1]
    with pytest.raises(KeyError, match="Registering two gradient"):
        tf.no_gradient("SparseReduceMax")
    monkeypatch.setattr(MAX, "gradient", None)
    tf.no_gradient("SparseReduceMax")
    assert slope() is None
