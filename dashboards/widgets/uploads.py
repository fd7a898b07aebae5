"""Forms that add documents to the library: uploaded files, and folders of this machine."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import streamlit as st

from dashboards.background.inbox import UploadOutcome, check_upload, store_upload
from dashboards.html.notices import note_html
from dashboards.http_server import is_local
from dashboards.widgets import state
from dashboards.widgets.import_status import ImportMessage, show_message, start_import
from dashboards.widgets.resources import PageContext
from warehouse.errors import BadInput, KalendsError, NoWarehouse, UnreadableFile
from warehouse.records import CatalogEntry, Status
from warehouse.store.layout import Layout

MOST_MEGABYTES = 200
"""Largest uploaded file: it is in memory while it is sent. Larger ones can be imported from a folder."""
BOTH, REPLACE = "Keep both", "Replace the older one"
_REMOTE_BROWSER = (
    "A folder can be added only on the machine that runs Kalends: use 'kalends ingest FOLDER' there. "
    "Here you can import a folder again."
)


def draw_file_form(context: PageContext) -> None:
    """Draw the form that uploads files; those that are sent are imported."""
    most, number = _most_megabytes(context), state.value("library", "files-round")
    with st.form(state.own_key("dropping"), clear_on_submit=True, border=False):
        uploads = st.file_uploader(
            f"Files, up to {most} MB each",
            accept_multiple_files=True,
            max_upload_size=most,
            key=state.own_key(f"dropped-{number}"),
            help="PDF, Word, HTML, Markdown, text, JATS, CSV. A copy is kept on this machine.",
        )
        policy = st.radio(
            "If there is already a file of that name with other content",
            (BOTH, REPLACE),
            horizontal=True,
            key=state.own_key("same-name"),
        )
        sent = st.form_submit_button("Add to library", type="primary", icon=":material/upload:")
    if not sent:
        return
    if not uploads:
        show_message(ImportMessage(("No file was chosen.",)))
    # A form of the same key would send these files again together with the next ones.
    state.put("library", "files-round", number + 1)
    add_files(context, [(file.name, file.getvalue()) for file in uploads], replace=policy == REPLACE)


def add_files(
    context: PageContext, files: list[tuple[str, bytes]], *, replace: bool, on_stored: Callable[[], None] = lambda: None
) -> None:
    """Store files, given by name and content, in the inbox, import those that are new, and show the outcome of each.

    `replace` overwrites a file of the same name. `on_stored` is called once every file is stored.
    """
    layout, entries = Layout(context.settings.warehouse), _inbox_entries(context)
    layout.make()
    new_files: dict[Path, None] = {}
    lines: list[str] = []
    refused: list[tuple[str, str]] = []
    for name, content in files:
        try:
            check_upload(name, content, _most_megabytes(context))
            upload = store_upload(layout.inbox, name, content, replace=replace)
        except UnreadableFile as error:
            refused.append((name, f"refused: {error}"))
            continue
        except KalendsError as error:
            show_message(ImportMessage(tuple(lines), tuple(refused), error))
        entry = entries.get(upload.file.name) if upload.outcome is UploadOutcome.SAME else None
        if entry is None or entry.file.sha256 != sha256(content).hexdigest():
            new_files[upload.file] = None
            lines += [upload.line] if upload.outcome in (UploadOutcome.RENAMED, UploadOutcome.REPLACED) else []
        elif entry.status is Status.PUBLISHED:
            lines.append(f"{upload.file.name}: in the library already, with the same content")
        else:
            refused.append((name, f"added before, and could not be read: {entry.reason}"))
    message = ImportMessage(tuple(lines), tuple(refused))
    if not refused:
        on_stored()
    if new_files:
        start_import(context, list(new_files), message=message)
    show_message(message)


def inbox_folder(context: PageContext) -> Path:
    """The folder of files that were added in the dashboard."""
    return Layout(context.settings.warehouse).inbox.resolve()


def _inbox_entries(context: PageContext) -> dict[str, CatalogEntry]:
    """The documents of the inbox, by path in it."""
    try:
        roots = context.warehouse.snapshot.generation.manifest.roots
    except NoWarehouse:
        return {}
    inbox_roots = {root.name for root in roots if root.folder == inbox_folder(context)}
    return {each.file.path: each for each in context.catalogue().entries if each.file.root in inbox_roots}


def _most_megabytes(context: PageContext) -> int:
    return min(MOST_MEGABYTES, context.settings.parse.max_file_megabytes)


def draw_folder_form(context: PageContext) -> None:
    """Draw the form that imports a folder of this machine; a note instead where the browser runs on another one."""
    if not is_local(str(st.get_option("server.address") or "")):
        st.html(note_html(_REMOTE_BROWSER))
        return
    with st.form(state.own_key("importing"), border=False):
        field, button = st.columns([5, 1], vertical_alignment="bottom")
        path = field.text_input(
            "A folder on this machine", key=state.own_key("folder"), placeholder="/home/ada/reports"
        )
        sent = button.form_submit_button("Add folder", icon=":material/folder_open:", width="stretch")
    if not sent:
        return
    try:
        folder = Path(path.strip()).expanduser()
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():
        show_message(ImportMessage(error=BadInput("this is not the full path of a folder", "start it with / or ~")))
    start_import(context, [folder])
