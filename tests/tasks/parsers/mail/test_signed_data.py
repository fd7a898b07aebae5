"""Signed messages of one part: their content is read in both forms of lengths; whatever else the bytes are is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.mail.signed_data import find_signed_content

SIGNED, DATA, ENVELOPED = (bytes.fromhex(f"06092a864886f70d01070{number}") for number in (2, 1, 3))


def value(tag: int, content: bytes, *, open_ended: bool = False) -> bytes:
    """A value in DER, or of indefinite length."""
    if open_ended:
        return bytes([tag, 0x80]) + content + b"\0\0"
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    size = len(content).to_bytes(4)
    return bytes([tag, 0x84]) + size + content


def signed(content: bytes, *, open_ended: bool, kind: bytes = SIGNED) -> bytes:
    half = len(content) // 2
    parts = [value(0x04, content[:half]), value(0x04, content[half:])]
    octets = value(0x24, b"".join(parts), open_ended=True) if open_ended else value(0x04, content)
    held = value(0x30, DATA + value(0xA0, octets, open_ended=open_ended), open_ended=open_ended)
    algorithms = value(0x31, value(0x30, value(0x06, b"\x60\x86\x48\x01")))
    body = value(0x02, b"\1") + algorithms + held + value(0x31, b"")
    inner = value(0xA0, value(0x30, body, open_ended=open_ended), open_ended=open_ended)
    return value(0x30, kind + inner, open_ended=open_ended)


@given(st.binary(max_size=400), st.booleans())
def test_the_content_comes_back(content: bytes, open_ended: bool) -> None:
    assert find_signed_content(signed(content, open_ended=open_ended)) == content


@given(st.binary(max_size=400), st.booleans(), st.data())
def test_what_is_cut_or_sealed_has_none(content: bytes, open_ended: bool, data: st.DataObject) -> None:
    whole = signed(content, open_ended=open_ended)
    assert find_signed_content(whole[: data.draw(st.integers(0, len(whole) - 1))]) is None
    assert find_signed_content(signed(content, open_ended=open_ended, kind=ENVELOPED)) is None


@given(st.binary(max_size=200))
def test_any_bytes_are_content_or_none(data: bytes) -> None:
    find_signed_content(data)


@pytest.mark.parametrize("depth", [40, 100_000])
def test_deep_nesting_is_none(depth: int) -> None:
    assert find_signed_content(b"\x30\x80" * depth) is None
