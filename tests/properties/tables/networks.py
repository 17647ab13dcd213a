"""Windows, losses and images."""

import numpy as np

import graphlab as tf
from tests.properties.drawing import distinct, distribution, real, whole
from tests.properties.entry import FLOATS, WIDE, entry, raw, slope


def conv2d(x, f):
    return tf.nn.conv2d(x, f, [1, 2, 1, 1], "SAME", dilations=[1, 1, 2, 1])


def conv3d(x, f):
    return tf.nn.conv3d(x, f, [1, 1, 2, 1, 1], "SAME")


def depthwise(x, f):
    return tf.nn.depthwise_conv2d(x, f, [1, 2, 2, 1], "SAME")


def dilation(x, f):
    return tf.nn.dilation2d(x, f, [1, 1, 2, 1], "SAME", "NHWC", [1, 1, 1, 1])


def max_pool(x):
    return tf.nn.max_pool2d(x, 2, [1, 2], "SAME")


def max_pool3d(x):
    return tf.nn.max_pool3d(x, 2, 1, "SAME")


def with_argmax(x):
    return tf.nn.max_pool_with_argmax(x, 2, 1, "SAME")[0]


def fractional(function):
    return lambda x: function(x, [1.0, 1.4, 1.4, 1.0], seed=3)[0]


def grad_of(call):
    """The gradient by x as an op of the gradient that comes in: linear in it, so its own gradient is GradGrad."""

    def function(x, dy):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = call(x)
        return tape.gradient(y, x, output_gradients=dy + tf.zeros_like(y))

    return function


def by_dy(call):
    def function(x, dy):
        with tf.GradientTape() as tape:
            tape.watch(dy)
            g = grad_of(call)(x, dy)
            total = tf.reduce_sum(g * g)
        return tape.gradient(total, dy)

    return function


# These have no float64: a larger step, which is exact, since they are linear between the places where the order changes.
COARSE = {"dtypes": ("float32",), "step": 1e-2, "slack": 1e-3}

WINDOWS = [
    entry("Conv2D", conv2d, "aBCD, 22De", dtypes=WIDE),
    entry("Conv2D", lambda x, f: tf.nn.conv2d(x, f, 1, "VALID"), "a33D, 22De", dtypes=(*FLOATS,), variant="valid"),
    entry("Conv2DBackpropInput", slope(conv2d, 0), "aBCD, 22De", dtypes=WIDE),
    entry("Conv2DBackpropFilter", slope(conv2d, 1), "aBCD, 22De", dtypes=WIDE),
    entry("Conv3D", conv3d, "aBCDE, 122Ef", dtypes=WIDE),
    entry("Conv3DBackpropInputV2", slope(conv3d, 0), "12BC1, 12212", dtypes=WIDE),
    entry("Conv3DBackpropFilterV2", slope(conv3d, 1), "12BC1, 12212", dtypes=WIDE),
    entry("DepthwiseConv2dNative", depthwise, "aBCD, 22De", dtypes=WIDE),
    entry("DepthwiseConv2dNativeBackpropInput", slope(depthwise, 0), "aBCD, 22D2", dtypes=WIDE),
    entry("DepthwiseConv2dNativeBackpropFilter", slope(depthwise, 1), "aBCD, 22D2", dtypes=WIDE),
    entry(
        "Dilation2D",
        dilation,
        "aBCD, 22D",
        real,
        dtypes=WIDE,
        order=1,
        reason="TensorFlow has no gradient of its gradients",
    ),
    entry("Dilation2DBackpropInput", slope(dilation, 0), "aBCD, 22D", real, dtypes=WIDE, order=0),
    entry("Dilation2DBackpropFilter", slope(dilation, 1), "aBCD, 22D", real, dtypes=WIDE, order=0),
    entry("MaxPool", max_pool, "aBCd", distinct),
    entry("MaxPoolGrad", slope(max_pool), "aBCd", distinct, dtypes=WIDE),
    entry("MaxPoolGradGrad", by_dy(max_pool), "aBCd, ", distinct, real, dtypes=WIDE),
    entry("MaxPool3D", max_pool3d, "aBCDe", distinct, **COARSE),
    entry("MaxPool3DGrad", slope(max_pool3d), "1BC22", distinct, **COARSE),
    entry("MaxPool3DGradGrad", by_dy(max_pool3d), "1BC22, ", distinct, real, **COARSE),
    entry("MaxPoolWithArgmax", lambda x: tf.nn.max_pool_with_argmax(x, 2, 1, "SAME"), "aBCd", distinct, dtypes=WIDE),
    entry("MaxPoolGradWithArgmax", slope(with_argmax), "1BC2", distinct, dtypes=WIDE),
    entry("MaxPoolGradGradWithArgmax", by_dy(with_argmax), "1BC2, ", distinct, real, dtypes=WIDE),
    entry("AvgPool", lambda x: tf.nn.avg_pool2d(x, 2, [1, 2], "SAME"), "aBCd"),
    entry("AvgPoolGrad", slope(lambda x: tf.nn.avg_pool2d(x, 2, [1, 2], "SAME")), "1BC2", dtypes=WIDE),
    entry("AvgPool3D", lambda x: tf.nn.avg_pool3d(x, 2, 1, "VALID"), "a322b", dtypes=WIDE),
    entry("AvgPool3DGrad", slope(lambda x: tf.nn.avg_pool3d(x, 2, 1, "SAME")), "1BC22", dtypes=WIDE),
    entry(
        "FractionalMaxPool",
        fractional(tf.nn.fractional_max_pool),
        "a43b",
        distinct,
        dtypes=WIDE,
        order=1,
        reason="TensorFlow has no gradient of its gradient",
    ),
    entry(
        "FractionalMaxPoolGrad", slope(fractional(tf.nn.fractional_max_pool)), "a43b", distinct, dtypes=WIDE, order=0
    ),
    entry(
        "FractionalAvgPool",
        fractional(tf.nn.fractional_avg_pool),
        "a43b",
        dtypes=WIDE,
        order=1,
        reason="TensorFlow has no gradient of its gradient",
    ),
    entry("FractionalAvgPoolGrad", slope(fractional(tf.nn.fractional_avg_pool)), "a43b", dtypes=WIDE, order=0),
    entry(
        "ExtractImagePatches",
        lambda x: tf.image.extract_patches(x, [1, 2, 2, 1], [1, 1, 2, 1], [1, 1, 1, 1], "SAME"),
        "aBCd",
        dtypes=WIDE,
    ),
    entry(
        "LRN",
        lambda x: tf.nn.lrn(x, 1),
        "aBC4",
        dtypes=("float32",),
        step=1e-2,
        slack=2e-2,
        order=1,
        reason="TensorFlow has no gradient of its gradient",
    ),
    entry("LRNGrad", slope(lambda x: tf.nn.lrn(x, 1)), "aBC4", dtypes=("float32",), order=0),
]


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True, initial=-np.inf))
    return e / e.sum(-1, keepdims=True)


LOSSES = [
    entry("Softmax", tf.nn.softmax, "*A", numpy=softmax),
    entry("LogSoftmax", tf.nn.log_softmax, "*A", numpy=lambda x: np.log(softmax(x))),
    entry(
        "SoftmaxCrossEntropyWithLogits",
        tf.nn.softmax_cross_entropy_with_logits,
        "*A, *A",
        distribution,
        real,
        dtypes=WIDE,
        numpy=lambda z, x: -np.sum(z * np.log(softmax(x)), -1),
        order=1,
        reason="the second derivative leaves out the labels, as TensorFlow's does",
        variant="labels",
    ),
    entry(
        "SoftmaxCrossEntropyWithLogits",
        lambda x: tf.nn.softmax_cross_entropy_with_logits(tf.constant([0.2, 0.3, 0.5], x.dtype), x),
        "*3",
        dtypes=WIDE,
    ),
    entry(
        "SparseSoftmaxCrossEntropyWithLogits",
        lambda z, x: tf.nn.sparse_softmax_cross_entropy_with_logits(z, x),
        "a, a3",
        whole(0, 3),
        real,
        dtypes=WIDE,
    ),
    entry("L2Loss", tf.nn.l2_loss, numpy=lambda x: np.sum(x * x) / 2),
    entry("BiasAdd", tf.nn.bias_add, "*ab, b", dtypes=FLOATS, numpy=np.add),
    entry("BiasAdd", lambda x, b: tf.nn.bias_add(x, b, "NC..."), "abcd, b", dtypes=WIDE, variant="channels first"),
    entry("BiasAddGrad", slope(tf.nn.bias_add, 1), "*ab, b", dtypes=WIDE),
]


def scaled(x):
    return raw("ScaleAndTranslate", kernel_type="triangle", antialias=True)(x, [3, 2], [1.5, 0.5], [0.0, 0.25])


# These give float32 whatever they get, and are linear, so a large step is exact.
LINEAR = {"dtypes": ("float32",), "known": "ranks", "step": 0.5, "slack": 1e-4}

IMAGES = [
    *[
        entry(
            op,
            lambda x, method=method: tf.image.resize(x, [3, 2], method),
            "aBCd",
            order=order,
            reason=reason,
            **LINEAR,
        )
        for op, method, order, reason in (
            ("ResizeBilinear", "bilinear", 2, ""),
            ("ResizeNearestNeighbor", "nearest", 1, "TensorFlow has no gradient of its gradient"),
            ("ResizeBicubic", "bicubic", 1, "TensorFlow has no gradient of its gradient"),
            ("ResizeArea", "area", 0, "TensorFlow has no gradient of it"),
        )
    ],
    entry("ResizeBilinearGrad", slope(lambda x: tf.image.resize(x, [3, 2], "bilinear")), "1BC2", **LINEAR),
    entry(
        "ResizeNearestNeighborGrad",
        slope(lambda x: tf.image.resize(x, [3, 2], "nearest")),
        "1BC2",
        order=0,
        dtypes=("float32",),
        known="ranks",
    ),
    entry(
        "ResizeBicubicGrad",
        slope(lambda x: tf.image.resize(x, [3, 2], "bicubic")),
        "1BC2",
        order=0,
        dtypes=("float32",),
        known="ranks",
    ),
    entry("ScaleAndTranslate", scaled, "ABCd", order=1, reason="TensorFlow has no gradient of its gradient", **LINEAR),
    entry("ScaleAndTranslateGrad", slope(scaled), "ABCd", order=0, dtypes=("float32",)),
    entry("AdjustContrastv2", lambda x: tf.image.adjust_contrast(x, 2.0), "aBCd", dtypes=("float32",), order=0),
]

ENTRIES = [*WINDOWS, *LOSSES, *IMAGES]
