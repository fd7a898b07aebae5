"""Notices: errors with their cure, empty states, notes, unreadable files, lists of facts, and corrections."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.html.safe_text import text_html
from warehouse.errors import KalendsError
from warehouse.records import AppliedCorrection, CatalogEntry, Correction


def error_html(error: KalendsError) -> str:
    """An error: its problem and its cure."""
    return _notice("alert", error.problem, error.cure)


def internal_error_html(reference: str) -> str:
    """An unexpected error: the log has it under `reference`; the page shows only that."""
    cure = f"If it happens again, report it with the lines of the log of 'kalends dashboard' for reference {reference}."
    return _notice("alert", "Something went wrong. Reload the page.", cure)


def nothing_html(problem: str, cure: str) -> str:
    """An empty state: the reason, and what to do."""
    return _notice("status", problem, cure)


def note_html(note: str) -> str:
    """A note, such as a limit of an answer."""
    return f'<p class="k-note" role="note">{text_html(note)}</p>'


def busy_html(words: str) -> str:
    """The step that is running, with a spinner."""
    return f'<p class="k-busy" role="status"><i aria-hidden="true"></i>{text_html(words)}</p>'


def unreadable_html(entries: Sequence[CatalogEntry]) -> str:
    """Files that could not be read, each with its reason."""
    items = "".join(
        f"<dt>{text_html(entry.file.source)} <small>{entry.status.value}</small></dt><dd>{text_html(entry.reason)}</dd>"
        for entry in entries
    )
    return f'<dl class="k-refused">{items}</dl>'


def fact_list_html(facts: Sequence[tuple[str, str]]) -> str:
    """A list of named facts; a name that repeats the one before is shown once."""
    items, previous = [], ""
    for name, words in facts:
        items.append(f"<dt>{text_html(name) if name != previous else ''}</dt><dd>{text_html(words)}</dd>")
        previous = name
    return f'<dl class="k-facts">{"".join(items)}</dl>'


def correction_html(correction: Correction, applied: AppliedCorrection | None, *, shared: bool) -> str:
    """A correction; `applied` is None until an import applies it. A `shared` one was made on another document."""
    field = correction.field.words
    sentence = f"{field[0].upper()}{field[1:]}: {correction.value}. {_correction_state(applied, shared=shared)}."
    return f'<p class="k-corrected" role="note">{text_html(sentence)}</p>'


def _correction_state(applied: AppliedCorrection | None, *, shared: bool) -> str:
    whose = ", of another document of the company" if shared else ""
    if applied is None:
        return f"Saved by a person{whose}, not applied yet"
    if applied.note:
        return f"Corrected by a person{whose}, but not applied: {applied.note}"
    origin = f" ({applied.was_from})" if applied.was_from else ""
    was = f"was {applied.was}{origin}" if applied.was else "nothing was read"
    return f"Corrected by a person{whose}: {was}"


def _notice(role: str, problem: str, cure: str) -> str:
    return f'<div class="k-notice" role="{role}"><p>{text_html(problem)}</p><p>{text_html(cure)}</p></div>'
