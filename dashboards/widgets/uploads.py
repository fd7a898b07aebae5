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

_REMOTE_BROWSER = (
    "A folder can be added only on the machine that runs Kalends: use 'kalends ingest FOLDER' there. "
    "Here you can import a folder again."
)


def inbox_folder(here: PageContext) -> Path:
    """The folder of the files that were added on a page."""
    return Layout(here.settings.warehouse).inbox.resolve()


def draw_folder_form(here: PageContext) -> None:
    """Draw the field for a folder, where this browser sits at the machine; the one that is named is imported."""
    if not is_local(str(st.get_option("server.address") or "")):
        st.html(note_html(_REMOTE_BROWSER))
        return
    with st.form(state.own_key("importing"), border=False):
        field, button = st.columns([5, 1], vertical_alignment="bottom")
        named = field.text_input(
            "A folder on this machine", key=state.own_key("folder"), placeholder="/home/ada/reports"
        )
        sent = button.form_submit_button("Add folder", icon=":material/folder_open:", width="stretch")
    if not sent:
        return
    try:
        folder = Path(named.strip()).expanduser()
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():
        show_message(ImportMessage(error=BadInput("this is not the full path of a folder", "begin with / or ~")))
    start_import(here, [folder])


MOST_MEGABYTES = 200
"""Of one file: while it is handed over it is held in memory. Larger ones come by a folder."""


BOTH, REPLACE = "Keep both", "Replace the older one"


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
    own = {root.name for root in roots if root.folder == inbox_folder(here)}
    return {each.file.path: each for each in here.catalogue().entries if each.file.root in own}


def _most_megabytes(here: PageContext) -> int:
    return min(MOST_MEGABYTES, here.settings.parse.max_file_megabytes)
