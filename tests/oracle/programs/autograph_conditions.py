"""Conditions that are no bools, ranges as arguments, and what a traced function may not return."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def conditional_expressions_of_other_dtypes():
    """`a if x else b` takes a bool scalar; numbers, texts and vectors are refused, an element alone is not."""

    @tf.function
    def choose(x):
        return 1 if x else 2

    taken = choose(tf.constant(True)), choose(tf.constant([False])), choose(tf.constant([[True]]))
    whole = raised(choose, tf.constant(3))
    zero = raised(choose, tf.constant(0, tf.int64))
    broken = raised(choose, tf.constant(1.5))
    text = raised(choose, tf.constant("a"))
    vector = raised(choose, tf.constant([True, False]))
    return taken, whole, zero, broken, text, vector, choose(5), choose("")


@program(eager=False)
def statements_of_other_dtypes():
    """`if`, `while` and `not` of numbers and texts."""

    @tf.function
    def branch(x):
        if x:
            return 1
        else:
            return 2

    @tf.function
    def loop(x):
        i = 0
        while x:
            i += 1
        return i

    @tf.function
    def negation(x):
        return not x

    values = tf.constant(3), tf.constant("a"), tf.constant(1.5)
    return [[raised(f, x) for x in values] for f in (branch, loop, negation)]


@program(eager=False)
def a_range_as_an_argument():
    """It arrives as a list, alone and in structures; equal ranges share a trace."""
    seen = []

    @tf.function
    def total(r):
        seen.append((type(r).__name__, len(r)))
        s = 0
        for i in r:
            s += i
        return s + tf.constant(0)

    @tf.function
    def nested(pair):
        seen.append([type(part).__name__ for part in pair])
        return len(pair[0])

    sums = total(range(3)), total(range(0, 3, 1)), total(range(4)), total([0, 1, 2])
    inner = nested((range(2), {"a": 1}))
    signature = str(total.get_concrete_function(range(2)).structured_input_signature)
    return sums, inner, seen, signature, total.experimental_get_tracing_count()


@program(eager=False)
def operations_are_no_results():
    """An operation without a value cannot be returned; it runs without that too."""
    v = tf.Variable(1.0)

    @tf.function
    def assertion():
        return tf.debugging.assert_less(1, 2)

    @tf.function
    def in_a_list():
        return [tf.no_op(), tf.constant(1)]

    @tf.function
    def assignment():
        return v.assign(5.0, read_value=False)

    @tf.function
    def without():
        v.assign(7.0, read_value=False)
        tf.debugging.assert_integer(1)
        return tf.debugging.assert_shapes([(v, ())]), tf.debugging.assert_integer(2)

    refused = raised(assertion), raised(in_a_list), raised(assignment)
    before = v.numpy()
    return refused, before, without(), v.numpy()


@program(eager=False)
def inside_and_outside_of_functions():
    """What tf.inside_function and tf.executing_eagerly say on the way in and out of init_scope."""
    said = []

    @tf.function
    def outer(x):
        said.append((tf.inside_function(), tf.executing_eagerly()))
        with tf.init_scope():
            said.append((tf.inside_function(), tf.executing_eagerly()))
            value = tf.constant(2) * 3
        said.append((tf.inside_function(), tf.executing_eagerly()))
        return x + value

    result = outer(tf.constant(1))
    again = outer(tf.constant(2))
    said.append((tf.inside_function(), tf.executing_eagerly()))
    return result, again, said


@program
def loops_over_the_rows_of_ragged_tensors():
    """A for loop goes over rows of different lengths, and over the elements of each."""

    @tf.function
    def weigh(rows):
        total = tf.constant(0)
        empty = tf.constant(0)
        for row in rows:
            if tf.size(row) == 0:
                empty += 1
                continue
            for x in row:
                total += x * tf.size(row)
            if total > 100:
                break
        return total, empty

    rows = tf.ragged.constant([[1, 2], [], [3, 4, 5]])
    with_break = tf.ragged.constant([[60], [1, 2], [5]])
    with tf.GradientTape() as tape:
        x = tf.constant([1.0, 2.0, 3.0])
        tape.watch(x)
        y = tf.constant(1.0)
        for row in tf.RaggedTensor.from_row_lengths(x, [2, 1]):
            y = y * tf.reduce_sum(row)
    return weigh(rows), weigh(with_break), weigh(rows[:0]), y, tape.gradient(y, x)
