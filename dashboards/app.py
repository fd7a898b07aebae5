"""The dashboard: its pages and what they share. Streamlit runs this file; `kalends dashboard` starts it."""

from __future__ import annotations

import streamlit as st

from dashboards.drawing.style import MARK, NAME, style
from dashboards.views.choosing import rows_by_keys
from dashboards.views.door import admitted
from dashboards.views.frame import follow
from dashboards.views.history import one_step_an_action
from dashboards.views.imports import resume
from dashboards.views.navigation import menu, pages

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
