"""Text as pages show it: escaped for HTML and Markdown, and moments in a reader's words and time zone."""

from __future__ import annotations

import re
from datetime import date, datetime, tzinfo
from html import escape

_WEB = re.compile(r"https?://[^\s<>\"'\\^`{|}\x00-\x20]+", re.IGNORECASE)
_SIGN = re.compile(r"[!-/:-@\[-`{-~]")
_ADDRESS = re.compile(r"https?|www|@", re.IGNORECASE)
RECENT_DAYS = 7
"""Days back that are one group of a list."""


def text_html(text: str) -> str:
    """Text escaped for HTML, in an element that isolates its writing direction."""
    return f"<bdi>{escape(text)}</bdi>"


def markdown_label(text: str, longest: int = 80) -> str:
    """Text on one line, at most `longest` characters, escaped for a label that Streamlit reads as Markdown.

    A web or mail address gets a word joiner, because Markdown finds addresses after it has read the escapes.
    """
    line = " ".join(text.split())
    cut = line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
    return _ADDRESS.sub("\\g<0>\u2060", _SIGN.sub(r"\\\g<0>", cut)) or "–"


def web_link(url: str) -> str:
    """The URL if it is http or https, else "": a link in a document may be a script or a file."""
    return url if _WEB.fullmatch(url) else ""


def day_words(day: date, today: date) -> str:
    """A day as "today", "yesterday", "3 November", or "3 November 2025" in another year."""
    if day == today:
        return "today"
    if (today - day).days == 1:
        return "yesterday"
    return f"{day.day} {day:%B}" if day.year == today.year else f"{day.day} {day:%B %Y}"


def moment_words(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """A moment as day and time of day in `zone`, like "today 14:05"; `moment` and `now` have time zones."""
    local = moment.astimezone(zone)
    return f"{day_words(local.date(), now.astimezone(zone).date())} {local:%H:%M}"


def group_words(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """The heading under which a list, latest first, has a moment: a day, the last week, or a month."""
    day, today = moment.astimezone(zone).date(), now.astimezone(zone).date()
    if (today - day).days <= 1:
        return day_words(day, today).capitalize()
    return f"Last {RECENT_DAYS} days" if (today - day).days < RECENT_DAYS else f"{day:%B %Y}"
