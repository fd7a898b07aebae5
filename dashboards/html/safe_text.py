"""Text as pages show it: escaped for HTML and Markdown, and moments in a reader's words and time zone."""

from __future__ import annotations

import re
from datetime import date, datetime, tzinfo
from html import escape

_WEB = re.compile(r"https?://[^\s<>\"'\\^`{|}\x00-\x20]+", re.IGNORECASE)
_SIGN = re.compile(r"[!-/:-@\[-`{-~]")
_ADDRESS = re.compile(r"https?|www|@", re.IGNORECASE)


def text_html(text: str) -> str:
    """Text as HTML that shows exactly it, with its writing direction kept to itself."""
    return f"<bdi>{escape(text)}</bdi>"


def markdown_label(text: str, longest: int = 80) -> str:
    """Text on one line for a label, which Streamlit reads as Markdown: every sign that could mean something is escaped.

    An address gets a word joiner, for Markdown finds addresses after it has read the escapes.
    """
    line = " ".join(text.split())
    cut = line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
    return _ADDRESS.sub("\\g<0>\u2060", _SIGN.sub(r"\\\g<0>", cut)) or "–"


def web_link(url: str) -> str:
    """The address if it leads to the web, else nothing: what a document calls a link may be a script or a file."""
    return url if _WEB.fullmatch(url) else ""


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
