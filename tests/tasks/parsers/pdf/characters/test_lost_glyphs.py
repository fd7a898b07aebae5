"""Glyphs that a file gives no character: told by the font, or by the words around, or said to be lost."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from pathlib import Path

import pytest
import reportlab
from hypothesis import given
from hypothesis import strategies as st
from pdfminer.pdftypes import PDFStream
from reportlab.pdfbase.ttfonts import TTFontFile

from tasks.parsers.parser_contract import Raw
from tasks.parsers.pdf.characters.font_glyphs import FontProgram, read_program
from tasks.parsers.pdf.characters.lost_glyphs import LIGATURES, GlyphRepair, LostGlyph, make_mark
from tasks.parsers.reader import read
from tasks.quality.scoring import check_document
from tasks.verify.pdf_words import ReopenedPdf
from tasks.verify.quote_verification import Agreement, compare_readings
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_pdf import pdf_of, stream
from tests.tasks.quality.checking import subject
from warehouse.records import Document

VERA = Path(reportlab.__file__).parent / "fonts/Vera.ttf"
SENTENCE = "The first profit of fiscal 2023 was large, an official said, and a flow of offers followed."
NOTHING = ("\ufffe", "\uffff", "\ufdd0", "\ue001", "\U000f0001", "\ufffd", "\0", "\x1f", "\u200b", "", " ", "f", None)
"""What files write for a ligature; None where their map leaves it out."""
CODES = {"ffi": 0x8E, "fi": 0x8C, "fl": 0x8D, "ff": 0x8B}
MAP = b"""/CIDInit /ProcSet findresource begin 1 begincmap 1 begincodespacerange <%s> <%s> endcodespacerange
%d beginbfchar %s endbfchar endcmap"""

COMPOSITE = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /%s /DescendantFonts [1000 0 R] /ToUnicode 1001 0 R >>"
)
DESCENDANT = (
    b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 500 /CIDSystemInfo << /Registry (Adobe) "
    b"/Ordering (Identity) /Supplement 0 >> /FontDescriptor 1002 0 R %s >>"
)


def coded(text: str, codes: Mapping[str, int]) -> list[int]:
    """The codes of a text in a font whose ligatures have these."""
    parts = re.split("(" + "|".join(codes) + ")", text)
    return [code for part in parts for code in ([codes[part]] if part in codes else map(ord, part))]


def mapped(texts: Mapping[int, str | None], width: int = 1) -> bytes:
    """A ToUnicode map of these codes."""
    pairs = [
        b"<%0*X> <%s>" % (2 * width, code, text.encode("utf-16-be").hex().encode())
        for code, text in texts.items()
        if text is not None
    ]
    return stream(MAP % (b"00" * width, b"FF" * width, len(pairs), b" ".join(pairs)))


def simple(program: bytes = b"", *, encoding: bytes = b"", kind: bytes = b"Type1") -> bytes:
    """A font with a code of one byte for each glyph; objects 1001 to 1003 are its map, descriptor and program."""
    widths = b" ".join([b"500"] * 256)
    return (
        b"<< /Type /Font /Subtype /%s /BaseFont /AAAAAA+Made /FirstChar 0 /LastChar 255 /Widths [%s] "
        b"/ToUnicode 1001 0 R /FontDescriptor 1002 0 R %s >>" % (kind, widths, encoding)
    )


def descriptor(key: bytes = b"") -> bytes:
    program = b"/%s 1003 0 R" % key if key else b""
    return b"<< /Type /FontDescriptor /FontName /AAAAAA+Made /Flags 4 /FontBBox [0 -200 1000 900] %s >>" % program


def shown(codes: list[int], width: int = 1, *, at: str = "1 0 0 1 20 100") -> bytes:
    text = b"".join(b"%0*X" % (2 * width, code) for code in codes)
    return b"BT /F 5 Tf %s Tm <%s> Tj ET" % (at.encode(), text)


def document(page: bytes, font: bytes, more: Mapping[int, bytes]) -> Document:
    found = read(Raw("made.pdf", pdf_of([page], font=font, more=more)))
    keeps_its_promises(found)
    return found


def by_words(text: str, claimed: Mapping[str, str | None], codes: Mapping[str, int] = CODES) -> Document:
    """A text in a font that names no glyph and claims these characters for its ligatures."""
    letters = {ord(letter): letter for letter in text}
    texts = {**letters, **{codes[ligature]: claim for ligature, claim in claimed.items()}}
    more = {1001: mapped(texts), 1002: descriptor()}
    return document(shown(coded(text, codes)), simple(), more)


def cff(names: Mapping[int, str]) -> bytes:
    """A CFF font program without outlines whose own encoding has these glyphs."""

    def index(*entries: bytes) -> bytes:
        ends = [1]
        for entry in entries:
            ends.append(ends[-1] + len(entry))
        return (
            struct.pack(">HB", len(entries), 2) + b"".join(struct.pack(">H", end) for end in ends) + b"".join(entries)
        )

    def top(charset: int, encoding: int, outlines: int) -> bytes:
        return b"".join(
            b"\x1d" + struct.pack(">i", n) + bytes([op]) for n, op in ((charset, 15), (encoding, 16), (outlines, 17))
        )

    head, strings = b"\x01\x00\x04\x02" + index(b"Made"), index(*(name.encode() for name in names.values())) + b"\0\0"
    start = len(head) + len(index(top(0, 0, 0))) + len(strings)
    charset = b"\x00" + b"".join(struct.pack(">H", 391 + number) for number in range(len(names)))
    encoding = bytes([0, len(names), *names])
    places = start, start + len(charset), start + len(charset) + len(encoding)
    return head + index(top(*places)) + strings + charset + encoding + index(*[b"\x0e"] * (len(names) + 1))


TYPE1 = b"%!PS-AdobeFont-1.0: Made\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n"
NAMES = {0x8E: "f_f_i", 0x8C: "fi", 0x8D: "uniFB02", 0x8B: "f_f.liga"}
PROGRAM_FILES = [VERA.read_bytes(), cff(NAMES), TYPE1 + b"dup 140 /fi put", b"OTTO", b""]
PROGRAMS: dict[str, tuple[bytes, dict[int, bytes]]] = {
    "differences": (
        simple(encoding=b"/Encoding << /Differences [139 /f_f.liga /fi /uniFB02 /f_f_i] >>"),
        {1002: descriptor()},
    ),
    "type1": (
        simple(),
        {
            1002: descriptor(b"FontFile"),
            1003: stream(
                TYPE1
                + b"".join(b"dup %d /%s put\n" % (code, name.encode()) for code, name in NAMES.items())
                + b"eexec",
                b"/Length1 500",
            ),
        },
    ),
    "cff": (simple(), {1002: descriptor(b"FontFile3"), 1003: stream(cff(NAMES), b"/Subtype /Type1C")}),
}


@pytest.mark.parametrize("claim", NOTHING)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_name_of_a_glyph_says_what_it_shows(program: str, claim: str | None) -> None:
    font, more = PROGRAMS[program]
    texts = {**{ord(letter): letter for letter in SENTENCE}, **dict.fromkeys(NAMES, claim)}
    found = document(shown(coded(SENTENCE, CODES)), font, {1001: mapped(texts), **more})
    assert found.text == SENTENCE
    assert found.findings == ()


@pytest.mark.parametrize("claim", NOTHING)
@pytest.mark.parametrize("numbers", ["same", "mapped"])
def test_a_truetype_program_names_the_glyphs_of_a_composite_font(claim: str | None, numbers: str) -> None:
    glyphs = TTFontFile(str(VERA)).charToGlyph
    every = {**{letter: glyphs[ord(letter)] for letter in SENTENCE}, "fi": glyphs[0xFB01], "fl": glyphs[0xFB02]}
    cids = every if numbers == "same" else {text: 300 + number for number, text in enumerate(every)}
    table = bytearray(2 * 400)
    for text, cid in cids.items():
        table[2 * cid : 2 * cid + 2] = every[text].to_bytes(2, "big")
    codes = [cids[part] for part in re.split("(fi|fl|.)", SENTENCE) if part]
    texts = {cid: claim if len(text) > 1 else text for text, cid in cids.items()}
    font = COMPOSITE % b"Identity-H"
    more = {
        1000: DESCENDANT % (b"/CIDToGIDMap /Identity" if numbers == "same" else b"/CIDToGIDMap 1004 0 R"),
        1001: mapped(texts, 2),
        1002: descriptor(b"FontFile2"),
        1003: stream(VERA.read_bytes()),
        1004: stream(bytes(table)),
    }
    assert document(shown(codes, 2), font, more).text == SENTENCE


@pytest.mark.parametrize("claim", ["\ufffe", "\ue001", "\ufffd", "\0", "", "\u200b", None])
def test_words_say_which_ligatures_a_font_without_names_shows(claim: str | None) -> None:
    found = by_words(SENTENCE, dict.fromkeys(CODES, claim))
    assert found.text == SENTENCE


@pytest.mark.parametrize("claim", NOTHING)
def test_another_reader_finds_what_was_mended_in_its_place(claim: str | None) -> None:
    font, more = PROGRAMS["differences"]
    texts = {**{ord(letter): letter for letter in SENTENCE}, **dict.fromkeys(NAMES, claim)}
    data = pdf_of([shown(coded(SENTENCE, CODES))], font=font, more={1001: mapped(texts), **more})
    (region,) = read(Raw("made.pdf", data)).blocks[0].regions
    with ReopenedPdf(data) as pages:
        assert compare_readings(SENTENCE, pages.read_letters(1).read_box(region.box)) is Agreement.TEXT


def test_one_code_for_all_ligatures_is_told_word_by_word() -> None:
    found = by_words(
        "The first official offer of fiscal flows.", dict.fromkeys(CODES, "\ufffe"), dict.fromkeys(CODES, 0x8C)
    )
    assert found.text == "The first official offer of fiscal flows."


def test_the_letters_of_calibri_for_ligatures_are_those_ligatures() -> None:
    codes = {"ti": 0x80, "tt": 0x81, "ft": 0x82}
    found = by_words("The committee software informed a nation.", {"ti": "Ɵ", "tt": "Ʃ", "ft": "Ō"}, codes)
    assert found.text == "The committee software informed a nation."


def test_the_same_letters_stay_where_they_are_letters() -> None:
    assert by_words("The town of |saka in Japan", {"|": "Ō"}, {"|": 0x82}).text == "The town of Ōsaka in Japan"


@pytest.mark.parametrize(
    ("text", "lost", "left"),
    [
        ("The quarter and the quality of a question", "q", "The \ufffduarter and the \ufffduality of a \ufffduestion"),
        ("A net of 45 and 51 in all", "5", "A net of 4\ufffd and \ufffd1 in all"),
        ("The fiat of", "fi", "The \ufffdat of"),
        ("Herr Sefika", "fi", "Herr Se\ufffdka"),
    ],
)
def test_what_no_word_tells_is_lost(text: str, lost: str, left: str) -> None:
    assert by_words(text, {lost: "\ufffe"}, {lost: 0x8C}).text == left


def test_what_is_lost_is_a_finding_that_costs_quality() -> None:
    found = check_document(subject(by_words("Herr Sefika of the Siflo", {"fi": "\ufffe", "fl": "\ufffe"})))
    (finding,) = (each.finding for each in found if each.finding.code == "CHK013")
    assert finding.message == "2 characters of page 1 cannot be read, first near 'Herr Se\ufffdka of the Si\ufffdo'"
    assert (finding.page, finding.start, finding.end, finding.penalty) == (1, 7, 8, 0.5)


def test_signs_that_a_file_gives_no_character_are_told_by_the_words_they_part() -> None:
    text = "The company’s share and the bank’s share of the year’s profit"
    assert by_words(text, {"’": "\ufffe"}, {"’": 0x8C}).text == text


def test_cells_of_tables_and_turned_text_are_mended() -> None:
    rows = [("Profit first", "2021", "2022"), ("Fiscal flows", "10", "20"), ("Office staff", "30", "45")]
    texts = {ord(letter): letter for row in rows for cell in row for letter in cell} | dict.fromkeys(
        CODES.values(), "\ufffe"
    )
    cells = [
        shown(coded(cell, CODES), at=f"1 0 0 1 {x} {150 - 10 * number}")
        for number, row in enumerate(rows)
        for cell, x in zip(row, (40, 150, 200), strict=True)
    ]
    aside = shown(coded("A first profit up the margin", CODES), at="0 1 -1 0 20 20")
    texts |= {ord(letter): letter for letter in "A first profit up the margin"}
    found = document(b" ".join([*cells, aside]), simple(), {1001: mapped(texts), 1002: descriptor()})
    assert found.tables[0].rows == tuple(rows)
    assert "A first profit up the margin" in found.text


def test_vertical_text_is_mended() -> None:
    font = COMPOSITE % b"Identity-V"
    more = {
        1000: DESCENDANT % b"",
        1001: mapped({ord(letter): letter for letter in "profit"} | {0x8C: "\ufffe"}, 2),
        1002: descriptor(),
    }
    found = document(shown(coded("profit", CODES), 2, at="1 0 0 1 100 180"), font, more)
    assert "".join(found.text.split()) in ("profit", "pro\ufffdt")
    assert "\ufffe" not in found.text


def test_a_mended_line_stands_where_it_stood() -> None:
    sound = by_words(SENTENCE, {})
    lost = by_words(SENTENCE, dict.fromkeys(CODES, "\ufffe"))
    assert [region.box.top for block in lost.blocks for region in block.regions] == [
        region.box.top for block in sound.blocks for region in block.regions
    ]
    (region,) = lost.blocks[0].regions
    assert lost.text[region.start : region.end] == SENTENCE
    letters = len(coded(SENTENCE, CODES))
    assert region.box.x1 - region.box.x0 == pytest.approx(2.5 * letters, abs=0.1)


def test_a_hyphen_that_is_called_soft_is_one_within_a_line() -> None:
    assert by_words("A long~term view", {"~": "\u00ad"}, {"~": 0x8C}).text == "A long-term view"


@pytest.mark.parametrize(
    ("font", "claim", "sign"),
    [
        ("Wingdings", "\uf0a7", "▪"),
        ("Wingdings", "\uf06e", "■"),
        ("ABCDEF+Wingdings-Regular", "\uf0fc", "✓"),
        ("SymbolMT", "\uf0b7", "•"),
        ("SymbolMT", "\uf061", "α"),
        ("Minion", "\uf733", "3"),
        ("Other", "\uf0b7", "•"),
        ("Other", "\uf0d8", "➢"),
    ],
)
def test_private_characters_of_symbol_fonts_are_what_they_show(font: str, claim: str, sign: str) -> None:
    texts = {**{ord(letter): letter for letter in "Item one"}, 0x8C: claim}
    entry = simple().replace(b"AAAAAA+Made", font.encode())
    found = document(
        shown([0x8C, *map(ord, " Item one")]), entry, {1001: mapped(texts | {32: " "}), 1002: descriptor()}
    )
    assert found.text == f"{sign} Item one"


def test_a_private_sign_that_begins_several_lines_is_a_bullet() -> None:
    texts = {**{ord(letter): letter for letter in "One itemw"}, 32: " ", 0x8C: "\ue123"}
    lines = [
        shown([0x8C, *map(ord, f" {words}")], at=f"1 0 0 1 20 {y}")
        for words, y in (("One item", 100), ("Two item", 90))
    ]
    found = document(
        b" ".join(lines), simple(), {1001: mapped(texts | {ord("T"): "T", ord("o"): "o"}), 1002: descriptor()}
    )
    assert found.text == "• One item\n• Two item"


@given(st.sampled_from(["FontFile", "FontFile2", "FontFile3"]), st.sampled_from(PROGRAM_FILES), st.data())
def test_broken_font_programs_say_nothing_wrong(key: str, whole: bytes, data: st.DataObject) -> None:
    broken = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    for place in data.draw(st.lists(st.integers(0, 400), max_size=9)):
        if place < len(broken):
            broken[place] = data.draw(st.integers(0, 255))
    found = read_program({key: PDFStream({}, bytes(broken))})
    assert all(isinstance(text, str) and text for texts in (found.by_code, found.by_glyph) for text in texts.values())


@pytest.mark.parametrize("size", [1, 4, 7, 8, 9, 255])
def test_places_beyond_any_file_make_a_font_program_unreadable(size: int) -> None:
    index = b"\0\1" + bytes([size]) + b"\xff" * 2 * size
    assert read_program({"FontFile3": PDFStream({}, b"\1\0\3" + index)}) == FontProgram()


SAMPLE = ("first", "profit", "fiscal", "flow", "offer", "office", "affluent", "Xfij", "efef", "tea", "2023", "f-i")
WORDS = st.lists(st.sampled_from(SAMPLE), min_size=1)


@given(WORDS, st.booleans())
def test_nothing_but_marks_is_changed_and_none_is_left(words: list[str], shared: bool) -> None:
    text = " ".join(words)
    marks = {ligature: str(make_mark(0 if shared else number)) for number, ligature in enumerate(LIGATURES)}
    glyphs = {mark: LostGlyph(mark, "F", ord(mark), 0.5) for mark in marks.values()}
    damaged = re.sub("ffi|ffl|fi|fl|ff", lambda found: marks[found[0]], text)
    mended = GlyphRepair(glyphs, [damaged]).repair_text(damaged)
    assert not set(mended) & set(glyphs)
    pattern = "".join("(.{1,3})" if sign in glyphs else re.escape(sign) for sign in damaged)
    assert re.fullmatch(pattern, mended)
