"""Values of one figure in all documents, by period and document, with restatements and doubtful scales marked."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from statistics import median

from tasks.ask.figures.figure_cells import FigureCell
from tasks.ask.figures.figure_query import parse_figure_query
from tasks.ask.figures.figure_search import FigureMatch, search_figures
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry

ALIKE = 0.8
"""How well a row must fit beside the best one to be of the series, if it also says what such a row says."""
SURELY = 0.05
"""By how much less well a figure may fit than the best one to be of the series without that."""
_LENGTHS = ((1, "at a day"), (35, "month"), (125, "quarter"), (200, "half year"), (290, "nine months"), (385, "year"))
_FAR = 300.0
"""By which factor a value must differ from the middle one for its scale to be doubted: thousands are one of 1,000."""
_MOST_OF = 3
"""Values from which on most of them say how large such a value is."""
_SAME_DIGITS = 0.001
_OTHER_SCALE = "an earlier document has the same digits in another scale"
_NAMELESS = r"(sub-?)?totals?|others?(, net)?|net|amounts?|thereafter|[\d\W]+|balances?( (as of|at|on) .*)?"
"""Rows that say nothing of what they count: sums of whatever stands above them, years and days."""
_LABELS = """
    SELECT row_header, count(DISTINCT document_id) AS documents, count(*) AS cells FROM cells
    WHERE "value" IS NOT NULL AND period_start IS NOT NULL AND row_header <> ''
        AND NOT regexp_full_match(lower(row_header), $nameless)
        AND (len($documents) = 0 OR document_id IN (SELECT unnest($documents)))
    GROUP BY row_header ORDER BY documents DESC, cells DESC, row_header LIMIT $most
"""


@dataclass(frozen=True, slots=True)
class FigureValue:
    """A value for a period (half-open) as a document says it, `told` being its day; `length` is of the period.

    `was` is the value that an earlier document gave for the period, where that is another: it is restated here.
    `doubt` says why the value is not sure; empty where nothing speaks against it.
    """

    figure: FigureCell
    source: str
    told: date | None
    length: str
    was: float | None = None
    doubt: str = ""

    @property
    def value(self) -> float:
        """In units."""
        return self.figure.value or 0.0

    @property
    def unit(self) -> str:
        """Currency and unit, if it has them."""
        return " ".join(part for part in (self.figure.currency, self.figure.unit) if part)


def figure_labels(warehouse: Warehouse, documents: Sequence[str], most: int = 400) -> list[str]:
    """What rows of figures with a period are called, those of most documents first; "Total" alone names none."""
    given = {"documents": list(documents), "most": most, "nameless": _NAMELESS}
    rows = warehouse.snapshot.rows(_LABELS, given)
    return [str(label) for label, _, _ in rows]


def figure_series(warehouse: Warehouse, item: str, documents: tuple[str, ...], today: date) -> list[FigureValue]:
    """The values of an item in some documents, or in all if there are none; by period, and then by who said it first.

    Raises `BadInput` for an item that says nothing.
    """
    fits = [
        fit
        for fit in search_figures(warehouse, parse_figure_query(warehouse, item, "", documents, today))
        if _is_dated(fit.figure)
    ]
    chosen = _one_a_document(_of_one_row(fits))
    entries = warehouse.snapshot.entries({fit.figure.document_id for fit in chosen})
    periods: defaultdict[tuple[object, ...], list[FigureMatch]] = defaultdict(list)
    for fit in chosen:
        periods[_period(fit.figure)].append(fit)
    every = [said for key in sorted(periods, key=str) for said in _compared(periods[key], entries)]
    ordered = sorted(every, key=lambda said: (said.figure.period_end, said.figure.period_start, said.told or date.max))
    return with_doubts(ordered)


def with_doubts(said: Sequence[FigureValue]) -> list[FigureValue]:
    """The values, those in doubt whose scale cannot be that of most of their unit and length: by a factor of `_FAR`."""
    alike: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for each in said:
        if each.value:
            alike[each.unit, each.length].append(abs(each.value))
    usual = {key: median(values) for key, values in alike.items() if len(values) >= _MOST_OF}
    made = []
    for each in said:
        middle = usual.get((each.unit, each.length), 0.0)
        times = max(abs(each.value) / middle, middle / abs(each.value)) if middle and each.value else 1.0
        if times >= _FAR and not each.doubt:
            than = "larger" if abs(each.value) > middle else "smaller"
            doubt = f"about {times:,.0f} times {than} than most values here: its scale may be another"
            made.append(replace(each, doubt=doubt))
        else:
            made.append(each)
    return made


def length_of(start: date, end: date) -> str:
    """What a period of so many days is called."""
    days = (end - start).days
    return next((name for most, name in _LENGTHS if days <= most), "longer")


def differ(one: FigureCell, other: FigureCell) -> bool:
    """Whether two figures cannot be one value rounded: they are further apart than their last digits allow."""
    apart = abs((one.value or 0.0) - (other.value or 0.0))
    return apart > (_last_digit(one) + _last_digit(other)) / 2 * (1 + 1e-9)


def _of_one_row(fits: Sequence[FigureMatch]) -> list[FigureMatch]:
    """The figures that fit best, and rows nearly so called that say of some period what those say of it.

    "Revenue" is "Total revenue" where a quarter of both is the same; net sales of a segment are not net sales.
    """
    best = max((fit.called for fit in fits), default=0.0)
    sure = [fit for fit in fits if fit.called >= best - SURELY]
    known: defaultdict[tuple[object, ...], list[FigureCell]] = defaultdict(list)
    for fit in sure:
        known[_period(fit.figure)].append(fit.figure)
    confirmed = {
        _row(fit.figure)
        for fit in fits
        if fit.called >= ALIKE * best and any(not differ(fit.figure, each) for each in known[_period(fit.figure)])
    }
    return [fit for fit in fits if fit in sure or _row(fit.figure) in confirmed]


def _compared(fits: Sequence[FigureMatch], entries: Mapping[str, CatalogEntry]) -> list[FigureValue]:
    """What documents say of one period, the earliest document first."""
    ordered = sorted(fits, key=lambda fit: (entries[fit.figure.document_id].document_date or date.max, -fit.called))
    told = []
    for place, fit in enumerate(ordered):
        before = ordered[place - 1].figure if place else None
        entry = entries[fit.figure.document_id]
        scaled = before is not None and is_other_scale(before, fit.figure)
        told.append(
            FigureValue(
                fit.figure,
                entry.file.source,
                entry.document_date,
                length_of(*_span(fit.figure)),
                before.value if before is not None and not scaled and differ(before, fit.figure) else None,
                fit.figure.doubt or (_OTHER_SCALE if scaled else ""),
            )
        )
    return told


def is_other_scale(one: FigureCell, other: FigureCell) -> bool:
    """Whether two figures are the same digits with another scale: 52,604 and 52,604 million."""
    if not one.value or not other.value or one.scale == other.scale or one.value * other.value < 0:
        return False
    ratio = one.value / one.scale / (other.value / other.scale)
    return abs(ratio - 1) <= _SAME_DIGITS


def _one_a_document(fits: Iterable[FigureMatch]) -> list[FigureMatch]:
    """Of each document the figure that fits best for each period: totals come before their parts."""
    best: dict[tuple[object, ...], FigureMatch] = {}
    for fit in fits:
        key = (fit.figure.document_id, *_period(fit.figure))
        if key not in best or (fit.called, fit.score) > (best[key].called, best[key].score):
            best[key] = fit
    return list(best.values())


def _is_dated(figure: FigureCell) -> bool:
    return figure.value is not None and figure.period_start is not None and figure.period_end is not None


def _span(figure: FigureCell) -> tuple[date, date]:
    return figure.period_start or date.min, figure.period_end or date.min


def _period(figure: FigureCell) -> tuple[object, ...]:
    """Periods of one length that end in the same month are one: weeks make fiscal quarters end on other days."""
    start, end = _span(figure)
    last = end.year * 12 + end.month - (end.day <= 10)
    return (length_of(start, end), last, figure.unit)


def _row(figure: FigureCell) -> tuple[str, int, int]:
    return figure.document_id, figure.table, figure.row


def _last_digit(figure: FigureCell) -> float:
    """What one of the last digit that is printed is worth."""
    after = _DECIMALS.search(figure.text)
    return figure.scale * 10.0 ** -(len(after[1]) if after else 0)


_DECIMALS = re.compile(r"\.(\d+)(?!.*\d)")
