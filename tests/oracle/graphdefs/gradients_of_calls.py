"""Gradients of calls of traced functions inside of a function, with their forward and backward functions in the library, and by
`tf.gradients`."""

from collections.abc import Callable
from typing import Any

from tests.oracle.graphdefs import gradients, more_gradients
from tests.oracle.graphdefs.table import Graph, spec
from tests.oracle.under_test import tf


def differentiated(function: Callable[..., Any], of: Callable[[], Any] | None = None) -> Any:
    """The tf.function that differentiates ``function`` for its floating-point arguments, or for what ``of`` gives."""

    def gradient(*args: Any) -> Any:
        floats = [t for t in args if t.dtype.is_floating]
        with tf.GradientTape() as tape:
            tape.watch(floats)
            y = function(*args)
        return tape.gradient(y, floats if of is None else of())

    return tf.function(gradient)


def call_by_tf_gradients() -> Any:
    @tf.function
    def inner(x):
        return tf.sin(x) * x

    return tf.function(lambda x: tf.gradients(inner(x), x))


def call_of_two_results() -> Any:
    @tf.function
    def inner(x, y):
        return x * y, x + y

    def product(x, y):
        a, b = inner(x, y)
        return a * b

    return differentiated(product)


def call_of_one_of_two_results() -> Any:
    @tf.function
    def inner(x, y):
        return x * y, tf.exp(x) + y

    return differentiated(lambda x, y: inner(x, y)[1])


def call_with_a_variable() -> Any:
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def inner(x):
        return x * v

    def gradient(x):
        with tf.GradientTape() as tape:
            y = inner(x)
        return tape.gradient(y, v)

    return tf.function(gradient)


def call_twice() -> Any:
    @tf.function
    def inner(x):
        return tf.sin(x)

    return differentiated(lambda x: inner(inner(x)))


def call_within_a_call() -> Any:
    @tf.function
    def inner(x):
        return tf.sin(x)

    @tf.function
    def middle(x):
        return inner(x) * x

    return differentiated(middle)


def call_with_an_integer() -> Any:
    @tf.function
    def inner(x, i):
        return x * tf.cast(i, tf.float32)

    return differentiated(inner)


def call_of_nothing_kept() -> Any:
    @tf.function
    def inner(x):
        return -x

    return differentiated(inner)


def call_with_a_constant() -> Any:
    @tf.function
    def inner(x):
        return tf.reduce_sum(x * [1.0, 2.0], 0) + 3.0

    return differentiated(inner)


def call_with_an_unknown_size() -> Any:
    @tf.function
    def inner(x, y):
        return tf.reduce_mean(x * y)

    return differentiated(inner)


def call_of_a_layer() -> Any:
    w, b = tf.Variable(tf.ones([3, 2]), name="w"), tf.Variable(tf.zeros([2]), name="b")

    @tf.function
    def layer(x):
        return tf.nn.relu(x @ w + b)

    def gradient(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(layer(x) ** 2)
        return tape.gradient(loss, [w, b])

    return tf.function(gradient)


def call_with_gathered_rows() -> Any:
    table = tf.Variable(tf.ones([4, 2]), name="table")

    @tf.function
    def rows(i):
        return tf.gather(table, i)

    def gradient(i):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(rows(i))
        return tape.gradient(loss, table)

    return tf.function(gradient)


def call_of_the_user_s_gradient() -> Any:
    @tf.custom_gradient
    def clipped(x):
        return x * 2.0, lambda dy: tf.clip_by_value(dy, -1.0, 1.0)

    @tf.function
    def inner(x):
        return clipped(x) + x

    return differentiated(inner)


def call_in_a_scope() -> Any:
    @tf.function
    def inner(x):
        with tf.name_scope("deep"):
            return tf.exp(x) * x

    def outer(x):
        with tf.name_scope("part"):
            return inner(x) * x

    return differentiated(outer)


def call_with_a_captured_tensor() -> Any:
    def outer(x):
        y = x * 3.0

        @tf.function
        def inner(z):
            return z * y

        return inner(x)

    return differentiated(outer)


def call_of_a_persistent_tape() -> Any:
    @tf.function
    def inner(x):
        return tf.tanh(x)

    def gradient(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = inner(x)
            z = y * y
        return tape.gradient(y, x), tape.gradient(z, x)

    return tf.function(gradient)


CASES: dict[Callable[[], Any], list[Any]] = {
    call_by_tf_gradients: [spec()],
    call_of_two_results: [spec(), spec()],
    call_of_one_of_two_results: [spec(), spec()],
    call_with_a_variable: [spec(2)],
    call_twice: [spec()],
    call_within_a_call: [spec()],
    call_with_an_integer: [spec(), spec(dtype=tf.int32)],
    call_of_nothing_kept: [spec()],
    call_with_a_constant: [spec(2)],
    call_with_an_unknown_size: [spec(None), spec(None)],
    call_of_a_layer: [spec(4, 3)],
    call_with_gathered_rows: [spec(2, dtype=tf.int32)],
    call_of_the_user_s_gradient: [spec()],
    call_in_a_scope: [spec()],
    call_with_a_captured_tensor: [spec()],
    call_of_a_persistent_tape: [spec()],
}


def built(make: Callable[[], Any], arguments: list[Any], kind: str) -> Graph:
    def build() -> tuple[Any, list[Any]]:
        return make(), arguments

    build.__name__ = make.__name__
    return Graph(build, kind)


def by_tf_gradients(name: str, function: Callable[..., Any], arguments: list[Any]) -> Graph:
    def build() -> tuple[Any, list[Any]]:
        def gradient(*args: Any) -> Any:
            return tf.gradients(function(*args), [t for t in args if t.dtype.is_floating])

        return tf.function(gradient), arguments

    build.__name__ = f"tf_gradients_of_{name}"
    return Graph(build, "tf_gradients")


def of_a_call(name: str, function: Callable[..., Any], arguments: list[Any]) -> Graph:
    def make() -> Any:
        return differentiated(tf.function(lambda *args: function(*args)))

    make.__name__ = f"gradient_of_call_of_{name}"
    return built(make, arguments, "gradients_of_calls")


# Other functions for the same values, for which docs/differences.md has a row.
OWN = ("call_of_the_user_s_gradient", "call_of_a_persistent_tape")
GRAPHS = [
    built(make, arguments, "own_gradients_of_calls" if make.__name__ in OWN else "gradients_of_calls")
    for make, arguments in CASES.items()
]
GRAPHS += [of_a_call(name, *case) for name, case in gradients.EQUAL.items()]
GRAPHS += [by_tf_gradients(name, *case) for name, case in more_gradients.EQUAL.items()]
