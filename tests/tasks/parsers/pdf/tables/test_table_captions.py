"""Captions of tables in PDFs: the nearest heading with its units, no paragraph, no note of the table before."""

from __future__ import annotations

import pytest

from tests.tasks.parsers.drawn_pdf import Drawing, Styled

BODY = [("Revenue", "1,200", "1,100"), ("Cost of sales", "(700)", "(650)"), ("Gross profit", "500", "450")]
PROSE = (
    "Demand was higher in most categories, partly offset by the effects of foreign exchange, and by the",
    "timing of shipments to distributors during the period, which management reviews in every quarter and",
    "which the segments expect to continue for the rest of the year without a change in the outlook as",
    "described in the notes to these statements for the",
)


def caption(*above: tuple[str, bool, float]) -> str:
    """The caption of a table below lines of (text, bold, gap to the next line in points)."""
    texts: list[Styled] = [
        (72, 60, "Prose stands at the head of the page, and is far from the table.", "Helvetica", 10)
    ]
    y = 120.0
    for text, bold, gap in above:
        texts.append((72, y, text, "Helvetica-Bold" if bold else "Helvetica", 10))
        y += gap
    for row in (("", "2023", "2022"), *BODY):
        for x, text in zip((72, 300, 400), row, strict=True):
            texts.append((x, y, text, "Helvetica", 10))
        y += 14
    return Drawing().styled(*texts).read().tables[0].caption


@pytest.mark.parametrize(
    ("above", "shown"),
    [
        (
            [("Item 1. Financial Statements", True, 16), ("Balance Sheets", True, 13), ("(in millions)", False, 16)],
            "Balance Sheets (in millions)",
        ),
        ([("Goodwill", True, 18), ("Goodwill balances were as follows ($ in millions):", False, 16)], "Goodwill"),
        (
            [("Goodwill balances were as follows ($ in millions):", False, 16)],
            "Goodwill balances were as follows ($ in millions):",
        ),
        ([(line, False, 12) for line in PROSE], ""),
        ([("(1) Net of tax, see the notes to these statements", False, 16)], ""),
        (
            [("Growth Rates", True, 13), ("12 Weeks Ended March 25, 2023 (unaudited)", False, 16)],
            "Growth Rates 12 Weeks Ended March 25, 2023 (unaudited)",
        ),
        (
            [
                *((line, False, 12) for line in PROSE[:2]),
                ("as restated, on our Consolidated Balance Sheets were as follows:", False, 16),
            ],
            "",
        ),
    ],
)
def test_the_caption_is_the_nearest_heading(above: list[tuple[str, bool, float]], shown: str) -> None:
    assert caption(*above) == shown
