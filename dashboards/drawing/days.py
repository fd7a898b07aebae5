"""Moments in a reader's words and time zone: "today 14:05", "yesterday", "3 November 2025"."""

from __future__ import annotations

from datetime import date, datetime, tzinfo

LATELY = 7
"""Days back that are one group of a list."""


def day_words(day: date, today: date) -> str:
    """A day as somebody says it on `today`."""
    if day == today:
        return "today"
    if (today - day).days == 1:
        return "yesterday"
    return f"{day.day} {day:%B}" if day.year == today.year else f"{day.day} {day:%B %Y}"


def moment_words(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """A moment with its time of day in a time zone; `moment` and `now` have time zones."""
    there = moment.astimezone(zone)
    return f"{day_words(there.date(), now.astimezone(zone).date())} {there:%H:%M}"


def group_words(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """The part of a list, the latest first, that a moment belongs to: a day, the last week, or a month."""
    day, today = moment.astimezone(zone).date(), now.astimezone(zone).date()
    if (today - day).days <= 1:
        return day_words(day, today).capitalize()
    return f"Last {LATELY} days" if (today - day).days < LATELY else f"{day:%B %Y}"
