"""Random numbers: TensorFlow's values, its seed rules, and what must hold for any generator.

The numbers were computed with TensorFlow 2.21.
"""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf
from graphlab.ops import philox

SEED = [3, -4]

STATELESS = [
    (
        lambda: tf.random.stateless_uniform([3], SEED),
        "float32",
        [0.19548892974853516, 0.72270667552948, 0.8852598667144775],
    ),
    (
        lambda: tf.random.stateless_uniform([3], SEED, -2, 6),
        "float32",
        [-0.43608856201171875, 3.78165340423584, 5.08207893371582],
    ),
    (
        lambda: tf.random.stateless_uniform([3], SEED, dtype=tf.float64),
        "float64",
        [0.5639122309586158, 0.08207911738811147, 0.7890958737475771],
    ),
    (
        lambda: tf.random.stateless_uniform([3], SEED, dtype=tf.float16),
        "float16",
        [0.4453125, 0.4130859375, 0.048828125],
    ),
    (
        lambda: tf.cast(tf.random.stateless_uniform([3], SEED, dtype=tf.bfloat16), tf.float32),
        "float32",
        [0.5625, 0.3046875, 0.390625],
    ),
    (lambda: tf.random.stateless_uniform([3], SEED, -5, 100, tf.int32), "int32", [92, 63, 41]),
    (
        lambda: tf.random.stateless_uniform([3], SEED, -5, 10**12, tf.int64),
        "int64",
        [986015895055, 802317542083, 786197871042],
    ),
    (lambda: tf.random.stateless_uniform([3], SEED, None, None, tf.int32), "int32", [915998152, -723746393, 351359026]),
    (
        lambda: tf.random.stateless_uniform([2], SEED, None, None, tf.uint64),
        "uint64",
        [15338276986092586440, 3552738802335305778],
    ),
    (
        lambda: tf.random.stateless_normal([5], SEED),
        "float32",
        [-1.780290961265564, -0.30832916498184204, -0.3106456696987152, -0.3837282061576843, 0.353144109249115],
    ),
    (
        lambda: tf.random.stateless_normal([3], SEED, mean=[1.0, 2.0, 3.0], stddev=0.5),
        "float32",
        [0.10985451936721802, 1.8458354473114014, 2.844677209854126],
    ),
    (
        lambda: tf.random.stateless_normal([3], SEED, dtype=tf.float64),
        "float64",
        [0.5278684414155569, 0.9311649829545875, -0.6852638555127535],
    ),
    (
        lambda: tf.random.stateless_truncated_normal([6], SEED),
        "float32",
        [
            -1.780290961265564,
            -0.30832916498184204,
            -0.3106456696987152,
            -0.3837282061576843,
            -0.629376232624054,
            0.25875476002693176,
        ],
    ),
    (
        lambda: tf.random.stateless_truncated_normal([3], SEED, dtype=tf.float64),
        "float64",
        [0.5278684414155569, 0.9311649829545875, 0.6150508715475489],
    ),
    (
        lambda: tf.random.stateless_categorical([[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]], 6, SEED),
        "int64",
        [[2, 0, 2, 2, 2, 2], [0, 1, 0, 0, 0, 0]],
    ),
    (
        lambda: tf.random.stateless_gamma([3, 2], SEED, [0.5, 3.0]),
        "float32",
        [
            [1.5499231815338135, 3.4154486656188965],
            [1.6865087747573853, 2.9133830070495605],
            [0.3200129270553589, 3.4406142234802246],
        ],
    ),
    (lambda: tf.random.stateless_poisson([3, 2], SEED, [2.0, 40.0]), "int32", [[0, 37], [1, 46], [1, 34]]),
    (lambda: tf.random.stateless_binomial([3, 2], SEED, [5.0, 400.0], 0.3), "int32", [[0, 106], [2, 128], [1, 111]]),
    (lambda: tf.random.split(SEED, 2), "int32", [[915998152, -723746393], [351359026, 827186462]]),
    (lambda: tf.random.fold_in(SEED, 7), "int32", [915998152, 7]),
    (lambda: tf.random.experimental.stateless_shuffle(tf.range(8), SEED), "int32", [0, 6, 1, 5, 2, 3, 7, 4]),
]

# In this order after tf.random.set_seed(11): ops without a seed of their own are counted.
STATEFUL = [
    (lambda: tf.random.uniform([2]), "float32", [0.25061702728271484, 0.8159224987030029]),
    (lambda: tf.random.uniform([2], -5, 50, tf.int64), "int64", [26, 38]),
    (lambda: tf.random.normal([2], dtype=tf.float64), "float64", [-0.05078482987551837, -0.011593339432839815]),
    (lambda: tf.random.truncated_normal([2]), "float32", [1.158005952835083, -0.2598567605018616]),
    (lambda: tf.random.shuffle(tf.range(6)), "int32", [4, 0, 5, 3, 1, 2]),
    (lambda: tf.random.categorical([[0.0, 1.0, 2.0]], 5), "int64", [[1, 2, 2, 2, 2]]),
    (
        lambda: tf.random.gamma([2], [0.5, 2.0]),
        "float32",
        [[0.6011302471160889, 4.691177845001221], [1.1256426572799683, 0.26956117153167725]],
    ),
    (lambda: tf.random.poisson([2], [1.0, 30.0]), "float32", [[1.0, 29.0], [0.0, 25.0]]),
    (lambda: tf.random.uniform([2], seed=3), "float32", [0.0113677978515625, 0.2665698528289795]),
    (lambda: tf.random.uniform([2], seed=3), "float32", [0.43787121772766113, 0.44032037258148193]),
    (lambda: tf.random.normal([2], seed=3), "float32", [2.9761111736297607, -0.3109717071056366]),
]


def check(value, dtype, expected):
    array = value.numpy()
    assert array.dtype == dtype
    if array.dtype.kind in "iu":
        assert array.tolist() == expected
    else:
        np.testing.assert_allclose(array, np.array(expected, dtype), rtol=2e-6, atol=1e-7)


@pytest.fixture(autouse=True)
def no_seed():
    yield
    tf.random.set_seed(None)


@pytest.mark.parametrize(("draw", "dtype", "expected"), STATELESS)
def test_stateless_values(draw, dtype, expected):
    check(draw(), dtype, expected)
    check(tf.function(draw, autograph=False)(), dtype, expected)


def test_stateful_values_in_eager_mode():
    tf.random.set_seed(11)
    for draw, dtype, expected in STATEFUL:
        check(draw(), dtype, expected)


def test_the_walk_of_the_tutorial():
    @tf.function
    def walk(x, steps):
        for i in tf.range(steps):
            d = tf.random.stateless_normal(tf.shape(x), [7, i])
            if tf.reduce_any(tf.abs(x + d) > 1.5):
                x = x * 0.5
            else:
                x = x + d
        return x

    np.testing.assert_allclose(walk(tf.zeros(2), tf.constant(9)).numpy(), [0.44242233, -0.05883628], rtol=1e-6)


@pytest.mark.parametrize("shape", [[], [0], [3, 0], [1], [7], [50], [2, 3]])
@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64])
def test_few_numbers_are_the_first_of_many(shape, dtype):
    count = int(np.prod(shape))
    for draw in (tf.random.stateless_uniform, tf.random.stateless_normal, tf.random.stateless_truncated_normal):
        many = draw([1000], SEED, dtype=dtype).numpy()[:count].astype(np.float64)
        few = draw(shape, SEED, dtype=dtype)
        assert few.shape == shape
        np.testing.assert_allclose(few.numpy().astype(np.float64).reshape(-1), many, rtol=1e-6)


def test_the_short_way_gives_what_the_ops_give():
    def draws():
        return [
            tf.random.stateless_uniform([5], SEED, -1, 3),
            tf.random.stateless_normal([5], [tf.constant(3), -4]),
            tf.random.stateless_truncated_normal(tf.constant([5]), tf.constant(SEED)),
        ]

    short = draws()
    with tf.GradientTape():  # something listens, so every op runs
        long = draws()
    for a, b in zip(short, long, strict=True):
        assert a.numpy().tolist() == b.numpy().tolist()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: tf.random.stateless_uniform([2], SEED, 1, None, tf.int32), ValueError),
        (lambda: tf.random.stateless_uniform([2], SEED, 0, 3, tf.uint32), ValueError),
        (lambda: tf.random.stateless_uniform([2], SEED, dtype=tf.int8), ValueError),
        (lambda: tf.random.stateless_uniform([2], SEED, 3, 3, tf.int32), tf.errors.InvalidArgumentError),
        (lambda: tf.random.stateless_uniform([2], SEED, [1, 2], 3, tf.int32), tf.errors.InvalidArgumentError),
        (lambda: tf.random.stateless_uniform([2], [1, 2, 3]), tf.errors.InvalidArgumentError),
        (lambda: tf.random.stateless_uniform([2], [1.0, 2.0]), tf.errors.InvalidArgumentError),
        (lambda: tf.random.stateless_uniform(2, SEED), tf.errors.InvalidArgumentError),
        (lambda: tf.random.stateless_uniform([-2], SEED), tf.errors.InvalidArgumentError),
        (lambda: tf.random.stateless_normal([2], SEED, alg="threefry"), tf.errors.InvalidArgumentError),
        (lambda: tf.random.stateless_normal([2], SEED, alg="other"), ValueError),
        (lambda: tf.random.stateless_binomial([3], SEED, [5.0], 0.3), tf.errors.InvalidArgumentError),
        (lambda: tf.random.uniform([2], dtype=tf.int32), ValueError),
        (lambda: tf.random.uniform([2], dtype=tf.uint32, maxval=3), ValueError),
        (lambda: tf.random.uniform([2], 5, 4, tf.int32), tf.errors.InvalidArgumentError),
        (lambda: tf.random.categorical([1.0, 2.0], 3), tf.errors.InvalidArgumentError),
    ],
)
def test_errors(call, error):
    with pytest.raises(error):
        call()


def test_functions_go_on_from_run_to_run_and_start_again_with_the_seed():
    tf.random.set_seed(11)

    @tf.function
    def f():
        return (
            tf.random.uniform([]),
            tf.random.normal([]),
            tf.random.uniform([], seed=3),
            tf.random.uniform([], 0, 1000, tf.int32),
        )

    first = [0.7765624523162842, 0.9574791789054871, 0.0113677978515625, 673]
    second = [0.9749493598937988, 0.6716499328613281, 0.20415222644805908, 939]
    np.testing.assert_allclose([float(v) for v in f()], first, rtol=1e-6)
    np.testing.assert_allclose([float(v) for v in f()], second, rtol=1e-6)
    tf.random.set_seed(12)  # the function keeps the seeds it was traced with
    np.testing.assert_allclose([float(v) for v in f()], first, rtol=1e-6)


def test_every_call_of_a_function_goes_on():
    # In TensorFlow each place that calls it, and the variant that a tape needs, begins the sequence anew.
    @tf.function
    def draw():
        return tf.random.uniform([])

    @tf.function
    def twice():
        return draw(), draw()

    tf.random.set_seed(11)
    first, second = (float(v) for v in twice())
    third = float(draw())
    with tf.GradientTape():
        fourth = float(draw())
    assert len({first, second, third, fourth}) == 4
    tf.random.set_seed(11)
    assert [float(v) for v in twice()] == [first, second]


def test_an_op_in_a_loop_goes_on():
    tf.random.set_seed(11)

    @tf.function
    def f():
        total = 0.0
        for _ in tf.range(3):
            total += tf.random.uniform([])
        return total

    np.testing.assert_allclose([float(f()), float(f())], [1.7750693559646606, 1.3070850372314453], rtol=1e-6)


def test_each_branch_counts_its_own_ops():
    tf.random.set_seed(11)

    @tf.function
    def f(c):
        return tf.cond(c, lambda: tf.random.uniform([]), lambda: tf.random.uniform([]) + 1)

    found = [float(f(tf.constant(True))), float(f(tf.constant(False)))]
    np.testing.assert_allclose(found, [0.7765624523162842, 1.7765624523162842], rtol=1e-6)


def test_without_a_global_seed():
    np.testing.assert_allclose(
        [float(tf.random.uniform([], seed=3)), float(tf.random.uniform([], seed=3))],
        [0.38692939281463623, 0.6633445024490356],
        rtol=1e-6,
    )
    assert tf.random.uniform([4]).numpy().tolist() != tf.random.uniform([4]).numpy().tolist()


def test_generator_values():
    g = tf.random.Generator.from_seed(11)
    np.testing.assert_allclose(g.normal([2]).numpy(), [0.27305737137794495, -0.2992563843727112], rtol=1e-6)
    assert g.uniform([2], 0, 9, tf.int32).numpy().tolist() == [1, 4]
    np.testing.assert_allclose(g.uniform([2]).numpy(), [0.34765398502349854, 0.939782977104187], rtol=1e-6)
    np.testing.assert_allclose(g.truncated_normal([2]).numpy(), [-1.3266117572784424, 0.8195891380310059], rtol=1e-6)
    assert g.binomial([3], 20.0, 0.5).numpy().tolist() == [10, 11, 13]
    assert g.make_seeds(1).numpy().tolist() == [[-3245623870187794458], [0]]
    np.testing.assert_allclose(g.split(1)[0].normal([1]).numpy(), [1.4171124696731567], rtol=1e-6)
    assert g.state.numpy().tolist() == [79371, 0, 0]


def test_generator_goes_on_in_functions():
    g = tf.random.Generator.from_seed(1)

    @tf.function
    def f():
        return g.normal([])

    np.testing.assert_allclose(
        [float(f()), float(f()), float(g.normal([]))], [0.43842274, 1.6272374, 1.6307176], rtol=1e-6
    )


def test_a_generator_shares_a_variable_that_is_its_state():
    v = tf.Variable([1, 2, 3], dtype=tf.int64)
    first, second = tf.random.Generator(state=v, alg=1), tf.random.Generator.from_state(v, "philox")
    assert first.uniform([4]).numpy().tolist() != second.uniform([4]).numpy().tolist()
    assert v.numpy().tolist() == [1 + 2 * 4 * 256, 2, 3]
    assert first.state is second.state is v
    copy = tf.random.Generator(copy_from=first)
    assert copy.state is not v
    assert copy.uniform([4]).numpy().tolist() == first.uniform([4]).numpy().tolist()


@pytest.mark.parametrize(
    "make",
    [
        lambda: tf.random.Generator.from_state([1, 2], "philox"),
        lambda: tf.random.Generator.from_state(tf.Variable([1, 2], dtype=tf.int64), "philox"),
        lambda: tf.random.Generator.from_seed(1, 7),
        lambda: tf.random.Generator.from_seed(1, "mersenne"),
        lambda: tf.random.Generator.from_key_counter(3, 5, "philox"),
        lambda: tf.random.Generator.from_seed(1).reset([[1, 2, 3]]),
    ],
)
def test_states_and_algorithms_that_there_are_not(make):
    with pytest.raises(ValueError, match=r"state|algorithm|counter"):
        make()


@pytest.mark.parametrize(
    ("make", "state"),
    [
        (lambda: tf.random.Generator.from_seed(2**40), [2**40, 0, 0]),
        (lambda: tf.random.Generator.from_seed(-1), [-1, -1, -1]),
        (lambda: tf.random.Generator.from_key_counter(4, [1, 2], "philox"), [1, 2, 4]),
        (lambda: tf.random.Generator.from_state([7, 8, 9], "philox"), [7, 8, 9]),
        (lambda: tf.random.Generator(tf.random.Generator.from_seed(5)), [5, 0, 0]),
    ],
)
def test_generator_state(make, state):
    g = make()
    assert g.state.numpy().tolist() == state
    g.reset_from_seed(3)
    assert g.state.numpy().tolist() == [3, 0, 0]
    g.skip(2)
    assert g.state.numpy().tolist() == [3 + 512, 0, 0]


def test_philox_of_the_paper():
    # Known answers of the authors' Random123 library.
    ones = (1 << 64) - 1
    assert philox.block(0, 0) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    assert philox.block(ones, ones | ones << 64) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)


@pytest.mark.parametrize("start", [0, 2**32 - 3, 2**64 - 3, 2**128 - 3])
def test_counters_carry(start):
    many = philox.words(5, start, 40)
    few = [philox.block(5, (start + i) % 2**128) for i in range(40)]
    assert many.tolist() == [list(row) for row in few]


def test_distributions_have_their_moments():
    x = tf.random.stateless_normal([200_000], [1, 1]).numpy()
    assert abs(x.mean()) < 0.01
    assert abs(x.std() - 1) < 0.01
    t = tf.random.stateless_truncated_normal([50_000], [1, 1]).numpy()
    assert np.abs(t).max() < 2
    g = tf.random.stateless_gamma([4000], [1, 1], 3.0).numpy()
    assert abs(g.mean() - 3) < 0.15
