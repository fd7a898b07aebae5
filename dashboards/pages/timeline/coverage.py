"""View of coverage: companies, or documents, by period, with the missing periods."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import ceil, log1p
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.drawing.escaping import text_html
from dashboards.drawing.notices import note_html, nothing_html
from dashboards.pages.timeline.cached_queries import known_companies, known_extent
from dashboards.pages.timeline.charts import coverage_chart
from dashboards.pages.timeline.queries import DateExtent
from dashboards.widgets import state
from dashboards.widgets.downloading import draw_download
from tasks.coverage.calendar import (
    CoverageKind,
    Interval,
    PeriodCoverage,
    missing_periods,
    period_coverage,
    unreported_quarters,
)
from tasks.coverage.companies import Company, CoverageRow, company_rows, count_documents, document_rows
from warehouse.reader import Warehouse
from warehouse.search.period_words import days_words

SIZE = 20
"""Lines of a page."""
MEANING = (
    "A period is missing when no report covers it although it lies between the first and the last period that the "
    "company's reports cover."
)
_GRAINS = (Interval.QUARTER, Interval.YEAR, Interval.MONTH)
_ROWS = ("Companies", "Documents")
_MUCH = 20
"""Mentions from which on a period that is only mentioned is as dark as it gets."""
_AROUND = 400
"""Days before the first and after the last report in which mentions are drawn too."""
_MOST_NAMED = 8
_MOST_LISTED = 60
"""Missing periods that are listed one by one."""


def draw_calendar(warehouse: Warehouse) -> None:
    """Draw the choice and the calendar."""
    owners = known_companies(warehouse)
    extent = known_extent(warehouse)
    of, grain, owners = _asked(owners)
    count = len(owners) if of == _ROWS[0] else count_documents(warehouse)
    if extent is None or not count:
        _nothing(of, bool(owners))
        return
    first = (_number(count) - 1) * SIZE
    if of == _ROWS[0]:
        shown = company_rows(warehouse, owners[first : first + SIZE])
    else:
        shown = document_rows(warehouse, first, SIZE)
    ends = _ends(shown, extent)
    _draw([(line, period_coverage(line, grain, *ends)) for line in shown], grain)


def _asked(owners: Sequence[Company]) -> tuple[str, Interval, list[Company]]:
    """What the rows are, the interval of the columns, and the companies that are chosen."""
    with st.container(key="filters"):
        left, middle, right = st.columns([2, 2, 4])
    of = left.selectbox(
        "Rows", _ROWS, 0 if owners else 1, key=state.key("timeline", "lines"), bind="query-params"
    ) or _ROWS[0]  # fmt: skip
    grain = middle.selectbox(
        "Interval",
        _GRAINS,
        0,
        key=state.key("timeline", "coverage-interval"),
        bind="query-params",
        format_func=lambda each: str(each).capitalize(),
    )
    if of != _ROWS[0]:
        return of, grain or Interval.QUARTER, list(owners)
    picked = right.multiselect(
        "Company",
        [each.name for each in owners],
        key=state.key("timeline", "coverage-company"),
        bind="query-params",
        placeholder="Any company",
    )
    return of, grain or Interval.QUARTER, [each for each in owners if not picked or each.name in picked]


def _nothing(of: str, there: bool) -> None:  # noqa: FBT001
    if of == _ROWS[0] and not there:
        st.html(
            nothing_html(
                "No document here is a report of a company.",
                "Add 10-K and 10-Q filings, earnings releases or annual reports: each company gets a row here.",
            )
        )
        return
    cure = "Add documents whose text mentions dates, quarters or years: each appears here with the periods it mentions."
    st.html(nothing_html("No document here mentions a period.", cure))


def _number(count: int) -> int:
    pages = max(1, ceil(count / SIZE))
    if pages == 1:
        return 1
    return min(st.pagination(pages, key=state.key("timeline", "coverage-page"), bind="query-params"), pages)


def _ends(lines: Sequence[CoverageRow], extent: DateExtent) -> tuple[date, date]:
    """The days that are drawn: those of the reports and a year around, or what is mostly mentioned without reports."""
    starts = [report.start for line in lines for report in line.reports]
    ends = [report.end for line in lines for report in line.reports]
    if not starts:
        return extent.usual
    return _moved(min(starts), -_AROUND), _moved(max(ends), _AROUND)


def _moved(moment: date, days: int) -> date:
    return date.fromordinal(min(max(moment.toordinal() + days, 1), date.max.toordinal()))


def _draw(made: Sequence[tuple[CoverageRow, list[PeriodCoverage]]], grain: Interval) -> None:
    rows = [row for line, found in made for row in _rows(line, found)]
    if not rows:
        st.html(
            nothing_html("None of these mentions a period of that length.", "Choose other rows or a longer interval.")
        )
        return
    missing = [sentence for line, found in made for sentence in missing_periods(line.name, found)]
    told = "; ".join(missing) or "no period is missing"
    st.altair_chart(coverage_chart(rows, [line.name for line, _ in made]), alt=f"Which periods reports cover: {told}")
    st.caption(
        "Periods are of each company's own fiscal year. The paler a period that is only mentioned, the less often."
    )
    if any(line.follows for line, _ in made):
        _missing(made, missing, grain)
    draw_download("kalends-coverage", len(rows), lambda: pa.Table.from_pylist(rows))


def _missing(made: Sequence[tuple[CoverageRow, list[PeriodCoverage]]], missing: Sequence[str], grain: Interval) -> None:
    st.header("Missing periods", anchor=False)
    reporting = [line for line, _ in made if line.reports]
    silent = [line.name for line, _ in made if not line.reports]
    if not reporting:
        cure = "10-K and 10-Q filings and earnings releases do, on their cover or in their headline."
        st.html(nothing_html("None of these reports says which period it covers.", cure))
        return
    if missing:
        st.html(_list_html(missing))
    elif any(len({report.start for report in line.reports}) > 1 for line in reporting):
        st.html(note_html("No period is missing."))
    else:
        st.html(note_html("With one report of a company nothing lies between the first and the last."))
    longer = [sentence for line, found in made for sentence in unreported_quarters(line.name, found)]
    if longer and grain is Interval.QUARTER:
        st.html(_list_html(longer))
    st.caption(MEANING)
    if silent:
        named = ", ".join(silent[:_MOST_NAMED])
        more = f" and {len(silent) - _MOST_NAMED} more" if len(silent) > _MOST_NAMED else ""
        st.caption(f"No report of these says which period it covers: {named}{more}.")


def _list_html(sentences: Sequence[str]) -> str:
    """A bulleted list of at most `_MOST_LISTED` sentences about periods, and the number of the others."""
    items = "".join(f"<li>{text_html(each)}</li>" for each in sentences[:_MOST_LISTED])
    more = f"<li>and {len(sentences) - _MOST_LISTED:,} more</li>" if len(sentences) > _MOST_LISTED else ""
    return f'<ul class="k-missing">{items}{more}</ul>'


def _rows(line: CoverageRow, found: Sequence[PeriodCoverage]) -> list[dict[str, Any]]:
    return [
        {
            "line": line.name,
            "period": square.period.name,
            "days": days_words(square.period.start, square.period.end),
            "start": square.period.start,
            "end": square.period.end,
            "middle": square.period.start + (square.period.end - square.period.start) / 2,
            "cover": square.cover.value,
            "mentions": square.mentions,
            "reports": ", ".join(dict.fromkeys(report.name for report in square.reports)),
            "strength": _strength(square),
        }
        for square in found
    ]


def _strength(square: PeriodCoverage) -> float:
    """How dark it is drawn: what is certain fully, what is only mentioned by how often, a missing period palely."""
    if square.cover is CoverageKind.MENTIONED:
        return min(1.0, log1p(square.mentions) / log1p(_MUCH))
    return 0.1 if square.cover is CoverageKind.MISSING else 1.0
