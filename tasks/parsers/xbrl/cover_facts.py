"""Facts that the tags of a filing's cover give: company, form, period, fiscal year, symbols.

The names are those of the SEC's document and entity information (dei), of IFRS and ESEF, and of the British accounts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from warehouse.records import Fact
from warehouse.records.calendars import DAY, FULL_YEAR, QUARTER, WEEK, Interval, YearEnd, add_months

_COMPANY_NAMES = (
    "EntityRegistrantName", "NameOfReportingEntityOrOtherMeansOfIdentification", "EntityCurrentLegalOrRegisteredName",
)  # fmt: skip
_PERIOD_END_NAMES = ("DocumentPeriodEndDate", "DateOfEndOfReportingPeriod2013", "EndDateForPeriodCoveredByReport")
_DATE = re.compile(r"(?:19|20)\d\d-\d\d-\d\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SYMBOL = re.compile(r"[A-Z0-9][A-Z0-9.\-/]{0,11}")
_NO_SYMBOLS = frozenset(["NONE", "N/A", "NA", "TBD"])
_QUARTERS = {**{f"Q{number}": number for number in range(1, 5)}, "FY": 4}
_PERIOD_DAYS = {**dict.fromkeys(("Q1", "Q2", "Q3", "Q4"), (77, 119)), "FY": (350, 380)}
"""Days of a quarter, of twelve to seventeen weeks, and of a year."""
_PERIOD_MONTHS = {**dict.fromkeys(("Q1", "Q2", "Q3", "Q4"), -3), "FY": -12}
_YEARLY_FORMS = ("10-K", "20-F", "40-F", "11-K")
_COVER_WEIGHT = 100  # Mentions in the text that have the weight of the cover's tag.
_BASIS = "the tags of the cover"


@dataclass(frozen=True, slots=True)
class CoverTags:
    """The facts of the cover's tags; empty or None where it has no such tag.

    `last` is the last day of the period, `period` the days that are reported on, half-open, `name` the name of
    that period ("Q2 2025", "FY2024"). `year_end` is the last day of the fiscal year in which the period lies, and
    `fiscal_year` its name.
    """

    company: str = ""
    form: str = ""
    symbols: tuple[str, ...] = ()
    last: date | None = None
    period: Interval | None = None
    name: str = ""
    year_end: date | None = None
    fiscal_year: int | None = None
    quarter: int = 0

    @property
    def year_ends(self) -> tuple[YearEnd, ...]:
        """The evidence of the ends of fiscal years and quarters, with the weight of a statement by the filer."""
        ends = []
        if self.year_end:
            end, name = self.year_end, self.fiscal_year
            ends.append(YearEnd(end.month, end.day, FULL_YEAR, _BASIS, end.year, 4, name, times=_COVER_WEIGHT))
        if self.last and 0 < self.quarter < 4:
            last = self.last
            ends.append(YearEnd(last.month, last.day, QUARTER, _BASIS, last.year, self.quarter, self.fiscal_year))
        return tuple(ends)


@lru_cache(maxsize=8)
def read_cover_tags(facts: tuple[Fact, ...]) -> CoverTags:
    """The facts that the tags of a document's cover give; several stages ask for them."""
    by_name: dict[str, Fact] = {}
    for fact in facts:
        if fact.content and not fact.is_numeric:
            by_name.setdefault(fact.name, fact)

    def get_content(*names: str) -> str:
        return next((by_name[name].content.strip() for name in names if name in by_name), "")

    company = next((by_name[name] for name in _COMPANY_NAMES if name in by_name), None)
    form, focus = get_content("DocumentType"), get_content("DocumentFiscalPeriodFocus").upper()
    cover = by_name.get("DocumentType")
    last = next(filter(None, (_parse_day(get_content(name)) for name in _PERIOD_END_NAMES)), None)
    if last is None and company and company.period_end and not form:
        last = company.period_end - DAY
    if not focus and last and _is_year(cover or company) and (not form or form.startswith(_YEARLY_FORMS)):
        focus = "FY"
    stated_year = get_content("DocumentFiscalYearFocus")
    fiscal_year = int(stated_year) if _YEAR.fullmatch(stated_year) else last.year if last and focus == "FY" else None
    period = _find_period(facts, focus, last) if last and focus in _QUARTERS else None
    return CoverTags(
        get_content(*_COMPANY_NAMES),
        form,
        tuple(dict.fromkeys(_iter_symbols(facts))),
        last,
        period,
        f"{focus}{'' if focus == 'FY' else ' '}{fiscal_year}" if period and fiscal_year else "",
        _compute_year_end(get_content("CurrentFiscalYearEndDate"), last, focus),
        fiscal_year,
        _QUARTERS.get(focus, 0),
    )


def _iter_symbols(facts: Iterable[Fact]) -> Iterator[str]:
    for fact in facts:
        symbol = fact.content.strip().upper()
        if fact.name == "TradingSymbol" and _SYMBOL.fullmatch(symbol) and symbol not in _NO_SYMBOLS:
            yield symbol


def _parse_day(text: str) -> date | None:
    """The day in a text, of 1900 to 2099; None for any other text."""
    try:
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def _is_year(fact: Fact | None) -> bool:
    return fact is not None and _has_length(fact, "FY")


def _has_length(fact: Fact, focus: str) -> bool:
    min_days, max_days = _PERIOD_DAYS[focus]
    start, end = fact.period_start, fact.period_end
    return start is not None and end is not None and min_days <= (end - start).days <= max_days


def _compute_year_end(text: str, last: date | None, focus: str) -> date | None:
    """The last day of the fiscal year that a period ends in: the next day of the year that the tag names.

    Years of weeks end some days before or after the day of another year, so a period of one year ends on its last day.
    """
    if last is None or focus == "FY":
        return last
    ends = (_parse_day(f"{year}-{text.removeprefix('--')}") for year in (last.year, last.year + 1))
    return next((end for end in ends if end and end >= last - WEEK), None)


def _find_period(facts: Iterable[Fact], focus: str, last: date) -> Interval:
    """The days of the quarter or year that ends on a day: the period of most facts of that length that end there."""
    end = last + DAY
    starts = Counter(fact.period_start for fact in facts if fact.period_end == end and _has_length(fact, focus))
    return max(filter(None, starts), key=starts.__getitem__, default=add_months(end, _PERIOD_MONTHS[focus])), end
