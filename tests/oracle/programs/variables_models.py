"""Variables in the programs people write: models, optimizers, samplers, caches, simulations."""

import collections

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def linear_regression():
    """A line is fitted to four points by gradient descent."""
    w, b = tf.Variable(0.0), tf.Variable(0.0)
    xs = tf.constant([0.0, 1.0, 2.0, 3.0])
    ys = 2.0 * xs + 1.0

    @tf.function
    def step(rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * xs + b - ys) ** 2.0)
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(rate * dw)
        b.assign_sub(rate * db)
        return loss

    losses = [step(tf.constant(0.1)) for _ in range(5)]
    return losses, w, b


@program
def training_loop_inside_the_graph():
    """The whole training loop is one call of a traced function."""
    w = tf.Variable([1.0, -1.0])

    @tf.function
    def train(steps, rate):
        losses = tf.TensorArray(tf.float32, size=steps)
        for i in tf.range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((w - [3.0, 0.5]) ** 2.0)
            w.assign_sub(rate * tape.gradient(loss, w))
            losses = losses.write(i, loss)
        return losses.stack()

    return train(tf.constant(4), tf.constant(0.25)), w, train(tf.constant(0), tf.constant(1.0))


@program
def logistic_regression_with_early_stopping():
    """Training stops when the loss no longer falls."""
    w = tf.Variable([0.0, 0.0])
    x = tf.constant([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.5], [-2.0, 0.5]])
    y = tf.constant([1.0, 1.0, 0.0, 0.0])

    @tf.function
    def fit(limit):
        last, steps = tf.constant(1e9), tf.constant(0)
        for _ in tf.range(limit):
            with tf.GradientTape() as tape:
                logits = tf.linalg.matvec(x, w)
                loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
            if last - loss < 0.01:
                break
            w.assign_sub(tape.gradient(loss, w))
            last = loss
            steps += 1
        return last, steps

    return fit(tf.constant(20)), w


@program
def a_perceptron_with_modules():
    """Two layers as modules, trained by one step."""

    class Dense(tf.Module):
        def __init__(self, weights, activation):
            super().__init__()
            self.w = tf.Variable(weights)
            self.b = tf.Variable(tf.zeros([len(weights[0])]))
            self.activation = activation

        def __call__(self, x):
            return self.activation(x @ self.w + self.b)

    class Network(tf.Module):
        def __init__(self):
            super().__init__()
            self.hidden = Dense([[0.5, -0.5], [0.25, 1.0]], tf.nn.tanh)
            self.out = Dense([[1.0], [-1.0]], tf.identity)

        @tf.function
        def train(self, x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self.out(self.hidden(x)) - y) ** 2.0)
            grads = tape.gradient(loss, self.trainable_variables)
            for v, g in zip(self.trainable_variables, grads):
                v.assign_sub(0.1 * g)
            return loss

    network = Network()
    x, y = tf.constant([[1.0, 0.0], [0.0, 1.0]]), tf.constant([[1.0], [0.0]])
    losses = [network.train(x, y) for _ in range(3)]
    return losses, [v.shape for v in network.variables], network.out.b


@program
def adam_by_hand():
    """Adam with slots in a dict, bias correction and a step counter."""
    w = tf.Variable([1.0, 2.0])
    slots = {"m": tf.Variable([0.0, 0.0]), "v": tf.Variable([0.0, 0.0]), "t": tf.Variable(0.0)}

    @tf.function
    def step(g):
        t = slots["t"].assign_add(1.0)
        m = slots["m"].assign(0.9 * slots["m"] + 0.1 * g)
        v = slots["v"].assign(0.999 * slots["v"] + 0.001 * g * g)
        w.assign_sub(0.1 * (m / (1.0 - 0.9**t)) / (tf.sqrt(v / (1.0 - 0.999**t)) + 1e-7))
        return w.read_value()

    path = [step(tf.constant(g)) for g in ([1.0, -1.0], [0.5, 0.0], [-2.0, 1.0])]
    return path, slots["t"]


@program
def gradient_accumulation():
    """Gradients are added up over three batches, then applied and cleared."""
    w, total, seen = tf.Variable(2.0), tf.Variable(0.0), tf.Variable(0)

    @tf.function
    def batch(x):
        with tf.GradientTape() as tape:
            loss = (w * x) ** 2.0
        total.assign_add(tape.gradient(loss, w))
        if seen.assign_add(1) == 3:
            w.assign_sub(0.01 * total / 3.0)
            total.assign(0.0)
            seen.assign(0)
        return w.read_value()

    path = [batch(tf.constant(float(x))) for x in (1, 2, 3, 4)]
    return path, total, seen


@program
def gradient_clipping_of_variables():
    """tf.clip_by_global_norm over the gradients of several variables."""
    params = [tf.Variable([3.0, 4.0]), tf.Variable([[12.0]])]

    @tf.function
    def step(limit):
        with tf.GradientTape() as tape:
            loss = 0.5 * tf.add_n([tf.reduce_sum(p * p) for p in params])
        clipped, norm = tf.clip_by_global_norm(tape.gradient(loss, params), limit)
        for p, g in zip(params, clipped):
            p.assign_sub(g)
        return norm

    norms = [step(tf.constant(13.0)), step(tf.constant(1.0))]
    return norms, params


@program
def batch_normalisation():
    """Moving statistics are updated in training and used in inference."""
    mean, variance = tf.Variable([0.0, 0.0], trainable=False), tf.Variable([1.0, 1.0], trainable=False)

    @tf.function
    def normalise(x, training):
        if training:
            m, v = tf.nn.moments(x, axes=[0])
            mean.assign(0.9 * mean + 0.1 * m)
            variance.assign(0.9 * variance + 0.1 * v)
        else:
            m, v = mean, variance
        return (x - m) / tf.sqrt(v + 1e-3)

    x = tf.constant([[1.0, 10.0], [3.0, 30.0]])
    results = [normalise(x, True), normalise(x, False)]
    return results, mean, variance


@program
def a_recurrent_cell():
    """A hidden state in a variable, stepped by a loop over time."""
    w, u = tf.Variable([[0.5, 0.0], [0.0, 0.25]]), tf.Variable([[1.0, -1.0]])
    state = tf.Variable(tf.zeros([1, 2]))

    @tf.function
    def run(sequence):
        for x in sequence:
            state.assign(tf.tanh(state @ w + x * u))
        return state.read_value()

    results = [run(tf.constant([1.0, 0.5])), run(tf.constant([-1.0]))]
    state.assign(tf.zeros([1, 2]))
    return results, run(tf.constant([1.0]))


@program
def k_means():
    """Centres as a variable, moved to the mean of their points."""
    centres = tf.Variable([[0.0, 0.0], [5.0, 5.0]])
    points = tf.constant([[1.0, 1.0], [0.0, 2.0], [6.0, 5.0], [4.0, 7.0]])

    @tf.function
    def step():
        distances = tf.reduce_sum((points[:, None] - centres[None]) ** 2.0, axis=-1)
        owner = tf.argmin(distances, axis=1)
        sums = tf.math.unsorted_segment_mean(points, owner, 2)
        moved = tf.reduce_max(tf.abs(sums - centres))
        centres.assign(sums)
        return owner, moved

    results = [step(), step()]
    return results, centres


@program
def power_iteration():
    """The largest eigenvalue of a matrix, by a vector variable."""
    matrix = tf.constant([[2.0, 1.0], [1.0, 3.0]])
    vector = tf.Variable([1.0, 0.0])

    @tf.function
    def iterate(n):
        for _ in tf.range(n):
            product = tf.linalg.matvec(matrix, vector)
            vector.assign(product / tf.norm(product))
        return tf.tensordot(vector, tf.linalg.matvec(matrix, vector), 1)

    values = [iterate(tf.constant(n)) for n in (0, 1, 20)]
    return values, tf.norm(vector)


@program
def game_of_life():
    """Generations of Conway's game in an int variable."""
    board = tf.Variable([[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])

    @tf.function
    def generation():
        cells = board.read_value()
        shifts = [tf.roll(cells, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        around = tf.add_n(shifts)
        alive = (around == 3) | ((around == 2) & (cells == 1))
        board.assign(tf.cast(alive, tf.int32))
        return tf.reduce_sum(board)

    counts = [generation(), generation()]
    return counts, board


@program
def prime_sieve():
    """Multiples are struck out by slice assignment in nested loops."""
    marks = tf.Variable(tf.ones([20], tf.int32))

    @tf.function
    def sieve(n):
        marks[:2].assign([0, 0])
        for i in tf.range(2, n):
            if marks[i] == 1:
                j = i * i
                while j < n:
                    marks[j].assign(0)
                    j += i
        return tf.where(marks > 0)[:, 0]

    primes = sieve(tf.constant(20))
    return primes, tf.reduce_sum(marks)


@program
def a_linear_congruential_generator():
    """A random number generator by an int64 variable, with its remainder."""
    seed = tf.Variable(42, dtype=tf.int64)

    @tf.function
    def draw(n):
        numbers = tf.TensorArray(tf.int64, size=n)
        for i in tf.range(n):
            seed.assign((seed * 1103515245 + 12345) % 2**31)
            numbers = numbers.write(i, seed % 100)
        return numbers.stack()

    first = draw(tf.constant(3))
    seed.assign(42)
    return first, draw(tf.constant(4)), seed


@program
def bank_accounts():
    """Transfers between slots of a variable, refused when there is not enough."""
    accounts = tf.Variable([100, 50, 0])
    refused = tf.Variable(0)

    @tf.function
    def transfer(source, target, amount):
        if accounts[source] >= amount:
            accounts.scatter_nd_sub([[source]], [amount])
            accounts.scatter_nd_add([[target]], [amount])
            return tf.constant(True)
        refused.assign_add(1)
        return tf.constant(False)

    moves = [(0, 2, 70), (0, 1, 40), (1, 0, 50), (2, 1, 71)]
    results = [transfer(*map(tf.constant, move)) for move in moves]
    return results, accounts, refused, tf.reduce_sum(accounts)


@program
def running_statistics():
    """Welford's mean and variance, with count, minimum and maximum in one module."""

    class Statistics(tf.Module):
        def __init__(self):
            super().__init__()
            self.count = tf.Variable(0.0)
            self.mean, self.m2 = tf.Variable(0.0), tf.Variable(0.0)
            self.low, self.high = tf.Variable(1e30), tf.Variable(-1e30)

        @tf.function
        def add(self, xs):
            for x in xs:
                self.count.assign_add(1.0)
                delta = x - self.mean
                self.mean.assign_add(delta / self.count)
                self.m2.assign_add(delta * (x - self.mean))
            self.low.assign(tf.minimum(self.low, tf.reduce_min(xs)))
            self.high.assign(tf.maximum(self.high, tf.reduce_max(xs)))
            return self.mean.read_value(), self.m2 / self.count

    statistics = Statistics()
    results = [statistics.add(tf.constant([1.0, 2.0, 6.0])), statistics.add(tf.constant([3.0]))]
    return results, statistics.low, statistics.high


@program
def hidden_markov_filter():
    """Beliefs as a variable, updated by observations in a loop."""
    belief = tf.Variable([0.5, 0.5])
    transition, emission = tf.constant([[0.9, 0.1], [0.2, 0.8]]), tf.constant([[0.7, 0.3], [0.1, 0.9]])

    @tf.function
    def observe(symbols):
        likelihood = tf.constant(1.0)
        for s in symbols:
            predicted = tf.linalg.matvec(transition, belief, transpose_a=True)
            joint = predicted * tf.gather(emission, s, axis=1)
            likelihood *= tf.reduce_sum(joint)
            belief.assign(joint / tf.reduce_sum(joint))
        return likelihood

    results = [observe(tf.constant([0, 0])), observe(tf.constant([1]))]
    return results, belief


@program
def q_learning_table():
    """A table of values is updated at one cell per step, with the maximum of another row."""
    table = tf.Variable(tf.zeros([3, 2]))

    @tf.function
    def update(state, action, reward, following):
        target = reward + 0.9 * tf.reduce_max(table[following])
        error = target - table[state, action]
        table[state, action].assign(table[state, action] + 0.5 * error)
        return error

    steps = [(0, 1, 1.0, 1), (1, 0, 0.0, 2), (2, 1, 5.0, 0), (1, 0, 0.0, 2)]
    errors = [update(tf.constant(s), tf.constant(a), tf.constant(r), tf.constant(n)) for s, a, r, n in steps]
    return errors, table


@program
def soft_updates_of_a_target_network():
    """A target copy follows the weights slowly; a hard update copies them."""
    online = [tf.Variable([1.0, 2.0]), tf.Variable(3.0)]
    target = [tf.Variable(v) for v in online]

    @tf.function
    def follow(tau):
        for t, o in zip(target, online):
            t.assign(tau * o + (1.0 - tau) * t)
        return tf.add_n([tf.reduce_sum(tf.abs(t - o)) for t, o in zip(target, online)])

    for v in online:
        v.assign_add(tf.ones_like(v))
    gaps = [follow(tf.constant(0.1)), follow(tf.constant(1.0))]
    return gaps, target


@program(eager=False)
def lazily_built_layers():
    """A layer makes its weights at its first call, from the shape of its input."""

    class Lazy(tf.Module):
        def __init__(self, units):
            super().__init__()
            self.units, self.w = units, None

        @tf.function
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones([x.shape[-1], self.units]) * 0.5, name="w")
            return x @ self.w

    layer, other = Lazy(2), Lazy(1)
    results = [layer(tf.ones([1, 3])), layer(tf.ones([2, 3])), other(tf.ones([1, 4]))]
    return results, layer.w.shape, other.w.shape, raised(layer, tf.ones([1, 5]))


@program
def frozen_and_trainable_parts():
    """Gradients are taken for the trainable part only, the other stays as it was."""
    layers = collections.OrderedDict(
        body=tf.Variable([1.0, 1.0], trainable=False), head=tf.Variable([2.0, -2.0]), scale=tf.Variable(0.5)
    )

    @tf.function
    def step():
        trainable = [v for v in layers.values() if v.trainable]
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((layers["body"] * layers["head"] * layers["scale"] - 1.0) ** 2.0)
        for v, g in zip(trainable, tape.gradient(loss, trainable)):
            v.assign_sub(0.1 * g)
        return loss

    losses = [step(), step()]
    return losses, dict(layers)


@program
def integrating_an_ode():
    """A leapfrog integrator with position and velocity as variables."""
    position, velocity = tf.Variable(1.0, dtype=tf.float64), tf.Variable(0.0, dtype=tf.float64)

    @tf.function
    def run(steps, dt):
        half = dt / 2
        for _ in tf.range(steps):
            velocity.assign_sub(half * position)
            position.assign_add(dt * velocity)
            velocity.assign_sub(half * position)
        return 0.5 * (position**2 + velocity**2)

    energies = [run(tf.constant(n), tf.constant(0.1, tf.float64)) for n in (1, 10)]
    return energies, position, velocity


@program
def a_priority_queue():
    """The smallest entry is taken out of a padded variable, new ones are put in."""
    items = tf.Variable(tf.fill([4], 999))

    @tf.function
    def push(x):
        place = tf.argmax(items, output_type=tf.int32)
        items[place].assign(x)
        return place

    @tf.function
    def pop():
        place = tf.argmin(items, output_type=tf.int32)
        smallest = items[place]
        items[place].assign(999)
        return smallest

    places = [push(tf.constant(x)) for x in (5, 3, 8)]
    taken = [pop(), pop()]
    return places, taken, items


@program
def dropout_with_a_generator():
    """A mask drawn from a generator with state, the same after it is set back."""
    generator = tf.random.Generator.from_seed(3)

    @tf.function
    def dropped(x, rate):
        mask = generator.uniform(tf.shape(x)) >= rate
        return tf.where(mask, x / (1.0 - rate), 0.0)

    state = tf.identity(generator.state)
    first = dropped(tf.ones([6]), tf.constant(0.5))
    second = dropped(tf.ones([6]), tf.constant(0.5))
    generator.reset(state)
    return first, second, dropped(tf.ones([6]), tf.constant(0.5))


@program
def learning_rate_schedules():
    """The step counter, a variable, decides the rate by piecewise and exponential rules."""
    step = tf.Variable(0)

    @tf.function
    def rate():
        n = tf.cast(step.assign_add(1), tf.float32)
        if n <= 2.0:
            warm = n / 2.0
        else:
            warm = tf.pow(0.5, (n - 2.0) / 2.0)
        return warm, tf.maximum(warm, 0.3)

    rates = [rate() for _ in range(5)]
    return rates, step
