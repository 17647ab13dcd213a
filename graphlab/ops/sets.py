"""Sets: ``tf.sets``, on the last axis of tensors and sparse tensors; and the distance between sequences.

A row (the elements along the last axis) is a set: its elements are taken once, in rising order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, Arg, define
from graphlab.core.shape import as_shape
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.sparse_tensor import SparseTensor

Row = tuple[int, ...]
Rows = dict[Row, set[Any]]

_TYPES = frozenset((dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.string))
_OPERATIONS: dict[str, Callable[[set[Any], set[Any]], set[Any]]] = {
    "a-b": set.__sub__,
    "b-a": lambda a, b: b - a,
    "intersection": set.__and__,
    "union": set.__or__,
}

# ------------------------------------------------------------------------------------------------------------- kernels


def _fail(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def _dense_rows(x: Any) -> tuple[Rows, Row]:
    if x.ndim < 2:
        raise _fail(f"Shape {list(x.shape)} has rank {x.ndim} < 2")
    return {index: set(x[index].tolist()) for index in np.ndindex(x.shape[:-1])}, x.shape[:-1]


def _in_order(indices: Any, shape: Any) -> None:
    """InvalidArgumentError for places outside of the shape, twice the same, or not in order."""
    before: list[int] | None = None
    for number, place in enumerate(indices.tolist()):
        if any(not 0 <= i < n for i, n in zip(place, shape.tolist(), strict=True)):
            raise _fail(f"indices[{number}] = {place} is out of bounds: need 0 <= index < {shape.tolist()}")
        if before is not None and place <= before:
            what = "is repeated" if place == before else "is out of order"
            raise _fail(f"indices[{number}] = {place} {what}. Many sparse ops require sorted indices.")
        before = place


def _sparse_rows(indices: Any, values: Any, shape: Any, validate: bool) -> tuple[Rows, Row]:
    if len(shape) < 2:
        raise _fail(f"Shape {shape.tolist()} has rank {len(shape)} < 2")
    if validate:
        _in_order(indices, shape)
    rows: Rows = {}
    for place, value in zip(indices.tolist(), values.tolist(), strict=True):
        rows.setdefault(tuple(place[:-1]), set()).add(value)
    return rows, tuple(shape.tolist()[:-1])


def _operated(first: tuple[Rows, Row], second: tuple[Rows, Row], set_operation: str, dtype: Any) -> Any:
    operation = _OPERATIONS.get(set_operation)
    if operation is None:
        raise _fail(f"Invalid set_operation {set_operation}.")
    (a, groups), (b, other) = first, second
    if groups != other:
        raise _fail(f"Mismatched shapes {list(groups)} vs. {list(other)}")
    indices: list[list[int]] = []
    values: list[Any] = []
    widest = 0
    for row in sorted(a.keys() | b.keys()):
        found = sorted(operation(a.get(row, set()), b.get(row, set())))
        widest = max(widest, len(found))
        values += found
        indices += [[*row, column] for column in range(len(found))]
    flat = np.empty(len(values), dtype)
    flat[:] = values
    places = np.array(indices, np.int64).reshape(len(values), len(groups) + 1)
    return places, flat, np.array([*groups, widest], np.int64)


def _dense_dense(set1: Any, set2: Any, set_operation: str, validate_indices: bool) -> Any:
    return _operated(_dense_rows(set1), _dense_rows(set2), set_operation, set1.dtype)


def _dense_sparse(
    set1: Any, set2_indices: Any, set2_values: Any, set2_shape: Any, set_operation: str, validate_indices: bool
) -> Any:
    second = _sparse_rows(set2_indices, set2_values, set2_shape, validate_indices)
    return _operated(_dense_rows(set1), second, set_operation, set1.dtype)


def _sparse_sparse(
    set1_indices: Any, set1_values: Any, set1_shape: Any, set2_indices: Any, set2_values: Any, set2_shape: Any,
    set_operation: str, validate_indices: bool,
) -> Any:  # fmt: skip
    first = _sparse_rows(set1_indices, set1_values, set1_shape, validate_indices)
    second = _sparse_rows(set2_indices, set2_values, set2_shape, validate_indices)
    return _operated(first, second, set_operation, set1_values.dtype)


def _size(set_indices: Any, set_values: Any, set_shape: Any, validate_indices: bool) -> Any:
    rows, groups = _sparse_rows(set_indices, set_values, set_shape, validate_indices)
    sizes = np.zeros(groups, np.int32)
    for row, found in rows.items():
        sizes[row] = len(found)
    return sizes


def _steps(a: list[Any], b: list[Any]) -> int:
    """The least number of elements to put in, take out or replace, from ``a`` to ``b``."""
    best = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        before, best = best, [i]
        for j, right in enumerate(b, 1):
            best.append(min(before[j] + 1, best[j - 1] + 1, before[j - 1] + (left != right)))
    return best[-1]


def _sequences(indices: Any, values: Any) -> dict[Row, list[Any]]:
    found: dict[Row, list[Any]] = {}
    for place, value in zip(indices.tolist(), values.tolist(), strict=True):
        found.setdefault(tuple(place[:-1]), []).append(value)
    return found


def _edit_distance(
    hypothesis_indices: Any, hypothesis_values: Any, hypothesis_shape: Any, truth_indices: Any, truth_values: Any,
    truth_shape: Any, normalize: bool,
) -> Any:  # fmt: skip
    if len(hypothesis_shape) != len(truth_shape):
        raise _fail(
            f"Expected hypothesis and truth tensors to have the same rank, but saw: {len(hypothesis_shape)} and "
            f"{len(truth_shape)}"
        )
    sizes = tuple(np.maximum(hypothesis_shape, truth_shape).tolist()[:-1])
    given, wanted = _sequences(hypothesis_indices, hypothesis_values), _sequences(truth_indices, truth_values)
    result = np.zeros(sizes, np.float32)
    for row in given.keys() | wanted.keys():
        if any(not 0 <= i < n for i, n in zip(row, sizes, strict=True)):
            raise _fail(f"The sequence at {list(row)} is outside of the shape {list(sizes)}.")
        a, b = given.get(row, []), wanted.get(row, [])
        steps = float(_steps(a, b))
        if normalize:
            steps = steps / len(b) if b else (np.inf if a else 0.0)
        result[row] = steps
    return result


# ----------------------------------------------------------------------------------------------------------- inference


def _found(rank: int | None) -> list[Shape]:
    return [(None, rank), (None,), (rank,)]


def _ranks(*ranks: int | None) -> int | None:
    known: int | None = None
    for rank in ranks:
        if rank is not None and rank < 2:
            raise ValueError(f"Input rank {rank} must be at least 2.")
        known = inference.merge_dim(known, rank, "The ranks of the sets")
    return known


def _rank_of(shape: Shape) -> int | None:
    return None if shape is None else len(shape)


def _length(shape: Shape) -> int | None:
    return None if shape is None else shape[0]


def _groups(a: Shape, b: Shape) -> None:
    if a is not None and b is not None:
        for size, other in zip(a[:-1], b[:-1], strict=True):
            inference.merge_dim(size, other, "The sizes of the sets' shapes")


def _dense_dense_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    a, b = args[0].shape, args[1].shape
    rank = _ranks(_rank_of(a), _rank_of(b))
    _groups(a, b)
    return _found(rank)


def _dense_sparse_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    return _found(_ranks(_rank_of(args[0].shape), _length(args[3].shape)))


def _sparse_sparse_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    return _found(_ranks(_length(args[2].shape), _length(args[5].shape)))


def _size_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    known = args[2].partial
    return None if known is None else tuple(known[:-1])


def _distance_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    a, b = args[2].partial, args[5].partial
    if a is None or b is None:
        return None
    if len(a) != len(b):
        raise ValueError(f"hypothesis and truth must have the same rank, but have {len(a)} and {len(b)}.")
    return tuple(None if m is None or n is None else max(m, n) for m, n in zip(a[:-1], b[:-1], strict=True))


# ------------------------------------------------------------------------------------------------------------- records

_RESULT = " -> result_indices: int64, result_values: T, result_shape: int64"
_ATTRS: dict[str, Any] = {"set_operation": "", "validate_indices": True}

DENSE_DENSE = define(
    "DenseToDenseSetOperation", "set1: T, set2: T" + _RESULT, kernel=_dense_dense, infer=_dense_dense_shape,
    gradient=NOT_DIFFERENTIABLE, types={"T": _TYPES}, attrs=_ATTRS, can_fail=True, fp=False,
)  # fmt: skip
DENSE_SPARSE = define(
    "DenseToSparseSetOperation", "set1: T, set2_indices: int64, set2_values: T, set2_shape: int64" + _RESULT,
    kernel=_dense_sparse, infer=_dense_sparse_shape, gradient=NOT_DIFFERENTIABLE, types={"T": _TYPES}, attrs=_ATTRS,
    can_fail=True, fp=False,
)  # fmt: skip
SPARSE_SPARSE = define(
    "SparseToSparseSetOperation",
    "set1_indices: int64, set1_values: T, set1_shape: int64, set2_indices: int64, set2_values: T, set2_shape: int64"
    + _RESULT,
    kernel=_sparse_sparse, infer=_sparse_sparse_shape, gradient=NOT_DIFFERENTIABLE, types={"T": _TYPES}, attrs=_ATTRS,
    can_fail=True, fp=False,
)  # fmt: skip
SIZE = define(
    "SetSize", "set_indices: int64, set_values: T, set_shape: int64 -> size: int32", kernel=_size, infer=_size_shape,
    gradient=NOT_DIFFERENTIABLE, types={"T": _TYPES}, attrs={"validate_indices": True}, can_fail=True, fp=False,
)  # fmt: skip
EDIT_DISTANCE = define(
    "EditDistance",
    "hypothesis_indices: int64, hypothesis_values: T, hypothesis_shape: int64, "
    "truth_indices: int64, truth_values: T, truth_shape: int64 -> output: float32",
    kernel=_edit_distance, infer=_distance_shape, gradient=NOT_DIFFERENTIABLE, attrs={"normalize": True},
    can_fail=True, fp=False,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


def _given(value: Any, what: str) -> Any:
    """A set argument as a tensor or sparse tensor.  TypeError for a dtype that has no sets."""
    x = value if isinstance(value, SparseTensor) else convert_to_tensor(value, name=what)
    if x.dtype not in _TYPES:
        names = ", ".join(sorted(f"tf.{dtype.name}" for dtype in _TYPES))
        raise TypeError(f"'{what}' has invalid dtype `{x.dtype!r}` not in supported dtypes: `{names}`.")
    return x


def _parts(x: SparseTensor) -> tuple[Any, Any, Any]:
    return x.indices, x.values, x.dense_shape


def _set_operation(a: Any, b: Any, operation: str, validate_indices: bool) -> SparseTensor:
    a, b = _given(a, "a"), _given(b, "b")
    if b.dtype is not a.dtype:
        raise TypeError(f"Types don't match, {a.dtype!r} vs {b.dtype!r}.")
    sparse_a, sparse_b = isinstance(a, SparseTensor), isinstance(b, SparseTensor)
    if sparse_a and not sparse_b:
        # There is no op for sparse and dense: the other way round it means the same.
        a, b = b, a
        operation = {"a-b": "b-a", "b-a": "a-b"}.get(operation, operation)
    attrs = {"set_operation": operation, "validate_indices": validate_indices}
    if sparse_a and sparse_b:
        found = bind(SPARSE_SPARSE, (*_parts(a), *_parts(b)), attrs)
    elif sparse_a or sparse_b:
        found = bind(DENSE_SPARSE, (a, *_parts(b)), attrs)
    else:
        found = bind(DENSE_DENSE, (a, b), attrs)
    result = SparseTensor(*found)
    # Only the last size depends on the values.
    shapes = [s for s in (a._raw_shape(), b._raw_shape()) if s is not None]
    if shapes:
        result._shape = result._shape.merge_with(as_shape([*shapes[0][:-1], None]))
    return result


@public("sets.intersection")
def intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """For each row the elements that both sets have.

    Args:
      a, b: tensors or sparse tensors of whole numbers or strings, of the same dtype and of rank 2 or more; all sizes
        but the last are equal.
      validate_indices: whether to check the order of the indices of sparse tensors.

    Returns:
      A SparseTensor of the same rank: the elements of each row in rising order.

    Raises:
      TypeError: for another dtype, or two of them.
      tf.errors.InvalidArgumentError: for shapes that don't fit, or indices that are not in order.

    >>> import graphlab as tf
    >>> tf.sparse.to_dense(tf.sets.intersection(tf.constant([[1, 2, 3]]), tf.constant([[3, 1, 7]]))).numpy()
    array([[1, 3]], dtype=int32)
    """
    return _set_operation(a, b, "intersection", validate_indices)


@public("sets.difference")
def difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """For each row the elements of ``a`` that ``b`` does not have; with ``aminusb=False`` the other way round.

    Other arguments, result and errors as for ``tf.sets.intersection``.

    >>> import graphlab as tf
    >>> tf.sparse.to_dense(tf.sets.difference(tf.constant([[1, 2, 3]]), tf.constant([[3, 1, 7]]))).numpy()
    array([[2]], dtype=int32)
    """
    return _set_operation(a, b, "a-b" if aminusb else "b-a", validate_indices)


@public("sets.union")
def union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """For each row the elements that one of both sets has.  As ``tf.sets.intersection`` else.

    >>> import graphlab as tf
    >>> tf.sparse.to_dense(tf.sets.union(tf.constant([[1, 2, 3]]), tf.constant([[3, 1, 7]]))).numpy()
    array([[1, 2, 3, 7]], dtype=int32)
    """
    return _set_operation(a, b, "union", validate_indices)


@public("sets.size")
def size(a: Any, validate_indices: bool = True) -> Any:
    """The number of different elements in each row of a sparse tensor: int32, of the shape without the last axis.

    Args:
      a: a SparseTensor of whole numbers or strings, of rank 2 or more.
      validate_indices: whether to check the order of its indices.

    Raises:
      TypeError: no SparseTensor, or another dtype.
      tf.errors.InvalidArgumentError: indices that are not in order.

    >>> import graphlab as tf
    >>> tf.sets.size(tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [5, 5, 6], [2, 2])).numpy()
    array([1, 1], dtype=int32)
    """
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    if a.values.dtype not in _TYPES:
        raise TypeError(f"Invalid dtype `{a.values.dtype!r}` for a set.")
    return bind(SIZE, _parts(a), {"validate_indices": validate_indices})


@public("edit_distance")
def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance") -> Any:
    """How many elements must be put in, taken out or replaced to make one sequence of another (Levenshtein).

    The sequences stand along the last axis of sparse tensors, their elements in order.

    Args:
      hypothesis: a SparseTensor of any dtype: the sequences to judge.
      truth: a SparseTensor of the same dtype and rank: the right ones.
      normalize: divide by the length of the right one; ``inf`` when that is empty and the other one is not.
      name: a name for the node.

    Returns:
      A float32 tensor with the rank of the two, less one.

    Raises:
      TypeError: for anything but SparseTensors, or two dtypes.

    >>> import graphlab as tf
    >>> given = tf.SparseTensor([[0, 0], [0, 1]], ["a", "c"], [1, 2])
    >>> right = tf.SparseTensor([[0, 0], [0, 1], [0, 2]], ["a", "b", "c"], [1, 3])
    >>> tf.edit_distance(given, right, normalize=False).numpy()
    array([1.], dtype=float32)
    """
    for value, what in ((hypothesis, "Hypothesis"), (truth, "Truth")):
        if not isinstance(value, SparseTensor):
            raise TypeError(f"{what} must be a SparseTensor.")
    return bind(EDIT_DISTANCE, (*_parts(hypothesis), *_parts(truth)), {"normalize": normalize}, name)
