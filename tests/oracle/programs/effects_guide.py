"""What happens once, what happens every time, and in which order."""

from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


@program(eager=False, advice=("effect.mutation",))
def once_per_trace_and_once_per_call():
    """Appending happens once per trace, tf.print, tf.py_function and assignments every time."""
    python, calls, sheet = [], [], Sheet()
    total = tf.Variable(0)

    @tf.function
    def f(x):
        python.append("traced")
        tf.print("x is", x, output_stream=sheet.stream)
        tf.py_function(lambda v: calls.append(int(v)), [x], [])
        return total.assign_add(x)

    results = [f(tf.constant(1)), f(tf.constant(2)), f(tf.constant(3))]
    return results, python, calls, sheet.lines(), total


@program(eager=False)
def an_iterator_is_consumed_by_tracing():
    """A generator gives one item to each trace, not to each call."""
    source = iter(range(10, 20))

    @tf.function
    def f(x):
        return x + next(source)

    scalars = [f(tf.constant(0)), f(tf.constant(0))]
    vector = f(tf.constant([0]))
    return [*scalars, vector, f(tf.constant(0))], next(source)


@program
def reads_and_writes_in_order():
    """Each read sees the writes before it, also through two names of one variable and a helper."""
    v = tf.Variable(1)
    alias = v

    def double():
        return v.assign(v * 2)

    @tf.function
    def f():
        a = v.read_value()
        alias.assign_add(10)
        b = v + 0
        double()
        c = alias.value()
        with tf.control_dependencies([v.assign(0)]):
            d = v.read_value()
        return a, b, c, d

    return f(), v, f(), v.numpy()


@program(eager=False, advice=("effect.leak",))
def a_tensor_kept_outside():
    """A symbolic tensor kept outside cannot be used later."""
    kept = []

    @tf.function
    def f(x):
        kept.append(x + 1)
        return x

    f(tf.constant(1))
    another = tf.function(lambda y: y + kept[0])
    wrong = raised(lambda: kept[0] + 1), raised(another, tf.constant(1)), raised(lambda: bool(kept[0]))
    return wrong, kept[0].shape.as_list(), raised(lambda: kept[0].numpy()), raised(lambda: int(kept[0]))


@program(eager=False)
def assertions_that_hold_and_fail():
    """A failing check stops what comes behind it, and the next call works."""
    v = tf.Variable(0)

    @tf.function
    def f(x):
        v.assign_add(1)
        tf.debugging.assert_positive(x, message="x must be positive")
        tf.debugging.assert_equal(tf.shape(x)[0], 2)
        return v.assign_add(10)

    good = f(tf.constant([1, 2]))
    wrong = raised(f, tf.constant([1, -2]))
    v.assign(0)
    return good, wrong, f(tf.constant([3, 4])), raised(f, tf.constant([1, 2, 3]))
