"""Strings, and random numbers that a seed decides: stateless ones, and those of tf.random.set_seed."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def words_of_a_sentence():
    """Split, change the case, measure and join again."""

    @tf.function
    def f(sentence):
        words = tf.strings.split(sentence)
        upper = tf.strings.upper(words)
        lengths = tf.strings.length(words)
        joined = tf.strings.reduce_join(upper, separator="-")
        longest = tf.gather(words, tf.argmax(lengths))
        return words, lengths, joined, longest

    return f(tf.constant("the quick  brown fox")), f(tf.constant("one"))


@program
def concatenation_operator():
    """+ on strings joins, == compares, also with Python strings; a loop that builds a string."""

    @tf.function
    def f(name, n):
        text = "<" + name + ">"
        line = tf.constant("")
        for i in tf.range(n):
            line = line + tf.strings.as_string(i)
            if line == "01":
                line += "!"
        return text, line, name == "ann", name != b"bob", tf.equal(name, "ann")

    return f(tf.constant("ann"), tf.constant(4)), f(tf.constant("bob"), tf.constant(0))


@program
def numbers_to_text_and_back():
    """as_string with its options, to_number with an output dtype."""

    @tf.function
    def f(x):
        plain = tf.strings.as_string(x)
        two = tf.strings.as_string(x, precision=2)
        wide = tf.strings.as_string(tf.cast(x, tf.int32), width=5, fill="0")
        scientific = tf.strings.as_string(x, scientific=True)
        return plain, two, wide, scientific, tf.strings.as_string([True, False])

    texts = f(tf.constant([1.5, -2.25, 100.0]))
    numbers = [tf.strings.to_number(["3", "-4.5", " 7"]), tf.strings.to_number("12", tf.int64)]
    return texts, numbers, raised(tf.strings.to_number, "1.5", tf.int32)


@program
def substrings_and_unicode():
    """substr by bytes and by characters, unicode_decode and unicode_split, lengths in both units."""

    @tf.function
    def f(text):
        as_bytes = tf.strings.substr(text, 1, 3)
        as_characters = tf.strings.substr(text, 1, 3, unit="UTF8_CHAR")
        characters = tf.strings.unicode_split(text, "UTF-8")
        codes = tf.strings.unicode_decode(text, "UTF-8")
        lengths = tf.strings.length(text), tf.strings.length(text, unit="UTF8_CHAR")
        return as_bytes, as_characters, characters, codes, lengths

    return f(tf.constant("naïve café")), f(tf.constant("日本語です")), raised(tf.strings.substr, "abc", 5, 1)


@program
def regular_expressions():
    """Replace and match."""

    @tf.function
    def f(texts):
        masked = tf.strings.regex_replace(texts, r"[0-9]+", "#")
        first = tf.strings.regex_replace(texts, "[aeiou]", "*", replace_global=False)
        swapped = tf.strings.regex_replace(texts, r"(\w+)@(\w+)", r"\2 at \1")
        matches = tf.strings.regex_full_match(texts, r"\w+@\w+[0-9]*")
        return masked, first, swapped, matches, tf.strings.strip(texts)

    return f(tf.constant([" room 101 ", "ann@home22", ""])), f(tf.constant("a1b22"))


@program
def formatting():
    """tf.strings.format with several tensors, join with broadcasting."""

    @tf.function
    def f(x, names):
        line = tf.strings.format("x = {}, twice {}", (x, x * 2))
        brief = tf.strings.format("[%]", tf.range(30), placeholder="%", summarize=1)
        pairs = tf.strings.join([names, tf.constant("!")])
        return line, brief, pairs, tf.strings.join([names, names[::-1]], separator="+"), tf.strings.lower(names)

    return f(tf.constant([1.5, 2.0]), tf.constant(["Ada", "BOB"])), tf.strings.format("{}", tf.constant("text"))


@program
def bytes_and_codes():
    """bytes_split, decode_raw, base64 there and back."""

    @tf.function
    def f(text):
        letters = tf.strings.bytes_split(text)
        codes = tf.io.decode_raw(text, tf.uint8)
        coded = tf.io.encode_base64(text)
        padded = tf.io.encode_base64(text, pad=True)
        return letters, codes, coded, padded, tf.io.decode_base64(coded) == text

    return f(tf.constant("hello!")), f(tf.constant(b"\x00\xff")), tf.strings.bytes_split(["ab", "c"]).to_list()


@program
def caesar_cipher():
    """Letters shifted in a traced function: decode, arithmetic, gather, join."""

    @tf.function
    def shift(text, n):
        codes = tf.cast(tf.io.decode_raw(text, tf.uint8), tf.int32)
        is_letter = tf.logical_and(codes >= 97, codes <= 122)
        shifted = tf.where(is_letter, (codes - 97 + n) % 26 + 97, codes)
        alphabet = tf.strings.unicode_encode(tf.range(128)[:, tf.newaxis], "UTF-8")
        return tf.strings.reduce_join(tf.gather(alphabet, shifted))

    secret = shift(tf.constant("attack at dawn"), tf.constant(3))
    return secret, shift(secret, tf.constant(-3)), shift(tf.constant("xyz"), tf.constant(29))


@program
def stateless_numbers():
    """The seed decides: uniform, normal, integers, and a seed made of a loop variable."""

    @tf.function
    def f(seed):
        uniform = tf.random.stateless_uniform([3], seed=[seed, 0])
        normal = tf.random.stateless_normal([2, 2], seed=[seed, 1])
        whole = tf.random.stateless_uniform([4], [seed, 2], minval=-5, maxval=5, dtype=tf.int32)
        total = tf.constant(0.0)
        for i in tf.range(3):
            total += tf.random.stateless_uniform([], [seed, i], 1.0, 2.0)
        return uniform, normal, whole, total

    a, b = f(tf.constant(7)), f(tf.constant(8))
    again = f(tf.constant(7))
    return a, b, bool(tf.reduce_all(a[0] == again[0])), bool(tf.reduce_all(a[0] == b[0]))


@program
def seeded_eagerly():
    """After tf.random.set_seed the same numbers come again, with and without a seed of the op."""
    results = []
    for _ in range(2):
        tf.random.set_seed(42)
        first = tf.random.uniform([3])
        second = tf.random.uniform([3])
        op_seed = tf.random.uniform([2], seed=5)
        normal = tf.random.normal([2], mean=10.0, stddev=2.0, seed=1)
        results.append((first, second, op_seed, normal))

    @tf.function
    def double(x):
        return x * 2.0

    return results, double(results[0][0]), bool(tf.reduce_all(results[0][1] == results[1][1]))


@program(eager=False)
def seeded_in_a_function():
    """The seed is read while tracing; each op of the function has its own numbers, and goes on by each call."""
    tf.random.set_seed(123)

    @tf.function
    def draw():
        a = tf.random.uniform([2])
        b = tf.random.uniform([2])
        c = tf.random.uniform([2], seed=9)
        return a, b, c

    @tf.function
    def draw_too():
        return tf.random.uniform([2]), tf.random.normal([2])

    results = [draw(), draw(), draw_too(), draw()]
    tf.random.set_seed(123)
    return results, draw()


@program
def random_walk():
    """A walk of stateless steps that is thrown back at a wall."""

    @tf.function
    def walk(x, steps, wall):
        turns = tf.constant(0)
        for i in tf.range(steps):
            step = tf.random.stateless_normal(tf.shape(x), [3, i])
            if tf.reduce_any(tf.abs(x + step) > wall):
                x = x * 0.5
                turns += 1
            else:
                x = x + step
        return x, turns

    return [walk(tf.zeros(2), tf.constant(n), tf.constant(1.25)) for n in (0, 4, 11)]


@program
def stateless_of_other_kinds():
    """Truncated normal, wide integers, half precision, parameters that are tensors, fold_in and split of seeds."""

    @tf.function
    def f(seed):
        truncated = tf.random.stateless_truncated_normal([4], seed)
        wide = tf.random.stateless_uniform([2], seed, minval=None, maxval=None, dtype=tf.int64)
        double = tf.random.stateless_normal([2], seed, mean=tf.constant([1.0, 100.0], tf.float64), dtype=tf.float64)
        seeds = tf.random.split(seed, num=2)
        folded = tf.random.fold_in(seed, 3)
        return truncated, wide, double, seeds, folded

    return f(tf.constant([1, 2])), f(tf.constant([-1, 2**31 - 1]))


@program
def random_generator():
    """A tf.random.Generator made from a seed goes on from call to call, eagerly and in a function."""
    generator = tf.random.Generator.from_seed(2024)

    @tf.function
    def draw(n):
        a = generator.uniform([n])
        b = generator.normal([n])
        return a, b, generator.uniform([2], minval=0, maxval=100, dtype=tf.int32)

    first = draw(2)
    second = generator.uniform([2])
    third = draw(2)
    generator.reset_from_seed(2024)
    return first, second, third, generator.uniform([2])
