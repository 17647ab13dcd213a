"""Parts of a graph in several threads: which, when, and that nobody can tell from results, effects or errors."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphlab as tf
from graphlab.compile import Executable, costs, executable, threads

BIG = tf.TensorSpec([512, 512])


@pytest.fixture
def two_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads.Settings, "inter_op", 2)


@pytest.fixture
def eager_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every operation on a matrix counts as expensive, so that small programs have parts."""
    with_sizes = lambda op, known: 1e-2 if any(t._shape for t in op.outputs) else 0.0  # noqa: E731
    monkeypatch.setattr(threads.Settings, "inter_op", 3)
    monkeypatch.setattr(costs, "seconds", with_sizes)


def graph_of(function: Any, *specs: Any, **options: Any) -> Any:
    return tf.function(function, **options).get_concrete_function(*specs).graph


def parts(graph: Any) -> int:
    return Executable(graph).source.count(".start(")


def tower(x: Any, w: Any, v: Any) -> Any:
    return tf.nn.relu(x @ w) @ v


PAYS = {
    "two products": (lambda a, b, c: a @ b + b @ c, [BIG] * 3, 1),
    "one product": (lambda a, b: a @ b + 1.0, [BIG] * 2, 0),
    "one after the other": (lambda a, b: (a @ b) @ b, [BIG] * 2, 0),
    "two towers": (lambda a, b, c: tower(a, b, c) + tower(c, b, a), [BIG] * 3, 1),
    "small products": (lambda a, b: a @ b + b @ a, [tf.TensorSpec([20, 20])] * 2, 0),
    "unknown sizes": (lambda a, b: a @ b + b @ a, [tf.TensorSpec([None, None])] * 2, 0),
    "elementwise": (lambda a, b: tf.sin(a) * tf.cos(b), [tf.TensorSpec([1000, 1000])] * 2, 1),
    "convolutions": (
        lambda x, f, g: tf.nn.conv2d(x, f, 1, "SAME") + tf.nn.conv2d(x, g, 1, "SAME"),
        [tf.TensorSpec([4, 64, 64, 32]), tf.TensorSpec([3, 3, 32, 32]), tf.TensorSpec([3, 3, 32, 32])],
        1,
    ),
    "decompositions": (lambda a, b: tf.linalg.inv(a) + tf.linalg.inv(b), [BIG] * 2, 1),
    "in a branch": (
        lambda a, b: tf.cond(a[0, 0] > 0.0, lambda: a @ b + b @ a, lambda: a),
        [BIG] * 2,
        1,
    ),
    "in a loop": (
        lambda a, b: tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, (x @ b - b @ x) * 1e-3), (0, a))[1],
        [BIG] * 2,
        1,
    ),
    "random numbers in between": (
        lambda a, b: (a @ b, tf.random.normal([2]), b @ a),
        [BIG] * 2,
        0,
    ),
}


@pytest.mark.usefixtures("two_lanes")
@pytest.mark.parametrize("name", PAYS)
def test_what_is_worth_a_thread(name: str) -> None:
    function, specs, expected = PAYS[name]
    graph = graph_of(function, *specs)
    assert parts(graph) == expected
    random = np.random.default_rng(0)
    arrays = [random.standard_normal([s or 8 for s in spec.shape]).astype(np.float32) for spec in specs]
    if "random" not in name:
        same(graph, arrays)


def same(graph: Any, arrays: list[Any]) -> None:
    """The graph gives the same bits with threads, without, and without any optimisation."""
    lanes = threads.Settings.inter_op
    with_threads = Executable(graph)
    threads.Settings.inter_op = 1
    alone = Executable(graph)
    threads.Settings.inter_op = lanes
    assert ".start(" not in alone.source
    found = [[bits(a) for a in function.call(arrays)] for function in (with_threads, alone, Executable(graph, True))]
    assert found[0] == found[1] == found[2]


def bits(array: Any) -> tuple[Any, ...]:
    array = np.asarray(array)
    return array.dtype, array.shape, np.ascontiguousarray(array).tobytes()


@pytest.mark.usefixtures("two_lanes")
def test_a_graph_without_expensive_parts_has_the_same_code() -> None:
    graph = graph_of(lambda x, y: tf.sin(x) + tf.cos(y) @ x, *[tf.TensorSpec([10, 10])] * 2)
    with_threads = Executable(graph).source
    threads.Settings.inter_op = 1
    assert Executable(graph).source == with_threads


@pytest.mark.usefixtures("two_lanes")
def test_gradients_of_a_deep_network_run_beside_each_other() -> None:
    weights = [tf.Variable(np.random.default_rng(i).standard_normal((512, 512)).astype(np.float32)) for i in range(4)]

    def gradients(x: Any) -> Any:
        with tf.GradientTape() as tape:
            for w in weights:
                x = tf.nn.relu(x @ w)
            loss = tf.reduce_sum(x)
        return tape.gradient(loss, weights)

    graph = graph_of(gradients, tf.TensorSpec([512, 512]))
    assert parts(graph) >= 2
    same(graph, [np.eye(512, dtype=np.float32), *[t._a for t in graph.external_captures]])


@pytest.mark.usefixtures("eager_schedule")
def test_effects_come_in_program_order_and_before_what_follows_them() -> None:
    v = tf.Variable(tf.ones([4, 4]))
    log: list[float] = []

    def f(x: Any, y: Any) -> Any:
        a = tf.sin(x) + tf.cos(y)
        v.assign_add(a)
        tf.numpy_function(lambda s: log.append(float(s)), [tf.reduce_sum(v)], [])
        b = tf.tanh(x) @ v + tf.exp(y) @ x
        v.assign(b)
        tf.numpy_function(lambda s: log.append(float(s)), [tf.reduce_sum(v)], [])
        return a, b, v.read_value()

    graph = graph_of(f, *[tf.TensorSpec([4, 4])] * 2, autograph=False)
    random = np.random.default_rng(0)
    arrays = [random.standard_normal((4, 4)).astype(np.float32) for _ in range(2)]
    found = []
    assert parts(graph) >= 2
    for function in (Executable(graph), Executable(graph, plain=True)):
        v.assign(tf.ones([4, 4]))
        log.clear()
        results = function.call([*arrays, *[t._a for t in graph.external_captures]])
        found.append(([bits(r) for r in results], bits(v.numpy()), list(log)))
    assert found[0] == found[1]


FAILURES = {
    "the second fails": lambda n, z: (n // (z + 1), n // z),
    "the first fails": lambda n, z: (n // z, n // (z + 1)),
    "both fail": lambda n, z: (tf.gather(n, z + 9) + 1, n // z),
    "a later one fails in a thread": lambda n, z: (n * 2 + 1, n // z + 1),
    "behind both": lambda n, z: ((n + 1) * (n + 2), (n * 3) // z),
}


@pytest.mark.usefixtures("eager_schedule")
@pytest.mark.parametrize("name", FAILURES)
def test_the_first_error_in_program_order_is_raised(name: str) -> None:
    spec = tf.TensorSpec([2, 2], tf.int32)
    graph = graph_of(FAILURES[name], spec, spec)
    assert parts(graph) >= 1
    messages = []
    for function in (Executable(graph), Executable(graph), Executable(graph, plain=True)):
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                function.call([np.ones((2, 2), np.int32), np.zeros((2, 2), np.int32)])
            messages.append(str(caught.value))
    assert len(set(messages)) == 1
    assert "test_parallel.py" in messages[0]


@pytest.mark.usefixtures("eager_schedule")
def test_a_part_that_failed_for_a_reason_that_has_gone_is_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(lambda x, y: tf.sin(x) + tf.cos(y), *[tf.TensorSpec([4])] * 2)
    function = Executable(graph)
    refused: list[Any] = []

    def refusing(self: Any, *arguments: Any) -> Any:
        refused.append(self)
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads.Group, "start", refusing)
    x = np.ones(4, np.float32)
    assert bits(function.call([x, x])[0]) == bits(Executable(graph, plain=True).call([x, x])[0])
    assert refused


@pytest.mark.usefixtures("eager_schedule")
def test_calls_inside_parts_have_parts_of_their_own_and_many_threads_may_call() -> None:
    def body(x: Any) -> Any:
        for _ in range(120):  # too large to be inlined
            x = tf.sin(x) + tf.cos(x)
        return x

    inner = tf.function(body, autograph=False)

    graph = graph_of(lambda x: inner(x) + inner(x * 2.0), tf.TensorSpec([8]), autograph=False)
    function = Executable(graph)
    x = np.linspace(0, 1, 8, dtype=np.float32)
    expected = bits(Executable(graph, plain=True).call([x])[0])
    found: list[Any] = []

    def call() -> None:
        found.extend(bits(function.call([x])[0]) for _ in range(5))

    callers = [threading.Thread(target=call) for _ in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(60)
    assert found == [expected] * 30


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.usefixtures("eager_schedule")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_starts_threads_of_its_own() -> None:
    graph = graph_of(lambda x, y: tf.sin(x) + tf.cos(y), *[tf.TensorSpec([4])] * 2)
    function = executable(graph)
    x = np.ones(4, np.float32)
    expected = bits(function.call([x, x])[0])
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()

    def answer() -> None:
        fresh = Executable(graph)  # its first run has parts
        answers.put((bits(fresh.call([x, x])[0]), bits(function.call([x, x])[0]), len(threads._workers)))

    child = context.Process(target=answer)
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert answers.get() == (expected, expected, 2)


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals come to the main thread")
def test_an_interrupt_takes_back_what_has_not_begun() -> None:
    group = threads.Group(threads.Place(2, 3), alone=True)  # no thread takes anything
    ran: list[int] = []
    parts_ = [group.start(ran.append, i) for i in range(3)]
    parts_[0].run()
    group.cancel()
    for part in parts_:
        part.run()
    assert ran == [0]


def test_a_place_learns_whether_threads_pay_and_looks_again_less_and_less_often() -> None:
    place = threads.Place(2, 1)

    def runs(count: int, shared: float, alone: float) -> str:
        """Who did the work in so many runs: this thread alone, or several."""
        done = ""
        for _ in range(count):
            group = place.group()
            place.finished(alone if group.alone else shared, group.alone)
            done += "a" if group.alone else "s"
        return done

    assert runs(2, 1.0, 2.0) == "sa"
    assert runs(14, 1.0, 2.0) == "sss" + "a" + "sssssss" + "a" + "ss"
    assert set(runs(100, 1.0, 2.0)[-20:]) == {"s"}
    assert runs(40, 9.0, 2.0).count("a") > 30, "the machine has become busy"
    assert "s" * 20 in runs(400, 1.0, 2.0), "and is quiet again"


def test_a_place_that_runs_alone_gives_nothing_away(monkeypatch: pytest.MonkeyPatch) -> None:
    place = threads.Place(2, 1)
    place.times, place.alone = {False: 2.0, True: 1.0}, True
    monkeypatch.setattr(threads, "_waiting", None)
    group = place.group()
    assert group.start(abs, -3).get() == 3


@pytest.mark.usefixtures("eager_schedule")
@pytest.mark.skipif(not hasattr(signal, "raise_signal"), reason="this system has no signals")
def test_control_c_leaves_a_graph_with_parts_and_the_next_call_works() -> None:
    graph = graph_of(lambda x, y: tf.sin(x) + tf.cos(y), *[tf.TensorSpec([4])] * 2)
    function = Executable(graph)
    x = np.ones(4, np.float32)
    expected = bits(function.call([x, x])[0])
    begin = threads.Group.start

    def interrupted(self: Any, *arguments: Any) -> Any:
        begin(self, *arguments)
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(threads.Group, "start", interrupted)
            with pytest.raises(KeyboardInterrupt):
                function.call([x, x])
    finally:
        signal.signal(signal.SIGINT, before)
    assert bits(function.call([x, x])[0]) == expected


def test_no_thread_is_started_before_a_graph_needs_one() -> None:
    import subprocess
    import sys

    program = """
import sys, threading
import graphlab as tf
tf.function(lambda x: tf.sin(x) + tf.cos(x))(tf.ones([100, 100]))
assert threading.active_count() == 1
assert "graphlab.compile.threads" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("kind", ["inter", "intra"])
def test_settings(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads.Settings, f"{kind}_op", 0)
    told: list[int] = []

    def tell(count: int) -> bool:
        told.append(count)
        return True

    monkeypatch.setattr(threads, "set_algebra_threads", tell)
    get = getattr(tf.config.threading, f"get_{kind}_op_parallelism_threads")
    set_ = getattr(tf.config.threading, f"set_{kind}_op_parallelism_threads")
    assert get() == 0
    set_(3)
    assert get() == 3
    with pytest.raises(ValueError, match="negative"):
        set_(-1)
    set_(0)
    assert get() == 0
    assert told == ([3] if kind == "intra" else [])


def test_the_runtime_chooses_by_processors_and_the_algebra_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads.Settings, "inter_op", 0)
    monkeypatch.setattr(threads, "cores", lambda: 8)
    for algebra, expected in ((1, 8), (8, 1)):
        monkeypatch.setattr(threads, "algebra_threads", lambda algebra=algebra: algebra)
        assert threads.lanes() == expected
    monkeypatch.setattr(threads.Settings, "inter_op", 3)
    assert threads.lanes() == 3


def test_openblas_is_told_how_many_threads_it_may_use() -> None:
    before = threads.algebra_threads()
    if not threads.set_algebra_threads(before):
        pytest.skip("this NumPy has another linear algebra library")
    try:
        threads.set_algebra_threads(1)
        assert threads.algebra_threads() == 1
    finally:
        threads.set_algebra_threads(before)


# -- random programs ---------------------------------------------------------------------------------------------------

STEPS: list[tuple[int, Any]] = [
    (2, lambda a, b: a + b),
    (2, lambda a, b: a @ b),
    (2, lambda a, b: tf.where(a < b, a, b)),
    (2, lambda a, b: tf.cond(tf.reduce_sum(a) > 0.0, lambda: tf.sin(a) + tf.cos(b), lambda: b @ a)),
    (2, lambda a, b: tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x @ b * 0.1 + tf.sin(x)), (0, a))[1]),
    (1, tf.sin),
    (1, lambda a: tf.transpose(a) * 2.0),
    (1, lambda a: a[::-1]),
    (1, lambda a: tf.cast(tf.cast(a, tf.int32) // 2, tf.float32)),
    (1, lambda a: a - tf.reduce_mean(a, 0)),
    (1, lambda a: tf.concat(tf.split(a, 2), 0)),
]


@st.composite
def programs(draw: Any) -> list[tuple[int, list[int]]]:
    steps = []
    for position in range(draw(st.integers(2, 14))):
        number = draw(st.integers(0, len(STEPS) - 1))
        steps.append((number, [draw(st.integers(0, position + 1)) for _ in range(STEPS[number][0])]))
    return steps


def random_program(program: list[tuple[int, list[int]]], results: int, effects: bool) -> Any:
    v = tf.Variable(tf.ones([6, 6]))

    def run(x: Any, y: Any) -> Any:
        values = [x, y]
        for number, arguments in program:
            values.append(STEPS[number][1](*[values[i] for i in arguments]))
            if effects and number % 4 == 0:
                v.assign_sub(values[-1])
                values[-1] = values[-1] + v
        return values[-results:], v.read_value() if effects else None

    return graph_of(run, *[tf.TensorSpec([6, 6])] * 2, autograph=False), v


@settings(max_examples=80, deadline=None)
@given(programs(), st.integers(1, 4), st.booleans(), st.sampled_from([0.0, 2e-4, 1e-2]), st.integers(2, 4))
def test_parallel_and_sequential_programs_agree_bit_for_bit(
    program: Any, results: int, effects: bool, least: float, lanes: int
) -> None:
    graph, variable = random_program(program, results, effects)
    random = np.random.default_rng(len(program))
    arrays = [random.standard_normal((6, 6)).astype(np.float32) for _ in range(2)]
    captures = [t._a for t in graph.external_captures]
    real, before = costs.seconds, threads.Settings.inter_op
    cheap = random.integers(0, 2, 1000)

    def seconds(op: Any, known: Any) -> float:
        return (1e-2 if cheap[len(op.name) * 7 % 1000] else least) if any(t._shape for t in op.outputs) else 0.0

    costs.seconds, threads.Settings.inter_op = seconds, lanes
    try:
        functions = [Executable(graph), Executable(graph, plain=True)]
    finally:
        costs.seconds, threads.Settings.inter_op = real, before
    found = []
    for function in functions:
        variable.assign(tf.ones([6, 6]))
        for _ in range(3):
            answers = function.call([*arrays, *captures])
        found.append([bits(a) for a in answers])
    assert found[0] == found[1]
