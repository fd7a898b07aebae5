"""Headings of PDFs: which lines are some, and how deep they stand."""

from __future__ import annotations

import pytest

from tasks.parsers.assembly import AssembledLine
from tasks.parsers.pdf.blocks.typography import Typography, measure_typography
from tasks.parsers.pdf.lines.text_lines import TextLine
from tasks.parsers.pdf.page_reader import PageContent
from tests.tasks.parsers.drawn_pdf import Drawing, Styled
from warehouse.records import BlockKind, Box, Document

PROSE = "A sentence of running text that is long enough to be one of many, as they are here."
BOLD, ITALIC, BOTH = "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"


def page(*heads: tuple[str, str, float], x: float = 72) -> list[Styled]:
    """Heads 60 points apart, two lines of prose below each."""
    texts: list[Styled] = []
    for number, (words, font, size) in enumerate(heads):
        top = 70 + 60 * number
        texts.append((x, top, words, font, size))
        texts += [(72, top + 20 + 12 * row, f"{PROSE} {'and so on' * row}", "Helvetica", 10) for row in range(2)]
    return texts


def outline(document: Document) -> list[tuple[int, str]]:
    headings = (block for block in document.blocks if block.kind is BlockKind.HEADING)
    return [(block.level, block.section[-1]) for block in headings]


def test_the_parts_of_a_filing_nest() -> None:
    heads = [
        ("PART I", BOLD, 10),
        ("Item 1. Business", BOLD, 10),
        ("OVERVIEW", BOLD, 10),
        ("Our Segments", BOLD, 10),
        ("Digital Media", BOTH, 10),
        ("Opportunity", ITALIC, 10),
        ("COMPETITION", BOLD, 10),
        ("Item 1A. Risk Factors", BOLD, 10),
        ("PART II", BOLD, 10),
    ]
    assert [level for level, _ in outline(Drawing().styled(*page(*heads)).read())] == [1, 2, 3, 4, 5, 6, 3, 2, 1]


def test_numbered_sections_nest_by_their_numbers() -> None:
    heads = ["1 Introduction", "1.1 Data", "1.1.1 Sources", "1.2 Methods", "2 Results"]
    document = Drawing().styled(*page(*((words, BOLD, 10) for words in heads))).read()
    assert [level for level, _ in outline(document)] == [1, 2, 3, 2, 1]
    below = next(block for block in document.blocks if block.section[-1:] == ("1.1.1 Sources",))
    assert below.section == ("1 Introduction", "1.1 Data", "1.1.1 Sources")


def test_larger_sizes_stand_higher_and_depth_is_never_skipped() -> None:
    heads = [("The Year in Review", "Helvetica", 20), ("Markets", BOLD, 10), ("Outlook", "Helvetica", 14)]
    assert outline(Drawing().styled(*page(*heads)).read()) == [
        (1, "The Year in Review"),
        (2, "Markets"),
        (2, "Outlook"),
    ]


@pytest.mark.parametrize(
    ("words", "font"),
    [
        ("CHAPTER II", "Helvetica"),
        ("GENERAL REMARKS", "Helvetica"),
        ("Item 1. Business.", "Helvetica"),
        ("2.1 Methods Used in 2010 and 2011", "Helvetica"),
        ("Seasonality", ITALIC),
        ("Competition.", BOLD),
        ("Sales grew 5% in the year", BOLD),
        ("What changed?", BOLD),
        ("Fiscal years ended September 30", BOLD),
    ],
)
def test_what_stands_out_is_a_heading(words: str, font: str) -> None:
    assert words in [
        text for _, text in outline(Drawing().styled(*page(("Start", BOLD, 10), (words, font, 10))).read())
    ]


@pytest.mark.parametrize(
    ("words", "font"),
    [
        ("Table 1. Output of the sector", BOLD),
        ("(in millions, except per share amounts)", BOLD),
        ("$ in millions (unaudited)", ITALIC),
        ("Source: Statistical Office", ITALIC),
        ("Washington, D.C. 20549", BOLD),
        ("Total assets 17,426 17,003", BOLD),
        ("OR", BOLD),
        ("Item 7 of this report says how we do it", "Helvetica"),
        ("a line that begins small", BOLD),
        ("This one is a bold sentence of more than nine words in all.", BOLD),
    ],
)
def test_what_only_stands_out_is_none(words: str, font: str) -> None:
    assert [text for _, text in outline(Drawing().styled(*page(("Start", BOLD, 10), (words, font, 10))).read())] == [
        "Start"
    ]


def test_heads_of_columns_are_no_heading() -> None:
    texts = [*page(("Start", BOLD, 10)), (72, 150, "Term", BOLD, 10), (300, 150, "Meaning", BOLD, 10)]
    assert outline(Drawing().styled(*texts).read()) == [(1, "Start")]


def test_parts_in_a_table_of_contents_head_nothing() -> None:
    contents: list[Styled] = [(72, 60, "PART I", BOLD, 10)]
    for row in range(6):
        contents += [(72, 80 + 20 * row, f"Item {row + 1}. Name of it", "Helvetica", 10)]
        contents += [(540, 80 + 20 * row, str(row), "Helvetica", 10)]
    found = Drawing().styled(*contents).styled(*page(("PART I", BOLD, 10), ("Item 1. Name of it", BOLD, 10))).read()
    assert outline(found) == [(1, "PART I"), (2, "Item 1. Name of it")]


def test_a_heading_that_goes_on_is_set_aside() -> None:
    heads = [("Cash Flows", BOLD, 10), ("Cash Flows (continued)", BOLD, 10)]
    found = Drawing().styled(*page(*heads)).read()
    assert outline(found) == [(1, "Cash Flows")]
    assert [found.text[b.start : b.end] for b in found.blocks if b.kind is BlockKind.FURNITURE] == [heads[1][0]]


def test_italics_at_the_end_of_a_page_are_no_heading() -> None:
    texts = [*page(("Start", BOLD, 10)), (72, 400, "The notes are part of these statements", ITALIC, 10)]
    assert outline(Drawing().styled(*texts).read()) == [(1, "Start")]


def line(text: str, top: float, size: float = 10.0) -> TextLine:
    return TextLine(AssembledLine(text, 1, Box(50, top, 300, top + size)), size, bold=False)


def test_the_running_text_is_what_most_long_lines_are_set_in() -> None:
    lines = [line("Big title", 10, 18), line("Part", 40, 13), *(line(PROSE, 60 + 12 * row) for row in range(9))]
    found = measure_typography([PageContent(1, 792.0, tuple(lines))], furniture_ids={id(lines[0])})
    assert found == Typography(10.0, {13: 0}, {1: (50, 300)})
