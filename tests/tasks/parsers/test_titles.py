"""What a document is called: its own words where the file's title says nothing."""

from __future__ import annotations

from io import BytesIO

import pytest
from reportlab.pdfgen.canvas import Canvas

from tasks.parsers.document_head import find_labelled_title, find_opening_title, is_placeholder
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.drawn_pdf import Styled
from warehouse.records import Document

BOLD = "Helvetica-Bold"
PROSE = "The fleet sailed on and nobody wrote it down for weeks, as the harbour had no ink."


@pytest.mark.parametrize(
    "title",
    [
        *("(anonymous)", "Anonymous", "N/A", "", "untitled", "Untitled-1", "Microsoft Word - harbour report.docx"),
        *("Document1", "Word Document", "PowerPoint Presentation", "harbour report final.docx", "report.pdf (v2)"),
        *(
            "C:\\Users\\me\\harbour report",
            "/home/me/harbour",
            "file:///tmp/a b",
            "https://example.org/a",
            "\\\\server\\a",
        ),
        *(
            "wk-20230331",
            "hbr-20230429",
            "0000320193-23-000077",
            "d412345dex991.htm",
            "a2023q1earnings",
            "q3_final release_v2",
        ),
        *(
            "Exhibit 99.1",
            "EX-99.1",
            "Slide 1",
            "PrintMgr File",
            "Scan 12",
            "Layout 1",
            "PII: S0140-6736(05)12345-6",
            "2023-04-29",
        ),
        *("文档1", "新建 Microsoft Word 文档", "无标题"),
    ],
)
def test_names_of_files_and_defaults_are_placeholders(title: str) -> None:
    assert is_placeholder(title)


@pytest.mark.parametrize(
    "title",
    [
        *(
            "Annual report of the fleet",
            "Microsoft Corporation Annual Report 2023",
            "ADBE 10-K FY22",
            "Print media in 2024",
        ),
        *(
            "Document theory: an introduction",
            "Testing the waters",
            "A note on snake_case names",
            "Data: the new harbour",
        ),
        *("Reports from the sea", "Exhibit halls of the north", "年度报告", "Untouched shores"),
    ],
)
def test_titles_are_none(title: str) -> None:
    assert not is_placeholder(title)


def document(title: str, *pages: list[Styled]) -> Document:
    out = BytesIO()
    canvas = Canvas(out, pagesize=(612, 792), invariant=1)
    canvas.setTitle(title)
    for texts in pages:
        for x, y, words, font, size in texts:
            canvas.setFont(font, size)
            canvas.drawString(x, 792 - y, words)
        canvas.showPage()
    canvas.save()
    return read(Raw("some name.pdf", out.getvalue()))


def body(top: float, lines: int = 8) -> list[Styled]:
    return [(72, top + 13 * number, f"{PROSE} {number}", "Helvetica", 10) for number in range(lines)]


def test_the_first_heading_takes_the_place_of_a_placeholder() -> None:
    head: list[Styled] = [
        (72, 60, "NEWS RELEASE", BOLD, 10),
        (72, 100, "Harbour Lines Reports Third Quarter Results", BOLD, 10),
    ]
    assert document("(anonymous)", [*head, *body(130)]).title == "Harbour Lines Reports Third Quarter Results"


def test_the_largest_of_the_first_lines_is_the_title() -> None:
    head: list[Styled] = [
        (72, 60, "Journal of Harbours", BOLD, 11.5),
        (72, 100, "How Piers Are Counted", "Helvetica", 20),
    ]
    more: list[Styled] = [(72, 130, "Methods", BOLD, 13)]
    assert document("x.dvi", [*head, *more, *body(160)]).title == "How Piers Are Counted"


def test_a_title_over_two_lines_is_whole() -> None:
    head: list[Styled] = [
        (72, 80, "Harbour Lines Announces Results for", BOLD, 18),
        (72, 102, "the Third Quarter of 2023", BOLD, 18),
    ]
    assert (
        document("Document1", [*head, *body(140)]).title
        == "Harbour Lines Announces Results for the Third Quarter of 2023"
    )


def test_a_title_that_says_something_stays() -> None:
    assert document("The fleet of 2023", [(72, 60, "Results", BOLD, 18), *body(100)]).title == "The fleet of 2023"


def test_a_heading_far_below_is_no_title() -> None:
    assert document("untitled", [*body(60, 12), (72, 240, "Closing Remarks", BOLD, 10), *body(260)]).title == ""
    assert document("untitled", body(60), [(72, 60, "Second Page", BOLD, 18), *body(100)]).title == ""


def test_a_page_whose_title_is_a_default_is_called_by_its_heading() -> None:
    page = b"<html><head><title>Untitled Document</title></head><body><h1>Harbour rules</h1><p>Moor.</p></body></html>"
    assert read(Raw("a.html", page)).title == "Harbour rules"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The eBook of Letters\n\nTitle: Letters from\n       the Lighthouse\n\nAuthor: M. Dunmore\n",
         "Letters from the Lighthouse"),
        ("Title: Faro\nRelease date: May 3, 2005\nEditor: B. Serra\n", "Faro"),
        ("Name: Ann Lee\nTitle: Manager\nPhone: 5512\n", ""),
        ("Words.\n" * 400 + "Title: Faro\nAuthor: B. Serra\n", ""),
    ],
)  # fmt: skip
def test_the_label_of_a_title_above_that_of_its_author(text: str, title: str) -> None:
    assert find_labelled_title(text) == title


@pytest.mark.parametrize("joint", [" - ", " – ", " | ", " :: "])
@pytest.mark.parametrize("site", ["Wikipedia", "Heating - Homebuild Forum"])
def test_the_name_of_a_site_is_no_part_of_the_title_of_its_page(joint: str, site: str) -> None:
    page = f"<title>Bleeding radiators{joint}{site}</title><h1>Bleeding radiators</h1><p>Start at the lowest one.</p>"
    assert read(Raw("a.html", page.encode())).title == "Bleeding radiators"


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (
            ["Lease of Barn 3", "Dated 7 February 2024", "This lease is made between the owner and the tenant."],
            "Lease of Barn 3",
        ),
        (["Dear Ann,", "This lease is made between the owner and the tenant."], ""),
        (["Jan Brand", "Hauptstr. 5", "This lease is made between the owner and the tenant."], ""),
        (["7 February 2024", "This lease is made between the owner and the tenant."], ""),
        (["Date: 2024-02-07", "This lease is made between the owner and the tenant."], ""),
        (["Datum: 7.2.2024", "This lease is made between the owner and the tenant."], ""),
        (["From: Ann Brand", "This lease is made between the owner and the tenant."], ""),
        (["Lease: Barn 3", "This lease is made between the owner and the tenant."], "Lease: Barn 3"),
    ],
)
def test_a_line_before_running_text_is_a_title(lines: list[str], title: str) -> None:
    assert find_opening_title(lines) == title
