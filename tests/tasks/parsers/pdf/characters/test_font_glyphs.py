"""Fonts whose tables are wrong, or missing: what their characters say all the same."""

from __future__ import annotations

import pytest

from tasks.parsers.office.symbol_fonts import DINGBATS, SYMBOL
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.raw_pdf import pdf_of, stream

ENTRY = b"<< /Type /Font /Subtype /Type1 /BaseFont /%s %s >>"
MAP = b"""/CIDInit /ProcSet findresource begin 1 begincmap 1 begincodespacerange <00> <FF> endcodespacerange
%d beginbfchar %s endbfchar endcmap"""
IDENTITY = b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [1000 0 R] %s >>"
DESCENDANT = (
    b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 600 /CIDSystemInfo << /Registry (Adobe) "
    b"/Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /X /Flags 4 >> >>"
)


def shown(codes: bytes, font: bytes, mapped: dict[int, str] | None = None) -> str:
    """What the document says of a text in a font; `mapped` is the font's ToUnicode map."""
    pairs = b" ".join(b"<%02X> <%04X>" % (code, ord(text)) for code, text in (mapped or {}).items())
    more = {1000: DESCENDANT, 1001: stream(MAP % (len(mapped or {}), pairs))}
    return read(
        Raw("a.pdf", pdf_of([b"BT /F 12 Tf 20 100 Td <%s> Tj ET" % codes.hex().encode()], font=font, more=more))
    ).text


def winansi(mapped: dict[int, str], words: bytes) -> str:
    return shown(words, ENTRY % (b"Helvetica", b"/Encoding /WinAnsiEncoding /ToUnicode 1001 0 R"), mapped)


def test_capitals_that_the_map_calls_small_are_capitals() -> None:
    assert winansi({ord(one): one.lower() for one in "HIungary"}, b"Hungary I") == "Hungary I"


def test_a_map_to_other_letters_is_believed() -> None:
    assert winansi(dict(zip(b"ABCDE", "abxyz", strict=True)), b"ABCDE") == "abxyz"


@pytest.mark.parametrize("name", [b"Symbol", b"ABCDEF+SymbolMT", b"StandardSymL"])
@pytest.mark.parametrize("encoding", [b"", b"/Encoding /WinAnsiEncoding"])
def test_symbols_are_read_by_their_own_encoding(name: bytes, encoding: bytes) -> None:
    assert shown(b"c\xb3ab", ENTRY % (name, encoding)) == "χ≥αβ"


def test_a_symbol_that_the_file_names_is_that() -> None:
    assert shown(b"cd", ENTRY % (b"Symbol", b"/Encoding << /Differences [99 /omega] >>")) == "ωδ"


def test_dingbats_are_read_by_their_own_encoding() -> None:
    assert shown(b"!4n\xac\xd5", ENTRY % (b"ZapfDingbats", b"")) == "✁✔■①→"


def test_every_code_of_the_standard_symbol_fonts_is_known() -> None:
    unused = {*range(0x7F, 0xA0), 0xF0, 0xFF}
    assert set(SYMBOL) == set(range(0x20, 0x100)) - unused
    assert set(DINGBATS) == {*range(0x20, 0x100)} - unused - {0xA0} | set(range(0x80, 0x8E))


def test_a_glyph_for_what_is_missing_is_a_blank_and_one_without_a_name_is_unknown() -> None:
    assert (
        shown(bytes([0, 65, 0, 0, 0, 66, 0, 9]), IDENTITY % b"/ToUnicode 1001 0 R", {65: "A", 66: "B"}) == "A B\ufffd"
    )


def test_codes_that_winansi_leaves_unused_are_bullets() -> None:
    assert shown(b"\x95 \x7f x", ENTRY % (b"Helvetica", b"/Encoding /WinAnsiEncoding")) == "• • x"
