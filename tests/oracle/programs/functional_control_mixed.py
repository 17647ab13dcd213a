"""Control flow by functions and by AutoGraph in one program, and TensorArrays that go through both."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def a_converted_body_in_while_loop():
    """A body defined in the converted function may have ifs and loops; one from outside runs as it is."""

    def outside(i, total):
        if i % 2 == 0:
            total += i
        return i + 1, total

    @tf.function
    def f(n):
        def body(i, total):
            if i % 2 == 0:
                total += i
            else:
                for k in tf.range(i):
                    total -= k
            return i + 1, total

        return tf.while_loop(lambda i, total: i < n, body, (tf.constant(0), tf.constant(0)))[1]

    @tf.function
    def g(n):
        return tf.while_loop(lambda i, total: i < n, outside, (tf.constant(0), tf.constant(0)))[1]

    return [f(tf.constant(n)) for n in (0, 1, 4, 7)], raised(g, tf.constant(2))


@program
def cond_inside_a_for_loop():
    """tf.cond with closures in a for loop of the graph, with a break decided by its result."""

    @tf.function
    def f(xs, limit):
        total = tf.constant(0.0)
        used = tf.constant(0)
        for x in xs:
            total += tf.cond(x > 0.0, lambda: tf.sqrt(x), lambda: -x)
            used += 1
            if tf.switch_case(tf.cast(total > limit, tf.int32), [lambda: False, lambda: True]):
                break
        return total, used

    xs = tf.constant([4.0, -1.0, 9.0, 16.0])
    return [f(xs, tf.constant(limit)) for limit in (0.0, 2.5, 100.0)]


@program
def map_fn_inside_a_while_loop():
    """tf.map_fn in the body of a while statement, its function capturing the loop's variable."""

    @tf.function
    def f(xs, n):
        i = tf.constant(1)
        while i <= n:
            xs = tf.map_fn(lambda x: x * i + tf.cast(x > 5, x.dtype), xs)
            i += 1
        return xs, i

    return f(tf.constant([1, 2, 3]), tf.constant(3)), f(tf.constant([4]), tf.constant(0))


@program
def tensor_array_through_while_statement_and_loop():
    """One TensorArray is written by a while statement, then by tf.while_loop, then read by a fold."""

    @tf.function
    def f(n):
        array = tf.TensorArray(tf.int32, size=2 * n, element_shape=[])
        i = tf.constant(0)
        while i < n:
            array = array.write(i, i)
            i += 1
        _, array = tf.while_loop(lambda k, a: k < 2 * n, lambda k, a: (k + 1, a.write(k, k * 10)), (i, array))
        values = array.stack()
        return values, tf.foldl(lambda a, v: a * 2 + v, values, initializer=tf.constant(0))

    return f(tf.constant(1)), f(tf.constant(3))


@program
def gradient_through_mixed_control_flow():
    """First and second derivatives through a for statement around tf.cond around tf.while_loop."""

    @tf.function
    def f(x):
        y = x
        for i in tf.range(3):
            k = i
            y = tf.cond(
                i % 2 == 0,
                lambda: tf.while_loop(lambda j, v: j <= k, lambda j, v: (j + 1, v * x), (0, y))[1],
                lambda: y + tf.sin(x),
            )
        return y

    x = tf.constant(1.2)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    return y, first, outer.gradient(first, x)


@program(eager=False)
def errors_inside_functional_control_flow():
    """An error of a branch or a body that is not reached does not matter; one that is has its class."""

    @tf.function
    def f(i):
        return tf.switch_case(
            i,
            [
                lambda: tf.gather([1, 2], 5),
                lambda: tf.constant(7),
                lambda: tf.while_loop(lambda k: k < 3, lambda k: (k + 7 // tf.constant(0),), (tf.constant(0),))[0],
            ],
        )

    @tf.function
    def mapped(xs):
        table = tf.constant([10, 20, 30])
        return tf.map_fn(lambda x: tf.gather(table, x), xs)

    reached = [raised(f, tf.constant(i)) for i in (0, 1, 2)]
    return reached, f(tf.constant(1)), mapped(tf.constant([2, 0])), raised(mapped, tf.constant([0, 3]))


@program
def sorting_network_by_cond():
    """Compare-and-swap by tf.cond over fixed pairs, against tf.sort."""

    @tf.function
    def sort4(xs):
        values = tf.unstack(xs)
        for a, b in ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2)):
            x, y = values[a], values[b]
            values[a], values[b] = tf.cond(x > y, lambda: (y, x), lambda: (x, y))
        result = tf.stack(values)
        return result, tf.reduce_all(result == tf.sort(xs))

    return sort4(tf.constant([4, 3, 2, 1])), sort4(tf.constant([1, 4, 1, 0]))
