"""What tapes record and what they answer: sources, targets, sparse gradients, gradients of one's own, forward mode, Jacobians."""

import numpy as np
from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


@program
def recompute_grad_gives_the_same():
    """tf.recompute_grad computes the forward values again; gradients of arguments and variables are those without it."""
    w = tf.Variable([[1.0, 2.0], [3.0, -1.0]])

    def block(x):
        return tf.tanh(x @ w) * 2.0

    recomputed = tf.recompute_grad(block)

    @tf.function
    def loss(x):
        return tf.reduce_sum(recomputed(recomputed(x)))

    x = tf.constant([[0.5, -0.25]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loss(x)
    with tf.GradientTape() as plain:
        plain.watch(x)
        z = tf.reduce_sum(block(block(x)))
    return y, tape.gradient(y, [x, w]), z, plain.gradient(z, [x, w])


@program
def custom_gradient_with_variables():
    """A function with a gradient of its own that reads a variable takes `variables` in its gradient."""
    scale = tf.Variable(3.0)

    @tf.custom_gradient
    def scaled(x):
        y = scale * x

        def grad(dy, variables=None):
            return dy * scale * 0.5, [tf.reduce_sum(dy * x) * 100.0 for _ in variables]

        return y, grad

    @tf.function
    def f(x):
        return scaled(x) + x

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, [x, scale])


@program
def custom_gradient_of_several_outputs():
    """Two results, two upstream gradients; the one that is not used is zero."""

    @tf.custom_gradient
    def sum_and_product(a, b):
        def grad(ds, dp):
            return ds + dp * b, ds * 2.0 + dp * a

        return (a + b, a * b), grad

    @tf.function
    def f(a, b):
        s, p = sum_and_product(a, b)
        return s, p

    a, b = tf.constant(2.0), tf.constant(5.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([a, b])
        s, p = f(a, b)
        q = s * 3.0
    return tape.gradient(q, [a, b]), tape.gradient(p, [a, b]), tape.gradient([q, p], [a, b])


@program
def second_order_of_a_custom_gradient():
    """The gradient function is itself differentiated, so its own mistakes go on."""

    @tf.custom_gradient
    def cube(x):
        def grad(dy):
            return dy * 3.0 * x * x

        return x * x * x, grad

    @tf.function
    def second(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = cube(x) * 2.0
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    return second(tf.constant(2.0)), second(tf.constant([-1.0, 0.5]))


@program
def gradient_reversal():
    """A layer that turns the gradient's sign and leaves the values, between two dense layers."""
    w = tf.Variable([[1.0], [2.0]])
    v = tf.Variable([[3.0]])

    @tf.custom_gradient
    def reversed_gradient(x):
        return tf.identity(x), lambda dy: -0.5 * dy

    @tf.function
    def loss(x):
        hidden = tf.nn.sigmoid(x @ w)
        return tf.reduce_mean(tf.square(reversed_gradient(hidden) @ v))

    x = tf.constant([[0.5, -1.0], [1.0, 0.25]])
    with tf.GradientTape() as tape:
        y = loss(x)
    return y, tape.gradient(y, [w, v])


@program
def stop_recording_in_the_function():
    """Statistics computed while the tape pauses have no part in the gradient."""

    @tf.function
    def normalised(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            with tape.stop_recording():
                largest = tf.reduce_max(tf.abs(x))
            y = x / largest
            z = tf.reduce_sum(y * y)
        return z, tape.gradient(z, x)

    @tf.function
    def recorded(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = tf.reduce_sum((x / tf.reduce_max(tf.abs(x))) ** 2)
        return tape.gradient(z, x)

    x = tf.constant([1.0, -4.0, 2.0])
    return normalised(x), recorded(x)


@program
def watching_an_intermediate():
    """A value watched after it was computed is a source of its own, and one watched twice counts once."""

    @tf.function
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            tape.watch(y)
            tape.watch(y)
            z = y * y
        return tape.gradient(z, x), tape.gradient(z, y), tape.gradient(y, y), tape.gradient(x, x)

    return f(tf.constant(3.0)), f(tf.constant([1.0, -1.0]))


@program
def tape_not_closed_and_used_up():
    """Asking within the block, asking twice, and asking again with a persistent tape."""

    @tf.function
    def square(x):
        return x * x

    x = tf.constant(4.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = square(x)
        inside = tape.gradient(y, x)
    again = tape.gradient(y, x)
    with tf.GradientTape() as once:
        once.watch(x)
        y = square(x)
    first = once.gradient(y, x)
    return inside, again, first, raised(once.gradient, y, x), raised(tf.GradientTape().__exit__, None, None, None)


@program
def integer_sources_and_targets():
    """Integers are not watched; a target without a way from the source gives None, strings too."""

    @tf.function
    def f(n, x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * tf.cast(n, tf.float32)
            rounded = tf.cast(y, tf.int32)
        return tape.gradient(y, x), tape.gradient(y, n), tape.gradient(rounded, x)

    results = f(tf.constant(3), tf.constant(2.0))
    with tf.GradientTape() as tape:
        tape.watch(tf.constant(1.0))
        z = tf.constant(1.0) * 2.0
    return results, tape.gradient(z, tf.constant(1.0))


@program
def gradient_of_a_constant_target():
    """Zeros of the source's shape and dtype where asked for, with several sources of different dtypes."""

    @tf.function
    def constant(a, b):
        return tf.zeros_like(a) + 1.0, tf.shape(b)

    a, b = tf.constant([1.0, 2.0]), tf.constant([[1.0]], tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([a, b])
        c, s = constant(a, b)
        d = tf.constant(2.0)
    zero = tf.UnconnectedGradients.ZERO
    return tape.gradient(d, [a, b], unconnected_gradients=zero), tape.gradient(d, {"a": a, "b": (b,)}), s


@program
def sparse_gradients_that_meet():
    """Two look-ups of one table: the slices are joined, and a dense part makes all dense."""
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])

    @tf.function
    def two(i, j):
        return tf.reduce_sum(tf.gather(table, i) * 2.0) + tf.reduce_sum(tf.nn.embedding_lookup(table, j) ** 2)

    with tf.GradientTape(persistent=True) as tape:
        y = two(tf.constant([0, 1]), tf.constant([1, 3]))
        a = tf.reduce_sum(tf.gather(table, [3, 3]))
        b = tf.reduce_sum(tf.gather(table, [0]) * 5.0)
        c = a + b
    g = tape.gradient(c, table)
    return tf.convert_to_tensor(tape.gradient(y, table)), g.values, g.indices, tf.convert_to_tensor(g)


@program
def sparse_update_of_a_variable():
    """IndexedSlices in scatter_sub and in assign by hand: one step of descent on the rows that were read."""
    table = tf.Variable([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])

    @tf.function
    def step(ids):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, ids) ** 2)
        g = tape.gradient(loss, table)
        table.scatter_sub(tf.IndexedSlices(g.values * 0.25, g.indices))
        return loss

    losses = [step(tf.constant([2, 0])), step(tf.constant([1, 1]))]
    return losses, table


@program
def clip_by_global_norm_of_gradients():
    """Gradients of several shapes, one of them missing, clipped together."""

    @tf.function
    def step(a, b, c):
        with tf.GradientTape() as tape:
            tape.watch([a, b, c])
            y = tf.reduce_sum(a * a) + 10.0 * tf.reduce_sum(b)
        gradients = tape.gradient(y, [a, b, c])
        clipped, norm = tf.clip_by_global_norm(gradients, 5.0)
        return clipped[:2], norm, tf.linalg.global_norm(clipped)

    return step(tf.constant([3.0, 4.0]), tf.constant([[1.0, 1.0]]), tf.constant(2.0))


@program
def jacobian_with_and_without_vectorisation():
    """experimental_use_pfor=False gives the same Jacobian; a matrix by a matrix has four axes."""

    @tf.function
    def f(x):
        return tf.linalg.matmul(x, x, transpose_b=True) + tf.reduce_sum(x)

    x = tf.constant([[1.0, 2.0], [0.5, -1.0], [0.0, 3.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    fast = tape.jacobian(y, x)
    slow = tape.jacobian(y, x, experimental_use_pfor=False)
    return fast, slow.shape, tf.reduce_max(tf.abs(fast - slow))


@program
def jacobian_of_variables_and_unconnected():
    """A list of sources, one of them unconnected."""
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    unused = tf.Variable([1.0])

    @tf.function
    def f(x):
        return tf.nn.softmax(x @ w)

    with tf.GradientTape(persistent=True) as tape:
        y = f(tf.constant([[0.5, -0.5]]))
    first = tape.jacobian(y, [w, unused])
    zeros = tape.jacobian(y, unused, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    return first, zeros


@program
def jacobian_through_a_loop():
    """The Jacobian of a value that a graph loop made, taken inside a traced function."""

    @tf.function
    def f(x, n):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(n):
                y = tf.sin(y) * tf.reverse(y, [0])
        return y, tape.jacobian(y, x, experimental_use_pfor=False) + 0.0

    x = tf.constant([0.5, 1.0, -0.75], tf.float64)
    return f(x, tf.constant(1)), f(x, tf.constant(3))


@program
def batch_jacobian_in_a_function():
    """One Jacobian for each element of a batch; a wrong batch size is an error."""

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.stack([x[:, 0] ** 2, x[:, 0] * x[:, 1], tf.exp(x[:, 1])], axis=1)
        return tape.batch_jacobian(y, x)

    def wrong():
        x = tf.ones([3, 2])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.ones([2, 2]) * tf.reduce_sum(x)
        return tape.batch_jacobian(y, x)

    return f(tf.constant([[1.0, 2.0], [3.0, 0.0]])), raised(wrong)


@program
def hessian_by_jacobian_of_gradient():
    """The Hessian of a quadratic form and of Rosenbrock's function by a tape in a tape."""

    def hessian(f, x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            g = inner.gradient(y, x)
        return g, outer.jacobian(g, x)

    rosenbrock = tf.function(lambda x: (1.0 - x[0]) ** 2 + 100.0 * (x[1] - x[0] ** 2) ** 2)
    quadratic = tf.function(lambda x: tf.reduce_sum(x * tf.linalg.matvec(tf.constant([[2.0, 1.0], [1.0, 3.0]]), x)))
    traced = tf.function(hessian)
    x = tf.constant([1.5, 2.0])
    return hessian(rosenbrock, x), hessian(quadratic, x), traced(rosenbrock, x)


@program(eager=False)
def hessians_by_name():
    """tf.hessians inside a function, of a vector and of a matrix, for a sum of outputs."""

    @tf.function
    def f(x, m):
        y = tf.reduce_sum(x**3) * tf.reduce_sum(m)
        z = tf.reduce_sum(m**2)
        return tf.hessians(y, x), tf.hessians([y, z], [m])

    first = f(tf.constant([1.0, 2.0]), tf.constant([[1.0, 0.5]]))
    second = f(tf.constant([0.0, -1.0]), tf.constant([[3.0, 2.0]]))
    return first, second


@program
def hessian_vector_products_three_ways():
    """Back over forward, forward over back, and back over back."""

    @tf.function
    def f(x):
        return tf.reduce_sum(tf.exp(x) * tf.reverse(x, [0]) ** 2)

    x, v = tf.constant([0.5, -1.0, 2.0], tf.float64), tf.constant([1.0, 0.0, -1.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.autodiff.ForwardAccumulator(x, v) as acc:
            y = f.python_function(x)
        jvp = acc.jvp(y)
    back_over_forward = tape.gradient(jvp, x)
    with tf.autodiff.ForwardAccumulator(x, v) as acc:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        g = tape.gradient(y, x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g2 = inner.gradient(y, x)
        inner_product = tf.reduce_sum(g2 * v)
    return back_over_forward, acc.jvp(g), outer.gradient(inner_product, x)


@program
def forward_mode_through_control_flow():
    """Forward derivatives through a branch and a loop of a traced function."""

    @tf.function
    def f(x, n):
        y = x
        for i in tf.range(n):
            if tf.reduce_sum(y) > 3.0:
                y = tf.sqrt(y)
            else:
                y = y * x + tf.cast(i, x.dtype)
        return y

    x = tf.constant([1.5, 0.5])
    results = []
    for n in (0, 1, 4):
        with tf.autodiff.ForwardAccumulator(primals=x, tangents=tf.constant([1.0, 0.5])) as acc:
            y = f(x, tf.constant(n))
        results.append((y, acc.jvp(y)))
    return results


@program
def forward_mode_inside_a_function():
    """The accumulator is opened inside the traced function; several primals, and one that is unconnected."""

    @tf.function
    def f(a, b):
        with tf.autodiff.ForwardAccumulator([a, b], [tf.ones_like(a), tf.constant(2.0)]) as acc:
            y = a * a * b
            z = tf.constant(7.0) * 1.0
        return acc.jvp(y), acc.jvp(z, unconnected_gradients=tf.UnconnectedGradients.ZERO), acc.jvp(z)

    return f(tf.constant([1.0, 3.0]), tf.constant(0.5))


@program
def tapes_side_by_side():
    """Two tapes at once, one of which watches only the variables it was told."""
    a, b = tf.Variable(2.0), tf.Variable(3.0)

    @tf.function
    def f(x):
        with tf.GradientTape() as all_of_them, tf.GradientTape(watch_accessed_variables=False) as chosen:
            chosen.watch(b)
            y = a * x + b * b
        return all_of_them.gradient(y, [a, b]), chosen.gradient(y, [a, b])

    (da, db), (none, only) = f(tf.constant(5.0))
    return da, db, none, only


@program
def gradient_of_a_list_of_targets():
    """Targets of different shapes are summed; nested targets; weights for each."""

    @tf.function
    def f(x):
        return x * x, [tf.reduce_sum(x), {"prod": tf.reduce_prod(x)}]

    x = tf.constant([2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, (s, d) = f(x)
    return (
        tape.gradient([y, s], x),
        tape.gradient({"a": y, "b": d}, x),
        tape.gradient([y, s], x, output_gradients=[tf.constant([1.0, -1.0]), tf.constant(5.0)]),
    )


@program
def gradient_with_wrong_weights():
    """output_gradients must have the targets' shapes and dtypes."""

    @tf.function
    def f(x):
        return x * 2.0

    def ask(weights):
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x, output_gradients=weights)

    return ask(tf.constant([3.0, 4.0])), ask([tf.constant([1.0, 0.0])]), raised(ask, tf.constant([1, 2]))


@program
def py_function_and_its_gradient():
    """tf.py_function hands its gradient through; tf.numpy_function has none."""

    @tf.function
    def by_python(x):
        y = tf.py_function(lambda t: t * t + tf.sin(t), [x], tf.float32)
        return tf.reduce_sum(y * x)

    @tf.function
    def by_numpy(x):
        y = tf.numpy_function(lambda a: a * a, [x], tf.float32)
        return tf.reduce_sum(y) + tf.reduce_sum(x)

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = by_python(x)
    with tf.GradientTape() as other:
        other.watch(x)
        z = tf.reduce_sum(tf.numpy_function(lambda a: a * a, [x], tf.float32))
    return y, tape.gradient(y, x), other.gradient(z, x)


@program(eager=False)
def second_order_through_py_function():
    """In a graph the derivative of a py_function is a constant to the next tape."""

    @tf.function
    def alone(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.py_function(lambda t: t**3, [x], tf.float32)
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    first, second = alone(tf.constant(2.0))
    again = alone(tf.constant([3.0, 1.0]))
    return first, second, again


@program
def printing_does_not_disturb():
    """tf.print between watched values changes no gradient, and happens once per call."""
    sheet = Sheet()

    @tf.function
    def f(x):
        y = x * 2.0
        tf.print("y is", y, output_stream=sheet.stream)
        return y * x

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = f(x)
    dz = tape.gradient(z, x)
    return dz, z, sheet.lines()


@program
def gradient_checking_by_differences():
    """tf.test.compute_gradient-like central differences by hand, against the tape."""

    @tf.function
    def f(x):
        return tf.reduce_logsumexp(x) + tf.reduce_prod(tf.cos(x))

    x = tf.constant([0.5, -1.0, 2.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    exact = tape.gradient(y, x)
    step = 1e-4
    rows = [(f(x + step * e) - f(x - step * e)) / (2 * step) for e in tf.unstack(tf.eye(3, dtype=tf.float64))]
    return exact, tf.reduce_max(tf.abs(tf.stack(rows) - exact)) < 1e-6


@program
def numpy_values_on_the_way():
    """A value that went through NumPy is a constant; one that came as an array is one too."""

    @tf.function
    def f(x, weights):
        return tf.reduce_sum(x * weights)

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        squared = np.square(x)
        y = f(x, squared)
    return y, tape.gradient(y, x), squared


@program
def accumulated_gradients_over_batches():
    """Gradients of four small batches, summed in variables, equal those of the one large batch."""
    w = tf.Variable([1.0, -1.0])
    total = tf.Variable([0.0, 0.0], trainable=False)

    @tf.function
    def accumulate(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(tf.linalg.matvec(x, w)))
        total.assign_add(tape.gradient(loss, w))
        return loss

    data = tf.reshape(tf.range(16.0), (4, 2, 2)) / 8.0
    losses = [accumulate(batch) for batch in data]
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(tf.linalg.matvec(tf.reshape(data, (8, 2)), w)))
    return losses, total, tape.gradient(loss, w)


@program
def gradient_penalty():
    """The norm of a gradient is part of the loss that is differentiated again, for a variable."""
    w = tf.Variable([[1.0, -2.0], [0.5, 1.5]])

    @tf.function
    def step(x):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(x)
                score = tf.reduce_sum(tf.nn.softplus(x @ w))
            slope = inner.gradient(score, x)
            penalty = tf.reduce_mean((tf.norm(slope, axis=1) - 1.0) ** 2)
        return penalty, outer.gradient(penalty, w)

    return step(tf.constant([[1.0, 2.0], [-0.5, 0.25]]))


@program
def maml_inner_step():
    """The gradient through a step of gradient descent: an update of an update."""
    w = tf.Variable([0.5, -1.0])

    @tf.function
    def meta(x, y, rate):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner_loss = tf.reduce_mean((x * w - y) ** 2)
            adapted = w - rate * inner.gradient(inner_loss, w)
            loss = tf.reduce_mean((x * adapted - 2.0 * y) ** 2)
        return loss, outer.gradient(loss, w)

    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, -1.0])
    return meta(x, y, tf.constant(0.1)), meta(x, y, tf.constant(0.0))


@program
def order_in_which_gradients_are_computed():
    """Gradient functions run in breadth from the target, each once, when all that used its result is done."""
    order = []

    def marked(name):
        @tf.custom_gradient
        def mark(x):
            def grad(dy):
                order.append(name)
                return dy

            return tf.identity(x), grad

        return mark

    a, b, c, d, e = (marked(name) for name in "abcde")

    def f(x):
        h = e(x * 1.0)
        y = a(b(x * 3.0)) * h + c(d(x * 2.0)) * c(h)
        return y, b(h) * 2.0

    @tf.function
    def traced(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    first = tape.gradient(y, x)
    eager_order = "".join(order)
    order.clear()
    return first, eager_order, traced(x), "".join(order)


@program
def variables_as_targets():
    """A variable may be the target, alone and beside what was computed from it; what a tape cannot do is an error."""
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def double():
        return v * 2.0

    with tf.GradientTape(persistent=True) as tape:
        y = double()
    batch = tf.reshape(y, [2, 1])
    return (
        tape.gradient(v, v),
        tape.gradient([y, v], v),
        tape.jacobian(v, v),
        raised(tape.reset),
        raised(tape.gradient, y, None),
        raised(tape.batch_jacobian, tf.reduce_sum(batch, 1), batch),
    )
