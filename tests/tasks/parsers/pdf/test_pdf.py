"""PDF: every word once, tables in place, boxes on the page, furniture aside."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pdfplumber
import pytest

from tasks.parsers.assembly import AssembledLine
from tasks.parsers.parser_contract import Raw
from tasks.parsers.pdf.blocks.page_furniture import find_furniture
from tasks.parsers.pdf.lines.page_rows import read_rows
from tasks.parsers.pdf.lines.text_lines import TextLine, join_hyphenated_words
from tasks.parsers.pdf.lines.word_builder import read_words
from tasks.parsers.pdf.page_reader import PageContent
from tasks.parsers.pdf.pdf_file import read_title
from tasks.parsers.reader import read
from warehouse.records import BlockKind, Box, DateOrigin, Document

ROOT = Path(__file__).resolve().parents[4]
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
    return TextLine(AssembledLine(text, 1, Box(50, top, 300, top + size)), size, bold)


def test_running_heads_are_known_by_repetition() -> None:
    pages = [
        PageContent(
            page,
            792.0,
            (
                line("Annual report 2025", 20),
                *(line("prose " + "abcdefghi"[row] * (page + 1), 100 + 20 * row) for row in range(9)),
                line(f"{page}", 780),
            ),
        )
        for page in range(5)
    ]
    aside = find_furniture(pages)
    found = [entry.text for page in pages for entry in page.lines if id(entry) in aside]
    assert found == [text for page in range(5) for text in ("Annual report 2025", f"{page}")]


def test_words_of_one_height_make_a_line() -> None:
    def char(text: str, x0: float, top: float) -> dict[str, object]:
        return {"text": text, "x0": x0, "x1": x0 + 5, "top": top, "bottom": top + 10, "doctop": top, "upright": True,
                "size": 10.0, "fontname": "Arial-BoldMT", "width": 5, "height": 10}  # fmt: skip

    rows = read_rows(read_words([char("b", 40, 51), char("a", 10, 50), char("c", 10, 70)]))
    assert [found.text for found in rows] == ["a b", "c"]
    assert rows[0].box == Box(10, 50, 45, 61)
    assert all(word.bold for word in rows[0].words)


def test_words_parted_at_a_lines_end_are_made_whole() -> None:
    def joined(*texts: str) -> str:
        lines = [AssembledLine(text, 1, Box(0, 0, 1, 1)) for text in texts]
        return "".join(
            found.text + found.joint for found in join_hyphenated_words(lines, {"year-end", "turnover"})
        ).strip()

    assert joined("the develop-", "ment of") == "the development of"
    assert joined("at year-", "end and") == "at year-end and"
    assert joined("a long-", "term plan") == "a long-term plan"
    assert joined("an Anglo-", "American") == "an Anglo-American"
    assert joined("a turn-", "over of") == "a turnover of"
    assert joined("pages 3 -", "of them") == "pages 3 -\nof them"


@pytest.mark.parametrize(
    "name", ["Microsoft Word - a.doc", "untitled", "0000950170-23-1", "report.pdf", "q3_final", ""]
)
def test_names_of_files_are_no_titles(name: str) -> None:
    assert read_title({"Title": name}) == ""
    assert read_title({"Title": "Annual report of the fleet"}) == "Annual report of the fleet"


def test_a_note_is_read_without_the_code_that_reads_pdfs() -> None:
    code = """if True:
        import sys
        from tasks.parsers.parser_contract import Raw
        from tasks.parsers.reader import list_versions, read
        assert list_versions()["pdf"] and read(Raw("note.md", b"# A note\\n\\nIt is short.")).blocks
        loaded = [name for name in sys.modules if name.startswith(("tasks.parsers.pdf.", "pdfminer", "pdfplumber"))]
        assert not loaded, loaded
    """
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
