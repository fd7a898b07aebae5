"""Years that documents mention, and their halves and quarters, for the field of a period."""

from __future__ import annotations

from warehouse.reader import Warehouse

_YEARS = """
    SELECT DISTINCT year(start_date) AS year FROM timeline
    WHERE start_date IS NOT NULL AND end_date IS NOT NULL AND grain IN ('year', 'quarter', 'half', 'month', 'day')
    ORDER BY year DESC
"""
YEAR_PARTS = ("Whole year", "H1", "H2", "Q1", "Q2", "Q3", "Q4")
"""What of a year can be picked."""


def list_years(warehouse: Warehouse) -> list[int]:
    """The years that documents name or name a part of, the latest first."""
    return [int(year) for (year,) in warehouse.snapshot.rows(_YEARS)]


def period_words(year: int, part: str) -> str:
    """A picked period in the words that a question has for it: "2023", "Q2 2023"."""
    return str(year) if part == YEAR_PARTS[0] else f"{part} {year}"
