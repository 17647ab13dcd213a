"""Assertions: what holds, what fails, in eager mode, while tracing and when a graph runs."""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf

D = tf.debugging
BAD = tf.errors.InvalidArgumentError

HOLDS = [
    (D.assert_equal, ([1, 2], [1, 2])),
    (D.assert_equal, (["a"], "a")),
    (D.assert_none_equal, ([1, 2], [2, 1])),
    (D.assert_less, ([1.0, 2.0], 3.0)),
    (D.assert_less_equal, ([1, 2], [1, 3])),
    (D.assert_greater, ([3], [1])),
    (D.assert_greater_equal, ([1, 2], 1)),
    (D.assert_near, (1.0, 1.0000001)),
    (D.assert_positive, ([1, 2],)),
    (D.assert_negative, ([-1.5],)),
    (D.assert_non_negative, ([0, 1],)),
    (D.assert_non_positive, ([0, -1],)),
    (D.assert_positive, (np.zeros([0], np.float32),)),
]
FAILS = [
    (D.assert_equal, ([1, 2], [1, 3])),
    (D.assert_equal, ("a", "b")),
    (D.assert_none_equal, ([1, 2], [1, 1])),
    (D.assert_less, ([1.0, 2.0], 2.0)),
    (D.assert_less_equal, ([1, 4], [1, 3])),
    (D.assert_greater, ([1], [1])),
    (D.assert_greater_equal, ([0, 2], 1)),
    (D.assert_near, (1.0, 1.1)),
    (D.assert_positive, ([1, 0],)),
    (D.assert_negative, ([0.0],)),
    (D.assert_non_negative, ([0, -1],)),
    (D.assert_non_positive, ([0, 1],)),
    (D.assert_less, ([np.nan], [1.0])),
]


@pytest.mark.parametrize(("check", "values"), HOLDS)
def test_what_holds(check, values):
    assert check(*values) is None

    @tf.function(autograph=False)
    def known():
        check(*values)

    @tf.function(autograph=False)
    def unknown(*tensors):
        check(*tensors)

    known()
    unknown(*[tf.constant(value) for value in values])


@pytest.mark.parametrize(("check", "values"), FAILS)
def test_what_fails(check, values):
    with pytest.raises(BAD, match="said first"):
        check(*values, message="said first")

    @tf.function(autograph=False)
    def known():
        check(*values, message="said first")

    @tf.function(autograph=False)
    def unknown(*tensors):
        check(*tensors, message="said first")
        return 1

    # The comparison of assert_near is made of ops: it is decided when they run.
    decide = known if check is D.assert_near else known.get_concrete_function
    with pytest.raises(BAD, match="said first"):
        decide()
    concrete = unknown.get_concrete_function(*[tf.constant(value) for value in values])  # tracing it is no error
    with pytest.raises(BAD, match="said first"):
        concrete(*[tf.constant(value) for value in values])


def test_the_error_shows_where():
    with pytest.raises(BAD) as error:
        D.assert_equal([1, 2, 3, 4, 5], [1, 3, 3, 4, 6], summarize=2)
    text = str(error.value)
    for part in ("Indices of first 2 different values:\n[[1]\n [4]]", "Corresponding x values:\n[2 5]", "[3 6]"):
        assert part in text


def test_an_assertion_that_is_known_to_hold_leaves_no_op():
    @tf.function(autograph=False)
    def f(x):
        D.assert_equal(x, x)
        D.assert_rank(x, 1)

    types = [op.type for op in f.get_concrete_function(tf.TensorSpec([2])).graph.get_operations()]
    assert set(types) <= {"Placeholder", "NoOp", "Const"}


def test_the_error_points_at_the_users_line():
    @tf.function
    def f(x):
        D.assert_positive(x, message="here")
        return x

    with pytest.raises(BAD) as error:
        f(tf.constant([1.0, -1.0]))
    assert "assertion failed: [here] [Condition x > 0 did not hold element-wise:]" in str(error.value)
    assert "D.assert_positive(x" in str(error.value)


def test_effects_happen_before_the_failing_assertion(capsys):
    @tf.function
    def f(x):
        tf.print("before")
        D.assert_positive(x)
        tf.print("after")
        return x

    with pytest.raises(BAD):
        f(tf.constant(-1))
    assert capsys.readouterr().err == "before\n"


def test_as_a_control_dependency():
    @tf.function
    def f(x):
        with tf.control_dependencies([D.assert_equal(x, 1)]):
            return tf.identity(x)

    assert f(tf.constant(1)).numpy() == 1
    with pytest.raises(BAD):
        f(tf.constant(2))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: D.Assert(tf.constant(False), ["data", tf.constant([1, 2])]), BAD),
        (lambda: D.Assert(False, [1]), BAD),
        (lambda: D.Assert(tf.constant([True, False]), ["x"]), ValueError),
        (lambda: D.assert_rank([1], 2), ValueError),
        (lambda: D.assert_rank(1, [1, 2]), ValueError),
        (lambda: D.assert_rank_at_least(1, 1), ValueError),
        (lambda: D.assert_rank_in(1, (1, 2)), ValueError),
        (lambda: D.assert_scalar([1]), ValueError),
        (lambda: D.assert_type(tf.constant(1), tf.float32), TypeError),
        (lambda: D.assert_integer(1.0), TypeError),
        (lambda: D.assert_same_float_dtype([tf.constant(1.0), tf.constant(1.0, tf.float64)]), ValueError),
        (lambda: D.assert_same_float_dtype([tf.constant(1)]), ValueError),
        (lambda: D.assert_proper_iterable(5), TypeError),
        (lambda: D.assert_proper_iterable(tf.constant([1])), TypeError),
        (lambda: D.assert_near(1, 1), ValueError),
        (lambda: D.assert_equal([1, 2], [1, 2, 3]), BAD),
        (lambda: D.assert_all_finite([1.0, np.inf], "x"), BAD),
        (lambda: D.assert_shapes([(tf.ones([2]), ("N",)), (tf.ones([3]), ("N",))]), ValueError),
        (lambda: D.assert_shapes([(tf.ones([1, 2]), (1, 3))]), ValueError),
        (lambda: D.assert_shapes([(tf.ones([1]), "NM")]), ValueError),
        (lambda: D.assert_shapes([(tf.ones([1]), ())]), ValueError),
    ],
)
def test_errors(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: D.Assert(True, []),
        lambda: D.assert_rank([1], 1),
        lambda: D.assert_rank_at_least([[1]], 1),
        lambda: D.assert_rank_in(1, (0, 2)),
        lambda: D.assert_shapes([(tf.ones([2, 3]), ("N", "D")), (tf.ones([3]), "D"), (tf.ones([4, 5, 3]), (..., "D"))]),
        lambda: D.assert_proper_iterable([1]),
        lambda: D.assert_type(1, tf.int32),
    ],
)
def test_no_errors(call):
    assert call() is None


def test_shapes_that_are_not_known_while_tracing():
    @tf.function(input_signature=[tf.TensorSpec([None, None]), tf.TensorSpec(None)])
    def f(x, y):
        D.assert_shapes([(x, ("N", 2))])
        D.assert_rank(y, 1)
        return x

    f(tf.ones([3, 2]), tf.ones([1]))
    with pytest.raises(BAD):
        f(tf.ones([3, 3]), tf.ones([1]))
    with pytest.raises(BAD):
        f(tf.ones([3, 2]), tf.ones([1, 1]))


def test_is_numeric_tensor():
    assert D.is_numeric_tensor(tf.constant(1))
    assert not D.is_numeric_tensor(tf.constant("a"))
    assert not D.is_numeric_tensor(1)
