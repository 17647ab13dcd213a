"""Critical sections: one thread at a time, and open again after a failure or an interrupt."""

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import graphlab as tf


def _read_wait_write(section: tf.CriticalSection, total: tf.Variable) -> Callable[[], object]:
    def step() -> Any:
        before = total.read_value()
        tf.py_function(lambda: threading.Event().wait(0.0005), [], [])
        return total.assign(before + 1)

    return lambda: section.execute(step)


@pytest.mark.parametrize("wrap", [tf.function, lambda function: function], ids=["traced", "eager"])
def test_no_step_is_lost_between_threads(wrap: Callable[..., Callable[[], object]]) -> None:
    section, total = tf.CriticalSection(), tf.Variable(0)
    call = wrap(_read_wait_write(section, total))
    threads = [threading.Thread(target=lambda: [call() for _ in range(10)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert total.numpy() == 40


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("where", ["straight", "loop", "branch", "call"])
def test_a_graph_that_stops_gives_the_lock_back(where: str, error: type[BaseException]) -> None:
    section, total = tf.CriticalSection(), tf.Variable(0)

    def stop() -> None:
        raise error

    def step() -> Any:
        tf.py_function(stop, [], [])
        return total.assign_add(1)

    def straight(n: tf.Tensor) -> None:
        section.execute(step)

    def loop(n: tf.Tensor) -> None:
        for _ in tf.range(n):
            section.execute(step)

    def branch(n: tf.Tensor) -> None:
        if n > 0:
            section.execute(step)

    def call(n: tf.Tensor) -> None:
        tf.function(straight)(n)

    function = tf.function({"straight": straight, "loop": loop, "branch": branch, "call": call}[where])
    with pytest.raises((error, tf.errors.OpError)):
        function(tf.constant(2))
    found = []
    thread = threading.Thread(
        target=lambda: found.append(section.execute(lambda: total.assign_add(5)).numpy()), daemon=True
    )
    thread.start()
    thread.join(20)
    assert found == [5]


def test_a_call_that_would_wait_for_itself_fails() -> None:
    section = tf.CriticalSection(name="outer")
    inner = tf.function(lambda: section.execute(lambda: tf.constant(1)))
    inner()
    with pytest.raises(tf.errors.FailedPreconditionError, match="outer already"):
        section.execute(inner)
    assert inner().numpy() == 1


def test_sections_with_a_shared_name_are_one() -> None:
    one, two = tf.CriticalSection(shared_name="both"), tf.CriticalSection(shared_name="both")
    with pytest.raises(ValueError, match="already running"):
        one.execute(lambda: two.execute(lambda: tf.constant(1)))


def test_a_shared_name_keeps_no_lock_alive() -> None:
    section = tf.CriticalSection(shared_name="alone")
    mutex = weakref.ref(section._mutex)
    del section
    gc.collect()
    assert mutex() is None


def test_nodes_are_those_of_the_lock() -> None:
    section = tf.CriticalSection()
    function = tf.function(lambda: section.execute(lambda: tf.constant(1)))
    graph = function.get_concrete_function().graph
    assert [op.type for op in graph.get_operations() if "Mutex" in op.type] == ["MutexLock", "ConsumeMutexLock"]


@pytest.mark.parametrize(
    ("first", "second", "refused"),
    [(True, True, True), (True, False, True), (False, True, True), (False, False, False)],
)
def test_two_sections_of_a_function_may_not_use_one_variable_alone(first: bool, second: bool, refused: bool) -> None:
    one, two, total = tf.CriticalSection(), tf.CriticalSection(), tf.Variable(0)

    @tf.function
    def both() -> Any:
        one.execute(lambda: total.assign_add(1), exclusive_resource_access=first)
        two.execute(lambda: total.assign_add(1), exclusive_resource_access=second)
        return total.read_value()

    if refused:
        with pytest.raises(ValueError, match="exclusive_resource_access"):
            both()
    else:
        assert both().numpy() == 2


@pytest.mark.parametrize("wrap", [tf.function, lambda function: function], ids=["traced", "eager"])
def test_a_section_inside_of_itself_is_refused(wrap: Callable[..., Callable[[], object]]) -> None:
    section = tf.CriticalSection()
    with pytest.raises(ValueError, match="already running"):
        wrap(lambda: section.execute(lambda: section.execute(lambda: tf.constant(1))))()
    assert section.execute(lambda: tf.constant(2)).numpy() == 2


def test_what_returns_nothing_is_for_eager_code() -> None:
    section = tf.CriticalSection()
    assert section.execute(lambda: None) is None
    with pytest.raises(ValueError, match="None"):
        tf.function(lambda: section.execute(lambda: None))()
    with pytest.raises(TypeError, match="not callable"):
        section.execute(3)
