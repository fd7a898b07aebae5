"""Old Word documents: styles, tables, fields, notes, changes; what is older, encrypted or damaged."""

from __future__ import annotations

import random
import struct
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, parse_as, read
from tests.examples import examples
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_doc import (
    CELL,
    DELETED,
    HIDDEN,
    OLD_DELETED,
    OLD_HIDDEN,
    doc,
    old_row,
    old_style,
    older_doc,
    p,
    read_doc,
    row,
    style,
)
from tests.tasks.parsers.raw_mail import headings, shown, texts
from tests.tasks.parsers.raw_msg import compound
from tests.tasks.parsers.test_fuzz import damage, is_read_or_refused, spoil
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Merge

SAMPLE = Path(__file__).with_name("files") / "pump-repair.doc"
STYLES = [style(0, "Standard"), style(1, "Überschrift 1"), style(2, "Überschrift 2"), style(0xFFE, "Code")]


def test_a_report_in_the_order_of_its_body() -> None:
    document = parse_as("doc", Raw("a.doc", SAMPLE.read_bytes()))
    assert headings(document) == [
        (1, "Pump repair at pier 4"),
        (1, "1. Findings"),
        (2, "1.1. Measured"),
        (1, "2. Steps"),
    ]
    assert "deleted" not in document.text
    assert "Hidden" not in document.text
    assert "A comment" not in document.text
    assert "See the list of pumps and насос, 水泵, 😀. The valve was closed by hand." in shown(document)
    assert "harbour.example" not in document.text
    assert [table.caption for table in document.tables] == ["Table 1: Pressure in bar", "", ""]
    assert document.tables[0].merges == (Merge(0, 0, 2, 1), Merge(0, 1, 1, 2))
    assert document.tables[2].rows == (("small", "40 mm"), ("large", "60 mm"))
    assert texts(document, BlockKind.FURNITURE)[0] == "Harbour works, pumps"
    assert [claim.date for claim in document.dates[-2:]] == [date(2003, 3, 12), date(2003, 3, 14)]


def test_headings_are_known_by_words_own_numbers_in_any_language() -> None:
    document = read_doc([p("Befund", 1), p("Gemessen", 2), p("x = 1", 3), p("Text.")], styles=STYLES)
    assert headings(document) == [(1, "Befund"), (2, "Gemessen")]
    assert document.title == "Befund"
    assert [block.kind for block in document.blocks[2:]] == [BlockKind.CODE, BlockKind.PARAGRAPH]


@pytest.mark.parametrize("narrow", [True, False])
def test_words_are_read_in_both_encodings(narrow: bool) -> None:
    assert read_doc([p("Café “Anker” – 3 €")], narrow=narrow).text == "Café “Anker” – 3 €"


def test_characters_beyond_the_first_plane_are_one() -> None:
    assert shown(read_doc([p("a 😀 b"), p("c")], {"b": HIDDEN})) == ["a 😀", "c"]


def test_hidden_and_deleted_words_are_left_out_and_paragraphs_joined() -> None:
    document = read_doc([p("One two three"), p("four")], {"two ": HIDDEN, "three\r": DELETED})
    assert shown(document) == ["One four"]


@pytest.mark.parametrize(("drop", "read"), [(0x19, "Once upon"), (0x1A, "Once upon"), (0x18, "O\n\nnce upon")])
def test_a_drop_cap_is_the_first_letter_of_its_paragraph(drop: int, read: str) -> None:
    capital = p("O", 0, struct.pack("<HH", 0x442C, drop))
    assert read_doc([capital, p("nce upon"), p("a time")]).text == f"{read}\n\na time"


def test_fields_show_what_they_result_in() -> None:
    link = '\x13 HYPERLINK "http://x" \x14the list\x15'
    assert read_doc([p(f"See {link} and \x13 XE entry \x15more.")]).text == "See the list and more."


def test_symbols_signs_and_breaks() -> None:
    fonts = struct.pack("<HH", 1, 0) + bytes([39 + 20]) + bytes(39) + "Wingdings\0".encode("utf-16-le")
    symbol = b"\x09\x6a\x00\x00\x4a\xf0"
    document = read_doc([p("fun (\x0b\x1eend\t\x1fx")], {"(": symbol}, tables={15: fonts})
    assert document.text == "fun ☺\n-end\tx"


def test_cells_are_placed_by_their_edges() -> None:
    rows = [
        *row("Day", "Pressure", edges=(0, 2000, 6000)),
        *row("", "in", "out"),
        *row("12 March", "4.1", "", edges=(5, 2010, 4000, 6010), merged=(0, 1, 2)),
        *row("13 March", "4.2", "4.0"),
    ]
    (table,) = read_doc(rows).tables
    assert table.rows == (
        ("Day", "Pressure", ""),
        ("", "in", "out"),
        ("12 March", "4.1", ""),
        ("13 March", "4.2", "4.0"),
    )
    assert Merge(0, 1, 1, 2) in table.merges
    assert Merge(2, 1, 1, 2) in table.merges


def test_a_table_in_a_cell_follows_as_one_of_its_own() -> None:
    inner = b"\x16\x24\x01\x49\x66\x02\0\0\0"
    end, last = inner + b"\x4b\x24\x01", inner + b"\x4c\x24\x01"
    nested = [p("a", 0, end), p("b", 0, end), p("", 0, last), p("1", 0, end), p("2", 0, end), p("", 0, last)]
    first = row("x", "y")
    document = read_doc([*row("h", "i"), first[0], p("before", 0, CELL), *nested, ("after\x07", 0, CELL), first[2]])
    assert [table.rows for table in document.tables] == [(("h", "i"), ("x", "before after")), (("a", "b"), ("1", "2"))]


def test_notes_stand_below_what_refers_to_them() -> None:
    tables = {2: struct.pack("<IIH", 7, 20, 1), 3: struct.pack("<III", 0, 8, 9)}
    document = read_doc([p("In 2024\x02 dry."), p("\x02 A note"), p("")], tables=tables, lengths=[10])
    assert shown(document) == ["In 2024[1] dry.", "[1] A note"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"flags": 0x0100}, "the file is encrypted: save a copy without a password"),
        ({"version": 0x2D}, "a file of a Word before Word 6: save it as DOCX"),
        ({"tables": {33: b"\x02\xff\xff\xff\xff"}},
         "the old Word file is damaged (its parts do not fit together): save or download it again"),
    ],
)  # fmt: skip
def test_what_is_not_read_says_why(options: dict[str, int], problem: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("a.doc", doc([p("x")], **options)))  # type: ignore[arg-type]
    assert str(caught.value) == problem


@pytest.mark.parametrize(
    ("beginning", "what"),
    [
        (b"\xdb\xa5-\0", "Word 2"),
        (b"\x9b\xa5!\0", "Word 1"),
        (b"1\xbe\0\0", "Word for DOS"),
        (b"\xfe7\0#", "Macintosh"),
    ],
)
def test_a_word_before_word_6_is_named(beginning: bytes, what: str) -> None:
    with pytest.raises(UnreadableFile, match=f"^a .*{what}.*: save it as DOCX$"):
        read(Raw("a.doc", beginning + bytes(range(256)) * 4))


@pytest.mark.parametrize("name", ["a.doc", "a.dot", "a.docx", "a"])
def test_a_document_is_known_under_any_name(name: str) -> None:
    assert choose_parser(Raw(name, doc([p("x")]))) == "doc"


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"{\\rtf1 words}", "rtf"), (b"<html><body><p>words</p></body></html>", "html"), (b"Plain words.\n", "text")],
)
def test_another_format_under_this_suffix_is_read_as_what_it_is(data: bytes, kind: str) -> None:
    assert choose_parser(Raw("a.doc", data)) == kind


def test_a_workbook_kept_in_a_document_does_not_change_what_it_is() -> None:
    tree = {"WordDocument": b"x", "ObjectPool": {"Workbook": b"y"}}
    assert choose_parser(Raw("a", compound(tree))) == "doc"
    assert choose_parser(Raw("a", compound({"Workbook": b"x", "MBD": {"WordDocument": b"y"}}))) == "workbooks"


WORDS = st.lists(st.text(alphabet="abcdefghij中文XYZ😀é", min_size=1, max_size=8), min_size=1, max_size=5).map(" ".join)


@examples(2)
@given(paragraphs=st.lists(WORDS, min_size=1, max_size=6))
def test_no_word_is_lost(paragraphs: list[str]) -> None:
    document = read_doc([p(words) for words in paragraphs])
    keeps_its_promises(document)
    assert document.text.split() == " ".join(paragraphs).split()


def test_places_that_overlap_do_not_fill_the_memory() -> None:
    spans = struct.pack("<2001I", *[0, 4000] * 1000, 0) + bytes(22 * 2000)
    document = read_doc([p("x"), p("y" * 4000)], tables={56: spans}, lengths=[0, 0, 0, 0, 0, 4001])
    assert len(document.text) < 9000


def test_damaged_documents_are_read_or_refused_in_one_line() -> None:
    dice, whole = random.Random("doc"), SAMPLE.read_bytes()
    for _ in range(200):
        is_read_or_refused(Raw("a.doc", spoil(dice, damage(dice, [whole]))))


@pytest.mark.parametrize("pieced", [False, True])
def test_a_file_of_word_6_is_read_as_newer_ones_are(pieced: bool) -> None:
    paragraphs = [
        p("Findings", 1), p("In 2024\x02 it was dry. Away, gone."), *old_row("Day", "High"), *old_row("1", "4.1"),
        p("Last."), p("\x02 A note"), p(""),
    ]  # fmt: skip
    words = sum(len(text) for text, _, _ in paragraphs[:-2])
    place = sum(len(text) for text, _, _ in paragraphs[:1]) + len("In 2024")
    data = older_doc(
        paragraphs,
        {"Away, ": OLD_HIDDEN, "gone.": OLD_DELETED},
        styles=[old_style(0, "Normal"), old_style(1, "heading 1")],
        fonts=["Times New Roman"],
        tables={2: struct.pack("<IIH", place, words, 1), 3: struct.pack("<III", 0, 9, 10)},
        lengths=[10],
        pieced=pieced,
    )
    assert choose_parser(Raw("a", data)) == "doc"
    document = read(Raw("a.doc", data))
    keeps_its_promises(document)
    assert headings(document) == [(1, "Findings")]
    assert [words for words in shown(document) if "TABLE" not in words] == [
        "In 2024[1] it was dry.", "[1] A note", "Last.",
    ]  # fmt: skip
    assert document.tables[0].rows == (("Day", "High"), ("1", "4.1"))


@pytest.mark.parametrize(
    ("words", "encoding", "charset"),
    [
        ("Четыре балла и семь лет назад наши отцы", "cp1251", 0),
        ("l’été à Genève : café", "cp1252", 0),
        ("l’été à Genève : café", "mac_roman", 256),
    ],
)
def test_the_encoding_of_a_file_of_word_6_is_found(words: str, encoding: str, charset: int) -> None:
    document = read(Raw("a.doc", older_doc([p(words)], encoding=encoding, charset=charset)))
    assert document.text == words


def test_a_file_of_word_95_of_the_far_east_has_two_bytes_a_character() -> None:
    words = "创建新文档，在“文件”菜单上，单击“新建”。Word 95"
    codes = (int.from_bytes(each.encode("gb18030"), "big") for each in f"{words}\r")
    units = b"".join(struct.pack("<H", code) for code in codes)
    data = older_doc([(units.decode("latin-1"), 0, b"")], encoding="latin-1", flags=0x1000)
    count = struct.pack("<i", len(units))
    at = data.index(count, 0)
    document = read(Raw("a.doc", data[:at] + struct.pack("<i", len(units) // 2) + data[at + 4 :]))
    assert document.text == words


def test_damaged_files_of_word_6_are_read_or_refused_in_one_line() -> None:
    dice = random.Random("older")
    whole = older_doc([p("Findings", 1), *old_row("a", "b"), p("Words.")], styles=[old_style(1, "heading 1")])
    for _ in range(200):
        is_read_or_refused(Raw("a.doc", spoil(dice, damage(dice, [whole]))))
