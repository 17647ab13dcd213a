"""What errors say: their attributes, their notes, and errors with a code."""

import traceback

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def codes_of_errors():
    """tf.errors have a code and a message, and are found by except clauses of their bases."""

    @tf.function
    def f(i):
        table = tf.constant([1, 2, 3])
        return tf.gather(table, i)

    caught = []
    for index in (1, 7):
        try:
            f(tf.constant(index))
            caught.append("fine")
        except tf.errors.OpError as error:
            caught.append((error.error_code, error.error_code == tf.errors.INVALID_ARGUMENT, len(error.message) > 0))
    return caught


@program
def the_hierarchy_of_errors():
    """Which error class is below which."""
    names = ["InvalidArgumentError", "NotFoundError", "OutOfRangeError", "UnimplementedError", "InternalError"]

    @tf.function
    def f(x):
        tf.debugging.assert_equal(x, 1)
        return x

    below = [issubclass(getattr(tf.errors, name), tf.errors.OpError) for name in names]
    codes = [tf.errors.OUT_OF_RANGE, tf.errors.NOT_FOUND, tf.errors.CANCELLED, tf.errors.OK, tf.errors.UNKNOWN]
    return below, codes, f(tf.constant(1)), raised(f, tf.constant(2))


@program
def errors_raised_by_hand():
    """tf.errors are raised by user code as well, eagerly, and in a py_function."""

    def refuse(x):
        if x > 2:
            raise tf.errors.InvalidArgumentError(None, None, "too much")
        return x

    @tf.function
    def f(x):
        y = tf.py_function(refuse, [x], tf.int32)
        return tf.ensure_shape(y, [])

    error = tf.errors.NotFoundError(None, None, "nowhere")
    facts = [error.message, error.error_code, error.op is None]
    return f(tf.constant(1)), raised(refuse, 3), raised(f, tf.constant(3)) != "nothing", facts


@program
def assertion_messages_are_in_the_error():
    """The message of an assertion is in the text of the error."""

    @tf.function
    def f(x):
        tf.debugging.assert_less(x, 10, message="too many apples")
        tf.debugging.Assert(tf.reduce_all(x > 0), ["none left:", x])
        return x + 1

    found = []
    for value in (5, 50, -5):
        try:
            found.append(int(f(tf.constant(value))))
        except tf.errors.InvalidArgumentError as error:
            found.append(("too many apples" in str(error), "none left" in str(error)))
    return found


@program
def finally_after_an_error_of_the_graph():
    """try and finally around a call: what stands in finally is done."""
    log = []
    v = tf.Variable(0)

    @tf.function
    def f(x):
        v.assign_add(1)
        return 10 // x

    def attempt(x):
        try:
            return int(f(tf.constant(x)))
        except tf.errors.InvalidArgumentError:
            log.append("error")
            return None
        finally:
            log.append("finally")

    results = [attempt(5), attempt(0), attempt(2)]
    return results, log, v


@program
def retrying_with_other_arguments():
    """A loop outside halves its batch until it fits."""

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def f(xs):
        tf.debugging.assert_less_equal(tf.size(xs), 3)
        return tf.reduce_sum(xs)

    xs = tf.range(10)
    sizes = []
    while True:
        sizes.append(int(tf.size(xs)))
        try:
            total = f(xs)
            break
        except tf.errors.InvalidArgumentError:
            xs = xs[: len(xs) // 2]
    return total, sizes, f.experimental_get_tracing_count() <= 1


@program(eager=False)
def an_error_says_where_in_the_users_code():
    """Errors of tracing show the line of the user's code."""

    @tf.function
    def faulty(x):
        y = tf.reshape(x, [2, 2])
        return y @ tf.ones([3, 1])

    try:
        faulty(tf.ones([4]))
        text = ""
    except ValueError as error:
        text = "".join(traceback.format_exception(error))
    return "y @ tf.ones([3, 1])" in text, raised(faulty, tf.ones([4])), raised(faulty, tf.ones([5]))
