"""Download the rows that are shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pyarrow as pa
import streamlit as st

from dashboards.serializers.sheets import SHEET_FORMATS, SheetFormat
from dashboards.widgets import state


def draw_download(name: str, rows: int, table: Callable[[], pa.Table]) -> None:
    """A button that opens a choice of formats; `table` is asked for all of the `rows` once one is chosen.

    `name` is the file's name without its suffix, and tells the buttons of one page apart.
    """
    with st.popover("Download", icon=":material/download:", key=state.own_key(f"download-{name}")):
        for sheet in SHEET_FORMATS:
            if sheet.most is None or rows <= sheet.most:
                st.download_button(
                    sheet.name,
                    partial(_written, sheet, table),
                    f"{name}.{sheet.suffix}",
                    sheet.media,
                    on_click="ignore",
                    key=state.own_key(f"download-{name}-{sheet.suffix}"),
                    width="stretch",
                )


def _written(sheet: SheetFormat, table: Callable[[], pa.Table]) -> bytes:
    return sheet.write(table())
