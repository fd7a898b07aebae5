"""PDF: every word once, tables in place, boxes on the page, furniture aside."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pdfplumber
import pytest

from tasks.parsers.assembly import Line
from tasks.parsers.contract import Raw
from tasks.parsers.pages.furniture import find_furniture
from tasks.parsers.pages.headings import measure
from tasks.parsers.pages.lines import TextLine, read_lines
from tasks.parsers.pages.properties import title
from tasks.parsers.pages.quick import quick_pages
from tasks.parsers.reading import read
from warehouse.records import BlockKind, Box, DateOrigin, Document

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ROOT / "samples/reports/northlight-fy2025-q4.pdf"
ICDAR = ROOT / "../shared/data/tables/icdar2013"
FILINGS = ROOT / "../shared/data/pdf"
FILES = [
    *sorted((ROOT / "samples/reports").glob("*.pdf")),
    *sorted(ICDAR.glob("eu-00[123567]*.pdf")),
    *sorted(ICDAR.glob("eu-01[0258].pdf")),
    *sorted(FILINGS.glob("*8K*.pdf")),
]


def load(path: Path) -> Document:
    return read(Raw(path.name, path.read_bytes()))


def words_by_page(document: Document) -> dict[int, Counter[str]]:
    """The words of each page, those of table cells without the signs of the table's form."""
    tables = {table.number: table for table in document.tables}
    found: dict[int, Counter[str]] = {}
    for block in document.blocks:
        assert block.page is not None
        shown = document.text[block.start : block.end]
        if block.table is not None:
            shown = " ".join(cell for row in tables[block.table].rows for cell in row)
        found.setdefault(block.page, Counter()).update(shown.split())
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_word_of_a_page_stands_once(path: Path) -> None:
    document = load(path)
    ours = words_by_page(document)
    in_tables = {part.page for table in document.tables for part in table.parts}
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages:
            theirs = Counter(part for word in page.extract_words() for part in word["text"].split())
            found = ours.get(page.page_number, Counter())
            assert Counter("".join(found.elements())) == Counter("".join(theirs.elements()))
            if page.page_number not in in_tables:  # in a table a rule may part what pdfplumber runs together
                assert found == theirs


def test_quick_pages_see_what_pdfplumber_sees() -> None:
    with pdfplumber.open(RELEASE) as pdf:
        for quick, page in zip(quick_pages(pdf), pdf.pages, strict=True):
            assert [{key: char[key] for key in quick.chars[0]} for char in page.chars] == quick.chars
            assert quick.extract_words() == page.extract_words()
            assert quick.edges == page.edges


def test_a_release_is_read_in_its_order() -> None:
    document = load(RELEASE)
    assert document.title == "Northlight Instruments Reports Fourth Quarter and Full Year Fiscal 2025 Results"
    assert (document.total_pages, document.non_empty_pages) == (2, 2)
    assert [(claim.date.isoformat(), claim.origin) for claim in document.dates] == [
        ("2025-10-30", DateOrigin.DATELINE),
        ("2025-10-30", DateOrigin.PROPERTIES),
    ]
    second = [(block.kind, block.table) for block in document.blocks if block.page == 2]
    expected = [BlockKind.HEADING, BlockKind.TABLE] * 3
    assert [kind for kind, _ in second] == [*expected, BlockKind.PARAGRAPH, BlockKind.FURNITURE]
    assert [table for _, table in second if table] == [1, 2, 3]
    quarters = document.tables[2]
    assert quarters.rows[0] == ("(in millions)", "Q1 2025", "Q2 2025", "Q3 2025", "Q4 2025", "FY2025")
    assert quarters.rows[1] == ("Revenue", "96.2", "101.7", "108.3", "115.8", "422.0")
    assert document.tables[0].rows[0][1] == "Three months ended September 30, 2025"
    assert "Revenue" in {document.text[start : start + 9].strip("| ") for start, _ in quarters.row_spans}


def test_the_text_in_a_box_is_the_text_of_its_region() -> None:
    document = load(RELEASE)
    with pdfplumber.open(RELEASE) as pdf:
        for block in document.blocks:
            for region in block.regions:
                page = pdf.pages[region.page - 1]
                box = (region.box.x0 - 1, region.box.top - 1, region.box.x1 + 1, region.box.bottom + 1)
                inside = page.within_bbox(box, strict=False).extract_text()
                shown = document.text[region.start : region.end].replace("|", " ")
                assert Counter(inside.split()) == Counter(shown.split())


def line(text: str, top: float, size: float = 10.0, *, bold: bool = False) -> TextLine:
    return TextLine(Line(text, 1, Box(50, top, 300, top + size)), size, bold)


def test_running_heads_are_known_by_repetition() -> None:
    pages = [
        [
            line("Annual report 2025", 20),
            *(line("prose " + "abcdefghi"[row] * (page + 1), 100 + 20 * row) for row in range(9)),
            line(f"{page}", 780),
        ]
        for page in range(5)
    ]
    aside = find_furniture(pages)
    found = [entry.text for page in pages for entry in page if id(entry) in aside]
    assert found == [text for page in range(5) for text in ("Annual report 2025", f"{page}")]


def test_headings_are_larger_or_bolder_than_the_running_text() -> None:
    prose = "A sentence of running text that is long enough to be one of many, as they are."
    lines = [line("Big title", 10, 18), line("Part", 40, 13), *(line(prose, 60 + 12 * row) for row in range(9))]
    sizes = measure(lines)
    assert sizes.level([lines[0]]) == 1
    assert sizes.level([lines[1]]) == 2
    assert sizes.level([lines[2]]) == 0
    assert sizes.level([line("Bold words", 300, bold=True)]) == 3
    assert sizes.level([line("Total assets 17,426 17,003", 300, bold=True)]) == 0
    assert sizes.level([line("A bold sentence.", 300, bold=True)]) == 0


def test_words_of_one_height_make_a_line() -> None:
    def char(text: str, x0: float, top: float) -> dict[str, object]:
        return {"text": text, "x0": x0, "x1": x0 + 5, "top": top, "bottom": top + 10, "doctop": top, "upright": True,
                "size": 10.0, "fontname": "Arial-BoldMT", "width": 5, "height": 10}  # fmt: skip

    lines = read_lines([char("b", 40, 51), char("a", 10, 50), char("c", 10, 70)], 3)
    assert [found.text for found in lines] == ["a b", "c"]
    assert lines[0].box == Box(10, 50, 45, 61)
    assert lines[0].bold
    assert lines[0].line.page == 3


@pytest.mark.parametrize(
    "name", ["Microsoft Word - a.doc", "untitled", "0000950170-23-1", "report.pdf", "q3_final", ""]
)
def test_names_of_files_are_no_titles(name: str) -> None:
    assert title({"Title": name}) == ""
    assert title({"Title": "Annual report of the fleet"}) == "Annual report of the fleet"
