"""The end of a company's fiscal years as a person states it: a day of the year, or a weekday by the end of a month.

09-30                                  September 30; where the texts count weeks to that month's end, by those weeks
exactly 09-30                          September 30 in every year, whatever the texts say
last Saturday of September             years of 52 or 53 weeks
Saturday nearest the end of September  years of 52 or 53 weeks
"""

from __future__ import annotations

import re
from calendar import day_name, month_name, monthrange
from dataclasses import dataclass
from datetime import date

from warehouse.errors import BadInput
from warehouse.records.fiscal import MONTH_END, FiscalCalendar, Weeks

CURE = "write it as MM-DD (09-30), 'last Saturday of September' or 'Saturday nearest the end of September'"
_MONTHS = {name.lower(): number for number, name in enumerate(month_name) if name}
_DAYS = {name.lower(): number for number, name in enumerate(day_name)}
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)}|{'|'.join(name[:3] for name in _MONTHS)}|\d{{1,2}})(?:[ -]\d{{1,2}})?"
_DAY = rf"(?:the )?(?P<day>{'|'.join(_DAYS)}|{'|'.join(name[:3] for name in _DAYS)})"
_OF_YEAR = re.compile(r"(?P<exactly>exactly )?(?P<month>\d{1,2})-(?P<day>\d{1,2})", re.IGNORECASE)
_LAST = re.compile(rf"(?:the )?last (?P<day>{'|'.join(_DAYS)}) (?:of|in) {_MONTH}", re.IGNORECASE)
_NEAREST = re.compile(rf"{_DAY} (?:nearest|closest)(?: to)?(?: the)?(?: (?:end|last day) of)? {_MONTH}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class YearEndRule:
    """Fiscal years end on `day` of `month` (`MONTH_END`: its last), or by `weeks` at the end of that month.

    `exactly` forbids to refine the day by what texts say of weeks.
    """

    month: int
    day: int = MONTH_END
    weeks: Weeks | None = None
    exactly: bool = False

    def __str__(self) -> str:
        if self.weeks is None:
            day = min(self.day, monthrange(2001, self.month)[1])
            return f"{'exactly ' if self.exactly else ''}{self.month:02d}-{day:02d}"
        weekday, month = day_name[self.weeks.weekday], month_name[self.month]
        return f"{weekday} nearest the end of {month}" if self.weeks.nearest else f"last {weekday} of {month}"

    @property
    def in_words(self) -> str:
        """The rule as it goes on after "fiscal years end"."""
        if self.exactly and not self.weeks:
            return f"exactly on {str(self).removeprefix('exactly ')}"
        return f"on the {self}" if self.weeks else f"on {self}"


def year_end_rule(text: str) -> YearEndRule:
    """The rule that a text states. Raises `BadInput` for any other text."""
    plain = " ".join(text.split())
    if found := _OF_YEAR.fullmatch(plain):
        month, day = int(found["month"]), int(found["day"])
        try:
            date(2000, month, day)
        except ValueError:
            raise BadInput(f"'{plain}' is no day of the year", CURE) from None
        last = MONTH_END if day >= monthrange(2001, month)[1] else day
        return YearEndRule(month, last, exactly=bool(found["exactly"]))
    for pattern, nearest in ((_LAST, False), (_NEAREST, True)):
        found = pattern.fullmatch(plain)
        if found and (number := _month(found["month"])):
            return YearEndRule(number, weeks=Weeks(_weekday(found["day"]), nearest))
    raise BadInput(f"'{plain[:80]}' does not say when fiscal years end", CURE)


def rule_of(calendar: FiscalCalendar) -> YearEndRule:
    """When the fiscal years of a calendar end."""
    weeks = Weeks(calendar.weeks.weekday, calendar.weeks.nearest) if calendar.weeks else None
    return YearEndRule(calendar.last_month, MONTH_END if weeks else calendar.last_day, weeks)


def _month(text: str) -> int:
    """The number of a month, 0 for none."""
    if text.isdigit():
        return int(text) if 1 <= int(text) <= 12 else 0
    return next(number for name, number in _MONTHS.items() if name.startswith(text.lower()))


def _weekday(text: str) -> int:
    return next(number for name, number in _DAYS.items() if name.startswith(text.lower()))
