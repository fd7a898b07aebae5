"""The content of signed S/MIME messages of one part (smime.p7m): the SignedData of RFC 5652 in BER (X.690)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")  # 1.2.840.113549.1.7.2
_OCTETS, _SEQUENCE = 0x04, 0x30
_CONSTRUCTED = 0x20
_MAX_DEPTH = 30  # Values of indefinite length inside each other.


class _Value(NamedTuple):
    """A value whose contents are `data[start:end]`; the next one begins at `next`."""

    tag: int
    start: int
    end: int
    next: int


def find_signed_content(data: bytes) -> bytes | None:
    """The message that is signed; None where the bytes hold something else, as what is encrypted, or are damaged."""
    try:
        outer = _read_value(data, 0, len(data), 0)
        kind, content, *_ = _iter_values(data, outer)
        if data[kind.start : kind.end] != _SIGNED_DATA:
            return None
        (signed,) = _iter_values(data, content)
        message = next(inner for inner in _iter_values(data, signed) if inner.tag == _SEQUENCE)
        _, packed, *_ = _iter_values(data, message)
        (octets,) = _iter_values(data, packed)
        return _join_octets(data, octets)
    except (IndexError, ValueError, StopIteration):
        return None


def _read_value(data: bytes, place: int, end: int, depth: int) -> _Value:
    """The value at a place; one of indefinite length ends with two zero bytes. Raises `ValueError` or `IndexError`."""
    tag, size, start = data[place], data[place + 1], place + 2
    if size == 0x80:
        if depth > _MAX_DEPTH:
            raise ValueError("values are nested too deep")
        place = start
        while data[place : place + 2] != b"\0\0":
            place = _read_value(data, place, end, depth + 1).next
        return _Value(tag, start, place, place + 2)
    if size > 0x80:
        start += size - 0x80
        size = int.from_bytes(data[place + 2 : start])
    if start + size > end:
        raise ValueError("a value goes on beyond its end")
    return _Value(tag, start, start + size, start + size)


def _iter_values(data: bytes, value: _Value) -> Iterator[_Value]:
    place = value.start
    while place < value.end:
        inner = _read_value(data, place, value.end, 0)
        yield inner
        place = inner.next


def _join_octets(data: bytes, value: _Value) -> bytes:
    """A string of octets, which may be in parts."""
    if value.tag & ~_CONSTRUCTED != _OCTETS:
        raise ValueError("no octets")
    if not value.tag & _CONSTRUCTED:
        return data[value.start : value.end]
    return b"".join(data[part.start : part.end] for part in _iter_values(data, value))
