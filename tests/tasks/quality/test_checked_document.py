"""Findings stand where their text stands in the source."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.quality.checked_document import align_source
from tests.tasks.quality.cases import DATED, PROSE
from tests.tasks.quality.checking import checked, write

SIGNED = "Signed on February 30, 2023."


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.md", f"{DATED}# One\n\n{PROSE}\n\n**Bold** and [[Link|shown]] and\n{SIGNED}\n", 10),
        ("a.txt", f"{PROSE}\r\n\r\n{PROSE}\r\n\r\n{SIGNED}", 5),
        ("a.html", f"<html><head><title>T</title></head>\n<body>\n<p>{PROSE}</p>\n<p>{SIGNED}</p></body></html>", 4),
    ],
)
def test_a_finding_names_its_line(name: str, text: str, line: int, tmp_path: Path) -> None:
    report = checked(write(tmp_path, {name: text}), select=("TMP003",)).report
    (entry,) = report.entries
    assert entry.source_finding.line == line
    assert entry.place == f"{tmp_path / name}:{line}:{entry.source_finding.column}"


WORDS = st.lists(st.sampled_from(["harbour", "buoy", "the", "of", "公", "司", "2023", "\n", "**", "<b>"]), max_size=60)


@given(WORDS)
def test_lines_never_run_backwards(words: list[str]) -> None:
    raw = " ".join(words)
    text = raw.replace("**", "").replace("<b>", "")
    known = align_source(text, raw)
    lines = [known.find_line(position) for position in range(len(text))]
    assert lines == sorted(lines, key=lambda line: line or 0)


def test_the_alignment_is_exact_where_the_text_is_the_source() -> None:
    text = "\n".join(f"line {number} of the log" for number in range(300))
    known = align_source(text, text)
    for number in range(300):
        place = text.index(f"line {number} ")
        assert (known.find_line(place), known.find_column(place)) == (number + 1, 1)
