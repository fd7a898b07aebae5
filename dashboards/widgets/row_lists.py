"""Lists of rows: a row is opened by its button or by Enter or Space on a cell, and the rows can be downloaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.serializers.sheets import SHEET_FORMATS, SheetFormat
from dashboards.widgets import state

ROW, TALLEST = 35, 560
"""Pixels of a row, and the largest height of a list unless another is given."""
_OPEN = "open"
_ROWS = "-opens-rows"
_KEYS = """
export default function () {
  if (window.kalendsRows) return;
  window.kalendsRows = true;
  window.addEventListener("keydown", (event) => {
    const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!event.isTrusted || !plain || (event.key !== "Enter" && event.key !== " ")) return;
    if (!event.target.closest?.('[class*="%s"] canvas')) return;
    event.preventDefault();
    event.stopPropagation();
    const chooses = { key: " ", code: "Space", keyCode: 32, shiftKey: true, bubbles: true, cancelable: true };
    event.target.dispatchEvent(new KeyboardEvent("keydown", chooses));
  }, true);
}
"""
"""Streamlit's list selects a row with Shift and Space; Enter and Space are translated to these."""


def enable_row_keys() -> None:
    """Let Enter and Space select a row in every list made by `row_list`; call it once a page."""
    st.components.v2.component("kalends_rows", js=_KEYS % _ROWS)(key="kalends-rows")


def row_list(key: str) -> st.delta_generator.DeltaGenerator:
    """A container for a list of this key whose rows can be selected by keyboard."""
    return st.container(key=f"{key}{_ROWS}")


def draw_row_list(
    table: pa.Table, columns: Mapping[str, Any], key: str, alt: str, *, tallest: int = TALLEST
) -> int | None:
    """Draw a table with these column configurations, and return the number of the row just selected, from 0."""
    buttons = pa.array(["Open"] * table.num_rows, pa.string())
    event = row_list(key).dataframe(
        table.append_column(_OPEN, buttons),
        key=key,
        hide_index=True,
        placeholder="–",
        height=min(ROW * (table.num_rows + 1) + 3, tallest),
        column_order=(_OPEN, *columns),
        column_config={_OPEN: _button(key), **columns},
        on_select="rerun",
        selection_mode="single-row",
        alt=f"{alt}; a selected row opens",
    )
    return _newly_selected(key, event["selection"]["rows"], table.num_rows)


def _button(key: str) -> Any:
    return st.column_config.ButtonColumn("", width=62, type="tertiary", key=f"{key}-{_OPEN}", pinned=True)


def _newly_selected(key: str, selected: list[int], count: int) -> int | None:
    """The row whose button was pressed, or that was selected since the last run; a selection stays between runs."""
    seen = f"{key}-seen"
    before, now = st.session_state.get(seen), selected[0] if selected else None
    st.session_state[seen] = now
    click = st.session_state.get(f"{key}-{_OPEN}")
    row = click["row"] if click else now if now != before else None
    return row if row is not None and row < count else None


def draw_download(name: str, rows: int, table: Callable[[], pa.Table]) -> None:
    """Draw a button that opens a choice of formats; `table` is called for the table of `rows` rows once one is chosen.

    `name` is the file's name without its suffix, and part of the keys of the buttons.
    """
    with st.popover("Download", icon=":material/download:", key=state.own_key(f"download-{name}")):
        for sheet in SHEET_FORMATS:
            if sheet.most is None or rows <= sheet.most:
                st.download_button(
                    sheet.name,
                    partial(_file_content, sheet, table),
                    f"{name}.{sheet.suffix}",
                    sheet.media,
                    on_click="ignore",
                    key=state.own_key(f"download-{name}-{sheet.suffix}"),
                    width="stretch",
                )


def _file_content(sheet: SheetFormat, table: Callable[[], pa.Table]) -> bytes:
    return sheet.write(table())
