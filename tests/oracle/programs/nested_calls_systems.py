"""Whole programs of several traced functions: training, optimisers, derivatives of derivatives, simulations, parsers."""

import collections
import functools

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def momentum_optimiser():
    """An optimiser with momentum as one traced function, the model as another, in a loop of Python."""
    w, b = tf.Variable([[0.5], [-0.5]]), tf.Variable([0.0])
    speeds = [tf.Variable(tf.zeros_like(v)) for v in (w, b)]

    @tf.function
    def model(x):
        return x @ w + b

    @tf.function
    def step(x, y, rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        for v, speed, g in zip((w, b), speeds, tape.gradient(loss, [w, b])):
            speed.assign(0.5 * speed - rate * g)
            v.assign_add(speed)
        return loss

    x, y = tf.constant([[1.0, 2.0], [0.0, 1.0], [-1.0, 1.0]]), tf.constant([[1.0], [0.5], [2.0]])
    losses = [step(x, y, tf.constant(0.1)) for _ in range(4)]
    return losses, w, b, speeds[0]


@program
def adam_written_by_hand():
    """Adam with its step counter as a variable, bias correction and several rounds in a loop of the graph."""
    w = tf.Variable([1.0, -2.0])
    m, s = tf.Variable(tf.zeros([2])), tf.Variable(tf.zeros([2]))
    t = tf.Variable(0.0)

    @tf.function
    def update(g):
        t.assign_add(1.0)
        m.assign(0.9 * m + 0.1 * g)
        s.assign(0.99 * s + 0.01 * g * g)
        w.assign_sub(0.1 * (m / (1.0 - 0.9**t)) / (tf.sqrt(s / (1.0 - 0.99**t)) + 1e-7))

    @tf.function
    def train(rounds):
        for _ in tf.range(rounds):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w**4 + w)
            update(tape.gradient(loss, w))
        return tf.reduce_sum(w**4 + w)

    return train(tf.constant(3)), train(tf.constant(2)), w, t


@program
def gradient_clipping_by_global_norm():
    """Gradients of two functions are clipped together, with a flag that says if they were."""
    a, b = tf.Variable([3.0, 4.0]), tf.Variable(2.0)

    @tf.function
    def loss(x):
        return tf.reduce_sum(a * a) * x + b**3

    @tf.function
    def clipped(x, limit):
        with tf.GradientTape() as tape:
            y = loss(x)
        gradients = tape.gradient(y, [a, b])
        gradients, norm = tf.clip_by_global_norm(gradients, limit)
        if norm > limit:
            was = tf.constant("clipped")
        else:
            was = tf.constant("kept")
        return gradients, norm, was

    return clipped(tf.constant(1.0), tf.constant(5.0)), clipped(tf.constant(0.1), tf.constant(50.0))


@program
def jacobian_of_a_chain():
    """The Jacobian of a chain of traced functions is the product of their Jacobians."""

    @tf.function
    def polar(p):
        return tf.stack([p[0] * tf.cos(p[1]), p[0] * tf.sin(p[1])])

    @tf.function
    def warp(q):
        return tf.stack([q[0] * q[1], q[0] - q[1], q[1] ** 2])

    def jacobian(function, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return y, tape.jacobian(y, x)

    p = tf.constant([2.0, 0.5])
    middle, first = jacobian(polar, p)
    _, second = jacobian(warp, middle)
    end, whole = jacobian(lambda v: warp(polar(v)), p)
    return end, whole, second @ first


@program
def newtons_method_by_hessian():
    """Newton's method in two dimensions: gradient and Hessian of a traced function, solved in another."""

    @tf.function
    def valley(p):
        return (1.0 - p[0]) ** 2 + 5.0 * (p[1] - p[0] ** 2) ** 2

    @tf.function
    def newton(p):
        with tf.GradientTape() as outer:
            outer.watch(p)
            with tf.GradientTape() as inner:
                inner.watch(p)
                y = valley(p)
            g = inner.gradient(y, p)
        h = outer.jacobian(g, p)
        return p - tf.linalg.solve(h, g[:, None])[:, 0], y

    p = tf.constant([0.5, 1.0], tf.float64)
    values = []
    for _ in range(4):
        p, y = newton(p)
        values.append(y)
    return p, values


@program
def derivative_operator():
    """A function that makes the traced derivative of a function, applied three times."""

    def derivative(function):
        @tf.function
        def slope(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = function(x)
            return tape.gradient(y, x)

        return slope

    f = lambda x: x**5 - tf.exp(2.0 * x)
    first = derivative(f)
    second = derivative(first)
    third = derivative(second)
    x = tf.constant([0.5, 1.0])
    return first(x), second(x), third(x)


@program
def directional_derivatives():
    """Forward mode through nested traced functions agrees with the tape's product."""

    @tf.function
    def inner(x):
        return tf.sin(x) * tf.reduce_sum(x)

    @tf.function
    def outer(x):
        return inner(x * x) + inner(x)

    x, v = tf.constant([0.5, -1.0, 2.0]), tf.constant([1.0, 0.0, 0.5])
    with tf.autodiff.ForwardAccumulator(x, v) as forward:
        y = outer(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = outer(x)
    jacobian = tape.jacobian(z, x)
    return y, forward.jvp(y), tf.linalg.matvec(jacobian, v)


@program
def custom_gradient_inside_calls():
    """A custom gradient that reverses, in a traced function inside of another one and in a branch."""

    @tf.custom_gradient
    def reverse(x):
        return tf.identity(x), lambda dy: -dy

    @tf.function
    def inner(x):
        if x > 0.0:
            return reverse(x) * 2.0
        return x * 3.0

    @tf.function
    def outer(x):
        return inner(x) * x

    results = []
    for value in (2.0, -2.0):
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = outer(x)
        results.append((y, tape.gradient(y, x)))
    return results


@program
def straight_through_rounding():
    """Rounding with a straight-through gradient, in a model that a tape in a graph trains."""
    w = tf.Variable([0.3, 1.7])

    @tf.custom_gradient
    def rounded(x):
        def backward(dy):
            return dy

        return tf.round(x), backward

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(rounded(w) * x)
            loss = (y - 3.0) ** 2
        g = tape.gradient(loss, w)
        w.assign_sub(0.1 * g)
        return loss, g

    return step(tf.constant([1.0, 2.0])), step(tf.constant([1.0, 1.0])), w


@program
def recomputed_layers():
    """tf.recompute_grad around a layer of a traced function gives the same gradients."""
    w = tf.Variable([[1.0, 0.5], [-0.5, 2.0]])

    def layer(x):
        return tf.tanh(x @ w)

    saving = tf.recompute_grad(layer)

    @tf.function
    def loss(function_of, x):
        y = function_of(function_of(x))
        return tf.reduce_sum(y * y)

    x = tf.constant([[0.1, 0.2]])
    results = []
    for function in (layer, saving):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loss(function, x)
        results.append((y, tape.gradient(y, [x, w])))
    return results


@program
def queue_simulation():
    """A queue with arrivals and a server as traced functions over shared variables."""
    waiting = tf.Variable(0)
    served = tf.Variable(0)
    longest = tf.Variable(0)

    @tf.function
    def arrive(n):
        waiting.assign_add(n)
        if waiting > longest:
            longest.assign(waiting)

    @tf.function
    def serve():
        if waiting > 0:
            waiting.assign_sub(1)
            served.assign_add(1)
            return tf.constant(True)
        return tf.constant(False)

    @tf.function
    def day(arrivals):
        idle = tf.constant(0)
        for n in arrivals:
            arrive(n)
            if not serve():
                idle += 1
        return idle

    first = day(tf.constant([2, 0, 0, 1]))
    return first, day(tf.constant([5, 0])), waiting, served, longest


@program
def stack_machine():
    """A machine that runs a program given as a tensor, its operations traced functions on a variable stack."""
    stack = tf.Variable(tf.zeros([6], tf.int32))
    top = tf.Variable(0)

    @tf.function
    def push(x):
        stack[top].assign(x)
        top.assign_add(1)

    @tf.function
    def pop():
        top.assign_sub(1)
        return stack[top]

    @tf.function
    def run(code):
        top.assign(0)
        for word in code:
            if word >= 0:
                push(word)
            else:
                b, a = pop(), pop()
                if word == -1:
                    push(a + b)
                elif word == -2:
                    push(a * b)
                else:
                    push(a - b)
        return pop()

    return run(tf.constant([2, 3, -1, 4, -2])), run(tf.constant([9, 5, 1, -1, -3])), top


@program(advice=("effect.mutation",))
def matrix_chain_with_memo():
    """A Python dict as a memo of tensors while tracing: each part is computed once."""
    computed = []

    @tf.function
    def power(matrix, n):
        memo = {}

        def of(k):
            if k not in memo:
                if k == 1:
                    memo[k] = matrix
                else:
                    memo[k] = of(k // 2) @ of(k - k // 2)
                computed.append(k)
            return memo[k]

        result = of(n)
        return result, tf.linalg.trace(result)

    matrix = tf.constant([[1, 1], [1, 0]])
    first = power(matrix, 5)
    return first, power(matrix, 8), sorted(set(computed))


@program
def ode_solvers():
    """Euler and Runge-Kutta as functions of a function, the number of steps a tensor."""

    def euler(slope, t, y, h):
        return y + h * slope(t, y)

    def runge_kutta(slope, t, y, h):
        a = slope(t, y)
        b = slope(t + h / 2, y + h / 2 * a)
        c = slope(t + h / 2, y + h / 2 * b)
        d = slope(t + h, y + h * c)
        return y + h / 6 * (a + 2 * b + 2 * c + d)

    @tf.function
    def slope(t, y):
        if t > 0.5:
            return -y
        return y * t

    @tf.function
    def solve(method, y, steps):
        h = tf.constant(1.0, tf.float64) / tf.cast(steps, tf.float64)
        t = tf.constant(0.0, tf.float64)
        for _ in tf.range(steps):
            y = method(slope, t, y, h)
            t += h
        return y

    y = tf.constant([1.0, 2.0], tf.float64)
    return [solve(method, y, tf.constant(n)) for method in (euler, runge_kutta) for n in (1, 4)]


@program
def attention_from_parts():
    """Scores, a mask and a softmax as three traced functions, with gradients to queries and keys."""

    @tf.function
    def scores(q, k):
        return q @ tf.transpose(k) / tf.sqrt(tf.cast(tf.shape(k)[-1], tf.float32))

    @tf.function
    def masked(s):
        n = tf.shape(s)[0]
        return tf.where(tf.linalg.band_part(tf.ones([n, n]), -1, 0) > 0.0, s, -1e9)

    @tf.function
    def attend(q, k, v, causal):
        s = scores(q, k)
        if causal:
            s = masked(s)
        return tf.nn.softmax(s) @ v

    q = tf.constant([[1.0, 0.0], [0.5, -1.0], [0.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(q)
        y = attend(q, q * 0.5, q + 1.0, True)
        loss = tf.reduce_sum(y * y)
    return y, tape.gradient(loss, q), attend(q, q * 0.5, q + 1.0, False)


@program
def beam_of_two():
    """A beam search of width two over a table of scores, each step a traced function."""

    @tf.function
    def expand(totals, row):
        candidates = totals[:, None] + row[None, :]
        best, index = tf.math.top_k(tf.reshape(candidates, [-1]), k=2)
        return best, index // tf.size(row), index % tf.size(row)

    @tf.function
    def search(table):
        totals = tf.constant([0.0, -100.0])
        paths = tf.zeros([2, 0], tf.int32)
        for i in range(table.shape[0]):
            totals, parents, symbols = expand(totals, table[i])
            paths = tf.concat([tf.gather(paths, parents), symbols[:, None]], axis=1)
        return totals, paths

    table = tf.constant([[0.1, 0.9, 0.3], [0.4, 0.2, 0.8], [0.5, 0.6, 0.1]])
    return search(table), search(table[:1])


@program
def power_method_and_deflation():
    """Two eigenvalues: a traced iteration called on a matrix and on what is left of it."""

    @tf.function
    def dominant(matrix, rounds):
        v = tf.constant([1.0, 0.5], tf.float64)
        for _ in tf.range(rounds):
            v = tf.linalg.matvec(matrix, v)
            v /= tf.norm(v)
        return tf.tensordot(v, tf.linalg.matvec(matrix, v), 1), v

    @tf.function
    def two(matrix):
        first, v = dominant(matrix, tf.constant(40))
        rest = matrix - first * tf.tensordot(v, v, 0)
        second, _ = dominant(rest, tf.constant(40))
        return first, second, tf.linalg.trace(matrix) - first - second < 1e-6

    return two(tf.constant([[4.0, 1.0], [1.0, 2.0]], tf.float64))


@program
def moving_average_of_weights():
    """A shadow copy of the weights is updated by a function that gets lists of variables."""
    weights = [tf.Variable([1.0, 2.0]), tf.Variable(3.0)]
    shadow = [tf.Variable(v) for v in weights]

    @tf.function
    def track(variables, averages, decay):
        for v, average in zip(variables, averages):
            average.assign(average * decay + v * (1.0 - decay))

    @tf.function
    def change(by):
        for v in weights:
            v.assign_add(tf.ones_like(v) * by)
        track(weights, shadow, 0.5)
        return [average.read_value() for average in shadow]

    return change(tf.constant(1.0)), change(tf.constant(-2.0)), weights, shadow


@program
def k_means():
    """K-means with assignment and update as traced functions and a loop until nothing moves."""

    @tf.function
    def assign(points, centres):
        distances = tf.reduce_sum((points[:, None] - centres[None]) ** 2, axis=2)
        return tf.argmin(distances, axis=1)

    @tf.function
    def update(points, labels, centres):
        sums = tf.math.unsorted_segment_mean(points, labels, 2)
        counts = tf.math.unsorted_segment_sum(tf.ones_like(labels), labels, 2)
        return tf.where(counts[:, None] > 0, sums, centres)

    @tf.function
    def cluster(points, centres):
        rounds = tf.constant(0)
        moved = tf.constant(True)
        while moved and rounds < 10:
            new = update(points, assign(points, centres), centres)
            moved = tf.reduce_any(new != centres)
            centres = new
            rounds += 1
        return centres, assign(points, centres), rounds

    points = tf.constant([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [6.0, 5.0]])
    return cluster(points, tf.constant([[1.0, 1.0], [2.0, 2.0]])), cluster(points[:1], points[1:3])


@program
def actor_with_messages():
    """Objects with traced methods that send each other tensors through shared variables."""

    class Cell(tf.Module):
        def __init__(self, value):
            super().__init__()
            self.value = tf.Variable(value)
            self.inbox = tf.Variable(0.0)
            self.others = []

        @tf.function
        def send(self):
            for other in self.others:
                other.inbox.assign_add(self.value / float(len(self.others)))

        @tf.function
        def receive(self):
            self.value.assign((self.value + self.inbox) / 2.0)
            self.inbox.assign(0.0)
            return self.value.read_value()

    a, b, c = Cell(1.0), Cell(2.0), Cell(6.0)
    a.others, b.others, c.others = [b, c], [c], [a, b]
    history = []
    for _ in range(2):
        for cell in (a, b, c):
            cell.send()
        history.append([cell.receive() for cell in (a, b, c)])
    return history, [v.name for v in a.variables]


@program
def polymorphic_functions():
    """Subclasses with traced methods under one name, called from a traced function of a list of objects."""

    class Shape(tf.Module):
        def __init__(self, size):
            super().__init__()
            self.size = tf.Variable(size)

    class Square(Shape):
        @tf.function
        def area(self, scale):
            return self.size**2 * scale

    class Circle(Shape):
        @tf.function
        def area(self, scale):
            if self.size > 10.0:
                return scale * 0.0
            return 3.0 * self.size**2 * scale

    shapes = [Square(2.0), Circle(1.0), Circle(20.0)]

    @tf.function
    def total(scale):
        return tf.add_n([shape.area(scale) for shape in shapes])

    first = total(tf.constant(1.0))
    shapes[0].size.assign(10.0)
    return first, total(tf.constant(0.5))


@program
def memory_of_a_recurrent_cell():
    """A stateful cell in a graph loop, its state a variable that is reset from outside."""

    class Cell(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(0.5)
            self.state = tf.Variable(0.0, trainable=False)

        @tf.function
        def __call__(self, x):
            self.state.assign(tf.tanh(self.w * self.state + x))
            return self.state.read_value()

        @tf.function
        def run(self, xs):
            out = tf.TensorArray(tf.float32, size=tf.size(xs))
            for i in tf.range(tf.size(xs)):
                out = out.write(i, self(xs[i]))
            return out.stack()

    cell = Cell()
    first = cell.run(tf.constant([1.0, 0.0, -1.0]))
    second = cell.run(tf.constant([0.0]))
    cell.state.assign(0.0)
    return first, second, cell.run(tf.constant([1.0])), len(cell.trainable_variables)


@program
def cross_entropy_from_logits_in_layers():
    """A loss, its softmax and its gradient in separate functions agree with the library's."""

    @tf.function
    def log_softmax(z):
        return z - tf.reduce_logsumexp(z, axis=1, keepdims=True)

    @tf.function
    def loss(z, labels):
        picked = tf.gather(log_softmax(z), labels, batch_dims=1)
        return -tf.reduce_mean(picked)

    z, labels = tf.constant([[2.0, 1.0, -1.0], [0.0, 3.0, 0.5]]), tf.constant([0, 2])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(z)
        own = loss(z, labels)
        library = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, z))
    return own, library, tape.gradient(own, z), tape.gradient(library, z)


@program
def composed_by_reduce():
    """A pipeline made by functools.reduce out of traced functions, its order reversed, its gradient."""

    @tf.function
    def double(x):
        return x * 2.0

    @tf.function
    def shift(x):
        return x + 1.0

    @tf.function
    def bend(x):
        return tf.where(x > 3.0, tf.sqrt(tf.abs(x)), x * x)

    def compose(functions):
        return functools.reduce(lambda f, g: lambda x: g(f(x)), functions)

    forward = tf.function(compose([double, shift, bend]))
    backward = tf.function(compose([bend, shift, double]))
    x = tf.constant([0.5, 1.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = forward(x) + backward(x)
    return forward(x), backward(x), tape.gradient(y, x)


@program
def events_in_a_ring_buffer():
    """A ring buffer of the last events behind two traced methods, read in order by a third."""

    class Ring:
        def __init__(self, size):
            self.items = tf.Variable(tf.fill([size], -1))
            self.at = tf.Variable(0)
            self.size = size

        @tf.function
        def add(self, x):
            self.items[self.at % self.size].assign(x)
            self.at.assign_add(1)

        @tf.function
        def extend(self, xs):
            for x in xs:
                if x >= 0:
                    self.add(x)

        @tf.function
        def ordered(self):
            return tf.roll(self.items, -(self.at % self.size), axis=0)

    ring = Ring(3)
    ring.extend(tf.constant([1, 2]))
    first = ring.ordered()
    ring.extend(tf.constant([3, -9, 4]))
    return first, ring.ordered(), ring.at


@program(eager=False)
def counting_traces_of_a_system():
    """The number of traces of three functions after calls with several dtypes, shapes and Python values."""
    counts = collections.Counter()

    @tf.function
    def low(x):
        counts["low"] += 1
        return x * 2

    @tf.function
    def middle(x, k):
        counts["middle"] += 1
        return low(x) + k

    @tf.function
    def high(x):
        counts["high"] += 1
        return middle(x, 1) + middle(x, 2) + middle(x, tf.cast(3, x.dtype))

    results = [high(tf.constant(v)) for v in (1, 2, 3.0)] + [high(tf.constant([1, 2]))]
    return results, [counts[name] for name in ("low", "middle", "high")], low.experimental_get_tracing_count()


@program
def finite_differences_check():
    """Gradients of nested functions agree with differences of their values, to a tolerance."""

    @tf.function
    def inner(x, n):
        for i in tf.range(n):
            x = tf.sin(x) * tf.cast(i + 1, x.dtype)
        return x

    @tf.function
    def outer(x):
        return tf.reduce_sum(inner(x, tf.constant(3)) * tf.math.log(x))

    x = tf.constant([0.7, 1.9], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = outer(x)
    gradient = tape.gradient(y, x)
    h = 1e-6
    steps = [tf.constant([h, 0.0], tf.float64), tf.constant([0.0, h], tf.float64)]
    numeric = tf.stack([(outer(x + s) - outer(x - s)) / (2 * h) for s in steps])
    return y, gradient, tf.reduce_max(tf.abs(gradient - numeric)) < 1e-6


@program
def lazy_initialisation():
    """A flag variable makes the first call of an inner function set up what later calls use."""
    ready = tf.Variable(False)
    table = tf.Variable(tf.zeros([3]))
    setups = tf.Variable(0)

    @tf.function
    def ensure(scale):
        if not ready:
            table.assign(tf.range(3.0) * scale)
            ready.assign(True)
            setups.assign_add(1)

    @tf.function
    def look(i, scale):
        ensure(scale)
        return table[i]

    values = [look(tf.constant(i), tf.constant(2.0 + i)) for i in (2, 1, 0)]
    ready.assign(False)
    return values, look(tf.constant(2), tf.constant(10.0)), setups


@program
def bank_with_rollback():
    """A transfer that checks before it writes; a failing one leaves both accounts as they were."""
    accounts = tf.Variable([100, 50])

    @tf.function
    def withdraw(i, amount):
        tf.debugging.assert_greater_equal(accounts[i], amount, message="not enough")
        accounts[i].assign(accounts[i] - amount)

    @tf.function
    def transfer(source, target, amount):
        with tf.control_dependencies([tf.debugging.assert_positive(amount)]):
            amount = tf.identity(amount)
        withdraw(source, amount)
        accounts[target].assign(accounts[target] + amount)
        return accounts.read_value()

    good = transfer(tf.constant(0), tf.constant(1), tf.constant(30))
    negative = raised(transfer, tf.constant(0), tf.constant(1), tf.constant(-5))
    return good, negative, accounts.read_value(), transfer(tf.constant(1), tf.constant(0), tf.constant(80))


@program
def batched_by_map_and_reshape():
    """A traced function of one image, mapped over batches of two levels, against one on all at once."""

    @tf.function
    def blur(image):
        padded = tf.pad(image, [[1, 1], [1, 1]])
        return (padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]) / 4.0

    @tf.function
    def all_of(images):
        flat = tf.reshape(images, tf.concat([[-1], tf.shape(images)[-2:]], axis=0))
        return tf.reshape(tf.map_fn(blur, flat), tf.shape(images))

    images = tf.reshape(tf.range(24.0), [2, 2, 2, 3])
    nested = tf.map_fn(lambda batch: tf.map_fn(blur, batch), images)
    whole = all_of(images)
    return whole, tf.reduce_all(nested == whole)
