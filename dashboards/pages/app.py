"""The dashboard: its pages and what they share. Streamlit runs this file; `kalends dashboard` starts it."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.style import MARK, NAME, style
from dashboards.widgets.choosing import rows_by_keys
from dashboards.widgets.door import admitted
from dashboards.widgets.frame import follow
from dashboards.widgets.history import one_step_an_action
from dashboards.widgets.imports import resume
from dashboards.widgets.navigation import menu, pages

st.set_page_config(page_title="Kalends", page_icon=MARK, layout="wide")
st.logo(NAME, size="large", icon_image=MARK)
style()
may_see = admitted()
# Named also where the door is still closed, so that the address leads to its page once it opens.
page = st.navigation(pages(), position="hidden")
if may_see:
    one_step_an_action()
    rows_by_keys()
    menu()
    page.run()
    follow()
    resume()
