"""Paragraphs and lists of PDFs: where they begin, and that a page's end does not tear them."""

from __future__ import annotations

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.drawn_pdf import Drawing, Text, prose
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_pdf import pdf_of
from warehouse.records import BlockKind, Document

LONG = "The fleet sailed on and nobody wrote it down for weeks since the log was lost at"
LAST = "sea in the spring."


def column(top: float, *lines: tuple[float, str]) -> list[Text]:
    """Lines 13 points apart, each with its left edge."""
    return [(x, top + 13 * number, words) for number, (x, words) in enumerate(lines)]


def shown(document: Document, *kinds: BlockKind) -> list[str]:
    keeps_its_promises(document)
    return [
        document.text[block.start : block.end].replace("\n", " ") for block in document.blocks if block.kind in kinds
    ]


def paragraphs(document: Document) -> list[str]:
    return shown(document, BlockKind.PARAGRAPH)


def test_an_indent_begins_a_paragraph() -> None:
    first, second = [(90.0, LONG), (72.0, LONG), (72.0, LAST)], [(90.0, LONG), (72.0, LONG)]
    found = Drawing().page(column(80, *first, *second)).read()
    assert paragraphs(found) == [f"{LONG} {LONG} {LAST}", f"{LONG} {LONG}"]


def test_a_hanging_indent_begins_none() -> None:
    entry = [(72.0, LONG), (90.0, LONG), (90.0, LAST)]
    found = Drawing().page(column(80, *entry, *entry)).read()
    assert paragraphs(found) == [f"{LONG} {LONG} {LAST}"] * 2


def test_a_short_last_line_ends_a_paragraph() -> None:
    found = Drawing().page(column(80, (72, LONG), (72, LAST), (72, LONG), (72, LAST))).read()
    assert paragraphs(found) == [f"{LONG} {LAST}"] * 2


def test_centred_lines_stay_together() -> None:
    lines = ["Consolidated accounts of", "the fleet and its many harbours", "and of its crews"]
    texts = [(306 - 2.5 * len(words), 80 + 13 * row, words) for row, words in enumerate(lines)]
    assert paragraphs(Drawing().page([*texts, *prose(200, 3)]).read())[0] == " ".join(lines)


def test_a_paragraph_goes_on_over_the_page() -> None:
    found = (
        Drawing()
        .page([*column(620, (72, LONG), (72, "and its crew was never found, though the whole har-")), (300, 760, "1")])
        .page([*column(60, (72, "bour looked for it."), (72, "")), *prose(300, 3), (300, 760, "2")])
        .read()
    )
    assert paragraphs(found)[0] == f"{LONG} and its crew was never found, though the whole harbour looked for it."
    torn = found.blocks[0]
    assert [region.page for region in torn.regions] == [1, 1, 2]
    assert torn.page == 1


def test_footnotes_and_feet_between_its_parts_follow_a_torn_paragraph() -> None:
    drawing = Drawing()
    drawing.styled(
        *((72, 600 + 13 * row, LONG, "Helvetica", 10) for row in range(3)),
        (72, 700, "1 A note in smaller print.", "Helvetica", 7),
    )
    found = drawing.page([*column(60, (72, "the cape."), (72, LONG)), *prose(300, 3)]).read()
    assert paragraphs(found)[0].endswith("lost at the cape.")
    assert paragraphs(found)[1] == "1 A note in smaller print."


def test_a_page_that_holds_the_end_of_a_paragraph_only_is_not_empty() -> None:
    found = Drawing().page(column(620, (72, LONG))).page(column(60, (72, LAST))).read()
    assert len(found.blocks) == 1
    assert (found.total_pages, found.non_empty_pages) == (2, 2)


@pytest.mark.parametrize("below", ["The cape was far.", "1. the cape"])
def test_what_begins_anew_is_not_joined(below: str) -> None:
    found = Drawing().page(prose(600, 3)).page([*column(60, (72, below)), *prose(300, 3)]).read()
    assert all(len({region.page for region in block.regions}) == 1 for block in found.blocks)


def test_a_list_item_goes_on_over_the_page() -> None:
    first = column(600, (72, "1. One thing."), (72, "2. Another thing that the crew had lost at"))
    found = Drawing().page(first).page([*column(60, (84, "the cape.")), *prose(300, 3)]).read()
    assert shown(found, BlockKind.LIST) == ["1. One thing. 2. Another thing that the crew had lost at the cape."]


def test_an_item_that_wraps_stays_whole() -> None:
    lines = [(90.0, "* One."), (90.0, f"* {LONG}"), (98.0, LAST), (90.0, "* Three.")]
    assert shown(Drawing().page(column(80, *lines)).read(), BlockKind.LIST) == [" ".join(words for _, words in lines)]


def test_one_bullet_is_a_list_and_one_number_is_none() -> None:
    texts = [*prose(60, 3), *column(150, (72, "* A single thing")), *prose(200, 3), *column(300, (72, "1. A thing"))]
    found = Drawing().page(texts).read()
    assert shown(found, BlockKind.LIST) == ["* A single thing"]
    assert "1. A thing" in paragraphs(found)


def test_codes_without_a_character_are_bullets() -> None:
    lines = b" ".join(b"BT /F 10 Tf 72 %d Td (\\177 item %d) Tj ET" % (150 - 14 * row, row) for row in range(2))
    found = read(Raw("a.pdf", pdf_of([lines])))
    assert shown(found, BlockKind.LIST) == ["• item 0 • item 1"]
