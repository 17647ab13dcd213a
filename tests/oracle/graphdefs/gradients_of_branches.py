"""Gradients of branches: a branch of the gradients of each, and the values that they take from the branches."""

from collections.abc import Callable
from typing import Any

from tests.oracle.graphdefs import gradients
from tests.oracle.graphdefs.gradients_of_calls import built, differentiated
from tests.oracle.graphdefs.table import Graph, spec
from tests.oracle.under_test import tf


def one_argument() -> Any:
    return differentiated(lambda x: tf.cond(x > 0.0, lambda: x * x, lambda: tf.sin(x)))


def branch_by_tf_gradients() -> Any:
    return tf.function(lambda x: tf.gradients(tf.cond(x > 0.0, lambda: x * x, lambda: tf.sin(x)), x))


def first_of_two_results() -> Any:
    return differentiated(lambda x, y: tf.cond(x > 0.0, lambda: (x * y, x), lambda: (x - y, y * y))[0])


def each_branch_its_own() -> Any:
    return differentiated(lambda x, y: tf.cond(x > 0.0, lambda: x * 2.0, lambda: tf.exp(y)))


def if_statement() -> Any:
    def chosen(x):
        if x > 0.0:
            y = tf.exp(x) * 2.0
        else:
            y = x
        return y * x

    return differentiated(chosen)


def numbered_branches() -> Any:
    return differentiated(lambda x, i: tf.switch_case(i, [lambda: x * x, lambda: tf.sin(x), lambda: x]))


def branch_in_a_call() -> Any:
    @tf.function
    def inner(x):
        return tf.cond(x > 0.0, lambda: x * x, lambda: tf.sin(x))

    return differentiated(inner)


def branch_in_a_branch() -> Any:
    return differentiated(
        lambda x: tf.cond(x > 0.0, lambda: tf.cond(x > 1.0, lambda: x * x, lambda: x), lambda: tf.sin(x))
    )


def variable_in_branches() -> Any:
    v = tf.Variable([1.0, 2.0])

    def gradient(x):
        with tf.GradientTape() as tape:
            y = tf.cond(x[0] > 0.0, lambda: x * v, lambda: v * v)
        return tape.gradient(y, v)

    return tf.function(gradient)


def branch_in_a_scope() -> Any:
    def chosen(x):
        with tf.name_scope("outer"):
            return tf.cond(x > 0.0, lambda: tf.sin(x), lambda: tf.cos(x), name="choose") + 1.0

    return differentiated(chosen)


def two_branches() -> Any:
    def chosen(x):
        y = tf.cond(x > 0.0, lambda: x * x, lambda: x)
        return tf.cond(y > 1.0, lambda: tf.exp(y), lambda: y * x)

    return differentiated(chosen)


CASES: dict[Callable[[], Any], list[Any]] = {
    one_argument: [spec()],
    branch_by_tf_gradients: [spec()],
    first_of_two_results: [spec(), spec()],
    each_branch_its_own: [spec(), spec()],
    if_statement: [spec()],
    numbered_branches: [spec(), spec(dtype=tf.int32)],
    branch_in_a_call: [spec()],
    branch_in_a_branch: [spec()],
    variable_in_branches: [spec(2)],
    branch_in_a_scope: [spec()],
    two_branches: [spec()],
}


def in_branches(name: str, function: Callable[..., Any], arguments: list[Any], kind: str) -> Graph:
    """The function in one branch, its exponential in the other; what it takes is computed outside."""

    def make() -> Any:
        def gradient(p: Any, *args: Any) -> Any:
            floats = [t for t in args if t.dtype.is_floating]
            with tf.GradientTape() as tape:
                tape.watch(floats)
                twice = iter([t * 2.0 for t in floats])
                given = [next(twice) if t.dtype.is_floating else t for t in args]
                y = tf.cond(p, lambda: function(*given), lambda: tf.exp(function(*given)))
            return tape.gradient(y, floats)

        return tf.function(gradient)

    make.__name__ = f"gradient_in_branches_of_{name}"
    return built(make, [spec(dtype=tf.bool), *arguments], kind)


# Places of another order or dtype, and slices that a branch makes dense: docs/differences.md has a row.
OWN = ("where", "clip", "gather")
GRAPHS = [built(make, arguments, "gradients_of_branches") for make, arguments in CASES.items()]
GRAPHS += [
    in_branches(name, *case, "own_gradients_of_branches" if name in OWN else "gradients_of_branches")
    for name, case in gradients.EQUAL.items()
    if name != "cast"
]
