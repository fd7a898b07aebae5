"""View of the dates mentioned, and of the documents by date, over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.html.notices import nothing_html
from dashboards.pages.timeline.cached_queries import (
    cached_companies,
    cached_counts,
    cached_extent,
    cached_interval,
    cached_names,
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
from dashboards.widgets.navigation import open_page
from dashboards.widgets.row_lists import draw_download, draw_row_list
from dashboards.widgets.search_filters import EARLIEST, LATEST
from tasks.coverage import Interval, bar_of, next_bar
from tasks.quality.phrases import counted
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.search.periods import days_words

MOST_NAMES = 5
"""Names with a colour of their own."""
MOST_PERIODS = 200
"""Periods that are listed."""
AUTOMATIC = "automatic"
"""The interval that fits the days."""

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ChartRows:
    """Counts of mentions and of documents by name; `names` are in the order of their colours."""

    mentions: Rows
    documents: Rows
    names: Sequence[str]


def draw_mentions(warehouse: Warehouse) -> None:
    """Draw the filters, and both charts over the same days. Raises `BadInput` for an end before its beginning."""
    extent = cached_extent(warehouse)
    if extent is None:
        cure = "Add documents: the dates, quarters and years in their texts are counted here, and their own dates."
        st.html(nothing_html("No document mentions a date or has one.", cure))
        return
    query = _draw_filters(warehouse, extent)
    counts = cached_counts(warehouse, query, MOST_PERIODS)
    chart_rows = _chart_rows(counts, cached_names(warehouse, query.by))
    _draw_span(query, extent)
    st.header("Dates mentioned", anchor=False)
    _draw_mentions_chart(counts, query, chart_rows)
    st.header("Documents by date", anchor=False)
    _draw_documents_chart(counts, query, chart_rows)


def _draw_filters(warehouse: Warehouse, extent: DateExtent) -> TimelineQuery:
    with st.container(key="filters"):
        first, second, third, fourth = st.columns([2, 2, 2, 2])
    usual = 0 if cached_companies(warehouse) else GROUPINGS.index("Kind")
    by = (
        first.selectbox("Group by", GROUPINGS, usual, key=state.key("timeline", "by"), bind="query-params")
        or GROUPINGS[usual]
    )
    choice = second.selectbox(
        "Interval",
        (AUTOMATIC, *Interval),
        0,
        key=state.key("timeline", "interval"),
        bind="query-params",
        format_func=lambda each: str(each).capitalize(),
        help="How long a bar is. Automatic: the shortest that can be seen and that most mentions fit into.",
    )
    since, until = _day(third, "From", "since"), _day(fourth, "Before", "until")
    display_names = cached_names(warehouse, by)
    chosen_names: list[str] = []
    if len(choices := list(dict.fromkeys(display_names.values()))) > 1:
        chosen_names = st.multiselect(
            by, choices, key=state.key("timeline", "of"), bind="query-params", placeholder=f"Any {by.lower()}"
        )
    begins, ends = since or extent.usual[0], until or extent.usual[1]
    if begins >= ends and not (since and until):
        # Only one side is chosen, and it lies beyond the usual other one.
        begins, ends = (since, extent.whole[1]) if since else (extent.whole[0], ends)
    if begins >= ends:
        raise BadInput(f"the end, {ends}, is not after the start, {begins}", "choose a later end")
    names = tuple(name for name, display_name in display_names.items() if display_name in chosen_names)
    return _with_interval(warehouse, TimelineQuery(Interval.YEAR, by, begins, ends, names), choice)


def _with_interval(warehouse: Warehouse, query: TimelineQuery, choice: str | None) -> TimelineQuery:
    """The query with an interval whose bars can be seen, and with its days extended to whole bars."""
    interval = cached_interval(warehouse, query) if choice in (None, AUTOMATIC) else Interval(choice)
    if is_too_fine(interval, query.since, query.until):
        wider = next(
            each for each in Interval if not is_too_fine(each, query.since, query.until) or each is Interval.CENTURY
        )
        st.caption(f"Each bar is a {wider}: bars of a {interval} would be too thin to see. Choose fewer days for them.")
        interval = wider
    last = query.until - timedelta(days=1)
    return replace(
        query, interval=interval, since=bar_of(query.since, interval), until=next_bar(bar_of(last, interval), interval)
    )


def _day(column: st.delta_generator.DeltaGenerator, label: str, key: str) -> date | None:
    help_text = "Leave empty to draw nearly all dates"
    day = column.date_input(
        label,
        None,
        EARLIEST,
        LATEST,
        key=state.key("timeline", key),
        format="YYYY-MM-DD",
        bind="query-params",
        help=help_text,
    )
    return day if isinstance(day, date) else None


def _draw_span(query: TimelineQuery, extent: DateExtent) -> None:
    """Draw the days of the charts, and a button for all days or for outliers."""
    has_days = state.value("timeline", "since") or state.value("timeline", "until")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{days_words(query.since, query.until)}**, by {query.interval}")
        if has_days:
            st.button(
                "All of it", icon=":material/zoom_out:", key="timeline-all", on_click=_show_days, args=(None, None)
            )
        elif extent.whole[0] < query.since or extent.whole[1] > query.until:
            st.button(
                "Outliers too",
                icon=":material/open_in_full:",
                key="timeline-whole",
                help=f"Draw all dates: {days_words(*extent.whole)}",
                on_click=_show_days,
                args=extent.whole,
            )


def _draw_mentions_chart(counts: TimelineCounts, query: TimelineQuery, chart_rows: ChartRows) -> None:
    rows = counts.mentions
    if rows:
        _draw_chart("mentions", "Mentions", _bars(chart_rows.mentions, query), query, chart_rows.names)
    else:
        st.html(nothing_html("No date is mentioned between these days.", "Choose other days, or a longer interval."))
    left = [*_left_out(counts.mentions_outside, "mention", query)]
    if counts.longer:
        left.append(f"{counted(counts.longer, 'mention')} of periods longer than a {query.interval} not drawn.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            " ".join(
                [
                    "A fiscal period is drawn at the days of the company's own year. Drag over the chart to zoom in.",
                    *left,
                ]
            )
        )
        if rows:
            draw_download("kalends-mentions", len(rows), lambda: pa.Table.from_pylist([dict(row) for row in rows]))
    if rows:
        _draw_periods(counts.periods)


def _draw_documents_chart(counts: TimelineCounts, query: TimelineQuery, chart_rows: ChartRows) -> None:
    if chart_rows.documents:
        _draw_chart("documents", "Documents", _bars(chart_rows.documents, query), query, chart_rows.names)
    else:
        cure = "Choose other days. A document is dated by its own words, its properties or its file's name."
        st.html(nothing_html("No document is dated between these days.", cure))
    left = [*_left_out(counts.documents_outside, "document", query)]
    undated = counts.documents_outside.undated
    if undated:
        left.append(f"{counted(undated, 'document')} {'has' if undated == 1 else 'have'} no date.")
    st.caption(" ".join(left) or "Every document is drawn.")


def _left_out(outside: OutsideCounts, noun: str, query: TimelineQuery) -> Sequence[str]:
    """A sentence each on what lies before and after the days that are drawn."""
    last = query.until - timedelta(days=1)
    sides = ((outside.before, f"before {_moment(query.since)}"), (outside.after, f"after {_moment(last)}"))
    return [f"{counted(number, noun)} {where} not drawn." for number, where in sides if number]


def _moment(day: date) -> str:
    """The year for its first or last day, else the day."""
    is_year = (day.month, day.day) in ((1, 1), (12, 31))
    return str(day.year) if is_year else days_words(day, day + timedelta(days=1) if day < date.max else day)


def _draw_chart(key: str, title: str, bars: list[dict[str, Any]], query: TimelineQuery, names: Sequence[str]) -> None:
    """Draw a chart; the days that are dragged over go into the address."""
    # A chart of other days is another widget: a selection in the last is not one in this.
    own = f"timeline-{key}-{query.since}-{query.until}-{query.interval}"
    st.altair_chart(
        counts_chart(bars, title, query.by, _ends(query), names),
        on_select=lambda: _zoom(own, query.interval),
        key=own,
        alt=_alternative_text(title, bars),
    )


def _zoom(key: str, interval: Interval) -> None:
    """Show the days that were dragged over, to whole bars."""
    days = days_dragged(st.session_state.get(key) or {}, interval)
    if days:
        _show_days(*days)


def days_dragged(selected: Mapping[str, Any], interval: Interval) -> tuple[date, date] | None:
    """The half-open days, to whole bars, that a selection of a chart spans; None for one that is empty."""
    ends = ((selected.get("selection") or {}).get(ZOOM) or {}).get("period")
    if not ends or len(ends) != 2:
        return None
    first, last = (_day_of(each) for each in sorted(ends))
    return bar_of(first, interval), next_bar(bar_of(last, interval), interval)


def _day_of(moment: float) -> date:
    """Milliseconds since 1970 as a day of the calendar."""
    try:
        return datetime.fromtimestamp(moment / 1000, UTC).date()
    except (ValueError, OverflowError, OSError):
        return EARLIEST if moment < 0 else LATEST


def _show_days(since: date | None, until: date | None) -> None:
    state.put("timeline", "since", since)
    state.put("timeline", "until", until)


def _draw_periods(table: pa.Table) -> None:
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


def _chart_rows(counts: TimelineCounts, names: Mapping[str, str]) -> ChartRows:
    """The rows by names with a colour: those mentioned most, or of most documents where nothing is mentioned."""
    distinct = most_frequent_names(counts.mentions or counts.documents, names, MOST_NAMES)
    mentions, documents = (count_by_name(rows, names, distinct) for rows in (counts.mentions, counts.documents))
    drawn = {row["name"] for row in (*mentions, *documents)}
    return ChartRows(mentions, documents, [name for name in (*distinct, OTHERS, NONE) if name in drawn])


def _bars(rows: Rows, query: TimelineQuery) -> list[dict[str, Any]]:
    return [{**row, "until": next_bar(row["period"], query.interval)} for row in rows]


def _ends(query: TimelineQuery) -> tuple[str, str]:
    return query.since.isoformat(), query.until.isoformat()


def _alternative_text(title: str, bars: Sequence[Mapping[str, Any]]) -> str:
    sums: dict[str, int] = {}
    for row in bars:
        sums[row["name"]] = sums.get(row["name"], 0) + row["count"]
    return f"{title} over time: " + ", ".join(f"{name} {count:,}" for name, count in sums.items())
