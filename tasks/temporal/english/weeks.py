"""English weeks by number and by day, and weekdays counted in a month: "week 12 of 2023", "the last Monday in May"."""

from __future__ import annotations

import re
from datetime import date

from tasks.temporal import readings
from tasks.temporal.english.combinations import DATED
from tasks.temporal.english.lexicon import WEEKDAY, WEEKDAYS, YEAR, S
from tasks.temporal.english.ordinals import ORDINAL_WORD, ordinal
from tasks.temporal.grammar import GrammarRule, JoinedItems, SignalRole, rule
from tasks.temporal.meanings.recurrences import Ranked, Recurring, Stepped, WeekOf, Within
from tasks.temporal.meanings.units import weekday
from tasks.temporal.readings import FixedDate, Meaning
from warehouse.records import Grain

_RANK = rf"(?:the{S})?(?P<rank>last|final|[1-5](?:st|nd|rd|th)|{ORDINAL_WORD}){S}"
_OF_YEAR = rf"(?:{S}(?:of|in){S}|,?{S})(?P<year>{YEAR})"


def _numbered(match: re.Match[str]) -> FixedDate:
    return FixedDate(readings.of_week(date.fromisocalendar(int(match["year"]), int(match["week"]), 1)))


def _of_year(match: re.Match[str]) -> Stepped:
    number = int(match["week"])
    if not 1 <= number <= 53:
        raise ValueError(f"no week {number}")

    def instance(first: date) -> FixedDate:
        return FixedDate(readings.of_week(date.fromisocalendar(first.year, number, 1)))

    return Stepped(Recurring(Grain.WEEK, Grain.YEAR, instance, f"XXXX-W{number:02}"), 0)


def _ranked(match: re.Match[str]) -> Ranked:
    rank = match["rank"].lower()
    index = -1 if rank in ("last", "final") else (int(rank[0]) if rank[0].isdigit() else ordinal(rank)) - 1
    return Ranked(weekday(WEEKDAYS[match["weekday"].lower()]), index)


def _week_of(week: WeekOf, day: Meaning) -> Meaning | None:
    return WeekOf(day, week.unit) if week.day is None and day.grain is Grain.DAY else None


def _within(ranked: Ranked, outer: Meaning) -> Meaning | None:
    return None if outer.grain in (Grain.DAY, Grain.WEEK) else Within(ranked.recurring, outer, ranked.index)


_WEEK_OF = rf"(?:the{S}|a{S})?week(?:{S}of|{S}(?:starting|beginning|commencing)(?:{S}on)?)\b"

RULES: tuple[GrammarRule, ...] = (
    rule({"week", "wk"}, rf"(?:the{S})?(?:week|wk){S}(?P<week>[0-5]?[0-9]){_OF_YEAR}", _numbered, lead=rf"(?:the{S})?"),
    rule(
        {"week"}, rf"(?:the{S})?week{S}(?P<week>[0-5]?[0-9])(?![0-9A-Za-z]|[.,/-][0-9])", _of_year, lead=rf"(?:the{S})?"
    ),
    rule(WEEKDAYS, rf"{_RANK}(?P<weekday>{WEEKDAY})(?={S}(?:of|in)\b)", _ranked, lead=_RANK.replace("?P<rank>", "?:")),
    rule({"week"}, _WEEK_OF, lambda _: WeekOf(None), lead=rf"(?:the{S}|a{S})?"),
    rule({"w"}, r"w/c\b", lambda _: WeekOf(None)),
    rule({"weekend"}, rf"(?:the{S})?weekend{S}of\b", lambda _: WeekOf(None, Grain.WEEKEND), lead=rf"(?:the{S})?"),
)
_GAP = re.compile(r"\s{1,3}(?:on\s)?(?:the\s)?", re.IGNORECASE)
_IN = re.compile(r"\s{1,3}in\s(?:the\s)?", re.IGNORECASE)
WEEKS: tuple[JoinedItems, ...] = (
    JoinedItems((WeekOf, DATED), _week_of, _GAP),
    JoinedItems((Ranked, SignalRole.OF, DATED), lambda ranked, _, outer: _within(ranked, outer), _GAP),
    JoinedItems((Ranked, DATED), _within, _IN),
)
