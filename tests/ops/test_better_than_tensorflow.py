"""Where ops do the right thing and TensorFlow 2.21 does not: the rows about ops in docs/differences.md."""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf


def traced(function):
    return tf.function(function, autograph=False)


BOTH = pytest.mark.parametrize("how", [lambda f: f, traced], ids=["eager", "traced"])


@BOTH
def test_erf_of_infinity(how):
    x = tf.constant([np.inf, -np.inf], tf.float64)
    assert how(tf.math.erf)(x).numpy().tolist() == [1.0, -1.0]


@BOTH
def test_saturate_cast_to_the_64_bit_bounds(how):
    def cast(x):
        return tf.saturate_cast(x, tf.int64)

    big = how(cast)(tf.constant([1e20, -1e20, 5.0]))
    assert big[0].numpy() > 2**62
    assert big[1:].numpy().tolist() == [-(2**63), 5]
    whole = tf.constant([2**63 - 1, -(2**63)], tf.int64)
    assert how(cast)(whole).numpy().tolist() == [2**63 - 1, -(2**63)]


@BOTH
def test_reshape_to_a_reversed_shape(how):
    def reverse(x):
        return tf.reshape(x, tf.shape(x)[::-1])

    assert how(reverse)(tf.ones([2, 3])).shape == [3, 2]


@BOTH
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 9])
def test_complex_division_by_zero_does_not_depend_on_the_position(how, count):
    result = how(tf.divide)(tf.ones([count], tf.complex64), tf.zeros([count], tf.complex64))
    assert np.isnan(result.numpy()).all()


@BOTH
def test_a_range_of_halves_has_the_length_that_was_inferred(how):
    def tenths():
        return tf.range(tf.constant(0, tf.float16), tf.constant(1, tf.float16), tf.constant(0.1, tf.float16))

    assert how(tenths)().shape == [10]


@BOTH
def test_broadcast_to_a_shape_that_does_not_fit(how):
    with pytest.raises(tf.errors.InvalidArgumentError):
        how(tf.broadcast_to)(tf.constant([1.0, 2.0]), tf.constant([3]))


@BOTH
def test_dtypes_without_a_kernel_in_tensorflow(how):
    assert how(tf.math.rint)(tf.constant([0.5, 1.5], tf.bfloat16)).numpy().astype(float).tolist() == [0, 2]
    assert how(tf.math.lgamma)(tf.constant([3.0], tf.bfloat16)).dtype == tf.bfloat16


@BOTH
@pytest.mark.parametrize(("dtype", "smallest"), [(tf.float32, 2.0**-149), (tf.float64, 2.0**-1074)])
def test_subnormal_numbers_are_kept(how, dtype, smallest):
    def twice(x):
        return x * 2.0

    assert float(how(twice)(tf.constant(smallest, dtype))) == 2 * smallest


@BOTH
def test_a_cumulative_logsumexp_behind_nan_is_nan(how):
    result = how(tf.math.cumulative_logsumexp)(tf.constant([1.0, np.nan, 2.0]))
    assert np.isnan(result.numpy()).tolist() == [False, True, True]


def test_a_traced_call_rounds_as_the_eager_one_does():
    """TensorFlow's graph rewrites make ``expm1`` of this."""

    def rough(x):
        return tf.exp(x) - 1.0

    x = tf.constant([1e-12, 1e-3])
    assert traced(rough)(x).numpy().tolist() == rough(x).numpy().tolist()
    assert rough(x)[0].numpy() == 0.0


@BOTH
def test_a_python_number_beyond_32_bits_is_no_int32(how):
    for number in (2**31, 2**40, -(2**31) - 1):
        with pytest.raises(TypeError, match=str(number)):
            how(lambda number=number: tf.constant(number, tf.int32))()


def test_boolean_mask_counts_axes_from_the_end():
    mask = [True, False, True]
    assert tf.boolean_mask([[1, 2, 3], [4, 5, 6]], mask, axis=-1).numpy().tolist() == [[1, 3], [4, 6]]


@pytest.mark.parametrize("seed", ["odd", [1, 2], {}])
def test_a_seed_is_a_number(seed):
    with pytest.raises(TypeError, match="int"):
        tf.random.set_seed(seed)


@BOTH
def test_more_labels_than_times_are_impossible(how):
    """The loss of what can't be is infinite, and nothing that the logits do makes it smaller."""

    def loss_and_slope(logits):
        with tf.GradientTape() as tape:
            tape.watch(logits)
            loss = tf.nn.ctc_loss([[1, 2, 3, 1, 2], [1, 0, 0, 0, 0]], logits, [5, 1], [3, 3])
        return loss, tape.gradient(loss, logits)

    loss, slope = how(loss_and_slope)(tf.random.stateless_normal([3, 2, 4], [1, 2]))
    assert np.isinf(loss.numpy()).tolist() == [True, False]
    assert not slope.numpy()[:, 0].any()
    assert slope.numpy()[:, 1].any()


@BOTH
@pytest.mark.parametrize("label", [4, 7, -1])
def test_a_dense_label_that_is_no_class_is_refused(how, label):
    with pytest.raises(tf.errors.InvalidArgumentError, match="labels must be in"):
        how(lambda logits: tf.nn.ctc_loss([[1, label]], logits, [2], [3]))(tf.zeros([3, 1, 4]))


@BOTH
def test_convolutions_without_a_kernel_in_tensorflow(how):
    x, f = tf.random.stateless_normal([2, 5, 5, 4], [1, 2]), tf.random.stateless_normal([3, 3, 2, 6], [3, 4])
    ones = [1, 1, 1, 1]
    expected = tf.nn.conv2d(x, f, 1, "SAME")
    groups = how(lambda x, f: tf.conv(x, f, ones, "SAME", groups=2))(x, f)
    np.testing.assert_allclose(groups, expected, rtol=1e-5, atol=1e-5)
    f = tf.concat([f, -f], 2)
    whole = tf.nn.conv2d(x, f, 1, "SAME")
    first = how(lambda x, f: tf.conv(x, f, ones, "SAME", data_format="CHANNELS_FIRST"))(
        tf.transpose(x, [0, 3, 1, 2]), f
    )
    np.testing.assert_allclose(tf.transpose(first, [0, 2, 3, 1]), whole, rtol=1e-5, atol=1e-5)

    def slopes(function):
        def both(x, f):
            with tf.GradientTape() as tape:
                tape.watch([x, f])
                y = tf.reduce_sum(function(x, f) ** 2)
            return tape.gradient(y, [x, f])

        return both

    by_conv = how(slopes(lambda x, f: tf.conv(x, f, ones, "SAME")))(x, f)
    by_conv2d = slopes(lambda x, f: tf.nn.conv2d(x, f, 1, "SAME"))(x, f)
    dy = 2 * whole
    by_input = how(lambda x, f, dy: tf.conv2d_backprop_input_v2(x, f, dy, ones, "SAME"))(x, f, dy)
    by_filter = how(lambda x, f, dy: tf.conv2d_backprop_filter_v2(x, f, dy, ones, "SAME"))(x, f, dy)
    for got in (by_conv, (by_input, by_filter)):
        for a, b in zip(got, by_conv2d, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)


@BOTH
def test_the_smallest_elements_have_a_kernel(how):
    found = how(lambda x: tf.math.approx_min_k(x, 2))(tf.constant([3.0, 1.0, 2.0]))
    assert [part.numpy().tolist() for part in found] == [[1.0, 2.0], [1, 2]]


@BOTH
def test_the_gradient_of_an_isotonic_regression_has_the_shape_of_its_input(how):
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.nn.isotonic_regression(x)[0] * [1.0, 2.0, 4.0])
        return tape.gradient(y, x)

    assert how(slope)(tf.constant([3.0, 1.0, 2.0])).numpy().tolist() == [1.0, 3.0, 3.0]


@pytest.mark.parametrize("values", [[1, 2], [[1, 2], [3, 4]]])
def test_a_constant_may_have_tensors_in_its_lists(values):
    assert tf.constant([tf.constant(values[0]), *values[1:]]).numpy().tolist() == values


@BOTH
@pytest.mark.parametrize("place", [-1, -7, [0, -2]])
def test_places_below_zero_are_out_of_range(how, place):
    with pytest.raises(tf.errors.InvalidArgumentError):
        how(tf.unravel_index)(place, [2, 3])


@BOTH
def test_any_tensor_fits_the_unknown_shape(how):
    assert how(lambda x: tf.ensure_shape(x, None))(tf.ones([2, 3])).shape == [2, 3]
