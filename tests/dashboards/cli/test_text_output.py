"""Citations and passages on a terminal, and as plain text where they are piped."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.cli import text_output
from dashboards.cli.text_output import (
    format_citation_heading,
    format_citation_source,
    format_passage,
    iter_labelled_lines,
    iter_table_lines,
    wrap_text,
)
from warehouse.records import Citation, PageUnit, Table

URL = "file:///reports/a.pdf#page=2"
SECTION = ("A report", "Outlook")
CITATION = Citation("d", "A report", "reports/a.pdf", 2, 0, 0, SECTION, 1.0, date(2025, 7, 24), "A report", URL)
PASSAGE = "one two three four five\n| 1 | a \\| b |\n| --- | --- |\n| 22 | c | [1]"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_output, "is_terminal", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "23")


def test_plain_text_has_the_link_written_out() -> None:
    assert format_citation_heading("1.", CITATION) == "1. A report, page 2, 2025-07-24\n   Outlook"
    assert format_citation_source(CITATION) == f"   reports/a.pdf  {URL}"
    book = replace(CITATION, page=None, section=("Revenue", "A2:C9"), unit=PageUnit.SHEET)
    assert format_citation_heading("1.", book) == "1. A report, sheet Revenue, 2025-07-24\n   A2:C9"
    assert format_passage(PASSAGE) == "\n".join(f"   {line}" for line in PASSAGE.splitlines())
    assert list(iter_labelled_lines("model", "a b", 8)) == ["model    a b"]


@pytest.mark.usefixtures("terminal")
def test_a_terminal_gets_links_wrapped_prose_and_columns() -> None:
    bold = "\x1b[1m1. A report, page 2,\x1b[0m\n\x1b[1m   2025-07-24\x1b[0m"
    assert format_citation_heading("1.", CITATION) == f"{bold}\n   Outlook"
    assert format_citation_source(CITATION) == f"   \x1b]8;;{URL}\x1b\\reports/a.pdf\x1b]8;;\x1b\\"
    assert format_passage(PASSAGE).splitlines() == [
        "   one two three four",
        "   five",
        "   1   a | b",
        "   22      c  [1]",
    ]
    assert list(iter_labelled_lines("model", "one two three four", 8)) == ["model    one two three", "         four"]


@pytest.mark.usefixtures("terminal")
def test_without_colour_a_terminal_still_has_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert format_citation_heading("1.", CITATION) == "1. A report, page 2,\n   2025-07-24\n   Outlook"
    assert format_citation_source(CITATION) == f"   reports/a.pdf  {URL}"


@pytest.mark.usefixtures("terminal")
def test_lines_that_were_cut_at_a_fixed_width_are_joined_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    cut = "The company expects revenue between 105 and 109 million dollars and a\ngross margin near 49.5 %."
    assert format_passage(cut) == "   " + cut.replace("\n", " ")
    for kept in ("a short line\nand another", f"{'x' * 70}\n- an item", f"{'x' * 70}\n\nnew", f"{'x' * 70}\n| a |"):
        assert len(format_passage(kept).splitlines()) == len(kept.splitlines())


@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=30), max_size=6), st.integers(24, 130))
def test_no_word_of_a_passage_is_lost_on_a_terminal(lines: list[str], width: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_output, "is_terminal", lambda: True)
        patch.setenv("COLUMNS", str(width))
        text = "\n".join(line for line in lines if "|" not in line)
        assert "".join(format_passage(text).split()) == "".join(text.split())


@pytest.mark.usefixtures("terminal")
def test_items_of_lists_are_wrapped_below_their_first_word() -> None:
    assert wrap_text("- one two three four five\n\nsix") == "- one two three four\n  five\n\nsix"


@pytest.mark.usefixtures("terminal")
def test_a_table_keeps_within_the_terminal() -> None:
    rows = (("(in millions)", "Three months ended June 30, 2025"), ("Total revenue", "108.3"))
    lines = list(iter_table_lines(Table(1, 0, 0, rows, (), header_rows=1)))
    assert max(map(len, lines)) <= 23
    assert any("108.3" in line for line in lines[-2:])
    assert any(set(line) == {"-", " "} for line in lines)


@pytest.mark.usefixtures("terminal")
def test_control_characters_of_documents_do_not_reach_a_terminal() -> None:
    hostile = Citation("d", "t", "a\x1b[31m.md", None, 0, None, ("\x1b]0;x",), 1.0, None, "b\x1b[2J", "")
    heading = format_citation_heading("1.", hostile).replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert "\x1b" not in heading + format_citation_source(hostile)
