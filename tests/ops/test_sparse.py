"""Sparse tensors: what TensorFlow gives for them, eagerly and traced, and how they pass functions, branches, loops."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import graphlab as tf
from tests.ops.sparse_cases import DENSE_GRADIENTS, GRADIENTS, VALUES, outcome, program, slope, value

RECORD = json.loads((Path(__file__).parent / "recorded" / "sparse.json").read_text(encoding="utf-8"))


def close(found, expected, path="result"):
    """Differences between two results as plain data; numbers may differ by rounding."""
    if isinstance(expected, list):
        assert isinstance(found, list), f"{path}: {found} for {expected}"
        assert len(found) == len(expected), f"{path}: {found} for {expected}"
        for index, (a, b) in enumerate(zip(found, expected, strict=True)):
            close(a, b, f"{path}[{index}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-5, abs=1e-6), path
    else:
        assert found == expected, path


def plain(data):
    return json.loads(json.dumps(data))


@pytest.mark.parametrize("expression", VALUES)
def test_values_eagerly(expression):
    close(plain(value(expression, tf)), RECORD[f"value: {expression}"])


# Found out only from sizes that a graph does not know.
UNSEEN = ("sp.retain(a, [True, False])", "sp.mask(tf.IndexedSlices(d, [1, 5, 2]), [5]).values")
TRACED = [text for text in VALUES if text.startswith(("sp.", "a *", "a /", "d *")) and text not in UNSEEN]


@pytest.mark.parametrize("expression", TRACED)
def test_values_traced(expression):
    """As eagerly, but for errors, which a graph may find while it is traced, as ValueError."""
    names = program(tf)
    inputs = {key: names[key] for key in "abuvczwjd"}

    @tf.function(autograph=False)
    def function(given):
        return eval(expression, {**names, **given})

    found, expected = plain(outcome(lambda: function(inputs), tf)), RECORD[f"value: {expression}"]
    if expected[0] == "raises":
        assert found[0] == "raises"
        assert found[1] in (expected[1], "ValueError", "TypeError")
    else:
        close(found, expected)


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
@pytest.mark.parametrize(
    ("expression", "source"), [*((t, "a") for t in GRADIENTS), *((t, "d") for t in DENSE_GRADIENTS)]
)
def test_gradients(expression, source, traced):
    key = "gradient: " if source == "a" else "dense gradient: "
    close(plain(slope(expression, source, tf, traced)), RECORD[key + expression])


def test_a_sparse_argument_is_traced_once_for_any_number_of_elements():
    traces = []

    @tf.function
    def total(s):
        traces.append(s.shape.as_list())
        return tf.sparse.reduce_sum(s)

    assert float(total(tf.sparse.from_dense([[1.0, 2.0]]))) == 3
    assert float(total(tf.sparse.from_dense([[0.0, 5.0]]))) == 5
    assert float(total(tf.sparse.from_dense([[5.0]]))) == 5
    assert traces == [[1, 2], [1, 1]]
    assert "SparseTensorSpec(TensorShape([1, 2]), tf.float32)" in total.pretty_printed_concrete_signatures()


def test_an_input_signature_may_be_a_sparse_spec():
    @tf.function(input_signature=[tf.SparseTensorSpec([None, 3], tf.int32)])
    def double(s):
        return tf.sparse.map_values(tf.multiply, s, 2)

    doubled = double(tf.sparse.from_dense([[1, 0, 2]]))
    assert isinstance(doubled, tf.SparseTensor)
    assert tf.sparse.to_dense(doubled).numpy().tolist() == [[2, 0, 4]]
    with pytest.raises(TypeError):
        double(tf.sparse.from_dense([[1.0, 0.0, 2.0]]))


def test_branches_and_loops_carry_sparse_tensors():
    @tf.function
    def grow(s, n):
        if n > 2:
            s = tf.sparse.add(s, s)
        else:
            s = tf.sparse.concat(0, [s, s])
            s = tf.sparse.slice(s, [0, 0], [1, 3])
        for _ in tf.range(n):
            s = tf.sparse.map_values(tf.add, s, 1.0)
        return s

    start = tf.sparse.from_dense([[1.0, 0.0, 2.0]])
    assert tf.sparse.to_dense(grow(start, tf.constant(3))).numpy().tolist() == [[5, 0, 7]]
    assert tf.sparse.to_dense(grow(start, tf.constant(1))).numpy().tolist() == [[2, 0, 3]]


def test_the_gradient_of_the_gradient():
    s = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    for function, factor in ((tf.sparse.softmax, None), (lambda t: tf.sparse.map_values(tf.square, t), 2.0)):
        values = s.values
        with tf.GradientTape() as outer:
            outer.watch(values)
            with tf.GradientTape() as inner:
                inner.watch(values)
                y = tf.reduce_sum(function(s.with_values(values)).values * [1.0, 2.0, 3.0])
            slopes = inner.gradient(y, values)
        found = outer.gradient(slopes, values)
        if factor is None:
            p = np.exp(-1) / (1 + np.exp(-1))  # of the first of two; the third is alone in its row
            # slope of the first: p (1 - p) (1 - 2), of the second its negative: together zero
            np.testing.assert_allclose(slopes.numpy(), [-p * (1 - p), p * (1 - p), 0], atol=1e-6)
            np.testing.assert_allclose(found.numpy(), [0, 0, 0], atol=1e-6)
        else:
            np.testing.assert_allclose(found.numpy(), [2.0, 4.0, 6.0])


def test_two_sparse_factors_are_refused_at_once():
    """TensorFlow recurses until Python stops it."""
    s = tf.sparse.eye(2)
    with pytest.raises(TypeError, match=r"write tf.sparse.to_dense\(b\)"):
        tf.sparse.sparse_dense_matmul(s, s)


def test_the_gradient_for_a_scalar_factor():
    """TensorFlow fails in it."""
    s, factor = tf.sparse.from_dense([[1.0, 0.0, 2.0]]), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(factor)
        y = (s * factor).values
    assert float(tape.gradient(y, factor)) == 3
