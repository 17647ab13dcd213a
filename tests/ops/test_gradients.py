"""Every differentiable op: its gradient against differences, in a random direction, orders 1 and 2, eagerly and traced.

Along a direction v the derivative of ``sum(w * f(x))`` is ``sum(gradient * v)`` and also the central difference of its values.
Order 2 is the same statement about ``sum(gradient * u)``.
"""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf

RANDOM = np.random.default_rng(7)


def positive(*shape):
    return RANDOM.uniform(0.5, 2.0, shape)


def real(*shape):
    return RANDOM.normal(size=shape)


def unit(*shape):
    return RANDOM.uniform(-0.9, 0.9, shape)


def distinct(*shape):
    """Values far enough apart that no difference step changes which is largest."""
    return RANDOM.permutation(np.prod(shape)).reshape(shape) / 3.0 - 1.0


def distribution(*shape):
    x = positive(*shape)
    return x / x.sum(-1, keepdims=True)


# name: (function, arguments as float64 arrays)
CASES = {
    # arithmetic, with every way to broadcast
    "add": (tf.add, [real(2, 3), real(2, 3)]),
    "add broadcast": (tf.add, [real(2, 3), real(3)]),
    "add scalar": (tf.add, [real(), real(2, 2)]),
    "subtract broadcast": (tf.subtract, [real(2, 1), real(1, 3)]),
    "multiply": (tf.multiply, [real(2, 3), real(2, 3)]),
    "multiply broadcast": (tf.multiply, [real(4, 1, 3), real(2, 1)]),
    "divide": (tf.divide, [real(2, 3), positive(2, 3)]),
    "divide broadcast": (tf.divide, [real(3), positive(2, 3)]),
    "realdiv": (tf.realdiv, [real(3), positive(3)]),
    "floormod": (tf.math.floormod, [np.array([5.3, -4.1]), np.array([2.0, 3.0])]),
    "pow": (tf.pow, [positive(2, 3), real(2, 3)]),
    "pow broadcast": (tf.pow, [positive(2, 3), real(3)]),
    "maximum": (tf.maximum, [real(2, 3), real(2, 3)]),
    "maximum broadcast": (tf.maximum, [real(2, 3), real(1)]),
    "minimum": (tf.minimum, [real(2, 3), real(3)]),
    "squared_difference": (tf.math.squared_difference, [real(2, 3), real(3)]),
    "atan2": (tf.atan2, [real(2, 3), real(3)]),
    "divide_no_nan": (tf.math.divide_no_nan, [real(3), positive(3)]),
    "multiply_no_nan": (tf.math.multiply_no_nan, [real(3), positive(3)]),
    "xdivy": (tf.math.xdivy, [positive(3), positive(3)]),
    "xlogy": (tf.math.xlogy, [positive(3), positive(3)]),
    "xlog1py": (tf.math.xlog1py, [positive(3), positive(3)]),
    "add_n": (lambda *x: tf.add_n(list(x)), [real(2), real(2), real(2)]),
    "polyval": (lambda a, b, x: tf.math.polyval([a, b, a], x), [real(2), real(2), real(2)]),
    # one argument
    "negative": (tf.negative, [real(3)]),
    "abs": (tf.abs, [real(3)]),
    "square": (tf.square, [real(3)]),
    "sqrt": (tf.sqrt, [positive(3)]),
    "rsqrt": (tf.math.rsqrt, [positive(3)]),
    "reciprocal": (tf.math.reciprocal, [positive(3)]),
    "reciprocal_no_nan": (tf.math.reciprocal_no_nan, [positive(3)]),
    "exp": (tf.exp, [real(3)]),
    "expm1": (tf.math.expm1, [real(3)]),
    "log": (tf.math.log, [positive(3)]),
    "log1p": (tf.math.log1p, [positive(3)]),
    "sin": (tf.sin, [real(3)]),
    "cos": (tf.cos, [real(3)]),
    "tan": (tf.tan, [unit(3)]),
    "asin": (tf.asin, [unit(3)]),
    "acos": (tf.acos, [unit(3)]),
    "atan": (tf.atan, [real(3)]),
    "sinh": (tf.sinh, [real(3)]),
    "cosh": (tf.cosh, [real(3)]),
    "tanh": (tf.tanh, [real(3)]),
    "asinh": (tf.asinh, [real(3)]),
    "acosh": (tf.acosh, [positive(3) + 1]),
    "atanh": (tf.atanh, [unit(3)]),
    "sigmoid": (tf.sigmoid, [real(3)]),
    "log_sigmoid": (tf.math.log_sigmoid, [real(3)]),
    "softplus": (tf.math.softplus, [real(3)]),
    "softsign": (tf.nn.softsign, [real(3)]),
    "erf": (tf.math.erf, [real(3)]),
    "erfc": (tf.math.erfc, [real(3)]),
    "erfinv": (tf.math.erfinv, [unit(3)]),
    "erfcinv": (tf.math.erfcinv, [unit(3) + 1]),
    "ndtri": (tf.math.ndtri, [unit(3) / 2 + 0.5]),
    "lgamma": (tf.math.lgamma, [positive(3)]),
    "digamma": (tf.math.digamma, [positive(3)]),
    "lbeta": (tf.math.lbeta, [positive(2, 3)]),
    "zeta": (lambda q: tf.math.zeta(tf.constant(3.0, tf.float64), q), [positive(3)]),
    "polygamma": (lambda x: tf.math.polygamma(tf.constant(1.0, tf.float64), x), [positive(3)]),
    "bessel_i0": (tf.math.special.bessel_i0, [positive(3)]),
    "bessel_i0e": (tf.math.special.bessel_i0e, [positive(3)]),
    "bessel_i1": (tf.math.special.bessel_i1, [positive(3)]),
    "bessel_i1e": (tf.math.special.bessel_i1e, [positive(3)]),
    "bessel_j0": (tf.math.special.bessel_j0, [positive(3)]),
    "bessel_j1": (tf.math.special.bessel_j1, [positive(3)]),
    "bessel_k0": (tf.math.special.bessel_k0, [positive(3)]),
    "bessel_k0e": (tf.math.special.bessel_k0e, [positive(3)]),
    "bessel_k1": (tf.math.special.bessel_k1, [positive(3)]),
    "bessel_k1e": (tf.math.special.bessel_k1e, [positive(3)]),
    "bessel_y0": (tf.math.special.bessel_y0, [positive(3)]),
    "bessel_y1": (tf.math.special.bessel_y1, [positive(3)]),
    "dawsn": (tf.math.special.dawsn, [positive(3)]),
    "expint": (tf.math.special.expint, [positive(3)]),
    "fresnel_cos": (tf.math.special.fresnel_cos, [positive(3)]),
    "fresnel_sin": (tf.math.special.fresnel_sin, [positive(3)]),
    "spence": (tf.math.special.spence, [positive(3)]),
    "igamma": (tf.math.igamma, [positive(3), positive(3)]),
    "igammac": (tf.math.igammac, [positive(3), positive(3)]),
    "betainc": (
        lambda x: tf.math.betainc(tf.constant(1.5, tf.float64), tf.constant(2.5, tf.float64), x), [unit(3) / 2 + 0.5],
    ),
    # reductions
    "reduce_sum": (tf.reduce_sum, [real(2, 3)]),
    "reduce_sum axis": (lambda x: tf.reduce_sum(x, [0, -1]), [real(2, 3, 4)]),
    "reduce_sum keepdims": (lambda x: tf.reduce_sum(x, 1, keepdims=True), [real(2, 3)]),
    "reduce_mean": (lambda x: tf.reduce_mean(x, 0), [real(2, 3)]),
    "reduce_prod": (lambda x: tf.reduce_prod(x, 1), [real(2, 3)]),
    "reduce_prod of all": (tf.reduce_prod, [real(2, 3)]),
    "reduce_max": (lambda x: tf.reduce_max(x, 1), [distinct(2, 3)]),
    "reduce_min": (tf.reduce_min, [distinct(2, 3)]),
    "reduce_euclidean_norm": (lambda x: tf.math.reduce_euclidean_norm(x, 1), [real(2, 3)]),
    "reduce_logsumexp": (lambda x: tf.reduce_logsumexp(x, 1), [real(2, 3)]),
    "reduce_std": (lambda x: tf.math.reduce_std(x, 0), [real(4, 3)]),
    "reduce_variance": (tf.math.reduce_variance, [real(4, 3)]),
    "cumsum": (lambda x: tf.cumsum(x, 1, exclusive=True), [real(2, 3)]),
    "cumsum reverse": (lambda x: tf.cumsum(x, 0, reverse=True), [real(2, 3)]),
    "cumprod": (lambda x: tf.math.cumprod(x, 1), [positive(2, 3)]),
    "cumprod reverse": (lambda x: tf.math.cumprod(x, 1, exclusive=True, reverse=True), [positive(2, 3)]),
    "cumulative_logsumexp": (lambda x: tf.math.cumulative_logsumexp(x, 1), [real(2, 3)]),
    "cumulative_logsumexp reverse": (lambda x: tf.math.cumulative_logsumexp(x, 0, reverse=True), [real(3)]),
    # rearranging
    "reshape": (lambda x: tf.reshape(x, [3, -1]), [real(2, 3)]),
    "expand_dims": (lambda x: tf.expand_dims(x, 1), [real(2, 3)]),
    "squeeze": (lambda x: tf.squeeze(x, 1), [real(2, 1, 3)]),
    "transpose": (lambda x: tf.transpose(x, [2, 0, 1]), [real(2, 3, 4)]),
    "matrix_transpose": (tf.linalg.matrix_transpose, [real(2, 3, 4)]),
    "concat": (lambda x, y: tf.concat([x, y], 1), [real(2, 3), real(2, 1)]),
    "stack": (lambda x, y: tf.stack([x, y], 1), [real(2, 3), real(2, 3)]),
    "unstack": (lambda x: tf.unstack(x, axis=1)[1] * 2.0, [real(2, 3)]),
    "split": (lambda x: tf.split(x, 3, 1)[2], [real(2, 3)]),
    "split sizes": (lambda x: tf.split(x, [1, -1], 1)[1], [real(2, 3)]),
    "identity": (tf.identity, [real(2)]),
    "identity_n": (lambda x, y: tf.multiply(*tf.identity_n([x, y])), [real(2), real(2)]),
    "ensure_shape": (lambda x: tf.ensure_shape(x, [None]), [real(2)]),
    "check_numerics": (lambda x: tf.debugging.check_numerics(x, "x"), [real(2)]),
    "broadcast_to": (lambda x: tf.broadcast_to(x, [2, 4, 3]), [real(4, 1)]),
    "fill": (lambda x: tf.fill([2, 3], x), [real()]),
    "linspace": (lambda x, y: tf.linspace(x, y, 4), [real(), real()]),
    "linspace of vectors": (lambda x, y: tf.linspace(x, y, 3, axis=1), [real(2), real(2)]),
    "tile": (lambda x: tf.tile(x, [2, 3]), [real(2, 2)]),
    "pad": (lambda x: tf.pad(x, [[1, 0], [2, 1]]), [real(2, 2)]),
    "pad constant": (lambda x: tf.pad(x, [[1, 0]], constant_values=1.5), [real(2)]),
    "pad reflect": (lambda x: tf.pad(x, [[2, 1], [1, 0]], "REFLECT"), [real(3, 2)]),
    "pad symmetric": (lambda x: tf.pad(x, [[2, 3], [1, 0]], "SYMMETRIC"), [real(3, 2)]),
    "reverse": (lambda x: tf.reverse(x, [0, 1]), [real(2, 3)]),
    "roll": (lambda x: tf.roll(x, [1, -2], [0, 1]), [real(2, 3)]),
    "repeat": (lambda x: tf.repeat(x, 2, axis=1), [real(2, 3)]),
    "reverse_sequence": (lambda x: tf.reverse_sequence(x, [2, 1], 1, 0), [real(2, 3)]),
    "where": (lambda x, y: tf.where([[True, False, True]], x, y), [real(2, 3), real(3)]),
    "cast": (lambda x: tf.cast(tf.cast(x, tf.complex128), tf.float64), [real(2)]),
    "meshgrid": (lambda x, y: tf.multiply(*tf.meshgrid(x, y)), [real(2), real(3)]),
    # slices
    "x[0]": (lambda x: x[0], [real(2, 3)]),
    "x[-1, ::2]": (lambda x: x[-1, ::2], [real(2, 3)]),
    "x[..., None, 1:]": (lambda x: x[..., tf.newaxis, 1:], [real(2, 3)]),
    "x[::-1]": (lambda x: x[::-1], [real(4)]),
    "x[tensor]": (lambda x: x[tf.constant(1)], [real(4)]),
    "slice": (lambda x: tf.slice(x, [0, 1], [1, -1]), [real(2, 3)]),
    "strided_slice": (lambda x: tf.strided_slice(x, [0], [4], [2]), [real(5)]),
    # clipping
    "clip_by_value": (lambda x: tf.clip_by_value(x, -0.5, 0.5), [real(6)]),
    "clip_by_norm": (lambda x: tf.clip_by_norm(x, 0.7), [real(6)]),
    "clip_by_global_norm": (lambda x, y: tf.add(*tf.clip_by_global_norm([x, y], 0.7)[0]), [real(6), real(6)]),
    "global_norm": (lambda x, y: tf.linalg.global_norm([x, y]), [real(6), real(2)]),
    "l2_normalize": (lambda x: tf.math.l2_normalize(x, 1), [real(2, 3)]),
    # products
    "matmul": (tf.matmul, [real(2, 3), real(3, 4)]),
    "matmul transpose_a": (lambda a, b: tf.matmul(a, b, transpose_a=True), [real(3, 2), real(3, 4)]),
    "matmul transpose_b": (lambda a, b: tf.matmul(a, b, transpose_b=True), [real(2, 3), real(4, 3)]),
    "matmul both": (lambda a, b: tf.matmul(a, b, True, True), [real(3, 2), real(4, 3)]),
    "matmul batch": (tf.matmul, [real(5, 2, 3), real(5, 3, 4)]),
    "matmul batch broadcast": (tf.matmul, [real(5, 1, 2, 3), real(4, 3, 2)]),
    "matmul batch adjoint": (lambda a, b: tf.matmul(a, b, adjoint_a=True, transpose_b=True), [real(2, 3, 2), real(4, 3)]),
    "matvec": (tf.linalg.matvec, [real(2, 3), real(3)]),
    "einsum matmul": (lambda a, b: tf.einsum("ij,jk->ik", a, b), [real(2, 3), real(3, 4)]),
    "einsum trace": (lambda a: tf.einsum("ii", a), [real(3, 3)]),
    "einsum diagonal": (lambda a: tf.einsum("ii->i", a), [real(3, 3)]),
    "einsum sum": (lambda a, b: tf.einsum("ij,k->i", a, b), [real(2, 3), real(4)]),
    "einsum batch": (lambda a, b: tf.einsum("...ij,...jk->...ik", a, b), [real(2, 1, 2, 3), real(4, 3, 2)]),
    "einsum three": (lambda a, b, c: tf.einsum("ij,jk,kl->il", a, b, c), [real(2, 3), real(3, 2), real(2, 4)]),
    "einsum transpose": (lambda a: tf.einsum("ijk->kij", a), [real(2, 3, 4)]),
    "tensordot": (lambda a, b: tf.tensordot(a, b, [[0, 2], [1, 0]]), [real(2, 3, 4), real(4, 2, 5)]),
    # diagonals
    "diag": (lambda x: tf.linalg.diag(x, k=1), [real(2, 3)]),
    "diag band": (lambda x: tf.linalg.diag(x, k=(-1, 1)), [real(3, 3)]),
    "diag_part": (lambda x: tf.linalg.diag_part(x, k=(-1, 1)), [real(3, 4)]),
    "set_diag": (tf.linalg.set_diag, [real(2, 3, 3), real(2, 3)]),
    "band_part": (lambda x: tf.linalg.band_part(x, 1, 0), [real(3, 4)]),
    "tensor_diag": (tf.linalg.tensor_diag, [real(3)]),
    "tensor_diag_part": (tf.linalg.tensor_diag_part, [real(3, 3)]),
    "trace": (tf.linalg.trace, [real(2, 3, 3)]),
    # windows
    "conv2d": (lambda x, f: tf.nn.conv2d(x, f, 1, "SAME"), [real(2, 4, 3, 2), real(2, 3, 2, 2)]),
    "conv2d strided": (lambda x, f: tf.nn.conv2d(x, f, [2, 1], "VALID"), [real(1, 5, 3, 2), real(2, 2, 2, 1)]),
    "conv2d dilated": (lambda x, f: tf.nn.conv2d(x, f, 1, "SAME", dilations=2), [real(1, 5, 4, 1), real(2, 2, 1, 2)]),
    "conv2d groups": (lambda x, f: tf.nn.conv2d(x, f, 1, "VALID"), [real(1, 3, 3, 4), real(2, 2, 2, 2)]),
    "conv2d NCHW": (
        lambda x, f: tf.nn.conv2d(x, f, 1, [[0, 0], [0, 0], [1, 0], [0, 1]], "NCHW"), [real(1, 2, 3, 3), real(2, 2, 2, 1)],
    ),
    "conv1d": (lambda x, f: tf.nn.conv1d(x, f, 2, "SAME"), [real(2, 5, 2), real(3, 2, 2)]),
    "conv3d": (lambda x, f: tf.nn.conv3d(x, f, [1] * 5, "SAME"), [real(1, 2, 3, 2, 1), real(2, 2, 1, 1, 2)]),
    "conv2d_transpose": (
        lambda x, f: tf.nn.conv2d_transpose(x, f, [1, 4, 4, 1], 2), [real(1, 2, 2, 2), real(2, 2, 1, 2)],
    ),
    "depthwise_conv2d": (
        lambda x, f: tf.nn.depthwise_conv2d(x, f, [1] * 4, "SAME"), [real(1, 3, 3, 2), real(2, 2, 2, 2)],
    ),
    "separable_conv2d": (
        lambda x, d, p: tf.nn.separable_conv2d(x, d, p, [1] * 4, "VALID"),
        [real(1, 3, 3, 2), real(2, 2, 2, 1), real(1, 1, 2, 3)],
    ),
    "max_pool2d": (lambda x: tf.nn.max_pool2d(x, 2, 1, "SAME"), [distinct(1, 3, 4, 2)]),
    "max_pool1d": (lambda x: tf.nn.max_pool1d(x, 2, 2, "VALID"), [distinct(2, 4, 1)]),
    "avg_pool2d": (lambda x: tf.nn.avg_pool2d(x, 2, 1, "SAME"), [real(1, 3, 4, 2)]),
    "avg_pool3d": (lambda x: tf.nn.avg_pool3d(x, 2, 1, "SAME"), [real(1, 2, 3, 2, 1)]),
    "space_to_batch": (lambda x: tf.space_to_batch(x, [2, 2], [[1, 0], [0, 1]]), [real(1, 3, 3, 2)]),
    "batch_to_space": (lambda x: tf.batch_to_space(x, [2, 2], [[1, 0], [0, 1]]), [real(4, 2, 2, 1)]),
    "space_to_depth": (lambda x: tf.nn.space_to_depth(x, 2), [real(1, 4, 2, 2)]),
    "depth_to_space": (lambda x: tf.nn.depth_to_space(x, 2), [real(1, 2, 1, 8)]),
    # networks
    "relu": (tf.nn.relu, [real(6)]),
    "relu6": (tf.nn.relu6, [real(6) * 5]),
    "elu": (tf.nn.elu, [real(6)]),
    "selu": (tf.nn.selu, [real(6)]),
    "leaky_relu": (tf.nn.leaky_relu, [real(6)]),
    "crelu": (tf.nn.crelu, [real(6)]),
    "gelu": (tf.nn.gelu, [real(6)]),
    "gelu approximate": (lambda x: tf.nn.gelu(x, approximate=True), [real(6)]),
    "silu": (tf.nn.silu, [real(6)]),
    "silu beta": (tf.nn.silu, [real(6), real()]),
    "softmax": (tf.nn.softmax, [real(2, 3)]),
    "softmax axis": (lambda x: tf.nn.softmax(x, axis=0), [real(2, 3)]),
    "log_softmax": (tf.nn.log_softmax, [real(2, 3)]),
    "softmax_cross_entropy": (
        lambda x: tf.nn.softmax_cross_entropy_with_logits(CONSTANTS["labels"], x), [real(2, 3)],
    ),
    "softmax_cross_entropy axis": (
        lambda x: tf.nn.softmax_cross_entropy_with_logits(tf.transpose(CONSTANTS["labels"]), x, axis=0), [real(3, 2)],
    ),
    "sparse_softmax_cross_entropy": (
        lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([2, 0], x), [real(2, 3)],
    ),
    "sigmoid_cross_entropy": (
        lambda z, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=z, logits=x), [positive(4), real(4)],
    ),
    "weighted_cross_entropy": (
        lambda z, x: tf.nn.weighted_cross_entropy_with_logits(z, x, 2.5), [positive(4), real(4)],
    ),
    "log_poisson_loss": (lambda z, x: tf.nn.log_poisson_loss(z, x, True), [positive(4) + 1, real(4)]),
    "l2_loss": (tf.nn.l2_loss, [real(2, 3)]),
    "bias_add": (tf.nn.bias_add, [real(2, 3), real(3)]),
    "bias_add NCHW": (lambda x, b: tf.nn.bias_add(x, b, "NC..."), [real(2, 3, 4), real(3)]),
    "moments": (lambda x: tf.add(*tf.nn.moments(x, [0])), [real(4, 3)]),
    "batch_normalization": (
        lambda x, m, v, o, s: tf.nn.batch_normalization(x, m, v, o, s, 1e-3),
        [real(4, 3), real(3), positive(3), real(3), real(3)],
    ),
}  # fmt: skip
CONSTANTS = {"labels": distribution(2, 3)}

# Functions whose derivative is constant in pieces or whose second derivative TensorFlow does not define.
# The mean inside the variance is taken as constant; the gradient of igamma by a has no gradient in TensorFlow.
FIRST_ORDER_ONLY = {"moments", "igamma", "igammac"}


def scalar(function, weights):
    def f(*x):
        y = function(*x)
        return tf.reduce_sum(y * tf.reshape(weights, tf.shape(y)))

    return f


def along(function, x, direction, step=1e-5):
    """The central difference of a scalar function."""
    plus = function(*[tf.constant(a + step * d) for a, d in zip(x, direction, strict=True)])
    minus = function(*[tf.constant(a - step * d) for a, d in zip(x, direction, strict=True)])
    return (float(plus) - float(minus)) / (2 * step)


def gradients(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(*x)
    return tape.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)


def check(function, x):
    direction = [RANDOM.normal(size=a.shape) for a in x]
    exact = gradients(function, [tf.constant(a) for a in x])
    assert [g.shape for g in exact] == [a.shape for a in x]
    value = sum(float(np.sum(g.numpy() * d)) for g, d in zip(exact, direction, strict=True))
    assert value == pytest.approx(along(function, x, direction), rel=2e-5, abs=2e-6)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_first_gradient_is_the_slope(name, traced):
    function, x = CASES[name]
    y = function(*[tf.constant(a) for a in x])
    f = scalar(function, tf.constant(RANDOM.normal(size=y.shape)))
    check(tf.function(f, autograph=False) if traced else f, x)


@pytest.mark.parametrize("name", [name for name in CASES if name not in FIRST_ORDER_ONLY])
def test_second_gradient_is_the_slope_of_the_first(name):
    function, x = CASES[name]
    y = function(*[tf.constant(a) for a in x])
    f = scalar(function, tf.constant(RANDOM.normal(size=y.shape)))
    u = [tf.constant(RANDOM.normal(size=a.shape)) for a in x]

    def slope(*x):
        return tf.add_n([tf.reduce_sum(g * v) for g, v in zip(gradients(f, list(x)), u, strict=True)])

    check(slope, x)


@pytest.mark.parametrize("name", [name for name, (_, x) in CASES.items() if all(a.ndim for a in x)])
def test_gradient_with_unknown_sizes(name):
    if name in NEEDS_SIZES:
        pytest.skip(NEEDS_SIZES[name])
    function, x = CASES[name]
    y = function(*[tf.constant(a) for a in x])
    f = scalar(function, tf.constant(RANDOM.normal(size=y.shape)))

    @tf.function(input_signature=[tf.TensorSpec([None] * a.ndim, tf.float64) for a in x], autograph=False)
    def traced(*x):
        return gradients(f, list(x))

    expected = gradients(f, [tf.constant(a) for a in x])
    for g, e in zip(traced(*[tf.constant(a) for a in x]), expected, strict=True):
        np.testing.assert_allclose(g, e, rtol=1e-9, atol=1e-12)


# TensorFlow cannot trace these without sizes either.
NEEDS_SIZES = {
    "unstack": "the number of parts must be known",
    "split sizes": "the rest can only be found from the size",
}


@pytest.mark.parametrize("traced", [False, True])
def test_the_constant_around_a_tensor_has_no_gradient(traced: bool) -> None:  # as in TensorFlow
    def gradients(x: tf.Tensor, c: tf.Tensor) -> list[tf.Tensor | None]:
        with tf.GradientTape() as tape:
            tape.watch([x, c])
            y = tf.reduce_sum(tf.pad(x, [[1, 2]], constant_values=c) ** 2)
        return tape.gradient(y, [x, c])

    by_x, by_c = (tf.function(gradients) if traced else gradients)(tf.constant([1.0, 2.0]), tf.constant(3.0))
    assert by_x.numpy().tolist() == [2.0, 4.0]
    assert by_c is None
