"""View of the dates mentioned, and of the documents by date, over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.drawing.notices import nothing_html
from dashboards.pages.timeline.cached_queries import (
    known_companies,
    known_extent,
    known_interval,
    known_names,
    known_over_time,
)
from dashboards.pages.timeline.charts import ZOOM, counts_chart
from dashboards.pages.timeline.queries import (
    GROUPINGS,
    NONE,
    OTHERS,
    DateExtent,
    OutsideCounts,
    TimelineCounts,
    TimelineQuery,
    count_by_name,
    is_too_fine,
    most_frequent_names,
)
from dashboards.widgets import state
from dashboards.widgets.choosing import draw_row_list
from dashboards.widgets.downloading import draw_download
from dashboards.widgets.navigation import open_page
from dashboards.widgets.search_filters import EARLIEST, LATEST
from tasks.coverage.calendar import Interval, bar_of, next_bar
from tasks.quality.wording import counted
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.search.period_words import days_words

MOST_NAMES = 5
"""Names that have a colour of their own."""
MOST_PERIODS = 200
"""Periods that are listed."""
AUTOMATIC = "automatic"
"""The interval that fits the days that are drawn."""

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Parts:
    """Mentions and documents by the `names` that the charts tell apart, in the order of their colours."""

    mentions: Rows
    documents: Rows
    names: Sequence[str]


def draw_spoken(warehouse: Warehouse) -> None:
    """Draw the choice, and both charts over the same days. Raises `BadInput` for an end before its beginning."""
    extent = known_extent(warehouse)
    if extent is None:
        cure = "Add documents: the dates, quarters and years in their texts are counted here, and their own dates."
        st.html(nothing_html("No document mentions a date or has one.", cure))
        return
    shown = _asked(warehouse, extent)
    found = known_over_time(warehouse, shown, MOST_PERIODS)
    parts = _parts(found, known_names(warehouse, shown.by))
    _span(shown, extent)
    st.header("Dates mentioned", anchor=False)
    _mentions(found, shown, parts)
    st.header("Documents by date", anchor=False)
    _documents(found, shown, parts)


def _asked(warehouse: Warehouse, extent: DateExtent) -> TimelineQuery:
    with st.container(key="filters"):
        first, second, third, fourth = st.columns([2, 2, 2, 2])
    usual = 0 if known_companies(warehouse) else GROUPINGS.index("Kind")
    by = (
        first.selectbox("Group by", GROUPINGS, usual, key=state.key("timeline", "by"), bind="query-params")
        or GROUPINGS[usual]
    )
    chosen = second.selectbox(
        "Interval",
        (AUTOMATIC, *Interval),
        0,
        key=state.key("timeline", "interval"),
        bind="query-params",
        format_func=lambda each: str(each).capitalize(),
        help="How long a bar is. Automatic: the shortest that can be seen and that most mentions fit into.",
    )
    since, until = _day(third, "From", "since"), _day(fourth, "Before", "until")
    called = known_names(warehouse, by)
    picked: list[str] = []
    if len(offered := list(dict.fromkeys(called.values()))) > 1:
        picked = st.multiselect(
            by, offered, key=state.key("timeline", "of"), bind="query-params", placeholder=f"Any {by.lower()}"
        )
    begins, ends = since or extent.usual[0], until or extent.usual[1]
    if begins >= ends and not (since and until):
        # One side is chosen, beyond the usual other one.
        begins, ends = (since, extent.whole[1]) if since else (extent.whole[0], ends)
    if begins >= ends:
        raise BadInput(f"no day lies from {begins} to before {ends}", "choose a later end")
    names = tuple(name for name, shown in called.items() if shown in picked)
    return _fitted(warehouse, TimelineQuery(Interval.YEAR, by, begins, ends, names), chosen)


def _fitted(warehouse: Warehouse, shown: TimelineQuery, chosen: str | None) -> TimelineQuery:
    """With an interval that can be seen, from the beginning of its first bar to the end of its last."""
    grain = known_interval(warehouse, shown) if chosen in (None, AUTOMATIC) else Interval(chosen)
    if is_too_fine(grain, shown.since, shown.until):
        wider = next(
            each for each in Interval if not is_too_fine(each, shown.since, shown.until) or each is Interval.CENTURY
        )
        st.caption(f"Each bar is a {wider}: one of a {grain} would be too thin to see. Choose fewer days for that.")
        grain = wider
    last = shown.until - timedelta(days=1)
    return replace(shown, grain=grain, since=bar_of(shown.since, grain), until=next_bar(bar_of(last, grain), grain))


def _day(column: st.delta_generator.DeltaGenerator, label: str, key: str) -> date | None:
    told = "Empty: from where, and to where, nearly all dates lie"
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


def _span(shown: TimelineQuery, extent: DateExtent) -> None:
    """The days that are drawn, and the ways to draw others."""
    chosen = state.value("timeline", "since") or state.value("timeline", "until")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{days_words(shown.since, shown.until)}**, by {shown.grain}")
        if chosen:
            st.button("All of it", icon=":material/zoom_out:", key="timeline-all", on_click=_look, args=(None, None))
        elif extent.whole[0] < shown.since or extent.whole[1] > shown.until:
            st.button(
                "Outliers too",
                icon=":material/open_in_full:",
                key="timeline-whole",
                help=f"Draw all dates: {days_words(*extent.whole)}",
                on_click=_look,
                args=extent.whole,
            )


def _mentions(found: TimelineCounts, shown: TimelineQuery, parts: Parts) -> None:
    rows = found.mentions
    if rows:
        _chart("mentions", "Mentions", _bars(parts.mentions, shown), shown, parts.names)
    else:
        st.html(nothing_html("No date is mentioned between these days.", "Choose other days, or a longer interval."))
    left = [*_left_out(found.mentions_outside, "mention", shown)]
    if found.longer:
        left.append(f"{counted(found.longer, 'mention')} of periods longer than a {shown.grain} not drawn.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            " ".join(
                ["A fiscal period stands at the days of the company's own year. Drag over the chart to zoom in.", *left]
            )
        )
        if rows:
            draw_download("kalends-mentions", len(rows), lambda: pa.Table.from_pylist([dict(row) for row in rows]))
    if rows:
        _periods(found.periods)


def _documents(found: TimelineCounts, shown: TimelineQuery, parts: Parts) -> None:
    if parts.documents:
        _chart("documents", "Documents", _bars(parts.documents, shown), shown, parts.names)
    else:
        cure = "Choose other days. A document is dated by its own words, its properties or its file's name."
        st.html(nothing_html("No document is dated between these days.", cure))
    left = [*_left_out(found.documents_outside, "document", shown)]
    undated = found.documents_outside.undated
    if undated:
        left.append(f"{counted(undated, 'document')} {'has' if undated == 1 else 'have'} no date.")
    st.caption(" ".join(left) or "Every document is drawn.")


def _left_out(outside: OutsideCounts, noun: str, shown: TimelineQuery) -> Sequence[str]:
    """What lies outside the days that are drawn, a sentence each."""
    last = shown.until - timedelta(days=1)
    sides = ((outside.before, f"before {_moment(shown.since)}"), (outside.after, f"after {_moment(last)}"))
    return [f"{counted(number, noun)} {where} not drawn." for number, where in sides if number]


def _moment(day: date) -> str:
    """A year that begins or ends there, else the day."""
    is_year = (day.month, day.day) in ((1, 1), (12, 31))
    return str(day.year) if is_year else days_words(day, day + timedelta(days=1) if day < date.max else day)


def _chart(key: str, title: str, bars: list[dict[str, Any]], shown: TimelineQuery, names: Sequence[str]) -> None:
    """A chart over which can be dragged: its days become those of the address."""
    # A chart of other days is another one: what was dragged over the last is not dragged over this.
    own = f"timeline-{key}-{shown.since}-{shown.until}-{shown.grain}"
    st.altair_chart(
        counts_chart(bars, title, shown.by, _ends(shown), names),
        on_select=lambda: _zoom(own, shown.grain),
        key=own,
        alt=_told(title, bars),
    )


def _zoom(key: str, grain: Interval) -> None:
    """Take the days that were dragged over, to whole bars, for those that are drawn."""
    days = days_dragged(st.session_state.get(key) or {}, grain)
    if days:
        _look(*days)


def days_dragged(selected: Mapping[str, Any], grain: Interval) -> tuple[date, date] | None:
    """The half-open days, to whole bars, that a selection of a chart spans; None for one that is empty."""
    ends = ((selected.get("selection") or {}).get(ZOOM) or {}).get("period")
    if not ends or len(ends) != 2:
        return None
    first, last = (_of_chart(each) for each in sorted(ends))
    return bar_of(first, grain), next_bar(bar_of(last, grain), grain)


def _of_chart(moment: float) -> date:
    """Milliseconds since 1970 as a day of the calendar."""
    try:
        return datetime.fromtimestamp(moment / 1000, UTC).date()
    except (ValueError, OverflowError, OSError):
        return EARLIEST if moment < 0 else LATEST


def _look(since: date | None, until: date | None) -> None:
    state.put("timeline", "since", since)
    state.put("timeline", "until", until)


def _periods(table: pa.Table) -> None:
    with st.expander("Periods mentioned most"):
        st.caption("Open one to search for the passages that mention it.")
        config = st.column_config
        columns = {
            "period": config.TextColumn("Period"),
            "calendar": config.TextColumn("Calendar"),
            "since": config.DateColumn("From", format="YYYY-MM-DD"),
            "until": config.DateColumn("Before", format="YYYY-MM-DD"),
            "mentions": config.NumberColumn("Mentions", format="localized"),
            "documents": config.NumberColumn("Documents", format="localized"),
        }
        place = draw_row_list(table, columns, "timeline-periods", "The periods that are mentioned most")
        draw_download("kalends-periods", table.num_rows, lambda: table)
    if place is not None:
        row = table.slice(place, 1).to_pylist()[0]
        open_page("search", during=f"{row['since']} to {row['until'] - timedelta(days=1)}")


def _parts(found: TimelineCounts, called: Mapping[str, str]) -> Parts:
    """Both by the names that have a colour: those mentioned most, or of most documents where nothing is mentioned."""
    kept = most_frequent_names(found.mentions or found.documents, called, MOST_NAMES)
    own, other = count_by_name(found.mentions, called, kept), count_by_name(found.documents, called, kept)
    there = {row["name"] for row in (*own, *other)}
    return Parts(own, other, [name for name in (*kept, OTHERS, NONE) if name in there])


def _bars(rows: Rows, shown: TimelineQuery) -> list[dict[str, Any]]:
    return [{**row, "until": next_bar(row["period"], shown.grain)} for row in rows]


def _ends(shown: TimelineQuery) -> tuple[str, str]:
    return shown.since.isoformat(), shown.until.isoformat()


def _told(what: str, bars: Sequence[Mapping[str, Any]]) -> str:
    sums: dict[str, int] = {}
    for row in bars:
        sums[row["name"]] = sums.get(row["name"], 0) + row["count"]
    return f"{what} over time: " + ", ".join(f"{name} {count:,}" for name, count in sums.items())
