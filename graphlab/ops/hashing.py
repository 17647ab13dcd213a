"""Hashes of byte strings with fixed results: FarmHash's Fingerprint64, MurmurHash64A, SipHash-2-4.

Sources: google/farmhash (farmhashna), A. Appleby's MurmurHash2, J.-P. Aumasson and D. J. Bernstein, "SipHash" (2012).
"""

from __future__ import annotations

_64 = 0xFFFFFFFFFFFFFFFF
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def _word(data: bytes, start: int) -> int:
    return int.from_bytes(data[start : start + 8], "little")


def _half(data: bytes, start: int) -> int:
    return int.from_bytes(data[start : start + 4], "little")


def _rotate_right(value: int, shift: int) -> int:
    return (value >> shift | value << (64 - shift)) & _64


def _mixed(value: int) -> int:
    return value ^ value >> 47


def _pair(u: int, v: int, mul: int) -> int:
    a = _mixed((u ^ v) * mul & _64)
    b = _mixed((v ^ a) * mul & _64)
    return b * mul & _64


def _short(data: bytes) -> int:
    size = len(data)
    if size >= 8:
        mul = _K2 + size * 2
        a, b = _word(data, 0) + _K2 & _64, _word(data, size - 8)
        c = _rotate_right(b, 37) * mul + a & _64
        d = (_rotate_right(a, 25) + b) * mul & _64
        return _pair(c, d, mul)
    if size >= 4:
        return _pair(size + (_half(data, 0) << 3) & _64, _half(data, size - 4), _K2 + size * 2)
    if size:
        y = data[0] + (data[size >> 1] << 8)
        z = size + (data[-1] << 2)
        return _mixed((y * _K2 ^ z * _K0) & _64) * _K2 & _64
    return _K2


def _medium(data: bytes) -> int:
    size = len(data)
    mul = _K2 + size * 2
    a, b = _word(data, 0) * _K1 & _64, _word(data, 8)
    c, d = _word(data, size - 8) * mul & _64, _word(data, size - 16) * _K2 & _64
    first = _rotate_right(a + b & _64, 43) + _rotate_right(c, 30) + d
    second = a + _rotate_right(b + _K2 & _64, 18) + c
    return _pair(first & _64, second & _64, mul)


def _long(data: bytes) -> int:
    size = len(data)
    mul = _K2 + size * 2
    a, b = _word(data, 0) * _K2 & _64, _word(data, 8)
    c, d = _word(data, size - 8) * mul & _64, _word(data, size - 16) * _K2 & _64
    y = _rotate_right(a + b & _64, 43) + _rotate_right(c, 30) + d & _64
    z = _pair(y, a + _rotate_right(b + _K2 & _64, 18) + c & _64, mul)
    e, f = _word(data, 16) * mul & _64, _word(data, 24)
    g = (y + _word(data, size - 32)) * mul & _64
    h = (z + _word(data, size - 24)) * mul & _64
    first = _rotate_right(e + f & _64, 43) + _rotate_right(g, 30) + h
    second = e + _rotate_right(f + a & _64, 18) + g
    return _pair(first & _64, second & _64, mul)


def _weak(data: bytes, start: int, a: int, b: int) -> tuple[int, int]:
    w, x, y, z = (_word(data, start + 8 * i) for i in range(4))
    a = a + w & _64
    b = _rotate_right(b + a + z & _64, 21)
    c = a
    a = a + x + y & _64
    b = b + _rotate_right(a, 44) & _64
    return a + z & _64, b + c & _64


def fingerprint64(data: bytes) -> int:
    """FarmHash's Fingerprint64.

    >>> fingerprint64(b"abc")
    2640714258260161385
    """
    size = len(data)
    if size <= 16:
        return _short(data)
    if size <= 32:
        return _medium(data)
    if size <= 64:
        return _long(data)
    x, y = 81, 81 * _K1 + 113 & _64
    z = _mixed(y * _K2 + 113 & _64) * _K2 & _64
    v, w = (0, 0), (0, 0)
    x = x * _K2 + _word(data, 0) & _64
    end = (size - 1) // 64 * 64
    last = end + ((size - 1) & 63) - 63
    mul, nine = _K1, 1
    for at in (*range(0, end, 64), last):
        if at == last:
            mul, nine = _K1 + ((z & 0xFF) << 1), 9
            w = (w[0] + ((size - 1) & 63) & _64, w[1])
            v = (v[0] + w[0] & _64, v[1])
            w = (w[0] + v[0] & _64, w[1])
        x = _rotate_right(x + y + v[0] + _word(data, at + 8) & _64, 37) * mul & _64
        y = _rotate_right(y + v[1] + _word(data, at + 48) & _64, 42) * mul & _64
        x ^= w[1] * nine & _64
        y = y + v[0] * nine + _word(data, at + 40) & _64
        z = _rotate_right(z + w[0] & _64, 33) * mul & _64
        v = _weak(data, at, v[1] * mul & _64, x + w[0] & _64)
        w = _weak(data, at + 32, z + w[1] & _64, y + _word(data, at + 16) & _64)
        z, x = x, z
    first = _pair(v[0], w[0], mul) + _mixed(y) * _K0 + z
    second = _pair(v[1], w[1], mul) + x
    return _pair(first & _64, second & _64, mul)


def murmur64(data: bytes, seed: int = 0xDECAFCAFFE) -> int:
    """MurmurHash64A."""
    m = 0xC6A4A7935BD1E995
    size = len(data)
    h = (seed ^ size * m) & _64
    whole = size // 8 * 8
    for at in range(0, whole, 8):
        k = _word(data, at) * m & _64
        k = (k ^ k >> 47) * m & _64
        h = (h ^ k) * m & _64
    if size > whole:
        h = (h ^ int.from_bytes(data[whole:], "little")) * m & _64
    h = (h ^ h >> 47) * m & _64
    return h ^ h >> 47


def siphash(data: bytes, key: tuple[int, int]) -> int:
    """SipHash-2-4 with a key of two 64-bit numbers."""
    k0, k1 = key[0] & _64, key[1] & _64
    v0, v1 = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D
    v2, v3 = k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573

    def left(value: int, shift: int) -> int:
        return (value << shift | value >> (64 - shift)) & _64

    def rounds(number: int) -> None:
        nonlocal v0, v1, v2, v3
        for _ in range(number):
            v0, v2 = v0 + v1 & _64, v2 + v3 & _64
            v1, v3 = left(v1, 13) ^ v0, left(v3, 16) ^ v2
            v0 = left(v0, 32)
            v2, v0 = v2 + v1 & _64, v0 + v3 & _64
            v1, v3 = left(v1, 17) ^ v2, left(v3, 21) ^ v0
            v2 = left(v2, 32)

    whole = len(data) // 8 * 8
    tail = int.from_bytes(data[whole:], "little") | (len(data) & 0xFF) << 56
    for m in (*(_word(data, at) for at in range(0, whole, 8)), tail):
        v3 ^= m
        rounds(2)
        v0 ^= m
    v2 ^= 0xFF
    rounds(4)
    return v0 ^ v1 ^ v2 ^ v3
