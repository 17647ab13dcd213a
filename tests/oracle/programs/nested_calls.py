"""Functions that call functions: nesting, captures, concrete functions as values, higher-order derivatives, maps."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def captured_by_an_inner_function():
    """An inner traced function captures a tensor of the outer one, also in a branch and in a loop."""

    @tf.function
    def outer(x):
        y = x * 10

        @tf.function
        def inner(z):
            return z + y

        total = inner(x)
        if x > 0:
            total = total + inner(y)
        for i in tf.range(2):
            total += inner(i)
        return total

    return outer(tf.constant(1)), outer(tf.constant(-1))


@program
def concrete_function_called_in_a_graph():
    """A concrete function is called from another traced function, and its gradient taken there."""

    @tf.function
    def cube(x):
        return x * x * x

    concrete = cube.get_concrete_function(tf.TensorSpec([], tf.float32))

    @tf.function
    def outer(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = concrete(x) + concrete(x * 2.0)
        return y, tape.gradient(y, x)

    return outer(tf.constant(2.0)), concrete(tf.constant(3.0))


@program
def functions_as_arguments():
    """Traced and plain functions passed as arguments are values of the trace."""

    @tf.function
    def apply(f, x, times):
        for _ in range(times):
            x = f(x)
        return x

    @tf.function
    def halve(x):
        return x // 2

    def plus_one(x):
        return x + 1 if x < 100 else x

    return apply(halve, tf.constant(40), 3), apply(plus_one, tf.constant(98), 4), apply(tf.square, tf.constant(3), 2)


@program
def mutual_calls_with_different_types():
    """Two traced functions call each other's helpers with tensors of several dtypes."""

    @tf.function
    def describe(x):
        if tf.size(x) > 2:
            return tf.reduce_sum(x)
        return tf.reduce_max(x)

    @tf.function
    def both(a, b):
        first = describe(a)
        second = describe(b)
        return first, second, tf.cast(first, tf.float64) + tf.cast(second, tf.float64)

    one = both(tf.constant([1, 2, 3]), tf.constant([0.5, 0.25]))
    two = both(tf.constant([1.0]), tf.constant([1, 1, 1], tf.int64))
    return one, two, describe(tf.constant([7]))


@program
def gradient_through_three_levels():
    """The gradient goes through nested calls, each with a branch or a loop of its own."""

    @tf.function
    def soft(x):
        if x > 1.0:
            return tf.math.log(x)
        return x - 1.0

    @tf.function
    def middle(x, n):
        for _ in tf.range(n):
            x = x + soft(x)
        return x

    @tf.function
    def top(x):
        return middle(x, tf.constant(3)) * soft(x * 4.0)

    results = []
    for value in (0.5, 2.0):
        x = tf.constant(value)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = top(x)
            first = tape.gradient(y, x)
        results.append((y, first, outer.gradient(first, x)))
    return results


@program
def hessian_of_a_traced_function():
    """A Hessian by nested tapes with a Jacobian, and its product with a vector."""

    @tf.function
    def f(x):
        return tf.reduce_sum(x**3) + x[0] * x[1] * x[2]

    x = tf.constant([1.0, 2.0, -1.0])
    v = tf.constant([1.0, 0.0, 2.0])
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g = inner.gradient(y, x)
        along = tf.reduce_sum(g * v)
    return y, g, outer.jacobian(g, x), outer.gradient(along, x)


@program
def map_fn_with_a_branch():
    """tf.map_fn of a function with control flow, and the gradient through it."""

    @tf.function
    def bend(xs):
        def one(x):
            if x > 0.0:
                y = x * x
            else:
                y = -x
            return y

        return tf.map_fn(one, xs)

    xs = tf.constant([-2.0, 0.5, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = bend(xs)
    return y, tape.gradient(y, xs), bend(tf.constant([[1.0, -1.0]])[0])


@program
def scan_gradient():
    """The gradient through tf.scan with a structure as its state."""

    @tf.function
    def orbit(x):
        def step(state, force):
            position, speed = state
            speed = speed + force
            return position + speed, speed

        positions, speeds = tf.scan(step, x, initializer=(tf.constant(0.0), tf.constant(1.0)))
        return tf.reduce_sum(positions * positions), speeds

    x = tf.constant([1.0, -2.0, 0.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        energy, speeds = orbit(x)
    return energy, speeds, tape.gradient(energy, x)


@program
def custom_gradient_with_variables():
    """A custom gradient that passes on the gradients of the variables it used."""
    w = tf.Variable(2.0)

    @tf.custom_gradient
    def scaled(x):
        def grad(upstream, variables=None):
            return upstream * 100.0, [upstream * x for _ in variables]

        return x * w, grad

    @tf.function
    def f(x):
        y = scaled(x)
        return y * 3.0

    x = tf.constant(5.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, [x, w])


@program
def state_shared_by_two_functions():
    """Two traced functions read and write the same variables in turn."""
    queue = tf.Variable(tf.zeros([4], tf.int32))
    size = tf.Variable(0)

    @tf.function
    def push(x):
        if size < 4:
            queue[size].assign(x)
            size.assign_add(1)
        return size.read_value()

    @tf.function
    def pop():
        if size > 0:
            size.assign_sub(1)
            value = queue[size]
        else:
            value = tf.constant(-1)
        return value

    sizes = [push(tf.constant(x)) for x in (5, 6, 7, 8, 9)]
    values = [pop() for _ in range(3)]
    return sizes, values, push(tf.constant(1)), queue, [pop() for _ in range(3)], size


@program
def training_loop_in_the_graph():
    """A whole training loop in one traced function: a tape in a graph loop that updates variables."""
    w = tf.Variable([0.0, 0.0])

    @tf.function
    def train(xs, ys, rounds):
        losses = tf.TensorArray(tf.float32, size=rounds)
        for i in tf.range(rounds):
            with tf.GradientTape() as tape:
                error = tf.linalg.matvec(xs, w) - ys
                loss = tf.reduce_mean(error * error)
            gradient = tape.gradient(loss, w)
            if tf.norm(gradient) > 1.0:
                gradient = gradient / tf.norm(gradient)
            w.assign_sub(0.25 * gradient)
            losses = losses.write(i, loss)
        return losses.stack()

    xs, ys = tf.constant([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), tf.constant([1.0, 3.0, 5.0])
    first = train(xs, ys, tf.constant(4))
    second = train(xs, ys, tf.constant(8))
    return first, second, w


@program
def errors_pass_through_calls():
    """A run-time error in an inner function comes out of the outer ones with its class, and nothing breaks."""

    @tf.function
    def inner(i):
        return tf.gather([10, 20], i)

    @tf.function
    def outer(xs):
        total = tf.constant(0)
        for x in xs:
            if x >= 0:
                total += inner(x)
        return total

    good = outer(tf.constant([0, 1, -5]))
    bad = raised(outer, tf.constant([0, 2]))
    return good, bad, outer(tf.constant([1])), raised(inner, tf.constant(9))


@program(eager=False)
def counts_of_nested_traces():
    """How often the functions of a nest are traced, when called from inside and from outside."""
    traces = []

    @tf.function
    def leaf(x):
        traces.append("leaf")
        return x + 1

    @tf.function
    def branch(x):
        traces.append("branch")
        if x > 0:
            y = leaf(x)
        else:
            y = leaf(-x)
        return leaf(y)

    results = [branch(tf.constant(1)), branch(tf.constant(2)), leaf(tf.constant(3)), branch(tf.constant(1.0)), leaf(1)]
    return results, traces, leaf.experimental_get_tracing_count(), branch.experimental_get_tracing_count()
