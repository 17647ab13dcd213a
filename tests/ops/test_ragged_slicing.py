"""Parts of RaggedTensors are those of nested Python lists."""

import itertools
from typing import Any

import pytest

import graphlab as tf

ROWS = [[1, 2, 3], [], [4, 5], [6], [7, 8, 9, 10]]
DEEP = [[[1, 2], [3]], [], [[4, 5, 6], [], [7]]]
BOUNDS = [None, 0, 1, 2, 5, -1, -2, -9]
STEPS = [None, 1, 2, -1, -2]


def python(rows: Any, keys: tuple[Any, ...]) -> Any:
    """What the keys give of nested lists."""
    if not keys:
        return rows
    first, *rest = keys
    if first is None:
        return [python(rows, tuple(rest))]
    if isinstance(first, slice):
        return [python(row, tuple(rest)) for row in rows[first]]
    return python(rows[first], tuple(rest))


def lists(value: Any) -> Any:
    return value.to_list() if isinstance(value, tf.RaggedTensor) else value.numpy().tolist()


def traced(key: Any, rows: Any) -> Any:
    return tf.function(lambda rows: rows[key])(rows)


SLICES = [slice(*bounds) for bounds in itertools.product(BOUNDS, BOUNDS, STEPS)]


@pytest.mark.parametrize("kind", [tf.int32, tf.int64], ids=["int32", "int64"])
def test_slices_of_each_row(kind: Any) -> None:
    rows = tf.ragged.constant(ROWS, row_splits_dtype=kind)
    for key in SLICES:
        assert lists(rows[:, key]) == python(ROWS, (slice(None), key)), key
        assert rows[:, key].row_splits.dtype is kind


def test_slices_of_the_rows() -> None:
    rows = tf.ragged.constant(ROWS)
    for key in SLICES:
        assert lists(rows[key]) == ROWS[key], key


KEYS: list[Any] = [
    (slice(1, None), slice(1, None)), (slice(None, None, 2), slice(None, None, -1)), (0, slice(1, None)), (0, 0),
    (None,), (None, slice(1, 3)), (slice(None), None), (slice(None), slice(None, 2), None), (4, None, slice(1, 3)),
    (slice(1, None), None, slice(None, 1)),
]  # fmt: skip
DEEP_KEYS: list[Any] = [
    (slice(None), slice(None), slice(None, 1)), (slice(None), slice(None, 1)), (slice(None), slice(None, 1), slice(1, None)),
    (0, slice(None), slice(None, 1)), (2, slice(None, None, -1)), (slice(None, None, -1), slice(1, None), slice(None, None, 2)),
    (slice(None), None, slice(None, 1)), (2, 0, slice(None, 2)),
]  # fmt: skip


@pytest.mark.parametrize("getitem", [lambda key, rows: rows[key], traced], ids=["eager", "traced"])
@pytest.mark.parametrize(("rows", "key"), [(ROWS, k) for k in KEYS] + [(DEEP, k) for k in DEEP_KEYS], ids=repr)
def test_several_keys(rows: Any, key: Any, getitem: Any) -> None:
    assert lists(getitem(key, tf.ragged.constant(rows))) == python(rows, key)


@pytest.mark.parametrize(
    ("key", "means"),
    [
        ((..., slice(None, 1)), (slice(None), slice(None), slice(None, 1))),
        ((0, ...), (0,)),
        ((..., None), (slice(None), slice(None), slice(None), None)),
        ((slice(1, None), ..., slice(1, None)), (slice(1, None), slice(None), slice(1, None))),
    ],
    ids=repr,
)
def test_dots_stand_for_whole_axes(key: Any, means: Any) -> None:
    rows = tf.ragged.constant(DEEP)
    assert lists(rows[key]) == lists(rows[means])


def test_values_with_axes_of_their_own() -> None:
    rows = tf.RaggedTensor.from_row_lengths(tf.constant([[1, 2], [3, 4], [5, 6]]), [2, 1])
    assert lists(rows[:, :, 0]) == lists(rows[..., 0]) == [[1, 3], [5]]
    assert lists(rows[:, :1]) == [[[1, 2]], [[5, 6]]]


@pytest.mark.parametrize("key", [slice(None, tf.constant(1)), slice(tf.constant(-1), None)], ids=["stop", "start"])
def test_bounds_may_be_tensors(key: Any) -> None:
    plain = slice(*(None if bound is None else int(bound) for bound in (key.start, key.stop)))
    assert lists(tf.ragged.constant(ROWS)[:, key]) == python(ROWS, (slice(None), plain))


def test_the_gradient_goes_to_what_was_taken() -> None:
    values = tf.constant([1.0, 2.0, 3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(values)
        rows = tf.RaggedTensor.from_row_splits(values, [0, 3, 4])
        total = tf.reduce_sum(rows[:, ::2].flat_values ** 2)
    assert tf.convert_to_tensor(tape.gradient(total, values)).numpy().tolist() == [2.0, 0.0, 6.0, 8.0]


@pytest.mark.parametrize("key", [(slice(None), 0), (..., ...), (slice(None), slice(None, None, 0))], ids=repr)
def test_what_is_refused(key: Any) -> None:
    with pytest.raises(ValueError, match=r"ragged|ellipsis|zero"):
        tf.ragged.constant(ROWS)[key]
