"""Arguments that fit no op: the classes of errors are TensorFlow's, which differ between eager code and graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphlab as tf

INVALID = tf.errors.InvalidArgumentError
UNIMPLEMENTED = tf.errors.UnimplementedError
IMAGE, FILTER = tf.ones([1, 4, 4, 1]), tf.ones([2, 2, 1, 1])
UNKNOWN = tf.TensorSpec(None, tf.int32)

# call, the error eagerly, the error while tracing
CASES: list[tuple[str, Any, type[Exception], type[Exception]]] = [
    ("concat of nothing", lambda: tf.concat([], 0), INVALID, ValueError),
    ("stack of nothing on another axis", lambda: tf.stack([], 1), IndexError, IndexError),
    ("linspace of less than none", lambda: tf.linspace(0.0, 1.0, -1), INVALID, ValueError),
    ("repeats that are too few", lambda: tf.repeat([1, 2, 3], [1, 2]), ValueError, ValueError),
    ("repeats that are too many", lambda: tf.repeat([[1, 2], [3, 4]], [1, 2, 3], axis=0), ValueError, ValueError),
    ("repeats of a scalar", lambda: tf.repeat(1, [1, 2]), ValueError, ValueError),
    ("sort on an axis that is none", lambda: tf.sort([1, 2], axis=1), INVALID, ValueError),
    ("sort on an axis in front of all", lambda: tf.sort([[1, 2]], axis=-3, direction="DESCENDING"), INVALID, ValueError),
    ("argsort on an axis that is none", lambda: tf.argsort([1, 2], axis=1), INVALID, ValueError),
    ("sort of a scalar", lambda: tf.sort(1), INVALID, ValueError),
    ("normal integers", lambda: tf.random.normal([2], dtype=tf.int32), TypeError, TypeError),
    ("normal texts", lambda: tf.random.normal([2], dtype=tf.string), TypeError, TypeError),
    ("truncated normal integers", lambda: tf.random.truncated_normal([2], dtype=tf.int32), TypeError, TypeError),
    ("stateless normal integers", lambda: tf.random.stateless_normal([2], [1, 2], dtype=tf.int32), TypeError, TypeError),
    ("uniform texts", lambda: tf.random.uniform([2], dtype=tf.string), ValueError, ValueError),
    ("a text as seed of normal", lambda: tf.random.normal([2], seed="a"), TypeError, TypeError),
    ("an axis of argmax that is a list", lambda: tf.argmax([1, 2], [0]), TypeError, TypeError),
    ("an axis of argmax that is a float", lambda: tf.argmax([1, 2], tf.constant(0.0)), TypeError, TypeError),
    ("an axis of argmin that is a list", lambda: tf.argmin([1, 2], [0]), INVALID, ValueError),
    ("an axis of cumsum that is a list", lambda: tf.cumsum([1, 2], [0]), INVALID, INVALID),
    ("a perm that is a matrix", lambda: tf.transpose([[1, 2]], [[0, 1]]), INVALID, ValueError),
    ("a perm that is too long", lambda: tf.transpose([[1, 2]], [0, 1, 2]), INVALID, ValueError),
    ("an axis of concat that is a list", lambda: tf.concat([[1], [2]], [0, 0]), INVALID, ValueError),
    ("a band of lists", lambda: tf.linalg.band_part([[1, 2]], [0], 0), INVALID, INVALID),
    ("a permutation that is a scalar", lambda: tf.math.invert_permutation(0), INVALID, ValueError),
    ("a pseudo-inverse of a vector", lambda: tf.linalg.pinv([1.0, 2.0]), ValueError, ValueError),
    ("a matrix exponential of integers", lambda: tf.linalg.expm([[1, 2], [3, 4]]), ValueError, ValueError),
    ("least squares of a vector", lambda: tf.linalg.lstsq([1.0], [[1.0]]), ValueError, ValueError),
    ("a diagonal of Python bools", lambda: tf.linalg.diag([True, False]), TypeError, TypeError),
    ("beta functions of shapes that differ", lambda: tf.math.betainc([1.0, 2.0], [[1.0]], 0.5), INVALID, ValueError),
    ("reciprocals of integers", lambda: tf.math.reciprocal([1, 2]), tf.errors.NotFoundError, INVALID),
    ("complex numbers rounded", lambda: tf.round([1j]), tf.errors.NotFoundError, INVALID),
    ("a text cast to a number", lambda: tf.cast("1", tf.int32), UNIMPLEMENTED, UNIMPLEMENTED),
    ("whether bools increase", lambda: tf.math.is_non_decreasing([True]), TypeError, TypeError),
    ("a text plus a number", lambda: tf.add("a", tf.constant(1.0)), INVALID, TypeError),
    ("a tensor of text plus a number", lambda: tf.constant("a") + 1, INVALID, TypeError),
    ("a number plus a tensor of text", lambda: 1 + tf.constant("a"), TypeError, TypeError),
    ("a tensor of text minus a number", lambda: tf.constant("a") - 1, TypeError, TypeError),
    ("shapes that differ, and a zero", lambda: tf.truncatediv([1, 2, 3], [0, 5]), INVALID, ValueError),
    ("a sorted sequence of integers", lambda: tf.searchsorted([1, 2], [0.5]), INVALID, TypeError),
    ("sorted bools", lambda: tf.sort([True]), INVALID, TypeError),
    ("an axis of sort that is a dict", lambda: tf.sort([1], {}), ValueError, TypeError),
    ("axes of tensordot that are floats", lambda: tf.tensordot([1.0], [1.0], 1.5), TypeError, TypeError),
    ("axes of tensordot in a vector", lambda: tf.tensordot([1.0], [1.0], tf.constant([1])), INVALID, ValueError),
    ("a tensordot of two dtypes", lambda: tf.tensordot(tf.constant([1.0]), [1], 1), INVALID, TypeError),
    ("an axis of softmax that is a float", lambda: tf.nn.softmax([1.0], tf.constant(0.0)), INVALID, TypeError),
    ("a negative size of a batch", lambda: tf.nn.compute_average_loss([1.0], None, -1), INVALID, INVALID),
    ("labels that are integers", lambda: tf.nn.sigmoid_cross_entropy_with_logits([1], [1.0]), INVALID, TypeError),
    ("a slope that is a tensor", lambda: tf.nn.leaky_relu([1.0], tf.constant(0.1)), TypeError, TypeError),
    ("a variance that is a list", lambda: tf.nn.batch_normalization([1.0], 0.0, [1.0], 0.0, 1.0, 0.1), TypeError, TypeError),
    ("a rate of dropout that is a list", lambda: tf.nn.dropout([1.0], [0.5]), ValueError, ValueError),
    ("a window that is a word", lambda: tf.nn.pool(IMAGE, "ab", "MAX"), TypeError, TypeError),
    ("strides that are a word", lambda: tf.nn.pool(IMAGE, [2, 2], "MAX", "ab"), ValueError, ValueError),
    ("pairs around a mean", lambda: tf.nn.avg_pool1d(IMAGE[0], 2, 1, [[0, 0]] * 3), TypeError, TypeError),
    ("a window of nothing", lambda: tf.nn.max_pool_with_argmax(IMAGE, [1, 0, 2, 1], 1, "SAME"), INVALID, ValueError),
    ("steps back", lambda: tf.nn.max_pool_with_argmax(IMAGE, 2, -1, "SAME"), INVALID, ValueError),
    ("strides of images", lambda: tf.nn.conv2d(IMAGE, FILTER, [2, 1, 1, 1], "SAME"), UNIMPLEMENTED, UNIMPLEMENTED),
    ("strides of images back", lambda: tf.nn.conv2d_transpose(IMAGE, FILTER, [1, 4, 4, 1], [2, 1, 1, 1]), INVALID, INVALID),
    ("no strides of volumes", lambda: tf.nn.conv3d(IMAGE[None], FILTER[None], None, "SAME"), INVALID, TypeError),
    ("no rates", lambda: tf.nn.dilation2d(IMAGE, FILTER[..., 0], [1] * 4, "SAME", "NHWC", []), INVALID, ValueError),
    ("a rate that is none", lambda: tf.nn.atrous_conv2d(IMAGE, FILTER, None, "SAME"), TypeError, TypeError),
    ("a shape of one number", lambda: tf.nn.conv1d_transpose(IMAGE[0], FILTER[0], 4, 1), TypeError, TypeError),
    ("channels that differ", lambda: tf.nn.conv2d_transpose(IMAGE, tf.ones([2, 2, 1, 3]), [1, 4, 4, 1], 1), INVALID, ValueError),
    ("blocks of one", lambda: tf.nn.depth_to_space(tf.ones([1, 1, 1, 4]), 1), INVALID, ValueError),
    ("a text as seed of uniform", lambda: tf.random.uniform([2], seed="a"), TypeError, TypeError),
]  # fmt: skip


@pytest.fixture
def seeded():
    tf.random.set_seed(1)
    yield
    tf.random.set_seed(0)


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize(("call", "eager", "traced"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_class_of_the_error(call: Any, eager: type[Exception], traced: type[Exception]) -> None:
    with pytest.raises(eager):
        call()
    with pytest.raises(traced):
        tf.function(call)()


@pytest.mark.parametrize("how", [lambda f: f, tf.function], ids=["eager", "traced"])
@pytest.mark.parametrize(
    ("call", "shape", "dtype"),
    [
        (lambda: tf.stack([]), [0], tf.float32),
        (lambda: tf.stack(()), [0], tf.float32),
        (lambda: tf.linspace(0.0, 1.0, 0), [0], tf.float32),
        (lambda: tf.linspace(tf.constant([0.0, 1.0], tf.float64), [1.0, 2.0], 0), [0, 2], tf.float64),
    ],
    ids=["stack of a list", "stack of a tuple", "linspace", "linspace of vectors"],
)
def test_nothing_makes_nothing(call: Any, shape: list[int], dtype: Any, how: Any) -> None:
    result = how(call)()
    assert (result.shape.as_list(), result.dtype) == (shape, dtype)


def test_a_number_of_values_that_shows_when_the_graph_runs() -> None:
    f = tf.function(lambda n: tf.linspace(0.0, 1.0, n))
    assert f(tf.constant(0)).shape == (0,)
    with pytest.raises(INVALID):
        f(tf.constant(-1))


def test_labels_whose_shape_shows_when_the_graph_runs() -> None:
    specs = [UNKNOWN, tf.TensorSpec(None)]
    loss = tf.function(
        lambda labels, logits: tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits), input_signature=specs
    )
    logits = tf.zeros([2, 3])
    np.testing.assert_allclose(loss(tf.constant([0, 1]), logits), np.full(2, np.log(3.0)), rtol=1e-6)
    with pytest.raises(INVALID, match="labels"):
        loss(tf.constant([[0], [1]]), logits)


@pytest.mark.parametrize("op", [tf.math.xlogy, tf.math.xdivy, tf.math.xlog1py], ids=lambda op: op.__name__)
@pytest.mark.parametrize("y", [-0.5, 0.5, 2.0, 0.0, np.nan, np.inf])
def test_zero_by_anything_is_that_zero(op: Any, y: float) -> None:
    result = op(tf.constant([0.0, -0.0], tf.float64), tf.constant(y, tf.float64)).numpy()
    assert result.tolist() == [0.0, 0.0]
    assert np.signbit(result).tolist() == [False, True]


@pytest.mark.parametrize("how", [lambda f: f, tf.function], ids=["eager", "traced"])
def test_the_axes_of_a_tensordot_in_a_tensor(how: Any) -> None:
    a, b = tf.reshape(tf.range(24.0), [2, 3, 4]), tf.reshape(tf.range(12.0), [4, 3])
    result = how(tf.tensordot)(a, b, tf.constant([[1, 2], [1, 0]]))
    np.testing.assert_array_equal(result, np.tensordot(a.numpy(), b.numpy(), [[1, 2], [1, 0]]))


@pytest.mark.parametrize("how", [lambda f: f, tf.function], ids=["eager", "traced"])
def test_weighted_losses_are_float32(how: Any) -> None:
    """TensorFlow casts them, so integers are weighted before they are cut off, and doubles lose digits."""
    whole = how(tf.nn.compute_average_loss)(tf.constant([0, 1, 2]), tf.constant([0.5, 1.25, 0.75]))
    assert whole.numpy() == 2 / 3
    double = how(tf.nn.compute_average_loss)(tf.constant([1 / 3], tf.float64), tf.constant([1.0]))
    assert double.numpy() == np.float32(1 / 3)


@pytest.mark.parametrize("how", [lambda f: f, tf.function], ids=["eager", "traced"])
@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ([[1.0, 2.0], [3.0, 4.0]], [2.0, 1.0]),
        ([[1, 2], [3]], [2, 1]),
        ([[[1.0, 2.0]], [[3.0, 4.0]]], [[3.0, 4.0], [1.0, 2.0]]),
        ([[[1.0, 2.0], [3.0, 4.0]]], [[3.0, 4.0], [1.0, 2.0]]),
    ],
    ids=["vectors", "vectors of two lengths", "matrices", "one matrix"],
)
def test_a_list_of_embeddings_is_a_list_of_parts(params: Any, expected: Any, how: Any) -> None:
    assert how(lambda: tf.nn.embedding_lookup(params, [1, 0]))().numpy().tolist() == expected


@pytest.mark.parametrize(
    ("filters", "sizes", "shape"),
    [
        (FILTER, [0, 4, 4, 1], [0, 4, 4, 1]),
        (FILTER, [0, 5], [1, 0, 5, 1]),
        (tf.zeros([0, 2, 1, 1]), [1, 4, 4, 1], [1, 4, 4, 1]),
    ],
    ids=["no images", "no rows", "no filter"],
)
def test_a_transposed_convolution_of_nothing(filters: Any, sizes: list[int], shape: list[int]) -> None:
    result = tf.nn.conv2d_transpose(IMAGE, filters, sizes, 1)
    assert result.shape == shape
    assert not result.numpy().any()
