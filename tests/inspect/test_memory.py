"""What a traced function's memory report says."""

from __future__ import annotations

import json
from typing import Any

import pytest

import graphlab as tf
from graphlab import inspect
from graphlab.messages.languages import LANGUAGES


def tiled(x: Any) -> Any:
    small = tf.reduce_sum(x)
    return tf.reduce_sum(tf.tile(x, [4])) * small  # this line


def test_the_peak_and_what_it_is_for() -> None:
    f = tf.function(tiled)
    f(tf.ones([100_000]))
    report = inspect.memory(f)
    line = tiled.__code__.co_firstlineno + 2
    assert (
        str(report) == f"A call takes at most 1.6 MB beside its arguments.\n1.6 MB of it is Tile (Tile), line {line}."
    )
    assert report.data["at"]["type"] == "Sum", "the array is there still when its sum is"
    [largest, *_] = report.data["arrays"]
    assert (largest["bytes"], largest["line"], largest["file"]) == (1_600_000, line, __file__)
    assert report.peak_bytes == report.data["peak_bytes"] >= 1_600_000
    json.dumps(report.data)


def test_arguments_give_the_sizes_that_a_trace_does_not_know() -> None:
    f = tf.function(tiled, input_signature=[tf.TensorSpec([None])])
    f(tf.ones([3]))
    assert inspect.memory(f).data["unknown"] == 1
    assert "not known before a call" in str(inspect.memory(f))
    assert inspect.memory(f, tf.TensorSpec([1000])).peak_bytes >= 16_000
    assert inspect.memory(f, x=tf.ones([2000])).peak_bytes >= 32_000
    with pytest.raises(ValueError, match="takes 1 tensors, not 2"):
        inspect.memory(f, tf.ones([3]), tf.ones([3]))


def test_a_trace_by_number() -> None:
    f = tf.function(tiled)
    f(tf.ones([1000]))
    f(tf.ones([2000]))
    assert inspect.memory(f, trace=1).peak_bytes < inspect.memory(f).peak_bytes
    with pytest.raises(ValueError, match=r"trace 3"):
        inspect.memory(f, trace=3)
    with pytest.raises(ValueError, match="shape"):
        inspect.memory(f, tf.ones([5]))
    with pytest.raises(TypeError, match="not a traced function"):
        inspect.memory(tiled)


def test_a_function_that_makes_nothing() -> None:
    f = tf.function(lambda x: x)
    f(tf.ones([3]))
    assert str(inspect.memory(f)) == "A call makes no arrays."


@pytest.mark.parametrize("lang", LANGUAGES)
def test_in_every_language(lang: str) -> None:
    f = tf.function(tiled)
    f(tf.ones([100_000]))
    assert "1.6 MB" in str(inspect.memory(f, lang=lang))


def test_explain_tells_it_too() -> None:
    f = tf.function(tiled)
    f(tf.ones([100_000]))
    assert "A call takes at most 1.6 MB beside its arguments." in str(inspect.explain(f))
