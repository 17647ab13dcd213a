"""Activations, softmax, cross entropies and other basics of tf.nn."""

from tests.oracle.ops.table import FLOATS, REAL, Case, each, given, like, op, unary, variants, x, y

SUMS = {"float16": 1e-2, "bfloat16": 8e-2, "float32": 5e-5}
LOGITS = {
    "matrix": (x(2, 3),),
    "vector": (x(4),),
    "large": (like([[1000.0, 0.0], [-1000.0, -1000.0]]),),
    "empty": (x(0, 3),),
    "empty_last": (x(2, 0),),
}
PROBABILITIES = like([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
IMAGE = x(1, 4, 4, 2)
FILTERS = y(2, 2, 2, 1)

CASES: list[Case] = [
    *each(
        {
            "Relu": lambda tf, a: tf.nn.relu(a),
            "Relu6": lambda tf, a: tf.nn.relu6(a * 4),
        },
        unary(),
        REAL,
        gradient=True,
    ),
    *each(
        {
            "Elu": lambda tf, a: tf.nn.elu(a),
            "Selu": lambda tf, a: tf.nn.selu(a),
            "Softplus": lambda tf, a: tf.nn.softplus(a),
            "Softsign": lambda tf, a: tf.nn.softsign(a),
            "leaky_relu_default": lambda tf, a: tf.nn.leaky_relu(a),
            "silu": lambda tf, a: tf.nn.silu(a),
            "swish": lambda tf, a: tf.nn.swish(a),
            "nn_sigmoid": lambda tf, a: tf.nn.sigmoid(a),
            "nn_tanh": lambda tf, a: tf.nn.tanh(a),
        },
        unary(x, 30.0, -30.0),
        FLOATS,
        gradient=True,
        rtol=SUMS,
    ),
    op("LeakyRelu", lambda tf, a: tf.nn.leaky_relu(a, alpha=0.3), unary(), FLOATS, gradient=True),
    *variants(
        "gelu",
        {"exact": lambda tf, a: tf.nn.gelu(a), "tanh": lambda tf, a: tf.nn.gelu(a, approximate=True)},
        unary(),
        FLOATS,
        gradient=True,
        rtol=SUMS,
    ),
    op("crelu", lambda tf, a: tf.nn.crelu(a), {"matrix": (x(2, 2),)}, FLOATS[2:], gradient=True),
    *variants(
        "Softmax",
        {"last": lambda tf, a: tf.nn.softmax(a), "first": lambda tf, a: tf.nn.softmax(a, axis=0)},
        LOGITS,
        FLOATS,
        gradient=True,
        rtol=SUMS,
    ),
    *variants(
        "LogSoftmax",
        {"last": lambda tf, a: tf.nn.log_softmax(a), "first": lambda tf, a: tf.nn.log_softmax(a, axis=0)},
        LOGITS,
        FLOATS,
        gradient=True,
        rtol=SUMS,
    ),
    op(
        "SoftmaxCrossEntropyWithLogits",
        lambda tf, labels, logits: tf.nn.softmax_cross_entropy_with_logits(labels, logits),
        {
            "matrix": (PROBABILITIES, x(2, 3)),
            "vector": (like([0.0, 1.0]), x(2)),
            "empty": (x(0, 2), x(0, 2)),
            "wrong": (PROBABILITIES, x(2, 2)),
        },
        FLOATS,
        gradient=True,
        rtol=SUMS,
    ),
    op(
        "SparseSoftmaxCrossEntropyWithLogits",
        lambda tf, labels, logits: tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits),
        {
            "matrix": (given([2, 0]), x(2, 3)),
            "wide": (given([1], "int64"), x(1, 2)),
            "one": (given(1), x(3)),
            "cube": (given([[0, 1]]), x(1, 2, 3)),
            "empty": (given([]), x(0, 2)),
            "outside": (given([3, 0]), x(2, 3)),
        },
        FLOATS,
        gradient=True,
        rtol=SUMS,
    ),
    op(
        "sigmoid_cross_entropy_with_logits",
        lambda tf, labels, logits: tf.nn.sigmoid_cross_entropy_with_logits(labels, logits),
        {
            "matrix": (PROBABILITIES, x(2, 3)),
            "scalar": (like(0.25), x()),
            "empty": (x(0), x(0)),
            "large": (like([0.0, 1.0]), like([1000.0, -1000.0])),
        },
        FLOATS,
        gradient=True,
        rtol=SUMS,
    ),
    op(
        "weighted_cross_entropy_with_logits",
        lambda tf, labels, logits: tf.nn.weighted_cross_entropy_with_logits(labels, logits, pos_weight=2.0),
        {"matrix": (PROBABILITIES, x(2, 3))},
        FLOATS[2:],
        gradient=True,
    ),
    op("L2Loss", lambda tf, a: tf.nn.l2_loss(a), unary(), FLOATS, gradient=True, rtol=SUMS),
    op(
        "BiasAdd",
        lambda tf, a, b: tf.nn.bias_add(a, b),
        {
            "matrix": (x(2, 3), y(3)),
            "image": (x(1, 2, 2, 2), y(2)),
            "empty": (x(0, 2), y(2)),
            "wrong": (x(2, 3), y(2)),
            "vector": (x(3), y(3)),
        },
        (*FLOATS, "int32"),
        gradient=True,
    ),
    op(
        "BiasAdd",
        lambda tf, a, b: tf.nn.bias_add(a, b, data_format="NCHW"),
        {"image": (x(1, 2, 2, 2), y(2))},
        FLOATS[2:],
        "NCHW",
        gradient=True,
    ),
    op(
        "batch_normalization",
        lambda tf, a, m, v: tf.nn.batch_normalization(a, m, v, offset=None, scale=None, variance_epsilon=0.001),
        {"matrix": (x(2, 3), y(3), like([1.0, 2.0, 0.5]))},
        FLOATS[2:],
        gradient=True,
    ),
    op(
        "relu_layer",
        lambda tf, a, w, b: tf.nn.relu(tf.matmul(a, w) + b),
        {"layer": (x(2, 3), y(3, 2), y(2))},
        FLOATS[2:],
        gradient=True,
        rtol=SUMS,
    ),
    op(
        "softmax_of_relu",
        lambda tf, a: tf.nn.softmax(tf.nn.relu(a) - tf.reduce_max(a)),
        {"matrix": (x(2, 3),)},
        FLOATS[2:],
        gradient=True,
    ),
    op("dropout", lambda tf, a: tf.nn.dropout(a, rate=0.0), {"matrix": (x(2, 3),)}, FLOATS, gradient=True),
    op(
        "stateless_dropout",
        lambda tf, a: tf.nn.experimental.stateless_dropout(a, rate=0.5, seed=[1, 2]),
        {"matrix": (y(2, 4),)},
        FLOATS[2:],
        gradient=True,
    ),
    op(
        "l2_normalize",
        lambda tf, a: tf.nn.l2_normalize(a, axis=[0, 1]),
        {"matrix": (x(2, 2),)},
        FLOATS[2:],
        gradient=True,
    ),
    op(
        "zero_fraction",
        lambda tf, a: tf.nn.zero_fraction(a),
        {"matrix": (like([[0, 1], [2, 0]]),)},
        ("float32", "int32"),
    ),
    *variants(
        "Conv2D",
        {
            "valid": lambda tf, a, f: tf.nn.conv2d(a, f, strides=1, padding="VALID"),
            "same": lambda tf, a, f: tf.nn.conv2d(a, f, strides=[1, 2, 2, 1], padding="SAME"),
        },
        {"image": (IMAGE, FILTERS)},
        ("float32", "float64"),
        gradient=True,
        rtol=SUMS,
    ),
    *variants(
        "MaxPool",
        {
            "max": lambda tf, a: tf.nn.max_pool2d(a, 2, 2, "VALID"),
            "average": lambda tf, a: tf.nn.avg_pool2d(a, 2, 1, "SAME"),
        },
        {"image": (IMAGE,)},
        ("float32", "float64"),
        gradient=True,
    ),
]
