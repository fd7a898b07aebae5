"""The dashboard: its pages and what they share. Streamlit runs this file; `kalends dashboard` starts it."""

from __future__ import annotations

import streamlit as st

from dashboards.html.theme import MARK, NAME, SHEET
from dashboards.widgets.browser_scripts import mount_script
from dashboards.widgets.imports import resume_imports
from dashboards.widgets.login import has_access
from dashboards.widgets.navigation import draw_menu, list_page_groups, rerun_on_publish

st.set_page_config(page_title="Kalends", page_icon=MARK, layout="wide")
st.logo(NAME, size="large", icon_image=MARK)
st.html(SHEET)
may_see = has_access()
# Also before the reader has logged in, so that the address opens its page afterwards.
page = st.navigation(list_page_groups(), position="hidden")
if may_see:
    for script in ("history", "rows"):
        mount_script(script, key=f"kalends-{script}")
    draw_menu()
    page.run()
    rerun_on_publish()
    resume_imports()
