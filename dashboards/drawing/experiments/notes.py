"""What is to be known of an experiment, as sentences."""

from __future__ import annotations

from dashboards.drawing.notices import note_html


def remark_html(note: str) -> str:
    """A note of the engine, which begins in lower case and ends without a stop."""
    return note_html(f"{note[:1].upper()}{note[1:]}.")
