"""View of one figure through all documents: a chart, restatements and doubts, and the values as a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pyarrow as pa
import streamlit as st

from dashboards.html.safe_text import markdown_label, note_html, nothing_html
from dashboards.pages.timeline.figure_series import FigureValue, figure_labels, figure_series
from dashboards.pages.timeline.timeline_charts import FIRST, IN_DOUBT, REPEATED, RESTATED, figure_chart
from dashboards.widgets import state
from dashboards.widgets.data_elements import draw_download
from dashboards.widgets.resources import cached_query
from tasks.ask.figures.figure_cells import SCALES, FigureCell
from tasks.coverage import list_companies
from tasks.quality.phrases import counted
from warehouse.reader import Warehouse
from warehouse.search.periods import days_words

_COLUMNS = ("period", "value", "unit", "text", "scale", "was", "doubt", "label", "source", "page", "open")
_LARGE = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"), (1e3, "thousand"))


_cached_companies = cached_query(4)(list_companies)
_cached_labels = cached_query(32)(figure_labels)
_cached_series = cached_query(64)(figure_series)


def draw_figure(warehouse: Warehouse) -> None:
    """Draw the choice of a company and a row of its tables, and the values of that row in all its documents."""
    companies = _cached_companies(warehouse)
    with st.container(key="filters"):
        first, second = st.columns(2)
    names = [each.name for each in companies]
    options = {"placeholder": "Choose a company", **state.binding("timeline", "company")}
    name = first.selectbox("Company", names, 0 if len(names) == 1 else None, **options)
    documents = next((each.documents for each in companies if each.name == name), ())
    rows = _cached_labels(warehouse, documents)
    item = second.selectbox(
        "Figure",
        rows,
        None,
        accept_new_options=True,
        format_func=lambda text: markdown_label(text, 120),
        placeholder="Choose a row of the tables, or write one",
        **state.binding("timeline", "item"),
    )
    if not rows and not item and (name or len(companies) < 2):
        cure = "Add filings or spreadsheets whose tables have years, quarters or days in their headers."
        st.html(nothing_html(f"No table{f' of {name}' if name else ''} has figures with a period.", cure))
        return
    if len(companies) > 1 and not name:
        st.html(nothing_html("No company is chosen yet.", "Choose one: a figure is followed through its documents."))
        return
    if not item:
        st.html(nothing_html("No figure is chosen yet.", "Choose a row of the tables: revenue, assets, a margin."))
        return
    with st.spinner("Searching the tables …"):
        series_values = _cached_series(warehouse, item, documents, datetime.now(UTC).date())
    if not series_values:
        st.html(nothing_html(f"No table has “{item}” with a period.", "Choose another row, or other words for it."))
        return
    _draw_values(item, _of_one_kind(series_values))


def _of_one_kind(series_values: Sequence[FigureValue]) -> list[FigureValue]:
    """The values of one length of period and one unit: the most frequent, or those that are chosen."""
    lengths = [name for name, _ in Counter(each.length for each in series_values).most_common()]
    length, options = lengths[0], state.binding("timeline", "length")
    if len(lengths) > 1:
        length = st.segmented_control("Period length", lengths, default=length, required=True, **options) or length
    same_length = [each for each in series_values if each.length == length]
    units = [unit for unit, _ in Counter(each.unit for each in same_length).most_common()]
    unit, options = units[0], {"format_func": lambda text: markdown_label(text or "plain numbers")}
    if len(units) > 1:
        options["key"] = state.key("timeline", "unit")
        unit = st.segmented_control("Unit", units, default=unit, required=True, **options) or unit
    return [each for each in same_length if each.unit == unit]


def _draw_values(item: str, values: Sequence[FigureValue]) -> None:
    restated = [each for each in values if each.earlier is not None]
    in_doubt = [each for each in values if each.doubt]
    scale, scale_name = _scale(values)
    unit = values[0].unit
    rows = [_row(place, values, scale) for place in range(len(values))]
    title = ", ".join(filter(None, (unit or "Value", scale_name)))
    summary = ", ".join(f"{each.value:,.6g} to {each.figure.period_end}" for each in values[:30])
    st.altair_chart(figure_chart(rows, title), alt=f"{item} by period: {summary}")
    for each in restated:
        amounts = f"{_amount(each.earlier or 0.0, unit)} became {_amount(each.value, unit)}"
        st.html(note_html(f"Restated for {_period(each.figure)}: {amounts} in {each.source}."))
    for each in in_doubt:
        st.html(note_html(f"In doubt for {_period(each.figure)} in {each.source}: {each.doubt}."))
    config = st.column_config
    st.dataframe(
        {name: [row[name] for row in rows] for name in _COLUMNS},
        hide_index=True,
        placeholder="–",
        alt=f"{item} by period and document",
        column_config={
            "period": config.TextColumn("Period", width="medium"),
            "value": config.NumberColumn(
                "Value", format="localized", help="In single units, also where the table prints millions"
            ),
            "unit": config.TextColumn("Unit"),
            "text": config.TextColumn("As printed"),
            "scale": config.TextColumn("Printed in"),
            "was": config.NumberColumn(
                "Before", format="localized", help="The value in an earlier document, where it differs"
            ),
            "doubt": config.TextColumn("In doubt", help="Why the value is not sure"),
            "label": config.TextColumn("Row", width="medium"),
            "source": config.TextColumn("Document", width="medium"),
            "page": config.NumberColumn("Page"),
            "open": config.LinkColumn("Cell", display_text="Open", help="The cell in its table, beside its page"),
        },
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        counts = [counted(len(values), "value"), counted(len(restated), "restatement")]
        st.caption(", ".join([*counts, f"{len(in_doubt)} in doubt"] if in_doubt else counts))
        draw_download("kalends-figure", len(rows), lambda: pa.Table.from_pylist(rows))


def _scale(values: Sequence[FigureValue]) -> tuple[float, str]:
    """The scale of the axis, the largest that most values reach: its factor and its name."""
    sizes = sorted(abs(each.value) for each in values if each.value)
    middle = sizes[len(sizes) // 2] if sizes else 0.0
    return next(((scale, name) for scale, name in _LARGE if middle >= scale), (1.0, ""))


def _amount(value: float, unit: str) -> str:
    return f"{value:,.10g}{f' {unit}' if unit else ''}"


def _period(figure: FigureCell) -> str:
    start, end = figure.period_start, figure.period_end
    return days_words(start, end) if start and end else ""


def _row(place: int, values: Sequence[FigureValue], scale: float) -> dict[str, Any]:
    """A value as a row of the chart and of the list; the values are in order of their periods."""
    each, figure = values[place], values[place].figure
    before = values[place - 1] if place else None
    after = values[place + 1] if place + 1 < len(values) else None
    again = before is not None and before.figure.period_end == figure.period_end
    kinds = ((IN_DOUBT, each.doubt), (RESTATED, each.earlier is not None), (REPEATED, again), (FIRST, True))
    return {
        "period": _period(figure),
        "last": figure.period_end - timedelta(days=1) if figure.period_end else None,
        "value": each.value,
        "drawn": each.value / scale,
        "shown": _amount(each.value, each.unit),
        "text": " ".join(figure.text.split()),
        "scale": SCALES.get(figure.scale, "units" if figure.scale == 1.0 else f"× {figure.scale:,g}"),
        "unit": each.unit,
        "was": each.earlier,
        "doubt": each.doubt or None,
        "label": figure.row_header,
        "column": figure.column_header,
        "source": each.source,
        "page": figure.page,
        "kind": next(kind for kind, holds in kinds if holds),
        "latest": after is None or after.figure.period_end != figure.period_end,
        "open": _address(figure),
    }


def _address(figure: FigureCell) -> str:
    """The address of the figure's cell on the tables page."""
    cell = f"{figure.row}.{figure.column}"
    return f"/tables?{urlencode({'document': figure.document_id, 'table': figure.table, 'cell': cell})}"
