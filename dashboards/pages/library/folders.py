"""The folders that documents come from: added, imported again, removed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from dashboards.drawing.escaping import markdown_label
from dashboards.drawing.library.folders import source_folder_html
from dashboards.drawing.notices import note_html
from dashboards.listening import is_local
from dashboards.serializers.catalogue import LibraryCatalogue
from dashboards.widgets import state
from dashboards.widgets.imports import ImportMessage, show_message, start_import
from dashboards.widgets.resources import PageContext
from tasks.quality.wording import counted
from warehouse.errors import BadInput
from warehouse.records import Root, Status
from warehouse.store.layout import Layout

MOST_FOLDERS = 60
_REMOTE_BROWSER = (
    "A folder can be added only on the machine that runs Kalends: use 'kalends ingest FOLDER' there. "
    "Here you can import a folder again."
)


def draw_folders(here: PageContext, catalogue: LibraryCatalogue | None) -> None:
    """Draw the folders there are, and the field for another where this browser sits at the machine."""
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


def _draw_folder(here: PageContext, root: Root, documents: int) -> None:
    own = root.folder == inbox_folder(here)
    with st.container(horizontal=True, vertical_alignment="center", key=f"library-root-{root.name}"):
        st.html(source_folder_html(root, documents, inbox=own), width="stretch")
        if st.button("Import again", key=f"library-again-{root.name}", type="tertiary", icon=":material/refresh:"):
            start_import(here, _import_paths(root))
        if not own:
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
    """What a run over the root is to look at."""
    return [root.folder] if root.only is None else [root.folder / path for path in root.only]
