"""Printing, checks and Python functions: what waits for what."""

from typing import Any

from tests.oracle.graphdefs.composites import one_call
from tests.oracle.graphdefs.table import spec
from tests.oracle.under_test import tf


def two_prints(x: Any) -> Any:
    tf.print("first")
    tf.print(x)
    return x


def two_checks(x: Any) -> Any:
    tf.debugging.assert_positive(x)
    tf.debugging.assert_positive(x)
    return x + 1.0


def check_between_prints(x: Any) -> Any:
    tf.print("first")
    tf.debugging.assert_positive(x)
    tf.print("last")
    return x + 1.0


def random_between_prints(x: Any) -> Any:
    tf.print("first")
    y = tf.random.uniform([2])
    tf.print("last")
    return x + y


def two_asserts(x: Any) -> Any:
    tf.debugging.Assert(x > 0.0, [x])
    tf.debugging.Assert(x > 1.0, [x])
    return x


def python_functions(x: Any) -> Any:
    y = tf.numpy_function(lambda a: a, [x], tf.float32)
    z = tf.py_function(lambda a: a, [x], tf.float32)
    return y + z


def prints_and_calls(x: Any) -> Any:
    @tf.function
    def inner(y: Any) -> Any:
        tf.print(y)
        return y

    inner(x)
    tf.print("between")
    inner(x)
    return x


def print_and_assignment(x: Any) -> Any:
    tf.print("first")
    COUNT.assign_add(x)
    tf.print("last")
    return COUNT + 1.0


def empty_lists(x: Any) -> Any:
    return tf.reshape(tf.broadcast_to(x, []), ()), tf.fill([], x), tf.tile(x, []), tf.transpose(x, []), tf.zeros([])


COUNT = tf.Variable(0.0)
SIZES = {random_between_prints: 2}
FUNCTIONS = (
    two_prints, two_checks, check_between_prints, random_between_prints, two_asserts, python_functions,
    prints_and_calls, print_and_assignment, empty_lists,
)  # fmt: skip
GRAPHS = [
    one_call(f.__name__, f, [spec(SIZES[f]) if f in SIZES else spec()], kind="effects") for f in FUNCTIONS
]  # fmt: skip
