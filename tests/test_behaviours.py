"""What people trip over: one test for each behaviour that public problem reports are about, in our own words.

Where graphlab deliberately does better than TensorFlow, docs/differences.md has a row.
"""

from __future__ import annotations

import collections
import functools
import math
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

import pytest

import graphlab as tf


def traces(function: Any) -> int:
    return function.experimental_get_tracing_count()


# -- what makes a new trace ---------------------------------------------------------------------------------------------


def test_each_python_number_is_a_trace_and_tensors_of_one_type_share_one() -> None:
    increment = tf.function(lambda n: n + 1)
    counts = []
    for argument in (5, 6, 5, tf.constant(1.5), tf.constant(-2.0)):
        increment(argument)
        counts.append(traces(increment))
    assert counts == [1, 2, 2, 3, 3]


def test_equal_python_values_of_different_types_do_not_share_a_trace() -> None:
    twice = tf.function(lambda n: n * 2)
    assert [twice(n).dtype for n in (1, 1.0)] == [tf.int32, tf.float32]
    assert [int(twice(n)) for n in (True, 1)] == [2, 2]
    assert traces(twice) == 3


def test_reduce_retracing_makes_the_second_shape_general_for_methods_too() -> None:
    class Summer:
        @tf.function(reduce_retracing=True)
        def total(self, values: Any) -> Any:
            return tf.reduce_sum(values)

    summer = Summer()
    counts = []
    for size in (3, 5, 7, 9):
        assert float(summer.total(tf.ones([size]))) == size
        counts.append(traces(summer.total))
    assert counts == [1, 2, 2, 2]


def test_a_function_made_in_a_loop_has_a_new_cache_each_time() -> None:
    ran: list[int] = []
    counts = []
    for turn in range(3):

        @tf.function
        def same(x: Any, turn: int = turn) -> Any:
            ran.append(turn)
            return x

        same(tf.constant(0))
        counts.append(traces(same))
    assert (counts, ran) == ([1, 1, 1], [0, 1, 2])


def test_a_method_taken_anew_is_another_argument() -> None:
    class Rule:
        def apply(self, x: Any) -> Any:
            return x * 3

    rule = Rule()
    use = tf.function(lambda how, x: how(x))
    for _ in range(3):
        use(rule.apply, tf.constant(2))
    assert traces(use) == 3
    kept = rule.apply
    for _ in range(3):
        assert int(use(kept, tf.constant(2))) == 6
    assert traces(use) == 4


def test_each_instance_has_its_trace_and_attributes_are_read_while_tracing() -> None:
    class Scale(tf.Module):
        def __init__(self, factor: float) -> None:
            super().__init__()
            self.factor = factor

        @tf.function
        def __call__(self, x: Any) -> Any:
            return x * self.factor

    two, three = Scale(2.0), Scale(3.0)
    one = tf.constant(1.0)
    assert (float(two(one)), float(three(one))) == (2.0, 3.0)
    two.factor = 50.0
    assert float(two(one)) == 2.0, "read while tracing"
    assert float(two(tf.constant([1.0]))[0]) == 50.0, "a new trace reads again"
    assert traces(three.__call__) == 1


def test_the_style_of_a_call_does_not_matter_but_structures_do() -> None:
    one, two = tf.constant(1), tf.constant(2)
    power = tf.function(lambda base, exponent=3: base**exponent)
    for call in (lambda: power(two), lambda: power(two, 3), lambda: power(exponent=3, base=two)):
        assert int(call()) == 8
    assert traces(power) == 1
    difference = tf.function(lambda d: d["left"] - d["right"])
    assert int(difference({"left": one, "right": two})) == int(difference({"right": two, "left": one})) == -1
    assert traces(difference) == 1
    difference({"left": one, "right": two, "unused": one})
    assert traces(difference) == 2
    total = tf.function(lambda items: tf.add_n(list(items)))
    total([one, two])
    total((one, two))
    assert traces(total) == 2


def test_namedtuples_go_through_and_attributes_of_tensors_do_not() -> None:
    Reading = collections.namedtuple("Reading", "value unit")  # noqa: PYI024 - it is what people pass
    tagged = tf.constant(4.0)
    tagged.unit = "m"
    assert not tf.function(lambda t: hasattr(t, "unit"))(tagged)
    scaled = tf.function(lambda r: r.value * r.unit)
    assert float(scaled(Reading(tagged, 10))) == 40.0
    scaled(Reading(tf.constant(5.0), 10))
    assert traces(scaled) == 1
    scaled(Reading(tf.constant(5.0), 100))
    assert traces(scaled) == 2


def test_variables_key_by_type_and_by_being_the_same_one() -> None:
    u, v = tf.Variable(1.0), tf.Variable(10.0)
    combine = tf.function(lambda a, b: a - b)
    assert (float(combine(u, v)), float(combine(v, u)), traces(combine)) == (-9.0, 9.0, 1)
    assert (float(combine(v, v)), traces(combine)) == (0.0, 2)
    combine(tf.constant(1.0), tf.constant(1.0))
    assert traces(combine) == 3


# -- signatures ---------------------------------------------------------------------------------------------------------


def test_parameters_behind_an_input_signature_keep_their_defaults() -> None:
    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def scale(x: Any, offset: Any = None, factor: float = 4.0) -> Any:
        return x * factor if offset is None else x + offset

    assert float(scale(2.0)) == float(scale(2.0, factor=4.0)) == 8.0
    for name, value in (("offset", 1.0), ("factor", 5.0)):
        with pytest.raises(TypeError, match=name):
            scale(2.0, **{name: value})


def test_a_concrete_function_binds_python_arguments() -> None:
    @tf.function
    def flip(x: Any, upward: bool) -> Any:
        return x if upward else -x

    up = flip.get_concrete_function(tf.TensorSpec([], tf.float32), True)
    three = tf.constant(3.0)
    assert float(up(three)) == float(up(three, True)) == 3.0
    with pytest.raises(TypeError, match="upward"):
        up(three, False)
    assert float(flip(three, False)) == -3.0


# -- what runs when -----------------------------------------------------------------------------------------------------


def test_a_variable_made_on_every_call_is_refused() -> None:
    @tf.function
    def counter() -> Any:
        return tf.Variable(0) + 1

    with pytest.raises(ValueError, match="Variable"):
        counter()


def test_python_effects_happen_while_tracing_only() -> None:
    seen = collections.Counter[str]()

    @tf.function
    def note(x: Any) -> Any:
        seen["runs"] += 1
        return x

    for value in range(4):
        note(tf.constant(value))
    assert seen["runs"] == 1
    note(tf.constant([0]))
    assert seen["runs"] == 2


def test_prints_and_assignments_keep_the_order_of_the_source(tmp_path: Path) -> None:
    path = tmp_path / "log"
    level = tf.Variable(3)

    @tf.function
    def step() -> None:
        tf.print("before", level, output_stream=f"file://{path}")
        level.assign_add(1)
        if level % 2 == 0:
            tf.print("even", level, output_stream=f"file://{path}")
            level.assign_add(10)
        tf.print("after", level, output_stream=f"file://{path}")

    step()
    assert path.read_text().split("\n") == ["before 3", "even 4", "after 14", ""]


def test_a_tensor_kept_from_a_trace_cannot_be_used_and_the_error_shows_where_it_was_made() -> None:
    kept: list[Any] = []

    @tf.function
    def leak(x: Any) -> Any:
        squared = x * x
        kept.append(squared)
        return squared

    assert int(leak(tf.constant(3))) == 9
    with pytest.raises(TypeError, match=r"squared = x \* x"):
        kept[0] + 1


_factor, _offset = 3, tf.constant(10)


def test_globals_are_read_while_tracing_and_variables_at_each_run(monkeypatch: pytest.MonkeyPatch) -> None:
    base = tf.Variable(1)
    f = tf.function(lambda x: x * _factor + _offset + base)
    assert int(f(tf.constant(1))) == 14
    monkeypatch.setattr(sys.modules[__name__], "_factor", 100)
    monkeypatch.setattr(sys.modules[__name__], "_offset", tf.constant(1000))
    base.assign(2)
    assert int(f(tf.constant(1))) == 15
    assert f(tf.constant([1])).numpy().tolist() == [1102]


def test_seeds_are_read_while_tracing_and_setting_one_starts_sequences_again() -> None:
    def roll() -> Any:
        return tf.random.uniform([])

    a, b = tf.function(roll), tf.function(roll)
    tf.random.set_seed(7)
    first = [float(a()), float(a())]
    tf.random.set_seed(7)
    assert [float(a()), float(a())] == first
    assert first[0] != first[1]
    tf.random.set_seed(8)
    c = tf.function(roll)
    tf.random.set_seed(8)
    d = tf.function(roll)
    assert float(c()) == float(d())
    assert float(b()) != first[1]


def test_an_update_outside_a_cond_always_runs() -> None:
    outer, inner = tf.Variable(0), tf.Variable(0)

    @tf.function
    def choose(p: Any) -> Any:
        updated = outer.assign_add(1)
        return tf.cond(p, lambda: updated.read_value(), lambda: inner.assign_add(1).read_value())

    choose(tf.constant(False))
    choose(tf.constant(True))
    assert (int(outer), int(inner)) == (2, 1)


def test_threads_that_call_at_once_share_one_trace() -> None:
    ran: list[int] = []
    results: list[int] = []

    @tf.function
    def square(x: Any) -> Any:
        ran.append(1)
        return x * x

    barrier = threading.Barrier(8)

    def work(n: int) -> None:
        barrier.wait()
        results.append(int(square(tf.constant(n))))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sorted(results), len(ran)) == ([n * n for n in range(8)], 1)


# -- AutoGraph ----------------------------------------------------------------------------------------------------------


def _one_branch_only(x: Any) -> Any:
    if x > 0:
        found = 1.0
    return found


def _other_dtype(x: Any) -> Any:
    if x > 0:
        value = 1.0
    else:
        value = 0
    return value


def _other_dtype_returned(x: Any) -> Any:
    if x > 0:
        return 1.0
    return 0


def _other_structure(x: Any) -> Any:
    pair = [x, x] if x > 0 else []
    return len(pair)


def _grows(x: Any) -> Any:
    values = tf.constant([0])
    for i in tf.range(x):
        values = tf.concat([values, [i]], 0)
    return values


def _raises(x: Any) -> Any:
    if x < 0:
        raise KeyError("negative")
    return x


BRANCH_ERRORS = [
    (_one_branch_only, ValueError, ["found", "else"]),
    (_other_dtype, TypeError, ["value", "float32", "int32"]),
    (_other_dtype_returned, TypeError, ["float32", "int32"]),
    (_other_structure, TypeError, ["pair", "2", "0"]),
    (_grows, ValueError, ["values", "(1,)", "(2,)"]),
    (_raises, KeyError, ["negative"]),
]


@pytest.mark.parametrize(("function", "kind", "words"), BRANCH_ERRORS, ids=lambda v: getattr(v, "__name__", ""))
def test_errors_of_converted_code_speak_of_the_users_names(
    function: Any, kind: type[Exception], words: list[str]
) -> None:
    with pytest.raises(kind) as caught:
        tf.function(function)(tf.constant(3))
    text = str(caught.value)
    assert all(word in text for word in words), text
    assert not any(internal in text for internal in ("retval_", "do_return", "ag__"))


def test_a_value_may_grow_once_the_loop_is_told() -> None:
    @tf.function
    def collect(n: Any) -> Any:
        values = tf.constant([7])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(values, tf.TensorShape([None]))])
            values = tf.concat([values, [i]], 0)
        return values

    assert collect(tf.constant(3)).numpy().tolist() == [7, 0, 1, 2]


def test_a_loop_variable_has_its_last_value_or_zero() -> None:
    @tf.function
    def last(n: Any) -> Any:
        for i in tf.range(n):  # noqa: B007 - read after the loop
            pass
        return i

    assert [int(last(tf.constant(n))) for n in (4, 0)] == [3, 0]


def test_break_continue_and_else_of_loops() -> None:
    @tf.function
    def scan(values: Any) -> Any:
        total = tf.constant(0)
        for value in values:
            if value == 2:
                continue
            if value > 8:
                break
            total += value
        else:
            total = -total
        return total

    assert [int(scan(tf.constant(v))) for v in ([1, 2, 3], [1, 9, 3])] == [-4, 1]


def _halves(values: Any) -> Any:
    for value in values:
        yield value / 2.0


def test_a_generator_is_left_as_it_is_and_the_error_names_it() -> None:
    @tf.function
    def total(values: Any) -> Any:
        result = tf.constant(0.0)
        for value in _halves(values):
            result += value
        return result

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="_halves"):
        total(tf.constant([1.0, 2.0]))


def test_and_is_lazy_and_not_wants_a_bool() -> None:
    asked: list[int] = []

    def positive(t: Any) -> Any:
        asked.append(1)
        return t > 0

    @tf.function
    def small(x: Any) -> Any:
        if x < 10 and positive(x):
            return tf.constant("small")
        return tf.constant("other")

    assert [small(tf.constant(v)).numpy() for v in (5, 50, -5)] == [b"small", b"other", b"other"]
    assert len(asked) == 1
    assert (not tf.constant(2)) is False
    with pytest.raises(TypeError, match="bool"):
        tf.function(lambda x: not x)(tf.constant(2))


def test_lambdas_that_share_a_line_are_told_apart() -> None:
    pair = tf.function(lambda x: x + 1 if x > 0 else x), tf.function(lambda x: x * 10 if x > 0 else x)
    assert [int(f(tf.constant(4))) for f in pair] == [5, 40]


def test_assertions_are_checked_when_the_graph_runs() -> None:
    @tf.function
    def root(x: Any) -> Any:
        tf.debugging.assert_non_negative(x)
        return tf.sqrt(x)

    assert float(root(tf.constant(9.0))) == 3.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        root(tf.constant(-1.0))


def _body(x: Any, factor: int = 3) -> Any:
    if x > 0:
        return x * factor
    return x


def _wrapped(function: Any) -> Any:
    def inner(*args: Any) -> Any:
        return function(*args)

    return inner


def test_conversion_reaches_through_partials_and_wrappers_but_not_do_not_convert() -> None:
    two = tf.constant(2)
    assert int(tf.function(functools.partial(_body, factor=5))(two)) == 10
    assert int(tf.function(_wrapped(_body))(two)) == 6
    assert int(tf.function(functools.wraps(_body)(_wrapped(_body)))(two)) == 6
    left = tf.autograph.experimental.do_not_convert(_body)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        tf.function(lambda x: left(x))(two)


def test_an_unknown_axis_is_none_while_tracing() -> None:
    spec = tf.TensorSpec([None], tf.int32)

    def by_static_shape(x: Any) -> Any:
        return x[0] if x.shape[0] > 2 else x[-1]

    def by_shape(x: Any) -> Any:
        if tf.shape(x)[0] > 2:
            return x[0]
        return x[-1]

    assert int(tf.function(by_static_shape)(tf.constant([1, 2, 3]))) == 1
    with pytest.raises(TypeError, match="NoneType"):
        tf.function(by_static_shape).get_concrete_function(spec)
    f = tf.function(by_shape, input_signature=[spec])
    assert [int(f(tf.constant(v))) for v in ([1, 2, 3], [1, 2])] == [1, 2]


def test_an_error_shows_the_users_line() -> None:
    @tf.function
    def product(x: Any) -> Any:
        doubled = x + x
        return tf.matmul(doubled, doubled)  # here it goes wrong

    with pytest.raises(ValueError, match="must be equal") as caught:
        product(tf.ones([2, 3]))
    assert "tf.matmul(doubled, doubled)  # here it goes wrong" in "".join(traceback.format_exception(caught.value))


def test_a_write_whose_result_is_dropped_is_lost_in_a_graph() -> None:
    def fill(x: Any) -> Any:
        array = tf.TensorArray(tf.int32, 2)
        for i in tf.range(2):
            array.write(i, x[i])
        return array.stack()

    x = tf.constant([4, 5])
    assert fill(x).numpy().tolist() == [4, 5]
    assert tf.function(fill)(x).numpy().tolist() == [0, 0]


def test_recursion_ends_with_python_arguments_and_is_an_error_with_tensors() -> None:
    @tf.function
    def factorial(n: Any) -> Any:
        if n > 1:
            return n * factorial(n - 1)
        return 1

    assert int(factorial(5)) == 120
    assert traces(factorial) == 5
    with pytest.raises(RecursionError, match="factorial"):
        factorial(tf.constant(5))


# -- gradients ----------------------------------------------------------------------------------------------------------


def test_integers_have_no_gradient_and_cut_chains() -> None:
    whole, real = tf.Variable(2), tf.Variable(2.5)
    with tf.GradientTape(persistent=True) as tape:
        product = whole * 3
        through = tf.cast(tf.cast(real, tf.int32), tf.float32)
    assert tape.gradient(product, whole) is None
    assert tape.gradient(through, real) is None


def test_a_tape_is_spent_after_one_gradient_and_cannot_be_entered_twice() -> None:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="persistent"):
        tape.gradient(y, x)
    with tf.GradientTape() as tape, pytest.raises(ValueError, match="recording"), tape:
        pass


def _gradient(function: Any, value: float) -> float:
    x = tf.constant(value)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return float(tape.gradient(y, x))


def test_both_sides_of_where_are_differentiated() -> None:
    assert math.isnan(_gradient(lambda x: tf.where(x > 0, tf.math.log(x), 0.0), 0.0))
    assert math.isnan(_gradient(lambda x: tf.where(x > 0, 1.0 / x, 0.0), 0.0))
    assert _gradient(lambda x: tf.where(x > 0, tf.sqrt(x), 0.0), 0.0) == 0.0
    assert _gradient(lambda x: tf.where(x > 0, tf.math.log(tf.where(x > 0, x, 1.0)), 0.0), 0.0) == 0.0


def test_gradients_go_through_the_branch_that_ran_and_tapes_live_in_loops() -> None:
    @tf.function
    def bend(x: Any) -> Any:
        if x > 0:
            return x * x
        return x * 5.0

    assert [_gradient(bend, v) for v in (3.0, -3.0)] == [6.0, 5.0]
    v = tf.Variable(2.0)

    @tf.function
    def summed() -> Any:
        total = tf.constant(0.0)
        for _ in tf.range(3):
            with tf.GradientTape() as tape:
                y = v * v * v
            total += tape.gradient(y, v)
        return total

    assert float(summed()) == 36.0


def test_custom_gradient_asks_for_the_variables_it_reads() -> None:
    weight = tf.Variable(4.0)

    @tf.custom_gradient
    def careless(x: Any) -> Any:
        return weight * x, lambda dy: dy * weight

    @tf.custom_gradient
    def careful(x: Any) -> Any:
        def grad(dy: Any, variables: Any = None) -> Any:
            return dy * weight, [dy * x for _ in variables]

        return weight * x, grad

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(TypeError, match="variables"):
            careless(x)

    @tf.function
    def run(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = careful(x)
        return tape.gradient(y, [x, weight])

    assert [float(g) for g in run(x)] == [4.0, 3.0]


def test_the_batch_jacobian_of_a_constant_is_zero_and_keeps_its_dtype() -> None:
    rows = tf.constant([[1.0], [2.0]], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(rows)
        constant = tf.constant([[3.0], [4.0]], tf.float64)
    jacobian = tape.batch_jacobian(constant, rows)
    assert (jacobian.dtype, jacobian.shape.as_list(), float(tf.reduce_sum(jacobian))) == (tf.float64, [2, 1, 1], 0.0)


def test_stop_gradient_is_a_node_and_stop_recording_a_hole() -> None:
    assert _gradient(lambda x: tf.stop_gradient(x * x) + x, 2.0) == 1.0
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tape.stop_recording():
            y = x * x
    assert tape.gradient(y, x) is None


# -- where graphlab runs what TensorFlow refuses, or says another name ---------------------------------------------------


def test_a_name_may_be_bound_in_a_condition() -> None:
    @tf.function
    def capped(x: Any) -> Any:
        if (total := tf.reduce_sum(x)) > 10:
            total = tf.constant(10)
        return total

    assert [int(capped(tf.constant(v))) for v in ([4, 5], [40, 5])] == [9, 10]


def test_the_logger_bears_our_own_name() -> None:
    assert tf.get_logger().name == "graphlab"
