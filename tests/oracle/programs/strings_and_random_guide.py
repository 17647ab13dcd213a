"""Random numbers by seeds and generators, and text."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def generators_and_their_splits():
    """A generator from a seed, its state, copies, splits and use in a traced function."""
    g = tf.random.Generator.from_seed(1234)
    copy = tf.random.Generator.from_state(g.state, alg=g.algorithm)

    @tf.function
    def draw():
        return g.normal([3]), g.uniform([2], 0, 10, tf.int32), g.uniform([2])

    first = draw()
    second = draw()
    same = copy.normal([3])
    children = g.split(2)
    return first, second, same, [c.uniform([2]) for c in children], g.state, g.algorithm


@program(eager=False)
def the_same_seed_anywhere():
    """The same seed gives the same numbers, anywhere and in any order."""

    @tf.function
    def f(seed):
        return (
            tf.random.stateless_uniform([3], seed),
            tf.random.stateless_uniform([3], seed, 0, 100, tf.int32),
            tf.random.stateless_normal([2, 2], seed, mean=1.0, stddev=2.0),
            tf.random.stateless_truncated_normal([3], seed),
            tf.random.experimental.stateless_shuffle(tf.range(6), seed),
            tf.random.experimental.stateless_split(seed, 2),
            tf.random.stateless_categorical([[0.0, 1.0, 2.0]], 5, seed),
        )

    once = f(tf.constant([1, 2]))
    again = tf.random.stateless_uniform([3], [1, 2])
    wrong = raised(f, tf.constant([1, 2, 3]))
    return once, tf.reduce_all(once[0] == again), wrong


@program
def the_global_seed_and_op_seeds():
    """set_seed starts sequences anew; an op seed of its own is independent of the order."""
    tf.random.set_seed(7)

    @tf.function
    def f():
        return tf.random.uniform([2], seed=5)

    a = f()
    b = f()
    eager = tf.random.normal([2], seed=5), tf.random.normal([2], seed=5)
    tf.random.set_seed(7)
    restarted = tf.random.normal([2], seed=5)
    shuffled = tf.random.shuffle(tf.range(8), seed=3)
    return a, b, eager, restarted, shuffled, tf.random.uniform([3], 0, 10, tf.int64, seed=1)


@program
def words_counted_and_joined():
    """Lower case, cleaned, split, joined, formatted, numbers of text and back."""

    @tf.function
    def clean(lines):
        lowered = tf.strings.regex_replace(tf.strings.lower(lines), "[^a-z ]", "")
        words = tf.strings.split(lowered).flat_values
        unique, where, count = tf.unique_with_counts(words)
        return unique, where, count, tf.strings.reduce_join(words, separator="-"), tf.strings.substr(lines, 0, 3)

    cleaned = clean(tf.constant(["The cat, the dog!", "A cat."]))
    numbers = tf.strings.to_number(["1.5", "-2"]), tf.strings.as_string([1.25, 2.0], precision=1)
    unicode = (
        tf.strings.unicode_decode("né", "UTF-8"),
        tf.strings.length("né"),
        tf.strings.length("né", unit="UTF8_CHAR"),
    )
    text = tf.strings.format("{} and {}", (tf.range(3), "x"))
    return cleaned, numbers, unicode, text, raised(tf.strings.to_number, "a"), tf.constant("a") + "b"
