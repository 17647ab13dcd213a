"""``tf.random.experimental.index_shuffle``: where a number stands in a permutation that is never written down.

The permutation is a block cipher on numbers of few bits: Simon (R. Beaulieu et al., "The SIMON and SPECK families of
lightweight block ciphers", 2013), applied again as long as the result is beyond the last index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, Arg, define
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.lazily import ops

_WHOLE = frozenset((dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64))
# The constant sequence z of the key schedule, and the words that fill a seed of two up to three.
_SEQUENCE = 0x7369F885192C0EF5
_THIRD = 498247692


def _round_keys(seed: list[int], rounds: int, bits: int) -> list[int]:
    mask = (1 << bits) - 1

    def rotated(word: int, by: int) -> int:
        return (word >> by | word << (bits - by)) & mask

    keys = [word & mask for word in seed]
    sequence = _SEQUENCE & mask
    for at in range(3, rounds):
        before = keys[at - 1]
        mixed = rotated(before, 3) ^ rotated(before, 4)
        keys.append((0xFFFFFFFC & mask) ^ (sequence & 1) ^ keys[at - 3] ^ mixed)
        sequence >>= 1
    return keys


def _encrypted(value: int, keys: list[int], bits: int) -> int:
    mask = (1 << bits) - 1

    def mixed(word: int) -> int:
        one, eight, two = ((word << by | word >> (bits - by)) & mask for by in (1, 8, 2))
        return one & eight ^ two

    left, right = value >> bits & mask, value & mask
    for at in range(0, len(keys), 2):
        left ^= mixed(right) ^ keys[at]
        right ^= mixed(left) ^ keys[at + 1]
    return left << bits | right


def _one(index: int, seed: list[int], last: int, rounds: int) -> int:
    if index < 0:
        raise InvalidArgumentError(None, None, f"index must be >= 0 but was {index}")
    if last < index:
        raise InvalidArgumentError(None, None, f"max_index must be >= index, but {last} < {index}")
    size = (last - 1).bit_length() if last > 1 else 0
    size = max(size + size % 2, 16)
    bits = size // 2
    keys = _round_keys(seed, max(rounds + rounds % 2, 4), bits)
    while True:
        index = _encrypted(index, keys, bits)
        if index <= last:
            return index


def _shuffled(index: Any, seed: Any, max_index: Any, rounds: int) -> Any:
    for value, rank, what in ((index, 1, "Index"), (max_index, 1, "Max index"), (seed, 2, "Seed")):
        if value.ndim > rank:
            raise InvalidArgumentError(None, None, f"{what} must have rank {rank} at most, but has {value.ndim}.")
    several = [len(v) for v, plain in ((index, 0), (max_index, 0), (seed, 1)) if v.ndim > plain]
    count = max(several, default=1)
    if seed.shape not in ((3,), (count, 3)):
        sizes = ",".join(map(str, seed.shape))
        raise InvalidArgumentError(
            None, None, f"Seed must be a vector of size [3] or a matrix of size [{count}, 3] but got [{sizes}]."
        )
    if any(n != count for n in several):
        raise InvalidArgumentError(None, None, "Index, seed and max_index must have the same first size.")
    numbers = np.broadcast_to(index, (count,)).tolist()
    lasts = np.broadcast_to(max_index, (count,)).tolist()
    seeds = (np.broadcast_to(seed, (count, 3)).astype(np.int64) & 0xFFFFFFFF).tolist()
    found = [_one(*each, rounds) for each in zip(numbers, seeds, lasts, strict=True)]
    return np.array(found, index.dtype).reshape((count,) if several else ())


def _shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    index, seed, last = (arg.shape for arg in args)
    if index is None or seed is None or last is None:
        return None
    sizes = [shape[0] for shape, plain in ((index, 0), (seed, 1), (last, 0)) if len(shape) > plain]
    return (next((n for n in sizes if n is not None), None),) if sizes else ()


INDEX_SHUFFLE = define(
    "RandomIndexShuffle", "index: dtype, seed: Tseed, max_index: dtype -> output: dtype", kernel=_shuffled,
    infer=_shape, gradient=NOT_DIFFERENTIABLE, types={"dtype": _WHOLE, "Tseed": _WHOLE}, attrs={"rounds": 4},
    can_fail=True, fp=False,
)  # fmt: skip


@public("random_index_shuffle")
def random_index_shuffle(index: Any, seed: Any, max_index: Any, rounds: int = 4, name: str | None = None) -> Any:
    """``tf.random.experimental.index_shuffle`` with a seed of three numbers.

    Args:
      index: whole numbers from 0 to ``max_index``, a scalar or vector.
      seed: ``[3]``, or one for each index: ``[n, 3]``.
      max_index: the last index, a scalar or one for each.
      rounds: how often the numbers are mixed, an even number of at least 4.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: for an index out of range, or shapes that don't fit.

    >>> import graphlab as tf
    >>> sorted(int(tf.random_index_shuffle(i, [1, 2, 3], 4)) for i in range(5))
    [0, 1, 2, 3, 4]
    """
    return bind(INDEX_SHUFFLE, (index, seed, max_index), {"rounds": rounds}, name)


@public("random.experimental.index_shuffle")
def index_shuffle(index: Any, seed: Any, max_index: Any) -> Any:
    """Where a number stands in a random permutation of 0, …, ``max_index``, which is never written down.

    Args:
      index: whole numbers from 0 to ``max_index``, a scalar or vector.
      seed: ``[2]``, or one for each index: ``[n, 2]``.
      max_index: the last index, a scalar or one for each.

    Returns:
      A tensor of the dtype of ``index``: for all numbers with the same seed and ``max_index``, each once.

    Raises:
      tf.errors.InvalidArgumentError: for an index out of range, or shapes that don't fit.

    >>> import graphlab as tf
    >>> [int(tf.random.experimental.index_shuffle(i, [5, 9], 9)) for i in range(10)]
    [8, 0, 6, 3, 1, 5, 4, 7, 2, 9]
    """
    with name_scope(None, "index_shuffle"):
        seed = convert_to_tensor(seed)
        rank = seed.shape.rank
        if rank not in (1, 2):
            raise ValueError(f"seed must have rank 1 or 2, not {rank}.")
        around = [[1, 0]] if rank == 1 else [[0, 0], [1, 0]]
        return random_index_shuffle(index, ops.pad(seed, around, constant_values=_THIRD), max_index)
