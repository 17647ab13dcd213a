"""Gradients: the tape eagerly, around traced calls, in traced functions, higher orders, through branches and loops."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def polynomial():
    """Value and derivative of a polynomial, of a call under the tape."""

    @tf.function
    def p(x):
        y = 3.0 * x**3
        y = y - 2.0 * x
        return y + 7.0

    x = tf.constant([0.5, -1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = p(x)
    return y, tape.gradient(y, x)


@program
def tape_inside_the_function():
    """The tape is opened in the traced function, and closed there."""

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x) * tf.exp(-x)
        return y, tape.gradient(y, x)

    return [slope(tf.constant(v)) for v in (0.0, 0.5, 3.0)]


@program
def second_and_third_order():
    """Tapes in tapes, around a traced call."""

    @tf.function
    def f(x):
        return x**4 + tf.sin(2.0 * x)

    x = tf.constant(0.75)
    with tf.GradientTape() as t3:
        t3.watch(x)
        with tf.GradientTape() as t2:
            t2.watch(x)
            with tf.GradientTape() as t1:
                t1.watch(x)
                y = f(x)
            d1 = t1.gradient(y, x)
        d2 = t2.gradient(d1, x)
    d3 = t3.gradient(d2, x)
    return y, d1, d2, d3


@program
def order_by_recursion_inside():
    """Higher derivatives of tanh, by a Python recursion inside a traced function."""

    def derivative(f, order):
        if order == 0:
            return f

        def df(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x)

        return derivative(df, order - 1)

    @tf.function
    def all_orders(x):
        return [derivative(tf.tanh, order)(x) for order in range(4)]

    return all_orders(tf.constant(0.5, tf.float64)), all_orders(tf.constant([0.0, -1.0], tf.float64))


@program
def persistent_tape():
    """A persistent tape answers several questions; one that is not persistent answers one."""

    @tf.function
    def parts(x):
        y = x * x
        return y, y * y

    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = parts(x)
    answers = [tape.gradient(z, x), tape.gradient(y, x), tape.gradient([y, z], x)]
    with tf.GradientTape() as once:
        once.watch(x)
        y, z = parts(x)
    answers.append(once.gradient(y, x))
    return answers, raised(once.gradient, z, x)


@program
def through_an_if():
    """The gradient follows the branch that ran."""

    @tf.function
    def bent(x):
        if x > 1.0:
            y = x * x
        else:
            y = 3.0 * x - 1.0
        return y * 2.0

    results = []
    for value in (0.5, 1.0, 4.0):
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = bent(x)
        results.append((y, tape.gradient(y, x)))
    return results


@program
def through_a_while():
    """The power x**n by a loop whose length is a tensor, and its first two derivatives."""

    @tf.function
    def power(x, n):
        result = tf.ones_like(x)
        i = tf.constant(0)
        while i < n:
            result = result * x
            i += 1
        return result

    x = tf.constant([1.5, -2.0], tf.float64)
    results = []
    for n in (0, 1, 5):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = power(x, tf.constant(n))
            first = inner.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
        results.append((y, first, outer.gradient(first, x, unconnected_gradients="zero")))
    return results


@program
def through_a_for_with_break():
    """A loop that stops early: the steps that did not run have no part in the gradient."""

    @tf.function
    def accumulate(xs, limit):
        total = tf.constant(0.0)
        for x in xs:
            if total > limit:
                break
            total += x * x
        return total

    xs = tf.constant([1.0, 2.0, 3.0, 4.0])
    results = []
    for limit in (0.5, 4.0, 100.0):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = accumulate(xs, tf.constant(limit))
        results.append((y, tape.gradient(y, xs)))
    return results


@program
def variables_are_watched_by_themselves():
    """Trainable variables are watched, others and constants are not; a list and a dict of sources."""
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    b = tf.Variable([0.5, -0.5])
    frozen = tf.Variable(2.0, trainable=False)
    c = tf.constant(3.0)

    @tf.function
    def layer(x):
        return tf.reduce_sum(tf.nn.sigmoid(x @ w + b) * frozen * c)

    x = tf.constant([[1.0, -1.0]])
    with tf.GradientTape(persistent=True) as tape:
        y = layer(x)
    as_list = tape.gradient(y, [w, b, frozen, c, x])
    as_dict = tape.gradient(y, {"bias": b, "weights": [w]})
    return y, as_list, as_dict, len(tape.watched_variables())


@program
def unconnected_gradients():
    """None or zeros where there is no way from source to target."""

    @tf.function
    def first_only(a, b):
        c = b * 2.0
        return a * a, c

    a, b = tf.constant([1.0, 2.0]), tf.constant([[3.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([a, b])
        square, double = first_only(a, b)
        lonely = tf.constant(1.0) * 5.0
    none = tape.gradient(lonely, [a, b])
    zero = tape.gradient(lonely, [a, b], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    mixed = tape.gradient(tf.stop_gradient(square) + a, [a, b])
    return none, zero, mixed, tape.gradient([square, double], [a, b])


@program(eager=False)
def between_two_results_of_one_call():
    """Under a tape a traced call is one step: of two of its results, neither depends on the other."""

    @tf.function
    def steps(x):
        y = x * x
        z = y * y
        return y, z

    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = steps(x)
        again = steps(y)
    return tape.gradient(z, y), tape.gradient(again[0], y), tape.gradient(again, [x, y, z])


@program(eager=False)
def symbolic_gradients():
    """tf.gradients inside a function, with weights for the outputs, and twice."""

    @tf.function
    def both(x, y):
        z = x * x * y + tf.exp(y)
        dx, dy = tf.gradients(z, [x, y])
        (dxy,) = tf.gradients(dx, [y])
        weighted = tf.gradients([z, dx], [x], grad_ys=[tf.constant(10.0), tf.constant(0.5)])
        return z, dx, dy, dxy, weighted

    first = both(tf.constant(2.0), tf.constant(0.0))
    second = both(tf.constant(-1.0), tf.constant(1.0))
    return first, second


@program
def stop_gradient_in_a_branch():
    """A value passes tf.stop_gradient, its gradient does not."""

    @tf.function
    def residual(x):
        kept = tf.stop_gradient(x * x)
        if tf.reduce_sum(x) > 0.0:
            y = x * kept
        else:
            y = kept
        return y

    results = []
    for values in ([1.0, 2.0], [-1.0, -2.0]):
        x = tf.constant(values)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = residual(x)
        results.append((y, tape.gradient(y, x, unconnected_gradients="zero")))
    return results


@program
def custom_gradient():
    """A gradient of one's own: log(1 + e^x) without overflow, called inside a traced function."""

    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)

        def grad(upstream):
            return upstream * (1.0 - 1.0 / (1.0 + e))

        return tf.math.log(1.0 + e), grad

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = log1pexp(x) * 2.0
        return tape.gradient(y, x)

    x = tf.constant(100.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = log1pexp(x)
    return slope(tf.constant(0.0)), slope(x), tape.gradient(y, x)


@program
def ties_and_edges():
    """How ties are shared: maximum, reduce_max, abs at zero, relu at zero, clip at its edge."""

    @tf.function
    def edges(x, y):
        a = tf.maximum(x, y)
        b = tf.reduce_max(x)
        c = tf.abs(x) + tf.nn.relu(x)
        d = tf.clip_by_value(x, -1.0, 2.0)
        return a, b, c, d

    x, y = tf.constant([0.0, 2.0, 2.0, -3.0]), tf.constant([0.0, 1.0, 2.0, 4.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        outputs = edges(x, y)
    return [tape.gradient(output, [x, y], unconnected_gradients="zero") for output in outputs]


@program
def broadcast_gradients():
    """A gradient has its source's shape, however the source was broadcast."""

    @tf.function
    def mix(column, row, scalar):
        grid = column * row + scalar
        return tf.reduce_mean(grid / (1.0 + row * row), axis=0)

    sources = [tf.constant([[1.0], [2.0], [3.0]]), tf.constant([0.5, -0.5]), tf.constant(4.0)]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        y = mix(*sources)
    gradients = tape.gradient(y, sources)
    return y, gradients, [g.shape for g in gradients]


@program
def output_weights():
    """output_gradients weighs the outputs."""

    @tf.function
    def square(x):
        y = x * x
        return y, tf.reduce_sum(y)

    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, total = square(x)
    plain = tape.gradient(y, x)
    weighted = tape.gradient(y, x, output_gradients=tf.constant([1.0, 0.0, -2.0]))
    both = tape.gradient([y, total], x, output_gradients=[tf.ones(3), tf.constant(10.0)])
    return plain, weighted, both


@program
def watch_switches():
    """watch_accessed_variables=False, stop_recording and reset."""
    v = tf.Variable(2.0)
    w = tf.Variable(5.0)

    @tf.function
    def product(x):
        return x * v * w

    x = tf.constant(3.0)
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as chosen:
        chosen.watch(v)
        y = product(x)
    with tf.GradientTape(persistent=True) as paused:
        a = product(x)
        with paused.stop_recording():
            b = product(x)
        c = a + b
    with tf.GradientTape() as restarted:
        a2 = product(x)
        restarted.reset()
        d = a2 * v
    return chosen.gradient(y, [v, w]), paused.gradient(c, [v, w]), restarted.gradient(d, [v, w])


@program
def gather_gradient_is_sparse():
    """The gradient of rows that were looked up comes as IndexedSlices for a variable, dense for a sum of both ways."""
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    @tf.function
    def look_up(ids):
        rows = tf.gather(table, ids)
        return tf.reduce_sum(rows * rows)

    ids = tf.constant([2, 0, 2])
    with tf.GradientTape(persistent=True) as tape:
        a = look_up(ids)
        b = a + tf.reduce_sum(table)
        c = tf.reduce_sum(tf.gather(table, ids) ** 2)
    g, h, k = tape.gradient(a, table), tape.gradient(b, table), tape.gradient(c, table)
    return isinstance(g, tf.IndexedSlices), tf.convert_to_tensor(g), tf.convert_to_tensor(h), k, k.dense_shape


@program
def gradient_descent():
    """Twenty steps of descent on a least squares problem, the step a traced function."""
    w = tf.Variable([[0.0], [0.0]])
    b = tf.Variable(0.0)

    @tf.function
    def step(x, y, rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w + b - y))
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(rate * dw)
        b.assign_sub(rate * db)
        return loss

    x = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]])
    y = tf.constant([[3.0], [0.0], [2.0], [6.0]])
    losses = [step(x, y, tf.constant(0.125)) for _ in range(20)]
    return losses[::5], w, b


@program
def jacobian_of_a_traced_call():
    """The Jacobian, whole and by batch."""

    @tf.function
    def f(x):
        return tf.stack([x[..., 0] * x[..., 1], tf.sin(x[..., 0]), x[..., 1] ** 2], axis=-1)

    x = tf.constant([0.5, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    whole = tape.jacobian(y, x)
    batch = tf.constant([[1.0, 2.0], [0.0, -1.0]])
    with tf.GradientTape() as tape:
        tape.watch(batch)
        y = f(batch)
    return whole, tape.batch_jacobian(y, batch)


@program
def integers_and_casts():
    """Integers have no gradient; a cast to float and back cuts the way."""

    @tf.function
    def count(x, n):
        rounded = tf.cast(tf.cast(x, tf.int32), tf.float32)
        wide = tf.cast(x, tf.float64) * 2.0
        return rounded * x, wide * tf.cast(n, tf.float64)

    x, n = tf.constant([1.5, 2.5]), tf.constant([3, 4])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        a, b = count(x, n)
    return tape.gradient(a, x), tape.gradient(b, x), tape.gradient(b, n)


@program
def function_called_twice_under_one_tape():
    """The gradient goes through two calls of one trace, and through the variable both read."""
    scale = tf.Variable(1.5)

    @tf.function
    def squash(x):
        return tf.tanh(scale * x)

    x = tf.constant([0.25, -0.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = squash(squash(x) + x)
    dx, dscale = tape.gradient(y, [x, scale])
    return y, dx, dscale
