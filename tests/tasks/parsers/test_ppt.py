"""Old PowerPoint presentations: texts, bullets, tables, notes; what is older, encrypted or damaged."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, parse_as, read
from tests.examples import examples
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_mail import headings, shown, texts
from tests.tasks.parsers.raw_msg import compound
from tests.tasks.parsers.raw_ppt import (
    body,
    group,
    levels,
    notes,
    ppt,
    read_ppt,
    record,
    shape,
    slide,
    text,
    title,
)
from tests.tasks.parsers.test_fuzz import damage, is_read_or_refused, spoil
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Merge

DECK = [
    (1, "Northlight: Q2 2025 review"), (1, "Highlights"), (2, "Speaker notes"), (1, "Revenue by segment"), (1, "Plan"),
]  # fmt: skip
"""The headings of one deck in two formats."""
SAMPLE = Path(__file__).with_name("files") / "northlight-slides.ppt"


def test_a_deck_in_the_order_of_its_show() -> None:
    document = parse_as("ppt", Raw("a.ppt", SAMPLE.read_bytes()))
    assert document.total_pages == 5
    assert headings(document) == DECK
    assert texts(document, BlockKind.LIST)[0].splitlines()[1] == "  - Instruments led with 22%"
    assert document.tables[0].merges == (Merge(0, 0, 2, 1), Merge(0, 1, 1, 2))
    assert [finding.name for finding in document.findings] == ["hidden-content", "lost-part"]
    assert "slides 3, 5" in document.findings[1].message
    assert (document.title, document.authors) == ("Northlight review", ("Ada Byron", "Bo Li"))


def test_items_are_told_from_paragraphs_by_themselves_then_by_the_master() -> None:
    own = levels((6, 0, None), (6, 1, None), (8, 0, False))
    document = read_ppt(slide(title("Pump"), body("first\rbelow\rno item", own)), bullets=[True, True])
    assert texts(document, BlockKind.LIST) == ["- first\n  - below"]
    assert shown(document)[-1] == "no item"
    plain = read_ppt(slide(body("first\rsecond", levels((13, 0, True)))), bullets=[False])
    assert texts(plain, BlockKind.LIST) == ["- first\n- second"]


def test_texts_of_the_outline_stand_where_their_shape_is() -> None:
    refers = shape(record(0x0F9E, struct.pack("<I", 1)), (0, 900, 4000, 3000))
    outline = text("Насос", 0) + text("течёт\x0bсильно", 1)
    document = read_ppt(slide(refers, shape(record(0x0F9E, struct.pack("<I", 0)))), outline=outline)
    assert headings(document) == [(1, "Насос")]
    assert shown(document)[-1] == "течёт\nсильно"


def test_texts_of_the_outline_that_no_shape_shows_are_read_too() -> None:
    document = read_ppt(slide(shape(text("box"))), outline=text("Pump", 0) + text("leaks", 1))
    assert headings(document) == [(1, "Pump")]
    assert set(shown(document)) == {"box", "leaks"}


def test_shapes_in_reading_order_groups_together_and_deleted_ones_left_out() -> None:
    boxes = [(700, 500, 1200, 700), (0, 500, 500, 700), (0, 1500, 500, 1700)]
    right, left, below = map(shape, map(text, ("right", "left", "below")), boxes)
    gone = shape(text("gone"), flags=8)
    inner = group(shape(text("inside"), (0, 0, 10, 10), inside=True), box=(0, 2500, 500, 2700))
    assert shown(read_ppt(slide(inner, below, right, gone, left))) == ["left", "right", "below", "inside"]


def test_tables_are_laid_out_by_the_edges_of_their_cells() -> None:
    cells = [
        shape(text("Seal"), (0, 0, 1000, 300), inside=True), shape(text("Price"), (1000, 0, 3000, 300), inside=True),
        shape(text("small"), (0, 300, 1000, 600), inside=True), shape(b"", (1000, 300, 2000, 600), inside=True),
        shape(text("12.50"), (2000, 300, 3000, 600), inside=True), shape(b"", (1000, 0, 1000, 600), inside=True),
    ]  # fmt: skip
    document = read_ppt(slide(title("Costs"), group(*cells, box=(0, 0, 3000, 600), is_table=True)))
    assert document.tables[0].rows == (("Seal", "Price", ""), ("small", "", "12.50"))
    assert document.tables[0].merges == (Merge(0, 1, 1, 2),)
    words = group(*cells[:1], box=(0, 0, 3000, 600), is_table=True)
    assert shown(read_ppt(slide(words))) == ["Seal"]


def test_notes_footers_hidden_slides_and_objects() -> None:
    chart = shape(client=record(0x0BC1, bytes(4)))
    first = slide(title("One"), chart, notes=1, footer="Harbour works")
    document = read_ppt(first, slide(title("Two"), hidden=True, footer="Harbour works"), pages=[notes("Greet them.")])
    assert headings(document) == [(1, "One"), (2, "Speaker notes"), (1, "Two")]
    assert shown(document) == ["Greet them."]
    assert texts(document, BlockKind.FURNITURE) == ["Harbour works"]
    assert [finding.message for finding in document.findings] == [
        "slide 2 is hidden in the show; it is read all the same",
        "what is embedded on slide 1 could not be read: it is a file of another program",
    ]


def test_boxes_beside_the_notes_are_notes() -> None:
    beside = slide(shape(text("*"), (0, 0, 100, 100)), shape(text("In a box."), (0, 200, 900, 300)), kind=0x03F0)
    assert shown(read_ppt(slide(title("One"), notes=1), pages=[beside])) == ["In a box."]


def test_words_of_art_and_descriptions_of_pictures_are_read() -> None:
    art, picture = "Welcome\0".encode("utf-16-le"), "Seals on the quay\0".encode("utf-16-le")
    options = [
        record(0xF00B, struct.pack("<HI", name | 0x8000, len(data)) + data, number=1)
        for name, data in ((0xC0, art), (0x381, picture))
    ]
    document = read_ppt(
        slide(*(shape(box=(0, at * 500, 400, at * 500 + 400), options=each) for at, each in enumerate(options)))
    )
    assert shown(document) == ["Welcome", "Picture: Seals on the quay"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (ppt(slide(title("x")), token=0xF3D1C4DF), "the file is encrypted: save a copy without a password"),
        (compound({"PP40": b"x"}), "a PowerPoint 95 file: save it as PPTX"),
        (ppt(slide(title("x")), **{"PersistentStorage Directory": b"x"}), "a PowerPoint 95 file: save it as PPTX"),
        (compound({"PowerPoint Document": bytes(64)}),
         "the old PowerPoint file is damaged (its parts do not fit together): save or download it again"),
    ],
)  # fmt: skip
def test_what_is_not_read_says_why(data: bytes, problem: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("a.ppt", data))
    assert str(caught.value) == problem


@pytest.mark.parametrize("name", ["a.ppt", "a.pps", "a.pptx", "a"])
def test_a_presentation_is_known_under_any_name(name: str) -> None:
    assert choose_parser(Raw(name, ppt(slide(title("x"))))) == "ppt"


WORDS = st.lists(st.text(alphabet="abcdefghij中文XYZ😀é", min_size=1, max_size=8), min_size=1, max_size=5).map(" ".join)


@examples(2)
@given(slides=st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=3))
def test_no_word_is_lost(slides: list[list[str]]) -> None:
    document = read_ppt(*(slide(title(words[0]), body("\r".join(words[1:]))) for words in slides))
    keeps_its_promises(document)
    assert document.text.split() == " ".join(word for words in slides for word in words).split()


def test_a_slide_that_is_listed_often_is_read_once() -> None:
    data = ppt(slide(title("x")), slide(title("y")))
    two, three = (struct.pack("<IIiI", place, 0, 0, 256 + at) for at, place in enumerate((3, 4)))
    assert headings(read(Raw("a.ppt", data.replace(three, two[:12] + three[12:])))) == [(1, "x")]


def test_damaged_presentations_are_read_or_refused_in_one_line() -> None:
    dice, whole = random.Random("ppt"), SAMPLE.read_bytes()
    for _ in range(150):
        is_read_or_refused(Raw("a.ppt", spoil(dice, damage(dice, [whole]))))
