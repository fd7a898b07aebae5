"""Which date and title a document bears."""

from __future__ import annotations

from datetime import date
from itertools import permutations

import pytest

from tasks.dating import date_in_name, document_date, title
from warehouse.records import DateClaim, DateOrigin

MODIFIED = date(2026, 1, 1)


def test_trust_follows_the_order_of_origins() -> None:
    claims = [DateClaim(date(2001 + index, 1, 1), origin) for index, origin in enumerate(list(DateOrigin)[:3])]
    for order in permutations(claims):
        assert document_date(order, "2020-02-02.pdf", MODIFIED) == claims[0]


def test_a_dateline_beats_the_properties() -> None:
    made, given = DateClaim(date(2023, 4, 21), DateOrigin.PROPERTIES), DateClaim(date(2023, 4, 25), DateOrigin.DATELINE)
    assert document_date([made, given], "PEPSICO_2023Q1.pdf", MODIFIED) == given


def test_a_name_beats_the_text_and_the_text_the_file() -> None:
    text = DateClaim(date(2010, 1, 1), DateOrigin.TEXT)
    assert document_date([text], "2020-02-02.pdf", MODIFIED) == DateClaim(date(2020, 2, 2), DateOrigin.FILE_NAME)
    assert document_date([text], "notes.pdf", MODIFIED) == text
    assert document_date([], "notes.pdf", MODIFIED) == DateClaim(MODIFIED, DateOrigin.MODIFIED)


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2023-05-05.md", "2023-05-05"),
        ("scan20230505.pdf", "2023-05-05"),
        ("PEPSICO_2023_8K_dated-2023-05-05.pdf", "2023-05-05"),
        ("AMCOR_2023Q2_10Q.pdf", "2023-06-30"),
        ("Q4_2022 results.pdf", "2022-12-31"),
        ("report-2024-02.docx", "2024-02-29"),
        ("ACME_FY2022.pdf", "2022-12-31"),
        ("ADOBE_2022_10K.pdf", "2022-12-31"),
        ("invoice 12345678.pdf", None),
        ("notes.md", None),
        ("2023-02-30.md", None),
    ],
)
def test_dates_in_names(name: str, day: str | None) -> None:
    assert date_in_name(name) == (date.fromisoformat(day) if day else None)


def test_titles() -> None:
    assert title("  A  title ", "x.pdf") == "A title"
    assert title("", "annual_report-final.pdf") == "annual report final"
    assert title("", "2023-05-05.md") == "2023-05-05"
    assert title("", "___.md") == "___"
