"""What each pass does, and that none of them changes a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphlab as tf
from graphlab.compile import Executable, executable, threads
from graphlab.compile.options import OPTIONS
from graphlab.compile.passes import PASSES, enabled, optimize
from graphlab.compile.program import materialized
from graphlab.graph.check import check

F4 = tf.TensorSpec([4])
M34 = tf.TensorSpec([3, 4])
I = tf.TensorSpec([], tf.int32)  # noqa: E741


def graph_of(function: Any, *specs: Any) -> Any:
    return tf.function(function).get_concrete_function(*specs).graph


def checked(graph: Any) -> Any:
    """Runs the passes and the checker after each."""
    return optimize(graph, after=lambda _pass, program: check(materialized(program)))


def kinds(graph: Any) -> list[str]:
    """The op types left after all passes, without constants and arguments."""
    return [op.type for op in materialized(checked(graph)).ops if op.type not in ("Const", "Placeholder", "Identity")]


inner = tf.function(lambda x: (x * 2.0, tf.sin(x)))


def loop(x: Any) -> Any:
    return tf.while_loop(
        lambda i, y: i < 3,
        lambda i, y: (i + 1, y + tf.tanh(x) * 2.0),
        (tf.constant(0), x),
    )[1]


CASES = {
    "constants": (lambda x: x * (tf.constant(2.0) + 3.0), [F4], ["Mul"], "constant folding"),
    "a shape": (lambda x: tf.reshape(x, [tf.size(x)]), [M34], ["Reshape"], "constant folding"),
    "shapes": (
        lambda m, x: [m[:0] + tf.cast(s[0], tf.float32) for s in tf.shape_n([m, x])],
        [M34, F4],
        ["StridedSlice", "AddV2", "AddV2"],
        "constant folding",
    ),
    "a failing constant stays": (lambda x: tf.constant(1) // 0 + x, [I], ["FloorDiv", "AddV2"], None),
    "twice": (lambda x: tf.sin(x) + tf.sin(x), [F4], ["Sin", "AddV2"], "common subexpressions"),
    "equal constants": (lambda x: x * 2.0 - x * 2.0, [F4], ["Mul", "Sub"], "common subexpressions"),
    "other attributes": (lambda x: (tf.cumsum(x), tf.cumsum(x, reverse=True)), [F4], ["Cumsum", "Cumsum"], None),
    "random": (lambda x: (tf.random.shuffle(x), tf.random.shuffle(x)), [F4], ["RandomShuffle"] * 2, None),
    "times 1": (lambda x: x * 1.0, [F4], [], "simplification"),
    "minus 0": (lambda x: x - 0.0, [F4], [], "simplification"),
    "plus 0.0 changes -0.0": (lambda x: x + 0.0, [F4], ["AddV2"], None),
    "plus -0.0": (lambda x: x + -0.0, [F4], [], "simplification"),
    "times 0 keeps NaN": (lambda x: x * 0.0, [F4], ["Mul"], None),
    "whole plus 0": (lambda n: n + 0, [I], [], "simplification"),
    "negative twice": (lambda x: tf.negative(-x), [F4], [], "simplification"),
    "abs twice": (lambda x: tf.abs(tf.abs(x)), [F4], ["Abs"], "simplification"),
    "not twice": (lambda x: tf.logical_not(tf.logical_not(x > 0.0)), [F4], ["Greater"], "simplification"),
    "a 1 of a larger shape": (lambda x: x[0] * tf.ones([3]), [F4], ["StridedSlice", "Mul"], None),
    "broadcasts": (lambda x, m: tf.broadcast_to(x, [3, 4]) * m, [F4, M34], ["Mul"], "simplification"),
    "a cast and back": (lambda n: tf.cast(tf.cast(n, tf.int64), tf.int32), [I], [], "redundancy"),
    "a cast that loses": (lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32), [F4], ["Cast", "Cast"], None),
    "transposed and back": (lambda m: tf.transpose(tf.transpose(m)), [M34], [], "redundancy"),
    "transposed twice": (
        lambda m: tf.transpose(tf.transpose(m[None], [1, 2, 0]), [1, 2, 0]),
        [M34],
        ["StridedSlice", "Transpose"],
        "redundancy",
    ),
    "transposed by numbers": (
        lambda m, n: tf.transpose(tf.transpose(m), [n, 1 - n]),
        [M34, I],
        ["Transpose", "Sub", "Pack", "Transpose"],
        None,
    ),
    "a cast on the way": (lambda n: tf.cast(tf.cast(n, tf.int64), tf.float32), [I], ["Cast"], "redundancy"),
    "a cast that depends on the way": (
        lambda x: tf.cast(tf.cast(x, tf.float64), tf.int32),
        [F4],
        ["Cast", "Cast"],
        None,
    ),
    "a reshape on the way": (lambda m: tf.reshape(tf.reshape(m, [-1]), [2, 6]), [M34], ["Reshape"], "redundancy"),
    "an axis there and back": (lambda m: tf.squeeze(tf.expand_dims(m, 1), 1), [M34], [], "redundancy"),
    "a slice of everything": (lambda m: m[:, 0:4] + m[:][..., :], [M34], ["AddV2"], "redundancy"),
    "a slice backwards": (lambda m: m[::-1], [M34], ["StridedSlice"], None),
    "nothing around": (lambda m: tf.pad(m, [[0, 0], [0, 0]]), [M34], [], "redundancy"),
    "something around": (lambda m: tf.pad(m, [[0, 1], [0, 0]]), [M34], ["Pad"], None),
    "each once": (lambda m: tf.tile(m, [1, 1]), [M34], [], "redundancy"),
    "the same shape": (lambda m: tf.reshape(m, [3, 4]), [M34], [], "redundancy"),
    "an element": (lambda m, n: m[n], [M34, I], ["IndexAt"], "indexing"),
    "a column": (lambda m, n: m[:, n], [M34, I], ["IndexAt"], "indexing"),
    "a computed end": (
        lambda x, n: x[:n],
        [F4, I],
        ["Pack", "StridedSlice"],
        None,
    ),
    "gates": (
        lambda m: tf.sigmoid(m[:, :1]) + tf.sigmoid(m[:, 1:2]) * tf.sigmoid(m[:, 2:3]) + m[:, 3:],
        [M34],
        ["Sigmoid", "StridedSlice", "StridedSlice", "StridedSlice", "Mul", "AddV2", "StridedSlice", "AddV2"],
        "gates",
    ),
    "gates of a split": (
        lambda m: [tf.sigmoid(part) for part in tf.split(m, 2, 1)],
        [M34],
        ["Sigmoid", "Split"],
        "gates",
    ),
    "one gate": (lambda m: tf.sigmoid(m[:, :1]), [M34], ["StridedSlice", "Sigmoid"], None),
    "gates that are a small part": (
        lambda w: tf.sigmoid(w[:, :1]) + tf.sigmoid(w[:, 1:2]),
        [tf.TensorSpec([10, 1000])],
        ["StridedSlice", "Sigmoid", "StridedSlice", "Sigmoid", "AddV2"],
        None,
    ),
    "unneeded": (lambda x: (tf.sin(x), tf.cos(x))[0], [F4], ["Sin"], "pruning"),
    "a small function": (lambda x: inner(x)[0], [F4], ["Mul"], "inlining"),
    "a known branch": (
        lambda x: tf.cond(tf.constant(True), lambda: tf.sin(x), lambda: tf.cos(x)),
        [F4],
        ["Sin"],
        "branch folding",
    ),
    "a loop of constants": (  # it may go on for ever, in a branch that is never run
        lambda x: x + tf.while_loop(lambda v: v < 5.0, lambda v: (v + 1.0,), [tf.constant(0.0)])[0],
        [F4],
        ["StatelessWhile", "AddV2"],
        None,
    ),
    "a loop": (loop, [F4], ["Tanh", "Mul", "StatelessWhile"], "loop invariants"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_left(name: str) -> None:
    function, specs, left, by = CASES[name]
    graph = graph_of(function, *specs)
    before = [op.type for op in graph.ops]
    assert kinds(graph) == left
    assert [op.type for op in graph.ops] == before, "the graph itself stays as it is"
    found = {rewrite.name for rewrite in checked(graph).rewrites}
    assert by in found if by is not None else found <= {"constant folding", "redundancy"}


def test_a_record_says_what_vanished_why_and_where() -> None:
    def f(x: Any) -> Any:
        y = x * 1.0  # this line
        return y - 2.0

    [found] = [r for r in checked(graph_of(f, F4)).rewrites if r.name == "simplification"]
    assert found.before == (("mul", "Mul"),)
    assert found.after == (("x", "Placeholder"),)
    assert found.rule == "times or divided by 1"
    assert found.place.text == "y = x * 1.0  # this line"
    assert str(found) == "simplification: times or divided by 1: mul (Mul) → x (Placeholder)"


def test_reads_of_a_variable_are_one_only_with_no_write_between() -> None:
    v = tf.Variable(1.0)

    def f() -> Any:
        a = v + v
        v.assign(5.0)
        return a, v * 1.0

    assert kinds(graph_of(f)) == ["ReadVariableOp", "AddV2", "AssignVariableOp", "ReadVariableOp"]
    assert [float(t) for t in tf.function(f)()] == [2.0, 5.0]


def test_the_value_of_a_loop_is_not_known_while_tracing() -> None:
    @tf.function
    def f() -> Any:
        (value,) = tf.while_loop(lambda i: i < 5, lambda i: (i + 1,), [tf.constant(0)])
        assert tf.get_static_value(value) is None
        return value

    assert int(f()) == 5


def test_a_loop_that_never_runs_does_not_raise() -> None:
    @tf.function
    def f(x: Any, n: Any, y: Any) -> Any:
        for _ in tf.range(n):
            x += tf.reduce_sum(tf.matmul(y, y)) + tf.cast(n // (n - n), tf.float32)
        return x

    y = tf.TensorSpec([None, None])
    concrete = f.get_concrete_function(tf.TensorSpec([]), I, y)
    assert float(concrete(tf.constant(1.0), tf.constant(0), tf.ones([2, 3]))) == 1.0


@pytest.mark.parametrize("index", [0, -1, 2, 3, -4])
def test_an_index_out_of_bounds_is_told(index: int) -> None:
    def last(x: Any, n: Any) -> Any:
        for i in tf.range(n, n + 1):
            x = x * 1.0 + x[i]
        return x, x[:, None, n] if x.shape.rank == 2 else x[n]

    f = tf.function(last)
    for x in (tf.constant([1.0, 2.0, 3.0]), tf.ones([3, 3])):
        if -3 <= index < 3:
            a, b = f(x, tf.constant(index))
            assert a.numpy().tolist() == (x + x[index]).numpy().tolist()
            assert b.shape in ((), (3, 1))
        else:
            with pytest.raises(tf.errors.InvalidArgumentError, match=f"slice index {index} of dimension 0 out of"):
                f(x, tf.constant(index))


def test_a_function_called_twice_has_loops_of_its_own() -> None:
    @tf.function
    def power(x: Any) -> Any:
        y = x
        for _ in tf.range(3):
            y = y * tf.sin(x)
        return y

    graph = graph_of(lambda x: power(x) + power(x + 1.0), F4)
    x = np.array([0.5, 1, 2, 3], np.float32)
    expected = x * np.sin(x) ** 3 + (x + 1) * np.sin(x + 1) ** 3
    np.testing.assert_allclose(executable(graph).call([x])[0], expected, rtol=1e-5)
    checked(graph)


@pytest.fixture
def options() -> Iterator[None]:
    before = dict(OPTIONS)
    yield
    OPTIONS.clear()
    OPTIONS.update(before)


@pytest.mark.usefixtures("options")
@pytest.mark.parametrize("one", PASSES, ids=[p.name for p in PASSES])
def test_each_pass_has_a_switch(one: Any) -> None:
    v = tf.Variable(1.0)

    def f(x: Any) -> Any:
        x = x * x[tf.cast(x[0], tf.int32)]
        tf.debugging.check_numerics(x, "x")
        tf.cos(x)
        y = loop(inner(x)[0] * 1.0)
        z = tf.cond(tf.constant(True), lambda: y + 2.0 * tf.constant(3.0), lambda: x)
        w = tf.debugging.check_numerics(tf.reshape(z, [4]), "z")
        w += tf.concat([tf.sigmoid(w[:2]), tf.sigmoid(w[2:])], 0)
        return w + v.read_value() * v.read_value() + tf.sin(x) + tf.sin(x)

    graph = graph_of(f, F4)
    tf.config.optimizer.set_experimental_options({one.option: one.option == "debug_stripper"})
    with_it = {r.name for r in optimize(graph).rewrites}
    tf.config.optimizer.set_experimental_options({one.option: one.option != "debug_stripper"})
    if one.option == "debug_stripper":
        assert one.name in with_it
        return
    if one.option.startswith("disable_"):
        assert one.name in with_it
        assert one.name not in {r.name for r in optimize(graph).rewrites}
        return
    assert one.name not in with_it
    assert one.name in {r.name for r in optimize(graph).rewrites}


@pytest.mark.usefixtures("options")
@pytest.mark.parametrize("one", PASSES[1:], ids=[p.name for p in PASSES[1:]])
def test_each_pass_has_a_switch_of_its_own(one: Any) -> None:
    name = one.name.replace(" ", "_")
    off = one.option.startswith("disable_")
    assert enabled(one)
    tf.config.optimizer.set_experimental_options({name: False})
    assert [p for p in PASSES[1:] if not enabled(p)] == [p for p in PASSES[1:] if p is one or p.option == name]
    tf.config.optimizer.set_experimental_options({one.option: off, name: True})
    assert enabled(one)
    assert tf.config.optimizer.get_experimental_options()[name] is True
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    assert not enabled(one)


EMITTED = {
    "buffer_reuse": (lambda x: tf.sin(x @ x) + 1.0, [tf.TensorSpec([40, 40])], "+= "),
    "elementwise_chains": (
        lambda x: tf.tanh(x * 2.0 + 1.0) * 3.0,
        [tf.TensorSpec([600, 600])],
        "chain_",
    ),
    "whole_numbers": (
        lambda n: tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), (0, 0))[1],
        [I],
        "while v",
    ),
    "parallel_branches": (lambda a, b: a @ b + b @ a, [tf.TensorSpec([512, 512])] * 2, ".start("),
}


@pytest.mark.usefixtures("options")
@pytest.mark.parametrize("name", EMITTED)
def test_each_thing_the_emitter_does_has_a_switch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads.Settings, "inter_op", 2)
    function, specs, sign = EMITTED[name]
    graph = graph_of(function, *specs)
    switch = tf.config.optimizer.set_experimental_options
    for options_, there in (
        ({}, True),
        ({name: False}, False),
        ({name: True}, True),
        ({"remapping": False}, True),
        ({"disable_meta_optimizer": True}, False),
    ):
        switch(options_)
        assert (sign in Executable(graph).source) is there, options_


@pytest.mark.usefixtures("options")
def test_just_in_time_compilation_turns_on_what_remapping_stands_for() -> None:
    graph = graph_of(lambda x: tf.sin(x @ x) + 1.0, tf.TensorSpec([40, 40]))
    tf.config.optimizer.set_experimental_options({"remapping": False})
    assert " @ " not in Executable(graph).source
    tf.config.optimizer.set_jit(True)
    try:
        assert " @ " in Executable(graph).source
    finally:
        tf.config.optimizer.set_jit(False)


@pytest.mark.usefixtures("options")
def test_small_graphs_may_be_left_alone() -> None:
    graph = graph_of(lambda x: x * 1.0, F4)
    assert optimize(graph).rewrites
    tf.config.optimizer.set_experimental_options({"min_graph_nodes": 50})
    assert not optimize(graph).rewrites


@pytest.mark.usefixtures("options")
def test_options_are_tensorflows() -> None:
    assert tf.config.optimizer.get_experimental_options() == {
        "disable_model_pruning": False,
        "disable_meta_optimizer": False,
    }
    tf.config.optimizer.set_experimental_options({"constant_folding": False, "nonsense": 1, "min_graph_nodes": 5})
    assert tf.config.optimizer.get_experimental_options() == {
        "constant_folding": False,
        "disable_model_pruning": False,
        "disable_meta_optimizer": False,
        "min_graph_nodes": 5,
    }
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    assert not optimize(graph_of(lambda x: x * 1.0, F4)).rewrites
    for value, mode in ((True, "autoclustering"), (False, ""), ("autoclustering", "autoclustering"), (None, "")):
        tf.config.optimizer.set_jit(value)
        assert tf.config.optimizer.get_jit() == mode


# -- random programs ---------------------------------------------------------------------------------------------------

_small = tf.function(lambda a, b: (a * b, a - 1.0))

STEPS: list[tuple[int, Any]] = [
    (2, lambda a, b: a + b),
    (2, lambda a, b: a - b),
    (2, lambda a, b: a * b),
    (2, lambda a, b: tf.maximum(a, b)),
    (2, lambda a, b: tf.where(a < b, a, b)),
    (2, lambda a, b: _small(a, b)[0]),
    (2, lambda a, b: _small(a, b)[1] * tf.reduce_sum(b)),
    (2, lambda a, b: tf.cond(tf.reduce_sum(a) > 0.0, lambda: a * 1.0, lambda: b - a)),
    (2, lambda a, b: tf.matmul(a, b, transpose_b=True) @ a),
    (1, lambda a: -a),
    (1, lambda a: a * 1.0),
    (1, lambda a: a + 0.0),
    (1, lambda a: a / 1.0),
    (1, lambda a: a * (tf.constant(2.0) + 1.0)),
    (1, lambda a: tf.tanh(a)),
    (1, lambda a: tf.exp(-tf.abs(a))),
    (1, lambda a: tf.nn.relu(tf.nn.relu(a))),
    (1, lambda a: tf.sigmoid(a)),
    (1, lambda a: tf.nn.softmax(a)),
    (1, lambda a: tf.concat([tf.sigmoid(a[:, 7:16]), tf.tanh(a[:, :7]), tf.sigmoid(a[:, 16:])], 1)),
    (1, lambda a: tf.concat([tf.sigmoid(part) for part in tf.split(a, [3, 20, 9], 0)], 0)),
    (1, lambda a: a - tf.reduce_mean(a, 0)),
    (1, lambda a: a * tf.reduce_max(a, 1, keepdims=True)),
    (1, lambda a: tf.transpose(tf.transpose(a))),
    (1, lambda a: tf.reshape(tf.reshape(a, [-1]), [32, 32])),
    (1, lambda a: tf.cast(tf.cast(a, tf.float64), tf.float32)),
    (1, lambda a: tf.cast(tf.cast(a, tf.int32) * 3 // 2, tf.float32)),
    (1, lambda a: a[1:3, None, 0] + a[0]),
    (1, lambda a: tf.broadcast_to(a[0], [32, 32]) * a if a.shape == (32, 32) else a),
    (1, lambda a: tf.concat([a[:16], a[16:]], 0)),
    (1, lambda a: tf.reshape(tf.reshape(tf.transpose(a), [4, 8, 32]), [32, 32])),
    (1, lambda a: tf.transpose(tf.transpose(tf.reshape(a, [4, 8, 32]), [1, 2, 0]), [2, 0, 1])[0, :8, :4]),
    (1, lambda a: tf.pad(a[1:-1, ::2], [[1, 1], [0, 16]]) + a[::-1, ::-1]),
    (1, lambda a: tf.stack(tf.unstack(a[:4]) + tf.unstack(a[28:]))),
    (1, lambda a: tf.cast(_whole(tf.cast(tf.clip_by_value(a, -9.0, 9.0) * 1e8, tf.int32)), tf.float32)),
    (1, lambda a: tf.cast(tf.cast(tf.cast(a > 0.0, tf.int8), tf.int64), tf.float32)),
    (1, lambda a: _loop(a)),
    (1, lambda a: _counting(a)),
    (1, lambda a: _nested(a)),
    (1, lambda a: _rows(a)),
    (2, lambda a, b: tf.switch_case(tf.cast(tf.size(a), tf.int32) % 3, [lambda: a - b, lambda: b, lambda: a * b])),
]


def _whole(n: Any) -> Any:
    """Whole numbers that leave their dtype."""
    return tf.bitwise.bitwise_xor(n * 3 + tf.abs(n), n // 7) % 1000 - tf.maximum(n, -n) * n


def _nested(a: Any) -> Any:
    """A branch in a loop in a loop, on whole numbers that wrap around and on views."""

    def inner(j: Any, y: Any, n: Any) -> Any:
        y = tf.cond(n % 2 == 0, lambda: y + a[j], lambda: y * 0.5)
        return j + 1, y, n * 1_103_515_245 + 12_345

    def outer(i: Any, y: Any, n: Any) -> Any:
        _, y, n = tf.while_loop(lambda j, y, n: j < 2, inner, (tf.constant(0), y, n))
        return i + 1, y[::-1], n

    return tf.while_loop(lambda i, y, n: i < 3, outer, (tf.constant(0), a, tf.constant(7)))[1]


def _rows(a: Any) -> Any:
    """A list filled in a loop."""
    array = tf.TensorArray(tf.float32, 4, element_shape=[32])
    array = tf.while_loop(
        lambda i, t: i < 4, lambda i, t: (i + 1, t.write(i, tf.sin(a[i]) + a[-1])), (tf.constant(0), array)
    )[1]
    return array.stack()


def _loop(a: Any) -> Any:
    fixed = tf.abs(a)
    return tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.sin(fixed) + tf.cast(i % 2, tf.float32)), (tf.constant(0), a)
    )[1]


def _counting(a: Any) -> Any:
    steps = tf.while_loop(
        lambda n, s: tf.logical_and(n != 1, s < 50),
        lambda n, s: (tf.where(n % 2 == 0, n // 2, 3 * n + 1), s + 1),
        (tf.cast(tf.clip_by_value(tf.size(a), 1, 1000), tf.int32), tf.constant(0)),
    )[1]
    return a + tf.cast(steps, tf.float32)


@st.composite
def programs(draw: Any) -> list[tuple[int, list[int]]]:
    steps = []
    for position in range(draw(st.integers(1, 12))):
        number = draw(st.integers(0, len(STEPS) - 1))
        steps.append((number, [draw(st.integers(0, position + 1)) for _ in range(STEPS[number][0])]))
    return steps


LOG: list[float] = []
"""What effects on Python saw, in order."""


def traced(program: list[tuple[int, list[int]]], results: int, effects: bool) -> Any:
    v = tf.Variable(tf.ones([32, 32]))

    def run(x: Any, y: Any) -> Any:
        values = [x, y]
        for number, arguments in program:
            result = STEPS[number][1](*[values[i] for i in arguments])
            if result.shape != (32, 32):
                result = tf.reduce_sum(result) * tf.ones([32, 32])
            values.append(result)
            if effects and number % 4 == 0:
                v.assign_sub(result)
                values[-1] = values[-1] + v
            if effects and number % 5 == 0:
                tf.cond(tf.reduce_sum(result) > 0.0, lambda r=result: v.assign(r * 0.5), lambda: v.assign_add(v))
                tf.numpy_function(lambda total: LOG.append(float(total)), [tf.reduce_sum(v)], [])
            if effects and number % 7 == 0:
                tf.while_loop(
                    lambda i: i < 2, lambda i, r=result: (i + 1, v.assign_add(r * 0.25))[:1], (tf.constant(0),)
                )
        return values[-results:], v.read_value() if effects else None

    return tf.function(run, autograph=False).get_concrete_function(*[tf.TensorSpec([32, 32])] * 2).graph, v


@settings(max_examples=60, deadline=None)
@given(programs(), st.integers(1, 4), st.booleans(), st.integers(0, 99))
def test_optimised_and_unoptimised_programs_agree_bit_for_bit(
    program: Any, results: int, effects: bool, seed: int
) -> None:
    graph, variable = traced(program, results, effects)
    checked(graph)
    random = np.random.default_rng(seed)
    arrays = [random.standard_normal((32, 32)).astype(np.float32) for _ in range(2)]
    arrays[0][0, :4] = [0.0, -0.0, np.inf, np.nan]
    given_arrays = [a.copy() for a in arrays]
    found = []
    for function in (Executable(graph), Executable(graph, plain=True)):
        variable.assign(tf.ones([32, 32]))
        LOG.clear()
        captures = [t._a for t in graph.external_captures]
        for _ in range(2):
            results_ = function.call([*arrays, *captures])
        seen = [(r.dtype, r.shape, np.ascontiguousarray(r).tobytes()) for r in map(np.asarray, results_)]
        found.append((seen, variable.numpy().tobytes(), np.array(LOG).tobytes()))
    assert found[0] == found[1]
    for before, after in zip(given_arrays, arrays, strict=True):
        assert before.tobytes() == after.tobytes(), "arguments are never written into"


PRODUCTS = {
    "one since a pass": lambda x: tf.matmul(x, x * 1.0, transpose_b=True),
    "one behind a transpose": lambda x: tf.transpose(x * 1.0) @ x,
    "computed twice": lambda x: tf.matmul(tf.sin(x), tf.sin(x), transpose_b=True),
    "one from the first": lambda x: tf.matmul(x, x, transpose_b=True),
    "one behind a view": lambda x: tf.matmul(tf.reshape(x, [32, 32]), tf.identity(x), transpose_a=True),
    "one behind a call": lambda x: _product(x, x),
}

_product = tf.function(lambda a, b: tf.matmul(a, b, transpose_b=True))


@pytest.mark.parametrize("name", PRODUCTS)
def test_operands_that_become_one_are_multiplied_as_two(name: str) -> None:
    graph = graph_of(PRODUCTS[name], tf.TensorSpec([32, 32]))
    x = np.random.default_rng(0).standard_normal((32, 32)).astype(np.float32)
    found = [function.call([x])[0].tobytes() for function in (Executable(graph), Executable(graph, plain=True))]
    assert found[0] == found[1]


def test_passes_are_linear() -> None:
    import time

    def seconds(count: int) -> float:
        @tf.function(autograph=False)
        def chain(x: Any) -> Any:
            for i in range(count):
                x = x * float(i % 7) + tf.sin(x)
            return x

        graph = chain.get_concrete_function(F4).graph
        best = 1e9
        for _ in range(3):
            start = time.process_time()
            optimize(graph)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(2000) < 12 * seconds(400)
