"""The ways to begin a library: files, a folder, or the samples; what is imported is shown by the page."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.notices import nothing_html
from dashboards.facts.home.samples import samples_folder
from dashboards.pages.library.adding import draw_file_form
from dashboards.pages.library.folders import draw_folder_form
from dashboards.widgets.imports import ImportMessage, show_message, start_import
from dashboards.widgets.resources import PageContext
from warehouse.errors import KalendsError

_WAYS = (
    "Add files or a folder: PDF, Word, HTML, Markdown, text, CSV and JATS papers. They stay on this machine. Or look "
    "around first with a few sample documents."
)


def draw_beginning(here: PageContext) -> None:
    """Draw the buttons."""
    st.html(nothing_html("The library is empty.", _WAYS))
    with st.container(horizontal=True, key="home-beginning"):
        if st.button("Add files", type="primary", icon=":material/upload_file:", key="home-add-files"):
            _files(here)
        if st.button("Add a folder", icon=":material/folder_open:", key="home-add-folder"):
            _folder(here)
        if st.button("Try the samples", icon=":material/science:", key="home-try-samples"):
            _samples(here)


@st.dialog("Add files")
def _files(here: PageContext) -> None:
    draw_file_form(here)


@st.dialog("Add a folder")
def _folder(here: PageContext) -> None:
    draw_folder_form(here)


def _samples(here: PageContext) -> None:
    try:
        folder = samples_folder()
    except KalendsError as error:
        show_message(ImportMessage(error=error))
    start_import(here, [folder])
