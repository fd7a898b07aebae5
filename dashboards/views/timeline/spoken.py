"""Mentions and documents over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.charts.timeline import ZOOM, over_time
from dashboards.drawing.notices import nothing_html
from dashboards.facts.timeline.periods import next_bar
from dashboards.facts.timeline.spoken import (
    BY,
    NONE,
    OTHERS,
    Grain,
    Shown,
    coarse,
    dated,
    fewer,
    mentions,
    most_named,
    periods,
    usual_days,
    written,
)
from dashboards.views import state
from dashboards.views.choosing import chosen_row
from dashboards.views.downloading import offer
from dashboards.views.filtering import EARLIEST, LATEST
from dashboards.views.navigation import go
from warehouse.errors import BadInput
from warehouse.reader import Warehouse

MOST_NAMES = 5
"""Names that have a colour of their own."""
MOST_PERIODS = 200
"""Periods that are listed."""

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Parts:
    """Mentions and documents by the `names` that the charts tell apart, in the order of their colours."""

    mentions: Rows
    documents: Rows
    names: Sequence[str]


def draw_spoken(warehouse: Warehouse) -> None:
    """Draw the choice, and both charts over the same days. Raises `BadInput` for an end before its beginning."""
    usual = usual_days(warehouse)
    if usual is None:
        st.html(nothing_html("No document names a time.", "Dates and periods in their texts appear here."))
        return
    shown = _asked(warehouse, usual)
    rows, documents = mentions(warehouse, shown), dated(warehouse, shown)
    parts = _parts(warehouse, shown, rows, documents)
    if rows:
        _mentions(warehouse, shown, rows, parts)
        _periods(warehouse, shown)
    else:
        st.html(nothing_html("Nothing is named between these days.", "Choose others."))
    if documents:
        st.header("Documents", anchor=False)
        bars = _bars(parts.documents, shown)
        chart = over_time(bars, "Documents", shown.by, _ends(shown), parts.names)
        st.altair_chart(chart, alt=_told("Documents", bars))
        st.caption("By the day that each document is dated; one that gives no day has that of its file.")


def _asked(warehouse: Warehouse, usual: tuple[date, date]) -> Shown:
    with st.container(key="filters"):
        first, second, third, fourth = st.columns([2, 2, 2, 2])
    by = first.selectbox("Parted by", BY, 0, key=state.key("timeline", "by"), bind="query-params") or BY[0]
    grain = (
        second.selectbox("Bars of a", list(Grain), 1, key=state.key("timeline", "interval"), bind="query-params")
        or Grain.QUARTER
    )
    since, until = _day(third, "From", "since"), _day(fourth, "Before", "until")
    called = written(warehouse, by)
    picked: list[str] = []
    if len(offered := list(dict.fromkeys(called.values()))) > 1:
        picked = st.multiselect(
            by, offered, key=state.key("timeline", "of"), bind="query-params", placeholder=f"Any {by.lower()}"
        )
    begins, ends = since or usual[0], until or usual[1]
    if begins >= ends:
        raise BadInput(f"no day lies from {begins} to before {ends}", "choose a later end")
    return Shown(grain, by, begins, ends, tuple(name for name, shown in called.items() if shown in picked))


def _day(column: st.delta_generator.DeltaGenerator, label: str, key: str) -> date | None:
    told = "Without it, nearly all that is named is shown"
    picked = column.date_input(
        label,
        None,
        EARLIEST,
        LATEST,
        key=state.key("timeline", key),
        format="YYYY-MM-DD",
        bind="query-params",
        help=told,
    )
    return picked if isinstance(picked, date) else None


def _mentions(warehouse: Warehouse, shown: Shown, rows: Rows, parts: Parts) -> None:
    st.header("Times spoken of", anchor=False)
    bars = _bars(parts.mentions, shown)
    picked = st.altair_chart(
        over_time(bars, "Mentions", shown.by, _ends(shown), parts.names),
        on_select="rerun",
        key="timeline-mentions",
        alt=_told("Mentions", bars),
    )
    left = coarse(warehouse, shown)
    longer = f" Not drawn: {left:,} mentions of periods longer than a {shown.grain}." if left else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            "Each period stands at the days it means: of a fiscal quarter at those of the company's own year."
            f"{longer} Drag over the chart to choose days."
        )
        _zoom(picked)
        offer("kalends-mentions", len(rows), lambda: pa.Table.from_pylist([dict(row) for row in rows]))


def _zoom(picked: Any) -> None:
    """A button that leads to the days selected in the chart, or back from days that were chosen."""
    ends = (picked.get("selection", {}).get(ZOOM) or {}).get("period") if picked else None
    if ends and len(ends) == 2:
        since, until = (datetime.fromtimestamp(each / 1000, UTC).date() for each in sorted(ends))
        days = (since, max(until, since + timedelta(days=1)))
        st.button(f"Look at {days[0]} to {days[1]}", icon=":material/zoom_in:", on_click=_look, args=days)
    elif state.value("timeline", "since") or state.value("timeline", "until"):
        st.button("All of it", icon=":material/zoom_out:", on_click=_look, args=(None, None))


def _look(since: date | None, until: date | None) -> None:
    state.put("timeline", "since", since)
    state.put("timeline", "until", until)


def _periods(warehouse: Warehouse, shown: Shown) -> None:
    table = periods(warehouse, shown, MOST_PERIODS)
    with st.expander("Periods named most"):
        st.caption("Open one to search for what is said of it.")
        config = st.column_config
        columns = {
            "period": config.TextColumn("Period"),
            "calendar": config.TextColumn("Calendar"),
            "since": config.DateColumn("From", format="YYYY-MM-DD"),
            "until": config.DateColumn("Before", format="YYYY-MM-DD"),
            "mentions": config.NumberColumn("Mentions", format="localized"),
            "documents": config.NumberColumn("Documents", format="localized"),
        }
        place = chosen_row(table, columns, "timeline-periods", "The periods that are named most")
        offer("kalends-periods", table.num_rows, lambda: table)
    if place is not None:
        row = table.slice(place, 1).to_pylist()[0]
        go("search", during=f"{row['since']} to {row['until'] - timedelta(days=1)}")


def _parts(warehouse: Warehouse, shown: Shown, rows: Rows, documents: Rows) -> Parts:
    """Both by the names that have a colour: the most spoken of, or those of most documents where nothing is."""
    called = written(warehouse, shown.by)
    kept = most_named(rows or documents, called, MOST_NAMES)
    own, other = fewer(rows, called, kept), fewer(documents, called, kept)
    there = {row["name"] for row in (*own, *other)}
    return Parts(own, other, [name for name in (*kept, OTHERS, NONE) if name in there])


def _bars(rows: Rows, shown: Shown) -> list[dict[str, Any]]:
    return [{**row, "until": next_bar(row["period"], shown.grain)} for row in rows]


def _ends(shown: Shown) -> tuple[str, str]:
    return shown.since.isoformat(), shown.until.isoformat()


def _told(what: str, bars: Sequence[Mapping[str, Any]]) -> str:
    sums: dict[str, int] = {}
    for row in bars:
        sums[row["name"]] = sums.get(row["name"], 0) + row["count"]
    return f"{what} over time: " + ", ".join(f"{name} {count:,}" for name, count in sums.items())
