"""One figure over the filings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pyarrow as pa
import streamlit as st

from dashboards.charts.timeline import values
from dashboards.drawing.escaping import label
from dashboards.drawing.notices import note_html, nothing_html
from dashboards.facts.timeline.companies import companies
from dashboards.facts.timeline.restated import Said, labels, series
from dashboards.tooling.figures.candidates import Figure
from dashboards.tooling.passages import days
from dashboards.views import state
from dashboards.views.downloading import offer
from tasks.quality.wording import counted
from warehouse.reader import Warehouse


def draw_figure(warehouse: Warehouse) -> None:
    """Draw the choice of a company and a row, and what its filings say of it."""
    owners = companies(warehouse)
    with st.container(key="filters"):
        first, second = st.columns(2)
    names = [each.name for each in owners]
    name = first.selectbox(
        "Company",
        names,
        0 if len(names) == 1 else None,
        key=state.key("timeline", "company"),
        bind="query-params",
        placeholder="Choose a company",
    )
    documents = next((each.documents for each in owners if each.name == name), ())
    item = second.selectbox(
        "Figure",
        _labels(str(warehouse.layout.folder), _state(warehouse), documents, warehouse),
        None,
        key=state.key("timeline", "item"),
        bind="query-params",
        accept_new_options=True,
        format_func=lambda text: label(text, 120),
        placeholder="Choose a row of the tables, or write one",
    )
    if len(owners) > 1 and not name:
        st.html(nothing_html("No company is chosen yet.", "A figure is followed through the documents of one."))
        return
    if not item:
        st.html(nothing_html("No figure is chosen yet.", "Choose one: revenue, total assets, a margin."))
        return
    with st.spinner("Looking through the tables …"):
        every = _series(str(warehouse.layout.folder), _state(warehouse), item, documents, _today(), warehouse)
    if not every:
        st.html(nothing_html("No table has a figure called so, with a period.", "Choose another row."))
        return
    _draw(item, _of_one_sort(every))


def _of_one_sort(every: Sequence[Said]) -> list[Said]:
    """The values of one length of period and one unit: the most frequent, or those that are chosen."""
    lengths = [length for length, _ in Counter(each.length for each in every).most_common()]
    chosen = lengths[0]
    if len(lengths) > 1:
        chosen = (
            st.segmented_control(
                "Over a",
                lengths,
                default=chosen,
                required=True,
                key=state.key("timeline", "length"),
                bind="query-params",
            )
            or chosen
        )
    found = [each for each in every if each.length == chosen]
    units = [unit for unit, _ in Counter(each.unit for each in found).most_common()]
    unit = units[0]
    if len(units) > 1:
        unit = (
            st.segmented_control(
                "In",
                units,
                default=unit,
                required=True,
                key=state.key("timeline", "unit"),
                format_func=lambda text: label(text or "plain numbers"),
            )
            or unit
        )
    return [each for each in found if each.unit == unit]


def _draw(item: str, said: Sequence[Said]) -> None:
    restated = [each for each in said if each.was is not None]
    rows = [_row(place, said) for place in range(len(said))]
    unit = said[0].unit
    st.altair_chart(values(rows, unit or "Value"), alt=f"{item} by period: {_told(said)}")
    for each in restated:
        period = days(each.figure.period_start, each.figure.period_end)
        st.html(note_html(f"Restated for {period}: {each.was:,.10g} became {each.value:,.10g} in {each.source}."))
    config = st.column_config
    st.dataframe(
        {name: [row[name] for row in rows] for name in _COLUMNS},
        hide_index=True,
        placeholder="–",
        alt=f"{item} by period and document",
        column_config={
            "period": config.TextColumn("Period", width="medium"),
            "value": config.NumberColumn("Value", format="localized"),
            "text": config.TextColumn("As printed"),
            "was": config.NumberColumn("Before", format="localized", help="What an earlier document said, if another"),
            "label": config.TextColumn("Row", width="medium"),
            "source": config.TextColumn("Document", width="medium"),
            "page": config.NumberColumn("Page"),
            "open": config.LinkColumn("Cell", display_text="Open", help="The cell in its table, beside its page"),
        },
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{counted(len(said), 'value')}, {counted(len(restated), 'restatement')}")
        offer("kalends-figure", len(rows), lambda: pa.Table.from_pylist(rows))


_COLUMNS = ("period", "value", "text", "was", "label", "source", "page", "open")


def _row(place: int, said: Sequence[Said]) -> dict[str, Any]:
    each, figure = said[place], said[place].figure
    before = said[place - 1] if place else None
    after = said[place + 1] if place + 1 < len(said) else None
    again = before is not None and before.figure.period_end == figure.period_end
    return {
        "period": days(figure.period_start, figure.period_end),
        "last": figure.period_end - timedelta(days=1) if figure.period_end else None,
        "value": each.value,
        "text": " ".join(figure.text.split()),
        "unit": each.unit,
        "was": each.was,
        "label": figure.row_header,
        "column": figure.column_header,
        "source": each.source,
        "page": figure.page,
        "kind": "restated" if each.was is not None else "said again" if again else "as first said",
        "latest": after is None or after.figure.period_end != figure.period_end,
        "open": _address(figure),
    }


def _address(figure: Figure) -> str:
    """Of the cell among the tables."""
    cell = f"{figure.row}.{figure.column}"
    return f"/tables?{urlencode({'document': figure.document_id, 'table': figure.table, 'cell': cell})}"


def _told(said: Sequence[Said]) -> str:
    return ", ".join(f"{each.value:,.6g} to {each.figure.period_end}" for each in said[:30])


def _today() -> date:
    return datetime.now(UTC).date()


def _state(warehouse: Warehouse) -> str:
    return warehouse.snapshot.generation.manifest.to_json()


@st.cache_data(show_spinner=False, max_entries=32)
def _labels(folder: str, state: str, documents: tuple[str, ...], _warehouse: Warehouse) -> list[str]:
    return labels(_warehouse, documents)


@st.cache_data(show_spinner=False, max_entries=64)
def _series(
    folder: str, state: str, item: str, documents: tuple[str, ...], today: date, _warehouse: Warehouse
) -> list[Said]:
    return series(_warehouse, item, documents, today)
