"""Floats at their edges: widths, infinities, NaN, stable formulas, reductions, checks, matrices."""

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf

NAN, INF = float("nan"), float("inf")


@program
def softmax_of_large_numbers():
    """A naive softmax overflows, tf.nn.softmax and log_softmax do not."""

    @tf.function
    def f(x):
        e = tf.exp(x)
        naive = e / tf.reduce_sum(e)
        stable = tf.nn.softmax(x)
        return naive, stable, tf.nn.log_softmax(x), tf.reduce_logsumexp(x)

    return f(tf.constant([1000.0, 1001.0])), f(tf.constant([-1000.0, 0.0])), f(tf.constant([-INF, 1.0]))


@program
def sigmoids_far_out():
    """sigmoid, log_sigmoid, softplus and the cross entropy of logits where exp overflows."""

    @tf.function
    def f(x):
        a = tf.nn.sigmoid(x)
        b = tf.math.log_sigmoid(x)
        c = tf.nn.softplus(x)
        d = tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones_like(x), logits=x)
        return a, b, c, d, tf.math.log(a)

    return f(tf.constant([-200.0, -1.0, 0.0, 1.0, 200.0])), f(tf.constant([-800.0, 800.0], tf.float64))


@program
def overflow_in_half_precision():
    """Squares of float16 overflow to infinity, bfloat16's do not but lose digits."""

    @tf.function
    def norm(x):
        squares = x * x
        total = tf.reduce_sum(squares)
        root = tf.sqrt(total)
        wide = tf.sqrt(tf.reduce_sum(tf.square(tf.cast(x, tf.float32))))
        return squares, root, wide

    return [norm(tf.constant([300.0, 400.0], d)) for d in (tf.float16, tf.bfloat16, tf.float32)]


@program
def machine_epsilon():
    """The loop that finds the smallest number that still changes one, for each width."""

    @tf.function
    def epsilon(one):
        e = one
        steps = tf.constant(0)
        while one + e / 2.0 > one:
            e = e / 2.0
            steps += 1
        return e, steps

    return [epsilon(tf.constant(1.0, d)) for d in (tf.float16, tf.bfloat16, tf.float32, tf.float64)]


@program(eager=False)
def nan_in_branches_and_loops():
    """A comparison with NaN is false, so the else branch runs and a while loop ends."""

    @tf.function
    def f(x):
        if x > 0.0:
            sign = 1
        elif x <= 0.0:
            sign = -1
        else:
            sign = 0
        rounds = tf.constant(0)
        while x < 3.0:
            x = x + 1.0
            rounds += 1
        return sign, rounds, x

    return [f(tf.constant(v)) for v in (NAN, INF, -2.5, 5.0)]


@program
def extremes_of_nan():
    """maximum, reduce_max, argmax, top_k and sort where NaN is among the values."""

    @tf.function
    def f(x):
        a = tf.maximum(x, tf.reverse(x, [0]))
        b = tf.reduce_max(x), tf.reduce_min(x)
        c = tf.argmax(x)
        d = tf.math.is_nan(x)
        return a, b, c, d, tf.math.is_finite(x), tf.math.is_inf(x)

    return f(tf.constant([1.0, NAN, 3.0])), f(tf.constant([NAN, INF, -INF])), f(tf.constant([2.0, 1.0]))


@program
def no_nan_variants():
    """divide_no_nan, multiply_no_nan, reciprocal_no_nan, xlogy and xdivy give zero where zero decides."""

    @tf.function
    def f(x, y):
        a = tf.math.divide_no_nan(x, y)
        b = tf.math.multiply_no_nan(x, y)
        c = tf.math.reciprocal_no_nan(y)
        return a, b, c, tf.math.xlogy(y, x), tf.math.xdivy(y, x), tf.math.xlog1py(y, x)

    return f(tf.constant([1.0, INF, NAN, 0.0]), tf.constant([0.0, 0.0, 0.0, 2.0])), raised(
        tf.math.divide_no_nan, tf.constant(1), tf.constant(0)
    )


@program
def the_where_trap():
    """where selects the value, but the gradient of the branch not taken is NaN; the safe form has none."""

    @tf.function
    def unsafe(x):
        return tf.where(x > 0.0, tf.sqrt(x), 0.0)

    @tf.function
    def safe(x):
        inside = tf.where(x > 0.0, x, 1.0)
        return tf.where(x > 0.0, tf.sqrt(inside), 0.0)

    x = tf.constant([4.0, 0.0, -1.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        a, b = unsafe(x), safe(x)
    return a, tape.gradient(a, x), b, tape.gradient(b, x)


@program
def variance_in_two_ways():
    """The mean of squares minus the square of the mean loses everything for large numbers."""

    @tf.function
    def f(x):
        mean = tf.reduce_mean(x)
        direct = tf.reduce_mean(tf.square(x - mean))
        shifted = tf.math.reduce_variance(x - x[0])
        moments = tf.nn.moments(x, [0])
        return direct, shifted, moments[1], tf.math.reduce_std(x)

    return f(tf.constant([4.0, 7.0, 13.0, 16.0])), f(tf.constant([1e9 + 4, 1e9 + 7, 1e9 + 13], tf.float64))


@program
def welford_in_a_loop():
    """A running mean and variance, with the count as an int that is cast in each round."""

    @tf.function
    def welford(xs):
        n, mean, m2 = tf.constant(0), tf.constant(0.0, xs.dtype), tf.constant(0.0, xs.dtype)
        for x in xs:
            n += 1
            delta = x - mean
            mean += delta / tf.cast(n, xs.dtype)
            m2 += delta * (x - mean)
        return mean, m2 / tf.cast(n, xs.dtype)

    return welford(tf.constant([1.0, 2.0, 4.0, 9.0])), welford(tf.constant([5.0], tf.float64))


@program
def rounding_modes_of_casts():
    """float64 to float32 to float16 to bfloat16: each rounds to even, large values become infinite."""

    @tf.function
    def f(x):
        single = tf.cast(x, tf.float32)
        half = tf.cast(single, tf.float16)
        brain = tf.cast(single, tf.bfloat16)
        return single, half, brain, tf.cast(half, tf.float64) - x

    return f(tf.constant([1.0 + 2.0**-11, 1.0 + 3 * 2.0**-11, 65519.0, 65520.0, 1e39, 2.0**-25], tf.float64))


@program
def text_of_floats_in_a_graph():
    """as_string of floats and integers, with precision and width."""

    @tf.function
    def f(x):
        plain = tf.strings.as_string(x)
        short = tf.strings.as_string(x, precision=2)
        scientific = tf.strings.as_string(x, scientific=True)
        return plain, short, scientific, tf.strings.as_string(tf.cast(x, tf.int32), width=6, fill="0")

    return f(tf.constant([1.0, -2.5, 1234.5678])), f(tf.constant([0.1], tf.float64))


@program
def modulo_of_floats():
    """% of floats has the divisor's sign, also for infinite and zero divisors; tf.math.mod alike."""

    @tf.function
    def f(x, y):
        r = x % y
        q = x // y
        back = q * y + r
        return r, q, back

    return f(tf.constant([5.5, -5.5, 5.5, -5.5]), tf.constant([2.0, 2.0, -2.0, -2.0])), f(
        tf.constant([1.0, 0.0], tf.float64), tf.constant([0.3, 5.0], tf.float64)
    )


@program
def angles():
    """atan2 in the four quadrants and on the axes, degrees by hand, sin and cos of large arguments."""

    @tf.function
    def f(y, x):
        a = tf.math.atan2(y, x)
        degrees = a * (180.0 / np.pi)
        back = tf.stack([tf.cos(a), tf.sin(a)])
        return a, degrees, back, tf.math.atan(y / x)

    y = tf.constant([0.0, 1.0, 1.0, -1.0, -0.0], tf.float64)
    x = tf.constant([1.0, 1.0, -1.0, -1.0, -1.0], tf.float64)
    return f(y, x), tf.sin(tf.constant([1e6, 1e15], tf.float64))


@program
def hyperbolic_functions():
    """sinh, cosh, tanh and their inverses, with arguments outside of their domains."""

    @tf.function
    def f(x):
        s, c = tf.sinh(x), tf.cosh(x)
        one = c * c - s * s
        odd = tf.sinh(-x) == -s
        return s, c, one, odd, tf.asinh(x), tf.acosh(x), tf.atanh(x), tf.tanh(x)

    return f(tf.constant([-0.5, 0.0, 1.0, 2.0], tf.float64)), f(tf.constant([0.25]))


@program
def special_functions():
    """lgamma, digamma, erf, erfc, erfinv, ndtri, zeta, igamma and betainc."""

    @tf.function
    def f(x):
        a = tf.math.lgamma(x), tf.math.digamma(x)
        b = tf.math.erf(x), tf.math.erfc(x), tf.math.erfinv(x / 4.0)
        c = tf.math.igamma(x, 1.0 + x), tf.math.igammac(x, 1.0 + x)
        return a, b, c, tf.math.zeta(x + 1.0, x), tf.math.betainc(x, x, x / 4.0), tf.math.ndtri(x / 4.0)

    return f(tf.constant([0.5, 1.0, 3.5])), f(tf.constant([1.25, 2.0], tf.float64))


@program
def exponentials_near_zero():
    """expm1 and log1p keep what exp - 1 and log(1 + x) lose."""

    @tf.function
    def f(x):
        rough = tf.exp(x)
        fine = tf.math.expm1(x)
        back = tf.math.log1p(fine)
        return fine, back, rough

    return f(tf.constant([1e-12, -1e-12, 0.0, 1.0])), f(tf.constant([1e-20, 0.5], tf.float64))


@program
def cumulative_sums_and_products():
    """cumsum and cumprod, exclusive and from the end, with infinities and NaN on the way."""

    @tf.function
    def f(x):
        a = tf.cumsum(x)
        b = tf.cumsum(x, exclusive=True, reverse=True)
        c = tf.math.cumprod(x, reverse=True)
        d = tf.math.cumprod(x, exclusive=True)
        return a, b, c, d

    return f(tf.constant([1.0, 2.0, 3.0, 4.0])), f(tf.constant([1.0, INF, 2.0])), f(tf.constant([1.0, NAN, 2.0]))


@program
def reductions_of_no_elements():
    """Empty axes: sum 0, prod 1, max -inf, mean NaN, any False, all True, logsumexp -inf."""

    @tf.function
    def f(x):
        a = tf.reduce_sum(x, 0), tf.reduce_prod(x, 0)
        b = tf.reduce_max(x, 0), tf.reduce_min(x, 0)
        c = tf.reduce_mean(x, 0)
        return a, b, c, tf.reduce_any(x > 0, 0), tf.reduce_all(x > 0, 0), tf.math.reduce_variance(x, 0)

    return f(tf.zeros([0, 2])), f(tf.zeros([0, 1], tf.float64)), f(tf.zeros([2, 0]))


@program
def max_of_no_integers():
    """Extremes of nothing are the smallest and largest numbers of the dtype."""

    @tf.function
    def f(x):
        a = tf.reduce_max(x)
        b = tf.reduce_min(x)
        c = tf.reduce_sum(x)
        return a, b, c, tf.reduce_prod(x)

    return [f(tf.zeros([0], d)) for d in (tf.int8, tf.int32, tf.uint8, tf.int64, tf.float64, tf.float16)]


@program
def check_numerics_fails_where_it_stands():
    """check_numerics lets finite numbers through and raises for NaN and infinity, eagerly and in a graph."""

    @tf.function
    def f(x):
        y = tf.math.log(x)
        checked = tf.debugging.check_numerics(y, "the logarithm")
        return checked * 2.0

    good = f(tf.constant([1.0, 2.0]))
    bad = raised(f, tf.constant([0.0])), raised(f, tf.constant([-1.0]))
    return good, bad, f(tf.constant([3.0]))


@program
def assertions_about_numbers():
    """assert_near, assert_positive and assert_all_finite in a function with a loop."""

    @tf.function
    def root(a):
        tf.debugging.assert_positive(a)
        x = a
        for _ in tf.range(20):
            x = 0.5 * (x + a / x)
        tf.debugging.assert_near(x * x, a, rtol=1e-5)
        tf.debugging.assert_all_finite(x, "x")
        return x

    return root(tf.constant(2.0)), raised(root, tf.constant(-2.0)), raised(root, tf.constant(INF))


@program
def clipping():
    """clip_by_value with tensors as limits, by norm, by average norm, and of NaN."""

    @tf.function
    def f(x, low, high):
        a = tf.clip_by_value(x, low, high)
        b = tf.clip_by_norm(x, 2.0)
        c = tf.clip_by_norm(x, 2.0, axes=[0])
        return a, b, c, tf.linalg.norm(b)

    x = tf.constant([[3.0, -4.0], [0.0, 0.5]])
    return f(x, tf.constant(-1.0), tf.constant([1.0, 2.0])), tf.clip_by_value(tf.constant([NAN, INF]), 0.0, 1.0)


@program
def norms():
    """Norms of vectors and matrices by order and axis, of zeros with their gradient."""

    @tf.function
    def f(x):
        a = tf.norm(x), tf.norm(x, ord=1), tf.norm(x, ord=np.inf)
        b = tf.norm(x, axis=1), tf.norm(x, ord=1, axis=0, keepdims=True)
        c = tf.norm(x, ord="fro", axis=[0, 1])
        return a, b, c, tf.math.l2_normalize(x, axis=1)

    return f(tf.constant([[3.0, 4.0], [0.0, -2.0]])), f(tf.zeros([1, 2], tf.float64))


@program
def lerp_and_polynomials():
    """tf.math.polyval, linear interpolation and Horner's rule by a Python loop agree."""

    @tf.function
    def f(x):
        coefficients = [2.0, -1.0, 0.5]
        value = tf.math.polyval(coefficients, x)
        horner = tf.zeros_like(x)
        for c in coefficients:
            horner = horner * x + c
        return value, horner, tf.reduce_all(value == horner)

    return f(tf.constant([0.0, 1.0, -2.0])), f(tf.constant(3.0))


@program
def complex_division_and_roots():
    """Quadratic equations by complex square roots."""

    @tf.function
    def roots(a, b, c):
        d = tf.sqrt(tf.cast(b * b - 4.0 * a * c, tf.complex64))
        b = tf.cast(b, tf.complex64)
        a = tf.cast(a, tf.complex64)
        x, y = (-b + d) / (2.0 * a), (-b - d) / (2.0 * a)
        return x, y, tf.abs(x), tf.math.real(x * y)

    return roots(*(tf.constant(v) for v in (1.0, 2.0, 5.0))), roots(*(tf.constant(v) for v in (1.0, -3.0, 2.0)))


@program
def mandelbrot():
    """Escape counts of a small grid: complex arithmetic and masks in a loop."""

    @tf.function
    def counts(c, rounds):
        z = tf.zeros_like(c)
        n = tf.zeros(tf.shape(c), tf.int32)
        for _ in tf.range(rounds):
            inside = tf.abs(z) <= 2.0
            z = tf.where(inside, z * z + c, z)
            n += tf.cast(inside, tf.int32)
        return n

    real, imaginary = tf.meshgrid(tf.linspace(-2.0, 1.0, 4), tf.linspace(-1.0, 1.0, 3))
    return counts(tf.complex(real, imaginary), tf.constant(12))


@program
def solving_linear_systems():
    """solve, inverse and least squares of a small system; a singular one fails."""

    @tf.function
    def f(a, b):
        x = tf.linalg.solve(a, b)
        y = tf.linalg.inv(a) @ b
        z = tf.linalg.lstsq(a, b)
        return x, tf.reduce_max(tf.abs(x - y)) < 1e-9, tf.reduce_max(tf.abs(x - z)) < 1e-9, tf.linalg.det(a)

    a = tf.constant([[2.0, 1.0], [1.0, 3.0]], tf.float64)
    b = tf.constant([[1.0], [2.0]], tf.float64)
    return f(a, b), raised(tf.linalg.inv, tf.constant([[1.0, 2.0], [2.0, 4.0]], tf.float64)), a @ f(a, b)[0]


@program
def cholesky_and_qr():
    """Factors multiply to the matrix again; the Cholesky factor of one that is not positive is NaN or an error."""

    @tf.function
    def f(a):
        factor = tf.linalg.cholesky(a)
        q, r = tf.linalg.qr(a)
        again = q @ r
        return factor, tf.reduce_max(tf.abs(again - a)) < 1e-5, tf.linalg.logdet(a), tf.linalg.trace(a)

    return f(tf.constant([[4.0, 2.0], [2.0, 3.0]])), raised(f, tf.constant([[1.0, 2.0], [2.0, 1.0]]))


@program
def eigenvalues_by_power_iteration():
    """The largest eigenvalue by a loop against tf.linalg.eigvalsh."""

    @tf.function
    def largest(a, rounds):
        v = tf.ones([tf.shape(a)[0], 1], a.dtype)
        for _ in tf.range(rounds):
            v = a @ v
            v = v / tf.norm(v)
        value = tf.reduce_sum(v * (a @ v))
        return value, tf.abs(value - tf.linalg.eigvalsh(a)[-1]) < 1e-6

    return largest(tf.constant([[2.0, 1.0], [1.0, 2.0]], tf.float64), tf.constant(30)), largest(
        tf.constant([[5.0]], tf.float64), tf.constant(1)
    )


@program
def matrix_powers_in_half_precision():
    """Products in float16 and bfloat16 keep their dtype."""

    @tf.function
    def cube(a):
        b = a @ a
        c = tf.linalg.matmul(b, a)
        d = tf.tensordot(a, a, axes=[[1], [0]])
        return c, tf.reduce_all(b == d), c.dtype.size * tf.size(c)

    return cube(tf.constant([[1.5, 0.25], [0.0, 2.0]], tf.float16)), cube(
        tf.constant([[1.5, 1.0], [2.0, 4.0]], tf.bfloat16)
    )


@program
def einsum_against_loops():
    """einsum with a batch, a trace and an outer product."""

    @tf.function
    def f(a, b):
        batch = tf.einsum("bij,bjk->bik", a, b)
        traces = tf.einsum("bii->b", batch)
        outer = tf.einsum("i,j->ij", traces, traces)
        return batch, traces, outer, tf.einsum("bij->ji", a)

    a = tf.reshape(tf.range(8.0), (2, 2, 2))
    return f(a, a[:, ::-1]), raised(tf.einsum, "ij,jk->ik", tf.ones([2, 3]), tf.ones([2, 3]))


@program
def fourier_transform_of_a_wave():
    """The spectrum of a sampled cosine has two peaks; the inverse gives the wave again."""

    @tf.function
    def f(n, k):
        t = tf.cast(tf.range(n), tf.float32) / tf.cast(n, tf.float32)
        wave = tf.cos(2.0 * np.pi * tf.cast(k, tf.float32) * t)
        spectrum = tf.signal.rfft(wave)
        back = tf.signal.irfft(spectrum)
        return tf.round(tf.abs(spectrum) * 1000.0) / 1000.0, tf.reduce_max(tf.abs(back - wave)) < 1e-5

    return f(tf.constant(8), tf.constant(2)), f(tf.constant(4), tf.constant(0))


@program
def convolution_by_hand():
    """conv1d with SAME and VALID padding against sums of slices."""

    @tf.function
    def f(x, kernel):
        x4 = x[tf.newaxis, :, tf.newaxis]
        k = kernel[:, tf.newaxis, tf.newaxis]
        valid = tf.nn.conv1d(x4, k, stride=1, padding="VALID")[0, :, 0]
        same = tf.nn.conv1d(x4, k, stride=2, padding="SAME")[0, :, 0]
        n = tf.size(valid)
        by_hand = x[:n] * kernel[0] + x[1 : n + 1] * kernel[1]
        return valid, same, by_hand

    return f(tf.constant([1.0, 2.0, 4.0, 8.0]), tf.constant([1.0, -1.0])), f(tf.range(5.0), tf.constant([0.5, 0.5]))


@program
def batch_normalisation_moments():
    """Normalising a batch with moments and with tf.nn.batch_normalization gives the same."""

    @tf.function
    def f(x):
        mean, variance = tf.nn.moments(x, axes=[0])
        by_op = tf.nn.batch_normalization(x, mean, variance, 1.0, 2.0, 1e-3)
        by_hand = (x - mean) / tf.sqrt(variance + 1e-3) * 2.0 + 1.0
        return by_op, tf.reduce_max(tf.abs(by_op - by_hand)) < 1e-5, mean, variance

    return f(tf.constant([[1.0, 10.0], [3.0, 10.0], [5.0, 10.0]])), f(tf.zeros([1, 1]))


@program
def losses_of_a_classifier():
    """Sparse and dense cross entropy agree; a label out of range is an error or NaN as TensorFlow has it."""

    @tf.function
    def f(labels, logits):
        sparse = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        dense = tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot(labels, 3), logits=logits)
        hits = tf.math.in_top_k(labels, logits, k=1)
        return sparse, dense, tf.reduce_mean(sparse), hits

    logits = tf.constant([[2.0, 1.0, 0.0], [0.0, 0.0, 50.0]])
    return f(tf.constant([0, 2]), logits), f(tf.constant([2, 0]), logits), raised(f, tf.constant([0, 7]), logits)


@program
def linspace_and_geometric_steps():
    """linspace of one, of two and of many, along an axis; a geometric sequence by exp."""

    @tf.function
    def f(a, b):
        one = tf.linspace(a, b, 1)
        five = tf.linspace(a, b, 5)
        steps = five[1:] - five[:-1]
        return one, five, steps, tf.exp(tf.linspace(tf.math.log(b), tf.math.log(b * 16.0), 3))

    return f(tf.constant(0.0), tf.constant(1.0)), tf.linspace([0.0, 10.0], [1.0, 20.0], 3, axis=1)


@program
def next_after_and_gaps():
    """nextafter walks from float to float."""

    @tf.function
    def f(x):
        up = tf.math.nextafter(x, tf.constant(INF, x.dtype))
        down = tf.math.nextafter(x, tf.constant(-INF, x.dtype))
        gap = up - x
        return up, down, gap

    return f(tf.constant([1.0, 0.0, -1.0], tf.float64)), f(tf.constant([1.0, 2.0]))


@program
def trapezoid_rule_that_refines_itself():
    """The integral of exp(-x*x) by halving the step until two results agree."""

    @tf.function
    def integral(a, b):
        n = tf.constant(1)
        old = tf.constant(0.0, tf.float64)
        new = tf.constant(1.0, tf.float64)
        while tf.abs(new - old) > 1e-6:
            n *= 2
            x = tf.linspace(a, b, n + 1)
            y = tf.exp(-x * x)
            h = (b - a) / tf.cast(n, tf.float64)
            old, new = new, h * (tf.reduce_sum(y) - 0.5 * (y[0] + y[-1]))
        return new, n

    return integral(tf.constant(0.0, tf.float64), tf.constant(1.0, tf.float64))


@program
def runge_kutta_of_an_oscillator():
    """Four stages a step; the energy after the loop is nearly what it was."""

    @tf.function
    def simulate(state, steps, h):
        def derivative(s):
            return tf.stack([s[1], -s[0]])

        for _ in tf.range(steps):
            k1 = derivative(state)
            k2 = derivative(state + h / 2.0 * k1)
            k3 = derivative(state + h / 2.0 * k2)
            k4 = derivative(state + h * k3)
            state = state + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        return state, tf.reduce_sum(state * state)

    start = tf.constant([1.0, 0.0], tf.float64)
    return simulate(start, tf.constant(10), tf.constant(0.1, tf.float64)), simulate(
        start, 0, tf.constant(0.1, tf.float64)
    )
