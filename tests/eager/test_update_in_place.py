"""Large variables are updated in place where nobody else has their array, and only there."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphlab as tf

SHAPE = (128, 128)


def _address(variable: Any) -> int:
    return int(variable._cell.value.__array_interface__["data"][0])


def _fresh() -> Any:
    variable = tf.Variable(tf.zeros(SHAPE))
    variable.assign_add(tf.ones(SHAPE))  # from here on the array is the variable's own
    return variable


def test_nobody_looks() -> None:
    variable = _fresh()
    before = _address(variable)
    variable.assign_sub(tf.fill(SHAPE, 3.0))
    assert _address(variable) == before
    np.testing.assert_array_equal(variable.numpy(), np.full(SHAPE, -2, np.float32))


HOLDERS: dict[str, Callable[[Any], Any]] = {
    "a tensor": lambda v: v.value(),
    "a view": lambda v: v[0],
    "an array": lambda v: v.numpy(),
    "a memoryview": lambda v: memoryview(v.value().numpy()),
    "an identity": lambda v: tf.identity(v),
    "a read": lambda v: v.read_value(),
    "a copy of the variable": lambda v: copy.deepcopy(v),
    "a reshape": lambda v: tf.reshape(v, [-1]),
    "a result": lambda v: tf.function(lambda: v.value())(),
}


@pytest.mark.parametrize("name", HOLDERS)
def test_what_was_read_keeps_its_value(name: str) -> None:
    variable = _fresh()
    held = HOLDERS[name](variable)
    variable.assign_add(tf.ones(SHAPE))
    variable.assign_add(tf.ones(SHAPE))
    assert set(np.asarray(held).reshape(-1).tolist()) == {1.0}
    assert set(variable.numpy().reshape(-1).tolist()) == {3.0}


def test_a_tape_keeps_what_it_recorded() -> None:
    variable = _fresh()
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(variable * variable)
    variable.assign_add(tf.ones(SHAPE))
    np.testing.assert_array_equal(tape.gradient(y, variable), np.full(SHAPE, 2, np.float32))


def test_readers_of_other_threads_never_see_half_an_update() -> None:
    variable = tf.Variable(tf.zeros((400, 400)))
    torn: list[Any] = []
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            seen = variable.numpy()
            if seen[0, 0] != seen[-1, -1] or not variable.is_initialized():
                torn.append(seen)

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    one = tf.ones((400, 400))
    for _ in range(300):
        variable.assign_add(one)
    stop.set()
    for thread in threads:
        thread.join()
    assert not torn
    assert variable.numpy().min() == variable.numpy().max() == 300


LOOKS: dict[str, Callable[[Any], Any]] = {
    "numpy": lambda v: v.numpy()[0, 0],
    "repr": lambda v: "numpy=\narray" in repr(v),
    "a copy": lambda v: copy.deepcopy(v).is_initialized().numpy(),
    "is_initialized": lambda v: v.is_initialized().numpy(),
}


@pytest.mark.parametrize("name", LOOKS)
def test_who_looks_during_an_update_waits_for_it(name: str) -> None:
    variable = _fresh()
    cell, found = variable._cell, []
    thread = threading.Thread(target=lambda: found.append(LOOKS[name](variable)))
    with cell.lock:
        array, cell.value = cell.value, None
        thread.start()
        thread.join(0.05)
        assert not found
        cell.value = array
    thread.join()
    assert found == [True]
