"""What a page says instead of its content: nothing there, or something went wrong."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.drawing.escaping import text_html
from warehouse.errors import KalendsError
from warehouse.records import CatalogEntry


def error_html(error: KalendsError) -> str:
    """An error as its problem and its cure."""
    return _notice("alert", error.problem, error.cure)


def internal_error_html(reference: str) -> str:
    """An error that the program did not foresee; what it was goes to the log, under `reference`, not to the page."""
    cure = f"If it happens again, report it with the lines of the log of 'kalends dashboard' for reference {reference}."
    return _notice("alert", "Something went wrong. Reload the page.", cure)


def nothing_html(problem: str, cure: str) -> str:
    """An empty state."""
    return _notice("status", problem, cure)


def note_html(note: str) -> str:
    """What the reader should know of an answer."""
    return f'<p class="k-note" role="note">{text_html(note)}</p>'


def busy_html(words: str) -> str:
    """What is being done now."""
    return f'<p class="k-busy" role="status"><i aria-hidden="true"></i>{text_html(words)}</p>'


def unreadable_html(entries: Sequence[CatalogEntry]) -> str:
    """Files that could not be read, each with its reason."""
    items = "".join(
        f"<dt>{text_html(h.file.source)} <small>{h.status.value}</small></dt><dd>{text_html(h.reason)}</dd>"
        for h in entries
    )
    return f'<dl class="k-refused">{items}</dl>'


def _notice(role: str, problem: str, cure: str) -> str:
    return f'<div class="k-notice" role="{role}"><p>{text_html(problem)}</p><p>{text_html(cure)}</p></div>'
