"""Dates that leave their year, or all but the weekday, to the anchor: "March 3", "in April", "Friday", "Q1"."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

from tasks.temporal import readings
from tasks.temporal.grammar import SHORT_NUMBER, Reading, Rule, rule
from tasks.temporal.intervals import add_months
from tasks.temporal.lexicon import (
    DAY_OF_MONTH,
    MONTH,
    MONTHS,
    ORDINALS,
    WEEKDAY,
    WEEKDAYS,
    S,
    any_of,
    leading_digits,
    month,
)
from tasks.temporal.shifts import resolved
from warehouse.records import Grain

_NAME = rf"(?-i:(?=[A-Z]))(?P<month>{MONTH})"
"""A month's name with its capital, for "may" and "march" are common words."""

_FOLLOWS = "|".join(
    f"(?<={word} )" for word in ("in", "since", "until", "during", "by", "from", "late", "early", "mid")
)


def _weekday(match: re.Match[str], anchor: date | None) -> Reading:
    """Alone it is the latest such day up to the anchor, as news is written; "this" stays in the anchor's week."""
    wanted, step = WEEKDAYS[match["weekday"].lower()], (match["step"] or "").lower()

    def read(day: date) -> Reading:
        behind = (day.weekday() - wanted) % 7
        if step == "next":
            return readings.of_day(day + timedelta(days=7 - behind))
        if step == "this":
            return readings.of_day(day + timedelta(days=wanted - day.weekday()))
        return readings.of_day(day - timedelta(days=7 if step and not behind else behind))

    return resolved(anchor, Grain.DAY, read)


def _nearest_day(match: re.Match[str], anchor: date | None) -> Reading | None:
    """The year that brings month and day nearest to the anchor."""
    number_of_month, day = month(match["month"]), leading_digits(match["day"])
    if not 1 <= day <= monthrange(2000, number_of_month)[1]:
        return None

    def read(near: date) -> Reading:
        years = [year for year in range(near.year - 4, near.year + 5) if monthrange(year, number_of_month)[1] >= day]
        return readings.of_day(min((date(year, number_of_month, day) for year in years), key=lambda it: abs(it - near)))

    return resolved(anchor, Grain.DAY, read)


def _nearest_month(match: re.Match[str], anchor: date | None) -> Reading:
    wanted, step = month(match["month"]), match["step"].lower()

    def read(near: date) -> Reading:
        offset = (wanted - near.month + 6) % 12 - 6
        if step == "last" and offset >= 0:
            offset -= 12
        if step == "next" and offset <= 0:
            offset += 12
        then = add_months(near.replace(day=1), offset)
        return readings.of_month(then.year, then.month)

    return resolved(anchor, Grain.MONTH, read)


def _latest_quarter(match: re.Match[str], anchor: date | None) -> Reading:
    """A quarter without a year is the latest that had begun by the anchor."""
    text = match["number"].lower()
    wanted = ORDINALS[text] if text in ORDINALS else int(text)
    return resolved(
        anchor,
        Grain.QUARTER,
        lambda day: readings.of_quarter(day.year if wanted * 3 - 2 <= day.month else day.year - 1, wanted),
    )


RULES: tuple[Rule, ...] = (
    rule({*WEEKDAYS, "last", "next", "this"}, rf"(?:(?P<step>last|next|this){S})?(?P<weekday>{WEEKDAY})", _weekday),
    rule(MONTHS, rf"{_NAME}{S}(?P<day>{DAY_OF_MONTH})(?!,?{S}?[0-9])", _nearest_day),
    rule({SHORT_NUMBER}, rf"(?P<day>{DAY_OF_MONTH})(?:{S}of{S}|{S}){_NAME}", _nearest_day),
    rule({"last", "next", "this"}, rf"(?P<step>last|next|this){S}{_NAME}(?!{S}[0-9])", _nearest_month),
    rule(MONTHS, rf"(?:{_FOLLOWS})(?P<step>){_NAME}", _nearest_month),
    rule({"q"}, r"Q(?P<number>[1-4])(?![0-9A-Za-z])", _latest_quarter, exact_case=True),
    rule(
        {*ORDINALS, SHORT_NUMBER}, rf"(?P<number>{any_of(ORDINALS)})(?:{S}|-)(?:fiscal{S})?quarter\b", _latest_quarter
    ),
)
