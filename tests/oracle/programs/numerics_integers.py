"""Integers and what they become: overflow, division, shifts, casts, unsigned numbers, mixed dtypes."""

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def fibonacci_until_it_overflows():
    """The first negative number of the sequence, in each signed width."""

    @tf.function
    def first_negative(dtype_of):
        a, b = tf.zeros_like(dtype_of), tf.ones_like(dtype_of)
        n = tf.constant(0)
        while b >= 0:
            a, b = b, a + b
            n += 1
        return n, b

    return [first_negative(tf.constant(0, d)) for d in (tf.int8, tf.int16, tf.int32, tf.int64)]


@program
def abs_and_neg_of_the_smallest():
    """The smallest integer has no opposite: abs and negation give it back."""

    @tf.function
    def f(x):
        a = tf.abs(x)
        n = -x
        s = tf.sign(x)
        return a, n, s, x * x, x - 1

    return [f(tf.constant([np.iinfo(d).min, np.iinfo(d).max], d)) for d in (np.int8, np.int16, np.int32, np.int64)]


@program
def unsigned_below_zero():
    """Unsigned subtraction wraps to large numbers, and a comparison with zero is never true."""

    @tf.function
    def count_down(x, by):
        y = x - by
        below = y < 0 if x.dtype.is_floating else y < tf.zeros_like(y)
        half = y // tf.constant(2, x.dtype)
        return y, below, tf.maximum(y, x), half

    return [
        count_down(tf.constant([1, 0, 5], d), tf.constant(3, d)) for d in (tf.uint8, tf.uint16, tf.uint32, tf.uint64)
    ]


@program
def division_in_every_way():
    """/ gives floats for integers, // and truncatediv differ for negative numbers, divide_no_nan takes floats."""

    @tf.function
    def f(a, b):
        true = a / b
        floor = a // b
        trunc = tf.truncatediv(a, b)
        return true, floor, trunc, a - trunc * b

    a, b = [7, -7, 7, -7], [2, 2, -2, -2]
    return [f(tf.constant(a, d), tf.constant(b, d)) for d in (tf.int8, tf.int32, tf.int64)]


@program
def true_division_chooses_its_float():
    """int8 and int16 become float32, int32 and int64 float64; floats stay."""

    @tf.function
    def half(x):
        y = x / tf.constant(2, x.dtype)
        z = tf.divide(x, 2)
        exact = tf.cast(x, y.dtype) * 0.5 == y
        return y, z, exact

    return [half(tf.constant(3, d)) for d in (tf.int8, tf.uint8, tf.int16, tf.uint16, tf.int32, tf.int64, tf.float16)]


@program
def smallest_divided_by_minus_one():
    """A quotient that does not fit."""

    @tf.function
    def f(x):
        q = x // tf.constant(-1, x.dtype)
        r = x % tf.constant(-1, x.dtype)
        opposite = q == -x
        return q + 0, r, opposite

    return [f(tf.constant(v, d)) for v, d in ((-127, tf.int8), (-(2**31) + 1, tf.int32), (5, tf.int64))]


@program
def shifts_of_signed_numbers():
    """Right shifts keep the sign, left shifts push bits out; in a loop over the amounts."""

    @tf.function
    def f(x):
        lefts = tf.TensorArray(x.dtype, size=5)
        rights = tf.TensorArray(x.dtype, size=5)
        for i in tf.range(5):
            amount = tf.cast(i, x.dtype)
            lefts = lefts.write(i, tf.bitwise.left_shift(x, amount))
            rights = rights.write(i, tf.bitwise.right_shift(x, amount))
        return lefts.stack(), rights.stack()

    return [f(tf.constant(v, d)) for v, d in ((-100, tf.int8), (77, tf.uint8), (-(2**30), tf.int32), (2**62, tf.int64))]


@program
def parity_by_masks():
    """Counting bits by and, xor and shifts until nothing is left, against population_count."""

    @tf.function
    def bits(x):
        count = tf.zeros_like(x)
        rest = x
        while tf.reduce_any(rest != 0):
            count += tf.bitwise.bitwise_and(rest, 1)
            rest = tf.bitwise.right_shift(rest, 1)
        return count, tf.bitwise.bitwise_xor(x, count), tf.bitwise.bitwise_or(x, 1)

    return bits(tf.constant([0, 1, 255, 2**30 + 5])), bits(tf.constant([[3, 12]], tf.int64))


@program
def power_by_squaring_modulo():
    """Modular power by squaring, in int64, with branches on bits."""

    @tf.function
    def power(base, exponent, modulus):
        result = tf.ones_like(base)
        base = base % modulus
        while exponent > 0:
            if exponent % 2 == 1:
                result = result * base % modulus
            exponent = exponent // 2
            base = base * base % modulus
        return result

    cases = [(2, 10, 1000), (7, 222, 13), (3, 10**9, 10**9 + 7), (5, 0, 3)]
    return [power(*(tf.constant(v, tf.int64) for v in case)) for case in cases]


@program
def casts_that_wrap():
    """Casts from a wide integer to a narrow one keep the low bits."""

    @tf.function
    def f(x):
        narrow = [tf.cast(x, d) for d in (tf.int8, tf.uint8, tf.int16, tf.uint16, tf.int32)]
        back = [tf.cast(n, tf.int64) for n in narrow]
        kept = [tf.reduce_sum(tf.cast(b == x, tf.int32)) for b in back]
        return narrow, back, kept

    return f(tf.constant([0, 127, 128, 255, 256, -1, 65535, 2**31, -(2**40) + 3], tf.int64))


@program
def saturated_casts():
    """saturate_cast clips where cast wraps, for floats and integers."""

    @tf.function
    def f(x):
        a = tf.saturate_cast(x, tf.uint8)
        b = tf.saturate_cast(x, tf.int16)
        c = tf.cast(tf.clip_by_value(x, tf.constant(0, x.dtype), tf.constant(100, x.dtype)), tf.uint8)
        return a, b, c

    return (
        f(tf.constant([-5.5, 300.7, 1e9, 42.9])),
        f(tf.constant([-5, 300, 70000, 42])),
        f(tf.constant([3, -3], tf.int64)),
    )


@program(eager=False)
def bool_arithmetic():
    """Truth values are no numbers: + fails, a cast makes them countable, logical ops work."""

    @tf.function
    def f(x):
        positive = x > 0
        count = tf.reduce_sum(tf.cast(positive, tf.int32))
        odd = tf.math.logical_xor(positive, x % 2 == 1)
        return count, odd, ~positive, positive & odd, positive | odd, positive ^ odd, tf.math.count_nonzero(positive)

    def add():
        return tf.constant(True) + tf.constant(False)

    return f(tf.constant([1, -2, 3, 0])), raised(add), raised(tf.function(add))


@program
def mixed_dtypes_are_refused():
    """int32 with float32, float32 with float64, int32 with int64: each is an error, of another class in a graph."""

    @tf.function
    def add(a, b):
        c = a + b
        return c

    pairs = [(tf.int32, tf.float32), (tf.float32, tf.float64), (tf.int32, tf.int64), (tf.uint8, tf.int8)]
    graph = [raised(add.get_concrete_function, tf.TensorSpec([], a), tf.TensorSpec([], b)) for a, b in pairs]
    eager = [raised(tf.add, tf.constant(1, a), tf.constant(1, b)) for a, b in pairs]
    return graph, eager


@program(advice=("value.literal_mix",))
def python_numbers_beside_tensors():
    """A Python float beside an int tensor is an error, a Python int beside a float tensor is not."""

    @tf.function
    def f(x):
        a = x + 1
        b = 2 * x
        c = x - True
        return a, b, c

    def half(x):
        return x * 0.5

    return (
        f(tf.constant(1.5)),
        raised(half, tf.constant(1)),
        raised(tf.function(half), tf.constant(1)),
        raised(tf.add, tf.constant(1, tf.uint8), 300),
        raised(tf.add, tf.constant(1, tf.uint8), -1),
    )


@program
def numpy_numbers_beside_tensors():
    """NumPy scalars and arrays have a dtype of their own, which must be the tensor's or be convertible."""

    @tf.function
    def f(x):
        y = x * np.float32(2.0)
        z = y + np.array([1.0, 2.0], np.float32)
        return z

    x = tf.constant([1.0, 2.0])
    return (
        f(x),
        raised(lambda: tf.constant(1) + np.float64(0.5)),
        raised(lambda: x + np.array([1.0, 2.0])),
        raised(lambda: tf.constant([1, 2]) + np.array([1, 2])),
        x + np.array([1, 2], np.float32),
    )


@program
def large_python_integers():
    """A Python number beyond int32 needs a dtype; beyond int64 there is none."""

    @tf.function
    def f(x):
        big = tf.constant(2**40, tf.int64)
        y = x + big
        top = tf.constant(2**63 + 1, tf.uint64)
        return y, y - 2**40 == x, top

    return (
        f(tf.constant(5, tf.int64)),
        raised(tf.constant, 2**64),
        raised(tf.constant, -1, tf.uint8),
        raised(tf.constant, 256, tf.uint8),
    )


@program
def ranges_of_integers():
    """range with negative steps, of nothing, and with dtypes mixed by Python numbers."""

    @tf.function
    def f(a, b, s):
        x = tf.range(a, b, s)
        y = tf.reduce_sum(x)
        return x, y, tf.size(x)

    cases = [(0, 5, 2), (5, 0, -2), (3, 3, 1), (-3, 4, 3)]
    traced = [f(*(tf.constant(v) for v in case)) for case in cases]
    return (
        traced,
        tf.range(3, dtype=tf.int64),
        tf.range(0.0, 1.0, 0.25),
        tf.range(10, delta=4),
        raised(tf.range, 0, 5, 0),
        raised(tf.range, 5, 1, 1),
    )


@program
def sums_of_small_integers():
    """Reductions keep the dtype, so an int8 sum wraps; a cast before it does not."""

    @tf.function
    def f(x):
        total = tf.reduce_sum(x)
        wide = tf.reduce_sum(tf.cast(x, tf.int32))
        fits = tf.cast(total, tf.int32) == wide
        return total, wide, fits, tf.reduce_prod(x), tf.reduce_max(x), tf.cumsum(x)

    return (
        f(tf.constant([100, 27, 2], tf.int8)),
        f(tf.constant([200, 100], tf.uint8)),
        f(tf.constant([2**14] * 3, tf.int16)),
    )


@program
def mean_of_integers():
    """reduce_mean of integers divides as integers do."""

    @tf.function
    def f(x):
        m = tf.reduce_mean(x)
        rows = tf.reduce_mean(x, axis=1)
        exact = tf.reduce_mean(tf.cast(x, tf.float64))
        return m, rows, exact

    return f(tf.constant([[1, 2], [3, 5]])), f(tf.constant([[-1, -2], [-3, -5]])), f(tf.constant([[7, 8]], tf.int64))


@program
def greatest_common_divisors():
    """Euclid's algorithm on whole tensors, masked until every pair is done."""

    @tf.function
    def gcd(a, b):
        while tf.reduce_any(b != 0):
            safe = tf.where(b == 0, 1, b)
            a, b = tf.where(b == 0, a, b), tf.where(b == 0, 0, a % safe)
        return a

    return gcd(tf.constant([12, 18, 7]), tf.constant([18, 12, 0])), gcd(tf.constant([-12]), tf.constant([8]))


@program
def sieve_of_primes():
    """A sieve by scatter in a loop with a tensor bound."""

    @tf.function
    def sieve(n):
        flags = tf.ones([n], tf.int32)
        i = tf.constant(2)
        while i * i < n:
            if flags[i] == 1:
                multiples = tf.range(i * i, n, i)
                flags = tf.tensor_scatter_nd_update(flags, multiples[:, None], tf.zeros_like(multiples))
            i += 1
        return tf.where(flags == 1)[2:, 0]

    return sieve(tf.constant(30)), sieve(tf.constant(4))


@program
def digits_and_bases():
    """The digits of a number in a base, collected by a TensorArray that grows, and the number made of them again."""

    @tf.function
    def digits(n, base):
        ta = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        i = tf.constant(0)
        while n > 0:
            ta = ta.write(i, n % base)
            n = n // base
            i += 1
        found = ta.stack()
        return found[::-1], tf.reduce_sum(found * base ** tf.range(i))

    return digits(tf.constant(2024), tf.constant(10)), digits(tf.constant(255), tf.constant(2))


@program
def integer_roots_by_bisection():
    """The whole square root of int64 numbers by bisection, with no float on the way."""

    @tf.function
    def root(n):
        low, high = tf.zeros_like(n), n + 1
        while high - low > 1:
            middle = (low + high) // 2
            if middle * middle <= n:
                low = middle
            else:
                high = middle
        return low

    return [root(tf.constant(n, tf.int64)) for n in (0, 1, 24, 25, 10**12 - 1)]


@program
def comparisons_across_the_sign():
    """Ordering, equality and their negations for signed and unsigned numbers, and the result dtype."""

    @tf.function
    def f(a, b):
        above = a > b
        return above, a < b, a <= b, a == b, a != b, a > b, tf.math.not_equal(a, b), tf.reduce_any(a >= b)

    x = f(tf.constant([-1, 0, 1]), tf.constant([0, 0, 0]))
    y = f(tf.constant([255, 0, 1], tf.uint8), tf.constant([0, 0, 1], tf.uint8))
    return (
        x,
        y,
        tf.constant([1, 2]) == tf.constant([1, 2, 3]),
        raised(lambda: tf.constant([1, 2]) < tf.constant([1, 2, 3])),
    )


@program
def equality_of_other_dtypes():
    """== of tensors whose dtypes differ is an error, == with None or text is False."""

    @tf.function
    def f(x):
        same = x == 2
        different = x != 2
        return same, different

    x = tf.constant([1, 2])
    return f(x), raised(lambda: x == tf.constant([1.0, 2.0])), raised(lambda: x == "a"), x != None  # noqa: E711


@program
def bitcasts():
    """The same bytes with another dtype: narrower ones add an axis, wider ones take one away."""

    @tf.function
    def f(x):
        bytes_ = tf.bitcast(x, tf.uint8)
        again = tf.bitcast(bytes_, x.dtype)
        same = tf.reduce_all(again == x)
        return bytes_, again, same

    return (
        f(tf.constant([1.0, -2.5])),
        f(tf.constant([258, -1], tf.int16)),
        tf.bitcast(tf.constant([1, 1], tf.int32), tf.int64),
    )


@program
def histogram_and_bins():
    """bincount, histogram_fixed_width and searchsorted agree about how often a value comes."""

    @tf.function
    def f(x):
        counts = tf.math.bincount(x, minlength=5)
        fixed = tf.histogram_fixed_width(tf.cast(x, tf.float32), [0.0, 5.0], nbins=5)
        ordered = tf.sort(x)
        starts = tf.searchsorted(ordered, tf.range(6))
        return counts, fixed, starts[1:] - starts[:-1]

    return f(tf.constant([0, 3, 3, 1, 4, 3])), f(tf.constant([2])), tf.math.bincount([1, 1, 2], weights=[0.5, 1.0, 2.0])


@program
def quantised_levels():
    """Floats to eight levels and back, with round half to even on the way."""

    @tf.function
    def quantise(x, levels):
        step = 1.0 / tf.cast(levels - 1, tf.float32)
        codes = tf.cast(tf.round(tf.clip_by_value(x, 0.0, 1.0) / step), tf.uint8)
        back = tf.cast(codes, tf.float32) * step
        return codes, back, tf.reduce_max(tf.abs(back - x))

    return quantise(tf.constant([0.0, 0.5, 0.49, 0.99, 1.5]), tf.constant(8)), quantise(
        tf.constant([0.25]), tf.constant(3)
    )


@program
def linear_congruential_numbers():
    """A generator that lives from wrapping uint32 products."""

    @tf.function
    def numbers(seed, n):
        state = seed
        out = tf.TensorArray(tf.uint32, size=n)
        for i in tf.range(n):
            state = state * tf.constant(1664525, tf.uint32) + tf.constant(1013904223, tf.uint32)
            out = out.write(i, state)
        return out.stack(), tf.cast(state, tf.float64) / 2.0**32

    return numbers(tf.constant(42, tf.uint32), tf.constant(4)), numbers(tf.constant(0, tf.uint32), tf.constant(1))


@program
def hash_by_a_loop_over_bytes():
    """FNV-1a of a text: decode, xor and multiply in uint64."""

    @tf.function
    def fnv(text):
        h = tf.constant(14695981039346656037, tf.uint64)
        for byte in tf.io.decode_raw(text, tf.uint8):
            h = tf.bitwise.bitwise_xor(h, tf.cast(byte, tf.uint64))
            h = h * tf.constant(1099511628211, tf.uint64)
        return h

    return fnv(tf.constant("")), fnv(tf.constant("a")), fnv(tf.constant("foobar"))
