"""Rich Text: the words in order, headings, lists, tables and notes; what is hidden or broken does no harm."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.tasks.parsers.markups import is_linear
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, DateOrigin, Document

LETTER = (Path(__file__).parent / "files/letter.rtf").read_bytes()
WORDS = st.text(st.characters(categories=["L", "N", "P"], exclude_characters="\ufffe"), min_size=1, max_size=12)


def read_rtf(data: bytes, name: str = "a.rtf") -> Document:
    raw = Raw(name, data)
    assert choose_parser(raw) == "rtf"
    document = read(raw)
    keeps_its_promises(document)
    return document


def written(text: str) -> str:
    """A text as programs write it: ASCII, and all else as numbers of UTF-16 with a stand-in."""
    units = text.encode("utf-16-le")
    codes = [int.from_bytes(units[place : place + 2], "little") for place in range(0, len(units), 2)]
    return "".join(
        f"\\{chr(code)}"
        if chr(code) in "\\{}"
        else chr(code)
        if 31 < code < 127
        else f"\\u{code - 65536 * (code > 32767)}?"
        for code in codes
    )


@pytest.mark.parametrize("word", [r"\footnote", r"\*\footnote"])
def test_a_note_of_any_program_stands_below_its_paragraph(word: str) -> None:
    document = read_rtf(rb"{\rtf1 It was dry.{%s Says the office.}\par More.\par}" % word.encode())
    assert document.text == "It was dry.[1]\n\n[1] Says the office.\n\nMore."


def test_a_letter_is_read_whole() -> None:
    document = read_rtf(LETTER)
    shown = [(block.kind, document.text[block.start : block.end]) for block in document.blocks if not block.table]
    assert shown == [
        (BlockKind.FURNITURE, "Harbour office"),
        (BlockKind.HEADING, "Levels at Pier 7"),
        (BlockKind.PARAGRAPH, "On 12 March 2021 the gauge failed; café owners called “at noon”. 潮汐 €5[1]"),
        (BlockKind.PARAGRAPH, "[1] The clock was an hour late."),
        (BlockKind.HEADING, "Readings"),
        (BlockKind.PARAGRAPH, "Two things are left:"),
        (BlockKind.LIST, "· a new float\n· the report"),
        (BlockKind.PARAGRAPH, "See  you."),
    ]
    assert [block.level for block in document.blocks if block.kind is BlockKind.HEADING] == [1, 2]
    assert document.tables[0].rows == (("Day", "High"), ("2021-03-12", "4.10"), ("2021-03-13 and night", "4.02"))
    assert (document.title, document.authors) == ("Levels at Pier 7", ("Ada Lund",))
    days = [(claim.date, claim.origin) for claim in document.dates]
    assert days == [(date(2021, 3, 12), DateOrigin.PROPERTIES), (date(2021, 3, 15), DateOrigin.PROPERTIES)]
    assert not document.findings


@given(paragraphs=st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=6))
def test_every_word_comes_back(paragraphs: list[str]) -> None:
    text = "\\par\n".join(f"{{\\i {written(each)}}}" for each in paragraphs)
    document = read_rtf(f"{{\\rtf1\\ansi\\uc1 {text}\\par}}".encode("ascii"))
    assert "".join(document.text.split()) == "".join("".join(paragraphs).split())


@pytest.mark.parametrize("name", ["a.doc", "a", "a.txt"])
def test_it_is_known_by_its_beginning(name: str) -> None:
    assert read_rtf(b"{\\rtf1 Words.}", name).text == "Words."


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_cut_letter_is_read_as_far_as_it_goes(share: float) -> None:
    document = read_rtf(LETTER[: int(share * len(LETTER))])
    assert document.findings[0].message == "the end of the text could not be read: the file ends too early"


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="nested too deeply"):
        read(Raw("a.rtf", b"{\\rtf1 " + b"{" * 20_000))


def test_what_is_no_rich_text_is_text() -> None:
    assert choose_parser(Raw("a.rtf", b"Words, and more words.")) == "text"


def texts_of(body: str) -> list[str]:
    document = read_rtf(b"{\\rtf1\\ansi " + body.encode() + b"}")
    return [document.text[block.start : block.end] for block in document.blocks]


@pytest.mark.parametrize(
    "box",
    [
        r"{\shp{\*\shpinst{\sp{\sn fLine}{\sv 0}}{\shptxt boxed\par again}}{\shprslt{\*\do{\dptxbxtext boxed}}}}",
        r"{\shpgrp{\*\shpinst{\shp{\*\shpinst{\shptxt boxed\par again}}}}}",
        r"{\*\do\dobxpage\dptxbx{\dptxbxtext boxed\par again}}",
    ],
)
def test_a_box_follows_the_paragraph_that_holds_it(box: str) -> None:
    assert texts_of(rf"One {box}two.\par Three.") == ["One two.", "boxed", "again", "Three."]
    assert texts_of(rf"\trowd\intbl a{box}\cell b\cell\row\pard Two.\par Three.")[-4:] == [
        "Two.", "boxed", "again", "Three."
    ]  # fmt: skip
    around = rf"{{\header Top{box}}}{{\*\annotation Said{box}}}Words.\par"
    assert texts_of(around) == ["Top\nboxed\nagain", "Words."]


@pytest.mark.parametrize(
    "merged",
    [
        r"\trowd\cellx2000\cellx3010\intbl Both\cell 9\cell\row",
        r"\trowd\cellx2000\cellx3010\intbl Both\cell 9\cell\cell\row",
        r"\trowd\clmgf\cellx1000\clmrg\cellx2000\cellx3000\intbl Both\cell\cell 9\cell\row",
    ],
)
def test_a_merged_cell_leaves_the_cells_behind_it_in_their_columns(merged: str) -> None:
    def make_row(*texts: str) -> str:
        return r"\trowd\cellx1000\cellx2000\cellx3000\intbl " + "".join(rf"{text}\cell " for text in texts) + r"\row "

    plain = make_row("Item", "Use", "Sum") + make_row("Rope", "Quay", "7")
    found = read_rtf(rf"{{\rtf1 {plain}{merged}\pard Mind it.\par}}".encode())
    (table,) = found.tables
    assert table.rows == (("Item", "Use", "Sum"), ("Rope", "Quay", "7"), ("Both", "", "9"))
    assert [(merge.row, merge.column, merge.columns) for merge in table.merges] == [(2, 0, 2)]
    assert found.text.endswith("Mind it.")


_INNER = (
    r"\pard\intbl\itap2 In 1\nestcell In 2\par too\nestcell{\*\nesttableprops\trowd\cellx1\cellx2\cellx3\nestrow}"
    r"{\nonesttables\par}\pard\intbl\itap2 In 3\nestcell In 4\nestcell{\*\nesttableprops\trowd\cellx1\cellx2\nestrow}"
    r"{\nonesttables\par}"
)


@pytest.mark.parametrize("before", ["", r"\pard\intbl\itap1 Before\par "])
@pytest.mark.parametrize("after", ["", r"\pard\intbl\itap1 after"])
@pytest.mark.parametrize("place", [0, 1])
def test_a_table_in_a_cell_follows_the_table_around_it(before: str, after: str, place: int) -> None:
    cells = [r"\pard\intbl\itap1 Other\cell ", rf"{before}{_INNER}{after}\pard\intbl\itap1\cell "]
    rows = "".join(cells if place else reversed(cells)), r"\pard\intbl C\cell D\cell "
    found = read_rtf(
        ("{\\rtf1 " + "".join(rf"{row}\trowd\cellx10\cellx20\row " for row in rows) + r"\pard End}").encode()
    )
    outer, inner = found.tables
    words = " ".join((["Before"] if before else []) + (["after"] if after else []))
    assert outer.rows == ((("Other", words) if place else (words, "Other")), ("C", "D"))
    assert inner.rows == (("In 1", "In 2 too"), ("In 3", "In 4"))
    assert found.text.endswith("End")


@pytest.mark.parametrize(
    "unit", [r"\nestcell ", r"\pard\intbl\itap2 a\nestcell ", r"{\footnote a}", r"{\*\nesttableprops\nestrow}"]
)
def test_reading_is_linear(unit: str) -> None:
    is_linear("rtf", unit, "}", start=r"{\rtf1 ")


def test_edges_that_no_row_has_all_of_part_no_cells() -> None:
    rows = (
        r"\trowd\cellx1000\cellx2000\intbl a\cell 1\cell\row",
        r"\trowd\cellx1300\cellx2400\intbl b\cell 2\cell\row",
    )
    assert read_rtf(rf"{{\rtf1 {''.join(rows)}}}".encode()).tables[0].rows == (("a", "1"), ("b", "2"))


def test_headers_and_footers_are_set_aside_each_once() -> None:
    body = r"{\headerl Harbour\par office}{\headerr Harbour\par office}{\footerf Page 1}\pard Words.\par"
    document = read_rtf(b"{\\rtf1" + body.encode() + b"}")
    assert [(block.kind, document.text[block.start : block.end]) for block in document.blocks] == [
        (BlockKind.FURNITURE, "Harbour\noffice"), (BlockKind.PARAGRAPH, "Words."), (BlockKind.FURNITURE, "Page 1"),
    ]  # fmt: skip


def test_a_starred_style_hides_no_words() -> None:
    link = r"{\field{\*\fldinst HYPERLINK x}{\fldrslt \*\cs12\ul{here}}}"
    assert texts_of(rf"See {link}.\par") == ["See here."]


def test_a_symbol_of_a_field_is_shown() -> None:
    field = r'{\field{\*\fldinst { SYMBOL 109 \\f "Symbol" \\s 12}}{\fldrslt\f3}}'
    assert texts_of(rf"5 {field}m\par") == ["5 μm"]


def test_items_stand_as_deep_as_their_lists() -> None:
    item = r"{{\listtext {}\tab}}\ilvl{} {}\par\pard "
    assert texts_of(item.format("1.", 0, "one") + item.format("a)", 1, "two") + item.format("2.", 0, "three")) == [
        "1. one\n  a) two\n2. three"
    ]


def test_a_style_with_a_level_of_the_outline_is_a_heading() -> None:
    styles = r"{\stylesheet{\s15\outlinelevel1 Naslov;}{\s0 Normal;}{\*\cs10 Plain;}}"
    document = read_rtf(rf"{{\rtf1{styles}\s15 Pumps\par\pard\s0 Words.\par}}".encode())
    assert [(block.kind, block.level) for block in document.blocks] == [
        (BlockKind.HEADING, 2),
        (BlockKind.PARAGRAPH, 0),
    ]


@pytest.mark.parametrize(
    ("head", "written", "read"),
    [
        (r"\mac", r"lanc\'8e qu\'d5il", "lancé qu’il"),
        (r"\pc", r"\'82t\'82", "été"),
        (r"\pca", r"\'e0 \'82", "Ó é"),
        (r"\ansi\ansicpg1252\deff1{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}", r"\'c4\'e0", "Да"),
        (r"\ansi\ansicpg1251\deff0{\fonttbl{\f0\fcharset0 A;}}", r"\'c4\'e0", "Да"),
        (r"\ansi\deff0{\fonttbl{\f0\fcharset204 A;}{\f1\fcharset0 B;}}", r"\'c4\'e0\f1\'e0", "Даà"),
    ],
)
def test_bytes_are_of_the_charset_of_the_file_or_of_its_usual_font(head: str, written: str, read: str) -> None:
    assert read_rtf(f"{{\\rtf1{head} {written}\\par}}".encode()).text == read


def test_a_drop_cap_is_the_first_letter_of_its_paragraph() -> None:
    drop = rb"{\rtf1 \pard\dropcapli3\dropcapt1 O\par\pard nce upon\par a time\par}"
    assert read_rtf(drop).text == "Once upon\n\na time"


def test_what_a_program_writes_of_itself_says_nothing() -> None:
    document = read_rtf(rb"{\rtf1{\info{\author Unnamed}{\creatim\yr1601\mo1\dy1}{\revtim\yr2004\mo5\dy6}}Words.\par}")
    assert (document.authors, [claim.date for claim in document.dates]) == ((), [date(2004, 5, 6)])
