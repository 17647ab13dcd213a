"""Protobuf's binary form, written and read by hand: numbers, texts and messages, each behind its field's number."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


def varint(value: int) -> bytes:
    """A whole number in groups of seven bits, the lowest first; a negative one as its 64-bit complement."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


class Writer:
    """Writes the fields of a message.

    A field with its default value (0, False, no text) is left out, unless it is one of a choice (``always``).
    """

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def done(self) -> bytes:
        """The message."""
        return b"".join(self._parts)

    def whole(self, field: int, value: int, always: bool = False) -> None:
        """An integer, bool or enum."""
        if value or always:
            self._parts += [varint(field << 3 | VARINT), varint(int(value))]

    def single(self, field: int, value: float, always: bool = False) -> None:
        """A float of 32 bits."""
        if value or always:
            self._parts += [varint(field << 3 | FIXED32), struct.pack("<f", value)]

    def double(self, field: int, value: float, always: bool = False) -> None:
        """A float of 64 bits."""
        if value or always:
            self._parts += [varint(field << 3 | FIXED64), struct.pack("<d", value)]

    def text(self, field: int, value: str | bytes, always: bool = False) -> None:
        """Text, or bytes."""
        if value or always:
            raw = value.encode() if isinstance(value, str) else bytes(value)
            self._parts += [varint(field << 3 | BYTES), varint(len(raw)), raw]

    def message(self, field: int, value: bytes) -> None:
        """A message within this one."""
        self._parts += [varint(field << 3 | BYTES), varint(len(value)), value]

    def packed(self, field: int, values: Any, code: str | None = None) -> None:
        """Several numbers: integers, or floats of a ``struct`` code."""
        if len(values):
            raw = b"".join(map(varint, values)) if code is None else struct.pack(f"<{len(values)}{code}", *values)
            self.message(field, raw)

    def entry(self, field: int, key: str, value: str | bytes) -> None:
        """An entry of a map from texts to texts or messages."""
        inner = Writer()
        inner.text(1, key, always=True)
        inner.text(2, value, always=True)
        self.message(field, inner.done())


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError("The bytes end within a number: this is no message, or a part of one.")
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & ((1 << 64) - 1), at
        shift += 7


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a message in order: their numbers, and a number or bytes (of floats too).

    Raises:
      ValueError: the bytes are no message.
    """
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        value: Any
        if kind == VARINT:
            value, at = _varint(data, at)
        else:
            if kind == BYTES:
                size, at = _varint(data, at)
            elif kind in (FIXED32, FIXED64):
                size = 4 if kind == FIXED32 else 8
            else:
                raise ValueError(f"The bytes are no message: a field of kind {kind}.")
            value = data[at : at + size]
            at += size
            if len(value) < size:
                raise ValueError("The bytes end within a field: this is a part of a message.")
        yield key >> 3, value


def signed(value: int) -> int:
    """A number that was read as one with a sign."""
    return value - (1 << 64) if value >> 63 else value


def numbers(value: Any) -> list[int]:
    """One number, or several that are packed."""
    if isinstance(value, int):
        return [signed(value)]
    found, at = [], 0
    while at < len(value):
        item, at = _varint(value, at)
        found.append(signed(item))
    return found


def floats(value: bytes, code: str) -> list[float]:
    """One float, or several that are packed, of a ``struct`` code."""
    return list(struct.unpack(f"<{len(value) // struct.calcsize(code)}{code}", value))
