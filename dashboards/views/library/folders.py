"""The folders that documents come from: read again, imported, forgotten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from dashboards.drawing.escaping import label
from dashboards.drawing.library.folders import folder_html
from dashboards.drawing.notices import note_html
from dashboards.drawing.runs.progress import counted
from dashboards.listening import is_local
from dashboards.shapes.catalogue import Catalogue
from dashboards.views import state
from dashboards.views.imports import Message, begin, show
from dashboards.views.resources import Place
from warehouse.errors import BadInput
from warehouse.records import Root, Status
from warehouse.store.layout import Layout

MOST = 60
_FAR = (
    "Folders are named at the machine itself: 'kalends ingest FOLDER' there adds one. From here they can be read again."
)


def draw(here: Place, catalogue: Catalogue | None) -> None:
    """Draw the folders there are, and the field for another where this browser sits at the machine."""
    name_folder(here)
    if catalogue is None:
        return
    roots = here.warehouse.snapshot.generation.manifest.roots
    readable = (each for each in catalogue.holdings if each.status is not Status.UNREADABLE)
    counts = Counter(holding.file.root for holding in readable)
    for root in roots[:MOST]:
        _root(here, root, counts[root.name])
    if len(roots) > MOST:
        st.caption(f"and {len(roots) - MOST:,} more: 'kalends status' lists them")
    if st.button("Read all folders again", icon=":material/refresh:", key="library-all-again"):
        begin(here)


def inbox_of(here: Place) -> Path:
    """Where files lie that were handed over."""
    return Layout(here.settings.warehouse).inbox.resolve()


def name_folder(here: Place) -> None:
    """Draw the field for a folder, where this browser sits at the machine; the one that is named is imported."""
    if not is_local(str(st.get_option("server.address") or "")):
        st.html(note_html(_FAR))
        return
    with st.form(state.own_key("importing"), border=False):
        field, button = st.columns([5, 1], vertical_alignment="bottom")
        named = field.text_input(
            "A folder on this machine", key=state.own_key("folder"), placeholder="/home/ada/reports"
        )
        sent = button.form_submit_button("Import", icon=":material/folder_open:", width="stretch")
    if not sent:
        return
    try:
        folder = Path(named.strip()).expanduser()
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():
        show(Message(error=BadInput("the folder is not named in full", "begin with / or ~")))
    begin(here, [folder])


def _root(here: Place, root: Root, documents: int) -> None:
    own = root.folder == inbox_of(here)
    with st.container(horizontal=True, vertical_alignment="center", key=f"library-root-{root.name}"):
        st.html(folder_html(root, documents, inbox=own), width="stretch")
        if st.button("Read again", key=f"library-again-{root.name}", type="tertiary", icon=":material/refresh:"):
            begin(here, _places(root))
        if not own:
            _forget(here, root, documents)


def _forget(here: Place, root: Root, documents: int) -> None:
    with st.popover("Forget", key=f"library-forget-{root.name}"):
        st.write(
            f"“{label(root.name)}” leaves the library with {counted(documents, 'document')}. "
            "The files stay where they are."
        )
        if st.button("Forget this folder", key=f"library-forget-{root.name}-yes", type="primary"):
            begin(here, drop=[root.name])


def _places(root: Root) -> Sequence[Path]:
    """What a run over the root is to look at."""
    return [root.folder] if root.only is None else [root.folder / path for path in root.only]
