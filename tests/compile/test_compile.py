"""Generated functions: what runs, in which order, and what an error says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphlab as tf
from graphlab.compile import executable
from graphlab.compile.executable import Executable


def source(function: Any, *specs: Any) -> str:
    return executable(tf.function(function).get_concrete_function(*specs).graph).source


SCALAR = tf.TensorSpec([])


def test_one_line_per_op_and_names_used_again() -> None:
    text = source(lambda x: (x * 2.0 + 1.0) * 3.0, tf.TensorSpec([4]))
    body = text.split("def entry")[1].splitlines()
    assigned = [line.split("=")[0].strip() for line in body if " = " in line and "token" not in line]
    assert len(assigned) == 3
    assert len(set(assigned)) == 1, "a dead value's name is used again"


def test_unneeded_ops_do_not_run_and_effects_do() -> None:
    v = tf.Variable(0)

    @tf.function
    def f(x: Any) -> Any:
        x // 0  # would fail
        v.assign_add(1)
        return x

    assert int(f(tf.constant(3))) == 3
    assert int(v) == 1


def test_effects_keep_program_order() -> None:
    log: list[int] = []
    v = tf.Variable(1)

    @tf.function
    def f() -> Any:
        tf.numpy_function(lambda x: log.append(int(x)), [v.read_value()], [])
        v.assign_add(1)
        tf.numpy_function(lambda x: log.append(int(x)), [v.read_value()], [])
        v.assign(10)
        return v.read_value()

    assert int(f()) == 10
    assert log == [1, 2]


def test_a_value_read_before_an_assignment_stays() -> None:
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def f() -> Any:
        before = v.read_value()
        v.assign_add([1.0, 1.0])
        v.scatter_nd_update([[0]], [9.0])
        return before, v.read_value()

    before, after = f()
    assert before.numpy().tolist() == [1.0, 2.0]
    assert after.numpy().tolist() == [9.0, 3.0]


def test_results_that_are_arguments_or_constants() -> None:
    f = tf.function(lambda x: (x, x, tf.constant(5), None, x))
    a, b, c, d, e = f(tf.constant(3))
    assert (int(a), int(b), int(c), d, int(e)) == (3, 3, 5, None, 3)


def test_loop_variables_may_swap() -> None:
    @tf.function
    def f(a: Any, b: Any, n: Any) -> Any:
        _, a, b = tf.while_loop(lambda i, a, b: i < n, lambda i, a, b: (i + 1, b, a), (0, a, b))
        return a, b

    assert [int(t) for t in f(tf.constant(1), tf.constant(2), tf.constant(3))] == [2, 1]


def test_a_value_made_before_a_loop_is_there_in_each_iteration_and_after() -> None:
    @tf.function
    def f(x: Any) -> Any:
        y = x * 2.0
        total = y
        for _ in tf.range(3):
            z = total + y
            total = z * 1.0
        return total + y

    assert float(f(tf.constant(1.0))) == 10.0


@pytest.mark.filterwarnings("error")
def test_a_value_that_a_loop_hands_on_lives_as_long_as_either_of_its_names() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def f(x: Any) -> Any:
        e = tf.exp(x)
        _, kept, again = tf.while_loop(lambda i, k, a: i < 2, lambda i, k, a: (i + 1, k, a), (0, e, e))
        return kept * 2.0, again - 1.0, e + 3.0

    graph = f.get_concrete_function().graph
    zeros = np.zeros(2, np.float32)
    for plain in (True, False):
        assert [r.tolist() for r in Executable(graph, plain=plain).call([zeros])] == [[2.0] * 2, [0.0] * 2, [4.0] * 2]


def test_the_gradient_for_what_a_loop_reads_when_no_sizes_are_known() -> None:
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            e = tf.exp(x)
            total = tf.zeros_like(x)
            for i in tf.range(3):
                total += e * tf.cast(i, tf.float32)
        return tape.gradient(total, x)

    x = tf.constant([0.0, 1.0])
    assert slope(x).numpy() == pytest.approx(3.0 * np.exp(x.numpy()))
    for shape in ([2], [None], None):
        traced = tf.function(slope, input_signature=[tf.TensorSpec(shape)])
        assert traced(x).numpy() == pytest.approx(3.0 * np.exp(x.numpy())), shape


def test_floating_point_flags_raise_no_warning() -> None:
    f = tf.function(lambda x, y: (x / y, tf.math.log(x), tf.exp(y * 1e30)))
    with np.errstate(all="raise"):
        results = f(tf.constant([0.0, 1.0]), tf.constant([0.0, 1.0]))
        tf.constant(3e38) * 10.0
    assert np.isnan(results[0].numpy()[0])
    assert np.geterr()["over"] != "ignore"


def test_a_runtime_error_names_op_and_line() -> None:
    @tf.function
    def f(x: Any, y: Any) -> Any:
        z = x + 1
        return z // y  # this line

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.constant(1), tf.constant(0))
    assert "return z // y  # this line" in str(caught.value)
    assert "FloorDiv" in str(caught.value)
    assert int(f(tf.constant(1), tf.constant(2))) == 1


def test_an_error_in_a_called_function_keeps_the_inner_line() -> None:
    @tf.function
    def inner(x: Any) -> Any:
        return tf.reshape(x, [3])  # inner line

    outer = tf.function(lambda x: inner(x) + 1.0)
    spec = tf.TensorSpec([None])
    concrete = outer.get_concrete_function(spec)
    with pytest.raises(tf.errors.InvalidArgumentError, match="inner line"):
        concrete(tf.constant([1.0, 2.0]))


def test_state_after_a_failure_is_that_before_the_failing_op() -> None:
    v = tf.Variable(0)

    @tf.function
    def f(y: Any) -> Any:
        v.assign_add(1)
        z = 10 // y
        v.assign_add(z)
        return z

    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(0))
    assert int(v) == 1
    f(tf.constant(5))
    assert int(v) == 4


def test_small_functions_are_inlined_and_large_ones_are_shared_code() -> None:
    double = tf.function(lambda x: x * 2.0)
    text = source(lambda x: double(double(double(x))), SCALAR)
    assert "f_" not in text
    assert text.count(" * ") == 3

    @tf.function(autograph=False)
    def long(x: Any) -> Any:
        for _ in range(300):
            x = tf.sin(x)
        return x

    assert source(lambda x: long(long(x)), SCALAR).count("f_") == 2


@pytest.mark.filterwarnings("error")
def test_a_tiny_function_is_quiet_in_all_threads_at_once() -> None:
    import threading

    double = tf.function(lambda x: x + x)
    x = tf.constant(np.full(100_000, 3e38, np.float32))
    assert "quietly(np_add" in source(lambda x: x + x, tf.TensorSpec([3]))
    wrong: list[Any] = []

    def work() -> None:
        try:
            wrong.extend("finite" for _ in range(60) if not np.isinf(double(x).numpy()).all())
        except Exception as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    mixed = tf.function(lambda a, b: a + b).get_concrete_function(tf.TensorSpec([None]), tf.TensorSpec([None]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="AddV2"):
        mixed(tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0]))
