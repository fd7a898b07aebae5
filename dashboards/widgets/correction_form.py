"""Corrections on the page: what a person says of a document or table is kept, and an import applies it at once.

What is corrected is shown with what was read instead and a button that undoes it, also while it waits to be applied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dashboards.html.notices import correction_html, error_html
from dashboards.widgets import state
from dashboards.widgets.import_status import ImportMessage, show_message, start_import
from dashboards.widgets.resources import PageContext
from flows.corrections import KnownCorrections
from warehouse.errors import BadInput, KalendsError
from warehouse.identity import digest
from warehouse.records import AppliedCorrection, CatalogEntry, CorrectedField, Correction, Table
from warehouse.records.corrections import checked_value
from warehouse.store import corrections
from warehouse.store.layout import Layout

WIDTH = 420
"""Of the form, in pixels; narrower on a phone."""
SAVED = "Saved. It is applied by the import that has begun."
UNDONE = "Undone. The import that has begun reads it as it was."


@dataclass(frozen=True, slots=True)
class CorrectionTarget:
    """What is corrected: a document, whose file lies at `file`, or one of its tables; `load` reads all of them."""

    entry: CatalogEntry
    file: Path
    table: Table | None = None
    load: Callable[[], Sequence[Table]] = tuple

    @property
    def number(self) -> int:
        """The number of the table, 0 for the document."""
        return self.table.number if self.table else 0

    def key(self, name: str) -> str:
        """The key of a widget of the page that is drawn."""
        return state.own_key(f"correct-{name}-{self.entry.document_id[:12]}-{self.number}")

    def of(self, value: str) -> str:
        """What the key of a widget ends in that begins with a value: it begins anew once that is another."""
        return digest(value)[:8]


def draw_correction_form(
    here: PageContext,
    subject: CorrectionTarget,
    known: Mapping[CorrectedField, str],
    ask: Callable[[], Mapping[CorrectedField, str]],
) -> None:
    """Draw a button that opens the form whose inputs `ask` draws and reads; `known` are the values as they are now."""
    # Another popover after each save, as one that is open stays so.
    saves = st.session_state.get(subject.key("saves"), 0)
    with st.popover("Correct", icon=":material/edit:", key=subject.key(f"open-{saves}")):
        with st.form(subject.key("form"), border=False, width=WIDTH):
            given = ask()
            saved = st.form_submit_button("Save", type="primary")
        if saved:
            _save(here, subject, known, given)


def _save(
    here: PageContext,
    subject: CorrectionTarget,
    known: Mapping[CorrectedField, str],
    given: Mapping[CorrectedField, str],
) -> None:
    """Keep what differs from what is known; what cannot be kept is told below the form, one line with its cure."""
    try:
        values = {
            field: value
            for field, value in given.items()
            if value.strip() != known[field] and checked_value(field, value) != known[field]
        }
        if not values:
            raise BadInput("Nothing was changed", "enter the correct value, then save")
        corrections.correct(_layout(here), subject.entry, values, subject.table, subject.load())
    except (KalendsError, OSError) as error:
        st.html(error_html(_told(error)))
        return
    st.session_state[subject.key("saves")] = st.session_state.get(subject.key("saves"), 0) + 1
    start_import(here, [subject.file], message=ImportMessage((SAVED,)))


def _told(error: KalendsError | OSError) -> KalendsError:
    if isinstance(error, KalendsError):
        return error
    return BadInput(
        f"The correction cannot be saved ({error.strerror})", "check free space and the permissions of the warehouse"
    )


def draw_corrections(here: PageContext, subject: CorrectionTarget) -> None:
    """Draw what is corrected, each with what was read instead and a button that undoes it."""
    try:
        said = KnownCorrections(corrections.read(_layout(here)))
    except KalendsError as error:
        st.html(error_html(error))
        return
    own = said.of(subject.entry.file.source, subject.entry.own_company)
    year_end = (own.year_end,) if own.year_end else ()
    meant = [each for each in (*own.own, *year_end) if _is_of(each, subject)]
    for each in meant:
        same = (
            one
            for one in subject.entry.corrections
            if (one.field, one.value, one.corrected) == (each.field, each.value, each.corrected)
        )
        applied = next((one for one in same if not subject.table or one.table == subject.number), None)
        _draw(here, subject, each, applied)


def _is_of(each: Correction, subject: CorrectionTarget) -> bool:
    if each.table is None or subject.table is None:
        return each.table is None and subject.table is None
    found = each.table.find(subject.load())
    return (found.number if found else each.table.number) == subject.number


def _draw(here: PageContext, subject: CorrectionTarget, each: Correction, applied: AppliedCorrection | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=subject.key(f"row-{each.field}")):
        st.html(correction_html(each, applied, shared=each.source != subject.entry.file.source), width="content")
        if st.button("Undo", icon=":material/undo:", key=subject.key(f"undo-{each.field}"), type="tertiary"):
            _undo(here, subject, each)


def _undo(here: PageContext, subject: CorrectionTarget, each: Correction) -> None:
    number = subject.number if subject.table else None
    try:
        corrections.undo(_layout(here), each.source, each.field, number, subject.load())
    except (KalendsError, OSError) as error:
        show_message(ImportMessage(error=_told(error)))
    start_import(here, [subject.file], message=ImportMessage((UNDONE,)))


def _layout(here: PageContext) -> Layout:
    return Layout(here.settings.warehouse)
