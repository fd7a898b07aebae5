"""Citations and passages on a terminal, and as plain text where they are piped."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from dashboards.cli import text_output
from dashboards.cli.text_output import citation_heading, citation_source, passage_lines
from warehouse.records import Citation, PageUnit

URL = "file:///reports/a.pdf#page=2"
SECTION = ("A report", "Outlook")
CITATION = Citation("d", "A report", "reports/a.pdf", 2, 0, 0, SECTION, 1.0, date(2025, 7, 24), "A report", URL)
PASSAGE = "one two three four five\n| 1 | 2 | 3 | 4 | 5 | 6 |"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_output, "is_styled", lambda: True)
    monkeypatch.setenv("COLUMNS", "23")


def test_plain_text_has_the_link_written_out() -> None:
    assert citation_heading("1.", CITATION) == "1. A report, page 2, 2025-07-24\n   Outlook"
    assert citation_source(CITATION) == f"   reports/a.pdf  {URL}"
    book = replace(CITATION, page=None, section=("Revenue", "A2:C9"), unit=PageUnit.SHEET)
    assert citation_heading("1.", book) == "1. A report, sheet Revenue, 2025-07-24\n   A2:C9"
    assert passage_lines(PASSAGE) == "   one two three four five\n   | 1 | 2 | 3 | 4 | 5 | 6 |"


@pytest.mark.usefixtures("terminal")
def test_a_terminal_gets_links_and_wrapped_prose() -> None:
    assert citation_heading("1.", CITATION).startswith("\x1b[1m1. A report, page 2, 2025-07-24\x1b[0m")
    assert citation_source(CITATION) == f"   \x1b]8;;{URL}\x1b\\reports/a.pdf\x1b]8;;\x1b\\"
    assert passage_lines(PASSAGE) == "   one two three four\n   five\n   | 1 | 2 | 3 | 4 | 5 | 6 |"


@pytest.mark.usefixtures("terminal")
def test_control_characters_of_documents_do_not_reach_a_terminal() -> None:
    hostile = Citation("d", "t", "a\x1b[31m.md", None, 0, None, ("\x1b]0;x",), 1.0, None, "b\x1b[2J", "")
    heading = citation_heading("1.", hostile).removeprefix("\x1b[1m").replace("\x1b[0m", "")
    assert "\x1b" not in heading + citation_source(hostile)
