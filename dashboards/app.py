"""The dashboard: its pages and what they share. Streamlit runs this file; `kalends dashboard` starts it."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.style import MARK, NAME, style
from dashboards.views import chat, library, search
from dashboards.views.frame import follow

st.set_page_config(page_title="Kalends", page_icon=MARK, layout="wide")
st.logo(NAME, size="large", icon_image=MARK)
style()
pages = [
    st.Page(library.page, title="Library", icon=":material/library_books:", url_path="library", default=True),
    st.Page(search.page, title="Search", icon=":material/search:", url_path="search"),
    st.Page(chat.page, title="Chat", icon=":material/forum:", url_path="chat"),
]
st.navigation(pages).run()
follow()
