"""Values of one figure in all documents, by period and document, with restatements and doubtful scales marked."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from statistics import median

from dashboards.pages import read_queries
from tasks.ask.figures.figure_cells import FigureCell
from tasks.ask.figures.figure_query import parse_figure_query
from tasks.ask.figures.figure_search import FigureMatch, search_figures
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry

_SQL = read_queries("timeline")

ALIKE = 0.8  # Share of the best fit from which on a row is of the series if it also agrees with it on some period.
SURELY = 0.05  # Distance from the best fit within which a figure is of the series without such an agreement.
_LENGTHS = ((1, "at a day"), (35, "month"), (125, "quarter"), (200, "half year"), (290, "nine months"), (385, "year"))
_DOUBTFUL_FACTOR = 300.0
"""Factor between a value and the median from which on its scale is in doubt; a missed "in thousands" makes 1,000."""
_LEAST_FOR_MEDIAN = 3  # Values from which on their median tells how large such a value usually is.
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
        """The value in single units, whatever scale it is printed in."""
        return self.figure.value or 0.0

    @property
    def unit(self) -> str:
        """Currency and unit, as far as they are known."""
        return " ".join(part for part in (self.figure.currency, self.figure.unit) if part)


def figure_labels(warehouse: Warehouse, documents: Sequence[str], most: int = 400) -> list[str]:
    """Headers of rows with dated figures, those of most documents first; "Total" alone is left out."""
    parameters = {"documents": list(documents), "most": most, "nameless": _NAMELESS}
    rows = warehouse.snapshot.rows(_SQL["labels"], parameters)
    return [str(label) for label, _, _ in rows]


def figure_series(warehouse: Warehouse, item: str, documents: tuple[str, ...], today: date) -> list[FigureValue]:
    """The values of an item in some documents, or in all where none are given; by period, then by document date.

    Raises `BadInput` for an item without a word to search for.
    """
    matches = search_figures(warehouse, parse_figure_query(warehouse, item, "", documents, today))
    needed = ("value", "period_start", "period_end")
    fits = [fit for fit in matches if all(getattr(fit.figure, name) is not None for name in needed)]
    best = _one_a_document(_of_one_row(fits))
    entries = warehouse.snapshot.entries({fit.figure.document_id for fit in best})
    periods: defaultdict[tuple[object, ...], list[FigureMatch]] = defaultdict(list)
    for fit in best:
        periods[_period(fit.figure)].append(fit)
    values = [value for key in sorted(periods, key=str) for value in _compare_documents(periods[key], entries)]
    values.sort(key=lambda value: (value.figure.period_end, value.figure.period_start, value.document_date or date.max))
    return mark_doubtful_scales(values)


def mark_doubtful_scales(values: Sequence[FigureValue]) -> list[FigureValue]:
    """The values, with a doubt for each that is far (`_DOUBTFUL_FACTOR`) from the median of its unit and length."""
    alike: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for each in values:
        if each.value:
            alike[each.unit, each.length].append(abs(each.value))
    medians = {key: median(amounts) for key, amounts in alike.items() if len(amounts) >= _LEAST_FOR_MEDIAN}
    marked = []
    for each in values:
        middle = medians.get((each.unit, each.length), 0.0)
        times = max(abs(each.value) / middle, middle / abs(each.value)) if middle and each.value else 1.0
        if times >= _DOUBTFUL_FACTOR and not each.doubt:
            than = "larger" if abs(each.value) > middle else "smaller"
            doubt = f"about {times:,.0f} times {than} than most values here: its scale may be another"
            marked.append(replace(each, doubt=doubt))
        else:
            marked.append(each)
    return marked


def length_of(start: date, end: date) -> str:
    """The length of a period in words: "quarter"."""
    days = (end - start).days
    return next((name for most, name in _LENGTHS if days <= most), "longer")


def is_different_value(one: FigureCell, other: FigureCell) -> bool:
    """Whether two figures cannot be one value rounded: they are further apart than their last digits allow."""
    apart = abs((one.value or 0.0) - (other.value or 0.0))
    return apart > (_last_digit(one) + _last_digit(other)) / 2 * (1 + 1e-9)


def _of_one_row(fits: Sequence[FigureMatch]) -> list[FigureMatch]:
    """The figures that fit best, and those of rows with a similar name that agree with them on some period.

    "Revenue" is "Total revenue" where a quarter of both is the same; net sales of a segment are not net sales.
    """
    best = max((fit.label_score for fit in fits), default=0.0)
    sure = [fit for fit in fits if fit.label_score >= best - SURELY]
    by_period: defaultdict[tuple[object, ...], list[FigureCell]] = defaultdict(list)
    for fit in sure:
        by_period[_period(fit.figure)].append(fit.figure)
    confirmed = {
        _row(fit.figure)
        for fit in fits
        if fit.label_score >= ALIKE * best
        and any(not is_different_value(fit.figure, each) for each in by_period[_period(fit.figure)])
    }
    return [fit for fit in fits if fit in sure or _row(fit.figure) in confirmed]


def _compare_documents(fits: Sequence[FigureMatch], entries: Mapping[str, CatalogEntry]) -> list[FigureValue]:
    """The values of one period, the earliest document first, each compared with the one before it."""
    days = {name: entry.document_date or date.max for name, entry in entries.items()}
    ordered = sorted(fits, key=lambda fit: (days[fit.figure.document_id], -fit.label_score))
    values = []
    for place, fit in enumerate(ordered):
        before = ordered[place - 1].figure if place else None
        entry = entries[fit.figure.document_id]
        scaled = before is not None and is_other_scale(before, fit.figure)
        values.append(
            FigureValue(
                fit.figure,
                entry.file.source,
                entry.document_date,
                length_of(*_span(fit.figure)),
                before.value if before is not None and not scaled and is_different_value(before, fit.figure) else None,
                fit.figure.doubt or (_OTHER_SCALE if scaled else ""),
            )
        )
    return values


def is_other_scale(one: FigureCell, other: FigureCell) -> bool:
    """Whether two figures are the same digits with another scale: 52,604 and 52,604 million."""
    if not one.value or not other.value or one.scale == other.scale or one.value * other.value < 0:
        return False
    ratio = one.value / one.scale / (other.value / other.scale)
    return abs(ratio - 1) <= _SAME_DIGITS


def _one_a_document(fits: Iterable[FigureMatch]) -> list[FigureMatch]:
    """The figure of each document that fits best for each period: totals fit better than their parts."""
    best: dict[tuple[object, ...], FigureMatch] = {}
    for fit in fits:
        key = (fit.figure.document_id, *_period(fit.figure))
        if key not in best or (fit.label_score, fit.score) > (best[key].label_score, best[key].score):
            best[key] = fit
    return list(best.values())


def _span(figure: FigureCell) -> tuple[date, date]:
    return figure.period_start or date.min, figure.period_end or date.min


def _period(figure: FigureCell) -> tuple[object, ...]:
    """Key of a period: its length, the month of its end and the unit. Fiscal quarters of weeks end on varying days."""
    start, end = _span(figure)
    last = end.year * 12 + end.month - (end.day <= 10)
    return (length_of(start, end), last, figure.unit)


def _row(figure: FigureCell) -> tuple[str, int, int]:
    return figure.document_id, figure.table, figure.row


def _last_digit(figure: FigureCell) -> float:
    """The value of one unit of the last printed digit."""
    after = _DECIMALS.search(figure.text)
    return figure.scale * 10.0 ** -(len(after[1]) if after else 0)
