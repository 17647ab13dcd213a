"""Gradients through branches, loops, nested calls, map_fn, scan and TensorArray, up to third order."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def third_order_through_a_while():
    """Three tapes around a loop whose length is a tensor."""

    @tf.function
    def power(x, n):
        y = tf.ones_like(x)
        for _ in tf.range(n):
            y = y * x
        return y

    x = tf.constant(1.5)
    with tf.GradientTape() as t3:
        t3.watch(x)
        with tf.GradientTape() as t2:
            t2.watch(x)
            with tf.GradientTape() as t1:
                t1.watch(x)
                y = power(x, tf.constant(4))
            d1 = t1.gradient(y, x)
        d2 = t2.gradient(d1, x)
    return y, d1, d2, t3.gradient(d2, x)


@program
def tape_around_a_while_inside_the_function():
    """Tape, loop and second tape are all inside one traced function."""

    @tf.function
    def curvature(x, n):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x
                i = tf.constant(0)
                while i < n:
                    y = tf.sin(y) + 0.5 * x
                    i += 1
            first = inner.gradient(y, x)
        return y, first, outer.gradient(first, x)

    return [curvature(tf.constant(0.3, tf.float64), tf.constant(n)) for n in (1, 2, 6)]


@program
def gradient_inside_the_loop_body():
    """A tape opened and closed in each round of a graph loop: Newton's method on a cubic."""

    @tf.function
    def root(start, rounds):
        x = start
        for _ in tf.range(rounds):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x**3 - 2.0 * x - 5.0
            x = x - y / tape.gradient(y, x)
        return x

    start = tf.constant(2.0, tf.float64)
    results = [root(start, tf.constant(n)) for n in (0, 1, 5)]
    with tf.GradientTape() as tape:
        tape.watch(start)
        x = root(start, tf.constant(2))
    return results, tape.gradient(x, start)


@program
def second_derivative_of_a_branch():
    """The branch decides which polynomial is differentiated twice."""

    @tf.function
    def f(x):
        if x > 0.0:
            y = x**3
        elif x < -1.0:
            y = x**2 * 5.0
        else:
            y = x
        return y

    results = []
    for v in (2.0, -0.5, -3.0):
        x = tf.constant(v)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            dy = inner.gradient(y, x)
        results.append((y, dy, outer.gradient(dy, x, unconnected_gradients="zero")))
    return results


@program
def branch_inside_a_loop():
    """A tensor condition in every round decides how the value grows."""

    @tf.function
    def zigzag(x, n):
        y = x
        for i in tf.range(n):
            if i % 2 == 0:
                y = y * x
            else:
                y = y + tf.sin(x)
        return y

    x = tf.constant([0.5, 2.0])
    results = []
    for n in (0, 1, 4):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = zigzag(x, tf.constant(n))
        results.append((y, tape.gradient(y, x)))
    return results


@program(eager=False)
def loop_inside_a_branch():
    """Only one branch has a loop in it; the other one is a constant."""

    @tf.function
    def f(x, on):
        if on:
            y = x
            for i in tf.range(3):
                y = y * tf.cast(i + 1, tf.float32) + x
        else:
            y = tf.zeros_like(x)
        return tf.reduce_sum(y)

    x = tf.constant([1.0, -2.0])
    results = []
    for on in (True, False):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(on))
        results.append((y, tape.gradient(y, x)))
    return results


@program(eager=False)
def loop_in_a_loop():
    """Two nested loops with tensor bounds; the inner one starts from the outer value."""

    @tf.function
    def nest(x, n, m):
        total = tf.constant(0.0)
        for i in tf.range(n):
            term = x
            for _ in tf.range(m):
                term = term * x + tf.cast(i, tf.float32)
            total += term
        return total

    x = tf.constant(1.25)
    results = []
    for n, m in ((2, 3), (3, 0), (0, 2)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = nest(x, tf.constant(n), tf.constant(m))
        results.append((y, tape.gradient(y, x)))
    return results


@program
def loop_over_a_matrix_row_by_row():
    """The rows that a for loop takes apart get their gradients back in place."""

    @tf.function
    def scan_rows(matrix, v):
        for row in matrix:
            v = tf.tanh(row * v)
        return tf.reduce_sum(v)

    matrix = tf.constant([[0.5, 1.0], [2.0, -1.0], [0.25, 3.0]])
    v = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch([matrix, v])
        y = scan_rows(matrix, v)
    return y, tape.gradient(y, {"matrix": matrix, "v": v})


@program
def captured_variable_in_a_loop():
    """A variable that the loop body reads in every round."""
    w = tf.Variable(0.5)
    b = tf.Variable([1.0, -1.0])

    @tf.function
    def recurrent(x, n):
        h = x
        for _ in tf.range(n):
            h = tf.tanh(w * h + b)
        return tf.reduce_sum(h)

    with tf.GradientTape() as tape:
        y = recurrent(tf.constant([0.1, 0.2]), tf.constant(5))
    return y, tape.gradient(y, [w, b])


@program
def variable_assigned_in_the_loop():
    """An assignment cuts the gradient's way: the value read after it is a new start."""
    v = tf.Variable(2.0)

    @tf.function
    def grow(x):
        for _ in tf.range(3):
            v.assign(v * x)
        return v * x

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = grow(x)
    dx, dv = tape.gradient(y, [x, v])
    return y, dx, dv, v


@program
def gradient_through_map_fn():
    """map_fn with a captured value: the gradient of both."""
    scale = tf.Variable(2.0)

    @tf.function
    def f(xs):
        return tf.map_fn(lambda x: scale * x * x, xs)

    xs = tf.constant([1.0, 2.0, -3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        ys = f(xs)
        total = tf.reduce_sum(ys)
    return ys, tape.gradient(ys, xs), tape.gradient(total, scale)


@program
def second_order_through_map_fn():
    """Twice through map_fn over rows with a reduction."""

    @tf.function
    def f(m):
        rows = tf.map_fn(lambda row: tf.reduce_prod(row), m)
        return tf.reduce_sum(rows * rows)

    m = tf.constant([[1.0, 2.0], [3.0, 0.5]], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(m)
        with tf.GradientTape() as inner:
            inner.watch(m)
            y = f(m)
        dm = inner.gradient(y, m)
    return y, dm, outer.gradient(dm, m)


@program
def gradient_through_scan():
    """A running product by tf.scan, its gradient and that of the initializer."""

    @tf.function
    def running(xs, start):
        return tf.scan(lambda a, x: a * x + 1.0, xs, initializer=start)

    xs, start = tf.constant([2.0, 3.0, 4.0]), tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch([xs, start])
        ys = running(xs, start)
    return ys, tape.gradient(ys, [xs, start])


@program
def gradient_through_folds():
    """foldl and foldr differ in the order, and so do their gradients."""

    @tf.function
    def folds(xs):
        left = tf.foldl(lambda a, x: a * 0.5 + x, xs)
        right = tf.foldr(lambda a, x: a * 0.5 + x, xs)
        return left, right

    xs = tf.constant([1.0, 2.0, 3.0, 4.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        left, right = folds(xs)
    return left, right, tape.gradient(left, xs), tape.gradient(right, xs)


@program
def tensor_array_read_many_times():
    """An element that is read twice gets the sum of both gradients; one that is never read gets zero."""

    @tf.function
    def f(x):
        ta = tf.TensorArray(tf.float32, size=3, clear_after_read=False)
        ta = ta.unstack(x)
        a = ta.read(0)
        b = ta.read(0) * ta.read(2)
        return a + b * b

    x = tf.constant([2.0, 5.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, x)


@program
def tensor_array_in_a_loop_second_order():
    """Cumulated squares written by a loop; the Hessian's diagonal by a second tape."""

    @tf.function
    def cumulated(x):
        n = tf.shape(x)[0]
        ta = tf.TensorArray(tf.float64, size=n)
        total = tf.constant(0.0, tf.float64)
        for i in tf.range(n):
            total += x[i] ** 3
            ta = ta.write(i, total)
        return ta.stack()

    x = tf.constant([1.0, -2.0, 0.5], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = cumulated(x)
        dx = inner.gradient(y, x)
    return y, dx, outer.gradient(dx, x)


@program
def tensor_array_scatter_and_concat():
    """The gradient of scatter, concat and gather of a TensorArray."""

    @tf.function
    def f(x):
        ta = tf.TensorArray(tf.float32, size=4, element_shape=[2])
        ta = ta.scatter([3, 0, 1, 2], x)
        joined = ta.concat()
        chosen = ta.gather([1, 3])
        return tf.reduce_sum(joined[:4] * 2.0) + tf.reduce_sum(chosen**2)

    x = tf.reshape(tf.range(8.0), (4, 2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, x)


@program
def nested_functions_three_deep():
    """A traced function calls another, which calls a third, with a tape at the top and one in the middle."""

    @tf.function
    def inner(x):
        return x**3

    @tf.function
    def middle(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x) * 2.0
        return tape.gradient(y, x)

    @tf.function
    def outer(x):
        return middle(x) + inner(x)

    x = tf.constant([1.0, -2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = outer(x)
    return y, tape.gradient(y, x)


@program
def function_with_several_outputs_of_which_one_is_used():
    """Outputs that nobody uses have no part in the gradient; an integer output neither."""

    @tf.function
    def stats(x):
        mean = tf.reduce_mean(x)
        spread = tf.reduce_mean((x - mean) ** 2)
        return {"mean": mean, "spread": spread, "largest": tf.argmax(x)}

    x = tf.constant([1.0, 2.0, 6.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        s = stats(x)
        y = s["spread"] * 2.0
    return tape.gradient(y, x), tape.gradient(s["mean"], x), s["largest"]


@program
def custom_gradient_in_a_branch():
    """A gradient of one's own that is in one branch only."""

    @tf.custom_gradient
    def straight_through(x):
        def grad(dy):
            return dy * 10.0

        return tf.round(x), grad

    @tf.function
    def f(x):
        if tf.reduce_sum(x) > 0.0:
            y = straight_through(x) * x
        else:
            y = tf.round(x) * x
        return y

    results = []
    for values in ([1.4, 2.6], [-1.4, -2.6]):
        x = tf.constant(values)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        results.append((y, tape.gradient(y, x)))
    return results


@program
def custom_gradient_in_a_loop():
    """Clipping the gradient on its way through each round of a loop."""

    @tf.custom_gradient
    def clipped(x):
        return tf.identity(x), lambda dy: tf.clip_by_value(dy, -2.0, 2.0)

    @tf.function
    def f(x, n):
        y = x
        for _ in tf.range(n):
            y = clipped(y * 3.0)
        return y

    x = tf.constant([1.0, -1.0])
    results = []
    for n in (1, 2, 3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(n))
        results.append((y, tape.gradient(y, x)))
    return results


@program
def gradient_of_cond_with_unused_capture():
    """A source used in the branch not taken gets zeros, one used nowhere gets None."""

    @tf.function
    def f(p, a, b):
        return tf.cond(p, lambda: a * 2.0, lambda: b * b)

    a, b, c = tf.constant(1.0), tf.constant(3.0), tf.constant(5.0)
    results = []
    for p in (True, False):
        with tf.GradientTape() as tape:
            tape.watch([a, b, c])
            y = f(tf.constant(p), a, b)
        results.append((y, tape.gradient(y, [a, b], unconnected_gradients="zero")))
    with tf.GradientTape() as tape:
        tape.watch([a, c])
        y = f(tf.constant(True), a, b)
    return results, tape.gradient(y, [a, c])


@program
def gradient_of_switch_case():
    """The gradient through the branch with the number given."""

    @tf.function
    def f(i, x):
        return tf.switch_case(i, [lambda: x * 2.0, lambda: tf.exp(x), lambda: x**3])

    x = tf.constant(0.5)
    results = []
    for i in (0, 1, 2, 7):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(tf.constant(i), x)
        results.append((y, tape.gradient(y, x)))
    return results


@program
def while_loop_gradient_of_a_structure():
    """tf.while_loop over a pair and a dict; maximum_iterations cuts it."""

    @tf.function
    def f(x, limit):
        def body(i, s):
            return i + 1, {"a": s["a"] * x, "b": s["b"] + s["a"]}

        _, s = tf.while_loop(
            lambda i, s: i < 10, body, (tf.constant(0), {"a": x, "b": tf.zeros_like(x)}), maximum_iterations=limit
        )
        return s["a"], s["b"]

    x = tf.constant([2.0, 0.5])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        a, b = f(x, 3)
    return a, b, tape.gradient(a, x), tape.gradient(b, x), tape.gradient([a, b], x)


@program
def break_and_continue_in_the_gradient():
    """Rounds that were skipped by continue have no part; those after break neither."""

    @tf.function
    def f(xs):
        total = tf.constant(0.0)
        for x in xs:
            if x < 0.0:
                continue
            if x > 10.0:
                break
            total += x * x
        return total

    xs = tf.constant([1.0, -2.0, 3.0, 20.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = f(xs)
    return y, tape.gradient(y, xs)


@program
def loop_that_does_not_run():
    """A loop of no rounds hands the gradient through."""

    @tf.function
    def f(x, n):
        y, z = x, x * 2.0
        while n > 0:
            y, z = z * y, y
            n -= 1
        return y + 3.0 * z

    x = tf.constant(1.5)
    results = []
    for n in (0, -4, 2):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(n))
        results.append((y, tape.gradient(y, x)))
    return results


@program
def shape_changing_loop():
    """A loop value that grows by concatenation, with its shape set free."""

    @tf.function
    def f(x, n):
        y = x
        for _ in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(y, tf.TensorShape([None]))])
            y = tf.concat([y, y * 2.0], 0)
        return tf.reduce_sum(y * y)

    x = tf.constant([1.0, 3.0])

    def run(n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(n))
        return y, tape.gradient(y, x)

    return run(0), run(1), run(3)


@program
def integer_and_float_loop_values():
    """Integers carried beside floats: None for the integer source, a number for the float."""

    @tf.function
    def f(n, x):
        steps = tf.constant(0)
        while n > 1:
            n = n // 2
            x = x * 1.5
            steps += n
        return x, steps

    n, x = tf.constant(10), tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, steps = f(n, x)
    return y, steps, tape.gradient(y, x), tape.gradient(y, n)


@program
def fixed_point_by_a_while_with_two_conditions():
    """A loop until a tolerance or a number of rounds: its gradient goes through the rounds that ran."""

    @tf.function
    def babylonian(a):
        x = a
        rounds = tf.constant(0)
        while tf.abs(x * x - a) > 1e-9 and rounds < 20:
            x = 0.5 * (x + a / x)
            rounds += 1
        return x, rounds

    a = tf.constant(2.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(a)
        x, rounds = babylonian(a)
    return x, rounds, tape.gradient(x, a)


@program
def gradient_of_a_method_that_loops():
    """A module's method with a loop over its layers and one over rounds."""

    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.weights = [tf.Variable(0.5), tf.Variable([[1.0, 2.0], [0.0, -1.0]])]

        @tf.function
        def __call__(self, x, rounds):
            for _ in tf.range(rounds):
                for w in self.weights:
                    x = tf.tanh(x * w if w.shape.rank == 0 else x @ w)
            return tf.reduce_sum(x)

    net = Net()
    with tf.GradientTape() as tape:
        y = net(tf.constant([[0.5, -0.25]]), tf.constant(3))
    return y, tape.gradient(y, list(net.trainable_variables))


@program(eager=False)
def tf_gradients_through_control_flow():
    """tf.gradients of what a loop and a cond made, inside the function."""

    @tf.function
    def f(x, n):
        y = x
        for _ in tf.range(n):
            y = y * x
        z = tf.cond(y > 100.0, lambda: y * 0.5, lambda: y * y)
        return z, tf.gradients(z, [x, y]), tf.gradients(tf.gradients(z, x), x)

    return [f(tf.constant(v), tf.constant(n)) for v, n in ((2.0, 2), (5.0, 3))]


@program
def wrong_tape_use_in_a_loop():
    """A tape opened outside of a graph loop cannot be asked inside it for what the loop computed."""

    @tf.function
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
        total = tf.constant(0.0)
        for _ in tf.range(2):
            total += tape.gradient(y, x)
        return total

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    first = tape.gradient(y, x)
    return f(x), first, raised(tape.gradient, y, x)
