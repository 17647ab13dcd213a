"""Calls of traced functions inside branches, loops, maps and tapes, and control flow inside what they call."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def condition_is_a_call():
    """The conditions of if and while are calls of traced functions with state."""
    asked = tf.Variable(0)

    @tf.function
    def smaller(x, limit):
        asked.assign_add(1)
        return x < limit

    @tf.function
    def f(x, limit):
        while smaller(x, limit):
            x = x * 2
        if smaller(x, limit * 2):
            x = -x
        return x

    return f(tf.constant(1), tf.constant(6)), asked.numpy(), f(tf.constant(20), tf.constant(6)), asked


@program
def loop_in_a_loop_by_calls():
    """A function with a loop is called in a loop of another one, three levels deep."""

    @tf.function
    def row(n, k):
        total = tf.constant(0)
        for i in tf.range(n):
            total += i * k
        return total

    @tf.function
    def table(n):
        total = tf.constant(0)
        for k in tf.range(n):
            if k % 2 == 0:
                total += row(n, k)
            else:
                total -= row(k, n)
        return total

    @tf.function
    def all_of(ns):
        best = tf.constant(-1000)
        for n in ns:
            best = tf.maximum(best, table(n))
        return best

    return table(tf.constant(4)), all_of(tf.constant([1, 2, 5])), all_of(tf.constant([3]))


@program
def early_return_in_a_called_function():
    """Functions with several returns are called in a loop whose break depends on what they return."""

    @tf.function
    def verdict(x):
        if x < 0:
            return tf.constant("bad"), tf.constant(0)
        if x > 10:
            return tf.constant("stop"), x
        return tf.constant("fine"), x * 2

    @tf.function
    def f(xs):
        total = tf.constant(0)
        last = tf.constant("")
        for x in xs:
            last, value = verdict(x)
            if last == "bad":
                continue
            total += value
            if last == "stop":
                break
        return total, last

    return f(tf.constant([1, -1, 3])), f(tf.constant([2, 11, 100])), f(tf.constant([-5]))


@program
def gradient_through_a_call_in_a_loop():
    """The gradient through a traced function called in a loop, to a variable it reads and to its argument."""
    w = tf.Variable(0.9)

    @tf.function
    def cell(h, x):
        return tf.tanh(h * w + x)

    @tf.function
    def run(xs, h):
        for x in xs:
            h = cell(h, x)
            if h < 0.0:
                h = h * 0.5
        return h

    xs, h = tf.constant([0.5, -1.5, 0.25]), tf.constant(0.1)
    with tf.GradientTape() as tape:
        tape.watch([xs, h])
        y = run(xs, h)
    return y, tape.gradient(y, [xs, h, w])


@program
def mapped_call_with_a_tape():
    """tf.map_fn over a traced function that takes a gradient of another traced function."""

    @tf.function
    def energy(x, k):
        return k * x**4 + tf.cos(x)

    @tf.function
    def force(pair):
        x, k = pair
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = energy(x, k)
        return -tape.gradient(y, x)

    @tf.function
    def forces(xs, ks):
        return tf.map_fn(force, (xs, ks), fn_output_signature=tf.float32)

    return forces(tf.constant([0.5, 1.0, -2.0]), tf.constant([1.0, 0.0, 0.5]))


@program
def structures_through_loops_and_calls():
    """A dict of a tuple goes through a traced function in every round of a loop."""

    @tf.function
    def advance(state):
        position, speed = state["motion"]
        if position > 3.0:
            speed = -speed
        return {"motion": (position + speed, speed), "time": state["time"] + 1}

    @tf.function
    def simulate(start, rounds):
        state = {"motion": (start, tf.constant(1.5)), "time": tf.constant(0)}
        for _ in tf.range(rounds):
            state = advance(state)
        return state

    return simulate(tf.constant(0.0), tf.constant(4)), simulate(tf.constant(10.0), tf.constant(1))


@program(eager=False)
def traces_of_calls_in_branches_and_loops():
    """Calls in both branches and in a loop are traced once for each type, whether or not they run."""
    traces = []

    @tf.function
    def leaf(x):
        traces.append(x.dtype.name)
        return x + 1

    @tf.function
    def f(x):
        if x > 0:
            y = leaf(x)
        else:
            y = tf.cast(leaf(tf.cast(x, tf.float32)), tf.int32)
        for i in tf.range(3):
            y += leaf(i)
            leaf(tf.cast(i, tf.int64))
        return y

    return f(tf.constant(1)), f(tf.constant(-1)), traces, leaf.experimental_get_tracing_count()


@program
def failing_call_in_a_loop():
    """An error in a call in the third round leaves the effects of the first two; the next call works."""
    done = tf.Variable(0)

    @tf.function
    def check(x):
        tf.debugging.assert_less(x, 10)
        return x * 2

    @tf.function
    def f(xs):
        total = tf.constant(0)
        for x in xs:
            total += check(x)
            done.assign_add(1)
        return total

    good = f(tf.constant([1, 2]))
    done.assign(0)
    bad = raised(f, tf.constant([1, 2, 30, 4]))
    return good, bad, f(tf.constant([3]))


@program
def unused_results_of_calls():
    """Results nobody uses, and zero gradients for what only they depend on."""

    @tf.function
    def both(a, b):
        return a * a, b * 3.0

    @tf.function
    def f(a, b):
        used, _ = both(a, b)
        if used > 1.0:
            used = used + both(b, a)[0]
        return used

    a, b = tf.constant(2.0), tf.constant(0.5)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([a, b])
        y = f(a, b)
        z = f(b, a)
    return y, z, tape.gradient(y, [a, b]), tape.gradient(z, [a, b], unconnected_gradients="zero")
