"""The dates and the names that stand in passages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Any

from warehouse.reader import Warehouse

DocumentSpan = tuple[str, int, int]
"""A document and a span of its text."""


class HighlightKind(StrEnum):
    """What is marked."""

    DATE = "date"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Highlight:
    """A date or a name, from `start` up to `end` in its passage, and what is known of it."""

    start: int
    end: int
    look: HighlightKind
    told: str


_FACTS_INSIDE = """
    WITH asked AS (SELECT unnest($places) AS place, unnest($ids) AS id, unnest($starts) AS low, unnest($ends) AS high)
    SELECT asked.place, found.start - asked.low AS start, found."end" - asked.low AS "end",
        found.* EXCLUDE (start, "end")
    FROM (SELECT * FROM {table} WHERE document_id IN (SELECT unnest($ids))) AS found
    JOIN asked ON found.document_id = asked.id AND found.start >= asked.low AND found."end" <= asked.high
    ORDER BY ALL
"""
_TIMES = "mentions"
_NAMES = "entities"
_LABEL_WORDS = {"PERSON": "a person", "ORG": "an organisation", "GPE": "a place", "WORK_OF_ART": "a work"}


def find_highlights(
    warehouse: Warehouse, passages: Sequence[DocumentSpan], looks: Iterable[HighlightKind]
) -> list[tuple[Highlight, ...]]:
    """The marks of each passage, rising and apart; of two that overlap the earlier stays, a date before a name."""
    found: list[list[Highlight]] = [[] for _ in passages]
    chosen = set(looks)
    for row in _rows_inside(warehouse, passages, _TIMES) if HighlightKind.DATE in chosen else ():
        told = _day_words(row["start_date"], row["end_date"])
        if told:
            found[row["place"]].append(Highlight(row["start"], row["end"], HighlightKind.DATE, told))
    for row in _rows_inside(warehouse, passages, _NAMES) if HighlightKind.NAME in chosen else ():
        found[row["place"]].append(Highlight(row["start"], row["end"], HighlightKind.NAME, _name_words(row)))
    return [tuple(_without_overlaps(marks)) for marks in found]


def _rows_inside(warehouse: Warehouse, passages: Sequence[DocumentSpan], table: str) -> list[dict[str, Any]]:
    ids, starts, ends = (list(column) for column in zip(*passages, strict=True)) if passages else ([], [], [])
    asked = {"places": list(range(len(ids))), "ids": ids, "starts": starts, "ends": ends}
    return warehouse.snapshot.records(_FACTS_INSIDE.format(table=table), asked)


def _without_overlaps(marks: Iterable[Highlight]) -> Iterable[Highlight]:
    done = 0
    for mark in sorted(marks, key=lambda each: (each.start, each.look, -each.end)):
        if mark.start >= done:
            yield mark
            done = mark.end


def _day_words(start: date | None, end: date | None) -> str:
    """A half-open interval by its first and its last day."""
    last = end - timedelta(days=1) if end and end > date.min else None
    if start and last:
        return start.isoformat() if start >= last else f"{start} to {last}"
    if start:
        return f"from {start} on"
    return f"up to {last}" if last else ""


def _name_words(row: dict[str, Any]) -> str:
    what = _LABEL_WORDS.get(row["label"], row["label"].lower())
    return f"{row['name']}, {what}" if row["name"] else what
