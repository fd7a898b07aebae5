"""View of one figure through all documents: its values with restatements and doubts, as a chart and as a list."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode

import pyarrow as pa
import streamlit as st
from streamlit import column_config as config

from dashboards.html.safe_text import format_markdown_label, render_empty_state, render_note
from dashboards.pages.timeline.timeline_charts import FIRST, IN_DOUBT, REPEATED, RESTATED, chart_figure
from dashboards.widgets import state
from dashboards.widgets.data_elements import draw_download
from dashboards.widgets.resources import cache_query
from tasks.ask.figures.figure_cells import SCALES, FigureCell
from tasks.ask.figures.figure_query import parse_figure_query
from tasks.ask.figures.figure_search import FigureMatch, search_figures
from tasks.coverage import list_companies
from tasks.quality.phrases import format_count
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry
from warehouse.search.periods import format_days
from warehouse.store.catalog import read_queries

_SQL = read_queries(Path(__file__).with_name("queries.sql"))

ALIKE = 0.8  # Share of the best fit from which a row is in the series if it also agrees with it on some period.
SURELY = 0.05  # Distance from the best fit within which a figure belongs to the series without such an agreement.
_LENGTHS = ((1, "at a day"), (35, "month"), (125, "quarter"), (200, "half year"), (290, "nine months"), (385, "year"))
_DOUBTFUL_FACTOR = 300.0
"""Factor between a value and the median from which its scale is in doubt; a missed "in thousands" makes 1,000."""
_MIN_VALUES_FOR_MEDIAN = 3  # The least number of values whose median shows how large such a value usually is.
_SAME_DIGITS = 0.001  # Relative difference up to which two values without their scales have the same digits.
_OTHER_SCALE = "an earlier document has the same digits in another scale"
_NAMELESS = r"(sub-?)?totals?|others?(, net)?|net|amounts?|thereafter|[\d\W]+|balances?( (as of|at|on) .*)?"
"""Pattern of row headers that do not name a figure: sums of the rows above them, years and days."""
_DECIMALS = re.compile(r"\.(\d+)(?!.*\d)")


@dataclass(frozen=True, slots=True)
class FigureValue:
    """Value of a figure for a half-open period in one document; `length` is that of the period, in words.

    `earlier` is the value that an earlier document has for the period, where the two differ: the value is restated.
    `doubt` says why the value is not certain, "" for a certain one.
    """

    figure: FigureCell
    source: str
    document_date: date | None
    length: str
    earlier: float | None = None
    doubt: str = ""

    @property
    def value(self) -> float:
        """The value in single units, independent of the scale that it is printed in."""
        return self.figure.value or 0.0

    @property
    def unit(self) -> str:
        """Currency and unit, as far as they are known."""
        return " ".join(part for part in (self.figure.currency, self.figure.unit) if part)


def list_figure_labels(warehouse: Warehouse, documents: Sequence[str], limit: int = 400) -> list[str]:
    """Headers of rows with dated figures, those of most documents first; "Total" alone is left out."""
    parameters = {"documents": list(documents), "most": limit, "nameless": _NAMELESS}
    return [str(label) for label, _, _ in warehouse.snapshot.query_rows(_SQL["labels"], parameters)]


def find_figure_series(warehouse: Warehouse, item: str, documents: tuple[str, ...], today: date) -> list[FigureValue]:
    """The values of an item in the documents, or in all without any, by period, then by date. May raise `BadInput`."""
    matches = search_figures(warehouse, parse_figure_query(warehouse, item, "", documents, today))
    needed_columns = ("value", "period_start", "period_end")
    fits = [fit for fit in matches if all(getattr(fit.figure, name) is not None for name in needed_columns)]
    # Of each document and period the figure that fits best: totals fit better than their parts.
    best: dict[tuple[object, ...], FigureMatch] = {}
    for fit in _select_one_row(fits):
        key = (fit.figure.document_id, *_make_period_key(fit.figure))
        if key not in best or (fit.label_score, fit.score) > (best[key].label_score, best[key].score):
            best[key] = fit
    entries = warehouse.snapshot.read_entries({fit.figure.document_id for fit in best.values()})
    periods: defaultdict[tuple[object, ...], list[FigureMatch]] = defaultdict(list)
    for fit in best.values():
        periods[_make_period_key(fit.figure)].append(fit)
    values = [value for key in sorted(periods, key=str) for value in _compare_documents(periods[key], entries)]
    values.sort(key=lambda value: (value.figure.period_end, value.figure.period_start, value.document_date or date.max))
    return mark_doubtful_scales(values)


def mark_doubtful_scales(values: Sequence[FigureValue]) -> list[FigureValue]:
    """The values, with a doubt for each that is far (`_DOUBTFUL_FACTOR`) from the median of its unit and length."""
    amounts_by_kind: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for series_value in values:
        if series_value.value:
            amounts_by_kind[series_value.unit, series_value.length].append(abs(series_value.value))
    medians = {
        key: median(amounts) for key, amounts in amounts_by_kind.items() if len(amounts) >= _MIN_VALUES_FOR_MEDIAN
    }
    checked_values = []
    for series_value in values:
        middle = medians.get((series_value.unit, series_value.length), 0.0)
        times = (
            max(abs(series_value.value) / middle, middle / abs(series_value.value))
            if middle and series_value.value
            else 1.0
        )
        if times >= _DOUBTFUL_FACTOR and not series_value.doubt:
            than = "larger" if abs(series_value.value) > middle else "smaller"
            doubt = f"about {times:,.0f} times {than} than most values here: its scale may be another"
            checked_values.append(replace(series_value, doubt=doubt))
        else:
            checked_values.append(series_value)
    return checked_values


def describe_length(start: date, end: date) -> str:
    """The length of a period in words: "quarter"."""
    days = (end - start).days
    return next((name for limit, name in _LENGTHS if days <= limit), "longer")


def is_different_value(one: FigureCell, other: FigureCell) -> bool:
    """Whether two figures cannot be one value rounded: they differ by more than their last digits allow.

    The sign of a figure that the filer tags is the concept's, so that only sizes can be compared with it.
    """
    values = one.value or 0.0, other.value or 0.0
    first, second = map(abs, values) if one.concept or other.concept else values
    difference = abs(first - second)
    return difference > (_compute_last_digit(one) + _compute_last_digit(other)) / 2 * (1 + 1e-9)


def _select_one_row(fits: Sequence[FigureMatch]) -> list[FigureMatch]:
    """The figures that fit best, and those of rows with a similar name that agree with them on some period.

    "Revenue" is "Total revenue" where a quarter of both is the same; net sales of a segment are not net sales.
    """
    best = max((fit.label_score for fit in fits), default=0.0)
    sure = [fit for fit in fits if fit.label_score >= best - SURELY]
    by_period: defaultdict[tuple[object, ...], list[FigureCell]] = defaultdict(list)
    for fit in sure:
        by_period[_make_period_key(fit.figure)].append(fit.figure)
    confirmed_fits = {
        _make_row_key(fit.figure)
        for fit in fits
        if fit.label_score >= ALIKE * best
        and any(not is_different_value(fit.figure, figure) for figure in by_period[_make_period_key(fit.figure)])
    }
    return [fit for fit in fits if fit in sure or _make_row_key(fit.figure) in confirmed_fits]


def _compare_documents(fits: Sequence[FigureMatch], entries: Mapping[str, CatalogEntry]) -> list[FigureValue]:
    days = {name: entry.document_date or date.max for name, entry in entries.items()}
    ordered_fits = sorted(fits, key=lambda fit: (days[fit.figure.document_id], -fit.label_score))
    values = []
    for index, fit in enumerate(ordered_fits):
        before = ordered_fits[index - 1].figure if index else None
        entry = entries[fit.figure.document_id]
        has_other_scale = before is not None and is_other_scale(before, fit.figure)
        values.append(
            FigureValue(
                fit.figure,
                entry.file.source,
                entry.document_date,
                describe_length(*_get_span(fit.figure)),
                before.value
                if before is not None and not has_other_scale and is_different_value(before, fit.figure)
                else None,
                fit.figure.doubt or (_OTHER_SCALE if has_other_scale else ""),
            )
        )
    return values


def is_other_scale(one: FigureCell, other: FigureCell) -> bool:
    """Whether two figures are the same digits with another scale: 52,604 and 52,604 million."""
    if not one.value or not other.value or one.scale == other.scale or one.value * other.value < 0:
        return False
    ratio = one.value / one.scale / (other.value / other.scale)
    return abs(ratio - 1) <= _SAME_DIGITS


def _get_span(figure: FigureCell) -> tuple[date, date]:
    return figure.period_start or date.min, figure.period_end or date.min


def _make_period_key(figure: FigureCell) -> tuple[object, ...]:
    """Key of a period: its length, the month of its end and the unit. Fiscal quarters of weeks end on varying days."""
    start, end = _get_span(figure)
    last = end.year * 12 + end.month - (end.day <= 10)
    return (describe_length(start, end), last, figure.unit)


def _make_row_key(figure: FigureCell) -> tuple[str, int, int]:
    return figure.document_id, figure.table, figure.row


def _compute_last_digit(figure: FigureCell) -> float:
    """The value of one unit of the last printed digit."""
    after = _DECIMALS.search(figure.text)
    return figure.scale * 10.0 ** -(len(after[1]) if after else 0)


_COLUMNS = ("period", "value", "unit", "text", "scale", "was", "doubt", "label", "source", "page", "open")
_LARGE_UNITS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"), (1e3, "thousand"))


_list_cached_companies = cache_query(4)(list_companies)
_list_cached_labels = cache_query(32)(list_figure_labels)
_find_cached_series = cache_query(64)(find_figure_series)


def draw_figure(warehouse: Warehouse) -> None:
    """Draw the choice of a company and a row of its tables, and the values of that row in all its documents."""
    companies = _list_cached_companies(warehouse)
    with st.container(key="filters"):
        first, second = st.columns(2)
    names = [company.name for company in companies]
    options = {"placeholder": "Choose a company", **state.bind_field("timeline", "company")}
    name = first.selectbox("Company", names, 0 if len(names) == 1 else None, **options)
    documents = next((company.documents for company in companies if company.name == name), ())
    rows = _list_cached_labels(warehouse, documents)
    item = second.selectbox(
        "Figure",
        rows,
        None,
        accept_new_options=True,
        format_func=lambda text: format_markdown_label(text, 120),
        placeholder="Choose a row of the tables, or write one",
        **state.bind_field("timeline", "item"),
    )
    if not rows and not item and (name or len(companies) < 2):
        cure = "Add filings or spreadsheets whose tables have years, quarters or days in their headers."
        st.html(render_empty_state(f"No table{f' of {name}' if name else ''} has figures with a period.", cure))
        return
    if len(companies) > 1 and not name:
        cure = "Choose one: a figure is followed through its documents."
        st.html(render_empty_state("No company is chosen yet.", cure))
        return
    if not item:
        cure = "Choose a row of the tables: revenue, assets, a margin."
        st.html(render_empty_state("No figure is chosen yet.", cure))
        return
    with st.spinner("Searching the tables …"):
        series_values = _find_cached_series(warehouse, item, documents, datetime.now(UTC).date())
    if not series_values:
        cure = "Choose another row, or other words for it."
        st.html(render_empty_state(f"No table has “{item}” with a period.", cure))
        return
    _draw_values(item, _select_one_kind(series_values))


def _select_one_kind(series_values: Sequence[FigureValue]) -> list[FigureValue]:
    """The values of one length of period and one unit: the most frequent, or those that are chosen."""
    lengths = [name for name, _ in Counter(series_value.length for series_value in series_values).most_common()]
    length, options = lengths[0], state.bind_field("timeline", "length")
    if len(lengths) > 1:
        length = st.segmented_control("Period length", lengths, default=length, required=True, **options) or length
    same_length = [series_value for series_value in series_values if series_value.length == length]
    units = [unit for unit, _ in Counter(value.unit for value in same_length).most_common()]
    unit, options = units[0], {"format_func": lambda text: format_markdown_label(text or "plain numbers")}
    if len(units) > 1:
        options["key"] = state.make_key("timeline", "unit")
        unit = st.segmented_control("Unit", units, default=unit, required=True, **options) or unit
    return [value for value in same_length if value.unit == unit]


def _draw_values(item: str, values: Sequence[FigureValue]) -> None:
    restated_values = [series_value for series_value in values if series_value.earlier is not None]
    in_doubt = [series_value for series_value in values if series_value.doubt]
    unit, sizes = values[0].unit, sorted(abs(series_value.value) for series_value in values if series_value.value)
    # The scale of the axis is the largest that most values reach.
    middle = sizes[len(sizes) // 2] if sizes else 0.0
    scale, scale_name = next(((scale, name) for scale, name in _LARGE_UNITS if middle >= scale), (1.0, ""))
    rows = [_build_figure_row(place, values, scale) for place in range(len(values))]
    title = ", ".join(filter(None, (unit or "Value", scale_name)))
    summary = ", ".join(
        f"{series_value.value:,.6g} to {series_value.figure.period_end}" for series_value in values[:30]
    )
    st.altair_chart(chart_figure(rows, title), alt=f"{item} by period: {summary}")
    for restated_value in restated_values:
        amounts = (
            f"{_format_amount(restated_value.earlier or 0.0, unit)} became {_format_amount(restated_value.value, unit)}"
        )
        st.html(
            render_note(f"Restated for {_format_period(restated_value.figure)}: {amounts} in {restated_value.source}.")
        )
    for value in in_doubt:
        st.html(render_note(f"In doubt for {_format_period(value.figure)} in {value.source}: {value.doubt}."))
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
        counts = [format_count(len(values), "value"), format_count(len(restated_values), "restatement")]
        st.caption(", ".join([*counts, f"{len(in_doubt)} in doubt"] if in_doubt else counts))
        draw_download("kalends-figure", len(rows), lambda: pa.Table.from_pylist(rows))


def _format_amount(value: float, unit: str) -> str:
    return f"{value:,.10g}{f' {unit}' if unit else ''}"


def _format_period(figure: FigureCell) -> str:
    start, end = figure.period_start, figure.period_end
    return format_days(start, end) if start and end else ""


def _build_figure_row(index: int, values: Sequence[FigureValue], scale: float) -> dict[str, Any]:
    """A value as a row of the chart and of the list; the values are in order of their periods."""
    series_value, figure = values[index], values[index].figure
    cell = f"{figure.row}.{figure.column}"
    before = values[index - 1] if index else None
    after = values[index + 1] if index + 1 < len(values) else None
    again = before is not None and before.figure.period_end == figure.period_end
    kinds = (
        (IN_DOUBT, series_value.doubt),
        (RESTATED, series_value.earlier is not None),
        (REPEATED, again),
        (FIRST, True),
    )
    return {
        "period": _format_period(figure),
        "last": figure.period_end - timedelta(days=1) if figure.period_end else None,
        "value": series_value.value,
        "drawn": series_value.value / scale,
        "shown": _format_amount(series_value.value, series_value.unit),
        "text": " ".join(figure.text.split()),
        "scale": SCALES.get(figure.scale, "units" if figure.scale == 1.0 else f"× {figure.scale:,g}"),
        "unit": series_value.unit,
        "was": series_value.earlier,
        "doubt": series_value.doubt or None,
        "label": figure.row_header,
        "column": figure.column_header,
        "source": series_value.source,
        "page": figure.page,
        "kind": next(kind for kind, holds in kinds if holds),
        "latest": after is None or after.figure.period_end != figure.period_end,
        "open": f"/tables?{urlencode({'document': figure.document_id, 'table': figure.table, 'cell': cell})}",
    }
