"""Convolutions, pools, images: TensorFlow's recorded values, eagerly and traced; slopes; shapes; how strips are cut."""

import functools
import json
from pathlib import Path

import numpy as np
import pytest

import graphlab as tf
from graphlab.ops import conv_kernels
from graphlab.ops.conv_geometry import geometry
from tests.ops.conv_cases import CASES, ERRORS
from tests.ops.test_gradients import check, gradients, scalar
from tests.oracle.ops.running import differences, gradient, run
from tests.oracle.ops.table import GRADIENT_DTYPES
from tests.oracle.program import Raised
from tests.oracle.values import TOLERANCE

RANDOM = np.random.default_rng(11)


@functools.cache
def recorded():
    return json.loads((Path(__file__).parent / "recorded" / "conv.json").read_text(encoding="utf-8"))


def by_dtype():
    return [
        pytest.param(case, dtype, id=f"{case.name}-{dtype}")
        for case in CASES
        for dtype in case.dtypes
        if f"{case.name} {dtype}" in recorded()
    ]


@pytest.mark.parametrize(("case", "dtype"), by_dtype())
def test_values_are_tensorflows(case, dtype):
    record = recorded()[f"{case.name} {dtype}"]
    rtol = TOLERANCE | dict(case.rtol)
    found = []
    for name in case.inputs:
        found += differences(run(case, name, dtype), record[name], rtol, f"{name}, eager")
        expected = record.get(f"{name} traced", record[name])
        found += differences(run(case, name, dtype, traced=True), expected, rtol, f"{name}, traced")
        key = f"{name} gradient"
        if dtype in GRADIENT_DTYPES and key in record:
            found += differences(gradient(case, name, dtype), record[key], rtol, f"{key}, eager")
            expected = record.get(f"{key} traced", record[key])
            found += differences(gradient(case, name, dtype, traced=True), expected, rtol, f"{key}, traced")
    assert not found, "\n".join(found)


def missing_dtypes():
    return [
        pytest.param(case, dtype, errors, id=f"{case.name}-{dtype}")
        for case in CASES
        for dtype, errors in recorded().get(f"{case.name} missing", {}).items()
        if errors[0] in ("InvalidArgumentError", "TypeError")
    ]


@pytest.mark.parametrize(("case", "dtype", "errors"), missing_dtypes())
def test_dtypes_that_an_op_does_not_have(case, dtype, errors):
    name = next(iter(case.inputs))
    assert not list(differences(run(case, name, dtype), errors[0], TOLERANCE))
    assert not list(differences(run(case, name, dtype, traced=True), errors[1], TOLERANCE))


def test_everything_is_recorded():
    names = {f"{case.name} {dtype}" for case in CASES for dtype in case.dtypes}
    absent = {f"{c.name} {d}" for c in CASES for d in recorded().get(f"{c.name} missing", ())}
    known = {key for key in recorded() if not key.endswith(" missing") and not key.startswith("error: ")} - {"header"}
    assert known | absent == names
    assert {key.removeprefix("error: ") for key in recorded() if key.startswith("error: ")} == set(ERRORS)


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_of_tensorflows_classes(name):
    eager, traced = recorded()[f"error: {name}"]
    # what TensorFlow only finds while it builds a primitive of a library, graphlab finds by looking at the arguments
    expected = {"AbortedError": "InvalidArgumentError", "NotFoundError": "NoKernelError"}
    for wanted, call in (
        (eager, ERRORS[name]),
        (traced, lambda tf: tf.function(lambda: ERRORS[name](tf), autograph=False)()),
    ):
        with pytest.raises(Exception) as info:  # noqa: PT011, the class is what is compared
            call(tf)
        classes = Raised(info.value).classes
        assert wanted in classes or expected.get(wanted) in classes, f"{classes[0]}: {info.value}"


# ------------------------------------------------------------------------------------------------------------- slopes


def real(*shape):
    return RANDOM.normal(size=shape)


def spread(*shape):
    """Values far enough apart that no difference step changes which is largest."""
    return RANDOM.permutation(int(np.prod(shape))).reshape(shape) / 3.0


SLOPES = {
    "conv2d": (lambda x, f: tf.nn.conv2d(x, f, 1, "VALID"), [real(1, 4, 5, 2), real(2, 3, 2, 3)]),
    "conv2d same": (lambda x, f: tf.nn.conv2d(x, f, [2, 1], "SAME"), [real(2, 4, 4, 2), real(3, 2, 2, 2)]),
    "conv2d explicit": (
        lambda x, f: tf.nn.conv2d(x, f, 2, [[0, 0], [2, 0], [0, 3], [0, 0]], dilations=2), [real(1, 5, 5, 1), real(2, 2, 1, 2)],
    ),
    "conv2d groups": (lambda x, f: tf.nn.conv2d(x, f, 1, "SAME"), [real(1, 3, 3, 4), real(2, 2, 2, 4)]),
    "conv2d planes": (lambda x, f: tf.nn.conv2d(x, f, 1, "SAME", "NCHW"), [real(1, 2, 3, 4), real(2, 2, 2, 3)]),
    "conv2d_transpose": (
        lambda x, f: tf.nn.conv2d_transpose(x, f, [1, 6, 5, 2], [2, 1]), [real(1, 3, 5, 3), real(3, 2, 2, 3)],
    ),
    "conv1d": (lambda x, f: tf.nn.conv1d(x, f, 2, "SAME"), [real(2, 5, 2), real(3, 2, 3)]),
    "conv3d": (lambda x, f: tf.nn.conv3d(x, f, [1, 1, 2, 1, 1], "SAME"), [real(1, 3, 3, 2, 2), real(2, 2, 2, 2, 2)]),
    "conv3d_transpose": (
        lambda x, f: tf.nn.conv3d_transpose(x, f, [1, 3, 4, 2, 1], [1, 2, 1]), [real(1, 3, 2, 2, 2), real(2, 2, 1, 1, 2)],
    ),
    "atrous_conv2d": (lambda x, f: tf.nn.atrous_conv2d(x, f, 2, "SAME"), [real(1, 4, 5, 2), real(2, 2, 2, 2)]),
    "depthwise": (lambda x, f: tf.nn.depthwise_conv2d(x, f, [1, 2, 2, 1], "SAME"), [real(1, 5, 4, 2), real(3, 2, 2, 2)]),
    "separable": (
        lambda x, f, g: tf.nn.separable_conv2d(x, f, g, [1] * 4, "VALID"),
        [real(1, 4, 4, 2), real(2, 2, 2, 2), real(1, 1, 4, 3)],
    ),
    "max_pool": (lambda x: tf.nn.max_pool2d(x, 3, 2, "SAME") ** 2, [spread(1, 5, 4, 2)]),
    "max_pool3d": (
        lambda x: tf.cast(tf.nn.max_pool3d(tf.cast(x, tf.float32), 2, 1, "VALID"), tf.float64), [np.round(spread(1, 3, 3, 2, 1) * 3)],
    ),
    "max_pool_with_argmax": (lambda x: tf.nn.max_pool_with_argmax(x, 2, 1, "SAME")[0] ** 2, [spread(2, 3, 3, 2)]),
    "avg_pool": (lambda x: tf.nn.avg_pool2d(x, 3, 2, "SAME") ** 2, [real(1, 5, 4, 2)]),
    "avg_pool3d": (lambda x: tf.nn.avg_pool3d(x, 2, 1, "SAME") ** 2, [real(1, 3, 3, 2, 1)]),
    "pool dilated": (lambda x: tf.nn.pool(x, [2, 2], "AVG", dilations=[2, 1]) ** 2, [real(1, 5, 4, 2)]),
    "dilation2d": (
        lambda x, f: tf.nn.dilation2d(x, f, [1] * 4, "SAME", "NHWC", [1] * 4), [spread(1, 3, 4, 2), real(2, 2, 2) / 9],
    ),
    "erosion2d": (
        lambda x, f: tf.nn.erosion2d(x, f, [1] * 4, "VALID", "NHWC", [1, 2, 1, 1]), [spread(1, 4, 4, 2), real(2, 2, 2) / 9],
    ),
    "extract_patches": (
        lambda x: tf.image.extract_patches(x, [1, 2, 2, 1], [1, 1, 2, 1], [1, 1, 2, 1], "SAME") ** 2, [real(2, 3, 4, 2)],
    ),
    "resize nearest": (lambda x: tf.image.resize(x, [3, 5], "nearest"), [real(1, 4, 3, 2)]),
}  # fmt: skip
# Ops whose gradient TensorFlow gives no gradient to, and one that is computed as float32.
FIRST_ORDER = {"dilation2d", "erosion2d", "resize nearest", "max_pool3d"}
NOT_IN_DOUBLE = {"max_pool3d"}


@pytest.mark.parametrize("name", [name for name in SLOPES if name not in NOT_IN_DOUBLE])
@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_gradient_is_the_slope(name, traced):
    function, x = SLOPES[name]
    y = function(*[tf.constant(a) for a in x])
    f = scalar(function, tf.constant(RANDOM.normal(size=y.shape)))
    check(tf.function(f, autograph=False) if traced else f, x)


def test_gradient_of_a_pool_in_single_precision_counts_the_windows():
    function, x = SLOPES["max_pool3d"]
    with tf.GradientTape() as tape:
        a = tf.constant(x[0])
        tape.watch(a)
        y = function(a)
    g = tape.gradient(y, a).numpy()
    assert g.sum() == np.prod(y.shape)
    np.testing.assert_array_equal((g * x[0]).sum(), y.numpy().sum())


@pytest.mark.parametrize("name", [name for name in SLOPES if name not in FIRST_ORDER])
def test_second_gradient_is_the_slope_of_the_first(name):
    function, x = SLOPES[name]
    y = function(*[tf.constant(a) for a in x])
    f = scalar(function, tf.constant(RANDOM.normal(size=y.shape)))
    u = [tf.constant(RANDOM.normal(size=a.shape)) for a in x]

    def slope(*x):
        return tf.add_n([tf.reduce_sum(g * v) for g, v in zip(gradients(f, list(x)), u, strict=True)])

    check(slope, x)


@pytest.mark.parametrize("name", [name for name in SLOPES if name not in NOT_IN_DOUBLE])
def test_gradient_with_unknown_sizes(name):
    function, x = SLOPES[name]
    y = function(*[tf.constant(a) for a in x])
    f = scalar(function, tf.constant(RANDOM.normal(size=y.shape)))
    # the sizes of filters say what a function is; those of images, and the batch, may be anything
    specs = [
        tf.TensorSpec([None] * (a.ndim - 1) + [a.shape[-1]] if i == 0 else a.shape, tf.float64) for i, a in enumerate(x)
    ]
    if "planes" in name:
        specs[0] = tf.TensorSpec([None, x[0].shape[1], None, None], tf.float64)

    @tf.function(input_signature=specs, autograph=False)
    def traced(*x):
        return gradients(f, list(x))

    expected = gradients(f, [tf.constant(a) for a in x])
    for g, e in zip(traced(*[tf.constant(a) for a in x]), expected, strict=True):
        np.testing.assert_allclose(g, e, rtol=1e-9, atol=1e-12)


# --------------------------------------------------------------------------------------------------------------- shapes


def spec(*shape):
    return tf.TensorSpec(shape, tf.float32)


SHAPES = {
    "conv2d": (lambda x, f: tf.nn.conv2d(x, f, 2, "SAME"), [spec(None, 5, None, 3), spec(2, 2, 3, 4)], (None, 3, None, 4)),
    "conv2d any": (lambda x, f: tf.nn.conv2d(x, f, 1, "VALID"), [tf.TensorSpec(None), spec(2, 2, 3, 4)], (None, None, None, 4)),
    "conv2d batches": (lambda x, f: tf.nn.conv2d(x, f, 1, "VALID"), [spec(None, 7, 5, 5, 3), spec(2, 2, 3, 4)], (None, 7, 4, 4, 4)),
    "conv2d filter": (lambda x, f: tf.nn.conv2d(x, f, 1, "VALID"), [spec(1, 5, 5, 3), spec(None, 2, 3, None)], (1, None, 4, None)),
    "conv1d": (lambda x, f: tf.nn.conv1d(x, f, 1, "VALID"), [spec(None, 5, 3), spec(2, 3, 4)], (None, 4, 4)),
    "conv3d": (lambda x, f: tf.nn.conv3d(x, f, [1] * 5, "SAME"), [spec(None, 5, 4, None, 3), spec(2, 2, 2, 3, 4)], (None, 5, 4, None, 4)),
    "depthwise": (lambda x, f: tf.nn.depthwise_conv2d(x, f, [1] * 4, "VALID"), [spec(None, 5, 5, 3), spec(2, 2, 3, 2)], (None, 4, 4, 6)),
    "transpose": (
        lambda x, f, n: tf.nn.conv2d_transpose(x, f, n, 2), [spec(2, 5, 5, 3), spec(2, 2, 4, 3), tf.TensorSpec([4], tf.int32)],
        (2, None, None, None),
    ),
    "max_pool": (lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), [spec(None, 5, None, 3)], (None, 2, None, 3)),
    "argmax": (lambda x: tf.nn.max_pool_with_argmax(x, 2, 2, "VALID").argmax, [spec(None, 5, None, 3)], (None, 2, None, 3)),
    "patches": (
        lambda x: tf.image.extract_patches(x, [1, 2, 2, 1], [1, 2, 2, 1], [1] * 4, "SAME"), [spec(None, 5, None, 3)], (None, 3, None, 12),
    ),
    "resize": (lambda x: tf.image.resize(x, [4, 6]), [spec(None, None, None, 3)], (None, 4, 6, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_shape_while_tracing(name):
    function, specs, expected = SHAPES[name]
    concrete = tf.function(function, autograph=False).get_concrete_function(*specs)
    assert tuple(concrete.structured_outputs.shape) == expected


# --------------------------------------------------------------------------------------------------------------- strips


def by_definition(x, f, over):
    """Place by place, with no strips and no matrices."""
    x = conv_kernels.padded(x, over)
    total = 0
    for place in np.ndindex(*over.window):
        total = total + x[(slice(None), *over.at(place))] @ f[place]
    return total


@pytest.mark.parametrize("strip", [1, 300, 2000, 1 << 21])
@pytest.mark.parametrize("channels", [1, 2, 30])
@pytest.mark.parametrize("attrs", [
    {"padding": "VALID", "strides": [1, 1, 1, 1]},
    {"padding": "SAME", "strides": [1, 2, 3, 1]},
    {"padding": "SAME", "strides": [1, 1, 1, 1], "dilations": [1, 2, 2, 1]},
], ids=["valid", "strides", "dilated"])  # fmt: skip
def test_strips_of_any_size_give_the_same(monkeypatch, strip, channels, attrs):
    monkeypatch.setattr(conv_kernels, "STRIP", strip)
    x, f = real(3, 7, 8, channels), real(2, 3, channels, 4)
    over = geometry((7, 8), (2, 3), {"data_format": "NHWC", **attrs})
    y = conv_kernels.convolve(x, f, over)
    np.testing.assert_allclose(y, by_definition(x, f, over), rtol=1e-9, atol=1e-12)
    # both gradients are the adjoints of the same map
    dy = real(*y.shape)
    inner = (y * dy).sum()
    assert (conv_kernels.by_input(f, dy, over) * x).sum() == pytest.approx(inner)
    assert (conv_kernels.by_filter(x, dy, over) * f).sum() == pytest.approx(inner)
