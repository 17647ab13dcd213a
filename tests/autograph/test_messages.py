"""What converted code says when it goes wrong, or goes on and on: in the user's words, with the way out."""

import logging

import pytest

import graphlab as tf
from graphlab.autograph.operators import unrolled
from graphlab.core import errors


def appended_in_a_loop(n):
    items = []
    for i in tf.range(n):
        items.append(i * 1)  # noqa: PERF401 - what people write
    return tf.stack(items)


def kept_from_a_branch(n):
    items = [n]
    if n > 0:
        items.append(n * 2)
    return items[-1] + 1


def other_keys(n):
    if n > 0:
        return {"a": n}
    else:
        return {"b": n}


def sorted_matrix(n):
    return sorted(tf.reshape(tf.stack([n, n]), [1, 2]))


def comprehension(n):
    return [i * 2 for i in tf.range(n)]


def invariant_of_another_rank(n):
    x = tf.constant([1])
    for _ in tf.range(n):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None, None]))])
        x = tf.concat([x, x], 0)
    return x


def unknown_option(n):
    for _ in tf.range(n):
        tf.autograph.experimental.set_loop_options(limit=3)
        n += 1
    return n


ERRORS = [
    (
        appended_in_a_loop,
        errors.InaccessibleTensorError,
        ("the body of a loop", "tf.TensorArray", "items.append(i * 1)"),
    ),
    (kept_from_a_branch, errors.InaccessibleTensorError, ("a branch", "both branches assign", "n * 2")),
    (other_keys, TypeError, ("a dict with the keys 'a'", "a dict with the keys 'b'", "main branch", "else branch")),
    (sorted_matrix, ValueError, ("sorted()", "tf.sort.")),
    (comprehension, tf.errors.OperatorNotAllowedInGraphError, ("comprehensions", "tf.map_fn")),
    (invariant_of_another_rank, ValueError, ("'x'", "(None, None)", "(1,)")),
    (unknown_option, TypeError, ("set_loop_options()", "'limit'")),
]
INTERNAL = ("while_body", "ag__", "·", "loop variable 1", "reduce_sorted")


@pytest.mark.parametrize(("function", "kind", "words"), ERRORS, ids=[e[0].__name__ for e in ERRORS])
def test_errors_are_in_the_words_of_the_user(function, kind, words):
    with pytest.raises(kind) as caught:
        tf.function(function)(tf.constant(3))
    message = str(caught.value)
    assert [word for word in words if word not in message] == []
    assert [word for word in INTERNAL if word in message] == []


def endless_while(x):
    go_on = True
    while go_on:
        x = x + 1
    return x


def endless_for(x):
    def numbers():
        while True:
            yield 1

    for i in numbers():
        x = x + i
    return x


def endless_without_operations(x):
    n = 0
    while n >= 0:
        n += 1
    return x


ENDLESS = [endless_while, endless_for, endless_without_operations]


@pytest.mark.parametrize("function", ENDLESS, ids=lambda f: f.__name__)
def test_a_python_loop_without_an_end_comes_to_one_while_tracing(function, monkeypatch):
    monkeypatch.setattr(unrolled, "FIRST_CHECK", 50)
    monkeypatch.setattr(unrolled, "MOST_OPERATIONS", 120)
    monkeypatch.setattr(unrolled, "MOST_ITERATIONS", 400)
    with pytest.raises(ValueError, match=r"does not come to an end while the graph is built: \d+ iterations") as caught:
        tf.function(function)(tf.constant(0))
    assert "test_messages.py" in str(caught.value)


def long_loop(x):
    for i in range(260):
        x = x + i
    return x


def long_loop_without_operations(x):
    total = 0
    for i in range(260):
        total += i
    return x + total


@pytest.mark.parametrize(("function", "times"), [(long_loop, 1), (long_loop_without_operations, 0)])
def test_a_long_unrolled_loop_is_told_of(function, times, monkeypatch, caplog):
    monkeypatch.setattr(unrolled, "FIRST_CHECK", 100)
    with caplog.at_level(logging.WARNING, "graphlab"):
        assert int(tf.function(function)(tf.constant(0))) == 259 * 130
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == times
    assert all("runs while the graph is built: its 100 iterations" in text and "tf.range" in text for text in told)


def test_loops_of_plain_python_are_not_counted(monkeypatch):
    monkeypatch.setattr(unrolled, "FIRST_CHECK", 10)
    monkeypatch.setattr(unrolled, "MOST_ITERATIONS", 20)
    assert int(tf.autograph.to_graph(long_loop)(tf.constant(0))) == 259 * 130
