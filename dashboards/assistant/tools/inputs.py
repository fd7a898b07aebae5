"""Inputs that several tools share, as annotated types, and days from times in words."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from tasks.ask.days import last_day, span_of
from tasks.ask.token_budget import MOST, said
from warehouse.records import Kind

LONGEST = 2000
"""Characters of a question."""

Text = Annotated[str, Field(max_length=300)]
Name = Annotated[str, Field(min_length=1, max_length=300)]
Kinds = Annotated[tuple[Kind, ...], Field(max_length=5, description="Only of these kinds.")]
Folders = Annotated[tuple[Name, ...], Field(max_length=20, description="Like 'reports/2023'.")]
Documents = Annotated[
    tuple[Name, ...],
    Field(max_length=50, description="Only these: sources, ids, titles or companies."),
]
Topics = Annotated[tuple[Name, ...], Field(max_length=20, description="Only of these topics.")]
Journals = Annotated[tuple[Name, ...], Field(max_length=20, description="Only papers of these.")]
PaperTypes = Annotated[tuple[Name, ...], Field(max_length=20, description="Like 'research-article'.")]
Tags = Annotated[tuple[Name, ...], Field(max_length=20, description="Of notes.")]
Languages = Annotated[tuple[Name, ...], Field(max_length=3, description="en, zh, und.")]
Count = Annotated[int, Field(ge=1, le=20, description="At most so many passages.")]
Since = Annotated[
    str, Field(max_length=100, description="Only documents dated from then on: '2023-05-01', 'last year'.")
]
Until = Annotated[str, Field(max_length=100, description="Only documents dated before.")]
Tokens = Annotated[int, Field(ge=200, le=MOST, description="The longest answer.")]
After = Annotated[int, Field(ge=0, le=1_000_000, description="To go on: so many are left out.")]


def start_of(words: str, today: date) -> date | None:
    """The first day of a time in words, or its end where it has no start ("before 2020"); None without words.

    Raises `BadInput` for words that name no time.
    """
    if not words.strip():
        return None
    start, end = span_of(said(words), today)
    return start or end


def during_of(words: str, today: date) -> tuple[date | None, date | None] | None:
    """The days of a time in words, half-open. Raises `BadInput` as above."""
    return span_of(said(words), today) if words.strip() else None


def as_of_day(words: str, today: date) -> date | None:
    """The last day of a time in words. Raises `BadInput` as above, and where it has no end."""
    return last_day(said(words), today) if words.strip() else None
