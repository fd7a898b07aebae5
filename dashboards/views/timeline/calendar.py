"""The coverage calendar: companies, or documents, by period, with the holes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import ceil, log1p
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboards.charts.timeline import coverage
from dashboards.drawing.notices import nothing_html
from dashboards.drawing.timeline.holes import holes_html
from dashboards.facts.timeline.companies import companies
from dashboards.facts.timeline.coverage import Cover, Square, holes, squares
from dashboards.facts.timeline.lines import Line, count_documents, of_companies, of_documents
from dashboards.facts.timeline.spoken import Grain, usual_days
from dashboards.views import state
from dashboards.views.downloading import offer
from warehouse.reader import Warehouse

SIZE = 20
"""Lines of a page."""
_WITHIN = "That is: from the first fiscal year that a company reports on to the last of its reports."
_GRAINS = (Grain.QUARTER, Grain.YEAR, Grain.MONTH)
_MUCH = 20
"""Mentions from which on a square that is only spoken of is as full as it gets."""


def draw_calendar(warehouse: Warehouse) -> None:
    """Draw the choice and the calendar."""
    usual = usual_days(warehouse)
    owners = companies(warehouse)
    with st.container(key="filters"):
        left, middle, right = st.columns([2, 2, 4])
    of = left.selectbox(
        "Lines", ("Companies", "Documents"), 0 if owners else 1, key=state.key("timeline", "lines"), bind="query-params"
    )
    grain = (
        middle.selectbox(
            "Periods of a", _GRAINS, 0, key=state.key("timeline", "coverage-interval"), bind="query-params"
        )
        or Grain.QUARTER
    )
    if of == "Companies":
        picked = right.multiselect(
            "Company",
            [each.name for each in owners],
            key=state.key("timeline", "coverage-company"),
            bind="query-params",
            placeholder="Any company",
        )
        owners = [each for each in owners if not picked or each.name in picked]
    count = len(owners) if of == "Companies" else count_documents(warehouse)
    if usual is None or not count:
        cure = "Reports that say whose they are, and of which period, appear here."
        st.html(nothing_html("There is nothing to lay out.", cure))
        return
    number = _number(count)
    first = (number - 1) * SIZE
    if of == "Companies":
        shown = of_companies(warehouse, owners[first : first + SIZE])
    else:
        shown = of_documents(warehouse, first, SIZE)
    _draw([(line, squares(line, grain, *_days(line, usual))) for line in shown])


def _number(count: int) -> int:
    pages = max(1, ceil(count / SIZE))
    return (
        1
        if pages == 1
        else min(st.pagination(pages, key=state.key("timeline", "coverage-page"), bind="query-params"), pages)
    )


def _days(line: Line, usual: tuple[date, date]) -> tuple[date, date]:
    """All that is usual, and all that the line reports on."""
    starts = (report.start for report in line.reports)
    ends = (report.end for report in line.reports)
    return min((usual[0], *starts)), max((usual[1], *ends))


def _draw(made: Sequence[tuple[Line, list[Square]]]) -> None:
    rows = [row for line, found in made for row in _rows(line, found)]
    if not rows:
        st.html(nothing_html("None of these names a period.", "Choose others, or longer periods."))
        return
    missing = [sentence for line, found in made for sentence in holes(line.name, found)]
    told = "; ".join(missing) or "no holes"
    st.altair_chart(coverage(rows, [line.name for line, _ in made]), alt=f"Which periods reports cover: {told}")
    st.caption(
        "Periods are those of each company's own fiscal year; the paler a square that is only spoken of, the less "
        "often it is named."
    )
    if any(line.reports and line.follows for line, _ in made):
        st.header("Holes", anchor=False)
        st.html(holes_html(missing) if missing else nothing_html("No period is missing.", _WITHIN))
    offer("kalends-coverage", len(rows), lambda: pa.Table.from_pylist(rows))


def _rows(line: Line, found: Sequence[Square]) -> list[dict[str, Any]]:
    return [
        {
            "line": line.name,
            "period": square.period.name,
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


def _strength(square: Square) -> float:
    """How full it is drawn: what is certain whole, what is spoken of by how often, a hole as a pale place."""
    if square.cover is Cover.SPOKEN:
        return min(1.0, log1p(square.mentions) / log1p(_MUCH))
    return 0.1 if square.cover is Cover.HOLE else 1.0
