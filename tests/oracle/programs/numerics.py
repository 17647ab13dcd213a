"""Numbers at their edges: overflow, division, rounding, infinities and NaN, half precision, empty tensors, mixed widths."""

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def integers_wrap_around():
    """Overflow of integers is silent, in loops too."""

    @tf.function
    def factorial(n, one):
        result = one
        i = tf.constant(1)
        while i <= n:
            result *= tf.cast(i, result.dtype)
            i += 1
        return result

    return [
        factorial(tf.constant(n), tf.constant(1, dtype))
        for n in (5, 13, 21)
        for dtype in (tf.int8, tf.int32, tf.int64, tf.uint16)
    ]


@program
def counting_past_the_end():
    """An int32 counter in a graph loop wraps as the kernel does, not as a Python number."""

    @tf.function
    def jump(start, step, n):
        x = start
        highest = start
        for _ in tf.range(n):
            x = x + step
            highest = tf.maximum(highest, x)
        return x, highest, x // 3, x % 7

    top = tf.constant(2**31 - 2)
    return jump(top, tf.constant(1), tf.constant(3)), jump(tf.constant(-(2**31) + 1), tf.constant(-5), tf.constant(2))


@program
def floor_division_and_modulo():
    """// rounds down, % has the divisor's sign; for ints and floats, scalars in loops included."""

    @tf.function
    def pairs(a, b):
        quotient = a // b
        rest = a % b
        return quotient, rest, quotient * b + rest, tf.truncatediv(a, b)

    ints = [pairs(tf.constant(a), tf.constant(b)) for a in (7, -7) for b in (2, -2)]
    floats = [pairs(tf.constant(a), tf.constant(b)) for a, b in ((7.5, 2.0), (-7.5, 2.0), (1.0, 0.1), (5.0, -0.75))]
    return ints, floats


@program
def infinities_and_nan():
    """Comparisons, extremes and sums with NaN and infinities."""

    @tf.function
    def look(x):
        nan = x != x
        parts = tf.reduce_max(x), tf.reduce_min(x), tf.reduce_sum(x), tf.argmax(x), tf.argmin(x)
        if tf.reduce_any(nan):
            clean = tf.where(nan, tf.zeros_like(x), x)
        else:
            clean = x
        return (
            nan,
            parts,
            clean,
            tf.maximum(x, 0.0),
            tf.minimum(x, 0.0),
            tf.nn.relu(x),
            tf.sign(x),
            tf.clip_by_value(x, -1.0, 1.0),
        )

    nan, inf = float("nan"), float("inf")
    return look(tf.constant([1.0, nan, -2.0])), look(tf.constant([inf, -inf, 0.0])), look(tf.constant([-0.25, 0.5]))


@program
def rounding():
    """round goes to the even neighbour; floor, ceil, rint and casts to int."""

    @tf.function
    def all_ways(x):
        rounded = tf.round(x)
        whole = tf.cast(x, tf.int32)
        return rounded, tf.math.rint(x), tf.floor(x), tf.math.ceil(x), whole, x - tf.floor(x)

    x = tf.constant([-2.5, -1.5, -0.5, -0.2, 0.5, 1.5, 2.5, 2.7])
    return all_ways(x), all_ways(tf.cast(x, tf.float64)), tf.round(tf.constant([3, -3]))


@program
def half_precision():
    """float16 and bfloat16: what is lost, sums, products, conversions to wider dtypes."""

    @tf.function
    def work(x):
        y = x * x + x / 3
        total = tf.reduce_sum(y)
        wide = tf.cast(y, tf.float32) * 2.0
        return y, total, wide, tf.cast(wide, x.dtype) == y * 2

    values = [0.1, 1.0, 300.0, 2049.0]
    return [work(tf.constant(values, dtype)) for dtype in (tf.float16, tf.bfloat16)], tf.constant(70000.0, tf.float16)


@program
def empty_tensors():
    """Reductions, products, loops and concatenations of nothing."""

    @tf.function
    def reduce(x):
        total, product = tf.reduce_sum(x), tf.reduce_prod(x)
        largest, smallest = tf.reduce_max(x, axis=0), tf.reduce_min(x, axis=0)
        mean = tf.reduce_mean(x)
        rounds = tf.constant(0)
        for _ in x:
            rounds += 1
        return (
            total,
            product,
            largest,
            smallest,
            mean,
            rounds,
            tf.concat([x, x], 0),
            tf.reduce_all(x > 0),
            tf.reduce_any(x > 0),
        )

    return reduce(tf.zeros([0])), reduce(tf.zeros([0, 2])), tf.zeros([2, 0]) @ tf.zeros([0, 3])


@program
def signed_zeros():
    """-0.0 is kept by products and roots, seen by divisions, and lost when zero is added."""

    @tf.function
    def signs(x):
        divided = 1.0 / x
        doubled = x * 2.0
        added = x + tf.abs(x)
        return divided, doubled, added, -x, tf.sqrt(x), x == 0.0, tf.math.atan2(x, -1.0)

    return signs(tf.constant([0.0, -0.0])), signs(tf.constant([-0.0], tf.float64))


@program
def casts_between_numbers():
    """Casts cut fractions, wrap integers, turn numbers into truth and back."""

    @tf.function
    def chain(x):
        whole = tf.cast(x, tf.int64)
        byte = tf.cast(whole, tf.uint8)
        signed = tf.cast(byte, tf.int8)
        truth = tf.cast(x, tf.bool)
        return (
            whole,
            byte,
            signed,
            truth,
            tf.cast(truth, tf.float16),
            tf.saturate_cast(x, tf.int8),
            tf.cast(x, tf.complex64),
        )

    return chain(tf.constant([0.0, -1.9, 2.9, 300.5, -200.0])), chain(tf.constant([255, 128, -1]))


@program
def powers():
    """Integer powers, negative exponents, roots of negatives, zero to the zero."""

    @tf.function
    def power(x, y):
        direct = x**y
        function = tf.pow(x, y)
        return direct, tf.reduce_all((direct == function) | (direct != direct)), x**2, 2**y

    floats = power(tf.constant([2.0, -8.0, 0.0, 0.0]), tf.constant([-1.0, 1.0 / 3.0, 0.0, -1.0]))
    ints = power(tf.constant([2, -3, 0]), tf.constant([10, 3, 0]))
    return floats, ints, raised(power, tf.constant([2]), tf.constant([-1]))


@program
def sums_that_cancel():
    """Order matters in floats: a compensated sum in a loop against the plain one."""

    @tf.function
    def kahan(xs):
        total = tf.constant(0.0)
        correction = tf.constant(0.0)
        plain = tf.constant(0.0)
        for x in xs:
            y = x - correction
            t = total + y
            correction = (t - total) - y
            total = t
            plain += x
        return total, plain

    xs = tf.constant(np.array([1e8, 1.0, 1.0, 1.0, -1e8, 0.25] * 3, np.float32))
    return kahan(xs), kahan(xs[::-1])


@program
def bits_and_bytes():
    """Shifts, masks and bit counts in a loop: a small generator of pseudo-random numbers."""

    @tf.function
    def xorshift(state, n):
        numbers = tf.TensorArray(tf.uint32, size=n)
        for i in tf.range(n):
            state = tf.bitwise.bitwise_xor(state, tf.bitwise.left_shift(state, tf.constant(13, tf.uint32)))
            state = tf.bitwise.bitwise_xor(state, tf.bitwise.right_shift(state, tf.constant(17, tf.uint32)))
            state = tf.bitwise.bitwise_xor(state, tf.bitwise.left_shift(state, tf.constant(5, tf.uint32)))
            numbers = numbers.write(i, state)
        return numbers.stack(), tf.bitcast(state, tf.int32), tf.bitwise.invert(state)

    return xorshift(tf.constant(2463534242, tf.uint32), tf.constant(4)), tf.bitcast(tf.constant(1.0), tf.int32)


@program
def complex_numbers():
    """Roots of unity: complex products, conjugates, absolute values, exponentials."""

    @tf.function
    def roots(n):
        angle = 2.0 * np.pi / tf.cast(n, tf.float64)
        step = tf.exp(tf.complex(tf.zeros_like(angle), angle))
        root = tf.constant(1.0, tf.complex128)
        total = tf.constant(0.0, tf.complex128)
        for _ in tf.range(n):
            total += root
            root = root * step
        return root, tf.abs(total), tf.math.real(step), tf.math.imag(step), tf.math.conj(step), tf.math.angle(step)

    return roots(tf.constant(3)), roots(tf.constant(8)), tf.constant(1 + 2j) * tf.constant(3 - 1j)
