"""Library page: counts of the library, section "Add documents" (files, texts, source folders), and the documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import streamlit as st
from streamlit import column_config as config

from dashboards.background.inbox import TypedNote, parse_tags
from dashboards.html.safe_text import format_markdown_label, render_empty_state, render_error, render_unreadable_files
from dashboards.pages.library import document_view
from dashboards.pages.library.document_parts import DocumentOrder, render_source_folder, sort_entries
from dashboards.pages.library.document_view import compute_cached_qualities
from dashboards.serializers.catalogue import LibraryCatalogue, build_documents_table, filter_entries
from dashboards.widgets import imports, state
from dashboards.widgets.data_elements import draw_download, draw_figures, draw_row_list, make_number_columns
from dashboards.widgets.imports import (
    ImportMessage,
    add_files,
    draw_file_form,
    draw_folder_form,
    get_inbox_folder,
    show_message,
    start_import,
)
from dashboards.widgets.navigation import draw_link, open_page
from dashboards.widgets.resources import PageContext, load_page_context
from tasks.quality.phrases import format_count
from warehouse.errors import KalendsError, NoWarehouse
from warehouse.records import CatalogEntry, Root, Status

MAX_FOLDERS = 60  # Source folders that are listed.
_STALE_HELP = "stale: the file cannot be read now, and its last good version is used"
MAX_UNREADABLE = 100  # Unreadable files that are listed with their reasons; the table and its downloads have all.


def draw_page() -> None:
    """Draw the library, or the one document that the address names."""
    name, is_published = st.query_params.get("document", ""), False
    # Once there is a generation that can be read, a document has a title of its own.
    with suppress(KalendsError):
        is_published = bool(name and load_page_context().state)
    if is_published:
        document_view.draw_document(load_page_context(), name)
        return
    st.title("Library")
    here = load_page_context()
    try:
        catalogue = here.read_catalogue()
    except NoWarehouse as error:
        imports.draw_imports(here)
        st.html(render_error(error))
        draw_additions(here, None)
        return
    imports.draw_imports(here)
    _draw_figures(catalogue)
    draw_additions(here, catalogue)
    draw_documents(here, catalogue)


def _draw_figures(catalogue: LibraryCatalogue) -> None:
    counts = catalogue.counts
    run = catalogue.runs[-1]
    figures = {"Documents": counts.documents, "Passages": counts.passages, "Tables": counts.tables}
    draw_figures({**figures, "Unreadable files": counts.unreadable})
    if counts.copies == 1:
        st.caption("1 document is a copy: another file has the same paper, and search shows it once.")
    elif counts.copies:
        copies = f"{counts.copies:,} documents are copies"
        st.caption(f"{copies}: other files have the same papers, and search shows each once.")
    if counts.outdated:
        documents = "1 document is" if counts.outdated == 1 else f"{counts.outdated:,} documents are"
        st.caption(f"{documents} used in an older version: the current file cannot be read.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Last import {run.visible_from:%Y-%m-%d %H:%M} UTC (generation {catalogue.generation}): "
            f"{run.new:,} added, {run.changed:,} updated, {run.gone:,} removed in {run.seconds:,.1f} s."
        )
        draw_link("runs", "What it changed", generation=str(catalogue.generation))
        draw_link("quality", "Quality of the documents")


def draw_documents(here: PageContext, catalogue: LibraryCatalogue) -> None:
    """Draw the filters, the table of matching documents, and the unreadable files with their reasons."""
    st.header("Documents")
    matches = _draw_document_filters(catalogue)
    if not catalogue.entries:
        st.html(render_empty_state("The library is empty.", "Add documents above."))
    elif not matches:
        st.html(render_empty_state("No document matches these filters.", "Remove a filter."))
    else:
        _draw_table(here, catalogue, matches)
    unreadable = [entry for entry in catalogue.entries if entry.status is not Status.PUBLISHED]
    if unreadable:
        st.header("Files that could not be read")
        st.html(render_unreadable_files(unreadable[:MAX_UNREADABLE]))
    if len(unreadable) > MAX_UNREADABLE:
        st.caption(f"and {len(unreadable) - MAX_UNREADABLE:,} more; the table above lists all")


def _draw_table(here: PageContext, catalogue: LibraryCatalogue, matches: Sequence[CatalogEntry]) -> None:
    quality = compute_cached_qualities(here.warehouse.pin_generation())
    rows = sort_entries(matches, quality, DocumentOrder(state.get_value("library", "order")))
    columns = {
        "title": config.TextColumn("Title", width=300),
        "kind": config.TextColumn("Kind"),
        "date": config.DateColumn("Date", format="YYYY-MM-DD"),
        "date_from": config.TextColumn("Date from", help="Where the date was found"),
        **make_number_columns(pages="Pages", tables="Tables", chunks="Passages"),
        "quality": config.NumberColumn("Quality", help="Mean score of its passages, from 0 to 1", format="%.2f"),
        "status": config.TextColumn("Status", help=_STALE_HELP),
        "source": config.TextColumn("File", width="medium"),
        "root": config.TextColumn("Folder"),
    }
    if any(row.reason for row in rows):
        columns["reason"] = config.TextColumn("Reason", width="large")
    table = build_documents_table(rows, quality)
    description = "Documents with kind, date, pages, tables, passages, quality and status"
    index = draw_row_list(table, columns, "library-documents", description)
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_download(f"kalends-library-{catalogue.generation}", len(rows), lambda: table)
        st.caption(f"{len(matches):,} of {len(catalogue.entries):,} files")
    if index is not None:
        open_page("library", document=rows[index].document_id)


def _draw_document_filters(catalogue: LibraryCatalogue) -> list[CatalogEntry]:
    with st.container(key="filters"):
        words, kind, root, status, order = st.columns([3, 2, 2, 2, 2])
    hint = "Title, file, author, tag …"
    text = words.text_input("Find", type="search", live=True, placeholder=hint, **state.bind_field("library", "text"))
    kinds = kind.multiselect("Kind", catalogue.kinds, placeholder="Any kind", **state.bind_field("library", "kind"))
    roots = root.multiselect("Folder", catalogue.roots, placeholder="Any folder", **state.bind_field("library", "root"))
    statuses = status.multiselect(
        "Status", list(Status), placeholder="Any status", **state.bind_field("library", "status")
    )
    order.selectbox("Sort by", list(DocumentOrder), **state.bind_field("library", "order"))
    return filter_entries(catalogue.entries, kinds, roots, text or "", statuses)


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
    number = state.get_value("library", "text-round")
    with st.form("library-typing", border=False):
        title, day, tags = st.columns([3, 1.4, 2])
        typed_note = TypedNote(
            title=title.text_input("Title", key=f"library-typed-title-{number}", max_chars=300),
            date=day.date_input(
                "Date", None, key=f"library-typed-date-{number}", format="YYYY-MM-DD", help="The date of the text"
            ),
            tags=parse_tags(tags.text_input("Tags", key=f"library-typed-tags-{number}", placeholder="revenue, draft")),
            text=st.text_area(
                "Text, plain or Markdown", key=f"library-typed-text-{number}", height=220, max_chars=1_000_000
            ),
        )
        is_sent = st.form_submit_button("Add", type="primary", icon=":material/add:")
    if not is_sent:
        return
    try:
        note = typed_note.note.encode()
    except KalendsError as error:
        show_message(ImportMessage(error=error))
    state.set_value("library", "text-round", number + 1)
    add_files(here, [(typed_note.name, note)], replace=False)


def draw_folders(here: PageContext, catalogue: LibraryCatalogue | None) -> None:
    """Draw the form for another source folder, and the source folders with what can be done with each."""
    draw_folder_form(here)
    if catalogue is None:
        return
    roots = here.warehouse.snapshot.generation.manifest.roots
    readable = (entry for entry in catalogue.entries if entry.status is not Status.UNREADABLE)
    counts = Counter(entry.file.root for entry in readable)
    for root in roots[:MAX_FOLDERS]:
        _draw_folder(here, root, counts[root.name])
    if len(roots) > MAX_FOLDERS:
        st.caption(f"and {len(roots) - MAX_FOLDERS:,} more: 'kalends status' lists them")
    if st.button("Import all folders again", icon=":material/refresh:", key="library-all-again"):
        start_import(here)


def _draw_folder(here: PageContext, root: Root, documents: int) -> None:
    is_inbox = root.folder == get_inbox_folder(here)
    with st.container(horizontal=True, vertical_alignment="center", key=f"library-root-{root.name}"):
        st.html(render_source_folder(root, documents, inbox=is_inbox), width="stretch")
        if st.button("Import again", key=f"library-again-{root.name}", type="tertiary", icon=":material/refresh:"):
            start_import(here, [root.folder] if root.only is None else [root.folder / path for path in root.only])
        if is_inbox:
            return
        with st.popover("Remove", key=f"library-forget-{root.name}"):
            name, files = format_markdown_label(root.name), format_count(documents, "file")
            st.write(f"This removes “{name}” with {files} from the library. The files themselves are not deleted.")
            if st.button("Remove this folder", key=f"library-forget-{root.name}-yes", type="primary"):
                start_import(here, drop=[root.name])
