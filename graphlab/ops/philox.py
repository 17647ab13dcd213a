"""The Philox 4x32-10 generator, and the distributions that are read from its bits.

A generator is a key of 64 bits and a counter of 128: block ``i`` of its output, four words of 32 bits, is a function of
the key and of ``counter + i``, so any part of the sequence can be computed by itself.  J. Salmon et al., "Parallel
random numbers: as easy as 1, 2, 3", SC 2011.  How words become numbers (which word makes which number, where rounding
happens) is TensorFlow's, so the numbers are too.

Keys and counters are Python ints here; results are flat arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, log, pi, sin, sqrt
from struct import Struct
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dtypes import DType

_M0, _M1 = 0xD2511F53, 0xCD9E8D57
_W0, _W1 = 0x9E3779B9, 0xBB67AE85
_32 = 0xFFFFFFFF
_64 = 0xFFFFFFFFFFFFFFFF
_128 = (1 << 128) - 1

# Blocks computed in Python: below, one block costs less than one vectorised round.
_FEW: Final = 12
# Blocks computed at once: their words stay in the cache.
_CHUNK: Final = 1 << 14

# What one result may use: a distribution with rejection gives every group of results this many samples of its own.
RESERVED: Final = 256


def block(key: int, counter: int) -> tuple[int, int, int, int]:
    """One block: four words.

    >>> [hex(word) for word in block(0, 0)]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    k0, k1 = key & _32, key >> 32
    c0, c1, c2, c3 = counter & _32, (counter >> 32) & _32, (counter >> 64) & _32, (counter >> 96) & _32
    for _ in range(10):
        a, b = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (b >> 32) ^ c1 ^ k0, b & _32, (a >> 32) ^ c3 ^ k1, a & _32
        k0, k1 = (k0 + _W0) & _32, (k1 + _W1) & _32
    return c0, c1, c2, c3


def _rounds(key: int, low: Any, high: Any) -> Any:
    """Blocks for arrays of counter halves (uint64): uint32, shape ``(..., 4)``."""
    k0, k1 = key & _32, key >> 32
    mask, shift = np.uint64(_32), np.uint64(32)
    m0, m1 = np.uint64(_M0), np.uint64(_M1)
    c0, c1, c2, c3 = low & mask, low >> shift, high & mask, high >> shift
    for _ in range(10):
        a, b = m0 * c0, m1 * c2
        c0, c2 = b >> shift, a >> shift
        c0 ^= c1
        c0 ^= np.uint64(k0)
        c2 ^= c3
        c2 ^= np.uint64(k1)
        b &= mask
        a &= mask
        c1, c3 = b, a
        k0, k1 = (k0 + _W0) & _32, (k1 + _W1) & _32
    result = np.empty((*low.shape, 4), np.uint32)
    for index, word in enumerate((c0, c1, c2, c3)):
        result[..., index] = word
    return result


def _sums(counter: int, steps: Any) -> tuple[Any, Any]:
    """The halves of ``counter + steps`` for an array of steps (uint64)."""
    start, top = counter & _64, counter >> 64
    low = steps + np.uint64(start)
    high = (low < np.uint64(start)).astype(np.uint64)
    high += np.uint64(top)
    return low, high


def words(key: int, counter: int, count: int) -> Any:
    """``count`` blocks from ``counter`` on: uint32, shape ``(count, 4)``."""
    if count <= _FEW:
        found = [block(key, (counter + i) & _128) for i in range(count)]
        return np.array(found, np.uint32).reshape(count, 4)
    if count <= _CHUNK:
        return _rounds(key, *_sums(counter, np.arange(count, dtype=np.uint64)))
    result = np.empty((count, 4), np.uint32)
    for start in range(0, count, _CHUNK):
        stop = min(start + _CHUNK, count)
        result[start:stop] = _rounds(key, *_sums(counter, np.arange(start, stop, dtype=np.uint64)))
    return result


def scramble(seed0: int, seed1: int) -> tuple[int, int]:
    """The key and counter of a stateless op's two seeds (so that no bit of a seed matters more than another)."""
    mixed = block(0x02461E293EC8F720, (seed0 & _64) | (seed1 & _64) << 64)
    return mixed[0] | mixed[1] << 32, mixed[2] << 64 | mixed[3] << 96


def from_seeds(seed: int, seed2: int) -> tuple[int, int]:
    """The key and counter of a stateful op's two seeds."""
    return seed & _64, (seed2 & _64) << 64


class Words:
    """The words of a generator one by one."""

    __slots__ = ("_key", "_next", "_rest")

    def __init__(self, key: int, counter: int) -> None:
        self._key, self._next = key, counter
        self._rest: list[int] = []

    def word(self) -> int:
        """The next 32 bits."""
        if not self._rest:
            self._rest = list(block(self._key, self._next & _128)[::-1])
            self._next += 1
        return self._rest.pop()

    def double(self) -> float:
        """The next float64 in [0, 1): two words."""
        high, low = self.word(), self.word()
        return ((high & 0xFFFFF) << 32 | low) * 2.0**-52


# ------------------------------------------------------------------------------------------------------- distributions


def _float32(bits: Any) -> Any:
    return ((bits & np.uint32(0x7FFFFF)) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1)


def _float64(high: Any, low: Any) -> Any:
    mantissa = (high & np.uint32(0xFFFFF)).astype(np.uint64) << np.uint64(32) | low
    return (mantissa | np.uint64(0x3FF << 52)).view(np.float64) - 1.0


def _float16(bits: Any) -> Any:
    return ((bits & np.uint32(0x3FF)) | np.uint32(15 << 10)).astype(np.uint16).view(np.float16) - np.float16(1)


def _bfloat16(bits: Any) -> Any:
    one = ((bits & np.uint32(0x7F)) | np.uint32(127 << 7)).astype(np.uint16).view(dtypes.bfloat16.np)
    return one - one.dtype.type(1)


def uniform(key: int, counter: int, count: int, dtype: DType) -> Any:
    """``count`` numbers in [0, 1) of a floating-point dtype."""
    if dtype is dtypes.float64:
        bits = words(key, counter, -(-count // 2)).reshape(-1, 2)[:count]
        return _float64(bits[:, 0], bits[:, 1])
    bits = words(key, counter, -(-count // 4)).reshape(-1)[:count]
    if dtype is dtypes.float32:
        return _float32(bits)
    return _float16(bits) if dtype is dtypes.float16 else _bfloat16(bits)


def full_range(key: int, counter: int, count: int, dtype: DType) -> Any:
    """``count`` integers of 32 or 64 bits, every value equally likely."""
    if dtype.size == 4:
        return words(key, counter, -(-count // 4)).reshape(-1)[:count].view(dtype.np)
    bits = words(key, counter, -(-count // 2)).reshape(-1, 2)[:count]
    return (bits[:, 0] | bits[:, 1].astype(np.uint64) << np.uint64(32)).view(dtype.np)


def uniform_int(key: int, counter: int, count: int, dtype: DType, low: int, high: int) -> Any:
    """``count`` integers of 32 or 64 bits in [low, high)."""
    unsigned = np.uint32 if dtype.size == 4 else np.uint64
    bits = full_range(key, counter, count, dtypes.uint32 if dtype.size == 4 else dtypes.uint64)
    mask = _32 if dtype.size == 4 else _64
    bits = bits % unsigned((high - low) & mask)
    return (bits + unsigned(low & mask)).view(dtype.np)


def box_muller(bits: Any) -> Any:
    """Normal numbers (float32) for an array of words with an even last axis.

    Every step is computed in float64 and rounded to float32, which is what a good float32 library gives.
    """
    pairs = _float32(bits.reshape(*bits.shape[:-1], -1, 2))
    radius = np.maximum(pairs[..., 0], np.float32(1.0e-7))
    angle = (2 * np.pi * pairs[..., 1].astype(np.float64)).astype(np.float32).astype(np.float64)
    radius = np.float32(-2) * np.log(radius.astype(np.float64)).astype(np.float32)
    radius = np.sqrt(radius)
    result = np.empty(pairs.shape, np.float32)
    np.multiply(np.sin(angle).astype(np.float32), radius, out=result[..., 0])
    np.multiply(np.cos(angle).astype(np.float32), radius, out=result[..., 1])
    return result.reshape(bits.shape)


_single = Struct("f")


def _rounded(value: float) -> float:
    """A Python float rounded to float32."""
    return _single.unpack(_single.pack(value))[0]  # type: ignore[no-any-return]


def _few_normal(key: int, counter: int, count: int) -> Any:
    """``normal`` in float32 for a few numbers: for them NumPy's calls cost more than Python's arithmetic."""
    found: list[float] = []
    while len(found) < count:
        drawn = block(key, counter & _128)
        counter += 1
        for first, second in (drawn[:2], drawn[2:]):
            radius = max((first & 0x7FFFFF) * 2.0**-23, 1.0000000116860974e-07)
            radius = _rounded(sqrt(-2 * _rounded(log(radius))))
            angle = _rounded(2 * pi * ((second & 0x7FFFFF) * 2.0**-23))
            found += (_rounded(sin(angle)) * radius, _rounded(cos(angle)) * radius)
            if len(found) >= count:
                break
    return np.array(found[:count], np.float32)


def box_muller_double(bits: Any) -> Any:
    """Normal numbers (float64), two for each four words of the last axis."""
    parts = bits.reshape(*bits.shape[:-1], -1, 4)
    radius = np.maximum(_float64(parts[..., 0], parts[..., 1]), 1.0e-7)
    angle = 2 * np.pi * _float64(parts[..., 2], parts[..., 3])
    radius = np.sqrt(-2.0 * np.log(radius))
    result = np.empty((*radius.shape, 2), np.float64)
    np.multiply(np.sin(angle), radius, out=result[..., 0])
    np.multiply(np.cos(angle), radius, out=result[..., 1])
    return result.reshape(*bits.shape[:-1], -1)


def normal(key: int, counter: int, count: int, dtype: DType) -> Any:
    """``count`` numbers of the standard normal distribution."""
    if not count:
        return np.empty(0, dtype.np)
    if dtype is dtypes.float64:
        return box_muller_double(words(key, counter, -(-count // 2))).reshape(-1)[:count]
    if count <= _FEW and dtype is dtypes.float32:
        return _few_normal(key, counter, count)
    values = box_muller(words(key, counter, -(-count // 4))).reshape(-1)[:count]
    return values if dtype is dtypes.float32 else values.astype(dtype.np)


def _groups(key: int, counter: int, groups: Any, skip: int, first: int, blocks: int) -> Any:
    """Blocks ``first`` to ``first + blocks`` of each group, as rows; groups start ``skip`` blocks apart."""
    steps = groups.astype(np.uint64)[:, None] * np.uint64(skip) + np.arange(first, first + blocks, dtype=np.uint64)
    return _rounds(key, *_sums(counter, steps)).reshape(len(groups), -1)


def truncated_normal(key: int, counter: int, count: int, dtype: DType) -> Any:
    """``count`` numbers of the standard normal distribution, those beyond two standard deviations drawn again."""
    if not count:
        return np.empty(0, dtype.np)
    size = 2 if dtype is dtypes.float64 else 4
    transform: Callable[[Any], Any] = box_muller_double if dtype is dtypes.float64 else box_muller
    skip = size * RESERVED // 4
    number = -(-count // size)
    result = np.empty((number, size), np.float64 if dtype is dtypes.float64 else np.float32)
    filled = np.zeros(number, np.intp)
    open_groups = np.arange(number)
    first = 0
    while len(open_groups):
        # A group uses its own words from the front until it has its results; nearly all are full after two blocks.
        samples = transform(_groups(key, counter, open_groups, skip, first, 2))
        first += 2
        for column in range(samples.shape[1]):
            value = samples[:, column]
            take = (np.abs(value) < 2) & (filled[open_groups] < size)
            rows = open_groups[take]
            result[rows, filled[rows]] = value[take]
            filled[rows] += 1
        open_groups = open_groups[filled[open_groups] < size]
    return result.reshape(-1)[:count].astype(dtype.np, copy=False)
