"""Derivatives as a course on them goes: tapes, accumulators, custom gradients, training and recurrence by hand."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def fitting_a_line_by_hand():
    """Gradient descent on slope and offset in a traced step, with the loss of each step."""
    x = tf.linspace(-1.0, 1.0, 9)
    y = 3.0 * x + 0.5
    w, b = tf.Variable(0.0, name="w"), tf.Variable(0.0, name="b")

    @tf.function
    def step(rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(w * x + b - y))
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(rate * dw)
        b.assign_sub(rate * db)
        return loss

    losses = [step(tf.constant(0.5)) for _ in range(6)]
    return losses, w, b, w.name


@program(rtol={"float32": 1e-4})
def a_dense_network_with_momentum():
    """Two layers, their gradients by a tape in the graph, and a momentum that the step keeps in variables."""
    rng = tf.random.Generator.from_seed(3)
    weights = [tf.Variable(rng.normal([2, 4])), tf.Variable(tf.zeros([4])), tf.Variable(rng.normal([4, 1]))]
    speeds = [tf.Variable(tf.zeros_like(w), trainable=False) for w in weights]
    points = tf.constant([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    targets = tf.constant([[0.0], [1.0], [1.0], [0.0]])

    @tf.function
    def train(steps):
        loss = tf.constant(0.0)
        for _ in tf.range(steps):
            with tf.GradientTape() as tape:
                hidden = tf.tanh(points @ weights[0] + weights[1])
                loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(targets, hidden @ weights[2]))
            for w, v, g in zip(weights, speeds, tape.gradient(loss, weights)):
                v.assign(0.9 * v - 0.1 * g)
                w.assign_add(v)
        return loss

    return train(tf.constant(1)), train(tf.constant(10)), [v.trainable for v in speeds], weights[1]


@program(rtol={"float32": 1e-4})
def a_recurrent_cell_by_hand():
    """A cell stepped over time in a TensorArray, with the gradient through all steps."""
    kernel = tf.Variable([[0.5, -0.2], [0.1, 0.3]])
    recurrent = tf.Variable([[0.2, 0.0], [-0.4, 0.6]])

    @tf.function
    def run(series):
        steps = tf.shape(series)[0]
        states = tf.TensorArray(tf.float32, size=steps)
        state = tf.zeros([tf.shape(series)[1], 2])
        for t in tf.range(steps):
            state = tf.tanh(series[t] @ kernel + state @ recurrent)
            states = states.write(t, state)
        return states.stack()

    series = tf.reshape(tf.linspace(-1.0, 1.0, 12), [3, 2, 2])
    with tf.GradientTape() as tape:
        out = run(series)
        loss = tf.reduce_sum(out[-1] ** 2)
    return out, tape.gradient(loss, {"k": kernel, "r": recurrent})


@program(eager=False)
def a_gated_recurrence_with_lengths():
    """Sequences of several lengths: a mask keeps the state behind each one's end."""

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32), tf.TensorSpec([None], tf.int32)])
    def last(batch, lengths):
        state = tf.zeros_like(batch[:, 0])
        t = 0
        while t < tf.shape(batch)[1]:
            gate = tf.sigmoid(batch[:, t])
            new = gate * state + (1.0 - gate) * batch[:, t]
            state = tf.where(t < lengths, new, state)
            t += 1
        return state, t

    batch = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    state, count = last(batch, tf.constant([3, 1]))
    short, _ = last(batch[:, :2], tf.constant([0, 2]))
    return state, count, short, last(batch, tf.constant([1, 1]))[0]


@program
def a_log_one_plus_exp_that_does_not_overflow():
    """A custom gradient keeps the derivative finite where the formula's own is NaN; its second order too."""

    def naive(x):
        return tf.math.log(1.0 + tf.exp(x))

    @tf.custom_gradient
    def stable(x):
        e = tf.exp(x)

        def backward(up):
            return up * (1.0 - 1.0 / (1.0 + e))

        return tf.math.log(1.0 + e), backward

    @tf.function
    def slopes(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            first = tape.gradient(naive(x), x), tape.gradient(stable(x), x)
        return first, tape.gradient(first[1], x)

    return slopes(tf.constant([0.0, 1.0, 80.0])), slopes(tf.constant([100.0]))[0]


@program
def a_custom_gradient_with_variables():
    """The gradient function of a custom gradient that reads a variable is asked for the variable's gradient too."""
    scale = tf.Variable(2.0)

    @tf.custom_gradient
    def scaled(x):
        def backward(up, variables=None):
            return up * 10.0, [tf.reduce_sum(up * x) * 100.0 for _ in variables]

        return x * scale, backward

    @tf.function
    def both(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(scaled(x))
        return tape.gradient(y, [x, scale])

    dx, ds = both(tf.constant([1.0, 2.0]))
    no = tf.custom_gradient(lambda x: (x * scale, lambda up: up))
    with tf.GradientTape() as tape:
        tape.watch(dx)
        error = raised(no, dx)
    return dx, ds, error


@program
def a_gradient_clipped_in_the_backward_pass():
    """An identity whose gradient is clipped, inside of a traced function, called in a loop."""

    @tf.custom_gradient
    def clip(x, bound=1.0):
        return tf.identity(x), lambda up: tf.clip_by_norm(up, bound)

    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            x = clip(x) * 3.0
        return tf.reduce_sum(x)

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(2))
    return y, tape.gradient(y, x)


@program
def newtons_method_with_a_hessian():
    """Second derivatives from nested tapes solve for a minimum in a few steps."""

    @tf.function
    def step(p):
        with tf.GradientTape() as outer:
            outer.watch(p)
            with tf.GradientTape() as inner:
                inner.watch(p)
                z = (p[0] - 1.0) ** 4 + tf.exp(p[1]) - 2.0 * p[1] + p[0] * p[1]
            g = inner.gradient(z, p)
        h = outer.jacobian(g, p)
        return p - tf.squeeze(tf.linalg.solve(h, g[:, tf.newaxis]), -1), h

    p = tf.constant([0.0, 0.0])
    hessians = []
    for _ in range(3):
        p, h = step(p)
        hessians.append(h)
    return p, hessians[0], tf.linalg.trace(hessians[1])


@program
def batch_jacobians_of_a_layer():
    """The Jacobian per example, against the whole Jacobian's diagonal."""
    w = tf.constant([[1.0, -2.0, 0.5], [0.3, 0.7, -1.0]])

    @tf.function
    def jacobians(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.nn.elu(x @ w)
        whole = tape.jacobian(y, x)
        return tape.batch_jacobian(y, x), tf.einsum("bibj->bij", whole)

    few, diagonal = jacobians(tf.constant([[1.0, 2.0], [-1.0, 0.5]]))
    unknown = tf.function(jacobians.python_function, input_signature=[tf.TensorSpec([None, 2])])
    more, _ = unknown(tf.constant([[0.1, 0.2]]))
    return few, diagonal, more


@program(advice=("gradient.cast",))
def where_a_gradient_stops():
    """Integers, NumPy, strings and stop_gradient cut; unconnected gradients can be zeros."""
    x = tf.Variable([1.0, 2.0])

    @tf.function
    def f(kind):
        with tf.GradientTape(persistent=True) as tape:
            whole = tf.cast(tf.cast(x, tf.int32), tf.float32)
            stopped = tf.stop_gradient(x) * x
            floors = tf.floor(x) * 2.0
        none = tape.gradient(whole, x)
        zero = tape.gradient(whole, x, unconnected_gradients=kind)
        assert none is None
        return zero, tape.gradient(stopped, x), tape.gradient(floors, x)

    with tf.GradientTape() as tape:
        y = tf.constant(x.numpy() ** 2)
    return f(tf.UnconnectedGradients.ZERO), tape.gradient(y, x), raised(f, "nothing")


@program
def forward_over_backward():
    """A Hessian-vector product: an accumulator around a tape, all traced."""

    @tf.function
    def product(x, v):
        with tf.autodiff.ForwardAccumulator(x, v) as accumulator:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(x**3) + x[0] * x[1]
            g = tape.gradient(y, x)
        return g, accumulator.jvp(g)

    x = tf.constant([1.0, 2.0, 3.0])
    g, hv = product(x, tf.constant([1.0, 0.0, -1.0]))
    _, other = product(x, tf.constant([0.0, 1.0, 0.0]))
    return g, hv, other


@program
def slices_of_a_variable_have_sparse_gradients():
    """The gradient of a gather is IndexedSlices; adding a dense use makes it dense."""
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    @tf.function
    def lookup(ids, dense):
        with tf.GradientTape() as tape:
            rows = tf.nn.embedding_lookup(table, ids)
            y = tf.reduce_sum(rows * rows)
            if dense:
                y += tf.reduce_sum(table)
        return tape.gradient(y, table)

    sparse = lookup(tf.constant([2, 0, 2]), False)
    full = lookup(tf.constant([2, 0, 2]), True)
    as_dense = tf.convert_to_tensor(sparse)
    return type(sparse).__name__, sparse.indices, sparse.values, sparse.dense_shape, full, as_dense
