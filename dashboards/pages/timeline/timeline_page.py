"""Timeline page: dates mentioned and documents over time, and the periods that reports cover or miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from math import log1p
from typing import Any

import pyarrow as pa
import streamlit as st
from streamlit import column_config as config

from dashboards.html.safe_text import escape_text, render_empty_state, render_list, render_note
from dashboards.pages.timeline.figure import draw_figure
from dashboards.pages.timeline.timeline_charts import ZOOM, chart_counts, chart_coverage
from dashboards.pages.timeline.timeline_queries import (
    GROUPINGS,
    NONE,
    OTHERS,
    DateExtent,
    OutsideCounts,
    TimelineCounts,
    TimelineQuery,
    choose_interval,
    count_by_name,
    count_timeline,
    find_date_extent,
    is_too_fine,
    list_group_names,
    list_most_frequent_names,
)
from dashboards.widgets import state
from dashboards.widgets.data_elements import (
    draw_download,
    draw_row_list,
    make_number_columns,
    make_text_columns,
    select_page,
    select_view,
)
from dashboards.widgets.navigation import open_page
from dashboards.widgets.resources import cache_query, load_page_context
from dashboards.widgets.search_filters import EARLIEST, LATEST
from tasks.coverage import (
    Company,
    CoverageKind,
    CoverageRow,
    Interval,
    PeriodCoverage,
    build_company_rows,
    build_document_rows,
    compute_period_coverage,
    count_documents,
    describe_missing_periods,
    describe_unreported_quarters,
    find_bar_start,
    find_next_bar,
    list_companies,
)
from tasks.quality.phrases import format_count
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.search.periods import format_days

MAX_NAMES = 5  # Names with a colour of their own.
MAX_PERIODS = 200  # Periods that are listed.
AUTOMATIC = "automatic"  # The interval that fits the days.

_list_cached_companies = cache_query(4)(list_companies)
_find_cached_extent = cache_query(4)(find_date_extent)
_list_cached_names = cache_query(16)(list_group_names)
_choose_cached_interval = cache_query(64)(choose_interval)
_count_cached_timeline = cache_query(32)(count_timeline)


def draw_page() -> None:
    """Draw the view that the address names."""
    st.title("Timeline")
    warehouse = load_page_context().warehouse.pin_generation()
    VIEWS[select_view("Show", "show", list(VIEWS))](warehouse)


def draw_mentions(warehouse: Warehouse) -> None:
    """Draw the filters, and both charts over the same days. Raises `BadInput` for an end before its beginning."""
    extent = _find_cached_extent(warehouse)
    if extent is None:
        cure = "Add documents: the dates, quarters and years in their texts are counted here, and their own dates."
        st.html(render_empty_state("No document mentions a date or has one.", cure))
        return
    query = _draw_filters(warehouse, extent)
    counts, names = _count_cached_timeline(warehouse, query, MAX_PERIODS), _list_cached_names(warehouse, query.by)
    # Those mentioned most have a colour, or those of most documents where nothing is mentioned.
    distinct = list_most_frequent_names(counts.mentions or counts.documents, names, MAX_NAMES)
    mentions, documents = (count_by_name(rows, names, distinct) for rows in (counts.mentions, counts.documents))
    drawn_names = {row["name"] for row in (*mentions, *documents)}
    colours = [name for name in (*distinct, OTHERS, NONE) if name in drawn_names]
    _draw_span(query, extent)
    st.header("Dates mentioned", anchor=False)
    if mentions:
        _draw_chart("mentions", "Mentions", mentions, query, colours)
    else:
        cure = "Choose other days, or a longer interval."
        st.html(render_empty_state("No date is mentioned between these days.", cure))
    _draw_mentions_summary(counts, query)
    st.header("Documents by date", anchor=False)
    if documents:
        _draw_chart("documents", "Documents", documents, query, colours)
    else:
        cure = "Choose other days. A document is dated by its own words, its properties or its file's name."
        st.html(render_empty_state("No document is dated between these days.", cure))
    left = _describe_left_out(counts.documents_outside, "document", query)
    if undated_count := counts.documents_outside.undated:
        left.append(f"{format_count(undated_count, 'document')} {'has' if undated_count == 1 else 'have'} no date.")
    st.caption(" ".join(left) or "Every document is drawn.")


def _draw_filters(warehouse: Warehouse, extent: DateExtent) -> TimelineQuery:
    with st.container(key="filters"):
        first, second, third, fourth = st.columns([2, 2, 2, 2])
    default_index = 0 if _list_cached_companies(warehouse) else GROUPINGS.index("Kind")
    by = (
        first.selectbox("Group by", GROUPINGS, default_index, **state.bind_field("timeline", "by"))
        or GROUPINGS[default_index]
    )
    choice = second.selectbox(
        "Interval",
        (AUTOMATIC, *Interval),
        0,
        format_func=lambda interval: str(interval).capitalize(),
        help="How long a bar is. Automatic: the shortest that can be seen and that most mentions fit into.",
        **state.bind_field("timeline", "interval"),
    )
    since, until = _draw_day(third, "From", "since"), _draw_day(fourth, "Before", "until")
    display_names = _list_cached_names(warehouse, by)
    chosen_names: list[str] = []
    if len(choices := list(dict.fromkeys(display_names.values()))) > 1:
        options = {"placeholder": f"Any {by.lower()}", **state.bind_field("timeline", "of")}
        chosen_names = st.multiselect(by, choices, **options)
    start, end = since or extent.typical[0], until or extent.typical[1]
    if start >= end and not (since and until):
        # Only one end is chosen, and it is beyond the default of the other.
        start, end = (since, extent.full[1]) if since else (extent.full[0], end)
    if start >= end:
        raise BadInput(f"the end, {end}, is not after the start, {start}", "choose a later end")
    names = tuple(name for name, display_name in display_names.items() if display_name in chosen_names)
    return _with_interval(warehouse, TimelineQuery(Interval.YEAR, by, start, end, names), choice)


def _with_interval(warehouse: Warehouse, query: TimelineQuery, choice: str | None) -> TimelineQuery:
    """The query with an interval whose bars can be seen, and with its days extended to whole bars."""
    interval = _choose_cached_interval(warehouse, query) if choice in (None, AUTOMATIC) else Interval(choice)
    if is_too_fine(interval, query.since, query.until):
        wide = (interval for interval in Interval if not is_too_fine(interval, query.since, query.until))
        wider = next(wide, Interval.CENTURY)
        st.caption(f"Each bar is a {wider}: bars of a {interval} would be too thin to see. Choose fewer days for them.")
        interval = wider
    last = find_bar_start(query.until - timedelta(days=1), interval)
    return replace(
        query, interval=interval, since=find_bar_start(query.since, interval), until=find_next_bar(last, interval)
    )


def _draw_day(column: st.delta_generator.DeltaGenerator, label: str, key: str) -> date | None:
    options = {"help": "Leave empty to draw nearly all dates", **state.bind_field("timeline", key)}
    day = column.date_input(label, None, EARLIEST, LATEST, format="YYYY-MM-DD", **options)
    return day if isinstance(day, date) else None


def _draw_span(query: TimelineQuery, extent: DateExtent) -> None:
    has_days = state.get_value("timeline", "since") or state.get_value("timeline", "until")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{format_days(query.since, query.until)}**, by {query.interval}")
        if has_days:
            st.button(
                "All of it", icon=":material/zoom_out:", key="timeline-all", on_click=_show_days, args=(None, None)
            )
        elif extent.full[0] < query.since or extent.full[1] > query.until:
            st.button(
                "Outliers too",
                icon=":material/open_in_full:",
                key="timeline-whole",
                help=f"Draw all dates: {format_days(*extent.full)}",
                on_click=_show_days,
                args=extent.full,
            )


def _draw_mentions_summary(counts: TimelineCounts, query: TimelineQuery) -> None:
    """Draw what the chart of mentions leaves out, its download, and the periods that are mentioned most."""
    rows = counts.mentions
    sentences = ["A fiscal period is drawn at the days of the company's own year. Drag over the chart to zoom in."]
    sentences += _describe_left_out(counts.mentions_outside, "mention", query)
    if counts.longer_mentions:
        sentences.append(
            f"{format_count(counts.longer_mentions, 'mention')} of periods longer than a {query.interval} not drawn."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(" ".join(sentences))
        if rows:
            draw_download("kalends-mentions", len(rows), lambda: pa.Table.from_pylist([dict(row) for row in rows]))
    if rows:
        _draw_periods(counts.periods)


def _describe_left_out(outside: OutsideCounts, noun: str, query: TimelineQuery) -> list[str]:
    last = query.until - timedelta(days=1)
    sides = (
        (outside.before, f"before {_format_moment(query.since)}"),
        (outside.after, f"after {_format_moment(last)}"),
    )
    return [f"{format_count(number, noun)} {where} not drawn." for number, where in sides if number]


def _format_moment(day: date) -> str:
    """The year for its first or last day, else the day."""
    is_year = (day.month, day.day) in ((1, 1), (12, 31))
    return str(day.year) if is_year else format_days(day, day + timedelta(days=1) if day < date.max else day)


def _draw_chart(
    key: str, title: str, rows: Sequence[Mapping[str, Any]], query: TimelineQuery, names: Sequence[str]
) -> None:
    bars = [{**row, "until": find_next_bar(row["period"], query.interval)} for row in rows]
    sums: Counter[str] = Counter()
    for row in bars:
        sums[row["name"]] += row["count"]
    # A chart of other days is another widget: a selection in the last is not one in this.
    chart_key = f"timeline-{key}-{query.since}-{query.until}-{query.interval}"

    def show_dragged() -> None:
        if days := parse_dragged_days(st.session_state.get(chart_key) or {}, query.interval):
            _show_days(*days)

    st.altair_chart(
        chart_counts(bars, title, query.by, (query.since.isoformat(), query.until.isoformat()), names),
        on_select=show_dragged,
        key=chart_key,
        alt=f"{title} over time: " + ", ".join(f"{name} {count:,}" for name, count in sums.items()),
    )


def parse_dragged_days(selection: Mapping[str, Any], interval: Interval) -> tuple[date, date] | None:
    """The half-open days, to whole bars, that a selection of a chart spans; None for one that is empty."""
    ends = ((selection.get("selection") or {}).get(ZOOM) or {}).get("period")
    if not ends or len(ends) != 2:
        return None
    first, last = (_to_day(end) for end in sorted(ends))
    return find_bar_start(first, interval), find_next_bar(find_bar_start(last, interval), interval)


def _to_day(moment: float) -> date:
    """Milliseconds since 1970 as a day of the calendar."""
    try:
        return datetime.fromtimestamp(moment / 1000, UTC).date()
    except (ValueError, OverflowError, OSError):
        return EARLIEST if moment < 0 else LATEST


def _show_days(since: date | None, until: date | None) -> None:
    state.set_value("timeline", "since", since)
    state.set_value("timeline", "until", until)


def _draw_periods(table: pa.Table) -> None:
    with st.expander("Periods mentioned most"):
        st.caption("Open one to search for the passages that mention it.")
        columns = {
            **make_text_columns(period="Period", calendar="Calendar"),
            "since": config.DateColumn("From", format="YYYY-MM-DD"),
            "until": config.DateColumn("Before", format="YYYY-MM-DD"),
            **make_number_columns(mentions="Mentions", documents="Documents"),
        }
        place = draw_row_list(table, columns, "timeline-periods", "The periods that are mentioned most")
        draw_download("kalends-periods", table.num_rows, lambda: table)
    if place is not None:
        row = table.slice(place, 1).to_pylist()[0]
        open_page("search", during=f"{row['since']} to {row['until'] - timedelta(days=1)}")


ROWS_A_PAGE = 20
MEANING = (
    "A period is missing when no report covers it although it lies between the first and the last period that the "
    "company's reports cover."
)
COMPANIES, DOCUMENTS = "Companies", "Documents"  # Kinds of rows.
_INTERVALS = (Interval.QUARTER, Interval.YEAR, Interval.MONTH)
_FULL_COLOUR_MENTIONS = 20  # Mentions from which on a period that is only mentioned is drawn in full colour.
_MARGIN_DAYS = 400  # Days before the first and after the last report in which mentions are drawn too.
_MAX_NAMED = 8  # Companies without a report of a period that are named.
_MAX_LISTED = 60  # Missing periods that are listed one by one.

CalendarRow = tuple[CoverageRow, list[PeriodCoverage]]  # A company or a document with its periods.


def draw_coverage(warehouse: Warehouse) -> None:
    """Draw the filters and the calendar of coverage."""
    companies, extent = _list_cached_companies(warehouse), _find_cached_extent(warehouse)
    kind, interval, companies = _draw_coverage_filters(companies)
    count = len(companies) if kind == COMPANIES else count_documents(warehouse)
    if extent is None or not count:
        if kind == COMPANIES and not companies:
            cure = "Add 10-K and 10-Q filings, earnings releases or annual reports: each company gets a row here."
            st.html(render_empty_state("No document here is a report of a company.", cure))
        else:
            cure = "Add documents whose text mentions dates, quarters or years"
            cure = f"{cure}: each appears here with the periods it mentions."
            st.html(render_empty_state("No document here mentions a period.", cure))
        return
    first = (select_page(count, ROWS_A_PAGE, "coverage-page") - 1) * ROWS_A_PAGE
    if kind == COMPANIES:
        rows = build_company_rows(warehouse, companies[first : first + ROWS_A_PAGE])
    else:
        rows = build_document_rows(warehouse, first, ROWS_A_PAGE)
    days = _choose_days(rows, extent)
    _draw_calendar([(row, compute_period_coverage(row, interval, *days)) for row in rows], interval)


def _draw_coverage_filters(companies: Sequence[Company]) -> tuple[str, Interval, list[Company]]:
    with st.container(key="filters"):
        left, middle, right = st.columns([2, 2, 4])
    default_index = 0 if companies else 1
    kind = (
        left.selectbox("Rows", (COMPANIES, DOCUMENTS), default_index, **state.bind_field("timeline", "lines"))
        or COMPANIES
    )
    options = {
        "format_func": lambda interval: str(interval).capitalize(),
        **state.bind_field("timeline", "coverage-interval"),
    }
    interval = middle.selectbox("Interval", _INTERVALS, 0, **options) or Interval.QUARTER
    if kind != COMPANIES:
        return kind, interval, list(companies)
    options = {"placeholder": "Any company", **state.bind_field("timeline", "coverage-company")}
    names = right.multiselect("Company", [company.name for company in companies], **options)
    return kind, interval, [company for company in companies if not names or company.name in names]


def _choose_days(rows: Sequence[CoverageRow], extent: DateExtent) -> tuple[date, date]:
    """The days to draw: those of the reports and `_MARGIN_DAYS`, or without reports the usual days of mentions."""
    reports = [report for row in rows for report in row.reports]
    if not reports:
        return extent.typical
    first, last = (
        date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))
        for day, days in (
            (min(report.start for report in reports), -_MARGIN_DAYS),
            (max(report.end for report in reports), _MARGIN_DAYS),
        )
    )
    return first, last


def _draw_calendar(rows: Sequence[CalendarRow], interval: Interval) -> None:
    data = [entry for row, periods in rows for entry in _build_chart_rows(row, periods)]
    if not data:
        cure = "Choose other rows or a longer interval."
        st.html(render_empty_state("None of these mentions a period of that length.", cure))
        return
    missing = [sentence for row, periods in rows for sentence in describe_missing_periods(row.name, periods)]
    summary = "; ".join(missing) or "no period is missing"
    st.altair_chart(chart_coverage(data, [row.name for row, _ in rows]), alt=f"Which periods reports cover: {summary}")
    st.caption(
        "Periods are of each company's own fiscal year. The paler a period that is only mentioned, the less often."
    )
    if any(row.follows for row, _ in rows):
        _draw_missing(rows, missing, interval)
    draw_download("kalends-coverage", len(data), lambda: pa.Table.from_pylist(data))


def _draw_missing(rows: Sequence[CalendarRow], missing: Sequence[str], interval: Interval) -> None:
    """Draw the list of missing periods, of quarters that only a longer report covers, and of silent companies."""
    st.header("Missing periods", anchor=False)
    reporting = [row for row, _ in rows if row.reports]
    silent = [row.name for row, _ in rows if not row.reports]
    if not reporting:
        cure = "10-K and 10-Q filings and earnings releases do, on their cover or in their headline."
        st.html(render_empty_state("None of these reports says which period it covers.", cure))
        return
    if missing:
        st.html(render_list("k-missing", list(map(escape_text, missing)), _MAX_LISTED))
    elif any(len({report.start for report in row.reports}) > 1 for row in reporting):
        st.html(render_note("No period is missing."))
    else:
        st.html(render_note("A company with a single report has no period between its first and its last report."))
    sentences = [sentence for row, periods in rows for sentence in describe_unreported_quarters(row.name, periods)]
    if sentences and interval is Interval.QUARTER:
        st.html(render_list("k-missing", list(map(escape_text, sentences)), _MAX_LISTED))
    st.caption(MEANING)
    if silent:
        names, others = ", ".join(silent[:_MAX_NAMED]), len(silent) - _MAX_NAMED
        end = f" and {others} more." if others > 0 else "" if names.endswith(".") else "."
        st.caption(f"No report of these says which period it covers: {names}{end}")


def _build_chart_rows(row: CoverageRow, periods: Sequence[PeriodCoverage]) -> list[dict[str, Any]]:
    return [
        {
            "line": row.name,
            "period": period.period.name,
            "days": format_days(period.period.start, period.period.end),
            "start": period.period.start,
            "end": period.period.end,
            "middle": period.period.start + (period.period.end - period.period.start) / 2,
            "cover": period.cover.value,
            "mentions": period.mentions,
            "reports": ", ".join(dict.fromkeys(report.name for report in period.reports)),
            "strength": _compute_strength(period),
        }
        for period in periods
    ]


def _compute_strength(period: PeriodCoverage) -> float:
    """The opacity of a period, 0 to 1: 1 where reports cover it, 0.1 where it is missing, else by its mentions."""
    if period.cover is CoverageKind.MENTIONED:
        return min(1.0, log1p(period.mentions) / log1p(_FULL_COLOUR_MENTIONS))
    return 0.1 if period.cover is CoverageKind.MISSING else 1.0


VIEWS = {"Over time": draw_mentions, "Coverage": draw_coverage, "One figure": draw_figure}
