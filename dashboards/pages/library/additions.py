"""Section "Add documents" of the library: uploads, typed texts and source folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from dashboards.background.inbox import TypedNote, parse_tags
from dashboards.html.safe_text import markdown_label
from dashboards.pages.library.html import source_folder_html
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import state
from dashboards.widgets.import_status import ImportMessage, show_message, start_import
from dashboards.widgets.resources import PageContext
from dashboards.widgets.uploads import add_files, draw_file_form, draw_folder_form, inbox_folder
from tasks.quality.phrases import counted
from warehouse.errors import KalendsError
from warehouse.records import Root, Status

MOST_FOLDERS = 60
"""Source folders that are listed."""


def draw_additions(here: PageContext, catalogue: LibraryCatalogue | None) -> None:
    """Draw the section, folded unless nothing is published yet (`catalogue` is None)."""
    with st.expander("Add documents", icon=":material/add:", expanded=catalogue is None, key="library-adding"):
        files, text, folders = st.tabs(["Drop files", "Write a text", "Folders"])
    with files:
        draw_file_form(here)
    with text:
        _draw_text_form(here)
    with folders:
        draw_folders(here, catalogue)


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


def draw_folders(here: PageContext, catalogue: LibraryCatalogue | None) -> None:
    """Draw the form for another source folder, and the source folders with what can be done with each."""
    draw_folder_form(here)
    if catalogue is None:
        return
    roots = here.warehouse.snapshot.generation.manifest.roots
    readable = (each for each in catalogue.entries if each.status is not Status.UNREADABLE)
    counts = Counter(entry.file.root for entry in readable)
    for root in roots[:MOST_FOLDERS]:
        _draw_folder(here, root, counts[root.name])
    if len(roots) > MOST_FOLDERS:
        st.caption(f"and {len(roots) - MOST_FOLDERS:,} more: 'kalends status' lists them")
    if st.button("Import all folders again", icon=":material/refresh:", key="library-all-again"):
        start_import(here)


def _draw_folder(here: PageContext, root: Root, documents: int) -> None:
    is_inbox = root.folder == inbox_folder(here)
    with st.container(horizontal=True, vertical_alignment="center", key=f"library-root-{root.name}"):
        st.html(source_folder_html(root, documents, inbox=is_inbox), width="stretch")
        if st.button("Import again", key=f"library-again-{root.name}", type="tertiary", icon=":material/refresh:"):
            start_import(here, _import_paths(root))
        if not is_inbox:
            _draw_folder_removal(here, root, documents)


def _draw_folder_removal(here: PageContext, root: Root, documents: int) -> None:
    with st.popover("Remove", key=f"library-forget-{root.name}"):
        st.write(
            f"This removes “{markdown_label(root.name)}” with {counted(documents, 'file')} from the library. "
            "The files themselves are not deleted."
        )
        if st.button("Remove this folder", key=f"library-forget-{root.name}-yes", type="primary"):
            start_import(here, drop=[root.name])


def _import_paths(root: Root) -> Sequence[Path]:
    """The paths that an import of the source folder reads."""
    return [root.folder] if root.only is None else [root.folder / path for path in root.only]
