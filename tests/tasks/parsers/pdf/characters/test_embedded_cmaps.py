"""Composite fonts whose encoding is a stream of the file are read, by its map to text or by their character set."""

from __future__ import annotations

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.pdf.characters.embedded_cmaps import EmbeddedCMap
from tasks.parsers.reader import read
from tests.tasks.parsers.raw_pdf import pdf_of, stream

ENCODING = b"""/CMapName /Own def 1 begincodespacerange <0000> <FFFF> endcodespacerange
1 begincidchar <0001> 4170 endcidchar 1 begincidrange <0010> <0012> 34 endcidrange"""
TEXTS = b"""1 begincodespacerange <0000> <FFFF> endcodespacerange
2 beginbfchar <0001> <6F6E> <0002> <0020> endbfchar 1 beginbfrange <0010> <0012> <0041> endbfrange"""


def composite(*, texts: bytes = b"", ordering: bytes = b"Identity") -> bytes:
    font = b"<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding 1001 0 R /DescendantFonts [1002 0 R] %s >>" % texts
    system = b"<< /Registry (Adobe) /Ordering (%s) /Supplement 0 >>" % ordering
    more = {
        1001: stream(ENCODING, b"/Type /CMap /CMapName /Own /CIDSystemInfo " + system),
        1002: b"<< /Type /Font /Subtype /CIDFontType0 /CIDSystemInfo %s /DW 1000 /W [34 [500 600 700]] >>" % system,
        1003: stream(TEXTS),
    }
    return pdf_of([b"BT /F 10 Tf 20 100 Td <00100011001200020001> Tj ET"], more=more, font=font)


def test_the_map_to_text_is_asked_by_code() -> None:
    document = read(Raw("a.pdf", composite(texts=b"/ToUnicode 1003 0 R")))
    assert document.text == "ABC 潮"
    ((region,),) = (block.regions for block in document.blocks)
    assert region.box.x1 == pytest.approx(20 + 5 + 6 + 7 + 10 + 10, abs=0.1)


def test_without_one_the_character_set_says_what_a_number_is() -> None:
    assert read(Raw("a.pdf", composite(ordering=b"GB1"))).text.startswith("ABC")


def test_codes_of_several_lengths() -> None:
    data = b"""2 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange
    2 begincidchar <41> 7 <8041> 8 endcidchar"""
    assert list(EmbeddedCMap(data, by_code=False).decode(b"A\x80AA\x80")) == [7, 8, 7]
    assert list(EmbeddedCMap(data, by_code=True).decode(b"A\x80AA")) == [0x41, 0x8041, 0x41]
    assert list(
        EmbeddedCMap(b"1 begincidrange <00000000> <FFFFFFFF> 0 endcidrange", by_code=False).decode(b"\0\1")
    ) == [1]
