"""Functions whose graphs are written as data and read again, their arguments' types, and values."""

from typing import Any

import numpy as np

import graphlab as tf

VECTOR = tf.TensorSpec([3], tf.float32)
MATRIX = tf.TensorSpec([4, 2], tf.float32)
NUMBER = tf.TensorSpec([], tf.int32)
X = np.array([1.0, -2.0, 3.0], np.float32)
M = np.arange(8, dtype=np.float32).reshape(4, 2)


def straight(x: Any) -> Any:
    return tf.nn.relu(x * 2.0) + 1.0


def branches(x: Any, n: Any) -> Any:
    if n > 2:
        y = x * 2.0
    else:
        y = tf.reduce_sum(x) + x
    return y - 1.0


def loops(x: Any, n: Any) -> Any:
    total = tf.zeros([3])
    for i in tf.range(n):
        if i % 2 == 0:
            total += x
        else:
            total *= 2.0
    return total


inner = tf.function(lambda x: x * x + 1.0)


def calls(x: Any) -> Any:
    return inner(x) + inner(x * 2.0)


def several(x: Any) -> Any:
    parts = tf.split(x, 2)
    values, places = tf.math.top_k(x[:, 0], 2)
    return [*parts, values, places, tf.unstack(x)[1]]


def lists(n: Any) -> Any:
    array = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    for i in tf.range(n):
        array = array.write(i, tf.cast(i, tf.float32) ** 2)
    return array.stack()


def texts(x: Any) -> Any:
    return tf.strings.join([tf.as_string(x), tf.constant(["a", "b", "c"])], "-")


def indexed(x: Any) -> Any:
    return x[1:, ::-1], tf.transpose(x), tf.reshape(x, [-1]), tf.concat([x, x], 1), x[..., tf.newaxis]


def mapped(x: Any) -> Any:
    return tf.map_fn(lambda row: tf.reduce_max(row), x), tf.scan(lambda a, b: a + b, x)


def gradients(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sin(x) ** 2)
    return tape.gradient(y, x)


def switched(n: Any) -> Any:
    return tf.switch_case(n, [lambda: tf.constant(1.0), lambda: tf.constant(2.0), lambda: tf.constant(3.0)])


def random(x: Any) -> Any:
    return tf.random.stateless_uniform([3], seed=[1, 2]) + x


CASES = [
    (straight, [VECTOR], [X]),
    (branches, [VECTOR, NUMBER], [X, 5]),
    (branches, [VECTOR, NUMBER], [X, 1]),
    (loops, [VECTOR, NUMBER], [X, 4]),
    (calls, [VECTOR], [X]),
    (several, [MATRIX], [M]),
    (lists, [NUMBER], [4]),
    (texts, [VECTOR], [X]),
    (indexed, [MATRIX], [M]),
    (mapped, [MATRIX], [M]),
    (gradients, [VECTOR], [X]),
    (switched, [NUMBER], [1]),
    (random, [VECTOR], [X]),
]
