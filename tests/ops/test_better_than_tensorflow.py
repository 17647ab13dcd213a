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
