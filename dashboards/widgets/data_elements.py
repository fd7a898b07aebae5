"""Data as pages show it: rows of figures, tables, lists whose rows open, page numbers, and downloads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.serializers.sheets import SHEET_FORMATS, SheetFormat
from dashboards.widgets import state

ROW, TALLEST = 35, 560  # Pixels of a row, and the largest height of a list unless another is given.
_OPEN = "open"
_ROWS = "-opens-rows"  # End of the keys of lists; `scripts/rows.js` knows them by it.


def draw_figures(
    figures: Mapping[str, int | str], helps: Mapping[str, str] | None = None, changes: Mapping[str, int] | None = None
) -> None:
    """Draw figures by name side by side, some with a help text or their change."""
    with st.container(key="figures"):
        for column, (name, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
            text = value if isinstance(value, str) else f"{value:,}"
            change, help_text = (changes or {}).get(name) or None, (helps or {}).get(name)
            column.metric(name, text, change, delta_color="off", border=True, help=help_text)


def make_text_columns(**titles: str) -> dict[str, Any]:
    """Columns of text, by name with their titles."""
    return {name: st.column_config.TextColumn(title) for name, title in titles.items()}


def make_number_columns(number_format: str = "localized", /, **titles: str) -> dict[str, Any]:
    """Columns of numbers in a format of Streamlit, by name with their titles."""
    return {name: st.column_config.NumberColumn(title, format=number_format) for name, title in titles.items()}


def compute_table_height(rows: int, tallest: int | None = None) -> int:
    """Pixels of a table with so many rows, at most `tallest`."""
    height = ROW * (rows + 1) + 3
    return height if tallest is None else min(height, tallest)


def draw_table(
    table: pa.Table, columns: Mapping[str, Any], alt: str, name: str, tallest: int | None = None, **options: Any
) -> Any:
    """Draw a table with these column configurations, and its download as `name`; returns the event of a selection.

    With `tallest` it is as high as its rows, up to so many pixels. Further `options` are those of `st.dataframe`.
    """
    if tallest is not None:
        options["height"] = compute_table_height(table.num_rows, tallest)
    event = st.dataframe(table, hide_index=True, column_config=columns, alt=alt, **options)
    draw_download(name, table.num_rows, lambda: table)
    return event


def select_table_row(
    table: pa.Table, columns: Mapping[str, Any], alt: str, name: str, tallest: int, **options: Any
) -> int | None:
    """Draw a table as `draw_table` does; returns the number of the row that is selected, from 0."""
    event = draw_table(table, columns, alt, name, tallest, on_select="rerun", selection_mode="single-row", **options)
    return next((row for row in event["selection"]["rows"] if row < table.num_rows), None)


def draw_row_list(
    table: pa.Table, columns: Mapping[str, Any], key: str, alt: str, *, tallest: int = TALLEST
) -> int | None:
    """Draw a table; returns the number, from 0, of the row just opened by its button, or Enter or Space on a cell."""
    buttons = pa.array(["Open"] * table.num_rows, pa.string())
    button = st.column_config.ButtonColumn("", width=62, type="tertiary", key=f"{key}-{_OPEN}", pinned=True)
    event = st.container(key=f"{key}{_ROWS}").dataframe(
        table.append_column(_OPEN, buttons),
        key=key,
        hide_index=True,
        placeholder="–",
        height=compute_table_height(table.num_rows, tallest),
        column_order=(_OPEN, *columns),
        column_config={_OPEN: button, **columns},
        on_select="rerun",
        selection_mode="single-row",
        alt=f"{alt}; a selected row opens",
    )
    # A selection stays between runs: it opens its row only where it is new.
    selection_key, rows = f"{key}-seen", event["selection"]["rows"]
    previous_row, selected_row = st.session_state.get(selection_key), rows[0] if rows else None
    st.session_state[selection_key] = selected_row
    click = st.session_state.get(f"{key}-{_OPEN}")
    row = click["row"] if click else selected_row if selected_row != previous_row else None
    return row if row is not None and row < table.num_rows else None


def select_view(label: str, name: str, views: Sequence[str]) -> str:
    """Draw the choice of a view of the current page; it is kept in the page's field `name`, which has the default."""
    page = state.get_current_page()
    default = state.get_default(page, name)
    options = {"required": True, "label_visibility": "collapsed", **state.bind_field(page, name)}
    return str(st.segmented_control(label, views, default=default, **options) or default)


def select_page(count: int, size: int, key: str) -> int:
    """Draw page numbers for several pages of `size` of `count` rows; returns that of the field `key`, from 1."""
    pages = max(1, ceil(count / size))
    if pages == 1:
        return 1
    # As wide as its content it would show as many numbers as fitted before: of four pages after one "‹ 1 ›".
    return min(int(st.pagination(pages, width="stretch", **state.bind_field(state.get_current_page(), key))), pages)


def draw_download(name: str, rows: int, table: Callable[[], pa.Table]) -> None:
    """Draw a choice of formats of a file `name`; `table` is called for its `rows` once one is chosen."""
    with st.popover("Download", icon=":material/download:", key=state.make_page_key(f"download-{name}")):
        for sheet in SHEET_FORMATS:
            if sheet.max_rows is None or rows <= sheet.max_rows:
                st.download_button(
                    sheet.name,
                    partial(_make_file, sheet, table),
                    f"{name}.{sheet.suffix}",
                    sheet.media,
                    on_click="ignore",
                    key=state.make_page_key(f"download-{name}-{sheet.suffix}"),
                    width="stretch",
                )


def _make_file(sheet: SheetFormat, table: Callable[[], pa.Table]) -> bytes:
    return sheet.write(table())
