"""Under which headings the financial statements of filings and releases stand, however weak their typography is."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import pytest
from reportlab.pdfgen.canvas import Canvas

from tasks.parsers.parser_contract import Raw
from tasks.parsers.pdf.blocks.typography import is_statement
from tasks.parsers.reader import read
from tests.tasks.parsers.drawn_pdf import Styled
from warehouse.records import Document

PLAIN, BOLD = "Helvetica", "Helvetica-Bold"
PROSE = "The fleet sailed on and nobody wrote it down for weeks, as the harbour had no ink at"
TITLES = (
    "CONSOLIDATED BALANCE SHEETS",
    "CONSOLIDATED STATEMENTS OF OPERATIONS",
    "Consolidated Statements of Cash Flows",
    "Condensed Consolidated Statements of Shareholders’ Equity (Unaudited)",
)
ITEM = "Financial Statements and Supplementary Data"
ITEM_OVER = "Item 8. Financial Statements and", "Supplementary Data"


def prose(top: float, lines: int = 5) -> list[Styled]:
    return [(72, top + 13 * number, f"{PROSE} {number}", PLAIN, 10) for number in range(lines)]


def centred(top: float, words: str, font: str = PLAIN, size: float = 10) -> Styled:
    canvas = Canvas(BytesIO())
    return (306 - canvas.stringWidth(words, font, size) / 2, top, words, font, size)


def statement(top: float, title: str, font: str = PLAIN, *above: str) -> list[Styled]:
    """A title in the middle, the unit below it and four rows of figures."""
    heads = [*above, title, "(In millions, unaudited)"]
    lines = [centred(top + 12 * number, words, font) for number, words in enumerate(heads)]
    begin = top + 12 * len(heads) + 14
    rows = [("", "2023", "2022"), ("Landings", "1,410", "1,380"), ("Sales", "912", "870"), ("Net", "113", "120")]
    for number, row in enumerate(rows):
        for x, cell in zip((72, 400, 500), row, strict=True):
            lines += [(x, begin + 14 * number, cell, PLAIN, 10)] if cell else []
    return lines


def document(pages: Sequence[Sequence[Styled]], bookmarks: Sequence[str] = ()) -> Document:
    out = BytesIO()
    canvas = Canvas(out, pagesize=(612, 792), invariant=1)
    for name in bookmarks:
        canvas.bookmarkPage(name)
        canvas.addOutlineEntry(name, name)
    for number, texts in enumerate(pages, start=1):
        for x, y, words, font, size in [*texts, (300, 770, str(number), PLAIN, 9)]:
            canvas.setFont(font, size)
            canvas.drawString(x, 792 - y, words)
        canvas.showPage()
    canvas.save()
    return read(Raw("drawn.pdf", out.getvalue()))


def sections(found: Document) -> list[tuple[str, ...]]:
    """The section path of each table that has the statements' rows."""
    shown = {table.number for table in found.tables if any(row[0] == "Landings" for row in table.rows)}
    return [block.section for block in found.blocks if block.table in shown]


CONTENTS: list[Styled] = [
    (72, 60, "TABLE OF CONTENTS", BOLD, 10),
    *((72, 90 + 16 * n, words, PLAIN, 10) for n, words in enumerate(
        ["Item 7. Discussion and Analysis", "Item 7A. Market Risk", f"Item 8. {ITEM}", "Item 9. Controls"])),
    *((540, 90 + 16 * n, str(3 + n), PLAIN, 10) for n in range(4)),
]  # fmt: skip

FORMS: dict[str, list[Styled]] = {
    "bold": [(72, 60, f"Item 8. {ITEM}", BOLD, 10)],
    "capitals": [(72, 60, f"ITEM 8. {ITEM.upper()}", PLAIN, 10)],
    "title case alone": [(72, 60, f"Item 8. {ITEM}", PLAIN, 10)],
    "sentence case": [(72, 60, "Item 8. Financial statements and supplementary data.", PLAIN, 10)],
    "dash": [(72, 60, f"Item 8 — {ITEM}", PLAIN, 10)],
    "centred, two lines": [centred(60, "ITEM 8.", BOLD), centred(73, ITEM, BOLD)],
    "two lines far apart": [(72, 60, "Item 8.", BOLD, 10), (72, 79, ITEM, BOLD, 10)],
    "columns": [(72, 60, "Item 8.", BOLD, 10), (140, 60, ITEM, BOLD, 10)],
    "columns, plain": [(72, 60, "ITEM 8.", PLAIN, 10), (140, 60, ITEM.upper(), PLAIN, 10)],
    "over two lines": [(72, 60, ITEM_OVER[0], BOLD, 10), (72, 72, ITEM_OVER[1], BOLD, 10)],
    "smaller": [(72, 60, f"Item 8. {ITEM}", BOLD, 9)],
}  # fmt: skip


@pytest.mark.parametrize("contents", [False, True], ids=["bare", "with contents"])
@pytest.mark.parametrize("form", FORMS)
def test_the_item_of_the_statements_is_seen_however_it_is_set(form: str, contents: bool) -> None:
    before = [(72, 60, "Item 7A. Market Risk", BOLD, 10), *prose(90, 20)]
    pages = [[*FORMS[form], *prose(100), *statement(200, TITLES[0])], statement(70, TITLES[1])]
    found = sections(document([*([CONTENTS] if contents else []), before, *pages, prose(60, 30)]))
    assert [path[-1].split("(")[0].strip() for path in found] == [TITLES[0], TITLES[1]]
    for path in found:
        assert len(path) >= 2
        assert "".join(filter(str.isalnum, path[-2])).lower().startswith("item8financialstatementsandsupplementarydata")


def test_an_index_of_statements_below_its_item_hides_nothing() -> None:
    index: list[Styled] = [(72, 60, f"ITEM 8. {ITEM.upper()}", BOLD, 10)]
    for number, words in enumerate(
        ["Balance Sheets", "Statements of Income", "Statements of Equity", "Notes", "Report"]
    ):
        index += [
            (72, 100 + 14 * number, f"Consolidated {words}", PLAIN, 10),
            (540, 100 + 14 * number, str(53 + number), PLAIN, 10),
        ]
    before = [(72, 60, "ITEM 7A. MARKET RISK", BOLD, 10), *prose(90, 20)]
    (path,) = sections(document([CONTENTS, before, [*index, *prose(220)], statement(70, TITLES[0], BOLD)]))
    assert path[0].startswith("ITEM 8.")


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("font", [PLAIN, BOLD])
@pytest.mark.parametrize(
    "boilerplate", ["Forward-Looking Statements", "About Harbour Lines", "Contacts", "FORWARD-LOOKING STATEMENTS"]
)
def test_a_section_of_boilerplate_ends_at_the_next_statement(title: str, font: str, boilerplate: str) -> None:
    head: list[Styled] = [(72, 60, "Harbour Lines Reports Third Quarter Results", BOLD, 14), *prose(100)]
    tail: list[Styled] = [(72, 200, boilerplate, BOLD, 12), *prose(225, 8)]
    found = sections(document([[*head, *tail], statement(70, title, font, "HARBOUR LINES, INC."), prose(60, 40)]))
    assert len(found) == 1
    assert boilerplate not in found[0]
    assert found[0][0] == "Harbour Lines Reports Third Quarter Results"
    assert title in found[0][-1]


def test_several_statements_on_a_page_head_their_own_tables() -> None:
    page = [*statement(70, TITLES[0]), *statement(220, TITLES[1]), *statement(370, TITLES[2])]
    head: list[Styled] = [(72, 60, "Outlook", BOLD, 12), *prose(90, 20)]
    assert [path[-1].split(" (")[0] for path in sections(document([head, page, prose(60, 40)]))] == list(TITLES[:3])


def test_statements_stay_below_the_notes_that_they_are_part_of() -> None:
    head: list[Styled] = [
        (72, 60, "NOTES TO CONSOLIDATED FINANCIAL STATEMENTS", BOLD, 10),
        (72, 90, "Note 12. Guarantors", BOLD, 10),
        *prose(110),
    ]
    (path,) = sections(document([[*head, *statement(250, "CONDENSED CONSOLIDATING BALANCE SHEETS")], prose(60, 40)]))
    assert path[:2] == ("NOTES TO CONSOLIDATED FINANCIAL STATEMENTS", "Note 12. Guarantors")


def test_bookmarks_name_headings_that_count_and_look_like_text() -> None:
    names = [f"Chapter {number}" for number in (1, 2, 3, 4)]
    pages = [[(72, 60, name, PLAIN, 10), *prose(100, 12)] for name in names]
    found = document(pages, names)
    assert list(dict.fromkeys(block.section[-1] for block in found.blocks if block.section)) == names


def test_bookmarks_name_headings_that_look_like_text() -> None:
    page: list[Styled] = [(72, 60, "How the piers are counted", PLAIN, 10), *prose(95, 12)]
    plain, marked = document([page]), document([page], ["How the Piers Are Counted"])
    assert not any(block.level for block in plain.blocks)
    assert [block.section[-1] for block in marked.blocks if block.level] == ["How the piers are counted"]


@pytest.mark.parametrize(
    "words",
    [
        *(
            "Consolidated Statements of Income",
            "CONSOLIDATED BALANCE SHEETS (Unaudited)",
            "Balance Sheets",
            "合并资产负债表",
        ),
        *(
            "CONSOLIDATED STATEMENTS OF STOCKHOLDERS’ EQUITY",
            "Statements of Comprehensive Income (Loss)",
            "Income Statement",
        ),
        *("Notes to Condensed Consolidated Financial Statements", "Consolidated Statements of Cash Flows, continued"),
    ],
)
def test_titles_of_statements(words: str) -> None:
    assert is_statement(words)
    assert not is_statement(f"Our {words} show what we own")
