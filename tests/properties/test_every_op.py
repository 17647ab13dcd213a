"""Every op of the registry has an entry; every entry has the properties."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphlab as tf
from graphlab._index import OPS
from graphlab.core.op import NOT_DIFFERENTIABLE
from tests.properties.checks import check_forward, check_gradient, flat, is_float, outcome
from tests.properties.conftest import PROFILE
from tests.properties.drawing import inputs
from tests.properties.entry import Entry, record
from tests.properties.tables import ENTRIES
from tests.properties.tables.others import WITHOUT_ENTRY


def named(entries: list[Entry]) -> list[Any]:
    return [pytest.param(entry, id=entry.name) for entry in entries]


def test_every_op_has_an_entry_or_a_reason() -> None:
    tested = {entry.op for entry in ENTRIES}
    assert set(OPS) - tested - set(WITHOUT_ENTRY) == set(), "ops without an entry in tests/properties/tables"
    assert tested & set(WITHOUT_ENTRY) == set()


def test_names_are_unique() -> None:
    names = [entry.name for entry in ENTRIES]
    assert sorted(set(names)) == sorted(names)


def test_an_op_with_a_gradient_is_differentiated_twice_or_says_why() -> None:
    whole = {entry.op for entry in ENTRIES} - {entry.op for entry in ENTRIES if not is_whole(entry)}
    best: dict[str, int] = {}
    for entry in ENTRIES:
        best[entry.op] = max(best.get(entry.op, 0), 0 if is_whole(entry) else entry.order)
        assert entry.order == 2 or entry.reason or record(entry.op).gradient is None
    short = {op for op, order in best.items() if order < 2 and callable(record(op).gradient) and op not in whole}
    assert short == {
        entry.op for entry in ENTRIES if entry.reason and callable(record(entry.op).gradient) and best[entry.op] < 2
    }


def is_whole(entry: Entry) -> bool:
    return not {"float32", "float64"} & set(entry.dtypes)


@pytest.mark.parametrize("entry", named(ENTRIES))
def test_shapes_dtypes_and_values(entry: Entry) -> None:
    """Eager = traced = without the compiler's passes, bit for bit; inference is right; broadcasting and values are NumPy's."""

    @PROFILE
    @given(st.sampled_from(list(entry.dtypes)).flatmap(lambda dtype: inputs(entry.text, entry.makers, dtype)))
    def check(arrays: list[np.ndarray]) -> None:
        seen.update(check_forward(entry, arrays))

    seen: set[str] = set()
    check()
    assert entry.op in seen, f"the call runs only {sorted(seen)}"


def differentiable(order: int) -> list[Any]:
    return named(
        [
            entry
            for entry in ENTRIES
            if callable(record(entry.op).gradient) and entry.order >= order and not is_whole(entry)
        ]
    )


def check_order(entry: Entry, order: int) -> None:
    dtype = "float64" if "float64" in entry.dtypes else "float32"

    @PROFILE
    @given(inputs(entry.text, entry.makers, dtype), st.integers(0, 99))
    def check(arrays: list[np.ndarray], seed: int) -> None:
        if any(map(is_float, arrays)) and outcome(entry.function, *[tf.constant(a) for a in arrays]) is not None:
            check_gradient(entry, arrays, order, seed)

    check()


@pytest.mark.parametrize("entry", differentiable(1))
def test_first_gradient(entry: Entry) -> None:
    check_order(entry, 1)


@pytest.mark.parametrize("entry", differentiable(2))
def test_second_gradient(entry: Entry) -> None:
    check_order(entry, 2)


# What is drawn for these reaches the result by other ops, through which gradients do flow.
BESIDE = {"Assert", "NoOp", "EmptyTensorList", "TensorListReserve"}
NO_GRADIENT = [entry for entry in ENTRIES if record(entry.op).gradient is NOT_DIFFERENTIABLE and entry.op not in BESIDE]


@pytest.mark.parametrize("entry", named(NO_GRADIENT))
@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_no_gradient_flows(entry: Entry, traced: bool) -> None:
    """Nothing comes through the op itself: the gradient of its results by its float inputs is None."""
    dtype = next((d for d in entry.dtypes if d.startswith("float")), entry.dtypes[0])

    @PROFILE
    @given(inputs(entry.text, entry.makers, dtype))
    def check(arrays: list[np.ndarray]) -> None:
        tensors = [tf.constant(a) for a in arrays]
        sources = [t for t in tensors if t.dtype.is_floating]
        if not sources or outcome(entry.function, *tensors) is None:
            return

        def function(*tensors: Any) -> list[bool]:
            with tf.GradientTape() as tape:
                tape.watch([t for t in tensors if t.dtype.is_floating])
                results = [r for r in flat(entry.function(*tensors)) if r.dtype.is_floating]
                total = (
                    tf.add_n([tf.reduce_sum(tf.cast(r, tf.float64)) for r in results]) if results else tf.constant(1.0)
                )
            return [g is None for g in tape.gradient(total, [t for t in tensors if t.dtype.is_floating])]

        found.append(tf.function(function, autograph=False)(*tensors) if traced else function(*tensors))

    found: list[Any] = []
    check()
    assert all(none for call in found for none in call)
