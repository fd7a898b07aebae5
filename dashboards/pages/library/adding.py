"""The ways to take documents in: files that are dropped, a text that is typed, and folders."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import streamlit as st

from dashboards.inbox.checking import check_upload
from dashboards.inbox.keeping import UploadOutcome, store_upload
from dashboards.inbox.notes import TypedNote, parse_tags
from dashboards.pages.library import folders
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import state
from dashboards.widgets.imports import ImportMessage, show_message, start_import
from dashboards.widgets.resources import PageContext
from warehouse.errors import KalendsError, NoWarehouse, UnreadableFile
from warehouse.records import CatalogEntry, Status
from warehouse.store.layout import Layout

MOST_MEGABYTES = 200
"""Of one file: while it is handed over it is held in memory. Larger ones come by a folder."""
BOTH, REPLACE = "Keep both", "Replace the older one"


def draw_additions(here: PageContext, catalogue: LibraryCatalogue | None) -> None:
    """Draw them folded, or open where there is nothing yet (`catalogue` is None)."""
    with st.expander("Add documents", icon=":material/add:", expanded=catalogue is None, key="library-adding"):
        files, text, places = st.tabs(["Drop files", "Write a text", "Folders"])
    with files:
        draw_file_form(here)
    with text:
        _draw_text_form(here)
    with places:
        folders.draw_folders(here, catalogue)


def draw_file_form(here: PageContext) -> None:
    """Draw the field for files; those that are handed in are imported."""
    most, number = _most_megabytes(here), state.value("library", "files-round")
    with st.form(state.own_key("dropping"), clear_on_submit=True, border=False):
        dropped = st.file_uploader(
            f"Files, up to {most} MB each",
            accept_multiple_files=True,
            max_upload_size=most,
            key=state.own_key(f"dropped-{number}"),
            help="PDF, Word, HTML, Markdown, text, JATS, CSV. A copy is kept on this machine.",
        )
        same = st.radio(
            "If a file of that name is there with other content",
            (BOTH, REPLACE),
            horizontal=True,
            key=state.own_key("same-name"),
        )
        sent = st.form_submit_button("Add to library", type="primary", icon=":material/upload:")
    if not sent:
        return
    if not dropped:
        show_message(ImportMessage(("No file was chosen.",)))
    # The form alone would hand over the same files again with the next ones.
    state.put("library", "files-round", number + 1)
    add_files(here, [(file.name, file.getvalue()) for file in dropped], replace=same == REPLACE)


def _draw_text_form(here: PageContext) -> None:
    number = state.value("library", "text-round")
    with st.form("library-typing", border=False):
        title, day, tags = st.columns([3, 1.4, 2])
        typed = TypedNote(
            title=title.text_input("Title", key=f"library-typed-title-{number}", max_chars=300),
            date=day.date_input(
                "Date", None, key=f"library-typed-date-{number}", format="YYYY-MM-DD", help="The date of the text"
            ),
            tags=parse_tags(tags.text_input("Tags", key=f"library-typed-tags-{number}", placeholder="revenue, draft")),
            text=st.text_area(
                "Text, plain or Markdown", key=f"library-typed-text-{number}", height=220, max_chars=1_000_000
            ),
        )
        sent = st.form_submit_button("Add", type="primary", icon=":material/add:")
    if not sent:
        return
    try:
        note = typed.note.encode()
    except KalendsError as error:
        show_message(ImportMessage(error=error))
    state.put("library", "text-round", number + 1)
    add_files(here, [(typed.name, note)], replace=False)


def add_files(
    here: PageContext, given: list[tuple[str, bytes]], *, replace: bool, kept_all: Callable[[], None] = lambda: None
) -> None:
    """Keep each file in the inbox, and import those that the library does not hold. Says what became of each.

    `kept_all` is called once every file is kept: nothing of it can be lost from then on.
    """
    layout, held = Layout(here.settings.warehouse), _inbox_entries(here)
    layout.make()
    fresh: dict[Path, None] = {}
    lines: list[str] = []
    refused: list[tuple[str, str]] = []
    for name, content in given:
        try:
            check_upload(name, content, _most_megabytes(here))
            kept = store_upload(layout.inbox, name, content, replace=replace)
        except UnreadableFile as error:
            refused.append((name, f"refused: {error}"))
            continue
        except KalendsError as error:
            show_message(ImportMessage(tuple(lines), tuple(refused), error))
        known = held.get(kept.file.name) if kept.outcome is UploadOutcome.SAME else None
        if known is None or known.file.sha256 != sha256(content).hexdigest():
            fresh[kept.file] = None
            lines += [kept.line] if kept.outcome in (UploadOutcome.BESIDE, UploadOutcome.REPLACED) else []
        elif known.status is Status.PUBLISHED:
            lines.append(f"{kept.file.name}: in the library already, with the same content")
        else:
            refused.append((name, f"added before, and could not be read: {known.reason}"))
    message = ImportMessage(tuple(lines), tuple(refused))
    if not refused:
        kept_all()
    if fresh:
        start_import(here, list(fresh), message=message)
    show_message(message)


def _inbox_entries(here: PageContext) -> dict[str, CatalogEntry]:
    """The documents of the inbox, by their paths in it."""
    try:
        roots = here.warehouse.snapshot.generation.manifest.roots
    except NoWarehouse:
        return {}
    own = {root.name for root in roots if root.folder == folders.inbox_folder(here)}
    return {each.file.path: each for each in here.catalogue().entries if each.file.root in own}


def _most_megabytes(here: PageContext) -> int:
    return min(MOST_MEGABYTES, here.settings.parse.max_file_megabytes)
