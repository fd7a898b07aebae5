"""Figures that the filer tags as data: which fact a cell shows, the cell in the filer's terms, and their comparison.

The printed table is first read without the tags. If both give the same kind of figure and differ by more than rounding,
the cell has a doubt: the tag may be wrong, or the table may have been read wrongly.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from math import isclose

from tasks.tables.frames import FigureKind
from tasks.tables.numbers import Number
from warehouse.records import Cell, Fact, TableCorrection
from warehouse.records.calendars import Interval

_MARKS = re.compile(r"\((?:\d{1,2}|[a-z])\)|\[(?:\d{1,2}|[a-z])\]")  # Marks of footnotes beside a figure.
_DIGIT, _WORD = re.compile(r"\d"), re.compile(r"\w")
_SHARES = {-2: ("%", "pp"), -4: ("bp",)}
"""The units in which ratios are printed that a tag scales by these powers of ten, the usual one first."""
_UNIT_POWERS = {unit: power for power, units in _SHARES.items() for unit in units}
_DOLLARS = frozenset(["USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN", "BRL"])
_YEN = frozenset(["JPY", "CNY"])
"""Currencies that share a sign: the filer's tag decides which of them a bare sign means."""
_KINDS = {
    "money": (FigureKind.AMOUNT,),
    "money per": (FigureKind.PER,),
    "shares": (FigureKind.SHARES,),
    "pure": (FigureKind.PERCENT, FigureKind.RATIO),
}
_DAY, _PERIOD_TOLERANCE, _YEAR_TOLERANCE = timedelta(days=1), timedelta(days=15), timedelta(days=200)
"""The tolerance between periods that mean the same: quarters of weeks, and fiscal years named by a year's number."""
_MIN_LENGTH, _LENGTH_TOLERANCE = timedelta(days=27), timedelta(days=30)
_LENGTH = re.compile(r"\b(?:months?|weeks?|quarters?|years?|period)\b.{0,20}\bend", re.IGNORECASE)


class TaggedFigures:
    """The tagged figures of a document, by their positions in its text."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        """`facts` are the document's; those that are no figures, or are not in its text, are ignored."""
        facts_in_text = (fact for fact in facts if fact.is_numeric and fact.start is not None)
        self._facts = sorted(facts_in_text, key=lambda fact: (fact.start or 0, -(fact.end or 0), fact.number))
        self._starts = [fact.start or 0 for fact in self._facts]

    def __bool__(self) -> bool:
        return bool(self._facts)

    def find_fact(self, text: str, start: int, *, is_figure: bool) -> Fact | None:
        """The fact that a cell with a text at `start` shows: the first one that contains all its digits.

        None if the cell has other digits beside it, except the mark of a footnote, or other words, unless it
        `is_figure`: a label that mentions an amount is not a figure.
        """
        end, index = start + len(text), bisect_left(self._starts, start)
        for fact in self._facts[index:]:
            first, last = fact.start or 0, fact.end or 0
            if first >= end:
                return None
            other_text = f"{text[: first - start]} {text[last - start :]}"
            if last <= end and not (_DIGIT if is_figure else _WORD).search(_MARKS.sub("", other_text)):
                return fact
        return None


def with_fact(
    cell: Cell, fact: Fact, number: Number | None, kind: FigureKind, correction: TableCorrection | None
) -> Cell:
    """A cell with the value, unit, scale, currency and period that the filer gives it.

    `cell` is the cell as read without the tag, `number` its number and `kind` what that measures. A person's
    correction takes precedence: a figure that the tag scales otherwise keeps the person's scale.
    """
    value, unit, scale = fact.value, fact.unit, fact.scale
    power = round(Decimal(str(scale)).log10()) if scale > 0 else 0
    if fact.currency:
        unit = ""
    elif unit == "pure":
        units = _SHARES.get(power, ("",))
        unit = cell.unit if cell.unit in units else units[0]
        if unit and value is not None:
            value, scale = float(Decimal(fact.content).scaleb(-power)), 1.0
    tagged_cell = replace(
        cell,
        value=value,
        unit=unit,
        scale=scale if value is not None else 1.0,
        currency=fact.currency,
        period_start=fact.period_start or cell.period_start,
        period_end=fact.period_end or cell.period_end,
        doubt="",
        concept=fact.concept,
        fact=fact.number,
    )
    if correction is not None:
        is_scaled = correction.scale is not None and cell.value is not None and value is not None
        if is_scaled and not isclose(abs(cell.value or 0.0), abs(value or 0.0), rel_tol=1e-9):
            return cell
        if correction.currency and fact.currency:
            tagged_cell = replace(tagged_cell, currency=cell.currency)
    reasons = (_describe_value_difference(cell, fact, number, kind), _describe_period_difference(cell, fact))
    return replace(tagged_cell, doubt="; ".join(filter(None, reasons)))


def _classify_fact(fact: Fact) -> str:
    if fact.currency:
        return "money per" if "/" in fact.unit else "money"
    return fact.unit


def _describe_value_difference(cell: Cell, fact: Fact, number: Number | None, kind: FigureKind) -> str:
    """The difference of a printed figure from its tag in value or unit; empty if they agree or cannot be compared."""
    if number is None or cell.value is None or fact.value is None or cell.doubt:
        return ""
    printed_value = cell.value * 10.0 ** _UNIT_POWERS.get(cell.unit, 0)
    difference = f"the printed table reads {_format_value(cell.value, cell.currency or cell.unit)}, "
    difference += f"the filer's tag says {_format_value(fact.value, fact.unit)}"
    is_money = bool(fact.currency)
    if (number.currency and not is_money) or (number.unit in _UNIT_POWERS and is_money):
        return difference
    if kind not in _KINDS.get(_classify_fact(fact), (FigureKind.COUNT,)):
        return ""
    if is_money and cell.currency and not _may_be_same_currency(cell.currency, fact.currency):
        return difference
    rounding = 0.5 * 10.0**-fact.decimals if fact.decimals is not None else 0.0
    distance = abs(abs(printed_value) - abs(fact.value))
    return "" if isclose(abs(printed_value), abs(fact.value), rel_tol=1e-9) or distance <= rounding else difference


def _may_be_same_currency(currency: str, tag: str) -> bool:
    return currency == tag or any(currency in sign and tag in sign for sign in (_DOLLARS, _YEN))


def _format_value(value: float, unit: str) -> str:
    return f"{value:,.10g}{f' {unit}' if unit else ''}"


def _describe_period_difference(cell: Cell, fact: Fact) -> str:
    """The difference of the headers' period from the tag's; empty if they may mean the same."""
    header_period, tag_period = (
        _make_interval(cell.period_start, cell.period_end),
        _make_interval(fact.period_start, fact.period_end),
    )
    if (
        header_period is None
        or tag_period is None
        or _may_be_same_period(header_period, tag_period, cell.column_header)
    ):
        return ""
    days = " to ".join
    periods = (days((str(first), str(last - _DAY))) for first, last in (header_period, tag_period))
    return "the printed table is of {}, the filer's tag of {}".format(*periods)


def _make_interval(start: date | None, end: date | None) -> Interval | None:
    return (start, end) if start and end else None


def _may_be_same_period(header_period: Interval, tag_period: Interval, header: str) -> bool:
    """Whether headers that were read as one period may be those of a figure tagged with another."""
    is_year = header_period == (
        date(header_period[0].year, 1, 1),
        date(min(header_period[0].year + 1, date.max.year), 1, 1),
    )
    tolerance = _YEAR_TOLERANCE if is_year else _PERIOD_TOLERANCE
    length, tagged_length = header_period[1] - header_period[0], tag_period[1] - tag_period[0]
    # Balances are dated at the end of a period or on the day before it; a bare date heads a period that ended on it.
    if header_period[0] - tag_period[1] >= tolerance or tag_period[0] - header_period[1] >= tolerance:
        return False
    both_long = length > _MIN_LENGTH and tagged_length > _MIN_LENGTH
    if both_long and not is_year and _LENGTH.search(header):
        return abs(length - tagged_length) <= _LENGTH_TOLERANCE
    return True
