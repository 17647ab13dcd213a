"""Critical sections, eagerly and inside of traced functions, and calls that run in batches."""

from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


@program
def sections_in_order():
    """What is in a section runs in the order of the program, with what it prints."""
    section, total, sheet = tf.CriticalSection(), tf.Variable(1.0), Sheet()

    @tf.function
    def f(x):
        def scaled():
            tf.print("scaled", output_stream=sheet.stream)
            total.assign(total * x)
            return total.read_value()

        def added():
            tf.print("added", output_stream=sheet.stream)
            return {"now": total.assign_add(1.0) + 0.0, "number": 7}

        first = section.execute(scaled)
        second = section.execute(added)
        return first, second, total.read_value()

    one = f(tf.constant(3.0))
    two = f(tf.constant(2.0))
    return one, two, total, sheet.lines()


@program
def gradients_through_sections():
    """A section hands gradients on."""
    section = tf.CriticalSection()

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = section.execute(lambda: x * x * x)
        return y, tape.gradient(y, x)

    y, slope = f(tf.constant(2.0))
    structure = section.execute(lambda: {"a": 1, "b": [2.0, "c"]})
    return y, slope, structure


@program
def functions_that_run_in_batches():
    """Results have the rows of the call; another number of rows or none is refused."""

    @tf.nondifferentiable_batch_function(2, 3, 100)
    def pairs(x, y):
        return x + y, tf.reduce_sum(x, 1)

    @tf.function
    def f(x):
        return pairs(x, x * 2.0)

    inside = f(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
    outside = pairs(tf.ones([3, 2]), tf.zeros([3, 2]))
    refused = raised(pairs, tf.ones([1, 2]), tf.ones([2, 2])), raised(pairs, tf.ones([5, 2]), tf.ones([5, 2]))
    shorter = tf.nondifferentiable_batch_function(1, 10, 100)(lambda x: x[:1])
    number = tf.nondifferentiable_batch_function(1, 10, 100)(lambda x: tf.reduce_sum(x))
    named = tf.nondifferentiable_batch_function(1, 10, 100)(lambda x: {"x": x})
    return inside, outside, refused, raised(shorter, tf.ones([2])), raised(number, tf.ones([2])), named(tf.ones([2]))
