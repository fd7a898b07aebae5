"""Corrections of documents and tables: a form whose values are saved and applied by an import at once.

Each correction is shown with the value that was read and a button that undoes it, also until it is applied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dashboards.html.safe_text import render_correction, render_error
from dashboards.widgets import state
from dashboards.widgets.imports import ImportMessage, show_message, start_import
from dashboards.widgets.resources import PageContext
from flows.corrections import KnownCorrections
from warehouse.errors import BadInput, KalendsError
from warehouse.identity import digest
from warehouse.records import CatalogEntry, CorrectedField, Correction, Table
from warehouse.records.corrections import normalize_value
from warehouse.store import corrections_file
from warehouse.store.layout import Layout

WIDTH = 420  # Pixels of the form; it is narrower on a phone.
SAVED = "Saved. It is applied by the import that has begun."
UNDONE = "Undone. The import that has begun reads it as it was."


@dataclass(frozen=True, slots=True)
class CorrectionTarget:
    """The document, or the table of it, that is corrected; `file` is its file, and `load` reads all its tables."""

    entry: CatalogEntry
    file: Path
    table: Table | None = None
    load: Callable[[], Sequence[Table]] = tuple

    @property
    def number(self) -> int:
        """The number of the table, 0 for the document."""
        return self.table.number if self.table else 0

    def make_key(self, name: str) -> str:
        """The key of a widget of the form, on the current page."""
        return state.make_page_key(f"correct-{name}-{self.entry.document_id[:12]}-{self.number}")

    def make_value_key(self, field: CorrectedField, value: str) -> str:
        """The key of a widget with a default value: another default makes another widget."""
        return f"{self.make_key(field)}-{digest(value)[:8]}"


def draw_correction_form(
    context: PageContext,
    target: CorrectionTarget,
    current_values: Mapping[CorrectedField, str],
    ask: Callable[[], Mapping[CorrectedField, str]],
) -> None:
    """Draw a button that opens the form; `ask` draws its inputs and returns the values."""
    # A new key after each save creates a new popover, which is closed.
    saves = st.session_state.get(target.make_key("saves"), 0)
    with st.popover("Correct", icon=":material/edit:", key=target.make_key(f"open-{saves}")):
        with st.form(target.make_key("form"), border=False, width=WIDTH):
            values = ask()
            is_saved = st.form_submit_button("Save", type="primary")
        if is_saved:
            _save_corrections(context, target, current_values, values)


def _save_corrections(
    context: PageContext,
    target: CorrectionTarget,
    current_values: Mapping[CorrectedField, str],
    values: Mapping[CorrectedField, str],
) -> None:
    """Save the values that differ from the current ones; an error is drawn below the form, with its cure."""
    layout = Layout(context.settings.warehouse)
    try:
        changes = {
            field: value
            for field, value in values.items()
            if value.strip() != current_values[field] and normalize_value(field, value) != current_values[field]
        }
        if not changes:
            raise BadInput("Nothing was changed", "enter the correct value, then save")
        corrections_file.correct(layout, target.entry, changes, target.table, target.load())
    except (KalendsError, OSError) as error:
        st.html(render_error(_as_kalends_error(error)))
        return
    st.session_state[target.make_key("saves")] = st.session_state.get(target.make_key("saves"), 0) + 1
    start_import(context, [target.file], message=ImportMessage((SAVED,)))


def _as_kalends_error(error: KalendsError | OSError) -> KalendsError:
    if isinstance(error, KalendsError):
        return error
    problem = f"The correction cannot be saved ({error.strerror})"
    return BadInput(problem, "check free space and the permissions of the warehouse")


def draw_corrections(context: PageContext, target: CorrectionTarget) -> None:
    """Draw the corrections, each with the value that was read and a button that undoes it."""
    try:
        corrections_in_file = KnownCorrections(corrections_file.read(Layout(context.settings.warehouse)))
    except KalendsError as error:
        st.html(render_error(error))
        return
    entry = target.entry
    corrections = corrections_in_file.select_corrections(entry.file.source, entry.detected_company)
    for record in (*corrections.own, *([corrections.year_end] if corrections.year_end else [])):
        if record.table is None or target.table is None:
            is_of_target = record.table is None and target.table is None
        else:
            table = record.table.find(target.load())
            is_of_target = (table.number if table else record.table.number) == target.number
        if not is_of_target:
            continue
        key = (record.field, record.value, record.corrected)
        same = (one for one in entry.corrections if (one.field, one.value, one.corrected) == key)
        outcome = next((one for one in same if not target.table or one.table == target.number), None)
        with st.container(horizontal=True, vertical_alignment="center", key=target.make_key(f"row-{record.field}")):
            st.html(render_correction(record, outcome, is_shared=record.source != entry.file.source), width="content")
            if st.button("Undo", icon=":material/undo:", key=target.make_key(f"undo-{record.field}"), type="tertiary"):
                _undo_correction(context, target, record)


def _undo_correction(context: PageContext, target: CorrectionTarget, correction: Correction) -> None:
    number = target.number if target.table else None
    try:
        corrections_file.undo(
            Layout(context.settings.warehouse), correction.source, correction.field, number, target.load()
        )
    except (KalendsError, OSError) as error:
        show_message(ImportMessage(error=_as_kalends_error(error)))
    start_import(context, [target.file], message=ImportMessage((UNDONE,)))
