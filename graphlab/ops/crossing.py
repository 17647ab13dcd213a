"""Features crossed: ``tf.sparse.cross``, ``tf.ragged.cross`` and the same hashed.

Each row of the result has one value for each way of taking a value from the same row of every input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, Arg, define
from graphlab.core.tensor import Tensor
from graphlab.ops.hashing import fingerprint64
from graphlab.ops.inference import Attrs, Shape, merge_dim, with_rank
from graphlab.ops.lazily import ops
from graphlab.ops.ragged import RaggedTensor
from graphlab.ops.sparse_tensor import SparseTensor

KEY: Final = 0xDECAFCAFFE
_64: Final = (1 << 64) - 1
_MULTIPLIER: Final = 0xC6A4A7935BD1E995  # of MurmurHash64A, by A. Appleby
_KINDS: Final = (dtypes.int64, dtypes.string)


def _joined_hash(before: int, feature: int) -> int:
    """One round of MurmurHash64A with a seed: the hash of what came before and a further feature."""

    def mixed(value: int) -> int:
        return value ^ value >> 47

    found = before ^ _MULTIPLIER ^ mixed(feature * _MULTIPLIER & _64) * _MULTIPLIER & _64
    found = mixed(found * _MULTIPLIER & _64) * _MULTIPLIER & _64
    return mixed(found)


def _crossed(columns: Sequence[Sequence[Sequence[Any]]], rows: int) -> Iterator[list[tuple[Any, ...]]]:
    """For each row, the ways of taking one value of each column."""
    for row in range(rows):
        yield list(product(*(column[row] for column in columns)))


def _text(values: tuple[Any, ...], separator: bytes) -> bytes:
    return separator.join(value if isinstance(value, bytes) else str(value).encode() for value in values)


def _hashed(values: tuple[Any, ...], buckets: int, key: int) -> int:
    found = key
    for value in values:
        found = _joined_hash(found, fingerprint64(value) if isinstance(value, bytes) else value & _64)
    return found % (buckets or (1 << 63) - 1)


def _fail(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def _dense_columns(tensors: Sequence[Any]) -> list[list[Any]]:
    for at, tensor in enumerate(tensors):
        if tensor.ndim != 2:
            raise _fail(f"Dense inputs should be a matrix but received shape {list(tensor.shape)} at position {at}")
    return [tensor.tolist() for tensor in tensors]


def _sparse_columns(indices: Sequence[Any], values: Sequence[Any], shapes: Sequence[Any]) -> list[list[Any]]:
    found = []
    for place, value, shape in zip(indices, values, shapes, strict=True):
        if place.ndim != 2 or value.ndim != 1 or len(place) != len(value) or shape.shape != (2,):
            raise _fail("Sparse inputs have indices [n, 2], values [n] and a shape [2].")
        rows: list[list[Any]] = [[] for _ in range(int(shape[0]))]
        for row, item in zip(place[:, 0].tolist(), value.tolist(), strict=True):
            if not 0 <= row < len(rows):
                raise _fail(f"A sparse input has an index in row {row}, but {len(rows)} rows.")
            rows[row].append(item)
        found.append(rows)
    return found


def _rows(columns: Sequence[Any], given: str) -> int:
    counts = {len(column) for column in columns}
    if len(counts) > 1:
        raise _fail(f"{given}: their numbers of rows are {', '.join(map(str, sorted(counts)))}.")
    return counts.pop() if counts else 0


def _as_sparse(found: list[list[Any]], kind: Any) -> tuple[Any, Any, Any]:
    places = [(row, column) for row, items in enumerate(found) for column in range(len(items))]
    flat = [item for items in found for item in items]
    shape = [len(found), max(map(len, found), default=0)]
    return np.array(places, np.int64).reshape(-1, 2), np.array(flat, kind), np.array(shape, np.int64)


def _sparse_cross(indices: Any, values: Any, shapes: Any, dense_inputs: Any, sep: Any) -> tuple[Any, Any, Any]:
    columns = _sparse_columns(indices, values, shapes) + _dense_columns(dense_inputs)
    count = _rows(columns, "The inputs must have the same batch size")
    separator = sep if isinstance(sep, bytes) else sep.item()
    return _as_sparse([[_text(way, separator) for way in ways] for ways in _crossed(columns, count)], object)


def _sparse_cross_hashed(
    indices: Any, values: Any, shapes: Any, dense_inputs: Any, hashed_output: bool, num_buckets: int, hash_key: int,
    out_type: DType, internal_type: DType,
) -> tuple[Any, Any, Any]:  # fmt: skip
    del hashed_output, out_type, internal_type
    columns = _sparse_columns(indices, values, shapes) + _dense_columns(dense_inputs)
    count = _rows(columns, "The inputs must have the same batch size")
    found = [[_hashed(way, num_buckets, hash_key) for way in ways] for ways in _crossed(columns, count)]
    return _as_sparse(found, np.int64)


def _ragged_cross(
    ragged_values: Any, ragged_row_splits: Any, sparse_indices: Any, sparse_values: Any, sparse_shape: Any,
    dense_inputs: Any, input_order: str, hashed_output: bool, num_buckets: int, hash_key: int,
    out_values_type: DType, out_row_splits_type: DType,
) -> tuple[Any, Any]:  # fmt: skip
    ragged = [
        [values[a:b].tolist() for a, b in zip(splits[:-1].tolist(), splits[1:].tolist(), strict=True)]
        for values, splits in zip(ragged_values, ragged_row_splits, strict=True)
    ]
    parts = {
        "R": iter(ragged),
        "S": iter(_sparse_columns(sparse_indices, sparse_values, sparse_shape)),
        "D": iter(_dense_columns(dense_inputs)),
    }
    columns = [next(parts[kind]) for kind in input_order]
    found = list(_crossed(columns, _rows(columns, "inputs must all have the same batch dimension size.")))
    splits = np.cumsum([0, *map(len, found)], dtype=out_row_splits_type.np)
    ways = [way for row in found for way in row]
    if hashed_output:
        return np.array([_hashed(way, num_buckets, hash_key) for way in ways], np.int64), splits
    return np.array([_text(way, b"_X_") for way in ways], object), splits


def _sparse_shapes(_args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    return [(None, 2), (None,), (2,)]


def _ragged_shapes(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    """There are as many rows as in each input."""
    ragged, sparse = len(attrs["ragged_values_types"]), attrs["Nsparse"]
    rows: int | None = None
    for arg in args[ragged : 2 * ragged]:
        size = with_rank(arg.shape, 1, "ragged_row_splits")[0]
        rows = merge_dim(rows, None if size is None else size - 1, "The numbers of rows")
    for arg in args[2 * (ragged + sparse) : 2 * ragged + 3 * sparse]:
        rows = merge_dim(rows, arg.partial[0] if arg.partial else None, "The numbers of rows")
    for arg in args[2 * ragged + 3 * sparse :]:
        rows = merge_dim(rows, with_rank(arg.shape, 2, "A dense input")[0], "The numbers of rows")
    return [(None,), (None if rows is None else rows + 1,)]


_TYPES = {"sparse_types": frozenset(_KINDS), "dense_types": frozenset(_KINDS)}
SPARSE_CROSS = define(
    "SparseCrossV2",
    "indices: N*int64, values: *sparse_types, shapes: N*int64, dense_inputs: *dense_types, sep: string"
    " -> output_indices: int64, output_values: string, output_shape: int64",
    kernel=_sparse_cross, infer=_sparse_shapes, gradient=NOT_DIFFERENTIABLE, types=_TYPES, can_fail=True, fp=False,
)  # fmt: skip
SPARSE_CROSS_HASHED = define(
    "SparseCross",
    "indices: N*int64, values: *sparse_types, shapes: N*int64, dense_inputs: *dense_types"
    " -> output_indices: int64, output_values: out_type, output_shape: int64",
    kernel=_sparse_cross_hashed, infer=_sparse_shapes, gradient=NOT_DIFFERENTIABLE, types=_TYPES,
    attrs={"hashed_output": True, "num_buckets": 0, "hash_key": KEY, "out_type": dtypes.int64,
           "internal_type": dtypes.string},
    can_fail=True, fp=False,
)  # fmt: skip
RAGGED_CROSS = define(
    "RaggedCross",
    "ragged_values: *ragged_values_types, ragged_row_splits: *ragged_splits_types, sparse_indices: Nsparse*int64, "
    "sparse_values: *sparse_values_types, sparse_shape: Nsparse*int64, dense_inputs: *dense_types"
    " -> output_values: out_values_type, output_row_splits: out_row_splits_type",
    kernel=_ragged_cross, infer=_ragged_shapes, gradient=NOT_DIFFERENTIABLE,
    attrs={"input_order": "", "hashed_output": False, "num_buckets": 0, "hash_key": KEY,
           "out_values_type": dtypes.string, "out_row_splits_type": dtypes.int64},
    can_fail=True, fp=False,
)  # fmt: skip


def _alike(inputs: Any, where: str, anything: bool = False) -> list[Any]:
    """The inputs as tensors of int64 and string."""
    if not isinstance(inputs, list | tuple):
        raise TypeError(f"{where} takes a list of tensors, not {inputs!r:.100}.")
    found = []
    for at, value in enumerate(inputs):
        kept = value if isinstance(value, RaggedTensor | SparseTensor) else convert_to_tensor(value)
        if kept.dtype not in _KINDS and (anything or kept.dtype.is_integer):
            kept = ops.cast(kept, dtypes.int64)
        elif kept.dtype not in _KINDS:
            raise ValueError(f"Unexpected dtype for inputs[{at}]: {kept.dtype}")
        found.append(kept)
    return found


def _for_sparse(inputs: Any, where: str) -> tuple[list[Any], ...]:
    if isinstance(inputs, list | tuple):
        for value in inputs:
            if not isinstance(value, Tensor | SparseTensor):
                raise TypeError(f"{where} takes tensors and SparseTensors, not {value!r:.100}. Write tf.constant(...).")
    found = _alike(inputs, where, anything=True)
    sparse = [value for value in found if isinstance(value, SparseTensor)]
    dense = [value for value in found if not isinstance(value, SparseTensor)]
    return [s.indices for s in sparse], [s.values for s in sparse], [s.dense_shape for s in sparse], dense


@public("sparse.cross")
def sparse_cross(inputs: Any, name: str | None = None, separator: str | None = None) -> SparseTensor:
    """Joins the texts of the same row of several inputs in every way.

    Args:
      inputs: a list of SparseTensors and tensors of rank 2, of whole numbers or strings.
      name: a name for the node.
      separator: what stands between two texts, by default ``"_X_"``.

    Returns:
      A SparseTensor of strings, in whose texts those of SparseTensors come first.

    Raises:
      TypeError: no list.
      tf.errors.InvalidArgumentError: another rank, or different numbers of rows.

    >>> import graphlab as tf
    >>> tf.sparse.to_dense(tf.sparse.cross([tf.constant([["a", "b"]]), tf.constant([["c"]])])).numpy().tolist()
    [[b'a_X_c', b'b_X_c']]
    """
    with name_scope(name, "SparseCross"):
        parts = _for_sparse(inputs, "tf.sparse.cross")
        return SparseTensor(*bind(SPARSE_CROSS, (*parts, "_X_" if separator is None else separator)))


def _buckets(num_buckets: Any, hash_key: Any) -> dict[str, int]:
    number = int(num_buckets)
    if number < 0:
        raise _fail(f"num_buckets must not be negative, but is {number}.")
    return {"num_buckets": number, "hash_key": int(hash_key or KEY)}


@public("sparse.cross_hashed")
def sparse_cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> SparseTensor:
    """As ``tf.sparse.cross``, with a hash for each way instead of a text.

    Args:
      inputs: a list of SparseTensors and tensors of rank 2, of whole numbers or strings.
      num_buckets: hashes are below this number; 0: below 2⁶³ - 1.
      hash_key: where hashes begin.
      name: a name for the node.

    Raises:
      TypeError: no list.
      tf.errors.InvalidArgumentError: another rank, different numbers of rows, or a negative number of buckets.

    >>> import graphlab as tf
    >>> tf.sparse.cross_hashed([tf.constant([["a", "b"]]), tf.constant([["c"]])], num_buckets=100).values.numpy()
    array([66, 54])
    """
    with name_scope(name, "SparseCross"):
        parts = _for_sparse(inputs, "tf.sparse.cross_hashed")
        return SparseTensor(*bind(SPARSE_CROSS_HASHED, parts, _buckets(num_buckets, hash_key)))


def _for_ragged(inputs: Any, attrs: dict[str, Any], where: str, name: str | None) -> RaggedTensor:
    with name_scope(name, "RaggedCross"):
        found = _alike(inputs, where)
        if any(value.shape.rank not in (None, 2) for value in found):
            raise ValueError(f"{where} only supports inputs with rank=2")
        ragged = [value for value in found if isinstance(value, RaggedTensor)]
        sparse = [value for value in found if isinstance(value, SparseTensor)]
        dense = [value for value in found if not isinstance(value, RaggedTensor | SparseTensor)]
        splits = {r.row_splits.dtype for r in ragged}
        kinds = {RaggedTensor: "R", SparseTensor: "S"}
        order = "".join(kinds.get(type(value), "D") for value in found)
        attrs |= {"input_order": order}
        if splits == {dtypes.int32}:
            attrs |= {"out_row_splits_type": dtypes.int32}
        inputs = (
            [r.values for r in ragged], [r.row_splits for r in ragged], [s.indices for s in sparse],
            [s.values for s in sparse], [s.dense_shape for s in sparse], dense,
        )  # fmt: skip
        return RaggedTensor(*bind(RAGGED_CROSS, inputs, attrs))


@public("ragged.cross")
def ragged_cross(inputs: Any, name: str | None = None) -> RaggedTensor:
    """Joins the texts of the same row of several inputs in every way, with ``"_X_"`` between two.

    Args:
      inputs: a list of RaggedTensors, SparseTensors and tensors of rank 2, of whole numbers or strings.
      name: a name for the node.

    Raises:
      TypeError: no list.
      ValueError: another rank or dtype.
      tf.errors.InvalidArgumentError: different numbers of rows.

    >>> import graphlab as tf
    >>> tf.ragged.cross([tf.ragged.constant([["a"], ["b", "c"]]), tf.ragged.constant([["d"], ["e"]])])
    <tf.RaggedTensor [[b'a_X_d'], [b'b_X_e', b'c_X_e']]>
    """
    return _for_ragged(inputs, {}, "tf.ragged.cross", name)


@public("ragged.cross_hashed")
def ragged_cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> RaggedTensor:
    """As ``tf.ragged.cross``, with a hash for each way instead of a text.

    Args:
      inputs: a list of RaggedTensors, SparseTensors and tensors of rank 2, of whole numbers or strings.
      num_buckets: hashes are below this number; 0: below 2⁶³ - 1.
      hash_key: where hashes begin.
      name: a name for the node.

    Raises:
      TypeError: no list.
      ValueError: another rank or dtype.
      tf.errors.InvalidArgumentError: different numbers of rows, or a negative number of buckets.

    >>> import graphlab as tf
    >>> rows = tf.ragged.constant([["a"], ["b", "c"]])
    >>> tf.ragged.cross_hashed([rows, [["d"], ["e"]]], num_buckets=100)
    <tf.RaggedTensor [[82], [61, 41]]>
    """
    attrs = {**_buckets(num_buckets, hash_key), "hashed_output": True, "out_values_type": dtypes.int64}
    return _for_ragged(inputs, attrs, "tf.ragged.cross", name)
