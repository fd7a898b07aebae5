"""English ranges: "from March to May 2021", "between 2014 and 2016", "2019-2021", "Jan-Feb 2017", "2015 to date"."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.temporal import readings
from tasks.temporal.english.combinations import DATED, THE
from tasks.temporal.english.lexicon import MONTH, MONTHS, YEAR, S, month
from tasks.temporal.grammar import GrammarRule, JoinedItems, Signal, SignalRole, rule
from tasks.temporal.meanings.clocks import Clock, Timed
from tasks.temporal.meanings.company import Period
from tasks.temporal.meanings.offsets import Shift
from tasks.temporal.meanings.recurrences import Recurring, Within
from tasks.temporal.meanings.spans import Between
from tasks.temporal.meanings.units import month_of_year
from tasks.temporal.readings import FixedDate, Meaning, Vague
from warehouse.records import Grain

_DASH = re.compile(r"\s?[-–—~]\s?")
_SIDES = (*DATED, Timed, Clock)
_TODAY = Shift(Grain.DAY, 0)
_NAME = r"(?-i:(?=[A-Z]))"


def _between(first: Meaning, last: Meaning) -> Meaning:
    """From fiscal 2015 to 2018: both are fiscal."""
    if isinstance(first, Period) and isinstance(last, Period) and first.fiscal and first.grain is last.grain:
        last = replace(last, fiscal=True)
    return Between(first, _TODAY if isinstance(last, Vague) else last)


def _until_now(first: Meaning, last: Vague) -> Meaning | None:
    return _between(first, last) if last.value == "PRESENT_REF" else None


def _from_now(first: Vague, last: Meaning) -> Meaning | None:
    return Between(_TODAY, last) if first.value == "PRESENT_REF" else None


def _plain(first: Meaning, signal: Signal, last: Meaning) -> Meaning | None:
    """Without "from" the two are a range where they are of one size: "2014 to 2018", not "on Monday to 2018"."""
    alike = first.grain is last.grain or {first.grain, last.grain} <= {Grain.DAY, Grain.MONTH}
    return _between(first, last) if signal.modifier or alike else None


def _in_week(week: Shift, days: Between) -> Meaning | None:
    """Next week between Wednesday and Friday."""
    first, last = days.first, days.last
    if isinstance(first, Recurring) and isinstance(last, Recurring) and first.parent is last.parent is week.grain:
        return Between(Within(first, week), Within(last, week))
    return None


def _months(match: re.Match[str]) -> Meaning:
    """Abbreviated months stand alone only beside each other."""
    first, last, year = month(match["first"]), month(match["last"]), match["year"]
    if year is None:
        return Between(month_of_year(first), month_of_year(last))
    return Between(month_of_year(first), FixedDate(readings.of_month(int(year), last)))


RULES: tuple[GrammarRule, ...] = (
    rule(
        MONTHS,
        rf"{_NAME}(?P<first>{MONTH})(?:\s?[-–—/]\s?|{S}(?:to|through|thru|until|till){S}){_NAME}(?P<last>{MONTH})"
        rf"(?![-–/0-9])(?!{S}[0-3]?[0-9](?:st|nd|rd|th|,|\b))(?:(?:,{S}?|{S}(?:of{S})?)(?P<year>{YEAR}))?",
        _months,
    ),
)
RANGES: tuple[JoinedItems, ...] = (
    JoinedItems(
        (SignalRole.FROM, _SIDES, SignalRole.TO, _SIDES), lambda _f, first, _t, last: _between(first, last), THE
    ),
    JoinedItems(
        (SignalRole.FROM, _SIDES, SignalRole.TO, Vague), lambda _f, first, _t, last: _until_now(first, last), THE
    ),
    JoinedItems(
        (SignalRole.FROM, Vague, SignalRole.TO, _SIDES), lambda _f, first, _t, last: _from_now(first, last), THE
    ),
    JoinedItems(
        (SignalRole.BETWEEN, _SIDES, SignalRole.AND, _SIDES), lambda _b, first, _a, last: _between(first, last), THE
    ),
    JoinedItems(
        (SignalRole.BETWEEN, _SIDES, SignalRole.AND, Vague), lambda _b, first, _a, last: _until_now(first, last), THE
    ),
    JoinedItems(
        (SignalRole.BETWEEN, Vague, SignalRole.AND, _SIDES), lambda _b, first, _a, last: _from_now(first, last), THE
    ),
    JoinedItems(
        (SignalRole.BETWEEN, _SIDES, SignalRole.TO, _SIDES), lambda _b, first, _t, last: _between(first, last), THE
    ),
    JoinedItems((_SIDES, SignalRole.TO, _SIDES), _plain, THE),
    JoinedItems((DATED, (*DATED, Timed)), lambda first, last: None if first == last else _between(first, last), _DASH),
    JoinedItems((Shift, Between), _in_week),
    JoinedItems((SignalRole.FROM, Between), lambda _f, between: between, THE),
    JoinedItems((SignalRole.BETWEEN, Between), lambda _b, between: between, THE),
)
