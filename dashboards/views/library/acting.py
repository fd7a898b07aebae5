"""What can be done with one document: downloaded, read again, removed."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboards.drawing.library.folders import lives_html
from dashboards.inbox.keeping import forget
from dashboards.views.imports import Message, begin, show
from dashboards.views.library.folders import inbox_of
from dashboards.views.resources import Place
from dashboards.views.sources import MOST_BYTES
from warehouse.errors import KalendsError
from warehouse.records import Holding


def act(here: Place, holding: Holding, file: Path) -> None:
    """Draw the buttons. `file` is where the document's file lies."""
    with st.container(horizontal=True, key="library-acting"):
        if file.is_file() and file.stat().st_size <= MOST_BYTES:
            st.download_button(
                "Download",
                file.read_bytes,
                file.name,
                on_click="ignore",
                icon=":material/download:",
                key="library-file",
            )
        if st.button("Read again", icon=":material/refresh:", key="library-again"):
            begin(here, [file])
        with st.popover("Remove", icon=":material/delete:", key="library-remove"):
            _remove(here, holding, file)


def _remove(here: Place, holding: Holding, file: Path) -> None:
    inbox = inbox_of(here)
    if not file.is_relative_to(inbox):
        st.html(lives_html(holding.file.root, file))
        return
    st.write("It was handed over here. Its file is deleted, and no search finds it any more.")
    if not st.button("Delete the file", key="library-remove-yes", type="primary"):
        return
    try:
        gone = forget(inbox, holding.file.path)
    except KalendsError as error:
        show(Message(error=error))
    begin(here, [gone], message=Message(("The file is deleted.",)))
