"""Errors as a learner meets them."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def shapes_that_do_not_multiply():
    """While tracing it is a ValueError, while running and eagerly an InvalidArgumentError."""
    kinds = []

    @tf.function
    def f(a, b):
        return a @ b

    try:
        tf.ones([2, 3]) @ tf.ones([2, 3])
    except tf.errors.InvalidArgumentError as error:
        kinds.append(type(error).__name__)
        kinds.append(error.op is None)
    unknown = tf.function(lambda a, b: a @ b, input_signature=[tf.TensorSpec(None)] * 2)
    good = f(tf.ones([2, 3]), tf.ones([3, 1])), unknown(tf.ones([1, 2]), tf.ones([2, 1]))
    return kinds, good, raised(unknown, tf.ones([2, 3]), tf.ones([2, 3])), raised(unknown, tf.ones([2]), tf.ones([2]))


@program
def conversions_that_fail():
    """Lists of several lengths, mixed values, objects, None: TypeError or ValueError."""

    @tf.function
    def f(x):
        return tf.identity(x)

    values = [
        [[1, 2], [3]],
        [1, "a"],
        [None],
        object(),
        {"a": 1},
        [1, 2.5],
        [True, 1],
        b"bytes",
        [],
        [[]],
        2**40,
        2**70,
    ]
    eager = [raised(tf.constant, v) for v in values[:5]] + [raised(tf.constant, 2**70)]
    good = [tf.constant(v) for v in ([1, 2.5], b"bytes", [], [[]], (1, 2), True, 1j)]
    cast = raised(tf.constant, 1.5, tf.int32), raised(tf.constant, "a", tf.float32), raised(tf.constant, 300, tf.uint8)
    return eager, good, cast, f([1, 2]), raised(tf.constant, [1, 2, 3], shape=[2]), tf.constant(7, shape=[2, 2])


@program
def an_error_in_a_loop_leaves_what_was_before():
    """The third round fails: an error of its class, and the function can be called again."""

    @tf.function
    def f(values, i):
        s = 0
        for v in values:
            tf.debugging.assert_less(v, 100, message="too large")
            s += v
        return s + tf.gather(values, i)

    good = f(tf.constant([1, 2, 3]), 0)
    wrong = raised(f, tf.constant([1, 2, 300]), 0), raised(f, tf.constant([1, 2, 3]), tf.constant(7))
    return good, wrong, f(tf.constant([4, 5, 6]), 2)


@program(advice=("effect.mutation",))
def a_users_own_exceptions():
    """An exception raised by Python code in a trace comes out of the call; the next call traces again."""
    attempts = []

    @tf.function
    def f(x, strict):
        attempts.append(strict)
        if strict and x.shape.rank != 1:
            raise ValueError(f"rank {x.shape.rank}")
        return tf.reduce_sum(x)

    first = raised(f, tf.constant(1.0), True)
    second = raised(f, tf.constant(1.0), True)
    return first, second, f(tf.constant([1.0, 2.0]), True), f(tf.constant(1.0), False), len(attempts)


@program(eager=False)
def booleans_of_symbolic_tensors():
    """Where Python needs a value, a tensor of a graph has none."""
    plain = tf.autograph.experimental.do_not_convert

    @plain
    def need(kind, x):
        if kind == "bool":
            return 1 if x > 0 else 0
        if kind == "iter":
            return [-v for v in x]
        return {"int": int, "float": float, "len": len, "list": list, "range": range, "index": [1, 2].__getitem__}[
            kind
        ](x)

    f = tf.function(need, autograph=False)
    kinds = ["bool", "iter", "int", "float", "len", "list", "range", "index"]
    scalars = [raised(f, kind, tf.constant(1)) for kind in kinds]
    eager = [raised(need, kind, tf.constant(1)) for kind in kinds]
    return (
        scalars,
        eager,
        raised(f, "bool", tf.constant([1, 2])),
        need("len", tf.constant([1, 2])),
        need("list", tf.constant([1])),
    )
