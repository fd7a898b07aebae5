"""Text that is safe to show: escaped for HTML and Markdown, moments in words, notices, lists, facts and corrections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, tzinfo
from html import escape

from warehouse.errors import KalendsError
from warehouse.records import AppliedCorrection, CatalogEntry, Correction

_WEB = re.compile(r"https?://[^\s<>\"'\\^`{|}\x00-\x20]+", re.IGNORECASE)
_SIGN = re.compile(r"[!-/:-@\[-`{-~]")
_ADDRESS = re.compile(r"https?|www|@", re.IGNORECASE)
RECENT_DAYS = 7  # Days back that are one group of a list.


def escape_text(text: str) -> str:
    """Text escaped for HTML, in an element that isolates its writing direction."""
    return f"<bdi>{escape(text)}</bdi>"


def render_line(parts: Iterable[str], name: str = "k-where") -> str:
    """The parts that are not empty in one line, a paragraph of the class `name`."""
    return f'<p class="{name}">{" · ".join(escape_text(part) for part in parts if part)}</p>'


def render_list(name: str, items: Sequence[str], limit: int | None = None) -> str:
    """A list of the class `name`: the first `limit` items, which are HTML, and the number of the others."""
    rows = "".join(f"<li>{item}</li>" for item in items[:limit])
    return f'<ul class="{name}">{rows}{"" if limit is None else render_more_item(len(items) - limit)}</ul>'


def render_more_item(count: int) -> str:
    """The last item of a list, for so many that it leaves out; empty for none."""
    return f"<li>and {count:,} more</li>" if count > 0 else ""


def format_markdown_label(text: str, max_length: int = 80) -> str:
    """Text on one line, at most `max_length` characters, escaped for a label that Streamlit reads as Markdown.

    A web or mail address gets a word joiner, because Markdown finds addresses after it has read the escapes.
    """
    line = " ".join(text.split())
    cut = line if len(line) <= max_length else line[: max_length - 1].rstrip() + "…"
    return _ADDRESS.sub("\\g<0>\u2060", _SIGN.sub(r"\\\g<0>", cut)) or "–"


def sanitize_url(url: str) -> str:
    """The URL if it is http or https, else "": a link in a document may be a script or a file."""
    return url if _WEB.fullmatch(url) else ""


def format_day(day: date, today: date) -> str:
    """A day as "today", "yesterday", "3 November", or "3 November 2025" in another year."""
    if day == today:
        return "today"
    if (today - day).days == 1:
        return "yesterday"
    return f"{day.day} {day:%B}" if day.year == today.year else f"{day.day} {day:%B %Y}"


def format_moment(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """A moment as day and time of day in `zone`, like "today 14:05"; `moment` and `now` have time zones."""
    local = moment.astimezone(zone)
    return f"{format_day(local.date(), now.astimezone(zone).date())} {local:%H:%M}"


def format_day_group(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """The heading under which a list, latest first, has a moment: a day, the last week, or a month."""
    day, today = moment.astimezone(zone).date(), now.astimezone(zone).date()
    if (today - day).days <= 1:
        return format_day(day, today).capitalize()
    return f"Last {RECENT_DAYS} days" if (today - day).days < RECENT_DAYS else f"{day:%B %Y}"


def render_error(error: KalendsError) -> str:
    """An error: its problem and its cure."""
    return _render_notice("alert", error.problem, error.cure)


def render_internal_error(reference: str) -> str:
    """An unexpected error: the log has it under `reference`; the page shows only that."""
    cure = f"If it happens again, report it with the lines of the log of 'kalends dashboard' for reference {reference}."
    return _render_notice("alert", "Something went wrong. Reload the page.", cure)


def render_empty_state(problem: str, cure: str) -> str:
    """An empty state: the reason, and what to do."""
    return _render_notice("status", problem, cure)


def render_note(note: str) -> str:
    """A note, such as a limit of an answer."""
    return f'<p class="k-note" role="note">{escape_text(note)}</p>'


def render_running_step(words: str) -> str:
    """The step that is running, with a spinner."""
    return f'<p class="k-busy" role="status"><i aria-hidden="true"></i>{escape_text(words)}</p>'


def render_unreadable_files(entries: Sequence[CatalogEntry]) -> str:
    """Files that could not be read, each with its reason."""
    items = "".join(
        f"<dt>{escape_text(entry.file.source)} <small>{entry.status.value}</small></dt>"
        f"<dd>{escape_text(entry.reason)}</dd>"
        for entry in entries
    )
    return f'<dl class="k-refused">{items}</dl>'


def render_facts(facts: Sequence[tuple[str, str]]) -> str:
    """A list of named facts; a name that repeats the one before is shown once."""
    items, previous = [], ""
    for name, words in facts:
        items.append(f"<dt>{escape_text(name) if name != previous else ''}</dt><dd>{escape_text(words)}</dd>")
        previous = name
    return f'<dl class="k-facts">{"".join(items)}</dl>'


def render_correction(correction: Correction, effect: AppliedCorrection | None, *, is_shared: bool) -> str:
    """A correction; `effect` is None until an import applies it. A `is_shared` one was made on another document."""
    field, person = correction.field.words, f"by a person{', of another document of the company' if is_shared else ''}"
    if effect is None:
        state = f"Saved {person}, not applied yet"
    elif effect.note:
        state = f"Corrected {person}, but not applied: {effect.note}"
    else:
        origin = f" ({effect.was_from})" if effect.was_from else ""
        state = f"Corrected {person}: {f'was {effect.was}{origin}' if effect.was else 'nothing was read'}"
    sentence = f"{field[0].upper()}{field[1:]}: {correction.value}. {state}."
    return f'<p class="k-corrected" role="note">{escape_text(sentence)}</p>'


def _render_notice(role: str, problem: str, cure: str) -> str:
    return f'<div class="k-notice" role="{role}"><p>{escape_text(problem)}</p><p>{escape_text(cure)}</p></div>'
