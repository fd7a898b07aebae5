"""A time that somebody gives in words, where a day or a period is wanted."""

from __future__ import annotations

from datetime import date, timedelta

from tasks.parsers.language import language_of
from tasks.temporal.question import times_of
from warehouse.errors import BadInput

CURE = "write a day as YYYY-MM-DD, or a period like 'Q2 2023' or 'last year'"


def span_of(words: str, today: date) -> tuple[date | None, date | None]:
    """The days that words name, half-open, relative ones read from `today`: a day, "Q2 2023", "last year", "2023年".

    None is a side left open ("before 2020"). Raises `BadInput` for words that name no time, or several.
    """
    windows = times_of(words, today, language_of(words)).windows
    if len(windows) != 1:
        raise BadInput(f"'{words}' names {'several times' if windows else 'no time'}", CURE)
    return windows[0].start, windows[0].end


def last_day(words: str, today: date) -> date:
    """The last of the days that words name. Raises `BadInput` as above, and where they have no end."""
    end = span_of(words, today)[1]
    if end is None:
        raise BadInput(f"'{words}' has no end", CURE)
    return end - timedelta(days=1)
