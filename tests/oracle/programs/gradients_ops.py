"""Gradients of families of ops where they are easily wrong: zeros, ties, complex numbers, matrices, windows, segments."""

from tests.oracle.program import program
from tests.oracle.under_test import tf


def slopes(function, *sources):
    """The value, and the gradients for the sources."""
    with tf.GradientTape() as tape:
        tape.watch(sources)
        y = function(*sources)
    return y, tape.gradient(y, list(sources))


def curvature(function, x):
    """The first and the second derivative, summed over elements."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x, unconnected_gradients="zero")


@program
def products_with_zeros():
    """reduce_prod and cumprod where one factor, or two, are zero."""

    @tf.function
    def product(x):
        return tf.reduce_prod(x, axis=1)

    running = tf.function(lambda x: tf.math.cumprod(x, axis=1))
    x = tf.constant([[2.0, 3.0, 4.0], [2.0, 0.0, 4.0], [0.0, 0.0, 4.0]])
    first = slopes(product, x)
    second = curvature(product, x[:1])
    return first, second, slopes(running, x[:1])


@program
def powers_at_zero():
    """x**y for x of zero, for both arguments, and whole exponents."""

    @tf.function
    def power(x, y):
        return x**y

    x, y = tf.constant([0.0, 2.0, 1.0, 0.0]), tf.constant([2.0, 0.0, 3.0, 1.0])
    both = slopes(power, x, y)
    square = curvature(tf.function(lambda x: x**2), x)
    cube = curvature(tf.function(lambda x: tf.pow(x, 3.0)), x)
    return both, square, cube


@program
def roots_and_norms_at_zero():
    """sqrt, norm and rsqrt at zero have infinite or undefined slopes; l2_normalize is safe."""

    @tf.function
    def norm(x):
        return tf.norm(x)

    zero, some = tf.zeros([2]), tf.constant([3.0, 4.0])
    root = tf.function(tf.sqrt)
    unit = tf.function(lambda x: tf.math.l2_normalize(x))
    return slopes(norm, some), slopes(norm, zero), slopes(root, zero), slopes(unit, some), slopes(unit, zero)


@program
def extremes_share_their_ties():
    """reduce_max, reduce_min, maximum, top_k and sort with equal elements."""

    @tf.function
    def largest(x):
        return tf.reduce_max(x, axis=1)

    x = tf.constant([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
    ordered = tf.function(lambda x: tf.sort(x) * [1.0, 2.0, 3.0])
    top = tf.function(lambda x: tf.math.top_k(x, 2).values * [1.0, 10.0])
    pair = tf.function(lambda a, b: tf.minimum(a, b))
    return slopes(largest, x), slopes(ordered, x), slopes(top, x), slopes(pair, x, x[:, ::-1] + 0.0)


@program
def comparisons_cut():
    """sign, floor, round, argmax and comparisons have no gradient or a zero one."""

    @tf.function
    def steps(x):
        return tf.sign(x) * x + tf.floor(x) + tf.round(x) * 2.0

    x = tf.constant([-1.5, 0.5, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = steps(x)
        z = tf.cast(x > 0.0, tf.float32)
        f = tf.floor(x)
    return y, tape.gradient(y, x), tape.gradient(z, x), tape.gradient(f, x)


@program
def division_and_its_relatives():
    """/, divide_no_nan, floormod and floordiv, with zeros in the divisor."""

    @tf.function
    def quotients(x, y):
        safe = tf.math.divide_no_nan(x, y)
        return safe + x % 3.0 + (x // 2.0)

    x, y = tf.constant([1.0, 7.5, -4.0]), tf.constant([2.0, 0.0, -1.0])
    remainder = tf.function(lambda x, y: tf.math.floormod(x, y))
    return (
        slopes(quotients, x, y),
        slopes(remainder, x, tf.constant([0.75, 2.0, 3.0])),
        curvature(tf.function(lambda x: 1.0 / x), x),
    )


@program
def logarithms_that_decide_by_zero():
    """xlogy, xlog1py, xdivy, logsumexp and log_softmax, also with -inf."""

    @tf.function
    def entropy(p):
        terms = tf.math.xlogy(p, p)
        return -tf.reduce_sum(terms)

    p = tf.constant([0.5, 0.5, 0.0])
    scores = tf.constant([1.0, -float("inf"), 2.0])
    return (
        slopes(tf.function(lambda x, y: tf.math.xlogy(x, y)), tf.constant([0.0, 2.0]), tf.constant([0.0, 3.0])),
        slopes(tf.function(lambda x, y: tf.math.xdivy(x, y)), tf.constant([3.0, 2.0]), tf.constant([2.0, 4.0])),
        entropy(p),
        slopes(tf.function(tf.reduce_logsumexp), scores),
        slopes(tf.function(lambda x: tf.nn.log_softmax(x)[0]), scores[::2]),
    )


@program
def activations_twice():
    """First and second derivatives of activations, at zero and far out."""
    x = tf.constant([-30.0, -1.0, 0.0, 0.5, 30.0], tf.float64)
    results = []
    for activation in (tf.nn.relu, tf.nn.elu, tf.nn.selu, tf.nn.softplus, tf.nn.relu6, tf.nn.gelu):

        @tf.function
        def f(x):
            return activation(x)

        results.append(curvature(f, x))
    return results, curvature(tf.function(lambda x: tf.nn.leaky_relu(x, 0.1)), x), curvature(tf.function(tf.nn.silu), x)


@program
def trigonometry_twice():
    """Second derivatives of tan, asin, acos, atan, sinh, asinh, acosh, atanh and atan2."""
    x = tf.constant([0.25, 0.5], tf.float64)
    results = []
    for name in ("tan", "asin", "acos", "atan", "sinh", "asinh", "atanh", "cosh"):

        @tf.function
        def f(x):
            return getattr(tf.math, name)(x)

        results.append(curvature(f, x))
    angle = tf.function(lambda y, x: tf.math.atan2(y, x))
    return results, slopes(angle, x, x - 1.0), curvature(tf.function(tf.math.acosh), x + 2.0)


@program
def special_functions_twice():
    """lgamma, digamma, erf, erfc, erfinv, expm1, log1p and i0e."""
    x = tf.constant([0.3, 0.6], tf.float64)
    results = []
    for name in ("lgamma", "digamma", "erf", "erfc", "erfinv", "expm1", "log1p", "bessel_i0e", "ndtri"):

        @tf.function
        def f(x):
            return getattr(tf.math, name)(x)

        results.append(curvature(f, x))
    return results


@program
def complex_gradients():
    """Gradients of real results of complex numbers: abs, angle, products, exp, conj."""

    @tf.function
    def power(z):
        return tf.abs(z * z + tf.exp(z) * tf.math.conj(z))

    z = tf.constant([1.0 + 2.0j, -0.5j, 0.25 + 0.0j], tf.complex128)
    parts = tf.function(lambda z: tf.math.real(z) * 3.0 + tf.math.imag(z) ** 2)
    angle = tf.function(lambda z: tf.math.angle(z))
    return (
        slopes(power, z),
        slopes(parts, z),
        slopes(angle, z[:2]),
        slopes(tf.function(lambda x, y: tf.abs(tf.complex(x, y))), tf.constant([3.0]), tf.constant([4.0])),
    )


@program
def holomorphic_targets():
    """A complex target: the gradient is the conjugate of the derivative."""

    @tf.function
    def square(z):
        y = z * z
        return y

    z = tf.constant([1.0 + 2.0j, 3.0 - 1.0j])
    divided = tf.function(lambda z: 1.0 / z)
    return slopes(square, z), slopes(divided, z), slopes(tf.function(tf.sqrt), z), slopes(tf.function(tf.sin), z)


@program
def fourier_gradients():
    """Through fft, rfft and back: the energy and a filter."""

    @tf.function
    def filtered(x):
        spectrum = tf.signal.rfft(x)
        kept = spectrum * tf.constant([1.0, 1.0, 0.0], tf.complex64)
        return tf.signal.irfft(kept)

    x = tf.constant([1.0, 2.0, 0.5, -1.0])
    energy = tf.function(lambda x: tf.reduce_sum(tf.abs(tf.signal.fft(tf.cast(x, tf.complex64))) ** 2))
    return slopes(filtered, x), slopes(energy, x), slopes(tf.function(lambda x: tf.signal.dct(x)), x)


@program
def matrix_inverses():
    """inv, solve, det, logdet and trace, first and second order."""

    @tf.function
    def solve(a, b):
        return tf.linalg.solve(a, b)

    a = tf.constant([[2.0, 1.0], [0.5, 3.0]], tf.float64)
    b = tf.constant([[1.0], [2.0]], tf.float64)
    symmetric = a @ tf.transpose(a)
    return (
        slopes(solve, a, b),
        curvature(tf.function(tf.linalg.inv), a),
        curvature(tf.function(tf.linalg.det), a),
        slopes(tf.function(tf.linalg.logdet), symmetric),
        slopes(tf.function(tf.linalg.trace), a),
    )


@program
def matrix_factors():
    """cholesky, qr, eigh and svd of a well-conditioned matrix."""

    @tf.function
    def by_cholesky(a):
        return tf.reduce_sum(tf.linalg.cholesky(a) ** 3)

    a = tf.constant([[4.0, 1.0], [1.0, 3.0]], tf.float64)
    values = tf.function(lambda a: tf.linalg.eigvalsh(a) * tf.constant([1.0, 2.0], tf.float64))
    singular = tf.function(lambda a: tf.reduce_sum(tf.linalg.svd(a, compute_uv=False) ** 2))
    triangle = tf.function(lambda a: tf.reduce_sum(tf.abs(tf.linalg.qr(a)[1])))
    m = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], tf.float64)
    return slopes(by_cholesky, a), slopes(values, a), slopes(singular, m), slopes(triangle, m)


@program
def triangular_and_banded():
    """triangular_solve, band_part, diag, set_diag and matrix_transpose."""

    @tf.function
    def f(a, b):
        lower = tf.linalg.band_part(a, -1, 0)
        x = tf.linalg.triangular_solve(lower, b)
        return x + tf.linalg.matrix_transpose(tf.linalg.set_diag(a, b[:, 0]))[:, :1]

    a = tf.constant([[2.0, 9.0], [1.0, 4.0]], tf.float64)
    b = tf.constant([[1.0], [3.0]], tf.float64)
    return slopes(f, a, b), slopes(tf.function(lambda d: tf.linalg.diag(d) ** 2), b[:, 0])


@program
def products_of_batches():
    """matmul with transposed and broadcast batches, einsum and tensordot."""

    @tf.function
    def f(a, b):
        return tf.matmul(a, b, transpose_b=True)

    a = tf.reshape(tf.range(12.0), (2, 2, 3))
    b = tf.reshape(tf.range(6.0), (1, 2, 3))
    einsum = tf.function(lambda a, b: tf.einsum("bij,ckj->ik", a, b))
    dot = tf.function(lambda a, b: tf.tensordot(a, b, axes=[[2], [2]]))
    return slopes(f, a, b), slopes(einsum, a, b), slopes(dot, a, b), slopes(f, a, b[0])


@program
def convolutions_and_pools():
    """conv2d with strides and padding, depthwise and transposed ones, max and average pools."""

    @tf.function
    def convolve(x, k):
        return tf.nn.conv2d(x, k, strides=2, padding="SAME")

    x = tf.reshape(tf.range(16.0), (1, 4, 4, 1)) / 7.0
    k = tf.reshape(tf.range(1.0, 5.0), (2, 2, 1, 1))
    pool = tf.function(lambda x: tf.nn.max_pool2d(x, 2, 1, "VALID"))
    average = tf.function(lambda x: tf.nn.avg_pool2d(x, 3, 2, "SAME"))
    depth = tf.function(lambda x, k: tf.nn.depthwise_conv2d(x, k, [1, 1, 1, 1], "VALID"))
    up = tf.function(lambda x, k: tf.nn.conv2d_transpose(x, k, [1, 5, 5, 1], 1, "VALID"))
    return slopes(convolve, x, k), slopes(pool, x), slopes(average, x), slopes(depth, x, k), slopes(up, x, k)


@program
def segments_and_scatters():
    """segment_sum, mean, max, unsorted ones, scatter_nd and its updates."""

    @tf.function
    def f(x):
        ids = tf.constant([0, 0, 1])
        return tf.math.segment_mean(x, ids) + tf.math.segment_max(x, ids) * 10.0

    x = tf.constant([[1.0, 4.0], [3.0, 4.0], [5.0, 6.0]])
    unsorted = tf.function(lambda x: tf.math.unsorted_segment_prod(x, tf.constant([1, 0, 1]), 2))
    spread = tf.function(lambda x: tf.scatter_nd([[1], [1], [3]], x, [4, 2]) ** 2)
    update = tf.function(lambda x: tf.tensor_scatter_nd_add(x, [[0], [0]], x[1:]) ** 2)
    return slopes(f, x), slopes(unsorted, x), slopes(spread, x), slopes(update, x)


@program
def gathers_with_repeats():
    """gather along an axis with batch_dims and gather_nd: rows read twice count twice; second order too."""

    @tf.function
    def f(x):
        rows = tf.gather(x, [[0, 0], [1, 0]], batch_dims=1)
        return rows**3

    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    cells = tf.function(lambda x: tf.gather_nd(x, [[0, 1], [0, 1], [1, 0]]) ** 2)
    return slopes(f, x), curvature(f, x), slopes(cells, x), curvature(cells, x)


@program
def layout_ops_hand_gradients_through():
    """pad, tile, roll, reverse, transpose, space_to_depth, repeat and broadcast_to."""

    @tf.function
    def f(x):
        y = tf.pad(x, [[1, 0], [0, 1]], "SYMMETRIC")
        z = tf.tile(y, [1, 2])
        w = tf.roll(tf.transpose(z), 1, 0)
        return tf.reduce_sum(w * tf.cast(tf.reshape(tf.range(tf.size(w)), tf.shape(w)), tf.float32))

    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    repeated = tf.function(lambda x: tf.repeat(x, [1, 3], axis=0) * 2.0)
    mirrored = tf.function(lambda x: tf.pad(x, [[0, 0], [1, 1]], "REFLECT") ** 2)
    wide = tf.function(lambda x: tf.broadcast_to(x[:, :1], [2, 3]) ** 2)
    return slopes(f, x), slopes(repeated, x), slopes(mirrored, x), slopes(wide, x)


@program
def cumulative_gradients():
    """cumsum and cumulative_logsumexp, exclusive and reversed."""

    @tf.function
    def f(x):
        behind = tf.cumsum(x, exclusive=True, reverse=True)
        return behind * tf.cumsum(x)

    x = tf.constant([0.5, -1.0, 2.0])
    logs = tf.function(lambda x: tf.math.cumulative_logsumexp(x))
    return slopes(f, x), curvature(f, x), slopes(logs, x)


@program
def reductions_and_their_gradients():
    """mean, variance, std, euclidean norm and count over axes, with keepdims."""

    @tf.function
    def f(x):
        spread = tf.math.reduce_variance(x, 0) + tf.math.reduce_std(x, 0)
        return tf.reduce_mean(x, 0) + spread

    x = tf.constant([[1.0, 2.0], [3.0, 5.0]], tf.float64)
    norm = tf.function(lambda x: tf.math.reduce_euclidean_norm(x, 1, keepdims=True))
    return slopes(f, x), curvature(f, x), slopes(norm, x), slopes(norm, x * 0.0)


@program
def losses_and_their_gradients():
    """Cross entropies of each kind, by logits and labels, twice; huber and l2 losses."""

    @tf.function
    def dense(logits):
        return tf.nn.softmax_cross_entropy_with_logits([[0.0, 1.0], [0.5, 0.5]], logits)

    logits = tf.constant([[1.0, -1.0], [0.5, 2.0]])
    sparse = tf.function(lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([1, 0], x))
    binary = tf.function(lambda x: tf.nn.sigmoid_cross_entropy_with_logits(tf.ones_like(x) * 0.25, x))
    weighted = tf.function(lambda x: tf.nn.weighted_cross_entropy_with_logits(tf.ones_like(x), x, 2.0))
    half = tf.function(tf.nn.l2_loss)
    return (
        curvature(dense, logits),
        curvature(sparse, logits),
        curvature(binary, logits),
        slopes(weighted, logits),
        slopes(half, logits),
    )


@program
def clipping_gradients():
    """clip_by_value at its edges for all three arguments, clip_by_norm inside and outside."""

    @tf.function
    def f(x, low, high):
        return tf.clip_by_value(x, low, high)

    x = tf.constant([-2.0, 0.5, 1.0, 3.0])
    inside = tf.function(lambda x: tf.clip_by_norm(x, 10.0))
    outside = tf.function(lambda x: tf.clip_by_norm(x, 1.0))
    return slopes(f, x, tf.constant(-1.0), tf.constant(1.0)), slopes(inside, x), slopes(outside, x)


@program
def where_and_its_branches():
    """where sends the gradient to what was chosen, summed where it was broadcast."""

    @tf.function
    def f(x, y):
        larger = x > y
        return tf.where(larger, x * y, y)

    x, y = tf.constant([[1.0, 5.0], [2.0, 2.0]]), tf.constant([2.0, 3.0])
    masked = tf.function(lambda x: tf.boolean_mask(x, x > 1.5) ** 2)
    return slopes(f, x, y), slopes(masked, x), curvature(masked, x)


@program
def half_precision_gradients():
    """float16 and bfloat16 sources have gradients of their own dtype; casts lead through."""

    @tf.function
    def f(x):
        return tf.reduce_sum(tf.cast(x, tf.float32) ** 2) * 0.5

    results = []
    for dtype in (tf.float16, tf.bfloat16, tf.float64):
        x = tf.constant([1.5, -2.0, 300.0], dtype)
        results.append(slopes(f, x))
        results.append(slopes(tf.function(lambda x: tf.tanh(x) * x), x))
    return results


@program
def batch_normalisation_gradients():
    """Through moments and batch_normalization for input, scale and offset."""

    @tf.function
    def f(x, offset, scale):
        mean, variance = tf.nn.moments(x, [0])
        return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3) ** 2

    x = tf.constant([[1.0, 2.0], [3.0, -1.0], [0.5, 0.0]], tf.float64)
    offset, scale = tf.constant([0.1, 0.2], tf.float64), tf.constant([1.0, 2.0], tf.float64)
    return slopes(f, x, offset, scale)


@program
def attention_gradients():
    """Scaled dot products with a causal mask: the gradients of queries, keys and values."""

    @tf.function
    def attend(q, k, v):
        scores = tf.matmul(q, k, transpose_b=True) / tf.sqrt(2.0)
        mask = tf.linalg.band_part(tf.ones([3, 3]), -1, 0)
        scores += (1.0 - mask) * -1e9
        return tf.matmul(tf.nn.softmax(scores), v)

    q = tf.reshape(tf.range(6.0), (1, 3, 2)) / 5.0
    k, v = tf.reverse(q, [1]), tf.cos(q)
    return slopes(attend, q, k, v)


@program
def sequences_by_a_cell():
    """A gated cell over time in a graph loop: gradients of its weights and of the sequence."""
    w = tf.Variable([[0.5, -0.25], [0.1, 0.2]])
    u = tf.Variable([[0.3, 0.1], [-0.2, 0.4]])

    @tf.function
    def run(sequence):
        h = tf.zeros([1, 2])
        for x in sequence:
            gate = tf.sigmoid(x[None] @ w)
            h = gate * h + (1.0 - gate) * tf.tanh(h @ u + x[None])
        return tf.reduce_sum(h * h)

    sequence = tf.constant([[1.0, 0.0], [0.5, -0.5], [0.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(sequence)
        y = run(sequence)
    return y, tape.gradient(y, [w, u, sequence])


@program
def windows_and_their_means():
    """The gradient of slices in a loop: a mean filter written by hand, and its second order."""

    @tf.function
    def smooth(x):
        total = tf.zeros_like(x[2:])
        for i in range(3):
            total += x[i : tf.shape(x)[0] - 2 + i]
        return (total / 3.0) ** 2

    x = tf.constant([1.0, 4.0, 2.0, 8.0], tf.float64)
    return slopes(smooth, x), curvature(smooth, x)
