"""A correction as a line: what a person said, and what was read instead."""

from __future__ import annotations

from dashboards.drawing.escaping import text_html
from warehouse.records import AppliedCorrection, Correction


def correction_html(correction: Correction, applied: AppliedCorrection | None, *, shared: bool) -> str:
    """The line of a correction; `applied` is None while it waits for an import, `shared` of another document."""
    field = correction.field.words
    said = f"{field[0].upper()}{field[1:]}: {correction.value}. {_state(applied, shared=shared)}."
    return f'<p class="k-corrected" role="note">{text_html(said)}</p>'


def _state(applied: AppliedCorrection | None, *, shared: bool) -> str:
    whose = ", of another document of the company" if shared else ""
    if applied is None:
        return f"Saved by a person{whose}, not applied yet"
    if applied.note:
        return f"Corrected by a person{whose}, but not applied: {applied.note}"
    origin = f" ({applied.was_from})" if applied.was_from else ""
    was = f"was {applied.was}{origin}" if applied.was else "nothing was read"
    return f"Corrected by a person{whose}: {was}"
