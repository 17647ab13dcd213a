"""Random numbers: stateless, seeded and of generators; shuffles, samples, dropout, splits, in loops and branches."""

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def stateless_uniform_of_each_dtype():
    """The same seed for half, single and double floats and for integers."""

    @tf.function
    def f(seed):
        floats = [
            tf.random.stateless_uniform([3], seed, dtype=d) for d in (tf.float16, tf.bfloat16, tf.float32, tf.float64)
        ]
        ints = [tf.random.stateless_uniform([3], seed, 0, 1000, d) for d in (tf.int32, tf.int64)]
        return floats, ints

    a, b = f(tf.constant([3, 4])), f(tf.constant([0, 0]))
    wide = tf.random.stateless_uniform([2], [1, 2], None, None, tf.uint32)
    return a, b, wide, tf.random.stateless_uniform([2], [1, 2], None, None, tf.uint64)


@program
def stateless_ranges():
    """Limits of uniform numbers: tensors, negative ones, wrong ones, one value only."""

    @tf.function
    def f(low, high):
        x = tf.random.stateless_uniform([4], [7, 1], low, high)
        i = tf.random.stateless_uniform([4], [7, 1], tf.cast(low, tf.int32), tf.cast(high, tf.int32), tf.int32)
        inside = tf.reduce_all((x >= low) & (x < high))
        return x, i, inside

    return (
        f(tf.constant(-3.0), tf.constant(5.0)),
        f(tf.constant(10.0), tf.constant(11.0)),
        raised(tf.random.stateless_uniform, [1], [1, 2], 5, 5, tf.int32),
        raised(tf.random.stateless_uniform, [1], [1, 2], dtype=tf.int32),
        raised(tf.random.stateless_uniform, [1], [1, 2, 3]),
    )


@program
def shape_does_not_change_the_beginning():
    """Longer draws begin with the shorter ones; a matrix is the vector reshaped."""

    @tf.function
    def f(seed):
        short = tf.random.stateless_normal([3], seed)
        long = tf.random.stateless_normal([8], seed)
        matrix = tf.random.stateless_normal([2, 4], seed)
        return tf.reduce_all(long[:3] == short), tf.reduce_all(tf.reshape(matrix, [8]) == long), matrix

    return f(tf.constant([5, 6])), f(tf.constant([-5, 6], tf.int64)), tf.random.stateless_normal([0, 3], [1, 1])


@program
def normal_with_tensor_parameters():
    """Mean and deviation that broadcast with the shape."""

    @tf.function
    def f(mean, deviation):
        x = tf.random.stateless_normal([2, 3], [9, 9], mean, deviation)
        z = (x - mean) / deviation
        plain = tf.random.stateless_normal([2, 3], [9, 9])
        return x, tf.reduce_max(tf.abs(z - plain)) < 1e-4

    return f(tf.constant([0.0, 10.0, -10.0]), tf.constant(2.0)), f(tf.constant(1.0), tf.constant([[0.5], [5.0]]))


@program
def truncated_normal_stays_within():
    """No number beyond two deviations."""

    @tf.function
    def f(seed):
        x = tf.random.stateless_truncated_normal([64], seed, mean=1.0, stddev=0.5)
        far = tf.abs(x - 1.0)
        inside = tf.reduce_all(far <= 1.0)
        return inside, x[:4]

    return (
        f(tf.constant([1, 1])),
        f(tf.constant([2, 2])),
        tf.random.stateless_truncated_normal([2], [3, 3], dtype=tf.float64),
    )


@program
def other_distributions():
    """Stateless gamma, Poisson, binomial and categorical draws."""

    @tf.function
    def f(seed):
        p = tf.random.stateless_poisson([3], seed, lam=4.0, dtype=tf.int32)
        b = tf.random.stateless_binomial([3], seed, counts=10, probs=0.5)
        c = tf.random.stateless_categorical(tf.math.log([[0.5, 0.25, 0.25], [0.1, 0.1, 0.8]]), 5, seed)
        return p, b, c

    return f(tf.constant([1, 2])), f(tf.constant([40, 2]))


@program
def initializers_of_other_dtypes():
    """A seed decides an initializer's values for each shape and dtype, whatever was drawn before."""
    normal = tf.random_normal_initializer(5.0, 2.0, seed=3)

    @tf.function
    def make(n):
        return normal([n]), normal([n], tf.float64)

    tf.random.set_seed(1)
    first = make(2)
    tf.random.uniform([3])
    whole = tf.random_uniform_initializer(0, 9, seed=3)([4], tf.int32)
    return first, normal([2, 2]), whole, raised(normal, [2], tf.int32)


@program
def shuffles_by_seed():
    """Stateless shuffles are permutations; the same seed gives the same one, in a function too."""

    @tf.function
    def shuffle(x, seed):
        y = tf.random.experimental.stateless_shuffle(x, seed=seed)
        same = tf.reduce_all(tf.sort(y) == tf.sort(x))
        return y, same

    x = tf.range(8)
    a, b = shuffle(x, tf.constant([1, 2])), shuffle(x, tf.constant([1, 2]))
    return a, tf.reduce_all(a[0] == b[0]), shuffle(tf.constant([5]), tf.constant([0, 0]))


@program
def fold_in_makes_streams():
    """Streams by fold_in in a loop: one for each round, all different, the same in another order."""

    @tf.function
    def streams(seed, n):
        values = tf.TensorArray(tf.float32, size=n)
        for i in tf.range(n):
            values = values.write(i, tf.random.stateless_uniform([], tf.random.fold_in(seed, i)))
        return values.stack()

    seed = tf.constant([11, 22])
    forward = streams(seed, tf.constant(4))
    single = tf.random.stateless_uniform([], tf.random.fold_in(seed, 2))
    return forward, single == forward[2]


@program
def splitting_seeds():
    """One seed becomes several, which are split again; draws from each."""

    @tf.function
    def f(seed):
        first, second = tf.unstack(tf.random.split(seed, 2))
        deeper = tf.random.split(second, 3)
        draws = [tf.random.stateless_uniform([2], s) for s in tf.unstack(deeper)]
        return first, deeper, draws

    return f(tf.constant([1, 2])), f(tf.constant([2**31 - 1, -1])), tf.random.split([1, 2], 1)


@program
def algorithms_by_name():
    """Philox and ThreeFry give different numbers; the automatic choice is Philox on a CPU."""

    @tf.function
    def f(seed):
        philox = tf.random.stateless_uniform([2], seed, alg="philox")
        auto = tf.random.stateless_uniform([2], seed, alg="auto_select")
        same = tf.reduce_all(philox == auto)
        return philox, same

    return f(tf.constant([1, 2])), raised(tf.random.stateless_uniform, [1], [1, 2], alg="dice")


@program
def create_rng_state_and_generators():
    """A generator from a state, its key and algorithm, and draws that move the counter."""
    state = tf.random.create_rng_state(7, "philox")
    generator = tf.random.Generator.from_state(state, "philox")

    @tf.function
    def draw():
        x = generator.uniform([3])
        return x, generator.state.read_value()

    first, second = draw(), draw()
    return state, first, second, generator.algorithm, generator.key


@program
def generator_draws_of_each_kind():
    """uniform, normal, truncated, integers and binomial numbers of one generator in a row."""
    generator = tf.random.Generator.from_seed(5)

    @tf.function
    def draw():
        a = generator.uniform([2], -1.0, 1.0)
        b = generator.normal([2], 5.0, 0.1)
        c = generator.truncated_normal([2])
        d = generator.uniform([2], 0, 10, tf.int64)
        return a, b, c, d

    first = draw()
    return first, draw(), generator.uniform_full_int([2], tf.uint32), generator.normal([1], dtype=tf.float64)


@program
def generator_split_and_skip():
    """split gives generators of their own; skip moves the counter."""
    generator = tf.random.Generator.from_seed(1)

    @tf.function
    def three(g):
        return g.normal([3])

    first, second = generator.split(2)
    numbers = three(first), three(second)
    fresh = tf.random.Generator.from_seed(1)
    fresh.skip(256)
    return numbers, generator.normal([2]), fresh.uniform([2]), fresh.state


@program
def generator_in_a_loop():
    """A graph loop draws from a generator in each round; the next call goes on."""
    generator = tf.random.Generator.from_seed(99)

    @tf.function
    def total(n):
        result = tf.constant(0.0)
        for _ in tf.range(n):
            result += generator.uniform([])
        return result

    values = total(tf.constant(3)), total(tf.constant(0)), total(tf.constant(2))
    generator.reset_from_seed(99)
    by_hand = tf.add_n([generator.uniform([]) for _ in range(3)])
    return values, by_hand


@program
def generator_in_a_branch():
    """Only the branch that runs draws."""
    generator = tf.random.Generator.from_seed(3)

    @tf.function
    def maybe(p):
        if p:
            x = generator.uniform([2])
        else:
            x = tf.zeros([2])
        return x

    results = [maybe(tf.constant(p)) for p in (True, False, True)]
    return results, generator.uniform([1])


@program
def reset_of_generators():
    """reset from a seed, from a key and counter, from a state."""
    generator = tf.random.Generator.from_seed(8)

    @tf.function
    def draw():
        return generator.uniform([2])

    first = draw()
    kept = tf.identity(generator.state)
    second = draw()
    generator.reset(kept)
    again = draw()
    generator.reset_from_key_counter(key=5, counter=[1, 2])
    return first, second, tf.reduce_all(second == again), draw()


@program
def generators_made_alike():
    """Two generators from one seed walk together; the global generator is set by one's own."""
    a, b = tf.random.Generator.from_seed(6), tf.random.Generator.from_seed(6)
    tf.random.set_global_generator(tf.random.Generator.from_seed(77))

    @tf.function
    def both():
        x, y = a.normal([2]), b.normal([2])
        return x, tf.reduce_all(x == y)

    first = both()
    b.uniform([1])
    return first, both()[1], tf.random.get_global_generator().uniform([2])


@program(eager=False)
def global_seed_and_op_seed():
    """The global seed, the op's seed, both or neither decide; set_seed begins anew."""

    def draw(op_seed):
        return tf.random.uniform([2], seed=op_seed)

    @tf.function
    def traced():
        return tf.random.uniform([2], seed=3)

    results = []
    for seed in (1, 2, 1):
        tf.random.set_seed(seed)
        results.append((draw(None), draw(3), draw(3), draw(None)))
    tf.random.set_seed(1)
    return results, traced(), traced()


@program
def stateful_ops_after_set_seed():
    """normal, truncated normal, integers and gamma with the global seed alone."""

    @tf.function
    def scale(x):
        return x * 10.0

    tf.random.set_seed(2024)
    a = tf.random.normal([3])
    b = tf.random.truncated_normal([2], 1.0, 0.5)
    c = tf.random.uniform([3], 0, 100, tf.int32)
    d = tf.random.uniform([2], 0, 2**40, tf.int64)
    return scale(a), b, c, d, tf.random.normal([2], dtype=tf.float64)


@program
def seeded_shuffle():
    """tf.random.shuffle of rows with a global and an op seed."""

    @tf.function
    def order(x):
        return tf.argsort(x)

    tf.random.set_seed(10)
    a = tf.random.shuffle(tf.range(6))
    b = tf.random.shuffle(tf.reshape(tf.range(6), (3, 2)), seed=4)
    tf.random.set_seed(10)
    again = tf.random.shuffle(tf.range(6))
    return a, b, tf.reduce_all(a == again), order(a)


@program
def categorical_samples():
    """Samples of logits with a seed, and how often each comes."""

    @tf.function
    def counts(samples, classes):
        hits = tf.one_hot(samples, classes, dtype=tf.int32)
        return tf.reduce_sum(hits, axis=1)

    tf.random.set_seed(3)
    samples = tf.random.categorical(tf.math.log([[0.1, 0.9], [0.5, 0.5]]), 10, seed=1)
    sure = tf.random.categorical([[-1e9, 0.0]], 3)
    return samples, counts(samples, 2), sure


@program
def dropout_by_stateless_seed():
    """Stateless dropout keeps and scales; the rate 0 leaves all; a wrong rate is an error."""

    @tf.function
    def drop(x, rate, seed):
        y = tf.nn.experimental.stateless_dropout(x, rate, seed)
        kept = tf.reduce_sum(tf.cast(y != 0.0, tf.int32))
        return y, kept

    x = tf.ones([2, 5])
    return (
        drop(x, 0.5, tf.constant([1, 2])),
        drop(x, 0.0, tf.constant([1, 2])),
        raised(drop, x, 1.5, tf.constant([1, 2])),
    )


@program
def dropout_with_a_noise_shape():
    """Whole columns drop out together; the gradient has the same mask."""

    @tf.function
    def drop(x):
        return tf.nn.experimental.stateless_dropout(x, 0.5, [5, 6], noise_shape=[1, 4])

    x = tf.reshape(tf.range(1.0, 9.0), (2, 4))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = drop(x)
    return y, tape.gradient(y, x)


@program
def initializers_by_seed():
    """Initializers with a seed: two calls of one object, two objects of one seed."""

    @tf.function
    def spread(x):
        return tf.reduce_max(x) - tf.reduce_min(x)

    a = tf.random_uniform_initializer(-1.0, 1.0, seed=4)
    b = tf.random_uniform_initializer(-1.0, 1.0, seed=4)
    first = a([2, 2])
    return (
        first,
        tf.reduce_all(first == b([2, 2])),
        spread(first),
        tf.ones_initializer()([2]),
        tf.constant_initializer(3)([2]),
    )


@program
def monte_carlo_pi():
    """Points in a square by stateless draws in a loop; how many are in the circle."""

    @tf.function
    def estimate(batches, size):
        inside = tf.constant(0)
        for i in tf.range(batches):
            points = tf.random.stateless_uniform([size, 2], [i, 7], -1.0, 1.0)
            inside += tf.reduce_sum(tf.cast(tf.norm(points, axis=1) <= 1.0, tf.int32))
        return inside, 4.0 * tf.cast(inside, tf.float64) / tf.cast(batches * size, tf.float64)

    return estimate(tf.constant(4), tf.constant(50)), estimate(tf.constant(1), tf.constant(0))


@program
def metropolis_steps():
    """A random walk with acceptance: branches on random numbers in a loop."""

    @tf.function
    def walk(start, steps):
        x, accepted = start, tf.constant(0)
        for i in tf.range(steps):
            proposal = x + tf.random.stateless_normal([], [i, 1])
            ratio = tf.exp((x * x - proposal * proposal) / 2.0)
            if tf.random.stateless_uniform([], [i, 2]) < ratio:
                x = proposal
                accepted += 1
        return x, accepted

    return walk(tf.constant(0.0), tf.constant(10)), walk(tf.constant(3.0), tf.constant(3))


@program
def sampling_without_replacement():
    """The largest of random keys choose elements, each at most once."""

    @tf.function
    def sample(x, k, seed):
        keys = tf.random.stateless_uniform(tf.shape(x), seed)
        _, index = tf.math.top_k(keys, k)
        chosen = tf.gather(x, index)
        return chosen, tf.size(tf.unique(index).y)

    return sample(tf.range(10), 4, tf.constant([1, 1])), sample(tf.constant(["a", "b"]), 2, tf.constant([2, 1]))


@program
def bernoulli_masks_and_bootstrap():
    """Masks with a probability, and means of resampled data."""

    @tf.function
    def bootstrap(x, rounds):
        means = tf.TensorArray(tf.float32, size=rounds)
        for i in tf.range(rounds):
            index = tf.random.stateless_uniform(tf.shape(x), [i, 5], 0, tf.size(x), tf.int32)
            means = means.write(i, tf.reduce_mean(tf.gather(x, index)))
        return means.stack()

    mask = tf.random.stateless_uniform([6], [1, 9]) < 0.5
    return bootstrap(tf.constant([1.0, 2.0, 4.0, 8.0]), tf.constant(3)), mask


@program
def random_numbers_have_no_gradient_but_parameters_have():
    """The reparameterised normal: gradients for mean and deviation, none for the seed."""

    @tf.function
    def sample(mean, deviation):
        noise = tf.random.stateless_normal([4], [1, 2])
        return tf.reduce_sum((mean + deviation * noise) ** 2)

    mean, deviation = tf.constant(0.5), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([mean, deviation])
        y = sample(mean, deviation)
    return y, tape.gradient(y, [mean, deviation])


@program
def random_data_augmentation():
    """A flip, a crop and a brightness by seeds made from an index, mapped over a batch."""

    @tf.function
    def augment(images, base):
        def one(args):
            image, i = args
            seed = tf.stack([base, i])
            if tf.random.stateless_uniform([], seed) < 0.5:
                image = tf.reverse(image, [1])
            shift = tf.random.stateless_uniform([], seed + 1, -0.1, 0.1)
            return image + shift

        return tf.map_fn(one, (images, tf.range(tf.shape(images)[0])), fn_output_signature=tf.float32)

    images = tf.reshape(tf.range(12.0), (3, 2, 2))
    return augment(images, tf.constant(7)), augment(images[:1], tf.constant(0))


@program(advice=("frozen.random",))
def numpy_and_python_numbers_are_traced_once():
    """Random numbers of Python and NumPy are constants of the trace."""
    source = np.random.default_rng(0)

    @tf.function
    def f(x):
        noise = source.normal()
        return x + noise

    if tf.config.functions_run_eagerly():
        f = tf.function(lambda x, noise=source.normal(): x + noise)
    a, b = f(tf.constant(0.0)), f(tf.constant(0.0))
    return tf.reduce_all(a == b), a


@program
def gamma_and_poisson_with_seeds():
    """Stateful Poisson and gamma draws have the right shapes; with rate 0 nothing happens."""

    @tf.function
    def shapes(lam):
        p = tf.random.poisson([3], lam, seed=1)
        g = tf.random.gamma([2], tf.ones_like(lam), seed=2)
        positive = tf.reduce_all(g > 0.0)
        return tf.shape(p), tf.shape(g), positive

    return shapes(tf.constant([1.0, 5.0])), tf.random.poisson([2], 0.0), shapes(tf.constant(2.0))


@program
def orthogonal_and_scaled_matrices():
    """A random matrix by a seed, its QR factor is orthogonal."""

    @tf.function
    def orthogonal(n, seed):
        m = tf.random.stateless_normal([n, n], seed, dtype=tf.float64)
        q, r = tf.linalg.qr(m)
        unit = tf.transpose(q) @ q
        error = tf.reduce_max(tf.abs(unit - tf.eye(n, dtype=tf.float64)))
        return tf.reduce_max(tf.abs(q @ r - m)) < 1e-10, error < 1e-10

    return orthogonal(3, tf.constant([1, 2])), orthogonal(1, tf.constant([3, 4]))
