"""The ways to take documents in: files that are dropped, a text that is typed, and folders."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboards.inbox.keeping import Came, Kept, keep
from dashboards.inbox.notes import Typed, tags_of
from dashboards.shapes.catalogue import Catalogue
from dashboards.views import state
from dashboards.views.library import folders
from dashboards.views.resources import Place
from dashboards.views.underway import begin, tell
from warehouse.errors import KalendsError
from warehouse.store.layout import Layout

MOST_MEGABYTES = 200
"""Of one file: while it is handed over it is held in memory. Larger ones come by a folder."""
BOTH, REPLACE = "Keep both", "Replace the older one"


def draw(here: Place, catalogue: Catalogue | None) -> None:
    """Draw them folded, or open where there is nothing yet (`catalogue` is None)."""
    with st.expander("Add documents", icon=":material/add:", expanded=catalogue is None, key="library-adding"):
        files, text, places = st.tabs(["Drop files", "Write a text", "Folders"])
    with files:
        _files(here)
    with text:
        _text(here)
    with places:
        folders.draw(here, catalogue)


def _files(here: Place) -> None:
    most = min(MOST_MEGABYTES, here.settings.parse.max_file_megabytes)
    with st.form("library-dropping", clear_on_submit=True, border=False):
        dropped = st.file_uploader(
            f"Files, up to {most} MB each",
            accept_multiple_files=True,
            max_upload_size=most,
            key="library-dropped",
            help="PDF, Word, HTML, Markdown, text, JATS, CSV; kept in the warehouse's inbox",
        )
        same = st.radio("Where a file of that name with other content is there", (BOTH, REPLACE), horizontal=True)
        sent = st.form_submit_button("Take in", type="primary", icon=":material/upload:")
    if not sent:
        return
    if not dropped:
        tell(["No file was dropped."])
    _take_in(here, [(file.name, file.getvalue()) for file in dropped], replace=same == REPLACE)


def _text(here: Place) -> None:
    number = state.value("library", "text-round")
    with st.form("library-typing", border=False):
        title, day, tags = st.columns([3, 1.4, 2])
        typed = Typed(
            title=title.text_input("Title", key=f"library-typed-title-{number}", max_chars=300),
            date=day.date_input(
                "Date", None, key=f"library-typed-date-{number}", format="YYYY-MM-DD", help="The text's own"
            ),
            tags=tags_of(tags.text_input("Tags", key=f"library-typed-tags-{number}", placeholder="revenue, draft")),
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
        tell((), error)
    state.put("library", "text-round", number + 1)
    _take_in(here, [(typed.name, note)], replace=False)


def _take_in(here: Place, given: list[tuple[str, bytes]], *, replace: bool) -> None:
    inbox = Layout(here.settings.warehouse).inbox
    try:
        kept = [keep(inbox, name, content, replace=replace) for name, content in given]
    except KalendsError as error:
        tell((), error)
    fresh = _fresh(kept)
    lines = [each.told for each in kept if each.came is not Came.NEW]
    if fresh:
        begin(here, fresh, told=lines)
    tell([*lines, "Nothing new."])


def _fresh(kept: list[Kept]) -> list[Path]:
    return list(dict.fromkeys(each.file for each in kept if each.came is not Came.SAME))
