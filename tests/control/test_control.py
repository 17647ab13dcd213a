"""Branches, loops and calls: values, structures, errors, gradients of any order."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import graphlab as tf
from graphlab.graph.check import check


def modes(function: Any) -> list[Any]:
    """The function itself, and traced; the graph is checked on its way."""
    traced = tf.function(function, autograph=False)

    def run(*args: Any) -> Any:
        check(traced.get_concrete_function(*args).graph)
        return traced(*args)

    return [function, run]


def number_gradient(function: Any, x: float, order: int) -> float:
    """The derivative of a given order, by nested tapes around a traced call."""
    value = tf.constant(x, tf.float64)

    def derivative(v: Any, k: int) -> Any:
        if k == 0:
            return function(v)
        with tf.GradientTape() as tape:
            tape.watch(v)
            y = derivative(v, k - 1)
        return tape.gradient(y, v)

    return float(derivative(value, order))


def _power_loop(x: Any) -> Any:
    return tf.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, y * x), (0, tf.constant(1.0, tf.float64)))[1]


def _branch(x: Any) -> Any:
    return tf.cond(x > 1.0, lambda: x * x * x, lambda: x * 5.0)


def _branch_in_loop(x: Any) -> Any:
    def body(i: Any, y: Any) -> Any:
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: y * x, lambda: y + tf.sin(x))

    return tf.while_loop(lambda i, y: i < 4, body, (tf.constant(0), tf.constant(1.0, tf.float64)))[1]


def _loop_in_loop(x: Any) -> Any:
    def outer(i: Any, y: Any) -> Any:
        inner = tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, z * x), (0, y))
        return i + 1, inner[1] + x

    return tf.while_loop(lambda i, y: i < 2, outer, (0, tf.constant(1.0, tf.float64)))[1]


_square = tf.function(lambda v: v * v)


def _calls(x: Any) -> Any:
    return _square(_square(x)) * x


def _array(x: Any) -> Any:
    ta = tf.TensorArray(tf.float64, 3)
    _, ta = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t.write(i, x ** tf.cast(i, tf.float64))), (0, ta))
    return tf.reduce_prod(ta.stack() + x)


def _case(x: Any) -> Any:
    return tf.switch_case(tf.cast(x, tf.int32), [lambda: x, lambda: x * x * x * x, lambda: x**4.0])


def _folded(x: Any) -> Any:
    return tf.foldl(lambda a, e: a * e, tf.stack([x, x * 2.0, x * 3.0]))


FUNCTIONS = [_power_loop, _branch, _branch_in_loop, _loop_in_loop, _calls, _array, _case, _folded]


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_derivatives_agree_with_differences(function: Any, order: int) -> None:
    """Around a traced call, inside a traced function, and eagerly, against central differences of one order less."""
    x, step = 1.3, 1e-5
    traced = tf.function(function, autograph=False)
    inside = tf.function(lambda v: _nested(function, v, order), autograph=False)
    below = [number_gradient(function, x + d, order - 1) for d in (-step, step)]
    expected = (below[1] - below[0]) / (2 * step)
    found = [
        number_gradient(function, x, order),
        number_gradient(traced, x, order),
        float(inside(tf.constant(x, tf.float64))),
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


def _nested(function: Any, v: Any, order: int) -> Any:
    if order == 0:
        return function(v)
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = _nested(function, v, order - 1)
    return tape.gradient(y, v)


def test_gradients_reach_variables_through_bodies() -> None:
    w, b = tf.Variable(2.0), tf.Variable(3.0)

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * w), (0, x))[1]
        return tf.cond(x > 0.0, lambda: y + b, lambda: y)

    for value, expected in ((1.0, [12.0, 1.0]), (-1.0, [-12.0, 0.0])):
        with tf.GradientTape() as tape:
            y = f(tf.constant(value))
        assert [float(g) for g in tape.gradient(y, [w, b])] == expected


def test_a_loop_keeps_nothing_that_no_gradient_needs() -> None:
    f = tf.function(
        lambda n: tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + 2.0), (0, 0.0))[1], autograph=False
    )
    concrete = f.get_concrete_function(tf.constant(3))
    assert "TensorList" not in str(concrete.graph.as_graph_def())


def test_a_persistent_tape_gives_higher_orders_and_can_be_asked_again() -> None:
    f = tf.function(_power_loop, autograph=False)
    x = tf.constant(2.0, tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
        first = tape.gradient(y, x)
    assert [float(tape.gradient(y, x)), float(tape.gradient(first, x)), float(first)] == [80.0, 160.0, 80.0]


def test_recorded_calls_share_one_forward_variant() -> None:
    f = tf.function(lambda x: x * x)
    x = tf.constant(3.0)
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert float(tape.gradient(y, x)) == 6.0
    graph = f.get_concrete_function(x).graph
    assert len([key for key in graph.derived if key[0] == "forward"]) == 1


@pytest.mark.parametrize("run", [0, 1], ids=["eager", "traced"])
def test_cond_gives_nested_structures(run: int) -> None:
    def f(p: Any, x: Any) -> Any:
        return tf.cond(p, lambda: {"a": x, "b": (x + 1, None)}, lambda: {"a": x * 10, "b": (x, None)})

    function = modes(f)[run]
    result = function(tf.constant(False), tf.constant(2))
    assert {k: v for k, v in result.items() if k == "a"}["a"].numpy() == 20
    assert result["b"][1] is None


COND_ERRORS: list[tuple[str, Any, type[Exception], str]] = [
    ("dtypes", lambda p: tf.cond(p, lambda: 1, lambda: 1.0), TypeError, "float32"),
    ("structures", lambda p: tf.cond(p, lambda: (1, 2), lambda: 1), TypeError, "structure"),
    ("lengths", lambda p: tf.cond(p, lambda: (1, 2), lambda: (1,)), TypeError, "structure"),
    ("index", lambda p: tf.switch_case(tf.cast(p, tf.float32), [lambda: 1]), TypeError, "int32"),
    ("not callable", lambda p: tf.cond(p, 1, lambda: 1), TypeError, "callable"),
    ("python predicate", lambda _: tf.cond(True, lambda: 1, lambda: 2), TypeError, "Python bool"),
    ("no branches", lambda p: tf.switch_case(tf.cast(p, tf.int32), []), ValueError, "at least one"),
    ("indices", lambda p: tf.switch_case(tf.cast(p, tf.int32), {1: lambda: 1}), ValueError, "are not 0"),
]


@pytest.mark.parametrize(("function", "kind", "words"), [e[1:] for e in COND_ERRORS], ids=[e[0] for e in COND_ERRORS])
def test_branch_errors(function: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        tf.function(function, autograph=False)(tf.constant(True))


LOOP_ERRORS: list[tuple[str, Any, type[Exception], str]] = [
    ("shape", lambda n: tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, tf.concat([x, x], 0)), (0, tf.constant([1]))), ValueError, "shape_invariants"),
    ("dtype", lambda n: tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, x / 2), (0, 1)), TypeError, "float64"),
    ("count", lambda n: tf.while_loop(lambda i, x: i < n, lambda i, x: i + 1, (0, 1)), ValueError, "as many"),
    ("predicate", lambda n: tf.while_loop(lambda i: i, lambda i: [i + 1], [0]), TypeError, "bool"),
    ("vector predicate", lambda n: tf.while_loop(lambda i: [True, False], lambda i: [i + 1], [0]), TypeError, "reduce_all"),
    ("no variables", lambda n: tf.while_loop(lambda i: i < n, lambda i: [i], ()), TypeError, "argument"),
    ("no structure", lambda n: tf.while_loop(lambda i: i < n, lambda i: [i], 0), TypeError, "list, tuple or dict"),
    ("invariant", lambda n: tf.while_loop(lambda x: n > 3, lambda x: [x], [tf.ones([1, 3])], [tf.TensorShape([None, 2])]), ValueError, "not compatible"),
    ("spec", lambda n: tf.while_loop(lambda x: n > 3, lambda x: [x], [tf.ones([1, 3])], [tf.TensorSpec([None, 2])]), TypeError, "not compatible"),
    ("spec's dtype", lambda n: tf.while_loop(lambda x: n > 3, lambda x: [x], [tf.ones([1])], [tf.TensorSpec([1], tf.int32)]), TypeError, "has dtype int32"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "kind", "words"), [e[1:] for e in LOOP_ERRORS], ids=[e[0] for e in LOOP_ERRORS])
def test_loop_errors(function: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        tf.function(function, autograph=False)(tf.constant(3))


@pytest.mark.parametrize("run", [0, 1], ids=["eager", "traced"])
def test_while_loop_with_invariants_limit_and_arrays(run: int) -> None:
    def f(n: Any) -> Any:
        _, grown = tf.while_loop(
            lambda i, x: i < n,
            lambda i, x: (i + 1, tf.concat([x, [i]], 0)),
            (0, tf.constant([7])),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
        )
        limited = tf.while_loop(lambda k: True, lambda k: (k + 2,), (0,), maximum_iterations=n)[0]
        return grown, limited

    grown, limited = modes(f)[run](tf.constant(3))
    assert grown.numpy().tolist() == [7, 0, 1, 2]
    assert int(limited) == 6


def test_old_versions_of_an_array_keep_their_elements() -> None:
    @tf.function
    def f() -> Any:
        a = tf.TensorArray(tf.int32, 3).unstack([1, 2, 3])
        b = a.write(1, 20)
        c = b.write(1, 200).write(2, 30)
        d = a.write(0, 10)
        return a.stack(), b.stack(), c.stack(), d.stack()

    assert [t.numpy().tolist() for t in f()] == [[1, 2, 3], [1, 20, 3], [1, 200, 30], [10, 2, 3]]


def test_map_scan_fold_agree_with_python() -> None:
    def f(xs: Any) -> Any:
        return (
            tf.map_fn(lambda x: x * x, xs),
            tf.scan(lambda a, x: a + x, xs),
            tf.scan(lambda a, x: a + x, xs, reverse=True, initializer=tf.constant(100)),
            tf.foldr(lambda a, x: a * 2 + x, xs),
            tf.vectorized_map(lambda x: x + 1, xs),
        )

    for function in modes(f):
        got = [t.numpy().tolist() for t in function(tf.constant([1, 2, 3]))]
        assert got == [[1, 4, 9], [1, 3, 6], [106, 105, 103], 17, [2, 3, 4]]


def test_map_fn_with_unknown_length_and_other_dtype() -> None:
    f = tf.function(
        lambda xs: tf.map_fn(lambda x: tf.cast(x, tf.float32) / 2.0, xs, fn_output_signature=tf.float32),
        input_signature=[tf.TensorSpec([None], tf.int32)],
        autograph=False,
    )
    assert f(tf.constant([1, 2, 3])).numpy().tolist() == [0.5, 1.0, 1.5]
    assert f(tf.constant([], tf.int32)).numpy().tolist() == []


def test_python_functions_run_at_each_call_and_their_errors_have_a_class() -> None:
    calls: list[Any] = []

    def python(x: Any) -> Any:
        calls.append(x)
        if x < 0:
            raise ValueError("negative")
        return x * 2

    f = tf.function(lambda x: tf.numpy_function(python, [x], tf.int32))
    assert [int(f(tf.constant(n))) for n in (1, 2)] == [2, 4]
    with pytest.raises(tf.errors.InvalidArgumentError, match="ValueError: negative"):
        f(tf.constant(-1))
    assert calls == [1, 2, -1]


@pytest.mark.parametrize("op", [tf.py_function, tf.numpy_function])
def test_what_a_python_op_calls_is_plain_python(op: Any) -> None:
    seen: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        op(lambda v: seen.extend([int(v), float(v), abs(int(v) - 5), list(range(int(v)))]), [x], [])
        return x

    f(tf.constant(2))
    assert [(type(v), v) for v in seen] == [(int, 2), (float, 2.0), (int, 3), (list, [0, 1])]


def test_custom_gradient_of_a_traced_function_and_second_order() -> None:
    @tf.custom_gradient
    def cube(x: Any) -> Any:
        return x * x * x, lambda dy: dy * 30.0 * x

    f = tf.function(lambda x: cube(x) * 2.0)
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        first = tape.gradient(y, x)
    assert (float(y), float(first), float(outer.gradient(first, x))) == (16.0, 120.0, 60.0)


def test_threads_run_one_graph_without_mixing_values() -> None:
    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        ta = tf.TensorArray(tf.int32, 20)
        _, ta = tf.while_loop(lambda i, t: i < 20, lambda i, t: (i + 1, t.write(i, x + i)), (0, ta))
        return ta.stack()

    f(tf.constant(0))
    wrong: list[int] = []

    def work(n: int) -> None:
        for _ in range(20):
            if f(tf.constant(n)).numpy().tolist() != list(range(n, n + 20)):
                wrong.append(n)  # noqa: PERF401 - seen while it goes on

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_second_derivatives_of_a_linear_function_are_zero_through_a_call_as_in_tensorflow() -> None:
    triple = tf.function(lambda x: x * 3.0)
    x = tf.constant(2.0)

    def second(function: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = function(x)
            first = inner.gradient(y, x)
        return outer.gradient(first, x)

    assert float(second(triple)) == 0.0
    assert second(lambda v: v * 3.0) is None
    assert second(tf.function(tf.identity)) is None


@pytest.mark.parametrize("run", [0, 1], ids=["eager", "traced"])
def test_a_loop_of_one_variable_may_give_a_bare_tensor(run: int) -> None:
    def f(x: Any) -> Any:
        return tf.while_loop(lambda v: v < 10, lambda v: v * 3, [x])

    (result,) = modes(f)[run](tf.constant(1))
    assert int(result) == 27


def test_the_gradient_of_an_element_that_gather_takes_twice() -> None:
    @tf.function
    def f(x: Any) -> Any:
        rows = tf.TensorArray(tf.float32, size=3, clear_after_read=False).unstack(x)
        return tf.reduce_sum(rows.gather([0, 2, 0]) ** 2)

    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert tape.gradient(y, x).numpy().tolist() == [4.0, 0.0, 6.0]


REFUSED: list[tuple[str, Any, type[Exception]]] = [
    ("a Python bool as predicate", lambda: tf.case([(True, lambda: 1)]), TypeError),
    ("a gap between indices", lambda: tf.switch_case(tf.constant(1), {3: lambda: 1, 1: lambda: 2}, lambda: 7), ValueError),
    ("a Python number as index", lambda: tf.switch_case(1, [lambda: 1, lambda: 2]), TypeError),
    ("a Python number as index of no functions", lambda: tf.switch_case(0, []), TypeError),
    ("no functions", lambda: tf.switch_case(tf.constant(0), []), ValueError),
    ("an index of shape [1]", lambda: tf.switch_case(tf.constant([1]), [lambda: 1, lambda: 2]), tf.errors.InvalidArgumentError),
    ("map_fn of no function", lambda: tf.map_fn(None, tf.ones(2)), AttributeError),
    ("foldl of no function", lambda: tf.foldl(None, tf.ones(2)), AttributeError),
    ("foldr of a number", lambda: tf.foldr(3, tf.ones(2)), AttributeError),
    ("scan of no function", lambda: tf.scan(None, tf.ones(2)), AttributeError),
    ("map_fn of a scalar", lambda: tf.map_fn(tf.square, tf.constant(1.0)), ValueError),
    ("foldl of a scalar", lambda: tf.foldl(tf.add, tf.constant(1.0)), IndexError),
    ("foldr of a scalar", lambda: tf.foldr(tf.add, tf.constant(1.0), 0.0), IndexError),
    ("scan of a scalar", lambda: tf.scan(tf.add, tf.constant(1.0), 0.0), IndexError),
    ("another dtype from map_fn", lambda: tf.map_fn(lambda v: tf.cast(v, tf.int32), tf.ones(2)), tf.errors.InvalidArgumentError),
    ("a body that gives a dict", lambda: tf.while_loop(lambda i: i < 3, lambda i: {"a": i + 1}, [tf.constant(0)]), TypeError),
    ("no iterations at a time", lambda: tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (0,), parallel_iterations=0), TypeError),
]  # fmt: skip


@pytest.mark.parametrize("run", [0, 1], ids=["eager", "traced"])
@pytest.mark.parametrize(("function", "kind"), [e[1:] for e in REFUSED], ids=[e[0] for e in REFUSED])
def test_arguments_that_are_refused(function: Any, kind: type[Exception], run: int) -> None:
    with pytest.raises(kind):
        (tf.function(function) if run else function)()


def test_a_body_that_gives_none() -> None:
    def loop() -> Any:
        return tf.while_loop(lambda i: i < 3, lambda i: None, [tf.constant(0)])

    with pytest.raises(TypeError):
        loop()
    with pytest.raises(ValueError, match="loop variable 0"):
        tf.function(loop)()


@pytest.mark.parametrize("pred", [3, 0, 0.5, "a", [1]], ids=repr)
def test_in_a_graph_a_predicate_is_a_bool(pred: Any) -> None:
    choose = tf.function(lambda x: tf.cond(x, lambda: 1, lambda: 2))
    with pytest.raises(tf.errors.InvalidArgumentError, match="bool"):
        choose(tf.constant(pred))


def test_an_index_whose_shape_shows_when_the_graph_runs() -> None:
    f = tf.function(
        lambda i: tf.switch_case(i, [lambda: 1, lambda: 2]), input_signature=[tf.TensorSpec(None, tf.int32)]
    )
    assert int(f(tf.constant(0))) == 1
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant([1]))


@pytest.mark.parametrize("run", [0, 1], ids=["eager", "traced"])
@pytest.mark.parametrize("shape", [[2], [None, 2], [3, 2]], ids=repr)
def test_arrays_without_elements_join_to_nothing(shape: Any, run: int) -> None:
    def joined() -> Any:
        return tf.TensorArray(tf.float32, size=0, element_shape=shape).concat()

    result = (tf.function(joined) if run else joined)()
    assert result.shape.as_list() == [0, *shape[1:]]


@pytest.mark.parametrize(("shape", "found"), [(None, [0]), ([2], [0, 2]), ([None, 2], [0])], ids=repr)
def test_arrays_without_elements_stack_to_nothing(shape: Any, found: list[int]) -> None:
    array = tf.TensorArray(tf.float32, size=0, element_shape=shape)
    assert array.stack().shape.as_list() == found
    assert array.gather([]).shape.as_list() == [0]
    if shape == [2]:
        traced = tf.function(lambda: tf.TensorArray(tf.float32, size=0, element_shape=shape).gather([]))
        assert traced().shape.as_list() == found


def test_a_limit_of_iterations_that_is_no_integer_is_refused() -> None:
    with pytest.raises(TypeError, match="maximum_iterations"):
        tf.function(lambda: tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (0,), maximum_iterations=2.0))()


@pytest.mark.parametrize("run", [0, 1], ids=["eager", "traced"])
def test_vectorized_map_of_nothing(run: int) -> None:
    result = modes(lambda x: tf.vectorized_map(lambda row: (tf.reduce_sum(row), row * 2), x))[run](tf.zeros([0, 3]))
    assert [tuple(part.shape) for part in result] == [(0,), (0, 3)]


def test_parts_of_arrays_eagerly() -> None:
    array = tf.TensorArray(tf.int32, size=2).split(tf.range(5), [2, 3])
    assert [array.read(i).numpy().tolist() for i in range(2)] == [[0, 1], [2, 3, 4]]
    with pytest.raises(IndexError, match="index 5"):
        tf.TensorArray(tf.int32, size=2).unstack(tf.range(2)).gather([5])


def test_unstack_of_another_size_than_the_array_has() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="2 elements"):
        tf.function(lambda: tf.TensorArray(tf.int32, size=2).unstack(tf.range(4)).stack())()


STATIC: list[tuple[str, Any, Any]] = [
    ("a product", lambda: tf.constant(2) * 3, 6),
    ("a negative", lambda: -tf.constant(2), -2),
    ("an element", lambda: tf.constant([1, 2])[0], 1),
    ("another shape", lambda: tf.reshape(tf.constant([1, 2]), [2, 1]), [[1], [2]]),
    ("a text", lambda: tf.constant("a"), b"a"),
]


@pytest.mark.parametrize(("made", "value"), [case[1:] for case in STATIC], ids=[case[0] for case in STATIC])
def test_static_values_of_what_constants_decide(made: Any, value: Any) -> None:
    eager = tf.get_static_value(made())
    assert type(eager) is type(made().numpy())
    seen: list[Any] = []
    tf.function(lambda: seen.append(tf.get_static_value(made())))()
    for found in (eager, *seen):
        assert found.tolist() == value if hasattr(found, "tolist") else found == value


@pytest.mark.parametrize("value", [tf.constant([1, 2, 3]), tf.ones([2, 2])], ids=["another dtype", "another shape"])
def test_what_is_unstacked_must_fit_the_elements(value: Any) -> None:
    def f() -> Any:
        return tf.TensorArray(tf.float32, 3, element_shape=[]).unstack(value).stack()

    for run in modes(f):
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError), match=r"float32|Inconsistent shapes"):
            run()
