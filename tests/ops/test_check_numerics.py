"""``tf.debugging.enable_check_numerics``: which ops are checked, what the error says, where it ends."""

from __future__ import annotations

import threading

import pytest

import graphlab as tf

NAN, INF = float("nan"), float("inf")


@pytest.fixture(autouse=True)
def checked():
    tf.debugging.enable_check_numerics()
    yield
    tf.debugging.disable_check_numerics()


def slope_of_root():
    x = tf.constant(0.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sqrt(x)
    return tape.gradient(y, x)


# What is reported, and the op it is reported of: recorded from TensorFlow 2.21.
FOUND = {
    "log": (lambda: tf.math.log(tf.constant([-3.0, -2.0, 5.0])), "Log", "# of +NaN elements: 2"),
    "division": (lambda: tf.constant([1.0]) / tf.constant([0.0]), "RealDiv", "# of +Inf elements: 1"),
    "negative": (lambda: tf.constant([-1.0]) / tf.constant([0.0]), "RealDiv", "# of -Inf elements: 1"),
    "operator": (lambda: tf.constant(NAN) + 1, "AddV2", "# of +NaN elements: 1"),
    "cast": (lambda: tf.cast(tf.constant(1e30), tf.float16), "Cast", "dtype: <dtype: 'float16'>"),
    "variable": (lambda: tf.Variable(NAN) + 1, "ReadVariableOp", "shape: ()"),
    "stack": (lambda: tf.stack([tf.constant(INF)]), "Pack", "Input tensor: tf.Tensor(inf, shape=(), dtype=float32)"),
    "gradient": (slope_of_root, "SqrtGrad", "Input tensors (2):"),
    "complex": (lambda: tf.complex(tf.constant(NAN), tf.constant(0.0)), "Complex", "# of +NaN elements: 1"),
}

# Nothing is reported of these.
PASSED = {
    "constant": lambda: tf.constant(NAN),
    "identity": lambda: tf.identity(tf.constant(INF)),
    "reshape": lambda: tf.reshape(tf.constant([INF]), [1, 1]),
    "where": lambda: tf.where(tf.constant([True]), [1.0], [NAN]),
    "maximum": lambda: tf.maximum(tf.constant(NAN), 1.0),
    "integers": lambda: tf.constant(5) // tf.constant(2),
    "finite": lambda: tf.math.log(tf.constant(2.0)),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_bad_result_is_reported_with_its_op_and_line(name):
    call, op, part = FOUND[name]
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        call()
    text = str(caught.value)
    assert f'!!! Detected Infinity or NaN in output 0 of eagerly-executing op "{op}" (# of outputs: 1) !!!' in text
    assert part in text
    assert "test_check_numerics.py (L" in text
    assert "Op:CheckNumericsV2" in text


@pytest.mark.parametrize("name", PASSED)
def test_what_only_moves_values_is_not_checked(name):
    PASSED[name]()


def test_a_traced_op_is_reported_with_the_line_that_made_it():
    @tf.function
    def f(x):
        y = x + 1.0
        return tf.math.log(y - 5.0)  # here

    assert f(tf.constant([9.0])).numpy() == pytest.approx(1.609438)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.constant([1.0]))
    text = str(caught.value)
    assert 'in output 0 of graph op "Log"' in text
    assert 'Graph name: "f"' in text
    assert "return tf.math.log(y - 5.0)  # here" in text
    assert "node Log/CheckNumericsV2" in text


def test_loops_and_branches_are_checked_inside():
    @tf.function
    def f(x):
        for _ in tf.range(3):
            if x > 0:
                x = x * 1e30
        return x

    with pytest.raises(tf.errors.InvalidArgumentError, match='graph op "Mul"'):
        f(tf.constant(1e10))


def test_program_order_effects_before_the_bad_op_have_happened():
    v = tf.Variable(0.0)

    @tf.function
    def f(x):
        v.assign_add(1.0)
        y = tf.math.log(x)
        v.assign_add(10.0)
        return y

    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(-1.0))
    assert v.numpy() == 1


def test_gradients_work_while_checking():
    @tf.function
    def f(x):
        return x * x

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x) * 2.0
    assert tape.gradient(y, x).numpy() == 12


def test_it_ends_with_disable_but_what_was_traced_keeps_its_checks():
    f = tf.function(lambda x: tf.math.log(x))
    f(tf.constant(1.0))
    tf.debugging.disable_check_numerics()
    tf.debugging.disable_check_numerics()
    assert tf.math.is_nan(tf.math.log(tf.constant(-1.0)))
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(-1.0))
    tf.debugging.enable_check_numerics()
    tf.debugging.enable_check_numerics()
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.math.log(tf.constant(-1.0))


def test_other_threads_are_not_checked():
    found = []
    thread = threading.Thread(target=lambda: found.append(bool(tf.math.is_nan(tf.math.log(tf.constant(-1.0))))))
    thread.start()
    thread.join()
    assert found == [True]


def test_the_number_of_frames_and_the_length_of_paths():
    tf.debugging.disable_check_numerics()
    tf.debugging.enable_check_numerics(stack_height_limit=1, path_length_limit=12)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.math.log(tf.constant(-1.0))
    lines = [line for line in str(caught.value).splitlines() if "(L" in line]
    assert len(lines) == 1
    assert lines[0].strip().startswith("...")
    assert "numerics.py (L" in lines[0]
