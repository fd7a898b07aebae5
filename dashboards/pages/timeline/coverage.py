"""View of coverage: companies, or documents, by period, with the missing periods."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import log1p
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.html.safe_text import list_html, note_html, nothing_html, text_html
from dashboards.pages.timeline.timeline_charts import coverage_chart
from dashboards.pages.timeline.timeline_queries import DateExtent, date_extent
from dashboards.widgets import state
from dashboards.widgets.data_elements import draw_download, select_page
from dashboards.widgets.resources import cached_query
from tasks.coverage import (
    Company,
    CoverageKind,
    CoverageRow,
    Interval,
    PeriodCoverage,
    company_rows,
    count_documents,
    document_rows,
    list_companies,
    missing_periods,
    period_coverage,
    unreported_quarters,
)
from warehouse.reader import Warehouse
from warehouse.search.periods import days_words

ROWS_A_PAGE = 20
MEANING = (
    "A period is missing when no report covers it although it lies between the first and the last period that the "
    "company's reports cover."
)
COMPANIES, DOCUMENTS = "Companies", "Documents"  # Kinds of rows.
_INTERVALS = (Interval.QUARTER, Interval.YEAR, Interval.MONTH)
_MUCH = 20  # Mentions from which on a period that is only mentioned is drawn in full colour.
_AROUND = 400  # Days before the first and after the last report in which mentions are drawn too.
_MOST_NAMED = 8  # Companies without a report of a period that are named.
_MOST_LISTED = 60  # Missing periods that are listed one by one.

CalendarRow = tuple[CoverageRow, list[PeriodCoverage]]  # A company or a document with its periods.


_cached_companies = cached_query(4)(list_companies)
_cached_extent = cached_query(4)(date_extent)


def draw_coverage(warehouse: Warehouse) -> None:
    """Draw the filters and the calendar of coverage."""
    companies, extent = _cached_companies(warehouse), _cached_extent(warehouse)
    kind, interval, companies = _draw_filters(companies)
    count = len(companies) if kind == COMPANIES else count_documents(warehouse)
    if extent is None or not count:
        if kind == COMPANIES and not companies:
            cure = "Add 10-K and 10-Q filings, earnings releases or annual reports: each company gets a row here."
            st.html(nothing_html("No document here is a report of a company.", cure))
        else:
            cure = "Add documents whose text mentions dates, quarters or years"
            cure = f"{cure}: each appears here with the periods it mentions."
            st.html(nothing_html("No document here mentions a period.", cure))
        return
    first = (select_page(count, ROWS_A_PAGE, "coverage-page") - 1) * ROWS_A_PAGE
    if kind == COMPANIES:
        rows = company_rows(warehouse, companies[first : first + ROWS_A_PAGE])
    else:
        rows = document_rows(warehouse, first, ROWS_A_PAGE)
    days = _days(rows, extent)
    _draw_calendar([(row, period_coverage(row, interval, *days)) for row in rows], interval)


def _draw_filters(companies: Sequence[Company]) -> tuple[str, Interval, list[Company]]:
    with st.container(key="filters"):
        left, middle, right = st.columns([2, 2, 4])
    usual = 0 if companies else 1
    kind = left.selectbox("Rows", (COMPANIES, DOCUMENTS), usual, **state.binding("timeline", "lines")) or COMPANIES
    options = {"format_func": lambda each: str(each).capitalize(), **state.binding("timeline", "coverage-interval")}
    interval = middle.selectbox("Interval", _INTERVALS, 0, **options) or Interval.QUARTER
    if kind != COMPANIES:
        return kind, interval, list(companies)
    options = {"placeholder": "Any company", **state.binding("timeline", "coverage-company")}
    names = right.multiselect("Company", [each.name for each in companies], **options)
    return kind, interval, [each for each in companies if not names or each.name in names]


def _days(rows: Sequence[CoverageRow], extent: DateExtent) -> tuple[date, date]:
    """The days that are drawn: those of the reports and `_AROUND`, or where there are none, those mentioned mostly."""
    reports = [report for row in rows for report in row.reports]
    if not reports:
        return extent.usual
    first, last = (
        date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))
        for day, days in (
            (min(each.start for each in reports), -_AROUND),
            (max(each.end for each in reports), _AROUND),
        )
    )
    return first, last


def _draw_calendar(rows: Sequence[CalendarRow], interval: Interval) -> None:
    data = [entry for row, periods in rows for entry in _chart_data(row, periods)]
    if not data:
        cure = "Choose other rows or a longer interval."
        st.html(nothing_html("None of these mentions a period of that length.", cure))
        return
    missing = [sentence for row, periods in rows for sentence in missing_periods(row.name, periods)]
    summary = "; ".join(missing) or "no period is missing"
    st.altair_chart(coverage_chart(data, [row.name for row, _ in rows]), alt=f"Which periods reports cover: {summary}")
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
        st.html(nothing_html("None of these reports says which period it covers.", cure))
        return
    if missing:
        st.html(list_html("k-missing", list(map(text_html, missing)), _MOST_LISTED))
    elif any(len({report.start for report in row.reports}) > 1 for row in reporting):
        st.html(note_html("No period is missing."))
    else:
        st.html(note_html("A company with a single report has no period between its first and its last report."))
    unreported = [sentence for row, periods in rows for sentence in unreported_quarters(row.name, periods)]
    if unreported and interval is Interval.QUARTER:
        st.html(list_html("k-missing", list(map(text_html, unreported)), _MOST_LISTED))
    st.caption(MEANING)
    if silent:
        names, others = ", ".join(silent[:_MOST_NAMED]), len(silent) - _MOST_NAMED
        more = f" and {others} more" if others > 0 else ""
        st.caption(f"No report of these says which period it covers: {names}{more}.")


def _chart_data(row: CoverageRow, periods: Sequence[PeriodCoverage]) -> list[dict[str, Any]]:
    return [
        {
            "line": row.name,
            "period": each.period.name,
            "days": days_words(each.period.start, each.period.end),
            "start": each.period.start,
            "end": each.period.end,
            "middle": each.period.start + (each.period.end - each.period.start) / 2,
            "cover": each.cover.value,
            "mentions": each.mentions,
            "reports": ", ".join(dict.fromkeys(report.name for report in each.reports)),
            "strength": _strength(each),
        }
        for each in periods
    ]


def _strength(period: PeriodCoverage) -> float:
    """Opacity, 0 to 1: full where reports cover it, by the number of mentions where they do not, pale where missing."""
    if period.cover is CoverageKind.MENTIONED:
        return min(1.0, log1p(period.mentions) / log1p(_MUCH))
    return 0.1 if period.cover is CoverageKind.MISSING else 1.0
