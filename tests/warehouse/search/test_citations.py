from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tasks.parsers.reader import PARSERS
from warehouse.records import Attributes, CatalogEntry, Chunk, Kind, Lesson, SourceFile, Status
from warehouse.search.hits import cite

FOLDER = Path("/vaults/My Vault")
CHUNK = Chunk(
    chunk_id="c", document_id="d", chunk_index=4, start=0, end=4, text="text", prefix="", chunker="plain",
    section=(), page=None, page_chunk_index=None, size=4, word_count=1, sentence_count=1,
    has_table=False, table_count=0, has_complete_table=False,
)  # fmt: skip


def entry(
    kind: Kind, path: str, title: str = "", attributes: Attributes | None = None, media: str = ""
) -> CatalogEntry:
    file = SourceFile(f"root/{path}", "root", path, "0" * 64, 1, 0)
    return CatalogEntry(
        "d", file, Status.PUBLISHED, kind=kind, title=title, media_type=media,
        document_date=date(2024, 5, 17), attributes=attributes or Attributes(),
    )  # fmt: skip


def shown(document: CatalogEntry, chunk: Chunk = CHUNK) -> tuple[str, str]:
    citation = cite(document, chunk, FOLDER, 0.9)
    return citation.label, citation.url


@pytest.mark.parametrize(
    ("attributes", "label", "url"),
    [
        (Attributes(journal="PLOS ONE", pmcid="PMC123", doi="10.1/x"), "On Sleep - 2024 - PLOS ONE", "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123/"),
        (Attributes(journal="eLife", pmcid="77"), "On Sleep - 2024 - eLife", "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC77/"),
        (Attributes(doi="10.1371/journal.pone.0001"), "On Sleep - 2024", "https://doi.org/10.1371/journal.pone.0001"),
        (Attributes(doi="https://doi.org/10.1000/a<b>"), "On Sleep - 2024", "https://doi.org/10.1000/a%3Cb%3E"),
        (Attributes(), "On Sleep - 2024", "file:///vaults/My%20Vault/sleep.xml"),
    ],
)  # fmt: skip
def test_papers(attributes: Attributes, label: str, url: str) -> None:
    assert shown(entry(Kind.PAPER, "sleep.xml", "On Sleep", attributes)) == (label, url)


def test_a_paper_without_a_date_has_no_year() -> None:
    paper = replace(entry(Kind.PAPER, "sleep.xml", "On Sleep"), document_date=None)
    assert shown(paper)[0] == "On Sleep"


def test_courses() -> None:
    lessons = (Lesson(0, "Start", "https://c/0", 0, 1), Lesson(1, "More", "", 1, 2))
    course = entry(Kind.COURSE, "mcp.txt", "MCP", Attributes(link="https://c", lessons=lessons))
    assert shown(course, replace(CHUNK, lesson=0)) == ("[MCP - Lesson 0]", "https://c/0")
    assert shown(course, replace(CHUNK, lesson=1)) == ("[MCP - Lesson 1]", "https://c")
    assert shown(course) == ("[MCP]", "https://c")
    assert shown(entry(Kind.COURSE, "mcp.txt", "MCP"))[1] == "file:///vaults/My%20Vault/mcp.txt"


def test_notes_link_into_the_vault() -> None:
    note = entry(Kind.NOTE, "Daily/2024 & 05.md", "A title")
    assert shown(note) == (
        "Daily/2024 & 05.md",
        "obsidian://open?vault=My%20Vault&file=Daily%2F2024%20%26%2005",
    )
    headed = replace(CHUNK, section=("Log", "To do?"))
    assert shown(note, headed) == (
        "Daily/2024 & 05.md#To do?",
        "obsidian://open?vault=My%20Vault&file=Daily%2F2024%20%26%2005%23To%20do%3F",
    )


def test_notes_of_other_programs_link_to_their_files() -> None:
    note = entry(Kind.NOTE, "a.org", media="text/x-org")
    assert shown(note, replace(CHUNK, section=("Log",))) == ("a.org#Log", "file:///vaults/My%20Vault/a.org")


def test_notes_link_into_the_nearest_vault_above_them(tmp_path: Path) -> None:
    (tmp_path / "kepano" / ".obsidian").mkdir(parents=True)
    (tmp_path / "kepano" / "Daily").mkdir()
    inside, beside = entry(Kind.NOTE, "kepano/Daily/a.md"), entry(Kind.NOTE, "b.md")
    assert cite(inside, CHUNK, tmp_path, 1.0).url == "obsidian://open?vault=kepano&file=Daily%2Fa"
    assert cite(beside, CHUNK, tmp_path, 1.0).url == f"obsidian://open?vault={tmp_path.name}&file=b"
    assert cite(inside, CHUNK, tmp_path / "kepano", 1.0).label == "kepano/Daily/a.md"


def test_reports_link_to_the_page() -> None:
    report = entry(Kind.REPORT, "10-K #1.pdf", media="application/pdf")
    assert shown(report, replace(CHUNK, page=7)) == ("10-K #1", "file:///vaults/My%20Vault/10-K%20%231.pdf#page=7")
    assert shown(report)[1] == "file:///vaults/My%20Vault/10-K%20%231.pdf"
    assert shown(entry(Kind.REPORT, "a.docx"), replace(CHUNK, page=7))[1] == "file:///vaults/My%20Vault/a.docx"


def test_the_formatted_line_and_link() -> None:
    report = entry(Kind.REPORT, "earnings.pdf", "Q2_2025_Earnings_Release", media="application/pdf")
    chunk = replace(CHUNK, page=2, page_chunk_index=5, section=("Results", "Sales"))
    citation = cite(report, chunk, FOLDER, 0.875, 0.7523)
    assert citation.formatted_with_link == (
        "Q2_2025_Earnings_Release (Page 2, Chunk 6) | Section: Results > Sales | Date: 2024-05-17"
        " | Relevance: 0.7523 | Quality: 0.88 | Source: root/earnings.pdf"
        "\nView Document: file:///vaults/My%20Vault/earnings.pdf#page=2"
    )


def test_slides_and_sheets_are_named_as_their_format_calls_them() -> None:
    deck, book = (entry(Kind.REPORT, f"a.{name}", media=PARSERS[name].media_type) for name in ("pptx", "xlsx"))
    slide = cite(deck, replace(CHUNK, page=4, page_chunk_index=0), FOLDER, 1.0)
    assert (slide.place, slide.location) == ("slide 4", "Slide 4, Chunk 1")
    sheet = cite(book, replace(CHUNK, section=("Revenue", "A2:C9")), FOLDER, 1.0)
    assert (sheet.place, sheet.location) == ("sheet Revenue", "Sheet Revenue, Chunk 5")
    assert (cite(book, CHUNK, FOLDER, 1.0).place, cite(book, CHUNK, FOLDER, 1.0).location) == ("", "Chunk 5")
