"""Headings of bounded length, and the datelines of releases."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.parsers.assembly import LONGEST_HEADING, LONGEST_TITLE
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.parsers.written_dates import datelines
from warehouse.records import BlockKind, DateClaim, DateOrigin


@pytest.mark.parametrize(("length", "kind"), [(200, BlockKind.HEADING), (201, BlockKind.PARAGRAPH)])
def test_a_heading_that_is_too_long_is_a_paragraph(length: int, kind: BlockKind) -> None:
    assert LONGEST_HEADING == 200
    document = read(Raw("a.md", f"# Start\n\n# {'x' * length}\n\nText.".encode()))
    assert document.blocks[1].kind is kind
    assert all(len(part) <= LONGEST_HEADING for block in document.blocks for part in block.section)


def test_a_line_of_many_hashes_is_not_repeated() -> None:
    document = read(Raw("a.md", b"# " * 5_000 + b"\n\n" + b"Some words.\n\n" * 50))
    assert len(document.title) <= LONGEST_TITLE
    assert sum(len(part) for block in document.blocks for part in block.section) < len(document.text)


@pytest.mark.parametrize(
    ("paragraph", "day"),
    [
        ("PURCHASE, N.Y. - April 25, 2023 - PepsiCo, Inc. today reported", "2023-04-25"),
        ("NEW YORK, NY, May 20, 2022 – Foot Locker, Inc.", "2022-05-20"),
        ("ZURICH – 16 August 2023 – Amcor", "2023-08-16"),
        ("BERGEN, Norway, July 24, 2025 - Northlight", "2025-07-24"),
        ("April 25, 2023", "2023-04-25"),
        ("Published: 12 May 2021", "2021-05-12"),
        ("From the board\nDate: 2021-05-12", "2021-05-12"),
        ("发布日期：2021年5月12日", "2021-05-12"),
        ("Published on 12 May 2021 was the report of the year before", None),
        ("Updated: 12 May 2021", None),
        ("On April 25, 2023 the company", None),
        ("PURCHASE, N.Y. - The quarter that ended on April 25, 2023", None),
        ("Purchase - April 25, 2023", None),
        ("NET SALES 2023 - April 31, 2023", None),
    ],
)
def test_datelines(paragraph: str, day: str | None) -> None:
    claims = [DateClaim(date.fromisoformat(day), DateOrigin.DATELINE)] if day else []
    assert datelines(["Results of the quarter", paragraph]) == claims
